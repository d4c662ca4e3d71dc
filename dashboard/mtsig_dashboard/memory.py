"""Results by what they were computed from: never computed twice at the same time, bounded by the bytes they hold."""

import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from mmap import mmap
from types import BuiltinFunctionType, FunctionType, MappingProxyType, ModuleType, NoneType
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from plotly.basedatatypes import BaseFigure

T = TypeVar("T")

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
        size, lengths = _weighed(result)
        with self._lock:
            self._drop(key)
            if size <= self._most:
                self._kept[key] = _Kept(result, size, lengths, visitors)
                self._size += size
            while self._size > self._most:
                self._drop(next(iter(self._kept)))


_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, np.dtype)
"""What results point to and never own."""


_MANY_TEXTS = 100_000
"""Of longer texts nobody looks which lines another text has, too: that would take as much memory as the lines."""

_AT_ONCE = 4096
"""Lines that are weighed while nobody else has a turn."""


def weight(result: Any) -> int:
    """Return the bytes that a result holds, everything that two parts of it share counted once.

    That is every array, with the whole buffer that a view keeps alive or a file is mapped to, frames, pictures, text,
    and what objects compute when they are first asked for it. What two results share counts in each of them.
    """
    return _weighed(result)[0]


def _weighed(result: Any) -> tuple[int, tuple[tuple[Mapping[Any, Any], int], ...]]:
    """Return the bytes that a result holds, and the dictionaries in it with their lengths."""
    # The things themselves stand in it, so that none gives its identity to another while this runs.
    seen: dict[int, Any] = {}
    lengths: list[tuple[Mapping[Any, Any], int]] = []
    left: deque[Any] = deque([result])
    total = 0
    while left:
        thing = left.pop()
        if id(thing) in seen or isinstance(thing, _SHARED):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, dict):
            lengths.append((thing, len(thing)))
        if isinstance(thing, list | tuple):
            if len(thing) > _MANY_TEXTS and set(map(type, thing)) <= {str, NoneType}:
                pieces = (thing[start : start + _AT_ONCE] for start in range(0, len(thing), _AT_ONCE))
                total += sys.getsizeof(thing) + sum(sum(map(sys.getsizeof, piece)) for piece in pieces)
                continue
            # Texts of corpora, by the ten thousand: together, as one by one they take a tenth of a second.
            texts = {id(text): text for text in thing if type(text) is str and id(text) not in seen}
            seen |= texts
            total += sum(map(sys.getsizeof, texts.values()))
        own, parts = _held(thing)
        total += own
        left.extend(parts)
    return total, tuple(lengths)


def _held(thing: Any) -> tuple[int, Iterable[Any]]:
    """Return the bytes of a thing itself, and the things that it holds."""
    own = sys.getsizeof(thing)
    if isinstance(thing, str | bytes | bytearray | int | float | complex | None):
        return own, ()
    if isinstance(thing, np.ndarray):
        # Of a view the array that it looks at: that lives as long as the view.
        return own, (thing.base,) if thing.base is not None else thing.tolist() if thing.dtype.hasobject else ()
    if isinstance(thing, memoryview):
        return own, (thing.obj,)
    if isinstance(thing, mmap):
        return len(thing), ()
    if isinstance(thing, pd.DataFrame | pd.Series | pd.Index):
        return int(np.sum(thing.memory_usage(deep=True))), ()
    if isinstance(thing, BaseFigure):
        return own + weight(thing.to_dict()), ()
    # Not collections.abc.Mapping and Set, which note every class that is none of them, once for each of their own.
    if isinstance(thing, dict | MappingProxyType):
        # Copies: another visitor may be asking a result for something that it computes only now.
        return own, (*list(thing.keys()), *list(thing.values()))
    if isinstance(thing, list | tuple):
        return own, [part for part in thing if type(part) is not str]
    if isinstance(thing, set | frozenset | deque):
        return own, tuple(thing)
    return own, (vars(thing),) if hasattr(thing, "__dict__") else ()
