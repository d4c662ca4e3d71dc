"""docs/gate.md and the workflow: their commands are commands, and what they say of the program is so."""

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from made import ROOT
from made_gate import written

from mtsig.cli import main
from mtsig.cli._output import SUMMARY
from mtsig.gate import RULES, read_ledger
from mtsig.gate._decision import EXIT_CODES
from mtsig.gate._ledger import spend
from mtsig.study._request import plan_of

PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
SYSTEMS = {"live": (0.8, 1), "candidate-1": (0.8, 2)}


def workflow() -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((ROOT / "docs" / "gate_workflow.yml").read_text(encoding="utf-8"))
    return found


def commands(text: str) -> list[list[str]]:
    """Return every `mtsig …` that has a line of its own."""
    return [shlex.split(line, comments=True) for line in text.splitlines() if line.startswith("mtsig ")]


def plan() -> str:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    return str(text)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number, name in enumerate(("en-cs", "en-de", "en-fr")):
        written(tmp_path / "test-sets" / name, SYSTEMS, seed=number)
    (tmp_path / "plan.toml").write_text(plan())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_of_the_page_runs(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = commands(PAGE)
    assert len(found) >= 4
    for words in found:
        code = main([*words[1:], *([] if "--plan" in words or words[1] != "gate" else ["--resamples", "200"])])
        assert code in (0, 1, 3), (words, capsys.readouterr().err)
    assert len(read_ledger(place / "looks.jsonl").looks) >= 1


def test_the_page_shows_it_in_python(place: Path) -> None:
    *_, code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    *_, last = code.strip().splitlines()
    names: dict[str, Any] = {}
    exec(code, names)
    outcome, exit_code, frame, looks = eval(last, names)
    assert EXIT_CODES[outcome] == exit_code
    assert list(frame["metric"]) == ["chrF2"]
    assert list(looks["candidate"]) == ["candidate-1"]


def test_the_workflow_is_one(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = workflow()
    assert set(found) == {"name", True, "permissions", "concurrency", "jobs"}  # YAML reads `on` as true
    steps = found["jobs"]["gate"]["steps"]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    (gate,) = [step for step in steps if step.get("name") == "Gate"]
    assert "continue-on-error" not in gate
    words = shlex.split(gate["run"])
    assert words[:2] == ["mtsig", "gate"]
    monkeypatch.setenv(SUMMARY, str(place / "summary.md"))
    (place / "kept").mkdir()
    given = [word.replace("code/", "").replace("$NAME", "candidate-1") for word in words[1:]]
    assert main(given) in (0, 3)
    assert (place / "gate.xml").exists()
    assert (place / "gate.json").exists()
    assert "candidate-1 against live" in (place / "summary.md").read_text(encoding="utf-8")
    assert read_ledger(place / "kept" / "looks.jsonl").looks[0].candidate == "candidate-1"
    # What is kept whatever came out are the ledger and the files.
    assert [step.get("if") for step in steps[-2:]] == ["always()", "always()"]


def test_the_page_tells_the_rules_and_their_numbers() -> None:
    assert set(RULES) <= set(re.findall(r"`(\w+)`", PAGE))
    assert plan_of(plan()).request.margins
    rows = re.findall(r"^\| (\d+) \| ([.\d]+) \|", PAGE, re.MULTILINE)
    assert rows
    for look, level in rows:
        assert float(level) == pytest.approx(spend(0.05, [False] * (int(look) - 1)), rel=0.02)
    assert np.isclose(sum(spend(0.05, [False] * j) for j in range(200)), 0.05, rtol=0.01)
