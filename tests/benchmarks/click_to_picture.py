"""Seconds from what a visitor does to what he sees, in a real Chromium, and the CPU seconds of the server meanwhile.

    python tests/benchmarks/click_to_picture.py

First a cold server, with an empty cache: its start to the first page; then a reference and two systems of 3,000
segments are dropped, and the button "See the results" is pressed as soon as it is there: until the first verdict is on
the screen. The texts are WMT's of English to German where MTSIG_SHARED says where they are, else made. Then the sample
data, twice: the second visit finds the counts remembered. The browser's own work, which on two cores is much of the
time by the clock, is not in the CPU seconds: those are of the server and its workers.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]

SEGMENTS = 3000

REAL = ("wmt21-en-de", "wmt22-several/en-de")
"""Two years of one language pair, which make 3,000 segments together."""


class Server:
    """The dashboard in a process of its own."""

    def __init__(self, cache: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://localhost:{port}"
        command = [sys.executable, "-m", "mtsig", "dashboard", "--server.headless=true", f"--server.port={port}"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "MTSIG_CACHE": str(cache)}
        self.process = subprocess.Popen(command, env=environment, start_new_session=True, **quiet)

    def ready(self) -> None:
        """Wait until it answers."""
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1)
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the dashboard did not start")

    @property
    def used(self) -> float:
        """CPU seconds of the server and its workers so far."""
        return cpu_seconds(self.process.pid)


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and of all that it started."""
    # From utime on, after the name in parentheses: own time, then that of children that have ended.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    own = sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    children = [child for tasks in Path(f"/proc/{pid}/task").glob("*/children") for child in tasks.read_text().split()]
    return own + sum(cpu_seconds(int(child)) for child in children)


@contextmanager
def cold(cache: Path) -> Iterator[Server]:
    """Start a server and end it."""
    server = Server(cache)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait(10)


class Watch:
    """Prints, for every step, the seconds by the clock and the CPU seconds of the server, and adds them up."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.clock = self.cpu = 0.0

    def step(self, name: str, work: Callable[[], object]) -> None:
        """Do the work and print what it took."""
        clock, cpu = time.perf_counter(), self.server.used
        work()
        clock, cpu = time.perf_counter() - clock, self.server.used - cpu
        self.clock += clock
        self.cpu += cpu
        self._print(name, clock, cpu)

    def total(self, name: str) -> None:
        """Print the sums."""
        self._print(name, self.clock, self.cpu)

    def _print(self, name: str, clock: float, cpu: float) -> None:
        print(f"{name:48} {clock:6.2f} s, server {cpu:5.2f} CPU s", flush=True)


def texts() -> dict[str, list[str]]:
    """Return file name -> 3,000 lines, of a reference and two systems."""
    shared = os.environ.get("MTSIG_SHARED")
    if shared:
        sets = [Path(shared) / "data" / name for name in REAL]
        places = {
            "ref.txt": "refs/refA.txt",
            "Online-W.txt": "systems/Online-W.txt",
            "Online-Y.txt": "systems/Online-Y.txt",
        }
        if all((folder / place).exists() for folder in sets for place in places.values()):
            print(f"WMT 2021 and 2022, English to German, {SEGMENTS:,} segments")
            return {name: lines_of([folder / place for folder in sets]) for name, place in places.items()}
    print(f"made text, {SEGMENTS:,} segments")
    rng = np.random.default_rng(1)
    words = np.array([f"w{i}" for i in range(20_000)])
    share = 1 / np.arange(1, len(words) + 1)
    share /= share.sum()
    reference = [rng.choice(words, rng.integers(5, 45), p=share) for _ in range(SEGMENTS)]

    def noisy(rate: float) -> list[str]:
        return [" ".join(np.where(rng.random(len(s)) < rate, rng.choice(words, len(s)), s)) for s in reference]

    return {"ref.txt": [" ".join(s) for s in reference], "good.txt": noisy(0.25), "better.txt": noisy(0.24)}


def lines_of(files: list[Path]) -> list[str]:
    """Return the first 3,000 lines of files that follow each other."""
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    if len(lines) < SEGMENTS:
        raise SystemExit(f"{files[0]} and what follows it have {len(lines)} lines, not {SEGMENTS}")
    return lines[:SEGMENTS]


def first_verdict(browser: Browser, server: Server) -> None:
    """Print what a visitor waits for whose own files are dropped on a server that has just started."""
    watch = Watch(server)
    watch.step("server answers", server.ready)
    page = browser.new_page()

    def first_page() -> None:
        page.goto(server.url)
        page.wait_for_selector("text=Open the sample")

    watch.step("first page drawn", first_page)
    watch.total("start to first page")
    page.wait_for_timeout(5000)  # the visitor looks for the files; what the server loads meanwhile is ready
    files = [
        {"name": name, "mimeType": "text/plain", "buffer": "".join(f"{line}\n" for line in lines).encode()}
        for name, lines in texts().items()
    ]
    watch = Watch(server)
    way_on = page.get_by_role("button", name=re.compile("^See (the results|results anyway)"))
    chooser = page.get_by_test_id("stFileUploader").locator("input[type=file]")

    def drop() -> None:
        chooser.set_input_files(files)  # type: ignore[arg-type]
        way_on.wait_for(timeout=60_000)

    def verdict() -> None:
        way_on.click()
        page.get_by_text("95% CI").first.wait_for(timeout=60_000)

    watch.step("dropped, understood", drop)
    watch.step("way on pressed, verdict read", verdict)
    watch.total("drop to first verdict")
    page.close()


def sample(browser: Browser, server: Server, visit: str) -> None:
    """Print what a visitor of the sample data waits for."""
    page, watch = browser.new_page(), Watch(server)
    page.goto(server.url)
    page.wait_for_selector("text=Open the sample")

    def click(role: str, name: str, wait: str) -> Callable[[], None]:
        def work() -> None:
            page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]
            page.wait_for_selector(wait)

        return work

    results = ".js-plotly-plot .scatterlayer"
    watch.step(f"{visit}: sample opened, results drawn", click("button", "Open the sample", results))
    watch.step(f"{visit}: pair drawn", click("link", "Compare two", ".js-plotly-plot .barlayer"))
    watch.step(f"{visit}: sizes drawn", click("link", "Planning", "text=Mean half width of the 95% CI"))
    page.close()


def main() -> None:
    """Print the seconds of every step."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("no chromium on this machine")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        with cold(Path(folder) / "cache") as server:
            first_verdict(browser, server)
            for visit in ("first visit", "second visit"):
                sample(browser, server, visit)
        browser.close()


if __name__ == "__main__":
    main()
