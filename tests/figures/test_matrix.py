"""The resamples of one difference: sides, bins, shares, intervals and states; on the screen and on paper.

The significance matrix: colour is the verdict, numbers can be read, groups have lines, clicks find their pair.
"""

import io
import itertools
import math
import re
from dataclasses import replace
from itertools import product

import numpy as np
import plotly.graph_objects as go
import pytest
from contrasts import DARK, LIGHT, contrast, luminance, over
from hypothesis import given
from hypothesis import strategies as st
from kept import worded
from made import made_corpus, made_statistics, rated
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from PIL import Image
from sampled import crossed, slow
from sheets import clicked_on, legend_of, on_sheet, trouble_on

from mtsig import Corpus, Settings, measure, verdict
from mtsig.figures import PAPERS, Histogram, Matrix, on_paper
from mtsig.figures._look import FIRST, FIRST_TEXT, GREY, SECOND, SECOND_TEXT
from mtsig.figures._marks import PHONE, SCREEN, Bars, Mark, Picture, Points, Room, Text
from mtsig.figures._matrix import HUNDRED, bin_width, share_text
from mtsig.inference import Comparison, Family, compare, groups
from mtsig.metrics import Statistics

ROOMS = (SCREEN, PHONE, Room(3.03), Room(6.3), Room(11.2))


def one_pair(shift: float = 0.3, names: tuple[str, str] = ("A", "B")) -> Comparison:
    values = [(i * 7919) % 101 / 50 - 1 for i in range(60)]
    return compare(rated([[shift + one for one in values], [0.0] * 60], names))[0]


def normal(mean: float, spread: float = 0.5, n: int = 10_000) -> np.ndarray:
    return np.random.default_rng(7).normal(mean, spread, n)


def marks_of(picture: Picture, room: Room = SCREEN) -> list[Mark]:
    (plane,) = picture.scene(room).planes
    return list(plane.marks)


def bars_of(picture: Histogram, room: Room = SCREEN) -> list[Bars]:
    return [mark for mark in marks_of(picture, room) if isinstance(mark, Bars) and mark.keys is not None]


def texts_of(picture: Histogram, room: Room = SCREEN) -> dict[str, Text]:
    return {mark.text: mark for mark in marks_of(picture, room) if isinstance(mark, Text)}


@pytest.fixture(scope="module")
def family() -> Family:
    return Settings(test="ar", n_resamples=1000).family(made_statistics(n=120, systems=3))


# --- bars --------------------------------------------------------------------------------------------------------


@given(st.floats(-3, 3), st.floats(0.05, 2), st.integers(50, 3000))
def test_zero_is_an_edge_of_a_bin_and_every_draw_is_on_its_own_side(mean: float, spread: float, n: int) -> None:
    draws = normal(mean, spread, n)
    picture = Histogram.of_resampled(draws, one_pair())
    for room in (SCREEN, PHONE):
        counted = dict.fromkeys((FIRST, SECOND), 0)
        for bar in bars_of(picture, room):
            edges = [(x - bar.width / 2, x + bar.width / 2) for x in bar.x]
            assert all(low * high >= 0 for low, high in edges)
            assert all((x < 0) == (bar.colour == SECOND) for x in bar.x)
            counted[bar.colour] += sum(bar.keys)
        assert counted == {FIRST: int((draws > 0).sum()), SECOND: int((draws < 0).sum())}


def test_the_bars_stand_where_the_draws_are() -> None:
    draws = normal(0.4)
    picture = Histogram.of_resampled(draws, one_pair())
    assert sum(count for *_, count in picture.rows) == len(draws)
    for low, high, count in picture.rows:
        assert count == np.count_nonzero((draws >= low) & (draws < high))


@given(st.floats(1e-4, 1e4))
def test_widths_are_round_and_give_the_promised_number_of_bins_where_round_ones_can(span: float) -> None:
    for wanted, least, most in ((45, 35, 60), (21, 18, 25)):
        width = bin_width(span, wanted)
        digits = width / 10 ** math.floor(math.log10(width) + 1e-9)
        assert min(abs(digits - step) for step in (1, 2, 2.5, 5)) < 1e-6
        round_ones = [step * 10.0**power for power in range(-9, 6) for step in (1, 2, 2.5, 5)]
        assert least <= span / width <= most or not any(least * 1.02 <= span / one <= most / 1.02 for one in round_ones)
        assert wanted / 1.5 <= span / width <= wanted * 1.5


def test_a_phone_says_below_the_axis_what_the_margin_holds() -> None:
    draws = normal(0.4)
    for margin, said in ((0.5, f"grey: within ±0.5, the margin: {(np.abs(draws) <= 0.5).mean():.1%}"), (None, "")):
        (plane,) = Histogram.of_resampled(draws, one_pair(), margin=margin).scene(PHONE).planes
        assert ("grey" in plane.x.title) == (margin is not None)
        assert plane.x.title.endswith(said)


