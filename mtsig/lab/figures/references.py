"""Scores and widths by number of references (ZV04 figure 8, tables 3 and 4)."""

from dataclasses import replace

import numpy as np

from mtsig.corpus import number_of
from mtsig.figures.look import MOST_CURVES
from mtsig.figures.plot import Plot, Series, numbers
from mtsig.lab import ReferenceCurves


def scores_by_references(result: ReferenceCurves) -> Plot:
    """Return each system's score by number of references, mean over the subsets, with its mean interval.

    Of many systems it is the highest and the lowest, as in the paper.
    """
    scores, half = result.mean(result.scores), result.mean(result.half_width)
    x = numbers(result.counts)
    series = [
        Series(
            name, x, numbers(scores[:, s]), "line",
            numbers(scores[:, s] - half[:, s]), numbers(scores[:, s] + half[:, s]), s,
        )
        for s, name in enumerate(result.systems)
    ]  # fmt: skip
    if len(series) > MOST_CURVES:
        order = np.argsort(-scores[-1], kind="stable")
        series = [replace(series[s], colour=place) for place, s in enumerate((order[0], order[-1]))]
    return Plot("references", result.metric, tuple(series), whole_x=True)


def widths_by_references(result: ReferenceCurves) -> Plot:
    """Return what is left of one reference's width with more of them: in % of the score, in points, and SE/d."""
    table = result.equivalences()
    x = numbers(row["references"] for row in table)
    kinds = {
        "relative width": "by_relative_width",
        "absolute width": "by_absolute_width",
        "SE/d of a typical pair": "by_separation",
    }
    series = [
        Series(name, x, numbers(row[key] for row in table), "line", colour=i)
        for i, (name, key) in enumerate(kinds.items())
        if table[0][key] is not None
    ]
    title = "segments needed to do as well as one reference on all"
    return Plot("references", title, tuple(series), percent_y=True, from_zero=True, whole_x=True)


def widths_by_size(result: ReferenceCurves) -> Plot:
    """Return relative half widths by size of the test set, one curve for each number of references."""
    widths = result.mean(result.relative_by_size)
    series = [
        Series(f"{number_of(count, 'reference')}", numbers(100 * result.sizes), numbers(widths[q]), colour=q)
        for q, count in enumerate(result.counts)
    ]
    title = f"half width in % of {result.metric}"
    return Plot(f"% of {result.segments:,} segments", title, tuple(series), from_zero=True)
