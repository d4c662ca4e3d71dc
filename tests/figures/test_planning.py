"""Power and widths by the size of the test set: what is drawn is what was found, on the screen and on paper."""

import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from kept import SHARED, worded
from made import made_corpus
from matplotlib.path import Path as Curve
from matplotlib.transforms import Bbox
from sampled import crossed, sampled
from sheets import on_sheet, trouble_on

import mtsig
from mtsig import Corpus, measure, power_analysis, read_sample, size_curve
from mtsig.errors import InvalidOption
from mtsig.figures import PAPERS, PowerCurve, SubsetWidths, on_paper
from mtsig.figures._look import round_up, steps_between
from mtsig.figures._marks import PHONE, SCREEN, Line, Room, Words
from mtsig.figures._planning import end_of, sizes_of
from mtsig.inference import PowerAnalysis, simulated_power
from mtsig.inference._power import FAR, is_far, share_text
from mtsig.metrics import Statistics
from mtsig.report._diagnostics import planning_title

WMT21 = SHARED / "data" / "wmt21-ru-en"


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    corpus: Corpus = made_corpus(240, 3, 40, seed=2)
    return mtsig.measure(corpus, "chrf")


@pytest.fixture(scope="module")
def analysed(statistics: Statistics) -> Callable[..., PowerAnalysis]:
    def of(difference: float, sizes: tuple[int, ...] = ()) -> PowerAnalysis:
        return power_analysis(statistics, "sys0", "sys1", difference, comparisons=3, sizes=sizes)

    return of


def drawn(analysed: Callable[..., PowerAnalysis], difference: float, *others: float) -> PowerCurve:
    sizes = sizes_of(analysed(difference))
    return PowerCurve.of(analysed(difference, sizes), [analysed(other, sizes) for other in others], 240)


def test_power_over_sizes_is_that_of_the_pilot_at_its_own_size_and_grows(
    analysed: Callable[..., PowerAnalysis],
) -> None:
    one = analysed(1.5)
    assert one.power is not None
    assert one.needed is not None
    found = analysed(1.5, (40, one.needed, 10 * one.needed))
    here, needed, far = found.curve
    assert (here.power, here.power_low, here.power_high) == (one.power.power, one.power.power_low, one.power.power_high)
    # What the pilot does not know of its own spread is in the needed size and not in the curve.
    assert 0.8 < needed.power < 0.9
    assert needed.power_low < needed.power < needed.power_high
    assert far.power > 0.999
    assert found.needed == one.needed
    assert analysed(1.5, (2, 9)).curve == ()  # so few documents carry no verdict
    with pytest.raises(InvalidOption, match="at least 1; found 0"):
        analysed(1.5, (0,))


def test_power_over_sizes_is_that_of_redrawn_units(statistics: Statistics) -> None:
    (found,) = power_analysis(statistics, "sys0", "sys1", 2.2, sizes=[90]).curve
    again = simulated_power(statistics, "sys0", "sys1", 2.2, units=90, simulations=4000)
    assert 0.3 < again.power < 0.97
    assert found.power == pytest.approx(again.power, abs=0.04)


@pytest.mark.parametrize("room", [SCREEN, PHONE])
def test_the_chosen_curve_has_its_band_and_both_points_have_their_ranges(
    analysed: Callable[..., PowerAnalysis], room: object
) -> None:
    picture = drawn(analysed, 1.5, 0.5, 3.0)
    found, figure = picture.analysis, picture.screen(room)
    assert found.power is not None
    (curve,) = [trace for trace in figure.data if trace.mode == "lines" and trace.line.width == 3]
    assert dict(zip(curve.x, curve.y, strict=True))[found.units] == found.power.power
    band = [trace for trace in figure.data if trace.mode == "lines" and trace.line.width == 0]
    assert [list(one.y) for one in band] == [
        [at.power_high for at in found.curve],
        [at.power_low for at in found.curve],
    ]
    needed, here = (trace for trace in figure.data if trace.mode == "markers")
    # The dot lies on the curve, where this is above the target: the needed size allows for the pilot's uncertainty.
    assert (needed.x[0], needed.y[0]) == (found.needed, dict(zip(curve.x, curve.y, strict=True))[found.needed])
    assert needed.y[0] > found.wanted
    ends = next(list(trace.x) for trace in figure.data if trace.mode == "lines" and trace.line.width == 4)
    assert ends == [found.needed_low, found.needed_high]
    for end, power in zip(ends, (band[0].y, band[1].y), strict=True):
        assert np.interp(end, curve.x, power) == pytest.approx(found.wanted, abs=0.02)
    assert (here.x[0], here.y[0]) == (found.units, found.power.power)
    assert here.y[0] + here.error_y.array[0] == pytest.approx(found.power.power_high)
    texts = [text for trace in figure.data if trace.mode == "text" for text in trace.text]
    documents = " documents" if room is SCREEN else ""
    assert {"0.5", "3", share_text(found.power.power), f"{found.needed:,}{documents} for 1.5 chrF2"} <= set(texts)
    ticks = [re.sub("<.*?>", "|", text) for text in figure.layout.xaxis.ticktext]
    assert any("40, these data" in text and "240" in text for text in ticks)


