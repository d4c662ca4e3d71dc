"""How lenient raters are, systems raw and standardised by rater, and the agreement of one rater with the others.

See docs/statistics/meta-eval.md, section 8. A metric at that ceiling agrees with raters as much as a rater does,
which does not make it as good as one (Proietti et al. 2025).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from mtsig._records import Count, Floats, Index, Number, Record, Result, about
from mtsig.corpus import Corpus, Judgements, Note, Rating
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import MtsigError, NotApplicable
from mtsig.meta_eval._rated_data import RatedData
from mtsig.meta_eval._statistic import Groups, Statistic, TauB, groups_of, sums_redrawn, undefined_text
from mtsig.resampling import Bootstrap

FEWEST_RATINGS = 10
"""A judge with fewer ratings than this has no mean and spread to be standardised by."""


def design(judgements: Judgements, systems: int) -> Index:
    """Return how many judgements each judge gave of each system; shape (j, s).

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.meta_eval._leniency import design
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> judgements = Judgements.of(given)
    >>> design(judgements, 3).tolist()
    [[40, 40, 40], [40, 40, 40]]
    """
    cell = judgements.judge.astype(np.int64) * systems + judgements.system
    return np.bincount(cell, minlength=len(judgements.judges) * systems).reshape(-1, systems)


@dataclass(frozen=True, eq=False)
class Standardised:
    """Judgements as z, and the judges who were left out because they gave too few, or always the same."""

    judgements: Judgements
    left_out: tuple[str, ...]


def standardised(judgements: Judgements) -> Standardised:
    """Return every judgement as (x − mean)/SD of its judge, SD with n − 1.

    Judges with fewer than ten ratings, or whose ratings are all equal, are left out. Where judges saw different
    systems, this takes away true differences between systems, too: look at `design`.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.meta_eval._leniency import standardised
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> judgements = Judgements.of(given)
    >>> standardised(judgements).left_out
    ()
    """
    j = len(judgements.judges)
    count = np.bincount(judgements.judge, minlength=j)
    mean = np.bincount(judgements.judge, judgements.value, minlength=j) / np.maximum(count, 1)
    away = judgements.value - mean[judgements.judge]
    spread = np.sqrt(np.bincount(judgements.judge, away**2, minlength=j) / np.maximum(count - 1, 1))
    kept = (count >= FEWEST_RATINGS) & (spread > 1e-9 * np.maximum(1.0, np.abs(mean)))
    chosen = kept[judgements.judge]
    values = replace(judgements, value=away / np.where(spread > 0, spread, 1.0)[judgements.judge]).where(chosen)
    left_out = [
        name for name, kept_one, ratings in zip(judgements.judges, kept, count, strict=True) if ratings and not kept_one
    ]
    return Standardised(values, tuple(left_out))


@dataclass(frozen=True)
class JudgeLevel(Record):
    """How lenient one judge is."""

    rater: Annotated[str, about("The rater.")]
    leniency: Annotated[
        Number, about("By how much this judge's values are higher than the mean judge's, systems being equal.")
    ]
    standard_error: Annotated[Number, about("Its standard error over redrawn segments or documents.")]
    ratings: Annotated[Count, about("How many values this judge gave.")]
    residuals: Annotated[
        tuple[float, ...], about("By system: mean of the values less what system and judge explain; null where none.")
    ]


@dataclass(frozen=True, eq=False)
class Leniency(Result):
    """How lenient the judges are, and what the systems score once that is taken out.

    systems: positions of the systems that were judged. scores: shape (systems,), their level at the mean judge.
    by_segment: whether the segments' own level was taken out, too. unit: what was redrawn. undefined: redraws in which
    systems and judges were no longer connected.
    """

    levels: tuple[JudgeLevel, ...]
    systems: tuple[int, ...]
    scores: Floats
    by_segment: bool
    unit: str
    undefined: int
    notes: tuple[Note, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per judge."""
        return [level.row() for level in self.levels]


