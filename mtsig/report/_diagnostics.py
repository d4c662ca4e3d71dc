"""What is asked beside a comparison, in words and tables: audit, size, power, runs, dependence of segments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from math import isnan
from typing import Any

import numpy as np

from mtsig._probability import level_text, points_text
from mtsig.corpus import Corpus, Note
from mtsig.inference import Audit, PowerAnalysis, RunComparison, Settings, p_number, p_text, verdict
from mtsig.inference._audit import Audited, Printed
from mtsig.inference._dependence import BlockScan, Dependence
from mtsig.inference._design import Design
from mtsig.inference._power import Power
from mtsig.inference._significance._bootstrap import KoehnWins
from mtsig.inference._verdict import CAUTION
from mtsig.meta_eval._rating_design import RatingDesign
from mtsig.options import options
from mtsig.report._bundle import _frame, _used
from mtsig.report._say import _lower, _withheld, equivalence_text, interval_text, units_text
from mtsig.report._table import Column, Table, View
from mtsig.report._tables import drawing_error
from mtsig.segments import SizeCurves

_AUDIT = ("test", "unit", "p", "95% drawing error", "interval", "verdict", "why it differs")
_SIZES = ("size", "units", "system", "score", "spread", "mean interval", "half width", "relative")


def size_table(curves: SizeCurves, view: View = _SIZES) -> Table:
    """Return score, spread and interval widths by test-set size."""
    places = [(z, t) for z in range(len(curves.shares)) for t in range(len(curves.labels))]
    decimals = curves.decimals
    return Table.of(
        f"Means over {int(curves.subsets.max())} random subsets of each size; spread is their standard deviation. "
        f"{curves.signature}",
        (Column("size", "range"), (f"{curves.shares[z]:.0%}" for z, _ in places)),
        (Column(f"{curves.unit}s", "count", key="units"), (int(curves.units[z]) for z, _ in places)),
        (Column("system"), (curves.labels[t] for _, t in places)),
        (Column(curves.metric, "score", decimals, key="score"), (curves.mean[at] for at in places)),
        (Column("spread", "score", decimals), (curves.spread[at] for at in places)),
        (Column("mean interval", "interval", decimals), ((curves.ci_low[at], curves.ci_high[at]) for at in places)),
        (Column("half width", "half width", decimals), (curves.half_width[at] for at in places)),
        (
            Column("relative", "range"),
            ("" if curves.is_difference else f"± {curves.relative[at]:.2f}%" for at in places),
        ),
        view=view,
    )


def audited_p_text(audited: Audited) -> str:
    """Return a test's p-value as it is printed, or the win rate of a method that has none."""
    if not audited.has_p:
        return f"{audited.bootstrap_win_rate:.1%} won" if audited.test == KoehnWins.name else "no p"
    return p_number(audited.p_value) + (" exact" if audited.exact else "")


def audit_table(audit: Audit, unit: str | None = None, view: View = _AUDIT) -> Table:
    """Return every test's p-value with its drawing error, the interval that goes with it, and why it differs.

    unit: of which units alone; None: of all.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report._diagnostics import audit_table
    >>> rating = mtsig.Rating(np.array([[3.0, 4, 5, 5, 4, 6], [1, 2, 2, 3, 4, 4]]), higher_is_better=True)
    >>> statistics = mtsig.measure(mtsig.Corpus.of(dict.fromkeys("AB"), ratings={"esa": rating}), "rating:esa")
    >>> audit_table(mtsig.audit(statistics, "A", "B", mtsig.Settings(n_resamples=200)), view=("test", "p")).texts[1:4]
    (('ar', '.0625 exact'), ('jackknife-t', '.0060'), ('ij-t', '.0060'))
    """
    tests = [test for test in audit if unit in (None, test.unit)]
    difference = points_text(audit.difference, audit.decimals, signed=True)

    def said(text: Callable[[Audited], Any]) -> list[Any]:
        """Return what a test says; nothing where it says nothing."""
        return [text(test) if test.problem is None else "" for test in tests]

    return Table.of(
        f"{audit.first} minus {audit.second}: {difference} {audit.metric}. {audit_text(audit)} "
        f"Not corrected for other comparisons. {audit.signature}",
        (Column("test"), (test.test for test in tests)),
        (Column("label"), (test.label for test in tests)),
        (Column("unit"), (test.unit for test in tests)),
        (Column("p", "p"), said(audited_p_text)),
        (Column("95% drawing error", "range"), said(drawing_error)),
        (
            Column(f"{level_text(audit.level)} interval", "interval", audit.decimals, True, key="interval"),
            said(lambda test: (test.ci_low, test.ci_high)),
        ),
        (Column("verdict"), said(decided_text)),
        (Column("about"), (test.estimand for test in tests)),
        (Column("assumes"), (test.assumes for test in tests)),
        (Column("why it differs"), (test.problem or test.differs for test in tests)),
        view=view,
    )


