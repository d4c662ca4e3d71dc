"""How long the default comparison over documents takes, beside approximate randomization: CPU seconds on one thread.

    python tests/benchmarks/documents.py [--systems 15] [--segments 2000] [--documents 200] [--draws 10000]

Everything that one click asks for (test, correction, intervals, win rates, the result by segments beside it) must stay
within twice what the same took with `ar` and min-P; the exit code says whether it does.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import replace  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from made import made_statistics  # noqa: E402

from mtsig import Settings  # noqa: E402

MOST = 2.0


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    """Print the table; return 1 when the default takes more than twice as long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=15)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--draws", type=int, default=10_000)
    chosen = parser.parse_args()
    statistics = made_statistics(n=chosen.segments, systems=chosen.systems)
    numbers = np.sort(np.random.default_rng(1).integers(0, chosen.documents, chosen.segments))
    documents = replace(statistics, document_of=np.unique(numbers, return_inverse=True)[1])
    rows = {
        "ar with min-P, by document": (Settings(n_resamples=chosen.draws, test="ar", correction="minp"), documents),
        "default, by document": (Settings(n_resamples=chosen.draws), documents),
        "jackknife-t with min-P, by document": (Settings(n_resamples=chosen.draws, correction="minp"), documents),
        "ar with min-P, by segment": (Settings(n_resamples=chosen.draws, test="ar", correction="minp"), statistics),
        "default, by segment": (Settings(n_resamples=chosen.draws), statistics),
        "jackknife-t with Holm, by segment": (
            Settings(n_resamples=chosen.draws, test="jackknife-t", correction="holm"), statistics,
        ),
    }  # fmt: skip
    Settings(n_resamples=100).family(documents)  # warm: imports, first allocations
    print(f"{chosen.systems} systems, {chosen.segments:,} segments, {chosen.draws:,} draws, BLEU, one thread")
    found = {label: seconds(lambda job=job: job[0].family(job[1])) for label, job in rows.items()}
    worst = 0.0
    for label, took in found.items():
        ratio = took / found[f"ar with min-P, {label.partition(', ')[2]}"]
        worst = max(worst, ratio if label.startswith("default") else 0.0)
        print(f"{label:38}{took:8.2f} s{ratio:9.2f} × ar")
    print(f"at most {MOST:g} × ar: {'yes' if worst <= MOST else 'NO'}")
    return 0 if worst <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
