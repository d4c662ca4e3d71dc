"""One table with a column per text."""

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from kept import lacking, worded
from layouts import Texts, made, workbook, written
from pyarrow import parquet
from sampled import crossed

from mtsig import Corpus, read
from mtsig.corpus import inspect
from mtsig.errors import AlignmentError, ReadError
from mtsig.readers import File, assemble
from mtsig.readers._names import role_of_column
from mtsig.readers._read import parts_of


def table(place: Path, content: str | bytes, name: str = "set.tsv") -> Corpus:
    (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(place / name)


def problem(place: Path, content: str | bytes, name: str = "set.tsv") -> str:
    with pytest.raises(ReadError) as caught:
        table(place, content, name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_columns_get_roles_by_their_names(tmp_path: Path) -> None:
    head = "segment_id\tdoc_id\tdomain\tsource\tref\treference_2\tOnline-A\trefined\tmine"
    corpus = table(tmp_path, head + "\n" + "\t".join("1dxsrabcm") + "\n")
    assert corpus.documents == ("d",)
    assert corpus.segments.domains == ("x",)
    assert corpus.segments.sources == ("s",)
    assert list(corpus.references) == ["ref", "reference_2"]
    assert list(corpus.systems) == ["Online-A", "refined", "mine"]
    assert any("segment_id" in note.text for note in inspect(corpus))


def test_quotation_marks_in_a_tsv_are_text(tmp_path: Path) -> None:
    corpus = table(tmp_path, 'ref\ta\n"he said\t"no"\n')
    assert (corpus.references["ref"], corpus.lines("a")) == (('"he said',), ('"no"',))


def test_a_tsv_is_split_on_newline_only(tmp_path: Path) -> None:
    corpus = table(tmp_path, "ref\ta\nx\u2028y\tz\x85\n")
    assert (corpus.references["ref"], corpus.lines("a")) == (("x\u2028y",), ("z\x85",))


def test_a_csv_may_quote_commas_quotes_and_newlines(tmp_path: Path) -> None:
    corpus = table(tmp_path, 'ref,a\n"one, two","first\nsecond"\n"said ""no""",plain\n', "set.csv")
    assert corpus.references["ref"] == ("one, two", 'said "no"')
    assert corpus.lines("a") == ("first\nsecond", "plain")


def test_a_csv_may_come_from_windows(tmp_path: Path) -> None:
    corpus = table(tmp_path, b"\xef\xbb\xbfref,a\r\none,eins\r\ntwo,zwei\r\n", "set.csv")
    assert list(corpus.references) == ["ref"]
    assert corpus.lines("a") == ("eins", "zwei")
    assert any("byte-order mark" in note.text for note in corpus.notes)


def test_a_tsv_may_come_from_windows(tmp_path: Path) -> None:
    corpus = table(tmp_path, b"ref\ta\r\none\teins\r\ntwo\tzwei\r\n")
    assert corpus.lines("a") == ("eins", "zwei")


def test_a_long_cell_is_no_obstacle(tmp_path: Path) -> None:
    # csv refuses fields above 131072 characters unless it is told otherwise.
    long = "word " * 40_000
    assert table(tmp_path, f"ref,a\n{long},x\n", "set.csv").references["ref"] == (long,)


@pytest.mark.parametrize("name", ["SET.TSV", "Set.Tsv"])
def test_the_suffix_may_be_written_in_capitals(tmp_path: Path, name: str) -> None:
    corpus = table(tmp_path, "ref\ta\none\teins\n", name)
    assert (list(corpus.references), list(corpus.systems)) == (["ref"], ["a"])


def test_empty_cells_are_empty_lines(tmp_path: Path) -> None:
    corpus = table(tmp_path, "ref\ta\none\t\n")
    assert corpus.lines("a") == ("",)


def test_empty_cells_of_several_references_are_missing_ones(tmp_path: Path) -> None:
    corpus = table(tmp_path, "refA\trefB\ta\none\t\tx\n")
    assert corpus.references == {"refA": ("one",), "refB": (None,)}


@pytest.mark.parametrize(
    ("name", "content"),
    [("set.tsv", "ref\ta\none\teins\ntwo\nthree\tdrei\n"), ("set.csv", 'ref,a\n"o\nne",eins\ntwo\n')],
)
def test_a_ragged_row_is_told_by_its_line(tmp_path: Path, name: str, content: str) -> None:
    message = problem(tmp_path, content, name)
    line = 3 if name.endswith("tsv") else 4  # the quoted newline above it counts as a line of the file
    worded(message, f"{name}, line {line}", "1 columns", "1 has 2")


def test_a_tab_too_many_is_told_by_its_line(tmp_path: Path) -> None:
    assert not lacking(problem(tmp_path, "ref\ta\none\teins\tx\n"), "line 2", "3 columns")


def test_a_column_name_twice_is_told(tmp_path: Path) -> None:
    assert not lacking(problem(tmp_path, "ref\ta\ta \none\teins\tx\n"), "line 1", "'a' occurs twice")


def test_a_header_alone_is_no_table(tmp_path: Path) -> None:
    assert "no rows" in problem(tmp_path, "ref\ta\n")


@pytest.mark.parametrize("name", ["set.tsv", "set.csv"])
@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n"], ids=["nothing", "only a mark", "one empty line"])
def test_an_empty_table_is_called_so(tmp_path: Path, name: str, content: bytes) -> None:
    message = problem(tmp_path, content, name)
    assert "empty" in message


@pytest.mark.parametrize("content", ['ref,a\n"one"two,x\n', 'ref,a\n"one,x\n'])
def test_broken_quotes_are_told_by_their_line(tmp_path: Path, content: str) -> None:
    assert not lacking(problem(tmp_path, content, "set.csv"), "line 2", "CSV")


def test_invalid_utf8_in_a_table_is_told_by_line_and_byte(tmp_path: Path) -> None:
    assert not lacking(problem(tmp_path, b"ref\ta\none\t\xe9\n"), "line 2", "byte 5", "0xE9")


def test_a_table_without_systems_says_so(tmp_path: Path) -> None:
    (tmp_path / "set.tsv").write_bytes(b"ref\tsource\none\tuno\n")
    with pytest.raises(ReadError, match=r"contains no system output; found: set\.tsv, column 'ref'"):
        read(tmp_path / "set.tsv")


def test_a_table_alone_in_a_folder_is_read_as_a_table(tmp_path: Path) -> None:
    direct = table(tmp_path, "ref\ta\none\teins\n")
    assert read(tmp_path).digest == direct.digest


def test_a_table_beside_line_files_is_left_alone(tmp_path: Path) -> None:
    for name in ("ref.txt", "a.txt"):
        (tmp_path / name).write_text("one\n", encoding="utf-8")
    (tmp_path / "scores.tsv").write_text("system\tscore\na\t3\n", encoding="utf-8")
    corpus = read(tmp_path)
    assert list(corpus.systems) == ["a"]
    assert any("scores.tsv" in note.text for note in corpus.notes)


def test_tables_of_different_lengths_do_not_go_together() -> None:
    files = [File("one.tsv", b"ref\ta\nx\ty\n"), File("two.tsv", b"b\nx\ny\n")]
    parts = parts_of(files)
    assert [part.role for part in parts] == ["reference", "system", "system"]
    with pytest.raises(AlignmentError, match=r"two\.tsv, column 'b'"):
        assemble(parts)


def test_a_table_that_cannot_be_read_is_one_part_with_a_problem() -> None:
    (part,) = parts_of([File("set.tsv", b"ref\ta\none\n")])
    assert part.problem is not None
    assert "line 2" in part.problem


N = 24
TEXTS = made(N)
ROWS = [(name, number) for name in ("alpha", "beta") for number in range(N)]
BESIDE: dict[str, Sequence[object]] = {
    **{name: [*range(2 * N)] for name in ("Unnamed: 0", "", "index", "id", "row_id")},
    "uid": [f"{name}-{i}" for name, i in ROWS], "length": [len(TEXTS[name][i]) for name, i in ROWS],
    "year": [2024] * 2 * N, "rank": [i % 5 for _, i in ROWS], "time": [i / 7 for _, i in ROWS], "seed": [42] * 2 * N,
    "score": [i / 9 for _, i in ROWS], "lp": ["es-en"] * 2 * N, "comments": ["see there"] * 2 * N,
}  # fmt: skip
"""Columns beside the texts of a long table, and what stands in them."""


def long_rows(system: str = "system", segment: str = "segment", output: str = "output", beside: str | None = None,
              order: int = 1) -> list[list[object]]:  # fmt: skip
    rows: list[list[object]] = [[system, segment, "source", "ref", output]]
    for name, i in [ROWS[at * order % len(ROWS)] for at in range(len(ROWS))]:
        rows.append([name, i + 1, TEXTS["source"][i], TEXTS["ref"][i], TEXTS[name][i]])
    if beside is not None:
        rows[0].insert(0, beside)
        for row, cell in zip(rows[1:], BESIDE[beside], strict=True):
            row.insert(0, cell)
    return rows


def texts_in(corpus: Corpus) -> dict[str, set[tuple[str | None, ...]]]:
    (reference,) = corpus.references.values()
    return {name: {*zip(reference, lines, strict=True)} for name, lines in corpus.outputs.items()}


def expected(texts: Texts) -> dict[str, set[tuple[str, ...]]]:
    return {name: {*zip(texts["ref"], texts[name], strict=True)} for name in ("alpha", "beta")}


@pytest.mark.parametrize("beside", BESIDE)
def test_what_stands_beside_the_texts_of_a_long_table_is_no_text_and_no_number_of_segments(
    beside: str, tmp_path: Path
) -> None:
    for path in (tmp_path / "set.csv", workbook(long_rows(beside=beside), tmp_path / "set.xlsx")):
        if path.suffix == ".csv":
            path.write_text(written(long_rows(beside=beside)))
        corpus = read(path)
        assert texts_in(corpus) == expected(TEXTS)
        assert not corpus.ratings
        if beside in ("length", "year", "rank", "score", "seed"):
            shown = "set" if beside == "score" else beside
            assert any("unknown whether higher or lower" in note.text and shown in note.text for note in corpus.notes)


@pytest.mark.parametrize("segment", ["SegmentID", "line_no", "example_id", "utt_id", "question_id", "row", "#", "key"])
def test_segments_are_numbered_in_a_column_of_many_names(segment: str, tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text(written(long_rows(segment=segment, order=11)))
    assert texts_in(read(tmp_path / "set.csv")) == expected(TEXTS)


@pytest.mark.parametrize("output", ["prediction", "candidate", "response", "text", "target", "generated"])
def test_outputs_stand_in_a_column_of_many_names(output: str, tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text(written(long_rows(output=output)))
    assert texts_in(read(tmp_path / "set.csv")) == expected(TEXTS)


@pytest.mark.parametrize("system", ["engine", "provider", "team", "model_name", "method", "name", "translator"])
def test_systems_are_told_by_the_sources_that_each_has(system: str, tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text(written(long_rows(system=system)))
    assert texts_in(read(tmp_path / "set.csv")) == expected(TEXTS)


def test_a_table_with_outputs_and_scores_gives_both(tmp_path: Path) -> None:
    rows = long_rows()
    rows = [[*rows[0], "mqm"], *([*row, -(at % 7)] for at, row in enumerate(rows[1:]))]
    (tmp_path / "set.csv").write_text(written(rows))
    alone = read(tmp_path / "set.csv")
    assert texts_in(alone) == expected(TEXTS)
    for name in ("ref", "alpha", "beta"):
        (tmp_path / f"{name}.txt").write_text("\n".join(TEXTS[name]))
    beside = read(tmp_path)
    for corpus in (alone, beside):
        assert [*corpus.ratings["mqm"].values.ravel()] == [-(at % 7) for at in range(2 * N)]
    assert list(beside.systems) == ["alpha", "beta"]
    worded(beside.notes)


ROLES = {
    "source": ("src_es", "source_text", "input", "original"),
    "reference": ("tgt_en", "target_text", "gold", "original_target", "human_translation", "ground_truth"),
    "ignored": ("context", "title", "instruction", "reasoning", "explanation", "back_translation"),
}


def test_columns_of_usual_names_are_no_systems() -> None:
    for role, names in ROLES.items():
        assert {role_of_column(name) for name in names} == {role}


TURNED_HEADS = {
    "numbers": ("system", "{}"), "from nothing": ("", "{}"), "segments": ("name", "seg_{}"),
    "words": ("text", "Sentence {}"), "documents": ("id", "news-7_{}"), "padded": ("model", "s{:03d}"),
}  # fmt: skip


@crossed("head, form, names", TURNED_HEADS, [".tsv", ".csv", ".xlsx", ".jsonl", ".parquet"],
         [("source", "ref", "alpha", "beta"), ("ref", "alpha", "beta"), ("alpha", "Referenz")])  # fmt: skip
def test_a_table_with_a_row_per_text_is_turned_and_told(
    head: str, form: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    texts = made(12)
    own = {name: texts["ref" if name == "Referenz" else name] for name in names}
    first, each = TURNED_HEADS[head]
    ids = [each.format(number + (head != "from nothing")) for number in range(12)]
    rows = [[first, *ids], *([name, *lines] for name, lines in own.items())]
    path = tmp_path / f"set{form}"
    records = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    if form == ".xlsx":
        workbook(rows, path)
    elif form == ".parquet":
        parquet.write_table(pa.Table.from_pylist(records), path)
    elif form == ".jsonl":
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    else:
        path.write_text(written(rows, "," if form == ".csv" else "\t"), encoding="utf-8")
    corpus = read(path)
    found = {name: [*corpus.lines(name)] for name in corpus.systems}
    assert found == {name: lines for name, lines in own.items() if name in ("alpha", "beta")}
    assert [[*lines] for lines in corpus.references.values()] == [texts["ref"]]
    assert any("read as texts" in note.text for note in corpus.notes)


@pytest.mark.parametrize("form", [".tsv", ".csv"])
def test_without_a_row_of_ids_the_names_of_rows_tell(form: str, tmp_path: Path) -> None:
    rows = [[name, *lines] for name, lines in made(12).items()]
    (tmp_path / f"set{form}").write_text(written(rows, "," if form == ".csv" else "\t"), encoding="utf-8")
    corpus = read(tmp_path / f"set{form}")
    assert [[*corpus.lines(name)] for name in corpus.systems] == [made(12)["alpha"], made(12)["beta"]]


@pytest.mark.parametrize(
    ("first", "said"), [("name", "rows called alpha and beta"), ("text", "Write a row for each segment")]
)
def test_where_nothing_tells_rows_from_columns_it_is_asked(first: str, said: str, tmp_path: Path) -> None:
    texts = made(12)
    rows = [[first, *(f"s{number}" for number in range(12))], *([name, *texts[name]] for name in ("alpha", "beta"))]
    (tmp_path / "set.tsv").write_text(written(rows, "\t"), encoding="utf-8")
    with pytest.raises(ReadError, match=said):
        pytest.fail(f"it was read: {read(tmp_path / 'set.tsv')}")


@pytest.mark.parametrize("first", ["ref", "source", "id", "document"])
def test_systems_whose_names_are_numbered_are_no_segments(first: str, tmp_path: Path) -> None:
    texts = made(5)
    column = texts[first] if first in texts else [f"news{number}" for number in range(5)]
    rows = [[first, *(f"sys{number}" for number in range(9))],
            *([own, *[line] * 9] for own, line in zip(column, texts["alpha"], strict=True))]  # fmt: skip
    (tmp_path / "set.tsv").write_text(written(rows, "\t"), encoding="utf-8")
    assert len(read(tmp_path / "set.tsv").systems) == 9
