"""Jobs: independent pieces of work go in, their results come out in order, here or wherever an executor runs them.

An executor is anything with the interface of `concurrent.futures.Executor`: a process pool, Dask, Ray, MPI. What a job
computes depends on the job alone, never on where or beside what it runs, so every executor gives the same digits.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from typing import TypeVar

from mtsig.progress import each, unwatched

J = TypeVar("J")
T = TypeVar("T")

AHEAD = 32
"""Jobs that wait in an executor at a time, where results are taken one by one."""


def done_in_order(work: Callable[[J], T], jobs: Sequence[J], executor: Executor | None = None) -> list[T]:
    """Do the jobs and return their results in order of the jobs, each an equal part of the progress.

    `work` and the jobs must be picklable when an executor runs them elsewhere. A watcher who stops early cancels what
    has not begun.
    """
    return list(one_by_one(work, jobs, executor, len(jobs)))


def one_by_one(
    work: Callable[[J], T], jobs: Sequence[J], executor: Executor | None = None, ahead: int = AHEAD
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
