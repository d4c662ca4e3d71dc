"""Compare two in a real browser: what stands where, whose colours it has, and what a swap changes."""

import io
import re
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from browsing import idle, of_pair, overflow
from playwright.sync_api import Page, expect

BARS = """() => [...document.querySelectorAll("[data-testid=stPlotlyChart] .js-plotly-plot")]
  .filter(plot => plot.checkVisibility())
  .flatMap(plot => plot.data.filter(trace => trace.type === "bar" && trace.customdata)
    .map(({marker, customdata, x, width}) => ({colour: marker.color, counts: [...customdata], x: [...x], width})))"""
"""The bars of the picture in sight, as they were drawn."""

COLOURED = """[...document.querySelectorAll(".js-plotly-plot text")].some(
  one => one.textContent.includes(text) && one.checkVisibility() && getComputedStyle(one).fill === colour)"""
"""Whether a text of a picture in sight has this colour yet."""

FIRST, SECOND = "#2d74ce", "#bb580a"


def zipped(texts: dict[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name, text in texts.items():
            packed.writestr(name, text)
    return content.getvalue()


def opened(page: Page, texts: dict[str, str]) -> str:
    """Drop files, and return the address of Compare two with them, to which a pair is added."""
    files = page.get_by_test_id("stFileUploader").locator("input[type=file]")
    files.set_input_files([{"name": "set.zip", "mimeType": "application/zip", "buffer": zipped(texts)}])
    expect(page).to_have_url(re.compile("data="))
    idle(page)
    parts = urlsplit(page.url)
    return f"{parts.scheme}://{parts.netloc}/compare?{urlencode({'data': parse_qs(parts.query)['data'][0]})}"


def at_pair(page: Page, address: str, **asked: str) -> None:
    page.goto(f"{address}&{urlencode(asked)}")
    expect(page.get_by_test_id("stMain").locator(".js-plotly-plot, .st-key-same").first).to_be_attached()
    idle(page)


def hero(page: Page) -> dict[str, float]:
    box = page.locator(".st-key-wide-hero .js-plotly-plot").bounding_box()
    assert box is not None
    return dict(box)


def test_a_real_pair_too_close_to_call(page: Page, shared: Path) -> None:
    folder = shared / "data" / "wmt21-ru-en"
    if not folder.is_dir():
        pytest.skip("the data of WMT21 Russian–English are not here")
    systems = [folder / "systems" / f"{name}.txt" for name in ("Facebook-AI", "NiuTrans", "Online-Y")]
    paths = [*systems, *folder.glob("refs/*.txt"), folder / "docids.txt"]
    address = opened(page, {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths})
    at_pair(page, address, first="Facebook-AI", second="NiuTrans", worth="0.5")
    expect(page.locator("h1")).to_have_text("Facebook-AI and NiuTrans: too close to call")
    box = hero(page)
    assert box["y"] <= 330
    assert box["y"] + box["height"] <= 800
    by_colour = {one["colour"]: one for one in page.evaluate(BARS)}
    assert sum(by_colour[SECOND]["counts"]) == 627
    assert sum(by_colour[FIRST]["counts"]) == 9_373
    for one in by_colour.values():
        assert all((x - one["width"] / 2) * (x + one["width"] / 2) >= 0 for x in one["x"])
    plot = page.locator(".st-key-wide-hero")
    for text in ("6.3%", "93.7%", "−0.24", "+1.79", "within ±0.5"):
        expect(plot.locator("text", has_text=text).first).to_be_visible()
    # Each side has its own colour, lighter on the dark theme.
    for theme, second, first in (
        ("light", "rgb(154, 68, 4)", "rgb(29, 92, 174)"), ("dark", "rgb(240, 171, 102)", "rgb(143, 189, 245)")
    ):  # fmt: skip
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        for text, colour in (("6.3%", second), ("93.7%", first)):
            page.wait_for_function("([text, colour]) => " + COLOURED, arg=[text, colour])
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 800, "height": 800})
    expect(page.locator(".st-key-wide-hero .js-plotly-plot")).to_be_visible()
    page.set_viewport_size({"width": 400, "height": 800})
    idle(page)
    expect(page.locator(".st-key-narrow-hero .js-plotly-plot")).to_be_visible()
    assert overflow(page) <= 0
    page.set_viewport_size({"width": 1280, "height": 900})

    at_pair(page, address, first="Facebook-AI", second="Online-Y")
    expect(page.locator("h1")).to_have_text("Facebook-AI beats Online-Y by 11.8 BLEU")
    for text in ("All 10,000", "axis broken between 0 and 9"):
        expect(page.locator(".st-key-wide-hero text", has_text=text).first).to_be_visible()


@pytest.mark.slow
def test_a_swap_mirrors_the_picture_and_exchanges_the_colours(blank: Page, server: str) -> None:
    page = blank
    at_pair(page, f"{server}/compare?data=sample", first="via-catalan", second="via-galician")
    there = {one["colour"]: sum(one["counts"]) for one in page.evaluate(BARS)}
    assert set(there) == {FIRST, SECOND}
    page.get_by_role("button", name="⇄").click()
    idle(page)
    back = {one["colour"]: sum(one["counts"]) for one in page.evaluate(BARS)}
    assert back == {FIRST: there[SECOND], SECOND: there[FIRST]}
    expect(page).to_have_url(of_pair("via-galician", "via-catalan"))
