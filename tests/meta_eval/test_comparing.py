"""Is one metric better than another: exchanges by named units, against enumeration and other programs' numbers."""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from agreement_oracles import SETS, made, oracles, ratios, real
from kept import worded
from sampled import sampled

import mtsig
from mtsig import Settings
from mtsig.corpus import Corpus, Rating
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._ranks import ranks
from mtsig.inference._verdict import verdict
from mtsig.meta_eval import EXCHANGES, STATISTICS, RatedData, compare_metrics, meta_eval, williams, wmt_clusters
from mtsig.meta_eval._comparing import item_statistics
from mtsig.meta_eval._exchanges import Bits, Exchange, Hybrids, on_one_scale, pairs_p
from mtsig.meta_eval._groups import TiesEqual
from mtsig.meta_eval._systems import clusters_of
from mtsig.report._meta_eval import trust_methods
from mtsig.resampling import Purpose


def pearson(human: np.ndarray, metric: np.ndarray) -> float:
    return float(np.corrcoef(human.mean(axis=1), metric.mean(axis=1))[0, 1])


def test_what_is_exchanged_is_named_as_perm_both_is_not() -> None:
    oracle = oracles()["hand"]["three meanings of PERM-BOTH"]
    human, a, b = (np.array(oracle[name]) for name in ("human", "first", "second"))
    za, zb = (on_one_scale(x.reshape(1, -1)).reshape(x.shape) for x in (a, b))
    observed = pearson(human, za) - pearson(human, zb)
    np.testing.assert_allclose(observed, oracle["difference"], atol=1e-9)
    rows = [np.array(r)[:, None] for r in product((0, 1), repeat=3)]
    columns = [r.T for r in rows]
    masks = {
        "systems": rows,
        "inputs": columns,
        "both (rows xor columns, nlpstats)": [np.abs(r - c) for r in rows for c in columns],
        "cells": [np.array(m).reshape(3, 3) for m in product((0, 1), repeat=9)],
    }
    for key, expected in oracle["expected"].items():
        name = next(name for name in masks if key.split(" ")[0] == name.split(" ")[0])
        null = np.array([pearson(human, za + w * (zb - za)) - pearson(human, zb - w * (zb - za)) for w in masks[name]])
        greater = np.mean(null >= observed - 1e-9)
        np.testing.assert_allclose(greater, expected["p greater"], atol=1e-9)
    # The program's own draws from the same laws.
    rated = made(human, a=a, b=b)
    for unit, key in (("item", "inputs"), ("cells", "cells"), ("both", "both (rows xor columns, nlpstats)")):
        key = next(name for name in oracle["expected"] if name.split(" ")[0] == key.split(" ")[0])
        family = compare_metrics(rated, "pearson", unit, Settings(n_resamples=4000))
        assert family.p_mc_low[0] - 0.01 <= oracle["expected"][key]["p two-sided"] <= family.p_mc_high[0] + 0.01
    with pytest.raises(NotApplicable, match=r"3 systems: the smallest attainable p is .25"):
        compare_metrics(rated, "pearson", "systems")


@sampled("name", SETS, most=1)
def test_exchanges_of_systems_are_enumerated(shared: Path, name: str) -> None:
    rated, names = real(shared, name)
    oracle = oracles()["real"][name]["system-level exchange of systems, pearson, all 2^n"]
    family = compare_metrics(rated, "pearson", "systems", Settings(n_resamples=1000))
    assert family.complete
    for pair, expected in oracle.items():
        first, second = (names[metric] for metric in pair.split(" vs "))
        at = family.find(first, second)
        assert at is not None
        assert family.first[at] == first
        np.testing.assert_allclose(family.difference[at], expected["expected"]["difference"], atol=1e-6)
        np.testing.assert_allclose(family.p_value[at], expected["expected"]["p two-sided"], atol=2e-3)


