"""Reference overlap: what families are without a reference whose text a system has, and their doubtful verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mtsig._probability import points_text
from mtsig.corpus import Note
from mtsig.corpus._notes import capital_first, listed
from mtsig.inference._family import Family
from mtsig.inference._verdict import Comparison, verdict
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import Kinship


def counted_without(statistics: Statistics, reference: str) -> dict[str, Statistics]:
    """Return the statistics counted without a reference, by how that is said (see `mtsig.metrics.Kinship`).

    The same statistics where no system is kin to the reference; nothing where they cannot be had, as where it is the
    only one.
    """
    kinship = next((item for item in statistics.kinships if item.kin.reference == reference), None)
    if kinship is None:
        return {"": statistics}
    others, systems = kinship.without, set(statistics.systems)
    if any(not systems <= set(other.systems) for other in others.values()):
        return {}
    dropped = _dropped(statistics, reference)
    together = {"without that reference": _without(dropped)} if len(dropped) > 1 else {}
    return {together.get(said, said): _of_those(statistics, other) for said, other in others.items()}


def _of_those(statistics: Statistics, other: Statistics) -> Statistics:
    """Return other statistics of the same systems, by document where these are."""
    chosen = other.select(statistics.systems)
    return chosen.by_document() if statistics.unit == "document" else chosen


def _dropped(statistics: Statistics, reference: str) -> list[str]:
    """Return the references that are left out for one of them: all that its kin have something of."""
    of_kin = {item.kin.system for item in statistics.kinships if item.kin.reference == reference}
    return list(dict.fromkeys(item.kin.reference for item in statistics.kinships if item.kin.system in of_kin))


def _without(references: Sequence[str]) -> str:
    return (
        f"without {'reference' if len(references) == 1 else 'references'} {listed([repr(name) for name in references])}"
    )


def concerned(many: Sequence[Statistics]) -> list[str]:
    """Return the references that a system among those compared is kin to."""
    taking_part = (
        kinship for statistics in many for kinship in statistics.kinships if kinship.concerns(*statistics.systems)
    )
    return list(dict.fromkeys(kinship.kin.reference for kinship in taking_part))


def pairs_with_kin(family: Family, reference: str) -> list[tuple[str, str]]:
    """Return the pairs of the family in which the reference's kin stands."""
    kinships = _kinships(family, reference)
    pairs = zip(family.first, family.second, strict=True)
    return [pair for pair in pairs if any(kinship.concerns(*pair) for kinship in kinships)]


def _kinships(family: Family, reference: str) -> list[Kinship]:
    """Return the reference's kin that take part: mostly one, or the runs of one."""
    kinships = family.statistics.kinships
    return [each for each in kinships if each.kin.reference == reference and each.concerns(*family.systems)]


def doubted(family: Family, reference: str, without: Mapping[str, Family]) -> Family:
    """Return the family with a doubt at every verdict on the reference's kin that is another without it.

    Where the kin is better, it has to be so by each other reference, too. `without` is by how it is said, the first by
    all other references; where it is empty, every verdict in favour of the kin is doubtful.
    """
    kinships = _kinships(family, reference)
    if not without:
        # Beside too few others a lone reference's kin may be an ordinary system.
        kinships = [kinship for kinship in kinships if kinship.sets_apart]
    if not kinships:
        return family
    compared = list(family)

    def doubt(kinship: Kinship, comparison: Comparison) -> str:
        return _another(kinship, comparison, without) if without else _in_favour(kinship, comparison)

    found = [
        ""
        if comparison.data_caveat
        else next(filter(None, (doubt(kinship, comparison) for kinship in kinships if _of(kinship, comparison))), "")
        for comparison in compared
    ]
    pairs = list(zip(compared, found, strict=True))
    family = family.changed(
        data_caveat=[said or comparison.data_caveat for comparison, said in pairs],
        data_caveat_id=["reference" if said else comparison.data_caveat_id for comparison, said in pairs],
    )
    if not without:
        return family
    new = [comparison for comparison, said in pairs if said]
    whole = next(iter(without.values()))
    said = " ".join(_summary(kinship, family, whole, compared, new) for kinship in kinships)
    note = Note("warning", said, "kin", tuple(dict.fromkeys(kinship.kin.system for kinship in kinships)))
    # Overlap with two references is judged without both, and that is said once.
    told = set(_dropped(family.statistics, reference)) & set(family.without)
    notes = family.notes if told else (note, *family.notes)
    return replace(family, notes=notes, without={**family.without, reference: whole})


def _of(kinship: Kinship, comparison: Comparison) -> bool:
    return kinship.concerns(comparison.first, comparison.second)


def _in_favour(kinship: Kinship, comparison: Comparison) -> str:
    winner = verdict(comparison).winner
    if winner is None or not kinship.concerns(winner):
        return ""
    return f"{kinship.kin.brief}, and without that reference nothing is known"


def _another(kinship: Kinship, comparison: Comparison, without: Mapping[str, Family]) -> str:
    now = verdict(comparison)
    for position, (said, family) in enumerate(without.items()):
        at = family.find(comparison.first, comparison.second)
        # The other references by themselves are asked whether the kin is better, and nothing else.
        if at is None or (position > 0 and not (now.winner and kinship.concerns(now.winner))):
            continue
        then = verdict(family[at])
        if (now.word, now.winner) != (then.word, then.winner):
            other = f"{then.winner} is better" if then.winner else then.word
            return f"{kinship.kin.brief}, and {said} the verdict is another: {other}"
    return ""


def _summary(
    kinship: Kinship, family: Family, without: Family, compared: Sequence[Comparison], doubtful: Sequence[Comparison]
) -> str:
    """Return what the kin's score and place are without the reference, and how many verdicts on it change."""
    kin = kinship.kin
    judged, changed = (sum(_of(kinship, comparison) for comparison in many) for many in (compared, doubtful))
    verdicts = "no verdict on it changes"
    dropped = _dropped(family.statistics, kin.reference)
    left_out = capital_first(_without(dropped))
    if changed:
        verdicts = f"{changed} of {judged} verdicts on it change "
        verdicts += f"without {'it' if len(dropped) == 1 else 'them'} or by another reference, and are withheld"
    if kinship.stacked:
        # It has a score in each slice.
        return f"{left_out}: {verdicts}."
    metric = family.statistics.metric
    with_it, without_it = (
        f"{points_text(float(of.statistics.scores[of.statistics.row(kin.system)]), metric.decimals)} {metric.name}"
        f" (place {[n for n in of.statistics.best_first if n in of.order].index(kin.system) + 1} of {len(of.order)})"
        for of in (family, without)
    )
    them = "it" if len(dropped) == 1 else "them"
    return f"{left_out} {kin.system} has {without_it}, with {them} {with_it}; {verdicts}."
