"""Figures of tests: error rates, p-values, needed segments, and how metrics go together."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from mtsig.figures.look import BLUES, MOST_NAMES, OCHRES, PALE, legible_on, short, shorts
from mtsig.figures.picture import Picture, Write
from mtsig.figures.plot import Kind, Line, Plot, Series, numbers
from mtsig.figures.screen import PAGE_INK, escaped, faded, figure
from mtsig.inference import known_test, level_text
from mtsig.inference.registered import correction_label
from mtsig.lab._calibration import CalibrationRates
from mtsig.lab._every_pair import EveryTestPs, SensitivityShares
from mtsig.lab._many_tests import MultiplicityRates, PeekingRates
from mtsig.lab._metrics_compared import RelationsTables
from mtsig.lab._reranking import RerankScores, label_of_test
from mtsig.lab._test_sets import SeparationPairs

Worlds = NDArray[np.int64]


def power_curves(result: CalibrationRates, size: int = -1) -> Plot | None:
    """Return each test's share of significant test sets by the true difference, with normal theory; 0 is the null.

    The curves are of the first null, others are points at 0. None when one effect alone was simulated: there is no
    curve.
    """
    curve = result.of_first_null
    if len(curve) < 2:
        return None
    order = np.array(curve)[np.argsort(result.truth[curve], kind="stable")]
    others = [world for world in range(len(result.nulls)) if world not in curve]
    theory = Series(
        "normal theory", numbers(result.truth[order]), numbers(result.predicted[size, order]), "dash", colour=None
    )
    return Plot(
        f"true difference in {result.metric}, {result.sizes[size]} {result.drawn}",
        "significant test sets",
        (
            *(_shares(result, row, size, order, "line") for row in range(len(result.tests))),
            *(
                _shares(result, row, size, np.array([world]), "points")
                for world in others
                for row in range(len(result.tests))
            ),
            theory,
        ),
        (Line(result.alpha, "nominal error rate"),),
        percent_y=True,
        from_zero=True,
    )


def _shares(result: CalibrationRates, row: int, size: int, worlds: Worlds, kind: Kind) -> Series:
    """Return one test's shares of significant test sets in worlds of one null."""
    low, high = result.ends(result.rejected[row, size, worlds])
    return Series(
        _name(result, row, int(worlds[0])), numbers(result.truth[worlds]), numbers(result.rate[row, size, worlds]),
        kind, numbers(low), numbers(high), row,
    )  # fmt: skip


def _name(result: CalibrationRates, row: int, world: int) -> str:
    """Return the test and the null that its test sets are drawn from."""
    return f"{known_test(result.tests[row]).label}, {result.nulls[world].replace('-', ' ')}"


def error_rates(result: CalibrationRates) -> Plot | None:
    """Return each test's error rate under each null by size; None when no null was simulated."""
    drawn = [(row, world) for world in result.no_effect for row in range(len(result.tests))]
    if not drawn:
        return None
    low, high = result.ends(result.rejected)
    # Side by side, so that tests with equal rates do not hide each other.
    beside = min(0.08, 0.6 / len(drawn)) * (np.arange(len(drawn)) - (len(drawn) - 1) / 2)
    series = [
        Series(
            _name(result, row, world), numbers(np.arange(len(result.sizes)) + beside[place]),
            numbers(result.rate[row, :, world]), "points", numbers(low[row, :, world]), numbers(high[row, :, world]),
            row,
        )
        for place, (row, world) in enumerate(drawn)
    ]  # fmt: skip
    return Plot(
        f"{result.drawn} in a test set",
        "false claims without a difference",
        tuple(series),
        (Line(result.alpha, "nominal"),),
        percent_y=True,
        from_zero=True,
        names=tuple(f"{size:,}" for size in result.sizes),
    )


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


def signal_by_pair(result: SensitivityShares) -> Plot:
    """Return |d|/SE of every pair under every metric, pairs ordered by the first metric."""
    order = np.argsort(np.abs(result.z[0]), kind="stable")
    names = tuple(" – ".join(result.pairs[i]) for i in order)
    x = numbers(range(len(order)))
    series = [
        Series(metric, x, numbers(np.abs(result.z[row, order])), "points", colour=row, texts=names)
        for row, metric in enumerate(result.metrics)
    ]
    lines = (Line(result.limit, f"separated at {level_text(result.level)}, uncorrected"),)
    # Few pairs have room for their names; of many only the order is shown.
    named = names if len(names) <= MOST_NAMES else ()
    title = f"pairs of systems, by {result.metrics[0]}"
    y_title = "difference, in standard errors"
    return Plot("" if named else title, y_title, tuple(series), lines, from_zero=True, names=named)


