"""The sample data already answered: what the first page shows beside the drop zone, computed beforehand.

`python -m mtsig_dashboard.sample_answer` makes the small file anew; a test computes it again.
"""

import json
from pathlib import Path
from typing import Any

from mtsig import Settings, measure, read_sample, verdict
from mtsig.corpus import number_of
from mtsig.figures import legible_on, verdict_colour
from mtsig.inference import points_text
from mtsig.metrics import METRICS
from mtsig.report import in_html, verdict_text

FILE = Path(__file__).with_suffix(".json")

_STEPS = 4
"""Steps of colour between no difference and the largest one."""

_BLUES = "".join(
    f".answer .by{step} {{ background: {blue}; color: {legible_on(blue)}; }}\n"
    for step, blue in ((step, verdict_colour("better", step / _STEPS)) for step in range(1, _STEPS + 1))
)
"""The matrix's own colours."""


def computed() -> dict[str, Any]:
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


def html() -> str:
    """Return the answer as a picture with its sentence: a table that reads as one, coloured by verdict."""
    answer = json.loads(FILE.read_text(encoding="utf-8"))
    names = [in_html(name) for name in answer["systems"]]
    largest = max(size for *_, size in answer["cells"])
    cells = {(row, column): _cell(text, size / largest) for row, column, text, size in answer["cells"]}
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


def _cell(text: str, share: float) -> str:
    kind = "not" if text == "≈" else f"by{max(1, round(_STEPS * share))}"
    return f"<td class={kind}>{in_html(text)}</td>"


if __name__ == "__main__":
    FILE.write_text(json.dumps(computed(), ensure_ascii=False) + "\n", encoding="utf-8")
