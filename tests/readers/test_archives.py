"""Files made to break a reader: each gives one clear error or a corpus, no traceback, in bounded time and memory."""

import gzip
import io
import json
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import openpyxl
import pytest
from forms import FORMS, Files, gzipped, zipped
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampled import crossed, sampled, slow

from mtsig import Corpus, MtsigError, read
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of

MB = 2**20
SECONDS = 10.0
"""No single file may take more of the processor's time, however busy the machine; the slowest takes about one."""

LONGEST = 2_000
"""Characters of one message: long lists are cut."""


def outcome(files: Files) -> Corpus | str:
    """Return the corpus, or the message; whatever else is raised fails the test."""
    began = time.process_time()
    try:
        return assemble(parts_of([File(name, content) for name, content in files.items()]))
    except MtsigError as error:
        return str(error)
    finally:
        assert time.process_time() - began < SECONDS


def check(found: Corpus | str) -> None:
    """Check that an error is clear, and that a corpus can be used."""
    if isinstance(found, Corpus):
        assert len(found.digest) > len("sha256:")
        return
    assert found.strip()
    for message in found.split("\n"):
        assert len(message) <= LONGEST
        assert "Traceback" not in message
        assert "\x1b" not in message


# --- what happens to files on their way ------------------------------------------------------------------


def cut(data: bytes, at: float) -> bytes:
    return data[: int(len(data) * at)]


def replaced(data: bytes, at: float, by: bytes) -> bytes:
    place = int(len(data) * at)
    return data[:place] + by + data[place + len(by) :]


def inserted(data: bytes, at: float, what: bytes) -> bytes:
    place = int(len(data) * at)
    return data[:place] + what + data[place:]


def recoded(data: bytes, encoding: str) -> bytes:
    try:
        return data.decode().encode(encoding, errors="replace")
    except UnicodeDecodeError:
        return data[::-1]


SPOTS = (0.0, 0.1, 0.33, 0.5, 0.77, 0.95, 1.0)
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    **{f"cut at {at}": (lambda data, at=at: cut(data, at)) for at in SPOTS[:-1]},
    **{f"zero at {at}": (lambda data, at=at: replaced(data, at, b"\0")) for at in SPOTS},
    **{f"0xff at {at}": (lambda data, at=at: replaced(data, at, b"\xff\xfe")) for at in SPOTS},
    **{f"< at {at}": (lambda data, at=at: inserted(data, at, b"<")) for at in SPOTS},
    **{f"quote at {at}": (lambda data, at=at: inserted(data, at, b'"')) for at in SPOTS},
    **{f"tab at {at}": (lambda data, at=at: inserted(data, at, b"\t,;")) for at in SPOTS},
    **{f"newline at {at}": (lambda data, at=at: inserted(data, at, b"\r\n\n")) for at in SPOTS},
    "in UTF-16": lambda data: recoded(data, "utf-16"),
    "in Latin-1": lambda data: recoded(data.replace(b"o", "ó".encode()), "latin-1"),
    "in Shift-JIS": lambda data: recoded(data.replace(b"o", "日".encode()), "shift-jis"),
    "with a byte-order mark": lambda data: b"\xef\xbb\xbf" + data,
    "with Mac line ends": lambda data: data.replace(b"\n", b"\r"),
    "backwards": lambda data: data[::-1],
    "twice": lambda data: data + data,
    "empty": lambda _: b"",
}  # fmt: skip


@crossed("damage, form", DAMAGES, FORMS)
def test_a_damaged_file_gives_one_error_or_a_corpus(damage: str, form: str) -> None:
    # Forms have 1 to 6 files, each of which is damaged in turn.
    files = FORMS[form]()
    for name in files:
        check(outcome({**files, name: DAMAGES[damage](files[name])}))


@crossed("form, pack", FORMS, [zipped, gzipped])
def test_a_damaged_archive_gives_one_error_or_a_corpus(form: str, pack: Callable[[Files], Files]) -> None:
    files = pack(FORMS[form]())
    name = next(iter(files))
    # Every other damage as a ZIP and the others as gzip, and the other way round of the next form.
    for damage in list(DAMAGES.values())[(list(FORMS).index(form) + (pack is zipped)) % 2 :: 2]:
        check(outcome({**files, name: damage(files[name])}))


