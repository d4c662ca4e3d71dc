"""How lenient raters are, systems raw and standardised by rater, and the agreement of one rater with the others.

See docs/statistics/meta-eval.md, section 8. A metric at that ceiling agrees with raters as much as a rater does,
which does not make it as good as one (Proietti et al. 2025).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from mtsig._records import Count, Floats, Index, Number, Record, about
from mtsig._results import Result
from mtsig.corpus import Corpus, Note, RaterScores, Rating
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import MtsigError, NotApplicable
from mtsig.inference._raters import Groups, groups_of
from mtsig.meta_eval._rated_data import RatedData
from mtsig.meta_eval._statistic import Statistic, TauB, sums_redrawn, undefined_text
from mtsig.resampling import Bootstrap

FEWEST_RATINGS = 10
"""A rater with fewer ratings than this has no mean and spread to be standardised by."""


def design(rater_scores: RaterScores, systems: int) -> Index:
    """Return how many ratings each rater gave of each system; shape (j, s)."""
    cell = rater_scores.rater.astype(np.int64) * systems + rater_scores.system
    return np.bincount(cell, minlength=len(rater_scores.raters) * systems).reshape(-1, systems)


@dataclass(frozen=True, eq=False)
class Standardised:
    """Ratings as z, and the raters who were left out because they gave too few, or always the same."""

    rater_scores: RaterScores
    left_out: tuple[str, ...]


def standardised(rater_scores: RaterScores) -> Standardised:
    """Return every rating as (x − mean)/SD of its rater, SD with n − 1.

    Raters with fewer than ten ratings, or whose ratings are all equal, are left out. Where raters saw different
    systems, this takes away true differences between systems, too: look at `design`.
    """
    j = len(rater_scores.raters)
    count = np.bincount(rater_scores.rater, minlength=j)
    mean = np.bincount(rater_scores.rater, rater_scores.value, minlength=j) / np.maximum(count, 1)
    away = rater_scores.value - mean[rater_scores.rater]
    spread = np.sqrt(np.bincount(rater_scores.rater, away**2, minlength=j) / np.maximum(count - 1, 1))
    kept = (count >= FEWEST_RATINGS) & (spread > 1e-9 * np.maximum(1.0, np.abs(mean)))
    chosen = kept[rater_scores.rater]
    values = replace(rater_scores, value=away / np.where(spread > 0, spread, 1.0)[rater_scores.rater]).where(chosen)
    left_out = [
        name for name, kept_one, given in zip(rater_scores.raters, kept, count, strict=True) if given and not kept_one
    ]
    return Standardised(values, tuple(left_out))


@dataclass(frozen=True)
class RaterLevel(Record):
    """How lenient one rater is."""

    rater: Annotated[str, about("The rater.")]
    leniency: Annotated[
        Number, about("How much higher this rater's values are than the average rater's, adjusted for systems.")
    ]
    standard_error: Annotated[Number, about("Standard error of the leniency (segments or documents resampled).")]
    ratings: Annotated[Count, about("Number of values that this rater gave.")]
    residuals: Annotated[
        tuple[float, ...],
        about("By system: mean residual after removing system and rater effects; null without ratings."),
    ]


@dataclass(frozen=True, eq=False)
class Leniency(Result):
    """How lenient the raters are, and what the systems score once that is taken out.

    systems: positions of the systems that were rated. scores: shape (systems,), their level at the mean rater.
    by_segment: whether the segments' own level was taken out. unit: what was resampled. undefined: resamples in which
    systems and raters were no longer connected.
    """

    listed = "levels"
    levels: tuple[RaterLevel, ...]
    systems: tuple[int, ...]
    scores: Floats
    by_segment: bool
    unit: str
    undefined: int
    notes: tuple[Note, ...] = ()


def leniency(
    rater_scores: RaterScores,
    names: Iterable[str],
    *,
    documents: Sequence[str] | None = None,
    scheme: Bootstrap | None = None,
) -> Leniency:
    """Estimate each rater's leniency by least squares of score = system + rater.

    The model includes segment effects if shared segments connect all raters. Standard errors come from resampled
    segments or documents, each with all its systems and raters.

    Parameters
    ----------
    rater_scores
        The scores that each rater gave.
    names
        The names of the systems, in the order of the rating's rows, such as `corpus.systems`.
    documents
        The document of each segment. Documents are resampled as a whole if at least ten have ratings.
    scheme
        The number of resamples, the seed and the resampling unit.

    Raises
    ------
    NotApplicable
        There is only one rater, or no rater links two groups of systems.

    Examples
    --------
    >>> from mtsig.meta_eval import leniency
    >>> [(level.rater, round(level.leniency, 1)) for level in leniency(rater_scores, ["A", "B", "C"]).levels]
    [('Ann', -0.5), ('Bo', 0.5)]
    """
    scheme = Bootstrap() if scheme is None else scheme
    used, rater = np.unique(rater_scores.rater, return_inverse=True)
    there, system = np.unique(rater_scores.system, return_inverse=True)
    raters = [rater_scores.raters[int(number)] for number in used]
    if len(raters) < 2:
        raise NotApplicable(f"Leniency compares raters; found {number_of(len(raters), 'rater')}.")
    s = len(there)
    called = list(names)
    _check_connected(system, rater, [called[int(number)] for number in there], raters)
    groups = groups_of(rater_scores, documents, scheme.unit)
    _check_memory(s + len(raters), groups)
    _check_time(s + len(raters), scheme.n_draws)
    value = rater_scores.value - rater_scores.value.mean()
    # Where raters share no segments, taking out the segments' own level would take the raters' out, too.
    for segments in (np.unique(rater_scores.segment, return_inverse=True)[1], None):
        table = _normal_equations(system, s + rater, value, segments, groups)
        effects = _solved(table.sum(axis=1)[:, None], s, segments is not None)[:, 0]
        if not np.isnan(effects).any():
            break
    draws = sums_redrawn(table, scheme, lambda sums: _solved(sums, s, segments is not None))
    known = draws[:, ~np.isnan(draws).any(axis=0)]
    undefined = draws.shape[1] - known.shape[1]
    errors = known.std(axis=1, ddof=1) if known.shape[1] > 1 else np.full(len(effects), np.nan)
    left = value - effects[system] - effects[s + rater]
    if segments is not None:
        left -= (np.bincount(segments, left) / np.bincount(segments))[segments]
    ratings = np.bincount(rater * s + system, minlength=len(raters) * s).reshape(-1, s)
    residuals = np.bincount(rater * s + system, left, minlength=ratings.size).reshape(ratings.shape)
    residuals = np.divide(residuals, ratings, out=np.full(residuals.shape, np.nan), where=ratings > 0)
    levels = RaterLevel.of_columns(
        len(raters),
        rater=raters,
        leniency=effects[s:],
        standard_error=errors[s:],
        ratings=ratings.sum(axis=1),
        residuals=[tuple(row) for row in residuals.tolist()],
    )
    notes = []
    if warning := undefined_text(undefined, draws.shape[1]):
        notes.append(Note("warning", f"{warning}."))
    if segments is None:
        text = (
            "Raters share too few segments to adjust for their difficulty, so raters of easy segments appear lenient."
        )
        notes.append(Note("note", text))
    scores = effects[:s] + rater_scores.value.mean()
    return Leniency(levels, tuple(there.tolist()), scores, segments is not None, groups.unit, undefined, tuple(notes))


def _check_connected(system: Index, rater: Index, systems: Sequence[str], raters: Sequence[str]) -> None:
    """Raise NotApplicable where raters and systems fall into parts, and name them."""
    # Here and not above: they take longer to load than most scores to count.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    s = len(systems)
    edges = (np.ones(len(system)), (system, s + rater))
    size = s + len(raters)
    count, part = connected_components(coo_array(edges, shape=(size, size)), directed=False)
    if count == 1:
        return
    said = []
    for number in range(min(count, _NAMED)):
        rated = [name for name, part_of in zip(systems, part[:s], strict=True) if part_of == number]
        by = [name for name, part_of in zip(raters, part[s:], strict=True) if part_of == number]
        said.append(f"{_first_of(by)} rated {_first_of(rated)}")
    said += ["…"] if count > _NAMED else []
    raise NotApplicable(
        f"Raters and systems form {count} unconnected groups: {'; '.join(said)}. Between groups, lenient raters cannot "
        "be distinguished from good systems."
    )


_NAMED = 5
"""Parts, raters and systems that a message names."""


def _first_of(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= _NAMED else f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"


_MOST_COMPARED, _FOR_A_RATER = 2**27, 20_000
"""Outputs that are looked at where each rater is compared with the others; a rater costs as much as so many."""

MOST_NUMBERS = 2**26
"""Numbers that the normal equations of all groups may take, half a gigabyte."""


def _check_memory(effects: int, groups: Groups) -> None:
    if effects**2 * groups.count > MOST_NUMBERS:
        raise NotApplicable(
            f"{effects} systems and raters on {groups.count:,} {groups.unit}s do not fit in memory; choose some of the "
            "raters, or give documents."
        )


_MOST_SOLVED = 2**35
"""Resamples times the cube of systems and raters: each costs some nanoseconds, all of them a minute or two."""


def _check_time(effects: int, draws: int) -> None:
    if effects**3 * draws > _MOST_SOLVED:
        raise NotApplicable(
            f"{draws:,} resamples of the effects of {effects:,} systems and raters take too long; at most "
            f"{_MOST_SOLVED // effects**3:,} resamples are possible. Ask for fewer, or choose some of the raters.",
            "--resamples N",
        )


def _normal_equations(system: Index, rater: Index, value: Floats, segments: Index | None, groups: Groups) -> Floats:
    """Return XᵀX and Xᵀy of every group, shape (p² + p, g); rows are centred within segments where these are given."""
    p = int(rater.max()) + 1
    equations = np.empty((p * p + p, groups.count))
    order = np.argsort(groups.of, kind="stable")
    ends = np.cumsum(np.bincount(groups.of, minlength=groups.count))
    for group, rows in enumerate(np.split(order, ends[:-1])):
        table = np.zeros((len(rows), p + 1))
        table[np.arange(len(rows)), system[rows]] = 1.0
        table[np.arange(len(rows)), rater[rows]] = 1.0
        table[:, p] = value[rows]
        if segments is not None:
            _, own = np.unique(segments[rows], return_inverse=True)
            means = np.zeros((int(own.max()) + 1, p + 1))
            np.add.at(means, own, table)
            table -= (means / np.bincount(own)[:, None])[own]
        product = table[:, :p].T @ table
        equations[:, group] = np.concatenate([product[:, :p].ravel(), product[:, p]])
    return equations


_SINGULAR = 1e-9


def _solved(sums: Floats, s: int, by_segment: bool) -> Floats:
    """Return the effects of b sets of normal equations: (p² + p, b) give (p, b), NaN where they are not determined.

    Raters' effects sum to 0, and those of the systems, too, where segments have levels of their own.
    """
    p = int(np.sqrt(len(sums)))
    matrix, right = sums[: p * p].T.reshape(-1, p, p), sums[p * p :].T
    size = np.trace(matrix, axis1=1, axis2=2)[:, None, None] / p
    raters = np.arange(p) >= s
    constraint = np.outer(raters, raters) / raters.sum()
    if by_segment:
        constraint = constraint + np.outer(~raters, ~raters) / s
    roots, axes = np.linalg.eigh(matrix + size * constraint)
    held = roots[:, :1] > _SINGULAR * np.maximum(roots[:, -1:], 1e-300)
    turned = np.einsum("bij,bi->bj", axes, right) / np.where(held, roots, np.nan)
    return np.asarray(np.einsum("bij,bj->ib", axes, turned))


@dataclass(frozen=True)
class OnBothScales(Record):
    """One system's mean over ratings, raw and from values standardised by rater."""

    system: Annotated[str, about("The system.")]
    raw: Annotated[Number, about("Mean of all ratings of the system; null if none.")]
    standardised: Annotated[Number, about("Mean of the ratings standardised by rater, (x − mean)/SD, or null.")]


