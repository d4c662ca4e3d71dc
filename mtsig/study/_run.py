"""Conducting a study: one test set or several and a request, or a plan, go in; the study comes out."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from importlib import metadata

import numpy as np

from mtsig._memory import remembered
from mtsig._records import Mask
from mtsig.cautions import Seen, cautions
from mtsig.cautions._list import single_runs
from mtsig.citations import VERSION
from mtsig.collection import FamilyOverSets, OverSets, ScoresOverSets, Sets, SetStatistics, compare, score
from mtsig.collection import measure as measure_sets
from mtsig.corpus import Corpus, Note, inspect, slices_of
from mtsig.corpus._notes import listed
from mtsig.errors import InvalidOption
from mtsig.inference import Family, Intervals, Ranks, SlicedFamily, compare_subsets, interval, ranks
from mtsig.inference._margins import against_margin
from mtsig.inference._ranks import rankable
from mtsig.metrics import Metric, Statistics, labels_of, measure
from mtsig.resampling import BLOCK, RNG, Scheme
from mtsig.study._differences import fingerprints
from mtsig.study._record import (
    SCHEMA,
    Asked,
    Data,
    Draws,
    FirstDraws,
    MetricOverSets,
    MetricResult,
    OneSet,
    PlanText,
    RatingAbout,
    Status,
    Study,
    Used,
)
from mtsig.study._request import AnalysisPlan, OverSetsRequest, Request, choice_of

_HASHED = 10
"""So many draws tell one stream of random numbers from another."""


def conduct(
    data: Corpus | Sets | None,
    request: Request | None = None,
    plan: AnalysisPlan | None = None,
    statistics: Sequence[Statistics] | Sequence[SetStatistics] | None = None,
) -> Study:
    """Return the study of a corpus, or over several: what the request asks, or what the plan fixed.

    >>> import mtsig
    >>> from mtsig.collection import Sets
    >>> from mtsig.study import Request, conduct
    >>> request = Request((mtsig.metric("chrf"),), mtsig.Settings(n_resamples=500), pairs="direct")
    >>> len(conduct(mtsig.read_sample(), request).comparisons)
    4
    >>> sets = Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()})
    >>> conduct(sets, request)
    <Study, exploratory: 1 metric (chrF2) on 2 test sets>

    Args:
        data: the corpus, or several by name; None where there are statistics alone, and no texts to be known again by.
        request: what to do; the plan's request when None.
        plan: the analysis plan, when one was written before scoring.
        statistics: of the request's metrics in their order, when they are there already.

    Raises:
        InvalidOption: neither request nor plan, a request that is not the plan's, two metrics that are one on these
            data, neither corpus nor statistics, statistics of several corpora, or other sets than were fixed.
        NotApplicable: the data do not carry the analysis; of several sets the message names the set.
        UnknownName: a pair names no system.
    """
    if isinstance(data, Sets):
        of_sets = None if statistics is None else [one for one in statistics if isinstance(one, SetStatistics)]
        return _over_sets(data, requested_of(data, request, plan), plan, of_sets)
    request = _asked_of(request, plan)
    if request.sets is not None:
        raise InvalidOption("This is a plan of several test sets: give all of them.")
    if request.by is not None and data is None:
        raise InvalidOption("Parts of a test set are cut out of its text: give the corpus.")
    if statistics is not None:
        many = [one for one in statistics if isinstance(one, Statistics)]
    elif data is not None:
        many = [measure(data, metric) for metric in request.metrics]
    else:
        raise InvalidOption("Say on what: give a corpus or statistics.")
    _check_differ(many)
    if request.by is not None and data is not None:
        return record_parts(data, request, compared_by(data, request, many), plan)
    families = request.settings.families(many, request.pairs, joined=request.joined)
    scored = [request.settings.intervals(counted) for counted in many]
    return record(data, request, scored, families, plan=plan)


def _asked_of(request: Request | None, plan: AnalysisPlan | None) -> Request:
    """Return the request, or what the plan fixed.

    Raises:
        InvalidOption: neither is given, or a request that is not the plan's.
    """
    if plan is None:
        if request is None:
            raise InvalidOption("Say what to do: give a request or an analysis plan.")
        return request
    if request is not None and request != plan.request:
        raise InvalidOption("The request differs from the analysis plan; what a plan fixes cannot be changed under it.")
    return plan.request


def _check_differ(many: Sequence[Statistics]) -> None:
    """Refuse a metric that was asked for twice: once left to the text, once as what the text then chose."""
    metrics = [statistics.metric.counted for statistics in many]
    twice = next((metric for metric in metrics if metrics.count(metric) > 1), None)
    if twice is not None:
        raise InvalidOption(f"The metric {choice_of(twice) or twice.name} is named twice on these data.")


def requested_of(sets: Sets, request: Request | None, plan: AnalysisPlan | None = None) -> Request:
    """Return what is to be done on these sets: the request, or what the plan fixed.

    >>> import mtsig
    >>> from mtsig.collection import Sets
    >>> from mtsig.study import Request
    >>> from mtsig.study._run import requested_of
    >>> sets = Sets.of({"2024": mtsig.read_sample(), "2025": mtsig.read_sample()})
    >>> requested_of(sets, Request((mtsig.metric("chrf"),))).sets.names
    ('2024', '2025')

    Raises:
        InvalidOption: neither request nor plan, a request that is not the plan's, or other sets than were fixed.
    """
    request = _asked_of(request, plan)
    if request.sets is None:
        if plan is not None:
            raise InvalidOption(
                "The analysis plan is of one test set: it fixes no [sets]. Write it with mtsig plan --set."
            )
        request = replace(request, sets=OverSetsRequest())
    over = request.sets or OverSetsRequest()
    if not over.names:
        return replace(request, sets=replace(over, names=tuple(sets)))
    if set(over.names) != set(sets):
        raise InvalidOption(
            f"{'The analysis plan' if plan else 'The request'} fixes the test sets {listed(list(over.names))}; "
            f"found {listed(list(sets))}. What is fixed before looking cannot be changed under it."
        )
    return request


def measured_over(sets: Sets, request: Request, number: int, executor: Executor | None = None) -> SetStatistics:
    """Return what metric `number` of a request counts on every set, by the executor where there is one."""
    over = request.sets or OverSetsRequest()
    own = {name: request.of_set(name)[number] for name in sets}
    return measure_sets(sets, request.metrics[number], own=own, sharing=over.units, executor=executor)


def record(
    corpus: Corpus | None,
    request: Request,
    scored: Sequence[Intervals],
    families: Sequence[Family],
    places: Sequence[Ranks | None] | None = None,
    plan: AnalysisPlan | None = None,
) -> Study:
    """Return the study of results that were computed as `request` says, one of each per metric.

    >>> import mtsig
    >>> from mtsig.study import Request
    >>> from mtsig.study._run import record
    >>> settings = mtsig.Settings(n_resamples=500)
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> request = Request((statistics.metric,), settings)
    >>> study = record(mtsig.read_sample(), request, [settings.intervals(statistics)], [settings.family(statistics)])
    >>> study.status, len(study.comparisons)
    ('exploratory', 10)
    """
    status: Status = "exploratory" if plan is None else "planned"
    if places is None:
        places = [ranks(family) if rankable(family) else None for family in families]
    made = zip(labels_of(request.metrics), request.metrics, scored, families, places, strict=True)
    results = [_result(number, request, status, *of_metric) for number, of_metric in enumerate(made)]
    notes = _notes(corpus, scored, families)
    data = _data_of_statistics([family.statistics for family in families]) if corpus is None else data_of(corpus)
    return _study(request, plan, [_one_set(None, corpus, data, request, families, results)], notes)


def compared_by(corpus: Corpus, request: Request, statistics: Sequence[Statistics]) -> list[SlicedFamily]:
    """Return the comparisons of every metric in the parts of a corpus that the request asks for."""
    by, settings = request.by or "", request.settings
    return [compare_subsets(corpus, counted, by, settings, request.pairs) for counted in statistics]


def record_parts(
    corpus: Corpus, request: Request, sliced: Sequence[SlicedFamily], plan: AnalysisPlan | None = None
) -> Study:
    """Return the study of parts of one test set, which are its sets; one family over them per metric.

    >>> import mtsig
    >>> from mtsig.study import Request, conduct
    >>> request = Request((mtsig.metric("chrf"),), mtsig.Settings(n_resamples=500), pairs="direct", by="length:2")
    >>> conduct(mtsig.read_sample(), request)
    <Study, exploratory: 1 metric (chrF2) on 2 parts of a test set>
    """
    status: Status = "exploratory" if plan is None else "planned"
    labels, settings = labels_of(request.metrics), request.settings
    scores = [interval(one.family.statistics, settings.interval, settings.level, one.family.scheme) for one in sliced]
    parts = []
    for part in slices_of(corpus, sliced[0].by):
        results = []
        for number, (one, scored) in enumerate(zip(sliced, scores, strict=True)):
            if part.name in one.slices:
                own = {f"{system} [{part.name}]": system for system in corpus.systems}
                result = _result(
                    number, request, status, labels[number], request.metrics[number], scored, one.family, None
                )
                of_part = [row for row in scored if row.system in own]
                kept = [row for name, row in one if name == part.name]
                family = result.compared.with_rows([replace(row, status=status) for row in kept])
                order = tuple(own[name] for name in one.family.order if name in own)
                results.append(
                    replace(
                        result,
                        scored=result.scored.with_rows([replace(row, system=own[row.system]) for row in of_part]),
                        compared=family.changed(order=order, metric=labels[number]),
                        without_reference={},
                    )
                )
        if results:
            inside = corpus.take(np.flatnonzero(part.inside))
            name = f"{request.by}={part.asked_by}"
            one_set = _one_set(part.name, inside, data_of(inside), request, [sliced[0].family], results)
            parts.append(replace(one_set, subset=name))
    together = [
        _together_by(choice, label, one) for choice, label, one in zip(request.choices, labels, sliced, strict=True)
    ]
    told = [note for one in sliced for note in (*one.notes, *one.family.notes)]
    return _study(request, plan, parts, [*_of_data(corpus), *single_runs(corpus.systems), *told], together)


def _together_by(choice: str | None, label: str, sliced: SlicedFamily) -> MetricOverSets:
    """Return what a metric says of all parts: whether each pair's difference is the same in all of them."""
    family, size = sliced.family, np.array(sliced.sizes, dtype=np.float64)
    statistics = family.statistics
    everywhere = np.ones(statistics.values.shape[1:], dtype=bool)
    have = everywhere if statistics.available is None else statistics.available
    in_part: Mask = np.any(have.reshape(len(sliced.slices), -1, have.shape[1]), axis=1)
    if statistics.available is not None and statistics.clustered and statistics.document_of is not None:
        # With gaps they are known by segment, whatever the unit is.
        in_part = np.stack([np.bincount(statistics.document_of[part], minlength=statistics.n) > 0 for part in in_part])
    errors: dict[tuple[str, str], list[float]] = {}
    for _, row in sliced:
        errors.setdefault((row.first, row.second), []).append(row.standard_error)
    nothing = float("nan")
    return MetricOverSets(
        metric_spec=choice,
        metric=label,
        signature=family.signature,
        higher_is_better=family.higher_is_better,
        is_quality_metric=family.header.is_quality_metric,
        decimals=family.header.decimals,
        joint=True,
        shared_units=int(np.count_nonzero(in_part.sum(axis=0) > 1)),
        described=tuple(
            OverSets.of(
                test,
                metric=label,
                signature=family.signature,
                sets=sliced.slices,
                weights=tuple((size / size.sum()).tolist()),
                standard_errors=tuple(errors[test.first, test.second]),
                error_if_independent=nothing,
                further=None,
                not_further="parts of one test set stand for no further sets",
            )
            for test in sliced.heterogeneity
        ),
    )


