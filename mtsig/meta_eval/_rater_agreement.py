"""Agreement: judgements go in; how far the judges agree comes out, with an interval over other segments.

Every coefficient is a function of sums over the outputs (cells of system and segment), so that segments or documents
are redrawn with all their systems and judges by one product. A judge who saw an output twice counts with the first
value; the repeats are what `intra_judge` is made of.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
import scipy

from mtsig._probability import check_level
from mtsig._records import Count, Floats, Index, Level, Number, Record, about
from mtsig.citations import Citations
from mtsig.corpus import Judgements
from mtsig.errors import NotApplicable, UnknownName, find
from mtsig.meta_eval._statistic import Groups, groups_of, percentiles, summed, sums_redrawn, undefined_text
from mtsig.resampling import Bootstrap

MOST_CATEGORIES = 100
"""More different values than this are no categories."""


@dataclass(frozen=True)
class Agreement(Record):
    """How far judges agree on the outputs that several of them judged."""

    kind: Annotated[str, about("The coefficient, by its name in the program.")]
    label: Annotated[str, about("The coefficient, as it is printed.")]
    value: Annotated[Number, about("Its value; null where all ratings are equal.")]
    ci_low: Annotated[Number, about("Lower end of the percentile interval over redrawn segments or documents.")]
    ci_high: Annotated[Number, about("Its upper end.")]
    level: Annotated[Level, about("Nominal coverage of the intervals.")]
    outputs: Annotated[Count, about("Outputs that were judged by at least two.")]
    judges: Annotated[Count, about("Judges of these outputs.")]
    unit: Annotated[str, about("What was redrawn as a whole: segment or document.")]
    units: Annotated[Count, about("How many of these there are.")]
    undefined: Annotated[Count, about("Redraws in which the coefficient had no value.")]
    theory_low: Annotated[Number, about("Lower end of the interval by F theory; only for ICC.")] = float("nan")
    theory_high: Annotated[Number, about("Its upper end.")] = float("nan")
    error_of_mean: Annotated[
        Number, about("Standard error of an output's mean over its judges, on the rating's scale; only for ICC.")
    ] = float("nan")
    warning: Annotated[str, about("What to know of the value or its interval; empty where there is nothing.")] = ""


@dataclass(frozen=True, eq=False)
class Units:
    """What was judged more than once: r values, sorted by unit.

    unit: shape (r,), from 0 to u − 1. judge, value: shape (r,). group: shape (u,), what the unit is redrawn with.
    """

    unit: Index
    judge: Index
    value: Floats
    group: Index

    @property
    def sizes(self) -> Index:
        """How many values each unit has; shape (u,)."""
        return np.bincount(self.unit, minlength=len(self.group))

    def categories(self) -> tuple[Index, int]:
        """Return the number of every value among the different ones in numeric order, and how many these are.

        Raises:
            NotApplicable: they are too many to be categories.
        """
        different, codes = np.unique(self.value, return_inverse=True)
        if len(different) > MOST_CATEGORIES:
            raise NotApplicable(f"{len(different):,} different values are no categories; choose alpha or an ICC.")
        return codes, len(different)


class Coefficient(ABC):
    """One coefficient of agreement: a table of sums per unit, and a function of the sums."""

    name: str
    label: str
    cites: ClassVar[Citations] = ()

    @abstractmethod
    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return what each unit adds to the sums, shape (k, u), and the coefficient of sums: (k, …) gives (…).

        Raises:
            NotApplicable: the design does not carry the coefficient.
        """

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
    """Krippendorff's α = 1 − D_o/D_e, for interval or nominal values (Krippendorff 2004)."""

    metric: Literal["interval", "nominal"] = "interval"

    @property
    def name(self) -> str:  # type: ignore[override]
        """What users type."""
        return "alpha" if self.metric == "interval" else "alpha-nominal"

    @property
    def label(self) -> str:  # type: ignore[override]
        """What is printed."""
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
        within = (counts * (size - counts)).sum(axis=0) / (size - 1)
        return np.concatenate([[within, size], counts]), _alpha_of_categories


