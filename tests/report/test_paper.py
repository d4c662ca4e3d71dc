"""Tables for papers: the best in bold, marks that the caption defines, numbers behind the text."""

import io
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from kept import Kept, lacking
from made import made_corpus, with_rows
from openpyxl import load_workbook
from papers import made_study, planned_study

from mtsig import Corpus, Settings, compare, metric, verdict
from mtsig.collection import Sets
from mtsig.metrics import Bleu
from mtsig.report import EXPORTERS, Document, Table, exported, latex_table
from mtsig.report._paper import (
    BETTER,
    NOT_SIGNIFICANT,
    WITHHELD,
    WORSE,
    names_of,
    paper_tables,
    printed_tables,
    results_table,
    standing,
)
from mtsig.study import Request, Study, conduct, study_of


@pytest.fixture(scope="module")
def study() -> Study:
    return made_study()


def table(study: Study, name: str) -> Table:
    (found,) = [one for one in paper_tables(study) if one.name == name]
    return found


def with_verdicts(study: Study, **words: str) -> Study:
    """Return the study with the verdicts of pairs in BLEU as told: sys0_sys1="better" and so on."""
    p = {"better": (0.01, 0.01), "not_significant": (0.6, 0.6), "withheld": (0.04, 0.06)}
    rows = []
    for row in study.results[0].compared:
        word = words.get(f"{row.first}_{row.second}")
        if word is None:
            rows.append(row)
            continue
        low, high = p[word]
        ends = (1.0, 2.0) if word == "better" else (-1.0, 3.0)
        rows.append(
            replace(row, difference=1.5, ci_low=ends[0], ci_high=ends[1], p_value=low, p_mc_low=low, p_mc_high=low,
                    p_adjusted=low, p_adjusted_mc_low=low, p_adjusted_mc_high=high)
        )  # fmt: skip
    return with_rows(study, compared=rows)


def test_the_best_score_of_each_metric_is_bold_and_ter_is_best_low(study: Study) -> None:
    found = table(study, "results")
    assert found.header == ("system", "BLEU", "TER ↓")
    for column, best in ((1, max), (2, min)):
        values = [row[column].value for row in found.rows]
        assert [row[column].bold for row in found.rows] == [value == best(values) for value in values]
        assert sum(row[column].bold for row in found.rows) == 1
    scores = study.results[0].scored
    assert [row[0].value for row in found.rows] == [scores.systems[i] for i in scores.order()]


def test_equal_best_scores_are_both_bold() -> None:
    corpus = made_corpus(n=40, systems=2, documents=0)
    twins = Corpus.of({**corpus.outputs, "twin": corpus.lines("sys0")}, corpus.references)
    rows = table(conduct(twins, Request((Bleu(),), Settings(n_resamples=100))), "results").rows
    assert {row[0].value for row in rows if row[1].bold} == {"sys0", "twin"}


def test_marks_say_what_the_comparisons_with_the_best_say(study: Study, kept: Kept) -> None:
    best = study.results[0].compared.order[0]
    assert best == "sys0"
    edited = with_verdicts(
        study, sys0_sys1="not_significant", sys0_sys2="withheld", sys0_sys3="better", sys0_sys4="better"
    )  # fmt: skip
    found = table(edited, "results")
    marks = {row[0].value: row[1].mark for row in found.rows}
    assert marks == {"sys0": "", "sys1": NOT_SIGNIFICANT, "sys2": WITHHELD, "sys3": "", "sys4": ""}
    assert not lacking(found.caption, f"{NOT_SIGNIFICANT} not significantly", f"{WITHHELD} withheld", "No mark: ")
    kept("report", found.caption)
    for one in edited.results[0].compared:
        if best in (one.first, one.second):
            other = one.second if one.first == best else one.first
            assert (marks[other] == "") == (verdict(one).word == "better")


