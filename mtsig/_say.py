"""What is said of an estimate, on pages and cards, in terminals, reports and pictures: every sentence stands here once.

`say` fills in the sentence that belongs to a place and a verdict. What a sentence is filled in with is worked out only
when that sentence asks for it.
"""

from collections.abc import Sequence
from math import floor, isnan, log10
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import (
    corrected_level_text,
    ends_text,
    interval_text,
    level_text,
    p_text,
    points_text,
    shown_decimals,
    t_quantile,
)
from mtsig._writing import short, shorts
from mtsig.corpus._notes import capital_first, number_of
from mtsig.inference import (  # fmt: skip
    CORRECTIONS,
    Comparison,
    Equivalence,
    Family,
    RunComparison,
    smallest_detectable,
)
from mtsig.inference._family import least_attainable
from mtsig.inference._margins import FEW, FLAGGED, UNEQUAL, MarginResult, uneven
from mtsig.inference._tests import known_test
from mtsig.inference._verdict import CAUTION, verdict

Where: TypeAlias = Literal["sentence", "title", "lede", "brief", "lead"]
"""A sentence of a report; title and lede of a page, brief for a phone; how far the best is ahead of the next."""

Planned = bool | None
"""Whether an analysis plan fixed it; None where nothing is known of a plan."""

CAUTIONED = ", with a caution"
"""What titles and headlines add to a verdict that has a caution; ledes and reports say which."""

_AHEAD = "{ahead} is {size} {metric} ahead on these {here}"

SENTENCES: dict[Where, dict[str, str]] = {
    "sentence": {
        "better": (
            "{over}{winner} is significantly better than {loser} on {metric}{criterion}: by {size} {evidence}.{more}"
        ),
        "not_significant": (
            "{over}{the} difference between {first} and {second} on {metric} is not significant: {ahead} scores {size} "
            "better {evidence}. This does not show that they are equal{detectable}{more}"
        ),
        "same": (
            "The difference between {first} and {second} on {metric} is not significant: both have the same statistics "
            "in every segment."
        ),
        "withheld": (
            "Verdict withheld: {why}. {over}{ahead} scores {size} {metric} better than {behind} {evidence}.{more}"
        ),
    },
    "title": {
        "better": "{winner} beats {loser} by {far} {metric}{at}{cautioned}",
        "not_significant": "{first} and {second}: too close to call{at}{cautioned}",
        "same": "{first} and {second} do not differ in {metric}",
        "withheld": "No verdict on {first} and {second}{at}{short_reason}",
    },
    "lede": {
        "better": _AHEAD + "; {likely}{caution}",
        "not_significant": _AHEAD + "; {likely} This does not show that they are equal.{caution}",
        "small share": ("{big_ps}. " + _AHEAD + "; {likely_alone} This does not show that they are equal.{caution}"),
        "same": "Both have the same {metric} statistics in every {unit}, so there is nothing to test.",
        "withheld": "{opening}" + _AHEAD + "{how_far}",
        "describes": "{big_why}. {ahead} is {size} higher in {metric} than {behind} on these {here} {bracketed_ci}.",
    },
    "brief": {
        "better": "Significant: {size} {metric} ahead here {evidence}.{caution}",
        "not_significant": (
            "{ahead} is {size} {metric} ahead here {evidence}. This does not show that they are equal.{caution}"
        ),
        "withheld": "{opening}{ahead} is {size} {metric} ahead here {bracketed_ci}.",
    },
    "lead": {
        "better": "{ahead} scores {far} {metric} better than {behind}{at} {evidence}.",
        "not_significant": (
            "{ahead} scores {far} {metric} better than {behind}{at} {evidence}. This does not show that they are equal."
        ),
        "withheld": ("{ahead} scores {far} {metric} better than {behind}{at} {evidence}. Verdict withheld: {why}."),
    },
}
"""What is said of a difference, by where it is said and by its verdict."""


