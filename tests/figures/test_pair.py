"""The resamples of one difference: sides, bins, shares, intervals and states; on the screen and on paper."""

import io
import math
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from contrasts import luminance
from hypothesis import given
from hypothesis import strategies as st
from made import made_corpus, made_statistics, rated
from PIL import Image

from mtsig import Corpus, Settings, measure
from mtsig.figures import Histogram, on_paper
from mtsig.figures._look import FIRST, FIRST_TEXT, GREY, SECOND, SECOND_TEXT
from mtsig.figures._marks import PHONE, SCREEN, Bars, Mark, Picture, Points, Room, Text
from mtsig.figures._pair import HUNDRED, bin_width, share_text
from mtsig.inference import Comparison, Family, compare

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


def test_ties_are_a_third_share() -> None:
    draws = normal(0.4)
    draws[:400] = 0
    picture = Histogram.of_resampled(draws, one_pair())
    assert sum(picture.favouring) == len(draws)
    assert "4.0% tied" in texts_of(picture)
    (tied,) = [mark for mark in marks_of(picture) if isinstance(mark, Bars) and mark.colour == GREY]
    assert tied.hover == ["400 of 10,000 resamples tied"]
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
    colours = {text: mark.colour for text, mark in said.items() if text.endswith("%")}
    assert sorted(colours.values()) == sorted([FIRST_TEXT[0], SECOND_TEXT[0]])


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
    assert f"within ±0.5, the margin: {share}" in picture.caption
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
    assert picture.caption == f"95% CI of the difference in {one.metric} between A and B."


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


@pytest.mark.parametrize("width", ["acl-column", "acl-full", 11.2])
def test_it_can_be_drawn_on_paper_the_same_every_time(family: Family, width: str | float) -> None:
    for picture in (
        Histogram.of_resampled(family.resampled(0), family[0], margin=0.5),
        Histogram.of_resampled(family.resampled(0), family[0], dots=True),
        Histogram.of_resampled(np.array([]), family[0]),
    ):
        first, again = (on_paper(picture, "svg", width).data for _ in range(2))
        assert b"<svg" in first
        assert first == again


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
