"""The memory of the process: worked out once for all who ask at once, bounded, and nothing is kept of what failed."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest

from mtsig._memory import remembered


def test_who_asks_at_once_waits_for_one_who_works_it_out() -> None:
    asked: list[int] = []
    begun, go_on = Event(), Event()

    @remembered()
    def work(number: int) -> int:
        asked.append(number)
        begun.set()
        go_on.wait(180)
        return -number

    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(work, 1) for _ in range(3)]
        begun.wait(180)
        go_on.set()
        assert [future.result(180) for future in waiting] == [-1, -1, -1]
    assert asked == [1]


def test_two_results_are_worked_out_at_the_same_time() -> None:
    both = Barrier(2)

    @remembered()
    def work(number: int) -> int:
        both.wait(180)  # raises where nobody else comes
        return number

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, (1, 2))) == [1, 2]


def test_what_raises_is_asked_again_and_does_not_stop_who_waits() -> None:
    asked: list[int] = []

    @remembered()
    def work() -> int:
        asked.append(len(asked))
        if len(asked) == 1:
            raise ValueError
        return 7

    with pytest.raises(ValueError):
        work()
    assert (work(), work(), len(asked)) == (7, 7, 2)


def test_of_many_results_the_oldest_go() -> None:
    asked: list[int] = []

    @remembered(most=16)
    def work(number: int) -> int:
        asked.append(number)
        return number

    kept: dict[Any, int] = vars(work)["kept"]
    for number in range(100):
        work(number)
        assert len(kept) <= 16
    work(99)
    work(0)
    assert asked == [*range(100), 0]


def test_names_of_arguments_and_a_key_of_ones_own_tell_results_apart() -> None:
    @remembered()
    def both(first: int, second: int = 0) -> tuple[int, int]:
        return first, second

    assert (both(1, second=2), both(1, second=3), both(second=2, first=1)) == ((1, 2), (1, 3), (1, 2))

    @remembered(by=lambda things: len(things))
    def first_of(things: list[int]) -> int:
        return things[0]

    assert (first_of([1]), first_of([2]), first_of([3, 4])) == (1, 1, 3)