def say(
    row: Comparison | RunComparison, where: Where = "sentence", planned: Planned = None, over: str = "", at: str = ""
) -> str:
    """Return what is said of a difference.

    >>> import mtsig
    >>> from mtsig._say import say
    >>> family = mtsig.Settings(n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    >>> say(family[0], "title")
    'direct beats direct-us by 0.53 chrF2'

    Args:
        row: the comparison, also one of runs, or of averages over test sets.
        where: where it is said.
        planned: whether an analysis plan fixed it.
        over: what a sentence begins with, such as the sets that an average is over.
        at: what stands after the verdict of a title, or after the names of a lead.
    """
    if isinstance(row, RunComparison):
        facts: _Facts = _OfRuns(row, planned, over, at)
    else:
        seen = row if where == "sentence" else row.changed(decimals=shown_decimals(row.difference, row.decimals))
        facts = _OfPair(seen, planned, over, at)
    sentence = SENTENCES[where].get(facts.kind(where)) or SENTENCES["lede"][facts.kind("lede")]
    return sentence.format_map(facts)


class _Facts:
    """What sentences on a difference are filled in with, each seen from the system that is ahead."""

    def __init__(self, row: Comparison | RunComparison, planned: Planned, over: str, at: str) -> None:
        self.of, self.decided, self.planned = row, verdict(row), planned
        self.over, self.at, self.the = over, at, "the" if over else "The"
        self.metric, self.first, self.second, self.unit = row.metric, row.first, row.second, row.unit
        self.ahead, self.behind = (row.first, row.second) if row.difference >= 0 else (row.second, row.first)

    def __getitem__(self, name: str) -> str:
        fact = getattr(self, name)
        return fact() if callable(fact) else fact or ""

    def kind(self, where: Where) -> str:
        """Return which of a place's sentences is said."""
        del where
        return self.decided.word

    @property
    def winner(self) -> str | None:
        return self.decided.winner

    @property
    def loser(self) -> str:
        return self.second if self.winner == self.first else self.first

    @property
    def why(self) -> str | None:
        return self.decided.why

    @property
    def caution(self) -> str:
        return f" Caution: {self.decided.caution}." if self.decided.caution else ""

    def cautioned(self) -> str:
        return CAUTIONED if self.decided.caution else ""

    def size(self) -> str:
        lead = self.of.difference if self.winner == self.first else -self.of.difference
        return points_text(lead if self.winner else abs(lead), self.of.decimals)

    def far(self) -> str:
        return ends_text(abs(self.of.difference), abs(self.of.difference), self.of.decimals)[0]

    def criterion(self) -> str:
        return ""

    def detectable(self) -> str:
        return "."


