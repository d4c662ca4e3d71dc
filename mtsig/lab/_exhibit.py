"""Exhibits: what a paper is made again on, its tables and figures beside the printed numbers, and their pages."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from mtsig._records import Result
from mtsig._writing import in_markdown, write_file
from mtsig.citations import VERSION
from mtsig.errors import NotApplicable
from mtsig.lab._material import Material, Population
from mtsig.metrics import Statistics
from mtsig.report import Table
from mtsig.report._table import markdown_table, records_table
from mtsig.study._record import SCHEMA

Kind = Literal["exact", "theory", "shape"]
"""exact: the printed number comes out. theory: it follows from a formula. shape: the paper's data are gone, and the
same table or figure comes out of other data."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a paper is made again on.

    text: systems and references with the statistics of several metrics: the user's data, or the sample.
    population: BLEU of systems whose scores are known: the user's data taken as the whole truth, or simulated segments.
    real: whether the data are the user's. given: what it is, in words.
    """

    text: Material
    population: Population
    real: bool
    given: str

    def test_set(self, size: int, effect: float = 1.0) -> Statistics:
        """Return a test set: the user's data as they are, or `size` segments drawn from the simulated population.

        effect 0 makes all simulated systems equally good: a true null (see Population).
        """
        if self.real:
            return self.population.statistics.at("segment")
        return replace(replace(self.population, effect=effect).draw(size, 0), document_of=None)


@dataclass(frozen=True, eq=False)
class Exhibit:
    """One table or figure of a paper, made again.

    rows: records; where the paper prints a number they have the columns printed and ours. says: what comes out. holds:
    whether what the paper says holds, None where it claims nothing that these data could check. result: what the
    figures are drawn from. more: results of the same kind, by other metrics.
    """

    label: str
    title: str
    kind: Kind
    rows: tuple[dict[str, Any], ...]
    says: str
    holds: bool | None = None
    result: Result | None = None
    more: tuple[Result, ...] = ()

    @property
    def results(self) -> tuple[Result, ...]:
        """Everything that is drawn."""
        return self.more if self.result is None else (self.result, *self.more)


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A paper made again."""

    paper: str
    citation: str
    given: str
    exhibits: tuple[Exhibit, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return every number that the paper prints beside ours, one record each."""
        return [
            {"paper": self.paper, "exhibit": exhibit.label, "kind": exhibit.kind, **_beside(row)}
            for exhibit in self.exhibits
            for row in exhibit.rows
            if "printed" in row
        ]


def _beside(row: dict[str, Any]) -> dict[str, Any]:
    what = ", ".join(f"{value}" for key, value in row.items() if key not in ("printed", "ours", "note"))
    return {"what": what, "printed": row["printed"], "ours": row["ours"], "note": row.get("note", "")}


Maker = Callable[[Evidence, Executor | None], Sequence[Exhibit]]
"""Makes the exhibits of a paper."""


def shown(make: Callable[[], Sequence[Exhibit]], label: str, title: str) -> tuple[Exhibit, ...]:
    """Return the exhibits of an experiment; where the data do not carry it, one that says why not.

    A paper has many experiments: that one of them needs more systems, segments or references than there are is no
    reason not to make the others.
    """
    try:
        return tuple(make())
    except NotApplicable as error:
        return (Exhibit(label, title, "shape", (), f"Not on these data: {error}"),)


def compared(what: dict[str, Any], printed: float, ours: float, digits: int, note: str = "") -> dict[str, Any]:
    """Return a record of a printed number beside ours, rounded to as many digits."""
    return {**what, "printed": f"{printed:.{digits}f}", "ours": f"{ours:.{digits}f}", "note": note}


def all_agree(rows: Sequence[dict[str, Any]]) -> bool:
    """Return whether every record's two numbers are equal, or differ for a reason that stands in its note."""
    return all(row["printed"] == row["ours"] or row["note"] for row in rows if "printed" in row)


_KINDS = {"exact": "printed numbers come out", "theory": "follows from a formula", "shape": "made again on other data"}
_HOLDS = {True: "holds", False: "does not hold", None: "no verdict"}

MOST_ROWS = 20
"""Rows of an exhibit that are printed; all are in the files."""


def heading(exhibit: Exhibit) -> str:
    """Return what an exhibit is, and whether the paper's claim holds."""
    return f"{exhibit.label}: {exhibit.title} ({_KINDS[exhibit.kind]}; {_HOLDS[exhibit.holds]})"


def exhibit_tables(reproduction: Reproduction) -> list[Table]:
    """Return every exhibit as a table under its words.

    >>> from mtsig.lab._exhibit import Exhibit
    >>> from mtsig.lab._exhibit import Reproduction, exhibit_tables
    >>> shown = Exhibit("Table 1", "A law", "exact", ({"size": 100, "printed": 2.0, "ours": 2.0},), "The same.", True)
    >>> again = Reproduction("koehn2004", "Koehn (2004)", "simulated segments", (shown,))
    >>> [table.header for table in exhibit_tables(again)]
    [('size', 'printed', 'ours')]
    """
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
    """Return the reproduction as plain values.

    >>> from mtsig.lab._exhibit import Exhibit
    >>> from mtsig.lab._exhibit import Reproduction, reproduction_bundle
    >>> shown = Exhibit("Table 1", "A law", "exact", ({"size": 100, "printed": 2.0, "ours": 2.0},), "The same.", True)
    >>> again = Reproduction("koehn2004", "Koehn (2004)", "simulated segments", (shown,))
    >>> reproduction_bundle(again)["paper"]
    'koehn2004'
    """
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
    """Write the Markdown page, and every figure as a web page and as PDF; return what was written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from mtsig.lab._exhibit import Exhibit
    >>> from mtsig.lab._exhibit import Reproduction, write_pages
    >>> shown = Exhibit("Table 1", "A law", "exact", ({"size": 100, "printed": 2.0, "ours": 2.0},), "The same.", True)
    >>> again = Reproduction("koehn2004", "Koehn (2004)", "simulated segments", (shown,))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_pages(again, Path(folder))]
    ['koehn2004.md']
    """
    # Here and not above: only who writes pages waits for the drawing libraries to load.
    from mtsig.figures._paper import write_picture
    from mtsig.lab import of_experiment

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
