"""From the dashboard to files and back: what is downloaded is what the command line makes."""

import io
import json
import re
from pathlib import Path

import pytest
from browsing import downloaded, idle
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
        blank.get_by_role("button", name="Open the sample").click()
        idle(blank)
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


def test_the_tools_of_a_figure_do_not_lie_over_the_box_that_chooses_it(export: Page):
    picture = export.get_by_test_id("stImage").locator("img").first
    picture.hover()
    export.wait_for_timeout(500)  # tools come when the mouse has been there for a while
    box = export.get_by_role("combobox", name="What it shows").first.bounding_box()
    drawn = picture.bounding_box()
    assert box is not None
    assert drawn is not None
    assert box["y"] + box["height"] <= drawn["y"]
    for x in range(round(box["x"]) + 2, round(box["x"] + box["width"]) - 2, 10):
        for y in range(round(box["y"]) + 4, round(box["y"] + box["height"]) - 2, 4):
            assert export.evaluate("([x, y]) => document.elementFromPoint(x, y).role", [x, y]) == "combobox"


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
