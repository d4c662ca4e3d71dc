"""Several test sets, and counts, in the shell: `mtsig compare --set`, `mtsig count` and `mtsig compare --counts`."""

import csv
import io
from pathlib import Path

import pytest
from described import described
from kept import Kept, lacking, parts, worded
from made import flat, made_corpus, write
from made_sets import written

from mtsig.cli import _output, main
from mtsig.study._reading import read_study


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("en-cs", "en-de"):
        written(tmp_path / name, 30, 3)
        for i in range(3):
            text = "".join(f"ref line {k if (k * 7 + i * 5) % 9 > i + 1 else 'lost'}\n" for k in range(30))
            (tmp_path / name / "systems" / f"s{i}.txt").write_text(text)
    return tmp_path


def test_sets_are_compared_in_the_shell(root: Path, capsys: pytest.CaptureFixture[str], kept: Kept) -> None:
    asked = ["compare", "--set", str(root), "--metric", "chrf", "--resamples", "300"]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    worded(parts(shown, "test sets", "6 comparisons", "5 sets"), "2 test sets", "average over these")
    kept("compare", shown)
    assert main([*asked, "--format", "json"]) == 0
    bundle = flat(described("compare", capsys.readouterr().out))
    assert [one["set"] for one in bundle["sets"]] == ["en-cs", "en-de"]
    assert [row["set"] for row in bundle["comparisons"]] == ["en-cs"] * 3 + ["en-de"] * 3 + [None] * 3
    assert main([*asked, "--format", "csv", "--baseline", "s0"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["set"] for row in rows] == ["en-cs", "en-cs", "en-de", "en-de", "", ""]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--data", "x"], "--set and --data do not go together"),
        (["--weights", "half"], "Weights must be equal, segments, or SET=NUMBER"),
        (["--called", "ours"], "NAME=SET:SYSTEM"),
        (["--for", "en-de", "ter"], "has options for one set, but is not among the metrics"),
        (["--set", "nowhere"], "mtsig: nowhere: there is no such file"),
    ],
)
def test_what_cannot_be_is_refused(root: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str) -> None:
    assert main(["compare", "--set", str(root), "--metric", "chrf", "--resamples", "300", *more]) == 2
    assert said in capsys.readouterr().err


def test_many_sets_print_a_page_and_files_hold_the_rest(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_output, "_PAGE", 5)
    monkeypatch.setattr(_output, "_BEGINNING", 2)
    counts = str(root / "c.parquet")
    assert main(["count", "--set", str(root), "--metric", "chrf", "-o", counts]) == 0
    capsys.readouterr()
    # Six comparisons in the sets, three averages.
    assert (
        main(["compare", "--counts", counts, "--resamples", "300", "-o", str(root / "all"), "-o", str(root / "s.json")])
        == 0
    )
    said = capsys.readouterr()
    rows = [line.split()[:3] for line in said.out.splitlines() if line[:6] in ("en-cs ", "en-de ")]
    assert rows == [["en-cs", "s0", "s1"], ["en-cs", "s0", "s2"]]
    worded(parts(said.out, "-o FOLDER", "first 2"), "5 rows")
    assert len((root / "all" / "study.csv").read_text(encoding="utf-8").splitlines()) == 1 + 9
    assert (root / "all" / "study.md").read_text(encoding="utf-8").count("| en-de |") == 3
    assert read_study(root / "s.json").several
    # What all sets have in common is said once, and names none.
    notes = [line for line in said.err.splitlines() if line.startswith(("note: ", "warning: "))]
    assert sum("Only 30 segments" in note for note in notes) == 1
    assert not [note for note in notes if "en-cs" in note or "en-de" in note]


