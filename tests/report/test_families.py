"""The first sentences on results: the best system is a system, and what comes close to it is told."""

from dataclasses import replace

import numpy as np
from made import made_corpus

from mtsig import Settings, ranks, verdict
from mtsig.corpus import Rating
from mtsig.inference import compare, interval
from mtsig.metrics import Statistics, measure
from mtsig.report import comparison_table
from mtsig.report._families import (
    closest_pair,
    closest_text,
    counts_text,
    headline_text,
    people_text,
    ranking_text,
    ranks_text,
    telling,
)
from mtsig.report._tables import ranks_table


def rated(**levels: float) -> Statistics:
    """Return ratings of systems with these means, on 80 segments, far less noisy than they are apart by 1."""
    corpus = made_corpus(n=80, systems=2, documents=0)
    noise = np.random.default_rng(3).normal(size=(len(levels), 80))
    values = noise + np.array(list(levels.values()))[:, None]
    more = replace(corpus, outputs={}, systems=dict.fromkeys(levels, ()), ratings={"mqm": Rating(values, True)})
    return measure(more, "mqm")


QUICK = Settings(n_resamples=2000)


def test_people_are_told_and_the_best_is_a_system() -> None:
    statistics = rated(bad=0.0, refA=6.0, good=4.0, HUMAN=1.0)
    family = QUICK.family(statistics)
    assert family.order[0] == "refA"
    assert headline_text([family]) == "good is better than bad in mqm, with a caution."
    said = people_text(family)
    assert said == (
        "refA and HUMAN are human translations and no systems: refA is better than good; HUMAN is worse than good."
    )
    assert closest_pair(family) == ("good", "bad")
    assert closest_text(family).startswith("Closest to good: bad, ")
    assert ranking_text(interval(statistics)).startswith("Highest mqm but for human translations: good with ")
    placed = ranks(family)
    assert placed.best == ("good",)
    # Every system is held against systems, and people have the place that they would have among them.
    assert [(one.system, one.rank_low, one.rank_high) for one in placed] == [
        ("refA", 1, 1), ("good", 1, 1), ("HUMAN", 2, 2), ("bad", 2, 2),
    ]  # fmt: skip
    assert np.isnan(placed.bootstrap_best_rate).tolist() == [True, False, True, False]
    assert "Only good can be the best" in ranks_text(placed)
    assert [row[1] for row in ranks_table(placed).texts] == ["human translation", "", "human translation", ""]


def test_of_people_alone_nothing_is_said_of_systems() -> None:
    family = QUICK.family(rated(refC=0.0, refD=0.0))
    assert "are all human translations: nothing here is said of systems" in people_text(family)
    assert people_text(QUICK.family(rated(a=0.0, b=1.0))) == ""


def test_metrics_that_agree_share_a_clause_and_others_have_their_own() -> None:
    clear, level = QUICK.family(rated(a=3.0, b=0.0, c=0.0)), QUICK.family(rated(a=0.01, b=0.0, c=-5.0))
    assert headline_text([clear, clear]) == "a is better than every other system in mqm and mqm, with a caution."
    best, other = level.order[:2]
    assert f"not clearly separated from {other} in mqm" in headline_text([level])
    assert best in headline_text([clear, level]) or best == "a"
    assert counts_text([clear, level]) == "Separated: 2 of 3 comparisons in mqm, 2 of 3 in mqm."


def test_of_many_comparisons_those_of_the_best_are_told() -> None:
    levels = {"z": 9.0, "y": 9.0, "x": 6.0, "refB": 5.0, "w": 4.0, "v": 2.0, "u": 0.0}
    family = QUICK.family(rated(**levels))
    told = telling(family)
    best, second = family.order[:2]
    assert verdict(family[family.find(best, second) or 0]).word != "better"
    assert [(one.first, one.second) for one in told] == [(best, second), (best, "x"), (best, "refB")]
    chosen = compare(rated(**levels), "ar", [("u", "z"), ("v", "z")])
    assert len(telling(chosen)) == 2


def test_tables_run_by_score_and_show_the_better_first() -> None:
    family = QUICK.family(rated(a=0.0, b=8.0, c=4.0))
    assert [row[:2] for row in comparison_table(family).texts] == [("b", "c"), ("b", "a"), ("c", "a")]
    assert [one.p_value for one in family.by_score()] == [
        family[family.find(*pair) or 0].p_value for pair in (("b", "c"), ("b", "a"), ("c", "a"))
    ]
    assert min(family.by_score().difference) > 0
    # Pairs that were chosen keep their sides.
    chosen = compare(rated(a=0.0, b=8.0, c=4.0), "ar", [("a", "b"), ("c", "b")])
    assert [(one.first, one.second) for one in chosen.by_score()] == [("c", "b"), ("a", "b")]


def gapped() -> Statistics:
    """Return ratings in which A has easy segments alone and loses to B on those of both; C shares none with A."""
    noise = np.random.default_rng(5).normal(0, 0.5, (3, 120))
    easy = np.where(np.arange(120) < 60, 0.0, 20.0)
    values = noise + easy + np.array([0.0, 4.0, -3.0])[:, None]
    values[0, :30] = values[1, 90:] = np.nan
    values[2, 30:] = np.nan
    corpus = made_corpus(n=120, systems=2, documents=0)
    more = replace(
        corpus, outputs={}, systems=dict.fromkeys("ABC", ()), ratings={"mqm": Rating(values, True, "declared")}
    )
    return measure(more, "mqm")


def test_the_best_score_on_other_segments_is_not_called_better() -> None:
    family = QUICK.family(gapped())
    assert family.order[0] == "A"
    against = family[family.find("A", "B") or 0]
    assert verdict(against).winner == "B"
    assert family.find("A", "C") is None
    said = headline_text([family])
    assert "better than every other system" not in said
    assert said.startswith("A has the best score on segments of its own, but is worse than B on those of both in mqm")
    assert said.endswith("mqm, with a caution.")
    assert "4.0" in closest_text(family)
    assert "behind" not in closest_text(family)
    assert "B, ahead by" in closest_text(family)


def test_what_was_not_compared_is_not_called_worse() -> None:
    family = QUICK.family(rated(a=6.0, b=3.0, c=0.0), [("a", "b"), ("b", "c")])
    said = headline_text([family])
    assert said == "a is better than every system that it was compared with (c was not) in mqm, with a caution."
    statistics = replace(rated(a=6.0, b=3.0, c=0.0), document_of=np.arange(80))
    assert headline_text([QUICK.family(statistics)]) == "a is better than every other system in mqm."


def test_one_system_beside_people_is_better_than_no_system() -> None:
    family = QUICK.family(rated(a=0.0, refA=6.0))
    assert headline_text([family]) == "a is the only system in mqm."
    assert people_text(family) == "refA is a human translation and no system: refA is better than a."
    assert closest_pair(family) is None
    assert len(telling(family)) == 1


def test_the_overview_names_a_test_that_was_asked_for() -> None:
    statistics = measure(made_corpus(n=60, systems=3, documents=0), "bleu")
    family = Settings(test="bootstrap-rm2005", n_resamples=200).family(statistics)
    assert headline_text([family]).endswith("in BLEU, by Riezler and Maxwell's Figure 2, with a caution.")
    assert ", by " not in headline_text([Settings(n_resamples=200).family(statistics)])
