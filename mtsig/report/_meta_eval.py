"""Metrics held against people, in words and tables.

In the examples `judged`, of the corpus `rated`, has five systems, rated by people (esa), by a metric that follows them
(near) and by one that does not (far).
"""

from collections.abc import Sequence
from typing import Any

from mtsig._probability import level_text
from mtsig.corpus import Corpus
from mtsig.corpus._notes import capital_first, listed, number_of
from mtsig.inference import CORRECTIONS, Comparison, Family, Settings, ranks, verdict
from mtsig.inference._means import correction_label
from mtsig.meta_eval import (
    STATISTICS,
    ComparedMetrics,
    MetaEval,
    MetricAgreement,
    PairwiseAccuracy,
    RatedData,
    wmt_clusters,
)
from mtsig.meta_eval._comparing import Guarded
from mtsig.meta_eval._delta_accuracy import Curve, VerdictTable
from mtsig.meta_eval._exchanges import Exchange
from mtsig.meta_eval._systems import AccuracyOverSets
from mtsig.options import options
from mtsig.report._agreement import SHARES
from mtsig.report._bundle import _frame, _framed, _used
from mtsig.report._methods import Cite, Methods, joined, version_pieces
from mtsig.report._say import range_text
from mtsig.report._table import Column, Table, known, known_ends


def trust_table(trust: MetaEval) -> Table:
    """Return a row for every metric and statistic; what belongs to one kind of statistic stands empty for others.

    >>> import mtsig
    >>> from mtsig.report._meta_eval import trust_table
    >>> from mtsig.meta_eval import meta_eval
    >>> table = trust_table(meta_eval(judged, ["pearson"], settings=mtsig.Settings(n_resamples=100)))
    >>> table.header[:4], table.texts[0][:4]
    (('metric', 'statistic', 'value', '95% interval'), ('near', 'Pearson r', '0.999', '0.976 to 1.000'))
    """
    rows = _by_value(trust)
    judged = trust.judged
    people = "with human translations" if judged.humans == "include" else "without human translations"
    caption = (
        f"Held against {trust.human} on {len(judged.systems)} systems, {people}, and {judged.n:,} segments. Intervals: "
        f"percentiles of {trust.draws:,} redraws of {_over(trust)}, the same for all metrics, seed {trust.seed}. "
        "Nothing is said of other systems than these, or systems like them."
    )
    if trust.without:
        caption += f" Without named: without {listed(trust.without)}."
    if any(row.open_pairs == row.open_pairs for row in rows):
        caption += " Open pairs: those whose p by people lies between .05 and .95."
    return Table.of(
        caption,
        (Column("metric"), [row.metric for row in rows]),
        (Column("statistic"), [STATISTICS[row.statistic].label for row in rows]),
        (Column("value", "score", 3), [row.value for row in rows]),
        (
            Column(f"{level_text(rows[0].level)} interval", "interval", 3),
            [known_ends(row.ci_low, row.ci_high) for row in rows],
        ),
        (Column("by"), [row.by for row in rows]),
        (Column("groups", "count"), [row.groups for row in rows]),
        (Column("undefined", "count"), [row.undefined for row in rows]),
        (
            Column("tied by the metric", "count"),
            [int(row.metric_ties) if row.statistic == PairwiseAccuracy.name else None for row in rows],
        ),
        (Column("open pairs", "share"), [known(row.open_pairs) for row in rows]),
        (
            Column("without one system", "interval", 3, key="leave one out"),
            [known_ends(row.loo_low, row.loo_high) for row in rows],
        ),
        (
            Column("lowest, highest without"),
            [", ".join(filter(None, (row.loo_low_without, row.loo_high_without))) or None for row in rows],
        ),
        (Column("without outliers", "score", 3), [known(row.without_outliers) for row in rows]),
        (
            Column("right, of separated", "range"),
            [
                None
                if row.separated_pairs != row.separated_pairs
                else f"{row.separated_right:.0f} of {row.separated_pairs:.0f}"
                for row in rows
            ],
        ),
        (
            Column("by theory", "interval", 3),
            [known_ends(row.theory_low, row.theory_high) for row in rows],
        ),
        (Column("tie threshold", "number"), [known(row.epsilon) for row in rows]),
        (Column("without threshold", "score", 3), [known(row.at_zero) for row in rows]),
        (Column("cross-fitted", "score", 3), [known(row.crossfit) for row in rows]),
        (Column("all ties", "score", 3), [known(row.baseline) for row in rows]),
        (
            Column("without humans" if judged.humans == "include" else "with humans", "score", 3),
            [known(row.with_humans) for row in rows],
        ),
        (Column("without named", "score", 3), [known(row.without_named) for row in rows]),
        (Column("p, no association", "p"), [known(row.p) for row in rows]),
        name="trust",
    )


def _by_value(trust: MetaEval) -> list[MetricAgreement]:
    """Return what each statistic says of the metrics, the highest value first; what has none last."""
    order = list(dict.fromkeys(row.statistic for row in trust))
    return sorted(trust, key=lambda row: (order.index(row.statistic), row.value != row.value, -row.value))


