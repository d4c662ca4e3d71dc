"""Draw resamples of statistics by a scheme: the core of the program.

>>> import mtsig
>>> from mtsig.resampling import Bootstrap, resample
>>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
>>> resample(statistics, Bootstrap(n_draws=200)).draws.shape
(5, 200)
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, unique

import numpy as np
from numpy.typing import NDArray

from mtsig._options import check, option
from mtsig._records import Index
from mtsig._results import Public
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.metrics import Metric, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.metrics._sums import side_by_side
from mtsig.progress import report

RNG = "1"
"""Version of the scheme: PCG64 over SeedSequence children, one child per block; see `schemes` for the mappings."""


@unique
class Purpose(IntEnum):
    """Purposes of random streams other than the draws of schemes: no two purposes share random words."""

    TEST_SETS = 1
    DOCUMENTS = 2
    SEGMENTS = 3
    ORDERS = 4
    SENTENCES = 5
    JOINT_NORMAL = 6
    PAIRED_SETS = 7
    ROUNDS = 8
    RUNS = 10
    LEFT_OUT = 11
    SIGNS = 12
    DRAWN_SYSTEMS = 13
    EXCHANGED_SYSTEMS = 14
    EXCHANGED_ITEMS = 15
    EXCHANGED_CELLS = 16
    LABELS = 17
    FOLDS = 18
    REDUNDANT = 19
    SHUFFLED_SYSTEMS = 20
    SAMPLED = 21
    RANDOM_SPANS = 22


class Words:
    """The stream of raw random words of one block.

    Its seed is the one that `SeedSequence(seed).spawn` gives at this position. Blocks are independent of each other and
    of the number of blocks. Streams of another `purpose` are independent of the draws of schemes.
    """

    def __init__(self, seed: int, block: int, purpose: Purpose | None = None) -> None:
        self._bits = np.random.PCG64(
            np.random.SeedSequence(seed, spawn_key=(block,) if purpose is None else (block, int(purpose)))
        )

    def take(self, rows: int, columns: int) -> NDArray[np.uint64]:
        """Return the next words as an array of shape (rows, columns)."""
        words = self._bits.random_raw(rows * columns)
        return np.asarray(words, dtype="<u8").reshape(rows, columns)

    def halves(self, rows: int, columns: int) -> NDArray[np.uint64]:
        """Return 32-bit halves of the next words, shape (rows, columns); every row starts with a new word."""
        words = self.take(rows, -(-columns // 2))
        return words.view("<u4")[:, :columns].astype(np.uint64)

    def bits(self, rows: int, columns: int) -> NDArray[np.uint8]:
        """Return bits of the next words, shape (rows, columns), 0 or 1; every row starts with a new word."""
        words = self.take(rows, -(-columns // 64))
        return np.unpackbits(words.view(np.uint8), axis=1, count=columns, bitorder="little")

    def uniform(self, rows: int, columns: int) -> NDArray[np.float64]:
        """Return numbers between 0 and 1, both excluded, from 52 bits of each word; shape (rows, columns)."""
        return np.asarray(((self.take(rows, columns) >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52)


BLOCK = 256
"""Draws per block of random words: part of the definition, never tuned for a run."""

_CHUNK = 2**16
"""Random numbers made at a time inside a block: they then fit a processor's cache; changes no digit."""

_COUNTED = 6 * 2**10
"""Units counted at a time, of many draws when units are few; changes nothing but the time."""

_TOGETHER, _WEIGHTS = 16, 2**20
"""Blocks yielded together when units are few, and the most weights in what is yielded then.

Changes nothing but the time: many small products wait for each other's threads, sevenfold on a busy machine.
"""


_MOST = 2**25
"""Weights that are yielded at most, but for the one draw that there is at least: changes nothing but the memory used.

Test sets of 131,072 units have whole blocks of draws.
"""


