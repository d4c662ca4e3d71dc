"""Picture: the description of a figure, everything that is drawn and nothing else; screen and paper draw from it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import plotly.graph_objects as go

from mtsig.figures.look import INK, wrapped

# Of matplotlib nothing is loaded before something is drawn on paper: pages draw for the screen, and start without it.
if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Step: TypeAlias = Literal["pre", "post", "mid"]
Write: TypeAlias = Callable[[str], str]
"""What a text becomes before it is drawn on paper: itself, or LaTeX."""


PAGE_HEIGHT = 8.5
"""Inches of a page that a figure can take: a column of ACL's and NeurIPS's styles is 9 and more, with the caption."""

_SIGN = 4.4 / 72
"""Inches that a letter of an axis title takes on average, half of a Chinese sign."""


def folded(text: str, inches: float) -> str:
    """Return a title of an axis in as many lines as its length needs."""
    return "\n".join(wrapped(text, max(12, int(inches / _SIGN)))) or text


def name_lines(names: Sequence[str], inches: float) -> tuple[list[str], int]:
    """Return names folded to a width, and how many lines the longest one takes."""
    lines = [folded(name, inches) for name in names]
    return lines, 1 + max(name.count("\n") for name in lines)


def write_lines(write: Write, text: str) -> str:
    """Return what each line becomes, still in lines."""
    return "\n".join(write(line) for line in text.split("\n"))


PAPER_REFERENCE: dict[str, Any] = {"color": INK, "linestyle": "--", "linewidth": 0.8}
"""On paper, the line of no difference, and whatever else is looked at against: neutral, as on the screen."""


def draw_band(
    axes: "Axes", x: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str, step: Step | None = None
) -> None:
    """Draw the band between two curves; its edges have the full colour, for its ground alone is too pale to be seen."""
    ground = (colour, 0.15)
    axes.fill_between(x, low, high, step=step, facecolor=ground, edgecolor=colour, linewidth=0.4)


class Drawing(ABC):
    """What can be drawn on paper, as plain values: frozen dataclasses."""

    @property
    @abstractmethod
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""

    @abstractmethod
    def height(self, width: float) -> float:
        """Return how high it is on paper of this width, both in inches."""

    @abstractmethod
    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""


class Picture(Drawing):
    """A figure, made `of` a finished result, drawn in two ways."""

    @property
    def how_to_read(self) -> str:
        """The name of the text in `mtsig.explain` that says how to read it; empty where none does."""
        return ""

    @property
    @abstractmethod
    def caption(self) -> str:
        """What the figure shows, in sentences that can stand below it."""

    @abstractmethod
    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
