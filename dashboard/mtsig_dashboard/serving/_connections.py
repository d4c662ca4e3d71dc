"""Connections: how many may wait, and for how long, with a request that has not come yet, and what a page may say.

The server below has no such limits, and the gate sees a request only when its head is complete.
"""

import asyncio
import time
from asyncio import TimerHandle, Transport
from collections import Counter, defaultdict, deque
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from mtsig_dashboard.serving._uploads import MOST_NAMES

HEAD_SECONDS = 20.0
"""How long the head of a request may take to come, also of a further one on the same connection."""

MOST_WAITING = 200
"""Connections that send no request yet; of more, those go of whoever has most, the oldest first.

A browser needs six at most.
"""

MOST_TABS = 500
"""Open tabs; when there are so many, none is added from where most of them come."""

MOST_SAID = 2 * 2**20
"""Bytes of a message from a tab: the state of its widgets, or the names of the files that it will send."""

SAID_AT_ONCE, SAID_PER_SECOND = 40, 10.0
"""Messages that a tab may send at once, and later; further ones wait."""

_HEARD = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request"}
"""What a page says; the other orders are meant for developers, such as to forget what is kept for everybody."""

_GRACE = 0.1
"""Seconds in which there may be more: many that come at once have their requests with them."""

_waiting: dict["Connection", TimerHandle] = {}
"""Those that wait, the longest first, each with what will end it."""


class Connection(AutoHTTPProtocol):  # type: ignore[misc]
    """A connection that is closed when nothing is asked on it for too long, or when too many others wait, too."""

    def connection_made(self, transport: Transport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take what came, and wait for no head any more when it is there."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """Leave the connection to the websocket, which has limits of its own."""
        self._rest()
        # Streamlit has one limit for both ways, and a page is sent more than it says.
        self.config.ws_max_size = min(self.config.ws_max_size, MOST_SAID)
        super().handle_websocket_upgrade(*event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._rest()
        super().connection_lost(exc)

    def _look(self) -> None:
        asked = self.cycle is not None and not self.cycle.response_complete
        if asked or self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._rest()
        elif self not in _waiting:
            _waiting[self] = self.loop.call_later(HEAD_SECONDS, self._end)
            if len(_waiting) == MOST_WAITING + 1:
                self.loop.call_later(_GRACE, _thin_out)

    def _rest(self) -> None:
        timer = _waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _end(self) -> None:
        self._rest()
        self.transport.close()


def _thin_out() -> None:
    by_place = defaultdict[str, deque[Connection]](deque)
    for connection in _waiting:
        by_place[connection.client[0] if connection.client else ""].append(connection)
    while len(_waiting) > MOST_WAITING:
        max(by_place.values(), key=len).popleft()._end()


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
        place = scope["client"][0] if scope.get("client") else ""
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
                now = time.monotonic()
                room, last = min(SAID_AT_ONCE, room + SAID_PER_SECOND * (now - last)) - 1, now
                if room < 0:
                    await asyncio.sleep(-room / SAID_PER_SECOND)
                if _is_heard(said):
                    return message

        self.open[place] += 1
        try:
            await self.app(scope, heard, send)
        finally:
            self.open -= Counter([place])


def _is_heard(said: bytes) -> bool:
    try:
        message = BackMsg.FromString(said)
    except DecodeError:
        return True  # the app closes the connection
    return message.WhichOneof("type") in _HEARD and len(message.file_urls_request.file_names) <= MOST_NAMES


def script() -> Path:
    """Return what `streamlit run` is given, with connections that are kept as they are here.

    Streamlit leaves that to the server below, and has no setting for it.
    """
    HTTP_PROTOCOLS["auto"] = f"{__name__}:{Connection.__name__}"
    return Path(__file__).with_name("serve.py")
