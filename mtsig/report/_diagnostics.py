"""What is asked beside a comparison, in words and tables: audit, size, power, runs, dependence of segments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from math import inf, isnan
from typing import Any

import numpy as np

from mtsig._options import options
from mtsig._probability import interval_text, level_text, points_text
from mtsig._say import equivalence_text, say, units_text
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.inference import Audit, PowerAnalysis, RunComparison, Settings, p_number, p_text
from mtsig.inference._audit import Audited, Printed
from mtsig.inference._dependence import BlockScan, Dependence
from mtsig.inference._design import Design, SamplingPart
from mtsig.inference._power import FAR, Power, is_far, is_fewest, range_text, share_text
from mtsig.inference._tests import KoehnWins
from mtsig.inference._verdict import CAUTION, said_of
from mtsig.meta_eval._rating_design import RatingDesign
from mtsig.report._bundle import _frame, _used
from mtsig.report._table import Column, Table, View
from mtsig.report._tables import drawing_error
from mtsig.segments import BUCKETS, Ablation, Buckets, SizeCurves, buckets_of

__all__ = ["BUCKETS", "Ablation", "Buckets", "SizeCurves", "buckets_of"]

_AUDIT = ("test", "unit", "p", "Monte Carlo interval", "interval", "verdict", "why it differs")
_SIZES = ("size", "units", "system", "score", "spread", "mean interval", "half width", "relative")


def size_table(curves: SizeCurves, view: View = _SIZES) -> Table:
    """Return score, spread and interval widths by test-set size."""
    decimals = curves.decimals
    return Table.of_rows(
        f"Means over {int(curves.subsets.max())} random subsets of each size. Spread is the standard deviation over "
        f"these subsets. {curves.signature}",
        [(z, t) for z in range(len(curves.shares)) for t in range(len(curves.labels))],
        Column("size", "range", of=lambda at: f"{curves.shares[at[0]]:.0%}"),
        Column(f"{curves.unit}s", "count", key="units", of=lambda at: int(curves.units[at[0]])),
        Column("system", of=lambda at: curves.labels[at[1]]),
        Column(curves.metric, "score", decimals, key="score", of=curves.mean.__getitem__),
        Column("spread", "score", decimals, of=curves.spread.__getitem__),
        Column(
            "mean CI", "interval", decimals, key="mean interval", of=lambda at: (curves.ci_low[at], curves.ci_high[at])
        ),
        Column("half width", "half width", decimals, of=curves.half_width.__getitem__),
        Column("relative", "range", of=lambda at: "" if curves.is_difference else f"± {curves.relative[at]:.2f}%"),
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
    """
    difference = points_text(audit.difference, audit.decimals, signed=True)

    def said(text: Callable[[Audited], Any]) -> Callable[[Audited], Any]:
        """Return what a test says; nothing where it says nothing."""
        return lambda test: text(test) if test.problem is None else None

    return Table.of_rows(
        f"{audit.first} minus {audit.second}: {difference} {audit.metric}. {audit_text(audit)} "
        f"Not corrected for other comparisons. {audit.signature}",
        [test for test in audit if unit in (None, test.unit)],
        Column("test"),
        Column("label"),
        Column("unit"),
        Column("p", "p", of=said(audited_p_text)),
        Column("Monte Carlo interval", "range", of=said(drawing_error)),
        Column(f"{level_text(audit.level)} CI", "interval", audit.decimals, True, key="interval",
               of=said(lambda test: "none" if isnan(test.ci_low) else (test.ci_low, test.ci_high))),
        Column("verdict", of=said(decided_text)),
        Column("about", of="estimand"),
        Column("assumes"),
        Column("why it differs", of=lambda test: test.problem or test.differs),
        view=view,
    )  # fmt: skip


def decided_text(audited: Audited) -> str:
    """Return the verdict by one test of an audit, with the reason where it is withheld."""
    if audited.winner:
        return f"{audited.winner} better{f' {CAUTION}' if audited.caution else ''}"
    word = said_of(audited.verdict, None)
    return f"{word}: {audited.withheld_reason}" if audited.withheld_reason else word


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
    """Return the standard error by block length, which stands in where document ids are missing."""
    return Table.of(
        f"{scan.target}, {metric}: without document ids, blocks of neighbouring segments replace documents. The last "
        "column is the 95% quantile over random orders of the segments. If a relative standard error is above it, "
        "neighbouring segments are correlated and intervals are too narrow. A single one may be above it by chance.",
        (Column("neighbours taken together", "count"), scan.lengths),
        (Column("standard error, relative", "score", 3), scan.ratio),
        (Column("by chance", "score", 3), scan.limit),
    )


