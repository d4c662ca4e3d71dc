"""Comparisons of preferences: head to head, other raters, and error rates under nulls that could break them."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from made_preferences import campaign, counted
from sampled import slow
from scipy import stats

from mtsig import verdict
from mtsig.campaign import Preferences, _strengths, preferences
from mtsig.campaign._data import Names
from mtsig.campaign._quality import transitivity
from mtsig.campaign._strengths import ELO, _contrasts, _Place, head_to_head, net_wins, strengths
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._family import together_ends

from test_model import judged  # isort: skip
from kept import worded


def test_head_to_head_is_the_jackknife_of_a_mean() -> None:
    data = judged()
    family = head_to_head(replace(data, ordered=np.zeros_like(data.ordered)))  # each judgement counts the same
    row = family[family.find("A", "B")]
    assert (row.difference, row.units, row.segments) == (0.0, 6, 9)
    assert row.standard_error == pytest.approx(24.5061772, abs=1e-6)
    assert row.df == pytest.approx(3.8341428471, abs=1e-8)
    worded(verdict(row).withheld_reason, "6 documents", "10")


def test_orders_of_unequal_number_count_half_each() -> None:
    rows = [
        {"item": str(i), "document": str(i % 12), "first": "AB"[i % 4 == 0], "second": "BA"[i % 4 == 0], "outcome": 1}
        for i in range(48)
    ]
    # Whoever is shown first wins: neither system is better, however often it was shown first.
    assert head_to_head(Preferences.of(rows)).difference[0] == pytest.approx(0)
    (row,) = head_to_head(Preferences.of([row | {"document": row["item"]} for row in rows]))
    # Where documents agree in that, too, there is no evidence for anything.
    assert (row.p_value, verdict(row).word) == (1.0, "not_significant")


def balanced(data: Preferences, document: int | None = None) -> list[float]:
    """Return in plain loops what every system won less it lost, where each order of a pair counts half."""
    kept = [i for i in range(len(data)) if data.document.of[i] != document]
    net = []
    for system in range(len(data.systems)):
        total = many = 0.0
        for other in range(len(data.systems)):
            first = [data.outcome[i] for i in kept if (data.first[i], data.second[i]) == (system, other)]
            last = [-data.outcome[i] for i in kept if (data.first[i], data.second[i]) == (other, system)]
            if first and last:
                total += (len(first) + len(last)) * (sum(first) / len(first) + sum(last) / len(last)) / 2
                many += len(first) + len(last)
        net.append(total / many)
    return net


def test_net_wins_balance_the_orders_of_each_pair_as_comparisons_do() -> None:
    design: dict[str, Any] = {"documents": 40, "per_document": 24, "place": 0.8, "first_order": 0.7}
    data = campaign(np.random.default_rng(8), (0.6, 0.0, -0.6), **design)
    found, value = net_wins(data), np.array(balanced(data))
    assert found.score == pytest.approx(100 * value)
    left = np.array([balanced(data, document) for document in range(40)])
    error = np.sqrt(39 / 40 * np.square(left - value).sum(axis=0))
    # Wilson's interval of the share (1 + net)/2 is where its score test by Student's t is not significant.
    share, z = (1 + value) / 2, stats.t.ppf(0.975, 39)
    for ends in (found.ci_low, found.ci_high):
        end = (1 + ends / 100) / 2
        n = share * (1 - share) / (error / 2) ** 2
        assert np.abs(share - end) / np.sqrt(end * (1 - end) / n) == pytest.approx(z, rel=0.02)  # ν is 39 or less
    two = campaign(np.random.default_rng(8), (0.3, -0.3), **design | {"per_document": 6})
    (row,), single = head_to_head(two), net_wins(two)
    assert (single.score[0], single.ci_low[0], single.ci_high[0]) == pytest.approx(
        (row.difference, row.ci_low, row.ci_high)
    )
    assert np.mean(two.outcome * np.where(two.first == 0, 100, -100)) > row.difference + 5  # as the file has it
    ignoring = preferences(two, order="ignore").study.results[0]
    assert ignoring.scored.score[0] == pytest.approx(ignoring.compared.difference[0])


@pytest.mark.slow
def test_intervals_of_win_rates_stay_within_their_bounds_and_agree_with_p() -> None:
    rng = np.random.default_rng(12)
    for _ in range(150):
        gap, ties = rng.choice([0, 1, 3, 6]), rng.choice([0.0, 0.3, 0.97])
        design: dict[str, Any] = {"documents": int(rng.choice([3, 10, 25])), "per_document": 6, "ties": ties}
        data = campaign(rng, (gap, 0.0, -gap)[: rng.choice([2, 3])], place=rng.choice([0, 1]), **design)
        family, single = head_to_head(data), net_wins(data)
        columns = [(family.difference, family.ci_low, family.ci_high), (single.score, single.ci_low, single.ci_high)]
        columns.append((family.difference, family.adjusted_ci_low, family.adjusted_ci_high))
        for value, low, high in columns:
            known = ~np.isnan(low)
            assert known.all() or design["documents"] == 3
            assert np.all((low >= -100) & (low <= value + 1e-9) & (value <= high + 1e-9) & (high <= 100), where=known)
            assert np.all(high - low > 0.5, where=known)
        outside = (family.adjusted_ci_low > 0) | (family.adjusted_ci_high < 0)
        assert (family.p_adjusted <= 0.05).tolist() == outside.tolist()
        for row in family:
            together, flat = together_ends(row), abs(row.difference) == 100 or np.isnan(row.standard_error)
            assert row.interval == ("clopper-pearson" if flat else "wilson-net-wins")
            if row.adjusted_level == pytest.approx(1 - 0.05 / len(family)):  # Holm's first: as simultaneous ones
                assert together == pytest.approx((row.adjusted_ci_low, row.adjusted_ci_high))
            low, high = row.ci_low, row.ci_high
            assert (-100 <= together[0] <= low + 1e-6 and high - 1e-6 <= together[1] <= 100) or np.isnan(low)


@pytest.mark.slow
def test_intervals_of_win_rates_near_one_miss_no_more_than_they_say() -> None:
    rng, missed, missed_by_t = np.random.default_rng(4), 0, 0
    for _ in range(400):
        won = rng.random(100) < 0.95
        data = counted({"AB": (int(won.sum()), 0, int((~won).sum()))})
        data = replace(data, document=Names(tuple("abcdefghijklmnopqrst"), rng.permutation(100) % 20))
        (row,) = head_to_head(data)
        missed += not row.ci_low <= 90 <= row.ci_high
        half = stats.t.ppf(0.975, row.df) * row.standard_error
        missed_by_t += not row.difference - half <= 90 <= row.difference + half
    assert within(missed / 400, 0.05, 400)
    assert not within(missed_by_t / 400, 0.05, 400)


def test_who_was_always_shown_first_is_not_better_than_the_others_by_that_alone() -> None:
    """Always shown first, a system wins by its place or by its strength; the others are compared all the same."""
    won = np.where(np.random.default_rng(3).random(300) < 0.7, 1, -1).tolist()
    rows = [
        {"item": str(i), "document": str(i // 10), "first": "A", "second": "BC"[i % 2], "outcome": outcome}
        for i, outcome in enumerate(won)
    ]
    found = preferences(Preferences.of(rows))
    words = {tuple(sorted((row.first, row.second))): verdict(row) for row in found.study.comparisons}
    assert {pair for pair, decided in words.items() if decided.word == "withheld"} == {("A", "B"), ("A", "C")}
    worded(words["A", "B"].withheld_reason or "")
    assumed = preferences(Preferences.of(rows), order="ignore").study.comparisons
    assert {row.winner for row in map(verdict, assumed)} == {"A", None}


def test_criteria_are_never_pooled_and_documents_must_be_enough() -> None:
    rows = [{"item": "1", "first": "A", "second": "B", "outcome": 1, "criterion": c} for c in ("fluency", "adequacy")]
    with pytest.raises(InvalidOption, match="2 criteria"):
        strengths(Preferences.of(rows))
    with pytest.raises(NotApplicable, match="at least 2 documents; found 1"):
        strengths(Preferences.of([rows[0] | {"document": "d", "item": str(i), "outcome": 1 - i} for i in range(3)]))
    few = strengths(counted({"AB": (4, 0, 3)})).compared[0]
    worded(verdict(few).withheld_reason, "7 items", "10")


def missed(sets: int, seed: int, **design: object) -> tuple[float, float, float]:
    """Return the shares of pairs and of families with a false difference, and of pairs by the model's own error."""
    rng, pairs, families, naive = np.random.default_rng(seed), [], [], []
    for _ in range(sets):
        made = strengths(campaign(rng, **design))  # type: ignore[arg-type]
        pairs.append((made.compared.p_value <= 0.05).mean())
        families.append(bool((made.compared.p_adjusted <= 0.05).any()))
        inverse = np.linalg.inv(made.fit.information)
        systems = made.fit.cells.systems
        contrasts = [(a, b) for a in range(systems) for b in range(a + 1, systems)]
        own = [
            (made.fit.strengths[a] - made.fit.strengths[b]) ** 2
            > 3.84 * (inverse[a, a] + inverse[b, b] - 2 * inverse[a, b])
            for a, b in contrasts
        ]
        naive.append(np.mean(own))
    return float(np.mean(pairs)), float(np.mean(families)), float(np.mean(naive))


