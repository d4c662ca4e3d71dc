"""The schemas of the command line's JSON: words of the glossary, and null for every number that does not exist."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mtsig.cli._schemas import VERBS, schema_of
from mtsig.study import study_schema

GLOSSARY: dict[str, set[str | None]] = {
    "verdict": {"better", "not_significant", "withheld"},
    "outcome": {"pass", "regression", "inconclusive"},
    "status": {"planned", "exploratory"},
    "level": {"note", "warning"},
    "confidence": {"certain", "likely", "possible"},
    "kind": {"equivalence", "non-inferiority"},
    "units": {"shared", "separate"},
    "family": {"joint", "per-set"},
    "humans": {"exclude", "include"},
    "unit": {"segment", "document", "block", "auto", "unit"},
}
"""What a key of this name may say: the words of the program, on screens and in files."""

OLD = {"not separated", "undecided", "underpowered", "judge", "doubt", "draws", "win_rate", "low", "high", "shown"}
"""Words and keys that mean something else to readers, or nothing."""


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


def test_what_a_verb_adds_stays_its_own(schemas: dict[str, Any]) -> None:
    own = set(study_schema()["$defs"]["Study"]["properties"])
    added = {verb: set(schemas[verb]["$defs"]["Study"]["properties"]) - own for verb in ("compare", "preferences")}
    assert added == {"compare": {"sentences", "statements", "official"}, "preferences": {"judging"}}


def test_every_schema_is_one(schemas: dict[str, Any]) -> None:
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_enumerations_are_those_of_the_glossary(schemas: dict[str, Any]) -> None:
    found = [one for schema in schemas.values() for one in enumerations(schema)]
    assert {"verdict", "outcome", "status"} <= {key for key, _ in found}
    wrong = [(key, values) for key, values in found if key in GLOSSARY and not values <= GLOSSARY[key] | {None, ""}]
    assert wrong == []
    assert [(key, values & OLD) for key, values in found if values & OLD] == []
