"""Inspection: a corpus goes in, what to know of it before any number is read comes out."""

from collections.abc import Iterable, Sequence

from mtsig.corpus._corpus import Corpus
from mtsig.corpus._notes import Note, listed, number_of

TINY_TEST_SET = 20
"""Below this many units, segments or documents, no interval for ratios like BLEU is worth its name."""

SHORT_TEST_SET = 100
"""Below this many segments the intervals of ratios like BLEU cover less than they say.

See docs/statistics/intervals.md, section 4.
"""


MIN_DOCUMENTS = 10
"""Fewer documents cannot carry document-level inference (docs/statistics/documents.md, section 3)."""


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
            said = f"System {run!r} has {_counted(empty)}: kept, and scored as an empty translation."
            yield Note("warning", said, systems=(run,))
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


FEW = 5
"""Names that a sentence holds, where there may be a thousand."""


def _twins(corpus: Corpus) -> Iterable[Note]:
    equal: dict[Sequence[str | None], list[str]] = {}
    for run, lines in corpus.outputs.items():
        equal.setdefault(lines, []).append(run)
    for runs in equal.values():
        if len(runs) > 1:
            said = f"Systems {listed(list(map(repr, runs)), most=FEW)} are identical, line by line."
            yield Note("warning", said, systems=tuple(runs))
    for name, references in corpus.references.items():
        for run in equal.get(tuple(references), ()):
            said = f"System {run!r} is identical to reference {name!r}: by that reference its score says nothing."
            yield Note("warning", said, "kin", (run,))


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


def left_out(corpus: Corpus) -> tuple[Note, ...]:
    """Return what goes with the segments that have no reference, for metrics that need one.

    >>> import mtsig
    >>> from mtsig.corpus._inspection import left_out
    >>> corpus = mtsig.Corpus.of({"A": ["no", "yes"]}, {"ref": ["no", None]})
    >>> print(left_out(corpus)[0].text)
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

    >>> from mtsig.corpus._inspection import few_documents
    >>> few_documents(3).text.split(":")[0]
    'Only 3 documents'
    """
    return Note(
        "warning",
        f"Only {number_of(count, 'document')}{known}: too few for document-level inference (at least {MIN_DOCUMENTS}). "
        "Segments are resampled instead, as if they were independent; sentences of one document are not.",
    )
