"""Is one metric better than another? The corrected comparisons of all pairs of metrics.

See docs/statistics/trust.md, section 6.

Statistics that are means over items go through the program's own tests of systems, metrics playing their part; others
exchange scores between metrics by a named unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Note, number_of
from mtsig.errors import InvalidOption, NotApplicable, expect
from mtsig.inference import Comparison, Family, Settings, adjust, p_number
from mtsig.inference.family import Drawn
from mtsig.inference.probability import clopper_pearson, count_extreme, monte_carlo_p, tolerance
from mtsig.metrics import Statistics, as_values
from mtsig.metrics.mean import SegmentMean
from mtsig.registry import find
from mtsig.resampling import Bootstrap, Swap
from mtsig.trust.exchange import ABOUT, HEAVY_TAILS, NOT_NORMAL, OF_DOCUMENTS, Exchange, Exchanged
from mtsig.trust.groups import OfGroups
from mtsig.trust.hybrids import Hybrids
from mtsig.trust.intervals import Over, redrawn
from mtsig.trust.judged import Judged
from mtsig.trust.soft import SoftPairwiseAccuracy, in_units
from mtsig.trust.statistic import Statistic
from mtsig.trust.systems import Pearson
from mtsig.trust.table import STATISTICS
from mtsig.trust.williams import SAME, williams

FEWEST_EXCHANGED = 6
"""With 5 systems the smallest two-sided p is .0625."""


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

    others: the same comparisons with systems exchanged, beside those that exchange items: these speak of the systems at
    hand alone. None where systems are too few, and beside other tests.
    no_others: why nothing is said of other systems, where items are exchanged; empty where something is.
    """

    others: Family | None = None
    no_others: str = ""

    @property
    def other_systems(self) -> str:
        """What may be said of other systems, in a sentence; empty beside tests that exchange no items."""
        if self.others is None:
            return ""
        p = self.others.p_adjusted
        held = np.count_nonzero(p <= self.alpha + 1e-12)
        smallest = f"smallest corrected p {p_number(float(np.nanmin(p)))}" if (p == p).any() else "none has a p"
        return (
            f"With systems exchanged, for other systems, {held} of {number_of(len(self), 'difference')} would stand "
            f"({smallest}); {self.others.test.too_often}."
        )


def _of_metrics(
    family: Family, notes: Sequence[Note], others: Family | None = None, no_others: str = ""
) -> ComparedMetrics:
    held = {field.name: getattr(family, field.name) for field in fields(Family)}
    compared_metrics = ComparedMetrics(**held, others=others, no_others=no_others)
    said = tuple(Note("note", text) for text in (no_others, compared_metrics.other_systems) if text)
    return replace(compared_metrics, notes=(*notes, *family.notes, *said))