def _alpha_of_values(sums: Floats) -> Floats:
    within, n, total, squares = sums
    return 1 - _ratio(within * (n - 1), 2 * (n * squares - total**2))


def _alpha_of_categories(sums: Floats) -> Floats:
    within, n, counts = sums[0], sums[1], sums[2:]
    return 1 - _ratio(within * (n - 1), n**2 - np.square(counts).sum(axis=0))


def _counts(units: Units) -> Floats:
    """Return how many values of every category each unit has; shape (c, u)."""
    codes, categories = units.categories()
    flat = np.bincount(codes * len(units.group) + units.unit, minlength=categories * len(units.group))
    return flat.reshape(categories, -1).astype(np.float64)


@dataclass(frozen=True)
class Cohen(Coefficient):
    """Cohen's κ of two judges on the same outputs; quadratic weights by the places of the categories (Cohen 1968)."""

    weights: Literal["none", "quadratic"] = "none"

    @property
    def name(self) -> str:  # type: ignore[override]
        """What users type."""
        return "kappa" if self.weights == "none" else "kappa-quadratic"

    @property
    def label(self) -> str:  # type: ignore[override]
        """What is printed."""
        return "Cohen's κ" if self.weights == "none" else "Cohen's κ, quadratic weights"

    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return how often the first judge said one category and the second another; shape (c², u)."""
        judges = np.unique(units.judge)
        if len(judges) != 2:
            raise NotApplicable(
                f"Cohen's κ is of two judges; these outputs have {len(judges)}. Name two, or choose alpha."
            )
        codes, categories = units.categories()
        first = np.empty(len(units.group), dtype=np.int64)
        second = np.empty(len(units.group), dtype=np.int64)
        for column, judge in ((first, judges[0]), (second, judges[1])):
            own = units.judge == judge
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
    """Fleiss's κ of outputs that all have the same number of judges, whoever they are (Fleiss 1971)."""

    name = "fleiss"
    label = "Fleiss's κ"

    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return the share of agreeing pairs of judges, one, and the categories' shares of every unit."""
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
            f"{what} needs the same number of judges for every output; found {sizes[0]} to {sizes[-1]}. Choose alpha."
        )
    return int(sizes[0])


@dataclass(frozen=True)
class IntraclassCorrelation(Coefficient):
    """Intraclass correlation of one judgement, or of the mean of k (Shrout and Fleiss 1979; McGraw and Wong 1996).

    form: "1", judges differ from output to output; "A", the same random judges, absolute agreement; "C", the same
    judges, consistency: who is more severe does not count.
    """

    form: Literal["1", "A", "C"] = "1"
    mean: bool = False

    @property
    def name(self) -> str:  # type: ignore[override]
        """What users type."""
        return f"icc({self.form.lower()},{'k' if self.mean else '1'})"

    @property
    def label(self) -> str:  # type: ignore[override]
        """What is printed."""
        return f"ICC({self.form},{'k' if self.mean else '1'})"

    def table(self, units: Units) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return one, the sum of squares, the square of the sum, and the judges' own values of every unit."""
        k = _equal_size(units, self.label)
        value = units.value - units.value.mean()
        size = len(units.group)
        squares = np.bincount(units.unit, value**2, minlength=size)
        total = np.bincount(units.unit, value, minlength=size)
        # One-way, the judges of an output have no order: their sum is all that is known.
        columns = [total] if self.form == "1" else list(self._block(units, value, k))
        table = np.stack([np.ones(size), squares, total**2, *columns])
        return table, lambda sums: self._of(*_mean_squares(sums, k), sums[0], k)

    def _block(self, units: Units, value: Floats, k: int) -> Floats:
        judges, column = np.unique(units.judge, return_inverse=True)
        if len(judges) != k:
            raise NotApplicable(
                f"{self.label} needs the same judges for every output; these {len(units.group):,} outputs have "
                f"{len(judges)} judges, {k} each. Choose alpha, icc(1,1), or the judges of a complete part."
            )
        block = np.empty((k, len(units.group)))
        block[column, units.unit] = value
        return block

    def _of(self, between: Floats, judges: Floats, error: Floats, within: Floats, n: Floats, k: int) -> Floats:
        if self.form == "1":
            above, below = between - within, between + (0 if self.mean else k - 1) * within
        elif self.form == "C":
            above, below = between - error, between + (0 if self.mean else k - 1) * error
        elif self.mean:
            above, below = between - error, between + (judges - error) / n
        else:
            above, below = between - error, between + (k - 1) * error + k / n * (judges - error)
        return _ratio(above, below)

    def theory(self, units: Units, level: float) -> tuple[float, float, float]:
        """Return the interval by F theory (McGraw and Wong 1996, table 7), and the standard error of a unit's mean."""
        k, n = _equal_size(units, self.label), len(units.group)
        table, _ = self.table(units)
        if n < 2:
            return float("nan"), float("nan"), float("nan")
        between, judges, error, within = (float(mean_square) for mean_square in _mean_squares(table.sum(axis=1), k))
        share = (1 + level) / 2
        if self.form == "A":
            low, high = _absolute_ends(between, judges, error, n, k, share)
            spread = error + max(0.0, (judges - error) / n)
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
    """Return the mean squares between units, between judges, of the residual, and within units.

    Those of the judges and the residual are NaN one-way. sums: n, Σx², Σ(unit's sum)², and the judges' sums.
    """
    n, squares, totals, columns = sums[0], sums[1], sums[2], sums[3:]
    mean = np.square(columns.sum(axis=0)) / (n * k)
    between = totals / k - mean
    within = squares - totals / k
    if len(columns) == 1:
        nothing = np.full_like(between, np.nan)
        return between / (n - 1), nothing, nothing, within / (n * (k - 1))
    of_judges = np.square(columns).sum(axis=0) / n - mean
    return between / (n - 1), of_judges / (k - 1), (within - of_judges) / ((n - 1) * (k - 1)), within / (n * (k - 1))


