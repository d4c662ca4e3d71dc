"""Every page, for everybody: no violation that axe-core finds, no sideways scrolling at 400 px, a title in the tab."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import idle
from playwright.sync_api import Browser

PAGES = ("data", "results", "compare", "segments", "planning", "paper", "lab")

STREAMLITS_OWN = {
    # rule: (what the element's HTML shows, why no app can change it)
    "presentation-role-conflict": ("stFileUploaderDropzone", "Streamlit's drop zone is a section that can be focused"),
}
"""Violations in Streamlit's own markup."""


def violations(page: object) -> list[str]:
    """Return what axe-core finds on a page, but for what lies in Streamlit's own markup."""
    found = []
    for violation in Axe().run(page).response["violations"]:  # type: ignore[arg-type]
        shown, _ = STREAMLITS_OWN.get(violation["id"], ("", ""))
        for node in violation["nodes"]:
            if not shown or not re.search(shown, node["html"]):
                found.append(f"{violation['id']} ({violation['impact']}): {node['html'][:200]}")
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(browser: Browser, server: str, theme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    troubles, titles = {}, []
    for name in PAGES:
        page.goto(f"{server}/{name}?data=sample")
        idle(page)
        titles.append(page.title())
        troubles[name] = violations(page)
        assert page.locator("h1").count() == 1, name
    page.goto(server)
    idle(page)
    troubles["first page"] = violations(page)
    context.close()
    assert not any(troubles.values()), "\n".join(f"{name}: {one}" for name in troubles for one in troubles[name])
    assert len(set(titles)) == len(PAGES), titles


def test_no_page_is_wider_than_a_telephone(browser: Browser, server: str) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800})
    page = context.new_page()
    wide = {}
    for name in PAGES:
        page.goto(f"{server}/{name}?data=sample")
        idle(page)
        main = page.get_by_test_id("stMain")
        wide[name] = main.evaluate("one => one.scrollWidth - one.clientWidth")
    context.close()
    assert wide == dict.fromkeys(PAGES, 0)
