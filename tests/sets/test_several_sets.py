"""Sets as one question: one set is itself, shared units count once, draws go together, and refusals name the set."""

import re
import tracemalloc
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from made import made_corpus
from made_sets import documents_of, made_sets, of, rated_corpus

from mtsig import Settings, adjust, verdict
from mtsig import measure as measure_corpus
from mtsig.errors import InvalidOption, NotApplicable, ReadError, UnknownName
from mtsig.inference import ApproximateRandomization
from mtsig.inference import compare as compare_one
from mtsig.inference.corrections import JudgedTogether, StepDownMinP
from mtsig.inference.distributions import t_critical
from mtsig.inference.family import Family
from mtsig.inference.significance import Alternative
from mtsig.metrics import Unit
from mtsig.report import over_sets_texts, sets_tables
from mtsig.resampling import Swap
from mtsig.sets import FamilyOverSets, Sets, average, compare, measure, pair_over_sets, read_sets, units_over
from mtsig.sets.joint import JointRanks, exchanged, step_down

QUICK = Settings(n_resamples=500)


# --- one set ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("documents", [0, 12])
def test_one_set_is_the_comparison_of_that_set_to_the_digit(documents: int) -> None:
    corpus = made_corpus(60, 3, documents)
    sets = measure(Sets.of({"only": corpus}), "chrf")
    found = compare(sets, QUICK)
    assert found.averages is None
    assert found.replicated == ()
    assert found.families["only"].records == QUICK.family(measure_corpus(corpus, "chrf")).records


@pytest.mark.parametrize("documents", [0, 12])
def test_the_average_over_one_set_is_its_jackknife_to_the_digit(documents: int) -> None:
    corpus = made_corpus(60, 3, documents)
    sets = measure(Sets.of({"only": corpus}), "chrf")
    family = replace(QUICK, test="jackknife-t").family(measure_corpus(corpus, "chrf"))
    for one in family:
        pair = pair_over_sets(sets, units_over(sets, by_order=False), one.first, one.second, ["only"])
        assert average(pair, np.ones(1)) == (one.difference, one.standard_error, one.df)


def test_two_sets_of_the_same_contents_have_the_error_of_one() -> None:
    corpus = made_corpus(60, 3, 12)
    found = compare(measure(Sets.of({"a": corpus, "b": corpus}), "chrf"), QUICK)
    assert found.averages is not None
    for mean, one in zip(found.averages, found.families["a"], strict=True):
        assert (mean.difference, mean.standard_error) == pytest.approx((one.difference, one.standard_error), rel=1e-12)
        assert mean.df == pytest.approx(one.df, rel=1e-9)
    # They cannot disagree, and nothing is known of others.
    assert all("too closely" in one.method for one in found.described)
    assert all(one.further is None for one in found.described)
    # As if they were two sets, the error would be smaller by √2.
    apart = compare(measure(Sets.of({"a": corpus, "b": corpus}), "chrf", sharing="separate"), QUICK)
    assert apart.averages is not None
    assert apart.averages[0].standard_error == pytest.approx(found.averages[0].standard_error / np.sqrt(2), rel=1e-9)


def test_the_order_of_sets_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    sizes = [rng.integers(1, 9, 20), rng.integers(1, 9, 20), rng.integers(1, 5, 14)]
    sets = made_sets(rng, sizes, shared=True)
    turned = replace(sets, of=dict(reversed(list(sets.of.items()))))
    one, other = compare(sets, QUICK), compare(turned, QUICK)
    assert one.averages is not None
    assert other.averages is not None
    for name in ("difference", "standard_error", "df", "p_value"):
        assert getattr(one.averages, name) == pytest.approx(getattr(other.averages, name), rel=1e-9)
    for name, family in one.families.items():
        assert family.p_adjusted == pytest.approx(other.families[name].p_adjusted, rel=1e-12)


def test_the_error_of_an_average_is_what_leaving_documents_out_really_does() -> None:
    rng = np.random.default_rng(8)
    corpora = {}
    for name, count in (("a", 14), ("b", 14), ("c", 11)):
        documents = documents_of(rng.integers(1, 6, count))
        corpora[name] = rated_corpus(rng.normal(size=(2, len(documents))), documents)
    sets, weights = of(corpora), {"a": 1.0, "b": 2.0, "c": 5.0}
    found = compare(sets, QUICK, weights=weights)

    def difference(name: str, without: str) -> float:
        kept = [i for i, one in enumerate(corpora[name].documents or ()) if one != without]
        values = corpora[name].ratings["score"].values[:, kept]
        return float(values[0].mean() - values[1].mean())

    total = 0.0
    for unit in (f"doc{i}" for i in range(14)):
        moved = 0.0
        for name, weight in weights.items():
            count = len(set(corpora[name].documents or ()))
            change = difference(name, unit) - difference(name, "")
            moved += weight / 8 * np.sqrt((count - 1) / count) * change
        total += moved**2
    assert found.averages is not None
    assert found.averages[0].standard_error == pytest.approx(np.sqrt(total), rel=1e-6)
    expected = sum(weight / 8 * difference(name, "") for name, weight in weights.items())
    assert found.averages[0].difference == pytest.approx(expected, abs=1e-6)


