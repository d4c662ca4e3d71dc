"""A rating goes in, the text of a long table comes out: system, segment, score."""

import json
import math
from collections.abc import Iterator
from typing import Any, Literal

from mtsig.cells import csv_text, in_cell
from mtsig.corpus import Corpus, Rating
from mtsig.errors import NotApplicable
from mtsig.version import VERSION


def ratings_table(corpus: Corpus, name: str, rating: Rating, style: Literal["tsv", "csv"] = "tsv") -> str:
    """Return the rating as a table with the columns system, segment (from 1) and `name`.

    Raises:
        NotApplicable: a system's name holds a tab or a line end, which a .tsv file cannot.
    """
    if style == "csv":
        return csv_text(("system", "segment", name), _rows(corpus, rating))
    for text in (name, *corpus.systems):
        if any(sign in text for sign in "\t\n\r"):
            raise NotApplicable(f"The name {text!r} holds a tab or a line end; write a .csv table instead.")
    lines = [("system", "segment", in_cell(name))]
    for system, at, score in _rows(corpus, rating):
        lines.append((in_cell(system), str(at), "" if score is None else repr(score)))
    return "".join("\t".join(line) + "\n" for line in lines)


def ratings_json(corpus: Corpus, name: str, rating: Rating) -> str:
    """Return the rating as JSON: its name, judge and direction, and one row per system and segment."""
    rows: list[dict[str, Any]] = [
        {"system": system, "segment": at, "score": score} for system, at, score in _rows(corpus, rating)
    ]
    ratings = {
        "mtsig": VERSION,
        "rating": name,
        "judge": rating.judge,
        "higher_is_better": rating.higher_is_better,
        "data": {"digest": corpus.digest, "segments": len(corpus), "systems": list(corpus.systems)},
        "ratings": rows,
    }
    return json.dumps(ratings, indent=1, ensure_ascii=False) + "\n"


def _rows(corpus: Corpus, rating: Rating) -> Iterator[tuple[str, int, float | None]]:
    """Yield system, segment and score; a segment without a score keeps its row."""
    for system, scores in zip(corpus.systems, rating.values.tolist(), strict=True):
        for at, score in enumerate(scores, 1):
            yield system, at, None if math.isnan(score) else score
