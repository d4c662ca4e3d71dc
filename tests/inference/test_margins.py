"""Margins: shown, not shown, or withheld with the reason; never shown where the data carry no verdict."""

from collections.abc import Sequence

import numpy as np
import pytest
from made import CHINESE, edited_reference, rated, translated
from numpy.typing import ArrayLike

from mtsig import Corpus, Rating, Settings, measure, metric, power_analysis, verdict
from mtsig.inference import compare, equivalence, non_inferiority, smallest_detectable
from mtsig.inference._margins import MarginResult, within
from mtsig.metrics import Metric, Rated
from mtsig.report._diagnostics import power_table
from mtsig.report._say import equivalence_text
from mtsig.report._tables import margin_table
from mtsig.study import Margin, Request, conduct, study_of
from mtsig.study._request import choice_of

SETTINGS = Settings(n_resamples=2000)

WIDE = 1000.0
"""So wide that it is shown of any two systems that can be judged."""


def planned(corpus: Corpus, asked: Metric) -> list[MarginResult]:
    """Return every pair within a wide margin, as the text of the study has it."""
    margins = (Margin(choice_of(asked) or "", "equivalence", WIDE),)
    return list(study_of(conduct(corpus, Request((asked,), SETTINGS, margins=margins)).text()).results[0].margins)


def of_ratings(rows: ArrayLike, documents: Sequence[str] | None = None) -> Corpus:
    values = np.array(rows, dtype=float)
    return Corpus.of(dict.fromkeys("ABCD"[: len(values)]), documents=documents, ratings={"mqm": Rating(values, True)})


def few_shared() -> Corpus:
    """Twelve documents, of which system B has eight."""
    values = np.random.default_rng(1).normal(70, 3, (3, 120)) + np.array([[3.0], [0], [0]])
    values[1, 80:] = np.nan
    return of_ratings(values, [f"d{i // 10}" for i in range(120)])


# --- where a verdict is refused, so is a margin -------------------------------------------------------------------


def test_fewer_than_ten_shared_documents_show_no_margin_and_find_nothing() -> None:
    statistics = measure(few_shared(), "mqm")
    for one in SETTINGS.family(statistics):
        found = within(one, WIDE, both=True)
        assert (verdict(one).word == "withheld") == (one.units == 8) == ("B" in (one.first, one.second))
        if one.units == 8:
            assert found.established is None
            assert found.withheld_reason == verdict(one).withheld_reason
            assert found.withheld_reason.startswith("only 8 documents are known for both")
            assert smallest_detectable(one) is None
        else:
            assert found.established
            assert smallest_detectable(one) is not None


def test_words_counted_in_text_without_spaces_show_no_margin() -> None:
    lines = CHINESE["ref"]
    outputs = {"a": [line[:-1] for line in lines], "b": [line.replace("那位", "这位") for line in lines]}
    corpus = Corpus.of(outputs, {"ref": lines})
    statistics = measure(corpus, "bleu:tokenize=13a")
    for found in (equivalence(statistics, "a", "b", WIDE), non_inferiority(statistics, "a", "b", WIDE)):
        assert found.established is None
        assert "Chinese is written without spaces" in found.withheld_reason
    said = [row[1] for row in power_table(power_analysis(statistics, "a", "b", margin=9)).texts]
    assert [text.split(":")[0] for text in said] == [
        "Withheld whether a and b differ by less than 9 BLEU",
        "Withheld whether a is at most 9 BLEU worse than b",
    ]
    assert [one.established for one in planned(corpus, metric("bleu:tokenize=13a"))] == [None]
    assert equivalence(measure(corpus, "bleu"), "a", "b", WIDE).established


def test_a_margin_for_a_kin_is_undecided_even_where_its_verdict_stands() -> None:
    corpus = edited_reference()
    worse = translated(list(corpus.references["A"]), 0.3, np.random.default_rng(8))
    corpus = Corpus.of({**corpus.outputs, "bad": worse}, corpus.references)
    statistics = measure(corpus, "bleu")
    family = SETTINGS.family(statistics)
    stands = next(one for one in family if {one.first, one.second} == {"kin", "bad"})
    assert verdict(stands).winner == "kin"
    results = planned(corpus, metric("bleu"))
    assert {one.established for one in results if "kin" in (one.first, one.second)} == {None}
    assert {one.established for one in results if "kin" not in (one.first, one.second)} == {True}
    found = non_inferiority(statistics, "kin", "bad", WIDE)
    assert found.established is None
    assert found.withheld_reason.endswith("of reference 'B'; a margin for it can only be judged without that reference")
    assert non_inferiority(measure(corpus.select(references=["A"]), "bleu"), "kin", "bad", WIDE).established


# --- where the spread is not known --------------------------------------------------------------------------------


def near_alike() -> Corpus:
    """B is A but for three segments, D is A, and C is another system."""
    rng = np.random.default_rng(2)
    first, other = rng.normal(70, 8, (2, 100))
    second = first + np.where(np.arange(100) % 40 == 7, 2.0, 0.0)
    return of_ratings([first, second, other, first])


def test_a_pair_that_hardly_differs_leaves_the_other_pairs_of_a_plan_their_results() -> None:
    results = planned(near_alike(), Rated("mqm"))
    found = {one.first + one.second: one for one in results}
    assert {pair: one.established for pair, one in found.items()} == {
        "AB": None, "AC": True, "AD": None, "BC": True, "BD": None, "CD": True,
    }  # fmt: skip
    assert "differ on only 3 of 100 segments" in found["AB"].withheld_reason
    assert "do not vary against each other" in found["AD"].withheld_reason
    # Holm over all six: those without a judgement count as 1.
    smallest = min(one.p_value for one in results if one.established)
    assert min(one.p_adjusted for one in results if one.established) == pytest.approx(6 * smallest)
    assert all(np.isnan([one.p_adjusted, one.ci_low, one.p_value]).all() for one in results if not one.established)
    table = margin_table(results)
    assert [row[-1] for row in table.texts].count("withheld") == 3
    assert "Withheld: they differ on only 3 of 100 segments" in table.caption


def test_two_systems_that_a_constant_keeps_apart_have_no_spread_to_judge_by() -> None:
    ratings = np.random.default_rng(4).normal(70, 8, 100)
    statistics = rated([ratings, ratings + 0.1])
    for found in (equivalence(statistics, "A", "B", 1.0), within(compare(statistics)[0], 1.0, both=True)):
        assert found.established is None
        assert np.isnan(found.p_value)
        assert "no spread" in found.withheld_reason


def test_the_sentence_says_why_nothing_was_judged() -> None:
    found = equivalence(rated(np.ones((2, 30))), "A", "B", 0.5)
    assert equivalence_text(found, "A", "B", "rated") == (
        "Withheld whether A and B differ by less than 0.5 rated: the two do not vary against each other: no spread "
        "between segments to test against."
    )
