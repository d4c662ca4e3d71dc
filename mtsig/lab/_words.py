"""What experiments found, in words and tables: results go in, sentences that say no more than they do come out."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import singledispatch
from math import floor, log10
from typing import Any

import numpy as np

from mtsig._probability import level_text, points_text
from mtsig.citations import VERSION
from mtsig.corpus._notes import number_of
from mtsig.inference import INTERVALS, p_text
from mtsig.inference._corrections import correction_label
from mtsig.inference._tests import RiezlerMaxwell, known_test
from mtsig.lab import _compared, _test_sets
from mtsig.lab._blind_spots import OrderingCounts, SentenceVariants
from mtsig.lab._compared import EveryTestPs, RelationsTables
from mtsig.lab._error_rates import CalibrationRates, MultiplicityRates, PeekingRates
from mtsig.lab._material import Experiment, LabResult
from mtsig.lab._reranking import ALPHA, PAIRS, RERANKED, RerankScores, label_of_test
from mtsig.lab._sampling import ConclusionRates, CoverageRates, DrawCurves
from mtsig.lab._test_sets import LengthCurves, ReferenceCurves
from mtsig.lab._worlds import LITTLE_SHARE, NULLS
from mtsig.report import Table
from mtsig.report._bundle import plain
from mtsig.report._shown import tables_of
from mtsig.report._table import number_text, records_table
from mtsig.resampling import RNG
from mtsig.study._record import SCHEMA

_REPEATS = 40
"""Bootstraps that give a standard deviation within about 11%."""

_FEW_PAIRS = 10


def _points(value: float, signed: bool = False) -> str:
    """Return a score or difference with two decimals, or two digits that count where it is small."""
    small = 0 < abs(value) < 0.095
    return points_text(value, 1 - floor(log10(abs(value))) if small else 2, signed)


def law_tables(result: LabResult) -> list[Table]:
    """Return the summaries of a result, then all its records under the verdict."""
    tables = [records_table(rows, title) for title, rows in result.summaries().items()]
    return [records_table(result.rows(), law_text(result), result.given_names), *tables]


_MOST_ROWS = 60
"""Longer tables are cut in a notebook, and say so."""


@tables_of.register
def _(result: LabResult) -> list[Table]:
    return [table.first(_MOST_ROWS, "to_frame() has all") for table in law_tables(result)]


@singledispatch
def law_text(result: LabResult) -> str:
    """Return what an experiment found, in one to three sentences."""
    raise TypeError(f"{type(result).__name__} is not a result of an experiment")


@law_text.register
def _(result: _test_sets.VariationOfScores) -> str:
    more = int(np.sum(result.ratio > result.by_chance))
    return (
        f"Between {result.sets} test sets of {result.size} neighbouring segments, {result.metric} varies "
        f"{np.median(result.ratio):.2f} times as much as between test sets spread over all the data (median of "
        f"{number_of(len(result.systems), 'system')}). For {more} of them, the ratio is larger than in 95% of random "
        "orders of the segments. "
        + (
            "Neighbouring segments are correlated, so a block of text is less informative than scattered segments."
            if more > len(result.systems) / 2
            else "These data do not show that neighbouring segments are correlated."
        )
    )


def _interval_label(name: str) -> str:
    return INTERVALS[name].label if name in INTERVALS else name


def _method_label(record: Mapping[str, Any]) -> str:
    """Return what a record of error rates calls its method: a test that rejects, or an interval that covers."""
    label = _interval_label if record["what"] == "covers" else label_of_test
    return label(record["method"])


_NAMED: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "test": lambda record: label_of_test(record["test"]),
    "method": _method_label,
    "correction": lambda record: correction_label(record["correction"]),
    "null": lambda record: NULLS[record["null"]],
}
"""By column: what the name in it is called in sentences."""


def in_words(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return records with the labels of tests, intervals, corrections and nulls, where files have their names."""
    return [
        {column: _NAMED[column](record) if column in _NAMED else value for column, value in record.items()}
        for record in records
    ]


