"""Laws of the statistics, of their resamples and of the tests between metrics; brute force and simulation."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from agreement_oracles import made
from kept import worded
from sampled import sampled

from mtsig import Corpus, Rating, Settings
from mtsig.errors import UnknownName
from mtsig.meta_eval import (
    EXCHANGES,
    STATISTICS,
    RatedData,
    SoftPairwiseAccuracy,
    _statistic,
    calibrate_ties,
    compare_metrics,
    meta_eval,
    outliers,
    williams,
)
from mtsig.meta_eval import _groups as ties
from mtsig.meta_eval._exchanges import Hybrids
from mtsig.meta_eval._statistic import Redraw, percentiles, redrawn, redraws
from mtsig.meta_eval._systems import OfSystems


def some(seed: int, systems: int = 7, segments: int = 24, gaps: bool = True) -> RatedData:
    """Return ratings and two metrics of few values, so that there are ties, and with gaps."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    human, a, b = (np.round(10 * (quality + rng.normal(size=(systems, segments)))) for _ in range(3))
    if gaps:
        human[rng.random(human.shape) < 0.15] = np.nan
    return made(human, a=a, b=b)


OF_SEGMENTS = [one for one in STATISTICS.values() if one.level == "segment"]
ALL = [
    SoftPairwiseAccuracy("normal"),
    *(one for one in STATISTICS.values() if one.name != "spa"),
    *(replace(one, by=by) for one in OF_SEGMENTS for by in ("system", "none") if one.name != "darr"),
]


@pytest.mark.parametrize("statistic", ALL, ids=lambda one: f"{one.name}-{getattr(one, 'by', '')}")
def test_the_order_of_systems_and_of_segments_says_nothing(statistic) -> None:
    rated = some(1)
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(7), rng.permutation(24)
    human, a = (rated.ratings[rows][:, columns], rated.cells("a")[rows][:, columns])
    np.testing.assert_allclose(statistic.value(made(human, a=a), "a"), statistic.value(rated, "a"), atol=1e-12)


@pytest.mark.parametrize("statistic", ALL, ids=lambda one: f"{one.name}-{getattr(one, 'by', '')}")
def test_a_redraw_of_everything_once_is_the_value_itself(statistic) -> None:
    rated = some(3, segments=60)
    statistic = statistic.fitted(rated, "a")
    once = Redraw(np.ones((2, rated.n)), np.ones((2, 7)))
    found = statistic.redrawn(rated, "a", once)
    if not np.isnan(found).all():
        np.testing.assert_allclose(found, statistic.value(rated, "a"), atol=1e-12)
    else:
        assert getattr(statistic, "by", "item") != "item"


@pytest.mark.parametrize("name", [name for name in STATISTICS if name != "spa"])
def test_a_redraw_is_the_statistic_of_the_drawn_rows_and_columns(name: str) -> None:
    rated = some(4, gaps=False)
    statistic = STATISTICS[name].fitted(rated, "a")
    for redraw in redraws(rated, "both", 10, 9):
        found = statistic.redrawn(rated, "a", redraw)
        for value, segments, systems in zip(found, redraw.segments, redraw.systems, strict=True):
            rows = np.repeat(np.arange(7), systems.astype(int))
            columns = np.repeat(np.arange(24), segments.astype(int))
            # Apart by a name, together by their scores: a system drawn twice is two systems.
            drawn = made(rated.ratings[rows][:, columns], a=rated.cells("a")[rows][:, columns])
            if name not in ("acc_eq", "acc_eq_0", "tau_eq"):
                np.testing.assert_allclose(value, STATISTICS[name].value(drawn, "a"), atol=1e-9)
            else:
                # Pairs of one system with itself, ties of both, are left out of the redraw and counted here.
                same = systems[:, None] * systems[None]
                first, second = np.triu_indices(7, 1)
                counts = same[first, second]
                h, m = rated.ratings[:, columns], rated.cells("a")[:, columns]
                terms = statistic.terms(h, m)
                items = statistic.ratio(np.einsum("tpn,p->tn", terms, counts))
                np.testing.assert_allclose(value, np.nanmean(items), atol=1e-9)


