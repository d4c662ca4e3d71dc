"""Meta-evaluation: how well metrics agree with human ratings of the same systems, and raters with each other.

In the examples `rated` is `RatedData` of nine systems: human ratings (esa), a metric close to them (near) and
one that hardly agrees (far); `rater_scores` are those of two raters, of whom one is more lenient.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
