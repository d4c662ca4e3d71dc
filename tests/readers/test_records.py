"""Texts that lie by language, as Hugging Face's data sets have them, are source and reference: never a system."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from layouts import made
from pyarrow import parquet

from mtsig import read, read_files
from mtsig.errors import ReadError
from mtsig.readers import File
from mtsig.readers._assemble import of_pair
from mtsig.readers._read import parts_of

TEXTS = made(20)


def rows(*languages: str) -> list[dict[str, object]]:
    names = ("source", "ref", "alpha")
    return [
        {"id": str(i), "translation": {code: TEXTS[name][i] for code, name in zip(languages, names, strict=False)}}
        for i in range(20)
    ]


def _parquet(held: list[dict[str, object]], path: Path) -> None:
    parquet.write_table(pa.Table.from_pylist(held), path)


FORMS: dict[str, Callable[[list[dict[str, object]], Path], object]] = {
    ".parquet": _parquet,
    ".jsonl": lambda held, path: path.write_text("".join(json.dumps(row) + "\n" for row in held)),
    ".json": lambda held, path: path.write_text(json.dumps(held)),
}
CODES = (("de", "en"), ("eng_Latn", "deu_Latn"), ("zh-CN", "en"), ("fra", "eng"))


@pytest.mark.parametrize("codes", CODES)
@pytest.mark.parametrize("form", FORMS)
def test_two_languages_are_source_and_reference(form: str, codes: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / f"hf{form}"
    FORMS[form](rows(*codes), path)
    parts = parts_of([File(path.name, path)])
    assert {part.role: list(part.lines or ()) for part in parts if part.role != "ignored"} == {
        "source": TEXTS["source"], "reference": TEXTS["ref"]
    }  # fmt: skip
    (tmp_path / "alpha.txt").write_text("\n".join(TEXTS["alpha"]))
    corpus = read_files([path], [tmp_path / "alpha.txt"])
    assert [list(lines) for lines in corpus.references.values()] == [TEXTS["ref"]]


def test_the_name_of_the_file_says_the_direction(tmp_path: Path) -> None:
    path = tmp_path / "wmt.en-de.jsonl"
    FORMS[".jsonl"](rows("de", "en"), path)
    parts = {part.role: part for part in parts_of([File(path.name, path)])}
    assert list(parts["source"].lines or ()) == TEXTS["ref"]


@pytest.mark.parametrize("form", FORMS)
def test_of_several_languages_a_pair_is_chosen(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"hf{form}"
    FORMS[form](rows("de", "en", "fr"), path)
    parts = parts_of([File(path.name, path)])
    chosen = {part.role: list(part.lines or ()) for part in of_pair(parts, "en-fr") if part.role != "ignored"}
    assert chosen == {"source": TEXTS["ref"], "reference": TEXTS["alpha"]}
    with pytest.raises(ReadError, match="no language pair 'en-xx'"):
        of_pair(parts, "en-xx")


COLUMNS = (("de", "en"), ("German", "English"), ("sentence_deu_Latn", "sentence_eng_Latn"), ("de_DE", "en_XX"))


def test_columns_that_are_called_by_languages_are_no_systems(tmp_path: Path) -> None:
    for number, (source, target) in enumerate(COLUMNS):
        held = [{source: TEXTS["source"][i], target: TEXTS["ref"][i], "alpha": TEXTS["alpha"][i]} for i in range(20)]
        nested = [{"id": i, "translation": {"de": row[source], "en": row[target]}, "alpha": row["alpha"]}
                  for i, row in enumerate(held)]  # fmt: skip
        for form, content in (("tsv", held), ("jsonl", held), ("jsonl", nested), ("parquet", held)):
            path = tmp_path / f"{number}.{form}"
            if form == "tsv":
                path.write_text("\n".join("\t".join(row) for row in (held[0], *(one.values() for one in held))) + "\n")
            else:
                FORMS[f".{form}"](content, path)
            corpus = read(path)
            assert list(corpus.systems) == ["alpha"]
            assert list(corpus.segments.sources or ()) == TEXTS["source"]
            assert [list(lines) for lines in corpus.references.values()] == [TEXTS["ref"]]
            assert any("as the source" in note.text for note in corpus.notes)


def test_ids_of_requests_are_no_outputs(tmp_path: Path) -> None:
    held = [{"custom_key": f"request-{7 * i}", "ref": TEXTS["ref"][i], "alpha": TEXTS["alpha"][i]} for i in range(20)]
    FORMS[".jsonl"](held, tmp_path / "set.jsonl")
    assert list(read(tmp_path / "set.jsonl").systems) == ["alpha"]


STRUCTS: dict[str, Callable[[int], dict[str, object]]] = {
    "outputs by language": lambda i: {"alpha": {"en": TEXTS["alpha"][i]}, "beta": {"en": TEXTS["beta"][i]}},
    "outputs with their sources": lambda i: {
        name: {"de": TEXTS["source"][i], "en": TEXTS[name][i]} for name in ("alpha", "beta")
    },
    "an object of outputs": lambda i: {"hyp": {name: TEXTS[name][i] for name in ("alpha", "beta")}},
    "candidates": lambda i: {"candidates": {name: TEXTS[name][i] for name in ("alpha", "beta")}},
    "outputs with scores": lambda i: {
        "systems": {name: {"text": TEXTS[name][i], "score": 0.5} for name in ("alpha", "beta")}
    },
    "a list of systems": lambda i: {
        "translations": [{"system": name, "text": TEXTS[name][i]} for name in ("alpha", "beta")]
    },
    "a list of models": lambda i: {"runs": [{"model": name, "output": TEXTS[name][i]} for name in ("alpha", "beta")]},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("struct", STRUCTS)
def test_outputs_in_objects_beside_are_systems_by_their_names(struct: str, form: str, tmp_path: Path) -> None:
    held = [{**row, **STRUCTS[struct](i)} for i, row in enumerate(rows("de", "en"))]
    FORMS[form](held, tmp_path / f"hf{form}")
    corpus = read(tmp_path / f"hf{form}")
    assert {name: list(corpus.lines(name)) for name in corpus.systems} == {
        name: TEXTS[name] for name in ("alpha", "beta")
    }
    assert [list(lines) for lines in corpus.references.values()] == [TEXTS["ref"]]


@pytest.mark.parametrize("with_source", [True, False])
def test_an_output_by_language_is_called_like_its_file(with_source: bool, tmp_path: Path) -> None:
    held = [
        {**row, "mt": {"de": TEXTS["source"][i], "en": TEXTS["alpha"][i]}} for i, row in enumerate(rows("de", "en"))
    ]
    if not with_source:
        held = [{**row, "mt": {"en": TEXTS["alpha"][i]}} for i, row in enumerate(held)]
    FORMS[".jsonl"](held, tmp_path / "ours.jsonl")
    corpus = read(tmp_path / "ours.jsonl")
    assert {name: list(corpus.lines(name)) for name in corpus.systems} == {"ours": TEXTS["alpha"]}


def test_scores_of_no_segment_are_refused_with_the_column_that_is_missing(tmp_path: Path) -> None:
    held: list[dict[str, object]] = [{"system": name, "score": i} for name in ("A", "B") for i in range(4)]
    (tmp_path / "scores.csv").write_text(
        "system,score\n" + "".join(f"{row['system']},{row['score']}\n" for row in held)
    )
    FORMS[".json"](held, tmp_path / "scores.json")
    for name in ("scores.csv", "scores.json"):
        with pytest.raises(ReadError, match="without a column that says which segment"):
            read(tmp_path / name)
    for form in (".json", ".jsonl"):
        FORMS[form]([{"segment": i % 4, **row} for i, row in enumerate(held)], tmp_path / f"bleurt{form}")
        assert read(tmp_path / f"bleurt{form}").ratings["bleurt"].values.tolist() == [[0, 1, 2, 3]] * 2
