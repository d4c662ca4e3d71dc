"""Every fault that is planted in the sample data is found where it is, and nothing is said of the data as they are."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from mtsig import Corpus, Rating, check_data, measure, read_sample
from mtsig.doctor import CHECKS, Finding, _view, check_parts
from mtsig.errors import UnknownName
from mtsig.readers import File, parts_of

SAMPLE = read_sample()
SYSTEM = "direct"
TWO = SAMPLE.select([SYSTEM, "via-catalan"])
"""For what is looked for in one text: the other is what it is held against."""


def with_lines(change: Callable[[list[str]], Sequence[str]], corpus: Corpus = SAMPLE) -> Corpus:
    """Return the sample with the output of one system changed."""
    return replace(corpus, outputs={**corpus.outputs, SYSTEM: tuple(change(list(corpus.outputs[SYSTEM])))})


def some(lines: list[str], numbers: Sequence[int], change: Callable[[str], str]) -> list[str]:
    return [change(line) if number in numbers else line for number, line in enumerate(lines)]


def slipped(start: int, count: int, by: int = 1) -> Callable[[list[str]], list[str]]:
    """Lines start … start + count − 1 hold what belongs `by` lines later (or earlier, if negative)."""

    def change(lines: list[str]) -> list[str]:
        return [
            lines[min(max(number + by, 0), len(lines) - 1)] if start <= number < start + count else line
            for number, line in enumerate(lines)
        ]

    return change


def every(step: int, of: int = 200) -> range:
    return range(0, of, step)


SOURCES = list(SAMPLE.segments.sources or ())
REFERENCE = [line or "" for line in SAMPLE.references["ref"]]
TOKENIZE = Tokenizer13a()


def cyrillic(line: str) -> str:
    return "".join(chr(0x430 + ord(char) - ord("a")) if "a" <= char <= "z" else char for char in line.lower())


FAULTS: dict[str, tuple[str, Callable[[list[str]], Sequence[str]]]] = {
    # what is planted -> the check that is to find it, and the change
    "a long block slipped": ("shifts", slipped(50, 60)),
    "a block slipped back": ("shifts", slipped(120, 30, -1)),
    "a short block slipped by three": ("shifts", slipped(90, 6, 3)),
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
    "wrong decoding": (
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


def test_nothing_is_said_of_the_sample() -> None:
    assert len(check_data(SAMPLE)) == 0
    assert check_data(SAMPLE).checked == tuple(CHECKS)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9, 12, 20, 30])
def test_nothing_above_a_note_is_said_of_very_few_segments(n: int) -> None:
    for start in range(0, 160, 40):
        found = check_data(SAMPLE.take(range(start, start + n))).warnings
        # Two of the sample's systems do agree in stretches.
        assert [one for one in found if one.check != "identical"] == []


def test_a_system_that_says_nothing_is_called_empty_and_not_another_test_sets() -> None:
    found = check_data(with_lines(lambda lines: [""] * len(lines))).warnings
    assert [one.check for one in found] == ["empty"]


@pytest.mark.parametrize("start", range(0, 141, 20))
def test_nothing_above_a_note_is_said_of_a_part_of_the_sample(start: int) -> None:
    assert check_data(SAMPLE.take(range(start, start + 60))).warnings == ()


@pytest.mark.parametrize("seed", range(5))
def test_nothing_above_a_note_is_said_of_the_sample_in_another_order(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(SAMPLE))
    assert check_data(SAMPLE.take(order)).warnings == ()


# Every two of a start, a length and a direction; every three behind `slow`.
@pytest.mark.parametrize(
    ("start", "count", "by"),
    [
        pytest.param(start, count, by, marks=() if (i + j + k) % 2 == 0 else pytest.mark.slow)
        for i, start in enumerate(range(5, 190, 24))
        for j, count in enumerate((4, 10))
        for k, by in enumerate((1, -1, 2, -4))
    ],
)
def test_a_block_that_slipped_is_found_where_it_is(start: int, count: int, by: int) -> None:
    count = min(count, 195 - start)
    found = check_data(with_lines(slipped(start, count, by), TWO), ["shifts"]).warnings
    assert len(found) == 1
    words = f"{abs(by)} line{'s' if abs(by) > 1 else ''} {'later' if by > 0 else 'earlier'}"
    assert words in found[0].found
    # A line at either end may happen to fit as well where it is.
    assert abs(found[0].lines[0] - (start + 1)) <= 2
    assert f"system {SYSTEM!r}" in found[0].where


def test_a_system_is_held_against_other_systems_where_there_is_no_reference() -> None:
    corpus = replace(with_lines(slipped(50, 30)), references={})
    (found,) = check_data(corpus, ["shifts"]).warnings
    assert f"system {SYSTEM!r}, lines 51–" in found.where
    assert "other systems' output" in found.found


def test_repeated_segments_are_noted_and_many_are_warned_of() -> None:
    twice = SAMPLE.take([*range(200), 3, 4])
    (few,) = check_data(replace(twice, segments=replace(twice.segments, numbers=None)), ["duplicates"])
    assert (few.level, few.lines) == ("note", (201, 202))
    (many,) = check_data(SAMPLE.take([*range(200), *range(60)]), ["duplicates"])
    assert many.level == "warning"


# --- lengths -----------------------------------------------------------------------------------------------


def parts_without(line: int) -> list:
    lines = [text for number, text in enumerate(SAMPLE.outputs[SYSTEM]) if number != line]
    texts = {"ref.txt": REFERENCE, "b.txt": SAMPLE.outputs["direct-us"], "a.txt": lines}
    return parts_of([File(name, ("\n".join(some) + "\n").encode()) for name, some in texts.items()])


def test_the_line_from_which_a_text_slipped_is_found() -> None:
    misses = []
    for line in range(2, 198, 4):
        (found,) = check_parts(parts_without(line))
        assert found.check == "lengths"
        assert "has 199 lines, the others have 200" in found.found
        misses.append(abs(found.lines[0] - (line + 1)))
    assert np.median(misses) == 0
    assert np.mean(np.array(misses) <= 1) >= 0.9
    assert max(misses) <= 5


def test_blank_lines_at_the_end_and_missing_ones_are_told_apart() -> None:
    whole = list(SAMPLE.outputs[SYSTEM])

    def finding(lines: list[str]) -> Finding:
        texts = {"ref.txt": REFERENCE, "b.txt": SAMPLE.outputs["direct-us"], "a.txt": lines}
        (found,) = check_parts(
            parts_of([File(name, ("\n".join(some) + "\n").encode()) for name, some in texts.items()])
        )
        return found

    blank = finding([*whole, "", ""])
    assert (blank.lines, blank.advice) == ((201,), "End the file after line 200.")
    assert "All from line 201 on are empty" in blank.found
    cut = finding(whole[:190])
    assert "It fits reference 'ref' up to line 190" in cut.found
    assert cut.advice.startswith("Its last lines are missing")
    more = finding([*whole, "And so on."])
    assert "It fits reference 'ref' up to line 200" in more.found
    assert more.advice == "What follows belongs to no segment."


def test_texts_split_at_other_separators_are_told_apart() -> None:
    whole = ["one", "two\u2028three", "four"]
    split = ["one", "two", "three", "four"]
    texts = {"ref.txt": split, "b.txt": split, "a.txt": whole}
    files = [File(name, ("\n".join(some) + "\n").encode()) for name, some in texts.items()]
    (found,) = check_parts(parts_of(files))
    assert "U+2028" in found.advice


def test_files_that_cannot_be_read_are_findings_too() -> None:
    (found,) = check_parts(parts_of([File("a.txt", b"\xff\n"), File("ref.txt", b"x\n")]))
    assert (found.check, found.where) == ("reading", "a.txt")


# --- ratings -----------------------------------------------------------------------------------------------


def rated(change: Callable[[np.ndarray], np.ndarray], higher_is_better: bool = True) -> Corpus:
    """The sample with a rating that goes with sentence chrF, counted apart from the doctor's likeness."""
    scores = measure(SAMPLE, "sentchrf").segment_scores
    noise = np.random.default_rng(5).normal(0, scores.std(), scores.shape)
    return replace(SAMPLE, ratings={"da": Rating(change(scores + noise), higher_is_better)})


