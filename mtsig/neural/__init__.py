"""A corpus goes in, ratings by neural metrics come out, computed by a comet-score installed elsewhere."""

from mtsig.neural.comet import Comet
from mtsig.neural.program import COMMAND_VARIABLE, Program, program
from mtsig.neural.scoring import score
from mtsig.neural.table import ratings_json, ratings_table

__all__ = [
    "COMMAND_VARIABLE",
    "Comet",
    "Program",
    "program",
    "ratings_json",
    "ratings_table",
    "score",
]
