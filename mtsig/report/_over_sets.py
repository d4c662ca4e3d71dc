"""Several test sets, or the parts of one, in words and tables."""

import math
from collections.abc import Sequence

from mtsig._probability import level_text, points_text
from mtsig.collection import FamilyOverSets, OverSets, Replicability
from mtsig.collection._beyond import SEPARATIONS
from mtsig.collection._compare import by_score
from mtsig.corpus._notes import capital_first, listed, number_of
from mtsig.inference import Comparison, Family, SlicedFamily, p_text, verdict
from mtsig.inference._slices import Heterogeneity
from mtsig.report._families import method_text
from mtsig.report._say import adjusted_text, adjusts, caution_text, ci_name, ci_text, interval_text
from mtsig.report._table import Column, Table, View
from mtsig.report._tables import by_default, ci_cell, comparison_columns, reasons_text

_SETS = ("set", "first", "second", "difference", "adjusted", "p", "p corrected", "units", "verdict", "by default")

NO_SAMPLE = "Test sets of WMT are no random sample of test sets."
"""What stands under everything that is said of further sets."""


MOST_NAMED = 5
"""Sets that a sentence names; of more it names one less."""


def sets_table(family_over_sets: FamilyOverSets, view: View = _SETS) -> Table:
    """Return the comparisons set by set.

    >>> import mtsig
    >>> from mtsig.report._over_sets import sets_table
    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)}
    >>> study = mtsig.compare(sets, "chrf", n_resamples=500)
    >>> compared = study.over[0].compared
    >>> sets_table(compared).texts[0][:4]
    ('2024', 'direct-us', 'direct', '−0.53')
    """
    names = [name for name, family in family_over_sets.families.items() for _ in family]
    family = _as_one(family_over_sets)
    columns = [part for part in comparison_columns(family) if part[0].name not in ("units", "segments")]
    units = Column(f"{family.unit}s" if len(set(_kinds(family_over_sets))) == 1 else "units", "count", key="units")
    each = Column(family_over_sets.kind.rpartition(" ")[2], key="set")
    return Table.of(sets_text(family_over_sets), (each, names), (units, family.units), *columns, view=view, name="sets")


def _parts_text(family_over_sets: FamilyOverSets) -> str:
    """Return for which pairs the difference is another in some parts of a test set."""
    alpha = next(iter(family_over_sets.families.values())).alpha
    known = [over for over in family_over_sets.described if over.p_adjusted == over.p_adjusted]
    if not known:
        return "Whether differences are others in some parts cannot be told."
    tested = f"({known[0].method}'s test of equal differences, corrected by Holm)"
    differ = [f"{over.first} – {over.second}" for over in known if over.p_adjusted <= alpha + 1e-12]
    if not differ:
        return f"These data do not show that any pair's difference is another in some parts {tested}."
    return f"The difference is not the same in all parts for {listed(differ)} {tested}."


def _as_one(family_over_sets: FamilyOverSets) -> Family:
    """Return the comparisons of all sets in one list, for their columns."""
    families = list(family_over_sets.families.values())
    return families[0].with_rows([comparison for family in families for comparison in family])


def _kinds(family_over_sets: FamilyOverSets) -> list[str]:
    return [family.unit for family in family_over_sets.families.values()]


def sets_text(family_over_sets: FamilyOverSets) -> str:
    """Return what was judged together, in one sentence.

    >>> import mtsig
    >>> from mtsig.report._over_sets import sets_text
    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)}
    >>> study = mtsig.compare(sets, "chrf", n_resamples=500)
    >>> compared = study.over[0].compared
    >>> print(sets_text(compared).partition(". ")[0])  # doctest: +NORMALIZE_WHITESPACE
    2 test sets, 20 comparisons in chrF2, one family (jackknife t test over documents, 500 draws for the resamples
    won, seed 12345, corrected by Holm, nominal chance of any false claim α = 0.05)
    """
    family, sets = _as_one(family_over_sets), family_over_sets.counted
    together = (
        "one family"
        if family_over_sets.joint and len(family_over_sets.families) > 1
        else "each set a family of its own"
    )
    return (
        f"{sets}, {number_of(len(family), 'comparison')} in {family_over_sets.metric}, {together} "
        f"({method_text(family, planned=False, sliced=True)}). {reasons_text(family)}{family_over_sets.signature}."
    )


