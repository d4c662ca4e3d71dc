"""Several means at once: procedures for randomized blocks, tests of equal means, and all corrections by name."""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._probability import f_above
from mtsig._records import Floats
from mtsig.citations import Citations
from mtsig.errors import NotApplicable
from mtsig.inference._corrections import (
    Adjusted,
    BenjaminiHochberg,
    BenjaminiYekutieli,
    Bonferroni,
    Correction,
    Holm,
    Hommel,
    JudgedTogether,
    Sidak,
    SingleStepMaxT,
    SingleStepMinP,
    StepDownMaxT,
    StepDownMinP,
    Uncorrected,
)
from mtsig.metrics._sums import FEWEST_UNITS


class OfBlocks(Correction):
    """A correction that makes its own p-values from segment scores, for metrics that are means of them.

    So it corrects no other test's: its p can be smaller than that test's raw one.
    """

    controls = "any false claim, classically"
    needs = "segment means"

    def __call__(self, judged: JudgedTogether) -> Adjusted:
        """Return the p-values three times: nothing is simulated.

        Raises:
            NotApplicable: the metric is no mean of segment scores, metrics are joined, or hardly any unit is known
                for all systems.
        """
        statistics = judged.statistics
        if statistics is None or not statistics.metric.is_segment_mean:
            raise NotApplicable(
                f"{self.label} is for metrics that are means of segment scores. Use step-down min-P or Holm."
            )
        if statistics.unit != "segment":
            raise NotApplicable(
                f"{self.label} takes segments as blocks, and the units here are documents. Use step-down min-P or "
                "Holm, or choose the segment as the unit and say that sentences of one document were treated as "
                "independent."
            )
        # The family is that of the systems that take part, whatever else was measured.
        rows = np.unique(np.concatenate([judged.first, judged.second]))
        statistics = statistics.select([statistics.systems[row] for row in rows])
        # The block layout has no empty cells: where systems lack units, those that all of them have are the blocks.
        statistics = statistics.shared_by(statistics.systems)
        if statistics.n < FEWEST_UNITS:
            raise NotApplicable(f"{self.label} needs at least {FEWEST_UNITS} {statistics.unit}s that all systems have.")
        if judged.alternative != "two-sided":
            raise NotApplicable(f"{self.label} is two-sided.")
        with np.errstate(divide="ignore", invalid="ignore"):
            places = (np.searchsorted(rows, positions) for positions in (judged.first, judged.second))
            p = self.p_values(statistics.segment_scores, *places)
        # Without any difference there is nothing to find, also where nothing varies at all.
        p = np.where(judged.difference == 0, 1.0, p)
        return p, p, p

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the p-values of pairs of the k systems with scores (k, n)."""
        raise NotImplementedError


def block_error(scores: Floats) -> tuple[float, int]:
    """Return the mean square error of the additive model system + segment, and its df (k − 1)(n − 1)."""
    k, n = scores.shape
    residual = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    df = (k - 1) * (n - 1)
    return float(np.square(residual).sum() / df), df


@dataclass(frozen=True)
class Tukey(OfBlocks):
    """Tukey's honest significant difference with the block error."""

    name = "tukey"
    label = "Tukey HSD (classical)"
    in_words = "Tukey's method"
    cites = ("tukey-1949",)

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the studentized range's tail of |d|/sqrt(MSE/n)."""
        mse, df = block_error(scores)
        gap = np.abs(scores.mean(axis=1)[first] - scores.mean(axis=1)[second])
        return np.asarray(scipy.stats.studentized_range.sf(gap / np.sqrt(mse / scores.shape[1]), len(scores), df))


@dataclass(frozen=True)
class Scheffe(OfBlocks):
    """Scheffé's method with the block error: good for every contrast, wide for pairs."""

    name = "scheffe"
    label = "Scheffé (classical)"
    in_words = "Scheffé's method"
    cites = ("scheffe-1953",)

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the F tail of d²/(2 MSE/n)/(k − 1)."""
        mse, df = block_error(scores)
        gap = scores.mean(axis=1)[first] - scores.mean(axis=1)[second]
        k, n = scores.shape
        return np.asarray(f_above(np.square(gap) / (2 * mse / n) / (k - 1), k - 1, df))


@dataclass(frozen=True)
class Nemenyi(OfBlocks):
    """Nemenyi's comparison of mean ranks within segments."""

    name = "nemenyi"
    label = "Nemenyi (classical, on ranks)"
    in_words = "Nemenyi's method"
    cites = ("nemenyi-1963",)

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the studentized range's tail of |ΔR|/sqrt(k(k + 1)/(12 n)) with infinite degrees of freedom."""
        k, n = scores.shape
        ranks = scipy.stats.rankdata(scores, axis=0).mean(axis=1)
        gap = np.abs(ranks[first] - ranks[second]) / np.sqrt(k * (k + 1) / (12 * n))
        return np.asarray(scipy.stats.studentized_range.sf(gap, k, np.inf))


CORRECTIONS: dict[str, Correction] = {
    correction.name: correction
    for correction in (
        StepDownMinP(),
        Holm(),
        Bonferroni(),
        Uncorrected(),
        Sidak(),
        Hommel(),
        SingleStepMinP(),
        SingleStepMaxT(),
        StepDownMaxT(),
        BenjaminiHochberg(),
        BenjaminiYekutieli(),
        Tukey(),
        Scheffe(),
        Nemenyi(),
    )
}


