"""What the process holds once for all visitors: results by what they were computed from, the workers, and who is here.

The only file with a cache. A result is known by the verb and its arguments, never computed twice at the same time, and
bounded by the bytes it holds: other people share the process. Results are frozen, so visitors share them.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from time import monotonic
from typing import Any, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mtsig import InvalidOption, MtsigError, NotApplicable
from mtsig.cli._dashboard import VisitorLimits, memory
from mtsig_dashboard.contents import key_of, weighed
from mtsig_dashboard.host import Here, serving
from mtsig_dashboard.session import Session

T = TypeVar("T")
P = ParamSpec("P")

_PATIENCE = 0.2
"""Seconds after which a visitor who waits is asked again whether to go on."""


class _Work:
    """A result that somebody is computing: `done` is set when it is there, or when it never will be."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.results: list[Any] = []


@dataclass(frozen=True)
class _Kept:
    """A result with its weight, how long every dictionary in it was when it was weighed, and who has asked for it."""

    result: Any
    size: int
    lengths: tuple[tuple[Mapping[Any, Any], int], ...]
    visitors: set[str]

    @property
    def grown(self) -> bool:
        """Whether it holds more than when it was weighed: columns, influences … come when they are first asked for."""
        return any(len(dictionary) != length for dictionary, length in self.lengths)


class _Key:
    """What a result is known by, with its hash worked out once: a key may hold every comparison of many systems."""

    __slots__ = ("_hash", "of")

    def __init__(self, of: Hashable) -> None:
        self.of = of
        self._hash = hash(of)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.of == other.of


class Memory:
    """Results by key, the least recently used ones going first.

    Whoever asks for a key that is being computed waits for it. Work that fails, or is stopped by its visitor, leaves
    nothing behind: those who waited compute themselves.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._size = 0
        self._kept: OrderedDict[_Key, _Kept] = OrderedDict()
        self._works: dict[_Key, _Work] = {}

    def __len__(self) -> int:
        """Return the number of results kept."""
        return len(self._kept)

    @property
    def size(self) -> int:
        """The bytes of all results together, each as it was when it was last asked for."""
        return self._size

    def get(self, of: Hashable, visitor: str = "") -> Any | None:
        """Return the result, or None."""
        key = _Key(of)
        with self._lock:
            kept = self._kept.get(key)
        return None if kept is None else self._touched(key, kept, visitor)

    def forget(self, visitors: Collection[str]) -> None:
        """Let go of what nobody but these visitors has asked for."""
        with self._lock:
            for key, kept in list(self._kept.items()):
                if kept.visitors & set(visitors):
                    kept.visitors.difference_update(visitors)
                    if not kept.visitors:
                        self._drop(key)

    def remembered(self, of: Hashable, work: Callable[[], T], waiting: Callable[[], object], visitor: str = "") -> T:
        """Return the result, computed by `work` where it is not there.

        waiting: called now and then while somebody else computes it; what it raises ends the waiting.
        visitor: who asks.
        """
        key = _Key(of)
        while True:
            with self._lock:
                kept, under_way = self._kept.get(key), self._works.get(key)
                if kept is None and under_way is None:
                    mine = self._works[key] = _Work()
                    break
            if kept is not None:
                result: T = self._touched(key, kept, visitor)
                return result
            while under_way is not None and not under_way.done.wait(_PATIENCE):
                waiting()
            for result in under_way.results if under_way is not None else ():
                # Not from what is kept: it may be too heavy for that. Where it is, who waited has asked for it, too.
                self.get(of, visitor)
                return result
        try:
            made = work()
            self._keep(key, made, {visitor})
            mine.results.append(made)
            return made
        finally:
            # Also when the visitor stops: Streamlit raises that out of the work's own progress bar.
            with self._lock:
                del self._works[key]
            mine.done.set()

    def _touched(self, key: _Key, kept: _Kept, visitor: str) -> Any:
        """Return a result that is kept, as the newest one."""
        with self._lock:
            kept.visitors.add(visitor)
        if kept.grown:
            self._keep(key, kept.result, kept.visitors)
        else:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
        return kept.result

    def _drop(self, key: _Key) -> None:
        """Let a result go, where it is there; the lock is held."""
        kept = self._kept.pop(key, None)
        self._size -= 0 if kept is None else kept.size

    def _keep(self, key: _Key, result: Any, visitors: set[str]) -> None:
        """Keep the result as the newest, and drop the oldest ones that no longer fit; one that never fits, at once."""
        size, lengths = weighed(result)
        with self._lock:
            self._drop(key)
            if size <= self._most:
                self._kept[key] = _Kept(result, size, lengths, visitors)
                self._size += size
            while self._size > self._most:
                self._drop(next(iter(self._kept)))


MOST_BYTES = min(512 * 2**20, memory() // 8)
"""Bytes of results kept in the process, least recently used ones going first."""

_QUIET_SECONDS = 0.4
"""Work shorter than this shows no progress bar."""

_BEAT = 0.25
"""Seconds between two pictures of a bar: inner loops report by the thousand, and each takes the server's time."""

_WAITING = "Another visitor is computing the same; the result will appear here."


_making = threading.RLock()


