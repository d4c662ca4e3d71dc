"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._adjust import compare as compare
from ._adjust import influential_segments as influential_segments
from ._audit import Audit as Audit
from ._corrections import CORRECTIONS as CORRECTIONS
from ._corrections import Correction as Correction
from ._dependence import block_scan as block_scan
from ._family import Detectable as Detectable
from ._family import Family as Family
from ._family import smallest_detectable as smallest_detectable
from ._fields import detectable_difference as detectable_difference
from ._intervals import INTERVALS as INTERVALS
from ._intervals import Ends as Ends
from ._intervals import IntervalMethod as IntervalMethod
from ._intervals import Intervals as Intervals
from ._margins import Equivalence as Equivalence
from ._margins import Margins as Margins
from ._margins import equivalence as equivalence
from ._margins import non_inferiority as non_inferiority
from ._power import PowerAnalysis as PowerAnalysis
from ._power import simulated_power as simulated_power
from ._ranks import JointStatements as JointStatements
from ._ranks import Ranks as Ranks
from ._ranks import groups as groups
from ._ranks import joint_statements as joint_statements
from ._runs import RunComparison as RunComparison
from ._settings import METHODS as METHODS
from ._settings import Bootstrap as Bootstrap
from ._settings import Settings as Settings
from ._significance import Outcome as Outcome
from ._significance import SignificanceTest as SignificanceTest
from ._targets import Pairs as Pairs
from ._targets import Scores as Scores
from ._tests import TESTS as TESTS
from ._verdict import Comparison as Comparison
from ._verdict import Verdict as Verdict
from ._verdict import p_number as p_number
from ._verdict import p_text as p_text

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
    "block_scan",
    "compare",
    "detectable_difference",
    "equivalence",
    "groups",
    "influential_segments",
    "joint_statements",
    "non_inferiority",
    "p_number",
    "p_text",
    "simulated_power",
    "smallest_detectable",
]