class _OfPair(_Facts):
    """The same of one pair, on its segments or documents, or on average over test sets."""

    of: Comparison

    @property
    def seen(self) -> Comparison:
        return self.of if self.of.difference >= 0 else self.of.turned

    def kind(self, where: Where) -> str:
        word = self.decided.word
        if where in ("title", "lede") and not self.of.n_differing:
            return "same"
        if where == "sentence" and word == "not_significant" and not self.of.n_differing:
            return "same"
        if where == "brief" and not (self.of.n_differing and self.of.has_p and self.of.is_quality_metric):
            return "a lede in full"
        if where != "lede":
            return word
        if not self.of.is_quality_metric:
            return "describes"
        sides = self.of.bootstrap_win_rate, 1 - self.of.bootstrap_win_rate - self.of.tie_rate
        return "small share" if self.of.has_p and word == "not_significant" and min(sides) < _SMALL_SHARE else word

    def criterion(self) -> str:
        return " by Koehn's criterion" if self.of.by_wins else ""

    def evidence(self) -> str:
        """Return interval and p-value in brackets."""
        one, seen = self.of, self.seen
        if one.unmatched:
            ends = interval_text(seen.ci_low, seen.ci_high, True, one.decimals)
            parts = [f"{level_text(one.level)} percentile CI {ends}"]
        else:
            parts = [f"{ci_name(one)} {ci_text(seen)}"]
        side = _side(one, self.planned)
        if not one.has_p:
            criterion = f"; Koehn's criterion: {level_text(one.level)}" if one.by_wins else ""
            parts.append(f"bootstrap win rate {seen.bootstrap_win_rate:.1%}, not a p-value{criterion}")
        elif one.family_size == 1:
            parts.append(short_p_text(one.p_adjusted, one.alpha) + side)
        else:
            count = f"{one.family_size:,} {'averages' if self.over else 'comparisons'}"
            corrected, alone = (
                f"adjusted {short_p_text(one.p_adjusted, one.alpha)}{side}, ",
                f"{short_p_text(one.p_value, one.alpha)}{side}, not corrected for ",
            )
            parts.append(f"{corrected if one.corrected else alone}{count}")
        return f"({', '.join(parts)})"

    def detectable(self) -> str:
        """Return the end of a sentence on what such a test set would show; a full stop where it cannot be computed."""
        found = None if self.over else smallest_detectable(self.of)
        if found is None:
            return _NOTHING.format(widest=self.of.widest) if not self.over and shows_nothing(self.of) else "."
        about, low, high = (points_text(at, self.of.decimals) for at in (found.difference, found.low, found.high))
        most = f"{high}, the largest possible" if found.cut else high
        return f"; a true difference of about {about} ({low} to {most}) would be detected with 80% power."

    @property
    def caution(self) -> str:
        return caution_text(self.of)

    def more(self) -> str:
        """Return what must be known of a verdict besides, each sentence after a space; mostly nothing."""
        one, decided = self.of, self.decided.word
        how = unmatched_text(one) if decided == "better" else ""
        unlike = one.alternative != "two-sided" and uneven(one.unit, one.heaviest_share, one.df)
        beside = [
            how,
            "" if decided == "withheld" else self.caution.strip(),
            heaviest_text(one),
            UNEVEN if unlike else "",
        ]
        return "".join(f" {text}" for text in beside if text)

    # --- a page or a card ---------------------------------------------------------------------------------------------

    def here(self) -> str:
        return number_of(self.of.units, self.of.unit, ",")

    def short_reason(self) -> str:
        reason = self.decided.withheld_reason or ""
        return f": {reason}" if len(reason) <= _TITLED else ""

    def opening(self) -> str:
        """Return what a lede opens with where the verdict is withheld: what leads on, or why if no title says it."""
        reason = self.decided.withheld_reason or ""
        said = self.decided.step if len(reason) <= _TITLED else reason
        return f"{capital_first(said)}. " if said else ""

    def how_far(self) -> str:
        """Return how far ahead the system may be on other data; behind a long reason, the interval alone."""
        is_long = len(self.decided.withheld_reason or "") > _TITLED
        return f" {self.bracketed_ci()}." if is_long else f"; {self.likely()}"

    def big_why(self) -> str:
        return capital_first(self.why or "")

    def big_ps(self) -> str:
        return capital_first(ps_text(self.of))

    def bracketed_ci(self) -> str:
        return f"({ci_name(self.seen)} {ci_text(self.seen)})"

    def likely(self) -> str:
        """Return how far ahead the system may be on other data, with the evidence."""
        one = self.of
        if one.by_wins:
            won = f"{one.wins:.1%} of resamples (Koehn's criterion: {level_text(one.level)})"
            return f"it wins {won}. {capital_first(self._likely())} ({ci_name(one)})."
        p = f"; {ps_text(one)}" if one.has_p else ""
        return f"{self._likely()} ({ci_name(one)}{p})."

    def likely_alone(self) -> str:
        return f"{self._likely()} ({ci_name(self.of)})."

    def _likely(self) -> str:
        """Return the interval that agrees with the verdict in words."""
        seen = self.seen
        low, high = seen.adjusted_ci_low, seen.adjusted_ci_high
        if isnan(seen.adjusted_level):
            low, high = seen.ci_low, seen.ci_high
        least, most = (text.lstrip("−") for text in ends_text(low, high, seen.decimals))
        most = f"{most} {'behind' if high < 0 else 'ahead'}"
        if isnan(low) and isnan(high):
            return "these data set no limit to the difference on similar data"
        if isnan(high):
            least = f"{least} ahead" if low >= 0 else f"from {least} behind"
            return f"on similar data, it could be {least} or more"
        if isnan(low):
            return f"on similar data, it could be at most {most}"
        return f"on similar data, it could be from {least if low >= 0 else f'{least} behind'} to {most}"


