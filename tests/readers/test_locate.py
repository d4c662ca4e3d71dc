"""Files as people really have them: each is read, or refused with what was found, where, and what to do."""

import bz2
import csv
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest
from forms import Files, lines, sorted_folder, zipped
from kept import Kept, lacking, worded
from layouts import made
from limited import mtsig

from mtsig import Corpus, MtsigError, read
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of

REFERENCE = ["one", "two", "three"]
SYSTEM = ["one", "too", "tree"]
TEXTS: Files = {"ref.txt": lines(REFERENCE), "a.txt": lines(SYSTEM)}


def put(files: Files) -> Corpus:
    return assemble(parts_of([File(name, content) for name, content in files.items()]))


def refusal(files: Files) -> str:
    with pytest.raises(MtsigError) as caught:
        put(files)
    return str(caught.value)


def said(corpus: Corpus) -> str:
    return "\n".join(note.text for note in corpus.notes)


def table(rows: Sequence[Sequence[str]], separator: str = "\t") -> bytes:
    return lines([separator.join(row) for row in rows])


def workbook(rows: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


OBJECTS = [{"ref": one, "mt": other} for one, other in zip(REFERENCE, SYSTEM, strict=True)]
JSON_LINES = lines([json.dumps(one) for one in OBJECTS])


# --- other kinds of files ------------------------------------------------------------------------------------

KINDS: dict[str, tuple[bytes, str]] = {
    "b.txt.bz2": (bz2.compress(b"one\n", 9), "packed with bzip2: unpack it"),
    "c.txt.bz2": (bz2.compress(b"one\n", 1), "packed with bzip2: unpack it"),
    "b.txt.xz": (lzma.compress(b"one\n"), "packed with xz: unpack it"),
    "b.txt.zst": (b"\x28\xb5\x2f\xfd\0\0", "packed with zstd: unpack it"),
    "b.7z": (b"7z\xbc\xaf\x27\x1c\0", "packed with 7-Zip: unpack it"),
    "b.rar": (b"Rar!\x1a\x07\x01\0", "packed with RAR: unpack it"),
    "b.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "is a Word document: save its text as .txt"),
    "b.rtf": (b"{\\rtf1 one}\n", "is rich text: save its text as .txt"),
    "b.txt": ("\n".join(REFERENCE).encode("utf-16-le"), "UTF-16 text without a byte-order mark. Save it as UTF-8"),
    "c.txt": (b"one\rtwo\rthree\r", "has no newline, but 3 carriage returns"),
    "d.txt": (b"one\ntw\0o\nthree\n", "line 2 holds a zero byte (byte 6). Expected UTF-8 text: remove that byte"),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_a_file_of_another_kind_says_what_it_is_and_what_to_do(name: str) -> None:
    content, message = KINDS[name]
    assert f"{name} {'is ' if 'packed' in message else ''}" in (found := refusal({**TEXTS, name: content}))
    assert message in found


@pytest.mark.parametrize(
    ("name", "message"),
    [("t.xls", "old Excel workbook: save it as .xlsx"), ("set.tar.gz", "tar archive: unpack it"), ("s.pdf", "PDF")],
)
def test_a_file_that_no_reader_takes_says_what_it_is_where_nothing_else_is_a_system(name: str, message: str) -> None:
    assert message in " ".join(part.form for part in parts_of([File(name, b"\0")]))


def test_copies_of_editors_and_files_of_systems_are_left_alone() -> None:
    others = ["a.txt~", "#a.txt#", "a.txt.bak", "~$a.txt", "Thumbs.db", "desktop.ini", ".a.txt.swp"]
    corpus = put({**TEXTS, **dict.fromkeys(others, b"\0")})
    assert list(corpus.systems) == ["a"]
    assert all(name in said(corpus) for name in others)


# --- archives ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("above", ["", "my set/", "a/b/"])
def test_a_system_beside_an_archive_of_a_whole_test_set_is_added_to_it(above: str, tmp_path: Path) -> None:
    files = {**zipped(sorted_folder(), above), "mine.txt": lines(["one", "three", "five", "six"])}
    assert sorted(put(files).systems) == ["alpha", "beta.v2", "mine"]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    corpus = read(tmp_path)
    assert sorted(corpus.systems) == ["alpha", "beta.v2", "mine"]
    assert corpus.documents is not None
    assert len(corpus.references) == 1


def test_in_an_archive_as_in_a_folder_files_beside_systems_are_left_alone() -> None:
    files = {**sorted_folder(), "notes.txt": b"no output\n"}
    for packed in (files, zipped(files, "set/")):
        corpus = put(packed)
        assert sorted(corpus.systems) == ["alpha", "beta.v2"]
        assert "notes.txt" in said(corpus)


def test_two_archives_are_one_test_set() -> None:
    files = sorted_folder()
    systems = {name: content for name, content in files.items() if name.startswith("systems/")}
    others = {name: content for name, content in files.items() if name not in systems}
    packed = {"outputs.zip": zipped(systems)["set.zip"], "rest.zip": zipped(others, "rest/")["set.zip"]}
    assert put(packed).digest == put(files).digest


def test_backslashes_of_windows_are_folders_in_an_archive() -> None:
    files = {name.replace("/", "\\"): content for name, content in sorted_folder().items()}
    assert put(zipped(files)).digest == put(sorted_folder()).digest


# --- tables --------------------------------------------------------------------------------------------------

GOOD = [["ref", "a"], *map(list, zip(REFERENCE, SYSTEM, strict=True))]


def test_blank_lines_at_the_end_of_a_table_hold_no_row_and_others_are_told() -> None:
    for name, separator in (("t.tsv", "\t"), ("t.csv", ",")):
        assert put({name: table(GOOD, separator) + b"\n\n"}).lines("a") == tuple(SYSTEM)
        broken = table(GOOD[:2], separator) + b"\n" + table(GOOD[2:], separator)
        assert not lacking(refusal({name: broken}), f"{name}, line 3", "blank")


def test_empty_texts_in_a_column_alone_are_kept() -> None:
    assert put({"t.tsv": b"hyp\none\n\n"}).lines("t") == ("one", "")


def test_quotation_marks_of_a_spreadsheet_in_a_tsv_file_are_warned_of(kept: Kept) -> None:
    whole = [[f'"{cell}"' for cell in row] for row in GOOD]
    corpus = put({"t.tsv": table([GOOD[0], *whole[1:]])})
    assert corpus.lines("a")[0] == '"one"'
    assert "6 cells" in said(corpus)
    kept("readers", said(corpus))
    for rows, text in (
        ([*GOOD[:3], ["three", '"he said ""tree"""']], 'he said "tree"'), ([*GOOD[:3], ["x", '"o, one"']], "o, one")
    ):  # fmt: skip
        corpus = put({"t.tsv": table(rows)})
        assert corpus.lines("a")[-1] == text
        assert "were removed" in said(corpus)


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_what_a_csv_writer_quotes_between_tabs_is_read_as_it_was(quoting: Any) -> None:
    rows = [["ref", "a"], ['He said "x"', 'a\ttab, "b"'], ['"all"', "two\nlines"], ["plain", ""]]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter="\t", quoting=quoting, lineterminator="\n").writerows(rows)
    corpus = put({"t.tsv": out.getvalue().encode()})
    assert [list(corpus.references["ref"]), list(corpus.lines("a"))] == [
        list(own) for own in zip(*rows[1:], strict=True)
    ]


def test_quotation_marks_that_no_program_put_there_stay() -> None:
    some = put({"t.tsv": table([*GOOD[:3], ['say "three"', '"he said ""tree"""']])})
    assert some.lines("a")[-1] == '"he said ""tree"""'
    assert not lacking(said(some), "1 cells", "quotation marks")
    natural = put({"t.tsv": table([*GOOD[:3], ['"three"', '"tree", "he" said']])})
    assert "quotation" not in said(natural)


def test_an_unquoted_comma_and_a_tab_are_told_apart(kept: Kept) -> None:
    for name, separator, cause in (("t.csv", ",", "comma"), ("t.tsv", "\t", "tab")):
        message = refusal({name: table([*GOOD, ["x", "y", "z"]], separator)})
        assert not lacking(message, name, "line 5", "3 columns", "line 1", cause)
        kept("readers", message)


def test_numbers_that_name_no_segment_are_noted(kept: Kept) -> None:
    rows = [["seg_id", "ref", "a"], ["1", "one", "one"], ["2", "two", "too"], ["2", "three", "tree"]]
    corpus = put({"t.tsv": table(rows)})
    assert corpus.lines("a") == tuple(SYSTEM)
    worded(said(corpus), repr("seg_id"), f"{'2'!r}", "2 rows")
    kept("readers", said(corpus))


def test_excels_errors_are_told_and_titles_and_blank_rows_are_noted(kept: Kept) -> None:
    formula = workbook([["ref", "a"], ["one", "#NAME?"]])
    assert not lacking(refusal({"t.xlsx": formula}), "t.xlsx, row 2", "#NAME?")
    title = put({"t.xlsx": workbook([["My results"], [], ["ref", "a"], ["one", "one"]])})
    assert len(title) == 1
    nameless = workbook([[None, "a"], ["one", "two"], ["ref", "a"]])
    assert len(put({"t.xlsx": nameless})) == 2
    gap = put({"t.xlsx": workbook([["ref", "a"], ["one", "one"], [], ["two", "too"]])})
    assert len(gap) == 2
    kept("readers", refusal({"t.xlsx": formula}), said(title), said(gap))


# --- JSON ----------------------------------------------------------------------------------------------------


def test_json_lines_are_read_whatever_the_file_is_called() -> None:
    as_list = json.dumps(OBJECTS).encode()
    expected = put({"t.jsonl": JSON_LINES})
    for files in ({"t.json": JSON_LINES}, {"t.jsonl": as_list}, {"t.json": as_list}):
        assert put(files).digest == expected.digest


def test_a_web_page_that_was_saved_as_json_is_told() -> None:
    for name in ("t.json", "t.jsonl"):
        assert not lacking(refusal({name: b"<!DOCTYPE html>\n<p>404"}), name, "web page", "download")


# --- several language pairs in one file ------------------------------------------------------------------------


def pairs(long: bool) -> list[dict[str, str]]:
    found = []
    for pair in ("en-de", "en-cs"):
        for number, one in enumerate(REFERENCE, 1):
            texts = {"system": "a", "hyp": one} if long else {"mt": one}
            found.append({"lp": pair, "seg_id": str(number), "ref": f"{one} {pair}", **texts})
    return found


def as_table(records: list[dict[str, str]]) -> Files:
    return {"a.tsv": table([list(records[0]), *(list(one.values()) for one in records)])}


def as_lines(records: list[dict[str, str]]) -> Files:
    return {"a.jsonl": lines([json.dumps(one) for one in records])}


@pytest.mark.parametrize("long", [True, False])
@pytest.mark.parametrize("form", [as_table, as_lines])
def test_language_pairs_in_one_file_are_told_apart(form: Callable[..., Files], long: bool) -> None:
    files = form(pairs(long))
    assert not lacking(refusal(files), "en-de, en-cs")
    parts = parts_of([File(name, content) for name, content in files.items()])
    corpus = assemble(parts, "en-cs")
    assert len(corpus) == 3
    assert next(iter(corpus.references.values()))[0] == "one en-cs"


# --- ratings -------------------------------------------------------------------------------------------------


def rated(scores: Sequence[str], numbers: Sequence[int] = (1, 2, 3), system: str = "a") -> bytes:
    rows = [[system, str(number), score] for number, score in zip(numbers, scores, strict=True)]
    return table([["system", "seg_id", "score"], *rows])


def test_scores_that_do_not_fit_say_what_to_do(kept: Kept) -> None:
    def told(content: bytes) -> str:
        return refusal({**TEXTS, "ratings/mqm.tsv": content})

    messages = [told(rated(["-1,5", "-2,5", "0"]))]
    assert not lacking(messages[0], "line 2", repr("score"), repr("-1,5"), "decimal point")
    wide = table([["seg_id", "a", "b"], ["1", "-1,5", "0,5"], ["2", "1,5", "0"], ["3", "0", "0"]])
    messages += [told(wide), told(rated(["0", "-1", "-2"], (1, 2, 4)))]
    assert not lacking(messages[1], "line 2", repr("a"), repr("-1,5"), "decimal point")
    worded(messages[2], "4", "3 segments")
    two = table([["lp", "system", "seg_id", "score"], ["en-de", "a", "1", "-1"], ["en-cs", "a", "1", "-2"]])
    assert not lacking(told(two), "2 language pairs", "en-de and en-cs")
    kept("readers", *messages, told(two))


def test_a_table_among_ratings_that_is_none_is_warned_of(kept: Kept) -> None:
    corpus = put({**TEXTS, "ratings/mqm.csv": b"system;seg_id;score\na;1;-1\n"})
    (note,) = [note for note in corpus.notes if "ratings/mqm.csv" in note.text and note.level == "warning"]
    kept("readers", note.text)


def test_systems_that_are_called_like_their_file_are_the_same(kept: Kept) -> None:
    corpus = put({**TEXTS, "ratings/mqm.tsv": rated(["-1", "-2", "0"], system="a.txt")})
    assert list(corpus.systems) == ["a"]
    kept("readers", said(corpus))


def test_comets_file_gives_its_scores_among_ratings_and_its_texts_with_them_elsewhere() -> None:
    segments = [{"src": "x", "mt": text, "ref": ref, "COMET": 0.5} for text, ref in zip(SYSTEM, REFERENCE, strict=True)]
    content = json.dumps({"runs/a.txt": segments}).encode()
    corpus = put({**TEXTS, "ratings/comet.json": content})
    assert list(corpus.ratings) == ["COMET"]
    assert list(corpus.systems) == ["a"]
    alone = put({"comet.json": content})
    assert alone.lines("a") == tuple(SYSTEM)
    assert list(alone.ratings) == ["COMET"]
    segments[1]["COMET"] = "high"
    broken = json.dumps({"runs/a.txt": segments}).encode()
    message = refusal({**TEXTS, "ratings/comet.json": broken})
    assert not lacking(message, f"{'runs/a.txt'!r}, segment 2", "COMET", repr("high"))


def test_a_table_without_names_loses_no_segment_in_silence() -> None:
    rows = "\n".join(f"a source {i}\tthe reference number {i}\tan output of {i}" for i in range(3))
    (part,) = parts_of([File("texts.tsv", rows.encode())])
    assert part.problem is not None
    assert not lacking(part.problem, repr("a source 0"), "source, ref")
    named = parts_of([File("texts.tsv", ("source\tref\tGoogle Translate 2023\n" + rows).encode())])
    assert [one.role for one in named] == ["source", "reference", "system"]


FILED: dict[str, Callable[[Sequence[str], Sequence[int]], str]] = {
    ".jsonl": lambda own, order: "".join(f"{json.dumps({'id': at, 'hyp': own[at]})}\n" for at in order),
    ", from 1.jsonl": lambda own, order: "".join(f"{json.dumps({'index': at + 1, 'text': own[at]})}\n" for at in order),
    ", named.jsonl": lambda own, order: "".join(f"{json.dumps({'id': f'seg-{at}', 'hyp': own[at]})}\n" for at in order),
    ".json": lambda own, order: json.dumps({f"s{at}": own[at] for at in order}),
}


@pytest.mark.parametrize("form", FILED)
def test_beside_lines_a_text_is_in_the_order_of_ids_that_count_it(form: str, tmp_path: Path) -> None:
    texts = made(20)
    order = Random(3).sample(range(20), 20)
    for place in ("refs/ref.txt", "systems/beta.txt"):
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_text("".join(f"{line}\n" for line in texts[Path(place).stem]))
    path = tmp_path / f"systems/alpha{form.rpartition('.')[1]}{form.rpartition('.')[2]}"
    path.write_text(FILED[form](texts["alpha"], order))
    corpus = read(tmp_path)
    assert [*corpus.lines("alpha")] == texts["alpha"]
    worded(note.text for note in corpus.notes if note.level == "warning")
    path.write_text(FILED[form](texts["alpha"], range(20)))
    assert not any("was sorted" in note.text for note in read(tmp_path).notes)


@pytest.mark.parametrize("ids", [[7, 3, 12, 40, 1], [2, 1, 1, 3, 4], [14, 12, 13, 11, 10]])
def test_ids_that_do_not_count_all_segments_order_none(ids: Sequence[int], tmp_path: Path) -> None:
    lines = [f"This is sentence {at} of five." for at in "abcde"]
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems/alpha.jsonl").write_text("".join(
        f"{json.dumps({'id': at, 'hyp': line})}\n" for at, line in zip(ids, lines, strict=True)
    ))  # fmt: skip
    assert [*read(tmp_path).lines("alpha")] == lines


@pytest.mark.parametrize("packed", [False, True])
def test_thousands_of_outputs_are_refused_before_one_is_read(packed: bool, tmp_path: Path) -> None:
    text = "".join(f"line number {at} of text\n" for at in range(100))
    names = [f"systems/s{number}.txt" for number in range(3_000)]
    if packed:
        data = tmp_path / "set.zip"
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.writestr(name, text)
    else:
        data = tmp_path / "set"
        (data / "systems").mkdir(parents=True)
        for name in names:
            (data / name).write_text(text)
    done = mtsig("read", "--data", data, seconds=8)
    assert done.returncode == 2, done.stderr[-300:]
    worded(done.stderr, "3,000 systems", "1,000")
    assert "--max-systems N" in done.stderr
