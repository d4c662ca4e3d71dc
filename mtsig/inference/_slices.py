"""Slices compared: statistics and slices go in, all comparisons of all slices come out as one family.

Every system stands in the statistics once per slice, with nothing available outside of it. The pairs of a slice are
then held together on its units, and one matrix of exchanges over all units serves all slices: the draws of different
slices belong together as they must, and one correction covers slices × pairs.

Whether the difference of a pair is another in some slices than in others is a question of its own: two slices of which
one is significant and the other is not need not differ (Gelman and Stern 2006, The American Statistician 60).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from mtsig._arguments import expect_arguments
from mtsig._probability import FEWEST_DF, f_above, satterthwaite_df
from mtsig._records import Floats, Index, Number, Probability, Record, Result, Spread, SystemName, about
from mtsig.corpus import Corpus, Note, Slice, slices_of
from mtsig.corpus._inspection import MIN_DOCUMENTS, TINY_TEST_SET
from mtsig.corpus._notes import counted_names, number_of
from mtsig.corpus._slices import Slicing
from mtsig.errors import NotApplicable, expect
from mtsig.inference._corrections import Holm
from mtsig.inference._family import Family
from mtsig.inference._kin import counted_without
from mtsig.inference._means import HOTELLING, WELCH, hotelling, welch
from mtsig.inference._settings import Settings
from mtsig.inference._targets import PairChoice, Pairs, Scores, pairs_of
from mtsig.inference._verdict import Comparison
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._neighbours import blocks_of
from mtsig.metrics._statistics import Kinship, ResolvedUnit, expect_statistics
from mtsig.resampling import Bootstrap

MOST_SLICES = 20
"""More slices leave nothing to find after correction, and nobody reads them."""


@dataclass(frozen=True)
class Heterogeneity(Record):
    """Whether a pair's difference is the same in all slices, or sets; see `heterogeneity`."""

    first: Annotated[SystemName, about("The first system.")]
    second: Annotated[SystemName, about("The second system.")]
    differences: Annotated[tuple[float, ...], about("The difference in each.")]
    statistic: Annotated[Number, about("F of the test whether all are the same; null where it cannot be told.")]
    df1: Annotated[Spread, about("Degrees of freedom of F.")]
    df2: Annotated[Spread, about("Degrees of freedom of its standard errors.")]
    p_value: Annotated[Probability, about("Its p: are the differences all the same?")]
    p_adjusted: Annotated[Probability, about("p corrected for the pairs, by Holm.")]
    method: Annotated[str, about("Test of equal differences, Welch or Hotelling; or why there is none.")]


@dataclass(frozen=True, eq=False)
class SlicedFamily(Result):
    """All comparisons of all slices, judged together, and for every pair whether slices differ.

    by: how the test set was sliced. slices: names; sizes: segments of each. family: slices × pairs, each system called
    `system [slice]`; iterating gives them by slice, under their own names.
    """

    by: Slicing
    slices: tuple[str, ...]
    sizes: tuple[int, ...]
    family: Family
    pairs: tuple[tuple[str, str], ...]
    heterogeneity: tuple[Heterogeneity, ...]
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        return f"<SlicedFamily by {self.by}: {counted_names('slice', self.slices)}, {self.family!r}>"

    def __iter__(self) -> Iterator[tuple[str, Comparison]]:
        """Go through slice and comparison, slice by slice."""
        labels = [(name, pair) for name in self.slices for pair in self.pairs]
        for (name, (first, second)), comparison in zip(labels, self.family, strict=True):
            yield name, replace(comparison, first=first, second=second)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per slice and pair, in the words of a family's records."""
        labels = [(name, pair) for name in self.slices for pair in self.pairs]
        return [
            {"slice": name, **row, "first": first, "second": second}
            for (name, (first, second)), row in zip(labels, self.family.rows(), strict=True)
        ]