def averages_table(family_over_sets: FamilyOverSets) -> Table:
    """Return the average difference of every pair over the sets, by score, with what stands beside it.

    >>> import mtsig
    >>> from mtsig.report._over_sets import averages_table
    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)}
    >>> study = mtsig.compare(sets, "chrf", n_resamples=500)
    >>> compared = study.over[0].compared
    >>> averages_table(compared).texts[0][:5]
    ('direct', 'direct-us', '2', '+0.39', '+0.17 to +0.60')
    """
    family_over_sets = by_score(family_over_sets)
    family = family_over_sets.averages
    if family is None:
        return Table.of_text("There is no average over the sets.", ("first", "second"), ())
    beside = family_over_sets.described
    decimals = family[0].decimals
    return Table.of(
        " ".join([averages_text(family_over_sets), *filter(None, [further_caption(family_over_sets)])]),
        (Column("first"), family.first),
        (Column("second"), family.second),
        (Column("of sets", "count"), (len(over.sets) for over in beside)),
        (Column(f"mean Δ {family.metric}", "difference", decimals, key="difference"), family.difference),
        (Column(ci_name(family), "interval", decimals, True, key="adjusted"), map(ci_cell, family)),
        (Column("p", "p"), family.p_value),
        (Column(f"p of {family.family_size} (holm)", "p", key="p corrected"), family.p_adjusted),
        (Column("verdict"), (verdict(comparison).marked for comparison in family)),
        (Column("by default"), by_default(family)),
        (
            Column("sets", "range"),
            (interval_text(min(over.differences), max(over.differences), True, decimals) for over in beside),
        ),
        (Column("lead", "range"), (f"{over.first_leads} : {over.second_leads}" for over in beside)),
        (Column("sets differ", "p"), (_known(over.p_adjusted) for over in beside)),
        (
            Column("further set", "interval", decimals, True),
            (
                None
                if over.not_further or over.further is None
                else (over.further.predict_low, over.further.predict_high)
                for over in beside
            ),
        ),
        (Column("better in at least", "range"), (_least(family_over_sets, over) for over in beside)),
        name="averages",
    )


def _known(p: float) -> float | str:
    return "cannot be told" if p != p else p


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
    """Return what the averages are, and how they were tested.

    >>> import mtsig
    >>> from mtsig.report._over_sets import averages_text
    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)}
    >>> study = mtsig.compare(sets, "chrf", n_resamples=500)
    >>> compared = study.over[0].compared
    >>> print(averages_text(compared))  # doctest: +NORMALIZE_WHITESPACE
    The average difference over these 2 test sets, for each pair over those that have both; each set with the same
    weight; jackknife t test, a unit of several sets left out of all of them at once; 10 averages, a family of their
    own. Adjusted CIs have the level at which each pair was judged (here 95% to 99.5%), so a CI excludes 0 exactly when
    the difference is significant.
    """
    family = family_over_sets.averages
    if family is None:
        return _parts_text(family_over_sets) if family_over_sets.by else "There is no average over the sets."
    their = "its" if len(family) == 1 else "their"
    return (
        f"The average difference over these {len(family_over_sets.sets)} test sets, for each pair over those that have "
        f"both; {over_weights_text(family_over_sets)}; {family.test.label}, a unit of several sets left out of all "
        f"of them at once; {number_of(len(family), 'average')}, a family of "
        f"{their} own. {reasons_text(family)}{adjusted_text(family)}".strip()
    )


def over_weights_text(family_over_sets: FamilyOverSets) -> str:
    """Return how much each set weighs."""
    if all(len(set(beside.weights)) == 1 for beside in family_over_sets.described):
        return "each set with the same weight"
    weights = max(family_over_sets.described, key=lambda beside: len(beside.sets))
    said = [f"{name} {weight:.3g}" for name, weight in zip(weights.sets, weights.weights, strict=True)]
    return f"sets with the weights {listed(said)}"


def further_caption(family_over_sets: FamilyOverSets) -> str:
    """Return what the prediction for a further set rests on, or why there is none."""
    if any(not over.not_further for over in family_over_sets.described):
        return f"“Further set”: where the difference in one further set like these would lie. {NO_SAMPLE}"
    # Pairs of fewer sets have the same reason, with smaller numbers.
    most = max((len(over.sets) for over in family_over_sets.described), default=0)
    why = dict.fromkeys(over.not_further for over in family_over_sets.described if len(over.sets) == most)
    return f"No word on further sets: {'; '.join(why)}." if why else ""