@pytest.mark.parametrize("difference", [0.4, 1.0, 1.5, 5.0, 20.0])
def test_ticks_leave_room_for_each_other(analysed: Callable[..., PowerAnalysis], difference: float) -> None:
    picture = drawn(analysed, difference)
    axis = picture.scene(SCREEN).planes[0].x
    assert axis.ticks is not None
    # An inch of 96 pixels takes some 14 signs; the picture is some 620 pixels wide.
    ends = [
        (
            at / picture.end * 620 - 3.4 * len(text.split("\n")[0]),
            at / picture.end * 620 + 3.4 * len(text.split("\n")[0]),
        )
        for at, text in axis.ticks
    ]
    assert all(first[1] < second[0] for first, second in pairwise(ends)), axis.ticks
    assert len(axis.ticks) >= 2


@crossed("difference, seen", [0.4, 1.0, 1.5, 2.0, 3.0], [(SCREEN, 640), (PHONE, 250)])
def test_labels_of_curves_meet_no_curve_and_no_other_text(
    analysed: Callable[..., PowerAnalysis], seen: tuple[Room, int], difference: float
) -> None:
    room, wide = seen
    others = [other for other in (0.02, 0.5, 1.0, 1.5, 2.0, 2.25, 3.0) if other != difference]
    picture = drawn(analysed, difference, *others)
    marks = picture.scene(room).planes[0].marks
    # Pixels of the browser's picture; 13-pixel digits and letters are some 6.5 wide.
    scale = np.array([wide / picture.end, 300])
    curves = [mark for mark in marks if isinstance(mark, Line) and len(mark.x) > 2]
    boxes = {}
    for mark in (mark for mark in marks if isinstance(mark, Words) and mark.texts[0]):
        left, up = np.array([mark.x[0], mark.y[0]]) * scale
        width = 6.5 * len(mark.texts[0])
        left -= width * {"right": 0, "middle": 0.5, "left": 1}[mark.side]
        boxes[mark.texts[0]] = Bbox([[left, up - 6], [left + width, up + 6]])
    labels = [f"{other:g}" for other in others if f"{other:g}" in boxes]
    # Each curve that is drawn has its label, but the chosen one; on a phone there is room for fewer.
    assert len(labels) == len(curves) - 1 >= (4 if room is SCREEN else 2)
    for label in labels:
        met = [curve for curve in curves if Curve(np.c_[curve.x, curve.y] * scale).intersects_bbox(boxes[label], False)]
        assert not met, label
        assert not [text for text, box in boxes.items() if text != label and box.overlaps(boxes[label])], label


@pytest.mark.parametrize(("room", "wide"), [(SCREEN, 640), (PHONE, 250)])
@pytest.mark.parametrize("difference", [6.0, 8.0, 15.0])
def test_where_few_documents_are_enough_no_grey_curve_goes_through_what_is_said(
    analysed: Callable[..., PowerAnalysis], room: Room, wide: int, difference: float
) -> None:
    picture = drawn(analysed, difference, *(part * difference for part in (0.3, 0.5, 0.6, 0.75, 1.5)))
    marks, scale = picture.scene(room).planes[0].marks, np.array([wide / picture.end, 300])
    grey = [mark for mark in marks if isinstance(mark, Line) and len(mark.x) > 2 and mark.width < 3]
    for mark in (mark for mark in marks if isinstance(mark, Words) and mark.texts[0] and mark.y[0] < 1):
        left, up = np.array([mark.x[0], mark.y[0]]) * scale
        width = 6.0 * len(mark.texts[0])
        left -= width * {"right": 0, "middle": 0.5, "left": 1}[mark.side]
        box = Bbox([[left, up - 5], [left + width, up + 5]])
        met = [curve for curve in grey if Curve(np.c_[curve.x, curve.y] * scale).intersects_bbox(box, False)]
        assert not met, mark.texts