def test_a_share_is_large_only_beside_a_verdict() -> None:
    draws = normal(1.0)
    better, near = one_pair(1.0), one_pair(0.01)
    assert better.significant
    assert near.significant is False
    for room in (SCREEN, PHONE):
        large, small = (texts_of(Histogram.of_resampled(draws, one), room)["97.6%"].size for one in (better, near))
        assert small < large


def test_ties_are_a_third_share() -> None:
    draws = normal(0.4)
    draws[:400] = 0
    picture = Histogram.of_resampled(draws, one_pair())
    assert sum(picture.favouring) == len(draws)
    assert "4.0% tied" in texts_of(picture)
    (tied,) = [mark for mark in marks_of(picture) if isinstance(mark, Bars) and mark.colour == GREY]
    worded(tied.hover, "400 of 10,000")
    assert not [text for text in texts_of(Histogram.of_resampled(normal(0.4), one_pair())) if "tied" in text]


@pytest.mark.parametrize(
    ("count", "said"),
    [(627, "6.3%"), (5, "5 of 10,000"), (0, "None of 10,000"), (10_000, "All 10,000"), (9_999, "9,999 of 10,000")],
)
def test_shares_never_round_to_none_or_to_all(count: int, said: str) -> None:
    assert share_text(count, 10_000) == said


def test_the_larger_share_is_said_to_be_no_p_value_and_the_smaller_has_a_line_to_its_bars() -> None:
    said = texts_of(Histogram.of_resampled(normal(0.7), one_pair()))
    assert {"← B ahead", "A ahead →", "favour A", "This describes these data\nand is not a p-value."} <= said.keys()
    (of,) = [text for text in said if text.startswith("of 10,000 resampled test sets\n")]
    assert of.endswith("favour B")
    # On a phone, too, a share says of what it is one.
    worded(texts_of(Histogram.of_resampled(normal(0.7), one_pair()), PHONE))
    colours = {text: mark.colour for text, mark in said.items() if text.endswith("%")}
    assert sorted(colours.values()) == sorted([FIRST_TEXT[0], SECOND_TEXT[0]])


def test_a_phone_says_below_the_axis_what_the_lines_of_the_interval_are(family: Family) -> None:
    alone, one_of_many = (Histogram.of_resampled(normal(0.7), pair) for pair in (one_pair(), family[0]))
    titles = [picture.scene(PHONE).planes[0].x.title.rpartition("\n")[2] for picture in (alone, one_of_many)]
    worded(titles, "95% CI", "CI")
    assert "line" not in one_of_many.scene(SCREEN).planes[0].x.title  # the bounds say it


def test_swapping_mirrors_the_picture_and_exchanges_colours() -> None:
    one, draws = one_pair(), normal(0.7)
    there, back = Histogram.of_resampled(draws, one, margin=0.2), Histogram.of_resampled(-draws, one.turned, margin=0.2)
    for room in (SCREEN, PHONE):
        ranges = [picture.scene(room).planes[0].x.range for picture in (there, back)]
        assert ranges[0] == pytest.approx([-ranges[1][1], -ranges[1][0]])
        seen = [{bar.colour: sorted(bar.keys) for bar in bars_of(picture, room)} for picture in (there, back)]
        assert seen[0][FIRST] == seen[1][SECOND]
        assert seen[0][SECOND] == seen[1][FIRST]
    assert there.favouring == (*back.favouring[1::-1], 0)


# --- interval and margin -----------------------------------------------------------------------------------------


def test_the_printed_bounds_are_those_of_the_interval_and_of_the_adjusted_one(family: Family) -> None:
    position = next(i for i, one in enumerate(family) if one.adjusted_ci_low < one.ci_low)
    one = family[position]
    picture = Histogram.of_resampled(family.resampled(position), one)
    (dot,) = [mark for mark in marks_of(picture) if isinstance(mark, Points)]
    assert (dot.low, dot.high) == ([one.ci_low], [one.ci_high])
    said = " ".join(texts_of(picture))
    for end in (one.ci_low, one.ci_high, one.adjusted_ci_low, one.adjusted_ci_high):
        assert f"{end:+.2f}".replace("-", "−") in said
    assert "95% CI alone" in said
    assert "adjusted CI" in said


def test_of_one_comparison_there_is_one_interval() -> None:
    said = " ".join(texts_of(Histogram.of_resampled(normal(0.3), one_pair())))
    assert "95% CI" in said
    assert "alone" not in said
    assert "adjusted" not in said


