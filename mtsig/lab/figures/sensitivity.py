"""Sensitivity of metrics: |d|/SE of the same pairs."""

import numpy as np

from mtsig.figures.look import MOST_NAMES
from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.inference import level_text
from mtsig.lab import SensitivityShares


def signal_by_pair(result: SensitivityShares) -> Plot:
    """Return |d|/SE of every pair under every metric, pairs ordered by the first metric."""
    order = np.argsort(np.abs(result.z[0]), kind="stable")
    names = tuple(" – ".join(result.pairs[i]) for i in order)
    x = numbers(range(len(order)))
    series = [
        Series(metric, x, numbers(np.abs(result.z[row, order])), "points", colour=row, texts=names)
        for row, metric in enumerate(result.metrics)
    ]
    lines = (Line(result.limit, f"separated at {level_text(result.level)}, uncorrected"),)
    # Few pairs have room for their names; of many only the order is shown.
    named = names if len(names) <= MOST_NAMES else ()
    title = f"pairs of systems, by {result.metrics[0]}"
    y_title = "difference, in standard errors"
    return Plot("" if named else title, y_title, tuple(series), lines, from_zero=True, names=named)
