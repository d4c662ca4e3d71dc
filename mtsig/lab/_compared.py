"""Metrics and tests beside each other: the p-values of every test, which share of pairs a metric separates.

And how the scores of metrics go together, and the information weights of NIST.
"""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import sparse

from mtsig._options import option, same_option
from mtsig._records import Floats
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, Family, Settings
from mtsig.inference._targets import Scores, pairs_of
from mtsig.inference._verdict import verdict
from mtsig.lab import _material
from mtsig.lab._material import ZHANG_VOGEL, Experiment, LabResult, Material, Pair, common_systems, records, upright
from mtsig.metrics import Nist
from mtsig.metrics._nist import Gram, mteval_words, ngram_counts
from mtsig.metrics._statistics import Unit
from mtsig.progress import each, part, report
from mtsig.resampling import Bootstrap, Subsample

BETWEEN = (0.0005, 0.5)
"""p-values of randomization between which ratios are formed: below, drawing error rules; above, p is bounded by 1."""


@dataclass(frozen=True, eq=False)
class EveryTestPs(LabResult):
    """p-values of t tests on m pairs; p has shape (t, m), the first test being randomization.

    difference: shape (m,).
    """

    metric: str
    tests: tuple[str, ...]
    pairs: tuple[Pair, ...]
    difference: Floats
    p: Floats
    unit: str

    @property
    def near(self) -> NDArray[np.int64]:
        """Positions of the pairs, the one that randomization finds hardest to separate first."""
        return np.argsort(-self.p[0], kind="stable")

    @property
    def usable(self) -> NDArray[np.bool_]:
        """The pairs of which ratios are formed."""
        return np.asarray((self.p[0] > BETWEEN[0]) & (self.p[0] < BETWEEN[1]))

    @property
    def ratio(self) -> Floats:
        """Median ratio of each test's p to randomization's over usable pairs; shape (t,), NaN without any."""
        if not self.usable.any():
            return np.full(len(self.tests), np.nan)
        return np.asarray(np.median(self.p[:, self.usable] / self.p[0, self.usable], axis=1))

    @property
    def test_names(self) -> tuple[str, ...]:
        return self.tests

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the median ratio of each test's p to randomization's."""
        ratios = records(test=self.tests, median_ratio=self.ratio, pairs=int(self.usable.sum()))
        return {"Ratio to randomization": ratios}

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair, hardest first, with a column for each test."""
        first, second = np.array(self.pairs, dtype=object)[self.near].T
        p_values = dict(zip(self.tests, self.p[:, self.near], strict=True))
        return records(
            metric=self.metric, first=first, second=second, difference=self.difference[self.near], **p_values
        )


@dataclass(frozen=True)
class EveryTest(Experiment[EveryTestPs]):
    """Test all pairs by several tests; bootstrap tests use the same resamples."""

    n_resamples: int = option(10_000, "Resamples", "Number of random swaps and of resamples.", low=100, high=1_000_000)
    seed: int = same_option(Settings, "seed")
    unit: Unit = option("segment", "Unit", "The sampling unit; the papers use segments.", advanced=True)
    tests: tuple[str, ...] = ("bootstrap-rm2005", "bootstrap-shift", "bootstrap-ci", "ij-t")
    pairs: tuple[Pair, ...] | None = None

    name = "tests"
    label = "All tests side by side"
    about = "What is each test's p-value for the same pairs, and how does it compare with that of randomization?"
    paper = f"{_material.RIEZLER_MAXWELL}, section 4.2 and table 2"

    def run(self, material: Material, executor: Executor | None = None) -> EveryTestPs:
        """Run all tests in turn.

        Raises
        ------
        NotApplicable
            There is only one system.
        """
        del executor  # a second of work
        statistics = _material.several(material.first.at(self.unit))
        targets = pairs_of(
            Scores(statistics, Bootstrap(self.n_resamples, self.seed, statistics.unit)),
            self.pairs or tuple(combinations(statistics.systems, 2)),
        )
        names = ("ar", *self.tests)
        results = []
        for name in each(names):
            settings = Settings(test=name, n_resamples=self.n_resamples, seed=self.seed, unit=statistics.unit)
            results.append(settings.chosen_test(statistics.unit)(targets).p_value)
        return EveryTestPs(
            statistics.metric.name, names, targets.labels, targets.estimate, np.array(results), statistics.unit
        )


