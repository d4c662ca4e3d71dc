"""The record: all that a study is written down as; the class is the form of the file, the schema is made from it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from mtsig.corpus import counted_names
from mtsig.errors import InvalidOption
from mtsig.inference import (
    TESTS,
    Comparison,
    ComparisonConclusions,
    Family,
    Intervals,
    MarginResult,
    Place,
    Ranks,
    Score,
    Settings,
    UnknownTest,
    conclusions,
)
from mtsig.metrics import AUTO, Metric, Tokenizing, Unit, asks_for_rating, metric
from mtsig.options import check
from mtsig.records import OVER_SETS, Count, Decimals, InSet, Level, Ordinal, Record, SystemName, about, of_one_set
from mtsig.resampling import Bootstrap
from mtsig.results import made
from mtsig.study.any_study import SCHEMA, AnyStudy, PlanText, Status
from mtsig.study.fingerprints import Fingerprint
from mtsig.study.request import Margin, Request


@dataclass(frozen=True)
class AskedSettings(Settings):
    """Settings as they were asked for; test, interval and correction may have names that this program does not know."""

    def __post_init__(self) -> None:
        """Check the other options."""
        check(self, but=("test", "interval", "correction"))


@dataclass(frozen=True)
class Asked(Record):
    """What was asked; with the data it gives the same study again."""

    metrics: Annotated[
        tuple[str | None, ...],
        about("The metrics as written on the command line (bleu:tokenize=zh); null for one without a name."),
    ]
    pairs: Annotated[
        SystemName | tuple[tuple[SystemName, SystemName], ...],
        about("all, the system that every other one is compared with, or a list of [first, second]."),
    ]
    joined: Annotated[bool, about("Whether the comparisons of all metrics were judged as one family.")]
    settings: Annotated[AskedSettings, about("The settings as they were asked for.")]
    margins: Annotated[tuple[Margin, ...], about("Margins of equivalence and non-inferiority.")]

    @classmethod
    def of(cls, request: Request) -> "Asked":
        """Return a request as it is written down."""
        pairs = request.pairs if isinstance(request.pairs, str) else tuple(request.pairs)
        settings = AskedSettings(**vars(request.settings))
        return cls(request.choices, pairs, request.joined, settings, request.margins)

    @property
    def again(self) -> Request:
        """The request that was written down.

        Raises:
            InvalidOption: a metric has no name, or there is no such test, interval or correction.
            UnknownName: no such metric.
        """
        try:
            settings = Settings(**vars(self.settings))
        except InvalidOption as error:
            raise InvalidOption(
                f"The study used a method that this program does not know, and cannot be made again here. {error}"
            ) from None
        return Request.named(self.metrics, settings, self.pairs, self.joined, self.margins)


@dataclass(frozen=True)
class Used(Record):
    """The settings as they were used: names that were left to the program, unit and correction may be others."""

    test: Annotated[str | None, about("Significance test, by its name in the program; null where none was used.")]
    interval: Annotated[str | None, about("Method of the intervals, by its name.")]
    correction: Annotated[str | None, about("Correction for the number of comparisons, by its name.")]
    alternative: Annotated[str, about("two-sided, greater (the first is better) or less.")]
    level: Annotated[Level, about("Nominal coverage of the intervals; 1 − level is alpha.")]
    draws: Annotated[Count, about("How often was drawn.")]
    seed: Annotated[Count, about("Seed of the draws.")]
    unit: Annotated[str, about("segment, block or document.")]
    estimand: Annotated[str, about("What the test is about.")]
    rng: Annotated[str, about("Version of the mapping from random words to draws.")]


@dataclass(frozen=True)
class Star(Record):
    """A segment that a reader starred."""

    segment: Annotated[Ordinal, about("Its number in the data, from 1.")]
    note: Annotated[str, about("What was noted of it; may be empty.")]


@dataclass(frozen=True)
class RatingAbout(Record):
    """What is known of a rating."""

    name: Annotated[str, about("Name of the rating, as --metric rating:NAME asks for it.")]
    higher_is_better: Annotated[bool, about("Whether a higher value is a better translation.")]
    known_by: Annotated[str | None, about("How its direction is known: declared, or by its name.")] = None
    judge: Annotated[str | None, about("Who gave it, where that is known.")] = None


@dataclass(frozen=True)
class Data(Record):
    """The data as a whole."""

    segments: Annotated[Count, about("How many segments there are.")]
    documents: Annotated[Count | None, about("How many documents; null without ids.")]
    systems: Annotated[tuple[SystemName, ...], about("Names, in their order.")]
    references: Annotated[tuple[str, ...], about("Names, in their order.")]
    digest: Annotated[str, about("Fingerprint of all texts, names and documents.")]
    ratings: Annotated[tuple[RatingAbout, ...], about("Ratings with their direction and how it is known.")] = ()


@dataclass(frozen=True)
class FirstDraws(Record):
    """SHA-256 of the first ten draws: weights row by row as 16-bit little-endian integers."""

    resampling: Annotated[str, about("Of the resamples that intervals and win rates are made from.")]
    test: Annotated[str, about("Of the draws of the test.")]


@dataclass(frozen=True)
class Ranked(Record):
    """What ranks stand on."""

    units: Annotated[Count, about("Units of the test set.")]
    shared: Annotated[Count, about("How many of them all systems have.")]


@dataclass(frozen=True)
class OfMetric(InSet):
    """What each metric's results have in common."""

    score_unit: Annotated[str, about("Unit of the intervals of single systems.")]
    score_units: Annotated[Count, about("Units that all scores stand on.")]
    unit: Annotated[str, about("Unit of the comparisons.")]
    units: Annotated[Count, about("How many units there are.")]
    test: Annotated[str, about("The test that was used, by its name in the program.")]
    complete: Annotated[bool, about("Whether all arrangements were enumerated.")]
    correction: Annotated[str, about("The correction that was used.")]
    family_size: Annotated[Count, about("How many comparisons were judged together.")]
    first_draws: Annotated[FirstDraws, about("Digests by which other programs know the same draws.")]
    draws: Annotated[Count, about("How often was drawn.")]

    choice: Annotated[str | None, about("The metric as it was asked for, as written on the command line.")]
    metric: Annotated[str, about("Name of the metric.")]
    signature: Annotated[str, about("The metric's signature, in sacreBLEU's style.")]
    higher_is_better: Annotated[bool, about("Whether a higher score is a better one.")]
    judges: Annotated[bool, about("Whether a better score claims a better translation.")]
    decimals: Annotated[Decimals, about("How many decimals of a score are worth printing.")]
    order: Annotated[tuple[SystemName, ...], about("The systems, best score first.")]
    counted_as: Annotated[
        str | None, about("The metric as it was counted: a tokenizer that was left to the text has its name.")
    ] = None
    ranked: Annotated[Ranked | None, about("What ranks stand on; null without ranks.")] = None
    number: Annotated[Count | UnsetType, about("Which of the metrics that were asked for, from 0."), OVER_SETS] = UNSET


