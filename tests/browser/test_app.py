"""What a visitor does: drop files, read the verdict, click a cell, break a file."""

import csv
import io
import random
import re
import zipfile
from pathlib import Path

import pytest
from browsing import idle
from made import ROOT
from playwright.sync_api import Page, expect

SAMPLE = ROOT / "sample_data" / "es-en"

MOTION = "no-preference"
"""Most visitors do not ask for less motion."""


def drop(page: Page, files: list[dict[str, object]] | list[str]) -> None:
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(files)
    page.get_by_role("button", name="Forget my data").wait_for(timeout=60_000)
    idle(page)


def go(page: Page, title: str) -> None:
    page.get_by_role("link", name=title, exact=True).first.click()
    idle(page)


def file(name: str, lines: list[str]) -> dict[str, object]:
    return {"name": name, "mimeType": "text/plain", "buffer": ("\n".join(lines) + "\n").encode()}


def sample_lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def test_files_dropped_give_a_verdict_and_stay(page: Page):
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    expect(page).to_have_title("Data · mtsig")
    # The question stands on top as soon as the style is there, which a slow machine applies after the text.
    page.wait_for_function("document.querySelector('h1').getBoundingClientRect().y < 100")
    drop(page, [
        file("direct.txt", sample_lines("systems/direct.txt")),
        file("via-esperanto.txt", sample_lines("systems/via-esperanto.txt")),
        file("via-catalan.txt", sample_lines("systems/via-catalan.txt")),
        file("ref.txt", sample_lines("refs/ref.txt")),
        file("docids.txt", sample_lines("docids.txt")),
    ])  # fmt: skip
    expect(page.get_by_text("1 reference · 3 systems · 200 segments · 20 documents")).to_be_visible()
    page.get_by_role("button", name="Remove via-catalan.txt").click()
    idle(page)
    expect(page.get_by_text("1 reference · 2 systems · 200 segments · 20 documents")).to_be_visible()
    table = page.get_by_test_id("stDataFrame").first.bounding_box()
    way_on = page.get_by_role("button", name="See the results")
    box = way_on.bounding_box()
    assert table is not None
    assert box is not None
    assert box["y"] < table["y"]
    way_on.click()
    idle(page)
    verdict = page.get_by_text("direct is better than via-esperanto by 6.29 BLEU")
    expect(verdict).to_be_visible()
    expect(page).to_have_title("Compare two · mtsig")
    page.reload()
    idle(page)
    expect(verdict).to_be_visible()
    second = page.context.new_page()
    second.goto(page.url)
    idle(second)
    expect(second.get_by_text("direct is better than via-esperanto by 6.29 BLEU")).to_be_visible()
    page.bring_to_front()  # a tab behind another draws nothing, and is never seen to stand still
    page.go_back()
    idle(page)
    expect(page.get_by_text("1 reference · 2 systems · 200 segments · 20 documents")).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    link = page.get_by_test_id("stCode")
    expect(link).to_contain_text("of=", timeout=30_000)
    assert "data=" not in link.inner_text()
    page.get_by_text("The link opens these data too").click()
    expect(link).to_contain_text("data=", timeout=30_000)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Forget my data").click()
    idle(page)
    expect(page.get_by_role("button", name="Open the sample")).to_be_visible()
    second.bring_to_front()
    second.reload()
    idle(second)
    expect(second.get_by_text("The data of this link are no longer here")).to_be_visible()
    second.close()


def test_files_of_one_name_and_files_without_chips_can_be_removed(page: Page):
    drop(page, [
        file("direct.txt", sample_lines("systems/direct.txt")),
        file("out.txt", sample_lines("systems/via-catalan.txt")),
        file("out.txt", sample_lines("systems/via-esperanto.txt")),
        file("ref.txt", sample_lines("refs/ref.txt")),
    ])  # fmt: skip
    expect(page.get_by_text("1 reference · 3 systems · 200 segments")).to_be_visible()
    page.reload()
    idle(page)
    box = page.get_by_role("combobox", name="Remove files")
    box.click()
    page.get_by_role("option", name="out (2).txt").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove", exact=True).click()
    idle(page)
    expect(page.get_by_text("1 reference · 2 systems · 200 segments")).to_be_visible()
    page.reload()
    idle(page)
    expect(page.get_by_text("1 reference · 2 systems · 200 segments")).to_be_visible()
    page.get_by_role("button", name="Forget my data").click()
    idle(page)