# --- units ------------------------------------------------------------------------------------------------------------


def sourced(documents: list[str], sources: list[str], seed: int = 1) -> object:
    return rated_corpus(np.random.default_rng(seed).normal(size=(2, len(documents))), documents, sources)


def test_documents_are_the_same_by_id_and_source_lines() -> None:
    documents = documents_of([2] * 12)
    lines = [f"line {i}" for i in range(24)]
    other = [*lines[:22], "another", "text"]
    sets = of({"a": sourced(documents, lines), "b": sourced(documents, other)})  # type: ignore[dict-item]
    found = units_over(sets)
    assert found.shared == 11
    assert found.blocks(["a", "b"]) == [["a", "b"]]
    assert [note.text for note in found.notes] == [
        "11 documents occur in several of 2 sets; each is one unit in all of them."
    ]
    assert units_over(replace(sets, sharing="separate")).shared == 0


def test_documents_without_source_are_the_same_by_id_and_that_is_said() -> None:
    documents = documents_of([2] * 12)
    bare = rated_corpus(np.random.default_rng(2).normal(size=(2, 24)), documents)
    found = units_over(of({"a": sourced(documents, ["x"] * 24), "b": bare}))  # type: ignore[dict-item]
    assert found.shared == 12
    assert "by the id alone" in found.notes[1].text


def test_segments_are_the_same_by_position_where_sources_are() -> None:
    lines = [f"line {i}" for i in range(30)]
    one, other = np.random.default_rng(1).normal(size=(2, 2, 30))
    same = {"a": rated_corpus(one, None, lines), "b": rated_corpus(other, None, lines)}
    assert units_over(of(same)).shared == 30
    assert units_over(of({**same, "b": rated_corpus(other, None, lines[::-1])})).shared == 0
    assert units_over(of({**same, "b": rated_corpus(other)})).shared == 0


# --- the joint family -------------------------------------------------------------------------------------------------


def segment_sets(shared: bool, counts: tuple[int, ...] = (40, 40), systems: int = 3, seed: int = 1) -> object:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(systems, max(counts)))
    corpora = {}
    for j, n in enumerate(counts):
        scores = 0.9 * common[:, :n] + 0.4 * rng.normal(size=(systems, n)) + 0.25 * np.arange(systems)[:, None]
        lines = [f"{'' if shared else j}:{i}" for i in range(n)]
        corpora[f"set{j}"] = rated_corpus(scores, None, lines)
    return of(corpora)


def ranked(families: Mapping[str, Family], drawn: Iterator[tuple[str, np.ndarray]]) -> JointRanks:
    nulls = dict(drawn)
    draws = next(iter(nulls.values())).shape[1]
    joint = JointRanks.of({name: len(family) for name, family in families.items()}, draws)
    for name, null in nulls.items():
        joint.put(name, families[name], null)
    return joint


def test_documents_are_judged_together_by_holm() -> None:
    rng = np.random.default_rng(2)
    found = compare(made_sets(rng, [[3] * 20, [2] * 15, [4] * 12], shared=False, shift=[1.0, 0.5, 0.2]), QUICK)
    p = np.array([one.p_value for family in found.families.values() for one in family])
    order = np.argsort(p)
    by_hand = np.minimum(1, np.maximum.accumulate(p[order] * [3, 2, 1]))
    assert np.array([f.p_adjusted[0] for f in found.families.values()])[order] == pytest.approx(by_hand)
    assert {family.family_size for family in found.families.values()} == {3}


def test_one_set_of_joint_draws_is_min_p_to_the_digit() -> None:
    sets = segment_sets(False, (40,))
    statistics = sets.of["set0"]  # type: ignore[attr-defined]
    family = adjust(compare_one(statistics, ApproximateRandomization(Swap(999))), "minp")
    families = {"set0": family}
    units = units_over(sets)  # type: ignore[arg-type]
    p, low, high = step_down(families, ranked(families, exchanged(families, sets.of, units, 999, 12345)))  # type: ignore[attr-defined]
    assert p["set0"].tolist() == family.p_adjusted.tolist()
    assert low["set0"].tolist() == family.p_adjusted_mc_low.tolist()
    assert high["set0"].tolist() == family.p_adjusted_mc_high.tolist()


@pytest.mark.parametrize("shared", [True, False])
def test_draws_of_sets_go_together_exactly_where_units_are_shared(shared: bool) -> None:
    sets = segment_sets(shared)
    families = {name: compare_one(one, "ar", [("A", "B")]) for name, one in sets.of.items()}  # type: ignore[attr-defined]
    drawn = dict(exchanged(families, sets.of, units_over(sets), 4000, 7))  # type: ignore[attr-defined, arg-type]
    between = float(np.corrcoef(drawn["set0"][0], drawn["set1"][0])[0, 1])
    gaps = [rows[0] - rows[1] for rows in (one.segment_scores for one in sets.of.values())]  # type: ignore[attr-defined]
    # Σ s_u a_u and Σ s_u b_u with random signs s_u correlate as Σ ab/√(Σa² Σb²).
    expected = float(gaps[0] @ gaps[1] / np.sqrt((gaps[0] @ gaps[0]) * (gaps[1] @ gaps[1]))) if shared else 0.0
    assert between == pytest.approx(expected, abs=4.5 / np.sqrt(4000))


