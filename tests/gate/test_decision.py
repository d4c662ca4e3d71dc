"""`mtsig gate` as a pipeline sees it: exit codes, files, annotations, and what stands on the screen."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
from kept import Kept, parts, worded
from limited import limited, mtsig
from made import ROOT
from made_gate import differing, rated, written
from sampled import crossed, sampled

from mtsig import Settings
from mtsig.__main__ import FAULT
from mtsig.__main__ import main as start
from mtsig._writing import in_markdown
from mtsig.citations import VERSION
from mtsig.cli import main
from mtsig.corpus import Corpus
from mtsig.gate import GateResult, judge, read_ledger
from mtsig.metrics import METRICS, Chrf
from mtsig.report._gate import (
    gate_annotations,
    gate_bundle,
    gate_facts,
    gate_junit,
    gate_markdown,
    gate_texts,
    refusal_annotation,
)

SYSTEMS = {"live": (0.8, 1), "same": (0.8, 2), "worse": (0.6, 3), "bit": (0.785, 4)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("test") / "set", SYSTEMS)


SCRIPT = """
set -u
asked='--baseline live --metric chrf --resamples 200 --ledger looks.jsonl'
gate() { "$PYTHON" -m mtsig gate --data "$DATA" $asked "$@"; }
gate --candidate same --margin 12 --out pass.xml --out pass.md --out pass.json > screen.txt; echo $?
gate --candidate worse --format github | head -c 0; echo ${PIPESTATUS[0]}
"""


@pytest.mark.slow
def test_a_pipeline_reads_exit_codes_and_files(folder: Path, tmp_path: Path) -> None:
    given = {"PYTHON": sys.executable, "DATA": str(folder), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", SCRIPT], cwd=tmp_path, env={**os.environ, **given}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0", "1"], done.stderr
    assert len((tmp_path / "looks.jsonl").read_text().splitlines()) == 2
    (suite,) = ElementTree.parse(tmp_path / "pass.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "0", "0")
    assert json.loads((tmp_path / "pass.json").read_text())["exit_code"] == 0
    assert "| chrF2 |" in (tmp_path / "pass.md").read_text(encoding="utf-8")
    worded(parts((tmp_path / "screen.txt").read_text(encoding="utf-8"), "Pass"))


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], folder: Path) -> Run:
    def called(*arguments: object, data: tuple[object, ...] = ("--data", folder)) -> tuple[int, str, str]:
        given = ("gate", *data, "--baseline", "live", "--resamples", "200", *arguments)
        code = main([str(one) for one in given])
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


def test_too_few_segments_and_a_foreign_ledger_have_codes_of_their_own(run: Run, tmp_path: Path, kept: Kept) -> None:
    looks = tmp_path / "looks.jsonl"
    code, out, _ = run("--candidate", "bit", "--metric", "chrf", "--margin", "0.05", "--format", "junit",
                       "--ledger", looks)  # fmt: skip
    assert code == 3
    (case,) = ElementTree.fromstring(out).iter("testcase")
    assert [(one.tag, one.get("type")) for one in case] == [("error", "inconclusive")]
    with looks.open("a", encoding="utf-8") as ledger:
        ledger.write('{"a line": "of something else"}\n')
    code, out, told = run("--candidate", "same", "--metric", "chrf", "--margin", "12", "--ledger", looks)
    assert (code, out) == (2, "")
    (error,) = [line for line in told.splitlines() if line.startswith("mtsig: ")]
    kept("gate", error)


def test_the_screen_says_what_came_out_and_what_it_was_made_from(run: Run, kept: Kept) -> None:
    code, out, _ = run("--candidate", "same", "--metric", "chrf", "ter", "--margin", "ter=30",
                       "--unit", "segment")  # fmt: skip
    assert code == 0
    kept("gate", out)
    for what in (
        "data: sha256:",
        "chrF2 nrefs:1|",
        "ar over 120 segments",
        "seed 12345",
        "95%",
        "Holm",
        f"mtsig: {VERSION}",
    ):
        assert what in out


def test_github_gets_annotations_and_a_summary(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: Kept
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("what was there before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    code, out, err = run("--candidate", "worse", "--metric", "chrf", "--format", "github")
    assert code == 1
    kept("gate", out)
    before, heading, *rest = summary.read_text(encoding="utf-8").splitlines()
    assert (before, heading) == ("what was there before", "### Regression: worse against live.")
    told = [f"- {line.partition(': ')[0]}: {in_markdown(line.partition(': ')[2])}" for line in err.splitlines()]
    assert told
    assert [line for line in rest if line.startswith(("- warning: ", "- note: "))] == told
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    code, out, _ = run("--candidate", "same", "--metric", "chrf", "--format", "github")
    assert code == 2
    (line,) = out.splitlines()  # an outcome that could not be written is not said
    assert line.startswith("::error title=mtsig gate%3A no outcome::")


@pytest.mark.parametrize("several", [False, True])
def test_github_gets_the_file_and_the_line_of_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], several: bool
) -> None:
    place = "sets, 50%: a/news"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    written = "sets%2C 50%25%3A a/news/systems/new.txt"
    for name in (place, "sets, 50%: a/web") if several else (place,):
        for folder, system, seed in (("refs", "ref", 1), ("systems", "live", 2)):
            (tmp_path / name / folder).mkdir(parents=True)
            lines = "".join(f"This is sentence {seed * i} of the test set.\n" for i in range(40))
            (tmp_path / name / folder / f"{system}.txt").write_text(lines)
    new = tmp_path / place / "systems" / "new.txt"
    given = ["gate", "--set=sets, 50%: a", "--baseline", "live", "--candidate", "new", "--format", "github"]
    texts = (tmp_path / place / "systems" / "live.txt").read_bytes()
    for content, where in (
        (texts.replace(b"\n", b"\xff\n", 1), f",file={written},line=1"),
        (texts + b"one more\n", f",file={written}"),
        (b"", f",file={written}"),
    ):
        new.write_bytes(content)
        assert main(given) == 2
        out, err = capsys.readouterr()
        (line,) = out.splitlines()
        assert line.startswith(f"::error title=mtsig gate%3A no outcome{where}::")
        assert f"{place}/systems/new.txt" in err or b"one more" in content  # the whole path, with the folder between
        assert f"    {err.splitlines()[0]}\n" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    # What is no file of the repository has no place in it, and other formats are nobody's annotations.
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / place / "refs"))
    assert main(given) == 2
    assert capsys.readouterr().out.startswith("::error title=mtsig gate%3A no outcome::")
    for other in (
        [*given[:-2], "--no-option"],
        [*given, "--format", "json"],
        [*given[:-2], "--format=json", "--metric", "github"],
        ["compare", "--data", "gate", "--systems", "github"],
    ):
        assert main(other) == 2
        assert capsys.readouterr().out == ""
    live = tmp_path / place / "systems" / "live.txt"
    for content in (
        texts,
        b"one line\n",
    ):  # what is read is not written, whether that is what is wrong or something else
        new.write_bytes(content)
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(live))
        assert main(given) == 2
        assert live.read_bytes() == texts


@pytest.mark.parametrize(
    ("message", "where"),
    [
        ("web: System 'new' (a/new.txt) has 4 segments, but reference 'r' (refs/a-long-one.txt) has 3.",
         "web/a/new.txt"),
        ("news: Documents 'd' (d.txt) has 3 segments, but reference 'r' (refs/a-long-one.txt) has 4. The first extra "
         "one is line 4 of reference 'r' (refs/a-long-one.txt): 'x'.", "news/d.txt"),
        ("news/d.txt: its 3 lines are those of news/refs/a-long-one.txt, line 7: 'x'.", "news/d.txt"),
        ("news/refs/a-long-one.txt, line 2: 'x', but 'y' in news/d.txt, line 5.", "news/refs/a-long-one.txt,line=2"),
        ("There is no system called 'd'. Known: d.txt, new.txt.", ""),
    ],
)  # fmt: skip
def test_an_annotation_is_at_the_file_that_is_named_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str, where: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("news", "web"):
        for file in ("a/new.txt", "d.txt", "refs/a-long-one.txt"):
            (tmp_path / "sets" / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "sets" / name / file).touch()
    head, _, _ = refusal_annotation(message, [Path("sets")], tmp_path).partition(f"::{message[:4]}")
    assert head == f"::error title=mtsig gate%3A no outcome{f',file=sets/{where}' if where else ''}"


@dataclass(frozen=True)
class Ending(Chrf):
    """A metric of somebody else's, which ends instead of counting."""

    ending: ClassVar[BaseException]

    def count(self, *_: Any, **__: Any) -> Any:
        raise self.ending


