"""A document: a study under the names of the paper, with its pictures, tables and sentences.

Names of systems in a paper, and which of them are shown.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from mtsig import _say
from mtsig._options import check
from mtsig._records import Estimates, Record, naming_systems
from mtsig._results import NamedRows, Public
from mtsig._writing import flat_row
from mtsig.collection import FamilyOverSets
from mtsig.collection._beyond import SetRanks
from mtsig.collection._compare import by_score
from mtsig.corpus import Note
from mtsig.corpus._notes import capital_first, is_human, listed, number_of
from mtsig.errors import InvalidOption, NotApplicable, expect
from mtsig.inference import joint_statements
from mtsig.report import _families, _methods, _over_sets, _paper, _table
from mtsig.study import Study
from mtsig.study._differences import Fingerprint
from mtsig.study._record import Asked, Data, MetricResult, ResultOverSets

if TYPE_CHECKING:
    from mtsig.figures import Picture


R = TypeVar("R", bound=Record)
E = TypeVar("E", bound=Estimates[Any, Any])


@dataclass(frozen=True)
class Naming(Public):
    """The names of systems in a paper, and the systems left out.

    names: a mapping from original names to names in the paper; other systems keep their names. hidden: the original
    names of the systems that are left out. The study itself keeps all systems and original names.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    hidden: Collection[str] = ()

    @classmethod
    def of_rows(cls, systems: Iterable[str], names: Iterable[object], shown: Iterable[object]) -> "Naming":
        """Return the naming from a table; empty names keep the original.

        Examples
        --------
        >>> Naming.of_rows(["A", "B"], [" Our  system", None], [True, False])
        Naming(names={'A': 'Our system'}, hidden=('B',))
        """
        changed, hidden = {}, []
        for system, name, is_shown in zip(systems, names, shown, strict=True):
            said = " ".join(name.split()) if isinstance(name, str) else ""
            if said and said != system:
                changed[system] = said
            if not is_shown:
                hidden.append(system)
        return cls(changed, tuple(hidden))

    def check(self, study: Study) -> None:
        """Check that the names are distinct, and that at least one comparison is shown.

        Raises
        ------
        InvalidOption
            Two systems have the same name, a name is empty or "all", or a metric has no comparison of the systems
            shown.
        """
        taken: dict[str, str] = {}
        for system in systems_of(study):
            name = self.names.get(system, system)
            if name != system and (not name.strip() or name == "all"):
                raise InvalidOption(f"{system} cannot be called {name!r} in the paper: choose another name.")
            if is_human(name) != is_human(system):
                kind = "a human translation" if is_human(system) else "a system"
                raise InvalidOption(
                    f"{system} is {kind}, and the name {name!r} does not show this. Human translations have names such "
                    "as Human-A, ref-B or translator 2, and are never called the best system."
                )
            if name in taken:
                raise InvalidOption(
                    f"{taken[name]} and {system} would both be called {name!r}: choose two different names."
                )
            taken[name] = system
        hidden = set(self.hidden)
        for metric, pairs in _compared_pairs(study):
            if all(hidden & set(pair) for pair in pairs):
                raise InvalidOption(
                    f"No comparison in {metric} is left between the systems shown. Show at least two systems that were "
                    "compared."
                )

    def named(self, study: Study) -> Study:
        """Return the whole study with the paper's names."""
        systems = systems_of(study)
        names = {true: name for true, name in self.names.items() if true != name and true in systems}
        notes: list[str] = []
        if names:
            said = listed([f"{name} is {true}" for true, name in names.items()])
            notes.append(f"Names in the paper: {said}.")
        if hidden := self._hidden_of(study):
            notes.append(f"Figures and tables leave out {hidden}.")
        if not notes:
            return study
        return replace(in_paper(study, names), notes=(*study.notes, *notes))

    def _hidden_of(self, study: Study) -> str:
        """Return under their names in the paper the systems that are not shown, and of how many; nothing without."""
        systems = systems_of(study)
        hidden = [self.names.get(name, name) for name in systems if name in self.hidden]
        return f"{listed(hidden)}, of {number_of(len(systems), 'system')}" if hidden else ""

    def hidden_text(self, study: Study) -> str:
        """Return the caption's sentence on omitted systems, or ""."""
        hidden = self._hidden_of(study)
        return f"Left out: {hidden}." if hidden else ""

    def left(self, study: Study) -> str:
        """Return the caption's sentence on omitted systems, or ""."""
        every = systems_of(study)
        kept = [name for name in every if name not in self.hidden]
        if len(kept) == len(every):
            return ""
        return (
            f"{len(kept)} of {number_of(len(every), 'system')} are shown. Bold type and marks refer only to the "
            "systems shown; ranks and corrections include all systems."
        )

    def shown(self, study: Study) -> Study:
        """Return the study with the paper's names and the systems shown."""
        hidden = {self.names.get(name, name) for name in self.hidden}
        named = self.named(study)
        if not hidden:
            return named
        left: Study = _without(named, hidden)
        return _without_empty_sets(left) if left.several else left


