"""What a message says of a damaged file is in words of files: nothing of the program's own insides."""

import ast
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import openpyxl
import pytest

import mtsig
from mtsig import MtsigError
from mtsig.errors import said_by
from mtsig.readers import File, assemble
from mtsig.readers import _parquet as parquet_files
from mtsig.readers import _tables as workbook_files
from mtsig.readers._read import parts_of

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
        assert "damaged" in found
        assert not INSIDES.search(found)


def test_words_about_the_file_stay() -> None:
    assert said_by(ValueError("row 3\ntoo short."), "damaged") == "row 3 too short"
    assert said_by(LookupError("unknown encoding: x"), "damaged") == "unknown encoding: x"


class Shape(msgspec.Struct):
    """One of each kind of value that a study, a plan or a ledger has."""

    whole: int | None = None
    share: Annotated[float, msgspec.Meta(ge=1e-9, le=1)] = 0.5
    word: Literal["a", "b"] = "a"
    pair: tuple[int, int] = (1, 2)
    several: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)] | str | bool = (1,)
    named: dict[str, Annotated[str, msgspec.Meta(pattern="^a")]] = {}
    inner: tuple["Shape", ...] = ()


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (5, "expected an object of names and values, found a whole number"),
        ({"whole": "x"}, "at whole: expected a whole number or nothing, found a text"),
        ({"share": 2}, "at share: expected a number of at most 1.0"),
        ({"share": 0}, "at share: expected a number of at least 1e-09"),
        ({"share": None}, "at share: expected a number, found nothing"),
        ({"word": "got `int`"}, "at word: 'got `int`' is not one of the allowed words"),
        ({"pair": [1]}, "at pair: expected a list of length 2, found 1"),
        ({"several": []}, "at several: expected a list of length at least 1"),
        ({"several": 1.5}, "at several: expected true or false or a text or a list, found a number"),
        ({"named": {"k": "b"}}, "at named (one of its values): expected a text of the form '^a'"),
        ({"inner": [{}, {"word": []}]}, "at inner[1].word: expected a text, found a list"),
    ],
)
def test_a_value_of_another_kind_is_told_in_words(record: object, said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(record, Shape)
    assert said_by(raised.value, "it is damaged", 500) == said


def test_words_of_other_libraries_do_not_reach_a_message() -> None:
    for error in (
        OSError("Couldn't deserialize thrift: TProtocolException: Invalid data"),
        ValueError("'utf-8' codec can't decode byte 0xbf in position 3: invalid start byte"),
        ValueError("Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits()"),
        ValueError("negative seek value -9"),
        RuntimeError("Error -3 while decompressing data: invalid distance too far back"),
    ):
        assert said_by(error, "it is damaged") == "it is damaged"
    assert said_by(ValueError("Key ('a', 'b') twice"), "") == "Key 'a', 'b' twice"


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


TO_DO = re.compile(
    r"Known(?: forms)?: |"
    r"(?:[.?:;,)…] |\bor |Then )(?:add|begin|choose|copy|correct|declare|download|evaluate|export|fill|format|give|"
    r"install|"
    r"join|keep|leave|load|make|name|number|omit|pack|parse|put|read|remove|rename|run|save|shorten|unpack|use|write)\b",
    re.IGNORECASE,
)


def refusals() -> Iterator[tuple[str, str]]:
    """Yield the place and the words of every refusal of the readers; what is filled in is …"""
    for path in sorted((Path(mtsig.__file__).parent / "readers").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"ReadError", "AlignmentError"}:
                pieces = [piece for argument in node.args for piece in getattr(argument, "values", [argument])]
                words = [str(piece.value) if isinstance(piece, ast.Constant) else "…" for piece in pieces]
                yield f"{path.name}:{node.lineno}", "".join(words)


def test_every_refusal_says_what_to_do() -> None:
    ends = ("…", ": ….", "correct, ….", "… is ….")  # what is filled in says it
    lacking = [
        f"{place}: {said}" for place, said in refusals()
        if not said.endswith(ends) and not TO_DO.search(said)
    ]  # fmt: skip
    assert lacking == []
    assert len([*refusals()]) > 150
