"""Test sets that are written in every layout that is read, and scores in every layout of scores."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import openpyxl
import pyarrow as pa
from pyarrow import parquet

from mtsig.readers._names import is_language

_SAID = "the old bridge opened before a young pilot carried two small boats near river and garden gate"
WORDS = _SAID.split()


def sentence(number: int, of: str = "ref") -> str:
    """Return a sentence of its own for every number and text: a system shares most words with the reference."""
    at = [(number * 7 + place * (3 + number % 5)) % len(WORDS) for place in range(6 + number % 5)]
    words = [WORDS[i] for i in at]
    if of != "ref":
        words[number % len(words)] = f"{of.lower()}{number}"
    return f"{' '.join([f'{number}th', *words]).capitalize()}."


def made(n: int = 30, systems: Sequence[str] = ("alpha", "beta")) -> dict[str, list[str]]:
    """Return a made test set: source, ref, and the systems."""
    names = ("source", "ref", *systems)
    return {name: [sentence(number, name) for number in range(n)] for name in names}


Texts = Mapping[str, Sequence[str]]


def written(rows: Sequence[Sequence[object]], delimiter: str = ",") -> str:
    """Return rows as a table with this separator, quoted where that is needed."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _rows(texts: Texts) -> list[list[str]]:
    return [list(texts), *map(list, zip(*texts.values(), strict=True))]


def _records(texts: Texts) -> list[dict[str, str]]:
    names, *rows = _rows(texts)
    return [dict(zip(names, row, strict=True)) for row in rows]


def workbook(rows: Sequence[Sequence[object]], path: Path, sheet: str = "Sheet", before: int = 0) -> Path:
    """Write rows into a sheet of a workbook, behind so many sheets of notes."""
    book = openpyxl.Workbook()
    first = book.active
    for number in range(before):
        notes = first if number == 0 else book.create_sheet(f"notes {number}")
        notes.append(["Made for tests."])
    target = book.create_sheet(sheet) if before else first
    for row in rows:
        target.append(list(row))
    book.save(path)
    return path


