"""The teacher's kit: lessons and a classroom go in, the files of a handout, notebooks and the course page come out."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