_TITLED = 48
"""Characters of a reason that a title has room for; a longer one opens the lede."""


def step_text(row: Comparison) -> str:
    """Return what leads on where the verdict is withheld, as a sentence, if the lede has no room for it."""
    decided = verdict(row)
    return f"{capital_first(decided.step)}." if decided.step and len(decided.withheld_reason or "") > _TITLED else ""


_SMALL_SHARE = 0.05
"""A share of resamples that readers might take for a p-value below it: a lede then has p first."""


class _OfRuns(_Facts):
    """The same of two systems over several runs."""

    of: RunComparison

    def evidence(self) -> str:
        """Return how many runs there are, interval and p-value in brackets."""
        runs, several = self.of, self.of.family_size > 1
        low, high = (runs.adjusted_ci_low, runs.adjusted_ci_high) if several else (runs.ci_low, runs.ci_high)
        ends = interval_text(*((low, high) if runs.difference >= 0 else (-high, -low)), True, runs.decimals)
        called = "adjusted CI" if several else f"{level_text(runs.level)} CI"
        p = short_p_text(runs.p_adjusted if several else runs.p_value, 1 - runs.level)
        p = f"adjusted {p}, {runs.family_size:,} comparisons" if several else p
        return f"over {runs.first_runs} and {runs.second_runs} runs ({called} {ends}, {p})"

    def more(self) -> str:
        """Return whose runs vary and by how much, and what too few of them mean."""
        return "".join([self.caution, f" {spreads_text(self.of)}", *(f" {note.text}" for note in self.of.few_runs)])


def spreads_text(runs: RunComparison) -> str:
    """Return whose runs vary and by how much, what that makes of the variance, and its degrees of freedom."""
    if runs.variance == 0:
        return f"All runs and {runs.unit}s have identical scores. Are these files copies of one output?"
    first, second = (
        points_text(each**0.5, runs.decimals) for each in (runs.first_run_variance, runs.second_run_variance)
    )
    spreads = f"The standard deviation of runs is {first} for {runs.first}, {second} for {runs.second}"
    if isnan(runs.variance):
        return f"{spreads}; the variation between {runs.unit}s cannot be estimated from one."
    share = f"Differences between runs cause {runs.run_share:.0%} of the variance."
    return f"{share} {spreads}; {runs.df:.1f} degrees of freedom."


# --- numbers ---------------------------------------------------------------------------------------------------------


def counted_in(signature: str) -> str:
    """Return what scores of this signature are means or sums over: segments, or judgements of preferences."""
    return "judgement" if signature.startswith("preferences|") else "segment"


def units_text(units: Sequence[int] | NDArray[np.int64], unit: str) -> str:
    """Return how many units something rests on: "1,000 segments", or "770 to 906 segments" where that differs."""
    low, high = min(units), max(units)
    return number_of(low, unit, ",") if low == high else f"{low:,} to {high:,} {unit}s"


def ps_text(comparison: Comparison) -> str:
    """Return p as ledes have it: "p = .13 uncorrected, p = 1 corrected for 45 comparisons"."""
    alone, side = short_p_text(comparison.p_value, comparison.alpha), _side(comparison, None)
    if comparison.family_size == 1:
        return f"{alone}{side}"
    if not comparison.corrected:
        return f"{alone}{side}, not corrected for {comparison.family_size:,} comparisons"
    corrected = short_p_text(comparison.p_adjusted, comparison.alpha)
    return f"{alone} uncorrected{side}, {corrected} corrected for {comparison.family_size:,} comparisons"