def printed_table(lines: Sequence[Printed], metric: str) -> Table:
    """Return a baseline and other systems as sacreBLEU prints them."""
    return Table.of_rows(
        PRINTED,
        lines,
        Column("as sacreBLEU prints it", key="system",
               of=lambda line: f"Baseline: {line.system}" if line is lines[0] else line.system),
        Column(metric, "score", 4, key="score"),
        Column("mean ± half width", "range", of=lambda line: f"{line.mean:.4f} ± {line.half_width:.4f}"),
        Column("p, --paired-bs", "score", 4, of="p_bootstrap"),
        Column("p, --paired-ar", "score", 4, of="p_randomization"),
    )  # fmt: skip


PRINTED = (
    "Identical to sacreBLEU's output (sampling unit: segment). Its bootstrap p is about half of a two-sided p, and "
    "its interval is centred on the mean of the resamples."
)


def runs_table(runs: RunComparison) -> Table:
    """Return the comparison of two systems over several runs, with the parts of its variance and who varied."""
    known, varies = not isnan(runs.variance), runs.variance > 0
    spread = runs.first_run_variance**0.5, runs.second_run_variance**0.5
    adjusted = interval_text(runs.adjusted_ci_low, runs.adjusted_ci_high, True, runs.decimals)
    rows = (
        ("difference", f"{points_text(runs.difference, runs.decimals, signed=True)} {runs.metric}"),
        *(((f"adjusted CI, of {runs.family_size}", adjusted),) if runs.family_size > 1 else ()),
        (f"{level_text(runs.level)} CI", interval_text(runs.ci_low, runs.ci_high, True, runs.decimals)),
        ("p", p_number(runs.p_value)),
        *(((f"p of {runs.family_size} (Holm)", p_number(runs.p_adjusted)),) if runs.family_size > 1 else ()),
        *((("95% Monte Carlo interval of p", drawing_error(runs)),) if varies else ()),
        ("standard error", points_text(runs.variance**0.5, runs.decimals + 1) if known else "none"),
        *((("of it by segments alone", points_text(runs.variance_segments**0.5, runs.decimals + 1)),) if known else ()),
        ("of it by runs alone", points_text(runs.variance_runs**0.5, runs.decimals + 1)),
        *((("share of variance from runs", f"{runs.run_share:.0%}"),) if varies else ()),
        (f"standard deviation of the runs of {runs.first}", points_text(spread[0], runs.decimals + 1)),
        (f"standard deviation of the runs of {runs.second}", points_text(spread[1], runs.decimals + 1)),
        *((("degrees of freedom (Satterthwaite)", f"{runs.df:.1f}"),) if varies else ()),
        ("draws and seed", f"{runs.n_resamples:,} and {runs.seed}"),
    )
    caption = f"{say(runs)} Do not compare each system's best run: selecting the best of several inflates its score."
    return Table.of_text(caption, (f"{runs.first} minus {runs.second}", ""), rows)


_SAMPLES = (1, 2, 3, 5, 10)
"""Samples per segment for which a plan shows the standard error."""


def sampling_table(part: SamplingPart, price_segment: float | None = None, price_sample: float | None = None) -> Table:
    """Return what more samples per segment would bring, and what more units; price_sample: of one of both systems."""
    said, priced, each = part.sentence, bool(price_segment and price_sample), part.segments / part.units
    if price_segment and price_sample and part.sampling == part.sampling:
        best = part.best_samples(price_segment / price_sample)
        many = f"about {number_of(max(1, round(best)), 'sample', ',')} per segment" if best < inf else "more samples"
        said += f" At these prices, {many} would give the smallest standard error for the same cost."
    sizes = [] if np.isnan(part.sampling) else [(n, part.units) for n in _SAMPLES] + [(part.samples, 2 * part.units)]
    rows = [
        (f"{samples:.3g}", f"{units:,}", f"{(error := part.error_with(samples, units)):.3f}",
         f"{points_text(100 * (error / part.standard_error - 1), 0, signed=True)}%",
         *[f"{units * each * ((price_segment or 0) + samples * (price_sample or 0)):,.0f}"] * priced)
        for samples, units in sizes
    ]  # fmt: skip
    subject = f"{part.first} minus {part.second}, {part.metric}: samples per segment"
    names = (subject, f"{part.unit}s", "standard error", "width of the interval", *["cost"] * priced)
    return Table.of_text(said, names, rows)


