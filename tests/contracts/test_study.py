"""What every metric promises of a study: saved, read, and made again from the data alone, whatever was chosen."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import made_corpus, parsed
from made_wordnet import make_wordnet
from sampled import crossed

from mtsig import Corpus, MtsigError, Settings, metric
from mtsig._options import Option, options
from mtsig.cli import main
from mtsig.corpus import Rating
from mtsig.metrics import METRICS, Metric, Rated
from mtsig.study import Margin, Request, conduct, study_of
from mtsig.study._changes import reproduce
from mtsig.study._request import choice_of

QUICK = Settings(n_resamples=100)

SCALES = {"0 to 100": (70.0, 10.0, 2), "0 to 1": (0.7, 0.02, 4)}
"""Ratings by their scale: mean, spread, and the decimals that show a hundredth of it."""

NAMES = ("COMET-22", "p-norm", "bleu", "a:b", "a:shared=true", "z:", "DA, raw")
"""Names that a file may give a rating."""


@pytest.fixture(autouse=True)
def wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let options that need WordNet find one."""
    monkeypatch.setenv("WNSEARCHDIR", str(make_wordnet(tmp_path / "wordnet")))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return parsed(made_corpus(n=16, systems=3, documents=0, references=2))


def rating(scale: str, higher: bool, n: int = 16) -> Rating:
    mean, spread, _ = SCALES[scale]
    return Rating(np.random.default_rng(3).normal(mean, spread, (3, n)), higher_is_better=higher)


def check(corpus: Corpus, *asked: Metric, margins: tuple[Margin, ...] = ()) -> None:
    """Conduct a study of the metrics as the shell and the pages do, save it, read it and make it again."""
    study = conduct(corpus, Request(tuple(one.on(corpus) for one in asked), QUICK, margins=margins))
    assert None not in study.plain()["request"]["metrics"]
    read = study_of(study.text())
    assert read.asked.metrics == asked
    found = reproduce(read, corpus)
    assert found.same, found.changes
    assert found.again is not None
    assert found.again.text() == study.text()


@crossed("name, beside", METRICS, [(), ("COMET-22",)])
def test_what_was_saved_is_made_again(corpus: Corpus, name: str, beside: tuple[str, ...]) -> None:
    rated = replace(corpus, ratings={one: rating("0 to 1", higher=True) for one in beside})
    check(rated, METRICS[name], *map(Rated, beside))


@crossed("scale, higher, shared", SCALES, [True, False], [True, False])
def test_what_was_saved_of_a_rating_is_made_again(corpus: Corpus, scale: str, higher: bool, shared: bool) -> None:
    rated = replace(corpus, ratings={"COMET-22": rating(scale, higher)})
    asked = Rated("COMET-22", shared=shared)
    assert (asked.on(rated).higher_is_better, asked.on(rated).decimals) == (higher, SCALES[scale][2])
    margin = Margin(choice_of(asked.on(rated)) or "", "equivalence", 0.01)
    check(rated, asked, METRICS["bleu"], margins=(margin,))


@crossed("name, shared", NAMES, [True, False])
def test_a_rating_of_any_name_is_made_again(corpus: Corpus, name: str, shared: bool) -> None:
    check(replace(corpus, ratings={name: rating("0 to 1", higher=True)}), Rated(name, shared=shared))


def other_values(option: Option) -> Iterator[Any]:
    """Yield values an option may take."""
    if option.choices is not None:
        yield from option.choices
    elif option.type is bool:
        yield from (True, False)
    elif option.type is str:
        yield from ("de", "")
    else:
        yield option.low if option.low is not None else option.type(3)
        if option.type is float:
            yield option.type(option.low or 0) + 0.3333333333333333
    if option.optional:
        yield None


@pytest.mark.parametrize("name", METRICS)
def test_every_choice_of_options_can_be_written_down(name: str) -> None:
    wrong = []
    for option in options(METRICS[name]):
        for value in other_values(option):
            try:
                chosen = replace(METRICS[name], **{option.name: value})
            except MtsigError:  # does not go together with the other defaults
                continue
            if metric(choice_of(chosen) or "none") != chosen:
                wrong.append(f"{option.name}={value}")
    assert wrong == []


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_the_shell_makes_a_study_of_ratings_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], scale: str, direction: str
) -> None:
    values = rating(scale, higher=True).values
    rows = ["\t".join(["one", "two", "three"]), *("\t".join(f"{one:.6f}" for one in row) for row in values.T)]
    table, study = tmp_path / f"COMET-22.{direction}.tsv", tmp_path / "study.json"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = ["--ratings", str(table)]
    assert main(["compare", *data, "--metric", "COMET-22", "--resamples", "100", "--out", str(study)]) == 0
    assert json.loads(study.read_text(encoding="utf-8"))["request"]["metrics"] == ["rating:COMET-22"]
    capsys.readouterr()
    assert main(["report", str(study), *data, "--to", "json", "--out", str(tmp_path / "again")]) == 0
    assert capsys.readouterr().out.startswith("Reproduced exactly")
