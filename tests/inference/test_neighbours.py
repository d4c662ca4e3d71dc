"""No document ids: how alike neighbours are, and blocks of them as units (docs/statistics/neighbours.md)."""

from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import worded

import mtsig
from mtsig import Corpus, Rating, Settings, compare_subsets, measure, verdict
from mtsig._say import say
from mtsig.figures import Matrix
from mtsig.inference import Comparison, compare
from mtsig.inference._power import needed_units
from mtsig.metrics import Statistics
from mtsig.metrics._sums import block_places, edges_of, first_blocks, moments, neighbour_z
from mtsig.report import comparison_table, verdict_text
from mtsig.report._families import caution_of_family, headline_text
from mtsig.report._methods import methods_paragraph
from mtsig.resampling import Bootstrap, resample

QUICK = Settings(n_resamples=200)

A60 = [-1.25, 2.25, 0.0, 3.5, 1.25, -1.0, 2.5, 0.25, 3.75, 1.5, -0.75, 2.75, -2.5, 1.0, -1.25, -3.5, 0.0, -2.25, 1.25,
       -1.0, -3.25, 0.25, -2.0, -4.25, 2.25, 0.0, 3.5, 1.25, -1.0, 2.5, 0.25, 3.75, 1.5, -0.75, 2.75, 0.5, 1.0, -1.25,
       -3.5, 0.0, -2.25, 1.25, -1.0, -3.25, 0.25, -2.0, -4.25, -0.75, 0.0, 3.5, 1.25, -1.0, 2.5, 0.25, 3.75, 1.5, -0.75,
       2.75, 0.5, 4.0]  # fmt: skip
B60 = [-2.75, -0.25, -2.5, 0.0, -2.25, 0.25, -2.0, 0.5, -1.75, 0.75, -1.5, 1.0, -0.25, 2.25, 0.0, 2.5, 0.25, 2.75, 0.5,
       -1.75, 0.75, -1.5, 1.0, -1.25, 0.25, -2.0, 0.5, -1.75, 0.75, -1.5, 1.0, -1.25, 1.25, -1.0, 1.5, -0.75, 2.75, 0.5,
       -1.75, 0.75, -1.5, 1.0, -1.25, 1.25, -1.0, 1.5, -0.75, 1.75, -1.5, 1.0, -1.25, 1.25, -1.0, 1.5, -0.75, 1.75,
       -0.5, -2.75, -0.25, -2.5]  # fmt: skip


def rated(scores: object, names: str = "ABCDEFGHIJ") -> Statistics:
    """Return statistics of systems A, B … by a rating of every segment, without documents."""
    values = np.asarray(scores, dtype=float)
    return measure(Corpus.of(dict.fromkeys(names[: len(values)]), ratings={"r": Rating(values, True)}), "rating:r")