def segments_needed(result: SeparationPairs) -> Plot:
    """Return needed segments with their ranges, the easiest pairs first; unbounded ranges end at the top."""
    order = [int(i) for i in np.argsort(result.needed, kind="stable") if np.isfinite(result.needed[i])]
    finite = np.concatenate([result.needed[order], result.most[np.isfinite(result.most)], [result.segments]])
    top = 10 * float(finite.max())
    return Plot(
        "",
        "segments",
        (
            Series(
                f"for {result.power:.0%} power", numbers(range(len(order))), numbers(result.needed[order]), "points",
                numbers(result.fewest[order]), numbers(np.minimum(result.most[order], top)),
                texts=tuple(" – ".join(result.pairs[i]) for i in order),
            ),
        ),
        (Line(float(result.segments), "segments at hand"),),
        log_y=True,
        names=tuple(" – ".join(result.pairs[i]) for i in order) if len(order) <= MOST_NAMES else (),
    )  # fmt: skip


# What a sign stands on, on the screen and on paper, and its own colour there: the verdict's, as in every matrix.
_LOOK = {
    ">": (BLUES[0], BLUES[0], legible_on(BLUES[0])),
    "<": (OCHRES[0], OCHRES[0], legible_on(OCHRES[0])),
    "~": (faded(PALE, 0.1), "#f2f2f2", PAGE_INK),
}


def _on_paper(sign: str) -> str:
    """Return what a sign stands on; on the diagonal there is none."""
    return _LOOK[sign][1] if sign else "#ffffff"


@dataclass(frozen=True)
class RelationMatrices(Picture):
    """One matrix of >, < and ~ for every metric: the row's system against the column's; empty on the diagonal."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    signs: tuple[tuple[tuple[str, ...], ...], ...]
    says: str

    @classmethod
    def of(cls, result: RelationsTables) -> "RelationMatrices":
        """Return the matrices of a result, systems in its order."""

        def row(metric: int, statistic: str) -> tuple[str, ...]:
            return tuple(
                "" if statistic == other else result.between(metric, statistic, other) for other in result.systems
            )

        return cls(
            tuple(short(name) for name in result.metrics),
            shorts(result.systems),
            tuple(tuple(row(metric, system) for system in result.systems) for metric in range(len(result.metrics))),
            f"The row's system is better (>) or worse (<) than the column's, or not separated from it (~), at "
            f"{level_text(result.level)} corrected by {correction_label(result.correction)}. ~ is not equality.",
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return self.says

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*self.metrics, *self.systems)

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        names = [escaped(name) for name in self.systems]
        shown = make_subplots(cols=len(self.metrics), subplot_titles=[escaped(name) for name in self.metrics])
        for column, signs in enumerate(self.signs, 1):
            # A heatmap has one colour of text: each sign has its own.
            for sign, (ground, _, ink) in _LOOK.items():
                shown.add_heatmap(
                    z=[[0 if other == sign else None for other in row] for row in signs], x=names, y=names,
                    text=[[sign if other == sign else "" for other in row] for row in signs], texttemplate="%{text}",
                    textfont={"color": ink}, colorscale=[[0, ground], [1, ground]], showscale=False, xgap=2, ygap=2,
                    row=1, col=column, hovertemplate="%{y} %{text} %{x}<extra></extra>", hoverongaps=False,
                )  # fmt: skip
        shown.update_layout(figure(height=140 + 34 * len(names)).layout)
        shown.update_xaxes(tickfont_color=PAGE_INK)
        shown.update_yaxes(tickfont_color=PAGE_INK, autorange="reversed")
        shown.update_yaxes(showticklabels=False)
        shown.update_yaxes(showticklabels=True, col=1)
        return shown

    def _columns(self, width: float) -> int:
        """Return how many matrices stand side by side: as many as have room for their signs and for the names."""
        return max(1, min(len(self.metrics), int((width - self._names) / (0.13 * len(self.systems) + 0.15))))

    @property
    def _names(self) -> float:
        return 0.06 * max(len(name) for name in self.systems)

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        rows = -(-len(self.metrics) // self._columns(width))
        side = (width - self._names) / self._columns(width)
        return rows * (min(side, 0.3 * len(self.systems)) + 0.35) + self._names

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw it on paper."""
        columns = self._columns(float(paper.get_size_inches()[0]))
        rows = -(-len(self.metrics) // columns)
        grid = paper.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        places = range(len(self.systems))
        for axes in grid.flat[len(self.metrics) :]:
            axes.set_axis_off()
        for axes, metric, signs in zip(grid.flat, self.metrics, self.signs, strict=False):
            axes.imshow([[to_rgb(_on_paper(sign)) for sign in row] for row in signs])
            for y, row in enumerate(signs):
                for x, sign in enumerate(row):
                    axes.text(
                        x, y, write(sign), ha="center", va="center", fontsize=7, color=legible_on(_on_paper(sign))
                    )
            axes.set_title(write(metric), fontsize=8)
            axes.set_yticks(places, [write(name) for name in self.systems])
            axes.set_xticks(places, [write(name) for name in self.systems], rotation=90)
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)


def relations(result: RelationsTables) -> RelationMatrices:
    """Return the matrices of a result."""
    return RelationMatrices.of(result)
