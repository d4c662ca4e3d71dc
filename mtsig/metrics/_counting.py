"""A metric and a corpus go in, its counts come out: kept between runs, and shared by metrics that count the same.

Large sets are counted in blocks of segments, in this process or wherever an executor runs them: the same digits, since
no block knows of another.
"""

import hashlib
import json
import unicodedata
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig._cache import Cache, CacheWarning, users_cache
from mtsig._memory import remembered
from mtsig.corpus import Corpus, FloatArray
from mtsig.errors import NotApplicable, ProgramError
from mtsig.limits import Limits, limits, within
from mtsig.metrics._metric import Metric
from mtsig.metrics._statistics import is_whole
from mtsig.progress import one_by_one

COUNTING = 1
"""To be raised with every change after which some text is counted differently: what was kept is then not found."""

LEAST_CHARACTERS = 2**16
"""Less text than this is counted again sooner than it is worth keeping."""

RECOUNTED = 100
"""One in so many systems whose counts are kept is counted again all the same, and compared: always the same ones."""

MOST_COUNT = 1e100
"""No count lies farther from 0: sums of squares of such numbers can still be held."""

SAME = 1e-9
"""Up to so much, in relation, the same real numbers may differ between processors and versions of numpy."""


BLOCK = 2**13
"""Outputs, segments × systems, of a block: changes nothing but the memory used, and how evenly the work is shared."""


def counted(metric: Metric, corpus: Corpus, executor: Executor | None = None) -> FloatArray:
    """Count as `metric.count` does, (k, s, n), but only what no earlier run has counted.

    Whole numbers that float32 holds come as such, others as float64. Blocks are counted by the executor.

    Kept are the counts of each system by itself, by its lines, the references and the metric's `counting_options`: one
    more system costs that one; another smoothing, or another metric made of the same counts, costs nothing.
    """
    options = _options(metric, corpus)
    cache = users_cache("counts") if options is not None and _is_worth_it(corpus) else None
    if options is None or cache is None:
        return _checked(metric, corpus, executor)
    return _from_cache(metric, corpus, cache, _keys(options, corpus), executor)


def _options(metric: Metric, corpus: Corpus) -> Mapping[str, object] | None:
    """Return the metric's `counting_options`, or None when its class counts in a way of its own below them."""
    return metric.counting_options(corpus) if _is_of_its_count(metric, "counting_options") else None


def _is_of_its_count(metric: Metric, name: str) -> bool:
    """Return whether what the metric says of its counting is said of the `count` that it has."""

    def home(name: str) -> type:
        return next(kind for kind in type(metric).__mro__ if name in vars(kind))

    return issubclass(home(name), home("count"))


def _is_worth_it(corpus: Corpus) -> bool:
    lines = (corpus.lines(system) for system in corpus.systems)
    return sum(len(line) for some in lines for line in some) >= LEAST_CHARACTERS


def _keys(options: Mapping[str, object], corpus: Corpus) -> dict[str, str]:
    """Return the key of each system's counts; equal lines have equal keys."""
    shared = json.dumps([COUNTING, _programs(), dict(options), corpus.references_digest], sort_keys=True)
    return {
        system: hashlib.sha256(f"{shared}{corpus.output_digests[corpus.systems[system][0]]}".encode()).hexdigest()
        for system in corpus.systems
    }


@remembered(most=1)  # a file is read and parsed for every version
def _programs() -> dict[str, str]:
    """Return the versions of the programs whose tables of characters decide what a word, a space or a capital is."""
    return {name: version(name) for name in ("sacrebleu", "regex")} | {"unicode": unicodedata.unidata_version}


def _from_cache(
    metric: Metric, corpus: Corpus, cache: Cache, keys: Mapping[str, str], executor: Executor | None
) -> FloatArray:
    systems: dict[str, str] = {}
    for system, key in keys.items():
        systems.setdefault(key, system)
    kept = {key: counts for key in systems if (counts := cache.get(key)) is not None}
    again = [key for key in systems if key not in kept or int(key[:8], 16) % RECOUNTED == 0]
    fresh = _count(metric, corpus, systems, again, executor)
    if not _are_same(kept, fresh, len(corpus)):
        cache.clear()
        kept.clear()
        warnings.warn(f"{cache.folder} had counts that do not match these texts, so it was emptied.", CacheWarning, 2)
        fresh |= _count(metric, corpus, systems, [key for key in systems if key not in fresh], executor)
    cache.put_all({key: compact(counts) for key, counts in fresh.items() if key not in kept})
    rows = [(fresh | kept)[key] for key in keys.values()]
    counts = np.empty((len(rows[0]), len(rows), len(corpus)), np.float32 if all(map(is_whole, rows)) else np.float64)
    for row, own in enumerate(rows):
        counts[:, row] = own
    return counts


