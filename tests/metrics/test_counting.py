"""Counting in blocks of segments, here or in worker processes: the same digits whatever the blocks."""

import tracemalloc
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made import made_corpus, parsed

from mtsig import Corpus, measure, metric, watching
from mtsig._cache import closed
from mtsig.corpus import FloatArray
from mtsig.errors import NotApplicable, ProgramError
from mtsig.limits import Limits, within
from mtsig.metrics import METRICS, Bleu, Chrf, Statistics
from mtsig.metrics._counting import counted
from mtsig.progress import done_in_order, one_by_one

LINES = st.text("ab c.,'é漢", max_size=12)
IN_BLOCKS = [name for name, one in METRICS.items() if one.in_blocks]


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    with closed():
        yield


def same(one: FloatArray, other: FloatArray) -> bool:
    return one.shape == other.shape and bool(np.all(one == other))


def of_lines(rows: list[tuple[str, str, str, str | None]]) -> Corpus:
    """A corpus of two systems and two references, the second of which some segments lack."""
    a, b, first, second = zip(*rows, strict=True)
    return Corpus.of({"a": a, "b": b}, {"r": first, "s": second})


@pytest.mark.parametrize("name", IN_BLOCKS)
@given(rows=st.lists(st.tuples(LINES, LINES, LINES.map(lambda line: f"{line}x"), LINES | st.none()), min_size=1,
                     max_size=12),
       size=st.integers(1, 12))  # fmt: skip
@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_blocks_of_any_size_count_what_the_whole_counts(
    name: str, rows: list[tuple[str, str, str, str | None]], size: int
) -> None:
    corpus = parsed(of_lines(rows))
    one = metric(name).on(corpus)
    with pytest.MonkeyPatch.context() as patch, closed():
        patch.setattr("mtsig.metrics._counting.BLOCK", size)
        assert same(counted(one, corpus), one.count(corpus))


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_measures_the_same_in_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = parsed(made_corpus(n=24, references=2))
    whole = measure(corpus, name)
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 7)
    blocks = measure(corpus, name)
    assert same(blocks.values, whole.values)
    assert blocks.values.dtype == whole.values.dtype
    assert (blocks.notes, blocks.signature) == (whole.notes, whole.signature)


def test_all_metrics_but_those_that_look_at_the_whole_are_counted_in_blocks() -> None:
    # NIST weighs n-grams by the references of all segments; means of sentence scores are made of counts in blocks.
    assert set(METRICS) - set(IN_BLOCKS) == {"nist", "sentbleu", "sentchrf", "sentter"}


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize("name", ["bleu", "chrf++", "ter", "meteor", "sentchrf", "nist", "depf"])
def test_worker_processes_give_the_same_digits(name: str, pool: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = parsed(made_corpus(n=20, references=2))
    whole = measure(corpus, name)
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 6)
    assert same(measure(corpus, name, pool).values, whole.values)


def test_limits_hold_in_worker_processes_and_name_the_segment(pool: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 2)
    lines = ["a", "b", "a", "a b " * 6]
    corpus = Corpus.of({"x": lines}, {"r": ["a"] * 4})
    for executor in (None, pool):
        with within(Limits(max_tokens=11)), pytest.raises(NotApplicable, match="x, segment 4: found 12 words"):
            measure(corpus, "ter", executor)


@dataclass(frozen=True)
class Whole(Bleu):
    """BLEU from outside that counts how many segments there are: it must see them all."""

    def count(self, corpus: Corpus) -> FloatArray:
        return np.full((10, len(corpus.systems), len(corpus)), float(len(corpus)))


@dataclass(frozen=True)
class Wrong(Chrf):
    """A metric that may be counted in blocks, and counts what is no number."""

    in_blocks = True

    def count(self, corpus: Corpus) -> FloatArray:
        return np.array([[[np.nan if line == "bad" else 1.0 for line in corpus.lines("x")]]])


def test_a_metric_that_counts_in_its_own_way_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 2)
    corpus = Corpus.of({"x": ["a", "b", "bad"]}, {"r": ["a", "b", "c"]})
    assert np.all(counted(Whole(), corpus) == 3)
    with pytest.raises(ProgramError, match="statistic 1, system x, segment 3 of those counted"):
        counted(Wrong(), corpus)


def test_real_numbers_among_whole_ones_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Late(Chrf):
        in_blocks = True

        def count(self, corpus: Corpus) -> FloatArray:
            return np.array([[[float(line) for line in corpus.lines("x")]]])

    lines = ["1", "2", "0.1", "16777217", "3"]
    corpus = Corpus.of({"x": lines}, {"r": lines})
    for size in (1, 2, 5):
        monkeypatch.setattr("mtsig.metrics._counting.BLOCK", size)
        assert counted(Late(), corpus).ravel().tolist() == [1.0, 2.0, 0.1, 16777217.0, 3.0]


def test_progress_of_blocks_grows_to_one(pool: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 8)
    for executor in (None, pool):
        shares: list[float] = []
        with watching(shares.append):
            measure(made_corpus(n=40), "bleu", executor)
        assert shares == sorted(shares)
        assert shares[-1] == 1


class Jobs(list[int]):
    """Jobs that remember which of them were made."""

    def __init__(self, count: int) -> None:
        super().__init__(range(count))
        self.made: list[int] = []

    def __getitem__(self, number: int) -> int:  # type: ignore[override]
        self.made.append(number)
        return super().__getitem__(number)


def test_few_jobs_wait_at_a_time(pool: Executor) -> None:
    jobs = Jobs(20)
    results = one_by_one(abs, jobs, pool, ahead=3)
    assert (next(results), jobs.made) == (0, [0, 1, 2])
    assert (next(results), jobs.made) == (1, [0, 1, 2, 3])
    assert list(results) == list(range(2, 20))
    assert done_in_order(abs, Jobs(20)) == list(range(20))


def test_a_digest_takes_less_memory_than_the_text() -> None:
    lines = [f"{number} " * 20 for number in range(20_000)]
    corpus = Corpus.of({"x": lines}, {"r": lines})
    tracemalloc.start()
    assert corpus.digest.startswith("sha256:")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < sum(map(len, lines)) / 2


def test_counts_of_many_segments_take_what_they_are_and_little_more() -> None:
    n = 12_000  # two blocks: counted at once it would be 8 MiB more than the counts themselves, in blocks it is 5
    corpus = Corpus.of({"x": ["a b c d"] * n, "y": ["a c d"] * n}, {"r": ["a b d"] * n})
    tracemalloc.start()
    found: Statistics = measure(corpus, "bleu")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < found.values.nbytes + 6.5 * 2**20
