"""Riezler and Maxwell 2005 reproduced: randomization, Figure 2's bootstrap, type-I error, many comparisons."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mtsig._results import Result
from mtsig.lab._compared import EveryTest, EveryTestPs, Sensitivity, SensitivityShares, figure_two_p, figure_two_size
from mtsig.lab._error_rates import Calibrate, CalibrationRates, Multiplicity, MultiplicityRates, independent_bound
from mtsig.lab._exhibit import Evidence, Found, Paper, Row, Step, all_agree, compared, exhibit
from mtsig.lab._experiments import run
from mtsig.lab._material import RIEZLER_MAXWELL, Material, records
from mtsig.lab._reranking import Rerank, RerankScores
from mtsig.lab._words import law_text
from mtsig.metrics import METRICS
from mtsig.metrics._statistics import as_values

_TABLE_2 = ((0.03, 0.014), (0.025, 0.013), (0.05, 0.028), (0.079, 0.039), (0.028, 0.013))
"""p by randomization and by bootstrap of five pairs of equivalent systems."""

_TABLE_1 = (("NIST", 6.43, 6.58, "< .0001"), ("BLEU", 0.301, 0.298, ".158"), ("F", 0.385, 0.383, ".424"))
"""Metric, baseline, reranked, p by randomization."""

_FEWEST_PAIRS = 5
"""Fewer pairs have no median to speak of."""

_TESTS = ("ar", "bootstrap-shift", "bootstrap-rm2005", "bootstrap-koehn")


@exhibit("Table 1", "Sensitivity of metrics")
def _table_1(sensitivity: SensitivityShares) -> Found:
    rows = tuple(sensitivity.summaries()["Metrics"])
    holds, verdict = _more_sensitive(sensitivity)
    printed = "; ".join(f"{name} {base} to {other}, p {p}" for name, base, other, p in _TABLE_1)
    f_score = (
        ""
        if "depF" in sensitivity.metrics
        else " F needs dependency parses: first mtsig parse --data FOLDER --model NAME. Then add --metric bleu nist "
        "depf."
    )
    says = f"The paper prints one pair: {printed}. One pair is weak evidence. {law_text(sensitivity)}{verdict}{f_score}"
    needs = "NIST and BLEU of more systems, so that no single system decides which metric is more sensitive"
    return Found(rows, says, holds, sensitivity, needs=needs)


def with_dependencies(evidence: Evidence) -> Material:
    """Return the texts with dependency F, where they are the sample: its counts are kept in a file, with their recipe.

    No parser comes with the program.
    """
    text, file = evidence.text, Path(__file__).parent / "data" / "dependencies.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    if text.first.digest != kept["digest"] or any(counted.metric.needs_parses for counted in text.statistics):
        return text
    values, signature = as_values(np.array(kept["counts"])), kept["signature"]
    counted = replace(text.first, metric=METRICS["depf"], values=values, signature=signature, kinships=())
    return Material((*text.statistics, counted), text.corpus)


def _more_sensitive(sensitivity: SensitivityShares) -> tuple[bool | None, str]:
    """Return whether NIST is more sensitive than BLEU, None where one system more or less turns the order round."""
    if not {"NIST", "BLEU"} <= set(sensitivity.metrics):
        return None, ""
    nist, bleu = sensitivity.metrics.index("NIST"), sensitivity.metrics.index("BLEU")
    if sensitivity.typical_low[nist] > sensitivity.typical_high[bleu]:
        return True, " NIST is more sensitive than BLEU on these data."
    if sensitivity.typical_high[nist] < sensitivity.typical_low[bleu]:
        return False, " NIST is less sensitive than BLEU on these data."
    share = sensitivity.ahead(nist, bleu)
    return None, (
        f" The medians of NIST ({sensitivity.typical[nist]:.1f}) and BLEU ({sensitivity.typical[bleu]:.1f}) do not "
        "show which is more sensitive: if one system is left out, their ranges overlap. NIST is more sensitive than "
        f"BLEU on {share:.0%} of the pairs."
    )


@exhibit("Figure 2", "The bootstrap test as printed", "theory")
def figure_two() -> Found:
    """Return how often Figure 2 as printed rejects a true null, by normal theory."""
    rows = tuple(
        {"nominal": f"{alpha:g}", "true error rate of Figure 2": f"{figure_two_size(alpha):.3f}"}
        for alpha in (0.1, 0.05, 0.015, 0.01)
    )
    says = (
        "Figure 2 subtracts the mean of absolute differences, as if this mean were 0 under the null hypothesis. But "
        "only signed differences have mean 0. At a nominal .05, its false-positive rate is "
        f"{figure_two_size(0.05):.3f}, because it uses a one-sided p for a two-sided test. If the observed difference "
        f"is 0, its p is {float(figure_two_p(1.0)):.3f}, not 1."
    )
    return Found(rows, says, False)


@exhibit("Table 2", "p-values of five pairs, by theory", "theory")
def table_two_by_theory() -> Found:
    """Return what normal theory makes of table 2's column by randomization."""
    rows = [
        {"p by randomization": f"{ar:g}", "printed": f"{boot:.3f}", "ours": f"{float(figure_two_p(ar)):.4f}"}
        for ar, boot in _TABLE_2
    ]
    gap = max(abs(float(figure_two_p(ar)) - boot) for ar, boot in _TABLE_2)
    says = (
        "The formula of Figure 2 predicts the bootstrap p-values from the randomization p-values alone, within "
        f"{gap:.3f}. The two tests differ because of a missing factor of two, not because of the bootstrap."
    )
    return Found(rows, says, gap < 0.005)


