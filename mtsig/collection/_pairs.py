"""A pair over sets: statistics of every set go in; its differences, what each unit moves, and averages come out."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import FEWEST_DF, f_above, satterthwaite_df
from mtsig._records import Floats, Index, Mask, distinct
from mtsig._results import Public
from mtsig.collection._sets import SetStatistics
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import MtsigError
from mtsig.inference._corrections import HOTELLING, WELCH, hotelling, welch
from mtsig.inference._targets import Pairs, Scores, Unmatched, pairs_of
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import ResolvedUnit, Unit
from mtsig.metrics._sums import block_places, blocks_of
from mtsig.resampling import Bootstrap

_Key: TypeAlias = tuple[str | int | None, ...]
"""What a unit is known by: the same in several sets where it is the same unit."""


@dataclass(frozen=True, eq=False)
class SharedUnits:
    """Which units the sets have, each numbered once over all sets.

    of: set -> the numbers of its units, shape (units,), in the order of its statistics at the unit of inference.
    kinds: set -> segment, block or document. by_id: documents that were matched by their ids alone. blocks_of: set ->
    the number of the block of every segment, of the sets whose units are blocks. whole: whether the sets are parts
    whose statistics number units as the whole test set does.
    """

    of: Mapping[str, NDArray[np.int64]]
    kinds: Mapping[str, ResolvedUnit]
    by_id: int
    blocks_of: Mapping[str, Index] = field(default_factory=dict)
    whole: bool = False

    def at(self, name: str, statistics: Statistics) -> Statistics:
        if name not in self.blocks_of or statistics.clustered:
            return statistics.at(self.kinds[name])
        return replace(statistics.summed_by(self.blocks_of[name], "block"), neighbours=statistics.order)

    def grouped(self, name: str, statistics: Statistics) -> Statistics:
        """Return the statistics of a set by segment, with its blocks in the place of documents where it has some."""
        blocks = self.blocks_of.get(name)
        return statistics if blocks is None else replace(statistics, document_of=blocks)

    @cached_property
    def shared(self) -> int:
        """How many units are in more than one set."""
        return int(np.count_nonzero(np.bincount(np.concatenate(list(self.of.values()))) > 1))

    def blocks(self, names: Sequence[str]) -> list[list[str]]:
        """Return the sets in blocks: those that share a unit, directly or through others, are in one."""
        return [[names[i] for i in block] for block in joined([self.of[name] for name in names])]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is one unit in several sets, and what that rests on."""
        kinds = set(self.kinds.values())
        kind = "document" if "document" in kinds else "block" if "block" in kinds else "segment"
        notes = []
        if self.shared:
            together = sum(len(block) for block in self.blocks(list(self.of)) if len(block) > 1)
            verb = "occurs" if self.shared == 1 else "occur"
            count = number_of(self.shared, kind, ",")
            notes.append(f"{count} {verb} in several of {together} sets; each is one unit in all these sets.")
        if self.by_id:
            verb = "is" if self.by_id == 1 else "are"
            notes.append(
                f"{number_of(self.by_id, 'document', ',')} {verb} matched between sets by id alone, because there are "
                "no source lines to compare."
            )
        return tuple(Note("note", text) for text in notes)


def joined(units: Sequence[NDArray[np.int64]]) -> list[list[int]]:
    """Return the numbers of the sets of units in blocks that share none, in the order of their first sets."""
    block = list(range(len(units)))
    first: dict[int, int] = {}
    # Most units of most collections are in one set, and join nothing.
    common = np.bincount(np.concatenate(units)) > 1
    for number, own in enumerate(units):
        shared = own[common[own]].tolist()
        met = {block[first[unit]] for unit in shared if unit in first} | {number}
        block = [min(met) if index in met else index for index in block]
        for unit in shared:
            first.setdefault(unit, number)
    return [[i for i, group in enumerate(block) if group == number] for number in dict.fromkeys(block)]


