"""A disk or a memory that fails once, anywhere in read, compare and report: the same bytes, or one sentence."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from made import ROOT

from mtsig._writing import write_file
from mtsig.errors import ReadError


def outcomes(folder: Path, files: int, allocations: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    data = folder / "data"
    (data / "systems").mkdir(parents=True)
    reference = [f"the cat number {at} sat on the mat ." for at in range(30)]
    (data / "ref.txt").write_text("\n".join(reference) + "\n")
    for at, name in enumerate("ab"):
        lines = [line.replace("cat", "dog") if number % (at + 2) else line for number, line in enumerate(reference)]
        (data / "systems" / f"{name}.txt").write_text("\n".join(lines) + "\n")
    command = [
        sys.executable,
        str(Path(__file__).with_name("faults.py")),
        data,
        folder / "work",
        str(files),
        str(allocations),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, *others = map(json.loads, done.stdout.splitlines())
    assert first["codes"] == [0, 0, 0, 0]
    assert {"study.json", "pages/report.md", "pages/tables.xlsx"} <= set(first["files"])
    assert any(name.startswith("cache/") for name in first["files"])
    return first, others


def results(outcome: dict[str, Any]) -> dict[str, str]:
    """Return the files that were asked for: what is kept between runs may be missing."""
    return {name: held for name, held in outcome["files"].items() if not name.startswith("cache/")}


def check(first: dict[str, Any], other: dict[str, Any]) -> None:
    """Check that the outcome is the one without a fault, or told in one sentence, and that no file is half of one."""
    left = other["files"]
    if other["fault"].startswith("unlink"):  # what could not be removed stays, and is called a part
        left = {name: text for name, text in left.items() if not name.endswith(".part")}
    assert left.items() <= first["files"].items(), other["fault"]
    if other["codes"] == [0, 0, 0, 0]:
        assert (other["said"], results(other)) == (first["said"], results(first)), other["fault"]
        return
    assert isinstance(other["codes"], list), (other["fault"], other["codes"])
    assert other["codes"][-1] == 2, other["fault"]
    assert other["told"].splitlines()[-1].startswith("mtsig: "), other["told"]
    assert "Traceback" not in other["told"]


FOREIGN = "in plain", "in study_of", "in of_plain"
"""Functions that hand over to msgspec, which dies of some allocations that fail."""


def check_memory(first: dict[str, Any], other: dict[str, Any]) -> None:
    if isinstance(other["codes"], str) and other["codes"].startswith("died"):
        innermost = next(line for line in other["fault"].splitlines() if line.startswith("  File"))
        assert innermost.endswith(FOREIGN), other["fault"]
        assert other["files"].items() <= first["files"].items()
    elif other["codes"] != "SystemError('error return without exception set')":  # Python's own, of a lookup in a dict
        check(first, other)


@pytest.mark.parametrize(("files", "allocations"), [(6, 4), pytest.param(10**6, 200, marks=pytest.mark.slow)])
def test_a_disk_or_a_memory_that_fails_once(files: int, allocations: int, tmp_path: Path) -> None:
    if importlib.util.find_spec("_testcapi") is None:
        allocations = 0  # this Python came without what lets memory fail
    first, others = outcomes(tmp_path, files, allocations)
    files = len(others) - allocations
    for other in others[:files]:
        check(first, other)
    for other in others[files:]:
        check_memory(first, other)
    for some in filter(None, (others[:files], others[files:])):
        assert any(other["codes"][-1] == 2 for other in some)
    if files > 100:
        kinds = {other["fault"].split()[0] for other in others[:files]}
        assert kinds >= {"open", "read", "write", "replace", "fsync", "mkdir", "stat", "scandir"}


# --- files are whole, or not there -----------------------------------------------------------------------------------


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_what_was_there_stays_when_the_new_cannot_be_written(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "study.json"
    write_file(file, b"old")
    file.chmod(0o640)
    with monkeypatch.context() as patched:
        patched.setattr(os, failing, fail)
        with pytest.raises(ReadError, match=r"study.json: cannot be written \(No space left on device\)"):
            write_file(file, b"new")
    assert [one.name for one in tmp_path.iterdir()] == ["study.json"]
    assert file.read_bytes() == b"old"
    write_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_links_stay_links_and_devices_take_what_is_written(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to("real.json")
    write_file(link, b"data")
    assert link.is_symlink()
    assert (tmp_path / "real.json").read_bytes() == b"data"
    write_file(Path("/dev/null"), b"data")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(ReadError, match="No space left on device"):
        write_file(Path("/dev/full"), b"data")
