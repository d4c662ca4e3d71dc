"""Remarks on data: notes, helpers for their sentences, and what names of systems show."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mtsig.errors import AlignmentError

About: TypeAlias = Literal["", "kin", "correction", "files", "documents", "texts", "raters"]
"""What a note is about, where somebody asks: overlap with a reference, a correction of p-values, files not read, which
segments go together, what data checks find in texts as well, and for which raters verdicts hold."""


LONGEST = 1_500
"""Characters of one note."""


@dataclass(frozen=True)
class Note:
    """A remark on the data for the user; it changes no result.

    about: its subject. systems: the systems that it concerns; if empty, it concerns all. headline: the note in at most
    six words. Two notes with the same text are equal.
    """

    level: Literal["note", "warning"]
    text: str
    about: About = field(default="", compare=False)
    systems: tuple[str, ...] = field(default=(), compare=False)
    headline: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Take out the middle of a text that is too long: what files hold decides how long a list in it becomes."""
        if len(self.text) > LONGEST:
            object.__setattr__(self, "text", f"{self.text[: LONGEST - 201]}…{self.text[-200:]}")

    def concerns(self, systems: Collection[str]) -> bool:
        """Return whether the note concerns these systems, or all systems."""
        return not self.systems or bool(set(self.systems) & set(systems))


def listed(names: Sequence[str], last: str = "and", most: int | None = None) -> str:
    """Return names as a sentence lists them; where there are more than `most`, the first and how many more."""
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def number_of(count: int, noun: str, form: str = "") -> str:
    """Return how many there are; form: how the number is written, "," with commas."""
    return f"{count:{form}} {noun}{'' if count == 1 else 's'}"


_WRITTEN_SMALL = re.compile(r"[a-z]+[A-Z]|p\b")
"""sacreBLEU, chrF2, daRR; p, p-values."""


def capital_first(text: str) -> str:
    """Begin a sentence: with a capital letter, but for names and symbols that begin with a small one."""
    return text if _WRITTEN_SMALL.match(text) or not text[:1].isascii() else text[:1].upper() + text[1:]


def counted_names(kind: str, names: Iterable[str], most: int = 4) -> str:
    """Return how many there are and the first few names, for a `repr`."""
    shown = [name if len(name) <= 40 else f"{name[:39]}…" for name in names]
    few = ", ".join([*shown[:most], *(("…",) if len(shown) > most else ())])
    return f"{number_of(len(shown), kind)}{f' ({few})' if shown else ''}"


def quoted(line: object, width: int = 60) -> str:
    """Return the line in quotes, shortened; an empty or missing one is called so."""
    if line is None or line == "":
        return "an empty line"
    text = str(line)
    return repr(text if len(text) <= width else text[: width - 1] + "…")


def joint_ratings(ratings: Sequence[str] | Mapping[str, object]) -> list[str]:
    """Return the ratings but for those of single raters of another one, called NAME@RATER."""
    return [name for name in ratings if "@" not in name or name.partition("@")[0] not in ratings]


# A program may be called Translator; people are called so with a letter or a number.
_HUMAN = re.compile(
    r"(?:(?:ref|reference|human)(?:[-_. ]?[a-z0-9])?|translator[-_. ]?[a-z0-9])(?:\.[0-9]+)?", re.IGNORECASE
)


def is_human(system: str) -> bool:
    """Return whether a system's name says that people translated: WMT scores its references among the systems."""
    return _HUMAN.fullmatch(system) is not None


def ranked_systems(systems: Iterable[str], apart: Collection[str] = ()) -> tuple[str, ...]:
    """Return the systems that can be called the best: no human translations, and none of those that are set apart.

    All where that leaves none.
    """
    named = tuple(systems)
    return tuple(name for name in named if not is_human(name) and name not in apart) or named


_RUN = re.compile(r"(?P<system>.+)[._-](?:run|opt|seed)[._-]?\d+", re.IGNORECASE)


_SAMPLE = re.compile(r"(?P<system>.+)[._-]samples?[._-]?\d+", re.IGNORECASE)


def is_sample(name: str) -> bool:
    """Return whether a name says that it is one of several outputs per segment of a system, such as X.sample1."""
    return _SAMPLE.fullmatch(name) is not None


def samples_by_name(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return system -> its samples, where names such as X.sample1 say that it has several."""
    return {system: own for system, own in runs_by_name(names, _SAMPLE).items() if len(own) > 1}


def runs_by_name(names: Iterable[str], called: re.Pattern[str] = _RUN) -> dict[str, tuple[str, ...]]:
    """Return system -> its runs, from names such as X.run1, X.opt0 or X.seed3; a name of another form is one run."""
    names_by_system: dict[str, list[str]] = {}
    for name in names:
        match = called.fullmatch(name)
        names_by_system.setdefault(match["system"] if match else name, []).append(name)
    return {system: tuple(runs) for system, runs in names_by_system.items()}


def check_parallel(columns: Mapping[str, Sequence[object]]) -> None:
    """Raise AlignmentError when columns differ in length: it names two of them and quotes the first extra line."""
    if not columns:
        return
    expected = Counter(len(lines) for lines in columns.values()).most_common(1)[0][0]
    for label, lines in columns.items():
        if len(lines) == expected:
            continue
        other, others = next((name, column) for name, column in columns.items() if len(column) == expected)
        longer, extra = (label, lines) if len(lines) > expected else (other, others)
        at = min(len(lines), expected)
        raise AlignmentError(
            f"{capital_first(label)} has {number_of(len(lines), 'segment')}, but {other} has {expected}. The first "
            f"extra one is line {at + 1} of {longer}: {quoted(extra[at])}. Every file needs one line per segment, "
            "in the same order."
        )
