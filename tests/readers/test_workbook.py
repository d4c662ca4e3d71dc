"""Excel workbooks: what honest ones hold, to the letter, and those that say little and cost much, in bounds."""

import io
import random
import zipfile
from collections.abc import Callable
from datetime import datetime, time
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limited import mtsig
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from sampled import sampled

from mtsig.readers import File
from mtsig.readers._tables import workbook_parts
from mtsig.readers._workbook import Book, Failed

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"

TABLE = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>ref</t></is></c><c r="B1" t="inlineStr"><is><t>a</t></is></c></row>'
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="str"><v>one two</v></c></row>'
)


def book(
    rows: str = TABLE, *, strings: str = "<si><t>one two</t></si>", styles: str = "", beside: str = "", after: str = "",
    sheets: int = 1, prefix: str = "", root: str = "", strict: bool = False, other: str = "urn:other",
) -> bytes:  # fmt: skip
    """A workbook of these pieces of XML."""
    main, office = MAIN, OFFICE
    if strict:
        main, office = (one.replace("schemas.openxmlformats.org", "purl.oclc.org/ooxml") for one in (main, office))
        main, office = main.replace("/2006", ""), office.replace("/2006", "")
    named = "".join(f'<sheet name="S{i}" sheetId="{i}" r:id="s"/>' for i in range(1, sheets + 1))

    def part(tag: str, inside: str) -> str:
        if not prefix:
            return f'<?xml version="1.0"?><{tag} xmlns="{main}" xmlns:r="{office}" xmlns:o="{other}">{inside}</{tag}>'
        inside = inside.replace("</", "\0").replace("<", f"<{prefix}:").replace("\0", f"</{prefix}:")
        return (
            f'<?xml version="1.0"?><{prefix}:{tag} xmlns:{prefix}="{main}" xmlns:r="{office}">{inside}</{prefix}:{tag}>'
        )

    def related(*all_of: tuple[str, str, str]) -> str:
        inside = "".join(f'<Relationship Id="{i}" Type="{office}/{kind}" Target="{to}"/>' for i, kind, to in all_of)
        return f'<?xml version="1.0"?><Relationships xmlns="{PACKAGE}">{inside}</Relationships>'

    files = {
        "_rels/.rels": related(("b", "officeDocument", f"{root}xl/workbook.xml")),
        "xl/workbook.xml": part("workbook", f"<sheets>{named}</sheets>{beside}"),
        "xl/_rels/workbook.xml.rels": related(
            ("s", "worksheet", f"{root and '/xl/'}worksheets/sheet1.xml"), ("t", "sharedStrings", "sharedStrings.xml"),
            ("f", "styles", "styles.xml"),
        ),
        "xl/sharedStrings.xml": part("sst", strings),
        "xl/styles.xml": part("styleSheet", styles),
        "xl/worksheets/sheet1.xml": part("worksheet", f"<sheetData>{rows}</sheetData>{after}"),
    }  # fmt: skip
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def cells(data: bytes) -> list[tuple[int, dict[int, object]]]:
    """What the first sheet holds."""
    opened = Book("a.xlsx", data)
    return opened.rows(opened.sheets[0])


def saved(rows: list[list[object]]) -> bytes:
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    packed = io.BytesIO()
    made.save(packed)
    return packed.getvalue()


# --- honest ones ------------------------------------------------------------------------------------------------------

PLAIN = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(
    lambda text: not text.startswith("=") and "x005F_" not in text and "\ufffe" not in text and "\uffff" not in text
)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.none() | PLAIN | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9), max_size=5), max_size=5)
)
def test_what_another_program_wrote_is_read_as_it_reads_it(rows: list[list[object]]) -> None:
    data = saved(rows)
    witness = openpyxl.load_workbook(io.BytesIO(data), data_only=True).active
    expected = [
        (number, {at: value for at, value in enumerate(row) if value is not None})
        for number, row in enumerate(witness.iter_rows(values_only=True), 1)
    ]
    assert cells(data) == [(number, row) for number, row in expected if row]