@dataclass(frozen=True)
class Scheme(Public, ABC):
    """Number of draws, seed and sampling unit."""

    n_draws: int = option(10_000, "Draws", "Number of resamples.", low=10, high=10_000_000)
    seed: int = option(12345, "Seed", "Random seed; the same seed gives identical results.", low=0, high=2**63 - 1)
    unit: Unit = option(
        "auto", "Unit", "Sampling unit: documents if their ids are known and there are at least 10, else segments."
    )

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    def blocks(self, n: int) -> Iterator[NDArray[np.float32]]:
        """Yield weights of shape (b, n) that have `n_draws` rows in total.

        A row depends only on the seed, its own number and n: a shorter run is a prefix of a longer one. To bound
        memory, each yield has several blocks if units are few, and only a part of a block if units are many.
        """
        together = BLOCK * max(1, min(_TOGETHER, _WEIGHTS // (BLOCK * n)))
        most, step = max(1, min(together, _MOST // n)), max(1, _CHUNK // n)
        # Words begin anew with every block: what is yielded is whole blocks, or lies within one.
        whole = most // BLOCK * BLOCK or BLOCK
        for first in range(0, self.n_draws, whole):
            last = min(first + whole, self.n_draws)
            for start in range(first, last, min(most, whole)):
                weights = np.empty((min(most, whole, last - start), n), dtype=np.float32)
                for top in range(0, len(weights), BLOCK):
                    if (start + top) % BLOCK == 0:
                        words = Words(self.seed, (start + top) // BLOCK)
                    block = weights[top : top + BLOCK]
                    for row in range(0, len(block), step):
                        self.fill(block[row : row + step], words)
                yield weights
                report((start + len(weights)) / self.n_draws)

    @abstractmethod
    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Write the next rows of `weights`, shape (b, n), row by row from the random words."""


@dataclass(frozen=True)
class Bootstrap(Scheme):
    """Draw n units with replacement (Koehn 2004; Zhang and Vogel 2004)."""

    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Count how often each unit was drawn."""
        rows, n = weights.shape
        drawn, step = _drawn(words, rows, n), max(1, _COUNTED // n)
        if step > 1:
            drawn += n * (np.arange(rows) % step)[:, None]
        for top in range(0, rows, step):
            places = drawn[top : top + step]
            counts = np.bincount(places.ravel(), minlength=places.size)
            weights[top : top + step] = counts.reshape(places.shape)

    def picks(self, n: int, draws: int) -> NDArray[np.int64]:
        """Return the drawn units of the first resamples; shape (resamples, n).

        The counts of these units are the first rows that `blocks` yields.
        """
        return _drawn(Words(self.seed, 0), min(draws, self.n_draws, BLOCK), n)


def _drawn(words: Words, draws: int, n: int) -> NDArray[np.int64]:
    """Return n of n units for each draw: each 32-bit half h is unit (h·n) >> 32, uniform but for a bias below n/2³²."""
    units = words.halves(draws, n)
    units *= np.uint64(n)
    units >>= np.uint64(32)
    return units.view(np.int64)


@dataclass(frozen=True)
class Swap(Scheme):
    """Swap each unit's outputs with probability one half: weight 1 = swapped (Riezler and Maxwell 2005)."""

    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Take one random bit per unit."""
        weights[:] = words.bits(*weights.shape)


@dataclass(frozen=True)
class Subsample(Scheme):
    """`size` different units, drawn without replacement: weight 1 = in the subset (Zhang and Vogel 2004, section 4.1).

    Draw i of a smaller size is a subset of draw i of a larger size.
    """

    size: int = option(1, "Size", "Number of units in a subset.", low=1)

    def fill(self, weights: NDArray[np.float32], words: Words) -> None:
        """Take the units with the smallest random keys; equal keys are ordered by position."""
        rows, n = weights.shape
        keys = (words.halves(rows, n) << np.uint64(32)) | np.arange(n, dtype=np.uint64)
        if self.size >= n:
            weights[:] = 1
            return
        bound = np.partition(keys, self.size - 1, axis=1)[:, self.size - 1, None]
        weights[:] = keys <= bound


_SCORED = 2**17
"""Totals handed to `score` at a time when labels are shuffled: they then fit a processor's cache; changes no digit."""

_TOTALS = 2**22
"""Totals of all systems kept at a time while draws are made: changes nothing but the memory used."""

_TABLED = 12
"""Units whose subsets are tabled when exchanges are enumerated: 2^_TABLED of them are scored at a time."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """The scores of resampled test sets.

    observed: shape (s,), the scores of the test set itself. draws: shape (s, b), the scores of the resamples.
    statistics: the statistics that were resampled, with one row per sampling unit.
    """

    systems: tuple[str, ...]
    observed: NDArray[np.float64]
    draws: NDArray[np.float64]
    metric: Metric
    scheme: Scheme
    statistics: Statistics

    def differences(self, first: Index, second: Index) -> NDArray[np.float64]:
        """Return the paired differences of pairs of systems, draw by draw; shape (m, b).

        first, second: positions of the systems, shape (m,). A positive difference favours the first system, also if
        lower scores are better.
        """
        return sign_of(self.metric) * (self.draws[first] - self.draws[second])

    def best_rate(self, systems: Sequence[str]) -> dict[str, float]:
        """Return how often each of these systems scores best of them in resamples, ties divided."""
        rows, draws = [self.systems.index(name) for name in systems], self.draws.shape[1]
        shared = np.zeros(len(rows))
        for some in _bounded(self.statistics, draws):
            signed = sign_of(self.metric) * self.draws[rows, some]
            best = signed == signed.max(axis=0, initial=-np.inf)
            with np.errstate(invalid="ignore"):  # where there is no score
                shared += (best / best.sum(axis=0)).sum(axis=1)
        return dict(zip(systems, (shared / draws).tolist(), strict=True))


MOST_SCORES = 2**25
"""Scores of resamples kept at a time, of all systems and metrics: a quarter of a gigabyte."""


def refuse_many_scores(scores: int, draws: int) -> None:
    """Do nothing, unless so many scores of each resample are more than is kept.

    Raises
    ------
    NotApplicable
        They are.
    """
    if scores * draws > MOST_SCORES:
        raise NotApplicable(
            f"{draws:,} resamples with {number_of(scores, 'score')} each are too many. At most "
            f"{MOST_SCORES // scores:,} resamples are possible. Ask for fewer, or compare "
            "fewer systems or metrics at a time.",
            "--resamples N",
        )


def resample(statistics: Statistics, scheme: Bootstrap | Subsample) -> Distribution:
    """Compute the scores of every system on resamples of this test set.

    Parameters
    ----------
    statistics : Statistics
        The statistics that `measure` returns.
    scheme : Bootstrap or Subsample
        The resampling scheme: number of draws, seed and sampling unit.

    Returns
    -------
    drawn : Distribution
        `draws` has shape (n_systems, n_draws). All systems are scored on the same draws.

    Raises
    ------
    NotApplicable
        The unit is the document and there are too few documents, or a system lacks some units.

    See Also
    --------
    mtsig.interval : intervals based on the distribution.

    Notes
    -----
    1. Draw i depends only on the seed and on i. Fewer draws are therefore the first part of more draws, and the same
       seed gives the same draws for every metric and system.
    2. A bootstrap draws n units out of n with replacement [1]_; a subsample draws fewer units without replacement.
    3. The counts of the drawn units are summed, and the metric is computed from these sums, as on the whole test set.

    The win rate of a system is the share of resamples in which it scores higher. It is not a p-value [2]_.

    References
    ----------
    .. [1] Efron and Tibshirani (1993).
    .. [2] Koehn (2004).

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.resampling import Bootstrap, resample
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> drawn = resample(statistics, Bootstrap(n_draws=1000, seed=1, unit="document"))
    >>> drawn.draws.shape
    (5, 1000)
    >>> drawn.draws.std(axis=1).round(2).tolist()
    [1.11, 1.11, 1.13, 0.77, 0.97]
    """
    return resample_together([statistics], scheme)[0]


def resample_together(many: Sequence[Statistics], scheme: Bootstrap | Subsample) -> list[Distribution]:
    """Return a Distribution for each metric's statistics, with the same draws for all systems and metrics.

    Raises
    ------
    NotApplicable
        The statistics have different numbers of units, or a system lacks some units.
    """
    many = [statistics.at(scheme.unit) for statistics in many]
    for statistics in many:
        if statistics.available is not None:
            raise NotApplicable(
                f"Not every system has every segment of {statistics.metric.name}. Resample systems on the segments "
                "that all of them have: see shared_by()."
            )
    units = {statistics.n for statistics in many}
    if len(units) != 1:
        raise NotApplicable(f"Metrics can be resampled together only on the same units; found {sorted(units)} units.")
    refuse_many_scores(sum(len(statistics.systems) for statistics in many), scheme.n_draws)
    draws = [np.empty((len(statistics.systems), scheme.n_draws)) for statistics in many]
    totals_of = [statistics.weighted() for statistics in many]
    start = 0
    for weights in scheme.blocks(units.pop()):
        stop = start + len(weights)
        for statistics, totals, into in zip(many, totals_of, draws, strict=True):
            for some in _bounded(statistics, len(weights)):
                into[:, start:stop][:, some] = statistics.metric.score(totals(weights[some]))
        start = stop
    return [
        Distribution(counted.systems, counted.scores, draw, counted.metric, scheme, counted)
        for counted, draw in zip(many, draws, strict=True)
    ]


def shuffle(statistics: Statistics, scheme: Swap, first: Index, second: Index) -> NDArray[np.float64]:
    """Return the differences of pairs of systems after random swaps of whole units; shape (m, b).

    All pairs share one matrix of swaps. T_s is the total of system s, and U_s the part of it on swapped units. After
    the swap, the first system of a pair has T_x − U_x + U_y and the second T_y − U_y + U_x. A pair is swapped on the
    units that both systems have; on other units both systems count 0.
    """
    statistics, first, second = side_by_side(statistics.at(scheme.unit), first, second)
    null = np.empty((len(first), scheme.n_draws))
    totals_of = statistics.weighted()
    start = 0
    for exchanged in scheme.blocks(statistics.n):
        stop = start + len(exchanged)
        for some in _bounded(statistics, len(exchanged)):
            null[:, start:stop][:, some] = _exchanged(statistics, totals_of(exchanged[some]), first, second)
        start = stop
    return null


def _bounded(statistics: Statistics, draws: int) -> Iterator[slice]:
    """Yield as many draws at a time as have no more totals than are kept at once."""
    step = max(1, _TOTALS // statistics.sums.size)
    return (slice(at, at + step) for at in range(0, draws, step))


def shuffle_completely(
    statistics: Statistics, first: Index, second: Index, units: Index | None = None
) -> NDArray[np.float64]:
    """Return the differences under every swap of some units; shape (m, 2^(units − 1)).

    Swapping a set of units and swapping all other units differ only in sign, so one unit is never swapped. The first
    column has the observed differences. first, second: positions of the pairs' systems, shape (m,). units: the units to
    swap, shape (u,); if None, the units on which any pair differs.
    """
    statistics, first, second = side_by_side(statistics, first, second)
    if units is None:
        units = np.flatnonzero(np.any(differing_units(statistics, first, second), axis=0))
    rows, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    first, second = places[: len(first)], places[len(first) :]
    statistics = statistics.select([statistics.systems[row] for row in rows])
    moving = statistics.values[..., units[1:]].astype(np.float64)
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

    Units that one of the two systems lacks are excluded. first, second: positions of the systems, shape (m,).
    """
    statistics, first, second = side_by_side(statistics, first, second)
    mask = np.empty((len(first), statistics.n), dtype=bool)
    for row, (x, y) in enumerate(zip(first, second, strict=True)):
        mask[row] = np.any(statistics.values[:, x] != statistics.values[:, y], axis=0)
    return mask
