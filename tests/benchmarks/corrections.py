"""How long the corrections take on 15 systems: CPU seconds on one thread, beside the raw test.

    python tests/benchmarks/corrections.py [--segments 2000] [--draws 10000]

Step-down min-P on 105 pairs must stay within 3 times the raw test of the same run; the exit code says whether it does.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from made import made_ratings, made_statistics  # noqa: E402

from mtsig import adjust  # noqa: E402
from mtsig.inference import CORRECTIONS, compare  # noqa: E402
from mtsig.inference._significance import ApproximateRandomization  # noqa: E402
from mtsig.resampling import Swap  # noqa: E402

MOST = 3.0


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    """Print the table; return 1 when min-P takes more than three times the raw test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--draws", type=int, default=10_000)
    chosen = parser.parse_args()
    test = ApproximateRandomization(Swap(chosen.draws))
    statistics = made_statistics(n=chosen.segments, systems=15)
    compare(statistics.select(["sys0", "sys1"]), test)  # warm: imports, first allocations
    family = compare(statistics, test)
    raw = seconds(lambda: test(_pairs(statistics)))
    whole = seconds(lambda: compare(statistics, test))
    print(f"15 systems, {len(family)} pairs, {chosen.segments:,} segments, {chosen.draws:,} draws, BLEU, one thread")
    print(f"{'':14}{'CPU s':>8}{'of raw test':>13}")
    print(f"{'raw test':14}{raw:8.2f}{1:12.2f}×")
    print(f"{'compare':14}{whole:8.2f}{whole / raw:12.2f}×   test, intervals and win rates")
    means = compare(made_ratings(n=chosen.segments, systems=15), ApproximateRandomization(Swap(100)))
    taken = {}
    for name, one in CORRECTIONS.items():
        judged = means if one.needs == "segment means" else family
        taken[name] = seconds(lambda judged=judged, name=name: adjust(judged, name))
        print(f"{name:14}{taken[name]:8.2f}{taken[name] / raw:12.2f}×")
    total = (raw + taken["minp"]) / raw
    print(f"raw test and min-P together: {total:.2f} × the raw test (at most {MOST:g})")
    return 0 if total <= MOST else 1


def _pairs(statistics: object) -> object:
    from mtsig.inference._targets import Scores, pairs_of
    from mtsig.resampling import Bootstrap

    return pairs_of(Scores(statistics, Bootstrap(10)), "all")


if __name__ == "__main__":
    sys.exit(main())