def click_cell(page: Page, number: int) -> None:
    """Click a cell of the matrix: the invisible markers stand row by row, the upper triangle of five systems."""
    cell = page.locator(".js-plotly-plot .scatterlayer .points .point").nth(number)
    cell.wait_for(state="attached")
    cell.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)  # the picture takes the width that the table beside it leaves
    box = cell.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(300)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/compare**")
    idle(page)


@pytest.fixture(scope="module")
def opened(watched: tuple[Page, list[str]], server: str) -> Page:
    """The sample, opened once for the tests that follow each other here."""
    page, _ = watched
    page.goto(server)
    idle(page)
    page.get_by_role("button", name="Open the sample").click()
    idle(page)
    return page


@pytest.fixture
def sample(opened: Page, blank: Page) -> Page:
    """Results of the sample, wherever the test before went."""
    go(blank, "Results")
    return blank


def test_koehns_test_by_name_gives_a_verdict_within_two_clicks(sample: Page):
    page = sample
    koehn = page.get_by_test_id("stSidebar").get_by_text("Koehn 2004", exact=True)
    assert koehn.evaluate("label => label.scrollWidth <= label.clientWidth || !label.clientWidth")  # nothing is cut off
    koehn.click()
    idle(page)
    said = "direct is better than every other system in BLEU, by Koehn's paired bootstrap, with a caution."
    expect(page.get_by_role("heading", name=said)).to_be_visible()
    expect(page.get_by_text("in 10 to 15 of 100 cases without any difference").first).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_text("Standard", exact=True).click()
    idle(page)
    expect(page.get_by_role("heading", name="direct is better than every other system in BLEU.")).to_be_visible()


def test_the_auditor_opens_and_shows_sacrebleus_numbers(sample: Page):
    page = sample
    go(page, "Compare two")
    page.get_by_role("tab", name="Every test").click()
    idle(page)
    expect(page.get_by_text("tests separate direct and direct-us")).to_be_visible()
    row = page.get_by_text("Bootstrap test as printed (Riezler & Maxwell 2005)")
    expect(row).to_be_visible()
    expect(page.get_by_text("It assumes").last).to_be_hidden()
    # The row opens by keyboard; its p stands on a line, which a filter of the page would take from an SVG.
    page.locator(".mtsig-audit summary").last.press("Enter")
    expect(page.get_by_text("It assumes").last).to_be_visible()
    assert page.locator(".mtsig-audit .mtsig-dot").count() > 3
    page.get_by_text("As sacreBLEU prints it").click()
    idle(page)
    expect(page.get_by_text("To the digit of sacreBLEU")).to_be_visible()
    page.get_by_role("link", name="How many segments would it take?").click()
    page.wait_for_url("**/planning**")
    expect(page.get_by_text("find a true difference of 1").first).to_be_visible()


def test_a_click_on_a_cell_opens_its_pair(sample: Page):
    page = sample
    click_cell(page, 2)
    expect(page.get_by_text("direct is better than via-galician by 3.61 BLEU").first).to_be_visible()
    # Another pair, now that the page's boxes have been drawn once: it stands in the address, too.
    go(page, "Results")
    click_cell(page, 8)
    verdict = page.get_by_text("via-catalan is better than via-esperanto by 3.24 BLEU").first
    expect(verdict).to_be_visible()
    assert {"first=via-catalan", "second=via-esperanto"} <= set(page.url.partition("?")[2].split("&"))
    page.reload()
    idle(page)
    expect(verdict).to_be_visible()


