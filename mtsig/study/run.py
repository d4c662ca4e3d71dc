"""Conducting a study: a corpus and a request, or a plan, go in; the study comes out."""

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import metadata

from mtsig.cautions import Seen, cautions
from mtsig.corpus import Corpus, Note, inspect
from mtsig.errors import InvalidOption
from mtsig.inference import Family, Intervals, Ranks, against_margin, rankable, ranks
from mtsig.metrics import Statistics, measure
from mtsig.resampling import BLOCK, RNG, Scheme
from mtsig.study.any_study import SCHEMA, PlanText, Status
from mtsig.study.fingerprints import fingerprints
from mtsig.study.plan import AnalysisPlan
from mtsig.study.record import (
    Asked,
    ComparisonRecord,
    Data,
    Draws,
    FirstDraws,
    OfMetric,
    Ranked,
    RatingAbout,
    Study,
    Used,
    WithoutReference,
)
from mtsig.study.request import Request, choice_of
from mtsig.version import VERSION

_HASHED = 10
"""So many draws tell one stream of random numbers from another."""


def conduct(
    corpus: Corpus | None,
    request: Request | None = None,
    plan: AnalysisPlan | None = None,
    statistics: Sequence[Statistics] | None = None,
) -> Study:
    """Return the study of a corpus: what the request asks, or what the plan fixed.

    >>> import mtsig
    >>> from mtsig.study import Request, conduct
    >>> request = Request((mtsig.metric("chrf"),), mtsig.Settings(draws=500), pairs="direct")
    >>> len(conduct(mtsig.read_sample(), request).comparisons)
    4

    Args:
        corpus: the data; None where there are statistics alone, and no texts to be known again by.
        request: what to do; the plan's request when None.
        plan: the analysis plan, when one was written before scoring.
        statistics: of the request's metrics in their order, when they are there already.

    Raises:
        InvalidOption: neither request nor plan, a request that is not the plan's, two metrics that are one on these
            data, neither corpus nor statistics, or statistics of several corpora.
        NotApplicable: the data do not carry the analysis.
        UnknownName: a pair names no system.
    """
    request = asked_of(request, plan)
    if request.sets is not None:
        raise InvalidOption("This is a plan of several test sets: give all of them.")
    if statistics is not None:
        many = list(statistics)
    elif corpus is not None:
        many = [measure(corpus, metric) for metric in request.metrics]
    else:
        raise InvalidOption("Say on what: give a corpus or statistics.")
    check_differ(many)
    families = request.settings.families(many, request.pairs, joined=request.joined)
    scored = [request.settings.intervals(counted) for counted in many]
    return record(corpus, request, scored, families, plan=plan)


def asked_of(request: Request | None, plan: AnalysisPlan | None) -> Request:
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