def short_p_text(p: float, alpha: float) -> str:
    """Return p with two digits, "p = .13"; with four decimals where two digits would hide on which side of alpha it is.

    >>> from mtsig._say import short_p_text
    >>> [short_p_text(p, 0.05) for p in (0.1314, 0.01379, 0.00512, 0.000812, 3e-9, 1, 0.0496)]
    ['p = .13', 'p = .014', 'p = .0051', 'p = .0008', 'p < .0001', 'p = 1', 'p = .0496']
    """
    full = p_text(p)
    if isnan(p) or p < 0.001 or p >= 0.995:
        return "p = 1" if p >= 0.995 else full
    short = f"{p:.{min(4, 1 - floor(log10(p)))}f}"
    if (float(short) <= alpha) != (p <= alpha) or float(short) == alpha != p:
        return full
    return f"p = {short.removeprefix('0')}"


def _side(comparison: Comparison, planned: Planned) -> str:
    return "" if comparison.alternative == "two-sided" else f", one-sided, direction {DECLARED[planned]}"


DECLARED = {None: "declared by the user", True: "fixed in the analysis plan", False: "chosen without an analysis plan"}
"""Who chose the direction of a one-sided test."""


_NOTHING = (
    "; this test set cannot show any difference, because even the largest possible, {widest:g}, would not be detected "
    "with 80% power."
)


def shows_nothing(comparison: Comparison) -> bool:
    """Return whether the difference that would be detected exceeds all that the metric allows."""
    return (
        smallest_detectable(comparison) is None
        and smallest_detectable(comparison.changed(widest=float("nan"))) is not None
    )


# --- intervals -------------------------------------------------------------------------------------------------------


def adjusts(comparison: Comparison | Family) -> bool:
    """Return whether the interval that agrees with the verdict is another than that of the pair alone."""
    # Where no pair has a p there is no adjusted interval.
    known = not np.all(np.isnan(comparison.adjusted_level))
    return comparison.family_size > 1 and comparison.corrected and known


def ci_name(comparison: Comparison | Family) -> str:
    """Return what the interval that agrees with the verdict is called: "adjusted CI", or "95% CI" of one comparison.

    An adjusted one has the level at which its pair was tested, which is above 95%.
    """
    return "adjusted CI" if adjusts(comparison) else f"{level_text(comparison.level)} CI"


def ci_text(comparison: Comparison, signed: bool = False) -> str:
    """Return the interval that agrees with the verdict; a one-sided claim has one bound.

    Without a p it is that of the pair alone; where so few resamples bound nothing at its level it says so.
    """
    low, high, decimals = comparison.adjusted_ci_low, comparison.adjusted_ci_high, comparison.decimals
    if isnan(comparison.adjusted_level):
        low, high = comparison.ci_low, comparison.ci_high
        return "none" if isnan(low) else " to ".join(ends_text(low, high, decimals, signed))
    if isnan(low) and isnan(high):
        return "no bound with so few resamples"
    least, most = ends_text(low, high, decimals, signed)
    if isnan(high):
        return f"at least {least}"
    return f"at most {most}" if isnan(low) else f"{least} to {most}"


def alone_text(comparison: Comparison) -> str:
    """Return why the interval of a pair alone leaves out 0 and the adjusted one does not; "" where that is not so."""
    if not adjusts(comparison) or verdict(comparison).word != "not_significant":
        return ""
    if not (comparison.ci_low > 0 or comparison.ci_high < 0):
        return ""
    alone = interval_text(comparison.ci_low, comparison.ci_high, True, comparison.decimals)
    return (
        f"The {level_text(comparison.level)} confidence interval of this pair alone ({alone}) excludes 0. The verdict "
        f"follows the wider adjusted CI ({ci_text(comparison, signed=True)}), which includes 0. With "
        f"{comparison.family_size:,} comparisons, at least one interval excludes 0 by chance in "
        f"more than {100 * (1 - comparison.level):.3g}% of test sets, even if no systems differ."
    )


