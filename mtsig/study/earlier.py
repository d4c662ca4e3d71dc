"""Earlier layouts: the record of a study of mtsig/1 goes in, what mtsig/2 writes for the same results comes out."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mtsig.inference import TESTS

Row = Mapping[str, Any]

RENAMED = {
    "comparisons": {"error": "standard_error", "differing": "n_differing", "of": "family_size"},
    "margins": {"of": "family_size"},
    "metrics": {"judged": "family_size"},
}
"""Names of mtsig/1 and of mtsig/2, by table."""

REWORDED = {"null: within each unit the two outputs are exchangeable": TESTS["ar"].estimand}
"""What a test is about, in words of earlier programs and of this one."""


def reworded(value: Any) -> Any:
    """Return a record with what its tests are about in today's words; they are derived from the test, not compared."""
    if isinstance(value, dict):
        known = REWORDED.get(value["estimand"]) if isinstance(value.get("estimand"), str) else None
        inside = ("settings", "comparisons", "without_reference")
        changed = {key: reworded(value[key]) for key in inside if isinstance(value.get(key), dict | list)}
        return {**value, **changed, **({} if known is None else {"estimand": known})}
    return [reworded(item) for item in value] if isinstance(value, list) else value


def upgraded(record: Row) -> dict[str, Any]:
    """Return the record of mtsig/1 as mtsig/2 writes it; keys that a later program added are left out where unknown."""
    settings = record["settings"]
    by_metric = {(metric["metric"], metric["signature"]): metric for metric in record["metrics"]}
    result = {**record, "schema": "mtsig/2", "part": _part(record["notes"])}
    result["settings"] = {"alternative": record["request"]["settings"].get("alternative", "two-sided"), **settings}
    result["metrics"] = [_metric(row, settings) for row in record["metrics"]]
    result["comparisons"] = [_pair(row, by_metric, settings) for row in record["comparisons"]]
    result["margins"] = [_renamed(row, "margins") for row in record["margins"]]
    result["without_reference"] = [
        {**comparison, "comparisons": [_pair(row, by_metric, settings) for row in comparison["comparisons"]]}
        for comparison in record.get("without_reference", ())
    ]
    return result


_PART = re.compile(r"Only (?P<part>.+: [\d,]+ of [\d,]+ segments)\.")


def _part(notes: Sequence[str]) -> str | None:
    """Return which part of the test set was taken: mtsig/1 had it in a note alone."""
    matches = (_PART.fullmatch(text) for text in notes)
    return next((match["part"] for match in matches if match), None)


def _renamed(row: Row, table: str) -> dict[str, Any]:
    names = RENAMED[table]
    return {names.get(name, name): value for name, value in row.items()}


def _metric(row: Row, settings: Row) -> dict[str, Any]:
    return _renamed({"test": settings["test"], **row}, "metrics")


def _pair(row: Row, by_metric: Mapping[tuple[str, str], Row], settings: Row) -> dict[str, Any]:
    """Return a comparison with what mtsig/1 said of it elsewhere."""
    metric = by_metric.get((row["metric"], row["signature"]), {})
    test = metric.get("test", settings["test"])
    return {
        "df": row["units"] - 1,
        "level": settings["level"],
        "test": test,
        "correction": metric.get("correction", settings["correction"]),
        "unit": metric.get("unit", settings["unit"]),
        "judges": metric.get("judges", True),
        "decimals": metric.get("decimals", 2),
        "controls_type1": TESTS[test].controls_type1 if test in TESTS else True,
        **_renamed(row, "comparisons"),
    }
