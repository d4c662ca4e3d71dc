"""How well each metric agrees with human ratings, next to sentinels, which see nothing of a translation.

See docs/statistics/meta-eval.md, sections 1 to 5. A metric that is not better than the sentinels (lengths, a random
score, the source) gives no evidence that it sees more (Perrella et al. 2024).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

import numpy as np

from mtsig._records import Count, Floats, Index, Level, Mask, MetricRecord, Number, Record, about
from mtsig._results import Result
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import capital_first, is_human, listed
from mtsig.errors import NotApplicable, expect, find
from mtsig.inference import Family, Settings
from mtsig.inference._verdict import verdict
from mtsig.meta_eval import _groups, _rated_data, _statistic, _systems
from mtsig.metrics import SegmentMean, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.resampling import RNG, Purpose, Words

DEFAULT = ("spa", "accuracy", "pearson", "acc_eq")
"""The statistics that are given when none is asked for; an outlier can carry none of the first two."""

FOLDS = 10
"""Parts of the data, each judged by the threshold that fits all the others."""

NEVER_DECIDES = 1e-3
"""An accuracy this near to that of a metric that ties everything is that accuracy."""


@dataclass(frozen=True)
class MetricAgreement(MetricRecord):
    """The agreement of one metric with human ratings, by one statistic."""

    statistic: Annotated[str, about("Name of the statistic in the program.")]
    value: Annotated[Number, about("Value of the statistic; null if it is undefined.")]
    ci_low: Annotated[Number, about("Lower end of the percentile interval.")]
    ci_high: Annotated[Number, about("Upper end.")]
    level: Annotated[Level, about("Nominal coverage of the confidence interval.")]
    by: Annotated[str, about("Groups in which scores are compared: systems, or segments by item, system or none.")]
    systems: Annotated[Count, about("Number of systems that were rated and scored.")]
    segments: Annotated[Count, about("Number of segments with a rating of any system.")]
    groups: Annotated[Count, about("Number of groups, or of pairs of systems, with a value.")]
    undefined: Annotated[Count, about("Number of groups without a value, for example if all ratings are tied.")]
    right: Annotated[Number, about("Pairs that metric and human ratings order the same way, or null.")]
    metric_ties: Annotated[Number, about("Number of pairs tied in the metric, which count as discordant.")]
    human_ties: Annotated[Number, about("Number of pairs tied in the ratings, which are left out.")]
    separated_right: Annotated[
        Number, about("Number of concordant pairs that differ significantly in the human ratings (corrected).")
    ]
    separated_pairs: Annotated[
        Number, about("Number of pairs that differ significantly in the human ratings, or null.")
    ]
    theory_low: Annotated[
        Number, about("Lower end of Pearson's interval by normal theory; null below 10 systems or with an outlier.")
    ]
    theory_high: Annotated[Number, about("Its upper end.")]
    epsilon: Annotated[Number, about("Metric differences up to this threshold count as ties.")]
    at_zero: Annotated[Number, about("The accuracy without this threshold.")]
    crossfit: Annotated[Number, about("The accuracy with thresholds fitted on other segments.")]
    baseline: Annotated[Number, about("The accuracy of a metric that calls every pair a tie.")]
    loo_low: Annotated[Number, about("The smallest value that results when one system is left out.")]
    loo_high: Annotated[Number, about("The largest value that results when one system is left out.")]
    loo_low_without: Annotated[str, about("The system that, when left out, gives the smallest value.")]
    loo_high_without: Annotated[str, about("The system that, when left out, gives the largest value.")]
    without_outliers: Annotated[Number, about("The value without systems whose human score is an outlier.")]
    open_pairs: Annotated[Number, about("Share of pairs whose p in the human ratings is between .05 and .95.")]
    with_humans: Annotated[
        Number, about("The value with human translations among the systems, or without them if they were included.")
    ]
    without_named: Annotated[Number, about("The value without the systems that the user asked to leave out.")]
    p: Annotated[Number, about("p-value for no association between system scores; null if not requested.")]
    undefined_draws: Annotated[Count, about("Number of resamples in which the statistic is undefined.")]
    why: Annotated[str, about("Why the statistic has no value; empty if it has one.")] = ""


@dataclass(frozen=True, eq=False)
class MetaEval(Result):
    """The agreement of metrics with human ratings, by statistic.

    rated: the analysed data. human: the human rating, with its signature. outliers: the systems whose ratings lie far
    from those of the other systems. without: the systems that `without_named` leaves out. over, draws, seed, unit, rng,
    version and digest are needed to reproduce the numbers.
    """

    records: tuple[MetricAgreement, ...]
    rated: _rated_data.RatedData
    human: str
    human_signature: str
    outliers: tuple[str, ...]
    over: _statistic.Over
    draws: int
    seed: int
    unit: str
    digest: str
    without: tuple[str, ...] = ()
    rng: str = RNG
    version: str = VERSION
    notes: tuple[Note, ...] = ()
    asked: tuple[_statistic.Statistic, ...] = ()

    def __repr__(self) -> str:
        """Return who agrees with whom, in one line."""
        return f"<MetaEval: {listed(self.rated.names)} against {self.human}, {len(self)} statistics>"

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.records)

    def __iter__(self) -> Iterator[MetricAgreement]:
        """Go through the records."""
        return iter(self.records)

    def of(self, metric: str, statistic: str) -> MetricAgreement:
        """Return the agreement of one metric on one statistic.

        Raises
        ------
        NotApplicable
            This metric or statistic was not requested.
        """
        for agreement in self:
            if (agreement.metric, agreement.statistic) == (metric, statistic):
                return agreement
        raise NotApplicable(f"{statistic} of {metric} was not requested.")


def meta_eval(
    rated: _rated_data.RatedData,
    statistics: Sequence[str | _statistic.Statistic] = DEFAULT,
    *,
    by: _groups.By = "item",
    over: _statistic.Over = "both",
    settings: Settings | None = None,
    separated: bool = True,
    without: Sequence[str] = (),
    p_values: bool = False,
) -> MetaEval:
    """Measure each metric's agreement with human ratings, with intervals.

    (2, 3)

    Parameters
    ----------
    rated
        Human ratings and metric scores of the same systems.
    statistics
        Names in `STATISTICS`, or `Statistic` objects.
    by
        The group within which segment scores are compared, such as the item or the system.
    over
        The units that are resampled for the intervals.
    settings
        The level, number of resamples, seed and unit. The test and the correction are used by `compare_metrics` only.
    without
        Systems, such as all systems of one type, to leave out: every value is also computed without them. Two similar
        systems must be left out together, since leaving out only one of them changes little.
    p_values
        Whether to test for zero correlation of system scores, which is rarely informative.
    separated
        Whether to test which pairs of systems differ significantly in the ratings, for pairwise accuracy.

    Raises
    ------
    UnknownName
        A statistic or a system is unknown.
    NotApplicable
        No metric has any of the statistics, or fewer than two systems remain without those in `without`.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig import Corpus, Rating, Settings
    >>> from mtsig.meta_eval import RatedData, meta_eval
    >>> people = Rating(np.array([[3.0, 1, 3], [1, 1, 2], [0, 1, 1]]), higher_is_better=True)
    >>> program = Rating(np.array([[0.4, 0.2, 0.9], [0.3, 0.3, 0.2], [0.3, 0.1, 0.5]]), higher_is_better=True)
    >>> corpus = Corpus.of(dict.fromkeys("ABC"), ratings={"esa": people, "mine": program})
    >>> rated = RatedData.of(corpus, "rating:esa", ["rating:mine"])
    >>> result = meta_eval(rated, ["accuracy"], settings=Settings(n_resamples=100))
    >>> result.rows()[0]["right"], result.rows()[0]["groups"]
    (2, 3)
    """
    expect(
        rated,
        _rated_data.RatedData,
        'Give human ratings and metric scores, as RatedData.of(corpus, "rating:mqm", ["chrf"]) returns it',
    )
    settings = Settings() if settings is None else settings
    if isinstance(statistics, str | _statistic.Statistic):
        statistics = [statistics]
    chosen = [
        _systems.in_units(_by(find(_systems.STATISTICS, item, "statistic"), by), settings.unit) for item in statistics
    ]
    unit = rated.unit(settings.unit)
    drawn = _statistic.redrawn(rated, chosen, over, draws=settings.n_resamples, seed=settings.seed, unit=unit)
    far = _systems.outliers(rated)
    other = _other(rated)
    without = tuple(dict.fromkeys(without))
    rest = rated.without(without) if without else None
    rows, notes = [], []
    for statistic in chosen:
        for metric in rated.names:
            if (statistic.name, metric) not in drawn.values:
                needed = f"have no {statistic.label}, which needs segment-level scores."
                notes.append(Note("note", statistic.refused(rated, metric), names=(metric,), together=needed))
                continue
            value = statistic.value(rated, metric)
            low, high = drawn.ends(statistic.name, metric, settings.level, value)
            row = MetricAgreement(
                metric=metric,
                signature=rated[metric].statistics.signature,
                statistic=statistic.name,
                value=value,
                ci_low=low,
                ci_high=high,
                level=settings.level,
                by=statistic.by if isinstance(statistic, _groups.OfGroups) else "systems",
                systems=len(rated.systems),
                segments=rated.n,
                **_told(statistic, rated, metric, far, settings),
                with_humans=np.nan if other is None or metric not in other.names else statistic.value(other, metric),
                without_named=np.nan if rest is None else statistic.value(rest, metric),
                p=_systems.no_association(rated, metric, statistic, draws=settings.n_resamples, seed=settings.seed)
                if p_values and isinstance(statistic, _systems.OfSystems)
                else np.nan,
                undefined_draws=drawn.dropped(statistic.name, metric),
                why=statistic.undefined(rated, metric) if np.isnan(value) else "",
            )
            rows.append(row)
            notes += _cautions(row, statistic, rated)
            if isinstance(statistic, _systems.SoftPairwiseAccuracy) and (text := statistic.caution(rated)):
                notes.append(Note("note", text))
    if not rows:
        raise NotApplicable("No metric has a value for these statistics: " + " ".join(note.text for note in notes))
    trust = MetaEval(
        tuple(rows),
        rated,
        rated.human.name,
        rated.human.statistics.signature,
        tuple(np.array(rated.systems)[far].tolist()),
        "systems" if rated.human.whole and over == "both" else over,
        settings.n_resamples,
        settings.seed,
        unit,
        rated.digest,
        without,
        asked=tuple(chosen),
        notes=tuple(
            dict.fromkeys((*rated.notes, *_outlier_notes(rated, far), *_statistic.interval_notes(rated, drawn), *notes))
        ),
    )
    if not separated or not any(isinstance(statistic, _systems.PairwiseAccuracy) for statistic in chosen):
        return trust
    try:
        return with_separated(trust, settings.family(rated.human.statistics.select(rated.systems)))
    except NotApplicable:
        return trust


def _by(statistic: _statistic.Statistic, by: _groups.By) -> _statistic.Statistic:
    return replace(statistic, by=by) if isinstance(statistic, _groups.OfGroups) else statistic


def _other(rated: _rated_data.RatedData) -> _rated_data.RatedData | None:
    """Return the same with human translations where they are left out, or without; None where none is there."""
    try:
        other = rated.under("include" if rated.humans == "exclude" else "exclude")
    except NotApplicable:
        return None
    return None if other.systems == rated.systems else other


def _told(
    statistic: _statistic.Statistic, rated: _rated_data.RatedData, metric: str, far: Mask, settings: Settings
) -> dict[str, Any]:
    """Return what stands beside the value: counts, ranges, and what a threshold was worth."""
    columns: dict[str, Any] = dict.fromkeys(
        ("right", "metric_ties", "human_ties", "epsilon", "at_zero", "crossfit", "baseline"), np.nan
    )
    columns |= dict.fromkeys(("loo_low", "loo_high", "without_outliers", "open_pairs"), np.nan)
    columns |= dict.fromkeys(("separated_right", "separated_pairs", "theory_low", "theory_high"), np.nan)
    columns |= {"loo_low_without": "", "loo_high_without": "", "groups": len(rated.pairs[0]), "undefined": 0}
    if isinstance(statistic, _systems.OfSystems):
        each = statistic.leave_one_out(rated, metric)
        if not np.isnan(each).all():
            low, high = int(np.nanargmin(each)), int(np.nanargmax(each))
            columns |= {"loo_low": float(each[low]), "loo_high": float(each[high])}
            columns |= {"loo_low_without": rated.systems[low], "loo_high_without": rated.systems[high]}
        columns["without_outliers"] = statistic.without(rated, metric, far)
        counts = _systems.pair_counts_of(rated, metric)
        columns |= {"right": counts.right, "metric_ties": counts.metric_ties, "human_ties": counts.human_ties}
        if isinstance(statistic, _systems.PairwiseAccuracy):
            columns |= {"groups": counts.pairs, "undefined": counts.human_ties}
            if statistic.ties == "mtme":
                columns |= {"groups": counts.pairs + counts.human_ties, "undefined": 0}
        if (
            isinstance(statistic, _systems.Pearson)
            and len(rated.systems) >= _systems.FEWEST_BY_THEORY
            and not far.any()
        ):
            r = statistic.value(rated, metric)
            columns["theory_low"], columns["theory_high"] = _systems.fisher_interval(
                r, len(rated.systems), settings.level
            )
    elif isinstance(statistic, _systems.SoftPairwiseAccuracy):
        p = statistic.p_values(rated, rated.human.name)
        known = ~np.isnan(p)
        columns |= {"groups": int(known.sum()), "undefined": int((~known).sum())}
        if known.any():
            columns["open_pairs"] = float(np.mean((p[known] > 0.05) & (p[known] < 0.95)))
    elif isinstance(statistic, _groups.OfGroups):
        values = statistic.of_groups(rated, metric)
        counted = statistic.counted(rated) > 0
        defined = int(np.count_nonzero(~np.isnan(values) & counted))
        columns |= {"groups": defined, "undefined": int(len(values) - defined)}
        if isinstance(statistic, _groups.CalibratedTies):
            fitted = calibrate_ties(rated, metric, statistic.by)
            columns |= {"epsilon": fitted.epsilon, "at_zero": fitted.at_zero, "crossfit": fitted.crossfit}
            columns["baseline"] = fitted.baseline
    return columns


def with_separated(trust: MetaEval, people: Family) -> MetaEval:
    """Return the same with how many pairs people separate by a corrected verdict, and on how many each metric is right.

    people: the comparisons of the judged systems by people.
    """
    rated = trust.rated
    pairs = [(pair.first, pair.second) for pair in people if verdict(pair).winner]
    row = {name: number for number, name in enumerate(rated.systems)}
    first, second = (np.array([row[pair[side]] for pair in pairs], dtype=np.int64) for side in (0, 1))

    def right(metric: str) -> float:
        said = (rated.system_scores(name) for name in (rated.human.name, metric))
        people_signs, signs_of_metric = (_rated_data.signs(scores[first], scores[second]) for scores in said)
        return float(np.count_nonzero(people_signs * signs_of_metric > 0))

    rows = tuple(
        replace(agreement, separated_right=right(agreement.metric), separated_pairs=float(len(pairs)))
        if agreement.statistic == _systems.PairwiseAccuracy.name
        else agreement
        for agreement in trust
    )
    return replace(trust, records=rows)


@dataclass(frozen=True)
class Calibrated:
    """A metric's threshold for ties, and the accuracy with and without it.

    crossfit: with thresholds that were fitted on other documents or segments. baseline: the accuracy of a metric that
    ties everything. largest: the 99th percentile of the metric's differences.
    """

    accuracy: float
    epsilon: float
    at_zero: float
    crossfit: float
    baseline: float
    largest: float

    @property
    def never_decides(self) -> bool:
        """Whether this is the accuracy of a metric that ties everything."""
        return self.epsilon > self.largest or abs(self.accuracy - self.baseline) <= NEVER_DECIDES


def calibrate_ties(rated: _rated_data.RatedData, metric: str, by: _groups.By = "item") -> Calibrated:
    """Fit the threshold below which a metric's differences count as ties.

    The threshold is fitted on the data on which it is evaluated. For `crossfit`, it is fitted on the other nine of ten
    folds of documents or segments (Deutsch et al. 2023; docs/statistics/meta-eval.md, section 5).

    Raises
    ------
    NotApplicable
        The metric has corpus-level scores only.

    Examples
    --------
    >>> from mtsig.meta_eval import calibrate_ties
    >>> round(calibrate_ties(rated, "near").accuracy, 2)
    0.92
    """
    return _rated_data.once(rated.known, ("calibrated", metric, by), lambda: _calibrated(rated, metric, by))


def _calibrated(rated: _rated_data.RatedData, metric: str, by: _groups.By) -> Calibrated:
    human, scores = rated.ratings, rated.cells(metric)
    at = _groups.CalibratedTies(by=by)
    accuracy, epsilon = _groups.calibration(rated, metric, by)
    constant = np.where(np.isnan(scores), np.nan, 0.0)

    def mean(x: Floats, threshold: float, columns: Index | None = None) -> tuple[float, float]:
        h, m = (_groups.grouped(cells if columns is None else cells[:, columns], by) for cells in (human, x))
        values = replace(at, epsilon=threshold).of(h, m)
        known = ~np.isnan(values)
        return float(values[known].sum()), float(known.sum())

    total, groups = mean(scores, 0.0)
    tied, _ = mean(constant, 0.0)
    right, valued_groups = 0.0, 0.0
    fold_of = rated.units("auto" if rated.document_of is not None else "segment") % FOLDS
    folds = range(int(fold_of.max()) + 1 if fold_of.any() else 0)
    if by == "item" and folds:
        elsewhere = _groups.thresholds_without(human, scores, fold_of)
    else:
        others = [[_groups.grouped(cells[:, fold_of != fold], by) for cells in (human, scores)] for fold in folds]
        elsewhere = [_groups.calibrated(*both)[1] for both in others]
    for fold in folds:
        part, count = mean(scores, elsewhere[fold], np.flatnonzero(fold_of == fold))
        right, valued_groups = right + part, valued_groups + count
    spread = np.abs(np.diff(scores, axis=0)) if by == "item" else np.abs(scores - np.nanmedian(scores))
    known = spread[~np.isnan(spread)]

    def ratio(part: float, whole: float) -> float:
        return part / whole if whole else float("nan")

    return Calibrated(
        accuracy,
        epsilon,
        ratio(total, groups),
        ratio(right, valued_groups),
        ratio(tied, groups),
        float(np.quantile(known, 0.99)) if len(known) else float("nan"),
    )


def _outlier_notes(rated: _rated_data.RatedData, far: Mask) -> list[Note]:
    names = [name for name, flagged in zip(rated.systems, far, strict=True) if flagged]
    if len(rated.systems) < _systems.FEWEST_FOR_OUTLIERS:
        return [Note("note", f"{len(rated.systems)} systems are too few to identify outliers.")]
    if not names:
        return []
    far_off = f"The human score of {listed(names)} is far from those of the other systems"
    notes = [Note("note", f"{far_off}; values without them are also given.")]
    if len(names) > len(rated.systems) / 4:
        text = f"{len(names)} of {len(rated.systems)} systems are flagged, because the others have very similar scores."
        notes.append(Note("warning", text))
    people = [name for name in names if is_human(name)]
    if people:
        notes.append(Note("note", f"{listed(people)}: translated by people."))
    return notes


def _cautions(row: MetricAgreement, statistic: _statistic.Statistic, rated: _rated_data.RatedData) -> list[Note]:
    cautions = []
    if isinstance(statistic, _groups.CalibratedTies) and not np.isnan(row.value):
        fitted = calibrate_ties(rated, row.metric, statistic.by)
        if fitted.never_decides:
            text = f"{row.statistic} of {row.metric}: a metric that calls every pair a tie has the same accuracy."
            cautions.append(Note("warning", text))
    if isinstance(statistic, _systems.PairwiseAccuracy) and row.groups:
        step = f"{1 / row.groups:.3f}".removeprefix("0")
        text = (
            f"Pairwise accuracy has steps of 1/{row.groups} = {step}, so metrics with the same value may still differ."
        )
        cautions.append(Note("note", text))
    within = isinstance(statistic, _groups.OfGroups) and statistic.by != "item"
    if within and not np.isnan(row.value) and row.undefined_draws and np.isnan(row.ci_low):
        text = (
            f"{row.statistic} by {row.by} has no interval: pairs or ranks of segments would have to be recomputed in "
            "every resample."
        )
        cautions.append(Note("note", text))
    if statistic.correlates and statistic.level == "system" and row.systems <= 6:
        cautions.append(
            Note("warning", f"{row.systems} systems are too few for a correlation; see the leave-one-out range.")
        )
    return cautions


OUTPUT, SOURCE, RANDOM = "length of the output", "length of the source", "a random score"


@dataclass(frozen=True)
class Sentinel(SegmentMean):
    """The mean of numbers that know nothing of translation quality."""

    name: str = RANDOM
    needs_references = False


@dataclass(frozen=True)
class Guarded(Record):
    """A metric beside one sentinel, by one statistic."""

    metric: Annotated[str, about("The metric.")]
    statistic: Annotated[str, about("Name of the statistic in the program.")]
    sentinel: Annotated[str, about("The sentinel metric: it uses only length, chance or segment difficulty.")]
    value: Annotated[Number, about("The metric's value.")]
    sentinel_value: Annotated[Number, about("The sentinel's value, with the sign for which it is higher.")]
    difference: Annotated[Number, about("Metric less sentinel.")]
    ci_low: Annotated[Number, about("Lower end of the percentile interval of the difference (paired resamples).")]
    ci_high: Annotated[Number, about("Its upper end.")]

    @property
    def sentence(self) -> str:
        """What follows where the metric is not shown to be better; empty where it is."""
        if self.ci_low > 0:
            return ""
        label = _systems.STATISTICS[self.statistic].label if self.statistic in _systems.STATISTICS else self.statistic
        return f"{capital_first(label)}: no evidence that {self.metric} measures more than {self.sees_no_more_than}."

    @property
    def sees_no_more_than(self) -> str:
        """What the sentinel sees, in a word."""
        return {OUTPUT: "length", SOURCE: "the source's length", RANDOM: "chance"}.get(self.sentinel, "difficulty")


class Texts(TypedDict):
    """What lengths are taken of: the systems' lines, and those of the source; None where they are not known."""

    outputs: Mapping[str, Sequence[str]] | None
    sources: Sequence[str] | None


