"""Averages over sets: one set is itself, shared units count once, and other programs have the same numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden.oracles import known_answers
from kept import worded
from made import made_corpus
from made_sets import agree, made_sets, of, on_wmt22, rated_corpus
from scipy.stats import binomtest

from mtsig import Corpus, Settings, verdict
from mtsig import measure as measure_corpus
from mtsig._probability import t_critical
from mtsig.collection import Averaging, Sets, compare, measure
from mtsig.collection._averages import rated_averages
from mtsig.collection._pairs import average, pair_over_sets, scores_in_sets, units_over
from mtsig.corpus import RaterScores, Rating
from mtsig.errors import InvalidOption
from mtsig.inference._estimated import RatedFamily

QUICK = Settings(n_resamples=500)


@pytest.mark.parametrize("documents", [0, 12])
def test_the_average_over_one_set_is_its_jackknife_to_the_digit(documents: int) -> None:
    corpus = made_corpus(60, 3, documents)
    sets = measure(Sets.of({"only": corpus}), "chrf")
    family = replace(QUICK, test="jackknife-t").family(measure_corpus(corpus, "chrf"))
    for one in family:
        pair = pair_over_sets(sets, units_over(sets, by_order=False), (one.first, one.second), ["only"])
        assert average(pair, np.ones(1)) == (one.difference, one.standard_error, one.df)


def test_two_sets_of_the_same_contents_have_the_error_of_one() -> None:
    corpus = made_corpus(60, 3, 12)
    found = compare(measure(Sets.of({"a": corpus, "b": corpus}), "chrf"), QUICK)
    assert found.averages is not None
    for mean, one in zip(found.averages, found.families["a"], strict=True):
        assert (mean.difference, mean.standard_error) == pytest.approx((one.difference, one.standard_error), rel=1e-12)
        assert mean.df == pytest.approx(one.df, rel=1e-9)
    # They cannot disagree, and nothing is known of others.
    assert all("too strongly" in one.method for one in found.described)
    assert all(one.further is None for one in found.described)
    # As if they were two sets, the error would be smaller by √2.
    apart = compare(measure(Sets.of({"a": corpus, "b": corpus}), "chrf", sharing="separate"), QUICK)
    assert apart.averages is not None
    assert apart.averages[0].standard_error == pytest.approx(found.averages[0].standard_error / np.sqrt(2), rel=1e-9)


def test_documents_too_few_beside_sets_of_documents_give_no_verdict_on_the_average() -> None:
    few = {"a": made_corpus(60, 2, 12, seed=1), "b": made_corpus(60, 2, 5, seed=2)}
    found = compare(measure(Sets.of(few), "chrf"), QUICK)
    assert found.units.kinds == {"a": "document", "b": "segment"}
    assert found.averages is not None
    decided = verdict(found.averages[0])
    assert (decided.word, "too few documents in b" in (decided.withheld_reason or "")) == ("withheld", True)
    worded(found.notes)
    # By segments everywhere, as asked for, nothing is mixed.
    asked = compare(measure(Sets.of(few), "chrf"), replace(QUICK, unit="segment"))
    assert asked.averages is not None
    assert asked.averages[0].data_caveat == ""


def test_averages_by_exchanging_units_in_all_sets_at_once() -> None:
    rng = np.random.default_rng(21)
    lines = [f"line {i}" for i in range(10)]
    corpora = {name: rated_corpus(rng.normal(size=(2, 10)) + np.array([[0.5], [0.0]]), None, lines) for name in "ab"}
    sets = of(corpora)
    found = compare(sets, Settings(test="ar", n_resamples=20_000))
    gaps = sum(one.segment_scores[0] - one.segment_scores[1] for one in sets.of.values())
    null = np.abs(np.array(list(product([1, -1], repeat=10))) @ gaps)
    expected = np.mean(null >= abs(gaps.sum()) - 1e-9)
    assert found.averages is not None
    assert found.averages[0].test == "ar"
    assert found.averages[0].p_value == pytest.approx(expected, abs=4.5 * np.sqrt(0.25 / 20_000))
    # The jackknife stands beside it, and the interval is its.
    jackknifed = compare(sets, replace(QUICK, test="jackknife-t")).averages
    assert jackknifed is not None
    assert found.averages[0].p_jackknife == jackknifed[0].p_adjusted


def test_an_average_is_judged_although_the_score_has_no_derivative_in_some_set() -> None:
    good = made_corpus(40, 2, 0)
    bad = replace(good, outputs={**good.outputs, "sys1": tuple("zzz" for _ in range(40))})
    found = compare(measure(Sets.of({"good": good, "bad": bad}), "bleu"), QUICK)
    assert found.averages is not None
    assert np.isnan(found.averages[0].standard_error)
    worded(found.averages[0].unmatched, "'sys1'", "1-gram match")
    assert verdict(found.averages[0]).winner == "sys0"


def test_two_scores_that_rest_on_smoothing_in_one_set_have_no_verdict_on_the_average() -> None:
    good = made_corpus(40, 2, 0)
    bad = replace(good, outputs=dict.fromkeys(good.outputs, tuple("zzz" for _ in range(40))))
    found = compare(measure(Sets.of({"good": good, "bad": bad}), "bleu"), QUICK)
    assert found.averages is not None
    worded(verdict(found.averages[0]).withheld_reason)


def test_very_unequal_units_give_no_verdict_on_the_average() -> None:
    rng = np.random.default_rng(9)
    sizes = [[300, *[1] * 11], [300, *[1] * 11]]
    found = compare(made_sets(rng, sizes, shared=True, shift=[9.0, 9.0], effect=0.1), QUICK)
    assert found.averages is not None
    assert found.averages[0].df < 4
    assert verdict(found.averages[0]).word == "withheld"
    worded(verdict(found.averages[0]).withheld_reason, "5")


def test_weights_are_what_they_say() -> None:
    rng = np.random.default_rng(10)
    sets = made_sets(rng, [[3] * 20, [5] * 12], shared=False)
    d = [family.difference[0] for family in compare(sets, QUICK).families.values()]
    for weights, expected in (
        ("equal", np.mean(d)),
        ("segments", (60 * d[0] + 60 * d[1]) / 120),
        ({"set0": 3, "set1": 1}, (3 * d[0] + d[1]) / 4),
    ):
        found = compare(sets, QUICK, averaging=Averaging(weights=weights)).averages  # type: ignore[arg-type]
        assert found is not None
        assert found[0].difference == pytest.approx(expected)
    for weights, said in (
        ({"set0": 1}, "missing: set1"),
        ({"set0": -1, "set1": 2}, "non-negative"),
        ("x", "found 'x'"),
    ):
        with pytest.raises(InvalidOption, match=said):
            compare(sets, QUICK, averaging=Averaging(weights=weights))  # type: ignore[arg-type]


def test_an_average_without_derivative_has_an_interval_of_its_p() -> None:
    good = made_corpus(40, 3, 0)
    bad = replace(good, outputs={**good.outputs, "sys2": tuple("zzz" for _ in range(40))})
    found = compare(measure(Sets.of({"good": good, "bad": bad}), "bleu"), QUICK)
    assert agree(found) > 0
    assert found.averages is not None
    row = found.averages[1]
    assert np.isnan(row.standard_error)
    # As wide as an SE with which t had this p: p at the edge of the level would reach to 0, and it is well inside.
    assert 0 < row.adjusted_ci_low < row.difference < row.adjusted_ci_high
    assert row.adjusted_ci_low == pytest.approx(
        row.difference * (1 - t_critical((1 - row.adjusted_level) / 2, row.df) / t_critical(row.p_value / 2, row.df))
    )


@pytest.mark.parametrize("documents", [0, 12])
def test_averages_by_a_named_test_have_the_default_verdict_beside_them(documents: int) -> None:
    sets = Sets.of({name: made_corpus(120, 3, documents, seed=seed) for seed, name in enumerate("ab")})
    statistics = measure(sets, "chrf")
    named, default = (compare(statistics, chosen).averages for chosen in (replace(QUICK, test="ar"), QUICK))
    assert named is not None
    assert default is not None
    assert (named.test.name, default.test.name) == ("ar", "jackknife-t")
    assert {one.default_verdict for one in default} == {None}
    for one in named:
        beside = verdict(default.pair(one.first, one.second))
        assert (one.default_verdict, one.default_winner) == (beside.word, beside.winner)
    by_jackknife = compare(statistics, replace(QUICK, test="jackknife-t")).averages
    if documents:
        assert {one.default_verdict for one in by_jackknife} == {None}


@pytest.fixture(scope="module")
def oracles() -> dict[str, Any]:
    found: dict[str, Any] = known_answers("sets")
    return found


def test_every_set_and_the_averages_are_the_oracles(oracles: dict[str, Any], shared: Path) -> None:
    real, found = oracles["real"], on_wmt22(shared / "data" / "wmt22-several")
    assert found.averages is not None
    assert list(found.families) == real["sets"]
    for oracle, one, beside in zip(real["pairs"], found.averages, found.described, strict=True):
        assert (one.first, one.second) == (oracle["first"], oracle["second"])
        assert beside.differences == pytest.approx(oracle["differences"], abs=1e-9)
        assert beside.standard_errors == pytest.approx(oracle["se"], abs=1e-9)
        assert (one.difference, one.standard_error) == pytest.approx((oracle["mean"], oracle["se_mean"]), abs=1e-9)
        assert one.df == pytest.approx(oracle["df"], rel=1e-9)
        assert (one.ci_low, one.ci_high) == pytest.approx((oracle["low"], oracle["high"]), abs=1e-9)
        assert one.p_value == pytest.approx(oracle["p"], rel=1e-6)
        assert one.p_adjusted == pytest.approx(oracle["p_holm_of_10_averages"], rel=1e-6)
        assert beside.error_if_independent == pytest.approx(oracle["se_as_if_independent"], abs=1e-9)
    for name, family in found.families.items():
        assert family.df == pytest.approx(np.full(10, real["nu"][name]), rel=1e-9)
        assert set(family.units.tolist()) == {real["documents"][name]}
        assert family.correction == "holm"
        assert family.family_size == 70


def test_scores_and_degrees_of_freedom_are_the_oracles(oracles: dict[str, Any], shared: Path) -> None:
    real, found = oracles["real"], on_wmt22(shared / "data" / "wmt22-several")
    for name, scores in real["scores"].items():
        one = found.statistics.of[name]
        assert {system: one.scores[one.row(system)] for system in scores} == pytest.approx(scores, abs=1e-9)
    for names, nu in real["nu_of_blocks"].items():
        block = names.split("+")
        pair = pair_over_sets(found.statistics, found.units, ("Online-A", "Online-B"), block)
        assert average(pair, np.full(len(block), 1 / len(block)))[2] == pytest.approx(nu, rel=1e-9)


def test_ignoring_shared_documents_would_be_a_wrong_error(shared: Path) -> None:
    # Up to 1.26 times the error as if sets were independent.
    found = on_wmt22(shared / "data" / "wmt22-several")
    ratios = [
        one.standard_error / beside.error_if_independent
        for one, beside in zip(found.averages or (), found.described, strict=True)
    ]
    assert max(ratios) == pytest.approx(1.26, abs=0.01)
    separate = compare(
        measure(found.statistics.sets, "chrf", sharing="separate"), Settings(), [("Lan-Bridge", "Online-A")]
    )
    assert separate.averages is not None
    assert separate.averages[0].standard_error == pytest.approx(separate.described[0].error_if_independent, rel=1e-12)
    assert separate.described[0].method == "Welch"
    assert found.described[0].method == "Hotelling"


def _rated_set(
    rng: np.random.Generator, raters: Sequence[str], tastes: Mapping[str, np.ndarray], size: int = 60
) -> Corpus:
    """Return a set of 12 documents, whose outputs are rated by one rater each; systems A, B, C differ by her taste."""
    who = rng.integers(len(raters), size=(3, size))
    values = 70 + 10 * rng.normal(size=(3, size)) + rng.normal(0, 3, size=(3, 12)).repeat(size // 12, axis=1)
    values += np.array([tastes[name] for name in raters])[who, np.arange(3)[:, None]]
    by = {name: np.where(who == at, values, np.nan) for at, name in enumerate(raters)}
    rating = Rating(values, higher_is_better=True, rater_scores=RaterScores.of(by))
    documents = np.repeat([f"d{number}" for number in rng.integers(10**9, size=12)], size // 12).tolist()
    return Corpus.of(dict.fromkeys("ABC"), ratings={"esa": rating}, documents=documents)


def _over_raters(corpora: Mapping[str, Corpus]) -> RatedFamily:
    """Return averages of the sets' ratings, with what holds for raters like these."""
    statistics = measure(Sets.of(corpora), "rating:esa")
    units, settings = units_over(statistics), Settings()
    found = compare(statistics, settings)
    over = [
        pair_over_sets(statistics, units, (row.first, row.second), tuple(corpora), scores_in_sets(statistics, units))
        for row in found.averages
    ]
    weights = [np.full(len(corpora), 1 / len(corpora))] * len(over)
    rated = rated_averages(statistics, units, over, weights, found.averages, settings)
    assert rated is not None
    assert any("Verdicts on averages over sets are for these" in note.text for note in found.notes)
    return rated


