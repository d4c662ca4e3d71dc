"""Draws: statistics and a scheme go in; scores of redrawn test sets, or of exchanged labels, come out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Index
from mtsig.errors import NotApplicable
from mtsig.metrics import Metric, Statistics, side_by_side
from mtsig.resampling.schemes import Bootstrap, Scheme, Subsample, Swap

_SCORED = 2**17
"""Totals handed to `score` at a time when labels are shuffled: they then fit a processor's cache; changes no digit."""

_TABLED = 12
"""Units whose subsets are tabled when exchanges are enumerated: 2^_TABLED of them are scored at a time."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """The scores of redrawn test sets.

    observed: shape (s,), the scores of the test set itself. draws: shape (s, b), the scores of redrawn ones.
    statistics: what was redrawn, at the unit that was drawn.
    """

    systems: tuple[str, ...]
    observed: NDArray[np.float64]
    draws: NDArray[np.float64]
    metric: Metric
    scheme: Scheme
    statistics: Statistics

    def differences(self, first: Index, second: Index) -> NDArray[np.float64]:
        """Return the paired differences of pairs of systems, draw by draw; shape (m, b).

        first, second: positions of the systems, shape (m,). Positive favours the first system, also for metrics where
        lower is better.
        """
        return sign_of(self.metric) * (self.draws[first] - self.draws[second])


def sign_of(metric: Metric) -> int:
    """Return 1, or −1 for metrics where lower is better: the one place where that sign is turned.

    >>> import mtsig
    >>> from mtsig.resampling import sign_of
    >>> sign_of(mtsig.metric("bleu")), sign_of(mtsig.metric("ter"))
    (1, -1)
    """
    return 1 if metric.higher_is_better else -1


def resample(statistics: Statistics, scheme: Bootstrap | Subsample) -> Distribution:
    """Return the scores of every system on every test set that the scheme draws.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.resampling import Bootstrap, resample
    >>> resampled = resample(statistics, Bootstrap(n_draws=200))
    >>> resampled.draws.shape, resampled.systems[0]
    ((5, 200), 'direct-us')

    Raises:
        NotApplicable: the scheme's unit is the document and there are too few of them.
    """
    return resample_together([statistics], scheme)[0]


def resample_together(many: Sequence[Statistics], scheme: Bootstrap | Subsample) -> list[Distribution]:
    """Return a Distribution for each metric's statistics: one set of draws for all systems and metrics.

    >>> import mtsig
    >>> from mtsig.resampling import Bootstrap, resample_together
    >>> corpus = mtsig.read_sample()
    >>> both = [mtsig.measure(corpus, name) for name in ("bleu", "ter")]
    >>> [resampled.draws.shape for resampled in resample_together(both, Bootstrap(n_draws=200))]
    [(5, 200), (5, 200)]

    Raises:
        NotApplicable: the statistics do not stand on the same number of units, or a system lacks some.
    """
    many = [statistics.at(scheme.unit) for statistics in many]
    for statistics in many:
        if statistics.available is not None:
            raise NotApplicable(
                f"Not every system has every segment of {statistics.metric.name}; redraw systems on the segments that "
                "all of them have: see shared_by()."
            )
    units = {statistics.n for statistics in many}
    if len(units) != 1:
        raise NotApplicable(f"Metrics can be resampled together only on the same units; found {sorted(units)} units.")
    draws = [np.empty((len(statistics.systems), scheme.n_draws)) for statistics in many]
    totals_of = [statistics.weighted() for statistics in many]
    start = 0
    for weights in scheme.blocks(units.pop()):
        stop = start + len(weights)
        for statistics, totals, into in zip(many, totals_of, draws, strict=True):
            into[:, start:stop] = statistics.metric.score(totals(weights))
        start = stop
    return [
        Distribution(counted.systems, counted.scores, draw, counted.metric, scheme, counted)
        for counted, draw in zip(many, draws, strict=True)
    ]


def shuffle(statistics: Statistics, scheme: Swap, first: Index, second: Index) -> NDArray[np.float64]:
    """Return the differences of pairs of systems after exchanging their labels on random units; shape (m, b).

    One matrix of exchanges serves all pairs. With U_s the part of system s's totals that lies on exchanged units and
    T_s its totals, the first system of a pair becomes T_x − U_x + U_y and the second T_y − U_y + U_x (RM05 figure 1).
    A pair is exchanged on the units that both systems have; on the others both count nothing, exchanged or not.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> import numpy as np
    >>> from mtsig.resampling import Swap, shuffle
    >>> shuffle(statistics, Swap(n_draws=100), np.array([0]), np.array([1])).shape
    (1, 100)
    """
    statistics, first, second = side_by_side(statistics.at(scheme.unit), first, second)
    null = np.empty((len(first), scheme.n_draws))
    totals_of = statistics.weighted()
    start = 0
    for exchanged in scheme.blocks(statistics.n):
        stop = start + len(exchanged)
        null[:, start:stop] = _exchanged(statistics, totals_of(exchanged), first, second)
        start = stop
    return null


def shuffle_completely(statistics: Statistics, first: Index, second: Index) -> NDArray[np.float64]:
    """Return the differences under every exchange of the units on which some pair differs; shape (m, 2^(units − 1)).

    Exchanging a set of units or all the others turns the sign and nothing else, so one unit stays in place. The first
    column holds the observed differences. first, second: positions of the pairs' systems, shape (m,).

    >>> import mtsig
    >>> import numpy as np
    >>> from mtsig.resampling import shuffle_completely
    >>> corpus = mtsig.Corpus.of({"A": ["a b", "c d", "e"], "B": ["a", "c", "e"]}, {"ref": ["a b", "c d", "e"]})
    >>> shuffle_completely(mtsig.measure(corpus, "chrf"), np.array([0]), np.array([1])).shape
    (1, 2)
    """
    statistics, first, second = side_by_side(statistics, first, second)
    rows, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    first, second = places[: len(first)], places[len(first) :]
    statistics = statistics.select([statistics.systems[row] for row in rows])
    units = np.flatnonzero(np.any(differing_units(statistics, first, second), axis=0))[1:]
    moving = statistics.values[..., units].astype(np.float64)
    # Sums over all subsets of the first units, once; every subset of the others is added to all of them.
    table = _subset_sums(moving[..., :_TABLED])
    offsets = _subset_sums(moving[..., _TABLED:])
    size = table.shape[-1]
    null = np.empty((len(first), size * offsets.shape[-1]))
    for part in range(offsets.shape[-1]):
        moved = table + offsets[..., part, None]
        null[:, part * size : (part + 1) * size] = _exchanged(statistics, moved, first, second)
    return null


def _subset_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums over every subset of the last axis, shape (…, 2^units); the empty subset comes first."""
    sums = np.zeros((*values.shape[:-1], 1))
    for unit in range(values.shape[-1]):
        sums = np.concatenate([sums, sums + values[..., unit, None]], axis=-1)
    return sums


