"""`mtsig read` and `mtsig check`: what is in the files, and what should be looked at."""

import csv
import gzip
import io
import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from forms import FORMS, lines, zipped
from kept import Kept, lacking, worded
from made import CHINESE, ROOT, Run, flat

from mtsig._options import options
from mtsig.cli import main
from mtsig.metrics import METRICS, measure
from mtsig.readers._read import read

SAMPLE = ROOT / "sample_data" / "es-en"


def put(place: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    return place


def test_read_prints_what_every_file_was_taken_for(run: Run, tmp_path: Path, kept: Kept) -> None:
    code, out, err = run("read", "--data", put(tmp_path, {**FORMS["sorted folder"](), "notes.doc": b"?"}))
    assert code == 0
    for piece in ("systems/beta.v2.txt", "line file", "beta.v2", "refs/ref.txt", "reference", "docids.txt", "ignored"):
        assert piece in out
    kept("read", out)
    assert "notes.doc" in err


@pytest.mark.parametrize("form", FORMS)
def test_read_knows_every_form_in_an_archive(run: Run, tmp_path: Path, form: str) -> None:
    code, out, _ = run("read", "--data", put(tmp_path, zipped(FORMS[form]())) / "set.zip", "--format", "json")
    assert code == 0
    bundle = json.loads(out)
    assert bundle["problem"] is None
    assert (bundle["data"]["segments"], sorted(bundle["data"]["systems"])) == (4, ["alpha", "beta.v2"])
    assert {part["role"] for part in bundle["parts"]} >= {"system", "reference", "source"}


def test_read_shows_what_it_found_even_where_that_is_no_test_set(run: Run, tmp_path: Path, kept: Kept) -> None:
    files = {name: content for name, content in FORMS["sgm"]().items() if name in {"ref.sgm", "src.sgm"}}
    code, out, err = run("read", "--data", put(tmp_path, files))
    assert code == 2
    assert "ref.sgm, reference 'ref'" in out
    kept("read", out)
    kept("read", err)
    code, out, _ = run("read", "--data", tmp_path, "--format", "json")
    assert (code, json.loads(out)["data"]) == (2, None)
    assert "no system output" in json.loads(out)["problem"]


def test_of_several_language_pairs_one_is_named(run: Run, tmp_path: Path, kept: Kept) -> None:
    files = {name: content for name, content in FORMS["wmt-names"]().items() if "es-en" in name}
    put(tmp_path, {**files, **{name.replace("es-en", "de-en"): content for name, content in files.items()}})
    code, _, err = run("read", "--data", tmp_path)
    assert code == 2
    kept("read", err)
    for pair in ("es-en", "de-en"):
        code, out, _ = run("read", "--data", tmp_path, "--lp", pair)
        assert code == 0
        kept("read", out)
    code, _, err = run("score", "--data", tmp_path, "--lp", "fr-en")
    assert code == 2
    kept("score", err)
    assert run("score", "--data", tmp_path, "--lp", "es-en", "--resamples", 100)[0] == 0


def test_systems_that_are_not_asked_for_need_not_be_in_order(run: Run, tmp_path: Path) -> None:
    files = {"ref.txt": lines(["x", "y"]), "good.txt": lines(["x", "y"]), "short.txt": lines(["x"])}
    assert run("score", "--data", put(tmp_path, files))[0] == 2
    assert run("score", "--data", tmp_path, "--systems", "good", "--resamples", 100)[0] == 0
    code, _, err = run("score", "--data", tmp_path, "--systems", "godo")
    assert code == 2
    assert "short" in err


@pytest.mark.parametrize("chosen", [("A", "B"), ("B", "refX"), ("refY", "refX")])
def test_a_study_of_some_systems_is_reproduced_from_all_of_them(
    run: Run, tmp_path: Path, chosen: tuple[str, str]
) -> None:
    lines = {name: [f"the cat number {number} of {name} sat" for number in range(30)] for name in ("A", "B", "C")}
    files = {f"systems/{name}.txt": "\n".join([*own, ""]).encode() for name, own in lines.items()}
    rows = ["\t".join(["A", "B", "C", "refX", "refY"])]
    rows += ["\t".join(f"{(row * step) % 7}" for step in (1, 2, 3, 4, 5)) for row in range(30)]
    files |= {"refs/ref.txt": files["systems/A.txt"].replace(b"cat", b"dog")}
    files |= {"ratings/quality.higher.tsv": "\n".join([*rows, ""]).encode()}
    data, saved = put(tmp_path / "data", files), tmp_path / "study.json"
    metric = ["--metric", "quality", "--resamples", "100"]
    assert run("compare", "--data", data, "--systems", *chosen, *metric, "--out", saved)[0] == 0
    code, out, _ = run("report", saved, "--data", data, "--to", "json", "--out", tmp_path / "again")
    assert code == 0
    worded(out.splitlines()[0])


def test_texts_in_sgm_may_be_named_one_by_one(run: Run, tmp_path: Path, kept: Kept) -> None:
    place = put(tmp_path, FORMS["sgm"]())
    named = ["--ref", place / "ref.sgm", "--sys", place / "alpha.sgm", f"b={place / 'beta.v2.sgm'}"]
    code, out, _ = run("score", *named, "--source", place / "src.sgm", "--resamples", 100, "--format", "json")
    assert code == 0
    bundle = json.loads(out)
    assert bundle["data"]["systems"] == ["alpha", "b"]
    assert bundle["data"]["documents"] == 2
    code, _, err = run("score", "--ref", place / "made.xml", "--sys", place / "alpha.sgm")
    assert code == 2
    kept("score", err)


def test_check_says_that_the_sample_is_in_order(run: Run, kept: Kept) -> None:
    code, out, err = run("check", "--data", SAMPLE)
    assert code == 0
    worded(err)
    kept("check", out)
    (row,) = csv.DictReader(io.StringIO(run("check", "--data", SAMPLE, "--format", "csv")[1]))
    assert (row["level"], row["headline"]) == ("note", "Only 20 documents")


def broken(place: Path, change: Callable[[list[str]], list[str]]) -> Path:
    files = {file.relative_to(SAMPLE).as_posix(): file.read_bytes() for file in SAMPLE.rglob("*.txt")}
    some = files["systems/direct.txt"].decode().split("\n")[:-1]
    return put(place, {**files, "systems/direct.txt": lines(change(some))})


def test_check_prints_findings_as_a_table_json_and_csv(run: Run, tmp_path: Path, kept: Kept) -> None:
    place = broken(tmp_path, lambda some: [*some[:50], *some[51:100], "inserted", *some[100:]])
    code, out, _ = run("check", "--data", place)
    assert code == 0
    kept("check", out)
    finding, few = json.loads(run("check", "--data", place, "--format", "json")[1])["findings"]
    assert run("check", "--data", place, "--only", "shifts", "--strict")[0] == 4  # a warning
    assert run("check", "--data", place, "--only", "empty", "--strict")[0] == 0  # none
    assert (few["level"], few["headline"]) == ("note", "Only 20 documents")
    assert (finding["check"], finding["level"], finding["lines"][0]) == ("shifts", "warning", 51)
    row, _ = csv.DictReader(io.StringIO(run("check", "--data", place, "--format", "csv")[1]))
    assert not lacking(row["where"], repr("direct"), "51–99")
    assert "by 1 check." in run("check", "--data", place, "--only", "empty")[1]


def test_check_says_where_a_text_of_another_length_slipped(run: Run, tmp_path: Path, kept: Kept) -> None:
    code, out, err = run("check", "--data", broken(tmp_path, lambda some: some[:99] + some[100:]))
    assert code == 2
    kept("check", out)
    assert "has 199 segments" in err
    code, _, err = run("check", "--data", SAMPLE, "--only", "emtpy")
    assert code == 2
    kept("check", err)


# `mtsig metrics` lists what there is and what can be chosen.


def test_every_metric_is_listed_with_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics"]) == 0
    lines = capsys.readouterr().out.split("\n")
    for name, one in METRICS.items():
        (line,) = (line for line in lines if line.startswith(f"{name} "))
        assert one.name in line
        assert one.about in line


@pytest.mark.parametrize("name", METRICS)
def test_the_options_of_a_metric_are_listed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", name]) == 0
    told = capsys.readouterr().out
    for option in options(METRICS[name]):
        assert option.name in told
        assert option.help in told


def test_the_list_is_there_for_programs_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "mtsig/3"
    assert [one["name"] for one in found["metrics"]] == list(METRICS)
    known = {one["name"]: one for one in found["metrics"]}
    assert known["ter"]["higher_is_better"] is False
    assert known["ratio"]["higher_is_better"] is None
    assert known["bleu"]["options"]["smooth_method"]["default"] == "exp"
    assert [name for name, one in known.items() if one["common"]] == ["bleu", "chrf", "chrf++", "ter"]


def test_a_metric_that_is_not_there_is_answered_with_those_that_are(
    capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    assert main(["metrics", "blue"]) == 2
    kept("metrics", capsys.readouterr().err)


# --sys - and --sys NAME=-: one system's output comes from standard input.

LINES = {"ref": "uno dos tres\nseis\nocho\n", "a": "uno dos\nsiete\nocho\n", "b": "uno\nseis siete\nocho\n"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in LINES.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "set").mkdir()
    for name, text in LINES.items():
        (tmp_path / "set" / f"{name}.txt").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes | io.BytesIO) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data if isinstance(data, io.BytesIO) else io.BytesIO(data)))