def by_documents(values: np.ndarray) -> np.ndarray:
    """Column k is what belongs to the k-th segment after sorting documents by id: DATA.md's trap."""
    documents = list(SAMPLE.documents or ())
    order = sorted(range(len(documents)), key=lambda i: documents[i])
    assert order != list(range(len(documents)))
    return values[:, order]


WRONG_ORDERS = {
    "documents sorted by their id": by_documents,
    "shifted by one segment back": lambda values: np.roll(values, 1, axis=1),
    "shifted by one segment on": lambda values: np.roll(values, -1, axis=1),
    "in reverse order": lambda values: values[:, ::-1],
}


@pytest.mark.parametrize("how", WRONG_ORDERS)
def test_a_rating_joined_in_the_wrong_order_is_found_with_the_right_one(how: str) -> None:
    (found,) = check_data(rated(WRONG_ORDERS[how]), ["rating order"])
    assert found.level == "warning"
    assert how in found.found


def test_a_rating_with_its_sign_turned_is_found() -> None:
    for corpus in (rated(lambda values: -values), rated(lambda values: values, higher_is_better=False)):
        (found,) = check_data(corpus, ["rating sign", "rating order"])
        assert (found.check, found.level) == ("rating sign", "warning")


def test_nothing_is_said_of_a_rating_that_is_joined_as_it_should_be() -> None:
    assert len(check_data(rated(lambda values: values))) == 0
    assert len(check_data(rated(lambda values: -values, higher_is_better=False))) == 0