def test_a_margin_has_a_band_with_its_share_and_no_margin_has_none() -> None:
    draws = normal(0.8)
    share = f"{np.mean(np.abs(draws) <= 0.5):.1%}"
    picture = Histogram.of_resampled(draws, one_pair(), margin=-0.5)
    bands = [mark for mark in marks_of(picture) if isinstance(mark, Bars) and mark.opacity < 1]
    (band,) = bands
    assert (band.x[0] - band.width[0] / 2, band.x[0] + band.width[0] / 2) == pytest.approx((-0.5, 0.5))
    assert f"within ±0.5,\nthe margin:\n{share}" in texts_of(picture)
    worded(picture.caption, share)
    assert "margin" not in Histogram.of_resampled(draws, one_pair()).caption
    assert not [mark for mark in marks_of(Histogram.of_resampled(draws, one_pair())) if mark.opacity < 1]


# --- states ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("room", ROOMS)
def test_the_axis_is_broken_where_zero_is_far_from_every_draw(side: int, room: Room) -> None:
    one = replace(one_pair(), difference=11.8 * side, ci_low=11.8 * side - 1.2, ci_high=11.8 * side + 1.2)
    picture = Histogram.of_resampled(normal(11.8 * side), one)
    axis = picture.scene(room).planes[0].x
    ticks = {text: place for place, text in axis.ticks or ()}
    # Zero stands nearer than it is, and everything else where it is.
    assert 0 < side * ticks["0"] < 11
    assert all(float(text.replace("−", "-")) == pytest.approx(place) for text, place in ticks.items() if text != "0")
    said = " ".join(texts_of(picture, room)).replace("\n", " ")
    assert "axis broken" in said
    assert "All 10,000" in said
    assert f"favour {'A' if side > 0 else 'B'}" in said
    assert f"favour {'B' if side > 0 else 'A'}" not in said


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("room", ROOMS[:2])
def test_bounds_stand_between_the_ends_of_a_broken_axis(side: int, room: Room) -> None:
    known = dict(zip(("ci_low", "ci_high"), sorted((14.35 * side, 19.85 * side)), strict=True))
    known |= dict(zip(("adjusted_ci_low", "adjusted_ci_high"), sorted((11.9 * side, 22.3 * side)), strict=True))
    one = replace(one_pair(), difference=17.1 * side, **known, family_size=10, correction="holm")
    picture = Histogram.of_resampled(normal(17.1 * side, 1.4), one)
    low, high = picture.scene(room).planes[0].x.range or (0, 0)
    pixel = (high - low) / (360 if room == PHONE else 900)
    bounds = [mark for mark in texts_of(picture, room).values() if re.search(r"[−+][12]\d\.", mark.text) and mark.y < 0]
    assert len(bounds) == 4
    for mark in bounds:
        at = mark.x + pixel * mark.across
        other = at + 0.5 * mark.size * pixel * len(mark.text) * (1 if mark.side == "right" else -1)
        assert low <= min(at, other)
        assert max(at, other) <= high


@crossed("room, side, near", ROOMS, [1, -1], [0.02, 0.13, 0.3], most=10)
def test_every_bound_is_printed_on_its_own_side_of_zero(room: Room, side: int, near: float) -> None:
    known = dict(zip(("ci_low", "ci_high"), sorted(((near + 0.08) * side, 0.73 * side)), strict=True))
    known |= dict(zip(("adjusted_ci_low", "adjusted_ci_high"), sorted((near * side, 0.82 * side)), strict=True))
    for more in ({"family_size": 10, "correction": "holm"}, {}):
        one = replace(one_pair(), difference=0.47 * side, **known, **more)
        (plane,) = Histogram.of_resampled(normal(0.47 * side, 0.13), one).scene(room).planes
        (low, high), (bottom, _) = plane.x.range or (0, 0), plane.y.range or (0, 0)
        pixel = (high - low) / (room.width * 72 if room.on_paper else 360 if room == PHONE else 900)
        bounds = [mark for mark in plane.marks if isinstance(mark, Text) and mark.y < 0]
        assert len(bounds) == (4 if more else 2)
        for mark in bounds:
            at = mark.x + pixel * mark.across
            other = at + 0.5 * mark.size * pixel * len(mark.text) * (1 if mark.side == "right" else -1)
            assert side * min(at, other, key=abs) > 0
            assert at * other > 0
            assert mark.y > bottom  # and inside the picture