@dataclass(frozen=True, eq=False)
class BothScales(Result):
    """The systems on both scales.

    tau: Kendall's τ_b of the two orders, NaN where one of them ties all. left_out: raters whose values cannot be
    standardised: they gave too few, or always the same.
    """

    listed = "systems"
    systems: tuple[OnBothScales, ...]
    tau: float
    left_out: tuple[str, ...]


def both_scales(rater_scores: RaterScores, names: Sequence[str]) -> BothScales:
    """Return the systems' means of raw values and of those standardised by rater, and how alike the two orders are."""
    by_rater = standardised(rater_scores)
    raw, z = (_means(values, len(names)) for values in (rater_scores, by_rater.rater_scores))
    order = TauB()
    tau = float(order.ratio(order.terms(raw[:, None], z[:, None]).sum(axis=1))[0])
    rows = (OnBothScales(*row) for row in zip(names, raw.tolist(), z.tolist(), strict=True))
    return BothScales(tuple(rows), tau, by_rater.left_out)


def _means(rater_scores: RaterScores, systems: int) -> Floats:
    total, count = (
        np.bincount(rater_scores.system, weights, minlength=systems) for weights in (rater_scores.value, None)
    )
    return np.asarray(np.divide(total, count, out=np.full(systems, np.nan), where=count > 0))