def figure_two_p(two_sided: Floats | float) -> Floats:
    """Compute by normal theory what Figure 2 of Riezler and Maxwell (2005) prints for a two-sided p-value.

    With z = |d|/σ the absolute differences of redraws have mean σ·μ(z), μ(z) = sqrt(2/π) e^{−z²/2} + z(1 − 2Φ(−z)); the
    count |d*| − mean ≥ |d| then has probability Q(μ) + Q(2z + μ), Q = 1 − Φ (docs/statistics/tests.md, section 3).
    """
    z = scipy.stats.norm.isf(np.asarray(two_sided) / 2)
    mean = np.sqrt(2 / np.pi) * np.exp(-np.square(z) / 2) + z * (1 - 2 * scipy.stats.norm.sf(z))
    return np.asarray(scipy.stats.norm.sf(mean) + scipy.stats.norm.sf(2 * z + mean))


def figure_two_size(alpha: float) -> float:
    """Return how often Figure 2 rejects a true null at nominal `alpha`, by normal theory."""
    return float(scipy.optimize.brentq(lambda p: float(figure_two_p(p)) - alpha, 1e-12, 1 - 1e-12))


@dataclass(frozen=True, eq=False)
class SensitivityShares(LabResult):
    """d/SE(d) of m pairs under several metrics.

    z: shape (metrics, m), signed, positive when the first system of a pair is better. scores, half_width: shape
    (metrics, s). typical: shape (metrics,), the median of |z|. typical_low, typical_high: its range when each system in
    turn is left out: pairs share systems, so they are no independent sample of pairs.
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    z: Floats
    scores: Floats
    half_width: Floats
    typical: Floats
    typical_low: Floats
    typical_high: Floats
    level: float
    unit: str

    decimals = 2

    @property
    def limit(self) -> float:
        """How many standard errors separate a pair at the level, uncorrected."""
        return float(scipy.stats.norm.ppf((1 + self.level) / 2))

    @property
    def found(self) -> NDArray[np.int64]:
        """How many pairs each metric separates at the level, uncorrected; shape (metrics,)."""
        return np.asarray(np.sum(np.abs(self.z) >= self.limit, axis=1))

    @property
    def relative(self) -> Floats:
        """Half widths in % of the scores: what the paper prints, and no measure of sensitivity; shape (metrics, s)."""
        return 100 * self.half_width / self.scores

    def ahead(self, left: int, other: int) -> float:
        """Return the share of pairs on which metric `left` is farther from zero than `other`, in standard errors."""
        return float(np.mean(np.abs(self.z[left]) > np.abs(self.z[other])))

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per metric and pair."""
        first, second = zip(*self.pairs, strict=True)
        return records(metric=upright(self.metrics), first=first, second=second, z=self.z)

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return one record per metric."""
        return {"Metrics": records(
            metric=self.metrics, median_z=self.typical, low=self.typical_low, high=self.typical_high,
            separated=self.found, pairs=len(self.pairs), relative_width=np.median(np.abs(self.relative), axis=1),
        )}  # fmt: skip


@dataclass(frozen=True)
class Sensitivity(Experiment[SensitivityShares]):
    """Compute the signal-to-noise ratio of every pair for every metric."""

    level: float = option(0.95, "Confidence", "Nominal coverage of the intervals.", low=0.5, high=0.9999)
    unit: Unit = option("auto", "Unit", "The sampling unit.", advanced=True)

    name = "sensitivity"
    label = "Sensitivity of metrics"
    about = "With which metric is the difference between the same systems larger, measured in standard errors?"
    paper = f"{_material.RIEZLER_MAXWELL}, table 1; {_material.ZHANG_VOGEL}, table 1"
    suggested = ("bleu", "mbleu", "nist", "chrf", "ter")

    def run(self, material: Material, executor: Executor | None = None) -> SensitivityShares:
        """Compute the difference and the standard error of all pairs for every metric.

        Raises
        ------
        NotApplicable
            The metrics have no two systems in common.
        """
        del executor  # closed form
        common = common_systems(material.statistics)
        systems = tuple(name for name in material.first.systems if name in common)
        chosen = tuple(combinations(systems, 2))
        z, scores, half = [], [], []
        for counted in each(material.statistics):
            statistics = counted.select(systems).at(self.unit)
            targets = Scores(statistics, Bootstrap(unit="segment"))
            pairs = pairs_of(targets, chosen)
            with np.errstate(divide="ignore", invalid="ignore"):
                z.append(np.where(pairs.estimate == 0, 0.0, pairs.estimate / pairs.standard_error))
            scores.append(targets.estimate)
            half.append(scipy.stats.t.ppf((1 + self.level) / 2, targets.df) * targets.standard_error)
        table = np.array(z)
        without = [[m for m, pair in enumerate(chosen) if name not in pair] for name in systems]
        ranges = [np.median(np.abs(table[:, kept]), axis=1) for kept in without if kept]
        typical = np.median(np.abs(table), axis=1)
        return SensitivityShares(
            tuple(counted.metric.name for counted in material.statistics), systems, chosen, table, np.array(scores),
            np.array(half), typical, np.min(ranges, axis=0) if ranges else typical,
            np.max(ranges, axis=0) if ranges else typical, self.level, material.first.at(self.unit).unit,
        )  # fmt: skip


SIGNS = {1: ">", -1: "<", 0: "~"}


@dataclass(frozen=True, eq=False)
class RelationsTables(LabResult):
    """What several metrics say of the same pairs.

    sign: shape (metrics, m): 1 when the first system of a pair is found better, −1 the second, 0 neither.
    withheld: shape (metrics, m): whether there is no verdict at all; the sign is 0.
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    sign: NDArray[np.int64]
    withheld: NDArray[np.bool_]
    correction: str
    level: float

    def between(self, metric: int, first: str, second: str) -> str:
        """Return ">", "<" or "~" for the first system against the second."""
        for m, pair in enumerate(self.pairs):
            if pair == (first, second):
                return SIGNS[int(self.sign[metric, m])]
            if pair == (second, first):
                return SIGNS[-int(self.sign[metric, m])]
        raise NotApplicable(f"{first} and {second} were not compared.")

    def said(self, left: int, other: int) -> dict[str, int]:
        """Return on how many pairs two metrics say what, contradictions first; withheld where either is."""
        decided = ~(self.withheld[left] | self.withheld[other])
        first, second = self.sign[left][decided], self.sign[other][decided]
        counts = {
            "contradiction": first * second < 0,
            "both_the_same": first * second > 0,
            "first_only": (first != 0) & (second == 0),
            "second_only": (first == 0) & (second != 0),
            "neither": (first == 0) & (second == 0),
            "withheld": ~decided,
        }
        return {name: int(np.count_nonzero(which)) for name, which in counts.items()}

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return what metrics say together, two by two."""
        tables: list[dict[str, Any]] = [
            {"first": self.metrics[left], "second": self.metrics[other], **self.said(left, other)}
            for left, other in combinations(range(len(self.metrics)), 2)
        ]
        return {"Agreement": tables} if tables else {}

    @property
    def given_names(self) -> tuple[str, ...]:
        return self.metrics

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair, with a column for each metric."""
        first, second = zip(*self.pairs, strict=True)
        signs = ([SIGNS[int(sign)] for sign in row] for row in self.sign)
        return records(first=first, second=second, **dict(zip(self.metrics, signs, strict=True)))