def test_statistics_of_systems_are_scipys() -> None:
    rated = some(5)
    h, a = rated.system_scores("people"), rated.system_scores("a")
    np.testing.assert_allclose(STATISTICS["pearson"].value(rated, "a"), scipy.stats.pearsonr(h, a)[0])
    np.testing.assert_allclose(STATISTICS["spearman"].value(rated, "a"), scipy.stats.spearmanr(h, a)[0])
    np.testing.assert_allclose(STATISTICS["kendall"].value(rated, "a"), scipy.stats.kendalltau(h, a)[0])
    right = [np.sign(h[i] - h[j]) == np.sign(a[i] - a[j]) for i, j in combinations(range(7), 2)]
    np.testing.assert_allclose(STATISTICS["accuracy"].value(rated, "a"), np.mean(right))


def test_rounding_makes_no_correlation() -> None:
    human, equal_scores = np.array([[1.0], [2.0], [3.0]]), np.array([[0.1 + 0.2], [0.3], [0.3]])
    rated = made(human, m=np.full((3, 1), 0.3))
    for name in ("pearson", "spearman", "kendall"):
        assert np.isnan(STATISTICS[name].of(human, equal_scores, np.ones((1, 3)))[0])
        assert np.isnan(STATISTICS[name].value(rated, "m"))
    worded(STATISTICS["pearson"].undefined(rated, "m"))
    two = made(np.array([[1.0, 2], [2, 3]]), m=np.array([[0.1, 0.2], [0.3, 0.3]]))
    assert np.isnan(STATISTICS["pearson"].value(two, "m"))
    worded(STATISTICS["pearson"].undefined(two, "m"), "1", "−1")
    assert STATISTICS["accuracy"].value(two, "m") == 1.0


def test_outliers_are_of_people_and_none_of_few_or_of_a_tight_middle() -> None:
    scores = np.array([1.0, 1.1, 1.2, 1.3, 1.4, 9.0])[:, None]
    assert outliers(made(scores, m=scores)).tolist() == [False] * 5 + [True]
    assert not outliers(made(scores[2:], m=scores[2:])).any()
    tight = np.array([1.0, 1, 1, 1, 1, 9])[:, None]
    assert not outliers(made(tight, m=tight)).any()


@pytest.mark.parametrize("seed", range(4))
def test_calibration_is_the_best_of_all_thresholds(seed: int) -> None:
    rated = some(seed)
    found = calibrate_ties(rated, "a")
    cells = rated.cells("a")
    gaps = np.abs(cells[:, None] - cells[None]).ravel()
    by_threshold = {
        float(epsilon): replace(STATISTICS["acc_eq_0"], epsilon=float(epsilon)).value(rated, "a")
        for epsilon in np.unique(np.round(gaps[~np.isnan(gaps)], 9))
    }
    best = max(by_threshold.values())
    np.testing.assert_allclose(found.accuracy, best, atol=1e-12)
    np.testing.assert_allclose(found.epsilon, min(e for e, x in by_threshold.items() if x >= best - 1e-9), atol=1e-9)
    np.testing.assert_allclose(STATISTICS["acc_eq"].value(rated, "a"), best, atol=1e-12)
    assert found.at_zero <= found.accuracy + 1e-12


def test_calibration_by_bins_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    for decimals in (1, 8):
        human = rng.integers(0, 4, size=(300, 1)).astype(float)
        metric = np.round(human + 2 * rng.normal(size=human.shape), decimals)
        at_once = ties.calibrated(human, metric)
        with monkeypatch.context() as patched:
            patched.setattr(ties, "MOST_SORTED", 0)
            patched.setattr(ties, "BINS", 64)
            np.testing.assert_allclose(ties.calibrated(human, metric), at_once, atol=1e-12)


