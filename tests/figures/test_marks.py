"""Every mark is drawn by both libraries, and a figure from outside needs no more than to name its marks."""

import io
from dataclasses import dataclass, fields
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from mtsig.figures import (
    Axis,
    Band,
    Bars,
    Cells,
    Line,
    Picture,
    Plane,
    Points,
    Rule,
    Scene,
    _marks,
    on_paper,
    save,
)
from mtsig.figures._marks import Mark, Room, Shade, Shape, Targets, Text, Words, reach

MARKS: dict[str, Mark] = {
    "Line": Line(x=[0, 1, None, 2], y=[0, 1, None, 3], dash="dot", symbol="diamond", name="told"),
    "Points": Points(x=[1, 2], y=[3, 5], low=[0.5, 2], high=[2, 2.5], caps=True, name="told"),
    "Band": Band(x=[0, 1, 2], low=[0, 1, 1], high=[1, 2, 3], colour="#3f8f2f"),
    "Shape": Shape(x=[0, 1, 2], y=[1, 2, 1], colour="#3f8f2f", name="told"),
    "Bars": Bars(x=[0, 1], y=[3, 4], width=0.8, base=[1, 1], colour="#7f7f7f", hatch="/", name="told"),
    "Cells": Cells(x=[0, 1], y=[0, 1], hatch="/", texts=["2.50", "3.50"], signs=["?", "?"], name="told"),
    "Rule": Rule(at=1.5, upright=True, name="told", text="here"),
    "Shade": Shade(low=0.5, high=1.5, colour="#7f7f7f", opacity=0.2),
    "Text": Text(x=1, y=1, text="said\n& done", side="left", level="top", across=4, up=-2, bold=True),
    "Words": Words(x=[1], y=[1], texts=["said & done"]),
    "Labels": _marks.Labels(x=2, y=[1, 2], place=[1, 2.5], texts=["one", "other"], colours=["#3f8f2f", "#8e5cc9"]),
    "Targets": Targets(x=[1], y=[1], keys=[["A"]], hover=["A <b>"]),
}


@dataclass(frozen=True)
class Drawn(Picture):
    """A figure of one mark."""

    mark: Mark
    caption = "One mark."

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of it that came with the data."""
        return ()

    def scene(self, room: Room) -> Scene:
        """Return the mark on two axes."""
        plane = Plane([self.mark], Axis(title=room.title("across"), range=(-1, 3)), Axis(title="up", range=(-1, 6)))
        return Scene([plane], 2.0 if room.on_paper else 300, "above")


def test_every_mark_is_tried_here() -> None:
    known = {name for name, thing in vars(_marks).items() if isinstance(thing, type) and issubclass(thing, Mark)}
    assert known - {"Mark"} == set(MARKS)


@pytest.mark.parametrize("kind", sorted(MARKS))
def test_a_figure_from_outside_comes_out_on_screen_and_paper(kind: str) -> None:
    picture = Drawn(MARKS[kind])
    shown = picture.screen()
    assert shown.data or shown.layout.shapes or shown.layout.annotations
    assert (shown.layout.xaxis.title.text, shown.layout.height) == ("across", 300)
    texts = {
        "".join(one.itertext())
        for one in ElementTree.fromstring(on_paper(picture, "svg").data).iter()
        if one.tag[-4:] == "text"
    }
    assert {"across", "up"} <= texts
    # What has a name is in both keys.
    named = bool(MARKS[kind].name)
    assert ("told" in texts) == named
    assert ("told" in {trace.name for trace in shown.data if trace.showlegend is not False}) == named


def test_nothing_is_drawn_of_what_can_only_be_clicked() -> None:
    paper = Figure()
    Drawn(MARKS["Targets"]).draw(paper, str)
    (axes,) = paper.axes
    assert not [*axes.lines, *axes.patches, *axes.collections, *axes.texts]
    (clicked,) = Drawn(MARKS["Targets"]).screen().data
    assert clicked.marker.opacity == 0
    assert (list(clicked.customdata[0]), clicked.hovertemplate) == (["A"], "A &lt;b&gt;<extra></extra>")


def test_gaps_of_a_line_are_gaps_on_both() -> None:
    (line,) = Drawn(MARKS["Line"]).screen().data
    assert list(line.x) == [0, 1, None, 2]
    paper = Figure()
    Drawn(MARKS["Line"]).draw(paper, str)
    (drawn,) = paper.axes[0].lines
    assert [value != value for value in drawn.get_xdata()] == [False, False, True, False]
    assert (drawn.get_linestyle(), drawn.get_marker(), line.line.dash, line.marker.symbol) == (
        ":",
        "D",
        "dot",
        "diamond",
    )


def test_both_draw_the_same_intervals() -> None:
    mark = MARKS["Points"]
    assert isinstance(mark, Points)
    (dots,) = Drawn(mark).screen().data
    assert (list(dots.error_x.arrayminus), list(dots.error_x.array)) == ([0.5, 0.0], [1.0, 0.5])
    paper = Figure()
    Drawn(mark).draw(paper, str)
    (bars,) = paper.axes[0].collections
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [[0.5, 2.0], [2.0, 2.5]]


def test_intervals_that_lie_beside_their_estimate_have_no_negative_reach() -> None:
    assert reach([1.0, 1.0], [1.5, 0.5], [2.0, 0.75]) == ([0.0, 0.5], [1.0, 0.0])


def test_texts_in_cells_give_way_to_signs_where_there_is_no_room() -> None:
    for size, expected in ((2, {"2.50"}), (24, {"?"}), (60, set())):
        places = list(range(size))
        cells = Cells(x=places, y=places, colours=["#2f58cc"] * size, texts=["2.50"] * size, signs=["?"] * size)
        plane = Plane([cells], Axis(range=(-0.5, size - 0.5)), Axis(range=(-0.5, size - 0.5)))
        assert expected == written(Scene([plane], 3.0), 4.0)


def written(scene: Scene, width: float) -> set[str]:
    """Return the texts in the axes of a scene on paper."""
    from mtsig.figures._matplotlib import draw

    paper = Figure(figsize=(width, scene.height), layout="constrained")
    draw(scene, paper, str)
    return {text.get_text() for text in paper.axes[0].texts}


def test_marks_are_frozen_and_every_field_of_theirs_has_a_name() -> None:
    for mark in MARKS.values():
        assert mark.__dataclass_params__.frozen  # type: ignore[attr-defined]
        assert {"colour", "name", "hover"} <= {field.name for field in fields(mark)}


def test_a_picture_saved_from_outside_is_a_file(tmp_path: object) -> None:
    sheet = save(Drawn(MARKS["Bars"]), f"{tmp_path}/bars.png")
    assert io.BytesIO(sheet.data).read(4) == b"\x89PNG"