def _over_sets(
    sets: Sets, request: Request, plan: AnalysisPlan | None, statistics: Sequence[SetStatistics] | None
) -> Study:
    """Return the study over a collection of sets."""
    over = request.sets or OverSetsRequest()
    many = statistics or [measured_over(sets, request, number) for number in range(len(request.metrics))]
    for name in sets:
        _check_differ([counted.of[name] for counted in many])
    settings = request.settings
    status: Status = "exploratory" if plan is None else "planned"
    compared = [
        compare(
            counted,
            settings,
            request.pairs,
            weights=over.weights,
            family=over.family,
            combination=over.combine,
            separation=over.separate,
        )
        for counted in many
    ]
    scored = [
        score(replace(counted, of={name: counted.of[name] for name in family.families}), settings, weights=over.weights)
        for counted, family in zip(many, compared, strict=True)
    ]
    labels, parts = labels_of(request.metrics), []
    for name, corpus in sets.items():
        own = {number: family.families[name] for number, family in enumerate(compared) if name in family.families}
        results = [
            _result(
                number, request, status, labels[number], family.statistics.metric, scored[number].intervals[name],
                family, ranks(family) if rankable(family) else None,
            )
            for number, family in own.items()
        ]  # fmt: skip
        parts.append(_one_set(name, corpus, data_of(corpus), request, list(own.values()), results))
    together = [
        _together(choice, label, status, family, scores)
        for choice, label, family, scores in zip(request.choices, labels, compared, scored, strict=True)
    ]
    inspected = [Note(note.level, f"{name}: {note.text}") for name, corpus in sets.items() for note in _of_data(corpus)]
    runs = single_runs(dict.fromkeys(name for corpus in sets.values() for name in corpus.systems))
    told = [note for family in compared for note in family.notes] + [note for scores in scored for note in scores.notes]
    return _study(request, plan, parts, [*inspected, *runs, *told], together, sets.skipped)


