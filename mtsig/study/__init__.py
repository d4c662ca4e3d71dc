"""Studies: a corpus and a request, or a plan, go in; one record comes out: written, read, checked, made again.

>>> import mtsig
>>> from mtsig.study import study_changes
>>> study = mtsig.compare(mtsig.read_sample(), "chrf")
>>> study_changes(study, study)
()
"""

from mtsig.study._counts_files import read_counts, write_counts
from mtsig.study._counts_table import Counted, CountedUnit, Counts
from mtsig.study.changes import (
    TAKEN_TEXT,
    Change,
    Reproduction,
    are_roundings,
    as_known,
    checked_note,
    reproduce,
    reproduced_text,
    reproduction_text,
    study_changes,
)
from mtsig.study.plan import AnalysisPlan, plan_of, read_plan
from mtsig.study.reading import read_study, study_of
from mtsig.study.record import (
    REPORT_FORMATS,
    SCHEMA,
    Data,
    MetricResult,
    PlanText,
    ResultOverSets,
    Star,
    Study,
    study_schema,
)
from mtsig.study.request import HOW_OVER_SETS, Margin, OverSetsRequest, Request, choice_of
from mtsig.study.run import conduct, record, requested_of

__all__ = [
    "HOW_OVER_SETS",
    "REPORT_FORMATS",
    "SCHEMA",
    "TAKEN_TEXT",
    "AnalysisPlan",
    "Change",
    "Counted",
    "CountedUnit",
    "Counts",
    "Data",
    "Margin",
    "MetricResult",
    "OverSetsRequest",
    "PlanText",
    "Reproduction",
    "Request",
    "ResultOverSets",
    "Star",
    "Study",
    "are_roundings",
    "as_known",
    "checked_note",
    "choice_of",
    "conduct",
    "plan_of",
    "read_counts",
    "read_plan",
    "read_study",
    "record",
    "reproduce",
    "reproduced_text",
    "reproduction_text",
    "requested_of",
    "study_changes",
    "study_of",
    "study_schema",
    "write_counts",
]
