"""Targets: scores and differences with their standard errors, degrees of freedom and resamples.

And what their units leave open: where these are few, unequal or similar, no test gives a verdict, or with a caution.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import FEWEST_DF, FEWEST_DIFFERING, normal_quantile, satterthwaite_df
from mtsig._records import Floats
from mtsig._results import Public
from mtsig.corpus import Note
from mtsig.corpus._notes import MIN_DOCUMENTS, number_of, refuse_repeated
from mtsig.errors import NotApplicable
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._sums import FEWEST_UNITS, NOISE, by_shared_units, leave_one_out, seem_correlated
from mtsig.resampling import Bootstrap, Distribution, differing_units, resample, resample_together


def df_of(statistics: Statistics) -> float:
    """Return the jackknife's degrees of freedom over the units of complete statistics, n − 1 for equal ones."""
    return statistics.n - 1.0 if statistics.sizes is None else satterthwaite_df(statistics.sizes)


FEWEST_MATCHING = 10
"""In so many units the better system must have the match that the other one lacks: with 5, .12 of verdicts erred."""


@dataclass(frozen=True)
class Unmatched:
    """What one pair lacks, whose score has no derivative at all units or without one of them.

    said: which system lacks what. doubt: why there is no verdict; empty where there can be one. difference: where the
    metric is smoothed (`Metric.smoothed`), positive when the first system is better. moved: what leaving out each unit
    does to it, shape (n,).
    """

    said: str
    data_caveat: str
    difference: float
    moved: Floats

    @property
    def error(self) -> float:
        """The standard error of that difference by the jackknife."""
        n = len(self.moved)
        return float(np.sqrt(np.square(self.moved).sum() * (n - 1) / n))


def what_is_lacking(statistics: Statistics, pair: tuple[int, int], bare: tuple[bool, bool]) -> tuple[str, str]:
    """Return what a pair of rows lacks, and why that allows no verdict; bare: whose score has no derivative."""
    metric, unit = statistics.metric, statistics.unit
    names = [repr(statistics.systems[row]) for row in pair]
    lost = [_lost(statistics, row) if without else [] for row, without in zip(pair, bare, strict=True)]
    if not any(bare) or any(without and not kinds for kinds, without in zip(lost, bare, strict=True)):
        concerned = [name for name, without in zip(names, bare, strict=True) if without] or names
        said = f"the jackknife is undefined for the {metric.name} of {' and '.join(concerned)}"
        return said, f"{said}, so its standard error cannot be estimated"
    if all(bare):
        kind = max(kinds[0] for kinds in lost)
        said = f"{names[0]} and {names[1]} have "
        some = any(_total(statistics, row, kind) for row in pair)
        said += f"{metric.matches[kind]} matches in one {unit} at most" if some else f"no {metric.matches[kind]} match"
        rest = "both scores depend on smoothing" if metric.smoothed != metric else "the jackknife is undefined for both"
        return said, f"{rest} ({said})"
    (poor, rich), kind = ((0, 1) if bare[0] else (1, 0)), max(lost)[0]
    some, name = _total(statistics, pair[poor], kind), metric.matches[kind]
    said = f"{names[poor]} has " + (f"{name} matches in one {unit} only" if some else f"no {name} match")
    ahead = statistics.scores[pair[rich]] - statistics.scores[pair[poor]]
    if (ahead if metric.higher_is_better else -ahead) <= 0:
        return said, f"{said}, and {names[rich]} does not score better"
    units = int(metric.matched(statistics.values[:, pair[rich]])[kind].sum())
    if units < FEWEST_MATCHING:
        return said, f"{said}, and {names[rich]} has such matches in only {number_of(units, unit)}"
    return said, ""


def _lost(statistics: Statistics, row: int) -> list[int]:
    """Return which kinds of matches a system has not at all, or not without some unit."""
    own = statistics.values[:, row].astype(np.float64)
    without = statistics.sums[:, row, None] - own
    return np.flatnonzero(~statistics.metric.matched(without).all(axis=-1)).tolist()


def _total(statistics: Statistics, row: int, kind: int) -> bool:
    """Return whether a system has any match of a kind."""
    return bool(statistics.metric.matched(statistics.sums[:, row])[kind])


_HELD = 2**23
"""Numbers held at a time; changes nothing but the memory used."""


