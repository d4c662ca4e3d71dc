"""Remarks on data: notes, helpers for their sentences, and what names of systems show.

Inspection: list what to know about a corpus before any result is read.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias

from mtsig._results import Public
from mtsig.errors import AlignmentError, NotApplicable

if TYPE_CHECKING:
    from mtsig.corpus._corpus import Corpus


About: TypeAlias = Literal[
    "", "kin", "spliced", "correction", "files", "documents", "size", "texts", "raters", "judging"
]
"""What a note is about, where somebody asks: overlap with a reference, a reference combined from outputs, a correction
of p-values, files not read, which segments go together, how many units there are, what data checks find in texts as
well, for which raters verdicts hold, and how they judged."""


LONGEST = 1_500
"""Characters of one note."""


@dataclass(frozen=True)
class Note(Public):
    """A remark on the data for the user; it changes no result.

    about: its subject. systems: the systems that it concerns; if empty, it concerns all. headline: the note in at most
    six words. names: the metrics, ratings or systems that it names. together: what follows the names where one note
    stands for the same of several. Two notes with the same text are equal.
    """

    level: Literal["note", "warning"]
    text: str
    about: About = field(default="", compare=False)
    systems: tuple[str, ...] = field(default=(), compare=False)
    headline: str = field(default="", compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)
    together: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Take out the middle of a text that is too long: what files hold decides how long a list in it becomes."""
        if len(self.text) > LONGEST:
            object.__setattr__(self, "text", f"{self.text[: LONGEST - 201]}…{self.text[-200:]}")

    def concerns(self, systems: Collection[str]) -> bool:
        """Return whether the note concerns these systems, or all systems."""
        return not self.systems or bool(set(self.systems) & set(systems))


def merged(notes: Iterable[Note]) -> list[Note]:
    """Return each sentence once, with all names of which it is said; those on the number of units follow each other."""
    kinds: dict[str, tuple[str, ...]] = {}
    groups: dict[tuple[str, ...], list[Note]] = {}
    for note in notes:
        kind = (note.about, *note.names) if note.about == "size" else (note.together or note.text,)
        groups.setdefault(kinds.setdefault(note.text, kind), []).append(note)
    return [_as_one(group) for group in groups.values()]


def _as_one(notes: Sequence[Note]) -> Note:
    """Return notes of one kind as one: the higher level, all names and systems."""
    first, texts = notes[0], list(dict.fromkeys(note.text for note in notes))
    names, systems = (
        tuple(dict.fromkeys(chain(*of))) for of in zip(*((n.names, n.systems) for n in notes), strict=True)
    )
    together = f"{listed(names)} {first.together}" if first.together else " ".join(texts)
    return replace(
        first,
        level="warning" if any(note.level == "warning" for note in notes) else "note",
        text=together if len(texts) > 1 else first.text,
        systems=systems if all(note.systems for note in notes) else (),
        names=names,
    )


_OF_SEVERAL, _PLURALS = re.compile("^ (is|has) "), {"is": " are ", "has": " have "}


def listed(names: Sequence[str], last: str = "and", most: int | None = None) -> str:
    """Return names as a sentence lists them; where there are more than `most`, the first and how many more."""
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def told_once(said: Iterable[tuple[str, str]], most: int | None = None) -> list[str]:
    """Return what is said of each system, such as "'A' is empty", once with the names of all of whom it is said."""
    alike: dict[str, list[str]] = {}
    for name, text in dict.fromkeys(said):
        alike.setdefault(text.removeprefix(repr(name)), []).append(repr(name))
    return [
        listed(names, most=most) + (_OF_SEVERAL.sub(lambda verb: _PLURALS[verb[1]], text) if len(names) > 1 else text)
        for text, names in alike.items()
    ]


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


def refuse_repeated(pairs: Iterable[tuple[str, str]], place: str = "") -> None:
    """Raise NotApplicable where a system is compared with itself, or a pair is there twice, either way round."""
    seen = set[frozenset[str]]()
    for first, second in pairs:
        if first == second:
            raise NotApplicable(f"{place}System {first!r} cannot be compared with itself.")
        if frozenset((first, second)) in seen:
            raise NotApplicable(f"{place}The pair {first!r} and {second!r} is listed twice; it counts once.")
        seen.add(frozenset((first, second)))


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


def single_runs(names: Iterable[str]) -> tuple[Note, ...]:
    """Return the warning that is due where outputs of these names are held against each other one by one."""
    said = single_runs_text(runs_by_name(sorted(names)))
    return () if said is None else (Note("warning", said),)


