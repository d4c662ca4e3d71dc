"""Test sets of one material: how scores vary between them, what size separates systems, what length does."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._probability import check_level
from mtsig._records import Floats
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import _material
from mtsig.lab._material import Experiment, LabResult, Material, Pair, records, several
from mtsig.metrics import Bleu, Metric, Statistics, measure
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.options import option
from mtsig.progress import done_in_order, each
from mtsig.resampling import Bootstrap, Purpose, Words

_FEWEST_SETS = 5

_USUAL_SIZE = 50


@dataclass(frozen=True, eq=False)
class VariationOfScores(LabResult):
    """Scores of disjoint test sets of one size, taken as neighbours and taken broadly.

    broad, consecutive: shape (s, t), the scores of the t sets. by_chance: shape (s,), the ratio of the two standard
    deviations that 95% of random orders of the segments stay below; a higher one says that neighbours go together.
    predicted: shape (s,), the standard deviation between sets that the standard error of the whole set predicts, were
    segments independent. pair: the two systems whose difference is looked at, None when there is one system.
    """

    metric: str
    systems: tuple[str, ...]
    size: int
    scores: Floats
    broad: Floats
    consecutive: Floats
    by_chance: Floats
    predicted: Floats
    pair: Pair | None
    sign: int

    @property
    def sets(self) -> int:
        """How many test sets of each kind."""
        return int(self.broad.shape[1])

    @property
    def spread_broad(self) -> Floats:
        """Standard deviation between broad sets; shape (s,)."""
        return np.asarray(self.broad.std(axis=1, ddof=1))

    @property
    def spread_consecutive(self) -> Floats:
        """Standard deviation between sets of neighbours; shape (s,)."""
        return np.asarray(self.consecutive.std(axis=1, ddof=1))

    @property
    def ratio(self) -> Floats:
        """How many times more neighbours vary; shape (s,)."""
        return self.spread_consecutive / self.spread_broad

    def difference(self, kind: str) -> Floats:
        """Return the pair's difference on every set of a kind, "broad" or "consecutive"; shape (t,)."""
        if self.pair is None:
            raise NotApplicable("There is one system only, so there is no difference.")
        scores = self.broad if kind == "broad" else self.consecutive
        first, second = (self.systems.index(name) for name in self.pair)
        return np.asarray(self.sign * (scores[first] - scores[second]))

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per system."""
        return records(
            metric=self.metric, system=self.systems, score=self.scores, size=self.size, sets=self.sets,
            spread_broad=self.spread_broad, spread_consecutive=self.spread_consecutive, ratio=self.ratio,
            ratio_by_chance=self.by_chance, spread_predicted=self.predicted,
        )  # fmt: skip


@dataclass(frozen=True)
class Variation(Experiment[VariationOfScores]):
    """Compare test sets of neighbouring segments with broad test sets."""

    size: int = option(
        0, "Size", "Segments in a test set; 0: 50, or a tenth of a small corpus. The paper used 300 of 30,000.", low=0,
        high=1_000_000,
    )  # fmt: skip
    orders: int = option(
        200, "Random orders", "Number of random orders of the segments, to compare with chance.", low=20, high=10_000,
        advanced=True,
    )  # fmt: skip
    seed: int = option(12345, "Seed", "The same seed gives the same orders.", low=0, high=2**53 - 1, advanced=True)
    pair: Pair | None = None

    name = "variation"
    label = "Broad or consecutive test sets"
    about = "How much do scores vary between small test sets of neighbouring segments?"
    paper = f"{_material.KOEHN}, section 3, figures 2 to 4"

    def run(self, material: Material, executor: Executor | None = None) -> VariationOfScores:
        """Score the test sets, and test sets from random orders of the segments.

        Raises
        ------
        NotApplicable
            There are fewer than five test sets, or each test set is a single segment.
        """
        del executor  # a second of work
        statistics = material.complete.at("segment")
        size = self.size or max(2, min(_USUAL_SIZE, statistics.n // 10))
        if size < 2:
            raise NotApplicable("A test set of one segment contains no neighbours: choose a size of at least 2.")
        if statistics.n < _FEWEST_SETS * size:
            raise NotApplicable(
                f"{statistics.n} segments are too few for {_FEWEST_SETS} sets of {size}: "
                + ("choose a smaller size." if size > 2 else "there are too few for this experiment.")
            )
        apart, together = _material.broad(statistics.n, size), _material.consecutive(statistics.n, size)
        ratios = []
        for number in each(range(self.orders)):
            keys = Words(self.seed, number, Purpose.ORDERS).take(1, statistics.n)[0]
            order = np.argsort(keys)
            ratios.append(_spread(statistics, order[together]) / _spread(statistics, order[apart]))
        predicted = statistics.influence.std(axis=1, ddof=1) * statistics.n / np.sqrt(size)
        return VariationOfScores(
            statistics.metric.name, statistics.systems, size, statistics.scores, scores_of(statistics, apart),
            scores_of(statistics, together), np.quantile(ratios, 0.95, axis=0), predicted,
            material.pair(self.pair) if len(statistics.systems) > 1 else None, sign_of(statistics.metric),
        )  # fmt: skip


def scores_of(statistics: Statistics, sets: NDArray[np.int64]) -> Floats:
    """Return every system's score on test sets given as units, shape (t, size); shape (s, t)."""
    totals = np.stack([statistics.values[..., units].sum(axis=-1, dtype=np.float64) for units in sets], axis=-1)
    return statistics.metric.score(totals)