def rows_in_words(result: LabResult) -> list[dict[str, Any]]:
    """Return the records of a result for people: what files have by its name is here by its label."""
    tests = {name: label_of_test(name) for name in result.test_names}
    return [{tests.get(column, column): value for column, value in row.items()} for row in in_words(result.rows())]


@law_text.register
def _(result: CoverageRates) -> str:
    return (
        f"{result.sets - result.misses} of {result.sets} {level_text(result.level)} intervals "
        f"({_interval_label(result.method)}; {number_of(result.size, 'segment')} each) contain the {result.target} on "
        f"all the data, {number_text(round(result.truth, 2))}: {result.rate:.1%} (95% CI {result.rate_low:.1%} to "
        f"{result.rate_high:.1%}). {_fit(result)}"
    )


def _fit(result: CoverageRates) -> str:
    p = f"({p_text(result.p_value)})"
    if result.p_value > 0.05:
        return f"This agrees with the nominal level {p}."
    if result.p_value > 0.01:
        return f"This may be due to chance {p}; more test sets are needed to decide."
    return f"This does not agree with the nominal level {p}."


@law_text.register
def _(result: ConclusionRates) -> str:
    right = sum(int(np.sum(wins >= result.level - 1e-12)) for wins in result.wins)
    wrong = sum(int(np.sum(losses >= result.level - 1e-12)) for losses in result.losses)
    made = right + wrong
    share = f"{wrong / made:.1%}" if made else "none"
    return (
        f"In {made:,} of {result.total:,} paired bootstraps, one system scored higher on at least "
        f"{level_text(result.level)} of resamples. In {wrong:,} of these ({share}), this is the worse system. This "
        "share depends on the systems, so a win rate is not the probability that a conclusion is right."
    )


@law_text.register
def _(result: LengthCurves) -> str:
    shortest = int(np.argmin(result.ratio))
    return (
        f"If the output of {result.system} is cut to {result.ratio[shortest]:.2f} of the reference's length, BLEU is "
        f"{result.unpenalised[shortest] * result.penalty[shortest]:.1f}. Without the brevity penalty of "
        f"{result.penalty[shortest]:.2f}, it would be {result.unpenalised[shortest]:.1f}. Output longer than the "
        "reference is not penalised for its length; only its precision decreases."
    )


@law_text.register
def _(result: ReferenceCurves) -> str:
    last = result.equivalences()[-1]
    return (
        f"Relative to the score, {last['references']} references on {last['by_relative_width']:.0%} of the segments "
        f"have intervals as narrow as one on all. In points of {result.metric}, this needs "
        f"{last['by_absolute_width']:.0%}. Relative widths shrink mostly because scores rise. " + separated_text(result)
    ).strip()


def separated_text(result: ReferenceCurves) -> str:
    """Return how many pairs one reference separates, whichever it is, and how many all of them do.

    Which reference it is can matter more than how many there are: a mean over single ones hides that.
    """
    if not result.pairs:
        return ""
    counts = [int(count) for count, subset in zip(result.separated, result.subsets, strict=True) if len(subset) == 1]
    few, most = min(counts), max(counts)
    found, which = (f"{few} to {most}", "depending on the") if few < most else (f"{few}", "with any single")
    return (
        f"The number of significant pairs (of {len(result.pairs)}, uncorrected) is {found} {which} reference, and "
        f"{int(result.separated[-1])} with all {result.counts[-1]} references."
    )


@law_text.register
def _(result: DrawCurves) -> str:
    # Of few bootstraps the standard deviation is not known well enough to hold theory to it.
    many = result.repeats >= _REPEATS
    off = np.abs(np.median(result.spread / result.theory, axis=1) - 1)[many]
    first, last = (_points(float(np.median(result.spread[at]))) for at in (0, -1))
    return (
        f"The ends of a {level_text(result.level)} interval vary between seeds. Their standard deviation is {first} "
        f"{result.metric} with {result.draws[0]:,} resamples, and {last} with {result.draws[-1]:,} (median of "
        f"{number_of(len(result.systems), 'system')})."
        + (f" The formula sqrt(a(1 − a)/B)/f(q) predicts this within {100 * np.max(off):.0f}%." if many.any() else "")
        + ("" if many.all() else f" This comparison leaves out sizes with fewer than {_REPEATS} bootstraps.")
    )