DESIGNS = {
    "base": {},
    "alike": {"icc": 0.3},
    "15 documents": {"documents": 15},
    "ties": {"ties": 0.6},
    "20 systems": {"strengths": (0.0,) * 20, "per_document": 60},
    "unequal": {"per_document": np.linspace(2, 60, 40).astype(int)},
    "place, one order": {"place": 0.6, "first_order": 0.8},
}


def within(share: float, most: float, sets: int) -> bool:
    """Return whether a share of sets is no proof of more than `most` at .001."""
    return bool(stats.binomtest(round(share * sets), sets, most, alternative="greater").pvalue > 0.001)


@pytest.mark.parametrize("design", ["alike", *slow("unequal", *DESIGNS)])
def test_no_difference_is_found_in_at_most_six_of_a_hundred(design: str) -> None:
    sets = 60
    pair, family, naive = missed(sets, 7, **DESIGNS[design])
    assert within(pair, 0.06, sets)
    assert within(family, 0.06, sets)
    if design == "alike":  # where judgements of a document are alike the model's own error promises too much
        assert naive > pair + 0.03


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_error_rates_over_2000_campaigns(design: str) -> None:
    pair, family, _ = missed(2000, 11, **DESIGNS[design])
    assert within(pair, 0.06, 2000)
    assert within(family, 0.06, 2000)