def _spread(statistics: Statistics, sets: NDArray[np.int64]) -> Floats:
    return np.asarray(scores_of(statistics, sets).std(axis=1, ddof=1))


@dataclass(frozen=True, eq=False)
class SeparationPairs(LabResult):
    """Needed sizes of m pairs; arrays have shape (m,), sizes in segments.

    difference, low, high: the observed differences, the better system first, with their intervals. needed: segments
    with which the test would find a true difference as large as the one observed, with the wanted power. fewest, most:
    the same for the ends of the interval; most is infinite where the interval holds zero, for then no number of
    segments can be promised.
    """

    metric: str
    pairs: tuple[Pair, ...]
    difference: Floats
    error: Floats
    low: Floats
    high: Floats
    needed: Floats
    fewest: Floats
    most: Floats
    segments: int
    unit: str
    power: float
    level: float

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        first, second = zip(*self.pairs, strict=True)
        return records(
            metric=self.metric, first=first, second=second, difference=self.difference, low=self.low, high=self.high,
            segments=self.segments, needed=self.needed, fewest=self.fewest, most=self.most,
        )  # fmt: skip


@dataclass(frozen=True)
class Separation(Experiment[SeparationPairs]):
    """Estimate the test-set size needed to detect each difference."""

    power: float = option(0.8, "Power", "Share of test sets with a significant difference.", low=0.05, high=0.99)
    level: float = option(0.95, "Confidence", "The test uses α = 1 − level.", low=0.5, high=0.9999)
    unit: Unit = option("auto", "Unit", "The sampling unit.", advanced=True)
    pair: Pair | None = None

    name = "separation"
    at_once = True
    label = "Segments needed to detect a difference"
    about = "About how many segments would a test set need to find a difference as large as the one observed?"
    paper = f"{_material.ZHANG_VOGEL}, section 4.1"

    def run(self, material: Material, executor: Executor | None = None) -> SeparationPairs:
        """Compute n ((z_{1−a/2} + z_power) SE/d)² for d and its interval.

        Raises
        ------
        NotApplicable
            The difference between the systems has no variance.
        """
        del executor  # closed form
        check_level(self.level)
        statistics = several(material.first.at(self.unit))
        chosen = [material.pair(self.pair)] if self.pair else list(combinations(statistics.best_first, 2))
        targets = pairs_of(Scores(statistics, Bootstrap(unit="segment")), chosen)
        error = targets.standard_error
        with np.errstate(invalid="ignore"):
            sign = np.where(targets.estimate < 0, -1.0, 1.0)
        difference = np.abs(targets.estimate)
        half = scipy.stats.t.ppf((1 + self.level) / 2, targets.df) * error
        pairs = tuple((x, y) if s > 0 else (y, x) for (x, y), s in zip(chosen, sign, strict=True))
        factor = (scipy.stats.norm.ppf((1 + self.level) / 2) + scipy.stats.norm.ppf(self.power)) * error

        def size(at: Floats) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                wanted = statistics.n_segments * np.square(factor / np.maximum(at, 0.0))
            return np.asarray(np.where(factor == 0, np.where(at > 0, 2.0, np.inf), np.maximum(wanted, 2.0)))

        return SeparationPairs(
            statistics.metric.name, pairs, difference, error, difference - half, difference + half, size(difference),
            size(difference + half), size(difference - half), statistics.n_segments, statistics.unit, self.power,
            self.level,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class LengthCurves(LabResult):
    """Scores of one system's output cut or stretched; arrays have shape (z,) or (metrics, z).

    ratio: hypothesis words per reference word, as BLEU counts them. unpenalised: BLEU without its brevity penalty.
    """

    system: str
    metrics: tuple[str, ...]
    shares: Floats
    ratio: Floats
    scores: Floats
    penalty: Floats
    unpenalised: Floats

    @property
    def given_names(self) -> tuple[str, ...]:
        return self.metrics

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per length, with a column for each metric."""
        return records(
            system=self.system, kept=self.shares, length_ratio=self.ratio,
            **dict(zip(self.metrics, self.scores, strict=True)), brevity_penalty=self.penalty,
            BLEU_without_penalty=self.unpenalised,
        )  # fmt: skip


@dataclass(frozen=True)
class Length(Experiment[LengthCurves]):
    """Keep the first words of every segment, or repeat its last words, and rescore."""

    shares: tuple[float, ...] = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2)
    system: str | None = None

    name = "length"
    label = "Length of outputs"
    about = "How do scores change when outputs become shorter or longer than the reference?"
    paper = f"{_material.KOEHN}, section 2, figure 1"
    suggested = ("bleu", "gtm")
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> LengthCurves:
        """Shorten or lengthen the outputs and score them, with one length per job.

        Raises
        ------
        InvalidOption
            A share is not positive.
        """
        if not self.shares or not all(0 < share <= 3 for share in self.shares):
            raise InvalidOption(f"Shares of the words must be above 0 and at most 3; found {list(self.shares)}.")
        system = self.system or material.first.best_first[0]
        corpus = material.text.select([system])
        metrics = tuple(statistics.metric for statistics in material.statistics)
        work = partial(_scored, corpus, metrics, material.metric_of(Bleu) or Bleu())
        ratio, penalty, bleu, *scores = np.array(done_in_order(work, self.shares, executor)).T
        names = tuple(metric.name for metric in metrics)
        return LengthCurves(system, names, np.array(self.shares), ratio, np.array(scores), penalty, bleu / penalty)


def _scored(corpus: Corpus, metrics: Sequence[Metric], plain: Bleu, share: float) -> list[float]:
    """Return length ratio, brevity penalty, BLEU, and the score under every metric."""
    changed = resized(corpus, share)
    bleu = measure(changed, plain)
    length, reference = bleu.sums[:2, 0]
    penalty = np.exp(min(0.0, 1 - reference / length)) if length else 0.0
    scores = [bleu if metric == plain else measure(changed, metric) for metric in metrics]
    return [length / reference, penalty, bleu.scores[0], *(float(score.scores[0]) for score in scores)]


def resized(corpus: Corpus, share: float) -> Corpus:
    """Return the corpus with `share` of each output's words: the first ones, or the last ones once more.

    Text without spaces is cut by characters.
    """
    return replace(
        corpus, outputs={run: tuple(_resized(line, share) for line in lines) for run, lines in corpus.outputs.items()}
    )


def _resized(line: str, share: float) -> str:
    pieces, glue = (line.split(), " ") if " " in line.strip() else (list(line.strip()), "")
    if not pieces:
        return line
    wanted = max(1, round(share * len(pieces)))
    while len(pieces) < wanted:
        pieces += pieces[-(wanted - len(pieces)) :]
    return glue.join(pieces[:wanted])
