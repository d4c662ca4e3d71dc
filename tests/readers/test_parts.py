"""What no reader takes is left alone with a reason: a damaged file is never set aside by its name alone."""

import gzip
import io
import json
from collections.abc import Callable

import pandas as pd
import pytest

from mtsig.errors import ReadError
from mtsig.readers import File, assemble
from mtsig.readers._read import in_order, parts_by

_TEXT = b"one two three\nfour five six\nseven eight nine\n"
_ROWS = [{"system": name, "segment": i, "score": 0.5 + i / 10} for name in ("ours", "base") for i in (1, 2, 3)]


def _files() -> dict[str, bytes]:
    """Return scores in every form of data file, by name."""
    frame, book, table = pd.DataFrame(_ROWS), io.BytesIO(), io.BytesIO()
    frame.to_excel(book, index=False)
    frame.to_parquet(table)
    texts = {
        "scores.tsv": frame.to_csv(sep="\t", index=False),
        "scores.csv": frame.to_csv(index=False),
        "scores.json": json.dumps(_ROWS),
        "scores.jsonl": "\n".join(map(json.dumps, _ROWS)),
    }
    plain = {name: text.encode() for name, text in texts.items()}
    packed = {f"{name}.gz": gzip.compress(data) for name, data in plain.items()}
    return {**plain, **packed, "scores.xlsx": book.getvalue(), "scores.parquet": table.getvalue()}


_DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "half is lost": lambda data: data[: len(data) // 2],
    "the end is lost": lambda data: data[: len(data) * 9 // 10],
    "empty": lambda _: b"",
    "another encoding": lambda data: data[: len(data) // 2] + b"\xff" + data[len(data) // 2 + 1 :],
    "zeros in the middle": lambda data: data[: len(data) // 2] + bytes(8) + data[len(data) // 2 + 8 :],
    "only zeros": lambda data: bytes(len(data)),
    "a web page": lambda _: b"<html><body>404: not found</body></html>",
    "a pointer": lambda _: b"version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n",
}
_UNSEEN = {("half is lost", "scores.tsv"), ("half is lost", "scores.csv"), ("half is lost", "scores.jsonl"),
           ("another encoding", "scores.parquet")}  # fmt: skip
"""What still makes whole scores: rows that end with a line, and a byte that a Parquet table does not need."""


@pytest.mark.parametrize("name", _files())
@pytest.mark.parametrize("damage", _DAMAGE)
def test_a_damaged_data_file_is_refused_or_left_alone_with_the_reason(name: str, damage: str) -> None:
    data = _DAMAGE[damage](_files()[name])
    texts = [File(f"{text}.txt", _TEXT) for text in ("ours", "base", "ref")]
    try:
        corpus = assemble(parts_by(in_order(), [*texts, File(name, data)]))
    except ReadError as error:
        (said,) = str(error).splitlines()
    else:
        (said,) = [note.text for note in corpus.notes if note.level == "warning" and name in note.text]
        assert f"Ignored: {name}." not in [note.text for note in corpus.notes]
    assert name in said
    assert ("it is unknown whether a higher or a lower" in said) == ((damage, name) in _UNSEEN)


def test_every_damaged_file_is_named_where_nothing_is_left() -> None:
    files = [File("ours.txt", b"one\ntwo \xff\n"), File("ref.txt", b"one\ntwo\n"), File("rated.xlsx", b"no workbook")]
    with pytest.raises(ReadError) as raised:
        assemble(parts_by(in_order(), files))
    assert [line.split()[0] for line in str(raised.value).splitlines()] == ["ours.txt", "rated.xlsx"]
