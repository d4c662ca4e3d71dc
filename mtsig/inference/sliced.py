"""Slices compared: statistics and slices go in, all comparisons of all slices come out as one family.

Every system stands in the statistics once per slice, with zeros and no coverage outside of it. The pairs of a slice are
then held together on its units, and one matrix of exchanges over all units serves all slices: the draws of different
slices belong together as they must, and one correction covers slices × pairs.

Whether the difference of a pair is another in some slices than in others is a question of its own: two slices of which
one is significant and the other is not need not differ (Gelman and Stern 2006, The American Statistician 60).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from mtsig.corpus import MIN_DOCUMENTS, TINY_TEST_SET, Corpus, Note, counted_names
from mtsig.errors import NotApplicable
from mtsig.inference.corrections import Holm
from mtsig.inference.degrees import FEWEST_DF, satterthwaite_df
from mtsig.inference.equal_means import hotelling, welch
from mtsig.inference.family import Comparison, Family, Floats
from mtsig.inference.settings import Settings
from mtsig.inference.targets import FEWEST_UNITS, NOISE, PairChoice, Scores, leave_one_out, pairs_of
from mtsig.metrics import Statistics, Unit
from mtsig.notebook import Shown
from mtsig.resampling import sign_of
from mtsig.slices import Slice, slices_of

MOST_SLICES = 20
"""More slices leave nothing to find after correction, and nobody reads them."""


@dataclass(frozen=True)
class Heterogeneity:
    """Whether a pair's difference is the same in all slices; see `heterogeneity`.

    statistic, df1, df2: the F value and its degrees of freedom, NaN where it cannot be told. p_adjusted: Holm's, over
    the pairs of the family.
    """

    first: str
    second: str
    differences: tuple[float, ...]
    statistic: float
    df1: float
    df2: float
    p_value: float
    p_adjusted: float
    method: str


@dataclass(frozen=True, eq=False)
class SlicedFamily(Shown):
    """All comparisons of all slices, judged together, and for every pair whether slices differ.

    by: how the test set was sliced. slices: names; sizes: segments of each. family: slices × pairs, each system called
    `system [slice]`; iterating gives them by slice, under their own names.
    """

    by: str
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
        for (name, (first, second)), one in zip(labels, self.family, strict=True):
            yield name, replace(one, first=first, second=second)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per slice and pair, in the words of a family's records."""
        labels = [(name, pair) for name in self.slices for pair in self.pairs]
        return [
            {"slice": name, **row, "first": first, "second": second}
            for (name, (first, second)), row in zip(labels, self.family.rows(), strict=True)
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per slice and pair."""
        return pd.DataFrame(self.rows())


def compare_slices(
    corpus: Corpus, statistics: Statistics, by: str, settings: Settings | None = None, pairs: PairChoice = "all"
) -> SlicedFamily:
    """Return the comparisons of every slice, corrected for slices × pairs, and whether slices differ.

    Args:
        corpus: what the statistics were counted on.
        statistics: what `measure` returned.
        by: a name in SLICINGS, such as "domain" or "length:4".
        settings: test, interval, correction …
        pairs: as for `compare`.

    Raises:
        UnknownName: there is no such way to slice, or no such system.
        NotApplicable: the corpus does not know what it takes, fewer than two slices are large enough, or there are more
            than MOST_SLICES.
    """
    settings = settings or Settings()
    kept, notes = _large_enough(slices_of(corpus, by), statistics, by)
    settings, said = _with_unit(settings, kept, statistics, by)
    chosen = pairs_of(Scores(statistics, settings.bootstrap()), pairs).labels
    # Systems that are in no pair have nothing to say, and nothing to be warned of.
    named = {system for pair in chosen for system in pair}
    statistics = statistics.select([system for system in statistics.systems if system in named])
    whole = stacked(statistics, kept)
    asked = [(_name(first, one), _name(second, one)) for one in kept for first, second in chosen]
    family = settings.family(whole, asked)
    unit = statistics.at(settings.unit).unit
    found = [heterogeneity(statistics, kept, *pair, unit) for pair in chosen]
    return SlicedFamily(
        by,
        tuple(one.name for one in kept),
        tuple(len(one) for one in kept),
        family,
        tuple(chosen),
        _corrected(found),
        notes + said,
    )


def _name(system: str, one: Slice) -> str:
    return f"{system} [{one.name}]"


def _counted(one: Slice, statistics: Statistics) -> Slice:
    """Return the slice on the segments that the statistics have."""
    return one if statistics.numbers is None else Slice(one.name, one.inside[statistics.numbers])


def _large_enough(slices: Sequence[Slice], statistics: Statistics, by: str) -> tuple[list[Slice], tuple[Note, ...]]:
    found = [_counted(one, statistics) for one in slices]
    kept = [one for one in found if len(one) >= TINY_TEST_SET]
    if len(kept) > MOST_SLICES:
        raise NotApplicable(
            f"{len(kept)} slices by {by} are too many to judge together; at most {MOST_SLICES}. Look at one with "
            f"--slice {by}=NAME."
        )
    if len(kept) < 2:
        sizes = ", ".join(f"{one.name} {len(one)}" for one in found[:8]) + (", …" if len(found) > 8 else "")
        raise NotApplicable(
            f"Slices by {by} need at least two of {TINY_TEST_SET} segments or more; found {sizes} segments."
        )
    small = [one for one in found if len(one) < TINY_TEST_SET]
    if not small:
        return kept, ()
    names = ", ".join(f"{one.name} ({len(one)})" for one in small[:8]) + (", …" if len(small) > 8 else "")
    text = f"Slices of fewer than {TINY_TEST_SET} segments are left out: {names}."
    return kept, (Note("note", text),)


def _with_unit(
    settings: Settings, slices: Sequence[Slice], statistics: Statistics, by: str
) -> tuple[Settings, tuple[Note, ...]]:
    """Return the settings with the unit that all slices can carry."""
    if settings.unit != "auto" or statistics.document_of is None:
        return settings, ()
    fewest = min(len(np.unique(statistics.document_of[one.inside])) for one in slices)
    if fewest >= MIN_DOCUMENTS:
        return replace(settings, unit="document"), ()
    text = (
        f"A slice by {by} has {fewest} document{'s' if fewest > 1 else ''}, too few to be units: segments are, as if "
        "they were independent."
    )
    return replace(settings, unit="segment"), (Note("warning", text),)


def stacked(statistics: Statistics, slices: Sequence[Slice]) -> Statistics:
    """Return the statistics in which every system stands once per slice, with nothing outside of it."""
    have = statistics.coverage
    if have is None:
        have = np.ones(statistics.values.shape[1:], dtype=bool)
    coverage = np.concatenate([have & one.inside for one in slices])
    values = np.concatenate([statistics.values * one.inside for one in slices], axis=1)
    return replace(
        statistics,
        systems=tuple(_name(system, one) for one in slices for system in statistics.systems),
        values=np.ascontiguousarray(values.astype(statistics.values.dtype)),
        coverage=coverage,
        unit="segment",
        digest=f"{statistics.digest}|{'|'.join(one.name for one in slices)}",
    )


def heterogeneity(
    statistics: Statistics, slices: Sequence[Slice], first: str, second: str, unit: Unit = "segment"
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
    documents = statistics.document_of if unit == "document" else None
    differences, moved, sizes = _by_slice(statistics, slices, first, second, documents)
    df = np.array([satterthwaite_df(row[row > 0]) for row in sizes])
    f, df1, df2 = np.nan, len(slices) - 1.0, np.nan
    if np.isnan(moved).any():
        method = "no derivative in a slice"
    elif unit == "document" and df.min() < FEWEST_DF:
        method = (
            f"the documents of {slices[int(df.argmin())].name} are too few or too unequal to judge their own spread"
        )
    elif (np.count_nonzero(sizes, axis=0) > 1).any():
        f, df1, df2 = hotelling(differences, moved, sizes > 0, satterthwaite_df(_of_some(sizes.sum(axis=0))))
        method = "Hotelling"
    else:
        counts = np.count_nonzero(sizes, axis=1)
        spread = np.sqrt((counts - 1) / counts * np.square(moved).sum(axis=1))
        f, df1, df2 = welch(differences, spread, df)
        method = "Welch"
    p = float(stats.f.sf(f, df1, df2)) if np.isfinite(f) else np.nan
    return Heterogeneity(first, second, tuple(differences.tolist()), f, df1, df2, p, p, method)


def _of_some(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sizes of the units that have any segment."""
    return sizes[sizes > 0]


def _by_slice(
    statistics: Statistics,
    slices: Sequence[Slice],
    first: str,
    second: str,
    documents: NDArray[np.integer] | None,
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return the differences (J,), what leaving out each unit does to them (J, K), and its segments in them (J, K)."""
    rows = [statistics.row(first), statistics.row(second)]
    count = statistics.values.shape[-1] if documents is None else int(documents.max()) + 1
    unit_of = np.arange(count) if documents is None else documents
    metric, sign = statistics.metric, sign_of(statistics.metric)
    differences = np.empty(len(slices))
    moved, sizes = np.zeros((len(slices), count)), np.zeros((len(slices), count), dtype=np.int64)
    for j, one in enumerate(slices):
        inside = one.inside if statistics.coverage is None else one.inside & statistics.coverage[rows].all(axis=0)
        sizes[j] = np.bincount(unit_of[inside], minlength=count)
        units, place = np.unique(unit_of[inside], return_inverse=True)
        pooled = replace(
            statistics,
            systems=("first", "second"),
            values=_pooled(statistics.values[:, rows][..., inside].astype(np.float64), place, len(units)),
            coverage=None,
            document_of=None,
        )
        scores = metric.score(pooled.sums)
        differences[j] = sign * (scores[0] - scores[1])
        if len(units) < FEWEST_UNITS:
            continue
        without, known = leave_one_out(pooled)
        moved[j, units] = sign * (without[0] - without[1]) - differences[j] if known.all() else np.nan
    # What rounding left of no spread is none.
    moved[np.abs(moved) < NOISE * np.abs(differences)[:, None] / np.maximum(sizes.sum(axis=1, keepdims=True), 1)] = 0.0
    return differences, moved, sizes


def _pooled(values: Floats, place: NDArray[np.intp], count: int) -> Floats:
    """Return values (k, s, n) summed by unit; shape (k, s, K)."""
    order = np.argsort(place, kind="stable")
    return np.add.reduceat(values[..., order], np.searchsorted(place[order], np.arange(count)), axis=-1)


def _corrected(found: Sequence[Heterogeneity]) -> tuple[Heterogeneity, ...]:
    p = np.array([one.p_value for one in found])
    adjusted = Holm().adjusted(np.where(np.isnan(p), 1.0, p))
    return tuple(
        replace(one, p_adjusted=float("nan") if np.isnan(value) else float(corrected))
        for one, value, corrected in zip(found, p, adjusted, strict=True)
    )
