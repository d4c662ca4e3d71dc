"""N-best lists and models of them: what reranking chooses from, and by what."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from mtsig._limits import refuse_above
from mtsig._records import Floats, Index, Mask
from mtsig.corpus import Corpus
from mtsig.corpus._notes import number_of, quoted
from mtsig.errors import NotApplicable, ReadError
from mtsig.readers import File, lines_of
from mtsig.text._characters import N_CODES, codes_of

_SHAPE = "number ||| text ||| Name0= 1 2 Name1= 3 ||| score"


@dataclass(frozen=True, eq=False)
class Candidates:
    """N candidates of n segments, one segment's behind the other's; the first of a segment is the baseline's.

    texts: N of them. starts: shape (n,), where each segment's begin. names: of the d features; values: shape (N, d).
    """

    texts: tuple[str, ...]
    starts: Index
    names: tuple[str, ...]
    values: Floats


def read_nbest(file: str | Path | File) -> Candidates:
    """Return the candidates of an n-best list, those of a segment by the decoder's score, highest first.

    A line is `number ||| text ||| features ||| score`; further fields, as alignments, are not read. Segments are
    numbered from 0 and stand in order. Features are names with `=`, each with its values behind it; every line has the
    same. A feature of one value is called by its name, one of several by name and position.
    """
    file = file if isinstance(file, File) else File(str(file), Path(file))
    lines, _ = lines_of(file)
    texts: list[str] = []
    starts: list[int] = []
    scores: list[float] = []
    values: list[list[float]] = []
    names: list[str] = []
    for number, line in enumerate(lines, 1):
        where = f"{file.label}, line {number}"
        fields = [field.strip() for field in line.split("|||")]
        if len(fields) < 4:
            raise ReadError(
                f"{where}: found {number_of(len(fields), 'field')} in {quoted(line)}; expected {_SHAPE}. Write the "
                "list with Moses' -n-best-list."
            )
        segment = _segment(where, fields[0], len(starts))
        if segment == len(starts):
            starts.append(len(texts))
        features = _features(where, fields[2].split(), names)
        names = names or [name for name, _ in features]
        values.append([value for _, value in features])
        refuse_above("max_cells", len(values) * len(names), where)
        scores.append(_number(where, "the score", fields[3]))
        texts.append(fields[1])
    by_segment = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(texts)))
    order = np.lexsort((-np.array(scores), by_segment))
    table = np.array(values, dtype=np.float64)
    return Candidates(tuple(texts[i] for i in order), np.array(starts, dtype=np.int64), tuple(names), table[order])


def _segment(where: str, text: str, begun: int) -> int:
    """Return a segment's number: that of the line before, or the next one."""
    allowed = [str(begun)] if begun == 0 else [str(begun - 1), str(begun)]
    if text not in allowed:
        raise ReadError(
            f"{where}: found segment {quoted(text)}, expected {' or '.join(allowed)}: segments are numbered from 0, "
            "none is left out, and the candidates of one are adjacent. Sort the list by its first field."
        )
    return int(text)


def _features(where: str, words: list[str], names: list[str]) -> list[tuple[str, float]]:
    """Return names and values of one line's features; `names`: those of the first line, none there."""
    refuse_above("max_columns", len(words), where, what="features and their names")
    groups: list[tuple[str, list[float]]] = []
    for word in words:
        if word.endswith("=") and len(word) > 1:
            groups.append((word[:-1], []))
        elif not groups:
            raise ReadError(
                f"{where}: found {quoted(word)} where features begin; expected a name with =, as in LM0= -12.5. Write "
                "the list with labels (Moses' -labeled-n-best-list true)."
            )
        else:
            groups[-1][1].append(_number(where, f"a value of {quoted(groups[-1][0])}", word))
    features = [
        (name if len(group) == 1 else f"{name} {position}", value)
        for name, group in groups
        for position, value in enumerate(group, 1)
    ]
    shown = [name for name, _ in features]
    if names and shown != names:
        raise ReadError(
            f"{where}: found the features {quoted(', '.join(shown) or 'none')}; the first line has "
            f"{quoted(', '.join(names))}. Every line needs the same features in the same order: omit sparse features."
        )
    if not features or len(set(shown)) < len(shown):
        raise ReadError(
            f"{where}: found {'a feature twice' if features else 'no feature'} in {quoted(' '.join(words))}; expected "
            "different names, each with = and at least one value. Write the list again with such features."
        )
    return features


