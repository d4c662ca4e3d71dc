"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._adjust import adjust, compare, influential_segments
from ._audit import Audit, audit
from ._corrections import CORRECTIONS, Correction
from ._dependence import block_scan
from ._design import design_test_set
from ._detectable import detectable_difference
from ._family import Detectable, Family, smallest_detectable
from ._intervals import INTERVALS, Ends, IntervalMethod, Intervals, interval
from ._margins import Equivalence, Margins, equivalence, non_inferiority
from ._power import PowerAnalysis, power_analysis, simulated_power
from ._ranks import JointStatements, Ranks, groups, joint_statements, ranks
from ._runs import RunComparison, compare_runs
from ._settings import METHODS, Bootstrap, Settings
from ._significance import TESTS
from ._significance._base import Outcome, SignificanceTest
from ._targets import Pairs, Scores
from ._verdict import Comparison, Verdict, p_number, p_text, verdict

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
    "Verdict",
    "adjust",
    "audit",
    "block_scan",
    "compare",
    "compare_runs",
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
