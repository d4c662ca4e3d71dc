"""The tables of a study as documents show them: results with marks, comparisons, ranks, margins; set by set."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mtsig import _say
from mtsig._probability import level_text, points_text
from mtsig._writing import short_names, shorts
from mtsig.collection import ScoresOverSets
from mtsig.collection._compare import by_score
from mtsig.corpus._notes import capital_first, is_human, listed, number_of
from mtsig.inference import Comparison, Family
from mtsig.inference._verdict import CAUTION, verdict
from mtsig.report import _families, _over_sets, _table, _tables
from mtsig.study import Study
from mtsig.study._differences import Fingerprint
from mtsig.study._record import MetricResult, ResultOverSets


def texts_table(texts: Sequence[tuple[str, Fingerprint]]) -> _table.Table:
    """Return every text of the data with the first 16 digits of its SHA-256, and its set where there are several.

    texts: the name of the set, "" where there is one alone, and the fingerprint of the text.
    """
    prints = [text for _, text in texts]
    several = any(name for name, _ in texts)
    return _table.Table.of(
        "",
        (_table.Column("set"), [name for name, _ in texts] if several else None),
        (_table.Column("text"), [text.role for text in prints]),
        (_table.Column("name"), [text.name for text in prints]),
        (_table.Column("lines", "count"), [len(text) for text in prints]),
        (_table.Column("SHA-256"), [f"{text.digest[7:23]}…" for text in prints]),
        name="texts",
    )


def paper_tables(study: Study, left: str = "") -> tuple[_table.Table, ...]:
    """Return the tables of a study as documents show them: of one set the results first, then those of each metric.

    left: a sentence for every caption, on systems that are left out.
    """
    tables = [] if study.several else [results_table(study)]
    over = [replace(result, compared=by_score(result.compared)) for result in study.over]
    results: Sequence[MetricResult | ResultOverSets] = over if study.several else study.results
    for name, result in zip(names_of(study), results, strict=True):
        for kind, described in TABLES.items():
            table = described.of(study, result)
            tables += [] if table is None else [replace(table, name=f"{kind}-{name}")]
    return tuple(replace(table, caption=f"{table.caption} {left}".strip()) for table in tables)


def printed_tables(study: Study, left: str = "") -> tuple[tuple[_table.Table, ...], tuple[_table.Table, ...]]:
    """Return the tables that a paper needs, with the comparisons of all metrics in one, and all others.

    left: as for `paper_tables`.
    """
    tables = paper_tables(study, left)
    others = [table for table in tables if table.name.startswith(_OTHERS)]
    needed = [table for table in tables if table not in others]
    compared = [table for table in needed if table.name.startswith("comparisons-")]
    if len(compared) > 1:
        caption = f"{_of_all_metrics(study)} {left}".strip()
        kept = [table for table in needed if table not in compared]
        needed = [kept[0], _joined(study, compared, caption), *kept[1:]]
    return tuple(needed), tuple(others)


_OTHERS = ("ranks-", "sets-")
"""How the names of tables begin that most papers have no room for."""


def _joined(study: Study, tables: Sequence[_table.Table], caption: str) -> _table.Table:
    """Return tables of comparisons as one, with the metric before each row; titles that differ become general."""
    known = {
        name: [column for table in tables for column in table.columns if column.name == name]
        for name in _tables.VIEWS["document"]
    }
    general = {"difference": "Δ", "adjusted": "CI", "p corrected": "p, corrected", "units": "units"}
    columns = [
        replace(alike[0], title=alike[0].title if len({one.title for one in alike}) == 1 else general[name], key=name)
        for name, alike in known.items() if alike
    ]  # fmt: skip
    rows = []
    metrics = [result.scored.metric for result in study.results if len(result.compared)]
    for metric, table in zip(metrics, tables, strict=True):
        for row in table.rows:
            # Metrics differ in decimals.
            cells = {
                column.name: cell._replace(value=column.text(cell.value))
                for column, cell in zip(table.columns, row, strict=True)
            }
            rows.append((_table.Cell(metric), *(cells.get(column.name, _table.Cell(None)) for column in columns)))
    return _table.Table(caption, (_table.Column("metric"), *columns), tuple(rows), "comparisons", "Comparisons")


def _of_all_metrics(study: Study) -> str:
    """Return the caption of the comparisons of all metrics; what is true of each is said once."""
    families = [result.compared.by_score() for result in study.results if len(result.compared)]
    said = [_tables.caption_parts(family, study.plan is not None, _tables.VIEWS["document"]) for family in families]
    parts = []
    for of_each in zip(*said, strict=True):
        own = dict(zip([family.metric for family in families], of_each, strict=True))
        alike = {text: listed([name for name in own if own[name] == text]) for text in of_each if text}
        for text, names in alike.items():
            is_general = len(set(of_each)) == 1 or any(f" on {name}" in text for name in own)
            parts.append(text if is_general else f"{names}: {text}")
    adds_up = _families.families_text(families)
    part = f"A part of the test set: {study.subset}." if study.subset else ""
    return " ".join(filter(None, [*parts, adds_up, part, status_text(study)]))


@dataclass(frozen=True)
class StudyTable:
    """A table that documents show of each metric: of one test set, or of several; None where there is nothing to show.

    title: before the metric's name; empty where the table has a title of its own.
    """

    title: str = ""
    of_one: Callable[[Study, MetricResult], _table.Table | None] | None = None
    of_several: Callable[[Study, ResultOverSets], _table.Table | None] | None = None

    def of(self, study: Study, result: MetricResult | ResultOverSets) -> _table.Table | None:
        """Return the table under its title."""
        if isinstance(result, MetricResult):
            table = None if self.of_one is None else self.of_one(study, result)
        else:
            table = None if self.of_several is None else self.of_several(study, result)
        if table is None:
            return None
        status = f" {status_text(study)}" if study.several else ""
        title = f"{self.title} in {result.scored.metric}" if self.title else table.title
        return replace(table, title=title, caption=f"{table.caption}{status}")


def names_of(study: Study) -> tuple[str, ...]:
    """Return a word for each metric that can stand in file names: bleu, chrf2pp; numbered where two are alike."""
    return file_words([result.scored.metric for result in study.told])


def file_words(names: Sequence[str]) -> tuple[str, ...]:
    """Return a word for each name that can stand in file names; numbered where two are alike."""
    words = [re.sub(r"[^a-z0-9]+", "-", name.lower().replace("+", "p")).strip("-") or "metric" for name in names]
    return tuple(
        word if words.count(word) == 1 else f"{word}-{words[: i + 1].count(word)}" for i, word in enumerate(words)
    )


def file_stem(text: str) -> str:
    """Return a text as the stem of a file's name, wherever it came from: in no other folder, and not too long."""
    return re.sub(r"[^\w.+-]+", "-", text).strip(".-")[:_LONGEST] or "file"


