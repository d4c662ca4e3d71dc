"""Where systems lack segments, every pair is held together on those that both have."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kept import worded
from made import made_statistics
from numpy.typing import NDArray
from sampled import crossed
from scipy import stats

from mtsig import (
    Corpus,
    Rating,
    Settings,
    adjust,
    audit,
    compare_runs,
    interval,
    measure,
    power_analysis,
    ranks,
    size_curve,
)
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS, SignificanceTest, block_scan, compare, influential_segments
from mtsig.inference._dependence import dependence
from mtsig.inference._ranks import rankable
from mtsig.inference._significance import ApproximateRandomization
from mtsig.metrics import Statistics
from mtsig.metrics._sums import by_shared_units, side_by_side
from mtsig.resampling import Bootstrap, Swap

NAMES = "ABCDEFG"


def corpus_of(values: NDArray[np.float64], documents: list[str] | None = None) -> Corpus:
    """Return a corpus of ratings alone."""
    names = NAMES[: len(values)]
    return Corpus.of(dict.fromkeys(names), documents=documents, ratings={"mqm": Rating(values, True)})


@st.composite
def gappy(draw: st.DrawFn, systems: int = 3, low: int = 6, high: int = 11) -> NDArray[np.float64]:
    """Ratings 1 to 5 with gaps, in which every pair of systems shares at least two segments that vary."""
    n, missing = draw(st.integers(low, high)), draw(st.sampled_from([0.0, 0.1, 0.25, 0.4]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = rng.integers(1, 6, (systems, n)).astype(float)
    values[rng.random(values.shape) < missing] = np.nan
    for x, y in combinations(range(systems), 2):
        gaps = values[x] - values[y]
        assume((~np.isnan(gaps)).sum() >= 2 and np.nanmin(gaps) < np.nanmax(gaps))
    return values


def made(systems: int = 4, n: int = 80, seed: int = 3, missing: float = 0.2) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    values = rng.normal(70, 8, n) + rng.normal(0, 5, (systems, n)) + 1.5 * np.arange(systems)[:, None]
    values[rng.random((systems, n)) < missing] = np.nan
    return values


def by_documents(n: int, length: int = 4) -> list[str]:
    return [f"d{i // length}" for i in range(n)]


def quick(name: str) -> SignificanceTest:
    """Return a test with few draws: these laws hold whatever is drawn."""
    return replace(TESTS[name], scheme=replace(TESTS[name].scheme, n_draws=400))


def shared_corpus(corpus: Corpus, systems: list[str]) -> Corpus:
    """Return the corpus of these systems and of the segments that all of them have, made by hand."""
    chosen = corpus.select(systems)
    return chosen.take(np.flatnonzero(~np.isnan(chosen.ratings["mqm"].values).any(axis=0)))


SAME_ANYWHERE = [
    "ij-t", "bootstrap-shift", "bootstrap-t", "bootstrap-ci", "bootstrap-rm2005",
    "t", "wilcoxon", "wmt-wilcoxon", "sign",
]  # fmt: skip
"""Tests that draw nothing, or draw from the pair's own units: the rest of the corpus cannot touch them."""


@crossed("test, documents", SAME_ANYWHERE, [False, True])
def test_a_pair_gets_what_the_corpus_of_its_shared_segments_gives(test: str, documents: bool) -> None:
    values = made()
    corpus = corpus_of(values, by_documents(80) if documents else None)
    family = compare(measure(corpus, "mqm"), quick(test))
    for one in family:
        alone = compare(measure(shared_corpus(corpus, [one.first, one.second]), "mqm"), quick(test))[0]
        for field in (
            "difference",
            "ci_low",
            "ci_high",
            "standard_error",
            "p_value",
            "p_mc_low",
            "p_mc_high",
            "bootstrap_win_rate",
            "tie_rate",
            "units",
        ):
            assert getattr(one, field) == pytest.approx(getattr(alone, field), rel=1e-12, nan_ok=True), field
        assert one.unit == alone.unit
        assert one.n_differing == alone.n_differing


@settings(max_examples=6, deadline=None)
@given(gappy())
def test_the_law_holds_for_any_gaps(values: NDArray[np.float64]) -> None:
    corpus = corpus_of(values)
    for test in ("ij-t", "t", "wilcoxon", "sign", "ar"):
        # With 4,000 draws all of at most 2^11 exchanges are gone through.
        chosen = replace(quick(test), scheme=replace(TESTS[test].scheme, n_draws=4000 if test == "ar" else 20))
        for one in compare(measure(corpus, "mqm"), chosen):
            # At most 11 units differ: the randomization is enumerated, and exact on either side.
            alone = compare(measure(shared_corpus(corpus, [one.first, one.second]), "mqm"), chosen)[0]
            assert one.p_value == pytest.approx(alone.p_value, rel=1e-9, nan_ok=True), test
            assert (one.ci_low, one.ci_high) == pytest.approx((alone.ci_low, alone.ci_high), rel=1e-9)
            assert one.units == alone.units


