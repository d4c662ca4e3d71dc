"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from . import inference as inference
from . import lab as lab
from . import metrics as metrics
from . import readers as readers
from . import report as report
from . import study as study
from ._front import compare as compare
from .collection._parts import compare_subsets as compare_subsets
from .corpus import Corpus as Corpus
from .corpus import Rating as Rating
from .corpus._slices import select_subset as select_subset
from .doctor import check_data as check_data
from .errors import InvalidOption as InvalidOption
from .errors import MtsigError as MtsigError
from .errors import NotApplicable as NotApplicable
from .inference import Settings as Settings
from .inference._adjust import adjust as adjust
from .inference._audit import audit as audit
from .inference._design import design_test_set as design_test_set
from .inference._intervals import interval as interval
from .inference._power import power_analysis as power_analysis
from .inference._ranks import ranks as ranks
from .inference._runs import compare_runs as compare_runs
from .inference._verdict import verdict as verdict
from .metrics import measure as measure
from .metrics import metric as metric
from .progress import watching as watching
from .readers._read import read as read
from .readers._read import read_files as read_files
from .readers._read import read_sample as read_sample
from .segments._ablation import size_curve as size_curve
from .study import Study as Study
from .study._changes import reproduce as reproduce
from .study._reading import read_study as read_study

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
