"""Who is answered, and who asks: the app sees a request, or the visitor a refusal or the page that asks the password.

Streamlit's own list of hosts guards its websocket alone; here it is every path, files of the page and uploads too.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import re
import secrets
import time
from collections import Counter, deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg

from mtsig.cli._dashboard import Serving, VisitorLimits
from mtsig_dashboard.serving._uploads import MOST_NAMES, Uploads, said

COOKIE = "mtsig_session"

SESSION_SECONDS, MOST_SESSIONS = 24 * 3600, 5_000
"""How long a password that was typed is good for, and how many visitors are signed in at a time; the first go."""

WINDOW_SECONDS = 60
"""Wrong passwords are counted over the last minute."""

WRONG_PER_ADDRESS, WRONG_IN_ALL = 10, 100

LONGEST_FORM, FORM_SECONDS = 4096, 20.0
"""Bytes of a form that is read before the password is known, and how long they may take to come."""

MOST_TABS = 500
"""Open tabs; when there are so many, none is added from where most of them come."""

SAID_AT_ONCE, SAID_PER_SECOND = 40, 10.0
"""Messages that a tab may send at once, and later; further ones wait."""

NAMES_PER_MESSAGE, BYTES_PER_MESSAGE = 50, 2**14
"""Names of files to be sent, and bytes, that count as one more message: each costs the server time."""

_HEARD = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request"}
"""What a page says; the other orders are meant for developers, such as to forget what is kept for everybody."""

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    # The address of a page says where its data are. With no referrer at all, a browser would not say either that the
    # form of the password is this server's own.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""What every answer says beside who may frame it: that it is what it says, and how little it lends to others."""


def guards(serving: Serving) -> list[Middleware]:
    """Return what stands before the app, the outermost first."""
    limits = VisitorLimits.from_environment()
    return [Middleware(Gate, serving=serving), Middleware(Tabs), Middleware(Uploads, limits=limits), Middleware(Known)]


class Gate:
    """ASGI middleware in front of the whole app."""

    def __init__(self, app: ASGIApp, serving: Serving) -> None:
        self.app = app
        self.serving = serving
        self.names = {_plain(name) for name in serving.hosts}
        self.framed = " ".join(["frame-ancestors 'self'", *serving.frames])
        # Streamlit's own word for where all paths begin; the same answers one that stands elsewhere with a page.
        self.health = f"/{config.get_option('server.baseUrlPath').strip('/')}/_stcore/health".replace("//", "/")
        self.sessions: dict[str, float] = {}
        """Token -> when it ends."""
        self.wrong: deque[tuple[float, str]] = deque(maxlen=WRONG_IN_ALL)
        """When a password was tried that was not right, or not yet, and from where; no more than refuse the next."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, or answer it here."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        began = False

        async def sending(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                self._mark(MutableHeaders(scope=message))
            await send(message)

        try:
            await self._answered(scope, receive, sending)
        except Exception:
            # Told here, because what tells it outside of this has none of the headers.
            if scope["type"] == "http" and not began:
                await said(500, "The server failed because of an internal error.")(scope, receive, sending)
            raise

    def _mark(self, headers: MutableHeaders) -> None:
        """Say in an answer who may show it in a frame, and what else holds for every one."""
        headers["Content-Security-Policy"] = "; ".join(
            filter(None, [headers.get("content-security-policy"), self.framed])
        )
        for name, value in ALWAYS.items():
            headers[name] = value

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is None and self.serving.password is not None and not self._is_open(scope):
            refusal = await self._asked(scope, receive, self.serving.password)
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # before it is accepted, this is told as 403
        else:
            await refusal(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if not self.serving.everywhere and not self._is_named(host, scope):
            return said(421, "This server does not accept requests for that host name.")
        # A browser says which page it asks for; other programs say nothing, and have no cookie to lend.
        acts = scope["type"] == "websocket" or scope["method"] not in {"GET", "HEAD", "OPTIONS"}
        # A public host's proxy may have put another name into Host; what a password opened, no other site's page sends.
        origins = headers.getlist("origin") if acts and not self.serving.everywhere else []
        if any(origin.lower() not in {f"http://{host}", f"https://{host}"} for origin in origins):
            return said(403, "Requests from pages of other sites are refused.")
        if str(scope["path"]).rstrip("/").endswith("/_stcore/metrics"):
            return said(404, "Not found.")
        return None

    def _is_named(self, host: str, scope: Scope) -> bool:
        name = _name_of(host)
        if name is None:
            return False
        address = _address(name)
        own = _address((scope.get("server") or ("",))[0]) if self.serving.own_address else None
        return (
            name == "localhost"
            or name in self.names
            or (address is not None and (address.is_loopback or address == own))
        )

    def _is_open(self, scope: Scope) -> bool:
        """Return whether this needs no password: it was given before, or only the server's health is asked for."""
        if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"} and scope["path"] == self.health:
            return True
        return self.sessions.get(HTTPConnection(scope).cookies.get(COOKIE, ""), 0) > time.monotonic()

    async def _asked(self, scope: Scope, receive: Receive, password: str) -> Response:
        """Return the page that asks for the password; what answers it opens a session."""
        if scope["type"] == "websocket":
            return said(403, "Enter the password first.")
        if scope["method"] != "POST":
            return _page(401)
        now = time.monotonic()
        address = _sender(scope)
        while self.wrong and self.wrong[0][0] < now - WINDOW_SECONDS:
            self.wrong.popleft()
        here = sum(place == address for _, place in self.wrong)
        if here >= WRONG_PER_ADDRESS or len(self.wrong) >= WRONG_IN_ALL:
            return _page(429, "Too many wrong passwords; try again in a minute.")
        # Whoever sends many heads before the first body has tried as often: it counts now, and is taken back if right.
        tried = now, address
        self.wrong.append(tried)
        given = parse_qs(await _form(receive)).get("password", [""])[0]
        if not hmac.compare_digest(_digest(given), _digest(password)):
            return _page(401, "The password is wrong.")
        with suppress(ValueError):  # a minute may have gone by
            self.wrong.remove(tried)
        self.sessions = dict([held for held in self.sessions.items() if held[1] > now][1 - MOST_SESSIONS :])
        token = secrets.token_urlsafe(32)
        self.sessions[token] = now + SESSION_SECONDS
        # Relative, so that no path that was asked for can lead to another server.
        answer = RedirectResponse("?" + scope.get("query_string", b"").decode("latin-1"), 303)
        secure = scope.get("scheme") == "https"
        answer.set_cookie(COOKIE, token, max_age=SESSION_SECONDS, httponly=True, samesite="lax", secure=secure)
        return answer


