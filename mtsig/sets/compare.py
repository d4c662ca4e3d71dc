"""Compare over sets: what a metric counted on every set goes in; every set, their average and what follows come out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any, Literal

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Note, listed, number_of
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, UnknownName, expect
from mtsig.inference.adjust import CORRECTIONS, adjust_together
from mtsig.inference.comparison import Comparison
from mtsig.inference.corrections import Holm, OfPValues
from mtsig.inference.defaults import AUTO
from mtsig.inference.degrees import FEWEST_DF
from mtsig.inference.distributions import t_quantile
from mtsig.inference.family import Family, row_of
from mtsig.inference.probability import count_extreme
from mtsig.inference.settings import Settings
from mtsig.inference.significance import ApproximateRandomization, JackknifeT, Outcome
from mtsig.inference.significance.base import counted
from mtsig.inference.significance.jackknife import jackknife_p
from mtsig.inference.sliced import Heterogeneity
from mtsig.inference.targets import PairChoice
from mtsig.metrics import Unit
from mtsig.records import Count, MetricRecord, Number, about
from mtsig.results import Result
from mtsig.sets.collection import SetStatistics, names_with
from mtsig.sets.joint import MOST_DRAWS, MOST_RANKS, exchanged, needed_draws, step_down
from mtsig.sets.meta import FEWEST_SETS, RandomEffects, random_effects
from mtsig.sets.pairs import PairOverSets, average, heterogeneity, independent_error, pair_over_sets
from mtsig.sets.ranks import Separation, SetRanks, rank_over_sets
from mtsig.sets.replicability import Combination, Replicability, one_sided, replicability
from mtsig.sets.units import SharedUnits, units_over

Weights = Literal["equal", "segments"] | Mapping[str, float]
FamilyOf = Literal["joint", "per-set"]
Pair = tuple[str, str]

FEWEST_RANKED = 3
"""Two systems have no ranks beyond their one comparison."""


@dataclass(frozen=True)
class OverSets(MetricRecord):
    """What stands beside the average of a pair: its differences set by set, and whether the sets disagree."""

    metric: Annotated[str, about("Name of the metric.")]
    signature: Annotated[str, about("Its signature; where sets differ, each with the sets that it is of.")]
    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    sets: Annotated[tuple[str, ...], about("The sets that have both.")]
    weights: Annotated[tuple[float, ...], about("Their weights in the average; they sum to 1.")]
    differences: Annotated[tuple[float, ...], about("The difference in each set.")]
    standard_errors: Annotated[tuple[float, ...], about("Its standard error in each set.")]
    first_leads: Annotated[Count, about("In how many sets the first scores better.")]
    second_leads: Annotated[Count, about("In how many sets the second scores better.")]
    error_if_independent: Annotated[
        Number, about("Standard error that the average would have if no unit were in several sets.")
    ]
    method: Annotated[str, about("Test of equal differences, Welch or Hotelling; or why there is none.")]
    statistic: Annotated[Number, about("Its F.")]
    df1: Annotated[Number, about("Degrees of freedom of F.")]
    df2: Annotated[Number, about("Degrees of freedom of its standard errors.")]
    p_value: Annotated[Number, about("Its p: are the differences the same in all sets?")]
    p_adjusted: Annotated[Number, about("p corrected for the pairs, by Holm.")]
    further: Annotated[
        RandomEffects | None, about("The mean over sets like these; null where it cannot be worked out.")
    ]
    not_further: Annotated[str, about("Why these sets cannot stand for others; empty where they may.")]

    @property
    def contrary(self) -> int:
        """In how many sets the system leads that is behind on average; 0 where neither is."""
        mean = float(np.dot(self.weights, self.differences))
        return self.second_leads if mean > 0 else self.first_leads if mean < 0 else 0


@dataclass(frozen=True, eq=False)
class FamilyOverSets(Result):
    """Comparisons in every set, judged together, and what the sets say of each pair together.

    families: set -> its comparisons. averages: the average difference of every pair over the sets that have both, a
    family of its own; None where no pair has one. described: what stands beside each average, in its order.
    replicated: for every pair and direction, in how many sets at least. ranks: None with fewer than 5 sets. units:
    which units the sets share. joint: whether all sets are one family.
    """

    statistics: SetStatistics
    families: Mapping[str, Family]
    averages: Family | None
    described: tuple[OverSets, ...]
    replicated: tuple[Replicability, ...]
    ranks: SetRanks | None
    units: SharedUnits
    joint: bool
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        size = sum(map(len, self.families.values()))
        compared = number_of(size, "comparison")
        return f"<FamilyOverSets in {self.statistics.metric}: {compared} on {number_of(len(self.families), 'set')}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per set and pair, then those of the averages, whose set is None."""
        found = [{"set": name, **row_of(one)} for name, family in self.families.items() for one in family]
        return found + [{"set": None, **row_of(one)} for one in self.averages or ()]


