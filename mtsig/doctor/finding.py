"""What the doctor says: findings with where, how sure and what to do; none of them changes the data."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from mtsig.corpus import Note
from mtsig.errors import need

if TYPE_CHECKING:
    import pandas as pd

Level = Literal["note", "warning"]
Sureness = Literal["sure", "likely", "possible"]

SHARE_FOR_WARNING = 0.01
"""From this share of segments on, what would be a note is a warning: it can move a score by a tenth of a point."""

LEAST_FOR_WARNING = 3
"""Fewer lines are a note, unless they are half of all: of a hundred segments, one is a share of 1% by itself."""


@dataclass(frozen=True)
class Named:
    """A text of the data: what it is, and its name; as text, what it is called in messages."""

    role: Literal["source", "reference", "system"]
    name: str = ""

    def __str__(self) -> str:
        """Return what it is called in messages."""
        return self.role if self.role == "source" else f"{self.role} {self.name!r}"


@dataclass(frozen=True)
class Finding:
    """One thing to look at.

    check: the name in CHECKS. where: the text and lines. found: what is there. advice: what to do.
    lines: numbers of the first segments concerned, from 1, in the whole of the data.
    """

    check: str
    level: Level
    sure: Sureness
    where: str
    found: str
    advice: str
    lines: tuple[int, ...] = ()

    @property
    def note(self) -> Note:
        """The finding as a note in words."""
        return Note(self.level, f"{self.where}: {self.found} {self.advice}")


@dataclass(frozen=True)
class Checkup:
    """All findings of one corpus, warnings first.

    checked: the names of the checks that were run.
    segments: how many segments the checks of likeness looked at; of: how many there are.
    """

    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    segments: int
    of: int

    def __iter__(self) -> Iterator[Finding]:
        """Go through the findings."""
        return iter(self.findings)

    def __len__(self) -> int:
        """Return how many findings there are."""
        return len(self.findings)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What should be looked at before any number."""
        return tuple(finding for finding in self.findings if finding.level == "warning")

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per finding."""
        return [{**asdict(finding), "lines": list(finding.lines)} for finding in self.findings]

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per finding: check, level, sure, where, found, advice, lines.

        Raises:
            ProgramError: pandas is not installed.
        """
        need("frames")
        import pandas as pd  # only those pay for it who want a DataFrame

        columns = ["check", "level", "sure", "where", "found", "advice", "lines"]
        return pd.DataFrame(self.rows(), columns=columns)


def is_loud(count: int, total: int, share: float = SHARE_FOR_WARNING) -> bool:
    """Return whether something that concerns `count` of `total` segments is worth a warning."""
    return count > 0 and count >= max(share * total, min(LEAST_FOR_WARNING, total / 2))


def at_lines(numbers: Sequence[int]) -> str:
    """Return where segments stand, numbered from 0: `line 3`, `lines 3–7`, `lines 3, 8, 9, …`.

    >>> at_lines([2]), at_lines([2, 3, 4]), at_lines([2, 7, 8, 9])
    ('line 3', 'lines 3–5', 'lines 3, 8, 9, …')
    """
    if len(numbers) == 1:
        return f"line {numbers[0] + 1}"
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"lines {numbers[0] + 1}–{numbers[-1] + 1}"
    return "lines " + ", ".join(str(number + 1) for number in numbers[:3]) + (", …" if len(numbers) > 3 else "")


def counted(numbers: Sequence[int], total: int) -> str:
    """Return how many of the lines, and which: `3 of 200 (lines 3, 8, 9)`."""
    return f"{len(numbers)} of {total} ({at_lines(numbers)})"


def by_text(
    check: str,
    hits: Mapping[Named, Sequence[int]],
    total: int,
    text: str,
    advice: str,
    sure: Sureness,
    share: float = SHARE_FOR_WARNING,
) -> Iterator[Finding]:
    """Yield one warning for all texts in which at least this share of lines is concerned, and one note for the others.

    Args:
        check: the name of the check.
        hits: text -> numbers of its lines in the whole of the data, from 0.
        total: how many lines each text has.
        text: what the lines are, as in "empty lines".
        advice: what to do.
        sure: how sure this is.
        share: from which share of the lines on it is a warning.
    """
    some = {name: numbers for name, numbers in hits.items() if numbers}
    loud = {name: numbers for name, numbers in some.items() if is_loud(len(numbers), total, share)}
    quiet = {name: numbers for name, numbers in some.items() if name not in loud}
    levels: tuple[tuple[Level, dict[Named, Sequence[int]]], ...] = (("warning", loud), ("note", quiet))
    for level, concerned in levels:
        if concerned:
            first, *others = sorted(concerned, key=lambda name: -len(concerned[name]))
            said = f"{text}: {counted(concerned[first], total)}."
            if others:
                said += " Also: " + ", ".join(f"{name} {len(concerned[name])}" for name in others) + "."
            yield Finding(check, level, sure, str(first), said, advice, first_lines(concerned[first]))


def beside_references(
    check: str,
    hits: Mapping[Named, Sequence[int]],
    total: int,
    text: str,
    advice: str,
    sure: Sureness,
    share: float = SHARE_FOR_WARNING,
) -> Iterator[Finding]:
    """Yield what `by_text` does, after comparing every line with what the references have there.

    What a reference has on a line, too, is no system's fault; what half of the systems have there as well is none of
    the reference's: such lines are noted once for all.
    """
    references = {name: set(numbers) for name, numbers in hits.items() if name.role == "reference"}
    known = set().union(*references.values())
    systems = [numbers for name, numbers in hits.items() if name.role == "system"]
    having = Counter(number for numbers in systems for number in numbers)
    alike = {number for number in known if 2 * having[number] >= max(1, len(systems))}
    left = {
        name: [number for number in numbers if number not in (alike if name in references else known)]
        for name, numbers in hits.items()
    }
    yield from by_text(check, left, total, text, advice, sure, share)
    if alike:
        said = f"{text}: {counted(sorted(alike), total)}."
        advised = "References and systems have them alike: they seem to be as they should."
        yield Finding(check, "note", "possible", "references and systems", said, advised, first_lines(sorted(alike)))


def first_lines(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the first few numbers, from 1."""
    return tuple(number + 1 for number in numbers[:10])
