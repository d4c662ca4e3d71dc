"""A family of comparisons in words: how it was made, what it says, and the headline above it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from mtsig import _say, inference
from mtsig._probability import interval_text, level_text, points_text
from mtsig.corpus._notes import capital_first, is_human, listed, number_of, ranked_systems, told_once
from mtsig.inference import CORRECTIONS, Comparison, Family, Verdict, _corrections, _significance, _verdict
from mtsig.inference._verdict import verdict


def verdict_text(comparison: Comparison, planned: _say.Planned = None) -> str:
    """Write the verdict on a comparison in one or two plain sentences.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.report import verdict_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(verdict_text(family[0]))  # doctest: +NORMALIZE_WHITESPACE
    direct is significantly better than direct-us on chrF2: by 0.53 (adjusted CI 0.26 to 0.80, adjusted p = .0001,
    10 comparisons).
    """
    return _say.say(comparison, planned=planned)


def family_text(family: Family, planned: _say.Planned = None, shown: Collection[str] = ()) -> str:
    """Return how many comparisons of the family have which verdict, and how they were tested and corrected.

    shown: as for `method_text`.
    """
    return f"{counted_text(family)} {capital_first(method_text(family, planned, shown=shown))}."


def counted_text(family: Family) -> str:
    """Return one sentence on how many comparisons of the family have which verdict."""
    m = len(family)
    joined = (
        f" (corrected together with other comparisons, {family.family_size} in total)" if family.family_size > m else ""
    )
    counted = f"Of {number_of(m, 'comparison')}" if m > 1 or joined else "One comparison"
    return f"{counted} on {family.metric}{joined}: {verdicts_text(family)}."


def caution_of_family(family: Family) -> str:
    """Say why a test that was asked for may mislead, and what the default test finds for the same pairs."""
    counted = Counter(decided.caution for decided in map(verdict, family) if decided.caution)
    verdicts = number_of(len(family), "verdict")
    said = [
        f"{caution} ({count} of {verdicts} on {family.metric})" if len(family) > 1 else caution
        for caution, count in counted.items()
    ]
    cautioned = f"Caution ({_verdict.CAUTION}): {'; '.join(said)}." if said else ""
    if len(family) == 1 and family[0].default_verdict is not None:
        return _say.caution_text(family[0]).strip()
    return f"{cautioned} {default_text(family)}".strip()


def default_text(family: Family) -> str:
    """Say how many verdicts of a test that was asked for are those of the default test; empty where it is that."""
    decided = [verdict(comparison) for comparison in family]
    beside = [
        (each.word, each.winner) == (comparison.default_verdict, comparison.default_winner)
        for each, comparison in zip(decided, family, strict=True)
        if comparison.default_verdict is not None
    ]
    return f"{sum(beside)} of {number_of(len(beside), 'verdict')} match those of the default test." if beside else ""


_COUNTED = (("better", "significant"), ("not_significant", "not significant"), ("withheld", "withheld"))


def verdicts_text(family: Family) -> str:
    """Return how many comparisons have which verdict; of one comparison its verdict."""
    words: Counter[str] = Counter(verdict(comparison).word for comparison in family)
    return ", ".join(f"{words[word]} {text}" if len(family) > 1 else text for word, text in _COUNTED if words[word])


_CONTROLS = {
    "any false claim": "nominal family-wise error rate {alpha}",
    "share of false claims": "nominal false discovery rate {alpha} (for screening)",
}


def method_text(family: Family, planned: _say.Planned = None, sliced: bool = False, shown: Collection[str] = ()) -> str:
    """Return test, unit, draws, seed, correction and alpha in a few words.

    `sliced`: comparisons are in slices, whose sizes differ though no system lacks anything. shown: columns that stand
    beside this text; resamples are named only for what is shown.
    """
    test, scheme = family.test, family.scheme
    how = [_over_units(test, test.label, family.unit)]
    if len(set(family.units.tolist())) > 1 and not sliced:
        how.append(f"every pair on the {_say.units_text(family.units, family.unit)} that both systems have")
    if family.complete:
        how.append("all swaps enumerated")
    elif all(comparison.exact for comparison in family):
        how.append("exact p-values")
    if used := _resampled(family, shown):
        how += [f"{scheme.n_draws:,} resamples{used.removesuffix(' p')}", f"seed {scheme.seed}"]
    if test.alternative != "two-sided":
        better = "better" if test.alternative == "greater" else "worse"
        how.append(f"one-sided (first system {better}, {_say.DECLARED[planned]})")
    known = CORRECTIONS.get(family.correction)
    how.append(_corrected(family, _corrections.correction_label(family.correction)))
    controlled = _say.has_own_p(family) and family.corrected and family.test.controls_type1
    nominal = _CONTROLS.get(known.controls) if known and controlled else None
    return f"{', '.join(how)}, {(nominal or 'α = {alpha}').replace('{alpha}', f'{family.alpha:.3g}')}"


def _resampled(family: Family, shown: Collection[str]) -> str:
    """Return what the resamples are for, " p" for the verdicts; nothing where what is shown needs none."""
    drawn = any(
        comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high or comparison.p_mc_low < comparison.p_mc_high
        for comparison in family
    )
    if family.test.by_wins or (drawn and not family.complete):
        return " p"
    methods = {comparison.interval for comparison in family} & set(inference.INTERVALS)
    redrawn = {"pair", "interval"} & set(shown) and any(inference.INTERVALS[name].redraws for name in methods)
    used = ["intervals"] if redrawn else []
    used += (
        ["bootstrap win rate"]
        if "bootstrap win rate" in shown and not np.isnan(family.bootstrap_win_rate).all()
        else []
    )
    return f" for the {' and the '.join(used)}" if used else ""


def _over_units(test: inference.SignificanceTest, label: str, unit: str) -> str:
    """Return a label of a test with the units that it is over, where the label does not name them."""
    return label if test.names_unit else f"{label} over {unit}s"


def settings_text(settings: inference.Settings, unit: str, comparisons: Sequence[int]) -> str:
    """Return what settings do where the units are segments, or documents.

    comparisons: how many are corrected together, in each family.
    """
    test = settings.chosen_test(unit)
    unit = "segment" if test.segment_only else unit
    said = [_over_units(test, test.short_label or test.label, unit)]
    # Tests of segment scores and those by the jackknife draw nothing; the redraws beside them decide nothing.
    computed = test.by_jackknife or (test.segment_only and not test.printed_only)
    said += [] if computed else [f"{test.scheme.n_draws:,} resamples"]
    corrects = settings.corrected and not test.by_wins
    corrected = f"corrected for {_say.units_text(comparisons, 'comparison')}" if corrects else "uncorrected"
    said += ["one comparison" if max(comparisons) == 1 else corrected, level_text(settings.level)]
    return capital_first(", ".join(said))


def _corrected(family: Family, label: str) -> str:
    """Return what was done about several comparisons."""
    if _say.is_classical(family.correction):
        number = f"p of {family.family_size}" if family.family_size > 1 else "p"
        return (
            f"{number} by {label}, its own test for randomized blocks (its family-wise error rate is α only "
            f"{_corrections.CLASSICALLY})"
        )
    if family.test.by_wins:
        return "no correction, as Koehn's criterion has no p-value to correct"
    if family.family_size == 1:
        return "one comparison"
    if not family.corrected:
        return "uncorrected"
    said = "" if family.test.controls_type1 else " (no error rate is controlled: the test is anti-conservative)"
    return f"corrected by {label}{said}"


def ranks_text(ranks: inference.Ranks) -> str:
    """Return one sentence on which systems could be the best."""
    best = ranks.best
    # Rank sets need family-wise control with the direction of each difference, which stepping down gives, too.
    how = f"{level_text(ranks.level)}, {ranks.family_size} comparisons"
    if 0 < ranks.shared < ranks.units:
        how += f"; ranked first in resamples of the {ranks.shared} of {ranks.units} units that all systems have"
    if not ranks.corrected:
        how += "; not corrected for multiple comparisons, so some ranks may be due to chance"
    if len(ranked_systems(ranks.systems)) < len(ranks.systems):
        how += "; human translations are ranked as if they were systems"
    if len(best) == 1:
        return f"Every system except {best[0]} is significantly worse than at least one other ({how})."
    return f"No system is significantly better than {listed(best, 'or')} ({how})."


_NAMED = 3
"""Systems that a headline names; of more, it says how many there are."""

MOST_IN_TITLE = 3
"""Metrics that a title speaks for; of more, it speaks for the first."""

_METRICS = "\0"
"""Where the metrics stand in a sentence on a system; no name of a system has it."""

_AS_THEY_ARE: Mapping[str, str] = {}

_FEW = 10
"""So many comparisons are each worth a sentence."""


def headline_text(families: Sequence[Family]) -> str:
    """Say which system is the best in each metric, or from which it does not differ significantly."""
    metrics: dict[tuple[str, str, str], list[str]] = {}
    cautions = [_cautioned(family) for family in families]
    alike = len(set(cautions)) == 1
    for family, caution in zip(families, cautions, strict=True):
        metrics.setdefault((*_standing(family), "" if alike else caution), []).append(family.metric)
    said, before = [], ""
    for (best, text, caution), names in metrics.items():
        again = best == before and not text.startswith(("share", "have"))
        said.append(f"{'it' if again else best} {text.replace(_METRICS, listed(names))}{caution}".strip())
        before = best
    by = dict.fromkeys(_by_test(family) for family in families)
    apart = told_once((item for family in families for item in family.unranked.items()), _NAMED)
    unranked = f" Not ranked: {listed(apart, most=_NAMED)}." if apart else ""
    return f"{'; '.join(said)}{next(iter(by)) if len(by) == 1 else ''}{cautions[0] if alike else ''}.{unranked}"


def title_text(
    families: Sequence[Family], ranks: inference.Ranks | None = None, called: Mapping[str, str] = _AS_THEY_ARE
) -> str:
    """Say the same in one line, as the title of a page or a card.

    ranks: which systems could be the best, by the first family. called: what systems are called there.
    """
    first, *others = families
    names = [str(called.get(name, name)) for name in first.ranked_systems]
    metrics = listed([family.metric for family in families])
    if not any(comparison.is_quality_metric for family in families for comparison in family):
        return f"{metrics} {'describes' if len(families) == 1 else 'describe'} outputs: no system is better by it"
    if len(names) == 1:
        return f"{names[0]} is the only ranked system in {metrics}"
    leaders = [called.get(family.ranked_systems[0], family.ranked_systems[0]) for family in families]
    test = _by_test(first)
    by = f"{test}{next(filter(None, map(_cautioned, families)), '')}"
    if len(set(leaders)) > 1:
        by_leader: dict[str, list[str]] = {}
        for leader, family in zip(leaders, families, strict=True):
            by_leader.setdefault(leader, []).append(family.metric)
        (leader, own), *rest = by_leader.items()
        return ", ".join([f"{leader} leads in {listed(own)}", *(f"{name} in {listed(own)}" for name, own in rest)])
    pair = first.pair(*first.ranked_systems) if len(names) == 2 else None
    if pair is not None and not others:
        seen = pair if pair.first == first.ranked_systems[0] else pair.turned
        return _say.say(seen.changed(first=names[0], second=names[1]), "title", at=test)
    won = [_is_best(family) for family in families]
    if all(won):
        if len(names) == 2:
            return f"{names[0]} beats {names[1]} in {metrics}{by}"
        return f"{names[0]} is the best of {number_of(len(names), 'system')} in {metrics}{by}"
    if any(won):
        own = [family.metric for family, is_won in zip(families, won, strict=True) if is_won]
        rest_of = [family.metric for family, is_won in zip(families, won, strict=True) if not is_won]
        return f"{names[0]} is the best in {listed(own)}; too close to call in {listed(rest_of)}{by}"
    if len(names) == 2:
        if pair is None:
            return f"{names[0]} and {names[1]} were not compared"
        return f"{names[0]} and {names[1]}: too close to call in {metrics}{by}"
    if all(verdict(pair).word == "withheld" for family in families for pair in family):
        return f"No verdict on any pair of {number_of(len(names), 'system')} in {metrics}{test}"
    best = _could_be_best(first) if ranks is None else ranks.best
    if not best:
        return f"Each of {number_of(len(names), 'system')} is significantly worse than another system in {metrics}{by}"
    if any(set(_could_be_best(family)) != set(best) for family in others):
        return f"Too close to call at the top in {metrics}{by}"
    could = [called.get(name, name) for name in best]
    leads = len(could) > 1 and best[0] == first.ranked_systems[0]
    if leads and all(_all_withheld(family, best) for family in families):
        return f"{could[0]} leads in {metrics}{test}; no verdict against {_few(could[1:])}"
    if len(could) == 1:
        return f"Only {could[0]} may be the best of {number_of(len(names), 'system')} in {metrics}{by}"
    if len(could) <= _NAMED:
        return f"Too close to call at the top: {listed(could, 'or')} may be the best in {metrics}{by}"
    return f"Too close to call at the top: any of {len(could)} systems may be the best in {metrics}{by}"


def _is_best(family: Family) -> bool:
    """Return whether the best-scoring system is significantly better than every other that is ranked."""
    best, beside = _beside_best(family)
    return bool(beside) and all(pair is not None and verdict(pair).winner == best for pair in beside.values())


def _all_withheld(family: Family, names: Sequence[str]) -> bool:
    """Return whether no verdict is given on the first of these systems and any other."""
    pairs = [family.pair(names[0], name) for name in names[1:]]
    return all(pair is not None and verdict(pair).word == "withheld" for pair in pairs)


def _could_be_best(family: Family) -> list[str]:
    """Return the ranked systems that no ranked one is significantly better than."""
    ranked = family.ranked_systems
    beaten = {
        pair.second if winner == pair.first else pair.first
        for pair in family
        if {pair.first, pair.second} <= set(ranked) and (winner := verdict(pair).winner) is not None
    }
    return [name for name in ranked if name not in beaten]


def lede_text(
    family: Family,
    ranks: inference.Ranks | None = None,
    called: Mapping[str, str] = _AS_THEY_ARE,
    *,
    brief: bool = False,
    apart: bool = True,
) -> str:
    """Return how far the best-scoring system is ahead, with the evidence, who follows, and whom the title leaves out.

    ranks: ranks by the family. called: what systems are called there. brief: below a title that names the best one, on
    a phone. apart: whether those that are not ranked are named; a picture may do so, with the reasons.
    """
    pair = closest_pair(family)
    left = [called.get(name, name) for name in family.order if apart and name not in family.ranked_systems]
    unranked = f"Not ranked: {listed(left, most=_NAMED)}." if left else ""
    if pair is None:
        return unranked
    compared = family[family.find(*pair) or 0]
    seen = compared if compared.first == pair[0] else compared.turned
    best, second = (called.get(name, name) for name in pair)
    at = "" if brief or len(family.ranked_systems) < 3 else ", the next best"
    at = at if seen.difference >= 0 else " on the segments both have"
    said = _say.say(seen.changed(first=best, second=second), "lead" if seen.n_differing else "lede", at=at)
    won = verdict(compared).word == "better" and seen.difference >= 0
    # A title names the best system only where it is better than the next.
    said = said.removeprefix(f"{best} scores ") if brief and won else said
    return " ".join(filter(None, (said, _followers(family, ranks, called, brief) if won else "", unranked)))


def _followers(family: Family, ranks: inference.Ranks | None, called: Mapping[str, str], brief: bool) -> str:
    """Return which systems behind the best one are too close to call; nothing where these are not neighbours."""
    if ranks is None:
        return ""
    group = next(
        (group for group in inference.groups(family) if len(group) > 1 and group[0] in family.ranked_systems), ()
    )
    members = [name for name in group if name in family.ranked_systems]
    if len(members) < 2 or _all_withheld(family, members):
        return ""
    first = family.ranked_systems.index(members[0]) + 1
    last = first + len(members) - 1
    close = f"Ranks {first} {'and' if len(members) == 2 else 'to'} {last} are too close to call"
    return f"{close}." if brief else f"{close}: {_few([called.get(name, name) for name in members])}."


def _cautioned(family: Family) -> str:
    """Return that what is said of the best system stands with a caution, which is told with the comparisons."""
    _, beside = _beside_best(family)
    return _say.CAUTIONED if any(pair is not None and verdict(pair).caution for pair in beside.values()) else ""


def _by_test(family: Family) -> str:
    """Return by which test, where it was asked for by name."""
    test = family.test
    asked = _significance.must_be_named(test.name, family.unit) and any(
        comparison.is_quality_metric for comparison in family
    )
    return f", by {test.short_label or test.label}" if asked else ""


def families_text(families: Sequence[Family]) -> str:
    """Say that several metrics are corrected one by one, and what that adds up to; "" where they are not."""
    judging = [family for family in families if any(comparison.is_quality_metric for comparison in family)]
    alone = [
        family
        for family in judging
        if family.test.controls_type1 and family.family_size == len(family) and (family.corrected or len(family) == 1)
    ]
    if len(alone) < 2 or len(alone) < len(judging):
        return ""
    alpha = max(family.alpha for family in alone)
    return (
        f"Each metric is corrected separately. So over {len(alone)} metrics, the family-wise error rate is at most "
        f"{min(1.0, len(alone) * alpha):.0%}, not {alpha:.0%}."
    )


def _standing(family: Family) -> tuple[str, str]:
    """Return a subject and what is said of it, with a place for the metrics in which it is so."""
    best, beside = _beside_best(family)
    highest = "highest" if family.higher_is_better else "lowest"
    if not beside:
        return best, f"is the only {ranked_word(family)}system on {_METRICS}"
    winners = {name: verdict(pair).winner for name, pair in beside.items() if pair is not None}
    if not any(comparison.is_quality_metric for comparison in family):
        return "no system", f"is better or worse on {_METRICS}"
    # Systems that lack segments have scores of their own segments, and are compared on those of both.
    ahead = [name for name, winner in winners.items() if winner == name]
    if ahead:
        return (
            best,
            f"has the best {_METRICS} on its own segments, but {_few(ahead)} {_are(ahead)} significantly better on "
            "the segments both have",
        )
    withheld = [name for name, pair in beside.items() if pair is not None and verdict(pair).word == "withheld"]
    tied = [name for name, pair in beside.items() if pair is not None and is_tied(pair)]
    close = [name for name, winner in winners.items() if winner is None and name not in withheld]
    if tied and None not in beside.values():
        return _few([best, *tied]), _shared(
            family, highest, tied, [name for name in close if name not in tied], withheld
        )
    if close:
        without = f", and verdicts against {_few(withheld)} are withheld" if withheld else ""
        return best, f"has the {highest} {_METRICS}, but is not significantly better than {_few(close)}{without}"
    if withheld:
        return best, f"has the {highest} {_METRICS}; verdicts against {_few(withheld)} are withheld"
    missing = [name for name, pair in beside.items() if pair is None]
    if missing:
        other = f"every system it could be compared with (not compared: {_few(missing)})"
        return best, f"is significantly better on {_METRICS} than {other}"
    other = _every_other(family) if len(beside) > 1 else _few([*beside])
    return best, f"is significantly better than {other} on {_METRICS}"


def is_tied(pair: Comparison) -> bool:
    """Return whether two systems have the same statistics in every unit, so that neither has the higher score."""
    return not pair.n_differing and not pair.difference and not pair.unmatched


def _shared(family: Family, highest: str, tied: Sequence[str], close: Sequence[str], withheld: Sequence[str]) -> str:
    """Return what is said of the best system and those that are the same in every unit."""
    best, *others = (name for name in family.ranked_systems if name not in tied)
    if not others:
        return f"have the same {_METRICS} on every {family.unit}"
    are = "are" if all(family.pair(one, other) for one in tied for other in others) else f"{best} is"
    text = f"share the {highest} {_METRICS}"
    without = f"; verdicts against {_few(withheld)} are withheld" if withheld else ""
    if close:
        return f"{text}, but {are} not significantly better than {_few(close)}{without}"
    if without:
        return text + without
    rest = _every_other(family) if len(others) > 1 else others[0]
    return f"{text}, and {are} significantly better than {rest}"


def _every_other(family: Family) -> str:
    return f"every other {ranked_word(family)}system"


def ranked_word(family: Family) -> str:
    """Return the word before "system" where a system is not ranked."""
    return "ranked " * (len(family.ranked_systems) < len(family.order))


def _beside_best(family: Family) -> tuple[str, dict[str, Comparison | None]]:
    """Return the best-scoring system, and its comparisons with the others, best first; None where there is none."""
    best, *others = family.ranked_systems
    return best, {name: family.pair(best, name) for name in others}


def _few(names: Sequence[str]) -> str:
    """Return the first names of many, and how many more there are."""
    return listed(names if len(names) <= _NAMED + 1 else [*names[:_NAMED], f"{len(names) - _NAMED} others"])


def closest_pair(family: Family) -> tuple[str, str] | None:
    """Return the best-scoring system and the next one; None where these two were not compared."""
    best, *others = family.ranked_systems
    return (best, others[0]) if others and family.find(best, others[0]) is not None else None


def counts_text(families: Sequence[Family]) -> str:
    """Return how many differences are significant, by metric; nothing where each metric has one alone."""
    if all(len(family) == 1 for family in families):
        return ""
    said: list[str] = []
    for family in families:
        count = sum(verdict(comparison).word == "better" for comparison in family)
        said.append(f"{count:,} of {number_of(len(family), 'difference', ',')} on {family.metric}")
    return f"{', '.join(said)} are significant ({_brief_method(families[0])})."


_RATES = {"any false claim": "FWER", "share of false claims": "FDR"}


def _brief_method(family: Family) -> str:
    """Return test, correction and the rate that it controls."""
    test, known = family.test, CORRECTIONS.get(family.correction)
    said = [_over_units(test, test.short_label or test.label, family.unit)]
    corrected = family.corrected and _say.has_own_p(family)
    said.append(_corrections.correction_label(family.correction) if corrected else "not corrected")
    rate = _RATES.get(known.controls, "α =") if known is not None and corrected else "α ="
    return ", ".join([*said, f"{rate} {family.alpha:.3g}"])


def people_text(family: Family) -> str:
    """Return which systems are human translations, and how these stand beside the best."""
    people = [name for name in family.order if is_human(name)]
    if not people:
        return ""
    if len(people) == len(family.order):
        return f"All outputs are human translations ({listed(people)}); no MT system is ranked."
    best, *_ = family.ranked_systems
    stands: dict[str, list[str]] = {}
    for name in people:
        pair = family.pair(best, name)
        if pair is not None:
            stands.setdefault(_stand(name, verdict(pair)), []).append(name)
    beside = "; ".join(f"{listed(names)} {_are(names)} {how} {best}" for how, names in stands.items())
    kind = "a human translation, not a system" if len(people) == 1 else "human translations, not systems"
    return f"{listed(people)} {_are(people)} {kind}{f': {beside}' if beside else ''}."


def _stand(name: str, decided: Verdict) -> str:
    """Return how a human translation stands to the best system, up to that system's name."""
    if decided.word == "withheld":
        return "not given a verdict against"
    if decided.winner is None:
        return "not significantly different from"
    return "better than" if decided.winner == name else "worse than"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def ranking_text(intervals: inference.Intervals) -> str:
    """Return one sentence on the best score of a system; it claims nothing about differences."""
    contending = intervals.ranked_systems
    best = next(i for i in intervals.order() if intervals.systems[i] in contending)
    known = not np.isnan(intervals.ci_low[best])
    decimals = intervals.decimals
    ends = interval_text(intervals.ci_low[best], intervals.ci_high[best], decimals=decimals)
    lacking = "no confidence interval" if intervals.units[best] > 1 else "a single unit has no confidence interval"
    evidence = f"{level_text(intervals.level)} CI {ends}" if known else lacking
    others = [record for record in intervals if record.system not in contending]
    kinds = ["human translations"] if any(is_human(record.system) for record in others) else []
    kinds += ["unranked outputs"] if any(record.unranked for record in others) else []
    but = f" except {' and '.join(kinds)}" if kinds else ""
    system, score = intervals.systems[best], points_text(intervals.score[best], decimals)
    if len(intervals) == 1:
        return f"{system} scores {score} {intervals.metric} ({evidence})."
    first = "Highest" if intervals.higher_is_better else "Lowest"
    record = intervals[best]
    same = [
        other.system
        for other in intervals
        if other.system in contending
        and (other.score, other.ci_low, other.ci_high) == (record.score, record.ci_low, record.ci_high)
    ]
    each = " each" if len(same) > 1 else ""
    return f"{first} {intervals.metric}{but}: {_few(same) if each else system} with {score}{each} ({evidence})."


def telling(family: Family) -> tuple[Comparison, ...]:
    """Return the comparisons that are worth a sentence each, by score: all where they are few, or were chosen.

    Of all pairs of many systems those of the best one: with what is not significantly different from it, with the
    nearest that is, and with human translations.
    """
    ordered = family.by_score()
    size = len(family.order)
    if len(family) <= _FEW or len(family) < size * (size - 1) // 2:
        return ordered.records
    best, beside = _beside_best(family)
    beaten = [name for name, pair in beside.items() if pair is not None and verdict(pair).winner == best]
    named = [name for name in family.order if name not in beaten or name == beaten[0]]
    return tuple(pair for name in named if (pair := ordered.pair(best, name)) is not None)


def left_text(family: Family) -> str:
    """Return how many comparisons `telling` leaves to matrix and table; nothing where it tells all."""
    left = len(family) - len(telling(family))
    if not left:
        return ""
    return (
        f"Shown: the comparisons of the best system with the systems closest to it. {left} more comparisons are in the "
        "matrix and the table."
    )