def single_runs_text(runs: Mapping[str, Sequence[str]]) -> str | None:
    """Return a warning where outputs that are compared one by one are runs of systems; None where none is.

    `runs` is what `runs_by_name` returns: a system whose only output bears its own name has no runs.
    """
    several = {system: names for system, names in runs.items() if tuple(names) != (system,)}
    if not several:
        return None
    counts = listed([f"{len(names)} of {system}" for system, names in several.items()])
    return (
        f"Single runs are compared here: {counts}. Selecting the best of several runs inflates its score, so do not "
        "compare each system's best run. If the runs are trained models, compare all runs together. The command is "
        "mtsig runs; in the dashboard, see the note on runs on the Results page. If the runs are outputs sampled from "
        "one model, read them as samples. The option is --as-samples; in the dashboard, it is on the Data page."
    )


def check_parallel(columns: Mapping[str, Sequence[object]]) -> None:
    """Raise AlignmentError when columns differ in length: it quotes the first extra line, and names all others."""
    if len({len(lines) for lines in columns.values()}) < 2:
        return
    expected = Counter(len(lines) for lines in columns.values()).most_common(1)[0][0]
    (label, lines), *further = ((name, lines) for name, lines in columns.items() if len(lines) != expected)
    other, others = next((name, column) for name, column in columns.items() if len(column) == expected)
    longer, extra = (label, lines) if len(lines) > expected else (other, others)
    at = min(len(lines), expected)
    told = listed([f"{name} has {len(lines)}" for name, lines in further], most=4) if further else ""
    also = f"Others differ too: {told}. " if further else ""
    raise AlignmentError(
        f"{capital_first(label)} has {number_of(len(lines), 'segment')}, but {other} has {expected}. The first "
        f"extra one is line {at + 1} of {longer}: {quoted(extra[at])}. {also}Every file needs one line per segment, "
        "in the same order."
    )


TINY_TEST_SET = 20
"""Below this many units, segments or documents, no interval for ratios like BLEU is worth its name.

Smaller subsets are left out, too (`collection/_parts.py`).
"""

SHORT_TEST_SET = 100
"""Below this many segments the intervals of ratios like BLEU cover less than they say.

See docs/statistics/intervals.md, section 4.
"""


MIN_DOCUMENTS = 10
"""Fewer documents cannot carry document-level inference (docs/statistics/documents.md, section 3)."""


def inspect(corpus: "Corpus") -> tuple[Note, ...]:
    """List remarks on the data to read before any result, warnings first.

    Examples
    --------
    >>> import mtsig
    >>> corpus = mtsig.Corpus.of({"A": ["", "yes"], "B": ["no", "yes"]}, {"ref": ["no", "yes"]})
    >>> print(mtsig.corpus.inspect(corpus)[0].text)
    System 'A' has 1 empty line (line 1), scored as an empty translation.
    """
    findings = [
        *corpus.notes, *_textless(corpus), *_empty_lines(corpus), *_void_notes(corpus), *left_out(corpus),
        *_twins(corpus), *size_notes(corpus.n_documents, len(corpus)),
    ]  # fmt: skip
    return tuple(sorted(findings, key=lambda note: note.level != "warning"))


def _textless(corpus: "Corpus") -> Iterable[Note]:
    rated = [name for name, runs in corpus.systems.items() if not runs]
    if rated and corpus.outputs:
        verb = "name is" if len(rated) == 1 else "names are"
        said = f"{len(rated)} {verb} known only from ratings, without text: {', '.join(rated)}."
        yield Note("note", said, headline=f"{number_of(len(rated), 'name')} without text")


def _empty_lines(corpus: "Corpus") -> Iterable[Note]:
    single = len(corpus.references) == 1
    for run, lines in corpus.outputs.items():
        empty = [number for number, line in enumerate(lines, 1) if not line.strip()]
        if empty:
            said = f"System {run!r} has {_counted(empty)}, scored as an empty translation."
            yield Note("warning", said, "texts", (run,))
    for name, references in corpus.references.items():
        empty = [number for number, line in enumerate(references, 1) if line is not None and not line.strip()]
        if empty and single and len(empty) < len(references):
            yield Note("warning", f"Reference {name!r} has {_counted(empty)}, used as an empty reference.", "texts")
        missing = [number for number, line in enumerate(references, 1) if line is None]
        if missing:
            said = f"Reference {name!r} has {_counted(missing)}, so it has no text for these segments."
            yield Note("note", said, headline=f"Reference {name} is incomplete")