@pytest.mark.parametrize("room", ROOMS)
def test_the_axis_is_whole_where_zero_or_the_margin_is_near(room: Room) -> None:
    one = replace(one_pair(), difference=11.8, ci_low=10.6, ci_high=13.0)
    for picture in (
        Histogram.of_resampled(normal(2), one_pair()),
        Histogram.of_resampled(normal(11.8), one, margin=12),
    ):
        (low, high) = picture.scene(room).planes[0].x.range or (0, 0)
        assert low < 0 < high
        assert "axis broken" not in " ".join(texts_of(picture, room))


def test_a_hundred_dots_are_one_for_each_percent() -> None:
    draws = normal(0.78)
    picture = Histogram.of_resampled(draws, one_pair(), dots=True)
    *_, second, first = [
        mark for mark in marks_of(picture) if isinstance(mark, Points) and mark.colour in (FIRST, SECOND)
    ]
    assert len(first.x) + len(second.x) == HUNDRED
    assert len(second.x) == pytest.approx(100 * np.mean(draws < 0), abs=1)
    assert max(second.x) < 0 < min(first.x)
    assert f"{len(second.x)} of 100" in texts_of(picture)
    assert len({*zip(first.x, first.y, strict=True)}) == len(first.x)


def test_without_draws_the_interval_stands_against_zero_alone() -> None:
    one = one_pair()
    picture = Histogram.of_resampled(np.array([np.nan]), one, margin=0.1)
    assert bars_of(picture) == []
    said = " ".join(texts_of(picture))
    assert "favour" not in said
    assert "95% CI" in said
    worded(picture.caption, "95% CI", f"{one.metric} between", "A and B")


def test_a_picture_at_work_is_an_outline_without_any_number() -> None:
    picture = replace(Histogram.of_resampled(normal(0.5), one_pair()), at_work=True)
    assert bars_of(picture) == []
    assert set(texts_of(picture)) == {"← B ahead", "A ahead →"}


def test_identical_systems_and_draws_that_differ_by_rounding_can_be_drawn() -> None:
    corpus = made_corpus(n=30, systems=1, documents=0)
    twins = compare(measure(Corpus.of({**corpus.outputs, "twin": corpus.lines("sys0")}, corpus.references), "bleu"))
    assert twins.null is not None
    for room in ROOMS:
        assert sum(bars_of(Histogram.of_shuffled(twins.null[0], twins[0]), room)[-1].keys) == twins.null.shape[1]
        assert texts_of(Histogram.of_resampled(twins.resampled(0), twins[0]), room)
        draws = np.array([5.0, np.nextafter(5.0, 6.0)] * 50)
        assert [sum(bar.keys) for bar in bars_of(Histogram.of_resampled(draws, one_pair()), room)] == [100]


@pytest.mark.parametrize("names", [("a" * 60, "b" * 60), ("译" * 20, "文" * 20), ("<b>one</b>", "two")])
@pytest.mark.parametrize("room", ROOMS)
def test_names_are_in_sight_whatever_they_are(names: tuple[str, str], room: Room) -> None:
    picture = Histogram.of_resampled(normal(0.4), one_pair(names=names))
    low, high = picture.scene(room).planes[0].x.range or (0, 0)
    heads = [mark for mark in texts_of(picture, room).values() if mark.text[0] == "←" or mark.text[-1] == "→"]
    assert len(heads) == 2
    for mark in heads:
        assert low <= mark.x <= high
        # At an edge it leads inwards.
        assert mark.side == {low: "right", high: "left"}.get(mark.x, mark.side)


# --- swapped names -----------------------------------------------------------------------------------------------


def far_of(picture: Histogram) -> int:
    return sum(sum(bar.keys) for bar in bars_of(picture) if bar.colour == SECOND)


def test_the_coloured_share_is_the_p_value_of_a_simulated_test(family: Family) -> None:
    assert family.null is not None
    for i, one in enumerate(family):
        picture = Histogram.of_shuffled(family.null[i], one)
        assert sum(sum(bar.keys) for bar in bars_of(picture)) == 1000
        assert (far_of(picture) + 1) / 1001 == pytest.approx(one.p_value)
        assert f"{far_of(picture):,}" in texts_of(picture)


def test_the_coloured_share_is_the_p_value_of_an_enumerated_test() -> None:
    corpus = made_corpus(n=40, systems=1, documents=0)
    nearly = ["changed here" if i % 9 == 1 else line for i, line in enumerate(corpus.lines("sys0"))]
    enumerated = compare(measure(Corpus.of({**corpus.outputs, "nearly": nearly}, corpus.references), "chrf"))
    assert enumerated.complete
    assert enumerated.null is not None
    picture = Histogram.of_shuffled(enumerated.null[0], enumerated[0])
    assert far_of(picture) / enumerated.null.shape[1] == pytest.approx(enumerated[0].p_value)