BROWSER_COOKIE = "mtsig_browser"
"""Tells a browser from all others: a secret of its own, which no script and no link can read.

The address of a page finds data; this says whose they are. A browser that keeps no cookie, or keeps it back inside of
another site's frame, is somebody new after every reload.
"""

BROWSER_SECONDS = 30 * 24 * 3600
"""How long a browser that does not come back is known: longer than anything of it is kept."""

_SECRET = re.compile(r"[A-Za-z0-9_-]{43}\Z")


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(32)


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """Return the secret among a request's cookies; None where there is none that was given out here."""
    secret = cookies.get(BROWSER_COOKIE)
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
        cookie, secure = Response(), scope.get("scheme") == "https"
        cookie.set_cookie(BROWSER_COOKIE, secret, BROWSER_SECONDS, httponly=True, samesite="lax", secure=secure)

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", cookie.headers["set-cookie"])
            await send(message)

        await self.app(scope, receive, told)


class Tabs:
    """ASGI middleware: how many tabs are open, and how much and how often each of them says something."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.open: Counter[str] = Counter()
        """Tabs by where they come from."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, and from a tab what the app should hear."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        place = _sender(scope)
        if self.open.total() >= MOST_TABS and self.open[place] == max(self.open.values()):
            await send({"type": "websocket.close"})
            return
        room, last = float(SAID_AT_ONCE), time.monotonic()

        async def heard() -> Message:
            nonlocal room, last
            while True:
                message = await receive()
                said = message.get("bytes")
                if said is None:
                    return message
                is_heard, names = _heard(said)
                now = time.monotonic()
                room, last = min(SAID_AT_ONCE, room + SAID_PER_SECOND * (now - last)) - 1, now
                room -= names // NAMES_PER_MESSAGE + len(said) // BYTES_PER_MESSAGE
                if room < 0:
                    await asyncio.sleep(-room / SAID_PER_SECOND)
                if is_heard:
                    return message

        self.open[place] += 1
        try:
            await self.app(scope, heard, send)
        finally:
            self.open -= Counter([place])


def _heard(said: bytes) -> tuple[bool, int]:
    """Return whether the app should hear a message, and how many files it announces."""
    try:
        message = BackMsg.FromString(said)
    except DecodeError:
        return True, 0  # the app closes the connection
    names = len(message.file_urls_request.file_names)
    is_heard = message.WhichOneof("type") in _HEARD and names <= MOST_NAMES
    return is_heard, names if is_heard else 0


def _plain(name: str) -> str:
    return name.strip().lower().removesuffix(".")


def _name_of(host: str) -> str | None:
    """Return the name or address in a Host header, without its port; None if it is no such header."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        return None
    if parts.netloc != host or "@" in host or parts.hostname is None:
        return None
    return _plain(parts.hostname)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return None
    # A socket that serves both kinds tells of IPv4 in IPv6's way.
    return getattr(address, "ipv4_mapped", None) or address


def _sender(scope: Scope) -> str:
    return _whose(str((scope.get("client") or ("",))[0]))


def _whose(name: str) -> str:
    """Return one name for all addresses that one computer can take: those of its own, and 64 bits of IPv6."""
    address = _address(name)
    if address is None:
        return name
    if address.is_loopback:
        return "loopback"
    return str(ipaddress.ip_network((address, 64), strict=False) if address.version == 6 else address)


async def _form(receive: Receive) -> str:
    """Return the body of a request; nothing, if it is longer than any password, or long in coming."""
    body = bytearray()
    with suppress(TimeoutError):
        async with asyncio.timeout(FORM_SECONDS):
            while len(body) <= LONGEST_FORM:
                message = await receive()
                body += message.get("body", b"")
                if message["type"] != "http.request":
                    break
                if not message.get("more_body"):
                    return body.decode("utf-8", errors="replace") if len(body) <= LONGEST_FORM else ""
    return ""


def _digest(text: str) -> bytes:
    # Of equal length, so that the time of a comparison tells nothing of it.
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).digest()


_PAGE = Path(__file__).parents[1].joinpath("password.html").read_text(encoding="utf-8")


def _page(status: int, sentence: str = "") -> Response:
    headers = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    }
    return HTMLResponse(_PAGE.replace("{sentence}", sentence), status, headers)
