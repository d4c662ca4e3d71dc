"""Ends of intervals as they are printed: none hides on which side of 0 it lies, in sentences and in columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig._probability import ends_text
from mtsig.report import Column
from mtsig.report._say import interval_text

NUMBERS = st.floats(-3, 3) | st.floats(-1e-3, 1e-3) | st.floats(-1e-10, 1e-10) | st.just(0.0)


def side(text: str) -> int:
    """Return on which side of 0 a printed number lies."""
    return int(np.sign(float(text.replace("−", "-"))))


@given(NUMBERS, NUMBERS, st.integers(0, 4))
def test_what_is_printed_tells_whether_zero_is_inside(one: float, other: float, decimals: int) -> None:
    low, high = sorted((one, other))
    least, most = ends_text(low, high, decimals, signed=True)
    for text, value in ((least, low), (most, high)):
        number, _, said = text.partition(" ")
        if said:  # too near to 0 to be printed: a word says it
            assert abs(value) < 10.0 ** -(decimals + 4)
            assert said == ("(excluded)" if low > 0 or high < 0 else "(included)")
        else:
            assert side(number) == np.sign(value)


@pytest.mark.parametrize(
    ("low", "high", "printed"),
    [
        (0.75, 1.25, ("+0.75", "+1.25")),
        (0.004, 0.75, ("+0.004", "+0.75")),
        (-0.75, -0.0042, ("−0.75", "−0.004")),
        (-0.00002, 0.75, ("−0.00002", "+0.75")),
        (1e-9, 0.75, ("0.00 (excluded)", "+0.75")),
        (-0.75, -1e-9, ("−0.75", "0.00 (excluded)")),
        (-0.75, 1e-9, ("−0.75", "0.00 (included)")),
        (0.0, 0.0, ("+0.00", "+0.00")),
    ],
)
def test_ends_near_zero(low: float, high: float, printed: tuple[str, str]) -> None:
    assert ends_text(low, high, signed=True) == printed
    assert interval_text(low, high, signed=True) == " to ".join(printed)
    # Each column knows its own end alone.
    assert (Column("Low", "low end").text(low), Column("High", "high end").text(high)) == printed


def test_a_column_of_ends_without_an_end_is_empty() -> None:
    assert Column("Low", "low end").text(float("nan")) == Column("High", "high end").text(None) == ""
