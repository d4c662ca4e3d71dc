"""The command line says which tokenizer the text chose, once and in the library's words; studies and plans carry it."""

import json
from pathlib import Path

import pytest
from kept import Kept
from made import CHINESE, flat

from mtsig.cli import main
from mtsig.metrics import measure
from mtsig.readers import read

LINE = (
    "note: Chinese text: BLEU counts with the tokenizer zh; another one, such as char, is chosen among the options of "
    "BLEU.\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("chinese")
    for name, lines in CHINESE.items():
        (found / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return found


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(one) for one in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize(
    "verb",
    [("score",), ("compare",), ("compare", "--by", "length"), ("audit", "--pair", "a", "b"),
     ("size-curve", "--sizes", 0.5, 1), ("power", "--pair", "a", "b", "--difference", 0.5)],
)  # fmt: skip
def test_the_line_stands_once_below_every_verb_that_scores(
    verb: tuple[object, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draws = [] if verb[0] in ("size-curve", "power") else ["--resamples", 100]
    code, _, err = run(capsys, *verb, "--data", folder, *draws)
    assert (code, err.count(LINE)) == (0, 1)
    assert LINE in [f"note: {note.text}\n" for note in measure(read(folder), "bleu").notes]


def test_nothing_is_said_of_a_tokenizer_that_was_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = run(capsys, "score", "--data", folder, "--metric", "bleu:tokenize=zh", "--format", "json")
    assert "counts with the tokenizer" not in err
    assert all("|tok:zh|" in one["signature"] for one in flat(json.loads(out))["systems"])


def test_a_metric_is_not_counted_twice_under_two_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "score", "--data", folder, "--metric", "bleu", "bleu:tokenize=zh")
    assert (code, err) == (2, "mtsig: The metric bleu is named twice.\n")


def test_study_and_plan_carry_the_tokenizer_and_are_made_again(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    plan, study = tmp_path / "plan.toml", tmp_path / "study.json"
    plan.write_text(run(capsys, "plan", "--metric", "bleu", "wer", "--resamples", 100)[1], encoding="utf-8")
    assert 'metrics = ["bleu", "wer"]' in plan.read_text(encoding="utf-8")
    code, _, _ = run(capsys, "compare", "--data", folder, "--plan", plan, "--save", study)
    record = flat(json.loads(study.read_text(encoding="utf-8")))
    assert code == 0
    assert record["request"]["metrics"] == ["bleu", "wer"]
    assert [one["counted_as"] for one in record["metrics"]] == ["bleu:tokenize=zh", "wer:tokenize=zh"]
    code, out, _ = run(capsys, "report", study, "--data", folder, "--to", "json", "--out", tmp_path)
    assert code == 0
    kept("report", out)


def test_the_metrics_verb_says_what_auto_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "metrics", "bleu", "--format", "json")
    (found,) = flat(json.loads(out))["metrics"]
    assert found["options"]["tokenize"]["default"] == "auto"
    assert "auto: zh, ja-mecab" in found["options"]["tokenize"]["help"]