def _study(
    request: Request,
    plan: AnalysisPlan | None,
    parts: Sequence[OneSet],
    notes: Sequence[Note],
    together: Sequence[MetricOverSets] = (),
    skipped: Mapping[str, str] | None = None,
) -> Study:
    said: dict[str, Note] = {}
    for note in notes:
        # Each sentence once; what is a warning somewhere is one.
        if note.text not in said or note.level == "warning":
            said[note.text] = note
    return Study(
        schema=SCHEMA,
        mtsig=VERSION,
        status="exploratory" if plan is None else "planned",
        plan=None if plan is None else PlanText(plan.digest, plan.text),
        request=Asked.of(request),
        sets=tuple(parts),
        together=tuple(together),
        notes=tuple(said),
        warnings=tuple(note.text for note in said.values() if note.level == "warning"),
        draws=Draws(RNG, BLOCK),
        made_with=versions(),
        skipped=dict(skipped or {}),
    )


def _one_set(
    name: str | None,
    corpus: Corpus | None,
    data: Data,
    request: Request,
    families: Sequence[Family],
    results: Sequence[MetricResult],
) -> OneSet:
    return OneSet(
        set=name,
        data=data,
        texts=() if corpus is None else fingerprints(corpus),
        settings=_used(request, families[0]) if families else None,
        results=tuple(results),
        subset=None if corpus is None else corpus.subset,
    )


