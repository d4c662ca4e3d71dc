"""Jobs: independent pieces of work go in, their results come out in order, here or wherever an executor runs them.

An executor is anything with the interface of `concurrent.futures.Executor`: a process pool, Dask, Ray, MPI. What a job
computes depends on the job alone, never on where or beside what it runs, so every executor gives the same digits.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TypeVar

from mtsig.steps import Steps

J = TypeVar("J")
T = TypeVar("T")


def done_in_order(
    work: Callable[[J], T], jobs: Sequence[J], executor: Executor | None = None, start: float = 0.0, stop: float = 1.0
) -> Steps[list[T]]:
    """Do the jobs in steps: yields the share done, from `start` up to `stop`; returns the results in order of the jobs.

    `work` and the jobs must be picklable when an executor runs them elsewhere. A caller who stops early cancels what
    has not begun.
    """
    found: list[T] = []
    futures = None if executor is None else [executor.submit(work, job) for job in jobs]
    try:
        for number, job in enumerate(jobs, 1):
            found.append(work(job) if futures is None else futures[number - 1].result())
            yield start + (stop - start) * number / len(jobs)
    finally:
        for future in futures or ():
            future.cancel()
    return found


def batches(count: int, size: int) -> list[range]:
    """Return the numbers 0…count − 1 in runs of `size`: jobs whose bounds depend on nothing else."""
    return [range(start, min(count, start + size)) for start in range(0, count, size)]
