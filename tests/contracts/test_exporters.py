"""What every exporter keeps: the same bytes for the same study, every name whole, and no claim too many."""

import io
import re
import zipfile
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from kept import lacking
from made import ROOT, made_corpus
from papers import CHINESE, NAMES, READ_BACK, compiled, made_study, no_latex, planned_study, squeezed
from pypdf import PdfReader
from sampled import slow

from mtsig import Settings, metric
from mtsig._options import options
from mtsig.cli._verbs import VERBS
from mtsig.errors import InvalidOption, UnknownName
from mtsig.figures import IntervalBars, Matrix, ParallelIntervals
from mtsig.report import EXPORTERS, Document, Exported, exporter
from mtsig.report._exporters import FigureFiles, one_download, packed
from mtsig.study import Request, Study, conduct, study_of

FIGURES = ("pdf", "svg", "png", "pgf")
WORDS = ("html", "latex", "markdown", "xlsx")
"""The formats that hold sentences."""


DOCUMENTS = {
    "plain": made_study,
    "awkward": lambda: made_study(NAMES),
    "Chinese": lambda: made_study((CHINESE, "b", "c", "d", "e")),
    "planned": planned_study,
}


def drawn_once(study: Study) -> Document:
    """Return the study with one picture of each kind: what is drawn of one metric is drawn of the next."""
    whole = Document(study)
    one_of_each = {type(picture): name for name, picture in whole.pictures.items()}.values()
    return replace(whole, drawn={name: whole.pictures[name] for name in one_of_each})


@cache
def document(kind: str) -> Document:
    return drawn_once(DOCUMENTS[kind]())


@cache
def exported(kind: str, name: str) -> Exported:
    """Return what an exporter makes of a document, made once for all tests that look at it."""
    return EXPORTERS[name](document(kind))


@pytest.fixture
def awkward() -> Document:
    return document("awkward")


@pytest.fixture
def planned() -> Document:
    return document("planned")


@pytest.fixture(autouse=True)
def _tex(request: pytest.FixtureRequest) -> None:
    reason = no_latex()
    if reason and re.search(r"pgf|latex_", request.node.name):
        pytest.skip(reason)


# Figures in PDF and PNG are drawn twice by test_two_runs_write_the_same_bytes of the verb `report`.
@pytest.mark.parametrize("name", [*(name for name in EXPORTERS if name not in ("pdf", "png", "pgf")), *slow("pgf")])
def test_the_same_study_gives_the_same_bytes(name: str) -> None:
    first, second = exported("plain", name), EXPORTERS[name](drawn_once(document("plain").study))
    assert first.files
    assert all(first.files.values())
    assert first == second
    assert first.notes == ()


@pytest.mark.parametrize("name", EXPORTERS)
def test_file_names_are_plain(name: str) -> None:
    for file in exported("Chinese" if name == "png" else "awkward", name).files:  # there it is drawn anyway
        assert re.fullmatch(r"[a-z0-9-]+\.[a-z]+", file)


