"""The schema of a study: JSON text goes in, a checked record comes out, or one error that says where it is wrong."""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from mtsig.errors import MtsigError, ReadError
from mtsig.inference.defaults import AUTO
from mtsig.report.bundle import SCHEMA
from mtsig.report.consistency import check_conclusions
from mtsig.report.request import settings_of
from mtsig.report.study import Study

MOST_BYTES = 256 * 2**20
"""Larger files are no studies: 100 systems of 100,000 segments make some 40 MB."""


@cache
def study_schema() -> dict[str, Any]:
    """Return the JSON Schema of a study (draft 2020-12)."""
    found: dict[str, Any] = json.loads(files("mtsig.report").joinpath("study.schema.json").read_text("utf-8"))
    return found


def read_study(path: str | Path) -> Study:
    """Return the study in a file.

    Raises:
        ReadError: the file cannot be read, or is no study (the message says where).
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ReadError(f"{path}: cannot be read ({error.strerror or error}).") from None
    return study_of(data, str(path))


def study_of(data: bytes | str, label: str = "the study") -> Study:
    """Return the study that JSON text writes; `label` is what messages call it.

    Raises:
        ReadError: it is no JSON, of a newer schema, or not a study (the message says where).
    """
    if len(data) > MOST_BYTES:
        raise ReadError(f"{label} has {len(data) / 2**20:.0f} MB; a study has at most {MOST_BYTES // 2**20} MB.")
    try:
        record = json.loads(data, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise ReadError(f"{label} is not valid UTF-8 (byte {error.start + 1}).") from None
    except json.JSONDecodeError as error:
        raise ReadError(f"{label}, line {error.lineno}: not valid JSON ({error.msg}).") from None
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{label} is not valid JSON ({error}).") from None
    _check(record, label)
    _check_rows(record, label)
    found = Study(record)
    try:
        _ = found.findings, found.plan
    except MtsigError as error:
        raise ReadError(f"{label}: {error}") from None
    _check_settings(record, label)
    _check_plan(found, label)
    check_conclusions(found, label)
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _check(record: Any, label: str) -> None:
    if not isinstance(record, dict) or "schema" not in record:
        raise ReadError(f"{label} is no study: it has no key called schema. {_HOW}")
    found = record["schema"]
    if found != SCHEMA:
        raise ReadError(f"{label} has the schema {found!r}; this version of the program reads {SCHEMA!r}.")
    if "request" not in record:
        raise ReadError(f"{label} holds results, but no study of comparisons. {_HOW}")
    error = best_match(Draft202012Validator(study_schema()).iter_errors(record))
    if error is not None:
        message = error.message if len(error.message) <= 200 else error.message[:199] + "…"
        raise ReadError(f"{label} is no valid study: at {error.json_path.removeprefix('$.')}: {message}.")


_HOW = "Studies are written by `mtsig compare --format json` and by the Export page."


def _check_rows(record: Any, label: str) -> None:
    """Refuse rows that belong to nothing: they would never be shown."""
    metrics = {(about["metric"], about["signature"]) for about in record["metrics"]}
    systems = set(record["data"]["systems"])
    tables = {key: record[key] for key in ("systems", "comparisons", "ranks", "margins")}
    tables |= {f"segment_level.{key}": rows for key, rows in record["segment_level"].items()}
    for key, rows in tables.items():
        for number, row in enumerate(rows):
            place = f"{label} is no valid study: at {key}[{number}]"
            if (row["metric"], row["signature"]) not in metrics:
                raise ReadError(f"{place}: the metric {row['metric']!r} with this signature is not among metrics.")
            for name in ("system", "first", "second"):
                if name in row and row[name] not in systems:
                    raise ReadError(f"{place}: the system {row[name]!r} is not among the data's systems.")
    for number, about in enumerate(record["metrics"]):
        _check_metric(record, about, f"{label} is no valid study: at metrics[{number}]")


def _check_metric(record: Any, about: Any, place: str) -> None:
    """Refuse a metric whose rows do not fit together."""
    systems, pairs = (_of_metric(record[key], about) for key in ("systems", "comparisons"))
    if not pairs or not systems:
        raise ReadError(f"{place}: {about['metric']!r} has no scores or no comparisons.")
    names, order = [row["system"] for row in systems], about["order"]
    compared = {row[side] for row in pairs for side in ("first", "second")}
    if len(set(names)) < len(names) or not compared <= set(order) <= set(names) or len(set(order)) < len(order):
        raise ReadError(f"{place}: order does not hold every system that is compared, each once and with a score.")
    beside = record["segment_level"]
    expected = (systems, pairs) if about["by_segment"] else ([], [])
    for key, rows, keys in zip(("systems", "comparisons"), expected, (("system",), ("first", "second")), strict=True):
        found = [[row[name] for name in keys] for row in _of_metric(beside[key], about)]
        if found != [[row[name] for name in keys] for row in rows]:
            raise ReadError(f"{place}: segment_level.{key} does not run beside {key}.")


def _of_metric(rows: Any, about: Any) -> list[Any]:
    return [row for row in rows if (row["metric"], row["signature"]) == (about["metric"], about["signature"])]


_AS_ASKED = ("test", "interval", "alternative", "level", "draws", "seed")
"""What was used must be what was asked for; unit and correction may be others."""


def _check_settings(record: Any, label: str) -> None:
    used, asked = record["settings"], record["request"]["settings"]
    # sacreBLEU's own numbers come with its own number of draws.
    resolved = settings_of(asked).resolved(used["unit"])
    asked = {**asked, "draws": resolved.chosen_test(used["unit"]).plan.n_draws}
    # What was left to the program stands in the results by its name.
    asked |= {name: used[name] if asked[name] == AUTO else asked[name] for name in ("test", "interval")}
    for name in _AS_ASKED:
        if used[name] != asked[name]:
            raise ReadError(
                f"{label} is no valid study: settings.{name} is {used[name]!r}, but {asked[name]!r} was asked for."
            )


def _check_plan(found: Study, label: str) -> None:
    written = found.record["plan"]
    if found.plan is not None and found.plan.digest != written["digest"]:
        raise ReadError(f"{label}: the plan's text does not have the digest {written['digest']}; it was changed.")
    if (found.plan is None) != (found.record["status"] == "exploratory"):
        raise ReadError(f"{label}: it is marked {found.record['status']}, but its plan says otherwise.")
    if found.plan is not None and found.plan.request.record() != found.record["request"]:
        raise ReadError(f"{label}: what was done is not what its plan says.")
