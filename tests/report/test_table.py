"""A table holds values; its columns say what they are, and whoever shows them says the same in words."""

import io
import math
import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made import made_corpus, made_ratings, made_statistics
from openpyxl import load_workbook
from papers import READ_BACK, html_text, named, squeezed
from sampled import sampled

from mtsig import Corpus, Settings, interval, measure, metric, ranks, verdict
from mtsig.corpus import Rating
from mtsig.inference import compare
from mtsig.lab import Relations, run
from mtsig.lab._words import law_tables
from mtsig.metrics import Rated
from mtsig.report import EXPORTERS, Cell, Column, Document, Table, comparison_table, latex_table, score_table
from mtsig.report._paper import paper_tables, terminal_tables
from mtsig.report._table import Kind, frame_of, html, markdown_table, records_table
from mtsig.study import Margin, Request, Study, conduct, study_of

QUICK = Settings(n_resamples=200)


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("text", "a − b", "a − b"),
        ("count", 12345, "12345"),
        ("number", 12345.6, "12,346"),
        ("number", -0.123456, "−0.1235"),
        ("score", -12.3456, "−12.346"),
        ("difference", 0.5, "+0.500"),
        ("difference", -0.0, "+0.000"),
        ("interval", (-1.0, 2.0), "−1.000 to 2.000"),
        ("interval", (math.nan, math.nan), "none"),
        ("half width", 0.25, "± 0.250"),
        ("p", 0.00001, "< .0001"),
        ("p", math.nan, "no p"),
        ("share", 0.2, "20.0%"),
        *((kind, math.nan, "") for kind in ("score", "difference", "half width", "share", "number")),
        *((kind, None, "") for kind in ("text", "count", "score", "interval", "p", "share", "number")),
        *((kind, "a word", "a word") for kind in ("range", "score", "interval", "p")),
    ],
)
def test_text_is_made_of_the_value_by_the_column(kind: Kind, value: Any, text: str) -> None:
    assert Column("any", kind, 3).text(value) == text


def test_an_interval_of_differences_has_signs() -> None:
    assert Column("any", "interval", 1, signed=True).text((-1.0, 2.0)) == "−1.0 to +2.0"


def asked_in_vain() -> Any:
    yield pytest.fail("values that nobody shows were asked for")


def test_a_view_takes_columns_in_its_order_under_its_titles_and_asks_for_no_others() -> None:
    parts = (Column("a"), ["x", "y"]), (Column("b", "count", key="n"), [1, 2]), (Column("c"), asked_in_vain())
    table = Table.of("said", *parts, view={"n": "", "a": "first", "gone": ""})
    assert (table.header, table.names) == (("b", "first"), ("n", "a"))
    assert table.texts == (("1", "x"), ("2", "y"))
    assert table.seen(["a"]).texts == (("x",), ("y",))


def test_a_column_without_any_value_is_left_out() -> None:
    table = Table.of("", (Column("a"), ["x", "y"]), (Column("b"), None), (Column("c"), [None, None]))
    assert table.header == ("a",)


def test_numbers_stay_numbers_in_a_frame_and_words_are_words() -> None:
    family = QUICK.family(made_statistics())
    frame = frame_of(comparison_table(family))
    assert frame["p"].tolist() == family.p_value.tolist()
    assert frame[f"Δ {family.metric}"].tolist() == family.difference.tolist()
    assert frame["bootstrap win rate"].tolist() == family.bootstrap_win_rate.tolist()
    assert frame["verdict"].tolist() == [verdict(c).marked for c in family]
    assert any(text.endswith(" !") for text in frame["verdict"])
    assert all(isinstance(text, str) for text in frame["adjusted CI"])
    assert frame_of(Table.of("", (Column("p", "p"), [0.1, "2% won"])))["p"].tolist() == [".1000", "2% won"]


def test_a_frame_keeps_columns_of_one_name_apart() -> None:
    frame = frame_of(Table.of("", (Column("a"), ["x"]), (Column("a", "count"), [1])))
    assert frame.values.tolist() == [["x", 1]]
    assert list(frame.columns) == ["a", "a"]


