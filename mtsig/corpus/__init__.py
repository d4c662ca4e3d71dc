"""What was translated, by whom, against what: one checked and frozen object, and what to know of it."""

from mtsig.arrays import FloatArray
from mtsig.corpus.corpus import Corpus, Lines, Segments
from mtsig.corpus.inspection import (
    MIN_DOCUMENTS,
    SHORT_TEST_SET,
    TINY_TEST_SET,
    few_documents,
    inspect,
    left_out,
)
from mtsig.corpus.names import contenders, is_human, joint_ratings, runs_by_name
from mtsig.corpus.notes import Note
from mtsig.corpus.parallel import check_parallel
from mtsig.corpus.ratings import Rating, SystemScores
from mtsig.corpus.words import capital_first, counted_names, listed, number_of, quoted

__all__ = [
    "MIN_DOCUMENTS",
    "SHORT_TEST_SET",
    "TINY_TEST_SET",
    "Corpus",
    "FloatArray",
    "Lines",
    "Note",
    "Rating",
    "Segments",
    "SystemScores",
    "capital_first",
    "check_parallel",
    "contenders",
    "counted_names",
    "few_documents",
    "inspect",
    "is_human",
    "joint_ratings",
    "left_out",
    "listed",
    "number_of",
    "quoted",
    "runs_by_name",
]
