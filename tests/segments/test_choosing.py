"""Which segments are looked at, and in which order; expressions are searched or refused within bounds."""

import json
import os
import random
import re
import subprocess
import sys
import time

import numpy as np
import pytest
from made import ROOT, made_corpus

from mtsig import Corpus, MtsigError, measure, read_sample
from mtsig.cli import main
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.segments import Contributions, contributions
from mtsig.segments import _choosing as choosing
from mtsig.segments._choosing import SORTS, Wanted, chosen, disagreement, searched, sorts_of


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_sample()


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> Contributions:
    return contributions(measure(corpus, "chrf"), "direct", "via-catalan")


def numbers(corpus: Corpus, found: Contributions, **wanted: object) -> list[int]:
    return found.numbers[chosen(corpus, found, Wanted(**wanted), "number")].tolist()  # type: ignore[arg-type]


def test_orders_are_those_of_the_numbers_they_are_called_after(corpus: Corpus, found: Contributions) -> None:
    values = found.values.tolist()
    sources = corpus.segments.sources
    assert sources is not None
    keys = {
        "contribution": lambda i: -values[i],
        "against": lambda i: values[i],
        "absolute": lambda i: -abs(values[i]),
        "length": lambda i: -len(sources[i]),
        "number": lambda i: i,
    }
    assert set(keys) == set(SORTS) == set(sorts_of(corpus))
    for name, key in keys.items():
        assert chosen(corpus, found, sort=name).tolist() == sorted(range(found.statistics.n), key=key), name


def test_a_text_is_looked_for_in_every_line_in_upper_or_lower_case(corpus: Corpus, found: Contributions) -> None:
    lines = [corpus.segments.sources, *corpus.references.values(), corpus.lines("direct"), corpus.lines("via-catalan")]
    wanted = "water"
    expected = [i for i in range(len(corpus)) if any(wanted in (text[i] or "").lower() for text in lines if text)]
    assert 0 < len(expected) < len(corpus)
    assert numbers(corpus, found, search="WATER") == expected
    assert numbers(corpus, found, search="/w[a]ter/") == expected
    assert numbers(corpus, found, search="no line has this") == []


def test_numbers_are_asked_for_as_cards_show_them(corpus: Corpus, found: Contributions) -> None:
    assert numbers(corpus, found, search="#7") == [6]
    assert numbers(corpus, found, search=" #7, #12 #200 #9999") == [6, 11, 199]
    assert numbers(corpus, found, search="#7 water") == []


def test_a_regular_expression_that_is_none_or_never_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = made_corpus(n=20, systems=2, documents=0, references=1)
    corpus = Corpus.of({name: ["a" * 40 + "!"] * 20 for name in corpus.systems}, {"ref": ["b " * 9] * 20})
    found = contributions(measure(corpus, "ter"), *corpus.systems)
    with pytest.raises(InvalidOption, match=r"/\(/ is not a regular expression"):
        chosen(corpus, found, Wanted(search="/(/"))
    with pytest.raises(InvalidOption, match="not a regular expression: too deep"):
        chosen(corpus, found, Wanted(search="/" + "(" * 450 + "a" + ")" * 450 + "/"))
    with pytest.raises(InvalidOption, match="at most 1,000 characters; found 2,000"):
        chosen(corpus, found, Wanted(search="/" + "a" * 2000 + "/"))
    monkeypatch.setattr(choosing, "SEARCH_SECONDS", 0.2)
    began = time.process_time()
    with pytest.raises(NotApplicable, match=r"takes more than 0\.2 seconds"):
        chosen(corpus, found, Wanted(search="/(a|aa)+$/"))
    assert time.process_time() - began < 10


