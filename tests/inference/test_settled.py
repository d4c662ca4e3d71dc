"""What drawing has not settled is neither significant nor not, and the shift test says how far its mean is drawn."""

import numpy as np
import pytest
from made import made_statistics, rated
from scipy import stats

from mtsig import Bootstrap, NotApplicable, Settings, ShiftBootstrap, audit, compare, ranks, verdict
from mtsig.report import audit_text


def family_with(p_low: float, p: float, p_high: float):  # type: ignore[no-untyped-def]
    found = Settings(draws=200).family(made_statistics(n=100, systems=2))
    found.p_adjusted[:], found.adjusted_low[:], found.adjusted_high[:] = p, p_low, p_high
    return found


@pytest.mark.parametrize(
    ("p_low", "p", "p_high", "significant"),
    [
        (0.03, 0.04, 0.049, True),
        (0.03, 0.04, 0.06, None),
        (0.04, 0.06, 0.08, None),
        (0.051, 0.06, 0.07, False),
        (0.05, 0.05, 0.05, True),
    ],
)
def test_significance_waits_for_drawing(p_low: float, p: float, p_high: float, significant: bool | None) -> None:
    found = family_with(p_low, p, p_high)
    (one,) = found
    assert one.significant is significant
    assert found.rows()[0]["significant"] is significant
    assert (verdict(one).word == "undecided") >= (significant is None)
    assert (len(set(ranks(found).low.tolist())) == 2) == (significant is True)


def test_the_drawn_mean_of_steps_is_part_of_the_drawing_error() -> None:
    # Five of 40 segments differ by one: the observed difference lies on a step, and p jumps with the drawn mean.
    wins = np.zeros(40)
    wins[:5] = 1
    statistics = rated([wins, 0 * wins])
    found = [compare(statistics, ShiftBootstrap(Bootstrap(10_000, seed, "segment")))[0] for seed in range(8)]
    p = [one.p_value for one in found]
    assert max(p) > 1.5 * min(p)
    # By theory: with the mean just above 5/40, redraws without a win and with more than ten are as far from it as the
    # observed difference from 0; with the mean just below, those with ten or more.
    above = stats.binom.cdf(0, 40, 5 / 40) + stats.binom.sf(10, 40, 5 / 40)
    below = stats.binom.sf(9, 40, 5 / 40)
    assert all(one.p_low <= min(above, below) and max(above, below) <= one.p_high for one in found)


def test_without_steps_the_drawn_mean_adds_little() -> None:
    one = compare(made_statistics(n=300, systems=2), ShiftBootstrap(Bootstrap(10_000)))[0]
    alone = 2 * 1.96 * np.sqrt(one.p_value * (1 - one.p_value) / 10_000)
    assert one.p_high - one.p_low < 1.6 * alone


def test_the_audit_counts_the_undecided_apart_and_each_unit_by_itself() -> None:
    noise = stats.norm.ppf((np.arange(100) + 0.5) / 100)
    found = audit(rated([noise / noise.std() + 0.2, 0 * noise]), "A", "B", Settings(draws=50))
    unsettled = [one for one in found if one.has_p and not one.printed_only and one.significant is None]
    assert unsettled
    assert f"{len(unsettled)} {'is' if len(unsettled) == 1 else 'are'} undecided" in audit_text(found)
    assert not audit_text(found).startswith("All")


def test_a_declared_direction_cannot_be_turned() -> None:
    found = Settings(alternative="greater", draws=200).family(made_statistics(n=60, systems=2), "sys1")
    with pytest.raises(NotApplicable, match="one-sided"):
        found.turned(0)
