"""Marks: what a figure consists of, as plain values; plotly draws them on the screen and matplotlib on paper.

Widths and sizes are pixels on the screen; on paper a line has half as many points, and a symbol 0.4 of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig._results import Public
from mtsig._writing import PAPERS as PAPERS
from mtsig.figures._look import INK, PAGE_INK, folded, text_columns, wrapped

# Neither library is loaded before something is drawn with it.
if TYPE_CHECKING:
    from mtsig.figures._matplotlib import Paper
    from mtsig.figures._plotly import Screen

Write: TypeAlias = Callable[[str], str]
"""What a text becomes before it is drawn on paper: itself, or LaTeX."""


def write_lines(write: Write, text: str) -> str:
    r"""Return what each line becomes, still in lines."""
    return "\n".join(write(line) for line in text.split("\n"))


Dash = Literal["solid", "dash", "dashdot", "dot"]
Hatch = Literal["", "/", ".", "x"]
Places: TypeAlias = Sequence[float] | NDArray[np.floating[Any]]

FORMATS = ("pdf", "svg", "png", "pgf")

PAGE_HEIGHT = 7.0
"""Inches that a figure can take: LaTeX's article has 7.6 on letter paper, with the caption; ACL and NeurIPS have 9."""

_COLUMN = 3.0
"""Inches of a column of a page."""

_PHONE_TITLE = 48
"""Columns of an axis title that have room on a phone."""


@dataclass(frozen=True)
class Room:
    """Where a figure is drawn: on paper of a width in inches, or on a screen, which may be a phone's."""

    width: float = 0.0
    narrow: bool = False

    @property
    def on_paper(self) -> bool:
        return self.width > 0

    @property
    def line(self) -> str:
        """The colour of lines round things: one that stands out on pages of both themes, and dark on paper."""
        return "#333333" if self.on_paper else INK

    def title(self, text: str, share: float = 0.8) -> str:
        """Return an axis title in lines that fit: a share of the paper's width, or a phone."""
        if self.on_paper:
            return folded(text, share * self.width)
        return "\n".join(wrapped(text, _PHONE_TITLE)) or text

    def side_title(self, text: str, inches: float) -> str:
        """Return the title of an upright axis so many inches high on paper; a screen has room for all of it."""
        return folded(text, inches) if self.on_paper else text


SCREEN, PHONE = Room(), Room(narrow=True)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What every mark has.

    name: what the key calls it; without one it is not in the key. group: marks that come and go together in a key.
    hover: a text for every point, in lines; or one template with %{x}, %{y} and %{customdata}, in which what came with
    the data is `escaped`; "" says nothing, None what the library says. keys: what a point carries to whoever clicks it.
    """

    colour: str = PAGE_INK
    opacity: float = 1.0
    name: str = ""
    group: str = ""
    hover: str | Sequence[str] | None = None
    keys: Any = None


@dataclass(frozen=True, kw_only=True)
class Line(Mark):
    """A line through points, with gaps at `None`; step: a step function.

    ends: whether both ends have caps. pinned: a position as a share of the plane's width; `x` is then in pixels from
    that position on screen, and in points on paper.
    """

    x: Sequence[float | None]
    y: Sequence[float | None]
    width: float = 2
    dash: Dash = "solid"
    symbol: str = ""
    size: float = 7
    step: bool = False
    ends: bool = False
    pinned: float | None = None


@dataclass(frozen=True, kw_only=True)
class Points(Mark):
    """Points, each with an optional interval, horizontal unless `upright`.

    thickness: the width of interval lines. caps: whether intervals have caps. spread: the intervals' own colour. many:
    whether there are thousands of points.
    """

    x: Places
    y: Places
    symbol: str = "circle"
    size: float = 9
    low: Places | None = None
    high: Places | None = None
    upright: bool = False
    thickness: float = 2
    caps: bool = False
    spread: str = ""
    many: bool = False


@dataclass(frozen=True, kw_only=True)
class Band(Mark):
    """The band between two curves, with edges in the full colour.

    edged: whether the edges are drawn; False if other marks show the limits of the band.
    """

    x: Places
    low: Places
    high: Places
    step: bool = False
    edged: bool = True


@dataclass(frozen=True, kw_only=True)
class Shape(Mark):
    """A filled shape with these corners."""

    x: Places
    y: Places


@dataclass(frozen=True, kw_only=True)
class Bars(Mark):
    """Vertical bars: centres, heights, base, and one colour or several."""

    x: Places
    y: Places
    width: float | Places
    base: Places | None = None
    colours: Sequence[str] = ()
    hatch: Hatch = ""


@dataclass(frozen=True, kw_only=True)
class Cells(Mark):
    """Cells with centres at `x` and `y`, coloured or hatched.

    texts: the texts in the cells if they fit; otherwise `signs` are shown, and the key says `name_of_signs`. written:
    whether texts fit on screen. half, high: half the sides of the cells; if only one is given, cells are square.
    """

    x: Sequence[float]
    y: Sequence[float]
    colours: Sequence[str] = ()
    hatch: Hatch = ""
    texts: Sequence[str] = ()
    signs: Sequence[str] = ()
    name_of_signs: str = ""
    written: bool = True
    half: float = 0.46
    high: float | None = None
    size: float = 12

    @property
    def halves(self) -> tuple[float, float]:
        """Half the width and half the height of a cell."""
        return self.half, self.half if self.high is None else self.high


@dataclass(frozen=True, kw_only=True)
class Rule(Mark):
    """A line across the figure up to `until`, horizontal unless `upright`.

    text: the text above a vertical line. halo: whether the line has a light edge where it crosses bars.
    """

    at: float
    upright: bool = False
    colour: str = INK
    width: float = 1.5
    dash: Dash = "dash"
    until: float | None = None
    text: str = ""
    halo: bool = False


@dataclass(frozen=True, kw_only=True)
class Shade(Mark):
    """A ground from one place on the horizontal axis to another."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Words(Mark):
    """Texts at places; side: on which side of their place they stand. size: pixels, and points on paper.

    pinned: as of a `Line`; on a screen such texts can be clicked where they have `keys`, names that a click carries.
    """

    x: Places
    y: Places
    texts: Sequence[str]
    side: Literal["left", "middle", "right"] = "middle"
    size: float = 12
    bold: bool = False
    pinned: float | None = None


