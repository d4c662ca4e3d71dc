"""What raters and metrics say of the same systems and segments, on the cells that both have.

Definitions: docs/statistics/meta-eval.md, section 0. The axes are those of the house: s systems, n segments, k
statistics, b draws; the metrics are m.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from mtsig._records import FloatArray, Floats, Index, Mask
from mtsig._results import Public
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import MIN_DOCUMENTS, counted_names, is_human, number_of, ranked_systems
from mtsig.errors import InvalidOption, NotApplicable, unknown_name
from mtsig.metrics import Metric, Rated, Statistics, WeightedSums, measure
from mtsig.metrics._kinship import ITSELF, equal_lines
from mtsig.metrics._metric import sign_of
from mtsig.metrics._rated import WholeSystems
from mtsig.metrics._statistics import Unit
from mtsig.readers._names import given_by

Humans: TypeAlias = Literal["exclude", "include"]
"""Whether human translations among the systems take part."""

Segments: TypeAlias = Literal["matched", "all"]
"""What a metric's system score stands on: the segments that people rated for that system, or all that it has."""

Choice: TypeAlias = str | Metric | Statistics
"""A metric or rating as `measure` takes it, or what it returned."""


T = TypeVar("T")


def once(known: dict[Any, Any], key: tuple[Hashable, ...], work: Callable[[], T]) -> T:
    """Return what is known by a key, worked out where it is not."""
    if key not in known:
        known[key] = work()
    found: T = known[key]
    return found


def equal(first: FloatArray, second: FloatArray) -> Mask:
    """Return which numbers are equal but for rounding: |x − y| ≤ 1e-9 · max(1, |x|), the larger of the two."""
    size = np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
    return np.asarray(np.abs(np.subtract(first, second)) <= 1e-9 * size)


def signs(first: FloatArray, second: FloatArray) -> Floats:
    """Return the signs of differences, 0 for numbers that are equal but for rounding."""
    return np.where(equal(first, second), 0.0, np.sign(np.subtract(first, second)))


@dataclass(frozen=True, eq=False, repr=False)
class Scored:
    """What one metric, or one rating, says of the s systems on the n segments.

    name: as tables print it. statistics: as they were measured, with signature and direction.
    values: shape (k, s, n), 0 in cells that do not count.
    cells: shape (s, n), scores of segments, higher is better, NaN in cells without a rating; None for metrics of
    a whole corpus, such as BLEU, which have no scores of segments unless a sentence version is chosen.
    """

    name: str
    statistics: Statistics
    values: FloatArray
    cells: Floats | None

    def __repr__(self) -> str:
        """Return the name, and whether segments have scores."""
        return f"<Scored by {self.name}{'' if self.cells is not None else ', whole corpora only'}>"

    @property
    def whole(self) -> bool:
        """Whether there are scores of whole systems only: of them no segment can be drawn."""
        return isinstance(self.statistics.metric, WholeSystems)

    @cached_property
    def _sums(self) -> WeightedSums:
        """The sums of the values; made once, not for every block of draws."""
        return WeightedSums(self.values)

    def of_systems(self, weights: FloatArray) -> Floats:
        """Return the systems' scores on weighted segments, higher is better: weights of shape (b, n) give shape (s, b).

        NaN for a system without a counted segment in a draw.
        """
        totals = self._sums(weights)
        with np.errstate(invalid="ignore", divide="ignore"):
            return sign_of(self.statistics.metric) * self.statistics.metric.score(totals)


