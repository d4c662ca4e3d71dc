"""Studies: a corpus and a request, or a plan, go in; one record comes out: written, read, checked, made again."""

from mtsig.study.changes import Change, Reproduction, reproduce, reproduction_text, study_changes
from mtsig.study.notes import single_runs, single_runs_text
from mtsig.study.plan import AnalysisPlan, plan_of, plan_text, read_plan
from mtsig.study.reading import read_study, study_of
from mtsig.study.record import (
    REPORT_FORMATS,
    SCHEMA,
    ComparisonRecord,
    Data,
    MetricResult,
    PlanText,
    Star,
    Study,
    study_schema,
)
from mtsig.study.request import Margin, Request, choice_of
from mtsig.study.run import conduct, data_of, record

__all__ = [
    "REPORT_FORMATS",
    "SCHEMA",
    "AnalysisPlan",
    "Change",
    "ComparisonRecord",
    "Data",
    "Margin",
    "MetricResult",
    "PlanText",
    "Reproduction",
    "Request",
    "Star",
    "Study",
    "choice_of",
    "conduct",
    "data_of",
    "plan_of",
    "plan_text",
    "read_plan",
    "read_study",
    "record",
    "reproduce",
    "reproduction_text",
    "single_runs",
    "single_runs_text",
    "study_changes",
    "study_of",
    "study_schema",
]
