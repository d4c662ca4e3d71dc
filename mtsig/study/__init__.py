"""Studies: a corpus and a request, or a plan, go in; one record comes out: written, read, checked, made again.

>>> import mtsig
>>> from mtsig.study import study_changes
>>> study = mtsig.compare(mtsig.read_sample(), "chrf")
>>> study_changes(study, study)
()
"""

from mtsig.study.any_study import REPORT_FORMATS, SCHEMA, PlanText
from mtsig.study.changes import (
    Change,
    Reproduction,
    are_roundings,
    reproduce,
    reproduced_text,
    reproduction_text,
    study_changes,
)
from mtsig.study.notes import single_runs, single_runs_text
from mtsig.study.plan import AnalysisPlan, plan_of, plan_text, read_plan
from mtsig.study.reading import read_study, study_of
from mtsig.study.record import (
    ComparisonRecord,
    Data,
    MetricResult,
    Star,
    Study,
    study_schema,
)
from mtsig.study.request import HOW_OVER_SETS, Margin, OverSetsRequest, Request, choice_of
from mtsig.study.run import conduct, data_of, record
from mtsig.study.sets_changes import reproduce_sets, sets_study_changes
from mtsig.study.sets_reading import any_study_of, read_any_study, read_sets_study, sets_study_of
from mtsig.study.sets_record import ResultOverSets, SetsStudy, sets_study_schema
from mtsig.study.sets_run import conduct_sets, measured_over, requested_of

__all__ = [
    "HOW_OVER_SETS",
    "REPORT_FORMATS",
    "SCHEMA",
    "AnalysisPlan",
    "Change",
    "ComparisonRecord",
    "Data",
    "Margin",
    "MetricResult",
    "OverSetsRequest",
    "PlanText",
    "Reproduction",
    "Request",
    "ResultOverSets",
    "SetsStudy",
    "Star",
    "Study",
    "any_study_of",
    "are_roundings",
    "choice_of",
    "conduct",
    "conduct_sets",
    "data_of",
    "measured_over",
    "plan_of",
    "plan_text",
    "read_any_study",
    "read_plan",
    "read_sets_study",
    "read_study",
    "record",
    "reproduce",
    "reproduce_sets",
    "reproduced_text",
    "reproduction_text",
    "requested_of",
    "sets_study_changes",
    "sets_study_of",
    "sets_study_schema",
    "single_runs",
    "single_runs_text",
    "study_changes",
    "study_of",
    "study_schema",
]
