"""`mtsig read` and `mtsig check`: what is in the files, and what should be looked at."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from forms import FORMS, lines, zipped
from kept import Kept
from made import ROOT

from mtsig.cli import main

Run = Callable[..., tuple[int, str, str]]
SAMPLE = ROOT / "sample_data" / "es-en"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: object) -> tuple[int, str, str]:
        try:
            code = main([str(one) for one in arguments])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


def put(place: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    return place


def test_read_prints_what_every_file_was_taken_for(run: Run, tmp_path: Path, kept: Kept) -> None:
    code, out, err = run("read", put(tmp_path, {**FORMS["sorted folder"](), "notes.doc": b"?"}))
    assert code == 0
    for piece in ("systems/beta.v2.txt", "line file", "beta.v2", "refs/ref.txt", "reference", "docids.txt", "ignored"):
        assert piece in out
    kept("read", out)
    assert "notes.doc" in err


@pytest.mark.parametrize("form", FORMS)
def test_read_knows_every_form_in_an_archive(run: Run, tmp_path: Path, form: str) -> None:
    code, out, _ = run("read", put(tmp_path, zipped(FORMS[form]())) / "set.zip", "--format", "json")
    assert code == 0
    bundle = json.loads(out)
    assert bundle["problem"] is None
    assert (bundle["data"]["segments"], sorted(bundle["data"]["systems"])) == (4, ["alpha", "beta.v2"])
    assert {part["role"] for part in bundle["parts"]} >= {"system", "reference", "source"}


def test_read_shows_what_it_found_even_where_that_is_no_test_set(run: Run, tmp_path: Path, kept: Kept) -> None:
    files = {name: content for name, content in FORMS["sgm"]().items() if name in {"ref.sgm", "src.sgm"}}
    code, out, err = run("read", put(tmp_path, files))
    assert code == 2
    assert "ref.sgm, reference 'ref'" in out
    kept("read", out)
    kept("read", err)
    code, out, _ = run("read", tmp_path, "--format", "json")
    assert (code, json.loads(out)["data"]) == (2, None)
    assert "holds no system output" in json.loads(out)["problem"]


def test_of_several_language_pairs_one_is_named(run: Run, tmp_path: Path, kept: Kept) -> None:
    files = {name: content for name, content in FORMS["wmt-names"]().items() if "es-en" in name}
    put(tmp_path, {**files, **{name.replace("es-en", "de-en"): content for name, content in files.items()}})
    code, _, err = run("read", tmp_path)
    assert code == 2
    kept("read", err)
    for pair in ("es-en", "de-en"):
        code, out, _ = run("read", tmp_path, "--lp", pair)
        assert code == 0
        kept("read", out)
    code, _, err = run("score", "--data", tmp_path, "--lp", "fr-en")
    assert code == 2
    kept("score", err)
    assert run("score", "--data", tmp_path, "--lp", "es-en", "--resamples", 100)[0] == 0


def test_systems_that_are_not_asked_for_need_not_be_in_order(run: Run, tmp_path: Path) -> None:
    files = {"ref.txt": lines(["x", "y"]), "good.txt": lines(["x", "y"]), "short.txt": lines(["x"])}
    assert run("score", "--data", put(tmp_path, files))[0] == 2
    assert run("score", "--data", tmp_path, "--systems", "good", "--resamples", 100)[0] == 0
    code, _, err = run("score", "--data", tmp_path, "--systems", "godo")
    assert code == 2
    assert "short" in err


def test_texts_in_sgm_may_be_named_one_by_one(run: Run, tmp_path: Path, kept: Kept) -> None:
    place = put(tmp_path, FORMS["sgm"]())
    named = ["--ref", place / "ref.sgm", "--sys", place / "alpha.sgm", f"b={place / 'beta.v2.sgm'}"]
    code, out, _ = run("score", *named, "--source", place / "src.sgm", "--resamples", 100, "--format", "json")
    assert code == 0
    bundle = json.loads(out)
    assert bundle["data"]["systems"] == ["alpha", "b"]
    assert bundle["data"]["documents"] == 2
    code, _, err = run("score", "--ref", place / "made.xml", "--sys", place / "alpha.sgm")
    assert code == 2
    kept("score", err)


def test_check_says_that_the_sample_is_in_order(run: Run, kept: Kept) -> None:
    code, out, err = run("check", "--data", SAMPLE)
    assert (code, err) == (0, "")
    kept("check", out)
    assert run("check", "--data", SAMPLE, "--format", "csv") == (0, "", "")


def broken(place: Path, change: Callable[[list[str]], list[str]]) -> Path:
    files = {file.relative_to(SAMPLE).as_posix(): file.read_bytes() for file in SAMPLE.rglob("*.txt")}
    some = files["systems/direct.txt"].decode().split("\n")[:-1]
    return put(place, {**files, "systems/direct.txt": lines(change(some))})


def test_check_prints_findings_as_a_table_json_and_csv(run: Run, tmp_path: Path, kept: Kept) -> None:
    place = broken(tmp_path, lambda some: [*some[:50], *some[51:100], "inserted", *some[100:]])
    code, out, _ = run("check", "--data", place)
    assert code == 0
    kept("check", out)
    (finding,) = json.loads(run("check", "--data", place, "--format", "json")[1])["findings"]
    assert (finding["check"], finding["level"], finding["lines"][0]) == ("shifts", "warning", 51)
    (row,) = csv.DictReader(io.StringIO(run("check", "--data", place, "--format", "csv")[1]))
    assert row["where"] == "system 'direct', lines 51–99"
    assert "by 1 check." in run("check", "--data", place, "--only", "empty")[1]


def test_check_says_where_a_text_of_another_length_slipped(run: Run, tmp_path: Path, kept: Kept) -> None:
    code, out, err = run("check", "--data", broken(tmp_path, lambda some: some[:99] + some[100:]))
    assert code == 2
    kept("check", out)
    assert "has 199 segments" in err
    code, _, err = run("check", "--data", SAMPLE, "--only", "emtpy")
    assert code == 2
    kept("check", err)
