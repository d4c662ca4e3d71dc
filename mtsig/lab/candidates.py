"""Candidates without an n-best list: for every segment the outputs of the systems, with features that need no decoder.

None of them looks at the reference of a candidate's own document.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.corpus import Corpus
from mtsig.lab.nbest import Candidates
from mtsig.text import N_CODES, codes_of

_CHARACTERS = 4
"""Length of the n-grams of characters that candidates are held to share, and of the model's longest."""

_PRIOR = 3.0
"""How many occurrences of a history the shorter history's estimate counts for (MacKay and Peto 1995)."""

MODEL = "character model"


def candidates_of(corpus: Corpus, systems: Sequence[str]) -> Candidates:
    """Return the outputs of the systems, in this order, as candidates; equal outputs of a segment are one.

    Features: the logarithm of the length in characters over the mean output's, its absolute value, the logarithm of
    the length over the source's where sources are known, the share of words, pairs of words and runs of 4 characters
    that the other outputs have, and which systems gave it.
    """
    n, s = len(corpus), len(systems)
    lines = [corpus.lines(system) for system in systems]
    texts = np.array(lines, dtype=object).reshape(s, n).T
    lengths = np.log1p([len(text) for text in texts.ravel()]).reshape(n, s)
    relative = lengths - lengths.mean(axis=1, keepdims=True)
    columns = {"length": relative, "length unlike the others'": np.abs(relative)}
    if corpus.segments.sources is not None:
        longer = lengths - np.log1p([len(text) for text in corpus.segments.sources])[:, None]
        columns["length unlike the source's"] = np.abs(longer - np.median(longer))
    for name, grams in (("words shared", _words), ("pairs of words shared", _pairs), ("characters shared", _runs)):
        columns[name] = np.array([_shared([grams(text) for text in row]) for row in texts])
    same = texts[:, :, None] == texts[:, None, :]
    columns |= {f"is {name}": same[:, :, row].astype(np.float64) for row, name in enumerate(systems)}
    first = np.argmax(same, axis=2) == np.arange(s)
    counts = first.sum(axis=1)
    values = np.stack([column[first] for column in columns.values()], axis=1)
    return Candidates(tuple(texts[first]), np.cumsum(counts) - counts, tuple(columns), values)


def _words(text: str) -> set[str]:
    return set(text.split())


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(text.split()))


def _runs(text: str) -> set[str]:
    return {text[i : i + _CHARACTERS] for i in range(len(text) - _CHARACTERS + 1)}


def _shared(kinds: Sequence[set[Any]]) -> list[float]:
    """Return, for each candidate, 2·shared/(own + others'), summed over the other candidates; 0 where none has any."""
    held = Counter(gram for item in kinds for gram in item)
    total = sum(map(len, kinds))
    features = []
    for kind in kinds:
        both = (len(kinds) - 2) * len(kind) + total
        features.append(2 * sum(held[gram] - 1 for gram in kind) / both if both else 0.0)
    return features


class CharacterModel:
    """How likely candidates' characters are after those before them, by the references of chosen folds.

    Of n-grams up to 4 characters; an n-gram's estimate leans on the shorter one's like `_PRIOR` occurrences of it.
    """

    def __init__(self, candidates: Candidates, references: Sequence[tuple[str, int]], folds: int) -> None:
        """Number all n-grams of candidates and references; references: texts with their folds."""
        texts = [*candidates.texts, *(text for text, _ in references)]
        codes = np.concatenate([codes_of(f"{text}\n") for text in texts]).astype(np.int64)
        lengths = np.array([len(text) + 1 for text in texts])
        place = np.arange(len(codes)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        own = len(candidates.texts)
        self._lengths = lengths[:own]
        self._candidate_of = np.repeat(np.arange(own), self._lengths)
        scored = len(self._candidate_of)
        fold_of = np.repeat([fold for _, fold in references], lengths[own:])

        def by_fold(gram: Index) -> Floats:
            counts: Floats = np.zeros((folds, int(gram.max()) + 1))
            np.add.at(counts, (fold_of, gram[scored:]), 1.0)
            return counts

        self._orders: list[tuple[Index, Floats, Index, Floats]] = []
        history = np.zeros(len(codes), dtype=np.int64)
        for order in range(_CHARACTERS):
            gram = _numbered(history, codes)
            self._orders.append((gram[:scored], by_fold(gram), history[:scored], by_fold(history)))
            # One character more before each place; before the first of a text there is none.
            back = order + 1
            history = _numbered(history, np.where(place >= back, np.roll(codes, back) + 1, 0))

    def scores(self, left_out: set[int]) -> Floats:
        """Return the mean log-probability of each candidate's characters, by the references of the other folds."""
        chance = np.full(len(self._candidate_of), 1.0 / N_CODES)
        for gram, known, history, before in self._orders:
            kept = [fold for fold in range(len(known)) if fold not in left_out]
            occurs, follows = known[kept].sum(axis=0), before[kept].sum(axis=0)
            chance = (occurs[gram] + _PRIOR * chance) / (follows[history] + _PRIOR)
        return np.asarray(np.bincount(self._candidate_of, np.log(chance), len(self._lengths)) / self._lengths)


def _numbered(history: Index, codes: Index) -> Index:
    """Return a number for every pair of a history and a character; equal pairs have the same."""
    return np.asarray(np.unique(history * (N_CODES + 1) + codes, return_inverse=True)[1], dtype=np.int64)


def with_model(candidates: Candidates, model: CharacterModel, fold_of: Index, folds: int) -> Iterator[Candidates]:
    """Yield, for every fold, the candidates with the model's feature as it is when that fold is to be scored.

    Neither the references of the fold to be scored nor those of a candidate's own fold have a part in it. fold_of:
    shape (N,), the fold of each candidate.
    """
    for scored in range(folds):
        column = np.empty(len(candidates.texts))
        for own in range(folds):
            column[fold_of == own] = model.scores({scored, own})[fold_of == own]
        values = np.column_stack([candidates.values, column])
        yield Candidates(candidates.texts, candidates.starts, (*candidates.names, MODEL), values)
