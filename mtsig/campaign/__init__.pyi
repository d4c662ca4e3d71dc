"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._few import few_ratings as few_ratings
from ._few import plan_sample as plan_sample
from ._rules import autoranks as autoranks
from ._rules import compare_ratings as compare_ratings
from ._rules import rank_by_rule as rank_by_rule
from ._spans import span_agreement as span_agreement

__all__ = ["autoranks", "compare_ratings", "few_ratings", "plan_sample", "rank_by_rule", "span_agreement"]