def about_text(value: str | None, low: str | None, high: str | None) -> str:
    """Return a number with the range that a pilot leaves open; None is where no number would do."""
    if low is None:
        return "no test-set size is sufficient"
    if value is None:
        return f"no test-set size is sufficient (at best {low})"
    if high is None:
        return f"about {value} (at least {low}, no upper bound)"
    return value if low == high else f"about {value} ({low} to {high})"


def _of_significant(value: float, form: str, before: str = "") -> str:
    """Return a number about significant results in a form; words where there would be none of these."""
    return "there would be none" if isnan(value) else f"{before}{value:{form}}"


def power_text(power: Power) -> str:
    """Return the power with the range that the pilot leaves open: "about 64% (41% to 86%)"."""
    if isnan(power.power):
        return "not known"
    if not power.power_low < power.power_high:
        return f"{power.power:.1%}".replace(".0%", "%")
    about, low, high = (f"{share:.0%}" for share in (power.power, power.power_low, power.power_high))
    return f"about {about}" if low == high else f"about {about} ({low} to {high})"


def power_table(analysis: PowerAnalysis) -> Table:
    """Return what a future test set needs, and what this one rules out."""
    rows, unit = [], analysis.unit
    if analysis.difference is not None and analysis.needed is not None and analysis.power is not None:
        rows += [
            (
                f"{analysis.unit}s needed to find {analysis.difference:g} with {analysis.wanted:.0%} power",
                about_text(f"{analysis.needed:,}", f"{analysis.needed_low:,}", f"{analysis.needed_high:,}"),
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
        "These numbers are for the jackknife t test. Ranges reflect that the variance was estimated from "
        f"{units_text([analysis.units], unit)}. Power is for a difference chosen in advance. Power computed for the "
        "observed difference would only restate its p-value."
    )
    if analysis.comparisons > 1:
        caption += f" Size and power are for each of {analysis.comparisons} comparisons after Bonferroni's correction."
    caption = f"{caption} {analysis.signature}"
    return Table.of_text(caption, (f"{analysis.first} minus {analysis.second}, {analysis.metric}", ""), rows)


def planning_title(analysis: PowerAnalysis) -> str:
    """Return whether the pilot's size is enough to find the difference, and if not about how much more would be."""
    what, unit = f"{analysis.difference:,.12g} {analysis.metric}", analysis.unit
    if analysis.needed is None:
        return f"No practicable test-set size is enough to detect {what}"
    if is_far(analysis):
        return f"To detect {what}, you need more than {FAR} times these {unit}s"
    times = analysis.needed / analysis.units
    if times <= 1:
        beyond = analysis.needed_high is None or analysis.needed_high > analysis.units
        about = "about " if beyond else ""  # the range of the size goes beyond those at hand
        return f"These {unit}s are {about}enough to detect {what}"
    if times < 1.25:
        return f"To detect {what}, you need somewhat more {unit}s than these"
    # No more digits than a pilot tells.
    rounded = round(2 * times) / 2 if times < 5 else round(times, 0 if times < 20 else -1)
    many = "twice" if rounded == 2 else f"{rounded:,.12g} times"
    return f"To detect {what}, you need about {many} these {unit}s"


def planning_lede(analysis: PowerAnalysis, segments: int, *, brief: bool = False) -> str:
    """Return the power of the pilot's size and the size that is needed, each with its range.

    segments: how many the pilot has. brief: as there is room on a phone.
    """
    power, unit = analysis.power, analysis.unit
    if power is None or analysis.needed is None:
        return ""
    ends = range_text(power)
    seen = f"{share_text(power.power)}{f' (95% range {ends})' if ends else ''}"
    seen += f", Bonferroni for {analysis.comparisons:,} comparisons" if analysis.comparisons > 1 else ""
    at_hand = (
        f"The power of these {number_of(analysis.units, unit, ',')} to detect a true difference of "
        f"{analysis.difference:,.12g} {analysis.metric} between systems like {analysis.first} and {analysis.second} is "
        f"{seen}."
    )
    needed, reached = f"{analysis.needed:,} {unit}s", _reached(analysis) or f"{analysis.wanted:.0%} or more"
    if analysis.needed_low != analysis.needed_high:
        needed += f" ({analysis.needed_low:,} to {analysis.needed_high:,})"
    if brief:
        here = f"Power here: {seen}."
        if is_fewest(analysis):
            return f"{here} {analysis.needed} {unit}s, the fewest for a verdict, reach {reached}."
        return f"{here} About {needed} would reach {analysis.wanted:.0%}."
    if is_fewest(analysis):
        more = (
            f" If the variance was underestimated, up to {analysis.needed_high:,} are needed for {analysis.wanted:.0%}."
        )
        return (
            f"{at_hand} {analysis.needed:,} {unit}s, the fewest for a verdict, detect it in {reached} of "
            f"test sets.{more if analysis.needed_high != analysis.needed else ''}"
        )
    if unit != "segment":
        needed += f", some {float(f'{analysis.needed * segments / analysis.units:.2g}'):,.0f} segments,"
    return f"{at_hand} About {needed} would be needed to detect this difference in {analysis.wanted:.0%} of test sets."


def power_curve_table(analyses: Sequence[PowerAnalysis]) -> Table:
    """Return the power of test sets of several sizes with its range, a row for each size and difference."""
    first = analyses[0]
    return Table.of_rows(
        f"Power to detect true differences between {first.first} and {first.second}, by the size of the test set.",
        [at for analysis in analyses for at in analysis.curve],
        Column(f"difference in {first.metric}", "range", key="difference", of=lambda at: f"{at.difference:g}"),
        Column(f"{first.unit}s", "count", key="units"),
        *(Column(name.removeprefix("power_"), "share", of=name) for name in ("power", "power_low", "power_high")),
    )


def planning_caption(analysis: PowerAnalysis, level: float) -> str:
    """Return what the power is of, how far a significant result would overstate the difference, and the curve's dot."""
    among = "" if analysis.comparisons == 1 else f" as one of {analysis.comparisons:,} comparisons (Bonferroni)"
    text = f"Power of the jackknife t-test over {analysis.unit}s{among}, {level_text(level)}."
    power = analysis.power
    if power is not None and (power.exaggeration >= 1.005 or power.wrong_sign >= 0.0005):
        wrong = f"{power.wrong_sign:.1%}" if power.wrong_sign >= 0.0005 else "fewer than 0.1%"
        text += (
            f" A significant result here would overstate {analysis.difference:,.12g} {analysis.metric} by a factor of "
            f"{power.exaggeration:.2f} on average (type M error), and have the wrong sign in {wrong} of cases (type S "
            "error)."
        )
    reached = _reached(analysis)
    if reached not in ("", f"{analysis.wanted:.0%}") and not is_fewest(analysis):
        text += f" The needed size allows for the uncertainty of the pilot, so the curve is at {reached} there."
    return text


def _reached(analysis: PowerAnalysis) -> str:
    """Return the power of the needed size; "" where the curve has no such size."""
    return next((share_text(size.power) for size in analysis.curve if size.units == analysis.needed), "")


def size_text(curves: SizeCurves, chosen: Sequence[str] | None = None) -> str:
    """Return one sentence on how wide intervals are at the largest size and at half of it, and would be at twice."""
    rows = [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]
    known = ~np.isnan(curves.half_width[:, rows])
    total = np.where(known, curves.half_width[:, rows], 0.0).sum(axis=1)
    widths = np.divide(total, known.sum(axis=1), out=np.full(len(total), np.nan), where=known.any(axis=1))
    largest = int(np.argmax(curves.units))
    half = int(np.argmin(np.abs(curves.shares - 0.5)))
    what = f"the difference in {curves.metric}" if curves.is_difference else curves.metric
    if np.isnan(widths[[largest, half]]).any():
        return (
            f"The precision of {what} cannot be estimated from subsets of these {curves.units[largest]:,} "
            f"{curves.unit}s: the jackknife is undefined there."
        )
    average = "" if len(rows) == 1 else " on average"
    measured = (
        ""
        if half == largest
        else f"with {curves.units[half]:,} of them it is ±{points_text(widths[half], curves.decimals)}; "
    )
    now, then = (points_text(width, curves.decimals) for width in (widths[largest], widths[largest] / 2**0.5))
    return (
        f"With {curves.units[largest]:,} {curves.unit}s, the {level_text(curves.ablation.level)} CI of {what} is "
        f"±{now}{average}; {measured}by the 1/√n law, twice as many {curves.unit}s would give about ±{then}."
    )


def sizes_title(curves: SizeCurves) -> str:
    """Return how wide the interval of the score is that the first curve ends in."""
    width = points_text(float(curves.half_width[int(np.argmax(curves.units)), 0]), curves.decimals)
    return f"The {level_text(curves.ablation.level)} CI of {curves.labels[0]} spans ±{width} {curves.metric}"


def dependence_text(dependence: Dependence) -> str:
    """Return one or two sentences on what dependence within documents costs."""
    evidence = (
        f"design effect {dependence.design_effect:.2f}, intraclass correlation {points_text(dependence.icc, 3)}, "
        f"{p_text(dependence.p_value)}"
    )
    if dependence.design_effect <= 1:
        return (
            f"{dependence.target}: {dependence.segments:,} segments in {dependence.documents:,} documents show no "
            f"significant dependence within documents ({evidence}). This does not show that segments are independent."
        )
    return (
        f"{dependence.target}: {dependence.segments:,} segments in {dependence.documents:,} documents give as much "
        f"information as about {dependence.effective_segments:.0f} independent segments ({evidence})."
    )


def audit_text(audit: Audit, unit: str | None = None) -> str:
    """Return how far the tests agree, a sentence for each unit; those that only reproduce others are left out.

    With a unit, only the tests over such units are counted.
    """
    units = list(dict.fromkeys(row.unit for row in audit)) if unit is None else [unit]
    if len(units) > 1:
        said = {item: audit_text(audit, item) for item in units}
        return " ".join(f"Over {item}s: {text[:1].lower()}{text[1:]}" for item, text in said.items())
    here = [row for row in audit if row.unit in units]
    own = [row for row in here if row.counts]
    if not own:
        problems = list(dict.fromkeys(row.problem for row in here if row.problem))
        return (
            f"No test of {audit.first} and {audit.second} is possible here. {problems[0] if problems else ''}".strip()
        )
    yes, open_still = (sum(row.verdict == word for row in own) for word in ("better", "withheld"))
    of = f"between {audit.first} and {audit.second} significant (α = {1 - audit.level:.3g}, one comparison)."
    if not open_still and yes in (0, len(own)):
        return f"{'All' if yes else 'None'} of {len(own)} tests {'find' if yes else 'finds'} the difference {of}"
    left = f" {_withheld(own, open_still)}" if open_still else ""
    if open_still == len(own):
        return f"None of {len(own)} tests finds the difference {of}{left}"
    return (
        f"{yes} of {len(own)} tests find the difference {of}{left} The tests answer different questions; choose one in "
        "advance."
    )


def _withheld(own: Sequence[Audited], count: int) -> str:
    """Return how many tests are withheld, and why, where that is the same for all of them."""
    reasons = {audited.withheld_reason for audited in own if audited.verdict == "withheld"}
    why = f": {reasons.pop()}" if len(reasons) == 1 else ""
    return f"{'All' if count == len(own) else count} {'is' if count == 1 else 'are'} withheld{why}."


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
        runs=[run_comparison.row() for run_comparison in run_comparisons],
    )


def power_bundle(
    corpus: Corpus,
    settings: Settings,
    power_analysis: Sequence[PowerAnalysis],
    notes: Sequence[Note] = (),
    designs: Sequence[Design] = (),
    ratings: Mapping[str, RatingDesign] | None = None,
    samples: Sequence[SamplingPart] = (),
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
            {"rating": name, "raters": design.raters, "difference": design.difference, **row}
            for name, design in (ratings or {}).items()
            for row in design.rows()
        ],
        **({"samples": [part.row() for part in samples]} if samples else {}),
    )