_LONGEST = 100
"""Letters of a stem: with four bytes each, a file system takes them."""


# --- results ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """What the comparisons say of each system beside one: the best-scoring one, or the baseline of all pairs.

    cautions: why to doubt what marks with a caution say.
    """

    against: str
    kind: Literal["best", "baseline"]
    marks: Mapping[str, str]
    cautions: tuple[str, ...] = ()


NOT_SIGNIFICANT, WITHHELD, BETTER, WORSE = "†", "‡", "▲", "▼"


def standing(result: MetricResult) -> Standing | None:
    """Return the marks of a metric's systems; None where none can be given.

    That is where there is no test, where the pairs have no system in common, and where some system that stands in the
    table was compared with nobody: without a mark it would seem to have been.
    """
    pairs = {frozenset((comparison.first, comparison.second)): comparison for comparison in result.compared}
    if not result.is_quality_metric or not any(pair.decides for pair in pairs.values()):
        return None
    if set(result.scored.systems) - set(result.compared.order):
        return None
    best, *_ = result.compared.ranked_systems
    others = [name for name in result.compared.order if name != best]
    if all(frozenset((best, other)) in pairs for other in others):
        beside = {other: pairs[frozenset((best, other))] for other in others}
        marks = {other: _beside_best(comparison) for other, comparison in beside.items()}
        return Standing(best, "best", marks, _cautions(beside.values()))
    shared = frozenset.intersection(*pairs)
    if len(shared) != 1:
        return None
    (baseline,) = shared
    marks = {next(iter(pair - shared)): _beside_baseline(comparison, baseline) for pair, comparison in pairs.items()}
    return Standing(baseline, "baseline", marks, _cautions(pairs.values()))


def _cautions(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """Return why to doubt some verdicts, each reason once."""
    return tuple(dict.fromkeys(said for comparison in comparisons if (said := verdict(comparison).caution)))


def _beside_best(comparison: Comparison) -> str:
    decided = verdict(comparison)
    mark = {"better": "", "not_significant": NOT_SIGNIFICANT, "withheld": WITHHELD}[decided.word]
    return f"{mark}{CAUTION}" if decided.caution else mark


def _beside_baseline(comparison: Comparison, baseline: str) -> str:
    decided = verdict(comparison)
    mark = WITHHELD if decided.word == "withheld" else ""
    if decided.word == "better":
        mark = WORSE if decided.winner == baseline else BETTER
    return f"{mark}{CAUTION}" if decided.caution else mark


def results_table(study: Study) -> _table.Table:
    """Return systems × metrics: scores with intervals, the best in bold, marks for what the comparisons say."""
    results = study.results
    # A system without text has ratings only, and the reverse: the tables of several metrics may differ in systems.
    order = list(dict.fromkeys(result.scored.systems[i] for result in results for i in result.scored.order()))
    standings = [standing(result) for result in results]
    marked = [score_cells(result, beside) for result, beside in zip(results, standings, strict=True)]
    columns = (_table.Column("system"), *(metric_column(result) for result in results))
    unranked = {score.system for result in results for score in result.scored if score.unranked}
    names = {system: system_cell(system, system in unranked) for system in order}
    rows = tuple((names[system], *(cells.get(system, _table.Cell(None)) for cells in marked)) for system in order)
    return _table.Table(_results_caption(study, standings, rows), columns, rows, "results", "Results")


def system_cell(name: str, unranked: bool = False) -> _table.Cell:
    """Return the cell of a system's name; `unranked`: it has text of a reference."""
    return _table.Cell(name, said="(human)" if is_human(name) else "(not ranked)" if unranked else "")


