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


def test_sentinels_and_the_methods_paragraph_are_written(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--human", "esa", "--statistic", "spa", "acc_eq", "--compare", "acc_eq", "--sentinels", "--format", "json")
    code, out, err = run(capsys, table, *asked)
    assert code == 0, err
    bundle = json.loads(out)
    guarded = {(one["metric"], one["statistic"]): one for one in bundle["sentinels"]}
    # These systems have no texts, so that chance alone stands beside the metrics.
    assert {one["sentinel"] for one in bundle["sentinels"]} == {"a random score"}
    assert guarded["good", "acc_eq"]["sentence"] == ""
    assert guarded["bad", "acc_eq"]["sentence"] == "acc_eq: no evidence that bad sees more than chance."
    text = bundle["methods"]["text"]
    for part in (
        "Metrics (good and bad) were held against esa on 6 systems, without human translations, and 30 segments",
        "soft pairwise accuracy (Thompson et al., 2024), accuracy with ties, calibrated (Deutsch et al., 2023)",
        "redraws of segments and systems, the same for all metrics (Deutsch et al., 2021)",
        "1 of 1 difference would stand",
    ):
        assert part in text
    assert "@inproceedings{thompson-2024," in bundle["methods"]["bibtex"]
    (other,) = bundle["systems_exchanged"]
    assert (other["test"], other["verdict"]) == ("exchange-systems", "undecided")
