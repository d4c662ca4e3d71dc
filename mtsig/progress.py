"""Progress: work tells how far it is, whoever watches sees it and may stop it by raising; nobody has to watch."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, ParamSpec, TypeAlias, TypeVar

from mtsig._memory import held
from mtsig.errors import InvalidOption, kind_of

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

T = TypeVar("T")
P = ParamSpec("P")

Watcher: TypeAlias = Callable[[float], object]
"""Called with the share done, up to 1, of the pass under way; a whole analysis may take several passes."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def watching(show: Watcher | None) -> AbstractContextManager[None]:
    """Watch the progress of long work within a context.

    Parameters
    ----------
    show : callable or None
        Called with the share that is done, from 0 to 1; it may raise to stop the work. None sees nothing.

    Returns
    -------
    context : context manager

    Raises
    ------
    InvalidOption
        `show` is no function.

    Examples
    --------
    >>> import mtsig
    >>> shares = []
    >>> with mtsig.watching(shares.append):
    ...     _ = mtsig.compare({"A": [1, 2] * 30, "B": [2, 2] * 30}, name="comet")
    >>> shares[-1]
    1.0
    """
    if show is not None and not callable(show):
        raise InvalidOption(
            f"Give None, or a function that takes the share of the work done (0 to 1); found {kind_of(show)}."
        )
    return held(_watcher, show)


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


J = TypeVar("J")

AHEAD = 32
"""Jobs that wait in an executor at a time, where results are taken one by one."""


def done_in_order(work: Callable[[J], T], jobs: Sequence[J], executor: "Executor | None" = None) -> list[T]:
    """Do the jobs and return their results in order of the jobs, each an equal part of the progress.

    `work` and the jobs must be picklable when an executor runs them elsewhere. A watcher who stops early cancels what
    has not begun.
    """
    return list(one_by_one(work, jobs, executor, len(jobs)))


def one_by_one(
    work: Callable[[J], T], jobs: Sequence[J], executor: "Executor | None" = None, ahead: int = AHEAD
) -> Iterator[T]:
    """Yield the results in order of the jobs, each an equal part of the progress, as `done_in_order` returns them.

    `jobs` makes each job when it is asked for it, and at most `ahead` of them wait in the executor or for their turn:
    neither jobs nor results have to be in memory all at once.
    """
    if executor is None:
        for number in each(range(len(jobs))):
            yield work(jobs[number])
        return
    waiting: deque[Future[T]] = deque()
    try:
        for number in each(range(len(jobs))):
            for job in range(number + len(waiting), min(len(jobs), number + max(1, ahead))):
                waiting.append(executor.submit(unwatched, work, jobs[job]))
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def batches(count: int, size: int) -> list[range]:
    """Return the numbers 0…count − 1 in runs of `size`: jobs whose bounds depend on nothing else."""
    return [range(start, min(count, start + size)) for start in range(0, count, size)]
