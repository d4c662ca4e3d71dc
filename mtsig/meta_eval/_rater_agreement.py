"""Agreement: ratings go in; how far the raters agree comes out, with an interval over other segments.

Every coefficient is a function of sums over the outputs (cells of system and segment), so that segments or documents
are resampled with all their systems and raters by one product. A rater who saw an output twice counts with the first
value; the repeats are what `intra_rater` is made of.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Annotated, ClassVar, Literal

import numpy as np
import scipy

from mtsig._probability import check_level
from mtsig._records import Count, Floats, Index, Level, Number, Record, about
from mtsig.citations import Citations
from mtsig.corpus import RaterScores
from mtsig.errors import NotApplicable, find, unknown_name
from mtsig.inference._raters import Groups, groups_of
from mtsig.meta_eval._statistic import percentiles, summed, sums_redrawn, undefined_text
from mtsig.resampling import Bootstrap

MOST_CATEGORIES = 100
"""More different values than this are no categories."""


@dataclass(frozen=True)
class Agreement(Record):
    """How far raters agree on the outputs that several of them judged."""

    kind: Annotated[str, about("Name of the coefficient in the program.")]
    label: Annotated[str, about("Name of the coefficient in tables.")]
    value: Annotated[Number, about("Value of the coefficient; null if all ratings are equal.")]
    ci_low: Annotated[Number, about("Lower end of the percentile interval (segments or documents resampled).")]
    ci_high: Annotated[Number, about("Its upper end.")]
    level: Annotated[Level, about("Nominal coverage of the confidence intervals.")]
    outputs: Annotated[Count, about("Number of outputs with at least two raters.")]
    raters: Annotated[Count, about("Number of raters of these outputs.")]
    unit: Annotated[str, about("Unit that was resampled: segment or document.")]
    units: Annotated[Count, about("Number of these units.")]
    undefined: Annotated[Count, about("Number of resamples in which the coefficient is undefined.")]
    theory_low: Annotated[Number, about("Lower end of the interval by the F distribution (ICC only).")] = float("nan")
    theory_high: Annotated[Number, about("Its upper end.")] = float("nan")
    error_of_mean: Annotated[
        Number, about("Standard error of an output's mean rating, on the scale of the ratings; only for ICC.")
    ] = float("nan")
    warning: Annotated[str, about("Limitation of the value or of its interval; usually empty.")] = ""


@dataclass(frozen=True, eq=False)
class Units:
    """What was rated more than once: r values, sorted by unit.

    unit: shape (r,), from 0 to u − 1. rater, value: shape (r,). group: shape (u,), what the unit is resampled with.
    """

    unit: Index
    rater: Index
    value: Floats
    group: Index

    @property
    def sizes(self) -> Index:
        """How many values each unit has; shape (u,)."""
        return np.bincount(self.unit, minlength=len(self.group))

    def categories(self) -> tuple[Index, int]:
        """Return the number of every value among the different ones in numeric order, and how many these are."""
        different, codes = np.unique(self.value, return_inverse=True)
        if len(different) > MOST_CATEGORIES:
            raise NotApplicable(f"{len(different):,} different values are not categories; choose alpha or an ICC.")
        return codes, len(different)


class Coefficient(ABC):
    """One coefficient of agreement: a table of sums per unit, and a function of the sums."""

    name: str
    label: str
    cites: ClassVar[Citations] = ()

    @abstractmethod
    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return what each unit adds to the sums, shape (k, u), and the coefficient of sums: (k, …) gives (…)."""

    def theory(self, units: Units, level: float) -> tuple[float, float, float]:
        """Return an interval by theory, and the standard error of a unit's mean; NaN where there is none."""
        del units, level
        return float("nan"), float("nan"), float("nan")


def _ratio(above: Floats, below: Floats) -> Floats:
    """Return above / below, NaN where below is 0 or what rounding left of it."""
    ratio = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=ratio, where=below > 1e-12 * np.maximum(1.0, np.abs(above)))
    return ratio


