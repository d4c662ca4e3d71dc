"""Text as numbers: characters, words, n-grams, edits and alignments, many lines at once; what metrics count with."""

from mtsig.text._alignment import align
from mtsig.text._characters import writing_of
from mtsig.text._edits import count_edits
from mtsig.text._tokens import split_at_spaces, tokenized

__all__ = [
    "align",
    "count_edits",
    "split_at_spaces",
    "tokenized",
    "writing_of",
]
