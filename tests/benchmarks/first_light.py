"""All 105 pairs of 15 systems × 2,000 segments × 10,000 draws in BLEU, against sacreBLEU on its 14 baseline pairs.

Run as `python tests/benchmarks/first_light.py`; sacreBLEU is timed on fewer draws and scaled, its work being linear in
them, or in full with --full. Both sides start from the same counts; counting is measured in counting.py. Ours is timed
twice: the p-values alone, which is what sacreBLEU gives, and the whole family that a user gets, with corrected
p-values, intervals and win rates.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from mtsig import Corpus, Settings, measure
from mtsig.inference._targets import Scores, pairs_of
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Bootstrap

SYSTEMS, SEGMENTS, DRAWS = 15, 2000, 10_000
OURS = {"ar": "ar", "bs": "bootstrap-shift"}
"""sacreBLEU's name of a test -> ours."""

REPEATS = 5
"""Runs of ours, of which the fastest counts: a run of a tenth of a second is easily disturbed."""

PER_PAIR, TOTAL = 300, 50
"""How many times less time is promised, per pair and in total."""


class Run(NamedTuple):
    """CPU seconds a test took, and by how many megabytes the memory peak rose above what was loaded before."""

    seconds: float
    megabytes: float


def made_text(seed: int = 1) -> Corpus:
    """Return 15 noisy copies of random sentences whose words are as unequally frequent as real ones."""
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(20_000)])
    share = 1 / np.arange(1, len(words) + 1)
    share /= share.sum()
    reference = [rng.choice(words, rng.integers(5, 45), p=share) for _ in range(SEGMENTS)]
    outputs = {}
    for system in range(SYSTEMS):
        lines = []
        for sentence in reference:
            replaced = rng.random(len(sentence)) < 0.25 + 0.004 * system
            changed = np.where(replaced, rng.choice(words, len(sentence), p=share), sentence)
            lines.append(" ".join(changed[rng.random(len(sentence)) > 0.04]))
        outputs[f"system{system}"] = lines
    return Corpus.of(outputs, {"reference": [" ".join(sentence) for sentence in reference]})


class Counted(BLEU):
    """sacreBLEU's BLEU over segments that were counted before: "hypotheses" are rows of counts."""

    def _extract_corpus_statistics(self, hypotheses: Sequence[list[int]], references: Any) -> list[list[int]]:
        del references
        self.num_refs = 1
        return list(hypotheses)


def theirs(counts: np.ndarray, kind: str, draws: int) -> None:
    """Run sacreBLEU's paired test of 14 systems against the first."""
    # Its own lists of Python integers, as its counting returns them; every use needs fresh ones, it adds in place.
    named = [(f"system{s}", counts[:, s].T.astype(int).tolist()) for s in range(counts.shape[1])]
    PairedTest(named, {"BLEU": Counted()}, references=None, test_type=kind, n_samples=draws)()


def our_test(counts: np.ndarray, kind: str, draws: int) -> None:
    """Find our p-values of all pairs."""
    test = Settings(test=OURS[kind], n_resamples=draws).chosen_test("segment")
    statistics = statistics_of(counts)
    pairs = pairs_of(Scores(statistics, Bootstrap(draws)), "all")
    checked(len(test(pairs).p_value), statistics)


def our_family(counts: np.ndarray, kind: str, draws: int) -> None:
    """Make our corrected comparisons of all pairs, with intervals and win rates."""
    statistics = statistics_of(counts)
    checked(len(Settings(test=OURS[kind], n_resamples=draws).family(statistics)), statistics)


def statistics_of(counts: np.ndarray) -> Statistics:
    """Return the counts as statistics, fresh: nothing found in an earlier run is kept."""
    return Statistics(Bleu(), tuple(f"system{s}" for s in range(counts.shape[1])), counts)


def checked(found: int, statistics: Statistics) -> None:
    """Leave when not all pairs were compared."""
    count = len(statistics.systems)
    if found != count * (count - 1) // 2:
        raise SystemExit(f"{found} pairs of {count} systems were compared")