def test_a_set_that_shares_nothing_is_drawn_once_and_as_if_with_the_others() -> None:
    rng = np.random.default_rng(14)
    sets = of({f"set{j}": rated_corpus(rng.normal(size=(3, 40))) for j in range(3)})
    units, settings = units_over(sets, "segment"), Settings(n_resamples=700, unit="segment")
    families = {name: settings.family(one) for name, one in sets.of.items()}
    drawn = step_down(families, ranked(families, exchanged(families, sets.of, units, 700, settings.seed)))
    alone = JointRanks.of(dict.fromkeys(families, 3), 700)
    for j, (name, family) in enumerate(families.items()):
        alone.put_alone(name, family, j, settings.seed)
    assert alone.filled == set(families)
    assert str(step_down(families, alone)) == str(drawn)
    found = compare(sets, settings)
    assert all(np.array_equal(found.families[name].p_adjusted, drawn[0][name]) for name in families)
    # Draws are gone when all sets were judged: of many sets they are too many.
    assert all(family.null is None for family in found.families.values())
    # Where all arrangements were enumerated the test made other draws.
    few = settings.family(measure_corpus(rated_corpus(rng.normal(size=(2, 6))), "rating:score"))
    assert few.complete
    none = JointRanks.of({"few": 1}, 700)
    none.put_alone("few", few, 0, settings.seed)
    assert not none.filled


@pytest.mark.parametrize("shared", [True, False])
def test_joint_draws_are_judged_as_the_draws_of_one_family_would_be(shared: bool) -> None:
    # The correction of a single family, given the draws of all sets at once, ranks them itself.
    sets = segment_sets(shared, (40, 30, 35))
    found = compare(sets, Settings(n_resamples=600))  # type: ignore[arg-type]
    families = list(found.families.values())
    drawn = dict(exchanged(found.families, sets.of, units_over(sets), 600, 12345))  # type: ignore[attr-defined, arg-type]

    def column(what: str) -> np.ndarray:
        return np.concatenate([getattr(family, what) for family in families])

    m = sum(map(len, families))
    judged = JudgedTogether(
        column("p_value"), column("p_mc_low"), column("p_mc_high"), np.zeros(m, bool), column("difference"),
        np.concatenate([drawn[name] for name in found.families]), False, "two-sided", None, None,
        np.zeros(m, np.int64), np.zeros(m, np.int64),
    )  # fmt: skip
    for corrected, raw, ours in zip(
        StepDownMinP()(judged), ("p_value", "p_mc_low", "p_mc_high"), ("p_adjusted", "p_adjusted_mc_low",
        "p_adjusted_mc_high"),
        strict=True,
    ):  # fmt: skip
        assert column(ours).tolist() == np.fmax(corrected, column(raw)).tolist()


def test_joint_draws_are_held_once() -> None:
    sets = of({f"set{j}": rated_corpus(np.random.default_rng(j).normal(size=(6, 20))) for j in range(8)})
    families = {name: compare_one(one, "jackknife-t") for name, one in sets.of.items()}
    joint = JointRanks.of(dict.fromkeys(families, 15), 8_000)
    tracemalloc.start()
    try:
        for name, family in families.items():
            joint.put(name, family, np.zeros((15, 8_000)))
        step_down(families, joint)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Beside the ranks there are one set's differences in double precision, and a few rows; never the ranks again.
    assert peak < 0.6 * joint.ranks.nbytes


def test_joint_min_p_is_that_of_all_exchanges() -> None:
    # Ten segments that two sets share: all 2^10 exchanges at once, enumerated.
    rng = np.random.default_rng(11)
    lines = [f"line {i}" for i in range(10)]
    corpora = {name: rated_corpus(rng.normal(size=(2, 10)) + np.array([[0.9], [0.0]]), None, lines) for name in "ab"}
    sets = of(corpora)
    found = compare(sets, Settings(n_resamples=20_000))
    gaps = np.array([one.segment_scores[0] - one.segment_scores[1] for one in sets.of.values()])
    signs = np.array(list(product([1, -1], repeat=10)))
    null = np.abs(gaps @ signs.T) / 10
    observed = np.abs(gaps.mean(axis=1))
    share = np.array([[np.mean(row >= value - 1e-9) for value in row] for row in null])
    raw = np.array([np.mean(row >= value - 1e-9) for row, value in zip(null, observed, strict=True)])
    least = share.min(axis=0)
    first, second = np.argsort(raw)
    expected = np.zeros(2)
    expected[first] = np.mean(least <= raw[first] + 1e-12)
    expected[second] = max(expected[first], raw[second])
    p = np.array([family.p_adjusted[0] for family in found.families.values()])
    assert {family.correction for family in found.families.values()} == {"minp"}
    assert p == pytest.approx(expected, abs=4.5 * np.sqrt(0.25 / 20_000))


