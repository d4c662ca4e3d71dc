"""Every lesson and game in the page's own script and styles, without the rest of the page: locked, played, and seen."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from html import unescape
from typing import Any

import given
import pytest
from browsing import SEEN, settled
from made import made_corpus, made_ratings
from playwright.sync_api import Browser, Locator, Page, expect
from sampled import sampled, slow

from mtsig import Corpus, NotApplicable, measure, read_sample
from mtsig.lessons import GAMES, LESSONS, Classroom
from mtsig.lessons._sheets import GLOSSARY, lesson_data, part
from mtsig.lessons._stage import Bag, Curves, Facts, Labels, Lesson, Pile, Stage

MOUNT = """async ([script, styles, data]) => {
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  const style = document.createElement("style");
  style.textContent = styles;
  place.attachShadow({ mode: "open" }).append(style);
  window.end?.(); // an earlier stage may still tell something
  const told = window.told = {};
  const shelf = {};
  const localStorage = { getItem: name => shelf[name] ?? null, setItem: (name, text) => { shelf[name] = text; } };
  Object.defineProperty(window, "localStorage", { configurable: true, value: localStorage });
  window.answered = () => Object.values(JSON.parse(localStorage.getItem("mtsig-lessons") ?? "{}"));
  const component = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const tell = (name, value) => { told[name] = value; };
  window.show = data => {
    window.end = component.default({
      data: JSON.parse(data), parentElement: place.shadowRoot, setStateValue: tell, setTriggerValue: tell,
    });
  };
  window.show(data);
}"""
"""Draw a stage, given as JSON, as the page does; what it tells of itself and what it keeps are taken down."""

RED = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let red = 0;
  for (let i = 0; i < data.length; i += 4) red += data[i] > 180 && data[i + 1] < 100 && data[i + 2] < 20;
  return red;
}"""
"""How many dots of a picture are in the colour that marks."""

