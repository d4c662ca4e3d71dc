"""Measure how well metrics agree with human ratings of the same systems, and how well raters agree.

In the examples, `rated` is `RatedData` of nine systems: human ratings (esa), a metric that agrees well with them (near)
and a metric that hardly agrees (far). `rater_scores` holds the scores of two raters; one rater is more lenient.
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