@dataclass(frozen=True)
class ComparisonRecord(ComparisonConclusions, Comparison, InSet):
    """A comparison with what follows from its numbers, for readers without this program."""

    @classmethod
    def of(cls, comparison: Comparison) -> "ComparisonRecord":
        """Return the comparison with its conclusions."""
        own = {field.name: getattr(comparison, field.name) for field in fields(Comparison)}
        return cls(**own, **conclusions(comparison).row())

    @property
    def comparison(self) -> Comparison:
        """The numbers alone: conclusions are drawn from them anew."""
        return Comparison(**{field.name: getattr(self, field.name) for field in fields(Comparison)})


@dataclass(frozen=True)
class WithoutReference(InSet):
    """The same comparisons, counted without a reference that a system has far more of than the others."""

    signature: Annotated[str, about("Signature of the metric with all references.")]
    reference: Annotated[str, about("The reference that was left out.")]
    comparisons: Annotated[tuple[ComparisonRecord, ...], about("Rows as in comparisons.")]


@dataclass(frozen=True)
class Draws(Record):
    """How random numbers are made."""

    rng: Annotated[str, about("How random numbers are made from the seed.")]
    block: Annotated[Count, about("Draws per block of random words.")]


@dataclass(frozen=True)
class MetricResult:
    """What one metric says: scores with intervals, comparisons, ranks (of all pairs), and tests against margins.

    judges: whether a better score claims a better translation.
    """

    choice: str | None
    scored: Intervals
    compared: Family
    places: Ranks | None
    margins: tuple[MarginResult, ...]
    judges: bool = True


