"""Data made on the spot for the tests."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from kept import ROOT as ROOT
from numpy.typing import ArrayLike, NDArray

from mtsig import Corpus
from mtsig._records import FloatArray
from mtsig.corpus._annotations import Parse, Word, with_parses
from mtsig.metrics import Bleu, Metric, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.study import Study
from mtsig.study._record import digest_of
from mtsig.testing import made_corpus as made_corpus

Run = Callable[..., tuple[int, str, str]]
"""What the fixture `run` is: a command's arguments go in, exit code, stdout and stderr come out."""

DASHBOARD = ROOT / "dashboard" / "mtsig_dashboard"


def parsed(corpus: Corpus) -> Corpus:
    """Return the corpus with made parses: every word hangs on the one before it, by a relation of its length."""

    def parse(line: str | None) -> Parse:
        words = (line or "").split()
        found = tuple(Word(word, word.lower(), at, f"r{len(word)}" if at else "root") for at, word in enumerate(words))
        return Parse((found,) if found else ())

    return with_parses(
        corpus,
        {run: [parse(line) for line in lines] for run, lines in corpus.outputs.items()},
        {name: [parse(line) for line in lines] for name, lines in corpus.references.items()},
    )


def made_statistics(n: int = 200, systems: int = 4, seed: int = 1) -> Statistics:
    """BLEU statistics of made systems without any text: lengths near the reference's, fewer and fewer matches."""
    rng = np.random.default_rng(seed)
    reference = rng.integers(6, 40, n)
    rows = []
    for s in range(systems):
        length = np.maximum(5, reference + rng.integers(-2, 4, n))
        totals = [length - order for order in range(4)]
        rates = np.array([0.65, 0.4, 0.28, 0.2]) - 0.004 * s
        matches = [rng.binomial(np.maximum(t, 0), rate) for t, rate in zip(totals, rates, strict=True)]
        rows.append([length, reference, *matches, *totals])
    values = as_values(np.moveaxis(np.array(rows, dtype=float), 0, 1))
    return Statistics(Bleu(), tuple(f"sys{s}" for s in range(systems)), values, settled=True)


@dataclass(frozen=True)
class Rated(Metric):
    """A rating of every segment: the score is the mean, so tests on segments are about it."""

    higher_is_better: bool = True
    name: ClassVar[str] = "rated"
    is_segment_mean: ClassVar[bool] = True

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the mean."""
        return np.asarray(totals[0] / totals[1])


def rated(scores: ArrayLike, systems: Sequence[str] = "ABCDEFGHIJKLMNO", documents: ArrayLike | None = None,
          higher_is_better: bool = True) -> Statistics:  # fmt: skip
    """Return statistics of systems A, B … whose segments are rated as in the rows of `scores`."""
    values = np.array(scores, dtype=float)
    found = as_values(np.array([values, np.ones_like(values)]))
    grouped = None if documents is None else np.asarray(documents)
    made = Statistics(Rated(higher_is_better), tuple(systems[: len(values)]), found, document_of=grouped)
    return replace(made, settled=documents is None)


def made_ratings(n: int = 120, systems: int = 4, seed: int = 1) -> Statistics:
    """Ratings of made systems that share what is hard about a segment, each a little worse than the one before."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(70, 10, n) + rng.normal(0, 5, (systems, n)) - 0.5 * np.arange(systems)[:, None]
    return rated(scores, [f"sys{s}" for s in range(systems)])


def made_binary(n: int = 120, systems: int = 4, seed: int = 1) -> Statistics:
    """RaterScores of made systems: right (1) or wrong (0)."""
    right = np.random.default_rng(seed).random((systems, n)) < 0.7 - 0.05 * np.arange(systems)[:, None]
    return rated(right, [f"sys{s}" for s in range(systems)])


_PEOPLE = ["老师", "邻居", "医生", "司机", "学生", "厨师"]
_DEEDS = ["把旧书送给了图书馆", "在车站等了一个小时", "昨天修好了那台收音机", "想在湖边盖一座小房子"]
_ENDS = ["，大家都很高兴。", "，可是没有人知道。", "，因为天气一直很好。"]
_SENTENCES = [f"那位{who}{what}{end}" for who in _PEOPLE for what in _DEEDS for end in _ENDS]

CHINESE = {
    "ref": _SENTENCES,
    "a": [line.replace("那位", "这位") if i % 3 else line for i, line in enumerate(_SENTENCES)],
    "b": [line.replace("了", "") if i % 2 else line for i, line in enumerate(_SENTENCES)],
}
"""A reference and two systems' outputs in made Chinese, 72 lines each."""