def compare_subsets(
    corpus: Corpus, statistics: Statistics, by: str, settings: Settings | None = None, pairs: PairChoice = "all"
) -> SlicedFamily:
    """Return the comparisons of every slice, corrected for slices × pairs, and whether slices differ.

    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> settings = mtsig.Settings(n_resamples=200)
    >>> len(mtsig.compare_subsets(corpus, mtsig.measure(corpus, "bleu"), "length:2", settings).family)
    20

    Args:
        corpus: what the statistics were counted on.
        statistics: what `measure` returned.
        by: a name in SLICINGS, such as "domain" or "length:4".
        settings: test, interval, correction …
        pairs: as for `compare`.

    Raises:
        InvalidOption: `by` is not written as a way to slice is, or there is no corpus, or no statistics.
        UnknownName: there is no such way to slice, or no such system.
        NotApplicable: the corpus does not know what it takes, fewer than two slices are large enough, or there are more
            than MOST_SLICES.
    """
    expect(corpus, Corpus, "Give the corpus that the statistics were counted on")
    expect_statistics(statistics)
    expect_arguments(compare_subsets, locals())
    settings = settings or Settings()
    slicing = Slicing.of(by)
    kept, notes = _large_enough(slices_of(corpus, slicing), statistics, slicing)
    settings, said = _with_unit(settings, kept, statistics, slicing)
    statistics, blocks = _in_order(settings, statistics)
    chosen = pairs_of(Scores(statistics, settings.bootstrap()), pairs).labels
    # Systems that are in no pair have nothing to say, and nothing to be warned of.
    named = {system for pair in chosen for system in pair}
    statistics = statistics.select([system for system in statistics.systems if system in named])
    whole = _stacked_by(blocks, statistics, kept)
    asked = [(_name(first, part), _name(second, part)) for part in kept for first, second in chosen]
    (family,) = settings.families([whole], asked)
    unit = settings.at(whole).unit
    grouped = statistics if blocks is None else replace(statistics, document_of=blocks)
    tests = [heterogeneity(grouped, kept, *pair, unit) for pair in chosen]
    return SlicedFamily(
        slicing,
        tuple(part.name for part in kept),
        tuple(len(part) for part in kept),
        family,
        tuple(chosen),
        _corrected(tests),
        notes + said,
    )


def _in_order(settings: Settings, statistics: Statistics) -> tuple[Statistics, Index | None]:
    """Return statistics that know what their order says, and the blocks of their segments where these are the units.

    Blocks are those of the whole test set: slices share them as they share documents.
    """
    if statistics.clustered or (statistics.document_of is not None and settings.unit != "block"):
        return statistics, None
    at = settings.at(statistics)
    if at.unit != "block":
        return at, None
    return replace(statistics, neighbours=at.neighbours), blocks_of(statistics)


def _stacked_by(blocks: Index | None, statistics: Statistics, slices: Sequence[Slice]) -> Statistics:
    whole = stacked(statistics, slices)
    if blocks is None:
        return whole
    kinships = (
        replace(kinship, without={said: other.summed_by(blocks, "block") for said, other in kinship.without.items()})
        for kinship in whole.kinships
    )
    return replace(whole.summed_by(blocks, "block"), kinships=tuple(kinships))


def _numbers(statistics: Statistics) -> NDArray[np.integer]:
    return np.arange(statistics.n) if statistics.numbers is None else statistics.numbers


def _name(system: str, part: Slice) -> str:
    return f"{system} [{part.name}]"


def _counted(part: Slice, statistics: Statistics) -> Slice:
    """Return the slice on the segments that the statistics have."""
    return part if statistics.numbers is None else Slice(part.name, part.inside[statistics.numbers])


def _large_enough(slices: Sequence[Slice], statistics: Statistics, by: Slicing) -> tuple[list[Slice], tuple[Note, ...]]:
    counted = [_counted(part, statistics) for part in slices]
    kept = [part for part in counted if len(part) >= TINY_TEST_SET]
    if len(kept) > MOST_SLICES:
        raise NotApplicable(
            f"{len(kept)} slices by {by} are too many to judge together; at most {MOST_SLICES}. Look at one by itself."
        )
    if len(kept) < 2:
        sizes = ", ".join(f"{part.name} {len(part)}" for part in counted[:8]) + (", …" if len(counted) > 8 else "")
        raise NotApplicable(
            f"Slices by {by} need at least two of {TINY_TEST_SET} segments or more; found {sizes} segments."
        )
    small = [part for part in counted if len(part) < TINY_TEST_SET]
    if not small:
        return kept, ()
    names = ", ".join(f"{part.name} ({len(part)})" for part in small[:8]) + (", …" if len(small) > 8 else "")
    text = f"Slices of fewer than {TINY_TEST_SET} segments are left out: {names}."
    return kept, (Note("note", text),)


