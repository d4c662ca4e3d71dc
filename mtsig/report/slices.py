"""Slices in words: comparisons by slice, and whether slices differ, go in; tables and records come out."""

import math
from collections.abc import Sequence

from mtsig.collection import OverSets
from mtsig.corpus import number_of
from mtsig.inference import Heterogeneity, SlicedFamily, p_text, points_text
from mtsig.report.table import Column, Table, View
from mtsig.report.tables import comparison_columns, reasons_text
from mtsig.report.words import adjusted_text, method_text

_SLICES = ("slice", "first", "second", "difference", "adjusted", "p", "p corrected", "units", "verdict", "by default")


def slice_table(sliced: SlicedFamily, view: View = _SLICES) -> Table:
    """Return the comparisons by slice, corrected for slices × pairs.

    >>> import mtsig
    >>> from mtsig.report import slice_table
    >>> corpus = mtsig.read_sample()
    >>> settings = mtsig.Settings(n_resamples=200)
    >>> sliced = mtsig.compare_subsets(corpus, mtsig.measure(corpus, "chrf"), "length:2", settings)
    >>> slice_table(sliced).texts[0][:4]
    ('short (22–110 characters of the source)', 'direct-us', 'direct', '−0.34')
    """
    names = [name for name in sliced.slices for _ in sliced.pairs]
    firsts, seconds = zip(*(sliced.pairs * len(sliced.slices)), strict=True)
    family = sliced.family.changed(first=firsts, second=seconds)
    sizes = [size for size in sliced.sizes for _ in sliced.pairs]
    unit = Column(f"{family.unit}s", "count", key="units")
    columns = [part for part in comparison_columns(family) if part[0].name not in ("units", "segments")]
    slices = (Column(sliced.by.name, key="slice"), names), (Column("segments", "count"), sizes)
    return Table.of(slice_text(sliced), *slices, (unit, family.units), *columns, view=view)


def slice_text(sliced_family: SlicedFamily) -> str:
    """Return what was judged together, in one sentence."""
    slices, pairs = len(sliced_family.slices), len(sliced_family.pairs)
    sizes = ", ".join(f"{name} {size}" for name, size in zip(sliced_family.slices, sliced_family.sizes, strict=True))
    together = ", judged together as one family" if sliced_family.family.corrected else ""
    return (
        f"{slices} slices by {sliced_family.by.name} ({sizes} segments) × {number_of(pairs, 'pair')}: "
        f"{len(sliced_family.family)} comparisons in {sliced_family.family.metric}{together} "
        f"({method_text(sliced_family.family, planned=False, sliced=True)}). {reasons_text(sliced_family.family)}"
        f"{' '.join(filter(None, (adjusted_text(sliced_family.family), sliced_family.family.signature)))}"
    )


def heterogeneity_table(sliced: SlicedFamily) -> Table:
    """Return for every pair whether its difference is another in some slices than in others."""
    return parts_table(sliced.heterogeneity, sliced.family.statistics.metric.decimals, sliced.family.alpha)


def parts_table(tests: Sequence[Heterogeneity | OverSets], decimals: int, alpha: float, part: str = "slice") -> Table:
    """Return for every pair whether its difference is the same in all parts; part: what they are called."""
    method = tests[0].method if tests else ""
    return Table.of(
        f"Is a pair's difference the same in all {part}s? {method}'s test of equal differences; that one {part} is "
        "significant and another is not does not show that they differ.",
        (Column("first"), (test.first for test in tests)),
        (Column("second"), (test.second for test in tests)),
        (
            Column(f"Δ by {part}", "range"),
            (" / ".join(points_text(value, decimals, signed=True) for value in test.differences) for test in tests),
        ),
        (Column("F (df)", "range"), map(_f_text, tests)),
        (Column("p", "p"), (test.p_value for test in tests)),
        (Column(f"p of {len(tests)} (holm)", "p"), (test.p_adjusted for test in tests)),
        (Column(f"{part}s"), (heterogeneity_word(test, alpha) for test in tests)),
    )


def _f_text(test: Heterogeneity | OverSets) -> str:
    return "" if math.isnan(test.statistic) else f"{test.statistic:.2f} ({test.df1:.0f}, {test.df2:.0f})"


def heterogeneity_word(heterogeneity: Heterogeneity | OverSets, alpha: float) -> str:
    """Return whether the slices differ, in words."""
    if math.isnan(heterogeneity.p_adjusted):
        return "cannot be told"
    return "differ" if heterogeneity.p_adjusted <= alpha + 1e-12 else "not significant"


def heterogeneity_text(sliced_family: SlicedFamily) -> str:
    """Return whether the slices of the first pair differ, in one sentence.

    >>> import mtsig
    >>> from mtsig.report import heterogeneity_text
    >>> corpus = mtsig.read_sample()
    >>> settings = mtsig.Settings(n_resamples=200)
    >>> sliced = mtsig.compare_subsets(corpus, mtsig.measure(corpus, "chrf"), "length:2", settings)
    >>> print(heterogeneity_text(sliced))
    These data do not show that the difference is another in some slices by length (F(1, 19) = 1.91, p = 1).
    """
    tested, by = sliced_family.heterogeneity[0], sliced_family.by.label
    if math.isnan(tested.p_adjusted):
        return f"Whether the difference is another in some slices by {by} cannot be told: {tested.method}."
    said = f"F({tested.df1:.0f}, {tested.df2:.0f}) = {tested.statistic:.2f}, {p_text(tested.p_adjusted)}"
    if tested.p_adjusted <= sliced_family.family.alpha + 1e-12:
        return f"The difference is not the same in all slices by {by} ({said})."
    return f"These data do not show that the difference is another in some slices by {by} ({said})."
