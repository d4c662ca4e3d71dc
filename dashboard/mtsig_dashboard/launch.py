"""Starting Streamlit with the program's own settings, from whatever folder."""

import gc
import json
import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mtsig import MtsigError
from mtsig.cli._dashboard import PASSWORD_VARIABLE, Serving, VisitorLimits, hosted, serving_from
from mtsig_dashboard import host
from mtsig_dashboard.host import WING, serving

HERE = Path(__file__).resolve().parent

SCRIPT = HERE / "app.py"
"""What every visitor's page is drawn by."""

INPUT_VARIABLE = "MTSIG_INPUT"
"""Environment variable that hands the input arguments, as a JSON list, to the app."""


rules = Serving()
"""Who is answered by the server of this process."""


def on_a_host(script: str) -> Serving:
    """Return who is answered where `streamlit run` was given the file `script`; the password is nobody else's then."""
    try:
        serving = hosted(Path(script).absolute())
        VisitorLimits.from_environment()
    except MtsigError as error:
        raise SystemExit(f"mtsig: {error}") from None
    os.environ.pop(PASSWORD_VARIABLE, None)
    host.settle()
    host.ignore_forged()
    return serving


def settings_file() -> Path:
    """Return the settings: inside the package in an installed copy, beside it in a checkout."""
    inside = HERE / "config.toml"
    return inside if inside.exists() else HERE.parents[1] / ".streamlit" / "config.toml"


def flags_of(settings: dict[str, Any], prefix: str = "") -> list[str]:
    """Return the settings as Streamlit's command-line flags."""
    flags = []
    for key, value in settings.items():
        if isinstance(value, dict):
            flags += flags_of(value, f"{prefix}{key}.")
        else:
            flags.append(f"--{prefix}{key}={str(value).lower() if isinstance(value, bool) else value}")
    return flags


def main(arguments: Sequence[str]) -> int:
    """Run the app; flags before "--" are Streamlit's and win over the settings, what follows names the data."""
    global rules
    split = arguments.index("--") if "--" in arguments else len(arguments)
    os.environ[INPUT_VARIABLE] = json.dumps(list(arguments[split + 1 :]))
    try:
        rules, given = serving_from(arguments[:split])
    except MtsigError as error:
        sys.stderr.write(f"mtsig: {error}\n")
        return 2
    os.environ.pop(PASSWORD_VARIABLE, None)  # no child of the server has to know it
    wing = serving()
    if wing is None and rules != Serving():
        text = f"Without {WING}, only this computer can reach the dashboard. Omit --share and the options that need it."
        sys.stderr.write(f"mtsig: {text}\n")
        return 2
    if not rules.proxied:
        # The server would believe whatever a program on this computer says of where its requests come from.
        os.environ["FORWARDED_ALLOW_IPS"] = "nobody"
    settings = tomllib.loads(settings_file().read_text(encoding="utf-8"))
    settings["server"]["address"] = rules.address or "localhost"
    if rules.everywhere:
        # In a host's frame browsers keep back the cookie by which Streamlit knows its own forms: no upload would come.
        settings["server"]["enableXsrfProtection"] = False
    if rules.address is not None:
        # Streamlit would ask a server on the internet for this computer's address, to print it.
        settings["browser"]["serverAddress"] = rules.hosts[0] if rules.hosts else rules.address
    overridden = {flag.partition("=")[0] for flag in given}
    kept = [flag for flag in flags_of(settings) if flag.partition("=")[0] not in overridden]
    host.settle()
    if wing is not None:
        # What is loaded from here on stays; the search for what could go costs a fifth of the time, till `serve.warm`.
        gc.disable()
    # Here, because a refusal needs none of it.
    from click import Abort, ClickException
    from streamlit.web.cli import main as streamlit

    host.ignore_forged()
    script = SCRIPT if wing is None else wing.script()
    try:
        streamlit(["run", str(script), *kept, *given], standalone_mode=False)
    except Abort:
        raise KeyboardInterrupt from None
    except ClickException as error:
        error.show()
        return 2
    finally:
        gc.enable()  # where the server ended before `serve.warm`, or never began
    return 0
