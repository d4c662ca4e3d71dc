"""A table holds values; its columns say what they are, and whoever shows them says the same in words."""

import math
from typing import Any

import pandas as pd
import pytest
from made import made_ratings, made_statistics

from mtsig import Settings, ranks, verdict
from mtsig.report import (
    Cell,
    Column,
    Table,
    comparison_table,
    frame_of,
    latex_table,
    markdown_table,
    records_table,
    score_table,
)
from mtsig.report._table import Kind, html

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
    assert frame["resamples won"].tolist() == family.bootstrap_win_rate.tolist()
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
    assert "<td style='text-align: right'>1.50 exact† [1, 2]</td>" in html(table)
    assert markdown_table(table) == "| a\\|b |\n|---:|\n| **1.50 exact**† \\[1, 2\\] |"
    assert "\\textbf{1.50 exact}\\textsuperscript{" in latex_table(table)
    assert "{\\scriptsize [1, 2]}" in latex_table(table)
    assert "scriptsize" not in latex_table(table, intervals=False)
