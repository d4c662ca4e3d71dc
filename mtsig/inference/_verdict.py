"""The verdict on one comparison: one of three words, computed only in this module, and the reasons to withhold it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor, isnan, log10
from typing import Any

import numpy as np

from mtsig._probability import FEWEST_DF, FEWEST_DIFFERING
from mtsig._probability import p_number as p_number  # shown by the face, as p_text is
from mtsig._probability import p_text as p_text
from mtsig._records import once
from mtsig._results import Public, Tabled, made
from mtsig.corpus._notes import MIN_DOCUMENTS
from mtsig.errors import expect
from mtsig.inference._corrections import SLACK, corrects
from mtsig.inference._fields import Decided, HowCompared, PairColumns, Word
from mtsig.inference._intervals import hold_together
from mtsig.inference._runs import RunComparison
from mtsig.inference._significance import BY_EXCHANGE, must_be_named
from mtsig.inference._tests import JackknifeT, instead_of, known_test
from mtsig.metrics._sums import ALIKE, FEW_SEGMENTS, UNLIKE, seem_correlated


def too_few_differ(differing: int, units: int) -> bool:
    """Return whether too few units differ (and less than half of them) to estimate a variance."""
    return 0 < differing < min(FEWEST_DIFFERING, units / 2)


@dataclass(frozen=True)
class Reason:
    """A reason for no verdict, and what to do next, in words and as flags; values are filled in later."""

    name: str
    sentence: str
    step: str
    flags: str

    def filled(self, **found: object) -> tuple[str, str, str]:
        """Return the sentence, the next step and its flags, with values filled in."""
        return self.sentence.format(**found), self.step.format(**found), self.flags.format(**found)


_OTHERWISE = "use segments as the sampling unit, or choose another test (with a caution)"

_BY_SENTENCES = "use a metric that is a mean of segment scores, such as sentchrf"

REASONS: Mapping[str, Reason] = {
    reason.name: reason
    for reason in (
        Reason("describes", "{metric} is descriptive: neither direction is better", "choose a quality metric",
               "--metric bleu"),
        Reason("few documents", "{few}", _OTHERWISE, "--unit segment, or --test ar"),
        Reason("few rated", "{doubt}", "collect judgements or ratings of more documents", "--data"),
        Reason("few answers", "{doubt}", "use more segments, or sample more outputs of that system", "--data"),
        Reason("text", "{doubt}", "use another metric, such as chrF", "--metric chrf"),
        Reason("unequal documents", "{doubt}", _OTHERWISE, "--unit segment, or --test ar"),
        Reason("unequal blocks", "{doubt}", "give document ids, or choose another test (with a caution)",
               "--docs docids.txt, or --test ar"),
        Reason("no match", "{doubt}", _BY_SENTENCES, "--metric sentchrf"),
        Reason("misaligned", "{doubt}",
               "correct the lines that mtsig check lists, or leave out the system", "mtsig check, or --systems"),
        Reason("reference", "{doubt}",
               "use references that do not contain this system's output, or omit the system",
               "--references, --ref or --systems"),
        Reason("mixed units", "{doubt}", "omit those test sets", "--set"),
        Reason("one unit", "{doubt}", "use more segments of the test set", "--data"),
        Reason("copies", "{doubt}", "leave out the copies", "--runs"),
        Reason("data", "{doubt}", "read the notes on these data", "mtsig check"),
        Reason("no p", "this test gives no p-value here", "{instead}", "{flags}"),
        Reason("few differ", "only {differing:,} of {units:,} {unit}s {verb}, too few for this test", "{instead}",
               "--test ar"),
        Reason("not settled", "the adjusted p-value is too close to α for this number of resamples", "{more}",
               "{flags}"),
        Reason("not confirmed",
               "{unmatched}, and the jackknife test on {metric} with one added to every count is not significant",
               _BY_SENTENCES, "--metric sentchrf"),
    )
}  # fmt: skip
"""By name; the order is that in which they are looked for."""


def ungrounded(unit: str, units: int, doubt: str, whom: str = "both") -> str:
    """Return why a pair allows no inference by any test; "" if it allows inference."""
    if unit == "document" and units < MIN_DOCUMENTS:
        known = "1 document is known" if units == 1 else f"{units} documents are known"
        return f"only {known} for {whom}, too few for document-level inference"
    return doubt


def spread_unknown(unit: str, units: int, differing: int, error: float) -> str:
    """Return why a pair's standard error is not valid; "" if it is."""
    if isnan(error):
        return "the jackknife is undefined here: some n-gram order has no match, or none without some unit"
    if too_few_differ(differing, units):
        least = min(FEWEST_DIFFERING, ceil(units / 2))
        return (
            f"the systems differ on only {differing:,} of {units:,} {unit}s, and at least {least} are needed to "
            "estimate the variance"
        )
    if not error > 0:
        return f"the difference is the same in every {unit}, so there is no variance to test against"
    return ""


