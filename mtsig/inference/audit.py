"""Audit: one pair, every test side by side, and why they differ."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from mtsig.corpus import MIN_DOCUMENTS
from mtsig.errors import NotApplicable
from mtsig.inference.compare import compare
from mtsig.inference.settings import Settings
from mtsig.inference.targets import FEWEST_UNITS
from mtsig.inference.tests import (
    TESTS,
    SacrebleuBootstrap,
    SacrebleuRandomization,
    SignificanceTest,
    resample_as_sacrebleu,
)
from mtsig.metrics import Statistics
from mtsig.notebook import Shown
from mtsig.resampling import Bootstrap, Distribution, resample, sign_of


@dataclass(frozen=True)
class Audited:
    """What one test says of the pair, uncorrected; `problem` says why it says nothing.

    p_low, p_high: binomial interval of a simulated p-value. low, high: the interval that goes with the test.
    significant: None without a p-value, and while drawing leaves open on which side of alpha it lies.
    """

    test: str
    label: str
    unit: str
    p_value: float
    p_low: float
    p_high: float
    exact: bool
    low: float
    high: float
    interval: str
    wins: float
    significant: bool | None
    estimand: str
    assumes: str
    differs: str
    printed_only: bool
    problem: str | None = None

    @property
    def has_p(self) -> bool:
        """Whether the method gives a p-value here."""
        return not np.isnan(self.p_value)


@dataclass(frozen=True, eq=False)
class Audit(Shown):
    """One pair under every test; `rows` for each test, and for each unit that the data allow."""

    metric: str
    signature: str
    first: str
    second: str
    difference: float
    level: float
    audited: tuple[Audited, ...] = field(repr=False)
    decimals: int = 2

    def __iter__(self) -> Iterator[Audited]:
        """Go through the tests."""
        return iter(self.audited)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per test and unit."""
        return [{"metric": self.metric, "first": self.first, "second": self.second, **vars(one)} for one in self]

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a table."""
        return pd.DataFrame(self.rows())


def audit(statistics: Statistics, first: str, second: str, settings: Settings | None = None) -> Audit:
    """Return what every test says of one pair, by itself and uncorrected, by documents and by segments.

    Raises:
        UnknownName: no such system.
        NotApplicable: a system is held against itself.
    """
    settings = settings or Settings()
    if first == second:
        raise NotApplicable(f"System {first!r} cannot be compared with itself.")
    # The draws depend on the units alone: two systems by themselves get the same p-values as in larger company.
    statistics = statistics.select([first, second])
    found = []
    difference = float("nan")
    for unit in _units(statistics, settings):
        redrawn = _redrawn(statistics, replace(settings, unit=unit).bootstrap())
        for test in TESTS.values():
            if test.segment_only and unit == "document":
                continue
            chosen = replace(settings, test=test.name, unit=unit, alternative="two-sided").chosen_test(unit)
            drawn = redrawn if chosen.plan.n_draws == settings.draws else None
            try:
                one = compare(
                    statistics,
                    chosen,
                    [(first, second)],
                    interval=test.interval,
                    level=settings.level,
                    drawn=drawn,
                )[0]
            except NotApplicable as error:
                found.append(_nothing(test, unit, str(error)))
                continue
            difference = one.difference
            found.append(
                Audited(
                    test.name, test.label, unit, one.p_value, one.p_low, one.p_high, one.exact, one.low, one.high,
                    one.interval, one.wins, one.significant, test.estimand, test.assumes, test.differs,
                    test.printed_only,
                )
            )  # fmt: skip
    if np.isnan(difference):
        # Where no test can be made, as on one segment, the scores still differ by something.
        with suppress(NotApplicable):
            shared = statistics.shared_by([first, second])
            difference = sign_of(shared.metric) * float(shared.scores[0] - shared.scores[1])
    metric = statistics.metric
    return Audit(
        metric.name, statistics.signature, first, second, difference, settings.level, tuple(found), metric.decimals
    )


def _redrawn(statistics: Statistics, plan: Bootstrap) -> Distribution | None:
    """Return the redraws that the tests of one unit share; None where each part of the data has its own."""
    statistics = statistics.at(plan.unit)
    return None if statistics.coverage is not None or statistics.n < FEWEST_UNITS else resample(statistics, plan)


def _units(statistics: Statistics, settings: Settings) -> list[Literal["segment", "document"]]:
    """Return the unit of the analysis first, and the other one beside it where the data allow it."""
    if statistics.unit == "document":
        return ["document"]
    asked = statistics.at(settings.unit).unit
    try:
        documents = statistics.at("document")
    except NotApplicable:
        return ["segment"]
    if documents.units_of(statistics.systems) < MIN_DOCUMENTS:
        return ["segment"]
    return ["document", "segment"] if asked == "document" else ["segment", "document"]


def _nothing(test: SignificanceTest, unit: str, problem: str) -> Audited:
    nan = np.nan
    return Audited(
        test.name, test.label, unit, nan, nan, nan, False, nan, nan, "", nan, None, test.estimand, test.assumes,
        test.differs, test.printed_only, problem,
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


def as_sacrebleu(statistics: Statistics, system: str, baseline: str) -> tuple[Printed, Printed]:
    """Return what `sacrebleu --paired-bs` and `--paired-ar` print of a baseline and a system, to the digit.

    Raises:
        NotApplicable: the metric is not one of sacreBLEU's, or the units are documents.
    """
    pair = statistics.select([baseline, system])
    plan = SacrebleuBootstrap().plan
    means = resample_as_sacrebleu(pair, plan.n_draws, plan.seed)
    p_values = [
        float(compare(pair, test, [(system, baseline)]).p_value[0])
        for test in (SacrebleuBootstrap(), SacrebleuRandomization())
    ]
    return (
        Printed(baseline, float(pair.scores[0]), *means[0], None, None),
        Printed(system, float(pair.scores[1]), *means[1], p_values[0], p_values[1]),
    )