def _with_unit(
    settings: Settings, slices: Sequence[Slice], statistics: Statistics, by: Slicing
) -> tuple[Settings, tuple[Note, ...]]:
    """Return the settings with the unit that all slices can carry."""
    if settings.unit != "auto" or statistics.document_of is None:
        return settings, ()
    fewest = min(len(np.unique(statistics.document_of[part.inside])) for part in slices)
    if fewest >= MIN_DOCUMENTS:
        return replace(settings, unit="document"), ()
    text = (
        f"A slice by {by} has {number_of(fewest, 'document')}, too few to be units: segments are, as if "
        "they were independent."
    )
    return replace(settings, unit="segment"), (Note("warning", text),)


def stacked(statistics: Statistics, slices: Sequence[Slice]) -> Statistics:
    """Return the statistics in which every system stands once per slice, with nothing outside of it."""
    have = statistics.available
    if have is None:
        have = np.ones(statistics.values.shape[1:], dtype=bool)
    available = np.concatenate([have & part.inside for part in slices])
    values = np.concatenate([statistics.values * part.inside for part in slices], axis=1)
    return replace(
        statistics,
        systems=tuple(_name(system, part) for part in slices for system in statistics.systems),
        values=np.ascontiguousarray(values.astype(statistics.values.dtype)),
        available=available,
        unit="segment",
        kinships=tuple(_stacked_kinship(kinship, statistics, slices) for kinship in statistics.kinships),
        digest=f"{statistics.digest}|{'|'.join(part.name for part in slices)}",
    )


def _stacked_kinship(kinship: Kinship, statistics: Statistics, slices: Sequence[Slice]) -> Kinship:
    """Return a kinship whose statistics stand once per slice, too; without any where other segments are left."""
    others = counted_without(statistics, kinship.kin.reference)
    same = all(np.array_equal(_numbers(other), _numbers(statistics)) for other in others.values())
    return replace(
        kinship,
        without={said: stacked(other, slices) for said, other in others.items()} if same else {},
        stacked=tuple(_name(kinship.kin.system, part) for part in slices),
    )


def heterogeneity(
    statistics: Statistics, slices: Sequence[Slice], first: str, second: str, unit: ResolvedUnit = "segment"
) -> Heterogeneity:
    """Return whether the difference of two systems is the same in all J slices.

    d_j is the difference of corpus scores in slice j, SE_j its jackknife standard error over the units of the slice and
    ν_j their degrees of freedom. Where no unit is in two slices, the d_j are independent, and Cochran's
    Q = Σ w_j (d_j − d̄)² with w_j = 1/SE_j² and d̄ = Σ w_j d_j / Σ w_j (Cochran 1954, Biometrics 10) is referred to F as
    Welch (1951, Biometrika 38) does for unequal variances that are estimated:

        F = Q/(J − 1) / (1 + 2(J − 2)/(J² − 1)·Λ),  Λ = Σ (1 − w_j/Σw)²/ν_j,  df = J − 1, (J² − 1)/(3Λ).

    Where documents reach into several slices, the d_j are dependent; see `equal_means.hotelling`.

    Args:
        statistics: by segment.
        slices: on the segments of the statistics.
        first: a system.
        second: another one.
        unit: the unit of inference, segments or documents.
    """
    parts = [within_slice(statistics, part, first, second, unit) for part in slices]
    targets = [targets for targets, _ in parts]
    differences, df = (np.array([getattr(target, name)[0] for target in targets]) for name in ("estimate", "df"))
    f, df1, df2 = np.nan, len(slices) - 1.0, np.nan
    if unit != "segment" and df.min() < FEWEST_DF:
        method = f"the {unit}s of {slices[int(df.argmin())].name} are too few or too unequal to judge their own spread"
    elif np.isnan(errors := np.array([target.standard_error[0] for target in targets])).any():
        method = "no derivative in a slice"
    elif len(units := np.concatenate([units for _, units in parts])) > len(np.unique(units)):
        f, df1, df2 = hotelling(differences, *_over_all(statistics, parts))
        method = HOTELLING.name if np.isfinite(f) else "the slices move together too closely to be told apart"
    else:
        f, df1, df2 = welch(differences, errors, df)
        method = WELCH.name if np.isfinite(f) else "the systems do not vary against each other in some slice"
    p = float(f_above(f, df1, df2)) if np.isfinite(f) else np.nan
    return Heterogeneity(first, second, tuple(differences.tolist()), f, df1, df2, p, p, method)