@dataclass(frozen=True, kw_only=True)
class Text(Mark):
    """One text, of one line or several, so many pixels to the right of a place and above it.

    side: on which side of the place it stands; level: which of its edges is there. size, across, up: points on paper.
    """

    x: float
    y: float
    text: str
    side: Literal["left", "middle", "right"] = "right"
    level: Literal["top", "middle", "bottom"] = "middle"
    across: float = 0
    up: float = 0
    size: float = 14
    bold: bool = False


@dataclass(frozen=True, kw_only=True)
class Labels(Mark):
    """Names at the right ends of curves: each text at its `place`, with a line to it from where its curve ends."""

    x: float
    y: Sequence[float]
    place: Sequence[float]
    texts: Sequence[str]
    colours: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Targets(Mark):
    """What can be clicked on a screen, and says its `hover` there: squares that are not seen."""

    x: Sequence[float]
    y: Sequence[float]
    hover: Sequence[str]
    keys: Sequence[Sequence[str]]
    size: float = 30


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis, with labels at 0, 1 … (`names`) or ticks at given positions.

    whole: whether only whole numbers have ticks. slant: the rotation of names in degrees. grid: whether to draw a grid;
    `None` leaves this to the library. share: the share of the width that the axis occupies. bare: whether to omit line
    and ticks. size: the font size of names. lined: whether to draw both on screen. strong: bold ticks, with colours.
    """

    title: str = ""
    range: tuple[float, float] | None = None
    names: Sequence[str] = ()
    ticks: Sequence[tuple[float, str]] | None = None
    most: int | None = None
    whole: bool = False
    log: bool = False
    percent: bool = False
    from_zero: bool = False
    grid: bool | None = None
    top: bool = False
    bare: bool = False
    shown: bool = True
    slant: int | None = None
    share: float = 1.0
    size: float | None = None
    lined: bool = False
    strong: Mapping[float, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Column:
    """Texts beside the rows of a plane, on a screen alone: paper has no room for them.

    at: pixels from the right end of the plane to where they are aligned, or from its left end where negative.
    """

    title: str
    rows: Sequence[float]
    texts: Sequence[str]
    at: int
    align: Literal["left", "right"] = "right"
    bold: Collection[float] = ()
    quiet: bool = False


_BESIDE = 36
"""Columns of a phone."""


@dataclass(frozen=True)
class Plane:
    """Two axes with marks, topmost last, and corner texts above both ends.

    columns: the texts next to the rows. domain: the horizontal range on screen, in shares of the figure's width; `None`
    makes all planes equally wide.
    """

    marks: Sequence[Mark]
    x: Axis = Axis()
    y: Axis = Axis()
    title: str = ""
    corners: tuple[str, str] = ("", "")
    note: str = ""
    columns: Sequence[Column] = ()
    domain: tuple[float, float] | None = None

    @property
    def stacked(self) -> bool:
        """Whether the corner texts need two lines on a phone."""
        return text_columns("".join(self.corners)) > _BESIDE


@dataclass(frozen=True)
class Scene:
    """A figure: planes side by side with a shared vertical axis.

    key: the position of the key, if any. samples: entries of the key in addition to named marks. margins: pixels at the
    left, right and top. together: the hover text for all curves. brush: what can be selected on screen.
    """

    planes: Sequence[Plane]
    height: float
    key: Literal["above", "below", ""] = ""
    samples: Sequence[Mark] = ()
    columns: int = 0
    key_columns: int = 1
    margins: tuple[int, int, int] = (10, 10, 30)
    together: bool = False
    brush: Literal["across", "box", ""] = ""

    @property
    def texts(self) -> Iterator[str]:
        """All texts of the figure, for the choice of fonts."""
        for plane in self.planes:
            yield from (plane.title, plane.note, *plane.corners)
            for axis in (plane.x, plane.y):
                yield from (axis.title, *axis.names, *(text for _, text in axis.ticks or ()))
        for mark in (*(mark for plane in self.planes for mark in plane.marks), *self.samples):
            yield from (mark.name, getattr(mark, "text", ""))
            yield from (text for texts in ("texts", "signs") for text in getattr(mark, texts, ()))


class Drawing(ABC):
    """What can be drawn on paper, as plain values: frozen dataclasses."""

    @property
    @abstractmethod
    def texts(self) -> tuple[str, ...]:
        """Every text of it that is drawn on paper."""

    @abstractmethod
    def height(self, width: float) -> float:
        """Return how high it is on paper of this width, both in inches."""

    @abstractmethod
    def draw(self, paper: "Paper", write: Write) -> None:
        """Draw it on paper."""


class Picture(Public, Drawing):
    """A figure made from a finished result by `of`; both libraries draw its scene."""

    @property
    def how_to_read(self) -> str:
        """Name of the text in `mtsig.explain` on this figure; may be empty."""
        return ""

    says: str
    """The caption of a figure that has it as a field."""

    @property
    def caption(self) -> str:
        """The caption of the figure, in whole sentences."""
        return self.says

    @abstractmethod
    def scene(self, room: Room) -> Scene:
        """Return the marks of the figure, with their axes."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that are drawn on paper."""
        return tuple(dict.fromkeys(text.replace("\n", " ") for text in self.scene(Room(_COLUMN)).texts if text))

    @property
    def narrows(self) -> bool:
        """Whether the figure changes on narrow screens."""
        return False

    def screen(self, room: Room = SCREEN) -> "Screen":
        """Return the figure for a screen, or for a phone."""
        from mtsig.figures._plotly import drawn

        return drawn(self.scene(room))

    def height(self, width: float) -> float:
        """Return the height of the figure on paper, in inches."""
        return self.scene(Room(width)).height

    def draw(self, paper: "Paper", write: Write) -> None:
        """Draw the figure on paper."""
        from mtsig.figures._matplotlib import draw

        draw(self.scene(Room(float(paper.get_size_inches()[0]))), paper, write)


