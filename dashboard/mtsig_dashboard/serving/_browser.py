"""Which browser asks: a secret of its own, in a cookie that no script and no link can read, tells it from all others.

The address of a page finds data; this says whose they are. A browser that keeps no cookie, or keeps it back inside of
another site's frame, is somebody new after every reload.
"""

import re
import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "mtsig_browser"

KEPT_SECONDS = 30 * 24 * 3600
"""How long a browser that does not come back is known: longer than anything of it is kept."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{43}\Z")


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(32)


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """Return the secret among a request's cookies; None where there is none that was given out here."""
    secret = cookies.get(COOKIE)
    return secret if isinstance(secret, str) and _SECRET.match(secret) else None


class Known:
    """ASGI middleware: every browser that opens a page has a secret, which is good for a month from then on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on; with the page goes the cookie, and the page's own requests bring it back."""
        # A browser asks for pages so, and for everything that belongs to a page otherwise.
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        secret = secret_of(HTTPConnection(scope).cookies) or new_secret()
        cookie = Response()
        cookie.set_cookie(
            COOKIE, secret, max_age=KEPT_SECONDS, httponly=True, samesite="lax", secure=scope.get("scheme") == "https"
        )

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", cookie.headers["set-cookie"])
            await send(message)

        await self.app(scope, receive, told)