def units_over(statistics: SetStatistics, unit: Unit = "auto", *, by_order: bool = True) -> SharedUnits:
    """Return the units of all sets, numbered as they first appear.

    A document is the same in several sets when it has the same id and the same source lines; by the id alone where one
    of the sets that have it has no source. A segment is when the sources of the whole sets are the same, by its
    position. Sets of the same sources of which one is judged by blocks are all cut at the same places, into as many
    blocks as that of them with the fewest. by_order: as for `Statistics.at`.
    """
    kinds: dict[str, ResolvedUnit] = {
        name: statistics_of.at(unit, by_order=by_order).unit for name, statistics_of in statistics.of.items()
    }
    blocks = _blocks(statistics, kinds)
    kinds |= dict.fromkeys(blocks, "block")
    keys: dict[str, list[_Key]] = {
        name: _documents(statistics.sets[name], part)
        if kinds[name] == "document"
        else _segments(statistics, name, blocks.get(name))
        for name, part in statistics.of.items()
    }
    by_id: Counter[str | int | None] = Counter()
    if statistics.sharing == "separate":
        keys = {name: [(name, *own) for own in many] for name, many in keys.items()}
    else:
        # An id that a set without source has cannot be told apart by source lines in the others.
        bare = {key[1] for many in keys.values() for key in many if key[0] == "document" and key[2] is None}
        for name, many in keys.items():
            keys[name] = [key[:2] if key[0] == "document" and key[1] in bare else key for key in many]
            by_id.update(key[1] for key in keys[name] if key[0] == "document" and len(key) == 2)
    numbers: dict[_Key, int] = {}
    units = {
        name: np.array([numbers.setdefault(key, len(numbers)) for key in many], dtype=np.int64)
        for name, many in keys.items()
    }
    # What is not counted may empty a block: in their set they are numbered from 0 on, as documents are.
    numbered = {name: np.unique(places, return_inverse=True)[1] for name, places in blocks.items()}
    return SharedUnits(units, kinds, sum(count > 1 for count in by_id.values()), numbered)


def _blocks(statistics: SetStatistics, kinds: Mapping[str, ResolvedUnit]) -> dict[str, Index]:
    """Return the number of the block of every segment, of the sets whose units are blocks."""
    by_source: dict[str, list[str]] = {}
    for name in statistics.of:
        by_source.setdefault(_source(statistics, name), []).append(name)
    found: dict[str, Index] = {}
    for names in by_source.values():
        parts = {name: statistics.of[name] for name in names}
        own = {name: blocks_of(part) for name, part in parts.items() if kinds[name] == "block" and not part.clustered}
        if not own or len(names) == 1 or any(kinds[name] == "document" or parts[name].clustered for name in names):
            found |= own
            continue
        fewest = min(int(places.max()) + 1 for places in own.values())
        for name in names:
            places = block_places(len(statistics.sets[name]), fewest)
            numbers = statistics.of[name].numbers
            found[name] = places if numbers is None else places[numbers]
    return found


def _source(statistics: SetStatistics, name: str) -> str:
    """Return what sets of the same sources have in common; where sets are separate, or have none, their name."""
    sources = statistics.sets[name].segments.sources
    return f"set {name}" if sources is None or statistics.sharing == "separate" else _digest(sources)


def with_few_documents(statistics: SetStatistics, units: SharedUnits) -> list[str]:
    """Return the sets whose segments are units though they have documents, beside sets whose documents are units."""
    few = [name for name, kind in units.kinds.items() if kind == "segment" and statistics.sets[name].documents]
    return few if "document" in units.kinds.values() else []


def _documents(corpus: Corpus, statistics: Statistics) -> list[_Key]:
    """Return ("document", id, digest of its source lines or None) of every document that is counted."""
    names, sources = corpus.documents or (), corpus.segments.sources
    lines: dict[str, list[str]] = {}
    for i, name in enumerate(names):
        lines.setdefault(name, []).append("" if sources is None else sources[i])
    counted = range(len(corpus)) if statistics.numbers is None else statistics.numbers.tolist()
    return [
        ("document", name, None if sources is None else _digest(lines[name]))
        for name in dict.fromkeys(names[i] for i in counted)
    ]


