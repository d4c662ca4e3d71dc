"""Metrics held against people, what both say of the same pairs, and how many points mean something.

In the examples `rated` has nine systems, rated by people (esa), by a metric that follows them
(near) and by one that does not (far).
"""

from collections.abc import Sequence
from typing import Any

from mtsig import meta_eval
from mtsig._options import options
from mtsig._probability import interval_text, level_text, points_text, range_text
from mtsig.corpus import Corpus
from mtsig.corpus._notes import capital_first, listed, number_of
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, Comparison, Family, Settings
from mtsig.inference._corrections import correction_label
from mtsig.inference._ranks import ranks
from mtsig.inference._verdict import verdict
from mtsig.meta_eval import STATISTICS, ComparedMetrics, MetaEval, MetricAgreement, PairwiseAccuracy, RatedData
from mtsig.meta_eval._blind_spots import SameOutputs, SameScore, Underrated
from mtsig.meta_eval._delta_accuracy import Curve, Meant, VerdictTable
from mtsig.meta_eval._exchanges import Exchange
from mtsig.meta_eval._metric_agreement import Guarded
from mtsig.meta_eval._systems import AccuracyOverSets
from mtsig.report._bundle import _frame, _framed, _used
from mtsig.report._methods import Cite, Methods, joined, version_pieces
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


def trust_headline(trust: MetaEval, family: Family | None, statistic: str, *, brief: bool = False) -> str:
    """Return in one sentence which metric no other is shown better than, and on how many pairs people agree with it.

    trust: the pairwise accuracy and the statistic of every metric. family: as for the title. brief: below the title,
    on a phone: on how many pairs alone, or the interval of the title's number.
    """
    systems = f"On these {number_of(len(trust.rated.systems), 'system')}"
    if family is None:
        metric = _leading(trust, statistic)
        interval, pairs = _interval(trust, metric, statistic), f"{systems} {_agree(trust.of(metric, 'accuracy'))}."
        if interval:
            pairs = f"{interval} {systems.lower()}." if brief else f"{interval}. {pairs}"
        return f"{pairs} {undecided(trust)}".strip()
    best = family.order[0]
    winners = [verdict(comparison).winner for comparison in family if best in (comparison.first, comparison.second)]
    above = [name for name in winners if name is not None and name != best]
    below = [
        comparison.first if comparison.second == best else comparison.second
        for comparison in family
        if verdict(comparison).winner == best
    ]
    if brief and not above:
        return f"{systems} {_agree(trust.of(best, 'accuracy'))}. {undecided(trust)}".strip()
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
    return f"{systems} {said}{worse} ({label}{more}); {_agree(trust.of(best, 'accuracy'))}. {undecided(trust)}".strip()


def agreement_text(trust: MetaEval, statistic: str, guarded: Sequence[Guarded], *, brief: bool = False) -> str:
    """Return the metric's agreement, and its distance from the first sentinel that it is not shown to exceed."""
    metric = _leading(trust, statistic)
    row = next(row for row in guarded if row.metric == metric and row.sentence)
    level, ends = level_text(trust.of(metric, statistic).level), interval_text(row.ci_low, row.ci_high, decimals=3)
    side = f"{points_text(abs(row.difference), 3)} {'above' if row.difference >= 0 else 'below'}"
    label, systems = "" if brief else STATISTICS[statistic].label, number_of(len(trust.rated.systems), "system")
    evidence = ", ".join(filter(None, (label, _interval(trust, metric, statistic), systems)))
    text = f"Agreement {points_text(trust.of(metric, statistic).value, 3)} ({evidence}), {side} {row.sees_no_more_than}"
    text += f" ({level} CI of the difference {ends})"
    more = sentinels_text(guarded) if undecided(trust) else ""
    return f"{text}." if brief else f"{text}; {_agree(trust.of(metric, 'accuracy'))}. {more}".strip()


def sentinels_title(trust: MetaEval, guarded: Sequence[Guarded]) -> str:
    """Return that a metric is not shown to see more than sentinels do, or that the ratings cannot show it of any."""
    about = f"The ratings are not enough to assess {_leading(trust, '')}: {(few := _few_decided(trust))} in them"
    return about if few else sentinels_text(guarded).rstrip(".")


def undecided(trust: MetaEval) -> str:
    """Return the sentence that the ratings decide almost no pair, where that is so."""
    return f"In the ratings {few}." if (few := _few_decided(trust)) else ""


def _few_decided(trust: MetaEval) -> str:
    """Return how few pairs differ in the ratings: at most a tenth, and so few that a coin may well agree on them."""
    row = trust.of(trust.rated.names[0], PairwiseAccuracy.name)
    count, some = row.separated_pairs, "no pair of systems differs significantly"
    if count:
        some = (
            f"only {count:.0f} of {row.groups} pairs of systems {'differs' if count == 1 else 'differ'} significantly"
        )
    return some if count <= row.groups / 10 and 0.5**count > 1 - row.level else ""


