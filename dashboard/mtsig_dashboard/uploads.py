"""Uploads: a file that comes in goes to Streamlit, or is refused before it is read where it would be too much.

Streamlit keeps what is sent to it for as long as the tab is open, whether the page asked for it or not.
"""

import asyncio
import re
import time
from collections import Counter
from itertools import count

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from mtsig.cli import VisitorLimits

MOST_FILES, MOST_BYTES = 500, 200 * 2**20
"""Files, and bytes of them, that one visitor may drop together."""

SHARE = 0.5
"""Which part of the memory for data files may take that no page has read yet."""

_MOST_NAMES = 20 * MOST_FILES
"""Files of one tab, those among them that a page has read and of which only the names are left."""

_FRAME = 2**20
"""Bytes that the forms around files may have: their names, and the borders between them."""

STALLED_SECONDS = 60.0
"""How long an upload may send nothing."""

_PUT = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")


def held() -> MemoryUploadedFileManager | None:
    """Return what holds the files that were sent; None where no server runs."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None


def held_bytes() -> int:
    """Return the bytes of all files that were sent and that no page has read and emptied."""
    manager = held()
    families = {} if manager is None else manager.get_stats()
    return sum(stat.byte_length for stats in families.values() for stat in stats)


class Uploads:
    """ASGI middleware that lets in no more files than there is room for, of one tab and of all.

    Under `--data-memory`, of which SHARE is theirs. Where it is full, those go that came long ago and were never read.
    """

    def __init__(self, app: ASGIApp, limits: VisitorLimits) -> None:
        self.app = app
        self.most = int(SHARE * limits.data_memory * 2**30)
        self.kept_seconds = 60 * limits.keep_minutes
        self.coming: dict[int, tuple[str, int]] = {}
        """Number of an upload -> the tab that sends it, and the bytes that it says it has."""
        self.came: dict[tuple[str, str], float] = {}
        """Tab and file -> when it was all there."""
        self._numbers = count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, or refuse it."""
        is_put = scope["type"] == "http" and scope["method"] == "PUT"
        asked = _PUT.search(scope["path"]) if is_put else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        tab, file = asked.groups()
        length = Headers(scope=scope).get("content-length", "")
        size = int(length) if length.isdecimal() and len(length) < 16 else None
        refusal = _told(411, "An upload has to say its length.") if size is None else self._refusal(tab, size)
        if refusal is not None or size is None:
            await (refusal or Response(status_code=411))(scope, receive, send)
            return
        number = next(self._numbers)
        self.coming[number] = tab, size

        async def flowing() -> Message:
            try:
                async with asyncio.timeout(STALLED_SECONDS):
                    return await receive()
            except TimeoutError:
                return {"type": "http.disconnect"}

        try:
            await self.app(scope, flowing, send)
        finally:
            del self.coming[number]
            self.came[tab, file] = time.monotonic()
            if len(self.came) > _MOST_NAMES:
                self._let_go()

    def _refusal(self, tab: str, size: int) -> Response | None:
        manager = held()
        files = [] if manager is None else list(manager.file_storage.get(tab, {}).values())
        coming: Counter[str] = Counter()
        for sender, its_size in self.coming.values():
            coming[sender] += its_size
        own = sum(len(file.data) for file in files) + coming[tab] + size
        if own > MOST_BYTES + _FRAME or len(files) >= _MOST_NAMES:
            return _told(
                413, f"One tab may send {MOST_BYTES // 2**20} MB together. Open the page anew, or use the command line."
            )
        if held_bytes() + coming.total() + size > self.most:
            self._let_go()
        if held_bytes() + coming.total() + size > self.most:
            return _told(413, "The server has no room for more files now. Try again later, or use the command line.")
        return None

    def _let_go(self) -> None:
        """Let files go that were sent long ago and never read: a page reads at once what it asked for."""
        manager, now, unread = held(), time.monotonic(), {}
        for (tab, file), came in self.came.items():
            if manager is None or not any(record.data for record in manager.get_files(tab, [file])):
                continue
            if now - came > self.kept_seconds:
                manager.remove_file(tab, file)
            else:
                unread[tab, file] = came
        self.came = unread


def _told(status: int, sentence: str) -> Response:
    return PlainTextResponse(sentence + "\n", status)
