"""A document: a study under the names of the paper, with its pictures, tables and sentences."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mtsig import _say
from mtsig._writing import flat_row
from mtsig.collection import FamilyOverSets
from mtsig.collection._compare import by_score
from mtsig.corpus import Note
from mtsig.corpus._notes import capital_first, is_human, listed, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import joint_statements
from mtsig.options import check
from mtsig.report import _families, _methods, _naming, _over_sets, _paper, _table
from mtsig.study import Study
from mtsig.study._differences import Fingerprint
from mtsig.study._record import MetricResult, ResultOverSets

if TYPE_CHECKING:
    from mtsig.figures import Picture


@dataclass(frozen=True)
class Said:
    """What is said of one metric: a headline, what was judged and how, a sentence for each comparison, what is left."""

    metric: str
    headline: str
    summary: str
    sentences: tuple[str, ...]
    left: str = ""


@dataclass(frozen=True)
class Document:
    """A study of one or several test sets, as exporters write it.

    more: pictures that need more than the study, such as resamples. naming: the systems' names in the documents, and
    which systems figures and tables show. carrying: the influential segments, under these names; they need the data,
    which no study contains. checked: the result of re-running the study on data; `None` if it was not re-run. drawn:
    pictures that replace those drawn from the study; `None` draws all of these.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.report import Document
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> list(Document(study).pictures)
    ['scores-score', 'matrix-score']
    """

    study: Study
    more: Mapping[str, "Picture"] = field(default_factory=dict)
    naming: _naming.Naming = field(default_factory=_naming.Naming)
    carrying: tuple[_table.Table, ...] = ()
    checked: Note | None = None
    drawn: "Mapping[str, Picture] | None" = None

    def __post_init__(self) -> None:
        """Check the naming.

        Raises
        ------
        InvalidOption
            It does not tell the systems apart, or leaves nothing to compare.
        """
        self.naming.check(self.study)

    @cached_property
    def pictures(self) -> "Mapping[str, Picture]":
        """All pictures: those drawn from the study, and those in `more`."""
        return {**(_drawn(self.shown) if self.drawn is None else self.drawn), **self.more}

    @cached_property
    def named(self) -> Study:
        """The study with the paper's names of systems."""
        return self.naming.named(self.study)

    @cached_property
    def shown(self) -> Study:
        """The results of the systems shown, with the paper's names."""
        return self.naming.shown(self.study)

    @property
    def seal(self) -> Note | None:
        """A sentence on whether the study was re-run on data."""
        unchecked = self.study.unchecked_text
        return self.checked or (Note("warning", unchecked) if unchecked else None)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes on the data and the results, starting with what was checked."""
        return (*filter(None, [self.seal]), *self.named.all_notes)

    @cached_property
    def tables(self) -> tuple[_table.Table, ...]:
        """The tables of the systems that are shown, starting with the results."""
        return _paper.paper_tables(self.shown, self.naming.left(self.study))

    @cached_property
    def methods(self) -> _methods.Methods:
        """The full description of the methods."""
        return _methods.methods_paragraph(self.named)

    @property
    def summary(self) -> _methods.Methods:
        """A summary of the methods in a few sentences."""
        return _methods.methods_paragraph(self.named, short=True)

    @property
    def said(self) -> tuple[Said, ...]:
        """The sentences on the results of each metric."""
        planned, whose = self.study.plan is not None, self.named.raters_text
        said = [
            _said_over_sets(result) if isinstance(result, ResultOverSets) else _said(result, planned)
            for result in self.named.told
        ]
        first = [replace(own, summary=f"{whose} {own.summary}") for own in said[:1] if whose]
        return (*first, *said[len(first) :])

    @property
    def rows(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The unrounded numbers of the systems shown, by file stem.

        With several sets, rows without a set are averages.
        """
        results = self.shown.told
        alone = [result for result in results if isinstance(result, MetricResult)]
        over = [result for result in results if isinstance(result, ResultOverSets)]
        ordered = [by_score(result.compared) for result in over]
        return {
            "scores": [row for result in results for row in result.scored.by_score().rows()],
            "comparisons": [
                row for compared in (*ordered, *(one.compared.by_score() for one in alone)) for row in compared.rows()
            ],
            "ranks": [row for result in alone if result.places for row in result.places.rows()],
            "margins": [margin.row() for result in alone for margin in result.margins],
            "over-sets": [flat_row(beside.row()) for compared in ordered for beside in compared.described],
            "replicability": [
                flat_row({"metric": result.about.metric, **row.row()})
                for result in over
                for row in result.compared.replicated
            ],
            "ranks-over-sets": [
                {"metric": result.about.metric, "system": system, "mean_rank": rank}
                for result in over
                if result.compared.ranks is not None
                for system, rank in zip(result.compared.ranks.systems, result.compared.ranks.mean_ranks, strict=True)
            ],
        }

    @property
    def title(self) -> tuple[str, str]:
        """The title: what was compared, on which data."""
        study, systems = self.named, _naming.systems_of(self.named)
        metrics = ", ".join(result.scored.metric for result in study.told)
        heading = f"{number_of(len(systems), 'system')} compared in {metrics}"
        if not study.several:
            return heading, f"{', '.join(systems)}. {_size(study)}."
        kind, of = ("part", " of a test set") if study.request.by else ("test set", "")
        heading += f" on {number_of(len(study.sets), kind)}{of}"
        return heading, f"{', '.join(systems)}. {capital_first(kind)}s: {listed(list(study.names))}."

    @property
    def data(self) -> str:
        """A description of the data, with the fingerprint of every set."""
        if not self.study.several:
            return f"{_size(self.study)}; fingerprint of all of it {self.study.data.digest}."
        said = [
            f"{part.set}: {_methods.size_text(part.data)}, fingerprint {part.data.digest}" for part in self.study.sets
        ]
        return f"{'; '.join(said)}."

    @property
    def texts(self) -> Sequence[tuple[str, Fingerprint]]:
        """The texts of the data, with the names of their sets if there are several sets."""
        return [(part.set or "", text) for part in self.named.sets for text in part.texts]


