"""The tables of a study over several sets as documents show them: systems × sets with marks, averages, set by set."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mtsig.collection import ScoresOverSets, by_score
from mtsig.corpus import capital_first, number_of
from mtsig.inference import Family, level_text, verdict
from mtsig.report.sets import averages_table, over_weights_text, set_ranks_table, sets_table, sets_text
from mtsig.report.slices import parts_table
from mtsig.report.study_tables import (
    Standing,
    marks_text,
    metric_column,
    names_of,
    score_cells,
    standing,
    status_text,
    system_cell,
)
from mtsig.report.table import Cell, Column, Table
from mtsig.study import MetricResult, ResultOverSets, Study

AVERAGE = "average"


def sets_paper_tables(study: Study) -> tuple[Table, ...]:
    """Return for every metric: systems × sets, averages, comparisons set by set, and ranks where there are some."""
    tables: list[Table] = []
    for name, result in zip(names_of(study), study.over, strict=True):
        family, metric = by_score(result.compared), result.about.metric
        each = family.kind.rpartition(" ")[2]
        tables.append(_named(systems_table(study, result), "systems", name, f"{metric} on the {family.kind}s"))
        if family.averages is not None:
            tables.append(_named(averages_table(family), "averages", name, f"Averages over the test sets in {metric}"))
        tables.append(_named(sets_table(family), "sets", name, f"{capital_first(each)} by {each} in {metric}"))
        if family.by:
            alpha = next(iter(family.families.values())).alpha
            whether = parts_table(family.described, result.about.decimals, alpha, "part")
            tables.append(_named(whether, "parts", name, f"Whether the parts differ in {metric}"))
        if family.ranks is not None:
            tables.append(
                _named(set_ranks_table(family), "ranks-over-sets", name, f"Ranks over the test sets in {metric}")
            )
    return tuple(replace(table, caption=f"{table.caption} {status_text(study)}") for table in tables)


def _named(table: Table, kind: str, metric: str, title: str) -> Table:
    return replace(table, name=f"{kind}-{metric}", title=title)


def scores_over_sets_table(scored: ScoresOverSets) -> Table:
    """Return sets × systems: scores with their intervals, and the averages below."""
    systems, first = scored.systems, next(iter(scored.intervals.values()))
    columns = (Column("set"), *(Column(name, "score", first.decimals) for name in systems))
    lines = {name: {score.system: score for score in interval} for name, interval in scored.intervals.items()}
    if scored.averages is not None:
        lines[AVERAGE] = {average.system: average for average in scored.averages}
    score = columns[-1]
    rows = [
        (
            Cell(name),
            *(
                Cell(
                    line[system].score,
                    beside=f"[{score.text(line[system].ci_low)}, {score.text(line[system].ci_high)}]",
                )
                if system in line
                else Cell(None)
                for system in systems
            ),
        )
        for name, line in lines.items()
    ]
    caption = f"{scored.metric} on {number_of(len(scored.intervals), 'test set')}, {level_text(first.level)} intervals."
    if scored.averages is not None:
        caption += " The average: of systems in every set; a unit of several sets is left out of all of them at once."
    signatures = dict.fromkeys(interval.signature for interval in scored.intervals.values())
    return Table(f"{caption} {'; '.join(signatures)}", columns, tuple(rows), "scores")


def systems_table(study: Study, result: ResultOverSets) -> Table:
    """Return systems × sets with the average: scores with intervals, each column's best in bold, marks beside it."""
    columns = _columns(result)
    standings = {name: standing(column) for name, column in columns.items()}
    cells = {name: score_cells(column, standings[name]) for name, column in columns.items()}
    rows = tuple(
        (system_cell(system), *(own.get(system, Cell(None)) for own in cells.values()))
        for system in result.scored.systems
    )
    titles = (Column("system"), *(replace(metric_column(column), title=name) for name, column in columns.items()))
    return Table(_caption(study, result, columns, standings, rows), titles, rows, "systems", "Systems")


def _columns(result: ResultOverSets) -> dict[str, MetricResult]:
    """Return every set's scores and comparisons, and the averages'."""
    scored, compared = result.scored, result.compared
    columns = {
        name: MetricResult(result.metric_spec, scored.intervals[name], family, None, (), result.about.is_quality_metric)
        for name, family in compared.families.items()
    }
    averages = compared.averages
    if averages is not None and scored.averages is not None:
        everywhere = set(scored.averages.systems)
        kept = tuple(average for average in averages if {average.first, average.second} <= everywhere)
        if kept:
            order = tuple(name for name in averages.order if name in everywhere)
            family = averages.with_rows(kept).changed(order=order)
            columns[AVERAGE] = MetricResult(
                result.metric_spec, scored.averages, family, None, (), result.about.is_quality_metric
            )
    return columns


def _caption(
    study: Study,
    result: ResultOverSets,
    columns: Mapping[str, MetricResult],
    standings: Mapping[str, Standing | None],
    rows: Sequence[Sequence[Cell]],
) -> str:
    arrow = "" if result.about.higher_is_better or not result.about.is_quality_metric else " (lower is better)"
    parts = [
        f"{result.about.metric}{arrow} on {result.compared.counted}, "
        f"{level_text(study.level)} intervals in brackets; in bold each column's best score of a system."
    ]
    if AVERAGE in columns:
        parts.append(f"The average: {over_weights_text(result.compared)}, of systems in every set.")
    return " ".join([*parts, *marks_text(list(standings.values()), rows), sets_text(result.compared)])


def headline_over_sets(result: ResultOverSets) -> str:
    """Return what the best mean score is worth, where every other system was compared with it; else nothing."""
    averages = result.compared.averages
    if averages is None or not result.about.is_quality_metric or not averages.order:
        return ""
    best, *others = averages.order
    unlike = {other: _apart(averages, best, other) for other in others}
    if None in unlike.values():
        return ""
    over = f"On average over these {number_of(len(result.compared.sets), 'test set')}, {best} has the best "
    close = [other for other, apart in unlike.items() if not apart]
    if not close:
        return f"{over}{averages.metric} and is better than every other system."
    left = number_of(len(others), "other system")
    return f"{over}{averages.metric}, and is not shown to be better than {len(close)} of {left}."


def _apart(family: Family, best: str, other: str) -> bool | None:
    """Return whether the best is better than another; None where they were not compared."""
    at = family.find(best, other)
    return None if at is None else verdict(family[at]).winner == best
