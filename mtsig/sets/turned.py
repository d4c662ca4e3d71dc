"""Seen from: what sets say of a pair goes in; the same with its systems the other way round comes out."""

from dataclasses import replace

from mtsig.inference.family import Family
from mtsig.sets.meta import RandomEffects
from mtsig.sets.results import FamilyOverSets, OverSets


def seen_from(family_over_sets: FamilyOverSets, first: str, second: str) -> FamilyOverSets:
    """Return the same with `first` as the first system of its comparisons with `second`: signs change, nothing else.

    >>> import mtsig
    >>> from mtsig.sets import Sets, compare, measure, seen_from
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
    >>> from mtsig.sets import Sets, by_score, compare, measure
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