def resampled_errors(
    statistics: Statistics, scheme: Bootstrap, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return the infinitesimal jackknife's standard error in every resample: of scores (s, b) and of pairs (m, b).

    SE*_b = sqrt(n/(n − 1) Σ w_i u_i²), u_i = g_b·s_i − g_b·S_b/n, g_b the gradient at the resample's totals; for a
    pair the difference of the two u_i inside (docs/statistics/intervals.md, section 3). NaN where the score has no
    derivative.
    """
    n, s = statistics.n, len(statistics.systems)
    values = statistics.values.astype(np.float64)
    magnitudes = np.abs(values)
    scores, pairs = np.empty((s, scheme.n_draws)), np.empty((len(first), scheme.n_draws))
    together = max(1, _HELD // (s * n))
    totals_of = statistics.weighted()
    done = 0
    for block in scheme.blocks(n):
        for start in range(0, len(block), together):
            weights = block[start : start + together].astype(np.float64)
            totals = totals_of(weights)
            slopes = statistics.metric.gradient(totals)
            moved = np.stack([slopes[:, row].T @ values[:, row] for row in range(s)], axis=1)
            # What rounding leaves of no spread is none: (1e-8)² of the squares of what cancels.
            size = np.stack([np.abs(slopes[:, row].T) @ magnitudes[:, row] for row in range(s)], axis=1)
            floor = 1e-16 * np.einsum("bsn,bn->bs", np.square(size), weights)
            moved -= np.einsum("ksb,ksb->bs", slopes, totals)[:, :, None] / n
            moved *= np.sqrt(weights)[:, None, :]
            # Sums of products of all pairs of systems at once; a pair's variance is a combination of three of them.
            products = moved @ moved.transpose(0, 2, 1)
            own = np.einsum("bss->bs", products)
            gaps = own[:, first] + own[:, second] - 2 * products[:, first, second]
            gaps[gaps < floor[:, first] + floor[:, second]] = 0.0
            own[own < floor] = 0.0
            stop = done + len(weights)
            scores[:, done:stop] = np.sqrt(n / (n - 1) * own).T
            pairs[:, done:stop] = np.sqrt(n / (n - 1) * np.maximum(gaps, 0.0)).T
            done = stop
    return scores, pairs


T = TypeVar("T")

PairChoice: TypeAlias = str | Sequence[tuple[str, str]]
"""The pairs to compare: "all", the name of one system to compare all others with, or a list of pairs."""


def by_part(compute: Callable[[Any], NDArray[Any]]) -> "cached_property[NDArray[Any]]":
    """Return the cached property that `compute` is on complete statistics: else it is put together part by part."""
    name = compute.__name__

    def put_together(targets: "Scores | Pairs") -> NDArray[Any]:
        if targets.statistics.available is None:
            return compute(targets)
        whole: NDArray[Any] | None = None
        for index, part in targets.parts:
            values = getattr(part, name)
            if whole is None:
                whole = np.empty((len(targets.labels), *values.shape[1:]), dtype=values.dtype)
            whole[index] = values
        return np.empty(0) if whole is None else whole

    put_together.__doc__ = compute.__doc__
    return cached_property(put_together)


class _Targets:
    """What the units of a target tell of it, be it a score or a difference."""

    if TYPE_CHECKING:

        @property
        def statistics(self) -> Statistics: ...
        @property
        def labels(self) -> tuple[Any, ...]: ...

    @by_part
    def units(self) -> NDArray[np.int64]:
        """How many units each target stands on; shape (t,)."""
        return np.full(len(self.labels), self.statistics.n)

    @by_part
    def segments(self) -> NDArray[np.int64]:
        """How many segments these units hold; shape (t,)."""
        return np.full(len(self.labels), self.statistics.n_segments)

    @by_part
    def df(self) -> NDArray[np.float64]:
        """Return the degrees of freedom of the jackknife's standard error; shape (t,)."""
        return np.full(len(self.labels), df_of(self.statistics))

    @by_part
    def span(self) -> NDArray[np.int64]:
        """Segments of the shortest and of the longest unit; shape (t, 2)."""
        return np.tile(_span_of(self.statistics), (len(self.labels), 1))


@dataclass(frozen=True, eq=False)
class Scores(_Targets):
    """The scores of the s systems, with one row of statistics for each unit."""

    statistics: Statistics
    scheme: Bootstrap
    drawn: Distribution | None = None
    """The distribution, when it was drawn together with other metrics'."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The systems."""
        return self.statistics.systems

    @cached_property
    def parts(self) -> "list[tuple[NDArray[np.int64], Scores]]":
        """Positions of systems, shape (s,) in all, and statistics, by their units."""
        if self.statistics.available is None:
            return [(np.arange(len(self.labels)), self)]
        groups = by_shared_units(self.statistics, np.arange(len(self.labels))[:, None])
        return [(group.targets, Scores(group.statistics, self.scheme)) for group in groups]

    @property
    def estimate(self) -> NDArray[np.float64]:
        """The corpus scores; shape (s,)."""
        return self.statistics.scores

    @cached_property
    def distribution(self) -> Distribution:
        """The scores of the resamples."""
        return self.drawn or resample(self.statistics, self.scheme)

    @cached_property
    def draws(self) -> NDArray[np.float64]:
        """The scores of the resamples; shape (s, b), each on the system's own units."""
        if self.statistics.available is None:
            return self.distribution.draws
        targets = np.empty((len(self.labels), self.scheme.n_draws))
        for index, _, drawn in redrawn(self.parts, self.scheme):
            targets[index] = drawn.draws
        return targets

    def draws_of(self, rows: slice) -> NDArray[np.float64]:
        """Return the scores of the resamples of some of the systems; shape (k, b)."""
        return self.draws[rows]

    @by_part
    def standard_error(self) -> NDArray[np.float64]:
        """Return the jackknife's standard errors; shape (s,), NaN where undefined."""
        errors = np.sqrt(np.square(self.moved).sum(axis=1) * (self.statistics.n - 1) / self.statistics.n)
        return without_noise(errors, self.statistics.size_of_influence)

    @by_part
    def infinitesimal_error(self) -> NDArray[np.float64]:
        """Return infinitesimal-jackknife standard errors; shape (s,), or NaN."""
        errors = np.array([jackknife_error(row) for row in self.statistics.influence])
        return without_noise(errors, self.statistics.size_of_influence)

    @property
    def moved(self) -> NDArray[np.float64]:
        """Effect of leaving out each unit on the scores; shape (s, n)."""
        return self.statistics.moved

    @cached_property
    def left_out(self) -> Sequence[NDArray[np.float64]]:
        """The scores without each of their units, one at a time: s rows of shape (n,)."""
        if self.statistics.available is not None:
            return in_place((index, part.left_out) for index, part in self.parts)
        return list(self.statistics.left_out[0])

    @by_part
    def studentized(self) -> NDArray[np.float64]:
        """(θ* − θ)/SE* of every resample; shape (s, b), NaN where SE* is 0 or unknown."""
        nobody = np.zeros(0, dtype=np.int64)
        errors, _ = resampled_errors(self.statistics, self.scheme, nobody, nobody)
        return _ratio(self.draws - self.estimate[:, None], errors)


class Whole(NamedTuple):
    """What pairs of one subset are corrected with: all pairs, and the units on which any pair differs."""

    units: NDArray[np.int64]
    pairs: int

    @classmethod
    def of(cls, parts: Sequence["Pairs"]) -> "Whole":
        """Return what the pairs of all parts have together."""
        differing = [differing_units(part.statistics, part.first, part.second) for part in parts]
        return cls(np.flatnonzero(np.any(np.concatenate(differing), axis=0)), sum(len(part.first) for part in parts))


@dataclass(frozen=True, eq=False)
class Pairs(Public, _Targets):
    """Paired differences of the systems `first` and `second`, shape (m,).

    whole: the pairs with which these are corrected, if these belong to one subset of a test set.
    """

    scores: Scores
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    whole: Whole | None = None

    @property
    def statistics(self) -> Statistics:
        """The statistics, with one row per sampling unit."""
        return self.scores.statistics

    @property
    def scheme(self) -> Bootstrap:
        """The scheme by which test sets are resampled."""
        return self.scores.scheme

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """The systems of each pair."""
        names = self.statistics.systems
        return tuple((names[x], names[y]) for x, y in zip(self.first, self.second, strict=True))

    @cached_property
    def parts(self) -> "list[tuple[NDArray[np.int64], Pairs]]":
        """Positions of pairs, shape (m,) in all, and statistics, by shared units."""
        if self.statistics.available is None:
            return [(np.arange(len(self.first)), self)]
        groups = by_shared_units(self.statistics, np.stack([self.first, self.second], axis=1))
        return [
            (group.targets, Pairs(Scores(group.statistics, self.scheme), group.members[:, 0], group.members[:, 1]))
            for group in groups
        ]

    @property
    def together(self) -> bool:
        """Whether all pairs have the same units, so resamples are joint."""
        return self.whole is None and len(self.parts) == 1

    @property
    def judged(self) -> int:
        """Number of pairs that are corrected together."""
        return len(self.first) if self.whole is None else self.whole.pairs

    @by_part
    def estimate(self) -> NDArray[np.float64]:
        """Return the differences, positive when the first system is better; shape (m,)."""
        scores = self.statistics.scores
        return sign_of(self.statistics.metric) * (scores[self.first] - scores[self.second])

    @property
    def draws(self) -> NDArray[np.float64]:
        """The differences of the resamples; shape (m, b)."""
        return self.draws_of(slice(None))

    def draws_of(self, rows: slice) -> NDArray[np.float64]:
        """Return the differences of the resamples of some of the pairs; shape (k, b)."""
        if self.statistics.available is None:
            # Soon made again from what the systems score; kept, it would be the largest of all.
            return self.scores.distribution.differences(self.first[rows], self.second[rows])
        return self._draws_by_part[rows]

    @cached_property
    def _draws_by_part(self) -> NDArray[np.float64]:
        draws = np.empty((len(self.first), self.scheme.n_draws))
        for index, part, drawn in redrawn(self.parts, self.scheme):
            draws[index] = drawn.differences(part.first, part.second)
        return draws

    @by_part
    def standard_error(self) -> NDArray[np.float64]:
        """Return jackknife standard errors of the differences; shape (m,), or NaN.

        SE² = (n − 1)/n Σ_i ((x_i − x) − (y_i − y))², x_i and y_i the scores without unit i
        (docs/statistics/documents.md, section 1).
        """
        moved, n = self.scores.moved, self.statistics.n
        sums = [np.square(moved[x] - moved[y]).sum() for x, y in zip(self.first, self.second, strict=True)]
        size = self.statistics.size_of_influence
        return without_noise(np.sqrt(np.array(sums) * (n - 1) / n), size[self.first] + size[self.second])

    @by_part
    def heaviest(self) -> NDArray[np.float64]:
        """Return each largest share of SE², its unit, and the difference without it.

        Shape (m, 3). Values are NaN if the units are segments or there is no variance. The number is that among
        the units that both systems have.
        """
        found = np.full((len(self.first), 3), np.nan)
        if self.statistics.unit == "segment":
            return found
        moved, sign = self.scores.moved, sign_of(self.statistics.metric)
        for row, (x, y) in enumerate(zip(self.first, self.second, strict=True)):
            apart = sign * (moved[x] - moved[y])
            if self.standard_error[row] > 0:
                share, at = heaviest_share(apart)
                found[row] = share, at, self.estimate[row] + apart[at]
        return found

    @cached_property
    def heaviest_name(self) -> list[str]:
        """Name of the unit with the largest share of each pair's squared SE.

        If systems lack units, numbers are not comparable, and only ids are given.
        """
        if self.statistics.available is not None:
            return in_place((index, part.heaviest_name) for index, part in self.parts)
        at, names = self.heaviest[:, 1], self.statistics.unit_names
        if names is not None:
            return ["" if np.isnan(place) else names[int(place)] for place in at]
        return ["" if np.isnan(place) else f"number {place + 1:.0f}" for place in at]

    @by_part
    def infinitesimal_error(self) -> NDArray[np.float64]:
        """Return infinitesimal-jackknife standard errors of differences; shape (m,)."""
        moved = self.statistics.influence
        errors = [jackknife_error(moved[x] - moved[y]) for x, y in zip(self.first, self.second, strict=True)]
        size = self.statistics.size_of_influence
        return without_noise(np.array(errors), size[self.first] + size[self.second])

    @cached_property
    def left_out(self) -> Sequence[NDArray[np.float64]]:
        """The differences without each of their units: m rows of shape (n,)."""
        if self.statistics.available is not None:
            return in_place((index, part.left_out) for index, part in self.parts)
        left_out, sign = self.scores.left_out, sign_of(self.statistics.metric)
        return [sign * (left_out[x] - left_out[y]) for x, y in zip(self.first, self.second, strict=True)]

    @by_part
    def studentized(self) -> NDArray[np.float64]:
        """(d* − d)/SE* of every resample; shape (m, b), NaN where SE* is 0 or unknown."""
        _, errors = resampled_errors(self.statistics, self.scheme, self.first, self.second)
        return _ratio(self.draws - self.estimate[:, None], errors)

    @cached_property
    def unmatched(self) -> tuple[Unmatched | None, ...]:
        """The kind of match that each pair lacks, if its jackknife is undefined."""
        if self.statistics.available is not None:
            return tuple(in_place((index, part.unmatched) for index, part in self.parts))
        bare = np.flatnonzero(np.isnan(self.standard_error))
        found: list[Unmatched | None] = [None] * len(self.first)
        if len(bare):
            x, y = self.first[bare], self.second[bare]
            without: NDArray[np.bool_] = np.asarray(np.isnan(self.scores.moved).any(axis=1))
            smoothed = _smoothed(self.statistics, x, y)
            for i, first, second, numbers in zip(bare, x.tolist(), y.tolist(), smoothed, strict=True):
                said = what_is_lacking(self.statistics, (first, second), (bool(without[first]), bool(without[second])))
                found[i] = Unmatched(*said, *numbers)
        return tuple(found)

    @cached_property
    def n_differing(self) -> NDArray[np.int64]:
        """Number of units on which the two systems have different statistics; shape (m,)."""
        return np.array([
            int(differing_units(self.statistics, self.first[i : i + 1], self.second[i : i + 1]).sum())
            for i in range(len(self.first))
        ])  # fmt: skip


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    ratio: NDArray[np.float64] = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return ratio


P = TypeVar("P", "Scores", "Pairs")


def draws_in_parts(targets: "Scores | Pairs") -> Iterator[NDArray[np.float64]]:
    """Yield the draws of all targets, of so many at a time as are held at once; at least of one."""
    step = max(1, _HELD // targets.scheme.n_draws)
    return (targets.draws_of(slice(at, at + step)) for at in range(0, len(targets.labels), step))


def redrawn(
    parts: Sequence[tuple[NDArray[np.int64], P]], scheme: Bootstrap
) -> Iterator[tuple[NDArray[np.int64], P, Distribution]]:
    """Yield every part with its redrawn scores; parts of the same size share their draws, which are made once."""
    by_size: dict[int, list[tuple[NDArray[np.int64], P]]] = {}
    for index, part in parts:
        by_size.setdefault(part.statistics.n, []).append((index, part))
    for same in by_size.values():
        distributions = resample_together([part.statistics for _, part in same], scheme)
        yield from ((index, part, drawn) for (index, part), drawn in zip(same, distributions, strict=True))


def in_place(parts: Iterable[tuple[NDArray[np.int64], Sequence[T]]]) -> list[T]:
    """Return what belongs to each target, in the order of the targets, from parts that name them."""
    by_index = {int(i): value for index, values in parts for i, value in zip(index, values, strict=True)}
    return [by_index[i] for i in range(len(by_index))]


def _smoothed(
    statistics: Statistics, first: NDArray[np.int64], second: NDArray[np.int64]
) -> Iterator[tuple[float, NDArray[np.float64]]]:
    """Yield for each pair its difference where the metric is smoothed, and what leaving out each unit does to it."""
    rows, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    whole = statistics.select([statistics.systems[row] for row in rows])
    smoothed, sign = replace(whole, metric=statistics.metric.smoothed), sign_of(statistics.metric)
    moved = leave_one_out(smoothed)[0] - smoothed.scores[:, None]
    for x, y in zip(places[: len(first)], places[len(first) :], strict=True):
        yield float(sign * (smoothed.scores[x] - smoothed.scores[y])), sign * (moved[x] - moved[y])


def _span_of(statistics: Statistics) -> tuple[int, int]:
    sizes = statistics.sizes
    return (1, 1) if sizes is None else (int(sizes.min()), int(sizes.max()))


def without_noise(errors: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard errors, with 0 for those that are only rounding error."""
    return np.where(errors < NOISE * size, 0.0, errors)


def heaviest_share(contributions: NDArray[np.float64]) -> tuple[float, int]:
    """Return max c²/Σ c² of contributions, and whose that is."""
    squares = np.square(contributions)
    at = int(np.argmax(squares))
    return float(squares[at] / squares.sum()), at


def jackknife_error(influence: NDArray[np.float64]) -> float:
    """Return sqrt(n/(n − 1) Σ u²) of influences that sum to 0 (docs/statistics/intervals.md, section 1)."""
    n = len(influence)
    if n < 2:
        raise NotApplicable("One unit alone shows no variation; at least 2 segments (or documents) are needed.")
    return float(np.sqrt(n / (n - 1) * np.square(influence).sum()))


def pairs_of(scores: Scores, choice: PairChoice) -> Pairs:
    """Return the chosen pairs: positions first < second for "all"; every other system first for one system's name."""
    statistics = scores.statistics
    names = statistics.systems
    if len(names) < 2:
        raise NotApplicable(f"A comparison needs two systems; found only {names[0]!r}.")
    if choice == "all" and "all" not in names:
        chosen = list(combinations(range(len(names)), 2))
    elif isinstance(choice, str):
        base = statistics.row(choice)
        chosen = [(row, base) for row in range(len(names)) if row != base]
    else:
        chosen = [(statistics.row(first), statistics.row(second)) for first, second in choice]
        if not chosen:
            raise NotApplicable("The list of pairs is empty; give at least one pair.")
    refuse_repeated([(names[x], names[y]) for x, y in chosen])
    first, second = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
    return Pairs(scores, first, second)


def with_shared_units(pairs: Pairs, asked_for: bool) -> tuple[Pairs, tuple[Note, ...]]:
    """Return the pairs that share enough units to be compared, and notes on all other pairs."""
    statistics = pairs.statistics
    if statistics.available is None:
        return pairs, ()
    shared = np.array([statistics.units_of(pair) for pair in pairs.labels])
    few = [" – ".join(pair) for pair, units in zip(pairs.labels, shared, strict=True) if units < FEWEST_UNITS]
    if few and (asked_for or len(few) == len(shared)):
        raise NotApplicable(
            f"There are too few {statistics.unit}s in which both systems have {statistics.metric.name}: "
            f"{', '.join(few)}. A comparison needs at least {FEWEST_UNITS} in common."
        )
    kept = shared >= FEWEST_UNITS
    notes: tuple[Note, ...] = ()
    if few:
        text = f"Not compared in {statistics.metric.name}, as hardly any {statistics.unit} is known for both systems: "
        notes = (Note("warning", f"{text}{', '.join(few)}.", headline="Some pairs are not compared"),)
    compared = replace(pairs, first=pairs.first[kept], second=pairs.second[kept])
    return compared, notes + _few_documents(statistics, shared[kept])


def _few_documents(statistics: Statistics, shared: NDArray[np.int64]) -> tuple[Note, ...]:
    if statistics.unit != "document" or shared.min() >= MIN_DOCUMENTS:
        return ()
    count = int((shared < MIN_DOCUMENTS).sum())
    text = f"{count} of {len(shared)} pairs share fewer than {MIN_DOCUMENTS} documents (at least {shared.min()})"
    said = f"{text}: too few for document-level inference."
    return (Note("warning", said, headline="Some pairs share few documents"),)


# --- what the units leave open --------------------------------------------------------------------------------------


class Doubt(NamedTuple):
    """Why the data allow no verdict, in words, and the name of the reason; both are empty if they allow one."""

    said: str = ""
    of: str = ""


def too_unequal(targets: Scores | Pairs) -> tuple[str, ...]:
    """Return for each target why its documents or blocks allow no verdict (Tipton 2015); "" if they allow one."""
    unit = targets.statistics.unit
    if not targets.statistics.clustered:
        return ("",) * len(targets.labels)
    spreads = zip(targets.units, targets.df, targets.span, targets.segments, strict=True)
    return tuple(
        f"{units} {unit}s of {shortest} to {longest} segments are worth about {_equal(df)} of equal length, and a "
        f"verdict needs at least {FEWEST_DF + 1}. The longest document has {longest / segments:.0%} of all segments"
        if df < FEWEST_DF
        else ""
        for units, df, (shortest, longest), segments in spreads
    )


def doubts(targets: Scores | Pairs) -> tuple[Doubt, ...]:
    """Return for each target why no test gives a verdict; empty if tests can give one."""
    # What the counts themselves leave open comes before what their spread does.
    unequal = f"unequal {targets.statistics.unit}s"
    return tuple(
        Doubt(few, unequal) if few and not counted.said else counted
        for counted, few in zip(doubts_of_counts(targets), too_unequal(targets), strict=True)
    )


def doubts_of_counts(targets: Scores | Pairs) -> tuple[Doubt, ...]:
    """Return for each target why its counts do not show which translation is better; empty if they can."""
    statistics = targets.statistics
    if statistics.data_caveat:
        return (Doubt(statistics.data_caveat.rstrip("."), "text"),) * len(targets.labels)
    shifted = {name: Doubt(said, "misaligned") for name, said in statistics.misaligned.items()}
    names = [(label,) if isinstance(label, str) else label for label in targets.labels]
    rare = _too_rare(targets) if isinstance(targets, Pairs) else [Doubt()] * len(names)
    return tuple(
        next((shifted[name] for name in pair if name in shifted), few) for pair, few in zip(names, rare, strict=True)
    )


def _too_rare(pairs: Pairs) -> Iterator[Doubt]:
    """Yield for each pair why its answers that are right or wrong allow no verdict.

    Of a system with one output per item and few wrong answers, units do not show how many there might be, and the other
    system's samples make all of them look alike. So where fewer than 10 are expected of a system if both are equal, a
    difference has to be significant by the score test of independent answers as well (docs/statistics/samples.md).
    """
    drawn, statistics = pairs.statistics.samples, pairs.statistics
    if drawn is None or not statistics.right_or_wrong:
        yield from [Doubt()] * len(pairs.labels)
        return
    z = normal_quantile(0.975)
    rows = zip(pairs.labels, pairs.segments, pairs.estimate, pairs.standard_error, strict=True)
    for pair, segments, difference, error in rows:
        n = np.array([drawn.counts[name].sum() if name in drawn.of else segments for name in pair])
        right = float(np.average(statistics.scores[[statistics.row(name) for name in pair]], weights=n))
        expected = n * min(right, 1 - right)
        by_score = np.sqrt(right * (1 - right) * (1 / n).sum())
        if expected.min() >= FEWEST_DIFFERING or not z * error < abs(difference) < z * by_score:
            yield Doubt()
            continue
        least, kind = int(expected.argmin()), "wrong" if right > 0.5 else "right"
        yield Doubt(
            f"{pair[least]} has {number_of(int(n[least]), 'answer', ',')}, and if both systems were equally accurate, "
            f"only about {expected.min():.0f} {kind} ones would be expected",
            "few answers",
        )


def _equal(df: float) -> str:
    """Return like how many equal ones, never rounded up to as many as would do."""
    return f"{df + 1:.0f}" if round(df + 1) <= FEWEST_DF else f"{df + 1:.1f}"


def cautions(targets: Scores | Pairs) -> Iterator[Note]:
    """Yield remarks on the units: each sentence once for any number of targets."""
    yield from (Note("note", text, "documents") for text in _by_order(targets.statistics))
    unequal = dict.fromkeys(too_unequal(targets))
    headline = f"{targets.statistics.unit.capitalize()}s of very unequal length"
    yield from (Note("warning", f"{text}.", headline=headline) for text in unequal if text)
    if targets.statistics.unit == "document":
        text = "Rare and atypical documents may be missing, and the intervals cannot reflect those."
        yield Note("note", text, "size", headline="Atypical documents may be missing")


def _by_order(statistics: Statistics) -> Iterator[str]:
    """Yield what the unit rests on where document ids are missing."""
    order = statistics.order
    if order is None or len(statistics.systems) < 2:
        return
    z = f"z = {order.z:.2f}"
    if statistics.unit == "block":
        of, df = (
            f"{statistics.n} blocks of about {order.segments / statistics.n:.0f} consecutive segments",
            statistics.n - 1,
        )
        if order.alike:
            yield (
                f"No document ids. Neighbouring segments {seem_correlated(order.z)} ({z}), so the test uses {of}, with "
                f"{df} degrees of freedom. Document ids would be better (one per line)."
            )
        else:
            yield f"As requested, the test uses {of}, with {df} degrees of freedom."
    elif statistics.neighbours is not None and order.known:
        yield (
            f"No document ids. The test uses segments, whose order shows no dependence ({z}). If segments of whole "
            "documents were shuffled, dependence cannot be detected."
        )


def order_facts(statistics: Statistics) -> dict[str, Any]:
    """Return what `unit_cautions` asks for of statistics."""
    order, documents = statistics.order, statistics.n_documents
    return {
        "documents": nan if documents is None else float(documents),
        "order_segments": nan if order is None else float(order.segments),
        "order_z": nan if order is None else order.z,
    }