def decided_text(audited: Audited) -> str:
    """Return the verdict by one test of an audit, with the reason where it is withheld."""
    if audited.winner:
        return f"{audited.winner} better{f' {CAUTION}' if audited.caution else ''}"
    return f"{audited.verdict}: {audited.withheld_reason}" if audited.withheld_reason else audited.verdict


def dependence_table(dependence: Dependence, metric: str) -> Table:
    """Return what dependence within documents costs a difference, or a score."""
    rows = (
        ("intraclass correlation", points_text(dependence.icc, 3)),
        ("design effect", f"{dependence.design_effect:.2f}"),
        ("segments", f"{dependence.segments:,} in {dependence.documents:,} documents"),
        ("effective segments", f"{dependence.effective_segments:,.0f}"),
    )
    return Table.of_text(dependence_text(dependence), (f"{dependence.target}, {metric}", ""), rows, right=("",))


def block_table(scan: BlockScan, metric: str) -> Table:
    """Return the standard error by block length, which stands in where document ids are missing.

    >>> import mtsig
    >>> from mtsig.inference import block_scan
    >>> from mtsig.report._diagnostics import block_table
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> table = block_table(block_scan(statistics, "direct", "via-catalan"), "chrF2")
    >>> table.header, table.texts[0]
    (('neighbours taken together', 'standard error, relative', 'by chance'), ('2', '1.029', '1.079'))
    """
    return Table.of(
        f"{scan.target}, {metric}: without document ids, blocks of neighbouring segments stand in for documents. "
        "Ratios above the last column (95% of random orders stay below it) say that neighbours go together and "
        "intervals are too narrow; one of several above it may still be chance.",
        (Column("neighbours taken together", "count"), scan.lengths),
        (Column("standard error, relative", "score", 3), scan.ratio),
        (Column("by chance", "score", 3), scan.limit),
    )


def _printed_p(values: Sequence[float | None]) -> Sequence[float | None] | None:
    """Return a column of p-values; no column where the test was not made."""
    return None if all(value is None for value in values) else values


def printed_table(lines: Sequence[Printed], metric: str) -> Table:
    """Return a baseline and other systems as sacreBLEU prints them.

    >>> from mtsig.inference._audit import Printed
    >>> from mtsig.report._diagnostics import printed_table
    >>> lines = Printed("A", 16.1435, 16.161, 1.742, None, None), Printed("B", 19.1975, 19.216, 1.843, 0.001, 0.0001)
    >>> printed_table(lines, "BLEU").texts
    (('Baseline: A', '16.1435', '16.1610 ± 1.7420', '', ''), ('B', '19.1975', '19.2160 ± 1.8430', '0.0010', '0.0001'))
    """
    return Table.of(
        PRINTED,
        (
            Column("as sacreBLEU prints it", key="system"),
            (f"Baseline: {line.system}" if number == 0 else line.system for number, line in enumerate(lines)),
        ),
        (Column(metric, "score", 4, key="score"), (line.score for line in lines)),
        (Column("mean ± half width", "range"), (f"{line.mean:.4f} ± {line.half_width:.4f}" for line in lines)),
        (Column("p, --paired-bs", "score", 4), _printed_p([line.p_bootstrap for line in lines])),
        (Column("p, --paired-ar", "score", 4), _printed_p([line.p_randomization for line in lines])),
    )


PRINTED = (
    "To the digit of sacreBLEU, segments as units. Its bootstrap p is about half of a two-sided p, and its interval is "
    "centred on the mean of the redraws."
)


def said_table(subject: str, said: str) -> Table:
    """Return a table of one line that says why there is none."""
    return Table.of_text(said, (subject,), ())


