"""Quality of the judging: the place shown first, both orders, transitivity, ties, drift, gaps and agreement."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from scipy.sparse import coo_array, csc_array
from scipy.sparse.csgraph import breadth_first_order
from scipy.special import gammaincc

from mtsig._probability import FEWEST_DF, f_above, t_above
from mtsig._records import Count, Floats, Index, Mask, Number, Record, about
from mtsig.campaign._data import REPEATS, Preferences, alike
from mtsig.campaign._model import Moments, chosen, grouped_scores, signed
from mtsig.campaign._strengths import UNBALANCED, Strengths, jackknifed, strengths
from mtsig.corpus import RaterScores
from mtsig.errors import NotApplicable
from mtsig.inference import Family
from mtsig.inference._corrections import Holm
from mtsig.inference._estimated import df_by_decided, df_of
from mtsig.inference._verdict import verdict
from mtsig.meta_eval._rater_agreement import Agreement, agreement

_OF_A_RATER = 50
"""Judgements of known order from which one rater's preference for a place is tested."""

_STEP, _STEPS, _NOTHING = 1e-10, 50, 1e-12
"""Newton's method ends at a step this small, or after so many; and what share of information is none."""


@dataclass(frozen=True)
class PlaceEffect(Record):
    """How much the place shown first is preferred."""

    rater: Annotated[str, about("The rater; empty for all raters together.")]
    judgements: Annotated[Count, about("Number of judgements with a known order.")]
    advantage: Annotated[Number, about("η: log odds that the system shown first wins, if both systems are equal.")]
    standard_error: Annotated[Number, about("Standard error by the jackknife over documents.")]
    df: Annotated[Number, about("Degrees of freedom of the standard error.")]
    p_value: Annotated[Number, about("p-value of the t test for an effect; null if too few judgements are decided.")]
    p_adjusted: Annotated[Number, about("p after Holm's correction over raters; uncorrected for all raters together.")]
    first_wins: Annotated[Number, about("Share that the system shown first wins, if both are equal, without ties.")]


def place_effect(made: Strengths) -> tuple[PlaceEffect, ...]:
    """Return the effect of the first place: of all raters, then of each with at least 50 judgements of known order.

    Raise NotApplicable where the model has no such effect: the order is not known, or cannot be told from strengths.
    """
    fit, judged = made.fit, made.preferences
    if not fit.place:
        raise NotApplicable(
            "The advantage of the system shown first cannot be estimated: the order is unknown or confounded."
        )
    at = csc_array(np.eye(len(fit.values))[:, [fit.cells.systems]])
    error = float(np.sqrt(made.spread.variance[fit.cells.systems, fit.cells.systems]))
    whole = _effect("", int(judged.ordered.sum()), fit.advantage, error, *made.spread.known_df(at))
    known = _places_of_raters(made) if len(judged.raters) > 1 else []
    tested = [i for i, effect in enumerate(known) if not np.isnan(effect.p_value)]
    adjusted = Holm().adjusted(np.array([known[i].p_value for i in tested]))
    for i, p in zip(tested, adjusted.tolist(), strict=True):
        known[i] = replace(known[i], p_adjusted=p)
    return whole, *known


def _effect(rater: str, count: int, value: float, error: float, df: Floats, worth: Floats) -> PlaceEffect:
    t = abs(value) / error if error > 0 and worth[0] >= FEWEST_DF else float("nan")
    p = 2 * float(t_above(t, df[0]))
    return PlaceEffect(rater, count, value, error, float(df[0]), p, p, float(1 / (1 + np.exp(-value))))


