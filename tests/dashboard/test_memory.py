"""The dashboard's memory: nothing computed twice at once, nobody waiting for ever, weights that are true."""

import gc
import itertools
import sys
import threading
import time
import tracemalloc
from _abc import _get_dump
from collections import UserDict
from collections.abc import Callable, Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from mmap import mmap
from types import MappingProxyType

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from kept import worded
from made import made_corpus
from mtsig_dashboard import compute, memory
from mtsig_dashboard.contents import weight
from mtsig_dashboard.memory import Memory
from sampled import sampled
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from mtsig import Settings, measure
from mtsig.inference import Family
from mtsig.lab import NEWS
from mtsig.lab._worlds import KOEHN_SCORES
from mtsig.metrics import METRICS, Statistics

SECONDS = 20
"""No test waits longer for a thread."""


def nothing() -> None:
    pass


def together(count: int, work: Callable[[int], object]) -> list[object]:
    """Run work in so many threads that begin at the same moment, and return what each returned."""
    start = threading.Barrier(count)

    def begun(i: int) -> object:
        start.wait(SECONDS)
        return work(i)

    with ThreadPoolExecutor(count) as pool:
        return [future.result(SECONDS) for future in [pool.submit(begun, i) for i in range(count)]]


class Slow:
    """Work that begins, says so, and ends when it is let go: with a result, or with an error."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.begun, self.let_go, self.error = threading.Event(), threading.Event(), error

    def __call__(self) -> str:
        self.begun.set()
        assert self.let_go.wait(SECONDS)
        if self.error is not None:
            raise self.error
        return "made"


def test_many_visitors_who_ask_for_the_same_have_it_computed_once():
    memory, calls = Memory(10**6), []

    def work() -> list[int]:
        calls.append(threading.get_ident())
        time.sleep(0.3)
        return [1, 2, 3]

    results = together(12, lambda _: memory.remembered("key", work, nothing))
    assert len(calls) == 1
    assert all(result is results[0] for result in results)
    assert not memory._works


def test_who_waits_gets_also_a_result_that_is_too_heavy_to_be_kept():
    memory, calls = Memory(1000), []
    waiting, all_there = set[int](), threading.Event()

    def waits() -> None:
        waiting.add(threading.get_ident())
        if len(waiting) == 3:
            all_there.set()

    def work() -> bytes:
        calls.append(1)
        assert all_there.wait(SECONDS)  # who comes after the work's end would do it once more
        return bytes(10_000)

    assert {len(result) for result in together(4, lambda _: memory.remembered("key", work, waits))} == {10_000}
    assert len(calls) == 1
    assert len(memory) == 0
    assert memory.get("key") is None


def test_a_result_of_none_is_a_result():
    memory, calls = Memory(10**6), []
    for _ in range(3):
        assert memory.remembered("key", lambda: calls.append(1), nothing) is None
    assert len(calls) == 1


@pytest.mark.parametrize("error", [ValueError("no"), StopException()])
def test_work_that_fails_or_is_stopped_wakes_the_waiters_who_compute_themselves(error: BaseException):
    memory, slow, calls = Memory(10**6), Slow(error), []

    def again() -> str:
        calls.append(1)
        return "made again"

    waited = threading.Event()
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(memory.remembered, "key", slow, nothing)
        assert slow.begun.wait(SECONDS)
        waiters = [pool.submit(memory.remembered, "key", again, waited.set) for _ in range(2)]
        assert waited.wait(SECONDS)
        assert not calls
        slow.let_go.set()
        assert type(first.exception(SECONDS)) is type(error)
        assert [waiter.result(SECONDS) for waiter in waiters] == ["made again"] * 2
    assert len(calls) == 1
    assert not memory._works


def test_a_waiter_who_stops_leaves_and_the_work_goes_on():
    memory, slow = Memory(10**6), Slow()

    def stop() -> None:
        raise StopException

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(memory.remembered, "key", slow, nothing)
        assert slow.begun.wait(SECONDS)
        with pytest.raises(StopException):
            memory.remembered("key", slow, stop)
        assert not first.done()
        slow.let_go.set()
        assert first.result(SECONDS) == "made"
    assert memory.get("key") == "made"


def test_two_keys_do_not_wait_for_each_other():
    memory, slow = Memory(10**6), Slow()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(memory.remembered, "slow", slow, nothing)
        assert slow.begun.wait(SECONDS)
        assert memory.remembered("quick", lambda: "there", nothing) == "there"
        assert memory.get("slow") is None
        slow.let_go.set()
        assert first.result(SECONDS) == "made"


def test_work_may_ask_for_other_results():
    memory = Memory(10**6)

    def outer() -> str:
        return "outer " + memory.remembered("inner", lambda: "inner", nothing)

    assert together(4, lambda i: memory.remembered("outer" if i % 2 else "inner", outer if i % 2 else lambda: "inner",
                                                   nothing)) == ["inner", "outer inner"] * 2  # fmt: skip


def test_many_keys_under_many_threads_leave_no_lock_behind():
    memory, calls = Memory(50_000), []

    def visit(visitor: int) -> None:
        rng = np.random.default_rng(visitor)
        for key in rng.integers(0, 30, 200).tolist():
            made = memory.remembered(key, lambda key=key: calls.append(key) or np.full(500, key), nothing)
            assert made[0] == key

    together(6, visit)
    assert not memory._works
    assert memory.size <= 50_000
    assert len(calls) >= 30


def test_the_least_recently_used_result_goes_first():
    memory = Memory(35_000)
    for key in "abc":
        memory.remembered(key, lambda: np.zeros(1250), nothing)
    memory.get("a")
    memory.remembered("d", lambda: np.zeros(1250), nothing)
    assert [key for key in "abcd" if memory.get(key) is not None] == ["a", "c", "d"]


def test_a_result_too_heavy_drops_no_other():
    memory = Memory(35_000)
    memory.remembered("light", lambda: np.zeros(1250), nothing)
    memory.remembered("heavy", lambda: np.zeros(12_500), nothing)
    assert memory.get("light") is not None
    assert memory.get("heavy") is None


@dataclass(frozen=True)
class Lazy:
    """A result that computes something when it is first asked."""

    given: np.ndarray
    _private: np.ndarray = field(default_factory=lambda: np.zeros(1000))

    @cached_property
    def later(self) -> np.ndarray:
        return np.ones(100_000)


def test_what_a_result_computes_later_counts_when_it_is_asked_for_again():
    memory = Memory(10**6)
    made = memory.remembered("lazy", lambda: Lazy(np.zeros(1000)), nothing)
    memory.remembered("other", lambda: np.zeros(50_000), nothing)
    before = memory.size
    assert before - 400_000 < 20_000
    made.later.sum()
    memory.get("lazy")
    # 16 kB given, 800 kB computed: the other result no longer fits.
    assert memory.get("other") is None
    assert 816_000 < memory.size < 820_000


def test_weights_of_plain_things_are_their_bytes():
    array = np.zeros(10_000)
    close = pytest.approx(80_000, abs=1000)
    assert weight(array) == close
    assert weight([array, array, array[:10], {"again": array}]) == close
    assert weight(array[:10]) == close  # a view keeps all of it alive
    assert weight(np.broadcast_to(np.zeros(10), (1000, 10))) < 1000
    assert weight(Lazy(array)) == pytest.approx(88_000, abs=1000)
    assert weight("x" * 80_000) == close
    assert weight(np.frombuffer(bytes(80_000))) == close
    assert weight(pd.DataFrame({"a": array})) == close
    assert weight(pd.DataFrame({"a": ["text" * 1000 + str(i) for i in range(20)]})) == pytest.approx(80_000, rel=0.05)
    # A figure has a template whatever else is in it, and plotly hands its numbers out in base64: a third more.
    assert 80_000 <= weight(go.Figure(go.Scatter(x=array))) - weight(go.Figure(go.Scatter())) <= 108_000
    texts = tuple("y" * 100 + str(i) for i in range(500))
    # A text has 40 to 49 bytes besides its letters, by the version of Python, and a place in the tuple.
    assert weight(texts) == pytest.approx(sum(map(sys.getsizeof, texts)) + 8 * len(texts), rel=0.05)
    assert weight(np.array([array, None], dtype=object)) == close


def test_the_memory_of_a_file_counts_once(tmp_path):
    file = tmp_path / "numbers"
    file.write_bytes(bytes(80_000))
    mapped = np.memmap(file, mode="r")
    assert isinstance(mapped.base, mmap)
    assert weight([mapped, mapped[5:], mapped.view(np.float64)]) == pytest.approx(80_000, abs=1000)


def _statistics() -> Statistics:
    return measure(made_corpus(300, 6, 40), METRICS["chrf"])


def _scored() -> Statistics:
    statistics = _statistics()
    statistics.influence.sum()
    return statistics


def _family() -> Family:
    return Settings(n_resamples=500).family(_statistics())


SEEDS = itertools.count()
"""For lines that were not made before, and are kept nowhere else."""

RESULTS: dict[str, Callable[[], object]] = {
    "statistics": _statistics,
    "statistics that have computed influences": _scored,
    "family": _family,
    "intervals": lambda: Settings(n_resamples=500, interval="percentile").intervals(_statistics()),
    "population": lambda: NEWS.simulate(KOEHN_SCORES, size=3000),
    "corpus": lambda: made_corpus(600, 4, 20, seed=next(SEEDS)),
}


@sampled("name", RESULTS, most=3)
def test_weights_of_real_results_are_what_the_interpreter_takes_for_them(name: str):
    RESULTS[name]()  # tables and patterns that are made once
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        result = RESULTS[name]()
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # 20 kB: what is kept elsewhere for the next time (a plan of the draws), what was there before (names of systems).
    assert 0.9 * taken - 20_000 < weight(result) < 1.25 * taken + 20_000


def test_who_waited_for_a_result_has_asked_for_it_when_the_first_one_leaves():
    memory, slow, waits = Memory(10**6), Slow(), threading.Event()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(memory.remembered, "key", slow, nothing, "first")
        assert slow.begun.wait(SECONDS)
        second = pool.submit(memory.remembered, "key", slow, waits.set, "second")
        assert waits.wait(SECONDS)
        slow.let_go.set()
        assert (first.result(SECONDS), second.result(SECONDS)) == ("made", "made")
    memory.forget(["first"])
    assert memory.get("key") == "made"


def test_a_bar_counts_the_resamples_that_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    @contextmanager
    def bar() -> Iterator[Callable[[float, str], None]]:
        yield lambda _, text: said.append(text)

    class AtWork:
        def run(self, work: Callable[[], object], show: Callable[[float], object], **_: object) -> object:
            show(0.42)
            return work()

    monkeypatch.setattr(memory, "bar", bar)
    monkeypatch.setattr(memory, "workers", AtWork)
    monkeypatch.setattr(memory, "_memory", partial(lambda kept: kept, Memory(10**7)))
    statistics, settings = _statistics(), Settings(n_resamples=300)
    assert not compute.is_drawn(statistics, settings)
    compute.family(statistics, settings)
    worded(said[0], "126 of 300")
    assert compute.is_drawn(statistics, settings)
    assert compute.is_drawn(statistics, replace(settings, level=0.9))
    assert not compute.is_drawn(statistics, replace(settings, seed=1))


def test_a_key_is_hashed_once_a_question_however_much_is_kept():
    hashed: list[int] = []

    class Large:
        def __init__(self, number: int) -> None:
            self.number = number

        def __hash__(self) -> int:
            hashed.append(self.number)
            return hash(self.number)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Large) and other.number == self.number

    memory = Memory(10**6)
    for number in range(50):
        memory.remembered(Large(number), lambda: [0] * 10, lambda: None)
    assert sorted(hashed) == list(range(50))
    assert memory.get(Large(7)) == [0] * 10


def test_the_size_is_that_of_what_is_kept_whatever_came_and_went():
    memory = Memory(5 * weight(b"x" * 1000))
    for number in [*range(8), 7, 3, 9]:
        memory.remembered(number, lambda: b"x" * 1000, lambda: None, f"visitor {number}")
        assert memory.size == len(memory) * weight(b"x" * 1000)
    assert len(memory) == 5
    memory.forget(["visitor 9"])
    assert memory.size == 4 * weight(b"x" * 1000)


def test_weighing_leaves_no_note_of_a_class_in_the_abstract_ones():
    class Fresh:
        def __init__(self) -> None:
            self.held = np.zeros(10_000)

    def noted(abstract: type) -> bool:
        _, yes, no, _ = _get_dump(abstract)
        return any(reference() is Fresh for reference in yes | no)

    assert weight(Fresh()) == pytest.approx(80_000, abs=1000)
    assert weight(MappingProxyType({"held": Fresh()})) == pytest.approx(80_000, abs=1000)
    assert weight(UserDict(held=np.zeros(10_000))) == pytest.approx(80_000, abs=1000)
    assert not noted(Mapping)
    assert not noted(Set)


def test_long_texts_weigh_what_their_lines_weigh():
    lines = tuple(f"line {number}" for number in range(120_000))
    alone = sys.getsizeof(lines) + sum(map(sys.getsizeof, lines))
    assert weight(lines) == alone
    assert weight([lines, lines]) == pytest.approx(alone, rel=0.001)
    # Another long text with the same lines weighs as much again: nothing is kept of every line to know it by.
    assert weight([lines, (*lines, None)]) == pytest.approx(2 * alone, rel=0.001)
