"""WMT's rules and AutoRank, to the digits of WMT's own scripts; how often they err where all systems are equal."""

import json
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from statistics import mean, variance
from typing import Any

import numpy as np
import pytest
import scipy
from golden.oracles import known_answers
from kept import lacking, worded
from made_campaigns import contrastive, corpus_of, many, rated
from sampled import slow

from mtsig import Corpus, Rating, Settings, measure, read, verdict
from mtsig.campaign import autoranks, few_ratings, rank_by_rule
from mtsig.campaign._rules import (
    RULES,
    autorank,
    bca_bounds,
    combined,
    either_t,
    official_ranks,
    ranked,
    rules_text,
    side_by_side,
    signed_ranks,
    unlike_the_others,
    without_raters,
)
from mtsig.corpus import RaterScores
from mtsig.errors import NotApplicable


@pytest.fixture
def oracle() -> dict[str, Any]:
    found: dict[str, Any] = known_answers("preferences")
    return found


def _matrix(rows: list[list[float | None]]) -> np.ndarray:
    return np.array([[np.nan if value is None else value for value in row] for row in rows])


def test_ranks_and_clusters_are_those_of_the_definitions(oracle: dict[str, Any]) -> None:
    rules = oracle["wmt_rules"]
    scores, domains = _matrix(rules["input"]["scores_null_is_unrated"]), rules["input"]["domains"]
    names = [str(number) for number in range(len(scores))]
    found = {rule: ranked(names, scores, rule, domains)[0] for rule in RULES}
    known = rules["wmt24"]
    np.testing.assert_allclose(combined(scores, domains), known["p_stouffer_of_two_sided"], atol=1e-9)
    np.testing.assert_allclose(combined(scores, None), known["p_micro"], atol=1e-9)
    assert {row.system: [row.rank_low, row.rank_high] for row in found["wmt24"]} == known["rank"]
    assert {row.system: row.cluster for row in found["wmt24"]} == known["cluster"]
    assert [row.score for row in found["wmt24"]] == pytest.approx(sorted(known["macro_mean"], reverse=True))
    known = rules["wmt25"]
    np.testing.assert_allclose(signed_ranks(scores), _matrix(known["p_one_sided_wilcoxon"]), atol=1e-9)
    for rule, order, places in (
        ("wmt25", known["order"], known["rank"]),
        ("wmt26-t", rules["wmt26_t"]["order"], rules["wmt26_t"]["rank_as_printed"]),
    ):
        assert [int(row.system) for row in found[rule]] == order
        assert [[row.rank_low, row.rank_high] for row in found[rule]] == places
    ends = [place for place, row in enumerate(found["wmt25"], 1) if row.cut]
    assert ends == known["adjacent_cuts_after"] == known["clusters_cut_after"]
    assert [row.cluster for row in found["wmt25"]] == [1, 1, 2, 2, 3]
    known = rules["wmt26_t"]
    for mine, place in zip(either_t(scores), (0, 1), strict=True):
        theirs = [[None if cell is None else cell[place] for cell in row] for row in known["p_paired_unpaired"]]
        np.testing.assert_allclose(mine, _matrix(theirs), atol=1e-9)
    assert ["yes_cluster" if row.cut else "nothing" for row in found["wmt26-t"]] == known["lines"]
    paired = bca_bounds(scores, 0)[0]
    for pair, bound in rules["wmt26_bca"]["paired_lower_bound_seed0_in_order_ij"].items():
        assert paired[tuple(map(int, pair.split(">")))] == pytest.approx(bound, abs=1e-9)


