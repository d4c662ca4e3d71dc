"""A corpus: systems' outputs, references and ratings in one checked and frozen object, with notes on the data."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
