"""Slices in words: comparisons by slice, and whether slices differ, go in; tables and records come out."""

import math
from collections.abc import Sequence
from typing import Any

from mtsig.corpus import Corpus
from mtsig.inference import Heterogeneity, Settings, SlicedFamily, level_text, p_number, points_text, verdict
from mtsig.report.bundle import compare_bundle, plain
from mtsig.report.tables import Table, reasons_text
from mtsig.report.words import interval_text, method_text
from mtsig.slices import SLICINGS


def slice_table(found: SlicedFamily) -> Table:
    """Return the comparisons by slice, corrected for slices × pairs."""
    rows = []
    for name, one in found:
        decided = verdict(one)
        rows.append(
            (
                name,
                one.first,
                one.second,
                points_text(one.difference, one.decimals, signed=True),
                interval_text(one.low, one.high, True, one.decimals),
                p_number(one.p_value) + (" exact" if one.exact else ""),
                p_number(one.p_adjusted),
                str(one.units),
                f"{decided.winner} better" if decided.winner else decided.word,
            )
        )
    family = found.family
    header = (
        found.by.partition(":")[0],
        "first",
        "second",
        f"Δ {family.metric}",
        f"{level_text(family.level)} interval",
        "p",
        f"p of {family.family_size} ({family.correction})",
        f"{family.statistics.unit}s",
        "verdict",
    )
    return Table(slice_text(found), header, tuple(rows), (False, False, False, *(True,) * 5, False))


def slice_text(found: SlicedFamily) -> str:
    """Return what was judged together, in one sentence."""
    slices, pairs = len(found.slices), len(found.pairs)
    sizes = ", ".join(f"{name} {size}" for name, size in zip(found.slices, found.sizes, strict=True))
    together = "" if found.family.correction == "none" else ", judged together as one family"
    return (
        f"{slices} slices by {found.by.partition(':')[0]} ({sizes} segments) × {pairs} pair{'s' if pairs > 1 else ''}: "
        f"{len(found.family)} comparisons in {found.family.metric}{together} "
        f"({method_text(found.family, planned=False, sliced=True)}). {reasons_text(found.family)}"
        f"{found.family.signature}"
    )


def heterogeneity_table(found: SlicedFamily) -> Table:
    """Return for every pair whether its difference is another in some slices than in others."""
    alpha, decimals = found.family.alpha, found.family.statistics.metric.decimals
    rows = tuple(
        (
            one.first,
            one.second,
            " / ".join(points_text(value, decimals, signed=True) for value in one.differences),
            "" if math.isnan(one.statistic) else f"{one.statistic:.2f} ({one.df1:.0f}, {one.df2:.0f})",
            p_number(one.p_value),
            p_number(one.p_adjusted),
            heterogeneity_word(one, alpha),
        )
        for one in found.heterogeneity
    )
    header = ("first", "second", "Δ by slice", "F (df)", "p", f"p of {len(rows)} (holm)", "slices")
    method = found.heterogeneity[0].method if found.heterogeneity else ""
    caption = (
        f"Is a pair's difference the same in all slices? {method}'s test of equal differences; that one slice is "
        "significant and another is not does not show that they differ."
    )
    return Table(caption, header, rows, (False, False, True, True, True, True, False))


def heterogeneity_word(one: Heterogeneity, alpha: float) -> str:
    """Return whether the slices differ, in words."""
    if math.isnan(one.p_adjusted):
        return "cannot be told"
    return "differ" if one.p_adjusted <= alpha + 1e-12 else "not separated"


def heterogeneity_text(found: SlicedFamily) -> str:
    """Return whether the slices of the first pair differ, in one sentence."""
    one, by = found.heterogeneity[0], SLICINGS.get(found.by.partition(":")[0], found.by)
    if math.isnan(one.p_adjusted):
        return f"Whether the difference is another in some slices by {by} cannot be told: {one.method}."
    said = f"F({one.df1:.0f}, {one.df2:.0f}) = {one.statistic:.2f}, p {_equals(p_number(one.p_adjusted))}"
    if one.p_adjusted <= found.family.alpha + 1e-12:
        return f"The difference is not the same in all slices by {by} ({said})."
    return f"These data do not show that the difference is another in some slices by {by} ({said})."


def _equals(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def slices_bundle(corpus: Corpus, settings: Settings, found: Sequence[SlicedFamily]) -> dict[str, Any]:
    """Return comparisons by slice, and whether slices differ, as one JSON object."""
    # Plans know no slices: what is compared in them is exploratory.
    bundle = compare_bundle(corpus, settings, [one.family for one in found]) | {"status": "exploratory"}
    judged = [plain(row) for one in found for row in one.rows()]
    tests = [
        {
            "metric": one.family.metric,
            "first": test.first,
            "second": test.second,
            "differences": dict(zip(one.slices, test.differences, strict=True)),
            "method": test.method,
            "statistic": _known(test.statistic),
            "df": [_known(test.df1), _known(test.df2)],
            "p_value": _known(test.p_value),
            "p_adjusted": _known(test.p_adjusted),
        }
        for one in found
        for test in one.heterogeneity
    ]
    slices = [
        {"by": one.by, "slice": name, "segments": size}
        for one in found[:1]
        for name, size in zip(one.slices, one.sizes, strict=True)
    ]
    return {**bundle, "slices": slices, "comparisons": judged, "heterogeneity": tests}


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