@crossed(
    "name, documents",
    [name for name in INTERVALS if name not in {"simultaneous", "wilson", "sacrebleu"}],
    [False, True],
)
def test_a_systems_interval_is_that_of_its_own_segments(name: str, documents: bool) -> None:
    corpus = corpus_of(made(), by_documents(80) if documents else None)
    scheme = Bootstrap(400)
    found = interval(measure(corpus, "mqm"), name, scheme=scheme)
    for i, system in enumerate(found.systems):
        alone = interval(measure(shared_corpus(corpus, [system]), "mqm"), name, scheme=scheme)
        assert (found[system].ci_low, found[system].ci_high) == pytest.approx(
            (alone.ci_low[0], alone.ci_high[0]), rel=1e-12
        )
        assert found.score[i] == alone.score[0]
        assert found.units[i] == alone.units[0] == alone.n_units


def test_wilson_counts_each_systems_own_ratings() -> None:
    values = np.array([[1, 0, 1, np.nan, 1], [0, 0, np.nan, np.nan, 1]])
    found = interval(measure(corpus_of(values), "mqm"), "wilson")
    alone = interval(measure(shared_corpus(corpus_of(values), ["B"]), "mqm"), "wilson")
    assert found.score.tolist() == [0.75, pytest.approx(1 / 3)]
    assert (found["B"].ci_low, found["B"].ci_high) == (alone.ci_low[0], alone.ci_high[0])


@crossed("test, documents", [*SAME_ANYWHERE, "ar"], [False, True])
def test_full_coverage_is_the_plain_path_to_the_digit(test: str, documents: bool) -> None:
    values = np.nan_to_num(made(), nan=60.0)
    plain = measure(corpus_of(values, by_documents(80) if documents else None), "mqm")
    assert plain.available is None
    covered = replace(plain, available=np.ones(values.shape, dtype=bool))
    one, other = (adjust(compare(statistics, quick(test)), "minp") for statistics in (plain, covered))
    for field in (
        "difference",
        "ci_low",
        "ci_high",
        "p_value",
        "p_adjusted",
        "bootstrap_win_rate",
        "tie_rate",
        "units",
        "n_differing",
        "standard_error",
    ):
        assert getattr(one, field).tolist() == pytest.approx(getattr(other, field).tolist(), rel=0, nan_ok=True), field


@settings(max_examples=10, deadline=None)
@given(gappy(), st.permutations(range(3)))
def test_the_order_of_systems_is_irrelevant(values: NDArray[np.float64], order: list[int]) -> None:
    corpus = corpus_of(values)
    turned = corpus.select([NAMES[i] for i in order])
    one, other = (adjust(compare(measure(these, "mqm"), "ar"), "minp") for these in (corpus, turned))
    for comparison in one:
        place = other.find(comparison.first, comparison.second)
        assert place is not None
        same = other[place]
        assert same.p_value == comparison.p_value
        assert same.p_adjusted == comparison.p_adjusted
        assert abs(same.difference) == abs(comparison.difference)


def flips(n: int) -> Iterator[NDArray[np.float64]]:
    """Yield every way to exchange or keep n units, as signs."""
    for signs in product((1.0, -1.0), repeat=n):
        yield np.array(signs)


def brute_force_minp(values: NDArray[np.float64]) -> tuple[list[float], list[float]]:
    """Return raw and step-down min-P p-values from all exchanges of the units, by the definition (section 4).

    Everything is counted anew for every arrangement; a unit that a pair does not share moves nothing in it.
    """
    pairs = list(combinations(range(len(values)), 2))
    statistic = []
    for signs in flips(values.shape[1]):
        row = []
        for x, y in pairs:
            both = ~np.isnan(values[x]) & ~np.isnan(values[y])
            gaps = (values[x] - values[y])[both] * signs[both]
            row.append(round(abs(sum(gaps)) / both.sum(), 9))
        statistic.append(row)
    table = np.array(statistic)
    total = len(table)
    p = np.array([[(table[:, j] >= table[r, j]).sum() / total for j in range(len(pairs))] for r in range(total)])
    order = sorted(range(len(pairs)), key=lambda j: p[0, j])
    adjusted, worst = {}, 0.0
    for place, j in enumerate(order):
        rest = order[place:]
        worst = max(worst, float(np.mean(p[:, rest].min(axis=1) <= p[0, j] + 1e-12)))
        adjusted[j] = worst
    return p[0].tolist(), [adjusted[j] for j in range(len(pairs))]


