"""Test sets of one material: how scores vary between them, what size separates systems, what length does.

References: scores, interval widths and significant pairs by their number (Zhang and Vogel 2004, section 4.2).
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._options import option, same_option
from mtsig._probability import check_level
from mtsig._records import Floats
from mtsig.corpus import Corpus, Note
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Settings
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab import _material
from mtsig.lab._material import ZHANG_VOGEL, Experiment, LabResult, Material, Pair, records, several, upright
from mtsig.metrics import Bleu, Metric, Statistics, measure
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.progress import done_in_order, each
from mtsig.resampling import Bootstrap, Purpose, Words
from mtsig.segments import Ablation
from mtsig.segments._ablation import size_curve, usable_sizes

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
        0, "Size", "Segments in a test set. 0: 50, or a tenth of a small corpus. The paper used 300 of 30,000.", low=0,
        high=1_000_000,
    )  # fmt: skip
    orders: int = option(
        200, "Random orders", "Number of random orders of the segments, to compare with chance.", low=20, high=10_000,
        advanced=True,
    )  # fmt: skip
    seed: int = same_option(Settings, "seed")
    pair: Pair | None = None

    name = "variation"
    label = "Broad or consecutive test sets"
    about = "How much do scores vary between small test sets of neighbouring segments?"
    paper = f"{_material.KOEHN}, section 3, figures 2 to 4"

    def run(self, material: Material, executor: Executor | None = None) -> VariationOfScores:
        """Score test sets of neighbouring segments, and as many of randomly chosen segments.

        Raises
        ------
        NotApplicable
            There are fewer than five test sets, or each test set is a single segment.
        """
        del executor  # a second of work
        statistics = material.complete.at("segment")
        size = self.size or max(2, min(_USUAL_SIZE, statistics.n // 10))
        if size < 2:
            raise NotApplicable("A test set of one segment contains no neighbours; choose a size of at least 2.")
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

    power: float = option(0.8, "Power", "Probability that a test detects the difference.", low=0.05, high=0.99)
    level: float = same_option(Settings, "level")
    unit: Unit = option("auto", "Unit", "The sampling unit.", advanced=True)
    pair: Pair | None = None

    name = "separation"
    at_once = True
    label = "Segments needed per difference"
    about = "About how many segments does a test set need to detect a difference as large as the observed one?"
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


MOST_REFERENCES = 5


@dataclass(frozen=True, eq=False)
class ReferenceCurves(LabResult):
    """Every subset of the references; arrays have shape (q, …), q subsets.

    scores, half_width: shape (q, s). difference, error: shape (q, m), the pairs' differences with standard errors.
    sizes: shape (z,), shares of the test set; relative_by_size: shape (q, z), relative half width, mean over systems
    and random parts of the test set of that size.
    """

    metric: str
    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    subsets: tuple[tuple[str, ...], ...]
    scores: Floats
    half_width: Floats
    difference: Floats
    error: Floats
    sizes: Floats
    relative_by_size: Floats
    level: float
    segments: int
    unit: str
    notes: tuple[Note, ...] = ()

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of references, each once, from 1."""
        return tuple(sorted({len(subset) for subset in self.subsets}))

    @property
    def relative(self) -> Floats:
        """Half width in % of the score; shape (q, s)."""
        return 100 * self.half_width / self.scores

    @property
    def signal(self) -> Floats:
        """|d|/SE of every pair; shape (q, m)."""
        return np.abs(self.difference) / self.error

    @property
    def separated(self) -> NDArray[np.int64]:
        """How many pairs each subset separates, uncorrected; shape (q,)."""
        limit = scipy.stats.norm.ppf((1 + self.level) / 2)
        return np.asarray(np.sum(np.abs(self.difference) >= limit * self.error, axis=1))

    def mean(self, of: Floats) -> Floats:
        """Return means of (q, …) over the subsets of the same number of references; shape (counts, …)."""
        return np.array([
            np.mean([value for value, subset in zip(of, self.subsets, strict=True) if len(subset) == count], axis=0)
            for count in self.counts
        ])  # fmt: skip

    def equivalent(self, what: Floats) -> Floats:
        """Return the share of the test set on which more references do as well as one reference on all of it.

        `what` is what grows with 1/√n, shape (q, x): a width, or the inverse of d/SE; by that law the share is
        (what_r/what_1)². Shape (counts,): 1 for one reference; the median over the x.
        """
        noise = self.mean(what)
        # A system whose score has no derivative with some subset has no width to compare.
        known = noise[:, ~np.isnan(noise).any(axis=0)]
        if not known.size:
            return np.full(len(noise), np.nan)
        return np.asarray(np.median(np.square(known / known[:1]), axis=1))

    def equivalences(self) -> list[dict[str, Any]]:
        """Return one record per number of references: the equivalent share by relative and absolute width and by SE/d.

        The first is the paper's; the last is what counts for telling systems apart.
        """
        relative, absolute = self.equivalent(self.relative), self.equivalent(self.half_width)
        # The typical d/SE of a subset, not that of single pairs: a pair that is tied has none to compare.
        telling = self.equivalent(1 / np.nanmedian(self.signal, axis=1, keepdims=True)) if self.pairs else None
        return records(
            references=self.counts, by_relative_width=relative, by_absolute_width=absolute, by_separation=telling
        )

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the equivalences, and relative widths by size and number of references (table 3)."""
        by_count = zip(self.counts, self.mean(self.relative_by_size), strict=True)
        widths = records(size=self.sizes, **{f"references_{count}": row for count, row in by_count})
        return {"Equivalent shares of the test set": self.equivalences(), "Relative half width by size": widths}

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per subset and system."""
        errors = upright(np.median(self.error, axis=1)) if self.pairs else None
        return records(
            metric=self.metric, references=upright([len(subset) for subset in self.subsets]),
            subset=upright(["+".join(subset) for subset in self.subsets]), system=self.systems, score=self.scores,
            half_width=self.half_width, relative_width=self.relative, median_error_of_difference=errors,
            separated=upright(self.separated), pairs=len(self.pairs),
        )  # fmt: skip


