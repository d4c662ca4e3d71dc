"""Write results as sentences, tables and documents, and show what single segments contribute to them.

>>> import mtsig
>>> from mtsig.report import verdict_text
>>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
>>> verdict_text(family[0])[:62]
'direct is significantly better than direct-us on BLEU: by 0.47'
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
