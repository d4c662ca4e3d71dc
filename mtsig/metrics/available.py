"""Units that some systems lack: statistics with gaps go in; complete statistics of systems held together come out.

Every pair is compared on the units that both systems have (docs/statistics/metrics.md, section 4). There are two ways
to get there, and each has its use. Dropping the other units gives the pair's own test set: for scores, standard errors
and redraws. Putting zeros into BOTH systems' rows on the other units keeps the numbering of units: an exchange of
labels moves nothing there, so that one matrix of exchanges serves all pairs, and the draws of different pairs belong
together.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Index
from mtsig.metrics.statistics import Statistics


class Group(NamedTuple):
    """Targets that stand on the same units.

    targets: shape (t,), their numbers. statistics: complete. members: shape (t, g), the positions in it of each
    target's systems.
    """

    targets: Index
    statistics: Statistics
    members: Index


def by_shared_units(statistics: Statistics, members: Index) -> list[Group]:
    """Return the targets grouped by the units that all their members have; members (m, g) are positions of systems.

    Raises:
        NotApplicable: a target has no such unit.
    """
    if statistics.available is None:
        return [Group(np.arange(len(members)), statistics, members)]
    parts = []
    for targets in _grouped(statistics.available, members):
        rows, places = np.unique(members[targets], return_inverse=True)
        shared = statistics.shared_by([statistics.systems[row] for row in rows])
        parts.append(Group(targets, shared, places.reshape(len(targets), -1)))
    return parts


def side_by_side(statistics: Statistics, first: Index, second: Index) -> tuple[Statistics, Index, Index]:
    """Return complete statistics on ALL units, and where in them the two systems of each pair stand.

    A system has one row for every set of units on which it is compared, with zeros on the others; so have those it is
    compared with. Documents are summed after the zeros were put in.
    """
    if statistics.available is None:
        return statistics, first, second
    names: list[str] = []
    values = []
    at = np.empty((2, len(first)), dtype=np.int64)
    pairs = np.stack([first, second], axis=1)
    for number, targets in enumerate(_grouped(statistics.available, pairs)):
        rows, places = np.unique(pairs[targets], return_inverse=True)
        common = statistics.available[pairs[targets[0]]].all(axis=0)
        at[:, targets] = len(names) + places.reshape(-1, 2).T
        names += [f"{statistics.systems[row]} (units {number})" for row in rows]
        values.append(np.where(common, statistics.values[:, rows], 0).astype(statistics.values.dtype))
    whole = replace(
        statistics, systems=tuple(names), values=np.concatenate(values, axis=1), available=None, unit="segment"
    )
    return whole.again_by(statistics.unit), at[0], at[1]


def _grouped(available: NDArray[np.bool_], members: Index) -> list[Index]:
    """Return the numbers of the targets in groups with the same shared units."""
    shared = available[members].all(axis=1)
    _, group = np.unique(np.packbits(shared, axis=1), axis=0, return_inverse=True)
    group = group.reshape(-1)
    return [np.flatnonzero(group == label) for label in range(int(group.max(initial=-1)) + 1)]
