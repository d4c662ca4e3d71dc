"""Better, worse or not separated, by several metrics side by side (ZV04 figure 3)."""

from dataclasses import dataclass

import plotly.graph_objects as go
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

from mtsig.figures.look import BLUES, OCHRES, PALE, legible_on, short, shorts
from mtsig.figures.picture import Picture, Write
from mtsig.figures.screen import PAGE_INK, escaped, faded, figure
from mtsig.inference import level_text
from mtsig.inference.registered import correction_label
from mtsig.lab import RelationsTables

# What a sign stands on, on the screen and on paper, and its own colour there: the verdict's, as in every matrix.
_LOOK = {
    ">": (BLUES[0], BLUES[0], legible_on(BLUES[0])),
    "<": (OCHRES[0], OCHRES[0], legible_on(OCHRES[0])),
    "~": (faded(PALE, 0.1), "#f2f2f2", PAGE_INK),
}


def _on_paper(sign: str) -> str:
    """Return what a sign stands on; on the diagonal there is none."""
    return _LOOK[sign][1] if sign else "#ffffff"


@dataclass(frozen=True)
class RelationMatrices(Picture):
    """One matrix of >, < and ~ for every metric: the row's system against the column's; empty on the diagonal."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    signs: tuple[tuple[tuple[str, ...], ...], ...]
    says: str

    @classmethod
    def of(cls, result: RelationsTables) -> "RelationMatrices":
        """Return the matrices of a result, systems in its order."""

        def row(metric: int, statistic: str) -> tuple[str, ...]:
            return tuple(
                "" if statistic == other else result.between(metric, statistic, other) for other in result.systems
            )

        return cls(
            tuple(short(name) for name in result.metrics),
            shorts(result.systems),
            tuple(tuple(row(metric, system) for system in result.systems) for metric in range(len(result.metrics))),
            f"The row's system is better (>) or worse (<) than the column's, or not separated from it (~), at "
            f"{level_text(result.level)} corrected by {correction_label(result.correction)}. ~ is not equality.",
        )

    @property
    def caption(self) -> str:
        """What the figure shows."""
        return self.says

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return (*self.metrics, *self.systems)

    def screen(self) -> go.Figure:
        """Return the figure for the screen."""
        names = [escaped(name) for name in self.systems]
        shown = make_subplots(cols=len(self.metrics), subplot_titles=[escaped(name) for name in self.metrics])
        for column, signs in enumerate(self.signs, 1):
            # A heatmap has one colour of text: each sign has its own.
            for sign, (ground, _, ink) in _LOOK.items():
                shown.add_heatmap(
                    z=[[0 if other == sign else None for other in row] for row in signs], x=names, y=names,
                    text=[[sign if other == sign else "" for other in row] for row in signs], texttemplate="%{text}",
                    textfont={"color": ink}, colorscale=[[0, ground], [1, ground]], showscale=False, xgap=2, ygap=2,
                    row=1, col=column, hovertemplate="%{y} %{text} %{x}<extra></extra>", hoverongaps=False,
                )  # fmt: skip
        shown.update_layout(figure(height=140 + 34 * len(names)).layout)
        shown.update_xaxes(tickfont_color=PAGE_INK)
        shown.update_yaxes(tickfont_color=PAGE_INK, autorange="reversed")
        shown.update_yaxes(showticklabels=False)
        shown.update_yaxes(showticklabels=True, col=1)
        return shown

    def _columns(self, width: float) -> int:
        """Return how many matrices stand side by side: as many as have room for their signs and for the names."""
        return max(1, min(len(self.metrics), int((width - self._names) / (0.13 * len(self.systems) + 0.15))))

    @property
    def _names(self) -> float:
        return 0.06 * max(len(name) for name in self.systems)

    def height(self, width: float) -> float:
        """Return how high it is on paper, in inches."""
        rows = -(-len(self.metrics) // self._columns(width))
        side = (width - self._names) / self._columns(width)
        return rows * (min(side, 0.3 * len(self.systems)) + 0.35) + self._names

    def draw(self, paper: Figure, write: Write) -> None:
        """Draw it on paper."""
        columns = self._columns(float(paper.get_size_inches()[0]))
        rows = -(-len(self.metrics) // columns)
        grid = paper.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        places = range(len(self.systems))
        for axes in grid.flat[len(self.metrics) :]:
            axes.set_axis_off()
        for axes, metric, signs in zip(grid.flat, self.metrics, self.signs, strict=False):
            axes.imshow([[to_rgb(_on_paper(sign)) for sign in row] for row in signs])
            for y, row in enumerate(signs):
                for x, sign in enumerate(row):
                    axes.text(
                        x, y, write(sign), ha="center", va="center", fontsize=7, color=legible_on(_on_paper(sign))
                    )
            axes.set_title(write(metric), fontsize=8)
            axes.set_yticks(places, [write(name) for name in self.systems])
            axes.set_xticks(places, [write(name) for name in self.systems], rotation=90)
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)


def relations(result: RelationsTables) -> RelationMatrices:
    """Return the matrices of a result."""
    return RelationMatrices.of(result)
