"""Audit: one pair, every test side by side, and why they differ."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig._records import Result
from mtsig.corpus import Note
from mtsig.corpus._inspection import MIN_DOCUMENTS, few_documents
from mtsig.errors import NotApplicable
from mtsig.inference._adjust import compare
from mtsig.inference._family import Family
from mtsig.inference._kin import concerned, counted_without, doubted
from mtsig.inference._settings import Settings
from mtsig.inference._significance import DEFAULTS, TESTS
from mtsig.inference._significance._base import (
    SacrebleuBootstrap,
    SacrebleuRandomization,
    SignificanceTest,
    resample_as_sacrebleu,
)
from mtsig.inference._verdict import Comparison, Verdict, verdict
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import ResolvedUnit, expect_statistics
from mtsig.metrics._sums import FEWEST_UNITS
from mtsig.resampling import Bootstrap, Distribution, resample


@dataclass(frozen=True)
class Audited:
    """What one test says of the pair, uncorrected; `problem` says why it says nothing.

    p_mc_low, p_mc_high: binomial interval of a simulated p-value. low, high: the interval that goes with the test.
    significant: None without a p-value, and while drawing leaves open on which side of alpha it lies. verdict, winner
    and reason: what `compare` says by this test, which may leave withheld what is significant.
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
        """Whether the method gives a p-value here."""
        return not np.isnan(self.p_value)

    @property
    def counts(self) -> bool:
        """Whether it counts where tests are said to agree: it gives a p here, and is not there to reproduce others."""
        return self.has_p and not self.printed_only


@dataclass(frozen=True, eq=False)
class Audit(Result):
    """One pair under every test; `rows` for each test, and for each unit that the data allow.

    notes: what to know of the counts and of the units, as `compare` says it by the default tests. units: those that the
    data allow, that of the analysis first.
    """

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


def audit(
    statistics: Statistics, first: str, second: str, settings: Settings | None = None, every_unit: bool = True
) -> Audit:
    """Return what every test says of one pair, by itself and uncorrected, by documents or blocks and by segments.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> audited = mtsig.audit(statistics, "direct", "via-catalan", mtsig.Settings(n_resamples=200))
    >>> [row["verdict"] for row in audited.rows() if row["test"] == "jackknife-t"]
    ['better', 'better']

    Args:
        statistics: of one metric.
        first: a system; a positive difference, in points of the metric, favours it.
        second: another one.
        settings: draws, seed and level; the defaults when None.
        every_unit: False asks for the unit of the analysis alone, in half the time.

    Raises:
        UnknownName: no such system.
        NotApplicable: a system is held against itself.
        InvalidOption: an argument is of another kind.
    """
    expect_statistics(statistics)
    expect_arguments(audit, locals())
    settings = settings or Settings()
    if first == second:
        raise NotApplicable(f"System {first!r} cannot be compared with itself.")
    # The draws depend on the units alone: two systems by themselves get the same p-values as in larger company. Which
    # units these are is the company's choice.
    pair, whole = [first, second], statistics
    units = _units(whole, pair, settings)
    statistics = statistics.select(pair)
    without = {reference: counted_without(statistics, reference) for reference in concerned([statistics])}
    rows, notes = [], [*statistics.notes, *_fallen_back(statistics)]
    difference = float("nan")
    for unit in units if every_unit else units[:1]:
        at = whole.at("block").select(pair) if unit == "block" else statistics
        counts = _Counts.at(at, without, replace(settings, unit=unit))
        for test in TESTS.values():
            if test.segment_only and unit != "segment":
                continue
            try:
                family = counts.compared(test)
            except NotApplicable as error:
                rows.append(_nothing(test, unit, str(error)))
                continue
            notes += family.notes if test.name == DEFAULTS[unit].test and unit == units[0] else ()
            difference = family[0].difference
            rows.append(_said(test, unit, family[0], verdict(family[0])))
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
    """The counts of two systems at one unit, with the redraws that the tests share; None where each makes its own.

    without: the same without each reference that one of them is kin to, by how that is said (see `kin`).
    """

    statistics: Statistics
    redrawn: Distribution | None
    settings: Settings
    without: "Mapping[str, Mapping[str, _Counts]]" = field(default_factory=dict)

    @classmethod
    def at(
        cls, statistics: Statistics, without: Mapping[str, Mapping[str, Statistics]], settings: Settings
    ) -> "_Counts":
        """Return the counts with their redraws at the unit of the settings."""
        others = {
            reference: {said: cls.at(counted, {}, settings) for said, counted in counted.items()}
            for reference, counted in without.items()
        }
        return cls(statistics, _redrawn(statistics, settings.bootstrap()), settings, others)

    def compared(self, test: SignificanceTest) -> Family:
        """Return the one comparison by a test, uncorrected, with the doubts that `compare` has.

        Raises:
            NotApplicable: the test is not for these data.
        """
        settings = replace(self.settings, test=test.name, alternative="two-sided")
        chosen = settings.chosen_test(str(settings.unit))
        family = compare(
            self.statistics,
            chosen,
            [(self.statistics.systems[0], self.statistics.systems[1])],
            interval=test.interval,
            level=settings.level,
            drawn=self.redrawn if chosen.scheme.n_draws == settings.n_resamples else None,
        )
        for reference, others in self.without.items():
            family = doubted(family, reference, {said: other.compared(test) for said, other in others.items()})
        return family


