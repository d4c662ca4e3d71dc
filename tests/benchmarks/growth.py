"""How the time and the memory of every reader and metric grow with what goes in: exponents over doubling sizes.

Run as `python tests/benchmarks/growth.py [WORD ...]`; words choose the cases whose names hold one of them. What is read
are the examples of tests/forms.py and tests/rated.py, with more and other texts in them, and what METRICS holds is
counted: a new reader or metric is measured without a word here. Texts are ordinary or hostile (see SHAPES).

Every case is done with twice as much again and again, until it takes longer than --seconds, is refused, or has become
--most units long. The exponent is the slope of log CPU seconds against log bytes over the last doublings, of what takes
long enough to be measured. Bytes are the largest memory that Python's objects and arrays take above what was there
before, for each byte that goes in. The program ends with 1 if an exponent above 1.2 is neither declared, with its
reason, in BOUNDED, nor a case that ends with a refusal.
"""

import argparse
import gc
import io
import random
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import forms
import rated
from made import parsed

from mtsig import Corpus, MtsigError, measure
from mtsig._limits import Limits, within
from mtsig._memory import closed
from mtsig.metrics import METRICS, metric
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of

MOST_EXPONENT = 1.2

SHORTEST = 0.02
"""Seconds that no work is said to be shorter than: what takes less says nothing about how it grows."""

REPEATS = 2
"""Runs of which the faster counts: others at the same machine disturb them."""

LIMITS = Limits(max_systems=10**6, max_columns=10**6)
"""As wide as hostile tables may be; all other limits are those that hold for everybody."""

BOUNDED: dict[str, str] = {
    "count wer": "64 pairs of words at once, at most --max-word-pairs of a segment: 10 s",
    "count rouge-l": "64 pairs of words at once, at most --max-word-pairs of a segment: 10 s",
    "count ter": "at most --max-tokens words of a segment: 10 s",
    "count sentter": "at most --max-tokens words of a segment: 10 s",
    "count gtm:exponent=2": "at most --max-tokens words of a segment: 2 s",
    "read parquet": "equal lines are packed into next to nothing: at most --max-cells cells of a table: 40 s",
}
"""What grows faster, by the beginning of its name, and why its time is bounded all the same."""

Texts = tuple[list[str], list[str]]
"""The segments of an output and those of its reference."""


def _ordinary(n: int, rng: random.Random) -> Texts:
    words = [f"w{int(rng.paretovariate(0.8)) % 50_000}" for _ in range(n)]
    other = [word if rng.random() < 0.7 else f"w{rng.randrange(1000)}" for word in words]
    return [" ".join(words[i : i + 20]) for i in range(0, n, 20)], [
        " ".join(other[i : i + 20]) for i in range(0, n, 20)
    ]


def _shuffled(n: int, rng: random.Random) -> Texts:
    words = [f"w{i}" for i in range(n)]
    return [" ".join(words)], [" ".join(rng.sample(words, n))]


def _at_random(n: int, rng: random.Random) -> Texts:
    return ([" ".join(rng.choices("ab", k=n))], [" ".join(rng.choices("ab", k=n))])


SHAPES: dict[str, Callable[[int, random.Random], Texts]] = {
    "ordinary lines": _ordinary,
    "many short lines": lambda n, _: (["a b"] * n, ["b a"] * n),
    "one long word": lambda n, _: (["ab" * n], ["ba" * n]),
    "one word repeated": lambda n, _: (["the " * n], ["the " * n]),
    "a word against a sentence": lambda n, _: (["the " * n], ["the cat sat on the mat . " * 3]),
    "two words at random": _at_random,
    "distinct words": _shuffled,
    "signs alone": lambda n, _: ([".,;!'" * n], ["!;'.," * n]),
}
"""Texts of n words or so."""


@dataclass
class Case:
    """What is done with n units, in two steps: `make` is not measured. The bytes that go in are told by `make`, too."""

    name: str
    make: Callable[[int], tuple[int, Any]]
    work: Callable[[Any], object]


