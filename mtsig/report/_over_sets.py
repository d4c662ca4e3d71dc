"""Several test sets, or the parts of one, in words and tables."""

from collections.abc import Sequence
from math import isnan
from string import ascii_lowercase

from mtsig._probability import interval_text, level_text, points_text, shown_decimals
from mtsig._say import adjusted_text, say
from mtsig.collection import FamilyOverSets, OverSets, Replicability
from mtsig.collection._beyond import SEPARATIONS
from mtsig.collection._compare import by_score
from mtsig.corpus._notes import capital_first, listed, number_of
from mtsig.corpus._slices import Slicing
from mtsig.inference import Comparison, Family, p_text
from mtsig.inference._verdict import verdict
from mtsig.report._families import method_text
from mtsig.report._table import Column, Table, View
from mtsig.report._tables import VIEWS, comparison_columns, reasons_text

UNTESTED = "cannot be tested"

NO_SAMPLE = "WMT test sets are not a random sample of test sets."
"""What stands under everything that is said of further sets."""


MOST_NAMED = 5
"""Sets that a sentence names; of more it names one less."""


def sets_table(family_over_sets: FamilyOverSets, view: View = VIEWS["sets"]) -> Table:
    names = [name for name, family in family_over_sets.families.items() for _ in family]
    family = _as_one(family_over_sets)
    columns = [column for column in comparison_columns(family) if column.name not in ("units", "segments")]
    kinds = {of_set.unit for of_set in family_over_sets.families.values()}
    units = Column(f"{family.unit}s" if len(kinds) == 1 else "units", "count", key="units")
    each = Column(family_over_sets.kind.rpartition(" ")[2], key="set")
    segments = (Column("segments", "count"), family.segments if family_over_sets.by else [None] * len(family))
    said = sets_text(family_over_sets)
    return Table.of_rows(said, family, (each, names), segments, units, *columns, view=view, name="sets")


def _parts_text(family_over_sets: FamilyOverSets) -> str:
    """Return for which pairs the difference is another in some parts of a test set."""
    alpha = next(iter(family_over_sets.families.values())).alpha
    known = [over for over in family_over_sets.described if over.p_adjusted == over.p_adjusted]
    if not known:
        return "Whether differences vary between subsets cannot be tested."
    tested = f"({known[0].method}'s test of equal differences, corrected by Holm)"
    differ = [f"{over.first} – {over.second}" for over in known if over.p_adjusted <= alpha + 1e-12]
    if not differ:
        return f"No pair's difference varies significantly between subsets {tested}."
    return f"The difference varies significantly between subsets for {listed(differ)} {tested}."


def _as_one(family_over_sets: FamilyOverSets) -> Family:
    """Return the comparisons of all sets in one list, for their columns."""
    families = list(family_over_sets.families.values())
    return families[0].with_rows([comparison for family in families for comparison in family])


def sets_text(family_over_sets: FamilyOverSets) -> str:
    """Return what was corrected together, in one sentence."""
    family, sets = _as_one(family_over_sets), family_over_sets.counted
    together = (
        "one family"
        if family_over_sets.joint and len(family_over_sets.families) > 1
        else "each set a family of its own"
    )
    return (
        f"{sets}, {number_of(len(family), 'comparison')} in {family_over_sets.metric}, {together}. "
        f"{capital_first(method_text(family, planned=False, sliced=True))}. "
        f"{reasons_text(family)}{f'{adjusted_text(family)} ' if family_over_sets.by else ''}"
        f"{family_over_sets.signature}."
    )


