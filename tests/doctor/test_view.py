"""A checkup: its findings as a table, and what of large data is looked at."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from mtsig import Corpus, check_data, read_sample
from mtsig.doctor import _view, check_parts
from mtsig.errors import UnknownName
from mtsig.readers import File
from mtsig.readers._read import parts_of

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


def test_files_that_cannot_be_read_are_findings_too() -> None:
    (found,) = check_parts(parts_of([File("a.txt", b"\xff\n"), File("ref.txt", b"x\n")]))
    assert (found.check, found.where) == ("reading", "a.txt")


def test_a_checkup_is_a_table_and_changes_nothing() -> None:
    corpus = with_lines(slipped(50, 60))
    before = corpus.digest
    found = check_data(corpus)
    assert corpus.digest == before
    frame = found.to_frame()
    assert list(frame.columns) == [
        *("check", "level", "confidence", "headline", "where", "found", "advice", "lines", "systems")
    ]
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
