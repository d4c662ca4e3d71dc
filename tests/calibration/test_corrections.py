"""Family-wise error: among all pairs of systems that are alike, one false claim in at most five percent of families."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from made import made_ratings, made_statistics
from scipy import interpolate, stats

from calibration.nulls import plausible, swapped
from mtsig import adjust
from mtsig.inference import TESTS, compare
from mtsig.inference._significance import ApproximateRandomization
from mtsig.resampling import Bootstrap, Swap

pytestmark = pytest.mark.calibration

SIMULATIONS = 200
"""A family-wise error of .15 instead of .05 is noticed with a probability of .86, one of .20 and no correction (.39)
with more than .99; the long version notices .07."""

FEW = 50
"""On so many families stand all corrections in short: that there is none at all, .39, is noticed with more than .99."""

QUICK = type(TESTS["ij-t"])(Bootstrap(10))  # type: ignore[call-arg]  # it draws for its win rates only
DRAWS = 999  # min-P of 15 pairs takes steps of about 15/(DRAWS + 1): fewer draws would make it look conservative


# An independent simulation measured .051 for min-P, .036 for Holm and Bonferroni, .387 without correction. Šidák and
# Hommel lie a little above Holm; max-T of BLEU at .044; BH's family-wise error under the complete null is its own rate.
ALIKE = {
    "minp": (0.035, 0.05), "minp-single": (0.035, 0.05), "maxt": (0.03, 0.055), "maxt-down": (0.03, 0.055),
    "holm": (0.02, 0.05), "bonferroni": (0.02, 0.05),
    "sidak": (0.02, 0.05), "hommel": (0.02, 0.05), "bh": (0.025, 0.06), "by": (0.0, 0.03), "none": (0.34, 0.41),
}  # fmt: skip


@pytest.mark.parametrize("simulations", [FEW, pytest.param(3000, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_family_wise_error_of_six_equal_systems(simulations: int) -> None:
    claimed: dict[str, list[bool]] = {name: [] for name in ALIKE}
    for number, one in enumerate(swapped(made_statistics(n=100, systems=6), simulations, seed=5)):
        family = compare(one, ApproximateRandomization(Swap(DRAWS, seed=number)))
        for correction in ALIKE:
            claimed[correction].append(bool(np.any(adjust(family, correction).p_adjusted <= 0.05 + 1e-12)))
    print({name: f"{np.mean(found):.3f} of {len(found)}" for name, found in claimed.items()})
    for name, (low, high) in ALIKE.items():
        assert plausible(sum(claimed[name]), len(claimed[name]), low, high), f"{name}: {np.mean(claimed[name])}"
    false = {name: sum(found) for name, found in claimed.items()}
    assert false["bonferroni"] <= false["holm"] <= false["minp"]
    # Stepping down changes no first claim: a family has one with it if and only if it has one without.
    assert false["minp"] == false["minp-single"]
    assert false["maxt"] == false["maxt-down"]
    assert false["bonferroni"] <= false["sidak"]
    assert false["holm"] <= false["hommel"] <= false["bh"]
    assert false["by"] <= false["bh"]


def test_family_wise_error_of_the_corrections_that_are_the_default() -> None:
    """An error of .10 instead of .05 is noticed with a probability of .85, in 10 comparisons of five systems."""
    families, false = 320, dict.fromkeys(("minp", "holm", "none"), 0)
    for number, one in enumerate(swapped(made_ratings(n=40, systems=5), families, seed=5)):
        family = compare(one, ApproximateRandomization(Swap(599, seed=number)))
        for correction in false:
            false[correction] += bool(np.any(adjust(family, correction).p_adjusted <= 0.05 + 1e-12))
    print({name: f"{count / families:.3f}" for name, count in false.items()})
    assert false["holm"] <= false["minp"] <= stats.binom.ppf(0.99, families, 0.05)
    assert false["minp"] >= stats.binom.ppf(0.001, families, 0.03)
    assert false["none"] > 0.2 * families


@pytest.fixture
def read_off_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tail of scipy's studentized range, an integral of many milliseconds, be read off a table of itself."""
    exact = stats.studentized_range.sf

    @cache
    def table(k: int, df: float) -> interpolate.CubicSpline:
        at = np.linspace(0, 10, 101)
        found = interpolate.CubicSpline(at, exact(at, k, df))
        assert found([2.53, 4.03, 5.07]) == pytest.approx(exact([2.53, 4.03, 5.07], k, df), abs=1e-6)
        return found

    quick = SimpleNamespace(sf=lambda q, k, df: table(k, df)(np.minimum(q, 10)))
    monkeypatch.setattr(stats, "studentized_range", quick)


