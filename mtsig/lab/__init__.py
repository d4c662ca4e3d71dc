"""The laws of the methods: statistics go in, what happens when something about the test set changes comes out."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