def test_scores_stand_with_their_places() -> None:
    statistics = made_ratings(n=200)
    family, scored = QUICK.family(statistics), QUICK.intervals(statistics)
    places = ranks(family)
    table = score_table(scored, places, ["system", "score", "cluster"])
    clusters = {place.system: place.cluster for place in places}
    assert [row[0].value for row in table.rows] == [scored.systems[i] for i in scored.order()]
    assert all(row[2].value == clusters[row[0].value] for row in table.rows)


def test_records_are_a_table_under_words_and_data_keep_their_names() -> None:
    rows = [{"n_units": 3, "my_score": 0.25, "share": 0.5, "what": "x"}, {"n_units": None, "my_score": 1, "share": 1.0,
             "what": "y"}]  # fmt: skip
    table = records_table(rows, given=("my_score",), shares=("share",))
    assert table.header == ("n units", "my_score", "share", "what")
    assert table.texts == (("3", "0.25", "50.0%", "x"), ("", "1", "100.0%", "y"))
    assert records_table(rows, given=("share",), shares=("share",)).texts[0][2] == "0.5"
    assert records_table(rows, decimals=3).texts[0][1] == "0.250"
    assert pd.isna(frame_of(table)["n units"][1])


def test_what_stands_beside_a_value_stands_in_every_document() -> None:
    cell = Cell(1.5, bold=True, said="exact", mark="†", beside="[1, 2]")
    table = Table("caption", (Column("a|b", "score"),), ((cell,),), "name", "Title")
    assert table.texts == (("1.50 exact† [1, 2]",),)
    assert ">caption</caption>" in html(table)
    assert "'text-align: right'><b>1.50 exact</b><sup>†</sup> <small>[1, 2]</small></td>" in html(table)
    assert "caption" not in html(replace(table, caption=""))
    assert markdown_table(table).split("\n")[-1].split("**") == ["| ", "1.50 exact", "† \\[1, 2\\] |"]
    assert "\\textbf{1.50 exact}\\textsuperscript{" in latex_table(table)
    assert "{\\scriptsize [1, 2]}" in latex_table(table)
    assert "scriptsize" not in latex_table(table, intervals=False)


# --- columns and names ---


SYSTEMS = ("a-b", "p-1", "per", "System-2-x")
RATINGS = {"COMET-22": 4, "p-norm": 2, "p": 4, "per": 2, "precision": 4, "share": 4, "my_score": 4}
"""Ratings with names that could be taken for something else, and the decimals of their scales."""

TEXTS = (metric("per"), metric("precision"))
P = '[<0.0001]"< .0001";0.0000'


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    rng = np.random.default_rng(7)
    made = named(made_corpus(n=60, systems=4, documents=0), SYSTEMS)
    worse = -np.arange(4)[:, None]
    ratings = {}
    for name, decimals in RATINGS.items():
        step = 10.0 ** (2 - decimals)
        ratings[name] = Rating(70 * step + (worse + rng.normal(0, 2, (4, 60))) * step, higher_is_better=True)
    return replace(made, ratings=ratings)


@pytest.fixture(scope="module")
def study(corpus: Corpus) -> Study:
    metrics = (*TEXTS, *(Rated(name) for name in RATINGS))
    margins = tuple(Margin(f"rating:{name}", "equivalence", 0.01) for name in RATINGS)
    return study_of(conduct(corpus, Request(metrics, Settings(n_resamples=200), margins=margins)).text())


def decimals_of(study: Study) -> dict[str, int]:
    return {one.scored.metric: one.scored.decimals for one in study.results}


def test_the_made_scales_have_the_decimals_they_are_meant_to_have(study: Study) -> None:
    assert RATINGS.items() <= decimals_of(study).items()


def sheets(study: Study) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """Yield the sheets of the spreadsheet with the formats of the numbers under every head."""
    book = load_workbook(io.BytesIO(EXPORTERS["xlsx"](Document(study)).files["tables.xlsx"]))
    for sheet in book:
        heads, *rows = sheet.iter_rows()
        found: dict[str, set[str]] = {}
        for head, *cells in zip(heads, *rows, strict=True):
            numbers = {one.number_format for one in cells if isinstance(one.value, int | float)}
            if numbers:
                found.setdefault(str(head.value), set()).update(numbers)
        yield sheet.title, found