def test_every_kind_of_cell() -> None:
    made = openpyxl.Workbook()
    sheet = made.active
    sheet["A1"], sheet["B1"], sheet["C1"], sheet["D1"] = True, datetime(2024, 5, 6), time(12), 45_000
    sheet["D1"].number_format = '"days" 0'
    sheet["E1"] = CellRichText("one ", TextBlock(InlineFont(b=True), "two"), " three")
    sheet["F1"], sheet["F1"].number_format = 45_000.5, "[$-409]d/m/yy h:mm;@"
    sheet["XFD1"] = "  kept  \n as it is "
    packed = io.BytesIO()
    made.save(packed)
    ((_, found),) = cells(packed.getvalue())
    assert found[0] is True
    assert found[1] == datetime(2024, 5, 6)
    assert found[2] == datetime(1899, 12, 30, 12)
    assert found[3] == 45_000
    assert found[4] == "one two three"
    assert found[5] == datetime(2023, 3, 15, 12)
    assert found[16_383] == sheet["XFD1"].value


def test_formulas_errors_and_escapes() -> None:
    row = (
        '<row r="3"><c t="s"><v>0</v></c><c t="str"><f>1+1</f><v>=1+1</v></c><c><f>1+1</f><v>2</v></c><c><f>1+1</f></c>'
        '<c t="e"><v>#N/A</v></c><c t="d"><v>2024-05-06</v></c><c t="b"><v>0</v></c><c r="J3" s="1"><v>1</v></c></row>'
    )
    strings = "<si><r><t>da</t></r><rPh><t>read so</t></rPh><r><t>_x005F_x000D_ &amp; &#x4E2D;</t></r></si>"
    styles = '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    (found,) = cells(book(row, strings=strings, styles=styles, beside='<workbookPr date1904="1"/>'))
    assert found == (3, {0: "da_x000D_ & 中", 1: "=1+1", 2: 2, 4: Failed("#N/A"), 5: datetime(2024, 5, 6), 6: False,
                         9: datetime(1904, 1, 2)})  # fmt: skip


@pytest.mark.parametrize("how", [{"prefix": "x"}, {"root": "/"}, {"strict": True}, {"sheets": 3}])
def test_the_same_table_in_other_clothes(how: dict[str, object]) -> None:
    (ref, system) = workbook_parts(File("a.xlsx", book(**how)))  # type: ignore[arg-type]
    assert (ref.lines, system.lines) == (("one two",), ("one two",))
    others = [note.text for note in (*ref.notes, *system.notes) if "other sheets" in note.text]
    assert bool(others) == ("sheets" in how)


# --- hostile ones -----------------------------------------------------------------------------------------------------


def filled(form: str, count: int, outer: str = "{}") -> str:
    """So many elements of this form, with names or numbers that do not pack."""
    return outer.replace("{}", "".join(form.replace("{}", name) for name in names(count)))


def names(count: int) -> list[str]:
    drawn = random.Random(1)
    return [f"{drawn.getrandbits(32):x}" for _ in range(count)]


