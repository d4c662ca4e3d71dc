"""Comparisons: judgements go in; families of comparisons, strengths and what they say of other raters come out.

Boards are the numbers that leaderboards print of the same judgements, to be told from what the judgements show.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

import numpy as np
from scipy.sparse import csc_array

from mtsig._probability import FEWEST_DF, satterthwaite_df, satterthwaite_rows, t_quantile
from mtsig._records import Count, Floats, Index, Mask, Number, Record, about
from mtsig.campaign import _model
from mtsig.campaign._data import Grades, Preferences, groups
from mtsig.campaign._model import Cells, Chosen, Clustered, Fit, Model, NothingLeft, Penalty, by_both, chosen, fit
from mtsig.citations import VERSION
from mtsig.corpus import Note
from mtsig.corpus._notes import number_of
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Family, Intervals, Settings
from mtsig.inference._corrections import SLACK, adjusted_ends
from mtsig.inference._estimated import Made, RatedFamily, all_pairs, few_raters, with_others
from mtsig.inference._intervals import BY_MODEL, NET_WINS, NONE_SEEN, beside_zero, net_ends
from mtsig.inference._tests import jackknife_p

ELO = 400 / np.log(10)
"""Elo points of one unit of strength: 400 points are odds of 10 to 1."""

MEAN = 1000.0
"""Elo of the mean system, where none is the anchor."""

_NET, _MARGIN, _DIRECT = "net wins (%)", "mean margin", f"preferences|model:none|mtsig:{VERSION}"
"""What direct comparisons measure, of verdicts or of their margins, and their signature."""

_FEWEST_TO_WEIGH = 20
"""Documents with the rarer order from which each order of a pair counts half, whatever other pairs say of places."""

_FEWEST_OF_ORDER = 8
"""Documents with the rarer order of some pair that the advantage of a place needs to be told from preferences.

