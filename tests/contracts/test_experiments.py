"""Every experiment of the registry: described, run in steps, and told in words, tables, figures and JSON."""

import json
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest
from made import made_corpus
from sampled import sampled

from mtsig import Corpus, measure, watching
from mtsig._options import options
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.figures import on_paper
from mtsig.lab import EXPERIMENTS, Experiment, Material, of_experiment, run
from mtsig.lab._material import LabResult
from mtsig.lab._words import experiment_bundle, law_tables, law_text

SMALL: dict[str, dict[str, Any]] = {
    "n_resamples": {"total": 2000, "sizes": (100, 500)},
    "variation": {"size": 10, "orders": 20},
    "coverage": {"size": 20, "sets": 10, "n_resamples": 100},
    "conclusions": {"sizes": (20, 40), "sets": (6, 3), "n_resamples": 100},
    "length": {"shares": (0.5, 1.0)},
    "tests": {"n_resamples": 200},
    "rerank": {"n_resamples": 100},
    # Of 20 segments all exchanges would be gone through, which takes a hundred times as long.
    "multiplicity": {"size": 30, "simulations": 50, "n_resamples": 99},
    "peeking": {"looks": 4, "size": 60, "simulations": 50},
    "relations": {"n_resamples": 200},
    "sentence": {"samples": 2},
    "nist-weights": {"n_resamples": 50},
    "calibrate": {"simulations": 50, "n_resamples": 99, "sizes": (30,), "drawn": "segments", "unit": "segment"},
}

NAMES = ["<b>A</b>", "$x$", "plain"]


@pytest.fixture(scope="module")
def material() -> Material:
    made = made_corpus(n=80, systems=3, documents=0, references=2, seed=3)
    # References alike enough for both to match something.
    second = [line if number % 3 else f"{line} indeed" for number, line in enumerate(made.references["ref0"])]
    outputs = dict(zip(NAMES, made.outputs.values(), strict=True))
    corpus = Corpus.of(outputs, {"ref0": made.references["ref0"], "ref1": second})
    return Material(tuple(measure(corpus, name) for name in ("bleu", "chrf")), corpus)


@pytest.fixture(scope="module")
def results(material: Material) -> dict[str, LabResult]:
    return {name: run(small(name), material) for name in EXPERIMENTS}


def small(name: str) -> Experiment[Any]:
    return replace(EXPERIMENTS[name], **SMALL.get(name, {}))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_is_described_and_frozen(name: str) -> None:
    one = EXPERIMENTS[name]
    assert one.name == name
    assert one.label
    assert one.about.endswith("?")
    assert one.paper
    with pytest.raises(FrozenInstanceError):
        one.name = "other"  # type: ignore[misc]
    assert hash(one) == hash(replace(one))
    described = {field.name for field in fields(one) if "label" in field.metadata}
    assert described == {option.name for option in options(one)}


@sampled("name", EXPERIMENTS, most=4)
def test_shares_grow_to_one_and_lead_to_the_result(
    name: str, material: Material, results: dict[str, LabResult]
) -> None:
    shares: list[float] = []
    with watching(shares.append):
        found = run(small(name), material)
    assert shares == sorted(shares)
    assert all(0 < share <= 1 for share in shares)
    assert shares[-1] == 1
    assert repr(found.rows()) == repr(results[name].rows())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_result_is_told_in_words_tables_and_json(name: str, results: dict[str, LabResult]) -> None:
    found = results[name]
    text = law_text(found)
    assert text.endswith((".", "”."))
    assert "nan" not in text
    assert list(found.to_frame().columns) == list(found.rows()[0])
    tables = law_tables(found)
    assert tables[0].caption == text
    assert len(tables) == 1 + len(found.summaries())
    bundle = experiment_bundle(small(name), found, text, "made data")
    again = json.loads(json.dumps(bundle, allow_nan=False))
    assert again["experiment"] == name
    assert again["verdict"] == text
    assert len(again["rows"]) == len(found.rows())
    # No key of the JSON is the name of a metric, and no value is lost.
    written = zip(found.summaries().values(), again["summaries"].values(), strict=True)
    for rows, listed in ((found.rows(), again["rows"]), *written):
        for row, one in zip(rows, listed, strict=True):
            assert not {*one} & {*found.given_names}
            assert len(row) == len({*one} - {"by_metric"}) + len(one.get("by_metric", ()))
            assert all(row[each["metric"]] == each["value"] for each in one.get("by_metric", ()))
    assert again["settings"]["rng"]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_figures_show_names_as_text(name: str, results: dict[str, LabResult]) -> None:
    figures = of_experiment(results[name])
    assert figures or name == "sentence"
    for picture in figures.values():
        figure = picture.screen()
        drawn = figure.to_json()
        assert "<b>A</b>" not in drawn.replace("\\u003c", "<").replace("\\u003e", ">")
        assert "$x$" not in drawn
        assert figure.data


@sampled("name", EXPERIMENTS, most=4)
def test_figures_fit_on_paper_and_the_first_is_the_same_bytes_again(name: str, results: dict[str, LabResult]) -> None:
    for place, picture in enumerate(of_experiment(results[name]).values()):
        assert picture.caption.endswith(".")
        sheet = on_paper(picture, "svg")
        if place == 0:
            assert sheet.data == on_paper(picture, "svg").data
        assert not sheet.notes
        assert sheet.height < 9
        text = sheet.data.decode()
        assert "&lt;b&gt;A&lt;/b&gt;" in text or "plain" not in picture.texts


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_default_options_are_allowed_and_bad_ones_are_not(name: str) -> None:
    one = EXPERIMENTS[name]
    for option in options(one):
        option.check(getattr(one, option.name))
        if option.low is not None and option.low > 0:
            with pytest.raises(InvalidOption):
                replace(one, **{option.name: type(option.low)(-1)})


def test_unknown_experiments_are_refused(material: Material) -> None:
    with pytest.raises(UnknownName, match="separation"):
        run("separatoin", material)


def test_results_of_other_kinds_have_no_words() -> None:
    with pytest.raises(TypeError):
        law_text(object())  # type: ignore[arg-type]


def test_text_is_needed_where_text_is_read(material: Material) -> None:
    for name, one in EXPERIMENTS.items():
        if one.needs_text:
            with pytest.raises(NotApplicable, match="text"):
                run(small(name), Material(material.statistics))
