"""The frame of a card: its words above and below the picture, and the pen that draws in pixels."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mtsig.figures._look import INK_2, PALE, Verdict
from mtsig.figures._marks import Drawing, Line, Mark, Points, Scene, Write

if TYPE_CHECKING:
    from mtsig.figures._matplotlib import Paper

WIDTH, HEIGHT = 1200, 630
"""Pixels of a card."""

LEFT, RIGHT = 40, 1160
_TITLE, _SMALLEST_TITLE, _LEDE, NOTE = 38, 26, (19, 18, 17, 16), 12.5
"""Sizes of texts, in pixels."""

INKED, QUIET, LINES = "#1a1c22", INK_2[0], "#e3e5e9"

_TOP, BOTTOM = 118, 560
"""Where the picture begins and ends."""


@dataclass(frozen=True)
class Said:
    """What a card says in words: title, lede with what stands beside it in grey, and how all of it was made."""

    title: str
    lede: str
    aside: str
    method: str
    version: str

    @property
    def sentence(self) -> str:
        """All of it as text, to be put into a message."""
        return " ".join(f"{text.rstrip('.')}." for text in (self.title, self.lede, self.aside, self.method) if text)


@dataclass(frozen=True)
class Card(Drawing):
    """A card: its words above and below, and between them its picture."""

    said: Said

    @property
    def texts(self) -> tuple[str, ...]:
        said = self.said
        return (said.title, said.lede, said.aside, said.method, said.version, *self.names)

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The names in its picture, as they are shown."""

    def height(self, width: float) -> float:
        """Return how high it is, in the same unit."""
        return width * HEIGHT / WIDTH

    def draw(self, paper: "Paper", write: Write) -> None:
        pen = Pen(paper, write)
        said = self.said
        size = next((size for size in range(_TITLE, _SMALLEST_TITLE, -1) if pen.wide(said.title, size, True) < 1120), 0)
        top = 66.0
        if size:
            pen.text(LEFT, top, said.title, size, bold=True)
        else:
            top = pen.flow(54, [(said.title, INKED)], (_SMALLEST_TITLE,), bold=True)
        top = pen.flow(top + 32, [(said.lede, INKED), (said.aside, QUIET)], _LEDE)
        self.picture(pen, max(_TOP, top + 28))
        pen.line([LEFT, RIGHT], [585, 585], LINES)
        right = RIGHT - pen.wide(said.version, NOTE)
        pen.text(RIGHT, 609, said.version, NOTE, side="right")
        pen.text(right - 4, 609, "mtsig", NOTE, bold=True, side="right")
        room = right - 70 - LEFT
        small = next((size for size in (12.5, 12, 11.5, 11) if pen.wide(said.method, size) < room), 11)
        pen.text(LEFT, 609, pen.fitted(said.method, small, room), small, colour=QUIET)

    @abstractmethod
    def picture(self, pen: "Pen", top: float) -> None:
        """Draw the picture, from this height on."""


