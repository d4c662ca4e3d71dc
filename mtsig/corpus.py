"""Corpus: what was translated, by whom, against what; lines go in, one checked and frozen object comes out."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig.errors import AlignmentError, NotApplicable, UnknownName
from mtsig.judgements import Judgements

FloatArray: TypeAlias = NDArray[np.floating]
Lines: TypeAlias = Sequence[str]
T = TypeVar("T")

TINY_TEST_SET = 20
"""Below this many units, segments or documents, no interval for ratios like BLEU is worth its name."""

SHORT_TEST_SET = 100
"""Below this many segments the intervals of ratios like BLEU cover less than they say.

See docs/statistics/intervals.md, section 4.
"""


@dataclass(frozen=True)
class Note:
    """Something the user should know about the data; it changes no number by itself."""

    level: Literal["note", "warning"]
    text: str


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as a sentence lists them.

    >>> listed(["A", "B", "C"])
    'A, B and C'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def number_of(count: int, noun: str, form: str = "") -> str:
    """Return how many there are; form: how the number is written, "," with commas.

    >>> number_of(1, "system"), number_of(1000, "segment", ",")
    ('1 system', '1,000 segments')
    """
    return f"{count:{form}} {noun}{'' if count == 1 else 's'}"


def joint_ratings(ratings: Sequence[str] | Mapping[str, object]) -> list[str]:
    """Return the ratings but for those of single judges of another one, called NAME@JUDGE.

    >>> joint_ratings(["esa", "esa@Ann", "me@home"])
    ['esa', 'me@home']
    """
    return [name for name in ratings if "@" not in name or name.partition("@")[0] not in ratings]


def counted_names(kind: str, names: Iterable[str], most: int = 4) -> str:
    """Return how many there are and the first few names, for a `repr`.

    >>> counted_names("system", "abcdef"), counted_names("rating", ["mqm"])
    ('6 systems (a, b, c, d, …)', '1 rating (mqm)')
    """
    shown = [name if len(name) <= 40 else f"{name[:39]}…" for name in names]
    few = ", ".join([*shown[:most], *(("…",) if len(shown) > most else ())])
    return f"{number_of(len(shown), kind)}{f' ({few})' if shown else ''}"


# A program may be called Translator; people are called so with a letter or a number.
_HUMAN = re.compile(
    r"(?:(?:ref|reference|human)(?:[-_. ]?[a-z0-9])?|translator[-_. ]?[a-z0-9])(?:\.[0-9]+)?", re.IGNORECASE
)


def is_human(system: str) -> bool:
    """Return whether a system's name says that people translated: WMT scores its references among the systems.

    >>> [is_human(name) for name in ("refA", "ref-B", "HUMAN", "Human-A.0", "translator 2", "Translator")]
    [True, True, True, True, True, False]
    """
    return _HUMAN.fullmatch(system) is not None


def contenders(systems: Iterable[str]) -> tuple[str, ...]:
    """Return the systems that can be called the best: those that are no human translations; all where all are.

    >>> contenders(["refA", "Online-W", "UEdin"]), contenders(["refA", "refB"])
    (('Online-W', 'UEdin'), ('refA', 'refB'))
    """
    named = tuple(systems)
    return tuple(name for name in named if not is_human(name)) or named


@dataclass(frozen=True, repr=False)
class Segments:
    """What the corpus knows of its n segments themselves; each column is None or holds n entries.

    numbers: of a part of the data, which segments of the whole these are, from 0.
    """

    n: int
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    original_languages: tuple[str, ...] | None = None
    numbers: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        """Return how many there are, and which columns are known."""
        columns = [field.name for field in fields(self) if field.name not in ("n", "numbers")]
        known = [name for name in columns if getattr(self, name) is not None]
        return f"<Segments: {self.n:,}{' with ' if known else ''}{', '.join(known)}>"


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """Scores given by people or programs: `values` has shape (s, n) in the order of the systems, NaN where missing.

    judge: who gave them, when known. known_by: how the direction is known: declared, or from the table of known names.
    judgements: who gave which value, where judges are told apart; `values` are their means.

    >>> esa = Rating(np.array([[80.0, 95.0], [70.0, np.nan]]), higher_is_better=True)
    >>> Corpus.of({"ours": None, "theirs": None}, ratings={"esa": esa}).ratings["esa"].values.shape
    (2, 2)
    """

    values: FloatArray
    higher_is_better: bool
    judge: str | None = None
    known_by: str = "declared"
    judgements: Judgements | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether scores, direction, judges and what the direction is known by are the same, gaps included."""
        if not isinstance(other, Rating):
            return NotImplemented
        same = self._about == other._about and np.array_equal(self.values, other.values, equal_nan=True)
        return same and self.judgements == other.judgements

    def __hash__(self) -> int:
        """Return the same for equal ratings."""
        return hash(self._about)

    def __repr__(self) -> str:
        """Return how much is rated, by whom, and which direction is better."""
        systems, n = self.values.shape
        known = int(np.count_nonzero(~np.isnan(self.values)))
        judge = f" by {self.judge}" if self.judge else ""
        better = "higher" if self.higher_is_better else "lower"
        return f"<Rating{judge}: {known:,} scores of {systems} × {n:,}, {better} is better>"

    @property
    def _about(self) -> tuple[tuple[int, ...], bool, str | None, str]:
        return self.values.shape, self.higher_is_better, self.judge, self.known_by

    def take(self, segments: Sequence[int]) -> "Rating":
        """Return the rating of these segments, in this order."""
        judged = None if self.judgements is None else self.judgements.take(segments)
        return replace(self, values=self.values[:, segments], judgements=judged)

    def select(self, systems: Sequence[int]) -> "Rating":
        """Return the rating of these systems, in this order."""
        judged = None if self.judgements is None else self.judgements.select(systems)
        return replace(self, values=self.values[systems], judgements=judged)