def runs_table(runs: RunComparison) -> Table:
    """Return the comparison of two systems over several runs, with the parts of its variance and who varied."""
    known, varies = not isnan(runs.variance), runs.variance > 0
    spread = runs.first_run_variance**0.5, runs.second_run_variance**0.5
    adjusted = interval_text(runs.adjusted_ci_low, runs.adjusted_ci_high, True, runs.decimals)
    rows = (
        ("difference", f"{points_text(runs.difference, runs.decimals, signed=True)} {runs.metric}"),
        *(((f"adjusted CI, of {runs.family_size}", adjusted),) if runs.family_size > 1 else ()),
        (f"{level_text(runs.level)} interval", interval_text(runs.ci_low, runs.ci_high, True, runs.decimals)),
        ("p", p_number(runs.p_value)),
        *(((f"p of {runs.family_size} (Holm)", p_number(runs.p_adjusted)),) if runs.family_size > 1 else ()),
        *((("its 95% drawing error", drawing_error(runs)),) if varies else ()),
        ("standard error", points_text(runs.variance**0.5, runs.decimals + 1) if known else "none"),
        *((("of it by segments alone", points_text(runs.segments**0.5, runs.decimals + 1)),) if known else ()),
        ("of it by runs alone", points_text(runs.runs**0.5, runs.decimals + 1)),
        *((("share of variance from runs", f"{runs.run_share:.0%}"),) if varies else ()),
        (f"standard deviation of the runs of {runs.first}", points_text(spread[0], runs.decimals + 1)),
        (f"standard deviation of the runs of {runs.second}", points_text(spread[1], runs.decimals + 1)),
        *((("degrees of freedom (Satterthwaite)", f"{runs.df:.1f}"),) if varies else ()),
        ("draws and seed", f"{runs.n_resamples:,} and {runs.seed}"),
    )
    caption = f"{runs_text(runs)} Do not pick the best run of each system: the best of several is better by luck."
    return Table.of_text(caption, (f"{runs.first} minus {runs.second}", ""), rows)


def needed_text(analysis: PowerAnalysis) -> str:
    """Return how many units are needed, with the range that the pilot leaves open: "about 640 (430 to 1,010)"."""
    return about_text(f"{analysis.needed:,}", f"{analysis.needed_low:,}", f"{analysis.needed_high:,}")


def about_text(value: str | None, low: str | None, high: str | None) -> str:
    """Return a number with the range that a pilot leaves open; None is where no number would do.

    >>> about_text("640", "430", "1,010"), about_text("10", "10", "10"), about_text("640", "430", None)
    ('about 640 (430 to 1,010)', '10', 'about 640 (430 or more; perhaps no number would do)')
    """
    if low is None:
        return "no number would do"
    if value is None:
        return f"no number would do (at best {low})"
    if high is None:
        return f"about {value} ({low} or more; perhaps no number would do)"
    return value if low == high else f"about {value} ({low} to {high})"


def _of_significant(value: float, form: str, before: str = "") -> str:
    """Return a number about significant results in a form; words where there would be none of these."""
    return "there would be none" if isnan(value) else f"{before}{value:{form}}"


def power_text(power: Power) -> str:
    """Return the power with the range that the pilot leaves open: "about 64% (41% to 86%)".

    >>> import mtsig
    >>> from mtsig.inference import simulated_power
    >>> from mtsig.report._diagnostics import power_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> power_text(simulated_power(statistics, "direct", "via-catalan", 1.0, units=40))
    'about 89% (40% to 100%)'
    """
    if isnan(power.power):
        return "not known"
    if not power.low < power.high:
        return f"{power.power:.1%}".replace(".0%", "%")
    about, low, high = (f"{share:.0%}" for share in (power.power, power.low, power.high))
    return f"about {about}" if low == high else f"about {about} ({low} to {high})"


