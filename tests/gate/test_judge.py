"""Broken candidates: a regression where the data carry a verdict; where not none passes, and what is known is said."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from kept import lacking
from limited import limited
from made_gate import written

from mtsig import Corpus, Settings, read_sample
from mtsig.gate import GateResult, judge, read_ledger
from mtsig.report._gate import check_text

MADE: dict[str, str | Callable[[str], str]] = {
    "empty": "",
    "garbage": "qzx jjk wxq zzq",
    "untranslated": "Это предложение не перевели",
    "looping": "the the the the the the the",
    "upper": str.upper,
    "subword": lambda line: " ".join(f"{word[:2]}@@ {word[2:]}" if len(word) > 3 else word for word in line.split()),
}


def broken(kind: str, lines: list[str]) -> list[str]:
    made = MADE[kind]
    return [made if isinstance(made, str) else made(line) for line in lines]


def judged(kind: str, n: int, documents: int, metric: str, margin: float | None) -> GateResult:
    part = read_sample().take(range(n))
    base = [line or "" for line in part.lines("direct")]
    (reference, *_) = part.references.values()
    names = [f"d{i * documents // n}" for i in range(n)] if documents else None
    corpus = Corpus.of({"base": base, "new": broken(kind, base)}, {"ref": list(reference)}, documents=names)
    return judge(corpus, "base", "new", [metric], margin=margin)


Asked = list[tuple[str, float | None]]

ASKED: Asked = [("bleu", None), ("bleu", 1.0), ("chrf", 1.0), ("chrf", None)]


def crossed(sizes: list[tuple[int, int]]) -> pytest.MarkDecorator:
    """Parametrise by kind, size and what is asked; in short, by a third of them with one of the others, in turn."""
    cases = [((kind, *size), i + j) for i, kind in enumerate(MADE) for j, size in enumerate(sizes)]
    marked = [pytest.param(*case, ASKED, marks=pytest.mark.slow) for case, _ in cases]
    marked += [pytest.param(*case, [ASKED[place // 3 % 4]]) for case, place in cases if place % 3 == 0]
    return pytest.mark.parametrize(("kind", "n", "documents", "asked"), marked)


@crossed([(20, 0), (20, 5), (50, 0), (50, 12), (200, 5), (200, 12)])
def test_from_some_segments_on_they_are_a_regression(kind: str, n: int, documents: int, asked: Asked) -> None:
    for metric, margin in asked:
        assert judged(kind, n, documents, metric, margin).exit_code == 1


@crossed([(5, 0), (5, 5), (8, 0), (8, 5), (10, 0), (10, 5)])
def test_on_fewer_none_passes_and_what_is_known_is_said(kind: str, n: int, documents: int, asked: Asked) -> None:
    for metric, margin in asked:
        result = judged(kind, n, documents, metric, margin)
        (check,) = result.checks
        assert check.outcome != "pass"
        if check.outcome == "inconclusive":
            said = check_text(result, check)
            assert not lacking(said, f"worse by {-check.difference:.2f} {check.metric}", f"{n} segments")
            assert "in only" in said or f"p is at least {2 ** (1 - n):.2g} for any candidate" in said
    if kind in ("empty", "untranslated", "looping"):
        assert any("new" in note.text for note in result.notes if note.level == "warning")


def test_nothing_passes_on_lines_that_are_certainly_misaligned() -> None:
    corpus = read_sample()
    lines = list(corpus.outputs["direct-us"])
    shifted = [*lines[:60], *lines[61:160], lines[60], *lines[160:]]
    for name, own, outcome in (("whole", lines, "pass"), ("shifted", shifted, "inconclusive")):
        data = Corpus.of({"direct": corpus.outputs["direct"], name: own}, corpus.references)
        settings = Settings(n_resamples=99, unit="segment")
        (check,) = judge(data, "direct", name, ["bleu"], margin=60.0, settings=settings).checks
        assert (check.outcome, check.withheld_reason) == (outcome, "shifted has misaligned lines" * (name == "shifted"))


def test_a_candidate_that_differs_in_few_of_many_segments_passes() -> None:
    part = read_sample().take(range(100))
    base = list(part.lines("direct"))
    changed = [f"{line}." if i < 3 else line for i, line in enumerate(base)]
    corpus = Corpus.of({"base": base, "new": changed}, {"ref": list(next(iter(part.references.values())))})
    assert judge(corpus, "base", "new", ["chrf"], settings=Settings(test="ar")).outcome == "pass"


# Failures forced inside the gate: code 1 is a regression alone, and a look is written whole or not at all.

pytest.importorskip("resource")

SYSTEMS = {"live": (0.8, 1), "same": (0.8, 2), "worse": (0.05, 3)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("test") / "set", SYSTEMS, n=40)


GATE = """
import os, resource, signal, sys
from mtsig.__main__ import main
from mtsig.gate._ledger import OpenLedger
{begin}
asked = ["--baseline", "live", "--candidate", sys.argv[2], "--metric", "chrf", "--resamples", "100", "--margin", "20"]
sys.argv = ["mtsig", "gate", "--data", sys.argv[1], *asked, "--ledger", sys.argv[3], *sys.argv[4:]]
raise SystemExit(main())
"""

SMALL = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
"""
"""No file may grow beyond so many bytes, as on a disk that is full."""

KILLED = """
write = OpenLedger.write
def killed(*given):
    {when}
OpenLedger.write = killed
"""

