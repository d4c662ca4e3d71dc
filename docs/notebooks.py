"""Write the notebooks of the documentation, run, into docs/notebooks: `python docs/notebooks.py`."""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

STRINGS = """
# From strings to a paper

Outputs and references are lists of strings. Here they come from the sample data; replace them with your own.
---
import mtsig

sample = mtsig.read_sample()
outputs = {name: list(lines) for name, lines in sample.outputs.items()}
references = list(sample.references["ref"])
documents = list(sample.documents)
len(outputs), len(references), references[0]
---
study = mtsig.compare(outputs, ["chrf", "bleu"], references=references, documents=documents)
study
---
# The result has a verdict on every pair, corrected for the ten comparisons of each metric. "Not significant" does not
# mean "equal": `detectable` is the true difference that these data would detect with 80% power.
---
frame = study.to_frame(all_columns=True)
frame.loc[frame["verdict"] == "not_significant", ["metric", "first", "second", "difference", "detectable"]].round(2)
---
# The report contains tables, figures as wide as a column, a methods paragraph with its bibliography, and the study
# itself:
---
study.save("study.json")
sorted(path.name for path in study.report("paper", ["latex", "markdown", "csv"]))
---
# A study does not change when it is saved and read; `mtsig report study.json --data FOLDER` re-runs it from the data.
---
mtsig.read_study("study.json").rows() == study.rows()
"""

COMET = """
# COMET scores, compared with chrF

`comet-score` rates every segment ([recipe](../recipes.md#comet)). This notebook reads a table of such scores: system,
segment, score. The numbers in it are **invented** (chrF of the segment plus noise), since a COMET model is too large
for this documentation; replace them with your own.
---
import numpy as np
import pandas as pd

import mtsig

sample = mtsig.read_sample()
segment_chrf = mtsig.measure(sample, "sentchrf").values[0]
noise = np.random.default_rng(7).normal(0, 0.01, segment_chrf.shape)
scores = (0.5 + segment_chrf / 250 + noise).clip(0, 1).round(4)
rows = [(name, i + 1, score) for name, line in zip(sample.systems, scores, strict=True) for i, score in enumerate(line)]
pd.DataFrame(rows, columns=["system", "segment", "score"]).to_csv("comet.tsv", sep="\\t", index=False)
pd.read_csv("comet.tsv", sep="\\t").head(3)
---
table = pd.read_csv("comet.tsv", sep="\\t").pivot(index="segment", columns="system", values="score")
study = mtsig.compare(table, name="COMET", documents=list(sample.documents))
study
---
# No direction is needed: the name COMET says that higher is better. If there are human ratings of the same outputs,
# `mtsig meta-eval` measures how well COMET agrees with them. Without ratings, you can check whether two metrics give
# the same verdicts. The following pairs have different verdicts:
---
both = mtsig.compare(sample, "chrf")
comet, chrf = (
    {frozenset((row["first"], row["second"])): row["winner"] for row in found.rows()} for found in (study, both)
)
[(sorted(pair), comet[pair], chrf[pair]) for pair in comet if comet[pair] != chrf[pair]]
"""

BENCHMARK = """
# A benchmark that is not translation

Three models answer the same 300 questions, in 30 groups that share a text. An answer is right or wrong. The answers
are **invented**; `mtsig.read` reads logs of lm-evaluation-harness, HELM, lighteval and Inspect.
---
import numpy as np

import mtsig

rng = np.random.default_rng(3)
difficulty = np.repeat(rng.normal(0, 1, 30), 10) + rng.normal(0, 1, 300)
skills = {"large": 0.8, "medium": 0.6, "small": 0.0}
right = {model: (skill - difficulty + rng.normal(0, 1, 300) > 0).astype(int) for model, skill in skills.items()}
texts = [f"text {i // 10 + 1}" for i in range(300)]
{model: float(answers.mean()) for model, answers in right.items()}
---
study = mtsig.compare(right, name="accuracy", higher_is_better=True, documents=texts)
study
---
# Questions on one text are not independent, so texts are the units. The last number of each row is the p-value with
# questions as units:
---
by_question = mtsig.compare(right, name="accuracy", higher_is_better=True, documents=texts, unit="segment")
[
    (row["first"], row["second"], round(row["p_adjusted"], 4), round(other["p_adjusted"], 4))
    for row, other in zip(study.rows(), by_question.rows(), strict=True)
]
---
# How many texts are needed to detect a difference of three points between the two larger models?
---
accuracy = mtsig.Corpus.of(
    dict.fromkeys(right),
    documents=texts,
    ratings={"accuracy": mtsig.Rating(np.array(list(right.values()), float), higher_is_better=True)},
)
found = mtsig.power_analysis(mtsig.measure(accuracy, "rating:accuracy"), "large", "medium", 0.03)
found.units, found.needed, (found.needed_low, found.needed_high)
"""

NOTEBOOKS = {"strings-to-paper": STRINGS, "comet-scores": COMET, "benchmark": BENCHMARK}


def cells(text: str) -> list[tuple[str, str]]:
    """Return (kind, source) of a notebook's cells: what begins with a sharp and a blank is text."""
    parts = [part.strip() for part in text.split("\n---\n")]
    return [
        ("markdown", part if number == 0 else "\n".join(line.removeprefix("# ") for line in part.splitlines()))
        if part.startswith("# ")
        else ("code", part)
        for number, part in enumerate(parts)
    ]


def notebook(name: str) -> dict[str, Any]:
    """Return a notebook of the format 4.5, not run."""
    made = []
    for number, (kind, source) in enumerate(cells(NOTEBOOKS[name])):
        cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
        made.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}


def executed(name: str, folder: Path) -> dict[str, Any]:
    """Return the notebook as Jupyter's kernel runs it in a folder."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.from_dict(notebook(name))
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    for cell in book.cells:
        cell.metadata.pop("execution", None)  # times
    book.metadata.pop("language_info", None)  # the version of Python
    return dict(book)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).parents[1]))
    target = Path(__file__).parent / "notebooks"
    target.mkdir(exist_ok=True)
    for _name in sys.argv[1:] or NOTEBOOKS:
        with tempfile.TemporaryDirectory() as _folder:
            _text = json.dumps(executed(_name, Path(_folder)), indent=1, ensure_ascii=False, sort_keys=True)
        (target / f"{_name}.ipynb").write_text(_text + "\n", encoding="utf-8")
