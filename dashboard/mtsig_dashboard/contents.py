"""What things hold: by what they are told from all others, and how many bytes they take."""

import sys
from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property, singledispatch
from inspect import unwrap
from mmap import mmap
from time import sleep
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType, NoneType
from typing import Any

import numpy as np
import pandas as pd
from plotly.basedatatypes import BaseFigure

from mtsig import Corpus
from mtsig.figures import Picture
from mtsig.inference import Family
from mtsig.metrics import Metric, Statistics
from mtsig.study import Study

_FEW_TEXTS = 100
"""A key holds no more texts than these themselves: it lives as long as a result and is not weighed."""


def key_of(*args: Any, **options: Any) -> Hashable:
    """Return what tells these arguments from any others."""
    return (*map(known_by, args), *((name, known_by(value)) for name, value in sorted(options.items())))


@singledispatch
def known_by(thing: Any) -> Hashable:
    """Return what tells a thing from all others: itself where it is small, else a digest of what it holds.

    What works out a digest of all that it holds, as ratings do, is known by that. Options are frozen dataclasses,
    and known by all of their fields.
    """
    if isinstance(getattr(type(thing), "digest", None), cached_property):
        return type(thing), thing.digest
    if is_dataclass(thing) and getattr(type(thing), "__dataclass_params__").frozen:  # noqa: B009 (no type knows of it)
        return type(thing), *(known_by(getattr(thing, field.name)) for field in fields(thing))
    raise TypeError(f"It is unknown how a {type(thing).__name__} is identified: define this in {__name__}.")


@known_by.register(bool | int | complex | str | bytes | NoneType)
def _plain(thing: Hashable) -> Hashable:
    return type(thing), thing  # 1, 1.0 and True are one key


@known_by.register
def _number(thing: float) -> Hashable:
    return float, float.hex(thing)  # no nan is itself


@known_by.register
def _class(thing: type) -> Hashable:
    return thing


@known_by.register(Metric | Picture)
def _hashable(thing: Hashable) -> Hashable:
    return thing


@known_by.register(list | tuple)
def _sequence(things: Collection[Any]) -> Hashable:
    if len(things) > _FEW_TEXTS and set(map(type, things)) <= {str, NoneType}:
        return type(things), len(things), hash(tuple(things))
    return type(things), *map(known_by, things)


@known_by.register(set | frozenset)
def _set(things: Collection[Any]) -> Hashable:
    return type(things), frozenset(map(known_by, things))


@known_by.register
def _mapping(things: Mapping) -> Hashable:  # type: ignore[type-arg]
    return Mapping, *((known_by(name), known_by(thing)) for name, thing in things.items())


@known_by.register
def _function(thing: FunctionType) -> Hashable:
    # By its name: a page's functions are made anew whenever it is drawn.
    thing = unwrap(thing)
    if thing.__closure__ or not thing.__qualname__.replace(".", "_").isidentifier():
        raise TypeError(f"{thing.__qualname__} cannot be identified by its name alone.")
    return thing.__module__, thing.__qualname__


@known_by.register
def _method(thing: MethodType) -> Hashable:
    return known_by(thing.__func__), known_by(thing.__self__)


@known_by.register
def _corpus(corpus: Corpus) -> Hashable:
    # Of who gave which value, of notes, and of where a part was taken from, the digest says nothing.
    raters = tuple((name, known_by(rating.rater_scores)) for name, rating in corpus.ratings.items())
    return (
        corpus.digest,
        corpus.subset,
        hash(corpus.segments.numbers),
        corpus.notes,
        raters,
        known_by(corpus.system_scores),
    )


@known_by.register
def _statistics(statistics: Statistics) -> Hashable:
    numbers = None if statistics.numbers is None else hash(statistics.numbers.tobytes())
    what = statistics.digest, statistics.metric, statistics.systems, statistics.unit, statistics.signature
    return Statistics, *what, statistics.values.shape, numbers


@known_by.register
def _family(family: Family) -> Hashable:
    # Its comparisons tell what was corrected together.
    return Family, known_by(family.statistics), family.test, family.scheme, family.records


@known_by.register
def _study(study: Study) -> Hashable:
    return type(study), study.text()


_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, np.dtype)
"""What results point to and never own."""


_MANY_TEXTS = 100_000
"""Of longer texts nobody looks which lines another text has, too: that would take as much memory as the lines."""

_NUMBERS, _NUMBER = (int, float), 28
_WEIGHED = (*_NUMBERS, str, bool, NoneType)
"""What is weighed together with the list that it is in, and the bytes of a number."""

_AT_ONCE = 4096
"""Lines that are weighed while nobody else has a turn."""


def weight(result: Any) -> int:
    """Return the bytes that a result holds, everything that two parts of it share counted once.

    That is every array, with the whole buffer that a view keeps alive or a file is mapped to, frames, pictures, text,
    and what objects compute when they are first asked for it. What two results share counts in each of them.
    """
    return weighed(result)[0]


def weighed(result: Any) -> tuple[int, tuple[tuple[Mapping[Any, Any], int], ...]]:
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
                total += sys.getsizeof(thing)
                for start in range(0, len(thing), _AT_ONCE):
                    total += sum(map(sys.getsizeof, thing[start : start + _AT_ONCE]))
                    sleep(0)  # whoever waits for a turn has it
                continue
            # Texts of corpora, by the ten thousand: together, as one by one they take a tenth of a second.
            texts = {id(text): text for text in thing if type(text) is str and id(text) not in seen}
            seen |= texts
            total += sum(map(sys.getsizeof, texts.values()))
            if len(texts) > _AT_ONCE:
                sleep(0)
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
        parts = [part for part in thing if type(part) not in _WEIGHED]
        return own + _NUMBER * sum(type(part) in _NUMBERS for part in thing), parts
    if isinstance(thing, set | frozenset | deque):
        return own, tuple(thing)
    return own, (vars(thing),) if hasattr(thing, "__dict__") else ()
