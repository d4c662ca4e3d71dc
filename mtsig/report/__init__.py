"""Results go in, text comes out: sentences, tables, the JSON bundle.

>>> import mtsig
>>> from mtsig.report import verdict_text
>>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
>>> print(verdict_text(family[0]))
direct is better than direct-us by 0.47 BLEU (adjusted CI 0.13 to 0.82, adjusted p = .0051, 10 comparisons).
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
