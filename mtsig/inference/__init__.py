"""Statistics go in, decisions come out: intervals, tests, corrections, verdicts."""

from mtsig.inference.compare import compare, drivers
from mtsig.inference.corrections import CORRECTIONS, Correction, adjust
from mtsig.inference.family import Comparison, Family
from mtsig.inference.intervals import INTERVALS, Interval, IntervalMethod, Intervals, interval
from mtsig.inference.probability import p_number, p_text
from mtsig.inference.settings import Settings
from mtsig.inference.targets import PairChoice
from mtsig.inference.tests import (
    TESTS,
    ApproximateRandomization,
    BootstrapInterval,
    KoehnWins,
    ShiftBootstrap,
    SignificanceTest,
)
from mtsig.inference.verdict import Verdict, verdict

__all__ = [
    "CORRECTIONS",
    "INTERVALS",
    "TESTS",
    "ApproximateRandomization",
    "BootstrapInterval",
    "Comparison",
    "Correction",
    "Family",
    "Interval",
    "IntervalMethod",
    "Intervals",
    "KoehnWins",
    "PairChoice",
    "Settings",
    "ShiftBootstrap",
    "SignificanceTest",
    "Verdict",
    "adjust",
    "compare",
    "drivers",
    "interval",
    "p_number",
    "p_text",
    "verdict",
]
