"""Waiting for the app."""

import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page


def idle(page: Page) -> None:
    """Wait until the script has run and the page stands still."""
    page.wait_for_timeout(200)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)
    page.wait_for_timeout(200)


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