def few_decided(systems: int, documents: int, ties: float, **more: object) -> dict[str, object]:
    """Return a campaign of equal systems, in which most judgements are ties."""
    equal = {"strengths": (0.0,) * systems, "documents": documents, "ties": ties}
    return {**equal, "per_document": {2: 6, 3: 9, 4: 12, 6: 24}[systems], **more}


def one_decides(systems: int, documents: int, ties: float) -> dict[str, object]:
    """Return one in which all documents but one are nearly always ties."""
    return few_decided(systems, documents, 0.0, per_document=20) | {"ties": [0.3, *[ties] * (documents - 1)]}


TIED = {
    **{
        f"{systems} systems, {documents} documents, {ties:.0%} ties": few_decided(systems, documents, ties)
        for documents, ties in ((6, 0.9), (10, 0.95), (12, 0.8), (12, 0.97), (20, 0.95), (40, 0.97), (100, 0.99))
        for systems in (2, 3, 4, 6)
    },
    **{
        f"{systems} systems, 1 of {documents} documents decides, {ties:.0%} ties": one_decides(systems, documents, ties)
        for documents, ties in ((12, 0.97), (12, 0.99), (40, 0.97))
        for systems in (2, 4)
    },
    **{
        f"{systems} systems, 12 documents, ties by pair": few_decided(systems, 12, 0.97, even_ties=0.5)
        for systems in (3, 4, 6)
    },
    **{
        f"{systems} systems, a pair in 3 of 12 documents, 95% ties": few_decided(systems, 12, 0.95, apart=3)
        for systems in (3, 4, 6)
    },
}  # fmt: skip
"""Nulls in which few documents decide."""