@dataclass(frozen=True)
class Alpha(Coefficient):
    """Krippendorff's α = 1 − D_o/D_e, for interval, ordinal or nominal values (Krippendorff 2004)."""

    metric: Literal["interval", "ordinal", "nominal"] = "interval"

    @property
    def name(self) -> str:  # type: ignore[override]
        """What users type."""
        return "alpha" if self.metric == "interval" else f"alpha-{self.metric}"

    @property
    def label(self) -> str:  # type: ignore[override]
        return f"Krippendorff's α ({self.metric})"

    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return disagreement within units, and what the pooled values' disagreement is made of."""
        size = units.sizes.astype(np.float64)
        if self.metric == "interval":
            # Around their mean, values lose no digits when they are squared.
            value = units.value - units.value.mean()
            total = np.bincount(units.unit, value, minlength=len(size))
            squares = np.bincount(units.unit, value**2, minlength=len(size))
            within = 2 * (size * squares - total**2) / (size - 1)
            return np.stack([within, size, total, squares]), _alpha_of_values
        counts = _counts(units)
        if self.metric == "ordinal":
            met = counts[:, None] * counts - np.eye(len(counts))[..., None] * counts
            return (met / (size - 1)).reshape(-1, len(size)), _alpha_of_ranks
        within = (counts * (size - counts)).sum(axis=0) / (size - 1)
        return np.concatenate([[within, size], counts]), _alpha_of_categories


def _alpha_of_values(sums: Floats) -> Floats:
    within, n, total, squares = sums
    return 1 - _ratio(within * (n - 1), 2 * (n * squares - total**2))


def _alpha_of_categories(sums: Floats) -> Floats:
    within, n, counts = sums[0], sums[1], sums[2:]
    return 1 - _ratio(within * (n - 1), n**2 - np.square(counts).sum(axis=0))


def _alpha_of_ranks(sums: Floats) -> Floats:
    """Return α of coincidences: two categories are as far apart as their ranks among all values."""
    c = isqrt(len(sums))
    met = sums.reshape(c, c, *sums.shape[1:])
    n = met.sum(axis=1)
    rank = n.cumsum(axis=0) - n / 2
    apart = np.square(rank[:, None] - rank)
    return 1 - _ratio((met * apart).sum(axis=(0, 1)) * (n.sum(axis=0) - 1), (n[:, None] * n * apart).sum(axis=(0, 1)))


def _counts(units: Units) -> Floats:
    """Return how many values of every category each unit has; shape (c, u)."""
    codes, categories = units.categories()
    flat = np.bincount(codes * len(units.group) + units.unit, minlength=categories * len(units.group))
    return flat.reshape(categories, -1).astype(np.float64)


@dataclass(frozen=True)
class Cohen(Coefficient):
    """Cohen's κ of two raters on the same outputs; quadratic weights by the places of the categories (Cohen 1968)."""

    weights: Literal["none", "quadratic"] = "none"

    @property
    def name(self) -> str:  # type: ignore[override]
        """What users type."""
        return "kappa" if self.weights == "none" else "kappa-quadratic"

    @property
    def label(self) -> str:  # type: ignore[override]
        return "Cohen's κ" if self.weights == "none" else "Cohen's κ, quadratic weights"

    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return how often the first rater said one category and the second another; shape (c², u)."""
        raters = np.unique(units.rater)
        if len(raters) != 2:
            raise NotApplicable(
                f"Cohen's κ needs exactly two raters, but these outputs have {len(raters)}. Name two, or choose alpha."
            )
        codes, categories = units.categories()
        first = np.empty(len(units.group), dtype=np.int64)
        second = np.empty(len(units.group), dtype=np.int64)
        for column, rater in ((first, raters[0]), (second, raters[1])):
            own = units.rater == rater
            column[units.unit[own]] = codes[own]
        table = np.zeros((categories**2, len(units.group)))
        table[first * categories + second, np.arange(len(units.group))] = 1.0
        places = np.arange(categories, dtype=np.float64)
        apart = places[:, None] != places if self.weights == "none" else (places[:, None] - places) ** 2
        cost = np.asarray(apart, dtype=np.float64)

        def kappa(sums: Floats) -> Floats:
            pairs = sums.reshape(categories, categories, -1)
            n = pairs.sum(axis=(0, 1))
            observed = np.einsum("ij,ijb->b", cost, pairs)
            expected = np.einsum("ij,ib,jb->b", cost, pairs.sum(axis=1), pairs.sum(axis=0))
            return (1 - _ratio(observed * n, expected)).reshape(sums.shape[1:])

        return table, kappa


@dataclass(frozen=True)
class Fleiss(Coefficient):
    """Fleiss's κ of outputs that all have the same number of raters, whoever they are (Fleiss 1971)."""

    name = "fleiss"
    label = "Fleiss's κ"

    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return the share of agreeing pairs of raters, one, and the categories' shares of every unit."""
        size = _equal_size(units, "Fleiss's κ")
        counts = _counts(units)
        agreeing = (np.square(counts).sum(axis=0) - size) / (size * (size - 1))

        def kappa(sums: Floats) -> Floats:
            agreed, n, shares = sums[0], sums[1], sums[2:]
            chance = np.square(shares / n).sum(axis=0)
            return 1 - _ratio(1 - agreed / n, 1 - chance)

        return np.concatenate([[agreeing, np.ones_like(agreeing)], counts / size]), kappa


