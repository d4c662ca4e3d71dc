"""Waiting for the app."""

from playwright.sync_api import Page


def idle(page: Page) -> None:
    """Wait until the script has run and the page stands still."""
    page.wait_for_timeout(200)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)
    page.wait_for_timeout(200)
