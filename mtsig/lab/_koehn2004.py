"""Koehn 2004 (K04) made again: test sets of a population, Student's t, bootstrap intervals and paired bootstraps."""

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
import scipy

from mtsig.lab._exhibit import Evidence, Exhibit, all_agree, compared, shown
from mtsig.lab._experiments import run
from mtsig.lab._material import Material, Population
from mtsig.lab._sampling import ConclusionRates, Conclusions, Coverage, CoverageRates
from mtsig.lab._simulated import KOEHN_SCORES
from mtsig.lab._test_sets import Length, LengthCurves, Variation, VariationOfScores
from mtsig.metrics import METRICS, Bleu, Gtm, Metric, Statistics, measure
from mtsig.progress import part

_FACTORS: dict[float, dict[int | None, float]] = {
    0.99: {100: 2.6259, 300: 2.5923, 600: 2.5841, None: 2.5759},
    0.95: {100: 1.9849, 300: 1.9679, 600: 1.9639},
    0.90: {100: 1.6602, 300: 1.6499, 600: 1.6474},
}
"""Table 2; None is infinitely many sentences."""

_BINS = (
    (1.0, 1042, 100), (0.99, 738, 100), (0.98, 245, 99), (0.95, 394, 98), (0.9, 363, 95), (0.8, 520, 88),
    (0.7, 324, 77), (0.6, 253, 72), (0.5, 261, 52),
)  # fmt: skip
"""Table 4: win rate from, conclusions, per cent of them right."""

_SETS_TITLE = "Consecutive and broad test sets"

NINE = 9
"""Pairs that tables 3 and 4 compare."""

SIZES, SETS = (100, 300, 600, 3000), (300, 100, 50, 10)
"""Sizes of the test sets of table 3, and how many of each 30,000 sentences make."""


def make(evidence: Evidence, executor: Executor | None) -> Sequence[Exhibit]:
    """Make tables 1 to 4 and figures 1 to 8."""
    with part(0.0, 0.05):
        text, population = _with_gtm(evidence.text), evidence.population
    with part(0.05, 0.15):
        figure_1 = shown(lambda: [_figure_1(run(Length(), text, executor))], "Figure 1", "Scores by length ratio")
    # 0 leaves the size to the experiment: 50, or less where there are few segments.
    sets = Variation(size=300 if population.size >= 30_000 else 0)
    with part(0.15, 0.35):
        variation = shown(lambda: [_figures_2_to_4(run(sets, population))], "Figures 2 to 4", _SETS_TITLE)
    with part(0.35, 0.6):
        coverage = run(Coverage(size=300, sets=100, interval="koehn"), population, executor)
    with part(0.6, 1.0):
        conclusions = shown(
            lambda: _conclusions(population, executor), "Tables 3 and 4, figures 7 and 8", "95% conclusions"
        )
    return (
        _table_1(evidence), *figure_1, *variation, t_factors(), thirty_of_a_hundred(), _figure_6(coverage), *conclusions
    )  # fmt: skip


def _conclusions(population: Population, executor: Executor | None) -> Sequence[Exhibit]:
    conclusions = run(Conclusions(sizes=SIZES, sets=SETS, pairs=nine_pairs(population)), population, executor)
    return [_figures_7_8(conclusions), _table_3(conclusions), counted(conclusions), _table_4(conclusions)]


def _with_gtm(text: Material) -> Material:
    """Return the material with BLEU and GTM alone, which figure 1 compares."""
    by_metric: dict[type[Metric], Statistics] = {}
    for statistics in text.statistics:
        metric = statistics.metric
        if type(metric) is Bleu or (isinstance(metric, Gtm) and metric.part == Gtm().part):
            by_metric[type(metric)] = statistics
    if Gtm not in by_metric:
        by_metric[Gtm] = measure(text.text, METRICS["gtm"])
    return Material(tuple(by_metric.values()), text.corpus)


def nine_pairs(population: Population) -> tuple[tuple[str, str], ...]:
    """Return nine pairs: of the paper's six systems the neighbours by score and their neighbours, else the nearest."""
    ranked = [population.systems[i] for i in np.argsort(-population.truth, kind="stable")]
    near = [(ranked[i], ranked[i + gap]) for gap in (1, 2) for i in range(len(ranked) - gap)]
    near.sort(key=lambda pair: abs(population.true_difference(*pair)))
    return tuple(near[:NINE])


