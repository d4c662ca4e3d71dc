"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .cards import MODES, Languages, card, deck, page, style
from .choosing import SORTS, Wanted, chosen, disagreement, sorts_of
from .contributions import Contributions, contributions
from .leverage import LeftOut, Leverage, leverage
from .matches import Marked, Matches, Token, matches
from .overview import Buckets, GroupRow, Overview, SegmentRow, overview

__all__ = [
    "MODES",
    "SORTS",
    "Buckets",
    "Contributions",
    "GroupRow",
    "Languages",
    "LeftOut",
    "Leverage",
    "Marked",
    "Matches",
    "Overview",
    "SegmentRow",
    "Token",
    "Wanted",
    "card",
    "chosen",
    "contributions",
    "deck",
    "disagreement",
    "leverage",
    "matches",
    "overview",
    "page",
    "sorts_of",
    "style",
]
