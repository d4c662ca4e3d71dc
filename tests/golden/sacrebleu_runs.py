"""Runs of sacreBLEU 2.6.0 on real data: its commands in, our statistics on the same texts out."""

import argparse
import json
import shlex
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from mtsig import Bleu, Chrf, Corpus, Metric, Statistics, Ter, measure, read_files

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


def statistics_for(shared: Path, command: str) -> list[Statistics]:
    """Return our statistics of each metric of a sacreBLEU command."""
    run = parsed(command)
    made: dict[str, Metric] = {
        "bleu": Bleu(tokenize=run.tokenize, lowercase=run.lowercase),
        "chrf": Chrf(word_order=run.word_order, lowercase=run.lowercase),
        "ter": Ter(),
    }
    texts = tuple(run.references), tuple(run.systems)
    return [_statistics(shared, *texts, made[name]) for name in run.metrics]


@lru_cache(maxsize=2)
def _corpus(shared: Path, references: tuple[str, ...], systems: tuple[str, ...]) -> Corpus:
    def named(paths: tuple[str, ...]) -> dict[str, Path]:
        return {name_of(path): shared / path for path in paths}

    return read_files(named(references), named(systems))


@cache  # counting is what takes the time, and tests of p-values want the counts of tests of scores
def _statistics(shared: Path, references: tuple[str, ...], systems: tuple[str, ...], metric: Metric) -> Statistics:
    return measure(_corpus(shared, references, systems), metric)


def check_scores(shared: Path, number: int) -> None:
    """Assert that our scores equal the digits that run `number` printed."""
    run = expected("scores")[number]
    found: dict[str, dict[str, str]] = {system: {} for system in run["scores"]}
    for statistics in statistics_for(shared, run["command"]):
        for system, score in zip(statistics.systems, statistics.scores, strict=True):
            found[system][statistics.metric.name] = f"{score:.6f}"
    assert found == run["scores"]