# --- paper -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", ["acl-column", *slow("acl-full", 11.2)])
def test_it_can_be_drawn_on_paper_the_same_every_time(family: Family, width: str | float) -> None:
    for picture in (
        Histogram.of_resampled(family.resampled(0), family[0], margin=0.5),
        Histogram.of_resampled(family.resampled(0), family[0], dots=True),
        Histogram.of_resampled(np.array([]), family[0]),
    ):
        first, again = (on_paper(picture, "svg", width).data for _ in range(2))
        assert b"<svg" in first
        assert first == again


@pytest.mark.slow
def test_a_grey_copy_on_paper_tells_the_sides_apart() -> None:
    """Blue and ochre are equally dark: bars of the second are hatched, so their ground varies."""
    assert abs(luminance(FIRST) - luminance(SECOND)) < 0.05
    picture = Histogram.of_resampled(normal(0.0, 0.5), one_pair())
    page = np.asarray(Image.open(io.BytesIO(on_paper(picture, "png", "acl-full").data)).convert("L"), dtype=float)
    colours = np.asarray(Image.open(io.BytesIO(on_paper(picture, "png", "acl-full").data)).convert("RGB"), dtype=int)

    def spread_within(colour: str) -> float:
        own = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
        rows, columns = np.nonzero(np.abs(colours - own).sum(axis=2) < 12)
        row = int(np.median(rows))
        here = columns[rows == row]
        return float(page[row, here.min() : here.max()].std())

    assert spread_within(SECOND) > 1.5 * spread_within(FIRST) or spread_within(SECOND) > 20


def test_nothing_is_drawn_twice_on_a_screen(family: Family) -> None:
    figure = Histogram.of_resampled(family.resampled(0), family[0]).screen()
    assert isinstance(figure, go.Figure)
    texts = [one.text for one in figure.layout.annotations]
    assert len(texts) == len(set(texts))


NARROWEST_AND_WIDEST = ("neurips-half", "acl-full")
EVERY_WIDTH = pytest.mark.parametrize(
    "paper", [pytest.param(name, marks=() if name in NARROWEST_AND_WIDEST else pytest.mark.slow) for name in PAPERS]
)


def many(size: int, gap: float = 0.25) -> Statistics:
    """Return ratings of systems, each a little worse than the one before, on documents of one segment."""
    rng = np.random.default_rng(5)
    ratings = 60 + rng.normal(0, 2, 90) + rng.normal(0, 0.8, (size, 90)) - gap * np.arange(size)[:, None]
    return replace(rated(ratings, [f"system {i}" for i in range(size)]), document_of=np.arange(90))


@pytest.fixture(scope="module")
def family_of_matrix() -> Family:
    return Settings(n_resamples=1000).family(made_statistics(n=300, systems=5, seed=4))


@pytest.fixture(scope="module")
def crowd() -> Family:
    return Settings(test="jackknife-t", correction="holm").family(many(50))


def bars(figure: go.Figure) -> list[tuple[int, int, str, str, str]]:
    """Return (row, column, colour, text, colour of the text) of all cells with a full colour."""
    found = []
    for trace in figure.data:
        if isinstance(trace, go.Bar):
            texts = trace.text or [""] * len(trace.x)
            inks = trace.insidetextfont.color or [None] * len(trace.x)
            for column, base, high, colour, text, ink in zip(
                trace.x, trace.base, trace.y, trace.marker.color, texts, inks, strict=True
            ):
                found.append((round(base + high / 2), column, colour, text, ink))
    return found


def areas(figure: go.Figure, shape: str) -> set[tuple[int, int]]:
    """Return (row, column) of all cells that are hatched, or dotted."""
    found = set()
    for trace in figure.data:
        if isinstance(trace, go.Scatter) and trace.fillpattern.shape == shape:
            xs, ys = (np.array(values, dtype=float).reshape(-1, 5)[:, :4].mean(axis=1) for values in (trace.x, trace.y))
            found |= {(round(y), round(x)) for x, y in zip(xs, ys, strict=True)}
    return found


def expected(family_of_matrix: Family, *, full: bool) -> dict[tuple[int, int], tuple[str, float]]:
    """Return the word and the difference of each cell, found anew from the comparisons."""
    place = {name: i for i, name in enumerate(family_of_matrix.order)}
    found = {}
    for one in family_of_matrix:
        decided = verdict(one)
        for left, top, difference in (
            (one.first, one.second, one.difference), (one.second, one.first, -one.difference)
        ):  # fmt: skip
            if full or place[left] < place[top]:
                word = decided.word if decided.winner in (None, left) else "worse"
                found[place[left], place[top]] = (word, difference)
    return found


