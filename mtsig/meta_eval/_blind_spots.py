"""Blind spots of a metric: systems that it underrates, and pairs and outputs that it cannot tell apart and people can.

Callison-Burch et al. (2006) saw them in BLEU; docs/statistics/meta-eval.md, section 10.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from mtsig._probability import check_level, t_above
from mtsig._records import Floats, Number, Record, about
from mtsig._results import Result
from mtsig.corpus import Note
from mtsig.errors import NotApplicable
from mtsig.inference import Family, smallest_detectable
from mtsig.inference._margins import against_margin
from mtsig.inference._verdict import verdict
from mtsig.meta_eval._rated_data import RatedData, equal
from mtsig.meta_eval._statistic import redraws
from mtsig.meta_eval._systems import OUTLYING
from mtsig.resampling import Bootstrap

FEWEST_SYSTEMS = 6
"""Through fewer no line shows who lies off it."""


@dataclass(frozen=True)
class Residual(Record):
    """How far one system's rating by people lies from what its score by a metric suggests."""

    metric: Annotated[str, about("The metric.")]
    system: Annotated[str, about("The system.")]
    residual: Annotated[
        Number,
        about("Human score minus the score predicted from the metric. Above 0, the metric underrates the system."),
    ]
    ci_low: Annotated[Number, about("Lower end of the percentile interval (segments or documents resampled).")]
    ci_high: Annotated[Number, about("Its upper end.")]
    mads: Annotated[Number, about("The residual divided by a robust standard deviation (1.4826 MAD).")]
    flag: Annotated[
        Literal["underrated", "overrated", ""], about("Empty if the residual is small or its interval includes 0.")
    ]
    studentized: Annotated[
        Number, about("Externally studentised residual of least squares; two similar outliers can mask each other.")
    ]
    studentized_p: Annotated[Number, about("p-value of this residual (t with s − 3 df), corrected by Bonferroni.")]


@dataclass(frozen=True, eq=False)
class Underrated(Result):
    """The residuals of all systems about the Theil–Sen line; slope: people's points per point of the metric."""

    listed = "residuals"
    metric: str
    slope: float
    residuals: tuple[Residual, ...]
    notes: tuple[Note, ...] = ()


