"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from . import inference as inference
from . import lab as lab
from . import metrics as metrics
from . import readers as readers
from . import report as report
from . import study as study
from ._front import compare as compare
from .collection import compare_subsets as compare_subsets
from .corpus import Corpus as Corpus
from .corpus import Rating as Rating
from .corpus import select_subset as select_subset
from .doctor import check_data as check_data
from .errors import InvalidOption as InvalidOption
from .errors import MtsigError as MtsigError
from .errors import NotApplicable as NotApplicable
from .inference import Settings as Settings
from .inference import adjust as adjust
from .inference import audit as audit
from .inference import compare_runs as compare_runs
from .inference import design_test_set as design_test_set
from .inference import interval as interval
from .inference import power_analysis as power_analysis
from .inference import ranks as ranks
from .inference import verdict as verdict
from .metrics import measure as measure
from .metrics import metric as metric
from .progress import watching as watching
from .readers import read as read
from .readers import read_files as read_files
from .readers import read_sample as read_sample
from .segments import size_curve as size_curve
from .study import Study as Study
from .study import read_study as read_study
from .study import reproduce as reproduce

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
