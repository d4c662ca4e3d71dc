"""Going back: one press for each page, and every page is as it was left."""

import re

import pytest
from browsing import idle, settled
from playwright.sync_api import Locator, Page, expect
from sampled import slow


@pytest.mark.parametrize("whole", [False, *slow(True)])
def test_back_takes_one_press_for_each_page_and_finds_it_as_it_was_left(blank: Page, server: str, whole: bool):
    """The short version goes from Results to Segments and back."""
    page, left = blank, []

    def went_on(name: str, way: Locator | None = None) -> None:
        left.append(page.url)
        (way or page.get_by_role("link", name=name, exact=True).first).click()
        page.wait_for_url(re.compile(rf"/{name.partition(' ')[0].lower()}\?"))
        idle(page)

    page.goto(f"{server}/{'data' if whole else 'results'}?data=sample")
    idle(page)
    if whole:
        # A button of a page leads on as its title above all pages does.
        went_on("Results", page.get_by_role("button", name=re.compile("^See (the )?results")))
    page.get_by_role("button", name="chrF2", exact=True).click()
    expect(page).to_have_url(re.compile("metric=chrF2"))
    idle(page)
    went_on("Compare two")
    page.get_by_role("button", name="⇄").click()
    expect(page).to_have_url(re.compile("first=direct-us"))
    idle(page)
    went_on("Segments")
    if whole:
        page.get_by_role("searchbox", name="Look for").fill("water")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("look_for=water"))
        idle(page)
        went_on("Planning")
    before = page.evaluate("history.length")
    for address in reversed(left):
        page.go_back()
        page.wait_for_url(address.partition("?")[0] + "?*")
        idle(page)
        wanted = said(address)
        assert settled(page, lambda: said(page.url), wanted.__eq__) == wanted
    assert page.evaluate("history.length") == before
    if not whole:
        return
    # And forward again: what the address says is what the page shows.
    for _ in range(3):
        page.go_forward()
        idle(page)
    expect(page.get_by_role("searchbox", name="Look for")).to_have_value("water")
    expect(page.get_by_role("heading", level=1)).to_contain_text("by which direct leads direct-us comes from")


def said(address: str) -> list[str]:
    """Return what an address says, in any order."""
    return sorted(address.partition("?")[2].split("&"))
