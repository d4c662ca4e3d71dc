"""Every fault that is planted in the sample data is found where it is, and nothing is said of the data as they are."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from planted import REFERENCE, SAMPLE, SOURCES, SYSTEM, every, slipped, some, with_lines
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from mtsig import check_data
from mtsig.doctor import CHECKS


def swapped(lines: list[str], step: int) -> list[str]:
    """Return the lines with every `step`-th and its next in each other's place."""
    places = list(range(len(lines)))
    for at in range(0, len(lines) - 1, step):
        places[at : at + 2] = at + 1, at
    return [lines[place] for place in places]


OTHER = list(SAMPLE.outputs["via-esperanto"])


TOKENIZE = Tokenizer13a()


def cyrillic(line: str) -> str:
    return "".join(chr(0x430 + ord(char) - ord("a")) if "a" <= char <= "z" else char for char in line.lower())


FAULTS: dict[str, tuple[str, Callable[[list[str]], Sequence[str]]]] = {
    # what is planted -> the check that is to find it, and the change
    "a long block slipped": ("shifts", slipped(50, 60)),
    "a block slipped back": ("shifts", slipped(120, 30, -1)),
    "a short block slipped by three": ("shifts", slipped(90, 6, 3)),
    "every tenth line of the next one": (
        "shifts", lambda lines: [lines[n + 1] if n % 10 == 5 else own for n, own in enumerate(lines)]
    ),
    "neighbours swapped now and then": ("shifts", lambda lines: swapped(lines, 20)),
    "all neighbours swapped": ("shifts", lambda lines: swapped(lines, 2)),
    "half of another system": ("mixed systems", lambda lines: [*OTHER[:100], *lines[100:]]),
    "every second line of another system": (
        "mixed systems", lambda lines: [OTHER[n] if n % 2 else own for n, own in enumerate(lines)]
    ),
    "another test set": ("shifts", lambda lines: lines[100:] + lines[:100]),
    "lines in reverse": ("shifts", lambda lines: lines[::-1]),
    "empty lines": ("empty", lambda lines: some(lines, every(40), lambda _: "")),
    "lines of spaces": ("empty", lambda lines: some(lines, every(40), lambda _: "  ")),
    "a copy of another system": ("identical", lambda _: list(SAMPLE.outputs["direct-us"])),
    "the reference": ("reference as system", lambda _: REFERENCE),
    "the reference, edited": (
        "kinship", lambda lines: [own if n % 10 == 0 else REFERENCE[n] for n, own in enumerate(lines)]
    ),
    "the source": ("copied source", lambda _: SOURCES),
    "some of the source": (
        "copied source", lambda lines: [SOURCES[n] if n % 10 == 0 else own for n, own in enumerate(lines)]
    ),
    "source lines with a word changed": (
        "language", lambda lines: [f"{SOURCES[n]} ok" if n % 20 == 0 else own for n, own in enumerate(lines)]
    ),
    "another language": ("language", lambda _: SOURCES),
    "another script": ("script", lambda lines: some(lines, every(30), cyrillic)),
    "one output again and again": (
        "repeated output", lambda lines: some(lines, every(30), lambda _: "I am afraid that I cannot translate this.")
    ),
    "tokenized": ("processing", lambda lines: [TOKENIZE(line) for line in lines]),
    "subwords": ("processing", lambda lines: [line.replace("ing", "@@ ing").replace("er", "@@ er") for line in lines]),
    "sentence pieces": ("processing", lambda lines: ["▁" + line.replace(" ", " ▁") for line in lines]),
    "lower-cased": ("processing", lambda lines: [line.lower() for line in lines]),
    "byte-order marks": ("characters", lambda lines: some(lines, every(50), lambda line: "\ufeff" + line)),
    "line separators": ("characters", lambda lines: some(lines, every(50), lambda line: line + "\u2028so")),
    "next-line characters": ("characters", lambda lines: some(lines, every(50), lambda line: line + "\x85")),
    "carriage returns": ("characters", lambda lines: some(lines, every(50), lambda line: line + "\r")),
    "wrongly decoded text": (
        "characters", lambda lines: some(lines, every(50), lambda line: (line + " café’s").encode().decode("cp1252"))
    ),
    "control characters": ("characters", lambda lines: some(lines, every(50), lambda line: line + "\x92")),
    "zero-width spaces": ("characters", lambda lines: some(lines, every(50), lambda line: line + "\u200b")),
    "HTML entities": ("entities", lambda lines: some(lines, every(50), lambda line: line + " &quot;so&quot;")),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_in_the_system_it_is_in(fault: str) -> None:
    check, change = FAULTS[fault]
    found = check_data(with_lines(change), [check]).warnings
    assert found
    assert all(repr(SYSTEM) in one.where for one in found)
    assert all(one.advice for one in found)


def test_lines_swapped_in_the_reference_are_one_finding_of_the_reference() -> None:
    lines = swapped(REFERENCE, 9)
    (found,) = check_data(replace(SAMPLE, references={"ref": tuple(lines)}), ["shifts"]).warnings
    assert "reference" in found.where
    assert not found.systems
    assert {1, 2, 10} <= set(found.lines)


def test_nothing_is_said_of_the_sample() -> None:
    assert len(check_data(SAMPLE)) == 0
    assert check_data(SAMPLE).checked == tuple(CHECKS)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9, 12, 20, 30])
def test_nothing_above_a_note_is_said_of_very_few_segments(n: int) -> None:
    for start in range(0, 160, 40):
        found = check_data(SAMPLE.take(range(start, start + n))).warnings
        # Two of the sample's systems do agree in stretches.
        assert [one for one in found if one.check != "identical"] == []


@pytest.mark.parametrize("start", range(0, 141, 60))
def test_nothing_above_a_note_is_said_of_a_part_of_the_sample(start: int) -> None:
    assert check_data(SAMPLE.take(range(start, start + 60))).warnings == ()


@pytest.mark.parametrize("seed", range(2))
def test_nothing_above_a_note_is_said_of_the_sample_in_another_order(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(SAMPLE))
    assert check_data(SAMPLE.take(order)).warnings == ()


@pytest.mark.parametrize("fault", [name for name, (check, _) in FAULTS.items() if check in {
    "empty", "copied source", "language", "script", "repeated output", "characters", "entities", "shifts"
}])  # fmt: skip
def test_of_a_part_lines_are_counted_as_in_the_files(fault: str) -> None:
    check, change = FAULTS[fault]
    damaged = with_lines(change)
    pairs = zip(damaged.lines(SYSTEM), SAMPLE.lines(SYSTEM), strict=True)
    touched = {number for number, (line, own) in enumerate(pairs, 1) if line != own}
    # What slipped is known by its neighbours, which a part with gaps lacks.
    kept = [number for number in range(45, 200) if check == "shifts" or number % 10 in {0, 3, 4}]
    findings = [one for one in check_data(damaged.take(kept), [check]) if one.lines]
    for finding in findings:
        assert set(finding.lines) <= touched & {number + 1 for number in kept}
        first = finding.lines[0]
        assert f"line {first}" in finding.where + finding.found or f"lines {first}" in finding.where + finding.found
    # A text that is in another language throughout, or of another test set, has no lines that stand out.
    assert findings or fault in {"another language", "another test set", "lines in reverse"}
