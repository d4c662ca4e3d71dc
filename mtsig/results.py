"""Results: what every result can do, whatever it holds: give its records, a DataFrame, and HTML for a notebook.

Results stand left of the words and tables that describe them, and may not import them. So they ask the writer that
`mtsig` itself, which sees everything, puts in when it is imported.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mtsig.extras import need

if TYPE_CHECKING:
    import pandas as pd

Writer = Callable[[object], str | None]


def _nothing(result: object) -> None:
    del result


_writer: list[Writer] = [_nothing]


def show_with(writer: Writer) -> None:
    """Let `writer` make the HTML of every result."""
    _writer[0] = writer


class Shown:
    """What a notebook shows as a table."""

    def _repr_html_(self) -> str | None:
        """Return the result as HTML; None leaves it to repr()."""
        return _writer[0](self)


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
