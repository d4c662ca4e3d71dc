"""References: scores, interval widths and significant pairs by their number (Zhang and Vogel 2004, section 4.2)."""

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
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
from mtsig.lab._material import ZHANG_VOGEL, Experiment, LabResult, Material, Pair, records, upright
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

    level: float = option(0.95, "Confidence", "Coverage of the intervals.", low=0.5, high=0.9999)
    repeats: int = option(20, "Subsets", "Random subsets of segments per size.", low=1, high=10_000, advanced=True)
    seed: int = option(12345, "Seed", "The same seed gives the same parts.", low=0, high=2**53 - 1, advanced=True)
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
        said = f"{lost} of {len(corpus)} segments lack at least one reference and are left out."
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
