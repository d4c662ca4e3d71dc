"""The verbs audit, runs and power, and compare with joined metrics and ranks: results, formats, and bad input."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept import Kept
from made import Run, flat, made_corpus, write
from sampled import crossed

from mtsig import Corpus
from mtsig.inference import TESTS
from mtsig.resampling import RNG


def varied(corpus: Corpus, keep: float, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(w if rng.random() < keep else "x" for w in line.split()) for line in corpus.lines("sys0")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("set"), made_corpus(n=120, systems=4, documents=24))


@pytest.fixture(scope="module")
def runs_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = made_corpus(n=80, systems=1, documents=0)
    outputs = {f"X.run{r}": varied(base, 0.95, r) for r in range(3)}
    outputs |= {f"Y.run{r}": varied(base, 0.8, 10 + r) for r in range(2)} | {"Z": varied(base, 0.9, 20)}
    return write(tmp_path_factory.mktemp("runs"), Corpus.of(outputs, base.references))


def as_json(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--format", "json")
    assert code == 0, err

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return flat(json.loads(out, parse_constant=refuse))


def test_the_audit_prints_every_test(run: Run, folder: Path) -> None:
    found = as_json(run, "audit", "--data", folder, "--pair", "sys0", "sys2", "--resamples", 100, "--seed", 3)
    assert {row["test"] for row in found["tests"]} == set(TESTS)
    assert {row["unit"] for row in found["tests"]} == {"document", "segment"}
    assert (found["settings"]["n_resamples"], found["settings"]["seed"]) == (100, 3)
    assert all(row["problem"] or row["p_value"] or row["test"] == "bootstrap-koehn" for row in found["tests"])
    code, out, _ = run("audit", "--data", folder, "--pair", "sys0", "sys2", "--resamples", 100)
    assert code == 0
    for name in TESTS:
        assert name in out


def test_the_audit_takes_several_metrics(run: Run, folder: Path) -> None:
    found = as_json(run, "audit", "--data", folder, "--pair", "sys0", "sys1", "--metric", "bleu", "sentchrf",
                    "--resamples", 100, "--unit", "segment")  # fmt: skip
    rows = {(row["metric"], row["test"], row["unit"]): row for row in found["tests"]}
    assert rows["BLEU", "t", "segment"]["problem"]
    assert rows["sentchrF2", "t", "segment"]["p_value"] is not None


def test_runs_are_found_by_name(run: Run, runs_folder: Path, kept: Kept) -> None:
    found = as_json(run, "runs", "--data", runs_folder, "--metric", "bleu", "chrf")
    assert [(row["metric"], row["first"], row["second"]) for row in found["runs"]] == [
        ("BLEU", "X", "Y"), ("chrF2", "X", "Y"),
    ]  # fmt: skip
    assert (found["runs"][0]["first_runs"], found["runs"][0]["second_runs"]) == (3, 2)
    assert found["runs"][0]["difference"] > 0
    code, out, err = run("runs", "--data", runs_folder)
    assert code == 0
    kept("runs", out)
    assert "two runs can" not in err  # once is enough
    assert "degrees of freedom" in out


def test_the_record_of_runs_makes_them_again(run: Run, runs_folder: Path, kept: Kept) -> None:
    asked = ("runs", "--data", runs_folder, "--resamples", 300, "--seed", 7)
    found = as_json(run, *asked)
    assert (found["settings"]["n_resamples"], found["settings"]["seed"], found["settings"]["rng"]) == (300, 7, RNG)
    assert any("two runs can" in note for note in found["notes"])
    (row,) = found["runs"]
    assert (row["n_resamples"], row["seed"], row["level"], row["unit"]) == (300, 7, 0.95, "segment")
    assert row["p_mc_low"] <= row["p_value"] <= row["p_mc_high"]
    assert row["p_value"] * 301 == pytest.approx(round(row["p_value"] * 301))
    assert row["verdict"] in ("better", "not_significant", "withheld")
    assert min(row["first_run_variance"], row["second_run_variance"]) > 0
    named = [f"{row[side]}={','.join(row[side + '_outputs'])}" for side in ("first", "second")]
    assert as_json(run, *asked, "--runs", *named)["runs"] == found["runs"]
    assert as_json(run, "runs", "--data", runs_folder, "--seed", 8)["runs"][0]["p_value"] != row["p_value"]
    code, out, err = run(*asked, "--format", "csv")
    (flat,) = csv.DictReader(io.StringIO(out))
    assert (code, flat["first_outputs"]) == (0, "X.run0,X.run1,X.run2")
    kept("runs", err)


def test_no_system_is_better_by_what_only_describes(run: Run, runs_folder: Path) -> None:
    (row,) = as_json(run, "runs", "--data", runs_folder, "--metric", "ratio")["runs"]
    assert (row["verdict"], row["winner"]) == ("withheld", None)
    assert "is descriptive" in row["withheld_reason"]


def test_runs_can_be_named(run: Run, runs_folder: Path) -> None:
    found = as_json(run, "runs", "--data", runs_folder, "--runs", "one=X.run0,X.run2", "two=Z,Y.run1",
                    "--pair", "two", "one")  # fmt: skip
    assert (found["runs"][0]["first"], found["runs"][0]["first_runs"]) == ("two", 2)


def test_power_prints_size_and_equivalence(run: Run, folder: Path, kept: Kept) -> None:
    arguments = ("power", "--data", folder, "--pair", "sys0", "sys1")
    found = as_json(run, *arguments, "--difference", "2", "--margin", "5", "--power", ".9")
    (row,) = found["power"]
    assert (row["difference"], row["wanted"], row["unit"], row["units"]) == (2.0, 0.9, "document", 24)
    assert row["needed"] > 2
    assert 0 < row["power"]["power"] <= 1
    assert row["equivalence"]["margin"] == row["non_inferiority"]["margin"] == 5.0
    more = as_json(run, *arguments, "--difference", "1", "--power", ".9")["power"][0]
    assert more["needed"] == pytest.approx(4 * row["needed"], rel=0.01)
    assert more["equivalence"] is None
    code, out, _ = run(*arguments, "--difference", "2")
    assert code == 0
    kept("power", out)


def test_power_prints_what_a_test_set_costs(run: Run, folder: Path, kept: Kept) -> None:
    arguments = ("power", "--data", folder, "--pair", "sys0", "sys1", "--difference", "2", "--future-systems", "4")
    found = as_json(run, *arguments, "--price-segment", ".5", "--price-document", "3")
    (design,), (row,) = found["designs"], found["power"]
    assert (design["systems"], design["comparisons"], row["comparisons"]) == (4, 6, 6)
    by_documents, by_length = design["ways"]
    assert (by_documents["by"], by_length["by"]) == ("documents", "lengths")
    assert by_documents["needed"]["documents"] == row["needed"]
    assert by_documents["needed_low"]["documents"] == row["needed_low"]
    needed = by_documents["needed"]
    assert needed["cost"] == pytest.approx(0.5 * needed["segments"] + 3 * needed["documents"])
    assert as_json(run, *arguments, "--comparisons", "1")["designs"][0]["comparisons"] == 1
    assert as_json(run, *arguments[:6], "--margin", "5")["designs"] == []
    code, out, _ = run(*arguments, "--price-segment", ".5")
    assert code == 0
    kept("power", out)
    # What a pilot knows roughly is printed with two digits; JSON has them all.
    assert f"{round(needed['segments'], -2):,}" in out
    assert 1000 <= needed["segments"] < 10_000


def test_joined_metrics_are_one_family(run: Run, folder: Path) -> None:
    arguments = ("compare", "--data", folder, "--metric", "bleu", "chrf", "--resamples", 300)
    apart, joined = as_json(run, *arguments), as_json(run, *arguments, "--correct-jointly")
    assert {row["family_size"] for row in apart["comparisons"]} == {6}
    assert {row["family_size"] for row in joined["comparisons"]} == {12}
    for one, other in zip(apart["comparisons"], joined["comparisons"], strict=True):
        assert other["p_value"] == one["p_value"]
        assert other["p_adjusted"] >= one["p_adjusted"]


def test_ranks_stand_beside_all_pairs(run: Run, folder: Path) -> None:
    found = as_json(run, "compare", "--data", folder, "--metric", "bleu", "chrf", "--resamples", 300)
    assert [row["metric"] for row in found["ranks"]] == ["BLEU"] * 4 + ["chrF2"] * 4
    for row in found["ranks"]:
        assert 1 <= row["rank_low"] <= row["rank_high"] <= 4
    assert as_json(run, "compare", "--data", folder, "--baseline", "sys1", "--resamples", 100)["ranks"] == []
    without = as_json(run, "compare", "--data", folder, "--test", "bootstrap-koehn", "--resamples", 100)
    assert without["ranks"] == []


@crossed("test, correction", ["ij-t", "bootstrap-t", "bootstrap-rm2005", "sacrebleu-bs"], ["bh", "hommel", "maxt"])
def test_new_tests_and_corrections_can_be_chosen(run: Run, folder: Path, test: str, correction: str) -> None:
    found = as_json(run, "compare", "--data", folder, "--test", test, "--correction", correction, "--resamples", 100)
    assert found["settings"]["test"] == test
    assert found["settings"]["correction"] == ("holm" if correction == "maxt" else correction)
    assert {row["units"] for row in found["comparisons"]} == {120 if test == "sacrebleu-bs" else 24}


def test_a_direction_is_for_declared_pairs(run: Run, folder: Path) -> None:
    asked = ("compare", "--data", folder, "--alternative", "greater", "--resamples", 100)
    found = as_json(run, *asked, "--baseline", "sys3")
    assert found["settings"]["alternative"] == "greater"
    code, out, err = run(*asked)
    assert (code, out) == (2, "")
    assert "fixed in advance" in err


@pytest.mark.parametrize("verb", ["audit", "runs", "power"])
def test_csv_holds_flat_rows(run: Run, folder: Path, runs_folder: Path, verb: str) -> None:
    arguments: dict[str, tuple[object, ...]] = {
        "audit": ("--data", folder, "--pair", "sys0", "sys1", "--resamples", 50),
        "runs": ("--data", runs_folder),
        "power": ("--data", folder, "--pair", "sys0", "sys1", "--difference", "1", "--margin", "2"),
    }
    code, out, err = run(verb, *arguments[verb], "--format", "csv")
    assert code == 0, err
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rows
    for row in rows:
        assert row["metric"] == "BLEU"
        assert not any(value.startswith("{") for value in row.values()), row


@pytest.mark.parametrize("verb", ["audit", "runs", "power"])
def test_help_names_the_pair(run: Run, verb: str) -> None:
    code, out, _ = run(verb, "--help-all")
    assert code == 0
    assert "--pair FIRST SECOND" in out


BAD: dict[str, tuple[tuple[object, ...], str]] = {
    "audit without a pair": (("audit",), "--pair FIRST SECOND"),
    "audit of nobody": (("audit", "--pair", "sys0", "nobody"), "Known: sys0"),
    "audit of one": (("audit", "--pair", "sys0", "sys0"), "itself"),
    "audit with a bad level": (("audit", "--pair", "sys0", "sys1", "--level", "95"), "0.5 to 0.9999"),
    "half a pair": (("audit", "--pair", "sys0"), "expected 2 arguments"),
    "power of nothing": (("power", "--pair", "sys0", "sys1"), "margin"),
    "power in words": (("power", "--pair", "sys0", "sys1", "--difference", "much"), "'much'"),
    "power of 0": (("power", "--pair", "sys0", "sys1", "--difference", "0"), "difference of 0"),
    "power of nan": (("power", "--pair", "sys0", "sys1", "--difference", "nan"), "difference"),
    "power of inf": (("power", "--pair", "sys0", "sys1", "--difference", "inf"), "difference"),
    "power of next to nothing": (("power", "--pair", "sys0", "sys1", "--difference", "1e-300"), "difference"),
    "power 80": (("power", "--pair", "sys0", "sys1", "--difference", "1", "--power", "80"), "share"),
    "power of 0%": (("power", "--pair", "sys0", "sys1", "--difference", "1", "--power", "0"), "share"),
    "one system": (("power", "--pair", "sys0", "sys1", "--difference", "1", "--future-systems", "1"), "2 systems"),
    "a price in words": (("power", "--pair", "sys0", "sys1", "--difference", "1", "--price-segment", "x"), "'x'"),
    "a negative price": (("power", "--pair", "sys0", "sys1", "--difference", "1", "--price-document", "-2"), "price"),
    "a negative margin": (("power", "--pair", "sys0", "sys1", "--margin", "-1"), "positive"),
    "an endless margin": (("power", "--pair", "sys0", "sys1", "--margin", "inf"), "margin"),
    "runs of nobody": (("runs", "--pair", "sys0", "sys1"), "only one run"),
    "runs written badly": (("runs", "--runs", "sys0"), "SYSTEM=OUTPUT,OUTPUT"),
    "runs that are not there": (("runs", "--runs", "a=sys0,sys9", "b=sys1,sys2"), "sys9"),
    "a run twice": (("runs", "--runs", "a=sys0,sys0", "b=sys1,sys2"), "sys0"),
    "a system twice": (("runs", "--runs", "a=sys0,sys1", "a=sys2,sys3", "--pair", "a", "a"), "a"),
    "runs against themselves": (("runs", "--runs", "a=sys0,sys1", "--pair", "a", "a"), "itself"),
    "t on BLEU": (("compare", "--test", "t"), "sentBLEU"),
    "tukey on BLEU": (("compare", "--correction", "tukey"), "Use step-down min-P or Holm"),
    "wilson for pairs": (("compare", "--interval", "wilson"), "Use jackknife"),
    "a side that is none": (("compare", "--alternative", "both"), "two-sided, greater, less"),
    "koehn with a side": (("compare", "--baseline", "sys0", "--test", "bootstrap-koehn", "--alternative", "less"),
                          "has no one-sided form"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, folder: Path, case: str) -> None:
    (verb, *rest), expected = BAD[case]
    code, out, err = run(verb, "--data", folder, *rest)
    assert (code, out) == (2, "")
    assert expected in err
    assert err.startswith("mtsig: ")
    assert err.count("\n") == 1


def test_single_pairs_make_the_family_in_the_order_given(run: Run, folder: Path) -> None:
    found = as_json(run, "compare", "--data", folder, "--pair", "sys2", "sys0", "--pair", "sys1", "sys0",
                    "--alternative", "greater", "--resamples", "200")  # fmt: skip
    rows = found["comparisons"]
    assert [(row["first"], row["second"], row["family_size"]) for row in rows] == [
        ("sys2", "sys0", 2),
        ("sys1", "sys0", 2),
    ]
    assert all(row["difference"] < 0 and row["p_value"] > 0.5 for row in rows)


def test_single_pairs_and_a_baseline_exclude_each_other(run: Run, folder: Path) -> None:
    code, _, error = run("compare", "--data", folder, "--pair", "sys0", "sys1", "--baseline", "sys0")
    assert code != 0
    assert "not both" in error


@pytest.mark.slow
def test_methods_are_called_as_on_the_page(run: Run, folder: Path, kept: Kept) -> None:
    def printed(*flags: str) -> Any:
        return flat(json.loads(run("compare", "--data", folder, *flags, "--format", "json")[1]))

    as_sacrebleu = ("--test", "sacrebleu-bs", "--interval", "percentile", "--correction", "none", "--unit", "segment")
    assert printed("--method", "sacrebleu") == printed(*as_sacrebleu, "--resamples", "1000")
    assert printed("--method", "standard") == printed()
    # A flag beside it changes what it says.
    assert printed("--method", "sacrebleu", "--resamples", "200") == printed(*as_sacrebleu, "--resamples", "200")
    code, _, told = run("compare", "--data", folder, "--method", "wmt2")
    assert code == 2
    assert "standard" in told
    assert 'test = "wmt-wilcoxon"' in run("plan", "--metric", "bleu", "--method", "wmt")[1]
    code, _, told = run("compare", "--data", folder, "--plan", "plan.toml", "--method", "wmt")
    kept("compare", told)