@pytest.mark.parametrize("full", [False, True])
def test_every_cell_has_the_colour_of_its_verdict(family_of_matrix: Family, full: bool) -> None:
    figure, cells = Matrix.of(family_of_matrix, full).screen(), expected(family_of_matrix, full=full)
    assert len(cells) == (20 if full else 10)
    coloured = {(row, column): colour for row, column, colour, _, _ in bars(figure)}
    assert areas(figure, "/") == {place for place, (word, _) in cells.items() if word == "not_significant"}
    assert areas(figure, ".") == {place for place, (word, _) in cells.items() if word == "withheld"}
    assert set(coloured) == {place for place, (word, _) in cells.items() if word in ("better", "worse")}
    for place, colour in coloured.items():
        red, blue = int(colour[1:3], 16), int(colour[5:7], 16)
        assert (blue > red) == (cells[place][0] == "better")


def test_the_larger_the_difference_the_darker_the_cell(crowd: Family) -> None:
    cells = expected(crowd, full=True)
    for word in ("better", "worse"):
        found = [
            (abs(cells[row, column][1]), contrast(colour, "#ffffff"))
            for row, column, colour, _, _ in bars(Matrix.of(crowd, full=True).screen())
            if cells[row, column][0] == word
        ]
        assert len(found) > 500
        steps = np.diff([dark for _, dark in sorted(found)])
        assert (steps > -0.05).all()  # of colours that are whole numbers
        assert sum(steps) > 2


def test_numbers_are_those_of_the_comparisons(family_of_matrix: Family) -> None:
    cells = expected(family_of_matrix, full=True)
    shown = bars(Matrix.of(family_of_matrix, full=True).screen())
    for row, column, _, text, _ in shown:
        difference = cells[row, column][1]
        assert text.replace("−", "-") == f"{difference:.{1 if abs(difference) >= 1 else 2}f}"
    assert any(text.startswith("−") for *_, text, _ in shown)


def test_numbers_too_small_to_read_are_left_out(family_of_matrix: Family) -> None:
    figure = Matrix.of(family_of_matrix).screen()
    rules = figure.layout.uniformtext
    assert (rules.minsize, rules.mode) == (9, "hide")
    # The legend promises no number in a cell that has none.
    said = [trace.name for trace in figure.data if "numbers" in (trace.name or "")]
    assert said
    worded(said)


def test_clicks_find_their_pair_and_hover_says_it_whole(family_of_matrix: Family) -> None:
    figure, seen = Matrix.of(family_of_matrix, full=True).screen(), set()
    for x, y, pair, hover in clicked_on(figure):
        assert (family_of_matrix.order[int(y)], family_of_matrix.order[int(x)]) == pair
        seen.add(pair)
        i = family_of_matrix.find(*pair)
        assert i is not None
        one = family_of_matrix[i] if family_of_matrix[i].first == pair[0] else family_of_matrix[i].turned
        shown = hover.replace("−", "-")
        assert f"{pair[0]} minus {pair[1]}: {one.difference:+.2f} BLEU" in shown
        assert f"{one.ci_low:+.2f} to {one.ci_high:+.2f}" in shown
        assert {"better": f"{verdict(one).winner} is", "not_significant": "≈ not", "withheld": "? wi"}[
            verdict(one).word
        ].replace(pair[1], pair[0]) in shown
    assert len(seen) == 2 * len(family_of_matrix)
    overlays = [trace for trace in figure.data if trace.customdata is not None]
    assert {(trace.opacity, trace.marker.opacity) for trace in overlays} == {(None, 0)}


def test_systems_stand_in_the_order_of_scores_beside_their_first_cell(family_of_matrix: Family) -> None:
    figure = Matrix.of(family_of_matrix).screen()
    scores = dict(zip(family_of_matrix.statistics.systems, family_of_matrix.statistics.scores, strict=True))
    assert list(figure.layout.yaxis.ticktext) == sorted(scores, key=lambda name: -scores[name])
    (names,) = [trace for trace in figure.data if trace.textposition == "middle left"]
    assert list(names.text) == list(family_of_matrix.order)
    assert list(names.y) == list(range(5))
    low, high = figure.layout.xaxis.range
    assert all(low < x < high for x in names.x)  # plotly leaves out what lies beyond


def test_a_matrix_against_one_system_leaves_the_other_cells_empty() -> None:
    family_of_matrix = Settings(n_resamples=200).family(made_statistics(systems=5), "sys2")
    drawn = Matrix.of(family_of_matrix)
    assert len(drawn.cells) == 4
    assert drawn.corners == ()
    assert all("sys2" in cell.keys for cell in clicked_on(drawn.screen()))


# --- groups -----------------------------------------------------------------------------------------------------


