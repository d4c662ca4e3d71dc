"""Confidence intervals: targets and a level go in, Intervals come out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig._records import (
    Count,
    Decimals,
    Estimates,
    Floats,
    Index,
    Level,
    MetricRecord,
    Number,
    SystemName,
    Texts,
    about,
    at_most,
)
from mtsig.corpus import Note, counted_names, ranked_systems
from mtsig.errors import InvalidOption, NotApplicable, UnknownName, find
from mtsig.inference.cautions import cautions
from mtsig.inference.comparison import NO_TEXT
from mtsig.inference.defaults import AUTO, DEFAULTS
from mtsig.inference.methods import INTERVALS, Ends, IntervalMethod
from mtsig.inference.targets import Pairs, Scores
from mtsig.metrics import FEWEST_UNITS, Statistics, expect_statistics
from mtsig.resampling import Bootstrap, Distribution


@dataclass(frozen=True)
class Interval:
    """One estimate with its confidence interval: a procedure that covers the truth in a share `level` of test sets."""

    estimate: float
    ci_low: float
    ci_high: float
    level: float
    method: str
    decimals: int = 2


N = TypeVar("N")  # numbers
C = TypeVar("C")  # counts
T = TypeVar("T")  # texts
S = TypeVar("S")  # names of systems


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreFields(Generic[N, C, T, S]):
    """What differs from system to system; each type stands for one value in a row, and for an array in columns."""

    system: Annotated[S, about("Name of the system.")]
    score: Annotated[N, about("Its score.")]
    ci_low: Annotated[N, about("Lower end of the interval."), at_most("ci_high")]
    ci_high: Annotated[N, about("Upper end of the interval.")]
    interval: Annotated[T, about("Method of this interval: percentile where the one asked for has no value.")]
    units: Annotated[C, about("Units that this score stands on; fewer than others' where the system lacks some.")]
    segments: Annotated[C, about("Segments that this score stands on.")]
    apart: Annotated[
        T, about("Why the system is set apart: it has text of a reference, or is one; empty as a rule.")
    ] = NO_TEXT


@dataclass(frozen=True, kw_only=True)
class Score(ScoreFields[Number, Count, str, SystemName], MetricRecord):
    """A system's score with its interval."""


