"""Figures of tests: error rates, p-values, needed segments, and how metrics go together."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import level_text
from mtsig.figures import Across, Axis, Cells, Picture, Plane, Scene, Series, _curves, _look, _marks, verdict_colour
from mtsig.figures._curves import numbers
from mtsig.inference._corrections import correction_label
from mtsig.inference._significance import known_test
from mtsig.lab import _calibration, _every_pair, _many_tests, _metrics_compared, _reranking, _test_sets

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


def power_curves(result: _calibration.CalibrationRates, size: int = -1) -> _curves.Plot | None:
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


def _test_and_null(result: _calibration.CalibrationRates, row: int, world: int) -> str:
    """Return the test and the null that its test sets are drawn from."""
    return f"{known_test(result.tests[row]).label}, {result.nulls[world].replace('-', ' ')}"


def error_rates(result: _calibration.CalibrationRates) -> _curves.Plot | None:
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


def p_values(result: _every_pair.EveryTestPs) -> _curves.Plot:
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


def p_values_of_variants(result: _reranking.RerankScores) -> _curves.Plot | None:
    """Return the same of reranked variants, all metrics in one; None where all variants are one system."""
    return p_values(result.every) if result.differ.any() else None


def error_by_comparisons(result: _many_tests.MultiplicityRates) -> _curves.Plot:
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


def false_alarms_by_look(result: _many_tests.PeekingRates) -> _curves.Plot:
    """Return the share of test sets called different, by the segments at a look."""
    looks = tuple(
        series("line", name, result.units, marks.mean(axis=0), colour, result.ends(marks))
        for colour, (name, marks) in enumerate(
            (("at any look so far", result.stopped), ("at this look alone", result.claimed))
        )
    )
    titles, lines = ("segments at the look", "significant test sets"), (Across(result.alpha, "nominal"),)
    return _curves.Plot(*titles, looks, lines, percent_y=True, from_zero=True)


def signal_by_pair(result: _every_pair.SensitivityShares) -> _curves.Plot:
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
    names = _named(result.pairs[i] for i in order)
    needed = series("points", f"for {result.power:.0%} power", range(len(order)), result.needed[order], 0, ends, names)
    named = names if len(order) <= _look.MOST_NAMES else ()
    lines = (Across(float(result.segments), "segments at hand"),)
    return _curves.Plot("", "segments", (needed,), lines, log_y=True, names=named)


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
    def of(cls, result: _metrics_compared.RelationsTables) -> "RelationMatrices":
        """Return the matrices of a result, systems in its order."""

        def row(metric: int, statistic: str) -> tuple[str, ...]:
            return tuple(
                "" if statistic == other else result.between(metric, statistic, other) for other in result.systems
            )

        return cls(
            tuple(_look.short(name) for name in result.metrics),
            _look.shorts(result.systems),
            tuple(tuple(row(metric, system) for system in result.systems) for metric in range(len(result.metrics))),
            f"The row's system is better (>) or worse (<) than the column's, or not significantly different from it "
            f"(~), at "
            f"{level_text(result.level)} corrected by {correction_label(result.correction)}. ~ is not equality.",
        )

    @property
    def caption(self) -> str:
        return self.says

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
