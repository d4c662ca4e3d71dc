"""What the browser draws by itself: stages of lessons, rounds of games, the first tour, and the answered sample."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from mtsig import Settings, measure, read_sample, verdict
from mtsig._probability import points_text
from mtsig.corpus._notes import number_of
from mtsig.figures import verdict_colour
from mtsig.figures._look import legible_on
from mtsig.metrics import METRICS
from mtsig.report import verdict_text
from mtsig.report._table import in_html
from mtsig_dashboard import session
from mtsig_dashboard.session import Progress

_HERE = Path(__file__).resolve().parents[1]

_draw = st.components.v2.component(
    "mtsig_lessons",
    css=(_HERE / "lessons.css").read_text(encoding="utf-8"),
    js=(_HERE / "lessons.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Box:
    """A part of a page in outline, on a sheet of 160 by 100; `meant` is what a step of the tour speaks of."""

    left: int
    top: int
    width: int
    height: int
    meant: bool = False


@dataclass(frozen=True)
class TourStep:
    """A step of the tour: words beside a page in outline, and what the outline shows in words."""

    title: str
    text: str
    picture: str
    boxes: tuple[Box, ...]


_BAR = Box(0, 0, 160, 8)

TOUR = (
    TourStep(
        "Your files",
        "On the page Data, drop your systems' outputs and a reference. Nothing leaves this computer. Without files at "
        "hand, open the sample.",
        "The page Data with its drop zone on the left marked",
        (_BAR, Box(6, 16, 60, 8), Box(6, 30, 92, 60, True), Box(106, 30, 48, 60)),
    ),
    TourStep(
        "The verdict",
        "Results answers in a sentence at its top which systems are really better, and shows all pairs below it. "
        "Compare two does the same for one pair.",
        "The page Results with the sentence at its top marked",
        (_BAR, Box(6, 16, 40, 8), Box(6, 28, 148, 14, True), Box(6, 48, 90, 42), Box(102, 48, 52, 42)),
    ),
    TourStep(
        "Why",
        "Below every verdict stand the evidence and How to read this; Segments shows the sentences that make the "
        "difference, and Learn teaches how the numbers come about.",
        "The page Compare two with the evidence below its verdict marked",
        (_BAR, Box(6, 16, 40, 8), Box(6, 28, 148, 14), Box(6, 48, 148, 42, True)),
    ),
)


def nothing() -> None:
    """Do nothing: a change that is read from the result."""


def tour(done: Callable[[], None]) -> None:
    """Draw the first tour; `done` is called when the visitor has seen it, or does not want to."""
    steps = [
        {
            "title": step.title,
            "text": step.text,
            "picture": step.picture,
            "boxes": [[box.left, box.top, box.width, box.height, box.meant] for box in step.boxes],
        }
        for step in TOUR
    ]
    _draw(data={"id": "tour", "tour": steps}, key="tour", on_done_change=done)


def lesson(
    name: str, title: str, plain: Mapping[str, Any], start: Progress, projector: bool, follow: Callable[[], None]
) -> Progress:
    """Draw a lesson's stage and return how far it is; name: which stage it is. `follow` is called for the next lesson.

    The drawing tells of itself only when something is complete: a guess locked in, a button's draws drawn.
    """
    key, told_to_begin = f"stage-{name}", session.current().view.begun
    if session.choice(key) is None:
        # Only a drawing that is new on the page is told where to begin: the same data are not sent again.
        told_to_begin[name] = start
    begun = told_to_begin.get(name, start)
    told = _draw(
        data={
            "id": name,
            "title": title,
            "stage": plain,
            "start": {"guess": begun.guess, "shown": begun.shown, "view": begun.view},
            "projector": projector,
        },
        key=key,
        on_guess_change=nothing,
        on_shown_change=nothing,
        on_view_change=nothing,
        on_go_change=follow,
    )
    return Progress(
        begun.guess if told.guess is None else told.guess,
        begun.shown if told.shown is None else int(told.shown),
        begun.view if told.view is None else str(told.view),
    )


def game(
    name: str,
    title: str,
    plain: Mapping[str, Any],
    judged: Sequence[Mapping[str, Any]],
    score: str,
    projector: bool,
    judge: Callable[[int, float], None],
    follow: Callable[[], None],
) -> None:
    """Draw a game's rounds; `judge` is called with the number of a round and the guess that was made in it."""
    key = f"game-{name}"

    def picked() -> None:
        told = session.choice(key).pick
        if told is not None:
            judge(int(told["round"]), float(told["guess"]))

    _draw(
        data={
            "id": name,
            "title": title,
            "stage": plain,
            "judged": list(judged),
            "score": score,
            "projector": projector,
        },
        key=key,
        on_pick_change=picked,
        on_go_change=follow,
    )