@dataclass(frozen=True)
class SystemScores:
    """What a file says of whole systems: one score for each, without those of segments that no file gives.

    Good for what compares systems' scores alone (see `mtsig.trust`); a test of two systems needs scores of segments.
    """

    scores: Mapping[str, float]
    higher_is_better: bool
    known_by: str = "declared"


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Systems, references and documents of one test set.

    outputs: run -> n lines.
    systems: system -> its runs; usually one, of the same name; none for a system known by its ratings alone.
    references: name -> n lines, None where a segment has no such reference.
    ratings: name -> Rating. annotations: name -> run (or reference) -> n items (parses, error spans).
    beside: outputs of systems that were left out, by run: nothing of them is scored, but they tell which system has
    more of a reference than others (see `mtsig.kinship`).
    part: which part of a test set this is, in words; None where nothing was chosen.
    system_scores: name -> scores of whole systems, as a file gives them; none for a part of the segments.
    of_benchmark: whether it is a task of a benchmark, whose own scores judge it where nothing else is asked for.
    notes: what the reader found on the way; no part of the data.

    Two are equal when they hold the same in the same order, all but the notes and the scores of whole systems.

    >>> corpus = Corpus.of({"ours": ["a cat", "a dog"], "theirs": ["cat", "dog"]}, {"ref": ["a cat", "the dog"]})
    >>> len(corpus), list(corpus.systems)
    (2, ['ours', 'theirs'])
    """

    segments: Segments
    outputs: Mapping[str, Lines]
    systems: Mapping[str, tuple[str, ...]]
    references: Mapping[str, Sequence[str | None]]
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    annotations: Mapping[str, Mapping[str, Sequence[object]]] = field(default_factory=dict)
    beside: Mapping[str, Lines] = field(default_factory=dict)
    part: str | None = None
    of_benchmark: bool = False
    system_scores: Mapping[str, SystemScores] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        """Check that everything runs in parallel.

        Raises:
            NotApplicable: there is no system at all.
            AlignmentError: something has another length than the rest.
            UnknownName: a system names a run that is not there.
        """
        if not self.systems:
            raise NotApplicable("There is no system output. Give at least one file with one translation per line.")
        columns: dict[str, Sequence[object]] = {}
        columns |= {f"reference {name!r}": lines for name, lines in self.references.items()}
        for kind in ("documents", "domains", "sources", "original_languages"):
            column = getattr(self.segments, kind)
            if column is not None:
                columns[kind] = column
        columns |= {f"system {name!r}": lines for name, lines in (*self.outputs.items(), *self.beside.items())}
        check_parallel(columns)
        for label, lines in columns.items():
            if len(lines) != self.segments.n:
                raise AlignmentError(
                    f"The corpus is said to have {self.segments.n} segments, but {label} has {len(lines)}."
                )
        for system, runs in self.systems.items():
            for run in runs:
                if run not in self.outputs:
                    raise UnknownName(f"System {system!r} names the run {run!r}, which has no output.")
        for name, rating in self.ratings.items():
            if rating.values.shape != (len(self.systems), self.segments.n):
                expected = (len(self.systems), self.segments.n)
                raise AlignmentError(
                    f"Rating {name!r} has shape {rating.values.shape}; expected {expected}: "
                    "one row per system, one column per segment, NaN where nobody rated."
                )
            if rating.judgements is not None and not rating.judgements.fits(*rating.values.shape):
                raise AlignmentError(f"Rating {name!r} has judgements of systems or segments that are not here.")

    @classmethod
    def of(
        cls,
        systems: Mapping[str, Lines | None],
        references: Mapping[str, Sequence[str | None]] | None = None,
        *,
        documents: Lines | None = None,
        domains: Lines | None = None,
        sources: Lines | None = None,
        ratings: Mapping[str, Rating] | None = None,
        original_languages: Lines | None = None,
        notes: Iterable[Note] = (),
    ) -> "Corpus":
        """Return the corpus of systems with one run each, or none: None stands for a system known by its ratings alone.

        With several references an empty line, or one of spaces alone, means that the segment has no such reference,
        as in sacreBLEU's manual; a single reference is taken as it stands.
        """
        references = dict(references or {})
        if len(references) > 1:
            references = {
                name: tuple(line if line and line.strip() else None for line in lines)
                for name, lines in references.items()
            }
        columns = (*references.values(), *systems.values(), documents, domains, sources)
        lengths = [len(column) for column in columns if column is not None]
        lengths += [rating.values.shape[-1] for rating in (ratings or {}).values()]
        return cls(
            Segments(
                lengths[0] if lengths else 0,
                None if documents is None else tuple(documents),
                None if domains is None else tuple(domains),
                None if sources is None else tuple(sources),
                None if original_languages is None else tuple(original_languages),
            ),
            outputs={name: tuple(lines) for name, lines in systems.items() if lines is not None},
            systems={name: () if lines is None else (name,) for name, lines in systems.items()},
            references={name: tuple(lines) for name, lines in references.items()},
            ratings=dict(ratings or {}),
            notes=tuple(notes),
        )

    def __len__(self) -> int:
        """Return the number of segments."""
        return self.segments.n

    def __eq__(self, other: object) -> bool:
        """Return whether segments, systems, outputs, references, ratings and annotations are the same, in order."""
        if not isinstance(other, Corpus):
            return NotImplemented
        if self is other:
            return True
        return (
            self._names == other._names
            and self.segments == other.segments
            and _same(self.outputs, other.outputs)
            and _same(self.beside, other.beside)
            and _same(self.references, other.references)
            and all(rating == other.ratings[name] for name, rating in self.ratings.items())
            and self.annotations.keys() == other.annotations.keys()
            and all(_same(by_run, other.annotations[name]) for name, by_run in self.annotations.items())
        )

    def __hash__(self) -> int:
        """Return the same for equal corpora; texts are left out, which would take long."""
        return hash((self.segments.n, self._names))

    def __repr__(self) -> str:
        """Return what there is, in one line."""
        documents = "" if self.n_documents is None else f" in {self.n_documents:,} documents"
        parts = [
            f"{len(self):,} segments{documents}",
            counted_names("system", self.systems),
            counted_names("reference", self.references),
            counted_names("rating", self.ratings),
        ]
        return f"<Corpus: {', '.join(parts)}>"

    @property
    def _names(self) -> tuple[tuple[str | tuple[str, tuple[str, ...]], ...], ...]:
        """The names of everything; ratings' rows stand in the order of the systems, so orders count."""
        systems = tuple((system, tuple(runs)) for system, runs in self.systems.items())
        return systems, tuple(self.outputs), tuple(self.references), tuple(self.ratings)

    @property
    def documents(self) -> tuple[str, ...] | None:
        """The document of each segment, when known."""
        return self.segments.documents

    @property
    def n_documents(self) -> int | None:
        """How many documents there are, when known."""
        return None if self.documents is None else len(set(self.documents))

    def lines(self, system: str) -> Lines:
        """Return the output of a system that has one run.

        Raises:
            UnknownName: no such system.
            NotApplicable: the system has no text, or several runs.
        """
        if system not in self.systems:
            raise UnknownName(f"There is no system called {system!r}. Known: {', '.join(self.systems)}.")
        runs = self.systems[system]
        if len(runs) != 1:
            raise NotApplicable(f"System {system!r} has {len(runs)} runs of text; exactly one is needed here.")
        return self.outputs[runs[0]]

    @cached_property
    def referenced(self) -> NDArray[np.bool_]:
        """Which segments have at least one reference; shape (n,)."""
        mask = np.zeros(len(self), dtype=bool)
        for lines in self.references.values():
            mask |= np.array([line is not None for line in lines], dtype=bool)
        return mask

    def with_references(self) -> "Corpus":
        """Return the corpus of the segments that have at least one reference."""
        return self if self.referenced.all() else self.take(np.flatnonzero(self.referenced))

    def with_text(self) -> "Corpus":
        """Return the corpus of the systems that have text."""
        return self.select([system for system, runs in self.systems.items() if runs])

    def with_those_beside(self) -> "Corpus":
        """Return the outputs, and those that stand beside, as systems; with the references, and nothing else."""
        beside = {run: (run,) for run in self.beside if run not in self.systems}
        return replace(
            self,
            systems={**self.systems, **beside},
            outputs={**self.beside, **self.outputs},
            beside={},
            ratings={},
            annotations={},
        )

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the data: the same for the same names, lines and documents, and for nothing else."""
        content: dict[str, object] = {
            "outputs": {name: self.outputs[name] for name in self.outputs},
            "systems": dict(self.systems),
            "references": dict(self.references),
            "documents": self.documents,
            "domains": self.segments.domains,
            "sources": self.segments.sources,
            "ratings": {
                name: [rating.values.tolist(), rating.higher_is_better] for name, rating in self.ratings.items()
            },
        }
        if self.beside:
            content["beside"] = dict(self.beside)
        if self.annotations:
            content["annotations"] = {name: dict(by_run) for name, by_run in self.annotations.items()}
        if self.segments.original_languages is not None:
            content["original languages"] = self.segments.original_languages
        digest = hashlib.sha256()
        for piece in _as_json(content):
            digest.update(piece.encode())
        return "sha256:" + digest.hexdigest()

    @cached_property
    def output_digests(self) -> Mapping[str, str]:
        """A fingerprint of each run's lines, whatever the run is called."""
        return {run: _digest_of([lines]) for run, lines in self.outputs.items()}

    @cached_property
    def references_digest(self) -> str:
        """A fingerprint of all references' lines in their order, whatever they are called."""
        return _digest_of(list(self.references.values()))

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The number of each segment, from 1: in the whole of the data, also where this is a part of them."""
        taken = self.segments.numbers
        return range(1, len(self) + 1) if taken is None else [number + 1 for number in taken]

    @cached_property
    def places(self) -> dict[int, int]:
        """Where the segment of each of `numbers` stands here, from 0."""
        return {number: place for place, number in enumerate(self.numbers)}

    def take(self, segments: Sequence[int] | NDArray[np.integer]) -> "Corpus":
        """Return the corpus of the given segments, shape (m,), counted from 0 and in the given order."""
        index = [int(i) for i in segments]

        def pick(lines: Sequence[T]) -> tuple[T, ...]:
            return tuple(lines[i] for i in index)

        def known(column: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if column is None else pick(column)

        return replace(
            self,
            segments=Segments(
                len(index),
                known(self.documents),
                known(self.segments.domains),
                known(self.segments.sources),
                known(self.segments.original_languages),
                tuple(self.numbers[i] - 1 for i in index),
            ),
            outputs={name: pick(lines) for name, lines in self.outputs.items()},
            beside={name: pick(lines) for name, lines in self.beside.items()},
            references={name: pick(lines) for name, lines in self.references.items()},
            ratings={name: rating.take(index) for name, rating in self.ratings.items()},
            annotations={
                name: {run: pick(items) for run, items in runs.items()} for name, runs in self.annotations.items()
            },
            # Of a part of the segments nobody gave them.
            system_scores=self.system_scores if index == list(range(len(self))) else {},
        )

    def select(self, systems: Sequence[str] | None = None, references: Sequence[str] | None = None) -> "Corpus":
        """Return the corpus with only these systems and references, in the given order; the others stand beside.

        Raises:
            UnknownName: a name is not in the corpus.
        """
        systems = list(self.systems) if systems is None else list(systems)
        references = list(self.references) if references is None else list(references)
        for kind, wanted, known in (("system", systems, self.systems), ("reference", references, self.references)):
            for name in wanted:
                if name not in known:
                    raise UnknownName(f"There is no {kind} called {name!r}. Known: {', '.join(known)}.")
        rows = [list(self.systems).index(name) for name in systems]
        runs = [run for name in systems for run in self.systems[name]]
        return replace(
            self,
            systems={name: self.systems[name] for name in systems},
            outputs={run: self.outputs[run] for run in runs},
            beside={**self.beside, **{run: lines for run, lines in self.outputs.items() if run not in runs}},
            references={name: self.references[name] for name in references},
            annotations={
                name: {run: items for run, items in by_run.items() if run in runs or run in references}
                for name, by_run in self.annotations.items()
            },
            ratings={name: rating.select(rows) for name, rating in self.ratings.items()},
        )


_RUN = re.compile(r"(?P<system>.+)[._-](?:run|opt|seed)[._-]?\d+", re.IGNORECASE)


def runs_by_name(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return system -> its runs, from names such as X.run1, X.opt0 or X.seed3; a name of another form is one run.

    >>> runs_by_name(["A.opt0", "A.opt1", "B"])
    {'A': ('A.opt0', 'A.opt1'), 'B': ('B',)}
    """
    names_by_system: dict[str, list[str]] = {}
    for name in names:
        match = _RUN.fullmatch(name)
        names_by_system.setdefault(match["system"] if match else name, []).append(name)
    return {system: tuple(runs) for system, runs in names_by_system.items()}


