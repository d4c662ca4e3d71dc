"""Compare over sets: what a metric counted on every set goes in; every set, their average and what follows come out."""

from collections.abc import Sequence
from itertools import combinations

from mtsig.corpus import Note, listed
from mtsig.errors import NotApplicable, UnknownName, expect
from mtsig.inference.defaults import AUTO
from mtsig.inference.family import Family
from mtsig.inference.settings import Settings
from mtsig.inference.significance import JackknifeT
from mtsig.inference.targets import PairChoice
from mtsig.sets.averages import Weights, averages_of, test_of_averages, weights_of
from mtsig.sets.beside import described_of, ranks_of, replicated_of
from mtsig.sets.collection import SetStatistics, names_with
from mtsig.sets.families import FamilyOf, families_of, notes_of
from mtsig.sets.pairs import PairOverSets, pair_over_sets, scores_in_sets
from mtsig.sets.ranks import Separation
from mtsig.sets.replicability import Combination
from mtsig.sets.results import DrawnOverSets, FamilyOverSets, Pair
from mtsig.sets.units import SharedUnits, units_over, with_few_documents


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