Simulated with one judgement of equal systems a document, the first place winning 70%: .18 false alarms at .05 with 5
documents of the rarer order, .07 with 8.
"""

_TELLS = "distinguish a preference from an effect of display order (--ignore-order assumes no such effect)"
"""What orders of a pair are for, and what is assumed where they are left out."""

_MOST_SOLVED = 2 * 10**10
"""Documents times the cube of systems: each costs about a nanosecond."""

_ROUNDING = 1e-6
"""Elo points that are left of computing with so many digits."""

UNBALANCED = 0.1
"""Orders of a pair are unbalanced where they differ in more than this share of its judgements."""


@dataclass(frozen=True, eq=False)
class Strengths:
    """Strengths of systems, and the comparisons that rest on them.

    compared: the verdicts for these raters.
    """

    preferences: Preferences
    fit: Fit
    spread: Clustered
    scored: Intervals
    compared: Family
    made: Made
    notes: tuple[Note, ...]

    @cached_property
    def rated(self) -> RatedFamily:
        """The same comparisons, with what holds over raters like these next to them."""
        return with_others(self.compared, *self._over_raters, len(self.preferences.raters))

    @property
    def _over_raters(self) -> tuple[Family | None, str]:
        raters, fit = self.preferences.raters, self.fit
        if few := few_raters(len(raters), len(raters) - 1.0):
            return None, few
        over, contrasts = Clustered(fit, len(raters), fit.cells.rater), _contrasts(fit, self.made.pairs)
        try:
            of_raters, of_both = over.errors(contrasts) ** 2, by_both(fit).errors(contrasts) ** 2
        except NothingLeft as alone:
            return None, f"only rater {raters[alone.cluster]} compares some systems with the rest"
        (df_raters, worth), family = over.known_df(contrasts), self.compared
        lacking = [few_raters(len(raters), df) for df in np.minimum(df_raters, worth).tolist()]
        if all(lacking):
            return None, lacking[0]
        lacking = [said or few for said, few in zip(family.data_caveat, lacking, strict=True)]
        of_documents = (_known(ELO * self.spread.errors(contrasts)) / ELO) ** 2
        error = ELO * np.sqrt(np.maximum(of_documents + of_raters - of_both, np.maximum(of_documents, of_raters)))
        spreads = _Spreads(error, np.minimum(family.df, df_raters))
        return _compared(self.made, self.spread, contrasts, spreads, lacking), ""


def analysed(preferences: Preferences) -> Preferences:
    """Return the judgements that have a verdict; raise InvalidOption where they are by several criteria."""
    if len(preferences.criteria) > 1:
        raise InvalidOption(
            f"The judgements use {len(preferences.criteria)} criteria ({', '.join(preferences.criteria)}), which "
            "cannot be pooled. Choose one (--criterion)."
        )
    return preferences.judged()


def strengths(
    preferences: Preferences, settings: Settings | None = None, *, model: Model = "davidson",
    order: Literal["auto", "ignore"] = "auto", penalty: Penalty = "auto", anchor: tuple[str, float] | None = None,
) -> Strengths:  # fmt: skip
    """Return the strength of every system on the Elo scale, and the comparisons of all pairs.

    1. Strengths are those of Davidson's model with ties and, where the order is known, an advantage of the place shown
       first; `model="half"` counts a tie as half a win instead.
    2. The standard error of a difference is the jackknife's over documents, by one Newton step per document; degrees
       of freedom are Satterthwaite's, documents counting by their share of the information on this pair. If decided
       judgements alone give fewer than 10, and fewer than half of that number, theirs are used. With fewer than 4 the
       pair has no verdict.
    3. t tests of all pairs are corrected by Holm (or as `settings` say), for the raters who judged.
    4. Where at least five raters are people of about equal load, the same is done with raters as a second source of
       chance: V = V(documents) + V(raters) − V(documents × raters).

    Options are those of `preferences`; the mean of all systems is 1000 without an anchor. Raise NotApplicable where the
    judgements do not carry it (fewer than 2 documents, no common scale, only ties), InvalidOption where an option does
    not fit them.
    """
    settings = settings or Settings()
    judged = analysed(preferences)
    picked = chosen(judged, model, order, penalty)
    fit = picked.fit
    if len(judged.documents) < 2:
        raise NotApplicable(f"The variance needs at least 2 {judged.unit}s; found 1.")
    if len(judged.documents) * len(judged.systems) ** 3 > _MOST_SOLVED:
        raise NotApplicable(
            f"{len(judged):,} judgements of {len(judged.systems):,} systems are too many to estimate all strengths. "
            "Choose systems (--systems), or compare each pair on its own (--strengths direct)."
        )
    spread = Clustered(fit, len(judged.documents), fit.cells.document)
    try:
        _ = spread.variance
    except NothingLeft as alone:
        name = judged.documents[alone.cluster]
        raise NotApplicable(_only(judged, name)) from None
    values = _on_scale(judged, fit, anchor)
    notes = [*judged.notes, *(Note("note", said) for said in picked.said)]
    systems, pairs = len(judged.systems), all_pairs(len(judged.systems))
    met = np.zeros((systems, systems), dtype=np.int64)
    np.add.at(met, (judged.first, judged.second), 1)
    direct = (met + met.T)[tuple(pairs.T)].tolist()
    units = [len(judged.documents)] * len(pairs)
    made = _made(judged, settings, "Elo", _signature(picked, model), values, pairs, units, direct)
    contrasts = _contrasts(fit, pairs)
    single = csc_array(np.pad(np.eye(systems) - 1 / systems, ((0, len(fit.values) - systems), (0, 0))))
    single_error, error = (_known(ELO * spread.errors(of)) for of in (single, contrasts))
    single_error = np.maximum(single_error, ELO * spread.model_errors(single)) if fit.penalised else single_error
    half = t_quantile((1 + settings.level) / 2, spread.df(single)) * single_error
    scored = _scored(judged, made, values - half, values + half)
    df, worth = spread.known_df(contrasts)
    few = np.round(worth, 6) < FEWEST_DF
    error[few] = np.fmax(error, ELO * spread.model_errors(contrasts))[few]
    alike = f"the difference is the same without any one {judged.unit}, so it has no standard error"
    apart = np.abs(np.subtract(*picked.as_place[pairs.T])) > 1e-9
    lacking, whole = [alike if lost else "" for lost in np.isnan(error).tolist()], len(judged.documents)
    for pair in np.flatnonzero(apart).tolist():
        lacking[pair] = f"the orders shown do not {_TELLS}"
    for pair in np.flatnonzero(few).tolist():
        lacking[pair] = (
            f"too few judgements of this pair are decided: {number_of(whole, judged.unit)} give as much information as "
            f"about {worth[pair] + 1:.1f} with equal shares of them, and at least {FEWEST_DF + 1} are needed"
        )
    compared = _compared(made, spread, contrasts, _Spreads(error, df), lacking)
    return Strengths(judged, fit, spread, scored, compared, made, tuple(notes))


class _Spreads(NamedTuple):
    """Standard errors of pairs, and their degrees of freedom; shape (m,)."""

    error: Floats
    df: Floats


def _compared(
    made: Made, spread: Clustered, contrasts: csc_array, known: _Spreads, lacking: Sequence[str]
) -> Family:  # fmt: skip
    """Return the comparisons of strengths.

    Where a system never loses, no document moves its strength, and the jackknife takes its distance as well known: p
    holds its level, but the interval misses (tests/benchmarks/preference_errors.py penalties). So intervals of
    penalised strengths have the model's error where that is larger, and p decides on which side of 0 a close end is.
    """
    error, df = known
    difference = ELO * np.subtract(*spread.fit.values[made.pairs.T])
    if not spread.fit.penalised:
        return made.family(difference, error, df, lacking)
    settings, wide = made.settings, np.maximum(error, ELO * spread.model_errors(contrasts))
    p = jackknife_p(difference, error, df, settings.alternative)
    half, alpha = t_quantile((1 + settings.level) / 2, df) * wide, np.full(len(p), 1 - settings.level)
    ends = adjusted_ends(difference, half, p <= alpha, alpha)
    low, high = (np.where(np.isnan(half), np.nan, end) for end in (ends.low, ends.high))
    used = np.where(wide > error, BY_MODEL, "jackknife").tolist()
    return made.family(difference, wide, df, lacking, (p, low, high), used)


def _known(error: Floats) -> Floats:
    """Return standard errors; NaN where nothing that is left out moves more than a last digit."""
    return np.where(error < _ROUNDING, np.nan, error)


def _only(judged: Preferences, document: str) -> str:
    """Return what only one document compares."""
    rest = judged.where(judged.document.of != judged.documents.index(document))
    lost = [name for name in judged.systems if name not in rest.systems]
    what = ", ".join(lost) if lost else "some systems"
    return (
        f"Only {judged.unit} {document} compares {what} with the other systems, so the variance over documents cannot "
        "be estimated. Leave out those systems."
    )


def _signature(picked: Chosen, model: Model) -> str:
    fit = picked.fit
    return (
        f"preferences|model:{model}|ties:{'yes' if fit.ties else 'no'}|place:{'yes' if fit.place else 'no'}|"
        f"penalty:{'yes' if fit.penalised else 'no'}|mtsig:{VERSION}"
    )


def _on_scale(judged: Preferences, fit: Fit, anchor: tuple[str, float] | None) -> Floats:
    values = np.asarray(ELO * fit.strengths)
    if anchor is None:
        return np.asarray(values + MEAN)
    name, place = anchor
    if name not in judged.systems:
        raise InvalidOption(f"The anchor {name!r} is not among the systems. Known: {', '.join(judged.systems)}.")
    return np.asarray(values - values[judged.systems.index(name)] + place)


def _contrasts(fit: Fit, pairs: Index) -> csc_array:
    """Return the differences of pairs of strengths, as contrasts of the parameters: shape (p, pairs)."""
    signs, ends = np.tile([1.0, -1.0], len(pairs)), np.arange(len(pairs) + 1) * 2
    return csc_array((signs, pairs.ravel(), ends), shape=(len(fit.values), len(pairs)))


def _made(
    judged: Preferences, settings: Settings, measured: str, signature: str, values: Floats, pairs: Index,
    units: Sequence[int], segments: Sequence[int],
) -> Made:  # fmt: skip
    """Return what families of the same judgements share; the one criterion is named before what is measured."""
    label = " ".join(filter(None, (*judged.criteria[:1], measured)))
    return Made(
        label, signature, judged.systems, values, pairs, judged.unit, units, segments, settings, rated=False,
        estimand="how strongly the first system is preferred to the second",
        decimals={"Elo": 0, _MARGIN: 2}.get(measured, 1),
        widest=100.0 if measured == _NET else np.nan,
    )  # fmt: skip


def _scored(
    judged: Preferences, made: Made, low: Floats, high: Floats, interval: str | Sequence[str] = "jackknife"
) -> Intervals:
    """Return what the systems have, with intervals."""
    return Intervals(**Intervals.columns(
        len(judged.systems), metric=made.label, signature=made.signature, system=judged.systems, score=made.scores,
        ci_low=low, ci_high=high, interval=interval, level=made.settings.level, unit=judged.unit,
        units=[len(judged.documents)] * len(judged.systems), higher_is_better=True, decimals=made.decimals,
        segments=np.bincount(np.concatenate([judged.first, judged.second]), minlength=len(judged.systems)),
    ))  # fmt: skip


def head_to_head(
    preferences: Preferences, settings: Settings | None = None, grades: Grades = "sign"
) -> RatedFamily:  # fmt: skip
    """Return the direct comparisons of every pair that was compared, without a model, in percent won less lost.

    With margins it is their mean instead.

    The mean of x = 1, 0, −1 over the judgements of a pair, with the jackknife over documents, Student's t and Holm's
    correction; intervals are those of `_Means`. No p is below 2^(1−K), what exchanging the two systems in K documents
    with a winner can give: where few judgements all go one way, t would find more than they say. Where the order is
    known and not balanced, each order counts half if the rarer one has 20 documents; else the advantage of the first
    place is taken off, the same for all pairs. Where that cannot be told, since the rarer orders are in fewer than 8
    documents, there is no verdict. Raise NotApplicable where no pair was judged in two documents.
    """
    settings, (judged, measured, scale) = settings or Settings(), _outcomes(preferences, grades)
    place, net = _Place.of(judged), grades != "margin"
    every = _pairs(judged, place)
    cells = judged.document.of * len(judged.raters) + judged.rater.of
    few = few_raters(len(judged.raters), len(judged.raters) - 1.0)
    pairs, found, over, lacking = [], [], [], list[str]()
    documents, *others_of = (
        pooled_each([pair.over(of) for pair in every])
        for of in (judged.document.of, *(() if few else (judged.rater.of, cells)))
    )
    for number, (pair, mine) in enumerate(zip(every, documents, strict=True)):
        if mine.clusters < 2:
            continue
        pairs.append(pair)
        found.append(mine.with_place(pair.lean, place))
        lacking.append(pair.lack)
        if not few:
            raters, both = (means[number].spread for means in others_of)
            spread = mine.spread.with_raters(raters, both)
            over.append(mine._replace(spread=spread).with_place(pair.lean, place))
    if not found:
        raise NotApplicable(f"No pair of systems was compared in two {judged.unit}s.")
    means = _Means.of(found, np.abs(judged.outcome).max(), net)
    made = _made(
        judged, settings, measured, _signed(grades), scale * _scores(every, len(judged.systems)),
        np.array([(pair.low, pair.high) for pair in pairs]), [mine.clusters for mine in found],
        [len(pair.rows) for pair in pairs],
    )  # fmt: skip

    def family(means: _Means, lacking: Sequence[str]) -> Family:
        p = means.p_value
        low, high = means.ends(np.full(len(p), settings.level), p <= 1 - settings.level)
        own = p, scale * low, scale * high
        error = scale * np.where(means.flat, np.nan, means.error)
        corrected = made.family(scale * means.value, error, means.df, lacking, own, means.intervals)
        low, high = means.ends(corrected.adjusted_level, corrected.p_adjusted <= corrected.alpha + SLACK)
        return corrected.changed(adjusted_ci_low=scale * low, adjusted_ci_high=scale * high)

    others = None
    if over:
        beyond = _Means.of(over, means.widest, net)
        said = [
            lack or few_raters(len(judged.raters), nu) for lack, nu in zip(lacking, beyond.df.tolist(), strict=True)
        ]
        few = said[0] if (beyond.df < FEWEST_DF).all() else ""
        others = None if few else family(beyond, said)
    return with_others(family(means, lacking), others, few, len(judged.raters))


def _outcomes(preferences: Preferences, grades: Grades) -> tuple[Preferences, str, float]:
    """Return the judgements with what is averaged as their outcomes, what it is called, and what 1 of it is."""
    judged = analysed(preferences)
    return (judged.graded(), _MARGIN, 1.0) if grades == "margin" else (judged, _NET, 100.0)


def _signed(grades: Grades) -> str:
    return _DIRECT.replace("model:none", "model:none|grades:margin") if grades == "margin" else _DIRECT


class _Spread(NamedTuple):
    """A standard error and its degrees of freedom."""

    error: float
    df: float

    def plus(self, other: "_Spread") -> "_Spread":
        """Return that of a sum, the degrees of freedom by Satterthwaite."""
        own, more = self.error**2, other.error**2
        if not more:
            return self
        return _Spread(float(np.sqrt(own + more)), (own + more) ** 2 / (own**2 / self.df + more**2 / other.df))

    def with_raters(self, raters: "_Spread", both: "_Spread") -> "_Spread":
        """Return that over documents and raters: the sum of both less what is in both, at least the larger one."""
        documents, own = self.error**2, raters.error**2
        # Of one rater alone there is none: the degrees of freedom say so.
        variance = np.nanmax([documents + own - both.error**2, documents, own])
        return _Spread(float(np.sqrt(variance)), min(self.df, raters.df))


@dataclass(frozen=True)
class _Place:
    """The advantage of the first place in net wins, taken as the same for all pairs, with its jackknife error."""

    value: float
    error: float
    df: float

    @classmethod
    def of(cls, preferences: Preferences) -> "_Place | None":
        """Return the least-squares estimate next to a preference of each pair; None where it cannot be told from these.

        Of the judgements whose order is known.
        """
        if not preferences.ordered.any():
            return None
        judged = preferences.where(preferences.ordered)
        low, high = np.minimum(judged.first, judged.second), np.maximum(judged.first, judged.second)
        _, pair = np.unique(low * len(judged.systems) + high, return_inverse=True)
        ahead = np.where(judged.first == low, 1.0, -1.0)
        many, documents = int(pair.max()) + 1, len(judged.documents)
        size, lean = np.bincount(pair), np.bincount(pair, ahead)
        if _of_rarer_orders(pair, ahead, judged.document.of) < _FEWEST_OF_ORDER:
            return None
        won = np.bincount(pair, ahead * judged.outcome)
        cells, of = np.unique(judged.document.of * many + pair, return_inverse=True)
        document, at = cells // many, cells % many
        left, turned = size[at] - np.bincount(of), lean[at] - np.bincount(of, ahead)
        net = won[at] - np.bincount(of, ahead * judged.outcome)
        share = np.where(left > 0, turned / np.maximum(left, 1), 0.0)
        # What each document takes from numerator and denominator, pairs being fitted again without it.
        above = np.bincount(of, judged.outcome) - (lean[at] / size[at] * won[at] - share * net)
        below = np.bincount(of) - (lean[at] ** 2 / size[at] - share * turned)
        total = float(judged.outcome.sum() - (lean * won / size).sum())
        weight = float(len(judged) - (lean**2 / size).sum())
        taken, lost = np.bincount(document, above, documents), np.bincount(document, below, documents)
        without = (total - taken) / (weight - lost)
        error = float(np.sqrt((documents - 1) / documents * np.square(without - total / weight).sum()))
        return cls(total / weight, error, satterthwaite_df(lost))


class _Pair(NamedTuple):
    """The judgements of a pair, as a direct comparison takes them.

    x: the verdicts for the system `low`, without the advantage of the place where that is taken off. halves: rows that
    count half each, or all rows. lean: how many times that advantage was taken off the mean. lack: why there is no
    verdict.
    """

    low: int
    high: int
    rows: Index
    x: Floats
    halves: Sequence[Mask | slice]
    lean: float
    lack: str

    def over(self, cluster: Index, sign: float = 1.0) -> "_Part":
        """Return the verdicts with the clusters that they are in."""
        return _Part(sign * self.x, cluster[self.rows], self.halves)

    @property
    def mean(self) -> float:
        """The mean of the verdicts."""
        return float(np.mean([self.x[half].mean() for half in self.halves]))


def _pairs(judged: Preferences, place: _Place | None) -> list[_Pair]:
    """Return every pair that was compared, in the order of the file."""
    low, high = np.minimum(judged.first, judged.second), np.maximum(judged.first, judged.second)
    ahead = np.where(judged.first == low, 1.0, -1.0)
    made = []
    for rows in groups([low, high]):
        shown = ahead[rows] if judged.ordered[rows].all() else np.zeros(len(rows))
        x = ahead[rows] * judged.outcome[rows]
        balanced = _balanced(x, shown, judged.document.of[rows], place, judged.unit)
        made.append(_Pair(int(low[rows[0]]), int(high[rows[0]]), rows, *balanced))
    return made


def _of_rarer_orders(pair: Index, ahead: Floats, document: Index) -> int:
    """Return how many documents have the rarer order of some pair, at least.

    Of a pair with as many of both orders, that in fewer documents is the rarer one. If these are as many, too, either
    may be: one such pair counts, with what its order in fewer other documents adds.
    """
    found, open_ = set[int](), list[list[set[int]]]()
    for rows in groups([pair]):
        sides = [document[rows[ahead[rows] == side]] for side in (1, -1)]
        sides.sort(key=lambda some: (len(some), len(set(some.tolist()))))
        rarer, other = (set(some.tolist()) for some in sides)
        if len(sides[0]) == len(sides[1]) and len(rarer) == len(other):
            open_.append([rarer, other])
        else:
            found |= rarer
    return len(found) + max((min(len(one - found) for one in both) for both in open_), default=0)


def _balanced(
    x: Floats, ahead: Floats, document: Index, place: _Place | None, unit: str
) -> tuple[Floats, Sequence[Mask | slice], float, str]:
    """Return a pair's verdicts, the rows that count half each, how often the place is taken off, and what is lacking.

    The rows are all rows where none counts half. ahead: 1 and −1 by which of the two was shown first; 0 where unknown.
    """
    first = ahead > 0
    rarer = min(len(np.unique(document[rows])) for rows in (first, ~first))
    lean, every = float(ahead.mean()), [slice(None)]
    if not lean:
        return x, every, 0.0, ""
    if rarer < _FEWEST_TO_WEIGH and place is not None:
        return x - place.value * ahead, every, lean, ""
    halves: Sequence[Mask | slice] = [first, ~first] if rarer > 1 else every
    if rarer >= _FEWEST_OF_ORDER or abs(lean) <= UNBALANCED:
        return x, halves, 0.0, ""
    few = f"the rarer order has only {number_of(rarer, unit)}, but at least {_FEWEST_OF_ORDER} are needed to {_TELLS}"
    return x, halves, 0.0, few if x.any() else f"every judgement is a tie; {few}"


def _scores(pairs: Sequence[_Pair], systems: int) -> Floats:
    """Return the mean of every system's verdicts, each pair as its direct comparison has it; shape (s,)."""
    net, many = np.zeros(systems), np.zeros(systems)
    for pair in pairs:
        for system, sign in ((pair.low, 1), (pair.high, -1)):
            net[system] += sign * len(pair.rows) * pair.mean
            many[system] += len(pair.rows)
    return np.asarray(net / many)


