"""Laws of the jackknife over units of unequal size."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import worded
from made import made_statistics, rated
from numpy.typing import NDArray
from scipy import stats

from mtsig import adjust, interval, verdict
from mtsig._probability import satterthwaite_df
from mtsig.inference import Settings, compare, simulated_power, smallest_detectable
from mtsig.inference._fields import spread_range
from mtsig.inference._power import needed_units
from mtsig.inference._targets import Pairs, Scores, jackknife_error, pairs_of
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Bootstrap

sizes = st.lists(st.integers(1, 60), min_size=3, max_size=60)

FEW_WITHOUT_IDS = "fewer than 250 segments and no document ids; dependence between segments could hardly be detected"


def in_documents(statistics: Statistics, lengths: NDArray[np.int64]) -> Statistics:
    """The statistics with documents of these lengths, by document."""
    return replace(statistics, document_of=np.repeat(np.arange(len(lengths)), lengths)).by_document()


def made_documents(count: int = 30, spread: float = 0.8, seed: int = 3, systems: int = 4) -> Statistics:
    lengths = np.minimum(30, np.ceil(5 * np.random.default_rng(seed).lognormal(0, spread, count))).astype(np.int64)
    return in_documents(made_statistics(int(lengths.sum()), systems, seed), lengths)


def pairs(statistics: Statistics) -> Pairs:
    return pairs_of(Scores(statistics, Bootstrap(100)), "all")


def by_traces(lengths: list[int]) -> float:
    """ν from its definition: 2 E²/Var of the quadratic form, by traces of explicit matrices."""
    m = np.array(lengths, dtype=float)
    h = m / m.sum()
    form = np.zeros((len(m), len(m)))
    for d in range(len(m)):
        row = -h[d] * np.ones(len(m))
        row[d] += 1
        form += np.outer(row, row) / (1 - h[d]) ** 2
    both = form @ np.diag(m**1.5)
    return float(np.trace(both) ** 2 / np.trace(both @ both))


@given(sizes)
def test_df_is_what_its_definition_says(lengths: list[int]) -> None:
    assert satterthwaite_df(np.array(lengths)) == pytest.approx(max(1.0, by_traces(lengths)), rel=1e-9)


@given(sizes, st.integers(2, 9), st.randoms(use_true_random=False))
def test_df_knows_neither_scale_nor_order(lengths: list[int], factor: int, order: object) -> None:
    turned = lengths.copy()
    order.shuffle(turned)  # type: ignore[attr-defined]
    found = satterthwaite_df(np.array(lengths))
    assert satterthwaite_df(factor * np.array(turned)) == pytest.approx(found, rel=1e-9)
    assert 1 <= found <= len(lengths) - 1 + 1e-9


@pytest.mark.parametrize("count", [2, 10, 21, 1000])
def test_equal_units_have_n_minus_1(count: int) -> None:
    assert satterthwaite_df(np.full(count, 7)) == count - 1


def test_equal_documents_and_a_mean_give_the_classical_error() -> None:
    scores = np.random.default_rng(5).normal(0, 1, (2, 200))
    found = in_documents(rated(scores), np.full(20, 10))
    classical = stats.ttest_rel(*scores.reshape(2, 20, 10).mean(axis=2))
    one = compare(found, "jackknife-t")[0]
    assert one.p_value == pytest.approx(classical.pvalue, rel=1e-6)
    both = pairs(found)
    assert both.standard_error == pytest.approx(both.infinitesimal_error, rel=1e-9)


def test_errors_of_pairs_are_those_of_leave_outs_and_of_one_table() -> None:
    found = pairs(made_documents())
    n, metric = found.statistics.n, found.statistics.metric
    table = metric.score(found.statistics.sums[..., None] - found.statistics.values) - found.scores.estimate[:, None]
    products = table @ table.T
    for i, (x, y) in enumerate(zip(found.first, found.second, strict=True)):
        left_out = found.left_out[i]
        by_leaving_out = np.sqrt((n - 1) / n * np.square(left_out - found.estimate[i]).sum())
        by_table = np.sqrt((n - 1) / n * (products[x, x] + products[y, y] - 2 * products[x, y]))
        assert found.standard_error[i] == pytest.approx(by_leaving_out, rel=1e-9)
        assert found.standard_error[i] == pytest.approx(by_table, rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_p_and_interval_agree_always(seed: int) -> None:
    statistics = made_documents(seed=seed, systems=8)
    for level in (0.8, 0.95):
        for one in compare(statistics, "jackknife-t", level=level):
            assert (one.p_value <= 1 - level) == (one.ci_low > 0 or one.ci_high < 0)


def test_a_copy_of_a_system_leaves_all_other_p_values() -> None:
    statistics = made_documents()
    copied = replace(
        statistics,
        systems=(*statistics.systems, "copy"),
        values=np.concatenate([statistics.values, statistics.values[:, :1]], axis=1),
    )
    before = {(one.first, one.second): one.p_value for one in compare(statistics, "jackknife-t")}
    after = {(one.first, one.second): one for one in compare(copied, "jackknife-t")}
    assert after["sys0", "copy"].p_value == 1.0
    assert verdict(after["sys0", "copy"]).word == "not_significant"
    for pair, p in before.items():
        assert after[pair].p_value == p


def sparse(matches: list[int]) -> Statistics:
    """BLEU counts of two systems on documents, the second of which has these 4-gram matches."""
    count = len(matches)
    full = [[40] * count, [41] * count, [30] * count, [20] * count, [12] * count, [8] * count]
    totals = [[40] * count, [38] * count, [36] * count, [34] * count]
    first, second = [*full, *totals], [*full[:5], matches, *totals]
    # A little life in the rest, or nothing would vary.
    first[2] = [30 + i % 5 for i in range(count)]
    values = np.moveaxis(np.array([first, second], dtype=np.float32), 0, 1)
    return Statistics(Bleu(), ("full", "bare"), values, unit="document", sizes=np.full(count, 3))


@pytest.mark.parametrize(("matches", "known"), [([1] * 12, True), ([0] * 11 + [1], False), ([0] * 12, False)])
def test_no_standard_error_where_an_order_is_lost_with_one_unit(matches: list[int], known: bool) -> None:
    # With 4-gram matches in one document only, the score without it has no derivative: nothing is known of its spread.
    one = compare(sparse(matches), "jackknife-t")[0]
    assert np.isnan(one.standard_error) != known
    assert (one.interval == "jackknife") == known
    assert bool(one.unmatched) != known
    if not known:
        assert interval(sparse(matches)).interval == ("jackknife", "percentile")


def test_a_comparison_without_p_counts_in_the_family() -> None:
    statistics = sparse([0] * 12)
    values = np.concatenate([statistics.values, statistics.values[:, 1:, ::-1]], axis=1)
    third = replace(statistics, systems=("full", "bare", "other"), values=values)
    family = adjust(compare(third, "jackknife-t"), "holm")
    lost = [one for one in family if np.isnan(one.p_value)]
    assert [(one.first, one.second) for one in lost] == [("bare", "other")]
    assert min(family.p_adjusted[:2]) == pytest.approx(3 * min(family.p_value[:2]))


def unequal() -> Statistics:
    """Ten documents, one of which holds nearly a third of the text."""
    lengths = np.array([70, *[18] * 9])
    rng = np.random.default_rng(2)
    return in_documents(rated(rng.normal(0, 1, (3, int(lengths.sum()))) + np.array([[3.0], [0], [0]])), lengths)


def test_documents_too_unequal_carry_no_verdict() -> None:
    family = Settings().family(unequal())
    assert family.df[0] < 4
    for one in family:
        decided = verdict(one)
        assert decided.word == "withheld"
        assert decided.withheld_reason is not None
        worded(decided.withheld_reason, "10 documents", "18 to 70", "4", "5", "30%")
        worded(decided.step)
        assert not np.isnan(one.p_value)
        assert smallest_detectable(one) is None
    texts = [note.text for note in family.notes]
    worded(texts, "4")
    assert any("are worth about" in note.text for note in interval(unequal()).notes)


def test_exchanging_documents_answers_with_a_caution_where_the_jackknife_does_not_find_it() -> None:
    rng = np.random.default_rng(11)
    lengths = np.ceil(5 * rng.lognormal(0, 1.1, 25)).astype(np.int64)
    seen = set()
    for seed in range(45):
        rng = np.random.default_rng(seed)
        effect = np.repeat(rng.normal(0.12, 0.3, 25), lengths)
        statistics = in_documents(rated([effect + rng.normal(0, 1, lengths.sum()), np.zeros(lengths.sum())]), lengths)
        one = Settings(test="ar", n_resamples=999).family(statistics)[0]
        if one.df < 4:
            continue
        assert one.p_jackknife is not None
        assert one.p_jackknife == pytest.approx(compare(statistics, "jackknife-t")[0].p_value)
        decided, default = verdict(one), verdict(Settings(n_resamples=999).family(statistics)[0])
        if decided.withheld == "not settled":
            continue
        assert decided.word == ("better" if one.p_value <= 0.05 else "not_significant")
        assert (one.default_verdict, one.default_winner) == (default.word, default.winner)
        unsure = decided.word == "better" and one.p_jackknife > 0.05
        assert ("the jackknife t test is not significant" in decided.caution) == unsure
        seen.add((decided.word, unsure))
    assert {("better", True), ("better", False), ("not_significant", False)} <= seen


def test_auto_is_named_by_what_it_stands_for() -> None:
    documents = made_documents()
    family = Settings().family(documents)
    assert (family.test.name, family.correction, set(family.interval)) == ("jackknife-t", "holm", {"jackknife"})
    segments = Settings().family(made_statistics())
    assert (segments.test.name, segments.correction, set(segments.interval)) == ("ar", "minp", {"jackknife"})
    ranked = Settings(test="wilcoxon").family(rated(np.random.default_rng(1).normal(0, 1, (3, 60))))
    assert ranked.correction == "holm"
    assert not any("Holm is used instead" in note.text for note in ranked.notes)


@pytest.mark.parametrize("name", ["bootstrap-shift", "bootstrap-ci", "bootstrap-t"])
def test_redraws_of_few_units_answer_with_a_caution(name: str) -> None:
    scores = np.random.default_rng(1).normal(0, 1, (2, 90)) + np.array([[3.0], [0.0]])
    few = Settings(test=name, n_resamples=500).family(rated(scores[:, :10]))
    assert verdict(few[0]).word == "better"
    worded(verdict(few[0]).caution, "10")
    many = Settings(test=name, n_resamples=500).family(rated(scores))
    assert (verdict(many[0]).word, verdict(many[0]).caution) == ("better", FEW_WITHOUT_IDS)


def test_ij_t_over_few_documents_answers_with_a_caution() -> None:
    lengths = np.full(25, 8)
    scores = np.random.default_rng(3).normal(0, 1, (3, 200)) + np.array([[2.0], [0.0], [0.0]])
    family = Settings(test="ij-t").family(in_documents(rated(scores), lengths))
    for one in family:
        decided = verdict(one)
        assert decided.word == ("better" if one.p_adjusted <= 0.05 else "not_significant")
        assert ("too few documents for this test" in decided.caution) == (decided.word == "better")
    assert {verdict(one).word for one in family} >= {"better"}
    assert verdict(Settings(test="ij-t").family(made_statistics(40, 2))[0]).caution == FEW_WITHOUT_IDS


def test_needed_documents_find_the_difference() -> None:
    statistics = made_documents(60)
    first, second = statistics.systems[:2]
    one = pairs(statistics)
    difference = 2.5 * float(one.standard_error[0])
    needed, *_ = needed_units(statistics, first, second, difference)
    found = simulated_power(statistics, first, second, difference, units=needed, simulations=4000)
    # The law of a redraw of a redraw is rougher than normal: within a tenth.
    assert found.power == pytest.approx(0.8, abs=0.1)
    assert found.power_low < found.power < found.power_high


@given(st.floats(4, 5000))
@settings(max_examples=25, deadline=None)
def test_the_range_of_the_spread_holds_one(df: float) -> None:
    low, high = spread_range(df)
    assert low < 1 < high


def test_the_infinitesimal_jackknife_is_what_it_was() -> None:
    found = pairs(made_statistics())
    u = found.statistics.influence
    assert found.infinitesimal_error[0] == pytest.approx(jackknife_error(u[0] - u[1]), rel=1e-12)
    assert found.standard_error == pytest.approx(found.infinitesimal_error, rel=0.02)