def power_table(analysis: PowerAnalysis) -> Table:
    """Return what a future test set needs, and what this one rules out."""
    rows, unit = [], analysis.unit
    if analysis.difference is not None and analysis.needed is not None and analysis.power is not None:
        rows += [
            (
                f"{analysis.unit}s needed to find {analysis.difference:g} with {analysis.wanted:.0%} power",
                needed_text(analysis),
            ),
            (f"power of {analysis.units:,} {analysis.unit}s for {analysis.difference:g}", power_text(analysis.power)),
            ("significant results with the wrong sign (type S)", _of_significant(analysis.power.wrong_sign, ".1%")),
            ("exaggeration of significant results (type M)", _of_significant(analysis.power.exaggeration, ".2f", "× ")),
        ]
    for margin in (analysis.equivalence, analysis.non_inferiority):
        if margin is not None:
            said = equivalence_text(margin, analysis.first, analysis.second, analysis.metric, analysis.decimals)
            rows.append((f"{margin.kind} within {margin.margin:g}", said))
    caption = (
        f"By the jackknife t test; ranges are what {units_text([analysis.units], unit)} leave open of their "
        "spread. Power is for a difference chosen beforehand; power for the observed difference would only repeat its "
        "p."
    )
    if analysis.comparisons > 1:
        caption += f" Size and power hold for each of {analysis.comparisons} comparisons after Bonferroni's correction."
    caption = f"{caption} {analysis.signature}"
    return Table.of_text(caption, (f"{analysis.first} minus {analysis.second}, {analysis.metric}", ""), rows)


def size_text(curves: SizeCurves, chosen: Sequence[str] | None = None) -> str:
    """Return one sentence on how wide intervals are at the largest size and at half of it, and would be at twice.

    >>> import mtsig
    >>> from mtsig.segments import Ablation
    >>> from mtsig.report._diagnostics import size_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> curves = mtsig.size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10))
    >>> print(size_text(curves))  # doctest: +NORMALIZE_WHITESPACE
    With 20 documents, chrF2 is known to ± 1.94 on average (95% interval); 10 of them give ± 2.82; by the 1/√n law,
    twice as many would give about ± 1.37.
    """
    rows = [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]
    known = ~np.isnan(curves.half_width[:, rows])
    total = np.where(known, curves.half_width[:, rows], 0.0).sum(axis=1)
    widths = np.divide(total, known.sum(axis=1), out=np.full(len(total), np.nan), where=known.any(axis=1))
    largest = int(np.argmax(curves.units))
    half = int(np.argmin(np.abs(curves.shares - 0.5)))
    what = f"the difference in {curves.metric}" if curves.is_difference else curves.metric
    if np.isnan(widths[[largest, half]]).any():
        return (
            f"How far {what} is known cannot be told: on subsets of these {curves.units[largest]:,} {curves.unit}s the "
            "score has no derivative."
        )
    average = "" if len(rows) == 1 else " on average"
    measured = (
        ""
        if half == largest
        else f"{curves.units[half]:,} of them give ± {points_text(widths[half], curves.decimals)}; "
    )
    now, then = (points_text(width, curves.decimals) for width in (widths[largest], widths[largest] / 2**0.5))
    return (
        f"With {curves.units[largest]:,} {curves.unit}s, {what} is known to ± {now}{average} "
        f"({level_text(curves.ablation.level)} interval); {measured}by the 1/√n law, twice as many would give about "
        f"± {then}."
    )


def dependence_text(dependence: Dependence) -> str:
    """Return one or two sentences on what dependence within documents costs.

    >>> import mtsig
    >>> from mtsig.inference._dependence import dependence
    >>> from mtsig.report._diagnostics import dependence_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> print(dependence_text(dependence(statistics, "direct", "via-catalan")))  # doctest: +NORMALIZE_WHITESPACE
    direct − via-catalan: 200 segments in 20 documents are worth about 188 independent ones (design effect 1.06,
    intraclass correlation 0.007, p = .3839).
    """
    evidence = (
        f"design effect {dependence.design_effect:.2f}, intraclass correlation {points_text(dependence.icc, 3)}, "
        f"{p_text(dependence.p_value)}"
    )
    if dependence.design_effect <= 1:
        return (
            f"{dependence.target}: {dependence.segments:,} segments in {dependence.documents:,} documents show no "
            "dependence within "
            f"documents ({evidence}). That is no proof that there is none."
        )
    return (
        f"{dependence.target}: {dependence.segments:,} segments in {dependence.documents:,} documents are worth about "
        f"{dependence.effective_segments:.0f} independent ones ({evidence})."
    )


