"""Which figures belong to which result of an experiment, and how each is made."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig import figures
from mtsig._probability import level_text
from mtsig._records import Floats
from mtsig._results import Result
from mtsig._writing import short, shorts
from mtsig.corpus._notes import number_of
from mtsig.figures import Across, Axis, Cells, Curves, Picture, Plane, Scene, Series, _curves, _look, _marks
from mtsig.figures._curves import Kind, Plot, numbers
from mtsig.figures._look import MOST_CURVES
from mtsig.inference._corrections import correction_label
from mtsig.inference._tests import known_test
from mtsig.lab import _compared, _error_rates, _reranking, _test_sets
from mtsig.lab._blind_spots import OrderingCounts
from mtsig.lab._compared import EveryTestPs, NistWeightsScores, RelationsTables, SensitivityShares
from mtsig.lab._error_rates import CalibrationRates, MultiplicityRates, PeekingRates
from mtsig.lab._koehn2004 import MeanInterval
from mtsig.lab._reranking import RerankScores
from mtsig.lab._sampling import ConclusionRates, CoverageRates, DrawCurves, Redraws
from mtsig.lab._test_sets import LengthCurves, ReferenceCurves, SeparationPairs, VariationOfScores
from mtsig.meta_eval._blind_spots import Underrated
from mtsig.segments import SizeCurves

Worlds = NDArray[np.int64]


def series(
    kind: _curves.Kind, name: str, x: Iterable[float], y: Iterable[float], colour: int | None = 0,
    ends: tuple[Iterable[float], Iterable[float]] | None = None, texts: Iterable[str] | None = None,
) -> Series:  # fmt: skip
    """Return a series of plain numbers; ends: of a band, or of intervals."""
    low, high = (None, None) if ends is None else map(numbers, ends)
    return Series(name, numbers(x), numbers(y), kind, low, high, colour, None if texts is None else tuple(texts))


def _named(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(" – ".join(pair) for pair in pairs)


def power_curves(result: _error_rates.CalibrationRates, size: int = -1) -> _curves.Plot | None:
    """Return each test's share of significant test sets by the true difference, with normal theory; 0 is the null.

    The curves are of the first null, others are points at 0. None when one effect alone was simulated: there is no
    curve.
    """
    curve = result.of_first_null
    if len(curve) < 2:
        return None
    order = np.array(curve)[np.argsort(result.truth[curve], kind="stable")]
    shown: list[tuple[_curves.Kind, Worlds]] = [("line", order)]
    shown += [("points", np.array([world])) for world in range(len(result.nulls)) if world not in curve]
    rates = [
        series(
            kind, _test_and_null(result, row, worlds[0]), result.truth[worlds], result.rate[row, size, worlds], row,
            result.ends(result.rejected[row, size, worlds]),
        )
        for kind, worlds in shown
        for row in range(len(result.tests))
    ]  # fmt: skip
    theory = series("dash", "normal theory", result.truth[order], result.predicted[size, order], None)
    x_title = f"true difference in {result.metric}, {result.sizes[size]} {result.drawn}"
    lines = (Across(result.alpha, "nominal error rate"),)
    return _curves.Plot(x_title, "significant test sets", (*rates, theory), lines, percent_y=True, from_zero=True)


def _test_and_null(result: _error_rates.CalibrationRates, row: int, world: int) -> str:
    """Return the test and the null that its test sets are drawn from."""
    return f"{known_test(result.tests[row]).label}, {result.nulls[world].replace('-', ' ')}"


def error_rates(result: _error_rates.CalibrationRates) -> _curves.Plot | None:
    """Return each test's error rate under each null by size; None when no null was simulated."""
    drawn = [(row, world) for world in result.no_effect for row in range(len(result.tests))]
    if not drawn:
        return None
    low, high = result.ends(result.rejected)
    # Side by side, so that tests with equal rates do not hide each other.
    beside = min(0.08, 0.6 / len(drawn)) * (np.arange(len(drawn)) - (len(drawn) - 1) / 2)
    rates = tuple(
        series(
            "points", _test_and_null(result, row, world), np.arange(len(result.sizes)) + shift,
            result.rate[row, :, world], row, (low[row, :, world], high[row, :, world]),
        )
        for shift, (row, world) in zip(beside, drawn, strict=True)
    )  # fmt: skip
    names = tuple(f"{size:,}" for size in result.sizes)
    x_title, y_title = f"{result.drawn} in a test set", "false-positive rate"
    lines = (Across(result.alpha, "nominal"),)
    return _curves.Plot(x_title, y_title, rates, lines, percent_y=True, from_zero=True, names=names)


