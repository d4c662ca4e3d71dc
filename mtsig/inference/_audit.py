"""Audit: test one pair of systems by every test, and explain why the results differ."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Unpack

import numpy as np

from mtsig._options import expect_arguments, refuse_unknown, spelled_out
from mtsig._results import Result
from mtsig.corpus import Note
from mtsig.corpus._notes import MIN_DOCUMENTS, few_documents
from mtsig.errors import NotApplicable
from mtsig.inference import _adjust, _family, _settings, _significance, _tests, _verdict
from mtsig.metrics import Measurable, Statistics, statistics_of
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import ResolvedUnit
from mtsig.metrics._sums import FEWEST_UNITS
from mtsig.resampling import Bootstrap, Distribution, refuse_many_scores, resample


@dataclass(frozen=True)
class Audited:
    """Result of one test for the pair, uncorrected; `problem` says why there is none.

    p_mc_low, p_mc_high: binomial interval of a simulated p-value. low, high: the interval that belongs to the test.
    significant: None without a p-value, and if Monte Carlo error leaves p on either side of alpha. verdict, winner and
    reason: what `compare` concludes by this test; it may withhold a verdict although the test is significant.
    """

    test: str
    label: str
    unit: str
    p_value: float
    p_mc_low: float
    p_mc_high: float
    exact: bool
    ci_low: float
    ci_high: float
    interval: str
    bootstrap_win_rate: float
    significant: bool | None
    estimand: str
    assumes: str
    differs: str
    printed_only: bool
    verdict: str = ""
    winner: str | None = None
    withheld_reason: str | None = None
    caution: str = ""
    problem: str | None = None

    @property
    def has_p(self) -> bool:
        """Whether the test gives a p-value for this pair."""
        return not np.isnan(self.p_value)

    @property
    def counts(self) -> bool:
        """Whether the test counts in the agreement: it has a p-value and is not there only to reproduce other tools."""
        return self.has_p and not self.printed_only


@dataclass(frozen=True, eq=False)
class Audit(Result):
    """One pair under every test; `rows` has one record per test and unit.

    notes: remarks on the counts and the units, as `compare` gives them for the default tests. units: the units that the
    data allow; the unit of the analysis comes first.
    """

    brief: ClassVar[tuple[str, ...]] = (
        "test", "unit", "p_value", "ci_low", "ci_high", "significant", "verdict", "winner", "problem",
    )  # fmt: skip

    metric: str
    signature: str
    first: str
    second: str
    difference: float
    level: float
    audited: tuple[Audited, ...] = field(repr=False)
    decimals: int = 2
    notes: tuple[Note, ...] = ()
    units: tuple[ResolvedUnit, ...] = ()

    def __iter__(self) -> Iterator[Audited]:
        """Go through the tests."""
        return iter(self.audited)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per test and unit."""
        return [{"metric": self.metric, "first": self.first, "second": self.second, **vars(row)} for row in self]


