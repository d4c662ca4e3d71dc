"""Many sets as one family: CPU seconds to those of the sets one by one with as many draws, and the peak of memory.

Run: python tests/benchmarks/sets.py [SETS [SYSTEMS [SEGMENTS]]]; the goal for 40, 10, 2000 is at most 1.3 times, and
less than 1 GB. The joint family takes the draws that it needs, 72,000 for 1,800 comparisons; so do the single ones.
"""

import resource
import sys
import time

import numpy as np

from mtsig import Settings
from mtsig._probability import needed_draws
from mtsig.collection import Sets, compare, measure
from mtsig.corpus import Corpus, Rating


def made(sets: int, systems: int, segments: int) -> Sets:
    """Return sets of made ratings."""
    rng = np.random.default_rng(1)
    quality = rng.normal(scale=0.2, size=(systems, 1))
    names = dict.fromkeys(f"s{row}" for row in range(systems))
    return Sets.of({
        f"set{number}": Corpus.of(names, ratings={"m": Rating(quality + rng.normal(size=(systems, segments)), True)})
        for number in range(sets)
    })  # fmt: skip


def main(sets: int = 40, systems: int = 10, segments: int = 2000) -> None:
    """Print the ratio and the peak."""
    compare(measure(made(5, 3, 40), "rating:m"))  # loads what is loaded once
    statistics = measure(made(sets, systems, segments), "rating:m")
    pairs = systems * (systems - 1) // 2
    settings = Settings(n_resamples=max(10_000, needed_draws(sets * pairs, 0.05)), unit="segment")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    compare(statistics, settings)
    joint = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    for one in statistics.of.values():
        settings.family(one)
    single = time.process_time() - start
    print(f"{sets} sets × {systems} systems × {segments:,} segments, {settings.n_resamples:,} draws")
    print(f"joint {joint:.1f} s, one by one {single:.1f} s: {joint / single:.2f} times")
    print(f"peak {peak / 1024:.0f} MB, {(peak - before) / 1024:.0f} MB more than before")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
