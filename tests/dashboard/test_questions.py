"""Every key of an address with values that are no choice: pages go on, within memory and time."""

import os
import random
import re
import subprocess
import sys

import pytest
from kept import parts, worded
from made import DASHBOARD, ROOT
from mtsig_dashboard import session
from mtsig_dashboard.parts import forms, questions
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import LONGEST_NOTE, Selection
from pages import address as said
from pages import texts, with_sample
from sampled import sampled

pytest.importorskip("resource")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "number"), [(0, 3), *(pytest.param(seed, 300, marks=pytest.mark.slow) for seed in range(3))]
)
def test_no_address_takes_more_than_a_page_may(seed: int, number: int) -> None:
    here = ROOT / "tests" / "dashboard"
    path = os.pathsep.join(map(str, (ROOT, DASHBOARD.parent, here.parent, here)))
    command = [sys.executable, str(here / "hostile_addresses.py"), str(seed), str(number)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"opened {number}\n"), done.stderr[-5000:]


@sampled("text", ["1e999", "-1e999", "nan", "inf", "9" * 400], most=2)
def test_what_is_no_finite_number_is_let_go(text: str) -> None:
    for page, key in (("planning", "price_segment"), ("planning", "comparisons"), ("results", "bleu.max_ngram_order")):
        at = with_sample(page, **{key: text})
        assert key not in said(at)
    at = with_sample("lab", experiment="calibrate", **{"calibrate.sizes": f"100 {text}"})
    assert f"found '100 {text[:40]}" in texts(at)


def test_an_address_that_is_longer_than_any_is_not_read() -> None:
    at = with_sample("results", n_resamples="300", metric="chrF", more="x" * forms.MOST_CHARACTERS)
    worded(parts(texts(at), "was ignored"))
    assert not {"n_resamples", "metric", "more"} & said(at).keys()
    at = with_sample("results", n_resamples="300", more="x" * 1000)
    assert "was ignored" not in texts(at)


def test_weights_are_read_as_they_were_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(0)
    for _ in range(20_000):
        text = "".join(rng.choice("ab= 1  ") for _ in range(rng.randint(0, 14)))
        monkeypatch.setattr(session, "choice", lambda _, text=text: text)
        assert questions._weighed() == re.findall(r"\S.*?=\S+|\S+", text)


def test_a_text_that_is_shown_or_noted_has_an_end() -> None:
    assert len(plain("*" * 10_000_000)) < 300_000
    selection = Selection(stars={"digest": {3: ""}})
    selection.note("digest", 3, "x" * 10**6)
    assert selection.stars["digest"][3] == "x" * LONGEST_NOTE
