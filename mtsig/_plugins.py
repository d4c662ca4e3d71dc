"""Plugins: what other installed distributions add to the tables of metrics, tests, intervals, corrections and so on.

A distribution names its rows in its own metadata, under a group for each table (`pyproject.toml`):

    [project.entry-points."mtsig.metrics"]
    charratio = "their_package:CharacterRatio"

The name is that of the row; behind it stands the object, or a class that makes it without arguments. Command line,
dashboard and Python have it wherever the distribution is installed. `mtsig.testing` says whether it keeps its promises.
"""

import traceback
import warnings
from collections import UserDict
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Any, TypeVar

from mtsig._memory import remembered
from mtsig.errors import kind_of, unknown_name

Row = TypeVar("Row")

GROUPS = {
    f"mtsig.{name}": name.removesuffix("s")
    for name in ("metrics", "tests", "intervals", "corrections", "readers", "exporters", "checks", "cautions")
}
"""Groups of entry points, and what a row of each is."""


class PluginWarning(UserWarning):
    """What a distribution offers cannot be used, and is left out."""


@remembered()
def _offered() -> dict[str, tuple[EntryPoint, ...]]:
    """Return what is installed, by group; the metadata of all distributions are read once."""
    installed = entry_points()
    return {group: tuple(installed.select(group=group)) for group in GROUPS}


def failed(error: BaseException) -> str:
    """Return which distribution's code raised an error, in sentences; "" where all of it was mtsig's or Python's."""
    offered = {point.module.partition(".")[0]: point for points in _offered().values() for point in points}
    for frame, _ in reversed([*traceback.walk_tb(error.__traceback__)]):
        module = str(frame.f_globals.get("__name__", ""))
        if point := offered.get(module.partition(".")[0]):
            distribution = point.dist.name if point.dist else "an installed distribution"
            return (
                f"The plugin {distribution} failed in {module}.{frame.f_code.co_qualname}: {type(error).__name__}: "
                f"{error}. This is an error in the plugin, not in mtsig. Update or uninstall {distribution}."
            )
    return failed(error.__cause__) if error.__cause__ is not None else ""


class Rows(UserDict[str, Row]):
    """A table whose rows others may add to: what installed distributions offer is loaded when the table is first read.

    Not before: their modules import mtsig, and one may hold rows of several tables. What fails is left out, with a
    warning.

    group: of the entry points. kind: the class of a row. rows: mtsig's own; `own` are their names.
    """

    def __init__(self, group: str, kind: Any, rows: Mapping[str, Row]) -> None:
        self.own = frozenset(rows)
        self._group, self._kind, self._rows = group, kind, dict(rows)
        self._lock, self._whole = RLock(), False

    @property
    def data(self) -> dict[str, Row]:  # type: ignore[override]
        """The rows; a module that is being loaded sees those that there are already."""
        if not self._whole:
            with self._lock:
                offered, self._whole = () if self._whole else _offered()[self._group], True
                for point in offered:
                    self._add(point)
        return self._rows

    def __missing__(self, name: str) -> Row:
        raise unknown_name(GROUPS[self._group], name, self)

    def _add(self, point: EntryPoint) -> None:
        kind, distribution = GROUPS[self._group], point.dist.name if point.dist else "an installed distribution"
        try:
            found = point.load()
            row = found() if isinstance(found, type) else found
            if not isinstance(row, self._kind):
                raise TypeError(f"it is {kind_of(row)}, no {kind}")
            if point.name in self._rows:
                raise ValueError(f"a {kind} of this name already exists")
        except (Exception, SystemExit) as error:  # whatever a stranger's module does when it is loaded
            said = f"The {kind} {point.name!r} of {distribution} is left out: {type(error).__name__}: {error}."
            warnings.warn(f"{said} Update or uninstall {distribution}.", PluginWarning, stacklevel=4)
        else:
            self._rows[point.name] = row
