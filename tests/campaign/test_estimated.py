"""Systems compared by raters: variances written out, screens by other programs, error rates, and what is refused."""

import numpy as np
import pytest
import scipy
from kept import lacking
from made_campaigns import contrastive, corpus_of, many
from sampled import slow

from mtsig import Settings
from mtsig.campaign import compare_ratings
from mtsig.corpus import RaterScores
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._estimated import RatedFamily
from mtsig.inference._raters import assignment, compare_rater_scores
from mtsig.inference._verdict import verdict

NAMES = ("A", "B")


def _one(given: RaterScores, documents: list[str] | None = None) -> RatedFamily:
    return compare_rater_scores(given, NAMES, documents=documents, within="segment")


def _drawn(
    random: np.random.Generator, raters: int, segments: int, each: int, taste: float, loads: float
) -> RaterScores:
    """Two equal systems; every segment judged by `each` raters, who lean to one of the systems by chance of SD `taste`.

    loads: how much less each further rater works than the one before.
    """
    leaning = taste * random.normal(size=(raters, 2, 1))
    level = random.normal(size=(1, segments)) + 0.5 * random.normal(size=(2, segments))
    share = loads ** np.arange(raters)
    values = level + leaning + random.normal(size=(raters, 1, 1)) + random.normal(size=(raters, 2, segments))
    chosen = np.zeros((raters, segments), dtype=bool)
    for segment in range(segments):
        chosen[random.choice(raters, each, replace=False, p=share / share.sum()), segment] = True
    values[~np.repeat(chosen[:, None], 2, axis=1)] = np.nan
    return RaterScores.of({f"j{number}": own for number, own in enumerate(values)})


def test_the_variance_is_the_sum_over_clusters_written_out() -> None:
    given = _drawn(np.random.default_rng(1), 6, 20, 3, 0.5, 1.0)
    found = _one(given)
    rows = list(zip(given.system.tolist(), given.segment.tolist(), given.rater.tolist(), given.value, strict=True))
    cells = {(s, t): [v for a, b, _, v in rows if (a, b) == (s, t)] for s in (0, 1) for t in range(20)}
    means = [np.mean([np.mean(cells[s, t]) for t in range(20)]) for s in (0, 1)]
    assert found.difference == pytest.approx([means[0] - means[1]])
    moved = [((1, -1)[s] * (v - means[s]) / len(cells[s, t]) / 20, t, j) for s, t, j, v in rows]

    def variance(keys: list[object]) -> float:
        sums = {key: sum(m for (m, _, _), own in zip(moved, keys, strict=True) if own == key) for key in set(keys)}
        return len(sums) / (len(sums) - 1) * sum(one**2 for one in sums.values())

    by_segment = variance([t for _, t, _ in moved])
    more = variance([j for _, _, j in moved]) - variance([(t, j) for _, t, j in moved])
    assert found.others is not None
    assert found.standard_error == pytest.approx([np.sqrt(by_segment)])
    assert found.others.standard_error == pytest.approx([np.sqrt(by_segment + max(0.0, more))])
    # The segments alone are the paired t test of the outputs' means.
    paired = [np.mean(cells[0, t]) - np.mean(cells[1, t]) for t in range(20)]
    assert found.p_value == pytest.approx([scipy.stats.ttest_1samp(paired, 0).pvalue])
    assert 3 < found.others.df[0] < 5.001


def test_the_clusters_are_those_of_statsmodels() -> None:
    sandwich = pytest.importorskip("statsmodels.stats.sandwich_covariance")
    api = pytest.importorskip("statsmodels.api")
    given = _drawn(np.random.default_rng(2), 8, 30, 8, 0.7, 1.0)
    found = _one(given)
    first = (given.system == 0).astype(float)
    fitted = api.OLS(given.value, api.add_constant(first)).fit()
    both, by_rater, by_segment = sandwich.cov_cluster_2groups(
        fitted, given.rater.astype(int), given.segment.astype(int), use_correction=False
    )
    intersection = by_rater[1, 1] + by_segment[1, 1] - both[1, 1]
    expected = by_segment[1, 1] * 30 / 29 + by_rater[1, 1] * 8 / 7 - intersection * 240 / 239
    assert found.others is not None
    assert found.others.standard_error == pytest.approx([np.sqrt(expected)], rel=1e-9)
    assert found.standard_error == pytest.approx([np.sqrt(by_segment[1, 1] * 30 / 29)], rel=1e-9)


