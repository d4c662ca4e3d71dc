"""Who is here: what visitors hold leaves memory when their tab has been gone for a while, or when it is too much."""

import threading
import time
import weakref
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from streamlit import runtime

from mtsig.cli._dashboard import VisitorLimits
from mtsig_dashboard.contents import weight
from mtsig_dashboard.host import give_back
from mtsig_dashboard.memory import Memory
from mtsig_dashboard.serving._uploads import held_bytes
from mtsig_dashboard.session import Session
from mtsig_dashboard.state import Data

_EVERY, _WHOLE = 30.0, 150.0
"""Seconds between two looks for garbage, and for what has lived longer where nobody left: each holds up everybody."""


@dataclass
class _Visitor:
    """One who came: when his tab was last seen open, what his data weigh, and whether somebody is finding it out."""

    session: "weakref.ReferenceType[Session]"
    seen: float
    weighed: "tuple[weakref.ReferenceType[Data], int] | None" = None
    weighing: threading.Lock = field(default_factory=threading.Lock)

    def weigh(self, *, wait: bool) -> None:
        """Find out what the data weigh, once for all.

        A million lines take half a second of everybody's time: whoever has them drawn weighs them, or the sweep, and
        not each visitor who clicks meanwhile.

        wait: for another who is at it.
        """
        session = self.session()
        if session is not None and session.data.parts and self.weighing.acquire(blocking=wait):
            try:
                if self.weight_of(data := session.data) is None:
                    self.weighed = (weakref.ref(data), weight(data))
            finally:
                self.weighing.release()

    def weight_of(self, data: Data) -> int | None:
        """Return what these data weigh; None where that is not known, as of data that took the place of others."""
        return self.weighed[1] if self.weighed is not None and self.weighed[0]() is data else None


class Visitors:
    """Everybody whose data are in memory.

    Args:
        memory: the results that visitors share.
        limits: how long and how much.
        present: returns the ids of those whose tab is open; None where that cannot be known.
        now: the time in seconds.
        sent: returns the bytes of files that were sent and that no page has read; they leave less room for data.
    """

    def __init__(
        self,
        memory: Memory,
        limits: VisitorLimits,
        present: Callable[[], Collection[str] | None],
        now: Callable[[], float] = time.monotonic,
        sent: Callable[[], int] = held_bytes,
    ) -> None:
        self._memory, self._limits, self._present, self._now, self._sent = memory, limits, present, now, sent
        self._lock = threading.Lock()
        self._visitors: dict[str, _Visitor] = {}
        self._collected = self._collected_whole = now()
        self._owed = False

    def came(self, visitor: str, session: Session) -> None:
        """Take down that this visitor's page is being drawn."""
        with self._lock:
            known = self._visitors.get(visitor)
            if known is None or known.session() is not session:
                known = self._visitors[visitor] = _Visitor(weakref.ref(session), self._now())
            known.seen = self._now()
        known.weigh(wait=True)
        # After it: of several that come at once, whoever has weighed his own last sees what all others hold.
        with self._lock:
            here = list(self._visitors.values())
        # At once: many tabs that open the large data of a link would all hold them until the next sweep.
        self._put_aside(here, session)

    def sweep(self) -> None:
        """Let go of those who have been gone for too long, and put aside data beyond the limit."""
        present, now = self._present(), self._now()
        if present is None:
            return
        gone = []
        with self._lock:
            for name, visitor in list(self._visitors.items()):
                if name in present:
                    visitor.seen = now
                elif now - visitor.seen > 60 * self._limits.keep_minutes:
                    gone.append((name, visitor))
                    del self._visitors[name]
            staying = list(self._visitors.values())
        for visitor in staying:
            visitor.weigh(wait=False)
        for _, visitor in gone:
            session = visitor.session()
            if session is not None:
                session.leave()
        self._memory.forget({name for name, _ in gone})
        self._owed |= self._put_aside(staying) or bool(gone)
        if now - self._collected >= _EVERY:
            whole, self._owed = self._owed or now - self._collected_whole >= _WHOLE, False
            give_back(whole=whole)
            self._collected = now
            self._collected_whole = now if whole else self._collected_whole

    def _put_aside(self, visitors: Collection[_Visitor], drawn: Session | None = None) -> bool:
        """Put the largest data aside, of equal ones the oldest, until those left fit, or `drawn` are the largest."""
        sessions = ((visitor, visitor.session()) for visitor in visitors)
        weights = [
            (visitor.weight_of(session.data) or 0, -visitor.seen, session is not drawn, session)
            for visitor, session in sessions
            if session is not None and session.data.parts
        ]
        total, most = sum(size for size, *_ in weights), self._limits.data_memory * 2**30 - self._sent()
        done = False
        for size, *_, session in sorted(weights, key=itemgetter(0, 1, 2), reverse=True):
            if total <= most or session is drawn:
                break
            session.put_aside()
            total -= size
            done = True
        return done

    def watch(self) -> None:
        """Sweep now and then for as long as the process lives."""

        def work() -> None:
            while True:
                time.sleep(min(_EVERY, max(1.0, 15 * self._limits.keep_minutes)))
                self._reap()
                self.sweep()

        threading.Thread(target=work, name="visitors", daemon=True).start()

    def _reap(self) -> None:
        """Let Streamlit let go of sessions whose time is over: by itself it does so only when the next one ends."""
        with suppress(AttributeError, RuntimeError):
            instance = runtime.get_instance()
            instance._get_async_objs().eventloop.call_soon_threadsafe(self.reap)

    def reap(self) -> None:
        """Do so in the thread that sessions belong to."""
        with suppress(AttributeError, RuntimeError):
            self._owed |= _shut_down_expired(runtime.get_instance()._session_mgr._session_storage._cache)  # type: ignore[attr-defined]


def present_visitors() -> set[str] | None:
    """Return the ids of the sessions whose tab is open; None where no server runs that could tell."""
    if not runtime.exists():
        return None
    try:
        # Streamlit tells nobody who is here: this is the one place that looks.
        manager = runtime.get_instance()._session_mgr
    except AttributeError:
        return None
    return {info.session.id for info in manager.list_active_sessions()}


def _shut_down_expired(stored: Any) -> bool:
    """Shut down the sessions whose time is over, and return whether there were any.

    By itself Streamlit does so when nobody holds a session any more; but its main loop holds the one that it sent
    something to last, with all its uploads, until it sends something to somebody else.
    """
    expired = stored.expire()
    for _, info in expired:
        info.session.shutdown()
    return bool(expired)
