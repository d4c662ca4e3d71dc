"""Results in a real browser: where the figure begins, who is ranked, what opens a pair, and that labels can be read."""

import re
import zipfile
from pathlib import Path

import pytest
from browsing import by_link, idle, overflow, settled
from playwright.sync_api import BrowserContext, Page, expect
from sampled import slow

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 400, "height": 800}

READ = """key => {
  const graph = document.querySelector(`[class*="st-key-figure-${key}"] .js-plotly-plot`);
  const shown = [...graph.querySelectorAll(".annotation-text-g text, .scatterlayer text")].filter(
    one => one.textContent.trim() && one.getBoundingClientRect().width);
  const boxes = shown.map(one => [one.textContent.trim(), one.getBoundingClientRect()]);
  const meeting = [];
  boxes.forEach(([text, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    // Of a line's height a part is free of ink.
    if (wide > 1 && high > 0.4 * Math.min(a.height, b.height)) meeting.push(`${text} | ${other}`);
  }));
  const small = shown.filter(one => parseFloat(getComputedStyle(one).fontSize) < 11).map(one => one.textContent);
  return [boxes.map(([text]) => text), meeting, small];
}"""
"""The texts that a figure shows, which of them lie over each other, and which are smaller than 11 pixels."""

BEGINS = """([names]) => [...document.querySelectorAll('[class*="st-key-figure-league"] .js-plotly-plot text')].filter(
  one => names.includes(one.textContent.trim())).map(one => one.getBoundingClientRect().left)"""
"""Where names in the league begin."""

POINT = """([key, cell]) => {
  const graph = document.querySelector(`[class*="st-key-figure-${key}"] .js-plotly-plot`);
  const of = (said) => said[0] === cell[0] && said[1] === cell[1];
  const { uid, customdata } = graph._fullData.find(({ customdata }) => customdata?.some(of));
  const point = graph.querySelectorAll(`.scatterlayer .trace${uid} .point`)[customdata.findIndex(of)];
  point.scrollIntoView({ block: "center" });
  const box = point.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Where the cell of a pair is."""


def drawn(page: Page, key: str) -> None:
    """Wait until a figure is drawn."""
    figure = page.locator(f'[class*="st-key-figure-{key}"] .js-plotly-plot')
    figure.locator(".annotation-text-g, .scatterlayer text").first.wait_for()
    idle(page)


