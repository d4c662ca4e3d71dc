"""A paper made again, for reading: tables for the terminal, Markdown for a page, its figures as files."""

import re
from pathlib import Path
from typing import Any

from mtsig.escaping import in_markdown
from mtsig.lab.papers.exhibit import Exhibit, Reproduction
from mtsig.report import Table, markdown_table, records_table
from mtsig.study import SCHEMA
from mtsig.version import VERSION
from mtsig.writing import write_file

_KINDS = {"exact": "printed numbers come out", "theory": "follows from a formula", "shape": "made again on other data"}
_HOLDS = {True: "holds", False: "does not hold", None: "no verdict"}

MOST_ROWS = 20
"""Rows of an exhibit that are printed; all are in the files."""


def heading(exhibit: Exhibit) -> str:
    """Return what an exhibit is, and whether the paper's claim holds."""
    return f"{exhibit.label}: {exhibit.title} ({_KINDS[exhibit.kind]}; {_HOLDS[exhibit.holds]})"


def exhibit_tables(reproduction: Reproduction) -> list[Table]:
    """Return every exhibit as a table under its words."""
    return [
        records_table(_same_columns(exhibit)[:MOST_ROWS], f"{heading(exhibit)}. {exhibit.says}")
        for exhibit in reproduction.exhibits
    ]


def _same_columns(exhibit: Exhibit) -> list[dict[str, Any]]:
    """Return the records with the same columns each, those of numbers beside printed ones first."""
    columns = dict.fromkeys(key for row in exhibit.rows for key in row)
    return [{key: row.get(key) for key in columns} for row in exhibit.rows]


def markdown(reproduction: Reproduction) -> str:
    """Return the reproduction as a Markdown section; only numbers and words of this program, no line of the data."""
    parts = [f"## {reproduction.citation}", "", f"Made again on {in_markdown(reproduction.given)}.", ""]
    for exhibit in reproduction.exhibits:
        parts += [
            f"### {exhibit.label}: {exhibit.title}",
            "",
            f"*{_KINDS[exhibit.kind]}; {_HOLDS[exhibit.holds]}.* {exhibit.says}",
            "",
        ]
        rows = _same_columns(exhibit)
        if rows:
            parts.append(markdown_table(records_table(rows[:MOST_ROWS])))
            parts += ["", f"({len(rows)} rows in all.)"] if len(rows) > MOST_ROWS else []
            parts += [""]
    return "\n".join(parts)


def reproduction_bundle(reproduction: Reproduction) -> dict[str, Any]:
    """Return the reproduction as plain values."""
    return {
        "schema": SCHEMA,
        "mtsig": VERSION,
        "paper": reproduction.paper,
        "citation": reproduction.citation,
        "given": reproduction.given,
        "exhibits": [
            {
                "label": exhibit.label,
                "title": exhibit.title,
                "kind": exhibit.kind,
                "holds": exhibit.holds,
                "says": exhibit.says,
                "rows": list(exhibit.rows),
            }
            for exhibit in reproduction.exhibits
        ],
        "printed": reproduction.rows(),
    }


def write_pages(reproduction: Reproduction, folder: Path) -> list[Path]:
    """Write the Markdown page, and every figure as a web page and as PDF; return what was written."""
    # Here and not above: only who writes pages waits for the drawing libraries to load.
    from mtsig.figures.files import write_picture
    from mtsig.lab.figures import of_experiment

    page = folder / f"{reproduction.paper}.md"
    write_file(page, markdown(reproduction).encode())
    written = [page]
    drawn = set()
    for exhibit in reproduction.exhibits:
        for result in exhibit.results:
            if id(result) in drawn:
                continue
            drawn.add(id(result))
            # Results by several metrics have the same titles.
            by = f" {getattr(result, 'metric', '')}" if exhibit.more else ""
            for title, picture in of_experiment(result).items():
                name = re.sub(r"[^a-z0-9]+", "-", f"{exhibit.label} {title}{by}".lower()).strip("-")
                written += write_picture(picture, folder / f"{reproduction.paper}-{name}")[0]
    return written