@dataclass(frozen=True, eq=False)
class Study(AnyStudy):
    """An analysis that can be shown, drawn, written down, read, checked and made again: what `compare` returns.

    >>> import mtsig
    >>> study = mtsig.compare(mtsig.read_sample(), "chrf", baseline="direct")
    >>> [(row["second"], row["verdict"]) for row in study.rows()][:2]
    [('direct', 'better'), ('direct', 'better')]
    >>> study.systems[0].system, round(study.systems[0].score, 2)
    ('direct-us', 46.87)
    """

    schema: Annotated[Literal["mtsig/2"], about("Version of this layout.")]
    mtsig: Annotated[str, about("Version of the program.")]
    status: Annotated[Status, about("planned: made as the analysis plan says; exploratory: everything else.")]
    plan: Annotated[PlanText | None, about("The analysis plan, or null.")]
    request: Annotated[Asked, about("What was asked; with the data it gives the same study again.")]
    settings: Annotated[Used, about("The settings as they were used.")]
    data: Annotated[Data, about("The data as a whole.")]
    texts: Annotated[tuple[Fingerprint, ...], about("Every text of the data.")]
    metrics: Annotated[tuple[OfMetric, ...], Meta(min_length=1), about("What each metric's results have in common.")]
    systems: Annotated[tuple[Score, ...], about("Scores with intervals.")]
    comparisons: Annotated[tuple[ComparisonRecord, ...], about("The comparisons.")]
    ranks: Annotated[tuple[Place, ...], about("What the corrected comparisons allow to say about places.")]
    margins: Annotated[tuple[MarginResult, ...], about("Tests against margins.")]
    notes: Annotated[tuple[str, ...], about("What to know about data and results.")]
    warnings: Annotated[tuple[str, ...], about("Those of the notes that are warnings.")]
    draws: Annotated[Draws, about("How random numbers are made.")]
    made_with: Annotated[Mapping[str, str], about("Versions of the programs that took part.")]
    without_reference: Annotated[
        tuple[WithoutReference, ...],
        about("The same comparisons without a reference that a system has far more of than the others."),
    ] = ()
    part: Annotated[str | None, about("Which part of the test set was taken; null when it was all of it.")] = None
    stars: Annotated[tuple[Star, ...], about("Segments that a reader starred; no result, and not made again.")] = ()
    intact: Annotated[bool, about("Whether the digest has always fitted: false once it did not.")] = True
    digest: Annotated[str, about("SHA-256 of all the rest as canonical JSON: accidental changes are told by it.")] = ""

    def __repr__(self) -> str:
        """Return what was compared in what, in one line."""
        segments = f"{self.data.segments:,} segments"
        metrics = [metric.metric for metric in self.metrics]
        text = f"{counted_names('system', self.data.systems)} in {counted_names('metric', metrics)} on {segments}"
        return f"<Study, {self.status}: {text}>"

    @cached_property
    def asked(self) -> Request:
        """What was asked.

        Raises:
            InvalidOption: a metric of the study has no name in METRICS, or this program lacks one of its methods.
        """
        return self.request.again

    @cached_property
    def counted(self) -> tuple[Metric, ...]:
        """The metrics as they were counted: what was left to the text stays what it was, on whatever machine.

        Raises:
            InvalidOption: a metric of the study has no name in METRICS, or this program lacks one of its methods.
        """
        return tuple(map(_counted, self.asked.metrics, self.metrics))

    @property
    def level(self) -> float:
        """Coverage of the intervals."""
        return self.settings.level

    @cached_property
    def results(self) -> tuple[MetricResult, ...]:
        """The results, one metric after the other."""
        return tuple(self._result(metric) for metric in self.metrics)

    def plot(self, kind: Literal["matrix", "scores"] = "matrix", metric: str | None = None) -> Any:
        """Return a figure of plotly for the screen: the matrix of all pairs, or the scores with their intervals.

        metric: by its name or as it was asked for; the first when None. Figures on paper are in `report`.

        Raises:
            InvalidOption: there is no figure of this kind.
            UnknownName: there is no such metric.
            ProgramError: plotly or matplotlib is not installed.
        """
        return made("figure", self, kind, metric)

    def _result(self, of_metric: OfMetric) -> MetricResult:
        scores = rows_of(of_metric, self.systems)
        pairs = tuple(row.comparison for row in rows_of(of_metric, self.comparisons))
        scored = Intervals(
            **Intervals.columns_of(scores),
            level=self.level,
            unit=of_metric.score_unit,
            higher_is_better=of_metric.higher_is_better,
            decimals=of_metric.decimals,
        )
        compared = self._family(pairs, of_metric)
        places = rows_of(of_metric, self.ranks)
        ranked = None
        if places and of_metric.ranked is not None:
            ranked = Ranks(
                **Ranks.columns_of(places),
                level=self.level,
                correction=of_metric.correction,
                family_size=of_metric.family_size,
                units=of_metric.ranked.units,
                shared=of_metric.ranked.shared,
                decimals=of_metric.decimals,
            )
        return MetricResult(
            of_metric.choice, scored, compared, ranked, rows_of(of_metric, self.margins), of_metric.judges
        )

    def _family(self, pairs: tuple[Comparison, ...], of_metric: OfMetric) -> Family:
        # The record says which test was used, whatever "auto" stands for in this version.
        known = of_metric.test in TESTS
        asked = replace(self.request.settings, test=of_metric.test, draws=of_metric.draws)
        test = asked.chosen_test(of_metric.unit) if known else self._unknown(pairs[0], asked.unit)
        redraws = Bootstrap(test.scheme.n_draws, test.scheme.seed, test.scheme.unit)
        return Family(
            **Family.columns_of(pairs),
            test=test,
            scheme=redraws,
            complete=of_metric.complete,
            order=of_metric.order,
            rated=asks_for_rating(of_metric.choice or ""),
            higher_is_better=of_metric.higher_is_better,
            apart={score.system: score.apart for score in rows_of(of_metric, self.systems) if score.apart},
        )

    def _unknown(self, pair: Comparison, unit: Unit) -> UnknownTest:
        """Return what the study tells of a test that this program does not know."""
        return UnknownTest(
            name=pair.test,
            label=pair.test,
            estimand=pair.estimand,
            too_often="" if pair.controls_type1 else "it errs more often than it says",
            direction=pair.alternative,
            scheme=Bootstrap(self.settings.draws, self.settings.seed, unit),
        )


