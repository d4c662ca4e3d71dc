"""Comparisons over sets: in every set, of the averages, and what stands beside each average."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any, ClassVar

import numpy as np

from mtsig._records import Count, Floats, MetricRecord, Number, Probability, Spread, SystemName, about
from mtsig._results import Result
from mtsig.collection import _averages, _beyond, _families, _pairs, _sets
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import NotApplicable, expect, find
from mtsig.inference import Comparison, Family, Settings, _corrections, _significance, _targets
from mtsig.inference._estimated import raters_note
from mtsig.inference._tests import JackknifeT
from mtsig.inference._verdict import verdict


@dataclass(frozen=True, kw_only=True)
class OverSets(MetricRecord):
    """A pair's difference on each set, and whether the sets disagree."""

    first: Annotated[SystemName, about("The first system.")]
    second: Annotated[SystemName, about("The second system.")]
    differences: Annotated[tuple[float, ...], about("The difference in each set.")]
    statistic: Annotated[Number, about("F statistic of the test for equal differences; null if not computed.")]
    df1: Annotated[Spread, about("Numerator degrees of freedom of F.")]
    df2: Annotated[Spread, about("Denominator degrees of freedom of F.")]
    p_value: Annotated[Probability, about("p-value of the test that the difference is the same in all sets.")]
    p_adjusted: Annotated[Probability, about("This p-value, corrected for the number of pairs by Holm's method.")]
    method: Annotated[str, about("Name of this test, Welch or Hotelling, or the reason why no test is possible.")]
    sets: Annotated[tuple[str, ...], about("The sets that have both systems.")]
    weights: Annotated[tuple[float, ...], about("Weights of these sets in the average; they sum to 1.")]
    standard_errors: Annotated[tuple[float, ...], about("Standard error of the difference in each set.")]
    first_leads: Annotated[Count, about("Number of sets in which the first system scores better.")]
    second_leads: Annotated[Count, about("Number of sets in which the second system scores better.")]
    error_if_independent: Annotated[
        Spread, about("Standard error that the average would have if no unit occurred in several sets.")
    ]
    further: Annotated[
        _beyond.RandomEffects | None, about("Estimates for test sets like these; null where they cannot be computed.")
    ]
    not_further: Annotated[str, about("Why the results do not apply to other test sets; empty if they do.")]

    @property
    def contrary(self) -> tuple[str, ...]:
        """The sets whose difference has the opposite sign to the average."""
        mean = float(np.dot(self.weights, self.differences))
        return tuple(
            name for name, difference in zip(self.sets, self.differences, strict=True) if mean * difference < 0
        )


@dataclass(frozen=True, eq=False)
class DrawnOverSets:
    """What comparisons over sets were made from, and only those have that were just made."""

    statistics: _sets.SetStatistics
    units: _pairs.SharedUnits