def test_groups_are_the_longest_runs_that_nothing_separates(crowd: Family) -> None:
    order, found = crowd.order, groups(crowd)
    apart = {frozenset((one.first, one.second)) for one in crowd if verdict(one).word == "better"}

    def together(first: int, last: int) -> bool:
        return not any(frozenset((order[i], order[j])) in apart for i in range(first, last) for j in range(i + 1, last))

    wanted = [
        order[first:last]
        for first in range(50)
        for last in range(first + 1, 51)
        if together(first, last)
        and not (first and together(first - 1, last))
        and not (last < 50 and together(first, last + 1))
    ]
    assert list(found) == wanted
    assert 5 < len(found) < 50
    assert {name for group in found for name in group} == set(order)


def test_columns_have_numbers_where_names_would_run_into_each_other(family_of_matrix: Family, crowd: Family) -> None:
    """The square, whose names stand at its left, and long names: the number over a column is that in its row's name."""
    long = replace(Matrix.of(family_of_matrix), order=tuple(f"the-system-of-a-long-name-{i}" for i in range(5)))
    for drawn in (Matrix.of(family_of_matrix, full=True), long):
        figure = drawn.screen()
        heads = dict(zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True))
        assert heads == {place: str(place + 1) for place in range(5)}
        rows = figure.layout.yaxis.ticktext if drawn.full else figure.data[-1].text
        assert [row.split() for row in rows] == [[drawn.names[place], heads[place]] for place in range(5)]
    assert list(Matrix.of(family_of_matrix).screen().layout.xaxis.ticktext) == list(Matrix.of(family_of_matrix).names)
    assert list(Matrix.of(crowd, full=True).screen().layout.xaxis.ticktext) == [
        str(number) for number in range(5, 51, 5)
    ]


@pytest.mark.parametrize("full", [False, True])
def test_lines_stand_where_groups_end(crowd: Family, full: bool) -> None:
    drawn = Matrix.of(crowd, full)
    several = [group for group in groups(crowd) if len(group) > 1]
    assert len(drawn.corners) == len(several)
    for corners, group in zip(drawn.corners, several, strict=True):
        first, last = crowd.order.index(group[0]), crowd.order.index(group[-1])
        assert (last + 0.5, first - 0.5) in corners
        assert max(y for _, y in corners) == last + (0.5 if full else -0.5)
    (line,) = [trace for trace in drawn.screen().data if trace.name == "no significant difference within"]
    assert [x for x in line.x if x is not None] == [x for corners in drawn.corners for x, _ in corners]


# --- many, and everyone ---------------------------------------------------------------------------------------------


def test_fifty_systems_have_marks_alone_and_few_things_to_draw(crowd: Family) -> None:
    figure = Matrix.of(crowd).screen()
    assert len(figure.data) <= 7
    assert {text for *_, text, _ in bars(figure)} <= {"", "−"}
    assert len(clicked_on(figure)) == 1225
    assert not figure.layout.shapes
    assert not figure.layout.annotations
    assert figure.layout.height <= 1000


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_marks_and_texts_stand_out_in_both_themes(crowd: Family, family_of_matrix: Family, page: str) -> None:
    for drawn in (Matrix.of(crowd, full=True).screen(), Matrix.of(family_of_matrix, full=True).screen()):
        for _, _, colour, text, ink in bars(drawn):
            assert contrast(colour, page) >= 3
            assert not text or contrast(ink, colour) >= 4.5
        for trace in drawn.select_traces({"type": "scatter"}):
            if trace.fillpattern.shape:
                assert contrast(trace.fillpattern.fgcolor, over(trace.fillpattern.bgcolor, page)) >= 3
            elif trace.mode == "text":
                assert trace.textfont.color is None  # the page's own
            elif trace.mode == "lines":
                assert contrast(trace.line.color, page) >= 3


# --- paper ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("full", [False, True])
def test_cells_on_paper_are_those_of_the_screen(family_of_matrix: Family, full: bool) -> None:
    drawn = Matrix.of(family_of_matrix, full)
    (axes,) = on_sheet(drawn, "acl-column").axes
    cells = {}
    textures = {}
    for drawn_alike in axes.collections:
        if isinstance(drawn_alike, LineCollection):
            textures |= {(round(y), round(x)): "/" for stroke in drawn_alike.get_segments() for x, y in stroke}
            continue
        for path, colour in zip(drawn_alike.get_paths(), itertools.cycle(drawn_alike.get_facecolors()), strict=False):
            column, row = path.vertices[:4].mean(axis=0)
            cells[round(row), round(column)] = to_hex(colour)
    for line in axes.lines:
        if line.get_linestyle() == "None":
            textures |= {(round(y), round(x)): "." for x, y in zip(*line.get_data(), strict=True)}
    assert len(cells) == len(drawn.cells)
    screen = {(row, column): (colour, text) for row, column, colour, text, _ in bars(drawn.screen())}
    texts = {text.get_position(): text.get_text() for text in axes.texts}
    for (row, column), colour in cells.items():
        shown = texts[column, row]
        if (row, column) in screen:
            assert (colour, shown) == screen[row, column]
        else:
            assert textures[row, column] == {"≈": "/", "?": "."}[shown]