def _table_1(evidence: Evidence) -> Exhibit:
    population = evidence.population
    sums = population.statistics.sums
    precision = {
        name: {f"{order}-gram precision": f"{sums[1 + order, s] / sums[5 + order, s]:.3f}" for order in (1, 4)}
        for s, name in enumerate(population.systems)
    }
    true = dict(zip(population.systems, population.truth, strict=True))
    if evidence.real:
        rows = tuple({"system": name, "BLEU": float(true[name]), **precision[name]} for name in population.systems)
        says = "The systems of the data given, taken as a whole; the paper's six had 28.9 to 20.2 BLEU."
        return Exhibit("Table 1", "Systems and their scores", "shape", rows, says)
    printed = dict(zip(population.systems, KOEHN_SCORES, strict=True))
    table_rows = [
        *({**compared({"system": name}, printed[name], float(true[name]), 1), **precision[name]} for name in printed),
        *(
            compared({"system": f"{x} minus {y}"}, printed[x] - printed[y], population.true_difference(x, y), 1)
            for x, y in nine_pairs(population)
        ),
    ]
    says = (
        "The simulated systems were made to have the printed scores, so their differences are those of the printed "
        "scores too: here for neighbours and those next to them, nine pairs as in table 3."
    )
    return Exhibit("Table 1", "Systems and their scores", "exact", tuple(table_rows), says, all_agree(table_rows))


def _figure_1(lengths: LengthCurves) -> Exhibit:
    shorter = lengths.ratio < 0.9
    loss = 1 - lengths.penalty[shorter].min() if shorter.any() else 0.0
    says = (
        f"Cut to {lengths.ratio.min():.2f} of the reference's length, output loses {loss:.0%} of its BLEU to the "
        "brevity penalty alone. Equation 1 as printed lacks the weights 1/4."
    )
    return Exhibit(
        "Figure 1", "Scores by length ratio", "shape", tuple(lengths.rows()), says, bool(loss > 0.3), lengths
    )


def _figures_2_to_4(variation: VariationOfScores) -> Exhibit:
    ratio = float(np.median(variation.ratio))
    says = (
        f"{variation.sets} sets of {variation.size} neighbouring segments vary {ratio:.2f} times as much as broad ones "
        f"(median of {len(variation.systems)} systems; 95% of random orders of the segments stay below "
        f"{np.median(variation.by_chance):.2f})."
    )
    rows = tuple(variation.rows())
    # More than 1 shows nothing where most random orders of the same segments vary as much.
    holds = None if ratio <= np.median(variation.by_chance) else True
    return Exhibit("Figures 2 to 4", _SETS_TITLE, "shape", rows, says, holds, variation)


def t_factors() -> Exhibit:
    """Return table 2 with the paper's degrees of freedom, n, and with the right ones, n − 1."""
    rows = []
    for level, by_size in _FACTORS.items():
        for size, printed in by_size.items():
            ours = float(scipy.stats.t.ppf((1 + level) / 2, np.inf if size is None else size))
            right = float(scipy.stats.t.ppf((1 + level) / 2, np.inf if size is None else size - 1))
            off = round(abs(printed - round(ours, 4)), 4)
            note = "" if off == 0 else "last digit" if off <= 0.0001 else "a misprint"
            what = {"level": f"{level:.0%}", "n": "infinite" if size is None else size}
            rows.append({**compared(what, printed, ours, 4, note), "with n − 1": f"{right:.4f}"})
    says = (
        "With n degrees of freedom, as the paper takes them, all but three numbers come out: two last digits, and "
        "1.9849 for 1.9840, a misprint. Right are n − 1: 1.9842 there."
    )
    return Exhibit("Table 2", "Student's t", "exact", tuple(rows), says, all_agree(rows))


def thirty_of_a_hundred() -> Exhibit:
    """Return the interval of 30 right of 100 by t, and by Wilson, which shares call for."""
    share, n = 0.3, 100
    half = scipy.stats.t.ppf(0.975, n) * np.sqrt(share * (1 - share) * n / (n - 1)) / np.sqrt(n)
    z = scipy.stats.norm.ppf(0.975)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    wide = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    rows = [
        compared({"end": "lower"}, 0.209, share - half, 3),
        compared({"end": "upper"}, 0.391, share + half, 3),
    ]
    says = f"A share has Wilson's interval instead: {centre - wide:.3f} to {centre + wide:.3f}."
    return Exhibit("Section 4", "30 right of 100", "exact", tuple(rows), says, all_agree(rows))


def _figure_6(coverage: CoverageRates) -> Exhibit:
    chance = float(scipy.stats.binom.cdf(3, 100, 0.05))
    held = f"{coverage.sets - coverage.misses}"
    what = {"what": "intervals of 100 that hold the truth", "printed": "97", "ours": held}
    rows = ({**what, "note": "drawn anew" if coverage.sets == 100 else f"of {coverage.sets}"},)
    says = (
        f"{coverage.misses} of {coverage.sets} intervals miss the score of all the data (95% interval of the coverage "
        f"{coverage.rate_low:.1%} to {coverage.rate_high:.1%}). The paper's 3 misses of 100 are no sign of a "
        f"conservative method: 5% misses give 3 or fewer with probability {chance:.2f}."
    )
    return Exhibit("Figure 6", "Intervals of 100 test sets", "shape", rows, says, coverage.p_value > 0.01, coverage)


