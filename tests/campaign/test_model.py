"""Strengths: against other programs, a contract's numbers by plain loops, and what they must not depend on."""

from dataclasses import replace
from pathlib import Path

import evalica
import numpy as np
import pytest
from kept import worded
from limited import GB, limited
from made_preferences import OUTCOME, campaign, counted

from mtsig.campaign import Preferences
from mtsig.campaign._data import Names, alike
from mtsig.campaign._model import chosen, fit
from mtsig.campaign._strengths import ELO, head_to_head, strengths
from mtsig.errors import InvalidOption, NotApplicable

SMALL = {"AB": (5, 3, 2), "BC": (4, 1, 3), "CA": (2, 2, 6)}

JUDGED = """
0.1.AC0 0.0.AC+ 1.2.AB0 1.1.AC0 1.2.BC+ 2.2.CB- 2.2.BC+ 2.2.BC+ 2.2.CA- 3.1.BC0 3.2.AC+ 3.1.BC0 3.0.CB0 3.1.CB+ 4.2.CA-
4.2.BC0 5.1.CB- 5.0.CB- 5.1.BC+ 6.0.CB0 6.1.AC- 6.2.BA- 6.2.BC- 7.1.AC+ 7.0.BA- 7.0.BA+ 7.1.BC+ 7.2.CA0 8.2.AB- 8.2.AB0
9.1.BC+ 9.2.CB- 9.0.BC- 10.1.CB0 10.2.AB+ 10.2.BA0 10.1.CA- 11.1.AC0 11.0.BC+ 11.2.BA+ 11.0.BC- 11.0.CA-
"""
"""Document, rater, the two as shown, and the outcome for the first."""


def judged() -> Preferences:
    rows = []
    for number, one in enumerate(JUDGED.split()):
        document, rater, rest = one.split(".")
        row = {"item": str(number), "document": document, "rater": rater, "first": rest[0], "second": rest[1]}
        rows.append(row | {"outcome": OUTCOME[rest[2]]})
    return Preferences.of(rows)


def of(made: Preferences, **options: str) -> dict[str, float]:
    return dict(zip(made.systems, chosen(made, **options).fit.strengths.tolist(), strict=True))  # type: ignore[arg-type]


def test_davidsons_model_is_that_of_evalica_and_of_a_poisson_model() -> None:
    import statsmodels.api as sm  # not for every worker that collects: it takes half a second

    made = chosen(counted(SMALL)).fit
    names, table = counted(SMALL).systems, []
    wins = {(a, b): n for (a, b), n in SMALL.items()}
    xs, ys, winners = [], [], []
    for (a, b), (won, tied, lost) in wins.items():
        kinds = [evalica.Winner.X] * won + [evalica.Winner.Draw] * tied + [evalica.Winner.Y] * lost
        xs += [a] * len(kinds)
        ys += [b] * len(kinds)
        winners += kinds
        table += [(a, b, 0.5, 0, won), (a, b, 0.0, 1, tied), (a, b, -0.5, 0, lost)]
    found = evalica.newman(xs, ys, winners, tolerance=1e-14, limit=10_000)
    logs = np.log(found.scores[list(names)].to_numpy())
    assert made.strengths == pytest.approx(logs - logs.mean(), abs=1e-9)
    assert np.exp(made.log_tie) == pytest.approx(2 * found.v, abs=1e-9)
    # The log-linear model: an intercept for every pair, strengths by halves, one effect of ties.
    x = np.zeros((len(table), 6))
    for row, (a, b, half, tie, _) in zip(x, table, strict=True):
        row[list(wins).index((a, b))] = 1
        for name, sign in ((a, half), (b, -half)):
            for place in range(2):
                row[3 + place] += sign * ((names[place] == name) - (names[2] == name))
        row[5] = tie
    poisson = sm.GLM([count for *_, count in table], x, family=sm.families.Poisson()).fit(tol=1e-14)
    assert [*made.strengths[:2], made.log_tie] == pytest.approx(poisson.params[3:], abs=1e-8)
    assert [*made.strengths, made.log_tie, made.loglik] == pytest.approx(
        [0.6370722754, -0.1601245912, -0.4769476842, -0.5229956687, -28.0696008895], abs=1e-9
    )
    shares = made.shares(float(made.strengths[0] - made.strengths[1]))
    assert shares == pytest.approx((0.5409866272, 0.2152500677, 0.2437633051), abs=1e-9)


def test_half_ties_are_what_arena_boards_call_bradley_terry() -> None:
    made = of(counted(SMALL), model="half")
    assert made == pytest.approx({"A": 0.4889832594, "B": -0.1229451541, "C": -0.3660381053}, abs=1e-9)
    untied = {pair: (won, 0, lost) for pair, (won, _, lost) in SMALL.items()}
    assert of(counted(untied)) == pytest.approx(of(counted(untied), model="half"), abs=1e-10)


