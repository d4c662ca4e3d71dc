"""Error rates over sets under nulls that could break them: shared documents, few sets, unequal sizes and variances."""

from dataclasses import replace

import numpy as np
import pytest
from made_sets import MadeSets, of, rated_corpus, scored
from scipy import stats

from mtsig import Settings
from mtsig.collection import SetStatistics, compare, partial_conjunction
from mtsig.collection._beyond import least_number, one_sided, random_effects
from mtsig.collection._compare import MOST_INFLATION
from mtsig.collection._pairs import average, heterogeneity, pair_over_sets, units_over

ALPHA = 0.05
QUICK = Settings(n_resamples=10)

LONG = pytest.mark.slow
SHARED = pytest.mark.parametrize("shared", [True, pytest.param(False, marks=LONG)], ids=["shared", "separate"])


def at_most(count: int, trials: int, rate: float = ALPHA) -> bool:
    """Return whether so many errors may come of this rate, or a smaller one."""
    return bool(count <= stats.binom.ppf(0.9999, trials, rate))


def p_of_average(sets: SetStatistics) -> tuple[float, float]:
    """Return p of the average of A – B, and p as if no document were shared."""
    pair = pair_over_sets(sets, units_over(sets), ("A", "B"), list(sets.of))
    weights = np.full(len(pair.names), 1 / len(pair.names))
    mean, error, df = average(pair, weights)
    naive = float(np.sqrt(np.square(weights * pair.errors).sum()))
    return float(2 * stats.t.sf(abs(mean / error), df)), float(2 * stats.t.sf(abs(mean / naive), df))


