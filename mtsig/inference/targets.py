"""Targets: what inference is about, scores of systems or differences of pairs, with what is known of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig.errors import NotApplicable
from mtsig.inference.studentized import resampled_errors
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Distribution, differing_units, resample, sign_of

PairChoice: TypeAlias = str | Sequence[tuple[str, str]]
"""Which pairs: "all", one system's name (every other system against it), or a list of (first, second)."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of the s systems as targets; `statistics` stands at the unit of inference."""

    statistics: Statistics
    plan: Bootstrap
    drawn: Distribution | None = None
    """The distribution, when it was drawn together with other metrics'."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The systems."""
        return self.statistics.systems

    @property
    def estimate(self) -> NDArray[np.float64]:
        """The corpus scores; shape (s,)."""
        return self.statistics.scores

    @cached_property
    def distribution(self) -> Distribution:
        """The scores of redrawn test sets."""
        return self.drawn or resample(self.statistics, self.plan)

    @property
    def draws(self) -> NDArray[np.float64]:
        """The scores on redrawn test sets; shape (s, b)."""
        return self.distribution.draws

    @cached_property
    def standard_error(self) -> NDArray[np.float64]:
        """The infinitesimal jackknife's standard errors; shape (s,), NaN where the score has no derivative."""
        return np.array([jackknife_error(row) for row in self.statistics.influence])

    @cached_property
    def left_out(self) -> NDArray[np.float64]:
        """The scores without each unit in turn; shape (s, n)."""
        found = self.statistics.metric.score(self.statistics.sums[..., None] - self.statistics.values)
        return np.asarray(found)

    @cached_property
    def studentized(self) -> NDArray[np.float64]:
        """(θ* − θ)/SE* of every redrawn test set; shape (s, b), NaN where SE* is 0 or unknown."""
        nobody = np.zeros(0, dtype=np.int64)
        errors, _ = resampled_errors(self.statistics, self.plan, nobody, nobody)
        return _ratio(self.draws - self.estimate[:, None], errors)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Paired differences as targets: `first` and `second` hold positions of systems, shape (m,)."""

    scores: Scores
    first: NDArray[np.int64]
    second: NDArray[np.int64]

    @property
    def statistics(self) -> Statistics:
        """The statistics, at the unit of inference."""
        return self.scores.statistics

    @property
    def plan(self) -> Bootstrap:
        """How test sets are redrawn."""
        return self.scores.plan

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """The systems of each pair."""
        names = self.statistics.systems
        return tuple((names[x], names[y]) for x, y in zip(self.first, self.second, strict=True))

    @cached_property
    def estimate(self) -> NDArray[np.float64]:
        """The differences, positive when the first system is better; shape (m,)."""
        scores = self.statistics.scores
        return sign_of(self.statistics.metric) * (scores[self.first] - scores[self.second])

    @cached_property
    def draws(self) -> NDArray[np.float64]:
        """The differences on redrawn test sets; shape (m, b)."""
        return self.scores.distribution.differences(self.first, self.second)

    @cached_property
    def standard_error(self) -> NDArray[np.float64]:
        """The infinitesimal jackknife's standard errors of the differences; shape (m,)."""
        moved = self.statistics.influence
        errors = [jackknife_error(moved[x] - moved[y]) for x, y in zip(self.first, self.second, strict=True)]
        return np.array(errors)

    @cached_property
    def left_out(self) -> NDArray[np.float64]:
        """The differences without each unit in turn; shape (m, n)."""
        left_out = self.scores.left_out
        return np.asarray(sign_of(self.statistics.metric) * (left_out[self.first] - left_out[self.second]))

    @cached_property
    def studentized(self) -> NDArray[np.float64]:
        """(d* − d)/SE* of every redrawn test set; shape (m, b), NaN where SE* is 0 or unknown."""
        _, errors = resampled_errors(self.statistics, self.plan, self.first, self.second)
        return _ratio(self.draws - self.estimate[:, None], errors)

    @cached_property
    def differing(self) -> NDArray[np.int64]:
        """On how many units the two systems have different statistics; shape (m,)."""
        return np.array([
            int(differing_units(self.statistics, self.first[i : i + 1], self.second[i : i + 1]).sum())
            for i in range(len(self.first))
        ])  # fmt: skip


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return found


def jackknife_error(influence: NDArray[np.float64]) -> float:
    """Return sqrt(n/(n − 1) Σ u²) of influences that sum to 0 (STATISTICS.md, section 2).

    Raises:
        NotApplicable: a single unit has no spread.
    """
    n = len(influence)
    if n < 2:
        raise NotApplicable("One unit alone has no spread: at least 2 segments (or documents) are needed.")
    return float(np.sqrt(n / (n - 1) * np.square(influence).sum()))


def pairs_of(scores: Scores, choice: PairChoice) -> Pairs:
    """Return the chosen pairs: positions first < second for "all"; every other system first for one system's name.

    Raises:
        NotApplicable: fewer than two systems, or a pair of a system with itself.
        UnknownName: a name that is no system's.
    """
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
            raise NotApplicable("The list of pairs is empty; give at least one.")
        if len({frozenset(pair) for pair in chosen}) < len(chosen) and all(x != y for x, y in chosen):
            raise NotApplicable("A pair stands in the list twice; each comparison counts once.")
    for x, y in chosen:
        if x == y:
            raise NotApplicable(f"System {names[x]!r} cannot be compared with itself.")
    first, second = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
    return Pairs(scores, first, second)