WORDS = [f"w{i}" for i in range(200)]


def translated(lines: list[str], keep: float, rng: np.random.Generator) -> list[str]:
    """Return the lines with a share of the words kept, and others in place of the rest."""
    return [
        " ".join(w if rng.random() < keep else WORDS[rng.integers(len(WORDS))] for w in line.split()) for line in lines
    ]


@cache
def edited_reference(systems: int = 8, n: int = 240) -> Corpus:
    """Two references, the second of which leaves half of system kin's lines as they are; all systems are alike."""
    rng = np.random.default_rng(3)
    first = [" ".join(rng.choice(WORDS, rng.integers(8, 20))) for _ in range(n)]
    outputs = {f"sys{s}": translated(first, 0.7, rng) for s in range(systems - 1)}
    outputs["kin"] = translated(first, 0.7, rng)
    second = [line if i % 2 else other for i, (line, other) in enumerate(zip(outputs["kin"], first, strict=True))]
    return Corpus.of(outputs, {"A": first, "B": translated(second, 0.995, rng)})


def sealed(record: Mapping[str, Any]) -> str:
    """Return a study as a forger writes it, who knows how digests are made."""
    return json.dumps({**record, "digest": digest_of(record)})


def flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a study as it is written with its blocks as rows, of all metrics and sets; beside them its first set."""
    if not any("results" in one for one in record.get("sets", ())):
        return dict(record)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("systems", "comparisons", "ranks", "margins")}
    named = [(one["set"], result) for one in record["sets"] for result in one["results"]]
    named += [(None, one) for one in record["over"]]
    for name, result in named:
        of_set = {"set": name} if record["over"] else {}
        for key, found in rows.items():
            found += [of_set | row for row in rows_of(result.get(key))]
    results = [result for one in record["sets"] for result in one["results"]]
    return {**record, **record["sets"][0], **rows, "metrics": results}


def rows_of(block: Any) -> list[dict[str, Any]]:
    """Return the rows of a block of a study: what its header says of all, its columns, and what follows from them."""
    if not isinstance(block, dict):
        return [row for one in block or () for row in (rows_of(one) if "columns" in one else [one])]
    columns = {**block["columns"], **block["derived"]}
    size = max(len(column) for column in columns.values() if isinstance(column, list))
    return [
        {**block["header"], **{name: item[i] if isinstance(item, list) else item for name, item in columns.items()}}
        for i in range(size)
    ]


def with_rows(study: Study, number: int = 0, **rows: Any) -> Study:
    """Return a study of one set in which a metric has other rows; columns of results by their fields."""
    (part,) = study.sets
    results = list(part.results)
    own = {name: getattr(results[number], name) for name in rows}
    changed = {
        name: (own[name][0].with_rows(other),) if isinstance(own[name], tuple) else own[name].with_rows(list(other))
        for name, other in rows.items()
    }
    results[number] = replace(results[number], **changed)
    return replace(study, sets=(replace(part, results=tuple(results)),))


def put(record: dict[str, Any], table: str, row: int, name: str, value: Any, metric: int = 0) -> None:
    """Write a value into a row of a study as it is written; into a function of what is there, what it returns."""
    columns = record["sets"][0]["results"][metric][table]["columns"]
    if not isinstance(columns[name], list):
        size = max(len(column) for column in columns.values() if isinstance(column, list))
        columns[name] = [columns[name]] * size
    columns[name][row] = value(columns[name][row]) if callable(value) else value


def write(place: Path, corpus: Corpus) -> Path:
    """Write a corpus as a folder of line files."""
    columns = {f"systems/{name}.txt": corpus.lines(name) for name in corpus.systems}
    columns |= {f"refs/{name}.txt": lines for name, lines in corpus.references.items()}
    if corpus.documents is not None:
        columns["docids.txt"] = corpus.documents
    for name, lines in columns.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("".join(f"{line or ''}\n" for line in lines), encoding="utf-8")
    return place


def seconds(work: Callable[[], object]) -> float:
    """Return the least of three times of the processor."""
    found = []
    for _ in range(3):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def nearly_alike(differing: int, n: int = 200) -> Statistics:
    """Two systems that differ on a few of n segments, always in favour of the first; a third one far behind."""
    noise = np.random.default_rng(5).normal(size=n)
    better = noise + np.where(np.arange(n) < differing, 0.5, 0.0)
    return rated([better, noise, noise - 3 + np.random.default_rng(6).normal(size=n)], ["A", "B", "C"])