def metric_column(result: MetricResult) -> _table.Column:
    """Return the column of a metric's scores."""
    lower = result.is_quality_metric and not result.scored.higher_is_better
    return _table.Column(f"{result.scored.metric}{' ↓' if lower else ''}", "score", result.scored.decimals)


def score_cells(result: MetricResult, beside: Standing | None) -> dict[str, _table.Cell]:
    """Return the scores by system, the best in bold, with the marks beside it."""
    scored, marks = result.scored, {} if beside is None else beside.marks
    contending = scored.ranked_systems
    scores = [score.score for score in scored if score.system in contending]
    best = max(scores) if scored.higher_is_better else min(scores)
    return {
        score.system: _table.Cell(
            score.score,
            # No length is the best one.
            bold=bool(result.is_quality_metric and score.score == best and score.system in contending),
            mark=marks.get(score.system, ""),
            beside=f"[{points_text(score.ci_low, scored.decimals)}, {points_text(score.ci_high, scored.decimals)}]",
        )
        for score in scored
    }


def _results_caption(study: Study, standings: Sequence[Standing | None], rows: Sequence[Sequence[_table.Cell]]) -> str:
    data = study.data
    first, *_ = study.results
    pieces = _say.counted_in(first.scored.signature)
    where = f"{number_of(data.segments, pieces, ',')}" + (f" in {data.documents:,} documents" if data.documents else "")
    if study.subset:
        where += f" (a part of the test set: {study.subset})"
    best = f"best {'ranked ' * any(score.unranked for result in study.results for score in result.scored)}system"
    parts = [f"Scores on {where}, {level_text(study.level)} CIs in brackets. The {best} by each metric is bold."]
    for result in study.results:
        segments = result.scored.segments.tolist()
        if set(segments) != {data.segments}:
            parts.append(f"{result.scored.metric}: each system on its own {_say.units_text(segments, pieces)}.")
    adds_up = _families.families_text([result.compared for result in study.results])
    return " ".join(filter(None, [*parts, *marks_text(standings, rows), *_how(study), adds_up, status_text(study)]))


