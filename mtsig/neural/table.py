"""A rating goes in, the text of a long table comes out: system, segment, score."""

import csv
import io
import json
import math
from collections.abc import Iterator
from typing import Any, Literal

from mtsig.corpus import Corpus, Rating
from mtsig.errors import NotApplicable
from mtsig.version import VERSION

MISSING = ""
"""A segment without a score keeps its row, with nothing in the last column."""


def ratings_table(corpus: Corpus, name: str, rating: Rating, style: Literal["tsv", "csv"] = "tsv") -> str:
    """Return the rating as a table with the columns system, segment (from 1) and `name`.

    Raises:
        NotApplicable: a system's name holds a tab or a line end, which a .tsv file cannot.
    """
    rows = [("system", "segment", name), *((system, str(at), score) for system, at, score in _rows(corpus, rating))]
    if style == "csv":
        page = io.StringIO()
        csv.writer(page, lineterminator="\n").writerows(rows)
        return page.getvalue()
    for text in (name, *corpus.systems):
        if any(sign in text for sign in "\t\n\r"):
            raise NotApplicable(f"The name {text!r} holds a tab or a line end; write a .csv table instead.")
    return "".join("\t".join(row) + "\n" for row in rows)


def ratings_json(corpus: Corpus, name: str, rating: Rating) -> str:
    """Return the rating as JSON: its name, judge and direction, and one row per system and segment."""
    rows: list[dict[str, Any]] = [
        {"system": system, "segment": at, "score": None if score == MISSING else float(score)}
        for system, at, score in _rows(corpus, rating)
    ]
    found = {
        "mtsig": VERSION,
        "rating": name,
        "judge": rating.judge,
        "higher_is_better": rating.higher_is_better,
        "data": {"digest": corpus.digest, "segments": len(corpus), "systems": list(corpus.systems)},
        "ratings": rows,
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _rows(corpus: Corpus, rating: Rating) -> Iterator[tuple[str, int, str]]:
    for system, scores in zip(corpus.systems, rating.values.tolist(), strict=True):
        for at, score in enumerate(scores, 1):
            # repr is the shortest text that reads back as the same number.
            yield system, at, MISSING if math.isnan(score) else repr(score)