@law_text.register
def _(result: _test_sets.SeparationPairs) -> str:
    if len(result.pairs) > 1:
        enough, surely = (int(np.sum(number <= result.segments)) for number in (result.needed, result.most))
        which = f"{enough:,} of the" if enough < len(result.pairs) else "all"
        return (
            f"These {result.segments:,} segments are enough for {which} {len(result.pairs):,} observed "
            f"differences in {result.metric}. If every difference is as small as its {level_text(result.level)} "
            f"interval allows, they are enough for {surely:,}. Power: {result.power:.0%}; each pair is tested alone."
        )
    first, second = result.pairs[0]
    if not np.isfinite(result.needed[0]):
        return f"{first} and {second} have the same {result.metric} here, so no number of segments would be sufficient."
    observed = f"{_points(float(result.difference[0]))} {result.metric}"
    bound = f"between {result.fewest[0]:,.0f} and {result.most[0]:,.0f}"
    if not np.isfinite(result.most[0]):
        bound = f"{result.fewest[0]:,.0f} or more, without an upper bound"
    return (
        f"About {result.needed[0]:,.0f} segments would detect the difference between {first} and {second} with "
        f"{result.power:.0%} power, if it is the observed {observed}. By the {level_text(result.level)} interval of "
        f"the difference, the number is {bound}."
    )


@law_text.register
def _(result: _compared.SensitivityShares) -> str:
    order = np.argsort(-result.typical, kind="stable")
    listed = ", ".join(
        f"{result.metrics[i]} {result.typical[i]:.1f} ({result.typical_low[i]:.1f} to {result.typical_high[i]:.1f})"
        for i in order
    )
    return (
        f"Median differences over {number_of(len(result.pairs), 'pair')}, in standard errors, with their range if one "
        f"system is left out: {listed}. A metric can be sensitive to differences that readers do not notice."
    )


@law_text.register
def _(result: EveryTestPs) -> str:
    if not result.usable.any():
        return "No pair has a p-value by randomization between .0005 and .5, so tests cannot be compared by ratios."
    listed = ", ".join(
        f"{known_test(t).label} {r:.2f}" for t, r in zip(result.tests[1:], result.ratio[1:], strict=True)
    )
    return (
        "The numbers are median ratios of each test's p-value to that of randomization, over the "
        f"{int(result.usable.sum())} of {len(result.pairs)} pairs with p between .0005 and .5: {listed}."
        + (
            " So few pairs are weak evidence, and small p-values near .0005 have a large Monte Carlo error."
            if result.usable.sum() < _FEW_PAIRS
            else ""
        )
        + (
            " Figure 2 of Riezler and Maxwell takes absolute values before centring, so its p is one-sided."
            if any(isinstance(known_test(name), RiezlerMaxwell) for name in result.tests)
            else ""
        )
    )


@law_text.register
def _(result: RerankScores) -> str:
    changed = result.differ[[first for first, _ in PAIRS].index(RERANKED)]
    scores = ", ".join(
        f"{metric} {_points(float(row[0]))} to {_points(float(row[result.systems.index(RERANKED)]))}"
        for metric, row in zip(result.metrics, result.scores, strict=True)
    )
    made = f"Reranking {result.source} by models of other documents changes {changed:.0%} of segments: {scores}."
    every = result.every
    if not every.pairs:
        return f"{made} All variants are one system, so there is nothing to test."
    said = ", ".join(f"{label_of_test(row['test'])} {row['rejects']}" for row in result.disagreements())
    apart = "; ".join(
        f"{label_of_test(row['test'])} only {row['only_this_rejects']}, "
        f"randomization only {row['only_randomization_rejects']}"
        for row in result.disagreements()[1:]
    )
    return (
        f"{made} Comparisons of variants with p of at most {ALPHA:g}, among {len(every.pairs)}: {said}. "
        f"Significant by one of two tests: {apart}."
    )


