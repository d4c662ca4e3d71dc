"""Lessons as pages of their own, opened as files: played to the end, with no request to anything."""

import asyncio
import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import given
import pytest
from playwright.sync_api import Browser, Page, Playwright, expect
from sampled import slow
from tornado.websocket import websocket_connect

from mtsig.lessons import GAMES, LESSONS, kit_files
from mtsig.lessons._stage import Lesson

PLAYED = (3, 5, 12)
"""By buttons, by a slider, and by hand."""

LOCK = """(async () => {
  const until = async found => {
    for (let tries = 0; !found() && tries < 600; tries++) await new Promise(done => setTimeout(done, 50));
    return found();
  };
  const root = await until(() => document.getElementById("place")?.shadowRoot?.querySelector(".lessons"));
  const all = selector => [...root.querySelectorAll(selector)];
  const before = root.textContent;
  for (const input of all(".ask input")) {
    if (input.type === "radio") { if (input.value === "0") input.click(); }
    else { input.value = input.min; input.dispatchEvent(new Event("input")); }
  }
  root.querySelector(".line-up button")?.click();
  root.querySelector(".lock").click();
"""
"""Guess and lock in."""

LOOK = """
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    loaded: performance.getEntriesByType("resource").map(one => one.name),
  });
})()"""
"""How wide the page is, and what it loaded."""

PLAY = (
    LOCK
    + """
  for (const input of all(".controls input")) { input.value = input.max; input.dispatchEvent(new Event("input")); }
  const counter = () => root.querySelector(".counter").textContent;
  for (const button of all(".controls > button").slice(0, -1).reverse()) {
    if (root.querySelector(".reveal")) break;
    button.click();
    await until(() => root.querySelector(".says").ariaBusy !== "true");
  }
  await until(() => root.querySelector(".reveal"));
  // Pictures are drawn when the browser has laid them out, which may be later than what a slider tells at once.
  const drawn = () => all("canvas").filter(one => {
    const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
    return data.some(value => value);
  }).length;
  await until(() => drawn() === all("canvas").length);
  const text = selector => root.querySelector(selector)?.textContent ?? "";
  return JSON.stringify({
    before, reveal: text(".reveal"), take: text(".take"), counter: counter(),
    kept: Object.values(JSON.parse(localStorage.getItem("mtsig-lessons") ?? "{}")).map(one => one.lesson),
    drawn: drawn(),
    canvases: all("canvas").length,"""
    + LOOK
)

LOCKED = (
    LOCK
    + """
  return JSON.stringify({
    before, told: root.querySelectorAll(".ask.locked").length, after: root.querySelectorAll(".reveal").length,"""
    + LOOK
)


def written(place: Path, lessons: Iterable[Lesson]) -> Path:
    """Write the pages of these lessons into a folder, and return it."""
    for name, page in kit_files(given.room(), ["web"], [*map(given.worked_out, lessons)])[0].items():
        (place / name).write_bytes(page)
    return place


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("lessons"), (LESSONS[number] for number in PLAYED))


def check(found: dict[str, Any], number: int) -> None:
    stage = given.stage(LESSONS[number].name)
    assert found["reveal"] == stage.reveal
    assert found["take"] == LESSONS[number].take_home
    assert stage.reveal not in found["before"]
    assert found["canvases"] == found["drawn"] > 0 or number == 12
    assert (found["loaded"], found["wide"], number in found["kept"]) == ([], 0, True)


@pytest.mark.slow
def test_what_is_turned_to_after_all_draws_says_what_it_shows(browser: Browser, folder: Path) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page, views = context.new_page(), given.stage(LESSONS[3].name).views
    page.goto(next(folder.glob("03-*")).as_uri())
    page.evaluate(PLAY)
    for place, (name, view) in enumerate(views.items()):
        page.get_by_role("button", name=name, exact=True).click()
        # Of the first one that was read before the first draw.
        said = (*view.says[:1] * (place > 0), view.says[-1])
        expect(page.locator(".says")).to_have_text(" ".join(said))
    # Where a slider has to be moved to its end, a button does it.
    page.goto(next(folder.glob("05-*")).as_uri())
    page.evaluate(LOCKED)
    page.get_by_role("button", name="Take all 11", exact=True).click()
    expect(page.locator(".controls").get_by_role("slider")).to_have_value("11")
    expect(page.locator(".reveal")).to_contain_text("four times as many")
    context.close()