def _equal_size(units: Units, what: str) -> int:
    sizes = np.unique(units.sizes)
    if len(sizes) > 1:
        raise NotApplicable(
            f"{what} needs the same number of raters for every output; found {sizes[0]} to {sizes[-1]}. Choose alpha."
        )
    return int(sizes[0])


@dataclass(frozen=True)
class IntraclassCorrelation(Coefficient):
    """Intraclass correlation of one rating, or of the mean of k (Shrout and Fleiss 1979; McGraw and Wong 1996).

    form: "1", raters differ from output to output; "A", the same random raters, absolute agreement; "C", the same
    raters, consistency: who is more severe does not count.
    """

    form: Literal["1", "A", "C"] = "1"
    mean: bool = False

    @property
    def name(self) -> str:  # type: ignore[override]
        """What users type."""
        return f"icc({self.form.lower()},{'k' if self.mean else '1'})"

    @property
    def label(self) -> str:  # type: ignore[override]
        return f"ICC({self.form},{'k' if self.mean else '1'})"

    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return one, the sum of squares, the square of the sum, and the raters' own values of every unit."""
        k = _equal_size(units, self.label)
        value = units.value - units.value.mean()
        size = len(units.group)
        squares = np.bincount(units.unit, value**2, minlength=size)
        total = np.bincount(units.unit, value, minlength=size)
        # One-way, the raters of an output have no order: their sum is all that is known.
        columns = [total] if self.form == "1" else list(self._block(units, value, k))
        table = np.stack([np.ones(size), squares, total**2, *columns])
        return table, lambda sums: self._of(*_mean_squares(sums, k), sums[0], k)

    def _block(self, units: Units, value: Floats, k: int) -> Floats:
        raters, column = np.unique(units.rater, return_inverse=True)
        if len(raters) != k:
            raise NotApplicable(
                f"{self.label} needs the same raters for every output; these {len(units.group):,} outputs have "
                f"{len(raters)} raters, {k} each. Choose alpha, icc(1,1), or only raters who rated the same outputs."
            )
        block = np.empty((k, len(units.group)))
        block[column, units.unit] = value
        return block

    def _of(self, between: Floats, raters: Floats, error: Floats, within: Floats, n: Floats, k: int) -> Floats:
        if self.form == "1":
            above, below = between - within, between + (0 if self.mean else k - 1) * within
        elif self.form == "C":
            above, below = between - error, between + (0 if self.mean else k - 1) * error
        elif self.mean:
            above, below = between - error, between + (raters - error) / n
        else:
            above, below = between - error, between + (k - 1) * error + k / n * (raters - error)
        return _ratio(above, below)

    def theory(self, units: Units, level: float) -> tuple[float, float, float]:
        """Return the interval by F theory (McGraw and Wong 1996, table 7), and the standard error of a unit's mean."""
        k, n = _equal_size(units, self.label), len(units.group)
        table, _ = self.table(units)
        if n < 2:
            return float("nan"), float("nan"), float("nan")
        between, raters, error, within = (float(mean_square) for mean_square in _mean_squares(table.sum(axis=1), k))
        share = (1 + level) / 2
        if self.form == "A":
            low, high = _absolute_ends(between, raters, error, n, k, share)
            spread = error + max(0.0, (raters - error) / n)
        else:
            noise, df = (within, n * (k - 1)) if self.form == "1" else (error, (n - 1) * (k - 1))
            if noise <= 0:
                return float("nan"), float("nan"), 0.0
            ratio = between / noise
            low = ratio / _f_quantile(share, n - 1, df)
            high = ratio * _f_quantile(share, df, n - 1)
            low, high = (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
            spread = noise
        if self.mean:
            low, high = (k * end / (1 + (k - 1) * end) for end in (low, high))
        return low, high, float(np.sqrt(spread / k))


def _mean_squares(sums: Floats, k: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the mean squares between units, between raters, of the residual, and within units.

    Those of the raters and the residual are NaN one-way. sums: n, Σx², Σ(unit's sum)², and the raters' sums.
    """
    n, squares, totals, columns = sums[0], sums[1], sums[2], sums[3:]
    mean = np.square(columns.sum(axis=0)) / (n * k)
    between = totals / k - mean
    within = squares - totals / k
    if len(columns) == 1:
        nothing = np.full_like(between, np.nan)
        return between / (n - 1), nothing, nothing, within / (n * (k - 1))
    of_raters = np.square(columns).sum(axis=0) / n - mean
    return between / (n - 1), of_raters / (k - 1), (within - of_raters) / ((n - 1) * (k - 1)), within / (n * (k - 1))


def _f_quantile(share: float, first: float, second: float) -> float:
    return float(scipy.special.fdtri(first, second, share))


def _absolute_ends(between: float, raters: float, error: float, n: int, k: int, share: float) -> tuple[float, float]:
    """Return the ends for absolute agreement, by Satterthwaite's degrees of freedom of raters and residual."""
    value = (between - error) / (between + (k - 1) * error + k / n * (raters - error))
    if error <= 0 or value >= 1:
        return float("nan"), float("nan")
    a, b = k * value / (n * (1 - value)), 1 + k * value * (n - 1) / (n * (1 - value))
    df = (a * raters + b * error) ** 2 / ((a * raters) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1)))
    rest = k * raters + (k * n - k - n) * error
    factor, inverse = _f_quantile(share, n - 1, df), _f_quantile(share, df, n - 1)
    low = n * (between - factor * error) / (factor * rest + n * between)
    return low, n * (inverse * between - error) / (rest + n * inverse * between)


AGREEMENTS: dict[str, Coefficient] = {
    statistic.name: statistic
    for statistic in (
        Alpha(),
        Alpha("ordinal"),
        Alpha("nominal"),
        Cohen(),
        Cohen("quadratic"),
        Fleiss(),
        *(IntraclassCorrelation(form, mean) for mean in (False, True) for form in ("1", "A", "C")),
    )
}
"""By name; α is for any design, the others refuse what they cannot carry."""


def agreement(
    rater_scores: RaterScores,
    kind: str | Coefficient = "alpha",
    *,
    raters: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
) -> Agreement:
    """Measure inter-rater agreement on outputs, with a bootstrap interval.

    Parameters
    ----------
    rater_scores
        The scores that each rater gave, as in `Rating.rater_scores`.
    kind
        A name in `AGREEMENTS`, or a coefficient object.
    raters
        The raters to include; `None` includes all raters.
    documents
        The document of each segment. Documents are resampled as a whole if at least ten have ratings.
    level
        Coverage of the intervals.
    scheme
        The number of resamples, the seed and the resampling unit.

    Raises
    ------
    UnknownName
        The coefficient or a rater is unknown.
    NotApplicable
        No output was rated by two raters, or the coefficient does not suit the rating design.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig.corpus import RaterScores
    >>> given = RaterScores.of({"Ann": np.array([[1.0, 2, 3, 4]]), "Bo": np.array([[1.0, 2, 4, 4]])})
    >>> round(agreement(given, scheme=Bootstrap(100)).value, 3)
    0.926
    """
    check_level(level)
    coefficient = find(AGREEMENTS, kind, "agreement") if isinstance(kind, str) else kind
    scheme = Bootstrap() if scheme is None else scheme
    chosen = _of_raters(rater_scores, raters)
    groups = groups_of(chosen, documents, scheme.unit)
    pairs, first = np.unique(_cell(chosen) * len(chosen.raters) + chosen.rater, return_index=True)
    units = _units(pairs // len(chosen.raters), chosen, first, groups)
    if not len(units.group):
        raise NotApplicable("No output was rated by two raters: agreement cannot be measured. Bias can; see leniency.")
    return _rated(coefficient, units, groups, level, scheme)


def intra_rater(
    rater_scores: RaterScores,
    rater: str,
    *,
    documents: Sequence[str] | None = None,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
) -> Agreement:
    """Return how far one rater agrees with herself: α (interval) over the outputs that she judged more than once.

    Arguments and errors are those of `agreement`.
    """
    check_level(level)
    scheme = Bootstrap() if scheme is None else scheme
    chosen = _of_raters(rater_scores, [rater])
    groups = groups_of(chosen, documents, scheme.unit)
    units = _units(_cell(chosen), chosen, np.arange(len(chosen)), groups)
    if not len(units.group):
        raise NotApplicable(f"{rater} rated no output twice, so intra-rater agreement is unknown.")
    return _rated(Alpha(), units, groups, level, scheme)


def repeats(
    rater_scores: RaterScores,
    *,
    documents: Sequence[str] | None = None,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
) -> dict[str, Agreement]:
    """Return `intra_rater` of every rater who judged an output more than once."""
    own = _cell(rater_scores) * len(rater_scores.raters) + rater_scores.rater
    _, first, count = np.unique(own, return_index=True, return_counts=True)
    again = np.unique(rater_scores.rater[first[count > 1]]).tolist()
    return {
        rater_scores.raters[rater]: intra_rater(
            rater_scores, rater_scores.raters[rater], documents=documents, level=level, scheme=scheme
        )
        for rater in again
    }


def _of_raters(rater_scores: RaterScores, raters: Sequence[str] | None) -> RaterScores:
    if raters is None:
        return rater_scores
    unknown = [name for name in raters if name not in rater_scores.raters]
    if unknown:
        raise unknown_name("rater", unknown[0], rater_scores.raters)
    return rater_scores.where(np.isin(rater_scores.rater, [rater_scores.raters.index(name) for name in raters]))


def _cell(rater_scores: RaterScores) -> Index:
    """Return the number of the output that each rating is of; the same for the same system and segment."""
    return rater_scores.segment.astype(np.int64) * (int(rater_scores.system.max(initial=0)) + 1) + rater_scores.system


def _units(unit: Index, rater_scores: RaterScores, rows: Index, groups: Groups) -> Units:
    """Return the units with at least two values; `unit` has the unit of each of the rows."""
    _, number, size = np.unique(unit, return_inverse=True, return_counts=True)
    several = size[number] > 1
    kept, (_, number) = rows[several], np.unique(number[several], return_inverse=True)
    order = np.argsort(number, kind="stable")
    kept, number = kept[order], number[order]
    group = np.empty(int(number.max(initial=-1)) + 1, dtype=np.int64)
    group[number] = groups.of[kept]
    return Units(number, rater_scores.rater[kept].astype(np.int64), rater_scores.value[kept], group)


def _rated(coefficient: Coefficient, units: Units, groups: Groups, level: float, scheme: Bootstrap) -> Agreement:
    table, value_of = coefficient.table(units)
    value = float(value_of(table.sum(axis=1)[:, None])[0])
    there, number = np.unique(units.group, return_inverse=True)
    low = high = theory_low = theory_high = error = float("nan")
    undefined = 0
    warning = ""
    if np.isnan(value):
        warning = "all ratings are equal, so agreement is undefined"
    elif len(there) < 2:
        warning = f"one {groups.unit} alone has no interval"
    else:
        draws = sums_redrawn(summed(table, number, len(there)), scheme, value_of)
        low, high, undefined = percentiles(draws, level, value)
        warning = undefined_text(undefined, scheme.n_draws)
        theory_low, theory_high, error = coefficient.theory(units, level)
    return Agreement(
        coefficient.name,
        coefficient.label,
        value,
        low,
        high,
        level,
        len(units.group),
        len(np.unique(units.rater)),
        groups.unit,
        len(there),
        undefined,
        theory_low,
        theory_high,
        error,
        warning,
    )
