"""Several test sets in words: what they say together goes in; tables, sentences and records come out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mtsig.corpus import listed, number_of
from mtsig.inference import (
    Comparison,
    Family,
    Settings,
    level_text,
    p_text,
    points_text,
    verdict,
)
from mtsig.options import options
from mtsig.report.bundle import plain
from mtsig.report.table import Column, Table, View
from mtsig.report.tables import comparison_columns, reasons_text, verdict_words
from mtsig.report.words import interval_text, method_text
from mtsig.resampling import RNG
from mtsig.sets import FamilyOverSets, OverSets, Replicability
from mtsig.study import SCHEMA, data_of
from mtsig.version import VERSION

_SETS = ("set", "first", "second", "difference", "interval", "p", "p corrected", "units", "verdict")

NO_SAMPLE = "Test sets of WMT are no random sample of test sets."
"""What stands under everything that is said of further sets."""


def sets_table(found: FamilyOverSets, view: View = _SETS) -> Table:
    """Return the comparisons set by set."""
    names = [name for name, family in found.families.items() for _ in family]
    family = _as_one(found)
    columns = [part for part in comparison_columns(family) if part[0].name not in ("units", "segments")]
    units = Column(f"{family.unit}s" if len(set(_kinds(found))) == 1 else "units", "count", key="units")
    return Table.of(sets_text(found), (Column("set"), names), (units, family.units), *columns, view=view, name="sets")


def _as_one(found: FamilyOverSets) -> Family:
    """Return the comparisons of all sets in one list, for their columns."""
    families = list(found.families.values())
    return replace(families[0], records=tuple(one for family in families for one in family), by_segment=None)


def _kinds(found: FamilyOverSets) -> list[str]:
    return [family.unit for family in found.families.values()]


def sets_text(found: FamilyOverSets) -> str:
    """Return what was judged together, in one sentence."""
    family, sets = _as_one(found), number_of(len(found.families), "test set")
    together = "one family" if found.joint and len(found.families) > 1 else "each set a family of its own"
    return (
        f"{sets}, {number_of(len(family), 'comparison')} in {found.statistics.metric}, {together} "
        f"({method_text(family, planned=False, sliced=True)}). {reasons_text(family)}{found.statistics.signature}"
    )


def averages_table(found: FamilyOverSets) -> Table:
    """Return the average difference of every pair over the sets, with what stands beside it."""
    family = found.averages
    if family is None:
        return Table.of_text("There is no average over the sets.", ("first", "second"), ())
    beside = [_beside(found, one) for one in family]
    decimals = family[0].decimals
    return Table.of(
        " ".join([averages_text(found), *filter(None, [further_caption(found)])]),
        (Column("first"), family.first),
        (Column("second"), family.second),
        (Column(f"mean Δ {family.metric}", "difference", decimals, key="difference"), family.difference),
        (
            Column(f"{level_text(family.level)} interval", "interval", decimals, True, key="interval"),
            zip(family.low, family.high, strict=True),
        ),
        (Column("p", "p"), family.p_value),
        (Column(f"p of {family.family_size} (holm)", "p", key="p corrected"), family.p_adjusted),
        (Column("verdict"), map(verdict_words, family)),
        (
            Column("sets", "range"),
            (interval_text(min(one.differences), max(one.differences), True, decimals) for one in beside),
        ),
        (Column("lead", "range"), (f"{one.first_leads} : {one.second_leads}" for one in beside)),
        (Column("sets differ", "p"), (_known(one.p_adjusted) for one in beside)),
        (
            Column("further set", "interval", decimals, True),
            (
                None if one.not_further or one.further is None else (one.further.predict_low, one.further.predict_high)
                for one in beside
            ),
        ),
        (Column("better in at least", "range"), (_least(found, one) for one in beside)),
        name="averages",
    )


def _known(p: float) -> float | str:
    return "cannot be told" if p != p else p


def _beside(found: FamilyOverSets, comparison: Comparison) -> OverSets:
    pair = (comparison.first, comparison.second)
    return next(one for one in found.described if (one.first, one.second) == pair)


def _directions(found: FamilyOverSets, beside: OverSets) -> list[Replicability]:
    pair = {beside.first, beside.second}
    return [one for one in found.replicated if {one.first, one.second} == pair]


def _least(found: FamilyOverSets, beside: OverSets) -> str:
    return ", ".join(f"{one.first} {one.least} of {one.sets}" for one in _directions(found, beside) if one.least)


def averages_text(found: FamilyOverSets) -> str:
    """Return what the averages are, and how they were tested."""
    family = found.averages
    if family is None:
        return "There is no average over the sets."
    weights = {tuple(one.weights) for one in found.described}
    equal = all(len(set(one)) == 1 for one in weights)
    their = "its" if len(family) == 1 else "their"
    weighted = "each set with the same weight" if equal else "sets with the weights that were given"
    return (
        f"The average difference over these {len(found.statistics.of)} test sets, for each pair over those that have "
        f"both; {weighted}; {family.test.label}, a unit of several sets left out of all "
        f"of them at once; {number_of(len(family), 'average')}, a family of "
        f"{their} own. {reasons_text(family)}"
    )


def further_caption(found: FamilyOverSets) -> str:
    """Return what the prediction for a further set rests on, or why there is none."""
    why = list(dict.fromkeys(one.not_further for one in found.described if one.not_further))
    if any(not one.not_further for one in found.described):
        return f"“Further set”: where the difference in one further set like these would lie. {NO_SAMPLE}"
    return f"No word on further sets: {'; '.join(why)}." if why else ""


def over_sets_texts(found: FamilyOverSets, number: int) -> tuple[str, ...]:
    """Return what the sets say of average number `number` together, a sentence for each question."""
    if found.averages is None:
        return ()
    comparison = found.averages[number]
    beside = _beside(found, comparison)
    return tuple(
        filter(
            None,
            (
                average_text(comparison, beside),
                spread_text(comparison, beside),
                further_text(comparison, beside),
                replicated_text(found, beside),
            ),
        )
    )


def average_text(comparison: Comparison, beside: OverSets) -> str:
    """Return what the average says, contrary sets first."""
    decided, sets = verdict(comparison), number_of(len(beside.sets), "test set")
    if decided.winner == comparison.second and comparison.alternative == "two-sided":
        comparison = comparison.turned
    over = f"on average over these {sets}" if len(beside.sets) > 1 else f"on {beside.sets[0]}, the only set with both"
    ends = interval_text(comparison.low, comparison.high, True, comparison.decimals)
    numbers = f"{level_text(comparison.level)} interval {ends}, {p_text(comparison.p_adjusted)}"
    if decided.winner is None:
        said = "not separated" if decided.word == "not separated" else f"undecided: {decided.reason}"
        mean = points_text(comparison.difference, comparison.decimals, True)
        return (
            f"{over[0].upper()}{over[1:]}, {comparison.first} and {comparison.second} are {said} (mean difference "
            f"{mean} {comparison.metric}, {numbers})."
        )
    loser = comparison.second if decided.winner == comparison.first else comparison.first
    by = points_text(abs(comparison.difference), comparison.decimals)
    text = f"{over}, {decided.winner} is better than {loser} by {by} {comparison.metric} ({numbers})."
    if beside.contrary:
        return f"In {beside.contrary} of {len(beside.sets)} sets {loser} scores better; {text}"
    return f"{text[0].upper()}{text[1:]}"


def spread_text(comparison: Comparison, beside: OverSets) -> str:
    """Return how the sets differ, and whether by more than chance."""
    low, high = (points_text(end(beside.differences), comparison.decimals, True) for end in (min, max))
    leads = f"{beside.first} leads in {beside.first_leads}, {beside.second} in {beside.second_leads}"
    text = f"Set by set the difference runs from {low} to {high}; {leads}."
    if beside.p_adjusted != beside.p_adjusted:
        return f"{text} Whether the sets disagree cannot be told: {beside.method}."
    f = f"{beside.method}'s F({beside.df1:.0f}, {beside.df2:.0f}) = {beside.statistic:.2f}"
    said = f"{f}, {p_text(beside.p_adjusted)}"
    i2 = beside.further
    more = "" if i2 is None else f"; I² {i2.i2:.0%}, {i2.i2_low:.0%} to {i2.i2_high:.0%}"
    if beside.p_adjusted <= comparison.alpha + 1e-12:
        return f"{text} The sets disagree by more than chance ({said}{more})."
    return f"{text} These data do not show that the sets disagree ({said}{more})."


def further_text(comparison: Comparison, beside: OverSets) -> str:
    """Return what would hold for sets like these, with what that rests on."""
    if beside.not_further or beside.further is None:
        return f"Nothing is said of further sets: {beside.not_further}."
    one, decimals = beside.further, comparison.decimals
    mean = points_text(one.mean, decimals, True)
    truncated = " The sets agree more than chance would have it; their error is not taken to be smaller for that."
    return (
        f"Over sets like these the mean difference would be {mean} {comparison.metric} ({level_text(comparison.level)} "
        f"interval {interval_text(one.low, one.high, True, decimals)}), and in one further set it would lie between "
        f"{interval_text(one.predict_low, one.predict_high, True, decimals).replace(' to ', ' and ')}."
        f"{truncated if one.truncated else ''} {NO_SAMPLE}"
    )


def replicated_text(found: FamilyOverSets, beside: OverSets) -> str:
    """Return in how many sets each system is better at least; nothing where there is one set, or no such test."""
    directions = _directions(found, beside)
    alpha = sum(one.alpha for one in directions)
    chance = f"chance of overstating at most {level_text(round(alpha, 12))}"
    said = [
        f"{one.first} is better than {one.second} in at least {one.least} of the {one.sets} sets ({chance})"
        + (f"; by itself {_each(one.better_in)}" if one.better_in else "")
        for one in directions
        if one.least
    ]
    if said or not directions:
        return " ".join(f"{text}." for text in said)
    return f"In no number of sets is {beside.first} or {beside.second} shown to be better ({chance})."


def _each(names: Sequence[str]) -> str:
    return f"in {listed(names)}"


def set_ranks_table(found: FamilyOverSets) -> Table:
    """Return mean ranks over sets, with the groups that nothing separates.

    A letter stands for each group of neighbours; systems without a common letter are separated.
    """
    ranks = found.ranks
    if ranks is None:
        return Table.of_text("There are no ranks over the sets.", ("system",), ())
    letters = "abcdefghijklmnopqrstuvwxyz"
    groups = [
        " ".join(letters[i % 26] for i, clique in enumerate(ranks.cliques) if name in clique) for name in ranks.systems
    ]
    return Table.of(
        set_ranks_text(found),
        (Column("system"), ranks.systems),
        (Column("mean rank", "score"), ranks.mean_ranks),
        (Column("not separated"), groups),
        name="set-ranks",
    )


def set_ranks_text(found: FamilyOverSets) -> str:
    """Return Friedman's test and what separates mean ranks, and what that takes for granted."""
    ranks = found.ranks
    if ranks is None:
        return ""
    how = (
        f"by Nemenyi (critical difference {ranks.critical_difference:.2f})"
        if ranks.separation == "nemenyi"
        else "by Wilcoxon's signed-rank test with Holm"
    )
    return (
        f"Mean ranks over {ranks.sets} sets: Friedman's χ²({ranks.df}) = {ranks.statistic:.2f}, "
        f"{p_text(ranks.p_value)}. Systems that share a letter are not separated {how}. Each set's score is taken as "
        f"exact, and the sets as a sample of sets. {NO_SAMPLE}"
    )


