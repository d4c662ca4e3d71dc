"""`mtsig compare --set`: several test sets on the command line."""

import csv
import io
import json
from pathlib import Path

import pytest
from made import flat
from test_several_sets import written

from mtsig.cli import main


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("en-cs", "en-de"):
        written(tmp_path / name, 30, 3)
        for i in range(3):
            text = "".join(f"ref line {k if (k * 7 + i * 5) % 9 > i + 1 else 'lost'}\n" for k in range(30))
            (tmp_path / name / "systems" / f"s{i}.txt").write_text(text)
    return tmp_path


def test_sets_are_compared_in_the_shell(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["compare", "--set", str(root), "--metric", "chrf", "--resamples", "300"]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "2 test sets, 6 comparisons in chrF2, one family" in shown
    assert "n average over these 2 test sets" in shown
    assert "2 sets cannot stand for others" in shown
    assert main([*asked, "--format", "json"]) == 0
    bundle = flat(json.loads(capsys.readouterr().out))
    assert [one["set"] for one in bundle["sets"]] == ["en-cs", "en-de"]
    assert [row["set"] for row in bundle["comparisons"]] == ["en-cs"] * 3 + ["en-de"] * 3 + [None] * 3
    assert main([*asked, "--format", "csv", "--pairs", "s0"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["set"] for row in rows] == ["en-cs", "en-cs", "en-de", "en-de", "", ""]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--data", "x"], "--set and --data do not go together"),
        (["--weights", "half"], "Weights are equal, segments, or SET=NUMBER"),
        (["--called", "ours"], "NAME=SET:SYSTEM"),
        (["--for", "en-de", "ter"], "which is not measured"),
        (["--set", "nowhere"], "nowhere: nowhere: there is no such file"),
    ],
)
def test_what_cannot_be_is_refused(root: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str) -> None:
    assert main(["compare", "--set", str(root), "--metric", "chrf", "--resamples", "300", *more]) == 2
    assert said in capsys.readouterr().err


def test_what_is_of_several_sets_needs_some(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", str(root / "en-cs"), "--weights", "equal"]) == 2
    assert "--weights goes with --set" in capsys.readouterr().err
