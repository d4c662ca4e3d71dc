"""Judges as a source of chance: the variance written out, error rates where judges differ, and what is refused."""

import numpy as np
import pytest
import scipy

from mtsig.corpus import Judgements
from mtsig.errors import NotApplicable
from mtsig.meta_eval._random_raters import JudgedComparison, compare_with_random_judges

NAMES = ("A", "B")


def _one(given: Judgements, documents: list[str] | None = None) -> JudgedComparison:
    (found,) = compare_with_random_judges(given, NAMES, documents=documents).comparisons
    return found


def _drawn(
    random: np.random.Generator, judges: int, segments: int, each: int, taste: float, loads: float
) -> Judgements:
    """Two equal systems; every segment judged by `each` judges, who lean to one of the systems by chance of SD `taste`.

    loads: how much less each further judge works than the one before.
    """
    leaning = taste * random.normal(size=(judges, 2, 1))
    level = random.normal(size=(1, segments)) + 0.5 * random.normal(size=(2, segments))
    share = loads ** np.arange(judges)
    values = level + leaning + random.normal(size=(judges, 1, 1)) + random.normal(size=(judges, 2, segments))
    chosen = np.zeros((judges, segments), dtype=bool)
    for segment in range(segments):
        chosen[random.choice(judges, each, replace=False, p=share / share.sum()), segment] = True
    values[~np.repeat(chosen[:, None], 2, axis=1)] = np.nan
    return Judgements.of({f"j{number}": own for number, own in enumerate(values)})


def test_the_variance_is_the_sum_over_clusters_written_out() -> None:
    given = _drawn(np.random.default_rng(1), 6, 20, 3, 0.5, 1.0)
    found = _one(given)
    rows = list(zip(given.system.tolist(), given.segment.tolist(), given.judge.tolist(), given.value, strict=True))
    cells = {(s, t): [v for a, b, _, v in rows if (a, b) == (s, t)] for s in (0, 1) for t in range(20)}
    means = [np.mean([np.mean(cells[s, t]) for t in range(20)]) for s in (0, 1)]
    assert found.difference == pytest.approx(means[0] - means[1])
    moved = [((1, -1)[s] * (v - means[s]) / len(cells[s, t]) / 20, t, j) for s, t, j, v in rows]

    def variance(keys: list[object]) -> float:
        sums = {key: sum(m for (m, _, _), own in zip(moved, keys, strict=True) if own == key) for key in set(keys)}
        return len(sums) / (len(sums) - 1) * sum(one**2 for one in sums.values())

    by_segment = variance([t for _, t, _ in moved])
    more = variance([j for _, _, j in moved]) - variance([(t, j) for _, t, j in moved])
    assert found.fixed_error == pytest.approx(np.sqrt(by_segment))
    assert found.standard_error == pytest.approx(np.sqrt(by_segment + max(0.0, more)))
    # The segments alone are the paired t test of the outputs' means.
    paired = [np.mean(cells[0, t]) - np.mean(cells[1, t]) for t in range(20)]
    assert found.fixed_p == pytest.approx(scipy.stats.ttest_1samp(paired, 0).pvalue)
    assert 3 < found.df < 5.001


def test_the_clusters_are_those_of_statsmodels() -> None:
    sandwich = pytest.importorskip("statsmodels.stats.sandwich_covariance")
    api = pytest.importorskip("statsmodels.api")
    given = _drawn(np.random.default_rng(2), 8, 30, 8, 0.7, 1.0)
    found = _one(given)
    first = (given.system == 0).astype(float)
    fitted = api.OLS(given.value, api.add_constant(first)).fit()
    both, by_judge, by_segment = sandwich.cov_cluster_2groups(
        fitted, given.judge.astype(int), given.segment.astype(int), use_correction=False
    )
    intersection = by_judge[1, 1] + by_segment[1, 1] - both[1, 1]
    expected = by_segment[1, 1] * 30 / 29 + by_judge[1, 1] * 8 / 7 - intersection * 240 / 239
    assert found.standard_error == pytest.approx(np.sqrt(expected), rel=1e-9)
    assert found.fixed_error == pytest.approx(np.sqrt(by_segment[1, 1] * 30 / 29), rel=1e-9)


def test_documents_are_clusters_where_there_are_ten() -> None:
    given = _drawn(np.random.default_rng(3), 6, 40, 2, 0.5, 1.0)
    found = _one(given, [f"d{i // 4}" for i in range(40)])
    assert (found.unit, found.units, found.segments) == ("document", 10, 40)


