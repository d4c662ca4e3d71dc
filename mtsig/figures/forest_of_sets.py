"""Forest plot over test sets: one pair of systems in every set, their average and what a further set would give."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import plotly.graph_objects as go

from mtsig.corpus import number_of
from mtsig.errors import UnknownName
from mtsig.figures.compared import adjusted_ends_of, ahead, ends_of, lines_of, word_of
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.forest import intervals_text
from mtsig.figures.look import INK, Verdict, short, shorts, verdict_colour
from mtsig.figures.screen import escaped
from mtsig.inference import Comparison
from mtsig.sets import FamilyOverSets

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Order = Literal["difference", "name"]

_HALF = 0.28
"""Half of a diamond's height, in rows."""

_FURTHER = "one further set"

_Ends = tuple[float, float, float]
_NONE: _Ends = (math.nan,) * 3


@dataclass(frozen=True)
class SetForest(Dots):
    """One row per set with the mark of its verdict; below a diamond for the average, and dotted the prediction.

    sets: the sets of the rows, as they are called. mean: the average and the ends of its interval, NaN without one;
    word: the verdict on it. further: the ends of the prediction interval of one further set, NaN where nothing is said
    of further sets.
    """

    how_to_read = "forest-of-sets"

    sets: tuple[str, ...] = ()
    mean: _Ends = _NONE
    word: Verdict = "undecided"
    further: tuple[float, float] = _NONE[:2]

    @classmethod
    def of(cls, family_over_sets: FamilyOverSets, first: str, second: str, by: Order = "difference") -> "SetForest":
        """Return the differences of a pair, positive where the first is better, in the sets that have both.

        by: rows by their differences, the largest on top; or by the names of the sets.

        Raises:
            UnknownName: no set compares these two.
        """
        compared = compared_in(family_over_sets, first, second)
        if not compared:
            raise UnknownName(f"No test set compares {first!r} and {second!r}.")
        order = sorted(compared, key=lambda name: -ends_of(compared[name], first)[0] if by == "difference" else name)
        rows = [compared[name] for name in order]
        average = None if family_over_sets.averages is None else family_over_sets.averages.pair(first, second)
        mean = _NONE if average is None else _judged_ends(average, first)
        further = _further(family_over_sets, first, second)
        names, ends = list(shorts(order)), [ends_of(row, first) for row in rows]
        for label, (low, high) in (
            (f"average of these {len(rows)}", mean[1:]),
            (_FURTHER, further),
        ):
            if not math.isnan(low):
                # No dot: what stands in the row is drawn by itself, and the axis has room for it.
                names.append(label)
                ends.append((math.nan, low, high))
        more = len(names) - len(order)
        higher = all(family.higher_is_better for family in family_over_sets.families.values())
        hover = [(escaped(name), *map(escaped, lines_of(compared[name], first, higher))) for name in order]
        panel = Panel(
            f"{rows[0].metric}: {ahead(short(first), short(second), higher, '−')}",
            tuple(end[0] for end in ends),
            tuple(end[1] for end in ends),
            tuple(end[2] for end in ends),
            rows[0].decimals,
            (*(word_of(row, first) for row in rows), *(None for _ in range(more))),
            (*("<br>".join(lines) for lines in hover), *("" for _ in range(more))),
            (*(adjusted_ends_of(row, first) for row in rows), *((math.nan, math.nan) for _ in range(more))),
        )
        difference = ahead(short(first), short(second), higher, by="By")
        said = [f"{difference} in {rows[0].metric}, in each of {number_of(len(rows), 'test set')}."]
        said += [] if average is None else ["Diamond: the average over these sets, as wide as its adjusted interval."]
        said += [] if math.isnan(further[0]) else [f"Dotted: where the difference in {_FURTHER} would lie."]
        said += ["Dashed: no difference.", intervals_text(rows[0])]
        word = "undecided" if average is None else word_of(average, first)
        return cls(tuple(names), (panel,), " ".join(said), short(first), tuple(order), mean, word, further)

    @property
    def _rows_below(self) -> tuple[int, int]:
        """The rows of the average and of the prediction."""
        return len(self.sets), len(self.sets) + (not math.isnan(self.mean[1]))

    @property
    def _colour(self) -> str:
        return verdict_colour(self.word, 0.5)

    def screen(self) -> go.Figure:
        """Return the figure for the screen.

        Invisible square markers carry the set as `customdata`: what is clicked is one of them.
        """
        # Whoever hovers or clicks meets the markers that know their set.
        shown = super().screen().update_traces(hoverinfo="skip")
        (row, below), (middle, low, high) = self._rows_below, self.mean
        if not math.isnan(low):
            shown.add_scatter(
                x=[low, middle, high, middle, low],
                y=[row, row - _HALF, row, row + _HALF, row],
                mode="lines",
                fill="toself",
                fillcolor=self._colour,
                line={"color": self._colour, "width": 1.5},
                name="average",
                hoverinfo="skip",
            )
        if not math.isnan(self.further[0]):
            shown.add_scatter(
                x=self.further,
                y=[below] * 2,
                mode="lines+markers",
                line={"color": INK, "width": 2.5, "dash": "dot"},
                marker={"symbol": "line-ns-open", "size": 11, "color": INK, "line": {"width": 2}},
                name=_FURTHER,
                hoverinfo="skip",
            )
        if len(self.names) > len(self.sets):
            shown.add_hline(len(self.sets) - 0.5, line={"color": INK, "width": 1})
        (panel,), count = self.panels, len(self.sets)
        shown.add_scatter(
            x=panel.estimate[:count],
            y=list(range(count)),
            mode="markers",
            marker={"symbol": "square", "size": 30, "opacity": 0},
            customdata=[[name] for name in self.sets],
            hovertext=panel.hover[:count],
            hoverinfo="text",
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            showlegend=False,
        )
        return shown.update_layout(clickmode="event+select", dragmode=False, hovermode="closest")

    def _paper_panel(self, axes: "Axes", panel: Panel) -> None:
        super()._paper_panel(axes, panel)
        (row, below), (middle, low, high) = self._rows_below, self.mean
        if not math.isnan(low):
            corners = [low, middle, high, middle], [row, row - _HALF, row, row + _HALF]
            axes.fill(*corners, color=self._colour, linewidth=0.5)
        if not math.isnan(self.further[0]):
            axes.plot(self.further, [below] * 2, color=INK, linestyle=":", marker="|", markersize=5)
        if len(self.names) > len(self.sets):
            axes.axhline(len(self.sets) - 0.5, color=INK, linewidth=0.6)