COLOURED = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let coloured = 0;
  for (let i = 0; i < data.length; i += 4) {
    const parts = [...data.slice(i, i + 3)];
    coloured += Math.max(...parts) - Math.min(...parts) > 60;
  }
  return coloured;
}"""
"""How many dots of a picture have a colour."""

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
    return given.room()


def mounted(
    page: Page, lesson: Lesson, room: Classroom, stage: Stage | None, shown: int = 0, refused: str = ""
) -> tuple[Locator, dict[str, Any]]:
    """Draw a stage on the projector, and return the drawing, and what it was given.

    shown: how many steps a link asks for. refused: why there is no stage.
    """
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="light")
    page.set_content("<!doctype html><style>:root { color-scheme: light dark } body { margin: 8px 12px 0 }</style>")
    nav = {"all": "", "previous": "", "next": ""}
    data = lesson_data(lesson, room, stage, nav, "It is worked out.", refused)
    data |= {"projector": True, "start": {"shown": shown, "view": ""}}
    script, styles = part("lessons.js"), part("lessons.css")
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


def replied(stage: Stage, guess: Any) -> str:
    """Return what is to be said of a guess: of a range, how much of the first pile it held."""
    low, near, high, held = stage.plain()["says_of"]
    seen = next(iter(stage.views.values()))
    if stage.ask.kind == "choice":
        return stage.replies[int(guess)]
    if stage.ask.kind == "range":
        (pile, *_) = (panel for panel in seen.panels if isinstance(panel, Pile))
        inside = sum(guess[0] <= value <= guess[1] for value in pile.values[:1_000])
        return str(held.format(count=f"{inside:,}", of="1,000", share=f"{inside / 1_000:.1%}", noun=stage.noun))
    said = []
    for place, found in enumerate(stage.found or seen.found):
        one = guess[place] if stage.ask.names else guess
        template = near if abs(one - found) <= stage.near else low if one < found else high
        texts = (f"{value:,.{stage.ask.decimals}f}".replace("-", "−") for value in (one, found))
        name = f"{stage.ask.names[place]}: " if stage.ask.names else ""
        said.append(name + template.format(**dict(zip(("guess", "found"), texts, strict=True))))
    return " ".join(said)


def cells_of(tables: Iterable[Facts]) -> int:
    return sum(len(row) for table in tables for row in table.rows)


def no_overflow_on_a_dark_phone(page: Page, data: dict[str, Any]) -> None:
    page.evaluate("data => show(data)", json.dumps(data | {"projector": False}))
    page.set_viewport_size({"width": 400, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert settled(page, lambda: page.evaluate(OVERFLOW), lambda pixels: pixels <= 0) <= 0
    # Charts took the dark colours.
    for chart in page.locator(".lessons .pile canvas").all():
        chart.scroll_into_view_if_needed()
        bright = settled(page, lambda chart=chart: chart.evaluate(BRIGHTEST), lambda bright: 200 < bright < 250)
        assert 200 < bright < 250


@sampled("lesson", LESSONS, most=3, ids=lambda lesson: lesson.name)
def test_a_lesson_is_locked_is_played_by_keyboard_and_fits(bare: Page, room: Classroom, lesson: Lesson) -> None:
    stage = given.stage(lesson.name)
    drawing, data = mounted(bare, lesson, room, stage)
    inside(bare)
    first = next(iter(stage.views))
    reveals = {name: view.reveal or stage.reveal for name, view in stage.views.items()}
    before = unescape(drawing.inner_text() + drawing.evaluate("drawn => drawn.textContent"))
    assert [text for text in (*reveals.values(), lesson.take_home, lesson.quiz.why) if text in before] == []
    tables = [panel for panel in stage.views[first].panels if isinstance(panel, Facts)]
    # What says how it comes out is not in the page yet.
    expect(drawing.locator("td")).to_have_count(cells_of(panel for panel in tables if not panel.since))
    own = all(view.found for view in stage.views.values())  # which one is one's own is chosen before
    for control in drawing.locator(".controls").locator("button, input").all():
        if own and control.evaluate("control => control.matches('.switch *')"):
            expect(control).to_be_enabled()
        else:
            expect(control).to_be_disabled()
    bare.keyboard.press("1")
    assert bare.evaluate("told") == {}
    assert bare.evaluate("answered()") == []
    commit(bare, drawing, stage)
    guess = bare.evaluate("told.guess")
    assert guess is not None
    bare.evaluate("document.activeElement.blur()")
    for _ in range(stage.steps // stage.buttons[-1] + 1):
        bare.keyboard.press(str(len(stage.buttons)))
    expect(drawing.locator(".counter")).to_have_text(re.compile(f"^{stage.steps:,} of {stage.steps:,}"))
    for slider in drawing.locator(".controls").get_by_role("slider").all():
        expect(slider).to_have_value(str(stage.steps))
    # What is told is the library's sentence, in every position of the switch.
    assert drawing.locator(".says").inner_text() == stage.views[first].says[-1]
    expect(drawing.locator(".reveal")).to_have_count(0)
    drawing.get_by_role("button", name="Reveal").press("Enter")
    assert drawing.locator(".reveal").inner_text() == reveals[first]
    assert drawing.locator(".reply").inner_text() == replied(stage, guess)
    inside(bare)
    expect(drawing.locator(".panels td")).to_have_count(cells_of(tables))
    for name, view in stage.views.items():
        if len(stage.views) > 1:
            drawing.get_by_role("button", name=name, exact=True).press("Enter")
        if view.reveal and name != first:
            drawing.get_by_role("button", name="Reveal").press("Enter")
            assert drawing.locator(".reveal").inner_text() == view.reveal
        inside(bare)
        assert drawing.locator(".says").inner_text() == view.says[-1]
        assert drawing.locator("figcaption").all_inner_texts() == [panel.title for panel in view.panels]
    what_it_ends_with(bare, drawing, lesson)
    (answer,) = bare.evaluate("answered()")
    assert answer["guess"] == guess
    assert answer["shown"] == stage.steps
    # What a class pools is what was drawn for the guess, whatever was looked at afterwards.
    assert answer["found"] == list(stage.views[first].found or stage.found)
    no_overflow_on_a_dark_phone(bare, data)


def test_a_class_pools_the_month_of_which_was_guessed(bare: Page, room: Classroom) -> None:
    stage = given.stage(LESSONS[4].name)
    drawing, _ = mounted(bare, LESSONS[4], room, stage)
    drawing.get_by_role("button", name="March", exact=True).press("Enter")
    commit(bare, drawing, stage)
    bare.evaluate("document.activeElement.blur()")
    bare.keyboard.press("3")
    drawing.get_by_role("button", name="Reveal").press("Enter")
    for month in ("January", "a difference"):
        drawing.get_by_role("button", name=month, exact=True).press("Enter")
        assert stage.views[month].found != stage.views["March"].found
        (answer,) = bare.evaluate("answered()")
        assert answer["found"] == list(stage.views["March"].found)


def what_it_ends_with(page: Page, drawing: Locator, lesson: Lesson) -> None:
    """Have said on the projector what to take home, and answer the quiz wrongly."""
    say = drawing.get_by_role("button", name="Say it")
    say.press("Enter")
    inside(page)
    assert drawing.locator(".take").inner_text() == lesson.take_home
    quiz, right = drawing.locator(".quiz"), lesson.quiz.place(lesson.number)
    assert quiz.locator("label").all_inner_texts() == list(lesson.quiz.answers(lesson.number))
    check = quiz.get_by_role("button", name="Check")
    expect(check).to_be_disabled()
    quiz.get_by_role("radio").nth(0 if right else 1).press("Space")
    check.press("Enter")
    expect(quiz.locator(".verdict")).to_have_text(f"The answer is: {lesson.quiz.right}. {lesson.quiz.why}")
    assert [answer["quiz"]["right"] for answer in page.evaluate("answered()")] == [False]
    say.press("Enter")
    expect(quiz).to_be_hidden()


@pytest.mark.slow
def test_what_is_pointed_at_is_told_in_the_library_s_words(bare: Page, room: Classroom) -> None:
    stage = given.stage(LESSONS[7].name)
    drawing, _ = mounted(bare, LESSONS[7], room, stage)
    commit(bare, drawing, stage)
    drawing.get_by_role("button", name="One pair").press("Enter")
    (curves,) = (panel for panel in stage.views["One pair"].panels if isinstance(panel, Curves))
    expect(drawing.locator(".pointed")).to_have_text("Point at the curves to see their values.")
    slide = drawing.locator(".panel.curves canvas")
    slide.focus()
    for step in (1, 2):
        bare.keyboard.press("ArrowRight")
        assert drawing.locator(".pointed").inner_text() == curves.tells[len(curves.tells) // 2 + step]
    # Piles on one axis have one scale: as many test sets take as much room, however they lie.
    drawing.get_by_role("button", name="Known truth").press("Enter")
    bare.evaluate("document.activeElement.blur()")
    bare.keyboard.press("4")
    close, distant = (pile.evaluate(COLOURED) for pile in drawing.locator(".panel.pile canvas").all())
    assert 0.8 < close / distant < 1.25
    stage = given.stage(LESSONS[1].name)
    (bag,) = (panel for panel in next(iter(stage.views.values())).panels if isinstance(panel, Bag))
    drawing, _ = mounted(bare, LESSONS[1], room, stage)
    commit(bare, drawing, stage)
    bare.evaluate("document.activeElement.blur()")
    bare.keyboard.press("2")
    pile, cells = drawing.locator(".panel.pile canvas"), drawing.locator(".panel.bag canvas")
    # The last of ten redraws has a ring in any case; the others are red when they hold the segment twice.
    red, seen = pile.evaluate(RED), []
    cells.focus()
    for cell in range(8):
        bare.keyboard.press("ArrowRight")
        assert (
            drawing.locator(".pointed").inner_text()
            == f"{bag.cells[cell]}. Marked: the draws that contain it at least twice."
        )
        seen.append(pile.evaluate(RED) > red)
    assert seen == [any(int(row[cell], 36) > 1 for row in bag.weights[:9]) for cell in range(8)]
    assert len(set(seen)) == 2


@pytest.mark.slow
def test_a_cut_off_says_its_share_and_a_word_what_it_means(bare: Page, room: Classroom) -> None:
    stage = given.stage(LESSONS[3].name)
    pile = next(iter(stage.views.values())).panels[0]
    assert isinstance(pile, Pile)
    drawing, _ = mounted(bare, LESSONS[3], room, stage)
    commit(bare, drawing, stage)
    bare.evaluate("document.activeElement.blur()")
    bare.keyboard.press("4")
    cut = drawing.locator(".cut")
    for key, presses in (("ArrowRight", 40), ("ArrowLeft", 90)):
        for _ in range(presses):
            cut.get_by_role("slider").press(key)
        place = abs(float(cut.get_by_role("slider").input_value()))
        beyond = sum(abs(value) >= place for value in pile.values)
        told = f"{beyond} of 1,000 ({beyond / 10:.1f}%) at least {place:.2f} from zero"
        expect(cut.locator("output")).to_have_text(told)
    (swaps,) = (term.says for term in GLOSSARY if "random swap" in term.words)
    word = drawing.locator("dfn:visible", has_text="random swap").first
    tip = drawing.get_by_role("tooltip")
    expect(tip).to_have_count(0)
    for shown, hidden in ((word.hover, lambda: bare.mouse.move(0, 0)), (word.focus, word.blur)):
        shown()
        expect(tip).to_have_text(swaps)
        hidden()
        expect(tip).to_have_count(0)


def test_p_is_guessed_on_a_slider_of_powers_of_ten(bare: Page, room: Classroom) -> None:
    room = replace(room, seed=8)  # its first p is .08: some swaps are hatched
    stage = GAMES[1].stage(room)
    drawing, _ = mounted(bare, GAMES[1], room, stage)
    slider, said = drawing.locator(".ask").get_by_role("slider"), drawing.locator(".ask output")
    expect(said).to_have_text("?")
    for place, p in (("-3", "0.001"), ("-2", "0.010"), ("0", "1.000"), ("-1", "0.100")):
        slider.fill(place)
        expect(said).to_have_text(p)
    swaps = drawing.locator(".panel.pile canvas").nth(1)
    assert swaps.evaluate(RED) == 0  # what counts is hatched when p is told
    cut = drawing.locator(".cut")
    expect(cut).to_be_hidden()  # and no line counts it before
    drawing.get_by_role("button", name="Lock in").click()
    asked = stage.rounds[0]
    expect(drawing.locator(".reveal")).to_have_text(asked.after)
    ((judged,),) = [answer["rounds"] for answer in bare.evaluate("answered()")]
    place = stage.ask.places.index(0.1)
    points, reply = asked.points[place], asked.replies[place]
    assert judged == {"guess": 0.1, "answer": asked.answer, "points": points, "reply": reply, "after": asked.after}
    expect(drawing.locator(".reply")).to_have_text(reply)
    assert swaps.evaluate(RED) > 0
    expect(cut).to_be_visible()
    expect(said).to_have_text("0.100")
    assert float(slider.input_value()) == -1


@pytest.mark.slow
def test_names_stay_text(bare: Page) -> None:
    hostile, sample = "<img src=x onerror=alert(1)>", read_sample()
    outputs = {hostile: sample.lines("direct"), "other": sample.lines("via-catalan")}
    corpus = Corpus.of(outputs, sample.references)
    named = Classroom(measure(corpus, "bleu"), (hostile, "other"), corpus=corpus)
    for number in (2, 3, 6, 13):
        drawing, _ = mounted(bare, LESSONS[number], named, LESSONS[number].stage(named))
        assert drawing.locator("img").count() == 0
        assert hostile in drawing.inner_text() or number == 3  # there it stands on the canvas


def test_a_lesson_that_the_data_do_not_carry_says_why(bare: Page) -> None:
    scores, lesson = Classroom(made_ratings(n=60)), LESSONS[12]
    with pytest.raises(NotApplicable) as refused:
        lesson.stage(scores)
    drawing, _ = mounted(bare, lesson, scores, None, refused=str(refused.value))
    expect(drawing.locator(".reveal")).to_have_text(str(refused.value))
    inside(bare)
    assert drawing.locator(".ask, .controls, .panel").count() == 0


def many_segments() -> Classroom:
    corpus = made_corpus(n=3000, systems=2, documents=0)
    return Classroom(measure(corpus, "bleu"), corpus=corpus)


def three_segments() -> Classroom:
    corpus = made_corpus(n=3, systems=2, documents=0)
    return Classroom(measure(corpus, "bleu"), corpus=corpus)


@pytest.mark.parametrize(
    ("data", "numbers"),
    [
        (three_segments, (1, 2, 3, 6, 8)),
        *slow((lambda: Classroom(made_ratings(n=60)), (1, 2, 4, 5)), (many_segments, (1, 2))),
    ],
)
def test_other_data_are_drawn_to_the_end(bare: Page, data: Callable[[], Classroom], numbers: tuple[int, ...]) -> None:
    other = data()
    for number in numbers:
        lesson = LESSONS[number]
        stage = lesson.stage(other)
        drawing, given = mounted(bare, lesson, other, stage, stage.steps)
        commit(bare, drawing, stage)
        (view, *_) = stage.views.values()
        assert drawing.locator(".says").inner_text() == view.says[-1]
        inside(bare)
        assert drawing.locator(".missing li").all_inner_texts() == [*stage.missing, given["about"]]
        # Where coins are not kept, labels do not look as if they stood where they were.
        lost = any(len(panel.flips) < stage.steps for panel in view.panels if isinstance(panel, Labels))
        assert ("?" in drawing.locator(".couple b").all_inner_texts()) == lost


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_tells_nothing_before_the_guess_and_fits(bare: Page, room: Classroom, game: Lesson) -> None:
    stage = given.stage(game.name)
    drawing, data = mounted(bare, game, room, stage)
    inside(bare)
    before = drawing.evaluate("drawn => drawn.textContent")
    assert not any(text in before for each in stage.rounds for text in (each.after, stage.reveal, *each.replies))
    points = 0
    for number, asked in enumerate(stage.rounds):
        assert drawing.locator(".reveal").count() == 0
        commit(bare, drawing, stage)
        assert drawing.locator(".reveal").inner_text() == asked.after
        inside(bare)
        (kept,) = bare.evaluate("answered()")
        assert len(kept["rounds"]) == number + 1
        points += kept["rounds"][-1]["points"]
        last = [stage.reveal] if asked is stage.rounds[-1] else []
        assert drawing.locator(".reply").all_inner_texts() == [kept["rounds"][-1]["reply"], *last]
        said = f"Round {number + 1} of {len(stage.rounds)}. {points} {'point' if points == 1 else 'points'} so far."
        expect(drawing.locator(".says")).to_have_text(said)
        if asked is not stage.rounds[-1]:
            drawing.get_by_role("button", name="Next round").press("Enter")
            expect(drawing.locator(".says")).to_contain_text(f"Round {number + 2} of")
    what_it_ends_with(bare, drawing, game)
    no_overflow_on_a_dark_phone(bare, data)
