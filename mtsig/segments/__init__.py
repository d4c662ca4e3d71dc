"""Segments: what a score, a difference and a verdict consist of; a corpus goes in, pieces of text to read come out."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