def compared_in(family_over_sets: FamilyOverSets, first: str, second: str) -> Mapping[str, Comparison]:
    """Return set -> the comparison of two systems, for the sets that have both.

    >>> import mtsig
    >>> from mtsig.figures import compared_in
    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)}
    >>> compared = mtsig.compare(sets, "chrf", draws=500).over[0].compared
    >>> pair = compared_in(compared, "direct", "direct-us")
    >>> {name: round(comparison.difference, 2) for name, comparison in pair.items()}
    {'2024': -0.53, '2025': -0.24}
    """
    pairs = {name: family.pair(first, second) for name, family in family_over_sets.families.items()}
    return {name: pair for name, pair in pairs.items() if pair is not None}


def _judged_ends(comparison: Comparison, system: str) -> tuple[float, float, float]:
    """Return the difference with the interval that agrees with its verdict, or the pair's own where there is none."""
    difference, *alone = ends_of(comparison, system)
    judged = adjusted_ends_of(comparison, system)
    low, high = alone if math.isnan(judged[0]) else judged
    return difference, low, high


def _further(family_over_sets: FamilyOverSets, first: str, second: str) -> tuple[float, float]:
    for beside in family_over_sets.described:
        if {beside.first, beside.second} == {first, second} and beside.further is not None and not beside.not_further:
            low, high = beside.further.predict_low, beside.further.predict_high
            return (low, high) if beside.first == first else (-high, -low)
    return _NONE[:2]
