"""The verdict on one comparison: three words, decided here and nowhere else."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtsig.errors import expect
from mtsig.inference.cautions import ungrounded
from mtsig.inference.comparison import Comparison, too_few_differ
from mtsig.inference.runs import RunComparison
from mtsig.inference.significance import BY_EXCHANGE, TESTS, instead_of_jackknife, known_test

Word = Literal["better", "not separated", "undecided"]

_TOO_NEAR = "the corrected p is too near alpha for this number of draws; draw more"


@dataclass(frozen=True)
class Verdict:
    """better: the winner is ahead, corrected p ≤ alpha. not separated: these data do not tell the two apart.

    undecided: interval and test disagree, or the number of draws leaves p on both sides of alpha, or there is no test
    that errs as often as it says, or so few units differ, or documents are so few or unequal, that it cannot be used,
    or the jackknife does not second what exchanging documents says, or the data leave a doubt.
    `reason` names the cause of an "undecided".
    """

    word: Word
    winner: str | None = None
    reason: str | None = None

    @property
    def words(self) -> str:
        """The verdict in two words: who is better, or that nobody is."""
        return f"{self.winner} better" if self.winner else self.word


def _too_few_differ(comparison: Comparison) -> str:
    """Return why the units that differ are too few for a comparison's test; "" when they are not."""
    # Exchanges and enumeration need no spread.
    if (
        not known_test(comparison.test).exchanges
        and not comparison.exact
        and too_few_differ(comparison.n_differing, comparison.units)
    ):
        verb = "differs" if comparison.n_differing == 1 else "differ"
        return (
            f"only {comparison.n_differing:,} of {comparison.units:,} {comparison.unit}s {verb}, too few for this "
            f"test; choose {BY_EXCHANGE}"
        )
    return ""


def verdict(comparison: Comparison | RunComparison) -> Verdict:
    """Return the verdict on a comparison: the corrected p-value decides, unless the interval contradicts it.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> family = mtsig.Settings(draws=500).family(statistics)
    >>> mtsig.verdict(family[family.find("direct", "via-catalan")])
    Verdict(word='better', winner='direct', reason=None)

    The interval speaks of one comparison. So where only the correction keeps a comparison from significance, an
    interval that leaves out zero is no contradiction; nor is a two-sided interval beside a one-sided test.

    Raises:
        InvalidOption: the comparison is of another kind; the message says what to give.
    """
    expect(comparison, Comparison | RunComparison, "Give one comparison, such as study.comparisons[0] or family[0]")
    if not comparison.judges:
        return Verdict("undecided", reason=f"{comparison.metric} describes, and no system is better by it")
    return _of_runs(comparison) if isinstance(comparison, RunComparison) else _of_pair(comparison)


def _of_runs(comparison: RunComparison) -> Verdict:
    # Interval and test come from the same draws and cannot disagree.
    doubt = ungrounded(comparison.unit, comparison.units, comparison.doubt, "all runs")
    if doubt:
        return Verdict("undecided", reason=doubt)
    if np.isnan(comparison.p_adjusted):
        return Verdict("undecided", reason="nothing varies, so nothing can be tested")
    if not comparison.settled:
        return Verdict("undecided", reason=_TOO_NEAR)
    return _decided(comparison)


def _of_pair(comparison: Comparison) -> Verdict:
    alpha = comparison.alpha
    significant = comparison.significant
    if not comparison.has_p and comparison.unmatched and comparison.doubt:
        return Verdict("undecided", reason=comparison.doubt)
    if not comparison.has_p:
        return Verdict("undecided", reason=f"this test gives no p-value; {_instead(comparison)}")
    if not comparison.controls_type1:
        instead = f"; choose {BY_EXCHANGE}" if comparison.test in TESTS else ""
        return Verdict("undecided", reason=f"this test errs more often than it says{instead}")
    unfit = ungrounded(comparison.unit, comparison.units, comparison.doubt) or _too_few_differ(comparison)
    if unfit:
        return Verdict("undecided", reason=unfit)
    if not comparison.settled:
        return Verdict("undecided", reason=_TOO_NEAR)
    outside = comparison.low > 0 or comparison.high < 0
    alone = comparison.p_value <= alpha + 1e-12
    # Where the score has no derivative, the interval is of resamples that rest on smoothing.
    two_sided = comparison.alternative == "two-sided" and not comparison.unmatched
    if two_sided and ((significant and not outside) or (outside and not alone)):
        return Verdict("undecided", reason="interval and test disagree")
    # NaN, where nothing has to second the test, is larger than nothing.
    if significant and comparison.p_jackknife > alpha + 1e-12:
        return Verdict("undecided", reason=_not_seconded(comparison))
    return _decided(comparison)


def _instead(comparison: Comparison) -> str:
    """Return what to choose instead of a test that gives no p-value."""
    lost = not comparison.standard_error > 0 and known_test(comparison.test).gives_p
    return instead_of_jackknife(comparison.standard_error, comparison.df, comparison.unit) if lost else "choose a test"


def _not_seconded(comparison: Comparison) -> str:
    """Return why the jackknife does not second an exchange of documents: it says otherwise, or nothing."""
    if comparison.standard_error > 0 or comparison.smoothed_error > 0:
        return "the exchange test and the jackknife disagree"
    said = "the jackknife gives no p here, so nothing seconds the exchange test"
    return f"{said}; {instead_of_jackknife(comparison.standard_error, comparison.df, comparison.unit)}"


def _decided(comparison: Comparison | RunComparison) -> Verdict:
    if not comparison.significant:
        return Verdict("not separated")
    return Verdict("better", winner=comparison.first if comparison.difference > 0 else comparison.second)