@dataclass(frozen=True, eq=False)
class FamilyOverSets(Result):
    """The comparisons on every test set, and of each pair over all sets.

    families: a mapping from each set to its comparisons. averages: every pair's average difference over the sets with
    both systems, corrected as one family; `None` if no pair has one. described: the details of each average.
    replicated: the least number of sets with an effect, for every pair and direction. ranks: the mean ranks; `None`
    with fewer than 5 sets. joint: whether all sets are one family. sets: the names of the sets. drawn: `None` if read
    from a study. by: the criterion that divides one test set into these sets; empty for several test sets.
    """

    brief: ClassVar[tuple[str, ...]] = Family.brief

    families: Mapping[str, Family]
    averages: Family | None
    described: tuple[OverSets, ...]
    replicated: tuple[_beyond.Replicability, ...]
    ranks: _beyond.SetRanks | None
    joint: bool
    sets: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    drawn: DrawnOverSets | None = None
    by: str = ""

    @property
    def kind(self) -> str:
        """The word for the sets, such as "subset"."""
        return "subset" if self.by else "test set"

    @property
    def counted(self) -> str:
        """The number of sets, in words."""
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
        """The metric's signature; if sets differ, each signature with its sets."""
        return self.described[0].signature

    @property
    def statistics(self) -> _sets.SetStatistics:
        """The statistics of the sets.

        Raises
        ------
        NotApplicable
            The comparisons come from a study, which keeps no statistics.
        """
        return self._made_from.statistics

    @property
    def units(self) -> _pairs.SharedUnits:
        """The units of each set, with the units that sets share.

        Raises
        ------
        NotApplicable
            The comparisons come from a study, which has no statistics.
        """
        return self._made_from.units

    @property
    def _made_from(self) -> DrawnOverSets:
        if self.drawn is None:
            raise NotApplicable("These comparisons are part of a study, which keeps no statistics: measure the sets.")
        return self.drawn

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each set and pair, then the averages (set `None`)."""
        rows = [{"set": name, **comparison.row()} for name, family in self.families.items() for comparison in family]
        return rows + [{"set": None, **comparison.row()} for comparison in self.averages or ()]


MOST_INFLATION = 1.25
"""Of 11 sets that share 24 documents it is above 3, and intervals of nominal 95% missed the mean in 32 of 200 cases."""

FEWEST_RANKED = 3
"""Two systems have no ranks beyond their one comparison."""


def described_of(
    statistics: _sets.SetStatistics,
    over: Sequence[_pairs.PairOverSets],
    weights: Sequence[Floats],
    settings: Settings,
    why: str = "",
) -> tuple[OverSets, ...]:
    """Return what belongs to every average, and whether sets disagree, corrected by Holm; why: no others like them."""
    tests = [_pairs.heterogeneity(pair) for pair in over]
    p = np.array([test["p_value"] for test in tests])
    corrected = np.where(np.isnan(p), np.nan, _corrections.Holm().adjusted(np.nan_to_num(p, nan=1.0)))
    described = []
    for pair, w, test, adjusted in zip(over, weights, tests, corrected.tolist(), strict=True):
        further, lacking = (None, why) if why else _further(pair, settings.level)
        described.append(
            OverSets(
                **test,
                first=pair.first,
                second=pair.second,
                differences=tuple(pair.differences.tolist()),
                p_adjusted=adjusted,
                metric=statistics.metric,
                signature=statistics.signature,
                sets=pair.names,
                weights=tuple(w.tolist()),
                standard_errors=tuple(pair.errors.tolist()),
                first_leads=int(np.count_nonzero(pair.differences > 0)),
                second_leads=int(np.count_nonzero(pair.differences < 0)),
                error_if_independent=np.nan if why else _pairs.independent_error(pair, w),
                further=further,
                not_further=lacking,
            )
        )
    return tuple(described)


def _further(pair: _pairs.PairOverSets, level: float) -> tuple[_beyond.RandomEffects | None, str]:
    """Return the mean over sets like these, and why these cannot stand for others; "" where they may."""
    count = len(pair.names)
    known = count > 1 and not np.isnan(pair.errors).any()
    further = _beyond.random_effects(pair.differences, pair.covariance, level) if known else None
    why = ""
    if count < _beyond.FEWEST_SETS:
        why = f"at least {_beyond.FEWEST_SETS} sets are needed to generalise; found {count}"
    elif pair.inflation > MOST_INFLATION:
        why = "the sets share too few units to estimate their covariance"
    elif further is None:
        why = "the covariance matrix of the sets' differences cannot be inverted"
    return further, why


def replicated_of(
    families: Mapping[str, Family],
    over: Sequence[_pairs.PairOverSets],
    settings: Settings,
    combination: _beyond.Combination,
    joint: bool = True,
) -> tuple[_beyond.Replicability, ...]:
    """Return for every pair in how many sets each is better; joint: whether sets may be named."""
    if len(families) == 1 or not all(family.test.controls_type1 for family in families.values()):
        return ()
    alpha = (1 - settings.level) / len(over)
    replicated = []
    for pair in over:
        rows = [families[name][families[name].find(pair.first, pair.second) or 0] for name in pair.names]
        # Draws that leave a set's corrected p open withhold nothing here, where its own p is read.
        decided = [
            verdict(row.changed(p_adjusted_mc_low=row.p_adjusted, p_adjusted_mc_high=row.p_adjusted)) for row in rows
        ]
        given = np.array([one.word != "withheld" for one in decided])
        p = np.where(given, [row.p_value for row in rows], np.nan)
        d = np.array([row.difference for row in rows])
        names, sides = (pair.first, pair.second), settings.alternative

        def said(
            whose: _pairs.Pair,
            p: Floats,
            alpha: float,
            pair: _pairs.PairOverSets = pair,
            rows: Sequence[Comparison] = rows,
        ) -> _beyond.Replicability:
            winners = [name for name, row in zip(pair.names, rows, strict=True) if verdict(row).winner == whose[0]]
            return _beyond.replicability(
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
            replicated += [
                said(names, _beyond.one_sided(d, p), alpha / 2),
                said(names[::-1], _beyond.one_sided(-d, p), alpha / 2),
            ]
        else:
            replicated.append(said(names if sides == "greater" else names[::-1], p, alpha))
    return tuple(replicated)


def ranks_of(
    statistics: _sets.SetStatistics, asked: Sequence[_pairs.Pair], separation: _beyond.Separation, settings: Settings
) -> tuple[_beyond.SetRanks | None, tuple[Note, ...]]:
    """Return the ranks of the systems that are in every set, where all their pairs are asked for."""
    systems = tuple(dict.fromkeys(name for pair in asked for name in pair))
    everywhere = [name for name in systems if len(_sets.names_with(statistics, [name])) == len(statistics.of)]
    known = {frozenset(pair) for pair in asked}
    whole = all(frozenset(pair) in known for pair in combinations(everywhere, 2))
    if len(statistics.of) < _beyond.FEWEST_SETS or len(everywhere) < FEWEST_RANKED or not whole:
        return None, ()
    scores = np.array([part.scores[[part.row(name) for name in everywhere]] for part in statistics.of.values()])
    if np.isnan(scores).any():
        return None, ()
    metric = next(iter(statistics.of.values())).metric
    try:
        set_ranks = _beyond.rank_over_sets(scores, everywhere, 1 - settings.level, separation, metric.higher_is_better)
    except NotApplicable as error:  # too few sets to separate any pair: all else that the sets say stands
        return None, (Note("warning", f"Ranks over sets are omitted. {error}"),)
    absent = [name for name in systems if name not in everywhere]
    if not absent:
        return set_ranks, ()
    return set_ranks, (
        Note("note", f"Ranks over sets include only the systems that are in every set. Left out: {listed(absent)}."),
    )


def seen_from(family_over_sets: FamilyOverSets, first: str, second: str) -> FamilyOverSets:
    """Return the same with `first` as the first system of its comparisons with `second`: signs change, nothing else."""
    return replace(
        family_over_sets,
        families={name: _family(family, first, second) for name, family in family_over_sets.families.items()},
        averages=None if family_over_sets.averages is None else _family(family_over_sets.averages, first, second),
        described=tuple(
            _turned(row) if (row.second, row.first) == (first, second) else row for row in family_over_sets.described
        ),
    )


def by_score(family_over_sets: FamilyOverSets) -> FamilyOverSets:
    """Return the same by score (see `Family.by_score`), the comparisons in every set in the order of the averages."""
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


def _turned_further(random_effects: _beyond.RandomEffects) -> _beyond.RandomEffects:
    return replace(
        random_effects,
        mean=-random_effects.mean,
        ci_low=-random_effects.ci_high,
        ci_high=-random_effects.ci_low,
        predict_low=-random_effects.predict_high,
        predict_high=-random_effects.predict_low,
    )


def compare(
    statistics: _sets.SetStatistics,
    settings: Settings | None = None,
    pairs: _targets.PairChoice = "all",
    averaging: _averages.Averaging | None = None,
) -> FamilyOverSets:
    """Compare systems on several test sets, on average, and across the sets.

    Parameters
    ----------
    statistics : SetStatistics
        The statistics that `mtsig.study.measure` returns.
    settings : Settings, optional
        The settings of the analysis; "auto" is resolved separately for every set.
    pairs : "all", str, or a list of (first, second)
        All pairs, a baseline to compare with all other systems, or a list of pairs. A pair is compared on the sets that
        have both systems.
    averaging : Averaging, optional
        The weights of the sets, and how comparisons are corrected and combined. Fix these in advance.

    Returns
    -------
    found : FamilyOverSets
        The comparisons on each set in `families`, and on average in `averages`, with tests of whether the sets differ.

    Raises
    ------
    UnknownName
        A name is not that of a system.
    NotApplicable
        No set has two of the systems, or the data do not allow the method; the message names the set.
    InvalidOption
        The weights are not weights of these sets.

    Notes
    -----
    1. Each set gives a family of comparisons; by default, all sets × pairs are corrected together.
    2. The average difference is tested by the jackknife: a document that occurs in several sets is left out of all of
       them at once. The averages are corrected as another family.
    3. Whether the difference varies between sets is tested by its covariance over shared documents.
    4. From five sets on, a prediction interval gives the difference on a new test set, and mean ranks are compared.
    5. The p-values of the sets are combined into a lower bound on the number of sets with an effect [1]_.

    References
    ----------
    .. [1] Dror, Baumer, Bogomolov and Reichart (2017).

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.study import Sets, compare, measure
    >>> sets = Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()})
    >>> found = compare(measure(sets, "chrf"), pairs=[("direct", "via-catalan")])
    >>> found
    <FamilyOverSets in chrF2: 2 comparisons on 2 sets>
    >>> round(found.averages[0].difference, 2), mtsig.verdict(found.averages[0]).word
    (2.43, 'better')
    """
    expect(statistics, _sets.SetStatistics, "Give the result of measure(sets, metric) for a collection of test sets")
    settings, averaging = settings or Settings(), averaging or _averages.Averaging()
    units = _pairs.units_over(statistics, settings.unit, by_order=settings.by_order)
    asked = _asked_pairs(statistics, pairs)
    families, said = _families.families_of(statistics, units, _by_set(statistics, asked), settings, averaging.family)
    known = _pairs.scores_in_sets(statistics, units)
    over = [_pairs.pair_over_sets(statistics, units, pair, _sets.names_with(statistics, pair), known) for pair in asked]
    chosen = [_averages.weights_of(pair, averaging.weights) for pair in over]
    test, p, more = _averages.test_of_averages(statistics, units, families, over, chosen, settings)
    averages, lost = _averages.averages_of(statistics, units, families, over, chosen, settings, test, p)
    if averages is not None:
        rated = _averages.rated_averages(statistics, units, over, chosen, averages, settings)
        lost = lost if rated is None else (raters_note(rated, of="averages over sets"), *lost)
    if averages is not None and settings.test != _significance.AUTO:
        averages = _beside_default(averages, statistics, units, settings, asked, averaging)
    ranked, unranked = ranks_of(statistics, asked, averaging.separate, settings)
    partly = [pair for pair in over if len(pair.names) < len(statistics.of)]
    return FamilyOverSets(
        families,
        averages,
        described_of(statistics, over, chosen, settings),
        replicated_of(families, over, settings, averaging.combine, averaging.family == "joint"),
        ranked,
        averaging.family == "joint",
        tuple(statistics.of),
        (
            *statistics.sets.notes,
            *units.notes,
            *_as_segments(statistics, units),
            *said,
            *_families.notes_of({name: family.notes for name, family in families.items()}),
            *more,
            *lost,
            *unranked,
            *_partly(partly),
        ),
        DrawnOverSets(statistics, units),
    )


def _beside_default(
    averages: Family,
    statistics: _sets.SetStatistics,
    units: _pairs.SharedUnits,
    settings: Settings,
    asked: list[_pairs.Pair],
    averaging: _averages.Averaging,
) -> Family:
    """Return averages by a test that was named with what the default test says of them, as far as that can be had."""
    if averages.test.name == JackknifeT.name and units.kinds == _pairs.units_over(statistics).kinds:
        return averages
    try:
        default = compare(statistics, settings.default, asked, averaging).averages
    except NotApplicable:
        return averages
    return averages if default is None else averages.with_default(default)


def _asked_pairs(statistics: _sets.SetStatistics, choice: _targets.PairChoice) -> list[_pairs.Pair]:
    """Return the pairs that some set has, of those that are asked for."""
    systems = statistics.systems
    if isinstance(choice, str) and not (choice == "all" and "all" not in systems):
        find(dict.fromkeys(systems), choice, "system")
        asked = [(name, choice) for name in systems if name != choice]
    elif isinstance(choice, str):
        asked = list(combinations(systems, 2))
    else:
        for name in (name for pair in choice for name in pair):
            find(dict.fromkeys(systems), name, "system")
        asked = [(first, second) for first, second in choice]
    pairs = [pair for pair in asked if _sets.names_with(statistics, pair)]
    if not pairs:
        raise NotApplicable("No test set contains two of these systems; systems are matched by name.")
    return pairs


def _by_set(statistics: _sets.SetStatistics, asked: Sequence[_pairs.Pair]) -> dict[str, list[_pairs.Pair]]:
    pairs = {name: [pair for pair in asked if set(pair) <= set(part.systems)] for name, part in statistics.of.items()}
    return {name: own for name, own in pairs.items() if own}


def _as_segments(statistics: _sets.SetStatistics, units: _pairs.SharedUnits) -> tuple[Note, ...]:
    """Warn of sets whose documents are too few to be units beside sets whose documents are."""
    few = _pairs.with_few_documents(statistics, units)
    if not few:
        return ()
    text = (
        f"{listed(few)}: there are too few documents, so segments are the sampling units. They are treated as "
        "independent, also between sets. Averages over these sets get no verdict; leave the sets out to get one."
    )
    return (Note("warning", text),)


def _partly(over: Sequence[_pairs.PairOverSets]) -> tuple[Note, ...]:
    pairs: dict[tuple[str, ...], list[str]] = {}
    for pair in over:
        pairs.setdefault(pair.names, []).append(f"{pair.first} – {pair.second}")
    return tuple(Note("note", f"Only in {listed(names)}: {', '.join(these)}.") for names, these in pairs.items())