@pytest.mark.parametrize("simulations", [SIMULATIONS, pytest.param(3000, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("read_off_a_table")
@pytest.mark.slow
def test_classical_corrections_keep_it_for_equal_systems_in_blocks(simulations: int) -> None:
    # Labels exchanged within segments: the spread is the same for every pair, which is what the classical layout asks.
    false = dict.fromkeys(("tukey", "scheffe", "nemenyi"), 0)
    for one in swapped(made_ratings(n=60, systems=6), simulations, seed=7):
        family = compare(one, QUICK)
        for correction in false:
            false[correction] += bool(np.any(adjust(family, correction).p_adjusted <= 0.05))
    print({name: f"{count / simulations:.3f}" for name, count in false.items()})
    assert plausible(false["tukey"], simulations, 0.04, 0.06)
    assert plausible(false["nemenyi"], simulations, 0.035, 0.055)
    assert false["scheffe"] <= false["tukey"]


@pytest.mark.parametrize("simulations", [150, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_share_of_false_claims_is_kept_by_bh_and_by(simulations: int) -> None:
    # Three systems alike and three that are better and alike: 6 true nulls of 15, so BH errs in up to .05 · 6/15.
    shares: dict[str, list[float]] = {"bh": [], "by": [], "none": []}
    for one in swapped(made_ratings(n=80, systems=6), simulations, seed=8):
        values = one.values.copy()
        values[0, 3:] += 1.5
        family = compare(replace(one, values=values), QUICK)
        alike = np.array([("sys0 sys1 sys2".find(x) < 0) == ("sys0 sys1 sys2".find(y) < 0)
                          for x, y in zip(family.first, family.second, strict=True)])  # fmt: skip
        for name, found in shares.items():
            claimed = adjust(family, name).p_adjusted <= 0.05
            found.append(float(np.sum(claimed & alike) / max(1, claimed.sum())))
    means = {name: float(np.mean(found)) for name, found in shares.items()}
    print({name: f"{share:.3f}" for name, share in means.items()})
    error = {name: float(np.std(found)) / np.sqrt(simulations) for name, found in shares.items()}
    assert means["bh"] <= 0.05 * 6 / 15 + 4 * error["bh"]
    assert means["by"] < means["bh"] < means["none"]
    assert means["none"] > 0.02


@pytest.mark.parametrize("simulations", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_min_p_keeps_it_among_equal_systems_when_others_are_better(simulations: int) -> None:
    # In short, six nulls that are not corrected (.2 and more) are noticed with a probability of .9.
    # Three systems alike, and three alike that match a word more in three of four segments: six true nulls, nine false.
    false, right = 0, 0
    word = np.arange(100) % 4 > 0
    for number, one in enumerate(swapped(made_statistics(n=100, systems=3), simulations, seed=6)):
        better = one.values.copy()
        better[2:6] = np.minimum(better[6:10], better[2:6] + word)
        values = np.concatenate([one.values, better], axis=1)
        six = replace(one, systems=tuple("ABCDEF"), values=values.astype(np.float32))
        family = adjust(compare(six, ApproximateRandomization(Swap(DRAWS, seed=number))))
        alike = np.array(
            [("ABC".find(x) < 0) == ("ABC".find(y) < 0) for x, y in zip(family.first, family.second, strict=True)]
        )
        claimed = family.p_adjusted <= 0.05 + 1e-12
        false += bool(np.any(claimed & alike))
        right += int(np.sum(claimed & ~alike))
    assert false <= stats.binom.ppf(0.9999, simulations, 0.05)
    assert right > 0.9 * 9 * simulations
