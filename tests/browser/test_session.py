"""A link to data reads: what who opens it adds, stars and forgets is his own, in a browser as in the address."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import idle
from playwright.sync_api import Browser, Locator, Page, expect

FILES = {
    "ref": ["the cat sat", "a dog ran", "it rained"],
    "A": ["the cat sat", "a dog run", "it rains"],
    "B": ["cats sit", "the dog ran", "it rained"],
    "C": ["the cat sits", "a dog ran", "rain"],
}


def drop(page: Page, *names: str) -> None:
    files = [
        {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": "\n".join(FILES[name]).encode()} for name in names
    ]
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(files)  # type: ignore[arg-type]


def token_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["data"][0]


def opened(page: Page, url: str) -> None:
    page.goto(url)
    idle(page)


def systems(page: Page, number: int) -> Locator:
    return page.get_by_text(f"1 reference · {number} systems · 3 segments")


def shared(page: Page) -> Locator:
    return page.get_by_text("These data were shared with you by a link")


def own(page: Page) -> Locator:
    return page.get_by_text("Your own data")


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """A tab of another visitor's browser."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_a_link_reads_and_its_owner_alone_writes(page: Page, other: Page) -> None:
    drop(page, "ref", "A", "B")
    expect(systems(page, 2)).to_be_visible()
    expect(own(page)).to_be_visible()
    idle(page)
    link, token = page.url, token_of(page)
    # The secret is in no address, and no script reads it.
    (cookie,) = [one for one in page.context.cookies() if one["name"] == "mtsig_browser"]
    assert cookie["httpOnly"]
    assert cookie["value"] not in page.url + page.content()
    assert "mtsig_browser" not in page.evaluate("document.cookie")
    # Who has the link sees the files; what he adds is under an address of his own.
    opened(other, link)
    expect(systems(other, 2)).to_be_visible()
    expect(shared(other)).to_be_visible()
    drop(other, "C")
    expect(systems(other, 3)).to_be_visible()
    expect(own(other)).to_be_visible()
    idle(other)
    assert token_of(other) != token
    # His own page finds them again as his, and so does a second tab of his browser.
    opened(other, other.url)
    expect(systems(other, 3)).to_be_visible()
    expect(own(other)).to_be_visible()
    # The owner's page, loaded again, shows what he dropped, and is his.
    opened(page, link)
    expect(systems(page, 2)).to_be_visible()
    expect(own(page)).to_be_visible()
    # Forgetting forgets one's own: the link still opens for the other, and its owner's page goes on.
    opened(other, link)
    other.get_by_role("button", name="Forget my data").click()
    expect(other.get_by_role("button", name="Open the sample")).to_be_visible()
    opened(page, link)
    expect(own(page)).to_be_visible()
    page.get_by_role("button", name="Forget my data").click()
    expect(page.get_by_role("button", name="Open the sample")).to_be_visible()
    opened(other, link)
    expect(other.get_by_text("The data of this link were not found")).to_be_visible()
