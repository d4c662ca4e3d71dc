"""What drawing has not settled is neither significant nor not, and the shift test says how far its mean is drawn."""

import numpy as np
import pytest
from made import made_statistics, rated
from scipy import stats

from mtsig import Settings, audit, ranks, verdict
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.inference._significance._base import ShiftBootstrap
from mtsig.report._diagnostics import audit_text
from mtsig.resampling import Bootstrap


def family_with(p_mc_low: float, p: float, p_mc_high: float):  # type: ignore[no-untyped-def]
    found = Settings(n_resamples=200).family(made_statistics(n=100, systems=2))
    with pytest.raises(ValueError, match="read-only"):
        found.p_adjusted[:] = p  # a column is a view of the records, and changes none of them
    return found.changed(p_adjusted=p, p_adjusted_mc_low=p_mc_low, p_adjusted_mc_high=p_mc_high)


@pytest.mark.parametrize(
    ("p_mc_low", "p", "p_mc_high", "significant"),
    [
        (0.03, 0.04, 0.049, True),
        (0.03, 0.04, 0.06, None),
        (0.04, 0.06, 0.08, None),
        (0.051, 0.06, 0.07, False),
        (0.05, 0.05, 0.05, True),
    ],
)
def test_significance_waits_for_drawing(p_mc_low: float, p: float, p_mc_high: float, significant: bool | None) -> None:
    found = family_with(p_mc_low, p, p_mc_high)
    (one,) = found
    assert one.significant is significant
    assert found.rows()[0]["significant"] is significant
    assert (verdict(one).word == "withheld") >= (significant is None)
    # Ranks follow the verdict: where the interval contradicts the p put in here, nobody stands above anybody.
    assert (len(set(ranks(found).rank_low.tolist())) == 2) == (verdict(one).winner is not None)


@pytest.mark.parametrize(("up", "down", "n"), [(5, 0, 40), (14, 6, 100), (44, 8, 60), (60, 9, 72)])
def test_the_shift_test_of_a_mean_counts_both_of_two_equal_steps(up: int, down: int, n: int) -> None:
    # The law of the mean of n redrawn values of 1, −1 and 0, by convolution; p counts what lies |d| from d or farther.
    values = np.zeros(n)
    values[:up], values[up : up + down] = 1, -1
    one_draw = np.array([down, n - up - down, up]) / n
    law = np.array([1.0])
    for _ in range(n):
        law = np.convolve(law, one_draw)
    sums, gap = np.arange(-n, n + 1), up - down
    exact = law[np.abs(sums - gap) >= abs(gap)].sum()
    found = [compare(rated([values, 0 * values]), ShiftBootstrap(Bootstrap(10_000, seed)))[0] for seed in range(12)]
    # Intervals of 95% each: nearly all of a dozen hold the truth.
    assert sum(one.p_mc_low <= exact <= one.p_mc_high for one in found) >= 10
    assert all(abs(one.p_value - exact) < 5 * np.sqrt(exact * (1 - exact) / 10_000) + 1e-4 for one in found)


def test_without_steps_the_drawn_mean_adds_little() -> None:
    one = compare(made_statistics(n=300, systems=2), ShiftBootstrap(Bootstrap(10_000)))[0]
    alone = 2 * 1.96 * np.sqrt(one.p_value * (1 - one.p_value) / 10_000)
    assert one.p_mc_high - one.p_mc_low < 1.6 * alone


def test_the_audit_counts_the_undecided_apart_and_each_unit_by_itself() -> None:
    noise = stats.norm.ppf((np.arange(100) + 0.5) / 100)
    found = audit(rated([noise / noise.std() + 0.2, 0 * noise]), "A", "B", Settings(n_resamples=50))
    unsettled = [one for one in found if one.has_p and not one.printed_only and one.verdict == "withheld"]
    assert unsettled
    for unit in found.units:
        count = sum(one.unit == unit for one in unsettled)
        said = audit_text(found, unit)
        assert f"{count} {'is' if count == 1 else 'are'} withheld" in said if count else "withheld" not in said
    assert not audit_text(found).startswith("All")


def test_a_declared_direction_cannot_be_turned() -> None:
    found = Settings(alternative="greater", n_resamples=200).family(made_statistics(n=60, systems=2), "sys1")
    with pytest.raises(NotApplicable, match="one-sided"):
        found.turned(0)
