"""`mtsig experiment`, `mtsig calibrate` and `mtsig papers`, run as a user does."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from described import described
from kept import Kept
from made import ROOT

from mtsig.cli import main
from mtsig.lab import EXPERIMENTS

SAMPLE = str(ROOT / "sample_data" / "es-en")


def run(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    code = main(arguments)
    found = capsys.readouterr()
    assert code == 0, found.err
    return found.out, found.err


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_help_with_its_question(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", name, "--help-all"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert EXPERIMENTS[name].about.split(",")[0] in shown
    assert "--simulated" in shown


def test_a_table_ends_with_the_verdict(capsys: pytest.CaptureFixture[str], kept: Kept) -> None:
    out, _ = run(["experiment", "separation", "--data", SAMPLE, "--pair", "direct", "via-catalan"], capsys)
    kept("experiment", out)


def test_json_holds_settings_verdict_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(
        ["experiment", "variation", "--data", SAMPLE, "--size", "20", "--orders", "20", "--format", "json"], capsys
    )
    bundle = described("experiment", out)
    assert bundle["settings"]["size"] == 20
    assert len(bundle["rows"]) == 5
    assert bundle["given"].startswith("200 segments")


def test_csv_has_one_line_per_record(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(["experiment", "orderings", "--data", SAMPLE, "--system", "direct", "--format", "csv"], capsys)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 200
    assert rows[0]["system"] == "direct"


def test_without_data_the_sample_or_simulated_segments_stand_in(capsys: pytest.CaptureFixture[str], kept: Kept) -> None:
    _, err = run(["experiment", "sentence"], capsys)
    kept("experiment", err)
    out, err = run(["experiment", "separation", "--simulated", "30", "25", "--format", "json"], capsys)
    assert "No data" not in err
    assert json.loads(out)["given"].startswith("30,000 simulated segments")


def test_figures_are_written_as_pages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(["experiment", "orderings", "--data", SAMPLE, "--out", str(tmp_path / "new")], capsys)
    written = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert written == [
        *(f"orderings-orders-by-length.{ending}" for ending in ("html", "pdf")),
        *(f"orderings.{ending}" for ending in ("csv", "html", "json", "md", "tex")),
    ]


def test_figures_take_the_papers_formats_and_width(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ["experiment", "orderings", "--data", SAMPLE, "--out", str(tmp_path)]
    run([*asked, "--to", "svg", "png", "--width", "neurips-full"], capsys)
    assert {path.suffix for path in tmp_path.glob("orderings-*")} == {".html", ".png", ".svg"}
    svg = (tmp_path / "orderings-orders-by-length.svg").read_text(encoding="utf-8")
    assert 'width="396pt"' in svg  # 5.5 inches
    assert ">words<" in svg


def test_a_sign_that_cannot_be_drawn_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: Kept
) -> None:
    monkeypatch.setattr("mtsig.figures._paper._other_fonts", lambda: ())
    (tmp_path / "译.txt").write_text("a b c d .\n" * 8, encoding="utf-8")
    (tmp_path / "ref.txt").write_text("a b c e .\n" * 8, encoding="utf-8")
    asked = ["experiment", "orderings", "--ref", str(tmp_path / "ref.txt"), "--sys", str(tmp_path / "译.txt")]
    _, err = run([*asked, "--out", str(tmp_path / "out")], capsys)
    kept("experiment", err)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "svg"], "Name a folder for the figures with --out"),
        (["--out", "x", "--width", "acl"], "There is no width called 'acl'"),
        (["--out", "x", "--to", "eps"], "There is no format called 'eps'"),
    ],
)
def test_figures_that_could_not_be_written_are_refused_before_anything_runs(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["experiment", "orderings", "--data", SAMPLE, *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_workers_give_the_same_digits(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["experiment", "coverage", "--data", SAMPLE, "--size", "40", "--sets", "40", "--resamples", "100"]
    alone, _ = run([*arguments, "--format", "csv"], capsys)
    two, _ = run([*arguments, "--format", "csv", "--workers", "2"], capsys)
    assert alone == two


def test_calibrate_speaks_of_error_rate_power_and_coverage(capsys: pytest.CaptureFixture[str], kept: Kept) -> None:
    asked = ["--tests", "ij-t", "--sizes", "40", "--effects", "0", "1", "--simulations", "50", "--drawn", "segments"]
    pair = ["--unit", "segment", "--pair", "direct", "via-galician"]
    out, _ = run(["calibrate", "--data", SAMPLE, *asked, *pair], capsys)
    kept("calibrate", out)
    out, _ = run(["calibrate", "--data", SAMPLE, *asked, *pair, "--nulls", "equal-scores", "--format", "json"], capsys)
    bundle = described("experiment", out)
    assert bundle["settings"]["nulls"] == ["equal-scores"]
    assert {(row["null"], row["made"]) for row in bundle["rows"]} == {("equal-scores", "tilted")}


def test_a_null_that_cannot_be_made_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path, kept: Kept) -> None:
    table = tmp_path / "right.tsv"
    table.write_text("a\tb\n" + "1\t1\n1\t0\n0\t0\n" * 20, encoding="utf-8")
    asked = ["--tests", "ij-t", "--sizes", "40", "--effects", "0", "--simulations", "50"]
    out, err = run(["calibrate", "--ratings", f"right={table}:higher", *asked], capsys)
    kept("calibrate", err)
    kept("calibrate", out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["experiment", "calibrate", "--sizes", "many", "--data", SAMPLE], "--sizes: invalid int value: 'many'"),
        (["calibrate", "--nulls", "equal", "--data", SAMPLE], "There is no null called 'equal'"),
        (["experiment", "coverage", "--workers", "0", "--data", SAMPLE, "--size", "20"], "--workers takes a number"),
        (["experiment", "variation", "--simulated", "good"], "--simulated: expected a number; found 'good'"),
        (["experiment", "tests", "--pair", "direct", "--data", SAMPLE], "--pair: expected 2 arguments"),
        (["experiment", "separation", "--pair", "direct", "nobody", "--data", SAMPLE], "no system called 'nobody'"),
        (["experiment", "variation", "--data", SAMPLE, "--size", "190"], "too few for 5 sets"),
        (["papers", "callison2006", "--data", SAMPLE, "--metric", "chrf"], "BLEU, so name BLEU first"),
    ],
)
def test_bad_input_is_one_message(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.strip().split("\n")[-1].startswith("mtsig: ")


@pytest.mark.slow
def test_reproduce_prints_numbers_beside_the_papers_and_writes_a_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kept: Kept
) -> None:
    out, err = run(["papers", "callison2006", "--out", str(tmp_path), "--format", "csv"], capsys)
    rows = {row["what"]: row for row in csv.DictReader(io.StringIO(out))}
    assert [row["ours"] for what, row in rows.items() if "(18 − 10)!" in what] == ["40320"]
    kept("papers", err)
    page = (tmp_path / "callison2006.md").read_text(encoding="utf-8")
    assert ["adequacy", "7", "0.14", "0.374", "−0.53 to 0.88", "0.408"] in [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines()
    ]
    assert (tmp_path / "callison2006-figure-1-orders-by-length.html").exists()


def test_reproduce_takes_the_users_data(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(["papers", "callison2006", "--data", SAMPLE, "--format", "json"], capsys)
    bundle = described("papers", out)
    assert bundle["given"].startswith("200 segments")
    assert {one["kind"] for one in bundle["exhibits"]} == {"exact", "shape", "theory"}
