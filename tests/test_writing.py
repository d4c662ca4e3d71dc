"""Text of any kind on every way out: sheets, Markdown, HTML, LaTeX, each read again by a reader that is not ours."""

import csv
import io
import re
import time
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mtsig_dashboard.parts.show import plain
from openpyxl import Workbook, load_workbook
from papers import made_study

from mtsig._writing import _PRINTED, csv_text, from_cell, in_cell, in_html, in_markdown, latex, unprintable, write_file
from mtsig.errors import ReadError
from mtsig.readers import File
from mtsig.readers._parts import RatingFile
from mtsig.report import Cell, Column, Document, Table, csv_table, latex_table
from mtsig.report._exporters import _content, template
from mtsig.report._table import html, markdown_table
from mtsig.report._workbook import _put, workbook_of
from mtsig.study._counts import opened

ANYTHING = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=8)


def of(*signs: str) -> st.SearchStrategy[str]:
    """Texts of the signs that matter here, and of any others."""
    return st.lists(st.sampled_from(signs) | ANYTHING, max_size=10).map("".join)


def acts(character: str) -> bool:
    """Return whether a character does something to others, by what Unicode says of it: nobody writes it by hand."""
    category, bidi = unicodedata.category(character), unicodedata.bidirectional(character)
    turns = bidi in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"} or character in "\u061c\u200e\u200f"
    return category in {"Cc", "Cs", "Zl", "Zp"} or turns


WRITTEN_OUT = {"Cc", "Cs", "Cf", "Cn", "Zl", "Zp"}


def shows(shown: str, text: str) -> bool:
    """Return whether `shown` is the text, but that characters which act, or are never seen, are written out."""
    at = 0
    for character in text:
        if shown.startswith(character, at) and not acts(character):
            at += 1
            continue
        escape = character.encode("unicode_escape").decode()
        if not shown.startswith(escape, at) or unicodedata.category(character) not in WRITTEN_OUT:
            return False
        at += len(escape)
    return at == len(shown)


# --- sheets ----------------------------------------------------------------------------------------------------------

SHEET = of("=", "+", "-", "@", "'", '"', ",", ";", "\t", "\r", "\n", " ", "1", ".5", "e9", "a", "＝", "1+1", "\u3000")


def computed(page: str) -> list[str]:
    """Return the cells that some spreadsheet would compute: told that commas, semicolons or tabs separate them."""
    found = []
    for separator in ",;\t":
        readings = [csv.reader(io.StringIO(page, newline=""), delimiter=separator)]
        readings.append(csv.reader(io.StringIO(page, newline=""), delimiter=separator, quoting=csv.QUOTE_NONE))
        for cells in (cell for reading in readings for row in reading for cell in row):
            cell = cells.lstrip().lstrip('"').lstrip()
            number = re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", cell)
            if cell[:1] in tuple("=+-@＝＋－＠") and not number:
                found.append(cell)
    return found


def test_the_model_of_a_spreadsheet_knows_a_formula() -> None:
    for page in ("=1+1\n", 'a,"=cmd|1"\n', "a;@x\n", "x\t+1+1\n", '"a\n=1"\n', "-1+1\n"):
        assert computed(page), page
    assert not computed("'=1,a=b,1-1,a-b\nx;-2;-2.5e-3\n")


@given(SHEET, SHEET)
@example('=HYPERLINK("http://x")', "\t=1")
@example(';"=1+1"', "a;=1+1")
@settings(deadline=None, max_examples=150)
def test_a_spreadsheet_computes_nothing_and_the_text_comes_back(first: str, second: str) -> None:
    page = csv_text((first, "b"), [(second, -2.5), (first, -7)])
    assert computed(page) == []
    rows = list(csv.reader(io.StringIO(page, newline="")))
    assert [[from_cell(cell) for cell in row] for row in rows] == [[first, "b"], [second, "-2.5"], [first, "-7"]]
    assert from_cell(in_cell(in_cell(first))) == in_cell(first)