PROGRAMS: dict[str, Callable[[np.ndarray, str, int], None]] = {
    "sacreBLEU": theirs,
    "mtsig, p-values": our_test,
    "mtsig, whole family": our_family,
}


def measured_alone(program: str, kind: str, draws: int, file: Path) -> Run:
    """Run one test in a process of its own, on one thread: its memory peak is then nobody else's.

    sacreBLEU uses one thread whatever one does; CPU seconds of one thread can be compared on a machine that is busy.
    """
    command = [sys.executable, __file__, "--alone", program, kind, str(draws), str(file)]
    one_thread = dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1")
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | one_thread)
    seconds, megabytes = answer.stdout.split()
    return Run(float(seconds), float(megabytes))


def alone(program: str, kind: str, draws: str, file: str) -> None:
    """Print the seconds and the megabytes of one test (the other side of `measured_alone`)."""
    run = PROGRAMS[program]
    counts = np.load(file)
    # First use pays for imports and tables that every later one finds ready.
    run(counts[:, :2, :50].copy(), kind, 20)
    before = peak_megabytes()
    seconds = []
    for _ in range(1 if program == "sacreBLEU" else REPEATS):
        start = time.process_time()
        run(counts, kind, int(draws))
        seconds.append(time.process_time() - start)
    sys.stdout.write(f"{min(seconds)} {peak_megabytes() - before}\n")


def peak_megabytes() -> float:
    """Return the largest memory this process ever had."""
    status = Path("/proc/self/status")
    if status.exists():
        # Linux hands ru_maxrss on to child processes; this one starts anew with every program.
        (line,) = [line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    """Print the table of both tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="run sacreBLEU on all 10,000 draws instead of scaling")
    parser.add_argument("--draws", type=int, default=1000, help="draws for sacreBLEU, scaled to 10,000 (default 1000)")
    parser.add_argument("--alone", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.alone:
        alone(*chosen.alone)
        return
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    corpus = made_text()
    counts = measure(corpus, Bleu()).values
    console.print(f"{SYSTEMS} systems × {SEGMENTS:,} segments")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.npy"
        np.save(file, counts)
        console.print(compared(file, DRAWS if chosen.full else chosen.draws))
    if not chosen.full:
        console.print(
            f"sacreBLEU's seconds: {chosen.draws:,} draws × {DRAWS / chosen.draws:g} (measured in full: --full);"
        )
        console.print(f"its memory is that of the fewer draws. Ours: the fastest of {REPEATS} runs of 10,000 draws.")


def compared(file: Path, their_draws: int) -> Table:
    """Return the table of both programs on both tests."""
    pairs, their_pairs = SYSTEMS * (SYSTEMS - 1) // 2, SYSTEMS - 1
    names = ("test", "program", "pairs", "CPU s", "times less", "ms per pair", "times less", "memory")
    table = Table(*names, box=None)
    for kind, name in OURS.items():
        their = measured_alone("sacreBLEU", kind, their_draws, file)
        seconds = their.seconds * DRAWS / their_draws
        per_pair = seconds / their_pairs
        table.add_row(
            name, "sacreBLEU", str(their_pairs), f"{seconds:.2f}", "", f"{1000 * per_pair:.2f}", "",
            f"+{their.megabytes:.0f} MB",
        )  # fmt: skip
        for program in list(PROGRAMS)[1:]:
            run = measured_alone(program, kind, DRAWS, file)
            promised = program == "mtsig, p-values"  # what sacreBLEU's functions give, too
            table.add_row(
                "", program, str(pairs), f"{run.seconds:.2f}", told(seconds / run.seconds, promised and TOTAL),
                f"{1000 * run.seconds / pairs:.2f}", told(per_pair / (run.seconds / pairs), promised and PER_PAIR),
                f"+{run.megabytes:.0f} MB",
            )  # fmt: skip
    return table


def told(ratio: float, promised: int) -> str:
    """Return a ratio and, where something was promised, whether it is kept."""
    kept = f" ({'≥' if ratio >= promised else 'MISSES'} {promised})" if promised else ""
    return f"{ratio:.0f}×{kept}"


if __name__ == "__main__":
    main()
