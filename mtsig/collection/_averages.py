"""The averages over these sets: of pairs, a family of their own, and of systems, scores with intervals."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from mtsig._options import option, options
from mtsig._probability import FEWEST_DF, Tails, count_extreme, needed_draws, t_quantile
from mtsig._records import Floats, Index, about
from mtsig._results import Public, Result
from mtsig.collection._beyond import Combination, Separation
from mtsig.collection._families import FamilyOf, exchanged, notes_of
from mtsig.collection._pairs import (
    PairOverSets,
    SharedUnits,
    average,
    joined,
    pair_over_sets,
    units_over,
    with_few_documents,
)
from mtsig.collection._sets import SetStatistics, Sharing, names_with
from mtsig.corpus import Note, RaterScores
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import InvalidOption, MtsigError, expect
from mtsig.inference import Family, Intervals, Outcome, Settings
from mtsig.inference._corrections import SLACK, Holm, adjusted_ends
from mtsig.inference._estimated import Made, RatedFamily, with_others
from mtsig.inference._family import half_widths_by_t, possible
from mtsig.inference._raters import Contrast, Groups, over_raters
from mtsig.inference._significance import AUTO, ApproximateRandomization, counted
from mtsig.inference._targets import Doubt
from mtsig.inference._tests import JackknifeT, seconding_p
from mtsig.metrics import Rated
from mtsig.metrics._sums import ALIKE, UNLIKE
from mtsig.resampling import Swap

Weights = Literal["equal", "segments"] | Mapping[str, float]


def weights_from(texts: Sequence[str]) -> Weights:
    """Return the weights that some words write: equal, segments, or SET=NUMBER for each set."""
    if len(texts) == 1 and texts[0] in ("equal", "segments"):
        return "equal" if texts[0] == "equal" else "segments"
    weights = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise InvalidOption(f"Weights must be equal, segments, or SET=NUMBER for each set; found {text!r}.")
    return weights


def check_weights(choice: Weights, names: Sequence[str]) -> None:
    if isinstance(choice, str):
        if choice not in ("equal", "segments"):
            raise InvalidOption(f"Weights must be equal, segments, or a number for every set; found {choice!r}.")
        return
    lost = [name for name in names if name not in choice]
    if lost:
        raise InvalidOption(f"Weights are needed for every set; missing: {listed(lost)}.")
    try:
        weights = np.array([float(weight) for weight in choice.values()])
    except (TypeError, ValueError):
        weights = np.array([np.nan])
    if not (np.all(np.isfinite(weights)) and np.all(weights >= 0) and weights.sum() > 0):
        raise InvalidOption("Weights of sets must be non-negative numbers, and at least one must be above 0.")


@dataclass(frozen=True)
class Averaging(Public):
    """How to combine test sets: sets, weights, and what is corrected together."""

    names: Annotated[tuple[str, ...], about("Names of the test sets.")] = ()
    weights: Annotated[Weights, about("Weights of the sets: equal, segments, or one number each.")] = "equal"
    units: Annotated[
        Sharing, about("Whether a document that occurs in several sets is one unit: shared or separate.")
    ] = option(
        "shared",
        "Documents that occur in several sets",
        "whether a document that occurs in several sets is one unit in all of them",
    )
    family: Annotated[FamilyOf, about("Corrected together: all pairs in all sets, or per set.")] = option(
        "joint", "Corrected together", "correct for all pairs in all sets together (joint), or within each set alone"
    )
    combine: Annotated[
        Combination, about("How p-values are combined, to count the sets in which a system is better.")
    ] = option(
        "bonferroni",
        "In how many sets",
        "how to combine p-values over sets, to count the sets in which a system is better; fisher needs sets without "
        "shared documents",
    )
    separate: Annotated[Separation, about("Significance test of mean ranks over sets.")] = option(
        "nemenyi", "Ranks over sets", "test of mean ranks over sets; wilcoxon-holm needs nine sets for ten pairs"
    )
    own: Annotated[
        Mapping[str, tuple[str, ...]], about("Options of metrics for single sets, as on the command line.")
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check what can be checked without data, and hold metrics of single sets as tuples."""
        for known in options(self):
            if getattr(self, known.name) not in (known.choices or ()):
                raise InvalidOption(
                    f"{known.name} is {' or '.join(known.choices or ())}; found {getattr(self, known.name)!r}."
                )
        check_weights(self.weights, self.names)
        if len(set(self.names)) < len(self.names):
            raise InvalidOption(f"The test set {Counter(self.names).most_common(1)[0][0]!r} is named twice.")
        own = {name: (many,) if isinstance(many, str) else tuple(many) for name, many in self.own.items()}
        object.__setattr__(self, "own", own)
        for name in self.own:
            if self.names and name not in self.names:
                raise InvalidOption(f"A metric is named for the set {name!r}, which is not among the sets.")

    @property
    def sentence(self) -> str:
        """A sentence on what is estimated and how test sets are combined."""
        weights = self.weights if isinstance(self.weights, str) else "given by name"
        return (
            f"the average difference over these {number_of(len(self.names), 'test set')} ({listed(self.names)}); "
            f"weights {weights}, units in several sets {self.units}, {self.family} family"
        )


