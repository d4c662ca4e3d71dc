"""The program comet-score: a name or a path goes in, what is installed there comes out."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from mtsig.errors import ProgramError

COMMAND = "comet-score"
COMMAND_VARIABLE = "MTSIG_COMET_SCORE"
"""The environment variable that says where comet-score is."""

INSTALL = (
    "What it needs does not fit beside this program, so install it in an environment of its own: "
    "python3 -m venv ~/comet && ~/comet/bin/pip install unbabel-comet; then give --command ~/comet/bin/comet-score, "
    f"or set {COMMAND_VARIABLE} to that path. A model comes on top (2.3 GB for the usual one), fetched by comet-score "
    "itself, and only when you add --download."
)


@dataclass(frozen=True)
class Program:
    """An installed comet-score; `version` is unbabel-comet's, None where its environment does not tell."""

    path: Path
    version: str | None = None

    @property
    def told(self) -> str:
        """The version as signatures print it."""
        return self.version or "unknown"


def program(command: str | None = None) -> Program:
    """Return comet-score as `command` names it, else as MTSIG_COMET_SCORE does, else as it stands on the PATH.

    Raises:
        ProgramError: there is none; the message says how to get one.
    """
    variable = os.environ.get(COMMAND_VARIABLE)
    wanted = command or variable or COMMAND
    named = Path(os.path.expanduser(wanted))  # noqa: PTH111  (pathlib's raises without a home)
    # A path drops its leading "./", and `which` would look for the bare name on the PATH, where another might stand.
    path = shutil.which(named.absolute() if os.sep in wanted else named)
    if path is None:
        where = "named" if command else f"that {COMMAND_VARIABLE} names" if variable else "on the PATH"
        raise ProgramError(f"There is no program {wanted!r}, {where}, that could be run. {INSTALL}")
    # The child works in a folder of its own: a relative path would point elsewhere there.
    absolute = Path(path).absolute()
    return Program(absolute, _version(absolute))


def _version(path: Path) -> str | None:
    """Return the version of unbabel-comet in the environment a script belongs to; comet-score itself tells none."""
    root = path.resolve().parent.parent
    places = (*root.glob("lib/python*/site-packages"), root / "Lib" / "site-packages")
    versions = sorted(folder.name for place in places for folder in place.glob("unbabel_comet-*.dist-info"))
    return versions[-1].removeprefix("unbabel_comet-").removesuffix(".dist-info") if versions else None
