"""Scores over sets: statistics of every set go in; scores with intervals by set, and their averages, come out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mtsig.corpus import Note, listed
from mtsig.errors import MtsigError, expect
from mtsig.inference.distributions import t_quantile
from mtsig.inference.intervals import Intervals
from mtsig.inference.settings import Settings
from mtsig.results import Result
from mtsig.sets.averages import Weights, weights_of
from mtsig.sets.collection import SetStatistics, names_with
from mtsig.sets.families import notes_of
from mtsig.sets.pairs import average, system_over_sets
from mtsig.sets.units import units_over


@dataclass(frozen=True, eq=False)
class ScoresOverSets(Result):
    """The scores of systems in every set with intervals, and their averages over the sets.

    intervals: set -> its scores. averages: of the systems that are in every set, with the jackknife's intervals, a unit
    of several sets left out of all of them at once; None with one set, or no such system.
    """

    intervals: Mapping[str, Intervals]
    averages: Intervals | None
    notes: tuple[Note, ...] = ()

    @property
    def metric(self) -> str:
        """The metric's name."""
        return next(iter(self.intervals.values())).metric

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems: those of every set by their average, best first, then the others as they first appear."""
        first = () if self.averages is None else [self.averages.systems[i] for i in self.averages.order()]
        return tuple(
            dict.fromkeys([*first, *(name for interval in self.intervals.values() for name in interval.systems)])
        )

    def __repr__(self) -> str:
        """Return the metric and the sets, in one line."""
        return f"<ScoresOverSets in {self.metric}: {listed(list(self.intervals))}>"

    def called(self, label: str) -> "ScoresOverSets":
        """Return the same under another name of the metric, which tells it from one of the same name beside it."""
        return replace(
            self,
            intervals={name: intervals.changed(metric=label) for name, intervals in self.intervals.items()},
            averages=None if self.averages is None else self.averages.changed(metric=label),
        )

    def by_score(self) -> "ScoresOverSets":
        """Return the same with the systems of every set best first."""
        return replace(
            self,
            intervals={name: intervals.by_score() for name, intervals in self.intervals.items()},
            averages=None if self.averages is None else self.averages.by_score(),
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per set and system, then those of the averages, whose set is None."""
        rows = [{"set": name, **row} for name, interval in self.intervals.items() for row in interval.rows()]
        return rows + [{"set": None, **row} for row in (self.averages.rows() if self.averages else ())]


def score(statistics: SetStatistics, settings: Settings | None = None, *, weights: Weights = "equal") -> ScoresOverSets:
    """Return the scores of every set with intervals, and their averages.

    >>> import mtsig
    >>> from mtsig.sets import Sets, measure
    >>> score(measure(Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()}), "chrf"))
    <ScoresOverSets in chrF2: a and b>

    Args:
        statistics: what `measure` returned.
        settings: interval, level, draws, seed and unit.
        weights: of the sets in the average, as `compare` takes them.

    Raises:
        NotApplicable: data do not carry the method; the message names the set.
        InvalidOption: weights that are none.
    """
    expect(statistics, SetStatistics, "Give what measure(sets, metric) makes of a collection of test sets")
    settings = settings or Settings()
    score: dict[str, Intervals] = {}
    for name, counted in statistics.of.items():
        try:
            score[name] = settings.intervals(counted)
        except MtsigError as error:
            raise type(error)(f"{name}: {error}") from None
    everywhere = [name for name in statistics.systems if len(names_with(statistics, [name])) == len(score)]
    notes = [*notes_of(score)]
    absent = [name for name in statistics.systems if name not in everywhere]
    if len(score) == 1 or not everywhere:
        return ScoresOverSets(score, None, (*statistics.sets.notes, *notes))
    if absent:
        notes.append(Note("note", f"No average score of {listed(absent)}: only systems of every set have one."))
    units = units_over(statistics, settings.unit, by_order=settings.by_order)
    rows = []
    for system in everywhere:
        over = system_over_sets(statistics, units, system, list(score))
        mean, spread, df = average(over, weights_of(over, weights))
        half = float(t_quantile((1 + settings.level) / 2, df)) * spread
        rows.append((system, mean, mean - half, mean + half, over.n_units, int(over.segments.sum())))
    columns = dict(
        zip(("system", "score", "ci_low", "ci_high", "units", "segments"), zip(*rows, strict=True), strict=True)
    )
    first = next(iter(score.values()))
    kinds = {intervals.unit for intervals in score.values()}
    averages = Intervals(
        **Intervals.columns(
            len(rows),
            metric=statistics.metric,
            signature=statistics.signature,
            interval="jackknife",
            level=settings.level,
            unit=kinds.pop() if len(kinds) == 1 else "unit",
            higher_is_better=first.higher_is_better,
            decimals=first.decimals,
            **columns,
        )
    )
    return ScoresOverSets(score, averages, (*statistics.sets.notes, *units.notes, *notes))
