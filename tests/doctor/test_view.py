"""A checkup: its findings as a table, and what of large data is looked at."""

import pytest
from planted import SAMPLE, TWO, every, slipped, some, with_lines

from mtsig import check_data
from mtsig.doctor import _view, check_parts
from mtsig.errors import UnknownName
from mtsig.readers import File
from mtsig.readers._read import parts_of


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


@pytest.mark.slow
def test_of_a_large_set_stretches_are_looked_at_and_it_is_said() -> None:
    corpus = TWO.take(list(range(200)) * 40)
    found = check_data(corpus, ["shifts", "language"])
    assert (found.segments, found.of) == (5_000, 8_000)
    moved = with_lines(slipped(3_000, 900), corpus)
    assert [one.check for one in check_data(moved, ["shifts"]).warnings][:1] == ["shifts"]
