"""The Planning page says how many raters an evaluation by people takes, by what the pilot's raters bring."""

from pathlib import Path

import numpy as np
import pytest
from kept import parts, worded
from pages import group, texts, uploaded
from sampled import slow
from streamlit.testing.v1 import AppTest

from mtsig import read
from mtsig.campaign import few_ratings
from mtsig.meta_eval._rating_design import design_ratings_by
from mtsig.readers import assemble
from mtsig.readers._rating_files import named_ratings
from mtsig.report._raters import ratings_design_text

ESA = "{who},{system},{i},TGT,eng,deu,{value:.1f},d{i},False,[],1.0,2.0"


def files() -> dict[str, bytes]:
    """Six raters, each with a leniency of its own, of three systems on twelve segments."""
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
    at = uploaded(given, "planning", **query)
    assert not at.error, [one.value for one in at.error]
    return at


def labels(at: AppTest) -> list[str]:
    return [one.label for one in at.number_input]


@pytest.mark.slow
def test_the_page_says_what_the_design_says(tmp_path: Path) -> None:
    for name, data in files().items():
        (tmp_path / name).write_bytes(data)
    corpus = read(tmp_path)
    at = opened(files(), **{"effect.esa": "5"})
    worded(parts(labels(at), "Raters who share"))
    wanted = {"systems": 3, "comparisons": 3}
    six = design_ratings_by(corpus, "esa", 5.0, 6, **wanted)
    assert six.cheapest is not None
    assert ratings_design_text(six) in texts(at)
    at.number_input(key="raters").set_value(4).run()
    four = ratings_design_text(design_ratings_by(corpus, "esa", 5.0, 4, **wanted))
    assert four != ratings_design_text(six)
    assert four in texts(at)
    at.number_input(key="raters").set_value(6).run()
    at.number_input(key="price_rating").set_value(0.25).run()
    priced = ratings_design_text(design_ratings_by(corpus, "esa", 5.0, 6, price_rating=0.25, **wanted))
    assert "a cost of" in priced
    assert priced in texts(at)


def test_the_page_says_how_many_ratings_a_metric_saves(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    of_segment = rng.normal(size=(3, 90))
    tables = {}
    for name, noise in (("mqm", 1.0), ("COMET", 0.5)):
        rows = [
            f"sys{s}\t{i + 1}\t{s + of_segment[s, i] + noise * rng.normal():.4f}" for s in range(3) for i in range(90)
        ]
        tables[f"{name.lower()}.tsv"] = "\n".join([f"system\tseg_id\t{name}", *rows]).encode()
    for name, data in tables.items():
        (tmp_path / name).write_bytes(data)
    at = opened(
        tables, **{"metric": "", "rating": "rating:mqm", "effect.mqm": "1", "few": "true", "price_rating": "0.5"}
    )
    found = few_ratings(assemble(named_ratings([tmp_path / name for name in tables])), "mqm", "rating:COMET")
    assert found.sentence in texts(at)
    (shown,) = [table.value for table in at.dataframe if "With" in table.value.columns]
    assert shown["Ratings"].tolist() == [row.ratings for row in found.needed(1.0)]
    assert shown["Cost"].tolist() == [row.ratings / 2 for row in found.needed(1.0)]


def test_of_ratings_of_nobody_in_particular_nothing_is_asked() -> None:
    rng = np.random.default_rng(1)
    rows = [f"sys{s}\t{i}\t{s + rng.normal():.3f}" for s in range(3) for i in range(1, 13)]
    at = opened({"mqm.tsv": "\n".join(["system\tseg_id\tmqm", *rows]).encode()}, **{"effect.mqm": "1"})
    assert "detect 1 mqm" in at.title[0].value
    assert "Raters who share the work" not in labels(at)


@pytest.mark.slow
def test_the_effect_that_is_looked_for_first_is_of_the_ratings_own_scale() -> None:
    rng = np.random.default_rng(1)
    # The systems differ by four times as much as is looked for: what they differ by has no part in it.
    rows = [f"sys{s}\t{i}\t{20 * s + 20 * rng.normal():.3f}" for s in range(3) for i in range(1, 113)]
    at = opened({"da.tsv": "\n".join(["system\tseg_id\tda", *rows]).encode()})
    # Round multiples of what 112 segments just find: 2.9 standard errors of 20 · √2 / √112.
    assert group(at, "effect.da-pills").options == ["5", "10", "15", "20", "30 da"]
    assert at.number_input(key="effect.da").value == 5


@pytest.mark.parametrize("metric", [False, *slow(True)])
def test_where_other_raters_could_decide_otherwise_that_is_the_first_sentence(metric: bool) -> None:
    rng = np.random.default_rng(3)
    for taste, differs in ((8.0, True), (0.0, False)):
        own = taste * rng.normal(size=(8, 3)) + 5 * np.arange(3)
        rows = [
            ESA.format(who=f"r{r}", system=f"sys{s}", i=i, value=60 + own[r, s] + 4 * rng.normal())
            for r in range(8)
            for s in range(3)
            for i in range(40)
        ]
        given = {"esa.csv": "\n".join(rows).encode(), "docids.txt": "".join(f"d{i}\n" for i in range(40)).encode()}
        if metric:
            scores = [f"sys{s}\t{i + 1}\t{rng.normal():.3f}" for s in range(3) for i in range(40)]
            given["comet.tsv"] = "\n".join(["system\tseg_id\tCOMET", *scores]).encode()
        at = uploaded(given, "trust")
        assert not at.error, [one.value for one in at.error]
        lede = next(one.proto.body for one in at.get("html") if 'class="lede"' in one.proto.body)
        first = lede.partition('<p class="full">')[2]
        assert differs == ("; for other" in first)
        worded(first, "8 raters" if differs or not metric else "3 systems")
