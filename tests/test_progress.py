"""Progress: what a watcher sees of nested work, and what is left behind where it stops it."""

from concurrent.futures import Executor, Future
from typing import Any

import pytest

from mtsig import watching
from mtsig.progress import done_in_order, each, part, report, unwatched
from mtsig.resampling import Bootstrap


class Stopped(Exception):
    """What a watcher stops the work with."""


@pytest.fixture
def shares() -> list[float]:
    return []


def test_without_a_watcher_work_is_the_same() -> None:
    with part(0.2, 0.4):
        report(0.5)
        assert list(each("abc")) == ["a", "b", "c"]


def test_a_part_stands_for_its_share_of_the_enclosing_one(shares: list[float]) -> None:
    with watching(shares.append):
        with part(0.0, 0.5):
            with part(0.5, 1.0):
                report(0.5)
            report(1.0)
        report(0.75)
    assert shares == [0.375, 0.5, 0.5, 0.75]


def test_a_part_that_ends_is_done_whatever_it_said(shares: list[float]) -> None:
    with watching(shares.append):
        with part(0.0, 0.5):
            pass
        with part(0.5, 1.0):
            report(0.5)
    assert shares == [0.5, 0.75, 1.0]


def test_several_passes_in_a_part_never_fall(shares: list[float]) -> None:
    with watching(shares.append), part(0.0, 1.0):
        for _ in range(2):
            report(0.25)
            report(0.75)
    assert shares == [0.25, 0.75, 0.75, 0.75, 1.0]


def test_passes_outside_a_part_begin_anew(shares: list[float]) -> None:
    with watching(shares.append):
        for _ in range(2):
            list(each(range(2)))
    assert shares == [0.5, 1.0, 0.5, 1.0]


@pytest.mark.parametrize("start", [0.1, 0.3, 1 / 3, 0.7])
def test_no_share_leaves_its_part_by_rounding(shares: list[float], start: float) -> None:
    with watching(shares.append):
        for stop in (start + 0.1, 0.9, 1.0):
            with part(start, stop):
                report(1.0)
            assert shares.pop() == stop
            assert all(share <= stop for share in shares)


def test_each_item_is_an_equal_part_and_so_is_what_it_takes(shares: list[float]) -> None:
    with watching(shares.append):
        for weights in each([1, 2]):
            for _ in Bootstrap(512 * weights, 1, "segment").blocks(20_000):
                pass
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert 0.5 in shares
    assert len(shares) > 2
    assert list(each(iter("ab"), 2)) == ["a", "b"]


def test_who_is_stopped_leaves_no_watcher_behind(shares: list[float]) -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise Stopped

    def work() -> None:
        for _ in each(range(2)):
            with part(0.0, 0.5):
                for _ in each(range(4)):
                    report(0.5)

    with watching(shares.append):
        with watching(stop), pytest.raises(Stopped) as caught:
            work()
        # While the exception and its frames are still held: loops that were left have given their part back.
        assert caught.tb is not None
        report(0.125)
    report(0.25)
    assert shares == [0.125]


def test_a_loop_that_is_left_gives_its_part_back(shares: list[float]) -> None:
    with watching(shares.append):
        for number in each(range(10)):
            if number == 1:
                break
        report(0.5)
    assert shares == [0.1, 0.5]


class Here(Executor):
    """An executor that does every job where and when it is submitted."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_jobs_of_an_executor_do_not_report_and_the_caller_does(shares: list[float]) -> None:
    with watching(shares.append):
        assert done_in_order(_tell, [1, 2], Here()) == [1, 2]
        assert shares == [0.5, 1.0]
        assert unwatched(_tell, 3) == 3
        assert shares == [0.5, 1.0]
        assert done_in_order(_tell, [1, 2]) == [1, 2]
    assert shares == [0.5, 1.0, 0.125, 0.5, 0.625, 1.0]


def _tell(number: int) -> int:
    report(0.25)
    return number
