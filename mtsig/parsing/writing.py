"""Parsed lines go in, the text of a CoNLL-U file comes out, which mtsig reads back as it was."""

from collections.abc import Iterable, Iterator, Sequence

from mtsig.parses import Word
from mtsig.parsing.model import ParsedLine


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