def test_a_set_with_fewer_segments_shares_those_that_it_has() -> None:
    # Sets of one source, of which one has no rating of the first segments: masks go by unit, not by place.
    lines = [f"line {i}" for i in range(40)]
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(2, 40))
    lacking = scores.copy()
    lacking[:, :15] = np.nan
    sets = of({"whole": rated_corpus(scores, None, lines), "part": rated_corpus(lacking, None, lines)})
    units = units_over(sets, "segment")
    assert units.shared == 25
    families = {name: compare_one(one, "ar") for name, one in sets.of.items()}
    drawn = dict(exchanged(families, sets.of, units, 4000, 7))
    gap = scores[0] - scores[1]
    expected = np.sqrt(np.square(gap[15:]).sum() / np.square(gap).sum())
    assert float(np.corrcoef(drawn["whole"][0], drawn["part"][0])[0, 1]) == pytest.approx(expected, abs=0.05)


def test_a_larger_family_takes_more_draws_and_says_so() -> None:
    found = compare(segment_sets(True, (40, 40), 4), Settings(n_resamples=100))  # type: ignore[arg-type]
    assert found.families["set0"].test.scheme.n_draws == 480
    assert any(note.text.startswith("480 draws instead of 100") for note in found.notes)


def test_too_large_a_family_falls_back_on_holm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("mtsig.sets.families"), "MOST_DRAWS", 100)
    found = compare(segment_sets(True), QUICK)  # type: ignore[arg-type]
    assert {(f.test.name, f.correction) for f in found.families.values()} == {("jackknife-t", "holm")}
    assert any("would need 240 joint draws" in note.text for note in found.notes)


