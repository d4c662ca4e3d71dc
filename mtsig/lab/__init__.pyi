"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._blind_spots import Orderings as Orderings
from ._compared import EveryTest as EveryTest
from ._compared import NistWeights as NistWeights
from ._compared import Relations as Relations
from ._compared import Sensitivity as Sensitivity
from ._error_rates import Calibrate as Calibrate
from ._error_rates import Multiplicity as Multiplicity
from ._error_rates import Peeking as Peeking
from ._experiments import EXPERIMENTS as EXPERIMENTS
from ._experiments import run as run
from ._figures import FIGURES as FIGURES
from ._figures import of_experiment as of_experiment
from ._material import Experiment as Experiment
from ._material import Material as Material
from ._papers import PAPERS as PAPERS
from ._papers import evidence as evidence
from ._papers import reproduce as reproduce
from ._reranking import Rerank as Rerank
from ._sampling import Conclusions as Conclusions
from ._sampling import Coverage as Coverage
from ._sampling import Draws as Draws
from ._sampling import Redrawn as Redrawn
from ._sampling import redraws as redraws
from ._test_sets import Length as Length
from ._test_sets import References as References
from ._test_sets import Separation as Separation
from ._test_sets import Variation as Variation
from ._worlds import NEWS as NEWS

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
