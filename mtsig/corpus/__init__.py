"""What was translated, by whom, against what: one checked and frozen object, and what to know of it."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
