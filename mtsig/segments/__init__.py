"""Show how segments contribute to scores, differences and verdicts."""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
