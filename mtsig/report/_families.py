"""A family of comparisons in words: how it was made, what it says, and the headline above it."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from mtsig._probability import level_text
from mtsig._probability import points_text as points_text
from mtsig.cautions import Seen, cautions
from mtsig.corpus._notes import capital_first, is_human, listed, ranked_systems
from mtsig.corpus._notes import number_of as number_of
from mtsig.inference import (
    CORRECTIONS,
    Comparison,
    Family,
    Intervals,
    Ranks,
    Settings,
    SignificanceTest,
    Verdict,
    verdict,
)
from mtsig.inference._corrections import CLASSICALLY
from mtsig.inference._means import correction_label
from mtsig.inference._significance import must_be_named
from mtsig.inference._verdict import CAUTION
from mtsig.report._say import (
    _DECLARED,
    Planned,
    _classical,
    caution_text,
    evidence_text,
    has_own_p,
    interval_text,
    units_text,
)


def family_text(family: Family, planned: Planned = None) -> str:
    """Return one sentence on the whole family: how many comparisons have which verdict, and how they were corrected.

    >>> import mtsig
    >>> from mtsig.report._families import family_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(family_text(family).partition(" (")[0])
    Of 10 comparisons in chrF2: 9 separated, 1 not significant
    """
    m = len(family)
    joined = f" (judged together with others, {family.family_size} in all)" if family.family_size > m else ""
    counted = f"Of {number_of(m, 'comparison')}" if m > 1 or joined else "One comparison"
    return f"{counted} in {family.metric}{joined}: {_verdicts_text(family)} ({method_text(family, planned)})."


def caution_of_family(family: Family) -> str:
    """Return why to doubt the verdicts of a test that was asked for, and what the default test says of the same pairs.

    >>> import mtsig
    >>> from mtsig.report._families import caution_of_family
    >>> settings = mtsig.Settings(test="bootstrap-koehn", n_resamples=500)
    >>> family = settings.family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(caution_of_family(family))  # doctest: +NORMALIZE_WHITESPACE
    Caution (!): with the criterion of 95% it finds a difference in 10 to 15 of 100 cases without any difference (9 of
    10 verdicts in chrF2). 10 of 10 verdicts match those of the default test.
    """
    decided = [verdict(comparison) for comparison in family]
    said = [
        f"{each.sentence} ({len(each.pairs)} of {number_of(len(family), 'verdict')} in {family.metric})"
        if len(family) > 1
        else each.sentence
        for each in cautions(Seen(families=(family,)))
        if each.pairs and each.strength == "warning"
    ]
    cautioned = f"Caution ({CAUTION}): {'; '.join(said)}." if said else ""
    beside = [
        (each.word, each.winner) == (comparison.default_verdict, comparison.default_winner)
        for each, comparison in zip(decided, family, strict=True)
        if comparison.default_verdict is not None
    ]
    if not beside:
        return cautioned
    if len(family) == 1:
        return caution_text(family[0]).strip()
    verdicts = number_of(len(beside), "verdict")
    return f"{cautioned} {sum(beside)} of {verdicts} match those of the default test.".strip()


_COUNTED = (("better", "separated"), ("not_significant", "not significant"), ("withheld", "withheld"))


def _verdicts_text(family: Family) -> str:
    """Return how many comparisons have which verdict; of one comparison its verdict."""
    words: Counter[str] = Counter(verdict(comparison).word for comparison in family)
    return ", ".join(f"{words[word]} {text}" if len(family) > 1 else text for word, text in _COUNTED if words[word])


_CONTROLS = {
    "any false claim": "nominal chance of any false claim α = {alpha}",
    "share of false claims": "nominal expected share of false claims α = {alpha}: for screening",
}


def method_text(family: Family, planned: Planned = None, sliced: bool = False) -> str:
    """Return test, unit, draws, seed, correction and alpha in a few words.

    `sliced`: comparisons are in slices, whose sizes differ though no system lacks anything.

    >>> import mtsig
    >>> from mtsig.report._families import method_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(method_text(family))  # doctest: +NORMALIZE_WHITESPACE
    jackknife t test over documents, 500 draws for the resamples won, seed 12345, corrected by Holm, nominal chance
    of any false claim α = 0.05
    """
    test, scheme = family.test, family.scheme
    how = [_over_units(test, test.label, family.unit)]
    if len(set(family.units.tolist())) > 1 and not sliced:
        how.append(f"every pair on the {units_text(family.units, family.unit)} that both systems have")
    if family.complete:
        how += ["all arrangements enumerated", f"{scheme.n_draws:,} draws for the resamples won", f"seed {scheme.seed}"]
    else:
        exact = all(comparison.exact for comparison in family)
        drawn = any(
            comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high or comparison.p_mc_low < comparison.p_mc_high
            for comparison in family
        )
        how += ["exact p-values"] if exact else []
        # Where no p was drawn, only the redraws that are counted and shown were.
        how += [f"{scheme.n_draws:,} draws{'' if drawn else ' for the resamples won'}", f"seed {scheme.seed}"]
    if test.alternative != "two-sided":
        better = "better" if test.alternative == "greater" else "worse"
        how.append(f"one-sided (the first system is {better}), a direction {_DECLARED[planned]}")
    known = CORRECTIONS.get(family.correction)
    how.append(_corrected(family, correction_label(family.correction)))
    controlled = has_own_p(family) and family.corrected and family.test.controls_type1
    nominal = _CONTROLS.get(known.controls) if known and controlled else None
    return f"{', '.join(how)}, {(nominal or 'α = {alpha}').replace('{alpha}', f'{family.alpha:.3g}')}"


def _over_units(test: SignificanceTest, label: str, unit: str) -> str:
    """Return a label of a test with the units that it is over, where the label does not name them."""
    return label if test.names_unit else f"{label} over {unit}s"


def settings_text(settings: Settings, unit: str, comparisons: Sequence[int]) -> str:
    """Return what settings do where the units are segments, or documents.

    comparisons: how many are judged together, in each family.

    >>> import mtsig
    >>> from mtsig.report._families import settings_text
    >>> settings_text(mtsig.Settings(), "segment", [120])
    'Paired randomization over segments, 10,000 draws, corrected for 120 comparisons, 95%'
    """
    test = settings.chosen_test(unit)
    unit = "segment" if test.segment_only else unit
    said = [_over_units(test, test.short_label or test.label, unit)]
    # Tests of segment scores and those by the jackknife draw nothing; the redraws beside them decide nothing.
    computed = test.by_jackknife or (test.segment_only and not test.printed_only)
    said += [] if computed else [f"{test.scheme.n_draws:,} draws"]
    corrects = settings.corrected and not test.by_wins
    corrected = f"corrected for {units_text(comparisons, 'comparison')}" if corrects else "uncorrected"
    said += ["one comparison" if max(comparisons) == 1 else corrected, level_text(settings.level)]
    return capital_first(", ".join(said))


def _corrected(family: Family, label: str) -> str:
    """Return what was done about several comparisons."""
    if _classical(family.correction):
        number = f"p of {family.family_size}" if family.family_size > 1 else "p"
        return (
            f"{number} by {label}, a test of its own in the randomized-block layout (the chance of any "
            f"false claim stays at α only {CLASSICALLY})"
        )
    if family.test.by_wins:
        return "no correction, as Koehn's criterion has no p-value to correct"
    if family.family_size == 1:
        return "one comparison"
    if not family.corrected:
        return "uncorrected"
    said = "" if family.test.controls_type1 else " (which keeps no error rate, as the test itself does not)"
    return f"corrected by {label}{said}"


def ranks_text(ranks: Ranks) -> str:
    """Return one sentence on which systems could be the best.

    >>> import mtsig
    >>> from mtsig.report._families import ranks_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(ranks_text(mtsig.ranks(family)))  # doctest: +NORMALIZE_WHITESPACE
    Only direct can be the best: every other system is significantly worse than some system (95%, of 10
    comparisons).
    """
    best = ranks.best
    # Rank sets need family-wise control with the direction of each difference, which stepping down gives, too.
    how = f"{level_text(ranks.level)}, of {ranks.family_size} comparisons"
    if ranks.shared < ranks.units:
        how += f"; best in redraws: of the {ranks.shared} of {ranks.units} units that all systems have"
    if not ranks.corrected:
        how += ", not corrected: some of these places may be luck"
    if len(ranked_systems(ranks.systems)) < len(ranks.systems):
        how += "; human translations have the place that they would have among the systems"
    if len(best) == 1:
        return f"Only {best[0]} can be the best: every other system is significantly worse than some system ({how})."
    return f"Any of {listed(best)} could be the best: no system is significantly better than these ({how})."


_NAMED = 3
"""Systems that a headline names; of more, it says how many there are."""

_FEW = 10
"""So many comparisons are each worth a sentence."""


def headline_text(families: Sequence[Family]) -> str:
    """Return in one sentence which system is the best in each metric, or what it is not significantly different from.

    >>> import mtsig
    >>> from mtsig.report._families import headline_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(headline_text([family]))
    direct is better than every other system in chrF2.
    """
    metrics: dict[tuple[str, str, str], list[str]] = {}
    cautions = [_cautioned(family) for family in families]
    alike = len(set(cautions)) == 1
    for family, caution in zip(families, cautions, strict=True):
        metrics.setdefault((*_standing(family), "" if alike else caution), []).append(family.metric)
    said, before = [], ""
    for (best, text, caution), names in metrics.items():
        said.append(f"{'it' if best == before else best} {text} in {listed(names)}{caution}".strip())
        before = best
    by = dict.fromkeys(_by_test(family) for family in families)
    return f"{'; '.join(said)}{next(iter(by)) if len(by) == 1 else ''}{cautions[0] if alike else ''}."


def _cautioned(family: Family) -> str:
    """Return that what is said of the best system stands with a caution, which is told with the comparisons."""
    _, beside = _beside_best(family)
    return ", with a caution" if any(pair is not None and verdict(pair).caution for pair in beside.values()) else ""


def _by_test(family: Family) -> str:
    """Return by which test, where it was asked for by name."""
    test = family.test
    asked = must_be_named(test.name, family.unit) and any(comparison.is_quality_metric for comparison in family)
    return f", by {test.short_label or test.label}" if asked else ""


def families_text(families: Sequence[Family]) -> str:
    """Return that each of several metrics is corrected by itself, and what that adds up to; nothing where it is not so.

    >>> import mtsig
    >>> from mtsig.report._families import families_text
    >>> corpus = mtsig.read_sample()
    >>> made = [mtsig.Settings(n_resamples=500).family(mtsig.measure(corpus, name)) for name in ("bleu", "chrf")]
    >>> print(families_text(made))
    Each metric is corrected by itself: over 2 metrics the rate of any false verdict is at most 10%, not 5%.
    """
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
        f"Each metric is corrected by itself: over {len(alone)} metrics the rate of any false verdict is at most "
        f"{min(1.0, len(alone) * alpha):.0%}, not {alpha:.0%}."
    )


def _standing(family: Family) -> tuple[str, str]:
    """Return a subject and what is said of it, up to the metrics in which it is so."""
    best, beside = _beside_best(family)
    if not beside:
        return best, "is the only system"
    winners = {name: verdict(pair).winner for name, pair in beside.items() if pair is not None}
    if not any(comparison.is_quality_metric for comparison in family):
        return "no system", "is better than another"
    # Systems that lack segments have scores of their own segments, and are compared on those of both.
    ahead = [name for name, winner in winners.items() if winner == name]
    if ahead:
        return best, f"has the best score on segments of its own, but is worse than {_few(ahead)} on those of both"
    withheld = [name for name, pair in beside.items() if pair is not None and verdict(pair).word == "withheld"]
    close = [name for name, winner in winners.items() if winner is None and name not in withheld]
    if close:
        without = f", and has no verdict against {_few(withheld)}" if withheld else ""
        return best, f"is not clearly separated from {_few(close)}{without}"
    if withheld:
        return best, f"has the best score, but no verdict against {_few(withheld)}"
    missing = [name for name, pair in beside.items() if pair is None]
    if missing:
        were = "was" if len(missing) == 1 else "were"
        return best, f"is better than every system that it was compared with ({_few(missing)} {were} not)"
    return best, "is better than every other system" if len(beside) > 1 else f"is better than {next(iter(beside))}"


def _beside_best(family: Family) -> tuple[str, dict[str, Comparison | None]]:
    """Return the best-scoring system, and its comparisons with the others, best first; None where there is none."""
    best, *others = family.ranked_systems
    return best, {name: family.pair(best, name) for name in others}


def _few(names: Sequence[str]) -> str:
    """Return the first names of many, and how many more there are."""
    return listed(names if len(names) <= _NAMED + 1 else [*names[:_NAMED], f"{len(names) - _NAMED} others"])


def closest_pair(family: Family) -> tuple[str, str] | None:
    """Return the best-scoring system and the next one; None where these two were not compared.

    >>> import mtsig
    >>> from mtsig.report._families import closest_pair
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> closest_pair(family)
    ('direct', 'direct-us')
    """
    best, *others = family.ranked_systems
    return (best, others[0]) if others and family.find(best, others[0]) is not None else None


def closest_text(family: Family) -> str:
    """Return who comes next after the best-scoring system, and how far behind; nothing where that is not known.

    >>> import mtsig
    >>> from mtsig.report._families import closest_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(closest_text(family))  # doctest: +NORMALIZE_WHITESPACE
    Closest to direct: direct-us, 0.53 chrF2 behind (adjusted CI 0.26 to 0.80, adjusted p = .0001, 10
    comparisons).
    """
    pair = closest_pair(family)
    if pair is None:
        return ""
    comparison = family[family.find(*pair) or 0]
    size = points_text(abs(comparison.difference), comparison.decimals)
    lead = comparison.difference if comparison.first == pair[0] else -comparison.difference
    stands = f"{size} {family.metric} behind" if lead >= 0 else f"ahead by {size} {family.metric} on segments of both"
    decided = verdict(comparison)
    doubt = f" Withheld: {decided.why}." if decided.why else ""
    told = f"Closest to {pair[0]}: {pair[1]}," if len(family) > 1 else f"Beside {pair[0]}, {pair[1]} is"
    return f"{told} {stands} {evidence_text(comparison)}.{doubt}"


def counts_text(families: Sequence[Family]) -> str:
    """Return how many comparisons the tests separate, by metric; nothing where each metric has one alone.

    >>> import mtsig
    >>> from mtsig.report._families import counts_text
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> print(counts_text([family]))
    Separated: 9 of 10 comparisons in chrF2.
    """
    if all(len(family) == 1 for family in families):
        return ""
    said: list[str] = []
    for family in families:
        separated = sum(verdict(comparison).word == "better" for comparison in family)
        comparisons = f"of {number_of(len(family), 'comparison', ',')} " if not said else f"of {len(family):,} "
        said.append(f"{separated:,} {comparisons}in {family.metric}")
    return f"Separated: {', '.join(said)}."


def people_text(family: Family) -> str:
    """Return which systems are set apart, which are human translations, and how these stand beside the best.

    >>> import mtsig
    >>> from mtsig.report._families import people_text
    >>> scores = {"A": [3, 4, 5, 5, 4, 6], "B": [1, 2, 2, 3, 1, 2], "refB": [4, 5, 6, 5, 4, 7]}
    >>> print(people_text(mtsig.compare(scores, higher_is_better=True).results[0].compared))
    refB is a human translation and no system: refB is not significantly different from A.
    """
    return " ".join(filter(None, (_apart_text(family), _people_text(family))))


def _apart_text(family: Family) -> str:
    """Return which systems are set apart as they have text of a reference; nothing where none is."""
    said = dict.fromkeys(family.apart.values())
    if not said:
        return ""
    return f"Set apart and not called the best: {'; '.join(said)}."


def _people_text(family: Family) -> str:
    people = [name for name in family.order if is_human(name)]
    if not people:
        return ""
    if len(people) == len(family.order):
        return f"{listed(people)} are all human translations: nothing here is said of systems."
    best, *_ = family.ranked_systems
    stands: dict[str, list[str]] = {}
    for name in people:
        pair = family.pair(best, name)
        if pair is not None:
            stands.setdefault(_stand(name, verdict(pair)), []).append(name)
    beside = "; ".join(f"{listed(names)} {_are(names)} {how} {best}" for how, names in stands.items())
    kind = "a human translation and no system" if len(people) == 1 else "human translations and no systems"
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


def ranking_text(intervals: Intervals) -> str:
    """Return one sentence on the best score of a system; it claims nothing about differences.

    >>> import mtsig
    >>> from mtsig.report._families import ranking_text
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> print(ranking_text(mtsig.Settings(n_resamples=500).intervals(statistics)))
    Highest chrF2: direct with 47.39 (95% interval 45.40 to 49.39).
    """
    contending = intervals.ranked_systems
    best = next(i for i in intervals.order() if intervals.systems[i] in contending)
    known = not np.isnan(intervals.ci_low[best])
    decimals = intervals.decimals
    ends = interval_text(intervals.ci_low[best], intervals.ci_high[best], decimals=decimals)
    evidence = f"{level_text(intervals.level)} interval {ends}" if known else "one unit alone gives no interval"
    others = [record for record in intervals if record.system not in contending]
    kinds = ["human translations"] if any(is_human(record.system) for record in others) else []
    kinds += ["what is set apart"] if any(record.apart for record in others) else []
    but = f" but for {' and '.join(kinds)}" if kinds else ""
    return (
        f"{'Highest' if intervals.higher_is_better else 'Lowest'} {intervals.metric}{but}: {intervals.systems[best]} "
        f"with {points_text(intervals.score[best], decimals)} ({evidence})."
    )


def telling(family: Family) -> tuple[Comparison, ...]:
    """Return the comparisons that are worth a sentence each, by score: all where they are few, or were chosen.

    Of all pairs of many systems those of the best one: with what is not significantly different from it, with the
    nearest that is,
    and with human translations.
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
        f"These are the comparisons of the best system with what comes close to it; {left} more stand in matrix and "
        "table."
    )
