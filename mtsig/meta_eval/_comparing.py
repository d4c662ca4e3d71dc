"""Comparisons of metrics with each other. See docs/statistics/meta-eval.md, sections 5 and 6.

Statistics that are means over items go through the program's own tests of systems, metrics playing their part; others
exchange scores between metrics by a named unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from mtsig._probability import tolerance
from mtsig._records import Floats
from mtsig.corpus import Note
from mtsig.corpus._notes import number_of
from mtsig.errors import InvalidOption, NotApplicable, expect, find
from mtsig.inference import Family, Settings, p_number
from mtsig.inference._adjust import adjust
from mtsig.inference._family import Drawn
from mtsig.meta_eval._exchanges import EXCHANGES, Exchange, Hybrids, Items
from mtsig.meta_eval._groups import OfGroups
from mtsig.meta_eval._rated_data import RatedData
from mtsig.meta_eval._statistic import Statistic, percentiles, redrawn
from mtsig.meta_eval._systems import STATISTICS, in_units
from mtsig.metrics import SegmentMean, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.resampling import Bootstrap, Swap


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