@sampled(
    "ending",
    [SystemExit(0), SystemExit(1), SystemExit("bye"), BrokenPipeError(), BaseException("{0}"), GeneratorExit()],
    most=3,
    ids=repr,
)
def test_a_metric_that_ends_is_no_outcome(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: BaseException
) -> None:
    monkeypatch.setattr(Ending, "ending", ending, raising=False)
    monkeypatch.setitem(METRICS, "ending", Ending())
    asked = ["--data", str(folder), "--baseline", "live", "--candidate", "same", "--metric", "ending"]
    monkeypatch.setattr(sys, "argv", ["mtsig", "gate", *asked, "--ledger", str(tmp_path / "looks.jsonl")])
    handled = signal.getsignal(signal.SIGINT)
    assert start() == FAULT
    signal.signal(signal.SIGINT, handled)
    assert not (tmp_path / "looks.jsonl").exists()


@pytest.mark.parametrize("option", ["--candidate", "--metric", "--seed", "--ledger", "--out"])
def test_two_dashes_are_no_value(run: Run, option: str) -> None:
    code, _, err = run("--candidate", "same", f"{option}=--")
    assert (code, "expected a value; found --" in err) == (2, True)


def test_a_name_that_nobody_has_is_bad_input(run: Run, kept: Kept) -> None:
    code, _, err = run("--candidate", "nobody", "--metric", "chrf")
    assert code == 2
    kept("gate", err)


