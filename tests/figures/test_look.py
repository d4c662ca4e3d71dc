"""Colours of systems and of verdicts, names at the ends of curves, and no more points than pixels."""

from itertools import product

import numpy as np
import plotly.graph_objects as go
import pytest
from contrasts import DARK, LIGHT, contrast, luminance, over
from hypothesis import given
from hypothesis import strategies as st
from made import made_statistics

from mtsig import Settings
from mtsig.figures import Histogram
from mtsig.figures._curves import Plot, Series
from mtsig.figures._look import (
    BLUES,
    GREY,
    INK,
    OCHRES,
    PAGE_INK,
    PALETTE,
    SLATE,
    spread,
    system_colours,
    verdict_colour,
)
from mtsig.figures._marks import seen_curve, seen_points


def distance(one: str, other: str) -> float:
    """Return how far apart two colours are, in steps of their three channels."""
    channels = (np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) for colour in (one, other))
    return float(np.linalg.norm(np.subtract(*channels)))


def test_no_system_has_a_colour_of_a_verdict() -> None:
    verdicts = [verdict_colour(word, share) for word in ("better", "worse") for share in np.linspace(0, 1, 20)]
    assert len(set(PALETTE)) == 8
    assert min(distance(*pair) for pair in product(PALETTE, [*verdicts, SLATE])) > 25
    assert {verdict_colour("better", share) for share in (0, 1)} == set(BLUES)
    assert {verdict_colour("worse", share) for share in (0, 1)} == set(OCHRES)


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_every_colour_stands_out_in_both_themes(page: str) -> None:
    assert min(contrast(colour, page) for colour in (*PALETTE, *BLUES, *OCHRES, SLATE, INK, GREY)) >= 3


def test_eight_systems_have_colours_and_the_others_are_grey() -> None:
    found = system_colours([f"s{i}" for i in range(10)])
    assert list(found.values()) == [*PALETTE, GREY, GREY]


_INK_OF_PAGES = {LIGHT: "#31333f", DARK: "#fafafa"}
"""What Streamlit's themes put for the page's ink."""


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_lines_over_a_histogram_stand_out_on_page_band_and_bars(page: str) -> None:
    family = Settings(n_resamples=300).family(made_statistics(n=120))
    assert family.null is not None
    for drawn in (
        Histogram.of_resampled(family.resampled(0), family[0]),
        Histogram.of_shuffled(family.null[0], family[0]),
    ):
        figure = drawn.screen()
        behind = [page, *(trace.marker.color for trace in figure.data if isinstance(trace, go.Bar))]
        behind += [shape.fillcolor for shape in figure.layout.shapes if shape.type == "rect"]
        grounds = [colour if colour.startswith("#") else over(colour, page) for colour in behind]
        lines = [shape.line.color for shape in figure.layout.shapes if shape.type == "line"]
        # Each is drawn once: of two lines on top of each other, both were seen in the dark.
        assert lines == [PAGE_INK] * len(drawn.lines)
        assert min(contrast(_INK_OF_PAGES[page], ground) for ground in grounds) >= 3
        assert {trace.line.color for trace in figure.data if trace.x == (None,)} == {PAGE_INK}
        for trace in figure.data:
            if trace.name and " interval " in trace.name:
                assert min(trace.y) > max(np.add.reduce([bar.y for bar in figure.data if isinstance(bar, go.Bar)]))
                assert contrast(trace.line.color, page) >= 3


def test_luminance_is_that_of_the_standard() -> None:
    assert luminance("#ffffff") == pytest.approx(1)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12), st.integers(1, 5))
def test_names_are_moved_apart_and_no_farther_than_needed(places: list[int], gap: int) -> None:
    found = spread([float(place) for place in places], float(gap))
    order = np.argsort(places, kind="stable")
    assert np.diff(np.array(found)[order]).min(initial=gap) >= gap - 1e-6
    if np.diff(np.sort(places)).min(initial=gap) >= gap:
        assert found == pytest.approx(places)
    # Each cluster stays where its members would be on average.
    assert np.mean(found) == pytest.approx(np.mean(places), abs=1e-6)


def test_many_points_are_thinned_to_what_a_screen_shows() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 200_000))
    kept = seen_points(x.tolist(), y.tolist())
    assert len(kept) < 120_000
    step_x, step_y = np.ptp(x) / 1000, np.ptp(y) / 1000
    left, bottom = x.min(), y.min()
    cells = {(int((a - left) / step_x), int((b - bottom) / step_y)) for a, b in zip(x, y, strict=True)}
    assert abs(len(kept) - len(cells)) <= 2
    few = rng.normal(size=(2, 50))
    assert seen_points(few[0].tolist(), few[1].tolist()) == list(range(50))


def test_a_long_curve_keeps_its_peaks_and_its_ends() -> None:
    x = np.arange(100_000.0)
    y = np.sin(x / 3000)
    y[77_777] = 9
    kept = seen_curve(x.tolist(), y.tolist())
    assert len(kept) <= 4004
    assert {0, 77_777, 99_999} <= set(kept)
    assert min(y[kept]) == min(y)


def test_a_plot_sends_what_can_be_seen_and_names_what_it_keeps() -> None:
    x = tuple(np.repeat(np.arange(10.0), 3).tolist())
    texts = tuple(f"t{i}" for i in range(30))
    (drawn,) = Plot("x", "y", (Series("s", x, x, "points", texts=texts),)).screen().data
    assert list(drawn.x) == list(range(10))
    assert list(drawn.hovertext) == [f"t{3 * i}" for i in range(10)]
