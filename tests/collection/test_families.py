"""Set by set: draws go together where units are shared, and all sets are judged as one family."""

import tracemalloc
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import worded
from made_sets import agree, documents_of, made_sets, of, rated_corpus, segment_sets

from mtsig import Settings, adjust
from mtsig import measure as measure_corpus
from mtsig._probability import Alternative
from mtsig.collection import Averaging, compare
from mtsig.collection._families import JointRanks, exchanged, step_down
from mtsig.collection._pairs import units_over
from mtsig.inference import Family
from mtsig.inference import compare as compare_one
from mtsig.inference._corrections import CorrectedTogether, StepDownMinP
from mtsig.inference._significance import ApproximateRandomization
from mtsig.metrics._statistics import Unit
from mtsig.resampling import Swap

QUICK = Settings(n_resamples=500)


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
    # Where all swaps were enumerated the test made other draws.
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
    judged = CorrectedTogether(
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


def test_a_larger_family_takes_more_draws_and_says_so() -> None:
    found = compare(segment_sets(True, (40, 40), 4), Settings(n_resamples=100))  # type: ignore[arg-type]
    assert found.families["set0"].test.scheme.n_draws == 480
    worded(found.notes, "480 resamples", "100")


def test_too_large_a_family_falls_back_on_holm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("mtsig.collection._families"), "MOST_DRAWS", 100)
    found = compare(segment_sets(True), QUICK)  # type: ignore[arg-type]
    assert {(f.test.name, f.correction) for f in found.families.values()} == {("jackknife-t", "holm")}
    worded(found.notes, "240 joint")


@pytest.mark.parametrize(
    ("draws", "correction", "test"), [(1000, "auto", "ar"), (1001, "auto", "jackknife-t"), (1001, "holm", "ar")]
)
def test_chosen_draws_are_held_within_bounds_too(
    draws: int, correction: str, test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = segment_sets(True)
    comparisons = sum(len(family) for family in compare(sets, QUICK).families.values())  # type: ignore[arg-type]
    monkeypatch.setattr(import_module("mtsig.collection._families"), "MOST_RANKS", 1000 * comparisons)
    found = compare(sets, Settings(n_resamples=draws, correction=correction))  # type: ignore[arg-type]
    assert {family.test.name for family in found.families.values()} == {test}
    told = [note.text for note in found.notes if "do not fit in memory (at most 1,000)" in note.text]
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


def test_per_set_families_are_those_of_the_sets_and_labelled() -> None:
    sets = segment_sets(False, (40, 50))
    found = compare(sets, QUICK, averaging=Averaging(family="per-set"))  # type: ignore[arg-type]
    for name, family in found.families.items():
        alone = QUICK.family(sets.of[name])  # type: ignore[attr-defined]
        assert family.p_adjusted.tolist() == alone.p_adjusted.tolist()
    worded(found.notes)


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


@settings(max_examples=15, deadline=None)
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