def test_several_sets_are_averaged(run: Run, tmp_path: Path, kept: Kept) -> None:
    for number, name in enumerate(("en-cs", "en-de", "en-fr")):
        written(tmp_path / name, SYSTEMS, seed=number)
    code, out, _ = run("--candidate", "worse", "--metric", "chrf", "--format", "json", data=("--set", tmp_path))
    found = json.loads(out)
    assert (code, found["exit_code"]) == (1, 1)
    assert found["sets"] == ["en-cs", "en-de", "en-fr"]
    assert found["checks"][0]["test"] == "jackknife-t"
    code, out, _ = run(
        "--candidate", "same", "--metric", "chrf", "bleu", "--for", "en-cs", "chrf:lowercase=true", "--weights",
        "en-cs=2", "en-de=1", "en-fr=1", "--sharing", "separate", "--margin", "30", data=("--set", tmp_path),
    )  # fmt: skip
    assert code == 0
    kept("gate", out)
    assert "en-cs: nrefs:1|case:lc|eff:yes" in out


def test_a_plan_is_followed(run: Run, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('metrics = ["chrf"]\npairs = "live"\ntest = "jackknife-t"\n[non_inferiority]\nchrf = 12.0\n')
    code, _, _ = run("--candidate", "same", "--plan", plan, data=("--resamples", "200"))
    assert code == 2  # the plan fixes the draws, too
    given = ["gate", "--data", str(tmp_path), "--baseline", "live", "--candidate", "same", "--plan", str(plan)]
    written(tmp_path, SYSTEMS)
    assert main([*given, "--format", "json", "--out", str(tmp_path / "plan.json")]) == 0
    found = json.loads((tmp_path / "plan.json").read_text())
    assert (found["status"], found["checks"][0]["status"], found["checks"][0]["margin"]) == ("planned", "planned", 12.0)
    assert main([*given, "--margin", "3"]) == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--margin", "x"], "--margin takes POINTS or METRIC=POINTS"),
        (["--margin", "1", "chrf=2"], "found both"),
        (["--margin", "bleu=2"], "--metric"),
        (["--margin", "-1"], "positive"),
        (["--systems", "same"], "Omit --systems"),
        (["--weights", "equal"], "--weights needs --set"),
        (["--rule", "lord"], "give a ledger too"),
        (["--out", "gate.pdf"], "file that ends in .json, .csv, .md, .tex, .html, .xml"),
        (["--test", "wilcoxon"], "jackknife-t or ar"),
        (["--set", "somewhere"], "--set and --data do not go together"),
        (["--ledger", "nowhere/looks.jsonl"], "cannot be opened"),
        (["--level", "2"], "--level takes a number from 0.5 to 0.9999"),
    ],
)
def test_bad_input_has_its_own_exit_code(run: Run, more: list[str], said: str) -> None:
    code, out, err = run("--candidate", "same", "--metric", "chrf", *more)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(("margin", "outcome"), [("12", "Pass"), ("0.001", "Inconclusive")])