class _Part(NamedTuple):
    """Verdicts of one pair, with the cluster of each; halves: rows of the same total weight."""

    x: Floats
    cluster: Index
    halves: Sequence[Mask | slice] = (slice(None),)


class Mean(NamedTuple):
    """The mean of verdicts, how well it is known, and from how many documents or raters.

    alone: the standard error as if judgements were independent. decided: clusters in which one side won.
    """

    mean: float
    spread: _Spread
    clusters: int
    alone: float
    decided: int

    def with_place(self, lean: float, place: _Place | None) -> "Mean":
        """Return the same with the error of a place that was taken off so often."""
        extra = _Spread(0.0 if place is None else abs(lean) * place.error, np.inf if place is None else place.df)
        return self._replace(spread=self.spread.plus(extra))


def jackknifed(x: Floats, cluster: Index) -> Mean:
    """Return the mean with its jackknife over clusters."""
    return pooled([_Part(x, cluster)])


def pooled_each(parts: Sequence[_Part]) -> list[Mean]:
    """Return `pooled` of each part alone, to the digit.

    Parts with as many verdicts in as many clusters are worked on together, but for those with halves.
    """
    found, alike = dict[int, Mean](), defaultdict[tuple[int, int, int], list[tuple[int, Index]]](list)
    for number, part in enumerate(parts):
        known, of = np.unique(part.cluster, return_inverse=True)
        alike[len(of), len(known), number if len(part.halves) > 1 else -1].append((number, of))
    for (_, clusters, _), members in alike.items():
        numbers, own = [number for number, _ in members], np.stack([of for _, of in members])
        x, halves = np.stack([parts[number].x for number in numbers]), parts[numbers[0]].halves
        found |= zip(numbers, _pooled([(x, own, halves)], clusters), strict=True)
    return [found[number] for number in range(len(parts))]


