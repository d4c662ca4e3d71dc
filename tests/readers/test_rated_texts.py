"""Scores that carry the texts they were given for are joined to these, or refused: never to other texts."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from kept import Kept, lacking
from layouts import LAYOUTS, made, written

from mtsig import Corpus, read
from mtsig.errors import ReadError

N = 24
TEXTS = made(N)
SCORES = {name: [round(0.2 + 0.03 * i + 0.1 * (name == "alpha"), 3) for i in range(N)] for name in ("alpha", "beta")}

Row = tuple[str, int, str, str, float]
"""System, segment from 1, source, output and score."""


def _comet(rows: Sequence[Row]) -> tuple[str, str]:
    held: dict[str, list[dict[str, object]]] = {}
    for system, _, source, output, score in rows:
        held.setdefault(f"{system}.txt", []).append({"src": source, "mt": output, "COMET": score})
    return "COMET.json", json.dumps(held)


def _long(column: str, name: str, separator: str) -> Callable[[Sequence[Row]], tuple[str, str]]:
    def write(rows: Sequence[Row]) -> tuple[str, str]:
        held = [[system, number, output, score] for system, number, _, output, score in rows]
        return name, written([["system", "segment", column, "COMET"], *held], separator)

    return write


def _records(rows: Sequence[Row]) -> tuple[str, str]:
    lines = [
        {"system": system, "segment": number, "mt": output, "COMET": score} for system, number, _, output, score in rows
    ]
    return "COMET.jsonl", "".join(json.dumps(line) + "\n" for line in lines)


def _mqm(rows: Sequence[Row]) -> tuple[str, str]:
    held = [
        [system, "d", number, number, "r1", source, f"<v>{output[:3]}</v>{output[3:]}", "Accuracy", "Minor"]
        for system, number, source, output, _ in rows
    ]
    header = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    return "mqm.tsv", "\n".join("\t".join(map(str, row)) for row in [header, *held]) + "\n"


FORMATS = {
    "comet": _comet,
    "csv, mt": _long("mt", "COMET.csv", ","),
    "tsv, hypothesis": _long("hypothesis", "COMET.tsv", "\t"),
    "csv, target": _long("target", "COMET.csv", ","),
    "csv, a column of another name": _long("Machine Translation", "COMET.csv", ","),
    "json lines": _records,
    "mqm": _mqm,
}


def rows(order: Sequence[int] = range(N), text_of: Callable[[str, int], str] | None = None) -> list[Row]:
    """Return the scores in this order of segments, numbered anew, with the texts that they were given for."""
    text = text_of or (lambda name, i: TEXTS[name][i])
    return [
        (name, place, TEXTS["source"][i], text(name, i), SCORES[name][i])
        for name in SCORES for place, i in enumerate(order, 1)
    ]  # fmt: skip


def corpus_of(folder: Path, form: str, given: Sequence[Row]) -> Corpus:
    LAYOUTS["folder"](TEXTS, folder)
    (folder / "ratings").mkdir()
    name, content = FORMATS[form](given)
    (folder / "ratings" / name).write_text(content)
    return read(folder)


def said(corpus: Corpus) -> str:
    return "\n".join(note.text for note in corpus.notes)


@pytest.mark.parametrize("form", FORMATS)
def test_texts_that_agree_are_said_to(form: str, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, form, rows())
    assert "texts match" in said(corpus)
    if form != "mqm":
        assert corpus.ratings["COMET"].values.tolist() == list(SCORES.values())


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("form", [form for form in FORMATS if form != "mqm"])
def test_another_order_is_joined_by_text(form: str, seed: int, tmp_path: Path) -> None:
    order = random.Random(seed).sample(range(N), N)
    corpus = corpus_of(tmp_path, form, rows(order))
    assert "matched by text" in said(corpus)
    np.testing.assert_allclose(corpus.ratings["COMET"].values, list(SCORES.values()))


@pytest.mark.parametrize("column", ["source", "reference", "wide"])
def test_texts_of_the_segments_tell_the_order_as_well(column: str, tmp_path: Path) -> None:
    for seed, said_so in ((0, "texts match the"), (1, "matched by text"), (2, "cannot be matched by text")):
        order = random.Random(seed).sample(range(N), N) if seed else list(range(N))
        key = "ref" if column == "reference" else "source"
        texts = [TEXTS[key][i] if seed < 2 or k > 2 else "Another text." for k, i in enumerate(order)]
        rows = [[name, k, texts[k - 1], SCORES[name][i]] for name in SCORES for k, i in enumerate(order, 1)]
        held = [["system", "segment", column, "COMET"], *rows]
        if column == "wide":
            held = [["segment", "source", *SCORES], *([k, texts[k - 1], *(SCORES[name][i] for name in SCORES)]
                                                     for k, i in enumerate(order, 1))]  # fmt: skip
        folder = tmp_path / str(seed)
        LAYOUTS["folder"](TEXTS, folder)
        (folder / "ratings").mkdir()
        (folder / "ratings" / "COMET.csv").write_text(written(held))
        if seed == 2:
            with pytest.raises(ReadError, match=said_so):
                read(folder)
            continue
        corpus = read(folder)
        assert said_so in said(corpus)
        np.testing.assert_allclose(corpus.ratings["COMET"].values, list(SCORES.values()))


def test_remarks_of_raters_are_no_outputs(tmp_path: Path, kept: Kept) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "ratings").mkdir()
    held = [[name, k, f"I liked number {k} of these.", SCORES[name][k - 1]] for name in SCORES for k in range(1, N + 1)]
    (tmp_path / "ratings" / "COMET.csv").write_text(written([["system", "segment", "why", "COMET"], *held]))
    corpus = read(tmp_path)
    assert "not compared" in said(corpus)
    kept("readers", said(corpus))
    np.testing.assert_allclose(corpus.ratings["COMET"].values, list(SCORES.values()))


@pytest.mark.parametrize("form", FORMATS)
def test_names_that_were_exchanged_are_told(form: str, tmp_path: Path) -> None:
    other = {"alpha": "beta", "beta": "alpha"}
    with pytest.raises(ReadError, match=r"outputs of beta\."):
        corpus_of(tmp_path, form, rows(text_of=lambda name, i: TEXTS[other[name]][i]))


@pytest.mark.parametrize("form", FORMATS)
def test_other_texts_are_refused_with_their_lines(form: str, tmp_path: Path) -> None:
    def text(name: str, i: int) -> str:
        return "Quite another text." if i < 3 and name == "beta" else TEXTS[name][i]

    with pytest.raises(ReadError, match=r"3 of 48 texts differ \(.*cannot be matched by text") as caught:
        corpus_of(tmp_path, form, rows(text_of=text))
    assert not lacking(str(caught.value), "beta", repr("Quite another text."))


def test_a_shuffle_with_two_equal_texts_is_refused(tmp_path: Path) -> None:
    def text(name: str, i: int) -> str:
        return "The same." if i in (3, 7) else TEXTS[name][i]

    folder = tmp_path / "set"
    LAYOUTS["folder"]({**TEXTS, **{name: [text(name, i) for i in range(N)] for name in SCORES}}, folder)
    (folder / "ratings").mkdir()
    name, content = FORMATS["comet"](rows(list(reversed(range(N))), text))
    (folder / "ratings" / name).write_text(content)
    with pytest.raises(ReadError, match="cannot be matched by text"):
        read(folder)


@pytest.mark.parametrize("change", [str.upper, lambda text: text.replace(" ", "  "), lambda text: text.rstrip(".")])
def test_spaces_case_and_punctuation_are_no_other_text(change: Callable[[str], str], tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, "csv, mt", rows(text_of=lambda name, i: change(TEXTS[name][i])))
    assert "texts match" in said(corpus)
