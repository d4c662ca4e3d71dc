"""Exhibits: a table or figure of a paper made again, printed numbers beside ours, and whether the claim holds."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Literal

from mtsig.errors import NotApplicable
from mtsig.lab import Material, Population
from mtsig.metrics import Statistics
from mtsig.results import Result

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
