"""Starting Streamlit with the program's own settings, from whatever folder."""

import json
import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from streamlit.web.cli import main as streamlit

HERE = Path(__file__).resolve().parent

INPUT_VARIABLE = "MTSIG_INPUT"
"""Environment variable that hands the input arguments, as a JSON list, to the app."""


def settings_file() -> Path:
    """Return the settings: inside the package in an installed copy, beside it in a checkout."""
    inside = HERE / "config.toml"
    return inside if inside.exists() else HERE.parent / ".streamlit" / "config.toml"


def flags_of(settings: dict[str, Any], prefix: str = "") -> list[str]:
    """Return the settings as Streamlit's command-line flags."""
    flags = []
    for key, value in settings.items():
        if isinstance(value, dict):
            flags += flags_of(value, f"{prefix}{key}.")
        else:
            flags.append(f"--{prefix}{key}={str(value).lower() if isinstance(value, bool) else value}")
    return flags


def main(arguments: Sequence[str]) -> None:
    """Run the app; flags before "--" are Streamlit's and win over the settings, what follows names the data."""
    arguments = list(arguments)
    split = arguments.index("--") if "--" in arguments else len(arguments)
    given, data = arguments[:split], arguments[split + 1 :]
    os.environ[INPUT_VARIABLE] = json.dumps(data)
    settings = flags_of(tomllib.loads(settings_file().read_text(encoding="utf-8")))
    overridden = {flag.partition("=")[0] for flag in given}
    kept = [flag for flag in settings if flag.partition("=")[0] not in overridden]
    streamlit(["run", str(HERE / "app.py"), *kept, *given])
