"""Spending rules: what they sum to, and their numbers elsewhere."""

from itertools import pairwise

import numpy as np
import pytest

from mtsig.gate import RULES
from mtsig.gate._ledger import gamma, lord, spend

ELSEWHERE = (
    0.0013379192728150216, 0.00029095514457354353, 0.00024781246986151784, 0.001544009424289205, 0.0031415154329372864,
    0.0009808702675502263, 0.0008347011966619263, 0.0007055326814650504, 0.000607614709360615, 0.0032085759658095907,
    0.001055952960042606, 0.0009225383393516282, 0.000800455055118636, 0.0007054772625426827, 0.0006310214815207787,
)  # fmt: skip
"""Levels of online-fdr 1.0.0's LordPlusPlus(0.05, 0.025) where tests 3, 4 and 9 of 15 are rejected."""

THEIR_CONSTANT = 0.07720838
"""Theirs times Σ log(max(j, 2))/(j exp(√log j)) is .976: all their levels are smaller by this factor."""


def test_lord_is_another_programs_lord_but_for_the_constant() -> None:
    regressions = [number in (3, 4, 9) for number in range(1, 16)]
    ours = np.array([lord(0.05, regressions[:i]) for i in range(15)])
    factor = gamma(1) / (THEIR_CONSTANT * np.log(2))
    assert ours == pytest.approx(np.array(ELSEWHERE) * factor, rel=1e-12)
    assert 1.02 < factor < 1.03


def test_lord_by_hand() -> None:
    """W₀ = .025; after a first regression in look 1 and a second in look 3, look 5 has all three terms."""
    expected = 0.025 * gamma(5) + 0.025 * gamma(4) + 0.05 * gamma(2)
    assert lord(0.05, [True, False, True, False]) == pytest.approx(expected)
    assert lord(0.05, [False, False]) == pytest.approx(0.025 * gamma(3))


def test_gamma_sums_to_one() -> None:
    """Between the sums of the first million and an integral on either side of each further term."""
    first = np.arange(1, 1_000_001, dtype=np.float64)
    known = gamma(1) / np.log(2) * np.sum(np.log(np.maximum(first, 2)) / (first * np.exp(np.sqrt(np.log(first)))))
    # ∫ u exp(−√u) du from u₀ by quadrature in s = √u, far enough out that nothing is left.
    s = np.linspace(np.sqrt(np.log(1e6)), 60, 400_001)
    rest = gamma(1) / np.log(2) * np.trapezoid(2 * s**3 * np.exp(-s), s)
    assert known + rest == pytest.approx(1, abs=2e-7)
    assert known < 0.6


def test_the_wealth_of_lord_is_never_overspent() -> None:
    """What was spent is at most W₀ and what was earned: α for every regression, α − W₀ for the first."""
    rng = np.random.default_rng(5)
    regressions: list[bool] = []
    spent = 0.0
    for _ in range(300):
        spent += lord(0.05, regressions)
        earned = 0.05 * max(sum(regressions) - 1, 0) + 0.025 * bool(sum(regressions))
        assert spent <= 0.025 + earned
        regressions.append(bool(rng.random() < 0.1))


def test_spend_sums_to_alpha_whatever_was_found() -> None:
    levels = [spend(0.05, [True] * j) for j in range(2_000)]
    assert 0.05 - 0.05 * 6 / np.pi**2 / 2_000 <= sum(levels) < 0.05
    assert levels[0] == pytest.approx(0.0303964, rel=1e-5)
    assert levels[1] == pytest.approx(levels[0] / 4)
    assert all(first > second for first, second in pairwise(levels))
    assert spend(0.05, [False, True]) == spend(0.05, [True, True])


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_says_what_it_holds(rule: str) -> None:
    assert 0 < RULES[rule].next(0.05, []) < 0.05
    assert RULES[rule].name == rule