@pytest.mark.parametrize(
    ("draws", "correction", "test"), [(1000, "auto", "ar"), (1001, "auto", "jackknife-t"), (1001, "holm", "ar")]
)
def test_chosen_draws_are_held_within_bounds_too(
    draws: int, correction: str, test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = segment_sets(True)
    comparisons = sum(len(family) for family in compare(sets, QUICK).families.values())  # type: ignore[arg-type]
    monkeypatch.setattr(import_module("mtsig.sets.families"), "MOST_RANKS", 1000 * comparisons)
    found = compare(sets, Settings(n_resamples=draws, correction=correction))  # type: ignore[arg-type]
    assert {family.test.name for family in found.families.values()} == {test}
    told = [note.text for note in found.notes if "more than are held at once: 1,000 at most" in note.text]
    assert len(told) == (test != "ar")


def test_sets_with_documents_and_sets_without_are_judged_by_holm() -> None:
    rng = np.random.default_rng(4)
    corpora = {
        "documents": rated_corpus(rng.normal(size=(2, 40)), documents_of([2] * 20)),
        "segments": rated_corpus(rng.normal(size=(2, 50)) + np.array([[0.4], [0]])),
    }
    found = compare(of(corpora), QUICK)
    assert {name: family.test.name for name, family in found.families.items()} == {
        "documents": "jackknife-t",
        "segments": "ar",
    }
    p = [family.p_value[0] for family in found.families.values()]
    assert min(f.p_adjusted[0] for f in found.families.values()) == pytest.approx(2 * min(p))
    assert found.averages is not None
    assert found.averages.unit == "unit"


def test_documents_too_few_beside_sets_of_documents_give_no_verdict_on_the_average() -> None:
    few = {"a": made_corpus(60, 2, 12, seed=1), "b": made_corpus(60, 2, 5, seed=2)}
    found = compare(measure(Sets.of(few), "chrf"), QUICK)
    assert found.units.kinds == {"a": "document", "b": "segment"}
    assert found.averages is not None
    decided = verdict(found.averages[0])
    assert (decided.word, "too few documents in b" in (decided.withheld_reason or "")) == ("withheld", True)
    assert any("Averages over them are given no verdict" in note.text for note in found.notes)
    # By segments everywhere, as asked for, nothing is mixed.
    asked = compare(measure(Sets.of(few), "chrf"), replace(QUICK, unit="segment"))
    assert asked.averages is not None
    assert asked.averages[0].data_caveat == ""


def test_per_set_families_are_those_of_the_sets_and_labelled() -> None:
    sets = segment_sets(False, (40, 50))
    found = compare(sets, QUICK, family="per-set")  # type: ignore[arg-type]
    for name, family in found.families.items():
        alone = QUICK.family(sets.of[name])  # type: ignore[attr-defined]
        assert family.p_adjusted.tolist() == alone.p_adjusted.tolist()
    assert any("must not be counted" in note.text for note in found.notes)


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


# --- averages ---------------------------------------------------------------------------------------------------------


def test_a_pair_is_judged_on_the_sets_that_have_both_and_the_others_are_named() -> None:
    rng = np.random.default_rng(6)
    corpora = {name: rated_corpus(rng.normal(size=(3, 40)), documents_of([2] * 20)) for name in ("a", "b")}
    corpora["c"] = rated_corpus(rng.normal(size=(2, 40)), documents_of([2] * 20, "other"))
    found = compare(of(corpora), QUICK)
    assert {(one.first, one.second): one.sets for one in found.described} == {
        ("A", "B"): ("a", "b", "c"),
        ("A", "C"): ("a", "b"),
        ("B", "C"): ("a", "b"),
    }
    assert any(note.text == "Only in a and b: A – C, B – C." for note in found.notes)
    assert [len(family) for family in found.families.values()] == [3, 3, 1]


def test_systems_called_otherwise_are_matched() -> None:
    corpora = {"a": made_corpus(40, 2, 0), "b": made_corpus(40, 3, 0, seed=2)}
    sets = Sets.of(corpora, called={"ours": {"a": "sys1", "b": "sys2"}})
    assert [list(corpus.systems) for corpus in sets.values()] == [["sys0", "ours"], ["sys0", "sys1", "ours"]]
    assert sets["b"].lines("ours") == corpora["b"].lines("sys2")
    with pytest.raises(UnknownName, match="no test set called 'c'"):
        Sets.of(corpora, called={"ours": {"c": "sys1"}})
    with pytest.raises(UnknownName, match="a: there is no system called 'sys7'"):
        Sets.of(corpora, called={"ours": {"a": "sys7"}})
    with pytest.raises(InvalidOption, match="cannot be called 'sys0'"):
        Sets.of(corpora, called={"sys0": {"a": "sys1"}})


def test_an_average_is_judged_although_the_score_has_no_derivative_in_some_set() -> None:
    good = made_corpus(40, 2, 0)
    bad = replace(good, outputs={**good.outputs, "sys1": tuple("zzz" for _ in range(40))})
    found = compare(measure(Sets.of({"good": good, "bad": bad}), "bleu"), QUICK)
    assert found.averages is not None
    assert np.isnan(found.averages[0].standard_error)
    assert found.averages[0].unmatched == "bad: 'sys1' has no 1-gram match"
    assert verdict(found.averages[0]).winner == "sys0"


def test_two_scores_that_rest_on_smoothing_in_one_set_have_no_verdict_on_the_average() -> None:
    good = made_corpus(40, 2, 0)
    bad = replace(good, outputs=dict.fromkeys(good.outputs, tuple("zzz" for _ in range(40))))
    found = compare(measure(Sets.of({"good": good, "bad": bad}), "bleu"), QUICK)
    assert found.averages is not None
    assert str(verdict(found.averages[0]).withheld_reason).startswith("bad: both scores rest on smoothing")


def test_very_unequal_units_give_no_verdict_on_the_average() -> None:
    rng = np.random.default_rng(9)
    sizes = [[300, *[1] * 11], [300, *[1] * 11]]
    found = compare(made_sets(rng, sizes, shared=True, shift=[9.0, 9.0], effect=0.1), QUICK)
    assert found.averages is not None
    assert found.averages[0].df < 4
    assert verdict(found.averages[0]).word == "withheld"
    assert "no verdict on fewer than 5" in str(verdict(found.averages[0]).withheld_reason)


def test_weights_are_what_they_say() -> None:
    rng = np.random.default_rng(10)
    sets = made_sets(rng, [[3] * 20, [5] * 12], shared=False)
    d = [family.difference[0] for family in compare(sets, QUICK).families.values()]
    for weights, expected in (
        ("equal", np.mean(d)),
        ("segments", (60 * d[0] + 60 * d[1]) / 120),
        ({"set0": 3, "set1": 1}, (3 * d[0] + d[1]) / 4),
    ):
        found = compare(sets, QUICK, weights=weights).averages  # type: ignore[arg-type]
        assert found is not None
        assert found[0].difference == pytest.approx(expected)
    for weights, said in (
        ({"set0": 1}, "none for set1"),
        ({"set0": -1, "set1": 2}, "not negative"),
        ("x", "found 'x'"),
    ):
        with pytest.raises(InvalidOption, match=said):
            compare(sets, QUICK, weights=weights)  # type: ignore[arg-type]


def test_fisher_is_refused_where_units_are_shared() -> None:
    rng = np.random.default_rng(1)
    sizes = [[2] * 15] * 3
    with pytest.raises(NotApplicable, match="Fisher's combination is for independent sets"):
        compare(made_sets(rng, sizes, shared=True), QUICK, combination="fisher")
    assert compare(made_sets(rng, sizes, shared=False), QUICK, combination="fisher").replicated


def test_fewer_than_five_sets_stand_for_no_others() -> None:
    rng = np.random.default_rng(1)
    four = compare(made_sets(rng, [[2] * 15] * 4, shared=False), QUICK)
    assert four.described[0].not_further == "4 sets cannot stand for others; it takes 5"
    assert "Nothing is said of further sets: 4 sets cannot stand for others" in " ".join(over_sets_texts(four, 0))
    five = compare(made_sets(rng, [[2] * 15] * 5, shared=False), QUICK)
    assert five.described[0].not_further == ""
    assert "no random sample of test sets" in " ".join(over_sets_texts(five, 0))


def test_sets_that_share_few_documents_stand_for_no_others() -> None:
    # V of five sets is estimated from 15 documents: 14 degrees of freedom.
    rng = np.random.default_rng(3)
    shared = made_sets(rng, [[2] * 15] * 5, shared=True)
    pair = pair_over_sets(shared, units_over(shared), "A", "B", list(shared.of))
    assert pair.inflation == pytest.approx(14 / 10 * 13 / 9)
    said = compare(shared, QUICK)
    assert said.described[0].not_further == "the sets share too few units to tell how they move together"
    assert "Nothing is said of further sets" in " ".join(over_sets_texts(said, 0))
    alone = made_sets(rng, [[2] * 15] * 5, shared=False)
    assert compare(alone, QUICK).described[0].not_further == ""


def test_sentences_name_what_they_speak_of_and_put_contrary_sets_first() -> None:
    rng = np.random.default_rng(12)
    found = compare(made_sets(rng, [[2] * 40] * 5, shared=False, shift=[3, 3, 3, 3, -3], effect=0.1), QUICK)
    average_said, spread, further, replicated = over_sets_texts(found, 0)
    assert average_said.startswith(
        "In set4, 1 of 5 sets, B scores better; on average over these 5 test sets, A is better"
    )
    assert "A leads in 4, B in 1. The sets disagree by more than chance (Welch's F" in spread
    assert "in one further set it would lie between" in further
    assert "A is better than B in at least 4 of the 5 sets (chance of overstating at most 5%)" in replicated
    assert "B is better than A in at least 1 of the 5 sets" in replicated


def test_sets_without_a_verdict_count_as_not_shown_and_where_all_are_nothing_is_said() -> None:
    # Documents of which one holds nearly all the text: ν is below 4, and the verdict of such a set withheld.
    rng = np.random.default_rng(4)
    unequal, equal = [60, *[1] * 14], [3] * 20
    found = compare(made_sets(rng, [unequal, equal, equal], shared=False, shift=[3, 3, 3]), QUICK)
    claim = next(one for one in found.replicated if one.first == "A")
    assert (claim.sets, claim.withheld, claim.least, claim.better_in) == (3, 1, 2, ("set1", "set2"))
    assert "1 set gives no verdict and counts as not shown." in over_sets_texts(found, 0)[-1]
    assert "Set1 and set2 show it by themselves." in over_sets_texts(found, 0)[-1]
    lost = compare(made_sets(rng, [unequal] * 3, shared=False, shift=[3, 3, 3]), QUICK)
    assert {one.least for one in lost.replicated} == {0}
    assert not any("at least" in text for text in over_sets_texts(lost, 0))


@pytest.mark.parametrize("shared", [True, False])
def test_adjusted_intervals_of_all_sets_leave_out_0_where_the_joint_family_says(shared: bool) -> None:
    for found in (
        compare(segment_sets(shared), Settings(n_resamples=4000)),  # type: ignore[arg-type]
        compare(made_sets(np.random.default_rng(1), [[3] * 20, [2] * 15], shared=shared), QUICK),
    ):
        for family in (*found.families.values(), found.averages):
            assert family is not None
            for row in family:
                outside = row.adjusted_ci_low > 0 or row.adjusted_ci_high < 0
                assert outside == (row.p_adjusted <= row.alpha + 1e-12)
                assert np.isfinite(row.adjusted_level)


def agree(found: FamilyOverSets) -> int:
    """Hold the intervals of all sets and averages to their corrected p; return how many leave out 0."""
    outside = 0
    for family in (*found.families.values(), found.averages):
        for row in family or ():
            if not row.has_p:
                assert np.isnan([row.adjusted_level, row.adjusted_ci_low, row.adjusted_ci_high]).all()
                continue
            leaves_out = row.adjusted_ci_low > 0 or row.adjusted_ci_high < 0
            assert leaves_out == (row.p_adjusted <= row.alpha + 1e-12), row
            outside += leaves_out
    return outside


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    counts=st.lists(st.integers(12, 30), min_size=2, max_size=4),
    unit=st.sampled_from(["document", "block", "segment"]),
    test=st.sampled_from(["auto", "ar", "jackknife-t"]),
    alternative=st.sampled_from(["two-sided", "greater"]),
    step=st.sampled_from([0.01, 1.0]),
    shift=st.sampled_from([0.0, 0.4, 1.5]),
    shared=st.booleans(),
)
def test_intervals_over_sets_agree_with_p_whatever_is_chosen(
    seed: int,
    counts: list[int],
    unit: Unit,
    test: str,
    alternative: Alternative,
    step: float,
    shift: float,
    shared: bool,
) -> None:
    rng = np.random.default_rng(seed)
    common = rng.normal(0, 1, (3, max(counts)))
    corpora = {}
    for number, count in enumerate(counts):
        # Steps of 1 make ties of differences, within systems and between draws; few documents differ at all.
        effects = common[:, :count] if shared else rng.normal(0, 1, (3, count))
        scores = np.repeat(effects, 3, axis=1) + rng.normal(0, 1, (3, 3 * count)) + shift * np.arange(3)[:, None]
        documents = documents_of([3] * count) if unit == "document" else None
        lines = [f"{0 if shared else number}:{i}" for i in range(3 * count)]
        corpora[f"set{number}"] = rated_corpus(step * np.round(scores / step), documents, lines)
    chosen = Settings(test=test, unit=unit, n_resamples=199, alternative=alternative)
    agree(compare(of(corpora), chosen, [("A", "B"), ("A", "C"), ("B", "C")]))


