"""Score fewer segments (Zhang and Vogel 2004, section 4.1), or with fewer of the references."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mtsig._options import check, expect_arguments, option
from mtsig._probability import check_level, satterthwaite_df, t_quantile
from mtsig._records import Floats
from mtsig._results import Public, Result
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import counted_names
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, shown
from mtsig.inference import INTERVALS
from mtsig.inference._design import Design, design_test_set
from mtsig.inference._targets import Scores, pairs_of
from mtsig.metrics import Metric, Statistics, WeightedSums, measure
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit, expect_statistics
from mtsig.progress import done_in_order, each
from mtsig.resampling import Bootstrap, Subsample

_KEPT = 2**23
"""Redrawn scores held at a time when the bootstrap runs inside subsets."""


TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

_FEWEST_UNITS = 5
"""t intervals on fewer units are so wide that they hide everything else in a picture."""


def usable_sizes(n: int) -> tuple[float, ...]:
    """Return the tenths of a test set of n units that hold at least five units, and the whole in any case."""
    return tuple(size for size in TENTHS if size * n >= _FEWEST_UNITS or size == 1)


@dataclass(frozen=True)
class Ablation(Public):
    """Options of a size analysis: sizes, subsets, and interval method."""

    sizes: tuple[float, ...] = TENTHS
    repeats: int = option(100, "Subsets", "Number of random subsets per size.", low=1, high=10_000)
    interval: Literal["jackknife", "percentile"] = option(
        "jackknife", "Interval", "jackknife is fast; percentile runs a bootstrap inside every subset, which is slow."
    )
    level: float = option(0.95, "Level", "Confidence level of the intervals.", low=0.5, high=0.9999)
    n_resamples: int = option(1000, "Draws", "Bootstrap resamples per subset.", low=10, high=1_000_000, advanced=True)
    seed: int = option(12345, "Seed", "The same seed gives the same subsets.", low=0, high=2**53 - 1, advanced=True)
    unit: Unit = option("auto", "Unit", "Whether subsets consist of segments or documents.", advanced=True)

    @property
    def redraws(self) -> bool:
        """Whether a bootstrap is run within every subset."""
        return INTERVALS[self.interval].redraws

    def __post_init__(self) -> None:
        """Check the options.

        Raises
        ------
        InvalidOption
            A size is not in (0, 1].
        """
        check(self)
        check_level(self.level)
        for size in self.sizes:
            if not 0 < size <= 1:
                raise InvalidOption(f"A size must be a share of the test set above 0 and up to 1; found {shown(size)}.")
        if not self.sizes:
            raise InvalidOption("At least one size is needed, such as 0.5.")


@dataclass(frozen=True, eq=False)
class SizeCurves(Result):
    """Scores, or one difference, by test-set size; shape (z, t).

    shares: shape (z,), each size as a share of the test set.
    mean, spread: the mean and the standard deviation of the score over the subsets of a size. ci_low, ci_high: the mean
    limits of the intervals. half_width: half the width of these intervals. relative: this in % of the score; NaN for a
    difference. units: shape (z,), the number of units in a subset. subsets: shape (z,), the number of subsets.
    undefined: shape (z, t), the number of subsets without an interval, which the means omit.
    """

    metric: str
    signature: str
    labels: tuple[str, ...]
    shares: Floats
    units: NDArray[np.int64]
    subsets: NDArray[np.int64]
    mean: Floats
    spread: Floats
    ci_low: Floats
    ci_high: Floats
    half_width: Floats
    relative: Floats
    undefined: NDArray[np.int64]
    unit: str
    ablation: Ablation
    notes: tuple[Note, ...] = ()
    decimals: int = 2
    higher_is_better: bool = True
    pair: tuple[str, str] | None = None

    @property
    def is_difference(self) -> bool:
        """Whether the curve shows the difference of a pair."""
        return self.pair is not None

    def __repr__(self) -> str:
        """Return what the curves are of, in one line."""
        text = f"{counted_names('curve', self.labels)} at {counted_names('size', map(str, self.units))}"
        return f"<SizeCurves of {self.metric}: {text}>"

    def square_root_law(self, widths: Floats) -> Floats:
        """Return widths by the 1/√n law from the largest size; shape (z, t)."""
        largest = int(np.argmax(self.units))
        return np.asarray(np.sqrt(self.units[largest] / self.units)[:, None] * widths[largest])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record for each size and curve."""
        return [
            {
                "metric": self.metric,
                "signature": self.signature,
                "system": label,
                "size": float(share),
                "units": int(self.units[z]),
                "subsets": int(self.subsets[z]),
                "score": float(self.mean[z, t]),
                "spread": float(self.spread[z, t]),
                "ci_low": float(self.ci_low[z, t]),
                "ci_high": float(self.ci_high[z, t]),
                "half_width": float(self.half_width[z, t]),
                "relative_width": float(self.relative[z, t]),
                "undefined": int(self.undefined[z, t]),
            }
            for z, share in enumerate(self.shares)
            for t, label in enumerate(self.labels)
        ]


