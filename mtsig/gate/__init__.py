"""Decide whether a candidate may replace a baseline, even in repeated tests.

The documentation is in docs/gate.md.

`judge` takes the data and returns a GateResult; a ledger can record earlier interim tests.
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
