"""A corpus goes in, ratings by neural metrics come out, computed by a comet-score installed elsewhere."""

from mtsig.neural.comet import Comet
from mtsig.neural.program import COMMAND_VARIABLE, Program, program
from mtsig.neural.scoring import scoring
from mtsig.neural.shelf import Shelf, users_shelf
from mtsig.neural.table import ratings_json, ratings_table

__all__ = [
    "COMMAND_VARIABLE",
    "Comet",
    "Program",
    "Shelf",
    "program",
    "ratings_json",
    "ratings_table",
    "scoring",
    "users_shelf",
]
