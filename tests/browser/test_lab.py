"""The Lab page in a real Chromium: choose one, run it, see how far it is, read the verdict, take it away."""

import csv
import json
from pathlib import Path

import pytest
from browsing import downloaded, idle, overflow
from playwright.sync_api import Page, expect


def opened(page: Page, server: str, label: str) -> None:
    """Go to the page of the sample, if the test before did not, and choose an experiment by its name there."""
    if "/lab" not in page.url:
        page.goto(f"{server}/lab?data=sample")
        idle(page)
    box = page.get_by_role("combobox", name="Experiment").first
    # A list that opens while the page scrolls closes again.
    box.scroll_into_view_if_needed()
    idle(page)
    box.click()
    page.get_by_role("option", name=label, exact=True).click()
    idle(page)


@pytest.mark.slow
def test_an_experiment_runs_with_progress_to_a_verdict_that_can_be_taken_away(
    blank: Page, server: str, tmp_path: Path
) -> None:
    page = blank
    opened(page, server, "Calibration of tests")
    # As many as it takes to see that it is under way.
    page.get_by_role("button", name="Options of the experiment").click()
    simulations = page.get_by_role("spinbutton", name="Simulations")
    simulations.fill("100")
    simulations.press("Enter")
    idle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Press Run.")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_test_id("stProgress").first).to_be_visible()
    expect(page.get_by_role("heading", name="Error rates")).to_be_visible()
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    idle(page)
    page.get_by_role("button", name="Download", exact=True).click()
    downloaded(page, page.get_by_role("button", name="CSV", exact=True)).save_as(tmp_path / "found.csv")
    rows = list(csv.DictReader((tmp_path / "found.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["method"] for row in rows} == {"ar", "jackknife-t", "bootstrap-shift", "jackknife"}
    downloaded(page, page.get_by_role("button", name="JSON", exact=True)).save_as(tmp_path / "found.json")
    bundle = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    page.keyboard.press("Escape")
    shown = page.locator(".lede p.full").inner_text()
    title = page.locator("h1").inner_text()
    shown = shown if title == "Calibration of tests" else f"{title}. {shown}"
    assert " ".join(shown.split()) == " ".join(bundle["verdict"].split())


@pytest.mark.slow
def test_figures_of_experiments_have_ticks_to_read_and_stand_on_a_narrow_screen(blank: Page, server: str) -> None:
    page = blank
    opened(page, server, "Number of resamples")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Spread of interval ends")).to_be_visible()
    idle(page)
    ticks = page.locator(".js-plotly-plot .xtick text")
    expect(ticks.filter(has_text="10,000")).to_have_count(1)
    expect(ticks.filter(has_text="500")).to_have_count(1)
    page.set_viewport_size({"width": 400, "height": 800})
    assert overflow(page) <= 0
