"""Formats follow what a column holds, whatever metrics and systems are called, in every document and table."""

import io
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus
from openpyxl import load_workbook
from papers import READ_BACK, html_text, named, squeezed

from mtsig import Corpus, Settings, interval, measure, metric, verdict
from mtsig.cli._compare import tables_of
from mtsig.corpus import Rating
from mtsig.inference import compare
from mtsig.lab import Relations, run
from mtsig.lab._words import law_tables
from mtsig.metrics import Rated
from mtsig.report import EXPORTERS, Document
from mtsig.report._paper import paper_tables
from mtsig.study import Margin, Request, Study, conduct, study_of

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
                assert found == {{"cluster": "0", "best in redraws": "0.0%"}[head]}, (title, head)
    # Results, comparisons and ranks of every metric, and margins of every rating.
    assert wanted == 3 * len(decimals) + len(RATINGS)


@pytest.fixture(scope="module")
def drawn(corpus: Corpus) -> Document:
    """A study of two ratings with hyphens: pictures of every metric would take as long for each."""
    metrics = tuple(Rated(name) for name in ("COMET-22", "p-norm"))
    return Document(conduct(corpus, Request(metrics, Settings(n_resamples=200))))


@pytest.mark.parametrize("name", READ_BACK)
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
    for table in tables_of(study):
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
        assert verdict(one).word in shown or "separated" in shown
        number = f"{abs(one.difference):.{RATINGS[name]}f}"
        assert f"{number} {name}" in shown
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
