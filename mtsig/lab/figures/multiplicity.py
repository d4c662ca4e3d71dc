"""Experiment-wise error by number of comparisons (RM05 section 4.4)."""

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.inference.registered import correction_label
from mtsig.lab import MultiplicityRates


def error_by_comparisons(result: MultiplicityRates) -> Plot:
    """Return the share of experiments with a false claim, by correction, beside the independent bound."""
    x = numbers(result.comparisons)
    low, high = result.ends
    series = [
        Series(
            correction_label(name), x, numbers(result.rate[row]), "line",
            numbers(low[row]), numbers(high[row]), row,
        )
        for row, name in enumerate(result.corrections)
    ]  # fmt: skip
    bound = Series("1 − (1 − α)^k", x, numbers(result.bound), "dash", colour=None)
    title = "test sets with any false claim"
    lines = (Line(result.alpha, "nominal"),)
    x_title = f"comparisons, systems {result.null.replace('-scores', ' in score')}"
    return Plot(x_title, title, (*series, bound), lines, percent_y=True, from_zero=True)