@dataclass(frozen=True, eq=False, repr=False)
class RatedData(Public):
    """Human ratings and metric scores of the same s systems on the same n segments.

    mask: shape (s, n), the outputs that were rated and that every metric scored. Segment-level results use only these
    outputs; with segments="matched", system-level results do too. document_of: shape (n,), the number of each segment's
    document; `None` if documents are unknown. numbers: shape (n,), the segments' positions in the corpus. left_out: the
    excluded systems, with reasons. dropped: the systems excluded by name. digest: the corpus's digest. notes: notes on
    the data.
    """

    human: Scored
    metrics: tuple[Scored, ...]
    systems: tuple[str, ...]
    mask: Mask
    document_of: Index | None
    numbers: Index
    left_out: Mapping[str, str]
    humans: Humans = "exclude"
    segments: Segments = "matched"
    digest: str = ""
    notes: tuple[Note, ...] = ()
    source: "_Source | None" = None
    dropped: tuple[str, ...] = ()
    known: dict[Any, Any] = field(default_factory=dict)
    """What was worked out of it before."""

    @classmethod
    def of(
        cls,
        corpus: Corpus | None,
        human: Choice,
        metrics: Sequence[Choice],
        *,
        humans: Humans = "exclude",
        segments: Segments = "matched",
    ) -> "RatedData":
        """Collect human ratings and metric scores of the systems that they share.

        (<RatedData by esa: 2 systems (A, B), 3 segments, 1 metric (mine)>, [2.0, 1.33])

        Parameters
        ----------
        corpus
            The corpus; `None` if the ratings and metrics are all given as statistics.
        human
            The human rating, such as "rating:mqm".
        metrics
            Metrics, or scores in the corpus, such as "chrf" or "rating:COMET".
        humans
            Whether to include human translations among the systems.
        segments
            The segments on which a metric's system scores are computed.

        Raises
        ------
        NotApplicable
            Fewer than two systems are rated and scored, or the rating has no segments.
        InvalidOption
            No metric is given, two metrics have the same name, or the statistics are summed by document.

        Examples
        --------
        >>> import numpy as np
        >>> from mtsig import Corpus, Rating
        >>> people = Rating(np.array([[2.0, 1, 3], [1, 1, 2]]), higher_is_better=True)
        >>> program = Rating(np.array([[0.4, 0.2, 0.9], [0.3, 0.1, 0.2]]), higher_is_better=True)
        >>> corpus = Corpus.of({"A": None, "B": None}, ratings={"esa": people, "mine": program})
        >>> rated = RatedData.of(corpus, "rating:esa", ["rating:mine"])
        >>> rated, rated.system_scores("esa").round(2).tolist()
        (<RatedData by esa: 2 systems (A, B), 3 segments, 1 metric (mine)>, [2.0, 1.33])
        """
        if isinstance(metrics, str | Metric | Statistics):
            metrics = [metrics]
        measured = [_measured(corpus, choice) for choice in (human, *metrics)]
        names = _names(measured, [human, *metrics])
        own = _own_references(corpus, measured[1:], names[1:])
        numbers = _documents(corpus, measured)
        source = _Source(
            tuple(zip(names, measured, strict=True)), own, numbers, "" if corpus is None else corpus.digest
        )
        return source.rated(humans, segments)

    def __repr__(self) -> str:
        """Return who judged what, in one line."""
        metrics = counted_names("metric", self.names)
        return (
            f"<RatedData by {self.human.name}: {counted_names('system', self.systems)}, "
            f"{number_of(self.n, 'segment', ',')}, {metrics}>"
        )

    @property
    def n(self) -> int:
        """The number of segments; some systems may lack ratings of some segments."""
        return int(self.mask.shape[1])

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics' names."""
        return tuple(metric.name for metric in self.metrics)

    @property
    def everything(self) -> tuple[Scored, ...]:
        """The human rating, followed by the metrics."""
        return (self.human, *self.metrics)

    def __getitem__(self, name: str) -> Scored:
        """Return the metric, or the people's rating, of this name.

        Raises
        ------
        UnknownName
            There is none.
        """
        for scored in self.everything:
            if scored.name == name:
                return scored
        raise unknown_name("metric", name, self.names)

    @cached_property
    def ratings(self) -> Floats:
        """Human ratings of segments, higher is better; shape (s, n), NaN if missing.

        Raises
        ------
        NotApplicable
            The rating has system-level ratings only.
        """
        return self.cells(self.human.name)

    def whole(self, metric: str) -> str:
        """Return the name of the one without segment-level scores, or ""."""
        return next((scored.name for scored in (self.human, self[metric]) if scored.whole), "")

    def cells(self, name: str) -> Floats:
        """Return a metric's segment scores, higher is better; shape (s, n).

        Raises
        ------
        UnknownName
            There is no such metric.
        NotApplicable
            The metric has corpus-level scores only.
        """
        scored = self[name]
        if scored.cells is None:
            raise NotApplicable(
                f"There are only system-level scores of {name}, so there are no segment-level results."
                if scored.whole
                else f"{name} scores whole test sets, and has no scores of segments. Choose its sentence-level "
                "version, such as sentBLEU, under its own name."
            )
        return scored.cells

    def parts(self, name: str) -> Floats:
        """Return each segment's contribution to its system's score; shape (s, n).

        The mean of a system's contributions is its score. If a metric averages segment scores, they are the
        contributions. For other metrics, the contributions are pseudo-values of the infinitesimal jackknife, whose
        variance estimates that of the score (Efron and Tibshirani 1993, chapter 21).

        Raises
        ------
        UnknownName
            There is no such metric.
        NotApplicable
            There are system-level scores only.
        """
        scored = self[name]
        if scored.cells is not None:
            return scored.cells
        if scored.whole:
            raise NotApplicable(f"There are only system-level scores of {name}: segments have no contribution.")
        return once(self.known, ("parts", name), lambda: _pseudo_values(scored, self.mask))

    def system_scores(self, name: str, weights: FloatArray | None = None) -> Floats:
        """Compute system scores, higher is better; shape (s,), or (s, b) by weights."""
        whole = weights is None
        scores = self[name].of_systems(np.ones((1, self.n), dtype=np.float32) if weights is None else weights)
        return scores[:, 0] if whole else scores

    @cached_property
    def pairs(self) -> tuple[Index, Index]:
        """The positions of each pair's systems, both of shape (pairs,)."""
        pairs = np.array(list(combinations(range(len(self.systems)), 2)), dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    @cached_property
    def shared(self) -> Index:
        """The number of segments with ratings of both systems; shape (pairs,)."""
        first, second = self.pairs
        return np.asarray(np.count_nonzero(self.mask[first] & self.mask[second], axis=1))

    def unit(self, asked: Unit = "auto") -> Literal["segment", "document"]:
        """Return the unit to resample; "auto": documents if at least ten.

        Raises
        ------
        NotApplicable
            The unit is the document, but documents are unknown or too few.
        """
        known = 0 if self.document_of is None else len(np.unique(self.document_of))
        if asked == "document" and known < MIN_DOCUMENTS:
            raise NotApplicable(
                f"The unit is the document, but there are {known} of them: at least {MIN_DOCUMENTS} are needed. Use "
                "segments as units, and report that segments of one document were treated as independent."
            )
        return "document" if asked == "document" or (asked == "auto" and known >= MIN_DOCUMENTS) else "segment"

    def units(self, unit: Unit = "auto") -> Index:
        """Return the number of each segment's unit, from 0; shape (n,)."""
        if self.unit(unit) == "segment" or self.document_of is None:
            return np.arange(self.n)
        return np.unique(self.document_of, return_inverse=True)[1]

    def under(self, humans: Humans) -> "RatedData":
        """Return the data with human translations among the systems, or without them.

        Raises
        ------
        NotApplicable
            Fewer than two systems are left.
        """
        if self.source is None or humans == self.humans:
            return replace(self, humans=humans)
        return self.source.rated(humans, self.segments, self.dropped)

    def without(self, systems: Sequence[str]) -> "RatedData":
        """Return the data without some of the systems, such as all systems of one type.

        Raises
        ------
        UnknownName
            The data have no system of that name.
        NotApplicable
            Fewer than two systems are left.
        """
        for name in systems:
            if name not in self.systems:
                raise unknown_name("system", name, self.systems)
        if self.source is None or not systems:
            return self
        return self.source.rated(self.humans, self.segments, (*self.dropped, *systems))


@dataclass(frozen=True, eq=False)
class _Source:
    """What was measured, before systems and segments are chosen: the people's rating first.

    own: the systems that are a metric's own reference, with the sentence that says so. documents: each segment's, by
    its number in the corpus.
    """

    measured: tuple[tuple[str, Statistics], ...]
    own: Mapping[str, str]
    documents: Index | None
    digest: str

    def rated(self, humans: Humans, segments: Segments, dropped: tuple[str, ...] = ()) -> RatedData:
        for name, allowed, value in (
            ("humans", ("exclude", "include"), humans),
            ("segments", ("matched", "all"), segments),
        ):
            if value not in allowed:
                raise InvalidOption(f"{name} is {' or '.join(allowed)}; found {value!r}.")
        systems, left_out = self._systems(humans)
        left_out |= {name: "the user asked to leave it out" for name in dropped if name in systems}
        systems = [name for name in systems if name not in dropped]
        total = max(_reach(statistics) for _, statistics in self.measured)
        grids = [_grid(statistics, systems, total) for _, statistics in self.measured]
        mask = np.all([available for _, available in grids], axis=0)
        unrated = [name for name, row in zip(systems, mask, strict=True) if not row.any()]
        left_out |= dict.fromkeys(unrated, "no segment of it is both rated and scored")
        kept = [row for row, name in enumerate(systems) if name not in unrated]
        if len(kept) < 2:
            raise NotApplicable(
                "Metrics are compared with human ratings on at least 2 systems that were rated and scored; found "
                f"{len(kept)} ({', '.join(systems[row] for row in kept) or 'none'})."
                + "".join(f" {name}: {why}." for name, why in left_out.items())
            )
        mask = mask[kept]
        columns = np.flatnonzero(mask.any(axis=0)) if segments == "matched" else np.arange(total)
        mask = mask[:, columns]
        scored = []
        for (name, statistics), (values, available) in zip(self.measured, grids, strict=True):
            here = values[:, kept][..., columns]
            counts = mask if segments == "matched" or name == self.measured[0][0] else available[kept][:, columns]
            scored.append(_scored(name, statistics, np.where(counts, here, 0).astype(here.dtype), mask))
        names = tuple(systems[row] for row in kept)
        lost = int(grids[0][1][kept].sum() - mask.sum())
        notes = [note for _, statistics in self.measured for note in statistics.notes]
        if lost:
            text = (
                f"{number_of(lost, 'rating')} of outputs that some metric did not score are left out for all metrics."
            )
            notes.append(Note("note", text))
        notes += [
            Note(
                "note", f"{name} is left out: {why}.", names=(name,), together=f"are left out, for this reason: {why}."
            )
            for name, why in left_out.items()
        ]
        return RatedData(
            scored[0],
            tuple(scored[1:]),
            names,
            mask,
            None if self.documents is None else self.documents[columns],
            columns,
            left_out,
            humans,
            segments,
            self.digest,
            tuple(dict.fromkeys(notes)),
            self,
            dropped,
        )

    def _systems(self, humans: Humans) -> tuple[list[str], dict[str, str]]:
        """Return the systems that all have, in the rating's order, and the others with the reason."""
        human_name, rated = self.measured[0]
        reasons: dict[str, str] = {}
        for name, statistics in self.measured[1:]:
            for system in statistics.systems:
                if system not in rated.systems:
                    reasons.setdefault(system, f"not rated by {human_name}")
            for system in rated.systems:
                if system not in statistics.systems:
                    reasons.setdefault(system, f"not scored by {name}")
        reasons |= {system: why for system, why in self.own.items() if system in rated.systems}
        systems = [system for system in rated.systems if system not in reasons]
        if humans == "exclude":
            kept = ranked_systems(systems)
            reasons |= {system: "a human translation" for system in systems if system not in kept}
            systems = list(kept)
        return systems, reasons


def whole_systems(corpus: Corpus, choice: str | Metric) -> WholeSystems | None:
    """Return the scores of whole systems that a choice names, as a metric.

    None where it names none, and where the corpus has scores of segments by this name.
    """
    name = choice.rating if isinstance(choice, Rated) else choice
    if not isinstance(name, str):
        return None
    name = name.removeprefix("rating:").removesuffix(":")
    given = name in corpus.system_scores and name not in corpus.ratings
    return WholeSystems.of(corpus, name) if given else None


def people_of_systems(corpus: Corpus) -> tuple[str, ...]:
    """Return the scores of whole systems that people gave, as far as names tell, where segments have none of them."""
    return tuple(name for name in corpus.system_scores if name not in corpus.ratings and given_by(name) == "people")


def _measured(corpus: Corpus | None, choice: Choice) -> Statistics:
    if not isinstance(choice, Statistics):
        if corpus is None:
            raise InvalidOption("Without a corpus, give statistics, as measure(corpus, metric) returns them.")
        return measure(corpus, whole_systems(corpus, choice) or choice)
    if choice.unit == "document":
        raise InvalidOption("Give statistics by segment: people rate segments.")
    return choice


def _names(result: Sequence[Statistics], choices: Sequence[Choice]) -> list[str]:
    """Return the names to call metrics by: their own, and as they were chosen where two are called alike."""
    own = [statistics.metric.name for statistics in result]
    names = [
        str(choice) if own.count(name) > 1 and isinstance(choice, str) else name
        for name, choice in zip(own, choices, strict=True)
    ]
    twice = sorted({name for name in names if names.count(name) > 1})
    if len(names) < 2 or twice:
        what = f"{', '.join(twice)} given twice" if twice else "found none"
        raise InvalidOption(f"Give one human rating and at least one metric, each once; {what}.")
    return names


def _reach(statistics: Statistics) -> int:
    return statistics.n if statistics.numbers is None else int(statistics.numbers.max()) + 1


def _grid(statistics: Statistics, systems: Sequence[str], total: int) -> tuple[FloatArray, Mask]:
    """Return values and availability of these systems on all segments of the corpus: (k, s, total) and (s, total)."""
    rows = [statistics.row(system) for system in systems]
    numbers = np.arange(statistics.n) if statistics.numbers is None else statistics.numbers
    values = np.zeros((len(statistics.values), len(rows), total), dtype=statistics.values.dtype)
    values[..., numbers] = statistics.values[:, rows]
    available = np.zeros((len(rows), total), dtype=bool)
    available[:, numbers] = True if statistics.available is None else statistics.available[rows]
    return values, available


def _scored(name: str, statistics: Statistics, values: FloatArray, mask: Mask) -> Scored:
    metric = statistics.metric
    if not metric.is_segment_mean:
        return Scored(name, statistics, values, None)
    with np.errstate(invalid="ignore", divide="ignore"):
        cells = sign_of(metric) * metric.segment_score(values.astype(np.float64))
    # Sums are kept on a binary grid; decimal scores come back from it exactly, so that equal differences stay equal.
    if statistics.rounding:
        cells = np.round(cells, int(-np.log10(statistics.rounding / 4)))
    return Scored(name, statistics, values, np.where(mask, cells, np.nan))


def _pseudo_values(scored: Scored, mask: Mask) -> Floats:
    """Return f(S) + m · grad f(S) · (s_i − S/m) of every segment i of the m that a system has; shape (s, n).

    S: the system's sums.
    """
    metric, values = scored.statistics.metric, scored.values.astype(np.float64)
    sums = (values * mask).sum(axis=-1)
    count = np.count_nonzero(mask, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        slopes = np.nan_to_num(metric.gradient(sums))
        apart = values - (sums / count)[..., None]
        parts = metric.score(sums)[:, None] + count[:, None] * np.einsum("ks,ksn->sn", slopes, apart)
    return np.where(mask, sign_of(metric) * parts, np.nan)


def _documents(corpus: Corpus | None, statistics: Sequence[Statistics]) -> Index | None:
    """Return the document of every segment, by its number in the corpus."""
    if corpus is not None:
        return None if corpus.documents is None else np.unique(corpus.documents, return_inverse=True)[1]
    total = max(map(_reach, statistics))
    whole = (counted.document_of for counted in statistics if counted.numbers is None and counted.n == total)
    return next((np.asarray(documents) for documents in whole if documents is not None), None)


def _own_references(corpus: Corpus | None, result: Sequence[Statistics], names: Sequence[str]) -> dict[str, str]:
    """Return the systems that are the reference of one of the metrics, with the sentence that says so.

    A reference is known by its name or its lines; what a metric from a file was computed with, by the end of its own
    name, as WMT's files have it: COMET-refA.
    """
    references = {} if corpus is None else corpus.references
    shares = {} if corpus is None else {name: equal_lines(corpus, lines) for name, lines in references.items()}
    own: dict[str, str] = {}
    for statistics, name in zip(result, names, strict=True):
        for system in statistics.systems:
            by_name = _plain(system)
            used = [
                reference
                for reference in references
                if statistics.metric.needs_references or _ends(name, _plain(reference))
            ]
            lines = any(
                shares[other].counts.get(system, 0) >= max(1.0, ITSELF * shares[other].of)
                for other in used
                if other in shares
            )
            known = by_name in map(_plain, used) or (is_human(system) and _ends(name, by_name))
            if lines or known:
                why = f"{system} is the reference of {name}, so its own score gives no information about the metric"
                own.setdefault(system, why)
    return own


def _plain(name: str) -> str:
    """Return a translator's name as files of one set may differ in it: refA, ref-A and Human-A.0 are one."""
    letters = re.sub(r"[^a-z0-9]", "", re.sub(r"\.[0-9]+$", "", name).lower())
    return re.sub("^(?:human|reference)", "ref", letters)


def _ends(metric: str, reference: str) -> bool:
    """Return whether a metric's name ends with its reference's: COMET-refA, or bleu-A as WMT's organisers write it."""
    letter = re.search("-([A-Z])$", metric)
    ends = (_plain(metric), "" if letter is None else f"ref{letter[1].lower()}")
    return reference != "ref" and any(end.endswith(reference) for end in ends)