def _of_data(corpus: Corpus) -> list[Note]:
    """Return what to know of the data themselves; which other files lay beside them is no part of a study."""
    return [note for note in inspect(corpus) if note.about != "files"]


def _notes(corpus: Corpus | None, scored: Sequence[Intervals], families: Sequence[Family]) -> list[Note]:
    """Return what to know, each sentence once; what concerns single verdicts stands beside these.

    Which other files lay beside the data is no part of a study.
    """
    found = cautions(Seen(corpus, tuple(scored), tuple(families)))
    return [note for caution in found if not caution.pairs and (note := caution.told).about != "files"]


def _result(
    number: int,
    request: Request,
    status: Status,
    label: str,
    metric: Metric,
    scored: Intervals,
    family: Family,
    places: Ranks | None,
) -> MetricResult:
    """Return what a metric says of a set, marked as what it is, without draws and notes."""
    units = family.statistics.n
    # A set may have options of its own, and no margins.
    margins = request.margins_of(metric) if request.sets is None else ()
    judged = family.changed(status=status, metric=label)
    return MetricResult(
        metric_spec=choice_of(metric),
        scored=replace(scored.changed(metric=label), notes=()),
        compared=_kept(judged),
        places=None if places is None else places.changed(metric=label),
        against=tuple(
            against_margin(
                judged, margin.points, both=margin.kind == "equivalence", one_more=margin.one_more_document
            ).changed(status=status)
            for margin in margins
        ),
        number=number,
        counted_as=choice_of(family.statistics.metric.counted),
        units=units,
        first_draws=FirstDraws(_first_draws(family.scheme, units), _first_draws(family.test.scheme, units)),
        without_reference={
            name: _kept(without.changed(status=status, metric=label)) for name, without in family.without.items()
        },
    )


