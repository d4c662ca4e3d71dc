"""A file that is too large is named, also when others came with it and the page is drawn anew."""

from pathlib import Path

from browsing import idle
from playwright.sync_api import Page, expect


def test_a_file_above_the_limit_is_named_beside_those_that_were_taken(page: Page, tmp_path: Path):
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(400 * 2**20)  # holes: it takes no room
    texts = [tmp_path / name for name in ("ref.txt", "ours.txt")]
    for path in texts:
        path.write_text("one\ntwo\nthree\nfour\n", encoding="utf-8")
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files([large, *texts])
    expect(page.get_by_text("large.txt was not loaded: File must be")).to_be_visible()
    expect(page.get_by_role("button", name="Forget my data")).to_be_visible()
    idle(page)
    page.get_by_role("button", name="Continue without it").click()
    expect(page.get_by_text("large.txt was not loaded")).to_have_count(0)
    page.get_by_role("button", name="Forget my data").click()
    idle(page)