def weights_of(pair: PairOverSets, choice: Weights) -> Floats:
    """Return the weights of a pair's sets, which sum to 1."""
    check_weights(choice, pair.names)
    if choice == "segments":
        weights = pair.segments.astype(np.float64)
    else:
        weights = np.array([1.0 if isinstance(choice, str) else float(choice[name]) for name in pair.names])
    if weights.sum() <= 0:
        raise InvalidOption("Weights of sets must be non-negative numbers, and at least one must be above 0.")
    return np.asarray(weights / weights.sum())


def test_of_averages(
    statistics: SetStatistics, units: SharedUnits, families: Mapping[str, Family], over: Sequence[PairOverSets],
    weights: Sequence[Floats], settings: Settings,
) -> tuple[JackknifeT | ApproximateRandomization, Outcome | None, tuple[Note, ...]]:  # fmt: skip
    """Return the test of the averages; exchanges when they are asked for by name, with what they say."""
    scheme = settings.bootstrap()
    jackknife = JackknifeT(scheme=scheme, direction=settings.alternative)
    if settings.test in (AUTO, jackknife.name):
        return jackknife, None, ()
    test = next(iter(families.values())).test
    if not isinstance(test, ApproximateRandomization) or _have_gaps(statistics, units):
        text = f"Averages over sets are tested by {jackknife.name}: {settings.test} is not available over several sets."
        return jackknife, None, (Note("note", text),)
    return test, _by_exchange(statistics, units, families, over, weights, test), ()


def _have_gaps(statistics: SetStatistics, units: SharedUnits) -> bool:
    """Return whether systems lack segments of documents that are units: those are not exchanged over several sets."""
    return any(statistics.of[name].available is not None and kind != "segment" for name, kind in units.kinds.items())


def _by_exchange(
    statistics: SetStatistics, units: SharedUnits, families: Mapping[str, Family], over: Sequence[PairOverSets],
    weights: Sequence[Floats], test: ApproximateRandomization,
) -> Outcome:  # fmt: skip
    """Return what exchanging units in all sets at once says of the averages of some pairs."""
    draws = test.scheme.n_draws
    null = np.zeros((len(over), draws))
    rows = {(pair_over_sets.first, pair_over_sets.second): i for i, pair_over_sets in enumerate(over)}
    asked = {
        name: family.with_rows(own)
        for name, family in families.items()
        if (own := tuple(record for record in family if (record.first, record.second) in rows))
    }
    for name, drawn in exchanged(asked, statistics.of, units, draws, test.scheme.seed):
        family = asked[name]
        for pair, column in zip(zip(family.first, family.second, strict=True), drawn, strict=True):
            at = rows[pair]
            null[at] += weights[at][over[at].names.index(name)] * column
    observed = np.array(
        [float(w @ pair_over_sets.differences) for pair_over_sets, w in zip(over, weights, strict=True)]
    )
    return counted(count_extreme(null, observed, test.alternative), draws, null)


