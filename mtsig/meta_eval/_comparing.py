"""Comparisons of metrics with each other, and with sentinels, which see nothing of a translation.

See docs/statistics/meta-eval.md, sections 5 and 6.

Statistics that are means over items go through the program's own tests of systems, metrics playing their part; others
exchange scores between metrics by a named unit. A metric that is not better than the sentinels (lengths, a random
score, the source) gives no evidence that it sees more (Perrella et al. 2024).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, TypedDict

import numpy as np

from mtsig._probability import tolerance
from mtsig._records import Floats, Number, Record, about
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import capital_first, number_of
from mtsig.errors import InvalidOption, NotApplicable, expect, find
from mtsig.inference import Family, Settings, p_number
from mtsig.inference._adjust import adjust
from mtsig.inference._family import Drawn
from mtsig.meta_eval._exchanges import EXCHANGES, Exchange, Hybrids, Items
from mtsig.meta_eval._groups import By, OfGroups
from mtsig.meta_eval._rated_data import RatedData, Scored
from mtsig.meta_eval._statistic import Over, Statistic, percentiles, redrawn
from mtsig.meta_eval._systems import STATISTICS, in_units
from mtsig.metrics import SegmentMean, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.resampling import Bootstrap, Purpose, Swap, Words


@dataclass(frozen=True)
class OfItems(SegmentMean):
    """The mean over segments of how well a metric agrees with people on each; metrics play the part of systems."""

    statistic: Statistic
    needs_references = False
    decimals = 4

    @property
    def name(self) -> str:
        """The statistic's name."""
        return self.statistic.name

    def score(self, totals: np.ndarray) -> Floats:
        """Return the mean; NaN of nothing."""
        return super().score(totals)


@dataclass(frozen=True, eq=False)
class ComparedMetrics(Family):
    """Comparisons of all pairs of metrics.

    others: the same comparisons with systems swapped, if the test swaps items and so applies to these systems only;
    `None` for other tests, or if there are too few systems.
    no_others: the reason why no conclusion on other systems is possible, if items are swapped; otherwise empty.
    """

    others: Family | None = None
    no_others: str = ""

    @property
    def other_systems(self) -> str:
        """The conclusion on other systems, in a sentence; may be empty."""
        if self.others is None:
            return ""
        p = self.others.p_adjusted
        held = np.count_nonzero(p <= self.alpha + 1e-12)
        smallest = f"smallest corrected p {p_number(float(np.nanmin(p)))}" if (p == p).any() else "none has a p"
        return (
            f"If systems are swapped instead, {held} of {number_of(len(self), 'difference')} would remain "
            f"({smallest}); {self.others.test.anticonservative_reason}."
        )


def _of_metrics(
    family: Family, notes: Sequence[Note], others: Family | None = None, no_others: str = ""
) -> ComparedMetrics:
    held = {field.name: getattr(family, field.name) for field in fields(Family)}
    compared_metrics = ComparedMetrics(**held, others=others, no_others=no_others)
    said = tuple(Note("note", text) for text in (no_others, compared_metrics.other_systems) if text)
    return replace(compared_metrics, notes=(*notes, *family.notes, *said))


