"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .cards import MODES, Languages, card, deck, page, style
from .matches import Marked, Matches, Token, matches

__all__ = ["MODES", "Languages", "Marked", "Matches", "Token", "card", "deck", "matches", "page", "style"]
