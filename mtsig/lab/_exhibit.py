"""Exhibits: what a paper is made again on, its tables and figures beside the printed numbers, and their pages."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mtsig._results import Result
from mtsig._writing import in_markdown, write_file
from mtsig.citations import VERSION
from mtsig.errors import NotApplicable
from mtsig.lab._material import LabResult, Material, Population
from mtsig.lab._words import by_metric
from mtsig.metrics import Statistics, measure
from mtsig.progress import each
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

    @cached_property
    def rated(self) -> Material:
        """The texts with the ratings that came with them, as further metrics."""
        ratings = (measure(self.text.text, f"rating:{name}") for name in each(self.text.text.ratings))
        return Material((*self.text.statistics, *ratings), self.text.corpus)

    def test_set(self, size: int, effect: float = 1.0) -> Statistics:
        """Return a test set: the user's data as they are, or `size` segments drawn from the simulated population.

        effect 0 makes all simulated systems equally good: a true null (see Population).
        """
        if self.real:
            return self.population.statistics.at("segment")
        return replace(replace(self.population, effect=effect).draw(size, 0), document_of=None)


Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Exhibit:
    """One table or figure of a paper, made again.

    rows: records; where the paper prints a number they have the columns printed and ours. says: what comes out. holds:
    whether what the paper says holds, None where these data cannot decide it. result: what the figures are drawn from.
    more: results of the same kind, by other metrics.
    """

    label: str
    title: str
    kind: Kind
    rows: tuple[Row, ...]
    says: str
    holds: bool | None = None
    result: Result | None = None
    more: tuple[Result, ...] = ()

    @property
    def results(self) -> tuple[Result, ...]:
        """Everything that is drawn."""
        return self.more if self.result is None else (self.result, *self.more)


class Found(NamedTuple):
    """What an exhibit shows: its fields but for what it is called.

    kind: where these data make it of another one. needs: which data would decide what these do not.
    """

    rows: Sequence[Row]
    says: str
    holds: bool | None = None
    result: Result | None = None
    more: tuple[Result, ...] = ()
    kind: Kind | None = None
    needs: str = ""


@dataclass(frozen=True)
class Maker:
    """Makes an exhibit of what an experiment found, or of nothing but arithmetic."""

    label: str
    title: str
    kind: Kind
    show: Callable[..., Found]

    def __call__(self, *found: Any) -> Exhibit:
        shown = self.show(*found)
        says = shown.says if shown.holds is not None else f"{shown.says} A verdict on the paper needs {shown.needs}."
        kind = shown.kind or self.kind
        return Exhibit(self.label, self.title, kind, tuple(shown.rows), says, shown.holds, shown.result, shown.more)


def exhibit(label: str, title: str, kind: Kind = "shape") -> Callable[[Callable[..., Found]], Maker]:
    """Return what makes a function that shows something the maker of an exhibit of this name."""
    return partial(Maker, label, title, kind)


class Step(NamedTuple):
    """The exhibits that are made of one experiment, or, without one, of arithmetic."""

    makers: Sequence[Maker]
    find: Callable[[Evidence, Executor | None], Any] | None = None

    def made(self, evidence: Evidence, executor: Executor | None) -> list[Exhibit]:
        """Return the exhibits; where the data do not carry the experiment, such that say why not.

        That one experiment needs more systems, segments or references than there are is no reason not to make others.
        """
        try:
            found = () if self.find is None else (self.find(evidence, executor),)
            return [make(*found) for make in self.makers]
        except NotApplicable as error:
            return [Exhibit(one.label, one.title, "shape", (), f"Not available here: {error}") for one in self.makers]


@dataclass(frozen=True)
class Paper:
    """A paper that can be made again."""

    name: str
    citation: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A paper made again."""

    paper: str
    citation: str
    given: str
    exhibits: tuple[Exhibit, ...]

    def rows(self) -> list[Row]:
        """Return every number that the paper prints beside ours, one record each."""
        return [
            {"paper": self.paper, "exhibit": exhibit.label, "kind": exhibit.kind, **_beside(row)}
            for exhibit in self.exhibits
            for row in exhibit.rows
            if "printed" in row
        ]


def _beside(row: Row) -> Row:
    what = ", ".join(f"{value}" for key, value in row.items() if key not in ("printed", "ours", "note"))
    return {"what": what, "printed": row["printed"], "ours": row["ours"], "note": row.get("note", "")}


def compared(what: Row, printed: float, ours: float, digits: int, note: str = "") -> Row:
    """Return a record of a printed number beside ours, rounded to as many digits."""
    return {**what, "printed": f"{printed:.{digits}f}", "ours": f"{ours:.{digits}f}", "note": note}


def all_agree(rows: Sequence[Row]) -> bool:
    """Return whether every record's two numbers are equal, or differ for a reason that stands in its note."""
    return all(row["printed"] == row["ours"] or row["note"] for row in rows if "printed" in row)


_KINDS = {
    "exact": "printed numbers reproduced", "theory": "follows from a formula", "shape": "reproduced on other data"
}  # fmt: skip
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


def _same_columns(exhibit: Exhibit) -> list[Row]:
    """Return the records with the same columns each, those of numbers beside printed ones first."""
    columns = dict.fromkeys(key for row in exhibit.rows for key in row)
    return [{key: row.get(key) for key in columns} for row in exhibit.rows]


def markdown(reproduction: Reproduction) -> str:
    """Return the reproduction as a Markdown section; only numbers and words of this program, no line of the data."""
    parts = [f"## {reproduction.citation}", "", f"Reproduced on {in_markdown(reproduction.given)}.", ""]
    for exhibit in reproduction.exhibits:
        verdict = f"*{_KINDS[exhibit.kind]}; {_HOLDS[exhibit.holds]}.* {exhibit.says}"
        parts += [f"### {exhibit.label}: {exhibit.title}", "", verdict, ""]
        rows = _same_columns(exhibit)
        if rows:
            parts.append(markdown_table(records_table(rows[:MOST_ROWS])))
            parts += ["", f"({len(rows)} rows in all.)"] if len(rows) > MOST_ROWS else []
            parts += [""]
    return "\n".join(parts)


def reproduction_bundle(reproduction: Reproduction) -> Row:
    """Return the reproduction as plain values."""
    return {
        "schema": SCHEMA,
        "mtsig": VERSION,
        "paper": reproduction.paper,
        "citation": reproduction.citation,
        "given": reproduction.given,
        "exhibits": [
            {name: getattr(exhibit, name) for name in ("label", "title", "kind", "holds", "says")}
            | {"rows": by_metric(exhibit.rows, _metrics_of(exhibit.result))}
            for exhibit in reproduction.exhibits
        ],
        "printed": reproduction.rows(),
    }


def _metrics_of(result: Result | None) -> Sequence[str]:
    """Return the metrics that columns of an exhibit may be called by."""
    return (
        result.given_names if isinstance(result, LabResult) and result.given_names else getattr(result, "metrics", ())
    )


def write_pages(reproduction: Reproduction, folder: Path) -> list[Path]:
    """Write the Markdown page, and every figure as a web page and as PDF; return what was written."""
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