@pytest.mark.parametrize("name", SETS)
def test_williams_of_real_data(name: str) -> None:
    for expected in oracles()["real"][name]["Williams"].values():
        r12, r13, r23 = expected["r"]
        found = williams(r12, r13, r23, expected.get("n", len(oracles()["real"][name]["systems"]["expected"])))
        np.testing.assert_allclose(found.t, expected["t"], rtol=1e-6)
        np.testing.assert_allclose(found.p_value, expected["expected"]["p two-sided"], atol=1e-9)
        one_sided = williams(r12, r13, r23, found.df + 3, "greater").p_value
        np.testing.assert_allclose(one_sided, expected["p_greater"], atol=1e-9)


def test_williams_as_r_computes_it_and_with_its_signs() -> None:
    oracle = oracles()["hand"]["Williams of R's psych::r.test (recorded in sacrerouge stats_test)"]
    recorded = oracle["pearson n=45 one-sided"]
    found = williams(*recorded["r_as_given_to_R"], 45, "greater")
    np.testing.assert_allclose(found.p_value, recorded["expected"], atol=1e-5)
    both = williams(*recorded["r_as_given_to_R"], 45)
    np.testing.assert_allclose(both.p_value, oracle["pearson n=45 two-sided"]["expected"], atol=1e-5)
    signed = williams(*recorded["signed_r"], 45, "greater")
    np.testing.assert_allclose(signed.p_value, recorded["signed_p_greater"], atol=1e-9)


def test_metrics_that_are_lines_of_each_other_are_the_same() -> None:
    rng = np.random.default_rng(1)
    human, a = rng.normal(size=(2, 8, 20))
    family = compare_metrics(made(human, a=a, b=2 * a + 1), "pearson", "williams", Settings(n_resamples=100))
    assert family.p_value.tolist() == [1.0]
    worded(family.notes, "1")
    other = compare_metrics(made(human, a=a, b=a**3), "pearson", "williams", Settings(n_resamples=100))
    assert not any("the same here" in note.text for note in other.notes)
    with pytest.raises(NotApplicable, match="at least 4 systems"):
        williams(0.5, 0.4, 0.3, 3)


def test_a_metric_that_tells_no_systems_apart_has_no_correlation_to_compare() -> None:
    human, a = np.random.default_rng(1).normal(size=(2, 8, 20))
    family = compare_metrics(made(human, a=a, b=np.ones_like(a)), "pearson", "williams", Settings(n_resamples=100))
    assert np.isnan(family.p_value).tolist() == [True]
    assert not any("the same here" in note.text for note in family.notes)


@sampled("name", SETS, most=1)
def test_items_exchanged_are_a_paired_t_of_item_accuracies(shared: Path, name: str) -> None:
    rated, names = real(shared, name)
    for pair, expected in oracles()["real"][name][
        "items exchanged: paired t of item accuracies (epsilons fixed)"
    ].items():
        metrics = [names[metric] for metric in pair.split(" over ")]
        statistics = item_statistics(rated, STATISTICS["acc_eq"], metrics)
        family = mtsig.inference.compare(statistics, "t", [tuple(metrics)])
        np.testing.assert_allclose(family.difference, expected["expected"]["difference"], atol=1e-4)
        gaps = statistics.segment_scores[0] - statistics.segment_scores[1]
        t = scipy.stats.ttest_1samp(gaps, 0.0)
        np.testing.assert_allclose(family.p_value[0], t.pvalue, rtol=1e-6)
        assert family.units[0] == expected["expected"]["items"]
        if name == "wmt20-en-de":
            np.testing.assert_allclose(t.statistic, expected["expected"]["t"], rtol=1e-6)
            np.testing.assert_allclose(
                np.log(family.p_value[0]), np.log(expected["expected"]["p two-sided"]), rtol=1e-4
            )


