"""Ratings on the pages: dropped, understood, chosen in the bar, compared on the segments that both systems have."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from kept import parts, worded
from mtsig_dashboard.launch import INPUT_VARIABLE
from pages import PAGES, app, at_page, comparisons, figures, group, made_files, texts, uploaded
from sampled import slow

GAPS = {("sys0", 3), ("sys1", 4), ("sys1", 5), ("sys2", 6)}


def long_table(name: str = "mqm", systems: int = 3, n: int = 40, better: float = 1.0) -> bytes:
    """Scores of made systems, each a little worse than the one before, with gaps."""
    rng = np.random.default_rng(5)
    rows = [f"system\tseg_id\t{name}"]
    for s in range(systems):
        for i in range(1, n + 1):
            score = f"{better * (-1.5 * s - rng.random()):.3f}"
            rows.append(f"sys{s}\t{i}\t{'None' if (f'sys{s}', i) in GAPS else score}")
    return ("\n".join(rows) + "\n").encode()


def test_a_rating_appears_in_the_bar_and_on_every_page():
    at = uploaded(made_files(3) | {"mqm.tsv": long_table()})
    assert not at.exception
    worded(parts(texts(at), "1 reference", "known: MQM", "38 to 39"), "3 systems", "40 segments", "3", "0")
    group(at, "rating").set_value(["rating:mqm"]).run()
    group(at, "metric").set_value([]).run()
    for page in PAGES:
        at = at_page(at, page)
        assert not at.exception, page
        assert not at.error, (page, [one.value for one in at.error])
    at = at_page(at, "results")
    worded(parts(texts(at), "sys0 is", "38 to 39"))
    assert figures(at)


def test_a_pair_is_compared_on_the_segments_that_both_have():
    at = uploaded(made_files(3) | {"mqm.tsv": long_table()}, "results")
    group(at, "rating").set_value(["rating:mqm"]).run()
    group(at, "metric").set_value([]).run()
    table = comparisons(at)
    counts = dict(zip(zip(table["First"], table["Second"], strict=True), table["Segments"], strict=True))
    assert {tuple(sorted(pair)): count for pair, count in counts.items()} == {
        ("sys0", "sys1"): 37,
        ("sys0", "sys2"): 38,
        ("sys1", "sys2"): 37,
    }


@pytest.mark.slow
def test_scores_alone_are_enough():
    at = uploaded({"comet.tsv": long_table("COMET", better=-0.1)})
    assert not at.exception
    worded(parts(texts(at), "3 systems"), "40 segments")
    assert not at.warning or all("reference" not in one.value for one in at.warning)
    for page in PAGES:
        at = at_page(at, page)
        assert not at.error, (page, [one.value for one in at.error])
    at = at_page(at, "compare")
    assert "COMET" in texts(at)
    # On a scale of hundredths two decimals would show nothing.
    assert re.search(r"is 0\.\d{3,} COMET ahead", texts(at))


def test_an_unknown_rating_says_how_to_declare_it():
    at = uploaded(made_files(3) | {"effort.tsv": long_table("effort")})
    assert not at.exception
    said = texts(at)
    worded(parts(said, "a higher", "choose it"), "'effort'", "Data")
    assert "--" not in said


def test_the_name_of_the_file_can_declare_the_direction():
    at = uploaded(made_files(3) | {"effort.lower.tsv": long_table("effort")})
    assert not at.error
    assert "declared" in texts(at)
    assert "lower" in texts(at)


def test_a_broken_table_names_its_line():
    broken = long_table().replace(b"sys1\t9\t", b"sys1\tnine\t")
    at = uploaded(made_files(3) | {"mqm.tsv": broken})
    assert not at.exception
    worded(parts(texts(at), "mqm.tsv, line 50:"), "'nine'", "1")


def test_names_of_ratings_are_no_markdown():
    at = uploaded(made_files(3) | {"x.tsv": long_table("![comet](//x.test/a.png)")})
    assert not at.exception
    (label,) = group(at, "rating").options
    assert "![" not in label
    assert "comet" in label


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "systems", "pages"),
    [
        *slow(("wmt20-en-de-scores", "14 systems · 3 human translations · ", PAGES[1:])),
        ("wmt25-ja-zh", "2 systems with text · 39 names with ratings only · ", ("results", "trust")),
    ],
)
def test_real_sets_of_scores_work_on_every_page(
    shared: Path, monkeypatch: pytest.MonkeyPatch, folder: str, systems: str, pages: tuple[str, ...]
) -> None:
    monkeypatch.setenv(INPUT_VARIABLE, json.dumps(["--data", str(shared / "data" / folder)]))
    at = app()
    assert systems in texts(at)
    worded(parts(texts(at), "5 ratings"))
    assert "reference" not in texts(at).split(" · ")[0]
    for page in pages:
        at = at_page(at, page)
        assert not at.error, (page, [one.value for one in at.error])


@pytest.mark.parametrize("written", ["da-z", r"da\-z"])
def test_a_rating_in_a_link_is_found_as_its_file_calls_it_and_as_the_address_has_it(written: str) -> None:
    token = uploaded(made_files(3) | {"da-z.tsv": long_table("da-z")}).query_params["data"]
    at = app("results", data=token[0] if isinstance(token, list) else token, rating=written, metric="")
    assert group(at, "rating").value == ["rating:da-z"]
    assert "The link asks" not in texts(at)
    worded(parts(texts(app("results", data="sample", rating="da-y")), "The link asks"))