_NOTHING = """
none nan na n/a null nil nat todo tbd tba fixme empty missing unknown undefined placeholder dummy void ref reference
noref noreference notavailable notext xxx
"""
_FILLED_IN = frozenset(_NOTHING.split())
"""Words that stand for a reference that is not there, in small letters and without what encloses them."""

_BARE, _SIGNS = re.compile(r"[\W_]+"), frozenset("-–—_.?*/#~=")

_LEAST, _SHORT, _FEW = 6, 60, 20
"""Segments from which on a reference may be none, characters up to which a line is a placeholder, kinds of lines."""

_ID = re.compile(r"[!-~]*[\d/_][!-~]*")
"""One word with a digit, a slash or an underscore: a number, an id, a digest, a path."""


GIVE_TEXT = "Give the reference translations, or omit this file or column."


def void_references(corpus: "Corpus") -> dict[str, str]:
    """Return the references that hold no text, and what they hold: blanks, placeholders, or one short line."""
    found = {name: _void(corpus, lines) for name, lines in corpus.references.items()}
    return {name: said for name, said in found.items() if said}


def _void_notes(corpus: "Corpus") -> Iterator[Note]:
    void = corpus.void_references
    for name, said in void.items():
        text = f"Reference {name!r} has no text: {said}. {GIVE_TEXT}"
        yield Note("warning", text, "texts", headline=f"Reference {name} has no text")
    for name in corpus.references.keys() - void.keys():
        lines = corpus.references[name]
        some = [number for number, line in enumerate(lines, 1) if line and is_placeholder(line)
                and not any(own[number - 1] == line for own in corpus.outputs.values())]  # fmt: skip
        if len(some) >= _FEWEST:
            where = ", ".join(map(str, some[:3])) + (", …" if len(some) > 3 else "")
            text = (
                f"Reference {name!r} has {len(some)} lines such as {lines[some[0] - 1]!r} (lines {where}). The metrics "
                "score them as if they were translations. Leave out segments without a reference."
            )
            yield Note("warning", text, "texts", headline=f"Reference {name} has placeholders")


_FEWEST = 3
"""Lines from which on placeholders are told."""


def is_placeholder(line: str) -> bool:
    """Return whether a line is a word or sign that stands for a text that is not there, as None, TODO 3 or -."""
    word = _BARE.sub("", line.casefold()).rstrip("0123456789") if len(line) < _FEW else line
    return word in _FILLED_IN or (not word and bool(line.strip()) and _SIGNS.issuperset(line.strip()))


def without_text(corpus: "Corpus", lines: Sequence[str | None]) -> list[int]:
    """Return the numbers of the lines of a reference that hold a placeholder, or nothing where an output has text.

    Of several references, one that is empty somewhere has no such segment; short answers may be called None or -.
    """
    blank, outputs = len(corpus.references) == 1, tuple(corpus.outputs.values())
    some = [
        number for number, line in enumerate(lines, 1)
        if line is not None and (is_placeholder(line) or (
            blank and not line.strip() and any(own[number - 1].strip() for own in outputs)
        ))
    ]  # fmt: skip
    return some if some and any(map(_are_texts, filter(None, (*outputs, corpus.segments.sources)))) else []