def p_values(result: _compared.EveryTestPs) -> _curves.Plot:
    """Return each test's p by randomization's, on logarithmic axes; the dashed line is where they are equal."""
    ends = (1e-5, 1.0)
    p, names = result.p.clip(ends[0]), _named(result.pairs)
    tests = [
        series("points", _reranking.label_of_test(test), p[0], p[row], row - 1, texts=names)
        for row, test in enumerate(result.tests)
        if row
    ]
    equal = series("dash", "equal", ends, ends, None)
    return _curves.Plot("p by randomization", "p by the test", (*tests, equal), log_x=True, log_y=True)


def error_by_comparisons(result: _error_rates.MultiplicityRates) -> _curves.Plot:
    """Return the share of experiments with a false claim, by correction, beside the independent bound."""
    ends = zip(*result.ends, strict=True)
    rates = [
        series("line", correction_label(name), result.comparisons, rate, row, both)
        for row, (name, rate, both) in enumerate(zip(result.corrections, result.rate, ends, strict=True))
    ]
    bound = series("dash", "1 − (1 − α)^k", result.comparisons, result.bound, None)
    x_title = f"comparisons, systems {result.null.replace('-scores', ' in score')}"
    lines = (Across(result.alpha, "nominal"),)
    return _curves.Plot(
        x_title, "test sets with at least one false positive", (*rates, bound), lines, percent_y=True, from_zero=True
    )


def false_alarms_by_look(result: _error_rates.PeekingRates) -> _curves.Plot:
    """Return the share of test sets called different, by the segments at a look."""
    looks = tuple(
        series("line", name, result.units, marks.mean(axis=0), colour, result.ends(marks))
        for colour, (name, marks) in enumerate(
            (("at any look so far", result.stopped), ("at this look alone", result.claimed))
        )
    )
    titles, lines = ("segments at the look", "significant test sets"), (Across(result.alpha, "nominal"),)
    return _curves.Plot(*titles, looks, lines, percent_y=True, from_zero=True)


def signal_by_pair(result: _compared.SensitivityShares) -> _curves.Plot:
    """Return |d|/SE of every pair under every metric, pairs ordered by the first metric."""
    order = np.argsort(np.abs(result.z[0]), kind="stable")
    names = _named(result.pairs[i] for i in order)
    metrics = tuple(
        series("points", metric, range(len(order)), np.abs(result.z[row, order]), row, texts=names)
        for row, metric in enumerate(result.metrics)
    )
    lines = (Across(result.limit, f"significant at {level_text(result.level)}, uncorrected"),)
    # Few pairs have room for their names; of many only the order is shown.
    named = names if len(names) <= _look.MOST_NAMES else ()
    title = "" if named else f"pairs of systems, ordered by {result.metrics[0]}"
    return _curves.Plot(title, "difference, in standard errors", metrics, lines, from_zero=True, names=named)


def segments_needed(result: _test_sets.SeparationPairs) -> _curves.Plot:
    """Return needed segments with their ranges, the easiest pairs first; unbounded ranges end at the right."""
    order = [int(i) for i in np.argsort(result.needed, kind="stable") if np.isfinite(result.needed[i])]
    finite = np.concatenate([result.needed[order], result.most[np.isfinite(result.most)], [result.segments]])
    ends = (result.fewest[order], np.minimum(result.most[order], 10 * float(finite.max())))
    open_ended = np.isinf(result.most[order])
    names = _named(result.pairs[i] for i in order)
    # Few pairs have room for their names; intervals of many would hide each other.
    named = names if len(order) <= _look.MOST_NAMES else ()
    kind: _curves.Kind = "points" if named else "line"
    ranks = np.arange(len(order)) + (not named)
    needed = series(kind, f"for {result.power:.0%} power", ranks, result.needed[order], 0, ends, names)
    lines = [Across(float(result.segments), f"{result.segments:,} at hand")]
    if open_ended.any():
        lines.append(Across(float(ends[1].max()), "no upper bound"))
    title = "" if named else "pairs of systems, those with the fewest segments first"
    return _curves.Plot(title, "segments", (needed,), tuple(lines), log_y=True, names=named)


# What a sign stands on: the verdict's colour, as in every matrix; what separates nothing, on next to nothing.
_GROUNDS = {">": figures.verdict_colour("better", 0), "<": figures.verdict_colour("worse", 0), "~": ""}


