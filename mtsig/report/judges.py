"""Tables of judges: how far they agree, how lenient they are, and where the variance of their values comes from."""

from collections.abc import Mapping, Sequence

from mtsig.corpus import Judgements, listed, number_of
from mtsig.inference import level_text, points_text
from mtsig.meta_eval import (
    STATISTICS,
    Agreement,
    BothScales,
    Ceiling,
    JudgedComparisons,
    Leniency,
    MetaEval,
    VarianceShares,
    design,
)
from mtsig.report.table import Column, Table, known, known_ends


def agreement_table(agreements: Sequence[Agreement]) -> Table:
    """Return a row for every coefficient of agreement.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.report import agreement_table
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
    >>> from mtsig.report import judges_design_table
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
    >>> from mtsig.report import residuals_table
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
    >>> from mtsig.report import both_scales_table
    >>> from mtsig.meta_eval import both_scales
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
    >>> from mtsig.report import repeats_table
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
    >>> from mtsig.report import leniency_table
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
    >>> from mtsig.report import shares_table
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
    >>> from mtsig.report import random_judges_text
    >>> from mtsig.meta_eval import compare_with_random_judges
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
    >>> from mtsig.report import random_judges_table
    >>> from mtsig.meta_eval import compare_with_random_judges
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

    >>> from mtsig.report import ceiling_text
    >>> from mtsig.meta_eval import Ceiling
    >>> from mtsig.meta_eval import JudgeAsMetric
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
