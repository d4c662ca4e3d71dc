"""Error rates of the rules over 200 looks, by the simulation whose long version makes the numbers of docs/gate.md."""

import importlib.util
from types import ModuleType
from typing import cast

import numpy as np
import pytest
import scipy.stats
from made import ROOT
from made_gate import rated

from mtsig import Settings
from mtsig.gate import judge

pytestmark = pytest.mark.calibration

QUICK, LONG = 100, 1000


def simulation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gate_numbers", ROOT / "docs" / "gate_numbers.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    # A dataclass looks its module up by its name.
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(importlib.import_module("sys").modules, "gate_numbers", module)
        spec.loader.exec_module(module)
    return module


numbers = simulation()


def at_most(share: float, repetitions: int) -> float:
    """The share that so many repetitions exceed once in 10,000 where the true one is `share`."""
    return cast(float, scipy.stats.binom.ppf(0.9999, repetitions, share)) / repetitions


REPETITIONS = [QUICK, pytest.param(LONG, marks=pytest.mark.slow)]


@pytest.mark.parametrize("repetitions", REPETITIONS)
@pytest.mark.parametrize("null", ["normal", "unequal variances, heavy tails"])
def test_over_200_looks_at_one_test_set_hardly_any_series_has_a_false_regression(null: str, repetitions: int) -> None:
    """One side of a two-sided level: α/2 is what `spend` may err; without a ledger half of all series do."""
    found = numbers.rates(null, repetitions, fresh=False, n=200)
    assert found["spend"].any_false <= at_most(0.025, repetitions)
    assert found["lord"].any_false <= at_most(0.05, repetitions)
    assert found["none"].any_false > 0.4


@pytest.mark.parametrize("repetitions", REPETITIONS)
def test_on_fresh_test_sets_both_rules_hold_too(repetitions: int) -> None:
    found = numbers.rates("normal", repetitions, fresh=True, n=200)
    assert found["spend"].any_false <= at_most(0.025, repetitions)
    # Where no candidate differs every regression is a false one, and the two error rates are the same.
    assert found["lord"].any_false == found["lord"].false_share <= at_most(0.05, repetitions)
    assert found["none"].any_false > 0.95


@pytest.mark.parametrize("repetitions", REPETITIONS)
def test_lord_holds_the_share_of_false_ones_and_finds_more(repetitions: int) -> None:
    found = numbers.rates("normal", repetitions, fresh=True, worse=0.1, n=200)
    assert found["lord"].false_share <= 0.05
    assert found["none"].false_share > 0.1
    assert found["spend"].found < found["lord"].found < found["none"].found
    assert found["none"].found > 0.95


def test_skewed_differences_are_what_t_tests_err_on() -> None:
    """What the page warns of: far out t is not to be trusted, and fresh sets show it. Nothing here hides it."""
    found = numbers.rates("skewed", QUICK, fresh=True, n=200)
    assert found["spend"].any_false > 0.05


def test_the_simulation_tests_as_the_gate_does() -> None:
    rng = np.random.default_rng(4)
    t = numbers.looks(rng, "normal", fresh=True, n=60, count=1)
    rng = np.random.default_rng(4)
    rng_again = np.sqrt(0.5) * rng.standard_normal((1, 60)) + np.sqrt(0.5) * rng.standard_normal((1, 60))
    old = np.full(60, 50.0)
    corpus = rated({"old": old, "new": old + rng_again[0]})
    check = judge(
        corpus, "old", "new", ["rating:score"], settings=Settings(test="jackknife-t", n_resamples=200)
    ).checks[0]
    assert check.difference / check.standard_error == pytest.approx(t[0])
    assert check.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(t[0]), 59))
    assert numbers.regressions("none", t, 60) == [check.outcome == "regression"]


def test_what_is_detectable_is_found_with_its_power() -> None:
    for look, none, spend, lord in numbers.detectable(199):
        before = [False] * (look - 1)
        levels = (0.05, numbers.RULES["spend"].next(0.05, before), numbers.RULES["lord"].next(0.05, before))
        for size, level in zip((none, spend, lord), levels, strict=True):
            q = 2 * 199 / 3
            spread = np.sqrt(scipy.stats.chi2.ppf((np.arange(400) + 0.5) / 400, q) / q)
            power = scipy.stats.nct.sf(scipy.stats.t.isf(level / 2, 199), 199, size * spread).mean()
            assert power == pytest.approx(0.8, abs=1e-6)
