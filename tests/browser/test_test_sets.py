"""Several test sets in a real browser: dropped as one archive, drawn, and each opened by a click on its row."""

import io
import re
import zipfile

import pytest
from browsing import downloaded, idle, overflow
from made import made_corpus
from playwright.sync_api import Page, expect
from sampled import slow
from test_everyone import HEAD, violations_by_day

NAMES = ("en-cs", "en-de", "en-fr", "en-it", "en-ru")


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for seed, name in enumerate(NAMES):
            corpus = made_corpus(40, 4, 20, seed=seed, of=f"{seed}-")
            texts = {f"systems/{system}.txt": output for system, output in corpus.outputs.items()}
            texts |= {"refs/ref0.txt": corpus.references["ref0"], "docids.txt": corpus.documents or ()}
            for file, lines in texts.items():
                packed.writestr(f"{name}/{file}", "".join(f"{line}\n" for line in lines))
    return content.getvalue()


@pytest.mark.parametrize("whole", [False, *slow(True)])
def test_several_sets_are_dropped_looked_at_and_opened(page: Page, whole: bool) -> None:
    """The short version sees the page in one theme, and takes no file."""
    files = page.get_by_test_id("stFileUploader").locator("input[type=file]")
    files.set_input_files([{"name": "wmt.zip", "mimeType": "application/zip", "buffer": archive()}])
    page.get_by_role("button", name="See the test sets").click()
    expect(page.get_by_role("heading", name="on average over 5 test sets")).to_be_visible()
    idle(page)
    expect(page).to_have_title("Test sets · mtsig")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)

    assert violations_by_day(page, whole) == []
    for width in (400, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        idle(page)
        assert overflow(page) <= 0
        head = page.evaluate(HEAD)
        assert (head["rows"], head["lines"] <= (3 if width == 400 else 2)) == (1, True), head

    # One of the two pictures is for this window.
    pictures = page.locator(".js-plotly-plot")
    for which, count in ((pictures, 2), (pictures.filter(visible=True), 1)):
        expect(which).to_have_count(count)
    expect(pictures.first).to_be_visible()
    # A file of the picture's numbers.
    if whole:
        page.get_by_role("button", name="Download", exact=True).click()
        numbers = page.get_by_role("button", name="Set by set (.csv)")
        expect(numbers).to_be_visible()
        assert downloaded(page, numbers).suggested_filename == "test-sets-forest.csv"
        page.keyboard.press("Escape")

    page.get_by_role("radio", name="By name").click()
    expect(page).to_have_url(re.compile("set_order=By.*name"))
    idle(page)
    rows = page.locator(".js-plotly-plot").first.locator(".annotation-text").filter(has_text=re.compile("^en-"))
    expect(rows).to_have_text([*NAMES])

    of_sets = page.locator(".js-plotly-plot").first.locator(".trace:has(.point ~ .point ~ .point ~ .point)").last
    row = of_sets.locator(".point").nth(2)  # en-de has another verdict, and a trace of its own
    row.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    box = row.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(300)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/compare**")
    expect(page).to_have_url(re.compile("set=en-it"))
