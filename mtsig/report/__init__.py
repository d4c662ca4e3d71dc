"""Write results as sentences, tables and documents, and show what single segments contribute to them.

>>> import mtsig
>>> from mtsig.report import verdict_text
>>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
>>> verdict_text(family[0])[:62]
'direct is significantly better than direct-us on BLEU: by 0.47'
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