def _segments(statistics: SetStatistics, name: str, blocks: Index | None) -> list[_Key]:
    """Return ("segment", the set's source digest or its name, position) of every segment, or block, that is counted."""
    corpus, part, where = statistics.sets[name], statistics.of[name], _source(statistics, name)
    if part.clustered:
        return [("block", where, part.n, i) for i in range(part.n)]
    counted = range(len(corpus)) if part.numbers is None else part.numbers.tolist()
    if blocks is None:
        return [("segment", where, i) for i in counted]
    return [("block", where, int(blocks.max()) + 1, i) for i in np.unique(blocks).tolist()]


def _digest(lines: Sequence[str]) -> str:
    digest = hashlib.sha256(str(list(map(len, lines))).encode())
    digest.update("".join(lines).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def part_within(
    statistics: Statistics, wanted: Mask, systems: Sequence[str], unit: ResolvedUnit
) -> tuple[Statistics, NDArray[np.int64]]:
    """Return systems on the segments that all of them have among those wanted, and the numbers of the units.

    wanted: shape (n,). The numbers are those of segments, or of documents or blocks where these are the units.
    """
    chosen = statistics.select(list(systems))
    have = np.ones(chosen.values.shape[1:], dtype=bool) if chosen.available is None else chosen.available
    inside = have.all(axis=0) & wanted
    if inside.all() and statistics.clustered and statistics.document_of is None:
        # Documents that were summed when they were counted: there are no segments to take away.
        return chosen, np.arange(chosen.n, dtype=np.int64)
    part = replace(chosen, available=np.stack([inside] * len(systems))).shared_by(list(systems))
    units = np.flatnonzero(inside)
    if unit != "segment" and statistics.document_of is not None:
        part, units = part.again_by(unit), np.unique(statistics.document_of[inside]).astype(np.int64)
    return part, units


T = TypeVar("T")

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class PairOverSets(Public):
    """The differences of a pair on J sets, and each of K units' effect on them.

    second: "" for a single system, whose scores replace the differences. names: the sets. differences, errors, df,
    segments: shape (J,), from the jackknife on each set. lacks: the reason why the jackknife is undefined on a set;
    otherwise `None`. own: the numbers of each set's units among the K units. moved: the change of d_j when each of
    these units is left out. sizes: the number of segments of each unit in set j. A full table would be mostly empty if
    sets share few units.
    """

    first: str
    second: str
    names: tuple[str, ...]
    differences: Floats
    errors: Floats
    df: Floats
    segments: NDArray[np.int64]
    own: tuple[NDArray[np.intp], ...]
    moved: tuple[Floats, ...]
    sizes: tuple[Floats, ...]
    lacks: tuple[Unmatched | None, ...] = ()

    @property
    def smoothed(self) -> "PairOverSets | None":
        """The smoothed differences, if the jackknife is undefined on a set, or None."""
        if not np.isnan(self.errors).any() or not any(self.lacks):
            return None
        return replace(
            self,
            differences=np.array([lack.difference if lack else d for lack, d in self._beside(self.differences)]),
            errors=np.array([lack.error if lack else error for lack, error in self._beside(self.errors)]),
            moved=tuple(lack.moved if lack else moved for lack, moved in self._beside(self.moved)),
            lacks=(),
        )

    def _beside(self, values: Iterable[T]) -> Iterator[tuple[Unmatched | None, T]]:
        return zip(self.lacks, values, strict=True)

    def table(self, block: Sequence[int]) -> tuple[Floats, Floats]:
        """Return each unit's effect on the differences; shape (sets, units)."""
        known, place = np.unique(np.concatenate([self.own[j] for j in block]), return_inverse=True)
        ends = np.cumsum([len(self.own[j]) for j in block])[:-1]
        moved, sizes = np.zeros((2, len(block), len(known)))
        for row, (j, at) in enumerate(zip(block, np.split(place.reshape(-1), ends), strict=True)):
            moved[row, at], sizes[row, at] = self.moved[j], self.sizes[j]
        return moved, sizes

    def scaled(self, block: Sequence[int]) -> Floats:
        """Return these effects times √((K_j − 1)/K_j); shape (sets, units).

        This matrix times its transpose is V, the covariance matrix.
        """
        units = np.array([len(self.own[j]) for j in block])[:, None]
        return np.asarray(self.table(block)[0] * np.sqrt((units - 1) / units))

    @property
    def covariance(self) -> Floats:
        """The jackknife covariance matrix V of the differences; shape (J, J)."""
        matrix = np.zeros((len(self.names), len(self.names)))
        for block in self.blocks:
            scaled = self.scaled(block)
            matrix[np.ix_(block, block)] = scaled @ scaled.T
        return matrix

    @cached_property
    def blocks(self) -> list[list[int]]:
        """The sets, grouped into blocks such that sets of different blocks share no unit."""
        return joined(self.own)

    @property
    def shares_units(self) -> bool:
        """Whether any unit is in two sets."""
        return len(self.blocks) < len(self.names)

    @property
    def inflation(self) -> float:
        """How much generalised least squares with estimated V understates variance.

        For n degrees of freedom and J sets, it is n/(n − J + 1)·(n − 1)/(n − J); 1 without shared units, ∞ if n ≤ J.
        """
        factors = [1.0]
        for block in self.blocks:
            count = len(block)
            if count > 1:
                n = satterthwaite_df(self.table(block)[1].sum(axis=0))
                factors.append(n / (n - count + 1) * (n - 1) / (n - count) if n > count else np.inf)
        return float(max(factors))

    @property
    def n_units(self) -> int:
        """The number of distinct units in all sets."""
        return len(distinct(np.concatenate(self.own)))

    @property
    def n_differing(self) -> int:
        """The number of units that affect any of the differences."""
        return len(distinct(np.concatenate([own[moved != 0] for own, moved in zip(self.own, self.moved, strict=True)])))


def scores_in_sets(statistics: SetStatistics, units: SharedUnits) -> dict[str, Scores]:
    """Return the scores of the sets in which every system has every unit: what a unit moves is one for all pairs."""
    at = {name: units.at(name, of_set) for name, of_set in statistics.of.items()}
    return {name: Scores(of_set, Bootstrap()) for name, of_set in at.items() if of_set.available is None}


def pair_over_sets(
    statistics: SetStatistics,
    units: SharedUnits,
    systems: Sequence[str],
    names: Sequence[str],
    known: Mapping[str, Scores] = MappingProxyType({}),
) -> PairOverSets:
    """Return a pair over the named sets, which have both systems; of one alone its score in place of a difference."""
    parts: list[tuple[Scores | Pairs, NDArray[np.int64]]] = []
    errors: list[float] = []
    for name in names:
        counted = units.grouped(name, statistics.of[name])
        whole = np.ones(counted.values.shape[-1], dtype=bool)
        try:
            if name in known:
                scores, own = known[name], units.of[name]
            else:
                part, own = part_within(counted, whole, systems, units.kinds[name])
                scores = Scores(part, Bootstrap())
            targets = scores if len(systems) == 1 else pairs_of(scores, [(systems[0], systems[1])])
            errors.append(targets.standard_error[0])  # which needs two units
        except MtsigError as error:
            raise type(error)(f"{name}: {error}") from None
        # All pairs that have every unit have the same array.
        known_as = units.of[name]
        parts.append((targets, known_as if len(own) == len(known_as) else own if units.whole else known_as[own]))
    return PairOverSets(
        systems[0],
        systems[1] if len(systems) == 2 else "",
        tuple(names),
        differences=np.array([targets.estimate[0] for targets, _ in parts]),
        errors=np.array(errors),
        df=np.array([targets.df[0] for targets, _ in parts]),
        segments=np.array([targets.segments[0] for targets, _ in parts]),
        own=tuple(own for _, own in parts),
        # What is the same in both systems but for rounding is the same.
        moved=tuple(_moved(part) * (error != 0) for (part, _), error in zip(parts, errors, strict=True)),
        sizes=tuple(_sizes(part) for part, _ in parts),
        lacks=tuple(part.unmatched[0] if isinstance(part, Pairs) else None for part, _ in parts),
    )


def _moved(targets: Scores | Pairs) -> Floats:
    """Return what leaving out each unit does to the score, or to the difference of two."""
    if isinstance(targets, Scores):
        return np.asarray(targets.moved[0])
    left_out = targets.scores.moved
    first, second = left_out[targets.first[0]], left_out[targets.second[0]]
    return np.asarray(sign_of(targets.statistics.metric) * (first - second))


def _sizes(targets: Scores | Pairs) -> Floats:
    """Return how many segments each unit holds."""
    sizes = targets.statistics.sizes
    return np.broadcast_to(1.0, targets.statistics.n) if sizes is None else sizes.astype(np.float64)


def average(pair: PairOverSets, weights: Floats) -> tuple[float, float, float]:
    """Return the weighted mean of the differences, its standard error and its degrees of freedom.

    d̄ = Σ w_j d_j. Unit u is left out of every set that has it: c_u = Σ_j w_j √((K_j − 1)/K_j)(d_j(−u) − d_j) and
    SE² = Σ_u c_u². Sets that share units, if through others, are a block g with v_g = Σ_{u ∈ g} c_u², ν_g of
    `satterthwaite_df` for units of Σ_{j ∈ g} w_j m_ju/M_j; ν = (Σ v_g)²/Σ v_g²/ν_g (docs/statistics/sets.md, section
    2). One set alone has its own SE and ν, sets without a common unit √(Σ w_j² SE_j²).
    """
    variances, df = [], []
    for block in pair.blocks:
        w = weights[block]
        if len(block) == 1:
            variances.append(float(np.square(w[0] * pair.errors[block[0]])))
            df.append(float(pair.df[block[0]]))
            continue
        variances.append(float(np.square(w @ pair.scaled(block)).sum()))
        sizes = pair.table(block)[1]
        df.append(satterthwaite_df(w @ (sizes / sizes.sum(axis=1, keepdims=True))))
    v = np.array(variances)
    total = float(v.sum())
    # Without any spread every unit counts alike.
    spread = float((np.square(v) / df).sum())
    nu = df[0] if len(v) == 1 else total**2 / spread if spread > 0 else float(np.sum(df))
    return float(weights @ pair.differences), float(np.sqrt(total)), nu


def independent_error(pair: PairOverSets, weights: Floats) -> float:
    """Return what the standard error would be if no unit were shared: √(Σ w_j² SE_j²)."""
    return float(np.sqrt(np.square(weights * pair.errors).sum()))


def heterogeneity(pair: PairOverSets) -> dict[str, Any]:
    """Return whether the difference is the same in all sets: Welch's F, Hotelling's where sets share units.

    As the fields of `OverSets`; without a test `method` says why. With SE_j the standard error of d_j, w_j = 1/SE_j²
    and d̄ = Σ w_j d_j / Σ w_j, Cochran's Q = Σ w_j (d_j − d̄)² (Cochran 1954, Biometrics 10) is referred to F as Welch
    (1951, Biometrika 38) does for unequal variances that are estimated with ν_j degrees of freedom:

        F = Q/(J − 1) / (1 + 2(J − 2)/(J² − 1)·Λ),  Λ = Σ (1 − w_j/Σw)²/ν_j,  df = J − 1, (J² − 1)/(3Λ).
    """
    count = len(pair.names)
    f, df1, df2 = np.nan, count - 1.0, np.nan
    if count < 2:
        method = "there is only one set"
    elif pair.df.min() < FEWEST_DF:
        name = pair.names[int(pair.df.argmin())]
        method = f"the units of {name} are too few or too unequal to estimate the variance"
    elif np.isnan(pair.errors).any():
        method = f"the jackknife is undefined in {pair.names[int(np.isnan(pair.errors).argmax())]}"
    elif pair.shares_units:
        moved, sizes = pair.table(range(count))
        f, df1, df2 = hotelling(pair.differences, moved, sizes > 0, satterthwaite_df(sizes.sum(axis=0)))
        method = (
            HOTELLING.name if np.isfinite(f) else "the differences are correlated too strongly between sets for a test"
        )
    else:
        f, df1, df2 = welch(pair.differences, pair.errors, pair.df)
        method = WELCH.name if np.isfinite(f) else "in some set, the difference is the same in every unit"
    p = float(f_above(f, df1, df2)) if np.isfinite(f) else np.nan
    return {"statistic": f, "df1": df1, "df2": df2, "p_value": p, "method": method}
