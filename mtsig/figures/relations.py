"""Better, worse or not separated, by several metrics side by side (ZV04 figure 3)."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from mtsig.experiments import Relations
from mtsig.figures.look import short, shorts
from mtsig.figures.screen import escaped, figure

_COLOURS = ((0.0, "#c3b369"), (0.5, "#f4f1e4"), (1.0, "#fee838"))
"""Light enough for black signs in every cell."""


def relations(result: Relations) -> go.Figure:
    """Return one matrix of >, < and ~ for every metric: the row's system against the column's."""
    names = [escaped(name) for name in shorts(result.systems)]
    shown = make_subplots(cols=len(result.metrics), subplot_titles=[escaped(short(name)) for name in result.metrics])
    numbers = {">": 1.0, "<": -1.0, "~": 0.0}
    for column in range(len(result.metrics)):
        text = [
            ["" if row == other else result.between(column, row, other) for other in result.systems]
            for row in result.systems
        ]
        z = [[numbers.get(sign) for sign in row] for row in text]
        shown.add_heatmap(
            z=z, x=names, y=names, text=text, texttemplate="%{text}", textfont={"color": "#000"}, zmin=-1, zmax=1,
            colorscale=list(_COLOURS), showscale=False, xgap=2, ygap=2, row=1, col=column + 1,
            hovertemplate="%{y} %{text} %{x}<extra></extra>",
        )  # fmt: skip
    shown.update_layout(figure(height=140 + 34 * len(names)).layout)
    shown.update_yaxes(autorange="reversed")
    shown.update_yaxes(showticklabels=False)
    shown.update_yaxes(showticklabels=True, col=1)
    return shown
