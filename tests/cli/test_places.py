"""Paths that a verb reads or writes: what is expected there is said, and before anything is computed."""

import json
import shutil
from pathlib import Path

import pytest
from kept import lacking, worded
from made import ROOT
from sampled import crossed, slow

from mtsig import read_sample
from mtsig._writing import csv_text
from mtsig.cli import _verbs, main

DATA = str(ROOT / "sample_data/es-en")
FEW = ["--metric", "bleu", "--resamples", "100", "--quiet"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("study") / "s.json"
    assert main(["compare", "--data", DATA, *FEW, "-o", str(file)]) == 0
    return str(file)


@pytest.mark.parametrize("place", [DATA, "nowhere.json"])
@pytest.mark.parametrize(
    ("before", "made"),
    [
        (["report"], "`mtsig compare --data FOLDER -o study.json`"),
        (["report", "STUDY", "--since"], "`mtsig compare --data FOLDER -o study.json`"),
        (["plan"], "`mtsig plan --metric bleu > plan.toml`"),
        (["compare", "--data", DATA, "--plan"], "`mtsig plan --metric bleu > plan.toml`"),
        (["compare", "--counts"], "`mtsig count --data FOLDER -o counts.parquet`"),
    ],
)
def test_a_folder_or_nothing_in_place_of_a_file_is_answered_with_how_to_make_one(
    before: list[str], made: str, place: str, study: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([study if word == "STUDY" else word for word in before] + [place]) == 2
    err = capsys.readouterr().err
    assert made in err
    assert ("is a folder, but a file is needed here" if place == DATA else "there is no such file") in err


def test_a_single_document_is_written_to_the_file_that_is_named(study: str, tmp_path: Path) -> None:
    file = tmp_path / "new" / "page.html"
    assert main(["report", study, "--to", "html", "--out", str(file)]) == 0
    assert file.read_text().startswith("<!DOCTYPE html>")
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("formats", "name"),
    [(["html", "latex"], "page.html"), ([], "page.pdf"), *slow((["html"], "page.tex"), ([], "page.json"))],
)
def test_a_file_named_for_several_documents_or_another_kind_is_refused(
    formats: list[str], name: str, study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", study, *(["--to", *formats] if formats else []), "--out", str(tmp_path / name)]) == 2
    worded(capsys.readouterr().err, "--out names")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [["score"], ["compare"], ["check"], ["read"]], ids=str)
def test_a_path_alone_is_the_data(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    own = FEW if arguments[0] in ("score", "compare") else []
    assert main([*arguments, DATA, *own, "--format", "json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main([*arguments, "--data", DATA, *own, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == alone


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs Linux's /proc, in which nobody can make a file")
@pytest.mark.parametrize("place", ["/proc/s.json", "/proc/new/folder", "/dev/null/s.json"])
def test_what_cannot_be_written_is_found_out_before_anything_is_computed(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_verbs, "_of", lambda _, does: None if does == "add" else pytest.fail("the verb was run"))
    for verb in ("compare", "count"):
        assert main([verb, "--data", DATA, "-o", place]) == 2
        err = capsys.readouterr().err
        assert f"{place}: cannot be" in err
        assert ("/dev/null" if "null" in place else "in the folder /proc") in err
        assert err.endswith("Choose another folder.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_device_in_place_of_a_folder_is_refused(study: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", study, "--to", "latex", "--out", "/dev/full"]) == 2
    worded(capsys.readouterr().err, "--out names")


def test_looking_for_room_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", "nowhere", "-o", str(tmp_path / "new/s.json")]) == 2
    worded(capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


PAIR = ["--pair", "direct", "via-esperanto"]

WITH_TABLE = {
    "score": FEW, "compare": FEW, "audit": [*PAIR, *FEW], "segments": [*PAIR, "--metric", "bleu"],
    "read": [], "check": [],
    "gate": ["--baseline", "direct", "--candidate", "via-esperanto", *FEW], "sample": ["--size", "20"],
    "size-curve": ["--metric", "bleu", "--repeats", "3", "--subset-resamples", "10"],
}  # fmt: skip


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A test set in one table, with other names for it, in the folder that is here."""
    monkeypatch.chdir(tmp_path)
    corpus = read_sample()
    rows = zip(corpus.references["ref"], corpus.lines("direct"), corpus.lines("via-esperanto"), strict=True)
    text = csv_text(("reference", "direct", "via-esperanto"), list(rows)[:60])
    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8")
    (tmp_path / "link.csv").symlink_to("t.csv")
    (tmp_path / "hard.csv").hardlink_to(file)
    return file


@crossed("verb, name", WITH_TABLE, ["t.csv", "./t.csv", "link.csv", "hard.csv"])
def test_no_result_replaces_what_was_read(
    verb: str, name: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = table.read_bytes()
    more = ["--ledger", "looks.jsonl"] if verb == "gate" else ["--pearmut", "new.json"] if verb == "sample" else []
    assert main([verb, "--data", "t.csv", *WITH_TABLE[verb], *more, "-o", name]) == 2
    assert not lacking(capsys.readouterr().err, Path(name), "an input")
    assert table.read_bytes() == before
    assert {file.name for file in table.parent.iterdir()} <= {"t.csv", "link.csv", "hard.csv", "looks.jsonl"}
    looks = Path("looks.jsonl")
    assert not looks.exists() or looks.read_bytes() == b""


def test_of_several_files_none_is_written_where_one_was_read(table: Path) -> None:
    table.rename("score.csv")
    assert main(["score", "--data", "score.csv", *FEW, "-o", "."]) == 2
    assert {file.name for file in Path().iterdir()} == {"score.csv", "link.csv", "hard.csv"}


def test_what_was_only_looked_at_may_be_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    shutil.copytree(DATA, data)
    asked = ["compare", "--data", str(data), *FEW, "-o"]
    for _ in range(2):  # the second time it lies among the data, which leave it alone
        assert main([*asked, str(data / "s.json")]) == 0
    for text in ("source.txt", "systems/direct.txt", "docids.txt", "refs/ref.txt"):
        (tmp_path / "link.json").symlink_to(data / text)
        assert main([*asked, str(tmp_path / "link.json")]) == 2
        (tmp_path / "link.json").unlink()
    # A study that is read stays, although the data leave it alone; written as it is it loses nothing.
    report = ["report", str(data / "s.json"), "--data", str(data), "--to", "json"]
    renamed = tmp_path / "study.json"
    renamed.hardlink_to(data / "s.json")
    assert main([*report, "--out", str(tmp_path)]) == 0
    (data / "s.json").write_text((data / "s.json").read_text(encoding="utf-8") + " ", encoding="utf-8")
    renamed.unlink()
    renamed.hardlink_to(data / "s.json")
    capsys.readouterr()
    assert main([*report, "--out", str(tmp_path)]) == 2
    worded(capsys.readouterr().err)


def test_a_plan_counts_and_the_text_that_is_counted_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--metric", "bleu", "--resamples", "100"]) == 0
    plan, counts, data = tmp_path / "plan.csv", tmp_path / "counts.csv", tmp_path / "data"
    plan.write_text(capsys.readouterr().out, encoding="utf-8")
    shutil.copytree(DATA, data)
    assert main(["count", "--data", DATA, "--metric", "bleu", "-o", str(tmp_path / "counts.parquet")]) == 0
    counts.hardlink_to(tmp_path / "counts.parquet")
    output = data / "systems" / "direct.txt"
    kept = {file: file.read_bytes() for file in (plan, counts, output)}
    for asked in (
        ["compare", "--data", DATA, "--plan", plan, "-o", plan],
        ["compare", "--counts", tmp_path / "counts.parquet", "--resamples", "100", "-o", counts],
        ["count", "--data", data, "--metric", "bleu", "-o", output],
    ):
        capsys.readouterr()
        assert main([*map(str, asked)]) == 2
        worded(capsys.readouterr().err, asked[-1])
    assert {file: file.read_bytes() for file in kept} == kept
