"""The record of several test sets: what a study over them is written down as, each set's rows beside the averages'."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta

from mtsig.corpus import counted_names, number_of
from mtsig.inference import TESTS, Comparison, Family, Intervals, Place, Score
from mtsig.metrics import Unit, asks_for_rating
from mtsig.records import Count, Decimals, InSet, Record, SystemName, about
from mtsig.resampling import Bootstrap
from mtsig.sets import FamilyOverSets, OverSets, Replicability, ScoresOverSets, SetRanks
from mtsig.study.any_study import SCHEMA, AnyStudy, PlanText, Status
from mtsig.study.fingerprints import Fingerprint
from mtsig.study.record import (
    Asked,
    ComparisonRecord,
    Data,
    Draws,
    OfMetric,
    Study,
    Used,
    WithoutReference,
    rows_of,
)
from mtsig.study.request import OverSetsRequest, Request

R = TypeVar("R", bound=InSet)
M = TypeVar("M", Replicability, SetRanks)


@dataclass(frozen=True)
class AskedOverSets(Asked):
    """What was asked over several sets; with the data it gives the same study again."""

    sets: Annotated[OverSetsRequest, about("The sets, and how they are taken together.")] = field(
        default_factory=OverSetsRequest
    )

    @classmethod
    def of(cls, request: Request) -> "AskedOverSets":
        """Return a request as it is written down."""
        return cls(**vars(Asked.of(request)), sets=request.sets or OverSetsRequest())

    @property
    def again(self) -> Request:
        """The request that was written down; raises as `Asked.again`."""
        return replace(super().again, sets=self.sets)


@dataclass(frozen=True)
class OneSet(Record):
    """One test set: its data, and how its comparisons were made."""

    set: Annotated[str, about("Its name.")]
    data: Annotated[Data, about("Its data as a whole.")]
    texts: Annotated[tuple[Fingerprint, ...], about("Every text of its data.")]
    settings: Annotated[Used | None, about("The settings as they were used; null where no pair is compared.")] = None
    part: Annotated[str | None, about("Which part of the set was taken; null when it was all of it.")] = None


@dataclass(frozen=True)
class Averages(Record):
    """What the averages of a metric have in common."""

    test: Annotated[str, about("The test that was used, by its name in the program.")]
    draws: Annotated[Count, about("How often was drawn, where the test draws.")]
    unit: Annotated[str, about("segment, block, document, or unit where sets have different ones.")]
    order: Annotated[tuple[SystemName, ...], about("The systems, best average first.")]


@dataclass(frozen=True)
class MetricOverSets(Record):
    """What the results of a metric over all sets have in common."""

    choice: Annotated[str | None, about("The metric as it was asked for, as written on the command line.")]
    metric: Annotated[str, about("Name of the metric.")]
    signature: Annotated[str, about("Its signature; where sets differ, each with the sets that it is of.")]
    higher_is_better: Annotated[bool, about("Whether a higher score is a better one.")]
    judges: Annotated[bool, about("Whether a better score claims a better translation.")]
    decimals: Annotated[Decimals, about("How many decimals of a score are worth printing.")]
    joint: Annotated[bool, about("Whether the comparisons of all sets are one family.")]
    shared_units: Annotated[Count, about("How many units are in more than one set.")]
    averages: Annotated[Averages | None, about("What the averages have in common; null where there are none.")] = None


@dataclass(frozen=True)
class ResultOverSets:
    """What one metric says over sets: scores, and comparisons with what the sets say together."""

    choice: str | None
    scored: ScoresOverSets
    compared: FamilyOverSets
    about: MetricOverSets


@dataclass(frozen=True, eq=False)
class SetsStudy(AnyStudy):
    """An analysis over several test sets that can be shown, written down, read, checked and made again."""

    schema: Annotated[Literal["mtsig/2"], about("Version of this layout.")]
    mtsig: Annotated[str, about("Version of the program.")]
    status: Annotated[Status, about("planned: made as the analysis plan says; exploratory: everything else.")]
    plan: Annotated[PlanText | None, about("The analysis plan, or null.")]
    request: Annotated[AskedOverSets, about("What was asked; with the data it gives the same study again.")]
    sets: Annotated[tuple[OneSet, ...], Meta(min_length=1), about("The sets.")]
    skipped: Annotated[Mapping[str, str], about("Sets that could not be read and were left out, with the reason.")]
    over: Annotated[tuple[MetricOverSets, ...], Meta(min_length=1), about("What each metric's results have in common.")]
    metrics: Annotated[tuple[OfMetric, ...], about("What each metric's results in each set have in common.")]
    systems: Annotated[tuple[Score, ...], about("Scores with intervals.")]
    comparisons: Annotated[tuple[ComparisonRecord, ...], about("The comparisons, averages last.")]
    ranks: Annotated[tuple[Place, ...], about("What the corrected comparisons allow to say about places.")]
    over_sets: Annotated[tuple[OverSets, ...], about("What stands beside the average of each pair.")]
    replicability: Annotated[tuple[Replicability, ...], about("In how many sets systems are better at least.")]
    ranks_over_sets: Annotated[tuple[SetRanks, ...], about("Mean ranks over sets.")]
    notes: Annotated[tuple[str, ...], about("What to know about data and results.")]
    warnings: Annotated[tuple[str, ...], about("Those of the notes that are warnings.")]
    draws: Annotated[Draws, about("How random numbers are made.")]
    made_with: Annotated[Mapping[str, str], about("Versions of the programs that took part.")]
    without_reference: Annotated[
        tuple[WithoutReference, ...],
        about("The same comparisons without a reference that a system has far more of than the others."),
    ] = ()
    intact: Annotated[bool, about("Whether the digest has always fitted: false once it did not.")] = True
    digest: Annotated[str, about("SHA-256 of all the rest as canonical JSON: accidental changes are told by it.")] = ""

    def __repr__(self) -> str:
        """Return what was compared in what, in one line."""
        metrics = counted_names("metric", [of_metric.metric for of_metric in self.over])
        return f"<SetsStudy, {self.status}: {metrics} on {number_of(len(self.sets), 'test set')}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The sets."""
        return tuple(part.set for part in self.sets)

    @property
    def level(self) -> float:
        """Coverage of the intervals."""
        return self.request.settings.level

    @cached_property
    def studies(self) -> Mapping[str, Study]:
        """Each set in which something was compared, as a study: corrections are those over all sets."""
        return {
            part.set: self._study(part, part.settings)
            for part in self.sets
            if part.settings is not None and any(row.set == part.set for row in self.metrics)
        }

    def _study(self, one_set: OneSet, used: Used) -> Study:
        own = tuple(replace(row, number=UNSET) for row in _of_set(self.metrics, one_set.set))
        # A large family takes more draws than were asked for, or a test that draws nothing.
        settings = replace(self.request.settings, draws=used.draws, test=used.test or self.request.settings.test)
        asked = vars(self.request) | {"metrics": tuple(row.choice for row in own), "settings": settings}
        return Study(
            schema=self.schema,
            mtsig=self.mtsig,
            status=self.status,
            plan=self.plan,
            request=Asked(**{name: value for name, value in asked.items() if name != "sets"}),
            settings=used,
            data=one_set.data,
            texts=one_set.texts,
            metrics=own,
            systems=_of_set(self.systems, one_set.set),
            comparisons=_of_set(self.comparisons, one_set.set),
            ranks=_of_set(self.ranks, one_set.set),
            margins=(),
            notes=(),
            warnings=(),
            draws=self.draws,
            made_with=self.made_with,
            without_reference=_of_set(self.without_reference, one_set.set),
            part=one_set.part,
        )

    @cached_property
    def results(self) -> tuple[ResultOverSets, ...]:
        """The results, one metric after the other."""
        return tuple(self._result(number, of_metric) for number, of_metric in enumerate(self.over))

    def _result(self, number: int, metric_over_sets: MetricOverSets) -> ResultOverSets:
        numbers = {name: [row.number for row in self.metrics if row.set == name] for name in self.studies}
        by_set = {
            name: study.results[numbers[name].index(number)]
            for name, study in self.studies.items()
            if number in numbers[name]
        }
        scores, pairs = (rows_of(metric_over_sets, _of_set(rows, None)) for rows in (self.systems, self.comparisons))
        at = metric_over_sets.averages
        averages = None
        if at is not None:
            rated = asks_for_rating(metric_over_sets.choice or "")
            averages = self._averages(
                tuple(row.comparison for row in pairs), at, rated, metric_over_sets.higher_is_better
            )
        scored = None
        if scores:
            unit = "unit" if at is None else at.unit
            scored = Intervals(
                **Intervals.columns_of(scores),
                level=self.level,
                unit=unit,
                higher_is_better=metric_over_sets.higher_is_better,
                decimals=metric_over_sets.decimals,
            )
        return ResultOverSets(
            metric_over_sets.choice,
            ScoresOverSets({name: result.scored for name, result in by_set.items()}, scored),
            FamilyOverSets(
                {name: result.compared for name, result in by_set.items()},
                averages,
                rows_of(metric_over_sets, self.over_sets),
                tuple(map(_alone, rows_of(metric_over_sets, self.replicability))),
                next(map(_alone, rows_of(metric_over_sets, self.ranks_over_sets)), None),
                metric_over_sets.joint,
                self.names,
                self.all_notes,
            ),
            metric_over_sets,
        )

    def _averages(self, pairs: tuple[Comparison, ...], at: Averages, rated: bool, higher_is_better: bool) -> Family:
        settings = replace(self.request.settings, draws=at.draws)
        # Where sets have different units the averages were drawn from neither, but by the jackknife.
        unit: Unit = "segment" if at.unit == "segment" else "block" if at.unit == "block" else "document"
        known = at.test if at.test in TESTS else "jackknife-t"
        test = replace(settings, test=known).chosen_test(unit)
        redraws = Bootstrap(at.draws, settings.seed, unit)
        return Family(
            **Family.columns_of(pairs),
            test=test,
            scheme=redraws,
            complete=False,
            order=at.order,
            rated=rated,
            higher_is_better=higher_is_better,
        )


def _of_set(rows: tuple[R, ...], name: str | None) -> tuple[R, ...]:
    """Return the rows of one set, or of the averages, as they would be without others."""
    return tuple(replace(row, set=UNSET) for row in rows if row.set == name)


def _alone(row: M) -> M:
    """Return the row as it is where one metric is told of."""
    return replace(row, metric=UNSET, signature=UNSET)


@cache
def sets_study_schema() -> dict[str, Any]:
    """Return the JSON Schema of a study over several sets (draft 2020-12), made from the class."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Study of mtsig over several test sets, schema {SCHEMA}",
        "description": (
            "An analysis over several test sets with everything needed to make it again. It has the key sets, which a "
            "study of one set lacks; rows whose set is null are averages over the sets. null stands for a number that "
            "does not exist."
        ),
        **msgspec.json.schema(SetsStudy),
    }
