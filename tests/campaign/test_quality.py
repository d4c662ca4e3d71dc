"""Quality of the judging: places, orders, transitivity, ties, gaps, drift; and plans."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace
from typing import Any, Literal, cast

import numpy as np
import pytest
from made_preferences import OUTCOME, campaign, counted
from sampled import slow
from scipy.optimize import brentq
from scipy.stats import binom, binomtest, norm
from scipy.stats import t as student

from mtsig import verdict
from mtsig.campaign import Preferences, plan_preferences, preferences
from mtsig.campaign._judged import Judged
from mtsig.campaign._model import Clustered, chosen
from mtsig.campaign._quality import (
    Drift,
    drift,
    dual_order,
    equal_ties,
    place_effect,
    preference_agreement,
    preference_gaps,
    rater_counts,
    transitivity,
    unbalanced,
)
from mtsig.campaign._strengths import Strengths, board, jackknifed, strengths
from mtsig.errors import InvalidOption, NotApplicable

from test_model import judged  # isort: skip
from kept import worded

ROUND = """
0.AB0 0.CB+ 0.CA+ 1.AB+ 1.CB+ 1.AC- 2.BA- 2.BC+ 2.CA- 3.AB0 3.CB- 3.AC0 4.AB+ 4.BC+ 4.CA0 5.BA- 5.CB- 5.AC0 6.BA- 6.CB+
6.CA+ 7.AB+ 7.BC0 7.CA+ 8.AB+ 8.BC+ 8.AC- 9.BA- 9.CB+ 9.CA- 10.AB0 10.CB0 10.AC- 11.BA- 11.CB+ 11.AC0 12.AB- 12.BC+
12.CA- 13.BA0 13.BC+ 13.AC- 14.AB- 14.CB0 14.AC- 15.AB+ 15.BC+ 15.CA+ 16.BA- 16.CB- 16.CA- 17.AB+ 17.CB+ 17.CA0 18.AB+
18.BC0 18.CA+ 19.AB+ 19.CB+ 19.CA+
"""


def test_systems_in_a_circle_do_not_stand_on_one_line() -> None:
    rows = []
    for number, one in enumerate(ROUND.split()):
        document, rest = one.split(".")
        row = {"item": str(number), "document": document, "first": rest[0], "second": rest[1]}
        rows.append(row | {"outcome": OUTCOME[rest[2]]})
    found = transitivity(strengths(Preferences.of(rows), order="ignore"))
    assert (found.f, found.p_value) == pytest.approx((16.7913289612, 0.0006129257), abs=1e-9)
    assert (found.df1, found.df2, found.circular) == (1, 19, 1)
    worded(found.triads)
    with pytest.raises(NotApplicable, match="none remains to test the model"):
        transitivity(strengths(counted({"AB": (4, 1, 2), "BC": (3, 2, 4)})))


@pytest.mark.slow
def test_transitive_systems_are_found_in_a_circle_as_rarely_as_promised() -> None:
    rng = np.random.default_rng(4)
    p = [transitivity(strengths(campaign(rng, (0.4, 0.2, 0, -0.2, -0.4)))).p_value for _ in range(80)]
    assert np.mean(np.array(p) <= 0.05) < 0.14


@pytest.mark.slow
def test_of_more_pairs_than_documents_each_is_tested_alone() -> None:
    rng = np.random.default_rng(8)
    found = [transitivity(strengths(campaign(rng, (0.0,) * 8, documents=12, per_document=30))) for _ in range(40)]
    assert {(one.df1, one.df2) for one in found} == {(1, 11)}
    assert np.mean([one.p_value <= 0.05 for one in found]) < 0.14
    circle = campaign(rng, (0.0,) * 8, documents=12, per_document=60, ties=0.0)
    ahead = (circle.first - circle.second) % 3 == 1
    among = (circle.first < 3) & (circle.second < 3)
    turned = replace(circle, outcome=np.where(among, np.where(ahead, 1.0, -1.0), circle.outcome))
    assert transitivity(strengths(turned)).p_value < 0.01
    with pytest.raises(NotApplicable, match="4 documents are too few to test the model"):
        transitivity(strengths(campaign(rng, documents=4)))


def test_the_place_shown_first_is_told_of_all_and_of_each_rater() -> None:
    (whole,) = place_effect(strengths(judged()))
    assert (whole.advantage, whole.standard_error) == pytest.approx((-0.3256895664, 0.4486437858), abs=1e-9)
    assert (whole.df, whole.p_value) == pytest.approx((8.6566348919, 0.4870355456), abs=1e-8)
    made = strengths(campaign(np.random.default_rng(1), documents=60, raters=4, place=0.8))
    found = place_effect(made)
    assert [effect.rater for effect in found] == ["", "r0", "r1", "r2", "r3"]
    assert all(effect.p_adjusted < 0.01 and 0.55 < effect.first_wins < 0.8 for effect in found)
    lopsided = campaign(np.random.default_rng(1), first_order=0.8)
    assert {(a, b) for a, b, *_ in unbalanced(lopsided)} >= {("A", "B"), ("C", "D")}
    with pytest.raises(NotApplicable, match="order is unknown"):
        place_effect(strengths(counted({"AB": (4, 1, 2)})))


def test_the_place_of_a_rater_moves_with_what_is_known_of_the_strengths() -> None:
    """Compare the error to that of refits without each document."""
    data = campaign(np.random.default_rng(3), (0.0,) * 4, documents=30, raters=3, first_order=0.85)
    _, *found = place_effect(strengths(data))

    def places(some: Preferences) -> list[float]:
        fit = strengths(some).fit
        eta = []
        for rater in data.raters:
            rows = some.rater.of == some.raters.index(rater)
            apart = fit.strengths[some.first[rows]] - fit.strengths[some.second[rows]]

            def score(place: float, rows: Any = rows, apart: Any = apart) -> float:
                up, down = np.exp((apart + place) / 2), np.exp(-(apart + place) / 2)
                return float((some.outcome[rows] - (up - down) / (up + down + np.exp(fit.log_tie))).sum())

            eta.append(float(brentq(score, -9, 9)))
        return eta

    whole = np.array(places(data))
    without = np.array([places(data.where(data.document.of != one)) for one in range(30)])
    assert [one.advantage for one in found] == pytest.approx(whole)
    refitted = np.sqrt(29 / 30 * np.square(without - whole).sum(axis=0))
    assert [one.standard_error for one in found] == pytest.approx(refitted, rel=0.03)


def few_decided(systems: int, documents: int, ties: object, per_document: int, **more: object) -> dict[str, object]:
    equal = {"strengths": (0.0,) * systems, "documents": documents, "ties": ties, "raters": 3}
    return {**equal, "per_document": per_document, **more}


NULLS = {
    "4 systems, 15 documents, 90% ties": few_decided(4, 15, 0.9, 24),
    "3 systems, 12 documents, 97% ties": few_decided(3, 12, 0.97, 9),
    "3 systems, 40 documents, 97% ties": few_decided(3, 40, 0.97, 9),
    "4 systems, 40 documents, 97% ties": few_decided(4, 40, 0.97, 24),
    "4 systems, 1 of 12 documents decides": few_decided(4, 12, [0.3, *[0.99] * 11], 40),
    "3 systems, 3 of 30 documents decide": few_decided(3, 30, [*[0.2] * 3, *[0.98] * 27], 20),
    "4 systems, one order in 85%, 95% ties": few_decided(4, 12, 0.95, 24, first_order=0.85),
    "4 systems, one order in 85%": few_decided(4, 20, 0.3, 16, first_order=0.85),
    "one document has most judgements": few_decided(4, 12, 0.3, [400, *[8] * 11]),
}  # fmt: skip
"""Equal systems, of which the place shown first matters to nobody, and raters who call ties alike."""


def claimed(sets: int, seed: int, design: dict[str, object]) -> Counter[str]:
    """Return in how many campaigns each test finds what is not there; and how many places are not told.

    place: of all raters. rater: the place of some rater, after correction.
    """
    rng, found = np.random.default_rng(seed), Counter[str]()
    for _ in range(sets):
        data = campaign(rng, **design)  # type: ignore[arg-type]
        try:
            fit = chosen(data).fit
            spread = Clustered(fit, len(data.documents), fit.cells.document)
            # Of strengths the tests need no more; their comparisons would take most of the time.
            made = cast("Strengths", SimpleNamespace(fit=fit, preferences=data, spread=spread))
            every, *own = place_effect(made)
        except NotApplicable:
            found["not told"] += 1
            continue
        found["place"] += every.p_value <= 0.05
        found["rater"] += any(one.p_adjusted <= 0.05 for one in own)
        found["not told"] += bool(np.isnan(every.p_value))
        for name, test in (("transitivity", transitivity), ("ties", equal_ties)):
            with suppress(NotApplicable):
                found[name] += test(made).p_value <= 0.05
    return found


def allowed(found: int, sets: int, most: float = 0.05, level: float = 0.01) -> bool:
    """Return whether that is no proof of more than `most`: of 250 sets with twice as much, 4 of 5 would be."""
    return bool(binomtest(found, sets, most, alternative="greater").pvalue > level)


@pytest.mark.parametrize(
    "design",
    [
        "4 systems, 1 of 12 documents decides",
        *slow("4 systems, 15 documents, 90% ties", "4 systems, one order in 85%"),
    ],
)
def test_what_is_not_there_is_found_in_at_most_five_of_a_hundred(design: str) -> None:
    found = claimed(250, 7, NULLS[design])
    for name in ("place", "rater", "transitivity", "ties"):
        assert allowed(found[name], 250), name
    assert (found["not told"] > 200) == ("1 of 12" in design)


@pytest.mark.slow
@pytest.mark.parametrize("design", NULLS)
def test_error_rates_where_few_judgements_are_decided(design: str) -> None:
    found = claimed(1000, 11, NULLS[design])
    for name in ("place", "rater", "transitivity", "ties"):
        assert allowed(found[name], 1000, 0.06, 0.001), name


@pytest.mark.parametrize("rate", [0.03, 0.3])
@pytest.mark.slow
def test_documents_that_favour_a_place_at_random_turn_no_verdicts_on_average(rate: float) -> None:
    rng, found, document = np.random.default_rng(5), 0, np.repeat(np.arange(12), 20)
    for _ in range(1500):
        lean = rng.uniform(0.1, 0.9, 12)[document]
        twice = np.where(rng.random(240) < lean, 1.0, -1.0) * (rng.random(240) < rate)
        value, (error, df), *_ = jackknifed(twice, document)
        found += bool(error > 0 and abs(value) / error > student.isf(0.025, df))
    assert allowed(found, 1500)


def test_verdicts_that_turn_with_the_order_are_counted() -> None:
    # Per comparison the verdict for the system shown first, in both orders.
    both = ["+-", "++", "++", "--", "00", "+0", "-+"]
    rows = [
        {"item": str(i), "document": str(i % 4), "first": "AB"[k], "second": "BA"[k], "outcome": OUTCOME[pair[k]]}
        for i, pair in enumerate(both)
        for k in (0, 1)
    ]
    made = Preferences.of(rows)
    found = dual_order(made)
    assert (found.comparisons, found.consistent, found.first_twice, found.second_twice, found.mixed) == (7, 3, 2, 1, 1)
    worded(found.sentence, "4 of 7")
    collapsed = made.collapsed()
    assert sorted(collapsed.outcome.tolist()) == [-1, 0, 0, 0, 0, 0, 1]
    assert not collapsed.ordered.any()
    with pytest.raises(NotApplicable, match="in both orders"):
        dual_order(counted({"AB": (1, 0, 1)}))


def test_raters_who_call_ties_differently_are_found() -> None:
    made = campaign(np.random.default_rng(9), raters=4)
    assert equal_ties(strengths(made)).p_value > 0.01
    tied = (made.rater.of == 0) & (np.random.default_rng(1).random(len(made)) < 0.5)
    found = strengths(replace(made, outcome=np.where(tied, 0.0, made.outcome)))
    assert equal_ties(found).p_value < 0.001
    assert max(rater_counts(found.preferences), key=lambda one: one.ties).rater == "r0"


def from_rows(data: Preferences, order: np.ndarray) -> Preferences:
    """Return the judgements as a file has them that lists them in this order, whose names come as they are met."""
    named = {name: getattr(data, name) for name in ("item", "document", "rater")}
    return Preferences.of(
        {
            "first": data.systems[data.first[i]], "second": data.systems[data.second[i]], "outcome": data.outcome[i],
            **{name: of.known[of.of[i]] for name, of in named.items()},
        }
        for i in order.tolist()
    )  # fmt: skip


@pytest.mark.parametrize(("raters", "documents"), [(5, 20), (12, 12)])
def test_ties_of_raters_are_compared_whatever_the_order_of_rows_and_who_judged_too_little(
    raters: int, documents: int
) -> None:
    rng, found = np.random.default_rng(3), []
    made = campaign(rng, (0.3, 0, -0.3), raters=raters, documents=documents, per_document=6 * raters, ties=0.3)
    few = made.rater.of == 0  # who calls ties only, in four documents
    made = replace(made, outcome=np.where(few, 0.0, made.outcome)).where(~few | (made.document.of < 4))
    first = np.argsort(made.rater.of != 0, kind="stable")
    for order in (first, first[::-1], rng.permutation(len(made))):
        found.append(equal_ties(strengths(from_rows(made, order))).p_value)
    found.append(equal_ties(strengths(made.where(made.rater.of != 0))).p_value)
    assert found == pytest.approx([found[0]] * 4, rel=1e-6)


@pytest.mark.slow
def test_a_rater_who_judged_too_little_makes_no_others_differ_in_ties() -> None:
    rng, found, sets = np.random.default_rng(5), 0, 400
    for _ in range(sets):
        made = campaign(rng, raters=4, documents=20, per_document=12)
        few = made.rater.of == 0
        made = replace(made, outcome=np.where(few, 0.0, made.outcome)).where(~few | (made.document.of < 4))
        found += equal_ties(strengths(made)).p_value <= 0.05
    assert allowed(found, sets)


@pytest.mark.parametrize("documents", [12, 40])
def test_transitivity_is_tested_alike_whatever_the_order_of_rows(documents: int) -> None:
    rng = np.random.default_rng(2)
    made = campaign(rng, (0.5, 0.2, 0, 0, -0.2, -0.5), documents=documents, per_document=30, icc=0.0)
    upset = (np.minimum(made.first, made.second) == 0) & (np.maximum(made.first, made.second) == 5)
    made = replace(made, outcome=np.where(upset, np.where(made.first == 5, 1.0, -1.0), made.outcome))
    orders = (np.arange(len(made)), np.arange(len(made))[::-1], rng.permutation(len(made)))
    found = [transitivity(strengths(from_rows(made, order))).p_value for order in orders]
    assert found == pytest.approx([found[0]] * 3, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("documents", "per_document"), [(40, 20), *slow((15, 40), (9, 40))])
def test_systems_that_nearly_always_win_or_lose_are_on_one_scale(documents: int, per_document: int) -> None:
    rng, found, sets = np.random.default_rng(6), 0, 60
    for _ in range(sets):
        made = campaign(rng, (4.0, 2, 0, -2, -4), documents=documents, per_document=per_document, icc=0.0)
        found += transitivity(strengths(made)).p_value <= 0.05
    assert allowed(found, sets)
    # An order that a pair contradicts is found all the same.
    upset = (np.minimum(made.first, made.second) == 1) & (np.maximum(made.first, made.second) == 3)
    turned = replace(made, outcome=np.where(upset, -made.outcome, made.outcome))
    assert transitivity(strengths(turned)).p_value < 0.01


def test_a_bent_scale_of_systems_far_apart_is_told_from_a_circle() -> None:
    rng = np.random.default_rng(1)
    while not (judged_far := preferences(campaign(rng, (4.0, 0, -4.0), documents=100, per_document=60))).intransitive:
        pass
    said = judged_far.notes[0].text
    worded(said)


def told(found: Judged) -> dict[object, object]:
    """Return all numbers of an analysis, by what they are of, whichever system of a pair stands first."""
    numbers: dict[object, object] = {}
    for family in filter(None, (found.compared, found.direct)):
        for row in family:
            sign = 1 if row.first < row.second else -1
            ends = sorted((sign * row.adjusted_ci_low, sign * row.adjusted_ci_high))
            numbers[family.metric, frozenset((row.first, row.second))] = [
                sign * row.difference, row.p_adjusted, row.standard_error, row.df, *ends
            ]  # fmt: skip
    numbers |= {one.system: [one.score, one.ci_low, one.ci_high] for one in found.study.results[0].scored}
    numbers |= {one.asked: [one.p_value, one.f, one.df1] for one in found.misfits}
    return numbers | {("place", one.rater): [one.advantage, one.p_adjusted] for one in found.places}


@pytest.mark.parametrize("seed", [1, 8, 12])
@pytest.mark.parametrize("dual", ["keep", "collapse"])
def test_no_number_depends_on_the_order_of_rows(seed: int, dual: Literal["keep", "collapse"]) -> None:
    # Of 8, all pairs have one order more rarely, or both as often; of 12, strengths and place explain every pair.
    rng = np.random.default_rng(seed)
    systems = int(rng.choice([2, 3, 5]))
    true = rng.normal(0, rng.choice([0.3, 3]), systems)
    design: dict[str, Any] = {
        "documents": int(rng.choice([6, 12, 25])), "per_document": int(rng.choice([3, 10])),
        "ties": float(rng.choice([0, 0.3, 0.9])), "raters": int(rng.choice([0, 3, 7])),
        "place": float(rng.choice([0, 0.8])), "first_order": float(rng.choice([0.5, 0.8, 0.97])),
    }  # fmt: skip
    made = campaign(rng, true.tolist(), **design)
    made = replace(made, outcome=np.where(rng.random(len(made)) < 0.03, np.nan, made.outcome))
    orders = [np.arange(len(made)), np.arange(len(made))[::-1], rng.permutation(len(made))]
    whole, *others = (told(preferences(from_rows(made, order), dual=dual)) for order in orders)
    assert systems < 3 or len(whole) > 4
    for other in others:
        assert other.keys() == whole.keys()
        for key, values in whole.items():
            assert other[key] == pytest.approx(values, rel=1e-5, abs=1e-6, nan_ok=True), key


def test_gaps_are_bounds_and_no_ties() -> None:
    (found,) = preference_gaps(counted({"AB": (60, 10, 40)}, gaps=12))
    assert (found.net, found.worst, found.best) == pytest.approx((0.1818181818, 0.0655737705, 0.262295082), abs=1e-9)
    assert (found.gaps, found.read, found.turns) == (12, 110, True)
    (safe,) = preference_gaps(counted({"AB": (100, 10, 10)}, gaps=2))
    assert not safe.turns


def test_a_verdict_that_unread_judgements_could_change_is_withheld() -> None:
    few, many = (preferences(counted({"AB": (70, 10, 40), "BC": (60, 10, 50)}, gaps=gaps)) for gaps in (1, 30))
    assert [verdict(few.compared.pair(*pair)).word for pair in ("AB", "BC")] == ["better", "not_significant"]
    for compared in (many.study.results[0].compared, many.compared):
        reasons = [verdict(compared.pair(*pair)).withheld_reason for pair in ("AB", "BC")]
        assert reasons == ["it could change if the 30 unread verdicts on this pair favoured one system"] * 2
    places = many.study.results[0].places
    assert places is not None
    assert {row.system: (row.rank_low, row.rank_high) for row in places} == {"A": (1, 2), "B": (1, 3), "C": (2, 3)}


def test_a_rater_who_forgets_her_own_verdicts_drifts() -> None:
    rng, rows = np.random.default_rng(0), []
    for i in range(120):
        said = int(rng.choice([1, -1]))
        rows.append({"item": str(i), "document": str(i % 20), "first": "A", "second": "B", "outcome": said})
        again = said if i < 60 else int(rng.choice([1, -1]))
        rows.append({"item": str(i), "document": str(i % 20), "first": "B", "second": "A", "outcome": -again})
    (found,) = drift(Preferences.of(rows))
    assert (found.repeats, found.early) == (120, 1.0)
    assert found.late < 0.7
    assert found.p_value < 0.001


@pytest.mark.parametrize(("repeats", "documents", "uneven"), [(20, 20, False), *slow((60, 4, False), (60, 10, True))])
def test_raters_who_stay_the_same_seldom_drift(repeats: int, documents: int, uneven: bool) -> None:
    """Raters agree with themselves on 80% of repeats, far more in some documents, which come one after the other."""
    rng, wrong, campaigns = np.random.default_rng(43), 0, 200
    for _ in range(campaigns):
        shares = rng.dirichlet(np.full(documents, 0.5 if uneven else 1000.0))
        document = np.sort(rng.choice(documents, repeats, p=shares))
        said, same = rng.choice([1, -1], repeats), rng.random(repeats) < rng.beta(1.9, 0.5, documents)[document]
        rows = [
            {"item": str(i), "document": str(d), "first": "AB"[time], "second": "BA"[time], "outcome": value}
            for i, (d, first, again) in enumerate(zip(document, said, same, strict=True))
            for time, value in enumerate((first, -first if again else first))
        ]
        (found,) = drift(Preferences.of(rows))
        wrong += found.p_value <= 0.05
    assert binom.sf(wrong - 1, campaigns, 0.05) > 1e-3


def test_plans_are_those_of_the_formulas() -> None:
    for asked, needed in (
        ((0.55, 0, 0, 1), 777.0390937006),
        ((0.55, 0.3, 0.1, 5), 758.2017823381),
        ((0.6, 0.3, 0.1, 5), 181.3091218635),
        ((0.525, 0.3, 0.2, 10), 6131.5448484735),
    ):
        assert plan_preferences(*asked).judgements == pytest.approx(needed, abs=1e-8)
    for systems, odds, ties, needed in (
        (5, 0.2, 0.3, 7607.2476131497),
        (10, 0.4, 0.3, 5409.5121084661),
        (20, 0.4, 0.3, 13684.4795311606),
    ):
        decided = 1 / (1 + np.exp(-odds))
        win_rate = ties / 2 + (1 - ties) * decided
        assert plan_preferences(win_rate, ties, 0, 1, systems).judgements == pytest.approx(needed, abs=1e-7)
    with pytest.raises(InvalidOption, match="cannot win 90%"):
        plan_preferences(0.9, 0.5)
    with pytest.raises(InvalidOption, match="a win rate between"):
        plan_preferences(0.4)


@pytest.mark.parametrize("win_rate", [1 / (1 + np.exp(-0.2)), 0.55, 0.6, 0.7])
def test_plans_of_two_systems_are_close_to_the_exact_power_of_the_t_test(win_rate: float) -> None:
    """Sum binomial probabilities: one verdict per document and no ties, so that the test is a t test of signs."""
    planned = plan_preferences(win_rate, 0, 0, 1).judgements
    # Power is a saw-tooth of N, so that a smooth curve is fitted around the plan.
    sizes = np.arange(int(0.8 * planned), int(1.2 * planned) + 1)
    power = []
    for n in sizes.tolist():
        wins = np.arange(n + 1)
        net = 2 * wins / n - 1
        with np.errstate(divide="ignore"):
            t = np.abs(net) / np.sqrt((1 - net**2) / (n - 1))
        power.append(binom.pmf(wins, n, win_rate)[t > student.isf(0.025, n - 1)].sum())
    slope, start = np.polyfit(sizes - planned, norm.ppf(power), 1)
    needed = planned + (norm.ppf(0.8) - start) / slope
    assert 4 < needed - planned < 9


def test_repeats_of_a_rater_who_contradicts_herself_are_no_copies() -> None:
    random = np.random.default_rng(2)
    said = [1 if random.random() < 0.9 else -1 for _ in range(400)]
    judged = Preferences.of(
        [{"item": str(i // 2), "rater": "r", "first": "A", "second": "B", "outcome": x} for i, x in enumerate(said)]
    )
    assert len(judged) == 400
    (found,) = drift(judged)
    # 1 − 2 · .9 · .1 of the pairs agree.
    assert (found.repeats, (found.early + found.late) / 2) == (200, pytest.approx(0.82, abs=0.1))


def test_gaps_of_two_systems_turn_the_direct_comparison_of_the_settings() -> None:
    rows = [{"item": str(i), "rater": "r", "first": "A", "second": "B", "outcome": 0} for i in range(29)]
    judged = preferences(Preferences.of([*rows, rows[0] | {"item": "29", "outcome": float("nan")}]))
    (found,) = judged.gaps
    assert (found.gaps, found.read) == (1, 29)


def test_orders_that_are_random_are_not_unbalanced_however_few_judgements_a_pair_has() -> None:
    made = campaign(np.random.default_rng(1), (0.0,) * 20, documents=30, per_document=40)
    assert unbalanced(made) == []
    every = replace(made, first=np.minimum(made.first, made.second), second=np.maximum(made.first, made.second))
    assert len(unbalanced(every)) == len({*zip(every.first.tolist(), every.second.tolist(), strict=True)})


def test_agreement_of_raters_is_krippendorffs_definition() -> None:
    rng = np.random.default_rng(3)
    items, raters = 40, 3
    said = np.clip(np.rint(rng.normal(0.3, 0.6, items)[:, None] + rng.normal(0, 0.6, (items, raters))), -1, 1)
    said[rng.random(said.shape) < 0.2] = np.nan
    # Of half of the judgements the pair was shown the other way round.
    rows = [
        {"item": str(i), "rater": str(r), "first": "AB"[(i + r) % 2], "second": "BA"[(i + r) % 2],
         "outcome": said[i, r] * (1 if (i + r) % 2 == 0 else -1)}
        for i in range(items) for r in range(raters) if said[i, r] == said[i, r]
    ]  # fmt: skip
    ordinal, nominal = preference_agreement(Preferences.of(rows))
    units = [[v for v in row if v == v] for row in said]
    units = [unit for unit in units if len(unit) > 1]
    values = [v for unit in units for v in unit]
    n = {c: values.count(c) for c in (-1, 0, 1)}

    def apart(a: float, b: float) -> float:
        low, high = sorted((a, b))
        return float(sum(n[c] for c in n if low <= c <= high) - (n[a] + n[b]) / 2) ** 2

    for found, metric in ((ordinal, apart), (nominal, lambda a, b: float(a != b))):
        observed = sum(metric(a, b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2))
        expected = sum(metric(a, b) for a, b in permutations(values, 2)) / (len(values) - 1)
        assert found.value == pytest.approx(1 - observed / expected)
        assert found.outputs == len(units)
    with pytest.raises(NotApplicable, match="two raters"):
        preference_agreement(Preferences.of(rows[:1]))


def test_boards_give_the_numbers_that_they_are_known_by() -> None:
    made = campaign(np.random.default_rng(6), (0.8, 0.0, -0.8), documents=20, per_document=15)
    rows = board(made, "arena", anchor=("B", 1000.0))
    # A tie is half a win: plain logistic regression of both halves, as arena boards fit it.
    systems = len(made.systems)
    x = np.zeros((len(made), systems))
    x[range(len(made)), made.first], x[range(len(made)), made.second] = 1, -1
    y, beta = (made.outcome + 1) / 2, np.zeros(systems)
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ beta))
        beta += np.linalg.pinv((x * (p * (1 - p))[:, None]).T @ x) @ (x.T @ (y - p))
    elo = 400 / np.log(10) * (beta - beta[1]) + 1000
    assert {row.system: row.score for row in rows} == pytest.approx(dict(zip(made.systems, elo, strict=True)), abs=1e-6)
    assert [row.system for row in rows] == ["A", "B", "C"]
    assert all(row.ci_low < row.score < row.ci_high for row in rows if row.system != "B")
    assert rows == board(made, "arena", anchor=("B", 1000.0))
    # Both orders: 30 agree on A, 10 turn, 10 are ties twice; FastChat prints (30 + 20 / 2) / 50.
    games = [("A", 1, -1)] * 30 + [("", 1, 1)] * 10 + [("", 0, 0)] * 10
    pairs = [
        {"item": str(i), "rater": "gpt", "first": first, "second": second, "outcome": outcome}
        for i, (_, there, back) in enumerate(games)
        for first, second, outcome in (("A", "B", there), ("B", "A", back))
    ]
    first, second = board(Preferences.of(pairs), "mt-bench")
    assert (first.system, first.score, first.judgements, second.score) == ("A", 80.0, 50, 20.0)


def test_drift_of_many_raters_is_corrected_for_their_number() -> None:
    for others, told in ((0, True), (19, False)):
        made = preferences(judged())
        vars(made)["drifts"] = (Drift("r", 40, 0.9, 0.6, 0.04), *[Drift("o", 40, 0.8, 0.8, 0.9)] * others)
        assert any("saw some comparisons twice" in note.text for note in made.notes) is told