def test_separated_systems_are_estimated_with_firths_penalty() -> None:
    tied = {"AB": (4, 1, 0), "BC": (1, 1, 1), "AC": (2, 1, 0)}
    penalised = {"A": 1.6475477162, "B": -0.9148341497, "C": -0.7327135665}
    assert of(counted(tied), penalty="always") == pytest.approx(penalised, abs=1e-9)
    assert of(counted(tied)) == pytest.approx({"A": 2.3787038785, "B": -1.3090576884, "C": -1.0696461901}, abs=1e-9)
    never_lost = counted({"AB": (5, 0, 0), "BC": (2, 0, 1), "AC": (3, 0, 0)})
    penalised = {"A": 1.8794827511, "B": -0.6936508034, "C": -1.1858319477}
    assert of(never_lost) == pytest.approx(penalised, abs=1e-9)
    assert any("A never lost" in said for said in chosen(never_lost).said)
    with pytest.raises(NotApplicable, match="all judgements that are not ties favour the same side"):
        chosen(never_lost, penalty="never")


def test_what_data_cannot_tell_is_refused() -> None:
    apart = counted({"AB": (2, 0, 1), "CD": (1, 1, 1), "DE": (0, 1, 2)})
    with pytest.raises(NotApplicable, match="No comparison connects A, B with C, D, E, so they have no common scale"):
        chosen(apart)
    with pytest.raises(NotApplicable, match="Every judgement is a tie"):
        chosen(counted({"AB": (0, 4, 0)}))
    with pytest.raises(InvalidOption, match="fractions"):
        chosen(Preferences.of([{"first": "A", "second": "B", "outcome": 0.5}]))
    baseline = judged()
    baseline = baseline.where((baseline.first == 0) | (baseline.second == 0))
    turned = baseline.first != 0
    always = replace(
        baseline,
        first=np.zeros_like(baseline.first),
        second=np.where(turned, baseline.first, baseline.second),
        outcome=np.where(turned, -baseline.outcome, baseline.outcome),
    )
    made = chosen(always)
    assert not made.fit.place
    worded(made.said[0])


def test_errors_over_documents_and_raters_are_those_of_plain_loops() -> None:
    made = strengths(judged())
    order = [made.compared.find(*pair) for pair in ("AB", "AC", "BC")]
    family = made.compared
    signs = [1 if family.first[at] == pair[0] else -1 for at, pair in zip(order, ("AB", "AC", "BC"), strict=True)]
    assert [family.difference[at] * sign / ELO for at, sign in zip(order, signs, strict=True)] == pytest.approx(
        [0.2274474053, 1.5125930372, 1.2851456319], abs=1e-9
    )
    assert family.standard_error[order] / ELO == pytest.approx([0.6245202402, 0.5503722314, 0.7289183624], abs=1e-9)
    assert family.df[order] == pytest.approx([5.9494536511, 6.5268607587, 7.2978174968], abs=1e-8)
    assert family.p_value[order] == pytest.approx([0.7283051814, 0.0306326055, 0.1195099875], abs=1e-9)
    assert family.p_adjusted[order] == pytest.approx([0.7283051814, 0.0918978166, 0.239019975], abs=1e-9)
    assert made.fit.advantage == pytest.approx(-0.3256895664, abs=1e-9)
    worded(made.rated.no_others, "3 raters", "5")


def test_one_step_is_near_a_refit_and_exact_in_the_limit() -> None:
    preferences = campaign(np.random.default_rng(3), (0.6, 0.2, 0, -0.3, -0.5), documents=60)
    made = strengths(preferences)
    moved = {int(one): row for some, rows in made.spread.moved() for one, row in zip(some, rows, strict=True)}
    for document in (0, 17):
        left = preferences.where(preferences.document.of != document)
        again = chosen(left).fit
        assert moved[document][:5] == pytest.approx(again.strengths - made.fit.strengths, abs=0.004)


def test_what_must_change_nothing() -> None:
    preferences = campaign(np.random.default_rng(5), (0.5, 0.1, 0, -0.2, -0.4), place=0.4)
    made = strengths(preferences)
    columns_exchanged = replace(
        preferences,
        first=preferences.second,
        second=preferences.first,
        outcome=-preferences.outcome,
        ordered=np.zeros_like(preferences.ordered),
    )
    without = strengths(preferences, order="ignore")
    assert strengths(columns_exchanged).compared.p_value == pytest.approx(without.compared.p_value, abs=1e-10)
    places_exchanged = replace(
        preferences, first=preferences.second, second=preferences.first, outcome=-preferences.outcome
    )
    other = strengths(places_exchanged)
    assert other.compared.difference == pytest.approx(made.compared.difference, abs=1e-8)
    assert other.fit.advantage == pytest.approx(-made.fit.advantage, abs=1e-10)
    shuffled = strengths(preferences.where(np.random.default_rng(0).permutation(len(preferences))))
    assert shuffled.compared.p_value == pytest.approx(made.compared.p_value, abs=1e-10)
    # Two systems, no place: half ties give the log odds of the win rate.
    two = preferences.where((preferences.first < 2) & (preferences.second < 2))
    alone = strengths(two, model="half", order="ignore").compared
    won = float(((two.outcome * np.where(two.first == 0, 1, -1) + 1) / 2).mean())
    assert alone.difference[0] / ELO == pytest.approx(np.log(won / (1 - won)), abs=1e-9)


