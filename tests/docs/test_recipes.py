"""Recipes for other programs run: against the program where it is installed, else against a stand-in of it."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
import yaml
from made import ROOT, flat, made_corpus

import mtsig
from mtsig.cli import main

PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
HOSTILE = "<!channel> & co"


def recipes(title: str, kind: str = "python") -> list[str]:
    """Return the blocks of code of a recipe."""
    (part,) = [one for one in PAGE.split("\n## ") if one.startswith(title)]
    return re.findall(rf"```{kind}\n(.*?)```", part, re.DOTALL)


def recipe(title: str, kind: str = "python") -> str:
    """Return the first of them."""
    return recipes(title, kind)[0]


@pytest.fixture(scope="module")
def made() -> mtsig.Study:
    corpus = mtsig.read_sample().select(["direct", "direct-us", "via-catalan"])
    named = mtsig.Corpus.of(
        {HOSTILE if name == "direct" else name: lines for name, lines in corpus.outputs.items()},
        corpus.references,
        documents=corpus.documents,
    )
    return mtsig.compare(named, "chrf", n_resamples=200)


@pytest.fixture
def study(made: mtsig.Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> mtsig.Study:
    """Return the study that lies as study.json in the current folder."""
    monkeypatch.chdir(tmp_path)
    made.save("study.json")
    return made


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a maker of stand-ins, that give the real module where it is installed."""

    def module(name: str, **names: Any) -> Any:
        if importlib.util.find_spec(name) is not None:
            return importlib.import_module(name)
        made_up = ModuleType(name)
        vars(made_up).update(names)
        monkeypatch.setitem(sys.modules, name, made_up)
        return made_up

    return module


def ran(code: str) -> dict[str, Any]:
    """Run the code and return its names."""
    names: dict[str, Any] = {}
    exec(code, names)
    return names


COMET = """#!/usr/bin/env python3
import json, sys
given = sys.argv[1:]
sources, (reference,) = open(given[given.index("-s") + 1]).readlines(), [given[given.index("-r") + 1]]
files = given[given.index("-t") + 1 : given.index("-r")]
found = {
    name: [
        {"src": src.strip(), "mt": mt.strip(), "ref": ref.strip(), "COMET": len({*mt} & {*ref}) / len({*mt, *ref})}
        for src, mt, ref in zip(sources, open(name), open(reference))
    ]
    for name in files
}
for at in range(len(sources)):
    for name in files:
        print(f"{name}\\tSegment {at}\\tscore: {found[name][at]['COMET']:.4f}")
for name in files:
    print(f"{name}\\tscore: {sum(row['COMET'] for row in found[name]) / len(sources):.4f}")
with open(given[given.index("--to_json") + 1], "w") as out:
    json.dump(found, out, ensure_ascii=False, indent=4)
"""
"""A stand-in that takes the options of comet-score, prints what it prints and writes what it writes."""


def test_scores_of_comet_are_read_as_written_and_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "sample_data" / "es-en", "data")
    Path("comet-score").write_text(COMET, encoding="utf-8")
    Path("comet-score").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    lines = recipe("COMET", "sh").replace("\\\n", " ").splitlines()
    (score,) = (line for line in lines if line.startswith("comet-score"))
    (compare,) = (line for line in lines if line.startswith("mtsig"))
    printed = subprocess.run(score, shell=True, check=True, capture_output=True, text=True).stdout
    assert main([*compare.split()[1:], "--format", "json"]) == 0
    study = flat(json.loads(capsys.readouterr().out))
    assert {row["metric"] for row in study["systems"]} == {"chrF2", "COMET"}
    Path("COMET.tsv").write_text(printed, encoding="utf-8")
    as_written, as_printed = (mtsig.read("data", ratings=[Path(name)]) for name in ("comet.json", "COMET.tsv"))
    assert list(as_printed.systems) == list(as_written.systems)
    rounded = as_written.ratings["COMET"].values.round(4)
    assert as_printed.ratings["COMET"].values.tolist() == rounded.tolist()
    assert as_printed.ratings["COMET"].higher_is_better


def test_weights_and_biases_gets_scores_and_comparisons(study: mtsig.Study, stand_in: Any) -> None:
    run = MagicMock()
    wandb = stand_in("wandb", init=MagicMock(return_value=run), Table=MagicMock())
    names = ran(recipe("Weights"))
    assert names["scores"] == {f"chrF2/{row.system}": row.score for row in study.systems}
    if isinstance(wandb.init, MagicMock):
        assert wandb.init.call_args.kwargs["mode"] == "offline"
        inside = run.__enter__.return_value
        inside.summary.update.assert_called_once_with(names["scores"])
        assert len(wandb.Table.call_args.kwargs["dataframe"]) == len(study.rows())
        inside.save.assert_called_once_with("study.json")


def test_mlflow_gets_metrics_under_names_that_it_takes(study: mtsig.Study, stand_in: Any) -> None:
    calls = {name: MagicMock() for name in ("start_run", "log_metrics", "log_table", "log_artifact")}
    mlflow = stand_in("mlflow", **calls)
    if not isinstance(mlflow.log_metrics, MagicMock):
        mlflow.set_tracking_uri(Path("runs").absolute().as_uri())
    ran(recipe("MLflow"))
    if isinstance(mlflow.log_metrics, MagicMock):
        (logged,) = mlflow.log_metrics.call_args.args
        assert sorted(logged.values()) == sorted(row.score for row in study.systems)
        # MLflow refuses other signs in a name.
        assert all(re.fullmatch(r"[\w\-. :/]+", name) for name in logged)
        assert len(mlflow.log_table.call_args.args[0]) == 3