@dataclass(frozen=True, kw_only=True)
class IntervalsHeader(MetricRecord):
    """What is the same for all scores by one metric."""

    level: Annotated[Level, about("Nominal coverage of the intervals.")]
    unit: Annotated[str, about("What the intervals take for a unit: segment, block (of segments) or document.")]
    higher_is_better: Annotated[bool, about("Whether a higher score is a better one.")]
    decimals: Annotated[Decimals, about("Decimals in which scores are shown.")] = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Intervals(ScoreFields[Floats, Index, Texts, Texts], Estimates[IntervalsHeader, Score]):
    """Scores with confidence intervals, one per system; its columns are those of `ScoreFields`, of shape (s,)."""

    called = "system"
    of_header = IntervalsHeader
    of_heading = IntervalsHeader
    of_rows = Score

    notes: tuple[Note, ...] = ()

    @property
    def level(self) -> float:
        """Nominal coverage of the intervals."""
        return self.header.level

    @property
    def unit(self) -> str:
        """What the intervals take for a unit."""
        return self.header.unit

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is a better one."""
        return self.header.higher_is_better

    @property
    def decimals(self) -> int:
        """Decimals in which scores are shown."""
        return self.header.decimals

    def __repr__(self) -> str:
        """Return what has intervals, in one line."""
        return f"<Intervals in {self.metric}: {counted_names('system', self.systems)}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return self.system

    @property
    def n_units(self) -> int:
        """How many units the best covered system stands on: all of them, as a rule."""
        return int(self.units.max())

    def __getitem__(self, system: str) -> Interval:
        """Return the interval of one system."""
        if system not in self.systems:
            raise UnknownName(f"There is no system called {system!r}. Known: {', '.join(self.systems)}.")
        record = self.records[self.systems.index(system)]
        return Interval(record.score, record.ci_low, record.ci_high, self.level, record.interval, self.decimals)

    def order(self) -> list[int]:
        """Return the positions of the systems, best first, then those that are set apart.

        Equal scores keep the order of the systems.
        """
        best_first = -self.score if self.higher_is_better else self.score
        return sorted(np.argsort(best_first, kind="stable").tolist(), key=lambda i: bool(self.apart[i]))

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        """The systems that can be called the best."""
        return ranked_systems(
            self.systems, [name for name, apart in zip(self.system, self.apart, strict=True) if apart]
        )

    def by_score(self) -> "Intervals":
        """Return the same with the systems best first."""
        return self.with_rows([self.records[i] for i in self.order()])


def check_level(level: float) -> float:
    """Return the level.

    Raises:
        InvalidOption: it is no share between 0.5 and 0.9999.
    """
    if not 0.5 <= level <= 0.9999:
        hint = f" Write {level / 100:g} for {level:g}%." if 50 <= level < 100 else ""
        raise InvalidOption(f"The level is a share from 0.5 to 0.9999, such as 0.95; found {level:g}.{hint}")
    return level


def ends_of(targets: Scores | Pairs, method: str | IntervalMethod, level: float) -> tuple[Ends, tuple[str, ...]]:
    """Return the ends of the intervals of all targets, and for each the name of the method that made it."""
    chosen = find(INTERVALS, method, "interval")
    if targets.units.min() < FEWEST_UNITS:
        raise NotApplicable("One unit alone has no spread: at least 2 segments (or documents) are needed.")
    low, high = chosen.ends(targets, check_level(level))
    names = np.full(low.shape, chosen.name, dtype=object)
    undefined = np.isnan(low)
    if undefined.any():
        other_low, other_high = INTERVALS["percentile"].ends(targets, level)
        low, high = np.where(undefined, other_low, low), np.where(undefined, other_high, high)
        names[undefined] = "percentile"
    return (low, high), tuple(names)


def fallback_note(names: Sequence[str], methods: Sequence[str], asked: str | IntervalMethod) -> tuple[Note, ...]:
    """Return a note that names the targets whose interval is not of the method asked for."""
    wanted = find(INTERVALS, asked, "interval").name
    fallen = [name for name, method in zip(names, methods, strict=True) if method != wanted]
    if not fallen:
        return ()
    text = (
        "The score has no derivative where an n-gram order has no match, or none without some unit; percentile "
        "intervals for: "
    )
    return (Note("note", f"{text}{', '.join(fallen)}."),)


def interval(
    statistics: Statistics,
    method: str | IntervalMethod = AUTO,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
    drawn: Distribution | None = None,
) -> Intervals:
    """Return a confidence interval for every system's score.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> direct = mtsig.interval(statistics)["direct"]
    >>> round(direct.estimate, 2), round(direct.ci_low, 2), round(direct.ci_high, 2)
    (19.2, 16.78, 21.61)

    Args:
        statistics: what `measure` returned.
        method: a name in INTERVALS, a method object, or "auto" for the jackknife.
        level: coverage, such as .95.
        scheme: draws and unit; 10,000 draws of documents when None (without at least ten documents of segments, or of
            blocks where neighbouring segments are alike).
        drawn: the distribution by that scheme, when it was drawn together with other metrics'.

    Raises:
        UnknownName: no such method.
        InvalidOption: the level is out of range.
        NotApplicable: the statistics cannot be resampled so.
    """
    expect_statistics(statistics)
    expect_arguments(interval, locals())
    check_level(level)
    scheme = scheme or Bootstrap()
    by_order = method == AUTO or not find(INTERVALS, method, "interval").segment_only
    scores = Scores(statistics.at(scheme.unit, by_order=by_order), scheme, drawn)
    method = DEFAULTS[scores.statistics.unit].interval if method == AUTO else method
    caveats = statistics.metric.caveats(scores.statistics)
    alone = int(scores.units.max()) < FEWEST_UNITS
    lacking: tuple[Note, ...] = ()
    if alone:
        # A score is a fact of the test set; only its interval needs a spread.
        find(INTERVALS, method, "interval")
        low = high = np.full(len(scores.labels), np.nan)
        methods = ("none",) * len(scores.labels)
        lacking = (Note("warning", f"One {scores.statistics.unit} alone has no spread, so no score has an interval."),)
    else:
        (low, high), methods = ends_of(scores, method, level)
        lacking = (*fallback_note(statistics.systems, methods, method), *cautions(scores))
    columns = Intervals.columns(
        len(statistics.systems),
        metric=statistics.metric.name,
        signature=statistics.signature,
        system=statistics.systems,
        score=scores.estimate,
        ci_low=low,
        ci_high=high,
        interval=methods,
        units=scores.units,
        segments=scores.segments,
        apart=[statistics.apart.get(name, "") for name in statistics.systems],
        level=level,
        unit=scores.statistics.unit,
        higher_is_better=statistics.metric.higher_is_better,
        decimals=statistics.metric.decimals,
    )
    return Intervals(**columns, notes=scores.statistics.notes + caveats + lacking)