def test_what_wmts_scripts_print_for_their_own_files(oracle: dict[str, Any], tmp_path: Path) -> None:
    rows, printed = oracle["wmt25_script"]["input_rows"], oracle["wmt25_script"]["official"]
    for number, row in enumerate(rows):
        row |= {"src_text": f"source {number}", "tgt_text": {name: f"{name} {number}" for name in printed["order"]}}
    (tmp_path / "humeval.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = official_ranks(read(tmp_path / "humeval.jsonl"), "esa", "wmt25").records
    assert [row.system for row in found] == printed["order"]
    assert [[row.rank_low, row.rank_high] for row in found] == printed["rank"]
    lines = [line.strip() for line in printed["clusters.txt"][1:]]
    ours = [line for row in found for line in (f"{row.system}: {row.score:.1f}", *["-" * 15] * row.cut)]
    assert ours == lines
    assert [place for place, row in enumerate(found, 1) if row.cluster != found[-1].cluster][-1:] == printed[
        "cut_after"
    ]
    (tmp_path / "annotations.json").write_text(json.dumps(oracle["wmt26_script"]["annotations"]), encoding="utf-8")
    found = official_ranks(read(tmp_path / "annotations.json"), "esa", "wmt26-t").records
    assert [(row.system, round(row.score, 8)) for row in found] == [
        (own["model"], round(own["mean"], 8)) for own in oracle["wmt26_script"]["official"]
    ]
    assert [row.cut for row in found] == [own["line"] != "nothing" for own in oracle["wmt26_script"]["official"]]


def test_autorank_is_that_of_the_paper(oracle: dict[str, Any]) -> None:
    known = oracle["autorank"]
    assert autorank(np.array(known["input"]["scores"])) == pytest.approx(known["autorank"], abs=1e-9)


def test_autoranks_leave_out_documents_and_rank_all_systems_anew() -> None:
    random = np.random.default_rng(1)
    ratings = {
        name: Rating(random.normal(size=(4, 60)) + scale * np.arange(4)[:, None], higher_is_better=up)
        for name, scale, up in (("up", 0.5, True), ("down", -0.3, False))
    }
    documents = [f"d{number // 5}" for number in range(60)]
    corpus = Corpus.of(dict.fromkeys("ABCD"), ratings=ratings, documents=documents)
    found = autoranks(corpus, ["rating:up", "rating:down"])

    def ranks(kept: np.ndarray) -> np.ndarray:
        return autorank(np.array([(1, -1)[not own.higher_is_better] * own.values[:, kept].mean(axis=1)
                                  for own in ratings.values()]))  # fmt: skip

    whole = ranks(np.ones(60, dtype=bool))
    left = np.array([ranks(np.arange(60) // 5 != document) for document in range(12)])
    half = scipy.stats.t.ppf(0.975, 11) * np.sqrt(11 / 12 * np.square(left - whole).sum(axis=0))
    order = np.argsort(whole)
    assert found.score.tolist() == pytest.approx(whole[order])
    moved = half > 0
    low, high = np.maximum(1, whole - half), np.minimum(4, whole + half)
    assert found.ci_low.tolist() == pytest.approx(np.where(moved, low, np.nan)[order], nan_ok=True)
    assert found.ci_high.tolist() == pytest.approx(np.where(moved, high, np.nan)[order], nan_ok=True)
    assert 0 < moved.sum() < 4
    with pytest.raises(NotApplicable, match="AutoRank needs 2 systems"):
        autoranks(corpus.select(["A"]), ["rating:up"])


def test_autoranks_that_no_document_moves_have_no_interval_and_say_why() -> None:
    values = np.tile(np.arange(60.0), (3, 1))
    for apart, system, why in (
        ([0.0, 0.0, 0.0], "ABC", "All systems score the same"),
        ([0.0, 1.0, 5.0], "AC", "of A and C is the same without any one segment"),
    ):
        own = np.array(apart)[:, None]
        rating = Rating(values + own + (own == 1) * np.cos(values), higher_is_better=False)
        found = autoranks(Corpus.of(dict.fromkeys("ABC"), ratings={"r": rating}), ["rating:r"])
        assert [row.system for row in found if np.isnan(row.ci_low) and np.isnan(row.ci_high)] == list(system)
        assert why in found.notes[0].text


def test_waves_are_items_of_their_own_and_directions_are_turned() -> None:
    campaign = contrastive(np.random.default_rng(3), systems=4, tasks=20, per_screen=4, raters=3)
    rating = campaign.ratings["esa"]
    items, segment = side_by_side(rating)
    assert rating.rater_scores is not None
    assert np.count_nonzero(~np.isnan(items)) == len(rating.rater_scores)
    assert np.nanmean(items[:, segment == 5], axis=1) == pytest.approx(rating.values[:, 5])
    lower = Corpus.of(dict.fromkeys(campaign.systems), ratings={"mqm": Rating(-rating.values, higher_is_better=False)})
    one, other = official_ranks(campaign, "esa", "wmt26-t"), official_ranks(lower, "mqm", "wmt26-t")
    assert [row.system for row in one.records] == [row.system for row in other.records]
    assert [row.score for row in other.records] == pytest.approx([-row.score for row in one.records])
    assert "Domains" not in rules_text(one)
    assert not lacking(official_ranks(campaign, "esa", "wmt24").notes[0].text, "domains", "unknown")
    with pytest.raises(NotApplicable, match="Ranks need 2 rated systems"):
        official_ranks(campaign.select(["s0"]), "esa", "wmt25")


def test_the_rank_that_wmts_script_prints_too_high_is_corrected_next_to_it() -> None:
    equal = rated(np.random.default_rng(4), systems=4)
    found = official_ranks(equal, "esa", "wmt26-bca")
    assert not found.wins.any()
    assert [row.rank_high for row in found.records] == [3, 3, 3, 4]
    (note,) = found.notes
    worded(note.text, "3", "4")


def test_pearmut_compares_neighbours_and_draws_lines() -> None:
    random = np.random.default_rng(8)
    scores = np.cumsum([0, 0.1, 1.0, 0.0, 1.2])[:, None] + random.normal(size=(5, 60))
    scores[random.random(scores.shape) < 0.2] = np.nan
    rows, wins = ranked(list("abcde"), scores, "pearmut")
    order = sorted("abcde", key=lambda name: -np.nanmean(scores["abcde".index(name)]))
    assert [row.system for row in rows] == order
    cuts = []
    for first, second in pairwise(order):
        both = scores[["abcde".index(first), "abcde".index(second)]]
        both = both[:, ~np.isnan(both).any(axis=0)]
        cuts.append(bool(scipy.stats.ttest_rel(*both).pvalue < 0.05))
    assert [row.cut for row in rows] == [*cuts, False]
    assert 0 < sum(cuts) < 4
    assert wins.sum() == sum(cuts)
    for row in rows:
        together = [place for place, other in enumerate(rows, 1) if other.cluster == row.cluster]
        assert (row.rank_low, row.rank_high) == (together[0], together[-1])


def test_the_filter_leaves_out_those_whom_wmts_definition_leaves_out() -> None:
    """By the definition, pair by pair: tasks of three systems on a screen, one rater among twelve at random."""
    random = np.random.default_rng(11)
    made = contrastive(random, systems=4, tasks=60, effects=np.array([0.0, 1.0, 2.0, 3.0]))
    given = made.ratings["esa"].rater_scores
    assert given is not None
    wild = given.rater == 7
    given = replace(given, value=np.where(wild, 4 * random.normal(size=len(given)), given.value))
    by_system = {s: given.value[given.system == s].tolist() for s in range(4)}
    likely: dict[str, list[float]] = {}
    entries: dict[str, set[str]] = {}
    for r, name in enumerate(given.raters):
        for segment in sorted(set(given.segment[given.rater == r].tolist())):
            entries.setdefault(name, set()).add((made.documents or ())[segment])
            here = (given.rater == r) & (given.segment == segment)
            screen = list(zip(given.system[here].tolist(), given.value[here].tolist(), strict=True))
            for (x, one), (y, other) in combinations(screen, 2):
                away = one - other - (mean(by_system[x]) - mean(by_system[y]))
                spread = 2 * (variance(by_system[x]) + variance(by_system[y])) + 1e-6
                likely.setdefault(name, []).append(2 ** -(away**2 / spread))
    out = [name for name, own in likely.items() if mean(own) < 0.75 and len(entries[name]) >= 3]
    assert unlike_the_others(given, made.documents) == tuple(out)
    assert "r7" in out
    assert len(out) < 6
    rating = replace(made.ratings["esa"], rater_scores=given)
    less = without_raters(replace(made, ratings={"esa": rating}), "esa", out).ratings["esa"]
    kept = given.where(~np.isin(given.rater, [given.raters.index(name) for name in out]))
    assert less.rater_scores == kept
    at = np.flatnonzero((kept.system == 2) & (kept.segment == kept.segment[kept.system == 2][0]))
    assert less.values[2, kept.segment[at[0]]] == pytest.approx(kept.value[at].mean())
    few = given.where(given.segment < 6)
    assert unlike_the_others(few, ["d"] * len(made)) == ()


def test_a_rule_changes_nothing_of_the_valid_analysis() -> None:
    campaign = rated(np.random.default_rng(4), systems=4)
    before = Settings().family(measure(campaign, "rating:esa"))
    for rule in RULES:
        official_ranks(campaign, "esa", rule)
    assert Settings().family(measure(campaign, "rating:esa")) == before


def _false(sets: int, seed: int, rules: tuple[str, ...], **options: Any) -> dict[str, int]:
    """Return in how many campaigns of equal systems some pair is called better: by each rule, and as is valid."""
    wrong = dict.fromkeys((*rules, "valid"), 0)
    for campaign in many(rated, sets, seed, **options):
        for rule in rules:
            wrong[rule] += bool(official_ranks(campaign, "esa", rule).wins.any())
        wrong["valid"] += any(verdict(row).winner for row in Settings().family(measure(campaign, "rating:esa")))
    print(f"{sets} campaigns, {options}: some pair called better in {wrong}")
    return wrong


def test_of_equal_systems_the_rules_call_some_different_and_the_valid_analysis_does_not() -> None:
    wrong = _false(10, 5, ("wmt25", "wmt26-t"), systems=6, icc=0.2, raters=True)
    assert scipy.stats.binom.sf(wrong["valid"] - 1, 10, 0.06) > 1e-3
    assert min(wrong["wmt25"], wrong["wmt26-t"]) > 5


def test_ten_different_systems_are_told_apart_by_both() -> None:
    campaign = rated(np.random.default_rng(6), systems=10)
    values = np.clip(campaign.ratings["esa"].values - 6.0 * np.arange(10)[:, None], 0, 100)
    apart = corpus_of(values, 4)
    family = Settings().family(measure(apart, "rating:esa"))
    official = official_ranks(apart, "esa", "wmt25")
    assert [row.system for row in official.records] == [f"s{number}" for number in range(10)]
    assert official.wins.sum() >= 40
    assert sum(verdict(row).winner is not None for row in family) >= 35


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({"systems": 2}, {"wmt24": 0.03, "wmt25": 0.07, "wmt26-t": 0.03, "wmt26-bca": 0.08}),
        ({"systems": 2, "icc": 0.2}, {"wmt24": 0.10, "wmt25": 0.12, "wmt26-t": 0.07, "wmt26-bca": 0.15}),
        ({"systems": 2, "icc": 0.2, "raters": True}, {"wmt24": 0.17, "wmt25": 0.18, "wmt26-t": 0.11, "wmt26-bca": 0.2}),
        ({"systems": 2, "icc": 0.2, "raters": True, "gaps": True},
         {"wmt24": 0.14, "wmt25": 0.14, "wmt26-t": 0.16, "wmt26-bca": 0.25}),
        ({"systems": 10}, {"wmt24": 0.5, "wmt25": 0.6, "wmt26-t": 0.35, "wmt26-bca": 0.7}),
        ({"systems": 10, "icc": 0.2, "raters": True}, {"wmt24": 0.9, "wmt25": 0.9, "wmt26-t": 0.8, "wmt26-bca": 0.9}),
    ],
    ids=["two", "two, documents", "two, annotators", "two, halves", "ten", "ten, annotators"],
)  # fmt: skip
def test_error_rates_of_the_rules(options: dict[str, Any], least: dict[str, float]) -> None:
    sets = 1000 if options["systems"] == 2 else 200
    wrong = _false(sets, 7, tuple(RULES), **options)
    assert scipy.stats.binom.sf(wrong["valid"] - 1, sets, 0.06) > 1e-4
    for rule, rate in least.items():
        assert scipy.stats.binom.cdf(wrong[rule], sets, rate) > 1e-4, rule


def _added_up(apart: np.ndarray, domains: int) -> float:
    """Return WMT24's statistic of a pair in plain steps: signed ranks of each domain, their sizes added up."""
    total = 0.0
    for d in np.split(apart, domains):
        ranks = scipy.stats.rankdata(np.abs(d[d != 0]))
        z = abs((np.sign(d[d != 0]) * ranks).sum()) / np.sqrt(np.square(ranks).sum())
        total += scipy.stats.norm.isf(2 * scipy.stats.norm.sf(z))
    return float(total / np.sqrt(domains))


@pytest.mark.parametrize(("icc", "rate"), [(0.0, 0.053), *slow((0.2, 0.150))])
def test_wmt24s_rule_errs_as_often_as_another_program_says(icc: float, rate: float) -> None:
    found, sets, domains = 0, 150, [name for name in "abcd" for _ in range(50)]
    for campaign in many(rated, sets, 3, systems=2, icc=icc):
        values = campaign.ratings["esa"].values
        p = combined(values, domains)[0, 1]
        assert p == pytest.approx(scipy.stats.norm.sf(_added_up(values[0] - values[1], 4)), abs=1e-3)
        found += p < 0.05
    assert scipy.stats.binomtest(found, sets, rate).pvalue > 1e-3


def test_more_systems_than_pairs_can_be_tested_of_are_refused() -> None:
    values = np.random.default_rng(0).normal(size=(201, 8))
    ratings = {name: Rating(values, higher_is_better=True) for name in ("esa", "auto")}
    corpus = Corpus.of({f"s{i}": None for i in range(201)}, ratings=ratings)
    for work in (lambda: official_ranks(corpus, "esa", "wmt25"), lambda: few_ratings(corpus, "esa", "rating:auto")):
        with pytest.raises(NotApplicable, match="20,100 comparisons of 201 systems are too many; at most 20,000"):
            work()


def test_two_systems_that_are_rated_the_same_everywhere_are_in_one_rank_by_every_rule() -> None:
    same = corpus_of(np.full((2, 40), 70.0), 4)
    for rule in RULES:
        found = official_ranks(same, "esa", rule)
        # The script of wmt26-bca ends the ranks of whoever beats nobody below one too early.
        first = (1, 1) if rule == "wmt26-bca" else (1, 2)
        assert [(row.rank_low, row.rank_high) for row in found.records] == [first, (1, 2)], rule
        assert not found.wins.any(), rule


@pytest.mark.parametrize("rule", ["wmt24", "wmt25", "wmt26-t"])
def test_outputs_that_raters_shared_in_groups_that_no_screen_connects_are_compared_by_means(rule: str) -> None:
    """Rater 0 has systems A and C of a document where rater 1 has B and D: every output is rated once."""
    rng = np.random.default_rng(6)
    values = rng.normal(size=(4, 60)) + np.array([0, 0, 3, 3])[:, None]
    rater = (np.arange(60)[None] // 5 + np.arange(4)[:, None]) % 2
    held = {f"r{i}": np.where(rater == i, values, np.nan) for i in range(2)}
    documents = [f"d{i // 5}" for i in range(60)]
    esa = Rating(values, higher_is_better=True, rater_scores=RaterScores.of(held))
    corpus = Corpus.of(dict.fromkeys("ABCD"), ratings={"esa": esa}, documents=documents)
    (found,) = rank_by_rule(corpus, "esa", rule)
    plain = Corpus.of(dict.fromkeys("ABCD"), ratings={"esa": Rating(values, True)}, documents=documents)
    (expected,) = rank_by_rule(plain, "esa", rule)
    assert found.official.wins.tolist() == expected.official.wins.tolist()
    assert found.family.difference.tolist() == expected.family.difference.tolist()
    assert sum(verdict(row).winner is not None for row in found.family) == 4


@pytest.mark.parametrize("items", [1, 2, 5, *slow(9)])
def test_p_of_few_items_with_ties_is_that_of_scipy(items: int) -> None:
    rng = np.random.default_rng(items)
    for scores in rng.integers(0, 4, (12, 2, items)).astype(float):
        if (scores[0] == scores[1]).all():
            continue
        two_sided = scipy.stats.wilcoxon(*scores).pvalue
        assert combined(scores, None)[0, 1] == pytest.approx(two_sided, abs=1e-12)
        greater = scipy.stats.wilcoxon(*scores, alternative="greater").pvalue
        assert signed_ranks(scores)[0, 1] == pytest.approx(greater, abs=1e-12)
