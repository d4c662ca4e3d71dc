"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .calibration import Calibrate, CalibrationRates
from .conclusions import ConclusionRates, Conclusions
from .coverage import Coverage, CoverageRates
from .draws import DrawCurves, Draws, Redraws, end_spread, redraws
from .every_test import EveryTest, EveryTestPs, figure_two_p, figure_two_size
from .length import Length, LengthCurves
from .material import Experiment, LabResult, Material
from .multiplicity import Multiplicity, MultiplicityRates, independent_bound
from .nbest import Candidates
from .nist_weights import NistWeights, NistWeightsScores
from .orderings import OrderingCounts, Orderings, log10_factorial
from .peeking import Peeking, PeekingRates
from .populations import Population
from .references import ReferenceCurves, References
from .registry import EXPERIMENTS, run
from .relations import Relations, RelationsTables
from .reranking import Rerank, RerankScores
from .sensitivity import Sensitivity, SensitivityShares
from .sentence import Sentence, SentenceVariants
from .separation import Separation, SeparationPairs
from .simulated import KOEHN_SCORES, NEWS, SegmentModel
from .sizes import Ablation, SizeCurves, ablate, usable_sizes
from .stepwise import Exchanged, Redrawn, Trace
from .variation import Variation, VariationOfScores
from .words import experiment_bundle, in_words, law_text, rows_in_words
from .worlds import LITTLE_SHARE, NULLS

__all__ = [
    "EXPERIMENTS",
    "KOEHN_SCORES",
    "LITTLE_SHARE",
    "NEWS",
    "NULLS",
    "Ablation",
    "Calibrate",
    "CalibrationRates",
    "Candidates",
    "ConclusionRates",
    "Conclusions",
    "Coverage",
    "CoverageRates",
    "DrawCurves",
    "Draws",
    "EveryTest",
    "EveryTestPs",
    "Exchanged",
    "Experiment",
    "LabResult",
    "Length",
    "LengthCurves",
    "Material",
    "Multiplicity",
    "MultiplicityRates",
    "NistWeights",
    "NistWeightsScores",
    "OrderingCounts",
    "Orderings",
    "Peeking",
    "PeekingRates",
    "Population",
    "Redrawn",
    "Redraws",
    "ReferenceCurves",
    "References",
    "Relations",
    "RelationsTables",
    "Rerank",
    "RerankScores",
    "SegmentModel",
    "Sensitivity",
    "SensitivityShares",
    "Sentence",
    "SentenceVariants",
    "Separation",
    "SeparationPairs",
    "SizeCurves",
    "Trace",
    "Variation",
    "VariationOfScores",
    "ablate",
    "end_spread",
    "experiment_bundle",
    "figure_two_p",
    "figure_two_size",
    "in_words",
    "independent_bound",
    "law_text",
    "log10_factorial",
    "redraws",
    "rows_in_words",
    "run",
    "usable_sizes",
]
