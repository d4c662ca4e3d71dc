"""The record: all that a study is written down as; the class is the form of the file, the schema is made from it.

A study is of one test set, or of several that are taken together. Its results are estimates (see `mtsig._records`).
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, overload

import msgspec
from msgspec import Meta

from mtsig import _records
from mtsig._options import check
from mtsig._records import Count, Decimals, Level, Ordinal, Record, SystemName, about
from mtsig._results import NamedRows, Result, Tabled, as_in_pandas, frame_of, made
from mtsig._writing import write_file
from mtsig.collection import Averaging, FamilyOverSets, OverSets, PairOverSets, Replicability, ScoresOverSets
from mtsig.collection._beyond import SetRanks
from mtsig.corpus import Note
from mtsig.corpus._notes import counted_names, number_of
from mtsig.errors import InvalidOption, Named, NotApplicable, expect, find, item_at
from mtsig.inference import Comparison, Family, Intervals, Margins, Ranks, Settings
from mtsig.inference._intervals import Score
from mtsig.inference._margins import MarginResult
from mtsig.inference._ranks import Place
from mtsig.metrics import Metric, metric
from mtsig.metrics._counting import AUTO, Tokenizing
from mtsig.study._differences import Fingerprint
from mtsig.study._request import AnalysisPlan, Judging, Margin, Request, plan_of

if TYPE_CHECKING:
    from mtsig._results import DataFrame

__all__ = ["FamilyOverSets", "OverSets", "PairOverSets", "Replicability", "ScoresOverSets"]

SCHEMA: Literal["mtsig/3"] = "mtsig/3"
"""Version of the layout; a reader may rely on every key that it had."""

REPORT_FORMATS = ("html", "latex", "pdf", "json")
"""The formats of a report for which none are named."""

UNCHECKED = "These results were not checked against data: they come from the study file."
"""What is said of a study that was read, and not made again."""

Status = Literal["planned", "exploratory"]


@dataclass(frozen=True)
class PlanText(Record):
    """An analysis plan."""

    digest: Annotated[str, about("SHA-256 of the text.")]
    text: Annotated[str, about("The TOML file.")]

    @property
    def sha256(self) -> str:
        """The digest in hexadecimal digits alone, of which sentences show the first."""
        return self.digest.removeprefix("sha256:")


def digest_of(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a study as canonical JSON, all of it but its own digest."""
    bare = {name: value for name, value in record.items() if name != "digest"}
    text = json.dumps(bare, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


@dataclass(frozen=True)
class AskedSettings(Settings):
    """Settings as they were asked for; test, interval and correction may have names that this program does not know."""

    def __post_init__(self) -> None:
        """Check the other options."""
        check(self, but=("test", "interval", "correction"))


@dataclass(frozen=True)
class Asked(Record):
    """The request; with the same data it gives the same study again."""

    metrics: Annotated[
        tuple[str | None, ...],
        about("The metrics as written on the command line (bleu:tokenize=zh); null for a metric without a name."),
    ]
    pairs: Annotated[
        SystemName | tuple[tuple[SystemName, SystemName], ...],
        about("all, the name of the baseline that every other system is compared with, or a list of [first, second]."),
    ]
    joined: Annotated[bool, about("Whether the comparisons of all metrics were corrected as one family.")]
    settings: Annotated[AskedSettings, about("The settings as they were requested.")]
    margins: Annotated[tuple[Margin, ...], about("Margins of equivalence and non-inferiority.")]
    sets: Annotated[Averaging | None, about("How several test sets are combined; null if there is only one.")] = None
    by: Annotated[
        str | None, about("How one test set was divided into subsets, which are then the sets; else null.")
    ] = None
    preferences: Annotated[Judging | None, about("How preferences were analysed; null for other data.")] = None

    @classmethod
    def of(cls, request: Request) -> "Asked":
        """Return a request as it is written down."""
        pairs = request.pairs if isinstance(request.pairs, str) else tuple(request.pairs)
        settings = AskedSettings(**vars(request.settings))
        chosen = request.choices, pairs, request.joined, settings, request.margins
        return cls(*chosen, request.sets, request.by, request.preferences)

    @property
    def again(self) -> Request:
        """The request that was written down."""
        try:
            settings = Settings(**vars(self.settings))
        except InvalidOption as error:
            raise InvalidOption(
                f"The study uses a method this version does not know, so it cannot be re-run. {error}"
            ) from None
        return Request.named(self.metrics, settings, self.pairs, self.joined, self.margins, self.sets, self.by)


@dataclass(frozen=True)
class Used(Record):
    """The settings as they were used: names that were left to the program, unit and correction may be others."""

    test: Annotated[str | None, about("Name of the significance test in the program; null if none was used.")]
    interval: Annotated[str | None, about("Name of the method of confidence intervals.")]
    correction: Annotated[str | None, about("Name of the correction for the number of comparisons.")]
    alternative: Annotated[str, about("Alternative: two-sided, greater (the first is better) or less.")]
    level: Annotated[Level, about("Nominal coverage of confidence intervals; alpha is 1 − level.")]
    n_resamples: Annotated[Count, about("Number of resamples.")]
    seed: Annotated[Count, about("Random seed of the resamples.")]
    unit: Annotated[str, about("Sampling unit: segment, block or document; for preferences also item.")]
    estimand: Annotated[str, about("Question that the test answers.")]
    rng: Annotated[str, about("Version of the method that turns random bits into resamples.")]


@dataclass(frozen=True)
class Star(Record):
    """A segment that a reader starred."""

    segment: Annotated[Ordinal, about("Number of the segment in the data, from 1.")]
    note: Annotated[str, about("The user's note on this segment; may be empty.")]


@dataclass(frozen=True)
class RatingAbout(Record):
    """What is known of a rating."""

    name: Annotated[str, about("Name of the rating: the NAME in --metric rating:NAME.")]
    higher_is_better: Annotated[bool, about("Whether higher values mean better translations.")]
    direction_source: Annotated[str | None, about("How this direction is known: declared, or by its name.")] = None
    rater: Annotated[str | None, about("The rater, where known.")] = None


@dataclass(frozen=True)
class Data(Record):
    """The data as a whole."""

    segments: Annotated[Count, about("Number of segments.")]
    documents: Annotated[Count | None, about("Number of documents; null if there are no document ids.")]
    systems: Annotated[tuple[SystemName, ...], about("Names of the systems, in the order of the data.")]
    references: Annotated[tuple[str, ...], about("Names of the references, in the order of the data.")]
    digest: Annotated[str, about("Fingerprint of all texts, names and documents.")]
    ratings: Annotated[tuple[RatingAbout, ...], about("Ratings, each with its direction and how this is known.")] = ()


@dataclass(frozen=True)
class FirstDraws(Record):
    """SHA-256 of the first ten draws: weights row by row as 16-bit little-endian integers."""

    resampling: Annotated[str, about("Digest of the resamples that are used for intervals and win rates.")]
    test: Annotated[str, about("Digest of the resamples or swaps that are used by the test.")]


@dataclass(frozen=True)
class Draws(Record):
    """How random numbers are made."""

    rng: Annotated[str, about("How random numbers are generated from the seed.")]
    block: Annotated[Count, about("Number of resamples per block of random bits.")]


@dataclass(frozen=True)
class MetricResult(Record, Tabled):
    """What one metric says of a test set: scores with intervals, comparisons, ranks, and tests against margins.

    A kept study has no draws and no statistics; its families and scores keep no notes, which are the study's.
    """

    in_file: ClassVar[Mapping[str, str]] = {
        "scored": "systems",
        "compared": "comparisons",
        "places": "ranks",
        "against": "margins",
    }

    metric_spec: Annotated[str | None, about("The requested metric, as written on the command line.")]
    scored: Annotated[Intervals, about("Scores with intervals.")]
    compared: Annotated[Family, about("The comparisons.")]
    places: Annotated[Ranks | None, about("Ranks that follow from the comparisons; null without all pairs.")] = None
    against: Annotated[tuple[Margins, ...], about("Tests against margins, one family for each margin.")] = ()
    number: Annotated[Count, about("Position of the metric among the requested ones, counted from 0.")] = 0
    counted_as: Annotated[str | None, about("The metric as computed, with the name of an automatic tokenizer.")] = None
    units: Annotated[Count, about("Number of sampling units.")] = 0
    first_draws: Annotated[FirstDraws | None, about("Digests by which other programs recognize the resamples.")] = None
    without_reference: Annotated[
        Mapping[str, Family],
        about("Comparisons without a reference that one system overlaps with, by this reference."),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Tell the comparisons which of their systems are not ranked, as the scores say."""
        super().__post_init__()
        there = self.compared.order
        unranked = {score.system: score.unranked for score in self.scored if score.unranked and score.system in there}
        if unranked != self.compared.unranked:
            object.__setattr__(self, "compared", replace(self.compared, unranked=unranked))

    @overload
    def __getitem__(self, which: str | int) -> Score: ...
    @overload
    def __getitem__(self, which: tuple[str, str]) -> Comparison: ...
    def __getitem__(self, which: str | int | tuple[str, str]) -> Score | Comparison:
        """Return the score of a system by its name or index, or the comparison of two by both names."""
        return self.compared[which] if isinstance(which, tuple) else self.scored[which]

    def __contains__(self, which: object) -> bool:
        """Return whether a record, or a system or two of them by their names, is here."""
        return which in (self.compared if isinstance(which, tuple | Comparison) else self.scored)

    def __repr__(self) -> str:
        """Return the parts that it has, in one line."""
        parts = ", ".join(f"{name}={part!r}" for name in self.in_file if (part := getattr(self, name)))
        return f"MetricResult({parts})"

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.compared.metric

    @property
    def margins(self) -> NamedRows[MarginResult]:
        """The pairs against every margin."""
        return NamedRows(row for margins in self.against for row in margins)

    @property
    def is_quality_metric(self) -> bool:
        """Whether the metric measures quality, so that one direction is better."""
        return self.compared.header.is_quality_metric


@dataclass(frozen=True)
class OneSet(Record):
    """One test set: its data, how its comparisons were made, and what they say."""

    set: Annotated[str | None, about("Name of the test set; null if it is the only one.")]
    data: Annotated[Data, about("Description of the data as a whole.")]
    texts: Annotated[NamedRows[Fingerprint], about("Fingerprint of every text in the data.")]
    settings: Annotated[Used | None, about("The settings as they were used; null if no pair was compared.")]
    results: Annotated[NamedRows[MetricResult], about("Results by metric.")]
    subset: Annotated[str | None, about("Subset of the test set that was used; null if all of it was used.")] = None

    def __getitem__(self, metric: str | int) -> MetricResult:
        """Return what one metric says of the set, by its name or index."""
        return self.results[metric]


@dataclass(frozen=True)
class MetricOverSets(Record):
    """What one metric says over all sets together."""

    in_file: ClassVar[Mapping[str, str]] = {"scored": "systems", "averages": "comparisons"}

    metric_spec: Annotated[str | None, about("The requested metric, as written on the command line.")]
    metric: Annotated[str, about("Name of the metric.")]
    signature: Annotated[str, about("Signature of the metric; if it differs between sets, each with its sets.")]
    higher_is_better: Annotated[bool, about("Whether higher scores are better.")]
    is_quality_metric: Annotated[bool, about("Whether the metric measures quality, so that one direction is better.")]
    decimals: Annotated[Decimals, about("Number of decimals in displayed scores.")]
    joint: Annotated[bool, about("Whether the comparisons of all sets are one family.")]
    shared_units: Annotated[Count, about("Number of units that are in more than one set.")]
    scored: Annotated[Intervals | None, about("Average scores; null if no system is in every set.")] = None
    averages: Annotated[Family | None, about("Average differences; null without averages.")] = None
    described: Annotated[tuple[OverSets, ...], about("Details of the average difference of each pair.")] = ()
    replicability: Annotated[tuple[Replicability, ...], about("In how many sets, at least, a system is better.")] = ()
    ranks: Annotated[SetRanks | None, about("Mean ranks over sets; null with fewer than 5 sets.")] = None


@dataclass(frozen=True)
class ResultOverSets(Tabled):
    """What one metric says over sets: scores, and comparisons with what the sets say together."""

    metric_spec: str | None
    scored: ScoresOverSets
    compared: FamilyOverSets
    about: MetricOverSets
    sets: Mapping[str, MetricResult] = field(default_factory=dict)

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.about.metric

    def __getitem__(self, which: str | int | tuple[str, str]) -> Any:
        """Return what the metric says of one set, by its name or index, or of two systems on average, by both names."""
        if isinstance(which, tuple) and self.about.averages is not None:
            return self.about.averages[which]
        places = {name: [number] for number, name in enumerate(self.sets)}
        return item_at(list(self.sets.values()), which, "test set", places)


@dataclass(frozen=True, eq=False)
class Study(Record, Result):
    """An analysis with its results, as returned by `compare` and `read_study`.

    With one test set, `data`, `texts`, `settings` and `results` describe it. With several, `over` holds the results.

    Examples
    --------
    >>> import mtsig
    >>> study = mtsig.compare(mtsig.read_sample(), "chrf", baseline="direct")
    >>> [(row["second"], row["verdict"]) for row in study.rows()][:2]
    [('direct', 'better'), ('direct', 'better')]
    >>> study.systems[0].system, round(study.systems[0].score, 2)
    ('direct-us', 46.87)
    """

    in_file: ClassVar[Mapping[str, str]] = {"together": "over"}
    _uses: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("scores", "score", "scored", "mean"), 'to_frame("scores")'),
        "compared": "to_frame()",
        "load": "mtsig.read_study(path)",
    }

    schema: Annotated[Literal["mtsig/3"], about("Version of this file layout.")]
    mtsig: Annotated[str, about("Version of the program.")]
    status: Annotated[Status, about("planned if it follows an analysis plan, else exploratory.")]
    plan: Annotated[PlanText | None, about("The analysis plan; null if there is none.")]
    request: Annotated[Asked, about("The request. With the same data, it gives the same study again.")]
    sets: Annotated[NamedRows[OneSet], Meta(min_length=1), about("The test sets, each with its results.")]
    together: Annotated[
        NamedRows[MetricOverSets], about("Results by metric over several test sets; empty if there is only one.")
    ]
    notes: Annotated[tuple[str, ...], about("Notes on the data and the results.")]
    warnings: Annotated[tuple[str, ...], about("Those of the notes that are warnings.")]
    raters: Annotated[tuple[str, ...], about("Those of the notes that say for which raters the verdicts hold.")]
    draws: Annotated[Draws, about("How random numbers are generated.")]
    made_with: Annotated[Mapping[str, str], about("Versions of mtsig, Python and the libraries used.")]
    skipped: Annotated[Mapping[str, str], about("Sets that could not be read and were left out, with the reason.")] = (
        field(default_factory=dict)
    )
    stars: Annotated[tuple[Star, ...], about("Segments that a user starred; not computed again.")] = ()
    intact: Annotated[bool, about("Whether the digest has always been correct.")] = True
    digest: Annotated[str, about("SHA-256 of everything else as canonical JSON; it shows accidental changes.")] = ""

    def __repr__(self) -> str:
        """Return what was compared in what, in one line."""
        if self.several:
            metrics = counted_names("metric", [of_metric.metric for of_metric in self.together])
            where = number_of(len(self.sets), "part" if self.request.by else "test set")
            return f"<Study, {self.status}: {metrics} on {where}{' of a test set' if self.request.by else ''}>"
        segments = f"{self.data.segments:,} segments"
        metrics = counted_names("metric", [result.compared.metric for result in self.results])
        return f"<Study, {self.status}: {counted_names('system', self.data.systems)} in {metrics} on {segments}>"

    # --- one test set, or several ---------------------------------------------------------------------------------

    @property
    def several(self) -> bool:
        """Whether the study has several test sets, or several subsets of one."""
        return self.request.sets is not None or self.request.by is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the test sets; empty if the study has a single unnamed test set."""
        return tuple(part.set for part in self.sets if part.set is not None)

    @property
    def _alone(self) -> OneSet:
        if self.several:
            raise NotApplicable(
                "This study has several test sets: each of study.sets has its own data, texts, settings and results."
            )
        (alone,) = self.sets
        return alone

    @property
    def data(self) -> Data:
        """The data of the study's only test set.

        Raises
        ------
        NotApplicable
            The study has several test sets, so `texts`, `settings`, `subset` and `results` are not available either.
        """
        return self._alone.data

    @property
    def texts(self) -> NamedRows[Fingerprint]:
        """Fingerprint of every text in the data."""
        return self._alone.texts

    @property
    def settings(self) -> Used:
        """The settings that were used."""
        used = self._alone.settings
        if used is None:
            raise NotApplicable("Nothing was compared in this study.")
        return used

    @property
    def subset(self) -> str | None:
        """The analysed subset of the test set; `None` if it is the whole set."""
        return self._alone.subset

    @property
    def results(self) -> NamedRows[MetricResult]:
        """The results of all metrics, in their order."""
        return self._alone.results

    @cached_property
    def over(self) -> NamedRows[ResultOverSets]:
        """The results over several test sets by metric; empty for one test set."""
        return NamedRows(self._over(number, of_metric) for number, of_metric in enumerate(self.together))

    def _over(self, number: int, of_metric: MetricOverSets) -> ResultOverSets:
        by_set = {str(part.set): result for part in self.sets for result in part.results if result.number == number}
        return ResultOverSets(
            of_metric.metric_spec,
            ScoresOverSets({name: result.scored for name, result in by_set.items()}, of_metric.scored),
            FamilyOverSets(
                {name: result.compared for name, result in by_set.items()},
                of_metric.averages,
                of_metric.described,
                of_metric.replicability,
                of_metric.ranks,
                of_metric.joint,
                self.names,
                self.all_notes,
                by=self.request.by or "",
            ),
            of_metric,
            Named(by_set),
        )

    @property
    def told(self) -> Sequence[MetricResult | ResultOverSets]:
        """The results of the only test set, or the results over several test sets."""
        return self.over if self.several else self.results

    def __iter__(self) -> Iterator[MetricResult | ResultOverSets]:
        """Go through what each metric says."""
        return iter(self.told)

    @overload
    def __getitem__(self, metric: str | int) -> MetricResult | ResultOverSets: ...
    @overload
    def __getitem__(self, metric: slice) -> Sequence[MetricResult | ResultOverSets]: ...
    def __getitem__(self, metric: str | int | slice) -> Any:
        """Return what one metric says, by its name, as it was asked for, or by its index; of several by a slice."""
        return item_at(self.told, metric, "metric in this study", self._named)

    def place(self, metric: str | int) -> int:
        """Return the position of a metric, from 0.

        Raises
        ------
        UnknownName
            There is no such metric.
        """
        place: int = item_at(range(len(self)), metric, "metric in this study", self._named)
        return place

    @property
    def _named(self) -> dict[Any, list[int]]:
        backwards = list(enumerate(self.told))[::-1]
        places = {result.compared.metric: [number] for number, result in backwards}
        return places | {result.metric_spec: [number] for number, result in backwards if result.metric_spec}

    # --- what it says ---------------------------------------------------------------------------------------------

    @cached_property
    def asked(self) -> Request:
        """The request of the study, ready to be run again.

        Raises
        ------
        InvalidOption
            A metric of the study has no name in METRICS, or this program lacks one of its methods.
        """
        return self.request.again

    @property
    def counted(self) -> NamedRows[Metric]:
        """The metrics computed on the only test set, with the options used."""
        return NamedRows(self.counted_on(self._alone).values())

    def counted_on(self, one_set: OneSet) -> dict[int, Metric]:
        """Return the metrics of a set, with the options used on its text.

        Raises
        ------
        InvalidOption
            A metric of the study has no name in METRICS, or this program lacks one of its methods.
        """
        asked = self.asked
        own = asked.metrics if one_set.set is None else asked.of_set(one_set.set)
        return {result.number: _counted(own[result.number], result) for result in one_set.results}

    @property
    def level(self) -> float:
        """The confidence level of the intervals."""
        return self.request.settings.level

    @cached_property
    def analysis_plan(self) -> AnalysisPlan | None:
        """The analysis plan of the study; `None` for an exploratory study."""
        return None if self.plan is None else plan_of(self.plan.text, "the study's plan")

    @property
    def raters_text(self) -> str:
        """The raters to whom verdicts by human ratings generalise; may be empty."""
        return " ".join(self.raters)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """All notes on the data and the results, each marked as a note or a warning."""
        warnings = set(self.warnings)
        return tuple(Note("warning" if text in warnings else "note", text) for text in self.notes)

    @property
    def systems(self) -> NamedRows[Score]:
        """The scores of all metrics, with intervals."""
        return NamedRows(score for part in self.sets for result in part.results for score in result.scored)

    @property
    def comparisons(self) -> NamedRows[Comparison]:
        """The comparisons of all metrics, each with its `verdict` and `winner`."""
        return NamedRows(pair for part in self.sets for result in part.results for pair in result.compared)

    @property
    def ranks(self) -> NamedRows[Place]:
        """The ranks of the systems by every metric for which all pairs were compared."""
        return NamedRows(place for part in self.sets for result in part.results for place in result.places or ())

    @property
    def margins(self) -> NamedRows[MarginResult]:
        """The tests against margins, for all metrics."""
        return NamedRows(margin for part in self.sets for result in part.results for margin in result.margins)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record for each comparison, with its verdict.

        With several sets, the records of all sets precede those of the averages.
        """
        return [row for result in self.told for row in result.compared.rows()]

    @property
    def seal_text(self) -> str:
        """A warning if the file's digest does not match its content; else empty."""
        if self.intact:
            return ""
        return (
            "This study was changed after it was written: its digest does not match its content. Re-run it on its "
            "data (mtsig report STUDY --data FOLDER) to see what was changed."
        )

    @property
    def was_read(self) -> bool:
        """Whether the study was read from a file, and so was not checked against data."""
        return "was_read" in vars(self)

    @property
    def unchecked_text(self) -> str:
        """A warning if the study was read and not checked against data; else empty."""
        return f"{UNCHECKED} {self.seal_text}".strip() if self.was_read else ""

    # --- what becomes of it ---------------------------------------------------------------------------------------

    @as_in_pandas
    def to_frame(
        self, kind: Literal["comparisons", "scores"] = "comparisons", *, all_columns: bool = False
    ) -> "DataFrame":
        """Return the comparisons, or the scores, of all metrics as a DataFrame.

        all_columns: whether to return all columns instead of the main columns.
        """
        rows = {"comparisons": self.rows(), "scores": [row for result in self for row in result.scored.rows()]}
        brief = Family.brief if kind == "comparisons" else Intervals.brief
        return frame_of(find(rows, kind, "frame of a study"), () if all_columns else brief)

    @as_in_pandas
    def plot(self, kind: Literal["matrix", "scores"] = "matrix", metric: str | None = None) -> Any:
        """Return a Plotly figure: the matrix of all pairs, or the scores.

        metric: the metric's name or specification; `None` selects the first metric. For print, use `report`.

        Raises
        ------
        InvalidOption
            There is no figure of this kind.
        UnknownName
            There is no such metric.
        ProgramError
            Plotly or matplotlib is not installed.
        """
        return made("figure", self, kind, metric)

    def save(self, path: str | Path) -> Path:
        """Write the study as JSON for `read_study`, and return the path.

        Raises
        ------
        InvalidOption
            The path is none, or ends as those of another format do.
        ReadError
            The file cannot be written.
        """
        expect(path, str | PathLike, 'Give the name of the file to write, as in study.save("study.json")')
        suffix = Path(path).suffix
        if suffix[1:].isalpha() and suffix.lower() != ".json":
            raise InvalidOption(
                f"study.save writes JSON, and {path} ends in {suffix}: use .json, or study.report({str(path)!r}) for a "
                "document."
            )
        write_file(Path(path), self.text().encode())
        return Path(path)

    def report(self, path: str | Path, formats: str | Sequence[str] = ()) -> list[Path]:
        """Write the study as documents, and return the paths of the written files.

        path: one file (.html, .md, .xlsx, .json), or a folder for the formats that write several. formats: one or more
        formats, as for `mtsig report --to`, such as "latex" and "pdf:paper=acl-full". The default for a folder is
        `REPORT_FORMATS`, without those whose libraries are not installed, which a warning then names.

        Raises
        ------
        InvalidOption
            The argument is not a path, a format does not suit the path, or two formats write the same file.
        UnknownName
            A format is unknown.
        ProgramError
            A library that a format needs is not installed.
        ReadError
            A file cannot be written.
        """
        files: list[Path] = made("files", self, path, formats)
        return files

    @classmethod
    def of_plain(cls, record: Mapping[str, Any]) -> Self:
        """Return the study from plain values; only their types are checked.

        Raises
        ------
        msgspec.ValidationError: a value is missing or has the wrong type; the message gives its position.
        """
        study: Self = _records.made_of(cls, msgspec.convert(record, _records.form_of(cls)))
        return study

    def plain(self) -> dict[str, Any]:
        """Return the study as the values that JSON has; an undefined number becomes null."""
        values: dict[str, Any] = _records.plain_of(self)
        return {**values, "digest": digest_of(values)}

    def text(self) -> str:
        """Return the study as JSON; the same study always gives the same bytes."""
        return json.dumps(self.plain(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _counted(asked: Metric, result: MetricResult) -> Metric:
    """Return the metric as it was counted."""
    if result.counted_as is None:
        return asked
    counted = metric(result.counted_as)
    if not isinstance(asked, Tokenizing) or asked.tokenize != AUTO or not isinstance(counted, Tokenizing):
        return counted
    return replace(counted, by_text=counted.tokenize)


def study_schema() -> dict[str, Any]:
    """Return the JSON Schema of a study (draft 2020-12).

    Examples
    --------
    >>> from mtsig.study import study_schema
    >>> study_schema()["title"]
    'Study of mtsig, schema mtsig/3'
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Study of mtsig, schema {SCHEMA}",
        "description": (
            "An analysis of machine-translation outputs with everything needed to reproduce it. Programs may rely on "
            f"every key below; later versions of {SCHEMA} may add keys. null stands for an undefined number. Estimates "
            "are blocks: a header, and columns; each column is a list or one value for all rows."
        ),
        **msgspec.json.schema(_records.form_of(Study)),
    }