def compare_metrics(
    judged: Judged,
    statistic: str | Statistic = "spa",
    unit: Exchanged = "item",
    settings: Settings | None = None,
    *,
    metrics: Sequence[str] | None = None,
) -> ComparedMetrics:
    """Return the corrected comparisons of all pairs of metrics; a positive difference favours the first.

    Beside items exchanged stands the same with systems exchanged: the first speaks of these systems alone.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, compare_metrics
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> compared = compare_metrics(judged, "spa", settings=mtsig.Settings(draws=200))
    >>> [(pair.first, pair.second, pair.difference > 0) for pair in compared]
    [('near', 'far', True)]

    Args:
        judged: what people and metrics say of the same systems.
        statistic: a name in STATISTICS, or a statistic itself.
        unit: what is exchanged as a whole. item: other segments, with these systems. systems: other systems, which
            errs more often than it says (docs/trust.md).
        settings: test, correction, level, draws, seed and unit (documents are exchanged whole where they are units).
        metrics: which metrics; all, when None.

    Raises:
        NotApplicable: there are fewer than two metrics, or too few systems to exchange, or no scores of segments.
        InvalidOption: the unit and the statistic do not go together.
    """
    expect(judged, Judged, 'Give what people and metrics say, as Judged.of(corpus, "rating:mqm", ["chrf"]) makes it')
    settings = Settings() if settings is None else settings
    chosen = in_units(find(STATISTICS, statistic, "statistic"), settings.unit)
    names = judged.names if metrics is None else tuple(metrics)
    if unit not in ABOUT:
        raise InvalidOption(f"unit is one of {', '.join(ABOUT)}; found {unit!r}.")
    refused = {name: why for name in names if (why := _not_compared(judged, name, chosen, unit))}
    names = tuple(name for name in names if name not in refused)
    notes = tuple(Note("note", why) for why in dict.fromkeys(refused.values()))
    if len(names) < 2:
        raise NotApplicable(
            f"Comparing metrics takes two of them; found {number_of(len(names), 'metric')}."
            + "".join(f" {note.text}" for note in notes)
        )
    making = _Made(judged, chosen, names, unit, settings)
    if unit != "item":
        return _of_metrics(making.family(), notes)
    if isinstance(chosen, OfGroups) and chosen.by == "item":
        family = settings.family(item_statistics(judged, chosen, names))
        notes += making.notes()
    else:
        family = making.family()
    try:
        others = replace(making, unit="systems").family()
    except NotApplicable as error:
        return _of_metrics(family, notes, no_others=f"Nothing is said of other systems. {error}")
    return _of_metrics(family, notes, others)


def _not_compared(judged: Judged, metric: str, statistic: Statistic, unit: Exchanged) -> str:
    """Return why a metric is not compared, in a sentence; empty where it is."""
    refused, whole = statistic.refused(judged, metric), judged.whole(metric)
    if not refused and whole and unit not in ("systems", "williams"):
        refused = (
            f"Of {whole} there are scores of whole systems only: nothing of segments can be exchanged. "
            f"Where systems are exchanged, {'it is' if whole == metric else 'metrics are'} compared."
        )
    return refused


def item_statistics(judged: Judged, statistic: OfGroups, metrics: Sequence[str] | None = None) -> Statistics:
    """Return how well each metric agrees with people on each segment, as statistics of the metrics.

    Thresholds for ties are fitted once, on all segments. A segment without a value for some metric is none of its
    pairs'.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, STATISTICS, item_statistics
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> item_statistics(judged, STATISTICS["segment-kendall"]).systems
    ('near', 'far')
    """
    names = judged.names if metrics is None else tuple(metrics)
    values = np.stack([statistic.of_groups(judged, name) for name in names])
    weights = statistic.counted(judged)
    known = ~np.isnan(values) & (weights > 0)
    return Statistics(
        OfItems(statistic),
        tuple(names),
        as_values(np.stack([np.where(known, values * weights, 0.0), known * weights])),
        signature=f"statistic:{statistic.name}|by:item|human:{judged.human.name}|systems:{len(judged.systems)}",
        digest=judged.digest,
        document_of=judged.document_of,
        available=None if known.all() else known,
        numbers=judged.numbers,
    )


