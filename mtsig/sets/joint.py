"""Joint draws over sets: labels exchanged in several sets at once, and p-values corrected by them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats, distinct
from mtsig.inference.corrections import JudgedTogether, count_at_least, of_ranks
from mtsig.inference.family import Family
from mtsig.metrics import Statistics
from mtsig.resampling import Purpose, Swap, Words, shuffle
from mtsig.sets.units import SharedUnits

MOST_RANKS = 2**27
"""Comparisons × draws whose ranks are held at once: half a gigabyte."""


def exchanged(
    families: Mapping[str, Family],
    statistics: Mapping[str, Statistics],
    units: SharedUnits,
    draws: int,
    seed: int,
    but: Collection[str] = (),
) -> Iterator[tuple[str, Floats]]:
    """Yield every set with differences under joint exchanges, shape (m_j, draws); one set at a time is in memory.

    Sets that share units are exchanged by the same masks over all units of their block. Sets that do not are
    independent: draw b of one block stands beside draw b of another, put into a random order.

    Args:
        families: the comparisons of every set.
        statistics: what they were made from, by segment.
        units: the units of all sets; documents only where every system has every segment.
        draws: how many.
        seed: of the masks.
        but: sets that are not drawn, because their differences are there already (`JointRanks.put_alone`).
    """
    for number, block in enumerate(units.blocks(list(families))):
        known = distinct(np.concatenate([units.of[name] for name in block]))
        order = _order(seed, number, draws)
        for name in block:
            if name in but:
                continue
            part = _over(units.at(name, statistics[name]), np.searchsorted(known, units.of[name]), len(known))
            family = families[name]
            first, second = (
                np.array([part.row(system) for system in names]) for names in (family.first, family.second)
            )
            null = shuffle(part, Swap(draws, seed, "segment"), first, second)
            yield name, null[:, order] if number else null


def _order(seed: int, block: int, draws: int) -> NDArray[np.int64]:
    """Return the random order in which a block's draws stand beside those of others."""
    return np.argsort(Words(seed, block, Purpose.PAIRED_SETS).take(1, draws)[0], kind="stable")


@dataclass(frozen=True, eq=False)
class JointRanks:
    """The ranks of every difference and of its draws among them all, of all comparisons of all sets in one array.

    Of each comparison's draws only the ranks are kept, and they are written where they stay: a set's differences are
    gone before the next set's come, and nothing is held twice.

    ranks: shape (m, 1 + draws), the observed difference first; draws nearer than it are all last (`count_at_least`).
    rows: set -> its rows. filled: the sets that are there.
    """

    ranks: NDArray[np.int32]
    rows: Mapping[str, slice]
    filled: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, sizes: Mapping[str, int], draws: int) -> "JointRanks":
        """Return room for so many comparisons of each set."""
        ends = np.cumsum(list(sizes.values())).tolist()
        rows = {name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)}
        return cls(np.empty((ends[-1], 1 + draws), dtype=np.int32), rows)

    def put(self, name: str, family: Family, null: Floats) -> None:
        """Rank the draws of a set, shape (m_j, draws)."""
        own = self.ranks[self.rows[name]]
        for row, (values, observed) in enumerate(zip(null, family.difference, strict=True)):
            own[row] = count_at_least(values, observed, False, family.test.alternative)
        self.filled.add(name)

    def put_alone(self, name: str, family: Family, block: int, seed: int) -> None:
        """Rank the draws that the test of a set made, where it shares no unit and made as many; else do nothing.

        They are those that `exchanged` would make: such a set is drawn once.
        """
        null, draws = family.null, self.ranks.shape[1] - 1
        if family.complete or null is None or null.shape[1] != draws:
            return
        self.put(name, family, null[:, _order(seed, block, draws)] if block else null)


def _over(at: Statistics, place: NDArray[np.int64], count: int) -> Statistics:
    """Return statistics over the units of a block of sets, with nothing where the set has no such unit."""
    if np.array_equal(place, np.arange(count)):
        return replace(at, unit="segment", document_of=None, sizes=None)
    values = np.zeros((*at.values.shape[:2], count), dtype=at.values.dtype)
    available = np.zeros((len(at.systems), count), dtype=bool)
    values[..., place] = at.values
    available[:, place] = True if at.available is None else at.available
    return replace(at, values=values, available=available, unit="segment", document_of=None, sizes=None, numbers=None)


def step_down(
    families: Mapping[str, Family], joint: JointRanks
) -> tuple[dict[str, Floats], dict[str, Floats], dict[str, Floats]]:
    """Return step-down min-P over all comparisons of all sets, by set: p, and what it could be at least and at most."""

    def column(what: str) -> Floats:
        return np.concatenate([getattr(family, what) for family in families.values()])

    judged = JudgedTogether(
        p_value=column("p_value"),
        p_mc_low=column("p_mc_low"),
        p_mc_high=column("p_mc_high"),
        exact=np.concatenate([family.exact for family in families.values()]),
        difference=column("difference"),
        null=None,
        complete=False,
        alternative="greater",
        scale=None,
        statistics=None,
        first=np.zeros(len(joint.ranks), dtype=np.int64),
        second=np.zeros(len(joint.ranks), dtype=np.int64),
    )
    p_values = []
    for corrected, raw in zip(of_ranks(joint.ranks, judged), ("p_value", "p_mc_low", "p_mc_high"), strict=True):
        # The raw p may come from other draws than those that are joint: none is made smaller by company.
        whole = np.where(np.isnan(judged.p_value), np.nan, np.fmax(corrected, column(raw)))
        p_values.append({name: whole[joint.rows[name]] for name in families})
    p, low, high = p_values
    return p, low, high
