"""A lesson in a real browser: commit, draw, read; by link, by projector, by keyboard, and for everybody."""

import re

import pytest
from browsing import SEEN, downloaded, idle, settled
from playwright.sync_api import Locator, Page, ViewportSize, expect

from mtsig import measure, metric, read_sample
from mtsig.lessons import LESSONS, Classroom

PAIR = "first=via-catalan&second=via-galician"
LEFT_OUT = "The middle 95% of 1,000 resamples lie between"
MOTION = "no-preference"
"""What is told on the way is told nobody who wants no motion."""
PROJECTED: ViewportSize = {"width": 1280, "height": 720}


@pytest.fixture(autouse=True)
def _nothing_answered(blank: Page, server: str) -> None:
    """Forget what the browser kept of earlier answers: a lesson would begin with them."""
    blank.goto(f"{server}/_stcore/health")
    blank.evaluate("localStorage.clear()")


def opened(page: Page, address: str) -> Locator:
    """Open a lesson and return its drawing."""
    page.goto(address)
    expect(page.locator(".lessons .says")).not_to_be_empty()
    idle(page)
    return page.locator(".lessons")


def press(drawing: Locator, label: str) -> None:
    drawing.get_by_role("button", name=label, exact=True).click()


@pytest.mark.slow
def test_nothing_moves_and_nothing_is_told_before_the_guess(blank: Page, server: str) -> None:
    page = blank
    drawing = opened(page, f"{server}/learn?lesson=1&seed=7&data=sample&{PAIR}")
    for label in ("Draw 1", "Draw 10", "Draw 100", "Draw all 1,000", "Start again"):
        expect(drawing.get_by_role("button", name=label, exact=True)).to_be_disabled()
    assert drawing.get_by_role("heading").count() == 0
    assert LEFT_OUT not in page.locator("body").inner_text() + str(drawing.evaluate("one => one.innerHTML"))
    # Where the sliders stand at first is nobody's guess.
    expect(drawing.get_by_role("button", name="Lock in", exact=True)).to_be_disabled()
    drawing.get_by_role("slider").first.press("ArrowRight")
    press(drawing, "Lock in")
    # The score is told when the bag is full.
    press(drawing, "Draw 1")
    expect(drawing.locator(".says")).to_contain_text("The bag of resample 1 is being filled")
    assert drawing.locator(".head").inner_text() == "…"
    expect(drawing.locator(".says")).to_contain_text("1 resample: the last difference is")
    expect(drawing.locator(".head")).to_contain_text("difference")
    # How long it takes the benchmark prints: on a quiet machine 200 milliseconds and 3 seconds are allowed.
    press(drawing, "Draw 10")
    expect(drawing.locator(".counter")).to_have_text("11 of 1,000 resamples")
    press(drawing, "Draw all 1,000")
    expect(drawing.locator(".counter")).to_have_text("1,000 of 1,000 resamples")
    expect(drawing.locator(".reveal")).to_contain_text(LEFT_OUT)
    for heading in ("Say it", "Try", "Quiz"):
        expect(drawing.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("shown=1000"))
    # A draw that is pointed at shows its own bag, and a segment those that hold it twice.
    first = drawing.locator(".panel.bag canvas")
    pile = drawing.locator(".panel.pile canvas")
    pile.focus()
    pile.press("ArrowLeft")
    expect(drawing.locator(".pointed")).to_contain_text("resample 999")
    first.focus()
    first.press("ArrowRight")
    expect(drawing.locator(".pointed")).to_contain_text("Segment 1:")
    press(drawing, "Start again")
    expect(drawing.locator(".counter")).to_have_text("0 of 1,000 resamples")
    # The lesson's files come from a child process.
    page.get_by_text("Handout and notebooks of this lesson").click()
    written = downloaded(page, page.get_by_role("button", name="Jupyter")).path().read_text(encoding="utf-8")
    assert "room = Classroom.of(corpus, 'bleu', " in written
    assert f"lessons['{LESSONS[1].name}']" in written