def averages_of(
    statistics: SetStatistics, units: SharedUnits, families: Mapping[str, Family], over: Sequence[PairOverSets],
    weights: Sequence[Floats], settings: Settings, test: JackknifeT | ApproximateRandomization, drawn: Outcome | None,
) -> tuple[Family | None, tuple[Note, ...]]:  # fmt: skip
    """Return the averages of all pairs as a family of their own, corrected by Holm, and why pairs have none."""
    if len(statistics.of) == 1:
        return None, ()
    estimates = np.array([average(pair_over_sets, w) for pair_over_sets, w in zip(over, weights, strict=True)])
    difference, error, df = estimates.T
    smoothed = _smoothed(over, weights)
    df = np.where(np.isnan(smoothed[:, 1]), df, smoothed[:, 2])
    second_p = seconding_p(difference, error, df, smoothed[:, 0], smoothed[:, 1], settings.alternative)
    p, low, high = (second_p,) * 3 if drawn is None else (drawn.p_value, drawn.p_mc_low, drawn.p_mc_high)
    bare = np.flatnonzero(np.isnan(error) & ~np.isnan(smoothed[:, 1]))
    if drawn is None and len(bare) and not _have_gaps(statistics, units):
        draws = max(settings.n_resamples, needed_draws(2 * len(over), 1 - settings.level))
        by_exchange = ApproximateRandomization(Swap(draws, settings.seed), direction=settings.alternative)
        some = [over[i] for i in bare.tolist()], [weights[i] for i in bare.tolist()]
        made = _by_exchange(statistics, units, families, *some, by_exchange)
        p, low, high = (
            _larger(own, bare, other)
            for own, other in ((p, made.p_value), (low, made.p_mc_low), (high, made.p_mc_high))
        )
    lost = np.isnan(error) & (np.isnan(smoothed[:, 1]) | _have_gaps(statistics, units))
    adjusted, p_adjusted_mc_low, p_adjusted_mc_high, second = (
        Holm().adjusted(np.nan_to_num(np.where(lost, 1.0, raw), nan=1.0)) for raw in (p, low, high, second_p)
    )
    half = t_quantile((1 + settings.level) / 2, df) * error
    alpha = 1 - settings.level
    judged_at = Holm().levels(np.where(lost, np.nan, p), adjusted, alpha)
    reach = (
        half_widths_by_t(difference, error, df, p, judged_at, settings.alternative)
        if drawn is None or drawn.null is None
        else Tails.of(drawn.null, difference, settings.alternative, False, alpha).reached_by(judged_at)
    )
    ends = adjusted_ends(difference, reach, adjusted <= alpha + SLACK, judged_at, settings.alternative)
    kinds = {units.kinds[name] for pair_over_sets in over for name in pair_over_sets.names}
    few = with_few_documents(statistics, units)
    doubtful = [_doubt(pair, nu, families, few) for pair, nu in zip(over, df.tolist(), strict=True)]
    one_metric = next(iter(statistics.of.values())).metric
    widest = 1.0 if all(one.right_or_wrong for one in statistics.of.values()) else one_metric.widest
    every = Family.of_outcome(
        [(pair_over_sets.first, pair_over_sets.second) for pair_over_sets in over],
        test,
        Outcome(p, low, high, np.zeros(len(over), dtype=bool)),
        settings.bootstrap(),
        None,
        metric=statistics.metric, signature=statistics.signature, difference=difference,
        ci_low=possible(difference - half, widest), ci_high=possible(difference + half, widest), interval="jackknife",
        standard_error=error, df=df, p_adjusted=np.where(np.isnan(p), np.nan, adjusted),
        p_adjusted_mc_low=np.where(np.isnan(p), np.nan, p_adjusted_mc_low),
        p_adjusted_mc_high=np.where(np.isnan(p), np.nan, p_adjusted_mc_high),
        units=[pair_over_sets.n_units for pair_over_sets in over],
        segments=[int(pair_over_sets.segments.sum()) for pair_over_sets in over],
        n_differing=[pair_over_sets.n_differing for pair_over_sets in over], bootstrap_win_rate=float("nan"),
        tie_rate=float("nan"), level=settings.level, correction="holm", unit=kinds.pop() if len(kinds) == 1 else "unit",
        alternative=settings.alternative, estimand="average over these sets of the difference of corpus scores",
        is_quality_metric=one_metric.is_quality_metric, decimals=one_metric.decimals, widest=widest,
        higher_is_better=one_metric.higher_is_better, rated=isinstance(one_metric, Rated),
        p_jackknife=second if drawn is not None else float("nan"), adjusted_ci_low=possible(ends.low, widest),
        adjusted_ci_high=possible(ends.high, widest), adjusted_level=ends.level,
        unmatched=[_unmatched(pair_over_sets) for pair_over_sets in over], smoothed_difference=smoothed[:, 0],
        smoothed_error=smoothed[:, 1], **_order_facts(over, families), data_caveat=[doubt.said for doubt in doubtful],
        data_caveat_id=[doubt.of for doubt in doubtful],
    )  # fmt: skip
    kept = [row for row, gone in zip(every, lost, strict=True) if not gone]
    notes = tuple(_no_average(pair_over_sets) for pair_over_sets, gone in zip(over, lost, strict=True) if gone)
    if not kept:
        return None, notes
    order = tuple(dict.fromkeys(name for row in kept for name in (row.first, row.second)))
    unranked = {name: said for family in families.values() for name, said in family.unranked.items() if name in order}
    best_first = sorted(_best_first(order, statistics), key=unranked.__contains__)
    return replace(every.with_rows(kept).changed(order=tuple(best_first)), unranked=unranked), notes