def _same(columns: Mapping[str, Sequence[object]], others: Mapping[str, Sequence[object]]) -> bool:
    """Return whether columns of the same names hold the same items, be they tuples, lists or arrays."""
    if columns.keys() != others.keys():
        return False
    pairs = ((items, others[name]) for name, items in columns.items())
    return all(len(line) == len(other) and all(map(_alike, line, other)) for line, other in pairs)


def _alike(line: object, other: object) -> bool:
    """Return whether two items are the same; what is not a number is like itself."""
    if isinstance(line, np.ndarray) or isinstance(other, np.ndarray):
        first, second = np.asarray(line), np.asarray(other)
        return first.shape == second.shape and all(map(_alike, first.ravel().tolist(), second.ravel().tolist()))
    return line is other or bool(line == other) or bool(line != line and other != other)


def _digest_of(columns: Sequence[Sequence[str | None]]) -> str:
    digest = hashlib.sha256(f"{len(columns)}:".encode())
    for lines in columns:
        # With the lengths in front no two columns are written alike, whatever stands in the lines.
        lengths = np.fromiter((-1 if line is None else len(line) for line in lines), dtype="<i8", count=len(lines))
        digest.update(np.array(len(lines), dtype="<i8").tobytes())
        digest.update(lengths.tobytes())
        for start in range(0, len(lines), _ENCODED):
            some = [line for line in lines[start : start + _ENCODED] if line]
            digest.update("".join(some).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


_ENCODED = 2**10
"""Items that are encoded at a time: of a large test set the whole would be larger than its text."""


def _as_json(content: object) -> Iterator[str]:
    """Yield the pieces of content as compact JSON."""
    encoded = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=_written).encode
    if isinstance(content, dict):
        for number, (name, value) in enumerate(content.items()):
            yield f"{',' if number else '{'}{encoded(name)}:"
            yield from _as_json(value)
        yield "}" if content else "{}"
    elif isinstance(content, list | tuple) and len(content) > _ENCODED:
        for start in range(0, len(content), _ENCODED):
            yield f"{',' if start else '['}{encoded(content[start : start + _ENCODED])[1:-1]}"
        yield "]"
    else:
        yield encoded(content)