@dataclass(frozen=True, kw_only=True)
class Comparison(HowCompared, PairColumns, Decided, Tabled):
    """One comparison of a family."""

    @property
    def alpha(self) -> float:
        """The error rate α = 1 − level."""
        return 1 - self.level

    @property
    def corrected(self) -> bool:
        """Whether the correction accounts for the number of comparisons."""
        return corrects(self.correction)

    @property
    def held_together(self) -> bool:
        """Whether the interval belongs to a set of simultaneous intervals."""
        return hold_together(self.interval)

    @property
    def has_p(self) -> bool:
        """Whether the method gives a p-value."""
        return not np.isnan(self.p_adjusted)

    @property
    def settled(self) -> bool:
        """Whether corrected p and alpha differ by more than the Monte Carlo error.

        If no draw is as extreme as the observation and the corrected p still exceeds alpha, this is not the case.
        """
        at_floor = self.p_mc_low == 0 < self.p_value <= self.p_mc_high and self.p_adjusted > self.alpha + SLACK
        return not (at_floor or self.p_adjusted_mc_low <= self.alpha < self.p_adjusted_mc_high)

    @property
    def by_wins(self) -> bool:
        """Whether the verdict follows the win rate (Koehn's criterion), not p."""
        return known_test(self.test).by_wins

    @property
    def wins(self) -> float:
        """The larger of the two systems' bootstrap win rates."""
        return max(self.bootstrap_win_rate, 1 - self.bootstrap_win_rate - self.tie_rate)

    @property
    def decides(self) -> bool:
        """Whether the method can find a system better, by p or by win rate."""
        return self.has_p or self.by_wins

    @property
    def significant(self) -> bool | None:
        """Whether a system is better, by corrected p or by Koehn's criterion.

        None if the method has neither. For a default test, also None if Monte Carlo error leaves p on either side of
        alpha.
        """
        if self.by_wins:
            return self.wins >= self.level - SLACK
        if not self.has_p or not (self.settled or must_be_named(self.test, self.unit)):
            return None
        return self.p_adjusted <= self.alpha + SLACK

    @property
    def turned(self) -> "Comparison":
        """The comparison with its two systems swapped: signs and a one-sided alternative change, p-values do not."""
        return self.changed(
            alternative=_TURNED[self.alternative],
            first=self.second,
            second=self.first,
            difference=-self.difference,
            smoothed_difference=-self.smoothed_difference,
            ci_low=-self.ci_high,
            ci_high=-self.ci_low,
            without_heaviest=-self.without_heaviest,
            adjusted_ci_low=-self.adjusted_ci_high,
            adjusted_ci_high=-self.adjusted_ci_low,
            bootstrap_win_rate=1 - self.bootstrap_win_rate - self.tie_rate,
        )

    def row(self) -> dict[str, Any]:
        """Return the fields by name, with the verdict, the winner and what else follows from the numbers."""
        return {**super().row(), **made("conclusions", self).row()}


_TURNED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}

CAUTION = "!"
"""The mark of a verdict that stands with a caution beside it, in figures and tables."""

_BY_JACKKNIFE = f"--test {JackknifeT.name}"

_MOST_DRAWS = 10_000_000
"""More draws than that are not to be had."""


@dataclass(frozen=True)
class Verdict(Public):
    """A verdict: "better" (than the other), "not_significant" or "withheld".

    If it is withheld, `reason` says why, `step` and `flags` say what to do next, and `withheld` is the name of the
    reason in `REASONS`. `caution`: limits of a verdict that is given; may be empty.
    """

    word: Word
    winner: str | None = None
    withheld_reason: str | None = None
    step: str = ""
    flags: str = ""
    withheld: str | None = None
    caution: str = ""

    @property
    def words(self) -> str:
        """The verdict in words: the better system, "not significant" or "withheld"."""
        return said_of(self.word, self.winner)

    @property
    def why(self) -> str | None:
        """Why the verdict is withheld, and what to do next; None if a verdict is given."""
        return f"{self.withheld_reason}; {self.step}" if self.withheld_reason and self.step else self.withheld_reason

    @property
    def marked(self) -> str:
        """The verdict in words, with a mark if there is a caution."""
        return f"{self.words} {CAUTION}" if self.caution else self.words


def said_of(word: str, winner: str | None) -> str:
    """Return a verdict in words."""
    return f"{winner} better" if winner else "not significant" if word == "not_significant" else word