def leniency(
    judgements: Judgements,
    names: Sequence[str],
    *,
    documents: Sequence[str] | None = None,
    scheme: Bootstrap | None = None,
) -> Leniency:
    """Return how lenient every judge is: least squares of x = system + judge, the judges' effects summing to 0.

    Where the judges rated the same segments, or chains of shared segments connect them, segments have effects of their
    own. Standard errors are those of redrawn segments or documents, each with all its systems and judges.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.meta_eval import leniency
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> judgements = Judgements.of(given)
    >>> [(level.rater, round(level.leniency, 1)) for level in leniency(judgements, ["A", "B", "C"]).levels]
    [('Ann', -0.5), ('Bo', 0.5)]

    Args:
        judgements: who gave which value.
        names: the systems, in the order of the rating's rows.
        documents: the document of each segment; redrawn as wholes where at least ten have judgements.
        scheme: draws, seed and unit.

    Raises:
        NotApplicable: there is one judge alone, or systems and judges fall into parts that nothing connects.
    """
    scheme = Bootstrap() if scheme is None else scheme
    used, judge = np.unique(judgements.judge, return_inverse=True)
    there, system = np.unique(judgements.system, return_inverse=True)
    judges = [judgements.judges[int(number)] for number in used]
    if len(judges) < 2:
        raise NotApplicable(f"Leniency compares judges; found {number_of(len(judges), 'judge')}.")
    s = len(there)
    _check_connected(system, judge, [names[int(number)] for number in there], judges)
    groups = groups_of(judgements, documents, scheme.unit)
    _check_memory(s + len(judges), groups)
    value = judgements.value - judgements.value.mean()
    # Where judges share no segments, taking out the segments' own level would take the judges' out, too.
    for segments in (np.unique(judgements.segment, return_inverse=True)[1], None):
        table = _normal_equations(system, s + judge, value, segments, groups)
        effects = _solved(table.sum(axis=1)[:, None], s, segments is not None)[:, 0]
        if not np.isnan(effects).any():
            break
    draws = sums_redrawn(table, scheme, lambda sums: _solved(sums, s, segments is not None))
    known = draws[:, ~np.isnan(draws).any(axis=0)]
    undefined = draws.shape[1] - known.shape[1]
    errors = known.std(axis=1, ddof=1) if known.shape[1] > 1 else np.full(len(effects), np.nan)
    left = value - effects[system] - effects[s + judge]
    if segments is not None:
        left -= (np.bincount(segments, left) / np.bincount(segments))[segments]
    ratings = np.bincount(judge * s + system, minlength=len(judges) * s).reshape(-1, s)
    residuals = np.bincount(judge * s + system, left, minlength=ratings.size).reshape(ratings.shape)
    residuals = np.divide(residuals, ratings, out=np.full(residuals.shape, np.nan), where=ratings > 0)
    levels = JudgeLevel.of_columns(
        len(judges),
        rater=judges,
        leniency=effects[s:],
        standard_error=errors[s:],
        ratings=ratings.sum(axis=1),
        residuals=[tuple(row) for row in residuals.tolist()],
    )
    notes = []
    if warning := undefined_text(undefined, draws.shape[1]):
        notes.append(Note("warning", f"{warning}."))
    if segments is None:
        text = "Judges share too few segments to take out how hard these are: judges of easier segments look lenient."
        notes.append(Note("note", text))
    scores = effects[:s] + judgements.value.mean()
    return Leniency(levels, tuple(there.tolist()), scores, segments is not None, groups.unit, undefined, tuple(notes))


