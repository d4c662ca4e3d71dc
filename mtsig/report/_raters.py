"""Ratings, raters and plans of ratings, in words and tables."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor, inf, log10, nan
from typing import Any

import numpy as np

from mtsig import _say
from mtsig._probability import level_text, points_text
from mtsig.corpus import Corpus, Note, RaterScores, Rating
from mtsig.corpus._notes import listed, number_of
from mtsig.inference import Settings
from mtsig.inference._design import Design, TestSetSize, Way
from mtsig.inference._estimated import FEWEST_RATERS, RatedFamily
from mtsig.inference._raters import assignment
from mtsig.meta_eval import STATISTICS, MetaEval, _leniency, _rater_agreement, _rating_design
from mtsig.readers import Part
from mtsig.report import _bundle, _diagnostics
from mtsig.report._table import Column, Table, View
from mtsig.segments._ablation import ReferencesDesign


def agreement_table(agreements: Sequence[_rater_agreement.Agreement]) -> Table:
    """Return a row for every coefficient of agreement."""
    first = agreements[0]
    return Table.of_rows(
        f"Agreement on outputs with several raters. Intervals: percentiles over resampled {first.unit}s, with all "
        "their systems and raters. Raters who agree need not be right.",
        agreements,
        Column("coefficient", of="label"),
        Column("value", "score", 3),
        Column(f"{level_text(first.level)} CI", "interval", 3),
        Column("by F theory", "interval", 3, of="theory_low theory_high"),
        Column("outputs", "count"),
        Column("raters", "count"),
        Column("caution", of="warning"),
        name="agreement",
    )


def raters_design_table(rater_scores: RaterScores, names: Sequence[str]) -> Table:
    """Return how many values each rater gave of each system; names: of all systems, by position."""
    counts = _leniency.design(rater_scores, len(names))
    rated = [place for place, total in enumerate(counts.sum(axis=0).tolist()) if total]
    return Table.of(
        "Number of ratings of each system by each rater. If raters saw different systems, the means of a rater depend "
        "on the rater and on these systems.",
        (Column("rater", key="who"), rater_scores.raters),
        *((Column(names[place], "count", key=f"system {place}"), map(int, counts[:, place])) for place in rated),
        name="design",
    )


def residuals_table(leniency: _leniency.Leniency, names: Sequence[str]) -> Table:
    """Return what raters give to single systems beyond their leniency; names: of all systems, by position."""
    systems = (
        (
            Column(names[place], "difference", 3, key=f"system {place}"),
            [level.residuals[at] for level in leniency.levels],
        )
        for at, place in enumerate(leniency.systems)
    )
    return Table.of_rows(
        "Rater × system interaction: mean residual of each rater's scores, after removing rater and system effects.",
        leniency.levels,
        Column("rater", key="who", of="rater"),
        *systems,
        name="residuals",
    )


def both_scales_table(both: _leniency.BothScales) -> Table:
    """Return the systems' means, raw and standardised by rater, the highest raw mean first."""
    tied = f"Kendall's τ_b {points_text(both.tau, 3)}"
    tau = "they cannot be compared" if both.tau != both.tau else tied
    without = f" Without {listed(both.left_out)}: fewer than ten values, or all equal." if both.left_out else ""
    return Table.of_rows(
        f"Means of the systems as rated, and standardised by rater, (x − mean)/SD. The two orders: {tau}. If raters "
        f"saw different systems, standardising also removes true differences.{without}",
        sorted(both.systems, key=lambda row: -row.raw if row.raw == row.raw else inf),
        Column("system"),
        Column("raw", "score", 3),
        Column("standardised", "score", 3),
        name="scales",
    )


def repeats_table(agreements: Mapping[str, _rater_agreement.Agreement]) -> Table:
    """Return how far raters agree with themselves, each who rated outputs more than once."""
    first = next(iter(agreements.values()))
    return Table.of_rows(
        f"Intra-rater agreement: {first.label} over the outputs that one rater rated more than once.",
        agreements,
        Column("rater", of=str),
        Column("value", "score", 3, of=lambda rater: agreements[rater].value),
        Column(f"{level_text(first.level)} CI", "interval", 3,
               of=lambda rater: (agreements[rater].ci_low, agreements[rater].ci_high)),
        Column("outputs", "count", of=lambda rater: agreements[rater].outputs),
        name="repeats",
    )  # fmt: skip


