"""Corrections for many comparisons: a family goes in, adjusted p-values come out (STATISTICS.md, section 4)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Note
from mtsig.inference.family import Family
from mtsig.inference.probability import clopper_pearson, tolerance
from mtsig.registry import find

Floats = NDArray[np.float64]


class Correction(ABC):
    """A way to adjust the p-values of a family; `controls` says which error it keeps at alpha."""

    name: str
    label: str
    controls: str

    @abstractmethod
    def __call__(self, family: Family) -> tuple[Floats, Floats, Floats]:
        """Return the adjusted p-values, and what they could be if drawing never ended (low, high)."""


class _OfPValues(Correction):
    """A correction that reads the p-values and nothing else."""

    @abstractmethod
    def adjusted(self, p: Floats) -> Floats:
        """Return the adjusted p-values."""

    def __call__(self, family: Family) -> tuple[Floats, Floats, Floats]:
        """Adjust the p-values, and both ends of their Monte-Carlo intervals: adjusting is monotone."""
        return self.adjusted(family.p_value), self.adjusted(family.p_low), self.adjusted(family.p_high)


@dataclass(frozen=True)
class Uncorrected(_OfPValues):
    """Leave the p-values as they are."""

    name = "none"
    label = "none"
    controls = "the error rate of each comparison by itself"

    def adjusted(self, p: Floats) -> Floats:
        """Return p."""
        return p


@dataclass(frozen=True)
class Bonferroni(_OfPValues):
    """m · p."""

    name = "bonferroni"
    label = "Bonferroni"
    controls = "the chance of any false claim in the family"

    def adjusted(self, p: Floats) -> Floats:
        """Return min(1, m p)."""
        return np.minimum(1.0, len(p) * p)


@dataclass(frozen=True)
class Holm(_OfPValues):
    """Step-down Bonferroni (Holm 1979)."""

    name = "holm"
    label = "Holm"
    controls = "the chance of any false claim in the family"

    def adjusted(self, p: Floats) -> Floats:
        """Return the running maximum of (m − rank + 1) · p from the smallest p on."""
        order = np.argsort(p, kind="stable")
        scaled = np.minimum(1.0, p[order] * np.arange(len(p), 0, -1))
        found = np.empty(len(p))
        found[order] = np.maximum.accumulate(scaled)
        return found


@dataclass(frozen=True)
class StepDownMinP(Correction):
    """Westfall and Young's step-down min-P on the shared draws (Ge, Dudoit and Speed 2003).

    It uses how the comparisons depend on each other, so it gives away less than Holm at the same family-wise error.
    """

    name = "minp"
    label = "step-down min-P (Westfall–Young)"
    controls = "the chance of any false claim in the family"

    def __call__(self, family: Family) -> tuple[Floats, Floats, Floats]:
        """Rank every draw within its own comparison, and compare minima over the comparisons still in play."""
        null = family.null
        if null is None:
            raise TypeError("min-P needs the joint draws; `adjust` hands families without them to Holm")
        # The observed arrangement is one of the draws: it is the first column of a complete null, and is put in else.
        observed = null[:, :1] if family.complete else family.difference[:, None]
        total = null.shape[1] + (not family.complete)
        ranks = [count_at_least(null[row], observed[row], family.complete) for row in range(len(family))]
        own = np.array([counts[0] for counts in ranks])
        found = np.empty(len(family))
        order = np.argsort(own, kind="stable")
        smallest = np.full(total, total)
        for row in order[::-1]:
            smallest = np.minimum(smallest, ranks[row])
            found[row] = np.count_nonzero(smallest <= own[row]) / total
        found[order] = np.maximum.accumulate(found[order])
        if family.complete:
            return found, found, found
        low, high = clopper_pearson(np.rint(found * total) - 1, null.shape[1])
        # A p-value found by enumeration stands beside the simulated ones; no adjusted one may fall below it.
        floor = np.where(family.exact, family.p_value, 0.0)
        return np.maximum(found, floor), np.maximum(low, floor), np.maximum(high, floor)


def count_at_least(null: Floats, observed: Floats, complete: bool) -> NDArray[np.int32]:
    """Return for the observed value and each draw how many of them all lie at least as far from 0.

    `null` has shape (b,), `observed` (1,). Values within the tolerance of each other are ties.
    """
    size = np.abs(null if complete else np.concatenate([observed, null]))
    order = np.argsort(size, kind="stable")
    ascending = size[order]
    starts_group = np.diff(ascending, prepend=-np.inf) > tolerance(ascending)
    group_start = np.maximum.accumulate(np.where(starts_group, np.arange(len(size)), 0))
    counts = np.empty(len(size), dtype=np.int32)
    counts[order] = len(size) - group_start
    return counts


CORRECTIONS: dict[str, Correction] = {one.name: one for one in (StepDownMinP(), Holm(), Bonferroni(), Uncorrected())}


def adjust(family: Family, correction: str | Correction = "minp") -> Family:
    """Return the family with p-values corrected for its m comparisons.

    min-P needs joint draws under the null; a test that has none is corrected by Holm instead, and a note says so.

    Raises:
        UnknownName: no such correction.
    """
    chosen = find(CORRECTIONS, correction, "correction")
    notes = family.notes
    if np.isnan(family.p_value).all():
        chosen = CORRECTIONS["none"]
    elif isinstance(chosen, StepDownMinP) and family.null is None:
        chosen = CORRECTIONS["holm"]
        notes += (
            Note("note", f"{family.test.name} has no joint draws under the null: Holm is used instead of min-P."),
        )
    p, low, high = chosen(family)
    return replace(family, p_adjusted=p, adjusted_low=low, adjusted_high=high, correction=chosen.name, notes=notes)
