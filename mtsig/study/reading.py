"""Reading studies: JSON text goes in, a checked study comes out, or one error that says where it is wrong.

A study keeps conclusions beside the numbers they follow from, for readers without this program. Tables and sentences
are made from the numbers alone, so an edited conclusion would stand unnoticed beside other words: it is refused.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isclose
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from mtsig.corpus import contenders
from mtsig.errors import MtsigError, ReadError, expect
from mtsig.inference import INTERVALS, TESTS, Comparison, Score, Settings, conclusions
from mtsig.inference.defaults import AUTO
from mtsig.options import options
from mtsig.readers import bytes_of, json_of
from mtsig.records import impossible
from mtsig.study.any_study import SCHEMA, AnyStudy, digest_of
from mtsig.study.record import Asked, OfMetric, Study, rows_of

MOST_BYTES = 256 * 2**20
"""Larger files are no studies: 100 systems of 100,000 segments make some 40 MB."""

MOST_VALUES = 2 * 10**7
"""More are no study: 100 systems in ten metrics make some five million."""

_HOW = "Studies are written by `mtsig compare --format json` and by the Paper page."


def read_study(path: str | Path) -> Study:
    """Return the study in a file.

    >>> import mtsig, tempfile
    >>> study = mtsig.compare(mtsig.read_sample(), "bleu", draws=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mtsig.read_study(study.save(f"{folder}/study.json")).text() == study.text()
    True

    Raises:
        InvalidOption: the path is none.
        ReadError: the file cannot be read, or is no study (the message says where).
    """
    return study_of(data_at(path), str(path))


def data_at(path: str | Path) -> bytes:
    """Return what is in the file of a study.

    Raises:
        InvalidOption: the path is none.
        ReadError: it cannot be read.
    """
    expect(path, str | PathLike, "Give the file of a study, as study.save(PATH) writes it")
    try:
        return bytes_of(Path(path), str(path))
    except (OSError, ValueError) as error:
        raise ReadError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None


def study_of(data: bytes | str, label: str = "the study") -> Study:
    """Return the study that JSON text writes, of this layout; `label` is what messages call it.

    Raises:
        ReadError: it is no JSON, of a newer schema, or not a study (the message says where).
    """
    return study_in(record_in(data, label), label)


def study_in(record: dict[str, Any], label: str) -> Study:
    """Return the study that a record of this layout is; raises as `study_of`."""
    if "sets" in record:
        raise ReadError(f"{label} is a study of several test sets: read it with mtsig.study.read_any_study.")
    with refusing(label):
        study = of_file(Study, record, label)
        check_rows(study, label)
        _ = study.results, study.analysis_plan
        check_settings(study, label)
    check_plan(study, Asked, label)
    check_conclusions(study, record, label)
    return study


S = TypeVar("S", bound=AnyStudy)


def of_file(kind: type[S], record: dict[str, Any], label: str) -> S:
    """Return the study of this kind that a record is, marked as read.

    Raises:
        ReadError: it holds a number that cannot be.
        msgspec.ValidationError: something is missing, or of another type.
    """
    study = kind.of_plain(record)
    for wrong in impossible(study):
        raise ReadError(f"{label} is no valid study: at {wrong}.")
    study.__dict__["was_read"] = True
    return study


def check_around(place: str, row: Score | Comparison, estimate: float) -> None:
    """Refuse an estimate outside of its interval, where the method begins at the estimate: quantiles do not."""
    method = INTERVALS.get(row.interval)
    slack = 1e-9 * max(abs(row.low), abs(row.high), 1.0)
    if method is not None and not method.redraws and (estimate < row.low - slack or estimate > row.high + slack):
        raise ReadError(f"{place}: {estimate!r} lies outside of its interval, {row.low!r} to {row.high!r}.")


@contextmanager
def refusing(label: str) -> Iterator[None]:
    """Raise what is wrong with a record that is read as ReadError, with its label."""
    try:
        yield
    except msgspec.ValidationError as error:
        raise ReadError(f"{label} is no valid study: {error}.") from None
    except ReadError:
        raise  # it names the place
    except MtsigError as error:
        raise ReadError(f"{label}: {error}") from None


def record_in(data: bytes | str, label: str) -> dict[str, Any]:
    """Return the record that JSON text holds, in this layout.

    Raises:
        ReadError: as `study_of`.
    """
    if len(data) > MOST_BYTES:
        raise ReadError(f"{label} has {len(data) / 2**20:.0f} MB; a study has at most {MOST_BYTES // 2**20} MB.")
    values = sum(data.count(sign) if isinstance(data, str) else data.count(sign.encode()) for sign in ",[{")
    if values > MOST_VALUES:
        raise ReadError(f"{label} has {values:,} values; a study has at most {MOST_VALUES:,}.")
    return _of_this_layout(json_of(data, label, parse_constant=_no_number, object_pairs_hook=_each_once), label)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; what has a key twice says one thing to a reader, and another to a program."""
    found = dict(pairs)
    if len(found) < len(pairs):
        (twice, _), *_ = (Counter(key for key, _ in pairs)).most_common(1)
        raise ValueError(f"the key {twice[:100]!r} stands twice in one object")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _of_this_layout(record: Any, label: str) -> dict[str, Any]:
    if not isinstance(record, dict) or "schema" not in record:
        raise ReadError(f"{label} is no study: it has no key called schema. {_HOW}")
    try:
        msgspec.json.encode(record)
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ReadError(
            f"{label} is no valid study: it holds {half!r}, half a character. Copy the file again."
        ) from None
    schema = record["schema"]
    if schema != SCHEMA:
        raise ReadError(f"{label} has the schema {schema!r}; this version of the program reads {SCHEMA}.")
    if "request" not in record:
        raise ReadError(f"{label} holds results, but no study of comparisons. {_HOW}")
    record = {**record, "intact": _intact(record), "digest": ""}
    settings = record["request"].get("settings") if isinstance(record["request"], dict) else None
    known = {option.name for option in options(Settings)}
    for name in settings if isinstance(settings, dict) else ():
        if name not in known:
            raise ReadError(f"{label}: There is no setting called {name!r}. Known: {', '.join(sorted(known))}.")
    return dict(record)


def _intact(record: Mapping[str, Any]) -> bool:
    """Return what a study says of itself after a look at its digest: whether it is what was written."""
    try:
        fits = record.get("digest") == digest_of(record)
    except ValueError:  # a number too large to be one, which is refused with its place
        fits = False
    return fits and record.get("intact") is True


def check_rows(study: Study, label: str) -> None:
    """Refuse rows that belong to nothing: they would never be shown."""
    metrics = {(measured.metric, measured.signature) for measured in study.metrics}
    systems = set(study.data.systems)
    for key in ("systems", "comparisons", "ranks", "margins"):
        for number, row in enumerate(getattr(study, key)):
            place = f"{label} is no valid study: at {key}[{number}]"
            if (row.metric, row.signature) not in metrics:
                raise ReadError(f"{place}: the metric {row.metric!r} with this signature is not among metrics.")
            if isinstance(row, Score | Comparison):
                check_around(place, row, row.score if isinstance(row, Score) else row.difference)
            if getattr(row, "rank_high", 0) > len(systems):
                raise ReadError(f"{place}: rank_high is {row.rank_high}, and there are {len(systems)} systems.")
            for name in ("system", "first", "second"):
                if getattr(row, name, None) not in (None, *systems):
                    raise ReadError(f"{place}: the system {getattr(row, name)!r} is not among the data's systems.")
    if not study.metrics:
        raise ReadError(f"{label} is no valid study: metrics is empty.")
    for number, metric in enumerate(study.metrics):
        _check_metric(study, metric, f"{label} is no valid study: at metrics[{number}]")


def _check_metric(study: Study, of_metric: OfMetric, place: str) -> None:
    """Refuse a metric whose rows do not fit together."""
    systems, pairs = (rows_of(of_metric, rows) for rows in (study.systems, study.comparisons))
    if not pairs or not systems:
        raise ReadError(f"{place}: {of_metric.metric!r} has no scores or no comparisons.")
    names = [row.system for row in systems]
    compared = {name for row in pairs for name in (row.first, row.second)}
    order = set(of_metric.order)
    if len(set(names)) < len(names) or not compared <= order <= set(names) or len(order) < len(of_metric.order):
        raise ReadError(f"{place}: order does not hold every system that is compared, each once and with a score.")


_AS_ASKED = ("test", "interval", "alternative", "level", "draws", "seed")
"""What was used must be what was asked for; unit and correction may be others."""


def check_settings(study: Study, label: str) -> None:
    """Refuse settings that are not those that were asked for."""
    used, asked = study.settings, study.request.settings
    resolved = asked.resolved(used.unit)
    for name in _AS_ASKED:
        wanted = getattr(asked, name)
        if name == "draws" and resolved.test in TESTS:
            # sacreBLEU's own numbers come with its own number of draws.
            wanted = resolved.chosen_test(used.unit).scheme.n_draws
        if name == "draws" and asked.test == AUTO:
            # Large families take more draws than were asked for.
            wanted = max(wanted, used.draws)
        # What was left to the program stands in the results by its name.
        if wanted != AUTO and getattr(used, name) != wanted:
            raise ReadError(
                f"{label} is no valid study: settings.{name} is {getattr(used, name)!r}, but {wanted!r} was asked for."
            )


def check_plan(study: Any, asked: type[Asked], label: str) -> None:
    """Refuse a study that is not what its plan says; `asked` is the kind of its request."""
    plan = study.analysis_plan
    if plan is not None and study.plan is not None and plan.digest != study.plan.digest:
        raise ReadError(f"{label}: the plan's text does not have the digest {study.plan.digest}; it was changed.")
    if (plan is None) != (study.status == "exploratory"):
        raise ReadError(f"{label}: it is marked {study.status}, but its plan says otherwise.")
    if plan is not None and asked.of(plan.request) != study.request:
        raise ReadError(f"{label}: what was done is not what its plan says.")


def check_conclusions(study: Study, record: Mapping[str, Any], label: str) -> None:
    """Refuse conclusions that do not follow from the numbers beside them."""
    for place, row, derived in _conclusions(study, record):
        for key, value in derived.items():
            if key not in row or not same(row[key], value):
                raise edited(label, f"{place}.{key}", row.get(key), value)


def edited(label: str, place: str, written: object, derived: object) -> ReadError:
    """Return the error of a study that says something else than its numbers."""
    return ReadError(
        f"{label} is no valid study: at {place}: the file has {written!r}, but its own numbers give {derived!r}. It "
        "was edited, or made by a version with another rule; make the study again from its data."
    )


def _conclusions(study: Study, record: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], dict[str, Any]]]:
    """Yield place, row as it was written, and what its numbers give."""
    common = {(metric.metric, metric.signature): _in_common(study, metric) for metric in study.metrics}
    for number, pair in enumerate(study.comparisons):
        derived = {**common[pair.metric, pair.signature], **follows(pair.comparison)}
        yield f"comparisons[{number}]", record["comparisons"][number], derived
    for at, other in enumerate(study.without_reference):
        rows = record["without_reference"][at]["comparisons"]
        for number, pair in enumerate(other.comparisons):
            place = f"without_reference[{at}].comparisons[{number}]"
            yield place, rows[number], follows(pair.comparison)
    ranked: dict[tuple[str, str], list[str]] = {}
    for place_of in study.ranks:
        ranked.setdefault((place_of.metric, place_of.signature), []).append(place_of.system)
    for number, place_of in enumerate(study.ranks):
        apart = [score.system for score in study.systems if score.apart and score.signature == place_of.signature]
        contends = place_of.system in contenders(ranked[place_of.metric, place_of.signature], apart)
        yield f"ranks[{number}]", record["ranks"][number], {"could_be_best": contends and place_of.rank_low == 1}
    for number, margin in enumerate(study.margins):
        yield f"margins[{number}]", record["margins"][number], {"shown": margin.follows, "status": study.status}


def follows(pair: Comparison) -> dict[str, Any]:
    """Return what follows from a comparison's numbers; nothing by a test that this program does not know."""
    return conclusions(pair).row() if pair.test in TESTS else {}


def _in_common(study: Study, of_metric: OfMetric) -> dict[str, Any]:
    """Return what every comparison of a metric says, as its metric, the settings and the test say it."""
    test = study.results[study.metrics.index(of_metric)].compared.test
    return {
        "level": study.level, "test": of_metric.test, "correction": of_metric.correction,
        "family_size": of_metric.family_size, "unit": of_metric.unit, "alternative": test.alternative,
        "estimand": test.estimand, "judges": of_metric.judges,
        "controls_type1": test.controls_type1, "decimals": of_metric.decimals, "status": study.status,
    }  # fmt: skip


def same(written: object, derived: object) -> bool:
    """Return whether a value in a file is what its numbers give."""
    if isinstance(derived, float) and derived != derived:
        return written is None
    if isinstance(written, float) and isinstance(derived, float):
        # Quantiles may differ in their last digits from one scipy to the next.
        return isclose(written, derived, rel_tol=1e-9)
    return written == derived