def test_metrics_play_the_systems_part_with_verdicts_and_ranks() -> None:
    rng = np.random.default_rng(5)
    human = rng.normal(size=(7, 60))
    noisy = {name: human + size * rng.normal(size=human.shape) for name, size in (("a", 0.3), ("b", 0.8), ("c", 3.0))}
    family = compare_metrics(made(human, **noisy), "segment-kendall", "item", Settings(n_resamples=500))
    assert [verdict(one).winner for one in family] == ["a", "a", "b"]
    assert family.correction == "minp"
    assert ranks(family).systems == ("a", "b", "c")
    assert wmt_clusters(family) == {"a": 1, "b": 2, "c": 3}


def test_soft_accuracy_by_items_and_by_systems() -> None:
    rng = np.random.default_rng(6)
    human = rng.normal(size=(8, 60)) + np.linspace(0, 1, 8)[:, None]
    close, far = human + 0.2 * rng.normal(size=human.shape), rng.normal(size=human.shape)
    rated = made(human, near=close, far=far)
    for unit in ("item", "systems"):
        family = compare_metrics(rated, "spa", unit, Settings(n_resamples=400))
        assert family.difference[0] > 0.2
        assert family.p_value[0] <= 0.02
        # Exchanging nothing is one of the arrangements, exchanging all turns the sign.
        assert np.abs(family.null).max() >= family.difference[0] - 1e-9 or unit == "item"
    assert compare_metrics(rated, "spa", "systems", Settings(n_resamples=400)).complete


def test_fast_hybrids_are_those_of_a_plain_loop() -> None:
    rng = np.random.default_rng(7)
    human, a, b = rng.normal(size=(3, 6, 10))
    human[0, 3] = human[4, 9] = np.nan
    rated = made(human, a=a, b=b)
    masked = [np.where(rated.mask, x, np.nan) for x in (a, b)]
    za, zb = (on_one_scale(x.reshape(1, -1)).reshape(x.shape) for x in masked)
    for unit in ("item", "cells", "both"):
        making = Hybrids(rated, STATISTICS["pearson"], ("a", "b"), EXCHANGES[unit], Settings(n_resamples=20))
        null, _ = making.null()
        masks = np.concatenate([m if m.ndim == 3 else np.repeat(m[:, None], 6, axis=1) for m in making.masks()])
        h = np.nanmean(rated.ratings, axis=1)
        for draw, w in enumerate(masks):
            first, second = za + w * (zb - za), zb - w * (zb - za)
            r = [np.corrcoef(h, np.nanmean(x, axis=1))[0, 1] for x in (first, second)]
            np.testing.assert_allclose(null[0, draw], r[0] - r[1], atol=1e-9)


@pytest.mark.parametrize("name", ["acc_eq", "segment-kendall", "segment-spearman", "segment-pearson"])
def test_systems_exchanged_of_segment_statistics_are_those_of_a_plain_loop(name: str) -> None:
    rng = np.random.default_rng(8)
    human, a, b = rng.normal(size=(3, 6, 12)).round(1)
    human[0, 3] = human[4, 9] = np.nan
    rated = made(human, a=a, b=b)
    family = compare_metrics(rated, name, "systems", Settings(n_resamples=100))
    za, zb = (on_one_scale(np.where(rated.mask, x, np.nan).reshape(1, -1)).reshape(x.shape) for x in (a, b))
    spreads = [np.nanstd(np.where(rated.mask, x, np.nan)) for x in (a, b)]
    fitted = [STATISTICS[name].fitted(rated, metric) for metric in "ab"]
    if name == "acc_eq":
        fitted = [replace(own, epsilon=own.epsilon / spread) for own, spread in zip(fitted, spreads, strict=True)]
    for draw, row in enumerate(product((0, 1), repeat=6)):
        w = np.array(row[::-1])[:, None]
        values = [
            np.nanmean(own.of(rated.ratings, hybrid))
            for own, hybrid in zip(fitted, (za + w * (zb - za), zb + w * (za - zb)), strict=True)
        ]
        np.testing.assert_allclose(family.null[0, draw], values[0] - values[1], atol=1e-9)


