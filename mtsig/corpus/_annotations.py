"""Annotations of the texts in a corpus: the errors that raters marked, and dependency parses."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias, cast

from mtsig.corpus._corpus import Corpus
from mtsig.corpus._notes import Note, number_of
from mtsig.errors import AlignmentError, NotApplicable, UnknownName

ERRORS = "errors"
"""The annotation: run -> n tuples of `ErrorSpan`."""

ORIGINS = "origins"
"""The annotation: reference -> n names of the systems that its segments were taken from, None where it is not known."""

Side: TypeAlias = Literal["output", "source", "missing"]
"""Where an error was marked: in the output, in the source (an omission), or as something that is missing."""


class ErrorSpan(NamedTuple):
    """One error that a rater marked.

    rating, rater: the rating it belongs to, and the rater who marked it. start, end: characters of the output, or of
    the source, from `start` to before `end`; None if no span was marked, or if its position is uncertain because the
    annotators saw a different text.
    """

    rating: str
    rater: str
    category: str
    severity: str
    side: Side = "output"
    start: int | None = None
    end: int | None = None


class Marking(NamedTuple):
    """An error as in a file, with the system's name and the segment (from 0).

    text: the text that was marked; None if the file has no such text, and the output is used. first, last: the span in
    this text, from `first` to before `last`; None if no span was marked. shown: whether they are counted as in a
    browser, which shows the text without the spaces around it.
    """

    system: str
    segment: int
    error: ErrorSpan
    text: str | None
    first: int | None
    last: int | None
    shown: bool = False


def with_errors(corpus: Corpus, markings: Iterable[Marking]) -> Corpus:
    """Add errors to a corpus at their positions; notes count those without one.

    Examples
    --------
    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> with_errors(corpus, []) == corpus
    True
    """
    spans: defaultdict[str, defaultdict[int, list[ErrorSpan]]] = defaultdict(lambda: defaultdict(list))
    lost: Counter[str] = Counter()
    for marking in markings:
        runs = corpus.systems.get(marking.system, ())
        if len(runs) != 1:
            continue
        error = _placed(corpus, marking, runs[0])
        lost[error.rating] += marking.first is not None and error.start is None
        spans[runs[0]][marking.segment].append(error)
    if not spans:
        return corpus
    known = corpus.annotations.get(ERRORS, {})
    columns = {
        run: tuple((*before, *by_segment.get(i, ())) for i, before in enumerate(_column(corpus, run)))
        for run, by_segment in spans.items()
    }
    why = "behind the end, in another text, or behind a character that browsers count twice"
    notes = (
        Note("note", f"{rating}: {number_of(count, 'error span', ',')} not placed: {why}.")
        for rating, count in lost.items()
        if count
    )
    annotations = {**corpus.annotations, ERRORS: {**known, **columns}}
    return replace(corpus, annotations=annotations, notes=(*corpus.notes, *notes))


def errors_of(corpus: Corpus, system: str, segment: int) -> tuple[ErrorSpan, ...]:
    """Return the errors that were marked in a segment (from 0) of a system; none if the system has no text."""
    runs = corpus.systems.get(system, ())
    column = corpus.annotations.get(ERRORS, {}).get(runs[0]) if len(runs) == 1 else None
    return () if column is None else cast("Sequence[tuple[ErrorSpan, ...]]", column)[segment]


def _column(corpus: Corpus, run: str) -> Sequence[tuple[ErrorSpan, ...]]:
    column = corpus.annotations.get(ERRORS, {}).get(run)
    return ((),) * len(corpus) if column is None else cast("Sequence[tuple[ErrorSpan, ...]]", column)


def _placed(corpus: Corpus, marking: Marking, run: str) -> ErrorSpan:
    sources = corpus.segments.sources
    line = corpus.outputs[run][marking.segment]
    if marking.error.side == "source":
        line = "" if sources is None else sources[marking.segment]
    if marking.first is None or marking.last is None:
        return marking.error
    seen, first, last = marking.text, marking.first, marking.last
    if seen is None and marking.shown:
        span = _as_seen(line, first, last)
    else:
        span = _same_place(line, line if seen is None else seen, first, last)
    return marking.error if span is None else marking.error._replace(start=span[0], end=span[1])


def _as_seen(line: str, first: int, last: int) -> tuple[int, int] | None:
    """Return the place of a span in a line that Appraise showed, without the spaces around it.

    Browsers count characters beyond U+FFFF twice: behind one of them the place is not certain.
    """
    start = len(line) - len(line.lstrip())
    shown = line.strip()
    if last > len(shown) or any(char > "\uffff" for char in shown[:last]):
        return None
    return start + first, start + last


def _same_place(line: str, text: str, first: int, last: int) -> tuple[int, int] | None:
    """Return the place in a line of a span in a text that differs in white space at most, and holds the span."""
    if last > len(text):
        return None
    if text == line:
        return first, last
    if "".join(text.split()) != "".join(line.split()):
        return None
    places = [i for i, char in enumerate(line) if not char.isspace()]
    before, through = (len("".join(text[:end].split())) for end in (first, last))
    if through > before:
        return places[before], places[through - 1] + 1
    at = places[before] if before < len(places) else len(line)
    return at, at


PARSES, REFERENCE_PARSES = "parses", "parses of references"
"""The annotations: run -> n parses, and reference -> n parses; a system may well be called like a reference."""


class Word(NamedTuple):
    """One word of a sentence: `head` is the number of its head from 1, 0 for the root; `lemma` is "" when unknown."""

    form: str
    lemma: str
    head: int
    relation: str


Sentence: TypeAlias = tuple[Word, ...]


class Parse(NamedTuple):
    """The parse of one segment: its sentences, and the parser, if known."""

    sentences: tuple[Sentence, ...] = ()
    parser: str | None = None


def with_parses(
    corpus: Corpus, outputs: Mapping[str, Sequence[Parse]], references: Mapping[str, Sequence[Parse]] | None = None
) -> Corpus:
    """Add parses of runs and references to a corpus.

    Parameters
    ----------
    corpus
        The corpus that was parsed.
    outputs
        For each run, n parses.
    references
        For each reference, n parses; the parse is empty if a segment lacks this reference.

    Raises
    ------
    UnknownName
        There is no such run or reference.
    AlignmentError
        A run or reference does not have one parse per segment.

    Examples
    --------
    >>> from mtsig.corpus import Corpus, Parse
    >>> parsed = with_parses(Corpus.of({"A": ["a cat"]}), {"A": [Parse(())]})
    >>> output_parses(parsed, "A")
    (Parse(sentences=(), parser=None),)
    """
    annotations = dict(corpus.annotations)
    new: dict[str, Mapping[str, Sequence[Parse]]] = {PARSES: outputs, REFERENCE_PARSES: references or {}}
    for kind, columns in new.items():
        known: Mapping[str, object] = corpus.outputs if kind == PARSES else corpus.references
        for name, column in columns.items():
            if name not in known:
                raise UnknownName(f"There is no text {name!r} to parse. Known: {', '.join(known)}.")
            if len(column) != len(corpus):
                raise AlignmentError(f"{name!r} has {len(column)} parses for {len(corpus)} segments.")
        if columns:
            annotations[kind] = {**annotations.get(kind, {}), **{name: tuple(item) for name, item in columns.items()}}
    return replace(corpus, annotations=annotations)


def output_parses(corpus: Corpus, system: str) -> Sequence[Parse]:
    """Return the n parses of a system that has one run."""
    corpus.lines(system)  # tells what is wrong with its runs
    return _parses(corpus, PARSES, corpus.systems[system][0], f"system {system!r}")


def reference_parses(corpus: Corpus, reference: str) -> Sequence[Parse]:
    return _parses(corpus, REFERENCE_PARSES, reference, f"reference {reference!r}")


def _parses(corpus: Corpus, kind: str, name: str, called: str) -> Sequence[Parse]:
    columns = corpus.annotations.get(kind, {})
    if name not in columns:
        raise NotApplicable(
            f"There is no dependency parse of {called}. Give a CoNLL-U file with the same name for every system "
            "and reference (parses/NAME.conllu, or in a shell NAME=FILE). mtsig parse makes them with a spaCy model."
        )
    return cast("Sequence[Parse]", columns[name])