@law_text.register
def _(result: MultiplicityRates) -> str:
    rates = result.rate[:, -1]
    listed = ", ".join(f"{correction_label(n)} {r:.1%}" for n, r in zip(result.corrections, rates, strict=True))
    return (
        f"Under {NULLS[result.null]}, no system is better. Still, some difference among {result.systems[-1]} systems "
        f"is significant in this share of {result.simulations} simulated test sets of {result.size:,} {result.drawn}: "
        f"{listed} (nominal {result.alpha:.0%}). If the {result.comparisons[-1]} comparisons were independent, the "
        f"share would be 1 − (1 − α)^k, {result.bound[-1]:.1%}. But comparisons that share systems are dependent."
    )


@law_text.register
def _(result: PeekingRates) -> str:
    low, high = (ends[-1] for ends in result.ends(result.stopped))
    return (
        f"Names were swapped at random, so no system is better. {result.simulations:,} test sets grow to "
        f"{result.units[-1]:,} segments. Of these, {result.rate:.1%} ({low:.1%} to {high:.1%}) have p of at most "
        f"{result.alpha:.4g} at one or more of {number_of(len(result.units), 'look')}, and {result.rate_at_end:.1%} at "
        f"the last. Stopping at the first significant look raises the false-positive rate to {result.rate:.1%}."
    )


@law_text.register
def _(result: _compared.NistWeightsScores) -> str:
    low, high = result.interval("recomputed")
    own_low, own_high = result.interval("fixed")
    return (
        f"{result.system} has NIST {result.observed:.2f}. With weights from the test set, the mean over resamples is "
        f"{result.fixed.mean():.2f} ({own_low:.2f} to {own_high:.2f}). With weights computed again in every resample, "
        f"it is {result.recomputed.mean():.2f} ({low:.2f} to {high:.2f}). The second interval "
        f"{'contains' if low <= result.observed <= high else 'excludes'} the score itself. Segments that are drawn "
        f"twice make their n-grams look more frequent. NIST also grows with the test set: {result.by_size[0]:.2f} on "
        f"{result.sizes[0]:,} segments, {result.by_size[-1]:.2f} on {result.sizes[-1]:,}."
    )


@law_text.register
def _(result: RelationsTables) -> str:
    separated = ", ".join(f"{m} {int(np.sum(row != 0))}" for m, row in zip(result.metrics, result.sign, strict=True))
    contrary = sum(row["contradiction"] for rows in result.summaries().values() for row in rows)
    return (
        f"Significant pairs, out of {len(result.pairs)}: {separated} ({level_text(result.level)}, corrected by "
        f"{correction_label(result.correction)} for the {number_of(len(result.pairs), 'comparison')} of each metric). "
        f"Contradictions between metrics: {contrary}. “~” does not mean equal, and it is not transitive."
    )


@law_text.register
def _(result: SentenceVariants) -> str:
    matched = result.matched
    return (
        f"Segment {result.segment} of {result.system} has {len(matched.words)} words, and {sum(matched.known[1])} of "
        f"its bigrams occur in the references. Its {len(matched.phrases())} phrases have {result.orderings:,} possible "
        f"orders ({result.distinct:,} different strings) without losing a matched n-gram. {len(result.redrawn)} "
        "strings of other reference words are shown, which have the same counts."
    )


@law_text.register
def _(result: OrderingCounts) -> str:
    return (
        f"The phrases of the median translation of {result.system} can be put in 10^{np.median(result.digits):.1f} "
        f"orders without losing a matched n-gram; those of the most extreme one in 10^{result.digits.max():.0f} "
        f"({number_of(result.references, 'reference')}). All these orders have the same BLEU."
    )