@given(st.sampled_from(sorted(FORMS)), st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_any_damage_gives_one_error_or_a_corpus(form: str, data: st.DataObject) -> None:
    files = FORMS[form]()
    name = data.draw(st.sampled_from(sorted(files)))
    content = files[name]
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 40)))
    check(outcome({**files, name: content[:start] + data.draw(st.binary(max_size=12)) + content[end:]}))


@given(
    st.sampled_from([".xml", ".sgm", ".json", ".jsonl", ".tsv", ".csv", ".xlsx", ".zip", ".gz", ".txt"]), st.binary()
)
@settings(max_examples=75, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_any_bytes_give_one_error_or_a_corpus(suffix: str, content: bytes) -> None:
    check(outcome({f"some{suffix}": content}))


# --- made by hand ------------------------------------------------------------------------------------------

_DOC = (
    "<doc id='d' origlang='es'><src lang='es'><seg id='1'>{}</seg></src>"
    "<hyp system='a' lang='en'><seg id='1'>x</seg></hyp></doc>"
)


def xml(body: str, head: str = "<?xml version='1.0' encoding='utf-8'?>") -> Files:
    return {"set.xml": f"{head}<dataset id='x'>{body}</dataset>".encode()}


def laughs() -> str:
    entities = "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10}'>" for i in range(1, 12))
    return f"<!DOCTYPE dataset [<!ENTITY l0 'ha'>{entities}]>"


XML = {
    "attributes in every tag": (
        xml(_DOC.format("y"), f"<!DOCTYPE d [<!ATTLIST seg z CDATA '{'u' * 9999}'>]>"), "or attributes (<!ATTLIST"
    ),
    "entity bomb": (xml(_DOC.format("&l11;"), laughs()), "line 1: it defines its own entities"),
    "external entity": (
        xml(_DOC.format("&x;"), "<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"), "defines its own entities"
    ),
    "parameter entity": (
        xml(_DOC.format("y"), "<!DOCTYPE d [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]>"),
        "defines its own entities",
    ),
    "entity of a foreign definition": (
        xml(_DOC.format("&nbsp;"), "<!DOCTYPE dataset SYSTEM 'file:///etc/passwd'>"), "defines its own entities"
    ),
    "undefined entity": (xml(_DOC.format("&nbsp;")), "line 1: not valid XML (undefined entity)"),
    "bare ampersand": (xml(_DOC.format("AT&T & co")), "not valid XML"),
    "unknown encoding": (xml(_DOC.format("y"), "<?xml version='1.0' encoding='x-none'?>"), "set.xml"),
    "no documents": (xml("<p>text</p>"), "has no <doc>"),
    "no segments": (xml("<doc id='d'><src lang='es'></src></doc>"), "contains no <seg>"),
    "HTML": ({"set.xml": b"<html><body>Not found<br></body></html>"}, "not valid XML"),
    "nameless system": (
        xml("<doc id='d'><hyp lang='en'><seg id='1'>x</seg></hyp></doc>"), "line 1: a <hyp> without system="
    ),
    "a segment twice": (
        xml("<doc id='d'><hyp system='a'>\n<seg id='1'>x</seg>\n<seg id='1'>y</seg></hyp></doc>"),
        "line 3: segment 1 of document 'd' occurs a second time for system 'a'; the first is on line 2",
    ),
    "a system twice": (
        xml("<doc id='d'><hyp system='a'><seg id='1'>x</seg></hyp><hyp system='a'><seg id='1'>x</seg></hyp></doc>"),
        "a second time",
    ),
    "a system that lacks a segment": (
        xml(
            "<doc id='d'><src lang='es'><seg id='1'>x</seg><seg id='2'>y</seg></src>"
            "<hyp system='a'><seg id='1'>x</seg></hyp></doc>"
        ),
        "set.xml, source has 1 segment that set.xml, system 'a' lacks, the first being segment 2 of document 'd'",
    ),
    "a system with a segment of its own": (
        xml(
            "<doc id='d'><src lang='es'><seg id='1'>x</seg></src>"
            "<hyp system='a'><seg id='1'>x</seg><seg id='7'>y</seg></hyp></doc>"
        ),
        "system 'a' has 1 segment that set.xml, source lacks, the first being segment 7",
    ),
}  # fmt: skip

