"""What metrics and people say of the same pairs, and how many points mean something, in words and tables.

In the examples `rated` has nine systems, rated by people (esa), by a metric that follows them (near) and by one that
does not (far).
"""

from collections.abc import Sequence

from mtsig._probability import level_text, points_text
from mtsig.corpus import Corpus
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import Family, verdict
from mtsig.meta_eval import STATISTICS, MetaEval, MetricAgreement, PairwiseAccuracy
from mtsig.meta_eval._blind_spots import SameOutputs, SameScore, Underrated
from mtsig.meta_eval._delta_accuracy import Curve, Meant, VerdictTable
from mtsig.report._table import Column, Table

_WORDS = {
    "contradiction": "Significant in both, in opposite directions",
    "same": "Significant in both, in the same direction",
    "human_only": "Significant in the human ratings only",
    "metric_only": "Significant in the metric only",
    "neither": "Significant in neither",
    "withheld": "Withheld in the human ratings or the metric",
}
"""What a page calls the six outcomes."""

_FLAGS = {"underrated": "underrates", "overrated": "overrates"}
"""What a metric does to a system that has the flag."""
_NAMED = 3
"""Metrics that a title names."""


def trust_title(trust: MetaEval, family: Family | None, statistic: str) -> str:
    """Return which metric agrees best with the human ratings, as the title of a page.

    family: the comparisons of the metrics by the statistic; None where there are none.
    """
    if family is None or len(family.order) < 2:
        metric = _leading(trust, statistic)
        value = next((row.value for row in trust if (row.metric, row.statistic) == (metric, statistic)), float("nan"))
        if value != value:
            return f"{metric} and the human ratings: {STATISTICS[statistic].label} is undefined"
        return f"{metric} agrees with the human ratings at {value:.3f} ({STATISTICS[statistic].label})"
    best, *others = family.order
    won = [comparison for comparison in family if verdict(comparison).winner == best]
    behind = {name for comparison in won for name in (comparison.first, comparison.second)}
    close = [best, *(name for name in others if name not in behind)]
    tested = "" if len(family.order) == len({row.metric for row in trust}) else "tested "
    if len(close) == 1:
        return f"{best} agrees best with the human ratings among {number_of(len(family.order), f'{tested}metric')}"
    if len(close) <= _NAMED:
        return f"Too close to call: {listed(close, 'or')} may agree best with the human ratings"
    return f"Too close to call: any of {len(close)} {tested}metrics may agree best with the human ratings"


def trust_headline(trust: MetaEval, family: Family | None, statistic: str) -> str:
    """Return in one sentence which metric no other is shown better than, and on how many pairs people agree with it.

    trust: the pairwise accuracy and the statistic of every metric. family: as for the title.
    """
    systems = f"On these {number_of(len(trust.rated.systems), 'system')}"
    if family is None:
        metric = _leading(trust, statistic)
        return f"{systems} {_agree(trust.of(metric, 'accuracy'))}."
    best = family.order[0]
    winners = [verdict(comparison).winner for comparison in family if best in (comparison.first, comparison.second)]
    above = [name for name in winners if name is not None and name != best]
    below = [
        comparison.first if comparison.second == best else comparison.second
        for comparison in family
        if verdict(comparison).winner == best
    ]
    label = STATISTICS[statistic].label
    said = f"{listed(above) if above else 'no metric'} is significantly better than {best}"
    worse = f", and {best} is significantly better than {listed(below)}" if below else ""
    value = {row.metric: row.value for row in trust if row.statistic == statistic}
    untested = [
        f"{name} ({value[name]:.3f})"
        for name in value
        if name not in family.systems and value[name] > value.get(best, float("nan"))
    ]
    more = f"; higher but not tested: {listed(untested)}" if untested else ""
    return f"{systems} {said}{worse} ({label}{more}); {_agree(trust.of(best, 'accuracy'))}."


def _leading(trust: MetaEval, statistic: str) -> str:
    """Return the metric with the largest value; the first where none has one."""
    of_statistic = [row for row in trust if row.statistic == statistic]
    rows = of_statistic or [row for row in trust if row.statistic == PairwiseAccuracy.name]
    return max(rows, key=lambda row: float("-inf") if row.value != row.value else row.value).metric