@given(ANYTHING)
@settings(deadline=None)
def test_a_text_without_such_signs_is_written_as_it_is(text: str) -> None:
    if not re.search("[=+@＝＋－＠-]", text):
        assert in_cell(text) == text == from_cell(text)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-2.5, "-2.5"), (-3, "-3"), (None, ""), ("-3", "'-3"), ("-1,2,-3", "\"'-1,2,'-3\""), (-3.5e-07, "-3.5e-07"),
        (True, "True"), (float("nan"), ""), ("-inf", "'-inf"), (float("-inf"), "'-inf"), (float("inf"), "inf"),
        ("A-B", "A-B"), ("nrefs:1|case:mixed", "nrefs:1|case:mixed"), ("−0.5", "−0.5"), ("'tis", "'tis"), ("'=", "''="),
        ("+1 234", "'+1 234"),
    ],
)  # fmt: skip
def test_numbers_stay_numbers(value: object, cell: str) -> None:
    assert csv_text(("v",), [(value,)]) == ("v\n" + (cell or '""') + "\n")


@pytest.mark.slow
def test_long_runs_take_no_longer() -> None:
    for piece in ("\t", "'", "=", ",\t'", "\t=", "-1", ":a", "www.", "@"):
        text = piece * 30_000
        began = time.process_time()
        in_cell(text)
        in_markdown(text)
        plain(text)
        assert time.process_time() - began < 3, piece


NAMES = ("=1+1", "+a", "-b", "@sum(1)", "'=c", "''-d", "-2.5 x", "f", '"=g"', "h;=1", "＝i", "'j", "-", "a=b", "x,y")


def test_ratings_that_are_written_are_read_again() -> None:
    values = np.array([[-at - 0.5, float("nan"), at] for at in range(len(NAMES))])
    for name in ("comet", "-comet"):
        cells = ("" if np.isnan(score) else float(score) for score in values.flat)
        places = ((system, at) for system in NAMES for at in (1, 2, 3))
        page = csv_text(
            ("system", "segment", name), ((*place, cell) for place, cell in zip(places, cells, strict=True))
        )
        assert computed(page) == []
        assert "'=1+1" in page
        (found,) = RatingFile(File("comet.csv", page.encode())).scored()
        assert found.name == name
        assert found.systems == NAMES
        np.testing.assert_array_equal(found.values, values)


@given(st.lists(SHEET, min_size=1, max_size=5))
@settings(deadline=None)
def test_a_table_as_csv_holds_its_texts_and_numbers(names: list[str]) -> None:
    columns = (Column("system, \r="), Column("score", "score", decimals=1))
    table = Table("caption", columns, tuple((Cell(name), Cell(-1.25 * at)) for at, name in enumerate(names)))
    rows = list(csv.reader(io.StringIO(csv_table(table), newline="")))
    assert [from_cell(title) for title in rows[0]] == list(table.header)
    assert [[from_cell(name), float(score)] for name, score in rows[1:]] == [
        [name.strip(), -1.25 * at] for at, name in enumerate(names)
    ]


def in_workbook(cell: str) -> str:
    """Return what a cell says by the standard (ECMA-376, ST_Xstring): _x0007_ is a character."""
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), cell)


WORKBOOK = of("=", "_x0007_", "_", "x", "0041", "_x005F_", "\r\n", "\x07", "\ufffe", "#N/A", "a")


@given(st.lists(WORKBOOK, min_size=1, max_size=20))
@example(["_x0007_x0041\r\n", "_x0041_x0042_"])
@settings(deadline=None, max_examples=30)
def test_a_workbook_holds_texts(texts: list[str]) -> None:
    book = Workbook()
    for row, text in enumerate(texts, 1):
        _put(book.worksheets[0], row, 1, text)
    saved = io.BytesIO()
    book.save(saved)
    read = load_workbook(saved).worksheets[0]
    cells = [read.cell(row, 1) for row in range(1, len(texts) + 1)]
    assert {cell.data_type for cell in cells if cell.value is not None} <= {"s"}
    assert [in_workbook(str(cell.value or "")) for cell in cells] == texts