def test_a_set_whose_reference_is_a_systems_own_output_counts_as_not_shown() -> None:
    good = made_corpus(60, 3, 0)
    kin = replace(good, references={**good.references, "refB": tuple(good.lines("sys2"))})
    found = compare(measure(Sets.of({"good": good, "kin": kin}), "bleu"), QUICK)
    row = next(one for one in found.families["kin"] if (one.first, one.second) == ("sys0", "sys2"))
    assert row.p_value < 0.001
    assert verdict(row).withheld == "reference"
    for one in found.replicated:
        assert one.withheld == ("sys2" in (one.first, one.second))
        assert "sys2" not in (one.first, one.second) or (one.least, one.p_values[-1]) == (0, 1.0)


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
        row.difference * (1 - t_critical(row.adjusted_level / 2, row.df) / t_critical(row.p_value / 2, row.df))
    )


def test_the_p_beside_an_f_is_that_of_the_f_and_corrected_ones_say_so() -> None:
    rng = np.random.default_rng(2)
    corpora = {f"set{j}": rated_corpus(rng.normal(size=(3, 60)), documents_of([3] * 20)) for j in range(2)}
    found = compare(of(corpora), QUICK)
    for number in range(3):
        average_said, spread = over_sets_texts(found, number)[:2]
        said = re.search(r"F\((\d+), (\d+)\) = ([\d.]+), p = ([\d.]+)(, p = [\d.]+ corrected for all pairs)?", spread)
        assert said is not None, spread
        df1, df2, f, p = map(float, said.groups()[:4])
        low, high = (scipy.stats.f.sf(f + off, df1, df2) for off in (0.006, -0.006))
        assert low - 1e-4 < p < high + 1e-4
        assert said[5] or p == 1 or p == found.described[number].p_adjusted
        assert re.search(r"adjusted p [=<] \S+, 3 averages", average_said)


