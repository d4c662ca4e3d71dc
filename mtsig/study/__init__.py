"""Studies: a corpus and a request, or a plan, go in; one record comes out: written, read, checked, made again.

>>> import mtsig
>>> from mtsig.study._changes import study_changes
>>> study = mtsig.compare(mtsig.read_sample(), "chrf")
>>> study_changes(study, study)
()
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
