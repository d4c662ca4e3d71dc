"""Conducting a study over several sets: a collection and a request, or a plan, go in; the study comes out."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import TypeVar

from mtsig.cautions import single_runs
from mtsig.corpus import Note, listed
from mtsig.errors import InvalidOption
from mtsig.records import InSet
from mtsig.resampling import BLOCK, RNG
from mtsig.sets import FamilyOverSets, ScoresOverSets, Sets, SetStatistics, compare, measure, score
from mtsig.study.any_study import SCHEMA, PlanText, Status
from mtsig.study.fingerprints import fingerprints
from mtsig.study.plan import AnalysisPlan
from mtsig.study.record import ComparisonRecord, Draws, Study
from mtsig.study.request import OverSetsRequest, Request
from mtsig.study.run import asked_of, check_differ, data_of, of_data, record, versions
from mtsig.study.sets_record import AskedOverSets, Averages, MetricOverSets, OneSet, SetsStudy
from mtsig.version import VERSION

R = TypeVar("R", bound=InSet)


def requested_of(sets: Sets, request: Request | None, plan: AnalysisPlan | None = None) -> Request:
    """Return what is to be done on these sets: the request, or what the plan fixed.

    >>> import mtsig
    >>> from mtsig.sets import Sets
    >>> from mtsig.study import Request, requested_of
    >>> sets = Sets.of({"2024": mtsig.read_sample(), "2025": mtsig.read_sample()})
    >>> requested_of(sets, Request((mtsig.metric("chrf"),))).sets.names
    ('2024', '2025')

    Raises:
        InvalidOption: neither request nor plan, a request that is not the plan's, or other sets than were fixed.
    """
    request = asked_of(request, plan)
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
    return measure(sets, request.metrics[number], own=own, sharing=over.units, executor=executor)


def conduct_sets(
    sets: Sets,
    request: Request | None = None,
    plan: AnalysisPlan | None = None,
    statistics: Sequence[SetStatistics] | None = None,
) -> SetsStudy:
    """Return the study over a collection of sets: what the request asks, or what the plan fixed.

    >>> import mtsig
    >>> from mtsig.sets import Sets
    >>> from mtsig.metrics import metric
    >>> sets = Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()})
    >>> conduct_sets(sets, Request((metric("chrf"),)))
    <SetsStudy, exploratory: 1 metric (chrF2) on 2 test sets>

    Args:
        sets: the collection.
        request: what to do; the plan's request when None.
        plan: the analysis plan, when one was written before scoring.
        statistics: of the request's metrics in their order, when they are there already.

    Raises:
        as `conduct`, with the name of the set; InvalidOption: the sets are not those that were fixed.
    """
    request = requested_of(sets, request, plan)
    over = request.sets or OverSetsRequest()
    many = statistics or [measured_over(sets, request, number) for number in range(len(request.metrics))]
    for name in sets:
        check_differ([counted.of[name] for counted in many])
    settings = request.settings
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
    return _record(sets, request, plan, compared, scored)


def _record(
    sets: Sets,
    request: Request,
    plan: AnalysisPlan | None,
    compared: Sequence[FamilyOverSets],
    scored: Sequence[ScoresOverSets],
) -> SetsStudy:
    status: Status = "exploratory" if plan is None else "planned"
    studies: dict[str, Study] = {}
    for name, corpus in sets.items():
        numbers = [number for number, family_over_sets in enumerate(compared) if name in family_over_sets.families]
        if numbers:
            own = tuple(compared[number].statistics.of[name].metric for number in numbers)
            asked = Request(own, request.settings, request.pairs)
            intervals = [scored[number].intervals[name] for number in numbers]
            families = [compared[number].families[name] for number in numbers]
            study = record(corpus, asked, intervals, families, plan=plan)
            numbered = zip(study.metrics, numbers, strict=True)
            studies[name] = replace(study, metrics=tuple(replace(row, number=number) for row, number in numbered))
    notes = _notes(sets, compared, scored)
    averages = [
        family_over_sets.averages and family_over_sets.averages.changed(status=status) for family_over_sets in compared
    ]
    over = [
        MetricOverSets(
            choice=choice,
            metric=family_over_sets.metric,
            signature=family_over_sets.signature,
            higher_is_better=metric.higher_is_better,
            judges=metric.judges,
            decimals=metric.decimals,
            joint=family_over_sets.joint,
            shared_units=family_over_sets.units.shared,
            averages=None
            if family is None
            else Averages(family.test.name, family.test.scheme.n_draws, family.unit, family.order),
        )
        for choice, family_over_sets, family in zip(request.choices, compared, averages, strict=True)
        for metric in [next(iter(family_over_sets.statistics.of.values())).metric]
    ]
    return SetsStudy(
        schema=SCHEMA,
        mtsig=VERSION,
        status=status,
        plan=None if plan is None else PlanText(plan.digest, plan.text),
        request=AskedOverSets.of(request),
        sets=tuple(
            OneSet(
                name,
                data_of(corpus),
                fingerprints(corpus),
                studies[name].settings if name in studies else None,
                corpus.part,
            )
            for name, corpus in sets.items()
        ),
        skipped=dict(sets.skipped),
        over=tuple(over),
        metrics=_in_sets(studies, lambda study: study.metrics),
        systems=(
            *_in_sets(studies, lambda study: study.systems),
            *(replace(row, set=None) for scores_over_sets in scored for row in scores_over_sets.averages or ()),
        ),
        comparisons=(
            *_in_sets(studies, lambda study: study.comparisons),
            *(replace(ComparisonRecord.of(row), set=None) for family in averages for row in family or ()),
        ),
        ranks=_in_sets(studies, lambda study: study.ranks),
        over_sets=tuple(row for family_over_sets in compared for row in family_over_sets.described),
        replicability=tuple(
            replace(row, metric=family_over_sets.metric, signature=family_over_sets.signature)
            for family_over_sets in compared
            for row in family_over_sets.replicated
        ),
        ranks_over_sets=tuple(
            replace(family_over_sets.ranks, metric=family_over_sets.metric, signature=family_over_sets.signature)
            for family_over_sets in compared
            if family_over_sets.ranks is not None
        ),
        notes=tuple(note.text for note in notes),
        warnings=tuple(note.text for note in notes if note.level == "warning"),
        draws=Draws(RNG, BLOCK),
        made_with=versions(),
        without_reference=_in_sets(studies, lambda study: study.without_reference),
    )


def _in_sets(studies: Mapping[str, Study], rows: Callable[[Study], Sequence[R]]) -> tuple[R, ...]:
    return tuple(replace(row, set=name) for name, study in studies.items() for row in rows(study))


def _notes(sets: Sets, compared: Sequence[FamilyOverSets], scored: Sequence[ScoresOverSets]) -> list[Note]:
    """Return what to know, each sentence once: of the data of every set, of comparisons, of scores."""
    inspected = [Note(note.level, f"{name}: {note.text}") for name, corpus in sets.items() for note in of_data(corpus)]
    runs = single_runs(dict.fromkeys(name for corpus in sets.values() for name in corpus.systems))
    of_scores = [note for scores_over_sets in scored for note in scores_over_sets.notes]
    said: dict[str, Note] = {}
    for note in [
        *inspected,
        *runs,
        *(note for family_over_sets in compared for note in family_over_sets.notes),
        *of_scores,
    ]:
        if note.text not in said or note.level == "warning":
            said[note.text] = note
    return list(said.values())