def rated_averages(
    statistics: SetStatistics, units: SharedUnits, over: Sequence[PairOverSets], weights: Sequence[Floats],
    averages: Family, settings: Settings,
) -> RatedFamily | None:  # fmt: skip
    """Return averages of ratings, and whether they hold for raters like these; None without raters in some set.

    As on one set, V = V(units) + V(raters) − V(units × raters), with V(units) that of the averages. A rater of several
    sets is one; of sets that share no rater, directly or through others, the variances add.
    """
    given, unit_of, numbers = dict[str, RaterScores](), dict[str, Index](), dict[str, int]()
    for name, part in statistics.of.items():
        rating = statistics.sets[name].ratings.get(part.metric.rating if isinstance(part.metric, Rated) else "")
        if rating is None or rating.rater_scores is None or part.clustered:
            return None
        documents = part.document_of if units.kinds[name] == "document" else None
        own = units.blocks_of.get(name, np.arange(part.n) if documents is None else documents)
        unit_of[name] = np.full(len(statistics.sets[name]), -1)
        unit_of[name][slice(None) if part.numbers is None else part.numbers] = units.of[name][own]
        scores = rating.rater_scores.signed
        scores = scores.where(unit_of[name][scores.segment] >= 0)
        rater = np.array([numbers.setdefault(who, len(numbers)) for who in scores.raters], dtype=np.int32)
        given[name] = replace(scores, raters=tuple(numbers), rater=rater[scores.rater])
    found = {}
    for pair, w in zip(over, weights, strict=True):
        parts = []
        for name in pair.names:
            first, second = ([*statistics.sets[name].systems].index(one) for one in (pair.first, pair.second))
            groups = Groups(units.kinds[name], unit_of[name][given[name].segment], 0)
            parts.append(Contrast.in_set(given[name], first, second, groups))
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        blocks = joined([np.unique(part.rater).astype(np.int64) for part in known])
        every = [Contrast.average([known[j] for j in block], w[block]) for block in blocks]
        v, df = np.transpose([one.spread(one.rater) for one in every])
        both = sum(one.spread(one.both)[0] for one in every)
        nu = float(v.sum() ** 2 / (v**2 / df).sum()) if (v > 0).any() and (df > 0).all() else float(df.min())
        found[pair.first, pair.second] = float(v.sum()), nu, both, sum(one.raters for one in every)
    names, pairs = averages.order, [*zip(averages.first, averages.second, strict=True)]
    places = np.array([(names.index(x), names.index(y)) for x, y in pairs])
    made = Made(
        averages.metric, averages.header.signature, names, -np.arange(len(names), dtype=np.float64), places,
        averages.unit, averages.units.tolist(), averages.segments.tolist(), replace(settings, correction="holm"),
    )  # fmt: skip
    raters, df, both, several = np.transpose([found[pair] for pair in pairs])
    by_units = np.square(averages.standard_error), averages.df
    others = over_raters(
        made, averages.difference, by_units, (raters, df), (both, df), several.astype(np.int64).tolist()
    )
    return with_others(averages, *others, len(numbers))