def size_curve(
    statistics: Statistics,
    ablation: Ablation | None = None,
    pair: tuple[str, str] | None = None,
    executor: Executor | None = None,
) -> SizeCurves:
    """Compute scores, or a difference, with intervals by test-set size.

    Parameters
    ----------
    statistics
        The statistics of one metric.
    ablation
        The sizes, in units or as shares, and how subsets are drawn; `None` uses ten sizes.
    pair
        Two systems whose difference is analysed; `None` analyses the scores of all systems.
    executor
        The executor that runs the bootstraps within subsets, with one job per size; the results are identical.

    Returns
    -------
    curves : SizeCurves
        One curve for each system, or one curve for the pair.

    Raises
    ------
    NotApplicable
        The unit is the document, and there are too few documents.
    UnknownName
        A name in the pair is not that of a system.
    InvalidOption
        An argument has the wrong type.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.size_curve(statistics)
    <SizeCurves of BLEU: 5 curves (direct-us, direct, via-catalan, via-esperanto, …) at 10 sizes (2, 4, 6, 8, …)>
    """
    expect_statistics(statistics)
    expect_arguments(size_curve, locals())
    ablation = ablation or Ablation()
    statistics = _complete(statistics.at(ablation.unit), pair)
    if statistics.n < 2:
        raise NotApplicable(f"One {statistics.unit} alone does not show how much scores vary; subsets need at least 2.")
    if ablation.redraws:
        statistics = replace(statistics, notes=statistics.notes + statistics.metric.caveats(statistics))
    targets = _Targets(statistics, pair)
    jobs = [_Job(targets, ablation, position) for position in range(len(ablation.sizes))]
    by_size = done_in_order(_at_size, jobs, executor if ablation.redraws else None)
    return _curves(statistics, ablation, targets, by_size, pair)


def _complete(statistics: Statistics, pair: tuple[str, str] | None) -> Statistics:
    """Return the statistics on the units that every system looked at has: one subset serves all curves."""
    if statistics.available is None:
        return statistics
    shared = statistics.shared_by(statistics.systems if pair is None else list(dict.fromkeys(pair)))
    whose = f"all {len(statistics.systems)} systems" if pair is None else " and ".join(pair)
    text = f"Subsets are of the {shared.n:,} {shared.unit}s of {statistics.n:,} that {whose} have."
    return replace(shared, notes=(*shared.notes, Note("warning", text)))


@dataclass(frozen=True, eq=False)
class _Job:
    """One size to look at."""

    targets: "_Targets"
    ablation: Ablation
    position: int


def _at_size(job: _Job) -> "_AtSize":
    n, ablation = job.targets.statistics.n, job.ablation
    size = min(n, max(2, round(ablation.sizes[job.position] * n)))
    # Every subset of the whole size is the whole: one is enough.
    repeats = 1 if size == n else ablation.repeats
    subsets = Subsample(max(repeats, 10), ablation.seed, "segment", size)
    subset_of = _bootstrap if ablation.redraws else _jackknife
    return subset_of(job.targets, subsets, repeats, ablation)


@dataclass(frozen=True, eq=False)
class _AtSize:
    """Estimates and interval ends on the subsets of one size; shapes (t, repeats)."""

    units: int
    estimate: Floats
    ci_low: Floats
    ci_high: Floats


def difference_label(first: str, second: str, higher_is_better: bool) -> str:
    """Return what a curve of a difference is called: where lower is better, it is no subtraction in this order."""
    return f"{first} {'−' if higher_is_better else 'ahead of'} {second}"


