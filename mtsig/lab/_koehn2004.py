"""Koehn 2004 reproduced: test sets of a population, Student's t, bootstrap intervals and paired bootstraps."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from mtsig._records import Floats
from mtsig.lab._exhibit import Evidence, Found, Paper, Step, all_agree, compared, exhibit
from mtsig.lab._experiments import run
from mtsig.lab._material import KOEHN, LabResult, Material, Population, records
from mtsig.lab._sampling import ConclusionRates, Conclusions, Coverage, CoverageRates
from mtsig.lab._test_sets import Length, LengthCurves, Variation, VariationOfScores
from mtsig.lab._words import law_text
from mtsig.lab._worlds import KOEHN_SCORES
from mtsig.metrics import METRICS, Bleu, Gtm, measure

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

NINE = 9
"""Pairs that tables 3 and 4 compare."""

SIZES, SETS = (100, 300, 600, 3000), (300, 100, 50, 10)
"""Sizes of the test sets of table 3, and how many of each 30,000 sentences make."""


_HUNDRED_SETS = Coverage(size=300, sets=100, interval="koehn")


def _with_gtm(text: Material) -> Material:
    """Return the material with BLEU and GTM alone, which figure 1 compares."""
    bleu, *_ = (counted for counted in text.statistics if type(counted.metric) is Bleu)
    words = (one for one in text.statistics if isinstance(one.metric, Gtm) and one.metric.part == Gtm().part)
    return Material((bleu, next(words, None) or measure(text.text, METRICS["gtm"])), text.corpus)


def nine_pairs(population: Population) -> tuple[tuple[str, str], ...]:
    """Return nine pairs: of the paper's six systems the neighbours by score and their neighbours, else the nearest."""
    ranked = [population.systems[i] for i in np.argsort(-population.truth, kind="stable")]
    near = [(ranked[i], ranked[i + gap]) for gap in (1, 2) for i in range(len(ranked) - gap)]
    near.sort(key=lambda pair: abs(population.true_difference(*pair)))
    return tuple(near[:NINE])


@exhibit("Table 1", "Systems and their scores", "exact")
def _table_1(evidence: Evidence) -> Found:
    population = evidence.population
    sums = population.statistics.sums
    precision = {
        name: {f"{order}-gram precision": f"{sums[1 + order, s] / sums[5 + order, s]:.3f}" for order in (1, 4)}
        for s, name in enumerate(population.systems)
    }
    true = dict(zip(population.systems, population.truth, strict=True))
    if evidence.real:
        rows = tuple({"system": name, "score": float(true[name]), **precision[name]} for name in population.systems)
        says = "The table has the systems of your data, on all segments. The paper's six systems had 28.9 to 20.2 BLEU."
        return Found(rows, says, kind="shape", needs="the outputs of the paper's six systems, which are not available")
    printed = dict(zip(population.systems, KOEHN_SCORES, strict=True))
    table_rows = [
        *({**compared({"system": name}, printed[name], float(true[name]), 1), **precision[name]} for name in printed),
        *(
            compared({"system": f"{x} minus {y}"}, printed[x] - printed[y], population.true_difference(x, y), 1)
            for x, y in nine_pairs(population)
        ),
    ]
    says = (
        "The simulated systems were made to have the printed scores, so they also have the printed differences. These "
        "are shown for the nine pairs of table 3: systems that differ by one or two ranks."
    )
    return Found(table_rows, says, all_agree(table_rows))


@exhibit("Figure 1", "Scores by length ratio")
def _figure_1(lengths: LengthCurves) -> Found:
    shorter = lengths.ratio < 0.9
    loss = 1 - lengths.penalty[shorter].min() if shorter.any() else 0.0
    says = f"{law_text(lengths)} In the printed paper, equation 1 lacks the weights 1/4."
    return Found(lengths.rows(), says, bool(loss > 0.3), lengths)


@exhibit("Figures 2 to 4", "Consecutive and broad test sets")
def _figures_2_to_4(variation: VariationOfScores) -> Found:
    ratio = float(np.median(variation.ratio))
    # More than 1 shows nothing where most random orders of the same segments vary as much.
    holds = None if ratio <= np.median(variation.by_chance) else True
    return Found(
        variation.rows(), law_text(variation), holds, variation, needs="more documents, and longer ones, in their order"
    )