@pytest.mark.slow
def test_a_link_finds_lesson_data_pair_seed_draws_and_projector(blank: Page, server: str) -> None:
    room = Classroom(measure(read_sample(), metric("bleu")), ("via-catalan", "via-galician"), 7)
    view = next(iter(LESSONS[1].stage(room).views.values()))
    page = blank
    page.set_viewport_size(PROJECTED)
    drawing = opened(page, f"{server}/learn?lesson=1&seed=7&data=sample&{PAIR}&shown=100&projector=true")
    # What a link shows is seen when a guess is locked in, and kept in this browser from then on.
    assert drawing.locator(".says").inner_text() == view.says[0]
    drawing.get_by_role("slider").first.press("ArrowRight")
    press(drawing, "Lock in")
    expect(drawing.locator(".says")).to_have_text(view.says[100])
    idle(page)
    drawing = opened(page, page.url)
    expect(drawing.get_by_role("button", name="Locked in")).to_be_disabled()
    expect(drawing.locator(".says")).to_have_text(view.says[100])
    assert drawing.locator(".panel").count() == len(view.panels) == 3
    texts, outside = page.evaluate(SEEN)
    assert [text for size, text in texts if size < 18] == []
    assert outside == []
    expect(page.get_by_test_id("stHeader")).to_be_hidden()


@pytest.mark.slow
def test_with_the_keyboard_alone_and_without_motion_it_ends_the_same(blank: Page, server: str) -> None:
    page, ends = blank, []
    page.set_viewport_size(PROJECTED)
    drawing = opened(page, f"{server}/learn?lesson=3&seed=7&data=sample&{PAIR}&projector=true")
    drawing.get_by_role("slider").first.focus()
    # Two numbers are asked for; with one of them it is no guess yet.
    page.keyboard.press("ArrowRight")
    expect(drawing.get_by_role("button", name="Lock in", exact=True)).to_be_disabled()
    for key in ("Tab", "ArrowRight", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(drawing.get_by_role("button", name="Swap all 1,000")).to_be_enabled()
    idle(page)  # the guess is on its way to the session
    for motion in ("no-preference", "reduce"):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        page.keyboard.press("4")
        expect(drawing.locator(".counter")).to_have_text("1,000 of 1,000 random swaps")
        cue = drawing.get_by_role("button", name="Reveal")
        if motion == "no-preference":
            cue.focus()
            page.keyboard.press("Enter")
        expect(cue).to_have_count(0)
        idle(page)
        texts = [drawing.locator(part).inner_text() for part in (".says", ".reveal", ".counter")]
        ends.append([*texts, drawing.locator("canvas").first.evaluate("canvas => canvas.toDataURL()")])
        page.keyboard.press("r")
        expect(drawing.locator(".counter")).to_have_text("0 of 1,000 random swaps")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("lesson=4"))
    assert ends[0] == ends[1]


def test_the_tour_goes_through_its_steps_and_is_offered_no_more(page: Page) -> None:
    line = page.get_by_role("button", name="A tour in three steps")
    before = page.get_by_test_id("stFileUploader").bounding_box()
    line.click()
    tour = page.locator(".tour")
    expect(tour).to_contain_text("1 of 3")
    idle(page)
    press(tour, "Next")
    expect(tour).to_contain_text("2 of 3")
    press(tour, "Next")
    expect(tour).to_contain_text("3 of 3")
    press(tour, "Done")
    expect(line).to_have_count(0)
    assert settled(page, page.get_by_test_id("stFileUploader").bounding_box, lambda box: box == before) == before


REDS = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const probe = document.createElement("i");
    canvas.after(probe);
    probe.style.color = "var(--red)";
    const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
    probe.remove();
    let found = 0;
    for (let i = 0; i < data.length; i += 4) {
        const far = [r, g, b].map((value, at) => Math.abs(data[i + at] - value));
        found += data[i + 3] > 200 && Math.max(...far) < 8;
    }
    return found;
}"""
"""How many points of a drawing have the colour of what is claimed, or wrong."""


@pytest.mark.slow
def test_the_best_has_not_the_colour_of_a_claim(blank: Page, server: str) -> None:
    drawing = opened(blank, f"{server}/learn?lesson=9&seed=7&data=sample&{PAIR}")
    drawing.get_by_role("slider").first.press("ArrowRight")
    press(drawing, "Lock in")
    crowd = drawing.locator(".panel.crowd canvas")
    says = drawing.locator(".says")
    for world in range(1, 12):
        press(drawing, "New world 1")
        expect(says).to_contain_text(f"World {world}:")
        claimed = "; 0 of 19" not in says.inner_text()
        reds = settled(blank, lambda: crowd.evaluate(REDS) > 0, lambda seen, claimed=claimed: seen == claimed)
        assert reds == claimed, says.inner_text()
        if not claimed:
            return
    raise AssertionError("Every world had a claim.")