@pytest.mark.parametrize(("baseline", "other", "mark"), [("sys4", "sys0", f"{BETTER}!"), ("sys0", "sys4", "!")])
def test_marks_against_a_baseline_say_better_and_worse(baseline: str, other: str, mark: str) -> None:
    corpus = made_corpus(n=200, systems=5, documents=0)
    found = conduct(corpus, Request((Bleu(),), Settings(n_resamples=300), baseline))
    against = standing(found.results[0])
    assert against is not None
    if baseline == "sys0":
        # The baseline has the best score and was compared with all: that is the stronger thing to say.
        assert (against.kind, against.against, against.marks[other]) == ("best", "sys0", mark)
        return
    assert (against.kind, against.against, against.marks[other]) == ("baseline", baseline, mark)
    caption = table(found, "results").caption
    assert not lacking(caption, "▲ better", "▼ worse", f"than {baseline};", "no mark", "does not mean")


def test_a_system_worse_than_the_baseline_is_marked_so() -> None:
    corpus = made_corpus(n=200, systems=5, documents=0)
    found = conduct(corpus, Request((Bleu(),), Settings(n_resamples=300), "sys2")).results[0]
    against = standing(found)
    assert against is not None
    for one in found.compared:
        decided = verdict(one)
        expected = {"not_significant": "!", "withheld": WITHHELD}.get(decided.word)
        if expected is None:
            expected = f"{BETTER if decided.winner == one.first else WORSE}!"
        assert against.marks[one.first] == expected
    assert f"{WORSE}!" in against.marks.values()


def test_pairs_without_a_system_in_common_give_no_marks(study: Study) -> None:
    corpus = made_corpus(n=60, systems=4, documents=0)
    found = conduct(corpus, Request((Bleu(),), Settings(n_resamples=100), (("sys0", "sys1"), ("sys2", "sys3"))))
    assert standing(found.results[0]) is None
    assert {row[1].mark for row in table(found, "results").rows} == {""}
    assert "have no marks" in table(found, "results").caption


def test_koehns_criterion_gives_marks() -> None:
    found = conduct(made_corpus(n=40), Request((Bleu(),), Settings(n_resamples=100, test="bootstrap-koehn")))
    marks = standing(found.results[0])
    assert marks is not None
    best = marks.against
    for one in found.results[0].compared:
        if best in (one.first, one.second):
            wins = max(one.bootstrap_win_rate, 1 - one.bootstrap_win_rate - one.tie_rate)
            assert marks.marks[one.second if one.first == best else one.first] == (
                "!" if wins >= 0.95 else NOT_SIGNIFICANT
            )


def test_every_mark_that_is_used_is_defined(study: Study) -> None:
    for one in (study, planned_study(), with_verdicts(study, sys0_sys1="withheld")):
        found = table(one, "results")
        for mark in {cell.mark for row in found.rows for cell in row} - {""}:
            assert mark in found.caption


def test_numbers_behind_the_text_are_those_of_the_study(study: Study) -> None:
    found = table(study, "comparisons-bleu")
    for row, one in zip(found.rows, study.results[0].compared.by_score(), strict=True):
        assert (row[2].value, row[4].value, row[5].value) == (one.difference, one.p_value, one.p_adjusted)
        assert f"{one.difference:+.2f}".replace("-", "−") == found.columns[2].text(row[2].value)


@pytest.mark.parametrize("kind", ["comparisons-bleu", "results", "comparisons-ter"])
def test_captions_say_how_many_comparisons_were_judged(study: Study, kind: str) -> None:
    assert "of 10 comparisons" in table(study, kind).caption.lower()


def test_one_comparison_is_one(study: Study) -> None:
    two = conduct(made_corpus(n=40, systems=2), Request((Bleu(),), Settings(n_resamples=100)))
    for kind in ("comparisons-bleu", "results"):
        assert not lacking(table(two, kind).caption, ", one comparison,", "α = 0.05.")
    assert not any(name.startswith("p of") for name in table(two, "comparisons-bleu").header)


