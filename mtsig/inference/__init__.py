"""Statistics go in, decisions come out: intervals, tests, corrections, verdicts.

>>> import mtsig
>>> from mtsig import inference
>>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
>>> family = inference.compare(statistics, "ar", [("direct", "via-catalan")])
>>> family[0].unit, round(family[0].difference, 2)
('document', 3.05)
"""

from mtsig._probability import p_number, p_text
from mtsig.inference._adjust import adjust, compare, influential_segments
from mtsig.inference._audit import Audit, audit
from mtsig.inference._corrections import Correction
from mtsig.inference._dependence import block_scan
from mtsig.inference._design import design_test_set
from mtsig.inference._detectable import detectable_difference
from mtsig.inference._family import Detectable, Family, smallest_detectable
from mtsig.inference._intervals import INTERVALS, Ends, Interval, IntervalMethod, Intervals, interval
from mtsig.inference._margins import Equivalence, Margins, equivalence, non_inferiority
from mtsig.inference._means import CORRECTIONS
from mtsig.inference._power import PowerAnalysis, power_analysis, simulated_power
from mtsig.inference._ranks import JointStatements, Ranks, groups, joint_statements, ranks
from mtsig.inference._runs import RunComparison, compare_runs
from mtsig.inference._settings import METHODS, Settings
from mtsig.inference._significance import TESTS
from mtsig.inference._significance._base import Outcome, SignificanceTest
from mtsig.inference._slices import SlicedFamily, compare_subsets
from mtsig.inference._targets import Pairs, Scores
from mtsig.inference._verdict import Comparison, Verdict, verdict
from mtsig.resampling import Bootstrap

__all__ = [
    "CORRECTIONS",
    "INTERVALS",
    "METHODS",
    "TESTS",
    "Audit",
    "Bootstrap",
    "Comparison",
    "Correction",
    "Detectable",
    "Ends",
    "Equivalence",
    "Family",
    "Interval",
    "IntervalMethod",
    "Intervals",
    "JointStatements",
    "Margins",
    "Outcome",
    "Pairs",
    "PowerAnalysis",
    "Ranks",
    "RunComparison",
    "Scores",
    "Settings",
    "SignificanceTest",
    "SlicedFamily",
    "Verdict",
    "adjust",
    "audit",
    "block_scan",
    "compare",
    "compare_runs",
    "compare_subsets",
    "design_test_set",
    "detectable_difference",
    "equivalence",
    "groups",
    "influential_segments",
    "interval",
    "joint_statements",
    "non_inferiority",
    "p_number",
    "p_text",
    "power_analysis",
    "ranks",
    "simulated_power",
    "smallest_detectable",
    "verdict",
]