def texts_of(rated: _rated_data.RatedData, corpus: Corpus) -> Texts:
    """Return the lines of each judged system's first run, and those of the source, as `sentinels` takes them."""
    runs = {name: corpus.systems[name] for name in rated.systems}
    outputs = {name: corpus.outputs[own[0]] for name, own in runs.items()} if all(runs.values()) else None
    return {"outputs": outputs, "sources": corpus.segments.sources}


def sentinels(
    rated: _rated_data.RatedData,
    statistics: Sequence[str | _statistic.Statistic],
    *,
    outputs: Mapping[str, Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    by: _groups.By = "item",
    over: _statistic.Over = "both",
    settings: Settings | None = None,
) -> tuple[Guarded, ...]:
    """Compare every metric with sentinel metrics: lengths, random scores and means.

    The source length and a metric's mean score of a segment are the same for all systems. They apply only to statistics
    grouped by system, or not at all. Each length gets the sign with the best agreement.

    Parameters
    ----------
    rated
        Human ratings and metric scores.
    statistics
        Names in `STATISTICS`, or `Statistic` objects.
    outputs
        A mapping from each system to all its output lines; `None` leaves out the output-length sentinel.
    sources
        The source lines; `None` leaves out the source-length sentinel.
    by
        The group within which segment scores are compared, such as the item or the system.
    over
        The units that are resampled for the intervals.
    settings
        The level, number of resamples, seed and unit.

    Examples
    --------
    >>> from mtsig.meta_eval import sentinels
    >>> sorted({(row.metric, row.sentinel) for row in sentinels(rated, ["pearson"])})[:1]
    [('far', 'a random score')]
    """
    settings = Settings() if settings is None else settings
    random = Words(settings.seed, 0, Purpose.EXCHANGED_CELLS).halves(*rated.mask.shape)
    scores: dict[str, Floats] = {RANDOM: random.astype(np.float64) / 2**32}
    if outputs is not None:
        scores[OUTPUT] = np.array([[len(outputs[name][at]) for at in rated.numbers] for name in rated.systems]) * 1.0
    of_segments: dict[str, Floats] = {}
    if sources is not None:
        of_segments[SOURCE] = np.broadcast_to([float(len(sources[at])) for at in rated.numbers], rated.mask.shape)
    means = {}
    for metric in rated.metrics:
        if metric.cells is not None:
            counts = np.maximum(rated.mask.sum(axis=0), 1)
            mean = np.nansum(metric.cells, axis=0) / counts
            means[metric.name] = f"{metric.name}'s mean of the segment"
            of_segments[means[metric.name]] = np.broadcast_to(mean, rated.mask.shape)
    sentinels = []
    for asked in statistics:
        statistic = _systems.in_units(find(_systems.STATISTICS, asked, "statistic"), settings.unit)
        statistic = replace(statistic, by=by) if isinstance(statistic, _groups.OfGroups) else statistic
        if all(statistic.refused(rated, name) for name in rated.names):
            continue
        among = isinstance(statistic, _groups.OfGroups) and statistic.by != "item"
        beside = scores | (of_segments if among else {})
        guards = [_best_sign(rated, statistic, name, numbers) for name, numbers in beside.items()]
        ties = {key: value for key, value in dict(rated.known).items() if key[0] == "ties"}
        with_guards = replace(rated, metrics=(*rated.metrics, *guards), known=ties)
        drawn = _statistic.redrawn(
            with_guards, [statistic], over, draws=settings.n_resamples, seed=settings.seed, unit=settings.unit
        )
        values = {name: statistic.value(with_guards, name) for _, name in drawn.values}
        for name in rated.names:
            if name not in values:
                continue
            for guard in guards:
                if guard.name in means.values() and guard.name != means.get(name):
                    continue
                if np.isnan(drawn.values[statistic.name, name]).all():
                    continue
                apart = drawn.values[statistic.name, name] - drawn.values[statistic.name, guard.name]
                difference = values[name] - values[guard.name]
                low, high, _ = _statistic.percentiles(apart, settings.level, difference)
                sentinels.append(
                    Guarded(name, statistic.name, guard.name, values[name], values[guard.name], difference, low, high)
                )
    return tuple(sentinels)


def _best_sign(
    rated: _rated_data.RatedData, statistic: _statistic.Statistic, name: str, scores: Floats
) -> _rated_data.Scored:
    both = [_scored(rated, name, sign * scores) for sign in (1.0, -1.0)]
    values = [statistic.value(replace(rated, metrics=(scored,), known={}), name) for scored in both]
    return both[int(np.nanargmax(values))] if not np.isnan(values).all() else both[0]


def _scored(rated: _rated_data.RatedData, name: str, scores: Floats) -> _rated_data.Scored:
    values = as_values(np.stack([np.where(rated.mask, scores, 0.0), rated.mask.astype(np.float64)]))
    statistics = Statistics(Sentinel(name), rated.systems, values, digest=rated.digest, available=rated.mask)
    return _rated_data.Scored(name, statistics, values, np.where(rated.mask, scores, np.nan))