def leniency_table(leniency: _leniency.Leniency) -> Table:
    """Return a row for every rater, the most lenient first."""
    levels = ", adjusted for segments" if leniency.by_segment else ""
    return Table.of_rows(
        "Leniency: how much higher a rater's values are than those of the average rater, adjusted for systems (least "
        f"squares{levels}). Standard errors come from resampled {leniency.unit}s.",
        sorted(leniency.levels, key=lambda level: -level.leniency),
        Column("rater"),
        Column("leniency", "difference", 3),
        Column("standard error", "score", 3),
        Column("ratings", "count"),
        name="leniency",
    )


def shares_table(variance_shares: _rating_design.VarianceShares) -> Table:
    """Return a row for every source of variance."""
    mixed = ", ".join(variance_shares.inseparable)
    told = f" In this design, these variance components are confounded with others: {mixed}." if mixed else ""
    return Table.of_rows(
        f"Sources of the variance of single values (method of moments).{told}",
        variance_shares.shares,
        Column("source"),
        Column("variance", "number"),
        Column("share", "share"),
        Column("levels", "count"),
        name="shares",
    )


def random_raters_table(family: RatedFamily) -> Table:
    """Return every pair's difference in the ratings, for other raters and, next to it, for these alone."""
    level, others = level_text(family.level), family.others
    lacking = [family.no_others] * len(family) if others is None else [row.data_caveat for row in others]
    alone = Column(f"{level} CI, these raters", "interval", 3, signed=True, of="ci_low ci_high", key="these raters")
    return Table.of_rows(
        f"Differences in {family.metric}: first minus second. Other raters: raters and {family.unit}s are random "
        f"(Cameron, Gelbach and Miller 2011); these raters: only {family.unit}s are random. Each is corrected for "
        "all pairs (Holm).",
        family,
        Column("first"),
        Column("second"),
        Column("Δ", "difference", 3, of="difference"),
        (
            Column(f"{level} CI, other raters", "interval", 3, signed=True),
            [None] * len(family) if others is None else [(row.ci_low, row.ci_high) for row in others],
        ),
        (Column("p, other raters", "p"), [nan] * len(family) if others is None else others.p_adjusted.tolist()),
        alone,
        Column("p, these raters", "p", of="p_adjusted"),
        (Column("why not"), [why or None for why in lacking]),
        name="random raters",
    )


def ceiling_table(ceiling: _leniency.Ceiling) -> Table:
    """Return every rater held against the mean of the others, as a metric is."""
    return Table.of_rows(
        f"Rater ceiling by {STATISTICS[ceiling.statistic].label}: value of a metric that agrees with raters as well as "
        "raters agree with each other. A metric that reaches this value need not be as good as a rater.",
        ceiling.raters,
        Column("rater"),
        Column("value", "score", 3),
        Column("outputs", "count"),
        Column("why not", of="reason"),
        name="ceiling",
    )


def ceiling_text(ceiling: _leniency.Ceiling, beside: MetaEval | None = None) -> str:
    """Return how well one rater agrees with the others, and which metrics agree with people as much."""
    label = STATISTICS[ceiling.statistic].label
    valued = [rater for rater in ceiling.raters if rater.value == rater.value]
    if not valued:
        return f"No rater can be compared with the others by {label}: {ceiling.raters[0].reason}"
    values = [agreement.value for agreement in valued]
    said = (
        f"A rater agrees with the mean of the other raters at {ceiling.value:.3f} ({label}; mean of "
        f"{number_of(len(valued), 'rater')}, {min(values):.3f} to {max(values):.3f})."
    )
    rows = [] if beside is None else [row for row in beside if row.statistic == ceiling.statistic]
    as_much = [row.metric for row in rows if row.value >= ceiling.value]
    if as_much:
        agree = "agrees" if len(as_much) == 1 else "agree"
        said += (
            f" {listed(as_much)} {agree} with the raters as well as the raters agree with each other, which does not "
            "mean being as good as a rater."
        )
    return said


def rated_table(corpus: Corpus, parts: Sequence[Part]) -> Table:
    """Return the ratings of a corpus, each with its protocol, rater, how much is rated, its range and its direction.

    parts: the files that the corpus was read from.
    """
    protocols: dict[str, list[str]] = defaultdict(list)
    for part in parts:
        if part.scored is not None and part.scored.protocol:
            for name in {part.name, part.name.partition("@")[0]}:
                protocols[name].append(part.scored.protocol)
    rows = [
        (name, " and ".join(dict.fromkeys(protocols[name])), *_row(rating)) for name, rating in corpus.ratings.items()
    ]
    header = ("rating", "protocol", "by", "systems", "rated", "from", "to", "better", "because")
    kept = [at for at in range(len(header)) if any(row[at] for row in rows)]
    named, cells = [header[at] for at in kept], [[row[at] for at in kept] for row in rows]
    right = [name for name in ("systems", "rated", "from", "to") if name in named]
    designs = [
        f"{name}, {assignment(rating.rater_scores.signed).text}" for name, rating in corpus.ratings.items()
        if rating.rater_scores is not None
    ]  # fmt: skip
    return Table.of_text(" ".join(["The ratings that were read.", *designs]), named, cells, right=right)


