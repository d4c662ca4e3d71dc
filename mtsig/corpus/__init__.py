"""What was translated, by whom, against what: one checked and frozen object, and what to know of it."""

from mtsig._records import FloatArray
from mtsig.corpus._annotations import ErrorSpan, Parse, with_errors, with_parses
from mtsig.corpus._corpus import Corpus
from mtsig.corpus._inspection import inspect
from mtsig.corpus._notes import Note
from mtsig.corpus._ratings import Judgements, Rating, SystemScores
from mtsig.corpus._slices import SLICINGS, Slice, select_subset, slices_of, slicings

__all__ = [
    "SLICINGS",
    "Corpus",
    "ErrorSpan",
    "FloatArray",
    "Judgements",
    "Note",
    "Parse",
    "Rating",
    "Slice",
    "SystemScores",
    "inspect",
    "select_subset",
    "slices_of",
    "slicings",
    "with_errors",
    "with_parses",
]