@dataclass(frozen=True, eq=False)
class _Made(Hybrids):
    """One comparison of metrics in the making."""

    def family(self) -> Family:
        judged, settings = self.judged, self.settings
        systems = len(judged.systems)
        self._check()
        values = np.array([self.statistic.value(judged, name) for name in self.names])
        first, second = self.pairs
        difference = values[first] - values[second]
        null, complete = None, False
        if self.unit == "williams":
            p = np.array(
                [williams_p(judged, self.names[x], self.names[y], settings.alternative) for x, y in self.each()]
            )
            p_low = p_high = p
        elif self.unit == "pairs":
            p = np.array([self._pairs_p(x, y) for x, y in self.each()])
            p_low = p_high = p
        else:
            drawn, difference = self.null()
            null = np.nan_to_num(drawn, nan=0.0)
            complete = self.enumerated
            extreme = count_extreme(null, np.nan_to_num(difference), settings.alternative)
            p = extreme / null.shape[1] if complete else monte_carlo_p(extreme, null.shape[1])
            p_low, p_high = (p, p) if complete else clopper_pearson(extreme.astype(np.float64), null.shape[1])
            lost = np.isnan(difference)
            p, p_low, p_high = (np.where(lost, np.nan, x) for x in (p, p_low, p_high))
        over: Over = {"item": "segments", "systems": "systems", "williams": "systems"}.get(self.unit, "both")  # type: ignore[assignment]
        draws = redrawn(judged, [self.statistic], over, draws=settings.draws, seed=settings.seed, unit=settings.unit)
        by_metric = np.stack([draws.values[self.statistic.name, name] for name in self.names])
        moved = by_metric[first] - by_metric[second]
        slack = tolerance(difference)[:, None]
        low, high = _ends(moved, settings.level)
        units = systems if over == "systems" else judged.n
        test = Exchange(Swap(settings.draws, settings.seed, "segment"), self.unit)
        order = [self.names[i] for i in np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")]
        signature = f"statistic:{self.statistic.name}|human:{judged.human.name}|systems:{systems}|segments:{judged.n}"
        family = Family(
            Comparison.of_columns(
                len(first),
                metric=self.statistic.name,
                signature=signature,
                first=[self.names[x] for x in first],
                second=[self.names[y] for y in second],
                difference=difference,
                low=low,
                high=high,
                interval="percentile",
                standard_error=np.nan,
                df=np.nan,
                p_value=p,
                p_low=p_low,
                p_high=p_high,
                p_adjusted=p,
                adjusted_low=p_low,
                adjusted_high=p_high,
                exact=complete or self.unit in ("williams", "pairs"),
                units=units,
                segments=judged.n,
                n_differing=units,
                win_rate=np.mean(moved > slack, axis=1),
                tie_rate=np.mean(np.abs(moved) <= slack, axis=1),
                level=settings.level,
                test=test.name,
                correction="none",
                family_size=len(first),
                unit="system" if over == "systems" else "segment",
                alternative=settings.alternative,
                estimand=test.estimand,
                controls_type1=test.controls_type1,
                decimals=4,
            ),
            test,
            Bootstrap(settings.draws, settings.seed, "segment"),
            complete,
            tuple(order),
            Drawn(self._scores(values), null),
            notes=judged.notes + self.notes(),
        )
        if settings.correction == "auto":
            return adjust(family, "holm" if null is None else "minp")
        return adjust(family, settings.correction)

    def _check(self) -> None:
        systems = len(self.judged.systems)
        if self.unit == "systems" and isinstance(self.statistic, OfGroups) and not (self.by_item or self.additive):
            raise InvalidOption(f"{self.statistic.name} by {self.statistic.by} is not compared by systems.")
        if self.unit == "williams" and not isinstance(self.statistic, Pearson):
            raise InvalidOption("Williams's test compares Pearson correlations of systems' scores: choose pearson.")
        if self.unit == "systems" and systems < FEWEST_EXCHANGED:
            raise NotApplicable(
                f"{systems} systems: the smallest attainable p is {2 / 2**systems:.4g}.".replace("0.", ".")
            )
        if self.unit == "pairs" and self.statistic.name not in ("acc_eq", "acc_eq_0"):
            raise InvalidOption("Decisions on pairs are exchanged for acc_eq and acc_eq_0 alone.")
        if isinstance(self.statistic, SoftPairwiseAccuracy) and self.unit in ("both", "cells"):
            raise InvalidOption("Soft pairwise accuracy is compared by item or by systems.")
        if isinstance(self.statistic, OfGroups) and self.unit in ("cells", "both", "item") and not self.additive:
            name, by = self.statistic.name, self.statistic.by
            raise InvalidOption(
                f"{name} is compared by items where it is made by item, and exchanged by item; found: made by {by}, "
                f"exchanged by {self.unit}."
            )

    def notes(self) -> tuple[Note, ...]:
        """Return what to know of the test: of whom it speaks, how often it errs, and its smallest p."""
        test = Exchange(exchanged=self.unit)
        notes = [Note("warning", f"{test.name}: {test.too_often}.")] if test.too_often else []
        if self.unit in ("item", "both"):
            notes.append(Note("note", f"On these {len(self.judged.systems)} systems: nothing is said of others."))
        if self.unit == "williams":
            notes.append(Note("note", NOT_NORMAL))
            notes += [
                Note("note", f"{self.names[x]} and {self.names[y]}: the two metrics are the same here, p is 1.")
                for x, y in self.each()
                if one_line(self.judged, self.names[x], self.names[y])
            ]
        if self.additive and self.unit != "systems":
            notes.append(Note("note", HEAVY_TAILS))
        if self.unit == "item" and not self.by_item and self.judged.unit(self.settings.unit) == "segment":
            notes.append(Note("note", OF_DOCUMENTS))
        if self.unit == "systems":
            least = 2 / 2 ** len(self.judged.systems)
            notes.append(Note("note", f"The smallest p that exchanges of systems can give is {least:.2g}."))
        return tuple(notes)

    def _scores(self, values: Floats) -> Statistics:
        """Return the metrics' values as statistics; no unit is shared, so that nothing can be redrawn of them."""
        own = np.eye(len(self.names))
        held = as_values(np.stack([own * np.nan_to_num(values)[:, None], own]))
        return Statistics(OfItems(self.statistic), tuple(self.names), held, available=own.astype(bool))

    def _pairs_p(self, first: int, second: int) -> float:
        human = self.judged.ratings
        right = []
        for name in (self.names[first], self.names[second]):
            fitted = self.statistic.fitted(self.judged, name)
            if not isinstance(fitted, OfGroups) or fitted.by != "item":
                raise InvalidOption("Decisions on pairs are exchanged by item.")
            terms = fitted.terms(human, self.judged.cells(name))
            right.append(terms[0] > 0)
        return pairs_p(int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum()), self.settings.alternative)


