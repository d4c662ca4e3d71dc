"""`mtsig metrics` lists what there is and what can be chosen."""

import json

import pytest
from kept import Kept

from mtsig.cli import main
from mtsig.metrics import METRICS
from mtsig.options import options


def test_every_metric_is_listed_with_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics"]) == 0
    lines = capsys.readouterr().out.split("\n")
    for name, one in METRICS.items():
        (line,) = (line for line in lines if line.startswith(f"{name} "))
        assert one.name in line
        assert one.about in line


@pytest.mark.parametrize("name", METRICS)
def test_the_options_of_a_metric_are_listed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", name]) == 0
    told = capsys.readouterr().out
    for option in options(METRICS[name]):
        assert option.name in told
        assert option.help in told


def test_the_list_is_there_for_programs_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "mtsig/3"
    assert [one["name"] for one in found["metrics"]] == list(METRICS)
    known = {one["name"]: one for one in found["metrics"]}
    assert known["ter"]["higher_is_better"] is False
    assert known["ratio"]["higher_is_better"] is None
    assert known["bleu"]["options"]["smooth_method"]["default"] == "exp"
    assert [name for name, one in known.items() if one["common"]] == ["bleu", "chrf", "chrf++", "ter"]


def test_a_metric_that_is_not_there_is_answered_with_those_that_are(
    capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    assert main(["metrics", "blue"]) == 2
    kept("metrics", capsys.readouterr().err)


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_names_are_whole_in_the_help(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    told = capsys.readouterr().out
    lines = told[told.index("metrics:\n") :].split("\n")
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in METRICS)
    assert max(map(len, lines)) <= max(40, int(columns) - 2)