class _Targets:
    """Scores of all systems, or the difference of one pair, as functions of totals (k, s, b)."""

    def __init__(self, statistics: Statistics, pair: tuple[str, str] | None) -> None:
        self.statistics = statistics
        self.sign = sign_of(statistics.metric)
        self.pair: tuple[int, int] | None = None
        self.labels = statistics.systems
        if pair is not None:
            chosen = pairs_of(Scores(statistics, Bootstrap()), [pair])
            self.pair = int(chosen.first[0]), int(chosen.second[0])
            self.labels = (difference_label(*pair, statistics.metric.higher_is_better),)

    def estimate(self, totals: Floats) -> Floats:
        """Return the estimates, shape (t, b)."""
        scores = self.statistics.metric.score(totals)
        return scores if self.pair is None else self.sign * (scores[self.pair[0]] - scores[self.pair[1]])[None]

    @property
    def _members(self) -> list[list[int]]:
        """The positions of the systems that each target stands on."""
        return [[s] for s in range(len(self.labels))] if self.pair is None else [list(self.pair)]

    def spread(self, totals: Floats, weights: NDArray[np.float32], size: int) -> tuple[Floats, Floats]:
        """Return the jackknife's standard error on each subset, shape (t, b), and its degrees of freedom, shape (b,).

        Over segments by the derivative of the score, which is the same to some parts in a thousand and at once there.
        """
        if self.statistics.sizes is None:
            return self._infinitesimal(totals, weights, size), np.full(len(weights), size - 1.0)
        errors, df = np.empty((len(self.labels), len(weights))), np.empty(len(weights))
        for subset, members in enumerate(weights.astype(bool)):
            left = totals[..., subset, None] - self.statistics.values[..., members]
            known = self.statistics.metric.has_gradient(np.concatenate([totals[..., subset, None], left], axis=-1))
            moved = self.estimate(left) - self.estimate(totals[..., subset, None])
            whole = np.asarray(known.all(axis=-1))
            lost = np.array([not whole[member].all() for member in self._members])
            spread = np.sqrt((size - 1) / size * np.square(moved).sum(axis=-1))
            errors[:, subset] = np.where(lost, np.nan, spread)
            df[subset] = satterthwaite_df(self.statistics.sizes[members])
        return errors, df

    def _infinitesimal(self, totals: Floats, weights: NDArray[np.float32], size: int) -> Floats:
        slopes = self.statistics.metric.gradient(totals)
        groups = (
            [[(s, 1)] for s in range(len(self.labels))]
            if self.pair is None
            else [[(self.pair[0], 1), (self.pair[1], -1)]]
        )
        errors = []
        for members in groups:
            moved = sum(
                sign * (slopes[:, s].T @ self.statistics.values[:, s].astype(np.float64)) for s, sign in members
            )
            mean = sum(sign * np.einsum("kb,kb->b", slopes[:, s], totals[:, s]) for s, sign in members) / size
            squares = np.einsum("bn,bn->b", weights, np.square(moved)) - size * np.square(mean)
            errors.append(np.sqrt(size / (size - 1) * np.maximum(squares, 0.0)))
        return np.array(errors)


def _jackknife(targets: _Targets, subsets: Subsample, repeats: int, ablation: Ablation) -> _AtSize:
    estimates: list[Floats] = []
    halves: list[Floats] = []
    totals_of = targets.statistics.weighted()
    for block in subsets.blocks(targets.statistics.n):
        weights = block[: repeats - sum(part.shape[1] for part in estimates)]
        if not len(weights):
            break
        totals = totals_of(weights)
        estimates.append(targets.estimate(totals))
        errors, df = targets.spread(totals, weights, subsets.size)
        halves.append(t_quantile((1 + ablation.level) / 2, df) * errors)
    estimate, half = np.concatenate(estimates, axis=1), np.concatenate(halves, axis=1)
    return _AtSize(subsets.size, estimate, estimate - half, estimate + half)


