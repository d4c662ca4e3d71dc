"""The bar of one difference: its sides, its shade, and what it says in words; on the screen and on paper."""

from math import inf

import pytest
from made import rated

from mtsig.figures import DifferenceBar, on_paper
from mtsig.figures._look import Verdict, verdict_colour
from mtsig.inference import Comparison, compare


def compared(shift: float, names: tuple[str, str] = ("A", "B")) -> Comparison:
    values = [(i * 7919) % 101 / 50 - 1 for i in range(60)]
    return compare(rated([[shift + one for one in values], [0.0] * 60], names))[0]


@pytest.mark.parametrize(("shift", "verdict"), [(1.0, "better"), (-1.0, "worse"), (0.0, "not_significant")])
def test_the_colour_is_that_of_the_verdict_and_the_interval_that_of_the_comparison(
    shift: float, verdict: Verdict
) -> None:
    colour = verdict_colour(verdict, 0.3)
    one = compared(shift)
    (dot,) = DifferenceBar.of(one).screen().data
    assert dot.marker.color == dot.error_x.color == colour
    assert dot.x[0] - dot.error_x.arrayminus[0] == pytest.approx(one.ci_low)
    assert dot.x[0] + dot.error_x.array[0] == pytest.approx(one.ci_high)


def test_what_is_not_worth_finding_is_shaded_and_all_of_it_is_in_sight() -> None:
    picture = DifferenceBar.of(compared(1.0), 5.0)
    (shade,) = [shape for shape in picture.screen().layout.shapes if shape.type == "rect"]
    assert (shade.x0, shade.x1) == (-5, 5)
    low, high = picture.screen().layout.xaxis.range
    assert low < -5 < 5 < high
    assert "smaller than the 5 worth finding" in picture.caption
    assert "worth" not in DifferenceBar.of(compared(1.0)).caption
    low, high = DifferenceBar.of(compared(1.0)).reach
    assert -inf < low < 0 < high < inf


def test_names_are_text_and_stand_on_their_own_side() -> None:
    shown = DifferenceBar.of(compared(1.0, ("<b>one</b>", "two"))).screen()
    left, right = shown.layout.annotations
    assert (left.text, left.x) == ("◂ two ahead", 0)
    assert (right.text, right.x) == ("&lt;b&gt;one&lt;/b&gt; ahead ▸", 1)
    assert "<b>" not in shown.layout.xaxis.title.text


@pytest.mark.parametrize(("names", "apart"), [(("one", "two"), False), (("译" * 6, "文" * 6), True)])
def test_names_without_room_beside_each_other_have_lines_of_their_own(names: tuple[str, str], apart: bool) -> None:
    left, right = DifferenceBar.of(compared(1.0, names)).screen().layout.annotations
    assert (left.yshift < right.yshift) == apart


def test_it_can_be_drawn_on_paper_at_the_width_of_a_column() -> None:
    sheet = on_paper(DifferenceBar.of(compared(0.4), 0.5), "svg", "acl-column")
    assert b"<svg" in sheet.data
