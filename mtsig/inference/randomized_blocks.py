"""Classical post-hoc comparisons in the randomized-block layout, segments being the blocks (RM05 section 4.4)."""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.errors import NotApplicable
from mtsig.inference.corrections import Adjusted, Correction, JudgedTogether
from mtsig.inference.distributions import f_above
from mtsig.metrics import FEWEST_UNITS


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