def _smoothed(over: Sequence[PairOverSets], weights: Sequence[Floats]) -> Floats:
    """Return mean, standard error and ν of smoothed differences where the jackknife is undefined; shape (pairs, 3)."""
    return np.array([
        (np.nan,) * 3 if (smoothed := pair.smoothed) is None else average(smoothed, w)
        for pair, w in zip(over, weights, strict=True)
    ])  # fmt: skip


def _larger(values: Floats, at: NDArray[np.intp], others: Floats) -> Floats:
    """Return the values with the larger of two at some places."""
    values = np.array(values)
    values[at] = np.maximum(values[at], others)
    return values


def _unmatched(pair: PairOverSets) -> str:
    """Return what a pair lacks in some sets; "" where it lacks nothing."""
    return "; ".join(f"{name}: {lack.said}" for name, lack in zip(pair.names, pair.lacks, strict=True) if lack)


def _best_first(systems: Sequence[str], statistics: SetStatistics) -> tuple[str, ...]:
    """Return the systems by their mean score over the sets that all of them are in; as they come where none is."""
    names = names_with(statistics, systems)
    if not names:
        return tuple(systems)
    sign = -1 if statistics.of[names[0]].metric.higher_is_better else 1
    scores = {
        system: np.mean([statistics.of[name].scores[statistics.of[name].row(system)] for name in names])
        for system in systems
    }
    return tuple(sorted(systems, key=lambda system: float(sign * scores[system])))


def _no_average(pair: PairOverSets) -> Note:
    where = [name for name, error in zip(pair.names, pair.errors, strict=True) if np.isnan(error)]
    why = f"the jackknife is undefined in {listed(where)}, so the variance is unknown there"
    return Note("warning", f"No average of {pair.first} – {pair.second}: {why}.")


def _doubt(pair: PairOverSets, nu: float, families: Mapping[str, Family], few: Sequence[str]) -> Doubt:
    """Return why no verdict can be given on an average; empty where one can. few: sets of too few documents."""
    for name, df in zip(pair.names, pair.df, strict=True):
        at = families[name].find(pair.first, pair.second)
        own = None if at is None else families[name][at]
        # That one set's documents are unequal is part of ν; what else is wrong there is wrong with the average.
        if own is not None and own.data_caveat and df >= FEWEST_DF:
            return Doubt(f"{name}: {own.data_caveat}", own.data_caveat_id)
    if nu < FEWEST_DF:
        said = f"for the variance of the average, these units are worth {nu + 1:.1f} of equal size; a verdict needs at "
        return Doubt(f"{said}least {FEWEST_DF + 1}", "unequal documents")
    # Over documents beside segments averages erred in 11 of 100 cases at .05.
    concerned = [name for name in pair.names if name in few]
    if not concerned or len(concerned) == len(pair.names):
        return Doubt()
    return Doubt(f"too few documents in {listed(concerned)}, and segments cannot be used instead", "mixed units")


def _order_facts(over: Sequence[PairOverSets], families: Mapping[str, Family]) -> dict[str, Any]:
    """Return what each average rests on where document ids are missing: that of the set that leaves most open."""
    facts: dict[str, Any] = {"documents": [], "order_segments": [], "order_z": []}
    for pair in over:
        found = [families[name].pair(pair.first, pair.second) for name in pair.names]
        own = [one for one in found if one is not None]
        z = [one.order_z for one in own if one.unit == "segment" or one.order_z < UNLIKE]
        facts["documents"].append(_least(one.documents for one in own if one.unit == "segment"))
        facts["order_segments"].append(_least(one.order_segments for one in own))
        # Segments taken as independent although neighbours are alike weigh more than documents that may be dealt.
        facts["order_z"].append(highest if (highest := -_least(-value for value in z)) > ALIKE else _least(z))
    return facts


def _least(values: Iterable[float]) -> float:
    """Return the least of the values that are known; NaN where none is."""
    return min((value for value in values if value == value), default=float("nan"))


