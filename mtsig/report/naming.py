"""Names of a paper: a study goes in; out comes the study under these names, or with a part of its systems."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from mtsig.corpus import is_human, listed, number_of
from mtsig.errors import InvalidOption
from mtsig.records import Record
from mtsig.sets import OverSets
from mtsig.study.record import Asked, ComparisonRecord, Study
from mtsig.study.sets_record import ComparisonInSet, MetricOverSets, ReplicabilityOf, SetRanksOf, SetsStudy, extended

R = TypeVar("R", bound=Record)
S = TypeVar("S", Study, SetsStudy)
P = TypeVar("P", ComparisonInSet, OverSets, ReplicabilityOf)


@dataclass(frozen=True)
class Naming:
    """What systems are called in a paper, and which of them its figures and tables leave out.

    names: the system's true name -> its name in the paper; a system that is not in it keeps its own. hidden: the true
    names of those left out. A study keeps all its systems under their true names.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    hidden: Collection[str] = ()

    @classmethod
    def of_rows(cls, systems: Iterable[str], names: Iterable[object], shown: Iterable[object]) -> "Naming":
        """Return what a table of systems says; a system whose name was deleted keeps its own.

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

    def check(self, study: Study | SetsStudy) -> None:
        """Check that the names are told apart, and that something is left to show.

        Raises:
            InvalidOption: two systems have one name, a name is empty or the word all, or the systems that are shown
                leave a metric without a comparison.
        """
        taken: dict[str, str] = {}
        for system in systems_of(study):
            name = self.names.get(system, system)
            if name != system and (not name.strip() or name == "all"):
                raise InvalidOption(f"{system} cannot be called {name!r} in the paper: choose another name.")
            if is_human(name) != is_human(system):
                kind = "a human translation" if is_human(system) else "a system"
                raise InvalidOption(
                    f"{system} is {kind}, and {name!r} does not say so: people have names such as Human-A, ref-B or "
                    "translator 2, and are never called the best system."
                )
            if name in taken:
                raise InvalidOption(
                    f"{taken[name]} and {system} would both be called {name!r}: choose two names, so that readers can "
                    "tell them apart."
                )
            taken[name] = system
        hidden = set(self.hidden)
        for metric, pairs in _compared_pairs(study):
            if all(hidden & set(pair) for pair in pairs):
                raise InvalidOption(
                    f"No comparison in {metric} is left between the systems that are shown: show at least two that "
                    "were compared."
                )

    def named(self, study: S) -> S:
        """Return the study under the names of the paper, all of it; a note says which are whose."""
        systems = systems_of(study)
        names = {true: name for true, name in self.names.items() if true != name and true in systems}
        hidden = [name for name in systems if name in self.hidden]
        notes: list[str] = []
        if names:
            said = listed([f"{name} is {true}" for true, name in names.items()])
            notes.append(f"Names in the paper: {said}.")
        if hidden:
            said = number_of(len(systems), "system")
            notes.append(
                f"Figures and tables leave out {listed([names.get(name, name) for name in hidden])}, of {said}."
            )
        if not notes:
            return study
        renamed = _renamed(study, names) if isinstance(study, Study) else _renamed_over_sets(study, names)
        return replace(renamed, notes=(*study.notes, *notes))

    def left(self, study: Study | SetsStudy) -> str:
        """Return the sentence that a caption says of systems that are left out; nothing where none is."""
        every = systems_of(study)
        kept = [name for name in every if name not in self.hidden]
        if len(kept) == len(every):
            return ""
        return (
            f"Shown are {len(kept)} of {number_of(len(every), 'system')}: bold and marks are among these, places and "
            "corrections among all."
        )

    def shown(self, study: S) -> S:
        """Return the study under the names of the paper, with the results of the systems that are shown."""
        hidden = {self.names.get(name, name) for name in self.hidden}
        named = self.named(study)
        if not hidden:
            return named
        return _without(named, hidden) if isinstance(named, Study) else _without_over_sets(named, hidden)


def systems_of(study: Study | SetsStudy) -> tuple[str, ...]:
    """Return the systems of a study, of several sets those of any.

    >>> import mtsig
    >>> from mtsig.report import systems_of
    >>> systems_of(mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True))
    ('A', 'B')
    """
    if isinstance(study, Study):
        return study.data.systems
    return tuple(dict.fromkeys(name for part in study.sets for name in part.data.systems))


def _compared_pairs(study: Study | SetsStudy) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return every metric with the pairs that were compared in it."""
    if isinstance(study, Study):
        by_metric = [(result.scored.metric, [result.compared]) for result in study.results]
    else:
        by_metric = [(result.about.metric, list(result.compared.families.values())) for result in study.results]
    return [
        (metric, [pair for family in families for pair in zip(family.first, family.second, strict=True)])
        for metric, families in by_metric
    ]


def _renamed(study: Study, names: Mapping[str, str]) -> Study:
    def new(systems: Collection[str]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in systems)

    return replace(
        study,
        data=replace(study.data, systems=new(study.data.systems)),
        request=replace(study.request, pairs=_pairs(study.request, names)),
        metrics=tuple(replace(metric, order=new(metric.order)) for metric in study.metrics),
        systems=tuple(in_paper(system, names) for system in study.systems),
        comparisons=_compared(study.comparisons, names),
        ranks=tuple(in_paper(rank, names) for rank in study.ranks),
        margins=tuple(in_paper(margin, names) for margin in study.margins),
        without_reference=tuple(
            replace(result, comparisons=_compared(result.comparisons, names)) for result in study.without_reference
        ),
    )


def _pairs(asked: Asked, names: Mapping[str, str]) -> str | tuple[tuple[str, str], ...]:
    if isinstance(asked.pairs, str):
        return names.get(asked.pairs, asked.pairs)
    return tuple((names.get(first, first), names.get(second, second)) for first, second in asked.pairs)