def compare_metrics(
    rated: RatedData,
    statistic: str | Statistic = "spa",
    unit: str | Exchange = "item",
    settings: Settings | None = None,
    *,
    metrics: Sequence[str] | None = None,
) -> ComparedMetrics:
    """Test all pairs of metrics, with corrected p-values.

    A positive difference favours the first metric. If the test swaps items, a test that swaps systems is added.

    Parameters
    ----------
    rated
        Human ratings and metric scores of the same systems.
    statistic
        A name in `STATISTICS`, or a `Statistic` object.
    unit
        The unit that is swapped as a whole: a name in `EXCHANGES`, or an `Exchange` object. "item" generalises to other
        segments; "systems" to other systems, but exceeds its nominal error rate (docs/meta-eval.md).
    settings
        The test, correction, level, number of resamples, seed and unit. Documents are swapped whole if they are the
        unit.
    metrics
        The metrics to compare; `None` compares all metrics.

    Raises
    ------
    NotApplicable
        There are fewer than two metrics, too few systems to swap, or no segment-level scores.
    InvalidOption
        The statistic cannot be tested with this unit.

    Examples
    --------
    >>> from mtsig.meta_eval import compare_metrics
    >>> compared = compare_metrics(rated, "spa", settings=mtsig.Settings(n_resamples=200))
    >>> [(pair.first, pair.second, pair.difference > 0) for pair in compared]
    [('near', 'far', True)]
    """
    expect(
        rated,
        RatedData,
        'Give human ratings and metric scores, as RatedData.of(corpus, "rating:mqm", ["chrf"]) returns it',
    )
    settings = Settings() if settings is None else settings
    chosen = in_units(find(STATISTICS, statistic, "statistic"), settings.unit)
    names = rated.names if metrics is None else tuple(metrics)
    if isinstance(unit, str) and unit not in EXCHANGES:
        raise InvalidOption(f"unit must be one of {', '.join(EXCHANGES)}; found {unit!r}.")
    exchange = find(EXCHANGES, unit, "exchange")
    refused = {name: why for name in names if (why := _not_compared(rated, name, chosen, exchange))}
    names = tuple(name for name in names if name not in refused)
    notes = tuple(Note("note", why) for why in dict.fromkeys(refused.values()))
    if len(names) < 2:
        raise NotApplicable(
            f"A comparison of metrics needs two metrics; found {number_of(len(names), 'metric')}."
            + "".join(f" {note.text}" for note in notes)
        )
    making = _Made(rated, chosen, names, exchange, settings)
    if exchange.over != "segments":
        return _of_metrics(making.family(), notes)
    if isinstance(exchange, Items) and isinstance(chosen, OfGroups) and chosen.by == "item":
        family = settings.family(item_statistics(rated, chosen, names))
        notes += tuple(exchange.notes(making))
    else:
        family = making.family()
    try:
        others = replace(making, exchange=EXCHANGES["systems"]).family()
    except NotApplicable as error:
        return _of_metrics(family, notes, no_others=f"Results apply to these systems only. {error}")
    return _of_metrics(family, notes, others)


def _not_compared(rated: RatedData, metric: str, statistic: Statistic, exchange: Exchange) -> str:
    """Return why a metric is not compared, in a sentence; empty where it is."""
    refused, whole = statistic.refused(rated, metric), rated.whole(metric)
    if not refused and whole and exchange.of_segments:
        refused = (
            f"There are only system-level scores of {whole}, so segments cannot be swapped. If systems are swapped, "
            f"{'it is' if whole == metric else 'metrics are'} compared."
        )
    return refused


def item_statistics(rated: RatedData, statistic: OfGroups, metrics: Sequence[str] | None = None) -> Statistics:
    """Return how well each metric agrees with people on each segment, as statistics of the metrics.

    Thresholds for ties are fitted once, on all segments. A segment without a value for some metric is none of its
    pairs'.
    """
    names = rated.names if metrics is None else tuple(metrics)
    values = np.stack([statistic.of_groups(rated, name) for name in names])
    weights = statistic.counted(rated)
    known = ~np.isnan(values) & (weights > 0)
    return Statistics(
        OfItems(statistic),
        tuple(names),
        as_values(np.stack([np.where(known, values * weights, 0.0), known * weights])),
        signature=f"statistic:{statistic.name}|by:item|human:{rated.human.name}|systems:{len(rated.systems)}",
        digest=rated.digest,
        document_of=rated.document_of,
        available=None if known.all() else known,
        numbers=rated.numbers,
    )