def _counted(asked: Metric, of_metric: OfMetric) -> Metric:
    """Return the metric as it was counted."""
    if of_metric.counted_as is None:
        return asked
    counted = metric(of_metric.counted_as)
    if not isinstance(asked, Tokenizing) or asked.tokenize != AUTO or not isinstance(counted, Tokenizing):
        return counted
    return replace(counted, by_text=counted.tokenize)


def rows_of(of_metric: Any, rows: Iterable[Any]) -> tuple[Any, ...]:
    """Return the rows that are of the metric of another row: by its name and its signature."""
    return tuple(row for row in rows if (row.metric, row.signature) == (of_metric.metric, of_metric.signature))


@cache
def study_schema() -> dict[str, Any]:
    """Return the JSON Schema of a study (draft 2020-12), made from the class."""
    made = msgspec.json.schema(Study)
    of_study = made["$defs"]["Study"]
    # The example in the docstring is for who writes Python.
    of_study["description"] = of_study["description"].partition("\n\n")[0]
    for row in made["$defs"].values():
        row["properties"] = of_one_set(row["properties"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Study of mtsig, schema {SCHEMA}",
        "description": (
            "An analysis of machine-translation outputs with everything needed to make it again. A reader may rely on "
            f"every key below; later programs of {SCHEMA} may add keys. null stands for a number that does not exist."
        ),
        **made,
    }
