"""Where few units differ: no verdict, no margin and no power that they do not carry, and the reason in words."""

import numpy as np
import pytest
from made import rated

from mtsig import Settings, power_analysis, verdict
from mtsig.errors import NotApplicable
from mtsig.inference import TESTS, compare, equivalence, simulated_power, smallest_detectable
from mtsig.inference._margins import within
from mtsig.metrics import Statistics
from mtsig.report import comparison_table
from mtsig.report._say import attainable_text

PAIR = [("A", "B")]


def few(differing: int, n: int = 200) -> Statistics:
    noise = np.random.default_rng(5).normal(size=n)
    return rated([noise + np.where(np.arange(n) < differing, 0.5, 0.0), noise])


def test_few_differing_units_are_a_caution_for_a_named_test_and_withhold_a_default_one() -> None:
    said = comparison_table(compare(few(5), "ij-t", PAIR)).caption
    assert "Caution (!): only 5 of 200 segments differ, too few for this test; this test takes segments as" in said
    by_default = comparison_table(compare(few(5), "jackknife-t", PAIR)).caption
    assert "Withheld: only 5 of 200 segments differ, too few for this test; choose paired randomization" in by_default
    assert "too few" not in comparison_table(compare(few(60), "ij-t", PAIR)).caption


def test_no_difference_can_be_significant_is_said_where_it_is_so() -> None:
    said = attainable_text(compare(few(5), "ar", PAIR)[0])
    assert (
        said == "5 of 200 segments differ; the smallest attainable p is 0.062. No difference can be significant here."
    )
    assert "No difference" not in str(attainable_text(compare(few(6), "ar", PAIR)[0]))


def test_margins_of_a_comparison_need_segments_that_differ() -> None:
    found = within(compare(few(9), "ar", PAIR)[0], 0.5, both=True)
    assert found.established is None
    assert found.withheld_reason == "they differ on only 9 of 200 segments; to know how much segments vary takes 10"
    assert within(compare(few(10), "ar", PAIR)[0], 0.5, both=True).established


def test_half_of_the_units_is_enough_in_a_small_set() -> None:
    assert within(compare(few(9, n=18), "ar", PAIR)[0], 5.0, both=True).established
    found = within(compare(few(8, n=18), "ar", PAIR)[0], 5.0, both=True)
    assert found.established is None
    assert found.withheld_reason == "they differ on only 8 of 18 segments; to know how much segments vary takes 9"


def nearly_alike(differing: int, n: int = 200) -> Statistics:
    """Two systems that differ on a few of n segments, always in favour of the first; a third one far behind."""
    noise = np.random.default_rng(5).normal(size=n)
    better = noise + np.where(np.arange(n) < differing, 0.5, 0.0)
    return rated([better, noise, noise - 3 + np.random.default_rng(6).normal(size=n)], ["A", "B", "C"])


@pytest.mark.parametrize(("differing", "floor"), [(1, 1.0), (4, 0.125), (5, 0.0625)])
def test_where_hardly_any_segment_differs_the_table_says_that_nothing_can_be_found(
    differing: int, floor: float
) -> None:
    family = compare(nearly_alike(differing), "ar", [("A", "B")])
    assert family[0].p_value == pytest.approx(floor)
    assert smallest_detectable(family[0]) is None
    said = comparison_table(family).caption
    assert f"So few segments differ that no difference can be significant: A – B ({differing} of 200)." in said
    assert "Detectable" not in said


@pytest.mark.parametrize("differing", [1, 5, 9])
def test_power_and_margins_are_refused_where_hardly_any_segment_differs(differing: int) -> None:
    statistics = nearly_alike(differing)
    with pytest.raises(NotApplicable, match=f"differ on only {differing} of 200 segments"):
        power_analysis(statistics, "A", "B", 0.1)
    found = equivalence(statistics, "A", "B", 0.1)
    assert found.established is None
    assert f"differ on only {differing} of 200 segments" in found.withheld_reason
    assert power_analysis(nearly_alike(10), "A", "B", 0.1, 0.1).needed is not None


def test_redraws_without_any_spread_find_nothing() -> None:
    # 12 of 200 differ; redraws of 8 units hold none of them in (188/200)^8 = 61% of cases: these find nothing.
    found = simulated_power(nearly_alike(12), "A", "B", 0.3, units=8, simulations=4000)
    assert found.power < 0.42


@pytest.mark.parametrize("name", [name for name, test in TESTS.items() if test.controls_type1])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_few_differing_segments_are_a_caution_where_arrangements_are_not_counted(name: str, alternative: str) -> None:
    settings = Settings(test=name, unit="segment", alternative=alternative, n_resamples=500)  # type: ignore[arg-type]
    (few,) = settings.family(nearly_alike(9), [("A", "B")])
    if name == "jackknife-t":
        assert verdict(few).withheld == "few differ"
    else:
        assert verdict(few).winner == "A"
        assert ("too few for this test" in verdict(few).caution) == (not few.exact and name != "ar")
    (more,) = settings.family(nearly_alike(30), [("A", "B")])
    assert verdict(more).winner == "A"


def test_enumerated_signed_ranks_are_called_exact() -> None:
    assert [compare(nearly_alike(k), "wilcoxon", [("A", "B")])[0].exact for k in (5, 25, 26)] == [True, True, False]
