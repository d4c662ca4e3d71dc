"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._blind_spots import Orderings
from ._calibration import Calibrate
from ._draws import Draws, Redrawn, redraws
from ._every_pair import EveryTest, Sensitivity
from ._experiments import EXPERIMENTS, run
from ._figures import FIGURES, of_experiment
from ._many_tests import Multiplicity, Peeking
from ._material import Experiment, Material
from ._metrics_compared import NistWeights, Relations
from ._papers import PAPERS, evidence, reproduce
from ._references import References
from ._reranking import Rerank
from ._sampling import Conclusions, Coverage
from ._simulated import NEWS
from ._test_sets import Length, Separation, Variation

__all__ = [
    "EXPERIMENTS",
    "FIGURES",
    "NEWS",
    "PAPERS",
    "Calibrate",
    "Conclusions",
    "Coverage",
    "Draws",
    "EveryTest",
    "Experiment",
    "Length",
    "Material",
    "Multiplicity",
    "NistWeights",
    "Orderings",
    "Peeking",
    "Redrawn",
    "References",
    "Relations",
    "Rerank",
    "Sensitivity",
    "Separation",
    "Variation",
    "evidence",
    "of_experiment",
    "redraws",
    "reproduce",
    "run",
]
