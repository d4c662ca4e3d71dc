"""Every page, for everybody: no violation that axe-core finds, no sideways scrolling at 400 px, a title in the tab.

And what axe-core does not see: whether the focus is in sight, what zoom of 200% leaves in reach, what moves.
"""

import io
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import by_link, idle, overflow, settled
from PIL import Image
from playwright.sync_api import Page, expect
from pypdf import PdfReader
from sampled import slow

PAGES = ("data", "results", "compare", "segments", "planning", "paper", "trust", "learn", "lab")

LESSON = "learn?lesson=1&shown=111"

MOST = ("data", "results", "compare", "segments", "planning", "paper")
"""Pages that the short version visits; a lesson is one of Learn, and test_trust.py has Metrics vs humans."""

TURNED = ("results", "planning", LESSON)
"""Pages that the short version sees in the other theme than the one before, while they are open."""

STREAMLITS_OWN = {
    # rule: (what the element's HTML shows, why no app can change it)
    "presentation-role-conflict": ("stFileUploaderDropzone", "Streamlit's drop zone is a section that can be focused"),
}
"""Violations in Streamlit's own markup."""


AXE = Axe()

OF_COLOURS = ("color-contrast", "link-in-text-block")


STALE = """() => {
  const ink = getComputedStyle(document.querySelector("h1")).color.match(/\\d+/g)[0] > 127;
  const stale = (element, colour) => (getComputedStyle(element)[colour].match(/\\d+/g)[0] > 127) != ink;
  const texts = ".js-plotly-plot :is(.xtick, .ytick, .legend, .g-xtitle, .g-ytitle) text";
  const inked = colour => [38, 250].map(red => `.js-plotly-plot path[style*="${colour}: rgb(${red}, "]`).join();
  return [...document.querySelectorAll(texts)].filter(text => stale(text, "fill")).map(text => text.textContent).concat(
    ...["fill", "stroke"].map(colour =>
      [...document.querySelectorAll(inked(colour))].filter(mark => stale(mark, colour)).map(mark => mark.outerHTML)));
}"""
"""Texts and marks of figures that are dark on the dark theme or light on the light one: axe-core sees none of them."""


CONTROLS = """() => {
  window.controls = [];
  const walk = root => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      if (element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }) &&
          element.matches("a[href], button, input, select, textarea, summary, [tabindex]")) controls.push(element);
    }
  };
  walk(document);
  return controls.map(({ tagName, type, role, dataset }) => [tagName, type, role, dataset.testid].join(" "));
}"""
"""Find all that the Tab key comes to, and tell of each what kind it is."""

FOCUS = """async number => {
  const control = controls[number];
  control.focus();
  control.scrollIntoView({ block: "nearest" });
  await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const { x, y, width, height } = (control.closest("label") ?? control).getBoundingClientRect();
  return [x, y, width, height];
}"""

NEXT = """() => [...document.querySelectorAll(".stMain :is([data-testid=stBaseButton-primary], .st-key-step a)")]
  .filter(one => one.checkVisibility()).map(one => {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  })"""
"""Whether what to do next, which is filled, is in the window as it opens."""

MENU = """() => {
  const button = document.querySelector("[data-testid=stExpandSidebarButton]");
  return button && JSON.parse(getComputedStyle(button, "::after").content);
}"""
"""What the button says that has the pages behind it on a phone."""

NAMED = """() => {
  const more = document.querySelector("[data-testid=stTopNavSection] p");
  return document.querySelector("header [aria-current=page]")?.textContent ?? getComputedStyle(more, "::after").content;
}"""
"""What the row of pages says of the one that is open, be it behind the last button."""

SIDES = 2
"""An outline has four sides; two at least are in the window, however large the control."""

OUT_OF_REACH = """() => {
  const elsewhere = "[data-testid=stSidebar], [data-testid=stDataFrame], [data-testid=stSkipToContent], label > span";
  const controls = [...document.querySelectorAll("button, a[href], input, summary, [role=tab]")];
  return controls.filter(control => {
    const { left, right, width } = control.getBoundingClientRect();
    return width && control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !control.closest(elsewhere) && (left < 0 || right > innerWidth);
  }).map(control => control.outerHTML.slice(0, 200));
}"""