def test_averages_of_ratings_add_what_raters_of_all_sets_add() -> None:
    rng, names = np.random.default_rng(2), [f"r{number}" for number in range(6)]
    tastes = {name: rng.normal(0, 4, 3) for name in [*names, *(f"s{number}" for number in range(6))]}
    one, two = (_rated_set(rng, names, tastes) for _ in range(2))
    other = _rated_set(rng, [f"s{number}" for number in range(6)], tastes)
    for sets, shared in (({"1": one, "2": two}, True), ({"1": one, "2": other}, False)):
        rated = _over_raters(sets)
        assert rated.others is not None
        for row, beyond in zip(rated, rated.others, strict=True):
            # By hand: what each rating adds to the mean difference, summed by rater, and by rater and document.
            by_rater, by_both, difference = Counter(), Counter(), 0.0
            for name, corpus in sets.items():
                scores = corpus.ratings["esa"].rater_scores
                at = [[*corpus.systems].index(system) for system in (row.first, row.second)]
                difference += (
                    sum(s * scores.value[scores.system == a].mean() for s, a in zip((1, -1), at, strict=True)) / 2
                )
                for a, sign in zip(at, (1, -1), strict=True):
                    mine = scores.system == a
                    psi = sign * (scores.value[mine] - scores.value[mine].mean()) / mine.sum() / 2
                    for value, rater, segment in zip(psi, scores.rater[mine], scores.segment[mine], strict=True):
                        who = scores.raters[rater]
                        by_rater[who] += value
                        by_both[who, name, corpus.documents[segment]] += value
            blocks = [by_rater] if shared else [{w: v for w, v in by_rater.items() if w[0] == c} for c in "rs"]
            raters = sum(len(b) / (len(b) - 1) * sum(v**2 for v in b.values()) for b in blocks)
            cells = [by_both] if shared else [{w: v for w, v in by_both.items() if w[0][0] == c} for c in "rs"]
            both = sum(len(b) / (len(b) - 1) * sum(v**2 for v in b.values()) for b in cells)
            assert row.difference == pytest.approx(difference)
            own = row.standard_error**2
            assert beyond.standard_error == pytest.approx(np.sqrt(own + max(raters - both, 0)))
    few = {name: _rated_set(rng, names[:2], tastes) for name in "12"}
    worded(_over_raters(few).no_others, "5")


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
def test_averages_over_sets_hold_their_level_for_raters_like_these(shared: bool) -> None:
    rng, found, beyond, sets = np.random.default_rng(5), 0, 0, 300
    for _ in range(sets):
        corpora = {}
        names = [f"r{number}" for number in range(8)]
        tastes = {name: rng.normal(0, 3, 3) for name in names}
        for number in range(3):
            if not shared:
                tastes = {f"{number}{name}": rng.normal(0, 3, 3) for name in names}
            corpora[str(number)] = _rated_set(rng, [*tastes], tastes)
        rated = _over_raters(corpora)
        assert rated.others is not None
        found += (rated.p_value <= 0.05).mean()
        beyond += (rated.others.p_value <= 0.05).mean()
    # Pairs of a set are dependent: a third of them counts as if they were independent.
    assert found / sets > 0.09
    assert binomtest(round(beyond), sets, 0.05, alternative="greater").pvalue > 0.001