def _interval(trust: MetaEval, metric: str, statistic: str) -> str:
    rows = [row for row in trust if (row.metric, row.statistic) == (metric, statistic) and row.ci_low == row.ci_low]
    said = [f"{level_text(row.level)} CI {interval_text(row.ci_low, row.ci_high, decimals=3)}" for row in rows]
    return "".join(said[:1])


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
    return f"{row.metric} and the human ratings prefer the same system in {row.right:,.0f} of {pairs}{share}"


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
        f"{verdict_table.metric}, each corrected for its own family. By chance: number if verdicts were independent.",
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
        "Differences: first minus second, so positive if the first is better. Detectable: difference in the human "
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
        "Flagged if it exceeds 2.5 MADs and its confidence interval excludes 0. Two similar outliers can mask each "
        "other in the studentised residuals of least squares.",
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
        "Pairs that differ significantly in the human ratings but not in the metric, although the metric would detect "
        "a larger difference than the observed one.",
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
        f"and segments. This is based on {number_of(meant.pairs, 'pair')} whose difference deviates from this one by "
        "at most a fifth."
    )


def meant_table(meant: Sequence[Meant]) -> Table:
    """Return a row for every metric and difference that was asked for."""
    return Table.of_rows(
        "How often the human ratings prefer the same system as a metric whose scores differ by this much, on these "
        "systems and segments. This describes agreement with human ratings. It is not a significance test.",
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
        "The smallest difference at which the human ratings agree so often, on these systems and segments.",
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


def trust_table(trust: MetaEval) -> Table:
    """Return a row for every metric and statistic; what belongs to one kind of statistic stands empty for others."""
    rows = _by_value(trust)
    rated = trust.rated
    people = "with human translations" if rated.humans == "include" else "without human translations"
    caption = (
        f"Compared with {trust.human} ratings on {len(rated.systems)} systems, {people}, and {rated.n:,} segments. "
        f"Intervals: percentiles of {trust.draws:,} resamples of {_over(trust)}, which are the same for all metrics; "
        f"seed {trust.seed}. Results apply to these systems and to similar ones only."
    )
    if trust.without:
        caption += f" Without named: without {listed(trust.without)}."
    if any(row.open_pairs == row.open_pairs for row in rows):
        caption += " Open pairs: pairs whose p in the human ratings is between .05 and .95."
    return Table.of_rows(
        caption,
        rows,
        Column("metric"),
        _STATISTIC,
        Column("value", "score", 3),
        Column(f"{level_text(rows[0].level)} CI", "interval", 3),
        Column("by"),
        Column("groups", "count"),
        Column("undefined", "count"),
        Column("tied by the metric", "count",
               of=lambda row: int(row.metric_ties) if row.statistic == PairwiseAccuracy.name else None),
        Column("open pairs", "share"),
        Column("without one system", "interval", 3, key="leave one out", of="loo_low loo_high"),
        Column("lowest, highest without",
               of=lambda row: ", ".join(filter(None, (row.loo_low_without, row.loo_high_without)))),
        Column("without outliers", "score", 3),
        Column("right, of separated", "range", of=_of_significant),
        Column("by theory", "interval", 3, of="theory_low theory_high"),
        Column("tie threshold", "number", of="epsilon"),
        Column("without threshold", "score", 3, of="at_zero"),
        Column("cross-fitted", "score", 3, of="crossfit"),
        Column("all ties", "score", 3, of="baseline"),
        Column("without humans" if rated.humans == "include" else "with humans", "score", 3, of="with_humans"),
        Column("without named", "score", 3),
        Column("p, no association", "p", of=lambda row: None if row.p != row.p else row.p),
        name="trust",
    )  # fmt: skip


_STATISTIC = Column("statistic", of=lambda row: STATISTICS[row.statistic].label)


def _of_significant(row: MetricAgreement) -> str | None:
    """Return on how many of the pairs that differ significantly in the ratings a metric agrees."""
    if row.separated_pairs != row.separated_pairs:
        return None
    return f"{row.separated_right:.0f} of {row.separated_pairs:.0f}"


def _by_value(trust: MetaEval) -> list[MetricAgreement]:
    """Return what each statistic says of the metrics, the highest value first; what has none last."""
    order = list(dict.fromkeys(row.statistic for row in trust))
    return sorted(trust, key=lambda row: (order.index(row.statistic), row.value != row.value, -row.value))


def metrics_table(family: Family) -> Table:
    """Return the comparisons of metrics: difference, interval, corrected p-value, verdict."""
    how = f"{STATISTICS[family.metric].label}; {family.test.label}; correction: {correction_label(family.correction)}"
    others = family.others if isinstance(family, ComparedMetrics) else None
    systems = [family.other_systems] if isinstance(family, ComparedMetrics) and others is not None else []
    exchanged = Column("p, systems exchanged", "p", of=lambda row: None if others is None else _p_of(others, row))
    return Table.of_rows(
        " ".join([f"{capital_first(how)}.", *systems, family.signature]),
        family.by_score(),
        Column("first"),
        Column("second"),
        Column("Δ", "difference", 4, of="difference"),
        Column(f"{level_text(family.level)} CI", "interval", 4, signed=True),
        Column("p", "p", of="p_value"),
        Column("adjusted p", "p", key="corrected p", of="p_adjusted"),
        Column("verdict", of=lambda row: verdict(row).marked),
        exchanged,
        name="metrics",
    )


def _p_of(others: Family, row: Comparison) -> float | None:
    pair = others.pair(row.first, row.second)
    return None if pair is None else pair.p_adjusted


def places_table(family: Family) -> Table:
    """Return every metric's value and place: by corrected tests, and as WMT prints clusters."""
    clusters = meta_eval.wmt_clusters(family)
    return Table.of_rows(
        "Rank range: best and worst rank compatible with the corrected two-sided tests. WMT's clusters (uncorrected, "
        "one-sided): a new cluster begins at the first metric that is significantly worse than a metric of the "
        "previous cluster. Metrics in one cluster may still differ.",
        ranks(family),
        Column("metric", of="system"),
        Column(STATISTICS[family.metric].label, "score", 3, of="score"),
        Column("rank range", "range", of=lambda place: range_text(place.rank_low, place.rank_high)),
        Column("WMT's cluster", "count", of=lambda place: clusters[place.system]),
        name="places",
    )


def over_sets_table(over_sets: Sequence[AccuracyOverSets]) -> Table:
    """Return on how many pairs of systems, each of one test set, every metric and people agree."""
    return Table.of_rows(
        f"Pairwise accuracy over {number_of(over_sets[0].sets, 'test set')}: share of concordant pairs among all pairs "
        "within a set. Intervals: percentiles of resamples within each set. The results do not apply to other sets.",
        over_sets,
        Column("metric"),
        Column("concordant", "count", of="right"),
        Column("pairs", "count"),
        Column("accuracy", "score", 3, of="value"),
        Column("CI", "interval", 3),
        name="trust",
    )


def sentinels_table(guarded: Sequence[Guarded]) -> Table:
    """Return metrics beside what sees no more than a length, chance, or how hard a segment is."""
    return Table.of_rows(
        "Metrics against sentinel metrics: differences with paired bootstrap intervals.",
        guarded,
        Column("metric"),
        _STATISTIC,
        Column("sentinel"),
        Column("value", "score", 3),
        Column("of the sentinel", "score", 3, of="sentinel_value"),
        Column("CI of the difference", "interval", 3, signed=True),
        Column("so", of="sentence"),
        name="sentinels",
    )


def sentinels_text(guarded: Sequence[Guarded]) -> str:
    """Return which metrics are not shown to see more than a sentinel does, in sentences; "" of nothing."""
    unshown: dict[tuple[str, ...], list[str]] = {}
    shown: dict[tuple[str, ...], list[str]] = {}
    for metric in dict.fromkeys(row.metric for row in guarded):
        mine = [row for row in guarded if row.metric == metric]
        more = tuple(row.sees_no_more_than for row in mine if row.sentence)
        if more:
            unshown.setdefault(more, []).append(metric)
        else:
            # Some sentinels are a metric's own: another one was not held against them.
            shown.setdefault(tuple(dict.fromkeys(row.sentinel for row in mine)), []).append(metric)
    said = [
        f"No evidence that {listed(metrics, 'or')} measures more than {listed(more, 'or')}."
        for more, metrics in unshown.items()
    ]
    said += [
        f"{listed(metrics)}: significantly better agreement with the human ratings than {listed(against, 'or')}."
        for against, metrics in shown.items()
    ]
    return " ".join(said)


def _over(trust: MetaEval) -> str:
    return f"{trust.unit}s and systems" if trust.over == "both" else trust.over


def trust_bundle(
    corpus: Corpus,
    settings: Settings,
    trust: MetaEval,
    families: Sequence[Family] = (),
    guarded: Sequence[Guarded] = (),
    verdicts: Sequence[VerdictTable] = (),
) -> dict[str, Any]:
    """Return how well metrics agree with people, which is better than which, and what to write of it.

    verdicts: what people and each metric say of every pair of systems.
    """
    asked = {
        statistic.name: {option.name: option.default for option in options(statistic)} for statistic in trust.asked
    }
    rated = trust.rated
    beside = [family.others for family in families if isinstance(family, ComparedMetrics)]
    methods = trust_methods(trust, families)
    return _frame(
        corpus,
        _used(settings, unit=trust.unit) | {"over": trust.over, "statistics": asked},
        (),
        [*trust.notes, *(note for family in families for note in family.notes)],
        human={
            "name": trust.human,
            "signature": trust.human_signature,
            "humans": rated.humans,
            "segments": rated.segments,
            "left_out": dict(rated.left_out),
            "outliers": trust.outliers,
            "without": trust.without,
        },
        meta_eval=trust.rows(),
        comparisons=[row for family in families for row in family.rows()],
        systems_exchanged=[row for family in beside if family is not None for row in family.rows()],
        sentinels=[row.row() | {"sentence": row.sentence} for row in guarded],
        verdicts=[
            {"metric": verdict_table.metric, **row} for verdict_table in verdicts for row in verdict_table.rows()
        ],
        methods={"text": methods.text, "bibtex": methods.bibtex},
    )


def trust_over_sets_bundle(settings: Settings, over_sets: Sequence[AccuracyOverSets]) -> dict[str, Any]:
    """Return on how many pairs of systems of several test sets metrics and people agree."""
    return _framed(_used(settings), meta_eval=over_sets)


def meaning_bundle(
    corpus: Corpus, settings: Settings, rated: RatedData, curves: Sequence[Curve], differences: Sequence[float] = ()
) -> dict[str, Any]:
    """Return what differences of metrics mean to people: every pair, what was asked for, and what it takes."""
    return _frame(
        corpus,
        _used(settings),
        (),
        [*rated.notes, *(note for curve in curves for note in curve.notes)],
        human={"name": rated.human.name, "humans": rated.humans, "segments": rated.segments},
        meant=[curve.at(difference) for curve in curves for difference in differences],
        needed=[
            {"metric": curve.metric, **curve.needed(share).row(), "pairs": len(curve.differences)}
            for curve in curves
            for share in SHARES
        ],
        pairs=[{"metric": curve.metric, **row} for curve in curves for row in curve.rows()],
    )


def trust_methods(result: MetaEval, families: Sequence[Family] = ()) -> Methods:
    """Return the methods paragraph of metrics held against people: statistics, intervals, tests between metrics."""
    rated = result.rated
    people = "with" if rated.humans == "include" else "without"
    where = "each system on the segments rated for it" if rated.segments == "matched" else "on all segments"
    pieces: list[str | Cite] = [
        f"We compared metrics ({listed(rated.names)}) with {result.human} ratings of {len(rated.systems)} systems, "
        f"{people} human translations, and {number_of(rated.n, 'segment', ',')}; {where}. We measured agreement by "
    ]
    by_name = {statistic.name: statistic for statistic in STATISTICS.values()}
    for number, name in enumerate(dict.fromkeys(row.statistic for row in result)):
        known = by_name.get(name)
        pieces += [", " if number else "", known.label if known else name, Cite(known.cites if known else ())]
    pieces += [
        f". {level_text(result.records[0].level)} confidence intervals are percentiles of {result.draws:,} resamples "
        f"of {_over(result)}, the same for all metrics",
        Cite(("deutsch-2021",)),
        ". ",
    ]
    if result.outliers:
        pieces += [f"The human scores of {listed(result.outliers)} are outliers", Cite(("mathur-2020",)), ". "]
    for family in families:
        test, correction = family.test, CORRECTIONS[family.correction]
        how = f"corrected with {correction.in_words}" if family.corrected else "uncorrected"
        pieces += [
            f"We tested the metrics' differences in {family.metric} by {test.in_words or test.label}",
            Cite(test.cites),
            f", p-values of {number_of(len(family), 'pair')} of metrics {how}",
            Cite(correction.cites),
            ". ",
            f"This test does not control its false-positive rate: {test.anticonservative_reason}. "
            if test.anticonservative_reason
            else "",
            *_by_pseudo_values(result, family),
        ]
        if isinstance(family, ComparedMetrics) and family.other_systems:
            pieces.append(f"{family.other_systems} ")
    signature = f" Signature: human:{result.human_signature}|seed:{result.seed}|rng:{result.rng}."
    return Methods(joined([*pieces, *version_pieces(result.version), signature]))


def _by_pseudo_values(result: MetaEval, family: Family) -> list[str | Cite]:
    """Return what stood for the scores of segments that metrics of whole corpora do not have."""
    compared = dict.fromkeys((*family.first, *family.second))
    whole = [name for name in compared if result.rated[name].cells is None and not result.rated[name].whole]
    if not whole or not (isinstance(family.test, Exchange) and family.test.of_parts):
        return []
    return [
        f"{listed(whole)} {'is a corpus-level metric' if len(whole) == 1 else 'are corpus-level metrics'}: the test "
        "permuted the segments' infinitesimal-jackknife pseudo-values",
        Cite(("efron-tibshirani-1993",)),
        ". ",
    ]