def _ends(moved: Floats, level: float) -> tuple[Floats, Floats]:
    tails = [(1 - level) / 2, (1 + level) / 2]
    found = [
        np.quantile(row[~np.isnan(row)], tails) if np.count_nonzero(~np.isnan(row)) > 1 else (np.nan, np.nan)
        for row in moved
    ]
    low, high = np.array(found).T
    return low, high


def pairs_p(only_first: int, only_second: int, alternative: str = "two-sided") -> float:
    """Return the p of exchanging every decision on a pair, exactly: an exact McNemar test.

    P(Bin(only_first + only_second, ½) ≥ only_first) when the first is declared better. It treats pairs that share
    systems as independent, as mt-metrics-eval's perm_test="pairs" does.

    >>> from mtsig.trust import pairs_p
    >>> pairs_p(5, 0), pairs_p(3, 3)
    (0.0625, 1.0)
    """
    from scipy.stats import binom

    trials = only_first + only_second
    above, below = (float(binom.sf(count - 1, trials, 0.5)) for count in (only_first, only_second))
    if alternative == "two-sided":
        return min(1.0, 2 * min(above, below))
    return above if alternative == "greater" else below


def _correlations(judged: Judged, names: Sequence[str]) -> Floats:
    """Return the correlations of systems' scores by each of these; NaN with one that gives all systems the same."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.corrcoef(np.stack([judged.system_scores(name) for name in names])))


def one_line(judged: Judged, first: str, second: str) -> bool:
    """Return whether two metrics' scores of systems lie on one line, so that they correlate alike with anything."""
    return bool(1 - abs(_correlations(judged, (first, second))[0, 1]) <= SAME)


def williams_p(judged: Judged, first: str, second: str, alternative: str = "two-sided") -> float:
    """Return the p of Williams's test of two metrics' correlations with people over systems."""
    r = _correlations(judged, (judged.human.name, first, second))
    return williams(float(r[0, 1]), float(r[0, 2]), float(r[1, 2]), len(judged.systems), alternative).p_value