def pooled(parts: Sequence[_Part]) -> Mean:
    """Return the mean of several pairs' verdicts, each judgement the same but for halves, with its jackknife."""
    known, of = np.unique(np.concatenate([part.cluster for part in parts]), return_inverse=True)
    own = np.split(of, np.cumsum([len(part.x) for part in parts])[:-1])
    stacked = [(part.x[None], each[None], part.halves) for part, each in zip(parts, own, strict=True)]
    (mean,) = _pooled(stacked, len(known))
    return mean


def _pooled(parts: Sequence[tuple[Floats, Index, Sequence[Mask | slice]]], clusters: int) -> list[Mean]:
    """Return the means of m rows of verdicts; each part has verdicts and their clusters, shape (m, n), and halves."""
    rows, every = len(parts[0][0]), sum(x.shape[1] for x, _, _ in parts)
    left, without, share, won = np.zeros((4, rows, clusters))
    whole, alone = np.zeros((2, rows))
    for x, of, halves in parts:
        n, own = x.shape[1], of + clusters * np.arange(rows)[:, None]
        each, rest, mean_left = n / every / len(halves), np.full((rows, clusters), n), np.zeros((rows, clusters))
        for half in halves:
            some, places = x[:, half], own[:, half].ravel()
            total = np.bincount(places, some.ravel(), rows * clusters).reshape(rows, clusters)
            many = np.bincount(places, minlength=rows * clusters).reshape(rows, clusters)
            size, summed = some.shape[1], total.sum(axis=1)
            whole += each * (summed / size)
            share += each * many / size
            alone += each**2 * some.var(axis=1) / size
            with np.errstate(invalid="ignore", divide="ignore"):
                mean_left += (summed[:, None] - total) / (size - many) / len(halves)
            rest -= many
            won += total
        left += rest
        without += np.where(rest > 0, rest * mean_left, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt((clusters - 1) / clusters * np.square(without / left - whole[:, None]).sum(axis=1))
    decided = np.count_nonzero(np.abs(won) > _ROUNDING, axis=1)
    columns = (each.tolist() for each in (whole, error, satterthwaite_rows(share), np.sqrt(alone), decided))
    return [
        Mean(mean, _Spread(spread, df), clusters, as_alone, won)
        for mean, spread, df, as_alone, won in zip(*columns, strict=True)
    ]


@dataclass(frozen=True)
class _Means:
    """Means of verdicts, with p and intervals; every column has shape (m,).

    widest: the largest verdict. bounded: whether no mean can be larger, so that intervals are those of shares.
    """

    value: Floats
    error: Floats
    df: Floats
    units: Floats
    alone: Floats
    decided: Floats
    widest: float
    bounded: bool

    @classmethod
    def of(cls, found: Sequence[Mean], widest: float, bounded: bool) -> "_Means":
        """Return the columns of means; verdicts by who wins lie within −1 and 1."""
        rows = [(mean, *spread, units, alone, decided) for mean, spread, units, alone, decided in found]
        value, error, df, units, alone, decided = np.array(rows, dtype=np.float64).T
        widest = 1.0 if bounded else float(widest)
        return cls(np.clip(value, -widest, widest), error, df, units, alone, decided, widest, bounded)

    @property
    def same(self) -> Mask:
        """Where all documents say the same, so that t knows no spread."""
        return np.asarray(self.error < _ROUNDING * self.widest)

    @property
    def flat(self) -> Mask:
        """Where documents tell no spread: they say the same, or all went one way."""
        return np.asarray(self.same | (self.bounded & (np.abs(self.value) >= self.widest)))

    @property
    def p_value(self) -> Floats:
        """By t; not below what exchanging the systems in documents with a winner can give."""
        least = np.minimum(1.0, 2.0 ** (1 - self.decided))
        p = np.where(self.same, least, np.maximum(jackknife_p(self.value, self.error, self.df), least))
        return np.where(np.abs(self.value) < _ROUNDING * self.widest, 1.0, p)

    def ends(self, level: Floats, significant: Mask) -> tuple[Floats, Floats]:
        """Return intervals at these levels, on the side of 0 that p has decided for.

        The share of wins, ties as halves, has Wilson's interval with the effective number of judgements, by the
        jackknife, at most their number. Where documents tell no spread, others may be as frequent as the level allows
        for none to be there. Margins have no bounds, and the interval of t.
        """
        value, z = self.value, t_quantile((1 + level) / 2, self.df)
        if self.bounded:
            error = np.where(self.flat, 1.0, np.maximum(self.error, self.alone))
            ends = net_ends(
                value, np.where(self.flat, self.units, (1 - value**2) / error**2), z, self.units, level, self.flat
            )
        else:
            rare = (self.widest + np.abs(value)) * (1 - ((1 - level) / 2) ** (1 / self.units))
            low, high = np.maximum(value - rare, -self.widest), np.minimum(value + rare, self.widest)
            ends = (
                np.where(self.flat, low, value - z * self.error), np.where(self.flat, high, value + z * self.error)
            )  # fmt: skip
        return beside_zero(value, ends, significant)

    @property
    def intervals(self) -> list[str]:
        """Names of the methods of these intervals."""
        varied = NET_WINS if self.bounded else "jackknife"
        return [NONE_SEEN if flat else varied for flat in self.flat.tolist()]


def net_wins(
    preferences: Preferences, settings: Settings | None = None, grades: Grades = "sign"
) -> Intervals:  # fmt: skip
    """Return for every system the share of its judgements won less those lost, in percent; the mean of margins.

    Pairs are those of `head_to_head`, both orders balanced, each as often as it was judged; so are intervals.
    """
    settings, (judged, measured, scale) = settings or Settings(), _outcomes(preferences, grades)
    place = _Place.of(judged)
    parts, lean = defaultdict[int, list[_Part]](list), np.zeros(len(judged.systems))
    for pair in _pairs(judged, place):
        for system, sign in ((pair.low, 1.0), (pair.high, -1.0)):
            parts[system].append(pair.over(judged.document.of, sign))
            lean[system] += sign * pair.lean * len(pair.rows)
    found = [
        pooled(parts[system]).with_place(lean[system] / sum(len(part.x) for part in parts[system]), place)
        for system in range(len(judged.systems))
    ]
    means = _Means.of(found, np.abs(judged.outcome).max(), grades != "margin")
    made = _made(judged, settings, measured, _signed(grades), scale * means.value, all_pairs(0), [], [])
    low, high = means.ends(np.full(len(found), settings.level), means.p_value <= 1 - settings.level)
    return _scored(judged, made, scale * low, scale * high, means.intervals)


Board = Literal["arena", "mt-bench"]

BOARDS: Mapping[str, str] = {
    "arena": (
        "as arena leaderboards: Bradley–Terry with a tie as half a win, with 2.5 and 97.5% quantiles of 100 bootstraps "
        "of judgements. This treats every judgement as independent. In simulated campaigns without any difference, 11% "
        "of pairs differed significantly at .05, and 15% of leaderboards had such a pair (docs/preferences.md)."
    ),
    "mt-bench": (
        "as FastChat's show_result for MT-Bench. A comparison is a win if both orders agree, otherwise a tie. The "
        "result is the win rate of a system over all its opponents, with a tie as half a win. The win rate has no "
        "interval, and depends on which opponents a system had."
    ),
}
"""What each board prints, and what that leaves out."""

_ROUNDS = 100
"""Bootstraps of arena boards."""


@dataclass(frozen=True)
class BoardRow(Record):
    """A system as a leaderboard has it."""

    board: Annotated[str, about("The rule of the leaderboard: arena or mt-bench.")]
    system: Annotated[str, about("The system.")]
    score: Annotated[Number, about("Elo (mean 1000, or as anchored), or win rate in percent (a tie is half a win).")]
    ci_low: Annotated[Number, about("Lower end of the leaderboard's interval; null if it has none.")]
    ci_high: Annotated[Number, about("Upper end of the leaderboard's interval.")]
    judgements: Annotated[Count, about("Number of the system's judgements that the leaderboard counts.")]


def board(
    preferences: Preferences, rule: Board, *, anchor: tuple[str, float] | None = None, seed: int = 12345
) -> tuple[BoardRow, ...]:
    """Return the systems, best first, as a leaderboard ranks them.

    Raise NotApplicable where no comparison connects the systems, or between some of them all judgements go one way.
    """
    judged = analysed(preferences.collapsed() if rule == "mt-bench" else preferences)
    seen = np.bincount(np.concatenate([judged.first, judged.second]), minlength=len(judged.systems))
    if rule == "mt-bench":
        won = np.bincount(judged.first, judged.outcome, len(seen)) - np.bincount(
            judged.second, judged.outcome, len(seen)
        )
        score, ends = 50 * (1 + won / seen), np.full((2, len(seen)), np.nan)
    else:
        cells = Cells.of(judged).merged(clusters=False)
        _model.check_connected(judged, cells)
        at = None if anchor is None else judged.systems.index(anchor[0])
        base = 1000.0 if anchor is None else anchor[1]

        def elo(counts: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
            some = replace(cells, count=counts).where(counts > 0)
            values = fit(some, place=False, ties=False).strengths
            return np.asarray(base + ELO * (values - (0.0 if at is None else values[at])))

        rng, m = np.random.default_rng(seed), int(cells.count.sum())
        score, drawn = elo(cells.count), []
        for counts in rng.multinomial(m, cells.count / m, _ROUNDS):
            try:
                drawn.append(elo(counts.astype(np.float64)))
            except NotApplicable:
                continue  # a bootstrap in which one of two groups never won has no estimate
        ends = np.quantile(drawn, [0.025, 0.975], axis=0) if drawn else np.full((2, len(seen)), np.nan)
    order = np.argsort(-score, kind="stable").tolist()
    return tuple(
        BoardRow(rule, judged.systems[i], float(score[i]), float(ends[0, i]), float(ends[1, i]), int(seen[i]))
        for i in order
    )
