"""Contributions: a score, or the difference of two, goes in; what each segment or document adds to it comes out."""

from dataclasses import dataclass

import numpy as np

from mtsig._probability import points_text
from mtsig._records import Floats, Index
from mtsig.corpus import Corpus
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.metrics import Metric, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import ResolvedUnit, expect_statistics

SLACK = 1e-7
"""How far contributions may sum beside what they are parts of, as a share of the scores."""

_HALF = 0.5 - 1e-9
"""Half of a whole, less what adding up in another order may change."""

FURTHEST = 2.0
"""By which factor shares by exchange are brought to their sum at most; with more, they say nothing of it."""


@dataclass(frozen=True, eq=False, repr=False)
class Contributions:
    """The contributions of n units to a difference or score, in points.

    first, second: the systems; second is `None` for the score of one system. difference: the sum of `values`, which is
    the difference or the score; a positive difference favours the first system, even if lower scores are better.
    values: shape (n,). scores: each unit's own score, shape (2, n), or (1, n) with one system. numbers: shape (n,), the
    segments' positions in the corpus, from 0, or the documents' numbers, from 0 in the order of their first counted
    segments. document_of: shape (n,), each segment's document number; `None` if documents are unknown or are the units.
    statistics: the counts of these systems on these units. note: how the contributions were computed if the jackknife
    is undefined, in a sentence; otherwise empty.
    """

    metric: Metric
    first: str
    second: str | None
    unit: ResolvedUnit
    difference: float
    values: Floats
    scores: Floats
    numbers: Index
    document_of: Index | None
    statistics: Statistics
    note: str = ""

    def __repr__(self) -> str:
        """Return whose they are and of how many units, in one line."""
        systems = self.first if self.second is None else f"{self.first} minus {self.second}"
        return f"<Contributions to {systems} in {self.metric.name}: {number_of(len(self.values), self.unit, ',')}>"

    @property
    def half(self) -> int:
        """The smallest number of units that contribute half the difference."""
        if not self.difference:
            return 0
        shares = np.cumsum(self.values[self.strongest_first]) / self.difference
        return int(np.argmax(shares >= _HALF)) + 1

    @property
    def headline(self) -> str:
        """A sentence on how many units make up the difference, without its full stop."""
        between = self.first if self.second is None else f"{self.first} and {self.second}"
        n, differ = len(self.values), int(np.count_nonzero(self.values))
        units = number_of(n, self.unit, ",")
        if not self.difference:
            if self.second is None:
                return f"{self.first} scores 0 {self.metric.name}"
            return f"{between} have the same {self.metric.name}; {differ:,} of {units} differ"
        amount = points_text(abs(self.difference), self.metric.decimals)
        whole = f"{amount} {self.metric.name} {'of' if self.second is None else 'between'} {between}"
        if 2 * differ <= n:
            return f"The whole {whole} lies in {differ:,} of {units}"
        return f"Half of the {whole} lies in {self.half:,} of {units}"

    def by_document(self) -> tuple[Index, Floats]:
        """Return documents and sums of their contributions, shape (K,).

        Raises
        ------
        NotApplicable
            Documents are unknown.
        """
        if self.unit == "document":
            return self.numbers, self.values
        if self.document_of is None:
            raise NotApplicable("Contributions cannot be summed by document without document ids.")
        documents, position = np.unique(self.document_of, return_inverse=True)
        return documents, np.bincount(position, weights=self.values).astype(np.float64)

    def document_names(self, corpus: Corpus) -> dict[int, str]:
        """Return each document's name by its number."""
        if self.document_of is None or corpus.documents is None:
            return {}
        names = corpus.documents
        return {d: names[i] for d, i in zip(self.document_of.tolist(), self.numbers.tolist(), strict=True)}

    @property
    def strongest_first(self) -> Index:
        """The units, by contribution to the lead, largest first; shape (n,).

        If no system leads, contributions to the first system come first. Equal contributions keep the corpus order.
        """
        return np.argsort(self.values if self.difference < 0 else -self.values, kind="stable")


