"""Reading segments as a person does: keys, a brush over a picture, a link that shows the same again."""

import re

import numpy as np
from browsing import idle
from playwright.sync_api import Page, expect

from mtsig import measure, read_sample
from mtsig.segments import contributions, leverage


def test_keys_and_brush_choose_segments_and_the_address_keeps_the_search(page: Page, server: str):
    page.goto(f"{server}/segments?data=sample")
    idle(page)
    page.keyboard.press("j")
    idle(page)
    page.keyboard.press("s")
    idle(page)
    expect(page.get_by_text("Starred only (1)")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("button", name="★ Starred")).to_have_count(1)
    # The star is in the link, which is read when it is opened: nothing but a part of the page was drawn anew since.
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_test_id("stCode")).to_contain_text(re.compile(r"stars=[0-9a-f]{12}\.\d+"), timeout=30_000)
    page.keyboard.press("Escape")
    idle(page)
    page.keyboard.press("d")
    idle(page)
    expect(page.get_by_text(re.compile("words? that the other output does not have")).first).to_be_visible()
    bars = page.locator(".st-key-figure-pushes")
    bars.scroll_into_view_if_needed()
    area = bars.locator(".nsewdrag").first.bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + 0.6 * area["width"], area["y"] + 0.3 * area["height"])
    page.mouse.down()
    page.mouse.move(area["x"] + 0.98 * area["width"], area["y"] + 0.6 * area["height"], steps=8)
    page.mouse.up()
    let_go = page.get_by_role("button", name="Let the ranges go")
    expect(let_go).to_be_visible()
    idle(page)
    told = page.get_by_text(re.compile(r"^\d+ segments? of 200$"))
    shown = told.inner_text()
    assert 0 < int(shown.split()[0]) < 100
    page.goto(page.url)
    idle(page)
    expect(told).to_have_text(shown)
    let_go.click()
    idle(page)
    expect(page.get_by_text("200 segments of 200")).to_be_visible()
    page.get_by_role("searchbox", name="Look for").fill("#5, #3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 segments of 200")).to_be_visible()
    page.goto(page.url)
    idle(page)
    expect(page.get_by_text("2 segments of 200")).to_be_visible()
    expect(page.locator(".seg-head")).to_have_count(2)
    page.get_by_role("searchbox", name="Look for").fill("")
    page.keyboard.press("Enter")
    expect(page.get_by_text("200 segments of 200")).to_be_visible()
    # A bucket: as many cards as its row says, and a link that shows the same.
    page.get_by_role("button", name="identical", exact=True).click()
    idle(page)
    (row,) = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="identical")).all()
    count = row.get_by_role("cell").first.inner_text()
    expect(page.get_by_text(f"{count} segments of 200")).to_be_visible()
    assert "bucket=identical" in page.url
    page.goto(page.url)
    idle(page)
    expect(page.get_by_text(f"{count} segments of 200")).to_be_visible()
    # From a card to all systems on its segment, and back with the same button.
    page.get_by_role("button", name="All outputs", exact=True).first.click()
    idle(page)
    expect(page.locator(".seg-card")).to_have_count(11)


_POINT = """([key, trace, value]) => {
  const graph = document.querySelector(`.st-key-${key} .js-plotly-plot`);
  const {xaxis, yaxis} = graph._fullLayout, {x, y, customdata} = graph._fullData.at(trace);
  const at = value === null ? Array.from(y).findLastIndex(height => height > 0) : Array.from(customdata).indexOf(value);
  const area = graph.querySelector(".nsewdrag").getBoundingClientRect();
  return [area.left + xaxis.d2p(x[at]), area.top + yaxis.d2p(y[at]), customdata[at]];
}"""
"""Where a point stands on the screen, and its own data: of a trace, that with this value, or the last that is no 0."""


def test_clicks_on_points_of_pictures_lead_to_their_cards(page: Page, server: str):
    page.set_viewport_size({"width": 1600, "height": 1000})
    page.goto(f"{server}/segments?data=sample&first=direct&second=via-catalan&unit=segment")
    idle(page)
    told = page.get_by_text(re.compile(r"^[\d,]+ segments? of 200$"))
    expect(told).to_have_text("200 segments of 200", timeout=30_000)

    def click(key: str, trace: int, value: int | None, up: float = 0.0) -> int:
        picture = page.locator(f".st-key-{key}")
        picture.scroll_into_view_if_needed()
        x, y, data = page.evaluate(_POINT, [key, trace, value])
        page.mouse.move(x - 5, y + up + 5)
        page.mouse.move(x, y + up, steps=3)
        page.wait_for_timeout(200)
        page.mouse.click(x, y + up)
        idle(page)
        return data

    # A segment.
    assert click("figure-scores-apart", 1, 141) == 141
    expect(told).to_have_text("1 segment of 200")
    expect(page.locator(".seg-head b").first).to_have_text("#141")
    assert "look_for=%23141" in page.url
    page.get_by_role("searchbox", name="Look for").fill("")
    page.keyboard.press("Enter")
    expect(told).to_have_text("200 segments of 200")
    idle(page)
    # A bar: as many cards as it says.
    count = click("figure-pushes", 0, None, up=3)
    expect(told).to_have_text(f"{count} segment{'' if count == 1 else 's'} of 200")
    page.get_by_role("button", name="Let the ranges go").click()
    expect(told).to_have_text("200 segments of 200")
    idle(page)
    # A point of the curve: those that are left out there; and with a button, those that turn the verdict.
    curve = leverage(contributions(measure(read_sample(), "bleu"), "direct", "via-catalan"))
    click("figure-leverage", -1, None)
    expect(told).to_have_text(f"{curve.k[np.flatnonzero(curve.difference > 0)[-1]]} segments of 200")
    page.get_by_role("button", name=re.compile(r"^Read these \d+ segments$")).click()
    idle(page)
    assert curve.holds_until is not None
    expect(told).to_have_text(f"{curve.holds_until.units} segments of 200")