def test_dvc_reads_the_metrics_that_its_stage_names(study: mtsig.Study) -> None:
    ran(recipe("DVC"))
    metrics = json.loads(Path("metrics.json").read_text())
    assert metrics["chrF2"]["via-catalan"]["score"] == study.systems[-1].score
    (stage,) = yaml.safe_load(recipe("DVC", "yaml"))["stages"].values()
    assert set(stage) <= {"cmd", "deps", "outs", "metrics"}
    assert list(stage["metrics"][0]) == ["metrics.json"]
    compare, _, after = stage["cmd"].partition(" && ")
    assert after == "python metrics.py"
    shutil.copytree(ROOT / "sample_data" / "es-en", "outputs")
    assert main(compare.split()[1:]) == 0
    assert all(Path(out).exists() for out in stage["outs"])


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="LaTeX (pdflatex) is not installed")
def test_the_paper_is_set(study: mtsig.Study) -> None:
    study.report("paper", ["latex", "pdf"])
    Path("main.tex").write_text(recipe("Overleaf", "latex"), encoding="utf-8")
    told = subprocess.run(["pdflatex", "-interaction=nonstopmode", "main.tex"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-2000:]
    assert Path("main.pdf").read_bytes().startswith(b"%PDF")
    cited = set(re.findall(r"\\citation\{([^}]+)\}", Path("main.aux").read_text()))
    known = set(re.findall(r"@\w+\{([^,]+),", Path("paper/references.bib").read_text()))
    assert {key for keys in cited for key in keys.split(",")} <= known


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="LaTeX (pdflatex) is not installed")
def test_a_paper_of_many_comparisons_is_set_and_its_text_is_not_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    corpus = made_corpus(n=40, systems=7, documents=0)
    mtsig.compare(corpus, ["bleu", "chrf", "ter"], n_resamples=100).report("paper", ["latex"])
    whole = recipe("Overleaf", "latex").replace("{article}", "[twocolumn,letterpaper]{article}")
    Path("main.tex").write_text(whole.replace(r"\includegraphics{paper/matrix-chrf2}", "Text."), encoding="utf-8")
    told = subprocess.run(["pdflatex", "-interaction=nonstopmode", "main.tex"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-2000:]
    assert not re.search("Overfull|too large", told.stdout)
    longer, text = Path("paper/tables-more.tex").read_text(), Path("paper/tables.tex").read_text()
    assert ("tab:comparisons" in longer, "tab:results" in text) == (True, True)
    assert not re.search("onecolumn|longtable", text)


def test_a_message_says_the_verdicts_and_calls_nobody(study: mtsig.Study) -> None:
    payload = json.loads(ran(recipe("A message"))["payload"])
    assert list(payload) == ["text"]
    lines = payload["text"].splitlines()
    assert len(lines) == 3
    assert "&lt;!channel&gt; &amp; co is better" in lines[0]
    assert "<" not in payload["text"]


@pytest.mark.slow
def test_a_campaign_goes_from_its_plan_to_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command of mtsig runs; six made raters stand in for Pearmut."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "sample_data" / "es-en", "data")
    pilot, before, by_pearmut, after = recipes("A rating campaign", "sh")
    assert by_pearmut.startswith("pip install pearmut")
    _run("mtsig sample --data data --size 40 --pearmut campaign.json -o pilot.csv", capsys)
    _rated_by_six("pilot.json", seed=3)
    said = _run(pilot, capsys)
    assert "documents needed to find 5 with 80% power" in said
    assert "Ratings of two systems needed to detect a true difference of 5 in esa" in said
    _run(before, capsys)
    _rated_by_six("annotations.json", seed=8)
    said = _run(after, capsys)
    assert "The verdict: ratings alone." in said
    assert "Planned: these results follow the analysis plan" in said
    assert "WMT's rule (WMT26, t tests)" in said
    assert Path("figures", "study-wmt26-t-esa.pdf").exists()
    assert "Dots: order of the means" in Path("paper", "report.html").read_text(encoding="utf-8")


def _rated_by_six(place: str, seed: int) -> None:
    """Write the ratings of campaign.json as Pearmut does."""
    campaign = json.loads(Path("campaign.json").read_text(encoding="utf-8"))
    random = np.random.default_rng(seed)
    entries = [
        {"user_id": f"u{number % 6}", "item_i": number, "item": items, "actions": [],
         "annotation": [{name: {"score": round(float(75 - 7 * s + 9 * random.normal())), "error_spans": []}
                         for s, name in enumerate(item["tgt"])} for item in items]}
        for number, items in enumerate(campaign["data"])
    ]  # fmt: skip
    Path(place).write_text(json.dumps({campaign["campaign_id"]: entries}), encoding="utf-8")


def _run(commands: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the lines of a shell that call mtsig, and return what they print."""
    said = ""
    for line in commands.replace("\\\n", " ").splitlines():
        words, _, place = line.partition(" > ")
        assert main(shlex.split(words)[1:]) == 0, capsys.readouterr().err
        printed = capsys.readouterr()
        if place:
            Path(place).write_text(printed.out, encoding="utf-8")
        said += printed.out + printed.err
    return said