def corrects(name: str) -> bool:
    """Return whether the correction of this name does anything; one that this program does not know is taken to."""
    known = CORRECTIONS.get(name)
    return known is None or known.corrects


def correction_label(name: str) -> str:
    """Return what the correction of this name is called in sentences; one that this program does not know: its name.

    >>> from mtsig.inference._means import correction_label
    >>> correction_label("bonferroni"), correction_label("of another program")
    ('Bonferroni', 'of another program')
    """
    known = CORRECTIONS.get(name)
    return name if known is None else known.label


@dataclass(frozen=True)
class EqualMeans:
    """A test of equal means: its name in results, how a methods paragraph says it, and what to cite for it."""

    name: str
    in_words: str
    cites: Citations

    @property
    def label(self) -> str:
        """Its name, as tables print it."""
        return self.name


HOTELLING = EqualMeans("Hotelling", "Hotelling's T²", ("hotelling-1931",))

WELCH = EqualMeans("Welch", "Welch's F", ("welch-1951",))

EQUAL_MEANS = {test.name: test for test in (HOTELLING, WELCH)}

_ROUNDING = 1e-6
"""Contrasts that vary by so small a share of what the largest does vary by rounding alone."""


def welch(differences: Floats, errors: Floats, df: Floats) -> tuple[float, float, float]:
    """Return Welch's F for equal means with its degrees of freedom; see `heterogeneity`.

    df: shape (J,), the degrees of freedom of each standard error.

    A slice in which the systems do not differ at all has no spread; then F cannot be told, and is NaN.
    """
    count = len(differences)
    df1 = count - 1.0
    if not np.all(errors > 0):
        return float("nan"), df1, float("nan")
    weights = 1 / errors**2
    share = weights / weights.sum()
    q = float((weights * (differences - (share * differences).sum()) ** 2).sum())
    spread = float(((1 - share) ** 2 / df).sum())
    f = q / df1 / (1 + 2 * (count - 2) / (count**2 - 1) * spread)
    return f, df1, (count**2 - 1) / (3 * spread)


def hotelling(differences: Floats, moved: Floats, inside: NDArray[np.bool_], most: float) -> tuple[float, float, float]:
    """Return Hotelling's T² for equal means as F with its degrees of freedom, where units reach into several slices.

    With the jackknife's covariance matrix V of the J differences d and q = J − 1 contrasts C to the last
    slice, T² = (Cd)'(CVC')⁻¹(Cd) and F = T² (η − q + 1)/(η q) with df = q, η − q + 1. Units of one kind reach into the
    same slices. Scaled so that they sum up to the identity, the n_P units of kind P give the share S_P of CVC', and

        η = q(q + 1) / Σ_P (tr(S_P)² + tr(S_P²))/(n_P − 1)

    are the degrees of freedom of the Wishart matrix that varies as much (the approximate Hotelling test: Zhang 2012,
    Open Journal of Statistics 2; Pustejovsky and Tipton 2018, JBES 36). When all K units are of one kind, η = K − 1:
    the test is Hotelling's own. With two slices that share no unit it is Welch's t test. As if all units were of one
    kind, slices of 10, 10, 10, 10 and 60 documents, one of them in two, err in 12 of 100 at the level .05.

    Args:
        differences: shape (J,).
        moved: shape (J, K), what leaving out every unit does to the difference in every slice, 0 where it has no
            segment.
        inside: shape (J, K), whether it has any.
        most: η is at most this: the degrees of freedom of all units, which may be of unequal size.
    """
    df1 = len(differences) - 1.0
    units = inside.sum(axis=1, keepdims=True)
    if units.min() < 2:
        return float("nan"), df1, float("nan")
    scaled = moved * np.sqrt((units - 1) / units)
    contrasts = np.hstack([np.eye(len(differences) - 1), -np.ones((len(differences) - 1, 1))])
    gaps, shares = contrasts @ differences, contrasts @ scaled
    reach = np.linalg.svd(shares, compute_uv=False)
    if not reach[-1] > _ROUNDING * reach[0]:
        return float("nan"), df1, float("nan")
    root = np.linalg.cholesky(shares @ shares.T)
    eta = min(_wishart_df(np.linalg.solve(root, shares), inside), most)
    df2 = eta - df1 + 1
    if df2 < 1:
        return float("nan"), df1, df2
    return float(np.square(np.linalg.solve(root, gaps)).sum()) * df2 / (eta * df1), df1, df2


def _wishart_df(shares: Floats, inside: NDArray[np.bool_]) -> float:
    """Return η of `hotelling`; shares: shape (q, K), whose products with themselves sum up to the identity."""
    _, kinds = np.unique(inside.T, axis=0, return_inverse=True)
    spread = 0.0
    for kind in range(int(kinds.max()) + 1):
        own = shares[:, kinds.reshape(-1) == kind]
        square = own @ own.T
        # Of a kind with a single unit, that unit is all that is known of it.
        spread += float(np.trace(square) ** 2 + np.trace(square @ square)) / max(own.shape[1] - 1, 1)
    return len(shares) * (len(shares) + 1) / spread
