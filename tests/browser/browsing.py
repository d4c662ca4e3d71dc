"""Waiting for the app."""

import re
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from playwright.sync_api import Download, Locator, Page

Seen = TypeVar("Seen")

UNDER_MORE = {"trust": "Metrics vs humans", "learn": "Learn", "lab": "Lab"}
"""Pages whose titles stand in a menu."""

SEEN = """() => {
  const texts = [], outside = [];
  const walk = root => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const box = element.getBoundingClientRect();
      if (!box.width || !box.height || getComputedStyle(element).visibility === "hidden") continue;
      const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
      if (own && element.checkVisibility()) {
        texts.push([parseFloat(getComputedStyle(element).fontSize), element.textContent.trim().slice(0, 40)]);
      }
      if (element.matches("button, .panel, .says, .ask") && element.checkVisibility() &&
          (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1)) {
        outside.push(element.className + ": " + element.textContent.slice(0, 40));
      }
    }
  };
  walk(document.querySelector("[data-testid=stMain]") ?? document.body);
  return [texts, outside];
}"""
"""What the main part of the page shows: the sizes of its texts, and what of a lesson is not inside the window."""


STANDS_STILL = """async () => {
  const drawn = "[data-testid=stMain] [data-testid=stElementContainer]";
  const stands = "[data-testid=stApp][data-test-script-state=notRunning]";
  const sleep = seconds => new Promise(done => setTimeout(done, 1000 * seconds));
  const until = async selector => { while (!document.querySelector(selector)) await sleep(0.05); };
  await until(drawn);
  do {
    await sleep(0.2);
    await until(stands);
    await sleep(0.2);
  } while (!document.querySelector(stands));
  return true;
}"""
"""Until the page stands still: the browser would look for it at every frame, and lay out the page to see it."""


def idle(page: Page) -> None:
    """Wait until there is a page, its script has run, and it stands still.

    Before its first run the script counts as one that does not run, and after a click it runs a little later: so
    something must be drawn, and the page must stand still for a while, however slow the machine.
    """
    limit = "new Promise((_, late) => setTimeout(() => late(new Error('the page does not stand still')), 300_000))"
    page.evaluate(f"() => Promise.race([({STANDS_STILL})(), {limit}])")


def open_sample(page: Page) -> None:
    """Open the sample from where the dashboard begins; what is pressed next waits until it is open."""
    page.get_by_role("button", name="Open the sample").click()
    page.wait_for_url("**/results*")
    idle(page)


def downloaded(page: Page, button: Locator) -> Download:
    """Press a button that downloads, on a page that stands still: a run of its script voids the file's id."""
    idle(page)
    with page.expect_download() as waiting:
        button.click()
    return waiting.value


def by_link(page: Page, name: str) -> None:
    """Go to a page by its link among the titles: loading Streamlit again takes longer than all else."""
    if name in UNDER_MORE:
        page.get_by_test_id("stTopNavSection").get_by_text("More", exact=True).click()
        page.get_by_role("menuitem", name=UNDER_MORE[name], exact=True).click()
    else:
        page.get_by_role("link", name=re.compile(f"^{name}", re.IGNORECASE)).first.click()
    page.wait_for_url(re.compile(f"/{name}"))
    idle(page)


def settled(page: Page, read: Callable[[], Seen], wanted: Callable[[Seen], bool]) -> Seen:
    """Return what `read` gives as soon as it is as wanted, or what it gives after half a minute.

    A page of a busy machine may stand still before its pictures have taken another size or theme.
    """
    seen = read()
    for _ in range(60):
        if wanted(seen):
            break
        page.wait_for_timeout(500)
        seen = read()
    return seen


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than its window, once that has settled."""
    wide = "document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth"
    return settled(page, lambda: int(page.evaluate(wide)), lambda pixels: pixels <= 0)


def of_pair(first: str, second: str) -> re.Pattern[str]:
    """Return what the address of a page says of a pair."""
    return re.compile(rf"(?=.*[?&]first={re.escape(first)}(&|$)).*[?&]second={re.escape(second)}(&|$)")


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    # A busy machine may take minutes; a process that has ended is not waited for.
    for _ in range(1200):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"the dashboard did not start:\n{log.read_text()}")
