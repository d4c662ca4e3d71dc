"""Which figures belong to which result, and those of scores and their spread."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtsig._probability import level_text
from mtsig._records import Floats, Result
from mtsig.corpus._notes import number_of
from mtsig.figures import Across, Curves, Picture
from mtsig.figures._curves import Kind, Plot
from mtsig.figures._look import MOST_CURVES
from mtsig.lab import _figures_of_tests as of_tests
from mtsig.lab._blind_spots import OrderingCounts
from mtsig.lab._calibration import CalibrationRates
from mtsig.lab._draws import DrawCurves, Redraws
from mtsig.lab._every_pair import EveryTestPs, SensitivityShares
from mtsig.lab._figures_of_tests import series
from mtsig.lab._koehn2004 import MeanInterval
from mtsig.lab._many_tests import MultiplicityRates, PeekingRates
from mtsig.lab._metrics_compared import NistWeightsScores, RelationsTables
from mtsig.lab._references import ReferenceCurves
from mtsig.lab._reranking import RerankScores
from mtsig.lab._sampling import ConclusionRates, CoverageRates
from mtsig.lab._test_sets import LengthCurves, SeparationPairs, VariationOfScores
from mtsig.meta_eval._blind_spots import Underrated
from mtsig.segments import SizeCurves


def intervals_of_sets(result: CoverageRates) -> Plot:
    """Return the intervals, those that miss the truth in another colour and shape."""
    places = np.arange(1, result.sets + 1)
    intervals = tuple(
        series("points", name, places[kept], result.estimate[kept], colour, (result.low[kept], result.high[kept]))
        for name, kept, colour in (("contains the score", result.covered, 0), ("misses the score", ~result.covered, 3))
    )
    titles = f"test set of {result.size} segments", f"{result.target} with interval"
    return Plot(*titles, intervals, (Across(result.truth, "score of all the data"),))


def win_rates(result: ConclusionRates, pair: int | None = None, size: int = 0) -> Plot:
    """Return the truly better system's win rate on every test set, ordered as they were drawn.

    Without a pair it is the one that is hardest to tell apart: win rates of clear ones are all 100%.
    """
    if pair is None:
        # Systems that do not differ at all have nothing to tell apart, and no error to divide by.
        apart = result.error[:, size] > 0
        ratio = np.divide(result.difference, result.error[:, size], out=np.full(len(apart), np.inf), where=apart)
        pair = int(np.argmin(ratio))
    wins, (better, worse) = result.wins[size][pair], result.pairs[pair]
    concludes = Across(result.level, f"{level_text(result.level)} concludes rightly")
    return Plot(
        f"test set of {result.sizes[size]} segments", f"resamples in which {better} scores higher than {worse}",
        (series("points", "win rate", range(1, len(wins) + 1), wins),),
        (concludes, Across(1 - result.level, "wrongly below")), percent_y=True,
    )  # fmt: skip


def conclusion_curves(result: ConclusionRates) -> Plot:
    """Return how often each pair is concluded rightly, by its true difference in standard errors, with the theory."""
    # Systems that do not differ have nothing to draw.
    some = np.all(result.error > 0, axis=1)
    ratio, right, predicted = result.difference[some, None] / result.error[some], result.right, result.predicted[some]
    order = np.argsort(ratio, axis=None)
    texts = [f"{better} and {worse}" for (better, worse), kept in zip(result.pairs, some, strict=True) if kept]
    sets = [
        series("points", f"{size} segments", ratio[:, z], right[some, z], z, texts=texts)
        for z, size in enumerate(result.sizes)
    ]
    theory = series("dash", "normal theory", ratio.ravel()[order], predicted.ravel()[order], None)
    titles = "true difference in standard errors", f"test sets with a correct {level_text(result.level)} conclusion"
    return Plot(*titles, (*sets, theory), percent_y=True)


def accuracy_by_win_rate(result: ConclusionRates) -> Plot:
    """Return the share of right conclusions in every bin of win rates, beside the bin's own bound."""
    # Where no system differs from another there is no group.
    groups = [group for group in reversed(result.by_win_rate()) if group[1]]
    bounds, counts, right = np.reshape(groups, (-1, 3)).T
    both = (
        series("line", "right", range(len(bounds)), right / counts),
        series("dash", "the win rate itself", range(len(bounds)), bounds, None),
    )
    names = tuple(f"{100 * bound:.0f}%" for bound in bounds)
    return Plot("win rate from", "share of correct conclusions", both, names=names, percent_y=True)