def theil_sen(scores: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Return slopes and residuals: the median of the pairs' slopes, and what is left around the median.

    Shape (s, b) gives (b,) and (s, b). Pairs with equal scores of the metric have no slope; NaN where none has.
    """
    first, second = np.triu_indices(len(scores), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        tied = equal(scores[first], scores[second])
        slopes = np.where(tied, np.nan, (human[first] - human[second]) / (scores[first] - scores[second]))
    slopes_of = np.full(slopes.shape[1:], np.nan)
    some = ~np.isnan(slopes).all(axis=0)
    slopes_of[some] = np.nanmedian(slopes[:, some], axis=0)
    left = human - slopes_of * scores
    return slopes_of, left - np.median(left, axis=0)


def underrated(rated: RatedData, metric: str, *, level: float = 0.95, scheme: Bootstrap | None = None) -> Underrated:
    """Find systems that human raters rank higher, or lower, than a metric does.

    A system is flagged if its residual from the Theil–Sen line exceeds 2.5 robust standard deviations and its interval
    excludes 0. The interval resamples segments (documents, if there are ten) and refits the line each time.

    Parameters
    ----------
    rated
        Human ratings and metric scores.
    metric
        The name of the metric.
    level
        Coverage of the intervals.
    scheme
        The number of resamples, the seed and the resampling unit.

    Raises
    ------
    NotApplicable
        There are fewer than six systems, the metric scores all systems equally, or it has system-level scores only.

    Examples
    --------
    >>> from mtsig.meta_eval import underrated
    >>> from mtsig.resampling import Bootstrap
    >>> round(underrated(rated, "near", scheme=Bootstrap(100)).slope, 2)
    0.99
    """
    check_level(level)
    scheme = Bootstrap() if scheme is None else scheme
    whole = rated.whole(metric)
    if whole:
        raise NotApplicable(
            f"There are only system-level scores of {whole}, so no segments can be resampled, and underrated systems "
            "cannot be detected."
        )
    s = len(rated.systems)
    if s < FEWEST_SYSTEMS:
        raise NotApplicable(f"At least {FEWEST_SYSTEMS} systems are needed to detect underrated ones; found {s}.")
    scores, human = rated.system_scores(metric), rated.system_scores(rated.human.name)
    slope, left = (column[..., 0] for column in theil_sen(scores[:, None], human[:, None]))
    if np.isnan(slope):
        raise NotApplicable(f"All systems have the same {metric}, so the metric predicts nothing.")
    spread = 1.4826 * float(np.median(np.abs(left)))
    close = spread <= 1e-9 * max(1.0, float(np.abs(human).max()))
    mads = np.full(s, np.nan) if close else left / spread
    draws = [
        theil_sen(*(redraw.system_scores(rated, name) for name in (metric, rated.human.name)))[1]
        for redraw in redraws(rated, "segments", scheme.n_draws, scheme.seed, scheme.unit)
    ]
    low, high = np.nanquantile(np.concatenate(draws, axis=1), [(1 - level) / 2, (1 + level) / 2], axis=1)
    flags = [
        ("underrated" if residual > 0 else "overrated") if abs(residual) > OUTLYING and (below > 0 or above < 0) else ""
        for residual, below, above in zip(mads.tolist(), low.tolist(), high.tolist(), strict=True)
    ]
    studentized = _studentized(scores, human)
    p = np.minimum(1.0, 2 * s * t_above(np.abs(studentized), s - 3))
    notes: tuple[Note, ...] = ()
    if close:
        text = "Half of the systems lie exactly on the fitted line, so residuals cannot be standardised."
        notes = (Note("warning", text),)
    residuals = Residual.of_columns(
        s, metric=metric, system=rated.systems, residual=left, ci_low=low, ci_high=high, mads=mads, flag=flags,
        studentized=studentized, studentized_p=p,
    )  # fmt: skip
    return Underrated(metric, float(slope), residuals, notes)


def _studentized(scores: Floats, human: Floats) -> Floats:
    """Return externally studentised residuals of least squares (Cook and Weisberg 1982, section 2.2)."""
    s = len(scores)
    x = scores - scores.mean()
    squares = float(np.square(x).sum())
    left = human - human.mean() - x * float((x * human).sum()) / squares
    leverage = 1 / s + x**2 / squares
    rest = 1 - leverage
    # A system alone at its end lies on the line whatever it scores.
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (float(np.square(left).sum()) - left**2 / rest) / (s - 3)
        return np.where((rest > 1e-12) & (variance > 0), left / np.sqrt(variance * rest), np.nan)


@dataclass(frozen=True)
class SameScore(Record):
    """Two systems that a metric does not tell apart, and people do."""

    better: Annotated[str, about("The system with the higher human score.")]
    worse: Annotated[str, about("The other.")]
    human_difference: Annotated[Number, about("Difference of the human scores, better minus worse.")]
    metric_difference: Annotated[Number, about("Difference of the metric scores, better minus worse.")]
    why: Annotated[
        Literal["equivalent", "below what could be found"],
        about("equivalent: within the margin, by TOST; below what could be found: below the detectable difference."),
    ]


def same_score(human: Family, metric: Family, margin: float | None = None) -> tuple[SameScore, ...]:
    """Return the pairs that people tell apart although the metric gives them the same score, largest gap first.

    The metric's corrected verdict is "not_significant", and either two one-sided tests show less than `margin` between
    them, or its difference is smaller than the test would have found with power .8.
    """
    shown = (
        [False] * len(metric)
        if margin is None
        else [margin_result.established for margin_result in against_margin(metric, margin, both=True)]
    )
    pairs = []
    for comparison, within in zip(metric, shown, strict=True):
        place = human.find(comparison.first, comparison.second)
        if place is None or verdict(comparison).word != "not_significant":
            continue
        said = verdict(human[place])
        detectable = smallest_detectable(comparison)
        below = detectable is not None and abs(comparison.difference) < detectable.difference
        if said.winner is None or not (within or below):
            continue
        ahead = comparison if said.winner == comparison.first else comparison.turned
        pairs.append(
            SameScore(
                ahead.first,
                ahead.second,
                abs(human[place].difference),
                ahead.difference,
                "equivalent" if within else "below what could be found",
            )
        )
    return tuple(sorted(pairs, key=lambda pair: -pair.human_difference))


@dataclass(frozen=True)
class SameOutputs(Record):
    """Two outputs of a segment with the same score by the metric, and how far apart people rate them."""

    segment: Annotated[int, about("The segment's number in the corpus, counted from 0.")]
    better: Annotated[str, about("The system whose output has the higher human rating.")]
    worse: Annotated[str, about("The other.")]
    score: Annotated[Number, about("Metric score of both outputs; higher is better.")]
    gap: Annotated[Number, about("Difference between the two human ratings.")]
    noise: Annotated[
        Number, about("Mean difference between human ratings of identical outputs of a segment; null where unknown.")
    ]


def same_outputs(
    rated: RatedData, metric: str, count: int = 5, outputs: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[SameOutputs, ...]:
    """Return the outputs of equal score by a metric that people rate farthest apart, one pair a segment.

    outputs: system -> its lines, all of the corpus; outputs that are the same are not shown, and tell the noise.
    """
    scores, human = rated.cells(metric), rated.ratings
    first, second = np.triu_indices(len(rated.systems), 1)
    with np.errstate(invalid="ignore"):
        gaps = np.where(equal(scores[first], scores[second]), human[first] - human[second], np.nan)
        all_gaps = np.abs(human[first] - human[second])
    noise = float("nan")
    if outputs is not None:
        lines = np.array(
            [[outputs[system][int(number)] for number in rated.numbers] for system in rated.systems], dtype=object
        )
        same = np.asarray(lines[first] == lines[second], dtype=bool)
        known = same & ~np.isnan(all_gaps)
        noise = float(all_gaps[known].mean()) if known.any() else noise
        gaps = np.where(same, np.nan, gaps)
    size = np.nan_to_num(np.abs(gaps), nan=-1.0)
    pairs = size.argmax(axis=0)
    largest = size.max(axis=0)
    rows = []
    for place in np.argsort(-largest, kind="stable")[:count].tolist():
        if largest[place] <= 0:
            break
        pair = int(pairs[place])
        ahead, behind = int(first[pair]), int(second[pair])
        if gaps[pair, place] < 0:
            ahead, behind = behind, ahead
        rows.append(
            SameOutputs(
                int(rated.numbers[place]),
                rated.systems[ahead],
                rated.systems[behind],
                float(scores[ahead, place]),
                float(largest[place]),
                noise,
            )
        )
    return tuple(rows)
