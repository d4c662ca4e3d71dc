"""`mtsig neural`: a ratings table on stdout, everything else on stderr, and no child left behind."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from stand_in import StandIn, expected

from mtsig.cli import main

SOURCE = ["uno dos tres", "cuatro", "cinco seis"]
REFERENCE = ["one two three", "four", "five six"]
SYSTEMS = {"A": ["one two three", "4", "five six"], "b b": ["one two", "four", "five"]}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path / "comet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "my set"
    (place / "systems").mkdir(parents=True)
    (place / "refs").mkdir()
    columns = {"source": SOURCE, "refs/ref": REFERENCE, **{f"systems/{name}": lines for name, lines in SYSTEMS.items()}}
    for name, lines in columns.items():
        (place / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return place


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MTSIG_COMET_SCORE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))

    def called(*arguments: object) -> tuple[int, str, str]:
        code = main(["neural", *map(str, arguments)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


ROWS = [
    [system, str(at), repr(score)]
    for system, lines in SYSTEMS.items()
    for at, score in enumerate(expected(lines, REFERENCE), 1)
]


def test_the_table_has_a_row_per_system_and_segment(run: Run, stand_in: StandIn, folder: Path) -> None:
    code, out, err = run("--data", folder, "--command", stand_in.path)
    assert code == 0
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows == [["system", "segment", "wmt22-comet-da"], *ROWS]
    assert "model:Unbabel/wmt22-comet-da|reference:ref|comet:2.2.7|mtsig:" in err
    assert "download" not in err


def test_the_table_comes_as_csv_and_json(run: Run, stand_in: StandIn, folder: Path) -> None:
    _, out, _ = run("--data", folder, "--command", stand_in.path, "--format", "csv")
    assert list(csv.reader(io.StringIO(out)))[1:] == ROWS
    _, out, _ = run("--data", folder, "--command", stand_in.path, "--format", "json")
    found = json.loads(out)
    assert [[row["system"], str(row["segment"]), repr(row["score"])] for row in found["ratings"]] == ROWS
    assert (found["rating"], found["higher_is_better"]) == ("wmt22-comet-da", True)
    assert found["judge"].startswith("model:Unbabel/wmt22-comet-da|")
    assert found["data"]["systems"] == ["A", "b b"]


def test_options_become_the_programs(run: Run, stand_in: StandIn, folder: Path) -> None:
    options = ("--model", "Unbabel/XCOMET-XL", "--batch_size", 4, "--gpus", 0, "--download", "--reference_free")
    code, out, err = run("--data", folder, "--command", stand_in.path, *options)
    assert code == 0
    assert out.startswith("system\tsegment\tXCOMET-XL\n")
    arguments = stand_in.calls[0]["argv"]
    assert "-r" not in arguments
    assert arguments[arguments.index("--model") :][:6] == [
        "--model",
        "Unbabel/XCOMET-XL",
        "--batch_size",
        "4",
        "--gpus",
        "0",
    ]
    assert stand_in.calls[0]["HF_HUB_OFFLINE"] is None
    assert "comet-score downloads it now" in err


def test_a_second_run_computes_nothing_unless_asked(run: Run, stand_in: StandIn, folder: Path, tmp_path: Path) -> None:
    arguments = ("--data", folder, "--command", stand_in.path)
    first, second = run(*arguments), run(*arguments)
    assert first == second
    assert len(stand_in.calls) == 1
    assert (tmp_path / "cache" / "neural").is_dir()
    assert run(*arguments, "--fresh") == first
    assert len(stand_in.calls) == 2


def test_what_is_wrong_is_told_in_one_line(run: Run, stand_in: StandIn, folder: Path) -> None:
    code, out, err = run("--data", folder)
    assert (code, out) == (2, "")
    assert err.startswith("mtsig: There is no program 'comet-score', on the PATH, that could be run. ")
    assert err.count("\n") == 1
    stand_in.tell(exit=3, noise=10)
    code, out, err = run("--data", folder, "--command", stand_in.path)
    assert (code, out) == (2, "")
    assert "failed with exit code 3" in err
    (folder / "source.txt").unlink()
    code, out, err = run("--data", folder, "--command", stand_in.path)
    assert (code, out) == (2, "")
    assert "compares with the source, and none was given" in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_command_that_is_ended_takes_its_child_along(
    stand_in: StandIn, folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    stand_in.tell(slow=60)
    command = [sys.executable, "-m", "mtsig", "neural", "--data", str(folder), "--command", str(stand_in.path)]
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "MTSIG_CACHE": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "temporary")}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 30
        while not stand_in.calls and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.decode().endswith("mtsig: stopped\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(stand_in.calls[0]["pid"]), 0)
    assert list((tmp_path / "temporary").iterdir()) == []
