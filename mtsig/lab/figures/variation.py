"""Variation between test sets (K04 figures 2 to 4): broad ones, neighbours, and the difference of two systems."""

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.lab import VariationOfScores


def between_sets(result: VariationOfScores, system: str | None = None) -> Plot:
    """Return one system's scores on every set, broad ones and neighbours; the line is the score of all segments."""
    row = 0 if system is None else result.systems.index(system)
    places = numbers(range(1, result.sets + 1))
    return Plot(
        f"test set of {result.size} segments",
        f"{result.metric} of {result.systems[row]}",
        (
            Series("neighbouring segments", places, numbers(result.consecutive[row]), "points", colour=1),
            Series("broad", places, numbers(result.broad[row]), "points", colour=0),
        ),
        (Line(float(result.scores[row]), "all segments"),),
    )


def differences_between_sets(result: VariationOfScores) -> Plot:
    """Return the pair's difference on every set, broad ones and neighbours."""
    first, second = result.pair or ("", "")
    places = numbers(range(1, result.sets + 1))
    return Plot(
        f"test set of {result.size} segments",
        f"{result.metric}: {first} minus {second}",
        (
            Series("neighbouring segments", places, numbers(result.difference("consecutive")), "points", colour=1),
            Series("broad", places, numbers(result.difference("broad")), "points", colour=0),
        ),
        (Line(0.0, "no difference"),),
    )


def spreads(result: VariationOfScores) -> Plot:
    """Return every system's standard deviation between sets, beside what independent segments would give."""
    places = numbers(range(len(result.systems)))
    return Plot(
        "",
        f"standard deviation of {result.metric} between sets of {result.size}",
        (
            Series("neighbouring segments", places, numbers(result.spread_consecutive), "bars", colour=1),
            Series("broad", places, numbers(result.spread_broad), "bars", colour=0),
            Series("predicted for independent segments", places, numbers(result.predicted), "points", colour=None),
        ),
        names=result.systems,
        from_zero=True,
    )
