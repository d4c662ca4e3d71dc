"""`mtsig report` and `mtsig plan`: from a study to documents, and back to the data it was made from."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from kept import Kept, lacking
from made import Run, flat, made_corpus, write

from mtsig._probability import points_text, shown_decimals
from mtsig.cli import main
from mtsig.study._reading import read_study
from mtsig.study._request import plan_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("set"), made_corpus(n=60, systems=3, documents=12))


@pytest.fixture(scope="module")
def made(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("made") / "study.json"
    settings = ["--metric", "bleu", "ter", "--test", "ar", "--resamples", "200"]
    assert main(["compare", "--data", str(folder), *settings, "--out", str(file)]) == 0
    return file.read_bytes()


@pytest.fixture
def study(made: bytes, tmp_path: Path) -> Path:
    file = tmp_path / "study.json"
    file.write_bytes(made)
    return file


def changed_copy(folder: Path, place: Path, file: str, line: int, text: str) -> Path:
    for source in folder.rglob("*.txt"):
        target = place / source.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    lines = (place / file).read_text(encoding="utf-8").split("\n")
    lines[line - 1] = text
    (place / file).write_text("\n".join(lines), encoding="utf-8")
    return place


# --- the study ---------------------------------------------------------------------------------------------------


def test_what_is_saved_is_what_is_printed_as_json(run: Run, folder: Path, study: Path) -> None:
    _, out, _ = run("compare", "--data", folder, "--metric", "bleu", "ter", "--test", "ar", "--resamples", 200,
                    "--format", "json")  # fmt: skip
    assert json.loads(out) == json.loads(study.read_text(encoding="utf-8"))
    assert read_study(study).plain() == json.loads(out)


def test_a_study_is_reproduced_from_its_data(run: Run, folder: Path, study: Path, tmp_path: Path, kept: Kept) -> None:
    code, out, _ = run("report", study, "--data", folder, "--to", "json", "--out", tmp_path / "again")
    assert code == 0
    kept("report", out)
    assert (tmp_path / "again" / "study.json").read_bytes() == study.read_bytes()


def test_a_changed_line_is_named_and_the_exit_code_says_so(
    run: Run, folder: Path, study: Path, tmp_path: Path, kept: Kept
) -> None:
    other = changed_copy(folder, tmp_path / "other", "systems/sys1.txt", 17, "quite another line")
    code, out, _ = run("report", study, "--data", other, "--to", "json")
    assert code == 5
    kept("report", out)
    assert "'quite another line'" in out


def test_other_data_are_not_the_data_of_the_study(run: Run, study: Path, tmp_path: Path, kept: Kept) -> None:
    other = write(tmp_path / "more", made_corpus(n=60, systems=2, documents=12))
    code, out, _ = run("report", study, "--data", other, "--to", "json")
    assert code == 5
    kept("report", out)


def test_two_studies_are_held_against_each_other(
    run: Run, folder: Path, study: Path, tmp_path: Path, kept: Kept
) -> None:
    later = tmp_path / "later.json"
    run("compare", "--data", folder, "--metric", "bleu", "ter", "--resamples", 300, "--out", later)
    code, out, _ = run("report", later, "--since", study)
    assert code == 5
    kept("report", out)
    assert not (tmp_path / "later-report").exists()
    code, out, _ = run("report", study, "--since", study)
    assert (code, out) == (0, "Nothing changed.\n")


# --- documents -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_documents_are_written_beside_the_study(run: Run, study: Path) -> None:
    code, out, _ = run("report", study)
    assert code == 0
    place = study.parent / "study-report"
    latex = {"tables.tex", "tables-more.tex", "methods.tex", "methods-short.tex", "references.bib"}
    pictures = {f"{kind}-{metric}.pdf" for kind in ("scores", "matrix") for metric in ("bleu", "ter")}
    expected = {"report.html", "study.json", "together.pdf", *latex, *pictures}
    assert {file.name for file in place.iterdir()} == expected
    assert out.splitlines() == [str(place / Path(line).name) for line in out.splitlines()]
    assert len(out.splitlines()) == len(expected)


@pytest.mark.slow
def test_two_runs_write_the_same_bytes(run: Run, folder: Path, study: Path, tmp_path: Path) -> None:
    formats = ("html", "latex", "pdf", "markdown", "csv", "xlsx", "json")
    digests = []
    for place in ("one", "two"):
        run("report", study, "--data", folder, "--out", tmp_path / place, "--to", *formats)
        files = sorted((tmp_path / place).iterdir())
        digests.append([(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files])
    assert digests[0] == digests[1]
    assert len(digests[0]) == 17


@pytest.mark.slow
def test_draws_and_sizes_are_drawn_with_the_data(run: Run, folder: Path, study: Path, tmp_path: Path) -> None:
    pair = ("--pair", "sys0", "sys2", "--size-curve")
    code, _, _ = run("report", study, "--data", folder, *pair, "--to", "svg:paper=acl-full", "--out", tmp_path / "d")
    assert code == 0
    names = {file.stem for file in (tmp_path / "d").iterdir()}
    assert {"resampled-bleu", "shuffled-bleu", "sizes-bleu", "widths-bleu"} <= names
    text = (tmp_path / "d" / "resampled-bleu.svg").read_text(encoding="utf-8")
    row = next(one for one in flat(json.loads(study.read_text()))["comparisons"] if one["second"] == "sys2")
    decimals = shown_decimals(row["difference"], 2)
    assert f"estimate {points_text(row['difference'], decimals, signed=True)}" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--pair", "sys0", "sys1"), "Also give the data"),
        (("--to", "docx"), "no format called 'docx'"),
        (("--to", "pdf:paper=a4"), "takes one of acl-column"),
        (("--to", "pdf", "pdf:paper=acl-full"), "Two of the formats write scores-bleu.pdf"),
        (("--since", "nowhere.json"), "nowhere.json: there is no such file"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, study: Path, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run("report", study, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_a_file_that_is_no_study_is_refused(run: Run, folder: Path, tmp_path: Path, kept: Kept) -> None:
    _, out, _ = run("score", "--data", folder, "--format", "json")
    (tmp_path / "scores.json").write_text(out, encoding="utf-8")
    code, _, err = run("report", tmp_path / "scores.json")
    assert code == 2
    kept("report", err)


def test_other_verbs_load_no_drawing_library() -> None:
    code = "import sys, mtsig.cli; sys.exit(bool({'matplotlib', 'plotly', 'openpyxl', 'jinja2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_a_study_of_a_part_says_which_part_to_choose(run: Run, folder: Path, tmp_path: Path, kept: Kept) -> None:
    part, study = ("--subset", "length=long"), tmp_path / "part.json"
    assert run("compare", "--data", folder, *part, "--resamples", 100, "--out", study)[0] == 0
    text = read_study(study).subset
    assert text is not None
    assert text.startswith("length=long: ")
    code, told, _ = run("report", study, "--data", folder, "--out", tmp_path / "out")
    assert code == 5
    kept("report", told)
    code, told, _ = run("report", study, "--data", folder, *part, "--out", tmp_path / "out")
    assert code == 0
    assert "--subset" not in told
    report = next((tmp_path / "out").glob("*.html")).read_text(encoding="utf-8")
    chosen = text.partition(" of ")[0].rpartition(" ")[2]
    assert not lacking(report, "3 systems", f"on {chosen} segments", "part of the")


# --- plans -----------------------------------------------------------------------------------------------------------


def test_a_plan_is_written_read_and_followed(run: Run, folder: Path, tmp_path: Path, kept: Kept) -> None:
    code, text, _ = run("plan", "--metric", "ter", "--baseline", "sys0", "--alternative", "less", "--resamples", 200)
    assert code == 0
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    code, told, _ = run("plan", tmp_path / "plan.toml")
    assert code == 0
    assert told.splitlines()[0] == plan_of(text).digest
    kept("plan", told)
    code, out, err = run("compare", "--data", folder, "--plan", tmp_path / "plan.toml")
    kept("compare", err)
    kept("compare", out)
    code, out, err = run("compare", "--data", folder, "--plan", tmp_path / "plan.toml", "--format", "json")
    assert code == 0
    found = flat(json.loads(out))
    assert (found["status"], found["plan"]["digest"]) == ("planned", plan_of(text).digest)
    assert {row["status"] for row in found["comparisons"]} == {"planned"}
    assert found["settings"]["alternative"] == "less"
    assert "Exploratory" not in err
    assert "chosen afterwards" not in err


def test_a_one_sided_test_without_a_plan_is_warned_about(run: Run, folder: Path, kept: Kept) -> None:
    arguments = ("compare", "--data", folder, "--baseline", "sys0", "--alternative", "less", "--resamples", 100)
    _, _, err = run(*arguments)
    kept("compare", err)


@pytest.mark.parametrize(
    "flag", [("--metric", "ter"), ("--baseline", "sys0"), ("--resamples", "99"), ("--correct-jointly",)]
)
def test_what_a_plan_fixes_is_not_given_beside_it(
    run: Run, folder: Path, tmp_path: Path, flag: tuple[str, ...], kept: Kept
) -> None:
    (tmp_path / "plan.toml").write_text('metrics = ["bleu"]\n', encoding="utf-8")
    code, _, err = run("compare", "--data", folder, "--plan", tmp_path / "plan.toml", *flag)
    assert code == 2
    kept("compare", err)


def test_margins_of_a_plan_are_shown(run: Run, folder: Path, tmp_path: Path, kept: Kept) -> None:
    plan = 'metrics = ["ter"]\nn_resamples = 100\n[equivalence]\nter = 4\n'
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    _, out, _ = run("compare", "--data", folder, "--plan", tmp_path / "plan.toml")
    assert "within ±4" in out
    kept("compare", out)


def test_a_plan_that_could_not_be_followed_is_not_written(run: Run, kept: Kept) -> None:
    code, out, err = run("plan", "--alternative", "greater")
    assert (code, out) == (2, "")
    kept("plan", err)


def test_a_plan_is_checked_or_written_but_not_both(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('metrics = ["bleu"]\n', encoding="utf-8")
    code, _, err = run("plan", tmp_path / "plan.toml", "--metric", "ter")
    assert code == 2
    assert "found both" in err
