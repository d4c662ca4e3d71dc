"""Seconds from a click to the picture, on the sample data in a real Chromium."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request

from playwright.sync_api import Page, sync_playwright

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def started() -> tuple[subprocess.Popen[bytes], str]:
    """Start the dashboard on a free port and wait until it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "mtsig", "dashboard", "--server.headless=true", f"--server.port={port}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1)
            return process, f"http://localhost:{port}"
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the dashboard did not start")


def seconds(page: Page, click: str, role: str, wait: str) -> float:
    """Return the seconds from a click to the moment a selector is there."""
    began = time.perf_counter()
    page.get_by_role(role, name=click, exact=True).first.click()  # type: ignore[arg-type]
    page.wait_for_selector(wait)
    return time.perf_counter() - began


def main() -> None:
    """Print the seconds of every step, twice: the second visit finds the counts remembered."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("no chromium on this machine")
    process, url = started()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            for visit in ("first visit", "second visit"):
                page = browser.new_page()
                page.goto(url)
                page.wait_for_selector("text=Open the sample")
                steps = {
                    "sample opened, results drawn": seconds(
                        page, "Open the sample", "button", ".js-plotly-plot .scatterlayer"
                    ),
                    "pair drawn": seconds(page, "Compare two", "link", ".js-plotly-plot .barlayer"),
                    "sizes drawn": seconds(page, "Planning", "link", "text=half width in BLEU"),
                }
                print(visit + ": " + ", ".join(f"{name} {taken:.2f} s" for name, taken in steps.items()))
                page.close()
            browser.close()
    finally:
        process.terminate()


if __name__ == "__main__":
    main()