def _exchanged(statistics: Statistics, moved: NDArray[np.float64], first: Index, second: Index) -> NDArray[np.float64]:
    """Return the differences (m, b) when the totals `moved` (k, s, b) change sides within each pair."""
    score, sign, sums = statistics.metric.score, sign_of(statistics.metric), statistics.sums[..., None]
    differences = np.empty((len(first), moved.shape[-1]))
    step = max(1, _SCORED // (moved.shape[0] * moved.shape[-1]))
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        x, y = first[part], second[part]
        gained = moved[:, y]
        gained -= moved[:, x]
        better = score(sums[:, x] + gained)
        np.subtract(sums[:, y], gained, out=gained)
        np.subtract(better, score(gained), out=differences[part])
    differences *= sign
    return differences


def differing_units(statistics: Statistics, first: Index, second: Index) -> NDArray[np.bool_]:
    """Return on which units the two systems of each pair have different statistics; shape (m, n).

    Units that one of the two lacks are none of the pair's. first, second: positions of the systems, shape (m,).

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> import numpy as np
    >>> from mtsig.resampling import differing_units
    >>> differing_units(statistics.at("segment"), np.array([0]), np.array([1])).shape
    (1, 200)
    """
    statistics, first, second = side_by_side(statistics, first, second)
    mask = np.empty((len(first), statistics.n), dtype=bool)
    for row, (x, y) in enumerate(zip(first, second, strict=True)):
        mask[row] = np.any(statistics.values[:, x] != statistics.values[:, y], axis=0)
    return mask
