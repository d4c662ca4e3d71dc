"""Run simulations and experiments on how the methods behave, and reproduce published results.

>>> import mtsig
>>> from mtsig import lab
>>> result = lab.run("separation", mtsig.measure(mtsig.read_sample(), "bleu"))
>>> result.unit, len(result.pairs)
('document', 10)
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