def test_pages_of_their_own_are_played_from_files(browser: Browser, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    opened = sorted(folder.iterdir())
    for number, file in zip(PLAYED, opened, strict=False):
        page.goto(file.as_uri())
        check(json.loads(page.evaluate(PLAY)), number)
    page.goto((folder / "index.html").as_uri())
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download my answers").click()
    own = waiting.value.path().read_bytes()
    page.locator("summary", has_text="For the teacher").click()
    said = pooled(page, {"answers.json": own, "answers (1).json": own})
    assert "answers (1).json contains the same answers as answers.json; both are counted." in said
    assert [said.count(f"{number} · {LESSONS[number].title}") for number in (*PLAYED, 1)] == [1, 1, 1, 0]
    page.get_by_role("button", name=LESSONS[5].title).click()
    page.wait_for_url("**/05-size-law.html")
    assert (wrong, set(asked)) == ([], {file.as_uri() for file in opened})
    context.close()


@pytest.mark.parametrize("lessons", [(*LESSONS[::6], GAMES[0]), *slow(((*LESSONS, *GAMES),))], ids=len)
def test_every_page_of_its_own_opens_from_a_file_and_takes_a_guess(
    browser: Browser, tmp_path: Path, lessons: Sequence[Lesson]
) -> None:
    whole = written(tmp_path, lessons)
    context = browser.new_context(viewport={"width": 400, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    files = sorted(whole.glob("[0-9]*.html"))
    for lesson, file in zip(lessons, files, strict=True):
        page.goto(file.as_uri())
        found = json.loads(page.evaluate(LOCKED))
        assert (found["told"], found["after"], found["loaded"]) == (1, int(lesson.is_game), []), lesson.name
        assert found["wide"] <= 0, lesson.name
        assert lesson.question in found["before"]
        assert lesson.take_home not in found["before"]
    page.goto((whole / "index.html").as_uri())
    assert page.locator("button.card").count() == page.locator("details.quiz li").count() == len(files)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert (wrong, asked) == ([], [file.as_uri() for file in (*files, whole / "index.html")])
    context.close()


@pytest.mark.slow
def test_the_whole_quiz_is_taken_on_the_page_of_the_course(browser: Browser, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, reduced_motion="reduce")
    page, lessons = context.new_page(), [LESSONS[number] for number in PLAYED]
    page.goto((folder / "index.html").as_uri())
    quiz, said = page.locator("details.quiz"), page.locator("details.quiz [role=status]")
    page.keyboard.press("Tab")
    quiz.locator("summary").focus()
    page.keyboard.press("Enter")
    assert quiz.locator("li").count() == len(lessons)
    expect(quiz.get_by_role("button", name="Hand in")).to_be_disabled()
    expect(said).to_be_hidden()
    for answered, right in ((1, "1"), (3, "1, then 3")):
        for lesson, item in list(zip(lessons, quiz.locator("li").all(), strict=True))[:answered]:
            assert lesson.exam.question in item.inner_text()
            assert item.evaluate("item => item.value") == lesson.number + 1  # as plans call it
            assert item.locator("label").all_inner_texts() == list(lesson.exam.answers(lesson.number))
            radio = item.get_by_role("radio").nth(lesson.exam.place(lesson.number))
            expect(radio).to_be_visible()  # in a box that opens late nothing can be focused
            radio.focus()
            page.keyboard.press("Space")
            expect(radio).to_be_checked()
        page.wait_for_timeout(500)  # Chromium writes down beside the page what that keeps
        page.reload()  # what was picked is still there
        quiz.locator("summary").click()
        expect(quiz.locator(":checked")).to_have_count(answered)
        quiz.get_by_role("button", name="Hand in").focus()
        page.keyboard.press("Enter")
        expect(said).to_contain_text(f"Right answers out of 3: {right}.")
        # Which answer is right the lessons tell, and what was picked is not seen by who comes next.
        assert quiz.locator(":checked").count() == 0
        assert not any(lesson.exam.why in page.content() for lesson in lessons)
        ways = quiz.locator("p button").all_inner_texts()
        assert ways == [f"{lesson.number} · {lesson.title}" for lesson in lessons[answered:]]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.reload()
    page.locator("details.quiz summary").click()
    expect(said).to_have_text("Right answers out of 3: 1, then 3.")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download my answers").click()
    page.locator("summary", has_text="For the teacher").click()
    told = pooled(page, {"answers.json": waiting.value.path().read_bytes()})
    assert "submitted by 1: on average, 1.0 right answers the first time, and 3.0 the last time" in told
    page.get_by_role("button", name="Forget my answers").click()
    expect(said).to_be_hidden()
    context.close()


def pooled(page: Page, files: Mapping[str, bytes]) -> str:
    """Return what the course says of these files of a class, after everything is drawn."""
    chosen = [{"name": name, "mimeType": "application/json", "buffer": text} for name, text in files.items()]
    page.locator(".pool").evaluate("pool => pool.replaceChildren()")
    page.get_by_label("Answer files").set_input_files(chosen)  # type: ignore[arg-type]
    expect(page.locator(".pool")).not_to_be_empty()
    page.evaluate("new Promise(requestAnimationFrame)")
    return page.locator(".pool").inner_text()


NUMBER = {"kind": "number", "low": 0, "high": 1}
CHOICE = {"kind": "choice", "options": ["yes", "no"]}


def answer(**more: Any) -> dict[str, Any]:
    return {"lesson": 5, "title": "honest", "question": "How many?", "asked": NUMBER, "guess": 0.5} | more


DEEP = b'[{"lesson": 5, "guess": 1, "asked": {"kind": "number", "low": 0, "high": 1, "x": %s1%s}}]'

HOSTILE: Mapping[str, bytes] = {
    "<img src=x onerror=alert(1)>.json": b"<b>",
    "empty.json": b"",
    "null.json": b"null",
    "strangers.json": b'[null, 1, "x", [], {"lesson": 99}, {"lesson": {}}, {"lesson": 5, "quiz": 7}]',
    "large.json": b"[%s]" % (b" " * 2**20),
    "deep.json": b"[" * 200_000,
    "deep_question.json": DEEP % (b"[" * 100_000, b"]" * 100_000),
    **{
        f"{number}.json": json.dumps([one]).encode()
        for number, one in enumerate([
            answer(title="<img src=x>" * 1000, question="<img src=x onerror=alert(1)>" * 9000),
            answer(question={"toString": 1, "valueOf": 1}, title={"toString": 1}),
            answer(asked={**NUMBER, "low": 1e16, "high": 1e16 + 2}), answer(asked={**NUMBER, "high": 1e-200}),
            answer(asked={**NUMBER, "low": 2}), answer(asked={**NUMBER, "low": -1e308, "high": 1e308}),
            answer(guess=[1e300, None, "x", [1]], found=[1e-300] * 5000), answer(found={"length": 1e9}),
            answer(asked={**CHOICE, "options": ["x"] * 50_000}, guess=1), answer(asked=CHOICE, guess={"a": 1}),
            answer(asked={**CHOICE, "options": [{"toString": 1}, None]}), answer(asked=[]), answer(asked="choice"),
            {"times": []}, {"times": {"length": 9}}, {"times": [None, {"right": True}]},
            {"times": [[{"right": True}] * 2, [{"right": True}, {"right": 1}, None]]},
            {"times": [[], [{"right": True}] * 3]},
        ])
    },
}  # fmt: skip
"""Files of answers that somebody in a class made by hand."""


@pytest.mark.slow
def test_what_a_class_sends_is_pooled_within_bounds(browser: Browser, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((folder / "index.html").as_uri())
    page.locator("summary", has_text="For the teacher").click()
    honest = {f"h{n}.json": json.dumps([answer(found=[n / 9], quiz={"right": n < 3})]).encode() for n in range(9)}
    said = pooled(page, HOSTILE | honest)
    assert "How many?" in said
    assert "Quiz: 3 of 10 right." in said
    assert "honest" not in said
    assert "Whole quiz, submitted by 3: on average, 0.7 right answers the first time, and 1.3 the last time." in said
    for name in ("<img src=x onerror=alert(1)>.json", "empty.json", "null.json", "large.json", "deep.json"):
        assert f"{name} is not an answer file" in said
    assert len(said) < 3000
    assert page.locator(".pool img").count() == 0
    for name, text in HOSTILE.items():
        pooled(page, {name: text})
    assert pooled(page, {f"{n}.json": b"[]" for n in range(400)}).startswith("1.json contains the same answers")
    assert wrong == []
    context.close()


Script = tuple[Path, str]
"""A page, and what is run on it; it comes to JSON."""


@pytest.fixture
def in_firefox(driver: Playwright, tmp_path: Path) -> Iterator[Callable[[list[Script]], list[dict[str, Any]]]]:
    """What opens pages in a Firefox without a window, one after the other, and returns what came of their scripts.

    In playwright's own Firefox where that is installed: it drives no other. Else in the system's (WebDriver BiDi).
    """
    if Path(driver.firefox.executable_path).exists():
        with driver.firefox.launch() as browser:
            yield partial(played, browser)
        return
    program = shutil.which("firefox") or shutil.which("firefox-esr")
    if program is None:
        own = "python -m playwright install --with-deps firefox"
        pytest.skip(f"no Firefox on this machine ({own}; or Debian's: apt-get install firefox-esr)")
    command = [program, "--headless", "--no-remote", "--profile", str(tmp_path), "--remote-debugging-port=0"]
    log = tmp_path / "log"
    # Into a file: a browser that says more than a pipe holds would wait for ever for someone to read it.
    with log.open("w") as file, subprocess.Popen(command, stderr=file) as started:
        try:
            for _ in range(360):
                if told := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace")):
                    break
                assert started.poll() is None, log.read_text(errors="replace")
                time.sleep(0.5)
            assert told, log.read_text(errors="replace")
            # In a thread of its own: playwright's loop runs in this one.
            with ThreadPoolExecutor(1) as beside:
                address = f"{told[1]}/session"
                yield lambda files: beside.submit(asyncio.run, commanded(address, files)).result()
        finally:
            started.terminate()


def played(browser: Browser, files: list[Script]) -> list[dict[str, Any]]:
    """Do by playwright what `commanded` does by its own messages."""
    page = browser.new_page()
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    found = []
    for file, script in files:
        page.goto(file.as_uri())
        found.append(json.loads(page.evaluate(script)))
    page.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
    return found


async def commanded(address: str, files: list[Script]) -> list[dict[str, Any]]:
    """Open pages one after the other, and return what came of these scripts on them."""
    line = await websocket_connect(address)
    said, heard = 0, []

    async def ask(method: str, **params: Any) -> Any:
        nonlocal said
        said += 1
        await line.write_message(json.dumps({"id": said, "method": method, "params": params}))
        while True:
            answer = json.loads(await line.read_message() or "{}")
            if answer.get("id") == said:
                assert answer["type"] == "success", answer
                return answer["result"]
            heard.append(answer.get("params", {}))

    await ask("session.new", capabilities={})
    # A tab of its own: what a fresh browser opens for itself, such as its first page, is no lesson's request.
    context = (await ask("browsingContext.create", type="tab"))["context"]
    await ask("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"], contexts=[context])
    found = []
    for file, script in files:
        await ask("browsingContext.navigate", context=context, url=file.as_uri(), wait="complete")
        played = await ask("script.evaluate", expression=script, target={"context": context}, awaitPromise=True)
        found.append(json.loads(played["result"]["value"]))
    await ask("session.end")
    assert [told["text"] for told in heard if told.get("level") in ("error", "warn")] == []
    asked = [told["request"]["url"] for told in heard if "request" in told]
    assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
    line.close()
    await line.read_message()  # None: it is closed
    return found


def test_the_same_in_firefox(
    in_firefox: Callable[[list[Script]], list[dict[str, Any]]], folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "course").mkdir()
    whole = written(tmp_path / "course", (*LESSONS, *GAMES))
    files = [(file, PLAY) for file in sorted(folder.iterdir())[: len(PLAYED)]]
    found = in_firefox([*files, *((file, LOCKED) for file in sorted(whole.glob("[0-9]*")))])
    for number, one in zip(PLAYED, found, strict=False):
        check(one, number)
    opened = [(one["told"], one["loaded"], one["wide"]) for one in found[len(PLAYED) :]]
    assert opened == [(1, [], 0)] * len((*LESSONS, *GAMES))