def contributions(statistics: Statistics, first: str, second: str | None = None) -> Contributions:
    """Compute each unit's contribution to a difference, or to a system's score.

    For systems A and B, a metric f of total counts S, and units with counts a_i and b_i, the contributions are

        c_i = ∫₀¹ ∇f(S_B + t(S_A − S_B)) dt · (a_i − b_i),

    the shares of Aumann and Shapley (Values of Non-Atomic Games, 1974) on the straight path between the two systems'
    totals. They sum to f(S_A) − f(S_B). If f is a mean over n segments, each share is the segment's difference divided
    by n. A unit with the same counts in both outputs has 0. A document's contribution is the sum of its segments'.

    A single system has no such path. Its contributions are c_i = ∇f(S)·s_i + (f(S) − ∇f(S)·S)·m_i/M for a unit with m_i
    of the M segments: an equal part of the score for every segment, plus the segment's influence. They sum to f(S). If
    f is a mean, each contribution is the segment's score divided by n.

    If the derivative of f is undefined at a total (an n-gram order has no match), or f jumps on the path, `note` says
    so. Then c_i is the mean of f(S_A) − f(S_A − a_i + b_i) and f(S_B + a_i − b_i) − f(S_B), the effects of swapping the
    unit's outputs. For one system, the influence is f(S) − f(S − s_i). These values sum only approximately to the
    difference, so they are rescaled to sum to it; for one system, the remainder is divided equally. Documents are
    swapped as a whole.

    Raises
    ------
    UnknownName
        A name is not that of a system.
    NotApplicable
        Both names are the same system, the systems share no unit, or contributions to this metric cannot be computed.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.segments import contributions
    >>> parts = contributions(statistics, "direct", "via-catalan")
    >>> parts.values.shape
    (200,)
    """
    expect_statistics(statistics)
    names = [first] if second is None else [first, second]
    if first == second:
        raise NotApplicable(f"System {first!r} cannot be compared with itself.")
    shared = statistics.shared_by(names)
    note, (values, whole) = _divided(shared, names)
    numbers, document_of = _places(statistics, shared, names)
    return Contributions(
        shared.metric,
        first,
        second,
        shared.unit,
        whole,
        values,
        shared.segment_scores,
        numbers,
        document_of,
        shared,
        note,
    )


def _divided(shared: Statistics, names: list[str]) -> tuple[str, tuple[Floats, float]]:
    """Return the shares of the units and what they are shares of, and a note on how it was divided where it must be."""
    metric, unit = shared.metric, shared.unit
    bare = ~metric.has_gradient(shared.sums)
    by_gradient, by_difference = (_of_one, _of_one_left_out) if len(names) == 1 else (_of_two, _of_two_exchanged)
    if bare.any():
        without = " and ".join(name for name, none in zip(names, bare, strict=True) if none)
        reason = (
            f"The jackknife is undefined for the {metric.name} of {without} (as where an n-gram order has no match)"
        )
    else:
        values, whole = by_gradient(shared)
        if _sum_to(values, whole, shared):
            return "", (values, whole)
        reason = f"{metric.name} changes in jumps between the counts of {' and '.join(names)}"
    values, whole = by_difference(shared)
    if not _sum_to(values, whole, shared):
        raise NotApplicable(f"{reason}, so no {unit} has a defined contribution to the difference.")
    how = f"leaving the {unit} out" if len(names) == 1 else f"exchanging the {unit}'s two outputs"
    return f"{reason}: a {unit}'s share is what {how} changes.", (values, whole)


def _sum_to(values: Floats, whole: float, statistics: Statistics) -> bool:
    return bool(abs(values.sum() - whole) <= SLACK * max(1.0, float(np.abs(statistics.scores).max())))