def test_results_are_rows_and_tables() -> None:
    rng = np.random.default_rng(12)
    found = compare(made_sets(rng, [[2] * 15] * 5, shared=True), QUICK)
    rows = found.rows()
    assert [row["set"] for row in rows] == [*(f"set{j}" for j in range(5)), None]
    assert len(found.replicated) == 2
    assert [table.name for table in sets_tables(found)] == ["sets", "averages"]


# --- measuring and reading --------------------------------------------------------------------------------------------


def test_ratings_need_the_same_direction_in_all_sets() -> None:
    scores = np.random.default_rng(1).normal(size=(2, 30))
    with pytest.raises(InvalidOption, match="lower is better"):
        of({"a": rated_corpus(scores), "b": rated_corpus(scores, higher_is_better=False)})


def test_the_name_of_a_set_chooses_the_tokenizer_and_a_set_may_have_options_of_its_own() -> None:
    corpora = {
        "en-de": made_corpus(30, 2, 0),
        "wmt/en-zh": made_corpus(30, 2, 0, seed=2),
        "zh-en": made_corpus(30, 2, 0),
    }
    found = measure(Sets.of(corpora), "bleu")
    assert [("tok:zh" in one.signature) for one in found.of.values()] == [False, True, False]
    assert "wmt/en-zh: " in found.signature
    own = measure(Sets.of(corpora), "bleu", own={"zh-en": "bleu:tokenize=char"})
    assert "tok:char" in own.of["zh-en"].signature
    with pytest.raises(UnknownName, match="no test set called 'x'"):
        measure(Sets.of(corpora), "bleu", own={"x": "chrf"})
    with pytest.raises(InvalidOption, match="one metric"):
        measure(Sets.of(corpora), "bleu", own={"zh-en": "chrf"})


def written(folder: Path, lines: int = 12, systems: int = 2) -> Path:
    for place, names in (("systems", [f"s{i}" for i in range(systems)]), ("refs", ["ref"])):
        (folder / place).mkdir(parents=True)
        for name in names:
            (folder / place / f"{name}.txt").write_text("".join(f"{name} line {i}\n" for i in range(lines)))
    return folder


