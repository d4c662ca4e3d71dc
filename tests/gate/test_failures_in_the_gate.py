"""Failures forced inside the gate: code 1 is a regression alone, and a look is written whole or not at all."""

import os
import signal
from pathlib import Path

import pytest
from limited import limited
from made_gate import written

from mtsig.gate import read_ledger

pytest.importorskip("resource")

SYSTEMS = {"live": (0.8, 1), "same": (0.8, 2), "worse": (0.05, 3)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("test") / "set", SYSTEMS, n=40)


GATE = """
import os, resource, signal, sys
from mtsig.__main__ import main
from mtsig.gate._ledger import OpenLedger
{begin}
asked = ["--baseline", "live", "--candidate", sys.argv[2], "--metric", "chrf", "--resamples", "100", "--margin", "20"]
sys.argv = ["mtsig", "gate", "--data", sys.argv[1], *asked, "--ledger", sys.argv[3], *sys.argv[4:]]
raise SystemExit(main())
"""

SMALL = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
"""
"""No file may grow beyond so many bytes, as on a disk that is full."""

KILLED = """
write = OpenLedger.write
def killed(*given):
    {when}
OpenLedger.write = killed
"""

FAILING = """
def fail(*_, **__):
    raise {error}
{where} = fail
"""


def looks(ledger: Path) -> int:
    """Return how many looks there are; raises where one is torn."""
    return len(read_ledger(ledger).looks) if ledger.exists() else 0


@pytest.mark.parametrize("most", [0, 100, 700, 5000])
def test_on_a_full_disk_a_look_is_written_whole_or_not_at_all(most: int, folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "looks.jsonl"
    done = limited(GATE.format(begin=SMALL.format(most=most)), folder, "same", ledger)
    assert done.returncode == (0 if looks(ledger) else 2), done.stderr
    assert looks(ledger) == (most >= ledger.stat().st_size > 0 if ledger.exists() else 0)
    again = limited(GATE.format(begin=""), folder, "same", ledger)
    assert (again.returncode, looks(ledger)) == (0, 1), again.stderr


def test_what_no_longer_fits_behind_earlier_looks_leaves_them_alone(folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "looks.jsonl"
    assert limited(GATE.format(begin=""), folder, "same", ledger).returncode == 0
    before = ledger.read_bytes()
    for more in (1, 300):
        done = limited(GATE.format(begin=SMALL.format(most=len(before) + more)), folder, "worse", ledger)
        assert (done.returncode, ledger.read_bytes()) == (2, before), done.stderr
        assert "cannot be written" in done.stderr


@pytest.mark.parametrize(
    ("when", "kept"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", 0),
        ("write(*given); os.kill(os.getpid(), signal.SIGKILL)", 1),
        ("write(*given); os.kill(os.getpid(), signal.SIGTERM)", 1),
        ("raise KeyboardInterrupt", 0),
        ("write(*given); raise KeyboardInterrupt", 1),
    ],
)
def test_one_that_is_killed_beside_its_look_says_the_same_when_asked_again(
    when: str, kept: int, folder: Path, tmp_path: Path
) -> None:
    ledger = tmp_path / "looks.jsonl"
    files = ["--write", tmp_path / "gate.json"]
    done = limited(GATE.format(begin=KILLED.format(when=when)), folder, "same", ledger, *files)
    assert done.returncode in {-signal.SIGKILL, -signal.SIGTERM, 130}
    assert (looks(ledger), done.stdout, (tmp_path / "gate.json").exists()) == (kept, "", False)
    again = limited(GATE.format(begin=""), folder, "same", ledger, *files)
    assert (again.returncode, looks(ledger)) == (0, 1)
    assert ("nothing more is spent" in again.stdout) == bool(kept)


@pytest.mark.parametrize("error", ["ValueError('x')", "MemoryError", "OSError(28, 'full')", "KeyError('{0}')"])
@pytest.mark.parametrize("where", ["OpenLedger.write", "sys.modules['mtsig.gate._ledger'].fsync"])
def test_an_error_is_never_a_regression(error: str, where: str, folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "looks.jsonl"
    begin = FAILING.format(error=error, where=where)
    done = limited(GATE.format(begin=begin), folder, "same", ledger, "--write", tmp_path / "gate.md")
    assert done.returncode in {2, 70}, done.stderr
    assert looks(ledger) in {0, 1}
    again = limited(GATE.format(begin=""), folder, "same", ledger)
    assert (again.returncode, looks(ledger)) == (0, 1)


@pytest.mark.parametrize("length", [1, 3000, 100_000])
def test_what_a_system_is_called_decides_nothing(length: int, folder: Path, tmp_path: Path) -> None:
    """How long a name is changes no code: what is a regression is one by a short name, too."""
    lines = {name: (folder / f"{name}.txt").read_text().splitlines() for name in ("systems/live", "refs/ref")}
    for candidate, code in (("same", 0), ("worse", 1)):
        name = "n" * length
        lines[name] = (folder / "systems" / f"{candidate}.txt").read_text().splitlines()
        table = tmp_path / "t.tsv"
        rows = [f"live\tref\t{name}", *map("\t".join, zip(*lines.values(), strict=True))]
        table.write_text("\n".join(rows) + "\n")
        done = limited(GATE.format(begin=""), table, name, tmp_path / f"{candidate}.jsonl", folder=Path(os.curdir))
        assert done.returncode == code, done.stderr[-300:]
