"""The numbers of docs/gate.md: python docs/gate_numbers.py [REPETITIONS]."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy.special
from numpy.typing import NDArray

from mtsig.gate import RULES
from mtsig.inference import detectable_difference

ALPHA = 0.05
LOOKS = 200
SEGMENTS = 500

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def skewed(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Return lognormal noise with mean 0 and variance 1: most segments lose a little, few win much."""
    return (np.exp(rng.standard_normal(shape)) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e)


def heavy(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Return noise of t with 3 degrees of freedom, scaled to variance 1."""
    return rng.standard_t(3, shape) / np.sqrt(3)


NULLS: dict[str, tuple[Draw, bool]] = {
    "normal": (lambda rng, shape: rng.standard_normal(shape), False),
    "unequal variances, heavy tails": (heavy, True),
    "skewed": (skewed, False),
}
"""What segments' noise is, and whether its spread differs from segment to segment, the same in all looks."""


def looks(
    rng: np.random.Generator, null: str, *, fresh: bool, n: int = SEGMENTS, count: int = LOOKS, shared: float = 0.5
) -> Floats:
    """Return t of every look, candidate minus baseline, where no candidate differs from the baseline.

    The baseline's own noise is a share of the variance; on one test set it is the same in all looks.
    """
    draw, unequal = NULLS[null]
    spread = np.exp(0.7 * rng.standard_normal((count if fresh else 1, n))) if unequal else 1.0
    # Noise of the baseline enters with the sign that a candidate's has: skewed differences are the harder case.
    of_baseline = draw(rng, (count if fresh else 1, n))
    found = spread * (np.sqrt(shared) * of_baseline + np.sqrt(1 - shared) * draw(rng, (count, n)))
    return np.asarray(found.mean(axis=1) / (found.std(axis=1, ddof=1) / np.sqrt(n)))


def regressions(rule: str, t: Floats, n: int = SEGMENTS, alpha: float = ALPHA) -> list[bool]:
    """Return for every look whether it finds a regression: significantly worse at the error rate it has."""
    p = 2 * scipy.special.stdtr(n - 1, -np.abs(t))
    found: list[bool] = []
    for own, side in zip(p.tolist(), (t < 0).tolist(), strict=True):
        level = alpha if rule == "none" else RULES[rule].next(alpha, found)
        found.append(side and own <= level)
    return found


@dataclass(frozen=True)
class Rates:
    """What a rule did in repeated series of looks.

    any_false: share of series with a false regression. false_share: mean share of false ones among regressions. found:
    share of true regressions that were found.
    """

    any_false: float
    false_share: float
    found: float


def rates(
    null: str, repetitions: int, *, fresh: bool, worse: float = 0.0, size: float = 4.0, seed: int = 1,
    n: int = SEGMENTS, count: int = LOOKS,
) -> dict[str, Rates]:  # fmt: skip
    """Return what every rule does, on the same looks, where this share of candidates is worse by so many errors."""
    rng = np.random.default_rng(seed)
    sums = {rule: np.zeros(3) for rule in ("none", *RULES)}
    all_true = 0
    for _ in range(repetitions):
        t = looks(rng, null, fresh=fresh, n=n, count=count)
        truly = rng.random(count) < worse
        all_true += int(truly.sum())
        for rule, counts in sums.items():
            said = np.array(regressions(rule, t - size * truly, n))
            false = int(np.count_nonzero(said & ~truly))
            counts += [false > 0, false / max(int(said.sum()), 1), np.count_nonzero(said & truly)]
    per = np.array([repetitions, repetitions, all_true or np.nan])
    return {rule: Rates(*(counts / per).tolist()) for rule, counts in sums.items()}


def detectable(df: float = SEGMENTS - 1) -> Iterator[tuple[int, float, float, float]]:
    """Yield for some looks what is found with 80% power, in standard errors: without a ledger, by spend, by lord."""
    for look in (1, 2, 5, 10, 50, 200):
        before = [False] * (look - 1)
        levels = (ALPHA, RULES["spend"].next(ALPHA, before), RULES["lord"].next(ALPHA, before))
        none, spend, lord = (detectable_difference(1.0, level=1 - one, df=df) for one in levels)
        yield look, none, spend, lord


def main(repetitions: int) -> None:
    """Print every table of the page."""
    for worse in (0.0, 0.1):
        for fresh in (False, True):
            print(
                f"\n## {worse:.0%} of the candidates worse by 4 standard errors, {'fresh' if fresh else 'one'} test set"
            )
            for null in NULLS:
                for rule, found in rates(null, repetitions, fresh=fresh, worse=worse).items():
                    print(null, rule, {name: round(value, 4) for name, value in vars(found).items()}, flush=True)
    print("\n## found with 80% power, in standard errors; how many times the test set")
    for look, none, *others in detectable():
        print(look, f"{none:.2f}", *(f"{one:.2f} ({(one / none) ** 2:.1f})" for one in others))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