@dataclass(frozen=True)
class References(Experiment[ReferenceCurves]):
    """Score with every subset of the references."""

    level: float = option(0.95, "Confidence", "Nominal coverage of the intervals.", low=0.5, high=0.9999)
    repeats: int = option(20, "Subsets", "Random subsets of segments for each size.", low=1, high=10_000, advanced=True)
    seed: int = same_option(Settings, "seed")
    unit: Unit = option("auto", "Unit", "The sampling unit.", advanced=True)

    name = "references"
    label = "Number of references"
    about = "How do more references change scores, the width of intervals and the power of tests?"
    paper = f"{ZHANG_VOGEL}, section 4.2, figure 8, tables 3 and 4"
    of_references = True
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> ReferenceCurves:
        """Compute statistics for every subset of references, one per job.

        Raises
        ------
        NotApplicable
            There are fewer than two references, or too many references to use all subsets.
        """
        check_level(self.level)
        corpus = material.text
        names = tuple(corpus.references)
        if not 2 <= len(names) <= MOST_REFERENCES:
            text = f"This experiment needs 2 to {MOST_REFERENCES} references; found {len(names)}."
            few = len(names) < 2
            way_out = "Add references, each in a separate file." if few else "Choose some of them."
            raise NotApplicable(f"{text} {way_out}")
        whole = [i for i in range(len(corpus)) if all(lines[i] is not None for lines in corpus.references.values())]
        if not whole:
            raise NotApplicable("No segment has all references.")
        lost = len(corpus) - len(whole)
        said = f"{lost} of {len(corpus)} segments are left out, because they lack at least one reference."
        notes = (Note("warning", said),) if lost else ()
        corpus = corpus.take(whole) if lost else corpus
        subsets = tuple(subset for count in range(1, len(names) + 1) for subset in combinations(names, count))
        work = partial(_widths, self, corpus, material.first.metric)
        about, *parts = zip(*done_in_order(work, subsets, executor), strict=True)
        scores, half_width, difference, error, relative = map(np.array, parts)
        systems, unit, sizes = about[0]
        return ReferenceCurves(
            material.first.metric.name, systems, tuple(combinations(systems, 2)), subsets, scores, half_width,
            difference, error, np.array(sizes), relative, self.level, len(corpus), unit, notes,
        )  # fmt: skip


def _widths(experiment: References, corpus: Corpus, metric: Metric, subset: tuple[str, ...]) -> tuple[Any, ...]:
    """Return systems, unit and sizes; scores, half widths, differences, errors, and relative half widths by size."""
    # Whether neighbours are alike is another matter with every subset; the unit is one.
    statistics = measure(corpus.select(references=subset), metric).at(experiment.unit, by_order=False)
    scores, sizes = Scores(statistics, Bootstrap(unit="segment")), usable_sizes(statistics.n)
    several = list(combinations(statistics.systems, 2))
    pairs = pairs_of(scores, several) if several else None
    difference, error = (np.zeros(0), np.zeros(0)) if pairs is None else (pairs.estimate, pairs.standard_error)
    half_width = scipy.stats.t.ppf((1 + experiment.level) / 2, scores.df) * scores.standard_error
    plan = Ablation(
        sizes=sizes, repeats=experiment.repeats, level=experiment.level, seed=experiment.seed, unit=experiment.unit
    )
    relative = size_curve(statistics, plan).relative.mean(axis=1)
    about = statistics.systems, statistics.unit, sizes
    return about, scores.estimate, half_width, difference, error, relative
