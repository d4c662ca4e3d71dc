"""mtsig tells whether the difference between machine-translation systems is real.

The data go one way: read → measure → interval / compare → adjust → figures / report.
"""

from mtsig.corpus import Corpus, Note, Rating, Segments, inspect
from mtsig.errors import AlignmentError, InvalidOption, MtsigError, NotApplicable, ReadError, UnknownName
from mtsig.experiments import Ablation, SizeCurves, ablate, ablating
from mtsig.inference import (
    CORRECTIONS,
    INTERVALS,
    TESTS,
    ApproximateRandomization,
    BootstrapInterval,
    Comparison,
    Family,
    Interval,
    Intervals,
    KoehnWins,
    Settings,
    ShiftBootstrap,
    Verdict,
    adjust,
    compare,
    interval,
    verdict,
)
from mtsig.metrics import METRICS, Bleu, Chrf, Metric, Statistics, measure, measuring, metric
from mtsig.options import Option, options
from mtsig.readers import READERS, File, Part, assemble, parts_of, read, read_files, read_sample
from mtsig.resampling import Bootstrap, Distribution, Subsample, Swap, resample, shuffle
from mtsig.version import VERSION

__all__ = [
    "CORRECTIONS",
    "INTERVALS",
    "METRICS",
    "READERS",
    "TESTS",
    "VERSION",
    "Ablation",
    "AlignmentError",
    "ApproximateRandomization",
    "Bleu",
    "Bootstrap",
    "BootstrapInterval",
    "Chrf",
    "Comparison",
    "Corpus",
    "Distribution",
    "Family",
    "File",
    "Interval",
    "Intervals",
    "InvalidOption",
    "KoehnWins",
    "Metric",
    "MtsigError",
    "NotApplicable",
    "Note",
    "Option",
    "Part",
    "Rating",
    "ReadError",
    "Segments",
    "Settings",
    "ShiftBootstrap",
    "SizeCurves",
    "Statistics",
    "Subsample",
    "Swap",
    "UnknownName",
    "Verdict",
    "ablate",
    "ablating",
    "adjust",
    "assemble",
    "compare",
    "inspect",
    "interval",
    "measure",
    "measuring",
    "metric",
    "options",
    "parts_of",
    "read",
    "read_files",
    "read_sample",
    "resample",
    "shuffle",
    "verdict",
]