@spelled_out
def audit(
    statistics: Statistics | Measurable, first: str, second: str, settings: _settings.Settings | None = None,
    every_unit: bool = True, *, higher_is_better: bool | None = None, name: str = "score",
    **named: Unpack[_settings.NamedSettings],
) -> Audit:  # fmt: skip
    """Run every significance test on one pair, and show why they differ.

    Parameters
    ----------
    statistics : Statistics, Corpus, path, or table
        Statistics of one metric, as `measure` returns them, or data that `measure` takes, under its default metric: a
        corpus, a path, or a dict of lists or a DataFrame with the scores of each system, shape (n,) each.
    first : str
        Name of the first system. A positive difference, in points of the metric, favours this system.
    second : str
        Name of the second system.
    settings : Settings, optional
        Resamples, seed and level. Each field can also be given as a keyword argument.
    every_unit : bool, default True
        If False, only the sampling unit of the analysis is used, which takes half the time.
    higher_is_better : bool, optional
        The direction of the scores, needed if the metric's name is not known.
    name : str, default "score"
        Name of the scores in a table.
    test, interval, correction, alternative, level, n_resamples, seed, unit
        Fields of `settings`.

    Returns
    -------
    audited : Audit
        One row per test and sampling unit: p-value, interval, verdict, and what the test assumes.

    Raises
    ------
    UnknownName
        There is no system or argument of that name.
    NotApplicable
        The two systems are the same.
    InvalidOption
        An argument has the wrong type.

    See Also
    --------
    compare : one test, corrected for the number of comparisons.

    Notes
    -----
    1. Each test in `mtsig.inference.TESTS` is run with the same resamples, without a correction. If a test is not
       applicable to this metric, `problem` says so.
    2. Tests differ for three reasons: they test different hypotheses (about scores on a population of test sets, or
       about exchangeable outputs), they use different units (documents, blocks, segments), or they do not control their
       false-positive rate. `estimand`, `unit` and `differs` give the reason.
    3. A test chosen for its p-value has no known error rate: choose a test first, and use the audit to explain it [1]_.

    References
    ----------
    .. [1] Riezler and Maxwell (2005); Post (2018).

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> audited = mtsig.audit(statistics, "direct", "via-catalan", n_resamples=200)
    >>> [row.verdict for row in audited if row.test == "jackknife-t"]
    ['better', 'better']

    The p-values by segments:

    >>> [(row.test, round(row.p_value, 3)) for row in audited if row.unit == "segment" and row.counts][:3]
    [('ar', 0.005), ('jackknife-t', 0.0), ('ij-t', 0.0)]
    """
    refuse_unknown(audit, named)
    statistics, settings = statistics_of(statistics, higher_is_better, name), _settings.Settings.of(settings, named)
    expect_arguments(audit, locals())
    if first == second:
        raise NotApplicable(f"System {first!r} cannot be compared with itself.")
    # The draws depend on the units alone: two systems by themselves get the same p-values as in larger company. Which
    # units these are is the company's choice.
    pair, whole = [first, second], statistics
    units = _units(whole, pair, settings)
    statistics = statistics.select(pair)
    without = {
        reference: _family.counted_without(statistics, reference) for reference in _family.concerned([statistics])
    }
    asked = {unit: _tests_by(unit) for unit in (units if every_unit else units[:1])}
    # Every test takes time as one comparison does.
    made = sum(not test.printed_only for tests in asked.values() for test in tests)
    refuse_many_scores(2 * (1 + sum(map(len, without.values()))) * made, settings.n_resamples)
    rows, notes = [], [*statistics.notes, *_fallen_back(statistics)]
    difference = float("nan")
    for unit, tests in asked.items():
        at = whole.at("block").select(pair) if unit == "block" else statistics
        counts = _Counts.at(at, without, replace(settings, unit=unit))
        for test in tests:
            try:
                family = counts.compared(test)
            except NotApplicable as error:
                rows.append(_nothing(test, unit, str(error)))
                continue
            notes += family.notes if test.name == _significance.DEFAULTS[unit].test and unit == units[0] else ()
            difference = family[0].difference
            rows.append(_said(test, unit, family[0], _verdict.verdict(family[0])))
    if np.isnan(difference):
        # Where no test can be made, as on one segment, the scores still differ by something.
        with suppress(NotApplicable):
            shared = statistics.shared_by([first, second])
            difference = sign_of(shared.metric) * float(shared.scores[0] - shared.scores[1])
    return Audit(
        statistics.metric.name,
        statistics.signature,
        first,
        second,
        difference,
        settings.level,
        tuple(rows),
        statistics.metric.decimals,
        tuple(dict.fromkeys(notes)),
        tuple(units),
    )


@dataclass(frozen=True, eq=False)
class _Counts:
    """The counts of two systems at one unit, and without references; the resamples that tests share, where they do."""

    statistics: Statistics
    redrawn: Distribution | None
    settings: _settings.Settings
    without: "Mapping[str, Mapping[str, _Counts]]" = field(default_factory=dict)

    @classmethod
    def at(
        cls, statistics: Statistics, without: Mapping[str, Mapping[str, Statistics]], settings: _settings.Settings
    ) -> "_Counts":
        """Return the counts with their redraws at the unit of the settings."""
        others = {
            reference: {said: cls.at(counted, {}, settings) for said, counted in counted.items()}
            for reference, counted in without.items()
        }
        return cls(statistics, _redrawn(statistics, settings.bootstrap()), settings, others)

    def compared(self, test: _significance.SignificanceTest) -> _family.Family:
        """Return the one comparison by a test, uncorrected, with the doubts that `compare` has."""
        settings = replace(self.settings, test=test.name, alternative="two-sided")
        chosen = settings.chosen_test(str(settings.unit))
        family = _adjust.compare(
            self.statistics,
            chosen,
            [(self.statistics.systems[0], self.statistics.systems[1])],
            interval=test.interval,
            level=settings.level,
            drawn=self.redrawn if chosen.scheme.n_draws == settings.n_resamples else None,
        )
        for reference, others in self.without.items():
            family = _family.doubted(family, reference, {said: other.compared(test) for said, other in others.items()})
        return family


