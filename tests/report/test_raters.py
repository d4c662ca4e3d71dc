"""A design in words: numbers as the library has them, and no number where none would do."""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from kept import Kept, lacking, worded
from made import made_corpus, made_statistics

from mtsig import Corpus, Rating, compare, design_test_set, measure, metric, read_sample
from mtsig.corpus import RaterScores
from mtsig.inference import simulated_power
from mtsig.inference._design import TestSetSize, Way
from mtsig.report import card
from mtsig.report._diagnostics import power_text
from mtsig.report._document import Document
from mtsig.report._raters import design_caption, design_table, references_table
from mtsig.report._shown import tables_of
from mtsig.segments._ablation import design_by_references
from mtsig.study._reading import study_of


@pytest.fixture(scope="module")
def corpus():
    return made_corpus(systems=2, references=2, documents=12)


def test_a_design_is_a_row_for_each_way(corpus, kept: Kept):
    found = design_test_set(measure(corpus, "chrf"), "sys0", "sys1", 3.0, systems=4, price_segment=2.0)
    table = design_table(found)
    assert table.names == ("way", "documents", "segments", "cost")
    more = found.ways[0]
    # Of what is known so roughly two digits are told.
    sizes = (f"{more.needed.documents:,} ({more.needed_low.documents:,} to {more.needed_high.documents:,})",
             "1,100 (360 to 4,500)", "2,200 (720 to 9,000)")  # fmt: skip
    assert tuple(text.removeprefix("about ") for text in table.texts[0][1:]) == sizes
    assert table.texts[1][1] == "12"
    assert tables_of(found) == [table]
    said = design_caption(found)
    assert not lacking(said, "6 comparisons (Bonferroni)", f"{found.within:.0%} is within")
    kept("power", *(row[0] for row in table.texts), said)


def test_where_no_length_would_do_no_number_is_given(corpus, kept: Kept):
    found = design_test_set(measure(corpus, "chrf"), "sys0", "sys1", 3.0)
    size = TestSetSize(12, 90, None)

    def text(*sizes):
        return design_table(replace(found, ways=(Way("lengths", *sizes),))).texts[0][2]

    kept("power", text(size, size, None), text(None, size, None), text(None, None, None))


def test_segments_as_units_have_no_documents():
    table = design_table(design_test_set(made_statistics(systems=2), "sys0", "sys1", 1.0))
    assert table.names == ("way", "segments")
    assert table.texts[0][0].endswith("segments")


def test_references_stand_in_rows_and_those_that_tell_nothing_say_why(corpus):
    gaps = replace(corpus, references={**corpus.references, "ref1": (None,) * len(corpus)})
    table = references_table(design_by_references(gaps, metric("chrf"), "sys0", "sys1", 3.0))
    assert [row[0] for row in table.texts] == ["ref0", "ref0", "ref1", "ref0 + ref1", "ref0 + ref1"]
    assert table.texts[2][-1]
    assert table.texts[0][-1] == ""


def test_a_power_that_leaves_nothing_open_is_said_once() -> None:
    analysis = simulated_power(measure(read_sample(), "chrf"), "direct", "via-catalan", 1.0, units=40)
    assert power_text(replace(analysis, power=0.012, power_low=0.011, power_high=0.014)) == "about 1%"
    assert power_text(replace(analysis, power=1.0, power_low=1.0, power_high=1.0)) == "100%"
    worded(power_text(replace(analysis, power=0.5, power_low=0.4, power_high=0.6)), "50%", "40% to 60%")


def rated(tastes: float, raters: int, domains: Sequence[str] | None = None) -> Corpus:
    """Return three systems rated by raters with tastes of their own, a part of the segments each."""
    random = np.random.default_rng(4)
    liked = random.normal(0, tastes, (raters, 3, 1))
    seen = np.arange(150) % raters == np.arange(raters)[:, None]
    values = np.array([[70.0], [66.0], [62.0]]) + random.normal(0, 7, (3, 150)) + liked
    given = {f"r{k}": np.where(seen[k], values[k], np.nan) for k in range(raters)}
    mean = np.nanmean(np.stack(list(given.values())), axis=0)
    return Corpus.of(
        dict.fromkeys("ABC"), documents=[f"d{i // 5}" for i in range(150)], domains=domains,
        ratings={"esa": Rating(mean, higher_is_better=True, rater_scores=RaterScores.of(given))},
    )  # fmt: skip


@pytest.mark.parametrize(("tastes", "raters"), [(7.0, 10), (0.0, 10), (0.0, 3)])
def test_for_whom_verdicts_hold_stands_on_every_surface(tastes: float, raters: int, kept: Kept) -> None:
    study = compare(rated(tastes, raters), "rating:esa", n_resamples=100)
    (told,) = [text for text in study.notes if text.startswith("Verdicts are for these")]
    if tastes:
        assert "other raters" in told
        assert "also hold" not in told
        assert study.notes[0] == told
        assert told in study.warnings
    else:
        assert ("also hold" if raters == 10 else "It is unknown") in told
        kept("say", told)
    assert study.raters_text == told
    document = Document(study)
    assert document.said[0].summary.startswith(told)
    assert all(told in paragraph.text for paragraph in (document.methods, document.summary))
    assert card(study).said.lede.startswith(told)
    assert card(study, pair=["A", "B"]).said.lede.startswith(told)
    assert json.loads(study.text())["notes"].count(told) == 1


def test_studies_of_several_sets_say_for_which_raters_each_holds() -> None:
    sets = {"news": rated(7.0, 10), "talks": rated(0.0, 3), "web": rated(0.0, 3)}
    study = compare(sets, "rating:esa", n_resamples=100)
    lost, unknown, over, averaged = study.raters
    assert study.notes[:4] == study.raters
    worded(lost, "10 raters")
    assert lost in study.warnings
    worded(unknown, "3 raters")
    worded(over)
    worded(averaged, "10 raters")
    document = Document(study)
    assert document.said[0].summary.startswith(study.raters_text)
    assert study.raters_text in document.methods.text
    assert study_of(study.text()).raters == study.raters
    parts = compare(rated(0.0, 10, ["a", "b"] * 75), "rating:esa", by="domain", n_resamples=100)
    assert [text.partition(":")[0] for text in parts.raters] == ["a", "b"]