@dataclass(frozen=True, eq=False)
class ScoresOverSets(Result):
    """The scores of systems on every test set, and their averages.

    intervals: a mapping from each set to its scores. averages: the averages of systems in every set, with jackknife
    intervals in which a shared unit is left out of all its sets at once; `None` if there is one set or no such system.
    """

    brief: ClassVar[tuple[str, ...]] = Intervals.brief

    intervals: Mapping[str, Intervals]
    averages: Intervals | None
    notes: tuple[Note, ...] = ()

    @property
    def metric(self) -> str:
        """The metric's name."""
        return next(iter(self.intervals.values())).metric

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, by average score; those missing from a set come last."""
        first = () if self.averages is None else [self.averages.systems[i] for i in self.averages.order()]
        return tuple(
            dict.fromkeys([*first, *(name for interval in self.intervals.values() for name in interval.systems)])
        )

    def __repr__(self) -> str:
        """Return the metric and the sets, in one line."""
        return f"<ScoresOverSets in {self.metric}: {listed(list(self.intervals))}>"

    def called(self, label: str) -> "ScoresOverSets":
        """Return the scores with another metric name."""
        return replace(
            self,
            intervals={name: intervals.changed(metric=label) for name, intervals in self.intervals.items()},
            averages=None if self.averages is None else self.averages.changed(metric=label),
        )

    def by_score(self) -> "ScoresOverSets":
        """Return the scores with the systems of every set sorted, best first."""
        return replace(
            self,
            intervals={name: intervals.by_score() for name, intervals in self.intervals.items()},
            averages=None if self.averages is None else self.averages.by_score(),
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each set and system, then the averages (set `None`)."""
        rows = [{"set": name, **row} for name, interval in self.intervals.items() for row in interval.rows()]
        return rows + [{"set": None, **row} for row in (self.averages.rows() if self.averages else ())]


def score(statistics: SetStatistics, settings: Settings | None = None, *, weights: Weights = "equal") -> ScoresOverSets:
    """Compute the scores on every test set, with intervals, and their averages.

    Parameters
    ----------
    statistics
        The statistics that `measure` returns.
    settings
        The interval, level, number of resamples, seed and unit.
    weights
        The weights of the sets in the average.

    Raises
    ------
    NotApplicable
        The data do not allow the method; the message names the set.
    InvalidOption
        The weights are not valid weights of these sets.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.study import Sets, measure
    >>> score(measure(Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()}), "chrf"))
    <ScoresOverSets in chrF2: a and b>
    """
    expect(statistics, SetStatistics, "Give the result of measure(sets, metric) for a collection of test sets")
    settings = settings or Settings()
    score: dict[str, Intervals] = {}
    for name, of_set in statistics.of.items():
        try:
            score[name] = settings.intervals(of_set)
        except MtsigError as error:
            raise type(error)(f"{name}: {error}") from None
    everywhere = [name for name in statistics.systems if len(names_with(statistics, [name])) == len(score)]
    notes = [*notes_of({name: intervals.notes for name, intervals in score.items()})]
    absent = [name for name in statistics.systems if name not in everywhere]
    if len(score) == 1 or not everywhere:
        return ScoresOverSets(score, None, (*statistics.sets.notes, *notes))
    if absent:
        notes.append(Note("note", f"No average score of {listed(absent)}: only systems in every set have one."))
    units = units_over(statistics, settings.unit, by_order=settings.by_order)
    rows = []
    for system in everywhere:
        over = pair_over_sets(statistics, units, [system], list(score))
        mean, spread, df = average(over, weights_of(over, weights))
        half = float(t_quantile((1 + settings.level) / 2, df)) * spread
        rows.append((system, mean, mean - half, mean + half, over.n_units, int(over.segments.sum())))
    columns = dict(
        zip(("system", "score", "ci_low", "ci_high", "units", "segments"), zip(*rows, strict=True), strict=True)
    )
    first = next(iter(score.values()))
    kinds = {intervals.unit for intervals in score.values()}
    averages = Intervals(
        **Intervals.columns(
            len(rows),
            metric=statistics.metric,
            signature=statistics.signature,
            interval="jackknife",
            level=settings.level,
            unit=kinds.pop() if len(kinds) == 1 else "unit",
            higher_is_better=first.higher_is_better,
            decimals=first.decimals,
            **columns,
        )
    )
    return ScoresOverSets(score, averages, (*statistics.sets.notes, *units.notes, *notes))
