"""Statistics: the counts of a metric, in a form that can be summed; all inference starts from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._records import FloatArray
from mtsig._results import Public
from mtsig.corpus import Note
from mtsig.corpus._notes import MIN_DOCUMENTS, counted_names, number_of
from mtsig.errors import InvalidOption, NotApplicable, expect, unknown_name
from mtsig.metrics._kinship import MANY_OTHERS, ReferenceOverlap
from mtsig.metrics._sums import EXACT_BELOW, Neighbours, WeightedSums, blocks_of, leave_one_out, neighbours_of

if TYPE_CHECKING:
    from mtsig.metrics._metric import Metric

ResolvedUnit: TypeAlias = Literal["segment", "block", "document"]
"""What counts can stand on: segments, blocks of consecutive segments, or documents."""

Unit: TypeAlias = Literal["auto", "segment", "block", "document"]

_GRIDS = (2.0**30, 2.0**20)
"""Real-valued scores are rounded to 1/grid: then float64 sums are exact too, and ties are ties.

The fine grid keeps ties of decimal scores (.1 + .2 against .3) within the tolerance of comparisons; the coarse one is
for sums that would leave float64's 53 bits on the fine one.
"""

_DOCUMENT_ROOM = 8.0
"""How much larger than the mean document the largest may be without a change of grid when segments are pooled."""


def as_values(counts: FloatArray, room: float = _DOCUMENT_ROOM) -> FloatArray:
    """Return counts (k, s, n) as they are added exactly: float32, or float64 on a grid; room: of the largest sum."""
    if is_whole(counts):
        return np.ascontiguousarray(counts, dtype=np.float32)
    counts = np.asarray(counts, dtype=np.float64)
    largest = room * counts.shape[-1] * float(np.abs(counts).max(initial=0.0))
    grid = _GRIDS[0] if largest * _GRIDS[0] <= 2.0**53 else _GRIDS[1]
    return np.asarray(np.rint(counts * grid) / grid)


def is_whole(counts: FloatArray) -> bool:
    """Return whether counts are whole numbers from 0 that float32 holds exactly."""
    rows = np.atleast_2d(counts)
    return all(np.all(row == np.rint(row)) and np.all(row >= 0) and np.all(row < EXACT_BELOW) for row in rows)


def expect_statistics(thing: object) -> None:
    """Raise InvalidOption when something is no Statistics."""
    expect(thing, Statistics, 'Give statistics, as measure(corpus, "bleu") makes them of one metric')


@dataclass(frozen=True, eq=False)
class Kinship:
    """A system that is kin to a reference, and what was counted without that reference.

    others: how many other systems it was held against. only: whether there is no other reference. without: the same
    statistics, of segments, by how that is said: first by all other references, then by each of them alone, when there
    are several, since they may have what the kin has from each other; nothing where that cannot be had.
    """

    kin: ReferenceOverlap
    others: int
    only: bool
    without: "Mapping[str, Statistics]" = field(default_factory=dict)

    def concerns(self, *systems: str) -> bool:
        """Return whether the kin is one of these systems of the statistics."""
        return self.kin.system in systems

    @property
    def doubtful_alone(self) -> bool:
        """Return whether the only reference lets nothing be won by the kin: it is that, or stands out of many."""
        stands_out = self.kin.itself or self.kin.copied or self.others >= MANY_OTHERS
        return self.only and not self.kin.spliced and stands_out

    @property
    def sets_apart(self) -> bool:
        """Return whether the kin is no system like the others; beside too few of them it may be an ordinary one."""
        return not self.kin.spliced and (not self.only or self.doubtful_alone)


@dataclass(frozen=True, eq=False)
class Samples:
    """What was counted of every output of systems that have several per segment.

    statistics: by segment, a row for every output. of: the rows of each system.
    """

    statistics: "Statistics"
    of: Mapping[str, tuple[str, ...]]

    @cached_property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        """How many outputs of each segment every system has; shape (n,) each."""
        there = self.statistics.there
        return {name: there[[self.statistics.row(one) for one in rows]].sum(axis=0) for name, rows in self.of.items()}

    def take(self, segments: NDArray[np.integer]) -> "Samples":
        return self._left(self.statistics.values[..., segments], self.statistics.there[:, segments])

    def within(self, inside: NDArray[np.bool_]) -> "Samples":
        """Return the same segments with nothing outside of a part, shape (n,)."""
        return self._left(self.statistics.values, self.statistics.there & inside)

    def _left(self, values: FloatArray, there: NDArray[np.bool_]) -> "Samples":
        rows = np.flatnonzero(there.any(axis=1))
        names = tuple(self.statistics.systems[row] for row in rows.tolist())
        kept: dict[str, Any] = {"systems": names, "values": values[:, rows], "available": there[rows]}
        left = replace(self.statistics, **kept, document_of=None, numbers=None)
        return Samples(left, {name: tuple(one for one in own if one in names) for name, own in self.of.items()})


@dataclass(frozen=True, eq=False, repr=False)
class Statistics(Public):
    """Sufficient statistics of s systems on n units.

    values: shape (k, s, n), as `as_values` makes them. document_of: shape (n,), the number of each unit's document;
    None if documents are unknown. If units are blocks and systems have gaps: the number of each segment's block.
    document_names: the ids of the documents, in the order of their numbers; None if unknown. unit: the sampling unit.
    n_segments, n_documents: numbers of segments and documents, for any unit. signature: that of the metric, in
    sacreBLEU's style; digest: that of the corpus. available: shape (s, n), which segments each system has; None if
    every system has all. If a system lacks a segment, its values there are 0. With gaps, values and available stay by
    segment for any unit, since the documents and segments that two systems share depend on the pair (`shared_by`).
    numbers: shape (n_segments,), which segments of the corpus were counted; None if all were, in order. sizes: shape
    (n,), number of segments in each document, if units are documents; None for units of equal size, such as blocks
    without gaps. neighbours: correlation of neighbouring segments, if the unit was chosen by it (see `at`). settled:
    whether segments stay the unit if the unit is chosen by the data. kinships: systems that overlap a reference, and
    the counts needed to compare them without it. untranslated: systems that return the source or nothing, each with a
    description. misaligned: systems with lines that certainly belong to other segments, each with this in words.
    misaligned_lines: the indices of these segments in the corpus, by system; a system not named here may be misaligned
    anywhere. binary: whether every segment is right or wrong, if segments were summed; None if the values show this.
    samples: if systems have several outputs per segment, the counts of each output; values are their means.
    data_caveat: why these counts do not show which translation is better, in a sentence; else empty.
    """

    _uses: ClassVar[Mapping[str, str]] = {
        "to_frame": "mtsig.interval(statistics).to_frame()",
        "[]": "mtsig.interval(statistics)[system]",
    }

    metric: "Metric"
    systems: tuple[str, ...]
    values: FloatArray
    signature: str = ""
    digest: str = ""
    document_of: NDArray[np.integer] | None = None
    unit: ResolvedUnit = "segment"
    n_segments: int = 0
    notes: tuple[Note, ...] = ()
    available: NDArray[np.bool_] | None = None
    numbers: NDArray[np.integer] | None = None
    sizes: NDArray[np.int64] | None = None
    data_caveat: str = ""
    kinships: tuple[Kinship, ...] = ()
    neighbours: Neighbours | None = None
    settled: bool = False
    document_names: tuple[str, ...] | None = None
    untranslated: Mapping[str, str] = field(default_factory=dict)
    misaligned: Mapping[str, str] = field(default_factory=dict)
    misaligned_lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    binary: bool | None = None
    samples: Samples | None = None

    def __post_init__(self) -> None:
        """Fill in the number of segments."""
        if self.values.ndim != 3 or self.values.shape[1] != len(self.systems) or self.n == 0:
            raise NotApplicable(
                f"Statistics of {len(self.systems)} systems need values of shape (k, {len(self.systems)}, n) with n "
                f"of at least 1; found {self.values.shape}."
            )
        if self.available is not None:
            if self.available.shape != self.values.shape[1:]:
                raise NotApplicable(f"`available` has shape {self.available.shape}; expected {self.values.shape[1:]}.")
            nothing = [name for name, row in zip(self.systems, self.available, strict=True) if not row.any()]
            if nothing:
                raise NotApplicable(f"No segment is known for {', '.join(nothing)}.")
        if self.unit == "segment":
            object.__setattr__(self, "n_segments", self.n)
        elif self.sizes is not None:
            object.__setattr__(self, "n_segments", int(self.sizes.sum()))

    def __repr__(self) -> str:
        """Return the metric, the systems and the units, in one line."""
        units = number_of(self.n, self.unit, ",")
        return f"<Statistics of {self.metric.name}: {counted_names('system', self.systems)} on {units}>"

    @property
    def n(self) -> int:
        """Number of units, including units that some systems lack."""
        if self.available is not None and self.clustered and self.document_of is not None:
            return int(self.document_of.max()) + 1
        return int(self.values.shape[-1])

    @property
    def clustered(self) -> bool:
        """Whether a unit is a document or a block, not a segment."""
        return self.unit != "segment"

    @property
    def n_documents(self) -> int | None:
        """Number of documents, if known."""
        if self.unit == "document":
            return self.n
        return None if self.document_of is None or self.clustered else int(self.document_of.max()) + 1

    @property
    def unit_names(self) -> tuple[str, ...] | None:
        """Ids of the units, if the units are documents with ids."""
        return self.document_names if self.unit == "document" else None

    @property
    def there(self) -> NDArray[np.bool_]:
        """Which segments each system has; shape (s, n)."""
        return np.ones(self.values.shape[1:], dtype=bool) if self.available is None else self.available

    def over_samples(self, samples: Mapping[str, Sequence[str]]) -> "Statistics":
        """Return statistics in which these rows are samples of systems.

        Samples of different segments are not linked, so a score is the expected score of one output of the system.

        Parameters
        ----------
        samples
            The rows of each system, by its name; all other rows stay systems of their own.

        Raises
        ------
        UnknownName
            The name is that of a sample, not of a row.
        InvalidOption
            A row is a sample of two systems, or the statistics are not by segment.
        """
        if self.clustered:
            raise InvalidOption(f"Samples are pooled segment by segment; these statistics are by {self.unit}.")
        taken = [name for rows in samples.values() for name in rows]
        if unknown := [name for name in taken if name not in self.systems]:
            raise unknown_name("output", unknown[0], self.systems)
        if len(set(taken)) < len(taken):
            raise InvalidOption("An output is a sample of one system; found one twice.")
        of = {name: tuple(rows) for name, rows in samples.items()}
        of |= {name: (name,) for name in self.systems if name not in taken}
        drawn = Samples(self, of)
        pooled = [
            self.values[:, [self.row(one) for one in rows]].sum(axis=1, dtype=np.float64)
            / np.maximum(drawn.counts[name], 1)
            for name, rows in of.items()
        ]
        known = np.array([drawn.counts[name] > 0 for name in of])
        return replace(
            self,
            systems=tuple(of),
            values=as_values(np.stack(pooled, axis=1)),
            available=None if known.all() else known,
            samples=drawn,
        )

    def units_of(self, systems: Sequence[str]) -> int:
        """Return the number of units that all of these systems have."""
        if self.available is None:
            return self.n
        common = self.available[[self.row(system) for system in systems]].all(axis=0)
        if self.clustered and self.document_of is not None:
            return len(np.unique(self.document_of[common]))
        return int(common.sum())

    def row(self, system: str) -> int:
        """Return the position of a system.

        Raises
        ------
        UnknownName
            There is no system of that name.
        """
        if system not in self.systems:
            raise unknown_name("system", system, self.systems)
        return self.systems.index(system)

    @property
    def unranked(self) -> dict[str, str]:
        """The systems that are not ranked, each with the reason."""
        return {name: said for name, said in self.untranslated.items() if name in self.systems} | {
            name: kinship.kin.brief
            for kinship in reversed(self.kinships)
            for name in self.systems
            if kinship.sets_apart and kinship.concerns(name)
        }

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """The corpus totals; shape (k, s)."""
        return np.asarray(self.values.sum(axis=-1, dtype=np.float64))

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The corpus scores; shape (s,)."""
        return self.metric.score(self.sums)

    @property
    def best_first(self) -> tuple[str, ...]:
        """The systems, best score first; those without a score come last."""
        # NaN stands behind every number.
        best_lowest = -self.scores if self.metric.higher_is_better else self.scores
        return tuple(self.systems[i] for i in np.argsort(best_lowest, kind="stable"))

    @property
    def contenders_first(self) -> tuple[str, ...]:
        """The systems, best score first, with the unranked systems last."""
        return tuple(sorted(self.best_first, key=self.unranked.__contains__))

    @cached_property
    def segment_scores(self) -> NDArray[np.float64]:
        """The score of each unit; shape (s, n), NaN where a system lacks the unit."""
        if self.available is None:
            return self.metric.segment_score(self.values.astype(np.float64))
        if self.clustered:
            raise self._incomplete(f"scores by {self.unit}")
        return np.where(self.available, self.metric.segment_score(self.values.astype(np.float64)), np.nan)

    @cached_property
    def right_or_wrong(self) -> bool:
        """Whether all segment scores are 0 or 1, as for answers that are right or wrong."""
        if self.samples is not None:
            return self.samples.statistics.right_or_wrong
        if self.binary is not None or not self.metric.is_segment_mean:
            return bool(self.binary)
        with np.errstate(invalid="ignore"):  # where a system has nothing
            scores = self.metric.segment_score(self.values.astype(np.float64))
        known = scores if self.available is None else scores[self.available]
        return bool(np.isin(known, (0.0, 1.0)).all() and known.any())

    @property
    def rounding(self) -> float:
        """Tolerance within which two segment differences count as equal."""
        if self.values.dtype == np.float32:
            return 0.0
        coarse = self.values * _GRIDS[1]
        # Every score is at most half a step off, a difference one step, and two of them two.
        return 2.0 / (_GRIDS[1] if np.all(coarse == np.rint(coarse)) else _GRIDS[0])

    def weighted(self) -> WeightedSums:
        """Return a function from weights (b, n) to totals of shape (k, s, b)."""
        if self.available is not None:
            raise self._incomplete("weighted totals")
        return WeightedSums(self.values)

    def _incomplete(self, what: str) -> NotApplicable:
        return NotApplicable(
            f"Not every system has every segment of {self.metric.name}: {what} need statistics of systems on the "
            "segments that all of them have; see shared_by()."
        )

    @cached_property
    def influence(self) -> NDArray[np.float64]:
        """First-order effect of each unit on the corpus score; shape (s, n).

        u_i = grad f(S)·s_i − grad f(S)·S / n (docs/statistics/intervals.md, section 1). It is NaN for a system whose
        jackknife is undefined.
        """
        if self.available is not None:
            raise self._incomplete("influences")
        gradient = self.metric.gradient(self.sums)
        moved = np.empty((len(self.systems), self.n))
        for row in range(len(self.systems)):
            # einsum's plain loop adds in one order whatever the number of threads.
            moved[row] = np.einsum("k,kn->n", gradient[:, row], self.values[:, row].astype(np.float64))
        moved -= np.einsum("ks,ks->s", gradient, self.sums)[:, None] / self.n
        return moved

    @cached_property
    def size_of_influence(self) -> NDArray[np.float64]:
        """Root of the sum of squared influences, not centred; shape (s,).

        A standard error that is many orders of magnitude smaller is only rounding error.
        """
        slopes = np.abs(self.metric.gradient(self.sums))
        moved = [
            np.einsum("k,kn->n", slopes[:, row], np.abs(self.values[:, row]).astype(np.float64))
            for row in range(len(self.systems))
        ]
        return np.sqrt([np.square(moved_by).sum() for moved_by in moved])

    @cached_property
    def left_out(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The scores without each unit, shape (s, n), and where they are smooth."""
        return leave_one_out(self)

    @cached_property
    def moved(self) -> NDArray[np.float64]:
        """Effect of leaving out each unit: f(S − s_i) − f(S); shape (s, n).

        It is NaN for a system whose jackknife is undefined on all units, or without one of them: then the contribution
        of that unit is unknown.
        """
        moved, known = self.left_out
        return np.where(known[:, None], moved - self.scores[:, None], np.nan)

    @cached_property
    def order(self) -> Neighbours | None:
        """Correlation of neighbouring segments; None if documents are known.

        It is computed from all systems here, or from the systems by which the unit was chosen.
        """
        if self.neighbours is not None or self.clustered or self.document_of is not None:
            return self.neighbours
        return neighbours_of(self)

    def at(self, unit: Unit, *, by_order: bool = True) -> "Statistics":
        """Return the statistics with the given unit.

        "auto" chooses documents if there are at least ten. If documents are unknown, it chooses blocks of consecutive
        segments if neighbouring segments are correlated in these systems, and segments otherwise. The choice is kept if
        systems are selected from the result (docs/statistics/neighbours.md).

        Parameters
        ----------
        unit
            The sampling unit: segment, block, document or auto.
        by_order
            If False, segments are the units when documents are unknown, even if neighbouring segments are correlated.

        Raises
        ------
        The unit is the document, and documents are unknown or too few; or the unit is the block, and there are too few
        segments.
        """
        if self.clustered:
            if unit in ("auto", self.unit):
                return self
            raise NotApplicable(f"These statistics are summed by {self.unit}; {unit}s can no longer be identified.")
        if unit == "block":
            return self.by_block()
        documents = self.n_documents
        if unit == "segment" or (unit == "auto" and documents is None):
            order = self.order if unit == "auto" and by_order and not self.settled else None
            if order is not None and order.alike:
                return self.by_block()
            return self._settled(order)
        if documents is None:
            raise NotApplicable("The unit is the document, but no document ids were given (docids.txt, one per line).")
        if documents < MIN_DOCUMENTS:
            if unit == "auto":
                return self
            raise NotApplicable(
                f"The unit is the document, but there are only {documents}: too few for document-level inference, "
                f"which needs at least {MIN_DOCUMENTS}. Use the segment as the unit, and report that sentences of "
                "one document were treated as independent."
            )
        return self.by_document()

    def _settled(self, order: Neighbours | None) -> "Statistics":
        """Return the statistics with segments as units for good, and with all that is known of them already."""
        if self.settled or self.document_of is not None:
            return self
        settled = replace(self, settled=True, neighbours=order)
        vars(settled).update({name: known for name, known in vars(self).items() if name not in vars(settled)})
        return settled

    def by_document(self) -> "Statistics":
        """Return the statistics summed by document: the same scores, documents as units.

        Raises
        ------
        NotApplicable
            Documents are unknown.
        """
        if self.document_of is None:
            raise NotApplicable("Sums by document need document ids, but none were given.")
        return self._pooled

    @cached_property
    def _pooled(self) -> "Statistics":
        """The statistics summed by document, which an analysis asks for several times."""
        return self if self.document_of is None else self.summed_by(self.document_of, "document")

    def by_block(self) -> "Statistics":
        """Return the statistics summed by blocks of consecutive segments.

        Raises
        ------
        NotApplicable
            There are too few segments.
        """
        return replace(self.summed_by(blocks_of(self), "block"), neighbours=self.order)

    def summed_by(self, groups: NDArray[np.integer], unit: ResolvedUnit) -> "Statistics":
        """Return the statistics summed over groups of segments, shape (n,)."""
        names = self.document_names if unit == "document" else None
        if self.available is not None:
            return replace(self, unit=unit, document_of=groups, document_names=names)
        order = np.argsort(groups, kind="stable")
        starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
        pooled = np.add.reduceat(self.values[..., order].astype(np.float64), starts, axis=-1)
        sizes = np.diff(starts, append=len(order)).astype(np.int64)
        # Blocks are cut to be equal, and one segment makes no difference.
        equal = unit == "block" and np.ptp(sizes) <= 1
        own = None if equal else sizes
        return replace(
            self, values=as_values(pooled, room=1.0), document_of=None, unit=unit, sizes=own, document_names=names,
            binary=self.right_or_wrong,
        )  # fmt: skip

    def again_by(self, unit: ResolvedUnit) -> "Statistics":
        """Return statistics without gaps, summed again by their documents or blocks."""
        if unit == "segment" or self.document_of is None:
            return self
        return self.summed_by(self.document_of, unit)

    def select(self, systems: Sequence[str]) -> "Statistics":
        """Return the statistics of these systems, in this order, on the same units."""
        rows = [self.row(system) for system in systems]
        values = np.ascontiguousarray(self.values[:, rows])
        available = None if self.available is None else self.available[rows]
        if available is None or not available.all():
            return replace(self, systems=tuple(systems), values=values, available=available)
        whole = replace(self, systems=tuple(systems), values=values, available=None, unit="segment")
        return whole.again_by(self.unit)

    def shared_by(self, systems: Sequence[str]) -> "Statistics":
        """Return the statistics of these systems on the units all of them have.

        A document without any shared segment is dropped.

        Raises
        ------
        UnknownName
            There is no system of that name.
        NotApplicable
            The systems have no unit in common.
        """
        chosen = self.select(systems)
        if chosen.available is None:
            return chosen
        kept = np.flatnonzero(chosen.available.all(axis=0))
        if not len(kept):
            raise NotApplicable(f"No segment of {self.metric.name} is known for all of: {', '.join(systems)}.")
        documents, names = None, None
        if self.document_of is not None:
            left, documents = np.unique(self.document_of[kept], return_inverse=True)
            names = None if self.document_names is None else tuple(self.document_names[i] for i in left.tolist())
        shared = replace(
            chosen,
            values=np.ascontiguousarray(chosen.values[..., kept]),
            available=None,
            document_of=documents,
            document_names=names,
            numbers=kept if self.numbers is None else self.numbers[kept],
            unit="segment",
            samples=None if self.samples is None else self.samples.take(kept),
        )
        return shared.again_by(self.unit)
