"""Waiting for the app."""

import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page

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


STANDS = "[data-testid=stApp][data-test-script-state=notRunning]"


def idle(page: Page) -> None:
    """Wait until there is a page, its script has run, and it stands still.

    Before its first run the script counts as one that does not run, and after a click it runs a little later: so
    something must be drawn, and the page must stand still for a while, however slow the machine.
    """
    page.wait_for_selector("[data-testid=stMain] [data-testid=stElementContainer]", state="attached", timeout=60_000)
    stands = False
    while not stands:
        page.wait_for_timeout(200)
        page.wait_for_selector(STANDS, timeout=60_000)
        page.wait_for_timeout(200)
        stands = page.locator(STANDS).count() == 1


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"the dashboard did not start:\n{log.read_text()}")
