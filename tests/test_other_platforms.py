"""Windows and macOS, as far as they can be played on another system: modules, signals, paths and programs that lack."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from made import flat

from mtsig import Corpus
from mtsig._memory import users_folder
from mtsig.cli import main
from mtsig.readers import File
from mtsig.readers._read import named_parts, read_files

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "sample_data" / "es-en"

OF_ONE_SYSTEM = {
    "fcntl", "grp", "msvcrt", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty", "winreg",
}  # fmt: skip
"""Modules of the standard library that some systems do not have."""

LACKING = {
    "os": ("chown", "fork", "forkpty", "geteuid", "getuid", "killpg", "mkfifo", "nice", "openpty", "setsid", "uname"),
    "signal": ("SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGXCPU", "alarm", "pthread_sigmask", "setitimer"),
}
"""What Windows does not have of modules that are everywhere."""


def _found(pattern: str) -> set[str]:
    """Return what a pattern finds in the program, as `file: text`."""
    files = [file for package in ("mtsig", "dashboard") for file in (ROOT / package).rglob("*.py")]
    return {
        f"{file.relative_to(ROOT).as_posix()}: {match[0]}"
        for file in files
        for match in re.finditer(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)
    }


def test_no_module_of_one_system_is_loaded_with_the_program() -> None:
    assert _found(rf"^(?:import|from) (?:{'|'.join(OF_ONE_SYSTEM)})\b") == set()
    assert _found(r"^import (?:os|signal)$")  # what is found where it is


def test_what_windows_lacks_is_used_where_its_absence_is_met() -> None:
    used = {found for module, names in LACKING.items() for found in _found(rf"\b{module}\.(?:{'|'.join(names)})\b")}
    # Each of them stands behind hasattr, or where AttributeError is caught; below is what happens then.
    assert used == {"dashboard/mtsig_dashboard/serving/_worker.py: os.nice"}


def test_the_verbs_run_without_what_windows_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "compare",
        "--data",
        str(SAMPLE),
        "--systems",
        "direct-us",
        "direct",
        "--metric",
        "chrf",
        "--resamples",
        "50",
        "--format",
        "json",
    ]
    code = f"""
import os, signal, subprocess, sys
import numpy, rich.console, sacrebleu, scipy.stats  # what they ask of this system is theirs
for module in {sorted(OF_ONE_SYSTEM - {"posix", "fcntl"})!r}:
    sys.modules[module] = None
for module, names in ((os, {LACKING["os"]!r}), (signal, {LACKING["signal"]!r})):
    for name in names:
        vars(module).pop(name, None)
from mtsig.cli import main
sys.modules["fcntl"] = None  # what loads with Python itself on this system has it already
raise SystemExit(main({arguments!r}))
"""
    without = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert without.returncode == 0, without.stderr
    assert main(arguments) == 0
    assert flat(json.loads(without.stdout))["comparisons"] == flat(json.loads(capsys.readouterr().out))["comparisons"]


def test_folders_are_known_by_the_sign_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "runs\\ours.v2.txt").write_text("one\n", encoding="utf-8")  # here a name, on Windows a path
    monkeypatch.chdir(tmp_path)
    assert File("runs\\ours.v2.txt", b"one\n").path.name == "runs\\ours.v2.txt"
    monkeypatch.setattr("mtsig.readers._files.os.sep", "\\")
    assert File("C:\\data\\systems\\ours.txt.gz", b"one\n").path.parts[-2:] == ("systems", "ours.txt")
    (part,) = named_parts((), ["runs\\ours.v2.txt"])
    assert part.name == "ours.v2"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/mtsig/cache"),
        ("win32", {}, "/home/me/AppData/Local/mtsig/cache"),
        ("darwin", {}, "/home/me/Library/Caches/mtsig"),
        ("linux", {}, "/home/me/.cache/mtsig"),
    ],
)
def test_every_system_has_its_own_place_for_caches(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MTSIG_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert users_folder() == Path(expected)


def test_the_dashboard_is_a_child_on_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "call", lambda command: started.append(command) or 7)
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(["dashboard", "--data", str(SAMPLE)]) == 7
    (command,) = started
    assert command[:4] == [sys.executable, "-P", "-m", "mtsig_dashboard"]
    assert command[-2:] == ["--data", str(SAMPLE)]


def test_lines_of_windows_are_lines(tmp_path: Path) -> None:
    texts = {"ref": "uno dos\ntres\n", "a": "uno\ntres\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_bytes(text.encode())
        (tmp_path / f"{name}.crlf.txt").write_bytes(text.replace("\n", "\r\n").encode())
    unix = read_files([tmp_path / "ref.txt"], {"a": tmp_path / "a.txt"})
    windows = read_files([tmp_path / "ref.crlf.txt"], {"a": tmp_path / "a.crlf.txt"})
    assert isinstance(unix, Corpus)
    assert unix.lines("a") == windows.lines("a")
    assert np.array_equal(list(unix.references.values()), list(windows.references.values()))
