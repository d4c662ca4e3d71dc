"""Which figures belong to which result, and those of scores and their spread."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import level_text
from mtsig._records import Result
from mtsig.corpus._notes import number_of
from mtsig.figures import Across, Curves, Picture, Series
from mtsig.figures._curves import Plot
from mtsig.figures._look import MOST_CURVES
from mtsig.lab._blind_spots import OrderingCounts
from mtsig.lab._calibration import CalibrationRates
from mtsig.lab._draws import DrawCurves, Redraws
from mtsig.lab._every_pair import EveryTestPs, SensitivityShares
from mtsig.lab._figures_of_tests import (
    error_by_comparisons,
    error_rates,
    false_alarms_by_look,
    numbers,
    p_values,
    p_values_of_variants,
    power_curves,
    relations,
    segments_needed,
    signal_by_pair,
)
from mtsig.lab._many_tests import MultiplicityRates, PeekingRates
from mtsig.lab._metrics_compared import NistWeightsScores, RelationsTables
from mtsig.lab._references import ReferenceCurves
from mtsig.lab._reranking import RerankScores
from mtsig.lab._sampling import ConclusionRates, CoverageRates
from mtsig.lab._test_sets import LengthCurves, SeparationPairs, VariationOfScores
from mtsig.segments import SizeCurves


def intervals_of_sets(result: CoverageRates) -> Plot:
    """Return the intervals, those that miss the truth in another colour and shape."""
    places = np.arange(1, result.sets + 1)

    def series(name: str, kept: NDArray[np.bool_], colour: int) -> Series:
        low, high = numbers(result.low[kept]), numbers(result.high[kept])
        return Series(name, numbers(places[kept]), numbers(result.estimate[kept]), "points", low, high, colour)

    return Plot(
        f"test set of {result.size} segments",
        f"{result.target} with interval",
        (series("holds it", result.covered, 0), series("misses it", ~result.covered, 3)),
        (Across(result.truth, "score of all the data"),),
    )


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
        (
            Across(result.level, f"{level_text(result.level)} concludes rightly"),
            Across(1 - result.level, "wrongly below"),
        ),
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


def scores_by_length(result: LengthCurves) -> Plot:
    """Return each metric's score by length ratio, and BLEU without its penalty; the line is the reference's length."""
    x = numbers(result.ratio)
    series = [Series(name, x, numbers(result.scores[i]), colour=i) for i, name in enumerate(result.metrics)]
    return Plot(
        "words per reference word",
        f"score of {result.system}",
        (*series, Series("BLEU without brevity penalty", x, numbers(result.unpenalised), "dash", colour=None)),
        (Across(1.0, "as long as the reference", vertical=True),),
    )


_NIST_BINS = 40


def redrawn_nist(result: NistWeightsScores) -> Plot:
    """Return both histograms over the same bins; the line is the test set's own score."""
    edges = np.histogram_bin_edges(np.concatenate([result.fixed, result.recomputed]), _NIST_BINS)
    middles = numbers((edges[:-1] + edges[1:]) / 2)
    series = [
        Series(f"weights {kind}", middles, numbers(np.histogram(draws, edges)[0]), "bars", colour=colour)
        for kind, draws, colour in (("fixed", result.fixed, 0), ("recomputed", result.recomputed, 1))
    ]
    title = f"NIST of {result.system} on redrawn test sets"
    return Plot(title, "redraws", tuple(series), (Across(result.observed, "the test set's own", vertical=True),))


def orderings_by_length(result: OrderingCounts) -> Plot:
    """Return every segment's number of orders, as a power of ten, by its length in words."""
    texts = tuple(f"segment {number}" for number in range(1, len(result.words) + 1))
    points = Series(result.system, numbers(result.words), numbers(result.digits), "points", texts=texts)
    return Plot("words", "orders of the phrases, as a power of 10", (points,), from_zero=True)


_BINS = 60


def redrawn_scores(result: Redraws) -> Plot:
    """Return the histogram; the lines are the ends of the interval and the score of the test set."""
    counts, edges = np.histogram(result.draws, _BINS)
    bars = Series("redrawn test sets", numbers((edges[:-1] + edges[1:]) / 2), numbers(counts), "bars", colour=None)
    ends = (
        Across(result.low, f"{result.low:.4g}", vertical=True),
        Across(result.high, f"{result.high:.4g}", vertical=True),
    )
    lines = (*ends, Across(result.score, f"score {result.score:.4g}", vertical=True))
    return Plot(f"{result.metric} of {result.system}", "redraws", (bars,), lines)


