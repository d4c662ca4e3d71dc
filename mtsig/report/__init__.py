"""Results go in, text comes out: sentences, tables, the JSON bundle."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
