"""The gate in somebody's pipeline: as a fixture of pytest, and as an action of GitHub."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from made import ROOT

pytest_plugins = ["pytester"]

FILES = {
    "ref": ["the cat sat on the mat", "a dog ran over the hill", "birds sing in the morning", "we went home at night"],
    "live": ["the cat sat on the mat", "a dog ran over the hill", "birds sing in morning", "we went home at night"],
    "same": ["the cat sat on the mat", "a dog ran over the hill", "birds sing in morning", "we went home at night"],
    "broken": ["cat", "dog hill", "sing", "home"],
    "near": ["the cat sat on the mat", "a dog ran over a hill", "birds sing in the morning", "we went home at night"],
}

TESTS = """
def test_same(mtsig_gate):
    assert mtsig_gate("set", "live", "same", ["chrf"], margin=1.0).outcome == "pass"

def test_broken(mtsig_gate):
    mtsig_gate("set", "live", "broken", ["chrf"], margin=1.0)

def test_near(mtsig_gate):
    mtsig_gate("set", "live", "near", ["chrf"], margin=1.0, inconclusive="skip")

def test_near_again(mtsig_gate):
    mtsig_gate("set", "live", "near", ["chrf"], margin=1.0)

def test_near_passes(mtsig_gate):
    mtsig_gate("set", "live", "near", ["chrf"], margin=1.0, inconclusive="pass")
"""


def made_set(folder: Path) -> Path:
    (folder / "systems").mkdir(parents=True)
    for name, lines in FILES.items():
        place = folder / "ref.txt" if name == "ref" else folder / "systems" / f"{name}.txt"
        place.write_text("\n".join(lines * 10) + "\n", encoding="utf-8")
    return folder


def test_a_regression_fails_and_what_cannot_be_told_is_asked_for(pytester: pytest.Pytester) -> None:
    made_set(Path(pytester.path) / "set")
    pytester.makepyfile(TESTS)
    found = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-rs")  # the installed plugin, by its entry point
    found.assert_outcomes(passed=2, failed=2, skipped=1)
    found.stdout.fnmatch_lines(["*regression*"])


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_action_says_what_came_out(tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (step,) = [step for step in steps if step.get("id") == "gate"]
    given = {"SET": made_set(tmp_path / "a set; of texts"), "BASELINE": "live", "METRIC": "chrf bleu", "LEDGER": ""}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for candidate, margin, code, outcome in (("same", "1", 0, "pass"), ("broken", "", 1, "regression")):
        said = tmp_path / candidate
        own = {**given, "CANDIDATE": candidate, "MARGIN": margin, "GITHUB_OUTPUT": said, "PATH": path}
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, **{name: str(value) for name, value in own.items()}},
        )  # fmt: skip
        assert (done.returncode, said.read_text()) == (code, f"outcome={outcome}\n"), done.stderr