def _written(item: object) -> object:
    """Return an annotation that JSON does not know in a form it does, nothing left out."""
    return item.tolist() if isinstance(item, np.ndarray) else repr(item)


def check_parallel(columns: Mapping[str, Sequence[object]]) -> None:
    """Raise AlignmentError when columns differ in length: it names two of them and quotes the first extra line.

    >>> from mtsig.corpus import check_parallel
    >>> check_parallel({"A": ["yes"], "B": ["yes", "no"], "the reference": ["yes"]})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    mtsig.errors.AlignmentError: B has 2 segments, but A has 1. The first extra one is line 2 of B: 'no'. ...
    """
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
            f"{label[0].upper()}{label[1:]} has {len(lines)} segments, but {other} has {expected}. The first extra one "
            f"is line {at + 1} of {longer}: {quoted(extra[at])}. "
            "Every file needs one line per segment, in the same order."
        )


def quoted(line: object, width: int = 60) -> str:
    """Return the line in quotes, shortened; an empty or missing one is called so.

    >>> from mtsig.corpus import quoted
    >>> quoted("a line of some length", width=12), quoted("")
    ("'a line of s…'", 'an empty line')
    """
    if line is None or line == "":
        return "an empty line"
    text = str(line)
    return repr(text if len(text) <= width else text[: width - 1] + "…")


