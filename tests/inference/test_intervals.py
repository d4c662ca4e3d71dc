"""Intervals: where the jackknife gives way, what is refused, and the limits that drawing leaves in p."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from made import made_binary, made_corpus, made_ratings, made_statistics, rated
from made_means import means
from scipy import optimize, stats

from mtsig import Settings, adjust, interval, measure, resampling
from mtsig._probability import clopper_pearson, count_extreme
from mtsig._say import say
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.inference import INTERVALS, _targets, compare, smallest_detectable
from mtsig.inference._adjust import win_rates
from mtsig.inference._family import conclusions
from mtsig.inference._significance import ShiftBootstrap
from mtsig.inference._targets import Scores, pairs_of
from mtsig.inference._tests import StudentizedBootstrap
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Bootstrap, resample, resample_together


def fitting(method: str) -> Statistics:
    """Return data that the method is for."""
    return {"t": made_ratings, "wilson": made_binary}.get(method, made_statistics)()


def without_four_grams(statistics: Statistics, row: int = 1, method: str = "exp") -> Statistics:
    values = statistics.values.copy()
    values[5, row] = 0
    return replace(statistics, values=values, metric=Bleu(smooth_method=method))


@pytest.mark.parametrize("draws", [20, 1000])
def test_limits_of_a_drawn_p_are_those_of_a_binomial_share(draws: int) -> None:
    extreme = np.array([0, 1, draws // 3, draws - 1, draws])
    low, high = clopper_pearson(extreme.astype(float), draws)
    known = [stats.binomtest(int(c), draws).proportion_ci(0.95, method="exact") for c in extreme]
    assert low == pytest.approx([one.low for one in known], abs=1e-12)
    assert high == pytest.approx([one.high for one in known], abs=1e-12)


def test_values_equal_on_paper_count_as_equal() -> None:
    # 0.1 + 0.2 and 0.3 differ in the last bit; for large scores the slack grows with them.
    null = np.array([[0.1 + 0.2, 0.3 - 1e-12, 0.29], [-3e6, 3e6 - 1e-4, 3e6 - 1.0]])
    assert count_extreme(null, np.array([0.3, -3e6])).tolist() == [2, 2]


def test_jackknife_gives_way_to_percentile_where_an_order_has_no_match() -> None:
    statistics = without_four_grams(made_statistics())
    found = interval(statistics)
    expected = interval(statistics, "percentile")
    assert found.interval == ("jackknife", "percentile", "jackknife", "jackknife")
    assert [found.ci_low[1], found.ci_high[1]] == [expected.ci_low[1], expected.ci_high[1]]
    assert found.ci_low[0] != expected.ci_low[0]
    worded(found.notes)


def test_differences_with_such_a_system_give_way_too() -> None:
    family = compare(without_four_grams(made_statistics(systems=3)))
    assert family.interval == ("percentile", "jackknife", "percentile")
    assert np.isfinite(family.ci_low).all()
    worded(family.notes)


def test_resamples_that_lean_on_smoothing_are_told() -> None:
    notes = [note.text for note in interval(without_four_grams(made_statistics())).notes]
    assert any("0.1% of resamples" in text and "sys1" in text for text in notes)


def test_without_smoothing_they_are_refused() -> None:
    statistics = without_four_grams(made_statistics(), method="none")
    for refused in (interval, compare):
        with pytest.raises(NotApplicable, match="sys1"):
            refused(statistics)


def test_without_smoothing_plain_data_are_fine() -> None:
    statistics = replace(made_statistics(), metric=Bleu(smooth_method="none"))
    assert interval(statistics).ci_low == pytest.approx(interval(made_statistics()).ci_low)


def test_wider_levels_make_wider_intervals() -> None:
    for method in set(INTERVALS) - {"sacrebleu"}:  # which knows one level only
        narrow, wide = (interval(fitting(method), method, level, Bootstrap(1000)) for level in (0.8, 0.99))
        assert np.all((wide.ci_low < narrow.ci_low) & (narrow.ci_high < wide.ci_high))


def test_percentile_is_the_middle_of_the_draws() -> None:
    plan = Bootstrap(500, seed=3)
    draws = np.sort(resample(made_statistics(), plan).draws, axis=-1)
    found = interval(made_statistics(), "percentile", 0.9, plan)
    inside = np.mean((draws >= found.ci_low[:, None]) & (draws <= found.ci_high[:, None]), axis=-1)
    assert np.all(np.abs(inside - 0.9) <= 2 / 500)
    assert np.all((draws[:, 24] <= found.ci_low) & (found.ci_low <= draws[:, 25]))


def test_method_by_object_is_method_by_name() -> None:
    for name, method in INTERVALS.items():
        by_name, by_object = (interval(fitting(name), each, scheme=Bootstrap(200)) for each in (name, method))
        assert np.array_equal(by_name.ci_low, by_object.ci_low)


def test_known_documents_are_the_unit_from_ten_on() -> None:
    found = interval(measure(made_corpus(documents=10), "chrf"))
    fewer = interval(measure(made_corpus(documents=9), "chrf"))
    assert (found.unit, found.n_units) == ("document", 10)
    assert (fewer.unit, fewer.n_units) == ("segment", 60)


@pytest.mark.parametrize("documents", [9, 0])
def test_documents_that_are_too_few_or_unknown_are_refused(documents: int) -> None:
    statistics = measure(made_corpus(documents=documents), "chrf")
    with pytest.raises(NotApplicable, match="document"):
        interval(statistics, scheme=Bootstrap(unit="document"))


def test_one_system_cannot_be_compared() -> None:
    with pytest.raises(NotApplicable, match="two systems"):
        compare(made_statistics(systems=1))


def test_a_system_cannot_be_compared_with_itself() -> None:
    with pytest.raises(NotApplicable, match="itself"):
        compare(made_statistics(), pairs=[("sys1", "sys1")])


def test_one_unit_has_no_spread() -> None:
    found = interval(means([[1.0], [2.0]]))
    assert found.score.tolist() == [1.0, 2.0]
    assert np.isnan([*found.ci_low, *found.ci_high]).all()
    with pytest.raises(NotApplicable, match="at least 2"):
        compare(means([[1.0], [2.0]]))


@pytest.mark.parametrize("level", [0.4, 1.0, 95.0, float("nan")])
def test_levels_out_of_range_are_refused(level: float) -> None:
    with pytest.raises(InvalidOption):
        interval(made_statistics(), level=level)
    with pytest.raises(InvalidOption):
        compare(made_statistics(), level=level)


def test_unknown_names_are_answered_with_what_exists() -> None:
    with pytest.raises(UnknownName, match="ij, percentile"):
        interval(made_statistics(), "wald")
    with pytest.raises(UnknownName, match="bootstrap-shift"):
        compare(made_statistics(), "z-test")
    with pytest.raises(UnknownName, match="sys3"):
        compare(made_statistics(), pairs="sys9")


def test_pairs_against_one_system() -> None:
    family = compare(made_statistics(), pairs="sys2")
    assert family.first == ("sys0", "sys1", "sys3")
    assert set(family.second) == {"sys2"}


@pytest.mark.parametrize(("draws", "told"), [(118, True), (119, False)])
def test_too_few_draws_for_the_family_are_told(draws: int, told: bool) -> None:
    # Six comparisons at .05: Bonferroni needs a p of .05/6 = 1/120, so 119 draws.
    family = compare(made_statistics(), ShiftBootstrap(Bootstrap(draws)))
    assert not any("are needed" in note.text for note in family.notes)  # not yet corrected: nothing is needed
    for correction in ("minp", "holm", "bonferroni", "bh"):
        notes = [note.text for note in adjust(family, correction).notes if "119 are needed" in note.text]
        assert len(notes) == told
    assert not any("are needed" in note.text for note in adjust(adjust(family, "minp"), "none").notes)


def test_draws_without_a_standard_error_are_dropped_from_the_studentized_test() -> None:
    # Three of five segments differ: draws that miss all three, or take one alone, have no spread to divide by.
    scores = np.array([[3.0, 1, 4, 2, 2], [1.0, 2, 1, 2, 2]])
    statistics, plan = rated(scores), Bootstrap(400, 7, "segment")
    found = compare(statistics, StudentizedBootstrap(plan))
    gaps = scores[0] - scores[1]

    def studentized(weights: np.ndarray, centre: float) -> float:
        mean = weights @ gaps / 5
        squares = weights @ np.square(gaps - mean)
        return float((mean - centre) / np.sqrt(5 / 4 * squares / 25)) if squares > 1e-9 else np.nan

    observed = abs(studentized(np.ones(5), 0.0))
    drawn = np.array([studentized(row, gaps.mean()) for block in plan.blocks(5) for row in block])
    assert np.isnan(drawn).any()
    kept = drawn[~np.isnan(drawn)]
    assert found.p_value[0] == pytest.approx((np.sum(np.abs(kept) >= observed - 1e-9) + 1) / (len(kept) + 1))
    worded(found.notes, f"{np.isnan(drawn).sum()} resamples")


def test_the_studentized_bootstrap_without_any_spread_gives_one_or_nothing() -> None:
    ratings = np.arange(30.0)
    same, shifted = (rated([ratings, other]) for other in (ratings, ratings + 1))
    (one,) = compare(same, "bootstrap-t", [("A", "B")])
    assert (one.p_value, one.p_mc_low, one.p_mc_high) == (1, 1, 1)
    (other,) = compare(shifted, "bootstrap-t", [("A", "B")])
    assert not other.has_p


def test_shares_and_their_differences_stay_inside_their_bounds() -> None:
    half = np.random.default_rng(0).integers(0, 2, 40)
    statistics = rated([np.ones(40), np.arange(40) > 0, half], documents=np.arange(40) // 4)
    for unit in ("segment", "document"):
        scheme = Bootstrap(100, unit=unit)  # type: ignore[arg-type]
        found = interval(statistics, scheme=scheme)
        assert set(found.interval) == {"wilson"}
        assert np.all((found.ci_low >= 0) & (found.ci_high <= 1) & (found.ci_low < found.ci_high))
        family = compare(statistics.at(unit))
        assert np.all((family.ci_low >= -1) & (family.ci_high <= 1))
        assert np.all(family.ci_low < family.ci_high)
    all_right = interval(statistics, scheme=Bootstrap(100, unit="segment"))["A"]
    assert (all_right.ci_low, all_right.ci_high) == pytest.approx((1 / (1 + 1.959964**2 / 40), 1), abs=1e-6)


def test_nothing_beside_a_difference_of_shares_is_larger_than_one() -> None:
    random = np.random.default_rng(0)
    right = [np.ones(40), np.zeros(40), *random.integers(0, 2, (2, 40))]
    for unit in ("segment", "document"):
        settings = Settings(unit=unit, n_resamples=200)  # type: ignore[arg-type]
        family = settings.family(rated(right, documents=np.arange(40) // 4))
        known = [row for row in family if row.adjusted_ci_low == row.adjusted_ci_low]
        assert known
        assert all(-1 <= row.adjusted_ci_low <= row.adjusted_ci_high <= 1 for row in known)
        for row in known:
            assert (row.p_adjusted <= row.alpha) == (row.adjusted_ci_low > 0 or row.adjusted_ci_high < 0)
        found = [one for row in family if (one := smallest_detectable(row)) is not None]
        assert all(one.difference <= one.high <= 1 for one in found)
    unlike = family.pair("C", "D")
    assert unlike is not None
    assert conclusions(unlike).detectable_high == 1
    worded(say(unlike), "1.00")
    # Ten documents that all say the same: the two shares may differ by less in documents too rare to be seen.
    every = family.pair("A", "B")
    assert every is not None
    assert every.ci_low == pytest.approx((1 - 1.959964**2 / 10) / (1 + 1.959964**2 / 10), abs=1e-6)


def test_a_paired_difference_of_shares_is_bounded_where_the_score_test_rejects() -> None:
    for b, c, n in ((0, 5, 10), (5, 1, 53), (12, 4, 60), (1, 1, 30)):
        first, second = np.ones(n), np.ones(n)
        second[:b], first[b : b + c] = 0, 0
        (row,) = compare(rated([first, second]), "ar")
        for end, z in ((row.ci_low, 1.959964), (row.ci_high, -1.959964)):

            def lost(other: float, end: float = end, b: int = b, c: int = c, n: int = n) -> float:
                shares = np.array([other + end, other, 1 - 2 * other - end])
                return -float(np.array([b, c, n - b - c]) @ np.log(np.maximum(shares, 1e-300)))

            # The likelihood at this difference, maximised by search over the share that only the second has right.
            room = (max(0.0, -end) + 1e-12, (1 - end) / 2 - 1e-12)
            other = optimize.minimize_scalar(lost, bounds=room, method="bounded", options={"xatol": 1e-12}).x
            score = (b - c - n * end) / np.sqrt(n * (2 * other + end - end**2))
            assert score == pytest.approx(z, abs=2e-3), (b, c, n)


DRAWN = ("percentile", "koehn", "basic", "normal", "bca", "simultaneous")


@pytest.mark.parametrize("method", DRAWN)
def test_draws_taken_in_parts_give_the_same_ends_in_less_memory(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = pairs_of(Scores(made_statistics(40, systems=12), Bootstrap(20_000, 3, "segment")), "all")
    assert len(pairs.labels) == 66
    rates, whole = win_rates(pairs), INTERVALS[method].ends(pairs, 0.9)
    all_rates = pairs.scores.distribution.best_rate(pairs.statistics.systems)
    monkeypatch.setattr(_targets, "_HELD", 2**16)
    monkeypatch.setattr(resampling, "_TOTALS", 2**16)
    tracemalloc.start()
    again, ends = win_rates(pairs), INTERVALS[method].ends(pairs, 0.9)
    parted = pairs.scores.distribution.best_rate(pairs.statistics.systems)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.3 * 8 * 66 * 20_000
    np.testing.assert_array_equal(again, rates)
    np.testing.assert_array_equal(ends, whole)
    assert parted == pytest.approx(all_rates, rel=1e-12)


def test_more_scores_of_resamples_than_are_kept_are_refused_before_one_is_drawn() -> None:
    statistics = made_statistics(40, systems=4)
    most = resampling.MOST_SCORES // 4
    with pytest.raises(NotApplicable, match=f"{most + 1:,} resamples with 4 scores each .* At most {most:,}"):
        resample(statistics, Bootstrap(most + 1))
    with pytest.raises(NotApplicable, match=f"At most {most // 2:,} resamples"):
        resample_together([statistics, statistics], Bootstrap(most))