def _said(test: SignificanceTest, unit: str, comparison: Comparison, decided: Verdict) -> Audited:
    return Audited(
        test.name, test.label, unit, comparison.p_value, comparison.p_mc_low, comparison.p_mc_high, comparison.exact,
        comparison.ci_low, comparison.ci_high, comparison.interval, comparison.bootstrap_win_rate,
        comparison.significant,
        test.estimand, test.assumes, test.differs, test.printed_only, decided.word, decided.winner,
        decided.withheld_reason,
        decided.caution,
    )  # fmt: skip


def _redrawn(statistics: Statistics, scheme: Bootstrap) -> Distribution | None:
    """Return the redraws that the tests of one unit share; None where each part of the data has its own."""
    statistics = statistics.at(scheme.unit)
    return None if statistics.available is not None or statistics.n < FEWEST_UNITS else resample(statistics, scheme)


def _units(whole: Statistics, pair: list[str], settings: Settings) -> list[ResolvedUnit]:
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


def _nothing(test: SignificanceTest, unit: str, problem: str) -> Audited:
    nan = np.nan
    return Audited(
        test.name, test.label, unit, nan, nan, nan, False, nan, nan, "", nan, None, test.estimand, test.assumes,
        test.differs, test.printed_only, problem=problem,
    )  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """One line as sacreBLEU prints it: a score, its mean ± half width, and both p-values against the baseline."""

    system: str
    score: float
    mean: float
    half_width: float
    p_bootstrap: float | None
    p_randomization: float | None


def all_as_sacrebleu(statistics: Statistics, baseline: str, test: str) -> tuple[Printed, ...]:
    """Return what sacreBLEU prints of a baseline and all other systems by one of its tests, to the digit.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu").at("segment")
    >>> from mtsig.inference._audit import all_as_sacrebleu
    >>> [printed.system for printed in all_as_sacrebleu(statistics, "direct", "sacrebleu-bs")][:2]
    ['direct', 'direct-us']

    test: sacrebleu-bs or sacrebleu-ar; the p of the other is left out.

    Raises:
        UnknownName: there is no such system.
        NotApplicable: the metric is not one of sacreBLEU's, or the units are documents.
    """
    others = [name for name in statistics.systems if name != baseline]
    counts = statistics.select([baseline, *others])
    scheme = SacrebleuBootstrap().scheme
    means = resample_as_sacrebleu(counts, scheme.n_draws, scheme.seed)
    found = compare(counts, test, [(name, baseline) for name in others]).p_value.tolist()
    by_bootstrap = test == SacrebleuBootstrap.name
    return tuple(
        Printed(name, float(score), *mean, p if by_bootstrap else None, None if by_bootstrap else p)
        for name, score, mean, p in zip(counts.systems, counts.scores, means, [None, *found], strict=True)
    )


def as_sacrebleu(statistics: Statistics, system: str, baseline: str) -> tuple[Printed, Printed]:
    """Return what `sacrebleu --paired-bs` and `--paired-ar` print of a baseline and a system, to the digit.

    >>> import mtsig
    >>> from mtsig.inference._audit import as_sacrebleu
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> baseline, system = as_sacrebleu(statistics, "direct", "via-catalan")
    >>> round(system.p_bootstrap, 4), round(system.p_randomization, 4)
    (0.001, 0.0001)

    Raises:
        NotApplicable: the metric is not one of sacreBLEU's, or the units are documents.
    """
    pair = statistics.select([baseline, system])
    scheme = SacrebleuBootstrap().scheme
    means = resample_as_sacrebleu(pair, scheme.n_draws, scheme.seed)
    p_values = [
        float(compare(pair, test, [(system, baseline)]).p_value[0])
        for test in (SacrebleuBootstrap(), SacrebleuRandomization())
    ]
    return (
        Printed(baseline, float(pair.scores[0]), *means[0], None, None),
        Printed(system, float(pair.scores[1]), *means[1], p_values[0], p_values[1]),
    )