def test_cells_are_read_and_opened_by_keyboard(sample: Page):
    page = sample
    page.locator(".js-plotly-plot .scatterlayer .points .point").first.wait_for(state="attached")
    line = page.get_by_role("application", name="Cells of the matrix")
    page.get_by_label("Full square").first.focus()
    for _ in range(20):  # past the buttons of the picture
        page.keyboard.press("Tab")
        if line.evaluate("line => line.matches(':focus')"):
            break
    expect(line).to_contain_text("direct minus direct-us: +0.47 BLEU. adjusted CI")
    says, marked = line.locator("[aria-live]"), page.locator(".scatterlayer .point[style*='drop-shadow']")
    for key, pair in (
        ("ArrowRight", "direct minus via-catalan"),
        ("ArrowDown", "direct-us minus via-catalan"),
        ("ArrowLeft", "direct-us minus via-catalan"),  # the first of its row
        ("End", "direct-us minus via-esperanto"),
        ("Home", "direct-us minus via-catalan"),
    ):
        page.keyboard.press(key)
        expect(says).to_contain_text(f"{pair}:")
        expect(marked).to_have_count(1)
        # Both the cell and what is said of it are in sight.
        expect(marked).to_be_in_viewport()
        expect(says).to_be_in_viewport(ratio=1)
    expect(line).to_have_accessible_description(re.compile("Arrow keys"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare**")
    idle(page)
    assert {"first=direct-us", "second=via-catalan"} <= set(page.url.partition("?")[2].split("&"))
    expect(page.get_by_text("direct-us is better than via-catalan by").first).to_be_visible()


def test_results_offer_their_numbers_and_the_differences_from_one_system(sample: Page):
    page = sample
    lines = {}
    for label in ("Scores (.csv)", "Comparisons (.csv)"):
        with page.expect_download() as offered:
            page.get_by_role("button", name=label).click()
        lines[label] = Path(offered.value.path()).read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[2] for line in lines["Scores (.csv)"][1:]] == [
        "direct", "direct-us", "via-catalan", "via-galician", "via-esperanto",
    ]  # fmt: skip
    assert lines["Comparisons (.csv)"][0].startswith("First,Second,Δ BLEU,")
    assert len(lines["Comparisons (.csv)"]) == 11
    page.get_by_text("Differences from one system").click()
    idle(page)
    expect(page.get_by_text("direct minus the row's system, in BLEU.")).to_be_visible()
    page.get_by_role("combobox", name="From").click()
    page.get_by_role("option", name="via-catalan").click()
    idle(page)
    expect(page.get_by_text("via-catalan minus the row's system, in BLEU.")).to_be_visible()
    assert "from_system=via-catalan" in page.url
    page.get_by_text("All pairs").click()
    idle(page)


def test_every_page_stands_on_a_narrow_screen(sample: Page):
    page = sample
    for title in ("Results", "Compare two", "Planning"):
        page.set_viewport_size({"width": 1280, "height": 900})
        go(page, title)
        page.set_viewport_size({"width": 400, "height": 800})
        page.wait_for_timeout(400)
        wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 400, f"{title} is {wide} pixels wide on a screen of 400"
        if title == "Results":
            page.wait_for_timeout(600)
            # A number too wide for its cell is hidden: its box has no width, or the text none of its own.
            cells = page.evaluate(
                "[...document.querySelectorAll('.barlayer .point')].map(p => ["
                "p.querySelector('path').getBoundingClientRect().width,"
                "p.querySelector('text')?.getBoundingClientRect().width ?? 0])"
            )
            assert len(cells) == 9, "of ten pairs nine are separated, and have a number"
            assert all(text <= cell for cell, text in cells), "a cell's text is wider than its cell"


RUNS = """async () => {
  const app = document.querySelector("[data-testid=stApp]");
  let runs = 0;
  const seen = new MutationObserver(() => { runs += app.dataset.testScriptState === "running"; });
  seen.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  await new Promise(done => setTimeout(done, 2000));
  seen.disconnect();
  return runs;
}"""
"""How often the page's script is run in two seconds."""


def test_a_narrow_page_of_broken_systems_stands_still(page: Page):
    good, rng = sample_lines("systems/direct.txt"), random.Random(1)
    garbage = [" ".join(f"q{rng.randrange(99)}" for _ in range(8)) for _ in good]
    page.set_viewport_size({"width": 400, "height": 800})
    drop(page, [
        file("direct.txt", good), file("empty.txt", [""] * len(good)), file("garbage.txt", garbage),
        file("ref.txt", sample_lines("refs/ref.txt")),
    ])  # fmt: skip
    for title in ("results", "compare"):
        page.goto(re.sub(r"/\w*\?", f"/{title}?", page.url))
        idle(page)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate(RUNS) == 0, title


def test_a_system_of_next_to_no_bleu_is_beaten_in_headline_table_and_matrix(page: Page):
    good, rng = sample_lines("systems/direct.txt"), random.Random(2)
    # Now and then a word of the references, and never two in their order.
    broken = [" ".join(rng.choice(["the", ".", "q"]) for _ in line.split()) for line in good]
    drop(page, [
        file("direct.txt", good), file("broken.txt", broken),
        file("via-catalan.txt", sample_lines("systems/via-catalan.txt")),
        file("ref.txt", sample_lines("refs/ref.txt")), file("docids.txt", sample_lines("docids.txt")),
    ])  # fmt: skip
    page.goto(re.sub(r"/\w*\?", "/results?", page.url))
    idle(page)
    expect(page.get_by_role("heading", name="direct is better than every other system in BLEU.")).to_be_visible()
    with page.expect_download() as offered:
        page.get_by_role("button", name="Comparisons (.csv)").click()
    rows = list(csv.DictReader(io.StringIO(Path(offered.value.path()).read_text(encoding="utf-8"))))
    verdicts = {(row["First"], row["Second"]): row["Verdict"] for row in rows}
    assert verdicts == {
        ("direct", "via-catalan"): "direct better",
        ("direct", "broken"): "direct better",
        ("via-catalan", "broken"): "via-catalan better",
    }
    page.locator(".js-plotly-plot .scatterlayer .points .point").first.wait_for(state="attached")
    said = page.get_by_role("application", name="Cells of the matrix").locator("[aria-live]")
    page.get_by_role("application", name="Cells of the matrix").focus()
    for better in ("direct", "via-catalan"):
        page.keyboard.press("End")
        expect(said).to_contain_text(f"{better} minus broken:")
        expect(said).to_contain_text(f"{better} is better")
        page.keyboard.press("ArrowDown")


def test_on_a_touch_screen_no_tools_lie_over_a_picture(sample: Page):
    page = sample
    tools = page.locator(".js-plotly-plot .modebar-container").first
    tools.wait_for(state="attached")
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setEmitTouchEventsForMouse", {"enabled": True, "configuration": "mobile"})
    browser.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        assert page.evaluate("matchMedia('(hover: none)').matches")
        expect(tools).to_have_css("display", "none")
    finally:
        browser.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        browser.send("Emulation.setEmitTouchEventsForMouse", {"enabled": False})
        browser.detach()


def test_a_choice_that_the_page_did_not_write_into_the_address_gets_there_all_the_same(sample: Page):
    page = sample
    square = page.get_by_text("Full square").first
    for wanted in (True, False, True):
        # Streamlit's page forgets widgets that came to stand elsewhere; here it cannot write at all.
        page.evaluate("history.replaceState = () => {}")
        square.click()
        idle(page)
        assert ("full_square=true" in page.url) == wanted


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
    expect(page.get_by_text("1 reference · 2 systems · 200 segments · 20 documents")).to_be_visible()
    expect(page.get_by_text("Nothing was found by 17 checks. Nothing was changed.")).to_be_visible()
    nested = {"name": "more.zip", "mimeType": "application/zip", "buffer": archive({"set.zip": whole})}
    drop(page, [nested, {"name": "odd.txt", "mimeType": "text/plain", "buffer": "sí\n".encode("latin-1")}])
    message = page.get_by_test_id("stAlert").first
    expect(message.get_by_role("listitem")).to_have_count(2)
    expect(message).to_contain_text("more.zip/set.zip is a zip archive inside a zip archive")
    expect(message).to_contain_text("odd.txt is not valid UTF-8: line 1, byte 2 of the line is 0xED")
    expect(page.get_by_role("button", name="See the results")).to_have_count(0)


def test_settings_stand_in_the_address_and_a_link_reproduces_the_view(blank: Page, server: str):
    page = blank
    page.goto(f"{server}/?correction=holm&metric=chrF2")
    idle(page)
    page.get_by_role("button", name="Open the sample").click()
    idle(page)
    go(page, "Results")
    expect(page.get_by_text("corrected by Holm").first).to_be_visible()
    expect(page.get_by_text("comparisons in chrF2").first).to_be_visible()
    assert "correction=holm" in page.url


def test_markup_in_a_name_stays_text_and_fetches_nothing(page: Page):
    random.seed(1)
    words = ["red", "house", "walks", "over", "seven", "green", "hills"]
    reference = [" ".join(random.choices(words, k=8)) for _ in range(30)]
    drop(page, [
        file("![x](https://example.org/a.png).txt", reference),
        file("<img src=https://example.org/b.png>.txt", [line.replace("red", "blue") for line in reference]),
        file("ref.txt", reference),
    ])  # fmt: skip
    for title in ("Results", "Compare two", "Planning"):
        go(page, title)
        assert page.locator("img[src*='example.org']").count() == 0