def inspect(corpus: Corpus) -> tuple[Note, ...]:
    """Return what a careful reader of these data should know before reading a number, warnings first.

    >>> import mtsig
    >>> corpus = mtsig.Corpus.of({"A": ["", "yes"], "B": ["no", "yes"]}, {"ref": ["no", "yes"]})
    >>> print(mtsig.corpus.inspect(corpus)[0].text)
    System 'A' has 1 empty line (line 1): kept, and scored as an empty translation.
    """
    findings = [*corpus.notes, *_empty_lines(corpus), *left_out(corpus), *_twins(corpus), *_size(corpus)]
    return tuple(sorted(findings, key=lambda note: note.level != "warning"))


def _empty_lines(corpus: Corpus) -> Iterable[Note]:
    single = len(corpus.references) == 1
    for run, lines in corpus.outputs.items():
        empty = [number for number, line in enumerate(lines, 1) if not line.strip()]
        if empty:
            yield Note("warning", f"System {run!r} has {_counted(empty)}: kept, and scored as an empty translation.")
    for name, references in corpus.references.items():
        empty = [number for number, line in enumerate(references, 1) if line is not None and not line.strip()]
        if empty and single:
            yield Note("warning", f"Reference {name!r} has {_counted(empty)}: kept, as an empty reference.")
        missing = [number for number, line in enumerate(references, 1) if line is None]
        if missing:
            yield Note("note", f"Reference {name!r} has {_counted(missing)}: these segments have no such reference.")


