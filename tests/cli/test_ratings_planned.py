"""`mtsig power` of a rating whose raters are known, `mtsig raters`, and joint statements in files."""

import json
from pathlib import Path

import numpy as np
import pytest
from described import described
from made import flat

from mtsig.cli import main


@pytest.fixture
def esa(tmp_path: Path) -> Path:
    """Two systems, 30 segments, six raters of whom two see each segment; what AppraiseCampaigns export."""
    rng = np.random.default_rng(8)
    rows = [
        f"J{rater},{system},{i},TGT,eng,deu,{50 + 4 * s + 3 * rng.normal() + level:.2f},d{i // 3},False,[],1.0,2.0"
        for rater, level in enumerate(rng.normal(size=6))
        for s, system in enumerate(("A", "B"))
        for i in range(30)
        if (i + rater) % 3 == 0
    ]
    path = tmp_path / "esa.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "docids.txt").write_text("\n".join(f"d{i // 3}" for i in range(30)) + "\n", encoding="utf-8")
    return path


def test_power_of_a_rating_says_how_many_raters(esa: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--data", str(esa.parent), "--metric", "esa", "--difference", "4", "--price-rating", "2"]
    code = main(["power", *asked, "--raters", "8", "--format", "json"])
    found = capsys.readouterr()
    assert code == 0, found.err
    rows = described("power", found.out)["ratings"]
    assert [row["raters_per_segment"] for row in rows] == [1, 2, 3, 4, 5]
    for row in rows:
        assert row["ratings"] == row["segments"] * 2 * row["raters_per_segment"]
        assert row["cost"] == 2 * row["ratings"]
        assert row["segments_fixed"] <= row["segments"]
    code = main(["power", *asked])
    assert code == 0
    assert "6 raters" in " ".join(capsys.readouterr().out.split())


def test_raters_are_written_with_what_other_raters_would_say(
    esa: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    code = main(["raters", "--data", str(esa.parent), "--resamples", "100", "--format", "json", "--out", str(out)])
    found = capsys.readouterr()
    assert code == 0, found.err
    written = flat(json.loads(found.out))
    (pair,), (other,) = written["comparisons"], written["other_raters"]
    assert {pair["first"], pair["second"]} == {"A", "B"}
    assert other["standard_error"] >= pair["standard_error"]
    assert {file.suffix for file in out.iterdir()} == {".json", ".csv", ".tex", ".md", ".html", ".pdf"}


def test_joint_statements_are_written_with_their_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("A", "B", "C"):
        (tmp_path / f"{name}.txt").write_text(
            "\n".join(f"a cat sat on mat {i}" if i % 4 or name == "A" else f"cats {name}" for i in range(40)) + "\n"
        )
    (tmp_path / "ref.txt").write_text("\n".join(f"the cat sat on mat {i}" for i in range(40)) + "\n")
    out = tmp_path / "out"
    asked = ["--data", str(tmp_path), "--metric", "bleu", "chrf", "--resamples", "200"]
    code = main(["compare", *asked, "--statement", "all", "--format", "json", "--out", str(out)])
    found = capsys.readouterr()
    assert code == 0, found.err
    names = {f"{stem}.{ending}" for stem in ("study", "statements") for ending in ("json", "csv", "tex", "md", "html")}
    assert {file.name for file in out.iterdir()} == names | {"statements-intervals.html", "statements-intervals.pdf"}
    written = described("compare", (out / "statements.json").read_text(encoding="utf-8"), "Statements")
    assert written["statements"] == described("compare", found.out)["statements"]
