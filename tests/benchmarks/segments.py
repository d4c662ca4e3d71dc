"""Seconds of contributions, leverage, buckets and the overview, on made outputs; counts are there already."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from made import made_corpus, made_statistics

from mtsig import measure
from mtsig.segments import buckets_of, contributions, leverage, overview

T = TypeVar("T")


def timed(work: str, of: Callable[[], T]) -> T:
    """Print what a piece of work takes, and return what it makes."""
    began = time.process_time()
    made = of()
    print(f"  {work:<32} {time.process_time() - began:6.2f} CPU s")
    return made


def main() -> None:
    """Print the seconds at several sizes."""
    first, second = "sys0", "sys1"
    leverage(contributions(made_statistics(300), first, second))  # scipy is loaded
    for n in (10_000, 100_000):
        print(f"{n:,} segments, BLEU")
        statistics = made_statistics(n, 2)
        found = timed("contributions", lambda: contributions(statistics, first, second))  # noqa: B023 - called at once
        timed("leverage", lambda: leverage(found))  # noqa: B023
    corpus = made_corpus(10_000, systems=2, documents=1_000)
    counted = measure(corpus, "bleu")
    print("10,000 segments in 1,000 documents, with texts")
    buckets = timed("buckets", lambda: buckets_of(corpus, first, second))
    timed("overview", lambda: overview(corpus, counted, first, second, buckets=buckets))
    timed(
        "overview, searched and sorted", lambda: overview(corpus, counted, first, second, search="w12", sort="length")
    )


if __name__ == "__main__":
    main()
