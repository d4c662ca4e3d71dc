"""Dependence within documents, and what the sampling units (few, unequal or similar) of all targets leave open."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import FEWEST_DF, FEWEST_DIFFERING, f_above, normal_quantile
from mtsig._records import Floats
from mtsig.corpus import Note
from mtsig.corpus._notes import MIN_DOCUMENTS, number_of
from mtsig.errors import NotApplicable
from mtsig.inference._targets import Pairs, Scores, jackknife_error
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._sums import seem_correlated


class Doubt(NamedTuple):
    """Why the data allow no verdict, in words, and the name of the reason; both are empty if they allow one."""

    said: str = ""
    of: str = ""


def too_unequal(targets: Scores | Pairs) -> tuple[str, ...]:
    """Return for each target why its documents or blocks allow no verdict (Tipton 2015); "" if they allow one."""
    unit = targets.statistics.unit
    if not targets.statistics.clustered:
        return ("",) * len(targets.labels)
    spreads = zip(targets.units, targets.df, targets.span, targets.segments, strict=True)
    return tuple(
        f"{units} {unit}s of {shortest} to {longest} segments are worth about {_equal(df)} of equal length, and a "
        f"verdict needs at least {FEWEST_DF + 1}. The longest document has {longest / segments:.0%} of all segments"
        if df < FEWEST_DF
        else ""
        for units, df, (shortest, longest), segments in spreads
    )


def doubts(targets: Scores | Pairs) -> tuple[Doubt, ...]:
    """Return for each target why no test gives a verdict; empty if tests can give one."""
    # What the counts themselves leave open comes before what their spread does.
    unequal = f"unequal {targets.statistics.unit}s"
    return tuple(
        Doubt(few, unequal) if few and not counted.said else counted
        for counted, few in zip(doubts_of_counts(targets), too_unequal(targets), strict=True)
    )


def doubts_of_counts(targets: Scores | Pairs) -> tuple[Doubt, ...]:
    """Return for each target why its counts do not show which translation is better; empty if they can."""
    statistics = targets.statistics
    if statistics.data_caveat:
        return (Doubt(statistics.data_caveat.rstrip("."), "text"),) * len(targets.labels)
    shifted = {name: Doubt(said, "misaligned") for name, said in statistics.misaligned.items()}
    names = [(label,) if isinstance(label, str) else label for label in targets.labels]
    rare = _too_rare(targets) if isinstance(targets, Pairs) else [Doubt()] * len(names)
    return tuple(
        next((shifted[name] for name in pair if name in shifted), few) for pair, few in zip(names, rare, strict=True)
    )


def _too_rare(pairs: Pairs) -> Iterator[Doubt]:
    """Yield for each pair why its answers that are right or wrong allow no verdict.

    Of a system with one output per item and few wrong answers, units do not show how many there might be, and the other
    system's samples make all of them look alike. So where fewer than 10 are expected of a system if both are equal, a
    difference has to be significant by the score test of independent answers as well (docs/statistics/samples.md).
    """
    drawn, statistics = pairs.statistics.samples, pairs.statistics
    if drawn is None or not statistics.right_or_wrong:
        yield from [Doubt()] * len(pairs.labels)
        return
    z = normal_quantile(0.975)
    rows = zip(pairs.labels, pairs.segments, pairs.estimate, pairs.standard_error, strict=True)
    for pair, segments, difference, error in rows:
        n = np.array([drawn.counts[name].sum() if name in drawn.of else segments for name in pair])
        right = float(np.average(statistics.scores[[statistics.row(name) for name in pair]], weights=n))
        expected = n * min(right, 1 - right)
        by_score = np.sqrt(right * (1 - right) * (1 / n).sum())
        if expected.min() >= FEWEST_DIFFERING or not z * error < abs(difference) < z * by_score:
            yield Doubt()
            continue
        least, kind = int(expected.argmin()), "wrong" if right > 0.5 else "right"
        yield Doubt(
            f"{pair[least]} has {number_of(int(n[least]), 'answer', ',')}, and if both systems were equally accurate, "
            f"only about {expected.min():.0f} {kind} ones would be expected",
            "few answers",
        )


def _equal(df: float) -> str:
    """Return like how many equal ones, never rounded up to as many as would do."""
    return f"{df + 1:.0f}" if round(df + 1) <= FEWEST_DF else f"{df + 1:.1f}"


_UNSEEN = "Atypical documents may be missing"


def cautions(targets: Scores | Pairs) -> Iterator[Note]:
    """Yield remarks on the units: each sentence once for any number of targets."""
    yield from (Note("note", text, "documents") for text in _by_order(targets.statistics))
    unequal = dict.fromkeys(too_unequal(targets))
    headline = f"{targets.statistics.unit.capitalize()}s of very unequal length"
    yield from (Note("warning", f"{text}.", headline=headline) for text in unequal if text)
    if targets.statistics.unit != "document":
        return
    most = int(targets.units.max())
    yield Note(
        "note",
        f"With {most} documents, rare and atypical documents may be missing, and the intervals cannot reflect those.",
        headline=_UNSEEN,
    )


def _by_order(statistics: Statistics) -> Iterator[str]:
    """Yield what the unit rests on where document ids are missing."""
    order = statistics.order
    if order is None or len(statistics.systems) < 2:
        return
    z = f"z = {order.z:.2f}"
    if statistics.unit == "block":
        of, df = (
            f"{statistics.n} blocks of about {order.segments / statistics.n:.0f} consecutive segments",
            statistics.n - 1,
        )
        if order.alike:
            yield (
                f"No document ids. Neighbouring segments {seem_correlated(order.z)} ({z}), so the test uses {of}, with "
                f"{df} degrees of freedom. Document ids would be better (one per line)."
            )
        else:
            yield f"As requested, the test uses {of}, with {df} degrees of freedom."
    elif statistics.neighbours is not None and order.known:
        yield (
            f"No document ids. The test uses segments, whose order shows no dependence ({z}). If segments of whole "
            "documents were shuffled, dependence cannot be detected."
        )


def order_facts(statistics: Statistics) -> dict[str, Any]:
    """Return what `unit_cautions` asks for of statistics."""
    order, documents = statistics.order, statistics.n_documents
    return {
        "documents": nan if documents is None else float(documents),
        "order_segments": nan if order is None else float(order.segments),
        "order_z": nan if order is None else order.z,
    }


@dataclass(frozen=True)
class Dependence:
    """Dependence within documents of one system's score, or of one difference.

    icc: intraclass correlation of the segments' influences. f_statistic, p_value: one-way ANOVA of these influences.
    error_segments, error_documents: standard errors with segments and with documents as units. design_effect: the
    square of the ratio of these errors. effective_segments: segments / design effect, at most all.
    """

    target: str
    segments: int
    documents: int
    icc: float
    f_statistic: float
    p_value: float
    error_segments: float
    error_documents: float

    @property
    def design_effect(self) -> float:
        """(SE by documents / SE by segments)²."""
        return (self.error_documents / self.error_segments) ** 2 if self.error_segments > 0 else float("nan")

    @property
    def effective_segments(self) -> float:
        """Effective number of independent segments; a design effect below 1 is taken as 1."""
        return self.segments / np.fmax(1.0, self.design_effect) if self.error_segments > 0 else float("nan")


def intraclass_correlation(values: Floats, groups: NDArray[np.integer]) -> tuple[float, float, float]:
    """Return ICC, F and its p-value of values (n,) in groups (n,), by one-way ANOVA with unequal group sizes."""
    sizes = np.bincount(groups)
    k, n = len(sizes), len(values)
    if k < 2 or n <= k:
        raise NotApplicable(f"An intraclass correlation needs two documents with several segments; found {k} and {n}.")
    means = np.bincount(groups, values) / sizes
    between = float((sizes * np.square(means - values.mean())).sum() / (k - 1))
    within = float(np.square(values - means[groups]).sum() / (n - k))
    typical = (n - np.square(sizes).sum() / n) / (k - 1)
    if within == 0:
        return (1.0 if between > 0 else float("nan")), float("inf") if between > 0 else float("nan"), float("nan")
    f = between / within
    return (between - within) / (between + (typical - 1) * within), f, float(f_above(f, k - 1, n - k))


def dependence(statistics: Statistics, system: str, other: str | None = None) -> Dependence:
    """Return the dependence within documents of a system's score, or of its difference from another score."""
    statistics = _complete(statistics, system, other)
    if statistics.document_of is None:
        raise NotApplicable("Dependence within documents cannot be measured without document ids; see block_scan.")
    documents = len(np.unique(statistics.document_of))
    if documents < MIN_DOCUMENTS:
        raise NotApplicable(
            f"{number_of(documents, 'document')} cannot show whether segments of one document are correlated; at least "
            f"{MIN_DOCUMENTS} are needed."
        )
    influence, target = _influence(statistics, system, other)
    icc, f, p = intraclass_correlation(influence, statistics.document_of)
    pooled = np.bincount(statistics.document_of, influence).astype(np.float64)
    return Dependence(target, statistics.n, len(pooled), icc, f, p, jackknife_error(influence), jackknife_error(pooled))