def spread_by_draws(result: DrawCurves) -> Plot:
    """Return the standard deviation of an end from seed to seed, mean over systems, measured and by theory."""
    kinds: tuple[tuple[Kind, str, Floats, int | None], ...] = (
        ("points", "lower end", result.spread_low, 0), ("points", "upper end", result.spread_high, 1),
        ("dash", "theory", result.theory, None),
    )  # fmt: skip
    spreads = tuple(series(kind, name, result.draws, np.mean(of, axis=1), c) for kind, name, of, c in kinds)
    return Plot("resamples", f"standard deviation of interval ends, {result.metric}", spreads, log_x=True, log_y=True)


def scores_by_length(result: LengthCurves) -> Plot:
    """Return each metric's score by length ratio, and BLEU without its penalty; the line is the reference's length."""
    scores = [series("line", name, result.ratio, result.scores[i], i) for i, name in enumerate(result.metrics)]
    plain = series("dash", "BLEU without brevity penalty", result.ratio, result.unpenalised, None)
    lines = (Across(1.0, "as long as the reference", vertical=True),)
    return Plot("words per reference word", f"score of {result.system}", (*scores, plain), lines)


_NIST_BINS = 40


def redrawn_nist(result: NistWeightsScores) -> Plot:
    """Return both histograms over the same bins; the line is the test set's own score."""
    edges = np.histogram_bin_edges(np.concatenate([result.fixed, result.recomputed]), _NIST_BINS)
    kinds = tuple(
        series("bars", f"weights {kind}", (edges[:-1] + edges[1:]) / 2, np.histogram(draws, edges)[0], colour)
        for colour, (kind, draws) in enumerate((("fixed", result.fixed), ("recomputed", result.recomputed)))
    )
    title = f"NIST of {result.system} on resampled test sets"
    return Plot(title, "resamples", kinds, (Across(result.observed, "the test set's own", vertical=True),))


def orderings_by_length(result: OrderingCounts) -> Plot:
    """Return every segment's number of orders, as a power of ten, by its length in words."""
    texts = (f"segment {number}" for number in range(1, len(result.words) + 1))
    points = series("points", result.system, result.words, result.digits, texts=texts)
    return Plot("words", "number of phrase orders, as a power of 10", (points,), from_zero=True)


_BINS = 60


def redrawn_scores(result: Redraws) -> Plot:
    """Return the histogram; the lines are the ends of the interval and the score of the test set."""
    counts, edges = np.histogram(result.draws, _BINS)
    bars = series("bars", "resampled test sets", (edges[:-1] + edges[1:]) / 2, counts, None)
    named = ((result.low, ""), (result.high, ""), (result.score, "score "))
    lines = tuple(Across(at, f"{name}{at:.4g}", vertical=True) for at, name in named)
    return Plot(f"{result.metric} of {result.system}", "resamples", (bars,), lines)


def scores_by_references(result: ReferenceCurves) -> Plot:
    """Return each system's score by number of references, mean over the subsets, with its mean interval.

    Of many systems it is the highest and the lowest, as in the paper.
    """
    scores, half = result.mean(result.scores), result.mean(result.half_width)
    chosen = list(range(len(result.systems)))
    if len(chosen) > MOST_CURVES:
        order = np.argsort(-scores[-1], kind="stable")
        chosen = [int(order[0]), int(order[-1])]
    systems = tuple(
        series(
            "line", result.systems[s], result.counts, scores[:, s], colour,
            (scores[:, s] - half[:, s], scores[:, s] + half[:, s]),
        )
        for colour, s in enumerate(chosen)
    )  # fmt: skip
    return Plot("references", result.metric, systems, whole_x=True)


def widths_by_references(result: ReferenceCurves) -> Plot:
    """Return what is left of one reference's width with more of them: in % of the score, in points, and SE/d."""
    table = result.equivalences()
    kinds = {
        "relative width": "by_relative_width",
        "absolute width": "by_absolute_width",
        "SE/d of a typical pair": "by_separation",
    }
    widths = tuple(
        series("line", name, (row["references"] for row in table), (row[key] for row in table), i)
        for i, (name, key) in enumerate(kinds.items())
        if table[0][key] is not None
    )
    title = "share of segments needed to match one reference on all"
    return Plot("references", title, widths, percent_y=True, from_zero=True, whole_x=True)


def widths_by_size(result: ReferenceCurves) -> Plot:
    """Return relative half widths by size of the test set, one curve for each number of references."""
    widths = result.mean(result.relative_by_size)
    by_count = tuple(
        series("line", number_of(count, "reference"), 100 * result.sizes, widths[q], q)
        for q, count in enumerate(result.counts)
    )
    title = f"half width in % of {result.metric}"
    return Plot(f"% of {result.segments:,} segments", title, by_count, from_zero=True)


def between_sets(result: VariationOfScores, system: str | None = None) -> Plot:
    """Return one system's scores on every set, broad ones and neighbours; the line is the score of all segments."""
    row = 0 if system is None else result.systems.index(system)
    all_segments = Across(float(result.scores[row]), "all segments")
    return _of_sets(result, f"of {result.systems[row]}", result.consecutive[row], result.broad[row], all_segments)


