"""Calibration: error rate and power of tests, and coverage of intervals, where the truth is known."""

import numpy as np
from numpy.typing import NDArray

from mtsig.figures.plot import Kind, Line, Plot, Series, numbers
from mtsig.inference import known_test
from mtsig.lab import CalibrationRates

Worlds = NDArray[np.int64]


def power_curves(result: CalibrationRates, size: int = -1) -> Plot | None:
    """Return each test's share of significant test sets by the true difference, with normal theory; 0 is the null.

    The curves are of the first null, others are points at 0. None when one effect alone was simulated: there is no
    curve.
    """
    curve = result.of_first_null
    if len(curve) < 2:
        return None
    order = np.array(curve)[np.argsort(result.truth[curve], kind="stable")]
    others = [world for world in range(len(result.nulls)) if world not in curve]
    theory = Series(
        "normal theory", numbers(result.truth[order]), numbers(result.predicted[size, order]), "dash", colour=None
    )
    return Plot(
        f"true difference in {result.metric}, {result.sizes[size]} {result.drawn}",
        "significant test sets",
        (
            *(_shares(result, row, size, order, "line") for row in range(len(result.tests))),
            *(
                _shares(result, row, size, np.array([world]), "points")
                for world in others
                for row in range(len(result.tests))
            ),
            theory,
        ),
        (Line(result.alpha, "nominal error rate"),),
        percent_y=True,
        from_zero=True,
    )


def _shares(result: CalibrationRates, row: int, size: int, worlds: Worlds, kind: Kind) -> Series:
    """Return one test's shares of significant test sets in worlds of one null."""
    low, high = result.ends(result.rejected[row, size, worlds])
    return Series(
        _name(result, row, int(worlds[0])), numbers(result.truth[worlds]), numbers(result.rate[row, size, worlds]),
        kind, numbers(low), numbers(high), row,
    )  # fmt: skip


def _name(result: CalibrationRates, row: int, world: int) -> str:
    """Return the test and the null that its test sets are drawn from."""
    return f"{known_test(result.tests[row]).label}, {result.nulls[world].replace('-', ' ')}"


def error_rates(result: CalibrationRates) -> Plot | None:
    """Return each test's error rate under each null by size; None when no null was simulated."""
    drawn = [(row, world) for world in result.no_effect for row in range(len(result.tests))]
    if not drawn:
        return None
    low, high = result.ends(result.rejected)
    # Side by side, so that tests with equal rates do not hide each other.
    beside = min(0.08, 0.6 / len(drawn)) * (np.arange(len(drawn)) - (len(drawn) - 1) / 2)
    series = [
        Series(
            _name(result, row, world), numbers(np.arange(len(result.sizes)) + beside[place]),
            numbers(result.rate[row, :, world]), "points", numbers(low[row, :, world]), numbers(high[row, :, world]),
            row,
        )
        for place, (row, world) in enumerate(drawn)
    ]  # fmt: skip
    return Plot(
        f"{result.drawn} in a test set",
        "false claims without a difference",
        tuple(series),
        (Line(result.alpha, "nominal"),),
        percent_y=True,
        from_zero=True,
        names=tuple(f"{size:,}" for size in result.sizes),
    )