@exhibit("Table 2", "Student's t", "exact")
def t_factors() -> Found:
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
        "With n degrees of freedom, as in the paper, all but three numbers are reproduced: two differ in the last "
        "digit, and 1.9849 is a misprint of 1.9840. The correct number of degrees of freedom is n − 1, which gives "
        "1.9842."
    )
    return Found(rows, says, all_agree(rows))


@exhibit("Section 4", "30 right of 100", "exact")
def thirty_of_a_hundred() -> Found:
    """Return the interval of 30 right of 100 by t, and by Wilson, which shares call for."""
    share, n = 0.3, 100
    half = scipy.stats.t.ppf(0.975, n) * np.sqrt(share * (1 - share) * n / (n - 1)) / np.sqrt(n)
    z = scipy.stats.norm.ppf(0.975)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    wide = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    rows = [compared({"end": "lower"}, 0.209, share - half, 3), compared({"end": "upper"}, 0.391, share + half, 3)]
    says = f"For a share, Wilson's interval is more suitable: {centre - wide:.3f} to {centre + wide:.3f}."
    return Found(rows, says, all_agree(rows))


@dataclass(frozen=True, eq=False)
class MeanInterval(LabResult):
    """A mean of n segments with Student's t interval: where other test sets of n segments would have theirs.

    x, density: shape (z,), the t distribution around the mean, with n degrees of freedom as the paper takes them.
    """

    mean: float
    low: float
    high: float
    x: Floats
    density: Floats

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per point of the curve."""
        return records(x=self.x, density=self.density)


@exhibit("Figure 5", "Student's t around a mean", "theory")
def figure_five() -> Found:
    """Return the t distribution around the mean of section 4's example, and what its interval holds."""
    share, n = 0.3, 100
    error = np.sqrt(share * (1 - share) / (n - 1))
    law = scipy.stats.t(n, share, error)
    low, high = (float(law.ppf(end)) for end in (0.025, 0.975))
    x = np.linspace(share - 4 * error, share + 4 * error, 121)
    held = float(scipy.integrate.quad(law.pdf, low, high)[0])
    rows = [compared({"what": "area between the ends"}, 0.95, held, 2)]
    says = (
        f"The area under the curve is {held:.2f} from {low:.3f} to {high:.3f}, the mean ± t·s/√n. If this were the "
        "true mean, 95% of other test sets would have a mean in this range. That is not a probability of 95% for the "
        "true mean."
    )
    return Found(rows, says, all_agree(rows), MeanInterval(share, low, high, x, law.pdf(x)))


@exhibit("Figure 6", "Intervals of 100 test sets")
def _figure_6(coverage: CoverageRates) -> Found:
    chance = float(scipy.stats.binom.cdf(3, 100, 0.05))
    held = f"{coverage.sets - coverage.misses}"
    what = {"what": "intervals of 100 that contain the true score", "printed": "97", "ours": held}
    rows = ({**what, "note": "drawn again" if coverage.sets == 100 else f"of {coverage.sets}"},)
    says = (
        f"{law_text(coverage)} In the paper, 3 of 100 intervals miss. This does not show that the method is "
        f"conservative: with a miss rate of 5%, 3 or fewer misses occur with probability {chance:.2f}."
    )
    return Found(rows, says, coverage.p_value > 0.01, coverage)


@exhibit("Figures 7 and 8", "Win rates on sets of 300")
def _figures_7_8(conclusions: ConclusionRates) -> Found:
    (better, worse), wins = zip(*conclusions.pairs, strict=True), conclusions.wins[1]
    named = {
        "true difference": conclusions.difference, "median win rate": np.median(wins, axis=1),
        "sets at 95% or more": np.sum(wins >= 0.95, axis=1), "sets": wins.shape[1],
    }  # fmt: skip
    rows = records(better=better, worse=worse, **named)
    says = (
        "The win rate is one minus a one-sided bootstrap p-value. If the direction is chosen after seeing the result, "
        "“95%” finds a difference in 10 to 12% of cases in which the systems do not differ."
    )
    difference, concluded = conclusions.difference, named["sets at 95% or more"]
    holds = None
    if len(rows) > 2 and np.ptp(difference) > 0 and np.ptp(concluded) > 0:
        holds = bool(scipy.stats.spearmanr(difference, concluded).statistic > 0)
        says += f" The larger the true difference, the {'more' if holds else 'fewer'} test sets reach 95%."
    needs = "at least three pairs of systems with different differences"
    return Found(rows, says, holds, conclusions, needs=needs)