@settings(max_examples=15, deadline=None)
@given(gappy(low=5, high=8))
def test_min_p_is_that_of_all_exchanges(values: NDArray[np.float64]) -> None:
    family = adjust(compare(measure(corpus_of(values), "mqm"), "ar"), "minp")
    raw, adjusted = brute_force_minp(values)
    assert family.complete
    assert family.p_value.tolist() == pytest.approx(raw)
    assert family.p_adjusted.tolist() == pytest.approx(adjusted)


def test_min_p_by_documents_is_that_of_all_exchanges_of_documents() -> None:
    rng = np.random.default_rng(8)
    values = rng.integers(1, 6, (3, 30)).astype(float)
    values[rng.random((3, 30)) < 0.35] = np.nan
    values[0, 6:9] = np.nan  # a document that no pair with A has
    family = adjust(compare(measure(corpus_of(values, by_documents(30, 3)), "mqm"), "ar"), "minp")
    pairs = list(combinations(range(3), 2))
    signs = np.array([np.repeat(one, 3) for one in flips(10)])
    null = []
    for x, y in pairs:
        gaps = values[x] - values[y]
        both = ~np.isnan(gaps)
        null.append(np.abs(signs[:, both] @ gaps[both]) / both.sum())
    raw = [(one >= one[0] - 1e-9).mean() for one in null]
    assert family.p_value.tolist() == pytest.approx(raw)
    assert family[0].units == len({i // 3 for i in range(30) if not np.isnan(values[0, i] - values[1, i])}) < 10


@pytest.mark.parametrize("documents", [False, True])
def test_drawn_exchanges_are_shared_by_all_pairs(documents: bool) -> None:
    values = made(n=120)
    values[0, np.isnan(values).all(axis=0)] = 70  # a segment that nobody rated would not be counted at all
    statistics = measure(corpus_of(values, by_documents(120) if documents else None), "mqm")
    plan = Swap(300, 5)
    family = compare(statistics, ApproximateRandomization(plan))
    units = 30 if documents else 120
    exchanged = np.concatenate(list(plan.blocks(units)))
    signs = 1 - 2 * (np.repeat(exchanged, 4, axis=1) if documents else exchanged)
    assert family.null is not None
    for row, (x, y) in enumerate(combinations(range(4), 2)):
        gaps = values[x] - values[y]
        both = ~np.isnan(gaps)
        np.testing.assert_allclose(family.null[row], signs[:, both] @ gaps[both] / both.sum(), atol=1e-6)


def test_the_audit_of_a_pair_repeats_the_p_value_that_it_has_in_the_family() -> None:
    statistics = measure(corpus_of(made(), by_documents(80)), "mqm")
    family = compare(statistics, "ar")
    found = {(one.test, one.unit): one.p_value for one in audit(statistics, "A", "C")}
    place = family.find("A", "C")
    assert place is not None
    assert found["ar", "document"] == family[place].p_value
    assert found["ar", "segment"] != found["ar", "document"]


def test_the_swap_invariant_scale_of_a_pair_is_that_of_its_own_segments() -> None:
    values = made(systems=2)
    statistics = measure(corpus_of(np.vstack([values, np.full(80, 70.0)])), "mqm")
    family = adjust(compare(statistics, "ar", [("A", "B")]), "maxt")
    # One comparison: max-T is the plain randomization test, whatever the scale.
    assert family.p_adjusted.tolist() == pytest.approx(family.p_value.tolist())


# What one pair is asked goes to the segments that both of its systems have.


def test_power_dependence_blocks_and_influential_segments_look_at_the_shared_segments() -> None:
    corpus = corpus_of(made(), by_documents(80))
    statistics, shared = measure(corpus, "mqm"), measure(shared_corpus(corpus, ["B", "D"]), "mqm")
    found, wanted = (power_analysis(one, "B", "D", 1.0, 2.0) for one in (statistics, shared))
    assert replace(found, signature="") == replace(wanted, signature="")
    assert dependence(statistics, "B", "D") == dependence(shared, "B", "D")
    assert block_scan(statistics, "B", "D").ratio.tolist() == block_scan(shared, "B", "D").ratio.tolist()
    strongest = influential_segments(statistics, "B", "D")
    values = corpus.ratings["mqm"].values
    gaps = values[1] - values[3]
    assert strongest[0][0] == int(np.nanargmax(gaps))
    assert strongest[-1][0] == int(np.nanargmin(gaps))


def test_runs_are_compared_on_the_segments_that_all_runs_have() -> None:
    values = made(systems=4)
    names = ["X.run1", "X.run2", "Y.run1", "Y.run2"]
    corpus = Corpus.of(dict.fromkeys(names), ratings={"mqm": Rating(values, True)})
    found = compare_runs(measure(corpus, "mqm"), "X", "Y")
    shared = compare_runs(measure(shared_corpus(corpus, names), "mqm"), "X", "Y")
    # What is said of the data differs: some lack segments here, and none there.
    assert found == replace(shared, signature=found.signature, of_data=found.of_data)
    assert found.units == int((~np.isnan(values).any(axis=0)).sum())


def test_subsets_are_of_the_segments_that_all_curves_share_and_a_note_says_so() -> None:
    corpus = corpus_of(made())
    curves = size_curve(measure(corpus, "mqm"))
    shared = measure(shared_corpus(corpus, list("ABCD")), "mqm")
    assert curves.half_width.tolist() == size_curve(shared).half_width.tolist()
    worded(curves.notes, f"{shared.n} segments", "80", "4 systems")
    pair = size_curve(measure(corpus, "mqm"), pair=("A", "B"))
    assert pair.units[-1] == shared_corpus(corpus, ["A", "B"]).segments.n


# Methods that need every system on every segment say on what they stand.


@pytest.mark.parametrize("name", ["tukey", "scheffe", "nemenyi"])
def test_block_methods_stand_on_the_segments_that_all_systems_have(name: str) -> None:
    corpus = corpus_of(made())
    family = adjust(compare(measure(corpus, "mqm"), "t"), name)
    shared = adjust(compare(measure(shared_corpus(corpus, list("ABCD")), "mqm"), "t"), name)
    np.testing.assert_allclose(family.p_adjusted, shared.p_adjusted, rtol=1e-9)
    text = (
        f"{CORRECTIONS[name].label} needs segments that all systems have. So its p-values are based on the "
        f"{shared[0].units}"
    )
    assert any(note.text.startswith(text) for note in family.notes)


def test_block_methods_refuse_without_shared_segments() -> None:
    values = np.array([[1, 2, 3, np.nan, np.nan, 5], [np.nan, np.nan, 2, 3, 4, 1], [2, 1, np.nan, 4, 2, np.nan]])
    family = compare(measure(corpus_of(values), "mqm"), "t")
    with pytest.raises(NotApplicable, match="No segment of mqm is known for all of: A, B, C"):
        adjust(family, "tukey")


def test_simultaneous_intervals_of_different_segments_are_bonferronis() -> None:
    statistics = measure(corpus_of(made()), "mqm")
    found, alone = interval(statistics, "simultaneous"), interval(statistics)
    systems = len(found.systems)
    factor = stats.t.ppf(1 - 0.025 / systems, found.units - 1) / stats.t.ppf(0.975, found.units - 1)
    assert found.ci_high - found.score == pytest.approx(factor * (alone.ci_high - alone.score))


def test_redraws_of_different_segments_are_no_joint_law() -> None:
    statistics = measure(corpus_of(made()), "mqm")
    found = adjust(compare(statistics, "bootstrap-shift"), "minp")
    assert found.correction == "holm"
    worded(found.notes)
    assert adjust(compare(statistics, "ar"), "minp").correction == "minp"


# Pairs and systems with nothing in common.


APART = np.array(
    [
        [1, 2, 3, 4, np.nan, np.nan, np.nan, np.nan],
        [np.nan, np.nan, np.nan, np.nan, 1, 2, 3, 5],
        [2, 2, 4, 4, 2, 2, 4, 4.5],
    ]
)


def test_pairs_without_shared_segments_are_left_out_and_named() -> None:
    family = adjust(compare(measure(corpus_of(APART), "mqm"), "ar"), "minp")
    assert [(one.first, one.second, one.family_size) for one in family] == [("A", "C", 2), ("B", "C", 2)]
    assert not rankable(family)
    worded(family.notes, "mqm", "A – B")


def test_a_pair_that_was_asked_for_is_an_error() -> None:
    with pytest.raises(NotApplicable, match="too few segments in which both systems have mqm: A – B"):
        compare(measure(corpus_of(APART), "mqm"), "ar", [("A", "B")])
    with pytest.raises(NotApplicable, match="too few segments in which both systems have mqm: A – B"):
        compare(measure(corpus_of(APART[:2]), "mqm"), "ar")


def test_few_shared_documents_are_warned_of() -> None:
    values = made(n=80)
    values[0, :50] = np.nan
    family = compare(measure(corpus_of(values, by_documents(80)), "mqm"), "ar")
    worded(family.notes, "3 of 6", "10 documents")


def test_shares_of_first_places_are_of_the_segments_that_all_have() -> None:
    corpus = corpus_of(made())
    family = adjust(compare(measure(corpus, "mqm"), "ar"), "minp")
    shared = adjust(compare(measure(shared_corpus(corpus, list("ABCD")), "mqm"), "ar"), "minp")
    one, other = ranks(family), ranks(shared)
    assert one.shared == other.shared == int((~np.isnan(made()).any(axis=0)).sum())
    share = {ranked.systems[i]: ranked.bootstrap_best_rate[i] for ranked in (other,) for i in range(4)}
    assert [one.bootstrap_best_rate[i] for i in range(4)] == [share[name] for name in one.systems]


# The algebra underneath.


def test_zeros_stand_in_both_rows_of_a_pair() -> None:
    statistics = measure(corpus_of(made(systems=3, n=40)), "mqm")
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    wide, x, y = side_by_side(statistics, first, second)
    assert wide.available is None
    assert wide.n == statistics.n
    for row in range(3):
        counts = wide.values[1][[x[row], y[row]]]
        assert counts[0].tolist() == counts[1].tolist()
        assert statistics.available is not None
        assert counts[0].astype(bool).tolist() == statistics.available[[first[row], second[row]]].all(axis=0).tolist()


def test_targets_on_the_same_units_are_worked_out_together() -> None:
    values = np.array([[1, 2, 3, np.nan], [2, 2, 3, np.nan], [1, 1, 1, np.nan], [5, 4, np.nan, 1]])
    statistics = measure(corpus_of(values), "mqm")
    groups = by_shared_units(statistics, np.array(list(combinations(range(4), 2))))
    assert sorted(len(group.targets) for group in groups) == [3, 3]
    assert all(group.statistics.available is None for group in groups)


def test_statistics_with_gaps_refuse_what_would_mix_segments_up() -> None:
    statistics = measure(corpus_of(made()), "mqm")
    for ask in (lambda: statistics.influence, lambda: statistics.weighted()):
        with pytest.raises(NotApplicable, match="shared_by"):
            ask()
    assert np.isnan(statistics.segment_scores).sum() == np.isnan(made()).sum()
    assert statistics.shared_by(["A", "B"]).available is None
    with pytest.raises(NotApplicable, match="`available` has shape"):
        replace(statistics, available=np.ones((2, 2), dtype=bool))


def test_documents_without_a_rated_segment_drop_out() -> None:
    values = made(n=60)
    values[:, 8:12] = np.nan  # nobody has this document
    values[0, :4] = np.nan  # A lacks this one
    statistics = measure(corpus_of(values, by_documents(60)), "mqm")
    assert statistics.n_documents == 14
    at = statistics.at("document")
    assert (at.n, at.unit) == (14, "document")
    assert at.units_of(["A", "B"]) == at.shared_by(["A", "B"]).n == 13
    assert at.scores.tolist() == statistics.scores.tolist()


def test_only_shared_segments_on_request() -> None:
    corpus = corpus_of(made())
    found: Statistics = measure(corpus, "mqm:shared=true")
    by_hand = measure(shared_corpus(corpus, list("ABCD")), "mqm")
    assert found.available is None
    assert found.scores.tolist() == by_hand.scores.tolist()
    assert "segments:shared" in found.signature


@pytest.mark.parametrize("test", list(TESTS))
def test_every_test_takes_gaps_or_says_why_not(test: str) -> None:
    statistics = measure(corpus_of(made()), "mqm")
    chosen = Settings(test=test).chosen_test("segment")
    if chosen.name.startswith("sacrebleu"):
        with pytest.raises(NotApplicable, match="sacreBLEU does not compute mqm"):
            compare(statistics, chosen)
        return
    found = compare(statistics, chosen)
    assert found.units.tolist() == [statistics.units_of(pair) for pair in zip(found.first, found.second, strict=True)]


def test_simultaneous_intervals_on_different_segments_are_wider_than_those_alone() -> None:
    statistics = made_statistics(n=40, systems=3)
    coverage = np.ones((3, 40), dtype=bool)
    coverage[1, :10] = False
    together, alone = (
        compare(replace(statistics, available=coverage), interval=one) for one in ("simultaneous", "auto")
    )
    assert np.all(together.ci_high - together.ci_low > alone.ci_high - alone.ci_low)