def test_documents_are_clusters_where_there_are_ten() -> None:
    given = _drawn(np.random.default_rng(3), 6, 40, 2, 0.5, 1.0)
    found = _one(given, [f"d{i // 4}" for i in range(40)])
    assert (found.unit, found[0].units, found[0].segments) == ("document", 10, 40)


def test_a_system_rated_in_few_documents_is_compared_over_documents_too() -> None:
    documents = [f"d{i // 20}" for i in range(400)]
    false = np.zeros(3, dtype=int)
    for seed in range(60):
        random = np.random.default_rng(seed)
        values = np.repeat(random.normal(size=(3, 20)), 20, axis=1) + random.normal(size=(3, 400))
        values[2, 100:] = np.nan
        found = compare_rater_scores(RaterScores.of({"r": values}), "ABC", documents=documents, within="segment")
        assert [(row.units, row.documents) for row in found] == [(20, 20), (5, 5), (5, 5)]
        assert "only 5 documents" in found[1].data_caveat
        assert verdict(found[1]).word == "withheld"
        false += found.p_value <= 0.05
    # Each system has its own effect on each document: over segments half of these pairs came out as different.
    assert np.all(false <= scipy.stats.binom.ppf(0.999, 60, 0.05))


@pytest.mark.parametrize("raters", [1, 4])
def test_few_raters_stand_for_nobody_else(raters: int) -> None:
    found = _one(_drawn(np.random.default_rng(4), raters, 30, raters, 0.0, 1.0))
    assert found.others is None
    assert not lacking(found.no_others, "at least 5", "other raters")
    assert np.isfinite([found.p_value, found.ci_low, found.p_adjusted]).all()


def test_many_raters_of_whom_two_did_it_all_are_few() -> None:
    found = _one(_drawn(np.random.default_rng(5), 8, 200, 1, 0.3, 0.4))
    assert found.others is None
    assert "equal shares" in found.no_others


def test_a_variance_below_that_of_the_units_is_not_taken() -> None:
    """Two raters' groups that contradict each other exactly leave less than nothing for raters."""
    random = np.random.default_rng(6)
    for _ in range(50):
        found = _one(_drawn(random, 6, 30, 6, 0.0, 1.0))
        assert found.others is not None
        assert (found.others.standard_error >= found.standard_error).all()
    value = np.zeros((6, 2, 30))
    value[:, 0] = np.random.default_rng(7).normal(size=(1, 30))
    same = _one(RaterScores.of({f"j{number}": own for number, own in enumerate(value)}))
    assert same.others is not None
    assert same.others.standard_error[0] >= same.standard_error[0] > 0


def test_pairs_are_corrected_together_and_the_direction_is_the_ratings() -> None:
    random = np.random.default_rng(8)
    values = np.array([0.0, 0.2, 2.0])[:, None] + random.normal(size=(6, 3, 40))
    given = RaterScores.of({f"j{number}": own for number, own in enumerate(values)})
    found = compare_rater_scores(given, ("A", "B", "C"), within="segment").others
    assert found is not None
    assert list(zip(found.first, found.second, strict=True)) == [("A", "B"), ("A", "C"), ("B", "C")]
    ordered = np.sort(found.p_value) * [3, 2, 1]
    assert sorted(found.p_adjusted) == pytest.approx(np.minimum(1, np.maximum.accumulate(ordered)))
    assert [verdict(one).winner for one in found][1:] == ["C", "C"]
    lower = compare_rater_scores(given, ("A", "B", "C"), higher_is_better=False, within="segment").others
    assert lower is not None
    np.testing.assert_array_equal(lower.difference, -found.difference)
    with pytest.raises(NotApplicable, match="No two systems"):
        compare_rater_scores(given.where(given.system == 0), ("A", "B", "C"), within="segment")
    with pytest.raises(InvalidOption, match="found 'page'"):
        compare_rater_scores(given, ("A", "B", "C"), within="page")  # type: ignore[arg-type]