def systems_of(study: Study) -> tuple[str, ...]:
    """Return the systems that any metric of a study scores, by the first metric's scores; of sets, those of any."""
    scored = (result.scored.by_score().systems for result in study.told)
    return tuple(dict.fromkeys(name for systems in scored for name in systems))


def _compared_pairs(study: Study) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return every metric with the pairs that were compared in it."""
    by_metric = (
        [(result.about.metric, list(result.compared.families.values())) for result in study.over]
        if study.several
        else [(result.scored.metric, [result.compared]) for result in study.results]
    )
    return [
        (metric, [pair for family in families for pair in zip(family.first, family.second, strict=True)])
        for metric, families in by_metric
    ]


def in_paper(record: R, names: Mapping[str, str]) -> R:
    """Give a record of results, or a study, the names of the paper; `names` is true name -> name in the paper."""
    named = naming_systems(type(record))
    return replace(
        record, **{name: _in_paper(value, names, named=name in named) for name, value in _fields(record).items()}
    )


def _in_paper(value: Any, names: Mapping[str, str], *, named: bool) -> Any:
    """Return the value of a field; named: whether its texts are names of systems."""
    if isinstance(value, Record):
        return in_paper(value, names)
    if isinstance(value, Estimates):
        return _estimates_in_paper(value, names)
    if isinstance(value, Mapping):
        return {name: _in_paper(item, names, named=False) for name, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_in_paper(item, names, named=named) for item in value)
    return names.get(value, value) if named and isinstance(value, str) else value


def _estimates_in_paper(estimates: E, names: Mapping[str, str]) -> E:
    def called(value: Any) -> Any:
        return tuple(map(called, value)) if isinstance(value, tuple) else names.get(value, value)

    kind = type(estimates)
    own = {name: called(getattr(estimates, name)) for name in naming_systems(kind.of_rows)}
    header = in_paper(estimates.header, names)
    return replace(estimates, header=header, **own)


def _estimates_without(estimates: E, hidden: Collection[str]) -> E:
    named = [name for name in naming_systems(type(estimates).of_rows) if name in _KEYS]
    kept = [row for row in estimates if not any(getattr(row, name) in hidden for name in named)]
    return replace(estimates.with_rows(kept), header=_without(estimates.header, hidden))


_KEYS = ("system", "first", "second")


def _fields(record: Record) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


_WHOLE = (Asked, Data)
"""What was done, and on what, is the same whoever is shown."""


def _without(record: Any, hidden: Collection[str]) -> Any:
    """Return a record without the records, and the names in tuples, of hidden systems."""
    if isinstance(record, _WHOLE):
        return record
    if isinstance(record, SetRanks):
        return _ranks_without(record, hidden)
    named = naming_systems(type(record))
    changed: dict[str, Any] = {}
    for name, value in _fields(record).items():
        if isinstance(value, Record):
            changed[name] = _without(value, hidden)
        elif isinstance(value, Estimates):
            changed[name] = _estimates_without(value, hidden)
        elif isinstance(value, tuple) and name in named:
            changed[name] = tuple(system for system in value if system not in hidden)
        elif isinstance(value, tuple):
            changed[name] = tuple(_left(value, hidden))
    return replace(record, **changed)


def _left(values: Iterable[Any], hidden: Collection[str]) -> Iterator[Any]:
    """Yield what is left: of the records those that are of no hidden system."""
    for value in values:
        if isinstance(value, Estimates):
            left = _estimates_without(value, hidden)
            yield from (left,) if len(left) else ()
        elif not isinstance(value, Record):
            yield value
        elif not any(getattr(value, name) in hidden for name in naming_systems(type(value))):
            yield _without(value, hidden)


def _ranks_without(ranks: SetRanks, hidden: Collection[str]) -> SetRanks:
    places = [place for place, name in enumerate(ranks.systems) if name not in hidden]
    cliques = [tuple(name for name in group if name not in hidden) for group in ranks.cliques]
    return replace(
        ranks,
        systems=tuple(ranks.systems[place] for place in places),
        mean_ranks=tuple(ranks.mean_ranks[place] for place in places),
        pair_p=tuple(tuple(ranks.pair_p[row][place] for place in places) for row in places),
        # Of a group one of whom is left nothing joins it to anybody.
        cliques=tuple(dict.fromkeys(group for group in cliques if len(group) > 1)),
    )


def _without_empty_sets(study: Study) -> Study:
    """Return the study without what has nothing to show: sets in which no two were compared, ranks of one system."""
    sets = (
        replace(part, results=NamedRows(result for result in part.results if len(result.compared)))
        for part in study.sets
    )
    together = (
        replace(
            of_metric,
            averages=of_metric.averages if of_metric.averages is not None and len(of_metric.averages) else None,
            ranks=of_metric.ranks if of_metric.ranks is not None and len(of_metric.ranks.systems) > 1 else None,
        )
        for of_metric in study.together
    )
    return replace(study, sets=NamedRows(sets), together=NamedRows(together))


@dataclass(frozen=True)
class Said:
    """What is said of one metric: a headline, what was judged and how, a sentence for each comparison, what is left."""

    metric: str
    headline: str
    summary: str
    sentences: tuple[str, ...]
    left: str = ""


@dataclass(frozen=True)
class Document(Public):
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
    naming: Naming = field(default_factory=Naming)
    carrying: tuple[_table.Table, ...] = ()
    checked: Note | None = None
    drawn: "Mapping[str, Picture] | None" = None

    def __post_init__(self) -> None:
        """Check the naming.

        Raises
        ------
        InvalidOption
            It does not tell the systems apart, or leaves nothing to compare; or this is not a study.
        """
        expect(self.study, Study, "Give a study, as returned by compare() or read_study(PATH)")
        self.naming.check(self.study)

    @cached_property
    def pictures(self) -> "Mapping[str, Picture]":
        """All pictures: those drawn from the study, and those in `more`."""
        return {**(_drawn(self.shown) if self.drawn is None else self.drawn), **self.more}

    @cached_property
    def named(self) -> Study:
        """The study with the systems named as in the paper."""
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
    def printed(self) -> tuple[tuple[_table.Table, ...], tuple[_table.Table, ...]]:
        """The tables that a paper needs, with the comparisons of all metrics in one, and all others."""
        return _paper.printed_tables(self.shown, self.naming.left(self.study))

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
        study, systems = self.named, systems_of(self.named)
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
            return f"{_size(self.study)}; fingerprint of the data {self.study.data.digest}."
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
            if not all(map(math.isnan, result.scored.score)):
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
    passages = [" ".join(_over_sets.over_sets_texts(compared, at)) for at in range(len(compared.averages or ()))]
    if compared.by:
        passages += [f"{name}: {_families.verdicts_text(family)}." for name, family in compared.families.items()]
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


class Exporter(Public, ABC):
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
