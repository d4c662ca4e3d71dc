"""What is refused is called by its name, with the cell that stopped it and what to do, each on a line of its own."""

import bz2
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from layouts import LAYOUTS, made

from mtsig import read
from mtsig.errors import ReadError
from mtsig.readers import File
from mtsig.readers._parts import RatingFile

PACKED = {
    ".tar.xz": ("xz", lzma.compress(b"a\n")),
    ".txt.bz2": ("bzip2", bz2.compress(b"a\n")),
    ".txt.zst": ("zstd", b"\x28\xb5\x2f\xfd\0\0"),
    ".7z": ("7-Zip", b"7z\xbc\xaf\x27\x1c\0"),
    ".rar": ("RAR", b"Rar!\x1a\x07\x01\0"),
}


@pytest.mark.parametrize("place", ["alone", "systems"])
@pytest.mark.parametrize("ending", PACKED)
def test_archives_are_called_by_name(ending: str, place: str, tmp_path: Path) -> None:
    program, content = PACKED[ending]
    if place == "systems":
        LAYOUTS["folder"](made(), tmp_path)
    path = tmp_path / ("systems" if place == "systems" else "") / f"gamma{ending}"
    path.write_bytes(content)
    with pytest.raises(ReadError, match=f"packed with {program}: unpack it"):
        read(tmp_path if place == "systems" else path)


@pytest.mark.parametrize("quote", [str, lambda cell: f'"{cell}"'])
def test_semicolons_are_called_that(quote: Callable[[str], str], tmp_path: Path) -> None:
    rows = [["ref", "A"], ["x", "y, z"], ["z", "w"]]
    path = tmp_path / "set.csv"
    path.write_text("".join(";".join(map(quote, row)) + "\n" for row in rows))
    with pytest.raises(ReadError, match="looks separated by semicolons"):
        read(path)
    with pytest.raises(ReadError, match="looks separated by semicolons"):
        RatingFile(File("set.csv", path.read_bytes())).scored()


def test_semicolons_before_decimal_commas_are_called_that(tmp_path: Path) -> None:
    path = tmp_path / "COMET.csv"
    path.write_text("A;B\n" + "0,81;0,75\n" * 12)
    with pytest.raises(ReadError, match=r"looks separated by semicolons.*read_csv\(FILE, sep=';', decimal=\",\"\)"):
        read(path)


@pytest.mark.parametrize(("separator", "wrong", "right"), [("\t", ".csv", ".tsv"), (",", ".tsv", ".csv")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_table_with_the_other_ending_is_read_once_it_is_renamed(
    tmp_path: Path, separator: str, wrong: str, right: str, encoding: str
) -> None:
    path = tmp_path / f"COMET{wrong}"
    path.write_text("A,B\n0.81,0.75\n0.5,0.25\n".replace(",", separator), encoding)
    with pytest.raises(ReadError, match=rf"rename it to end in \{right}\.$"):
        read(path)
    assert list(read(path.rename(path.with_suffix(right))).ratings) == ["COMET"]


@pytest.mark.parametrize("cell", ["84/100", "good", "4 of 5", "85%", "12:30"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_the_cell_that_stopped_a_table_is_named(separator: str, cell: str) -> None:
    name = "mqm.csv" if separator == "," else "mqm.tsv"
    for rows in (
        [["system", "segment", "score"], ["A", "1", "5"], ["A", "2", cell], ["B", "1", "3"]],
        [["system", "segment", "score"], ["A", "1", cell], ["A", "2", cell]],
        [["segment", "A", "B"], ["1", "5", "3"], ["2", "4", cell], ["3", "4", "4"]],
    ):
        line = next(number for number, row in enumerate(rows, 1) if cell in row)
        content = "".join(separator.join(row) + "\n" for row in rows).encode()
        with pytest.raises(ReadError) as caught:
            RatingFile(File(name, content)).scored()
        assert f"{name}, line {line}" in str(caught.value)
        assert repr(cell) in str(caught.value)


def test_several_errors_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    LAYOUTS["folder"](made(), tmp_path)
    (tmp_path / "systems" / "gamma.docx").write_bytes(b"PK\x03\x04")
    (tmp_path / "systems" / "delta.txt").write_bytes(b"")
    with pytest.raises(ReadError) as caught:
        read(tmp_path)
    assert len(str(caught.value).split("\n")) == 2