def compare(
    statistics: SetStatistics,
    settings: Settings | None = None,
    pairs: PairChoice = "all",
    *,
    weights: Weights = "equal",
    family: FamilyOf = "joint",
    combination: Combination = "bonferroni",
    separation: Separation = "nemenyi",
) -> FamilyOverSets:
    """Return the comparisons of every set, of the average over the sets, and what else the sets say together.

    >>> import mtsig
    >>> from mtsig.sets import Sets, measure
    >>> sets = Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()})
    >>> compare(measure(sets, "chrf"), pairs=[("direct", "via-catalan")])
    <FamilyOverSets in chrF2: 2 comparisons on 2 sets>

    Args:
        statistics: what `measure` returned.
        settings: test, correction, level, draws, seed and unit; "auto" is decided in every set by itself.
        pairs: "all", one system (every other against it), or a list; a pair is judged on the sets that have both.
        weights: of the sets in the average: "equal", by "segments", or by name; to be fixed before looking.
        family: "joint" judges all sets × pairs together, "per-set" each set by itself.
        combination: how p-values of sets are combined to say in how many a system is better.
        separation: what separates systems in the critical-difference diagram.

    Raises:
        UnknownName: no such system.
        NotApplicable: no set has two of the systems, or data do not carry the method; the message names the set.
        InvalidOption: weights that are none.
    """
    expect(statistics, SetStatistics, "Give what measure(sets, metric) makes of a collection of test sets")
    settings = settings or Settings()
    units = units_over(statistics, settings.unit)
    asked = _pairs(statistics, pairs)
    families, said = _families(statistics, units, _by_set(statistics, asked), settings, family)
    over = _over(statistics, units, asked)
    chosen = [_weights_of(one, weights) for one in over]
    test, p, more = _test_of_averages(statistics, units, families, over, chosen, settings)
    averages, lost = _averages(statistics, units, families, over, chosen, settings, test, p)
    ranked, unranked = _ranks(statistics, asked, separation, settings)
    partly = [one for one in over if len(one.names) < len(statistics.of)]
    return FamilyOverSets(
        statistics,
        families,
        averages,
        _described(statistics, over, chosen, settings),
        _replicated(families, over, settings, combination),
        ranked,
        units,
        family == "joint",
        (
            *statistics.sets.notes,
            *units.notes,
            *_as_segments(statistics, units),
            *said,
            *_of_families(families),
            *more,
            *lost,
            *unranked,
            *_partly(partly),
        ),
    )


def _pairs(statistics: SetStatistics, choice: PairChoice) -> list[Pair]:
    """Return the pairs that some set has, of those that are asked for."""
    systems = statistics.systems
    if isinstance(choice, str) and not (choice == "all" and "all" not in systems):
        _check_known(statistics, [choice])
        asked = [(name, choice) for name in systems if name != choice]
    elif isinstance(choice, str):
        asked = list(combinations(systems, 2))
    else:
        _check_known(statistics, [name for pair in choice for name in pair])
        asked = [(first, second) for first, second in choice]
    found = [pair for pair in asked if names_with(statistics, pair)]
    if not found:
        raise NotApplicable("No test set has two of these systems: systems are matched by their names.")
    return found


def _check_known(statistics: SetStatistics, names: Sequence[str]) -> None:
    for name in names:
        if name not in statistics.systems:
            raise UnknownName(f"There is no system called {name!r}. Known: {', '.join(statistics.systems)}.")