@dataclass
class Grown:
    """What was measured of one case: bytes that went in and seconds for each size, and what was refused last."""

    name: str
    bytes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    memory: float = 0.0
    end: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether it came to where there is a limit."""
        return "To raise the limit, use" in self.end

    @property
    def exponent(self) -> float:
        """The slope over the last four sizes; NaN where fewer than three take long enough."""
        some = [(x, y) for x, y in zip(self.bytes, self.seconds, strict=True) if y >= SHORTEST][-4:]
        if len(some) < 3:
            return float("nan")
        x, y = np.log(np.array(some)).T
        return float(np.polyfit(x, y, 1)[0])


def read_files(files: Sequence[File]) -> Corpus | str:
    """Return what files are read as, or the one sentence why not."""
    try:
        return assemble(parts_of(files))
    except MtsigError as error:
        return str(error)


def _example(module: Any, name: str, changes: dict[str, Any]) -> list[File]:
    """Return an example of tests/forms.py or tests/rated.py with other constants."""
    make = (forms.FORMS if module is forms else rated.EXAMPLES)[name]
    with ExitStack() as stack:
        for constant, value in changes.items():
            stack.enter_context(patch.object(module, constant, value))
        files = getattr(make, "__wrapped__", make)()
    if module is forms:
        return [File(label, content) for label, content in files.items()]
    return [File(f"ratings/{label.removeprefix('ratings/')}", content) for label, content in files.items()]


def _of_texts(form: str, shape: str) -> Callable[[int], tuple[int, list[File]]]:
    def make(n: int) -> tuple[int, list[File]]:
        output, reference = SHAPES[shape](n, random.Random(n))
        size = len(output)
        return _sized(_example(forms, form, _constants(output, reference, {"alpha": output}, max(1, size // 10))))

    return make


def _constants(source: list[str], reference: list[str], systems: dict[str, list[str]], within: int) -> dict[str, Any]:
    size = len(reference)
    documents = [f"d{i // within}" for i in range(size)]
    return {
        "SOURCE": source, "REFERENCE": reference, "SYSTEMS": systems, "DOCUMENTS": documents,
        "DOMAINS": ["news"] * size, "NUMBERS": [str(1 + i % within) for i in range(size)],
    }  # fmt: skip


def _sized(files: list[File]) -> tuple[int, list[File]]:
    return sum(map(_size, files)), files


def _size(file: File) -> int:
    if not file.label.endswith(".xlsx"):
        return len(file.data)
    with zipfile.ZipFile(io.BytesIO(file.data)) as book:
        return sum(member.file_size for member in book.infolist())


def _of_systems(form: str) -> Callable[[int], tuple[int, list[File]]]:
    def make(n: int) -> tuple[int, list[File]]:
        texts = ["a b", "c d"]
        return _sized(_example(forms, form, _constants(texts, texts, {f"s{i}": texts for i in range(n)}, 1)))

    return make


def _of_ratings(form: str, systems: Callable[[int], int]) -> Callable[[int], tuple[int, list[File]]]:
    def make(n: int) -> tuple[int, list[File]]:
        size = max(1, n // systems(n))
        scores = [score for score in rated.ERRORS if score is not None]
        changes: dict[str, Any] = {
            "SCORES": {f"s{j}": [scores[(i * j) % len(scores)] for i in range(size)] for j in range(systems(n))},
            "DOCUMENTS": [f"d{i}" for i in range(size)],
            "within": lambda _: 1,
        }
        bytes_, files = _sized(_example(rated, form, changes))
        return bytes_, [File("docids.txt", "".join(f"d{i}\n" for i in range(size)).encode()), *files]

    return make


def _one_file(label: str, content: Callable[[int], str]) -> Callable[[int], tuple[int, list[File]]]:
    return lambda n: _sized([File(label, content(n).encode())])


HOSTILE: dict[str, Callable[[int], tuple[int, list[File]]]] = {
    "table: wide header": _one_file("a.tsv", lambda n: "\t".join(f"c{i}" for i in range(n)) + "\n" + "\t" * (n - 1)),
    "table: late name twice": _one_file("a.tsv", lambda n: "\t".join([*(f"c{i}" for i in range(n)), "z", "z"])),
    "table: blank lines": _one_file("a.tsv", lambda n: "ref\ta\nx\ty" + "\n" * n),
    "csv: quotes": _one_file("a.csv", lambda n: 'ref,a\n"x","' + '""' * n + '"\n'),
    "json: late name twice": _one_file(
        "a.jsonl", lambda n: "{" + ", ".join(f'"k{i}": 1' for i in range(n)) + ', "z": 1, "z": 2}'
    ),
    "json: new names in every object": _one_file(
        "a.jsonl", lambda n: "".join(f'{{"ref": "x", "a": "y", "k{i}": "z"}}\n' for i in range(n // 20 + 1))
    ),
    "json: deep": _one_file("a.json", lambda n: "[" * n),
    "json: digits": _one_file("a.json", lambda n: f'[{{"ref": "x", "a": {"9" * n}}}]'),
    "sgm: tags without end": _one_file("a.sgm", lambda n: "<seg id=" * n),
    "wmt-xml: deep": _one_file("a.xml", lambda n: "<dataset>" + "<p>" * n),
    "conllu: one sentence": _one_file(
        "parses/a.conllu", lambda n: "".join(f"{i}\ta\ta\tX\t_\t_\t{i - 1}\tx\t_\t_\n" for i in range(1, n + 1))
    ),
    "conllu: many sentences": _one_file("parses/a.conllu", lambda n: "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n" * n),
    "folder: names of runs": lambda n: _sized([File(f"systems/a.run{i}.txt", b"x\n") for i in range(n // 20 + 1)]),
}
"""What is hostile about one form alone."""


def _count(name: str, shape: str) -> Case:
    def make(n: int) -> tuple[int, Corpus]:
        output, reference = SHAPES[shape](n, random.Random(n))
        corpus = Corpus.of({"x": output, "y": reference}, {"ref": reference})
        return sum(map(len, output)) + sum(map(len, reference)), parsed(corpus) if METRICS[
            name
        ].needs_parses else corpus

    return Case(f"count {name}: {shape}", make, lambda corpus: measured(corpus, name))


def measured(corpus: Corpus, name: str) -> object:
    """Return the statistics of a corpus, or the one sentence why there are none."""
    try:
        return measure(corpus, metric(name))
    except MtsigError as error:
        return str(error)


def cases() -> Iterator[Case]:
    """Yield every case: readers of texts, of ratings, hostile files, metrics."""
    for form in forms.FORMS:
        for shape in SHAPES:
            yield Case(f"read {form}: {shape}", _of_texts(form, shape), read_files)
        yield Case(f"read {form}: many systems", _of_systems(form), read_files)
    for form in rated.EXAMPLES:
        yield Case(f"read {form}: many segments", _of_ratings(form, lambda _: 2), read_files)
        yield Case(f"read {form}: many systems", _of_ratings(form, lambda n: max(1, n // 4)), read_files)
    for name, make in HOSTILE.items():
        yield Case(f"read {name}", make, read_files)
    for name in [*METRICS, "gtm:exponent=2"]:
        METRICS.setdefault(name, metric(name))
        for shape in SHAPES:
            yield _count(name, shape)


def _timed(case: Case, given: Any) -> tuple[float, object]:
    gc.collect()
    began = time.process_time()
    outcome = case.work(given)
    return time.process_time() - began, outcome


def grown(case: Case, seconds: float, most: int) -> Grown:
    """Do a case with twice as much again and again."""
    found = Grown(case.name)
    n = 64
    while n <= most:
        size, given = case.make(n)
        took, outcome = min((_timed(case, given) for _ in range(REPEATS)), key=itemgetter(0))
        if isinstance(outcome, str):
            found.end = outcome
        if found.is_refused:
            break
        found.bytes.append(size)
        found.seconds.append(took)
        if took > seconds:
            break
        n *= 2
    # Tracing memory takes several times as long: it is done with a size that takes little.
    quick = max((i for i, took in enumerate(found.seconds) if took < seconds / 4), default=0)
    size, given = case.make(64 * 2**quick)
    tracemalloc.start()
    case.work(given)
    found.memory = tracemalloc.get_traced_memory()[1] / max(1, size)
    tracemalloc.stop()
    return found


def main() -> int:
    """Measure, print the table, and return 1 if something grows that may not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--most", type=int, default=2**20)
    given = parser.parse_args()
    console = Console(width=140)
    table = Table("case", "largest, bytes", "seconds", "exponent", "bytes/byte", "end", box=None)
    faults = []
    with closed(), within(LIMITS):
        for case in cases():
            if given.words and not any(word in case.name for word in given.words):
                continue
            one = grown(case, given.seconds, given.most)
            reason = next((why for name, why in BOUNDED.items() if case.name.startswith(name)), "")
            if one.exponent > MOST_EXPONENT and not (reason or one.is_refused):
                one = grown(case, 4 * given.seconds, 4 * given.most)  # what is true of it shows over more doublings
            above = one.exponent > MOST_EXPONENT
            if above and not (reason or one.is_refused):
                faults.append(case.name)
            end = reason if above and reason else one.end.rpartition(": ")[2][:60]
            row = [case.name, f"{max(one.bytes, default=0):,}", f"{max(one.seconds, default=0):.2f}"]
            row += [f"{one.exponent:.2f}" + ("!" if above else ""), f"{one.memory:.0f}", end]
            table.add_row(*row)
            print("\t".join(row), file=sys.stderr, flush=True)
    console.print(table)
    console.print(f"Above {MOST_EXPONENT} and neither declared nor refused: {', '.join(faults) or 'nothing'}.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