def metrics_table(family: Family) -> Table:
    """Return the comparisons of metrics: difference, interval, corrected p-value, verdict.

    >>> import mtsig
    >>> from mtsig.report._meta_eval import metrics_table
    >>> from mtsig.meta_eval import compare_metrics
    >>> metrics_table(compare_metrics(judged, settings=mtsig.Settings(n_resamples=100))).texts[0][:4]
    ('near', 'far', '+0.6469', '+0.4297 to +0.8302')
    """
    rows = list(family.by_score())
    how = f"{STATISTICS[family.metric].label}; {family.test.label}; correction: {correction_label(family.correction)}"
    caption = f"{capital_first(how)}."
    others = family.others if isinstance(family, ComparedMetrics) else None
    if isinstance(family, ComparedMetrics) and others is not None:
        caption += f" {family.other_systems}"
    caption += f" {family.signature}"
    return Table.of(
        caption,
        (Column("first"), [row.first for row in rows]),
        (Column("second"), [row.second for row in rows]),
        (Column("Δ", "difference", 4), [row.difference for row in rows]),
        (
            Column(f"{level_text(family.level)} interval", "interval", 4, signed=True),
            [known_ends(row.ci_low, row.ci_high) for row in rows],
        ),
        (Column("p", "p"), [row.p_value for row in rows]),
        (Column("corrected p", "p"), [row.p_adjusted for row in rows]),
        (Column("verdict"), [verdict(row).marked for row in rows]),
        (Column("p, systems exchanged", "p"), None if others is None else [_p_of(others, row) for row in rows]),
        name="metrics",
    )


def _p_of(others: Family, row: Comparison) -> float | None:
    pair = others.pair(row.first, row.second)
    return None if pair is None else pair.p_adjusted


def places_table(family: Family) -> Table:
    """Return every metric's value and place: by corrected tests, and as WMT prints clusters.

    >>> import mtsig
    >>> from mtsig.report._meta_eval import places_table
    >>> from mtsig.meta_eval import compare_metrics
    >>> table = places_table(compare_metrics(judged, settings=mtsig.Settings(n_resamples=100)))
    >>> table.header, table.texts  # doctest: +NORMALIZE_WHITESPACE
    (('metric', 'soft pairwise accuracy', 'place', "WMT's cluster"), (('near', '0.999', '1', '1'), ('far', '0.353',
    '2', '2')))

    Raises:
        NotApplicable: the comparisons allow no places.
    """
    places = ranks(family)
    clusters = wmt_clusters(family)
    return Table.of(
        "Places: from one more than the metrics that are shown better, to how many are not shown worse, by corrected "
        "two-sided tests. WMT's clusters (uncorrected, one-sided): a new one starts where some metric of the one "
        "before is better; two metrics of one cluster need not be alike.",
        (Column("metric"), [place.system for place in places]),
        (Column(STATISTICS[family.metric].label, "score", 3), [known(place.score) for place in places]),
        (Column("place", "range"), [range_text(place.rank_low, place.rank_high) for place in places]),
        (Column("WMT's cluster", "count"), [clusters[place.system] for place in places]),
        name="places",
    )


def over_sets_table(over_sets: Sequence[AccuracyOverSets]) -> Table:
    """Return on how many pairs of systems, each of one test set, every metric and people agree."""
    return Table.of(
        f"Pairwise accuracy over {number_of(over_sets[0].sets, 'test set')}: right pairs of all that are of one set. "
        "Intervals: percentiles of redraws inside each set; nothing is said of other sets.",
        (Column("metric"), [item.metric for item in over_sets]),
        (Column("right", "count"), [item.right for item in over_sets]),
        (Column("pairs", "count"), [item.pairs for item in over_sets]),
        (Column("accuracy", "score", 3), [known(item.value) for item in over_sets]),
        (
            Column("interval", "interval", 3),
            [known_ends(item.ci_low, item.ci_high) for item in over_sets],
        ),
        name="trust",
    )


def sentinels_table(guarded: Sequence[Guarded]) -> Table:
    """Return metrics beside what sees no more than a length, chance, or how hard a segment is.

    >>> from mtsig.report._meta_eval import sentinels_table
    >>> from mtsig.meta_eval._comparing import Guarded
    >>> table = sentinels_table([Guarded("bleu", "pearson", "output length", 0.61, 0.35, 0.26, 0.11, 0.4)])
    >>> table.header, table.texts  # doctest: +NORMALIZE_WHITESPACE
    (('metric', 'statistic', 'sentinel', 'value', 'of the sentinel', 'Δ interval', 'so'), (('bleu', 'Pearson r',
    'output length', '0.610', '0.350', '+0.110 to +0.400', ''),))
    """
    return Table.of(
        "Metrics beside sentinels: differences with intervals from the redraws that both share.",
        (Column("metric"), [row.metric for row in guarded]),
        (Column("statistic"), [STATISTICS[row.statistic].label for row in guarded]),
        (Column("sentinel"), [row.sentinel for row in guarded]),
        (Column("value", "score", 3), [known(row.value) for row in guarded]),
        (Column("of the sentinel", "score", 3), [known(row.sentinel_value) for row in guarded]),
        (
            Column("Δ interval", "interval", 3, signed=True),
            [known_ends(row.ci_low, row.ci_high) for row in guarded],
        ),
        (Column("so"), [row.sentence for row in guarded]),
        name="sentinels",
    )


