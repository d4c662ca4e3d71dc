"""Curves by test-set size (ZV04 figures 4 to 7): scores with bands, and widths beside the square-root law."""

from collections.abc import Sequence

import plotly.graph_objects as go

from mtsig.experiments import SizeCurves
from mtsig.figures.look import GREY, PALETTE, VERMILLION, faded, figure, labels
from mtsig.inference import level_text


def score_curves(curves: SizeCurves, chosen: Sequence[str] | None = None) -> go.Figure:
    """Return the mean score (or difference) by size, each with the band of its mean interval."""
    shown = figure(height=380, hovermode="x unified")
    for position, t in enumerate(_rows(curves, chosen)):
        colour, x = PALETTE[position % len(PALETTE)], curves.units.tolist()
        name = labels(curves.labels)[t]
        band = {"x": x, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
        shown.add_scatter(y=curves.high[:, t].tolist(), **band, legendgroup=curves.labels[t])
        shown.add_scatter(
            y=curves.low[:, t].tolist(),
            **band,
            legendgroup=curves.labels[t],
            fill="tonexty",
            fillcolor=faded(colour, 0.18),
        )
        shown.add_scatter(
            x=x,
            y=curves.mean[:, t].tolist(),
            mode="lines+markers",
            name=name,
            legendgroup=curves.labels[t],
            line={"color": colour, "width": 2},
            customdata=[[low, high] for low, high in zip(curves.low[:, t], curves.high[:, t], strict=True)],
            hovertemplate="%{y:.2f} (%{customdata[0]:.2f} to %{customdata[1]:.2f})",
        )
    if curves.is_difference:
        shown.add_hline(y=0, line={"color": VERMILLION, "dash": "dash", "width": 2})
    shown.update_xaxes(title=f"{curves.unit}s in the test set", rangemode="tozero")
    shown.update_yaxes(title=f"{curves.metric}, mean of subsets, with mean {level_text(curves.plan.level)} interval")
    return shown


def width_curves(curves: SizeCurves, chosen: Sequence[str] | None = None, relative: bool = False) -> go.Figure:
    """Return the half width of intervals by size, absolute or in % of the score, with the square-root law dashed."""
    relative = relative and not curves.is_difference
    shown = figure(height=320, hovermode="x unified")
    widths = curves.relative if relative else curves.half_width
    law = curves.square_root_law(widths)
    for position, t in enumerate(_rows(curves, chosen)):
        colour, x = PALETTE[position % len(PALETTE)], curves.units.tolist()
        shown.add_scatter(
            x=x, y=law[:, t].tolist(), mode="lines", line={"color": GREY, "dash": "dash", "width": 1}, name="1/√n law",
            showlegend=position == 0, hoverinfo="skip",
        )  # fmt: skip
        shown.add_scatter(
            x=x, y=widths[:, t].tolist(), mode="lines+markers", line={"color": colour, "width": 2},
            name=labels(curves.labels)[t], hovertemplate="± %{y:.2f}" + (" %" if relative else ""),
        )  # fmt: skip
    shown.update_xaxes(title=f"{curves.unit}s in the test set", rangemode="tozero")
    shown.update_yaxes(
        title=f"half width in % of {curves.metric}" if relative else f"half width in {curves.metric}",
        rangemode="tozero",
    )
    return shown


def _rows(curves: SizeCurves, chosen: Sequence[str] | None) -> list[int]:
    return [t for t, name in enumerate(curves.labels) if chosen is None or name in chosen]
