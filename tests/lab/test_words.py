"""Sentences and legends call tests and corrections as people do; rows keep the names that users type.

Experiments give the same digits in one process, in a pool of processes and on a Dask cluster.
"""

import logging
from collections.abc import Collection, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any

import pytest
from kept import lacking
from made import made_corpus, made_statistics

import mtsig
from mtsig import measure, size_curve, watching
from mtsig.inference import TESTS
from mtsig.lab import (
    NEWS,
    Calibrate,
    Conclusions,
    Coverage,
    EveryTest,
    Length,
    Material,
    Multiplicity,
    Orderings,
    Peeking,
    References,
    Rerank,
    of_experiment,
    run,
)
from mtsig.lab._compared import EveryTestPs
from mtsig.lab._material import Population
from mtsig.lab._reranking import label_of_test
from mtsig.lab._words import law_text
from mtsig.progress import batches, done_in_order
from mtsig.segments._ablation import Ablation


def test_tests_have_their_labels_in_the_sentence_and_the_legend() -> None:
    result = run(EveryTest(n_resamples=200), mtsig.measure(mtsig.read_sample(), "chrf"))
    assert isinstance(result, EveryTestPs)
    names = [trace.name for picture in of_experiment(result).values() for trace in picture.screen().data]
    for name in result.tests[1:]:
        assert f"{TESTS[name].label} " in law_text(result)
        assert TESTS[name].label in names
        assert f"{name} " not in law_text(result)
        assert name not in names
        assert name in result.rows()[0]


def test_corrections_have_their_labels_in_the_sentence_and_the_legend() -> None:
    plan = Multiplicity(size=30, simulations=50, n_resamples=99)
    result = run(plan, mtsig.measure(mtsig.read_sample(), "sentchrf"))
    names = {trace.name for picture in of_experiment(result).values() for trace in picture.screen().data}
    for label in ("uncorrected", "Bonferroni", "step-down min-P (Westfall–Young)"):
        assert f"{label} " in law_text(result)
        assert label in names
    assert {row["correction"] for row in result.rows()} == {"none", "bonferroni", "minp"}


def test_a_test_that_reranking_runs_by_another_unit_has_its_label_too() -> None:
    assert not lacking(label_of_test("jackknife-t by document"), "jackknife t", "by document")
    assert label_of_test("ar") == "paired randomization"


EXPERIMENTS = {
    "coverage": Coverage(size=60, sets=40, n_resamples=100),
    "conclusions": Conclusions(sizes=(50, 150), sets=(20, 6), n_resamples=300),
    "multiplicity": Multiplicity(size=40, simulations=50, n_resamples=99),
    "peeking": Peeking(looks=3, size=60, simulations=50),
    "calibrate": Calibrate(simulations=50, n_resamples=99, sizes=(60,), drawn="segments", unit="segment"),
}
ON_TEXT = {
    "length": Length(shares=(0.5, 1.0)),
    "references": References(),
    "orderings": Orderings(),
    "rerank": Rerank(n_resamples=100),
}


@cache
def data() -> tuple[Population, Material]:
    corpus = made_corpus(n=24, systems=2, documents=0, references=2)
    return NEWS.simulate((30.0, 28.0, 25.0), 2400), Material((measure(corpus, "bleu"),), corpus)


def results(executor: Executor | None, only: Collection[str] | None = None) -> dict[str, list[dict[str, Any]]]:
    population, text = data()
    found = {}
    for given, experiments in ((population, EXPERIMENTS), (text, ON_TEXT)):
        for name, one in experiments.items():
            if only is None or name in only:
                found[name] = run(one, given, executor=executor).rows()
    plan = Ablation(sizes=(0.2, 1.0), repeats=10, interval="percentile", n_resamples=100)
    found["ablation"] = size_curve(made_statistics(n=60), plan, executor=executor).rows()
    return found


@pytest.fixture(scope="module")
def alone() -> dict[str, list[dict[str, Any]]]:
    return results(None)


def same(one: object, other: object) -> bool:
    return repr(one) == repr(other)  # NaN is not equal to itself, its text is


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    # As the program's own pool, but that the library is loaded once for both processes.
    context = get_context("forkserver")
    context.set_forkserver_preload(["pytest", "mtsig.lab._words", "mtsig.lab._error_rates", "scipy.stats"])
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor


def test_a_pool_of_processes_gives_the_same_digits(alone: dict[str, Any], pool: Executor) -> None:
    for name, rows in results(pool).items():
        assert same(rows, alone[name]), name


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_digits(alone: dict[str, Any]) -> None:
    distributed = pytest.importorskip("distributed")

    # Another process, two jobs at a time: a second worker would cost its start and show no more.
    options = {"n_workers": 1, "threads_per_worker": 2, "dashboard_address": None, "silence_logs": logging.ERROR}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        # The pool shows the same digits of every experiment's jobs; here it is their way there and back that counts.
        for name, rows in results(client.get_executor(), {"coverage", "multiplicity", "rerank"}).items():
            assert same(rows, alone[name]), name


class Recording(Executor):
    """An executor that does nothing until a result is asked for, and remembers what was cancelled."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.futures:
            future.set_result(fn(*args, **kwargs))
        self.futures.append(future)
        return future


def test_jobs_come_back_in_their_order() -> None:
    assert done_in_order(lambda number: number**2, [3, 1, 2]) == [9, 1, 4]
    assert batches(5, 2) == [range(2), range(2, 4), range(4, 5)]


def test_who_stops_early_cancels_what_has_not_begun() -> None:
    executor = Recording()

    def stop(share: float) -> None:
        assert share == pytest.approx(1 / 3)
        raise KeyboardInterrupt

    with watching(stop), pytest.raises(KeyboardInterrupt):
        done_in_order(str, [1, 2, 3], executor)
    assert [future.cancelled() for future in executor.futures] == [False, True, True]


def test_an_error_in_a_job_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        done_in_order(lambda number: 1 // number, [1, 0])


def test_progress_grows_to_one() -> None:
    shares: list[float] = []
    with watching(shares.append):
        run(EXPERIMENTS["multiplicity"], made_statistics(n=60))
    assert shares == sorted(shares)
    assert shares[-1] == 1
