"""The gate in somebody's pipeline: as a fixture of pytest, and as an action of GitHub."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from made import ROOT

from mtsig import MtsigError, read_sample
from mtsig.cli import main
from mtsig.cli._verbs import parser_of
from mtsig.errors import UnknownName
from mtsig.gate import judge
from mtsig.gate._pytest import _gate

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
    found.stdout.fnmatch_lines(["regression: broken against live"])


def test_what_is_refused_is_the_message_alone(pytester: pytest.Pytester) -> None:
    made_set(Path(pytester.path) / "set")
    calls = ['"set", "live", "nobody"', '"set", "live", "same", metric="chrf"', '"set", "live", "same", inconclusive=1',
             '"nowhere", "live", "same"']  # fmt: skip
    pytester.makepyfile("\n".join(f"def test_{i}(mtsig_gate):\n    mtsig_gate({call})" for i, call in enumerate(calls)))
    found = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    found.assert_outcomes(failed=len(calls))
    shown = [line for line in found.outlines if line.startswith("E ") or re.search(r"\.py:\d+: ", line)]
    assert len(shown) == 2 * len(calls), shown
    assert all(line.startswith("test_what_is_refused") for line in shown if not line.startswith("E ")), shown


def test_over_several_sets_nothing_is_told_of_systems_that_are_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = [str(made_set(tmp_path / name)) for name in ("one", "two")]  # live and same are the same
    assert main(["gate", "--set", *sets, "--baseline", "broken", "--candidate", "near", "--metric", "chrf"]) == 0
    assert "identical" not in "".join(capsys.readouterr())


def test_one_metric_needs_no_list_and_a_wrong_keyword_is_named() -> None:
    assert judge(read_sample(), "direct", "via-catalan", "chrf").outcome == "regression"
    with pytest.raises(UnknownName, match=r"judge\(\) takes no 'metric'. Did you mean metrics"):
        _gate(read_sample(), "direct", "via-catalan", metric="chrf")


STRANGE = {
    "baseline": {"BASELINE": "$(touch made)"},
    "candidate": {"CANDIDATE": "`touch made`\n; touch made"},
    "option": {"CANDIDATE": "--help"},
    "margin": {"MARGIN": "1; touch made"},
    "help": {"METRIC": "chrf --help"},
    "another file": {"METRIC": "chrf\n-o\nmade"},
    "more lines": {"METRIC": "chrf\nno-metric"},
    "no metric": {"METRIC": " "},
    "folder": {"SET": "--help"},
}  # fmt: skip
"""What somebody might give the action, by what it tries."""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_action_says_what_came_out(tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    assert not any("${{" in step.get("run", "") for step in steps)
    (step,) = [step for step in steps if step.get("id") == "gate"]
    asked = {"SET": made_set(tmp_path / "a set; of texts"), "BASELINE": "live", "METRIC": "chrf\nbleu", "LEDGER": ""}
    asked |= {"CANDIDATE": "same", "MARGIN": "1"}
    places = [str(Path(sys.executable).parent), os.environ["PATH"]]

    summary, annotated = tmp_path / "summary.md", []

    def run(name: str, given: dict[str, str]) -> tuple[int, str, str]:
        said = tmp_path / name
        said.touch()
        summary.write_text("")
        own = {**asked, **given, "GITHUB_OUTPUT": said, "PATH": os.pathsep.join(places)}
        own["GITHUB_STEP_SUMMARY"] = summary
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, **{name: str(value) for name, value in own.items()}},
        )  # fmt: skip
        annotated[:] = [line for line in done.stdout.splitlines() if line.startswith("::error title=mtsig gate%3A ")]
        return done.returncode, said.read_text(), done.stderr

    for candidate, margin, code, outcome in (("same", "1", 0, "pass"), ("broken", "", 1, "regression")):
        found = run(candidate, {"CANDIDATE": candidate, "MARGIN": margin})
        assert found[:2] == (code, f"outcome={outcome}\n"), found
    assert all(name in (tmp_path / "gate.json").read_text() for name in ("chrF2", "BLEU"))
    assert summary.read_text().startswith("### Regression: broken against live.")
    assert [line.split("::")[2].split(":")[0] for line in annotated] == ["chrF2", "BLEU"]
    # Without an outcome, the reason is an annotation and the summary, whatever signs it has.
    assert run("nobody", {"CANDIDATE": "100%\n::error::"})[:2] == (2, "")
    assert not [*tmp_path.glob("gate.*")]
    said = r"::error title=mtsig gate%3A no outcome::There is no system called '100%25\\n::error::'\. Known: .*"
    assert re.fullmatch(said, *annotated)
    assert summary.read_text().startswith("### mtsig gate: no outcome\n\n    mtsig: There is no system called '100%")
    # What else would be given to the program, without a process of Python for each.
    stub = tmp_path / "bin" / "mtsig"
    stub.parent.mkdir()
    stub.write_text("#!/bin/bash\necho no Python >&2; exit 1\n")
    stub.chmod(0o755)
    places.insert(0, str(stub.parent))
    # Python that cannot start ends as a regression does.
    assert run("no Python", {}) == (70, "", "no Python\n")
    stub.write_text('#!/bin/bash\nprintf "%s\\0" "$@" >&2; echo > gate.json\n')
    parser = parser_of(["gate"])
    for name, given in STRANGE.items():
        code, said, told = run(name, given)
        if name in ("help", "another file"):
            assert (code, said, "There is no metric called -" in told) == (2, "", True), name
            assert not (tmp_path / "gate.json").exists()
            continue
        words = told.removesuffix("\0").split("\0")
        if name in ("margin", "no metric"):
            with pytest.raises((SystemExit, MtsigError)):
                parser.parse_args(words)
            continue
        chosen = parser.parse_args(words)
        assert chosen.set == [given.get("SET", str(asked["SET"]))], name
        assert (chosen.baseline, chosen.candidate) == (given.get("BASELINE", "live"), given.get("CANDIDATE", "same"))
        assert chosen.out == ["gate.xml", "gate.json"]
    assert chosen.metric == ["chrf", "bleu"]
    assert not (tmp_path / "made").exists()
