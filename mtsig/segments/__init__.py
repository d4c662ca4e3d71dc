"""Segments: what a score or a difference consists of; corpus and statistics go in, parts of it come out."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