def _figures_7_8(conclusions: ConclusionRates) -> Exhibit:
    rows = []
    for pair, (better, worse) in enumerate(conclusions.pairs):
        wins = conclusions.wins[1][pair]
        rows.append(
            {
                "better": better,
                "worse": worse,
                "true difference": float(conclusions.difference[pair]),
                "median win rate": float(np.median(wins)),
                "sets at 95% or more": int(np.sum(wins >= 0.95)),
                "sets": len(wins),
            }
        )
    says = (
        "The win rate is one minus a one-sided bootstrap p-value: read with the direction chosen afterwards, “95%” "
        "errs in 10 to 12% of cases where the systems do not differ."
    )
    return Exhibit("Figures 7 and 8", "Win rates on sets of 300", "shape", tuple(rows), says, None, conclusions)


def _table_3(conclusions: ConclusionRates) -> Exhibit:
    rows = tuple(
        {
            "pair": f"{better} – {worse}",
            "true difference": float(conclusions.difference[m]),
            **{
                f"n = {size}": f"{conclusions.right[m, z]:.0%} right, {conclusions.wrong[m, z]:.0%} wrong "
                f"(theory {conclusions.predicted[m, z]:.0%}, {conclusions.predicted_wrong[m, z]:.0%})"
                for z, size in enumerate(conclusions.sizes)
            },
        }
        for m, (better, worse) in enumerate(conclusions.pairs)
    )
    off = float(np.mean(np.abs(conclusions.right - conclusions.predicted)))
    says = (
        f"The pairs are of these systems, neighbours by score and those next to them ({_pairs(conclusions)} with the "
        "smallest differences), not the paper's, whose outputs are lost. How often a right 95% conclusion is drawn "
        "follows Φ(d/SE − 1.645), SE ∝ 1/√n: off by "
        f"{off:.1%} on average. A wrong one follows Φ(−d/SE − 1.645)."
    )
    return Exhibit("Table 3", "95% conclusions by pair and size", "theory", rows, says, off < 0.05)


def _pairs(conclusions: ConclusionRates) -> str:
    count = len(conclusions.pairs)
    return f"the {count}" if count > 1 else "the one"


def counted(conclusions: ConclusionRates) -> Exhibit:
    """Return how many conclusions tables 3 and 4 rest on."""
    nine = len(conclusions.pairs) == NINE
    printed = sum(count for _, count, _ in _BINS)
    rows = [compared({"what": "the bins of table 4 added"}, printed, NINE * sum(SETS), 0)]
    if not nine:
        rows.append({"what": "conclusions on these data", "printed": "", "ours": f"{conclusions.total}"})
    says = f"Nine pairs on 300 + 100 + 50 + 10 test sets make {NINE * sum(SETS)} conclusions" + (
        "." if nine else f"; these data have {len(conclusions.pairs)} and make {conclusions.total}."
    )
    return Exhibit("Tables 3 and 4", "Number of conclusions", "exact", tuple(rows), says, all_agree(rows[:1]))


def _table_4(conclusions: ConclusionRates) -> Exhibit:
    rows = []
    shares = []
    for (bound, count, right), (_, printed, share) in zip(conclusions.by_win_rate(), _BINS, strict=True):
        ours = right / count if count else float("nan")
        shares.append(ours)
        rows.append(
            {
                "win rate from": f"{bound:.0%}",
                "conclusions printed": printed,
                "conclusions": count,
                "right printed": f"{share}%",
                "right": f"{ours:.1%}" if count else "",
            }
        )
    known = [share for share in shares if share == share]
    falls = float(max(-np.diff(known[::-1]), default=0.0))
    # The shares are of few conclusions: a fall of some points is within what sampling does.
    rising = falls < 0.05
    but = f" (but for falls of at most {100 * falls:.1f} points)" if 0 < falls < 0.05 else ""
    even = sum(win.size for win in conclusions.wins) - sum(count for _, count, _ in conclusions.by_win_rate())
    at_95 = (
        f"; from 95 to 97.9% of redraws won, {shares[3]:.0%} of conclusions are right here" if rows[3]["right"] else ""
    )
    unsettled = f" {even} test sets ended even and conclude nothing." if even else ""
    says = (
        f"Accuracy {'rises' if rising else 'does not rise'}{but} with the win rate, but what it is worth depends "
        f"on how different the systems are{at_95}.{unsettled} Section 6 is wrong that one conclusion in 20 is expected "
        "to be wrong: that confuses an error rate under the null with a share of wrong conclusions."
    )
    return Exhibit("Table 4", "Accuracy by win rate", "shape", tuple(rows), says, rising, conclusions)