def over_sets_texts(family_over_sets: FamilyOverSets, number: int) -> tuple[str, ...]:
    """Return what the sets say of average number `number` together, a sentence for each question.

    >>> import mtsig
    >>> from mtsig.report._over_sets import over_sets_texts
    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)}
    >>> study = mtsig.compare(sets, "chrf", n_resamples=500)
    >>> compared = study.over[0].compared
    >>> print(over_sets_texts(compared, 0)[0])  # doctest: +NORMALIZE_WHITESPACE
    On average over these 2 test sets, direct is better than direct-us by 0.39 chrF2 (adjusted CI 0.17 to 0.60,
    adjusted p = .0002, 10 averages).
    """
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
    decided, sets = verdict(comparison), number_of(len(beside.sets), "test set")
    if decided.winner == comparison.second and comparison.alternative == "two-sided":
        comparison = comparison.turned
    over = f"on average over these {sets}" if len(beside.sets) > 1 else f"on {beside.sets[0]}, the only set with both"
    adjusted = "adjusted " if adjusts(comparison) else ""
    numbers = f"{ci_name(comparison)} {ci_text(comparison)}, {adjusted}{p_text(comparison.p_adjusted)}"
    numbers += f", {comparison.family_size:,} averages" if adjusted else ""
    if decided.winner is None:
        pair = f"{comparison.first} and {comparison.second}"
        said = f"the difference between {pair} is not significant"
        if decided.word == "withheld":
            said = f"the verdict on {pair} is withheld: {decided.withheld_reason}"
        mean = points_text(comparison.difference, comparison.decimals, True)
        return (
            f"{capital_first(over)}, {said} (mean difference {mean} {comparison.metric}, {numbers})."
            f"{caution_text(comparison)}"
        )
    loser = comparison.second if decided.winner == comparison.first else comparison.first
    by = points_text(abs(comparison.difference), comparison.decimals)
    text = f"{over}, {decided.winner} is better than {loser} by {by} {comparison.metric} ({numbers})."
    text += caution_text(comparison)
    if beside.contrary:
        contrary = f"{_few(beside.contrary)}, {len(beside.contrary)} of {len(beside.sets)} sets"
        return f"In {contrary}, {loser} scores better; {text}"
    return capital_first(text)


def _few(names: Sequence[str]) -> str:
    """Return names of sets as a sentence lists them, of many the first."""
    return listed(names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], "others"])


def spread_text(comparison: Comparison, beside: OverSets) -> str:
    """Return how the sets differ, and whether by more than chance; nothing where one set alone has both systems."""
    low, high = (points_text(end(beside.differences), comparison.decimals, True) for end in (min, max))
    leads = f"{beside.first} leads in {beside.first_leads}, {beside.second} in {beside.second_leads}"
    if len(beside.sets) == 1:
        return ""
    text = f"Set by set the difference runs from {low} to {high}; {leads}."
    if beside.p_adjusted != beside.p_adjusted:
        return f"{text} Whether the sets disagree cannot be told: {beside.method}."
    f = f"{beside.method}'s F({beside.df1:.0f}, {beside.df2:.0f}) = {beside.statistic:.2f}"
    # The p-value that belongs to F, and the one that decides.
    said = f"{f}, {p_text(beside.p_value)}"
    if beside.p_adjusted > beside.p_value:
        said += f", {p_text(beside.p_adjusted)} corrected for all pairs"
    i2 = beside.further
    more = "" if i2 is None else f"; I² {i2.i2:.0%}, {i2.i2_low:.0%} to {i2.i2_high:.0%}"
    if beside.p_adjusted <= comparison.alpha + 1e-12:
        return f"{text} The sets disagree by more than chance ({said}{more})."
    return f"{text} These data do not show that the sets disagree ({said}{more})."


