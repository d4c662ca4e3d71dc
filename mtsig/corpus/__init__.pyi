"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._annotations import ErrorSpan, Marking, Parse, with_errors, with_parses
from ._corpus import Corpus, FloatArray
from ._inspection import inspect
from ._notes import Note
from ._ratings import RaterScores, Rating, Sparse, SystemScores
from ._slices import SLICINGS, Slice, select_subset, slices_of, slicings

__all__ = [
    "SLICINGS",
    "Corpus",
    "ErrorSpan",
    "FloatArray",
    "Marking",
    "Note",
    "Parse",
    "RaterScores",
    "Rating",
    "Slice",
    "Sparse",
    "SystemScores",
    "inspect",
    "select_subset",
    "slices_of",
    "slicings",
    "with_errors",
    "with_parses",
]
