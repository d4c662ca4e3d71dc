"""Meta-evaluation: how well metrics agree with human ratings of the same systems, and raters with each other."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
