"""Figures of tests: error rates, p-values, needed segments, and how metrics go together."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import level_text
from mtsig.figures import Across, Axis, Cells, Picture, Plane, Scene, Series, verdict_colour
from mtsig.figures._curves import Plot
from mtsig.figures._look import MOST_NAMES, short, shorts
from mtsig.figures._marks import Room
from mtsig.inference._means import correction_label
from mtsig.inference._significance import known_test
from mtsig.lab._calibration import CalibrationRates
from mtsig.lab._every_pair import EveryTestPs, SensitivityShares
from mtsig.lab._many_tests import MultiplicityRates, PeekingRates
from mtsig.lab._metrics_compared import RelationsTables
from mtsig.lab._reranking import RerankScores, label_of_test
from mtsig.lab._test_sets import SeparationPairs

Worlds = NDArray[np.int64]


def numbers(values: Iterable[float]) -> tuple[float, ...]:
    """Return numbers as plain floats."""
    return tuple(float(value) for value in values)


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
        (Across(result.alpha, "nominal error rate"),),
        percent_y=True,
        from_zero=True,
    )


def _shares(result: CalibrationRates, row: int, size: int, worlds: Worlds, kind: Literal["line", "points"]) -> Series:
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
        (Across(result.alpha, "nominal"),),
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
    lines = (Across(result.alpha, "nominal"),)
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
        "segments when p is looked at", title, tuple(series), (Across(result.alpha, "nominal"),),
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
    lines = (Across(result.limit, f"separated at {level_text(result.level)}, uncorrected"),)
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
        (Across(float(result.segments), "segments at hand"),),
        log_y=True,
        names=tuple(" – ".join(result.pairs[i]) for i in order) if len(order) <= MOST_NAMES else (),
    )  # fmt: skip


# What a sign stands on: the verdict's colour, as in every matrix; what separates nothing, on next to nothing.
_GROUNDS = {">": verdict_colour("better", 0), "<": verdict_colour("worse", 0), "~": ""}


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
            f"The row's system is better (>) or worse (<) than the column's, or not significantly different from it "
            f"(~), at "
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

    def scene(self, room: Room) -> Scene:
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


def relations(result: RelationsTables) -> RelationMatrices:
    """Return the matrices of a result."""
    return RelationMatrices.of(result)
