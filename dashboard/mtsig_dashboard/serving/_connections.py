"""Connections: how many may wait, and for how long, with a request that has not come yet, or not wholly.

The server below has no such limits, and the gate sees a request only when its head is complete.
"""

from asyncio import TimerHandle, Transport
from collections import defaultdict, deque
from pathlib import Path
from typing import Any

from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD_SECONDS = 20.0
"""How long the head of a request may take to come, also of a further one on the same connection."""

MOST_WAITING = 200
"""Connections that send no request yet; of more, those go of whoever has most, the oldest first.

A browser needs six at most.
"""

MOST_SAID = 2 * 2**20
"""Bytes of a message from a tab: the state of its widgets, or the names of the files that it will send."""

MOST_FRAMES = 1_000
"""Frames of a tab that come at once, or make up one message: each takes time and memory, and may be empty."""

_PIECE = 2**12
"""Bytes of a tab that are looked through before its frames are counted."""

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
        self.ws_protocol_class = Tab
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


class Tab(WebSocketsSansIOProtocol):  # type: ignore[misc]
    """The websocket of a tab, which ends where it sends what no browser does."""

    _came = 0

    def data_received(self, data: bytes) -> None:
        """Take what came until it is too much."""
        self._came = 0
        for start in range(0, len(data), _PIECE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + _PIECE])

    def handle_events(self) -> None:
        """Count the frames, and take them."""
        self._came += len(self.conn.events)
        super().handle_events()
        if max(self._came, len(self.frames)) > MOST_FRAMES:
            self.transport.abort()

    def handle_ping(self) -> None:
        """Answer nobody who leaves what he was sent before unread: it would be kept for him."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_text(self, event: object) -> None:
        """End the connection: pages send no text, and Streamlit would log a mistake of its own."""
        del event
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of what was said and not heard yet: else the tab counts as open until all of it is."""
        while not self.queue.empty():
            self.queue.get_nowait()
        super().connection_lost(exc)


def _thin_out() -> None:
    by_place = defaultdict[str, deque[Connection]](deque)
    for connection in _waiting:
        by_place[connection.client[0] if connection.client else ""].append(connection)
    while len(_waiting) > MOST_WAITING:
        max(by_place.values(), key=len).popleft()._end()


def script() -> Path:
    """Return what `streamlit run` is given, with connections that are kept as they are here.

    Streamlit leaves that to the server below, and has no setting for it.
    """
    HTTP_PROTOCOLS["auto"] = f"{__name__}:{Connection.__name__}"
    return Path(__file__).with_name("serve.py")
