"""Is one metric better than another? Scores are exchanged between metrics by a named unit (TRUST.md, section 6).

Items generalise to other segments with these systems, systems to other systems. Statistics that are means over items
go through the program's own tests of systems, metrics playing their part; others exchange standardised scores here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.citations import Citations
from mtsig.corpus import Note, number_of
from mtsig.errors import InvalidOption, NotApplicable, expect
from mtsig.inference import Comparison, Family, Outcome, Settings, SignificanceTest, adjust, p_number
from mtsig.inference.family import Drawn
from mtsig.inference.probability import clopper_pearson, count_extreme, monte_carlo_p, tolerance
from mtsig.inference.targets import Pairs
from mtsig.metrics import Statistics, as_values
from mtsig.metrics.mean import SegmentMean
from mtsig.registry import find
from mtsig.resampling import BLOCK, Bootstrap, Purpose, Swap, Words
from mtsig.trust.groups import ItemsOf, OfGroups, TiesEqual
from mtsig.trust.intervals import Over, redrawn
from mtsig.trust.judged import Judged
from mtsig.trust.soft import SoftPairwiseAccuracy, normal_of_sums
from mtsig.trust.statistic import Statistic
from mtsig.trust.systems import OfSystems, Pearson
from mtsig.trust.table import STATISTICS
from mtsig.trust.williams import williams

Exchanged: TypeAlias = Literal["item", "systems", "both", "cells", "pairs", "williams"]
"""What is exchanged as a whole: all systems' scores of a segment, all scores of a system, one or the other, or each."""

ENUMERATED_SYSTEMS = 20
"""Up to so many systems all exchanges are enumerated, where they are no more than the draws, or soon done."""

FEWEST_EXCHANGED = 6
"""With 5 systems the smallest two-sided p is .0625."""

SOON_DONE = 2**15

ROWS = 256
"""Exchanges whose items are held in memory at once."""

ABOUT = {
    "item": ("could segments' scores be exchanged between the metrics? On these systems, for other segments", ""),
    "systems": (
        "could systems' scores be exchanged between the metrics? For other systems",
        "at .05 it errs in up to 8 of 100 cases with 8 systems",
    ),
    "both": ("could systems', or segments', scores be exchanged between the metrics? On these systems", ""),
    "cells": (
        "could every single score be exchanged between the metrics?",
        "each score counts as independent, as in PERM-BOTH: it speaks of no other systems and no other segments",
    ),
    "pairs": (
        "could every decision on a pair be exchanged between the metrics?",
        "pairs that share systems count as independent: at .05 it errs in about 20 of 100 cases with 10 systems",
    ),
    "williams": ("are the two correlations with people equal?", ""),
}


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


@dataclass(frozen=True)
class Exchange(SignificanceTest):
    """Exchange scores between two metrics; unit: what is exchanged as a whole."""

    scheme: Swap = field(default_factory=Swap)
    exchanged: Exchanged = "systems"
    interval = "percentile"

    @property
    def name(self) -> str:  # type: ignore[override]
        """The test's name: exchange, and what is exchanged."""
        return "williams" if self.exchanged == "williams" else f"exchange-{self.exchanged}"

    @property
    def cites(self) -> Citations:  # type: ignore[override]
        """What to cite for it."""
        return ("williams-1959", "graham-2014") if self.exchanged == "williams" else ("deutsch-2021",)

    @property
    def label(self) -> str:  # type: ignore[override]
        """The test, as tables print it."""
        return "Williams t test" if self.exchanged == "williams" else f"exchange of {self.exchanged}"

    @property
    def estimand(self) -> str:  # type: ignore[override]
        """What the test asks."""
        return ABOUT[self.exchanged][0]

    @property
    def too_often(self) -> str:  # type: ignore[override]
        """Why its p is no p of the difference; empty where it is."""
        return ABOUT[self.exchanged][1]

    def __call__(self, pairs: Pairs) -> Outcome:
        """Raise NotApplicable: it exchanges scores of metrics."""
        del pairs
        raise NotApplicable(f"{self.name} compares metrics: see compare_metrics().")