Units = NDArray[np.int64]


def within_slice(
    statistics: Statistics, chosen: Slice, first: str, second: str, unit: ResolvedUnit
) -> tuple[Pairs, Units]:
    """Return a pair on the segments that both systems have in a slice, and the numbers of its segments or documents.

    Raises:
        NotApplicable: there is no such segment.
    """
    part, units = part_within(statistics, chosen, (first, second), unit)
    return pairs_of(Scores(part, Bootstrap()), [(first, second)]), units


def part_within(
    statistics: Statistics, wanted: Slice, systems: Sequence[str], unit: ResolvedUnit
) -> tuple[Statistics, Units]:
    """Return systems on the segments that all of them have in a slice, and the numbers of its segments or documents.

    Raises:
        NotApplicable: there is no such segment.
    """
    chosen = statistics.select(list(systems))
    have = np.ones(chosen.values.shape[1:], dtype=bool) if chosen.available is None else chosen.available
    inside = have.all(axis=0) & wanted.inside
    if inside.all() and statistics.clustered and statistics.document_of is None:
        # Documents that were summed when they were counted: there are no segments to take away.
        return chosen, np.arange(chosen.n, dtype=np.int64)
    part = replace(chosen, available=np.stack([inside] * len(systems))).shared_by(list(systems))
    units = np.flatnonzero(inside)
    if unit != "segment" and statistics.document_of is not None:
        part, units = part.again_by(unit), np.unique(statistics.document_of[inside]).astype(np.int64)
    return part, units


def _over_all(statistics: Statistics, parts: Sequence[tuple[Pairs, Units]]) -> tuple[Floats, NDArray[np.bool_], float]:
    """Return what leaving out each document does to the difference in each slice, and whether it is there; (J, K) each.

    Documents that no slice holds are left out. Third are the degrees of freedom of all of them.
    """
    documents, place = np.unique(np.concatenate([units for _, units in parts]), return_inverse=True)
    moved, sizes = np.zeros((len(parts), len(documents))), np.zeros((len(parts), len(documents)))
    ends = np.cumsum([len(units) for _, units in parts])[:-1]
    for j, ((targets, _), at) in enumerate(zip(parts, np.split(place, ends), strict=True)):
        own = targets.scores.moved
        # What is the same in both systems but for rounding is the same.
        moved[j, at] = sign_of(statistics.metric) * (own[0] - own[1]) if targets.standard_error[0] > 0 else 0.0
        sizes[j, at] = targets.statistics.sizes
    return moved, sizes > 0, satterthwaite_df(sizes.sum(axis=0))


def _corrected(heterogeneities: Sequence[Heterogeneity]) -> tuple[Heterogeneity, ...]:
    p = np.array([heterogeneity.p_value for heterogeneity in heterogeneities])
    adjusted = Holm().adjusted(np.where(np.isnan(p), 1.0, p))
    return tuple(
        replace(heterogeneity, p_adjusted=float("nan") if np.isnan(value) else float(corrected))
        for heterogeneity, value, corrected in zip(heterogeneities, p, adjusted, strict=True)
    )
