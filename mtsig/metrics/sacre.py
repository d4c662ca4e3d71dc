"""What the metrics that sacreBLEU defines share: the texts they count, and its signature with ours."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mtsig.corpus import Corpus
from mtsig.version import VERSION


def texts(corpus: Corpus) -> tuple[list[Sequence[str]], list[Sequence[str | None]]]:
    """Return the lines of every system, and of every reference."""
    return [corpus.lines(system) for system in corpus.systems], list(corpus.references.values())


def sacre_signature(scorer: Any, corpus: Corpus, without: Sequence[str] = (), own: Sequence[str] = ()) -> str:
    """Return sacreBLEU's signature of the scorer on this corpus, with this program's version at the end.

    without: options of the scorer that are not told. own: what is told before the version.
    """
    given = np.array([[line is not None for line in lines] for lines in corpus.references.values()])
    numbers = set(given.sum(axis=0).tolist())
    scorer.num_refs = numbers.pop() if len(numbers) == 1 else -1  # sacreBLEU's code for "it varies"
    signature = scorer.get_signature()
    for name in without:
        signature.update(name, None)
    return "|".join([signature.format(), *own, f"mtsig:{VERSION}"])
