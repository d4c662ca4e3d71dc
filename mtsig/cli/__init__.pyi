"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._dashboard import (
    LESSON_VARIABLE,
    PASSWORD_VARIABLE,
    Serving,
    VisitorLimits,
    hosted,
    memory,
    serving_from,
)
from ._reading import checked_folder, claim, parts_from
from ._verbs import main

__all__ = [
    "LESSON_VARIABLE",
    "PASSWORD_VARIABLE",
    "Serving",
    "VisitorLimits",
    "checked_folder",
    "claim",
    "hosted",
    "main",
    "memory",
    "parts_from",
    "serving_from",
]