def scores_by_references(result: ReferenceCurves) -> Plot:
    """Return each system's score by number of references, mean over the subsets, with its mean interval.

    Of many systems it is the highest and the lowest, as in the paper.
    """
    scores, half = result.mean(result.scores), result.mean(result.half_width)
    x = numbers(result.counts)
    series = [
        Series(
            name, x, numbers(scores[:, s]), "line",
            numbers(scores[:, s] - half[:, s]), numbers(scores[:, s] + half[:, s]), s,
        )
        for s, name in enumerate(result.systems)
    ]  # fmt: skip
    if len(series) > MOST_CURVES:
        order = np.argsort(-scores[-1], kind="stable")
        series = [replace(series[s], colour=place) for place, s in enumerate((order[0], order[-1]))]
    return Plot("references", result.metric, tuple(series), whole_x=True)


def widths_by_references(result: ReferenceCurves) -> Plot:
    """Return what is left of one reference's width with more of them: in % of the score, in points, and SE/d."""
    table = result.equivalences()
    x = numbers(row["references"] for row in table)
    kinds = {
        "relative width": "by_relative_width",
        "absolute width": "by_absolute_width",
        "SE/d of a typical pair": "by_separation",
    }
    series = [
        Series(name, x, numbers(row[key] for row in table), "line", colour=i)
        for i, (name, key) in enumerate(kinds.items())
        if table[0][key] is not None
    ]
    title = "segments needed to do as well as one reference on all"
    return Plot("references", title, tuple(series), percent_y=True, from_zero=True, whole_x=True)


def widths_by_size(result: ReferenceCurves) -> Plot:
    """Return relative half widths by size of the test set, one curve for each number of references."""
    widths = result.mean(result.relative_by_size)
    series = [
        Series(f"{number_of(count, 'reference')}", numbers(100 * result.sizes), numbers(widths[q]), colour=q)
        for q, count in enumerate(result.counts)
    ]
    title = f"half width in % of {result.metric}"
    return Plot(f"% of {result.segments:,} segments", title, tuple(series), from_zero=True)


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
        (Across(float(result.scores[row]), "all segments"),),
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
        (Across(0.0, "no difference"),),
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


def _scores_by_size(result: SizeCurves) -> Picture:
    return Curves.of_scores(result, _few(result))


def _widths_by_size(result: SizeCurves) -> Picture:
    return Curves.of_widths(result, _few(result), relative=True)


def _few(result: SizeCurves) -> tuple[str, ...] | None:
    """Return the highest and the lowest of many systems, as ZV04 figures 4 to 7 show them; None for all of few."""
    if len(result.labels) <= MOST_CURVES:
        return None
    order = np.argsort(-result.mean[int(np.argmax(result.units))], kind="stable")
    return tuple(result.labels[t] for t in sorted((int(order[0]), int(order[-1]))))


FIGURES: Mapping[type, Mapping[str, Callable[[Any], Picture | None]]] = {
    VariationOfScores: {
        "Scores of test sets": between_sets,
        "Differences on test sets": differences_between_sets,
        "Spread between test sets": spreads,
    },
    CoverageRates: {"Intervals of test sets": intervals_of_sets},
    ConclusionRates: {
        "Win rates of test sets": win_rates,
        "Right conclusions": conclusion_curves,
        "Accuracy by win rate": accuracy_by_win_rate,
    },
    LengthCurves: {"Scores by length": scores_by_length},
    ReferenceCurves: {
        "Scores by number of references": scores_by_references,
        "What more references are worth": widths_by_references,
        "Widths by size": widths_by_size,
    },
    DrawCurves: {"Spread of interval ends": spread_by_draws},
    Redraws: {"Redrawn scores": redrawn_scores},
    SizeCurves: {"Scores by size": _scores_by_size, "Widths by size": _widths_by_size},
    SeparationPairs: {"Segments needed": segments_needed},
    SensitivityShares: {"Signal of every pair": signal_by_pair},
    EveryTestPs: {"p-values against randomization": p_values},
    RerankScores: {"p-values against randomization": p_values_of_variants},
    MultiplicityRates: {"Error by number of comparisons": error_by_comparisons},
    PeekingRates: {"False alarms by look": false_alarms_by_look},
    NistWeightsScores: {"NIST of redraws": redrawn_nist},
    RelationsTables: {"Relations": relations},
    OrderingCounts: {"Orders by length": orderings_by_length},
    CalibrationRates: {"Power": power_curves, "Error rates": error_rates},
}


def of_experiment(result: Result) -> dict[str, Picture]:
    """Return the figures of a result by title, for screen and paper; none for results that are text.

    >>> import mtsig
    >>> from mtsig.lab import Variation, run
    >>> from mtsig.lab import of_experiment
    >>> list(of_experiment(run(Variation(size=20), mtsig.measure(mtsig.read_sample(), "bleu"))))
    ['Scores of test sets', 'Differences on test sets', 'Spread between test sets']
    """
    pictures: dict[str, Picture] = {}
    for title, make in FIGURES.get(type(result), {}).items():
        if isinstance(result, VariationOfScores) and result.pair is None and make is differences_between_sets:
            continue
        drawn = make(result)
        if drawn is not None:
            pictures[title] = drawn
    return pictures
