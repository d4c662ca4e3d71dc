"""Tables of scores: systems that are called by numbers, cells that hold none, segments that count from 0."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from layouts import LAYOUTS, SCORES, made, written
from sampled import crossed

from mtsig import Corpus, read
from mtsig.errors import ReadError
from mtsig.readers import assemble
from mtsig.readers._rating_files import named_ratings


def scores(names: Sequence[str], n: int = 12) -> dict[str, list[int]]:
    return {name: [(3 * at + 7 * i) % 90 for i in range(n)] for at, name in enumerate(names)}


def rated(path: Path) -> Corpus:
    return assemble(named_ratings([f"esa={path}:higher"]))


@pytest.mark.parametrize("column", ["score", "rating", "adequacy", "esa"])
def test_systems_called_by_numbers_may_be_rated_on_segments_of_their_own(column: str, tmp_path: Path) -> None:
    (tmp_path / "esa.csv").write_text(f"system,segment,{column}\n1,1,5\n1,3,1\n2,2,4\n2,4,2\n")
    corpus = rated(tmp_path / "esa.csv")
    assert {name: np.nanmean(corpus.ratings["esa"].values[at]) for at, name in enumerate(corpus.systems)} == {
        "1": 3, "2": 3
    }  # fmt: skip


def test_items_number_segments_where_every_system_has_the_same_ones(tmp_path: Path) -> None:
    for names in (("1", "2"), ("4.5", "4.1"), ("alpha", "beta")):
        held = [[name, 3 * number, score] for name, own in scores(names).items() for number, score in enumerate(own, 1)]
        (tmp_path / "esa.csv").write_text(written([["model", "item_id", "rating"], *held]))
        corpus = rated(tmp_path / "esa.csv")
        found = dict(zip(corpus.systems, corpus.ratings["esa"].values, strict=True))
        assert {name: own[~np.isnan(own)].tolist() for name, own in found.items()} == scores(names)
    for header in (["system", "score"], ["system", "id", "score"]):
        rows = [[*[name, number][: len(header) - 1], score] for name, own in scores(names).items()
                for number, score in enumerate(own, 1 + 50 * (name == "beta"))]  # fmt: skip
        (tmp_path / "esa.csv").write_text(written([header, *rows]))
        with pytest.raises(ReadError, match="no column gives the segment of a row"):
            rated(tmp_path / "esa.csv")


def test_a_wide_table_may_have_a_system_called_system(tmp_path: Path) -> None:
    (tmp_path / "esa.csv").write_text("segment,system,baseline\n" + "".join(f"{i},{i % 5},2\n" for i in range(1, 9)))
    assert sorted(rated(tmp_path / "esa.csv").systems) == ["baseline", "system"]


@pytest.mark.parametrize("layout", SCORES)
def test_a_score_that_is_none_is_refused_with_its_place(layout: str, tmp_path: Path) -> None:
    given: dict[str, list[object]] = {name: [*map(str, own)] for name, own in scores(("alpha", "beta")).items()}
    given["beta"][5] = "84/100"
    with pytest.raises(ReadError, match="84/100"):
        rated(SCORES[layout](given, tmp_path))  # type: ignore[arg-type]


def test_where_some_segment_is_0_all_count_from_0(tmp_path: Path) -> None:
    held = [[name, number, 50] for name in ("alpha", "beta") for number in range(5)]
    (tmp_path / "esa.csv").write_text(written([["system", "segment", "score"], *held]))
    corpus = rated(tmp_path / "esa.csv")
    assert len(corpus) == 5
    assert "numbered from 0" in "\n".join(note.text for note in corpus.notes)


ONE: dict[str, tuple[str, Callable[[Sequence[int]], str]]] = {
    "old comet-score": (".txt", lambda own: "".join(f"Segment {i}\tscore: {score}\n" for i, score in enumerate(own))
                        + "System score: 3.5\n"),
    "and its variance": (
        ".txt", lambda own: "".join(f"Segment {i}\tscore: {score}\tvariance: 0.1\n" for i, score in enumerate(own))
    ),
    "what COMET predicts": (".json", lambda own: json.dumps(
        {"scores": own, "system_score": 3.5, "metadata": {"error_spans": [[]] * len(own)}})),
    "a column": (".csv", lambda own: written([["score"], *([score] for score in own)])),
    "a column behind the index": (".csv", lambda own: written([["", "score"], *enumerate(own)])),
    "objects": (
        ".jsonl", lambda own: "".join(json.dumps({"id": i, "score": score}) + "\n" for i, score in enumerate(own))
    ),
    "with the texts": (".jsonl", lambda own: "".join(
        json.dumps({"source": f"a source {i}", "target": f"a text {i}", "score": score, "errors": {}}) + "\n"
        for i, score in enumerate(own))),
}  # fmt: skip


def test_files_of_one_system_are_called_like_it(tmp_path: Path) -> None:
    own = scores(["alpha"])["alpha"]
    for form, (ending, write) in ONE.items():
        path = tmp_path / f"alpha.gemba{ending}"
        path.write_text(write(own))
        corpus = assemble(named_ratings([f"{path}:higher"]))
        (rating,) = corpus.ratings.values()
        assert rating.values.tolist() == [own], form


@pytest.mark.parametrize("name", ["comet/SYSTEM.txt", "my-comet/SYSTEM.seg.score", "COMET/SYSTEM.json", "comet.json"])
def test_the_folder_names_the_metric_or_lists_are_named_by_system(name: str, tmp_path: Path) -> None:
    given = scores(["alpha", "beta"])
    texts = LAYOUTS["folder"](made(12), tmp_path / "set")
    contents = {name.replace("SYSTEM", system): values for system, values in given.items()}
    if "SYSTEM" not in name:
        contents = {name: given}
    for place, values in contents.items():
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        lines = "".join(f"{value}\n" for value in values)
        path.write_text(json.dumps(values) if path.suffix == ".json" else lines)
    (rating,) = read(texts, ratings=[tmp_path / place for place in contents]).ratings.values()
    assert rating.values.tolist() == list(given.values())


def test_lists_by_system_need_no_texts_and_no_other_name(tmp_path: Path) -> None:
    given: dict[str, list[int | None]] = {**scores(["alpha", "beta"]), "gamma": [None, *range(11)]}
    for name, better in (("comet.json", True), ("effort.higher.json", True), ("ter.json", False)):
        path = tmp_path / name
        path.write_text(json.dumps({**given, "mean": 3.5}))
        corpus = read(path)
        (rating,) = corpus.ratings.items()
        assert (rating[0], list(corpus.systems)) == (name.partition(".")[0], list(given))
        assert rating[1].higher_is_better == better
        held = [[np.nan if value is None else value for value in values] for values in given.values()]
        np.testing.assert_array_equal(rating[1].values, held)
    path.write_text(json.dumps({**given, "beta": [1, 2]}))
    with pytest.raises(ReadError, match="each as long as the test set"):
        read(path)


@pytest.mark.parametrize("name", ["precision", "COMET", "chrf", "segment_id", "score", "length"])
def test_a_list_of_a_score_or_of_ids_is_no_system(name: str, tmp_path: Path) -> None:
    path = tmp_path / "alpha.gemba.json"
    path.write_text(json.dumps({name: list(range(12)), "beta": list(range(12))}))
    assert "beta" not in assemble(named_ratings([f"{path}:higher"])).systems


@pytest.mark.parametrize("column", ["metric", "criterion"])
def test_a_column_names_what_each_score_is_of(column: str, tmp_path: Path) -> None:
    given = scores(["alpha", "beta"])
    rows = [[system, at, name, value * times] for name, times in (("comet", 1), ("chrf", 2))
            for system, values in given.items() for at, value in enumerate(values, 1)]  # fmt: skip
    path = tmp_path / "scores.csv"
    path.write_text(written([["system", "segment", column, "score"], *rows]))
    texts = LAYOUTS["folder"](made(12), tmp_path / "set")
    ratings = read(texts, ratings=[path]).ratings
    assert ratings["comet"].values.tolist() == list(given.values())
    assert ratings["chrf"].values.tolist() == [[2 * value for value in values] for values in given.values()]


def test_ids_and_times_of_annotation_tools_are_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "esa.csv"
    rows = [[at, 500 + at, 12.5, system, at % 12 + 1, value] for at, (system, value) in enumerate(
        (system, value) for system, values in scores(["alpha", "beta"]).items() for value in values)]  # fmt: skip
    path.write_text(written([["id", "annotation_id", "lead_time", "system", "segment", "rating"], *rows]))
    assert list(read(LAYOUTS["folder"](made(12), tmp_path / "set"), ratings=[path]).ratings) == ["esa"]


def test_scores_of_the_folder_that_are_named_again_are_taken_once(tmp_path: Path) -> None:
    texts = LAYOUTS["folder"](made(12), tmp_path)
    path = tmp_path / "ratings" / "mine.csv"
    path.parent.mkdir()
    path.write_text(written([["alpha", "beta"], *zip(*scores(["alpha", "beta"]).values(), strict=True)]))
    assert list(read(texts, ratings=[f"{path}:higher"]).ratings) == ["mine"]


def test_what_bert_score_prints_is_three_scores_of_one_system(tmp_path: Path) -> None:
    own = scores(["alpha"])["alpha"]
    lines = "".join(f"{score / 100:.6f}\t{score / 200:.6f}\t{score / 150:.6f}\n" for score in own)
    (tmp_path / "alpha.bertscore.txt").write_text(f"roberta-large_L17_no-idf P: 0.9 R: 0.9 F1: 0.9\n{lines}")
    corpus = assemble(named_ratings([tmp_path / "alpha.bertscore.txt"]))
    assert [name.rpartition("-")[2] for name in corpus.ratings] == ["precision", "recall", "f1"]


def _digits(script: str) -> Callable[[int], str]:
    return lambda score: str(score).translate(str.maketrans("0123456789", script))


SPELLED: dict[str, tuple[Callable[[int], str], Callable[[int], float] | None]] = {
    **{name: (write, float) for name, write in {
        "Arabic": _digits("٠١٢٣٤٥٦٧٨٩"), "full width": _digits("０１２３４５６７８９"), "plus": "+{}".format,
        "exponent": "{}e0".format, "spaces": " {} ".format, "no-break spaces": "\u00a0{}\u00a0".format,
        "point at the end": "{}.".format,
    }.items()},
    "hundredths": (".{:02d}".format, lambda score: score / 100),
    "exponent 2": ("{}e2".format, lambda score: score * 100),
    "minus sign": ("\u2212{}".format, lambda score: -score), "hyphen": ("-{}".format, lambda score: -score),
    **{gap: (lambda _, gap=gap: gap, lambda _: np.nan) for gap in ("N/A", "–", "null", "#N/A")},  # type: ignore[misc]
    **{name: (write, None) for name, write in {
        "of 100": "{}/100".format, "decimal comma": "0,{}".format, "percent": "{} %".format, "%": "{}%".format,
        "stars": "{}.5 stars".format, "thousands": "{},000.5".format, "in thousands": "{} 000".format,
        "about": "~{}".format, "below": "<{}".format, "give or take": "{}±2".format, "brackets": "({})".format,
        "a range": "1-{}".format, "a remark": "{} (good)".format, "a label": "Score: {}".format,
        "a list": "[{}]".format,
        "underscore": "{}_0".format, "hexadecimal": "0x{}".format, "Arabic comma": "{}\u066b5".format,
        "a word": lambda _: "good", "a fraction": lambda _: "½", "Roman": lambda _: "IV", "infinite": lambda _: "inf",
        "beyond": lambda _: "1e999", "a date": lambda _: "2024-01-05", "a time": lambda _: "1:30",
        "a formula": lambda _: "#DIV/0!", "an en dash": "\u2013{}".format,
    }.items()},
}  # fmt: skip
"""Spelling of a score -> how it is written, and what it says; None where it says no number for sure."""


@crossed("layout, name", SCORES, SPELLED)
def test_a_score_is_read_as_it_is_spelled_or_refused_by_its_cell(layout: str, name: str, tmp_path: Path) -> None:
    write, means = SPELLED[name]
    for step in (12, 2, 1):  # one cell of a system, half of them, all of them
        given = {system: [write(score) if at % step == 0 else str(score) for at, score in enumerate(own)]
                 for system, own in scores(("alpha", "beta")).items()}  # fmt: skip
        path = SCORES[layout](given, tmp_path)  # type: ignore[arg-type]
        if means is None:
            with pytest.raises(ReadError) as caught:
                rated(path)
            assert any(cell in str(caught.value) for own in given.values() for cell in own[::step])
        elif np.isfinite(means(1)) or step > 1:
            corpus = rated(path)
            for at, own in enumerate(map(scores(("alpha", "beta")).get, corpus.systems)):
                told = [means(score) if at % step == 0 else score for at, score in enumerate(own or ())]
                assert np.array_equal(corpus.ratings["esa"].values[at], told, equal_nan=True)
