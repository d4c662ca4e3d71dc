"""Trust: what metrics say, held against what people say of the same systems and segments."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
