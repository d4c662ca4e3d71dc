"""Reading studies over several sets: JSON text goes in, a checked study comes out, or an error that says where.

Each set is checked as a study of one; averages must be those of the differences and weights beside them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mtsig.errors import ReadError
from mtsig.study.reading import (
    check_around,
    check_conclusions,
    check_plan,
    check_rows,
    check_settings,
    data_at,
    edited,
    follows,
    of_file,
    record_in,
    refusing,
    same,
    study_in,
)
from mtsig.study.record import Study
from mtsig.study.sets_record import AskedOverSets, SetsStudy


def read_sets_study(path: str | Path) -> SetsStudy:
    """Return the study over several sets in a file.

    Raises:
        InvalidOption: the path is none.
        ReadError: the file cannot be read, or is no such study (the message says where).
    """
    return sets_study_of(data_at(path), str(path))


def read_any_study(path: str | Path) -> Study | SetsStudy:
    """Return the study in a file, of one set or of several; raises as `read_study`.

    >>> import tempfile
    >>> import mtsig
    >>> from mtsig.study import read_any_study
    >>> study = mtsig.compare_sets({"2024": mtsig.read_sample(), "2025": mtsig.read_sample()}, "chrf", draws=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     read_any_study(study.save(f"{folder}/study.json"))
    <SetsStudy, exploratory: 1 metric (chrF2) on 2 test sets>
    """
    return any_study_of(data_at(path), str(path))


def any_study_of(data: bytes | str, label: str = "the study") -> Study | SetsStudy:
    """Return the study that JSON text writes, of one set or of several; raises as `study_of`.

    >>> import mtsig
    >>> from mtsig.study import any_study_of
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> any_study_of(study.text())
    <Study, exploratory: 2 systems (A, B) in 1 metric (score) on 4 segments>
    """
    record = record_in(data, label)
    return _sets_study_in(record, label) if "sets" in record else study_in(record, label)


def sets_study_of(data: bytes | str, label: str = "the study") -> SetsStudy:
    """Return the study over several sets that JSON text writes; `label` is what messages call it.

    Raises:
        ReadError: it is no JSON, of a newer schema, or not such a study (the message says where).
    """
    return _sets_study_in(record_in(data, label), label)


def _sets_study_in(record: dict[str, Any], label: str) -> SetsStudy:
    if "sets" not in record:
        raise ReadError(f"{label} is a study of one test set: read it with mtsig.read_study.")
    with refusing(label):
        study = of_file(SetsStudy, record, label)
        _check_names(study, label)
        for name, of_set in study.studies.items():
            check_rows(of_set, f"{label}, {name}")
            check_settings(of_set, f"{label}, {name}")
            check_conclusions(of_set, _of_set(record, name), f"{label}, {name}")
        _ = study.results, study.analysis_plan
        _check_averages(study, record, label)
    check_plan(study, AskedOverSets, label)
    return study


_ROWS = ("comparisons", "ranks", "without_reference")


def _of_set(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: [row for row in record.get(key, ()) if row.get("set") == name] for key in _ROWS}


def _check_names(study: SetsStudy, label: str) -> None:
    """Refuse sets and metrics that do not fit together: their rows would never be shown, or in a wrong place."""
    names = study.names
    place = f"{label} is no valid study:"
    if len(set(names)) < len(names) or set(study.request.sets.names) != set(names):
        raise ReadError(f"{place} its sets are not those that were asked for, each once.")
    if len(study.over) != len(study.request.metrics):
        raise ReadError(f"{place} over does not hold every metric that was asked for.")
    for key in ("metrics", "systems", "comparisons", "ranks", "without_reference"):
        sets = {*study.studies, None} if key in ("systems", "comparisons") else set(study.studies)
        for number, row in enumerate(getattr(study, key)):
            if row.set not in sets:
                raise ReadError(f"{place} at {key}[{number}]: the set {row.set or ''!r} is not among sets.")
    for number, metric in enumerate(study.metrics):
        if metric.number not in range(len(study.over)):
            raise ReadError(f"{place} at metrics[{number}]: there is no metric number {metric.number}.")
    known = {(of_metric.metric, of_metric.signature) for of_metric in study.over}
    for key in ("over_sets", "replicability", "ranks_over_sets"):
        for number, row in enumerate(getattr(study, key)):
            if (row.metric, row.signature) not in known:
                raise ReadError(f"{place} at {key}[{number}]: this metric is not among over.")


def _check_averages(study: SetsStudy, record: Mapping[str, Any], label: str) -> None:
    """Refuse averages that are not those of their sets, or that say something else than their numbers."""
    beside = {(item.metric, item.signature, item.first, item.second): item for item in study.over_sets}
    by_set = {
        (number, name, row.first, row.second): row.difference
        for number, result in enumerate(study.results)
        for name, family in result.compared.families.items()
        for row in family
    }
    numbers = {(of_metric.metric, of_metric.signature): number for number, of_metric in enumerate(study.over)}
    for at, over_set in enumerate(study.over_sets):
        own = [
            by_set.get((numbers[over_set.metric, over_set.signature], name, over_set.first, over_set.second))
            for name in over_set.sets
        ]
        if list(over_set.differences) != own:
            raise edited(label, f"over_sets[{at}].differences", list(over_set.differences), own)
    for at, row in enumerate(study.comparisons):
        if row.set is not None:
            continue
        place, written = f"comparisons[{at}]", record["comparisons"][at]
        over = beside.get((row.metric, row.signature, row.first, row.second))
        if over is None or len(over.weights) != len(over.differences):
            raise ReadError(f"{label} is no valid study: at {place}: nothing stands beside this average in over_sets.")
        mean = float(np.dot(over.weights, over.differences))
        if not np.isclose(row.difference, mean, rtol=1e-9, atol=1e-12):
            raise edited(label, f"{place}.difference", row.difference, mean)
        check_around(f"{label} is no valid study: at {place}", row, row.difference)
        for key, value in follows(row.comparison).items():
            if key in written and not same(written[key], value):
                raise edited(label, f"{place}.{key}", written[key], value)