def _row(rating: Rating) -> tuple[str, ...]:
    known = ~np.isnan(rating.values)
    counts = known.sum(axis=1)
    some = counts[counts > 0]
    scores = rating.values[known]
    return (
        rating.rater or "",
        str(len(some)),
        _say.units_text(some.tolist(), "segment") if len(some) else "nothing",
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
    """Return the ways to a test set that finds the difference, each with documents, segments and cost."""
    return Table.of_rows(design_caption(design), design.ways, *_of_way([design], lambda way: way), view=view)


def references_table(
    references_designs: Sequence[ReferencesDesign],
    view: View = ("references", "way", "documents", "segments", "cost", "problem"),
) -> Table:
    """Return the ways to a test set that finds the difference, for each combination of references."""
    designs = [each.design for each in references_designs if each.design is not None]
    return Table.of_rows(
        "References are treated as fixed, so results do not apply to other references.",
        [(each, way) for each in references_designs for way in (each.design.ways if each.design else (None,))],
        Column("references", of=lambda row: " + ".join(row[0].references)),
        *_of_way(designs, lambda row: row[1]),
        Column("problem", of=lambda row: row[0].problem),
        view=view,
    )


def _of_way(designs: Sequence[Design], way_of: Callable[[Any], Way | None]) -> Iterator[Column]:
    """Yield the columns of ways to a test set; documents and cost only where some design knows of these."""

    def shown(text: Callable[[Way], str]) -> Callable[[Any], str]:
        return lambda row: "" if (way := way_of(row)) is None else text(way)

    yield Column("way", of=shown(lambda way: _WAYS[way.by]))
    if any(design.unit == "document" for design in designs):
        yield Column("documents", of=shown(_documents))
    yield Column("segments", of=shown(lambda way: _needed(way, lambda size: size.segments)))
    if any(map(_priced, designs)):
        yield Column("cost", of=shown(lambda way: _needed(way, lambda size: size.cost)))


def _priced(design: Design) -> bool:
    return any(size is not None and size.cost is not None for way in design.ways for size in _sizes(way))


def _sizes(way: Way) -> tuple[TestSetSize | None, TestSetSize | None, TestSetSize | None]:
    return way.needed, way.needed_low, way.needed_high


def _needed(way: Way, number_of_size: Callable[[TestSetSize], float | None]) -> str:
    sizes = _sizes(way)
    if any(size is not None and number_of_size(size) is None for size in sizes):
        return ""  # nothing of the kind is asked: no documents, or no price
    needed, low, high = (None if size is None else number_of_size(size) for size in sizes)
    return rough_text(needed, low, high)


def rough_text(value: float | None, low: float | None, high: float | None) -> str:
    """Return a number that a pilot knows roughly, with its range: as many digits as mean something.

    From a thousand on they are two, or more where the range is narrow; the range is rounded to be no narrower.
    """
    apart = high - low if low is not None and high is not None else 0.0
    finest = 10.0 ** floor(log10(apart)) if apart > 0 else inf
    exact = value is not None and value == low == high

    def text(number: float | None, rounded: Callable[[float], float]) -> str | None:
        if number is None or exact or number < _ROUGH:
            return None if number is None else f"{number:,.0f}" if number >= 100 or number % 1 == 0 else f"{number:.2f}"
        step = min(10.0 ** (floor(log10(number)) - 1), finest)
        return f"{rounded(number / step) * step:,.0f}"

    return _diagnostics.about_text(text(value, round), text(low, floor), text(high, ceil))


_ROUGH = 1000
"""From this size on the last digits of what a pilot says are noise."""


def _documents(way: Way) -> str:
    if way.by == "lengths":
        # As many as there are, however long: only their segments may not do.
        return next((f"{size.documents:,}" for size in _sizes(way) if size is not None), "the same")
    return _needed(way, lambda size: size.documents)


def ratings_design_table(rating_design: _rating_design.RatingDesign) -> Table:
    """Return what an evaluation by people takes, by how many raters see each segment."""
    among = (
        f", as one of {rating_design.comparisons:,} comparisons (Bonferroni)" if rating_design.comparisons > 1 else ""
    )
    documents = "" if rating_design.length is None else f" Documents of {rating_design.length:g} segments."
    few = (
        f" {number_of(rating_design.raters, 'rater')}: at least {FEWEST_RATERS} are needed to "
        "generalise to other raters."
        if rating_design.raters < FEWEST_RATERS
        else ""
    )
    return Table.of_rows(
        f"To detect a true difference of {rating_design.difference:g} with {rating_design.power:.0%} power{among}, "
        f"{rating_design.raters} raters share the work equally. A rater who rates a segment sees all its "
        f"{rating_design.systems} outputs. Other raters: differences between raters add variance that more segments do "
        f"not reduce.{documents}{few}",
        rating_design.sizes,
        Column("raters per segment", "count", of="raters_per_segment"),
        Column("segments, other raters", "range", of=lambda size: _found(size.segments)),
        Column("values", "count", of="ratings"),
        Column("cost", "number"),
        Column("segments, these raters", "range", of=lambda size: _found(size.segments_fixed)),
        Column("their cost", "number", of="cost_fixed"),
        name="ratings design",
    )


def ratings_design_text(rating_design: _rating_design.RatingDesign) -> str:
    """Return in a sentence the cheapest evaluation that finds the difference."""
    best = rating_design.cheapest
    finds = f"a true difference of {rating_design.difference:g} with {rating_design.power:.0%} power"
    if best is None or best.segments is None:
        return (
            f"With {number_of(rating_design.raters, 'rater')}, no number of segments detects {finds} for other raters."
        )
    cost = "" if best.cost != best.cost else f", at a cost of {best.cost:,.0f}"
    each = number_of(best.raters_per_segment, "rater")
    return (
        f"To detect {finds} for other raters, {best.segments:,} segments are needed. Each is rated by {each} of "
        f"{rating_design.raters}{cost}."
    )


def _found(segments: int | None) -> str:
    return "none is enough" if segments is None else f"{segments:,}"


def design_caption(design: Design) -> str:
    """Return what the numbers of a design stand on."""
    length = "" if design.length is None else f" New documents have {design.length:.1f} segments on average."
    within = (
        f" Of the variance of the difference, {design.within:.0%} is within documents. Only this part becomes smaller "
        "with longer documents."
        if design.within is not None
        else ""
    )
    among = f", as one of {design.comparisons:,} comparisons (Bonferroni)" if design.comparisons > 1 else ""
    return (
        f"Each of these test sets detects a true difference of {design.difference:g} {design.metric} with "
        f"{design.power:.0%} power{among}, by the jackknife t test. Ranges reflect that the variance was estimated "
        f"from {_say.units_text([design.units], design.unit)}.{length}{within} {design.signature}"
    )


def raters_bundle(
    corpus: Corpus,
    settings: Settings,
    rating: str,
    agreements: Sequence[_rater_agreement.Agreement],
    levels: _leniency.Leniency | None,
    shares: _rating_design.VarianceShares | None,
    notes: Sequence[Note] = (),
    pairs: RatedFamily | None = None,
    highest: _leniency.Ceiling | None = None,
    both: _leniency.BothScales | None = None,
    again: Mapping[str, _rater_agreement.Agreement] | None = None,
) -> dict[str, Any]:
    """Return how far raters of a rating agree, how lenient each is, what their values vary by, and what all raters say.

    pairs: comparisons of systems, for other raters and for these. highest: each rater held against the others. both:
    the systems raw and standardised by rater. again: raters against themselves.
    """
    ceiling: dict[str, Any] = {}
    if highest is not None:
        ceiling = {"statistic": highest.statistic, "value": highest.value, "raters": highest.rows()}
    return _bundle._frame(
        corpus,
        _bundle._used(settings),
        (),
        notes,
        rating=rating,
        agreement=agreements,
        raters=[] if levels is None else levels.rows(),
        shares=[] if shares is None else shares.rows(),
        comparisons=[] if pairs is None else pairs.rows(),
        other_raters=[] if pairs is None or pairs.others is None else pairs.others.rows(),
        ceiling=ceiling,
        scales={} if both is None else {"tau": both.tau, "left_out": both.left_out, "systems": both.rows()},
        repeats=[{"rater": rater, **agreement.row()} for rater, agreement in (again or {}).items()],
    )