def runs_text(run_comparison: RunComparison) -> str:
    """Return a comparison of several runs in words: the verdict, what the runs do to it, and what too few runs mean.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report._diagnostics import runs_text
    >>> rng = np.random.default_rng(1)
    >>> runs = {f"{name}.run{i}": rng.normal(mean, 1, 200) for name, mean in (("A", 0.5), ("B", 0)) for i in range(4)}
    >>> rating = mtsig.Rating(np.array(list(runs.values())), higher_is_better=True)
    >>> statistics = mtsig.measure(mtsig.Corpus.of(dict.fromkeys(runs), ratings={"comet": rating}), "rating:comet")
    >>> print(runs_text(mtsig.compare_runs(statistics, "A", "B")).partition(". ")[0])
    A is better than B by 0.43 comet over 4 and 4 runs (95% interval +0.29 to +0.57, p = .0020)
    """
    ahead, behind = (
        (run_comparison.first, run_comparison.second)
        if run_comparison.difference >= 0
        else (run_comparison.second, run_comparison.first)
    )
    several = run_comparison.family_size > 1
    low, high = (
        (run_comparison.adjusted_ci_low, run_comparison.adjusted_ci_high)
        if several
        else (run_comparison.ci_low, run_comparison.ci_high)
    )
    low, high = (low, high) if run_comparison.difference >= 0 else (-high, -low)
    ends = interval_text(low, high, True, run_comparison.decimals)
    called = "adjusted CI" if several else f"{level_text(run_comparison.level)} interval"
    evidence = (
        f"{behind} by {points_text(abs(run_comparison.difference), run_comparison.decimals)} {run_comparison.metric} "
        f"over {run_comparison.first_runs} and "
        f"{run_comparison.second_runs} runs ({called} {ends}, "
        f"{_run_p(run_comparison)})"
    )
    decided = verdict(run_comparison)
    caution = [f"Caution: {decided.caution}."] if decided.caution else []
    beside = " ".join([*caution, spreads_text(run_comparison), *(note.text for note in run_comparison.few_runs)])
    if decided.word == "better":
        return f"{ahead} is better than {evidence}. {beside}"
    same = (
        f"{run_comparison.first} and {run_comparison.second} have the same mean {run_comparison.metric}"
        if run_comparison.difference == 0
        else ""
    )
    if decided.word == "withheld":
        return f"Withheld: {decided.why}. {same or f'{ahead} is ahead of {evidence}'}. {beside}"
    if same:
        return f"Not separated: {same}. {beside}"
    return f"Not separated: {ahead} is ahead of {evidence}. This is no evidence that they are equal. {beside}"


def spreads_text(run_comparison: RunComparison) -> str:
    """Return whose runs vary and by how much, what that makes of the variance, and its degrees of freedom."""
    if run_comparison.variance == 0:
        return (
            f"Nothing varies here, neither between runs nor between {run_comparison.unit}s: are these copies of one "
            "output?"
        )
    by = [
        points_text(variance**0.5, run_comparison.decimals)
        for variance in (run_comparison.first_run_variance, run_comparison.second_run_variance)
    ]
    runs = f"Runs of {run_comparison.first} vary by {by[0]}, of {run_comparison.second} by {by[1]} (standard deviation)"
    if np.isnan(run_comparison.variance):
        return f"{runs}; how {run_comparison.unit}s vary cannot be known from one."
    share = f"Differences between runs make {run_comparison.run_share:.0%} of the variance."
    return f"{share} {runs}; {run_comparison.df:.1f} degrees of freedom."


def _run_p(run_comparison: RunComparison) -> str:
    if run_comparison.family_size == 1:
        return p_text(run_comparison.p_value)
    return f"{p_text(run_comparison.p_adjusted)} corrected for {run_comparison.family_size:,} comparisons (Holm)"