QUOTES = '"a' * 400_001

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "formats": (lambda: book(styles=filled('<xf numFmtId="{}"/>', 100_000, "<cellXfs>{}</cellXfs>")), ""),
    "fonts": (lambda: book(styles=filled('<font><name val="{}"/></font>', 100_000, "<fonts>{}</fonts>")), ""),
    "formats without end": (lambda: book(styles=filled(f"<x>{{}}{'y' * 200}</x>", 170_000)), "is too large"),
    "texts": (lambda: book(strings="<si><t>one two</t></si>" + filled("<si><t>{}</t></si>", 150_000)), ""),
    "runs": (lambda: book(strings="<si><t>one two</t></si>" + filled("<r><t>{}</t></r>", 100_000, "<si>{}</si>")), ""),
    "one text in every cell": (
        lambda: book(TABLE + '<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' * 20_000,
                     strings=f"<si><t>{'x y ' * 100_000}</t></si>"),
        "200 times its size",
    ),
    "empty cells": (lambda: book(TABLE + filled('<c cm="{}"/>', 150_000, "<row>{}</row>")), ""),
    "empty rows": (lambda: book(TABLE + "".join(f'<row r="{i}"/>' for i in range(3, 200_000))), ""),
    "far out": (lambda: book(TABLE + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), "found 16384 columns"),
    "wide rows": (
        lambda: book(TABLE + "".join(f'<row r="{i}"><c r="XFD{i}"><v>1</v></c></row>' for i in range(3, 5000))),
        "200 times its size",
    ),
    "no such place": (lambda: book('<row r="1048577"><c><v>1</v></c></row>'), "row 1048577 of a sheet"),
    "no such column": (lambda: book('<row r="1"><c r="XFE1"><v>1</v></c></row>'), "the place 'XFE1'"),
    "no such text": (lambda: book('<row><c t="s"><v>-1</v></c></row>'), "text -1 of 1"),
    "a number of a million digits": (lambda: book(f"<row><c><v>{'9' * 10**6}</v></c></row>"), "damaged"),
    "a number without end": (lambda: book(TABLE + "<row><c><v>1e999</v></c><c><v>1</v></c></row>"), ""),
    "defined names": (
        lambda: book(beside="".join(f'<definedName name="n{n}">S1!$A$1</definedName>' for n in names(100_000))), "",
    ),
    "merged cells": (
        lambda: book(after="".join(f'<mergeCell ref="A{i}:XFD{i + 1}"/>' for i in range(100_000))), "",
    ),
    "a long name for tags": (lambda: book(TABLE + "<o:c/>" * 250_000, other="u" * 500_000), ""),
    "a long name for many tags": (
        lambda: book(TABLE + "".join(f"<o:c{i}/>" for i in range(5000)), other="u" * 900_000), "",
    ),
    "a long name for attributes": (lambda: book(TABLE + '<c o:a=""/>' * 50_000, other="u" * 900_000), ""),
    "brackets in a format": (lambda: book(styles=f'<numFmt numFmtId="9" formatCode="{"[" * 900_000}"/>'), ""),
    "quotes in a format": (lambda: book(styles=f"<numFmt numFmtId='9' formatCode='{QUOTES}'/>"), ""),
    "a long tag": (lambda: book(TABLE + f'<c r="{"9" * 14_000_000}"/>'), "a tag of more than"),
    "many attributes": (
        lambda: book(TABLE + "<c " + " ".join(f'a{name}=""' for name in names(500_000)) + "/>"), "a tag of more than",
    ),
    "a long comment": (lambda: book(TABLE + f"<!--{'x' * 14_000_000}-->"), "a tag of more than"),
    "a long text": (lambda: book(TABLE.replace("one two", "one two " * 500_000)), ""),
    "a long text in every row": (
        lambda: book(
            "".join(f'<row r="{i}"><c t="s"><v>0</v></c></row>' for i in range(1, 5_000)),
            strings=f"<si><t>{'long text ' * 10**6}</t></si>",
        ),
        "200 times its size",
    ),
    "more sheets than files": (lambda: book(sheets=40_000), "more than 10,000 sheets"),
    "one sheet a hundred times": (
        lambda: book("".join(f'<row r="{i}"/>' for i in range(300_000)) + TABLE, sheets=100), "row 0 of a sheet",
    ),
    "an empty sheet a thousand times": (
        lambda: book("".join(f'<row r="{i}" spans="{"1:9 " * 99}"/>' for i in range(1, 2_000)), sheets=1000),
        "200 times its size",
    ),
}  # fmt: skip


@sampled("name", HOSTILE, most=7)
def test_a_workbook_costs_little(name: str, tmp_path: Path) -> None:
    make, said = HOSTILE[name]
    (tmp_path / "a.xlsx").write_bytes(make())
    done = mtsig("read", "--data", tmp_path / "a.xlsx", memory=1e9, seconds=4)
    assert done.returncode == (2 if said else 0), done.stderr[-500:]
    assert said in done.stderr
    assert "Traceback" not in done.stderr
