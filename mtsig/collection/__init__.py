"""Compare systems over several test sets: joint families, averages, replicability.

See docs/statistics/sets.md.

The steps of an analysis are read_sets → measure → compare.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
