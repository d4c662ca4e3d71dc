"""Inputs that once failed, and the costliest for their size: each is still read, counted or refused in bounds."""

import pytest
from fuzzing import INTERNALS, cost, edited, fuzzed, seeds


@pytest.mark.parametrize("name", fuzzed())
def test_kept_inputs_are_done_within_bounds(name: str) -> None:
    for given in seeds().get(name, []):
        assert cost(fuzzed()[name], given).fault == ""


def test_every_seed_is_of_something_that_is_fuzzed() -> None:
    assert set(seeds()) <= set(fuzzed())
    assert sum(map(len, seeds().values())) >= 40


def test_faults_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzzing.SECONDS", (0.01, 0.0))
    monkeypatch.setattr("fuzzing.MEMORY", (2.0**20, 0.0))
    reader = fuzzed()["read table"]
    for work, fault in (
        (lambda _: 1 / 0, "ZeroDivisionError"),
        (lambda _: sum(range(10**6)), " s for "),
        (lambda _: bytearray(2**21), " MB for "),
    ):
        broken = type(reader)("broken", reader.inputs, reader.made, work)
        assert fault in cost(broken, [0, []]).fault
    assert INTERNALS.search("could not convert string to float")


def test_edits_are_made_where_they_say() -> None:
    assert edited("ab\ncd\n", [["lines", 600, 1, 3]]) == "ab\ncd\ncd\ncd\n"
    assert edited("abcd", [["cut", 250, 2, 0], ["insert", 0, "x", 3]]) == "xxxad"
    assert edited("abcd", [["overwrite", 500, "_", 1], ["repeat", 0, 2, 2]]) == "ababb_d"[:4] + "_d"
