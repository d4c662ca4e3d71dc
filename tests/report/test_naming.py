"""Names of a paper: they reach every document but the study, which keeps its own; what is left out is said."""

from dataclasses import dataclass, fields, replace

import numpy as np
import pytest
from kept import Kept, lacking
from papers import READ_BACK, made_study, planned_study, squeezed

from mtsig import Corpus, Rating, Settings, metric, verdict
from mtsig._records import Record, SystemName
from mtsig.errors import InvalidOption
from mtsig.report import EXPORTERS, Document, Naming
from mtsig.report._methods import methods_paragraph
from mtsig.report._naming import systems_of
from mtsig.study import Request, Study, conduct

OURS = Naming({"sys0": "Ours", "sys1": "sys0", "sys3": "R&D_3"}, ["sys4"])


@pytest.fixture(scope="module")
def study() -> Study:
    return made_study()


def test_only_the_words_change(study: Study, kept: Kept) -> None:
    before, named = study.results[0], OURS.named(study).results[0]
    assert named.scored.systems == ("Ours", "sys0", "sys2", "R&D_3", "sys4")
    assert named.scored.score.tolist() == before.scored.score.tolist()
    pair = named.compared[named.compared.find("Ours", "R&D_3") or 0]
    old = before.compared[before.compared.find("sys0", "sys3") or 0]
    assert replace(pair, first="sys0", second="sys3") == old
    assert named.compared.order[0] == "Ours"
    names, hidden = OURS.named(study).notes[-2:]
    assert not lacking(names, "Ours is sys0", "sys0 is sys1", "R&D_3 is sys3")
    assert not lacking(hidden, "sys4", "5 systems")
    kept("report", names, hidden)


def test_names_may_change_places(study: Study) -> None:
    named = Naming({"sys0": "sys1", "sys1": "sys0"})
    named.check(study)
    scores = {one.system: one.score for one in study.systems if one.metric == "BLEU"}
    swapped = {one.system: one.score for one in named.named(study).systems if one.metric == "BLEU"}
    assert (swapped["sys1"], swapped["sys0"]) == (scores["sys0"], scores["sys1"])


def test_the_winner_of_a_comparison_has_its_new_name(study: Study) -> None:
    told = [verdict(one) for one in OURS.named(study).comparisons if one.first == "Ours"]
    won = [one.winner for one in told if one.word == "better"]
    assert won
    assert set(won) == {"Ours"}


def test_a_study_without_names_is_the_study_itself(study: Study) -> None:
    assert Naming().named(study) is study
    assert Naming({"sys0": "sys0", "elsewhere": "x"}).shown(study) is study


@pytest.mark.parametrize("name", ["html", "latex", "markdown", "xlsx", "csv"])
def test_documents_speak_of_the_paper_and_the_study_of_the_data(study: Study, name: str) -> None:
    document = Document(study, naming=OURS)
    text = squeezed(READ_BACK[name](EXPORTERS[name](document).files))
    assert "Ours" in text
    assert "R&D_3" in text
    assert EXPORTERS["json"](document).files == EXPORTERS["json"](Document(study)).files


def test_tables_and_figures_show_the_systems_that_were_chosen(study: Study, kept: Kept) -> None:
    document = Document(study, naming=OURS)
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
        one.p_adjusted for one in study.results[0].compared if "sys4" not in (one.first, one.second)
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
        (Naming({"sys0": "Human-A"}), "sys0 is a system, which the name 'Human-A' does not show"),
        (Naming({"sys0": "all"}), "sys0 cannot be called 'all' in the paper"),
        (Naming({}, ["sys0", "sys1", "sys2", "sys3"]), "Show at least two systems that were compared"),
    ],
)
def test_names_that_tell_nothing_apart_are_refused(study: Study, naming: Naming, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        Document(study, naming=naming)


def test_two_systems_that_nobody_compared_are_refused() -> None:
    # Of five systems each was compared with sys2 alone.
    with pytest.raises(InvalidOption, match="Show at least two systems that were compared"):
        Naming({}, ["sys2"]).check(made_study(pairs="sys2"))


def test_a_human_translation_is_known_as_one_under_its_new_name() -> None:
    study = made_study(("refA", "b", "c", "d", "e"))
    with pytest.raises(InvalidOption, match="refA is a human translation, which the name 'Gold' does not show"):
        Naming({"refA": "Gold"}).check(study)
    Naming({"refA": "Human-A"}).check(study)


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


def test_a_new_table_is_named_and_left_out_by_the_types_of_its_fields(study: Study) -> None:
    remarks = (Remark("sys0", "sys0", ("sys2", "sys4"), "sys2"), Remark("sys4", "fluent"), Remark("sys3", "terse"))
    more = RemarkedStudy(**{field.name: getattr(study, field.name) for field in fields(study)}, remarks=remarks)
    assert OURS.named(more).remarks == (
        Remark("Ours", "sys0", ("sys2", "sys4"), "sys2"),
        Remark("sys4", "fluent"),
        Remark("R&D_3", "terse"),
    )
    assert OURS.shown(more).remarks == (Remark("Ours", "sys0", ("sys2",), "sys2"), Remark("R&D_3", "terse"))


def test_the_data_have_the_names_of_the_paper(study: Study) -> None:
    named = OURS.named(study)
    assert named.data.systems == ("Ours", "sys0", "sys2", "R&D_3", "sys4") == OURS.shown(study).data.systems


def test_systems_of_a_study_are_those_that_a_metric_scores() -> None:
    """Names that people rated and nobody has a text of are in the data, and in no result."""
    texts = {"A": ["a b c", "d e f", "g h i"], "B": ["a b d", "d e f", "g h j"]}
    values = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [3.0, 3.0, 3.0]])
    corpus = Corpus.of(
        {**texts, "refX": None}, {"ref": ["a b c d", "d e f g", "g h i j"]}, ratings={"esa": Rating(values, True)}
    )
    study = conduct(corpus, Request((metric("bleu"),), Settings(n_resamples=100)))
    assert study.data.systems == ("A", "B", "refX")
    assert systems_of(study) == ("A", "B")
    assert Document(study, {}, Naming()).title[0].startswith("2 systems")
    assert systems_of(conduct(corpus, Request((metric("rating:esa"),), Settings(n_resamples=100)))) == (
        "refX",
        "A",
        "B",
    )
