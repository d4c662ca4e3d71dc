"""From the dashboard to files and back: what is downloaded is what the command line makes."""

import io
import json
import re
from pathlib import Path

import pytest
from browsing import downloaded, idle, open_sample, overflow
from made import ROOT
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from mtsig.cli import main

SAMPLE = ROOT / "sample_data" / "es-en"


@pytest.fixture
def export(blank: Page, server: str) -> Page:
    """The page Paper with the sample, as the test before left it."""
    if "/paper" not in blank.url:
        blank.goto(server)
        idle(blank)
        open_sample(blank)
        blank.get_by_role("link", name="Paper", exact=True).first.click()
    idle(blank)
    return blank


def saved(page: Page, label: str, place: Path) -> bytes:
    button = page.get_by_test_id("stDownloadButton").get_by_role("button", name=label, exact=True)
    downloaded(page, button).save_as(place)
    return place.read_bytes()


def test_a_figure_is_shown_at_its_true_size_and_saved_as_pdf(export: Page, tmp_path: Path):
    box = export.get_by_test_id("stImage").locator("img").first.bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(7.7 / 2.54 * 96, abs=1)
    pdf = PdfReader(io.BytesIO(saved(export, "PDF", tmp_path / "figure.pdf")))
    assert float(pdf.pages[0].mediabox.width) == pytest.approx(7.7 / 2.54 * 72, abs=0.01)
    assert "direct" in pdf.pages[0].extract_text()


def test_one_sheet_shows_what_will_stand_in_the_paper(export: Page):
    sheet = export.locator("[class*=st-key-sheet-]")
    top, figure, table = (
        one.bounding_box() for one in (sheet, sheet.locator("img"), sheet.get_by_role("region", name="Table"))
    )
    assert top["y"] <= 330
    # Two columns of one page: the table begins beside the figure, and nothing is wider than its column.
    assert abs(table["y"] - figure["y"]) < 16
    assert table["x"] >= figure["x"] + figure["width"]
    assert table["x"] + table["width"] <= top["x"] + top["width"]
    expect(sheet.get_by_text("Figure 1: BLEU with 95% CIs")).to_be_visible()
    expect(sheet.get_by_text("Table 1: Scores on 200 segments")).to_be_visible()
    expect(sheet.get_by_text("We evaluated 5 systems")).to_be_visible()
    # A sheet is white, whatever the page is, and a phone has room for all of it.
    export.emulate_media(color_scheme="dark")
    export.set_viewport_size({"width": 400, "height": 800})
    idle(export)
    looks = "sheet => [getComputedStyle(sheet).backgroundColor, getComputedStyle(sheet.querySelector('td')).color]"
    assert sheet.evaluate(looks) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    assert overflow(export) <= 0
    table = sheet.get_by_role("region", name="Table").bounding_box()
    assert table["x"] + table["width"] <= 400
    export.emulate_media(color_scheme="light")
    export.set_viewport_size({"width": 1280, "height": 900})
    # Its tools would lie over it.
    idle(export)
    sheet.locator("img").hover()
    export.wait_for_timeout(500)  # tools come when the mouse has been there for a while
    expect(sheet.get_by_test_id("stElementToolbar")).to_be_hidden()


@pytest.mark.slow
def test_the_report_is_one_file_of_the_same_bytes_as_in_the_shell(export: Page, tmp_path: Path):
    report = saved(export, "Report", tmp_path / "report.html")
    saved(export, "Study", tmp_path / "study.json")
    asked = ["--data", str(SAMPLE), "--to", "html", "--out", str(tmp_path / "shell")]
    assert main(["report", str(tmp_path / "study.json"), *asked]) == 0
    # The shell made it again from the data, and says so; the page has just made it.
    again = (tmp_path / "shell" / "report.html").read_bytes()
    assert re.sub(rb"<(li|p)\b[^>]*>Reproduced.*?</\1>\n", b"", again) == report != again
    assert b"Segments behind the verdict" in report


def test_the_study_of_the_dashboard_gives_the_same_digits_in_the_shell(
    export: Page, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "study.json"
    downloaded = json.loads(saved(export, "Study", file))
    assert main(["report", str(file), "--data", str(SAMPLE), "--to", "json", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("Reproduced exactly")
    assert main(["compare", "--data", str(SAMPLE), "--format", "json"]) == 0
    shell = json.loads(capsys.readouterr().out)
    assert shell == downloaded
    # And back: the page reads what the shell wrote.
    export.get_by_text("Open an earlier study", exact=True).click()
    export.get_by_test_id("stFileUploader").first.locator("input[type=file]").set_input_files(str(file))
    idle(export)
    expect(export.get_by_text("Reproduced exactly")).to_be_visible()
