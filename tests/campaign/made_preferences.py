"""Judgements that tests share."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtsig.campaign import Preferences
from mtsig.campaign._data import Names

OUTCOME = {"+": 1, "0": 0, "-": -1}


def counted(pairs: Mapping[str, Sequence[int]], gaps: int = 0) -> Preferences:
    """Return wins, ties and losses of pairs such as "AB", every item alone, the order unknown."""
    rows: list[dict[str, Any]] = []
    for (a, b), several in pairs.items():
        for outcome, count in zip((1, 0, -1, float("nan")), (*several, gaps), strict=True):
            rows += [
                {"item": f"{len(rows)}.{i}", "first": a, "second": b, "outcome": outcome, "ordered": False}
                for i in range(count)
            ]
    return Preferences.of(rows)


def campaign(
    rng: np.random.Generator,
    strengths: Sequence[float] = (0.0,) * 5,
    *,
    documents: int = 40,
    per_document: int | Sequence[int] = 20,
    icc: float = 0.2,
    ties: float | Sequence[float] = 0.3,
    even_ties: float | None = None,
    apart: int | None = None,
    raters: int = 0,
    rater_sd: float = 0.0,
    place: float = 0.0,
    first_order: float = 0.5,
) -> Preferences:
    """Return a made campaign: random pairs and orders, documents with tastes of their own, raters likewise.

    icc: share of the latent variance (π²/3 + taste) that is the taste of a document for a system. first_order: how
    often the better-named system of a pair is shown first. ties: share of them between equals, of all documents or of
    each; even_ties: of pairs such as A and C. apart: the first two systems meet in so many documents only.
    """
    s = len(strengths)
    sizes = np.broadcast_to(per_document, documents)
    document = np.repeat(np.arange(documents), sizes)
    m = len(document)
    taste = rng.normal(0, np.sqrt(icc / (1 - icc) * np.pi**2 / 3 / 2), (documents, s))
    own = rng.normal(0, rater_sd / np.sqrt(2), (max(raters, 1), s))
    rater = rng.integers(0, max(raters, 1), m)
    low = rng.integers(0, s, m)
    high = (low + rng.integers(1, s, m)) % s
    low, high = np.minimum(low, high), np.maximum(low, high)
    if apart is not None:
        lost = (low == 0) & (high == 1) & (document >= apart)
        low, high = np.where(lost, rng.integers(0, 2, m), low), np.where(lost, rng.integers(2, s, m), high)
    ahead = rng.random(m) < first_order
    first, second = np.where(ahead, low, high), np.where(ahead, high, low)
    value = np.asarray(strengths) + taste[document] + own[rater]
    theta = value[np.arange(m), first] - value[np.arange(m), second] + place
    tied = np.broadcast_to(ties, documents)[document]
    if even_ties is not None:
        tied = np.where((low + high) % 2 == 0, even_ties, tied)
    weights = np.stack([np.exp(theta / 2), 2 * tied / (1 - tied), np.exp(-theta / 2)])
    drawn = (rng.random(m) > np.cumsum(weights / weights.sum(axis=0), axis=0)).sum(axis=0)

    def named(letter: str, of: np.ndarray[Any, np.dtype[np.int64]]) -> Names:
        left, place = np.unique(of, return_inverse=True)
        return Names(tuple(f"{letter}{i}" for i in left), place.astype(np.int64))

    return Preferences(
        systems=tuple("ABCDEFGHIJKLMNOPQRST"[:s]),
        first=first,
        second=second,
        outcome=1.0 - drawn,
        item=named("i", np.arange(m)),
        document=named("d", document),
        rater=named("r", rater),
        criterion=named("", np.zeros(m, dtype=np.int64)),
        ordered=np.ones(m, dtype=bool),
        both_bad=np.zeros(m, dtype=bool),
        grade=np.full(m, np.nan),
    )
