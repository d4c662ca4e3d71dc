"""What metrics and people say of the same pairs, and how many points mean something, in words and tables.

In the examples `judged` has five systems, rated by people (esa), by a metric that follows them (near) and by one that
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
from mtsig.report._table import Column, Table, known, known_ends

_WORDS = {
    "both, contrary": "Both, contrary: people say one, the metric the other",
    "both, same": "Both, the same system",
    "people only": "People only: the metric does not",
    "metric only": "Metric only: people do not, on these ratings",
    "neither": "Neither",
    "withheld": "Withheld by people or metric",
}
"""What a page calls the six outcomes."""


def trust_headline(trust: MetaEval, family: Family | None, statistic: str) -> str:
    """Return in one sentence which metric no other is shown better than, and on how many pairs people agree with it.

    >>> import mtsig
    >>> from mtsig.report._agreement import trust_headline
    >>> from mtsig.meta_eval import compare_metrics, meta_eval
    >>> settings = mtsig.Settings(n_resamples=100)
    >>> result = meta_eval(judged, ["accuracy"], settings=settings)
    >>> metrics = compare_metrics(judged, settings=settings)
    >>> print(trust_headline(result, metrics, "spa"))  # doctest: +NORMALIZE_WHITESPACE
    On these 5 systems no metric is shown better than near, and near is shown better than far (soft pairwise
    accuracy); near and people agree in sign on 10 of 10 pairs (100%, 95% interval 100% to 100%).

    Args:
        trust: the pairwise accuracy and the statistic of every metric.
        family: the comparisons of the metrics by the statistic; None where there are none.
        statistic: its name.
    """
    systems = f"On these {number_of(len(trust.judged.systems), 'system')}"
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
    said = f"{listed(above) if above else 'no metric'} is shown better than {best}"
    worse = f", and {best} is shown better than {listed(below)}" if below else ""
    value = {row.metric: row.value for row in trust if row.statistic == statistic}
    untested = [
        f"{name} ({value[name]:.3f})"
        for name in value
        if name not in family.systems and value[name] > value.get(best, float("nan"))
    ]
    more = f", and {listed(untested)} reaches more untested" if len(untested) == 1 else ""
    more = f", and {listed(untested)} reach more untested" if len(untested) > 1 else more
    return f"{systems} {said}{worse} ({label}{more}); {_agree(trust.of(best, 'accuracy'))}."


def _leading(trust: MetaEval, statistic: str) -> str:
    """Return the metric with the largest value; the first where none has one."""
    of_statistic = [row for row in trust if row.statistic == statistic]
    rows = of_statistic or [row for row in trust if row.statistic == PairwiseAccuracy.name]
    return max(rows, key=lambda row: float("-inf") if row.value != row.value else row.value).metric


def _agree(row: MetricAgreement) -> str:
    interval = ""
    if row.ci_low == row.ci_low:
        interval = f", {level_text(row.level)} interval {row.ci_low:.0%} to {row.ci_high:.0%}"
    share = "" if row.value != row.value else f" ({row.value:.0%}{interval})"
    return f"{row.metric} and people agree in sign on {row.right:.0f} of {number_of(row.groups, 'pair')}{share}"


def other_humans_text(trust: MetaEval, statistic: str) -> str:
    """Return what comes out with human translations among the systems, or without; empty where none is there.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report._agreement import other_humans_text
    >>> from mtsig.meta_eval import RatedData, meta_eval
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(5)[:, None] + rng.normal(size=(5, 40))
    >>> scores = {"esa": people, "near": people + rng.normal(size=(5, 40)), "far": rng.normal(size=(5, 40))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in scores.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys(["A", "B", "C", "D", "refA"]), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> print(other_humans_text(meta_eval(judged, ["pearson"], settings=mtsig.Settings(n_resamples=100)), "pearson"))
    With human translations (5 systems): near 0.999 (here 0.999) and far −0.592 (here 0.096).
    """
    judged = trust.judged
    rows = [row for row in trust if row.statistic == statistic and row.with_humans == row.with_humans]
    try:
        other = judged.under("include" if judged.humans == "exclude" else "exclude")
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
    """Return what comes out without the systems that were named; empty where none was.

    >>> import mtsig
    >>> from mtsig.report._agreement import without_text
    >>> from mtsig.meta_eval import meta_eval
    >>> told = meta_eval(judged, ["pearson"], settings=mtsig.Settings(n_resamples=100), without=["A"])
    >>> print(without_text(told, "pearson"))
    Without A (4 systems): near 0.999 (here 0.999) and far −0.908 (here −0.592).
    """
    rows = [row for row in trust if row.statistic == statistic and row.without_named == row.without_named]
    if not trust.without or not rows:
        return ""
    left = len(trust.judged.systems) - len(trust.without)
    each = listed([_both(row.metric, row.without_named, row.value) for row in rows])
    return f"Without {listed(trust.without)} ({number_of(left, 'system')}): {each}."


def verdict_counts_table(verdict_table: VerdictTable) -> Table:
    """Return how many pairs there are of every kind, contradictions first, beside what chance would give.

    >>> import mtsig
    >>> from mtsig.report._agreement import verdict_counts_table
    >>> from mtsig.meta_eval import verdict_table
    >>> verdict_counts_table(verdict_table(judged, "far", mtsig.Settings(n_resamples=500))).texts[2][:2]
    ('People only: the metric does not', '10')
    """
    return Table.of(
        f"{number_of(len(verdict_table.pairs), 'pair')} of systems by {verdict_table.human} and by "
        f"{verdict_table.metric}, each corrected for "
        "its own family. By chance: were the two verdicts independent.",
        (Column("who separates them"), [_WORDS[count.said] for count in verdict_table.counts]),
        (Column("pairs", "count"), [count.pairs for count in verdict_table.counts]),
        (Column("share", "share"), [count.share for count in verdict_table.counts]),
        (Column("by chance", "score", 1), [known(count.by_chance) for count in verdict_table.counts]),
        name="verdicts",
    )


def verdict_pairs_table(verdict_table: VerdictTable) -> Table:
    """Return every pair with what people and the metric say of it, contradictions first.

    >>> import mtsig
    >>> from mtsig.report._agreement import verdict_pairs_table
    >>> from mtsig.meta_eval import verdict_table
    >>> verdict_pairs_table(verdict_table(judged, "far", mtsig.Settings(n_resamples=500))).texts[0][:3]
    ('E', 'D', 'people only')
    """
    pairs = verdict_table.pairs
    human, metric = verdict_table.human_decimals, verdict_table.metric_decimals
    return Table.of(
        "Differences: first minus second, positive where the first is better. Detectable: the difference that people's "
        "ratings would have shown with 80% power.",
        (Column("first"), [pair.first for pair in pairs]),
        (Column("second"), [pair.second for pair in pairs]),
        (Column("who separates them"), [pair.said for pair in pairs]),
        (Column(f"Δ {verdict_table.human}", "difference", human), [pair.human_difference for pair in pairs]),
        (
            Column(f"interval, {verdict_table.human}", "interval", human, signed=True),
            [known_ends(pair.human_low, pair.human_high) for pair in pairs],
        ),
        (Column(f"corrected p, {verdict_table.human}", "p"), [pair.human_p for pair in pairs]),
        (Column("detectable", "score", human), [known(pair.human_detectable) for pair in pairs]),
        (Column(f"Δ {verdict_table.metric}", "difference", metric), [pair.metric_difference for pair in pairs]),
        (
            Column(f"interval, {verdict_table.metric}", "interval", metric, signed=True),
            [known_ends(pair.metric_low, pair.metric_high) for pair in pairs],
        ),
        (Column(f"corrected p, {verdict_table.metric}", "p"), [pair.metric_p for pair in pairs]),
        name="verdicts",
    )


def underrated_text(underrated: Underrated) -> str:
    """Return in a sentence whom the metric under- or overrates, on these systems.

    >>> from mtsig.report._agreement import underrated_text
    >>> from mtsig.meta_eval._blind_spots import Underrated
    >>> print(underrated_text(Underrated("bleu", 1.2, ())))
    No system is shown to be under- or overrated by bleu, beside these others.
    """
    flagged = sorted(
        (residual for residual in underrated.residuals if residual.flag), key=lambda residual: -abs(residual.mads)
    )
    if not flagged:
        return f"No system is shown to be under- or overrated by {underrated.metric}, beside these others."
    return " ".join(
        f"{underrated.metric} {residual.flag[:-1]}s {residual.system}: people are {abs(residual.mads):.1f} MADs "
        f"{'above' if residual.residual > 0 else 'below'} what its score suggests."
        for residual in flagged
    )


def underrated_table(underrated: Underrated) -> Table:
    """Return every system's distance from what the metric suggests, the largest first.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report._agreement import underrated_table
    >>> from mtsig.resampling import Bootstrap
    >>> from mtsig.meta_eval import RatedData, underrated
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(7)[:, None] + rng.normal(size=(7, 40))
    >>> scores = {"esa": people, "near": people + rng.normal(size=(7, 40)), "far": rng.normal(size=(7, 40))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in scores.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFG"), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> table = underrated_table(underrated(judged, "near", scheme=Bootstrap(100)))
    >>> table.header[:2], table.texts[0][:2]
    (('system', 'residual'), ('E', '−0.210'))
    """
    rows = sorted(underrated.residuals, key=lambda residual: -abs(residual.residual))
    return Table.of(
        f"People's score less what {underrated.metric} suggests (Theil–Sen line), in their points. Flagged: more than "
        "2.5 "
        "MADs, and an interval without 0. The studentised residual of least squares hides two outliers of a kind.",
        (Column("system"), [row.system for row in rows]),
        (Column("residual", "difference", 3), [row.residual for row in rows]),
        (Column("interval", "interval", 3, signed=True), [known_ends(row.ci_low, row.ci_high) for row in rows]),
        (Column("MADs", "difference", 1), [known(row.mads) for row in rows]),
        (Column("flagged"), [row.flag or None for row in rows]),
        (Column("studentised", "difference", 2), [known(row.studentized) for row in rows]),
        name="underrated",
    )


def same_score_table(same_scores: Sequence[SameScore]) -> Table:
    """Return the pairs that people tell apart although the metric does not.

    >>> from mtsig.report._agreement import same_score_table
    >>> from mtsig.meta_eval._blind_spots import SameScore
    >>> table = same_score_table([SameScore("A", "B", 2.5, 0.1, "no difference was found")])
    >>> table.header[:3], table.texts[0][:3]
    (('people prefer', 'to', "people's difference"), ('A', 'B', '+2.500'))
    """
    return Table.of(
        "People separate these pairs; the metric does not, and its difference is smaller than it could have found.",
        (Column("people prefer"), [same_score.better for same_score in same_scores]),
        (Column("to"), [same_score.worse for same_score in same_scores]),
        (Column("people's difference", "difference", 3), [same_score.human_difference for same_score in same_scores]),
        (Column("metric's difference", "difference", 3), [same_score.metric_difference for same_score in same_scores]),
        (Column("why"), [same_score.why for same_score in same_scores]),
        name="same score",
    )


def same_outputs_table(same_outputs: Sequence[SameOutputs], corpus: Corpus) -> Table:
    """Return pairs of outputs with one score that people rate far apart; segments have their numbers in the data.

    >>> import mtsig
    >>> from mtsig.report._agreement import same_outputs_table
    >>> from mtsig.meta_eval._blind_spots import SameOutputs
    >>> corpus = mtsig.Corpus.of({"A": ["yes", "no"], "B": ["yes", "not"]}, {"ref": ["yes", "none"]})
    >>> same_outputs_table([SameOutputs(1, "A", "B", 0.5, 40.0, 5.0)], corpus).texts
    (('2', 'A', 'B', '0.5', '40', '5'),)
    """
    return Table.of(
        "Different outputs of one segment with the same score by the metric. Noise: by how much people rate identical "
        "outputs apart, in the mean.",
        (Column("segment", "count"), [corpus.numbers[row.segment] for row in same_outputs]),
        (Column("people prefer"), [row.better for row in same_outputs]),
        (Column("to"), [row.worse for row in same_outputs]),
        (Column("metric's score of both", "number"), [row.score for row in same_outputs]),
        (Column("people's gap", "number"), [row.gap for row in same_outputs]),
        (Column("noise", "number"), [known(row.noise) for row in same_outputs]),
        name="same outputs",
    )


SHARES = (0.8, 0.9, 0.95)
"""How often people shall agree: the shares for which the difference that it takes is given."""


def meaning_text(curve: Curve, difference: float) -> str:
    """Return what people make of a difference, on these systems and segments, in sentences.

    >>> from mtsig.report._agreement import meaning_text
    >>> from mtsig.resampling import Bootstrap
    >>> from mtsig.meta_eval import delta_accuracy
    >>> curve = delta_accuracy(judged, "near", scheme=Bootstrap(100))
    >>> print(meaning_text(curve, 1.0))  # doctest: +NORMALIZE_WHITESPACE
    A difference of 1 near: people preferred the higher-scored system in 100% of such pairs, on these systems and
    segments. 1 pair speaks for this, give or take a fifth of the difference.
    """
    meant = curve.at(difference)
    lead = f"A difference of {difference:g} {curve.metric}: "
    if not meant.pairs and difference < curve.differences[0]:
        return f"{lead}no pair of these systems differs by so little; nothing is known of it here."
    band = (
        ""
        if meant.ci_low != meant.ci_low
        else f" ({level_text(curve.level)} band {meant.ci_low:.0%} to {meant.ci_high:.0%})"
    )
    speak = "speaks" if meant.pairs == 1 else "speak"
    return (
        f"{lead}people preferred the higher-scored system in {meant.share:.0%} of such pairs{band}, on these systems "
        f"and segments. {number_of(meant.pairs, 'pair')} {speak} for this, give or take a fifth of the difference."
    )


def meant_table(meant: Sequence[Meant]) -> Table:
    """Return a row for every metric and difference that was asked for."""
    return Table.of(
        "How often people see the same order where a metric's scores differ by so much, on these systems and segments. "
        "It is no probability that a difference is real: that is what tests are for.",
        (Column("metric"), [row.metric for row in meant]),
        (Column("difference", "number"), [row.difference for row in meant]),
        (Column("people agree", "share"), [row.share for row in meant]),
        (Column("band from", "share"), [known(row.ci_low) for row in meant]),
        (Column("band to", "share"), [known(row.ci_high) for row in meant]),
        (Column("pairs near it", "count"), [row.pairs for row in meant]),
        name="meant",
    )


def needed_table(curves: Sequence[Curve]) -> Table:
    """Return from which difference on people agree so often, by the curve and by the lower end of its band.

    >>> from mtsig.report._agreement import needed_table
    >>> from mtsig.resampling import Bootstrap
    >>> from mtsig.meta_eval import delta_accuracy
    >>> needed_table([delta_accuracy(judged, "near", scheme=Bootstrap(100))]).texts[0]
    ('near', '80.0%', '0.673', 'not reached', '10')
    """
    rows = [(curve, curve.needed(share)) for curve in curves for share in SHARES]
    return Table.of(
        "The smallest difference at which people agree so often, on these systems and segments.",
        (Column("metric"), [curve.metric for curve, _ in rows]),
        (Column("people agree", "share"), [need.share for _, need in rows]),
        (Column("from a difference of", "number"), [_reached(need.difference) for _, need in rows]),
        (Column("surely from", "number"), [_reached(need.sure) for _, need in rows]),
        (Column("pairs", "count"), [len(curve.differences) for curve, _ in rows]),
        name="needed",
    )


def _reached(difference: float) -> float | str:
    return "not reached" if difference != difference else difference
