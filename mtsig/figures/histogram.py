"""Histogram of draws: a comparison's resampled or shuffled differences, or one system's resampled scores."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from mtsig.figures.look import BLUE, GREY, ORANGE, VERMILLION, faded, figure, label, labels
from mtsig.inference import Comparison, Interval, level_text

Floats = NDArray[np.float64]

_BINS = 60


def resampled_differences(draws: Floats, comparison: Comparison) -> go.Figure:
    """Return the bootstrap differences with the estimate, its interval and the zero line."""
    shown = _bars(draws, f"difference in {comparison.metric} on redrawn test sets", beyond=None)
    _band(shown, comparison.low, comparison.high, f"{level_text(comparison.level)} interval")
    _line(shown, comparison.difference, BLUE, "estimate", "solid")
    _line(shown, 0.0, VERMILLION, "no difference", "dash")
    first, second = labels([comparison.first, comparison.second])
    shown.update_xaxes(title=f"{comparison.metric}: {first} minus {second}")
    return shown


def shuffled_differences(null: Floats, comparison: Comparison) -> go.Figure:
    """Return the differences under the null with the observed one; draws at least as extreme are hatched."""
    observed = abs(comparison.difference)
    shown = _bars(null, f"difference in {comparison.metric} when labels are exchanged", beyond=observed)
    _line(shown, comparison.difference, BLUE, "observed", "solid")
    if observed > 0:
        _line(shown, -comparison.difference, BLUE, "as far the other way", "dot")
    first, second = labels([comparison.first, comparison.second])
    shown.update_xaxes(title=f"{comparison.metric}: {first} minus {second}, labels exchanged at random")
    return shown


def resampled_scores(draws: Floats, interval: Interval, system: str, metric: str) -> go.Figure:
    """Return one system's bootstrap scores with the estimate and its interval (ZV04 figures 1 and 2)."""
    shown = _bars(draws, f"{metric} on redrawn test sets", beyond=None)
    _band(shown, interval.low, interval.high, f"{level_text(interval.level)} interval")
    _line(shown, interval.estimate, BLUE, "score", "solid")
    shown.update_xaxes(title=f"{metric} of {label(system)}")
    return shown


def _bars(draws: Floats, name: str, beyond: float | None) -> go.Figure:
    """Return the draws as bars; with `beyond`, draws at least that far from 0 are bars of their own, hatched."""
    # Draws that differ by rounding only are one bar; numpy cannot cut so narrow a range.
    spread = np.ptp(draws) > 1e-9 * max(1.0, float(np.abs(draws).max()))
    counts, edges = np.histogram(draws, bins=_BINS if spread else 1)
    middles, width = (edges[:-1] + edges[1:]) / 2, float(edges[1] - edges[0])
    shown = figure(bargap=0, barmode="stack", hovermode="x unified", height=320)
    inside = counts
    if beyond is not None:
        far = np.histogram(draws[np.abs(draws) >= beyond - 1e-9 * max(1.0, beyond)], bins=edges)[0]
        inside = counts - far
    shown.add_bar(
        x=middles, y=inside, width=width, name=name, marker={"color": faded(GREY, 0.55), "line": {"width": 0}}
    )
    if beyond is not None:
        shown.add_bar(
            x=middles,
            y=counts - inside,
            width=width,
            name="at least as far from zero as observed",
            marker={
                "color": faded(ORANGE, 0.85),
                "line": {"width": 0},
                "pattern": {"shape": "/", "fgcolor": "#333333", "size": 6},
            },
        )
    shown.update_yaxes(title="draws", rangemode="tozero")
    return shown


def _line(shown: go.Figure, x: float, colour: str, name: str, dash: str) -> None:
    """Draw a full-height line that also stands in the legend."""
    shown.add_vline(x=x, line={"color": colour, "width": 2, "dash": dash})
    shown.add_scatter(
        x=[None], y=[None], mode="lines", name=f"{name} {x:.2f}", line={"color": colour, "width": 2, "dash": dash}
    )


def _band(shown: go.Figure, low: float, high: float, name: str) -> None:
    shown.add_vrect(x0=low, x1=high, fillcolor=faded(BLUE, 0.15), line={"width": 0}, layer="below")
    shown.add_scatter(
        x=[None],
        y=[None],
        mode="markers",
        name=f"{name} {low:.2f} to {high:.2f}",
        marker={"symbol": "square", "size": 12, "color": faded(BLUE, 0.3)},
    )
