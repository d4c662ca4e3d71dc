"""Who hosts the pages: the wing for many visitors where it is there, else this computer alone, for one person.

What a tab says and no browser sends is as good as not said, and one line in the log. Streamlit hands on to a widget,
and to the page, whatever a message holds in its place: a value of another kind than the widget's own, or one that it
cannot read, would end the run with a red box and a traceback.

glibc keeps what is freed, in up to eight heaps for every core that threads take in turns, and the end of a heap other
than the first even `malloc_trim` leaves as it is. A server whose visitors bring tens of megabytes stays as large as it
ever was, with next to nothing in use: what nobody holds any more is given back to the system here.
"""

import ctypes
import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from logging import ERROR, Filter, LogRecord, getLogger
from time import monotonic
from types import ModuleType
from typing import Any, TypeVar

from mtsig import watching
from mtsig.readers import File
from mtsig.readers._files import json_of

T = TypeVar("T")

WING = "mtsig_dashboard.serving"

MOST_FILES, MOST_BYTES = 500, 200 * 2**20
"""Files, and bytes of them, that one visitor may drop together."""


@dataclass(frozen=True)
class Spooled:
    """What is kept under a token: the files as they were dropped, and what was chosen for them, as plain JSON.

    own: whether it is who asked that may change it.
    """

    files: tuple[File, ...]
    chosen: Mapping[str, Any]
    own: bool


@dataclass(frozen=True)
class Gone:
    """A token whose data are no longer here, with the names of the files there were."""

    names: tuple[str, ...]


class Here:
    """Work is done by the process that draws the pages."""

    def run(
        self, work: Callable[[], T], show: Callable[[float], object], waits: Callable[[int], object] | None = None
    ) -> T:
        """Return `work()`; `show` is called with the share done, and nobody waits."""
        del waits
        with watching(show):
            return work()


@cache
def serving() -> ModuleType | None:
    """Return the wing for many visitors; None where it was taken away."""
    try:
        return import_module(WING)
    except ModuleNotFoundError as error:
        if error.name != WING:
            raise
        return None


def users_spool() -> Any | None:
    """Return where dropped files are kept for a reload or a link; None where nothing is kept."""
    wing = serving()
    return None if wing is None else wing.users_spool()


def given_up(tab: str) -> list[str]:
    """Return the names of the files of a tab that were given up for lack of room; none for one person alone."""
    wing = serving()
    return [] if wing is None else list(wing.given_up(tab))


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """Return the secret by which a browser is known; None where it has none, or one person has the pages alone."""
    wing = serving()
    secret: str | None = None if wing is None else wing.secret_of(cookies)
    return secret


# The numbers of the parameters in malloc.h, the same on every system that has glibc.
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8

_LARGE = 2**17
"""Bytes from which a block is mapped by itself, and goes back by itself; the C library begins with as many."""

# Without glibc there is nothing to ask: macOS's library has no such function, and Windows no library of this process.
_NO_GLIBC = (AttributeError, OSError, TypeError)


def settle() -> None:
    """Have one heap for all threads, and large blocks outside of it; to be called before there are threads."""
    # A page gives the interpreter away a hundred times; each time, a thread that computes would keep it for 5 ms.
    sys.setswitchinterval(0.0005)
    # Tables on their way to the browser: Arrow has a heap of its own, which gives back even less.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    with suppress(*_NO_GLIBC):
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)


def give_back(*, whole: bool = True) -> None:
    """Collect garbage, and give memory that is free back to the system.

    whole: also garbage that lived when this was done last; looking for it holds up everybody for a third of a second.
    """
    if whole:
        gc.unfreeze()
    # Pages and Streamlit's sessions are full of circles, and only when they are gone do their uploads go.
    gc.collect()
    gc.freeze()
    with suppress(*_NO_GLIBC):
        ctypes.CDLL(None).malloc_trim(0)


# --- messages that no browser sends -----------------------------------------------------------------------------------

_LOG = getLogger(__name__)

_HEARING = ("web.server.starlette.starlette_websocket", "runtime.app_session", "runtime.scriptrunner.script_runner")
"""Parts of Streamlit that write into the log what a tab said."""

_LONGEST = 300
"""Characters of a line that they write."""

_SECONDS = 10.0
"""Of many values that are ignored in this time, the log tells of the first."""

_told = [float("-inf")]


class _OneLine(Filter):
    """Lets a warning be one short line: its traceback is that of the server, and its text may be a stranger's."""

    def filter(self, record: LogRecord) -> bool:
        """Shorten a record, and keep it."""
        if record.levelno < ERROR:
            text = record.getMessage().encode("unicode_escape").decode("ascii")
            record.msg, record.args = text[:_LONGEST], ()
            record.exc_info = record.exc_text = None
        return True


@cache
def ignore_forged() -> None:
    """Ignore such messages, in every session of this process."""
    from streamlit.runtime.state.session_state import Serialized, WStates  # here, as the server starts without it

    read = WStates.__getitem__

    def believed(states: WStates, widget: str) -> Any:
        """Return the value of a widget; there is none, and so the one from before holds, where it cannot be."""
        said, known = states.states.get(widget), states.widget_metadata.get(widget)
        if not isinstance(said, Serialized) or known is None:
            return read(states, widget)
        kind = said.value.WhichOneof("value")
        try:
            if kind not in (None, known.value_type):
                raise TypeError
            if kind is not None and kind.startswith("json_"):
                json_of(getattr(said.value, kind), "")  # of what it cannot read Streamlit itself logs a traceback
            return read(states, widget)
        except Exception as error:
            if monotonic() - _told[0] > _SECONDS:
                _told[0] = monotonic()
                kinds = known.value_type, type(error).__name__
                _LOG.warning("A value that no browser sends was ignored (%s: %s)", *kinds)
            del states.states[widget]
            raise KeyError(widget) from None

    def now_here(states: WStates) -> Iterator[str]:
        """Yield the widgets that have a value; one may lose it meanwhile."""
        yield from tuple(states.states)

    WStates.__getitem__ = believed  # type: ignore[method-assign]
    WStates.__iter__ = now_here  # type: ignore[method-assign]
    one_line = _OneLine()
    for name in _HEARING:
        getLogger(f"streamlit.{name}").addFilter(one_line)


@cache
def keep_answers() -> None:
    """Let what answers a tab outlast the begin of a run, which throws away all that was drawn and not sent yet.

    Else a file that is dropped meanwhile is never told where to go, and lost without a word.
    """
    from streamlit.runtime.forward_msg_queue import ForwardMsgQueue  # here, as the server starts without it

    clear = ForwardMsgQueue.clear

    def cleared(
        queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        before = queue._queue
        clear(queue, retain_lifecycle_msgs, fragment_ids_this_run)
        if retain_lifecycle_msgs:
            kept = {*map(id, queue._queue)}
            answers = (one for one in before if str(one.WhichOneof("type")).endswith("_response"))
            queue._queue += [one for one in answers if id(one) not in kept]

    ForwardMsgQueue.clear = cleared  # type: ignore[assignment, method-assign]