def adjusted_text(family: Family) -> str:
    """Return the footnote of adjusted intervals, with the levels at which pairs were judged; nothing without any."""
    levels = family.adjusted_level[~np.isnan(family.adjusted_level)]
    if not adjusts(family) or not len(levels):
        return ""
    said = dict.fromkeys(corrected_level_text(float(end)) for end in (levels.min(), levels.max()))
    return (
        f"Each adjusted CI has the level at which its pair was tested (here {' to '.join(said)}). So it excludes 0 "
        "exactly if the difference is significant."
    )


def has_own_p(family: Family) -> bool:
    """Return whether the p-values that decide differ from the test's own: corrected ones, or those of another test."""
    return family.family_size > 1 or is_classical(family.correction)


def is_classical(correction: str) -> bool:
    """Return whether a correction is a test of its own, as in textbooks."""
    known = CORRECTIONS.get(correction)
    return known is not None and known.controls == "any false claim, classically"


# --- what stands beside a verdict ------------------------------------------------------------------------------------


def unmatched_text(comparison: Comparison) -> str:
    """Return how a comparison was judged whose score has no derivative; nothing for others."""
    if not comparison.unmatched or not comparison.smoothed_error > 0:
        return ""
    sign = 1 if comparison.difference >= 0 else -1
    difference = sign * comparison.smoothed_difference
    half = float(t_quantile((1 + comparison.level) / 2, comparison.df)) * comparison.smoothed_error
    ends = interval_text(difference - half, difference + half, True, comparison.decimals)
    added = " with one added to every count" if comparison.smoothed_difference != comparison.difference else ""
    return (
        f"{comparison.unmatched}, so its {comparison.metric} has no standard error. The pair was tested by random "
        f"swaps of {comparison.unit}s and by the jackknife on {comparison.metric}{added} "
        f"({points_text(difference, comparison.decimals, True)}, {level_text(comparison.level)} CI {ends})."
    )


def caution_text(comparison: Comparison) -> str:
    """Say why a test that was asked for may mislead, and what the default test finds; "" for the default test."""
    decided, default = verdict(comparison), comparison.default_verdict
    said = f" Caution: {decided.caution}." if decided.caution else ""
    if default is None or not (said or (default, comparison.default_winner) != (decided.word, decided.winner)):
        return said
    by_default = {
        "better": f"{comparison.default_winner} is significantly better",
        "not_significant": "the two do not differ significantly",
        "withheld": "the verdict is withheld",
    }
    return f"{said} By the default test {by_default[default]}."


UNEVEN = (
    f"Here one document has more than {UNEQUAL:.0%} of the variance of a difference, or there are fewer than {FEW} "
    "degrees of freedom. One-sided tests on such documents had up to 19% false positives in simulations (nominal 2.5%)."
)
"""What ends every one-sided claim on such documents."""


def heaviest_text(comparison: Comparison) -> str:
    """Return which document holds half of a pair's spread or more, and the difference without it; else nothing."""
    if not comparison.heaviest_share >= FLAGGED:
        return ""
    which = f"One {comparison.unit}{f' ({comparison.heaviest})' if comparison.heaviest else ''}"
    first, second, without = comparison.first, comparison.second, comparison.without_heaviest
    if comparison.is_quality_metric and without:
        ahead, behind = (first, second) if without > 0 else (second, first)
        amount = points_text(abs(without), comparison.decimals)
        left = f"{ahead} scores {amount} {comparison.metric} better than {behind}"
    else:
        amount = points_text(without, comparison.decimals, signed=True)
        left = f"the difference, {first} minus {second}, is {amount}"
    return (
        f"{which} contributes {comparison.heaviest_share:.0%} of the variance of this difference. Without it, {left}."
    )


