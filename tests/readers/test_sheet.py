"""What reading costs: it grows no faster than the file, and what would cost too much is refused in one sentence."""

import io
import json
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from kept import Kept, lacking
from layouts import LAYOUTS, SCORES, made, written
from made import seconds
from sampled import crossed

from mtsig import Corpus, MtsigError, read, read_files
from mtsig._limits import Limits, refuse_above, within
from mtsig.corpus._notes import runs_by_name
from mtsig.errors import ReadError
from mtsig.readers import File, assemble
from mtsig.readers._files import HEAD
from mtsig.readers._markup import decoded, sgm_parts
from mtsig.readers._names import scale_of
from mtsig.readers._parts import RatingFile, placed
from mtsig.readers._rating_formats import RATING_READERS
from mtsig.readers._read import in_order, parts_of
from mtsig.readers._sheet import Sheet, name_and_direction
from mtsig.readers._tables import workbook_parts
from mtsig.study import read_plan
from mtsig.study._reading import read_study
from mtsig.study._request import plan_of

FACTOR = 16
"""How much longer the long text is than the short one."""

GROWTH = 4 * FACTOR
"""The most that it may take more time: linear work takes 16 times as long, quadratic 256 times."""

FLOOR = 2e-3
"""Seconds that no work is said to be shorter than: what takes less says nothing about how it grows."""


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times longer the work on something of 16 times the size takes, or a bound on it."""
    began = time.process_time()
    work(FACTOR * size)
    long = time.process_time() - began
    # Nearly always the long text alone takes so little that whatever the short one takes, the growth is allowed.
    if long < GROWTH * FLOOR:
        return long / FLOOR
    short = max(seconds(lambda: work(size)), FLOOR)
    return (long if long < GROWTH * short else seconds(lambda: work(FACTOR * size))) / short


def outcome(name: str, content: str) -> Corpus | str:
    try:
        return assemble(parts_of([File(name, content.encode())]))
    except MtsigError as error:
        return str(error)


def sgm(text: str) -> str:
    return f'<tstset sysid="a"><doc docid="d"><seg id="1">{text}</seg></doc></tstset>'


RUNS = {
    "spaces": " ", "digits": "7", "quotes": '"', "less than": "<", "ampersands": "&", "tabs": "\t",
    "line breaks": " \n", "combining marks": "\u0301\u0316", "points": ".", "dashes": "-",
    "equals signs": "=", "a letter": "a",
    "letters and spaces": "a ", "numbered characters": "&#", "underscores": "_", "run names": ".run1",
}  # fmt: skip

READINGS: dict[str, Callable[[str], object]] = {
    "SGM": lambda run: outcome("a.sgm", sgm(f"a{run}b")),
    "tag of SGM": lambda run: outcome("a.sgm", f"<seg a{run}b<seg {run}>"),
    "XML": lambda run: outcome("a.xml", f"<doc id='d'><hyp system='a'><seg id='1'>a{run}b</seg></hyp></doc>"),
    "JSON": lambda run: outcome("a.json", f'[{{"mt": "a{run}b", "ref": "{run}"}}]'),
    "TSV": lambda run: outcome("a.tsv", f"ref\ta\nx\ta{run}b\n"),
    "CSV": lambda run: outcome("a.csv", f'ref,a\nx,"a{run}b"\n'),
    "averages of MQM": lambda run: outcome("ratings/a.tsv", f"system\tmqm_avg_score\tseg_id\na{run}b\n"),
    "assessments": lambda run: outcome("ratings/a.tsv", f"SYS SID RAW.SCR Z.SCR N\na a{run}b 1 2 3\n"),
    "cells of scores": lambda run: outcome("ratings/a.tsv", f"system\tsegment\tscore\na\t1\t1{run}x\n"),
    "names of scores": lambda run: outcome("ratings/a.tsv", f"segment\ta{run}b\tb\n1\t1\t2\n2\t1\t2\n"),
    "CoNLL-U": lambda run: outcome("parses/a.conllu", f"# text = a{run}b\n1\ta{run}b\ta\tX\t_\t_\t0\troot\t_\t_\n"),
    "entities": decoded,
    "kinds of ratings": lambda run: scale_of(f"a{run}b"),
    "names of files": lambda run: name_and_direction(f"a{run}b.tsv"),
    "names of runs": lambda run: runs_by_name([f"a{run}b"]),
}  # fmt: skip


@crossed("run, reading", RUNS, READINGS, most=30)
def test_a_long_run_of_one_sign_is_read_in_time_that_grows_with_it(reading: str, run: str) -> None:
    assert growth(lambda size: READINGS[reading](RUNS[run] * (size // len(RUNS[run]))), 2_500) < GROWTH


def test_spaces_within_a_segment_of_sgm_stay_and_breaks_become_one_space() -> None:
    (part,) = sgm_parts(File("a.sgm", sgm(" a  b \n\t c \r\n\r\n d\te ").encode()))
    assert part.lines == ("a  b c d\te",)


NAMES: dict[str, Callable[[int], str]] = {
    "a late name twice": lambda n: "{" + ", ".join(f'"k{i}": 1' for i in range(n)) + ', "z": 1, "z": 2}',
    "every name twice": lambda n: "{" + ", ".join(f'"k{i % (n // 2)}": 1' for i in range(n)) + "}",
}


@pytest.mark.parametrize("case", NAMES)
def test_names_twice_in_json_are_told_in_time_that_grows_with_them(case: str) -> None:
    assert "occurs twice" in str(outcome("a.jsonl", NAMES[case](100)))
    assert growth(lambda n: outcome("a.jsonl", NAMES[case](n)), 1_000) < GROWTH


def table(columns: int) -> str:
    return "\t".join(f"c{i}" for i in range(columns)) + "\n" + "\t".join(f"word {i}" for i in range(columns)) + "\n"


def scores(columns: int) -> str:
    rows = ["\t".join(["segment", *(f"c{i}" for i in range(columns))])]
    return "\n".join([*rows, *("\t".join([str(i), *["0.5"] * columns]) for i in (1, 2))]) + "\n"


@pytest.mark.parametrize(("name", "make"), [("a.tsv", table), ("ratings/da.tsv", scores)])
def test_columns_cost_what_they_hold(name: str, make: Callable[[int], str]) -> None:
    with within(Limits(max_columns=100_000, max_systems=100_000)):
        assert isinstance(outcome("ratings/da.tsv", scores(3)), Corpus)
        assert growth(lambda n: outcome(name, make(n)), 200) < GROWTH


# --- what is refused ---------------------------------------------------------------------------------------

REFUSED = {
    "a far segment": (
        "ratings/da.tsv", "system\tsegment\tscore\na\t1\t1\nb\t1000000000\t2\n", {},
        ("ratings/da.tsv, line 3", "segment 1000000000", "1,000,000,000", "at most 10,000", "--max-spread"),
    ),
    "a far segment of a document": (
        "ratings/da.tsv", "system\tdoc\tseg_in_doc\tscore\na\td\t1\t1\nb\td\t99999999\t2\n", {},
        ("line 3", "segment 99999999 of document d", "99,999,999", "--max-spread"),
    ),
    "lines": ("ratings/a.tsv", "\n" * 9, {"max_segments": 8}, ("a.tsv", "9 lines", "at most 8", "--max-segments")),
    "bytes": ("a.tsv", table(9), {"max_bytes": 20}, ("a.tsv", "at most 20", "--max-bytes")),
    "columns": ("a.tsv", table(9), {"max_columns": 8}, ("a.tsv, line 1", "9 columns", "at most 8", "--max-columns")),
    "columns of scores": (
        "ratings/da.tsv", scores(9), {"max_columns": 9}, ("da.tsv, line 1", "10 columns", "--max-columns")
    ),
    "names in JSON": (
        "a.jsonl", '{"ref": "x", "a": "y"}\n{"ref": "x", "b": "y"}\n', {"max_columns": 2},
        ("a.jsonl, line 2", "3 names of fields", "at most 2", "--max-columns"),
    ),
    "cells of JSON": (
        "a.jsonl", '{"ref": "x", "a": "y"}\n' * 5, {"max_cells": 9}, ("a.jsonl", "10 cells", "at most 9", "--max-cells")
    ),
    "cells": ("a.tsv", table(3) * 2, {"max_cells": 11}, ("a.tsv, line 4", "12 cells", "at most 11", "--max-cells")),
    "cells of CSV": (
        "a.csv", 'ref,a\n"x, y, z",b\nc,d\n', {"max_cells": 5}, ("a.csv, line 3", "6 cells", "at most 5", "--max-cells")
    ),
    "cells of scores": (
        "ratings/da.tsv", scores(3), {"max_cells": 11}, ("da.tsv, line 3", "12 cells", "at most 11", "--max-cells")
    ),
    "blank lines of a table": (
        "a.tsv", "ref\ta\nx\ty" + "\n" * 9, {"max_cells": 11}, ("a.tsv, line 10", "12 cells", "--max-cells")
    ),
    "systems": ("a.tsv", "ref\ta\tb\nx\ty\tz\n", {"max_systems": 1}, ("column 'a'", "2 systems", "--max-systems")),
    "systems of scores": ("ratings/da.tsv", scores(9), {"max_systems": 8}, ("da.tsv", "9 systems", "--max-systems")),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_costs_too_much_is_refused_in_one_sentence(case: str) -> None:
    name, content, limits, said = REFUSED[case]
    with within(Limits(**limits)):
        found = outcome(name, content)
    assert isinstance(found, str)
    assert "\n" not in found
    for words in (*said, "MTSIG_LIMITS="):
        assert words in found


@pytest.mark.parametrize("case", [case for case in REFUSED if "far" not in case])
def test_nothing_of_it_is_refused_at_the_limit_itself(case: str) -> None:
    name, content, limits, _ = REFUSED[case]
    raised = {limit: most + (len(content) if limit == "max_bytes" else 1) for limit, most in limits.items()}
    with within(Limits(**raised)):
        assert "MTSIG_LIMITS" not in str(outcome(name, content))


def test_cells_of_a_workbook_are_those_of_all_its_sheets_filled_or_not(kept: Kept) -> None:
    book = openpyxl.Workbook()
    book.active.append(["ref", "a"])
    book.active.append(["x", "y"])
    book.create_sheet("far").cell(2, 5, "z")
    saved = io.BytesIO()
    book.save(saved)
    file = File("a.xlsx", saved.getvalue())
    with within(Limits(max_cells=9)):
        (part,) = workbook_parts(file)
    assert not lacking(part.problem, "a.xlsx, row 2", repr("far"), "10 cells", "9", "--max-cells", "max_cells=N")
    kept("readers", part.problem or "")
    with within(Limits(max_cells=10)):
        assert [part.problem for part in workbook_parts(file)] == [None, None]


def test_a_far_segment_is_read_where_that_was_asked_for() -> None:
    content = "system\tsegment\tscore\na\t1\t1\na\t30000\t2\nb\t1\t2\n"
    assert "--max-spread" in str(outcome("ratings/da.tsv", content))
    with within(Limits(max_spread=20_000)):
        found = outcome("ratings/da.tsv", content)
    assert isinstance(found, Corpus)
    assert len(found) == 30_000


NUMBERS = {
    "5,000 digits": (
        "ratings/da.tsv", f"system\tsegment\tscore\na\t{'9' * 5000}\t1\n",
        "line 2: the segment is a number of 5,000 digits",
    ),
    "30 digits": (
        "ratings/da.tsv", f"system\tsegment\tscore\na\t{'9' * 30}\t1\n", "line 2: the segment is a number of 30 digits"
    ),
    "a long SID": (
        "ratings/da.tsv", f"SYS SID RAW.SCR Z.SCR N\na d_{'9' * 5000} 1 2 3\n",
        "line 2: SID is 'd_9999",
    ),
    "a huge score": (
        "ratings/da.tsv", "system\tsegment\tscore\na\t1\t1\nb\t1\t-1e308\n",
        "line 3: the column 'score' is '-1e308'; expected a number from -1e+12 to 1e+12",
    ),
    "a huge score in JSON": (
        "ratings/a.jsonl", '{"document_id": "d", "metric_scores": {"comet": [1e308]}}\n',
        "line 1: a score of comet is '1e+308'; expected a number from -1e+12 to 1e+12",
    ),
    "a long score in JSON": (
        "ratings/a.jsonl", f'{{"document_id": "d", "metric_scores": {{"comet": [{"9" * 400}]}}}}\n',
        "line 1: not valid JSON (a number of 400 digits)",
    ),
    "a long score of COMET": (
        "ratings/a.json", f'{{"a.txt": [{{"mt": "x", "comet": 1}}, {{"mt": "x", "comet": {"9" * 400}}}]}}',
        "line 1: not valid JSON (a number of 400 digits)",
    ),
    "a long head": ("parses/a.conllu", f"1\ta\ta\tX\t_\t_\t{'9' * 5000}\troot\t_\t_\n", "line 1: not valid CoNLL-U"),
    "a far head": ("parses/a.conllu", f"1\ta\ta\tX\t_\t_\t{'9' * 30}\troot\t_\t_\n", "line 1: the head of word 1"),
    "a long word number": (
        "parses/a.conllu", f"{'9' * 5000}\ta\ta\tX\t_\t_\t0\troot\t_\t_\n", "line 1: not valid CoNLL-U"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers_beyond_measure_are_told(case: str) -> None:
    name, content, said = NUMBERS[case]
    found = outcome(name, content)
    assert said in str(found)
    assert len(str(found)) < 2_000


@pytest.mark.parametrize("value", ["9" * 30, "9" * 400, "0x" + "f" * 5000, "9" * 5000, "-" + "9" * 400])
@pytest.mark.parametrize("key", ["seed", "draws", "level", "joined", "pairs", "metrics", "margin"])
def test_endless_numbers_in_a_plan_are_told(key: str, value: str) -> None:
    text = f"metrics = ['bleu']\n{key} = {value}\n"
    text = f"metrics = {value}\n" if key == "metrics" else text
    text = f"metrics = ['bleu']\n[equivalence]\nbleu = {value}\n" if key == "margin" else text
    if (key, len(value)) == ("margin", 30):
        assert plan_of(text).request.margins[0].points == float(value)
        return
    with pytest.raises(MtsigError, match=r"^plan\.toml") as raised:
        plan_of(text, "plan.toml")
    assert len(str(raised.value)) < 6_000


# --- what is no file ---------------------------------------------------------------------------------------


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "a.txt")
    return folder / "a.txt"


def door(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as opened:
        # Names of sockets are short: the folder of a test need not be.
        here = Path.cwd()
        os.chdir(folder)
        opened.bind("a.txt")
        os.chdir(here)
    return folder / "a.txt"


def zeros(_: Path) -> Path:
    return Path("/dev/zero")


def circle(folder: Path) -> Path:
    (folder / "b.txt").symlink_to("a.txt")
    (folder / "a.txt").symlink_to("b.txt")
    return folder / "a.txt"


def nowhere(folder: Path) -> Path:
    (folder / "a.txt").symlink_to("gone.txt")
    return folder / "a.txt"


def long(folder: Path) -> Path:
    return folder / ("a" * 5000)


NO_FILES = {
    "is a pipe": pipe, "is a socket": door, "is a device": zeros, "symbolic links": circle, "no such file": nowhere,
    "too long": long,
}  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes among its files")
@pytest.mark.parametrize("said", NO_FILES)
def test_what_is_no_file_is_refused_at_once(said: str, tmp_path: Path) -> None:
    path = NO_FILES[said](tmp_path)
    with pytest.raises(ReadError, match=said):
        read_files([path], {"a": path})
    for reader in (read_plan, read_study):
        with pytest.raises(ReadError, match=r"(?i)" + said):
            reader(path)
    with pytest.raises(ReadError) as refused:
        read(path)
    if said in {"is a pipe", "is a socket", "is a device"}:
        assert str(refused.value).startswith(f"{path} {said}")


@pytest.mark.parametrize(("kind", "said"), [(pipe, "is a pipe"), (nowhere, "there is no such file")])
@pytest.mark.parametrize("place", ["systems", "refs"])
def test_what_is_no_file_is_no_text_of_a_test_set_either(
    place: str, kind: Callable[[Path], Path], said: str, tmp_path: Path
) -> None:
    for name in ("refs/ref.txt", "systems/b.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    kind(tmp_path / place)
    with pytest.raises(ReadError, match=rf"{place}/a\.txt:? {said}"):
        read(tmp_path)


def test_a_folder_with_a_pipe_in_it_is_read(tmp_path: Path) -> None:
    for name in ("ref.txt", "b.txt"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    pipe(tmp_path)
    circle_in = tmp_path / "inner"
    circle_in.symlink_to("inner")
    found = read(tmp_path)
    assert list(found.systems) == ["b"]
    assert "a.txt, inner." in "".join(note.text for note in found.notes)


def test_a_file_that_grows_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x\n", encoding="utf-8")
    before = path.stat()
    path.write_text("x\ny\n", encoding="utf-8")
    monkeypatch.setattr(Path, "stat", lambda *_, **__: before)
    with pytest.raises(ReadError, match=r"a\.txt grew while it was read"):
        _ = File("a.txt", path).data


# --- where limits come from ----------------------------------------------------------------------------------


def test_limits_come_from_the_environment_and_hold_until_the_context_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_LIMITS", "max_columns=2,max_tokens=7")
    assert "at most 2" in str(outcome("a.tsv", table(3)))
    with within(Limits(max_columns=3)):
        assert isinstance(outcome("a.tsv", "ref\ta\tb\nx\ty\tz\n"), Corpus)
    with pytest.raises(ReadError, match="at most 7 are allowed"):
        refuse_above("max_tokens", 8, "here")
    monkeypatch.setenv("MTSIG_LIMITS", Limits(max_tokens=9).text)
    refuse_above("max_tokens", 9, "here")
    monkeypatch.setenv("MTSIG_LIMITS", "max_bites=1")
    assert "max_bites" in str(outcome("a.tsv", table(3)))


def test_averages_of_mqm_may_have_spaces_in_names() -> None:
    content = b"system\tmqm_avg_score\tseg_id\nour system\t-1.5 1\nours\t None 1 \n"
    (found,) = RATING_READERS["mqm-average"].read(Sheet(File("a.tsv", content)))
    assert found.systems == ("our system", "ours")
    assert found.values.tolist()[0] == [-1.5]
    (again,) = RatingFile(File("a.tsv", content)).scored()
    assert again.name == "mqm"


# --- what finding out costs ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_form_is_found_out_from_the_first_64_kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = made(1800)
    scores = {name: [number * 0.618034 % 1 for number in range(7_200)] for name in ("alpha", "beta")}
    entry = {"user_id": "u", "item_i": 1, "item": [{"item_id": "a", "tgt": {"alpha": "b"}}],
             "annotation": [{"alpha": {"score": 1}}]}  # fmt: skip
    shapes = {
        "pearmut.json": json.dumps({"a---b": [entry] * 3000}), "pearmut.jsonl": f"{json.dumps(entry)}\n" * 3000,
        "comet.json": json.dumps({"alpha": [{"src": "a", "mt": "b", "COMET": 0.5}] * 9000}),
        "compare.json": json.dumps({"model": "m", "statistical_results": [{"bootstrap_resampling": {}}],
                                    "translations": [{"name": "a", "mt": ["b"] * 9000, "scores": scores["beta"]}]}),
        "alpha.json": json.dumps({"scores": scores["alpha"]}), "alpha.txt": "0.123456\n" * 30_000,
        "utf16.tsv": written([list(texts), *zip(*texts.values(), strict=True)], "\t").encode("utf-16"),
        "broken.tsv": b"ref\ta\n" + b"\xff\tb\n" * 60_000,
        "eval.json": '{"evalId": "e", "results": {"results": [' + '{"testIdx": 1},' * 20_000 + "]}}",
    }  # fmt: skip
    for name, content in shapes.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    paths = [tmp_path / name for name in shapes]
    for name, layout in {**LAYOUTS, **SCORES}.items():
        if "xlsx" in name and name not in ("xlsx", "wide xlsx"):
            continue  # writing them takes long
        place = tmp_path / name
        place.mkdir()
        path = layout(texts if name in LAYOUTS else scores, place)
        paths += [path] if path.is_file() else path.rglob("*.*")
    counted = 0
    opened = Path.open

    def counting(path: Path, *args: Any, **more: Any) -> Any:
        stream = opened(path, *args, **more)
        return Counting(stream) if "b" in (*args, "")[0] else stream

    class Counting(io.RawIOBase):
        def __init__(self, stream: Any) -> None:
            self.stream = stream
            self.seek, self.tell, self.close = stream.seek, stream.tell, stream.close  # type: ignore[method-assign]

        def read(self, count: int = -1) -> bytes:
            nonlocal counted
            data: bytes = self.stream.read(count)
            counted += len(data)
            return data

        def readable(self) -> bool:
            return True

        seekable = readable

    monkeypatch.setattr(Path, "open", counting)
    large = [path for path in paths if path.stat().st_size > 1.4 * HEAD]
    assert {path.suffix for path in large} >= {".tsv", ".csv", ".json", ".jsonl", ".xlsx", ".parquet", ".txt"}
    for path in large:
        for alone in (False, True):
            item = placed([File(path.name, path)])
            counted = 0
            for reader in in_order():
                if reader.marks is None or reader.marks.are_on(item[0]):
                    reader.claims(item, alone)
            assert counted <= HEAD, (path, alone, counted)