@dataclass(frozen=True)
class RelationMatrices(Picture):
    """One matrix of >, < and ~ for every metric: the row's system against the column's; empty on the diagonal."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    signs: tuple[tuple[tuple[str, ...], ...], ...]
    says: str

    @classmethod
    def of(cls, result: _compared.RelationsTables) -> "RelationMatrices":
        """Return the matrices of a result, systems in its order."""

        def row(metric: int, statistic: str) -> tuple[str, ...]:
            return tuple(
                "" if statistic == other else result.between(metric, statistic, other) for other in result.systems
            )

        return cls(
            tuple(short(name) for name in result.metrics),
            shorts(result.systems),
            tuple(tuple(row(metric, system) for system in result.systems) for metric in range(len(result.metrics))),
            ">: the row's system is better than the column's; <: it is worse; ~: the difference is not significant, "
            f"which does not mean equal. Level {level_text(result.level)}, corrected by "
            f"{correction_label(result.correction)}.",
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*self.metrics, *self.systems)

    def scene(self, room: _marks.Room) -> Scene:
        """Return a plane of cells for every metric."""
        size, names = len(self.systems), list(self.systems)
        columns, high = len(self.metrics), 140.0 + 34 * size
        if room.on_paper:
            # As many side by side as have room for their signs and for the names.
            beside = 0.06 * max(map(len, names))
            columns = max(1, min(columns, int((room.width - beside) / (0.13 * size + 0.15))))
            rows, side = -(-len(self.metrics) // columns), (room.width - beside) / columns
            high = rows * (min(side, 0.3 * size) + 0.35) + beside
        ends = (-0.5, size - 0.5)
        x = Axis(names=names, range=ends, bare=True, grid=False, slant=90)
        y = Axis(names=names, range=ends[::-1], bare=True, grid=False)
        planes = [
            Plane([self._cells(signs, sign) for sign in _GROUNDS if any(sign in row for row in signs)], x, y, metric)
            for metric, signs in zip(self.metrics, self.signs, strict=True)
        ]
        return Scene(planes, high, columns=columns)

    def _cells(self, signs: tuple[tuple[str, ...], ...], sign: str) -> Cells:
        places = [(x, y) for y, row in enumerate(signs) for x, other in enumerate(row) if other == sign]
        ground, written = _GROUNDS[sign], [sign] * len(places)
        return Cells(
            x=[x for x, _ in places], y=[y for _, y in places], colours=[ground] * len(places) if ground else (),
            hatch="" if ground else "/", texts=written, signs=written,
            hover=[f"{self.systems[y]} {sign} {self.systems[x]}" for x, y in places],
        )  # fmt: skip


def intervals_of_sets(result: CoverageRates) -> Plot:
    """Return the intervals, those that miss the truth in another colour and shape."""
    places = np.arange(1, result.sets + 1)
    intervals = tuple(
        series("points", name, places[kept], result.estimate[kept], colour, (result.low[kept], result.high[kept]))
        for name, kept, colour in (("contains the score", result.covered, 0), ("misses the score", ~result.covered, 3))
    )
    titles = f"test set of {result.size} segments", f"{result.target} with interval"
    return Plot(*titles, intervals, (Across(result.truth, "score of all the data"),))


def win_rates(result: ConclusionRates) -> Plot:
    """Return the truly better system's win rate on every test set of the first size, in the order of drawing.

    The pair is the one with the smallest difference in standard errors: win rates of clear pairs are all 100%.
    """
    # Systems that do not differ at all have no error to divide by.
    differ = result.error[:, 0] > 0
    ratio = np.divide(result.difference, result.error[:, 0], out=np.full(len(differ), np.inf), where=differ)
    pair = int(np.argmin(ratio))
    wins, (better, worse) = result.wins[0][pair], result.pairs[pair]
    concludes = Across(result.level, f"correct {level_text(result.level)} conclusion above")
    return Plot(
        f"test set of {result.sizes[0]} segments", f"resamples in which {better} scores higher than {worse}",
        (series("points", "win rate", range(1, len(wins) + 1), wins),),
        (concludes, Across(1 - result.level, "wrong conclusion below")), percent_y=True,
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
    SizeCurves: {
        "Scores by size": lambda curves: Curves.of_scores(curves, _few(curves)),
        "Widths by size": lambda curves: Curves.of_widths(curves, _few(curves), relative=True),
    },
    SeparationPairs: {"Segments needed": segments_needed},
    SensitivityShares: {"Signal of every pair": signal_by_pair},
    EveryTestPs: {"p-values against randomization": p_values},
    RerankScores: {"p-values against randomization": lambda one: p_values(one.every) if one.differ.any() else None},
    MultiplicityRates: {"Error by number of comparisons": error_by_comparisons},
    PeekingRates: {"False alarms by look": false_alarms_by_look},
    NistWeightsScores: {"NIST of resamples": redrawn_nist},
    RelationsTables: {"Relations": RelationMatrices.of},
    OrderingCounts: {"Orders by length": orderings_by_length},
    CalibrationRates: {"Power": power_curves, "Error rates": error_rates},
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
