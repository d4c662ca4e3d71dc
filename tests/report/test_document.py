"""Studies of ratings: not every system has everything, and every number says on what it stands."""

from dataclasses import replace

import numpy as np
import pytest
from kept import Kept, lacking
from made import made_corpus
from papers import html_text, squeezed

from mtsig import Corpus, Settings, measure, metric
from mtsig.corpus import Rating
from mtsig.inference import compare
from mtsig.metrics import Bleu, Rated
from mtsig.report import EXPORTERS, Document, comparison_table
from mtsig.report._methods import methods_paragraph, signature_line
from mtsig.report._paper import paper_tables
from mtsig.study import Request, Study, conduct, reproduce, study_of
from mtsig.study._request import choice_of


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Four systems, a rating where lower is better, and gaps."""
    made = made_corpus(n=80, systems=4, documents=0)
    values = np.random.default_rng(1).normal(5, 1, (4, 80)) + np.arange(4)[:, None]
    values[1, :7] = np.nan
    values[3, 60:] = np.nan
    return replace(made, ratings={"mqm": Rating(values, higher_is_better=False, rater="raters")})


@pytest.fixture(scope="module")
def study(corpus: Corpus) -> Study:
    return conduct(corpus, Request((Rated("mqm"), Bleu()), Settings(n_resamples=200)))


@pytest.mark.parametrize(
    "one",
    [Rated("mqm"), Rated("mqm", higher_is_better=False), Rated("DA z", shared=True), Rated("comet", decimals=4)],
)
def test_a_rating_is_written_as_one_asks_for_it(one: Rated) -> None:
    choice = choice_of(one)
    assert choice == f"rating:{one.rating}" + (":shared=true" if one.shared else "")
    assert metric(choice or "") == replace(one, higher_is_better=True, decimals=2)


def test_the_direction_is_for_the_data_to_say(corpus: Corpus, study: Study) -> None:
    assert study.asked.metrics == (Rated("mqm"), Bleu())
    assert not study.results[0].scored.higher_is_better
    assert study.results[0].compared.order[0] == "sys0"  # the lowest
    bound = conduct(corpus, Request((Rated("mqm").on(corpus), Bleu()), Settings(n_resamples=200)))
    assert bound.text() == study.text()


def test_a_study_of_ratings_comes_back_and_is_made_again(corpus: Corpus, study: Study) -> None:
    again = study_of(study.text())
    assert again.plain() == study.plain()
    assert reproduce(again, corpus).same
    one = again.results[0]
    assert one.scored.units.tolist() == [80, 73, 80, 60]
    assert sorted(set(one.compared.units.tolist())) == [53, 60, 73, 80]
    assert one.places is not None
    assert (one.places.units, one.places.shared) == (80, 53)


def test_a_changed_rating_is_found(corpus: Corpus, study: Study) -> None:
    values = np.array(corpus.ratings["mqm"].values)
    values[2, 9] += 0.5
    other = replace(corpus, ratings={"mqm": replace(corpus.ratings["mqm"], values=values)})
    found = reproduce(study, other)
    assert any(not lacking(one.text, "mqm of sys2", "line 10") for one in found.changes)


def test_a_turned_direction_is_found(corpus: Corpus, study: Study) -> None:
    turned = replace(corpus, ratings={"mqm": replace(corpus.ratings["mqm"], higher_is_better=True)})
    found = reproduce(study, turned)
    assert any(one.kind == "data" and "ratings" in one.text for one in found.changes)


def test_every_document_says_on_how_many_segments_scores_and_pairs_stand(study: Study, kept: Kept) -> None:
    results, comparisons, *_ = paper_tables(study)
    assert not lacking(results.caption, "mqm: ", "60 to 80")
    assert results.header[1] == "mqm ↓"
    assert comparisons.header[2] == "segments"
    assert [row[2].value for row in comparisons.rows] == study.results[0].compared.units.tolist()
    assert "53 to 80" in comparisons.caption
    assert "53 to 80" in methods_paragraph(study).text
    assert "|n:53–80|" in signature_line(study, study.results[0])
    page = squeezed(html_text(EXPORTERS["html"](Document(study)).files["report.html"].decode()))
    assert "53 to 80" in page
    kept("report", results.caption, comparisons.caption, methods_paragraph(study).text)


def test_systems_with_ratings_alone_stand_in_the_table_with_an_empty_place(corpus: Corpus) -> None:
    values = np.vstack([corpus.ratings["mqm"].values, np.full((1, 80), 3.0)])
    more = replace(
        corpus,
        systems={**corpus.systems, "human": ()},
        ratings={"mqm": replace(corpus.ratings["mqm"], values=values)},
    )
    study = study_of(conduct(more, Request((Bleu(), Rated("mqm")), Settings(n_resamples=100))).text())
    rows = {row[0]: row for row in paper_tables(study)[0].texts}
    assert rows["human (human)"][1] == ""
    assert rows["human (human)"][2].startswith("3.00! [")
    for name in ("html", "latex", "markdown", "csv", "xlsx"):
        assert EXPORTERS[name](Document(study)).files


@pytest.mark.parametrize("documents", [0, 12])
def test_ratings_with_gaps_show_on_how_many_segments_a_pair_stands(documents: int) -> None:
    corpus = made_corpus(n=60, systems=3, documents=documents)
    some = np.random.default_rng(1).integers(1, 6, (3, 60)).astype(float)
    some[1, ::6] = np.nan
    statistics = measure(replace(corpus, ratings={"mqm": Rating(some, True, "declared")}), "mqm")
    for pairs in ("all", [("sys0", "sys1")]):
        found = comparison_table(compare(statistics, "ar", pairs))  # type: ignore[arg-type]
        place = found.header.index("segments")
        counts = {frozenset(row[:2]): row[place] for row in found.texts}
        assert counts[frozenset(("sys0", "sys1"))] == "50"
    full = comparison_table(compare(measure(corpus, "bleu"))).header
    assert "segments" not in full