@exhibit("Table 2", "p-values of pairs of these data")
def _table_2(tests: EveryTestPs) -> Found:
    return _ratios(tests, tests.rows()[:10])


def _ratios(tests: EveryTestPs, rows: Sequence[Row], more: str = "", result: Result | None = None) -> Found:
    """Return what the p-values of every test are to each other's, and whether that is as the paper should have it."""
    ratio, count = dict(zip(tests.tests, tests.ratio, strict=True)), int(tests.usable.sum())
    half, right = ratio["bootstrap-rm2005"], ratio["bootstrap-shift"]
    holds = bool(0.35 < half < 0.6 and 0.8 < right < 1.25) if count >= _FEWEST_PAIRS else None
    if not count:
        says = "No pair of these data has a randomization p-value between .0005 and .5."
    elif holds is None:
        says = f"Too few pairs have a randomization p-value between .0005 and .5: {count} of {len(tests.pairs)}."
    else:
        says = law_text(tests)
        says += " Bootstrap and randomization agree; only the printed algorithm does not." if holds else ""
    needs = f"at least {_FEWEST_PAIRS} such pairs"
    return Found(rows, says + more, holds, result or tests, needs=needs)


@exhibit("Section 2, table 1", "Variants by reranking")
def _reranked(reranking: RerankScores) -> Found:
    says = (
        f"This is the paper's method on other candidates ({reranking.source}), since Riezler and Maxwell's n-best "
        "lists are not available. Every document is reranked by a model trained on the others. The variants differ in "
        "penalty and number of features. Whether they are better than the baseline depends on the candidates."
    )
    return Found([row for row in reranking.rows() if row["table"] == 1], says, needs="the paper's own n-best lists")


@exhibit("Section 2, table 2", "Near-equal variants")
def _nearly_equal(reranking: RerankScores) -> Found:
    rows = [row for row in reranking.rows() if row["table"] == 2]
    more = (
        f" The table shows the {len(rows) // len(reranking.tests)} nearly equal pairs of every metric. A pair is the "
        "reranked system with and without redundant features."
    )
    return _ratios(reranking.every, rows, more, reranking)


@exhibit("Section 4.3", "Type-I error on true nulls")
def _type_one(error: CalibrationRates) -> Found:
    low, high = error.ends(error.rejected[:, 0, 0])
    rows = records(test=error.tests, **{"error rate": error.rate[:, 0, 0]}, low=low, high=high)
    rates = dict(zip(error.tests, error.rate[:, 0, 0], strict=True))
    return Found(rows, law_text(error), bool(rates["bootstrap-rm2005"] > rates["ar"]), error)


@exhibit("Section 4.4", "Experiment-wise error", "exact")
def section_four_four() -> Found:
    """Return the arithmetic of the experiment-wise error."""
    rows = [
        compared({"comparisons": 105, "alpha": 0.05}, 0.9954, float(independent_bound(0.05, 105)), 4),
        compared({"comparisons": 5, "alpha": 0.015}, 0.0728, float(independent_bound(0.015, 5)), 4),
    ]
    says = (
        "1 − (1 − α)^k is an upper bound of the error rate. It is exact for independent comparisons, but pairs that "
        "share systems are not independent. With more comparisons, the error rate approaches 1; it does not grow "
        "exponentially. “0.15” in the text must read .015."
    )
    return Found(rows, says, all_agree(rows))


@exhibit("Section 4.4", "The same by simulation")
def _multiplicity(multiplicity: MultiplicityRates) -> Found:
    rate = dict(zip(multiplicity.corrections, multiplicity.rate[:, -1], strict=True))
    comparisons = int(multiplicity.comparisons[-1])
    # One comparison is no multiplicity.
    holds = bool(rate["none"] > 0.05 and rate["minp"] < 0.09) if comparisons > 1 else None
    return Found(multiplicity.rows(), law_text(multiplicity), holds, multiplicity, needs="three systems or more")


_NULL = Calibrate(
    simulations=600, n_resamples=399, drawn="segments", unit="segment", tests=_TESTS, sizes=(100,), effects=(0.0,),
    nulls=("exchangeable",),
)  # fmt: skip
_MANY = Multiplicity(size=100, simulations=300)

PAPER = Paper(
    "riezler2005",
    RIEZLER_MAXWELL,
    (
        Step([_table_1], lambda evidence, _: run(Sensitivity(unit="segment"), with_dependencies(evidence))),
        Step([figure_two, table_two_by_theory]),
        Step([_table_2], lambda evidence, _: run(EveryTest(), evidence.test_set(2000, effect=0.0))),
        Step([_type_one], lambda evidence, executor: run(_NULL, evidence.population, executor)),
        Step([section_four_four]),
        Step([_multiplicity], lambda evidence, executor: run(_MANY, evidence.population, executor)),
        Step([_reranked, _nearly_equal], lambda evidence, executor: run(Rerank(), evidence.text, executor)),
    ),
)