def _by_set(statistics: SetStatistics, asked: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return the pairs of every set that has any."""
    found = {name: [pair for pair in asked if set(pair) <= set(one.systems)] for name, one in statistics.of.items()}
    return {name: own for name, own in found.items() if own}


def _as_segments(statistics: SetStatistics, units: SharedUnits) -> tuple[Note, ...]:
    """Warn of sets whose documents are too few to be units beside sets whose documents are."""
    few = _with_few_documents(statistics, units)
    if not few:
        return ()
    text = (
        f"{listed(few)}: too few documents to be units; segments are, as if they were independent and in no other set. "
        "Averages over them are given no verdict: compare without."
    )
    return (Note("warning", text),)


def _with_few_documents(statistics: SetStatistics, units: SharedUnits) -> list[str]:
    """Return the sets whose segments are units though they have documents, beside sets whose documents are units."""
    few = [name for name, kind in units.kinds.items() if kind == "segment" and statistics.sets[name].documents]
    return few if "document" in units.kinds.values() else []


def _partly(over: Sequence[PairOverSets]) -> tuple[Note, ...]:
    """Say which pairs only some of the sets have."""
    pairs: dict[tuple[str, ...], list[str]] = {}
    for one in over:
        pairs.setdefault(one.names, []).append(f"{one.first} – {one.second}")
    return tuple(Note("note", f"Only in {listed(names)}: {', '.join(these)}.") for names, these in pairs.items())


# --- set by set -----------------------------------------------------------------------------------------------------


def _families(
    statistics: SetStatistics,
    units: SharedUnits,
    asked: Mapping[str, list[Pair]],
    settings: Settings,
    family: FamilyOf,
) -> tuple[dict[str, Family], tuple[Note, ...]]:
    """Return the comparisons of every set, judged together unless each is to be judged by itself."""
    if family not in ("joint", "per-set"):
        raise InvalidOption(f"The family is joint or per-set; found {family!r}.")
    if len(asked) == 1:
        # One set is what it is without others, to the digit.
        return {name: _named(name, settings, statistics, pairs) for name, pairs in asked.items()}, ()
    if family == "per-set":
        text = "Each set is a family of its own: significant sets must not be counted; see in how many at least."
        families = {name: _named(name, settings, statistics, pairs, units.kinds[name]) for name, pairs in asked.items()}
        return families, (Note("warning", text),)
    size = sum(map(len, asked.values()))
    settings, said = _with_draws(settings, {units.kinds[name] for name in asked}, size)
    made = {name: _named(name, settings, statistics, pairs, units.kinds[name]) for name, pairs in asked.items()}
    found, more = _together(statistics, units, made, settings)
    return found, said + more


def _named(
    name: str, settings: Settings, statistics: SetStatistics, pairs: list[Pair], kind: Unit | None = None
) -> Family:
    """Return the comparisons of one set; over the units of this kind alone, or as the set has them without others."""
    one = statistics.of[name]
    try:
        if kind is None:
            return settings.family(one, pairs)
        return replace(settings, unit=kind).family(one.at(kind), pairs)
    except MtsigError as error:
        raise type(error)(f"{name}: {error}") from None


def _with_draws(settings: Settings, kinds: set[Unit], size: int) -> tuple[Settings, tuple[Note, ...]]:
    """Return the settings with as many draws as so many comparisons need, or with a test that draws nothing."""
    if not any(settings.resolved(kind).test == "ar" for kind in kinds):
        return settings, ()
    needed = needed_draws(size, 1 - settings.level)
    if needed > MOST_DRAWS or size * needed > MOST_RANKS:
        text = (
            f"{size:,} comparisons would need {needed:,} joint draws, more than are made: the jackknife's p with Holm "
            "is used instead."
        )
        return replace(settings, test="jackknife-t", correction="holm"), (Note("warning", text),)
    if needed <= settings.draws:
        return settings, ()
    text = f"{needed:,} draws instead of {settings.draws:,}: so many are needed to judge {size:,} comparisons together."
    return replace(settings, draws=needed), (Note("note", text),)


def _together(
    statistics: SetStatistics, units: SharedUnits, made: Mapping[str, Family], settings: Settings
) -> tuple[dict[str, Family], tuple[Note, ...]]:
    """Return the families corrected as one."""
    names, families = list(made), list(made.values())
    correction = settings.correction
    segments = all(units.kinds[name] == "segment" for name in names)
    exchanges = all(one.test.exchanges for one in families)
    if correction == AUTO:
        correction = "minp" if segments and exchanges else "holm"
    said: tuple[Note, ...] = ()
    chosen = CORRECTIONS[correction]
    if not isinstance(chosen, OfPValues) and not (correction == "minp" and segments and exchanges):
        said = (Note("note", f"{chosen.label} is not made over several sets here; Holm is used instead."),)
        correction, chosen = "holm", Holm()
    if correction != "minp" and len({one.test for one in families}) == 1:
        return dict(zip(names, adjust_together(families, correction), strict=True)), said
    size = sum(map(len, families))
    if correction == "minp":
        draws = families[0].test.scheme.n_draws
        drawn = exchanged(made, statistics.of, units, draws, settings.seed)
        p, low, high = step_down(made, drawn)
    else:
        # Sets with documents and sets with segments: each by its own test, so p-values are all they have in common.
        p, low, high = (_holm(made, what) for what in ("p_value", "p_low", "p_high"))
    found = {
        name: one.changed(
            p_adjusted=p[name],
            adjusted_low=low[name],
            adjusted_high=high[name],
            correction=correction,
            family_size=size,
        )
        for name, one in made.items()
    }
    return found, said


def _holm(made: Mapping[str, Family], what: str) -> dict[str, Floats]:
    """Return Holm's p over all comparisons of all sets; one that is missing counts as 1, and stays missing."""
    p = np.concatenate([getattr(one, what) for one in made.values()])
    corrected = np.where(np.isnan(p), np.nan, Holm().adjusted(np.nan_to_num(p, nan=1.0)))
    ends = np.cumsum([len(one) for one in made.values()])[:-1]
    return dict(zip(made, np.split(corrected, ends), strict=True))


def _of_families(families: Mapping[str, Family]) -> tuple[Note, ...]:
    """Return the families' notes, each once; with the names of the sets where it is not of all."""
    whose: dict[Note, list[str]] = {}
    for name, family in families.items():
        for note in family.notes:
            whose.setdefault(note, []).append(name)
    return tuple(
        note if len(names) == len(families) else replace(note, text=f"{listed(names)}: {note.text}")
        for note, names in whose.items()
    )


# --- the average over these sets --------------------------------------------------------------------------------------


def _over(statistics: SetStatistics, units: SharedUnits, asked: Sequence[Pair]) -> list[PairOverSets]:
    return [pair_over_sets(statistics, units, *pair, names_with(statistics, pair)) for pair in asked]


def _weights_of(pair: PairOverSets, choice: Weights) -> Floats:
    """Return the weights of a pair's sets, which sum to 1.

    Raises:
        InvalidOption: the choice is none.
    """
    if choice == "equal":
        found = np.ones(len(pair.names))
    elif choice == "segments":
        found = pair.segments.astype(np.float64)
    elif isinstance(choice, str):
        raise InvalidOption(f"Weights are equal, segments, or a number for every set; found {choice!r}.")
    else:
        lost = [name for name in pair.names if name not in choice]
        if lost:
            raise InvalidOption(f"Weights are needed for every set; there is none for {listed(lost)}.")
        found = np.array([float(choice[name]) for name in pair.names])
    if not (np.all(np.isfinite(found)) and np.all(found >= 0) and found.sum() > 0):
        raise InvalidOption("Weights of sets are numbers that are not negative, and not all 0.")
    return np.asarray(found / found.sum())


def _test_of_averages(
    statistics: SetStatistics,
    units: SharedUnits,
    families: Mapping[str, Family],
    over: Sequence[PairOverSets],
    weights: Sequence[Floats],
    settings: Settings,
) -> tuple[JackknifeT | ApproximateRandomization, Outcome | None, tuple[Note, ...]]:
    """Return the test of the averages; exchanges when they are asked for by name, with what they say."""
    scheme = settings.bootstrap()
    jackknife = JackknifeT(scheme=scheme, direction=settings.alternative)
    if settings.test in (AUTO, jackknife.name):
        return jackknife, None, ()
    gaps = any(statistics.of[name].available is not None and kind == "document" for name, kind in units.kinds.items())
    test = next(iter(families.values())).test
    if not isinstance(test, ApproximateRandomization) or gaps:
        text = (
            f"Averages over sets are tested by {jackknife.name}: {settings.test} does not reach over several sets here."
        )
        return jackknife, None, (Note("note", text),)
    draws = test.scheme.n_draws
    null = np.zeros((len(over), draws))
    rows = {(one.first, one.second): i for i, one in enumerate(over)}
    for name, drawn in exchanged(families, statistics.of, units, draws, settings.seed):
        family = families[name]
        for pair, column in zip(zip(family.first, family.second, strict=True), drawn, strict=True):
            at = rows[pair]
            null[at] += weights[at][over[at].names.index(name)] * column
    observed = np.array([float(w @ one.differences) for one, w in zip(over, weights, strict=True)])
    return test, counted(count_extreme(null, observed, test.alternative), draws), ()


def _averages(
    statistics: SetStatistics,
    units: SharedUnits,
    families: Mapping[str, Family],
    over: Sequence[PairOverSets],
    weights: Sequence[Floats],
    settings: Settings,
    test: JackknifeT | ApproximateRandomization,
    drawn: Outcome | None,
) -> tuple[Family | None, tuple[Note, ...]]:
    """Return the averages of all pairs as a family of their own, corrected by Holm, and why pairs have none."""
    if len(statistics.of) == 1:
        return None, ()
    found = np.array([average(one, w) for one, w in zip(over, weights, strict=True)])
    difference, error, df = found.T
    jackknifed = jackknife_p(difference, error, df, settings.alternative)
    p, low, high = (jackknifed,) * 3 if drawn is None else (drawn.p_value, drawn.p_low, drawn.p_high)
    lost = np.isnan(error)
    adjusted, adjusted_low, adjusted_high, second = (
        Holm().adjusted(np.nan_to_num(np.where(lost, 1.0, one), nan=1.0)) for one in (p, low, high, jackknifed)
    )
    half = t_quantile((1 + settings.level) / 2, df) * error
    kinds = {units.kinds[name] for one in over for name in one.names}
    few = _with_few_documents(statistics, units)
    one_metric = next(iter(statistics.of.values())).metric
    records = Comparison.of_columns(
        len(over),
        metric=statistics.metric,
        signature=statistics.signature,
        first=[one.first for one in over],
        second=[one.second for one in over],
        difference=difference,
        low=difference - half,
        high=difference + half,
        interval="jackknife",
        standard_error=error,
        df=df,
        p_value=p,
        p_low=low,
        p_high=high,
        p_adjusted=np.where(np.isnan(p), np.nan, adjusted),
        adjusted_low=np.where(np.isnan(p), np.nan, adjusted_low),
        adjusted_high=np.where(np.isnan(p), np.nan, adjusted_high),
        exact=False,
        units=[one.moved.shape[1] for one in over],
        segments=[int(one.segments.sum()) for one in over],
        n_differing=[one.n_differing for one in over],
        win_rate=float("nan"),
        tie_rate=float("nan"),
        level=settings.level,
        test=test.name,
        correction="holm",
        family_size=len(over),
        unit=kinds.pop() if len(kinds) == 1 else "unit",
        alternative=settings.alternative,
        estimand="average over these sets of the difference of corpus scores",
        judges=one_metric.judges,
        decimals=one_metric.decimals,
        p_jackknife=second if drawn is not None else float("nan"),
        doubt=[_doubt(one, nu, families) or _mixed(one, few) for one, nu in zip(over, df, strict=True)],
    )
    kept = tuple(one for one, gone in zip(records, lost, strict=True) if not gone)
    notes = tuple(_no_average(one) for one, gone in zip(over, lost, strict=True) if gone)
    if not kept:
        return None, notes
    order = tuple(dict.fromkeys(name for one in kept for name in (one.first, one.second)))
    return Family(kept, test, settings.bootstrap(), False, _best_first(order, statistics)), notes


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
    return Note(
        "warning",
        f"No average of {pair.first} – {pair.second}: the score has no derivative in {listed(where)}, so its spread is "
        "not known there.",
    )


def _doubt(pair: PairOverSets, nu: float, families: Mapping[str, Family]) -> str:
    """Return why no verdict can be given on an average; "" where one can."""
    for name, df in zip(pair.names, pair.df, strict=True):
        at = families[name].find(pair.first, pair.second)
        said = "" if at is None else families[name][at].doubt
        # That one set's documents are unequal is part of ν; what else is wrong there is wrong with the average.
        if said and df >= FEWEST_DF:
            return f"{name}: {said}"
    if nu < FEWEST_DF:
        return (
            f"the units of these sets judge the spread of the average like {nu + 1:.1f} equal ones; no verdict on "
            f"fewer than {FEWEST_DF + 1}"
        )
    return ""


def _mixed(pair: PairOverSets, few: Sequence[str]) -> str:
    """Return why documents beside segments give no verdict: over such sets averages erred in 11 of 100 cases at .05."""
    concerned = [name for name in pair.names if name in few]
    if not concerned or len(concerned) == len(pair.names):
        return ""
    return f"too few documents in {listed(concerned)}, whose segments do not stand for them; compare without"


# --- beside the average -----------------------------------------------------------------------------------------------


def _described(
    statistics: SetStatistics, over: Sequence[PairOverSets], weights: Sequence[Floats], settings: Settings
) -> tuple[OverSets, ...]:
    tests = [heterogeneity(one) for one in over]
    p = np.array([one.p_value for one in tests])
    corrected = np.where(np.isnan(p), np.nan, Holm().adjusted(np.nan_to_num(p, nan=1.0)))
    return tuple(
        _beside(statistics, one, w, test, float(adjusted), settings.level)
        for one, w, test, adjusted in zip(over, weights, tests, corrected, strict=True)
    )


def _beside(
    statistics: SetStatistics, pair: PairOverSets, weights: Floats, test: Heterogeneity, adjusted: float, level: float
) -> OverSets:
    count = len(pair.names)
    known = count > 1 and not np.isnan(pair.errors).any()
    further = random_effects(pair.differences, pair.covariance, level) if known else None
    why = ""
    if count < FEWEST_SETS:
        why = f"{number_of(count, 'set')} cannot stand for others; it takes {FEWEST_SETS}"
    elif further is None:
        why = "the sets' differences have no covariance matrix that can be inverted"
    return OverSets(
        statistics.metric,
        statistics.signature,
        pair.first,
        pair.second,
        pair.names,
        tuple(weights.tolist()),
        tuple(pair.differences.tolist()),
        tuple(pair.errors.tolist()),
        int(np.count_nonzero(pair.differences > 0)),
        int(np.count_nonzero(pair.differences < 0)),
        independent_error(pair, weights),
        test.method,
        test.statistic,
        test.df1,
        test.df2,
        test.p_value,
        adjusted,
        further,
        why,
    )


def _replicated(
    families: Mapping[str, Family], over: Sequence[PairOverSets], settings: Settings, combination: Combination
) -> tuple[Replicability, ...]:
    """Return for every pair in how many sets each of the two is better, each direction at half of alpha."""
    if len(families) == 1 or not all(one.test.controls_type1 for one in families.values()):
        return ()
    alpha = 1 - settings.level
    found = []
    for pair in over:
        rows = [families[name][families[name].find(pair.first, pair.second) or 0] for name in pair.names]
        p, d = np.array([one.p_value for one in rows]), np.array([one.difference for one in rows])
        names, sides = (pair.first, pair.second), settings.alternative

        def said(
            whose: Pair, p: Floats, alpha: float, names: tuple[str, ...] = pair.names, shared: bool = pair.shares_units
        ) -> Replicability:
            return replicability(whose, names, p, alpha, combination, shared)

        if sides == "two-sided":
            found += [said(names, one_sided(d, p), alpha / 2), said(names[::-1], one_sided(-d, p), alpha / 2)]
        else:
            found.append(said(names if sides == "greater" else names[::-1], p, alpha))
    return tuple(found)


def _ranks(
    statistics: SetStatistics, asked: Sequence[Pair], separation: Separation, settings: Settings
) -> tuple[SetRanks | None, tuple[Note, ...]]:
    """Return the ranks of the systems that are in every set, where all their pairs are asked for."""
    systems = tuple(dict.fromkeys(name for pair in asked for name in pair))
    everywhere = [name for name in systems if len(names_with(statistics, [name])) == len(statistics.of)]
    known = {frozenset(pair) for pair in asked}
    whole = all(frozenset(pair) in known for pair in combinations(everywhere, 2))
    if len(statistics.of) < FEWEST_SETS or len(everywhere) < FEWEST_RANKED or not whole:
        return None, ()
    scores = np.array([one.scores[[one.row(name) for name in everywhere]] for one in statistics.of.values()])
    if np.isnan(scores).any():
        return None, ()
    metric = next(iter(statistics.of.values())).metric
    found = rank_over_sets(scores, everywhere, 1 - settings.level, separation, metric.higher_is_better)
    absent = [name for name in systems if name not in everywhere]
    if not absent:
        return found, ()
    return found, (Note("note", f"Ranks over sets are those of systems in every set: without {listed(absent)}."),)
