"""The report in a real Chromium: no request, no script error, no overflow, and it prints."""

import io
from pathlib import Path

import pytest
from papers import CHINESE, NAMES, made_study, planned_study
from playwright.sync_api import Browser
from pypdf import PdfReader
from sampled import slow

from mtsig.report import EXPORTERS, Document
from mtsig.study import Study


@pytest.fixture(scope="module", params=["awkward", *slow("planned")])
def study(request: pytest.FixtureRequest) -> Study:
    return (
        made_study((*NAMES[:3], CHINESE, "<img src=http://example.org/x.png>"))
        if request.param == "awkward"
        else planned_study()
    )


@pytest.fixture
def report(study: Study, tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    file.write_bytes(EXPORTERS["html"](Document(study)).files["report.html"])
    return file


def test_the_report_asks_nothing_and_stands_on_any_screen(browser: Browser, report: Path, study: Study) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda told: troubles.append(told.text) if told.type == "error" else None)
    page.goto(report.as_uri())
    page.wait_for_load_state("networkidle")
    assert asked == [report.as_uri()]
    assert troubles == []
    for name in study.data.systems:
        assert name in page.inner_text("body")
    # Scores and differences of every metric, and where there are several, what they say together.
    assert page.locator("figure svg").count() == 2 * len(study.results) + (len(study.results) > 1)
    width = page.locator("figure svg").first.bounding_box()
    assert width is not None
    assert width["width"] == pytest.approx(16 / 2.54 * 96, abs=2)  # the true size: 16 cm
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    # A figure shrinks no further than its text can be read; captions stand beside what scrolls, and do not scroll away.
    narrow = page.locator("figure svg").first.bounding_box()
    assert narrow is not None
    assert narrow["width"] >= 480
    for caption in page.locator("figcaption, p.small").all():
        box = caption.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 400
    context.close()


def test_the_report_prints_and_leaves_no_heading_alone_at_the_foot_of_a_page(
    browser: Browser, report: Path, study: Study
) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    headings = page.locator("h2, h3").all_inner_texts()
    printed = [sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]
    page.close()
    text = " ".join(" ".join(sheet.split()) for sheet in printed)
    assert len(printed) >= 2
    for title in ("In short", "Figures", "In sentences", "Methods", "Data"):
        assert title in text
    assert study.data.systems[0] in text
    assert not {sheet.strip().splitlines()[-1] for sheet in printed} & set(headings)
