"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._blind_spots import OrderingCounts, Orderings, Sentence, SentenceVariants, Variant, log10_factorial
from ._calibration import Calibrate, CalibrationRates
from ._candidates import Candidates
from ._draws import (
    FEWEST_DRAWS,
    DrawCurves,
    Draws,
    Exchanged,
    Redrawn,
    Redraws,
    Trace,
    end_spread,
    redraws,
    trace,
    unpaired,
)
from ._every_pair import EveryTest, EveryTestPs, Sensitivity, SensitivityShares, figure_two_p, figure_two_size
from ._exhibit import Evidence, Exhibit, Reproduction, exhibit_tables, reproduction_bundle, write_pages
from ._experiments import EXPERIMENTS, run
from ._figures import FIGURES, of_experiment
from ._many_tests import Multiplicity, MultiplicityRates, Peeking, PeekingRates, independent_bound
from ._material import FEWEST, Experiment, LabResult, Material, Pair, Population, of_units, relabel
from ._metrics_compared import NistWeights, NistWeightsScores, Relations, RelationsTables
from ._papers import METRIC_NAMES, PAPERS, Paper, evidence, reproduce
from ._references import ReferenceCurves, References
from ._reranking import Rerank, RerankScores
from ._sampling import ConclusionRates, Conclusions, Coverage, CoverageRates
from ._simulated import KOEHN_SCORES, NEWS, SegmentModel
from ._test_sets import Length, LengthCurves, Separation, SeparationPairs, Variation, VariationOfScores
from ._words import experiment_bundle, in_words, law_tables, law_text, rows_in_words
from ._worlds import LITTLE_SHARE, NULLS

__all__ = [
    "EXPERIMENTS",
    "FEWEST",
    "FEWEST_DRAWS",
    "FIGURES",
    "KOEHN_SCORES",
    "LITTLE_SHARE",
    "METRIC_NAMES",
    "NEWS",
    "NULLS",
    "PAPERS",
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
    "Evidence",
    "Exchanged",
    "Exhibit",
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
    "Pair",
    "Paper",
    "Peeking",
    "PeekingRates",
    "Population",
    "Redrawn",
    "Redraws",
    "ReferenceCurves",
    "References",
    "Relations",
    "RelationsTables",
    "Reproduction",
    "Rerank",
    "RerankScores",
    "SegmentModel",
    "Sensitivity",
    "SensitivityShares",
    "Sentence",
    "SentenceVariants",
    "Separation",
    "SeparationPairs",
    "Trace",
    "Variant",
    "Variation",
    "VariationOfScores",
    "end_spread",
    "evidence",
    "exhibit_tables",
    "experiment_bundle",
    "figure_two_p",
    "figure_two_size",
    "in_words",
    "independent_bound",
    "law_tables",
    "law_text",
    "log10_factorial",
    "of_experiment",
    "of_units",
    "redraws",
    "relabel",
    "reproduce",
    "reproduction_bundle",
    "rows_in_words",
    "run",
    "trace",
    "unpaired",
    "write_pages",
]
