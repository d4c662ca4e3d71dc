"""The first sentences on results: the best system is a system, and what comes close to it is told."""

from dataclasses import replace

import numpy as np
from kept import Kept, lacking, worded
from made import made_corpus

import mtsig
from mtsig import Corpus, Settings, ranks, verdict
from mtsig._say import say
from mtsig.corpus import Rating
from mtsig.inference import compare
from mtsig.inference._intervals import interval
from mtsig.metrics import Statistics, measure
from mtsig.report import comparison_table
from mtsig.report._families import (
    closest_pair,
    counts_text,
    headline_text,
    lede_text,
    people_text,
    ranking_text,
    ranks_text,
    telling,
    title_text,
)
from mtsig.report._tables import ranks_table


def rated(n: int = 80, **levels: float) -> Statistics:
    """Return ratings of systems with these means, on n segments, far less noisy than they are apart by 1."""
    corpus = made_corpus(n=n, systems=2, documents=0)
    noise = np.random.default_rng(3).normal(size=(len(levels), n))
    values = noise + np.array(list(levels.values()))[:, None]
    more = replace(corpus, outputs={}, systems=dict.fromkeys(levels, ()), ratings={"mqm": Rating(values, True)})
    return measure(more, "mqm")


QUICK = Settings(n_resamples=2000)


def test_people_are_told_and_the_best_is_a_system(kept: Kept) -> None:
    statistics = rated(bad=0.0, refA=6.0, good=4.0, HUMAN=1.0)
    family = QUICK.family(statistics)
    assert family.order[0] == "refA"
    said = people_text(family)
    assert said.index("refA is better") < said.index("HUMAN is worse")
    assert closest_pair(family) == ("good", "bad")
    assert title_text([family]).startswith("good beats bad")
    assert lede_text(family).startswith("good scores ")
    assert "human translations: good" in ranking_text(interval(statistics))
    placed = ranks(family)
    kept("say", headline_text([family]), said, ranks_text(placed))
    assert placed.best == ("good",)
    # Every system is held against systems, and people have the place that they would have among them.
    assert [(one.system, one.rank_low, one.rank_high) for one in placed] == [
        ("refA", 1, 1), ("good", 1, 1), ("HUMAN", 2, 2), ("bad", 2, 2),
    ]  # fmt: skip
    assert np.isnan(placed.bootstrap_best_rate).tolist() == [True, False, True, False]
    assert [row[1] for row in ranks_table(placed).texts] == ["human translation", "", "human translation", ""]


def test_of_people_alone_nothing_is_said_of_systems() -> None:
    family = QUICK.family(rated(refC=0.0, refD=0.0))
    assert "human translations" in people_text(family)
    assert people_text(QUICK.family(rated(a=0.0, b=1.0))) == ""


def test_metrics_that_agree_share_a_clause_and_others_have_their_own(kept: Kept) -> None:
    clear, level = QUICK.family(rated(a=3.0, b=0.0, c=0.0)), QUICK.family(rated(a=0.01, b=0.0, c=-5.0))
    said = "a is significantly better than every other system on mqm and mqm, with a caution."
    assert headline_text([clear, clear]) == said
    # A title says of a verdict with a caution that it has one, of one without that it has none.
    assert title_text([clear]) == "a is the best of 3 systems in mqm, with a caution"
    assert title_text([QUICK.family(rated(260, a=3.0, b=0.0, c=0.0))]) == "a is the best of 3 systems in mqm"
    for family, verdict_said in ((QUICK.family(rated(a=3.0, b=0.0)), "a beats b by "), (level, "too close to call")):
        title = title_text([family]).casefold()
        assert verdict_said in title
        assert title.endswith(", with a caution")
        assert say(family[0], "title").endswith(", with a caution")
    best, other = level.order[:2]
    assert not lacking(headline_text([level]), f"{best} has", "not significantly better", f"than {other}")
    assert best in headline_text([clear, level]) or best == "a"
    said = "2 of 3 differences on mqm, 2 of 3 differences on mqm are significant ("
    assert counts_text([clear, level]).startswith(said)
    assert not lacking(title_text([level]), "Too close", f"{best} or {other}", "may be")
    kept("say", title_text([clear, clear]), title_text([clear, level]))


def test_a_title_calls_no_withheld_verdict_close() -> None:
    of = rated(a=9.0, b=5.0, c=1.0, d=0.0)
    family = QUICK.family(replace(of, misaligned={name: f"{name} has misaligned lines" for name in "bc"}))
    ranked = ranks(family)
    worded(title_text([family], ranked))
    assert "close" not in lede_text(family, ranked)
    # Where another metric has a verdict on them, none is missing.
    assert "no verdict" not in title_text([family, QUICK.family(of)], ranked)
    words = {(pair.first, pair.second): verdict(pair).withheld for pair in family}
    assert {pair for pair, why in words.items() if why is None} == {("a", "d")}
    assert set(words.values()) == {None, "misaligned"}


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