def _counted(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:3]) + (", …" if len(numbers) > 3 else "")
    word = ("empty line", "line") if len(numbers) == 1 else ("empty lines", "lines")
    return f"{len(numbers)} {word[0]} ({word[1]} {shown})"


def _twins(corpus: Corpus) -> Iterable[Note]:
    seen: dict[Lines, str] = {}
    for run, lines in corpus.outputs.items():
        if lines in seen:
            yield Note("warning", f"Systems {seen[lines]!r} and {run!r} are identical, line by line.")
        seen.setdefault(lines, run)
        for name, references in corpus.references.items():
            if tuple(references) == tuple(lines):
                yield Note("warning", f"System {run!r} is identical to reference {name!r}: its score says nothing.")


def _size(corpus: Corpus) -> Iterable[Note]:
    documents = corpus.n_documents
    by_document = documents is not None and documents >= MIN_DOCUMENTS
    # What counts is how many units there are: a thousand segments in twelve documents are twelve.
    units = documents if by_document and documents is not None else len(corpus)
    said = f"{units} documents" if by_document else number_of(units, "segment")
    if units < TINY_TEST_SET:
        far = "too few to conclude much" if by_document else "far too few to conclude anything"
        yield Note("warning", f"Only {said}: {far} from; intervals this wide are no mistake.")
    elif units < SHORT_TEST_SET and by_document:
        text = f"Only {said}: however many segments they hold, intervals are wide and small differences are missed."
        yield Note("note", text)
    elif units < SHORT_TEST_SET:
        yield Note("warning", f"Only {said}: intervals of small test sets tend to be a little too narrow.")
    if documents is not None and not by_document:
        yield few_documents(documents)


