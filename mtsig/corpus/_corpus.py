"""Corpus: systems' outputs, references and documents, in one checked and frozen object."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import NoneType
from typing import ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig._results import Public
from mtsig.corpus._notes import Note, check_parallel, counted_names, samples_by_name, void_references
from mtsig.corpus._ratings import Rating, SystemScores
from mtsig.errors import AlignmentError, InvalidOption, Named, NotApplicable, UnknownName, expect, kind_of, unknown_name


def digest_of(columns: Sequence[Sequence[str | None]]) -> str:
    """Return a fingerprint of these columns of lines, whatever their names are."""
    digest = hashlib.sha256(f"{len(columns)}:".encode())
    for lines in columns:
        # With the lengths in front no two columns are written alike, whatever stands in the lines.
        lengths = np.fromiter((-1 if line is None else len(line) for line in lines), dtype="<i8", count=len(lines))
        digest.update(np.array(len(lines), dtype="<i8").tobytes())
        digest.update(lengths.tobytes())
        step = _step(lines)
        for start in range(0, len(lines), step):
            some = [line for line in lines[start : start + step] if line]
            digest.update("".join(some).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


_ENCODED = 2**10
"""Items that are encoded at a time: of a large test set the whole would be larger than its text."""

_LETTERS = 2**20
"""Letters that are encoded at a time: no other thread has a turn meanwhile."""


def as_json(content: object) -> Iterator[str]:
    """Yield the pieces of content as compact JSON."""
    encoded = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=_written).encode
    if isinstance(content, dict):
        for number, (name, value) in enumerate(content.items()):
            yield f"{',' if number else '{'}{encoded(name)}:"
            yield from as_json(value)
        yield "}" if content else "{}"
    elif isinstance(content, list | tuple) and len(content) > (step := _step(content)):
        for start in range(0, len(content), step):
            yield f"{',' if start else '['}{encoded(content[start : start + step])[1:-1]}"
        yield "]"
    else:
        yield encoded(content)


def _step(content: Sequence[object]) -> int:
    """Return how many items are encoded at once: fewer where they are long."""
    longest = max((len(item) for item in content if isinstance(item, str)), default=0)
    return max(1, min(_ENCODED, _LETTERS // max(1, longest)))


def _written(item: object) -> object:
    """Return an annotation that JSON does not know in a form it does, nothing left out."""
    return item.tolist() if isinstance(item, np.ndarray) else repr(item)


Lines: TypeAlias = Sequence[str]
T = TypeVar("T")


def expect_lines(name: str, lines: object) -> None:
    """Raise InvalidOption when something is no list of lines: a text would be walked letter by letter."""
    if isinstance(lines, str | bytes | Mapping) or not isinstance(lines, Collection):
        raise InvalidOption(f"{name!r} needs a list with one entry per segment; found {kind_of(lines)}.")


def expect_texts(name: str, lines: Sequence[object]) -> None:
    """Raise InvalidOption where a line is neither a text nor None."""
    if all(issubclass(kind, str | NoneType) for kind in set(map(type, lines))):
        return
    at, odd = next((at, line) for at, line in enumerate(lines, 1) if not isinstance(line, str | None))
    hint = "" if isinstance(odd, str | bytes) or not isinstance(odd, Collection) else " Give one list per reference."
    raise InvalidOption(f"{name!r}, segment {at}: found {kind_of(odd)}; expected a text, or None for a gap.{hint}")


@dataclass(frozen=True, repr=False)
class Segments(Public):
    """Properties of the n segments of a corpus; each column is None or has n entries.

    numbers: if the corpus is a subset, the position of each segment in the whole data, from 0.
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
class Corpus(Public):
    """Systems, references and documents of one test set.

    outputs: run -> n lines. systems: system -> its runs; usually one run of the same name; none if a system has only
    ratings. references: name -> n lines, None where a segment lacks this reference. ratings: name -> Rating.
    annotations: name -> run (or reference) -> n items (parses, error spans). samples: system -> name -> n lines, for a
    system with several outputs per segment from one model; None where a segment lacks this sample, and no lines if only
    the samples' ratings are known. `outputs` has the first sample of each segment, `ratings` their mean. beside: by
    run, outputs of systems that were left out. They are not scored, but help to find systems that overlap a reference
    (see `mtsig.metrics.ReferenceOverlap`). part: a description of the subset, in words; None for the whole test set.
    system_scores: name -> scores of whole systems from a file; none for a subset of the segments. of_benchmark: whether
    this is a task of a benchmark, whose own scores are the default metrics. notes: remarks of the reader of the files;
    not part of the data.

    Two corpora are equal if they hold the same data in the same order; notes and scores of whole systems are ignored.

    Examples
    --------
    >>> corpus = Corpus.of({"ours": ["a cat", "a dog"], "theirs": ["cat", "dog"]}, {"ref": ["a cat", "the dog"]})
    >>> len(corpus), list(corpus.systems)
    (2, ['ours', 'theirs'])
    """

    _uses: ClassVar[Mapping[str, str]] = {
        "to_frame": "pandas.DataFrame(corpus.outputs)",
        "load": "mtsig.read(path), or Corpus.of(outputs, references) for lists of texts",
    }

    segments: Segments
    outputs: Mapping[str, Lines]
    systems: Mapping[str, tuple[str, ...]]
    references: Mapping[str, Sequence[str | None]]
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    annotations: Mapping[str, Mapping[str, Sequence[object]]] = field(default_factory=dict)
    beside: Mapping[str, Lines] = field(default_factory=dict)
    subset: str | None = None
    of_benchmark: bool = False
    system_scores: Mapping[str, SystemScores] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    samples: Mapping[str, Mapping[str, Sequence[str | None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that everything runs in parallel."""
        expect(self.segments, Segments, "Give Segments first; Corpus.of makes a corpus from plain lists")
        named = ("outputs", "systems", "references", "ratings", "annotations", "beside", "system_scores", "samples")
        for what in named:
            expect(getattr(self, what), Mapping, f"{what} are given by name; Corpus.of makes a corpus from plain lists")
        expect(self.subset, str | None, "The part of a test set is described in words")
        expect(self.of_benchmark, bool, "of_benchmark must be True or False")
        expect(self.notes, tuple | list, "notes must be a list of notes")
        for text, held in (*self.outputs.items(), *self.references.items(), *self.beside.items()):
            expect_lines(text, held)
        for system, runs in self.systems.items():
            expect(runs, tuple | list, f"System {system!r} has a list of the names of its runs")
        for system, own in self.samples.items():
            expect(own, Mapping, f"The samples of {system!r} are lists of lines by name")
            if system not in self.systems:
                raise UnknownName(
                    f"There are samples of {system!r}, which is not a system here. Known: {', '.join(self.systems)}."
                )
            if odd := next((one for one, lines in own.items() if len(lines) not in (0, self.segments.n)), None):
                raise AlignmentError(f"Sample {odd!r} needs {self.segments.n} lines, or none; found {len(own[odd])}.")
        if not self.systems:
            raise NotApplicable("There is no system output. Give at least one file with one translation per line.")
        for what in ("outputs", "systems", "references", "ratings"):
            object.__setattr__(self, what, Named(getattr(self, what)))
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
                    f"The corpus should have {self.segments.n} segments, but {label} has {len(lines)}."
                )
        for system, runs in self.systems.items():
            for run in runs:
                if run not in self.outputs:
                    raise UnknownName(f"System {system!r} names the run {run!r}, which has no output.")
        for name, rating in self.ratings.items():
            expect(rating, Rating, f"{name!r} must be a Rating; mtsig.compare takes plain scores")
            if rating.values.shape != (len(self.systems), self.segments.n):
                expected = (len(self.systems), self.segments.n)
                raise AlignmentError(
                    f"Rating {name!r} has shape {rating.values.shape}; expected {expected}: "
                    "one row per system, one column per segment, NaN where there is no rating."
                )
            if rating.rater_scores is not None and not rating.rater_scores.fits(*rating.values.shape):
                raise AlignmentError(f"Rating {name!r} has scores by raters for unknown systems or segments.")

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
        """Build a corpus from each system's lines, or from None if it has only ratings.

        With several references, an empty or blank line means that the segment lacks this reference, as in sacreBLEU's
        manual. A single reference is used unchanged.
        """
        expect(systems, Mapping, 'Give the outputs by system, as in {"ours": [...], "theirs": [...]}')
        expect(references, Mapping | None, 'Give references by name, as in {"ref": [...]}')
        expect(ratings, Mapping | None, 'Give ratings by name, as in {"mqm": Rating(...)}')
        for name, rating in (ratings or {}).items():
            expect(rating, Rating, f"{name!r} must be a Rating; mtsig.compare takes plain scores")
        given = {**systems, **(references or {})}
        given |= {"documents": documents, "domains": domains, "sources": sources}
        for name, lines in (given | {"original_languages": original_languages}).items():
            if lines is not None:
                expect_lines(name, lines)
        for name, lines in {**systems, **(references or {}), "sources": sources}.items():
            expect_texts(name, () if lines is None else lines)
        if isinstance(notes, str) or not isinstance(notes, Iterable):
            raise InvalidOption(f"notes must be a list of notes; found {kind_of(notes)}.")
        notes = tuple(notes)
        for note in notes:
            expect(note, Note, "Every note must be a Note")
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
            and self.samples == other.samples
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
        """The document of each segment, if known."""
        return self.segments.documents

    @property
    def n_documents(self) -> int | None:
        """Number of documents, if known."""
        return None if self.documents is None else len(set(self.documents))

    def lines(self, system: str) -> Lines:
        """Return the output of a system that has one run.

        Raises
        ------
        UnknownName
            There is no system of that name.
        NotApplicable
            The system has no text, or several runs.
        """
        if system not in self.systems:
            raise unknown_name("system", system, self.systems)
        runs = self.systems[system]
        if len(runs) != 1:
            raise NotApplicable(f"System {system!r} has {len(runs)} runs of text; exactly one is needed here.")
        return self.outputs[runs[0]]

    @cached_property
    def void_references(self) -> dict[str, str]:
        """The references that hold no text, and what they hold: blanks, placeholders, or one short line."""
        return void_references(self)

    @cached_property
    def referenced(self) -> NDArray[np.bool_]:
        """Which segments have at least one reference; shape (n,)."""
        mask = np.zeros(len(self), dtype=bool)
        for lines in self.references.values():
            mask |= np.array([line is not None for line in lines], dtype=bool)
        return mask

    def with_references(self) -> "Corpus":
        """Return the corpus with only the segments that have at least one reference."""
        return self if self.referenced.all() else self.take(np.flatnonzero(self.referenced))

    def with_text(self) -> "Corpus":
        """Return the corpus with only the systems that have text."""
        return self.select([system for system, runs in self.systems.items() if runs])

    def with_those_beside(self) -> "Corpus":
        """Return the corpus with all outputs, including those of left-out systems."""
        beside = {run: (run,) for run in self.beside if run not in self.systems}
        return replace(
            self,
            systems={**self.systems, **beside},
            outputs={**self.beside, **self.outputs},
            beside={},
            ratings={},
            annotations={},
            samples={},
        )

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the data: names, lines and documents."""
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
        if self.samples:
            content["samples"] = {name: dict(own) for name, own in self.samples.items()}
            content["ratings of samples"] = {
                name: rating.samples.tolist() for name, rating in self.ratings.items() if rating.samples is not None
            }
        if self.beside:
            content["beside"] = dict(self.beside)
        if self.annotations:
            content["annotations"] = {name: dict(by_run) for name, by_run in self.annotations.items()}
        if self.segments.original_languages is not None:
            content["original languages"] = self.segments.original_languages
        digest = hashlib.sha256()
        for piece in as_json(content):
            digest.update(piece.encode())
        return "sha256:" + digest.hexdigest()

    @cached_property
    def output_digests(self) -> Mapping[str, str]:
        """A fingerprint of each run's lines, independent of the run's name."""
        return {run: digest_of([lines]) for run, lines in self.outputs.items()}

    @cached_property
    def references_digest(self) -> str:
        """A fingerprint of all references' lines, whatever the references' names."""
        return digest_of(list(self.references.values()))

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The number of each segment, from 1; in a subset, its number in the whole data."""
        taken = self.segments.numbers
        return range(1, len(self) + 1) if taken is None else [number + 1 for number in taken]

    @cached_property
    def places(self) -> dict[int, int]:
        """Position in this corpus, from 0, of each segment in `numbers`."""
        return {number: place for place, number in enumerate(self.numbers)}

    def take(self, segments: Sequence[int] | NDArray[np.integer]) -> "Corpus":
        """Return the corpus of these segments, shape (m,), numbered from 0."""
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
            samples={
                name: {one: pick(lines) if lines else () for one, lines in own.items()}
                for name, own in self.samples.items()
            },
            references={name: pick(lines) for name, lines in self.references.items()},
            ratings={name: rating.take(index) for name, rating in self.ratings.items()},
            annotations={
                name: {run: pick(items) for run, items in runs.items()} for name, runs in self.annotations.items()
            },
            # Of a part of the segments nobody gave them.
            system_scores=self.system_scores if index == list(range(len(self))) else {},
        )

    def select(self, systems: Sequence[str] | None = None, references: Sequence[str] | None = None) -> "Corpus":
        """Keep these systems and references; `beside` keeps all other systems' outputs.

        Raises
        ------
        UnknownName
            A name is not in the corpus.
        """
        systems = list(self.systems) if systems is None else list(systems)
        references = list(self.references) if references is None else list(references)
        for kind, wanted, known in (("system", systems, self.systems), ("reference", references, self.references)):
            for name in wanted:
                if name not in known:
                    raise unknown_name(kind, name, known)
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
            samples={name: self.samples[name] for name in systems if name in self.samples},
        )

    def pooled(self, samples: Mapping[str, Sequence[str]]) -> "Corpus":
        """Return the corpus in which these outputs are samples of the named systems.

        A score is then the expected score of one output of a system: the mean over the samples of each segment. Parses
        and marked errors of samples are dropped.

        Raises
        ------
        UnknownName
            A name is not that of a system, or that system already consists of samples.
        InvalidOption
            A sample is named twice, or its system already has an output.
        NotApplicable
            A segment has no sample.

        Examples
        --------
        >>> corpus = Corpus.of({"x.1": ["a cat", "dogs"], "x.2": ["cats", "a dog"]}, {"ref": ["a cat", "a dog"]})
        >>> list(corpus.pooled({"x": ["x.1", "x.2"]}).systems)
        ['x']
        """
        of = {one: system for system, own in samples.items() for one in own}
        for one in of:
            if one not in self.systems or one in self.samples:
                raise unknown_name("output", one, self.systems)
        if len(of) < sum(map(len, samples.values())):
            raise InvalidOption("An output can be a sample of only one system; found one twice.")
        if mixed := next((name for name, own in samples.items() if self.systems.get(name) and len(own) > 1), None):
            raise InvalidOption(
                f"There is an output called {mixed!r} and there are samples of {mixed!r}: give one another name."
            )
        members: dict[str, list[str]] = {}
        for system in self.systems:
            members.setdefault(of.get(system, system), []).append(system)
        row = {system: number for number, system in enumerate(self.systems)}
        rows = [[row[one] for one in own] for own in members.values()]
        outputs: dict[str, Lines] = {}
        drawn: dict[str, dict[str, Sequence[str | None]]] = {}
        for name, own in members.items():
            with_text = [one for one in own if self.systems[one]]
            if name not in samples:
                outputs |= {run: self.outputs[run] for one in own for run in self.systems[one]}
                continue
            drawn[name] = {one: self.lines(one) if one in with_text else () for one in own}
            if with_text:
                outputs[name] = _first_of_each(name, [self.lines(one) for one in with_text])
        return replace(
            self,
            outputs=outputs,
            systems={
                name: tuple(self.systems[name]) if name not in samples else (name,) if name in outputs else ()
                for name in members
            },
            ratings={name: rating.pooled(rows) for name, rating in self.ratings.items()},
            annotations={
                name: {run: items for run, items in by_run.items() if run in outputs or run in self.references}
                for name, by_run in self.annotations.items()
            },
            samples={**self.samples, **drawn},
        )

    def one_by_one(self) -> tuple["Corpus", dict[str, tuple[str, ...]], NDArray[np.bool_]]:
        """Return samples as systems, the samples of each system, and their segments.

        The last result has shape (samples, segments). If a segment lacks a sample, the text of another sample is put
        there, and must be excluded from counts.
        """
        named = {name: tuple(self.samples.get(name, (name,))) for name in self.systems}
        outputs: dict[str, Lines] = {}
        systems: dict[str, tuple[str, ...]] = {}
        there, places = [], []
        for row, (name, own) in enumerate(named.items()):
            for place, one in enumerate(own):
                runs = self.systems[name]
                whole = self.outputs[runs[0]] if runs else ()
                lines = (self.samples[name][one] or [None] * len(whole)) if name in self.samples else whole
                places.append((place, row))
                there.append([line is not None for line in lines] or [False] * len(self))
                systems[one] = (one,) if runs else ()
                if runs:
                    outputs[one] = [other if line is None else line for line, other in zip(lines, whole, strict=True)]
        ratings = {name: rating.one_by_one(places) for name, rating in self.ratings.items()}
        return (
            replace(self, outputs=outputs, systems=systems, ratings=ratings, annotations={}, samples={}),
            named,
            np.array(there, dtype=bool).reshape(-1, len(self)),
        )


def pooled_by_name(corpus: Corpus) -> Corpus:
    """Return the corpus in which outputs named X.sample1, X.sample2 … are samples of X."""
    samples = samples_by_name(corpus.systems)
    own = {name: (name, *several) if name in corpus.systems else several for name, several in samples.items()}
    return corpus.pooled(own) if own else corpus


def _first_of_each(name: str, columns: Sequence[Sequence[str | None]]) -> tuple[str, ...]:
    """Return the first sample of each segment."""
    lines = [next((line for line in several if line is not None), None) for several in zip(*columns, strict=True)]
    if None in lines:
        raise NotApplicable(f"System {name!r} has no sample of segment {lines.index(None) + 1}.")
    return tuple(line for line in lines if line is not None)


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
