"""What the page of preferences shows, made by a worker: the server holds no judgement, nor any name of an item."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mtsig.campaign import Judged, preferences
from mtsig.campaign._judged import plan_like
from mtsig.campaign._verdict_files import preferences_of
from mtsig.corpus import Note
from mtsig.corpus._notes import number_of
from mtsig.figures._dots import Dots
from mtsig.figures._people import GapBounds, Places
from mtsig.inference import Family, Intervals, Ranks
from mtsig.readers import File
from mtsig.report import Table, csv_table
from mtsig.report import _campaign as tables

_MOST_ROWS = 500
"""Rows of one table on the page; files have all."""


@dataclass(frozen=True)
class Shown:
    """What is shown; drawn: pictures of the judging by their keys, each with its numbers."""

    scored: Intervals
    compared: Family
    places: Ranks | None
    notes: tuple[Note, ...]
    raters: int
    direct: Table | None
    drawn: dict[str, tuple[Dots, Table]]
    agreement: Table | None
    of_raters: Table


def counted(files: Sequence[File]) -> tuple[tuple[str, ...], str]:
    """Return the criteria of judgements, and how many there are."""
    whole = preferences_of(files)
    documents = f" in {number_of(len(whole.documents), 'document', ',')}" if whole.documents_known else ""
    raters = number_of(len(whole.raters), "rater", ",")
    return whole.criteria, f"{number_of(len(whole), 'judgement', ',')}{documents} by {raters}."


def _judged(files: Sequence[File], **options: Any) -> Judged:
    return preferences(preferences_of(files), **options)


def shown(files: Sequence[File], **options: Any) -> Shown:
    """Return what is shown; options: of `preferences`."""
    judged = _judged(files, **options)
    result = judged.study.results[0]
    drawn: dict[str, tuple[Dots, Table]] = {}
    if judged.places:
        drawn["places"] = (
            Places.of(judged.places, judged.settings.level),
            _cut(tables.places_of_first_table(judged.places)),
        )
    if judged.gaps:
        drawn["gaps"] = GapBounds.of(judged.gaps), _cut(tables.gaps_table(judged.gaps))
    direct = tables.direct_table(judged)
    return Shown(
        result.scored, result.compared, result.places, judged.notes, len(judged.raters),
        None if direct is None else _cut(direct), drawn,
        _cut(tables.judged_alike_table(judged.agreement)) if judged.agreement else None,
        _cut(tables.rater_counts_table(judged.raters)),
    )  # fmt: skip


def planned(files: Sequence[File], win_rate: float, **options: Any) -> str:
    """Return how many judgements like these a win rate takes, in a sentence."""
    return plan_like(_judged(files, **options), win_rate).sentence


def of_pair(files: Sequence[File], first: str, second: str, **options: Any) -> Table:
    """Return the judgements of a pair by order and by document."""
    return _cut(tables.pair_table(_judged(files, **options), first, second))


def _cut(table: Table) -> Table:
    return table.first(_MOST_ROWS, "the downloaded file has all rows")


def direct_csv(files: Sequence[File], **options: Any) -> str:
    """Return all direct comparisons as a table."""
    table = tables.direct_table(_judged(files, **options))
    return "" if table is None else csv_table(table)


def as_json(files: Sequence[File], **options: Any) -> str:
    """Return everything."""
    return json.dumps(_judged(files, **options).plain(), ensure_ascii=False, indent=1)
