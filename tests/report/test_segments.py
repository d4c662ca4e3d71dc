"""Segments behind the verdict, in reports: whose they are, that they are text, and when there are none."""

from pathlib import Path

import numpy as np
import pytest
from kept import Kept, lacking
from made import made_corpus
from papers import html_text, squeezed

from mtsig import Corpus, Rating, Settings, compare, measure, read_sample
from mtsig._probability import corrected_level_text
from mtsig.cli import main
from mtsig.metrics import metric
from mtsig.report import EXPORTERS, Document, Naming, Table
from mtsig.report._segments import again_text, carrying_tables, leverage_table, leverage_text, segments_table
from mtsig.segments import contributions, leverage, overview
from mtsig.segments._overview import no_verdict
from mtsig.study import Request, Study, conduct

TITLE = "Segments behind the verdict"


def studied(corpus: Corpus, *metrics: str, pairs: object = "all") -> Study:
    request = Request(tuple(map(metric, metrics)), Settings(n_resamples=200, seed=5), pairs)  # type: ignore[arg-type]
    return conduct(corpus, request)


def carrying(corpus: Corpus, study: Study, naming: Naming | None = None) -> tuple[Table, ...]:
    return carrying_tables(study, corpus, [measure(corpus, one) for one in study.counted], naming)[0]


def test_they_are_of_the_headlines_pair_with_the_interval_of_the_study() -> None:
    corpus = made_corpus(90, systems=4, documents=15)
    study = studied(corpus, "chrf", "ter")
    for table, result in zip(carrying(corpus, study), study.results, strict=True):
        family = result.compared
        best, second, *_ = family.order
        one = family[family.find(best, second) or 0]
        statistics = measure(corpus, "chrf" if one.metric == "chrF2" else "ter")
        ahead = contributions(statistics, best, second)
        ends = (one.adjusted_ci_low, one.adjusted_ci_high)
        ends = ends if one.first == best else (-ends[1], -ends[0])
        level = corrected_level_text(one.adjusted_level)
        said = f"{best} minus {second}: {abs(one.difference):+.2f} {one.metric}, {level} CI {ends[0]:+.2f} to"
        assert said.replace("-", "−") in table.caption
        assert (
            leverage_text(
                leverage(
                    contributions(ahead.statistics.by_document(), best, second),
                    one.adjusted_level,
                    comparisons=one.family_size,
                    seed=5,
                    no_verdict=no_verdict(one),
                )
            )
            in table.caption
        )
        adds = [row[table.names.index("adds")].value for row in table.rows]
        in_order = np.sort(ahead.values)[::-1]
        np.testing.assert_allclose(adds, [*in_order[:5], *in_order[-5:]])
        assert [row[0] for row in table.texts] == [best] * 5 + [second] * 5
        for row in table.rows:
            number = int(row[table.names.index("segment")].value) - 1
            assert row[table.names.index(f"output of {best}")].value == corpus.lines(best)[number]


def test_of_chosen_pairs_they_are_of_the_best_two_or_else_of_the_first_pair() -> None:
    corpus = made_corpus(40, systems=4, documents=0)
    (table,) = carrying(corpus, studied(corpus, "chrf", pairs=[("sys3", "sys1")]))
    assert table.caption.replace(" ", "").startswith("sys1minussys3:+")
    assert "document" not in table.names
    (table,) = carrying(corpus, studied(corpus, "chrf", pairs=[("sys3", "sys1"), ("sys0", "sys3")]))
    assert table.caption.replace(" ", "").startswith("sys3minussys1:−")


def hostile() -> Corpus:
    made = made_corpus(30, systems=2, documents=0)
    lines = [
        f"<script>alert(1)</script>\x1b[2J {line} ![x](http://x.example/y.png) | \u202e" for line in made.lines("sys0")
    ]
    return Corpus.of({"a<b>": lines, "b": made.lines("sys1")}, made.references, documents=["<i>d</i>"] * 30)


def test_texts_and_names_are_shown_and_do_nothing() -> None:
    corpus = hostile()
    study = studied(corpus, "chrf")
    document = Document(study, carrying=carrying(corpus, study))
    page = EXPORTERS["html"](document).files["report.html"].decode()
    assert "<script>" not in page
    assert "<i>d</i>" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    text = squeezed(html_text(page))
    assert TITLE in text
    assert "<script>alert(1)</script>" in text
    assert squeezed(document.carrying[0].caption) in text
    written = EXPORTERS["markdown"](document).files["report.md"].decode()
    assert f"## {TITLE}" in written
    assert "<script>" not in written
    assert "![x]" not in written
    rows = [line for line in written.partition(TITLE)[2].partition("## Methods")[0].splitlines() if line[:1] == "|"]
    bars = {line.replace(r"\|", "").count("|") for line in rows}
    assert len(bars) == 1