ANSWER = _HERE / "sample_answer.json"

_STEPS = 4
"""Steps of colour between no difference and the largest one."""

_BLUES = "".join(
    f".answer .by{step} {{ background: {blue}; color: {legible_on(blue)}; }}\n"
    for step, blue in ((step, verdict_colour("better", step / _STEPS)) for step in range(1, _STEPS + 1))
)
"""The matrix's own colours."""


def computed_answer() -> dict[str, Any]:
    """Return what the sample data say in BLEU with the standard settings: the verdict on the two best, every pair."""
    corpus, settings = read_sample(), Settings()
    family = settings.family(measure(corpus, METRICS["bleu"]))
    place = {name: number for number, name in enumerate(family.order)}
    cells = []
    for comparison in family:
        sign = 1 if place[comparison.first] < place[comparison.second] else -1
        ends = sorted((place[comparison.first], place[comparison.second]))
        shown = points_text(sign * comparison.difference, 1)
        cells.append(
            [*ends, shown if verdict(comparison).word == "better" else "≈", round(abs(comparison.difference), 2)]
        )
    about = f"{number_of(len(corpus), 'segment')}, {number_of(corpus.n_documents or 0, 'document')}"
    return {
        "about": f"{number_of(len(family.order), 'system')} from Spanish into English, {about}",
        "verdict": verdict_text(next(row for row in family if {row.first, row.second} == set(family.order[:2]))),
        "metric": family.metric,
        "systems": list(family.order),
        "cells": sorted(cells),
    }


def sample_answer() -> str:
    """Return the answer as a picture with its sentence: a table that reads as one, coloured by verdict."""
    answer = json.loads(ANSWER.read_text(encoding="utf-8"))
    names = [in_html(name) for name in answer["systems"]]
    largest = max(size for *_, size in answer["cells"])
    cells = {(row, column): _answer_cell(text, size / largest) for row, column, text, size in answer["cells"]}
    head = "".join(f"<th scope=col>{name}</th>" for name in names[1:])
    rows = ""
    for row, name in enumerate(names[:-1]):
        cells_of = (cells.get((row, column), "<td></td>") for column in range(1, len(names)))
        rows += f"<tr><th scope=row>{name}</th>{''.join(cells_of)}</tr>"
    return (
        f"<style>\n{_BLUES}</style><div class=answer><h2>The sample, answered</h2><p>{in_html(answer['about'])}</p>"
        f"<p><strong>{in_html(answer['verdict'])}</strong></p>"
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>"
        f"<p>Blue: the system of the row is better, by so many points of {in_html(answer['metric'])}. "
        "Hatched, ≈: not significant, which does not mean equal.</p></div>"
    )


def _answer_cell(text: str, share: float) -> str:
    kind = "not" if text == "≈" else f"by{max(1, round(_STEPS * share))}"
    return f"<td class={kind}>{in_html(text)}</td>"


if __name__ == "__main__":
    ANSWER.write_text(json.dumps(computed_answer(), ensure_ascii=False) + "\n", encoding="utf-8")
