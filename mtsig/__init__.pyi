"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from . import doctor, inference, lab, metrics, readers, report, study
from ._front import compare
from .citations import VERSION
from .corpus import Corpus, Rating, select_subset
from .doctor import check_data
from .errors import InvalidOption, MtsigError, NotApplicable
from .inference import (
    Settings,
    adjust,
    audit,
    compare_runs,
    compare_subsets,
    design_test_set,
    influential_segments,
    interval,
    p_text,
    power_analysis,
    ranks,
    verdict,
)
from .metrics import measure, metric
from .progress import watching
from .readers import read, read_files, read_sample
from .segments import size_curve
from .study import Study, read_study, reproduce

__all__ = [
    "VERSION",
    "Corpus",
    "InvalidOption",
    "MtsigError",
    "NotApplicable",
    "Rating",
    "Settings",
    "Study",
    "adjust",
    "audit",
    "check_data",
    "compare",
    "compare_runs",
    "compare_subsets",
    "design_test_set",
    "doctor",
    "inference",
    "influential_segments",
    "interval",
    "lab",
    "measure",
    "metric",
    "metrics",
    "p_text",
    "power_analysis",
    "ranks",
    "read",
    "read_files",
    "read_sample",
    "read_study",
    "readers",
    "report",
    "reproduce",
    "select_subset",
    "size_curve",
    "study",
    "verdict",
    "watching",
]
