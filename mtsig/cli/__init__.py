"""The command line: arguments go in, a result goes to stdout; everything else goes to stderr."""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
