"""One thin function per verb, each remembering its results; the only file with a cache.

Results are frozen, so visitors share them. The memory is bounded by bytes: other people share the process.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from time import monotonic
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from mtsig import (
    Ablation,
    Corpus,
    Family,
    Intervals,
    Metric,
    Settings,
    SizeCurves,
    Statistics,
    ablate,
    measure,
)

T = TypeVar("T")

MOST_BYTES = 512 * 2**20
"""Bytes of results kept in the process, least recently used ones going first."""

_QUIET_SECONDS = 0.4
"""Work shorter than this shows no progress bar."""


class Memory:
    """Results by key, bounded by the bytes of their arrays."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get(self, key: Hashable) -> Any | None:
        """Return the result, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: Hashable, result: Any) -> None:
        """Keep the result, and drop the oldest ones that no longer fit."""
        with self._lock:
            self._kept[key] = (result, weight(result))
            while len(self._kept) > 1 and sum(size for _, size in self._kept.values()) > self._most:
                self._kept.popitem(last=False)


def weight(result: Any) -> int:
    """Return the bytes of the arrays that a result holds."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if is_dataclass(result):
        return 1000 + sum(weight(getattr(result, one.name)) for one in fields(result))
    return 0


@st.cache_resource
def _memory() -> Memory:
    return Memory(MOST_BYTES)


def _remembered(key: Hashable, work: Callable[[], T]) -> T:
    memory = _memory()
    found: T | None = memory.get(key)
    if found is None:
        found = work()
        memory.put(key, found)
    return found


def _with_bar(text: str, work: Callable[[Callable[[float], object]], T]) -> T:
    """Run work that reports the share done; a bar appears when it takes a while. Any change of a setting stops it."""
    place, began = st.empty(), monotonic()

    def show(share: float) -> None:
        if monotonic() - began > _QUIET_SECONDS:
            place.progress(min(1.0, share), text=text)

    result = work(show)
    place.empty()
    return result


def measured(corpus: Corpus, metric: Metric) -> Statistics:
    """Return the statistics of a metric, counted once per data and metric."""
    text = f"Counting {metric.name} …"
    key = ("measure", corpus.digest, metric)
    return _remembered(key, lambda: _with_bar(text, lambda show: measure(corpus, metric, show)))


def intervals(statistics: Statistics, settings: Settings) -> Intervals:
    """Return every system's interval."""
    key = ("intervals", statistics.digest, statistics.metric, settings)
    return _remembered(key, lambda: settings.intervals(statistics))


def family(statistics: Statistics, settings: Settings) -> Family:
    """Return all pairs, corrected."""
    key = ("family", statistics.digest, statistics.metric, settings)
    return _remembered(key, lambda: settings.family(statistics))


def pair(statistics: Statistics, settings: Settings, first: str, second: str) -> Family:
    """Return the comparison of one pair by itself."""
    key = ("pair", statistics.digest, statistics.metric, settings, first, second)
    return _remembered(key, lambda: settings.family(statistics, [(first, second)]))


def resampled(found: Family, i: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the bootstrap differences of one comparison."""
    statistics = found.statistics
    key = ("draws", statistics.digest, statistics.metric, statistics.unit, found.plan, found.first[i], found.second[i])
    return _remembered(key, lambda: found.resampled(i))


def curves(statistics: Statistics, plan: Ablation, pair: tuple[str, str] | None) -> SizeCurves:
    """Return scores, or a difference, by test-set size."""
    key = ("ablate", statistics.digest, statistics.metric, plan, pair)
    text = f"{plan.repeats} subsets of each size …"
    return _remembered(key, lambda: _with_bar(text, lambda show: ablate(statistics, plan, pair, show)))
