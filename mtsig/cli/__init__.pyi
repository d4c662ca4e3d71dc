"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._verbs import main as main

__all__ = ["main"]