def called(sets: int, seed: int, design: dict[str, object]) -> tuple[float, float, float]:
    """Return the shares of pairs called different before correction, of sets with a false verdict, and withheld."""
    rng, pairs, families, withheld = np.random.default_rng(seed), 0.0, 0, 0.0
    for _ in range(sets):
        try:
            family = strengths(campaign(rng, **design)).compared  # type: ignore[arg-type]
        except NotApplicable:  # only ties, or only one document compares a system: no verdict at all
            withheld += 1
            continue
        given = [verdict(row) for row in family]
        pairs += float((family.p_value <= 0.05).mean())
        families += any(one.winner for one in given)
        withheld += float(np.mean([one.withheld is not None for one in given]))
    return pairs / sets, families / sets, withheld / sets


@pytest.mark.parametrize(
    "design",
    [
        "2 systems, 1 of 12 documents decides, 99% ties",
        *slow("2 systems, 12 documents, 97% ties", "4 systems, 10 documents, 95% ties"),
    ],
)
def test_where_few_documents_decide_no_difference_is_found_too_often(design: str) -> None:
    sets = 40
    pair, family, withheld = called(sets, 3, TIED[design])
    assert within(pair, 0.05, sets)
    assert within(family, 0.05, sets)
    assert withheld > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("design", TIED)
def test_error_rates_where_few_documents_decide(design: str) -> None:
    pair, family, _ = called(1000, 19, TIED[design])
    assert within(pair, 0.05, 1000)
    assert within(family, 0.05, 1000)


def test_too_few_decided_judgements_give_an_estimate_and_a_wide_interval_but_no_verdict() -> None:
    # One document decides all that is decided: 14 against 3.
    rows = [
        {"item": f"{d}.{i}", "document": str(d), "first": "A", "second": "B", "ordered": False,
         "outcome": (1 if i < 14 else -1) if d == 0 and i < 17 else 0}
        for d in range(12) for i in range(20)
    ]  # fmt: skip
    (row,) = strengths(Preferences.of(rows)).compared
    assert row.difference / ELO == pytest.approx(np.log(14 / 3))
    worded(verdict(row).withheld_reason, "12 documents", "1.0")
    assert row.ci_low < 0 < row.ci_high
    assert row.p_value > 0.05


def test_differences_are_found_as_often_as_by_every_document_where_judgements_are_decided() -> None:
    rng = np.random.default_rng(4)
    for _ in range(3):
        made = strengths(campaign(rng, (0.4, 0, 0, -0.4), documents=20, per_document=24))
        assert made.compared.df == pytest.approx(made.spread.df(_contrasts(made.fit, made.made.pairs)))
        assert not any(made.compared.data_caveat)


def over_raters(sets: int, seed: int, rater_sd: float) -> tuple[float, float]:
    rng, these, like = np.random.default_rng(seed), [], []
    for _ in range(sets):
        made = strengths(campaign(rng, raters=10, rater_sd=rater_sd))
        assert made.rated.others is not None
        these.append((made.compared.p_value <= 0.05).mean())
        like.append((made.rated.others.p_value <= 0.05).mean())
    return float(np.mean(these)), float(np.mean(like))


@pytest.mark.slow
def test_raters_with_tastes_of_their_own_are_no_evidence_for_others() -> None:
    sets = 60
    these, like = over_raters(sets, 5, 0.6)
    assert these > 0.09
    assert within(like, 0.06, sets)


@pytest.mark.slow
def test_error_rates_over_other_raters() -> None:
    assert within(over_raters(1500, 13, 0.6)[1], 0.06, 1500)
    assert within(over_raters(1500, 17, 0.0)[1], 0.06, 1500)