def alike(n: int = 400, systems: int = 3, length: int = 20, seed: int = 4) -> np.ndarray:
    """Return scores whose neighbours are correlated: runs of segments share what each system does with them."""
    rng = np.random.default_rng(seed)
    runs = np.repeat(rng.normal(0, 1, (systems, -(-n // length))), length, axis=1)[:, :n]
    return rng.normal(0, 1, (systems, n)) + runs


# --- the statistic ----------------------------------------------------------------------------------------------------


def by_definition(pairs: np.ndarray, width: int) -> float:
    return sum(
        2 * (1 - k / width) * float((pairs[:, :-k] * pairs[:, k:]).sum()) for k in range(1, min(width, pairs.shape[1]))
    )


def test_mean_and_variance_are_those_of_all_orders() -> None:
    influences = np.array([[1.0, 2.0, 2.5, -1.0, -2.0, -1.5, 0.5], [0.5, 1.5, -0.5, -1.0, 0.0, 2.0, -3.0]])
    centred = influences - influences.mean(axis=1, keepdims=True)
    pairs = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    found, expected, variance = moments(centred, np.diag(1 / np.square(centred).sum(axis=1)), 3)
    every = np.array([by_definition(pairs[:, order], 3) for order in permutations(range(7))])
    assert len(every) == 5040
    assert (found, expected, variance) == pytest.approx((by_definition(pairs, 3), every.mean(), every.var()), abs=1e-12)
    assert (found, expected, variance) == pytest.approx((-0.09640703827, -0.5396825397, 0.2394830582), abs=1e-9)
    assert (found - expected) / np.sqrt(variance) == pytest.approx(0.9058083754, abs=1e-9)


def test_systems_stand_for_all_their_pairs() -> None:
    influence = np.random.default_rng(2).normal(size=(5, 40)).cumsum(axis=1)
    influence[4] = influence[1]  # a copy: its pair has nothing to say
    gaps = np.array([influence[x] - influence[y] for x, y in combinations(range(5), 2) if (x, y) != (1, 4)])
    gaps -= gaps.mean(axis=1, keepdims=True)
    gaps /= np.linalg.norm(gaps, axis=1, keepdims=True)
    found, expected, variance = moments(gaps, np.eye(len(gaps)), 10)
    assert found == pytest.approx(by_definition(gaps, 10))
    assert neighbour_z(influence) == pytest.approx((found - expected) / np.sqrt(variance), rel=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(21, 80))
def test_laws_of_the_statistic(seed: int, systems: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    influence = rng.normal(size=(systems, n)).cumsum(axis=1)
    z = neighbour_z(influence)
    assert np.isfinite(z)
    assert neighbour_z(influence[:, ::-1]) == pytest.approx(z, abs=1e-8)  # the file read from its end
    assert neighbour_z(influence[rng.permutation(systems)]) == pytest.approx(z, abs=1e-8)
    assert neighbour_z(1e6 * influence) == pytest.approx(z, abs=1e-8)
    # What all systems have in common is no difference of theirs.
    assert neighbour_z(influence + rng.normal(size=n)) == pytest.approx(z, abs=1e-6)
    assert np.isfinite(neighbour_z(np.vstack([influence, influence[:1]])))
    lost = np.vstack([influence, np.full((1, n), np.nan)])
    assert neighbour_z(lost) == pytest.approx(z, abs=1e-12)


def test_nothing_is_known_where_nothing_varies() -> None:
    assert np.isnan(neighbour_z(np.ones((3, 30))))
    assert np.isnan(neighbour_z(np.array([[1.0, 2.0] * 20])))
    assert np.isnan(neighbour_z(np.full((2, 30), np.nan)))


# --- blocks -----------------------------------------------------------------------------------------------------------


def test_numbers_and_edges_of_blocks() -> None:
    sizes = (40, 60, 249, 250, 347, 873, 1000, 2016, 5000)
    assert [first_blocks(n) for n in sizes] == [5, 5, 5, 5, 6, 17, 20, 20, 20]
    for n in sizes:
        blocks = first_blocks(n)
        assert edges_of(n, blocks).tolist() == [int(np.floor(k * n / blocks + 0.5)) for k in range(blocks + 1)]
        assert np.bincount(block_places(n, blocks)).tolist() == np.diff(edges_of(n, blocks)).tolist()


def one_by_blocks(found: Comparison) -> tuple[float, ...]:
    return found.difference, found.standard_error, found.df, found.p_value


def test_alike_neighbours_are_judged_by_blocks() -> None:
    statistics = rated([A60, B60])
    found = compare(statistics)[0]
    assert (found.unit, found.units, found.segments) == ("block", 5, 60)
    assert one_by_blocks(found) == pytest.approx((0.4375, 0.8934804372, 4, 0.6500157068), abs=1e-9)
    assert (found.ci_low, found.ci_high) == pytest.approx((-2.043199386, 2.918199386), abs=1e-9)
    assert found.order_z == pytest.approx(3.650393092, abs=1e-9)
    assert compare(statistics, "ar")[0].standard_error == pytest.approx(0.3586907789, abs=1e-9)


def test_blocks_double_where_documents_are_longer() -> None:
    i = np.arange(600)
    a, b = (i * 37 % 101) / 10 + np.where(i // 130 % 2 == 0, 3, 0), (i * 53 % 97) / 10
    found = compare(rated([a, b]))[0]
    assert (found.unit, found.units) == ("block", 6)
    assert one_by_blocks(found) == pytest.approx((1.9155, 0.4827145292, 5, 0.01065545848), abs=1e-9)


def test_segments_that_know_nothing_of_their_neighbours_stay_units() -> None:
    statistics = rated(np.random.default_rng(11).normal(size=(3, 300)))
    assert statistics.order is not None
    assert not statistics.order.alike
    found, named = QUICK.family(statistics), replace(QUICK, test="ar").family(statistics)
    assert (found.unit, found.test.name, found.correction) == ("segment", "ar", "minp")
    assert found.p_adjusted.tolist() == named.p_adjusted.tolist()
    assert {verdict(one).caution for one in found} == {""}
    worded(found.notes)


# --- what the choice rests on -----------------------------------------------------------------------------------------


def test_named_tests_and_units_keep_their_numbers() -> None:
    statistics = rated(alike())
    by_blocks = QUICK.family(statistics)
    assert (by_blocks.unit, by_blocks.test.name, by_blocks.correction) == ("block", "jackknife-t", "holm")
    plain = replace(statistics, settled=True)  # nobody looks at the order
    for chosen in (replace(QUICK, test="ar"), replace(QUICK, unit="segment")):
        found = chosen.family(statistics)
        assert found.unit == "segment"
        assert found.p_adjusted.tolist() == chosen.family(plain).p_adjusted.tolist()
        assert all("correlated (z =" in verdict(one).caution for one in found)
        assert chosen.intervals(statistics).unit == "segment"
    assert compare(statistics, "ar").unit == "segment"
    assert QUICK.intervals(statistics).unit == "block"


def test_the_unit_does_not_depend_on_the_pairs_that_are_asked_for() -> None:
    scores = np.vstack([alike(systems=2), np.random.default_rng(11).normal(size=(2, 400))])
    statistics = rated(scores)
    assert statistics.at("auto").unit == "block"
    assert statistics.select(["C", "D"]).at("auto").unit == "segment"
    (alone,) = QUICK.family(statistics, [("C", "D")])
    assert alone.unit == "block"
    assert alone == replace(
        next(one for one in QUICK.family(statistics) if (one.first, one.second) == ("C", "D")),
        **{
            name: getattr(alone, name)
            for name in (
                "family_size",
                "p_adjusted",
                "p_adjusted_mc_low",
                "p_adjusted_mc_high",
                "adjusted_ci_low",
                "adjusted_ci_high",
                "adjusted_level",
            )
        },
    )
    at = statistics.at("auto")
    assert at.select(["C", "D"]).at("auto").unit == "block"  # what was chosen stays


def test_blocks_can_be_asked_for_and_documents_decide_where_they_are_known() -> None:
    statistics = rated(np.random.default_rng(11).normal(size=(2, 300)))
    found = replace(QUICK, unit="block").family(statistics)
    assert (found.unit, set(found.units.tolist())) == ("block", {6})
    assert any("As requested" in note.text for note in found.notes)
    known = replace(rated(alike()), document_of=np.arange(400) // 20)
    assert known.order is None
    assert QUICK.family(known).unit == "document"
    few = replace(known, document_of=np.arange(400) // 80)
    assert QUICK.family(few).unit == "segment"
    with pytest.raises(mtsig.errors.NotApplicable, match="only 4 segments"):
        rated([[1, 2, 3, 4], [2, 1, 0, 1]]).at("block")


def test_gaps_leave_what_all_systems_have() -> None:
    scores = alike()
    whole = rated(scores).order
    scores[2, 350:] = np.nan
    statistics = rated(scores)
    assert statistics.order is not None
    assert whole is not None
    assert (whole.segments, statistics.order.segments) == (400, 350)
    found = QUICK.family(statistics)
    assert found.unit == "block"
    assert dict(zip(zip(found.first, found.second, strict=True), found.segments.tolist(), strict=True)) == {
        ("A", "B"): 400, ("A", "C"): 350, ("B", "C"): 350,
    }  # fmt: skip
    assert set(found.units.tolist()) == {7}
    # The last block is a little longer than others in what A and B have, and a little shorter beside C.
    assert ((found.df > 5) & (found.df < 6)).all()


def test_blocks_are_equal_in_what_pairs_have_and_not_in_the_little_that_all_have() -> None:
    # Ratings of samples: each system lacks a third, and all have segments mostly in one half of the file.
    rng = np.random.default_rng(3)
    scores = alike(n=900, systems=6, seed=5)
    scores[rng.random(scores.shape) < np.where(np.arange(900) < 450, 0.5, 0.1)] = np.nan
    found = QUICK.family(rated(scores))
    assert found.unit == "block"
    assert found[0].order_z > 0.5
    common = (~np.isnan(scores)).all(axis=0).sum()
    assert found.segments.min() > 1.5 * common
    assert not any(verdict(one).word == "withheld" for one in found)
    assert (found.df > 0.85 * (found.units - 1)).all()


def test_blocks_that_are_too_unequal_lead_to_document_ids() -> None:
    scores = alike()
    scores[2, 110:390] = np.nan
    family = replace(QUICK, unit="block").family(rated(scores))
    gappy = verdict(next(one for one in family if (one.first, one.second) == ("A", "C")))
    worded((gappy.withheld, gappy.flags), "--docs docids", "--test ar")


@pytest.mark.parametrize(("n", "blocks"), [(21, 5), (347, 6), (1003, 20)])
def test_blocks_of_equal_weights_are_cut_as_their_edges_say(n: int, blocks: int) -> None:
    assert np.flatnonzero(np.diff(block_places(n, blocks), prepend=-1)).tolist() == edges_of(n, blocks)[:-1].tolist()


# --- what is said -----------------------------------------------------------------------------------------------------


def texts(statistics: Statistics, chosen: Settings = QUICK) -> str:
    return " ".join(note.text for note in chosen.family(statistics).notes)


def test_sentences_say_what_was_done_and_why() -> None:
    long, tiny = rated(alike()), rated(np.random.default_rng(1).normal(size=(2, 20)))
    assert long.order is not None
    z = f"{long.order.z:.2f}"
    units = long.at("auto").n
    worded(texts(long), z, f"{units} blocks", f"{400 / units:.0f} consecutive", f"{units - 1} degrees")
    (one,) = QUICK.family(tiny)
    assert one.unit == "segment"
    assert np.isnan(one.order_z)
    known = texts(replace(long, document_of=np.arange(400) // 20))
    assert "No document ids" not in known
    assert "Document ids would" not in known  # they are in use
    worded(known)


def test_what_chance_can_explain_is_not_said_to_be_so() -> None:
    values = np.random.default_rng(11).normal(size=(3, 300))
    order, weak = next(
        (found.order, found)
        for shift in range(30)
        if (found := rated(values + shift / 30 * alike(300))).order is not None and found.order.alike
    )
    assert 0.5 < order.z < 2
    worded(texts(weak), f"{order.z:.2f}")
    worded(cautions(weak, replace(QUICK, test="ar")))


def cautions(statistics: Statistics, chosen: Settings = QUICK) -> set[str]:
    return {verdict(one).caution for one in chosen.family(statistics)}


def test_every_verdict_carries_the_caution_of_its_units() -> None:
    independent = np.random.default_rng(11).normal(size=(3, 300))
    shorter = np.random.default_rng(8).normal(size=(2, 120))
    long, tiny = rated(alike()), rated(np.random.default_rng(1).normal(size=(2, 20)))
    assert cautions(long) == cautions(rated(independent)) == {""}
    unseen = {"fewer than 250 segments and no document ids; dependence between segments could hardly be detected"}
    assert cautions(tiny) == cautions(rated(shorter), replace(QUICK, unit="segment")) == unseen
    (by_blocks,) = cautions(rated(alike(n=120)))
    worded(by_blocks, "250 segments")
    dealt = rated(np.tile(np.random.default_rng(8).normal(0, 3, (2, 10)), 50) + alike(500, 2, 1))
    assert all("perhaps documents alternate" in said for said in cautions(dealt))
    # A caution is once in what stands below, and a mark at every verdict.
    family = replace(QUICK, test="ar").family(long)
    assert not any("neighbours are correlated (z" in note.text for note in family.notes)
    assert caution_of_family(family).count("neighbours are correlated") == 1
    assert all(text[-1].endswith("!") for text in comparison_table(family, view=("first", "verdict")).texts)
    worded(verdict_text(one) for one in family)
    worded(headline_text([family]))
    assert all(Matrix.of(family).mark(cell).endswith("!") for cell in Matrix.of(family).cells)


@pytest.mark.parametrize(("documents", "said"), [(1, "only 1 document is known"), (9, "only 9 documents are known")])
def test_few_documents_are_a_caution_whatever_the_segments(documents: int, said: str) -> None:
    statistics = replace(rated(alike()), document_of=np.arange(400) * documents // 400)
    assert statistics.order is None
    found = QUICK.family(statistics)
    assert found.unit == "segment"
    assert all(verdict(one).caution.startswith(said) for one in found)
    assert cautions(replace(statistics, document_of=np.arange(400) // 40)) == {""}


def test_an_average_has_the_caution_of_the_set_that_leaves_most_open() -> None:
    def of(n: int, documents: int = 0, seed: int = 1) -> Corpus:
        names = [str(i * documents // n) for i in range(n)] if documents else None
        ratings = np.random.default_rng(seed).normal(size=(2, n)) + np.array([[1.0], [0.0]])
        return Corpus.of(dict.fromkeys("AB"), ratings={"r": Rating(ratings, True)}, documents=names)

    def averaged(*sets: Corpus) -> Comparison:
        named = {f"set{i}": corpus for i, corpus in enumerate(sets)}
        (average,) = mtsig.compare(named, ["rating:r"], n_resamples=200).over[0].compared.averages
        return average

    assert verdict(averaged(of(300, 30), of(300, 30, 2))).caution == ""
    open_set = averaged(of(300, 30), of(120, seed=2))
    assert open_set.order_segments == 120
    worded(verdict(open_set).caution, "250 segments")
    worded(verdict(averaged(of(300, 5), of(300, 5, 2))).caution, "5 documents")


def test_runs_carry_the_caution_of_their_units() -> None:
    rng = np.random.default_rng(1)
    runs = {f"{name}.run{i}": rng.normal(mean, 1, 200) for name, mean in (("A", 0.5), ("B", 0)) for i in range(4)}
    rating = Rating(np.array(list(runs.values())), higher_is_better=True)
    statistics = measure(Corpus.of(dict.fromkeys(runs), ratings={"comet": rating}), "rating:comet")
    found = mtsig.compare_runs(statistics, "A", "B")
    worded(verdict(found).caution, "250 segments")
    worded(say(found), "250 segments")


def test_a_study_keeps_what_the_order_said(tmp_path: Path) -> None:
    corpus = Corpus.of(dict.fromkeys("AB"), ratings={"r": Rating(alike(systems=2), True)})
    study = mtsig.compare(corpus, metrics=["rating:r"], n_resamples=200)
    again = mtsig.read_study(study.save(tmp_path / "study.json"))
    assert again.comparisons[0].unit == "block"
    assert again.comparisons[0].order_z == study.comparisons[0].order_z > 0.5
    assert again.results[0].compared.unit == "block"
    assert f"|z:{study.comparisons[0].order_z:.2f}|" in methods_paragraph(study).text


# --- what follows the unit --------------------------------------------------------------------------------------------


def test_slices_share_the_blocks_of_the_whole_set() -> None:
    corpus = Corpus.of(
        dict.fromkeys("ABC"), ratings={"r": Rating(alike(), True)}, domains=["xy"[i % 7 > 2] for i in range(400)]
    )
    found = compare_subsets(corpus, measure(corpus, "rating:r"), "domain", QUICK)
    assert {family.unit for family in found.families.values()} == {"block"}
    assert len({units for family in found.families.values() for units in family.units.tolist()}) == 1
    # All eight blocks reach into both subsets; Welch's test would do as if they were not shared.
    assert {(one.method, one.df1, one.df2) for one in found.described} == {("Hotelling", 1, 7)}


def test_audits_power_and_designs_follow() -> None:
    statistics = rated(alike())
    audited = mtsig.audit(statistics, "A", "B", QUICK)
    assert audited.units == ("block", "segment")
    by_blocks = next(row for row in audited if (row.test, row.unit) == ("jackknife-t", "block"))
    family = QUICK.family(statistics)
    assert by_blocks.p_value == family.p_value[0]
    found = mtsig.design_test_set(statistics, "A", "B", 1.0)
    assert (found.unit, found.units, found.ways[0].by) == ("block", statistics.at("auto").n, "segments")
    assert found.ways[0].needed is not None
    blocks = needed_units(statistics, "A", "B", 1.0, comparisons=1)[0]
    assert found.ways[0].needed.segments == np.ceil(blocks * 400 / found.units)


def test_redraws_take_blocks_whole() -> None:
    statistics = rated(alike())
    at = statistics.at("auto")
    assert resample(statistics, Bootstrap(50)).draws.shape == (3, 50)
    assert at.n_segments == 400
    assert at.n_documents is None
    assert at.scores.tolist() == statistics.scores.tolist()
