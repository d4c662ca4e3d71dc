"""Run a request or plan on a corpus, and keep the study as one record: write, read, check and re-run it.

>>> import mtsig
>>> from mtsig.study._changes import study_changes
>>> study = mtsig.compare(mtsig.read_sample(), "chrf")
>>> study_changes(study, study)
()
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