def marks_text(standings: Sequence[Standing | None], rows: Sequence[Sequence[_table.Cell]]) -> list[str]:
    """Return what marks in a table of scores say, each sentence by itself."""
    parts = []
    if 0 < sum(is_human(row[0].value) for row in rows) < len(rows):
        parts.append("Human translations are not counted as systems.")
    used = set("".join(cell.mark for row in rows for cell in row))
    said = {
        NOT_SIGNIFICANT: f"{NOT_SIGNIFICANT} not significantly different from it, which does not mean equal",
        WITHHELD: f"{WITHHELD} withheld",
    }
    marks = "; ".join(text for mark, text in said.items() if mark in used)
    bare = f"No mark, or {CAUTION} alone" if CAUTION in used else "No mark"
    kinds = {standing.kind: standing.against for standing in standings if standing is not None}
    if "best" in kinds:
        parts.append(f"{bare}: significantly worse than the system in bold{'; ' + marks if marks else ''}.")
    if "baseline" in kinds:
        against = kinds["baseline"]
        also = f"; {said[WITHHELD]}" if WITHHELD in used else ""
        parts.append(
            f"{BETTER} better and {WORSE} worse than {against}; {bare[0].lower()}{bare[1:]}: not significantly "
            f"different from it, which does not mean equal{also}."
        )
    cautions = dict.fromkeys(said for beside in standings if beside is not None for said in beside.cautions)
    if CAUTION in used:
        parts.append(f"{CAUTION} with a caution: {'; '.join(cautions)}.")
    if None in standings:
        parts.append("The comparisons explain why some columns have no marks.")
    return parts


def _how(study: Study) -> list[str]:
    """Return how the verdicts were made, metrics that were treated alike in one sentence."""
    said: dict[str, list[str]] = {}
    for result in study.results:
        m = result.compared.family_size
        how = capital_first(_families.method_text(result.compared, study.plan is not None, shown=["interval"])) + (
            f", of {m} comparisons" if m > 1 else ""
        )
        said.setdefault(how, []).append(result.scored.metric)
    if len(said) == 1:
        return [f"{next(iter(said))}."]
    return [f"{' and '.join(metrics)}: {how}." for how, metrics in said.items()]


def status_text(study: Study) -> str:
    """Return one sentence on whether the analysis was planned."""
    if study.plan is None:
        return "Exploratory: there was no analysis plan."
    return f"Planned: these results follow the analysis plan with SHA-256 {study.plan.sha256[:16]}…."


# --- comparisons, ranks, margins -----------------------------------------------------------------------------------


def _comparisons(study: Study, result: MetricResult) -> _table.Table:
    family = result.compared
    m, own_p = family.family_size, _say.has_own_p(family)
    view = dict.fromkeys(_tables.VIEWS["document"], "")
    if own_p:
        view["p corrected"] = f"p of {m}" if family.corrected else "p, not corrected"
    else:
        del view["p corrected"]
    part = f"A part of the test set: {study.subset}. " if study.subset else ""
    return _tables.comparison_table(family, study.plan is not None, view, end=f"{part}{status_text(study)}")


