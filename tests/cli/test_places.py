"""Paths that a verb reads or writes: what is expected there is said, and before anything is computed."""

import json
from pathlib import Path

import pytest
from made import ROOT

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
    ("formats", "name"), [(["html", "latex"], "page.html"), (["html"], "page.tex"), ([], "page.pdf"), ([], "page.json")]
)
def test_a_file_named_for_several_documents_or_another_kind_is_refused(
    formats: list[str], name: str, study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", study, *(["--to", *formats] if formats else []), "--out", str(tmp_path / name)]) == 2
    assert "--out names a folder here" in capsys.readouterr().err
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
        assert err.startswith(f"mtsig: {place}: cannot be written (")
        assert ("/dev/null" if "null" in place else "in the folder /proc") in err
        assert err.endswith("Choose another folder.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_device_in_place_of_a_folder_is_refused(study: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", study, "--to", "latex", "--out", "/dev/full"]) == 2
    assert "--out names a folder here" in capsys.readouterr().err


def test_looking_for_room_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", "nowhere", "-o", str(tmp_path / "new/s.json")]) == 2
    assert "nowhere: there is no such file or folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