@pytest.mark.parametrize("statistic", ["spa", "acc_eq", "pearson"])
def test_beside_items_exchanged_stand_systems_exchanged_with_their_sentence(statistic: str) -> None:
    rng = np.random.default_rng(9)
    human = rng.normal(size=(8, 60)) + np.linspace(0, 1, 8)[:, None]
    rated = made(human, near=human + 0.2 * rng.normal(size=human.shape), far=rng.normal(size=human.shape))
    family = compare_metrics(rated, statistic, settings=Settings(n_resamples=300))
    assert family.others is not None
    alone = compare_metrics(rated, statistic, "systems", Settings(n_resamples=300))
    np.testing.assert_array_equal(family.others.p_value, alone.p_value)
    said = [note.text for note in family.notes]
    worded(said, "8 systems")
    assert said[-1] == family.other_systems
    worded(said[-1], "1 of 1")
    # It errs more often than it says, so a caution stands beside its verdict.
    assert not alone.header.controls_type1
    assert verdict(alone[0]).winner == "near"
    worded(verdict(alone[0]).caution)
    assert any(note.level == "warning" and "false-positive rate is up to" in note.text for note in alone.notes)
    small = made(human[:5], a=human[:5], b=rng.normal(size=(5, 60)))
    few = compare_metrics(small, statistic, settings=Settings(n_resamples=99))
    assert few.others is None
    said = " ".join(note.text for note in few.notes)
    worded(said, "5 systems")


@sampled("name", SETS, most=1)
def test_perm_both_by_cells_is_that_of_mt_metrics_eval(shared: Path, name: str) -> None:
    rated, names = real(shared, name)
    oracle = oracles()["real"][name]["PERM-BOTH by cells, pearson none, k=60, np.random.seed(11)"]
    statistic = replace(STATISTICS["segment-pearson"], by="none")
    for pair, expected in oracle.items():
        metrics = [names[metric] for metric in pair.split(" over ")]
        family = compare_metrics(rated, statistic, "cells", Settings(n_resamples=60), metrics=metrics)
        np.testing.assert_allclose(
            family.difference[0], expected["expected"]["delta"], atol=1e-7 if name == "wmt20-en-de" else 1e-5
        )
        # Other random bits, the same law: the first draws there are about as large.
        spread = np.std(expected["expected"]["first draws"])
        assert 0.3 * spread < family.null.std() < 3 * spread
        assert not family.header.controls_type1


def test_decisions_exchanged_need_no_draws(shared: Path) -> None:
    oracle = oracles()["real"]["wmt20-en-de"]["PairwisePermutationSigDiff acc_eq* by item, first 150 segments"]
    rated, names = real(shared, "wmt20-en-de")
    for pair, expected in oracle.items():
        metrics = [names[metric] for metric in pair.split(" over ")]
        right = []
        # The entry lists what the test was given, first and second; its name says second over first.
        for metric, epsilon in zip(metrics, reversed(expected["epsilons"]), strict=True):
            terms = TiesEqual(epsilon=epsilon).terms(rated.ratings[:, :150], rated.cells(metric)[:, :150])
            right.append(terms[0] > 0)
        only = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
        assert only == (expected["only_second_right"], expected["only_first_right"])
        np.testing.assert_allclose(pairs_p(*only, "greater"), expected["exact_p"], atol=1e-9)


def test_clusters_of_wmt() -> None:
    for key in ("clusters", "clusters, p = .05 is significant"):
        oracle = oracles()["hand"][key]
        assert clusters_of(oracle["matrix"]).tolist() == oracle["expected"]