def _compared(rows: Collection[ComparisonRecord], names: Mapping[str, str]) -> tuple[ComparisonRecord, ...]:
    # What follows from the numbers names the winner: it is drawn anew.
    return tuple(ComparisonRecord.of(in_paper(row.comparison, names)) for row in rows)


_NAMES = ("system", "first", "second")
"""Fields of records that hold the name of a system."""


def in_paper(record: R, names: Mapping[str, str]) -> R:
    """Return a record of results with the names of the paper; `names` is true name -> name in the paper.

    >>> import mtsig
    >>> from mtsig.report import in_paper
    >>> study = mtsig.compare({"a7": [3, 4, 5, 5], "b2": [1, 2, 2, 3]}, higher_is_better=True)
    >>> comparison = in_paper(study.results[0].compared[0], {"a7": "Our system"})
    >>> comparison.first, comparison.second
    ('Our system', 'b2')
    """
    changed: dict[str, Any] = {
        field.name: names.get(getattr(record, field.name), getattr(record, field.name))
        for field in fields(record)
        if field.name in _NAMES
    }
    beside = getattr(record, "by_segment", None)
    if isinstance(beside, Record):
        changed["by_segment"] = in_paper(beside, names)
    return replace(record, **changed)


def _without(study: Study, hidden: Collection[str]) -> Study:
    return replace(
        study,
        metrics=tuple(
            replace(metric, order=tuple(name for name in metric.order if name not in hidden))
            for metric in study.metrics
        ),
        systems=tuple(system for system in study.systems if system.system not in hidden),
        comparisons=tuple(
            comparison for comparison in study.comparisons if not {comparison.first, comparison.second} & set(hidden)
        ),
        ranks=tuple(rank for rank in study.ranks if rank.system not in hidden),
        margins=tuple(margin for margin in study.margins if not {margin.first, margin.second} & set(hidden)),
    )


def _renamed_over_sets(study: SetsStudy, names: Mapping[str, str]) -> SetsStudy:
    def new(systems: Collection[str]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in systems)

    def rows(compared: Collection[ComparisonInSet]) -> tuple[ComparisonInSet, ...]:
        fresh = _compared(compared, names)
        return tuple(extended(ComparisonInSet, new, set=row.set) for row, new in zip(compared, fresh, strict=True))

    return replace(
        study,
        sets=tuple(replace(part, data=replace(part.data, systems=new(part.data.systems))) for part in study.sets),
        request=replace(study.request, pairs=_pairs(study.request, names)),
        over=_with_order(study, new),
        metrics=tuple(replace(metric, order=new(metric.order)) for metric in study.metrics),
        systems=tuple(in_paper(system, names) for system in study.systems),
        comparisons=rows(study.comparisons),
        ranks=tuple(in_paper(rank, names) for rank in study.ranks),
        over_sets=tuple(in_paper(row, names) for row in study.over_sets),
        replicability=tuple(in_paper(row, names) for row in study.replicability),
        ranks_over_sets=tuple(
            replace(ranks, systems=new(ranks.systems), cliques=tuple(map(new, ranks.cliques)))
            for ranks in study.ranks_over_sets
        ),
        without_reference=tuple(
            replace(result, comparisons=_compared(result.comparisons, names)) for result in study.without_reference
        ),
    )


def _with_order(study: SetsStudy, change: Callable[[Collection[str]], tuple[str, ...]]) -> tuple[MetricOverSets, ...]:
    return tuple(
        replace(row, averages=row.averages and replace(row.averages, order=change(row.averages.order)))
        for row in study.over
    )


def _without_over_sets(study: SetsStudy, hidden: Collection[str]) -> SetsStudy:
    def kept(systems: Collection[str]) -> tuple[str, ...]:
        return tuple(name for name in systems if name not in hidden)

    def pairs(rows: Collection[P]) -> tuple[P, ...]:
        return tuple(row for row in rows if not {row.first, row.second} & set(hidden))

    def ranked(ranks: SetRanksOf) -> SetRanksOf:
        places = [place for place, name in enumerate(ranks.systems) if name not in hidden]
        return replace(
            ranks,
            systems=kept(ranks.systems),
            mean_ranks=tuple(ranks.mean_ranks[place] for place in places),
            pair_p=tuple(tuple(ranks.pair_p[row][place] for place in places) for row in places),
            # Of a group one of whom is left nothing joins it to anybody.
            cliques=tuple(dict.fromkeys(group for group in map(kept, ranks.cliques) if len(group) > 1)),
        )

    left = replace(
        study,
        over=tuple(
            row
            if row.averages is None
            else replace(row, averages=replace(row.averages, order=kept(row.averages.order)))
            for row in study.over
        ),
        metrics=tuple(replace(metric, order=kept(metric.order)) for metric in study.metrics),
        systems=tuple(system for system in study.systems if system.system not in hidden),
        comparisons=pairs(study.comparisons),
        ranks=tuple(rank for rank in study.ranks if rank.system not in hidden),
        over_sets=pairs(study.over_sets),
        replicability=pairs(study.replicability),
        ranks_over_sets=tuple(ranked(ranks) for ranks in study.ranks_over_sets if len(kept(ranks.systems)) > 1),
    )
    # A set in which no two of them were compared has nothing to show.
    empty = {row.set for row in left.metrics} - {row.set for row in left.comparisons}
    return replace(
        left,
        metrics=tuple(row for row in left.metrics if row.set not in empty),
        systems=tuple(row for row in left.systems if row.set not in empty),
        ranks=tuple(row for row in left.ranks if row.set not in empty),
    )