@once
def verdict(comparison: Comparison | RunComparison) -> Verdict:
    """Decide on one comparison: better, not significant, or withheld with a reason.

    Parameters
    ----------
    comparison : Comparison or RunComparison
        A comparison in a corrected family, or the result of `compare_runs`.

    Returns
    -------
    decided : Verdict
        `word` is "better", "not_significant" or "withheld". `winner`, `withheld_reason` and `caution` give details.

    Raises
    ------
    InvalidOption
        The comparison has the wrong type; the message says what to give.

    Notes
    -----
    1. The verdict is withheld if the data do not allow one. Examples are too few documents, documents that differ too
       much in length, a system that has text of the reference, and an undefined p-value. `step` says what to do.
    2. Otherwise the adjusted p-value decides: the verdict is "better" if it is at most α. Koehn's criterion has no
       p-value and uses the bootstrap win rate instead.
    3. A test chosen by name keeps its verdict. A `caution` says if it does not control its false-positive rate, or if
       other resamples could change the verdict. For the default test, the verdict is then withheld.

    "not_significant" does not show that two systems are equal; `power_analysis` tests equivalence.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> family = mtsig.Settings(n_resamples=500).family(statistics)
    >>> decided = mtsig.verdict(family[family.find("direct", "via-catalan")])
    >>> decided.word, decided.winner, decided.withheld_reason
    ('better', 'direct', None)
    """
    expect(comparison, Comparison | RunComparison, "Give one comparison, such as study.comparisons[0] or family[0]")
    if not comparison.is_quality_metric:
        return _withheld("describes", metric=comparison.metric)
    return _of_runs(comparison) if isinstance(comparison, RunComparison) else _of_pair(comparison)


def _withheld(name: str, **found: object) -> Verdict:
    reason, step, flags = REASONS[name].filled(**found)
    return Verdict("withheld", withheld_reason=reason, step=step, flags=flags, withheld=name)


def _doubtful(comparison: Comparison | RunComparison) -> Verdict:
    """Return the verdict that the data do not allow; a file may name a reason that is not known here."""
    return _withheld(
        comparison.data_caveat_id if comparison.data_caveat_id in REASONS else "data", doubt=comparison.data_caveat
    )


def _of_runs(comparison: RunComparison) -> Verdict:
    few = ungrounded(comparison.unit, comparison.units, "", "all runs")
    if few:
        return _withheld("few documents", few=few)
    if comparison.data_caveat:
        return _doubtful(comparison)
    if np.isnan(comparison.p_adjusted):
        return _withheld("copies", doubt=f"scores vary neither between runs nor between {comparison.unit}s")
    if not comparison.settled:
        return _withheld("not settled", **_more_draws(comparison))
    return _decided(comparison, comparison.difference)


def _of_pair(comparison: Comparison) -> Verdict:
    asked = must_be_named(comparison.test, comparison.unit)
    # Estimates of judgements have no other unit nor test: their own reason says how few they are.
    judged = comparison.data_caveat_id in ("few rated", "data")
    few = "" if judged else ungrounded(comparison.unit, comparison.units, "")
    if few and not asked:
        return _withheld("few documents", few=few)
    if comparison.data_caveat:
        return _doubtful(comparison)
    if not comparison.decides:
        return _withheld("no p", **_instead(comparison))
    if not asked and _few_differ(comparison):
        verb = "differs" if comparison.n_differing == 1 else "differ"
        return _withheld(
            "few differ",
            differing=comparison.n_differing,
            units=comparison.units,
            unit=comparison.unit,
            verb=verb,
            instead=f"choose {BY_EXCHANGE}",
        )
    if comparison.significant is None:
        return _withheld("not settled", **_more_draws(comparison))
    if comparison.significant and not asked and comparison.p_jackknife > comparison.alpha + SLACK:
        return _withheld("not confirmed", unmatched=comparison.unmatched, metric=comparison.metric)
    ahead = comparison.difference
    if comparison.by_wins:
        ahead = 2 * comparison.bootstrap_win_rate + comparison.tie_rate - 1
    return _decided(comparison, ahead, _cautions(comparison) if asked else ())


def _cautions(comparison: Comparison) -> Iterator[str]:
    """Yield why to doubt the verdict of a test that was asked for by name."""
    test, unit = known_test(comparison.test), comparison.unit
    if comparison.has_p and not comparison.settled:
        more = "" if test.printed_only else f" ({_more_draws(comparison)['more']})"
        yield f"other resamples could change the verdict, since α is within the Monte Carlo error of p{more}"
    if not comparison.significant:
        # What finds differences too often has found none.
        return
    if comparison.difference == 0:
        yield "both systems have the same score, so a small p does not mean that one is better"
    if not comparison.controls_type1:
        yield test.anticonservative_reason or "this test does not control its false-positive rate"
    if comparison.unmatched and comparison.smoothed_difference != comparison.difference:
        yield f"{comparison.unmatched}, so a score depends on smoothing"
    few = ungrounded(unit, comparison.units, "") or test.too_few(comparison.df, unit)
    if few:
        yield few
    elif unit == "document" and comparison.df < FEWEST_DF:
        yield (
            f"{comparison.units} documents of such unequal length give as much information as about "
            f"{comparison.df + 1:.1f} of equal length, too few"
        )
    if _few_differ(comparison):
        yield f"only {comparison.n_differing:,} of {comparison.units:,} {unit}s differ, too few for this test"
    if comparison.p_jackknife > comparison.alpha + SLACK:
        # Where the score has no derivative the jackknife seconds nothing.
        yield (
            f"the {JackknifeT.label} is not significant over the same {unit}s"
            if comparison.standard_error > 0 or comparison.smoothed_error > 0
            else f"the {JackknifeT.label} is undefined here, so it cannot confirm this verdict"
        )