def _f_quantile(share: float, first: float, second: float) -> float:
    return float(scipy.special.fdtri(first, second, share))


def _absolute_ends(between: float, judges: float, error: float, n: int, k: int, share: float) -> tuple[float, float]:
    """Return the ends for absolute agreement, by Satterthwaite's degrees of freedom of judges and residual."""
    value = (between - error) / (between + (k - 1) * error + k / n * (judges - error))
    if error <= 0 or value >= 1:
        return float("nan"), float("nan")
    a, b = k * value / (n * (1 - value)), 1 + k * value * (n - 1) / (n * (1 - value))
    df = (a * judges + b * error) ** 2 / ((a * judges) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1)))
    rest = k * judges + (k * n - k - n) * error
    factor, inverse = _f_quantile(share, n - 1, df), _f_quantile(share, df, n - 1)
    low = n * (between - factor * error) / (factor * rest + n * between)
    return low, n * (inverse * between - error) / (rest + n * inverse * between)


AGREEMENTS: dict[str, Coefficient] = {
    statistic.name: statistic
    for statistic in (
        Alpha(),
        Alpha("nominal"),
        Cohen(),
        Cohen("quadratic"),
        Fleiss(),
        *(IntraclassCorrelation(form, mean) for mean in (False, True) for form in ("1", "A", "C")),
    )
}
"""By name; α is for any design, the others refuse what they cannot carry."""


