"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._changes import Change, Reproduction, reproduce
from ._counts import Counts, read_counts, write_counts
from ._reading import read_study, study_of
from ._record import Star, Study, study_schema
from ._request import AnalysisPlan, Margin, Request, read_plan
from ._run import CAUTIONS, CHECKS, Check, Finding, conduct

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
    "read_study",
    "reproduce",
    "study_of",
    "study_schema",
    "write_counts",
]
