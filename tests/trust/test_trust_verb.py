"""`mtsig trust`: tables and JSON of how well metrics agree with people."""

import json
from pathlib import Path

import numpy as np
import pytest

from mtsig.cli import main


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Seven systems on 30 segments: people, a good metric and a bad one; one translation by people."""
    rng = np.random.default_rng(2)
    rows = ["system\tsegment\tesa\tgood\tbad"]
    for s, name in enumerate(["a", "b", "c", "d", "e", "f", "refB"]):
        for i in range(1, 31):
            esa = s + rng.normal()
            rows.append(f"{name}\t{i}\t{esa:.2f}\t{esa + 0.3 * rng.normal():.3f}\t{rng.normal():.3f}")
    path = tmp_path / "scores.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], table: Path, *more: str) -> tuple[int, str, str]:
    ratings = [f"{table}:higher"]
    code = main(["trust", "--ratings", *ratings, "--metric", "rating:good", "rating:bad", "--draws", "100", *more])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_people_and_metrics_are_read_and_compared(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, table, "--human", "esa", "--format", "json", "--compare", "acc_eq_0")
    assert code == 0, err
    bundle = json.loads(out)
    rows = {(row["metric"], row["statistic"]): row for row in bundle["trust"]}
    assert len(rows) == 8
    assert rows["good", "accuracy"]["value"] == 1.0
    assert rows["good", "accuracy"]["systems"] == 6
    assert rows["good", "spa"]["value"] > rows["bad", "spa"]["value"]
    assert bundle["human"]["left_out"] == {"refB": "a human translation"}
    assert bundle["settings"]["draws"] == 100
    (compared,) = bundle["comparisons"]
    assert (compared["first"], compared["winner"]) == ("good", "good")


def test_people_read_a_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, table, "--human", "esa", "--statistic", "pearson", "spa", "--compat", "mtme")
    assert code == 0, err
    assert "pearson" in out
    assert "refB takes no part" in err


def test_what_is_missing_is_said(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, table)
    assert code == 2
    assert "name one with --human. Known: esa, good, bad." in err
    code, _, err = run(capsys, table, "--human", "esa", "--statistic", "peerson")
    assert code == 2
    assert "Did you mean 'pearson'" in err
