"""Run a request or an analysis plan on a corpus, and write, read, check and re-run the resulting study.

Several test sets are read, measured and compared as one collection: read_sets → measure → compare; see
docs/statistics/sets.md.

>>> import mtsig
>>> from mtsig.study._changes import study_changes
>>> study = mtsig.compare(mtsig.read_sample(), "chrf")
>>> study_changes(study, study)
()
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