def test_a_folder_of_folders_is_read_and_an_archive_of_it(tmp_path: Path) -> None:
    root = tmp_path / "several"
    for name in ("en-de", "en-cs"):
        written(root / name)
    (root / "LICENSE").write_text("free\n")
    (root / "README.md").write_text("# Sets\n")
    assert list(read_sets(root)) == ["en-cs", "en-de"]
    for inside in (root, tmp_path):
        with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    packed.write(file, str(file.relative_to(inside)))
        found = read_sets(tmp_path / "packed.zip")
        assert list(found) == ["en-cs", "en-de"]
        assert dict(found) == dict(read_sets(root))


def test_sets_are_named_one_by_one_and_places_with_several_give_theirs(tmp_path: Path) -> None:
    root, alone = tmp_path / "several", written(tmp_path / "alone")
    for name in ("x", "y"):
        written(root / name)
    assert list(read_sets([f"ours={alone}", str(alone)])) == ["ours", "alone"]
    assert list(read_sets({"2024": root, "z": alone})) == ["2024/x", "2024/y", "z"]
    with pytest.raises(ReadError, match="Two test sets are called 'alone'"):
        read_sets([alone, f"alone={alone}"])
    with pytest.raises(ReadError, match="No test set"):
        read_sets([])


def test_language_pairs_of_mt_metrics_eval_are_sets(tmp_path: Path) -> None:
    for pair in ("en-de", "en-cs"):
        for place, text in (
            (f"sources/{pair}.txt", "a\nb\n"),
            (f"references/{pair}.refA.txt", "c\nd\n"),
            (f"documents/{pair}.docs", "news\tone\nnews\ttwo\n"),
            (f"system-outputs/{pair}/s.txt", "c\ne\n"),
            (f"system-outputs/{pair}/t.txt", "f\ne\n"),
        ):
            (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place).write_text(text)
    found = read_sets(tmp_path)
    assert sorted(found) == ["en-cs", "en-de"]
    assert found["en-de"].documents == ("one", "two")
    assert sorted(read_sets([f"wmt={tmp_path}"])) == ["wmt/en-cs", "wmt/en-de"]


def test_a_broken_set_stops_everything_with_its_name_or_is_left_out_and_said(tmp_path: Path) -> None:
    for name in ("good", "worse"):
        written(tmp_path / name)
    (tmp_path / "worse" / "systems" / "s1.txt").write_text("one line\n")
    with pytest.raises(Exception, match=r"^worse: .*has 1 segments"):
        read_sets(tmp_path)
    found = read_sets(tmp_path, skip_broken=True)
    assert list(found) == ["good"]
    assert "worse" in found.notes[0].text
    statistics = measure(found, "chrf")
    assert compare(statistics, QUICK).notes[0] == found.notes[0]
    with pytest.raises(ReadError, match=r"nowhere: .*no such file"):
        read_sets([f"nowhere={tmp_path}/nowhere"])


def test_systems_that_meet_in_no_set_cannot_be_compared() -> None:
    scores = np.random.default_rng(1).normal(size=(1, 30))
    sets = of({"a": rated_corpus(scores), "b": rated_corpus(scores, systems="B")})
    with pytest.raises(NotApplicable, match="No test set has two"):
        compare(sets)
    with pytest.raises(UnknownName, match="no system called 'Z'"):
        compare(sets, pairs="Z")


def test_pairs_are_chosen_as_ever() -> None:
    sets = segment_sets(False, (40, 30))
    everything = compare(sets, QUICK)  # type: ignore[arg-type]
    assert [(one.first, one.second) for one in everything.described] == list(combinations("ABC", 2))
    against = compare(sets, QUICK, "B")  # type: ignore[arg-type]
    assert [(one.first, one.second) for one in against.described] == [("A", "B"), ("C", "B")]


def test_sets_of_one_source_are_cut_at_the_same_places() -> None:
    # Runs of 100 in one set, of 20 in the other: the first is cut into fewer blocks, and both share those.
    lines = [f"line {i}" for i in range(1000)]
    rng = np.random.default_rng(3)
    long, short = (
        rng.normal(size=(3, 1000)) + np.repeat(rng.normal(0, 2, (3, 1000 // length)), length, axis=1)
        for length in (100, 20)
    )
    sets = of({"long": rated_corpus(long, None, lines), "short": rated_corpus(short, None, lines)})
    alone = {name: one.at("auto").n for name, one in sets.of.items()}
    assert alone["long"] < alone["short"]
    units = units_over(sets)
    assert units.kinds == {"long": "block", "short": "block"}
    assert units.shared == alone["long"]
    found = compare(sets, QUICK)
    assert {family.unit for family in found.families.values()} == {"block"}
    assert {one.units for family in found.families.values() for one in family} == {alone["long"]}
    apart = units_over(replace(sets, sharing="separate"))
    assert apart.shared == 0
    assert {name: len(own) for name, own in apart.of.items()} == alone


# --- a test that was asked for by name --------------------------------------------------------------------------------


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
