"""Lessons in a real Chromium: milliseconds from a click to another sentence and to the end, and pictures a second."""

import shutil
import tempfile
from pathlib import Path

from click_to_picture import ARGUMENTS, cold
from playwright.sync_api import sync_playwright

LESSONS = (1, 2, 3, 6, 9)

CLICK = """label => new Promise(resolve => {
  const root = [...document.querySelectorAll("*")].find(one => one.shadowRoot?.querySelector(".lessons")).shadowRoot;
  const says = root.querySelector(".says");
  const began = performance.now(), before = says.textContent;
  let changed = 0, pictures = 0;
  const look = () => {
    const now = performance.now();
    pictures++;
    if (!changed && says.textContent !== before) changed = now - began;
    const moving = says.ariaBusy === "true";
    if (changed && !moving) resolve([changed, now - began, 1000 * pictures / (now - began)]);
    else requestAnimationFrame(look);
  };
  root.querySelector(`button[aria-label$=" ${label}"]`).click();
  requestAnimationFrame(look);
})"""


def main() -> None:
    """Print a line for every button of some lessons on the sample."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("no chromium on this machine")
    with (
        tempfile.TemporaryDirectory() as folder,
        cold(Path(folder) / "cache") as server,
        sync_playwright() as playwright,
    ):
        server.ready()
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for number in LESSONS:
            page.goto(f"{server.url}/learn?lesson={number}&seed=7&data=sample&first=via-catalan&second=via-galician")
            drawing = page.locator(".lessons")
            drawing.wait_for(timeout=120_000)
            if drawing.get_by_role("radio").count():
                drawing.get_by_role("radio").first.check()
            else:
                for slider in drawing.locator(".ask").get_by_role("slider").all():
                    slider.press("ArrowRight")
            drawing.get_by_role("button", name="Lock in").click()
            page.wait_for_timeout(3_000)
            for label in ("1", "10", "100", "1,000"):
                if drawing.locator(f'button[aria-label$=" {label}"]:enabled').count():
                    changed, ended, rate = page.evaluate(CLICK, label)
                    print(f"lesson {number}, {label}: {changed:.0f} ms, end {ended:.0f} ms, {rate:.0f} a second")
                    page.wait_for_timeout(1_000)
        browser.close()


if __name__ == "__main__":
    main()