def test_fewest_units_that_allow_a_verdict_stand_at_their_power(analysed: Callable[..., PowerAnalysis]) -> None:
    picture = drawn(analysed, 15.0)
    found = picture.analysis
    (size,) = [size for size in found.curve if size.units == found.needed]
    assert found.needed == found.needed_low
    assert size.power > found.wanted + 0.1
    needed, _ = (trace for trace in picture.screen().data if trace.mode == "markers")
    assert (needed.x[0], needed.y[0]) == (size.units, size.power)


def test_a_size_whose_range_goes_beyond_the_documents_at_hand_is_about_enough() -> None:
    sample = measure(read_sample(), "bleu")
    near, clear = (power_analysis(sample, "direct", "direct-us", difference) for difference in (0.5, 2.0))
    assert near.needed is not None
    assert clear.needed is not None
    assert near.needed <= near.units < near.needed_high
    assert clear.needed_high <= clear.units
    worded(planning_title(near), "0.5 BLEU")
    worded(planning_title(clear), "2 BLEU")


def test_what_is_out_of_reach_has_no_point(analysed: Callable[..., PowerAnalysis]) -> None:
    far = analysed(0.05)
    assert far.needed is not None
    assert far.needed > FAR * far.units
    assert is_far(far)
    assert end_of(far) == 400
    # The lede says how many.
    worded(planning_title(far), "0.05", f"{FAR} times")
    picture = drawn(analysed, 0.05, 1.5)
    assert len([trace for trace in picture.screen().data if trace.mode == "markers"]) == 1


def test_axes_end_and_are_divided_at_round_numbers() -> None:
    assert [round_up(value) for value in (1, 99, 101, 564, 1001)] == [1, 100, 120, 600, 1200]
    assert steps_between(0, 600, 6) == [100, 200, 300, 400, 500, 600]
    assert steps_between(0, 1, 4) == [0.5, 1]
    assert steps_between(-0.3, 1.1, 8) == [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1]


@pytest.fixture(scope="module")
def widths(statistics: Statistics) -> SubsetWidths:
    return SubsetWidths.of(size_curve(statistics, pair=("sys0", "sys1")))


def test_subsets_are_dots_before_the_whole_which_the_law_passes(statistics: Statistics, widths: SubsetWidths) -> None:
    curves = size_curve(statistics, pair=("sys0", "sys1"))
    assert widths.widths == tuple(curves.half_width[:, 0].tolist())
    assert widths.difference == pytest.approx(abs(float(statistics.scores[0] - statistics.scores[1])))
    figure = widths.screen()
    parts, here = (trace for trace in figure.data if trace.mode == "markers")
    assert (tuple(parts.x) + tuple(here.x), tuple(parts.y) + tuple(here.y)) == (widths.x, widths.widths)
    (law,) = [trace for trace in figure.data if trace.mode == "lines"]
    at_whole = np.interp(widths.x[-1], law.x, law.y)
    assert at_whole == pytest.approx(widths.widths[-1], rel=0.01)


@sampled("paper", list(PAPERS), most=1)
def test_nothing_leaves_the_sheet(analysed: Callable[..., PowerAnalysis], widths: SubsetWidths, paper: str) -> None:
    for picture in (drawn(analysed, 1.5, 0.5, 1.0, 2.0, 3.0), widths):
        assert not [said for said in trouble_on(on_sheet(picture, paper)) if said.endswith("leaves the sheet")]
        assert on_paper(picture, "svg", paper).data == on_paper(picture, "svg", paper).data


@pytest.mark.skipif(not WMT21.is_dir(), reason="needs the shared data (MTSIG_SHARED)")
def test_power_of_wmt21_is_what_was_worked_out_by_hand() -> None:
    statistics = mtsig.measure(mtsig.read(WMT21), "bleu")
    found = power_analysis(statistics, "Facebook-AI", "NiuTrans", 1.5, comparisons=45, sizes=[107, 142, 216, 376])
    at = {one.units: one for one in found.curve}
    assert at[107].power == pytest.approx(0.333, abs=0.005)
    assert (round(at[107].power_low, 2), round(at[107].power_high, 2)) == (0.13, 0.61)
    assert at[216].power == pytest.approx(0.8, abs=0.005)
    # The band meets the target where the range of the needed size ends.
    assert (found.needed_low, found.needed_high) == (142, 376)
    assert at[142].power_high == pytest.approx(0.8, abs=0.006)
    assert at[376].power_low == pytest.approx(0.8, abs=0.006)
    # Eleven documents more than where the curve meets the target: the pilot's spread is itself an estimate.
    assert found.needed == 227