MIN_DOCUMENTS = 10
"""Fewer documents cannot carry document-level inference (docs/statistics/documents.md, section 3)."""


def left_out(corpus: Corpus) -> tuple[Note, ...]:
    """Return what goes with the segments that have no reference, for metrics that need one.

    >>> import mtsig
    >>> corpus = mtsig.Corpus.of({"A": ["no", "yes"]}, {"ref": ["no", None]})
    >>> print(mtsig.corpus.left_out(corpus)[0].text)
    1 of 2 segments have no reference at all and are left out of scores.
    """
    kept = corpus.with_references() if corpus.references and corpus.referenced.any() else corpus
    missing = len(corpus) - len(kept)
    if not missing:
        return ()
    text = f"{missing} of {len(corpus)} segments have no reference at all and are left out of scores"
    before, after = corpus.n_documents, kept.n_documents
    if before is None or after is None or before == after:
        return (Note("warning", f"{text}."),)
    told = (Note("warning", f"{text}, and with them {before - after} of {before} documents."),)
    return (*told, few_documents(after)) if after < MIN_DOCUMENTS <= before else told


def few_documents(count: int, known: str = "") -> Note:
    """Return the warning that so few documents leave segments as the unit; `known`: for whom, when not for all.

    >>> from mtsig.corpus import few_documents
    >>> few_documents(3).text.split(":")[0]
    'Only 3 documents'
    """
    return Note(
        "warning",
        f"Only {number_of(count, 'document')}{known}: too few for document-level inference (at least {MIN_DOCUMENTS}). "
        "Segments are resampled instead, as if they were independent; sentences of one document are not.",
    )