def _agree(row: MetricAgreement) -> str:
    interval = ""
    if row.ci_low == row.ci_low:
        interval = f", {level_text(row.level)} CI {row.ci_low:.0%} to {row.ci_high:.0%}"
    share = "" if row.value != row.value else f" ({row.value:.0%}{interval})"
    pairs = number_of(row.groups, "pair", ",")
    return f"{row.metric} and the human ratings agree in sign on {row.right:,.0f} of {pairs}{share}"


def other_humans_text(trust: MetaEval, statistic: str) -> str:
    """Return what comes out with human translations among the systems, or without; empty where none is there."""
    rated = trust.rated
    rows = [row for row in trust if row.statistic == statistic and row.with_humans == row.with_humans]
    try:
        other = rated.under("include" if rated.humans == "exclude" else "exclude")
    except NotApplicable:
        return ""
    if not rows:
        return ""
    how = "With" if other.humans == "include" else "Without"
    each = listed([_both(row.metric, row.with_humans, row.value) for row in rows])
    return f"{how} human translations ({number_of(len(other.systems), 'system')}): {each}."


def _both(metric: str, other: float, here: float) -> str:
    return f"{metric} {points_text(other, 3)} (here {points_text(here, 3)})"


def without_text(trust: MetaEval, statistic: str) -> str:
    """Return what comes out without the systems that were named; empty where none was."""
    rows = [row for row in trust if row.statistic == statistic and row.without_named == row.without_named]
    if not trust.without or not rows:
        return ""
    left = len(trust.rated.systems) - len(trust.without)
    each = listed([_both(row.metric, row.without_named, row.value) for row in rows])
    return f"Without {listed(trust.without)} ({number_of(left, 'system')}): {each}."


def verdict_counts_table(verdict_table: VerdictTable) -> Table:
    """Return how many pairs there are of every kind, contradictions first, beside what chance would give."""
    return Table.of_rows(
        f"{number_of(len(verdict_table.pairs), 'pair')} of systems by {verdict_table.human} and by "
        f"{verdict_table.metric}, each corrected for its own family. By chance: expected if verdicts were independent.",
        verdict_table.counts,
        Column("significant in", of=lambda count: _WORDS[count.said]),
        Column("pairs", "count"),
        Column("share", "share"),
        Column("by chance", "score", 1),
        name="verdicts",
    )


def verdict_pairs_table(verdict_table: VerdictTable) -> Table:
    """Return every pair with what people and the metric say of it, contradictions first."""
    decimals = {"human": verdict_table.human_decimals, "metric": verdict_table.metric_decimals}
    human, metric = (
        (
            Column(f"Δ {called}", "difference", decimals[of], of=f"{of}_difference"),
            Column(f"CI, {called}", "interval", decimals[of], signed=True, of=f"{of}_low {of}_high"),
            Column(f"adjusted p, {called}", "p", of=f"{of}_p"),
        )
        for of, called in (("human", verdict_table.human), ("metric", verdict_table.metric))
    )
    return Table.of_rows(
        "Differences: first minus second, positive where the first is better. Detectable: difference in the human "
        "ratings that would be detected with 80% power.",
        verdict_table.pairs,
        Column("first"),
        Column("second"),
        Column("significant in", of=lambda pair: _WORDS[pair.said].removeprefix("Significant in ")),
        *human,
        Column("detectable", "score", decimals["human"], of="human_detectable"),
        *metric,
        name="verdicts",
    )


def underrated_text(underrated: Underrated) -> str:
    """Return in a sentence whom the metric under- or overrates, on these systems."""
    flagged = sorted(
        (residual for residual in underrated.residuals if residual.flag), key=lambda residual: -abs(residual.mads)
    )
    if not flagged:
        return f"{underrated.metric} does not significantly under- or overrate any of these systems."
    return " ".join(
        f"{underrated.metric} {_FLAGS[residual.flag]} {residual.system}: its human score is {abs(residual.mads):.1f} "
        f"MADs {'above' if residual.residual > 0 else 'below'} the value predicted from its metric score."
        for residual in flagged
    )