def test_in_the_workbook_of_a_study_no_name_is_a_formula_and_numbers_are_numbers() -> None:
    names = ("=1+1", "@a", "\x07b", "_x0041_", "-2")
    sheets = load_workbook(io.BytesIO(workbook_of(Document(made_study(names))))).worksheets
    cells = [cell for sheet in sheets for row in sheet for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert set(names) <= {in_workbook(cell.value) for cell in cells if cell.data_type == "s"}
    assert any(cell.data_type == "n" and cell.value < 0 for cell in cells)


# --- HTML ------------------------------------------------------------------------------------------------------------

MARKUP = of("<", ">", "&", '"', "'", "<b>", "</td>", "<!--", "-->", "<script>", "&lt;", "&#60;", "]]>", "\u202e")


class Page(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.attributes: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += [value or "" for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_pi = unknown_decl = handle_comment


@given(MARKUP)
@settings(deadline=None)
def test_html_shows_the_text_and_has_no_tag_of_it(text: str) -> None:
    page = Page(f"<p title='{in_html(text)}'>{in_html(text)}</p>")
    assert page.tags == [("p", ("title",))]
    for read in ("".join(page.words), page.attributes[0]):
        assert shows(read.replace("\n", "\\n").replace("\t", "\\t"), text)
    (other,) = lxml_html.fragments_fromstring(f"<p title='{in_html(text)}'>{in_html(text)}</p>")
    assert (other.text or "") == "".join(page.words)
    assert len(other) == 0


HOSTILE = (
    "</td></table><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}{% raw %}",
    "a\u202egnp\x1b[2J", "&lt;b&gt;",
)  # fmt: skip


def test_no_name_makes_a_tag_of_the_report_or_of_a_notebook() -> None:
    tame, hostile = (made_study(names) for names in (("a", "b", "c", "d", "e"), HOSTILE))
    report = template("mtsig.report", "report.html.j2")
    one, other = (Page(report.render(figures=[], **_content(Document(study)))) for study in (tame, hostile))
    assert one.tags == other.tags
    shown, notebook = ("".join(page.words) for page in (other, Page(str(hostile._repr_html_()))))
    for name in HOSTILE[:3] + HOSTILE[4:]:
        assert name in shown
        assert name in notebook
    assert r"a\u202egnp\x1b[2J" in shown
    assert Page(str(tame._repr_html_())).tags == Page(str(hostile._repr_html_())).tags
    assert not any(map(acts, (shown + notebook).replace("\n", "")))


@given(st.lists(MARKUP, min_size=1, max_size=4))
@settings(deadline=None)
def test_no_cell_makes_a_tag_of_a_table(texts: list[str]) -> None:
    table = Table.of_text(texts[0], texts, [texts])
    assert [tag for tag, _ in Page(html(table)).tags if tag not in {"table", "caption", "thead", "tbody", "tr"}] == [
        *["th"] * len(texts), *["td"] * len(texts)
    ]  # fmt: skip


# --- Markdown --------------------------------------------------------------------------------------------------------

MARKS = of(
    "*", "_", "`", "~~", "**", "[", "]", "(", ")", "!", "[a](b)", "![a](//b)", "<", ">", "<b>", "#", "# ", "- ", "+ ",
    "-", "1. ", "1)", ".", "    ", "\t", "\n", "\n\n", "===", "---", "|", "\\", "&amp;", "&#42;", "$", "$a$", "$$",
    "http://a.b", "HTTPS://", "://", "www.", "WWW.", "a.b", "@", "a@b.c", "mailto:", ":", ":red[a]", ":tada:", ":+1:",
    ":material/check:", ":material_check:", ":streamlit:", "->", "<-", "<->", "--", ">=", "<=", "~=", " ", "[^1]",
    "[^1]:", "[x] ", "^", "~", "{", "}", ":::a", "::a", "\u202e", "\x00", "word",
)  # fmt: skip

READERS = [MarkdownIt("gfm-like", {"linkify": False}), MarkdownIt("commonmark", {"html": True})]

# What programs look for in a text when the Markdown has been read: GitHub's addresses, emoji, and what Streamlit adds.
AFTERWARDS = [
    re.compile(r"(https?://|www(?=\.))([-.\w]+)", re.IGNORECASE),
    re.compile(r"[-.\w+]+@[-\w]+(\.[-\w]+)+"),
    re.compile(r":\+1:|:-1:|:[\w-]+:"),
]
OF_STREAMLIT = [
    re.compile(r":material[_/](\w+):|:streamlit:|:material/"),
    re.compile(r"(^|[\s\ufeff])(<->|->|<-|--|>=|<=|~=)([\s\ufeff]|$)"),
]


def inside(tokens: list[Token]) -> list[Token]:
    return [one for token in tokens for one in (inside(token.children) if token.children else [token])]


def said(source: str, reader: MarkdownIt, blocks: list[str]) -> str:
    """Return the text of Markdown that holds nothing but the blocks and text."""
    tokens = reader.parse(source)
    assert [token.type for token in tokens] == blocks, source
    (inline,) = (token for token in tokens if token.type == "inline")
    children = inside([inline])
    assert {one.type for one in children} <= {"text", "text_special", "inline", "softbreak"}, source
    return "".join(one.content for one in children)


SPACES = "".join(chr(code) for code in range(0x3001) if unicodedata.category(chr(code)) == "Zs")
PARAGRAPH = ["paragraph_open", "inline", "paragraph_close"]
ITEM = ["bullet_list_open", "list_item_open", *PARAGRAPH, "list_item_close", "bullet_list_close"]


@given(MARKS)
@example("±    1. ")
@settings(deadline=None, max_examples=50)
@pytest.mark.parametrize("write", [in_markdown, plain])
def test_markdown_shows_the_text_and_nothing_else(write: Callable[[str], str], text: str) -> None:
    written = write(text)
    if not written:
        assert not text.strip()  # spaces of any kind show nothing
        return
    after = AFTERWARDS + (OF_STREAMLIT if write is plain else [])
    for reader in READERS:
        shown = said(written, reader, PARAGRAPH)
        assert not [pattern for pattern in after if pattern.search(shown)], written
        if "\u2060" not in text:
            # Spaces at either end are shown by nothing; some become such as no line breaks at.
            once, whole = (one.replace("\xa0", " ") for one in (re.sub(r"[ \r\n\t]+", " ", text), shown))
            assert shows(whole.replace("\u2060", "").strip(SPACES), once.strip(SPACES))
        assert said(f"- {written}", reader, ITEM) == shown
        assert said(f"## {written}", reader, ["heading_open", "inline", "heading_close"]) == shown
        assert said(f"before\n{written}", reader, PARAGRAPH).replace("before", "", 1).strip() == shown


@given(MARKS)
@settings(deadline=None)
def test_markdown_between_the_signs_of_bold_text(text: str) -> None:
    for write in (in_markdown, plain):
        if written := write(text):
            kinds = [one.type for one in inside(READERS[1].parse(f"**{written}**")) if one.type.startswith("strong")]
            assert kinds == ["strong_open", "strong_close"], written


@given(st.lists(MARKS, min_size=1, max_size=4))
@settings(deadline=None)
def test_no_cell_ends_its_row(texts: list[str]) -> None:
    tokens = READERS[0].parse(markdown_table(Table.of_text("", texts, [texts, texts])))
    assert [one.type for one in tokens if one.type in {"th_open", "td_open", "tr_open"}] == [
        *["tr_open", *["th_open"] * len(texts)], *["tr_open", *["td_open"] * len(texts)] * 2
    ]  # fmt: skip
    assert {"link_open", "image", "html_inline", "code_inline", "em_open"}.isdisjoint(
        one.type for one in inside(tokens)
    )


def test_names_that_do_nothing_are_written_as_they_are() -> None:
    for name in ("Online-A", "base 2", "nrefs:1", "系统", "a/b", "12:30", "a @ b", "x:y"):
        assert in_markdown(name) == name
        assert "\u2060" not in plain(name)


# --- LaTeX -----------------------------------------------------------------------------------------------------------

TEX = of(*"\\{}$&#%_^~<>|`\"'-–,*[]?!\n", "--", "^^5e", r"\input{x}", "±", "\u00a0", "\x00")

COMMANDS = {
    r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\`{}": "`", r"\ldots{}": "…", "$-$": "−", "$\\pm$": "±",
    "$\\times$": "×", "$\\cdot$": "·", "$\\surd$": "√", "$\\leq$": "≤", "$\\geq$": "≥", "$\\approx$": "≈",
    "$\\infty$": "∞", "$\\alpha$": "α", "$\\beta$": "β", "$\\gamma$": "γ", "$\\tau$": "τ", "$\\chi$": "χ",
    "$\\leftarrow$": "←", "$\\rightarrow$": "→", "$\\circ$": "○", "\\rule{1ex}{1ex}": "■",
    "$\\Delta$": "Δ", "$\\downarrow$": "↓", "$\\uparrow$": "↑", "$\\bigtriangleup$": "▲",
    "$\\bigtriangledown$": "▼", "$\\dagger$": "†", "$\\ddagger$": "‡", "~": "\u00a0", "{}": "",
    **{"\\" + sign: sign for sign in "{}$&#%_"},
}  # fmt: skip
"""What these print, by the LaTeX companion; everything else that is not a plain character is an error here."""

LIGATURES = re.compile("--|''|,,|``|[!?]`|<<|>>|–-")


@given(TEX)
@example("".join(_PRINTED))
@settings(deadline=None, max_examples=150)
def test_latex_prints_the_text_and_no_character_does_anything(text: str) -> None:
    written = latex(text)
    assert not LIGATURES.search(written)
    read, at = "", 0
    known = sorted(COMMANDS, key=len, reverse=True)
    while at < len(written):
        command = next((one for one in known if written.startswith(one, at)), None)
        if command is None:
            assert written[at] not in "\\{}$&#%_^~\n\r\t", written
            command = written[at]
        read += COMMANDS.get(command, command)
        at += len(command)
    named = re.sub(r"[\r\n\t]", " ", text)
    assert read == "".join(f"[U+{ord(sign):04X}]" if f"[U+{ord(sign):04X}]" in latex(sign) else sign for sign in named)
    assert all(not acts(sign) for sign in read)
    written.encode()
    assert not any(acts(sign) for sign in unprintable(text))


def test_a_row_does_not_begin_with_what_the_end_of_the_one_before_would_take() -> None:
    table = Table.of_text("c", ("[1cm] a", "b"), [("[2cm]", "x"), ("*", "y")])
    rows = latex_table(table).split("\\toprule\n")[1].split("\\bottomrule")[0].splitlines()
    assert [row[:3] for row in rows if "&" in row] == ["{}[", "{}[", "{}*"]


def test_links_that_lead_round_in_a_circle_are_no_place_to_write_to(tmp_path: Path) -> None:
    place = tmp_path / "circle.json"
    place.symlink_to("circle.json")
    with pytest.raises(ReadError, match=r"circle\.json: cannot be written \(Too many levels"):
        write_file(place, b"{}")
    with pytest.raises(ReadError, match=r"circle\.json: cannot be written"), opened(place, "wb"):
        pass
    assert place.is_symlink()