def test_a_sheet_prints_scores_as_scores_and_p_values_as_p_values(study: Study) -> None:
    decimals, wanted = decimals_of(study), 0
    for title, formats in sheets(study):
        for head, found in formats.items():
            name = head.removeprefix("Δ ").removesuffix(" ↓")
            if title.startswith(("Comparisons", "Margins")) and (head == "p" or head.startswith("p of ")):
                assert found == {P}, (title, head)
            elif name in decimals:
                assert found == {f"0.{'0' * decimals[name]}"}, (title, head)
                wanted += 1
            else:
                assert found == {{"cluster": "0", "ranked first": "0.0%"}[head]}, (title, head)
    # Results, comparisons and ranks of every metric, and margins of every rating.
    assert wanted == 3 * len(decimals) + len(RATINGS)


@pytest.fixture(scope="module")
def drawn(corpus: Corpus) -> Document:
    """A study of two ratings with hyphens: pictures of every metric would take as long for each."""
    metrics = tuple(Rated(name) for name in ("COMET-22", "p-norm"))
    return Document(conduct(corpus, Request(metrics, Settings(n_resamples=200))))


@sampled("name", READ_BACK, most=4)
def test_names_with_hyphens_come_back_whole(study: Study, drawn: Document, name: str) -> None:
    document = drawn if name in ("html", "pdf", "svg") else Document(study)
    text = squeezed(READ_BACK[name](EXPORTERS[name](document).files))
    wanted = [*SYSTEMS, *(() if name == "json" else ("COMET-22", "p-norm"))]
    assert [one for one in wanted if one not in text] == []
    assert [one for one in wanted if "-" in one and one.replace("-", "−") in text] == []


def test_documents_print_every_score_with_the_decimals_of_its_scale(study: Study) -> None:
    decimals = decimals_of(study)
    for table in paper_tables(study):
        for column, cells in zip(table.columns, zip(*table.rows, strict=True), strict=True):
            if column.kind in ("score", "difference"):
                name = column.title.removeprefix("Δ ").removesuffix(" ↓")
                assert {len(column.text(cell.value).partition(".")[2]) for cell in cells} == {decimals[name]}, column


def test_tables_of_the_shell_print_every_score_with_the_decimals_of_its_scale(study: Study) -> None:
    decimals, found = decimals_of(study), 0
    for table in terminal_tables(study):
        assert "COMET−22" not in " ".join(
            [table.caption, *table.header, *(cell for row in table.texts for cell in row)]
        )
        for head, cells in zip(table.header, zip(*table.texts, strict=True), strict=True):
            name = head.removeprefix("Δ ")
            if name in decimals and (name != "p" or head != "p" or "half width" in table.header):
                assert {len(cell.partition(".")[2]) for cell in cells} == {decimals[name]}, (table.caption, head)
                found += 1
    assert found >= 2 * len(decimals)


@pytest.mark.parametrize("name", RATINGS)
def test_notebooks_print_a_comparison_in_its_scale_and_with_its_name(corpus: Corpus, name: str) -> None:
    statistics = measure(corpus, Rated(name))
    family = compare(statistics)
    for one in family:
        shown = squeezed(html_text(one._repr_html_() or ""))
        assert verdict(one).word in shown or "not significant" in shown
        number = f"{abs(one.difference):.{RATINGS[name]}f}"
        assert number in shown
        for end in (one.adjusted_ci_low, one.adjusted_ci_high):
            assert f"{abs(end):.{RATINGS[name]}f}" in shown
        assert name.replace("-", "−") not in shown or "-" not in name
    for whole in (family, interval(statistics)):
        shown = squeezed(html_text(whole._repr_html_() or ""))
        assert name in shown
        assert "a-b" in shown


def test_tables_of_experiments_keep_the_names_of_ratings(corpus: Corpus) -> None:
    result = run(Relations(n_resamples=200), [measure(corpus, Rated(name)) for name in ("COMET-22", "my_score")])
    assert law_tables(result)[0].header == ("first", "second", "COMET-22", "my_score")


def test_tables_can_be_sent_from_a_worker() -> None:
    table = Table.of_rows("doubled", [1, 2], Column("twice", "count", of=lambda row: 2 * row))
    assert pickle.loads(pickle.dumps(table)) == table
    assert [cell.value for (cell,) in table.rows] == [2, 4]
