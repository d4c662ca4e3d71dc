"""JSON as its schema has it: `mtsig VERB --schema`."""

import json
from typing import Any

from jsonschema import Draft202012Validator

from mtsig.cli._schemas import schema_of


def described(verb: str, text: str, part: str = "") -> Any:
    """Return what JSON holds, which the schema of a verb, or a part of it, describes; no key is left out there."""
    schema = schema_of(verb)
    found = json.loads(text)
    errors = Draft202012Validator(schema["$defs"][part] if part else schema).iter_errors(found)
    wrong = [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]
    assert not wrong, wrong
    return found
