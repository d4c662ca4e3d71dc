"""Interval bars: one dot with its confidence interval per system, best on top."""

import plotly.graph_objects as go

from mtsig.figures.look import BLUE, figure, name_axis
from mtsig.inference import Intervals, level_text


def interval_bars(intervals: Intervals) -> go.Figure:
    """Return the scores as dots with their intervals, best on top."""
    order = intervals.order()
    rows = list(range(len(order)))
    shown = figure(height=80 + 32 * len(order), showlegend=False)
    shown.add_scatter(
        x=[float(intervals.estimate[i]) for i in order],
        y=rows,
        mode="markers",
        marker={"size": 9, "color": BLUE},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [float(intervals.high[i] - intervals.estimate[i]) for i in order],
            "arrayminus": [float(intervals.estimate[i] - intervals.low[i]) for i in order],
            "thickness": 2,
            "width": 5,
            "color": BLUE,
        },
        customdata=[[float(intervals.low[i]), float(intervals.high[i])] for i in order],
        hovertemplate="%{x:.2f}<br>%{customdata[0]:.2f} to %{customdata[1]:.2f}<extra></extra>",
    )
    shown.update_yaxes(**name_axis([intervals.systems[i] for i in order]), range=[len(order) - 0.4, -0.6])
    shown.update_xaxes(title=f"{intervals.metric} with {level_text(intervals.level)} interval", zeroline=False)
    return shown