@dataclass(frozen=True, eq=False)
class ComparedMetrics(Family):
    """Comparisons of all pairs of metrics.

    others: the same comparisons with systems exchanged, beside those that exchange items: these speak of the systems at
    hand alone. None where systems are too few, and beside other tests; a note says why.
    """

    others: Family | None = None

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


def _of_metrics(family: Family, others: Family | None, notes: Sequence[Note]) -> ComparedMetrics:
    held = {one.name: getattr(family, one.name) for one in fields(Family)}
    found = ComparedMetrics(**held, others=others)
    said = (Note("note", found.other_systems),) if others is not None else ()
    return replace(found, notes=(*notes, *family.notes, *said))


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
    chosen = find(STATISTICS, statistic, "statistic")
    names = judged.names if metrics is None else tuple(metrics)
    if unit not in ABOUT:
        raise InvalidOption(f"unit is one of {', '.join(ABOUT)}; found {unit!r}.")
    whole: list[str] = []
    if unit not in ("systems", "williams") or not isinstance(chosen, OfSystems):
        whole = [name for name in names if judged[name].cells is None]
        names = tuple(name for name in names if name not in whole)
    notes = tuple(Note("note", f"{name} has no scores of segments to exchange: it is not compared.") for name in whole)
    if len(names) < 2:
        raise NotApplicable(
            f"Comparing metrics takes two of them; found {number_of(len(names), 'metric')}."
            + "".join(f" {note.text}" for note in notes)
        )
    making = _Made(judged, chosen, names, unit, settings)
    if unit != "item":
        return _of_metrics(making.family(), None, notes)
    if isinstance(chosen, OfGroups) and chosen.by == "item":
        family = settings.family(item_statistics(judged, chosen, names))
        notes += making.notes()
    else:
        family = making.family()
    others = None
    try:
        others = replace(making, unit="systems").family()
    except NotApplicable as error:
        notes += (Note("note", f"Nothing is said of other systems. {error}"),)
    return _of_metrics(family, others, notes)


