"""Long work as a generator of steps: the caller shows how far it is and may stop; the result comes at the end."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator[float, None, T]
"""Yields the share done, in (0, 1]; returns the result."""


def finish(steps: Steps[T], show: Callable[[float], object] | None = None) -> T:
    """Run `steps` to the end and return the result; `show` is called with each share done, and may raise to stop."""
    # Closed at once when the caller stops: a child process must not live until somebody collects the garbage.
    with closing(steps):
        while True:
            try:
                share = next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            if show is not None:
                show(share)


Watcher: TypeAlias = Callable[[float], object]
"""Called with the share done of the pass under way; a whole analysis may take several passes."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(show: Watcher) -> Iterator[None]:
    """Let `show` see how far the kernel's passes are, for as long as the context lasts; it may raise to stop them.

    >>> import mtsig
    >>> shares = []
    >>> with mtsig.watching(shares.append):
    ...     _ = mtsig.compare({"A": [1, 2] * 30, "B": [2, 2] * 30}, name="comet")
    >>> shares[-1]
    1.0
    """
    token = _watcher.set(show)
    try:
        yield
    finally:
        _watcher.reset(token)


def report(share: float) -> None:
    """Tell whoever is watching how far this pass is."""
    show = _watcher.get()
    if show is not None:
        show(share)