def _check_connected(system: Index, judge: Index, systems: Sequence[str], judges: Sequence[str]) -> None:
    """Raise NotApplicable where judges and systems fall into parts, and name them."""
    # Here and not above: they take longer to load than most scores to count.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    s = len(systems)
    edges = (np.ones(len(system)), (system, s + judge))
    size = s + len(judges)
    count, part = connected_components(coo_array(edges, shape=(size, size)), directed=False)
    if count == 1:
        return
    said = []
    for number in range(count):
        rated = [name for name, part_of in zip(systems, part[:s], strict=True) if part_of == number]
        by = [name for name, part_of in zip(judges, part[s:], strict=True) if part_of == number]
        said.append(f"{listed(by)} rated {listed(rated)}")
    raise NotApplicable(
        f"Judges and systems fall into {count} parts that nothing connects: {'; '.join(said)}. Whether a judge is "
        "lenient or a system good cannot be told apart between them."
    )


MOST_NUMBERS = 2**26
"""Numbers that the normal equations of all groups may take, half a gigabyte."""


def _check_memory(effects: int, groups: Groups) -> None:
    if effects**2 * groups.count > MOST_NUMBERS:
        raise NotApplicable(
            f"{effects} systems and judges on {groups.count:,} {groups.unit}s do not fit in memory; choose some of the "
            "judges, or give documents."
        )


def _normal_equations(system: Index, judge: Index, value: Floats, segments: Index | None, groups: Groups) -> Floats:
    """Return XᵀX and Xᵀy of every group, shape (p² + p, g); rows are centred within segments where these are given."""
    p = int(judge.max()) + 1
    equations = np.empty((p * p + p, groups.count))
    order = np.argsort(groups.of, kind="stable")
    ends = np.cumsum(np.bincount(groups.of, minlength=groups.count))
    for group, rows in enumerate(np.split(order, ends[:-1])):
        table = np.zeros((len(rows), p + 1))
        table[np.arange(len(rows)), system[rows]] = 1.0
        table[np.arange(len(rows)), judge[rows]] = 1.0
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

    Judges' effects sum to 0, and those of the systems, too, where segments have levels of their own.
    """
    p = int(np.sqrt(len(sums)))
    matrix, right = sums[: p * p].T.reshape(-1, p, p), sums[p * p :].T
    size = np.trace(matrix, axis1=1, axis2=2)[:, None, None] / p
    judges = np.arange(p) >= s
    constraint = np.outer(judges, judges) / judges.sum()
    if by_segment:
        constraint = constraint + np.outer(~judges, ~judges) / s
    roots, axes = np.linalg.eigh(matrix + size * constraint)
    held = roots[:, :1] > _SINGULAR * np.maximum(roots[:, -1:], 1e-300)
    turned = np.einsum("bij,bi->bj", axes, right) / np.where(held, roots, np.nan)
    return np.asarray(np.einsum("bij,bj->ib", axes, turned))


@dataclass(frozen=True)
class OnBothScales(Record):
    """One system's mean over judgements, raw and from values standardised by judge."""

    system: Annotated[str, about("The system.")]
    raw: Annotated[Number, about("Mean of the values that judges gave it; null where none did.")]
    standardised: Annotated[Number, about("Mean of (x − mean)/SD of each value's judge; null without such a value.")]


