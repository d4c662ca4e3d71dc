"""Copies, repeats and empty lines: held against what references and sources have there, before a system is blamed."""

import re
import string
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from kept import Kept, worded
from limited import mtsig
from planted import REFERENCE, SAMPLE, SOURCES, SYSTEM, corpus, everywhere, found, put, with_lines

from mtsig import Corpus, check_data
from mtsig.doctor import _texts


def test_a_system_that_says_nothing_is_called_empty_and_not_another_test_sets() -> None:
    found = check_data(with_lines(lambda lines: [""] * len(lines))).warnings
    assert [one.check for one in found] == ["empty"]


def test_lines_that_loop_are_found_whatever_they_are_made_of() -> None:
    random = Random(36)
    lines = []
    for _ in range(800):
        length, letters = (
            int(60 * 2 ** random.uniform(-1, 7)),
            random.choice(("ab", "abc d", "aé漢\U0001f600 ", "abcdefghij \n")),
        )
        own = "".join(random.choices(letters, k=int(length * random.uniform(0.01, 0.5))))
        lines.append(
            (own * length)[: length - random.randint(0, length)] + "".join(random.choices(letters, k=length // 9))
        )
    loops = [
        len(line) >= 60 and 3 * len({line[i : i + 10] for i in range(len(line) - 9)}) < len(line) - 9 for line in lines
    ]
    looping = list(_texts._looping(lines))
    assert looping == [i for i, one in enumerate(loops) if one]
    assert 50 < len(looping) < len(lines) - 50


def test_repeated_segments_are_noted_and_many_are_warned_of() -> None:
    twice = SAMPLE.take([*range(200), 3, 4])
    (few,) = check_data(replace(twice, segments=replace(twice.segments, numbers=None)), ["duplicates"])
    assert (few.level, few.lines) == ("note", (201, 202))
    (many,) = check_data(SAMPLE.take([*range(200), *range(60)]), ["duplicates"])
    assert many.level == "warning"


STUCK = "I am afraid that I cannot translate this."


OTHER, OWN = (SAMPLE.outputs[name] for name in ("via-esperanto", SYSTEM))


def test_a_line_that_all_systems_repeat_is_one_warning() -> None:
    (one,) = found(corpus(everywhere(lambda _: STUCK)), "repeated output")
    assert one.level == "warning"
    assert all(repr(name) in one.where + one.found for name in SAMPLE.outputs)


def test_a_line_may_repeat_where_its_source_does() -> None:
    sources = put(SOURCES, lambda _: "No lo puedo traducir, lo siento.")
    assert found(corpus(everywhere(lambda _: STUCK), sources=sources), "repeated output") == []


def test_a_line_may_repeat_where_its_reference_does() -> None:
    reference = put(REFERENCE, lambda _: "Sorry, there is no translation for it.")
    assert found(corpus(everywhere(lambda _: STUCK), reference), "repeated output") == []


def test_a_line_may_repeat_where_its_source_says_nearly_the_same() -> None:
    ways = ["¿Podría usted traducirme esta línea, por favor?", "Por favor, ¿podría usted traducirme esta línea hoy?"]
    sources = put(SOURCES, lambda n: ways[n // 20 % 2])
    assert found(corpus(everywhere(lambda _: STUCK), sources=sources), "repeated output") == []


def test_without_source_and_references_the_other_systems_tell_segments_apart() -> None:
    alone = replace(corpus(everywhere(lambda _: STUCK, systems=1), sources=None), references={})
    (one,) = found(alone, "repeated output")
    assert (one.where, one.level) == (f"system {next(iter(SAMPLE.outputs))!r}", "warning")
    assert found(replace(corpus(everywhere(lambda _: STUCK), sources=None), references={}), "repeated output") == []
    assert found(alone.select(list(SAMPLE.systems)[:1]), "repeated output") == []


def test_without_sources_a_line_may_repeat_where_half_of_the_other_systems_repeat_theirs() -> None:
    most = corpus(everywhere(lambda _: STUCK, systems=4), sources=None)
    assert found(most, "repeated output") == []
    (one,) = found(corpus(everywhere(lambda _: STUCK, systems=1), sources=None), "repeated output")
    assert one.level == "warning"


def test_source_lines_that_the_reference_leaves_as_they_are_are_no_systems_fault() -> None:
    outputs, reference = everywhere(SOURCES.__getitem__), put(REFERENCE, SOURCES.__getitem__)
    assert [one.level for one in found(corpus(outputs), "copied source")] == ["warning"]
    assert [one.level for one in found(corpus(outputs, reference), "copied source")] == ["note"]


def test_empty_lines_where_the_reference_is_empty_are_noted_once() -> None:
    outputs, reference = everywhere(lambda _: ""), put(REFERENCE, lambda _: "")
    assert [one.level for one in found(corpus(outputs), "empty")] == ["warning"]
    assert [(one.where, one.level) for one in found(corpus(outputs, reference), "empty")] == [
        ("references and systems", "note")
    ]


def test_one_or_two_lines_are_no_warning_however_few_there_are() -> None:
    data = corpus(everywhere(lambda _: "", systems=1))
    assert [one.level for one in found(data.take(range(19, 100)), "empty")] == ["warning"]
    assert [one.level for one in found(data.take(range(19, 79)), "empty")] == ["warning"]
    assert [one.level for one in found(data.take(range(19, 59)), "empty")] == ["note"]
    assert [one.level for one in found(data.take([20, 40]), "empty")] == ["warning"]


LINES = [f"this is the line {i} of the text, and word{i % 7} ends it" for i in range(300)]


MIXED = {
    "the first half": lambda n: n < 100, "every second line": lambda n: n % 2 == 0, "a block": lambda n: 60 < n < 150,
}  # fmt: skip


@pytest.mark.parametrize("places", MIXED)
def test_of_mixed_systems_the_one_is_named_and_no_relative(places: str) -> None:
    """direct-us is a relative of direct; copies with a few words changed are relatives of the other."""
    mixed = tuple(new if MIXED[places](n) else old for n, (new, old) in enumerate(zip(OTHER, OWN, strict=True)))
    kin = {f"kin {k}": tuple(f"{line} ({k})" if n % 3 == 0 else line for n, line in enumerate(lines))
           for k, lines in enumerate((OTHER, OWN))}  # fmt: skip
    for relatives in ({}, kin):
        outputs = {**SAMPLE.outputs, SYSTEM: mixed, **relatives}
        corpus = replace(SAMPLE, outputs=outputs, systems={name: (name,) for name in outputs})
        (found,) = check_data(corpus, ["mixed systems"])
        assert found.systems == (SYSTEM,)
        assert "are those of" in found.found


def test_of_two_mixed_systems_alone_it_is_said_that_nothing_tells_which() -> None:
    lines = {"A": OTHER, "B": [old if n % 2 else new for n, (old, new) in enumerate(zip(OTHER, OWN, strict=True))]}
    corpus = replace(SAMPLE, outputs={name: tuple(own) for name, own in lines.items()},
                     systems={name: (name,) for name in lines}, references={})  # fmt: skip
    (found,) = check_data(corpus, ["mixed systems"])
    assert found.systems == ("A", "B")
    worded(found.found)


def test_of_each_group_of_copies_there_is_one_finding(kept: Kept) -> None:
    other = [f"quite another line {i}" for i in range(300)]
    outputs = {**{f"a{i}": LINES for i in range(8)}, "b0": other, "b1": other, "c": ["x", *LINES[1:]]}
    found = list(check_data(Corpus.of(outputs, {"ref": other[::-1]}), ["identical"]))
    assert [re.findall(r"'(\w+)'", finding.where) for finding in found] == [
        [f"a{i}" for i in range(5)], ["b0", "b1"], ["a0", "c"],
    ]  # fmt: skip
    assert "3 more" in found[0].where
    assert "299 of 300" in str(found[2])
    kept("check", *map(str, found))


@pytest.mark.parametrize("kind", ["equal", "nearly"])
def test_hundreds_of_copies_cost_little(kind: str, tmp_path: Path) -> None:
    for number in range(120):
        lines = (
            LINES if kind == "equal" else [*LINES[: number % 290], f"changed in {number}", *LINES[number % 290 + 1 :]]
        )
        place = tmp_path / ("refs" if not number else "systems") / f"s{number}.txt"
        place.parent.mkdir(exist_ok=True)
        place.write_text("\n".join(lines if number else LINES[::-1]) + "\n")
    done = mtsig("check", "--data", tmp_path, "--only", "identical", memory=1.5e9, seconds=3)
    assert done.returncode == 0, done.stderr[-500:]
    assert len(done.stdout.splitlines()) < 132


@pytest.mark.slow
def test_many_systems_that_share_lines_with_each_other_cost_little(tmp_path: Path) -> None:
    """Every two share 35 of 100 lines and nothing else; each pair used to be held against every third system."""
    for number in range(150):
        chosen = Random(number)
        own = [" ".join(chosen.choices(string.ascii_letters, k=40)) for _ in LINES[:65]]
        place = tmp_path / ("refs" if not number else "systems") / f"s{number}.txt"
        place.parent.mkdir(exist_ok=True)
        place.write_text("\n".join(LINES[:35] + own) + "\n")
    done = mtsig("check", "--data", tmp_path, "--only", "mixed systems", memory=1.5e9, seconds=15)
    assert done.returncode == 0, done.stderr[-500:]
    assert "unrelated systems" in " ".join(done.stdout.split())
    assert len(done.stdout) < 100_000


@pytest.mark.parametrize("line", ["a" + "\u0301\u0327" * 100_000, "w" * 300_000], ids=["marks", "letters"])
def test_long_lines_take_a_time_that_grows_with_their_length(line: str, tmp_path: Path) -> None:
    for name, text in {"ref": LINES, "a": LINES[::-1], "b": [*LINES[5:], *[line] * 5]}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    done = mtsig("check", "--data", tmp_path, memory=2e9, seconds=20)
    assert done.returncode == 0, done.stderr[-500:]


CODES: dict[str, Callable[[str], str]] = {
    "base64": lambda line: b64encode(line.encode()).decode(),
    "base64 for addresses": lambda line: urlsafe_b64encode(f"{line}ÿ?>".encode()).decode(),
    "hexadecimal": lambda line: line.encode().hex(),
    "percent": lambda line: quote(line),
    "escapes": lambda line: "".join(f"\\u{ord(sign):04x}" for sign in line),
    "factors": lambda line: " ".join(f"{word}|NN" for word in line.split()),
    "factors of OpenNMT": lambda line: " ".join(f"{word}￨{word.lower()}￨N" for word in line.split()),
    "tags": lambda line: " ".join(f"{word}/NN" for word in line.split()),
    "underscores": lambda line: " ".join(f"{word}_V-{i}" for i, word in enumerate(line.split())),
    "letters": lambda line: " ".join(line.replace(" ", "")),
    "tokens": lambda line: " ".join(str(zlib.crc32(word.encode()) % 30_000) for word in line.split()),
    "subwords": lambda line: line.replace("e", "e@@ "),
}


@pytest.mark.parametrize("kind", CODES)
def test_texts_for_programs_are_told_also_where_all_are_so(kind: str) -> None:
    def coded(lines: Sequence[str | None]) -> list[str]:
        return [CODES[kind](line or "") for line in lines[:60]]

    outputs = {name: coded(lines) for name, lines in SAMPLE.outputs.items()}
    (one,) = found(corpus(outputs, coded(REFERENCE), SOURCES[:60]), "processing")[:1]
    assert one.level == "warning"
    assert all(name in one.found + one.where for name in (*SAMPLE.outputs, "ref"))
    assert found(corpus({name: list(lines)[:60] for name, lines in SAMPLE.outputs.items()}, REFERENCE[:60],
                        SOURCES[:60]), "processing") == []  # fmt: skip
