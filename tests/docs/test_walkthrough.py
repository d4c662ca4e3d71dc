"""What the pages say is typed is typed here, line by line, and what they say comes out comes out."""

import contextlib
import doctest
import io
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from made import ROOT

from mtsig import Corpus
from mtsig.cli import main
from mtsig.cli._verbs import parser_of
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.metrics import METRICS
from mtsig.readers import READERS
from mtsig.report import EXPORTERS
from mtsig.study import CHECKS
from mtsig.testing import (
    check_correction,
    check_exporter,
    check_finding,
    check_interval,
    check_metric,
    check_reader,
    check_test,
)

DOCS = ROOT / "docs"
WRITTEN = {"error-rates.md", "course.md"}
"""Pages that programs wrote."""


def blocks(page: str, kind: str) -> list[str]:
    """Return the blocks of code of one kind on a page."""
    return re.findall(rf"```{kind}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that holds the sample data and nothing else, as the current one."""
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(command: str) -> str:
    """Return what a line of the shell prints."""
    if not command.startswith("mtsig "):
        return subprocess.run(shlex.split(command), check=True, capture_output=True, text=True).stdout
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        assert main(shlex.split(command)[1:]) == 0, command
    return told.getvalue()


def fits(shown: str, came: str) -> bool:
    """Whether an output is the one shown, where a line of … stands for any number of lines."""
    parts = [re.escape(part) for part in re.split(r"(?m)^…$", shown.strip())]
    return re.fullmatch(".*".join(parts), came.strip(), re.DOTALL) is not None


def without_ends(text: str) -> str:
    """Return a text without spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.split("\n"))


def test_the_comparison_of_outputs_can_fail() -> None:
    assert fits("one\n…\nthree", "one\ntwo\nthree\n")
    assert not fits("one\n…\nthree", "one\ntwo\n")
    assert not fits("one", "one two")


def test_the_tutorial_typed_line_by_line_prints_what_it_shows(place: Path) -> None:
    typed = 0
    for block in blocks("tutorial.md", "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            came = without_ends(printed(command))
            assert fits(shown, came), f"$ {command}\n{came}"
            typed += 1
    assert typed >= 7
    examples = "\n".join(blocks("tutorial.md", "python"))
    test = doctest.DocTestParser().get_doctest(examples, {}, "tutorial.md", None, 0)
    assert len(test.examples) > 10
    told: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert result.failed == 0, "".join(told)


def test_what_the_page_adds_is_added_from_outside(place: Path) -> None:
    page = (DOCS / "extend.md").read_text(encoding="utf-8")
    shown = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", page, re.DOTALL)
    assert len(shown) == 9
    for code, output in shown:
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(code, {"__name__": "extend"})
        assert told.getvalue() == output
    # They keep what the tables' own rows promise, and the command line knows them.
    check_metric(METRICS["charprec"])
    check_metric(METRICS["charerr"])
    assert not METRICS["charerr"].higher_is_better
    check_interval(INTERVALS["normal-errors"])
    check_test(TESTS["jackknife-z"], rounds=100)
    check_correction(CORRECTIONS["hochberg"], rounds=100)
    asking = Corpus.of({"A": ["Who.", "Here."], "B": ["Who?", "Here."]}, {"ref": ["Who?", "Here."]})
    check_finding(CHECKS["questions"], asking)
    check_exporter(EXPORTERS["sentences"])
    held = Corpus.of({"ours": ["The cat sat."]}, {"ref": ["A cat sat."]})
    check_reader(READERS["pairs"], {"news.pairs": b"A cat sat. ||| The cat sat.\n"}, held)
    assert "charprec" in printed("mtsig metrics")
    assert "jackknife-z" in printed(
        "mtsig compare --data sample_data/es-en --test jackknife-z --resamples 100 --format json"
    )
    assert "news.pairs, left" in printed("mtsig read --data news.pairs")


def commands(page: str) -> list[str]:
    """Return every line of a page's code that begins with mtsig."""
    text = (DOCS / page).read_text(encoding="utf-8").replace("\\\n", " ")
    # Every second part is between fences; outside of them code is indented.
    code = [
        line if fenced else line[4:] if line.startswith("    ") else ""
        for number, part in enumerate(re.split(r"(?m)^```.*$", text))
        for fenced in (number % 2,)
        for line in part.splitlines()
    ]
    return [line.removeprefix("$ ") for line in code if re.match(r"(\$ )?mtsig \w", line)]


PAGES = sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if page.name not in WRITTEN)


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_are_commands(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for line in commands(page):
        words = shlex.split(re.split(r" [|>&]+ ", line)[0], comments=True)[1:]
        # A fault ends it, with its words on stderr.
        chosen, rest = parser_of(words[:1]).parse_known_args(words)
        assert rest == [] or chosen.verb == "dashboard", line
    capsys.readouterr()


def test_the_pages_have_commands() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 20
