"""What a visitor does: drop files, read the verdict, click a cell, break a file."""

import random
import re
from pathlib import Path

import pytest
from browsing import downloaded, idle, of_pair, open_sample, settled
from made import ROOT
from playwright.sync_api import Page, expect
from sampled import slow

SAMPLE = ROOT / "sample_data" / "es-en"

MOTION = "no-preference"
"""Most visitors do not ask for less motion."""


def drop(page: Page, files: list[dict[str, object]] | list[str]) -> None:
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(files)
    page.get_by_role("button", name="Forget my data").wait_for()
    idle(page)


def go(page: Page, title: str) -> None:
    page.get_by_role("link", name=title, exact=True).first.click()
    idle(page)


def file(name: str, lines: list[str]) -> dict[str, object]:
    return {"name": name, "mimeType": "text/plain", "buffer": ("\n".join(lines) + "\n").encode()}


def sample_lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("whole", [False, *slow(True)])
def test_files_dropped_give_a_verdict_and_stay(page: Page, whole: bool):
    """The short version loads the page once again, and shares and forgets nothing."""
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    expect(page).to_have_title("Data · mtsig")
    # The question stands on top as soon as the style is there, which a slow machine applies after the text.
    page.wait_for_function("document.querySelector('h1').getBoundingClientRect().y < 100")
    drop(page, [
        file("direct.txt", sample_lines("systems/direct.txt")),
        file("via-esperanto.txt", sample_lines("systems/via-esperanto.txt")),
        file("via-catalan.txt", sample_lines("systems/via-catalan.txt")),
        file("ref.txt", sample_lines("refs/ref.txt")),
        file("docids.txt", sample_lines("docids.txt")),
    ])  # fmt: skip
    expect(page.get_by_text("1 reference · 3 systems · 200 segments · 20 documents")).to_be_visible()
    page.get_by_role("button", name="Remove via-catalan.txt").click()
    idle(page)
    expect(page.get_by_text("1 reference · 2 systems · 200 segments · 20 documents")).to_be_visible()
    way_on = page.get_by_role("button", name="See the results")
    assert settled(page, lambda: (way_on.bounding_box() or {"y": 900})["y"], lambda y: y < 400) < 400
    way_on.click()
    idle(page)
    verdict = page.get_by_role("heading", name="direct beats via-esperanto by 6.3 BLEU")
    expect(verdict).to_be_visible()
    expect(page).to_have_title("Compare two · mtsig")
    page.reload()
    idle(page)
    expect(verdict).to_be_visible()
    if not whole:
        return
    page.go_back()
    idle(page)
    expect(page.get_by_text("1 reference · 2 systems · 200 segments · 20 documents")).to_be_visible()
    go(page, "Compare two")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode")
    expect(link).to_contain_text("of=")
    assert "data=" not in link.inner_text()
    page.get_by_text("The link also opens these data").click()
    expect(link).to_contain_text("data=")
    page.keyboard.press("Escape")
    go(page, "Data")
    page.get_by_role("button", name="Forget my data").click()
    idle(page)
    expect(page.get_by_role("button", name="Open the sample")).to_be_visible()


@pytest.mark.slow
def test_files_of_one_name_and_files_without_chips_can_be_removed(page: Page):
    drop(page, [
        file("direct.txt", sample_lines("systems/direct.txt")),
        file("out.txt", sample_lines("systems/via-catalan.txt")),
        file("out.txt", sample_lines("systems/via-esperanto.txt")),
        file("ref.txt", sample_lines("refs/ref.txt")),
    ])  # fmt: skip
    expect(page.get_by_text("1 reference · 3 systems · 200 segments")).to_be_visible()
    page.reload()
    idle(page)
    box = page.get_by_role("combobox", name="Remove files")
    box.click()
    page.get_by_role("option", name="out (2).txt").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove", exact=True).click()
    idle(page)
    expect(page.get_by_text("1 reference · 2 systems · 200 segments")).to_be_visible()
    page.get_by_role("button", name="Forget my data").click()
    idle(page)


CELLS = '[class*="st-key-figure-league"] .subplot.x2y .scatterlayer .point'
"""Markers that are not seen, over the cells of the figure's second panel."""


@pytest.fixture(scope="module")
def opened(watched: tuple[Page, list[str]], server: str) -> Page:
    """The sample, opened once for the tests that follow each other here."""
    page, _ = watched
    page.goto(server)
    idle(page)
    open_sample(page)
    return page


@pytest.fixture
def sample(opened: Page, blank: Page) -> Page:
    """Results of the sample, wherever the test before went."""
    go(blank, "Results")
    return blank


@pytest.mark.slow
def test_koehns_test_by_name_gives_a_verdict_within_two_clicks(sample: Page):
    page = sample
    page.get_by_role("button", name="Method", exact=True).click()
    koehn = page.get_by_test_id("stPopoverBody").get_by_text("Koehn 2004", exact=True)
    assert koehn.evaluate("label => label.scrollWidth <= label.clientWidth || !label.clientWidth")  # nothing is cut off
    koehn.click()
    idle(page)
    said = "direct is the best of 5 systems in BLEU, by Koehn's paired bootstrap"
    expect(page.get_by_role("heading", name=said)).to_be_visible()
    expect(page.get_by_text("10 of 10 verdicts match those of the default test.")).to_be_visible()
    page.get_by_text("Before you quote this").click()
    expect(page.get_by_text("in 10 to 15 of 100 cases").first).to_be_visible()
    page.get_by_role("button", name="Method", exact=True).click()
    page.get_by_test_id("stPopoverBody").get_by_text("Standard", exact=True).click()
    idle(page)
    expect(page.get_by_role("heading", name="direct is the best of 5 systems in BLEU")).to_be_visible()


