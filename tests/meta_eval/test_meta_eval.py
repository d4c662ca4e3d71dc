"""`mtsig meta-eval`: tables and JSON of how well metrics agree with people."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import parts, worded

from mtsig import read_files
from mtsig.cli import main
from mtsig.inference import Settings
from mtsig.meta_eval import STATISTICS, RatedData, compare_metrics, meta_eval
from mtsig.report._meta_eval import trust_bundle


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
    code = main(
        ["meta-eval", "--ratings", *ratings, "--metric", "rating:good", "rating:bad", "--resamples", "100", *more]
    )
    found = capsys.readouterr()
    return code, found.out, found.err


def test_people_and_metrics_are_read_and_compared(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, table, "--human", "esa", "--format", "json", "--compare", "acc_eq_0")
    assert code == 0, err
    bundle = json.loads(out)
    rows = {(row["metric"], row["statistic"]): row for row in bundle["meta_eval"]}
    assert len(rows) == 8
    assert rows["good", "accuracy"]["value"] == 1.0
    assert rows["good", "accuracy"]["systems"] == 6
    assert rows["good", "spa"]["value"] > rows["bad", "spa"]["value"]
    assert bundle["human"]["left_out"] == {"refB": "a human translation"}
    assert bundle["settings"]["n_resamples"] == 100
    (compared,) = bundle["comparisons"]
    assert (compared["first"], compared["winner"]) == ("good", "good")


def test_people_read_a_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, table, "--human", "esa", "--statistic", "pearson", "spa", "--compat", "mtme")
    assert code == 0, err
    assert "Pearson r" in out
    worded(err)


def test_places_and_clusters_of_wmt_stand_under_a_comparison(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(3)
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    lines = [f"{header}\tworse", *(f"{row}\t{rng.normal():.3f}" for row in rows)]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = ("--human", "esa", "--statistic", "spa", "--no-sentinels", "--metric", "rating:worse")
    asked += ("rating:bad", "rating:good", "--compare", "spa")
    code, out, err = run(capsys, table, *asked)
    assert code == 0, err
    lines = [line.split() for line in out.partition("WMT's cluster")[2].strip().splitlines()[:3]]
    assert {line[0]: line[-1] for line in lines} == {"good": "1", "bad": "2", "worse": "2"}
    assert "uncorrected, one-sided" in " ".join(out.split())


def test_what_is_missing_is_said(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, table)
    assert code == 2
    worded(err, "--human")
    code, _, err = run(capsys, table, "--human", "esa", "--statistic", "peerson")
    assert code == 2
    worded(err, "'pearson'")


def test_sentinels_and_the_methods_paragraph_are_written(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--human", "esa", "--statistic", "spa", "acc_eq", "--compare", "acc_eq", "--sentinels", "--format", "json")
    code, out, err = run(capsys, table, *asked)
    assert code == 0, err
    bundle = json.loads(out)
    guarded = {(one["metric"], one["statistic"]): one for one in bundle["sentinels"]}
    # These systems have no texts, so that chance alone stands beside the metrics.
    assert {one["sentinel"] for one in bundle["sentinels"]} == {"a random score"}
    assert guarded["good", "acc_eq"]["sentence"] == ""
    said = "Accuracy with ties, calibrated: no evidence that bad measures more than chance."
    assert guarded["bad", "acc_eq"]["sentence"] == said
    text = bundle["methods"]["text"]
    for part in (
        "We compared metrics (good and bad) with esa ratings of 6 systems, without human translations,",
        "soft pairwise accuracy (Thompson et al., 2024), accuracy with ties, calibrated (Deutsch et al., 2023)",
        "resamples of segments and systems, the same for all metrics (Deutsch et al., 2021)",
        "1 of 1 difference would remain",
    ):
        assert part in text
    assert "@inproceedings{thompson-2024," in bundle["methods"]["bibtex"]
    (other,) = bundle["systems_exchanged"]
    assert (other["test"], other["verdict"]) == ("exchange-systems", "better")


def test_without_a_metric_all_that_the_data_have_are_taken(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--human", "esa", "--statistic", "accuracy", "--resamples", "100", "--format", "json"]
    code = main(["meta-eval", "--ratings", f"{table}:higher", *asked])
    found = capsys.readouterr()
    assert code == 0, found.err
    assert [row["metric"] for row in json.loads(found.out)["meta_eval"]] == ["good", "bad"]
    alone = table.with_name("alone.tsv")
    alone.write_text("system\tsegment\tesa\na\t1\t2\nb\t1\t3\n", encoding="utf-8")
    code = main(["meta-eval", "--ratings", f"{alone}:higher"])
    assert code == 2
    worded(capsys.readouterr().err)


def test_what_is_found_is_written_into_a_folder(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("--human", "esa", "--statistic", "accuracy", "--verdicts", "--out", str(tmp_path / "out"))
    code, out, err = run(capsys, table, *asked)
    assert code == 0, err
    assert "Significant in both" in out
    # Outcomes have words on the screen, not the names that programs read.
    assert "metric_only" not in out
    files = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    endings = {f"meta-eval.{ending}" for ending in ("json", "csv", "tex", "md", "html")}
    pictures = {
        f"meta-eval-{stem}.{kind}"
        for stem in ("agreement", "verdicts-good", "verdicts-bad")
        for kind in ("html", "pdf")
    }
    assert set(files) == endings | pictures
    assert all(files[name].startswith(b"%PDF") for name in files if name.endswith(".pdf"))
    bundle = json.loads(files["meta-eval.json"])
    assert {row["metric"] for row in bundle["verdicts"]} == {"good", "bad"}
    assert sum(row["metric"] == "good" for row in bundle["verdicts"]) == 15
    assert b"\\toprule" in files["meta-eval.tex"]
    assert files["meta-eval.md"].count(b"|---") >= 5
    assert files["meta-eval.html"].startswith(b"<!doctype html>")
    assert len(files["meta-eval.csv"].splitlines()) == 3


def test_pairs_of_several_sets_are_pooled(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "scores.higher.tsv").write_text(table.read_text(encoding="utf-8"), encoding="utf-8")
        folders.append(str(folder))
    asked = ["--human", "esa", "--metric", "rating:good", "rating:bad", "--resamples", "100"]
    code = main(["meta-eval", "--set", *folders, *asked, "--format", "json"])
    found = capsys.readouterr()
    assert code == 0, found.err
    good, bad = json.loads(found.out)["meta_eval"]
    # Twice the same six systems: 15 pairs each, all right.
    assert (good["metric"], good["sets"], good["right"], good["pairs"]) == ("good", 2, 30, 30)
    assert bad["pairs"] == 30
    assert bad["ci_low"] <= bad["value"] <= bad["ci_high"]
    assert found.err.count("refB is left out") == 1
    assert main(["meta-eval", "--set", *folders, *asked, "--verdicts"]) == 2
    worded(capsys.readouterr().err)


def test_scores_of_whole_systems_take_no_verdicts_from_other_metrics(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(table, folder / "ratings.higher.tsv")
    systems = sorted({line.split("\t")[0] for line in table.read_text(encoding="utf-8").splitlines()[1:]})
    text = "".join(f"{name}\t{place}\n" for place, name in enumerate(systems))
    (folder / "COMET-refA.sys.score").write_text(text, encoding="utf-8")
    asked = ["--human", "esa", "--statistic", "accuracy", "--verdicts", "--resamples", "100"]
    code = main(["meta-eval", "--data", str(folder), *asked, "--metric", "rating:good", "rating:COMET-refA"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    worded(parts(captured.err + captured.out, "whole systems"))
    assert "Significant in both" in captured.out


def test_people_who_scored_whole_systems_alone_are_taken_without_being_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = {"a": (1, 10), "b": (2, 30), "c": (3, 20), "d": (4, 50), "e": (5, 40), "f": (6, 60)}
    for name in ("systems", "refs"):
        (tmp_path / name).mkdir()
    for name in scores:
        (tmp_path / "systems" / f"{name}.txt").write_text("a cat\n", encoding="utf-8")
    (tmp_path / "refs" / "refA.txt").write_text("the cat\n", encoding="utf-8")
    table = ["system\tmqm\tCOMET", *(f"{name}\t{mqm}\t{comet}" for name, (mqm, comet) in scores.items())]
    (tmp_path / "scores.sys.tsv").write_text("\n".join(table) + "\n", encoding="utf-8")
    asked = ["--metric", "rating:COMET", "--resamples", "100", "--format", "json"]
    code = main(["meta-eval", "--data", str(tmp_path), *asked])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    rows = {row["statistic"]: row for row in json.loads(captured.out)["meta_eval"]}
    # b–c and d–e are turned round: 13 of 15 pairs; r of ranks 1 3 2 5 4 6 is 1 − 6·4/(6·35).
    assert (rows["accuracy"]["right"], rows["accuracy"]["groups"]) == (13, 15)
    assert rows["pearson"]["value"] == pytest.approx(1 - 24 / 210)
    worded(captured.err)
    assert main(["meta-eval", "--data", str(tmp_path), *asked, "--human", "none"]) == 2
    assert main(["raters", "--data", str(tmp_path)]) == 2
    assert "Known: none" in capsys.readouterr().err


def test_what_is_kept_is_enough_to_make_the_numbers_again(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As docs/meta-eval.md shows it: the data, and what stands in the bundle."""
    code, out, err = run(
        capsys, table, "--human", "esa", "--format", "json", "--statistic", "spa", "acc_eq", "--group-by", "system",
        "--compat", "mtme", "--human-translations", "include", "--over", "segments", "--compare", "spa",
    )  # fmt: skip
    assert code == 0, err
    kept = json.loads(out)
    assert kept["settings"]["statistics"]["spa"]["p"] == "mtme"

    corpus = read_files([], [], ratings=[f"{table}:higher"])
    assert corpus.digest == kept["data"]["digest"]
    human, used = kept["human"], dict(kept["settings"])
    names = dict.fromkeys(row["metric"] for row in kept["meta_eval"])
    statistics = [replace(STATISTICS[name], **options) for name, options in used["statistics"].items()]
    settings = Settings(**{name: used[name] for name in ("level", "n_resamples", "seed", "unit")})
    rated = RatedData.of(
        corpus, f"rating:{human['name']}", [f"rating:{name}" for name in names],
        humans=human["humans"], segments=human["segments"],
    )  # fmt: skip
    again = meta_eval(
        rated, statistics, by=used["statistics"]["acc_eq"]["by"], over=used["over"], settings=settings,
        without=human["without"],
    )  # fmt: skip
    kept_again = trust_bundle(corpus, settings, again)
    assert (kept_again["meta_eval"], kept_again["settings"]) == (kept["meta_eval"], kept["settings"])
    (comparison,) = compare_metrics(rated, statistics[0], settings=settings)
    assert comparison.p_value == kept["comparisons"][0]["p_value"]
