"""Work in child processes: right results, right errors, limits that hold, and nobody waits for anybody else's work."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from heavy_work import busy, double, fails, fill_memory, forever, priority_at, steps, wait_for
from mtsig_dashboard.serving._workers import Stopped, Workers

from mtsig.cli._dashboard import VisitorLimits
from mtsig.errors import InvalidOption


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers(VisitorLimits(workers=2, worker_memory=3, worker_seconds=60))
    yield made
    made.close()


class Gone(Exception):
    """A visitor went on to something else."""


def test_the_result_comes_back(workers: Workers) -> None:
    numbers = np.arange(200_000.0)
    np.testing.assert_array_equal(workers.run(partial(double, numbers)), 2 * numbers)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities on this system")
def test_workers_stand_behind_the_server_that_draws_the_pages(workers: Workers) -> None:
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert workers.run(partial(os.getpriority, os.PRIO_PROCESS, 0)) == min(19, ours + 10)


def test_an_error_of_the_work_is_raised_here_and_the_process_goes_on(workers: Workers) -> None:
    before = workers.run(os.getpid)
    with pytest.raises(InvalidOption, match="not this one"):
        workers.run(partial(fails, "not this one"))
    assert workers.run(os.getpid) == before


def test_what_the_work_tells_is_shown(workers: Workers) -> None:
    shares: list[float] = []
    assert workers.run(partial(steps, 8), show=shares.append) == 8
    assert len(set(shares)) > 2
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1


def test_prints_of_a_library_do_not_mix_with_messages(workers: Workers, capfd: pytest.CaptureFixture[str]) -> None:
    assert workers.run(partial(print, "x" * 100_000)) is None
    assert workers.run(partial(double, 4)) == 8


def test_a_visitor_who_leaves_ends_the_work_at_once(workers: Workers) -> None:

    def leave(share: float) -> None:
        raise Gone

    pid = workers.run(os.getpid)
    with pytest.raises(Gone):
        workers.run(forever, show=leave)
    # The process that did it is gone, and another one takes its place.
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert workers.run(os.getpid) != pid


def test_a_killed_process_is_one_sentence_and_the_next_try_works(workers: Workers) -> None:
    pid = workers.run(os.getpid)
    threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
    with pytest.raises(Stopped, match=r"ended the process of this computation \(code -9\)\. Try again\."):
        workers.run(forever)
    assert workers.run(partial(double, 3)) == 6


def test_one_that_died_while_idle_is_replaced(workers: Workers) -> None:
    pid = workers.run(os.getpid)
    os.kill(pid, signal.SIGKILL)
    (idle,) = workers._idle
    idle.process.wait(180)
    assert workers.run(partial(double, 3)) == 6


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="this system has no limit of CPU time")
def test_too_much_time_is_refused_in_one_sentence() -> None:
    few = Workers(VisitorLimits(workers=1, worker_seconds=1))
    with pytest.raises(Stopped, match=r"1 seconds of computing.*fewer systems, segments or resamples.*administrator"):
        few.run(busy)
    # The limit is that of a piece of work: what came before does not count.
    for _ in range(3):
        assert few.run(partial(double, 1)) == 2
    few.close()


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="this system has no limit of memory")
def test_too_much_memory_is_refused_in_one_sentence() -> None:
    few = Workers(VisitorLimits(workers=1, worker_memory=2))
    with pytest.raises(Stopped, match=r"more than a visitor's 2 GB of memory.*administrator"):
        few.run(partial(fill_memory, 2**32))
    assert few.run(partial(double, 1)) == 2
    few.close()


def test_who_comes_when_all_are_busy_hears_his_place_and_gets_his_turn(tmp_path: Path) -> None:
    one = Workers(VisitorLimits(workers=1))
    flag = tmp_path / "go"
    places: dict[int, list[int]] = {1: [], 2: []}
    results: dict[int, int] = {}
    first = threading.Thread(target=lambda: one.run(partial(wait_for, flag)))
    first.start()
    while not one._at_work:
        time.sleep(0.01)

    def come(number: int) -> None:
        results[number] = one.run(partial(double, number), waits=places[number].append)

    others = []
    for number in (1, 2):
        others.append(threading.Thread(target=come, args=(number,)))
        others[-1].start()
        while not places[number]:
            time.sleep(0.01)
    assert (places[1][0], places[2][0]) == (1, 2)
    flag.touch()
    for thread in (first, *others):
        thread.join(180)
    assert results == {1: 2, 2: 4}
    assert places[2][-1] == 1
    one.close()


def test_who_leaves_the_queue_holds_nobody_up(tmp_path: Path) -> None:
    one = Workers(VisitorLimits(workers=1))
    flag = tmp_path / "go"
    first = threading.Thread(target=lambda: one.run(partial(wait_for, flag)))
    first.start()
    while not one._at_work:
        time.sleep(0.01)

    def leave(place: int) -> None:
        raise Gone

    with pytest.raises(Gone):
        one.run(partial(double, 1), waits=leave)
    flag.touch()
    first.join(180)
    assert one.run(partial(double, 1)) == 2
    one.close()


def test_two_pieces_of_work_run_side_by_side(workers: Workers, tmp_path: Path) -> None:
    flag = tmp_path / "go"
    first = threading.Thread(target=lambda: workers.run(partial(wait_for, flag)))
    first.start()
    assert workers.run(partial(double, 5)) == 10
    assert first.is_alive()
    flag.touch()
    first.join(180)
    assert not first.is_alive()


def test_long_work_does_not_keep_others_from_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.serving._workers._LONG_WORK", 0.3)
    one = Workers(VisitorLimits(workers=1))
    flag = tmp_path / "go"
    heavy: list[threading.Thread] = []
    priorities: list[int] = []

    def begin_heavy() -> None:
        heavy.append(threading.Thread(target=lambda: priorities.append(one.run(partial(priority_at, flag)))))
        heavy[-1].start()
        while len(one._at_work) < len(heavy):
            time.sleep(0.01)

    begin_heavy()
    places: list[int] = []
    assert one.run(partial(double, 4), waits=places.append) == 8
    assert places  # he waited, though not for the end of the other's work
    # Twice as many processes as asked for are the end of it: who comes now waits.
    begin_heavy()
    while len(one._long) < 2:
        time.sleep(0.01)

    def leave(place: int) -> None:
        del place
        raise Gone

    with pytest.raises(Gone):
        one.run(partial(double, 4), waits=leave)
    flag.touch()
    for thread in heavy:
        thread.join(180)
    # Long work stands behind all others, for good: its processes are gone with it.
    assert priorities == [19, 19] if hasattr(os, "getpriority") else [0, 0]
    assert not one._at_work
    assert not one._idle
    assert one.run(partial(double, 4)) == 8
    one.close()
