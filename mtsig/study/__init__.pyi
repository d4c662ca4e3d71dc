"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._changes import Change as Change
from ._changes import Reproduction as Reproduction
from ._counts import Counts as Counts
from ._counts import read_counts as read_counts
from ._counts import write_counts as write_counts
from ._reading import study_of as study_of
from ._record import Star as Star
from ._record import Study as Study
from ._record import study_schema as study_schema
from ._request import AnalysisPlan as AnalysisPlan
from ._request import Margin as Margin
from ._request import Request as Request
from ._request import read_plan as read_plan
from ._run import CAUTIONS as CAUTIONS
from ._run import CHECKS as CHECKS
from ._run import Check as Check
from ._run import Finding as Finding
from ._run import conduct as conduct

__all__ = [
    "CAUTIONS",
    "CHECKS",
    "AnalysisPlan",
    "Change",
    "Check",
    "Counts",
    "Finding",
    "Margin",
    "Reproduction",
    "Request",
    "Star",
    "Study",
    "conduct",
    "read_counts",
    "read_plan",
    "study_of",
    "study_schema",
    "write_counts",
]
