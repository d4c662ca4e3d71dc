"""One thin function per verb, each remembering its results; the only file with a cache.

Results are frozen, so visitors share them. The memory is bounded by bytes: other people share the process.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from time import monotonic
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from mtsig import (
    Corpus,
    Settings,
    ablate,
    audit,
    compare_runs,
    compare_slices,
    examine,
    measure,
    power_analysis,
    ranks,
    read_sample,
    watching,
)
from mtsig.ablation import Ablation, SizeCurves
from mtsig.doctor import Checkup
from mtsig.figures import Picture, Sheet, on_paper
from mtsig.inference import (
    Audit,
    Family,
    Intervals,
    PowerAnalysis,
    Printed,
    Ranks,
    RunComparison,
    SlicedFamily,
    as_sacrebleu,
    rankable,
)
from mtsig.lab import KOEHN_SCORES, NEWS, Experiment, Material, Population, run
from mtsig.metrics import Metric, Statistics
from mtsig.study import AnalysisPlan, Reproduction, Request, Study, conduct, record, reproduce

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
    if isinstance(result, str | bytes):
        return len(result)
    if isinstance(result, Mapping):
        return sum(weight(one) for one in result.values())
    if isinstance(result, list | tuple):
        return sum(weight(one) for one in result)
    if is_dataclass(result):
        return 1000 + sum(weight(getattr(result, one.name)) for one in fields(result))
    if isinstance(result, list | tuple):
        return sum(weight(one) for one in result)
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


def _watched(text: str, work: Callable[[], T]) -> T:
    """Run work of the kernel under a bar that starts afresh with every pass."""

    def run(show: Callable[[float], object]) -> T:
        with watching(show):
            return work()

    return _with_bar(text, run)


def examined(corpus: Corpus) -> Checkup:
    """Return what the alignment doctor finds."""
    key = ("examine", corpus.digest)
    return _remembered(key, lambda: _with_bar("Checking the data …", lambda show: examine(corpus, show=show)))


def measured(corpus: Corpus, metric: Metric) -> Statistics:
    """Return the statistics of a metric, counted once per data and metric."""
    text = f"Counting {metric.name} …"
    key = ("measure", corpus.digest, metric)
    return _remembered(key, lambda: _with_bar(text, lambda show: measure(corpus, metric, show)))


def intervals(statistics: Statistics, settings: Settings) -> Intervals:
    """Return every system's interval."""
    key = ("intervals", statistics.digest, statistics.metric, settings)
    return _remembered(key, lambda: _watched("Redrawing …", lambda: settings.intervals(statistics)))


def family(statistics: Statistics, settings: Settings) -> Family:
    """Return all pairs, corrected."""
    key = ("family", statistics.digest, statistics.metric, settings)
    text = f"Comparing in {statistics.metric.name} …"
    return _remembered(key, lambda: _watched(text, lambda: settings.family(statistics)))


def families(many: Sequence[Statistics], settings: Settings) -> list[Family]:
    """Return all pairs of every metric, corrected as one family."""
    key = ("families", tuple((one.digest, one.metric) for one in many), settings)
    text = "Comparing in all metrics …"
    return _remembered(key, lambda: _watched(text, lambda: settings.families(many, joined=True)))


def sliced(
    corpus: Corpus, statistics: Statistics, settings: Settings, by: str, first: str, second: str
) -> SlicedFamily:
    """Return one pair in every slice of the test set."""
    key = ("sliced", corpus.digest, statistics.metric, settings, by, first, second)
    pair = [(first, second)]
    text = "Comparing in slices …"
    return _remembered(key, lambda: _watched(text, lambda: compare_slices(corpus, statistics, by, settings, pair)))


def audited(statistics: Statistics, settings: Settings, first: str, second: str) -> Audit:
    """Return every test on one pair."""
    key = ("audit", statistics.digest, statistics.metric, settings, first, second)
    return _remembered(key, lambda: _watched("Auditing …", lambda: audit(statistics, first, second, settings)))


def printed(statistics: Statistics, first: str, second: str) -> tuple[Printed, Printed]:
    """Return one pair as sacreBLEU prints it, the second system being the baseline."""
    key = ("sacrebleu", statistics.digest, statistics.metric, first, second)
    return _remembered(key, lambda: as_sacrebleu(statistics, first, second))