SGM = {
    "no set": ({"a.sgm": b"<doc docid='d'><seg id=1>x</seg></doc>"}, "line 1: a <seg> outside <srcset>"),
    "a tag without its end": (
        {"a.sgm": b"<tstset sysid=a><doc docid=d><seg id=1>x</seg>\n<seg id=2 y</seg></doc></tstset>"},
        "line 2: <seg has no > before the next <",
    ),
    "no segments": ({"a.sgm": b"<refset><doc></doc></refset>"}, "contains no <seg>"),
    "cut inside a segment": ({"a.sgm": b"<tstset sysid=a><doc docid=d>\n<seg id=1>x"}, "line 2: the file is"),
    "a segment twice": (
        {"a.sgm": b"<tstset sysid=a><doc docid=d><seg id=1>x</seg><seg id=1>y</seg></doc></tstset>"}, "a second time"
    ),
    "binary": ({"a.sgm": b"<tstset sysid=a><seg id=1>\0</seg></tstset>"}, "looks binary"),
}  # fmt: skip

JSON = {
    "cut": ({"a.json": b'[{"src": "x", "ref": '}, "a.json, line 1: not valid JSON"),
    "deep": ({"a.json": b"[" * 200_000}, "nested too deeply"),
    "deep objects": ({"a.jsonl": b'{"a":' * 100_000}, "nested too deeply"),
    "endless number": ({"a.json": b'[{"mt": ' + b"9" * 10_000 + b"}]"}, "(a number of 10,000 digits)"),
    "a name twice": ({"a.jsonl": b'{"mt": "x", "mt": "y"}\n'}, "the name 'mt' occurs twice in one object"),
    "half a character": ({"a.jsonl": b'{"mt": "\\ud800"}\n'}, "half of a surrogate pair (U+D800)"),
    "a zero character": ({"a.jsonl": b'{"mt": "x\\u0000"}\n'}, "contains a zero character"),
    "no objects": ({"a.json": b'["x", 3]'}, "item 1: expected an object {…}, found 'x'"),
    "lines without objects": ({"a.jsonl": b'{"mt": "x"}\n["y"]\n'}, "a.jsonl, line 2: expected an object"),
    "a word": ({"a.json": b'"x"'}, "contains 'x', not texts"),
    "an empty list": ({"a.json": b"[]"}, "contains an empty list"),
    "blank lines": ({"a.jsonl": b"\n\n \n"}, "contains no object"),
    "a missing output": (
        {"a.jsonl": b'{"src": "x", "mt": "y"}\n{"src": "z"}\n'}, "a.jsonl, line 2, 'mt': the text is missing"
    ),
    "outputs of another type": (
        {"a.jsonl": b'{"ref": "y", "systems": {"A": [["x"]]}}\n'}, "line 1, systems.A: expected a text"
    ),
    "a nameless system": ({"a.jsonl": b'{"system": "", "hyp": "x"}\n'}, "line 1: the field 'system' names no system"),
    "two sources of one segment": (
        {"a.jsonl": b'{"system": "a", "seg_id": 1, "src": "x", "mt": "y"}\n'
                    b'{"system": "b", "seg_id": 1, "src": "z", "mt": "y"}\n'},
        "line 2: the source 'src' of this segment is 'z', but 'x' on line 1",
    ),
    "columns of unequal length": ({"a.json": b'{"ref": ["x", "y"], "a": ["x"]}'}, "has 2 entries, but 'a' has 1"),
    "scores alone": ({"a.jsonl": b'{"document_id": "d", "metric_scores": {"m": [1]}}\n'}, "a higher or a lower 'm'"),
    "not a number": ({"a.json": b'[{"mt": NaN}]'}, "a.json, line 1, 'mt': the text is missing"),
}  # fmt: skip

TABLES = {
    "semicolons": ({"a.csv": b"ref;a\nx;y\n"}, "looks separated by semicolons"),
    "spaces": ({"a.csv": b"SYS SID RAW Z\na 1 2 3\n"}, "If its columns are delimited by spaces"),
    "tabs in a .csv": ({"a.csv": b"ref\ta\nx\ty,z\n"}, "a.csv looks separated by tabs"),
    "commas in a .tsv": ({"a.tsv": b"ref\ta\nx,y\n"}, "a.tsv, line 2: found 1 columns"),
    "no names": ({"a.tsv": b"a\t0.5\nb\t0.6\n"}, "line 1: '0.5' is a number"),
    "unclosed quote": ({"a.csv": b'ref,a\n"x,y\n'}, "line 2: not a valid CSV row"),
    "a column too many": ({"a.tsv": b"ref\ta\nx\ty\tz\n"}, "line 2: found 3 columns"),
    "a header alone": ({"a.tsv": b"ref\ta\n"}, "no rows below its header"),
    "a name twice": ({"a.tsv": b"a\ta\nx\ty\n"}, "the column name 'a' occurs twice"),
    "scores": ({"a.tsv": b"system\tseg_id\tscore\na\t1\t0.5\n"}, "a higher or a lower 'a' is better"),
}  # fmt: skip


