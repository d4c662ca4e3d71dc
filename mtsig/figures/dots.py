"""Dots with intervals in rows, of scores and of differences, in panels side by side."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from mtsig.figures.compared import LEGEND
from mtsig.figures.look import PALE, SLATE, Verdict, text_columns, verdict_colour
from mtsig.figures.picture import PAGE_HEIGHT, PAPER_REFERENCE, Picture, Write, folded, name_lines, write_lines
from mtsig.figures.screen import AXIS, REFERENCE, escaped, faded, figure, name_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = 0.45
"""At most so much of the paper's width is for names."""

_LEAST_PANEL = 0.95
"""Inches of paper that a panel needs; where not all have room side by side, they stand below each other."""

_CLOSE_PANEL = 0.75
"""Inches that are enough where all panels then stand in one row."""

_NARROW_PANEL = 0.5
"""Inches that are enough where panels below each other would not fit a page."""

_TICK, _TITLE = 0.26, 0.9
"""Inches that a tick of an axis takes; and the share of a panel that its title may take."""

_SIGN = 0.062
"""Inches that a sign of a name takes."""

_PHONE = 2.9
"""Inches of paper that have room for as many signs as a phone."""

_SYMBOLS: dict[Verdict, str] = {
    "better": "triangle-right", "worse": "triangle-left", "not separated": "circle-open", "undecided": "x-thin-open",
}  # fmt: skip
_MARKERS: dict[Verdict, str] = {"better": ">", "worse": "<", "not separated": "o", "undecided": "x"}

_NO_DIFFERENCE = "no difference"


