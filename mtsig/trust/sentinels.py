"""Sentinels: what sees nothing of a translation but its length, or its source, judged as metrics are.

A metric that is not better than they are gives no evidence that it sees more (Perrella et al. 2024;
docs/statistics/trust.md, section 5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Corpus, capital_first
from mtsig.errors import find
from mtsig.inference import Settings
from mtsig.metrics import SegmentMean, Statistics, as_values
from mtsig.records import Number, Record, about
from mtsig.resampling import Purpose, Words
from mtsig.trust.groups import By, OfGroups
from mtsig.trust.intervals import Over, redrawn
from mtsig.trust.judged import Judged, Scored
from mtsig.trust.redraws import percentiles
from mtsig.trust.soft import in_units
from mtsig.trust.statistic import Statistic
from mtsig.trust.table import STATISTICS

OUTPUT, SOURCE, RANDOM = "length of the output", "length of the source", "a random score"


@dataclass(frozen=True)
class Sentinel(SegmentMean):
    """The mean of numbers that know nothing of translation quality."""

    name: str = RANDOM
    needs_references = False


@dataclass(frozen=True)
class Guarded(Record):
    """A metric beside one sentinel, by one statistic."""

    metric: Annotated[str, about("The metric.")]
    statistic: Annotated[str, about("The statistic, by its name in the program.")]
    sentinel: Annotated[str, about("What sees no more than a length, chance, or how hard a segment is.")]
    value: Annotated[Number, about("The metric's value.")]
    sentinel_value: Annotated[Number, about("The sentinel's, with the sign that serves it best.")]
    difference: Annotated[Number, about("Metric less sentinel.")]
    low: Annotated[Number, about("Lower end of its percentile interval, from redraws that both share.")]
    high: Annotated[Number, about("Its upper end.")]

    @property
    def sentence(self) -> str:
        """What follows where the metric is not shown to be better; empty where it is."""
        if self.low > 0:
            return ""
        label = STATISTICS[self.statistic].label if self.statistic in STATISTICS else self.statistic
        return f"{capital_first(label)}: no evidence that {self.metric} sees more than {self.sees_no_more_than}."

    @property
    def sees_no_more_than(self) -> str:
        """What the sentinel sees, in a word."""
        return {OUTPUT: "length", SOURCE: "the source's length", RANDOM: "chance"}.get(self.sentinel, "difficulty")


class Texts(TypedDict):
    """What lengths are taken of: the systems' lines, and those of the source; None where they are not known."""

    outputs: Mapping[str, Sequence[str]] | None
    sources: Sequence[str] | None


def texts_of(judged: Judged, corpus: Corpus) -> Texts:
    """Return the lines of each judged system's first run, and those of the source, as `sentinels` takes them.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, texts_of
    >>> esa = mtsig.Rating(np.array([[90.0, 80], [30, 70]]), higher_is_better=True)
    >>> corpus = mtsig.Corpus.of({"A": ["yes", "no"], "B": ["no", "no"]}, {"ref": ["yes", "no"]}, ratings={"esa": esa})
    >>> texts_of(Judged.of(corpus, "rating:esa", ["chrf"]), corpus)
    {'outputs': {'A': ('yes', 'no'), 'B': ('no', 'no')}, 'sources': None}
    """
    runs = {name: corpus.systems[name] for name in judged.systems}
    outputs = {name: corpus.outputs[own[0]] for name, own in runs.items()} if all(runs.values()) else None
    return {"outputs": outputs, "sources": corpus.segments.sources}


def sentinels(
    judged: Judged,
    statistics: Sequence[str | Statistic],
    *,
    outputs: Mapping[str, Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    by: By = "item",
    over: Over = "both",
    settings: Settings | None = None,
) -> tuple[Guarded, ...]:
    """Return every metric beside every sentinel: lengths, a random score, and the metric's own mean of each segment.

    The source's length and a metric's mean of a segment are the same for all systems: they stand beside statistics by
    none and by system alone, which the difficulty of segments can raise. A length counts with the sign that serves it
    best on these data.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, sentinels
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> sorted({(row.metric, row.sentinel) for row in sentinels(judged, ["spa"])})[:1]
    [('far', 'a random score')]

    Args:
        judged: what people and metrics say.
        statistics: names in STATISTICS, or statistics themselves.
        outputs: system -> its lines, all of the corpus; None: no such sentinel.
        sources: the source's lines; None: no such sentinel.
        by: what scores of segments are compared within.
        over: what is redrawn for the intervals.
        settings: level, draws, seed and unit.
    """
    settings = Settings() if settings is None else settings
    random = Words(settings.seed, 0, Purpose.EXCHANGED_CELLS).halves(*judged.mask.shape)
    scores: dict[str, Floats] = {RANDOM: random.astype(np.float64) / 2**32}
    if outputs is not None:
        scores[OUTPUT] = np.array([[len(outputs[name][at]) for at in judged.numbers] for name in judged.systems]) * 1.0
    of_segments: dict[str, Floats] = {}
    if sources is not None:
        of_segments[SOURCE] = np.broadcast_to([float(len(sources[at])) for at in judged.numbers], judged.mask.shape)
    means = {}
    for metric in judged.metrics:
        if metric.cells is not None:
            counts = np.maximum(judged.mask.sum(axis=0), 1)
            mean = np.nansum(metric.cells, axis=0) / counts
            means[metric.name] = f"{metric.name}'s mean of the segment"
            of_segments[means[metric.name]] = np.broadcast_to(mean, judged.mask.shape)
    sentinels = []
    for asked in statistics:
        statistic = in_units(find(STATISTICS, asked, "statistic"), settings.unit)
        statistic = replace(statistic, by=by) if isinstance(statistic, OfGroups) else statistic
        if all(statistic.refused(judged, name) for name in judged.names):
            continue
        among = isinstance(statistic, OfGroups) and statistic.by != "item"
        beside = scores | (of_segments if among else {})
        guards = [_best_sign(judged, statistic, name, numbers) for name, numbers in beside.items()]
        with_guards = replace(judged, metrics=(*judged.metrics, *guards), known={})
        drawn = redrawn(with_guards, [statistic], over, draws=settings.draws, seed=settings.seed, unit=settings.unit)
        values = {name: statistic.value(with_guards, name) for _, name in drawn.values}
        for name in judged.names:
            if name not in values:
                continue
            for guard in guards:
                if guard.name in means.values() and guard.name != means.get(name):
                    continue
                if np.isnan(drawn.values[statistic.name, name]).all():
                    continue
                apart = drawn.values[statistic.name, name] - drawn.values[statistic.name, guard.name]
                difference = values[name] - values[guard.name]
                low, high, _ = percentiles(apart, settings.level, difference)
                sentinels.append(
                    Guarded(name, statistic.name, guard.name, values[name], values[guard.name], difference, low, high)
                )
    return tuple(sentinels)


def _best_sign(judged: Judged, statistic: Statistic, name: str, scores: Floats) -> Scored:
    both = [_scored(judged, name, sign * scores) for sign in (1.0, -1.0)]
    values = [statistic.value(replace(judged, metrics=(scored,), known={}), name) for scored in both]
    return both[int(np.nanargmax(values))] if not np.isnan(values).all() else both[0]


def _scored(judged: Judged, name: str, scores: Floats) -> Scored:
    values = as_values(np.stack([np.where(judged.mask, scores, 0.0), judged.mask.astype(np.float64)]))
    statistics = Statistics(Sentinel(name), judged.systems, values, digest=judged.digest, available=judged.mask)
    return Scored(name, statistics, values, np.where(judged.mask, scores, np.nan))
