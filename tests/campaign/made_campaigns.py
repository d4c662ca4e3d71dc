"""Campaigns of equally good systems: ratings as they are collected today, and nothing to find in them."""

from collections.abc import Iterator

import numpy as np

from mtsig import Corpus, Rating
from mtsig.corpus import RaterScores

DOCUMENTS, PER_DOCUMENT = 50, 4


def esa(latent: np.ndarray) -> np.ndarray:
    """Return ratings from 0 to 100 in whole numbers, many of them near the top, as raters give them."""
    return np.clip(np.round(100 - 14 * np.exp(0.7 * latent)), 0, 100)


def rated(
    random: np.random.Generator, systems: int = 10, icc: float = 0.0, raters: bool = False, gaps: bool = False
) -> Corpus:
    """Return a campaign in which every output has one rating.

    icc: the share of a rating's variance that a system has in common within a document. raters: whether every
    document of a system has an annotator of its own, who is lenient by chance with SD .5. gaps: whether a system is
    rated on half of the documents.
    """
    size = systems, DOCUMENTS, PER_DOCUMENT
    latent = random.normal(size=(1, *size[1:])) + np.sqrt(1 - icc) * random.normal(size=size)
    latent += np.sqrt(icc) * random.normal(size=(*size[:2], 1))
    latent += 0.5 * raters * random.normal(size=(*size[:2], 1))
    values = esa(latent)
    if gaps:
        for row in values:
            row[random.permutation(DOCUMENTS)[: DOCUMENTS // 2]] = np.nan
    return corpus_of(values.reshape(systems, -1), PER_DOCUMENT)


def corpus_of(values: np.ndarray, per_document: int, given: RaterScores | None = None) -> Corpus:
    systems, n = values.shape
    names = [f"s{number}" for number in range(systems)]
    documents = [f"d{number // per_document}" for number in range(n)]
    rating = Rating(values, higher_is_better=True, rater_scores=given)
    return Corpus.of(dict.fromkeys(names), ratings={"esa": rating}, documents=documents)


def contrastive(
    random: np.random.Generator,
    systems: int = 10,
    tasks: int = 150,
    *,
    per_screen: int = 3,
    raters: int = 12,
    taste: float = 0.0,
    effects: np.ndarray | None = None,
) -> Corpus:
    """Return a dynamic campaign: a task is a document of which one rater sees some systems, the better ones more often.

    Systems are sampled in proportion to 1/rank of their means so far, as Pearmut does. taste: SD of what a rater has
    for or against a system.
    """
    per_task = 3
    n = tasks * per_task
    values = np.full((raters, systems, n), np.nan)
    leaning = taste * random.normal(size=(raters, systems))
    leniency = 0.5 * random.normal(size=raters)
    total, count = np.zeros(systems), np.zeros(systems)
    for task in range(tasks):
        rater = int(random.integers(raters))
        with np.errstate(invalid="ignore"):
            means = np.where(count > 0, total / count, np.inf)
        rank = np.empty(systems)
        rank[np.argsort(-means, kind="stable")] = np.arange(1, systems + 1)
        chance = 1 / rank
        shown = random.choice(systems, per_screen, replace=False, p=chance / chance.sum())
        of_document = np.sqrt(0.2) * random.normal(size=per_screen)
        for segment in range(task * per_task, (task + 1) * per_task):
            own = 0.6 * random.normal() + of_document + np.sqrt(0.8) * random.normal(size=per_screen)
            own = own + leniency[rater] + leaning[rater, shown] + (0 if effects is None else effects[shown])
            values[rater, shown, segment] = own
            total[shown] += own
            count[shown] += 1
    given = RaterScores.of({f"r{number}": row for number, row in enumerate(values)})
    with np.errstate(invalid="ignore"):
        sums, known = np.nansum(values, axis=0), np.count_nonzero(~np.isnan(values), axis=0)
        means = np.where(known > 0, sums / np.maximum(known, 1), np.nan)
    return corpus_of(means, per_task, given)


def many(make: object, sets: int, seed: int, **options: object) -> Iterator[Corpus]:
    """Yield so many campaigns."""
    random = np.random.default_rng(seed)
    for _ in range(sets):
        yield make(random, **options)  # type: ignore[operator]
