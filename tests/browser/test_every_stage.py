"""Every lesson and game in the page's own script and styles, without the rest of the page: locked, played, and seen."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import Any

import pytest
from browsing import SEEN
from made import DASHBOARD, made_corpus, made_ratings
from playwright.sync_api import Browser, Locator, Page, expect

from mtsig import Corpus, measure, read_sample
from mtsig.lessons import GAMES, LESSONS, Classroom
from mtsig.lessons._stage import Bag, Curves, Facts, Labels, Lesson, Stage

MOUNT = """async ([script, styles, data]) => {
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  const style = document.createElement("style");
  style.textContent = styles;
  place.attachShadow({ mode: "open" }).append(style);
  const told = window.told = {}; // of this stage alone: an earlier one may still tell something
  const component = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const tell = (name, value) => { told[name] = value; };
  window.show = data => component.default({
    data: JSON.parse(data), parentElement: place.shadowRoot, setStateValue: tell, setTriggerValue: tell,
  });
  window.show(data);
}"""
"""Draw a stage, given as JSON, as the page does; what it tells of itself is taken down."""

RED = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let red = 0;
  for (let i = 0; i < data.length; i += 4) red += data[i] > 180 && data[i + 1] < 100 && data[i + 2] < 20;
  return red;
}"""
"""How many dots of a picture are in the colour that marks."""

BRIGHTEST = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let best = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) best = Math.max(best, Math.min(data[i], data[i + 1]));
  return best;
}"""
"""How bright the brightest place of a picture is: behind words on white it is 255, and words on black are darker."""

OVERFLOW = "document.querySelector('div').shadowRoot.querySelector('.lessons').scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def bare(browser: Browser) -> Iterator[Page]:
    """An empty page in a browser that is asked for less motion."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    yield page
    context.close()


@pytest.fixture(scope="module")
def room() -> Classroom:
    corpus = read_sample()
    return Classroom(measure(corpus, "bleu"), ("via-catalan", "via-galician"), 7, corpus=corpus)