def item_statistics(judged: Judged, statistic: OfGroups, metrics: Sequence[str] | None = None) -> Statistics:
    """Return how well each metric agrees with people on each segment, as statistics of the metrics.

    Thresholds for ties are fitted once, on all segments. A segment without a value for some metric is none of its
    pairs'.
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
class _Made:
    """One comparison of metrics in the making."""

    judged: Judged
    statistic: Statistic
    names: Sequence[str]
    unit: Exchanged
    settings: Settings

    @property
    def pairs(self) -> tuple[Index, Index]:
        found = np.array(list(combinations(range(len(self.names)), 2)), dtype=np.int64)
        return found[:, 0], found[:, 1]

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
                [williams_p(judged, self.names[x], self.names[y], settings.alternative) for x, y in self._each()]
            )
            p_low = p_high = p
        elif self.unit == "pairs":
            p = np.array([self._pairs_p(x, y) for x, y in self._each()])
            p_low = p_high = p
        else:
            drawn, difference = self._null()
            null = np.nan_to_num(drawn, nan=0.0)
            complete = self._enumerated
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
        if self.unit == "systems" and isinstance(self.statistic, OfGroups) and not (self._by_item or self._additive):
            raise InvalidOption(f"{self.statistic.name} by {self.statistic.by} is not compared by systems.")
        if self.unit == "williams" and self.statistic.name != "pearson":
            raise InvalidOption("Williams's test compares Pearson correlations of systems' scores: choose pearson.")
        if self.unit == "systems" and systems < FEWEST_EXCHANGED:
            raise NotApplicable(
                f"{systems} systems: the smallest attainable p is {2 / 2**systems:.4g}.".replace("0.", ".")
            )
        if self.unit == "pairs" and self.statistic.name not in ("acc_eq", "acc_eq_0"):
            raise InvalidOption("Decisions on pairs are exchanged for acc_eq and acc_eq_0 alone.")
        if isinstance(self.statistic, SoftPairwiseAccuracy) and self.unit in ("both", "cells"):
            raise InvalidOption("Soft pairwise accuracy is compared by item or by systems.")
        if isinstance(self.statistic, OfGroups) and self.unit in ("cells", "both", "item") and not self._additive:
            raise InvalidOption(f"{self.statistic.name} by {self.statistic.by} is compared by item of groups by item.")

    @property
    def _additive(self) -> bool:
        statistic = self.statistic
        return isinstance(statistic, OfGroups) and statistic.name == "segment-pearson" and statistic.by == "none"

    @property
    def _by_item(self) -> bool:
        return isinstance(self.statistic, OfGroups) and self.statistic.by == "item"

    @property
    def _enumerated(self) -> bool:
        every = 2 ** len(self.judged.systems)
        # Statistics of segments are worked out anew for every exchange.
        soon = 0 if self._by_item else SOON_DONE
        return (
            self.unit == "systems"
            and len(self.judged.systems) <= ENUMERATED_SYSTEMS
            and every <= max(soon, self.settings.draws)
        )

    def _each(self) -> Iterator[tuple[int, int]]:
        return iter(zip(*(x.tolist() for x in self.pairs), strict=True))

    def notes(self) -> tuple[Note, ...]:
        """Return what to know of the test: of whom it speaks, how often it errs, and its smallest p."""
        test = Exchange(exchanged=self.unit)
        found = [Note("warning", f"{test.name}: {test.too_often}.")] if test.too_often else []
        if self.unit in ("item", "both"):
            found.append(Note("note", f"On these {len(self.judged.systems)} systems: nothing is said of others."))
        if self.unit == "systems":
            least = 2 / 2 ** len(self.judged.systems)
            found.append(Note("note", f"The smallest p that exchanges of systems can give is {least:.2g}."))
        return tuple(found)

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

    # What is exchanged.

    def _masks(self) -> Iterator[Floats]:
        """Yield which are exchanged: rows (b, s) of systems, (b, n) of segments, or (b, s, n) of cells."""
        judged, settings = self.judged, self.settings
        systems = len(judged.systems)
        if self._enumerated:
            for start in range(0, 2**systems, 2**12):
                numbers = np.arange(start, min(start + 2**12, 2**systems))[:, None]
                yield ((numbers >> np.arange(systems)) & 1).astype(np.float64)
            return
        units = judged.units(settings.unit)
        for start in range(0, settings.draws, BLOCK):
            rows, block = min(BLOCK, settings.draws - start), start // BLOCK

            def bits(purpose: Purpose, size: int, rows: int = rows, block: int = block) -> Floats:
                return Words(settings.seed, block, purpose).bits(rows, size).astype(np.float64)

            if self.unit == "systems":
                yield bits(Purpose.EXCHANGED_SYSTEMS, systems)
            elif self.unit == "item":
                yield bits(Purpose.EXCHANGED_ITEMS, int(units.max()) + 1)[:, units]
            elif self.unit == "cells":
                yield bits(Purpose.EXCHANGED_CELLS, systems * judged.n).reshape(rows, systems, judged.n)
            else:
                of_systems = bits(Purpose.EXCHANGED_SYSTEMS, systems)[:, :, None]
                of_items = bits(Purpose.EXCHANGED_ITEMS, int(units.max()) + 1)[:, None, units]
                yield np.abs(of_systems - of_items)

    def _null(self) -> tuple[Floats, Floats]:
        """Return the differences under all exchanges, shape (m, b), and the observed ones on the same scale."""
        if isinstance(self.statistic, SoftPairwiseAccuracy):
            return self._soft()
        if self.unit == "systems" and isinstance(self.statistic, OfGroups) and self._by_item:
            return self._items_of_hybrids(self.statistic)
        return self._hybrids()

    def _items_of_hybrids(self, statistic: OfGroups) -> tuple[Floats, Floats]:
        """Return what a mean over segments differs by when systems are exchanged: standardised scores.

        Both metrics' systems stand side by side, 2 s of them, and an exchange draws s, one of each. Thresholds for ties
        stay those of the metric whose scores are given away.
        """
        judged = self.judged
        human = np.concatenate([judged.ratings, judged.ratings])
        counted = statistic.counted(judged)
        scores, fitted = [], []
        for name in self.names:
            cells = judged.cells(name)
            spread = float(np.nanstd(cells)) or 1.0
            scores.append((cells - np.nanmean(cells)) / spread)
            own = statistic.fitted(judged, name)
            fitted.append(replace(own, epsilon=own.epsilon / spread) if isinstance(own, TiesEqual) else own)
        found, observed = [], []
        for x, y in self._each():
            both = np.concatenate([scores[x], scores[y]])
            a, b = (own.weighted_items(human, both) for own in (fitted[x], fitted[y]))

            def value(exchanged: Floats, a: ItemsOf = a, b: ItemsOf = b) -> Floats:
                kept, given = np.hstack([1 - exchanged, exchanged]), np.hstack([exchanged, 1 - exchanged])
                weights = np.broadcast_to(counted, (len(exchanged), len(counted)))
                return statistic.mean(a(kept), weights) - statistic.mean(b(given), weights)

            observed.append(value(np.zeros((1, len(judged.systems))))[0])
            found.append(np.concatenate([value(part) for block in self._masks() for part in _in_rows(block)]))
        return np.stack(found), np.array(observed)

    def _hybrids(self) -> tuple[Floats, Floats]:
        judged, statistic = self.judged, self.statistic
        first, second = self.pairs
        if self.unit == "systems" and not self._additive:
            scores = np.stack([judged.system_scores(name) for name in self.names])
            scores = standardised(scores)[..., None]
            mask = np.ones_like(scores[0], dtype=bool)
        else:
            scores = np.stack([judged.cells(name) for name in self.names])
            scores = standardised(scores.reshape(len(scores), -1)).reshape(scores.shape)
            mask = judged.mask
        values = np.where(mask, scores, 0.0)
        powers = [values]
        # Sums of powers over all that is exchanged say everything of a correlation, whatever the pair of metrics.
        additive = self._additive or (type(statistic) is Pearson and self.unit == "systems")
        if additive:
            people = judged.ratings if self._additive else judged.system_scores(judged.human.name)[:, None]
            human = np.where(mask, people - np.nanmean(people), 0.0)
            powers = [values, values**2, values * human]

        def sums(x: Floats, exchanged: Floats | None) -> Floats:
            """Return the sums of what is exchanged over segments, (metrics, s, b); over everything, (metrics, b)."""
            if additive:
                if exchanged is None:
                    return np.asarray(x.sum(axis=(1, 2))[:, None])
                along = {"item": 1, "systems": 2}.get(self.unit)
                kept = x.reshape(len(x), -1) if along is None else x.sum(axis=along)
                return np.asarray(kept @ exchanged.reshape(len(exchanged), -1).T)
            if exchanged is None:
                return np.asarray(x.sum(axis=-1)[..., None])
            if exchanged.ndim == 3:
                return np.asarray(np.einsum("bst,mst->msb", exchanged, x, optimize=True))
            if self.unit == "systems":
                return np.asarray(x.sum(axis=-1)[..., None] * exchanged.T)
            return np.asarray(x @ exchanged.T)

        def value(found: Sequence[Floats]) -> Floats:
            """Return the statistic of sums (m, s, b), or (m, b): shape (m, b)."""
            if additive:
                people_sums = np.array([human.sum(), np.square(human).sum()])
                total, square, product = found
                n = float(mask.sum())
                terms = np.stack(
                    [
                        np.full_like(total, n),
                        np.full_like(total, people_sums[0]),
                        total,
                        np.full_like(total, people_sums[1]),
                        square,
                        product,
                    ]
                )
                return statistic.ratio(terms)  # type: ignore[attr-defined,no-any-return]
            if not isinstance(statistic, OfSystems):
                raise InvalidOption(f"{statistic.name} is not compared by {self.unit}.")
            means = found[0] / mask.sum(axis=1)[:, None]
            people = judged.system_scores(judged.human.name)[:, None]
            shape = means.shape[0], means.shape[2]
            flat = means.transpose(1, 0, 2).reshape(means.shape[1], -1)
            people = np.broadcast_to(people, flat.shape)
            ones = np.ones((flat.shape[1], flat.shape[0]))
            return statistic.of(people, flat, ones).reshape(shape)

        whole = [sums(x, None) for x in powers]
        alone = value(whole)[:, 0]
        observed = alone[first] - alone[second]
        blocks = []
        for exchanged in self._masks():
            moved = [sums(x, exchanged) for x in powers]
            found = np.empty((len(first), len(exchanged)))
            for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                both = [np.stack([t[x] - u[x] + u[y], t[y] - u[y] + u[x]]) for t, u in zip(whole, moved, strict=True)]
                a, b = value(both)
                found[pair] = a - b
            blocks.append(found)
        return np.concatenate(blocks, axis=1), observed

    def _soft(self) -> tuple[Floats, Floats]:
        """Return what soft pairwise accuracy differs by: p-values by the normal limit, standardised scores."""
        judged = self.judged
        left, right = judged.pairs
        first, second = self.pairs
        both = judged.mask[left] & judged.mask[right]
        shared = both.any(axis=1)

        def p_of(apart: Floats) -> tuple[Floats, Floats]:
            return apart.sum(axis=1), np.square(apart).sum(axis=1)

        human = normal_of_sums(*p_of(_apart(judged.ratings, judged.ratings, left, right, both)))
        cells = np.stack([judged.cells(name) for name in self.names])
        cells = standardised(cells.reshape(len(cells), -1)).reshape(cells.shape)

        def accuracy(p: Floats) -> Floats:
            return np.asarray(1 - np.abs(human[:, None] - p)[shared].mean(axis=0))

        own = [normal_of_sums(*p_of(_apart(x, x, left, right, both))) for x in cells]
        alone = accuracy(np.stack(own, axis=1))
        observed = alone[first] - alone[second]
        blocks = []
        for exchanged in self._masks():
            found = np.empty((len(first), len(exchanged)))
            if self.unit == "item":
                apart = [_apart(x, x, left, right, both) for x in cells]
                total = [x.sum(axis=1)[:, None] for x in apart]
                square = [np.square(x).sum(axis=1)[:, None] for x in apart]
                moved = [x @ exchanged.T for x in apart]
                moved_square = [np.square(x) @ exchanged.T for x in apart]
                for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                    p = [
                        normal_of_sums(total[i] - moved[i] + moved[j], square[i] - moved_square[i] + moved_square[j])
                        for i, j in ((x, y), (y, x))
                    ]
                    found[pair] = accuracy(p[0]) - accuracy(p[1])
            else:
                here, there = exchanged[:, left].T > 0, exchanged[:, right].T > 0
                for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                    table = np.array(
                        [
                            [normal_of_sums(*p_of(_apart(cells[i], cells[j], left, right, both))) for j in (x, y)]
                            for i in (x, y)
                        ]
                    )
                    at = np.arange(len(left))[:, None]
                    p_a = table[here.astype(int), there.astype(int), at]
                    p_b = table[(~here).astype(int), (~there).astype(int), at]
                    found[pair] = accuracy(p_a) - accuracy(p_b)
            blocks.append(found)
        return np.concatenate(blocks, axis=1), observed


def _in_rows(block: Floats) -> Iterator[Floats]:
    return (block[start : start + ROWS] for start in range(0, len(block), ROWS))


def _apart(one: Floats, other: Floats, left: Index, right: Index, both: np.ndarray) -> Floats:
    return np.where(both, one[left] - other[right], 0.0)


def standardised(scores: Floats) -> Floats:
    """Return scores less their mean, in standard deviations, over the last axis; NaN of constant ones."""
    centred = scores - np.nanmean(scores, axis=-1, keepdims=True)
    spread = np.sqrt(np.nanmean(np.square(centred), axis=-1, keepdims=True))
    size = 1e-9 * np.maximum(1.0, np.nanmax(np.abs(scores), axis=-1, keepdims=True))
    return np.where(spread > size, centred / np.where(spread > size, spread, 1.0), np.nan)


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
    """
    from scipy.stats import binom

    trials = only_first + only_second
    above, below = (float(binom.sf(count - 1, trials, 0.5)) for count in (only_first, only_second))
    if alternative == "two-sided":
        return min(1.0, 2 * min(above, below))
    return above if alternative == "greater" else below


def williams_p(judged: Judged, first: str, second: str, alternative: str = "two-sided") -> float:
    """Return the p of Williams's test of two metrics' correlations with people over systems."""
    scores = [judged.system_scores(name) for name in (judged.human.name, first, second)]
    r = np.asarray(np.corrcoef(np.stack(scores)))
    return williams(float(r[0, 1]), float(r[0, 2]), float(r[1, 2]), len(judged.systems), alternative).p_value
