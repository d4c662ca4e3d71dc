"""Rows of the tables that other distributions bring: every program has them; what fails is left out with a reason."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from kept import worded
from made import ROOT
from sampled import slow

import mtsig
from mtsig import _plugins, doctor
from mtsig._plugins import GROUPS, PluginWarning, Rows
from mtsig.doctor import Check, Finding
from mtsig.doctor._view import View

MODULE = '''
from dataclasses import dataclass

import numpy as np

from mtsig.inference import TESTS
from mtsig.metrics import Metric


@dataclass(frozen=True)
class Words(Metric):
    """Words of the output per word of the reference."""

    name = "words"

    def count(self, corpus):
        (reference, *_) = corpus.references.values()
        wanted = [len((line or "").split()) for line in reference]
        return np.array([[[len(line.split()) for line in lines], wanted] for lines in corpus.outputs.values()],
                        float).swapaxes(0, 1)

    def score(self, totals):
        return totals[0] / totals[1]
'''


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[EntryPoint, ...]]:
    points: dict[str, tuple[EntryPoint, ...]] = dict.fromkeys(GROUPS, ())
    monkeypatch.setattr(_plugins, "_offered", lambda: points)
    return points


def test_a_distribution_brings_rows_that_every_program_has(tmp_path: Path) -> None:
    (tmp_path / "their_words.py").write_text(MODULE.replace("OfPValues, ", ""))
    metadata = tmp_path / "their_words-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-words\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[mtsig.metrics]\nwords = their_words:Words\nbleu = their_words:Words\n"
        "[mtsig.tests]\nwords = their_words:Words\n"
    )
    command = [sys.executable, "-m", "mtsig", "score", "--data", str(ROOT / "sample_data" / "es-en")]
    done = subprocess.run(
        [*command, "--metric", "words"], env={"PYTHONPATH": str(tmp_path), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "words" in done.stdout
    worded(done.stderr, "'bleu'", "'words'", "Words")


def test_a_plugin_that_crashes_is_named_and_is_quiet_otherwise(tmp_path: Path) -> None:
    crashing = MODULE.replace("OfPValues, ", "").replace(
        "return totals[0] / totals[1]", "raise IndexError('no third word')"
    )
    (tmp_path / "their_words.py").write_text(crashing)
    metadata = tmp_path / "their_words-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-words\nVersion: 1.0\n")
    points = "[mtsig.metrics]\nwords = their_words:Words\nbleu = their_words:Words\n"
    (metadata / "entry_points.txt").write_text(points)
    command = [sys.executable, "-m", "mtsig", "score", "--data", str(ROOT / "sample_data" / "es-en"), "-q"]
    done = subprocess.run(
        [*command, "--metric", "words"], env={"PYTHONPATH": str(tmp_path), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    worded(done.stderr)


def test_what_fails_is_left_out_with_its_reason(
    offered: dict[str, tuple[EntryPoint, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ends_the_program.py").write_text("raise SystemExit(1)")
    monkeypatch.syspath_prepend(tmp_path)
    offered["mtsig.cautions"] = tuple(
        EntryPoint(name, value, "mtsig.cautions")
        for name, value in (
            ("gone", "no_such_module:x"),
            ("lost", "os:no_such_name"),
            ("ends", "ends_the_program:x"),
            ("good", "os:getcwd"),
        )
    )
    table: Rows[object] = Rows("mtsig.cautions", Callable, {"own": len})
    with pytest.warns(PluginWarning) as told:
        assert list(table) == ["own", "good"]
    assert [str(one.message).split(" is ")[0] for one in told] == [
        f"The caution {name!r} of an installed distribution" for name in ("gone", "lost", "ends")
    ]  # fmt: skip
    worded(str(told[0].message), "'no_such_module'")
    assert ("good" in table, len(table), table.own) == (True, 2, frozenset({"own"}))


def test_a_check_that_fails_takes_nothing_else_with_it(
    offered: dict[str, tuple[EntryPoint, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wants_text(view: View) -> list[Finding]:
        raise AttributeError(f"no text in {view}")

    table: Rows[Check] = Rows("mtsig.checks", Check, dict(doctor.CHECKS))
    table.data["theirs"] = Check("what only they know", wants_text)
    monkeypatch.setattr(doctor, "CHECKS", table)
    table.own = table.own - {"theirs"}
    with pytest.warns(PluginWarning, match=r"^The check 'theirs' is left out: AttributeError: .* uninstall"):
        checkup = doctor.check_data(mtsig.read_sample(), ["theirs", "empty"])
    assert checkup.checked == ("empty",)
    table.own = frozenset(table)
    with pytest.raises(AttributeError):
        doctor.check_data(mtsig.read_sample(), ["theirs"])


ROOMS = ("inference", "report", "cli._verbs", "readers", "study", "testing", "doctor", "metrics")


@pytest.mark.parametrize("rooms", [ROOMS[:3], *slow((ROOMS,))], ids=len)
def test_no_table_is_read_while_mtsig_is_being_imported(rooms: tuple[str, ...]) -> None:
    # Modules of plugins import mtsig: it has to be whole by then, whatever is imported first.
    code = f"""
import importlib, sys
for room in {rooms!r}:
    for loaded in [name for name in sys.modules if name.partition(".")[0] == "mtsig"]:
        del sys.modules[loaded]
    importlib.import_module("mtsig._plugins")._offered = None
    importlib.import_module("mtsig." + room)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