def _margins(study: Study, result: MetricResult) -> _table.Table | None:
    if not result.margins:
        return None
    view = dict.fromkeys(("first", "second", "claim", "difference", "interval", "one more"), "")
    view |= {"p corrected": f"p of {result.margins[0].family_size}", "shown": ""}
    return _tables.margin_table(result.margins, view, study.plan is not None, status_text(study))


def terminal_tables(study: Study, ci: _tables.CI = "adjusted") -> list[_table.Table]:
    """Return the tables of a study as terminals show them: metric by metric, comparisons first, ranks last."""
    if study.several:
        return [table for result in study.over for table in _over_sets.sets_tables(result.compared)]
    tables = []
    for result in study.results:
        tables.append(_tables.comparison_table(result.compared, study.plan is not None, ci=ci))
        tables.append(_tables.score_table(result.scored))
    tables += [_tables.ranks_table(result.places) for result in study.results if result.places is not None]
    return tables + [_tables.margin_table(result.margins) for result in study.results if result.margins]


AVERAGE = "average"


def scores_over_sets_table(scored: ScoresOverSets) -> _table.Table:
    """Return sets × systems: scores with their intervals, and the averages below."""
    systems, first = scored.systems, next(iter(scored.intervals.values()))
    columns = (_table.Column("set"), *(_table.Column(name, "score", first.decimals) for name in systems))
    lines = {name: {score.system: score for score in interval} for name, interval in scored.intervals.items()}
    if scored.averages is not None:
        lines[AVERAGE] = {average.system: average for average in scored.averages}
    score = columns[-1]
    rows = [
        (
            _table.Cell(name),
            *(
                _table.Cell(
                    line[system].score,
                    beside=f"[{score.text(line[system].ci_low)}, {score.text(line[system].ci_high)}]",
                )
                if system in line
                else _table.Cell(None)
                for system in systems
            ),
        )
        for name, line in lines.items()
    ]
    caption = f"{scored.metric} on {number_of(len(scored.intervals), 'test set')}, {level_text(first.level)} CIs."
    if scored.averages is not None:
        caption += (
            " Only systems in every set have an average. If a unit is in several sets, the jackknife leaves it out of "
            "all of them together."
        )
    signatures = dict.fromkeys(interval.signature for interval in scored.intervals.values())
    return _table.Table(f"{caption} {'; '.join(signatures)}", columns, tuple(rows), "scores")


def _systems(study: Study, result: ResultOverSets) -> _table.Table:
    """Return systems × sets with the average: scores with intervals, each column's best in bold, marks beside it."""
    columns = _columns(result)
    standings = {name: standing(column) for name, column in columns.items()}
    cells = {name: score_cells(column, standings[name]) for name, column in columns.items()}
    rows = tuple(
        (system_cell(system), *(own.get(system, _table.Cell(None)) for own in cells.values()))
        for system in result.scored.systems
    )
    called = shorts(list(columns))
    titles = (
        _table.Column("system"),
        *(replace(metric_column(column), title=name) for name, column in zip(called, columns.values(), strict=True)),
    )
    return _table.Table(
        _caption(study, result, columns, standings, rows),
        titles,
        rows,
        "systems",
        f"{result.about.metric} on the {result.compared.kind}s",
    )


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
    rows: Sequence[Sequence[_table.Cell]],
) -> str:
    arrow = "" if result.about.higher_is_better or not result.about.is_quality_metric else " (lower is better)"
    parts = [
        f"{result.about.metric}{arrow} on {result.compared.counted}, with {level_text(study.level)} CIs in brackets. "
        "The best system of each column is bold."
    ]
    if AVERAGE in columns:
        parts.append(f"The average: {_over_sets.over_weights_text(result.compared)}, only of systems in every set.")
    return " ".join([*parts, *marks_text(list(standings.values()), rows), _over_sets.sets_text(result.compared)])


