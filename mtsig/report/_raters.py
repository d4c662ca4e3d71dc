"""Ratings, raters and plans of ratings, in words and tables."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, inf, log10
from typing import Any

import numpy as np

from mtsig._probability import level_text, points_text
from mtsig.corpus import Corpus, Judgements, Note, Rating
from mtsig.corpus._notes import listed, number_of
from mtsig.inference import Settings
from mtsig.inference._design import Design, TestSetSize, Way
from mtsig.meta_eval import STATISTICS, MetaEval
from mtsig.meta_eval._leniency import BothScales, Ceiling, Leniency, design
from mtsig.meta_eval._random_raters import FEWEST_JUDGES, JudgedComparisons
from mtsig.meta_eval._rater_agreement import Agreement
from mtsig.meta_eval._rating_design import RatingDesign, VarianceShares
from mtsig.report._bundle import _frame, _used
from mtsig.report._diagnostics import about_text
from mtsig.report._say import units_text
from mtsig.report._table import Column, Table, View, known, known_ends
from mtsig.segments._ablation import ReferencesDesign


def agreement_table(agreements: Sequence[Agreement]) -> Table:
    """Return a row for every coefficient of agreement.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import agreement_table
    >>> from mtsig.resampling import Bootstrap
    >>> from mtsig.meta_eval import agreement
    >>> given = Judgements.of({"Ann": np.array([[1.0, 2, 3, 4]]), "Bo": np.array([[1.0, 2, 4, 4]])})
    >>> agreement_table([agreement(given, scheme=Bootstrap(100))]).texts[0][:2]
    ("Krippendorff's α (interval)", '0.926')
    """
    first = agreements[0]
    return Table.of(
        f"Agreement on outputs that several judges rated. Intervals: percentiles over redrawn {first.unit}s, with all "
        "their systems and judges. That judges agree does not make them right.",
        (Column("coefficient"), [agreement.label for agreement in agreements]),
        (Column("value", "score", 3), [agreement.value for agreement in agreements]),
        (
            Column(f"{level_text(first.level)} interval", "interval", 3),
            [known_ends(agreement.ci_low, agreement.ci_high) for agreement in agreements],
        ),
        (
            Column("by F theory", "interval", 3),
            [known_ends(agreement.theory_low, agreement.theory_high) for agreement in agreements],
        ),
        (Column("outputs", "count"), [agreement.outputs for agreement in agreements]),
        (Column("judges", "count"), [agreement.judges for agreement in agreements]),
        (Column("caution"), [agreement.warning or None for agreement in agreements]),
        name="agreement",
    )


def judges_design_table(judgements: Judgements, names: Sequence[str]) -> Table:
    """Return how many values each judge gave of each system; names: of all systems, by position.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import judges_design_table
    >>> nan = float("nan")
    >>> given = Judgements.of({"Ann": np.array([[1.0, 2], [3, nan]]), "Bo": np.array([[nan, nan], [4.0, 4]])})
    >>> judges_design_table(given, ["A", "B"]).texts
    (('Ann', '2', '1'), ('Bo', '0', '2'))
    """
    counts = design(judgements, len(names))
    rated = [place for place, total in enumerate(counts.sum(axis=0).tolist()) if total]
    return Table.of(
        "How many values each judge gave of each system. Judges who saw different systems cannot be told from these "
        "by their means.",
        (Column("rater", key="who"), judgements.judges),
        *(
            (Column(names[place], "count", key=f"system {place}"), [int(count) for count in counts[:, place]])
            for place in rated
        ),
        name="design",
    )


def residuals_table(leniency: Leniency, names: Sequence[str]) -> Table:
    """Return what judges give to single systems beyond their leniency; names: of all systems, by position.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import residuals_table
    >>> from mtsig.meta_eval import leniency
    >>> given = Judgements.of({"Ann": np.array([[1.0, 2], [5, 6]]), "Bo": np.array([[2.0, 3], [4, 5]])})
    >>> residuals_table(leniency(given, ["A", "B"]), ["A", "B"]).texts
    (('Ann', '−0.500', '+0.500'), ('Bo', '+0.500', '−0.500'))
    """
    return Table.of(
        "By how much each judge's values of a system lie above what system and judge explain, in the mean: a judge's "
        "liking of a system.",
        (Column("rater", key="who"), [level.rater for level in leniency.levels]),
        *(
            (
                Column(names[place], "difference", 3, key=f"system {place}"),
                [known(level.residuals[number]) for level in leniency.levels],
            )
            for number, place in enumerate(leniency.systems)
        ),
        name="residuals",
    )


def both_scales_table(both: BothScales) -> Table:
    """Return the systems' means, raw and standardised by judge, the highest raw mean first.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import both_scales_table
    >>> from mtsig.meta_eval._leniency import both_scales
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> both_scales_table(both_scales(Judgements.of(given), ["A", "B", "C"])).texts
    (('C', '2.318', '0.659'), ('B', '1.355', '0.025'), ('A', '0.279', '−0.684'))
    """
    rows = sorted(both.systems, key=lambda row: -row.raw if row.raw == row.raw else float("inf"))
    tied = f"Kendall's τ_b {points_text(both.tau, 3)}"
    tau = "they cannot be held against each other" if both.tau != both.tau else tied
    without = f" Without {listed(both.left_out)}: fewer than ten values, or all the same." if both.left_out else ""
    return Table.of(
        f"Means of the systems as rated, and standardised by judge, (x − mean)/SD. The two orders: {tau}. "
        f"Standardising takes true differences away where judges saw different systems.{without}",
        (Column("system"), [row.system for row in rows]),
        (Column("raw", "score", 3), [known(row.raw) for row in rows]),
        (Column("standardised", "score", 3), [known(row.standardised) for row in rows]),
        name="scales",
    )


def repeats_table(agreements: Mapping[str, Agreement]) -> Table:
    """Return how far judges agree with themselves, each who judged outputs more than once.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import repeats_table
    >>> from mtsig.resampling import Bootstrap
    >>> from mtsig.meta_eval import agreement
    >>> given = Judgements.of({"Ann": np.array([[1.0, 2, 3, 4]]), "Bo": np.array([[1.0, 2, 4, 4]])})
    >>> repeats_table({"Ann": agreement(given, scheme=Bootstrap(100))}).texts
    (('Ann', '0.926', '−0.167 to 1.000', '4'),)
    """
    rows = list(agreements.values())
    return Table.of(
        f"Judges against themselves: {rows[0].label} over the outputs that one judge rated more than once.",
        (Column("rater"), list(agreements)),
        (Column("value", "score", 3), [known(row.value) for row in rows]),
        (
            Column(f"{level_text(rows[0].level)} interval", "interval", 3),
            [known_ends(row.ci_low, row.ci_high) for row in rows],
        ),
        (Column("outputs", "count"), [row.outputs for row in rows]),
        name="repeats",
    )


def leniency_table(leniency: Leniency) -> Table:
    """Return a row for every judge, the most lenient first.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import leniency_table
    >>> from mtsig.meta_eval import leniency
    >>> given = Judgements.of({"Ann": np.array([[1.0, 2], [5, 6]]), "Bo": np.array([[2.0, 3], [6, 7]])})
    >>> leniency_table(leniency(given, ["A", "B"])).texts
    (('Bo', '+0.500', '0.000', '4'), ('Ann', '−0.500', '0.000', '4'))
    """
    rows = sorted(leniency.levels, key=lambda level: -level.leniency)
    levels = ", segments' own levels taken out" if leniency.by_segment else ""
    return Table.of(
        "By how much each judge's values are higher than the mean judge's, systems being equal (least squares"
        f"{levels}); standard errors over redrawn {leniency.unit}s.",
        (Column("rater"), [row.rater for row in rows]),
        (Column("leniency", "difference", 3), [row.leniency for row in rows]),
        (Column("standard error", "score", 3), [known(row.standard_error) for row in rows]),
        (Column("ratings", "count"), [row.ratings for row in rows]),
        name="leniency",
    )


def shares_table(variance_shares: VarianceShares) -> Table:
    """Return a row for every source of variance.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import shares_table
    >>> from mtsig.meta_eval import variance_shares
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> [(source, share) for source, _, share, *_ in shares_table(variance_shares(Judgements.of(given))).texts][:4]
    [('system', '31.9%'), ('segment', '0.0%'), ('judge', '16.3%'), ('system × segment', '25.9%')]
    """
    told = ""
    if variance_shares.inseparable:
        told = f" This design does not tell these from others: {', '.join(variance_shares.inseparable)}."
    return Table.of(
        f"Where the variance of single values comes from (method of moments).{told}",
        (Column("source"), [share.source for share in variance_shares.shares]),
        (Column("variance", "number"), [share.variance for share in variance_shares.shares]),
        (Column("share", "share"), [known(share.share) for share in variance_shares.shares]),
        (Column("levels", "count"), [share.levels for share in variance_shares.shares]),
        name="shares",
    )


def random_judges_text(judged_comparisons: JudgedComparisons) -> str:
    """Return in a sentence how many pairs people separate for these judges, and how many for others like them.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import random_judges_text
    >>> from mtsig.meta_eval._random_raters import compare_with_random_judges
    >>> rng = np.random.default_rng(1)
    >>> given = {name: 3 * np.arange(2)[:, None] + rng.normal(size=(2, 40)) for name in ("Al", "Bo", "Cy", "Di", "Ed")}
    >>> print(random_judges_text(compare_with_random_judges(Judgements.of(given), ["A", "B"])))
    These judges separate 1 of 1 pair; for other judges like them, 1 of 1 would stand.
    """
    rows = judged_comparisons.comparisons
    these = sum(row.fixed_adjusted <= 1 - row.level + 1e-12 for row in rows)
    told = [row for row in rows if not row.reason]
    pairs = number_of(len(rows), "pair")
    if not told:
        return f"These judges separate {these} of {pairs}; of other judges nothing can be said: {rows[0].reason}."
    others = sum(comparison.winner is not None for comparison in told)
    return f"These judges separate {these} of {pairs}; for other judges like them, {others} of {len(told)} would stand."


def random_judges_table(judged_comparisons: JudgedComparisons) -> Table:
    """Return every pair's difference by people, for other judges and, beside it, for these alone.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import random_judges_table
    >>> from mtsig.meta_eval._random_raters import compare_with_random_judges
    >>> rng = np.random.default_rng(1)
    >>> given = {name: 3 * np.arange(2)[:, None] + rng.normal(size=(2, 40)) for name in ("Al", "Bo", "Cy", "Di", "Ed")}
    >>> table = random_judges_table(compare_with_random_judges(Judgements.of(given), ["A", "B"]))
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('first', 'second', 'Δ', '95% interval, other judges', 'p, other judges', '95% interval, these judges', 'p,
    these judges', 'judges'), ('A', 'B', '−2.961', '−3.251 to −2.671', '< .0001', '−3.132 to −2.789', '< .0001',
    '5'))
    """
    rows = judged_comparisons.comparisons
    level = level_text(rows[0].level)
    return Table.of(
        "Differences of people's means: first minus second. For other judges: chance in judges and in "
        f"{rows[0].unit}s counts (Cameron, Gelbach and Miller 2011); for these judges: that in {rows[0].unit}s alone. "
        "Each side is corrected for all pairs (Holm).",
        (Column("first"), [row.first for row in rows]),
        (Column("second"), [row.second for row in rows]),
        (Column("Δ", "difference", 3), [row.difference for row in rows]),
        (
            Column(f"{level} interval, other judges", "interval", 3, signed=True),
            [known_ends(row.ci_low, row.ci_high) for row in rows],
        ),
        (Column("p, other judges", "p"), [row.p_adjusted for row in rows]),
        (
            Column(f"{level} interval, these judges", "interval", 3, signed=True),
            [known_ends(row.fixed_low, row.fixed_high) for row in rows],
        ),
        (Column("p, these judges", "p"), [row.fixed_adjusted for row in rows]),
        (Column("judges", "count"), [row.judges for row in rows]),
        (Column("why not"), [row.reason or None for row in rows] if any(row.reason for row in rows) else None),
        name="random judges",
    )


def ceiling_table(ceiling: Ceiling) -> Table:
    """Return every judge held against the mean of the others, as a metric is."""
    rows = ceiling.judges
    return Table.of(
        f"Each judge held against the mean of the others by {STATISTICS[ceiling.statistic].label}: what a metric that "
        "agrees with judges as much as a judge does would reach. That is not to be as good as a judge.",
        (Column("rater"), [row.rater for row in rows]),
        (Column("value", "score", 3), [known(row.value) for row in rows]),
        (Column("outputs", "count"), [row.outputs for row in rows]),
        (Column("why not"), [row.reason or None for row in rows]),
        name="ceiling",
    )


def ceiling_text(ceiling: Ceiling, beside: MetaEval | None = None) -> str:
    """Return how well one judge agrees with the others, and which metrics agree with people as much.

    >>> from mtsig.report._raters import ceiling_text
    >>> from mtsig.meta_eval._leniency import Ceiling
    >>> from mtsig.meta_eval._leniency import JudgeAsMetric
    >>> judges = JudgeAsMetric("Ann", 0.62, 400), JudgeAsMetric("Bo", 0.58, 380)
    >>> print(ceiling_text(Ceiling("pearson", judges)))  # doctest: +NORMALIZE_WHITESPACE
    Held against the mean of the others as a metric is, one judge reaches 0.600 (Pearson r; mean of 2 judges, 0.580
    to 0.620).
    """
    label = STATISTICS[ceiling.statistic].label
    valued = [judge for judge in ceiling.judges if judge.value == judge.value]
    if not valued:
        return f"No judge can be held against the others by {label}: {ceiling.judges[0].reason}"
    said = (
        f"Held against the mean of the others as a metric is, one judge reaches {ceiling.value:.3f} ({label}; mean of "
        f"{number_of(len(valued), 'judge')}, {min(agreement.value for agreement in valued):.3f} to "
        f"{max(agreement.value for agreement in valued):.3f})."
    )
    rows = [] if beside is None else [row for row in beside if row.statistic == ceiling.statistic]
    as_much = [row.metric for row in rows if row.value >= ceiling.value]
    if as_much:
        agree = "agrees" if len(as_much) == 1 else "agree"
        said += (
            f" {listed(as_much)} {agree} with people as much as a judge does with the others, which is not to be as "
            "good as a judge."
        )
    return said


def rated_table(corpus: Corpus) -> Table:
    """Return the ratings of a corpus, each with its judge, how much is rated, its range and its direction.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report._raters import rated_table
    >>> ratings = {"mqm": mtsig.Rating(-np.array([[0.0, 1, 5], [5, 6, 25]]), higher_is_better=True)}
    >>> table = rated_table(mtsig.Corpus.of(dict.fromkeys("AB"), ratings=ratings))
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('rating', 'by', 'systems', 'rated', 'from', 'to', 'better', 'because'), ('mqm', '', '2', '3 segments', '−25',
    '0', 'higher', 'declared'))
    """
    rows = (_row(name, rating) for name, rating in corpus.ratings.items())
    header = ("rating", "by", "systems", "rated", "from", "to", "better", "because")
    return Table.of_text("What was read of each rating.", header, rows, right=("systems", "rated", "from", "to"))


def _row(name: str, rating: Rating) -> tuple[str, ...]:
    known = ~np.isnan(rating.values)
    counts = known.sum(axis=1)
    some = counts[counts > 0]
    scores = rating.values[known]
    return (
        name,
        rating.judge or "",
        str(len(some)),
        units_text(some.tolist(), "segment") if len(some) else "nothing",
        f"{scores.min() + 0.0:.4g}".replace("-", "−") if len(scores) else "",
        f"{scores.max() + 0.0:.4g}".replace("-", "−") if len(scores) else "",
        "higher" if rating.higher_is_better else "lower",
        rating.direction_source,
    )


_WAYS = {
    "documents": "more or fewer documents",
    "lengths": "longer or shorter documents",
    "segments": "more or fewer segments",
}


def design_table(design: Design, view: View = ("way", "documents", "segments", "cost")) -> Table:
    """Return the ways to a test set that finds the difference, each with documents, segments and cost.

    >>> import mtsig
    >>> from mtsig.report._raters import design_table
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> table = design_table(mtsig.design_test_set(statistics, "direct", "via-catalan", 1.0))
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('way', 'documents', 'segments'), ('more or fewer documents', 'about 39 (18 to 104)', 'about 390 (180 to
    1,100)'))
    """
    by_document = design.unit == "document"
    return Table.of(
        design_caption(design),
        (Column("way"), (_WAYS[way.by] for way in design.ways)),
        (Column("documents"), [_documents(way) for way in design.ways] if by_document else None),
        (Column("segments"), (_segments(way) for way in design.ways)),
        (Column("cost"), [_cost(way) for way in design.ways] if _priced(design) else None),
        view=view,
    )


def references_table(
    references_designs: Sequence[ReferencesDesign],
    view: View = ("references", "way", "documents", "segments", "cost", "problem"),
) -> Table:
    """Return the ways to a test set that finds the difference, for each combination of references.

    >>> import mtsig
    >>> from mtsig.segments._ablation import design_by_references
    >>> from mtsig.report._raters import references_table
    >>> corpus = mtsig.read_sample()
    >>> designs = design_by_references(corpus, mtsig.metric("chrf"), "direct", "via-catalan", 2.0)
    >>> references_table(designs).texts[0]
    ('ref', 'more or fewer documents', 'about 12 (10 to 28)', 'about 120 (100 to 280)')
    """
    shown = [
        (references_design, way)
        for references_design in references_designs
        for way in (references_design.design.ways if references_design.design is not None else (None,))
    ]
    ways = [way for _, way in shown]

    def column(show: Callable[[Way], str]) -> list[str] | None:
        texts = ["" if way is None else show(way) for way in ways]
        return texts if any(texts) else None

    by_document = any(
        references_design.design is not None and references_design.design.unit == "document"
        for references_design in references_designs
    )
    priced = any(
        references_design.design is not None and _priced(references_design.design)
        for references_design in references_designs
    )
    problems = [design.problem for design, _ in shown]
    return Table.of(
        "References are fixed scenarios: nothing is said of others.",
        (Column("references"), (" + ".join(design.references) for design, _ in shown)),
        (Column("way"), ("" if way is None else _WAYS[way.by] for way in ways)),
        (Column("documents"), column(_documents) if by_document else None),
        (Column("segments"), column(_segments)),
        (Column("cost"), column(_cost) if priced else None),
        (Column("problem"), problems if any(problems) else None),
        view=view,
    )


def _priced(design: Design) -> bool:
    return any(size is not None and size.cost is not None for way in design.ways for size in _sizes(way))


def _sizes(way: Way) -> tuple[TestSetSize | None, TestSetSize | None, TestSetSize | None]:
    return way.needed, way.low, way.high


def _needed(way: Way, number_of_size: Callable[[TestSetSize], float | None]) -> str:
    sizes = _sizes(way)
    if any(size is not None and number_of_size(size) is None for size in sizes):
        return ""  # nothing of the kind is asked: no documents, or no price
    needed, low, high = (None if size is None else number_of_size(size) for size in sizes)
    return rough_text(needed, low, high)


def rough_text(value: float | None, low: float | None, high: float | None) -> str:
    """Return a number that a pilot knows roughly, with its range: as many digits as mean something.

    From a thousand on they are two, or more where the range is narrow; the range is rounded to be no narrower.

    >>> rough_text(473, 306, 834), rough_text(4421, 2860, 7795)
    ('about 473 (306 to 834)', 'about 4,400 (2,800 to 7,800)')
    >>> rough_text(112617, 110836, 114441), rough_text(4432, 4432, 4432)
    ('about 113,000 (110,000 to 115,000)', '4,432')
    """
    apart = high - low if low is not None and high is not None else 0.0
    finest = 10.0 ** floor(log10(apart)) if apart > 0 else inf
    exact = value is not None and value == low == high

    def text(number: float | None, rounded: Callable[[float], float]) -> str | None:
        if number is None or exact or number < _ROUGH:
            return None if number is None else f"{number:,.0f}" if number >= 100 or number % 1 == 0 else f"{number:.2f}"
        step = min(10.0 ** (floor(log10(number)) - 1), finest)
        return f"{rounded(number / step) * step:,.0f}"

    return about_text(text(value, round), text(low, floor), text(high, ceil))


_ROUGH = 1000
"""From this size on the last digits of what a pilot says are noise."""


def _documents(way: Way) -> str:
    if way.by == "lengths":
        # As many as there are, however long: only their segments may not do.
        return next((f"{size.documents:,}" for size in _sizes(way) if size is not None), "the same")
    return _needed(way, lambda size: size.documents)


def _segments(way: Way) -> str:
    return _needed(way, lambda size: size.segments)


def _cost(way: Way) -> str:
    return _needed(way, lambda size: size.cost)


def ratings_design_table(rating_design: RatingDesign) -> Table:
    """Return what an evaluation by people takes, by how many judges see each segment.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import ratings_design_table
    >>> from mtsig.meta_eval import design_ratings, variance_shares
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> design = design_ratings(variance_shares(Judgements.of(given)), difference=0.5, judges=6)
    >>> table = ratings_design_table(design)
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('judges per segment', 'segments, for other judges', 'values', 'segments, these judges alone'), ('1', '150',
    '300', '98'))
    """
    sizes = rating_design.sizes
    priced = any(size.cost_fixed == size.cost_fixed for size in sizes)
    among = (
        f", as one of {rating_design.comparisons:,} comparisons (Bonferroni)" if rating_design.comparisons > 1 else ""
    )
    documents = "" if rating_design.length is None else f" Documents of {rating_design.length:g} segments."
    few = (
        f" {number_of(rating_design.judges, 'judge')}: {FEWEST_JUDGES} at least can stand for other judges."
        if rating_design.judges < FEWEST_JUDGES
        else ""
    )
    return Table.of(
        f"To find a true difference of {rating_design.difference:g} with {rating_design.power:.0%} power{among}, "
        f"{rating_design.judges} judges "
        f"sharing the work equally and seeing all {rating_design.systems} outputs of a segment. For other judges: what "
        "these "
        f"differ by counts as chance, which no number of segments takes away.{documents}{few}",
        (Column("judges per segment", "count"), [size.judges_per_segment for size in sizes]),
        (Column("segments, for other judges", "range"), [_found(size.segments) for size in sizes]),
        (Column("values", "count"), [size.judgements for size in sizes]),
        (Column("cost", "number"), [known(size.cost) for size in sizes] if priced else None),
        (Column("segments, these judges alone", "range"), [_found(size.segments_fixed) for size in sizes]),
        (Column("their cost", "number"), [known(size.cost_fixed) for size in sizes] if priced else None),
        name="ratings design",
    )


def ratings_design_text(rating_design: RatingDesign) -> str:
    """Return in a sentence the cheapest evaluation that finds the difference.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report._raters import ratings_design_text
    >>> from mtsig.meta_eval import design_ratings, variance_shares
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> print(ratings_design_text(design_ratings(variance_shares(Judgements.of(given)), difference=0.5, judges=6)))
    It takes 150 segments with 1 judge each, of 6, to find a true difference of 0.5 with 80% power for other judges.
    """
    best = rating_design.cheapest
    finds = f"a true difference of {rating_design.difference:g} with {rating_design.power:.0%} power"
    if best is None or best.segments is None:
        return f"With {number_of(rating_design.judges, 'judge')}, no number of segments finds {finds} for other judges."
    cost = "" if best.cost != best.cost else f", at a cost of {best.cost:,.0f}"
    return (
        f"It takes {best.segments:,} segments with {number_of(best.judges_per_segment, 'judge')} each, of "
        f"{rating_design.judges}, to find {finds} for other judges{cost}."
    )


def _found(segments: int | None) -> str:
    return "none would do" if segments is None else f"{segments:,}"


def design_caption(design: Design) -> str:
    """Return what the numbers of a design stand on.

    >>> import mtsig
    >>> from mtsig.report._raters import design_caption
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> design = mtsig.design_test_set(statistics, "direct", "via-catalan", 1.0)
    >>> print(design_caption(design).partition(". ")[0])  # doctest: +NORMALIZE_WHITESPACE
    To find a true difference of 1 chrF2 with 80% power, by the jackknife t test; ranges are what 20 documents leave
    open of their spread
    """
    length = "" if design.length is None else f" New documents have {design.length:.1f} segments in the mean."
    within = (
        f" Of the variance of the difference, {design.within:.0%} lies within documents: longer ones take away that "
        "part alone."
        if design.within is not None
        else ""
    )
    among = f", as one of {design.comparisons:,} comparisons (Bonferroni)" if design.comparisons > 1 else ""
    return (
        f"To find a true difference of {design.difference:g} {design.metric} with {design.power:.0%} power{among}, by "
        "the "
        f"jackknife t test; ranges are what {units_text([design.units], design.unit)} leave open of their "
        f"spread.{length}{within} {design.signature}"
    )


def judges_bundle(
    corpus: Corpus,
    settings: Settings,
    rating: str,
    agreements: Sequence[Agreement],
    levels: Leniency | None,
    shares: VarianceShares | None,
    notes: Sequence[Note] = (),
    pairs: JudgedComparisons | None = None,
    highest: Ceiling | None = None,
    both: BothScales | None = None,
    again: Mapping[str, Agreement] | None = None,
) -> dict[str, Any]:
    """Return how far judges of a rating agree, how lenient each is, what their values vary by, and what all judges say.

    pairs: comparisons of systems, for other judges and for these. highest: each judge held against the others. both:
    the systems raw and standardised by judge. again: judges against themselves.
    """
    ceiling: dict[str, Any] = {}
    if highest is not None:
        ceiling = {"statistic": highest.statistic, "value": highest.value, "raters": highest.rows()}
    return _frame(
        corpus,
        _used(settings),
        (),
        notes,
        rating=rating,
        agreement=agreements,
        raters=[] if levels is None else levels.rows(),
        shares=[] if shares is None else shares.rows(),
        comparisons=[] if pairs is None else pairs.rows(),
        ceiling=ceiling,
        scales={} if both is None else {"tau": both.tau, "left_out": both.left_out, "systems": both.rows()},
        repeats=[{"rater": rater, **agreement.row()} for rater, agreement in (again or {}).items()],
    )
