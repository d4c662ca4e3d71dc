"""How far the ends of intervals move by number of draws (ZV04 table 6), with the theory."""

import numpy as np

from mtsig.figures.plot import Plot, Series, numbers
from mtsig.lab import DrawCurves


def spread_by_draws(result: DrawCurves) -> Plot:
    """Return the standard deviation of an end from seed to seed, mean over systems, measured and by theory."""
    x = numbers(result.draws)
    return Plot(
        "bootstrap draws",
        f"standard deviation of an end, {result.metric}",
        (
            Series("lower end", x, numbers(np.mean(result.spread_low, axis=1)), "points", colour=0),
            Series("upper end", x, numbers(np.mean(result.spread_high, axis=1)), "points", colour=1),
            Series("theory", x, numbers(np.mean(result.theory, axis=1)), "dash", colour=None),
        ),
        log_x=True,
        log_y=True,
    )