def headline_over_sets(result: ResultOverSets) -> str:
    """Return what the best mean score is worth, where every other system was compared with it; else nothing."""
    averages = result.compared.averages
    if averages is None or not result.about.is_quality_metric or not averages.order:
        return ""
    best, *others = averages.ranked_systems
    unlike = {other: _apart(averages, best, other) for other in others}
    if None in unlike.values() or not others:
        return ""
    ranked = _families.ranked_word(averages)
    over = f"On average over these {number_of(len(result.compared.sets), 'test set')}, {best} has the best "
    close = [other for other, apart in unlike.items() if not apart]
    if not close:
        return f"{over}{averages.metric} and is better than every other {ranked}system."
    left = number_of(len(others), f"other {ranked}system")
    return f"{over}{averages.metric}, but is not significantly better than {len(close)} of {left}."


def leads(study: Study) -> list[str]:
    """Return what is said first: the verdict of a single pair, metric by metric, or how the best systems stand."""
    if study.several:
        return list(filter(None, map(headline_over_sets, study.over)))
    families = [result.compared for result in study.results]
    if all(len(family) == 1 for family in families):
        return [_say.say(family[0], planned=study.plan is not None) for family in families]
    of_best = [result.compared for result in study.results if stands_first(result)]
    return [_families.headline_text(of_best)] if of_best else []


def stands_first(result: MetricResult) -> bool:
    """Return whether the best system was compared with every other one."""
    beside = standing(result)
    return beside is not None and beside.kind == "best"


def _apart(family: Family, best: str, other: str) -> bool | None:
    """Return whether the best is better than another; None where they were not compared."""
    at = family.find(best, other)
    return None if at is None else verdict(family[at]).winner == best


def _averages(study: Study, result: ResultOverSets) -> _table.Table | None:
    del study
    if result.compared.averages is None:
        return None
    table = _over_sets.averages_table(result.compared)
    view = dict.fromkeys(table.names, "") | {"p corrected": f"p of {result.compared.averages.family_size}"}
    return table.seen(view)


def _set_by_set(study: Study, result: ResultOverSets) -> _table.Table:
    del study
    each = result.compared.kind.rpartition(" ")[2]
    title = capital_first(f"{each} by {each} in {result.about.metric}")
    family = next(iter(result.compared.families.values()))
    view = dict.fromkeys(_tables.VIEWS["sets"], "") | {"p corrected": f"p of {family.family_size}"}
    table = _over_sets.sets_table(result.compared, view)
    called = short_names(list(result.compared.families))
    rows = tuple((_table.Cell(called[name.value]), *others) for name, *others in table.rows)
    return replace(table, title=title, rows=rows)


def _parts(study: Study, result: ResultOverSets) -> _table.Table | None:
    if not study.request.by:
        return None
    alpha = next(iter(result.compared.families.values())).alpha
    return _over_sets.differences_table(result.compared.described, result.about.decimals, alpha, "part")


TABLES: dict[str, StudyTable] = {
    "systems": StudyTable(of_several=_systems),
    "averages": StudyTable("Averages over the test sets", of_several=_averages),
    "comparisons": StudyTable("Comparisons", of_one=_comparisons),
    "sets": StudyTable(of_several=_set_by_set),
    "parts": StudyTable("Whether the parts differ", of_several=_parts),
    "ranks": StudyTable(
        "Ranks", lambda _, result: None if result.places is None else _tables.ranks_table(result.places)
    ),
    "margins": StudyTable("Margins", of_one=_margins),
    "ranks-over-sets": StudyTable(
        "Ranks over the test sets",
        of_several=lambda _, result: (
            None if result.compared.ranks is None else _over_sets.set_ranks_table(result.compared)
        ),
    ),
}
"""The tables of documents in their order, by the beginning of their files' names."""
