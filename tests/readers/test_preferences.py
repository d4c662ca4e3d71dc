"""Preferences are known in every layout, refused by name, and no column of theirs becomes a system."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from kept import lacking
from layouts import LAYOUTS, made, workbook, written
from limited import limited
from pyarrow import parquet

from mtsig import read
from mtsig.errors import ReadError
from mtsig.readers._rating_files import named_ratings

Rows = list[dict[str, Any]]
RECORDS: dict[str, Callable[[int], dict[str, Any]]] = {
    "tidy": lambda i: {"item": f"d{i}", "judge": "Bo", "system_a": "Ada", "system_b": "Bly", "winner": "Ada"},
    "margin": lambda i: {"segment": i, "rater": "Ann", "model_1": "Ada", "model_2": "Bly", "preference": i % 3 - 1},
    "left and right": lambda i: {"id": i, "left": "Ada", "right": "Bly", "choice": "left"},
    "first and second": lambda i: {"uid": f"u{i}", "first": "Ada", "second": "Bly", "verdict": "[[A]]"},
    "arena": lambda i: {"question_id": f"q{i}", "model_a": "Ada", "model_b": "Bly", "winner": "tie (bothbad)"},
    "mt-bench": lambda i: {
        "question_id": i, "model_1": "Ada", "model_2": "Bly", "g1_winner": "model_1", "g2_winner": "error", "turn": 1
    },
    "alpaca": lambda i: {
        "instruction": f"Say {i}.", "output_1": "x", "generator_1": "Ada", "output_2": "y", "generator_2": "Bly",
        "preference": 1.5,
    },
    "raw": lambda i: {"item": f"i{i}", "system_a": "Ada", "system_b": "Bly", "output": "My verdict: [[A>>B]]"},
    "pairwise qe": lambda i: {"segment": i, "system_a": "Ada", "system_b": "Bly", "score": 0.31 - i / 9},
    "names of its own": lambda i: {
        "id": i, "src": f"Text {i} is short.", "engine_x": ("Ada", "Bly", "Cox")[i % 3], "out_x": f"One text {i}.",
        "engine_y": ("Bly", "Cox", "Ada")[i % 3], "out_y": f"Another text {i}.", "better": "xy"[i % 2],
    },
    "upper case": lambda i: {"Item": i, "System_A": "Ada", "System_B": "Bly", "Winner": "A"},
}  # fmt: skip
NESTED: dict[str, Callable[[int], dict[str, Any]]] = {
    "arena-hard": lambda i: {
        "uid": f"u{i}", "model": "Ada", "baseline": "Bly", "judge": "j", "games": [{"score": "B>A"}, {"score": "A>B"}]
    },
    "lm-eval": lambda i: {"doc_id": i, "doc": {"system_a": "Ada", "system_b": "Bly"}, "filtered_resps": ["[[A]]"]},
}  # fmt: skip
LAYOUT: dict[str, Callable[[Rows, Path], object]] = {
    ".jsonl": lambda rows, path: path.write_text("".join(json.dumps(row) + "\n" for row in rows)),
    ".json": lambda rows, path: path.write_text(json.dumps(rows, indent=1)),
    ".csv": lambda rows, path: path.write_text(written([list(rows[0]), *(list(row.values()) for row in rows)])),
    ".tsv": lambda rows, path: path.write_text(written([list(rows[0]), *(list(row.values()) for row in rows)], "\t")),
    ".xlsx": lambda rows, path: workbook([list(rows[0]), *(list(row.values()) for row in rows)], path),
    ".parquet": lambda rows, path: parquet.write_table(pa.Table.from_pylist(rows), path),
}
CASES = [(kind, form) for kind in RECORDS for form in LAYOUT] + [
    (kind, form) for kind in NESTED for form in (".jsonl", ".json")
]


def file_of(kind: str, form: str, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"given{form}"
    LAYOUT[form]([(RECORDS | NESTED)[kind](i) for i in range(12)], path)
    return path


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_they_are_refused_by_name_alone_and_as_ratings(kind: str, form: str, tmp_path: Path) -> None:
    path = file_of(kind, form, tmp_path)
    for given in (path, tmp_path):
        with pytest.raises(ReadError, match="Use mtsig preferences"):
            read(given)
    (part,) = named_ratings([path])
    assert part.problem is not None
    assert not lacking(part.problem, "two systems", "mtsig preferences")


@pytest.mark.parametrize("folder", ["", "ratings", "systems"])
@pytest.mark.parametrize(("kind", "form"), [("tidy", ".tsv"), ("arena", ".jsonl"), ("alpaca", ".json")])
def test_beside_outputs_they_are_left_alone_and_said(kind: str, form: str, folder: str, tmp_path: Path) -> None:
    LAYOUTS["folder"](made(), tmp_path)
    file_of(kind, form, tmp_path / folder if folder else tmp_path)
    corpus = read(tmp_path)
    assert sorted(corpus.systems) == ["alpha", "beta"]
    assert not corpus.ratings
    assert any("Use mtsig preferences" in note.text for note in corpus.notes)


def test_many_columns_of_the_same_names_are_not_all_compared_with_each_other(tmp_path: Path) -> None:
    names = ["\t".join(["AB"[row // 2 % 2]] * 2_600) for row in range(9)]
    (tmp_path / "wide.tsv").write_text("\n".join(["\t".join(f"c{i}" for i in range(2_600)), *names]), encoding="utf-8")
    code = "import sys, mtsig.cli; sys.exit(mtsig.cli.main(['read', sys.argv[1]]))"
    done = limited(code, tmp_path / "wide.tsv", seconds=3)
    assert "found 2,600 systems" in done.stderr
