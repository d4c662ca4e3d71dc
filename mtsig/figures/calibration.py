"""Calibration: error rate and power of tests, and coverage of intervals, where the truth is known."""

import numpy as np

from mtsig.experiments import Calibration
from mtsig.figures.plot import Line, Plot, Series, numbers


def power_curves(result: Calibration, size: int = -1) -> Plot | None:
    """Return each test's share of significant test sets by the true difference, with normal theory; 0 is the null.

    None when one effect alone was simulated: there is no curve.
    """
    if len(result.effects) < 2:
        return None
    order = np.argsort(result.truth, kind="stable")
    x = numbers(result.truth[order])
    low, high = result.ends(result.rejected)
    found = [
        Series(
            name, x, numbers(result.rate[row, size, order]), "line",
            numbers(low[row, size, order]), numbers(high[row, size, order]), row,
        )
        for row, name in enumerate(result.tests)
    ]  # fmt: skip
    theory = Series("normal theory", x, numbers(result.predicted[size, order]), "dash", colour=None)
    return Plot(
        f"true difference in {result.metric}, {result.sizes[size]} {result.drawn}",
        "significant test sets",
        (*found, theory),
        (Line(result.alpha, "nominal error rate"),),
        percent_y=True,
        from_zero=True,
    )


def error_rates(result: Calibration) -> Plot | None:
    """Return each test's error rate on the true null by size; None when no null was simulated."""
    null = np.flatnonzero(result.effects == 0)
    if not len(null):
        return None
    low, high = result.ends(result.rejected[:, :, null[0]])
    # Side by side, so that tests with equal rates do not hide each other.
    beside = 0.08 * (np.arange(len(result.tests)) - (len(result.tests) - 1) / 2)
    found = [
        Series(
            name, numbers(np.arange(len(result.sizes)) + beside[row]), numbers(result.rate[row, :, null[0]]), "points",
            numbers(low[row]), numbers(high[row]), row,
        )
        for row, name in enumerate(result.tests)
    ]  # fmt: skip
    return Plot(
        f"{result.drawn} in a test set",
        "false claims on the true null",
        tuple(found),
        (Line(result.alpha, "nominal"),),
        percent_y=True,
        from_zero=True,
        names=tuple(f"{size:,}" for size in result.sizes),
    )
