"""Prose: its spelling, a few rules of style, and claims it must not make, in documentation, pages and docstrings."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from made import ROOT

FOLDERS = ("docs", "mtsig", "dashboard", "sample_data")
ALONE = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "hatch_build.py", "streamlit_app.py")

STYLE = {
    "a word twice": re.compile(r"\b(?!no\b)([A-Za-z]{2,}) \1\b", re.IGNORECASE),
    "a sign twice, or a space before it": re.compile(r"[a-z] [,;.](?= |$)|,,|;;|[a-z]\.\.(?!\.)"),
    "no 'a' before a vowel, nor 'an' before a consonant": re.compile(
        r"\ba (?=[aeio][a-z])(?!one|once|eu|uni|use)[a-z]+|\ban (?=[bcdfgjkpqtvwyz][a-z]{2})[a-z]+"
    ),
    "words that say nothing, or talk down": re.compile(
        r"\b(?:obviously|needless to say|of course|in order to|utili[sz]e[sd]?|please|it is easy to see|trivially)\b",
        re.IGNORECASE,
    ),
}

CLAIMS = {
    "p is no probability of a hypothesis": r"(?:probability|chance) (?:that|of) (?:the )?(?:null|H0|hypothesis)",
    "nor of chance": r"(?:is|are|was|were|be) (?:only |purely )?due to chance",
    "a test proves nothing": r"\bproves? (?:that|to be)\b",
    "not significant is not equal": r"so (?:they|the (?:two )?systems) are (?:equal|the same|equally good)\b",
    "no method is free of assumptions": r"\b(?:needs?|makes?|without|has|have) (?:no|any) assumptions?\b",
    "errors are counted among true nulls": r"(?:one|1) in (?:twenty|20) (?:conclusions|claims|verdicts)",
    "power is for a difference chosen in advance": r"(?<!never \")observed power",
    "there are no grades of significance": r"\b(?:highly|marginally|almost|nearly|borderline) significant\b",
    "significant is not large": r"significant(?:ly)?,? (?:and )?(?:so|therefore|hence) (?:large|important|better for)",
    "overlapping intervals are no test": r"intervals overlap,? (?:so|therefore|hence)",
    "a win rate is no probability of being best": r"\bposterior probabilit",
    "no star without correction": r"\buncorrected star",
}
"""Claims never to make, as they would be worded; tests/test_claims.py holds what the program computes and says."""


def without_code(text: str) -> str:
    """Return Markdown's sentences alone: no fences, no indented code, no code in a line, no tables, no links' ends."""
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    lines = [line for line in text.split("\n") if not line.startswith(("    ", "|", "---", "#"))]
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)|https?://\S+", "@", "\n".join(lines))


@cache
def prose() -> dict[str, list[str]]:
    """Return file -> paragraphs."""

    def paragraphs(text: str) -> list[str]:
        return [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n\s*[-*] ", text) if part.strip()]

    found = {}
    for path in _files("*.md"):
        read = paragraphs(without_code(path.read_text(encoding="utf-8")))
        # Beliefs that a lesson is to end stand in its words as what they are.
        found[str(path)] = [part for part in read if not part.startswith(("misconception: ", "wrong: "))]
    for path in _files("*.py"):
        docstrings = re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)
        shown = (re.sub(r"(?m)^ *(?:>>>|\.\.\.) .*(?:\n(?! *>>>).*\S.*)*", "", text) for text in docstrings)
        code = re.compile(r"(?m)^ {8,}.*$|`[^`]*`")
        found[str(path)] = [part for text in shown for part in paragraphs(code.sub("@", text))]
    return found


def _files(pattern: str) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob(pattern))
    yield from (ROOT / name for name in ALONE if Path(name).match(pattern))


def told_by(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{file}: … {text[max(0, match.start() - 40) : match.end() + 40]} …"
        for file, texts in prose().items()
        for text in texts
        for match in pattern.finditer(text)
    ]


def test_there_is_prose() -> None:
    read = prose()
    assert len(read) > 350
    assert sum(len(text.split()) for texts in read.values() for text in texts) > 40_000


def test_words_are_spelled() -> None:
    pytest.importorskip("codespell_lib", reason="spelling is checked with pip install '.[test]'")
    # Names and other languages that look like mistakes are named in pyproject.toml.
    command = [sys.executable, "-m", "codespell_lib", *FOLDERS, *ALONE]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("rule", STYLE)
def test_style(rule: str) -> None:
    assert told_by(STYLE[rule]) == []


@pytest.mark.parametrize("claim", CLAIMS)
def test_no_sentence_claims_what_no_number_shows(claim: str) -> None:
    assert told_by(re.compile(CLAIMS[claim], re.IGNORECASE)) == []


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("a word twice", "It is is so."),
        ("a sign twice, or a space before it", "so , what"),
        ("no 'a' before a vowel, nor 'an' before a consonant", "it is a error"),
        ("words that say nothing, or talk down", "In order to count"),
    ],
)
def test_the_rules_of_style_can_fail(rule: str, wrong: str) -> None:
    assert STYLE[rule].search(wrong)
    assert not STYLE[rule].search("An error has a unit, one that a European counts; an hour, a one-sided p.")


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("p is no probability of a hypothesis", "p is the probability that the null is true"),
        ("nor of chance", "The difference is due to chance."),
        ("not significant is not equal", "p is large, so the systems are equal."),
        ("no method is free of assumptions", "The bootstrap needs no assumptions."),
        ("power is for a difference chosen in advance", "The observed power is 40%."),
        ("there are no grades of significance", "This is highly significant."),
        ("overlapping intervals are no test", "The intervals overlap, so nothing was shown."),
    ],
)
def test_a_claim_is_recognised(claim: str, wrong: str) -> None:
    assert re.search(CLAIMS[claim], wrong, re.IGNORECASE)
