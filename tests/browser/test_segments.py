"""Reading segments as a person does: keys, a brush over a picture, a link that shows the same again."""

import re

from browsing import idle
from playwright.sync_api import Page, expect


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
    bars = page.locator(".js-plotly-plot").nth(1)
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
