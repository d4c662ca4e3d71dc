"""Tests of two systems by name, and the test, interval and correction that "auto" means."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mtsig._plugins import Rows
from mtsig._probability import Alternative
from mtsig.errors import InvalidOption
from mtsig.inference._significance._base import (
    BY_EXCHANGE,
    ApproximateRandomization,
    Directed,
    SacrebleuBootstrap,
    SacrebleuRandomization,
    ShiftBootstrap,
    SignificanceTest,
    UnknownTest,
)
from mtsig.inference._significance._bootstrap import BootstrapInterval, KoehnWins, RiezlerMaxwell, StudentizedBootstrap
from mtsig.inference._significance._jackknife import (
    InfinitesimalJackknifeT,
    JackknifeT,
    PairedT,
    SignedRank,
    SignTest,
    WmtSignedRank,
)
from mtsig.metrics._statistics import Unit
from mtsig.resampling import Bootstrap, Swap

AUTO = "auto"
"""The name under which one leaves a choice to this table."""


@dataclass(frozen=True)
class Defaults:
    """Names of a test, an interval method and a correction."""

    test: str
    interval: str
    correction: str


DEFAULTS: Mapping[str, Defaults] = {
    "segment": Defaults("ar", "jackknife", "minp"),
    "block": Defaults("jackknife-t", "jackknife", "holm"),
    # Documents differ in length and are few: exchanging them tests more than equal scores, and joint draws of so few
    # err more often than Holm.
    "document": Defaults("jackknife-t", "jackknife", "holm"),
}


def must_be_named(test: str, unit: str) -> bool:
    """Return whether a test is made over such units only where it was asked for by name, since no default is it."""
    if unit != "segment" and test == DEFAULTS["segment"].test:
        return True
    return test not in {default.test for default in DEFAULTS.values()}


TESTS = Rows[SignificanceTest](
    "mtsig.tests",
    SignificanceTest,
    {
        test.name: test
        for test in (
            KoehnWins(),
            ApproximateRandomization(),
            JackknifeT(),
            InfinitesimalJackknifeT(),
            ShiftBootstrap(),
            StudentizedBootstrap(),
            BootstrapInterval(),
            RiezlerMaxwell(),
            PairedT(),
            SignedRank(),
            SignTest(),
            WmtSignedRank(),
            SacrebleuBootstrap(),
            SacrebleuRandomization(),
        )
    },
)
"""Tests named in papers first, then the default over documents, then by kind; tests for reproduction last."""


def known_test(name: str) -> SignificanceTest:
    """Return the test of this name; an unknown test has only its name."""
    return TESTS.get(name) or UnknownTest(name=name, label=name)


def filled(test: SignificanceTest, draws: int, seed: int, unit: Unit, direction: Alternative) -> SignificanceTest:
    """Return the test with the given scheme and direction."""
    kind = Swap if isinstance(test.scheme, Swap) else Bootstrap
    change: dict[str, object] = {"scheme": kind(draws, seed, unit)}
    if isinstance(test, Directed):
        change["direction"] = direction
    elif direction != "two-sided":
        raise InvalidOption(f"This test has no one-sided form; choose {BY_EXCHANGE} or the {JackknifeT.label}.")
    made: SignificanceTest = replace(test, **change)  # type: ignore[arg-type]
    return made
