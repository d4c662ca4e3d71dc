"""Lines of text go in, their dependency parses come out, made by an installed spaCy model; as CoNLL-U, if asked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, TypeAlias

from mtsig.corpus._annotations import Sentence, Word
from mtsig.errors import ProgramError, said_by
from mtsig.progress import each

ParsedLine: TypeAlias = tuple[tuple[str, Sentence], ...]
"""The sentences of one line, each with its text; none for an empty line."""

_INSTALL = (
    "Install mtsig with its extra parse, and a model for the language with, for example, python -m spacy "
    "download en_core_web_sm (about 12 MB). mtsig itself downloads nothing here."
)


@dataclass(frozen=True)
class Spacy:
    """A loaded model; `name` says which, with the versions of both."""

    name: str
    pipeline: Any


def load(model: str) -> Spacy:
    """Return the spaCy model of this name, or in this folder."""
    try:
        import spacy  # an extra: most users bring their parses, or need none
    except ImportError:
        raise ProgramError(f"spaCy is not installed. {_INSTALL}") from None
    try:
        pipeline = spacy.load(model)
    except (OSError, ValueError) as error:
        reason = said_by(error, "it gives no reason.", 200)
        raise ProgramError(f"spaCy cannot load the model {model!r}: {reason} {_INSTALL}") from None
    about = pipeline.meta
    called = f"{about['lang']}_{about['name']} {about['version']}"
    return Spacy(f"spaCy {version('spacy')}, {called}", pipeline)


def parse(parser: Spacy, lines: Sequence[str]) -> tuple[ParsedLine, ...]:
    return tuple(tuple(_sentences(doc, parser.name)) for doc in each(parser.pipeline.pipe(lines), len(lines)))


def _sentences(doc: Any, parser: str) -> Iterator[tuple[str, Sentence]]:
    if not any(not token.is_space for token in doc):
        return
    if not doc.has_annotation("DEP") or not doc.has_annotation("HEAD"):
        raise ProgramError(f"{parser} gives no dependencies, because it has no parser. Choose another model.")
    for span in doc.sents:
        # spaCy makes tokens of white space; they are no words.
        tokens = [token for token in span if not token.is_space]
        if tokens:
            yield " ".join(span.text.split()), _sentence(tokens)


def _sentence(tokens: Iterable[Any]) -> Sentence:
    numbers = {token.i: number for number, token in enumerate(tokens, 1)}
    return tuple(
        Word(
            form="".join(token.text.split()),
            lemma="".join(token.lemma_.split()),
            head=0 if (head := _head(token)) is None else numbers[head],
            relation=token.dep_ or "dep",
        )
        for token in tokens
    )


def _head(token: Any) -> int | None:
    """Return the place of the word a token hangs on, past white space; None for a root, which spaCy hangs on itself."""
    head = token.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return None if head.i == token.i or head.is_space else int(head.i)


def conllu_text(parsed: Sequence[ParsedLine], parser: str) -> str:
    """Return the sentences as CoNLL-U, each with its segment's number; the first comment names the parser."""
    blocks = [
        "\n".join([f"# segment = {segment}", f"# text = {text}", *_rows(words)])
        for segment, sentences in enumerate(parsed, 1)
        for text, words in sentences
    ]
    return f"# generator = {parser}\n" + "\n\n".join(blocks) + "\n\n"


def _rows(words: Iterable[Word]) -> Iterator[str]:
    for number, word in enumerate(words, 1):
        cells = [str(number), word.form, word.lemma or "_", "_", "_", "_", str(word.head), word.relation, "_", "_"]
        yield "\t".join(cells)