@pytest.mark.parametrize("judges", [1, 4])
def test_few_judges_stand_for_nobody_else(judges: int) -> None:
    found = _one(_drawn(np.random.default_rng(4), judges, 30, judges, 0.0, 1.0))
    assert np.isnan([found.p_value, found.standard_error, found.ci_low, found.p_adjusted]).all()
    assert found.winner is None
    assert "5 at least can stand for other judges" in found.reason
    assert np.isfinite([found.fixed_p, found.fixed_low, found.fixed_adjusted]).all()


def test_many_judges_of_whom_two_did_it_all_are_few() -> None:
    found = _one(_drawn(np.random.default_rng(5), 8, 200, 1, 0.3, 0.4))
    assert found.judges > 4
    assert found.like_judges < 4
    assert "of equal load" in found.reason


def test_a_variance_below_that_of_the_units_is_not_taken() -> None:
    """Two judges' groups that contradict each other exactly leave less than nothing for judges."""
    random = np.random.default_rng(6)
    for _ in range(50):
        found = _one(_drawn(random, 6, 30, 6, 0.0, 1.0))
        assert found.standard_error >= found.fixed_error
    value = np.zeros((6, 2, 30))
    value[:, 0] = np.random.default_rng(7).normal(size=(1, 30))
    same = _one(Judgements.of({f"j{number}": own for number, own in enumerate(value)}))
    assert same.standard_error >= same.fixed_error > 0


def test_pairs_are_corrected_together_and_the_direction_is_the_ratings() -> None:
    random = np.random.default_rng(8)
    values = np.array([0.0, 0.2, 2.0])[:, None] + random.normal(size=(6, 3, 40))
    given = Judgements.of({f"j{number}": own for number, own in enumerate(values)})
    found = compare_with_random_judges(given, ("A", "B", "C")).comparisons
    assert [(one.first, one.second) for one in found] == [("A", "B"), ("A", "C"), ("B", "C")]
    p = np.array([one.p_value for one in found])
    order = np.sort(p) * [3, 2, 1]
    assert sorted(one.p_adjusted for one in found) == pytest.approx(np.minimum(1, np.maximum.accumulate(order)))
    assert [one.winner for one in found][1:] == ["C", "C"]
    lower = compare_with_random_judges(given, ("A", "B", "C"), higher_is_better=False).comparisons
    assert [one.difference for one in lower] == pytest.approx([-one.difference for one in found])
    with pytest.raises(NotApplicable, match="No two systems"):
        compare_with_random_judges(given.where(given.system == 0), ("A", "B", "C"), [("A", "B")])


def _errors(sets: int, seed: int, *, fixed: bool = False, **design: float) -> int:
    random = np.random.default_rng(seed)
    wrong = 0
    for _ in range(sets):
        found = _one(_drawn(random, **design))  # type: ignore[arg-type]
        wrong += (found.fixed_p if fixed else found.p_value) <= 0.05
    return wrong


CROSSED = {"judges": 6, "segments": 30, "each": 6, "taste": 0.5, "loads": 1.0}
NESTED = {"judges": 8, "segments": 60, "each": 1, "taste": 0.8, "loads": 1.0}
UNEQUAL = {"judges": 12, "segments": 60, "each": 2, "taste": 0.8, "loads": 0.85}


@pytest.mark.parametrize("design", [CROSSED, NESTED, UNEQUAL], ids=["crossed", "nested", "unequal loads"])
def test_judges_who_lean_do_not_make_one_of_equal_systems_better(design: dict[str, float]) -> None:
    wrong = _errors(200, 11, **design)
    # A rate of .07 gives more only once in a thousand times.
    assert scipy.stats.binom.sf(wrong - 1, 200, 0.07) > 1e-3


def test_with_these_judges_only_the_same_judges_who_lean_mislead() -> None:
    wrong = _errors(100, 12, fixed=True, **(CROSSED | {"taste": 0.8}))
    # The nulls above do break what takes judges as fixed: far more than .2 of such sets are called different.
    assert scipy.stats.binom.sf(wrong - 1, 100, 0.2) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("judges", [5, 8, 15])
@pytest.mark.parametrize("each", [1, 2, 5])
@pytest.mark.parametrize("taste", [0.0, 0.5, 1.5])
@pytest.mark.parametrize("loads", [1.0, 0.85])
def test_error_rates_over_designs(judges: int, each: int, taste: float, loads: float) -> None:
    design = {"judges": judges, "segments": 80, "each": each, "taste": taste, "loads": loads}
    wrong = _errors(1000, 13, **design)
    assert scipy.stats.binom.sf(wrong - 1, 1000, 0.07) > 1e-4
