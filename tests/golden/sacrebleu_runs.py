"""Runs of sacreBLEU 2.6.0 on real data: its commands in, our statistics on the same texts out."""

import argparse
import json
import shlex
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

from mtsig import Corpus, measure, read_files
from mtsig.metrics import Bleu, Chrf, Metric, Statistics, Ter

EXPECTED = Path(__file__).with_name("sacrebleu-2.6.0.json")


@lru_cache
def expected(kind: str) -> list[dict[str, Any]]:
    """Return the runs of a kind: "scores", "paired_ar" or "paired_bs"."""
    return list(json.loads(EXPECTED.read_text(encoding="utf-8"))[kind])


def parsed(command: str) -> argparse.Namespace:
    """Return the arguments of a sacreBLEU command; an option that is not listed here makes the test fail."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("references", nargs="+")
    parser.add_argument("-i", dest="systems", nargs="+")
    parser.add_argument("-m", dest="metrics", nargs="+")
    parser.add_argument("-tok", dest="tokenize", default=None)
    parser.add_argument("-lc", dest="lowercase", action="store_true")
    parser.add_argument("--chrf-word-order", dest="word_order", type=int, default=0)
    parser.add_argument("--paired-ar", "--paired-bs", action="store_true")
    parser.add_argument("-f", choices=["json"])
    parser.add_argument("-w", choices=["6"])
    program, *arguments = shlex.split(command)
    assert program == "sacrebleu"
    return parser.parse_args(arguments)


def name_of(path: str) -> str:
    """Return the name under which the system of a file stands in the JSON."""
    return Path(path).name.removesuffix(".txt")


def in_short_and_whole(numbers: Iterable[int], kinds: Iterable[int], some: int = 2) -> list[Any]:
    """Return `number` and `most` of tests: the first systems of one run of every kind, and all of all runs as slow.

    What is printed of a system, or of a system and the first, hangs on no other system.
    """
    return [
        *(pytest.param(number, some, id=f"{number}") for number in kinds),
        *(pytest.param(number, None, id=f"{number}, all systems", marks=pytest.mark.slow) for number in numbers),
    ]


def of_these(printed: dict[str, Any], statistics: Statistics) -> dict[str, Any]:
    """Return what was printed of the systems that are here."""
    return {system: values for system, values in printed.items() if system in statistics.systems}


def statistics_for(shared: Path, command: str, most: int | None = None) -> list[Statistics]:
    """Return our statistics of each metric of a sacreBLEU command, for all systems or for so many."""
    run = parsed(command)
    made: dict[str, Metric] = {
        "bleu": Bleu(tokenize=run.tokenize, lowercase=run.lowercase),
        "chrf": Chrf(word_order=run.word_order, lowercase=run.lowercase),
        "ter": Ter(),
    }
    texts = tuple(run.references), tuple(run.systems[:most])
    return [_statistics(shared, *texts, made[name]) for name in run.metrics]


@lru_cache(maxsize=2)
def _corpus(shared: Path, references: tuple[str, ...], systems: tuple[str, ...]) -> Corpus:
    def named(paths: tuple[str, ...]) -> dict[str, Path]:
        return {name_of(path): shared / path for path in paths}

    return read_files(named(references), named(systems))


@cache  # counting is what takes the time, and tests of p-values want the counts of tests of scores
def _statistics(shared: Path, references: tuple[str, ...], systems: tuple[str, ...], metric: Metric) -> Statistics:
    return measure(_corpus(shared, references, systems), metric)


def check_scores(shared: Path, number: int, most: int | None = None) -> None:
    """Assert that our scores equal the digits that run `number` printed."""
    run = expected("scores")[number]
    for statistics in statistics_for(shared, run["command"], most):
        metric = statistics.metric.name
        found = {name: f"{score:.6f}" for name, score in zip(statistics.systems, statistics.scores, strict=True)}
        assert found == {system: scores[metric] for system, scores in of_these(run["scores"], statistics).items()}
        assert most is not None or len(found) == len(run["scores"])
    assert {statistics.metric.name for statistics in statistics_for(shared, run["command"], most)} == {
        metric for scores in run["scores"].values() for metric in scores
    }
