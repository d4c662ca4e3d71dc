"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .cache import checked_folder, claim
from .machine import memory
from .reading import parts_from
from .serving import LESSON_VARIABLE, PASSWORD_VARIABLE, Serving, VisitorLimits, hosted, serving_from
from .verbs import main

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
