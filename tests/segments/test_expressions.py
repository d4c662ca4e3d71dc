"""Whatever stands between two slashes is looked for or refused within bounds of memory and time."""

import json
import os
import random
import re
import subprocess
import sys

import pytest
from made import ROOT

from mtsig import MtsigError, measure, read_sample
from mtsig.cli import main
from mtsig.segments import Wanted, chosen, contributions, searched

resource = pytest.importorskip("resource")

CHILD = """
import json, resource, sys
from mtsig import Corpus, MtsigError
from mtsig.segments import searched
lines = ["the cat sat, 12 of 1999: " + "a" * 60 + "!", "Ünïcode słowa 漢字仮名 الكلمة", "", "ab " * 400]
corpus = Corpus.of({"one": lines, "two": lines[::-1]}, {"ref": lines})
searched(corpus, ["one"], "/a/")
here = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (here + 2**29, here + 2**29))
for pattern in json.load(sys.stdin):
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime)
    # The search may take 2 seconds; the rest is for reading the expression.
    resource.setrlimit(resource.RLIMIT_CPU, (spent + 8, resource.RLIM_INFINITY))
    print(json.dumps(pattern), flush=True)
    try:
        found = searched(corpus, ["one", "two"], f"/{pattern}/").tolist()
    except MtsigError as error:
        assert "\\n" not in str(error).replace(pattern, ""), error
        found = str(error)
    print(json.dumps(found), flush=True)
"""
"""Half a GB and eight seconds for each: to read one that takes more is a MemoryError, or ends the process."""

ATOMS = [
    "a", ".", r"\w", r"\p{L}", r"[\p{Han}\p{Latin}]", "[a-z]", "(?<=a)", "(?<!b)", "(?=.*c)", r"\X", "(?P<x>a)(?P=x)",
    "(?:ab|cd)", r"\b", "[^,]", "é", "(?i:ß)", "(?>a+)", "(?|(a)|(b))", "(?:cat){e<=2}", "(?R)?", r"\m", "(?r)b",
    "(?#note)", "(?V1)[[a-z]--[aeiou]]", r"\N{LATIN SMALL LETTER A}", "(?(DEFINE)(?P<y>a{3}))(?&y)", "$", "^",
]  # fmt: skip
COUNTS = [
    "", "", "*", "+", "?", "+?", "*+", "{3}", "{2,}", "{0,99999999}", "{99999999}", "{999,99999}", "{1000}", "{,50}",
    "{4294967294}", "{e<=99999}", "{99999999}+", "{ 9 }", "{0000000099999999}",
]  # fmt: skip
KNOWN = [
    "(?P<x>a)(?P=x){99999999}", "a{99999999}", "((a{1000}){1000}){1000}", "(?x)a{9 9 9 9 9 9 9 9}",
    "(?sx:a{99999#\n999})", "(?x)a # [\n{99999999} # ]", r"\p{L}{9999999}b", "[[a]{99999999}]{99999999}",
    r"(\)){99999999}", "(a+)+$", "(a|aa)+$", "(a*)*b", "(?:a?){5000}a{5000}", "(" * 450 + "a" + ")" * 450,
    "(a" * 300 + ")+" * 300, "|".join("ab" for _ in range(300)), "(?=" * 200 + "a" + ")" * 200, "(?:.*,){40}x",
    r"(\w+\s?)+(?<=(a+)+)!", "(?:(?:(?:a{9}){9}){9}){9}", "(?R)(?R)", "(a(?1)?b)+", "(?e)(?:the cat sat){e}",
    "(?b)(?:" + "a" * 200 + "){e<=50}", "[" + "a-z" * 300 + "]+", r"(?i)" + "ß" * 400, "a" * 1001,
    "(a)(?:(?#x)){9999}(?#){9999}{9999}",
]  # fmt: skip


def made(rng: random.Random, depth: int) -> str:
    """Return an expression of nested groups, counts, classes, back references and looks behind."""
    if depth == 0:
        return rng.choice(ATOMS) + rng.choice(COUNTS)
    inside = "".join(made(rng, depth - 1) for _ in range(rng.randint(1, 3)))
    return rng.choice(["({})", "(?:{})", "(?={})", "(?<={})", "{}|a", "(?P<n>{})", "(?i:{})"]).format(
        inside
    ) + rng.choice(COUNTS)


def results(patterns: list[str]) -> dict[str, object]:
    """Return what comes of each, found or refused, by a process that ends when one takes too much."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps(patterns), capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (done.returncode, told[-1:], done.stderr[-2000:])
    return dict(zip(told[::2], told[1::2], strict=True))


def test_an_expression_that_takes_too_much_is_refused_before_it_does() -> None:
    found = results(KNOWN)
    assert [pattern for pattern in KNOWN[:9] if not re.search("repeats too much|flag x", str(found[pattern]))] == []


@pytest.mark.parametrize("seed", range(4))
def test_made_expressions_stay_within_memory_and_time(seed: int) -> None:
    rng = random.Random(seed)
    patterns = list(dict.fromkeys(made(rng, rng.randint(0, 4)) for _ in range(60)))
    found = results(patterns)
    assert len(found) == len(patterns)
    assert {type(each) for each in found.values()} == {str, list}  # refused, and looked for


@pytest.mark.parametrize(
    "pattern",
    [r"(?<=the )\w+", r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]+", r"(\w+ ){3,}", r"\p{Lu}\p{Ll}{3,}", r".{60,}",
     r"(?!the)\b\w{12,}\b", r"(\w)\1", r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|water"],
)  # fmt: skip
def test_what_people_look_for_is_found_as_before(pattern: str) -> None:
    import regex

    corpus = read_sample()
    columns = [corpus.segments.sources or (), *corpus.references.values(), corpus.lines("direct")]
    expected = [any(regex.search(pattern, line, regex.I) for line in lines) for lines in zip(*columns, strict=True)]
    assert searched(corpus, ["direct"], f"/{pattern}/").tolist() == expected
    assert any(expected)


def test_a_refusal_says_what_was_found_and_what_to_do() -> None:
    corpus = read_sample()
    parts = contributions(measure(corpus, "bleu"), "direct", "via-catalan")
    with pytest.raises(
        MtsigError, match=r"/a\{99999999\}/ repeats too much.*more than 100,000 characters\. Take smaller"
    ):
        chosen(corpus, parts, Wanted(search="/a{99999999}/"))
    with pytest.raises(MtsigError, match="has the flag x, which is not taken; write it without"):
        searched(corpus, [], "/(?x) a/")


def test_the_command_line_refuses_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    data, pattern = str(ROOT / "sample_data" / "es-en"), "/(?P<x>a)(?P=x){99999999}/"
    assert main(["segments", "--data", data, "--pair", "direct", "via-catalan", "--search", pattern]) == 2
    assert "repeats too much" in capsys.readouterr().err