def test_names_and_copies_change_nothing_and_two_systems_are_compared_alike_by_both() -> None:
    preferences = campaign(np.random.default_rng(6), (0.5, 0.1, 0, -0.2, -0.4), place=0.4)
    made = strengths(preferences)
    renamed = strengths(replace(preferences, systems=tuple("vwxyz")))
    assert renamed.compared.p_adjusted.tolist() == made.compared.p_adjusted.tolist()
    twice = np.tile(np.arange(len(preferences)), 2)
    copied = replace(
        preferences.where(twice),
        document=Names(tuple(f"{name}{k}" for k in (1, 2) for name in preferences.documents), np.concatenate(
            [preferences.document.of, preferences.document.of + len(preferences.documents)]
        )),
    )  # fmt: skip
    assert strengths(copied).fit.strengths == pytest.approx(made.fit.strengths, abs=1e-9)
    # p is at most α exactly where the interval leaves out 0.
    for family in (made.compared, head_to_head(preferences)):
        outside = (family.adjusted_ci_low > 0) | (family.adjusted_ci_high < 0)
        assert (family.p_adjusted <= 0.05).tolist() == outside.tolist()
    # Without a tie Davidson's model is Bradley and Terry's, in which a tie would be half a win.
    decided = preferences.where(preferences.outcome != 0)
    both = [strengths(decided, model=model).fit.strengths for model in ("davidson", "half")]
    assert both[0] == pytest.approx(both[1], abs=1e-9)
    ps = []
    for seed in range(8):
        two = campaign(np.random.default_rng(seed), (0.15, -0.15), documents=30, per_document=8)
        (modelled,), (direct,) = strengths(two, order="ignore").compared, head_to_head(two)
        assert np.sign(modelled.difference) == np.sign(direct.difference)
        ps.append((modelled.p_value, direct.p_value))
    assert np.argsort([p for p, _ in ps]).tolist() == np.argsort([p for _, p in ps]).tolist()


def test_the_anchor_moves_the_scale_alone() -> None:
    made, anchored = (strengths(judged(), anchor=anchor) for anchor in (None, ("A", 1500.0)))
    assert anchored.scored["A"].score == pytest.approx(1500)
    assert anchored.compared.difference == pytest.approx(made.compared.difference)
    with pytest.raises(InvalidOption, match="The anchor 'Q' is not among the systems"):
        strengths(judged(), anchor=("Q", 1.0))


def test_a_document_that_alone_compares_a_system_is_named() -> None:
    rows = [
        {"item": f"{d}.{i}", "document": f"d{d}", "first": "A", "second": "B", "outcome": (d + i) % 3 - 1}
        for d in range(12)
        for i in range(4)
    ]
    rows += [
        {"item": f"x{i}", "document": "d7", "first": "A", "second": "C", "outcome": i % 2 * 2 - 1} for i in range(4)
    ]
    with pytest.raises(NotApplicable, match="Only document d7 compares C with the other systems"):
        strengths(Preferences.of(rows))


def test_a_maximum_is_reached_from_far_away() -> None:
    made = chosen(campaign(np.random.default_rng(1), (2.5, 1, 0, -1, -2.5), per_document=60))
    assert np.abs(made.fit.strengths).max() < 5
    assert fit(made.fit.cells, True, True).loglik == pytest.approx(made.fit.loglik)


MANY = """
import numpy as np
from made_preferences import campaign
from mtsig.campaign import preferences
for systems, raters, gaps in ((4, 10_000, 0), (20, 2, 4)):
    made = campaign(np.random.default_rng(0), (0.0,) * systems, documents=9_000, per_document=1, raters=raters)
    made.outcome[:gaps] = np.nan
    found = preferences(made).plain()
    assert len(found["raters"]) > raters / 2 and len(found["gaps"]) >= gaps - 1
print("done")
"""


@pytest.mark.slow
def test_many_raters_systems_and_gaps_cost_what_they_hold() -> None:
    done = limited(MANY, memory=0.9 * GB, seconds=20, folder=Path(__file__).parent)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr[-2000:]


def test_names_may_be_more_combinations_than_a_number_counts() -> None:
    keys = [np.array([0, 2**31, 2**31, 0])] * 5
    first, of = alike(keys)
    assert (first.tolist(), of.tolist()) == ([0, 1], [0, 1, 1, 0])