def _drawn(study: Study) -> "dict[str, Picture]":
    """Return the pictures that can be drawn from a study.

    Of one set scores and matrix of every metric, and of several metrics what they say side by side; of several sets
    the two best on average set by set, systems × sets, and ranks if there are some.
    """
    # Here, because most formats show none.
    from mtsig.figures import IntervalBars, Matrix, ParallelIntervals, RankDiagram, SetForest, SetHeat

    pictures: dict[str, Picture] = {}
    for name, result in zip(_paper.names_of(study), study.told, strict=True):
        if isinstance(result, MetricResult):
            pictures[f"scores-{name}"] = IntervalBars.of(result.scored)
            pictures[f"matrix-{name}"] = Matrix.of(result.compared)
            continue
        compared = result.compared
        pictures[f"forest-{name}"] = SetForest.of(compared, *best_pair(compared))
        pictures[f"heat-{name}"] = SetHeat.of(compared, result.scored)
        if compared.ranks is not None:
            pictures[f"ranks-over-sets-{name}"] = RankDiagram.of(compared.ranks)
    if not study.several and len(study.results) > 1:
        # Metrics that share no pair, or were tested by other tests, say nothing together.
        with suppress(NotApplicable):
            families = [result.compared for result in study.results]
            pictures["together"] = ParallelIntervals.of(joint_statements(families, "which"))
    return pictures


def _said(result: MetricResult, planned: bool) -> Said:
    sentences = tuple(_say.say(comparison, planned=planned) for comparison in _families.telling(result.compared))
    summary = _families.family_text(result.compared, planned)
    return Said(result.scored.metric, _headline(result), summary, sentences, _families.left_text(result.compared))


def _said_over_sets(result: ResultOverSets) -> Said:
    """Return what was corrected together, then a passage for each average."""
    compared = result.compared
    passages = (
        " ".join(_over_sets.over_sets_texts(compared, number)) for number in range(len(compared.averages or ()))
    )
    summary = f"{_over_sets.sets_text(compared)} {_over_sets.averages_text(compared)}"
    return Said(result.about.metric, _paper.headline_over_sets(result), summary, tuple(passages))


def _size(study: Study) -> str:
    data = study.data
    documents = f", {data.documents:,} documents" if data.documents else ", no document ids"
    return f"{number_of(data.segments, _say.counted_in(study.results[0].scored.signature), ',')}{documents}"


def _headline(result: MetricResult) -> str:
    """Return what the best score is worth, where every other system was compared with it."""
    if not _paper.stands_first(result):
        return _families.ranking_text(result.scored)
    first = _families.headline_text([result.compared])
    said = (
        first,
        _families.caution_of_family(result.compared),
        _families.people_text(result.compared),
        _families.ranking_text(result.scored),
    )
    return " ".join(filter(None, said))


@dataclass(frozen=True)
class Exported:
    """The exported files by name, and notes on what they could not show."""

    files: Mapping[str, bytes]
    notes: tuple[Note, ...] = ()


class Exporter(ABC):
    """A document format; the fields of subclasses are its options.

    `label` is the format's name, and `about` is a sentence on what it writes.
    """

    label = ""
    about = ""

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    @abstractmethod
    def __call__(self, document: Document) -> Exported:
        """Return the files; the same document gives the same bytes."""


def best_pair(family_over_sets: FamilyOverSets) -> tuple[str, str]:
    """Return the best pair that was compared, the better one first: on average, or in the first set without one.

    Human translations are in it only where no two systems were compared. Of the others it is among those that share the
    most sets: an average over one set says nothing of several.
    """
    family = family_over_sets.averages or next(iter(family_over_sets.families.values()))
    place = {name: number for number, name in enumerate(family.order)}
    pairs = (sorted((record.first, record.second), key=place.__getitem__) for record in family)
    shared = {frozenset((over.first, over.second)): len(over.sets) for over in family_over_sets.described}

    def rank(pair: Sequence[str]) -> tuple[int, ...]:
        return (sum(map(is_human, pair)), -shared.get(frozenset(pair), 0), *(place[name] for name in pair))

    first, second = min(pairs, key=rank)
    return first, second
