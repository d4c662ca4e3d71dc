"""Scores are printed with the decimals of their scale, and with a minus sign that is one, wherever they stand."""

import io
import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus
from openpyxl import load_workbook

from mtsig import Corpus, Settings, adjust, audit, compare_runs, compare_subsets, interval, measure, ranks, size_curve
from mtsig._probability import points_text
from mtsig._say import lines_of
from mtsig.corpus import Rating
from mtsig.figures import Histogram, Matrix
from mtsig.figures._marks import SCREEN, Text
from mtsig.inference import compare
from mtsig.metrics import Rated, Statistics
from mtsig.report import EXPORTERS, Document, Table, comparison_table, score_table, verdict_text
from mtsig.report._diagnostics import audit_table, runs_table, size_table
from mtsig.report._families import ranking_text
from mtsig.report._over_sets import sets_tables
from mtsig.report._paper import paper_tables
from mtsig.report._tables import ranks_table
from mtsig.study import Margin, Request, Study, conduct

SETTINGS = Settings(n_resamples=200)
HYPHEN = re.compile(r"(?<![\w)\]])-\.?\d")
"""A number behind a hyphen: not a range, not a name such as sys-1."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """A rating between -1 and 1 in which some systems are below zero."""
    made = made_corpus(n=80, systems=4, documents=0)
    values = np.random.default_rng(1).normal(0.01, 0.02, (4, 80)) - 0.004 * np.arange(4)[:, None]
    return replace(made, ratings={"COMET": Rating(values, higher_is_better=True)})


@pytest.fixture(scope="module")
def statistics(corpus: Corpus) -> Statistics:
    return measure(corpus, "COMET")


@pytest.fixture(scope="module")
def study(corpus: Corpus) -> Study:
    return conduct(corpus, Request((Rated("COMET"),), SETTINGS, margins=(Margin("rating:COMET", "equivalence", 0.01),)))


def numbers(text: str) -> list[str]:
    """Return the numbers with a sign in front, which are differences here."""
    return re.findall(r"[+−-]\d+\.\d+", text)


def all_cells(tables: Iterable[Table]) -> list[str]:
    return [cell for table in tables for row in table.texts for cell in row]


def test_two_decimals_for_hundreds_and_more_for_hundredths() -> None:
    assert points_text(-12.3456) == "−12.35"
    assert points_text(-0.0123456, 4) == "−0.0123"
    assert points_text(0.5, 3, signed=True) == "+0.500"
    assert points_text(-0.0) == "0.00"


def test_tables_of_results(corpus: Corpus, statistics: Statistics) -> None:
    assert statistics.metric.decimals == 4
    family = adjust(compare(statistics), "holm")
    sliced = compare_subsets(corpus, statistics, "length", SETTINGS)
    runs = compare_runs(statistics, "a", "b", {"a": ["sys0", "sys1"], "b": ["sys2", "sys3"]})
    tables = [
        score_table(interval(statistics)),
        comparison_table(family),
        *sets_tables(sliced),
        audit_table(audit(statistics, "sys2", "sys0", SETTINGS)),
        size_table(size_curve(statistics)),
        runs_table(runs),
        ranks_table(ranks(family)),
    ]
    for table in tables:
        said = " ".join([table.caption, *all_cells([table])])
        assert not HYPHEN.search(said), said
        assert re.search(r"\d\.\d{4}", said), said
        found = numbers(" ".join(cell for cell in all_cells([table]) if "= −" not in cell))
        assert all(len(one.partition(".")[2]) >= 4 for one in found), found
    assert any("−" in cell for cell in all_cells(tables))


def test_sentences(statistics: Statistics) -> None:
    family = compare(statistics)
    said = [verdict_text(one) for one in family] + [ranking_text(interval(statistics))]
    assert not any(HYPHEN.search(one) for one in said)
    assert all(re.search(r"\d\.\d{4} COMET|is ahead|0\.\d{4}", one) for one in said)


def test_figures(statistics: Statistics) -> None:
    family = compare(statistics)
    drawn = Matrix.of(family)
    lines = [
        line for cell in drawn.cells for line in (drawn.text(cell), *lines_of(cell.comparison, drawn.order[cell.row]))
    ]
    lines += [
        mark.text
        for mark in Histogram.of_resampled(np.linspace(-0.1, 0.01, 50), family[0]).scene(SCREEN).planes[0].marks
        if isinstance(mark, Text)
    ]
    assert not any(HYPHEN.search(line) for line in lines)
    assert any(re.search(r"[+−]0\.\d{4}", line) for line in lines)


def test_documents(study: Study) -> None:
    for table in paper_tables(study):
        cells = all_cells([table])
        assert not any(HYPHEN.search(cell) for cell in cells)
        found = numbers(" ".join(cells))
        assert all(len(one.partition(".")[2]) == 4 for one in found), found


def test_a_sheet_shows_as_many_decimals(study: Study) -> None:
    content = EXPORTERS["xlsx"](Document(study)).files["tables.xlsx"]
    book = load_workbook(io.BytesIO(content))
    formats = {cell.number_format for sheet in book for row in sheet for cell in row if isinstance(cell.value, float)}
    assert "0.0000" in formats
    assert "0.00" not in formats
