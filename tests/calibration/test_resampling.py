"""Type-I error of every test at a nominal .05, where labels were exchanged at random: a table per size and world.

Run with -s to see the tables; the long version (-m slow) has 4,000 simulations of each size.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from made import made_corpus, made_ratings, made_statistics
from scipy import stats

from calibration.nulls import Names, plausible, sampled, side_by_side, swapped
from mtsig import measure, read_files, read_sample
from mtsig.inference import TESTS, compare
from mtsig.inference._significance import ApproximateRandomization
from mtsig.inference._targets import Scores, pairs_of
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import as_values
from mtsig.resampling import Bootstrap, Swap

pytestmark = pytest.mark.calibration

DRAWS = 199  # (c + 1)/200 takes .05 as a value
LONG = pytest.mark.slow

NOMINAL, NEARLY, ANTI = (0.05, 0.05), (0.036, 0.066), (0.09, 0.13)
RATES: dict[str, tuple[float, float]] = {
    # What each test erred in at .05 in an independent simulation, with a little room for made data and 199 draws.
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
    "wmt-wilcoxon": (0.04, 0.055),
    "sign": (0.01, 0.05),
}
ON_MEANS = ("t", "wilcoxon", "wmt-wilcoxon", "sign", "ar", "ij-t", "bootstrap-shift")


def rejections(tests: list[str], one: Statistics, names: Names, seed: int) -> dict[str, int]:
    """Return how often the tests named conclude anything of the pairs; bootstrap tests share their draws."""
    pairs = pairs_of(Scores(one, Bootstrap(DRAWS, seed, "segment")), names)
    found = {}
    for test in tests:
        chosen = TESTS[test]
        kind = Swap if isinstance(chosen.scheme, Swap) else Bootstrap
        if test == "bootstrap-koehn":
            wins, losses = np.mean(pairs.draws > 0, axis=1), np.mean(pairs.draws < 0, axis=1)
            found[test] = int(np.sum(np.maximum(wins, losses) >= 0.95))
            continue
        p = type(chosen)(scheme=kind(DRAWS, seed + 1, "segment"))(pairs).p_value
        found[test] = int(np.sum(p <= 0.05 + 1e-12))
    return found


def count_over(tests: str, simulated: Iterator[Statistics], together: int = 25) -> dict[str, int]:
    """Return how often each test errs in simulated test sets."""
    counts = dict.fromkeys(tests.split(), 0)
    for number, (one, names) in enumerate(side_by_side(simulated, together)):
        for test, errors in rejections(list(counts), one, names, 2 * number).items():
            counts[test] += errors
    return counts


def table(title: str, counts: dict[str, int], simulations: int) -> None:
    print(f"\n{title}, {simulations} simulations: errors at a nominal .05")
    for name, count in counts.items():
        low, high = RATES[name]
        print(f"  {name:18} {count / simulations:.3f}   should be {low:.3f} to {high:.3f}")


def count_errors(statistics: Statistics, tests: str, simulations: int, n: int) -> dict[str, int]:
    return count_over(tests, swapped(statistics, simulations, seed=n, n=n))


def check(title: str, counts: dict[str, int], simulations: int) -> None:
    table(title, counts, simulations)
    for name, count in counts.items():
        assert plausible(count, simulations, *RATES[name]), f"{name}: {count / simulations}"


NOT_ON_BLEU = {"t", "wilcoxon", "wmt-wilcoxon", "sign", "sacrebleu-ar", "sacrebleu-bs"}
ON_BLEU = " ".join(name for name in RATES if name not in NOT_ON_BLEU)
# A test that errs twice as often as it says is outside the bounds with a probability of .98 at 800 simulations, .86 at
# 600, .64 at 400 and .25 at 200 (binomial). More segments are dearer, and few are what can break a test.
SIZES = [
    pytest.param(50, 800, id="50 segments, 800"),
    *(
        pytest.param(n, simulations, marks=LONG, id=f"{n} segments, {simulations}")
        for n, simulations in ((50, 4000), (100, 4000), (300, 4000), (1000, 2000))
    ),
]


@pytest.mark.parametrize(("n", "simulations"), SIZES)
def test_made_systems_scored_by_bleu(n: int, simulations: int) -> None:
    counts = count_errors(made_statistics(n=max(n, 300), systems=2), ON_BLEU, simulations, n)
    check(f"BLEU of made systems, {n} segments", counts, simulations)


@pytest.mark.parametrize(("n", "simulations"), SIZES)
def test_made_systems_rated(n: int, simulations: int) -> None:
    counts = count_errors(made_ratings(n=max(n, 300), systems=2), " ".join(ON_MEANS), simulations, n)
    check(f"ratings of made systems, {n} segments", counts, simulations)


@lru_cache
def two_of_the_sample(metric: str = "bleu") -> Statistics:
    return replace(measure(read_sample(), metric).select(["via-catalan", "via-galician"]), document_of=None)


@lru_cache
def two_real_ones(shared: Path, metric: str = "bleu") -> Statistics:
    folder = shared / "data" / "wmt21-ru-en"
    files = [folder / "systems" / f"{name}.txt" for name in ("Online-A", "Online-B")]
    return measure(read_files([folder / "refs" / "refA.txt"], files), metric)


@pytest.mark.parametrize(("n", "simulations"), SIZES)
def test_the_sample_data(n: int, simulations: int) -> None:
    counts = count_errors(two_of_the_sample(), ON_BLEU, simulations, n)
    check(f"BLEU of the sample data, {n} segments", counts, simulations)


@pytest.mark.parametrize(("n", "simulations"), SIZES[1:])
def test_real_systems(shared: Path, n: int, simulations: int) -> None:
    counts = count_errors(two_real_ones(shared), ON_BLEU, simulations, n)
    check(f"BLEU of two real systems, {n} segments", counts, simulations)


WORLDS = ("made", "sample", "real")
# sacreBLEU's bootstrap draws for every pair by itself; in short its digits are sacreBLEU's own (tests/golden).
ON_WORLDS = [
    pytest.param(world, n, simulations, marks=LONG, id=f"{world}, {n} segments, {simulations}")
    for world in WORLDS
    for n, simulations in ((50, 4000), (100, 4000), (300, 4000), (1000, 2000))
]


@pytest.mark.parametrize(("world", "n", "simulations"), ON_WORLDS)
def test_sacrebleus_bootstrap(shared: Path, world: str, n: int, simulations: int) -> None:
    statistics = (
        made_statistics(n=max(n, 300), systems=2)
        if world == "made"
        else two_of_the_sample()
        if world == "sample"
        else two_real_ones(shared)
    )
    counts = count_errors(statistics, "sacrebleu-bs", simulations, n)
    check(f"BLEU of {world} systems, {n} segments", counts, simulations)


# The segment tests draw nothing: many simulations cost little.
ON_SENTENCES = [
    pytest.param(n, simulations, marks=marks, id=f"{n} segments, {simulations}")
    for n in (50, 100, 300, 1000)
    for simulations, marks in (((800, ()),) if n == 100 else ()) + ((10_000, LONG),)
]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "simulations"), ON_SENTENCES)
def test_the_sample_data_sentence_by_sentence(n: int, simulations: int) -> None:
    counts = count_errors(two_of_the_sample("sentbleu"), "t wilcoxon sign", simulations, n)
    check(f"sentence BLEU of the sample data, {n} segments", counts, simulations)


@pytest.mark.parametrize(("n", "simulations"), ON_SENTENCES)
def test_real_systems_sentence_by_sentence(shared: Path, n: int, simulations: int) -> None:
    counts = count_errors(two_real_ones(shared, "sentbleu"), "t wilcoxon sign", simulations, n)
    check(f"sentence BLEU of two real systems, {n} segments", counts, simulations)


def equal_in_the_long_run(n: int = 40_000) -> Statistics:
    """A population of two systems of equal BLEU, one steady and one that does some segments well and others badly."""
    rng = np.random.default_rng(9)
    steady = made_statistics(n=n, systems=1).values.astype(np.int64)
    length, reference, totals = steady[0, 0], steady[1, 0], steady[6:, 0]
    luck = rng.choice([0.5, 1.5], n)
    rates = np.array([0.6, 0.35, 0.25, 0.18])
    counts = [rng.binomial(total, rate * luck) for total, rate in zip(totals, rates, strict=True)]
    fair = [rng.binomial(total, rate) for total, rate in zip(totals, rates, strict=True)]
    values = np.stack([np.array([length, reference, *fair, *totals]), np.array([length, reference, *counts, *totals])])
    return replace(made_statistics(n=2, systems=2), values=np.moveaxis(values, 0, 1).astype(np.float32), n_segments=n)


ON_EQUAL = "ar ij-t bootstrap-shift bootstrap-ci bootstrap-rm2005 bootstrap-koehn"


@pytest.mark.parametrize(("n", "simulations"), SIZES[:4])
def test_systems_that_are_equal_only_in_the_long_run(n: int, simulations: int) -> None:
    # Not exchangeable within segments: the null of the bootstrap and of ij, which randomization meets approximately.
    population = equal_in_the_long_run()
    x, y = population.scores
    assert x == pytest.approx(y, abs=0.1)
    counts = count_over(ON_EQUAL, sampled(population, simulations, seed=n, n=n))
    table(f"equal in the long run, {n} segments", counts, simulations)
    for name, count in counts.items():
        low, high = RATES[name]
        assert plausible(count, simulations, low - 0.01, high + 0.015), f"{name}: {count / simulations}"


@pytest.mark.parametrize("simulations", [600, pytest.param(4000, marks=LONG)])
def test_documents_as_units_keep_the_rate_where_segments_lose_it(simulations: int) -> None:
    # 30 documents of 10 segments each; what a document does to a system it does to all its segments.
    rng, counts = np.random.default_rng(4), {"document": 0, "segment": 0}
    template = replace(made_ratings(n=300, systems=2), document_of=np.repeat(np.arange(30), 10))

    def drawn() -> Iterator[Statistics]:
        for _ in range(simulations):
            scores = 50 + rng.normal(size=(2, 300)) + np.repeat(0.5 * rng.normal(size=(2, 30)), 10, axis=1)
            yield replace(template, values=as_values(np.stack([scores, np.ones_like(scores)])))

    for number, (one, names) in enumerate(side_by_side(drawn())):
        for unit in counts:
            found = compare(one, ApproximateRandomization(Swap(DRAWS, number, unit)), names)  # type: ignore[arg-type]
            counts[unit] += int(np.sum(found.p_value <= 0.05 + 1e-12))
    print({unit: f"{count / simulations:.3f}" for unit, count in counts.items()})
    assert plausible(counts["document"], simulations, *NOMINAL)
    assert counts["segment"] > 0.12 * simulations


@pytest.mark.parametrize("simulations", [600, pytest.param(2000, marks=LONG)])
def test_sacrebleus_randomization_where_ties_are_rare(simulations: int) -> None:
    counts = count_errors(made_statistics(n=100, systems=2), "sacrebleu-ar", simulations, 100)
    check("BLEU of made systems, 100 segments", counts, simulations)


@pytest.mark.parametrize("simulations", [500, pytest.param(4000, marks=LONG)])
def test_randomization_of_nearly_alike_systems_never_errs_more_often(simulations: int) -> None:
    # Few segments differ, nine of 50 on average: p takes few values, so the rate lies at or below .05, and not far.
    corpus = made_corpus(n=50, systems=1, documents=0)
    nearly = [f"{line} indeed" if i % 6 == 0 else line for i, line in enumerate(corpus.lines("sys0"))]
    statistics = measure(type(corpus).of({"one": corpus.lines("sys0"), "two": nearly}, corpus.references), "bleu")
    counts = count_errors(statistics, "ar", simulations, 50)
    table("nearly alike systems, 50 segments", counts, simulations)
    assert 0.005 * simulations < counts["ar"] <= stats.binom.ppf(0.9999, simulations, 0.05)
