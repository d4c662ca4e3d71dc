"""Hybrids of two metrics: their scores go in, exchanged by a named unit; their differences come out.

See docs/statistics/meta-eval.md, section 6.

Scores are standardised first, so that what is exchanged is on one scale.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from mtsig._records import Floats, Index
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.meta_eval import _exchanges, _groups, _rated_data, _statistic, _systems
from mtsig.meta_eval._systems import SoftPairwiseAccuracy, normal_of_sums
from mtsig.resampling import BLOCK, Purpose, Words

ENUMERATED_SYSTEMS = 20
"""Up to so many systems all exchanges are enumerated, where they are no more than the draws, or soon done."""
SOON_DONE = 2**15

ROWS = 256
"""Exchanges whose items are held in memory at once."""


@dataclass(frozen=True, eq=False)
class Hybrids:
    """All pairs of metrics, and the exchange between the two of a pair."""

    rated: _rated_data.RatedData
    statistic: _statistic.Statistic
    names: Sequence[str]
    exchange: _exchanges.Exchange
    settings: Settings

    @property
    def pairs(self) -> tuple[Index, Index]:
        """The pairs of metrics, each once, as positions: the first and the second of each."""
        pairs = np.array(list(combinations(range(len(self.names)), 2)), dtype=np.int64)
        return pairs[:, 0], pairs[:, 1]

    def each(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of metrics."""
        return iter(zip(*(x.tolist() for x in self.pairs), strict=True))

    @property
    def units(self) -> Index:
        """The unit of each segment, shape (n,)."""
        return self.rated.units(self.settings.unit)

    @property
    def by_systems(self) -> bool:
        """Whether all scores of a system are exchanged as a whole."""
        return self.exchange.over == "systems"

    @property
    def additive(self) -> bool:
        """Whether sums of powers over all that is exchanged say everything of the statistic."""
        statistic = self.statistic
        return isinstance(statistic, _groups.SegmentPearson) and statistic.by == "none"

    @property
    def by_item(self) -> bool:
        """Whether the statistic is a mean over segments."""
        return isinstance(self.statistic, _groups.OfGroups) and self.statistic.by == "item"

    @property
    def enumerated(self) -> bool:
        """Whether all exchanges are gone through, and none drawn."""
        every = 2 ** len(self.rated.systems)
        # Statistics of segments are worked out anew for every exchange.
        soon = 0 if self.by_item else SOON_DONE
        return (
            self.exchange.enumerable
            and len(self.rated.systems) <= ENUMERATED_SYSTEMS
            and every <= max(soon, self.settings.n_resamples)
        )

    def masks(self) -> Iterator[Floats]:
        """Yield which are exchanged: rows (b, s) of systems, (b, u) of units, or (b, s, n) of cells."""
        rated, settings = self.rated, self.settings
        systems = len(rated.systems)
        if self.enumerated:
            for start in range(0, 2**systems, 2**12):
                numbers = np.arange(start, min(start + 2**12, 2**systems))[:, None]
                yield ((numbers >> np.arange(systems)) & 1).astype(np.float64)
            return
        for start in range(0, settings.n_resamples, BLOCK):
            rows, block = min(BLOCK, settings.n_resamples - start), start // BLOCK

            def bits(purpose: Purpose, size: int, rows: int = rows, block: int = block) -> Floats:
                return Words(settings.seed, block, purpose).bits(rows, size).astype(np.float64)

            yield self.exchange.mask(bits, self)

    def pooled(self, values: Floats) -> Floats:
        """Return the sums over what is exchanged as a whole: (…, n) gives (…, u) where items are."""
        units = self.units
        if self.exchange.over != "segments" or units.max() + 1 == len(units):
            return values
        return _statistic.pooled(values, units).astype(np.float64)

    def null(self) -> tuple[Floats, Floats]:
        """Return the differences under all exchanges, shape (m, b), and the observed ones on the same scale."""
        if isinstance(self.statistic, SoftPairwiseAccuracy):
            return self._soft()
        if self.by_systems and isinstance(self.statistic, _groups.OfGroups) and self.by_item:
            return self._items_of_hybrids(self.statistic)
        return self._hybrids()

    def _items_of_hybrids(self, statistic: _groups.OfGroups) -> tuple[Floats, Floats]:
        """Return what a mean over segments differs by when systems are exchanged: standardised scores.

        Both metrics' systems stand side by side, 2 s of them, and an exchange draws s, one of each. Thresholds for ties
        stay those of the metric whose scores are given away.
        """
        rated = self.rated
        human = np.concatenate([rated.ratings, rated.ratings])
        counted = statistic.counted(rated)
        scores, fitted = [], []
        for name in self.names:
            cells = rated.cells(name)
            spread = float(np.nanstd(cells)) or 1.0
            scores.append((cells - np.nanmean(cells)) / spread)
            own = statistic.fitted(rated, name)
            fitted.append(replace(own, epsilon=own.epsilon / spread) if isinstance(own, _groups.TiesEqual) else own)
        null, observed = [], []
        for x, y in self.each():
            both = np.concatenate([scores[x], scores[y]])
            a, b = (own.items_mean(human, both, counted) for own in (fitted[x], fitted[y]))

            def value(exchanged: Floats, a: _groups.ItemsMean = a, b: _groups.ItemsMean = b) -> Floats:
                kept, given = np.hstack([1 - exchanged, exchanged]), np.hstack([exchanged, 1 - exchanged])
                return a(kept) - b(given)

            observed.append(value(np.zeros((1, len(rated.systems))))[0])
            parts = (block[at : at + ROWS] for block in self.masks() for at in range(0, len(block), ROWS))
            null.append(np.concatenate(list(map(value, parts))))
        return np.stack(null), np.array(observed)

    def _hybrids(self) -> tuple[Floats, Floats]:
        rated, statistic = self.rated, self.statistic
        first, second = self.pairs
        if self.by_systems and not self.additive:
            scores = np.stack([rated.system_scores(name) for name in self.names])
            scores = on_one_scale(scores)[..., None]
            mask = np.ones_like(scores[0], dtype=bool)
        else:
            scores = np.stack([rated.parts(name) for name in self.names])
            scores = on_one_scale(scores.reshape(len(scores), -1)).reshape(scores.shape)
            mask = rated.mask
        values = np.where(mask, scores, 0.0)
        powers = [values]
        # Sums of powers over all that is exchanged say everything of a correlation, whatever the pair of metrics.
        additive = self.additive or (type(statistic) is _systems.Pearson and self.by_systems)
        if additive:
            people = rated.ratings if self.additive else rated.system_scores(rated.human.name)[:, None]
            human = np.where(mask, people - np.nanmean(people), 0.0)
            powers = [values, values**2, values * human]
        powers = [self.pooled(x) for x in powers]

        def sums(x: Floats, exchanged: Floats | None) -> Floats:
            """Return the sums of what is exchanged over segments, (metrics, s, b); over everything, (metrics, b)."""
            if additive:
                if exchanged is None:
                    return np.asarray(x.sum(axis=(1, 2))[:, None])
                along = {"segments": 1, "systems": 2}.get(self.exchange.over)
                kept = x.reshape(len(x), -1) if along is None else x.sum(axis=along)
                return np.asarray(kept @ exchanged.reshape(len(exchanged), -1).T)
            if exchanged is None:
                return np.asarray(x.sum(axis=-1)[..., None])
            if exchanged.ndim == 3:
                return np.asarray(np.einsum("bst,mst->msb", exchanged, x, optimize=True))
            if self.by_systems:
                return np.asarray(x.sum(axis=-1)[..., None] * exchanged.T)
            return np.asarray(x @ exchanged.T)

        def value(totals: Sequence[Floats]) -> Floats:
            """Return the statistic of sums (m, s, b), or (m, b): shape (m, b)."""
            if additive:
                people_sums = np.array([human.sum(), np.square(human).sum()])
                total, square, product = totals
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
            if not isinstance(statistic, _systems.OfSystems):
                raise InvalidOption(f"{statistic.name} is not compared by {self.exchange.exchanged}.")
            means = totals[0] / mask.sum(axis=1)[:, None]
            people = rated.system_scores(rated.human.name)[:, None]
            shape = means.shape[0], means.shape[2]
            flat = means.transpose(1, 0, 2).reshape(means.shape[1], -1)
            people = np.broadcast_to(people, flat.shape)
            ones = np.ones((flat.shape[1], flat.shape[0]))
            return statistic.of(people, flat, ones).reshape(shape)

        whole = [sums(x, None) for x in powers]
        alone = value(whole)[:, 0]
        observed = alone[first] - alone[second]
        blocks = []
        for exchanged in self.masks():
            moved = [sums(x, exchanged) for x in powers]
            null = np.empty((len(first), len(exchanged)))
            for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                both = [np.stack([t[x] - u[x] + u[y], t[y] - u[y] + u[x]]) for t, u in zip(whole, moved, strict=True)]
                a, b = value(both)
                null[pair] = a - b
            blocks.append(null)
        return np.concatenate(blocks, axis=1), observed

    def _soft(self) -> tuple[Floats, Floats]:
        """Return what soft pairwise accuracy differs by: p-values by the normal limit, standardised scores."""
        rated = self.rated
        left, right = rated.pairs
        first, second = self.pairs
        both = rated.mask[left] & rated.mask[right]
        shared = both.any(axis=1)

        def p_of(apart: Floats) -> tuple[Floats, Floats]:
            return apart.sum(axis=1), np.square(apart).sum(axis=1)

        units = rated.units("document") if getattr(self.statistic, "unit", "") == "document" else None

        def of_units(own: Floats, other: Floats) -> Floats:
            """Return the pairs' differences of what is turned as a whole in their p-values."""
            apart = np.where(both, own[left] - other[right], 0.0)
            return apart if units is None else _statistic.pooled(apart, units).astype(np.float64)

        human = normal_of_sums(*p_of(of_units(rated.ratings, rated.ratings)))
        cells = np.stack([rated.parts(name) for name in self.names])
        cells = on_one_scale(cells.reshape(len(cells), -1)).reshape(cells.shape)

        def accuracy(p: Floats) -> Floats:
            return np.asarray(1 - np.abs(human[:, None] - p)[shared].mean(axis=0))

        apart = [of_units(x, x) for x in cells]
        alone = accuracy(np.stack([normal_of_sums(*p_of(x)) for x in apart], axis=1))
        observed = alone[first] - alone[second]
        total = [x.sum(axis=1)[:, None] for x in apart]
        square = [np.square(x).sum(axis=1)[:, None] for x in apart]
        # By systems an exchanged pair's difference is of two metrics, if one of its systems is exchanged alone.
        mixed = [[normal_of_sums(*p_of(of_units(x, y))) for y in cells] for x in cells] if self.by_systems else []
        by_unit, square_by_unit = apart, [np.square(x) for x in apart]
        if units is None:
            by_unit, square_by_unit = [self.pooled(x) for x in by_unit], [self.pooled(x) for x in square_by_unit]
        blocks = []
        for exchanged in self.masks():
            null = np.empty((len(first), len(exchanged)))
            if self.exchange.over == "segments":
                moved, moved_square = ([x @ exchanged.T for x in every] for every in (by_unit, square_by_unit))
                for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                    p = [
                        normal_of_sums(total[i] - moved[i] + moved[j], square[i] - moved_square[i] + moved_square[j])
                        for i, j in ((x, y), (y, x))
                    ]
                    null[pair] = accuracy(p[0]) - accuracy(p[1])
            else:
                here, there = exchanged[:, left].T > 0, exchanged[:, right].T > 0
                at = np.arange(len(left))[:, None]
                for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                    table = np.array([[mixed[i][j] for j in (x, y)] for i in (x, y)])
                    p_a = table[here.astype(int), there.astype(int), at]
                    p_b = table[(~here).astype(int), (~there).astype(int), at]
                    null[pair] = accuracy(p_a) - accuracy(p_b)
            blocks.append(null)
        return np.concatenate(blocks, axis=1), observed


def on_one_scale(scores: Floats) -> Floats:
    """Return scores less their mean, in standard deviations, over the last axis; NaN of constant ones."""
    centred = scores - np.nanmean(scores, axis=-1, keepdims=True)
    spread = np.sqrt(np.nanmean(np.square(centred), axis=-1, keepdims=True))
    size = 1e-9 * np.maximum(1.0, np.nanmax(np.abs(scores), axis=-1, keepdims=True))
    return np.where(spread > size, centred / np.where(spread > size, spread, 1.0), np.nan)
