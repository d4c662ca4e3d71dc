"""Results go in, text comes out: sentences, tables, the JSON bundle.

>>> import mtsig
>>> from mtsig.report import verdict_text
>>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
>>> print(verdict_text(family[0]))
direct is better than direct-us by 0.47 BLEU (95% interval +0.22 to +0.73, p = .0051 corrected for 10 comparisons).
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