def test_true_differences_are_covered() -> None:
    true, rng, hit = np.array([0.8, 0.4, 0, -0.4, -0.8]), np.random.default_rng(2), []
    for _ in range(40):
        # Without tastes of documents λ is what the judgements were made from.
        family = strengths(campaign(rng, true.tolist(), icc=0.0)).compared
        at = [("ABCDE".index(a), "ABCDE".index(b)) for a, b in zip(family.first, family.second, strict=True)]
        aim = np.array([true[a] - true[b] for a, b in at]) * 400 / np.log(10)
        hit.append(np.mean((family.ci_low <= aim) & (aim <= family.ci_high)))
    assert 0.91 < np.mean(hit) < 0.99


def test_the_distance_of_a_system_that_never_lost_is_not_taken_as_well_known() -> None:
    options: dict[str, Any] = {"icc": 0.0, "ties": 0.0, "documents": 15, "per_document": 10}
    rng, aim, hit, found, seen = np.random.default_rng(3), 6 * 400 / np.log(10), [], [], 0
    while seen < 30:
        made = strengths(campaign(rng, (6.0, 0, 0, 0, 0), **options))
        if not made.fit.penalised:
            continue
        family, seen = made.compared, seen + 1
        for row in family:
            turned = {row.first: 1, row.second: -1}.get("A", 0)
            if turned:
                ends = sorted((turned * row.ci_low, turned * row.ci_high))
                hit.append(ends[0] <= aim <= ends[1])
                found.append(row.p_adjusted <= 0.05)
            assert (row.p_value <= 0.05) == (row.ci_low > 0 or row.ci_high < 0)
        assert "model" in family.interval
    # By the jackknife alone, 59% of these intervals end below the true distance.
    assert np.mean(hit) > 0.95
    assert np.mean(found) > 0.95


@pytest.mark.parametrize(("often", "rarely"), [(40, 0), *slow((35, 5), (95, 8))])
@pytest.mark.parametrize("advantage", [0.5, 0.7])
def test_the_place_shown_first_makes_no_verdict_however_unequal_the_orders(
    often: int, rarely: int, advantage: float
) -> None:
    random, found = np.random.default_rng(1), 0
    for _ in range(150):
        first_wins = random.random(often + rarely) < advantage
        rows = [
            {"item": str(i), "first": "AB"[i >= often], "second": "BA"[i >= often], "outcome": 1 if won else -1}
            for i, won in enumerate(first_wins.tolist())
        ]
        (row,) = head_to_head(Preferences.of(rows))
        found += verdict(row).winner is not None
        assert row.p_value <= 1
        if rarely < 8:
            worded(verdict(row).withheld_reason, f"{rarely} item")
    # A half of eight documents is judged too surely where the place is worth much: 7% instead of 5%.
    assert found <= stats.binom.ppf(0.999, 150, 0.07)


def test_an_order_that_goes_one_way_alone_needs_the_penalty() -> None:
    rows = [
        {"item": str(i), "first": "AB"[i >= 35], "second": "BA"[i >= 35], "outcome": 1 if i % 3 or i >= 35 else -1}
        for i in range(40)
    ]
    assert strengths(Preferences.of(rows)).fit.penalised