def test_metrics_of_one_name_have_files_of_their_own() -> None:
    request = Request((metric("bleu"), metric("bleu:tokenize=char"), metric("chrf++")), Settings(n_resamples=100))
    assert names_of(conduct(made_corpus(n=40), request)) == ("bleu", "bleu-tokenize-char", "chrf2pp")


def test_metrics_of_one_name_are_two_in_every_table_figure_sheet_and_file() -> None:
    asked = ["bleu", "bleu:tokenize=char"]
    labels = ["BLEU", "BLEU (tokenize=char)"]
    corpus = made_corpus(n=40)
    two = Sets.of({"a": corpus, "b": made_corpus(n=40, seed=2)})
    for made in (compare(corpus, asked, n_resamples=100), compare(two, asked, n_resamples=100)):
        study = study_of(made.text())
        assert list(study.to_frame()["metric"].unique()) == labels
        document = Document(study)
        captions = " ".join(f"{one.title} {one.header}" for one in document.tables)
        assert all(label in captions for label in labels)
        assert len({one.name for one in document.tables}) == len(document.tables)
        assert len(document.pictures) % 2 == (not study.several)  # one shows both
        files = exported(document, ["csv", "xlsx", "latex"]).files
        assert all(label in files["scores.csv"].decode() for label in labels)
        book = load_workbook(io.BytesIO(files["tables.xlsx"]))
        assert any("tokenize" in name for name in book.sheetnames)
    (alone,) = compare(corpus, asked[1:], n_resamples=100).results
    assert alone.compared.metric == "BLEU"


def test_a_margin_that_could_not_be_tested_is_not_shown(study: Study) -> None:
    lost = dict.fromkeys(("p_value", "p_adjusted", "ci_low", "ci_high"), float("nan"))
    rows = tuple(replace(row, **lost) for row in study.results[0].margins)
    found = table(study_of(with_rows(study, against=rows).text()), "margins-bleu")
    assert {row[-1] for row in found.texts} == {"not established"}
    assert "interval" not in found.names


# --- the spreadsheet ----------------------------------------------------------------------------------------------


def test_a_spreadsheet_holds_numbers_as_numbers(study: Study) -> None:
    book = load_workbook(io.BytesIO(EXPORTERS["xlsx"](Document(study)).files["tables.xlsx"]))
    sheet = book["Results"]
    scores = study.results[0].scored
    assert [cell.value for cell in sheet["A"][1:6]] == [scores.systems[i] for i in scores.order()]
    # The format keeps 16 digits.
    shown = [cell.value for cell in sheet["B"][1:6]]
    assert shown == pytest.approx([float(scores.score[i]) for i in scores.order()], rel=1e-15)
    assert sheet["B2"].font.bold
    assert sheet["C1"].value == "BLEU: interval"
    p = book["Comparisons in BLEU"]["E"][1:11]
    assert [cell.value for cell in p] == pytest.approx(
        [one.p_value for one in study.results[0].compared.by_score()], rel=1e-15
    )
    assert all(cell.number_format.startswith("[<0.0001]") for cell in p)  # never shown as 0.0000


def test_a_name_is_never_a_formula() -> None:
    names = ('=HYPERLINK("http://x")', "+1", "-1", "@x", "bell\x07")
    book = load_workbook(io.BytesIO(EXPORTERS["xlsx"](Document(made_study(names))).files["tables.xlsx"]))
    cells = [cell for sheet in book for row in sheet for cell in row if cell.value is not None]
    assert not any(cell.data_type == "f" for cell in cells)
    assert set(names[:4]) <= {cell.value for cell in book["Results"]["A"]}
    assert any("bell" in str(cell.value) for cell in book["Results"]["A"])


def test_a_spreadsheet_holds_no_date_of_today(study: Study) -> None:
    data = EXPORTERS["xlsx"](Document(study)).files["tables.xlsx"]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {2000}
        years = re.findall(rb"(\d{4})-\d\d-\d\dT", archive.read("docProps/core.xml"))
    assert set(years) == {b"2000"}


