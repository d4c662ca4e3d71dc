"""A corpus: systems' outputs, references and ratings in one checked and frozen object, with notes on the data."""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
