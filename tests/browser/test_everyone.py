"""Every page, for everybody: no violation that axe-core finds, no sideways scrolling at 400 px, a title in the tab."""

import re

from axe_playwright_python.sync_playwright import Axe
from browsing import idle
from playwright.sync_api import Page

PAGES = ("data", "results", "compare", "segments", "planning", "paper", "trust", "learn", "lab")

UNDER_MORE = ("trust", "learn", "lab")

LESSON = "learn?lesson=1&shown=111"

STREAMLITS_OWN = {
    # rule: (what the element's HTML shows, why no app can change it)
    "presentation-role-conflict": ("stFileUploaderDropzone", "Streamlit's drop zone is a section that can be focused"),
}
"""Violations in Streamlit's own markup."""


AXE = Axe()

OF_COLOURS = ("color-contrast", "link-in-text-block")


STALE = """() => {
  const ink = getComputedStyle(document.querySelector("h1")).color.match(/\\d+/g)[0] > 127;
  return [...document.querySelectorAll(".js-plotly-plot :is(.xtick, .ytick, .legend, .g-xtitle, .g-ytitle) text")]
    .filter(text => (getComputedStyle(text).fill.match(/\\d+/g)[0] > 127) != ink).map(text => text.textContent);
}"""
"""Texts of figures that are dark on the dark theme or light on the light one: axe-core sees no contrast in figures."""


def violations(page: Page, *rules: str) -> list[str]:
    """Return what axe-core finds on a page by all rules, or these, but for what lies in Streamlit's own markup."""
    found = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    # What passes is not written down: of thousands of elements that takes longer than to look at them.
    options: dict[str, object] = {"resultTypes": ["violations"]}
    options |= {"runOnly": list(rules)} if rules else {}
    for violation in page.evaluate("options => axe.run(options).then(said => said.violations)", options):
        shown, _ = STREAMLITS_OWN.get(violation["id"], ("", ""))
        for node in violation["nodes"]:
            if not shown or not re.search(shown, node["html"]):
                found.append(f"{violation['id']} ({violation['impact']}): {node['html'][:200]}")
    return found


def background(page: Page) -> str:
    """Return the colour behind the page."""
    return str(page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor"))


def violations_by_day_and_night(page: Page) -> list[str]:
    """Return what axe-core finds on a page as it is, and of its colours in the dark theme; it is light again after."""
    light = background(page)
    troubles = violations(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"getComputedStyle(document.querySelector('.stApp')).backgroundColor != '{light}'")
    idle(page)
    troubles += violations(page, *OF_COLOURS)
    page.emulate_media(color_scheme="light")
    return troubles


def visit(page: Page, server: str, name: str) -> None:
    """Go to a page by its link among the titles: loading Streamlit again takes longer than all else."""
    page.set_viewport_size({"width": 1280, "height": 900})
    titles = page.get_by_role("link", name=re.compile(f"^{name}", re.IGNORECASE))
    if name in ("", "data", LESSON):
        page.goto(f"{server}/{name}{'&' if '?' in name else '?'}data=sample" if name else server)
    elif name in UNDER_MORE:
        page.get_by_test_id("stTopNavSection").get_by_text("More", exact=True).click()
        page.get_by_role("menuitem", name=name.title(), exact=True).click()
    else:
        titles.first.click()
    if name:
        page.wait_for_url(re.compile(f"/{re.escape(name)}"))
    idle(page)


def test_every_page_is_for_everybody(blank: Page, server: str) -> None:
    page = blank
    troubles, titles, wide, colours = {}, [], {}, ["light", "dark"]
    for name in ("", *PAGES, LESSON):
        visit(page, server, name)
        if name == "data":
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.textContent") == "Skip to main content"
        for colour in colours:
            before = background(page)
            page.emulate_media(color_scheme=colour)  # type: ignore[arg-type]
            if colour != colours[0]:
                page.wait_for_function(
                    f"getComputedStyle(document.querySelector('.stApp')).backgroundColor != '{before}'"
                )
                idle(page)
            outside = page.evaluate(STALE)
            assert not outside, f"{name} in {colour}: {outside}"
            # The markup is the same: what other colours change is contrast.
            troubles[f"{name} in {colour}"] = violations(page, *(OF_COLOURS if colour == "dark" else ()))
        colours.reverse()  # the next page begins with the colours that this one ends with
        titles.append(page.title())
        assert page.locator("h1").count() == 1, name
        page.set_viewport_size({"width": 400, "height": 800})
        idle(page)
        wide[name] = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
    assert not any(troubles.values()), "\n".join(f"{place}: {text}" for place in troubles for text in troubles[place])
    assert len(set(titles[1:-1])) == len(PAGES), titles
    assert set(wide.values()) == {0}, wide