@dataclass(frozen=True)
class Relations(Experiment[RelationsTables]):
    """Compare all pairs by every metric, including human ratings, with correction."""

    correction: str = option("minp", "Correction", "Multiple-comparison correction.", choices=lambda: CORRECTIONS)
    n_resamples: int = option(10_000, "Resamples", "Random swaps in each test.", low=100, high=1_000_000, advanced=True)
    level: float = option(0.95, "Confidence", "The family-wise error rate is 1 − level.", low=0.5, high=0.9999)
    seed: int = same_option(Settings, "seed")

    name = "relations"
    label = "Metrics and human ratings compared"
    about = "Which pairs differ significantly by several metrics, or by the human ratings?"
    paper = f"{ZHANG_VOGEL}, section 3.2, figure 3"
    suggested = ("bleu", "mbleu", "nist", "chrf", "ter")

    def run(self, material: Material, executor: Executor | None = None) -> RelationsTables:
        """Compare systems by each metric in turn."""
        del executor  # a second of work
        order = common_systems(material.statistics)
        settings = Settings(correction=self.correction, n_resamples=self.n_resamples, level=self.level, seed=self.seed)
        pairs = tuple(combinations(order, 2))
        families = [settings.family(statistics, pairs) for statistics in each(material.statistics)]
        withheld = [[verdict(comparison).word == "withheld" for comparison in family] for family in families]
        return RelationsTables(
            tuple(counted.metric.name for counted in material.statistics), tuple(order), pairs,
            np.array([signs_of(family) for family in families]), np.array(withheld), self.correction, self.level,
        )  # fmt: skip