def sizes_of(rng: np.random.Generator, count: int, documents: int, unequal: bool) -> list[list[int]]:
    """Return the documents' sizes; where they are unequal the sets have the first 60% to 100% of the documents.

    Fewer than 10 documents would leave segments as units, whose error is another question.
    """
    if not unequal:
        return [[3] * documents] * count
    own = np.maximum(1, np.rint(rng.lognormal(1.0, 0.6, documents))).astype(int).tolist()
    return [own[: max(10, documents - 2 * j % (documents // 2))] for j in range(count)]


@pytest.mark.parametrize("trials", [120, pytest.param(3000, marks=LONG)])
@SHARED
@pytest.mark.parametrize(
    ("count", "documents", "unequal"),
    [
        (2, 12, False),
        (5, 20, True),
        pytest.param(5, 10, False, marks=LONG),
        pytest.param(11, 20, True, marks=LONG),
        pytest.param(5, 200, True, marks=LONG),
    ],
)
def test_the_average_errs_as_often_as_it_says(
    count: int, documents: int, unequal: bool, shared: bool, trials: int
) -> None:
    rng = np.random.default_rng([count, documents, shared])
    spread = np.linspace(0.5, 2.0, count).tolist()
    made = MadeSets(sizes_of(rng, count, documents, unequal), shared)
    errors = naive = 0
    for _ in range(trials):
        sets = made.drawn(rng, effect=2.0, spread=spread)
        p, p_naive = p_of_average(sets)
        errors, naive = errors + (p <= ALPHA), naive + (p_naive <= ALPHA)
    assert at_most(errors, trials)
    if shared and count >= 5:
        # As if no document were shared the same sets err several times as often: the test would notice.
        assert not at_most(naive, trials)


@pytest.mark.parametrize("trials", [120, pytest.param(3000, marks=LONG)])
@SHARED
@pytest.mark.parametrize("count", [2, pytest.param(5, marks=LONG), pytest.param(11, marks=LONG)])
def test_the_average_errs_as_often_as_it_says_where_labels_are_exchanged(count: int, shared: bool, trials: int) -> None:
    # The same skewed differences throughout; which system has which output is drawn document by document.
    rng = np.random.default_rng([count, shared, 4])
    made, documents = MadeSets([[3] * 20] * count, shared), np.repeat(np.arange(20), 3)
    gaps = {name: np.repeat(rng.exponential(2.0, 20), 3) + rng.exponential(1.0, 60) for name in made.blank.of}
    base, errors = rng.normal(50, 5, 60), 0
    for _ in range(trials):
        common = rng.choice([-1.0, 1.0], 20)
        drawn = {}
        for name, one in made.blank.of.items():
            sign = common if shared else rng.choice([-1.0, 1.0], 20)
            half = sign[documents] * gaps[name] / 2
            drawn[name] = scored(one, np.array([base + half, base - half]))
        errors += p_of_average(replace(made.blank, of=drawn))[0] <= ALPHA
    assert at_most(errors, trials)
    assert errors >= stats.binom.ppf(0.0001, trials, 0.6 * ALPHA)


@pytest.mark.parametrize("trials", [80, pytest.param(1500, marks=LONG)])
@SHARED
@pytest.mark.parametrize("count", [2, pytest.param(5, marks=LONG), pytest.param(11, marks=LONG)])
def test_the_joint_family_over_documents_errs_as_often_as_it_says(count: int, shared: bool, trials: int) -> None:
    rng = np.random.default_rng([count, shared, 2])
    errors, made = 0, MadeSets(sizes_of(rng, count, 16, True), shared)
    spread = np.linspace(0.5, 2.0, count).tolist()
    for _ in range(trials):
        found = compare(made.drawn(rng, effect=2.0, spread=spread), QUICK)
        errors += min(family.p_adjusted.min() for family in found.families.values()) <= ALPHA
    assert at_most(errors, trials)


@pytest.mark.slow
@pytest.mark.parametrize(("shared", "trials"), [(True, 80), (True, 1500), (False, 1500)])
def test_the_joint_family_over_segments_errs_as_often_as_it_says(shared: bool, trials: int) -> None:
    # Labels of a segment are exchanged in all sets that have it: what they share stays together.
    rng = np.random.default_rng([shared, 3])
    settings, errors = Settings(n_resamples=199), 0
    # Where units are shared the first two have one source, and the third is a set of its own.
    places = (0, 0, 2) if shared else (0, 1, 2)
    blank = of({
        f"set{j}": rated_corpus(np.ones((3, n)), None, [f"{place}:{i}" for i in range(n)])
        for j, (place, n) in enumerate(zip(places, (30, 30, 24), strict=True))
    })  # fmt: skip
    for _ in range(trials):
        common = {place: rng.normal(0, 2, (3, 30)) for place in (0, 1, 2)}
        drawn = {
            name: scored(one, common[place][:, : one.n] + rng.normal(0, 1, (3, one.n)))
            for place, (name, one) in zip(places, blank.of.items(), strict=True)
        }
        found = compare(replace(blank, of=drawn), settings)
        errors += min(family.p_adjusted.min() for family in found.families.values()) <= ALPHA
    assert at_most(errors, trials)
    # Not by never finding anything, either.
    assert errors >= stats.binom.ppf(0.0001, trials, 0.8 * ALPHA)


@pytest.mark.parametrize("trials", [pytest.param(1500, marks=LONG)])
def test_the_joint_family_of_eleven_sets_errs_as_often_as_it_says_whatever_they_share(trials: int) -> None:
    # Five sets of one source, three of another, three by themselves, of 12 to 40 segments; errors of one system are
    # heavy-tailed and larger, and each set has its own size of them: labels cannot be exchanged, means are equal.
    rng = np.random.default_rng(11)
    blocks = [(0, 30)] * 5 + [(1, 20)] * 3 + [(2, 12), (3, 18), (4, 40)]
    blank = of({
        f"set{j}": rated_corpus(np.ones((2, n)), None, [f"{block}:{i}" for i in range(n)])
        for j, (block, n) in enumerate(blocks)
    })  # fmt: skip
    spread, errors, uncorrected = np.linspace(0.5, 2.0, len(blocks)), 0, 0
    for _ in range(trials):
        common = {block: rng.standard_t(3, n) for block, n in blocks}
        drawn = {
            name: scored(one, np.array([
                rng.normal(0, 0.5, n), spread[j] * (common[block] + 0.7 * rng.standard_t(3, n)),
            ]))
            for j, ((block, n), (name, one)) in enumerate(zip(blocks, blank.of.items(), strict=True))
        }  # fmt: skip
        found = compare(replace(blank, of=drawn), Settings(n_resamples=440, unit="segment"))
        families = found.families.values()
        assert {family.correction for family in families} == {"minp"}
        errors += min(float(family.p_adjusted[0]) for family in families) <= ALPHA
        uncorrected += min(float(family.p_value[0]) for family in families) <= ALPHA
    assert at_most(errors, trials)
    # Uncorrected, some set errs in far more than one of twenty: there was something to correct.
    assert not at_most(uncorrected, trials)


@pytest.mark.parametrize("trials", [120, pytest.param(3000, marks=LONG)])
@pytest.mark.parametrize("tau", [0.5, pytest.param(0.0, marks=LONG)])
@pytest.mark.parametrize("count", [5, pytest.param(11, marks=LONG)])
def test_the_mean_over_further_sets_is_covered(count: int, tau: float, trials: int) -> None:
    rng = np.random.default_rng([count, int(10 * tau)])
    missed = unlike = 0
    made = MadeSets(sizes_of(rng, count, 20 * count, True), shared=True)
    for _ in range(trials):
        shift = (1.0 + tau * rng.normal(size=count)).tolist()
        sets = made.drawn(rng, between=0.4, shift=shift)
        pair = pair_over_sets(sets, units_over(sets), ("A", "B"), list(sets.of))
        found = random_effects(pair.differences, pair.covariance)
        assert found is not None
        assert pair.inflation <= MOST_INFLATION
        missed += not found.ci_low <= 1.0 <= found.ci_high
        unlike += not found.predict_low <= 1.0 + tau * rng.normal() <= found.predict_high
    # V is estimated, so a little more than .05 may be missed.
    assert at_most(missed, trials, 0.075)
    assert at_most(unlike, trials, 0.085)


@pytest.mark.parametrize("trials", [2000, pytest.param(20_000, marks=LONG)])
@pytest.mark.parametrize("real", [0, 2, 5])
@pytest.mark.parametrize("dependent", [True, False])
def test_the_number_of_sets_is_overstated_in_alpha_at_most(real: int, dependent: bool, trials: int) -> None:
    # Of seven sets the first `real` have a large effect: the number found must not be larger.
    rng = np.random.default_rng([real, dependent])
    common = 2.0 * rng.normal(size=(trials, 1)) if dependent else np.zeros((trials, 1))
    z = (common + rng.normal(size=(trials, 7))) / (np.sqrt(5) if dependent else 1.0)
    z[:, :real] += 6
    p = stats.norm.sf(z)
    found = np.array([least_number(partial_conjunction(row), ALPHA) for row in p])
    assert at_most(int((found > real).sum()), trials)
    if not dependent:
        fisher = np.array([least_number(partial_conjunction(row, "fisher"), ALPHA) for row in p])
        assert at_most(int((fisher > real).sum()), trials)
        assert fisher.sum() >= found.sum()


@pytest.mark.parametrize("trials", [2000, pytest.param(20_000, marks=LONG)])
@pytest.mark.parametrize("count", [2, 5, 8])
def test_of_pairs_that_are_all_better_in_one_set_hardly_any_is_overstated(count: int, trials: int) -> None:
    # The case in which Holm's growing levels over the chains would err most: in one set every pair is far apart.
    rng = np.random.default_rng(count)
    pairs, z = 10, rng.normal(size=(trials, 10, count))
    z[:, :, 0] += 20
    found = np.zeros((trials, pairs), dtype=bool)
    for side in (1, -1):
        p = np.sort(stats.norm.sf(side * z), axis=2)
        each = np.maximum.accumulate(p * np.arange(count, 0, -1), axis=2)
        found |= np.count_nonzero(each <= ALPHA / (2 * pairs), axis=2) > (1 if side == 1 else 0)
        row = each[0, 0]
        assert np.minimum(row, 1) == pytest.approx(partial_conjunction(p[0, 0]))
    assert at_most(int(found.any(axis=1).sum()), trials)


def test_half_of_a_two_sided_p_is_the_one_sided_of_its_side() -> None:
    t = np.array([2.1, -0.4, 0.0])
    assert one_sided(t, 2 * stats.t.sf(np.abs(t), 9)) == pytest.approx(stats.t.sf(t, 9))


@pytest.mark.parametrize("trials", [120, pytest.param(2000, marks=LONG)])
@SHARED
def test_sets_that_agree_are_called_different_in_alpha_at_most(shared: bool, trials: int) -> None:
    rng = np.random.default_rng([shared, 5])
    errors, made = 0, MadeSets(sizes_of(rng, 4, 30, True), shared)
    for _ in range(trials):
        sets = made.drawn(rng, shift=[0.8] * 4, spread=[0.5, 1, 1.5, 2])
        errors += heterogeneity(pair_over_sets(sets, units_over(sets), ("A", "B"), list(sets.of)))["p_value"] <= ALPHA
    assert at_most(errors, trials)