def _errors(sets: int, seed: int, *, fixed: bool = False, **design: float) -> int:
    random = np.random.default_rng(seed)
    wrong = 0
    for _ in range(sets):
        found = _one(_drawn(random, **design))  # type: ignore[arg-type]
        family = found if fixed else found.others
        wrong += family is not None and bool(family.p_value[0] <= 0.05)
    return wrong


CROSSED = {"raters": 6, "segments": 30, "each": 6, "taste": 0.5, "loads": 1.0}
NESTED = {"raters": 8, "segments": 60, "each": 1, "taste": 0.8, "loads": 1.0}
UNEQUAL = {"raters": 12, "segments": 60, "each": 2, "taste": 0.8, "loads": 0.85}


@pytest.mark.parametrize("design", [UNEQUAL, *slow(CROSSED, NESTED)])
def test_raters_who_lean_do_not_make_one_of_equal_systems_better(design: dict[str, float]) -> None:
    wrong = _errors(200, 11, **design)
    # A rate of .07 gives more only once in a thousand times.
    assert scipy.stats.binom.sf(wrong - 1, 200, 0.07) > 1e-3


@pytest.mark.slow
def test_with_these_raters_only_the_same_raters_who_lean_mislead() -> None:
    wrong = _errors(100, 12, fixed=True, **(CROSSED | {"taste": 0.8}))
    # The nulls above do break what takes raters as fixed: far more than .2 of such sets are called different.
    assert scipy.stats.binom.sf(wrong - 1, 100, 0.2) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("raters", [5, 8, 15])
@pytest.mark.parametrize("each", [1, 2, 5])
@pytest.mark.parametrize("taste", [0.0, 0.5, 1.5])
@pytest.mark.parametrize("loads", [1.0, 0.85])
def test_error_rates_over_designs(raters: int, each: int, taste: float, loads: float) -> None:
    design = {"raters": raters, "segments": 80, "each": each, "taste": taste, "loads": loads}
    wrong = _errors(1000, 13, **design)
    assert scipy.stats.binom.sf(wrong - 1, 1000, 0.07) > 1e-4


# --- within screens -------------------------------------------------------------------------------------------------


def _effects(given: RaterScores, keep: np.ndarray) -> np.ndarray:
    """Return the systems' effects by least squares on systems and screens, as a regression with dummies has them."""
    own = given.where(keep)
    screen = np.unique(own.rater * 10_000 + own.segment, return_inverse=True)[1]
    design = np.zeros((len(own), 4 + int(screen.max()) + 1))
    design[np.arange(len(own)), own.system] = 1
    design[np.arange(len(own)), 4 + screen] = 1
    effects = np.linalg.lstsq(design, own.value, rcond=None)[0][:4]
    return np.asarray(effects - effects.mean())


def test_differences_within_screens_are_least_squares_left_out_document_by_document() -> None:
    campaign = contrastive(np.random.default_rng(1), systems=4, tasks=15, per_screen=2, raters=7)
    given = campaign.ratings["esa"].rater_scores
    assert given is not None
    assert campaign.documents is not None
    found = compare_ratings(campaign, "esa", within="screen")
    document = np.unique(campaign.documents, return_inverse=True)[1][given.segment]
    assert found[0].units == 15

    def error(clusters: np.ndarray) -> np.ndarray:
        left = np.array([_effects(given, clusters != number) for number in np.unique(clusters)]) - whole
        apart = left[:, :, None] - left[:, None]
        k = len(left)
        return np.sqrt((k - 1) / k * np.square(apart).sum(axis=0))

    whole = _effects(given, np.ones(len(given), dtype=bool))
    rows = (
        [list(campaign.systems).index(name) for name in found.first],
        [list(campaign.systems).index(name) for name in found.second],
    )
    assert found.difference == pytest.approx(whole[rows[0]] - whole[rows[1]], abs=1e-10)
    assert found.standard_error == pytest.approx(error(document)[rows], rel=1e-9)
    if found.others is not None:
        units, raters, both = (error(x)[rows] ** 2 for x in (document, given.rater, document * 100 + given.rater))
        expected = np.sqrt(np.maximum(units + raters - both, np.maximum(units, raters)))
        known = ~np.isnan(found.others.standard_error)
        assert found.others.standard_error[known] == pytest.approx(expected[known], rel=1e-9)


