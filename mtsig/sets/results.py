"""What comparisons over sets come to: every set's, the averages', and what stands beside each average."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from mtsig.corpus import Note, number_of
from mtsig.errors import NotApplicable
from mtsig.inference.family import Family, row_of
from mtsig.records import Count, MetricRecord, Number, Probability, Spread, SystemName, about
from mtsig.results import Result
from mtsig.sets.collection import SetStatistics
from mtsig.sets.meta import RandomEffects
from mtsig.sets.ranks import SetRanks
from mtsig.sets.replicability import Replicability
from mtsig.sets.units import SharedUnits

Pair = tuple[str, str]


@dataclass(frozen=True)
class OverSets(MetricRecord):
    """What stands beside the average of a pair: its differences set by set, and whether the sets disagree."""

    metric: Annotated[str, about("Name of the metric.")]
    signature: Annotated[str, about("Its signature; where sets differ, each with the sets that it is of.")]
    first: Annotated[SystemName, about("The first system.")]
    second: Annotated[SystemName, about("The second system.")]
    sets: Annotated[tuple[str, ...], about("The sets that have both.")]
    weights: Annotated[tuple[float, ...], about("Their weights in the average; they sum to 1.")]
    differences: Annotated[tuple[float, ...], about("The difference in each set.")]
    standard_errors: Annotated[tuple[float, ...], about("Its standard error in each set.")]
    first_leads: Annotated[Count, about("In how many sets the first scores better.")]
    second_leads: Annotated[Count, about("In how many sets the second scores better.")]
    error_if_independent: Annotated[
        Spread, about("Standard error that the average would have if no unit were in several sets.")
    ]
    method: Annotated[str, about("Test of equal differences, Welch or Hotelling; or why there is none.")]
    statistic: Annotated[Number, about("Its F.")]
    df1: Annotated[Spread, about("Degrees of freedom of F.")]
    df2: Annotated[Spread, about("Degrees of freedom of its standard errors.")]
    p_value: Annotated[Probability, about("Its p: are the differences the same in all sets?")]
    p_adjusted: Annotated[Probability, about("p corrected for the pairs, by Holm.")]
    further: Annotated[
        RandomEffects | None, about("The mean over sets like these; null where it cannot be worked out.")
    ]
    not_further: Annotated[str, about("Why these sets cannot stand for others; empty where they may.")]

    @property
    def contrary(self) -> tuple[str, ...]:
        """The sets in which the system leads that is behind on average; none where neither is."""
        mean = float(np.dot(self.weights, self.differences))
        return tuple(
            name for name, difference in zip(self.sets, self.differences, strict=True) if mean * difference < 0
        )


@dataclass(frozen=True, eq=False)
class DrawnOverSets:
    """What comparisons over sets were made from, and only those have that were just made."""

    statistics: SetStatistics
    units: SharedUnits


@dataclass(frozen=True, eq=False)
class FamilyOverSets(Result):
    """Comparisons in every set, judged together, and what the sets say of each pair together.

    families: set -> its comparisons. averages: the average difference of every pair over the sets that have both, a
    family of its own; None where no pair has one. described: what stands beside each average, in its order.
    replicated: for every pair and direction, in how many sets at least. ranks: None with fewer than 5 sets. joint:
    whether all sets are one family. sets: the names of all. drawn: None for those that a study kept. by: what the sets
    are parts of one test set by; empty where they are test sets.
    """

    families: Mapping[str, Family]
    averages: Family | None
    described: tuple[OverSets, ...]
    replicated: tuple[Replicability, ...]
    ranks: SetRanks | None
    joint: bool
    sets: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    drawn: DrawnOverSets | None = None
    by: str = ""

    @property
    def kind(self) -> str:
        """What the sets are called."""
        return "part" if self.by else "test set"

    @property
    def counted(self) -> str:
        """How many sets there are, in words."""
        said = number_of(len(self.families), self.kind)
        return f"{said} of one test set by {self.by.partition(':')[0]}" if self.by else said

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        size = sum(map(len, self.families.values()))
        compared = number_of(size, "comparison")
        return f"<FamilyOverSets in {self.metric}: {compared} on {number_of(len(self.families), 'set')}>"

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.described[0].metric

    @property
    def signature(self) -> str:
        """The metric's signature; where sets differ, each with the sets that it is of."""
        return self.described[0].signature

    @property
    def statistics(self) -> SetStatistics:
        """What was counted on the sets.

        Raises:
            NotApplicable: the comparisons were kept in a study, which has no statistics.
        """
        return self._made_from.statistics

    @property
    def units(self) -> SharedUnits:
        """Which units the sets share.

        Raises:
            NotApplicable: as `statistics`.
        """
        return self._made_from.units

    @property
    def _made_from(self) -> DrawnOverSets:
        if self.drawn is None:
            raise NotApplicable(
                "These comparisons were read from a study, which keeps no statistics: measure the sets."
            )
        return self.drawn

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per set and pair, then those of the averages, whose set is None."""
        rows = [{"set": name, **row_of(comparison)} for name, family in self.families.items() for comparison in family]
        return rows + [{"set": None, **row_of(comparison)} for comparison in self.averages or ()]