@exhibit("Table 3", "95% conclusions by pair and size", "theory")
def _table_3(conclusions: ConclusionRates) -> Found:
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
    pairs = len(rows) if len(rows) > 1 else "one"
    says = (
        f"The pairs differ by one or two ranks in score (the {pairs} with the smallest differences). They are pairs of "
        "these systems, as the paper's outputs are lost. By theory, the share of correct 95% conclusions is Φ(d/SE − "
        f"1.645) with SE ∝ 1/√n. It is off by {off:.1%} on average. The share of wrong conclusions is Φ(−d/SE − 1.645)."
    )
    return Found(rows, says, off < 0.05)


@exhibit("Tables 3 and 4", "Number of conclusions", "exact")
def counted(conclusions: ConclusionRates) -> Found:
    """Return how many conclusions tables 3 and 4 are based on."""
    nine = len(conclusions.pairs) == NINE
    printed = sum(count for _, count, _ in _BINS)
    rows = [compared({"what": "sum of the bins of table 4"}, printed, NINE * sum(SETS), 0)]
    if not nine:
        rows.append({"what": "conclusions on these data", "printed": "", "ours": f"{conclusions.total}"})
    says = f"Nine pairs on 300 + 100 + 50 + 10 test sets make {NINE * sum(SETS)} conclusions" + (
        "." if nine else f"; these data have {len(conclusions.pairs)} and make {conclusions.total}."
    )
    return Found(rows, says, all_agree(rows[:1]))


@exhibit("Table 4", "Accuracy by win rate")
def _table_4(conclusions: ConclusionRates) -> Found:
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
    but = f" (except for decreases of at most {100 * falls:.1f} points)" if 0 < falls < 0.05 else ""
    even = sum(win.size for win in conclusions.wins) - sum(count for _, count, _ in conclusions.by_win_rate())
    at_95 = (
        f"; here {shares[3]:.0%} of conclusions with a win rate of 95 to 97.9% are correct" if rows[3]["right"] else ""
    )
    unsettled = f" On {even} test sets, both systems won equally often, so there is no conclusion." if even else ""
    says = (
        f"Accuracy {'rises' if rising else 'does not rise'} with the win rate{but}, but also depends on how different "
        f"the systems are{at_95}.{unsettled} Section 6 states that one conclusion in 20 is expected to be wrong. This "
        "is not correct. It confuses an error rate under the null hypothesis with a share of wrong conclusions."
    )
    return Found(rows, says, rising, conclusions)


def _concluded(evidence: Evidence, executor: Executor | None) -> ConclusionRates:
    plan = Conclusions(sizes=SIZES, sets=SETS, pairs=nine_pairs(evidence.population))
    conclusions: ConclusionRates = run(plan, evidence.population, executor)
    return conclusions


def _varied(evidence: Evidence, executor: Executor | None) -> VariationOfScores:
    # 0 leaves the size to the experiment: 50, or less where there are few segments.
    size = 300 if evidence.population.size >= 30_000 else 0
    variation: VariationOfScores = run(Variation(size=size), evidence.population, executor)
    return variation


PAPER = Paper(
    "koehn2004",
    KOEHN,
    (
        Step([_table_1], lambda evidence, _: evidence),
        Step([_figure_1], lambda evidence, executor: run(Length(), _with_gtm(evidence.text), executor)),
        Step([_figures_2_to_4], _varied),
        Step([t_factors, thirty_of_a_hundred, figure_five]),
        Step([_figure_6], lambda evidence, executor: run(_HUNDRED_SETS, evidence.population, executor)),
        Step([_figures_7_8, _table_3, counted, _table_4], _concluded),
    ),
)
