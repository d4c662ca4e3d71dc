"""How many orders keep the score, by length of the sentence (CB06 figure 1)."""

from mtsig.figures.plot import Plot, Series, numbers
from mtsig.lab import OrderingCounts


def orderings_by_length(result: OrderingCounts) -> Plot:
    """Return every segment's number of orders, as a power of ten, by its length in words."""
    texts = tuple(f"segment {number}" for number in range(1, len(result.words) + 1))
    points = Series(result.system, numbers(result.words), numbers(result.digits), "points", texts=texts)
    return Plot("words", "orders of the phrases, as a power of 10", (points,), from_zero=True)