def wrapped(*layers: Callable[[Files], Files]) -> Files:
    files: Files = {"ref.txt": b"x\n", "a.txt": b"y\n"}
    for layer in layers:
        files = layer(files)
    return files


def nested() -> Files:
    inner = zipped({"a.txt": b"x\n"})
    return zipped({"inner.zip": inner["set.zip"], "b.txt": b"x\n"})


@cache
def bomb() -> Files:
    return zipped({"ref.txt": b"0" * (100 * MB)})


def many() -> Files:
    return zipped({f"{i}.txt": b"x" for i in range(10_001)})


def lying() -> Files:
    """An archive whose directory says that a long member has one byte."""
    data = bytearray(zipped({"a.txt": b"x" * 100_000})["set.zip"])
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 1)
    return {"set.zip": bytes(data)}


def encrypted() -> Files:
    data = bytearray(zipped({"a.txt": b"x\n"})["set.zip"])
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    return {"set.zip": bytes(data)}


def uncommon() -> Files:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", "x\n" * 100)
    return {"set.zip": packed.getvalue()}


@cache
def gzip_bomb() -> bytes:
    return gzip.compress(b"\0" * (100 * MB), 9)


def tar() -> bytes:
    return gzip.compress(b"a.txt".ljust(257, b"\0") + b"ustar\x0000".ljust(255, b"\0"))


ARCHIVES: dict[str, tuple[Callable[[], Files], str]] = {
    "zip in zip": (nested, "set.zip/inner.zip is a zip archive inside a zip archive"),
    "zip bomb": (bomb, "unpacks to more than 200 times its size"),
    "too many files": (many, "contains 10001 files"),
    "a lie about the size": (lying, "damaged in the archive"),
    "encrypted": (encrypted, "is encrypted"),
    "another method": (uncommon, "packed by a method other than deflate"),
    "no archive": (lambda: {"set.zip": b"hello"}, "is named like a zip archive, but is not one"),
    "an empty archive": (lambda: zipped({}), "no system output"),
    "a cut workbook": (lambda: {"set.XLSX": wrapped(zipped)["set.zip"][:-30]}, "damaged Excel workbook"),
    "a cut archive": (lambda: {"set.zip": wrapped(zipped)["set.zip"][:-30]}, "damaged zip archive"),
    "a workbook called .zip": (
        lambda: {"set.zip": FORMS["xlsx"]()["set.xlsx"]},
        "is an Excel workbook. Rename it to .xlsx",
    ),
    "gzip bomb": (lambda: {"a.txt.gz": gzip_bomb()}, "unpacks to more than 200 times its size"),
    "cut gzip": (lambda: {"a.txt.gz": gzip.compress(b"one\ntwo\n")[:-9]}, "the gzip file is incomplete"),
    "gzip with a tail": (lambda: {"a.txt.gz": gzip.compress(b"one\n") + b"tail"}, "a damaged gzip file"),
    "millions of empty lines": (lambda: {"a.txt.gz": gzip.compress(b"\n" * 7_000_000)}, "200 times its size"),
    "millions of empty lines in a zip": (lambda: zipped({"a.txt": b"\n" * 7_000_000}), "200 times its size"),
    "packed twice": (lambda: {"a.txt.gz": gzip.compress(gzip.compress(b"one\n"))}, "is packed twice"),
    "tar": (lambda: {"a.txt.gz": tar()}, "is a tar archive"),
    "a zip under another name": (lambda: {"a.txt": wrapped(zipped)["set.zip"]}, "is a zip archive or an Office"),
}


def sheet(rows: list[list[object]]) -> Files:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    packed = io.BytesIO()
    book.save(packed)
    return {"a.xlsx": packed.getvalue()}