def test_nothing_is_said_of_a_rating_that_is_all_noise() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = rng.normal(size=(len(SAMPLE.systems), len(SAMPLE)))
        corpus = replace(SAMPLE, ratings={"noise": Rating(values, higher_is_better=True)})
        assert len(check_data(corpus, ["rating order", "rating sign"])) == 0


# --- the result ----------------------------------------------------------------------------------------------


def test_a_checkup_is_a_table_and_changes_nothing() -> None:
    corpus = with_lines(slipped(50, 60))
    before = corpus.digest
    found = check_data(corpus)
    assert corpus.digest == before
    frame = found.to_frame()
    assert list(frame.columns) == ["check", "level", "sure", "where", "found", "advice", "lines"]
    assert len(frame) == len(found) > 0
    assert list(frame["level"]) == sorted(frame["level"], reverse=True)
    assert len(check_data(SAMPLE).to_frame()) == 0


def test_of_a_line_of_a_million_characters_the_beginning_is_counted() -> None:
    begins = "".join(chr(0x4E00 + number) for number in range(_view.MOST_CHARACTERS))
    counted = _view.counts_of([begins + "rest of it " * 100_000, begins])
    assert counted[0].sum() == 2 * _view.MOST_CHARACTERS - 3  # every pair and every three of the first characters
    assert (counted[0] != counted[1]).nnz == 0


def test_single_checks_can_be_asked_for() -> None:
    corpus = with_lines(lambda lines: some(lines, every(40), lambda _: ""))
    assert {one.check for one in check_data(corpus, ["empty"])} == {"empty"}
    with pytest.raises(UnknownName, match=r"no check called 'emtpy'.*Did you mean 'empty'"):
        check_data(corpus, ["emtpy"])


def test_of_a_large_set_stretches_are_looked_at_and_it_is_said() -> None:
    corpus = TWO.take(list(range(200)) * 40)
    found = check_data(corpus, ["shifts", "language"])
    assert (found.segments, found.of) == (5_000, 8_000)
    moved = with_lines(slipped(3_000, 900), corpus)
    assert [one.check for one in check_data(moved, ["shifts"]).warnings][:1] == ["shifts"]


def test_documents_that_changed_places_are_found_to_the_line_and_a_shuffled_text_once() -> None:
    sample = read_sample()
    lines = list(sample.lines("direct"))
    shuffled = [lines[i] for i in np.random.default_rng(1).permutation(len(lines))]

    def shifts(changed: list[str]) -> list[tuple[str, str]]:
        found = check_data(Corpus.of({**sample.outputs, "direct": changed}, sample.references))
        return [(one.where, one.found) for one in found if one.check == "shifts"]

    later, earlier = shifts(lines[:50] + lines[60:70] + lines[50:60] + lines[70:])
    assert later[0] == "system 'direct', lines 51–60"
    assert later[1].startswith("10 lines fit the reference 10 lines later")
    assert earlier[0] == "system 'direct', lines 61–70"
    assert earlier[1].startswith("10 lines fit the reference 10 lines earlier")
    ((where, found),) = shifts(shuffled)
    assert where == "system 'direct'"
    assert "hardly like the reference anywhere" in found


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


def test_no_line_beyond_the_file_is_to_be_looked_at() -> None:
    (inside,) = check_data(with_lines(slipped(50, 60), TWO), ["shifts"]).warnings
    last = int(inside.where.rpartition("–")[2])
    assert f"is missing there, and 1 line too many at line {last + 1}. " in str(inside)
    (to_the_end,) = check_data(with_lines(slipped(150, 50, -1), TWO), ["shifts"]).warnings
    assert "–200" in to_the_end.where
    assert "is too many there, and 1 line missing at the end. " in str(to_the_end)


@pytest.mark.parametrize("line", [20, 90, 100, 110, 150])
def test_a_line_that_is_missing_anywhere_is_a_shift_and_nothing_else(line: int) -> None:
    """Half of the lines fit, the others do not: a text of which that is so does not fit nowhere."""
    corpus = read_sample()
    lines = list(corpus.outputs["direct"])
    slipped = Corpus.of(
        {**corpus.outputs, "direct": [*lines[:line], *lines[line + 1 :], "the end of it all ."]}, corpus.references
    )
    found = [finding for finding in check_data(slipped).findings if finding.check == "shifts"]
    assert len(found) == 1
    assert f"system 'direct', lines {line + 1}–199" in found[0].where