@pytest.mark.parametrize("packed", [False, True])
def test_a_piped_system_scores_as_its_file_does(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], packed: bool
) -> None:
    arguments = ["score", "--ref", "ref.txt", "--metric", "chrf", "--format", "json", "--sys"]
    assert main([*arguments, "a.txt", "b.txt"]) == 0
    as_files = json.loads(capsys.readouterr().out)
    data = LINES["a"].encode()
    pipe(monkeypatch, gzip.compress(data) if packed else data)
    assert main([*arguments, "a=-", "b.txt"]) == 0
    piped = json.loads(capsys.readouterr().out)
    assert piped["systems"] == as_files["systems"]
    assert piped["data"]["digest"] == as_files["data"]["digest"]


def test_a_piped_system_without_a_name_is_called_stdin_and_goes_beside_a_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe(monkeypatch, LINES["b"].encode())
    assert main(["score", "--data", "set", "--sys", "-", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["systems"]
    assert [row["system"] for row in rows] == ["a", "b", "stdin"]
    assert rows[1]["score"] == rows[2]["score"]


def test_faults_of_what_is_piped_are_told_as_those_of_files(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for data, said in (
        (b"", "standard input is empty (0 bytes)"),
        (b"uno\nd\xe9\ntres\n", "standard input"),
        (b"1\n2\n3\n4\n", "line 4 of system 'mine'"),
    ):
        pipe(monkeypatch, data)
        assert main(["check", "--ref", "ref.txt", "--sys", "mine=-"]) == 2
        assert said in capsys.readouterr().err
    pipe(monkeypatch, b"uno\n" * 100)
    assert main(["score", "--ref", "ref.txt", "--sys", "-", "--max-bytes", "99"]) == 2
    assert "99" in capsys.readouterr().err


def test_twice_at_a_terminal_or_without_input_it_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    pipe(monkeypatch, LINES["a"].encode())
    assert main(["score", "--ref", "ref.txt", "--sys", "-", "x=-"]) == 2
    kept("score", capsys.readouterr().err)
    pipe(monkeypatch, Terminal(LINES["a"].encode()))
    assert main(["score", "--ref", "ref.txt", "--sys", "x=-"]) == 2
    kept("score", capsys.readouterr().err)
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["score", "--ref", "ref.txt", "--sys", "-"]) == 2
    assert "standard input" in capsys.readouterr().err
    assert main(["dashboard", "--ref", "ref.txt", "--sys", "-"]) == 2
    kept("dashboard", capsys.readouterr().err)


def test_a_file_that_is_called_so_is_read(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "x=-").write_text(LINES["a"], encoding="utf-8")
    (place / "-").write_text(LINES["b"], encoding="utf-8")
    assert main(["score", "--ref", "ref.txt", "--sys", "x=-", "dash=./-", "--format", "json"]) == 0
    assert [row["system"] for row in json.loads(capsys.readouterr().out)["systems"]] == ["x=-", "dash"]


# The command line says which tokenizer the text chose, once and in the library's words; studies and plans carry it.

LINE = (
    "note: Chinese text: BLEU counts with the tokenizer zh. To use another one, such as char, choose it among the "
    "options of BLEU.\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("chinese")
    for name, chinese in CHINESE.items():
        (found / f"{name}.txt").write_text("\n".join(chinese) + "\n", encoding="utf-8")
    return found


def shell(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(one) for one in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize(
    "verb",
    [("score",), ("compare",), ("compare", "--by", "length"), ("audit", "--pair", "a", "b"),
     ("size-curve", "--shares", 0.5, 1), ("power", "--pair", "a", "b", "--difference", 0.5)],
)  # fmt: skip
def test_the_line_stands_once_below_every_verb_that_scores(
    verb: tuple[object, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draws = [] if verb[0] in ("size-curve", "power") else ["--resamples", 100]
    code, _, err = shell(capsys, *verb, "--data", folder, *draws)
    assert (code, err.count(LINE)) == (0, 1)
    assert LINE in [f"note: {note.text}\n" for note in measure(read(folder), "bleu").notes]


def test_nothing_is_said_of_a_tokenizer_that_was_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = shell(capsys, "score", "--data", folder, "--metric", "bleu:tokenize=zh", "--format", "json")
    assert LINE not in err
    assert all("|tok:zh|" in one["signature"] for one in flat(json.loads(out))["systems"])


def test_a_metric_is_not_counted_twice_under_two_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = shell(capsys, "score", "--data", folder, "--metric", "bleu", "bleu:tokenize=zh")
    assert code == 2
    assert not lacking(err, "mtsig: ", "bleu", "twice")


def test_study_and_plan_carry_the_tokenizer_and_are_made_again(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    plan, study = tmp_path / "plan.toml", tmp_path / "study.json"
    plan.write_text(
        shell(capsys, "plan", "--metric", "bleu", "wer", "--resamples", 100)[1],
        encoding="utf-8",
    )
    assert tomllib.loads(plan.read_text(encoding="utf-8"))["metrics"] == ["bleu", "wer"]
    code, _, _ = shell(capsys, "compare", "--data", folder, "--plan", plan, "--out", study)
    record = flat(json.loads(study.read_text(encoding="utf-8")))
    assert code == 0
    assert record["request"]["metrics"] == ["bleu", "wer"]
    assert [one["counted_as"] for one in record["metrics"]] == ["bleu:tokenize=zh", "wer:tokenize=zh"]
    code, out, _ = shell(capsys, "report", study, "--data", folder, "--to", "json", "--out", tmp_path)
    assert code == 0
    kept("report", out)


def test_the_metrics_verb_says_what_auto_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = shell(capsys, "metrics", "bleu", "--format", "json")
    (found,) = flat(json.loads(out))["metrics"]
    assert found["options"]["tokenize"]["default"] == "auto"
    assert "auto: zh, ja-mecab" in found["options"]["tokenize"]["help"]


def test_what_mtsig_wrote_next_to_the_texts_is_left_out(run: Run, tmp_path: Path) -> None:
    texts = [SAMPLE / "refs/ref.txt", SAMPLE / "systems/direct.txt", SAMPLE / "systems/via-catalan.txt"]
    folder = put(tmp_path, {text.name: text.read_bytes() for text in texts})
    before = read(folder).digest
    pair = ["--data", folder, "--metric", "chrf"]
    kinds = ("json", "csv", "md", "tex", "html")
    outputs = {
        name: [f"--out={folder / name}.{kind}" for kind in kinds] for name in ("gate", "study", "score", "check")
    }
    gate = ["--baseline", "direct", "--candidate", "via-catalan", f"--out={folder / 'gate.xml'}"]
    assert run("gate", *pair, *gate, *outputs["gate"])[0] in (0, 1, 3)
    assert run("compare", *pair, *outputs["study"])[0] == run("score", *pair, *outputs["score"])[0] == 0
    assert run("check", "--data", folder, *outputs["check"])[0] == 0
    to = ["html", "latex", "csv", "xlsx", "json", "pgf"]
    assert run("report", folder / "study.json", "--to", *to, "--out", folder)[0] == 0
    assert run("segments", *pair, "--out", folder / "segments.html", "--out", folder / "segments.csv")[0] == 0

    code, out, err = run("read", "--data", folder)
    assert (code, err.count("Ignored:")) == (0, 1)
    assert out.count("written by mtsig itself") >= 10
    assert read(folder).digest == before


@pytest.mark.parametrize(
    ("reference", "systems", "warned"),
    [
        ("ours.txt", ["ref.txt", "theirs.txt"], True),
        ("ours.txt", ["human=ref.txt", "theirs.txt"], False),
        ("ref.txt", ["ours.txt", "theirs.txt"], False),
        ("ref.txt", ["refB.txt", "ours.txt"], False),
        ("ours.txt", ["ref-like.txt", "theirs.txt"], False),
    ],
)
def test_a_reference_in_the_place_of_a_system_is_asked_about(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str, systems: list[str], warned: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate([reference, *(text.partition("=")[2] or text for text in systems)]):
        put(tmp_path, {name: "".join(f"Word {number} of line {i * number}.\n" for i in range(30)).encode()})
    code, _, err = run("score", "--ref", reference, "--sys", *systems, "--metric", "chrf")
    assert (code, "The system ref.txt is called like a reference, and ours.txt is not." in err) == (0, warned)
    assert "called like a reference" not in err or warned