def test_every_option_of_a_format_is_in_the_help_and_on_the_page_of_reports() -> None:
    told = [VERBS["report"].helps["to"], (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")]
    for export in EXPORTERS.values():
        for option in options(export):
            assert all(word in text for text in told for word in (option.name, *(option.choices or ()))), option.name


def test_numbers_in_full_are_by_score() -> None:
    whole = document("plain")
    rows, result = whole.rows, whole.study.results[0]
    ours = [row for row in rows["scores"] if row["metric"] == result.scored.metric]
    assert [row["system"] for row in ours] == [result.scored.systems[i] for i in result.scored.order()]
    pairs = [(row["first"], row["second"]) for row in rows["comparisons"] if row["metric"] == result.scored.metric]
    assert pairs == list(combinations(result.compared.order, 2))


def test_pictures_have_plain_names(awkward: Document) -> None:
    assert {type(picture) for picture in awkward.pictures.values()} == {IntervalBars, Matrix, ParallelIntervals}
    for name in Document(awkward.study).pictures:
        assert re.fullmatch(r"[a-z0-9-]+", name)


@pytest.mark.parametrize("name", READ_BACK)
def test_names_come_back_whole(name: str) -> None:
    text = READ_BACK[name](exported("awkward", name).files)
    for system in NAMES:
        assert squeezed(system) in squeezed(text), name


def test_every_exporter_is_read_back_or_looked_at_elsewhere() -> None:
    # PNG holds no text; PGF is set by TeX in tests/figures.
    assert set(READ_BACK) | {"png", "pgf"} == set(EXPORTERS)


@pytest.mark.parametrize("name", [*(name for name in EXPORTERS if name not in ("svg", "html")), *slow("svg", "html")])
def test_chinese_survives_or_is_said(name: str) -> None:
    if name == "pgf":
        pytest.skip("refused or noted, depending on the TeX: see tests/figures")
    found = exported("Chinese", name)
    said = "译 (U+8BD1)" in " ".join(note.text for note in found.notes)
    if name in READ_BACK:
        assert CHINESE in squeezed(READ_BACK[name](found.files)) or said
    if name in ("html", "markdown", "csv", "xlsx", "json", "svg"):
        assert CHINESE in squeezed(READ_BACK[name](found.files))
    if name == "latex":
        assert said  # pdfLaTeX would stop
        assert b"% pdfLaTeX has no glyph" in found.files["tables.tex"]


@pytest.mark.parametrize("name", WORDS)
def test_the_number_of_comparisons_is_said(name: str) -> None:
    assert "of 10 comparisons" in squeezed(READ_BACK[name](exported("plain", name).files))


@pytest.mark.parametrize("name", WORDS)
def test_what_is_exploratory_and_what_was_planned_is_said(planned: Document, name: str) -> None:
    free, fixed = (squeezed(READ_BACK[name](exported(kind, name).files)) for kind in ("plain", "planned"))
    assert "Exploratory" in free
    assert "Planned: these results" in fixed
    assert "Exploratory" not in fixed
    assert planned.study.plan is not None
    assert planned.study.plan.digest[7:23] in fixed


@pytest.mark.parametrize("name", WORDS)
def test_a_direction_comes_from_the_plan_or_was_chosen_without_one(planned: Document, name: str) -> None:
    read = READ_BACK[name]
    assert "fixed in the" in squeezed(read(exported("planned", name).files))
    plan = planned.study.analysis_plan
    assert plan is not None
    free = conduct(made_corpus(n=60, systems=3, documents=12), plan.request)
    text = squeezed(read(EXPORTERS[name](Document(free)).files))
    assert not lacking(text, "without an analysis plan", "by one-sided t")


NEVER = (
    r"probabilit", r"due to chance", r"likely(?! (a system|they))", r"overlap", r"conservative(?<!anti-conservative)",
    r"sensitiv", r"\b(are|is) (the same|equally good|equal)\b(?<!they are equal)",
    r"perceptib|substantial|notabl|dramatic", r"posterior", r"1 in 20", r"p = 0(?!\.)", r"\bp\s*[=<]\s*\.0000",
    r"without assumptions|assumption-free", r"observed power",
)  # fmt: skip


EXPLAINED = re.compile(rb"<details class=\"small\"><summary>How to read this</summary>.*?</details>", re.DOTALL)


@pytest.mark.parametrize("name", WORDS)
def test_no_document_makes_a_claim_that_must_not_be_made(name: str) -> None:
    for kind in ("plain", "planned"):
        # How a figure is read also says how it is not to be read.
        files = {file: EXPLAINED.sub(b"", content) for file, content in exported(kind, name).files.items()}
        text = squeezed(READ_BACK[name](files))
        # Titles of cited works say what they say.
        text = re.sub(r"@\w+\{.*", "", text) if name in ("html", "markdown") else text
        for pattern in NEVER:
            found = re.search(pattern, text, re.IGNORECASE)
            assert found is None, text[max(0, found.start() - 80) : found.end() + 80]
        assert "not mean equal" in text


def test_latex_compiles_with_every_name_in_it(awkward: Document, tmp_path: Path) -> None:
    text = compiled(exported("awkward", "latex").files, tmp_path)
    # TeX prints braces and hyphens of its own accord, and joins letters: the letters and signs must all be there.
    for name in NAMES[:4]:
        assert "".join(name.split()) in "".join(text.split()), text[:3000]


def test_latex_prints_signs_that_tex_would_join_or_swallow(tmp_path: Path) -> None:
    names = ("*starred*", "[x] run", "a--b", "c---d ''e''", 'f,,g "a"|"-')
    text = compiled(EXPORTERS["latex"](Document(made_study(names))).files, tmp_path)
    for name in ("*starred*", "[x] run", "a--b", "c---d", 'f,,g "a"|"-'):
        assert "".join(name.split()) in "".join(text.split()), name


@pytest.mark.slow
def test_latex_loses_no_row_of_a_long_table(tmp_path: Path) -> None:
    corpus = made_corpus(n=40, systems=15, documents=0)
    study = conduct(corpus, Request((metric("bleu"),), Settings(n_resamples=50, correction="holm")))
    files = EXPORTERS["latex"](Document(study)).files
    text = compiled(files, tmp_path)
    assert b"{longtable}" in files["tables-more.tex"][:200]
    assert text.count("Table 2:") == 1
    # Its head stands on each of its pages.
    assert text.count("first second") == 1 + text.count("goes on") == 3
    shown = [page.extract_text(extraction_mode="layout") for page in PdfReader(tmp_path / "paper.pdf").pages]
    for one in study.results[0].compared.by_score():
        assert any(re.search(rf"\b{one.first}\s+{one.second}\b", page) for page in shown)
    # What is set below the foot of a page is in the file, and on no paper.
    told = (tmp_path / "paper.log").read_text(errors="replace")
    assert "Float too large" not in told


@pytest.mark.slow
def test_latex_of_a_planned_study_compiles(planned: Document, tmp_path: Path) -> None:
    text = compiled(exported("planned", "latex").files, tmp_path)
    assert "fixed in the" in text
    assert "Satterthwaite" in text


@pytest.mark.parametrize("name", EXPORTERS)
def test_exporters_describe_themselves(name: str) -> None:
    one = EXPORTERS[name]
    assert one.label
    assert one.about.endswith(".")
    assert exporter(name) == one


def test_options_ride_on_the_name() -> None:
    assert exporter("pdf:paper=neurips-full") == FigureFiles("neurips-full", "pdf")
    assert [one.name for one in options(EXPORTERS["latex"])] == ["intervals"]
    assert b"[" not in exporter("latex:intervals=no")(document("plain")).files["tables.tex"].split(b"midrule")[1][:200]


@pytest.mark.parametrize(
    ("choice", "error"), [("docx", UnknownName), ("pdf:papr=acl-full", UnknownName), ("pdf:paper=a4", InvalidOption)]
)
def test_what_is_unknown_is_refused(choice: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        exporter(choice)


def test_an_archive_of_the_same_files_has_the_same_bytes() -> None:
    files = {"b.txt": b"two", "a.txt": b"one"}
    assert packed(files) == packed(dict(reversed(files.items())))


def test_a_planned_study_is_saved_as_a_study_and_not_as_an_archive_of_that_name(planned: Document) -> None:
    files = exporter("json")(planned).files
    assert set(files) == {"study.json", "plan.toml"}
    assert study_of(one_download(files, "study.json")).plan == planned.study.plan
    assert zipfile.is_zipfile(io.BytesIO(one_download(files, "json.zip")))
