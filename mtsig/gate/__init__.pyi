"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._decision import GateCheck
from ._judge import GateResult, judge
from ._ledger import RULES, Ledger, SpendingRule, read_ledger

__all__ = ["RULES", "GateCheck", "GateResult", "Ledger", "SpendingRule", "judge", "read_ledger"]