@dataclass(frozen=True, eq=False)
class BothScales(Result):
    """The systems on both scales.

    tau: Kendall's τ_b of the two orders, NaN where one of them ties all. left_out: judges whose values cannot be
    standardised: they gave too few, or always the same.
    """

    systems: tuple[OnBothScales, ...]
    tau: float
    left_out: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per system."""
        return [system.row() for system in self.systems]


def both_scales(judgements: Judgements, names: Sequence[str]) -> BothScales:
    """Return the systems' means of raw values and of those standardised by judge, and how alike the two orders are.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.meta_eval._leniency import both_scales
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> both_scales(Judgements.of(given), ["A", "B", "C"]).tau
    1.0

    Args:
        judgements: who gave which value.
        names: of all systems, by position.
    """
    by_judge = standardised(judgements)
    raw, z = (_means(values, len(names)) for values in (judgements, by_judge.judgements))
    order = TauB()
    tau = float(order.ratio(order.terms(raw[:, None], z[:, None]).sum(axis=1))[0])
    rows = (OnBothScales(*row) for row in zip(names, raw.tolist(), z.tolist(), strict=True))
    return BothScales(tuple(rows), tau, by_judge.left_out)


def _means(judgements: Judgements, systems: int) -> Floats:
    total, count = (np.bincount(judgements.system, weights, minlength=systems) for weights in (judgements.value, None))
    return np.asarray(np.divide(total, count, out=np.full(systems, np.nan), where=count > 0))


@dataclass(frozen=True)
class JudgeAsMetric(Record):
    """One judge held against the mean of the others, as a metric is held against people."""

    rater: Annotated[str, about("The rater.")]
    value: Annotated[Number, about("The statistic; null where it has no value.")]
    outputs: Annotated[Count, about("Outputs that this judge and at least one other judged.")]
    reason: Annotated[str, about("Why there is no value; empty where there is one.")] = ""


@dataclass(frozen=True, eq=False)
class Ceiling(Result):
    """Every judge against the others; value: the mean over the judges that have one."""

    statistic: str
    judges: tuple[JudgeAsMetric, ...]

    @property
    def value(self) -> float:
        """The ceiling: the mean over the judges, NaN where none has a value."""
        known = [judge.value for judge in self.judges if judge.value == judge.value]
        return float(np.mean(known)) if known else float("nan")

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per judge."""
        return [judge.row() for judge in self.judges]


def ceiling(corpus: Corpus, rating: str, statistic: Statistic) -> Ceiling:
    """Return how well each judge of a rating agrees with the mean of the others.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.meta_eval import STATISTICS, ceiling
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> rating = mtsig.Rating(np.mean(list(given.values()), axis=0), True, judgements=Judgements.of(given))
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABC"), ratings={"esa": rating})
    >>> round(ceiling(corpus, "esa", STATISTICS["pearson"]).value, 2)
    1.0

    Args:
        corpus: it has the rating.
        rating: the rating's name in the corpus.
        statistic: how metrics are judged, such as STATISTICS["spa"].

    Raises:
        NotApplicable: it is not known who rated what, or there is one judge alone.
    """
    judgements = corpus.ratings[rating].judgements
    judgements = None if judgements is None else judgements.signed
    if judgements is None or len(judgements.judges) < 2:
        raise NotApplicable(f"{rating}: a judge is held against the others, and only one is known.")
    shape, higher = corpus.ratings[rating].values.shape, corpus.ratings[rating].higher_is_better
    values = []
    for number, judge in enumerate(judgements.judges):
        own = means(judgements.where(judgements.judge == number), shape)
        others = means(judgements.where(judgements.judge != number), shape)
        both = int(np.count_nonzero(~np.isnan(own) & ~np.isnan(others)))
        value, reason = float("nan"), ""
        try:
            ratings = {"others": Rating(others, higher), "judge": Rating(own, higher)}
            alone = Corpus.of(dict.fromkeys(corpus.systems), ratings=ratings, documents=corpus.documents)
            judged = RatedData.of(alone, "rating:others", ["rating:judge"], humans="include")
            value = statistic.value(judged, "judge")
            reason = statistic.undefined(judged, "judge") if np.isnan(value) else ""
        except MtsigError as error:
            reason = str(error)
        values.append(JudgeAsMetric(judge, value, both, reason))
    return Ceiling(statistic.name, tuple(values))


def means(judgements: Judgements, shape: tuple[int, ...]) -> Floats:
    """Return the mean over judges of every output, each judge's values of it counting once; NaN where there is none."""
    systems, segments = shape
    cell = judgements.system.astype(np.int64) * segments + judgements.segment
    seen, of_seen = np.unique(cell * len(judgements.judges) + judgements.judge, return_inverse=True)
    by_judge = np.bincount(of_seen, judgements.value) / np.bincount(of_seen) if len(seen) else np.zeros(0)
    place = seen // len(judgements.judges)
    total = np.bincount(place, by_judge, minlength=systems * segments)
    count = np.bincount(place, minlength=systems * segments)
    values = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return np.asarray(values.reshape(shape))