def averages_table(family_over_sets: FamilyOverSets) -> Table:
    """Return the average difference of every pair over the sets, by score, with what stands beside it."""
    family_over_sets = by_score(family_over_sets)
    family = family_over_sets.averages
    if family is None:
        return Table.of_text("There is no average over the sets.", ("first", "second"), ())
    decimals, rows = family[0].decimals, family_over_sets.described
    beside = (
        Column("of sets", "count", of=lambda row: len(row.sets)),
        Column(
            "sets", "range", of=lambda row: interval_text(min(row.differences), max(row.differences), True, decimals)
        ),
        Column("lead", "range", of=lambda row: f"{row.first_leads} : {row.second_leads}"),
        Column("sets differ", "p", of=lambda row: UNTESTED if isnan(row.p_adjusted) else row.p_adjusted),
        Column("new set", "interval", decimals, True, key="new set", of=_predicted),
        Column("better in at least", "range", of=lambda row: _least(family_over_sets, row)),
    )
    return Table.of_rows(
        " ".join([averages_text(family_over_sets), *filter(None, [further_caption(family_over_sets)])]),
        family,
        *comparison_columns(family),
        *((column, map(column.value, rows)) for column in beside),
        view=dict.fromkeys(VIEWS["averages"], "") | {"difference": f"mean Δ {family.metric}"},
        name="averages",
    )


def _predicted(over: OverSets) -> tuple[float, float] | None:
    if over.not_further or over.further is None:
        return None
    return over.further.predict_low, over.further.predict_high


def _beside(family_over_sets: FamilyOverSets, comparison: Comparison) -> OverSets:
    pair = (comparison.first, comparison.second)
    return next(over for over in family_over_sets.described if (over.first, over.second) == pair)


def _directions(family_over_sets: FamilyOverSets, beside: OverSets) -> list[Replicability]:
    pair = {beside.first, beside.second}
    return [claim for claim in family_over_sets.replicated if {claim.first, claim.second} == pair]


def _least(family_over_sets: FamilyOverSets, beside: OverSets) -> str:
    return ", ".join(
        f"{replicability.first} {replicability.least} of {replicability.sets}"
        for replicability in _directions(family_over_sets, beside)
        if replicability.least
    )


def averages_text(family_over_sets: FamilyOverSets) -> str:
    """Return what the averages are, and how they were tested."""
    family = family_over_sets.averages
    if family is None:
        return _parts_text(family_over_sets) if family_over_sets.by else "There is no average over the sets."
    their = "its" if len(family) == 1 else "their"
    return (
        f"The average difference over these {len(family_over_sets.sets)} test sets, for each pair over those that have "
        f"both, {over_weights_text(family_over_sets)}. {capital_first(family.test.label)}; the jackknife leaves a unit "
        f"out of all its sets at once. {number_of(len(family), 'average')}, a family of {their} own. "
        f"{reasons_text(family)}{adjusted_text(family)}".strip()
    )


def over_weights_text(family_over_sets: FamilyOverSets) -> str:
    if all(len(set(beside.weights)) == 1 for beside in family_over_sets.described):
        return "each set with the same weight"
    weights = max(family_over_sets.described, key=lambda beside: len(beside.sets))
    said = [f"{name} {weight:.3g}" for name, weight in zip(weights.sets, weights.weights, strict=True)]
    return f"sets with the weights {listed(said)}"


def further_caption(family_over_sets: FamilyOverSets) -> str:
    """Return what the prediction for a further set rests on, or why there is none."""
    if any(not over.not_further for over in family_over_sets.described):
        return f"“New set”: prediction interval for the difference in a new test set like these. {NO_SAMPLE}"
    # Pairs of fewer sets have the same reason, with smaller numbers.
    most = max((len(over.sets) for over in family_over_sets.described), default=0)
    why = dict.fromkeys(over.not_further for over in family_over_sets.described if len(over.sets) == most)
    return f"No prediction for a new test set: {'; '.join(why)}." if why else ""