CUT = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("[data-testid=stMain] input:placeholder-shown")].filter(input => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(input);
    pen.font = font;
    const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return input.checkVisibility() && input.clientWidth && pen.measureText(input.placeholder).width > room;
  }).map(input => input.placeholder);
}"""
"""The placeholders that their boxes have no room for."""
"""What of the controls is not between the edges of the window; tables scroll by themselves, the way past all waits."""

HEAD = """() => {
  const inSight = element => element.checkVisibility() && element.getBoundingClientRect().height;
  const controls = [...document.querySelectorAll(".st-key-bar :is(button, input, summary)")].filter(inSight);
  const last = document.querySelector(".st-key-bar-last");
  const middles = controls.filter(one => !last.contains(one)).map(one => {
    const { top, bottom } = one.getBoundingClientRect();
    return (top + bottom) / 2;
  }).sort((one, other) => one - other);
  const rows = middles.filter((middle, at) => !at || middle - middles[at - 1] > 8).length;
  const lede = [...document.querySelectorAll(".lede p")].find(inSight);
  const lines = lede ? Math.round(lede.offsetHeight / parseFloat(getComputedStyle(lede).lineHeight)) : 0;
  const left = element => element?.getBoundingClientRect().left;
  const pages = [...document.querySelectorAll("[data-testid=stTopNavLink] p")].map(left);
  return { rows, lines, margin: left(document.querySelector("h1")), pages: pages.at(0) };
}"""
"""Rows of controls before the picture, but for what to do next; lines of the lede; where title and pages begin."""

MOVES = """() => {
  const seconds = [];
  const walk = root => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const style = getComputedStyle(element);
      for (const times of [style.transitionDuration, style.animationDuration]) {
        seconds.push(...times.split(",").map(parseFloat));
      }
    }
  };
  walk(document);
  return Math.max(...seconds);
}"""
"""How many seconds the longest movement on a page takes, which no stylesheet gives in other units once computed."""


def luminance(picture: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the relative luminance of every pixel as WCAG 2 counts it; shape (rows, columns)."""
    colours = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")) / 255
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ [0.2126, 0.7152, 0.0722])


def seen_focus(page: Page, number: int) -> float:
    """Return for how many pixels, of the length of the control's shorter side, focus changes the contrast by 3 : 1."""
    window = page.viewport_size or {"width": 0, "height": 0}
    x, y, width, height = page.evaluate(FOCUS, number)
    left, top = max(0, x - 6), max(0, y - 6)
    right, bottom = min(window["width"], x + width + 6), min(window["height"], y + height + 6)
    around = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    focused = luminance(page.screenshot(clip=around))  # type: ignore[arg-type]
    page.evaluate("number => controls[number].blur()", number)
    page.wait_for_timeout(50)
    without = luminance(page.screenshot(clip=around))  # type: ignore[arg-type]
    lighter, darker = np.maximum(focused, without), np.minimum(focused, without)
    return float(((lighter + 0.05) / (darker + 0.05) >= 3).sum()) / min(width, height)


def violations(page: Page, *rules: str) -> list[str]:
    """Return what axe-core finds on a page by all rules, or these, but for what lies in Streamlit's own markup."""
    found = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    # What passes is not written down: of thousands of elements that takes longer than to look at them. Nor are all
    # stylesheets read again, which only a rule needs that is not among those that are tried.
    options: dict[str, object] = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
    options |= {"runOnly": list(rules)} if rules else {}
    for violation in page.evaluate("options => axe.run(options).then(said => said.violations)", options):
        shown, _ = STREAMLITS_OWN.get(violation["id"], ("", ""))
        for node in violation["nodes"]:
            if not shown or not re.search(shown, node["html"]):
                found.append(f"{violation['id']} ({violation['impact']}): {node['html'][:200]}")
    return found


def nothing(page: Page, script: str) -> list[str]:
    """Return what a script finds that ought to find nothing, once the page has settled."""
    return settled(page, lambda: list(page.evaluate(script)), lambda found: not found)