@dataclass(frozen=True)
class RaterAsMetric(Record):
    """One rater held against the mean of the others, as a metric is held against people."""

    rater: Annotated[str, about("The rater.")]
    value: Annotated[Number, about("Value of the statistic; null if it is undefined.")]
    outputs: Annotated[Count, about("Number of outputs that this rater and at least one other rated.")]
    reason: Annotated[str, about("Why the statistic has no value; empty if it has one.")] = ""


@dataclass(frozen=True, eq=False)
class Ceiling(Result):
    """Every rater against the others; value: the mean over the raters that have one."""

    listed = "raters"
    statistic: str
    raters: tuple[RaterAsMetric, ...]

    @property
    def value(self) -> float:
        """The ceiling: the mean over the raters, NaN where none has a value."""
        known = [rater.value for rater in self.raters if rater.value == rater.value]
        return float(np.mean(known)) if known else float("nan")


def ceiling(corpus: Corpus, rating: str, statistic: Statistic) -> Ceiling:
    """Compute how well each rater agrees with the mean of the other raters.

    Parameters
    ----------
    corpus
        The corpus that contains the rating.
    rating
        The rating's name in the corpus.
    statistic
        The statistic that measures agreement, such as `STATISTICS["spa"]`.

    Raises
    ------
    NotApplicable
        The rating has no rater ids, or there is only one rater.

    Examples
    --------
    >>> from mtsig.meta_eval import STATISTICS, ceiling
    >>> rating = mtsig.Rating(np.zeros((3, 40)), higher_is_better=True, rater_scores=rater_scores)
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABC"), ratings={"esa": rating})
    >>> round(ceiling(corpus, "esa", STATISTICS["pearson"]).value, 2)
    1.0
    """
    rater_scores = corpus.ratings[rating].rater_scores
    rater_scores = None if rater_scores is None else rater_scores.signed
    if rater_scores is None or len(rater_scores.raters) < 2:
        raise NotApplicable(f"{rating}: a rater can only be compared with other raters, but there is just one.")
    shape, higher = corpus.ratings[rating].values.shape, corpus.ratings[rating].higher_is_better
    if len(rater_scores.raters) * (shape[0] * shape[1] + _FOR_A_RATER) > _MOST_COMPARED:
        raise NotApplicable(
            f"{rating}: comparing each of {len(rater_scores.raters):,} raters with the others takes too long; choose "
            "some of the raters."
        )
    values = []
    for number, rater in enumerate(rater_scores.raters):
        own = means(rater_scores.where(rater_scores.rater == number), shape)
        others = means(rater_scores.where(rater_scores.rater != number), shape)
        both = int(np.count_nonzero(~np.isnan(own) & ~np.isnan(others)))
        value, reason = float("nan"), ""
        try:
            ratings = {"others": Rating(others, higher), "rater": Rating(own, higher)}
            alone = Corpus.of(dict.fromkeys(corpus.systems), ratings=ratings, documents=corpus.documents)
            rated = RatedData.of(alone, "rating:others", ["rating:rater"], humans="include")
            value = statistic.value(rated, "rater")
            reason = statistic.undefined(rated, "rater") if np.isnan(value) else ""
        except MtsigError as error:
            reason = str(error)
        values.append(RaterAsMetric(rater, value, both, reason))
    return Ceiling(statistic.name, tuple(values))


def means(rater_scores: RaterScores, shape: tuple[int, ...]) -> Floats:
    """Return the mean over raters of every output, each rater's values of it counting once; NaN where there is none."""
    systems, segments = shape
    cell = rater_scores.system.astype(np.int64) * segments + rater_scores.segment
    seen, of_seen = np.unique(cell * len(rater_scores.raters) + rater_scores.rater, return_inverse=True)
    by_rater = np.bincount(of_seen, rater_scores.value) / np.bincount(of_seen) if len(seen) else np.zeros(0)
    place = seen // len(rater_scores.raters)
    total = np.bincount(place, by_rater, minlength=systems * segments)
    count = np.bincount(place, minlength=systems * segments)
    values = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return np.asarray(values.reshape(shape))
