"""Jobs: independent pieces of work go in, their results come out in order, here or wherever an executor runs them.

An executor is anything with the interface of `concurrent.futures.Executor`: a process pool, Dask, Ray, MPI. What a job
computes depends on the job alone, never on where or beside what it runs, so every executor gives the same digits.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TypeVar

from mtsig.progress import each, unwatched

J = TypeVar("J")
T = TypeVar("T")


def done_in_order(work: Callable[[J], T], jobs: Sequence[J], executor: Executor | None = None) -> list[T]:
    """Do the jobs and return their results in order of the jobs, each an equal part of the progress.

    `work` and the jobs must be picklable when an executor runs them elsewhere. A watcher who stops early cancels what
    has not begun.
    """
    if executor is None:
        return [work(job) for job in each(jobs)]
    futures = [executor.submit(unwatched, work, job) for job in jobs]
    try:
        return [future.result() for future in each(futures)]
    finally:
        for future in futures:
            future.cancel()


def batches(count: int, size: int) -> list[range]:
    """Return the numbers 0…count − 1 in runs of `size`: jobs whose bounds depend on nothing else."""
    return [range(start, min(count, start + size)) for start in range(0, count, size)]