def mounted(
    page: Page, stage: Stage, guess: float | list[float] | None = None, shown: int = 0
) -> tuple[Locator, dict[str, Any]]:
    """Draw a stage on the projector, begun or not, and return the drawing, and what it was given."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="light")
    page.set_content("<!doctype html><style>:root { color-scheme: light dark } body { margin: 8px 12px 0 }</style>")
    start = {"guess": guess, "shown": shown, "view": ""}
    data = {"id": "it", "title": "It", "stage": stage.plain(), "start": start, "judged": [], "projector": True}
    script, styles = ((DASHBOARD / f"lessons.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    page.evaluate(MOUNT, [script, styles, json.dumps(data)])  # playwright writes and reads long lists slowly
    return page.locator(".lessons"), data


def commit(page: Page, drawing: Locator, stage: Stage) -> None:
    """Guess and lock in, by keyboard."""
    lock = drawing.get_by_role("button", name="Lock in")
    expect(lock).to_be_disabled()
    if stage.ask.kind != "choice":
        for slider in drawing.locator(".ask").get_by_role("slider").all():
            slider.focus()
            page.keyboard.press("ArrowRight")
    elif stage.rounds:
        drawing.get_by_role("button", name="Picture 5").focus()
        page.keyboard.press("Enter")
    else:
        drawing.get_by_role("radio").first.focus()
        page.keyboard.press("Space")
    lock.focus()
    page.keyboard.press("Enter")


def inside(page: Page) -> None:
    """On the projector letters are large, and nothing is outside of the window."""
    texts, outside = page.evaluate(SEEN)
    assert len(texts) > 5
    assert [text for size, text in texts if size < 18] == []
    assert outside == []


def cells_of(tables: Iterable[Facts]) -> int:
    return sum(len(row) for table in tables for row in table.rows)


def no_overflow_on_a_dark_phone(page: Page, data: dict[str, Any]) -> None:
    page.evaluate("data => show(data)", json.dumps(data | {"projector": False}))
    page.set_viewport_size({"width": 400, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(OVERFLOW) <= 0
    # Charts took the dark colours.
    for chart in page.locator(".lessons .pile canvas").all():
        chart.scroll_into_view_if_needed()
        assert 200 < chart.evaluate(BRIGHTEST) < 250


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_is_locked_is_played_by_keyboard_and_fits(bare: Page, room: Classroom, lesson: Lesson) -> None:
    stage = lesson.stage(room)
    drawing, data = mounted(bare, stage)
    inside(bare)
    assert stage.reveal not in unescape(drawing.evaluate("drawn => drawn.outerHTML"))
    first = next(iter(stage.views))
    tables = [panel for panel in stage.views[first].panels if isinstance(panel, Facts)]
    # What says how it comes out is not in the page yet.
    expect(drawing.locator("td")).to_have_count(cells_of(panel for panel in tables if not panel.since))
    for control in drawing.locator(".controls").locator("button, input").all():
        expect(control).to_be_disabled()
    bare.keyboard.press("1")
    assert bare.evaluate("told") == {}
    commit(bare, drawing, stage)
    assert bare.evaluate("told.guess") is not None
    if stage.pace == "slider":
        drawing.locator(".controls").get_by_role("slider").focus()
        bare.keyboard.press("End")
    else:
        bare.evaluate("document.activeElement.blur()")
        for _ in range(stage.steps // stage.buttons[-1] + 1):
            bare.keyboard.press(str(len(stage.buttons)))
        expect(drawing.locator(".counter")).to_have_text(re.compile(f"^{stage.steps:,} of {stage.steps:,}"))
    # What is told is the library's sentence, in every position of the switch.
    assert drawing.locator(".says").inner_text() == stage.views[first].says[-1]
    drawing.get_by_role("button", name="Reveal").press("Enter")
    assert drawing.locator(".reveal").inner_text() == stage.reveal
    inside(bare)
    expect(drawing.locator("td")).to_have_count(cells_of(tables))
    for name, view in stage.views.items():
        if len(stage.views) > 1:
            drawing.get_by_role("button", name=name, exact=True).press("Enter")
            inside(bare)
        assert drawing.locator(".says").inner_text() == view.says[-1]
        assert drawing.locator("figcaption").all_inner_texts() == [panel.title for panel in view.panels]
    no_overflow_on_a_dark_phone(bare, data)


def test_what_is_pointed_at_is_told_in_the_library_s_words(bare: Page, room: Classroom) -> None:
    stage = LESSONS[6].stage(room)
    drawing, _ = mounted(bare, stage)
    commit(bare, drawing, stage)
    drawing.get_by_role("button", name="Your redraws").press("Enter")
    (curves,) = (panel for panel in stage.views["Your redraws"].panels if isinstance(panel, Curves))
    expect(drawing.locator(".pointed")).to_have_text("Point at the curves to read them.")
    slide = drawing.locator(".panel.curves canvas")
    slide.focus()
    for step in (1, 2):
        bare.keyboard.press("ArrowRight")
        assert drawing.locator(".pointed").inner_text() == curves.tells[len(curves.tells) // 2 + step]
    stage = LESSONS[0].stage(room)
    (bag,) = (panel for panel in stage.views[""].panels if isinstance(panel, Bag))
    drawing, _ = mounted(bare, stage)
    commit(bare, drawing, stage)
    bare.evaluate("document.activeElement.blur()")
    bare.keyboard.press("2")
    pile, cells = drawing.locator(".panel.pile canvas"), drawing.locator(".panel.bag canvas")
    # The last of ten redraws is red in any case; others are when they hold the segment twice.
    red, seen = pile.evaluate(RED), []
    cells.focus()
    for cell in range(8):
        bare.keyboard.press("ArrowRight")
        assert drawing.locator(".pointed").inner_text() == f"{bag.cells[cell]}. Marked: what holds it at least twice."
        seen.append(pile.evaluate(RED) > red)
    assert seen == [any(int(row[cell], 36) > 1 for row in bag.weights[:9]) for cell in range(8)]
    assert len(set(seen)) == 2


def test_p_is_guessed_on_a_slider_of_powers_of_ten(bare: Page, room: Classroom) -> None:
    drawing, data = mounted(bare, GAMES[1].stage(room))
    slider, said = drawing.get_by_role("slider"), drawing.locator(".ask output")
    expect(said).to_have_text("?")
    for place, p in (("-3", "0.001"), ("-2", "0.010"), ("0", "1.000"), ("-1", "0.100")):
        slider.fill(place)
        expect(said).to_have_text(p)
    drawing.get_by_role("button", name="Lock in").click()
    assert bare.evaluate("told.pick") == {"round": 0, "guess": 0.1}
    answered = {"guess": 0.1, "answer": 0.2, "points": 7, "after": "p = .2000."}
    bare.evaluate("data => show(data)", json.dumps(data | {"judged": [answered]}))
    expect(drawing.locator(".reveal")).to_have_text("p = .2000.")
    expect(said).to_have_text("0.100")
    assert float(slider.input_value()) == -1


def test_names_stay_text(bare: Page) -> None:
    hostile, sample = "<img src=x onerror=alert(1)>", read_sample()
    outputs = {hostile: sample.lines("direct"), "other": sample.lines("via-catalan")}
    corpus = Corpus.of(outputs, sample.references)
    named = Classroom(measure(corpus, "bleu"), (hostile, "other"), corpus=corpus)
    for number in (2, 3, 6, 13):
        drawing, _ = mounted(bare, LESSONS[number - 1].stage(named))
        assert drawing.locator("img").count() == 0
        assert hostile in drawing.inner_text() or number == 3  # there it stands on the canvas


def many_segments() -> Classroom:
    corpus = made_corpus(n=3000, systems=2, documents=0)
    return Classroom(measure(corpus, "bleu"), corpus=corpus)


def three_segments() -> Classroom:
    corpus = made_corpus(n=3, systems=2, documents=0)
    return Classroom(measure(corpus, "bleu"), corpus=corpus)


@pytest.mark.parametrize(
    ("data", "numbers"),
    [(three_segments, (1, 2, 3, 6, 8)), (lambda: Classroom(made_ratings(n=60)), (1, 2, 4, 5)), (many_segments, (1, 2))],
    ids=["3 segments", "scores only", "3,000 segments"],
)
def test_other_data_are_drawn_to_the_end(bare: Page, data: Callable[[], Classroom], numbers: tuple[int, ...]) -> None:
    other = data()
    for number in numbers:
        stage = LESSONS[number - 1].stage(other)
        ask = stage.ask
        guess = {"range": [ask.low, ask.high], "number": [ask.low] * len(ask.names) or ask.low, "choice": 0}[ask.kind]
        drawing, _ = mounted(bare, stage, guess, stage.steps)
        (view, *_) = stage.views.values()
        assert drawing.locator(".says").inner_text() == view.says[-1]
        inside(bare)
        assert drawing.locator(".missing li").all_inner_texts() == list(stage.missing)
        # Where coins are not kept, labels do not look as if they stood where they were.
        lost = any(len(panel.flips) < stage.steps for panel in view.panels if isinstance(panel, Labels))
        assert ("?" in drawing.locator(".couple b").all_inner_texts()) == lost


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_tells_nothing_before_the_guess_and_fits(bare: Page, room: Classroom, game: Lesson) -> None:
    stage = game.stage(room)
    drawing, data = mounted(bare, stage)
    inside(bare)
    assert not any(each.after in json.dumps(data, ensure_ascii=False) for each in stage.rounds)
    commit(bare, drawing, stage)
    assert bare.evaluate("told.pick.round") == 0
    guess = bare.evaluate("told.pick.guess")
    answered = {"guess": guess, "answer": stage.rounds[0].answer, "points": 0, "after": stage.rounds[0].after}
    data |= {"judged": [answered]}
    bare.evaluate("data => show(data)", json.dumps(data))
    assert drawing.locator(".reveal").inner_text() == stage.rounds[0].after
    inside(bare)
    no_overflow_on_a_dark_phone(bare, data)
    drawing.get_by_role("button", name="Next round").press("Enter")
    expect(drawing.locator(".says")).to_contain_text("Round 2 of")
    assert drawing.locator(".reveal").count() == 0