def audit_text(audit: Audit, unit: str | None = None) -> str:
    """Return how far the tests agree, a sentence for each unit; those that only reproduce others are left out.

    With a unit, only the tests over such units are counted.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report._diagnostics import audit_text
    >>> rating = mtsig.Rating(np.array([[3.0, 4, 5, 5, 4, 6], [1, 2, 2, 3, 4, 4]]), higher_is_better=True)
    >>> statistics = mtsig.measure(mtsig.Corpus.of(dict.fromkeys("AB"), ratings={"esa": rating}), "rating:esa")
    >>> audit = mtsig.audit(statistics, "A", "B", mtsig.Settings(n_resamples=200))
    >>> print(audit_text(audit))  # doctest: +NORMALIZE_WHITESPACE
    6 of 10 tests separate A and B at α = 0.05, taken as one comparison. They ask different questions; choose one
    before looking.
    """
    units = list(dict.fromkeys(row.unit for row in audit)) if unit is None else [unit]
    if len(units) > 1:
        return " ".join(f"Over {item}s: {_lower(audit_text(audit, item))}" for item in units)
    here = [row for row in audit if row.unit in units]
    own = [row for row in here if row.counts]
    if not own:
        problems = list(dict.fromkeys(row.problem for row in here if row.problem))
        return (
            f"No test of {audit.first} and {audit.second} is possible here. {problems[0] if problems else ''}".strip()
        )
    yes, open_still = (sum(row.verdict == word for row in own) for word in ("better", "withheld"))
    at = f"{audit.first} and {audit.second} at α = {1 - audit.level:.3g}, taken as one comparison."
    if not open_still and yes in (0, len(own)):
        return f"All {len(own)} tests {'separate' if yes else 'do not separate'} {at}"
    left = f" {_withheld(own, open_still)}" if open_still else ""
    if open_still == len(own):
        return f"None of {len(own)} tests separates {at}{left}"
    return f"{yes} of {len(own)} tests separate {at}{left} They ask different questions; choose one before looking."


def ablation_bundle(corpus: Corpus, size_curves: Sequence[SizeCurves], pair: tuple[str, str] | None) -> dict[str, Any]:
    """Return curves by test-set size, of the scores or of one pair's difference."""
    ablation = size_curves[0].ablation
    used = {option.name: getattr(ablation, option.name) for option in options(ablation)}
    return _frame(
        corpus,
        {**used, "sizes": ablation.sizes, "unit": size_curves[0].unit},
        pair or (),
        (note for curves in size_curves for note in curves.notes),
        sizes=[row for curves in size_curves for row in curves.rows()],
    )


def audit_bundle(
    corpus: Corpus,
    settings: Settings,
    audits: Sequence[Audit],
    dependence: Sequence[dict[str, Any]] = (),
    printed: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return one pair under every test, with its dependence within documents, and with what sacreBLEU prints of it."""
    return _frame(
        corpus,
        {"test": "all", "correction": "none", **_used(settings)},
        {name for audit in audits for name in (audit.first, audit.second)},
        (note for audit in audits for note in audit.notes),
        tests=[{**row, "signature": audit.signature} for audit in audits for row in audit.rows()],
        dependence=dependence,
        as_sacrebleu=printed,
    )


def runs_bundle(corpus: Corpus, settings: Settings, run_comparisons: Sequence[RunComparison]) -> dict[str, Any]:
    """Return comparisons over several runs, each with its verdict and all that it takes to make it again."""
    return _frame(
        corpus,
        _used(settings, unit=run_comparisons[0].unit if run_comparisons else settings.unit),
        (),
        (note for run_comparison in run_comparisons for note in run_comparison.notes),
        runs=[{**run_comparison.row(), **_decision(run_comparison)} for run_comparison in run_comparisons],
    )


def power_bundle(
    corpus: Corpus,
    settings: Settings,
    power_analysis: Sequence[PowerAnalysis],
    notes: Sequence[Note] = (),
    designs: Sequence[Design] = (),
    ratings: Mapping[str, RatingDesign] | None = None,
) -> dict[str, Any]:
    """Return needed size, power and equivalence, and what a future test set has to hold; ratings: by their names."""
    return _frame(
        corpus,
        _used(settings, "level seed unit"),
        {name for analysis in power_analysis for name in (analysis.first, analysis.second)},
        notes,
        status="exploratory",  # a margin given here was fixed in no plan
        power=[asdict(analysis) for analysis in power_analysis],
        designs=[asdict(design) for design in designs],
        ratings=[
            {"rating": name, "judges": design.judges, "difference": design.difference, **row}
            for name, design in (ratings or {}).items()
            for row in design.rows()
        ],
    )


def _decision(run_comparison: RunComparison) -> dict[str, Any]:
    decided = verdict(run_comparison)
    return {
        "verdict": decided.word,
        "winner": decided.winner,
        "withheld_reason": decided.withheld_reason,
        "caution": decided.caution,
    }