def turned_texts(comparison: Comparison) -> tuple[str, str]:
    """Return the same where without that document the other system is ahead, and in short; else nothing."""
    said = heaviest_text(comparison)
    if not said or comparison.without_heaviest * comparison.difference >= 0:
        return "", ""
    which = f"{comparison.unit} {comparison.heaviest}" if comparison.heaviest else f"one {comparison.unit}"
    ahead = comparison.first if comparison.without_heaviest > 0 else comparison.second
    return said, f"Without {which}, {short(ahead)} is ahead."


def attainable_text(comparison: Comparison) -> str | None:
    """Return what p-values exchanging labels can give at all when few units differ; None when there are enough.

    None also for other tests: their p-values do not come from exchanges.
    """
    if not known_test(comparison.test).exchanges or not 0 < comparison.n_differing <= 20:
        return None
    floor = least_attainable(comparison)
    never = " No difference can be significant here." if floor > comparison.alpha else ""
    return (
        f"The systems differ in {comparison.n_differing:,} of {comparison.units:,} {comparison.unit}s, so p is at "
        f"least {floor:.2g}.{never}"
    )


def by_segments_text(other: Comparison, unit: str) -> str:
    """Return what a comparison over documents or blocks (`unit`) would be with segments as units: `other`."""
    ignored = "the correlation of neighbours" if unit == "block" else "documents"
    corrected = "corrected " if other.family_size > 1 and other.corrected else ""
    p = "no p" if not other.has_p else f"{corrected}{short_p_text(other.p_adjusted, other.alpha)}"
    return (
        f"With segments treated as independent, ignoring {ignored}: {level_text(other.level)} CI "
        f"{interval_text(other.ci_low, other.ci_high, True, other.decimals)}, {p}."
    )


def equivalence_text(held: Equivalence, first: str, second: str, metric: str, decimals: int = 2) -> str:
    """Return one sentence on equivalence or non-inferiority within a margin."""
    ends = f"{level_text(1 - 2 * held.alpha)} CI {interval_text(held.ci_low, held.ci_high, True, decimals)}"
    two_sided = held.kind == "equivalence"
    p = f"{'TOST ' if two_sided else ''}{short_p_text(held.p_value, held.alpha)}"
    unlike = f" {UNEVEN}" if held.uneven and not two_sided else ""
    return f"{_held_text(held, first, second, metric, f'{ends}, {p}', DECLARED[False])}{unlike}"


def margin_texts(margins: Sequence[MarginResult]) -> list[str]:
    """Return a sentence on each pair that was tested against a margin, and once what such documents do to it."""
    said = []
    for held in margins:
        parts = [f"{margin_ci(held)} {interval_text(*margin_ends(held), True, held.decimals)}"]
        parts += [f"with one more document {ends}"] if (ends := one_more_ends(held)) else []
        p = short_p_text(held.p_adjusted, held.alpha)
        parts.append(f"adjusted {p}, {held.family_size:,} comparisons" if held.family_size > 1 else p)
        chosen = DECLARED[held.status == "planned"]
        said.append(_held_text(held, held.first, held.second, held.metric, ", ".join(parts), chosen))
    return [*said, UNEVEN] if any(held.uneven for held in margins) else said


def _held_text(
    held: Equivalence | MarginResult, first: str, second: str, metric: str, evidence: str, chosen: str
) -> str:
    within = f"{held.margin:g} {metric}"
    if held.kind == "equivalence":
        claim, kind = f"{first} and {second} differ by less than {within}", f"Equivalence of {first} and {second}"
    else:
        claim, kind = f"{first} is at most {within} worse than {second}", f"Non-inferiority of {first} to {second}"
    if held.withheld_reason:
        return f"Verdict withheld on whether {claim}: {held.withheld_reason}."
    said = claim if held.established else f"{kind} within {within} is not established"
    return f"{said} ({evidence}; margin {chosen})."


