"""Reading studies: JSON text goes in, a checked study comes out, or one error that says where it is wrong.

What follows from the numbers is worked out anew and never believed; what is written twice is checked to be the same.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np

from mtsig._options import options
from mtsig._records import impossible, naming_systems
from mtsig.corpus._notes import ranked_systems, refuse_repeated
from mtsig.errors import LONGEST, MtsigError, ReadError, expect, said_by
from mtsig.inference import INTERVALS, TESTS, Comparison, Family, Settings
from mtsig.inference._intervals import Score
from mtsig.inference._ranks import Place
from mtsig.inference._significance import AUTO
from mtsig.readers._files import bytes_at, json_of, unique
from mtsig.study._record import SCHEMA, Asked, MetricOverSets, MetricResult, OneSet, Study, digest_of

MOST_BYTES = 256 * 2**20
"""Larger files are no studies: 100 systems of 100,000 segments make some 40 MB."""

MOST_VALUES = 2 * 10**7
"""More are no study: 100 systems in ten metrics make some five million."""

_HOW = "Studies are saved by `mtsig compare --data FOLDER -o study.json` and by the Paper page."


def read_study(path: str | Path) -> Study:
    """Read a study of one or several test sets from a file.

    Parameters
    ----------
    path : str or Path
        A file that `Study.save` or `mtsig compare --out` wrote.

    Returns
    -------
    study : Study

    Raises
    ------
    InvalidOption
        The argument is not a path.
    ReadError
        The file cannot be read, or is not a study; the message gives the position.

    Examples
    --------
    >>> import mtsig, tempfile
    >>> study = mtsig.compare(mtsig.read_sample(), "bleu", n_resamples=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mtsig.read_study(study.save(f"{folder}/study.json")).text() == study.text()
    True
    """
    expect(path, str | PathLike, "Give a study file, as written by study.save(PATH)")
    return study_of(bytes_at(path, _HOW), str(path))


def study_of(data: bytes | str, label: str = "the study") -> Study:
    """Return the study in a JSON text; error messages call it by its `label`.

    Raises
    ------
    ReadError
        The text is not JSON, has another schema version, or is not a study; the message gives the position.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.study import study_of
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> study_of(study.text())
    <Study, exploratory: 2 systems (A, B) in 1 metric (score) on 4 segments>
    """
    record = _record_in(data, label)
    place = f"{label} is not a valid study"
    with _refusing(label):
        study = Study.of_plain(record)
        for wrong in impossible(study):
            raise ReadError(f"{place}: at {wrong}.")
        refuse_repeated(() if isinstance(study.request.pairs, str) else study.request.pairs, "request.pairs: ")
        _check_sets(study, place)
        for number, part in enumerate(study.sets):
            _check_set(study, part, f"{place}: at sets[{number}]", label)
        for number, of_metric in enumerate(study.together):
            _check_together(study, number, of_metric, f"{place}: at over[{number}]")
        _check_plan(study, label)
    study.__dict__["was_read"] = True
    return study


@contextmanager
def _refusing(label: str) -> Iterator[None]:
    """Raise what is wrong with a record that is read as ReadError, with its label."""
    try:
        yield
    except msgspec.ValidationError as error:
        why = said_by(error, "its parts are inconsistent", LONGEST)
        raise ReadError(f"{label} is not a valid study: {why}. Undo the change, or create the study again.") from None
    except ReadError:
        raise  # it names the place
    except MtsigError as error:
        raise ReadError(f"{label}: {error}") from None


def _record_in(data: bytes | str, label: str) -> dict[str, Any]:
    """Return the record that JSON text holds."""
    if len(data) > MOST_BYTES:
        raise ReadError(f"{label} has {len(data) / 2**20:.0f} MB; a study may have at most {MOST_BYTES // 2**20} MB.")
    values = sum(data.count(sign) if isinstance(data, str) else data.count(sign.encode()) for sign in ",[{")
    if values > MOST_VALUES:
        raise ReadError(f"{label} has {values:,} values; a study may have at most {MOST_VALUES:,}.")
    return _of_this_layout(json_of(data, label, parse_constant=_no_number, object_pairs_hook=unique), label)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _of_this_layout(record: Any, label: str) -> dict[str, Any]:
    if not isinstance(record, dict) or "schema" not in record:
        raise ReadError(f"{label} is not a study: it has no key called schema. {_HOW}")
    try:
        msgspec.json.encode(record)
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ReadError(
            f"{label} is not a valid study: it holds {half!r}, an incomplete character. Copy the file again."
        ) from None
    if record["schema"] != SCHEMA:
        raise ReadError(
            f"{label} has the file layout {record['schema']!r}, and this version of the program reads {SCHEMA} alone: "
            "create the study again from its data, or read it with the version that wrote it."
        )
    if "request" not in record:
        raise ReadError(f"{label} contains results, but not a study of comparisons. {_HOW}")
    settings = record["request"].get("settings") if isinstance(record["request"], dict) else None
    known = {option.name for option in options(Settings)}
    for name in settings if isinstance(settings, dict) else ():
        if name not in known:
            raise ReadError(f"{label}: There is no setting called {name!r}. Known: {', '.join(sorted(known))}.")
    return {**record, "intact": _intact(record), "digest": ""}


def _intact(record: Mapping[str, Any]) -> bool:
    """Return what a study says of itself after a look at its digest: whether it is what was written."""
    try:
        fits = record.get("digest") == digest_of(record)
    except ValueError:  # a number too large to be one, which is refused with its place
        fits = False
    return fits and record.get("intact") is True


def _check_set(study: Study, part: OneSet, place: str, label: str) -> None:
    """Refuse a set whose results are of other systems, or do not fit together: they would be shown in a wrong place."""
    systems = set(part.data.systems)
    for number, result in enumerate(part.results):
        at = f"{place}.results[{number}]"
        for key, rows in (
            ("systems", result.scored),
            ("comparisons", result.compared),
            ("ranks", result.places or ()),
            ("margins", result.margins),
            ("without_reference", [row for family in result.without_reference.values() for row in family]),
        ):
            for i, row in enumerate(rows):
                for name in sorted(naming_systems(type(row))):
                    if getattr(row, name) not in (None, *systems):
                        raise ReadError(
                            f"{at}.{key}[{i}]: the system {getattr(row, name)!r} is not among the data's systems."
                        )
                if isinstance(row, Score | Comparison):
                    _check_around(f"{at}.{key}[{i}]", row)
                if isinstance(row, Place) and row.rank_high > len(systems):
                    raise ReadError(
                        f"{at}.{key}[{i}]: rank_high is {row.rank_high}, and there are {len(systems)} systems."
                    )
        _check_metric(study, result, at)
    if part.settings is not None:
        _check_settings(study, part, label)


def _check_around(place: str, row: Score | Comparison) -> None:
    """Refuse an estimate outside of its interval, where the method begins at the estimate: quantiles do not."""
    estimate = row.score if isinstance(row, Score) else row.difference
    method = INTERVALS.get(row.interval)
    slack = 1e-9 * max(abs(row.ci_low), abs(row.ci_high), 1.0)
    if method is not None and not method.redraws and (estimate < row.ci_low - slack or estimate > row.ci_high + slack):
        raise ReadError(f"{place}: {estimate!r} is outside its interval, {row.ci_low!r} to {row.ci_high!r}.")


def _check_metric(study: Study, result: MetricResult, place: str) -> None:
    """Refuse a metric whose estimates do not fit together."""
    names, order = list(result.scored.systems), result.compared.order
    if not len(result.compared) or not names:
        raise ReadError(f"{place}: {result.compared.metric!r} has no scores or no comparisons.")
    compared = {*result.compared.first, *result.compared.second}
    if len(set(names)) < len(names) or not compared <= set(order) <= set(names) or len(set(order)) < len(order):
        raise ReadError(f"{place}: order does not contain every compared system once, with a score.")
    for family in (result.compared, *result.without_reference.values()):
        _check_family(study, family, f"{place}.comparisons")
    for place_of in result.places or ():
        contends = place_of.system in ranked_systems(
            result.places.systems if result.places else (), result.compared.unranked
        )
        if place_of.could_be_best != (contends and place_of.rank_low == 1):
            raise ReadError(f"{place}.ranks: could_be_best of {place_of.system} does not match its ranks.")
    for number, margins in enumerate(result.against):
        refuse_repeated(zip(margins.first, margins.second, strict=True), f"{place}.margins[{number}]: ")
        if margins.header.status != study.status:
            raise ReadError(
                f"{place}.margins[{number}].header.status: the file has {margins.header.status!r}, but the study "
                f"{study.status!r}."
            )


def _check_family(study: Study, family: Family, place: str) -> None:
    """Refuse comparisons that say to have been made otherwise than the study was, or one pair twice."""
    refuse_repeated(zip(family.first, family.second, strict=True), f"{place}: ")
    for name, said, wanted in (
        ("status", family.header.status, study.status),
        ("level", family.level, study.level),
        ("alternative", family.header.alternative, study.request.settings.alternative),
    ):
        if said != wanted:
            raise ReadError(f"{place}.header.{name}: the file has {said!r}, but the study {wanted!r}.")


_AS_ASKED = ("test", "interval", "alternative", "level", "n_resamples", "seed")
"""What was used must be what was asked for; unit and correction may be others."""


def _check_settings(study: Study, part: OneSet, label: str) -> None:
    """Refuse settings that are not those that were asked for."""
    used, asked = part.settings, study.request.settings
    if used is None:
        return
    if study.several:
        # A large family takes more draws than were asked for, or a test that draws nothing.
        asked = replace(asked, n_resamples=used.n_resamples, test=used.test or asked.test)
    unit = "document" if used.unit == "item" else used.unit  # an item of preferences is drawn whole, as a document is
    resolved = asked.resolved(unit)
    for name in _AS_ASKED:
        wanted = getattr(asked, name)
        if name == "n_resamples" and resolved.test in TESTS:
            # sacreBLEU's own numbers come with its own number of draws.
            wanted = resolved.chosen_test(unit).scheme.n_draws
        if name == "n_resamples" and asked.test == AUTO:
            # Large families take more draws than were asked for.
            wanted = max(wanted, used.n_resamples)
        # What was left to the program stands in the results by its name.
        if wanted != AUTO and getattr(used, name) != wanted:
            raise ReadError(
                f"{label} is not a valid study: settings.{name} is {getattr(used, name)!r}, but {wanted!r} was asked "
                f"for."
            )


def _check_plan(study: Study, label: str) -> None:
    """Refuse a study that is not what its plan says."""
    plan = study.analysis_plan
    if plan is not None and study.plan is not None and plan.digest != study.plan.digest:
        raise ReadError(f"{label}: the plan's text does not have the digest {study.plan.digest}; it was changed.")
    if (plan is None) != (study.status == "exploratory"):
        raise ReadError(f"{label}: it is marked {study.status}, but its plan says otherwise.")
    if plan is not None and Asked.of(plan.request) != study.request:
        raise ReadError(f"{label}: what was done differs from the plan.")


def _check_sets(study: Study, place: str) -> None:
    """Refuse sets and metrics that are not those that were asked for, each once."""
    over, names = study.request.sets, [part.set for part in study.sets]
    wanted: list[str | None] = [None] if over is None else list(over.names)
    if study.request.by is not None:
        if over is not None:
            raise ReadError(f"{place}: at request.by: several test sets cannot be divided into subsets.")
        wanted = [name for name in names if name is not None]
    if len(names) != len(wanted) or set(names) != set(wanted) or len(set(names)) < len(names):
        raise ReadError(f"{place}: its sets are not the requested ones, each once.")
    asked = len(study.request.metrics)
    if len(study.together) != (asked if study.several else 0):
        raise ReadError(f"{place}: over does not contain every requested metric.")
    for number, part in enumerate(study.sets):
        numbers = [result.number for result in part.results]
        if numbers != sorted(set(numbers) & set(range(asked))) or (not study.several and len(numbers) != asked):
            raise ReadError(f"{place}: at sets[{number}].results: they do not belong to the requested metrics.")


def _check_together(study: Study, number: int, of_metric: MetricOverSets, place: str) -> None:
    """Refuse averages that are not those of their sets."""
    families = {part.set: result.compared for part in study.sets for result in part.results if result.number == number}
    averages = of_metric.averages
    known = {system for part in study.sets for system in part.data.systems}
    named = {*(() if of_metric.scored is None else of_metric.scored.systems), *(averages.order if averages else ())}
    if not named <= known or (averages and not {*averages.first, *averages.second} <= {*averages.order}):
        raise ReadError(f"{place}: not all of its systems are among those of the sets.")
    if averages is not None:
        _check_family(study, averages, f"{place}.comparisons")
    chances = of_metric.replicability  # of both directions of a pair
    one_way, other_way = [one for one in chances if one.first <= one.second], [o for o in chances if o.first > o.second]
    for rows in (of_metric.described, one_way, other_way):
        refuse_repeated([(row.first, row.second) for row in rows], f"{place}: ")
    for at, beside in enumerate(of_metric.described):
        found = [
            None if name not in families else families[name].pair(beside.first, beside.second) for name in beside.sets
        ]
        own = [None if pair is None else pair.difference for pair in found]
        if list(beside.differences) != own or len(beside.weights) != len(own):
            raise ReadError(
                f"{place}.described[{at}]: the file has the differences {list(beside.differences)!r}, but the sets "
                f"{own!r}."
            )
    described = {(beside.first, beside.second): beside for beside in of_metric.described}
    for at, pair in enumerate(averages or ()):
        own_row = described.get((pair.first, pair.second))
        if own_row is None:
            raise ReadError(f"{place}.comparisons[{at}]: described has no entry for this average.")
        mean = float(np.dot(own_row.weights, own_row.differences))
        if not np.isclose(pair.difference, mean, rtol=1e-9, atol=1e-12):
            raise ReadError(
                f"{place}.comparisons[{at}].difference: the file has {pair.difference!r}, but its own numbers give "
                f"{mean!r}."
            )
        _check_around(f"{place}.comparisons[{at}]", pair)
