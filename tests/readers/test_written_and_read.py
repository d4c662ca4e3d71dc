"""Whatever is read can be written in each layout and is read back the same; what is damaged is refused or told."""

import gzip
import zipfile
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from layouts import LAYOUTS, SCORES, made

from mtsig import Corpus, MtsigError, check_data, read
from mtsig.corpus import inspect
from mtsig.readers import assemble
from mtsig.readers._rating_files import named_ratings

NAMES: Sequence[Sequence[str]] = (
    ("alpha", "beta"), ("gpt-4.1", "gpt-4", "nllb-200-3.3B"), ("Größe (2)", "系统 1"), ("a b", "[x]", "c&d"),
    ("2024", "7b"), ("1", "2"), ("4.1", "4.5"), ("yes", "no"), ("-1", "1e3"), ("system", "ours"),
    ("v1.2.3", "opus-mt.en-de", "ours.run1", "sys.737", "x.v2"),
)  # fmt: skip
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be")
ENDS = ("\n", "\r\n", "")
PACKINGS = ("", "gz", "zip")
WRITINGS = list(product(ENCODINGS, ENDS, PACKINGS))
BINARY = (".xlsx", ".parquet")
TABLES = ("tsv", "csv", "xlsx", "parquet")


def texts_of(corpus: Corpus) -> dict[str, list[str | None]]:
    return {
        "source": list(corpus.segments.sources or ()), "ref": [*next(iter(corpus.references.values()), ())],
        **{name: [*corpus.lines(name)] for name in corpus.systems},
    }  # fmt: skip


def scores_of(corpus: Corpus) -> dict[str, Any]:
    return dict(zip(corpus.systems, corpus.ratings["esa"].values.tolist(), strict=True))


def read_scores(path: Path) -> Corpus:
    return assemble(named_ratings([f"esa={path}:higher"]))


def recoded(path: Path, encoding: str, ends: str = "\n", packing: str = "") -> Path:
    """Write the files at a path in another encoding, with its mark, and other ends of lines; return what is packed."""
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    for file in files:
        if file.suffix not in BINARY:
            content = file.read_text(encoding="utf-8")
            content = content.rstrip("\n") if ends == "" else content.replace("\n", ends)
            file.write_bytes((("\ufeff" if encoding.endswith("e") else "") + content).encode(encoding))
        if packing == "gz" and file.suffix not in BINARY:
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
            file.unlink()
    if packing == "zip":
        archive = path.parent / f"{path.name}-packed.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            for file in files:
                packed.write(file, file.relative_to(path.parent if path.is_file() else path))
        return archive
    return path.with_name(f"{path.name}.gz") if packing == "gz" and not path.exists() else path


def given(names: Sequence[str], kind: str) -> dict[str, list[Any]]:
    if kind == "texts":
        return {**made(12, names), "source": made(12)["source"]}
    return {name: [(3 * at + 7 * i) % 90 for i in range(12)] for at, name in enumerate(names)}


@pytest.mark.parametrize(
    ("layouts", "reading", "held"),
    [(LAYOUTS, read, texts_of), (SCORES, read_scores, scores_of)],
    ids=["texts", "scores"],
)
def test_whatever_is_read_can_be_written_in_each_layout(
    layouts: Mapping[str, Callable[..., Path]], reading: Callable[[Path], Corpus],
    held: Callable[[Corpus], dict[str, Any]], tmp_path: Path,
) -> None:  # fmt: skip
    wrong = []
    for number, (name, layout) in enumerate(layouts.items()):
        for at, names in list(enumerate(NAMES))[number % 2 :: 2]:
            texts = given(names, "texts" if layouts is LAYOUTS else "scores")
            place = tmp_path / f"{number}-{at}"
            place.mkdir()
            path = layout(texts, place)
            writing = WRITINGS[(7 * number + at) % len(WRITINGS)]
            path = recoded(path, *writing[:2], "" if layouts is SCORES and writing[2] == "zip" else writing[2])
            try:
                found: object = held(reading(path))
            except MtsigError as error:
                found = str(error)
            if found != texts:
                wrong.append((name, names, writing, found))
    assert not wrong, wrong[:3]


def lines_of(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def _line_changed(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def damaged(data: bytes) -> bytes:
        lines = lines_of(data)
        at = len(lines) // 2
        return b"".join([*lines[:at], change(lines[at]), *lines[at + 1 :]])

    return damaged


def _without_cell(line: bytes) -> bytes:
    """Return a row without its second cell, or an object without its last text."""
    separator = next((one for one in (b'", "', b"\t", b",") if one in line), b"")
    cells = line.split(separator) if separator else [line]
    return separator.join([cells[0], *cells[2:]]) if len(cells) > 1 else b""


DAMAGES: Mapping[str, Callable[[bytes], bytes]] = {
    "truncated": lambda data: data[: int(0.6 * len(data)) - (data[int(0.6 * len(data)) - 1 :][:1] == b"\n")],
    "a cell deleted": _line_changed(_without_cell),
    "a row deleted": _line_changed(lambda _: b""),
    "a row doubled": _line_changed(lambda line: line * 2),
    "a byte flipped": _line_changed(lambda line: bytes([line[0] ^ 0x80]) + line[1:]),
    "a column renamed": lambda data: data.replace(b"segment", b"sgm").replace(b'"ref"', b'"rfe"'),
}


def differs(found: Mapping[str, list[Any]], whole: Mapping[str, list[Any]]) -> bool:
    """Return whether something is there that was not: a gap, and another name of a text, are what they are."""
    if isinstance(found.get("source"), list):
        return sorted(map(repr, filter(None, found.values()))) != sorted(map(repr, whole.values()))
    return any(
        name not in whole or (value == value and value != whole[name][at])
        for name, own in found.items() for at, value in enumerate(own)
    )  # fmt: skip


def told(corpus: Corpus) -> set[str]:
    return {note.text for note in inspect(corpus)} | {one.found for one in check_data(corpus)}


@pytest.mark.parametrize(
    ("layouts", "reading", "held"),
    [(LAYOUTS, read, texts_of), (SCORES, read_scores, scores_of)],
    ids=["texts", "scores"],
)
def test_what_is_damaged_is_refused_or_told(
    layouts: Mapping[str, Callable[..., Path]], reading: Callable[[Path], Corpus],
    held: Callable[[Corpus], dict[str, Any]], tmp_path: Path,
) -> None:  # fmt: skip
    silent = []
    for number, (name, layout) in enumerate(layouts.items()):
        place = tmp_path / str(number)
        place.mkdir()
        texts = given(("alpha", "beta"), "texts" if layouts is LAYOUTS else "scores")
        path = layout(texts, place)
        file = path if path.is_file() else next(path.rglob("beta.*"))
        whole, said = file.read_bytes(), told(reading(path))
        for damage, change in DAMAGES.items():
            file.write_bytes(change(whole))
            if file.read_bytes() == whole:
                continue
            try:
                corpus = reading(path)
            except MtsigError:
                continue
            # The pages of Parquet have no checksum: other bytes are other values.
            known = name.endswith("parquet") and damage == "a byte flipped"
            if differs(held(corpus), texts) and told(corpus) <= said and not known:
                silent.append((name, damage))
        file.write_bytes(whole)
    assert not silent, str(silent)
