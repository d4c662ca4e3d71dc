"""The list: where cautions come from, whom they concern, and how they are put together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import capital_first, listed, runs_by_name
from mtsig.inference import Family, Intervals, verdict

Strength: TypeAlias = Literal["note", "warning", "withholds"]


@dataclass(frozen=True)
class Caution:
    """Something to know before a verdict is read.

    sentence: what was found; with a full stop where it stands by itself, without one beside verdicts. strength:
    "withholds" where the verdicts on its pairs are withheld. systems: whom it concerns; everybody where there are none.
    pairs: the comparisons beside whose verdicts it stands; none where it stands above them. step, flags: what leads on,
    in words and on the command line. source: its name in CAUTIONS. note: what it is made of, where that is a note.
    """

    sentence: str
    strength: Strength = "warning"
    systems: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    step: str = ""
    flags: str = ""
    source: str = ""
    note: Note | None = None

    @property
    def told(self) -> Note:
        """The caution as a note, with what leads on."""
        if self.note is not None:
            return self.note
        said, flags = self.sentence, f" ({self.flags})" if self.flags else ""
        if self.step:
            said += f"; {self.step}{flags}" if self.pairs else f" {capital_first(self.step)}{flags}."
        return Note("note" if self.strength == "note" else "warning", said, systems=self.systems)

    def among(self, systems: Collection[str]) -> "Caution | None":
        """Return the caution as it concerns these systems, with their pairs alone; None where it concerns none."""
        if self.pairs:
            pairs = tuple(pair for pair in self.pairs if set(pair) <= set(systems))
            return replace(self, pairs=pairs) if pairs else None
        return self if not self.systems or set(self.systems) & set(systems) else None


@dataclass(frozen=True, eq=False)
class Seen:
    """What cautions look at: the data, where they are there, scores and comparisons."""

    corpus: Corpus | None = None
    scored: tuple[Intervals, ...] = ()
    families: tuple[Family, ...] = ()

    @property
    def compared(self) -> set[str]:
        """The systems that are compared."""
        return {name for family in self.families for name in family.order}


def _of(notes: Iterable[Note]) -> Iterator[Caution]:
    for note in notes:
        yield Caution(note.text, note.level, note.systems, note=note)


def _verdicts(seen: Seen) -> Iterator[Caution]:
    """Yield what withholds verdicts or stands beside them, each with all its pairs."""
    found: dict[tuple[str, Strength, str, str], list[tuple[str, str]]] = {}
    for comparison in (comparison for family in seen.families for comparison in family):
        decided, pair = verdict(comparison), (comparison.first, comparison.second)
        if decided.withheld_reason:
            found.setdefault((decided.withheld_reason, "withholds", decided.step, decided.flags), []).append(pair)
        if decided.caution:
            found.setdefault((decided.caution, "warning", "", ""), []).append(pair)
    for (sentence, strength, step, flags), pairs in found.items():
        yield Caution(sentence, strength, pairs=tuple(pairs), step=step, flags=flags)


CAUTIONS: dict[str, Callable[[Seen], Iterable[Caution]]] = {
    "data": lambda seen: _of(() if seen.corpus is None else inspect(seen.corpus)),
    "runs": lambda seen: _of(single_runs(seen.compared)),
    "comparisons": lambda seen: _of(note for family in seen.families for note in family.notes),
    "scores": lambda seen: _of(note for intervals in seen.scored for note in intervals.notes),
    "verdicts": _verdicts,
}
"""Where cautions come from, by name, in the order in which they are told; one more is one entry here."""


def cautions(seen: Seen, systems: Collection[str] | None = None) -> tuple[Caution, ...]:
    """Return every caution once, where two say the same the stronger one; `systems`: as far as it concerns these.

    >>> import mtsig
    >>> from mtsig.cautions import Seen, cautions
    >>> settings = mtsig.Settings(test="bootstrap-koehn", n_resamples=200)
    >>> family = settings.family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> found = [each for each in cautions(Seen(families=(family,))) if each.source == "verdicts"]
    >>> [(each.strength, len(each.pairs)) for each in found], len(found[0].among({"direct", "via-catalan"}).pairs)
    ([('warning', 9)], 1)
    """
    found: dict[tuple[str, str, bool], Caution] = {}
    for source, look in CAUTIONS.items():
        for caution in look(seen):
            key = caution.sentence, caution.step, bool(caution.pairs)
            if key not in found or caution.strength != "note":
                found[key] = replace(caution, source=caution.source or source)
    if systems is None:
        return tuple(found.values())
    return tuple(kept for caution in found.values() if (kept := caution.among(systems)) is not None)


def single_runs(names: Iterable[str]) -> tuple[Note, ...]:
    """Return the warning that is due where outputs of these names are held against each other one by one.

    >>> from mtsig.cautions._list import single_runs
    >>> single_runs(["A", "B"]), single_runs(["A.run1", "A.run2", "B"])[0].level
    ((), 'warning')
    """
    said = single_runs_text(runs_by_name(sorted(names)))
    return () if said is None else (Note("warning", said),)


def single_runs_text(runs: Mapping[str, Sequence[str]]) -> str | None:
    """Return a warning where outputs that are compared one by one are runs of systems; None where none is.

    `runs` is what `runs_by_name` returns: a system whose only output bears its own name has no runs.

    >>> single_runs_text({"A": ["A"], "B": ["B"]}) is None
    True
    """
    several = {system: names for system, names in runs.items() if tuple(names) != (system,)}
    if not several:
        return None
    counts = listed([f"{len(names)} of {system}" for system, names in several.items()])
    return (
        f"Single runs are compared here: {counts}. The best of several runs is better by luck, so comparing the best "
        "run of each is no test of the systems. Compare all runs together instead: mtsig runs on the command line, "
        "the sentence on runs on the Results page."
    )