def test_verdicts_that_all_say_the_same_have_the_interval_of_what_may_be_too_rare_to_be_seen() -> None:
    for outcome, p in ((0, 1.0), (1, 2.0**-29)):
        rows = [{"item": str(i), "first": "AB"[i % 2], "second": "BA"[i % 2]} for i in range(30)]
        rows = [row | {"outcome": outcome * (1 if row["first"] == "A" else -1)} for row in rows]
        (row,) = head_to_head(Preferences.of(rows))
        assert row.p_value == pytest.approx(p)
        # A kind of document that 30 draws miss with a chance of 2.5% is 11.6% of all.
        rare = 1 - 0.025 ** (1 / 30)
        assert (row.ci_low, row.ci_high) == pytest.approx(
            (-100 * rare, 100 * rare) if not outcome else (100 - 200 * rare, 100.0)
        )
        assert (verdict(row).winner == "A") == (outcome == 1)
    # Of margins, too: the interval that holds for three pairs together is that of the pair that Holm tests first.
    rows = [{"item": str(i), "first": pair[0], "second": pair[1], "outcome": 1, "grade": grade}
            for i in range(30) for pair, grade in (("AB", 1.0), ("AC", 3.0), ("BC", 2.0))]  # fmt: skip
    family = head_to_head(Preferences.of(rows), grades="margin")
    assert [row.adjusted_level for row in family] == pytest.approx([1 - 0.05 / 3] * 3)
    for row in family:
        assert together_ends(row) == pytest.approx((row.adjusted_ci_low, row.adjusted_ci_high))


@pytest.mark.slow
def test_direct_verdicts_of_few_judgements_keep_their_level_where_places_are_preferred() -> None:
    rng, pairs, families, withheld = np.random.default_rng(6), [], [], []
    for place, first_order in ((0.0, 0.5), (0.6, 0.5), (0.6, 0.8)) * 12:
        made = campaign(rng, (0.0,) * 12, per_document=30, place=place, first_order=first_order)
        family = head_to_head(made)
        given = [verdict(row).withheld is None for row in family]
        pairs += (family.p_value[given] <= 0.05).tolist()
        families.append(any(verdict(row).winner for row in family))
        withheld.append(1 - np.mean(given))
    assert stats.binomtest(sum(pairs), len(pairs), 0.06, alternative="greater").pvalue > 0.001
    assert stats.binomtest(sum(families), len(families), 0.06, alternative="greater").pvalue > 0.001
    # 18 judgements of a pair, 9 in each order: what is withheld has judgements in fewer than 10 documents.
    assert np.mean(withheld) < 0.1


def test_the_advantage_of_a_place_is_that_of_plain_least_squares() -> None:
    data = campaign(
        np.random.default_rng(2), (0.5, 0, 0, -0.5), documents=15, per_document=9, place=0.8, first_order=0.7
    )
    low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
    pair = np.unique(low * 9 + high, return_inverse=True)[1]
    ahead = np.where(data.first == low, 1.0, -1.0)
    x = np.column_stack([np.ones(len(data)), *(ahead * (pair == one) for one in range(6))])
    fits = [
        np.linalg.lstsq(x[keep], data.outcome[keep], rcond=None)[0][0]
        for keep in (np.ones(len(data), dtype=bool), *(data.document.of != one for one in range(15)))
    ]
    place = _Place.of(data)
    assert place is not None
    assert place.value == pytest.approx(fits[0])
    assert place.error == pytest.approx(np.sqrt(14 / 15 * np.square(np.array(fits[1:]) - fits[0]).sum()))


def test_direct_verdicts_say_whether_they_hold_for_raters_like_these() -> None:
    found = {}
    for raters, tastes in ((8, 0.0), (8, 1.5), (3, 0.0)):
        made = campaign(np.random.default_rng(4), (1.2, 0.0, -1.2), raters=raters, rater_sd=tastes)
        found[raters, tastes] = preferences(made, model="direct").notes[0]
    worded(found[8, 0.0].text)
    assert (found[8, 1.5].level, "for other raters like these" in found[8, 1.5].text) == ("warning", True)
    worded(found[3, 0.0].text, "3 raters", "5")


def test_what_other_raters_would_decide_otherwise_is_the_first_sentence_of_circles_too() -> None:
    made = campaign(np.random.default_rng(4), (1.2, 0.0, -1.2), raters=8, rater_sd=1.5)
    turned = (np.minimum(made.first, made.second) == 0) & (np.maximum(made.first, made.second) == 2)
    found = preferences(replace(made, outcome=np.where(turned, -made.outcome, made.outcome)))
    assert found.intransitive
    worded(found.notes[0].text)
    assert found.notes[1].headline == "Not transitive"


