"""Long work as a generator of steps: the caller shows how far it is and may stop; the result comes at the end."""

from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator[float, None, T]
"""Yields the share done, in (0, 1]; returns the result."""


def finish(steps: Steps[T], show: Callable[[float], object] | None = None) -> T:
    """Run `steps` to the end and return the result; `show` is called with each share done."""
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        if show is not None:
            show(share)
