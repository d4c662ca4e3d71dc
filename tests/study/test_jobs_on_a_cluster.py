"""One job per set and metric on Dask's distributed scheduler: the digits of one process, and no word at the end."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from made import ROOT, made_corpus

from mtsig import compare, measure, read, read_study
from mtsig.study import read_counts

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")

SCALE = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
(PROGRAM,) = re.findall(r"```python\n(import logging.*?)```", SCALE, re.DOTALL)


@pytest.mark.slow  # tests/lab/test_words.py hands jobs to a cluster, too
def test_two_workers_of_dask_give_the_same_digits_and_end_without_a_word(tmp_path: Path) -> None:
    root = tmp_path / "sets"
    for seed in range(3):
        corpus = made_corpus(seed=seed)
        texts = {"ref": corpus.references["ref0"], **{name: corpus.lines(name) for name in corpus.systems}}
        for name, lines in texts.items():
            place = root / f"set{seed}" / f"{name}.txt"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    # In a process of its own: what is said at its end would else be lost among what pytest catches.
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace('Path("FOLDER")', f"Path({str(root)!r})"), encoding="utf-8")
    command, own = [sys.executable, "-W", "error", str(program)], {"PYTHONPATH": str(ROOT), "MTSIG_CACHE": "off"}
    found = subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    assert (found.stdout.split(), found.stderr) == (["BLEU", "12", "3", "chrF2", "12", "3"], "")
    for place in sorted(root.iterdir()):
        corpus = read(place)
        alone = [measure(corpus, name) for name in ("bleu", "chrf")]
        counted = read_counts(place / "counts.parquet")[place.name].statistics
        assert [one.values.tolist() for one in counted] == [one.values.tolist() for one in alone]
        assert read_study(place / "study.json").rows() == compare(alone).rows()
