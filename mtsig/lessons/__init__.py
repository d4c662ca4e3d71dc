"""Teach significance testing on any data: lessons as stages with solutions."""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
