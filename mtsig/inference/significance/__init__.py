"""Tests of two systems: paired targets go in, p-values (or a labelled win rate) come out."""

from dataclasses import replace

from mtsig.errors import InvalidOption
from mtsig.inference.significance.base import (
    BY_EXCHANGE,
    Alternative,
    Directed,
    Outcome,
    SignificanceTest,
    UnknownTest,
)
from mtsig.inference.significance.bootstrap import (
    BootstrapInterval,
    KoehnWins,
    RiezlerMaxwell,
    ShiftBootstrap,
    StudentizedBootstrap,
)
from mtsig.inference.significance.compat import (
    SacrebleuBootstrap,
    SacrebleuRandomization,
    redrawn_as_sacrebleu,
    resample_as_sacrebleu,
)
from mtsig.inference.significance.jackknife import InfinitesimalJackknifeT, JackknifeT, instead_of
from mtsig.inference.significance.randomization import ApproximateRandomization
from mtsig.inference.significance.segments import PairedT, SignedRank, SignTest, WmtSignedRank
from mtsig.metrics import Unit
from mtsig.resampling import Bootstrap, Swap

__all__ = [
    "BY_EXCHANGE",
    "TESTS",
    "Alternative",
    "ApproximateRandomization",
    "BootstrapInterval",
    "Directed",
    "InfinitesimalJackknifeT",
    "JackknifeT",
    "KoehnWins",
    "Outcome",
    "PairedT",
    "RiezlerMaxwell",
    "SacrebleuBootstrap",
    "SacrebleuRandomization",
    "ShiftBootstrap",
    "SignTest",
    "SignedRank",
    "SignificanceTest",
    "StudentizedBootstrap",
    "UnknownTest",
    "filled",
    "instead_of",
    "known_test",
    "redrawn_as_sacrebleu",
    "resample_as_sacrebleu",
]

TESTS: dict[str, SignificanceTest] = {
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
}
"""Those that papers name first, then the default over documents, then by kind; what only reproduces others last."""


def known_test(name: str) -> SignificanceTest:
    """Return the test of this name, or one of which only the name is known.

    >>> from mtsig.inference import known_test
    >>> known_test("ar").exchanges, known_test("of another program").label
    (True, 'of another program')
    """
    return TESTS.get(name) or UnknownTest(name=name, label=name)


def filled(test: SignificanceTest, draws: int, seed: int, unit: Unit, direction: Alternative) -> SignificanceTest:
    """Return the test with its scheme and its direction filled in.

    Raises:
        InvalidOption: it takes no direction.
    """
    kind = Swap if isinstance(test.scheme, Swap) else Bootstrap
    change: dict[str, object] = {"scheme": kind(draws, seed, unit)}
    if isinstance(test, Directed):
        change["direction"] = direction
    elif direction != "two-sided":
        raise InvalidOption(
            f"This test takes no direction; choose {BY_EXCHANGE} or the {JackknifeT.label} for a one-sided test."
        )
    made: SignificanceTest = replace(test, **change)  # type: ignore[type-var]
    return made
