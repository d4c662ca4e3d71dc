"""Scores by length of the output (K04 figure 1)."""

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.lab import LengthCurves


def scores_by_length(result: LengthCurves) -> Plot:
    """Return each metric's score by length ratio, and BLEU without its penalty; the line is the reference's length."""
    x = numbers(result.ratio)
    series = [Series(name, x, numbers(result.scores[i]), colour=i) for i, name in enumerate(result.metrics)]
    return Plot(
        "words per reference word",
        f"score of {result.system}",
        (*series, Series("BLEU without brevity penalty", x, numbers(result.unpenalised), "dash", colour=None)),
        (Line(1.0, "as long as the reference", vertical=True),),
    )
