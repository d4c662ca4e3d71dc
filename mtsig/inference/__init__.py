"""Statistics go in, decisions come out: intervals, tests, corrections, verdicts.

>>> import mtsig
>>> from mtsig import inference
>>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
>>> family = inference.compare(statistics, "ar", [("direct", "via-catalan")])
>>> family[0].unit, round(family[0].difference, 2)
('document', 3.05)
"""

from mtsig.corpus import runs_by_name
from mtsig.inference.adjust import adjust, adjust_together
from mtsig.inference.audit import Audit, Audited, Printed, all_as_sacrebleu, as_sacrebleu, audit
from mtsig.inference.compare import compare, influential_segments
from mtsig.inference.comparison import Comparison
from mtsig.inference.conclusions import ComparisonConclusions, conclusions
from mtsig.inference.corrections import CLASSICALLY, Correction, JudgedTogether
from mtsig.inference.dependence import BlockScan, Dependence, block_scan, dependence
from mtsig.inference.design import (
    Design,
    TestSetSize,
    Way,
    design_test_set,
)
from mtsig.inference.detectable import Detectable, detectable_difference, least_attainable, smallest_detectable
from mtsig.inference.family import Drawn, Family
from mtsig.inference.intervals import Interval, Intervals, Score, interval
from mtsig.inference.joint import JointForm, JointStatement, JointStatements, joint_statements
from mtsig.inference.margins import (
    FLAGGED,
    Equivalence,
    MarginResult,
    Margins,
    against_margin,
    equivalence,
    non_inferiority,
    one_more_document,
    uneven,
    within,
)
from mtsig.inference.methods import INTERVALS, IntervalMethod
from mtsig.inference.pilot import pair_cautions
from mtsig.inference.power import Power, PowerAnalysis, needed_units, power_analysis, simulated_power
from mtsig.inference.presets import METHODS, Method
from mtsig.inference.probability import ends_text, judged_level_text, level_text, p_number, p_text, points_text
from mtsig.inference.ranks import Place, Ranks, bootstrap_best_rate, groups, rankable, ranks
from mtsig.inference.registered import CORRECTIONS
from mtsig.inference.runs import RunComparison, compare_runs, judge_runs
from mtsig.inference.settings import Kept, Settings
from mtsig.inference.significance import (
    TESTS,
    ApproximateRandomization,
    BootstrapInterval,
    InfinitesimalJackknifeT,
    JackknifeT,
    KoehnWins,
    Outcome,
    PairedT,
    RiezlerMaxwell,
    SacrebleuBootstrap,
    SacrebleuRandomization,
    ShiftBootstrap,
    SignedRank,
    SignificanceTest,
    SignTest,
    StudentizedBootstrap,
    UnknownTest,
    known_test,
)
from mtsig.inference.sliced import Heterogeneity, SlicedFamily, compare_subsets
from mtsig.inference.targets import PairChoice
from mtsig.inference.verdict import CAUTION, Verdict, said_of, verdict
from mtsig.resampling import Bootstrap, Swap

__all__ = [
    "CAUTION",
    "CLASSICALLY",
    "CORRECTIONS",
    "FLAGGED",
    "INTERVALS",
    "METHODS",
    "TESTS",
    "ApproximateRandomization",
    "Audit",
    "Audited",
    "BlockScan",
    "Bootstrap",
    "BootstrapInterval",
    "Comparison",
    "ComparisonConclusions",
    "Correction",
    "Dependence",
    "Design",
    "Detectable",
    "Drawn",
    "Equivalence",
    "Family",
    "Heterogeneity",
    "InfinitesimalJackknifeT",
    "Interval",
    "IntervalMethod",
    "Intervals",
    "JackknifeT",
    "JointForm",
    "JointStatement",
    "JointStatements",
    "JudgedTogether",
    "Kept",
    "KoehnWins",
    "MarginResult",
    "Margins",
    "Method",
    "Outcome",
    "PairChoice",
    "PairedT",
    "Place",
    "Power",
    "PowerAnalysis",
    "Printed",
    "Ranks",
    "RiezlerMaxwell",
    "RunComparison",
    "SacrebleuBootstrap",
    "SacrebleuRandomization",
    "Score",
    "Settings",
    "ShiftBootstrap",
    "SignTest",
    "SignedRank",
    "SignificanceTest",
    "SlicedFamily",
    "StudentizedBootstrap",
    "Swap",
    "TestSetSize",
    "UnknownTest",
    "Verdict",
    "Way",
    "adjust",
    "adjust_together",
    "against_margin",
    "all_as_sacrebleu",
    "as_sacrebleu",
    "audit",
    "block_scan",
    "bootstrap_best_rate",
    "compare",
    "compare_runs",
    "compare_subsets",
    "conclusions",
    "dependence",
    "design_test_set",
    "detectable_difference",
    "ends_text",
    "equivalence",
    "groups",
    "influential_segments",
    "interval",
    "joint_statements",
    "judge_runs",
    "judged_level_text",
    "known_test",
    "least_attainable",
    "level_text",
    "needed_units",
    "non_inferiority",
    "one_more_document",
    "p_number",
    "p_text",
    "pair_cautions",
    "points_text",
    "power_analysis",
    "rankable",
    "ranks",
    "runs_by_name",
    "said_of",
    "simulated_power",
    "smallest_detectable",
    "uneven",
    "verdict",
    "within",
]
