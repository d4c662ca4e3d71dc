"""Reading segments as a person does: keys, a brush over a picture, a link that shows the same again."""

import re

import numpy as np
import pytest
from browsing import idle, overflow, settled
from playwright.sync_api import Page, expect
from sampled import slow

from mtsig import measure, read_sample
from mtsig.segments import contributions, leverage


@pytest.mark.parametrize("whole", [False, *slow(True)])
def test_keys_and_brush_choose_segments_and_the_address_keeps_the_search(blank: Page, server: str, whole: bool):
    """The short version presses two keys, and does nothing with the segments that it chose."""
    page = blank
    page.goto(f"{server}/segments?data=sample")
    # Between its first runs a page on a busy machine stands still, too: a key is heard when its button is there.
    expect(page.get_by_role("button", name="Star Shortcut S")).to_be_visible()
    idle(page)
    page.keyboard.press("j")
    idle(page)
    page.keyboard.press("s")
    idle(page)
    expect(page.get_by_role("button", name="★ Starred")).to_have_count(1)
    if whole:
        # The star is in the link, which is read when it is opened: nothing but a part of the page was drawn anew since.
        page.get_by_role("button", name="Share").click()
        expect(page.get_by_test_id("stCode")).to_contain_text(re.compile(r"stars=[0-9a-f]{12}\.\d+"))
        page.keyboard.press("Escape")
        idle(page)
        page.keyboard.press("d")
        idle(page)
        expect(page.get_by_text(re.compile("words? that (is|are) not in the other output")).first).to_be_visible()
    page.get_by_text("Distribution of the contributions").click()
    bars = page.locator(".st-key-figure-pushes")
    bars.scroll_into_view_if_needed()
    area = bars.locator(".nsewdrag").first.bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + 0.6 * area["width"], area["y"] + 0.3 * area["height"])
    page.mouse.down()
    page.mouse.move(area["x"] + 0.98 * area["width"], area["y"] + 0.6 * area["height"], steps=8)
    page.mouse.up()
    let_go = page.get_by_role("button", name="Remove the ranges")
    expect(let_go).to_be_visible()
    idle(page)
    told = page.get_by_text(re.compile(r"^\d+ segments? of 200$"))
    shown = told.inner_text()
    assert 0 < int(shown.split()[0]) < 100
    if not whole:
        return
    page.goto(page.url)
    idle(page)
    expect(told).to_have_text(shown)
    let_go.click()
    idle(page)
    expect(page.get_by_text("All 200 segments", exact=True)).to_be_visible()
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


_ASKED = """() => {
  window.asked = new Set();
  const { addEventListener: add, removeEventListener: remove } = document;
  document.addEventListener = function (kind, hear, ...more) {
    if (String(hear).includes("plotly_click")) asked.add(hear);
    return add.call(this, kind, hear, ...more);
  };
  document.removeEventListener = function (kind, hear, ...more) {
    asked.delete(hear);
    return remove.call(this, kind, hear, ...more);
  };
}"""
"""Takes down who listens for clicks on pictures."""


@pytest.mark.slow
def test_clicks_on_points_of_pictures_lead_to_their_cards(blank: Page, server: str):
    page = blank
    page.set_viewport_size({"width": 1600, "height": 1000})
    page.add_init_script(f"({_ASKED})()")
    page.goto(f"{server}/segments?data=sample&first=direct&second=via-catalan&unit=segment")
    idle(page)
    told = page.get_by_text(re.compile(r"^(All [\d,]+ segments|[\d,]+ segments? of 200)$"))
    expect(told).to_have_text("All 200 segments")

    def click(key: str, trace: int, value: int | None, up: float = 0.0) -> int:
        picture = page.locator(f".st-key-{key}")
        picture.locator(".nsewdrag").first.wait_for(state="attached")
        idle(page)
        picture.scroll_into_view_if_needed()
        x, y, data = page.evaluate(_POINT, [key, trace, value])
        page.mouse.move(x - 5, y + up + 5)
        page.mouse.move(x, y + up, steps=3)
        page.wait_for_timeout(200)
        page.mouse.click(x, y + up)
        idle(page)
        return data

    def fold(name: str) -> None:
        page.get_by_text(name, exact=True).click()
        idle(page)

    # A segment.
    fold("Scores of one system against the other")
    assert click("figure-scores-apart", 1, 141) == 141
    expect(told).to_have_text("1 segment of 200")
    expect(page.locator(".seg-head b").first).to_have_text("#141")
    expect(page).to_have_url(re.compile("look_for=%23141"))
    page.get_by_role("searchbox", name="Look for").fill("")
    page.keyboard.press("Enter")
    expect(told).to_have_text("All 200 segments")
    fold("Scores of one system against the other")
    # A bar: as many cards as it says.
    fold("Distribution of the contributions")
    count = click("figure-pushes", 0, None, up=3)
    expect(told).to_have_text(f"{count} segment{'' if count == 1 else 's'} of 200")
    page.get_by_role("button", name="Remove the ranges").click()
    expect(told).to_have_text("All 200 segments")
    fold("Distribution of the contributions")
    fold("Difference without the most influential")
    # A point of the curve: those that are left out there; and with a button, those that turn the verdict.
    curve = leverage(contributions(measure(read_sample(), "bleu"), "direct", "via-catalan"))
    click("figure-leverage", -4, None)  # three labels come after it
    expect(told).to_have_text(f"{curve.k[np.flatnonzero(curve.difference > 0)[-1]]} segments of 200")
    turning = page.get_by_role("button", name=re.compile(r"^Read these \d+ segments$"))
    count = re.sub(r"\D", "", turning.inner_text())
    turning.click()
    idle(page)
    expect(told).to_have_text(f"{count} segments of 200")
    # Whatever pictures came and went, a click is told once.
    for _ in range(2):
        page.get_by_role("button", name="Filters").click()
        page.get_by_text("Only direct", exact=True).click()
        page.keyboard.press("Escape")
        idle(page)
    fold("Difference without the most influential")
    expect(page.locator(".st-key-figure-leverage .js-plotly-plot")).to_be_visible()
    assert settled(page, lambda: page.evaluate("asked.size"), lambda size: size == 1) == 1


