"""What a visitor does: drop files, read the verdict, click a cell, break a file."""

import io
import random
import zipfile

from browsing import idle
from made import ROOT
from playwright.sync_api import Page, expect

SAMPLE = ROOT / "sample_data" / "es-en"


def drop(page: Page, files: list[dict[str, object]] | list[str]) -> None:
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(files)
    idle(page)


def go(page: Page, title: str) -> None:
    page.get_by_role("link", name=title, exact=True).first.click()
    idle(page)


def file(name: str, lines: list[str]) -> dict[str, object]:
    return {"name": name, "mimeType": "text/plain", "buffer": ("\n".join(lines) + "\n").encode()}


def sample_lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def test_files_dropped_give_a_verdict(page: Page):
    drop(page, [
        file("direct.txt", sample_lines("systems/direct.txt")),
        file("via-esperanto.txt", sample_lines("systems/via-esperanto.txt")),
        file("ref.txt", sample_lines("refs/ref.txt")),
        file("docids.txt", sample_lines("docids.txt")),
    ])  # fmt: skip
    expect(page.get_by_text("2 systems, 1 reference, 200 segments, 20 documents.")).to_be_visible()
    page.get_by_role("button", name="See the results").click()
    idle(page)
    expect(page.get_by_text("direct is separated from every other system")).to_be_visible()
    go(page, "Compare two")
    expect(page.get_by_text("direct is better than via-esperanto by 6.29 BLEU")).to_be_visible()


def test_a_click_on_a_cell_opens_its_pair(page: Page):
    page.get_by_role("button", name="Try the sample data").click()
    idle(page)
    go(page, "Matrix")
    # Five systems, best first, and the invisible markers row by row: direct with each of the four others.
    cell = page.locator(".js-plotly-plot .scatterlayer .points .point").nth(2)
    cell.wait_for(state="attached")
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(300)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/compare**")
    idle(page)
    expect(page.get_by_text("direct is better than via-galician by 3.61 BLEU")).to_be_visible()
    assert page.get_by_test_id("stMetricValue").first.inner_text() == "−3.61"


def test_a_broken_file_is_named_and_can_be_left_out(page: Page):
    lines = sample_lines("systems/direct.txt")
    drop(page, [
        file("direct.txt", lines),
        file("longer.txt", [*lines, "an extra line"]),
        file("ref.txt", sample_lines("refs/ref.txt")),
    ])  # fmt: skip
    message = page.get_by_test_id("stAlert").first
    expect(message).to_contain_text("longer.txt")
    expect(message).to_contain_text("201 segments")
    expect(message).to_contain_text("an extra line")
    go(page, "Results")
    expect(page.get_by_test_id("stAlert").first).to_contain_text("longer.txt")


def archive(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return packed.getvalue()


def test_an_archive_is_read_and_a_broken_one_beside_it_is_told(page: Page):
    names = ["systems/direct.txt", "systems/via-esperanto.txt", "refs/ref.txt", "docids.txt"]
    whole = archive({f"set/{name}": (SAMPLE / name).read_bytes() for name in names})
    drop(page, [{"name": "set.zip", "mimeType": "application/zip", "buffer": whole}])
    expect(page.get_by_text("2 systems, 1 reference, 200 segments, 20 documents.")).to_be_visible()
    expect(page.get_by_text("Nothing was found by 15 checks. Nothing was changed.")).to_be_visible()
    nested = {"name": "more.zip", "mimeType": "application/zip", "buffer": archive({"set.zip": whole})}
    drop(page, [nested, {"name": "odd.txt", "mimeType": "text/plain", "buffer": "sí\n".encode("latin-1")}])
    message = page.get_by_test_id("stAlert").first
    expect(message.get_by_role("listitem")).to_have_count(2)
    expect(message).to_contain_text("more.zip/set.zip is a zip archive inside a zip archive")
    expect(message).to_contain_text("odd.txt is not valid UTF-8: line 1, byte 2 of the line is 0xED")
    expect(page.get_by_role("button", name="See the results")).to_have_count(0)


def test_settings_stand_in_the_address_and_a_link_reproduces_the_view(page: Page, server: str):
    page.goto(f"{server}/?correction=holm&metric=chrF2")
    idle(page)
    page.get_by_role("button", name="Try the sample data").click()
    idle(page)
    go(page, "Matrix")
    expect(page.get_by_text("corrected by Holm").first).to_be_visible()
    expect(page.get_by_text("comparisons in chrF2").first).to_be_visible()
    assert "correction=holm" in page.url


def test_the_auditor_opens_and_shows_sacrebleus_numbers(page: Page):
    page.get_by_role("button", name="Try the sample data").click()
    idle(page)
    go(page, "Compare two")
    page.get_by_text("Audit: every test side by side").click()
    idle(page)
    expect(page.get_by_text("tests separate direct and direct-us")).to_be_visible()
    expect(page.get_by_text("Riezler and Maxwell's Figure 2, as printed")).to_be_visible()
    page.get_by_text("As sacreBLEU prints it").click()
    idle(page)
    expect(page.get_by_text("To the digit of sacreBLEU")).to_be_visible()


def test_every_page_stands_on_a_narrow_screen(page: Page, server: str):
    page.get_by_role("button", name="Try the sample data").click()
    idle(page)
    for title in ("Results", "Compare two", "Matrix", "Planning"):
        page.set_viewport_size({"width": 1280, "height": 900})
        go(page, title)
        page.set_viewport_size({"width": 400, "height": 800})
        page.wait_for_timeout(400)
        wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 400, f"{title} is {wide} pixels wide on a screen of 400"
        if title == "Matrix":
            page.wait_for_timeout(600)
            boxes = page.evaluate(
                "[...document.querySelectorAll('.heatmap-label text')].map(t => t.getBoundingClientRect().width)"
            )
            cell = page.locator(".js-plotly-plot .heatmaplayer image").first.bounding_box()
            assert cell is not None
            assert boxes
            assert max(boxes) <= cell["width"] / 5, "a cell's text is wider than its cell"


def test_markup_in_a_name_stays_text_and_fetches_nothing(page: Page):
    random.seed(1)
    words = ["red", "house", "walks", "over", "seven", "green", "hills"]
    reference = [" ".join(random.choices(words, k=8)) for _ in range(30)]
    drop(page, [
        file("![x](https://example.org/a.png).txt", reference),
        file("<img src=https://example.org/b.png>.txt", [line.replace("red", "blue") for line in reference]),
        file("ref.txt", reference),
    ])  # fmt: skip
    for title in ("Results", "Compare two", "Matrix", "Planning"):
        go(page, title)
        assert page.locator("img[src*='example.org']").count() == 0