def test_quietly_the_verdict_line_is_all(run: Run, margin: str, outcome: str) -> None:
    asked = ("--candidate", "same", "--metric", "chrf", "--margin", margin)
    code, out, err = run(*asked, "-q")
    worded(out, outcome)
    assert err == ""
    assert code == {"Pass": 0, "Inconclusive": 3}[outcome]
    whole = run(*asked)[1]
    assert whole.count(f"{outcome}:") == 1
    assert run(*asked, "-q", "--format", "json")[1] == run(*asked, "--format", "json")[1]


def test_the_second_of_two_looks_says_so(run: Run, tmp_path: Path, kept: Kept) -> None:
    asked = ("--candidate", "same", "--metric", "chrf", "--ledger", tmp_path / "looks.jsonl")
    _, first, _ = run(*asked)
    assert "Look 1 in" in first
    kept("gate", first)
    _, again, err = run(*asked)
    kept("gate", again)
    kept("gate", err)
    assert first.splitlines()[1:2] == again.splitlines()[1:2]
    _, other, _ = run("--candidate", "worse", *asked[2:])
    assert "Look 2 in" in other
    assert all(said in other for said in ("99.24% CI", "level: 99.24%, two-sided"))
    assert len(read_ledger(tmp_path / "looks.jsonl").looks) == 2