class Pen:
    """Draws in pixels from the upper left corner."""

    def __init__(self, paper: "Paper", write: Write) -> None:
        self._paper = paper
        self._axes = paper.add_axes((0, 0, 1, 1))
        self._axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        self._axes.set_axis_off()
        self._write = write
        self._widths: dict[tuple[str, float, bool], float] = {}

    def text(
        self, x: float, y: float, text: str, size: float, *,
        colour: str = INKED, bold: bool = False, side: str = "left", rest: float = 0,
    ) -> None:  # fmt: skip
        """Write a text whose letters stand on a line; rest: degrees by which it is turned."""
        self._axes.text(
            x, y, self._write(text), fontsize=0.72 * size, color=colour, ha=side, va="baseline", rotation=rest,
            fontweight="bold" if bold else "normal",
        )  # fmt: skip

    def wide(self, text: str, size: float, bold: bool = False) -> float:
        key = (text, size, bold)
        if key not in self._widths:
            drawn = self._axes.text(
                0, 0, self._write(text), fontsize=0.72 * size, fontweight="bold" if bold else "normal"
            )
            figure = self._axes.get_figure()
            pixels = float(figure.dpi) if figure is not None else 100.0
            self._widths[key] = float(drawn.get_window_extent().width) * 100 / pixels
            drawn.remove()
        return self._widths[key]

    def fitted(self, text: str, size: float, room: float, bold: bool = False) -> str:
        """Return a text, cut at its end where it has no room."""
        if self.wide(text, size, bold) <= room:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.wide(f"{text[:middle]}…", size, bold) <= room else (low, middle - 1)
        return f"{text[:low].rstrip()}…"

    def flow(self, y: float, parts: Sequence[tuple[str, str]], sizes: Sequence[float], *, bold: bool = False) -> float:
        """Write texts, each in its colour, one after the other in two lines at most, and return where the last is.

        sizes: the largest one is taken at which all of it has room, or the last.
        """
        words = [(word, colour) for text, colour in parts for word in text.split()]
        placed, size = next(
            (found for size in sizes if (found := (self._placed(words, size, bold), size))[0][-1][1] < 2),
            (self._placed(words, sizes[-1], bold), sizes[-1]),
        )
        seen = [each for each in placed if each[1] < 2]
        for number, (x, line, word, colour) in enumerate(seen, 1):
            more = " …" if number == len(seen) < len(placed) else ""
            text = self.fitted(f"{word}{more}", size, RIGHT + 20 - x, bold)
            self.text(x, y + 1.35 * size * line, text, size, colour=colour, bold=bold)
        return y + 1.35 * size * seen[-1][1]

    def _placed(self, words: Sequence[tuple[str, str]], size: float, bold: bool) -> list[tuple[float, int, str, str]]:
        """Return where words go: x, the number of the line, the word and its colour."""
        gap = self.wide("n n", size, bold) - self.wide("nn", size, bold)
        x, line, placed = float(LEFT), 0, []
        for word, colour in words:
            width = self.wide(word, size, bold)
            if x + width > RIGHT and x > LEFT:
                x, line = float(LEFT), line + 1
            placed.append((x, line, word, colour))
            x += width + gap
        return placed

    def line(self, x: Sequence[float], y: Sequence[float], colour: str, width: float = 1, dash: str = "-") -> None:
        """Draw a line, in gaps at NaN."""
        ends = "butt" if dash == "-" else None
        self._axes.plot(x, y, color=colour, linewidth=0.72 * width, linestyle=dash, solid_capstyle=ends or "projecting")

    def fill(self, x: Sequence[float], y: Sequence[float], colour: str, edge: str = "none", width: float = 0) -> None:
        self._axes.fill(x, y, facecolor=colour, edgecolor=edge, linewidth=0.72 * width)

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle."""
        self.fill([x, x + width, x + width, x], [y, y, y + height, y + height], colour)

    def mark(self, x: float, y: float, sign: str, size: float, *, hollow: bool = False) -> None:
        """Draw a mark of this many pixels across."""
        face = "white" if hollow else INKED
        self._axes.plot(
            [x], [y], linestyle="", marker=sign, markersize=0.72 * size, markerfacecolor=face, markeredgecolor=INKED,
            markeredgewidth=1.1, zorder=3,
        )  # fmt: skip

    def cell(self, x: float, y: float, width: float, height: float, kind: Verdict, colour: str) -> None:
        """Draw a cell of the matrix."""
        if kind in ("better", "worse"):
            self.box(x, y, width, height, colour)
            return
        self.box(x, y, width, height, "#f2f2f2")
        if kind == "not_significant":
            xs: list[float] = []
            ys: list[float] = []
            for start in np.arange(width * 0.35, width + height, 6.5):
                # A stroke from the lower left to the upper right, as far as it is in the cell.
                low, high = max(0.0, start - height), min(width, start)
                xs += [x + low, x + high, math.nan]
                ys += [y + start - low, y + start - high, math.nan]
            self.line(xs, ys, "#bdbdbd", 0.8)
        else:
            places = [(x + a, y + b) for a in np.arange(3.5, width - 1, 5) for b in np.arange(3.5, height - 1, 5)]
            self._axes.plot(*zip(*places, strict=True), linestyle="", marker="o", markersize=0.9, color=PALE)

    def scene(self, scene: Scene, top: float, bottom: float) -> None:
        """Draw the first plane of a scene in the width of the card; one that is low is not drawn out.

        Its lines and marks are those of a screen, which are larger than those of paper.
        """
        from mtsig.figures._matplotlib import draw_plane

        (plane, *_), high = scene.planes, 100 * scene.height - 48
        middle, half = (top + bottom) / 2, min((bottom - top) / 2, 0.75 * high)
        marks = [_larger(mark) for mark in plane.marks]
        place = ((LEFT + 10) / WIDTH, 1 - (middle + half) / HEIGHT, (RIGHT - LEFT - 20) / WIDTH, 2 * half / HEIGHT)
        draw_plane(self._paper.add_axes(place), replace(plane, marks=marks), self._write)


_OF_SCREEN, _OF_MARKS = 1.44, 1.8
"""A pixel of a line, and of a mark, is so much wider on a screen than on paper."""


def _larger(mark: Mark) -> Mark:
    if isinstance(mark, Points):
        return replace(mark, size=_OF_MARKS * mark.size, thickness=_OF_SCREEN * mark.thickness)
    return replace(mark, width=_OF_SCREEN * mark.width) if isinstance(mark, Line) else mark