def _count(
    metric: Metric, corpus: Corpus, systems: Mapping[str, str], keys: Sequence[str], executor: Executor | None
) -> dict[str, NDArray[Any]]:
    """Return what is counted now of these keys' systems, (k, n) each."""
    if not keys:
        return {}
    new = _checked(metric, corpus.select([systems[key] for key in keys]), executor)
    return dict(zip(keys, np.moveaxis(new, 1, 0), strict=True))


class _Blocks(Sequence[tuple[Metric, Corpus, int, Limits]]):
    """The blocks of a corpus, each made when it is asked for: what is counted, and where it begins."""

    def __init__(self, metric: Metric, corpus: Corpus) -> None:
        # What other metrics count would only be sent along.
        self._corpus = replace(corpus, ratings={}, beside={}, notes=())
        self._metric = metric.on(corpus)
        self._size = max(1, BLOCK // len(corpus.systems))
        self._starts = range(0, len(corpus), self._size)

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, number: Any) -> Any:
        start = self._starts[number]
        segments = range(start, min(start + self._size, len(self._corpus)))
        return self._metric, self._corpus.take(segments), start, limits()


def _block(job: tuple[Metric, Corpus, int, Limits]) -> FloatArray:
    metric, corpus, start, most = job
    with within(most):
        return _sound(metric, corpus, start)


def _checked(metric: Metric, corpus: Corpus, executor: Executor | None) -> FloatArray:
    """Count, in blocks where the metric's counts allow that, and refuse what can be no counts."""
    if len(corpus) * len(corpus.systems) <= BLOCK or not (metric.in_blocks and _is_of_its_count(metric, "in_blocks")):
        return _sound(metric, corpus)
    counts: FloatArray | None = None
    try:
        at = 0
        for block in one_by_one(_block, _Blocks(metric, corpus), executor):
            if counts is None:
                counts = np.zeros((*block.shape[:2], len(corpus)), dtype=block.dtype)  # what is empty may not be cast
            elif counts.dtype != block.dtype:
                counts = counts.astype(np.float64)
            counts[..., at : at + block.shape[-1]] = block
            at += block.shape[-1]
    except NotApplicable:
        # A block numbers its segments by itself: what is refused is said of the whole.
        return _sound(metric, corpus)
    return np.empty((0, 0, 0)) if counts is None else counts


def _sound(metric: Metric, corpus: Corpus, before: int = 0) -> FloatArray:
    """Count, and refuse what can be no counts: a metric may come from outside. `before`: segments before these."""
    shape = f"(k, {len(corpus.systems)}, {len(corpus)})"
    wanted = f"{metric.name}: count() must return numbers of shape {shape}, which are statistics, systems and segments"
    try:
        counts = np.asarray(metric.count(corpus))
    except ValueError as error:
        if not str(error).startswith("setting an array element"):
            raise
        raise ProgramError(f"{wanted}; found lists of unequal lengths.") from None
    if counts.dtype.kind not in "biuf":
        raise ProgramError(f"{wanted}; found values of the type {counts.dtype}.")
    if counts.ndim != 3 or not len(counts) or counts.shape[1:] != (len(corpus.systems), len(corpus)):
        raise ProgramError(f"{wanted}; found shape {counts.shape}.")
    counts = counts.astype(np.float64, copy=False)
    wrong = np.argwhere(~(np.abs(counts) <= MOST_COUNT))
    if len(wrong):
        k, system, segment = wrong[0].tolist()
        raise ProgramError(
            f"{metric.name}: count() must return finite numbers between -{MOST_COUNT:g} and {MOST_COUNT:g}; found "
            f"{counts[k, system, segment]} for statistic {k + 1}, system {list(corpus.systems)[system]}, segment "
            f"{before + segment + 1} of those counted."
        )
    return counts.astype(np.float32) if is_whole(counts) else counts


def _are_same(kept: Mapping[str, NDArray[Any]], fresh: Mapping[str, NDArray[Any]], n: int) -> bool:
    """Return whether what was kept has one shape, (k, n), and is what was counted again."""
    shapes = {counts.shape for counts in (*kept.values(), *fresh.values())}
    if kept and (len(shapes) > 1 or any(len(shape) != 2 or shape[1] != n for shape in shapes)):
        return False
    return all(np.allclose(kept[key], fresh[key], rtol=SAME, atol=SAME) for key in kept.keys() & fresh.keys())


def compact(counts: FloatArray) -> NDArray[Any]:
    """Return the same numbers in the smallest type of whole numbers that holds them, if they are whole."""
    largest = counts.max(initial=0)
    if counts.min(initial=0) < 0 or largest >= 2**53 or np.any(counts != np.rint(counts)):
        return np.asarray(counts)
    return counts.astype(np.min_scalar_type(int(largest)))
