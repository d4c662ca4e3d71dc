"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._annotations import ErrorSpan as ErrorSpan
from ._annotations import Marking as Marking
from ._annotations import Parse as Parse
from ._annotations import with_errors as with_errors
from ._annotations import with_parses as with_parses
from ._corpus import Corpus as Corpus
from ._notes import Note as Note
from ._notes import inspect as inspect
from ._ratings import RaterScores as RaterScores
from ._ratings import Rating as Rating
from ._ratings import Sparse as Sparse
from ._ratings import SystemScores as SystemScores
from ._slices import SLICINGS as SLICINGS
from ._slices import Slice as Slice
from ._slices import slices_of as slices_of
from ._slices import slicings as slicings

__all__ = [
    "SLICINGS",
    "Corpus",
    "ErrorSpan",
    "Marking",
    "Note",
    "Parse",
    "RaterScores",
    "Rating",
    "Slice",
    "Sparse",
    "SystemScores",
    "inspect",
    "slices_of",
    "slicings",
    "with_errors",
    "with_parses",
]
