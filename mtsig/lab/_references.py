"""References: scores, interval widths and separated pairs with one, two … references (ZV04 section 4.2)."""

from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._probability import check_level
from mtsig._records import Floats
from mtsig.corpus import Corpus, Note
from mtsig.errors import NotApplicable
from mtsig.inference._targets import Scores, pairs_of
from mtsig.lab._material import ZHANG_VOGEL, Experiment, LabResult, Material, Pair
from mtsig.metrics import Metric, measure
from mtsig.metrics._statistics import Unit
from mtsig.options import option
from mtsig.progress import done_in_order
from mtsig.resampling import Bootstrap
from mtsig.segments import Ablation, size_curve
from mtsig.segments._ablation import usable_sizes

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
        return [
            {
                "references": count,
                "by_relative_width": float(relative[row]),
                "by_absolute_width": float(absolute[row]),
                "by_separation": None if telling is None else float(telling[row]),
            }
            for row, count in enumerate(self.counts)
        ]

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the equivalences, and relative widths by size and number of references (table 3)."""
        widths = self.mean(self.relative_by_size)
        table = [
            {"size": float(size)} | {f"references_{count}": float(widths[q, z]) for q, count in enumerate(self.counts)}
            for z, size in enumerate(self.sizes)
        ]
        return {"Equivalent shares of the test set": self.equivalences(), "Relative half width by size": table}

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per subset and system."""
        return [
            {
                "metric": self.metric,
                "references": len(subset),
                "subset": "+".join(subset),
                "system": name,
                "score": float(self.scores[q, s]),
                "half_width": float(self.half_width[q, s]),
                "relative_width": float(self.relative[q, s]),
                "median_error_of_difference": float(np.median(self.error[q])) if self.pairs else None,
                "separated": int(self.separated[q]),
                "pairs": len(self.pairs),
            }
            for q, subset in enumerate(self.subsets)
            for s, name in enumerate(self.systems)
        ]


@dataclass(frozen=True)
class References(Experiment[ReferenceCurves]):
    """Score with every subset of the references, on the segments that have all of them."""

    level: float = option(0.95, "Confidence", "Coverage of the intervals.", low=0.5, high=0.9999)
    repeats: int = option(20, "Subsets", "Random parts of the test set per size.", low=1, high=10_000, advanced=True)
    seed: int = option(12345, "Seed", "The same seed gives the same parts.", low=0, high=2**53 - 1, advanced=True)
    unit: Unit = option("auto", "Unit", "What is drawn as a whole.", advanced=True)

    name = "references"
    label = "Number of references"
    about = "What do more references do to scores, to the width of intervals, and to telling systems apart?"
    paper = f"{ZHANG_VOGEL}, section 4.2, figure 8, tables 3 and 4"
    of_references = True
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> ReferenceCurves:
        """Count anew for every subset, one subset a job.

        Raises:
            NotApplicable: there are fewer than two references, or too many for all subsets.
        """
        check_level(self.level)
        corpus = material.text
        names = tuple(corpus.references)
        if not 2 <= len(names) <= MOST_REFERENCES:
            text = f"This experiment needs 2 to {MOST_REFERENCES} references; found {len(names)}."
            few = len(names) < 2
            way_out = "Give more, each in a file of its own." if few else "Choose some of them."
            raise NotApplicable(f"{text} {way_out}")
        whole = [i for i in range(len(corpus)) if all(lines[i] is not None for lines in corpus.references.values())]
        if not whole:
            raise NotApplicable("No segment has all references.")
        lost = len(corpus) - len(whole)
        notes = (
            (Note("warning", f"{lost} of {len(corpus)} segments lack some reference and are left out."),)
            if lost
            else ()
        )
        corpus = corpus.take(whole) if lost else corpus
        subsets = tuple(subset for count in range(1, len(names) + 1) for subset in combinations(names, count))
        jobs = [_Job(corpus, material.first.metric, subset, self) for subset in subsets]
        parts = done_in_order(_widths, jobs, executor)
        first = parts[0]
        return ReferenceCurves(
            material.first.metric.name,
            first.systems,
            first.pairs,
            subsets,
            np.array([part.scores for part in parts]),
            np.array([part.half_width for part in parts]),
            np.array([part.difference for part in parts]),
            np.array([part.error for part in parts]),
            first.sizes,
            np.array([part.relative_by_size for part in parts]),
            self.level,
            len(corpus),
            first.unit,
            notes,
        )


@dataclass(frozen=True, eq=False)
class _Job:
    corpus: Corpus
    metric: Metric
    subset: tuple[str, ...]
    experiment: References


@dataclass(frozen=True, eq=False)
class _Widths:
    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    scores: Floats
    half_width: Floats
    difference: Floats
    error: Floats
    sizes: Floats
    relative_by_size: Floats
    unit: str


def _widths(job: _Job) -> _Widths:
    experiment = job.experiment
    statistics = measure(job.corpus.select(references=job.subset), job.metric).at(experiment.unit)
    scores = Scores(statistics, Bootstrap(unit="segment"))
    factor = scipy.stats.t.ppf((1 + experiment.level) / 2, scores.df)
    nothing: Floats = np.zeros(0)
    pairs = pairs_of(scores, "all") if len(statistics.systems) > 1 else None
    sizes = usable_sizes(statistics.n)
    ablation = Ablation(
        sizes=sizes, repeats=experiment.repeats, level=experiment.level, seed=experiment.seed, unit=experiment.unit
    )
    return _Widths(
        statistics.systems,
        () if pairs is None else pairs.labels,
        scores.estimate,
        factor * scores.standard_error,
        nothing if pairs is None else pairs.estimate,
        nothing if pairs is None else pairs.standard_error,
        np.array(sizes),
        size_curve(statistics, ablation).relative.mean(axis=1),
        statistics.unit,
    )
