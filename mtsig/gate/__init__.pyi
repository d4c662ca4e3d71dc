"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._decision import EXIT_CODES, GateCheck, Outcome
from ._judge import GateResult, LookTaken, judge
from ._ledger import Ledger, Look, LookedAt, read_ledger
from ._spending import RULES, SpendingRule

__all__ = [
    "EXIT_CODES",
    "RULES",
    "GateCheck",
    "GateResult",
    "Ledger",
    "Look",
    "LookTaken",
    "LookedAt",
    "Outcome",
    "SpendingRule",
    "judge",
    "read_ledger",
]