@pytest.mark.parametrize("name", ["looks.json", "./looks.json", "other.md"])
def test_a_result_never_replaces_the_ledger(
    name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("--candidate", "same", "--metric", "chrf", "--ledger", "looks.json")
    assert run(*asked)[0] == 0
    (tmp_path / "other.md").symlink_to("looks.json")
    before = (tmp_path / "looks.json").read_bytes()
    code, _, err = run(*asked, "-o", name)
    assert (code, "is an input of this command" in err) == (2, True)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", name)
    code, _, err = run(*asked, "--format", "github")
    assert (code, "is an input of this command" in err) == (2, True)
    assert (tmp_path / "looks.json").read_bytes() == before


# --- what a name may hold ---------------------------------------------------------------------------------------------

HOSTILE = "::error::x|<b>&amp;%0A%25,\n::warning::y\x1b[2J\ufffe]]>[a](http://b.example)"


@pytest.fixture(scope="module")
def hostile() -> GateResult:
    old = differing(50, seed=1)
    corpus: Corpus = rated({"old": old, HOSTILE: old + differing(-1, seed=2)})
    return judge(corpus, "old", HOSTILE, ["rating:score"], 0.5, settings=Settings(test="jackknife-t", n_resamples=200))


def test_every_format_carries_what_makes_it_again(hostile: GateResult) -> None:
    named = dict(gate_facts(hostile))
    assert {"data", "metrics", "test", "resamples", "level", "correction", "mtsig"} <= set(named)
    formats = gate_markdown(hostile), gate_annotations(hostile), gate_junit(hostile), json.dumps(gate_bundle(hostile))
    for text in formats:
        assert hostile.data in text
        assert "12345" in text
        assert "jackknife-t" in text
        assert VERSION in text
        assert "95" in text
        assert "olm" in text


def test_a_name_writes_no_annotation_of_its_own(hostile: GateResult) -> None:
    lines = gate_annotations(hostile).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::notice"]
    for line in lines:
        head, title = line.removeprefix("::").split("::")[0].split(" title=", 1)
        assert head in ("error", "notice")
        assert ":" not in title
        assert "," not in title
        assert "\x1b" not in line
        # What GitHub reads back is the text: a percent sign of the name's own stays one.
        assert "%250A%2525" in line or head == "notice"


def test_a_name_marks_nothing_up(hostile: GateResult) -> None:
    text = gate_markdown(hostile)
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "[a](" not in text
    assert "\n::" not in text
    root = ElementTree.fromstring(gate_junit(hostile).encode())
    (failure,) = root.iter("failure")
    assert "<b>&amp;%0A%25" in (failure.get("message") or "")
    assert "\ufffe" not in (failure.get("message") or "")
    (suite,) = root
    properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert properties == dict(gate_facts(hostile))
    outs = [one.text or "" for one in suite.findall("system-out")]
    assert gate_texts(hostile)[0].split(":")[0] == "Regression"
    assert outs[0].startswith("Regression: ")


TEMPLATES = ["base{v2}", "{0}", "{}", "{0:>300000000}", "{0.__class__}", "%s %(x)d %", r"\1 \g<0>", "$x ${x} $",
             "[bold]x[/bold] [/]", "{{x}}", "{% x %}"]  # fmt: skip
"""Names that one or another way to fill in text would take for a place, or fail on."""


@crossed("name, margin", TEMPLATES, [None, 0.5, 1.0, 2.0])
def test_a_name_is_never_a_template(name: str, margin: float | None) -> None:
    old = differing(50, seed=1)
    corpus = rated({name: old, name + name: old + differing(-1, seed=2)})
    for pair in ((name, name + name), (name + name, name)):
        result = judge(corpus, *pair, ["rating:score"], margin, settings=Settings(test="jackknife-t", n_resamples=200))
        told = [line for line in gate_texts(result) if "worse than" in line or "better than" in line]
        assert told
        assert all(pair[0] in line and pair[1] in line for line in told)
        assert gate_markdown(result)
        assert gate_junit(result)
        assert gate_annotations(result)


@crossed("style, name", ["table", "markdown", "github", "junit", "json"], TEMPLATES[1:4])
def test_exit_code_1_is_a_regression_whatever_systems_are_called(style: str, name: str, tmp_path: Path) -> None:
    place = written(tmp_path / "set", {name.replace("/", "|"): (0.8, at) for at, name in enumerate(TEMPLATES)})
    asked = ["--data", str(place), "--baseline", TEMPLATES[0], "--candidate", name, "--margin", "12"]
    assert main(["gate", *asked, "--metric", "chrf", "--resamples", "200", "--format", style]) == 0


FAILS = """
import sys
import mtsig.cli._compare
from mtsig.__main__ import main
def fail(*_):
    raise {error}
{place} = fail
raise SystemExit(main())
"""


@pytest.mark.parametrize(
    ("place", "error", "code", "looks"),
    [
        ("mtsig.report._gate.gate_texts", "ValueError('x\\x1b[2J')", 70, 0),
        ("mtsig.report._gate.gate_texts", "KeyboardInterrupt", 130, 0),
        ("mtsig.cli._output.Shown.text", "KeyError('x')", 70, 0),
        ("sys.stdout.write", "OSError(28, 'No space left on device')", 2, 1),
        ("mtsig.gate._ledger.fsync", "OSError(28, 'No space left on device')", 2, 0),
        ("mtsig.gate._ledger.fsync", "ZeroDivisionError", 70, 0),
    ],
)
def test_a_look_is_written_with_its_result_or_not_at_all(
    place: str, error: str, code: int, looks: int, folder: Path, tmp_path: Path
) -> None:
    asked = [
        "gate",
        "--data",
        folder,
        "--baseline",
        "live",
        "--candidate",
        "same",
        "--metric",
        "chrf",
        "--resamples",
        200,
    ]
    more = ["--ledger", "looks.jsonl", "--out", "gate.json"]
    done = limited(FAILS.format(place=place, error=error), *asked, *more, folder=tmp_path)
    assert done.returncode == code, done.stderr
    assert "\x1b" not in done.stderr
    assert len(read_ledger(tmp_path / "looks.jsonl").looks) == looks
    assert (tmp_path / "gate.json").exists() == bool(looks)
    # What was stopped can be asked again, and is then the ledger's one look.
    again = mtsig(*asked, *more, folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert len(read_ledger(tmp_path / "looks.jsonl").looks) == 1