def background(page: Page) -> str:
    """Return the colour behind the page."""
    return str(page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor"))


def turned(page: Page, colour: str) -> None:
    """Have a page drawn in the other theme."""
    before = background(page)
    page.emulate_media(color_scheme=colour)  # type: ignore[arg-type]
    page.wait_for_function(f"getComputedStyle(document.querySelector('.stApp')).backgroundColor != '{before}'")
    idle(page)


def violations_by_day(page: Page, whole: bool = False) -> list[str]:
    """Return what axe-core finds on a light page, and if whole of its colours in the dark; it is light again after."""
    troubles = settled(page, lambda: violations(page), lambda found: not found)
    if whole:
        turned(page, "dark")
        troubles += settled(page, lambda: violations(page, *OF_COLOURS), lambda found: not found)
        page.emulate_media(color_scheme="light")
    return troubles


def visit(page: Page, server: str, name: str) -> None:
    """Go to a page, wide: the first by its address, others by their links."""
    page.set_viewport_size({"width": 1280, "height": 900})
    if name in ("", "data", LESSON):
        page.goto(f"{server}/{name}{'&' if '?' in name else '?'}data=sample" if name else server)
        idle(page)
    else:
        by_link(page, name)


@pytest.mark.parametrize("whole", [False, *slow(True)])
def test_every_page_is_for_everybody(blank: Page, server: str, whole: bool) -> None:
    """The short version looks at most pages, each in one theme and in the narrowest window."""
    page, pages = blank, PAGES if whole else MOST
    troubles, titles, wide, now = {}, [], {}, "light"
    focused: dict[str, float] = {}
    out_of_reach, moving, cut, rows, steps, menus, named, heads = {}, {}, {}, {}, {}, {}, {}, {}
    page.emulate_media(reduced_motion="reduce")
    for name in ("", *pages, LESSON):
        visit(page, server, name)
        if name == "data":
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.textContent") == "Skip to main content"
        other = "dark" if now == "light" else "light"
        for colour in (now, other) if whole else (other if name in TURNED else now,):
            if colour == now:
                idle(page)  # pictures of the page before were narrow
            else:
                turned(page, colour)
                now = colour
            outside = nothing(page, STALE)
            assert not outside, f"{name} in {colour}: {outside}"
            # The markup is the same: what other colours change is contrast.
            rules = OF_COLOURS if whole and colour == "dark" else ()
            found = settled(page, lambda rules=rules: violations(page, *rules), lambda found: not found)
            troubles[f"{name} in {colour}"] = found
        titles.append(page.title())
        assert page.locator("h1").count() == 1, name
        moving[name] = page.evaluate(MOVES)
        rows[name] = page.evaluate("document.querySelector('.st-key-bar')?.offsetHeight ?? 0")
        steps[name], named[name], heads[name, 1280] = page.evaluate(NEXT), page.evaluate(NAMED), page.evaluate(HEAD)
        page.keyboard.press("Tab")  # who uses the keyboard is shown where he is
        for number, kind in enumerate(page.evaluate(CONTROLS)):
            # What one control of a kind shows, all show; a table that is just being drawn anew loses the focus.
            if focused.get(kind, 0) < SIDES:
                focused[kind] = seen_focus(page, number)
        # 1280 pixels at 200% are 640 of a stylesheet's.
        for width, height in ((640, 450), (400, 800))[not whole :]:
            page.set_viewport_size({"width": width, "height": height})
            idle(page)
            wide[name, width] = overflow(page)
            out_of_reach[name, width] = nothing(page, OUT_OF_REACH)
            cut[name, width] = nothing(page, CUT)
        menus[name], heads[name, 400] = page.evaluate(MENU), page.evaluate(HEAD)
        if name == "compare":
            # What a phone folds is one tap away, and stays open while something in it is chosen.
            share, margin = page.get_by_role("button", name="Share"), page.get_by_role("spinbutton")
            expect(share).to_be_visible()
            expect(margin).to_be_hidden()
            page.locator(".options summary").press("Enter")
            margin.fill("0.5")
            margin.press("Enter")
            idle(page)
            expect(page.get_by_role("button", name="Download", exact=True)).to_be_visible()
            expect(page.get_by_role("button", name="chrF2", exact=True)).to_be_visible()
            page.locator(".options summary").press("Enter")
            expect(margin).to_be_hidden()
    assert not any(troubles.values()), "\n".join(f"{place}: {text}" for place in troubles for text in troubles[place])
    assert len(set(titles[1:-1])) == len(pages), titles
    assert max(wide.values()) <= 0, wide
    assert max(rows.values()) <= 48, rows  # what a page asks for stands in one row
    assert {place: head for place, head in heads.items() if head["rows"] > 1} == {}
    assert {
        (name, width): head for (name, width), head in heads.items() if head["lines"] > (3 if width == 400 else 2)
    } == {}
    # Titles and pages begin at the margin.
    assert {head["margin"] for (_, width), head in heads.items() if width == 400} == {16}
    for (name, width), head in heads.items():
        if width == 1280:
            assert (head["margin"], head["pages"]) == pytest.approx((48, 48), abs=1), name
    # One thing to do next, in sight; Learn asks for a choice of lessons, which have buttons of their own.
    assert {name: step for name, step in steps.items() if step != [True]}.keys() <= {"learn", LESSON}, steps
    assert [said for said in menus.values() if said is None] == []
    assert [f"{menus[name]} · mtsig" for name in pages] == titles[1:-1]
    assert [name for name in pages if menus[name] not in named[name]] == []
    assert not any(out_of_reach.values()), out_of_reach
    assert not any(cut.values()), cut
    assert len(focused) > 15
    assert {kind: share for kind, share in focused.items() if share < SIDES} == {}
    assert max(moving.values()) < 0.001, moving


CUT_IN_PICTURES = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap(plot => {
  const { left, right } = plot.getBoundingClientRect();
  return [...plot.querySelectorAll("text")].filter(text => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < left - 1 || box.right > right + 1);
  }).map(text => text.textContent);
})"""
"""Texts of pictures that end at the picture's edge."""