def _places_of_raters(made: Strengths) -> list[PlaceEffect]:
    """Return the effect of each rater, next to strengths λ and ties τ of all.

    η_r solves S_r = 0, the score of the rater's judgements. Without document d it moves by the jackknife's step
    −(S_rd + (B_r − B_rd)·δ_d)/(a_r − a_rd), with a_r the information of the rater's judgements on η_r, B_r that on η_r
    and (λ, τ), and δ_d what (λ, τ) move by (`Clustered.moved`); −B_r·δ_d/a_r where the rater saw nothing of d.
    """
    fit, cells, names, size = made.fit, made.fit.cells, made.preferences.raters, len(made.fit.values)
    judgements = np.bincount(cells.rater, cells.count * cells.ordered, len(names))
    some = cells.where(cells.ordered & (judgements >= _OF_A_RATER)[cells.rater])
    raters, r = np.unique(some.rater, return_inverse=True)
    eta, step = np.full(len(raters), fit.advantage), np.ones(len(raters))
    for _ in range(_STEPS):
        moments = Moments.at(some, False, fit.ties, fit.values, eta[r])
        theta, with_tie, _ = moments.information(some.count)
        a, own = np.bincount(r, theta), some.count * (some.outcome - moments.mean) / 2
        step = np.clip(np.bincount(r, own) / a, -1, 1)
        if not np.abs(step).max(initial=0) > _STEP:
            break
        eta = eta + step
    first, of = alike([r, some.document])
    who, document = r[first], some.document[first]
    score, held = np.bincount(of, own), np.asarray(np.bincount(of, theta), dtype=np.float64)
    left = a[who] - held
    strict = Moments.at(some, False, False, fit.values, eta[r]).information(some.count * (some.outcome != 0))[0]
    decided = np.asarray(np.bincount(of, strict), dtype=np.float64)
    # Where the first place always won, or never, there is no estimate; of one document no spread.
    lost = (np.abs(step) > _STEP) | (np.bincount(who, left <= _NOTHING * a[who]) > 0)
    mixed = np.zeros(len(raters) * size)
    for parameter, values in ((some.first, theta), (some.second, -theta), (size - 1, with_tie)):
        mixed += np.bincount(r * size + parameter, values, len(mixed))
    b = mixed.reshape(len(raters), size)
    # As if a rater had seen nothing of any document; then those that she saw come in their place.
    variance, keep = ((b @ made.spread.variance) * b).sum(axis=1) / a**2, 1 - 1 / made.spread.clusters
    at, all_moved, own_moved = np.zeros(made.spread.clusters, dtype=np.int64), np.zeros(len(who)), np.zeros(len(who))
    for here, moved in made.spread.moved():
        at[here] = np.arange(len(here))
        cell, pairs = (np.flatnonzero(np.isin(seen, here)) for seen in (some.document, document))
        row = at[some.document[cell]]
        shift = theta[cell] * (moved[row, some.first[cell]] - moved[row, some.second[cell]])
        own_moved += np.bincount(of[cell], shift + with_tie[cell] * moved[row, -1], len(who))
        for pair in np.array_split(pairs, 1 + len(pairs) * size // _MOST_SCORES):
            all_moved[pair] = np.einsum("np,np->n", b[who[pair]], moved[at[document[pair]]])
    with np.errstate(divide="ignore", invalid="ignore"):
        change = np.square((score + all_moved - own_moved) / left) - np.square(all_moved / a[who])
        error = np.sqrt(np.maximum(variance + keep * np.bincount(who, change, len(raters)), 0))
    ends, found = np.searchsorted(who, np.arange(len(raters) + 1)), []
    for i in np.flatnonzero(~lost).tolist():
        informed, shares = (of_all[None, ends[i] : ends[i + 1]] for of_all in (decided, held))
        worth = df_of(informed)
        df, count = df_by_decided(df_of(shares), worth), int(judgements[raters[i]])
        found.append(_effect(names[raters[i]], count, float(eta[i]), float(error[i]), df, worth))
    return found


def unbalanced(preferences: Preferences) -> list[tuple[str, str, int, int]]:
    """Return the pairs shown more often in one order, most so first: (first, second, so often, the other way).

    None where orders differ no more than random ones do, by chi-squared over all pairs at .001.
    """
    systems = preferences.systems
    shown = np.zeros((len(systems), len(systems)), dtype=np.int64)
    np.add.at(shown, (preferences.first[preferences.ordered], preferences.second[preferences.ordered]), 1)
    apart, both = shown - shown.T, shown + shown.T
    some = np.triu(both > 0)
    if float(gammaincc(some.sum() / 2, (apart[some] ** 2 / both[some]).sum() / 2)) > 0.001:
        return []
    more = np.argwhere(apart > UNBALANCED * both)
    more = more[np.argsort(-apart[more[:, 0], more[:, 1]], kind="stable")]
    return [(systems[a], systems[b], int(shown[a, b]), int(shown[b, a])) for a, b in more]


@dataclass(frozen=True)
class DualOrder(Record):
    """What one rater said of the same comparison in both orders."""

    comparisons: Annotated[Count, about("Number of comparisons that one rater saw in both orders.")]
    consistent: Annotated[Count, about("Number of these comparisons with the same outcome both times.")]
    first_twice: Annotated[Count, about("Number of these that the system shown first won both times.")]
    second_twice: Annotated[Count, about("Number of these that the system shown second won both times.")]
    mixed: Annotated[Count, about("Number of these with a tie in one order only, or different fractions.")]
    difference: Annotated[Number, about("Share won twice by the first, minus share won twice by the second.")]
    standard_error: Annotated[Number, about("Standard error by the jackknife over documents.")]
    df: Annotated[Number, about("Degrees of freedom of the standard error.")]
    p_value: Annotated[Number, about("p-value of the t test for an effect of display order.")]

    @property
    def sentence(self) -> str:
        """What was found, in one sentence."""
        turned = self.comparisons - self.consistent
        return (
            f"In {turned:,} of {self.comparisons:,} comparisons in both orders, the verdict changed with the order. "
            f"The system shown first won both times in {self.first_twice:,} of them, the system shown second in "
            f"{self.second_twice:,}."
        )


def dual_order(preferences: Preferences) -> DualOrder:
    """Return how often verdicts turn with the order.

    Raise NotApplicable where no comparison was judged in both orders by one rater.
    """
    judged = preferences.judged()
    kinds, documents = [], []
    for rows in judged.repeated():
        ahead = judged.first[rows] < judged.second[rows]
        if not judged.ordered[rows].all():
            continue
        there, back = judged.outcome[rows[ahead]], judged.outcome[rows[~ahead]]
        if not len(there) or not len(back):
            continue
        kinds.append((there[0], back[0]))
        documents.append(judged.document.of[rows[0]])
    if not kinds:
        raise NotApplicable("No rater saw a comparison in both orders.")
    there, back = np.array(kinds).T
    consistent = there == -back
    first, second = (there > 0) & (back > 0), (there < 0) & (back < 0)
    value, (error, df), *_ = jackknifed(first.astype(float) - second, np.array(documents))
    p = 2 * float(t_above(abs(value) / error, df)) if error > 0 else float("nan")
    mixed = int((~consistent & ~first & ~second).sum())
    return DualOrder(len(kinds), int(consistent.sum()), int(first.sum()), int(second.sum()), mixed, value, error, df, p)


@dataclass(frozen=True)
class Misfit(Record):
    """Whether the systems stand on one line, or raters on one rate of ties."""

    asked: Annotated[str, about("The assumption tested: transitivity, or ties.")]
    f: Annotated[Number, about("F statistic from Hotelling's T² over documents.")]
    df1: Annotated[Number, about("Numerator degrees of freedom: number of effects tested together, or 1.")]
    df2: Annotated[
        Number, about("Denominator degrees of freedom; at most the number of documents minus the numerator's.")
    ]
    p_value: Annotated[Number, about("p-value of the test for such effects; null if there are too few documents.")]
    circular: Annotated[Count, about("Number of triads in which A wins against B, B against C and C against A.")] = 0
    triads: Annotated[tuple[str, ...], about("The first ten circular triads.")] = ()


def transitivity(made: Strengths) -> Misfit:
    """Return whether pairs deviate from strengths: a score test clustered by documents (Hotelling).

    Effects are of the compared pairs outside a spanning tree, r of them, whichever tree that is; K documents:
    F = T² (K − r)/((K − 1) r). With fewer than r + 4 documents each pair is tested alone, corrected by Holm.

    Raise NotApplicable where there are no pairs outside of a spanning tree, or fewer than 5 documents.
    """
    cells = made.fit.cells
    low, high = np.minimum(cells.first, cells.second), np.maximum(cells.first, cells.second)
    first, of = alike([low, high])
    graph = coo_array((np.ones(len(first)), (low[first], high[first])), shape=(cells.systems, cells.systems)).tocsr()
    before = breadth_first_order(graph, 0, directed=False)[1]
    outside = (before[low[first]] != high[first]) & (before[high[first]] != low[first])
    sign = np.where(cells.first == low, 1.0, -1.0)
    found = _score_test(made, "transitivity", of, sign, outside)
    count, triads = _circular(made)
    return replace(found, circular=count, triads=tuple(triads))


def equal_ties(made: Strengths) -> Misfit:
    """Return whether raters call ties at different rates: the same score test with a rate of each rater's own.

    Of raters with 5 documents each, from what these judged alone; the fewest of one of them are their number, since
    with the number of all documents raters who share none were found to differ in 8 of 100 campaigns.

    Raise NotApplicable where there are no ties or a single such rater.
    """
    documents = _documents_of_raters(made)
    if (documents <= _SPARE).any() and np.count_nonzero(documents > _SPARE) > 1 and made.fit.ties:
        judged = made.preferences
        some = judged.where((documents > _SPARE)[judged.rater.of])
        picked = chosen(some, order="auto" if made.fit.place else "ignore")
        made = replace(made, preferences=some, fit=picked.fit)
        documents = _documents_of_raters(made)
    if not made.fit.ties or len(documents) < 2 or documents.min() <= _SPARE:
        raise NotApplicable("To compare rates of ties, ties and at least two raters with 5 documents are needed.")
    # The rates of all but one: which one it is changes nothing.
    cells, free = made.fit.cells, np.arange(len(documents)) > 0
    return _score_test(made, "ties", cells.rater, np.zeros(len(cells.rater)), free, int(documents.min()))


def _documents_of_raters(made: Strengths) -> Index:
    """Return in how many documents each rater judged."""
    cells = made.fit.cells
    return np.bincount(cells.rater[alike([cells.rater, cells.document])[0]])


_MOST_EFFECTS, _MOST_SCORES, _SPARE = 1_000, 2**25, 4
"""Effects tested together, numbers that their scores in all documents may be, and documents needed beyond effects."""

_EXPLAINED = 1e-9
"""The share of its information below which an effect is one that strengths explain."""

_RARE, _SELDOM = 20, 0.2
"""Judgements against the favourite of a pair, or ties of a rater, from which documents know how these vary, and the
share from which there are enough of them."""


def _score_test(
    made: Strengths, asked: str, effect: Index, sign: Floats, free: Mask, fewest: int | None = None
) -> Misfit:  # fmt: skip
    """Return the test of effects: their efficient scores, summed by document, against 0; of too many, the largest.

    effect: the number of the one that each cell has. sign: its direction on θ; 0 where it is on log ν. free: effects
    that are tested together, since they determine the others; of too many, all are tested alone. fewest: as how many
    documents they count; all where it is None.
    """
    fit, cells = made.fit, made.fit.cells
    documents, every, size = len(made.preferences.documents), len(free), len(made.fit.values)
    r = int(np.count_nonzero(free))
    df = (documents if fewest is None else fewest) - 1
    if fit.penalised:
        # The penalty pulls the fit together, so that the scores are not 0 on average: most separated campaigns misfit.
        raise NotApplicable("A system won or lost every comparison, so the model cannot be tested.")
    if not r:
        raise NotApplicable("All comparisons are needed to estimate the strengths, so none remains to test the model.")
    if df < _SPARE:
        raise NotApplicable(f"{df + 1} documents are too few to test the model.")
    if documents * max(every, size) > _MOST_SCORES:
        raise NotApplicable(f"{every} effects are too many to test with {documents} documents.")
    moments, on_theta = Moments.at(cells, fit.place, fit.ties, fit.values), bool(sign.any())
    by_document = grouped_scores(cells, fit.place, fit.ties, moments, cells.document, documents)
    theta, both, tie = moments.information(cells.count)
    own, cross = cells.count * (cells.outcome - moments.mean) / 2 * sign, (theta * sign, both * sign)
    if not on_theta:
        own, cross = cells.count * ((cells.outcome == 0) - moments.tie), (both, tie)
    mixed = np.zeros((every, size))
    for parameter, counts in signed(cells, fit.place):
        np.add.at(mixed, (effect, parameter), cross[0] * counts)
    if fit.ties:
        mixed[:, -1] = np.bincount(effect, cross[1], every)
    score = np.bincount(cells.document * every + effect, own, documents * every).reshape(documents, every)
    by_strengths = np.linalg.solve(fit.information, mixed.T)
    efficient = score - by_document @ by_strengths
    total, centred = efficient.sum(axis=0), efficient - efficient.mean(axis=0)
    informed = np.asarray(np.bincount(effect, theta if on_theta else tie, every), dtype=np.float64)
    rare = bool(_rare(made, effect, every, on_theta).any())
    if r > _MOST_EFFECTS or df + 1 - r < _SPARE:
        alone = documents / (documents - 1) * np.square(centred).sum(axis=0)
        model = informed - (mixed * by_strengths.T).sum(axis=1)
        # Of an effect that strengths explain alone, rounding is left.
        known = (model > _EXPLAINED * informed) & (alone > 0)
        alone = np.maximum(alone, model) if rare else alone
        f = float((np.square(total[known]) / alone[known]).max(initial=0.0))
        p = min(1.0, int(np.count_nonzero(known)) * float(f_above(f, 1, df)))
        return Misfit(asked, f, 1.0, float(df), p)
    root = np.sqrt(informed[free])
    value, direction = np.linalg.eigh(np.eye(r) - (mixed[free] @ by_strengths[:, free]) / root / root[:, None])
    if not (some := value > _EXPLAINED).any():
        raise NotApplicable("The strengths explain every pair, so none remains to test the model.")
    # In these directions the model's information is 1.
    along = direction[:, some] / np.sqrt(value[some]) / root[:, None]
    total, centred, r = total[free] @ along, centred[:, free] @ along, int(np.count_nonzero(some))
    spread, own_axes = np.linalg.eigh(documents / (documents - 1) * centred.T @ centred)
    # Where rare verdicts are missing from all documents, these look alike: the model's spread is the least then.
    spread = np.maximum(spread, 1.0) if rare else spread
    t2 = float(np.square(own_axes.T @ total)[spread > _NOTHING] @ (1 / spread[spread > _NOTHING]))
    f = t2 * (df + 1 - r) / (df * r)
    return Misfit(asked, f, float(r), float(df + 1 - r), float(f_above(f, r, df + 1 - r)))


def _rare(made: Strengths, effect: Index, effects: int, on_theta: bool) -> Mask:
    """Return of which effects hardly any judgement tells: pairs that one system nearly always wins, ties or their lack.

    By what the model expects, since what is there varies with what is tested.
    """
    fit, cells = made.fit, made.fit.cells
    moments = Moments.at(cells, fit.place, fit.ties, fit.values)
    seldom = np.maximum(moments.win, moments.loss) if on_theta else np.maximum(moments.tie, 1 - moments.tie)
    told, every = np.bincount(effect, cells.count * (1 - seldom), effects), np.bincount(effect, cells.count, effects)
    return (told < _RARE) & (told < _SELDOM * every)


_FEW_TRIADS = 10


def _circular(made: Strengths) -> tuple[int, list[str]]:
    """Return how many triads of direct comparisons are circular, and the names of the first."""
    cells, names = made.fit.cells, made.preferences.systems
    net = np.zeros((cells.systems, cells.systems))
    np.add.at(net, (cells.first, cells.second), cells.count * cells.outcome)
    net -= net.T
    beats = net > 0
    counts = beats.astype(float)
    found = []
    for a, b in np.argwhere(beats & (counts @ counts > 0).T).tolist():
        for c in np.flatnonzero(beats[b] & beats[:, a]).tolist():
            if a < b and a < c:
                found.append(f"{names[a]} beats {names[b]}, {names[b]} beats {names[c]}, {names[c]} beats {names[a]}")
        if len(found) >= _FEW_TRIADS:
            break
    return round(float(np.einsum("ab,ba->", counts @ counts, counts)) / 3), found[:_FEW_TRIADS]


@dataclass(frozen=True)
class Gaps(Record):
    """What the unread verdicts of a pair could change."""

    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    gaps: Annotated[Count, about("Number of judgements without a verdict.")]
    read: Annotated[Count, about("Number of judgements with a verdict.")]
    net: Annotated[Number, about("Wins minus losses of the first system, per judgement with a verdict.")]
    worst: Annotated[Number, about("The same if all missing verdicts were against the first system.")]
    best: Annotated[Number, about("The same if all missing verdicts were for the first system.")]
    turns: Annotated[bool | None, about("Whether one of these two cases would change the verdict; or null.")]


_MOST_REFITS, _REFITTED = 200, 2 * 10**8
"""Pairs that are estimated again, and judgements times pairs of systems times 2 of all these together."""


def preference_gaps(
    preferences: Preferences, compare: Callable[[Preferences], Family] | None = None
) -> tuple[Gaps, ...]:
    """Return for every pair with gaps what its verdict could turn to: all gaps against it, and all its way.

    Of many pairs, those with most gaps are compared again.

    compare: how judgements are compared; by strengths, with the default settings, where it is None.
    """
    if len(preferences.criteria) > 1:
        raise NotApplicable("Missing verdicts are analysed for one criterion at a time. Choose one (--criterion).")
    compare = compare or (lambda judged: strengths(judged).compared)
    found, here = [], None
    systems, low = preferences.systems, np.minimum(preferences.first, preferences.second)
    high = np.maximum(preferences.first, preferences.second)
    at, of = alike([low, high])
    gaps = np.bincount(of, preferences.gaps)
    most = min(_MOST_REFITS, max(1, _REFITTED // (len(preferences) * len(systems) ** 2)))
    again = set(np.argsort(-gaps, kind="stable")[:most].tolist())
    members = np.split(np.argsort(of, kind="stable"), np.cumsum(np.bincount(of))[:-1])
    for pair in np.flatnonzero(gaps).tolist():
        a, b, rows = int(low[at[pair]]), int(high[at[pair]]), members[pair]
        sign = np.where(preferences.first[rows] == a, 1.0, -1.0)
        d = preferences.outcome[rows] * sign
        read = ~np.isnan(d)
        worst, best = (float(np.where(read, d, value).mean()) for value in (-1.0, 1.0))
        turns: bool | None = False if pair in again else None
        if read.any() and pair in again:
            here = here or _compared(compare, preferences)
            words = {_word(here, systems[a], systems[b])}
            for value in (-1.0, 1.0):
                filled = preferences.outcome.copy()
                filled[rows] = np.where(read, preferences.outcome[rows], value * sign)
                words.add(_word(_compared(compare, replace(preferences, outcome=filled)), systems[a], systems[b]))
            turns = len(words) > 1
        net = float(d[read].mean()) if read.any() else float("nan")
        found.append(Gaps(systems[a], systems[b], int((~read).sum()), int(read.sum()), net, worst, best, turns))
    return tuple(found)


def _compared(compare: Callable[[Preferences], Family], preferences: Preferences) -> Family | None:
    try:
        return compare(preferences)
    except NotApplicable:
        return None


def _word(compared: Family | None, first: str, second: str) -> tuple[str, str | None]:
    comparison = None if compared is None else compared.pair(first, second)
    decided = None if comparison is None else verdict(comparison)
    return ("", None) if decided is None else (decided.word, decided.winner)


@dataclass(frozen=True)
class Drift(Record):
    """Whether a rater's agreement with her own earlier verdicts changes along the file."""

    rater: Annotated[str, about("The rater.")]
    repeats: Annotated[Count, about("Number of judgements that repeat an earlier one by this rater.")]
    early: Annotated[Number, about("Share of repeats with the same verdict in the first half of the file.")]
    late: Annotated[Number, about("Share of repeats with the same verdict in the second half.")]
    p_value: Annotated[Number, about("p-value of the t test for a change, over documents.")]


def drift(preferences: Preferences) -> tuple[Drift, ...]:
    """Return for every rater with at least 20 repeats whether her agreement with herself changes.

    The place in the file stands for time. Repeats are judgements of one item and pair by one rater, in either order;
    the last half of them is compared with the first, by Welch's t of the shares' jackknife errors over documents.
    """
    judged = preferences.judged()
    again = defaultdict[int, list[tuple[int, float, int]]](list)
    for rows in judged.repeated():
        ahead = np.where(judged.first[rows] < judged.second[rows], 1.0, -1.0)
        said = judged.outcome[rows] * ahead
        again[int(judged.rater.of[rows[0]])] += [
            (int(row), float(value == said[0]), int(judged.document.of[row]))
            for row, value in zip(rows[1:], said[1:], strict=True)
        ]
    found = []
    for rater, unsorted in sorted(again.items()):
        own, name = sorted(unsorted), judged.raters[rater]
        if len(own) < REPEATS:
            continue
        half = len(own) // 2
        (early, (e1, df1), *_), (late, (e2, df2), *_) = (
            jackknifed(np.array([a for _, a, _ in part]), np.array([d for _, _, d in part]))
            for part in (own[:half], own[half:])
        )
        error = np.hypot(e1, e2)
        df = error**4 / (e1**4 / df1 + e2**4 / df2) if error > 0 else float("nan")
        p = 2 * float(t_above(abs(late - early) / error, df)) if error > 0 else float("nan")
        found.append(Drift(name, len(own), early, late, p))
    return tuple(found)


def preference_agreement(preferences: Preferences, level: float = 0.95) -> tuple[Agreement, ...]:
    """Return how far raters agree on items and pairs that several of them judged: ordinal and nominal α.

    Of a rater who judged one of them several times the first verdict counts.

    Raise NotApplicable where no item and pair was judged by two raters.
    """
    judged = preferences.judged()
    low, high = np.minimum(judged.first, judged.second), np.maximum(judged.first, judged.second)
    _, pair = np.unique(low * len(judged.systems) + high, return_inverse=True)
    value = np.where(judged.first == low, judged.outcome, -judged.outcome)
    order = np.lexsort((judged.item.of, pair, judged.rater.of))
    rater, system, segment = (column[order].astype(np.int32) for column in (judged.rater.of, pair, judged.item.of))
    given = RaterScores(judged.raters, rater, system, segment, value[order])
    document = dict(zip(judged.item.of.tolist(), judged.document.of.tolist(), strict=True))
    documents = [judged.documents[document[item]] for item in range(len(judged.item.known))]
    return tuple(
        agreement(given, kind, documents=documents, level=level) for kind in ("alpha-ordinal", "alpha-nominal")
    )


@dataclass(frozen=True)
class RaterCounts(Record):
    """What one rater did."""

    rater: Annotated[str, about("The rater.")]
    judgements: Annotated[Count, about("Number of judgements with a verdict.")]
    gaps: Annotated[Count, about("Number of judgements without a verdict.")]
    ties: Annotated[Number, about("Share of ties among verdicts.")]
    first: Annotated[Number, about("Share won by the system shown first, if the order is known, without ties.")]


def rater_counts(preferences: Preferences) -> tuple[RaterCounts, ...]:
    """Return what every rater did."""
    rater, d = preferences.rater.of, np.nan_to_num(preferences.outcome, nan=9)
    read, decided = d != 9, (d != 9) & (d != 0) & preferences.ordered
    own, gaps, ties, shown, first = (
        np.bincount(rater, of, len(preferences.raters)) for of in (read, ~read, d == 0, decided, decided & (d > 0))
    )
    with np.errstate(invalid="ignore"):
        columns = own.astype(int), gaps.astype(int), ties / own, first / shown
    rows = zip(preferences.raters, *(column.tolist() for column in columns), strict=True)
    return tuple(RaterCounts(*row) for row in rows)
