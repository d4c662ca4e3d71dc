"""Conducting a study: one test set or several and a request, or a plan, go in; the study comes out."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from importlib import metadata

from mtsig._cautions import CAUTIONS, Seen, findings, with_misaligned
from mtsig._memory import remembered
from mtsig._results import NamedRows
from mtsig.citations import VERSION
from mtsig.collection import Averaging, FamilyOverSets, ScoresOverSets, Sets, SetStatistics, compare, score
from mtsig.collection import measure as measure_sets
from mtsig.collection._families import notes_of, on_all
from mtsig.collection._parts import compare_subsets, scores_of_subsets
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import listed, merged, size_notes
from mtsig.doctor import CHECKS, Check, Checkup, Finding
from mtsig.errors import InvalidOption
from mtsig.inference import Family, Intervals, Ranks
from mtsig.inference._intervals import Wilson
from mtsig.inference._margins import against_margin
from mtsig.inference._ranks import rankable, ranks
from mtsig.inference._significance import AUTO
from mtsig.metrics import Metric, Rated, Statistics, labels_of, measure
from mtsig.resampling import BLOCK, RNG, Scheme
from mtsig.study import _differences, _record, _request

__all__ = ["CAUTIONS", "CHECKS", "Check", "Finding", "SetStatistics", "compare", "score"]

_HASHED = 10
"""So many draws tell one stream of random numbers from another."""

_UNCHECKED = Checkup((), (), 0, 0)
"""Of data whose texts are not here."""


def conduct(
    data: Corpus | Sets | None,
    request: _request.Request | None = None,
    plan: _request.AnalysisPlan | None = None,
    statistics: Sequence[Statistics] | Sequence[SetStatistics] | None = None,
) -> _record.Study:
    """Conduct the study that a request or an analysis plan describes.

    `mtsig.compare` makes a request from its arguments; `conduct` takes a complete request or plan.

    Parameters
    ----------
    data : Corpus, Sets, or None
        The corpus, or several test sets by name; `None` if only statistics are given.
    request : Request, optional
        The request to carry out; `None` uses the plan's request.
    plan : AnalysisPlan, optional
        The plan that was written before scoring. With a plan, the study is "planned"; without one, it is "exploratory".
    statistics : list of Statistics or SetStatistics, optional
        The statistics of the request's metrics, in their order, if they were computed already.

    Returns
    -------
    study : Study

    Raises
    ------
    InvalidOption
        There is no request or plan, the request differs from the plan's, two metrics are identical on these data, there
        is no corpus or statistics, the statistics come from several corpora, or the plan has other test sets.
    NotApplicable
        The data do not allow the analysis; with several test sets, the message names the set.
    UnknownName
        A name in a pair is not that of a system.

    Notes
    -----
    1. The data are checked, and findings become notes (`check_data`).
    2. All metrics are computed on the same resamples.
    3. For each metric, scores with intervals and comparisons are computed, and ranks if all pairs are compared.
    4. p-values are corrected within each metric, over all metrics (`joined`), or over all subsets (`by`).
    5. Pairs are tested against the margins, if the request has margins.
    6. Fingerprints of all texts, seeds and versions are recorded, so that `reproduce` can find every difference.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.study import Sets
    >>> from mtsig.study import Request, conduct
    >>> request = Request((mtsig.metric("chrf"),), mtsig.Settings(n_resamples=500), pairs="direct")
    >>> len(conduct(mtsig.read_sample(), request).comparisons)
    4

    Two test sets:

    >>> sets = Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()})
    >>> conduct(sets, request)
    <Study, exploratory: 1 metric (chrF2) on 2 test sets>
    """
    if isinstance(data, Sets):
        of_sets = None if statistics is None else [one for one in statistics if isinstance(one, SetStatistics)]
        request = requested_of(data, request, plan)
        refuse_many(data, request)
        return _over_sets(data, request, plan, of_sets)
    request = _asked_of(request, plan)
    if request.sets is not None:
        raise InvalidOption("This plan covers several test sets: give all of them.")
    if request.by is not None and data is None:
        raise InvalidOption("A subset of a test set needs its text. Give the corpus.")
    if data is not None:
        refuse_many(data, request)
    if statistics is not None:
        many = [one for one in statistics if isinstance(one, Statistics)]
    elif data is not None:
        many = [measure(data, metric) for metric in request.metrics]
    else:
        raise InvalidOption("Data are missing. Give a corpus or statistics.")
    many = many if data is None else [with_misaligned(counted, data) for counted in many]
    _check_differ(many)
    if request.by is not None and data is not None:
        return _of_parts(data, request, plan, many)
    families = request.settings.families(many, request.pairs, joined=request.joined)
    scored = [request.settings.intervals(counted) for counted in many]
    return record(data, request, scored, families, plan=plan)


def refuse_many(data: Corpus | Sets, request: _request.Request) -> None:
    """Do nothing, unless the comparisons have more resamples than fit in memory; nothing is counted to know it."""
    parts = data.values() if isinstance(data, Sets) else [data]
    # Only some of the systems may be rated, or be in all sets.
    if not all(isinstance(metric, Rated) for metric in request.metrics):
        request.settings.refuse_many(set.intersection(*(set(corpus.systems) for corpus in parts)), request.pairs)


def _asked_of(request: _request.Request | None, plan: _request.AnalysisPlan | None) -> _request.Request:
    """Return the request, or what the plan fixed."""
    if plan is None:
        if request is None:
            raise InvalidOption("Give a request or an analysis plan.")
        return request
    if request is not None and request != plan.request:
        raise InvalidOption("The request differs from the analysis plan, and what a plan fixes cannot be changed.")
    return plan.request


def _check_differ(many: Sequence[Statistics]) -> None:
    """Refuse a metric that was asked for twice: once left to the text, once as what the text then chose."""
    metrics = [statistics.metric.counted for statistics in many]
    twice = next((metric for metric in metrics if metrics.count(metric) > 1), None)
    if twice is not None:
        raise InvalidOption(f"The metric {_request.choice_of(twice) or twice.name} is named twice on these data.")


def requested_of(
    sets: Sets, request: _request.Request | None, plan: _request.AnalysisPlan | None = None
) -> _request.Request:
    """Return what is to be done on these sets: the request, or what the plan fixed."""
    request = _asked_of(request, plan)
    if request.sets is None:
        if plan is not None:
            raise InvalidOption(
                "The analysis plan covers one test set only, without [sets]. Write a plan with mtsig plan --set."
            )
        request = replace(request, sets=Averaging())
    over = request.sets or Averaging()
    if not over.names:
        return replace(request, sets=replace(over, names=tuple(sets)))
    if set(over.names) != set(sets):
        raise InvalidOption(
            f"{'The analysis plan' if plan else 'The request'} fixes the test sets {listed(list(over.names))}; found "
            f"{listed(list(sets))}. What was fixed in advance cannot be changed."
        )
    return request


def measured_over(
    sets: Sets, request: _request.Request, number: int, executor: Executor | None = None
) -> SetStatistics:
    """Return what metric `number` of a request counts on every set, by the executor where there is one."""
    over = request.sets or Averaging()
    own = {name: request.of_set(name)[number] for name in sets}
    return measure_sets(sets, request.metrics[number], own=own, sharing=over.units, executor=executor)


def record(
    corpus: Corpus | None,
    request: _request.Request,
    scored: Sequence[Intervals],
    families: Sequence[Family],
    places: Sequence[Ranks | None] | None = None,
    plan: _request.AnalysisPlan | None = None,
    checkup: Checkup | None = None,
) -> _record.Study:
    """Return the study of computed results; checkup: what the data checks found, where they were run."""
    status: _record.Status = "exploratory" if plan is None else "planned"
    if places is None:
        places = [ranks(family) if rankable(family) else None for family in families]
    made = zip(labels_of(request.metrics), request.metrics, scored, families, places, strict=True)
    results = [_result(number, request, status, *of_metric) for number, of_metric in enumerate(made)]
    counted = [family.statistics for family in families] if corpus is None else []
    sized = tuple(note for one in counted[:1] for note in size_notes(one.n_documents, one.n_segments))
    found = findings(Seen(corpus, tuple(scored), tuple(families), checkup, notes=sized))
    notes = [finding.note for finding in found]
    data = _data_of_statistics(counted) if corpus is None else data_of(corpus)
    return _study(request, plan, [_one_set(None, corpus, data, request, families, results)], notes)


def _of_parts(
    corpus: Corpus, request: _request.Request, plan: _request.AnalysisPlan | None, statistics: Sequence[Statistics]
) -> _record.Study:
    """Return the study of the parts of one test set, which are its sets."""
    by, settings = str(request.by), request.settings
    compared = [compare_subsets(corpus, counted, by, settings, request.pairs) for counted in statistics]
    scored = [scores_of_subsets(family, settings) for family in compared]
    return _together(compared[0].statistics.sets, request, plan, compared, scored, corpus)


def _over_sets(
    sets: Sets,
    request: _request.Request,
    plan: _request.AnalysisPlan | None,
    statistics: Sequence[SetStatistics] | None,
) -> _record.Study:
    over, settings = request.sets or Averaging(), request.settings
    many = statistics or [measured_over(sets, request, number) for number in range(len(request.metrics))]
    for name in sets:
        _check_differ([counted.of[name] for counted in many])
    many = [
        replace(counted, of={name: with_misaligned(own, sets[name]) for name, own in counted.of.items()})
        for counted in many
    ]
    compared = [compare(counted, settings, request.pairs, over) for counted in many]
    scored = [
        score(replace(counted, of={name: counted.of[name] for name in family.families}), settings, weights=over.weights)
        for counted, family in zip(many, compared, strict=True)
    ]
    return _together(sets, request, plan, compared, scored)


def _together(
    sets: Sets,
    request: _request.Request,
    plan: _request.AnalysisPlan | None,
    compared: Sequence[FamilyOverSets],
    scored: Sequence[ScoresOverSets],
    whole: Corpus | None = None,
) -> _record.Study:
    """Return the study of what was compared in several sets, or parts of a `whole`, and over them."""
    status: _record.Status = "exploratory" if plan is None else "planned"
    labels, parts = labels_of(request.metrics), []
    found: dict[str, list[Note]] = {}
    for name, corpus in sets.items():
        own = {number: family.families[name] for number, family in enumerate(compared) if name in family.families}
        results = [
            _result(
                number, request, status, labels[number], family.statistics.metric, scored[number].intervals[name],
                family, ranks(family) if request.by is None and rankable(family) else None,
            )
            for number, family in own.items()
        ]  # fmt: skip
        # Counts that were read from a file are of texts that are not here.
        text = corpus if corpus.outputs or corpus.references or corpus.ratings else None
        intervals = tuple(scores.intervals[name] for scores in scored if name in scores.intervals)
        # What the data checks find, they find in the whole of which parts are cut; raters may be those of a part alone.
        data, checkup = corpus if whole is None else None, _UNCHECKED if text is None else None
        families = tuple(own.values())
        raters = () if whole is None else CAUTIONS["raters"](Seen(corpus, families=families))
        found[name] = [each.note for each in (*raters, *findings(Seen(data, intervals, families, checkup)))]
        parts.append(_one_set(name, text, data_of(corpus), request, list(own.values()), results))
    together = [
        _over_all(choice, label, status, family, scores)
        for choice, label, family, scores in zip(request.choices, labels, compared, scored, strict=True)
    ]
    told = [finding.note for finding in findings(Seen(whole))] + [*notes_of(found)]
    if any(note.about == "raters" for note in told) and any(family.averages is not None for family in compared):
        said = "Averages over sets are for the raters of each set; whether they hold for other raters is unknown."
        told.append(Note("note", said, about="raters"))
    for family in compared:
        told += on_all(family.notes, family.families)
    for scores in scored:
        told += on_all(scores.notes, scores.intervals)
    # For which raters verdicts hold is said first.
    return _study(request, plan, parts, sorted(told, key=lambda note: note.about != "raters"), together, sets.skipped)


def _study(
    request: _request.Request,
    plan: _request.AnalysisPlan | None,
    parts: Sequence[_record.OneSet],
    notes: Sequence[Note],
    together: Sequence[_record.MetricOverSets] = (),
    skipped: Mapping[str, str] | None = None,
) -> _record.Study:
    said = merged(notes)
    return _record.Study(
        schema=_record.SCHEMA,
        mtsig=VERSION,
        status="exploratory" if plan is None else "planned",
        plan=None if plan is None else _record.PlanText(plan.digest, plan.text),
        request=_record.Asked.of(request),
        sets=NamedRows(parts),
        together=NamedRows(together),
        notes=tuple(note.text for note in said),
        warnings=tuple(note.text for note in said if note.level == "warning"),
        raters=tuple(note.text for note in said if note.about == "raters"),
        draws=_record.Draws(RNG, BLOCK),
        made_with=versions(),
        skipped=dict(skipped or {}),
    )


def _one_set(
    name: str | None,
    corpus: Corpus | None,
    data: _record.Data,
    request: _request.Request,
    families: Sequence[Family],
    results: Sequence[_record.MetricResult],
) -> _record.OneSet:
    return _record.OneSet(
        set=name,
        data=data,
        texts=NamedRows(() if corpus is None else _differences.fingerprints(corpus)),
        settings=_used(request, families[0]) if families else None,
        results=NamedRows(results),
        subset=None if corpus is None else corpus.subset,
    )


def _result(
    number: int,
    request: _request.Request,
    status: _record.Status,
    label: str,
    metric: Metric,
    scored: Intervals,
    family: Family,
    places: Ranks | None,
) -> _record.MetricResult:
    """Return what a metric says of a set, marked as what it is, without draws and notes."""
    units = family.statistics.n
    # A set may have options of its own, and no margins.
    margins = request.margins_of(metric) if request.sets is None else ()
    judged = family.changed(status=status, metric=label)
    return _record.MetricResult(
        metric_spec=_request.choice_of(metric),
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
        counted_as=_request.choice_of(family.statistics.metric.counted),
        units=units,
        first_draws=_record.FirstDraws(_first_draws(family.scheme, units), _first_draws(family.test.scheme, units)),
        without_reference={
            name: _kept(without.changed(status=status, metric=label)) for name, without in family.without.items()
        },
    )


def _kept(family: Family) -> Family:
    """Return the comparisons as a study keeps them."""
    return replace(family, drawn=None, without={}, notes=(), unranked={})


def _over_all(
    choice: str | None, label: str, status: _record.Status, compared: FamilyOverSets, scored: ScoresOverSets
) -> _record.MetricOverSets:
    metric, averages = next(iter(compared.statistics.of.values())).metric, compared.averages
    return _record.MetricOverSets(
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


def _used(request: _request.Request, family: Family) -> _record.Used:
    """Return the settings as they were used: the family knows the correction, and what "auto" was."""
    settings = request.settings
    # Items of preferences are clusters of judgements, as documents are.
    unit = "document" if family.unit == "item" else family.unit
    shares, resolved = Wilson.name, settings.resolved(unit).interval
    return _record.Used(
        test=family.test.name,
        interval=shares if settings.interval == AUTO and family.statistics.right_or_wrong else resolved,
        correction=family.correction,
        alternative=settings.alternative,
        level=settings.level,
        n_resamples=family.test.scheme.n_draws,
        seed=settings.seed,
        unit=family.unit,
        estimand=family.test.estimand,
        rng=RNG,
    )


def data_of(corpus: Corpus) -> _record.Data:
    """Return what the data are, as a whole."""
    ratings = tuple(
        _record.RatingAbout(name, rating.higher_is_better, rating.direction_source, rating.rater)
        for name, rating in corpus.ratings.items()
    )
    return _record.Data(
        len(corpus), corpus.n_documents, tuple(corpus.systems), tuple(corpus.references), corpus.digest, ratings
    )


def _data_of_statistics(many: Sequence[Statistics]) -> _record.Data:
    """Return what statistics know of the data that they were counted on."""
    digests = {statistics.digest for statistics in many}
    if len(digests) > 1:
        raise InvalidOption("The statistics are of several corpora, but a study has one: compare each separately.")
    documents = [statistics.n_documents for statistics in many if statistics.n_documents is not None]
    return _record.Data(
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
