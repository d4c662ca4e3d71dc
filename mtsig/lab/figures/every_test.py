"""All tests' p-values against randomization's (RM05 table 2)."""

from mtsig.figures.plot import Plot, Series, numbers
from mtsig.lab import EveryTestPs, RerankScores
from mtsig.lab.reranking import label_of_test


def p_values(result: EveryTestPs) -> Plot:
    """Return each test's p by randomization's, on logarithmic axes; the dashed line is where they are equal."""
    floor = 1e-5
    first = result.p[0].clip(floor)
    names = tuple(" – ".join(pair) for pair in result.pairs)
    series = [
        Series(
            label_of_test(test),
            numbers(first),
            numbers(result.p[row].clip(floor)),
            "points",
            colour=row - 1,
            texts=names,
        )
        for row, test in enumerate(result.tests)
        if row
    ]
    ends = numbers((floor, 1.0))
    return Plot(
        "p by randomization",
        "p by the test",
        (*series, Series("equal", ends, ends, "dash", colour=None)),
        log_x=True,
        log_y=True,
    )


def p_values_of_variants(result: RerankScores) -> Plot | None:
    """Return the same of reranked variants, all metrics in one; None where all variants are one system."""
    return p_values(result.every) if result.differ.any() else None
