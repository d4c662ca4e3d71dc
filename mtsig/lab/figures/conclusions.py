"""Conclusions from small test sets (K04 figures 7 and 8, tables 3 and 4)."""

from dataclasses import replace

import numpy as np

from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.inference import level_text
from mtsig.lab import ConclusionRates


def win_rates(result: ConclusionRates, pair: int | None = None, size: int = 0) -> Plot:
    """Return the truly better system's win rate on every test set, ordered as they were drawn.

    Without a pair it is the one that is hardest to tell apart: win rates of clear ones are all 100%.
    """
    if pair is None:
        # Systems that do not differ at all have nothing to tell apart, and no error to divide by.
        apart = result.error[:, size] > 0
        ratio = np.divide(result.difference, result.error[:, size], out=np.full(len(apart), np.inf), where=apart)
        pair = int(np.argmin(ratio))
    wins = result.wins[size][pair]
    better, worse = result.pairs[pair]
    return Plot(
        f"test set of {result.sizes[size]} segments",
        f"redraws on which {better} is ahead of {worse}",
        (Series("win rate", numbers(range(1, len(wins) + 1)), numbers(wins), "points"),),
        (Line(result.level, f"{level_text(result.level)} concludes rightly"), Line(1 - result.level, "wrongly below")),
        percent_y=True,
    )


def conclusion_curves(result: ConclusionRates) -> Plot:
    """Return how often each pair is concluded rightly, by its true difference in standard errors, with the theory."""
    # Systems that do not differ have nothing to draw.
    some = np.all(result.error > 0, axis=1)
    result = replace(
        result, pairs=tuple(pair for pair, kept in zip(result.pairs, some, strict=True) if kept),
        difference=result.difference[some], error=result.error[some],
        wins=tuple(win[some] for win in result.wins), losses=tuple(loss[some] for loss in result.losses),
    )  # fmt: skip
    ratio = result.difference[:, None] / result.error
    order = np.argsort(ratio, axis=None)
    curve = numbers(ratio.ravel()[order]), numbers(result.predicted.ravel()[order])
    theory = Series("normal theory", *curve, "dash", colour=None)
    sets = [Series(
        f"{size} segments", numbers(ratio[:, z]), numbers(result.right[:, z]), "points", colour=z,
        texts=tuple(f"{better} and {worse}" for better, worse in result.pairs),
    ) for z, size in enumerate(result.sizes)]  # fmt: skip
    return Plot(
        "true difference in standard errors",
        f"sets with a right {level_text(result.level)} conclusion",
        (*sets, theory),
        percent_y=True,
    )


def accuracy_by_win_rate(result: ConclusionRates) -> Plot:
    """Return the share of right conclusions in every bin of win rates, beside the bin's own bound."""
    bins = [group for group in reversed(result.by_win_rate()) if group[1]]
    places = numbers(range(len(bins)))
    return Plot(
        "win rate from",
        "conclusions that are right",
        (
            Series("right", places, numbers(right / count for _, count, right in bins), "line"),
            Series("the win rate itself", places, numbers(bound for bound, _, _ in bins), "dash", colour=None),
        ),
        names=tuple(f"{100 * bound:.0f}%" for bound, _, _ in bins),
        percent_y=True,
    )
