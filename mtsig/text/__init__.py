"""Characters, words, n-grams, edits and alignments of many lines at once, as arrays for metrics."""

from mtsig.text._alignment import align
from mtsig.text._characters import writing_of
from mtsig.text._edits import count_edits
from mtsig.text._tokens import split_at_spaces, tokenized

__all__ = ["align", "count_edits", "split_at_spaces", "tokenized", "writing_of"]
