"""What a message says of a damaged file is in words of files: nothing of the program's own insides."""

import io
import re
import zipfile

import openpyxl
import pytest

from mtsig import MtsigError
from mtsig.errors import said_by
from mtsig.readers import File, assemble, parts_of
from mtsig.readers import _parquet as parquet_files
from mtsig.readers import _tables as workbook_files

INSIDES = re.compile(r"NoneType|<class|0x[0-9a-f]|[a-z]+Error\b|attribute|subscript|iterable|' object|out of range")

ERRORS = [
    AttributeError("'NoneType' object has no attribute 'text'"),
    TypeError("'dict' object is not callable"),
    IndexError("tuple index out of range"),
    KeyError("sharedStrings"),
    ValueError("<class 'int'> expected"),
    ValueError("not enough values to unpack (expected 2, got 1)"),
    RuntimeError("<Cell at 0x7f1234567890>"),
    AssertionError(),
]


def message_of(name: str, content: bytes) -> str:
    with pytest.raises(MtsigError) as raised:
        assemble(parts_of([File(name, content)]))
    return str(raised.value)


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_no_insides_of_python_reach_a_message(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said_by(error, "it is damaged") == "it is damaged"

    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(workbook_files, "_read_book", failing)
    monkeypatch.setattr(parquet_files, "_rows", failing)
    saved = io.BytesIO()
    openpyxl.Workbook().save(saved)
    for name, content in (("a.xlsx", saved.getvalue()), ("a.parquet", b"PAR1 PAR1")):
        found = message_of(name, content)
        assert "its parts do not fit together" in found
        assert not INSIDES.search(found)


def test_words_about_the_file_stay() -> None:
    assert said_by(ValueError("row 3 is\ntoo short."), "damaged") == "row 3 is too short"
    assert said_by(LookupError("unknown encoding: x"), "damaged") == "unknown encoding: x"


PARTS = ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("content", [None, b"", b"<a/>", b"<workbook><sheets/></workbook>", b"\x00\xff"])
def test_workbooks_with_a_part_that_is_another_are_told_in_words(part: str, content: bytes | None) -> None:
    book = openpyxl.Workbook()
    book.active.append(["ref", "a"])
    book.active.append(["x", "y"])
    saved, changed = io.BytesIO(), io.BytesIO()
    book.save(saved)
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(changed, "w") as new:
        for entry in old.namelist():
            if entry != part or content is not None:
                new.writestr(entry, old.read(entry) if entry != part else content or b"")
    said = [part.problem or "" for part in parts_of([File("a.xlsx", changed.getvalue())])]
    assert not INSIDES.search(" ".join(said))