def ranked(found: Family) -> Ranks:
    """Return rank sets and clusters of a corrected family."""
    key = (
        "ranks",
        found.statistics.digest,
        found.metric,
        found.statistics.metric,
        found.test,
        found.correction,
        found.level,
        # What is judged together decides the corrected p-values, and so the ranks.
        found.p_adjusted.tobytes(),
    )
    return _remembered(key, lambda: ranks(found))


def power_of_pair(
    statistics: Statistics,
    settings: Settings,
    first: str,
    second: str,
    difference: float,
    margin: float | None,
    comparisons: int,
) -> PowerAnalysis:
    """Return needed size, power and equivalence of one pair."""
    key = (
        "power_analysis",
        statistics.digest,
        statistics.metric,
        settings,
        first,
        second,
        difference,
        margin,
        comparisons,
    )
    options = {"level": settings.level, "comparisons": comparisons, "seed": settings.seed, "unit": settings.unit}
    return _remembered(key, lambda: power_analysis(statistics, first, second, difference, margin, **options))  # type: ignore[arg-type]


def runs(
    statistics: Statistics, settings: Settings, first: str, second: str, mapping: Mapping[str, tuple[str, ...]]
) -> RunComparison:
    """Return the comparison of two systems with several runs each; `mapping` says which are whose."""
    key = ("runs", statistics.digest, statistics.metric, settings, first, second, mapping[first], mapping[second])
    options = {name: getattr(settings, name) for name in ("level", "unit", "draws", "seed")}
    return _remembered(key, lambda: compare_runs(statistics, first, second, mapping, **options))


def resampled(found: Family, i: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the bootstrap differences of one comparison."""
    statistics = found.statistics
    of_pair = (found.scheme, found.first[i], found.second[i])
    key = ("draws", statistics.digest, statistics.metric, statistics.unit, *of_pair)
    return _remembered(key, lambda: found.resampled(i))


def curves(statistics: Statistics, plan: Ablation, pair: tuple[str, str] | None) -> SizeCurves:
    """Return scores, or a difference, by test-set size."""
    key = ("ablate", statistics.digest, statistics.metric, plan, pair)
    text = f"{plan.repeats} subsets of each size …"
    return _remembered(key, lambda: _with_bar(text, lambda show: ablate(statistics, plan, pair, show)))


def study(corpus: Corpus, request: Request) -> Study:
    """Return the study of what the pages show: all pairs, each metric by itself."""

    def work() -> Study:
        many = [measured(corpus, one.on(corpus)) for one in request.metrics]
        families = [family(one, request.settings) for one in many]
        scored = [intervals(one, request.settings) for one in many]
        places = [ranked(one) if rankable(one) else None for one in families]
        return record(corpus, request, scored, families, places)

    return _remembered(("study", corpus.digest, request), work)


def planned_study(corpus: Corpus, plan: AnalysisPlan) -> Study:
    """Return the study that an analysis plan asks for."""

    def work() -> Study:
        many = [measured(corpus, one.on(corpus)) for one in plan.request.metrics]
        return _watched("Following the plan …", lambda: conduct(corpus, plan=plan, statistics=many))

    return _remembered(("planned", corpus.digest, plan), work)


def reproduced(found: Study, corpus: Corpus) -> Reproduction:
    """Return a study made again from the data."""
    key = ("reproduced", corpus.digest, found.text())
    return _remembered(key, lambda: _watched("Making it again …", lambda: reproduce(found, corpus)))


def sheet(picture: Picture, paper: str) -> Sheet:
    """Return a picture as a bitmap at its true size."""
    return _remembered(("sheet", picture, paper), lambda: on_paper(picture, "png", paper))


def experiment(chosen: Experiment[Any], material: Material, wanted: bool) -> Any | None:
    """Return what an experiment finds; None when it has not been run with these choices and is not wanted now."""
    measured_by = tuple((one.digest, one.metric, one.systems) for one in material.statistics)
    corpus = None if material.corpus is None else material.corpus.digest
    key = ("experiment", chosen, measured_by, corpus)
    if not wanted:
        return _memory().get(key)
    return _remembered(key, lambda: _with_bar(f"{chosen.label} …", lambda show: run(chosen, material, show)))


def simulated() -> Population:
    """Return the simulated population: made once for everybody."""
    return _remembered(("simulated",), lambda: NEWS.simulate(KOEHN_SCORES))


def sample_with_references() -> Corpus:
    """Return the sample data with all three references."""
    return _remembered(("sample",), lambda: read_sample(every_reference=True))