@pytest.mark.parametrize("systems", [6, 140])
def test_thresholds_without_each_fold_are_those_of_the_others_and_sort_once(
    systems: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(systems)
    human = rng.integers(0, 4, size=(systems, 23)).astype(float)
    metric = np.round(human + 2 * rng.normal(size=human.shape), 1)
    human[rng.random(human.shape) < 0.2] = np.nan
    human[:, 4] = np.nan
    folds = np.arange(23) % 5
    alone = [ties.calibrated(human[:, folds != fold], metric[:, folds != fold])[1] for fold in range(5)]
    sorts, ascending = list[int](), ties._ascending
    monkeypatch.setattr(ties, "_ascending", lambda sizes: sorts.append(len(sizes)) or ascending(sizes))
    assert ties.thresholds_without(human, metric, folds) == alone
    assert len(sorts) == 1
    monkeypatch.setattr(ties, "MOST_SORTED", 0)
    np.testing.assert_allclose(ties.thresholds_without(human, metric, folds), alone, atol=1e-12)


def test_sizes_ascend_as_numpy_sorts_them_stably() -> None:
    rng = np.random.default_rng(0)
    for sizes in (np.abs(rng.normal(size=5_000)), rng.integers(0, 9, 5_000) / 7, np.zeros(3), np.zeros(0)):
        sizes = np.concatenate([sizes, [5e-324, 1e308, 0.0]])
        np.testing.assert_array_equal(ties._ascending(sizes), np.argsort(sizes, kind="stable"))


def test_the_signs_of_pairs_are_made_once_for_each_rating_and_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two metrics, two statistics, and resamples of segments with and without systems share them."""
    made_signs, signs = list[int](), _statistic.signs_of_pairs
    monkeypatch.setattr(_statistic, "signs_of_pairs", lambda scores: made_signs.append(1) or signs(scores))
    redrawn(some(77, gaps=False), [STATISTICS["accuracy"], STATISTICS["kendall"]], draws=2 * 256, seed=77)
    assert len(made_signs) == 2 * 3


@pytest.mark.parametrize("columns", [1, 3])
def test_parts_of_pairs_change_no_digit(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def values() -> list[np.ndarray]:
        asked = [STATISTICS[name] for name in ("spa", "accuracy", "kendall", "acc_eq", "darr")]
        return [*redrawn(some(78), asked, draws=300, seed=columns).values.values()]

    whole = values()
    _statistic._place.kept.clear()
    monkeypatch.setattr(_statistic, "_AT_ONCE", 256 * columns)
    for parts, at_once in zip(values(), whole, strict=True):
        np.testing.assert_array_equal(parts, at_once)


def test_a_metric_that_never_decides_is_called_so() -> None:
    rng = np.random.default_rng(8)
    human = rng.choice([0.0, 0, 0, 0, -1], size=(8, 60))
    rated = made(human, noise=rng.normal(size=human.shape))
    found = meta_eval(rated, ["acc_eq"], settings=Settings(n_resamples=50))
    row = found.of("noise", "acc_eq")
    assert calibrate_ties(rated, "noise").never_decides
    worded(found.notes)
    assert row.crossfit <= row.value
    np.testing.assert_allclose(row.baseline, STATISTICS["acc_eq_0"].value(made(human, m=np.zeros_like(human)), "m"))


def test_a_result_carries_what_makes_it_again() -> None:
    rated = some(11)
    found = meta_eval(rated, ["pearson", "accuracy"], settings=Settings(n_resamples=100, seed=7, level=0.9))
    again = meta_eval(rated, ["pearson", "accuracy"], settings=Settings(n_resamples=100, seed=7, level=0.9))
    assert found.rows() == again.rows()
    assert (found.draws, found.seed, found.unit, found.over) == (100, 7, "segment", "both")
    assert found.digest == rated.digest
    assert found.digest.startswith("sha256:")
    row = found.of("a", "accuracy")
    assert row.ci_low <= row.value <= row.ci_high
    assert row.loo_low <= row.value <= row.loo_high
    assert {row.loo_low_without, row.loo_high_without} <= set(rated.systems)
    assert list(found.to_frame()["metric"]) == ["a", "b", "a", "b"]
    assert "90% CI" in (found._repr_html_() or "")
    with pytest.raises(UnknownName, match=r"no statistic called 'peerson'\. Did you mean 'pearson'"):
        meta_eval(rated, ["peerson"])


def test_few_systems_stand_for_no_others() -> None:
    rated = some(12, systems=4)
    found = meta_eval(rated, ["accuracy"], settings=Settings(n_resamples=50))
    assert all(np.isnan(one.ci_low) for one in found)
    worded(found.notes, "4 systems")
    within = meta_eval(rated, ["accuracy"], over="segments", settings=Settings(n_resamples=50))
    assert not any(np.isnan(one.ci_low) for one in within)


def test_the_value_with_human_translations_stands_beside() -> None:
    rng = np.random.default_rng(4)
    human, a = rng.normal(size=(2, 4, 10))
    ratings = {name: Rating(x, higher_is_better=True) for name, x in (("people", human), ("a", a))}
    corpus = Corpus.of(dict.fromkeys(["A", "B", "C", "refB"]), ratings=ratings)
    rated = RatedData.of(corpus, "rating:people", ["rating:a"])
    row = meta_eval(rated, ["pearson"], settings=Settings(n_resamples=20)).of("a", "pearson")
    assert row.systems == 3
    np.testing.assert_allclose(row.with_humans, np.corrcoef(human.mean(axis=1), a.mean(axis=1))[0, 1])


@dataclass(frozen=True)
class Covariance(OfSystems):
    """A statistic from outside."""

    name = "covariance"
    label = "covariance"

    def terms(self, human: np.ndarray, metric: np.ndarray) -> np.ndarray:
        return np.stack([np.ones_like(human), human, metric, human * metric])

    def ratio(self, sums: np.ndarray) -> np.ndarray:
        n, h, m, product = sums
        return product / n - h * m / n**2


def test_a_statistic_of_ones_own_has_intervals_and_tests() -> None:
    rated = some(13)
    found = meta_eval(rated, [Covariance()], settings=Settings(n_resamples=200)).of("a", "covariance")
    expected = np.cov(rated.system_scores("people"), rated.system_scores("a"), bias=True)[0, 1]
    np.testing.assert_allclose(found.value, expected)
    assert found.ci_low < found.value < found.ci_high
    family = compare_metrics(rated, Covariance(), "systems")
    assert family.complete
    assert 0 < family.p_value[0] <= 1


@pytest.mark.parametrize("name", STATISTICS)
def test_every_statistic_in_the_table_says_what_it_is(name: str) -> None:
    statistic = STATISTICS[name]
    assert statistic.name == name
    assert statistic.label
    assert statistic.about.endswith(".")
    perfect = some(14, gaps=False)
    rated = made(perfect.ratings, m=perfect.ratings)
    np.testing.assert_allclose(statistic.value(rated, "m"), 1.0, atol=1e-9)


# Error rates under nulls: both metrics see as much of the quality as the other.


def null_sets(systems: int, segments: int, own_view: float, count: int, seed: int) -> np.ndarray:
    """Return people's scores and those of two equally good metrics: (count, 3, systems, segments)."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(scale=0.5, size=(count, 1, systems, 1))
    view = np.zeros((count, 3, systems, 1))
    view[:, 1:] = own_view * rng.normal(size=(count, 2, systems, 1))
    return quality + view + rng.normal(size=(count, 3, systems, segments))


def p_of(rated: RatedData, unit: str) -> float:
    """Return the p of exchanging metrics for Pearson's correlation, without the intervals that go with it."""
    null, observed = Hybrids(
        rated, STATISTICS["pearson"], ("a", "b"), EXCHANGES[unit], Settings(n_resamples=199)
    ).null()
    extreme = np.count_nonzero(np.abs(null[0]) >= np.abs(observed[0]) - 1e-9)
    return extreme / null.shape[1] if unit == "systems" else (extreme + 1) / (null.shape[1] + 1)


def within(errors: int, trials: int, rate: float = 0.05) -> bool:
    """Return whether so many errors go with an error rate of at most `rate`; wrongly refused once in ten thousand."""
    return scipy.stats.binom.sf(errors - 1, trials, rate) > 1e-4


@pytest.mark.parametrize("own_view", [0.0, 0.2])
def test_williams_keeps_its_level(own_view: float) -> None:
    errors, count = 0, 600
    for human, a, b in null_sets(8, 100, own_view, count, 1):
        r = np.corrcoef([x.mean(axis=1) for x in (human, a, b)])
        errors += williams(r[0, 1], r[0, 2], r[1, 2], 8).p_value <= 0.05
    assert within(errors, count)


@sampled("own_view", [0.0, 0.2], most=1)
@pytest.mark.slow
def test_systems_exchanged_err_a_little_more_than_they_say(own_view: float) -> None:
    errors, count = 0, 150
    for human, a, b in null_sets(8, 100, own_view, count, 2):
        errors += p_of(made(human, a=a, b=b), "systems") <= 0.05
    # Measured .066 to .070 at a thousand.
    assert within(errors, count, 0.07)


@pytest.mark.slow
def test_items_exchanged_keep_their_level_on_these_systems_and_speak_of_no_others() -> None:
    count = 150
    errors = [0, 0]
    for number, own_view in enumerate((0.0, 0.2)):
        for human, a, b in null_sets(8, 100, own_view, count, 3):
            errors[number] += p_of(made(human, a=a, b=b), "item") <= 0.05
    assert within(errors[0], count)
    assert errors[1] > 0.2 * count


@pytest.mark.slow
def test_items_of_item_accuracies_keep_their_level_and_pairs_do_not() -> None:
    count, errors, by_pairs = 60, 0, 0
    for human, a, b in null_sets(10, 60, 0.0, count, 4):
        rated = made(human, a=a, b=b)
        errors += compare_metrics(rated, "acc_eq_0", "item", Settings(n_resamples=99)).p_value[0] <= 0.05
        by_pairs += compare_metrics(rated, "acc_eq_0", "pairs", Settings(n_resamples=10)).p_value[0] <= 0.05
    assert within(errors, count)
    assert not within(by_pairs, count)


@sampled("systems", [8, 12, 15], most=1)
def test_intervals_over_both_cover_the_accuracy_of_all_systems(systems: int) -> None:
    # The truth: the chance that two new systems are ordered alike by a metric and by people, on endless segments.
    rng = np.random.default_rng(9)
    quality, view = rng.normal(scale=0.5, size=(2, 200_000)), 0.3 * rng.normal(size=(2, 200_000))
    truth = np.mean((quality[0] > quality[1]) == (quality[0] + view[0] > quality[1] + view[1]))
    hit, count = 0, 60
    for _ in range(count):
        q = rng.normal(scale=0.5, size=(systems, 1))
        human = q + 0.5 * rng.normal(size=(systems, 80))
        a = q + 0.3 * rng.normal(size=(systems, 1)) + 0.5 * rng.normal(size=(systems, 80))
        drawn = redrawn(made(human, a=a), [STATISTICS["accuracy"]], draws=256)
        low, high = drawn.ends("accuracy", "a", 0.95)
        hit += low <= truth <= high
    # Percentiles of few systems are a little too narrow, never by much.
    assert within(count - hit, count, 0.1)


def rated(seed: int) -> RatedData:
    """Return five to eight systems rated by people and two metrics, on few segments."""
    rng = np.random.default_rng(seed)
    systems, n = int(rng.integers(5, 9)), int(rng.integers(8, 30))
    people = rng.normal(0, 0.3, (systems, 1)) + rng.normal(size=(systems, n))
    scores = {"esa": people, "near": people + rng.normal(0, 0.3, (systems, n)), "far": rng.normal(size=(systems, n))}
    ratings = {name: Rating(values, higher_is_better=True) for name, values in scores.items()}
    corpus = Corpus.of(dict.fromkeys("ABCDEFGH"[:systems]), ratings=ratings)
    return RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])


@sampled("over", ["segments", "systems", "both"], most=1)
@pytest.mark.slow
def test_intervals_of_agreement_hold_their_values(over: str) -> None:
    held = 0
    for seed in range(12):
        found = meta_eval(
            rated(seed), ["spa", "accuracy", "pearson", "kendall"], settings=Settings(n_resamples=100), over=over
        )  # type: ignore[arg-type]
        for row in found:
            if not np.isnan(row.ci_low):
                held += 1
                assert row.ci_low <= row.value <= row.ci_high
    assert held > 50


def test_intervals_of_differences_between_metrics_hold_them() -> None:
    for seed in range(12):
        for one in compare_metrics(rated(seed), settings=Settings(n_resamples=100)):
            assert np.isnan(one.ci_low) or one.ci_low <= one.difference <= one.ci_high


def test_only_the_nearer_end_moves() -> None:
    draws = np.linspace(0.0, 0.8, 1001)
    low, high, undefined = percentiles(draws, 0.9, 0.95)
    assert (round(low, 3), high, undefined) == (0.04, 0.95, 0)
    assert percentiles(draws, 0.9, 0.5) == percentiles(draws, 0.9)
    assert percentiles(draws, 0.9)[:2] == pytest.approx((0.04, 0.76))