def signs_of(family: Family) -> Sequence[int]:
    """Return 1, −1 or 0 for every comparison by its verdict."""
    signs = []
    for comparison in family:
        winner = verdict(comparison).winner
        signs.append(0 if winner is None else 1 if winner == comparison.first else -1)
    return signs


_AT_ONCE = 64
"""Resamples whose n-gram counts are held at a time."""

_SHARES = (0.125, 0.25, 0.5, 1.0)
_REPEATS = 10


@dataclass(frozen=True, eq=False)
class NistWeightsScores(LabResult):
    """NIST of one system on redrawn test sets, with the test set's weights and with each resample's own.

    fixed, recomputed: shape (b,). sizes, by_size: NIST of smaller test sets with their own weights, mean over random
    ones: it grows with the size.
    """

    system: str
    observed: float
    fixed: Floats
    recomputed: Floats
    sizes: NDArray[np.int64]
    by_size: Floats
    level: float

    def interval(self, kind: str) -> tuple[float, float]:
        """Return the percentile interval of "fixed" or "recomputed"."""
        draws = self.fixed if kind == "fixed" else self.recomputed
        low, high = np.quantile(draws, [(1 - self.level) / 2, (1 + self.level) / 2])
        return float(low), float(high)

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return NIST by size of the test set."""
        return {"NIST by size": records(segments=self.sizes, NIST=self.by_size)}

    @property
    def given_names(self) -> tuple[str, ...]:
        """The metric."""
        return ("NIST",)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per kind of weights."""
        low, high = np.transpose([self.interval(kind) for kind in ("fixed", "recomputed")])
        return records(
            system=self.system, weights=("fixed", "recomputed"), NIST=self.observed,
            mean=np.array([self.fixed.mean(), self.recomputed.mean()]), low=low, high=high,
            holds_observed=(low <= self.observed) & (self.observed <= high),
        )  # fmt: skip


@dataclass(frozen=True)
class NistWeights(Experiment[NistWeightsScores]):
    """Resample with fixed NIST weights, and with weights from each resample."""

    n_resamples: int = option(300, "Resamples", "Number of resamples.", low=50, high=100_000)
    level: float = option(0.95, "Confidence", "Nominal coverage of the intervals.", low=0.5, high=0.9999)
    seed: int = same_option(Settings, "seed")
    system: str | None = None

    name = "nist-weights"
    label = "NIST with recomputed weights"
    about = "What happens if NIST's information weights are computed again in every resample?"
    paper = f"{ZHANG_VOGEL}, section 2"
    suggested = ("nist",)
    only = Nist
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> NistWeightsScores:
        """Count n-grams once, and recompute their weights in every resample."""
        del executor  # one pass over sparse counts
        metric = material.metric_of(Nist) or Nist()
        system = material.system(self.system)
        corpus = material.text.with_references().select([system])
        counts = _Counts(metric, corpus)
        report(0.2)
        observed = counts.scores(np.ones((1, len(corpus)), dtype=np.float32))[1]
        fixed, recomputed = [], []
        done = 0
        with part(0.2, 0.9):
            for block in Bootstrap(self.n_resamples, self.seed, "segment").blocks(len(corpus)):
                for start in range(0, len(block), _AT_ONCE):
                    left, other = counts.scores(block[start : start + _AT_ONCE])
                    fixed.append(left)
                    recomputed.append(other)
                    done += len(left)
                    report(done / self.n_resamples)
        sizes = [max(2, round(share * len(corpus))) for share in _SHARES]
        subsets = (next(Subsample(_REPEATS, self.seed, "segment", size).blocks(len(corpus))) for size in sizes)
        growth = np.array([float(counts.scores(block)[1].mean()) for block in subsets])
        return NistWeightsScores(
            system, float(observed[0]), np.concatenate(fixed), np.concatenate(recomputed), np.array(sizes), growth,
            self.level,
        )  # fmt: skip