def _number(where: str, what: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # Python also reads 1_000; no decoder writes that.
    if not math.isfinite(value) or "_" in text:
        raise ReadError(
            f"{where}: found {quoted(text)} for {what}; expected a finite number, as -12.5. Remove the candidate, or "
            "give it a number."
        )
    return value


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


_SLACK = 1e-6
"""How far the gradient may lie from what an optimum asks for, as a share of the largest slope at zero."""

_ROUNDS = 10_000
_MEMORY = 30
_STARTS = 20

_NEAR = 1e-3
"""Parts of weights below this may be 0 but for where the search ended."""


@dataclass(frozen=True, eq=False)
class Choices:
    """N candidates of n segments, one segment's behind the other's.

    features: shape (N, d). starts: shape (n,), where each segment's candidates begin; the first is 0. target: shape
    (N,), the share that each candidate has of being its segment's right one; 1 in sum over a segment.
    """

    features: Floats
    starts: Index
    target: Floats

    @property
    def segment_of(self) -> Index:
        """The number of each candidate's segment; shape (N,)."""
        return np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(self.features)))

    def of(self, segments: Mask) -> "Choices":
        """Return the choices of these segments, given as a mask of shape (n,)."""
        kept = segments[self.segment_of]
        counts = np.diff(self.starts, append=len(self.features))[segments]
        return Choices(self.features[kept], np.cumsum(counts) - counts, self.target[kept])

    def log_chances(self, weights: Floats) -> Floats:
        """Return the log-probability of every candidate among its segment's; weights (d,) give (N,)."""
        scores = np.einsum("nd,d->n", self.features, weights)
        within = self.segment_of
        scores -= np.maximum.reduceat(scores, self.starts)[within]
        return np.asarray(scores - np.log(np.add.reduceat(np.exp(scores), self.starts))[within])

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Return minus the mean log-likelihood of a segment, and its gradient by the weights, shape (d,)."""
        logs = self.log_chances(weights)
        slope = np.einsum("nd,n->d", self.features, np.exp(logs) - self.target)
        return -float(np.einsum("n,n->", self.target, logs)) / len(self.starts), slope / len(self.starts)

    @property
    def largest_slope(self) -> float:
        """The largest absolute slope at zero: with this penalty or a larger one no feature is selected."""
        return float(np.abs(self.loss(np.zeros(self.features.shape[1]))[1]).max(initial=0.0))

    def best(self, weights: Floats) -> Index:
        """Return the candidate with the highest score of every segment, the first of several; shape (n,)."""
        scores = np.einsum("nd,d->n", self.features, weights)
        top = np.flatnonzero(scores == np.maximum.reduceat(scores, self.starts)[self.segment_of])
        return top[np.searchsorted(top, self.starts)]


def standardized(features: Floats, starts: Index, trained_on: Mask) -> Floats:
    """Return features (N, d) minus their means in the segment, in units of their standard deviation.

    What is the same for all candidates of a segment chooses none of them. trained_on: shape (N,), the candidates whose
    standard deviation it is. A feature that does not vary there is 0.
    """
    counts = np.diff(starts, append=len(features))
    centred = features - np.repeat(np.add.reduceat(features, starts) / counts[:, None], counts, axis=0)
    spread = np.sqrt(np.square(centred[trained_on]).mean(axis=0))
    # What rounding leaves of no spread at all is not blown up to a feature.
    spread[spread <= 1e-12 * np.abs(features).max(axis=0, initial=0.0)] = np.inf
    return np.asarray(centred / spread)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model: weights, shape (d,), and the features in the order in which they were selected."""

    weights: Floats
    selected: tuple[int, ...]


def fit(choices: Choices, penalty: float, most: int | None = None) -> Fitted:
    """Return the weights that minimize the loss plus `penalty` times the sum of their absolute values.

    In every round all features join whose slope exceeds the penalty, and the weights of those selected are fitted anew.
    At most `most` features join, when given: then one a round, the one with the steepest slope.
    """
    weights = np.zeros(choices.features.shape[1])
    slack = _SLACK * max(choices.largest_slope, np.finfo(float).tiny)
    selected: list[int] = []
    while True:
        slopes = np.abs(choices.loss(weights)[1])
        slopes[selected] = 0.0
        joining = [int(k) for k in np.argsort(-slopes, kind="stable") if slopes[k] > penalty + slack]
        if most is not None:
            joining = joining[: min(1, most - len(selected))]
        if not joining:
            return Fitted(weights, tuple(k for k in selected if weights[k]))
        selected += joining
        weights[selected] = _penalized(choices, selected, weights[selected], penalty, slack)


def _penalized(choices: Choices, selected: list[int], start: Floats, penalty: float, slack: float) -> Floats:
    """Return the best weights of the selected features: positive and negative parts, each bounded by 0."""
    part = Choices(np.ascontiguousarray(choices.features[:, selected]), choices.starts, choices.target)
    d = len(selected)

    def loss(both: Floats) -> tuple[float, Floats]:
        value, slope = part.loss(both[:d] - both[d:])
        return value + penalty * float(both.sum()), np.concatenate([slope, -slope]) + penalty

    both = np.concatenate([np.maximum(start, 0), np.maximum(-start, 0)])
    for _ in range(_STARTS):
        both = scipy.optimize.minimize(
            loss, both, jac=True, method="L-BFGS-B", bounds=[(0, None)] * (2 * d),
            options={"maxiter": _ROUNDS, "maxfun": 2 * _ROUNDS, "maxcor": _MEMORY, "ftol": 0.0, "gtol": slack / 10},
        ).x  # fmt: skip
        # Whatever its slope, a part near its bound ends the search: it is put there, and may leave in the next one.
        both = np.where((both < _NEAR) & (loss(both)[1] > slack), 0.0, both)
        weights = np.asarray(both[:d] - both[d:])
        off = float(off_optimum(part, weights, penalty).max())
        if off <= slack:
            return weights
    raise NotApplicable(
        f"The log-linear model did not converge: its gradient is {off:.2g}; at most {slack:.2g} is allowed. Use a "
        "larger penalty or fewer redundant features."
    )


def off_optimum(choices: Choices, weights: Floats, penalty: float) -> Floats:
    """Return how far each slope lies from what Karush, Kuhn and Tucker's conditions ask for; shape (d,), 0 at best.

    Where a weight is not 0, the slope is the penalty with the other sign; where it is 0, the slope is at most that.
    """
    slope = choices.loss(weights)[1]
    return np.where(weights == 0, np.maximum(np.abs(slope) - penalty, 0), np.abs(slope + penalty * np.sign(weights)))