def _once(make: Callable[[], T]) -> Callable[[], T]:
    """Make a function return what its first call made.

    `st.cache_resource` forgets it at a message that every visitor may send, and the server would start new processes.
    """
    made: list[T] = []

    @wraps(make)
    def get() -> T:
        with _making:
            if not made:
                made.append(make())
            return made[0]

    return get


@_once
def workers() -> Any:
    """Return the processes that work for everybody; for one person, this one."""
    wing = serving()
    return Here() if wing is None else wing.Workers(VisitorLimits.from_environment())


@_once
def _memory() -> Memory:
    return Memory(MOST_BYTES)


@_once
def _visitors() -> Any | None:
    wing = serving()
    if wing is None:
        return None
    visitors = wing.Visitors(_memory(), VisitorLimits.from_environment(), wing.present_visitors)
    visitors.watch()
    return visitors


def visitor() -> str:
    """Return the id of the visitor whose page is being drawn; "" outside of a page."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def came(visit: Session) -> None:
    """Take down that a visitor is here: what he holds leaves memory some time after his tab is gone."""
    visitors = _visitors()
    if visitors is not None:
        visitors.came(visitor(), visit)


def remembered(key: Hashable, work: Callable[[], T]) -> T:
    """Return the result of `work`; while another visitor has it computed, wait. Any change of a setting stops it.

    The place of what is said meanwhile is there also when the result is at hand: were it not, all that stands below
    would come to stand elsewhere in the next run, and Streamlit draw it anew.
    """
    place, began, told = st.empty(), monotonic(), False

    def waiting() -> None:
        nonlocal told
        if monotonic() - began > _QUIET_SECONDS:
            place.info(_WAITING)
            told = True

    with place:
        result = _memory().remembered(key, work, waiting, visitor())
    if told:
        place.empty()
    return result


def at_once(key: Hashable, work: Callable[[], T]) -> T:
    """Return the result of `work`, which takes no time that anything had to be said in."""
    return _memory().remembered(key, work, lambda: None, visitor())


def recalled(key: Hashable) -> Any | None:
    """Return a result that is remembered; None where there is none."""
    return _memory().get(key, visitor())


@contextmanager
def bar() -> Iterator[Callable[[float, str], None]]:
    """Give what draws a share and a text as a bar, which appears when the work under it takes a while."""
    place, due = st.empty(), monotonic() + _QUIET_SECONDS

    def show(share: float, text: str) -> None:
        nonlocal due
        if monotonic() > due:
            place.progress(min(1.0, share), text=text)
            due = monotonic() + _BEAT

    try:
        yield show
    except MtsigError:
        place.empty()
        raise
    place.empty()


def worked(text: str | Callable[[float], str], work: Callable[..., T], *args: Any, **options: Any) -> T:
    """Have `work(*args, **options)` done by a child process, under a bar.

    The bar starts afresh with every pass. Any change of a setting, and closing the tab, stops the work.

    text: of the bar; or what makes it of the share that is done.
    """
    said: Callable[[float], str] = text if callable(text) else lambda _: text
    with bar() as draw:

        def show(share: float) -> None:
            draw(share, said(share))

        def waits(number: int) -> None:
            draw(0.0, f"{said(0)} Waiting for the work of other visitors: number {number} in the queue")

        result: T = workers().run(partial(work, *args, **options), show=show, waits=waits)
    return result


def asked(text: str, verb: Callable[..., T], /, *args: Any, **options: Any) -> T:
    """Return `verb(*args, **options)`, done by a child process under a bar with this text.

    A refusal is remembered as a result is: it takes as long to find, and says the same of the same data.
    """

    def work() -> T | _Refusal:
        try:
            return worked(text, verb, *args, **options)
        except (InvalidOption, NotApplicable) as error:
            return _Refusal(type(error), str(error))

    result = remembered(key_of(verb, *args, **options), work)
    if isinstance(result, _Refusal):
        raise result.kind(result.text)
    return result


def asked_here(verb: Callable[..., T], /, *args: Any, **options: Any) -> T:
    """Return the same, done by this process; the verb may ask others."""
    return remembered(key_of(verb, *args, **options), lambda: verb(*args, **options))


def kept(verb: Callable[P, T]) -> Callable[P, T]:
    """Let whoever calls a verb ask for it: what it returns is remembered by its arguments."""

    @wraps(verb)
    def ask(*args: P.args, **options: P.kwargs) -> T:
        return asked_here(verb, *args, **options)

    return ask


def asked_at_once(verb: Callable[..., T], /, *args: Any, **options: Any) -> T:
    """Return the same, of a verb that takes no time that anything had to be said in."""
    return at_once(key_of(verb, *args, **options), lambda: verb(*args, **options))


def answered(verb: Callable[..., T], /, *args: Any, **options: Any) -> T | None:
    """Return what a verb has answered before; None where it was never asked, or refused."""
    result: T | _Refusal | None = recalled(key_of(verb, *args, **options))
    return None if isinstance(result, _Refusal) else result


@dataclass(frozen=True)
class _Refusal:
    """Why there is no result; not the error itself, which holds on to all that was at work when it was raised."""

    kind: type[InvalidOption | NotApplicable]
    text: str
