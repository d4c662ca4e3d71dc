"""Lessons as pages of their own, opened as files: played to the end, with no request to anything."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from tornado.websocket import websocket_connect

from mtsig import read_sample
from mtsig.lessons import LESSONS, Classroom, kit_files

SEED = 7
PLAYED = (3, 5, 12)
"""By buttons, by a slider, and by hand."""

PLAY = """(async () => {
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
  root.querySelector(".lock").click();
  for (const input of all(".controls input")) { input.value = input.max; input.dispatchEvent(new Event("input")); }
  const counter = () => root.querySelector(".counter").textContent;
  for (const button of all(".controls > button").slice(0, -1).reverse()) {
    if (root.querySelector(".reveal")) break;
    button.click();
    await until(() => root.querySelector(".says").ariaBusy !== "true");
  }
  await until(() => root.querySelector(".reveal"));
  const text = selector => root.querySelector(selector)?.textContent ?? "";
  return JSON.stringify({
    before, reveal: text(".reveal"), take: text(".take"), counter: counter(),
    kept: Object.values(JSON.parse(localStorage.getItem("mtsig-lessons") ?? "{}")).map(one => one.lesson),
    drawn: all("canvas").filter(one => {
      const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
      return data.some(value => value);
    }).length,
    canvases: all("canvas").length,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    loaded: performance.getEntriesByType("resource").map(one => one.name),
  });
})()"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lessons")
    room = Classroom.of(read_sample(), seed=SEED)
    for name, page in kit_files(room, ["web"], [LESSONS[number] for number in PLAYED])[0].items():
        (place / name).write_bytes(page)
    return place


def check(found: dict[str, Any], number: int) -> None:
    stage = LESSONS[number].stage(Classroom.of(read_sample(), seed=SEED))
    assert found["reveal"] == stage.reveal
    assert found["take"] == LESSONS[number].take_home
    assert stage.reveal not in found["before"]
    assert found["canvases"] == found["drawn"] > 0 or number == 12
    assert (found["loaded"], found["wide"], number in found["kept"]) == ([], 0, True)


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
    page.get_by_role("button", name=LESSONS[5].title).click()
    page.wait_for_url("**/05-size-law.html")
    assert (wrong, set(asked)) == ([], {file.as_uri() for file in opened})
    context.close()


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[str]:
    """The address at which a Firefox without a window takes commands (WebDriver BiDi)."""
    program = shutil.which("firefox") or shutil.which("firefox-esr")
    if program is None:
        pytest.skip("no Firefox on this machine (Debian: apt-get install firefox-esr)")
    command = [program, "--headless", "--no-remote", "--profile", str(tmp_path), "--remote-debugging-port=0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        told = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in started.stderr)
        yield next(address[1] for address in told if address) + "/session"
        started.terminate()


async def commanded(address: str, files: list[Path]) -> list[dict[str, Any]]:
    """Open pages one after the other, and return what came of playing them."""
    line = await websocket_connect(address)
    said = 0

    async def ask(method: str, **params: Any) -> Any:
        nonlocal said
        said += 1
        await line.write_message(json.dumps({"id": said, "method": method, "params": params}))
        while True:
            answer = json.loads(await line.read_message() or "{}")
            if answer.get("id") == said:
                assert answer["type"] == "success", answer
                return answer["result"]

    await ask("session.new", capabilities={})
    context = (await ask("browsingContext.getTree"))["contexts"][0]["context"]
    found = []
    for file in files:
        await ask("browsingContext.navigate", context=context, url=file.as_uri(), wait="complete")
        played = await ask("script.evaluate", expression=PLAY, target={"context": context}, awaitPromise=True)
        found.append(json.loads(played["result"]["value"]))
    await ask("session.end")
    line.close()
    await line.read_message()  # None: it is closed
    return found


def test_the_same_in_firefox(firefox: str, folder: Path) -> None:
    files = sorted(folder.iterdir())[: len(PLAYED)]
    # In a thread of its own: playwright's loop runs in this one.
    with ThreadPoolExecutor(1) as beside:
        found = beside.submit(asyncio.run, commanded(firefox, files)).result()
    for number, one in zip(PLAYED, found, strict=True):
        check(one, number)
