"""Comparisons over sets: in every set, of the averages, and what stands beside each average."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any, Self

import numpy as np

from mtsig._records import Count, Floats, MetricRecord, Result, Spread, about
from mtsig.collection._averages import Weights, averages_of, test_of_averages, weights_of
from mtsig.collection._beyond import (
    FEWEST_SETS,
    Combination,
    RandomEffects,
    Replicability,
    Separation,
    SetRanks,
    one_sided,
    random_effects,
    rank_over_sets,
    replicability,
)
from mtsig.collection._families import FamilyOf, families_of, notes_of
from mtsig.collection._pairs import (
    Pair,
    PairOverSets,
    SharedUnits,
    heterogeneity,
    independent_error,
    pair_over_sets,
    scores_in_sets,
    units_over,
    with_few_documents,
)
from mtsig.collection._sets import SetStatistics, names_with
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import NotApplicable, UnknownName, expect
from mtsig.inference import Comparison, Family, Settings, verdict
from mtsig.inference._corrections import Holm
from mtsig.inference._family import row_of
from mtsig.inference._significance import AUTO
from mtsig.inference._significance._jackknife import JackknifeT
from mtsig.inference._slices import Heterogeneity
from mtsig.inference._targets import PairChoice


@dataclass(frozen=True, kw_only=True)
class OverSets(Heterogeneity, MetricRecord):
    """What stands beside the average of a pair: its differences set by set, and whether the sets disagree."""

    sets: Annotated[tuple[str, ...], about("The sets that have both.")]
    weights: Annotated[tuple[float, ...], about("Their weights in the average; they sum to 1.")]
    standard_errors: Annotated[tuple[float, ...], about("The difference's standard error in each set.")]
    first_leads: Annotated[Count, about("In how many sets the first scores better.")]
    second_leads: Annotated[Count, about("In how many sets the second scores better.")]
    error_if_independent: Annotated[
        Spread, about("Standard error that the average would have if no unit were in several sets.")
    ]
    further: Annotated[
        RandomEffects | None, about("The mean over sets like these; null where it cannot be worked out.")
    ]
    not_further: Annotated[str, about("Why these sets cannot stand for others; empty where they may.")]

    @classmethod
    def of(cls, test: Heterogeneity, **beside: Any) -> Self:
        """Return the test of equal differences with what else stands beside the average."""
        first_leads, second_leads = (sum(side * d > 0 for d in test.differences) for side in (1, -1))
        return cls(**vars(test), first_leads=first_leads, second_leads=second_leads, **beside)

    @property
    def contrary(self) -> tuple[str, ...]:
        """The sets in which the system leads that is behind on average; none where neither is."""
        mean = float(np.dot(self.weights, self.differences))
        return tuple(
            name for name, difference in zip(self.sets, self.differences, strict=True) if mean * difference < 0
        )


@dataclass(frozen=True, eq=False)
class DrawnOverSets:
    """What comparisons over sets were made from, and only those have that were just made."""

    statistics: SetStatistics
    units: SharedUnits


@dataclass(frozen=True, eq=False)
class FamilyOverSets(Result):
    """Comparisons in every set, judged together, and what the sets say of each pair together.

    families: set -> its comparisons. averages: the average difference of every pair over the sets that have both, a
    family of its own; None where no pair has one. described: what stands beside each average, in its order.
    replicated: for every pair and direction, in how many sets at least. ranks: None with fewer than 5 sets. joint:
    whether all sets are one family. sets: the names of all. drawn: None for those that a study kept. by: what the sets
    are parts of one test set by; empty where they are test sets.
    """

    families: Mapping[str, Family]
    averages: Family | None
    described: tuple[OverSets, ...]
    replicated: tuple[Replicability, ...]
    ranks: SetRanks | None
    joint: bool
    sets: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    drawn: DrawnOverSets | None = None
    by: str = ""

    @property
    def kind(self) -> str:
        """What the sets are called."""
        return "part" if self.by else "test set"

    @property
    def counted(self) -> str:
        """How many sets there are, in words."""
        said = number_of(len(self.families), self.kind)
        return f"{said} of one test set by {self.by.partition(':')[0]}" if self.by else said

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        size = sum(map(len, self.families.values()))
        compared = number_of(size, "comparison")
        return f"<FamilyOverSets in {self.metric}: {compared} on {number_of(len(self.families), 'set')}>"

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.described[0].metric

    @property
    def signature(self) -> str:
        """The metric's signature; where sets differ, each with the sets that it is of."""
        return self.described[0].signature

    @property
    def statistics(self) -> SetStatistics:
        """What was counted on the sets.

        Raises:
            NotApplicable: the comparisons were kept in a study, which has no statistics.
        """
        return self._made_from.statistics

    @property
    def units(self) -> SharedUnits:
        """Which units the sets share.

        Raises:
            NotApplicable: as `statistics`.
        """
        return self._made_from.units

    @property
    def _made_from(self) -> DrawnOverSets:
        if self.drawn is None:
            raise NotApplicable(
                "These comparisons were read from a study, which keeps no statistics: measure the sets."
            )
        return self.drawn

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per set and pair, then those of the averages, whose set is None."""
        rows = [{"set": name, **row_of(comparison)} for name, family in self.families.items() for comparison in family]
        return rows + [{"set": None, **row_of(comparison)} for comparison in self.averages or ()]


MOST_INFLATION = 1.25
"""Of 11 sets that share 24 documents it is above 3, and intervals of nominal 95% missed the mean in 32 of 200 cases."""

FEWEST_RANKED = 3
"""Two systems have no ranks beyond their one comparison."""


def described_of(
    statistics: SetStatistics, over: Sequence[PairOverSets], weights: Sequence[Floats], settings: Settings
) -> tuple[OverSets, ...]:
    """Return what stands beside every average, the tests of whether sets disagree corrected by Holm."""
    tests = [heterogeneity(pair_over_sets) for pair_over_sets in over]
    p = np.array([test.p_value for test in tests])
    corrected = np.where(np.isnan(p), np.nan, Holm().adjusted(np.nan_to_num(p, nan=1.0)))
    return tuple(
        _beside(statistics, pair_over_sets, w, test, float(adjusted), settings.level)
        for pair_over_sets, w, test, adjusted in zip(over, weights, tests, corrected, strict=True)
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
    elif pair.inflation > MOST_INFLATION:
        why = "the sets share too few units to tell how they move together"
    elif further is None:
        why = "the sets' differences have no covariance matrix that can be inverted"
    return OverSets.of(
        replace(test, p_adjusted=adjusted),
        metric=statistics.metric,
        signature=statistics.signature,
        sets=pair.names,
        weights=tuple(weights.tolist()),
        standard_errors=tuple(pair.errors.tolist()),
        error_if_independent=independent_error(pair, weights),
        further=further,
        not_further=why,
    )


def replicated_of(
    families: Mapping[str, Family],
    over: Sequence[PairOverSets],
    settings: Settings,
    combination: Combination,
    joint: bool = True,
) -> tuple[Replicability, ...]:
    """Return for every pair in how many sets each of the two is better; all pairs and directions share alpha.

    joint: whether the families of all sets were corrected as one, so that sets may be named.
    """
    if len(families) == 1 or not all(family.test.controls_type1 for family in families.values()):
        return ()
    alpha = (1 - settings.level) / len(over)
    replicated = []
    for pair in over:
        rows = [families[name][families[name].find(pair.first, pair.second) or 0] for name in pair.names]
        # Draws that leave a set's corrected p open withhold nothing here, where its own p is read.
        decided = [
            verdict(replace(row, p_adjusted_mc_low=row.p_adjusted, p_adjusted_mc_high=row.p_adjusted)) for row in rows
        ]
        given = np.array([one.word != "withheld" for one in decided])
        p = np.where(given, [row.p_value for row in rows], np.nan)
        d = np.array([row.difference for row in rows])
        names, sides = (pair.first, pair.second), settings.alternative

        def said(
            whose: Pair, p: Floats, alpha: float, pair: PairOverSets = pair, rows: Sequence[Comparison] = rows
        ) -> Replicability:
            winners = [name for name, row in zip(pair.names, rows, strict=True) if verdict(row).winner == whose[0]]
            return replicability(
                whose,
                len(pair.names),
                p,
                alpha,
                combination,
                shared=pair.shares_units,
                better_in=winners if joint else (),
                pairs=len(over),
            )

        if sides == "two-sided":
            replicated += [said(names, one_sided(d, p), alpha / 2), said(names[::-1], one_sided(-d, p), alpha / 2)]
        else:
            replicated.append(said(names if sides == "greater" else names[::-1], p, alpha))
    return tuple(replicated)


def ranks_of(
    statistics: SetStatistics, asked: Sequence[Pair], separation: Separation, settings: Settings
) -> tuple[SetRanks | None, tuple[Note, ...]]:
    """Return the ranks of the systems that are in every set, where all their pairs are asked for."""
    systems = tuple(dict.fromkeys(name for pair in asked for name in pair))
    everywhere = [name for name in systems if len(names_with(statistics, [name])) == len(statistics.of)]
    known = {frozenset(pair) for pair in asked}
    whole = all(frozenset(pair) in known for pair in combinations(everywhere, 2))
    if len(statistics.of) < FEWEST_SETS or len(everywhere) < FEWEST_RANKED or not whole:
        return None, ()
    scores = np.array([part.scores[[part.row(name) for name in everywhere]] for part in statistics.of.values()])
    if np.isnan(scores).any():
        return None, ()
    metric = next(iter(statistics.of.values())).metric
    try:
        set_ranks = rank_over_sets(scores, everywhere, 1 - settings.level, separation, metric.higher_is_better)
    except NotApplicable as error:  # too few sets to separate any pair: all else that the sets say stands
        return None, (Note("warning", f"Ranks over sets are left out. {error}"),)
    absent = [name for name in systems if name not in everywhere]
    if not absent:
        return set_ranks, ()
    return set_ranks, (Note("note", f"Ranks over sets are those of systems in every set: without {listed(absent)}."),)


def seen_from(family_over_sets: FamilyOverSets, first: str, second: str) -> FamilyOverSets:
    """Return the same with `first` as the first system of its comparisons with `second`: signs change, nothing else.

    >>> import mtsig
    >>> from mtsig.collection import Sets, compare, measure
    >>> from mtsig.collection._compare import seen_from
    >>> corpus = mtsig.read_sample()
    >>> halves = Sets.of({"first": corpus.take(range(100)), "second": corpus.take(range(100, 200))})
    >>> turned = seen_from(compare(measure(halves, "chrf")), "direct-us", "direct")
    >>> turned.averages[0].first
    'direct-us'

    Raises:
        NotApplicable: the test is one-sided.
    """
    return replace(
        family_over_sets,
        families={name: _family(family, first, second) for name, family in family_over_sets.families.items()},
        averages=None if family_over_sets.averages is None else _family(family_over_sets.averages, first, second),
        described=tuple(
            _turned(row) if (row.second, row.first) == (first, second) else row for row in family_over_sets.described
        ),
    )


def by_score(family_over_sets: FamilyOverSets) -> FamilyOverSets:
    """Return the same with the averages as people read them (see `Family.by_score`), and what stands beside each.

    The comparisons in every set are in the order of the averages.

    >>> import mtsig
    >>> from mtsig.collection import Sets, compare, measure
    >>> from mtsig.collection._compare import by_score
    >>> corpus = mtsig.read_sample()
    >>> halves = Sets.of({"first": corpus.take(range(100)), "second": corpus.take(range(100, 200))})
    >>> [(row.first, row.second) for row in by_score(compare(measure(halves, "chrf"))).described][:2]
    [('direct', 'direct-us'), ('direct', 'via-catalan')]
    """
    if family_over_sets.averages is None:
        families = {name: family.by_score() for name, family in family_over_sets.families.items()}
        return replace(family_over_sets, families=families)
    averages = family_over_sets.averages.by_score()
    beside = {(row.first, row.second): row for row in family_over_sets.described}
    beside |= {(second, first): _turned(row) for (first, second), row in beside.items()}
    described = tuple(beside[comparison.first, comparison.second] for comparison in averages)
    families = {name: family.by_score(averages.order) for name, family in family_over_sets.families.items()}
    return replace(family_over_sets, families=families, averages=averages, described=described)


def _family(family: Family, first: str, second: str) -> Family:
    at = family.find(first, second)
    return family if at is None or family.first[at] == first else family.turned(at)


def _turned(over_sets: OverSets) -> OverSets:
    return replace(
        over_sets,
        first=over_sets.second,
        second=over_sets.first,
        differences=tuple(-value for value in over_sets.differences),
        first_leads=over_sets.second_leads,
        second_leads=over_sets.first_leads,
        further=None if over_sets.further is None else _turned_further(over_sets.further),
    )


def _turned_further(random_effects: RandomEffects) -> RandomEffects:
    return replace(
        random_effects,
        mean=-random_effects.mean,
        ci_low=-random_effects.ci_high,
        ci_high=-random_effects.ci_low,
        predict_low=-random_effects.predict_high,
        predict_high=-random_effects.predict_low,
    )


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
    >>> from mtsig.collection import Sets, measure
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
    units = units_over(statistics, settings.unit, by_order=settings.by_order)
    asked = _pairs(statistics, pairs)
    families, said = families_of(statistics, units, _by_set(statistics, asked), settings, family)
    known = scores_in_sets(statistics, units)
    over = [pair_over_sets(statistics, units, *pair, names_with(statistics, pair), known) for pair in asked]
    chosen = [weights_of(pair, weights) for pair in over]
    test, p, more = test_of_averages(statistics, units, families, over, chosen, settings)
    averages, lost = averages_of(statistics, units, families, over, chosen, settings, test, p)
    if averages is not None and settings.test != AUTO:
        averages = _beside_default(averages, statistics, units, settings, asked, weights, family)
    ranked, unranked = ranks_of(statistics, asked, separation, settings)
    partly = [pair for pair in over if len(pair.names) < len(statistics.of)]
    return FamilyOverSets(
        families,
        averages,
        described_of(statistics, over, chosen, settings),
        replicated_of(families, over, settings, combination, family == "joint"),
        ranked,
        family == "joint",
        tuple(statistics.of),
        (
            *statistics.sets.notes,
            *units.notes,
            *_as_segments(statistics, units),
            *said,
            *notes_of(families),
            *more,
            *lost,
            *unranked,
            *_partly(partly),
        ),
        DrawnOverSets(statistics, units),
    )


def _beside_default(
    averages: Family,
    statistics: SetStatistics,
    units: SharedUnits,
    settings: Settings,
    asked: list[Pair],
    weights: Weights,
    family: FamilyOf,
) -> Family:
    """Return averages by a test that was named with what the default test says of them, as far as that can be had."""
    if averages.test.name == JackknifeT.name and units.kinds == units_over(statistics).kinds:
        return averages
    try:
        default = compare(statistics, settings.default, asked, weights=weights, family=family).averages
    except NotApplicable:
        return averages
    return averages if default is None else averages.with_default(default)


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
    pairs = [pair for pair in asked if names_with(statistics, pair)]
    if not pairs:
        raise NotApplicable("No test set has two of these systems: systems are matched by their names.")
    return pairs


def _check_known(statistics: SetStatistics, names: Sequence[str]) -> None:
    for name in names:
        if name not in statistics.systems:
            raise UnknownName(f"There is no system called {name!r}. Known: {', '.join(statistics.systems)}.")


def _by_set(statistics: SetStatistics, asked: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return the pairs of every set that has any."""
    pairs = {name: [pair for pair in asked if set(pair) <= set(part.systems)] for name, part in statistics.of.items()}
    return {name: own for name, own in pairs.items() if own}


def _as_segments(statistics: SetStatistics, units: SharedUnits) -> tuple[Note, ...]:
    """Warn of sets whose documents are too few to be units beside sets whose documents are."""
    few = with_few_documents(statistics, units)
    if not few:
        return ()
    text = (
        f"{listed(few)}: too few documents to be units; segments are, as if they were independent and in no other set. "
        "Averages over them are given no verdict: compare without."
    )
    return (Note("warning", text),)


def _partly(over: Sequence[PairOverSets]) -> tuple[Note, ...]:
    """Say which pairs only some of the sets have."""
    pairs: dict[tuple[str, ...], list[str]] = {}
    for pair in over:
        pairs.setdefault(pair.names, []).append(f"{pair.first} – {pair.second}")
    return tuple(Note("note", f"Only in {listed(names)}: {', '.join(these)}.") for names, these in pairs.items())
