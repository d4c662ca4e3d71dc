"""The Planning page says how many judges an evaluation by people takes, by what the pilot's judges bring."""

from pathlib import Path

import numpy as np
import pytest
from pages import app, at_page, texts
from streamlit.testing.v1 import AppTest

from mtsig import read
from mtsig.meta_eval._rating_design import design_ratings_by
from mtsig.report._raters import ratings_design_text

ESA = "{who},{system},{i},TGT,eng,deu,{value:.1f},d{i},False,[],1.0,2.0"


def files() -> dict[str, bytes]:
    """Six judges, each with a leniency of its own, of three systems on twelve segments."""
    rng = np.random.default_rng(3)
    lenient = dict(zip(("Ann", "Bo", "Cem", "Dea", "Eva", "Fay"), 3 * rng.normal(size=6), strict=True))
    rows = [
        ESA.format(who=who, system=f"sys{s}", i=i, value=60 + 6 * s + 5 * np.sin(i) + level + 4 * rng.normal())
        for who, level in lenient.items()
        for s in range(3)
        for i in range(12)
    ]
    return {"esa.csv": "\n".join(rows).encode(), "docids.txt": "".join(f"d{i}\n" for i in range(12)).encode()}


def opened(given: dict[str, bytes], **query: str) -> AppTest:
    at = app(**query)
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in given.items()]).run()
    at = at_page(at, "planning")
    assert not at.error, [one.value for one in at.error]
    return at


def test_the_page_says_what_the_design_says(tmp_path: Path) -> None:
    for name, data in files().items():
        (tmp_path / name).write_bytes(data)
    corpus = read(tmp_path)
    at = opened(files(), **{"effect.esa": "5"})
    assert "How many judges?" in texts(at)
    wanted = {"systems": 3, "comparisons": 1}
    six = design_ratings_by(corpus, "esa", 5.0, 6, **wanted)
    assert six.cheapest is not None
    assert ratings_design_text(six) in texts(at)
    at.number_input(key="judges").set_value(4).run()
    four = ratings_design_text(design_ratings_by(corpus, "esa", 5.0, 4, **wanted))
    assert four != ratings_design_text(six)
    assert four in texts(at)
    at.number_input(key="judges").set_value(6).run()
    at.number_input(key="price_judgement").set_value(0.25).run()
    priced = ratings_design_text(design_ratings_by(corpus, "esa", 5.0, 6, price_judgement=0.25, **wanted))
    assert ", at a cost of " in priced
    assert priced in texts(at)


def test_of_ratings_of_nobody_in_particular_nothing_is_asked() -> None:
    rng = np.random.default_rng(1)
    rows = [f"sys{s}\t{i}\t{s + rng.normal():.3f}" for s in range(3) for i in range(1, 13)]
    at = opened({"mqm.tsv": "\n".join(["system\tseg_id\tmqm", *rows]).encode()}, **{"effect.mqm": "1"})
    assert "What would it take?" in texts(at)
    assert "How many judges?" not in texts(at)


def test_the_effect_that_is_looked_for_first_is_of_the_ratings_own_scale() -> None:
    rng = np.random.default_rng(1)
    # The systems differ by ten times as much as is looked for: what they differ by says nothing of it.
    rows = [f"sys{s}\t{i}\t{20 * s + 20 * rng.normal():.3f}" for s in range(3) for i in range(1, 113)]
    box = opened({"da.tsv": "\n".join(["system\tseg_id\tda", *rows]).encode()}).number_input(key="effect.da")
    assert box.value == pytest.approx(2)
    assert "a tenth of the standard deviation" in box.help
