"""Compute intervals, tests, corrections and verdicts from statistics.

>>> import mtsig
>>> from mtsig import inference
>>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
>>> family = inference.compare(statistics, "ar", [("direct", "via-catalan")])
>>> family[0].unit, round(family[0].difference, 2)
('document', 3.05)
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