class _Counts:
    """Sparse counts of one system's matched n-grams, and of those n-grams and their prefixes in the references."""

    def __init__(self, metric: Nist, corpus: Corpus) -> None:
        self.metric, order = metric, metric.max_ngram_order
        streams = list(corpus.references.values())
        matched: list[Counter[Gram]] = []
        known: list[Counter[Gram]] = []
        words, lengths, ngrams = [], [], []

        def words_of(text: str) -> list[str]:
            return mteval_words(text, metric.tokenize == "intl", metric.lowercase)

        for segment, line in enumerate(corpus.lines(next(iter(corpus.systems)))):
            references = [words_of(text) for stream in streams if (text := stream[segment]) is not None]
            counted = [ngram_counts(reference, order) for reference in references]
            clips: Counter[Gram] = Counter()
            total: Counter[Gram] = Counter()
            for counts in counted:
                clips |= counts
                total += counts
            hypothesis = words_of(line)
            matched.append(ngram_counts(hypothesis, order) & clips)
            known.append(total)
            words.append(sum(map(len, references)))
            lengths.append(sum(map(len, references)) / len(references))
            ngrams.append([max(0, len(hypothesis) - n) for n in range(order)])
        grams = sorted({gram for item in matched for gram in item}, key=lambda gram: (len(gram), gram))
        if not grams:
            raise NotApplicable("No n-gram of this system is in the references: its NIST is 0 whatever the weights.")
        self.orders = np.array([len(gram) for gram in grams])
        self.matched = _sparse(matched, {gram: row for row, gram in enumerate(grams)})
        self.known = _sparse(known, {gram: row for row, gram in enumerate(grams)})
        # mteval counts every word before an n-gram that has no prefix, or whose prefix is the word "0".
        prefixes = sorted({gram[:-1] for gram in grams} - {(), ("0",)}, key=lambda gram: (len(gram), gram))
        places = {gram: row for row, gram in enumerate(prefixes)}
        self.prefixes = _sparse(known, places)
        self.prefix_of = np.array([places.get(gram[:-1], len(prefixes)) for gram in grams])
        self.words = np.array(words, dtype=np.float64)
        self.rest = np.array([*np.array(ngrams, dtype=np.float64).T, np.array(lengths)])
        self.whole = self._information(np.ones((1, len(words)), dtype=np.float64))

    def _information(self, weights: Floats) -> Floats:
        """Return the bits of every matched n-gram in each weighted test set; shape (grams, b)."""
        before = np.concatenate([self.prefixes @ weights.T, (weights @ self.words)[None]])[self.prefix_of]
        own = self.known @ weights.T
        # What does not occur in a resample is not matched there either, so its weight does not matter.
        return np.asarray(np.log2(np.divide(before, own, out=np.ones_like(before), where=own > 0)))

    def scores(self, weights: NDArray[np.float32]) -> tuple[Floats, Floats]:
        """Return NIST of weighted test sets (b, n), with the whole set's weights and with their own; shape (b,)."""
        often = np.asarray(weights, dtype=np.float64)
        matched = self.matched @ often.T
        rest = self.rest @ often.T
        scores = []
        for bits in (self.whole, self._information(often)):
            by_order = [(bits * matched)[self.orders == n].sum(axis=0) for n in range(1, len(rest))]
            scores.append(self.metric.score(np.concatenate([np.array(by_order), rest])))
        return scores[0], scores[1]


def _sparse(counts: list[Counter[Gram]], places: dict[Gram, int]) -> sparse.csr_array:
    """Return counts as a sparse table of n-grams by segments."""
    rows, columns, values = [], [], []
    for segment, counts_of in enumerate(counts):
        for gram, count in counts_of.items():
            if gram in places:
                rows.append(places[gram])
                columns.append(segment)
                values.append(float(count))
    return sparse.csr_array((values, (rows, columns)), shape=(len(places), len(counts)))
