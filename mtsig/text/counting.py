"""Counting through sacreBLEU: hypotheses and their references go in, its sufficient statistics per segment come out."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig.errors import NotApplicable
from mtsig.steps import Steps

Lines: TypeAlias = Sequence[str]


class Scorer(Protocol):
    """What is used of a sacreBLEU metric object that was made with `references=`."""

    def _extract_corpus_statistics(self, hypotheses: Lines, references: None) -> list[list[float]]: ...


CHUNK = 200
"""Segments counted between two reports of progress."""


def counting(scorer: Scorer, outputs: Sequence[Lines]) -> Steps[NDArray[np.float64]]:
    """Count every output against the references the scorer holds; returns shape (k, s, n).

    A translation that several systems share is counted once: real systems agree often.

    Raises:
        NotApplicable: sacreBLEU lacks something for its tokenizer; its own message is passed on.
    """
    counted: dict[tuple[int, str], list[float]] = {}
    cache = scorer._ref_cache  # type: ignore[attr-defined]
    rows = []
    n = len(outputs[0])
    for position, output in enumerate(outputs):
        for start in range(0, n, CHUNK):
            new = [i for i in range(start, min(start + CHUNK, n)) if (i, output[i]) not in counted]
            # sacreBLEU counts a list of hypotheses against the cache in parallel: hand it just these segments of both.
            scorer._ref_cache = [cache[i] for i in new]  # type: ignore[attr-defined]
            found = scorer._extract_corpus_statistics([output[i] for i in new], None) if new else []
            counted |= {(i, output[i]): row for i, row in zip(new, found, strict=True)}
            yield (position * n + min(start + CHUNK, n)) / (len(outputs) * n)
        rows.append([counted[i, line] for i, line in enumerate(output)])
    return np.moveaxis(np.array(rows, dtype=np.float64), 2, 0)


def reference_streams(references: Sequence[Sequence[str | None]]) -> list[list[str | None]]:
    """Return the references in the form sacreBLEU takes: one stream per reference."""
    return [list(stream) for stream in references]


def made(factory: type, **options: object) -> Scorer:
    """Return `factory(**options)`, a sacreBLEU metric; what it lacks is said in its own words.

    Raises:
        NotApplicable: a tokenizer's package or model is missing.
    """
    try:
        scorer: Scorer = factory(**options)
    except (ImportError, RuntimeError, OSError) as error:
        raise NotApplicable(f"sacreBLEU cannot do this here: {' '.join(str(error).split())}") from None
    return scorer