@pytest.fixture(scope="module")
def unfair(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """WMT22 English-Chinese, scored by reference B alone, with reference A and a copy of the source as outputs.

    The first 800 segments: what is shown is the same as of all, and comes in a third of the time.
    """
    data = shared / "data" / "wmt22-en-zh"
    packed = tmp_path_factory.mktemp("unfair") / "unfair.zip"
    files = {path: f"systems/{path.name}" for path in sorted((data / "systems").glob("*.txt"))}
    files |= {data / "refs" / "refA.txt": "systems/refA.txt", data / "refs" / "refB.txt": "refs/refB.txt"}
    files |= {data / name: name for name in ("source.txt", "docids.txt")}
    with zipfile.ZipFile(packed, "w") as archive:
        for path, name in [*files.items(), (data / "source.txt", "systems/source-copy.txt")]:
            lines = path.read_text(encoding="utf-8").split("\n")[:800]
            archive.writestr(name, "".join(f"{line}\n" for line in lines))
    return packed


@pytest.fixture(scope="module")
def tab(unfair: Path, visitor: BrowserContext, server: str) -> Page:
    """Results of these data."""
    page = visitor.new_page()
    page.set_viewport_size(WIDE)
    page.goto(server)
    idle(page)
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(str(unfair))
    page.get_by_role("button", name="Forget my data").wait_for()
    idle(page)
    by_link(page, "results")
    expect(page.get_by_role("heading", level=1)).to_contain_text("BLEU")
    return page


@pytest.fixture
def results(tab: Page) -> Page:
    """The same, wide, with its figure."""
    tab.set_viewport_size(WIDE)
    if "/results" not in tab.url:
        tab.goto(re.sub(r"/\w*\?", "/results?", tab.url))
    drawn(tab, "league")
    return tab


def test_title_and_figure_say_who_is_ranked_and_who_is_not(results: Page):
    page = results
    expect(page.get_by_role("heading", level=1)).to_have_text("HuaweiTSC is the best of 12 systems in BLEU")
    figure = page.locator('[class*="st-key-figure-league"] .js-plotly-plot').first
    box = figure.bounding_box()
    assert box is not None
    assert box["y"] <= 330
    texts, meeting, small = page.evaluate(READ, "league")
    assert (meeting, small) == ([], [])
    ranks = [text for text in texts[texts.index("Rank") + 1 :] if re.fullmatch(r"\d+(–\d+)?|–", text)][:15]
    assert ranks == [
        "1", "2–5", "2–8", "2–5", "2–7", "4–9", "4–10", "6–10", "5–10", "7–11", "10–12", "11–12", "–", "–", "–",
    ]  # fmt: skip
    assert {"Not ranked", "a", "b", "c", "the source, not translated", "human translation"} <= set(texts)
    assert sorted(text for text in texts if "off the axis" in text) == [
        f"{score}, off the axis" for score in ("0.9", "48.6", "74.1")
    ]
    begins = page.evaluate(BEGINS, [["HuaweiTSC", "Manifold", "LanguageX", "DLUT", "GTCOM"]])
    assert len(begins) == 5
    assert max(begins) - min(begins) < 0.5
    # A warning is said once where nothing is opened.
    seen = page.locator("[data-testid=stMain]").inner_text()
    assert seen.count("has text of reference 'refB'") <= 1


def test_on_a_phone_the_panels_stand_below_each_other_and_fit(results: Page):
    page = results
    page.set_viewport_size(PHONE)
    for key in ("scores", "cells"):
        drawn(page, key)
        found = settled(page, lambda key=key: page.evaluate(READ, key)[1:], lambda found: found == [[], []])
        assert found == [[], []]
    assert overflow(page) <= 0
    expect(page.locator('[class*="st-key-figure-league"]').first).to_be_hidden()


@pytest.mark.parametrize(("how", "second"), [("tap", "Online-B"), *slow(("click", "Manifold"))])
def test_a_cell_opens_its_pair(results: Page, how: str, second: str):
    page = results
    key = "league"
    if how == "tap":
        page.set_viewport_size(PHONE)
        key = "cells"
        drawn(page, key)
    # A tap comes to the page as a click at its place.
    page.mouse.click(*page.evaluate(POINT, [key, ["HuaweiTSC", second]]))
    page.wait_for_url("**/compare**")
    idle(page)
    # The best is the first of a pair unless the address says another.
    expect(page).to_have_url(re.compile(f"second={second}"))
    for which, name in (("First", "HuaweiTSC"), ("Second", second)):
        expect(page.get_by_role("combobox", name=which)).to_have_value(name)
    page.set_viewport_size(WIDE)
    # Below a warning, the picture still begins high up.
    expect(page.locator(".st-key-before-you-quote")).to_have_count(int(second == "Online-B"))
    box = page.locator(".st-key-wide-hero .js-plotly-plot").bounding_box()
    assert box is not None
    assert box["y"] <= 330
    page.get_by_role("link", name="Results", exact=True).first.click()
    page.wait_for_url("**/results**")


@pytest.mark.slow
def test_a_name_shows_the_differences_from_its_system(results: Page):
    page = results
    page.locator('[class*="st-key-figure-league"] .annotation-text-g').filter(has_text="LanguageX").first.click()
    leave = page.get_by_role("button", name="Differences from LanguageX ✕")
    expect(leave).to_be_visible()
    figure = page.locator('[class*="st-key-figure-league"] .js-plotly-plot').first
    expect(figure).to_contain_text("BLEU, difference from LanguageX")
    expect(page).to_have_url(re.compile("from_system=LanguageX"))
    leave.click()
    expect(figure).to_contain_text("BLEU, with 95% CI")
    expect(leave).to_have_count(0)
