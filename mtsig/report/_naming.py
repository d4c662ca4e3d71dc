"""Names of systems in a paper, and which of them are shown."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from mtsig._records import Estimates, Record, naming_systems
from mtsig.collection._beyond import SetRanks
from mtsig.corpus._notes import is_human, listed, number_of
from mtsig.errors import InvalidOption
from mtsig.study import Study
from mtsig.study._record import Asked, Data

R = TypeVar("R", bound=Record)
E = TypeVar("E", bound=Estimates[Any, Any])


@dataclass(frozen=True)
class Naming:
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
                    f"{system} is {kind}, which the name {name!r} does not show: human translations have names such as "
                    "Human-A, ref-B or translator 2, and are never called the best system."
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
            f"{len(kept)} of {number_of(len(every), 'system')} are shown. Bold type and marks refer to these; ranks "
            "and corrections include all systems."
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
        replace(part, results=tuple(result for result in part.results if len(result.compared))) for part in study.sets
    )
    together = (
        replace(
            of_metric,
            averages=of_metric.averages if of_metric.averages is not None and len(of_metric.averages) else None,
            ranks=of_metric.ranks if of_metric.ranks is not None and len(of_metric.ranks.systems) > 1 else None,
        )
        for of_metric in study.together
    )
    return replace(study, sets=tuple(sets), together=tuple(together))