def test_the_best_score_on_other_segments_is_not_called_better(kept: Kept) -> None:
    family = QUICK.family(gapped())
    assert family.order[0] == "A"
    against = family[family.find("A", "B") or 0]
    assert verdict(against).winner == "B"
    assert family.find("A", "C") is None
    assert "every other system" not in headline_text([family])
    assert not title_text([family]).startswith("A is the")
    assert lede_text(family).startswith("B scores 4.1")
    kept("say", headline_text([family]), title_text([family]), lede_text(family))


def test_what_was_not_compared_is_not_called_worse(kept: Kept) -> None:
    family = QUICK.family(rated(a=6.0, b=3.0, c=0.0), [("a", "b"), ("b", "c")])
    assert "(not compared: c)" in headline_text([family])
    assert "is the best" not in title_text([family])
    statistics = replace(rated(a=6.0, b=3.0, c=0.0), document_of=np.arange(80))
    whole = headline_text([QUICK.family(statistics)])
    assert not lacking(whole, "a is significantly", "every other system")
    kept("say", headline_text([family]), whole)


def test_one_system_beside_people_is_better_than_no_system(kept: Kept) -> None:
    family = QUICK.family(rated(a=0.0, refA=6.0))
    assert not lacking(headline_text([family]), "a is the", "only ranked system")
    kept("say", headline_text([family]), people_text(family))
    assert closest_pair(family) is None
    assert len(telling(family)) == 1


def test_the_overview_names_a_test_that_was_asked_for() -> None:
    statistics = measure(made_corpus(n=60, systems=3, documents=0), "bleu")
    family = Settings(test="bootstrap-rm2005", n_resamples=200).family(statistics)
    assert ", by Riezler" in headline_text([family])
    assert ", by " not in headline_text([Settings(n_resamples=200).family(statistics)])


def test_titles_name_few_systems_and_count_many(kept: Kept) -> None:
    close = {f"s{number}": 0.001 * number for number in range(6)}
    family = QUICK.family(rated(**close))
    assert not lacking(title_text([family]), "Too close", "6 systems", "may be")
    worded(lede_text(family.changed(difference=family.difference / 50)), "0.001 mqm")
    three = QUICK.family(rated(a=0.02, b=0.01, c=0.0, d=-9.0))
    named = ", ".join(three.ranked_systems[:2])
    assert not lacking(title_text([three]), f": {named}", f"or {three.ranked_systems[2]}", "may be")
    assert not lacking(lede_text(three), "does not show", "equal.")
    kept("say", title_text([family]), title_text([three]), lede_text(three))


def test_titles_say_which_metric_puts_which_system_first(kept: Kept) -> None:
    one, other = QUICK.family(rated(a=3.0, b=0.0, c=0.0)), QUICK.family(rated(a=0.0, b=3.0, c=0.0))
    assert not lacking(title_text([one, other]), "a leads", "b in")
    assert title_text([one], called={"a": "the first"}).startswith("the first is")
    kept("say", title_text([one, other]))


def test_names_with_signs_of_templates_stay_as_they_are() -> None:
    family = QUICK.family(rated(**{"{x}": 6.0, "{}": 0.0}))
    assert not lacking(headline_text([family]), "{x} is significantly", "than {} on")


def test_one_reason_of_ten_systems_is_said_once_with_their_names() -> None:
    text = made_corpus(n=60, systems=2, documents=0)
    source = [f"qu{number} elle {number} histoire" for number in range(60)]
    copies = {f"s{number}": source for number in range(10)}
    outputs = {**{name: text.lines(name) for name in text.systems}, **copies, "nothing": [""] * 60}
    family = Settings(n_resamples=200).family(measure(Corpus.of(outputs, text.references, sources=source), "bleu"))
    worded(headline_text([family]), "'s0', 's1', 's2'", "7 more", "'nothing'")


def test_a_human_translation_is_none_of_the_others_that_the_best_is_better_than() -> None:
    family = QUICK.family(rated(bad=0.0, mid=2.0, refA=6.0, good=4.0))
    better = family.pair("refA", "good")
    assert better is not None
    assert verdict(better).winner == "refA"
    worded(headline_text([family]), "good is significantly better than every other ranked system")
    alone = QUICK.family(rated(refA=6.0, good=4.0, refB=1.0))
    worded(headline_text([alone]), "good is the only ranked system")
    assert [lede_text(alone, brief=brief) for brief in (False, True)] == ["Not ranked: refA and refB."] * 2
    worded(headline_text([QUICK.family(rated(refA=6.0, refB=1.0, refC=3.0))]), "better than every other system")