def test_a_screen_takes_out_the_rater_and_the_segment() -> None:
    campaign = contrastive(np.random.default_rng(2), systems=4, tasks=30, per_screen=2)
    given = campaign.ratings["esa"].rater_scores
    assert given is not None
    moved = RaterScores(
        given.raters, given.rater, given.system, given.segment, given.value + 9.0 * given.rater - 3.0 * given.segment
    )
    names, documents = list(campaign.systems), campaign.documents
    one, other = (compare_rater_scores(x, names, documents=documents) for x in (given, moved))
    np.testing.assert_allclose(other.difference, one.difference, atol=1e-9)
    np.testing.assert_allclose(other.standard_error, one.standard_error, rtol=1e-9)
    assert "within screens" in one.signature  # systems change from screen to screen
    assert assignment(given).kind == "dynamic"


def test_systems_that_no_screen_connects_are_named_and_so_is_the_document_that_alone_does() -> None:
    values = np.full((1, 4, 40), np.nan)
    values[0, :2, :20], values[0, 2:, 20:] = 1.0, 2.0
    apart = RaterScores.of({"r": values[0] + np.random.default_rng(3).normal(size=(4, 40))})
    with pytest.raises(NotApplicable, match="no common scale: s0 and s1; s2 and s3"):
        compare_ratings(corpus_of(np.nan_to_num(values[0]), 2, apart), "esa", within="screen")
    values[0, :2, 20:22] = 1.0
    bridged = RaterScores.of({"r": values[0] + np.random.default_rng(3).normal(size=(4, 40))})
    with pytest.raises(NotApplicable, match="Only document d10 compares s0 and s1 with the others"):
        compare_ratings(corpus_of(np.nan_to_num(values[0]), 2, bridged), "esa", within="screen")


def test_assignments_are_told_by_counts() -> None:
    random = np.random.default_rng(4)
    full = random.normal(size=(3, 4, 20))
    alone = np.full_like(full, np.nan)
    for rater in range(3):
        alone[rater, :, rater::3] = full[rater, :, rater::3]
    kinds = [assignment(RaterScores.of(dict(zip("abc", each, strict=True)))).kind for each in (full, alone)]
    assert kinds == ["every rater", "one rater"]


def _false(sets: int, seed: int, **options: float) -> tuple[int, int]:
    """Return in how many campaigns of equal systems any pair is called better, for these raters and for others."""
    wrong = [0, 0]
    for campaign in many(contrastive, sets, seed, **options):
        found = compare_ratings(campaign, "esa", Settings(n_resamples=10))
        for place, family in enumerate((found, found.others)):
            wrong[place] += family is not None and any(verdict(one).winner for one in family)
    print(f"contrastive, {sets} campaigns, {options}: {wrong} of {sets} with a false verdict (these raters, others)")
    return wrong[0], wrong[1]


def test_equal_systems_of_a_dynamic_campaign_are_not_called_different() -> None:
    these, others = _false(25, 21, tasks=60)
    assert scipy.stats.binom.sf(these - 1, 25, 0.06) > 1e-3
    assert scipy.stats.binom.sf(others - 1, 25, 0.06) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("taste", [0.0, 0.3])
def test_error_rates_of_dynamic_campaigns(taste: float) -> None:
    these, others = _false(1000, 22, taste=taste)
    assert scipy.stats.binom.sf(others - 1, 1000, 0.06) > 1e-4
    if not taste:
        assert scipy.stats.binom.sf(these - 1, 1000, 0.06) > 1e-4
