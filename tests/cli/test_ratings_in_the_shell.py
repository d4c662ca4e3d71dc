"""Ratings in the shell: named, declared, scored, compared, and refused with one message."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from described import described
from kept import Kept, worded
from made import ROOT, flat

from mtsig import compare, read
from mtsig.cli import main
from mtsig.cli._arguments import Parser, add_options, typed_again
from mtsig.cli._reading import parts_from
from mtsig.meta_eval._rated_data import RatedData


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Three systems on 60 segments, with gaps; no text."""
    rng = np.random.default_rng(2)
    rows = ["system\tsegment\tmqm"]
    for s, name in enumerate(["base", "ours", "theirs"]):
        for i in range(1, 61):
            score = "None" if (i + 7 * s) % 15 == 0 else f"{-rng.random() - (s == 0):.3f}"
            rows.append(f"{name}\t{i}\t{score}")
    path = tmp_path / "mqm.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(one) for one in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def bundle(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert code == 0, err
    return flat(json.loads(out))


def test_scores_alone_are_scored_without_a_word_on_metrics(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    found = bundle(capsys, "score", "--ratings", table)
    assert [row["units"] for row in found["systems"]] == [56, 56, 56]
    assert found["data"]["ratings"][0].pop("direction_source").startswith("known: MQM")
    assert found["data"]["ratings"] == [
        {
            "name": "mqm",
            "higher_is_better": True,
            "rater": None,
        }
    ]


def test_of_several_raters_the_mean_is_compared_and_one_where_it_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rng = np.random.default_rng(3)
    rows = [("A", i, rater, rng.random()) for i in range(1, 41) for rater in ("ann", "bo")]
    rows += [("B", i, rater, rng.random() + 0.2) for i in range(1, 41) for rater in ("ann", "bo")]
    path = tmp_path / "da.tsv"
    lines = ["\t".join(map(str, row)) for row in (("system", "segment", "rater", "score"), *rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, out, err = run(capsys, "compare", "--ratings", path, "--format", "json")
    found = flat(json.loads(out))
    assert (code, {row["metric"] for row in found["comparisons"]}) == (0, {"da"})
    mean = np.mean([score for system, _, _, score in rows if system == "B"])
    assert {row["system"]: row["score"] for row in found["systems"]}["B"] == pytest.approx(mean)
    worded(err, "2 raters")
    assert {row["metric"] for row in compare(path).rows()} == {"da"}
    alone = bundle(capsys, "compare", "--ratings", path, "--metric", "da@ann")
    assert {row["metric"] for row in alone["comparisons"]} == {"da@ann"}


def test_every_pair_says_on_how_many_segments_it_stands(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    found = bundle(capsys, "compare", "--ratings", table, "--metric", "mqm")
    rows = [line.split("\t") for line in table.read_text().splitlines()[1:]]
    rated = {
        name: {i for who, i, score in rows if who == name and score != "None"} for name in ("base", "ours", "theirs")
    }
    for row in found["comparisons"]:
        assert row["units"] == row["segments"] == len(rated[row["first"]] & rated[row["second"]])


def test_pairs_that_differ_in_size_have_a_column_for_it(
    capsys: pytest.CaptureFixture[str], table: Path, kept: Kept
) -> None:
    lines = table.read_text().splitlines()
    table.write_text("\n".join(line for line in lines if not line.startswith("ours\t5")) + "\n")  # segments 5, 50–59
    code, out, _ = run(capsys, "compare", "--ratings", table, "--baseline", "base")
    assert code == 0
    header = next(line for line in out.splitlines() if line.startswith("first"))
    assert header.split()[:3] == ["first", "second", "segments"]
    kept("compare", out)


@pytest.mark.parametrize("verb", ["audit", "power", "size-curve"])
def test_the_other_verbs_take_ratings(capsys: pytest.CaptureFixture[str], table: Path, verb: str) -> None:
    extra = ["--difference", "0.2"] if verb == "power" else []
    code, out, err = run(capsys, verb, "--ratings", table, "--pair", "ours", "base", *extra)
    assert code == 0, err
    assert "mqm" in out


def test_only_shared_segments_on_request(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    found = bundle(capsys, "compare", "--ratings", table, "--metric", "mqm:shared=true", "--correction", "tukey")
    assert {row["units"] for row in found["comparisons"]} == {48}
    assert "segments:shared" in found["comparisons"][0]["signature"]


def test_a_direction_is_declared_behind_the_file(capsys: pytest.CaptureFixture[str], table: Path, kept: Kept) -> None:
    code, _, err = run(capsys, "score", "--ratings", f"effort={table}")
    assert code == 2
    kept("score", err)
    lower = bundle(capsys, "compare", "--ratings", f"effort={table}:lower", "--baseline", "base")
    higher = bundle(capsys, "compare", "--ratings", f"effort={table}:higher", "--baseline", "base")
    for one, other in zip(lower["comparisons"], higher["comparisons"], strict=True):
        assert one["difference"] == -other["difference"]


def test_ratings_stand_beside_the_texts_of_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, table: Path
) -> None:
    folder = tmp_path / "set"
    (folder / "human").mkdir(parents=True)
    words = [f"word{i} and more" for i in range(60)]
    for name in ("ref", "base", "ours"):
        (folder / f"{name}.txt").write_text("\n".join(words) + "\n")
    (folder / "human" / "mqm.tsv").write_text(table.read_text())
    found = bundle(capsys, "score", "--data", folder, "--metric", "bleu", "mqm")
    assert [(row["metric"], row["system"]) for row in found["systems"]] == [
        ("BLEU", "base"), ("BLEU", "ours"), ("mqm", "base"), ("mqm", "ours"), ("mqm", "theirs"),
    ]  # fmt: skip
    # A file of the folder that is named is taken once, as it is named.
    named = bundle(
        capsys, "score", "--data", folder, "--metric", "bad", "--ratings", f"bad={folder}/human/mqm.tsv:lower"
    )
    assert [one["name"] for one in named["data"]["ratings"]] == ["bad"]
    assert named["data"]["ratings"][0]["higher_is_better"] is False


@pytest.fixture
def twins(tmp_path: Path) -> Path:
    """Two sets in which both runs of M1 have the texts of those of M2; COMET and people rate them a little apart."""
    rng = np.random.default_rng(5)
    for one in ("one", "two"):
        folder = tmp_path / "sets" / one
        for part in ("systems", "references", "ratings"):
            (folder / part).mkdir(parents=True)
        texts = [[f"line {i} of run {run} {'and more' * (i % 3)}" for i in range(60)] for run in range(2)]
        scores = rng.normal(0.7, 0.1, (2, 60))
        names = [f"M{system}.seed{run}" for system in (1, 2) for run in range(2)]
        for name in names:
            (folder / "systems" / f"{name}.txt").write_text("\n".join(texts[int(name[-1])]) + "\n")
        (folder / "references" / "ref.txt").write_text("\n".join(f"line {i}" for i in range(60)) + "\n")
        (folder / "source.txt").write_text("\n".join(f"Zeile {i} {'und mehr' * (i % 3)}" for i in range(60)) + "\n")
        table = "\t".join(names) + "\n"
        for i in range(60):
            table += "\t".join(f"{scores[int(name[-1]), i] + 6e-5 * (name[1] == '1'):.6f}" for name in names) + "\n"
        (folder / "ratings" / "COMET.tsv.gz").write_bytes(gzip.compress(table.encode()))
        (folder / "ratings" / "DA.tsv").write_text(table)
    return tmp_path / "sets"


QUICK_JSON = ("--resamples", "200", "--format", "json", "--metric")
TWINS = ("--pair", "M1.seed0", "M2.seed0")


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        ("comparisons", ("compare", "--data", "one", *TWINS)),
        ("comparisons", ("compare", "--set", "one", "two", *TWINS)),
        ("comparisons", ("compare", "--data", "one", *TWINS, "--by", "length", "--unit", "segment")),
        ("checks", ("gate", "--data", "one", "--baseline", "M2.seed0", "--candidate", "M1.seed0", "--margin", "0.1")),
        ("runs", ("runs", "--data", "one")),
    ],
)
def test_a_programs_noise_between_the_same_texts_is_no_difference(
    capsys: pytest.CaptureFixture[str], twins: Path, monkeypatch: pytest.MonkeyPatch, rows: str, asked: tuple[str, ...]
) -> None:
    monkeypatch.chdir(twins)
    tied, apart = (
        {row["difference"] for row in flat(json.loads(run(capsys, *asked, *QUICK_JSON, metric)[1]))[rows]}
        for metric in ("COMET", "DA")
    )
    assert tied == {0.0}
    # People may have seen a difference: their ratings stay as they are.
    assert sorted(apart) == pytest.approx([6e-5] * len(apart), rel=0.01)


def test_metrics_tie_the_same_texts_where_they_are_held_against_people(twins: Path) -> None:
    rated = RatedData.of(read(twins / "one"), "rating:DA", ["rating:COMET"])
    at = [rated.systems.index(name) for name in TWINS[1:]]
    comet, people = (rated.cells(name)[at] for name in ("COMET", rated.human.name))
    np.testing.assert_array_equal(comet[0], comet[1])
    assert (people[0] > people[1]).all()


def test_errors_name_file_and_line(capsys: pytest.CaptureFixture[str], table: Path, kept: Kept) -> None:
    table.write_text(table.read_text().replace("ours\t9\t", "ours\tnine\t"))
    code, out, err = run(capsys, "score", "--ratings", table)
    assert (code, out) == (2, "")
    worded(err, table, "70")
    assert repr("nine") in err
    kept("score", err)
    code, _, err = run(capsys, "score", "--ratings", table.with_name("none.tsv"))
    assert code == 2
    kept("score", err)


def test_an_unknown_metric_is_answered_with_the_ratings_too(
    capsys: pytest.CaptureFixture[str], table: Path, kept: Kept
) -> None:
    code, _, err = run(capsys, "score", "--ratings", table, "--metric", "mqn")
    assert code == 2
    kept("score", err)


def test_the_dashboard_is_started_on_the_same_ratings(table: Path) -> None:
    parser = Parser()
    add_options(parser, ["+input"])
    arguments = ["--ratings", f"effort={table}:lower"]
    assert typed_again(parser.parse_args(arguments)) == arguments
    (some,) = parts_from([*arguments, "--systems", "ours", "base"])
    assert some.scored is not None
    assert some.scored.systems == ("base", "ours")
    (part,) = parts_from(arguments)
    assert (part.role, part.name, part.better) == ("ratings", "effort", "lower")


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
    # In a paper: scores, comparisons and statements, each in one table for both metrics.
    latex = (out / "study.tex").read_text(encoding="utf-8")
    assert (latex.count(r"\toprule"), latex.count("tab:comparisons}"), latex.count("tab:results}")) == (3, 1, 1)


@pytest.mark.parametrize("named", [[], ["--human", "mqm"]], ids=len)
def test_without_ratings_their_file_is_asked_for(named: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta-eval", "--data", str(ROOT / "sample_data" / "es-en"), *named]) == 2
    worded(capsys.readouterr().err.splitlines()[-1], "--ratings")