def underrated_table(underrated: Underrated) -> Table:
    """Return every system's distance from what the metric suggests, the largest first."""
    return Table.of_rows(
        f"Human score minus the value that {underrated.metric} predicts (Theil–Sen line), in points of the rating. "
        "Flagged if it exceeds 2.5 MADs and its confidence interval excludes 0. Studentised residuals of least "
        "squares can mask two similar outliers.",
        sorted(underrated.residuals, key=lambda residual: -abs(residual.residual)),
        Column("system"),
        Column("residual", "difference", 3),
        Column("CI", "interval", 3, signed=True),
        Column("MADs", "difference", 1, of="mads"),
        Column("flagged", of="flag"),
        Column("studentised", "difference", 2, of="studentized"),
        name="underrated",
    )


def same_score_table(same_scores: Sequence[SameScore]) -> Table:
    """Return the pairs that people tell apart although the metric does not."""
    return Table.of_rows(
        "Pairs that differ significantly in the human ratings but not in the metric, where the metric difference is "
        "below its detectable size.",
        same_scores,
        Column("raters prefer", of="better"),
        Column("to", of="worse"),
        Column("human difference", "difference", 3),
        Column("metric difference", "difference", 3),
        Column("why"),
        name="same score",
    )


def same_outputs_table(same_outputs: Sequence[SameOutputs], corpus: Corpus) -> Table:
    """Return pairs of outputs with one score that people rate far apart; segments have their numbers in the data."""
    return Table.of_rows(
        "Different outputs of one segment to which the metric gives the same score. Noise: mean difference between "
        "human ratings of identical outputs.",
        same_outputs,
        Column("segment", "count", of=lambda row: corpus.numbers[row.segment]),
        Column("raters prefer", of="better"),
        Column("to", of="worse"),
        Column("metric score of both", "number", of="score"),
        Column("difference in ratings", "number", of="gap"),
        Column("noise", "number"),
        name="same outputs",
    )


SHARES = (0.8, 0.9, 0.95)
"""How often people shall agree: the shares for which the difference that it takes is given."""


def meaning_text(curve: Curve, difference: float) -> str:
    """Return what people make of a difference, on these systems and segments, in sentences."""
    meant = curve.at(difference)
    lead = f"A difference of {difference:g} {curve.metric}: "
    if not meant.pairs and difference < curve.differences[0]:
        return f"{lead}no pair of these systems has a difference this small, so it cannot be interpreted."
    band = (
        ""
        if meant.ci_low != meant.ci_low
        else f" ({level_text(curve.level)} band {meant.ci_low:.0%} to {meant.ci_high:.0%})"
    )
    return (
        f"{lead}raters preferred the higher-scored system in {meant.share:.0%} of such pairs{band}, on these systems "
        f"and segments. This is based on {number_of(meant.pairs, 'pair')} within a fifth of the difference."
    )


def meant_table(meant: Sequence[Meant]) -> Table:
    """Return a row for every metric and difference that was asked for."""
    return Table.of_rows(
        "How often the human ratings have the same order when a metric's scores differ by this much, on these systems "
        "and segments. This describes agreement with human ratings. It is not a significance test.",
        meant,
        Column("metric"),
        Column("difference", "number"),
        Column("raters agree", "share", of="share"),
        Column("band from", "share", of="ci_low"),
        Column("band to", "share", of="ci_high"),
        Column("pairs near it", "count", of="pairs"),
        name="meant",
    )


def needed_table(curves: Sequence[Curve]) -> Table:
    """Return from which difference on people agree so often, by the curve and by the lower end of its band."""
    rows = [(curve, curve.needed(share)) for curve in curves for share in SHARES]
    return Table.of_rows(
        "The smallest difference at which the human ratings agree this often, on these systems and segments.",
        rows,
        Column("metric", of=lambda row: row[0].metric),
        Column("raters agree", "share", of=lambda row: row[1].share),
        Column("from a difference of", "number", of=lambda row: _reached(row[1].difference)),
        Column("from (lower end of the band)", "number", of=lambda row: _reached(row[1].sure)),
        Column("pairs", "count", of=lambda row: len(row[0].differences)),
        name="needed",
    )


def _reached(difference: float) -> float | str:
    return "not reached" if difference != difference else difference