@pytest.mark.slow
def test_the_first_card_stands_whole_in_the_window_beside_the_list_of_contributions(blank: Page, server: str):
    page = blank
    page.goto(f"{server}/segments?data=sample&first=direct&second=direct-us")
    idle(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "The whole 0.47 BLEU by which direct leads direct-us comes from 28 of 200 segments"
    )
    first = page.locator(".seg-card").first
    expect(first.locator(".seg-head b").first).to_have_text("#63")
    box = first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900
    looks = {
        word: first.get_by_text(word, exact=True).last.evaluate(
            "word => [getComputedStyle(word).textDecorationStyle, getComputedStyle(word).textDecorationColor]"
        )
        for word in ("litres", "liters", "soak")
    }
    assert looks == {
        "litres": ["solid", "rgb(45, 116, 206)"],
        "liters": ["dashed", "rgb(187, 88, 10)"],
        "soak": ["solid", "rgb(107, 123, 148)"],
    }
    # A bar of the list leads to its card, with the keyboard too; the bar of the card that is read is marked.
    bar = page.get_by_role("button", name=re.compile("^#184: "))
    bar.focus()
    page.keyboard.press("Enter")
    current = page.locator("[class*=st-key-card-][class*=-current]")
    expect(current.locator(".seg-head b").first).to_have_text("#184")
    expect(page.locator(".contributors [aria-current]")).to_have_attribute("aria-label", re.compile("^#184: "))
    # On a phone the card comes first, the list after it, and nothing is wider than the window.
    page.set_viewport_size({"width": 400, "height": 800})
    tops = [first, page.locator(".contributors")]
    card, bars = settled(page, lambda: [(one.bounding_box() or {"y": 0})["y"] for one in tops], lambda y: y[0] < y[1])
    assert card < bars
    assert overflow(page) <= 0


_FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"

_LINES = [
    # reference, and the two outputs
    ("Hello world", "<script>document.title='owned'</script> Hi", "<img src=x onerror=document.title='owned'> Hello"),
    ("A picture", "![x](http://e.invalid/x.png) picture $x^2$", "</bdi></dl></article><style>*{color:red}</style>"),
    ("שלום עולם, זהו משפט עם English באמצע.", "שלום עולם, זה משפט עם English באמצע.", "היי עולם (abc) 123."),
    ("ذهب الولد إلى المدرسة.", "ذهب الولد إلى school في 8:30.", "راح الولد إلى المدرسة."),
    ("我喜欢在北京喝茶。", "我喜欢在北京喝茶!", "我爱在北京喝咖啡。"),
    ("A family of four", f"A family {_FAMILY} cafe\u0301", "fam\u200bily \u202efour\u202c of"),
    ("one", "x" * 250_000, "word " * 50_000),
    *((f"The fox number {i} jumps.", f"The fox number {i} jumps high.", f"A fox {i} leaps.") for i in range(5)),
]  # fmt: skip


@pytest.mark.slow
def test_hostile_texts_are_read_as_they_stand_in_a_browser(page: Page):
    names = ("ref.txt", "a.txt", "b.txt")
    texts = ["\n".join(line).encode() for line in zip(*_LINES, strict=True)]
    files = [{"name": name, "mimeType": "text/plain", "buffer": text} for name, text in zip(names, texts, strict=True)]
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(files)
    page.get_by_role("button", name="Forget my data").wait_for()
    idle(page)
    page.get_by_role("link", name="Segments", exact=True).first.click()
    expect(page.get_by_text("All 12 segments", exact=True)).to_be_visible()
    page.get_by_role("searchbox", name="Look for").fill(" ".join(f"#{i}" for i in range(1, 8)))
    page.keyboard.press("Enter")
    expect(page.get_by_text("7 segments of 12")).to_be_visible()
    idle(page)
    seen = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll(".seg-card")].map(card => [
      card.querySelector("b").textContent.slice(1),
      [...card.querySelectorAll(".seg-text")].map(text => ({
        text: text.cloneNode(true).textContent, direction: getComputedStyle(text).direction, lang: text.lang,
        outside: text.getBoundingClientRect().right > card.getBoundingClientRect().right + 1,
        high: text.getBoundingClientRect().height,
      })),
    ]))""")
    assert set(seen) == set("1234567")
    for number in "12345":
        # Below the reference stand the two outputs, the better one first.
        reference, *outputs = _LINES[int(number) - 1]
        assert seen[number][0]["text"] == reference
        assert {row["text"] for row in seen[number][1:]} == set(outputs)
    assert {row["direction"] for row in seen["3"] + seen["4"]} == {"rtl"}
    assert {row["direction"] for row in seen["1"] + seen["5"]} == {"ltr"}
    assert not [row for rows in seen.values() for row in rows if row["outside"]]
    # Four code points that join into one family are one; what nobody sees has a sign.
    assert any(
        "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 cafe\u0301" in row["text"] for row in seen["6"]
    )
    assert any("fam200Bily 202Efour202C of" in row["text"] for row in seen["6"])
    # Of a line that is longer than any page a part is written, and a smaller one is seen.
    assert max(len(row["text"]) for row in seen["7"]) < 101_000
    assert max(row["high"] for row in seen["7"]) < 5_000
    expect(page).to_have_title("Segments · mtsig")
    assert page.locator(".segments :is(script, img, style, h1)").count() == 0
