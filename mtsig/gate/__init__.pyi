"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._decision import GateCheck as GateCheck
from ._judge import GateResult as GateResult
from ._judge import judge as judge
from ._ledger import RULES as RULES
from ._ledger import Ledger as Ledger
from ._ledger import SpendingRule as SpendingRule
from ._ledger import read_ledger as read_ledger

__all__ = ["RULES", "GateCheck", "GateResult", "Ledger", "SpendingRule", "judge", "read_ledger"]
