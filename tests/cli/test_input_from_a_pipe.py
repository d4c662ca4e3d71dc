"""--sys - and --sys NAME=-: one system's output comes from standard input."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from kept import Kept

from mtsig.cli import main

LINES = {"ref": "uno dos tres\nseis\nocho\n", "a": "uno dos\nsiete\nocho\n", "b": "uno\nseis siete\nocho\n"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in LINES.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "set").mkdir()
    for name, text in LINES.items():
        (tmp_path / "set" / f"{name}.txt").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes | io.BytesIO) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data if isinstance(data, io.BytesIO) else io.BytesIO(data)))


@pytest.mark.parametrize("packed", [False, True])
def test_a_piped_system_scores_as_its_file_does(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], packed: bool
) -> None:
    arguments = ["score", "--ref", "ref.txt", "--metric", "chrf", "--format", "json", "--sys"]
    assert main([*arguments, "a.txt", "b.txt"]) == 0
    as_files = json.loads(capsys.readouterr().out)
    data = LINES["a"].encode()
    pipe(monkeypatch, gzip.compress(data) if packed else data)
    assert main([*arguments, "a=-", "b.txt"]) == 0
    piped = json.loads(capsys.readouterr().out)
    assert piped["systems"] == as_files["systems"]
    assert piped["data"]["digest"] == as_files["data"]["digest"]


def test_a_piped_system_without_a_name_is_called_stdin_and_goes_beside_a_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe(monkeypatch, LINES["b"].encode())
    assert main(["score", "--data", "set", "--sys", "-", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["systems"]
    assert [row["system"] for row in rows] == ["a", "b", "stdin"]
    assert rows[1]["score"] == rows[2]["score"]


def test_faults_of_what_is_piped_are_told_as_those_of_files(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for data, said in (
        (b"", "standard input is empty (0 bytes)"),
        (b"uno\nd\xe9\ntres\n", "standard input"),
        (b"1\n2\n3\n4\n", "line 4 of system 'mine'"),
    ):
        pipe(monkeypatch, data)
        assert main(["check", "--ref", "ref.txt", "--sys", "mine=-"]) == 2
        assert said in capsys.readouterr().err
    pipe(monkeypatch, b"uno\n" * 100)
    assert main(["score", "--ref", "ref.txt", "--sys", "-", "--max-bytes", "99"]) == 2
    assert "99" in capsys.readouterr().err


def test_twice_at_a_terminal_or_without_input_it_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    pipe(monkeypatch, LINES["a"].encode())
    assert main(["score", "--ref", "ref.txt", "--sys", "-", "x=-"]) == 2
    kept("score", capsys.readouterr().err)
    pipe(monkeypatch, Terminal(LINES["a"].encode()))
    assert main(["score", "--ref", "ref.txt", "--sys", "x=-"]) == 2
    kept("score", capsys.readouterr().err)
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["score", "--ref", "ref.txt", "--sys", "-"]) == 2
    assert "standard input" in capsys.readouterr().err
    assert main(["dashboard", "--ref", "ref.txt", "--sys", "-"]) == 2
    kept("dashboard", capsys.readouterr().err)


def test_a_file_that_is_called_so_is_read(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "x=-").write_text(LINES["a"], encoding="utf-8")
    (place / "-").write_text(LINES["b"], encoding="utf-8")
    assert main(["score", "--ref", "ref.txt", "--sys", "x=-", "dash=./-", "--format", "json"]) == 0
    assert [row["system"] for row in json.loads(capsys.readouterr().out)["systems"]] == ["x=-", "dash"]
