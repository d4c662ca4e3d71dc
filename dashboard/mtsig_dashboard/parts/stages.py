"""What the browser draws by itself: lessons, the first tour, and the answered sample."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from mtsig import Settings, measure, ranks, read_sample
from mtsig._probability import level_text, points_text, shown_decimals
from mtsig._writing import in_html
from mtsig.corpus._notes import number_of
from mtsig.figures import verdict_colour
from mtsig.figures._league import League
from mtsig.figures._look import legible_on
from mtsig.figures._panels import ticks_of
from mtsig.metrics import METRICS
from mtsig.report._families import lede_text, title_text
from mtsig_dashboard import session

_HERE = Path(__file__).resolve().parents[1]

_draw_tour = st.components.v2.component(
    "mtsig_tour",
    css=(_HERE / "tour.css").read_text(encoding="utf-8"),
    js=(_HERE / "tour.js").read_text(encoding="utf-8"),
)


class Box(NamedTuple):
    """A part of a page in outline, on a sheet of 160 by 100; `meant` is what a step of the tour speaks of."""

    left: int
    top: int
    width: int
    height: int
    meant: bool = False


class TourStep(NamedTuple):
    """A step of the tour: words beside a page in outline, and what the outline shows in words."""

    title: str
    text: str
    picture: str
    boxes: tuple[Box, ...]


_BAR = Box(0, 0, 160, 8)

TOUR = (
    TourStep(
        "Your files",
        "Drop the files with your systems' outputs and the reference on the page Data. Nothing leaves this computer. "
        "If you have no files yet, open the sample data.",
        "The page Data with its drop zone on the left marked",
        (_BAR, Box(6, 16, 60, 8), Box(6, 30, 92, 60, True), Box(106, 30, 48, 60)),
    ),
    TourStep(
        "The verdict",
        "The title of the Results page names the systems that are significantly better; all pairs are below it. "
        "The page Compare two shows the same for one pair.",
        "The page Results with the sentence at its top marked",
        (_BAR, Box(6, 16, 40, 8), Box(6, 28, 148, 14, True), Box(6, 48, 90, 42), Box(102, 48, 52, 42)),
    ),
    TourStep(
        "Why",
        "Below every verdict are its evidence and a help text, “How to read this”. Segments shows the sentences that "
        "contribute most to the difference. Learn explains how the numbers are computed.",
        "The page Compare two with the evidence below its verdict marked",
        (_BAR, Box(6, 16, 40, 8), Box(6, 28, 148, 14), Box(6, 48, 148, 42, True)),
    ),
)


def tour(done: Callable[[], None]) -> None:
    """Draw the first tour; `done` is called when the visitor has seen it, or does not want to."""
    steps = [step._asdict() | {"boxes": [list(box) for box in step.boxes]} for step in TOUR]
    _draw_tour(data={"tour": steps}, key="tour", on_done_change=done)


@cache
def _draw_lessons() -> Any:
    from mtsig.lessons._sheets import part  # here, since the other pages do without this wing

    return st.components.v2.component("mtsig_lessons", css=part("lessons.css"), js=part("lessons.js"))


def _nothing() -> None:
    """Do nothing: a change that is read from the result."""


def wants_solution(name: str) -> bool:
    """Return whether the visitor has asked for the solution of the lesson that is drawn under this name."""
    told = session.choice(f"lesson-{name}")
    return bool(told and told.get("solve"))


def lessons(
    name: str, data: dict[str, Any], follow: Callable[[str], None], say: Callable[[str, str], None], shown: str = ""
) -> str | None:
    """Draw a lesson or the course, and return how many steps of it are shown; None while nobody has drawn.

    follow: called with where the visitor wants to go; say: lets the address say something. shown: how many steps a
    link asks for: only a drawing that is new on the page is told so, for the same data are not sent again.
    """
    key, begun = f"lesson-{name}", session.current().view.begun
    if session.choice(key) is None:
        begun[name] = int(shown) if shown.isascii() and shown.isdigit() and len(shown) < 7 else 0

    def gone() -> None:
        if (where := session.choice(key).get("go")) is not None:
            follow(str(where))

    def projected() -> None:
        say("projector", "true" if session.choice(key).get("projector") else "")

    told = _draw_lessons()(
        data=data | {"start": {"shown": begun.get(name, 0), "view": ""}}, key=key, on_guess_change=_nothing,
        on_shown_change=_nothing, on_view_change=_nothing, on_solve_change=_nothing,
        on_projector_change=projected, on_go_change=gone,
    )  # fmt: skip
    return None if told.shown is None else str(int(told.shown))


ANSWER = _HERE / "sample_answer.json"

_STEPS = 4
"""Steps of colour between no difference and the largest one."""

_BLUES = "".join(
    f".answer .by{step} {{ background: {blue}; color: {legible_on(blue)}; }}\n"
    for step, blue in ((step, verdict_colour("better", step / _STEPS)) for step in range(1, _STEPS + 1))
)
"""The matrix's own colours."""