@pytest.mark.parametrize(("full", "paper"), [(True, "acl-full"), *slow(*product([False, True], PAPERS))])
def test_no_two_texts_on_paper_run_into_each_other(
    family_of_matrix: Family, crowd: Family, full: bool, paper: str
) -> None:
    long = replace(Matrix.of(family_of_matrix, full), order=tuple(f"the-system-of-a-long-name-{i}" for i in range(5)))
    for picture in (long, Matrix.of(crowd, full)):
        assert trouble_on(on_sheet(picture, paper)) == []


@EVERY_WIDTH
def test_what_the_caption_promises_stands_in_the_figure(family_of_matrix: Family, crowd: Family, paper: str) -> None:
    for picture in (Matrix.of(family_of_matrix), Matrix.of(family_of_matrix, full=True), Matrix.of(crowd)):
        sheet = on_sheet(picture, paper)
        shown = " | ".join(legend_of(sheet))
        words = {
            "Blue": "row better", "Orange": "row worse", "≈": "≈ not significant (not: equal)", "?": "? withheld",
            "Outlined": "no significant difference within",
        }  # fmt: skip
        for promised, legend in words.items():
            assert (promised in picture.caption) == (legend in shown), promised
        assert picture.metric in shown
        numbers = any(re.fullmatch(r"−?\d+\.\d+", text.get_text()) for text in sheet.axes[0].texts)
        assert ("numbers" in shown) == numbers


def of_size(size: int, gap: float = 0.25) -> Family:
    return Settings(test="jackknife-t", correction="holm").family(many(size, gap))


def test_numbers_of_a_crowded_matrix_have_the_same_decimals() -> None:
    for size, gap, digits in ((12, 1.2, 1), (12, 0.07, 2)):
        drawn = Matrix.of(of_size(size, gap))
        numbers = [drawn.text(cell) for cell in drawn.cells if cell.verdict in ("better", "worse")]
        assert {len(number.partition(".")[2]) for number in numbers} == {digits}
        assert all(float(number.replace("−", "-")) for number in numbers)


@pytest.mark.parametrize("full", [False, True])
def test_heads_of_many_columns_stand_apart_on_a_phone_and_cells_are_no_slivers(full: bool) -> None:
    for size in (9, 20, 40):
        drawn = Matrix.of(of_size(size), full)
        layout = drawn.screen().layout
        heads, longest = layout.xaxis.ticktext, max(map(len, drawn.names))
        high = (layout.height - 170) / size
        wide = max(100, 340 - 0.6 * layout.xaxis.tickfont.size * longest) / size
        assert high <= 2.5 * wide or high == 15
        if layout.xaxis.tickangle == 0:
            apart = wide * (layout.xaxis.tickvals[1] - layout.xaxis.tickvals[0])
            assert apart > 1.3 * layout.xaxis.tickfont.size
            assert [int(head) - 1 for head in heads] == list(layout.xaxis.tickvals)
        else:
            assert size <= 10


def test_the_legend_speaks_of_numbers_only_where_every_screen_has_room_for_them() -> None:
    for size in (8, 9, 20, 24):
        names = {trace.name for trace in Matrix.of(of_size(size)).screen().data if isinstance(trace, go.Bar)}
        assert any("numbers" in name for name in names) == (size <= 8)
        assert any("darker" in name for name in names) == (size > 8)


def test_the_legend_stands_at_the_bottom_of_the_figure_where_no_cell_comes() -> None:
    family_of_matrix = Settings(n_resamples=100).family(made_statistics(n=60, systems=4))
    legend = Matrix.of(family_of_matrix).screen().layout.legend
    assert (legend.yref, legend.y, legend.yanchor) == ("container", 0, "bottom")


def test_cells_of_a_full_square_say_in_grey_which_side_is_ahead(family_of_matrix: Family) -> None:
    # Blue and ochre are equally dark in grey: half of the cells carry a minus sign.
    drawn = Matrix.of(family_of_matrix, full=True)
    svg = on_paper(drawn, "svg", "acl-column").data.decode()
    worse = [cell for cell in drawn.cells if cell.verdict == "worse"]
    assert worse
    assert len(re.findall(r">−[\d.]*!?</text>", svg)) == len(worse)
