"""Counting BLEU, chrF, chrF++ and TER of many systems, against sacreBLEU with its references cached, in one run.

Run as `python tests/benchmarks/counting.py`. The text is real where MTSIG_SHARED says where it is (20 systems × 1,002
segments of WMT21 English-German), else made (15 × 2,000). Times are CPU seconds of one process. sacreBLEU's leave out
what it does once with the references, ours leave out nothing; both count the same to the last segment, or the program
ends. TER is counted on every eighth segment unless --full is given, as sacreBLEU takes minutes. Then everything is
measured again from a warm cache, and at last BLEU of 10 systems × 100,000 segments, with the largest memory.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from first_light import peak_megabytes
from rich.console import Console
from rich.table import Table

from mtsig import Corpus, measure, read
from mtsig.metrics import Bleu, Chrf, Metric, Ter
from mtsig.metrics import _counting as counts

PROMISED: dict[Metric, float] = {Bleu(): 3, Chrf(): 6, Chrf(word_order=2): 5, Ter(): 6}
"""How many times less time than sacreBLEU is promised for each metric."""

FROM_CACHE = 500
"""How many times less time than sacreBLEU's for all four metrics is promised when they were counted before."""

LARGE_SYSTEMS, LARGE_SEGMENTS, LARGE_MEGABYTES = 10, 100_000, 2048

TER_EVERY = 8

REPEATS = 3
"""Runs of ours, of which the fastest counts: a run of a tenth of a second is easily disturbed."""


def real_text(folder: Path) -> Corpus:
    """Return the real systems with one reference."""
    corpus = read(folder / "data" / "wmt21-en-de").with_text()
    return corpus.select(references=list(corpus.references)[:1])


def made_text(systems: int, segments: int, seed: int = 1) -> Corpus:
    """Return noisy copies of random sentences whose words are as unequally frequent as real ones."""
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(20_000)])
    share = np.cumsum(1 / np.arange(1, len(words) + 1))
    lengths = rng.integers(5, 45, segments)
    ends = np.cumsum(lengths)

    def drawn(size: int) -> np.ndarray:
        return np.searchsorted(share, rng.random(size) * share[-1])

    def lines(chosen: np.ndarray) -> Iterator[str]:
        for start, end in zip([0, *ends], ends, strict=False):
            yield " ".join(words[chosen[start:end]])

    reference = drawn(ends[-1])
    outputs = {}
    for system in range(systems):
        replaced = rng.random(len(reference)) < 0.25 + 0.004 * system
        outputs[f"system{system}"] = list(lines(np.where(replaced, drawn(len(reference)), reference)))
    return Corpus.of(outputs, {"reference": list(lines(reference))})


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds that some work takes, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def theirs(metric: Any, corpus: Corpus) -> tuple[float, np.ndarray]:
    """Return sacreBLEU's seconds and counts (k, s, n)."""
    scorer = metric.scorer(references=[list(lines) for lines in corpus.references.values()])
    outputs = [list(corpus.lines(system)) for system in corpus.systems]
    seconds, rows = seconds_of(lambda: [scorer._extract_corpus_statistics(lines, None) for lines in outputs])
    return seconds, np.moveaxis(np.array(rows), 2, 0)


def ours(metric: Metric, corpus: Corpus) -> tuple[float, np.ndarray]:
    """Return our seconds, the fewest of some runs, and our counts (k, s, n)."""
    runs = [seconds_of(lambda: metric.count(corpus)) for _ in range(REPEATS)]
    return min(seconds for seconds, _ in runs), runs[0][1]


def from_cache(corpus: Corpus) -> float:
    """Return the seconds that measuring everything takes when it was counted before."""
    counts.LEAST_CHARACTERS = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MTSIG_CACHE"] = folder
        for metric in PROMISED:
            measure(corpus, metric)
        # Read anew, as another run would: nothing that was found out about the corpus is kept.
        anew = [Corpus.of(dict(corpus.outputs), dict(corpus.references)) for _ in range(REPEATS)]
        return min(seconds_of(lambda one=one: [measure(one, metric) for metric in PROMISED])[0] for one in anew)


def compared(corpus: Corpus, ter_every: int) -> Table:
    """Return the table of both programs."""
    table = Table("metric", "segments", "sacreBLEU", "mtsig", "times less", box=None)
    whole = 0.0
    for metric, promised in PROMISED.items():
        every = ter_every if isinstance(metric, Ter) else 1
        some = corpus.take(range(0, len(corpus), every))
        our_seconds, our_counts = ours(metric, some)
        their_seconds, their_counts = theirs(metric, some)
        if not np.array_equal(our_counts, their_counts):
            raise SystemExit(f"{metric.name}: the counts differ")
        whole += their_seconds * every
        table.add_row(metric.name, f"{len(some):,}", f"{their_seconds:.2f} s", f"{our_seconds:.3f} s",
                      told(their_seconds / our_seconds, promised))  # fmt: skip
    seconds = from_cache(corpus)
    table.add_row(
        "all, kept", f"{len(corpus):,}", f"{whole:.2f} s", f"{seconds:.3f} s", told(whole / seconds, FROM_CACHE)
    )
    return table


def told(ratio: float, promised: float) -> str:
    """Return a ratio and whether the promise is kept."""
    return f"{ratio:.1f}× ({'≥' if ratio >= promised else 'MISSES'} {promised:g})"


def large() -> None:
    """Print how long BLEU of a large set takes, and the largest memory (in a process of its own)."""
    os.environ["MTSIG_CACHE"] = "off"
    corpus = made_text(LARGE_SYSTEMS, LARGE_SEGMENTS)
    before = peak_megabytes()
    seconds, statistics = seconds_of(lambda: measure(corpus, Bleu()))
    most = peak_megabytes()
    kept = "<" if most < LARGE_MEGABYTES else "MISSES"
    size = f"{len(statistics.systems)} systems × {statistics.n:,} segments"
    memory = f"{most:.0f} MB ({kept} {LARGE_MEGABYTES}), {before:.0f} MB of them the text"
    sys.stdout.write(f"BLEU of {size}: {seconds:.1f} s, at most {memory}\n")


def main() -> None:
    """Print the table, and the large set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="count TER of all segments")
    parser.add_argument("--made", action="store_true", help="made text even where real text is there")
    parser.add_argument("--large", action="store_true", help="the large set alone")
    chosen = parser.parse_args()
    if chosen.large:
        large()
        return
    shared = os.environ.get("MTSIG_SHARED")
    kind = "made" if chosen.made or not shared else "real"
    corpus = real_text(Path(shared)) if kind == "real" and shared else made_text(15, 2000)
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    console.print(f"{len(corpus.systems)} systems × {len(corpus):,} segments, {kind} text")
    console.print(compared(corpus, 1 if chosen.full else TER_EVERY))
    # Its memory is then nobody else's.
    subprocess.run([sys.executable, __file__, "--large"], check=True)


if __name__ == "__main__":
    main()
