"""Studies of ratings: not every system has everything, and every number says on what it stands.

Names of a paper: they reach every document but the study, which keeps its own; what is left out is said.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
import pytest
from kept import Kept, lacking
from made import made_corpus
from papers import READ_BACK, html_text, made_study, planned_study, squeezed

from mtsig import Corpus, Settings, measure, metric, verdict
from mtsig._records import Record, SystemName
from mtsig.corpus import Rating
from mtsig.errors import InvalidOption
from mtsig.inference import compare
from mtsig.metrics import Bleu, Rated
from mtsig.report import EXPORTERS, Document, Naming, comparison_table
from mtsig.report._document import systems_of
from mtsig.report._methods import methods_paragraph, signature_line
from mtsig.report._paper import paper_tables
from mtsig.study import Request, Study, conduct, study_of
from mtsig.study._changes import reproduce
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


OURS = Naming({"sys0": "Ours", "sys1": "sys0", "sys3": "R&D_3"}, ["sys4"])


@pytest.fixture(scope="module")
def study_of_naming() -> Study:
    return made_study()


def test_only_the_words_change(study_of_naming: Study, kept: Kept) -> None:
    before, named = study_of_naming.results[0], OURS.named(study_of_naming).results[0]
    assert named.scored.systems == ("Ours", "sys0", "sys2", "R&D_3", "sys4")
    assert named.scored.score.tolist() == before.scored.score.tolist()
    pair = named.compared[named.compared.find("Ours", "R&D_3") or 0]
    old = before.compared[before.compared.find("sys0", "sys3") or 0]
    assert replace(pair, first="sys0", second="sys3") == old
    assert named.compared.order[0] == "Ours"
    names, hidden = OURS.named(study_of_naming).notes[-2:]
    assert not lacking(names, "Ours is sys0", "sys0 is sys1", "R&D_3 is sys3")
    assert not lacking(hidden, "sys4", "5 systems")
    kept("report", names, hidden)


def test_names_may_change_places(study_of_naming: Study) -> None:
    named = Naming({"sys0": "sys1", "sys1": "sys0"})
    named.check(study_of_naming)
    scores = {one.system: one.score for one in study_of_naming.systems if one.metric == "BLEU"}
    swapped = {one.system: one.score for one in named.named(study_of_naming).systems if one.metric == "BLEU"}
    assert (swapped["sys1"], swapped["sys0"]) == (scores["sys0"], scores["sys1"])


def test_the_winner_of_a_comparison_has_its_new_name(study_of_naming: Study) -> None:
    told = [verdict(one) for one in OURS.named(study_of_naming).comparisons if one.first == "Ours"]
    won = [one.winner for one in told if one.word == "better"]
    assert won
    assert set(won) == {"Ours"}


def test_a_study_without_names_is_the_study_itself(study_of_naming: Study) -> None:
    assert Naming().named(study_of_naming) is study_of_naming
    assert Naming({"sys0": "sys0", "elsewhere": "x"}).shown(study_of_naming) is study_of_naming


@pytest.mark.parametrize("name", ["html", "latex", "markdown", "xlsx", "csv"])
def test_documents_speak_of_the_paper_and_the_study_of_the_data(study_of_naming: Study, name: str) -> None:
    document = Document(study_of_naming, naming=OURS)
    text = squeezed(READ_BACK[name](EXPORTERS[name](document).files))
    assert "Ours" in text
    assert "R&D_3" in text
    assert EXPORTERS["json"](document).files == EXPORTERS["json"](Document(study_of_naming)).files


def test_tables_and_figures_show_the_systems_that_were_chosen(study_of_naming: Study, kept: Kept) -> None:
    document = Document(study_of_naming, naming=OURS)
    results, comparisons, ranks, *_ = document.tables
    assert [row[0] for row in results.texts] == ["Ours", "sys2", "sys0", "R&D_3"]
    assert len(comparisons.rows) == 6
    assert len(ranks.rows) == 4
    for table in document.tables:
        assert "4 of 5" in table.caption
    kept("report", results.caption)
    for picture in document.pictures.values():
        # A row of metrics side by side is a pair: its text holds two names.
        said = {name for text in picture.texts for name in text.split(" – ")}
        assert said >= {"Ours", "sys0", "sys2", "R&D_3"}
        assert "sys4" not in said
    # The correction counts what was judged, not what is shown.
    assert document.shown.results[0].compared.family_size == 10
    assert document.shown.results[0].compared.p_adjusted.tolist() == [
        one.p_adjusted for one in study_of_naming.results[0].compared if "sys4" not in (one.first, one.second)
    ]
    assert "evaluated 5 systems" in methods_paragraph(document.named).text


def test_a_planned_baseline_has_its_new_name() -> None:
    text = methods_paragraph(Naming({"sys2": "Base"}).named(made_study(pairs="sys2"))).text
    assert not lacking(text, "between Base", "every other system")
    named = Naming({"sys2": "Base"}).named(planned_study())
    assert named.request.pairs == (("sys0", "Base"), ("sys1", "Base"))


@pytest.mark.parametrize(
    ("naming", "said"),
    [
        (Naming({"sys0": "X", "sys1": "X"}), "sys0 and sys1 would both be called 'X'"),
        (Naming({"sys0": "sys1"}), "sys0 and sys1 would both be called 'sys1'"),
        (Naming({"sys0": " "}), "sys0 cannot be called ' ' in the paper"),
        (Naming({"sys0": "Human-A"}), "sys0 is a system, and the name 'Human-A' does not show"),
        (Naming({"sys0": "all"}), "sys0 cannot be called 'all' in the paper"),
        (Naming({}, ["sys0", "sys1", "sys2", "sys3"]), "Show at least two systems that were compared"),
    ],
)
def test_names_that_tell_nothing_apart_are_refused(study_of_naming: Study, naming: Naming, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        Document(study_of_naming, naming=naming)


def test_two_systems_that_nobody_compared_are_refused() -> None:
    # Of five systems each was compared with sys2 alone.
    with pytest.raises(InvalidOption, match="Show at least two systems that were compared"):
        Naming({}, ["sys2"]).check(made_study(pairs="sys2"))


def test_a_human_translation_is_known_as_one_under_its_new_name() -> None:
    study_of_naming = made_study(("refA", "b", "c", "d", "e"))
    with pytest.raises(InvalidOption, match="refA is a human translation, and the name 'Gold' does not show"):
        Naming({"refA": "Gold"}).check(study_of_naming)
    Naming({"refA": "Human-A"}).check(study_of_naming)


# --- a record that the program did not know ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Remark(Record):
    """What was remarked of a system beside others."""

    about_whom: SystemName
    text: str
    beside: tuple[SystemName, ...] = ()
    better: SystemName | None = None


@dataclass(frozen=True, eq=False)
class RemarkedStudy(Study):
    """A study with a table more."""

    remarks: tuple[Remark, ...] = ()


def test_a_new_table_is_named_and_left_out_by_the_types_of_its_fields(study_of_naming: Study) -> None:
    remarks = (Remark("sys0", "sys0", ("sys2", "sys4"), "sys2"), Remark("sys4", "fluent"), Remark("sys3", "terse"))
    more = RemarkedStudy(
        **{field.name: getattr(study_of_naming, field.name) for field in fields(study_of_naming)}, remarks=remarks
    )
    assert OURS.named(more).remarks == (
        Remark("Ours", "sys0", ("sys2", "sys4"), "sys2"),
        Remark("sys4", "fluent"),
        Remark("R&D_3", "terse"),
    )
    assert OURS.shown(more).remarks == (Remark("Ours", "sys0", ("sys2",), "sys2"), Remark("R&D_3", "terse"))


def test_the_data_have_the_names_of_the_paper(study_of_naming: Study) -> None:
    named = OURS.named(study_of_naming)
    assert named.data.systems == ("Ours", "sys0", "sys2", "R&D_3", "sys4") == OURS.shown(study_of_naming).data.systems


def test_systems_of_a_study_are_those_that_a_metric_scores() -> None:
    """Names that people rated and nobody has a text of are in the data, and in no result."""
    texts = {"A": ["a b c", "d e f", "g h i"], "B": ["a b d", "d e f", "g h j"]}
    values = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [3.0, 3.0, 3.0]])
    corpus = Corpus.of(
        {**texts, "refX": None}, {"ref": ["a b c d", "d e f g", "g h i j"]}, ratings={"esa": Rating(values, True)}
    )
    study_of_naming = conduct(corpus, Request((metric("bleu"),), Settings(n_resamples=100)))
    assert study_of_naming.data.systems == ("A", "B", "refX")
    assert systems_of(study_of_naming) == ("A", "B")
    assert Document(study_of_naming, {}, Naming()).title[0].startswith("2 systems")
    assert systems_of(conduct(corpus, Request((metric("rating:esa"),), Settings(n_resamples=100)))) == (
        "refX",
        "A",
        "B",
    )
