"""False alarms while a test set grows: of each look by itself, and of any look so far."""

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.lab import PeekingRates


def false_alarms_by_look(result: PeekingRates) -> Plot:
    """Return the share of test sets called different, by the segments at a look."""
    x = numbers(result.units)
    series = []
    for colour, (name, marks) in enumerate((("any look so far", result.stopped), ("this look alone", result.claimed))):
        low, high = result.ends(marks)
        series.append(Series(name, x, numbers(marks.mean(axis=0)), "line", numbers(low), numbers(high), colour))
    title = "test sets called different"
    return Plot(
        "segments when p is looked at", title, tuple(series), (Line(result.alpha, "nominal"),),
        percent_y=True, from_zero=True,
    )  # fmt: skip
