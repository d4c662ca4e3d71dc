"""The schemas of the command line's JSON: words of the glossary, and null for every number that does not exist."""

import argparse
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mtsig.cli import _verbs as verbs
from mtsig.cli import main
from mtsig.cli._schemas import VERBS, schema_of
from mtsig.cli._verbs import parser_of
from mtsig.study import study_schema

GLOSSARY: dict[str, set[Any]] = {
    "alternative": {"two-sided", "greater", "less"},
    "by": {"document", "documents", "lengths", "segment", "segments"},
    "combine": {"bonferroni", "fisher"},
    "confidence": {"certain", "likely", "possible", ""},
    "default_verdict": {"better", "not_significant", "withheld"},
    "dual": {"keep", "collapse"},
    "exit_code": {0, 1, 3},
    "family": {"joint", "per-set"},
    "grades": {"sign", "margin"},
    "form": {"mtsig-gate/1"},
    "kind": {"equivalence", "non-inferiority"},
    "level": {"note", "warning"},
    "measure": {"mpp", "w25"},
    "model": {"davidson", "half", "direct"},
    "of": {"margin", "pair", "rank", "system"},
    "order": {"auto", "ignore"},
    "outcome": {"pass", "regression", "inconclusive"},
    "penalty": {"auto", "always", "never"},
    "role": {"baseline", "ceiling", "detector"},
    "said": {
        "contradiction", "same", "human_only", "metric_only", "neither", "withheld",  # of a pair, by ratings and metric
        "all", "some", "none",  # of a pair, by several metrics
    },
    "schema": {"mtsig/3"},
    "separate": {"nemenyi", "wilcoxon-holm"},
    "status": {"planned", "exploratory"},
    "unit": {"segment", "document", "block", "auto"},
    "units": {"shared", "separate"},
    "verdict": {"better", "not_significant", "withheld"},
    "verdict_by": {"ratings", "metric"},
    "weights": {"equal", "segments"},
}  # fmt: skip
"""What each key says whose values are words: all of them, as screens and documents have them."""


def enumerations(schema: Any, key: str = "") -> Iterator[tuple[str, set[Any]]]:
    """Yield every enumeration, with the key that it is of."""
    if isinstance(schema, dict):
        if "enum" in schema:
            yield key, set(schema["enum"])
        for name, inner in schema.items():
            if name == "properties":
                for own, described in inner.items():
                    yield from enumerations(described, own)
            elif name != "enum":
                yield from enumerations(inner, key)
    elif isinstance(schema, list):
        for inner in schema:
            yield from enumerations(inner, key)


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    return {verb: schema_of(verb) for verb in (*VERBS, "compare", "preferences")}


def test_every_verb_that_prints_json_shows_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    parser = parser_of(verbs.VERBS)
    (named,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    (tried,) = (one for one in named.choices["experiment"]._actions if isinstance(one, argparse._SubParsersAction))
    parsers = named.choices | {f"experiment {name}": tried.choices[name] for name in tried.choices}
    printing = {
        name
        for name, one in parsers.items()
        for action in one._actions
        if action.dest == "format" and "json" in (action.choices or ())
    }
    assert len(printing) > 30
    for name in parsers:
        shows = any("--schema" in action.option_strings for action in parsers[name]._actions)
        assert shows == (name in printing), name
    assert {name.split()[0] for name in printing} - {"compare", "preferences", "calibrate"} == set(VERBS)
    assert main(["experiment", "draws", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema_of("experiment")


def test_what_a_verb_adds_stays_its_own(schemas: dict[str, Any]) -> None:
    own = set(study_schema()["$defs"]["Study"]["properties"])
    added = {verb: set(schemas[verb]["$defs"]["Study"]["properties"]) - own for verb in ("compare", "preferences")}
    assert added == {"compare": {"sentences", "statements", "official"}, "preferences": {"quality"}}


def test_every_schema_is_one(schemas: dict[str, Any]) -> None:
    assert {schema["$schema"] for schema in schemas.values()} == {"https://json-schema.org/draft/2020-12/schema"}
    # What schemas have in common is looked at once.
    for part in {
        json.dumps(part) for one in schemas.values() for part in (one | {"$defs": {}}, *one["$defs"].values())
    }:
        Draft202012Validator.check_schema(json.loads(part))


def test_enumerations_are_those_of_the_glossary(schemas: dict[str, Any]) -> None:
    found: dict[str, set[Any]] = {}
    for key, values in (one for schema in schemas.values() for one in enumerations(schema)):
        found.setdefault(key, set()).update(values - {None})
    assert found == GLOSSARY
