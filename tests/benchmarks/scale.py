"""How time and memory grow with segments, systems, sets and draws, each piece of work in a process of its own.

Run as `python tests/benchmarks/scale.py [WORK …]`; without a word all but those of `LARGE` are done, `--large` does
them, too. Seconds are CPU seconds of one process and one thread; megabytes are the most that the process ever held,
with those before the work (the interpreter, and the text or the counts) beside them. A ratio is that to the row above.

    text       BLEU counted of made text, 4 systems, and compared with 1,000 draws
    counting   segments of one system that are counted in a CPU second, sacreBLEU's beside (counting.py says more)
    sets       made counts of several sets, all pairs, compared as one family: each size doubled in turn
    joint      40 sets × 10 systems × 2,000 segments: the joint family against the single comparisons
    hundred    100 sets × 20 systems × 2,000 segments: counted, written, read and compared
    million    as text, 1,000,000 segments
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MTSIG_CACHE": "off"}

from counting import made_text, ours, theirs
from first_light import peak_megabytes

from mtsig import Corpus, Settings, measure, metric
from mtsig.collection import Sets, SetStatistics, compare
from mtsig.metrics import Statistics
from mtsig.study import read_counts, write_counts

Size = dict[str, int]

TEXTS: list[Size] = [{"segments": n} for n in (12_500, 25_000, 50_000, 100_000, 200_000)]
BASE: Size = {"sets": 4, "systems": 5, "segments": 500, "n_resamples": 4_000}
SETS: list[Size] = [BASE, *({**BASE, name: factor * BASE[name]} for name in BASE for factor in (2, 4))]
JOINT: Size = {"sets": 40, "systems": 10, "segments": 2_000, "n_resamples": 72_000}
HUNDRED: Size = {"sets": 100, "systems": 20, "segments": 2_000, "n_resamples": 10_000}

FEW_DRAWS = 1_000


def long_text(systems: int, segments: int) -> Corpus:
    """Return made text whose lines stand in it several times, each with its number, so that none is another's."""
    some = made_text(systems, min(segments, 5_000))
    numbers = range(segments)

    def numbered(lines: Sequence[str | None]) -> list[str]:
        return [f"{lines[number % len(lines)]} {number}" for number in numbers]

    return Corpus.of({name: numbered(lines) for name, lines in some.outputs.items()},
                     {name: numbered(lines) for name, lines in some.references.items()})  # fmt: skip


def of_text(size: Size, tell: Callable[..., None]) -> None:
    """Count and compare text."""
    corpus = long_text(4, size["segments"])
    tell("text made")
    statistics = measure(corpus, "bleu")
    tell("counted")
    Settings(n_resamples=FEW_DRAWS).family(statistics)
    tell("compared")


def made_sets(size: Size) -> SetStatistics:
    """Return made counts of sets without any text; no two share units."""
    from made import made_statistics  # here, as it loads pandas, which would be in every number of memory

    found: dict[str, Statistics] = {}
    corpora: dict[str, Corpus] = {}
    for number in range(size["sets"]):
        one = made_statistics(n=size["segments"], systems=size["systems"], seed=number)
        lines = {name: ["x"] * size["segments"] for name in one.systems}
        corpora[f"set{number}"] = Corpus.of(lines, {"ref": [f"{number} {i}" for i in range(size["segments"])]})
        found[f"set{number}"] = one
    return SetStatistics(Sets(corpora), found)


def of_sets(size: Size, tell: Callable[..., None]) -> None:
    """Compare sets as one family."""
    statistics = made_sets(size)
    tell("counts made")
    compare(statistics, Settings(n_resamples=size["n_resamples"]))
    tell("compared")


def joint(size: Size, tell: Callable[..., None]) -> None:
    """Compare sets as one family, after every set by itself with as many draws."""
    statistics = made_sets(size)
    tell("counts made")
    settings = Settings(n_resamples=size["n_resamples"])
    for one in statistics.of.values():
        settings.family(one)
    tell("singles")
    found = compare(statistics, settings)
    tell("joint")
    sys.stderr.write("\n".join(note.text for note in found.notes) + "\n")