def agreement(
    judgements: Judgements,
    kind: str | Coefficient = "alpha",
    *,
    judges: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
) -> Agreement:
    """Return how far judges agree on outputs, with the percentile interval over redrawn segments or documents.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> given = Judgements.of({"Ann": np.array([[1.0, 2, 3, 4]]), "Bo": np.array([[1.0, 2, 4, 4]])})
    >>> round(agreement(given, scheme=Bootstrap(100)).value, 3)
    0.926

    Args:
        judgements: who gave which value; `Rating.judgements`.
        kind: a name in AGREEMENTS, or a coefficient.
        judges: only these; None for all.
        documents: the document of each segment; redrawn as wholes where at least ten have judgements.
        level: coverage of the intervals.
        scheme: draws, seed and unit.

    Raises:
        UnknownName: no such coefficient, or no such judge.
        NotApplicable: no output was judged by two, or the design does not carry the coefficient.
    """
    check_level(level)
    coefficient = find(AGREEMENTS, kind, "agreement") if isinstance(kind, str) else kind
    scheme = Bootstrap() if scheme is None else scheme
    chosen = _of_judges(judgements, judges)
    groups = groups_of(chosen, documents, scheme.unit)
    pairs, first = np.unique(_cell(chosen) * len(chosen.judges) + chosen.judge, return_index=True)
    units = _units(pairs // len(chosen.judges), chosen, first, groups)
    if not len(units.group):
        raise NotApplicable("No output was rated by two judges: agreement cannot be measured. Bias can; see leniency.")
    return _judged(coefficient, units, groups, level, scheme)


def intra_judge(
    judgements: Judgements,
    judge: str,
    *,
    documents: Sequence[str] | None = None,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
) -> Agreement:
    """Return how far one judge agrees with herself: α (interval) over the outputs that she judged more than once.

    Arguments and errors are those of `agreement`.

    Raises:
        NotApplicable: the judge saw no output twice.
    """
    check_level(level)
    scheme = Bootstrap() if scheme is None else scheme
    chosen = _of_judges(judgements, [judge])
    groups = groups_of(chosen, documents, scheme.unit)
    units = _units(_cell(chosen), chosen, np.arange(len(chosen)), groups)
    if not len(units.group):
        raise NotApplicable(f"{judge} rated no output twice: how far {judge} agrees with herself is not known.")
    return _judged(Alpha(), units, groups, level, scheme)


def repeats(
    judgements: Judgements,
    *,
    documents: Sequence[str] | None = None,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
) -> dict[str, Agreement]:
    """Return `intra_judge` of every judge who judged an output more than once.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> given = Judgements.of({"Ann": np.array([[1.0, 2, 3, 4]]), "Bo": np.array([[1.0, 2, 4, 4]])})
    >>> repeats(given)
    {}
    """
    own = _cell(judgements) * len(judgements.judges) + judgements.judge
    _, first, count = np.unique(own, return_index=True, return_counts=True)
    again = np.unique(judgements.judge[first[count > 1]]).tolist()
    return {
        judgements.judges[judge]: intra_judge(
            judgements, judgements.judges[judge], documents=documents, level=level, scheme=scheme
        )
        for judge in again
    }


def _of_judges(judgements: Judgements, judges: Sequence[str] | None) -> Judgements:
    if judges is None:
        return judgements
    unknown = [name for name in judges if name not in judgements.judges]
    if unknown:
        raise UnknownName(f"There is no judge called {unknown[0]!r}. Known: {', '.join(judgements.judges)}.")
    return judgements.where(np.isin(judgements.judge, [judgements.judges.index(name) for name in judges]))


def _cell(judgements: Judgements) -> Index:
    """Return the number of the output that each judgement is of; the same for the same system and segment."""
    return judgements.segment.astype(np.int64) * (int(judgements.system.max(initial=0)) + 1) + judgements.system


def _units(unit: Index, judgements: Judgements, rows: Index, groups: Groups) -> Units:
    """Return the units with at least two values; `unit` has the unit of each of the rows."""
    _, number, size = np.unique(unit, return_inverse=True, return_counts=True)
    several = size[number] > 1
    kept, (_, number) = rows[several], np.unique(number[several], return_inverse=True)
    order = np.argsort(number, kind="stable")
    kept, number = kept[order], number[order]
    group = np.empty(int(number.max(initial=-1)) + 1, dtype=np.int64)
    group[number] = groups.of[kept]
    return Units(number, judgements.judge[kept].astype(np.int64), judgements.value[kept], group)


def _judged(coefficient: Coefficient, units: Units, groups: Groups, level: float, scheme: Bootstrap) -> Agreement:
    table, value_of = coefficient.table(units)
    value = float(value_of(table.sum(axis=1)[:, None])[0])
    there, number = np.unique(units.group, return_inverse=True)
    low = high = theory_low = theory_high = error = float("nan")
    undefined = 0
    warning = ""
    if np.isnan(value):
        warning = "all ratings are equal: there is nothing to agree about"
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
        len(np.unique(units.judge)),
        groups.unit,
        len(there),
        undefined,
        theory_low,
        theory_high,
        error,
        warning,
    )