def test_metrics_of_whole_corpora_are_compared_where_no_segment_needs_a_score() -> None:
    rng = np.random.default_rng(3)
    words = ["one", "two", "three", "four", "five", "six"]
    texts = {f"s{row}": [" ".join(rng.permutation(words)) for _ in range(12)] for row in range(7)}
    people = Rating(rng.normal(size=(7, 12)), higher_is_better=True)
    reference = [" ".join(words[i % 6 :] + words[: i % 6]) for i in range(12)]
    corpus = Corpus.of(texts, {"ref": reference}, ratings={"people": people})
    rated = RatedData.of(corpus, "rating:people", ["bleu", "chrf", "sentchrf", "sentbleu"])
    family = compare_metrics(rated, "pearson", "systems", Settings(n_resamples=50))
    assert len(family) == 6
    assert family.complete
    family = compare_metrics(rated, "acc_eq_0", "item", Settings(n_resamples=50))
    assert family.systems == ("sentchrF2", "sentBLEU")
    worded(family.notes[0].text)
    with pytest.raises(NotApplicable, match=r"found 1 metric\. chrF2 scores whole test sets"):
        compare_metrics(rated, "acc_eq", "item", metrics=["chrF2", "sentBLEU"])
    # What compares systems' scores takes what every segment brings to them.
    for statistic in ("spa", "pearson", "accuracy"):
        family = compare_metrics(rated, statistic, "item", Settings(n_resamples=50))
        assert len(family) == len(family.others) == 6


def test_units_and_statistics_that_do_not_go_together_are_refused() -> None:
    rng = np.random.default_rng(2)
    human, a, b = rng.normal(size=(3, 6, 10))
    rated = made(human, a=a, b=b)
    by_none = replace(STATISTICS["acc_eq"], by="none")
    for statistic, unit in ((by_none, "systems"), ("spa", "cells"), ("spearman", "williams"), ("spa", "pairs")):
        with pytest.raises(InvalidOption):
            compare_metrics(rated, statistic, unit)
    with pytest.raises(InvalidOption, match="unit must be one of"):
        compare_metrics(rated, "spa", "rows")
    with pytest.raises(NotApplicable, match="needs two metrics; found 1 metric"):
        compare_metrics(made(human, a=a))


def test_what_is_exchanged_of_whole_corpora_is_said_in_the_methods() -> None:
    data = ratios(np.random.default_rng(1), equal=False)
    result = meta_eval(data, ["pearson"], settings=Settings(n_resamples=100))
    methods = {
        unit: trust_methods(result, [compare_metrics(data, "pearson", unit, Settings(n_resamples=100))])
        for unit in ("item", "systems")
    }
    said = "a is a corpus-level metric: the test permuted the segments' infinitesimal-jackknife pseudo-values"
    assert said in methods["item"].text
    assert "@book{efron-tibshirani-1993," in methods["item"].bibtex
    # Exchanged systems have their scores, and nothing stands for them.
    assert "pseudo-value" not in methods["systems"].text


def test_an_exchange_from_outside_brings_its_words_and_what_it_exchanges() -> None:
    @dataclass(frozen=True)
    class FirstHalf(Exchange):
        """Exchange the first half of the systems, or the others."""

        exchanged = "halves"
        over = "systems"
        of_segments = False
        of_parts = False
        name = "exchange-halves"
        label = "exchange of halves"
        estimand = "could halves be exchanged?"
        anticonservative_reason = "it knows two exchanges alone"

        def mask(self, bits: Bits, hybrids: Hybrids) -> np.ndarray:
            half = np.arange(len(hybrids.rated.systems)) < len(hybrids.rated.systems) // 2
            return np.abs(bits(Purpose.EXCHANGED_SYSTEMS, 1) - half)

    human, a, b = np.random.default_rng(2).normal(size=(3, 12, 10))
    rated = made(human, a=a, b=b)
    family = compare_metrics(rated, "pearson", FirstHalf(), Settings(n_resamples=100))
    assert (family[0].test, family[0].estimand, family[0].unit) == ("exchange-halves", FirstHalf.estimand, "system")
    assert np.unique(np.abs(family.null).round(9)).size <= 2
    worded(note.text for note in family.notes if note.level == "warning")
