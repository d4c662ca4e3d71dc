"""Lines of text go in, their dependency parses come out, made by an installed spaCy model; as CoNLL-U, if asked."""

from mtsig.parsing.model import ParsedLine, Spacy, load, parse
from mtsig.parsing.writing import conllu_text

__all__ = ["ParsedLine", "Spacy", "conllu_text", "load", "parse"]