@law_text.register
def _(result: CalibrationRates) -> str:
    largest = len(result.sizes) - 1
    top = int(np.argmax(result.effects))
    power = ", ".join(
        f"{known_test(name).label} {result.rate[row, largest, top]:.0%}" for row, name in enumerate(result.tests)
    )
    size = f"{result.sizes[largest]:,} {result.drawn}"
    effect = f"{_points(float(result.truth[top]), signed=True)} {result.metric}"
    text = f"Power for a true {effect} on {size}: {power}. " if result.effects[top] else ""
    return (
        "".join(_errors(result, world, largest) for world in result.no_effect)
        + text
        + _covered(result, largest)
        + f" {result.simulations} simulated test sets each."
        + "".join(f" No result for {NULLS[null]}." for null in result.left_out)
    )


def _errors(result: CalibrationRates, world: int, size: int) -> str:
    """Return how often the tests err under one null, the null by name, and whether that is what they say."""
    alpha = f"{result.alpha:.4g}".removeprefix("0")
    low, high = result.ends(result.rejected[:, size, world])
    said = {1: "above the nominal level", 0: "in line with the nominal level", -1: "below the nominal level"}
    errors = [
        f"the false-positive rate of {known_test(name).label} is {result.rate[row, size, world]:.1%} ({low[row]:.1%} "
        f"to {high[row]:.1%})" + (f" at α = {alpha}: " if row == 0 else ": ") + said[result.compared(row, size, world)]
        for row, name in enumerate(result.tests)
    ]
    return f"Under {NULLS[result.nulls[world]]} ({made_text(result, world)}), {'; '.join(errors)}. "


def made_text(result: CalibrationRates, world: int) -> str:
    """Return how a world was made of the data, in words."""
    by_document = result.drawn == "documents"
    if result.made[world] == "exchanged":
        together = "names of whole documents" if by_document else "names"
        return f"{together} swapped at random, under which randomization is exact by construction"
    kept = "whole documents kept" if by_document else "outputs kept"
    if result.made[world] == "centred":
        return f"{kept}, each system's scores shifted by a constant"
    share = result.share[world]
    share_of = f"{share:.0%} of the {result.drawn}{', a population unlike these data' if share < LITTLE_SHARE else ''}"
    return f"{kept} and drawn with unequal probabilities, as if there were only {share_of}"


def _covered(result: CalibrationRates, size: int) -> str:
    """Return how often intervals hold the truth: under each null, and at least where there is a difference."""
    parts = [f"{result.coverage[size, world]:.1%} under {NULLS[result.nulls[world]]}" for world in result.no_effect]
    others = result.coverage[size, result.effects > 0]
    if len(others):
        parts.append(f"at least {others.min():.1%}" + (" where they differ" if parts else ""))
    return f"Intervals ({_interval_label(result.interval)}) contain the true difference in {', '.join(parts)}."


def experiment_bundle(experiment: Experiment[Any], result: LabResult, verdict: str, given: str) -> dict[str, Any]:
    """Return what an experiment found; `given` says what it was run on."""
    used = {field.name: getattr(experiment, field.name) for field in fields(experiment)}
    return plain(
        {
            "schema": SCHEMA,
            "mtsig": VERSION,
            "experiment": experiment.name,
            "paper": experiment.paper,
            "settings": {name: list(value) if isinstance(value, tuple) else value for name, value in used.items()}
            | {"rng": RNG},
            "given": given,
            "verdict": verdict,
            "notes": [note.text for note in result.notes],
            "summaries": {title: by_metric(rows, result.given_names) for title, rows in result.summaries().items()},
            "rows": by_metric(result.rows(), result.given_names),
        }
    )


def by_metric(rows: Sequence[Mapping[str, Any]], given: Collection[str]) -> list[dict[str, Any]]:
    """Return records without keys that are names of metrics: their values are a list, which any program can read."""
    return [
        {name: value for name, value in row.items() if name not in given}
        | ({"by_metric": of_metrics} if (of_metrics := _listed(row, given)) else {})
        for row in rows
    ]


def _listed(row: Mapping[str, Any], names: Collection[str]) -> list[dict[str, Any]]:
    return [{"metric": name, "value": value} for name, value in row.items() if name in names]