@dataclass(frozen=True)
class Panel:
    """One axis: an estimate with both ends of its interval for every row, NaN where a row has none.

    verdicts: of differences, None where a row has none; empty of scores.
    hover: what is known of each row, in lines. adjusted: the ends of each row's thin line, NaN where it has none: of
    differences, the interval by which 0 is judged; then the other one is thick.
    """

    title: str
    estimate: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    decimals: int
    verdicts: tuple[Verdict | None, ...] = ()
    hover: tuple[str, ...] = ()
    adjusted: tuple[tuple[float, float], ...] = ()

    def rows_of(self, word: Verdict | None) -> list[int]:
        """Return the rows with this verdict; of scores, all with None."""
        known = [row for row, value in enumerate(self.estimate) if not math.isnan(value)]
        return [row for row in known if word == (self.verdicts[row] if self.verdicts else None)]

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the axis: everything that is drawn has room, zero too where differences are."""
        ends = (end for both in self.adjusted for end in both)
        drawn = [value for value in (*self.low, *self.high, *self.estimate, *ends) if math.isfinite(value)]
        if self.verdicts:
            drawn.append(0.0)
        room = 0.04 * (max(drawn) - min(drawn)) or 1.0
        return min(drawn) - room, max(drawn) + room

    def thin(self, rows: list[int]) -> list[tuple[int, float, float]]:
        """Return the rows that have a thin line, with its ends."""
        return [(row, *self.adjusted[row]) for row in rows if self.adjusted and not math.isnan(self.adjusted[row][0])]

    def reach(self, rows: list[int]) -> tuple[list[float], list[float]]:
        """Return how far the intervals of rows reach below and above their estimates; 0 where they do not reach it.

        Quantiles of few draws may all lie on one side of an estimate.
        """
        below = [_from_zero(self.estimate[row] - self.low[row]) for row in rows]
        return below, [_from_zero(self.high[row] - self.estimate[row]) for row in rows]


def _from_zero(length: float) -> float:
    return 0.0 if length < 0 else length  # NaN stays what it is


@dataclass(frozen=True)
class Dots(Picture):
    """Rows by name, first on top, with a dot and an interval in every panel.

    subject: the system whose differences are shown, and of whom legends speak.
    """

    names: tuple[str, ...]
    panels: tuple[Panel, ...]
    says: str
    subject: str = ""

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return self.says

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data, or may hold some of it."""
        return (*self.names, *(panel.title for panel in self.panels), self.subject)

    @property
    def legend(self) -> dict[Verdict, str]:
        """What the marks of differences say."""
        words = {word for panel in self.panels for word in panel.verdicts}
        of = f"{self.subject} " if self.subject else ""
        return {
            word: of + text if word in ("better", "worse") else text for word, text in LEGEND.items() if word in words
        }

    # --- screen -------------------------------------------------------------------------------------------------

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        compared = any(panel.verdicts for panel in self.panels)
        titles = [folded(panel.title, self._room) for panel in self.panels]
        height = 80 + 32 * len(self.names) + 45 * compared + 18 * max(title.count("\n") for title in titles)
        shown = figure(height=max(140, height), showlegend=compared)
        for number, (panel, title) in enumerate(zip(self.panels, titles, strict=True)):
            self._screen_panel(shown, number, panel, title)
        shown.update_yaxes(**name_axis(self.names), range=[len(self.names) - 0.4, -0.6], showgrid=False)
        if compared:
            self._screen_legend(shown)
        return shown

    @property
    def _room(self) -> float:
        """Inches below a panel on a phone, where names take what they need."""
        return (_PHONE - _SIGN * max(map(text_columns, self.names))) / len(self.panels)

    def _screen_panel(self, shown: go.Figure, number: int, panel: Panel, title: str) -> None:
        axis = f"x{number + 1 if number else ''}"
        share, gap = 1 / len(self.panels), 0.03 * (len(self.panels) > 1)
        domain = [number * share + gap * (number > 0), (number + 1) * share - gap * (number + 1 < len(self.panels))]
        layout = {**AXIS, "zeroline": False, "domain": domain, "anchor": "y"}
        layout |= {"range": list(panel.range), "gridcolor": faded(PALE, 0.25)}
        shown.update_layout({axis.replace("x", "xaxis"): layout})
        shown.layout[axis.replace("x", "xaxis")].title.text = "<br>".join(map(escaped, title.split("\n")))
        if panel.verdicts:
            across = {"type": "line", "xref": axis, "yref": "paper", "y0": 0, "y1": 1}
            shown.add_shape(**across, x0=0, x1=0, line=REFERENCE)
        words: list[Verdict | None] = list(self.legend) if panel.verdicts else [None]
        for word in words:
            rows = panel.rows_of(word)
            if rows:
                self._screen_dots(shown, panel, rows, word, axis)

    def _screen_dots(self, shown: go.Figure, panel: Panel, rows: list[int], word: Verdict | None, axis: str) -> None:
        colour = SLATE if word is None else verdict_colour(word, 0.5)
        below, above = panel.reach(rows)
        places = f":.{panel.decimals}f"
        error = {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
        error |= {"thickness": 5, "width": 0} if panel.adjusted else {"thickness": 2, "width": 5}
        if thin := panel.thin(rows):
            shown.add_scatter(
                x=[end for _, low, high in thin for end in (low, high, None)],
                y=[place for row, *_ in thin for place in (row, row, None)],
                xaxis=axis,
                mode="lines",
                line={"width": 1.5, "color": colour},
                hoverinfo="skip",
                showlegend=False,
            )
        symbol = "circle" if word is None else _SYMBOLS[word]
        hover: dict[str, Any] = {"hovertemplate": f"%{{x{places}}}<br>%{{customdata[0]{places}}} to "
                                 f"%{{customdata[1]{places}}}<extra></extra>"}  # fmt: skip
        if panel.hover:
            hover = {"hovertext": [panel.hover[row] for row in rows], "hoverinfo": "text"}
        shown.add_scatter(
            x=[panel.estimate[row] for row in rows],
            y=rows,
            xaxis=axis,
            mode="markers",
            marker={
                "size": 9 if word is None else 11,
                "color": colour,
                "symbol": symbol,
                "line": {"width": 2, "color": colour},
            },
            error_x={**error, "color": colour},
            customdata=[[panel.low[row], panel.high[row]] for row in rows],
            showlegend=False,
            **hover,
        )

    def _screen_legend(self, shown: go.Figure) -> None:
        """Name marks and lines: empty traces stand in the legend for all panels."""
        for word, text in self.legend.items():
            colour = verdict_colour(word, 0.5)
            marker = {"size": 11, "symbol": _SYMBOLS[word], "color": colour, "line": {"width": 2, "color": colour}}
            shown.add_scatter(x=[None], y=[None], mode="markers", name=escaped(text), marker=marker)
        shown.add_scatter(x=[None], y=[None], mode="lines", name=_NO_DIFFERENCE, line=REFERENCE)
        shown.update_layout(legend={"y": 1.02, "itemclick": False})

    # --- paper --------------------------------------------------------------------------------------------------

    def _panels_width(self, width: float) -> float:
        """Return the inches that names leave for the panels."""
        return width - min(_NAMES * width, _SIGN * max(len(name) for name in self.names))

    def _columns(self, width: float) -> int:
        """Return how many panels stand side by side: more of them, narrower ones, where else a page is too short."""
        room, count = self._panels_width(width), len(self.panels)
        wide, close, narrow = (
            max(1, min(count, int(room / least))) for least in (_LEAST_PANEL, _CLOSE_PANEL, _NARROW_PANEL)
        )
        if close == count:
            return count
        fitting = (columns for columns in range(wide, narrow + 1) if self._height(width, columns) <= PAGE_HEIGHT)
        # As many rows as that takes, and these as full as can be.
        return -(-count // -(-count // next(fitting, narrow)))

    def _entries(self, width: float) -> list[str]:
        texts = [*self.legend.values(), *([_NO_DIFFERENCE] if self.legend else [])]
        return [folded(text, 0.85 * width) for text in texts]

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        return self._height(width, self._columns(width))

    def _height(self, width: float, columns: int) -> float:
        """Return the same with so many panels side by side."""
        rows = -(-len(self.panels) // columns)
        _, lines = name_lines(self.names, _NAMES * width)
        titles = [folded(panel.title, _TITLE * self._panels_width(width) / columns) for panel in self.panels]
        axis = 0.36 + 0.14 * (1 + max(title.count("\n") for title in titles))
        legend = sum(0.16 * (1 + text.count("\n")) for text in self._entries(width))
        return rows * (axis + (0.07 + 0.12 * lines) * len(self.names)) + legend

    def draw(self, paper: "Figure", write: Write) -> None:
        """Draw it on paper."""
        from matplotlib.lines import Line2D
        from matplotlib.ticker import MaxNLocator

        width = float(paper.get_size_inches()[0])
        columns = self._columns(width)
        room = self._panels_width(width) / columns
        grid = paper.subplots(-(-len(self.panels) // columns), columns, squeeze=False, sharey=True)
        places = list(range(len(self.names)))
        names, _ = name_lines(self.names, _NAMES * width)
        for axes in grid.flat[len(self.panels) :]:
            axes.set_axis_off()
        for axes, panel in zip(grid.flat, self.panels, strict=False):
            self._paper_panel(axes, panel)
            axes.xaxis.set_major_locator(MaxNLocator(min(4, int(room / _TICK))))
            axes.set_yticks(places, [write_lines(write, name) for name in names], linespacing=1.0)
            axes.set_ylim(len(places) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
            axes.spines["left"].set_visible(False)
            axes.set_xlabel(write_lines(write, folded(panel.title, _TITLE * room)), linespacing=1.0)
            axes.grid(axis="x")
        if self.legend:
            handles = [Line2D([], [], linestyle="", **_marker(word)) for word in self.legend]
            handles.append(Line2D([], [], **PAPER_REFERENCE))
            texts = [write_lines(write, text) for text in self._entries(width)]
            paper.legend(handles, texts, loc="outside lower left")

    def _paper_panel(self, axes: "Axes", panel: Panel) -> None:
        axes.set_xlim(panel.range)
        if panel.verdicts:
            axes.axvline(0, **PAPER_REFERENCE)
        words: list[Verdict | None] = list(self.legend) if panel.verdicts else [None]
        for word in words:
            rows = panel.rows_of(word)
            if rows:
                style = {"fmt": "o", "color": SLATE, "markersize": 3.5} if word is None else _marker(word)
                values = [panel.estimate[row] for row in rows]
                thick = {"capsize": 0, "elinewidth": 2.4} if panel.adjusted else {"capsize": 2}
                axes.errorbar(values, rows, xerr=panel.reach(rows), **{"linestyle": "", **thick, **style})
                for row, low, high in panel.thin(rows):
                    axes.hlines(row, low, high, color=style["color"], linewidth=0.8)


def _marker(word: Verdict) -> dict[str, Any]:
    """Return how matplotlib draws the mark of a verdict."""
    face = {"markerfacecolor": "white"} if word == "not separated" else {}
    return {"marker": _MARKERS[word], "color": verdict_colour(word, 0.5), "markersize": 4.5, **face}