def test_where_all_documents_say_the_same_rounding_makes_no_verdict() -> None:
    pairs = [("A", "B"), ("B", "C"), ("A", "C")]
    turned = [*pairs, *((b, a) for a, b in pairs)]
    for shown, by_name in ((pairs, False), (turned, False), (turned, True)):
        rows = [
            {"item": f"i{i}", "document": f"d{i}", "rater": f"r{i % 6}", "first": a, "second": b,
             "outcome": -1 if by_name and a > b else 1}
            for i in range(20) for a, b in shown
        ]  # fmt: skip
        made = strengths(Preferences.of(rows))
        for family in (made.compared, made.rated.others):
            assert family is not None
            assert [verdict(row).word for row in family] == ["withheld"] * 3
            assert np.isnan([*family.standard_error, *family.p_value, *family.ci_low]).all()
    # The direct comparisons have what 20 documents that agree can say.
    assert head_to_head(made.preferences).p_value.tolist() == [2.0**-19] * 3


def test_which_system_stands_first_in_the_file_decides_nothing_where_both_orders_are_as_frequent() -> None:
    # A and C are shown in one order only. A and B are shown as often in both, but one of these in six documents only.
    rng, rows = np.random.default_rng(3), []
    for d in range(20):
        rows += [("A", "C", -1 if rng.random() < 0.1 else 1, d) for _ in range(4)]
    rows += [("A", "B", rng.choice([1, -1]), d) for d in range(16)]
    rows += [("B", "A", rng.choice([1, -1]), 14 + j // 3) for j in range(16)]
    found = []
    for given in (rows, rows[::-1]):
        made = Preferences.of(
            {"item": f"{i}", "document": f"{d}", "first": a, "second": b, "outcome": float(x), "ordered": True}
            for i, (a, b, x, d) in enumerate(given)
        )
        direct = head_to_head(made)
        pairs = zip(direct.first, direct.second, direct.difference, direct.p_value, strict=True)
        found.append({frozenset((a, b)): (round(abs(float(x)), 9), round(float(p), 9)) for a, b, x, p in pairs})
    assert found[0] == found[1]
    assert max(size for size, _ in found[0].values()) <= 100


def test_separated_strengths_are_no_misfit() -> None:
    rows = [
        {"item": f"{i}", "document": f"{i // 6}", "first": a, "second": b, "outcome": 1.0}
        for i, (a, b) in enumerate([("A", "B"), ("A", "C"), ("B", "C")] * 40)
    ]
    made = strengths(Preferences.of(rows))
    assert made.fit.penalised
    with pytest.raises(NotApplicable, match="won or lost every comparison"):
        transitivity(made)


def test_means_of_many_pairs_are_those_of_each_alone() -> None:
    rng = np.random.default_rng(8)
    parts = []
    for _ in range(200):
        n = int(rng.integers(1, 30))
        x, cluster = rng.integers(-1, 2, n) + rng.choice([0.0, 0.123]), rng.integers(0, rng.choice([1, 3, 40]), n)
        halves: list[Any] = [slice(None)]
        if n > 3 and rng.random() < 0.2:
            halves = [np.arange(n) < n // 2, np.arange(n) >= n // 2]
        parts.append(_strengths._Part(x, cluster, halves))
    together = _strengths.pooled_each(parts)
    assert list(map(repr, together)) == [repr(_strengths.pooled([part])) for part in parts]
    assert {mean.clusters for mean in together} > {1, 2, 3}
    assert _strengths.pooled_each([]) == []


def test_pairs_alike_are_worked_on_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"item": str(i), "rater": "r", "first": first, "second": second, "outcome": 1 - (i + len(first)) % 3}
        for i in range(6) for first, second in combinations([f"s{n}" for n in range(40)], 2)
    ]  # fmt: skip
    together, pooled = list[int](), _strengths._pooled
    monkeypatch.setattr(_strengths, "_pooled", lambda parts, of: together.append(len(parts[0][0])) or pooled(parts, of))
    assert len(_strengths.head_to_head(Preferences.of(rows))) == 780
    assert len(together) < 40
    assert sum(together) >= 780