def test_a_title_of_several_metrics_names_whom_all_of_them_leave_in_front() -> None:
    one, other = (
        QUICK.family(rated(**levels)) for levels in ({"a": 4.3, "b": 4.0, "c": 0.0}, {"a": 4.3, "b": 0.0, "c": 4.0})
    )
    assert [family.order[0] for family in (one, other)] == ["a", "a"]
    assert "a or b may be the best in mqm" in title_text([one])
    assert "a or c may be the best in mqm" in title_text([other])
    assert "a or b may be the best in mqm and mqm" in title_text([one, one])
    said = title_text([one, other])
    assert not {"b", "c"} & set(said.split())
    worded(said, "in mqm and mqm")


def test_a_study_sets_apart_the_systems_that_it_compares() -> None:
    text = made_corpus(n=60, systems=3, documents=0)
    outputs = {**text.outputs, "copied": text.references["ref0"]}
    corpus, first = Corpus.of(outputs, text.references), text.systems
    every = mtsig.compare(corpus, "bleu", n_resamples=200)
    assert every.summary().count("Not ranked: 'copied'") == 1
    some = mtsig.compare(corpus, "bleu", pairs=[(a, b) for a in first for b in first if a < b], n_resamples=200)
    assert [*every["BLEU"].compared.unranked] == ["copied"]
    assert not some["BLEU"].compared.unranked
    assert "anked" not in headline_text([some["BLEU"].compared])


def test_what_is_no_translation_is_neither_ranked_nor_the_best(kept: Kept) -> None:
    text = made_corpus(n=60, systems=3, documents=0)
    source = [f"qu{number} elle {number} histoire" for number in range(60)]
    outputs = {**{name: text.lines(name) for name in text.systems}, "copied": source, "nothing": [""] * 60}
    statistics = measure(Corpus.of(outputs, text.references, sources=source), "bleu")
    assert [*statistics.unranked] == ["copied", "nothing"]
    kept("say", *statistics.unranked.values())
    family = Settings(n_resamples=200).family(statistics)
    assert set(family.ranked_systems) == set(text.systems)
    assert "of 3 systems" in title_text([family]) or "may be" in title_text([family])
    for brief in (False, True):  # the title ranks three of five: what it leaves out is named below it
        assert lede_text(family, brief=brief).endswith("Not ranked: copied and nothing.")
    first, second = statistics.unranked.values()
    worded(headline_text([family, family]), f"{first} and {second}")
    placed = ranks(family)
    assert max(one.rank_high for one in placed if one.system in text.systems) <= 3
    # A few lines that stay as they are make no copy.
    outputs["copied"] = [line if number % 5 else "a b c" for number, line in enumerate(source)]
    assert list(measure(Corpus.of(outputs, text.references, sources=source), "bleu").unranked) == ["nothing"]


def same(**levels: float) -> Statistics:
    """Return ratings with these means, of which those of equal means are equal on every segment."""
    noise = np.random.default_rng(3).normal(size=(len(levels), 80))
    noise -= noise.mean(axis=1, keepdims=True)
    means = [*levels.values()]
    scores = {name: mean + noise[means.index(mean)] for name, mean in levels.items()}
    return measure(scores, name="mqm", higher_is_better=True)


def test_identical_systems_have_no_highest_score_of_their_own() -> None:
    for levels, said, highest in (
        ({"a": 1, "b": 1}, "a and b have the same mqm on every segment", "a and b with"),
        ({"a": 1, "b": 1, "c": 1}, "a, b and c have the same mqm on every segment", "a, b and c with"),
        (
            {"a": 5, "b": 5, "c": 1},
            "a and b share the highest mqm, and are significantly better than c",
            "a and b with",
        ),
        (
            {"a": 5, "b": 5, "c": 1, "d": 3},
            "a and b share the highest mqm, and are significantly better than every other system",
            "a and b with",
        ),
        (
            {"a": 5, "b": 5, "c": 4.99},
            "a and b share the highest mqm, but are not significantly better than c",
            "a and",
        ),
        ({"a": 5, "b": 1, "c": 1}, "a is significantly better than every other system on mqm", "a with"),
    ):
        statistics = same(**levels)
        family = QUICK.family(statistics)
        assert headline_text([family]).startswith(said)
        assert f"Highest mqm: {highest}" in ranking_text(interval(statistics))
    chosen = compare(same(a=5, b=5, c=1), QUICK.chosen_test("segment"), [("a", "b"), ("a", "c")])
    worded(headline_text([chosen]))