def _are_texts(lines: Sequence[str]) -> bool:
    """Return whether what a text says, where it says something, is no label."""
    said = [line for line in lines if line.strip() and not is_placeholder(line)]
    return bool(said) and not _few_kinds(said, len(said) // 2)


def _void(corpus: "Corpus", lines: Sequence[str | None]) -> str:
    """Return what stands in place of a reference, on half of its lines or more; "" where it is one."""
    known = [line for line in lines if line is not None]
    if len(known) < _LEAST:
        return ""
    first = next((line.strip() for line in known if line.strip()), "")
    if not first:
        return f"all {len(known)} lines are empty"
    alike = f"{quoted(first)} is on every line"
    # Nearly always the first lines show that there is text, and no other is looked at.
    if all(map(_is_filled_in, known)):
        return alike if len(set(known)) == 1 else f"its lines are placeholders such as {quoted(first)}"
    sources = corpus.segments.sources
    if sources is not None and len(known) == len(lines) and all(map(_holds, known, sources)):
        return "every line is the source"
    if 2 * len(some := without_text(corpus, lines)) >= len(known):
        what = next((quoted(line) for number in some if (line := (lines[number - 1] or "").strip())), "blanks")
        return f"{len(some)} of {len(known)} lines hold nothing or placeholders, such as {what}"
    if not _few_kinds(known, min(_FEW, max(1, len(known) // 10))) and not all(
        _ID.fullmatch(own.strip()) for own in known
    ):
        return ""
    texts = [*corpus.outputs.values(), *filter(None, [sources])]
    said = alike if len(set(known)) == 1 else f"its lines are numbers, ids or labels such as {quoted(first)}"
    return said if any(not _few_kinds(own, len(own) // 2) for own in texts) else ""


def _holds(line: str, source: str) -> bool:
    """Return whether a line has nothing but its source, and words such as TODO before it."""
    return line.casefold().endswith(source.casefold()) and len(line) <= len(source) + _FEW


def _few_kinds(lines: Sequence[str], most: int) -> bool:
    """Return whether lines are of at most so many kinds, numbers in short ones apart: texts of segments are not."""
    kinds: set[str] = set()
    for line in lines:
        kinds.add(_NUMBERS.sub("", line) if line.count(" ") < _WORDS else line)
        if len(kinds) > most:
            return False
    return True


_NUMBERS, _WORDS = re.compile(r"[0-9]+"), 8
"""Words of a line from which on its numbers are its text."""


def _is_filled_in(line: str) -> bool:
    """Return whether a line is blank, has neither letter nor digit, or says that there is nothing."""
    if len(line) > _SHORT and line.strip():
        return False
    bare = _BARE.sub("", line.casefold())
    return not bare or bare.rstrip("0123456789") in _FILLED_IN or line.strip().casefold() in _FILLED_IN


def _counted(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:3]) + (", …" if len(numbers) > 3 else "")
    word = ("empty line", "line") if len(numbers) == 1 else ("empty lines", "lines")
    return f"{len(numbers)} {word[0]} ({word[1]} {shown})"


FEW = 5
"""Names that a sentence holds, where there may be a thousand."""


def _twins(corpus: "Corpus") -> Iterable[Note]:
    equal: dict[Sequence[str | None], list[str]] = {}
    for run, lines in corpus.outputs.items():
        equal.setdefault(lines, []).append(run)
    for runs in equal.values():
        if len(runs) > 1:
            said = f"Systems {listed(list(map(repr, runs)), most=FEW)} are identical, line by line."
            yield Note("warning", said, "texts", tuple(runs))
    for name, references in corpus.references.items():
        for run in equal.get(tuple(references), ()):
            said = f"System {run!r} is identical to reference {name!r}, so that score is meaningless."
            yield Note("warning", said, "texts", (run,))


def size_notes(documents: int | None, segments: int) -> Iterable[Note]:
    """Yield what follows from the size of a test set; documents: None if they are unknown."""
    by_document = documents is not None and documents >= MIN_DOCUMENTS
    # What counts is how many units there are: a thousand segments in twelve documents are twelve.
    units = documents if by_document and documents is not None else segments
    said = f"{units} documents" if by_document else number_of(units, "segment")
    if units < TINY_TEST_SET:
        far = "too few for firm conclusions" if by_document else "far too few for conclusions"
        text = f"Only {said}: {far}. Such wide intervals are correct for so few data."
        yield Note("warning", text, "size", headline=f"Only {said}")
    elif units < SHORT_TEST_SET and by_document:
        text = f"Only {said}: intervals are wide and small differences may be missed, even with many segments."
        yield Note("note", text, "size", headline=f"Only {said}")
    elif units < SHORT_TEST_SET:
        text = f"Only {said}: on small test sets, intervals tend to be slightly too narrow."
        yield Note("warning", text, "size", headline=f"Only {said}")
    if documents is not None and not by_document:
        yield few_documents(documents)


def left_out(corpus: "Corpus") -> tuple[Note, ...]:
    """Return what goes with the segments that have no reference, for metrics that need one."""
    kept = corpus.with_references() if corpus.references and corpus.referenced.any() else corpus
    missing = len(corpus) - len(kept)
    if not missing:
        return ()
    text = f"{missing} of {len(corpus)} segments have no reference at all and are not scored"
    headline = f"{number_of(missing, 'segment', ',')} without a reference"
    before, after = corpus.n_documents, kept.n_documents
    if before is None or after is None or before == after:
        return (Note("warning", f"{text}.", headline=headline),)
    told = (Note("warning", f"{text}, so {before - after} of {before} documents are not used.", headline=headline),)
    return (*told, few_documents(after)) if after < MIN_DOCUMENTS <= before else told


def few_documents(count: int, known: str = "") -> Note:
    """Return the warning that so few documents leave segments as the unit; `known`: for whom, when not for all."""
    headline = f"Only {number_of(count, 'document')}{known}"
    text = (
        f"{headline}: too few for document-level inference (at least {MIN_DOCUMENTS}). Segments are resampled instead, "
        "but sentences of one document are not independent."
    )
    return Note("warning", text, "documents", headline=headline)