def sentinels_text(guarded: Sequence[Guarded]) -> str:
    """Return which metrics are not shown to see more than a sentinel does, in sentences; "" of nothing.

    >>> from mtsig.report._meta_eval import sentinels_text
    >>> from mtsig.meta_eval._comparing import Guarded
    >>> print(sentinels_text([Guarded("bleu", "pearson", "output length", 0.41, 0.35, 0.06, -0.11, 0.2)]))
    No evidence that bleu sees more than difficulty.
    """
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
        f"No evidence that {listed(metrics, 'or')} sees more than {listed(more, 'or')}."
        for more, metrics in unshown.items()
    ]
    said += [
        f"{listed(metrics)}: shown to agree with people better than {listed(against, 'or')}."
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

    >>> import mtsig
    >>> from mtsig.report._meta_eval import trust_bundle
    >>> from mtsig.meta_eval import meta_eval
    >>> settings = mtsig.Settings(n_resamples=100)
    >>> bundle = trust_bundle(rated, settings, meta_eval(judged, ["pearson"], settings=settings))
    >>> [(row["metric"], round(row["value"], 3)) for row in bundle["meta_eval"]]
    [('near', 0.999), ('far', -0.592)]
    """
    asked = {
        statistic.name: {option.name: option.default for option in options(statistic)} for statistic in trust.asked
    }
    judged = trust.judged
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
            "humans": judged.humans,
            "segments": judged.segments,
            "left_out": dict(judged.left_out),
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
    corpus: Corpus, settings: Settings, judged: RatedData, curves: Sequence[Curve], differences: Sequence[float] = ()
) -> dict[str, Any]:
    """Return what differences of metrics mean to people: every pair, what was asked for, and what it takes."""
    return _frame(
        corpus,
        _used(settings),
        (),
        [*judged.notes, *(note for curve in curves for note in curve.notes)],
        human={"name": judged.human.name, "humans": judged.humans, "segments": judged.segments},
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
    judged = result.judged
    people = "with" if judged.humans == "include" else "without"
    pieces: list[str | Cite] = [
        f"Metrics ({listed(judged.names)}) were held against {result.human} on {len(judged.systems)} systems, {people} "
        f"human translations, and {number_of(judged.n, 'segment', ',')}; "
        f"{'each system on the segments rated for it' if judged.segments == 'matched' else 'on all segments'}. "
    ]
    by_name = {statistic.name: statistic for statistic in STATISTICS.values()}
    for number, name in enumerate(dict.fromkeys(row.statistic for row in result)):
        statistic = by_name.get(name)
        pieces += [
            ", " if number else "Agreement was measured by ",
            name if statistic is None else statistic.label,
            *([Cite(statistic.cites)] if statistic is not None and statistic.cites else []),
        ]
    drawn = f"{result.unit}s and systems" if result.over == "both" else result.over
    pieces += [
        f". Intervals are percentiles of {result.draws:,} redraws of {drawn}, the same for all metrics",
        Cite(("deutsch-2021",)),
        f", at level {result.records[0].level:g}. ",
    ]
    if result.outliers:
        pieces += [f"People score {listed(result.outliers)} far from the others", Cite(("mathur-2020",)), ". "]
    for family in families:
        test = family.test
        pieces += [f"Metrics were compared in {family.metric} by {test.in_words or test.label}"]
        pieces += [Cite(test.cites)] if test.cites else []
        correction = CORRECTIONS[family.correction]
        pieces += [f", p-values of {number_of(len(family), 'pair')} of metrics "]
        pieces += [f"corrected by {correction.in_words}"] if family.corrected else ["uncorrected"]
        pieces += [Cite(correction.cites)] if correction.cites else []
        pieces += [
            f"; this test errs more often than it says: {test.anticonservative_reason}"
            if test.anticonservative_reason
            else "",
            ". ",
        ]
        pieces += _by_pseudo_values(result, family)
        if isinstance(family, ComparedMetrics):
            pieces += [f"{family.other_systems} "] if family.other_systems else []
    pieces += version_pieces(result.version)
    pieces += [f"Signature: human:{result.human_signature}|seed:{result.seed}|rng:{result.rng}."]
    return Methods(joined(pieces))


def _by_pseudo_values(result: MetaEval, family: Family) -> list[str | Cite]:
    """Return what stood for the scores of segments that metrics of whole corpora do not have."""
    compared = dict.fromkeys((*family.first, *family.second))
    whole = [name for name in compared if result.judged[name].cells is None and not result.judged[name].whole]
    if not whole or not (isinstance(family.test, Exchange) and family.test.of_parts):
        return []
    return [
        f"{listed(whole)} {'scores' if len(whole) == 1 else 'score'} whole corpora: exchanged was what every segment "
        "brings to a system's score, the pseudo-value of the infinitesimal jackknife",
        Cite(("efron-tibshirani-1993",)),
        ". ",
    ]
