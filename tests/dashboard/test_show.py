"""Text that a page shows as it is."""

import pytest
from mtsig_dashboard.parts.show import plain


@pytest.mark.parametrize("text", ["p = .6436", "p < .0001", "α = 0.05", "± 1.47"])
def test_a_line_does_not_break_between_a_sign_and_its_number(text: str) -> None:
    shown = plain(f"by 0.47 ({text} of 10)")
    assert text.replace(" ", "\u00a0") in shown.replace("\\", "")
    assert " of 10" in shown


def test_no_line_begins_with_the_dot_between_two_things() -> None:
    assert plain("5 systems · 200 segments") == "5 systems\u00a0· 200 segments"


@pytest.mark.parametrize("text", ["a = b", "stop = 3", "x ± y", "p and q"])
def test_other_spaces_stay_spaces(text: str) -> None:
    assert plain(text).replace("\\", "") == text