def check_differ(many: Sequence[Statistics]) -> None:
    """Refuse a metric that was asked for twice: once left to the text, once as what the text then chose."""
    metrics = [statistics.metric.counted for statistics in many]
    twice = next((metric for metric in metrics if metrics.count(metric) > 1), None)
    if twice is not None:
        raise InvalidOption(f"The metric {choice_of(twice) or twice.name} is named twice on these data.")


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
    >>> from mtsig.study import Request, record
    >>> settings = mtsig.Settings(draws=500)
    >>> statistics = mtsig.measure(mtsig.read_sample(), "chrf")
    >>> request = Request((statistics.metric,), settings)
    >>> study = record(mtsig.read_sample(), request, [settings.intervals(statistics)], [settings.family(statistics)])
    >>> study.status, len(study.comparisons)
    ('exploratory', 10)
    """
    if places is None:
        places = [ranks(family) if rankable(family) else None for family in families]
    notes = _notes(corpus, scored, families)
    status: Status = "exploratory" if plan is None else "planned"
    families = [_marked(family, status) for family in families]
    counted = zip(request.choices, scored, families, places, strict=True)
    return Study(
        schema=SCHEMA,
        mtsig=VERSION,
        status=status,
        plan=None if plan is None else PlanText(plan.digest, plan.text),
        request=Asked.of(request),
        settings=_used(request, families[0]),
        data=_data_of_statistics([family.statistics for family in families]) if corpus is None else data_of(corpus),
        texts=() if corpus is None else fingerprints(corpus),
        metrics=tuple(_of_metric(*pair) for pair in counted),
        systems=tuple(score for intervals in scored for score in intervals),
        comparisons=tuple(ComparisonRecord.of(comparison) for family in families for comparison in family),
        ranks=tuple(place for ranked in places if ranked is not None for place in ranked),
        margins=tuple(
            replace(margin_result, status=status)
            for metric, family in zip(request.metrics, families, strict=True)
            for margin in request.margins_of(metric)
            for margin_result in against_margin(
                family, margin.points, both=margin.kind == "equivalence", one_more=margin.one_more_document
            )
        ),
        notes=tuple(note.text for note in notes),
        warnings=tuple(note.text for note in notes if note.level == "warning"),
        draws=Draws(RNG, BLOCK),
        made_with=versions(),
        without_reference=tuple(
            WithoutReference(family.signature, reference, tuple(map(ComparisonRecord.of, without)))
            for family in families
            for reference, without in family.without.items()
        ),
        part=None if corpus is None else corpus.part,
    )


def _marked(family: Family, status: Status) -> Family:
    """Return the comparisons marked as what they are, those without a kin's reference, too."""
    without = {reference: judged_family.changed(status=status) for reference, judged_family in family.without.items()}
    return replace(family.changed(status=status), without=without)


def of_data(corpus: Corpus) -> list[Note]:
    """Return what to know of the data themselves; which other files lay beside them is no part of a study."""
    return [note for note in inspect(corpus) if note.about != "files"]


def _notes(corpus: Corpus | None, scored: Sequence[Intervals], families: Sequence[Family]) -> list[Note]:
    """Return what to know, each sentence once; what concerns single verdicts stands beside these.

    Which other files lay beside the data is no part of a study.
    """
    found = cautions(Seen(corpus, tuple(scored), tuple(families)))
    return [note for caution in found if not caution.pairs and (note := caution.told).about != "files"]


def _used(request: Request, family: Family) -> Used:
    """Return the settings as they were used: the family knows the correction, and what "auto" was."""
    settings = request.settings
    return Used(
        test=family.test.name,
        interval=settings.resolved(family.unit).interval,
        correction=family.correction,
        alternative=settings.alternative,
        level=settings.level,
        draws=family.test.scheme.n_draws,
        seed=settings.seed,
        unit=family.unit,
        estimand=family.test.estimand,
        rng=RNG,
    )


def data_of(corpus: Corpus) -> Data:
    """Return what the data are, as a whole."""
    ratings = tuple(
        RatingAbout(name, rating.higher_is_better, rating.known_by, rating.judge)
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


def _of_metric(choice: str | None, scored: Intervals, family: Family, place: Ranks | None) -> OfMetric:
    metric, units = family.statistics.metric, family.statistics.n
    return OfMetric(
        score_unit=scored.unit,
        score_units=scored.n_units,
        unit=family.unit,
        units=units,
        test=family.test.name,
        draws=family.test.scheme.n_draws,
        complete=family.complete,
        correction=family.correction,
        family_size=family.family_size,
        first_draws=FirstDraws(_first_draws(family.scheme, units), _first_draws(family.test.scheme, units)),
        choice=choice,
        metric=family.metric,
        signature=family.signature,
        higher_is_better=scored.higher_is_better,
        judges=metric.judges,
        decimals=metric.decimals,
        order=family.order,
        counted_as=choice_of(metric.counted),
        ranked=None if place is None else Ranked(place.units, place.shared),
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


@cache
def _version(name: str) -> str:
    """Return the version of a library, looked up in its files once: it was a tenth of a small study's time."""
    return metadata.version(name)
