"""`mtsig raters` and `mtsig delta`: tables, JSON and CSV, checked against the library and by hand."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from kept import worded

from mtsig.cli import main
from mtsig.corpus._ratings import RaterScores


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    found = capsys.readouterr()
    return code, found.out, found.err


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """Ten systems, most of them two points apart; the metric has all in order but the two that are nearest."""
    rows = ["system\tsegment\tesa\tmine"]
    means = [*range(0, 18, 2), 16.5]
    for s, mine in enumerate([*range(0, 16, 2), 16.5, 16.0]):
        rows += [f"s{s}\t{i}\t{means[s] + i}\t{mine + i}" for i in range(1, 5)]
    path = tmp_path / "scores.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def meant(capsys: pytest.CaptureFixture[str], scores: Path, *more: str) -> tuple[int, str, str]:
    where = ["--ratings", f"{scores}:higher", "--human", "esa", "--metric", "rating:mine"]
    return run(capsys, "delta", *where, "--resamples", "100", *more)


def test_what_a_difference_means_is_counted_on_the_pairs(scores: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = meant(capsys, scores, "--difference", ".5", "2", "--format", "json")
    assert code == 0, err
    bundle = json.loads(out)
    assert len(bundle["pairs"]) == 45
    # The metric turns one pair, that of the smallest difference: its curve is cut at one half there.
    assert [(one["difference"], one["share"]) for one in bundle["meant"]] == [(0.5, 0.5), (2.0, 1.0)]
    assert [one["pairs"] for one in bundle["meant"]] == [
        1,
        sum(1.6 <= row["difference"] <= 2.4 for row in bundle["pairs"]),
    ]
    assert {one["share"]: one["difference"] for one in bundle["needed"]} == {0.8: 2.0, 0.9: 2.0, 0.95: 2.0}


def test_meaning_is_a_table_or_a_row_for_every_difference(scores: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = meant(capsys, scores)
    assert code == 0, err
    worded(out)
    code, out, _ = meant(capsys, scores, "--difference", "2", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert (code, row["metric"], float(row["share"])) == (0, "mine", 1.0)


@pytest.mark.parametrize(
    ("more", "said"),
    [(("--difference", "much"), "found 'much'"), (("--difference", "-1"), "above 0"), (("--human", "x"), "'x'")],
)
def test_what_has_no_meaning_is_said(
    scores: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], said: str
) -> None:
    code, _, err = meant(capsys, scores, *more)
    assert code == 2
    assert said in err


VALUES = {"Ann": [5.0, 3, 4, 1, 2, 5], "Bo": [3.0, 1, 2, -1, 0, 3]}
"""Bo is two points harder than Ann on every output."""


@pytest.fixture
def esa(tmp_path: Path) -> Path:
    rows = [
        f"{who},{system},{i},TGT,eng,deu,{50 + value + shift},d{i},False,[],1.0,2.0"
        for who, values in VALUES.items()
        for system, shift in (("A", 0), ("B", 1))
        for i, value in enumerate(values)
    ]
    (tmp_path / "docids.txt").write_text("".join(f"d{i}\n" for i in range(6)), encoding="utf-8")
    (tmp_path / "esa.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


def test_raters_agree_and_differ_as_they_were_made(esa: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["raters", "--data", str(esa), "--resamples", "100"]
    code, out, err = run(capsys, *where, "--kind", "icc(c,1)", "icc(a,1)", "--format", "json")
    assert code == 0, err
    bundle = json.loads(out)
    consistent, absolute = bundle["agreement"]
    assert consistent["value"] == pytest.approx(1.0)
    # Two-way mean squares of 12 outputs by 2 raters: no residual, raters two points apart.
    mean = np.mean([[value + shift for shift in (0, 1) for value in values] for values in VALUES.values()], axis=0)
    between = 2 * np.var(mean, ddof=1)
    raters = 12 * 2.0
    assert absolute["value"] == pytest.approx(between / (between + 2 / 12 * raters))
    assert {one["rater"]: round(one["leniency"], 9) for one in bundle["raters"]} == {"Ann": 1.0, "Bo": -1.0}
    assert {one["source"] for one in bundle["shares"]} >= {"system", "segment", "rater", "residual"}
    # Each of two raters against the other: Bo gives all outputs two points less, in the order that Ann has.
    assert {one["rater"]: one["value"] for one in bundle["ceiling"]["raters"]} == {"Ann": 1.0, "Bo": 1.0}
    assert (bundle["ceiling"]["statistic"], bundle["ceiling"]["value"]) == ("spa", 1.0)
    code, out, _ = run(capsys, *where, "--ceiling", "accuracy")
    assert code == 0
    code, out, _ = run(capsys, *where, "--format", "csv")
    assert [row["rater"] for row in csv.DictReader(io.StringIO(out))] == ["Ann", "Bo"]
    code, out, _ = run(capsys, *where)
    assert code == 0
    assert "Krippendorff's α" in out
    assert "leniency" in out


def test_what_cannot_be_told_of_raters_is_said(esa: Path, scores: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "raters", "--ratings", f"{scores}:higher", "--human", "esa")
    assert code == 2
    assert "no rater ids" in err
    code, _, err = run(capsys, "raters", "--data", str(esa), "--kind", "alfa")
    assert code == 2
    worded(err, "'alpha'")


def test_a_mean_that_nobody_signed_is_no_rater() -> None:
    two = {"Ann": np.array([[1.0, 2.0]]), "Bo": np.array([[3.0, 4.0]])}
    given = RaterScores.of({None: np.array([[2.0, 3.0]]), **two})
    assert given.signed == RaterScores.of(two)
    alone = RaterScores.of({None: np.array([[2.0, 3.0]])})
    assert alone.signed is alone


def test_who_rated_what_stands_beside_both_scales_and_repeats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two raters, one of whom saw the better system alone: raw means put it first, standardised ones do not."""
    rows = [f"Ann,A,{i},TGT,eng,deu,{60 + i},d{i},False,[],1.0,2.0" for i in range(12)]
    rows += [
        f"Bo,{s},{i},TGT,eng,deu,{20 + i + up},d{i},False,[],1.0,2.0"
        for s, up in (("B", 8), ("C", 0))
        for i in range(12)
    ]
    rows += [f"Bo,B,{i},TGT,eng,deu,{28 + i + (-1) ** i},d{i},False,[],3.0,4.0" for i in range(12)]
    (tmp_path / "docids.txt").write_text("".join(f"d{i}\n" for i in range(12)), encoding="utf-8")
    (tmp_path / "esa.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    where = ["raters", "--data", str(tmp_path), "--resamples", "50"]
    code, out, err = run(capsys, *where, "--format", "json")
    assert code == 0, err
    bundle = json.loads(out)
    raw, z = ({one["system"]: one[key] for one in bundle["scales"]["systems"]} for key in ("raw", "standardised"))
    assert (raw["A"], raw["C"]) == (65.5, 25.5)
    values = np.array([*(28 + np.arange(12)), *(20 + np.arange(12)), *(28 + np.arange(12) + (-1.0) ** np.arange(12))])
    # Of repeated ratings the latest counts.
    latest = values[12:]
    assert z == pytest.approx({"A": 0, **{
        name: (latest[at].mean() - latest.mean()) / latest.std(ddof=1)
        for name, at in (("B", np.r_[12:24]), ("C", np.r_[0:12]))
    }})  # fmt: skip
    # Orders A B C and B A C: one pair of three the other way round.
    assert bundle["scales"]["tau"] == pytest.approx(1 / 3)
    assert bundle["repeats"] == []
    _, out, _ = run(capsys, *where)
    lines = [line.split() for line in out.splitlines()]
    assert ["rater", "A", "B", "C"] in lines
    assert ["Ann", "12", "0", "0"] in lines
    assert ["Bo", "0", "12", "12"] in lines
    assert "Kendall's τ_b 0.333" in " ".join(out.split())