def _few_differ(comparison: Comparison) -> bool:
    """Return whether the units that differ are too few for a comparison's test."""
    # Exchanges and enumeration need no spread; where the score has no derivative labels are exchanged, too.
    exchanged = known_test(comparison.test).exchanges or comparison.exact
    return not exchanged and too_few_differ(comparison.n_differing, comparison.units)


def _instead(comparison: Comparison) -> dict[str, object]:
    """Return what to choose instead of a test that gives no p-value, in words and as flags."""
    step, flags = instead_of(comparison.standard_error, comparison.df, comparison.unit)
    return {"instead": step, "flags": flags}


def _more_draws(comparison: Comparison | RunComparison) -> dict[str, object]:
    """Return how many resamples, or which test, decide a p too near alpha: its error falls with their root."""
    if comparison.p_mc_low == 0 and comparison.p_adjusted > comparison.alpha:
        # No draw reached the difference: p falls as their number grows.
        return _so_many(2 * comparison.p_adjusted / comparison.alpha / comparison.p_value)
    drawn = comparison.p_mc_low < comparison.p_mc_high
    p, low, high = (
        (comparison.p_value, comparison.p_mc_low, comparison.p_mc_high)
        if drawn
        else (comparison.p_adjusted, comparison.p_adjusted_mc_low, comparison.p_adjusted_mc_high)
    )
    wide = ((high - low) / 2) ** 2
    nearer = comparison.p_adjusted_mc_low if comparison.p_adjusted > comparison.alpha else comparison.p_adjusted_mc_high
    error, gap = abs(comparison.p_adjusted - nearer), abs(comparison.p_adjusted - comparison.alpha)
    draws = 3.84 * max(p * (1 - p), 1e-6) / wide if wide > 0 else float("inf")
    return _so_many(draws * (2 * error / gap) ** 2 if gap > 0 else float("inf"))


def _so_many(needed: float) -> dict[str, object]:
    """Return the step to so many draws, rounded up, or to a test that draws nothing where they are too many."""
    if not 1 <= needed <= _MOST_DRAWS:  # nor where a file says numbers that do not go together
        return {"more": f"choose a test without resampling, such as the {JackknifeT.label}", "flags": _BY_JACKKNIFE}
    place = 10 ** floor(log10(needed))
    rounded = ceil(needed / place) * place
    return {"more": f"use about {rounded:,} resamples", "flags": f"--resamples {rounded}"}


def unit_cautions(judged: Comparison | RunComparison) -> Iterator[str]:
    """Yield cautions on verdicts whose units may be dependent; none if there are document ids."""
    segments = judged.unit not in ("document", "block")
    if segments and judged.documents < MIN_DOCUMENTS:
        known = (
            "1 document is known, too few"
            if judged.documents == 1
            else f"{judged.documents:.0f} documents are known, too few"
        )
        yield f"only {known} to test with, and the dependence within documents is unknown"
    if segments and judged.order_z > ALIKE:
        yield (
            f"this test treats segments as independent, but neighbours {seem_correlated(judged.order_z)} (z = "
            f"{judged.order_z:.2f}). Such tests had false positives in up to 45 of 100 families"
        )
    elif judged.order_segments < FEW_SEGMENTS:
        seen = (
            "dependence between segments could hardly be detected"
            if segments
            else "with so few, tests over blocks had false positives in about 10 of 100 families"
        )
        yield f"fewer than {FEW_SEGMENTS} segments and no document ids; {seen}"
    if judged.order_z < UNLIKE:
        yield ("neighbouring segments differ more than by chance (perhaps documents alternate); give document ids")


def _decided(comparison: Comparison | RunComparison, ahead: float, of_test: Iterable[str] = ()) -> Verdict:
    """Return the verdict with every caution there is: of its test, and of what its units rest on."""
    of_units = unit_cautions(comparison) if comparison.difference != 0 or comparison.significant else ()
    caution = "; ".join((*of_test, *of_units))
    if not comparison.significant or ahead == 0:
        return Verdict("not_significant", caution=caution)
    return Verdict("better", winner=comparison.first if ahead > 0 else comparison.second, caution=caution)