def sets_tables(found: FamilyOverSets) -> list[Table]:
    """Return the tables of several sets: set by set, averages, ranks; what there is of them."""
    tables = [sets_table(found)]
    tables += [averages_table(found)] if found.averages is not None else []
    return tables + ([set_ranks_table(found)] if found.ranks is not None else [])


def sets_bundle(settings: Settings, found: Sequence[FamilyOverSets]) -> dict[str, Any]:
    """Return what several sets say as one JSON object; a comparison whose set is null is an average."""
    used = {one.name: getattr(settings, one.name) for one in options(settings)}
    notes = dict.fromkeys(note.text for one in found for note in one.notes)
    statistics = found[0].statistics
    return plain(
        {
            "schema": SCHEMA,
            "mtsig": VERSION,
            "status": "exploratory",
            "settings": {**used, "sharing": statistics.sharing, "rng": RNG},
            "sets": [
                {
                    "set": name,
                    **data_of(corpus).row(),
                    "signatures": [one.statistics.of[name].signature for one in found],
                }
                for name, corpus in statistics.sets.items()
            ],
            "skipped": dict(statistics.sets.skipped),
            "notes": list(notes),
            "comparisons": [row for one in found for row in one.rows()],
            "over_sets": [beside.row() for one in found for beside in one.described],
            "replicability": [
                {"metric": one.statistics.metric, **row.row()} for one in found for row in one.replicated
            ],
            "ranks_over_sets": [
                {"metric": one.statistics.metric, **one.ranks.row()} for one in found if one.ranks is not None
            ],
            "sentences": [
                text for one in found for i in range(len(one.averages or ())) for text in over_sets_texts(one, i)
            ],
        }
    )