def _bootstrap(targets: _Targets, subsets: Subsample, repeats: int, ablation: Ablation) -> _AtSize:
    """Bootstrap inside every subset: redraw its own units; all subsets of a size share the redraws' positions."""
    statistics = targets.statistics
    members = [np.flatnonzero(row) for block in subsets.blocks(statistics.n) for row in block][:repeats]
    redraw = Bootstrap(ablation.n_resamples, ablation.seed, "segment")
    together = max(1, _KEPT // (len(targets.labels) * ablation.n_resamples))
    tails = [(1 - ablation.level) / 2, (1 + ablation.level) / 2]
    estimate, low, high = (np.empty((len(targets.labels), repeats)) for _ in range(3))
    for start in each(range(0, repeats, together)):
        chosen = members[start : start + together]
        values = [np.ascontiguousarray(statistics.values[..., units]) for units in chosen]
        weighted = [WeightedSums(part) for part in values]
        draws = np.empty((len(chosen), len(targets.labels), ablation.n_resamples))
        done = 0
        for weights in redraw.blocks(subsets.size):
            for into, totals_of in zip(draws, weighted, strict=True):
                into[:, done : done + len(weights)] = targets.estimate(totals_of(weights))
            done += len(weights)
        ends = np.quantile(draws, tails, axis=-1)
        low[:, start : start + len(chosen)], high[:, start : start + len(chosen)] = ends[0].T, ends[1].T
        for offset, part in enumerate(values):
            totals = part.sum(axis=-1, dtype=np.float64)[..., None]
            estimate[:, start + offset] = targets.estimate(totals)[:, 0]
    return _AtSize(subsets.size, estimate, low, high)


def _curves(
    statistics: Statistics,
    ablation: Ablation,
    targets: _Targets,
    at_sizes: Sequence[_AtSize],
    pair: tuple[str, str] | None,
) -> SizeCurves:
    undefined = np.array([np.isnan(at_size.ci_low).sum(axis=1) for at_size in at_sizes])
    mean = np.array([at_size.estimate.mean(axis=1) for at_size in at_sizes])

    def average(pick: Callable[[_AtSize], Floats]) -> Floats:
        rows = []
        for at_size in at_sizes:
            values = pick(at_size)
            known = ~np.isnan(values)
            total = np.where(known, values, 0.0).sum(axis=1)
            rows.append(np.divide(total, known.sum(axis=1), out=np.full(len(total), np.nan), where=known.any(axis=1)))
        return np.array(rows)

    half = average(lambda at_size: (at_size.ci_high - at_size.ci_low) / 2)
    is_difference = pair is not None
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.full(half.shape, np.nan) if is_difference else 100 * half / np.abs(mean)
    notes = statistics.notes
    if undefined.any():
        text = (
            f"On {int(undefined.sum())} subsets, some n-gram order has no match. These subsets have no jackknife "
            "interval and are left out."
        )
        notes += (Note("warning", text),)
    return SizeCurves(
        metric=statistics.metric.name,
        signature=statistics.signature,
        labels=targets.labels,
        shares=np.array(ablation.sizes, dtype=np.float64),
        units=np.array([at_size.units for at_size in at_sizes]),
        subsets=np.array([at_size.estimate.shape[1] for at_size in at_sizes]),
        mean=mean,
        spread=np.array(
            [at_size.estimate.std(axis=1, ddof=min(1, at_size.estimate.shape[1] - 1)) for at_size in at_sizes]
        ),
        ci_low=average(lambda at_size: at_size.ci_low),
        ci_high=average(lambda at_size: at_size.ci_high),
        half_width=half,
        relative=relative,
        undefined=undefined,
        unit=statistics.unit,
        ablation=ablation,
        notes=notes,
        decimals=statistics.metric.decimals,
        higher_is_better=statistics.metric.higher_is_better,
        pair=pair,
    )


MOST_COMBINED = 3
"""References up to which all combinations are looked at; of more, each alone and all together."""


@dataclass(frozen=True)
class ReferencesDesign:
    """The design where these references are in use; `problem` says why there is none."""

    references: tuple[str, ...]
    design: Design | None
    problem: str = ""


def design_by_references(
    corpus: Corpus, metric: Metric, first: str, second: str, difference: float, **options: Any
) -> tuple[ReferencesDesign, ...]:
    """Return `design_test_set` with each combination of the corpus's references in use; `options` are its own.

    References are fixed scenarios: nothing is said of references that are not there. Of more than three, each alone
    and all together.
    """
    if not metric.needs_references:
        raise NotApplicable(f"{metric.name} uses no reference, so the choice of references has no effect.")
    names = list(corpus.references)
    sizes = range(1, len(names) + 1) if len(names) <= MOST_COMBINED else (1, len(names))
    designs = []
    for chosen in (some for size in sizes for some in combinations(names, size)):
        try:
            statistics = measure(corpus.select(references=list(chosen)), metric)
            design = design_test_set(statistics, first, second, difference, **options)
        except InvalidOption:
            raise
        except MtsigError as error:
            designs.append(ReferencesDesign(chosen, None, str(error)))
        else:
            designs.append(ReferencesDesign(chosen, design))
    return tuple(designs)
