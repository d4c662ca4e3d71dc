"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from . import inference, lab, metrics, readers, report, study
from ._front import compare
from .collection import compare_subsets
from .corpus import Corpus, Rating, select_subset
from .doctor import check_data
from .errors import InvalidOption, MtsigError, NotApplicable
from .inference import (
    Settings,
    adjust,
    audit,
    compare_runs,
    design_test_set,
    interval,
    power_analysis,
    ranks,
    verdict,
)
from .metrics import measure, metric
from .progress import watching
from .readers import read, read_files, read_sample
from .segments import size_curve
from .study import Study, read_study, reproduce

__version__: str

__all__ = [
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
    "inference",
    "interval",
    "lab",
    "measure",
    "metric",
    "metrics",
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