def _kept(family: Family) -> Family:
    """Return the comparisons as a study keeps them."""
    return replace(family, drawn=None, without={}, notes=(), apart={})


def _together(
    choice: str | None, label: str, status: Status, compared: FamilyOverSets, scored: ScoresOverSets
) -> MetricOverSets:
    metric, averages = next(iter(compared.statistics.of.values())).metric, compared.averages
    return MetricOverSets(
        metric_spec=choice,
        metric=label,
        signature=compared.signature,
        higher_is_better=metric.higher_is_better,
        is_quality_metric=metric.is_quality_metric,
        decimals=metric.decimals,
        joint=compared.joint,
        shared_units=compared.units.shared,
        scored=None if scored.averages is None else scored.averages.changed(metric=label),
        averages=None if averages is None else _kept(averages.changed(status=status, metric=label)),
        described=tuple(replace(row, metric=label) for row in compared.described),
        replicability=compared.replicated,
        ranks=compared.ranks,
    )


def _used(request: Request, family: Family) -> Used:
    """Return the settings as they were used: the family knows the correction, and what "auto" was."""
    settings = request.settings
    return Used(
        test=family.test.name,
        interval=settings.resolved(family.unit).interval,
        correction=family.correction,
        alternative=settings.alternative,
        level=settings.level,
        n_resamples=family.test.scheme.n_draws,
        seed=settings.seed,
        unit=family.unit,
        estimand=family.test.estimand,
        rng=RNG,
    )


def data_of(corpus: Corpus) -> Data:
    """Return what the data are, as a whole."""
    ratings = tuple(
        RatingAbout(name, rating.higher_is_better, rating.direction_source, rating.judge)
        for name, rating in corpus.ratings.items()
    )
    return Data(
        len(corpus), corpus.n_documents, tuple(corpus.systems), tuple(corpus.references), corpus.digest, ratings
    )


def _data_of_statistics(many: Sequence[Statistics]) -> Data:
    """Return what statistics know of the data that they were counted on."""
    digests = {statistics.digest for statistics in many}
    if len(digests) > 1:
        raise InvalidOption("The statistics are of several corpora, and a study is of one: compare each by itself.")
    documents = [statistics.n_documents for statistics in many if statistics.n_documents is not None]
    return Data(
        max(statistics.n_segments for statistics in many),
        max(documents, default=None),
        tuple(dict.fromkeys(system for statistics in many for system in statistics.systems)),
        (),
        digests.pop(),
    )


def _first_draws(scheme: Scheme, units: int) -> str:
    """Return the digest of the first draws: the weights, row by row, as 16-bit little-endian integers."""
    digest = hashlib.sha256()
    for weights in replace(scheme, n_draws=_HASHED).blocks(units):
        digest.update(weights.astype("<u2").tobytes())
    return "sha256:" + digest.hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of the programs that take part."""
    versions = {name: _version(name) for name in ("numpy", "scipy", "sacrebleu")}
    return {"mtsig": VERSION, "python": platform.python_version(), **versions}


@remembered()
def _version(name: str) -> str:
    """Return the version of a library, looked up in its files once: it was a tenth of a small study's time."""
    return metadata.version(name)