def differences_between_sets(result: VariationOfScores) -> Plot | None:
    """Return the pair's difference on every set, broad ones and neighbours; None where there is one system."""
    if result.pair is None:
        return None
    together, apart = result.difference("consecutive"), result.difference("broad")
    return _of_sets(result, ": {} minus {}".format(*result.pair), together, apart, Across(0.0, "no difference"))


def _of_sets(result: VariationOfScores, what: str, together: Floats, apart: Floats, line: Across) -> Plot:
    places = range(1, result.sets + 1)
    both = series("points", "neighbouring segments", places, together, 1), series("points", "broad", places, apart, 0)
    y_title = f"{result.metric}{'' if what[0] == ':' else ' '}{what}"
    return Plot(f"test set of {result.size} segments", y_title, both, (line,))


def spreads(result: VariationOfScores) -> Plot:
    """Return every system's standard deviation between sets, beside what independent segments would give."""
    kinds: tuple[tuple[Kind, str, Floats, int | None], ...] = (
        ("bars", "neighbouring segments", result.spread_consecutive, 1), ("bars", "broad", result.spread_broad, 0),
        ("points", "predicted for independent segments", result.predicted, None),
    )  # fmt: skip
    sets = tuple(series(kind, name, range(len(result.systems)), of, colour) for kind, name, of, colour in kinds)
    y_title = f"standard deviation of {result.metric} between sets of {result.size}"
    return Plot("", y_title, sets, names=result.systems, from_zero=True)


def around_a_mean(result: MeanInterval) -> Plot:
    """Return the t distribution around a mean; the lines are the mean and the ends of its interval."""
    named = ((result.low, ""), (result.high, ""), (result.mean, "mean "))
    lines = tuple(Across(at, f"{name}{at:.3g}", vertical=True) for at, name in named)
    return Plot("mean of a test set", "density of Student's t", (series("line", "t", result.x, result.density),), lines)


def residuals_of_systems(result: Underrated) -> Plot:
    """Return how far each system's human score lies from what the metric suggests, flagged ones in another colour."""
    ranked = sorted(result.residuals, key=lambda one: -one.residual)
    kinds = []
    for colour, name, flagged in ((0, "near the line", False), (3, "off the line", True)):
        places = [place for place, one in enumerate(ranked) if bool(one.flag) == flagged]
        low, high = ([getattr(ranked[place], end) for place in places] for end in ("ci_low", "ci_high"))
        kinds.append(series("points", name, places, [ranked[place].residual for place in places], colour, (low, high)))
    title = f"human score minus what {result.metric} suggests"
    return Plot("", title, tuple(kinds), (Across(0.0, "as suggested"),), names=tuple(one.system for one in ranked))


def _scores_by_size(result: SizeCurves) -> Picture:
    return Curves.of_scores(result, _few(result))


def _widths_by_size(result: SizeCurves) -> Picture:
    return Curves.of_widths(result, _few(result), relative=True)


def _few(result: SizeCurves) -> tuple[str, ...] | None:
    """Return the best and the worst of many systems, as in Zhang and Vogel 2004, figures 4 to 7; None for few."""
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
    MeanInterval: {"Student's t": around_a_mean},
    Underrated: {"Human scores against the metric": residuals_of_systems},
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
    Redraws: {"Resampled scores": redrawn_scores},
    SizeCurves: {"Scores by size": _scores_by_size, "Widths by size": _widths_by_size},
    SeparationPairs: {"Segments needed": of_tests.segments_needed},
    SensitivityShares: {"Signal of every pair": of_tests.signal_by_pair},
    EveryTestPs: {"p-values against randomization": of_tests.p_values},
    RerankScores: {"p-values against randomization": of_tests.p_values_of_variants},
    MultiplicityRates: {"Error by number of comparisons": of_tests.error_by_comparisons},
    PeekingRates: {"False alarms by look": of_tests.false_alarms_by_look},
    NistWeightsScores: {"NIST of resamples": redrawn_nist},
    RelationsTables: {"Relations": of_tests.RelationMatrices.of},
    OrderingCounts: {"Orders by length": orderings_by_length},
    CalibrationRates: {"Power": of_tests.power_curves, "Error rates": of_tests.error_rates},
}


def of_experiment(result: Result) -> dict[str, Picture]:
    """Draw the figures of a result, by title, for screen and print.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.lab import Variation, run
    >>> from mtsig.lab import of_experiment
    >>> list(of_experiment(run(Variation(size=20), mtsig.measure(mtsig.read_sample(), "bleu"))))
    ['Scores of test sets', 'Differences on test sets', 'Spread between test sets']
    """
    drawn = {title: make(result) for title, make in FIGURES.get(type(result), {}).items()}
    return {title: picture for title, picture in drawn.items() if picture is not None}
