"""Type-I error of every test at a nominal .05, where labels were exchanged at random: a table per size and world.

Run with -s to see the tables; the long version (-m slow) has 4,000 simulations of each size.
"""

import numpy as np
import pytest
from made import made_corpus, made_ratings, made_statistics
from nulls import plausible, swapped
from scipy import stats

from mtsig import TESTS, Bootstrap, Statistics, Swap, measure, read_sample
from mtsig.inference.targets import Scores, pairs_of

pytestmark = pytest.mark.calibration

DRAWS = 199  # (c + 1)/200 takes .05 as a value
LONG = pytest.mark.slow

NOMINAL, NEARLY, ANTI = (0.05, 0.05), (0.036, 0.066), (0.09, 0.13)
RATES: dict[str, tuple[float, float]] = {
    # STATISTICS.md, section 3: what each test errs in at .05, with a little room for made data and 199 draws.
    "ar": NOMINAL,
    "sacrebleu-ar": NOMINAL,
    "ij-t": NEARLY,
    "bootstrap-shift": NEARLY,
    "bootstrap-t": (0.03, 0.07),
    "bootstrap-ci": (0.04, 0.075),
    "bootstrap-rm2005": ANTI,
    "sacrebleu-bs": ANTI,
    "bootstrap-koehn": (0.085, 0.13),
    "t": (0.045, 0.055),
    "wilcoxon": (0.04, 0.055),
    "sign": (0.01, 0.05),
}
ON_MEANS = ("t", "wilcoxon", "sign", "ar", "ij-t", "bootstrap-shift")


def rejects(name: str, one: Statistics, seed: int) -> dict[str, bool]:
    """Return what the tests named conclude of the one pair; bootstrap tests share their draws."""
    scores = Scores(one, Bootstrap(DRAWS, seed, "segment"))
    pairs = pairs_of(scores, "all")
    found = {}
    for test in name.split():
        chosen = TESTS[test]
        kind = Swap if isinstance(chosen.plan, Swap) else Bootstrap
        if test == "bootstrap-koehn":
            wins, losses = np.mean(pairs.draws[0] > 0), np.mean(pairs.draws[0] < 0)
            found[test] = bool(max(wins, losses) >= 0.95)
            continue
        p = type(chosen)(plan=kind(DRAWS, seed + 1, "segment"))(pairs).p_value[0]
        found[test] = bool(p <= 0.05 + 1e-12)
    return found


def table(title: str, counts: dict[str, int], simulations: int) -> None:
    print(f"\n{title}, {simulations} simulations: errors at a nominal .05")
    for name, count in counts.items():
        low, high = RATES[name]
        print(f"  {name:18} {count / simulations:.3f}   should be {low:.3f} to {high:.3f}")


def count_errors(statistics: Statistics, tests: str, simulations: int, n: int) -> dict[str, int]:
    counts = dict.fromkeys(tests.split(), 0)
    for number, one in enumerate(swapped(statistics, simulations, seed=n, n=n)):
        for name, error in rejects(tests, one, 2 * number).items():
            counts[name] += error
    return counts


def check(title: str, counts: dict[str, int], simulations: int) -> None:
    table(title, counts, simulations)
    for name, count in counts.items():
        assert plausible(count, simulations, *RATES[name]), f"{name}: {count / simulations}"


ON_BLEU = " ".join(name for name in RATES if name not in {"t", "wilcoxon", "sign", "sacrebleu-ar"})
SIZES = [
    pytest.param(n, simulations, marks=marks, id=f"{n} segments, {simulations}")
    for n, short, long in ((50, 800, 4000), (100, 600, 4000), (300, 400, 4000), (1000, 200, 2000))
    for simulations, marks in ((short, ()), (long, LONG))
]


@pytest.mark.parametrize(("n", "simulations"), SIZES)
def test_made_systems_scored_by_bleu(n: int, simulations: int) -> None:
    counts = count_errors(made_statistics(n=max(n, 300), systems=2), ON_BLEU, simulations, n)
    check(f"BLEU of made systems, {n} segments", counts, simulations)


@pytest.mark.parametrize(("n", "simulations"), SIZES)
def test_made_systems_rated(n: int, simulations: int) -> None:
    counts = count_errors(made_ratings(n=max(n, 300), systems=2), " ".join(ON_MEANS), simulations, n)
    check(f"ratings of made systems, {n} segments", counts, simulations)


@pytest.mark.parametrize("simulations", [300, pytest.param(4000, marks=LONG)])
def test_the_sample_data(simulations: int) -> None:
    statistics = measure(read_sample(), "bleu")
    statistics = statistics.select(["via-catalan", "via-galician"]).at("segment")
    n = min(statistics.n, 100)
    counts = count_errors(statistics, ON_BLEU, simulations, n)
    check(f"BLEU of the sample data, {n} segments", counts, simulations)


@pytest.mark.parametrize("simulations", [150, pytest.param(2000, marks=LONG)])
def test_sacrebleus_randomization_where_ties_are_rare(simulations: int) -> None:
    counts = count_errors(made_statistics(n=100, systems=2), "sacrebleu-ar", simulations, 100)
    check("BLEU of made systems, 100 segments", counts, simulations)


@pytest.mark.parametrize("simulations", [500, pytest.param(4000, marks=LONG)])
def test_randomization_of_nearly_alike_systems_never_errs_more_often(simulations: int) -> None:
    # One segment in ten differs: p takes few values, so the rate lies at or below .05; a strict > would err in .14.
    corpus = made_corpus(n=50, systems=1, documents=0)
    nearly = [f"{line} indeed" if i % 10 == 0 else line for i, line in enumerate(corpus.lines("sys0"))]
    statistics = measure(type(corpus).of({"one": corpus.lines("sys0"), "two": nearly}, corpus.references), "bleu")
    counts = count_errors(statistics, "ar", simulations, 50)
    table("nearly alike systems, 50 segments", counts, simulations)
    assert counts["ar"] <= stats.binom.ppf(0.9999, simulations, 0.05)