@dataclass(frozen=True, eq=False)
class _Made(Hybrids):
    """One comparison of metrics in the making."""

    def family(self) -> Family:
        rated, settings = self.rated, self.settings
        systems = len(rated.systems)
        self.exchange.check(self)
        values = np.array([self.statistic.value(rated, name) for name in self.names])
        first, second = self.pairs
        difference = values[first] - values[second]
        outcome, difference = self.exchange.outcome(self, difference)
        over = self.exchange.over
        draws = redrawn(
            rated, [self.statistic], over, draws=settings.n_resamples, seed=settings.seed, unit=settings.unit
        )
        by_metric = np.stack([draws.values[self.statistic.name, name] for name in self.names])
        moved = by_metric[first] - by_metric[second]
        slack = tolerance(difference)[:, None]
        low, high = _ends(moved, settings.level, difference)
        units = systems if over == "systems" else rated.n
        test = replace(self.exchange, scheme=Swap(settings.n_resamples, settings.seed, "segment"))
        order = [self.names[i] for i in np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")]
        signature = f"statistic:{self.statistic.name}|human:{rated.human.name}|systems:{systems}|segments:{rated.n}"
        family = Family.of_outcome(
            [(self.names[x], self.names[y]) for x, y in zip(first, second, strict=True)],
            test,
            outcome,
            Bootstrap(settings.n_resamples, settings.seed, "segment"),
            Drawn(self._scores(values), outcome.null),
            notes=(*rated.notes, *self.exchange.notes(self)),
            metric=self.statistic.name,
            signature=signature,
            difference=difference,
            ci_low=low,
            ci_high=high,
            interval="percentile",
            standard_error=np.nan,
            df=np.nan,
            units=units,
            segments=rated.n,
            n_differing=units,
            bootstrap_win_rate=np.mean(moved > slack, axis=1),
            tie_rate=np.mean(np.abs(moved) <= slack, axis=1),
            level=settings.level,
            unit="system" if over == "systems" else "segment",
            alternative=settings.alternative,
            decimals=4,
            order=tuple(order),
        )
        if settings.correction == "auto":
            return adjust(family, "holm" if outcome.null is None else "minp")
        return adjust(family, settings.correction)

    def _scores(self, values: Floats) -> Statistics:
        """Return the metrics' values as statistics; no unit is shared, so that nothing can be resampled of them."""
        own = np.eye(len(self.names))
        held = as_values(np.stack([own * np.nan_to_num(values)[:, None], own]))
        return Statistics(OfItems(self.statistic), tuple(self.names), held, available=own.astype(bool))


def _ends(moved: Floats, level: float, difference: Floats) -> tuple[Floats, Floats]:
    ends = [
        percentiles(row, level, value)[:2] if np.count_nonzero(~np.isnan(row)) > 1 else (np.nan, np.nan)
        for row, value in zip(moved, difference, strict=True)
    ]
    low, high = np.array(ends).T
    return low, high


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
    statistic: Annotated[str, about("Name of the statistic in the program.")]
    sentinel: Annotated[str, about("The sentinel metric: it uses only length, chance or segment difficulty.")]
    value: Annotated[Number, about("The metric's value.")]
    sentinel_value: Annotated[Number, about("The sentinel's value, with the sign for which it is higher.")]
    difference: Annotated[Number, about("Metric less sentinel.")]
    ci_low: Annotated[Number, about("Lower end of the percentile interval of the difference (paired resamples).")]
    ci_high: Annotated[Number, about("Its upper end.")]

    @property
    def sentence(self) -> str:
        """What follows where the metric is not shown to be better; empty where it is."""
        if self.ci_low > 0:
            return ""
        label = STATISTICS[self.statistic].label if self.statistic in STATISTICS else self.statistic
        return f"{capital_first(label)}: no evidence that {self.metric} measures more than {self.sees_no_more_than}."

    @property
    def sees_no_more_than(self) -> str:
        """What the sentinel sees, in a word."""
        return {OUTPUT: "length", SOURCE: "the source's length", RANDOM: "chance"}.get(self.sentinel, "difficulty")


class Texts(TypedDict):
    """What lengths are taken of: the systems' lines, and those of the source; None where they are not known."""

    outputs: Mapping[str, Sequence[str]] | None
    sources: Sequence[str] | None


def texts_of(rated: RatedData, corpus: Corpus) -> Texts:
    """Return the lines of each judged system's first run, and those of the source, as `sentinels` takes them."""
    runs = {name: corpus.systems[name] for name in rated.systems}
    outputs = {name: corpus.outputs[own[0]] for name, own in runs.items()} if all(runs.values()) else None
    return {"outputs": outputs, "sources": corpus.segments.sources}


def sentinels(
    rated: RatedData,
    statistics: Sequence[str | Statistic],
    *,
    outputs: Mapping[str, Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    by: By = "item",
    over: Over = "both",
    settings: Settings | None = None,
) -> tuple[Guarded, ...]:
    """Compare every metric with sentinel metrics: lengths, random scores and means.

    The source length and a metric's mean score of a segment are the same for all systems. They apply only to statistics
    grouped by system, or not at all. Each length gets the sign with the best agreement.

    Parameters
    ----------
    rated
        Human ratings and metric scores.
    statistics
        Names in `STATISTICS`, or `Statistic` objects.
    outputs
        A mapping from each system to all its output lines; `None` leaves out the output-length sentinel.
    sources
        The source lines; `None` leaves out the source-length sentinel.
    by
        The group within which segment scores are compared, such as the item or the system.
    over
        The units that are resampled for the intervals.
    settings
        The level, number of resamples, seed and unit.

    Examples
    --------
    >>> from mtsig.meta_eval import sentinels
    >>> sorted({(row.metric, row.sentinel) for row in sentinels(rated, ["pearson"])})[:1]
    [('far', 'a random score')]
    """
    settings = Settings() if settings is None else settings
    random = Words(settings.seed, 0, Purpose.EXCHANGED_CELLS).halves(*rated.mask.shape)
    scores: dict[str, Floats] = {RANDOM: random.astype(np.float64) / 2**32}
    if outputs is not None:
        scores[OUTPUT] = np.array([[len(outputs[name][at]) for at in rated.numbers] for name in rated.systems]) * 1.0
    of_segments: dict[str, Floats] = {}
    if sources is not None:
        of_segments[SOURCE] = np.broadcast_to([float(len(sources[at])) for at in rated.numbers], rated.mask.shape)
    means = {}
    for metric in rated.metrics:
        if metric.cells is not None:
            counts = np.maximum(rated.mask.sum(axis=0), 1)
            mean = np.nansum(metric.cells, axis=0) / counts
            means[metric.name] = f"{metric.name}'s mean of the segment"
            of_segments[means[metric.name]] = np.broadcast_to(mean, rated.mask.shape)
    sentinels = []
    for asked in statistics:
        statistic = in_units(find(STATISTICS, asked, "statistic"), settings.unit)
        statistic = replace(statistic, by=by) if isinstance(statistic, OfGroups) else statistic
        if all(statistic.refused(rated, name) for name in rated.names):
            continue
        among = isinstance(statistic, OfGroups) and statistic.by != "item"
        beside = scores | (of_segments if among else {})
        guards = [_best_sign(rated, statistic, name, numbers) for name, numbers in beside.items()]
        ties = {key: value for key, value in dict(rated.known).items() if key[0] == "ties"}
        with_guards = replace(rated, metrics=(*rated.metrics, *guards), known=ties)
        drawn = redrawn(
            with_guards, [statistic], over, draws=settings.n_resamples, seed=settings.seed, unit=settings.unit
        )
        values = {name: statistic.value(with_guards, name) for _, name in drawn.values}
        for name in rated.names:
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


def _best_sign(rated: RatedData, statistic: Statistic, name: str, scores: Floats) -> Scored:
    both = [_scored(rated, name, sign * scores) for sign in (1.0, -1.0)]
    values = [statistic.value(replace(rated, metrics=(scored,), known={}), name) for scored in both]
    return both[int(np.nanargmax(values))] if not np.isnan(values).all() else both[0]


def _scored(rated: RatedData, name: str, scores: Floats) -> Scored:
    values = as_values(np.stack([np.where(rated.mask, scores, 0.0), rated.mask.astype(np.float64)]))
    statistics = Statistics(Sentinel(name), rated.systems, values, digest=rated.digest, available=rated.mask)
    return Scored(name, statistics, values, np.where(rated.mask, scores, np.nan))