def _said(
    test: _significance.SignificanceTest, unit: str, comparison: _verdict.Comparison, decided: _verdict.Verdict
) -> Audited:
    return Audited(
        test.name, test.label, unit, comparison.p_value, comparison.p_mc_low, comparison.p_mc_high, comparison.exact,
        comparison.ci_low, comparison.ci_high, comparison.interval, comparison.bootstrap_win_rate,
        comparison.significant,
        test.estimand, test.assumes, test.differs, test.printed_only, decided.word, decided.winner,
        decided.withheld_reason,
        decided.caution,
    )  # fmt: skip


def _tests_by(unit: str) -> list[_significance.SignificanceTest]:
    """Return the tests that are made at a unit."""
    return [test for test in _tests.TESTS.values() if unit == "segment" or not test.segment_only]


def _redrawn(statistics: Statistics, scheme: Bootstrap) -> Distribution | None:
    """Return the redraws that the tests of one unit share; None where each part of the data has its own."""
    statistics = statistics.at(scheme.unit)
    return None if statistics.available is not None or statistics.n < FEWEST_UNITS else resample(statistics, scheme)


def _units(whole: Statistics, pair: list[str], settings: _settings.Settings) -> list[ResolvedUnit]:
    """Return the unit of the analysis first, and the other one beside it where the data allow it."""
    if whole.clustered:
        return [whole.unit]
    asked = settings.at(whole).unit
    if asked == "block":
        return ["block", "segment"]
    if whole.order is not None and whole.order.alike:
        return ["segment", "block"]
    shared = _shared_documents(whole.select(pair))
    if shared is None or shared < MIN_DOCUMENTS:
        return ["segment"]
    return ["document", "segment"] if asked == "document" else ["segment", "document"]


def _shared_documents(statistics: Statistics) -> int | None:
    """Return how many documents both systems have; None where the data know too few for anybody, or none."""
    try:
        return statistics.at("document").units_of(statistics.systems)
    except NotApplicable:
        return None


def _fallen_back(statistics: Statistics) -> tuple[Note, ...]:
    """Say where two systems share so few documents that segments alone are left as units."""
    shared = _shared_documents(statistics)
    if shared is None or shared >= MIN_DOCUMENTS or statistics.clustered:
        return ()
    return (few_documents(shared, f" are known for both {' and '.join(statistics.systems)}"),)


def _nothing(test: _significance.SignificanceTest, unit: str, problem: str) -> Audited:
    nan = np.nan
    return Audited(
        test.name, test.label, unit, nan, nan, nan, False, nan, nan, "", nan, None, test.estimand, test.assumes,
        test.differs, test.printed_only, problem=problem,
    )  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """One line as sacreBLEU prints it: the score, its mean ± half width, and both p-values against the baseline."""

    system: str
    score: float
    mean: float
    half_width: float
    p_bootstrap: float | None
    p_randomization: float | None


def all_as_sacrebleu(statistics: Statistics, baseline: str, test: str) -> tuple[Printed, ...]:
    """Return what sacreBLEU prints for a baseline and all other systems by one of its tests, exactly."""
    others = [name for name in statistics.systems if name != baseline]
    counts = statistics.select([baseline, *others])
    scheme = _significance.SacrebleuBootstrap().scheme
    means = _significance.resample_as_sacrebleu(counts, scheme.n_draws, scheme.seed)
    found = _adjust.compare(counts, test, [(name, baseline) for name in others]).p_value.tolist()
    by_bootstrap = test == _significance.SacrebleuBootstrap.name
    return tuple(
        Printed(name, float(score), *mean, p if by_bootstrap else None, None if by_bootstrap else p)
        for name, score, mean, p in zip(counts.systems, counts.scores, means, [None, *found], strict=True)
    )


def as_sacrebleu(statistics: Statistics, system: str, baseline: str) -> tuple[Printed, Printed]:
    """Return exactly what `sacrebleu --paired-bs` and `--paired-ar` print for a baseline and a system."""
    pair = statistics.select([baseline, system])
    scheme = _significance.SacrebleuBootstrap().scheme
    means = _significance.resample_as_sacrebleu(pair, scheme.n_draws, scheme.seed)
    p_values = [
        float(_adjust.compare(pair, test, [(system, baseline)]).p_value[0])
        for test in (_significance.SacrebleuBootstrap(), _significance.SacrebleuRandomization())
    ]
    return (
        Printed(baseline, float(pair.scores[0]), *means[0], None, None),
        Printed(system, float(pair.scores[1]), *means[1], p_values[0], p_values[1]),
    )
