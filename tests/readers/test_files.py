"""TOML and JSON that cost a parser far more than their size: refused, or read, within small limits of a process."""

import random
import sys
import tomllib
from collections import Counter

import pytest
from limited import limited

from mtsig.errors import ReadError
from mtsig.readers._files import DEEPEST, json_of, toml_of

pytest.importorskip("resource")

SIZE = 98_000

TOML = {
    "dotted keys": "'.'.join(['a'] * (n // 2)) + ' = 1'",
    "dotted keys on many lines": "'\\n'.join('.'.join(['a'] * 40) + f'.k{i} = 1' for i in range(n // 90))",
    "quoted dots": "'.'.join(['\"a.b\"'] * (n // 6)) + ' = 1'",
    "table headers": "'[' + '.'.join(['a'] * (n // 2)) + ']'",
    "spaced dots": "' . '.join(['a'] * (n // 4)) + ' = 1'",
    "many headers": "'\\n'.join(f'[[a]]\\n[a.b]' for i in range(n // 12))",
    "inline tables": "'a = ' + '{a=' * (n // 3)",
    "arrays": "'a = ' + '[' * n",
    "closed arrays": "'a = ' + '[' * (n // 2) + ']' * (n // 2)",
    "many arrays": "'a = [' + '[],' * (n // 3 - 4) + ']'",
    "strings that do not end": "'a = ' + '\\\"\\\"\\\"\\\\' * (n // 5)",
    "quotes": "'a = ' + '\\\"' * (n - 5)",
    "long number": "'n_resamples = ' + '9' * (n - 9)",
    "long hexadecimal number": "'n_resamples = 0x' + 'f' * (n - 12)",
    "keys": "'\\n'.join(f'k{i} = 1' for i in range(n // 11))",
    "comment": "'#' * n",
    "behind four quotes": "'x = \"\"\"a\"\"\"\" #\\\\\\n' + '.'.join(['a'] * (n // 2 - 9)) + ' = 1'",
    "a metric of tables": "'metrics' + '.a' * 9 + ' = 1'",
}

JSON = {
    "lists": "'[' * n",
    "objects": "'{\"a\":' * (n // 5)",
    "closed lists": "'[' * n + ']' * n",
    "in a study": "'{\"schema\": \"mtsig/3\", \"request\": {}, \"x\": ' + '[' * 500 + ']' * 500 + '}'",
    "behind quotes": "'[\"' + '\\\\\\\\\\\\\"' * 10 + '\", ' + '[' * n",
    "long number": "'[' + '9' * n + ']'",
    "too large": '\'{"schema": "mtsig/3", "request": {}, "x": 1e999}\'',
}

CHILD = """
import resource, sys
from mtsig.errors import MtsigError
from mtsig.study import study_of
from mtsig.study._request import plan_of
n = {size}
text = {text}
assert len(text) <= 3 * n + 1_000_000
used = resource.getrusage(resource.RUSAGE_SELF)
resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 4,) * 2)
pages = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (pages + 2**27,) * 2)
try:
    {reader}(text)
except MtsigError as error:
    print(str(error)[:300])
"""


def outcome(reader: str, text: str, size: int) -> str:
    code = CHILD.format(reader=reader, text=text, size=size)
    done = limited(code)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize("name", TOML)
def test_a_hostile_plan_costs_little(name: str) -> None:
    assert outcome("plan_of", TOML[name], SIZE).startswith("the plan")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize("name", JSON)
def test_a_hostile_study_costs_little(name: str) -> None:
    assert outcome("study_of", JSON[name], 1_000_000).startswith("the study")


def test_what_looks_deep_inside_of_texts_and_comments_is_none() -> None:
    deep = "[{." * 50
    text = f'# {deep}\na = "{deep}\\"{deep}"\nb = \'{deep}\'\nc = """{deep}\n"{deep}"""\n'
    _, found = toml_of(text, "it")
    assert list(found) == ["a", "b", "c"]
    assert found["b"] == deep
    assert json_of(f'["{deep * 9}", "\\\\", "\\"{deep * 9}"]', "it")[0] == deep * 9


def test_no_text_or_comment_hides_what_stands_behind_it() -> None:
    rng, deep = random.Random(0), ".".join("k" * (DEEPEST + 1)) + " = 1"
    counts = Counter[bool]()
    while min(counts[False], counts[True]) < 2000:
        quotes = rng.choice(['"', "'", '"""', "'''"])
        inside = ["".join(rng.choices(["!", "\\", '"', "'", "#", " ", "\n", deep], k=rng.randint(0, 3))) for _ in "ab"]
        text = f"a = {quotes}{inside[0]}{quotes}{rng.choice(['', ' #' + inside[1]])}\n{rng.choice([deep, 'b = 1'])}\n"
        try:
            found = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        counts["k" in found] += 1
        if "k" in found:
            with pytest.raises(ReadError, match="nested too deeply"):
                toml_of(text, "it")
        else:
            assert toml_of(text, "it")[1] == found


def test_the_depth_that_is_read_is_the_one_that_is_said() -> None:
    for number, refused in ((DEEPEST, False), (DEEPEST + 1, True)):
        for text in (".".join(["a"] * number) + " = 1", "a = " + "[" * number + "]" * number):
            if refused:
                with pytest.raises(ReadError, match=f"at most {DEEPEST} "):
                    toml_of(text, "it")
            else:
                assert toml_of(text, "it")[1]


@pytest.mark.parametrize("digits", [309, 5_000])
def test_no_whole_number_of_json_is_longer_than_a_fraction_can_be(digits: int) -> None:
    with pytest.raises(ReadError, match=rf"a number of {digits:,} digits"):
        json_of(f'{{"threshold": -{"9" * digits}}}', "a.json")
    assert float(json_of("9" * 300, "a.json")) == 1e300
