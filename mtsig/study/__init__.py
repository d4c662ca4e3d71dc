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
    as_known,
    checked_note,
    reproduce,
    reproduced_text,
    reproduction_text,
    study_changes,
)
from mtsig.study._changes import are_roundings as are_roundings
from mtsig.study._counts import Counted, Counts, read_counts, write_counts
from mtsig.study._counts import CountedUnit as CountedUnit
from mtsig.study._differences import Fingerprint as Fingerprint
from mtsig.study._differences import fingerprints as fingerprints
from mtsig.study._reading import read_study, study_of
from mtsig.study._record import REPORT_FORMATS as REPORT_FORMATS
from mtsig.study._record import SCHEMA as SCHEMA
from mtsig.study._record import Asked as Asked
from mtsig.study._record import Data, MetricResult, PlanText, ResultOverSets, Star, Study, study_schema
from mtsig.study._request import (
    HOW_OVER_SETS,
    AnalysisPlan,
    Margin,
    OverSetsRequest,
    Request,
    choice_of,
    plan_of,
    read_plan,
)
from mtsig.study._request import margins_from as margins_from
from mtsig.study._request import plan_text as plan_text
from mtsig.study._request import points_by_metric as points_by_metric
from mtsig.study._run import compared_by as compared_by
from mtsig.study._run import conduct, record, requested_of
from mtsig.study._run import data_of as data_of
from mtsig.study._run import measured_over as measured_over
from mtsig.study._run import record_parts as record_parts

__all__ = [
    "HOW_OVER_SETS",
    "TAKEN_TEXT",
    "AnalysisPlan",
    "Change",
    "Counted",
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
