"""Studies: a corpus and a request, or a plan, go in; one record comes out: written, read, checked, made again.

>>> import mtsig
>>> from mtsig.study._changes import study_changes
>>> study = mtsig.compare(mtsig.read_sample(), "chrf")
>>> study_changes(study, study)
()
"""

from mtsig.study._changes import Change, Reproduction, reproduce
from mtsig.study._counts import Counts, read_counts, write_counts
from mtsig.study._reading import read_study, study_of
from mtsig.study._record import Star, Study, study_schema
from mtsig.study._request import AnalysisPlan, Margin, Request, read_plan
from mtsig.study._run import conduct

__all__ = [
    "AnalysisPlan",
    "Change",
    "Counts",
    "Margin",
    "Reproduction",
    "Request",
    "Star",
    "Study",
    "conduct",
    "read_counts",
    "read_plan",
    "read_study",
    "reproduce",
    "study_of",
    "study_schema",
    "write_counts",
]
