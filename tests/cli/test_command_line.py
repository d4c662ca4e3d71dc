"""The command line: a result on stdout, everything else on stderr, exit code 2 and one line for bad input."""

import csv
import importlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from kept import Kept, worded
from made import Run, flat, made_corpus, write

from mtsig import Corpus, measure, read
from mtsig.citations import VERSION
from mtsig.cli._verbs import VERBS
from mtsig.metrics import METRICS
from mtsig.report import EXPORTERS
from mtsig.study._record import REPORT_FORMATS

SETTINGS = {"test", "correction", "interval", "level", "n_resamples", "seed", "unit", "rng"}
DATA = {"segments", "documents", "systems", "references", "ratings", "digest"}
SYSTEM_ROW = ["metric", "signature", "system", "score", "ci_low", "ci_high"]
COMPARISON_ROW = [
    "metric", "first", "second", "difference", "ci_low", "ci_high", "p_value", "p_adjusted", "exact", "units",
    "n_differing", "bootstrap_win_rate", "significant",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("set"), made_corpus(n=120, systems=3, documents=24))


def as_json(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, _ = run(*arguments, "--format", "json")
    assert code == 0
    return flat(json.loads(out))


def mtsig(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    command = [sys.executable, "-m", "mtsig", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", **options)


# --- the bundle ---------------------------------------------------------------------------------------------


def test_score_prints_the_bundle(run: Run, folder: Path) -> None:
    found = as_json(run, "score", "--data", folder, "--metric", "bleu", "chrf", "--resamples", 200, "--seed", 7)
    assert set(found) >= {"schema", "mtsig", "settings", "data", "systems"}
    assert "comparisons" not in found
    assert found["schema"] == "mtsig/3"
    assert found["mtsig"] == VERSION
    assert set(found["settings"]) == SETTINGS
    assert found["settings"]["test"] is None
    assert found["settings"]["correction"] is None
    assert (found["settings"]["n_resamples"], found["settings"]["seed"], found["settings"]["level"]) == (200, 7, 0.95)
    assert set(found["data"]) == DATA
    assert found["data"]["digest"] == read(folder).digest
    assert (found["data"]["segments"], found["data"]["documents"]) == (120, 24)
    assert (found["data"]["systems"], found["data"]["references"]) == (["sys0", "sys1", "sys2"], ["ref0"])
    assert [list(row)[:6] for row in found["systems"]] == [SYSTEM_ROW] * 6
    assert [row["metric"] for row in found["systems"]] == ["BLEU"] * 3 + ["chrF2"] * 3


def test_scores_are_printed_in_full(run: Run, folder: Path) -> None:
    found = as_json(run, "score", "--data", folder, "--metric", "bleu")
    scores = measure(read(folder), "bleu").scores
    assert [row["score"] for row in found["systems"]] == scores.tolist()
    assert all(row["ci_low"] < row["score"] < row["ci_high"] for row in found["systems"])


def test_compare_prints_the_bundle(run: Run, folder: Path) -> None:
    found = as_json(run, "compare", "--data", folder, "--metric", "bleu", "chrf", "--resamples", 200)
    assert set(found["settings"]) == SETTINGS | {"alternative", "estimand"}
    assert (found["settings"]["test"], found["settings"]["correction"]) == ("jackknife-t", "holm")
    assert found["settings"]["unit"] == "document"
    assert len(found["systems"]) == 6
    assert len(found["comparisons"]) == 6
    for row in found["comparisons"]:
        # The keys of the issue in the order; others may stand between them.
        assert [key for key in row if key in COMPARISON_ROW] == COMPARISON_ROW
        assert row["units"] == 24
        assert 0 < row["p_value"] <= row["p_adjusted"] <= 1
        assert isinstance(row["exact"], bool)
        # Few draws may leave a p on both sides of alpha: that is no yes and no no.
        open_still = row["p_adjusted_mc_low"] <= 0.05 < row["p_adjusted_mc_high"]
        assert row["significant"] is (None if open_still else row["p_adjusted"] <= 0.05)
        assert row["ci_low"] <= row["difference"] <= row["ci_high"]
    scores = {(row["metric"], row["system"]): row["score"] for row in found["systems"]}
    for row in found["comparisons"]:
        first, second = (scores[row["metric"], row[side]] for side in ("first", "second"))
        assert row["difference"] == pytest.approx(first - second, abs=1e-9)


def test_ablate_prints_the_bundle(run: Run, folder: Path) -> None:
    found = as_json(run, "size-curve", "--data", folder, "--shares", ".5", "1", "--repeats", 12, "--unit", "segment")
    assert set(found["data"]) == DATA
    assert found["settings"]["sizes"] == [0.5, 1.0]
    assert found["settings"]["repeats"] == 12
    assert len(found["sizes"]) == 6
    assert {row["units"] for row in found["sizes"]} == {60, 120}
    assert {row["subsets"] for row in found["sizes"]} == {1, 12}


def test_a_pair_of_single_runs_is_warned_of_in_the_bundle_too(run: Run, tmp_path: Path) -> None:
    # A folder of its own: the other tests share theirs.
    folder = write(tmp_path, made_corpus(n=120, systems=3, documents=24))
    for name in ("sys0", "sys1"):
        place = folder / "systems" / f"{name}.txt"
        place.rename(place.with_name(f"{name}.run1.txt"))
    pair = ("--pair", "sys0.run1", "sys1.run1")
    for verb, more in (("size-curve", ("--shares", "1")), ("audit", ()), ("power", ("--difference", 1))):
        notes = as_json(run, verb, "--data", folder, *pair, *more)["notes"]
        assert any(note.startswith("Single runs") for note in notes), verb


def test_ablate_takes_a_pair(run: Run, folder: Path) -> None:
    found = as_json(run, "size-curve", "--data", folder, "--pair", "sys0", "sys2", "--shares", "1")
    (row,) = found["sizes"]
    scores = measure(read(folder), "bleu").scores
    assert row["score"] == pytest.approx(scores[0] - scores[2])
    assert row["relative_width"] is None


def test_a_method_without_p_values_prints_none(run: Run, folder: Path) -> None:
    found = as_json(run, "compare", "--data", folder, "--test", "bootstrap-koehn", "--resamples", 100)
    assert found["settings"]["correction"] == "none"
    assert {row["p_value"] for row in found["comparisons"]} == {None}
    assert {row["significant"] for row in found["comparisons"]} <= {True, False}
    assert all(0 <= row["bootstrap_win_rate"] <= 1 for row in found["comparisons"])


def test_a_correction_that_was_replaced_is_named_as_it_was_used(run: Run, folder: Path, kept: Kept) -> None:
    arguments = ("compare", "--data", folder, "--test", "bootstrap-ci", "--correction", "minp", "--resamples", 100)
    found = as_json(run, *arguments)
    assert found["settings"]["correction"] == "holm"
    kept("compare", run(*arguments)[2])


# --- choices --------------------------------------------------------------------------------------------------


def test_pairs_can_be_those_against_one_system(run: Run, folder: Path) -> None:
    found = as_json(run, "compare", "--data", folder, "--baseline", "sys1", "--resamples", 100)
    assert [(row["first"], row["second"]) for row in found["comparisons"]] == [("sys0", "sys1"), ("sys2", "sys1")]


def test_metric_options_ride_on_the_name(run: Run, folder: Path) -> None:
    found = as_json(
        run, "score", "--data", folder, "--metric", "bleu:tokenize=char,lowercase=true", "chrf:word_order=2"
    )
    first, *_, plus = found["systems"]
    assert "case:lc" in first["signature"]
    assert "tok:char" in first["signature"]
    assert plus["metric"] == "chrF2++"
    again = as_json(run, "score", "--data", folder, "--metric", "chrf++")
    assert again["systems"][-1]["signature"] == plus["signature"]


def test_a_metric_named_twice_is_refused(run: Run, folder: Path, kept: Kept) -> None:
    code, out, err = run("score", "--data", folder, "--metric", "chrf:word_order=2", "chrf++")
    assert (code, out) == (2, "")
    kept("score", err)


@pytest.mark.parametrize(("unit", "units"), [("segment", 120), ("document", 24), ("auto", 24)])
def test_the_unit_can_be_chosen(run: Run, folder: Path, unit: str, units: int) -> None:
    found = as_json(run, "compare", "--data", folder, "--unit", unit, "--resamples", 100)
    assert {row["units"] for row in found["comparisons"]} == {units}
    assert found["settings"]["unit"] == ("segment" if unit == "segment" else "document")


def test_the_level_widens_intervals_and_lowers_alpha(run: Run, folder: Path) -> None:
    usual, wide = (
        as_json(run, "compare", "--data", folder, "--level", level, "--resamples", 100) for level in (".95", ".999")
    )
    for one, other in zip(usual["comparisons"], wide["comparisons"], strict=True):
        assert other["ci_low"] < one["ci_low"] < one["ci_high"] < other["ci_high"]
        assert other["significant"] == (other["p_adjusted"] <= 0.001)


@pytest.mark.parametrize("interval", ["ij", "percentile"])
def test_the_interval_can_be_chosen(run: Run, folder: Path, interval: str) -> None:
    found = as_json(run, "score", "--data", folder, "--interval", interval, "--resamples", 100)
    assert found["settings"]["interval"] == interval


def test_files_can_be_named_one_by_one(run: Run, folder: Path) -> None:
    arguments = [
        "--ref", f"human={folder / 'refs/ref0.txt'}",
        "--sys", f"mine={folder / 'systems/sys0.txt'}", folder / "systems/sys1.txt",
        "--source", folder / "systems/sys2.txt", "--docs", folder / "docids.txt",
    ]  # fmt: skip
    found = as_json(run, "score", *arguments)
    assert found["data"]["systems"] == ["mine", "sys1"]
    assert found["data"]["references"] == ["human"]
    assert found["data"]["documents"] == 24


def test_systems_and_references_can_be_picked_in_order(run: Run, folder: Path) -> None:
    found = as_json(run, "score", "--data", folder, "--systems", "sys2", "sys0", "--references", "ref0")
    assert [row["system"] for row in found["systems"]] == ["sys2", "sys0"]


def test_the_same_command_gives_the_same_digits(run: Run, folder: Path) -> None:
    arguments = ("compare", "--data", folder, "--interval", "percentile", "--resamples", 300, "--format", "json")
    assert run(*arguments)[1] == run(*arguments)[1]
    assert run(*arguments, "--seed", 2)[1] != run(*arguments)[1]


# --- where things are printed -----------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["score", "compare", "size-curve"])
def test_csv_holds_the_rows_of_the_bundle(run: Run, folder: Path, verb: str) -> None:
    arguments = (verb, "--data", folder, *(["--repeats", 5] if verb == "size-curve" else ["--resamples", 100]))
    bundle = as_json(run, *arguments)
    code, out, _ = run(*arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    expected = bundle[{"score": "systems", "compare": "comparisons", "size-curve": "sizes"}[verb]]
    assert code == 0
    assert len(rows) == len(expected)
    for row, one in zip(rows, expected, strict=True):
        assert set(row) <= set(one)
        assert list(row)[:3] == ["metric", "signature", {"score": "system", "compare": "first"}.get(verb, list(row)[2])]
        assert row["metric"] == "BLEU"
        assert float(row["ci_low"]) == one["ci_low"]


@pytest.mark.parametrize("verb", ["score", "compare", "size-curve"])
def test_the_table_names_every_system_and_the_signature(run: Run, folder: Path, verb: str) -> None:
    code, out, err = run(verb, "--data", folder, *(["--repeats", 5] if verb == "size-curve" else ["--resamples", 100]))
    assert code == 0
    for name in ("sys0", "sys1", "sys2", f"mtsig:{VERSION}"):
        assert name in out
    assert "Traceback" not in err


def test_names_with_markup_are_printed_as_they_are(run: Run, tmp_path: Path) -> None:
    corpus = made_corpus(n=30, systems=2, documents=0)
    names = dict(zip(["[bold red]a", "b [link=x] :smile:"], corpus.outputs.values(), strict=True))
    place = write(tmp_path, Corpus.of({name: list(lines) for name, lines in names.items()}, corpus.references))
    code, out, _ = run("compare", "--data", place, "--resamples", 100)
    assert code == 0
    for name in names:
        assert name in out


def test_notes_go_to_stderr_and_leave_the_result_alone(run: Run, folder: Path, tmp_path: Path, kept: Kept) -> None:
    corpus = read(folder)
    place = write(tmp_path, Corpus.of({"a": ["", *corpus.lines("sys0")[1:]]}, corpus.references))
    (place / "notes.md").write_text("x", encoding="utf-8")
    code, out, err = run("score", "--data", place, "--format", "json")
    assert code == 0
    json.loads(out)
    kept("score", err)
    assert len(err.splitlines()) == len(set(err.splitlines()))


def test_real_runs_print_only_the_result_and_the_same_bytes_whatever_the_hash_seed(folder: Path) -> None:
    runs = [
        mtsig("compare", "--data", folder, "--resamples", 200, "--format", "json", env={"PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout
    for done in runs:
        assert done.returncode == 0
        assert json.loads(done.stdout)["mtsig"] == VERSION
        assert "\x1b" not in done.stdout + done.stderr


def test_version_is_printed(run: Run) -> None:
    assert run("--version") == (0, f"mtsig {VERSION}\n", "")


def test_the_installed_command_is_the_same_program_and_ends_with_2_on_bad_input(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("mtsig")
    if not command.exists():
        pytest.skip("mtsig is not installed as a command here")
    asked = [command, "score", "--data", "gone"]
    done = subprocess.run(asked, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    worded(done.stderr)


@pytest.mark.parametrize("verb", ["score", "compare", "size-curve", "dashboard"])
def test_help_is_there(run: Run, verb: str) -> None:
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert "--data" in out


def test_the_help_of_a_verb_is_about_this_verb(run: Run) -> None:
    helps = {verb: " ".join(run(verb, "--help")[1].split()) for verb in VERBS}
    assert not [verb for verb, out in helps.items() if "see the verb's help" in out]
    assert f"(default: {' '.join(REPORT_FORMATS)})" in helps["report"]
    assert ", ".join(EXPORTERS) in helps["report"]
    gate = helps["gate"]
    for code, outcome in {0: "pass", 1: "regression", 2: "bad input", 3: "inconclusive"}.items():
        assert f" {code} {outcome}" in gate.partition("exit codes:")[2]
    worded(helps["check"].partition("exit codes")[2], "0 done", "2 bad", "4 --strict")
    worded(helps["report"].partition("exit codes")[2], "0 done", "2 bad", "5 the study")
    assert "may be worse" in gate
    assert "power" not in gate
    assert "equivalence" not in gate
    assert "margin of equivalence" in helps["power"]
    assert "non-inferiority" not in helps["power"]
    assert "open the lesson" in helps["dashboard"]
    assert "only the lessons" in helps["lessons"]
    assert "exit codes:" not in helps["score"]
    assert "verdict line" not in run("score", "--help-all")[1]


@pytest.mark.parametrize("style", ["json", *(pytest.param(one, marks=pytest.mark.slow) for one in ("table", "csv"))])
def test_a_reader_that_stops_listening_is_no_error(folder: Path, style: str) -> None:
    command = [sys.executable, "-m", "mtsig", "score", "--data", str(folder), "--format", style]
    # Buffered, as for users: the pipe may break only when Python empties the buffer at its end.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=env, **pipes) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()  # as `| head` does once it has seen enough
        err = running.stderr.read()
        assert running.wait(180) == 0
    assert "BrokenPipe" not in err
    assert "Traceback" not in err


# --- bad input -----------------------------------------------------------------------------------------------------


def test_every_verb_needs_data(run: Run, kept: Kept) -> None:
    code, out, err = run("score")
    assert (code, out) == (2, "")
    kept("score", err)


BAD: dict[str, tuple[Sequence[str], str]] = {
    "no such folder": (("score", "--data", "gone"), "gone: there is no such file or folder"),
    "no such folder, alone": (("compare", "gone"), "gone: there is no such file or folder"),
    "a metric, alone": (("compare", "bleu:lowercase=true"), "To use metrics, write --metric bleu:lowercase=true"),
    "no such file": (("score", "--ref", "ref.txt", "--sys", "gone.txt"), "gone.txt: there is no such file"),
    "both ways at once": (
        ("score", "--data", "set", "--ref", "ref.txt"),
        "--data cannot be given together with --ref. Put the files into the folder (refs/, source.txt, docids.txt), or",
    ),
    "documents beside a table": (
        ("score", "--data", "ref.txt", "--docs", "a.txt"),
        "--data cannot be given together with --docs. If ref.txt is a table of scores, write --ratings ref.txt",
    ),
    "unequal": (("score", "--ref", "ref.txt", "--sys", "long.txt"), "The first extra one is line 4 of system 'long'"),
    "several unequal": (
        ("score", "--ref", "ref.txt", "--sys", "a.txt", "long.txt", "short.txt"),
        "Others differ too: system 'short'",
    ),
    "empty": (("score", "--ref", "ref.txt", "--sys", "empty.txt"), "empty.txt is empty"),
    "Latin-1": (("score", "--ref", "ref.txt", "--sys", "latin.txt"), "line 2, byte 2 of the line is 0xE9"),
    "binary": (("score", "--ref", "ref.txt", "--sys", "binary.txt"), "looks binary"),
    "documents": (("score", "--ref", "ref.txt", "--sys", "a.txt", "--docs", "long.txt"), "has 4 segments"),
    "no reference": (("score", "--sys", "a.txt"), "needs a reference"),
    "one system": (("compare", "--ref", "ref.txt", "--sys", "a.txt"), "needs two systems; found only 'a'"),
    "same name": (("score", "--ref", "ref.txt", "--sys", "a.txt", "a.txt"), "Two systems are named 'a'"),
    "metric": (("score", "--data", "set", "--metric", "blue"), "Did you mean 'bleu'? Known: bleu, chrf"),
    "option": (("score", "--data", "set", "--metric", "bleu:tok=13a"), "Known: tokenize, lowercase"),
    "value": (("score", "--data", "set", "--metric", "bleu:tokenize=14a"), "one of auto, none, zh, 13a"),
    "no value": (("score", "--data", "set", "--metric", "bleu:lowercase"), "name=value"),
    "test": (("compare", "--data", "set", "--test", "z"), "auto, bootstrap-koehn, ar, jackknife-t, ij-t"),
    "correction": (("compare", "--data", "set", "--correction", "fdr"), "minp, holm"),
    "interval": (("score", "--data", "set", "--interval", "wald"), "ij, percentile"),
    "unit": (("score", "--data", "set", "--unit", "word"), "auto, segment, block, document"),
    "level": (("score", "--data", "set", "--level", "95"), "0.5 to 0.9999"),
    "level in words": (("score", "--data", "set", "--level", "high"), "'high'"),
    "few draws": (("score", "--data", "set", "--resamples", "9"), "from 10 to"),
    "half a draw": (("score", "--data", "set", "--resamples", "99.5"), "a whole number"),
    "many draws": (("compare", "--data", "set", "--resamples", "99999999999"), "to 10,000,000"),
    "seed": (("score", "--data", "set", "--seed", "-1"), "from 0 to"),
    "pairs": (("compare", "--data", "set", "--baseline", "nobody"), "Known: a, b"),
    "pairs and a pair": (("compare", "--data", "set", "--baseline", "b", "--pair", "a", "b"), "not both"),
    "pairs with one and a pair": (("compare", "--data", "set", "--baseline", "a", "--pair", "a", "b"), "not both"),
    "system": (("score", "--data", "set", "--systems", "nobody"), "Known: a, b"),
    "reference": (("score", "--data", "set", "--references", "nobody"), "no reference called 'nobody'"),
    "unit without documents": (("score", "--data", "set", "--unit", "document"), "no document ids were given"),
    "size": (("size-curve", "--data", "set", "--shares", "2"), "above 0 and up to 1; found 2.0"),
    "size in words": (("size-curve", "--data", "set", "--shares", "half"), "found 'half'"),
    "pair of one": (("size-curve", "--data", "set", "--pair", "a", "a"), "cannot be compared with itself"),
    "format": (("score", "--data", "set", "--format", "xml"), "invalid choice: 'xml'"),
    "verb": (("scores", "--data", "set"), "invalid choice: 'scores'"),
    "flag": (("score", "--data", "set", "--flag"), "unknown argument: --flag"),
    "missing value": (("score", "--data"), "expected one argument"),
}


@pytest.fixture
def bad_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    contents = {
        "ref.txt": b"uno dos tres\nseis\nocho\n",
        "a.txt": b"uno dos\nsiete\nocho\n",
        "long.txt": b"1\n2\n3\n4\n",
        "short.txt": b"1\n",
        "empty.txt": b"",
        "latin.txt": b"uno\nd\xe9\ntres\n",
        "binary.txt": b"\0\1\2",
        "set/ref.txt": b"uno dos tres\nseis\nocho\n",
        "set/a.txt": b"uno dos\nsiete\nocho\n",
        "set/b.txt": b"uno\nseis siete\nocho\n",
    }
    for name, content in contents.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_on_stderr_and_exit_code_2(run: Run, bad_place: Path, case: str) -> None:
    arguments, expected = BAD[case]
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert expected in err
    assert err.startswith("mtsig: ")
    assert err.count("\n") == 1


# --- the dashboard ---------------------------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands that would have been started."""
    calls: list[list[str]] = []

    def become(program: str, command: list[str]) -> None:
        assert program == command[0]
        calls.append(command)
        raise SystemExit(0)  # the real one never comes back

    monkeypatch.setattr(mtsig_dashboard().os, "execv", become)
    return calls


def mtsig_dashboard() -> Any:
    return importlib.import_module("mtsig.cli._dashboard")


def test_the_dashboard_is_not_started_on_bad_input(
    run: Run, bad_place: Path, started: list[list[str]], kept: Kept
) -> None:
    code, _, err = run("dashboard", "--data", "gone")
    assert code == 2
    kept("dashboard", err)
    assert started == []


@pytest.mark.parametrize("between", [(), ("--",)])
def test_the_dashboard_gets_its_data_and_streamlit_its_flags(
    run: Run, bad_place: Path, started: list[list[str]], between: tuple[str, ...]
) -> None:
    code, _, _ = run("dashboard", "--data", "set", *between, "--server.port", "8599", "--server.headless=true")
    assert code == 0
    (command,) = started
    # -P: a folder or file called dashboard where the user stands must not run instead.
    assert command[:4] == [sys.executable, "-P", "-m", "mtsig_dashboard"]
    ours = command[command.index("--") + 1 :]
    theirs = command[4 : command.index("--")]
    assert ours == ["--data", "set"]
    assert theirs == ["--server.port", "8599", "--server.headless=true"]


def test_the_dashboard_gets_several_test_sets(run: Run, bad_place: Path, started: list[list[str]], kept: Kept) -> None:
    for name in ("a", "b"):
        shutil.copytree("set", f"sets/{name}")
    for arguments in (["--set", "sets"], ["--data", "sets"]):
        assert run("dashboard", *arguments)[0] == 0
        assert started.pop()[-3:] == ["--", "--set", "sets"]
    assert run("dashboard", "--set", "x=sets/a", "sets/b")[0] == 0
    assert started.pop()[-3:] == ["--set", "x=sets/a", "sets/b"]
    code, _, err = run("dashboard", "--set", "sets", "--data", "set")
    assert code == 2
    kept("dashboard", err)
    Path("sets/b/ref.txt").write_text("one line\n")
    code, _, err = run("dashboard", "--set", "sets")
    assert code == 2
    assert "b: " in err
    assert started == []


def test_the_dashboard_starts_without_data(run: Run, started: list[list[str]]) -> None:
    assert run("dashboard")[0] == 0
    assert len(started) == 1


def test_the_dashboard_opens_with_a_lesson(
    run: Run, started: list[list[str]], monkeypatch: pytest.MonkeyPatch, kept: Kept
) -> None:
    monkeypatch.setenv("MTSIG_LESSON", "")  # put back after the test
    assert run("dashboard", "--lesson", "2")[0] == 0
    assert os.environ["MTSIG_LESSON"] == "2"
    code, _, err = run("dashboard", "--lesson", "77")
    assert code == 2
    kept("dashboard", err)
    assert len(started) == 1


def test_every_metric_is_listed(run: Run) -> None:
    out = run("metrics")[1]
    for name in METRICS:
        assert name in out
    rows = list(csv.DictReader(io.StringIO(run("metrics", "--format", "csv")[1])))
    assert [row["name"] for row in rows] == [*METRICS]
    assert "tokenize" in rows[0]["options"].split(",")


def test_fewer_systems_than_a_pair_are_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("a\nb\n")
    (tmp_path / "ours.txt").write_text("a\nc\n")
    for verb, said in (("audit", "found only 'ours'"), ("runs", "(X.run1, X.run2 …, or named by --runs); found none")):
        code, _, err = run(verb, "--data", tmp_path)
        assert (code, said in err) == (2, True), err
