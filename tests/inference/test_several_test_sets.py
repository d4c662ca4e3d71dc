"""Comparisons on several test sets, judged together: the draws of independent sets are joint once they are paired."""

from dataclasses import replace

import numpy as np
import pytest
from made import rated
from quick import compare_without_win_rates
from scipy import stats

from mtsig import adjust
from mtsig.inference import Family, compare
from mtsig.inference._adjust import _judged, adjust_together
from mtsig.inference._corrections import StepDownMinP
from mtsig.inference._significance._base import ApproximateRandomization
from mtsig.metrics import Statistics
from mtsig.resampling import Swap

DRAWS = 1999


def made_set(digest: str, n: int, shift: float = 0.0, systems: int = 3, seed: int = 1) -> Statistics:
    """Ratings of systems that differ by `shift` each, on segments of their own."""
    scores = np.random.default_rng(seed).normal(size=(systems, n)) - shift * np.arange(systems)[:, None]
    return replace(rated(scores), digest=digest)


def families(*many: Statistics, draws: int = DRAWS, test: str = "ar") -> list[Family]:
    if test == "ar":
        return [compare_without_win_rates(one, ApproximateRandomization(Swap(draws))) for one in many]
    return [compare(one, test) for one in many]


def p_of(found: list[Family]) -> np.ndarray:
    return np.concatenate([one.p_adjusted for one in found])


def test_min_p_lies_between_raw_p_and_holm() -> None:
    made = families(made_set("one", 60, 0.3), made_set("two", 90, 0.2, seed=2))
    found, holm = adjust_together(made, "minp"), adjust_together(made, "holm")
    assert {(one.correction, one.family_size) for one in found} == {("minp", 6)}
    assert not any("Holm" in note.text for one in found for note in one.notes)
    raw = np.concatenate([one.p_value for one in made])
    error = 4 * np.sqrt(0.25 / DRAWS)
    assert np.all(p_of(found) >= raw)
    assert np.all(p_of(found) <= p_of(holm) + error)
    assert p_of(found).sum() < p_of(holm).sum()
    # More is corrected for than in either set alone.
    alone = np.concatenate([one.p_adjusted for one in (adjust(made[0], "minp"), adjust(made[1], "minp"))])
    assert np.all(p_of(found) >= alone - 1e-12)


@pytest.mark.parametrize("sizes", [(60, 61), (64, 200), (70, 70), (100, 50, 75)])
def test_one_pair_a_set_is_corrected_as_independence_wants_it(sizes: tuple[int, ...]) -> None:
    # The smallest of k independent p-values is below p with the probability 1 − (1 − p)^k (Šidák).
    draws = 20_000
    sets = [made_set(f"{i}", n, 0.2, systems=2, seed=i + 5) for i, n in enumerate(sizes)]
    made = families(*sets, draws=draws)
    raw = np.concatenate([one.p_value for one in made])
    found = p_of(adjust_together(made, "minp"))
    best = int(np.argmin(raw))
    sidak = 1 - (1 - raw[best]) ** len(sizes)
    assert found[best] == pytest.approx(sidak, abs=4.5 * np.sqrt(sidak * (1 - sidak) / draws) + 1 / draws)


@pytest.mark.parametrize("sizes", [(60, 61), (64, 200), (60, 60)])
def test_the_draws_of_different_sets_do_not_go_together(sizes: tuple[int, int]) -> None:
    made = families(*(made_set(f"{n}-{i}", n, seed=i + 3) for i, n in enumerate(sizes)), draws=10_000)
    null = _judged(made, StepDownMinP()).null
    assert null is not None
    between = np.corrcoef(null)[:3, 3:]
    if sizes[0] != sizes[1]:
        assert np.abs(between).max() < 4.5 / np.sqrt(10_000)
    # Draws of one set keep to each other: with three systems, the second difference is what is left of the others.
    within = np.corrcoef(null)[3:, 3:]
    assert np.abs(within[np.triu_indices(3, 1)]).min() > 0.3


def test_every_draw_of_a_set_is_kept() -> None:
    made = families(made_set("one", 60), made_set("two", 90))
    null = _judged(made, StepDownMinP()).null
    assert null is not None
    for row, expected in zip(null, [*np.asarray(made[0].null), *np.asarray(made[1].null)], strict=True):
        assert sorted(row) == sorted(expected)
    # Metrics of one set keep their order among each other, the same one for both.
    again = families(made_set("one", 60), made_set("two", 90), made_set("two", 90))
    joint = _judged(again, StepDownMinP()).null
    assert joint is not None
    assert joint[3:6].tolist() == joint[6:].tolist()


def test_different_segments_of_one_test_set_give_way_to_holm_with_a_true_reason() -> None:
    one, two = made_set("one", 60), made_set("one", 40)
    for made in (families(one, two), families(replace(one, digest=""), replace(two, digest=""))):
        found = adjust_together(made, "minp")
        assert {family.correction for family in found} == {"holm"}
        (said,) = {note.text for family in found for note in family.notes if "Holm" in note.text}
        assert "different segments, not known to be of different test sets" in said
        assert "has no" not in said


def test_enumerated_sets_give_way_to_holm_with_a_true_reason() -> None:
    found = adjust_together(families(made_set("one", 8), made_set("two", 60)), "minp")
    assert {family.correction for family in found} == {"holm"}
    assert any("All exchanges were enumerated" in note.text for note in found[0].notes)
    without = adjust_together(families(made_set("one", 60), made_set("two", 90), test="ij-t"), "minp")
    assert any("ij-t has no joint draws" in note.text for note in without[0].notes)


@pytest.mark.parametrize("sizes", [(30, 47), (40, 40)])
def test_the_family_wise_error_over_two_sets_is_alpha(sizes: tuple[int, int]) -> None:
    # Fewer draws tie at the smallest rank, which makes the error smaller still.
    simulations, alpha, draws = 200, 0.05, 999
    wrong = 0
    for i in range(simulations):
        made = families(
            *(made_set(f"{n}-{k}", n, systems=3 - k, seed=2 * i + k + 1000) for k, n in enumerate(sizes)), draws=draws
        )
        wrong += bool((p_of(adjust_together(made, "minp")) <= alpha + 1e-12).any())
    low, high = stats.binom.ppf([0.0005, 0.9995], simulations, alpha)
    assert low <= wrong <= high, wrong
