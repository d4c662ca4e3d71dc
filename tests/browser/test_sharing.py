"""Share: the card comes as a file, link and sentence are in the clipboard, and nothing leaves the page."""

import io
from pathlib import Path

from browsing import downloaded, idle
from PIL import Image
from playwright.sync_api import Page, expect

REFUSING = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
"""As on a page that is not safe: plain http from another computer."""


def test_link_sentence_and_card_are_shared(blank: Page, server: str, tmp_path: Path):
    blank.context.grant_permissions(["clipboard-read", "clipboard-write"])
    blank.goto(f"{server}/compare?data=sample&first=direct&second=direct-us&metric=chrF2")
    idle(blank)
    title = blank.locator("h1").inner_text()
    sent: list[str] = []
    blank.on("request", lambda request: sent.append(request.url))
    blank.get_by_role("button", name="Share").click()
    expect(blank.get_by_role("button", name="Copy sentence")).to_be_visible()
    blank.evaluate("window.readClipboard = navigator.clipboard.readText.bind(navigator.clipboard)")
    for refused in (False, True):
        if refused:
            blank.evaluate("navigator.clipboard.writeText('')")
            blank.evaluate(REFUSING)
        for button, begins in (("Copy link", f"{server}/compare?data=sample"), ("Copy sentence", title)):
            blank.get_by_role("button", name=button).click()
            expect(blank.get_by_text("Copied.")).to_be_visible()
            blank.wait_for_function(f"async () => (await readClipboard()).startsWith({begins!r})")
        assert "data sha256 46f0c497" in blank.evaluate("readClipboard()")
    downloaded(blank, blank.get_by_role("button", name="Download card")).save_as(tmp_path / "card.png")
    picture = Image.open(io.BytesIO((tmp_path / "card.png").read_bytes()))
    assert picture.size == (1200, 630)
    assert picture.info["Title"] == title
    # Where every way is refused, the text is shown, marked.
    blank.evaluate("document.execCommand = () => false")
    blank.get_by_role("button", name="Copy sentence").click()
    shown = blank.get_by_role("textbox", name="To copy")
    assert shown.input_value().startswith(f"{title}. ")
    expect(blank.get_by_text("The browser did not allow copying. Copy the selected text yourself.")).to_be_visible()
    assert [url for url in sent if not url.removeprefix("blob:").startswith(server)] == []