def hundred(size: Size, tell: Callable[..., None]) -> None:
    """Write counts of sets, read them, and compare them as one family."""
    statistics = made_sets(size)
    tell("counts made")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.parquet"
        write_counts(file, {name: (statistics.sets[name], [one]) for name, one in statistics.of.items()})
        tell("written", file_megabytes=file.stat().st_size / 2**20)
        del statistics
        counts = read_counts(file)
    tell("read")
    sets = Sets({name: one.corpus for name, one in counts.of.items()})
    found = compare(SetStatistics(sets, {name: one.statistics[0] for name, one in counts.of.items()}))
    tell("compared")
    sys.stderr.write("\n".join(note.text for note in found.notes) + "\n")


def counting(size: Size, tell: Callable[..., None]) -> None:
    """Count four metrics, and let sacreBLEU count some of the same."""
    corpus = made_text(15, size["segments"])
    tell("text made")
    for name, every in (("bleu", 2), ("chrf", 4), ("chrf++", 4), ("ter", 16)):
        chosen, outputs = metric(name).on(corpus), len(corpus.systems) * len(corpus)
        our_seconds, _ = ours(chosen, corpus)
        their_seconds, _ = theirs(chosen, corpus.take(range(0, len(corpus), every)))
        tell(name, a_second=outputs / our_seconds, sacrebleus=outputs / every / their_seconds)


WORK: dict[str, tuple[Callable[[Size, Callable[..., None]], None], list[Size]]] = {
    "text": (of_text, TEXTS),
    "counting": (counting, [{"segments": 2_000}]),
    "sets": (of_sets, SETS),
    "joint": (joint, [JOINT]),
    "hundred": (hundred, [HUNDRED]),
    "million": (of_text, [{"segments": 1_000_000}]),
}
LARGE = {"joint", "hundred", "million"}


def work(name: str, number: int) -> None:
    """Do one piece of work, and print what each of its steps takes."""
    do, sizes = WORK[name]
    began = [time.process_time()]

    def tell(step: str, **numbers: float) -> None:
        now = time.process_time()
        found = {"step": step, "seconds": now - began[0], "megabytes": peak_megabytes(), **numbers}
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()
        began[0] = time.process_time()

    do(sizes[number], tell)


def measured(name: str, number: int) -> Iterator[dict[str, Any]]:
    """Yield what the steps of one piece of work take, done in a process of its own."""
    command = [sys.executable, __file__, "--one", name, str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield from map(json.loads, process.stdout or ())
    if process.returncode:
        raise SystemExit(f"{name} ended with {process.returncode}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", nargs="*", help=", ".join(WORK))
    parser.add_argument("--large", action="store_true", help="also what takes minutes and gigabytes")
    parser.add_argument("--one", nargs=2, metavar=("WORK", "NUMBER"), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one:
        work(chosen.one[0], int(chosen.one[1]))
        return
    for name in chosen.work or [name for name in WORK if chosen.large or name not in LARGE]:
        sys.stdout.write(f"\n{name}\n")
        first: dict[str, float] = {}
        for number, size in enumerate(WORK[name][1]):
            shown = " × ".join(f"{count:,} {what}" for what, count in size.items())
            sys.stdout.write(f"{shown}\n")
            for step in measured(name, number):
                label, seconds, most = step.pop("step"), step.pop("seconds"), step.pop("megabytes")
                ratio = f"{seconds / first[label]:5.1f}× the first" if first.get(label, 0) > 0.05 else ""
                first.setdefault(label, seconds)
                more = ", ".join(f"{key.replace('_', ' ')} {value:,.0f}" for key, value in step.items())
                sys.stdout.write(f"    {label:12} {seconds:9.2f} s  {most:7,.0f} MB at most  {ratio} {more}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
