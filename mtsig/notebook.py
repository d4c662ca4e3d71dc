"""Results show themselves in a notebook: a result goes in, HTML comes out, by whatever writer the program installed.

Results stand left of the words and tables that describe them, and may not import them. So they ask the writer that
`mtsig` itself, which sees everything, puts in when it is imported.
"""

from collections.abc import Callable

Writer = Callable[[object], str | None]


def _nothing(result: object) -> None:
    del result


_writer: list[Writer] = [_nothing]


def show_with(writer: Writer) -> None:
    """Let `writer` make the HTML of every result."""
    _writer[0] = writer


class Shown:
    """A result that a notebook shows as a table."""

    def _repr_html_(self) -> str | None:
        """Return the result as HTML; None leaves it to repr()."""
        return _writer[0](self)