FAILING = """
def fail(*_, **__):
    raise {error}
{where} = fail
"""


def looks(ledger: Path) -> int:
    """Return how many looks there are; raises where one is torn."""
    return len(read_ledger(ledger).looks) if ledger.exists() else 0


@pytest.mark.parametrize("most", [0, 100, 700, 5000])
def test_on_a_full_disk_a_look_is_written_whole_or_not_at_all(most: int, folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "looks.jsonl"
    done = limited(GATE.format(begin=SMALL.format(most=most)), folder, "same", ledger)
    assert done.returncode == (0 if looks(ledger) else 2), done.stderr
    assert looks(ledger) == (most >= ledger.stat().st_size > 0 if ledger.exists() else 0)
    again = limited(GATE.format(begin=""), folder, "same", ledger)
    assert (again.returncode, looks(ledger)) == (0, 1), again.stderr


def test_what_no_longer_fits_behind_earlier_looks_leaves_them_alone(folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "looks.jsonl"
    assert limited(GATE.format(begin=""), folder, "same", ledger).returncode == 0
    before = ledger.read_bytes()
    for more in (1, 300):
        done = limited(GATE.format(begin=SMALL.format(most=len(before) + more)), folder, "worse", ledger)
        assert (done.returncode, ledger.read_bytes()) == (2, before), done.stderr
        assert "cannot be written" in done.stderr


@pytest.mark.parametrize(
    ("when", "kept"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", 0),
        ("write(*given); os.kill(os.getpid(), signal.SIGKILL)", 1),
        ("write(*given); os.kill(os.getpid(), signal.SIGTERM)", 1),
        ("raise KeyboardInterrupt", 0),
        ("write(*given); raise KeyboardInterrupt", 1),
    ],
)
def test_one_that_is_killed_beside_its_look_says_the_same_when_asked_again(
    when: str, kept: int, folder: Path, tmp_path: Path
) -> None:
    ledger = tmp_path / "looks.jsonl"
    files = ["--out", tmp_path / "gate.json"]
    done = limited(GATE.format(begin=KILLED.format(when=when)), folder, "same", ledger, *files)
    assert done.returncode in {-signal.SIGKILL, -signal.SIGTERM, 130}
    assert (looks(ledger), done.stdout, (tmp_path / "gate.json").exists()) == (kept, "", False)
    again = limited(GATE.format(begin=""), folder, "same", ledger, *files)
    assert (again.returncode, looks(ledger)) == (0, 1)
    assert ("no more of the total error rate is spent" in again.stdout) == bool(kept)


AT_A_LINE = """
passed = 0
def each(frame, event, _):
    global passed
    if not frame.f_code.co_filename.endswith("_ledger.py"):
        return None
    passed += event == "line"
    if passed == {line}:
        os.kill(os.getpid(), signal.SIGKILL)
    return each
sys.settrace(each)
"""
"""Kills the process before it runs so many lines of the ledger's module."""


def test_killed_at_any_line_a_look_is_written_with_its_result_or_not_at_all(folder: Path, tmp_path: Path) -> None:
    kept, ends = [], []
    for line in (*range(2, 200, 44), 10**9):
        ledger = tmp_path / f"{line}.jsonl"
        done = limited(GATE.format(begin=AT_A_LINE.format(line=line)), folder, "same", ledger)
        ends.append(done.returncode)
        kept.append(looks(ledger))
        assert done.stdout == "" or done.returncode == 0
        again = limited(GATE.format(begin=""), folder, "same", ledger)
        assert (again.returncode, looks(ledger)) == (0, 1), again.stderr
    assert ends == sorted(ends)
    assert kept == sorted(kept)
    assert {*ends} == {-signal.SIGKILL, 0}


@pytest.mark.parametrize("error", ["ValueError('x')", "MemoryError", "OSError(28, 'full')", "KeyError('{0}')"])
@pytest.mark.parametrize("where", ["OpenLedger.write", "sys.modules['mtsig.gate._ledger'].fsync"])
def test_an_error_is_never_a_regression(error: str, where: str, folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "looks.jsonl"
    begin = FAILING.format(error=error, where=where)
    done = limited(GATE.format(begin=begin), folder, "same", ledger, "--out", tmp_path / "gate.md")
    assert done.returncode in {2, 70}, done.stderr
    assert looks(ledger) in {0, 1}
    again = limited(GATE.format(begin=""), folder, "same", ledger)
    assert (again.returncode, looks(ledger)) == (0, 1)


@pytest.mark.parametrize("length", [1, 1_000])
def test_what_a_system_is_called_decides_nothing(length: int, folder: Path, tmp_path: Path) -> None:
    """How long a name is changes no code: what is a regression is one by a short name, too."""
    lines = {name: (folder / f"{name}.txt").read_text().splitlines() for name in ("systems/live", "refs/ref")}
    for candidate, code in (("same", 0), ("worse", 1)):
        name = "n" * length
        lines[name] = (folder / "systems" / f"{candidate}.txt").read_text().splitlines()
        table = tmp_path / "t.tsv"
        rows = [f"live\tref\t{name}", *map("\t".join, zip(*lines.values(), strict=True))]
        table.write_text("\n".join(rows) + "\n")
        done = limited(GATE.format(begin=""), table, name, tmp_path / f"{candidate}.jsonl", folder=Path(os.curdir))
        assert done.returncode == code, done.stderr[-300:]
