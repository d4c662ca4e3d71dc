"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .calibration import Calibrating, Calibration
from .conclusions import Conclusions, PairedBootstraps
from .coverage import Coverage, Covering
from .draws import ByDraws, DrawCurves, Redraws, end_spread, redraws
from .every_test import EveryTest, ManyTests, figure_two_p, figure_two_size
from .length import ByLength, LengthCurves
from .material import Experiment, LabResult, Material
from .multiplicity import ManyComparisons, Multiplicity, independent_bound
from .nbest import Candidates
from .nist_weights import NistWeights, RecomputedNist
from .orderings import Orderings, Permuting, log10_factorial
from .peeking import Peeking, Peeks
from .populations import Population
from .references import ByReferences, ReferenceCurves
from .registry import EXPERIMENTS, run
from .relations import Relations, SideBySide
from .reranking import Rerank, Reranking
from .sensitivity import Sensitive, Sensitivity
from .sentence import BlindSpots, Sentence
from .separation import Separating, Separation
from .simulated import KOEHN_SCORES, NEWS, SegmentModel
from .sizes import Ablation, SizeCurves, ablate, usable_sizes
from .stepwise import Exchanged, Redrawn, Trace
from .variation import BroadOrConsecutive, Variation
from .words import experiment_bundle, law_text
from .worlds import LITTLE_SHARE, NULLS

__all__ = [
    "EXPERIMENTS",
    "KOEHN_SCORES",
    "LITTLE_SHARE",
    "NEWS",
    "NULLS",
    "Ablation",
    "BlindSpots",
    "BroadOrConsecutive",
    "ByDraws",
    "ByLength",
    "ByReferences",
    "Calibrating",
    "Calibration",
    "Candidates",
    "Conclusions",
    "Coverage",
    "Covering",
    "DrawCurves",
    "EveryTest",
    "Exchanged",
    "Experiment",
    "LabResult",
    "LengthCurves",
    "ManyComparisons",
    "ManyTests",
    "Material",
    "Multiplicity",
    "NistWeights",
    "Orderings",
    "PairedBootstraps",
    "Peeking",
    "Peeks",
    "Permuting",
    "Population",
    "RecomputedNist",
    "Redrawn",
    "Redraws",
    "ReferenceCurves",
    "Relations",
    "Rerank",
    "Reranking",
    "SegmentModel",
    "Sensitive",
    "Sensitivity",
    "Sentence",
    "Separating",
    "Separation",
    "SideBySide",
    "SizeCurves",
    "Trace",
    "Variation",
    "ablate",
    "end_spread",
    "experiment_bundle",
    "figure_two_p",
    "figure_two_size",
    "independent_bound",
    "law_text",
    "log10_factorial",
    "redraws",
    "run",
    "usable_sizes",
]