def test_what_is_of_several_sets_needs_some(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", str(root / "en-cs"), "--weights", "equal"]) == 2
    assert "--weights needs --set" in capsys.readouterr().err


pytest.importorskip("pyarrow")


QUICK = ["--resamples", "200", "--format", "csv"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return ["--data", str(write(tmp_path_factory.mktemp("set"), made_corpus(n=60, systems=3, documents=12)))]


@pytest.fixture(scope="module")
def counts(folder: list[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("counts") / "c.parquet")
    assert main(["count", *folder, "--metric", "bleu", "chrf", "--no-cache", "-o", path]) == 0
    return path


@pytest.mark.parametrize(
    "asked",
    [
        ["--metric", "bleu", "chrf"],
        ["--metric", "chrf", "--unit", "segment", "--baseline", "sys0"],
        ["--metric", "bleu", "--systems", "sys0", "sys2"],
        ["--metric", "bleu", "chrf", "--correct-jointly", "--test", "ar", "--unit", "document"],
    ],
)
def test_counts_are_compared_as_texts_are(
    asked: list[str], folder: list[str], counts: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *folder, *asked, *QUICK]) == 0
    texts = capsys.readouterr()
    assert main(["compare", "--counts", counts, *asked, *QUICK]) == 0
    found = capsys.readouterr()
    assert found.out == texts.out
    assert len(found.out.splitlines()) > 1
    if "--systems" not in asked:  # which are known for all systems
        assert sorted(found.err.splitlines()) == sorted(texts.err.splitlines())


def test_counts_of_worker_processes_and_by_document(
    folder: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "c.parquet")
    asked = ["--metric", "ter", "--rows", "document", "--workers", "2", "--no-cache"]
    assert main(["count", *folder, *asked, "-o", path]) == 0
    assert not lacking(capsys.readouterr().out, f"{path}: 3 systems", "1 metric")
    assert main(["compare", *folder, "--metric", "ter", "--workers", "2", *QUICK]) == 0
    texts = capsys.readouterr().out.splitlines()
    assert main(["compare", "--counts", path, *QUICK]) == 0
    found = capsys.readouterr().out.splitlines()
    assert "p_adjusted" in found[0].split(",")
    assert found == texts


def test_several_sets_are_counted_into_one_file(
    folder: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "c.parquet")
    sets = ["--set", f"one={folder[1]}", f"two={folder[1]}", "--metric", "chrf"]
    assert main(["count", *sets, "-o", path]) == 0
    assert not lacking(capsys.readouterr().out, f"{path}: ", "2 test sets", "3 systems", "1 metric")
    by_document = str(tmp_path / "d.parquet")
    assert main(["count", *sets, "--rows", "document", "-o", by_document]) == 0
    capsys.readouterr()
    for style in ("csv", "table"):
        assert main(["compare", *sets, "--resamples", "200", "--format", style]) == 0
        texts = capsys.readouterr()
        for counts in (path, by_document):
            assert main(["compare", "--counts", counts, "--resamples", "200", "--format", style]) == 0
            found = capsys.readouterr()
            assert found.out == texts.out
            # The same documents are one unit in both sets, in whichever way they were counted.
            assert "several of 2" in found.err
    assert main(["compare", "--counts", by_document, "--unit", "segment"]) == 2
    assert "can no longer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--data", "x"], "--counts and --data do not go together: that needs text."),
        (["--by", "length"], "--counts and --by do not go together: that needs text."),
        (["--metric", "ter"], "The file of counts has no metric 'ter'. It has: BLEU, chrF2."),
        (["--systems", "nobody"], "There is no system called 'nobody'."),
        (["--weights", "segments"], "--weights needs --set"),
    ],
)
def test_what_counts_alone_cannot_do_is_said(
    asked: list[str], said: str, counts: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "--counts", counts, *asked]) == 2
    assert said in capsys.readouterr().err


def test_faults_of_counting_are_said(folder: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for asked, said in (
        (
            [*folder, "--set", folder[1], "-o", "x"],
            "--set and --data do not go together: --data is for one test set.",
        ),
        ([*folder, "--workers", "0", "-o", "x"], "--workers takes a number of at least 1; found '0'."),
        ([*folder, "-o", "nowhere://x"], "nowhere://x: cannot be written here (Protocol not known: nowhere)"),
        ([*folder, "-o", str(tmp_path)], f"{tmp_path}: cannot be written"),
    ):
        assert main(["count", *asked]) == 2
        assert said in capsys.readouterr().err
