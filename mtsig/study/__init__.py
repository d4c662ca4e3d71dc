"""Studies: a corpus and a request, or a plan, go in; one record comes out: written, read, checked, made again.

>>> import mtsig
>>> from mtsig.study import study_changes
>>> study = mtsig.compare(mtsig.read_sample(), "chrf")
>>> study_changes(study, study)
()
"""

from mtsig.study._changes import (
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
from mtsig.study._counts import Counted, CountedUnit, Counts, read_counts, write_counts
from mtsig.study._differences import Fingerprint, fingerprints
from mtsig.study._reading import read_study, study_of
from mtsig.study._record import (
    REPORT_FORMATS,
    SCHEMA,
    Asked,
    Data,
    MetricResult,
    PlanText,
    ResultOverSets,
    Star,
    Study,
    study_schema,
)
from mtsig.study._request import (
    HOW_OVER_SETS,
    AnalysisPlan,
    Margin,
    OverSetsRequest,
    Request,
    choice_of,
    margins_from,
    plan_of,
    plan_text,
    points_by_metric,
    read_plan,
)
from mtsig.study._run import compared_by, conduct, data_of, measured_over, record, record_parts, requested_of

__all__ = [
    "HOW_OVER_SETS",
    "REPORT_FORMATS",
    "SCHEMA",
    "TAKEN_TEXT",
    "AnalysisPlan",
    "Asked",
    "Change",
    "Counted",
    "CountedUnit",
    "Counts",
    "Data",
    "Fingerprint",
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
    "compared_by",
    "conduct",
    "data_of",
    "fingerprints",
    "margins_from",
    "measured_over",
    "plan_of",
    "plan_text",
    "points_by_metric",
    "read_counts",
    "read_plan",
    "read_study",
    "record",
    "record_parts",
    "reproduce",
    "reproduced_text",
    "reproduction_text",
    "requested_of",
    "study_changes",
    "study_of",
    "study_schema",
    "write_counts",
]