def _complete(statistics: Statistics, system: str, other: str | None) -> Statistics:
    """Return the statistics of the one or two systems on the segments that they have."""
    return statistics.shared_by([system] if other in (None, system) else [system, str(other)])


def _influence(statistics: Statistics, system: str, other: str | None) -> tuple[Floats, str]:
    influence: Floats = statistics.influence[statistics.row(system)]
    target = system
    if other is not None:
        influence = sign_of(statistics.metric) * (influence - statistics.influence[statistics.row(other)])
        target = f"{system} − {other}"
    if np.isnan(influence).any():
        raise NotApplicable("The jackknife is undefined here: some n-gram order has no match.")
    return influence, target


@dataclass(frozen=True, eq=False)
class BlockScan:
    """Standard error if blocks of consecutive segments are the units; arrays have shape (l,).

    lengths: segments in a block. error: standard error by blocks. ratio: this error divided by that of single segments;
    a ratio that grows with the length indicates correlated neighbours. limit: in 95% of random orders of the segments,
    the ratio is below this limit.
    """

    target: str
    lengths: NDArray[np.int64]
    error: Floats
    ratio: Floats
    limit: Floats


def block_scan(
    statistics: Statistics,
    system: str,
    other: str | None = None,
    lengths: Sequence[int] = (2, 5, 10, 20, 50),
    seed: int = 12345,
) -> BlockScan:
    """Compute how the standard error grows with blocks of segments as units.

    Only lengths that leave at least ten blocks are used. The limit comes from 200 random orders of the segments.

    Raises
    ------
    NotApplicable
        The test set is too short for blocks, or the jackknife is undefined.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import block_scan
    >>> block_scan(statistics, "direct", "via-catalan").ratio.round(2).tolist()
    [1.06, 1.12, 1.08, 1.06]
    """
    influence, target = _influence(_complete(statistics, system, other), system, other)
    n = len(influence)
    usable = [length for length in lengths if n // length >= 10]
    if not usable:
        raise NotApplicable(
            f"{n} segment{' is' if n == 1 else 's are'} too few for a block scan, which needs ten blocks of two."
        )
    single = jackknife_error(influence)
    if single == 0:
        raise NotApplicable(f"{target}: all segments contribute equally, so dependence cannot be measured.")
    orders = np.random.Generator(np.random.PCG64(seed))
    shuffled = [influence[orders.permutation(n)] for _ in range(200)]
    errors = np.array([_by_blocks(influence, length) for length in usable])
    limit = [float(np.quantile([_by_blocks(order, length) for order in shuffled], 0.95)) / single for length in usable]
    return BlockScan(target, np.array(usable), errors, errors / single, np.array(limit))


def _by_blocks(influence: Floats, length: int) -> float:
    sums = np.bincount(np.arange(len(influence)) // length, influence)
    return jackknife_error(sums - sums.mean())


def kin_doubt(statistics: Statistics, first: str, second: str) -> str:
    """Return why no margin is tested if one of two systems overlaps a reference; "" if neither does."""
    kinship = next((kinship for kinship in statistics.kinships if kinship.concerns(first, second)), None)
    return "" if kinship is None else f"{kinship.kin.fact}; test the margin against the other references only"
