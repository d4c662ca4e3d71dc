"""Memory: what a function gave for its arguments, given again while the process lives; on disk see `mtsig._cache`.

And what holds for as long as a context lasts.
"""

import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")

_LOCKS: dict[Hashable, Any] = {}
"""One for each result that is being worked out."""

if hasattr(os, "register_at_fork"):
    # In a process that was forked nobody goes on with what other threads had begun.
    os.register_at_fork(after_in_child=_LOCKS.clear)


def remembered(
    most: int = 2**12, by: Callable[..., Hashable] | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep what a function returns by its arguments, `most` results at a time, of which the oldest go first.

    by: what results are known by, made of the arguments, where these themselves do not say it.

    Whoever asks for a result that another thread is working out waits for it, and for no other. What raises is not
    kept. The results are in the function's `kept`, a dict that may be cleared.
    """

    def keeping(function: Callable[P, R]) -> Callable[P, R]:
        kept: dict[Hashable, R] = {}

        @wraps(function)
        def asked(*args: P.args, **named: P.kwargs) -> R:
            key = by(*args, **named) if by else (*args, *sorted(named.items())) if named else args
            try:
                return kept[key]
            except KeyError:
                pass
            place = (function, key)
            with _LOCKS.setdefault(place, RLock()):
                try:
                    if key not in kept:
                        result = function(*args, **named)
                        if len(kept) >= most:
                            for old in list(kept)[: most // 8 + 1]:
                                kept.pop(old, None)
                        kept[key] = result
                        return result
                    return kept[key]
                finally:
                    _LOCKS.pop(place, None)

        vars(asked)["kept"] = kept
        return asked

    return keeping


@contextmanager
def held(variable: ContextVar[V], value: V) -> Iterator[None]:
    """Let a variable have a value for as long as the context lasts."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