def over_sets_title(family_over_sets: FamilyOverSets, first: str, second: str) -> str:
    """Return the verdict on the average of a pair, and what it does not promise."""
    found = None if family_over_sets.averages is None else family_over_sets.averages.pair(first, second)
    if found is None:
        return f"There is no average of {first} and {second} over these test sets"
    beside = _beside(family_over_sets, found)
    sets = len(beside.sets)
    over = f" on average over {number_of(sets, 'test set')}" if sets > 1 else f" on {beside.sets[0]}"
    further = None if beside.not_further else beside.further
    unsure = further is not None and further.predict_low <= 0 <= further.predict_high and verdict(found).winner
    return f"{say(found, 'title', at=over)}{', but not necessarily in a new one' if unsure else ''}"


def over_sets_lede(family_over_sets: FamilyOverSets, first: str, second: str, *, brief: bool = False) -> str:
    """Return in how many sets the better system leads, whether sets disagree, and what one more set may bring.

    brief: as there is room on a phone.
    """
    found = None if family_over_sets.averages is None else family_over_sets.averages.pair(first, second)
    if found is None:
        return ""
    beside, sets = _beside(family_over_sets, found), len(_beside(family_over_sets, found).sets)
    ahead = found.first if found.difference >= 0 else found.second
    leads = beside.first_leads if ahead == beside.first else beside.second_leads
    pairs = [family.pair(first, second) for family in family_over_sets.families.values()]
    significant = sum(verdict(pair).winner == ahead for pair in pairs if pair is not None)
    family = _as_one(family_over_sets)
    corrected = f" (corrected for {len(family):,} comparisons)" if family.corrected else " (not corrected)"
    text = f"{ahead} leads in {'all' if leads == sets else f'{leads} of the'} {sets}"
    them = "all of them" if significant == leads > 1 else f"{significant} of them" if significant else "none"
    text += f", significantly in {them}{corrected}"
    (least,) = [claim.least for claim in _directions(family_over_sets, beside) if claim.first == ahead] or [0]
    # Corrected verdicts show as much of the sets that they are on.
    more = least > (significant if family.corrected else 0) and not brief
    text += f"; together the sets show it to be better in at least {least} of {sets}." if more else "."
    if beside.not_further or beside.further is None:
        return f"{text} {capital_first(beside.not_further)}." if beside.not_further else text
    if beside.p_adjusted <= found.alpha + 1e-12 and not brief:
        text += f" The difference varies between sets by more than chance (I² {beside.further.i2:.0%})."
    turned = found.first != first
    low, high = beside.further.predict_low, beside.further.predict_high
    ends = interval_text(
        *((-high, -low) if turned else (low, high)), True, shown_decimals(found.difference, found.decimals)
    )
    level = level_text(found.level)
    said = "In a new test set:" if brief else "In a new test set, the difference could be from"
    return f"{text} {said} {ends} ({level} prediction interval)."


def over_sets_texts(family_over_sets: FamilyOverSets, number: int) -> tuple[str, ...]:
    """Return what the sets say of average number `number` together, a sentence for each question."""
    if family_over_sets.averages is None:
        return ()
    comparison = family_over_sets.averages[number]
    beside = _beside(family_over_sets, comparison)
    return tuple(
        filter(
            None,
            (
                average_text(comparison, beside),
                spread_text(comparison, beside),
                further_text(comparison, beside),
                replicated_text(family_over_sets, beside),
            ),
        )
    )


def average_text(comparison: Comparison, beside: OverSets) -> str:
    """Return what the average says, contrary sets first."""
    sets = number_of(len(beside.sets), "test set")
    over = f"on average over these {sets}" if len(beside.sets) > 1 else f"on {beside.sets[0]}, the only set with both"
    winner = verdict(comparison).winner
    if winner is None or not beside.contrary:
        return say(comparison, over=f"{capital_first(over)}, ")
    loser = comparison.second if winner == comparison.first else comparison.first
    contrary = f"In {_few(beside.contrary)}, {len(beside.contrary)} of {len(beside.sets)} sets, {loser} scores better"
    return say(comparison, over=f"{contrary}; {over}, ")


def _few(names: Sequence[str]) -> str:
    """Return names of sets as a sentence lists them, of many the first."""
    return listed(names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], "others"])