def _of_one(statistics: Statistics) -> tuple[Floats, float]:
    slope, score = statistics.metric.gradient(statistics.sums)[:, 0], float(statistics.scores[0])
    moved = np.einsum("k,kn->n", slope, statistics.values[:, 0].astype(np.float64))
    sizes = np.ones(statistics.n) if statistics.sizes is None else statistics.sizes
    return moved + (score - slope @ statistics.sums[:, 0]) * sizes / sizes.sum(), score


def _of_two(statistics: Statistics) -> tuple[Floats, float]:
    sign = sign_of(statistics.metric)
    slope = mean_gradient(statistics.metric, statistics.sums[:, 1], statistics.sums[:, 0])
    apart = statistics.values[:, 0].astype(np.float64) - statistics.values[:, 1]
    # A sum in one order whatever the number of threads; 0.0 added makes no zero a negative one.
    values = sign * np.einsum("k,kn->n", slope, apart) + 0.0
    return values, float(sign * (statistics.scores[0] - statistics.scores[1])) + 0.0


def _of_two_exchanged(statistics: Statistics) -> tuple[Floats, float]:
    """Return shares by exchanging the outputs of each unit; NaN where they come nowhere near the difference."""
    metric, sums = statistics.metric, statistics.sums
    apart = statistics.values[:, 0].astype(np.float64) - statistics.values[:, 1]
    lost = statistics.scores[0] - metric.score(sums[:, 0, None] - apart)
    won = metric.score(sums[:, 1, None] + apart) - statistics.scores[1]
    sign = sign_of(metric)
    values = np.asarray(sign * (lost + won) / 2 + 0.0)
    whole = float(sign * (statistics.scores[0] - statistics.scores[1])) + 0.0
    if _sum_to(values, whole, statistics):
        return values, whole
    factor = whole / float(values.sum() or np.nan)
    return values * (factor if 1 / FURTHEST <= factor <= FURTHEST else np.nan), whole


def _of_one_left_out(statistics: Statistics) -> tuple[Floats, float]:
    sizes = np.ones(statistics.n) if statistics.sizes is None else statistics.sizes
    share, score = sizes / sizes.sum(), float(statistics.scores[0])
    left = statistics.metric.score(statistics.sums[:, 0, None] - statistics.values[:, 0].astype(np.float64))
    values = share * score + np.where(share < 1, (1 - share) * (score - left), 0.0)
    return np.asarray(values + share * (score - values.sum())), score


def mean_gradient(metric: Metric, start: Floats, end: Floats) -> Floats:
    """Return the mean of the score's derivative over the straight path between two totals; shape (k,) each."""
    from scipy.integrate import quad_vec  # here, because it takes longer to load than most scores to count

    # In points per share of each total, so that one tolerance fits all of them.
    size = np.maximum(np.abs(start), np.abs(end))
    size = np.where(size > 0, size, 1.0)

    def slope(share: float) -> Floats:
        return np.asarray(metric.gradient((start + share * (end - start))[:, None])[:, 0] * size)

    # Halving finds a kink (the brevity penalty's) to the tolerance; the limit is for derivatives that are not exact.
    integral = quad_vec(slope, 0.0, 1.0, epsabs=1e-10, epsrel=1e-13, norm="max", limit=200)[0]
    return np.asarray(integral / size)


def _places(statistics: Statistics, shared: Statistics, names: list[str]) -> tuple[Index, Index | None]:
    """Return the numbers of the units, and of the segments' documents, as they were before gaps were closed."""
    numbers = np.arange(shared.n) if shared.numbers is None else shared.numbers.astype(np.int64)
    documents = statistics.document_of
    if documents is not None and statistics.available is not None:
        documents = documents[statistics.available[[statistics.row(name) for name in names]].all(axis=0)]
    if shared.unit == "segment":
        return numbers, None if documents is None else documents.astype(np.int64)
    return (np.arange(shared.n) if documents is None else np.unique(documents)).astype(np.int64), None