def computed_answer() -> dict[str, Any]:
    """Return what the sample data say in BLEU with the standard settings: the finding, and the figure of Results."""
    corpus, settings = read_sample(), Settings()
    statistics = measure(corpus, METRICS["bleu"])
    family = settings.family(statistics)
    of_family = ranks(family)
    league = League.of(settings.intervals(statistics), family, of_family)
    (column,), cells = league.columns, () if league.matrix is None else league.matrix.cells
    span = column.span([number for number, row in enumerate(league.rows) if row.ranked])
    sizes = [abs(cell.difference) for cell in cells]
    return {
        "about": f"{number_of(len(league.rows), 'system')}, Spanish–English, {number_of(len(corpus), 'segment')}",
        "title": title_text([family], of_family),
        "lede": lede_text(family),
        "metric": column.metric,
        "level": level_text(league.level),
        "span": [round(end, 3) for end in span],
        "ticks": ticks_of(*span, 3),
        "systems": [
            {
                "name": name,
                "text": f"{column.text(number)} ({column.interval(number)})",
                "at": [round(float(of[number]), 3) for of in (column.low, column.estimate, column.high)],
            }
            for number, name in enumerate(league.names)
        ],
        "best": league.best,
        "rails": [list(rail[:2]) for rail in league.rails],
        "cells": [
            [
                cell.row,
                cell.column,
                points_text(cell.difference, shown_decimals(cell.difference, 2)) if cell.verdict == "better" else "≈",
                round(size / max(sizes), 2),
            ]
            for cell, size in zip(cells, sizes, strict=True)
        ],
    }


def sample_answer() -> str:
    """Return the answer as the figure of Results without its numbers: a table that reads as one."""
    answer = json.loads(ANSWER.read_text(encoding="utf-8"))
    systems, metric = answer["systems"], in_html(answer["metric"])
    numbers = range(1, len(systems) + 1)
    low, high = answer["span"]
    ticks = [(100 * (tick - low) / (high - low), f"{tick:g}") for tick in answer["ticks"]]
    labels = "".join(f'<span style="left: {left:.1f}%">{text}</span>' for left, text in ticks)
    lines = "".join(f'<i style="left: {left:.1f}%"></i>' for left, _ in ticks)
    cells = {(row, column): _answer_cell(text, share) for row, column, text, share in answer["cells"]}
    rails = {row: "rail on" for first, last in answer["rails"] for row in range(first, last)}
    rails |= {last: "rail" for _, last in answer["rails"]}
    rows = ""
    for row, system in enumerate(systems):
        ends = [100 * (value - low) / (high - low) for value in system["at"]]
        name = in_html(system["name"])
        drawn = (
            f'<b class=reach style="left: {ends[0]:.1f}%; right: {100 - ends[2]:.1f}%"></b>'
            f'<b class=dot style="left: {ends[1]:.1f}%"></b>'
        )
        rail = rails.get(row, "free")
        rows += (
            f'<tr><td class="{rail}"></td><td class=number>{row + 1}</td>'
            f"<th scope=row>{f'<strong>{name}</strong>' if answer['best'] and not row else name}</th>"
            f"<td class=track>{lines}{drawn}<span class=aloud>{in_html(system['text'])}</span></td>"
            + "".join(
                f"<td class=number>{row + 1}</td>" if row == column else cells.get((row, column), "<td></td>")
                for column in range(len(systems))
            )
            + "</tr>"
        )
    axis = f"<td></td><td></td><td></td><td class=axis>{labels}</td>"
    return (
        f"<style>\n{_BLUES}</style><div class=answer><p>Results for the sample data: {in_html(answer['about'])}</p>"
        f"<h2>{in_html(answer['title'])}</h2>"
        f"<table><thead><tr><td></td><td></td><td></td><th scope=col>{metric}, with {answer['level']} CI</th>"
        f"<th colspan={len(systems)} scope=colgroup>Row minus column</th></tr>"
        f"<tr><td></td><td></td><th scope=col>System</th><td class=axis>{labels}</td>"
        f"{''.join(f'<th scope=col>{number}</th>' for number in numbers)}</tr></thead>"
        f"<tbody>{rows}</tbody><tfoot><tr>{axis}</tr></tfoot></table>"
        f"<p>{in_html(answer['lede'])} The intervals of two systems may overlap although their difference is "
        "significant, because both translate the same text.</p></div>"
    )


def _answer_cell(text: str, share: float) -> str:
    kind = "not" if text == "≈" else f"by{max(1, round(_STEPS * share))}"
    return f"<td class={kind}>{in_html(text)}</td>"


if __name__ == "__main__":
    ANSWER.write_text(json.dumps(computed_answer(), ensure_ascii=False) + "\n", encoding="utf-8")