@pytest.mark.slow
def test_a_row_of_the_auditor_opens_by_keyboard(sample: Page):
    page = sample
    go(page, "Compare two")
    page.get_by_role("button", name="All tests").click()
    idle(page)
    expect(page.get_by_text("6 tests find the difference between direct and direct-us")).to_be_visible()
    row = page.get_by_text("Bootstrap test as printed (Riezler & Maxwell 2005)")
    expect(row).to_be_visible()
    expect(page.get_by_text("Assumes", exact=True).last).to_be_hidden()
    # The row opens by keyboard; its p stands on a line, which a filter of the page would take from an SVG.
    page.locator(".mtsig-audit summary").last.press("Enter")
    expect(page.get_by_text("Assumes", exact=True).last).to_be_visible()
    expect(page.locator(".mtsig-audit .mtsig-dot").nth(3)).to_be_attached()


def test_cells_are_read_and_opened_by_keyboard(sample: Page):
    page = sample
    page.locator(CELLS).first.wait_for(state="attached")
    line = page.get_by_role("application", name="Cells of the matrix")
    page.get_by_text("Before you quote this").focus()
    for _ in range(20):  # past the strip and the buttons of the picture
        page.keyboard.press("Tab")
        if line.evaluate("line => line.matches(':focus')"):
            break
    expect(line).to_contain_text("direct minus direct-us: +0.47 BLEU. adjusted CI +0.13 to +0.82")
    says, marked = line.locator("[aria-live]"), page.locator(".scatterlayer .point[style*='drop-shadow']")
    for key, pair in (
        ("ArrowRight", "direct minus via-catalan"),
        ("ArrowDown", "direct-us minus via-catalan"),
        ("ArrowLeft", "direct-us minus via-catalan"),  # the first of its row
        ("End", "direct-us minus via-esperanto"),
        ("Home", "direct-us minus via-catalan"),
    ):
        page.keyboard.press(key)
        expect(says).to_contain_text(f"{pair}:")
        expect(marked).to_have_count(1)
        # Both the cell and what is said of it are in sight.
        expect(marked).to_be_in_viewport()
        expect(says).to_be_in_viewport(ratio=1)
    expect(line).to_have_accessible_description(re.compile("Arrow keys"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare**")
    idle(page)
    expect(page).to_have_url(of_pair("direct-us", "via-catalan"))
    expect(page.get_by_text("direct-us beats via-catalan by").first).to_be_visible()


@pytest.mark.slow
def test_results_offer_their_numbers(sample: Page):
    page = sample
    lines = {}
    for label in ("Scores (.csv)", "Comparisons (.csv)"):
        page.get_by_role("button", name="Download", exact=True).click()
        offered = downloaded(page, page.get_by_role("button", name=label))
        page.keyboard.press("Escape")
        lines[label] = Path(offered.path()).read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[2] for line in lines["Scores (.csv)"][1:]] == [
        "direct", "direct-us", "via-catalan", "via-galician", "via-esperanto",
    ]  # fmt: skip
    assert lines["Comparisons (.csv)"][0].startswith("First,Second,Δ BLEU,")
    assert len(lines["Comparisons (.csv)"]) == 11


RUNS = """async () => {
  const app = document.querySelector("[data-testid=stApp]");
  let runs = 0;
  const seen = new MutationObserver(() => { runs += app.dataset.testScriptState === "running"; });
  seen.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  await new Promise(done => setTimeout(done, 2000));
  seen.disconnect();
  return runs;
}"""
"""How often the page's script is run in two seconds."""


@pytest.mark.slow
def test_a_narrow_page_of_broken_systems_stands_still(page: Page):
    good, rng = sample_lines("systems/direct.txt"), random.Random(1)
    garbage = [" ".join(f"q{rng.randrange(99)}" for _ in range(8)) for _ in good]
    page.set_viewport_size({"width": 400, "height": 800})
    drop(page, [
        file("direct.txt", good), file("empty.txt", [""] * len(good)), file("garbage.txt", garbage),
        file("ref.txt", sample_lines("refs/ref.txt")),
    ])  # fmt: skip
    for title in ("results", "compare"):
        page.goto(re.sub(r"/\w*\?", f"/{title}?", page.url))
        idle(page)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate(RUNS) == 0, title


def test_on_a_touch_screen_no_tools_lie_over_a_picture(sample: Page):
    page = sample
    tools = page.locator(".js-plotly-plot .modebar-container").first
    tools.wait_for(state="attached")
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setEmitTouchEventsForMouse", {"enabled": True, "configuration": "mobile"})
    browser.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        assert page.evaluate("matchMedia('(hover: none)').matches")
        expect(tools).to_have_css("display", "none")
    finally:
        browser.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        browser.send("Emulation.setEmitTouchEventsForMouse", {"enabled": False})
        browser.detach()


@pytest.mark.slow
def test_a_choice_that_the_page_did_not_write_into_the_address_gets_there_all_the_same(sample: Page):
    page = sample
    page.get_by_role("button", name="View", exact=True).click()
    square = page.get_by_text("Full square").first
    for wanted in (True, False, True):
        # Streamlit's page forgets widgets that came to stand elsewhere; here it cannot write at all.
        page.evaluate("history.replaceState = () => {}")
        square.click()
        idle(page)
        (expect(page).to_have_url if wanted else expect(page).not_to_have_url)(re.compile("full_square=true"))
