"""Changes of studies over several sets: two of them, or one and its data, go in; what differs comes out."""

from mtsig.errors import MtsigError, expect
from mtsig.sets import Sets, measure
from mtsig.study.changes import (
    Change,
    Reproduction,
    again_changes,
    as_known,
    field_changes,
    in_brief,
    turned_as,
    unknown_beside,
)
from mtsig.study.fingerprints import data_changes, fingerprints
from mtsig.study.sets_record import SetsStudy
from mtsig.study.sets_run import conduct_sets


def reproduce_sets(study: SetsStudy, sets: Sets) -> Reproduction[SetsStudy]:
    """Return the study made again from its sets, and everything that differs; a changed line is named with its set.

    >>> import mtsig
    >>> from mtsig.sets import Sets
    >>> from mtsig.study import reproduce_sets
    >>> sets = Sets.of({"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)})
    >>> study = mtsig.compare_sets(sets, "chrf", baseline="direct", draws=100)
    >>> reproduce_sets(study, sets).same
    True

    Raises:
        InvalidOption: a metric of the study has no name, or this program lacks one of its methods.
    """
    expect(sets, Sets, "Give the test sets of the study, as read_sets(PATH) reads them")
    gone = [name for name in study.names if name not in sets]
    if gone:
        return Reproduction(None, tuple(Change("data", f"The set {name} is gone.") for name in gone))
    data: list[Change] = []
    strangers: list[Change] = []
    chosen = {}
    for part in study.sets:
        corpus = sets[part.set]
        if set(part.data.systems) <= set(corpus.systems) and set(part.data.references) <= set(corpus.references):
            strangers += unknown_beside(corpus, part.data, part.texts, f"{part.set}: ")
            corpus = as_known(corpus, part.data, part.texts)
        chosen[part.set] = corpus
        data += [
            Change("data", f"{part.set}: {text}") for text in data_changes(part.texts, fingerprints(corpus), corpus)
        ]
    request = study.request.again
    again = Sets(chosen, dict(study.skipped))
    over = study.request.sets
    # Each set's metric as it was counted: what was left to the text stays what it was.
    counted = {
        (row.number, name): metric
        for name, own in study.studies.items()
        for row, metric in zip([row for row in study.metrics if row.set == name], own.counted, strict=True)
    }
    try:
        many = [
            measure(
                again,
                metric,
                own={name: counted[number, name] for name in again if (number, name) in counted},
                sharing=over.units,
            )
            for number, metric in enumerate(request.metrics)
        ]
        made = conduct_sets(again, request, study.analysis_plan, many)
    except MtsigError as error:
        return Reproduction(None, (*data, Change("number", str(error))))
    return Reproduction(made, in_brief((*data, *again_changes(study, made, told=bool(data)), *strangers)))


def sets_study_changes(old: SetsStudy, new: SetsStudy) -> tuple[Change, ...]:
    """Return what differs from one study over sets to another, set by set, and in the averages."""
    texts = {part.set: part.texts for part in new.sets}
    data = [
        Change("data", f"{part.set}: {text}")
        for part in old.sets
        for text in data_changes(part.texts, texts.get(part.set, part.texts))
    ]
    return in_brief((*data, *field_changes(old, turned_as(old, new), told=bool(data))))
