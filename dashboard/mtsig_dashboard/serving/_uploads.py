"""Uploads: a file that comes in goes to Streamlit, or is refused before it is read where it would be too much.

Streamlit keeps what is sent to it for as long as the tab is open, whether the page asked for it or not.
"""

import asyncio
import re
from collections import Counter
from dataclasses import dataclass
from functools import partial

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from mtsig.cli._dashboard import VisitorLimits
from mtsig_dashboard.host import MOST_BYTES, MOST_FILES

SHARE = 0.5
"""Which part of the memory for data files may take that no page has read yet."""

MOST_NAMES = 20 * MOST_FILES
"""Files of one tab, those among them that a page has read and of which only the names are left."""

_FRAME = 2**20
"""Bytes that the forms around files may have: their names, and the borders between them."""

STALLED_SECONDS = 60.0
"""How long an upload may send nothing."""

_MOST_DIGITS = 15

LONGEST_NAME, RECORD = 255, 2**12
"""Characters of a file's name, as on most disks, and of its type and id; and bytes that a file takes by these alone."""

_MOST_TOLD, _MOST_TABS = 20, 1_000
"""Names of files that were given up, which a tab is told, and tabs of which they are kept: of more, the last."""

_PUT = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")


def held() -> MemoryUploadedFileManager | None:
    """Return what holds the files that were sent; None where no server runs."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None


def held_bytes() -> int:
    """Return the bytes of all files that were sent: of those that a page has read and emptied, the name alone."""
    if (manager := held()) is None:
        return 0
    data = sum(stat.byte_length for stats in manager.get_stats().values() for stat in stats)
    return data + RECORD * sum(map(len, list(manager.file_storage.values())))


_given_up: dict[str, list[str]] = {}


def given_up(tab: str) -> list[str]:
    """Return the names of the last files of a tab that went for lack of room, before a page read them."""
    return list(_given_up.get(tab, ()))


def _note_given_up(tab: str, name: str) -> None:
    names = _given_up.pop(tab, [])
    _given_up[tab] = [*(known for known in names if known != name), name][-_MOST_TOLD:]
    while len(_given_up) > _MOST_TABS:
        del _given_up[next(iter(_given_up))]


@dataclass
class _Coming:
    """An upload on its way: the tab that sends it, what it says it has, what of it is here, and whether it goes on."""

    tab: str
    size: int
    here: int = 0
    is_wanted: bool = True


class Uploads:
    """ASGI middleware that lets in no more files than there is room for, of one tab and of all.

    All share a part of `--data-memory`. Where that is full, files go of the tab that has most of them.
    """

    def __init__(self, app: ASGIApp, limits: VisitorLimits) -> None:
        self.app = app
        self.most = int(SHARE * limits.data_memory * 2**30)
        self.coming: list[_Coming] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, or refuse it."""
        is_put = scope["type"] == "http" and scope["method"] == "PUT"
        asked = _PUT.search(scope["path"]) if is_put else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        form = headers.get("content-type", "").lower()
        if not form.startswith("multipart/form-data") or "charset" in form or len(asked[2]) > LONGEST_NAME:
            # Some of Python's encodings take minutes for a megabyte, and everybody would wait.
            await said(415, "An upload must be a form as browsers send it, in UTF-8.")(scope, receive, send)
            return
        length = headers.get("content-length", "")
        if not length.isdecimal() or len(length) > _MOST_DIGITS:
            await said(411, "An upload must state its length.")(scope, receive, send)
            return
        upload = _Coming(asked[1], int(length))
        if not self._fits(upload):
            await said(
                413, f"One tab may send {MOST_BYTES // 2**20} MB in all. Reload the page, or use the command line."
            )(scope, receive, send)
            return
        began = False

        async def sending(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        self.coming.append(upload)
        try:
            await self.app(scope, partial(self._received, upload, receive), sending)
        except ClientDisconnect:
            if not began:
                await said(413, "The server has no room for this file now. Try again later.")(scope, receive, send)
        finally:
            self.coming.remove(upload)
            _settle(*asked.groups())

    def _fits(self, upload: _Coming) -> bool:
        """Return whether a tab may send this beside what it has sent."""
        manager = held()
        files = [] if manager is None else list(manager.file_storage.get(upload.tab, {}).values())
        own = sum(len(file.data) for file in files)
        own += sum(other.size for other in self.coming if other.tab == upload.tab)
        return own + upload.size <= min(MOST_BYTES + _FRAME, self.most) and len(files) < MOST_NAMES

    async def _received(self, upload: _Coming, receive: Receive) -> Message:
        """Return what came of an upload; that it is over where it stalls, or has to go."""
        try:
            async with asyncio.timeout(STALLED_SECONDS):
                message = await receive()
        except TimeoutError:
            upload.is_wanted = False
        else:
            upload.here += len(message.get("body", b""))
            # What comes in chunks may be more than it said.
            upload.is_wanted &= upload.here <= upload.size
            self._make_room()
        return message if upload.is_wanted else {"type": "http.disconnect"}

    def _make_room(self) -> None:
        """Let files go of the tab that has most until all that are left have room: the first that it sent first."""
        manager = held()
        while held_bytes() + sum(upload.here for upload in self.coming if upload.is_wanted) > self.most:
            by_tab: Counter[str] = Counter()
            for tab, files in list(manager.file_storage.items()) if manager is not None else ():
                by_tab[tab] += sum(len(file.data) + RECORD for file in list(files.values()))
            for upload in self.coming:
                by_tab[upload.tab] += upload.here if upload.is_wanted else 0
            ((largest, _),) = by_tab.most_common(1)
            files = {} if manager is None else manager.file_storage.get(largest, {})
            oldest = next((name for name, file in list(files.items()) if file.data), None)
            if manager is not None and oldest is not None:
                _note_given_up(largest, files[oldest].name)
                manager.remove_file(largest, oldest)
                continue
            going = [upload for upload in self.coming if upload.is_wanted and upload.tab == largest]
            for upload in going:
                upload.is_wanted = False
            if manager is not None and not going:
                manager.remove_file(largest, next(iter(files)))


def _settle(tab: str, name: str) -> None:
    """Let a file that came have no longer names than any file has, and go if its tab was closed meanwhile."""
    manager = held()
    if manager is None:
        return
    for file in manager.get_files(tab, [name]):
        if runtime.exists() and not runtime.get_instance().is_active_session(tab):
            manager.remove_file(tab, name)
        elif max(len(file.name), len(file.type)) > LONGEST_NAME:
            manager.add_file(tab, file._replace(name=file.name[:LONGEST_NAME], type=file.type[:LONGEST_NAME]))


def said(status: int, sentence: str) -> Response:
    return PlainTextResponse(sentence + "\n", status)
