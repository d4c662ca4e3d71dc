"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .inputs import parts_from
from .serving import LESSON_VARIABLE, PASSWORD_VARIABLE, Serving, VisitorLimits, serving_from
from .verbs import main

__all__ = ["LESSON_VARIABLE", "PASSWORD_VARIABLE", "Serving", "VisitorLimits", "main", "parts_from", "serving_from"]
