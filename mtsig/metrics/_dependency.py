"""F-score over dependencies (Riezler and Maxwell 2005), and parses of lines by an installed spaCy model."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._options import option, options
from mtsig._records import FloatArray
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Parse
from mtsig.corpus._annotations import Sentence, Word, output_parses, reference_parses
from mtsig.errors import NotApplicable, ProgramError, install, said_by
from mtsig.metrics._metric import Metric, reference_count
from mtsig.progress import each

Triples: TypeAlias = Counter[Hashable]

ROOT = ""
"""What stands for the head of a sentence's root: no word is spelled like this."""

PUNCTUATION = "punct"
"""The relation of punctuation in Universal Dependencies; subtypes stand behind a colon."""


@dataclass(frozen=True)
class DependencyF(Metric):
    """F-score of matched dependencies, times 100: the harmonic mean of precision and recall.

    A dependency is a triple of head, relation and dependent; words are compared as written or as lemmas. The root has a
    special word as its head. The triples of a segment are a multiset: a triple that occurs twice in the output and once
    in the reference matches once.

    Statistics: matches, triples of the output, triples of the reference. With several references, each output uses the
    reference with the best F; ties go to more matches, then to fewer triples.
    """

    labelled: bool = option(True, "Labelled", "Also compare the relations, not only which word depends on which.")
    words: Literal["form", "lemma"] = option("form", "Words", "Compare words as written, or their lemmas.")
    lowercase: bool = option(False, "Lowercase", "Ignore case.")
    punctuation: bool = option(True, "Punctuation", "Also count dependencies of punctuation (punct).", advanced=True)

    needs_parses = True
    in_blocks = True
    cites = ("riezler-maxwell-2005-pitfalls",)
    matches = ("dependency",)

    @property
    def name(self) -> str:
        """depF, or depF-unlabelled."""
        return "depF" if self.labelled else "depF-unlabelled"

    def count(self, corpus: Corpus) -> FloatArray:
        """Count triples, system by system."""
        given = [
            [None if line is None else triples for line, triples in zip(lines, self._column(corpus, name), strict=True)]
            for name, lines in corpus.references.items()
        ]
        rows = []
        for system in each(corpus.systems):
            result = self.triples_of(output_parses(corpus, system), f"system {system!r}")
            rows.append([_best(ours, theirs) for ours, theirs in zip(result, zip(*given, strict=True), strict=True)])
        return np.moveaxis(np.array(rows, dtype=np.float64), 2, 0)

    def _column(self, corpus: Corpus, reference: str) -> Iterator[Triples]:
        return self.triples_of(reference_parses(corpus, reference), f"reference {reference!r}")

    def triples_of(self, parses: Sequence[Parse], of: str) -> Iterator[Triples]:
        """Yield the multiset of triples of each parse; `of` is whose they are, for messages."""
        for segment, parse in enumerate(parses, 1):
            words = [self._spelled(sentence, f"{of}, segment {segment}") for sentence in parse.sentences]
            yield Counter(
                (spelled[word.head], word.relation if self.labelled else None, spelled[at])
                for sentence, spelled in zip(parse.sentences, words, strict=True)
                for at, word in enumerate(sentence, 1)
                if self.punctuation or word.relation.split(":", 1)[0] != PUNCTUATION
            )

    def _spelled(self, sentence: Sentence, where: str) -> list[str]:
        """Return the words to be compared, with that of the root's head in front."""
        words = [word.lemma if self.words == "lemma" else word.form for word in sentence]
        if "" in words:
            lacking = sentence[words.index("")].form
            raise NotApplicable(f"The parses have no lemma for {lacking!r} ({where}), so compare forms instead.")
        return [ROOT, *(word.lower() for word in words)] if self.lowercase else [ROOT, *words]

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return F = 2PR / (P + R) = 2 matches / (both sides' triples) of totals (3, …); 0 where there are none."""
        matches, ours, theirs = np.asarray(totals, dtype=np.float64)
        both = ours + theirs
        return np.asarray(200 * matches / np.where(both > 0, both, 1.0))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return F's derivative by each total; NaN where there are no triples."""
        matches, ours, theirs = np.asarray(totals, dtype=np.float64)
        both = np.where(ours + theirs > 0, ours + theirs, np.nan)
        by_length = -200 * matches / np.square(both)
        return np.stack([200 / both, by_length, by_length])

    def signature(self, corpus: Corpus) -> str:
        """Return the options, how many references there are, and the parsers as far as the parses name them."""
        parsed = [output_parses(corpus, system) for system in corpus.systems]
        parsed += [reference_parses(corpus, name) for name in corpus.references]
        parsers = sorted({parse.parser or "unknown" for column in parsed for parse in column if parse.sentences})
        chosen = [f"{item.name}:{getattr(self, item.name)}" for item in options(self)]
        pieces = [f"nrefs:{reference_count(corpus)}", *chosen, f"parser:{' + '.join(parsers).replace('|', '/')}"]
        return "|".join([*pieces, f"mtsig:{VERSION}"])


def _best(ours: Triples, theirs: Sequence[Triples | None]) -> tuple[int, int, int]:
    """Return matches, and both sides' triples, for the reference with the best F, whatever the references' order."""
    counts = [((ours & other).total(), ours.total(), other.total()) for other in theirs if other is not None]
    # A quotient of whole numbers is rounded correctly: equal shares are equal floats.
    return max(counts, key=lambda overlap: (overlap[0] / max(1, overlap[1] + overlap[2]), overlap[0], -overlap[2]))


ParsedLine: TypeAlias = tuple[tuple[str, Sentence], ...]
"""The sentences of one line, each with its text; none for an empty line."""

_INSTALL = (
    f"To get it, {install('parse')}, and a model for the language with, for example, python -m spacy "
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
