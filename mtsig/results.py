"""Results: what every result can do, whatever it holds: give its records, a DataFrame, and HTML for a notebook.

Results stand left of the words, tables and pictures that show them, and may not import them. So they ask the makers
that `mtsig` itself, which sees everything, puts in when it is imported.
"""

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mtsig.errors import need

if TYPE_CHECKING:
    import pandas as pd

_makers: dict[str, str] = {}


def show_with(**makers: str) -> None:
    """Let functions make what their names say (html, figure, files) of every result that is asked for it.

    makers: "module:function"; a module is loaded when it is needed.
    """
    _makers.update(makers)


def made(what: str, result: object, *how: object) -> Any:
    """Return what the maker of this name makes of a result."""
    module, _, function = _makers[what].partition(":")
    return getattr(import_module(module), function)(result, *how)


class Shown:
    """What a notebook shows as a table."""

    def _repr_html_(self) -> str | None:
        """Return the result as HTML; None leaves it to repr()."""
        shown: str | None = made("html", self)
        return shown


class Result(Shown, ABC):
    """Numbers that can be had as records."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return the numbers as records, one kind of record for the whole result."""

    def to_frame(self) -> "pd.DataFrame":
        """Return the records as a table.

        Raises:
            ProgramError: pandas is not installed.
        """
        need("frames")
        import pandas as pd  # half a second that only those pay who want a DataFrame

        return pd.DataFrame(self.rows())
