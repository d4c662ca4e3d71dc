"""Decide whether a candidate may replace a baseline, even in repeated tests.

The documentation is in docs/gate.md.

`judge` takes the data and returns a GateResult; a ledger can record earlier interim tests.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
