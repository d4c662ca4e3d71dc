"""A metric and a corpus go in, its counts come out: kept between runs, and shared by metrics that count the same."""

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.cache import Cache, users_cache
from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics.base import Metric

COUNTING = 1
"""To be raised with every change after which some text is counted differently: what was kept is then not found."""

LEAST_CHARACTERS = 2**16
"""Less text than this is counted again sooner than it is worth keeping."""


def counted(metric: Metric, corpus: Corpus) -> FloatArray:
    """Count as `metric.count` does, (k, s, n), but only what no earlier run has counted.

    Kept are the counts of each system by itself, by its lines, the references and the metric's `counting_options`: one
    more system costs that one; another smoothing, or another metric made of the same counts, costs nothing.
    """
    options = _options(metric, corpus)
    cache = users_cache("counts") if options is not None and _is_worth_it(corpus) else None
    if options is None or cache is None:
        return metric.count(corpus)
    return _from_cache(metric, corpus, cache, _keys(options, corpus))


def _options(metric: Metric, corpus: Corpus) -> Mapping[str, object] | None:
    """Return the metric's `counting_options`, or None when its class counts in a way of its own below them."""

    def home(name: str) -> type:
        return next(kind for kind in type(metric).__mro__ if name in vars(kind))

    described = issubclass(home("counting_options"), home("count"))
    return metric.counting_options(corpus) if described else None


def _is_worth_it(corpus: Corpus) -> bool:
    lines = (corpus.lines(system) for system in corpus.systems)
    return sum(len(line) for some in lines for line in some) >= LEAST_CHARACTERS


def _keys(options: Mapping[str, object], corpus: Corpus) -> dict[str, str]:
    """Return the key of each system's counts; equal lines have equal keys."""
    # Programs whose tables of characters decide what a word, a space or a capital is.
    programs = {name: version(name) for name in ("sacrebleu", "regex")} | {"unicode": unicodedata.unidata_version}
    shared = json.dumps([COUNTING, programs, dict(options), corpus.references_digest], sort_keys=True)
    return {
        system: hashlib.sha256(f"{shared}{corpus.output_digests[corpus.systems[system][0]]}".encode()).hexdigest()
        for system in corpus.systems
    }


def _from_cache(metric: Metric, corpus: Corpus, cache: Cache, keys: Mapping[str, str]) -> FloatArray:
    found: dict[str, NDArray[Any] | None] = {key: cache.get(key) for key in dict.fromkeys(keys.values())}
    missing: dict[str, str] = {}
    for system, key in keys.items():
        if found[key] is None:
            missing.setdefault(key, system)
    if missing:
        new = metric.count(corpus.select(list(missing.values())))
        fresh = dict(zip(missing, np.moveaxis(np.asarray(new), 1, 0), strict=True))
        cache.put_all({key: compact(counts) for key, counts in fresh.items()})
        found.update(fresh)
    return np.stack([np.asarray(found[key], dtype=np.float64) for key in keys.values()], axis=1)


def compact(counts: FloatArray) -> NDArray[Any]:
    """Return the same numbers in the smallest type of whole numbers that holds them, if they are whole."""
    largest = counts.max(initial=0)
    if counts.min(initial=0) < 0 or largest >= 2**53 or np.any(counts != np.rint(counts)):
        return np.asarray(counts)
    return counts.astype(np.min_scalar_type(int(largest)))