def test_other_documents_and_reports_without_data_have_none() -> None:
    corpus = hostile()
    study = studied(corpus, "chrf")
    document, bare = Document(study, carrying=carrying(corpus, study)), Document(study)
    for name in ("latex", "csv", "xlsx", "json"):
        assert EXPORTERS[name](document).files == EXPORTERS[name](bare).files
    assert TITLE not in EXPORTERS["html"](bare).files["report.html"].decode()
    assert TITLE not in EXPORTERS["markdown"](bare).files["report.md"].decode()


def test_systems_have_their_names_of_the_paper() -> None:
    corpus = made_corpus(40, systems=3, documents=0)
    study = studied(corpus, "chrf")
    (table,) = carrying(corpus, study, Naming({"sys0": "sys1", "sys1": "sys0"}))
    assert table.caption.replace(" ", "").startswith("sys1minussys0:+")
    assert table.title.endswith("sys1 and sys0")
    assert {row[0] for row in table.texts} == {"sys0", "sys1"}
    assert carrying(corpus, study, Naming(hidden=("sys1",))) == ()


def test_a_score_without_a_derivative_is_divided_by_exchanging_outputs_and_the_caption_says_so(kept: Kept) -> None:
    lines, references = ["a b c d e", "f g h"], ["a b c d e", "f g i"]
    corpus = Corpus.of({"x": lines, "y": ["a x c y e", "f g h"]}, {"ref": references})
    (table,) = carrying(corpus, studied(corpus, "bleu"))
    assert "exchanging" in table.caption
    kept("say", table.caption)


def test_a_score_that_cannot_be_divided_is_noted(kept: Kept) -> None:
    lines = [f"a{i} b{i} c{i} d{i}" for i in range(200)]
    corpus = Corpus.of({"x": lines, "y": [line.replace("c", "x") for line in lines]}, {"ref": lines})
    study = studied(corpus, "bleu", "ter")
    tables, notes = carrying_tables(study, corpus, [measure(corpus, one) for one in study.counted])
    assert [table.name for table in tables] == ["segments-ter"]
    (note,) = notes
    assert not lacking(note.text, "BLEU of y", "jackknife is undefined")
    kept("say", note.text)


@pytest.mark.parametrize("same", [True, False])
def test_the_verb_shows_them_when_the_data_are_those_of_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], same: bool
) -> None:
    corpus = made_corpus(40, systems=2, documents=0)
    for name, lines in corpus.outputs.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "ref").write_text("\n".join(map(str, corpus.references["ref0"])) + "\n", encoding="utf-8")
    data = ["--ref", str(tmp_path / "ref"), "--sys", str(tmp_path / "sys0"), str(tmp_path / "sys1")]
    study = str(tmp_path / "study.json")
    assert main(["compare", *data, "--metric", "chrf", "--resamples", "100", "--out", study]) == 0
    if not same:
        (tmp_path / "sys0").write_text("x\n" * 40, encoding="utf-8")
    code = main(["report", study, *data, "--to", "markdown", "--out", str(tmp_path / "out")])
    capsys.readouterr()
    assert code == (0 if same else 5)
    assert (TITLE in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")) == same


def test_tables_of_leverage_show_shares_and_where_the_verdict_turns() -> None:
    corpus = read_sample()
    statistics = measure(corpus, "bleu")
    found = overview(corpus, statistics, "direct", "via-catalan", Settings(unit="segment", n_resamples=200), top=3)
    table = leverage_table(found.leverage)
    left_out = [row[0].value for row in table.rows]
    assert left_out == [0, 2, 4, 10, 18, 20, 30, 40]
    until = found.leverage.holds_until
    assert until is not None
    assert until.units in left_out
    assert not lacking(again_text(found.again, found.untested), f"{200 - until.units} segments", "not corrected")
    without_texts = segments_table(found)
    assert without_texts.header[:3] == ("segment", "document", "adds")
    assert len(segments_table(found, corpus).columns) == len(without_texts.columns) + 2


def test_scores_without_texts_have_rows_without_outputs() -> None:
    scores = {"A": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.5, 0.7, 0.4, 0.6, 0.5, 0.6, 0.5]}
    study = compare(scores, name="accuracy", higher_is_better=True)
    rating = Rating(np.array(list(scores.values())), higher_is_better=True)
    corpus = Corpus.of(dict.fromkeys(scores), ratings={"accuracy": rating})
    (table,) = carrying_tables(study, corpus, [measure(corpus, "rating:accuracy")])[0]
    assert [row[0] for row in table.texts] == ["A"] * 5
    assert not [name for name in table.names if name.startswith("output")]
