"""Decide whether a candidate may replace a baseline, however often one looks.

See docs/gate.md.

The data go one way: data → `judge` → GateResult, over a ledger of earlier looks where there is one.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