def test_sheet_names_stay_within_what_the_format_allows() -> None:
    study = made_study()
    long = "A [very] long/name: of * a ? metric \\ indeed"
    (part,) = study.sets
    results = [
        replace(one, scored=one.scored.changed(metric=long), compared=one.compared.changed(metric=long))
        if one.compared.metric == "BLEU"
        else one
        for one in part.results
    ]
    named = replace(study, sets=(replace(part, results=tuple(results)),))
    book = load_workbook(io.BytesIO(EXPORTERS["xlsx"](Document(named)).files["tables.xlsx"]))
    assert len(set(book.sheetnames)) == len(book.sheetnames)
    assert all(len(name) <= 31 for name in book.sheetnames)


def test_arrays_are_not_needed_to_make_tables(study: Study) -> None:
    # A study that was read gives the same tables as one that was just made.
    again = study_of(study.text())
    assert paper_tables(again) == paper_tables(study)
    assert np.array_equal(again.results[0].scored.score, study.results[0].scored.score)
    assert replace(paper_tables(study)[0], name="x") != paper_tables(study)[0]


def studied(corpus: Corpus | None = None, pairs: object = "all", **settings: object) -> Study:
    corpus = corpus or made_corpus(n=60, systems=3, documents=0)
    request = Request((metric("bleu"),), Settings(**{"n_resamples": 400} | settings), pairs)  # type: ignore[arg-type]
    return conduct(corpus, request)


def test_systems_that_were_not_compared_have_no_place_beside_the_best() -> None:
    study = studied(pairs=[("sys0", "sys1")])
    assert standing(study.results[0]) is None
    caption = results_table(study).caption
    assert "No mark" not in caption
    assert "have no marks" in caption
    assert standing(studied().results[0]) is not None
    assert standing(studied(pairs="sys0").results[0]) is not None


def test_captions_say_in_which_direction_a_difference_is_positive() -> None:
    request = Request((metric("bleu"), metric("ter")), Settings(n_resamples=100))
    study = conduct(made_corpus(n=60, systems=3, documents=0), request)
    captions = {one.name: one.caption for one in paper_tables(study)}
    assert "first minus second" in captions["comparisons-bleu"]
    assert not lacking(captions["comparisons-ter"], "second minus first", "(lower)")
    scores = dict(zip(study.results[1].scored.systems, study.results[1].scored.score, strict=True))
    for one in study.results[1].compared:
        assert one.difference == pytest.approx(scores[one.second] - scores[one.first])


def test_a_paper_has_one_table_of_scores_and_one_of_comparisons(study: Study) -> None:
    needed, others = printed_tables(study, "Left out: B.")
    assert [table.name for table in needed] == ["results", "comparisons", "margins-bleu"]
    assert [table.name for table in others] == ["ranks-bleu", "ranks-ter"]
    alone = [table for table in paper_tables(study) if table.name.startswith("comparisons-")]
    metrics = [result.scored.metric for result in study.results]
    cells = zip(metrics, alone, strict=True)
    assert list(needed[1].texts) == [(name, *row) for name, table in cells for row in table.texts]
    assert needed[1].header == ("metric", *(title.removesuffix(" BLEU") for title in alone[0].header))
    caption = needed[1].caption
    assert all(table.caption.partition(": ")[0] in caption for table in alone)  # Of 3 comparisons on BLEU
    assert caption.count("nominal family-wise error rate") == caption.count("does not mean equal") == 1
    assert "BLEU: Differences: first minus second, positive when the first is better." in caption
    assert "TER: Differences: second minus first, so positive when the first is better (lower)." in caption
    assert caption.endswith("Left out: B.")
    body = latex_table(needed[1])
    assert body.count(r"\midrule") == len(metrics)  # below the head, and between metrics


def test_the_comparisons_of_one_metric_are_printed_as_they_are() -> None:
    study = compare(made_corpus(n=40), "bleu", n_resamples=100)
    needed, others = printed_tables(study)
    assert [*needed, *others] == list(paper_tables(study))
    assert [table.name for table in needed] == ["results", "comparisons-bleu"]