def rewritten(member: str, change: Callable[[bytes], bytes]) -> Files:
    """A workbook with one of the files in it changed."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(sheet([["ref", "a"], ["x", "y"]])["a.xlsx"])) as old,
        zipfile.ZipFile(packed, "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == member else old.read(name))
    return {"a.xlsx": packed.getvalue()}


SHEET = "xl/worksheets/sheet1.xml"
WORKBOOKS: dict[str, tuple[Callable[[], Files], str]] = {
    "no workbook": (lambda: {"a.xlsx": b"ref,a\n"}, "is not an Excel workbook, despite its name"),
    "a Word document": (
        lambda: {"a.xlsx": zipped({"word/document.xml": b""})["set.zip"]},
        "damaged Excel workbook",
    ),
    "nothing in it": (lambda: sheet([]), "contains no filled sheet"),
    "a header alone": (lambda: sheet([["ref", "a"]]), "no rows below its header"),
    "a truth value": (lambda: sheet([["ref", "a"], ["x", True]]), "a.xlsx, row 2: Excel stored True as a truth value"),
    "a longer row": (
        lambda: sheet([["ref", "a"], ["x", "y", "z"]]),
        "a.xlsx, row 2: found 3 columns, but the header on row 1",
    ),
    "an entity bomb": (
        lambda: rewritten(SHEET, lambda data: laughs().replace("dataset", "worksheet").encode() + data),
        "damaged Excel",
    ),
    "a far cell": (
        lambda: rewritten(SHEET, lambda data: data.replace(b'r="2"', b'r="200000"').replace(b'"B2"', b'"XFD200000"')),
        "",
    ),
    "a broken sheet": (lambda: rewritten(SHEET, lambda data: data[:200]), "damaged Excel workbook"),
    "a bomb": (lambda: rewritten(SHEET, lambda data: data + b" " * 40 * MB), ""),
}


@pytest.mark.parametrize("case", XML)
def test_hostile_xml_is_told(case: str) -> None:
    files, said = XML[case]
    assert said in str(outcome(files))


@pytest.mark.parametrize("case", SGM)
def test_hostile_sgm_is_told(case: str) -> None:
    files, said = SGM[case]
    assert said in str(outcome(files))


@pytest.mark.parametrize("inside", [4000, 4001, 500_000])
def test_no_tag_is_too_long_to_be_seen(inside: int) -> None:
    middle = b"<seg id=2" + b" " * inside + b">two</seg>"
    found = outcome({"a.sgm": b"<tstset sysid=a><doc docid=d><seg id=1>one</seg>" + middle + b"</doc></tstset>"})
    assert isinstance(found, Corpus), found
    assert [*found.outputs["a"]] == ["one", "two"]


@pytest.mark.parametrize("case", JSON)
def test_hostile_json_is_told(case: str) -> None:
    files, said = JSON[case]
    found = outcome(files)
    check(found)
    assert said in str(found)


@pytest.mark.parametrize("case", TABLES)
def test_hostile_tables_are_told(case: str) -> None:
    files, said = TABLES[case]
    assert said in str(outcome(files))


@sampled("case", ARCHIVES, most=9)
def test_hostile_archives_are_told(case: str) -> None:
    make, said = ARCHIVES[case]
    files = make()
    found = outcome(files)
    check(found)
    assert said in str(found)


@pytest.mark.parametrize("case", WORKBOOKS)
def test_hostile_workbooks_are_told(case: str) -> None:
    make, said = WORKBOOKS[case]
    found = outcome(make())
    check(found)
    assert said in str(found)


def test_a_bomb_takes_little_memory() -> None:
    files = {"a.txt.gz": gzip_bomb(), **bomb()}
    tracemalloc.start()
    outcome(files)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 128 * MB


LONG = MB // 2
"""What takes time by its square takes minutes at this size already."""


@cache
def words() -> str:
    return "word " * LONG


_TMX = '<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>{}</body></tmx>'
_UNIT = '<tu><tuv xml:lang="l{}"><seg>a</seg></tuv><tuv xml:lang="en"><seg>b</seg></tuv></tu>'

ENDLESS: dict[str, Callable[[], Files]] = {
    "line": lambda: {"ref.txt": b"x\n", "a.txt": words().encode()},
    "table": lambda: {"a.tsv": f"ref\ta\nx\t{words()}\n".encode()},
    "csv": lambda: {"a.csv": f'ref,a\nx,"{words()}"\n'.encode()},
    "json": lambda: {"a.jsonl": (json.dumps({"ref": "x", "mt": words()}) + "\n").encode()},
    "xml": lambda: xml(_DOC.format(words())),
    "sgm": lambda: {"a.sgm": f"<tstset sysid=a><doc docid=d><seg id=1>{words()}</seg></doc></tstset>".encode()},
    "tags": lambda: {"a.sgm": b"<tstset sysid=a><doc docid=d>" + b"<seg " * LONG},
    "attributes": lambda: {"a.sgm": b"<tstset sysid=a><doc " + b"a=b " * LONG + b"><seg>x</seg></doc></tstset>"},
    "equals signs": lambda: {"a.sgm": b"<doc " * 1000 + b"=" * (4 * LONG) + b">"},
    "entities": lambda: {"a.sgm": b"<tstset sysid=a><seg id=1>" + b"&#" * (2 * LONG) + b"</seg></tstset>"},
    "elements": lambda: xml("<p>" * 100_000 + "</p>" * 100_000),
    "columns": lambda: {"a.tsv": b"\t".join(b"c%d" % i for i in range(20_000)) + b"\n" + b"\t" * 19_999 + b"\n"},
    "empty lines": lambda: {"ref.txt": b"\n" * LONG, "a.txt": b"\n" * LONG},
    "gzip members": lambda: {"a.txt.gz": gzip.compress(b"") * 50_000},
    "languages": lambda: {"a.tmx": _TMX.format("".join(_UNIT.format(i) for i in range(900))).encode()},
    "more languages": lambda: {"a.tmx": _TMX.format("".join(_UNIT.format(i) for i in range(60_000))).encode()},
    "lines of one text": lambda: {"a.po": b'msgid "a"\nmsgstr "b"\n' + b'"x"\n' * LONG},
    "a name": lambda: {"a.tsv": f"ref\t{'a_b.c-' * LONG}\tb\nx\ty\tz\n".encode()},
    "a name of a system": lambda: {"a.jsonl": json.dumps({"ref": "x", "hypotheses": {"s" * 9 * LONG: "y"}}).encode()},
    "zeros behind gzip": lambda: {"a.txt.gz": gzip.compress(b"x\n") + bytes(40 * MB)},
    "folders": lambda: zipped({"a/" * 1000 + "x.txt": b"x\n", "b.txt": b"x\n"}),
    "names": lambda: zipped({"a-b_c.d " * 7_000 + f"{i}.en-de.txt": b"x\n" for i in range(500)}),
    "many names": lambda: zipped({"a-b_c.d " * 120 + f"{i}.en-de.txt": b"x\n" for i in range(9_000)}),
    "names of folders": lambda: zipped(
        {"/".join(f"d{i}{k}" for k in range(48)) + ".txt": b"x\n" for i in range(9_000)}
    ),
    "a folder for each": lambda: zipped({f"{i}/out.txt": b"x\n" for i in range(9_000)}),
}


@sampled("kind", ENDLESS, most=4)
def test_endless_lines_and_tags_are_read_in_bounded_time(kind: str) -> None:
    check(outcome(ENDLESS[kind]()))


@pytest.mark.parametrize("kind", ["sgm", "empty lines", *slow("table", "xml", "line", "csv", "entities", "elements")])
def test_endless_lines_and_tags_are_read_in_bounded_memory(kind: str) -> None:
    files = ENDLESS[kind]()
    tracemalloc.start()
    outcome(files)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * sum(map(len, files.values())) + 16 * MB


def test_more_than_a_thousand_files_are_damaged() -> None:
    damaged = sum(len(form()) for form in FORMS.values()) * len(DAMAGES)
    packed = len(FORMS) * len(DAMAGES)
    by_hand = sum(map(len, (XML, SGM, JSON, TABLES, ARCHIVES, WORKBOOKS)))
    assert damaged + packed + by_hand > 3_000


def test_nothing_from_an_archive_is_written_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"../out.txt": b"x\n", "/tmp/out.txt": b"x\n", "a/../../b.txt": b"x\n", "ref.txt": b"x\n"}
    (tmp_path / "set.zip").write_bytes(zipped(files)["set.zip"])
    before = sorted(tmp_path.rglob("*"))
    assert len(read(tmp_path / "set.zip")) == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert not Path("/tmp/out.txt").exists()


def test_names_in_an_archive_cannot_reach_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.txt").write_text("secret\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    corpus = outcome(zipped({"secret.txt": b"open\n", "ref.txt": b"x\n"}))
    assert isinstance(corpus, Corpus)
    assert corpus.lines("secret") == ("open",)


def test_names_in_an_archive_cannot_write_on_the_terminal() -> None:
    found = outcome(zipped({"\x1b[2Ja.txt": b"\xff\n", "ref.txt": b"x\n"}))
    assert isinstance(found, str)
    check(found)