@pytest.mark.parametrize("whole", [False, *slow(True)])
def test_preferences_are_for_everybody_too(blank: Page, server: str, whole: bool) -> None:
    """The short version sees them in one theme, and prints nothing."""
    page = blank
    rows = ["item\tdocument\tjudge\tsystem_a\tsystem_b\twinner\torder"]
    for number in range(60):
        first, second = (("ada", "bly"), ("bly", "cox"), ("ada", "cox"))[number % 3]
        winner = second if number % 4 == 0 else "tie" if number % 7 == 0 else first
        rows.append(f"i{number}\td{number % 12}\tr{number % 2}\t{first}\t{second}\t{winner}\tab")
    page.goto(f"{server}/data")
    idle(page)
    file = {"name": "preferences.tsv", "mimeType": "text/plain", "buffer": "\n".join([*rows, ""]).encode()}
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="See the preferences").click()
    page.wait_for_url(re.compile("/preferences"))
    idle(page)
    expect(page.locator("h1")).to_have_text(re.compile("in Elo$"))
    assert nothing(page, CUT_IN_PICTURES) == []
    assert violations_by_day(page, whole) == []
    if whole:
        # Printed from the dark theme it is dark on white, tables too, which are pictures in the theme's colours.
        page.emulate_media(media="print", color_scheme="dark")
        canvas = page.locator("[data-testid=stDataFrame] canvas").first
        expect(canvas).to_have_css("filter", "invert(1) hue-rotate(180deg)")
        text = " ".join(PdfReader(io.BytesIO(page.pdf(format="A4"))).pages[0].extract_text().split())
        assert page.locator("h1").inner_text() in text
        assert "Share" not in text
        page.emulate_media(media="null", color_scheme="light")
        expect(canvas).to_have_css("filter", "none")
    page.set_viewport_size({"width": 400, "height": 800})
    idle(page)
    assert overflow(page) <= 0
    assert nothing(page, OUT_OF_REACH) == []
    assert nothing(page, CUT_IN_PICTURES) == []
    page.go_back()
    page.wait_for_url(re.compile("/data"))


def test_a_dark_page_prints_dark_on_white_with_its_finding_its_picture_and_its_source(blank: Page, server: str) -> None:
    page = blank
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}/results?data=sample")
    idle(page)
    expect(page.locator(".st-key-league-both .main-svg").first).to_be_visible()
    title = page.locator("h1").inner_text()
    (sheet,) = PdfReader(io.BytesIO(page.pdf(format="A4", print_background=True))).pages
    text = " ".join(sheet.extract_text().split())
    assert title in text
    for printed in ("via-esperanto", "Rank", "sha256"):
        assert printed in text
    for clicked in ("Share", "Download", "Figure for a paper", "All 10 comparisons"):
        assert clicked not in text
    page.emulate_media(media="print")
    paper = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("L"))
    assert np.percentile(paper, 20) == 255
    assert page.evaluate(STALE.replace('getComputedStyle(document.querySelector("h1")).color', '"38"')) == []
    page.emulate_media(media="screen")