def test_filters_leave_what_they_say(corpus: Corpus, found: Contributions) -> None:
    values, documents = found.values, corpus.documents
    assert documents is not None
    name = documents[7]
    assert numbers(corpus, found, document=name) == [i for i in range(len(corpus)) if documents[i] == name]
    assert numbers(corpus, found, side="first") == np.flatnonzero(values > 0).tolist()
    assert numbers(corpus, found, side="second") == np.flatnonzero(values < 0).tolist()
    assert numbers(corpus, found, side="neither") == np.flatnonzero(values == 0).tolist()
    assert numbers(corpus, found, only=frozenset({3, 9})) == [3, 9]
    assert numbers(corpus, found, domain="news") == []
    low, high = 0.0, float(np.quantile(values, 0.9))
    assert numbers(corpus, found, push=(low, high)) == np.flatnonzero((values >= low) & (values <= high)).tolist()
    second, first = (20.0, 60.0), (40.0, 100.0)
    inside = [i for i in range(len(corpus)) if 20 <= found.scores[1, i] <= 60 and 40 <= found.scores[0, i] <= 100]
    assert numbers(corpus, found, scores=(second, first)) == inside
    lengths = [len(text) for text in corpus.segments.sources or ()]
    assert numbers(corpus, found, lengths=(50, 90)) == [i for i in range(len(corpus)) if 50 <= lengths[i] <= 90]


def test_buckets_are_joined_and_everything_else_is_cut(corpus: Corpus, found: Contributions) -> None:
    even, third = np.arange(len(corpus)) % 2 == 0, np.arange(len(corpus)) % 3 == 0
    wanted = Wanted(within=("even", "third"), side="first")
    kept = chosen(corpus, found, wanted, "number", {"even": even, "third": third})
    assert kept.tolist() == np.flatnonzero((even | third) & (found.values > 0)).tolist()
    with pytest.raises(UnknownName):
        chosen(corpus, found, wanted, masks={"even": even})
    with pytest.raises(UnknownName):
        chosen(corpus, found, sort="beauty")


def test_disagreement_is_largest_where_two_metrics_point_apart(corpus: Corpus, found: Contributions) -> None:
    other = contributions(measure(corpus, "bleu"), "direct", "via-catalan")
    apart = disagreement(found, other)
    mine, yours = found.values / np.std(found.values), other.values / np.std(other.values)
    np.testing.assert_allclose(apart, abs(mine - yours))
    order = chosen(corpus, found, sort="against BLEU", keys={"against BLEU": apart})
    assert order[0] == int(np.argmax(apart))
    np.testing.assert_allclose(disagreement(found, found), 0, atol=1e-15)


resource = pytest.importorskip("resource")

CHILD = """
import json, resource, sys
from mtsig import Corpus, MtsigError
from mtsig.segments import _choosing
from mtsig.segments._choosing import searched
_choosing.SEARCH_SECONDS = 0.3
lines = ["the cat sat, 12 of 1999: " + "a" * 60 + "!", "Ünïcode słowa 漢字仮名 الكلمة", "", "ab " * 400]
corpus = Corpus.of({"one": lines, "two": lines[::-1]}, {"ref": lines})
searched(corpus, ["one"], "/a/")
here = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (here + 2**29, here + 2**29))
for pattern in json.load(sys.stdin):
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime)
    # The search may take 0.3 seconds; the rest is for reading the expression.
    resource.setrlimit(resource.RLIMIT_CPU, (spent + 5, resource.RLIM_INFINITY))
    print(json.dumps(pattern), flush=True)
    try:
        found = searched(corpus, ["one", "two"], f"/{pattern}/").tolist()
    except MtsigError as error:
        assert "\\n" not in str(error).replace(pattern, ""), error
        found = str(error)
    print(json.dumps(found), flush=True)
"""
"""Half a GB and five seconds for each: to read one that takes more is a MemoryError, or ends the process."""

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
        MtsigError, match=r"/a\{99999999\}/ repeats too much.*more than 100,000 characters\. Use smaller"
    ):
        chosen(corpus, parts, Wanted(search="/a{99999999}/"))
    with pytest.raises(MtsigError, match="has the flag x, which is not supported; write it without"):
        searched(corpus, [], "/(?x) a/")


def test_the_command_line_refuses_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    data, pattern = str(ROOT / "sample_data" / "es-en"), "/(?P<x>a)(?P=x){99999999}/"
    assert main(["segments", "--data", data, "--pair", "direct", "via-catalan", "--search", pattern]) == 2
    assert "repeats too much" in capsys.readouterr().err