def spread_text(comparison: Comparison, beside: OverSets) -> str:
    """Return how the sets differ, and whether by more than chance; nothing where one set alone has both systems."""
    low, high = (points_text(end(beside.differences), comparison.decimals, True) for end in (min, max))
    leads = f"{beside.first} leads in {beside.first_leads}, {beside.second} in {beside.second_leads}"
    if len(beside.sets) == 1:
        return ""
    text = f"In single sets, the difference ranges from {low} to {high}; {leads}."
    if beside.p_adjusted != beside.p_adjusted:
        return f"{text} Whether the difference varies between sets cannot be tested: {beside.method}."
    f = f"{beside.method}'s F({beside.df1:.0f}, {beside.df2:.0f}) = {beside.statistic:.2f}"
    # The p-value that belongs to F, and the one that decides.
    said = f"{f}, {p_text(beside.p_value)}"
    if beside.p_adjusted > beside.p_value:
        said += f", {p_text(beside.p_adjusted)} corrected for all pairs"
    i2 = beside.further
    more = "" if i2 is None else f"; I² {i2.i2:.0%}, {i2.i2_low:.0%} to {i2.i2_high:.0%}"
    if beside.p_adjusted <= comparison.alpha + 1e-12:
        return f"{text} The difference varies between sets by more than chance ({said}{more})."
    return f"{text} These data do not show that the difference varies between sets ({said}{more})."


def further_text(comparison: Comparison, beside: OverSets) -> str:
    """Return what would hold for sets like these, with what that rests on."""
    if beside.not_further or beside.further is None:
        return f"No prediction for a new test set: {beside.not_further}."
    further, decimals = beside.further, comparison.decimals
    mean = points_text(further.mean, decimals, True)
    truncated = " The sets agree more closely than expected by chance. This does not reduce the standard error."
    return (
        f"The mean difference over test sets like these is estimated as {mean} {comparison.metric} "
        f"({level_text(comparison.level)} CI {interval_text(further.ci_low, further.ci_high, True, decimals)}); in a "
        "new test set it is predicted between "
        f"{interval_text(further.predict_low, further.predict_high, True, decimals).replace(' to ', ' and ')}."
        f"{truncated if further.truncated else ''} {NO_SAMPLE}"
    )


def replicated_text(family_over_sets: FamilyOverSets, beside: OverSets) -> str:
    """Return in how many sets each system is better at least; nothing where that is shown of none."""
    directions = _directions(family_over_sets, beside)
    alpha = sum(replicability.alpha * replicability.pairs for replicability in directions)
    return " ".join(_in_at_least(direction, alpha) for direction in directions if direction.least)


def _in_at_least(replicability: Replicability, alpha: float) -> str:
    """Return in how many sets a system is better, with the chance that this, or another pair's number, is too large."""
    pairs, withheld = replicability.pairs, replicability.withheld
    chance = "chance of overstating" if pairs == 1 else f"chance that any of the {pairs:,} pairs' numbers is too high:"
    text = (
        f"{replicability.first} is better than {replicability.second} in at least {replicability.least} of the "
        f"{replicability.sets} sets ({chance} at most {level_text(round(alpha, 12))})."
    )
    if replicability.better_in:
        text += f" It is also significant in {listed(replicability.better_in)} alone."
    if withheld:
        verb = "gives no verdict and counts" if withheld == 1 else "give no verdict and count"
        text += f" {number_of(withheld, 'set')} {verb} as not significant."
    return text


def set_ranks_table(family_over_sets: FamilyOverSets) -> Table:
    """Return mean ranks over sets, with the groups that nothing separates.

    A letter stands for each group of neighbours; systems without a common letter are separated.
    """
    ranks = family_over_sets.ranks
    if ranks is None:
        return Table.of_text("There are no ranks over the sets.", ("system",), ())
    groups = [(ascii_lowercase[i % 26], clique) for i, clique in enumerate(ranks.cliques)]
    return Table.of_rows(
        set_ranks_text(family_over_sets),
        ranks.systems,
        Column("system", of=str),
        (Column("mean rank", "score"), ranks.mean_ranks),
        Column("not significantly different", of=lambda name: " ".join(at for at, clique in groups if name in clique)),
        name="set-ranks",
    )