def margin_ci(margin: MarginResult) -> str:
    """Return what the intervals beside margins are called."""
    adjusted = margin.family_size > 1 and not isnan(margin.adjusted_level)
    return "adjusted CI" if adjusted else f"{level_text(1 - 2 * margin.alpha)} CI"


def margin_ends(margin: MarginResult) -> tuple[float, float]:
    """Return the interval that agrees with what was shown; of one pair, or without a p, that at 1 − 2 alpha."""
    if margin.family_size == 1 or isnan(margin.ci_low) or isnan(margin.adjusted_level):
        return margin.ci_low, margin.ci_high
    return margin.adjusted_ci_low, margin.adjusted_ci_high


def one_more_ends(margin: MarginResult) -> str | None:
    """Return the bounds with one more document like the most influential; None if not requested."""
    if isnan(margin.one_more_low):
        return None
    low, high = (points_text(end, margin.decimals, True) for end in (margin.one_more_low, margin.one_more_high))
    return f"above {low}" if margin.kind == "non-inferiority" else f"{low} to {high}"


# --- lines at a mark of a picture ------------------------------------------------------------------------------------


def minus_text(system: str, other: str, higher_is_better: bool, minus: str = "minus", by: str = "by") -> str:
    """Return what a difference is of, as labels say it: it is positive where the system is better, either way.

    Where lower is better that is no subtraction in the order of the names, and none is named.
    """
    return f"{system} {minus} {other}" if higher_is_better else f"{by} how much {system} is better than {other}"


def lines_of(
    comparison: Comparison, system: str, higher_is_better: bool = True, metric: str = "", brief: bool = False
) -> tuple[str, ...]:
    """Return in lines what is known of a comparison, seen from one of its systems; the names stand in the first line.

    higher_is_better: the direction of the metric. metric: what the figure calls it. brief: what the verdict rests on.
    """
    seen, decided = comparison if system == comparison.first else comparison.turned, verdict(comparison)
    first, second = shorts([seen.first, seen.second])
    difference = f"{points_text(seen.difference, seen.decimals, signed=True)} {metric or seen.metric}"
    adjusted = f"{ci_name(seen)} {ci_text(seen, signed=True)}"
    if adjusts(seen) and not isnan(seen.adjusted_ci_low) and not brief:
        adjusted += f" ({corrected_level_text(seen.adjusted_level)})"
    alone = interval_text(seen.ci_low, seen.ci_high, True, seen.decimals)
    if decided.word == "not_significant":
        said = "≈ not significant, which does not mean equal"
    elif decided.word == "withheld":
        said = f"? withheld: {decided.withheld_reason}"
    else:
        said = f"{first} is {'better' if decided.winner == system else 'worse'}"
    alone = f"{level_text(seen.level)} CI {'of this pair alone ' if adjusts(seen) else ''}{alone}"
    return (
        f"{minus_text(first, second, higher_is_better)}: {difference}",
        *((adjusted,) if adjusts(seen) else ()),
        *(() if brief and adjusts(seen) else (alone,)),
        _p_line(seen, brief),
        said,
        *([f"{CAUTION} caution: {decided.caution}"] if decided.caution else []),
    )


def _p_line(seen: Comparison, brief: bool) -> str:
    if seen.by_wins:
        return f"bootstrap win rate {seen.wins:.1%} (Koehn's criterion: {level_text(seen.level)})"
    if not seen.has_p:
        return "no p"
    count = f"{seen.family_size:,} comparisons"
    if not seen.corrected:
        return f"{p_text(seen.p_value)}, not corrected for {count}"
    corrected = f"{p_text(seen.p_adjusted)} corrected for {count}"
    return corrected if brief else f"{corrected}, uncorrected {p_text(seen.p_value)}"