def further_text(comparison: Comparison, beside: OverSets) -> str:
    """Return what would hold for sets like these, with what that rests on."""
    if beside.not_further or beside.further is None:
        return f"Nothing is said of further sets: {beside.not_further}."
    further, decimals = beside.further, comparison.decimals
    mean = points_text(further.mean, decimals, True)
    truncated = " The sets agree more than chance would have it; their error is not taken to be smaller for that."
    return (
        f"Over sets like these the mean difference would be {mean} {comparison.metric} ({level_text(comparison.level)} "
        f"interval {interval_text(further.ci_low, further.ci_high, True, decimals)}), and in one further set it "
        f"would lie "
        "between "
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
    chance = "chance of overstating" if pairs == 1 else f"chance of overstating any of the {pairs:,} pairs shown:"
    text = (
        f"{replicability.first} is better than {replicability.second} in at least {replicability.least} of the "
        f"{replicability.sets} sets ({chance} at most {level_text(round(alpha, 12))})."
    )
    if replicability.better_in:
        several = len(replicability.better_in) > 1
        text += f" {capital_first(listed(replicability.better_in))} {'show' if several else 'shows'} it by "
        text += f"{'themselves' if several else 'itself'}."
    if withheld:
        verb = "gives no verdict and counts" if withheld == 1 else "give no verdict and count"
        text += f" {number_of(withheld, 'set')} {verb} as not shown."
    return text


def set_ranks_table(family_over_sets: FamilyOverSets) -> Table:
    """Return mean ranks over sets, with the groups that nothing separates.

    A letter stands for each group of neighbours; systems without a common letter are separated.

    >>> import mtsig
    >>> from mtsig.report._over_sets import set_ranks_table
    >>> study = mtsig.compare({str(year): mtsig.read_sample() for year in range(2020, 2026)}, "chrf", n_resamples=100)
    >>> set_ranks_table(study.over[0].compared).texts  # doctest: +NORMALIZE_WHITESPACE
    (('direct', '1.00', 'a'), ('direct-us', '2.00', 'a b'), ('via-catalan', '3.00', 'a b c'), ('via-galician',
    '4.00', 'b c'), ('via-esperanto', '5.00', 'c'))
    """
    ranks = family_over_sets.ranks
    if ranks is None:
        return Table.of_text("There are no ranks over the sets.", ("system",), ())
    letters = "abcdefghijklmnopqrstuvwxyz"
    groups = [
        " ".join(letters[i % 26] for i, clique in enumerate(ranks.cliques) if name in clique) for name in ranks.systems
    ]
    return Table.of(
        set_ranks_text(family_over_sets),
        (Column("system"), ranks.systems),
        (Column("mean rank", "score"), ranks.mean_ranks),
        (Column("not significantly different"), groups),
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
        f"{p_text(ranks.p_value)}. Systems that share a letter, or a bar, do not differ significantly {how}. Each "
        f"set's "
        f"score is taken as exact, and the sets as a sample of sets. {NO_SAMPLE}"
    )


def sets_tables(family_over_sets: FamilyOverSets) -> list[Table]:
    """Return the tables of several sets: set by set, averages, ranks; what there is of them."""
    tables = [sets_table(family_over_sets)]
    tables += [averages_table(family_over_sets)] if family_over_sets.averages is not None else []
    return tables + ([set_ranks_table(family_over_sets)] if family_over_sets.ranks is not None else [])


_SLICES = ("slice", "first", "second", "difference", "adjusted", "p", "p corrected", "units", "verdict", "by default")


def slice_table(sliced: SlicedFamily, view: View = _SLICES) -> Table:
    """Return the comparisons by slice, corrected for slices × pairs.

    >>> import mtsig
    >>> from mtsig.report._over_sets import slice_table
    >>> corpus = mtsig.read_sample()
    >>> settings = mtsig.Settings(n_resamples=200)
    >>> sliced = mtsig.compare_subsets(corpus, mtsig.measure(corpus, "chrf"), "length:2", settings)
    >>> slice_table(sliced).texts[0][:4]
    ('short (22–110 characters of the source)', 'direct-us', 'direct', '−0.34')
    """
    names = [name for name in sliced.slices for _ in sliced.pairs]
    firsts, seconds = zip(*(sliced.pairs * len(sliced.slices)), strict=True)
    family = sliced.family.changed(first=firsts, second=seconds)
    sizes = [size for size in sliced.sizes for _ in sliced.pairs]
    unit = Column(f"{family.unit}s", "count", key="units")
    columns = [part for part in comparison_columns(family) if part[0].name not in ("units", "segments")]
    slices = (Column(sliced.by.name, key="slice"), names), (Column("segments", "count"), sizes)
    return Table.of(slice_text(sliced), *slices, (unit, family.units), *columns, view=view)


def slice_text(sliced_family: SlicedFamily) -> str:
    """Return what was judged together, in one sentence."""
    slices, pairs = len(sliced_family.slices), len(sliced_family.pairs)
    sizes = ", ".join(f"{name} {size}" for name, size in zip(sliced_family.slices, sliced_family.sizes, strict=True))
    together = ", judged together as one family" if sliced_family.family.corrected else ""
    return (
        f"{slices} slices by {sliced_family.by.name} ({sizes} segments) × {number_of(pairs, 'pair')}: "
        f"{len(sliced_family.family)} comparisons in {sliced_family.family.metric}{together} "
        f"({method_text(sliced_family.family, planned=False, sliced=True)}). {reasons_text(sliced_family.family)}"
        f"{' '.join(filter(None, (adjusted_text(sliced_family.family), sliced_family.family.signature)))}"
    )


def heterogeneity_table(sliced: SlicedFamily) -> Table:
    """Return for every pair whether its difference is another in some slices than in others."""
    return differences_table(sliced.heterogeneity, sliced.family.statistics.metric.decimals, sliced.family.alpha)


def differences_table(
    tests: Sequence[Heterogeneity | OverSets], decimals: int, alpha: float, part: str = "slice"
) -> Table:
    """Return for every pair whether its difference is the same in all parts; part: what they are called."""
    methods = {test.method: None for test in tests if test.p_value == test.p_value}
    said = [f"{method}'s test of equal differences" for method in methods]
    said.append(f"that one {part} is significant and another is not does not show that they differ.")
    return Table.of(
        f"Is a pair's difference the same in all {part}s? {capital_first('; '.join(said))}",
        (Column("first"), (test.first for test in tests)),
        (Column("second"), (test.second for test in tests)),
        (
            Column(f"Δ by {part}", "range"),
            (" / ".join(points_text(value, decimals, signed=True) for value in test.differences) for test in tests),
        ),
        (Column("F (df)", "range"), map(_f_text, tests)),
        (Column("p", "p"), (test.p_value for test in tests)),
        (Column(f"p of {len(tests)} (holm)", "p"), (test.p_adjusted for test in tests)),
        (Column(f"{part}s"), (heterogeneity_word(test, alpha) for test in tests)),
    )


def _f_text(test: Heterogeneity | OverSets) -> str:
    return "" if math.isnan(test.statistic) else f"{test.statistic:.2f} ({test.df1:.0f}, {test.df2:.0f})"


def heterogeneity_word(heterogeneity: Heterogeneity | OverSets, alpha: float) -> str:
    """Return whether the slices differ, in words."""
    if math.isnan(heterogeneity.p_adjusted):
        return "cannot be told"
    return "differ" if heterogeneity.p_adjusted <= alpha + 1e-12 else "not significant"


def heterogeneity_text(sliced_family: SlicedFamily) -> str:
    """Return whether the slices of the first pair differ, in one sentence.

    >>> import mtsig
    >>> from mtsig.report._over_sets import heterogeneity_text
    >>> corpus = mtsig.read_sample()
    >>> settings = mtsig.Settings(n_resamples=200)
    >>> sliced = mtsig.compare_subsets(corpus, mtsig.measure(corpus, "chrf"), "length:2", settings)
    >>> print(heterogeneity_text(sliced))
    These data do not show that the difference is another in some slices by length (F(1, 19) = 1.91, p = 1).
    """
    tested, by = sliced_family.heterogeneity[0], sliced_family.by.label
    if math.isnan(tested.p_adjusted):
        return f"Whether the difference is another in some slices by {by} cannot be told: {tested.method}."
    said = f"F({tested.df1:.0f}, {tested.df2:.0f}) = {tested.statistic:.2f}, {p_text(tested.p_adjusted)}"
    if tested.p_adjusted <= sliced_family.family.alpha + 1e-12:
        return f"The difference is not the same in all slices by {by} ({said})."
    return f"These data do not show that the difference is another in some slices by {by} ({said})."
