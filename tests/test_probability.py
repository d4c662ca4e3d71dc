"""Quantiles and tails are scipy.stats's to the last bit, so that not loading it changes no digit."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from mtsig import _probability as ours
from mtsig._probability import ends_text, interval_text
from mtsig.inference._fields import noncentral
from mtsig.report import Column

RANDOM = np.random.default_rng(1)
SHARES = np.concatenate([[0.5, 0.025, 0.975, 1e-12, 1 - 1e-12, 1e-300], RANDOM.uniform(0, 1, 200)])
VALUES = np.concatenate([[0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 37.0], RANDOM.normal(0, 10, 200)])
DF = np.concatenate([[0.5, 1, 2.5, 19, 19.3, 999, 1e6, np.inf, np.nan], RANDOM.uniform(0.5, 300, 100)])[:, None]
COUNTS = RANDOM.integers(1, 10_000, (2, 300)).astype(float)

SAME: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] = {
    "normal quantile": (ours.normal_quantile, stats.norm.ppf, (SHARES,)),
    "normal critical": (ours.normal_critical, stats.norm.isf, (SHARES,)),
    "normal below": (ours.normal_below, stats.norm.cdf, (VALUES,)),
    "normal above": (ours.normal_above, stats.norm.sf, (VALUES,)),
    "t quantile": (ours.t_quantile, stats.t.ppf, (SHARES, DF)),
    "t critical": (ours.t_critical, stats.t.isf, (SHARES, DF)),
    "t below": (ours.t_below, stats.t.cdf, (VALUES, DF)),
    "t above": (ours.t_above, stats.t.sf, (VALUES, DF)),
    "F above": (ours.f_above, stats.f.sf, (np.abs(VALUES), *COUNTS[:, : len(VALUES)] / 10)),
    "beta quantile": (ours.beta_quantile, stats.beta.ppf, (0.025, *COUNTS)),
}


@pytest.mark.parametrize("name", SAME)
def test_it_is_scipys_to_the_last_bit(name: str) -> None:
    own, theirs, arguments = SAME[name]
    np.testing.assert_array_equal(own(*arguments), theirs(*arguments))


@pytest.mark.parametrize("df", [1.0, 9.5, 500.0])
def test_the_quantile_of_chi_square_is_scipys_to_the_last_bit(df: float) -> None:
    np.testing.assert_array_equal(ours.chi2_quantile(SHARES, df), stats.chi2.ppf(SHARES, df))


def test_the_noncentral_t_is_scipys_to_the_last_bit() -> None:
    value, df, centre = RANDOM.uniform(0.5, 12, 2000), 10 ** RANDOM.uniform(-0.2, 6, 2000), RANDOM.uniform(-4, 14, 2000)
    found = [ours.noncentral_t_above(*one) for one in zip(value, df, centre, strict=True)]
    np.testing.assert_array_equal(found, stats.nct.sf(value, df, centre))
    assert found.count(0.0) > 10, "chances too small for a number are among them"
    # Far out, where 1 minus the other tail would be 0.
    assert 0 < ours.noncentral_t_above(40.0, 30.0, 2.0) == stats.nct.sf(40.0, 30.0, 2.0)


def test_the_middle_of_a_symmetric_law_is_no_negative_zero() -> None:
    assert not np.signbit([ours.normal_critical(0.5), ours.t_critical(0.5, 9)]).any()


@pytest.mark.parametrize("count", [2, 3, 7, 40])
def test_the_range_of_normal_variables_is_scipys_studentized_range(count: int) -> None:
    values = np.array([0.0, 0.3, 1.0, 2.0, 3.5, 5.0, 9.0, np.inf])
    theirs = stats.studentized_range.sf(values, count, np.inf)
    np.testing.assert_allclose(ours.range_above(values, count), theirs, rtol=0, atol=2e-15)
    for tail in (0.5, 0.05, 1e-4):
        assert ours.range_critical(tail, count) == pytest.approx(stats.studentized_range.isf(tail, count, np.inf))


def test_small_chances_of_a_range_keep_their_digits() -> None:
    # Two variables: their difference is normal with variance 2, whatever scipy's studentized range leaves of it.
    values = np.array([1.0, 9.0, 15.0])
    two = 2 * stats.norm.sf(values / np.sqrt(2))
    np.testing.assert_allclose(ours.range_above(values, 2), two, rtol=1e-9)


def test_halving_finds_roots_to_the_last_digit() -> None:
    assert ours.root(lambda value: value**2 - 2, 0.0, 2.0) == pytest.approx(2**0.5, rel=2e-16)
    assert ours.root(lambda value: value + 1e-9, -4.0, 4.0) == -1e-9


@pytest.mark.parametrize("df", [1.0, 19.3, 3003.0])
def test_noncentrality_is_that_of_scipys_root_finder(df: float) -> None:
    for tail in (0.3, 0.025, 0.0002):
        for power in (0.05, 0.5, 0.99):
            critical = stats.t.isf(tail, df)
            missing = partial(
                lambda critical, power, centre: stats.nct.sf(critical, df, centre) - power, critical, power
            )
            theirs = optimize.brentq(missing, -9, 9000, xtol=1e-12)
            assert noncentral(df, tail, power) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


# Ends of intervals as they are printed: none hides on which side of 0 it lies, in sentences and in columns.

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


@pytest.mark.parametrize("further", [1, 2, 20, 300])
def test_one_unit_that_holds_nearly_everything_has_one_degree_of_freedom(further: int) -> None:
    others = np.linspace(0.5, 2, further)
    found = [ours.satterthwaite_df(np.array([size, *others])) for size in np.geomspace(10 * further, 1e16, 200)]
    assert 1 <= min(found) <= max(found) < 1.2
    # No jump where the formula is left, and no infinity where its sums cancel.
    assert max(found[40:]) < 1.0005
