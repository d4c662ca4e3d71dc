"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .cards import MODES, Languages, card, deck, page, style
from .contributions import Contributions, contributions
from .leverage import LeftOut, Leverage, leverage
from .matches import Marked, Matches, Token, matches

__all__ = [
    "MODES",
    "Contributions",
    "Languages",
    "LeftOut",
    "Leverage",
    "Marked",
    "Matches",
    "Token",
    "card",
    "contributions",
    "deck",
    "leverage",
    "matches",
    "page",
    "style",
]
