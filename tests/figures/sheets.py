"""Pictures drawn on paper, to ask which texts stand where; and what pictures on a screen say where they are clicked."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from matplotlib.text import Text

from mtsig.figures import PAPERS, Picture
from mtsig.figures import _paper as paper_module


class Clicked(NamedTuple):
    """What can be clicked: where it is, what it carries first, and what it says."""

    x: float
    y: float
    keys: tuple[str, str]
    text: str


def clicked_on(figure: go.Figure) -> list[Clicked]:
    """Return what can be clicked on a figure, row by row, with the words of each in the template of its trace."""
    found = []
    for trace in figure.data:
        if trace.customdata is not None and trace.marker.opacity == 0:
            for x, y, said in zip(trace.x, trace.y, trace.customdata, strict=True):
                text = trace.hovertemplate.removesuffix("<extra></extra>")
                for number, word in enumerate(said):
                    text = text.replace(f"%{{customdata[{number}]}}", word)
                found.append(Clicked(x, y, (*said, "")[:2], text))
    return sorted(found, key=lambda one: (one.y, one.x))


def on_sheet(picture: Picture, paper: str) -> Figure:
    """Return the picture as it is drawn on a paper, laid out."""
    width = PAPERS[paper]
    with paper_module._settings(paper_module._LOOK):
        sheet = Figure(figsize=(width, picture.height(width)), layout="constrained")
        picture.draw(sheet, str)
        sheet.draw_without_rendering()
    return sheet


def texts_of(sheet: Figure) -> list[Text]:
    """Return every text that can be seen."""
    found = [text for legend in sheet.legends for text in legend.get_texts()]
    for axes in sheet.axes:
        found += [*axes.texts, axes.xaxis.label, axes.yaxis.label, axes.title]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if low <= tick.get_loc() <= high:
                    found += [tick.label1, tick.label2]
    return [text for text in found if text.get_visible() and text.get_text()]


def legend_of(sheet: Figure) -> list[str]:
    """Return the texts of the legend, each in one line."""
    return [text.get_text().replace("\n", " ") for legend in sheet.legends for text in legend.get_texts()]


def trouble_on(sheet: Figure) -> list[str]:
    """Return the texts that run into each other or off the sheet."""
    texts = texts_of(sheet)
    boxes = np.array([text.get_window_extent().extents for text in texts])
    low, high = np.maximum(boxes[:, None, :2], boxes[None, :, :2]), np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = np.triu(((high - low) > 0.5).all(axis=2), 1)
    found = [f"{texts[i].get_text()!r} meets {texts[j].get_text()!r}" for i, j in np.argwhere(shared)]
    off = (boxes[:, :2] < -0.5).any(axis=1) | (boxes[:, 2:] > np.array(sheet.bbox.size) + 0.5).any(axis=1)
    return found + [f"{texts[i].get_text()!r} leaves the sheet" for i in np.flatnonzero(off)]
