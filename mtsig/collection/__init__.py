"""Compare systems over several test sets: joint families, averages, replicability.

See docs/statistics/sets.md.

The steps of an analysis are read_sets → measure → compare.
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