def set_ranks_text(family_over_sets: FamilyOverSets) -> str:
    """Return Friedman's test and what separates mean ranks, and what that takes for granted."""
    ranks = family_over_sets.ranks
    if ranks is None:
        return ""
    separation = SEPARATIONS.get(ranks.separation)
    how = f"by {ranks.separation if separation is None else separation.told(ranks.critical_difference)}"
    return (
        f"Mean ranks over {ranks.sets} sets: Friedman's χ²({ranks.df}) = {ranks.statistic:.2f}, "
        f"{p_text(ranks.p_value)}. Systems that share a letter or a bar do not differ significantly {how}. The method "
        f"treats the scores within a set as exact, and the sets as a random sample. {NO_SAMPLE}"
    )


def sets_tables(family_over_sets: FamilyOverSets) -> list[Table]:
    """Return the tables of several sets: set by set, averages, ranks, and of subsets whether they differ."""
    tables, family = [sets_table(family_over_sets)], next(iter(family_over_sets.families.values()))
    if family_over_sets.by:
        tables.append(differences_table(family_over_sets.described, family[0].decimals, family.alpha, "subset"))
    tables += [averages_table(family_over_sets)] if family_over_sets.averages is not None else []
    return tables + ([set_ranks_table(family_over_sets)] if family_over_sets.ranks is not None else [])


def differences_table(tests: Sequence[OverSets], decimals: int, alpha: float, part: str = "subset") -> Table:
    """Return for every pair whether its difference is the same in all parts; part: what they are called."""
    methods = dict.fromkeys(test.method for test in tests if test.p_value == test.p_value)
    said = [f"{method}'s test of equal differences" for method in methods]
    said.append(f"that one {part} is significant and another is not does not show that they differ.")
    return Table.of_rows(
        f"Is a pair's difference the same in all {part}s? {capital_first('; '.join(said))}",
        tests,
        Column("first"),
        Column("second"),
        Column(f"Δ by {part}", "range",
               of=lambda test: " / ".join(points_text(value, decimals, signed=True) for value in test.differences)),
        Column("F (df)", "range", of=_f_text),
        Column("p", "p", of="p_value"),
        Column(f"p of {len(tests)} (holm)", "p", of="p_adjusted"),
        Column(f"{part}s", of=lambda test: _varies(test, alpha)),
    )  # fmt: skip


def _f_text(test: OverSets) -> str:
    return "" if isnan(test.statistic) else f"{test.statistic:.2f} ({test.df1:.0f}, {test.df2:.0f})"


def _varies(heterogeneity: OverSets, alpha: float) -> str:
    """Return whether the parts differ, in words."""
    if isnan(heterogeneity.p_adjusted):
        return UNTESTED
    return "differ" if heterogeneity.p_adjusted <= alpha + 1e-12 else "not significant"


def heterogeneity_text(compared: FamilyOverSets) -> str:
    """Return whether the parts of a test set differ in the first pair, in one sentence."""
    tested, by = compared.described[0], Slicing.of(compared.by).label
    if isnan(tested.p_adjusted):
        return f"Whether the difference varies between subsets by {by} cannot be tested: {tested.method}."
    said = f"F({tested.df1:.0f}, {tested.df2:.0f}) = {tested.statistic:.2f}, {p_text(tested.p_adjusted)}"
    if tested.p_adjusted <= next(iter(compared.families.values())).alpha + 1e-12:
        return f"The difference varies significantly between subsets by {by} ({said})."
    return f"The difference does not vary significantly between subsets by {by} ({said})."