def reach(middle: Any, low: Any, high: Any) -> tuple[list[float], list[float]]:
    """Return how far intervals reach below and above their estimates; 0 where they do not reach them.

    Quantiles of few draws may all lie on one side of an estimate.
    """
    between = (np.subtract(middle, low), np.subtract(high, middle))
    below, above = (np.where(length < 0, 0.0, length).tolist() for length in between)  # NaN stays what it is
    return below, above


# --- what can be seen of many points ------------------------------------------------------------------------------

_PIXELS = 1000
"""Steps into which an axis is cut: no screen shows more of it."""


def seen_points(
    x: Sequence[float] | Floats,
    y: Sequence[float] | Floats,
    log_x: bool = False,
    log_y: bool = False,
    pixels: int = _PIXELS,
) -> list[int]:
    """Return the positions of the points that can be seen: the first in each pixel; pixels: of each axis."""
    columns, rows = _pixels(x, log_x, pixels), _pixels(y, log_y, pixels)
    return sorted(np.unique(columns * (pixels + 2) + rows, return_index=True)[1].tolist())


def seen_curve(x: Sequence[float], y: Sequence[float], log_x: bool = False) -> list[int]:
    """Return the positions on a curve that can be seen: of each column of pixels the first, last, lowest, highest."""
    if len(x) <= 4 * _PIXELS:
        return list(range(len(x)))
    columns, heights = _pixels(x, log_x), np.asarray(y, dtype=float)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
    kept: set[int] = set()
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(x)], strict=True):
        part = heights[start:stop]
        kept |= {start, stop - 1, start + int(np.argmin(part)), start + int(np.argmax(part))}
    return sorted(kept)


def _pixels(values: Sequence[float] | Floats, log: bool, pixels: int = _PIXELS) -> NDArray[np.int64]:
    """Return in which step of its axis each value falls; what no axis shows, beyond all of them."""
    numbers = np.asarray(values, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        numbers = np.log10(numbers) if log else numbers
    shown = np.isfinite(numbers)
    low, high = (numbers[shown].min(), numbers[shown].max()) if shown.any() else (0.0, 0.0)
    return np.where(
        shown, np.nan_to_num((numbers - low) / ((high - low) or 1.0), posinf=0, neginf=0) * pixels, -1
    ).astype(int)