def _folder(texts: Texts, folder: Path, ending: str = ".txt") -> Path:
    for kind in ("refs", "systems"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for name, lines in texts.items():
        role = {"source": f"source{ending}", "ref": f"refs/ref{ending}"}.get(name, f"systems/{name}{ending}")
        (folder / role).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def _text(name: str, write: Callable[[Texts], str]) -> Callable[[Texts, Path], Path]:
    def layout(texts: Texts, folder: Path) -> Path:
        path = folder / name
        path.write_text(write(texts), encoding="utf-8")
        return path

    return layout


def _long(texts: Texts) -> list[dict[str, object]]:
    systems = [name for name in texts if name not in ("source", "ref")]
    return [
        {"system": name, "segment": number, "source": texts["source"][number - 1], "ref": texts["ref"][number - 1],
         "output": line}
        for name in systems for number, line in enumerate(texts[name], 1)
    ]  # fmt: skip


def _table(records: Sequence[Mapping[str, object]], path: Path) -> Path:
    parquet.write_table(pa.Table.from_pylist([dict(record) for record in records]), path)
    return path


def _told(text: str, language: str) -> dict[str, str]:
    """Return a text as an object that says its language, too."""
    return {"lang": language, "text": text}


def _in_languages(record: Mapping[str, str]) -> dict[str, object]:
    """Return a segment whose texts each say their language."""
    return {name: _told(text, "de" if name == "source" else "en") for name, text in record.items()}


def _by_language(texts: Texts) -> dict[str, Sequence[str]]:
    """Return the texts with source and reference called by their languages, unless a system may be called so, too."""
    if any(map(is_language, texts)):
        return dict(texts)
    return {{"source": "de", "ref": "en"}.get(name, name): lines for name, lines in texts.items()}


def _of_documents(texts: Texts) -> list[dict[str, object]]:
    records = _records(texts)
    return [{"document": f"d{at}", "segments": records[at : at + 4]} for at in range(0, len(records), 4)]


def _nested(record: Mapping[str, str]) -> dict[str, object]:
    """Return a segment with its outputs in objects below the names of their systems."""
    systems = {name: _told(text, "en") for name, text in record.items() if name not in ("source", "ref")}
    return {"source": record["source"], "refs": [_told(record["ref"], "en")], "outputs": systems}


LAYOUTS: dict[str, Callable[[Texts, Path], Path]] = {
    "json of rows": _text("set.json", lambda texts: json.dumps(_rows(texts))),
    "json, split": _text(
        "set.json", lambda texts: json.dumps({"columns": list(texts), "data": _rows(texts)[1:]}, indent=1)
    ),
    "json by id": _text(
        "set.json", lambda texts: json.dumps({f"s{at}": record for at, record in enumerate(_records(texts))})
    ),
    "json within": _text("set.json", lambda texts: json.dumps({"version": 2, "set": {"segments": _records(texts)}})),
    "json of documents": _text("set.json", lambda texts: json.dumps({"documents": 3, "data": _of_documents(texts)})),
    "json of systems": _text(
        "set.json",
        lambda texts: json.dumps(
            {
                "source": texts["source"],
                "references": [texts["ref"]],
                "systems": {name: lines for name, lines in texts.items() if name not in ("source", "ref")},
            }
        ),
    ),
    "json lines with languages": _text(
        "set.ndjson", lambda texts: "\n".join(json.dumps(_in_languages(record)) for record in _records(texts)) + "\n"
    ),
    "nested json lines": _text(
        "set.jsonl", lambda texts: "\n".join(json.dumps(_nested(record)) for record in _records(texts)) + "\n"
    ),
    "csv of languages": _text("set.csv", lambda texts: written(_rows(_by_language(texts)))),
    "tab": _text("set.tab", lambda texts: "\n".join("\t".join(row) for row in _rows(texts)) + "\n"),
    "folder of .hyp.en.txt": lambda texts, folder: _folder(texts, folder, ".hyp.en.txt"),
    "folder": _folder,
    "folder of .en": lambda texts, folder: _folder(texts, folder, ".en"),
    "tsv": _text("set.tsv", lambda texts: "\n".join("\t".join(row) for row in _rows(texts)) + "\n"),
    "csv": _text("set.csv", lambda texts: written(_rows(texts))),
    "xlsx": lambda texts, folder: workbook(_rows(texts), folder / "set.xlsx"),
    "xlsx, third sheet": lambda texts, folder: workbook(_rows(texts), folder / "set.xlsx", "texts", 2),
    "parquet": lambda texts, folder: _table(_records(texts), folder / "set.parquet"),
    "json lines": _text("set.jsonl", lambda texts: "\n".join(map(json.dumps, _records(texts))) + "\n"),
    "json": _text("set.json", lambda texts: json.dumps(_records(texts))),
    "json of columns": _text("set.json", lambda texts: json.dumps(dict(texts))),
    "long csv": _text(
        "set.csv", lambda texts: written([list(_long(texts)[0]), *(list(row.values()) for row in _long(texts))])
    ),
    "long json lines": _text("set.jsonl", lambda texts: "\n".join(map(json.dumps, _long(texts))) + "\n"),
    "long parquet": lambda texts, folder: _table(_long(texts), folder / "set.parquet"),
}
"""Layout -> what writes a test set in it; returned is the path to read."""


def _cells(scores: Mapping[str, Sequence[float]], first: int = 1) -> list[list[object]]:
    """Return a row per system and segment, segments numbered from `first`."""
    return [[name, number, value] for name, values in scores.items() for number, value in enumerate(values, first)]


def _wide(scores: Mapping[str, Sequence[float]]) -> list[list[object]]:
    columns = zip(*scores.values(), strict=True)
    return [["segment", *scores], *([number, *row] for number, row in enumerate(columns, 1))]


LONG = ["system", "segment", "score"]


def _scores_in(name: str, write: Callable[[Mapping[str, Sequence[float]]], str]) -> Callable[..., Path]:
    def layout(scores: Mapping[str, Sequence[float]], folder: Path) -> Path:
        path = folder / name
        path.write_text(write(scores), encoding="utf-8")
        return path

    return layout


def _objects(scores: Mapping[str, Sequence[float]]) -> list[dict[str, object]]:
    return [dict(zip(LONG, row, strict=True)) for row in _cells(scores)]


SCORES: dict[str, Callable[[Mapping[str, Sequence[float]], Path], Path]] = {
    "long csv": _scores_in("esa.csv", lambda scores: written([LONG, *_cells(scores)])),
    "long csv, from 0": _scores_in("esa.csv", lambda scores: written([LONG, *_cells(scores, 0)])),
    "long tsv": _scores_in("esa.tsv", lambda scores: written([LONG, *_cells(scores)], "\t")),
    "long json lines": _scores_in("esa.jsonl", lambda s: "\n".join(map(json.dumps, _objects(s))) + "\n"),
    "long json": _scores_in("esa.json", lambda scores: json.dumps(_objects(scores))),
    "long xlsx": lambda scores, folder: workbook([LONG, *_cells(scores)], folder / "esa.xlsx"),
    "long xlsx, second sheet": lambda scores, folder: workbook(
        [LONG, *_cells(scores)], folder / "esa.xlsx", "scores", 1
    ),
    "long parquet": lambda scores, folder: _table(_objects(scores), folder / "esa.parquet"),
    "wide csv": _scores_in("esa.csv", lambda scores: written(_wide(scores))),
    "wide tsv": _scores_in("esa.tsv", lambda scores: written(_wide(scores), "\t")),
    "wide xlsx": lambda scores, folder: workbook(_wide(scores), folder / "esa.xlsx"),
    "blocks": _scores_in(
        "esa.seg.score", lambda scores: "".join(f"{name}\t{value}\n" for name, _, value in _cells(scores))
    ),
}
"""Layout of scores -> what writes them in it."""
