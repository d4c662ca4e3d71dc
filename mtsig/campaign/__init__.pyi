"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._data import Preferences as Preferences
from ._few import few_ratings as few_ratings
from ._few import plan_sample as plan_sample
from ._judged import Judged as Judged
from ._judged import plan_preferences as plan_preferences
from ._judged import preferences as preferences
from ._rules import autoranks as autoranks
from ._rules import compare_ratings as compare_ratings
from ._rules import rank_by_rule as rank_by_rule
from ._spans import span_agreement as span_agreement
from ._verdict_files import read_preferences as read_preferences

__all__ = [
    "Judged",
    "Preferences",
    "autoranks",
    "compare_ratings",
    "few_ratings",
    "plan_preferences",
    "plan_sample",
    "preferences",
    "rank_by_rule",
    "read_preferences",
    "span_agreement",
]
