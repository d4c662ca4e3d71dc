"""The page Trust in a real browser: metrics against people in a sentence, a tab, for everybody, and by its address."""

import re

import numpy as np
import pytest
from browsing import by_link, idle, overflow
from playwright.sync_api import Page, expect
from sampled import slow
from test_everyone import HEAD, violations_by_day

SYSTEMS = tuple(f"sys{number}" for number in range(8))


def scores(name: str, noise: float, seed: int) -> dict[str, object]:
    """Made scores of systems, each by a point worse than the one before, as a file that is dropped."""
    rng = np.random.default_rng(seed)
    rows = [f"system\tseg_id\t{name}"]
    for place, system in enumerate(SYSTEMS):
        rows += [f"{system}\t{number}\t{-place - 10 + noise * rng.normal():.3f}" for number in range(1, 31)]
    return {"name": f"{name}.tsv", "mimeType": "text/plain", "buffer": ("\n".join(rows) + "\n").encode()}


@pytest.mark.parametrize("whole", [False, *slow(True)])
def test_metrics_are_held_against_people_for_everybody(page: Page, whole: bool) -> None:
    """The short version sees the page in one theme, and asks nothing."""
    files = page.get_by_test_id("stFileUploader").locator("input[type=file]")
    files.set_input_files([scores("mqm", 0.5, 3), scores("COMET", 0.5, 4)])
    page.get_by_role("button", name="Forget my data").wait_for()
    idle(page)
    by_link(page, "trust")
    said = "COMET and the human ratings prefer the same system in 28 of 28 pairs"
    expect(page.locator(".lede .full", has_text=said)).to_be_visible()
    page.get_by_role("tab", name="What a difference means").click()
    meant = page.get_by_label("A difference in COMET to look up")
    expect(meant).to_be_visible()
    idle(page)

    assert violations_by_day(page, whole) == []
    page.set_viewport_size({"width": 400, "height": 900})
    idle(page)
    assert overflow(page) <= 0
    head = page.evaluate(HEAD)
    assert (head["rows"], head["lines"] <= 3) == (1, True), head
    page.set_viewport_size({"width": 1280, "height": 900})
    if not whole:
        return

    # What is asked stands in the address.
    meant.fill("1.5")
    meant.press("Enter")
    expect(page.get_by_text("A difference of 1.5 COMET")).to_be_visible()
    expect(page).to_have_url(re.compile(r"trust\?.*meant=1\.5"))
    expect(page).to_have_url(re.compile("trust_tab="))
