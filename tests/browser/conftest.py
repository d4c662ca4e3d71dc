"""The real app in a real Chromium."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import idle, wait_for
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--process-per-site",  # see visitor
    "--in-process-gpu",  # which draws nothing: a process of its own would only be told
    # A page's scripts leave much behind: what is collected seldom, and not by parts, costs a tenth less.
    "--js-flags=--min-semi-space-size=64 --max-semi-space-size=64",
]  # fmt: skip

PATIENCE = 180_000
"""Milliseconds: what is awaited comes at once on an idle machine; on a busy one nothing fails for being late."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    """What starts browsers; there is one of it, as each keeps a loop running in this thread."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(driver: Playwright) -> Iterator[Browser]:
    # The shell of the same browser without tabs and menus, where it is installed, has no work with them.
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        if os.environ.get("MTSIG_BROWSER") == "required":
            pytest.fail("MTSIG_BROWSER=required, but there is no chromium on this machine")
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    started = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
    yield started
    started.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The dashboard, started as a user does, from another folder than the project's.

    Its workers are no less urgent than the server, or they would wait for all tests that are run beside these: a second
    of work took ten. That they stand back is tested in tests/dashboard/test_workers.py.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder: Path = tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-m", "mtsig", "dashboard", "--server.headless=true", f"--server.port={port}"]
    (folder / "sitecustomize.py").write_text("import os\n\nos.nice = os.setpriority = lambda *_: 0\n")
    environment = {name: value for name, value in os.environ.items() if name != "MTSIG_VISITORS"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True, env=environment)
    url = f"http://localhost:{port}"
    try:
        wait_for(f"{url}/_stcore/health", process, folder / "log")
        yield url
    finally:
        os.killpg(process.pid, 15)
        process.wait(180)


@pytest.fixture(scope="package")
def visitor(browser: Browser, server: str) -> Iterator[BrowserContext]:
    """One visitor for all tests: his browser has loaded Streamlit's scripts once, and made them ready once.

    All tabs share a process, which an empty one keeps alive: in a new process, scripts take 3 CPU seconds longer.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.new_page().goto(f"{server}/_stcore/health")
    yield context
    context.close()


@pytest.fixture(scope="module")
def watched(visitor: BrowserContext, server: str) -> Iterator[tuple[Page, list[str]]]:
    """A tab for a file's tests, and what went wrong in it: script errors, and requests that leave the server.

    A tab of its own for every test would load all of Streamlit's scripts once more.
    """
    opened = visitor.new_page()
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(f"script error: {error}"))
    inside = (server, server.replace("http", "ws"), "data:", "blob:")
    opened.on("request", lambda sent: None if sent.url.startswith(inside) else troubles.append(f"request: {sent.url}"))
    yield opened, troubles
    opened.close()
    assert not troubles


@pytest.fixture
def blank(watched: tuple[Page, list[str]], request: pytest.FixtureRequest) -> Iterator[Page]:
    """The file's tab, in which anything that goes wrong fails the test; where it stands does not matter.

    Its visitor wants no motion, which is also a fifth less work for the browser, but where a file's `MOTION` says so.
    """
    tab, troubles = watched
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(color_scheme="light", reduced_motion=getattr(request.module, "MOTION", "reduce"))
    yield tab
    assert not troubles


@pytest.fixture
def page(blank: Page, server: str) -> Page:
    """The same with the dashboard as it begins, in a session of its own."""
    blank.goto(server)
    idle(blank)
    return blank
