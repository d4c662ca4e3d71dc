"""Progress: work tells how far it is, whoever watches sees it and may stop it by raising; nobody has to watch."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeAlias, TypeVar

from mtsig.errors import InvalidOption, kind_of

T = TypeVar("T")
P = ParamSpec("P")

Watcher: TypeAlias = Callable[[float], object]
"""Called with the share done, up to 1, of the pass under way; a whole analysis may take several passes."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(show: Watcher | None) -> Iterator[None]:
    """Let `show` see how far work is, for as long as the context lasts; it may raise to stop it. None sees nothing.

    >>> import mtsig
    >>> shares = []
    >>> with mtsig.watching(shares.append):
    ...     _ = mtsig.compare({"A": [1, 2] * 30, "B": [2, 2] * 30}, name="comet")
    >>> shares[-1]
    1.0

    Raises:
        InvalidOption: `show` is no function.
    """
    if show is not None and not callable(show):
        raise InvalidOption(f"Give a function that takes the share done, or None; found {kind_of(show)}.")
    token = _watcher.set(show)
    try:
        yield
    finally:
        _watcher.reset(token)


def report(share: float) -> None:
    """Tell whoever is watching which share of the present part is done."""
    show = _watcher.get()
    if show is not None:
        show(share)


@contextmanager
def part(start: float, stop: float) -> Iterator[None]:
    """Take what is reported inside for the shares from `start` to `stop` of the enclosing part.

    Shares never fall within a part, however many passes it takes, and where it ends without an error it is done.
    """
    show = _watcher.get()
    if show is None:
        yield
        return
    reached = start

    def mapped(share: float) -> None:
        nonlocal reached
        reached = min(stop, max(reached, start + (stop - start) * share))
        show(reached)

    with watching(mapped):
        yield
    if reached < stop:
        show(stop)


def each(items: Iterable[T], total: int | None = None) -> Iterator[T]:
    """Yield the items, work on each being an equal part; `total` says how many there are where len() does not."""
    if total is None:
        items = list(items)
        total = len(items)
    for number, item in enumerate(items):
        with part(number / total, (number + 1) / total):
            yield item


def unwatched(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `work` returns, run without a watcher: a process that was forked would call its parent's."""
    with watching(None):
        return work(*args, **kwargs)
