"""Lessons: significance testing taught on one's own data; a classroom goes in, stages and solutions come out."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
