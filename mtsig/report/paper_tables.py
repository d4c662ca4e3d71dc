"""Tables for papers and spreadsheets: a study goes in; cells with text, number, boldness and mark come out."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Literal, NamedTuple

from mtsig.inference import Comparison, MarginResult, level_text, p_number, points_text, verdict
from mtsig.report.tables import claim_text, margin_reasons_text, never_text, reasons_text, shown_text
from mtsig.report.words import has_own_p, interval_text, method_text, units_text
from mtsig.study.record import MetricResult, Study


class Cell(NamedTuple):
    """One cell: its text, and the number behind it; `mark` stands raised after it, `beside` small next to it."""

    text: str
    value: float | None = None
    bold: bool = False
    mark: str = ""
    beside: str = ""


Kind = Literal["text", "count", "score", "difference", "range", "p", "share"]


@dataclass(frozen=True)
class Column:
    """What a column is called and what it holds: formats follow the kind, never the name, which data may choose.

    decimals: of the scale of scores and differences.
    """

    name: str
    kind: Kind = "text"
    decimals: int = 2


@dataclass(frozen=True)
class PaperTable:
    """A table with its caption; `name` is a word for files and labels."""

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def header(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(one.name for one in self.columns)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns are set flush right."""
        return tuple(one.kind != "text" for one in self.columns)


def paper_tables(study: Study) -> tuple[PaperTable, ...]:
    """Return the tables of a study: results, then comparisons, ranks and margins of each metric."""
    names = names_of(study)
    found = [results_table(study)]
    for name, result in zip(names, study.results, strict=True):
        found.append(_comparisons(study, result, name))
        if result.places is not None:
            found.append(_ranks(result, name))
        if result.margins:
            found.append(_margins(study, result.margins, name))
    return tuple(found)


def names_of(study: Study) -> tuple[str, ...]:
    """Return a word for each metric that can stand in file names: bleu, chrf2pp; numbered where two are alike."""
    words = [_word(one.scored.metric) for one in study.results]
    return tuple(
        word if words.count(word) == 1 else f"{word}-{words[: i + 1].count(word)}" for i, word in enumerate(words)
    )


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("+", "p")).strip("-") or "metric"


# --- results ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """What the comparisons say of each system beside one: the best-scoring one, or the baseline of all pairs."""

    against: str
    kind: Literal["best", "baseline"]
    marks: Mapping[str, str]


NOT_SEPARATED, UNDECIDED, BETTER, WORSE = "†", "‡", "▲", "▼"


def standing(result: MetricResult) -> Standing | None:
    """Return the marks of a metric's systems; None where none can be given.

    That is where there is no test, where the pairs have no system in common, and where some system that stands in the
    table was compared with nobody: without a mark it would seem to have been.
    """
    pairs = {frozenset((one.first, one.second)): one for one in result.compared}
    if not result.judges or not any(one.has_p for one in pairs.values()):
        return None
    if set(result.scored.systems) - set(result.compared.order):
        return None
    best, *others = result.compared.order
    if all(frozenset((best, other)) in pairs for other in others):
        marks = {other: _beside_best(pairs[frozenset((best, other))]) for other in others}
        return Standing(best, "best", marks)
    shared = frozenset.intersection(*pairs)
    if len(shared) != 1:
        return None
    (baseline,) = shared
    marks = {next(iter(pair - shared)): _beside_baseline(one, baseline) for pair, one in pairs.items()}
    return Standing(baseline, "baseline", marks)


def _beside_best(one: Comparison) -> str:
    return {"better": "", "not separated": NOT_SEPARATED, "undecided": UNDECIDED}[verdict(one).word]


def _beside_baseline(one: Comparison, baseline: str) -> str:
    decided = verdict(one)
    if decided.word == "better":
        return WORSE if decided.winner == baseline else BETTER
    return UNDECIDED if decided.word == "undecided" else ""


def results_table(study: Study) -> PaperTable:
    """Return systems × metrics: scores with intervals, the best in bold, marks for what the comparisons say."""
    results = study.results
    # A system without text has ratings only, and the reverse: the tables of several metrics may differ in systems.
    order = list(dict.fromkeys(one.scored.systems[i] for one in results for i in one.scored.order()))
    standings = [standing(one) for one in results]
    columns = [_column(one, found) for one, found in zip(results, standings, strict=True)]
    rows = tuple((Cell(system), *(column.get(system, Cell("")) for column in columns)) for system in order)
    scores = (Column(_metric_head(one), "score", one.scored.decimals) for one in results)
    caption = _results_caption(study, standings, rows)
    return PaperTable("results", "Results", caption, (Column("system"), *scores), rows)


def _metric_head(result: MetricResult) -> str:
    lower = result.judges and not result.scored.higher_is_better
    return f"{result.scored.metric}{' ↓' if lower else ''}"


def _column(result: MetricResult, found: Standing | None) -> dict[str, Cell]:
    scored = result.scored
    best = max(scored.score) if scored.higher_is_better else min(scored.score)
    return {
        system: Cell(
            points_text(scored.score[i], scored.decimals),
            float(scored.score[i]),
            # No length is the best one.
            bool(result.judges and scored.score[i] == best),
            "" if found is None else found.marks.get(system, ""),
            f"[{points_text(scored.low[i], scored.decimals)}, {points_text(scored.high[i], scored.decimals)}]",
        )
        for i, system in enumerate(scored.systems)
    }


def _results_caption(study: Study, standings: Sequence[Standing | None], rows: Sequence[Sequence[Cell]]) -> str:
    data = study.data
    where = f"{data.segments:,} segments" + (f" in {data.documents:,} documents" if data.documents else "")
    if study.part:
        where += f" (a part of the test set: {study.part})"
    parts = [
        f"Scores on {where}, {level_text(study.level)} intervals in brackets; the best score of each metric in bold."
    ]
    for one in study.results:
        segments = one.scored.segments.tolist()
        if set(segments) != {data.segments}:
            parts.append(f"{one.scored.metric}: each system on its own {units_text(segments, 'segment')}.")
    used = {cell.mark for row in rows for cell in row}
    said = {
        NOT_SEPARATED: f"{NOT_SEPARATED} not separated from it, which does not mean equal",
        UNDECIDED: f"{UNDECIDED} undecided",
    }
    marks = "; ".join(text for mark, text in said.items() if mark in used)
    kinds = {one.kind: one.against for one in standings if one is not None}
    if "best" in kinds:
        parts.append(f"No mark: separated from the system with the best score{'; ' + marks if marks else ''}.")
    if "baseline" in kinds:
        against = kinds["baseline"]
        also = f"; {said[UNDECIDED]}" if UNDECIDED in used else ""
        parts.append(
            f"{BETTER} better and {WORSE} worse than {against}; no mark: not separated from it, which does not mean "
            f"equal{also}."
        )
    if None in standings:
        parts.append("Columns without marks: see the comparisons.")
    return " ".join([*parts, *_how(study), status_text(study)])


def _how(study: Study) -> list[str]:
    """Return how the verdicts were made, metrics that were treated alike in one sentence."""
    said: dict[str, list[str]] = {}
    for one in study.results:
        m = one.compared.family_size
        how = _capital(method_text(one.compared, study.plan is not None)) + (f", of {m} comparisons" if m > 1 else "")
        said.setdefault(how, []).append(one.scored.metric)
    if len(said) == 1:
        return [f"{next(iter(said))}."]
    return [f"{' and '.join(metrics)}: {how}." for how, metrics in said.items()]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def status_text(study: Study) -> str:
    """Return one sentence on whether the analysis was planned."""
    if study.plan is None:
        return "Exploratory: there was no analysis plan."
    return f"Planned: as the analysis plan with SHA-256 {study.plan.digest.removeprefix('sha256:')[:16]}… says."


# --- comparisons, ranks, margins -----------------------------------------------------------------------------------


def _comparisons(study: Study, result: MetricResult, name: str) -> PaperTable:
    found = result.compared
    own, m = len(set(found.units.tolist())) > 1, found.family_size
    rows = tuple(
        (
            Cell(one.first),
            Cell(one.second),
            *((Cell(str(one.units), one.units),) if own else ()),
            Cell(points_text(one.difference, one.decimals, signed=True), one.difference),
            Cell(interval_text(one.low, one.high, True, one.decimals)),
            Cell(p_number(one.p_value) + (" exact" if one.exact else ""), _known(one.p_value)),
            *((Cell(p_number(one.p_adjusted), _known(one.p_adjusted)),) if has_own_p(found) else ()),
            *(() if one.by_segment is None else (_by_segment(one.by_segment),)),
            Cell(_decided(one)),
        )
        for one in found
    )
    corrected = "p, not corrected" if found.correction == "none" else f"p of {m}"
    several = has_own_p(found)
    columns = (
        Column("first"),
        Column("second"),
        *((Column(f"{found.unit}s", "count"),) if own else ()),
        Column(f"Δ {found.metric}", "difference", result.scored.decimals),
        Column(f"{level_text(found.level)} interval", "range"),
        Column("p", "p"),
        *((Column(corrected, "p"),) if several else ()),
        *(() if found.by_segment is None else (Column(f"{corrected if several else 'p'}, by segments", "p"),)),
        Column("verdict"),
    )
    part = f"; a part of the test set: {study.part}" if study.part else ""
    together = f"; of {m} comparisons judged together" if m > 1 else ""
    caption = (
        f"Differences in {found.metric}, {_sides(result)}{together}{part}. "
        f"{_capital(method_text(found, study.plan is not None))}. "
        f"{reasons_text(found)}{never_text(found)}Not separated does not mean equal. {status_text(study)}"
    )
    return PaperTable(f"comparisons-{name}", f"Comparisons in {found.metric}", caption, columns, rows)


def _sides(result: MetricResult) -> str:
    if not result.judges:
        return "first minus second"
    if result.scored.higher_is_better:
        return "first minus second, positive when the first is better"
    return "second minus first, so positive when the first is better (lower)"


def _by_segment(one: Comparison) -> Cell:
    return Cell(p_number(one.p_adjusted), _known(one.p_adjusted))


def _known(value: float) -> float | None:
    return None if isnan(value) else value  # NaN: a method without p-values, or without redraws


def _decided(one: Comparison) -> str:
    found = verdict(one)
    return f"{found.winner} better" if found.winner else found.word


def _ranks(result: MetricResult, name: str) -> PaperTable:
    places = result.places
    if places is None:
        raise TypeError("ranks are drawn only where there are some")
    rows = tuple(
        (
            Cell(row["system"]),
            Cell(points_text(row["score"], places.decimals), row["score"]),
            Cell(_range(row["rank_low"], row["rank_high"])),
            Cell(str(row["cluster"]), row["cluster"]),
            Cell("" if isnan(row["best_share"]) else f"{row['best_share']:.1%}", _known(row["best_share"])),
        )
        for row in places.rows()
    )
    caption = (
        f"Places in {places.metric} that the comparisons allow (of {places.family_size}): at least one more than "
        "the systems that are better. A new cluster begins where every system above is better than every system "
        "below. Best in redraws is a description, and not how likely a system is to be the best."
    )
    columns = (
        Column("system"),
        Column(places.metric, "score", places.decimals),
        Column("ranks", "range"),
        Column("cluster", "count"),
        Column("best in redraws", "share"),
    )
    return PaperTable(f"ranks-{name}", f"Ranks in {places.metric}", caption, columns, rows)


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _margins(study: Study, found: Sequence[MarginResult], name: str) -> PaperTable:
    first = found[0]
    rows = tuple(
        (
            Cell(one.first),
            Cell(one.second),
            Cell(claim_text(one)),
            Cell(points_text(one.difference, one.decimals, signed=True), one.difference),
            Cell("" if isnan(one.low) else interval_text(one.low, one.high, True, one.decimals)),
            Cell(p_number(one.p_adjusted), _known(one.p_adjusted)),
            Cell(shown_text(one)),
        )
        for one in found
    )
    fixed = "fixed in the analysis plan" if study.plan is not None else "chosen without an analysis plan"
    caption = (
        f"Margins in points of {first.metric}, {fixed}, by one-sided t tests; p corrected by Holm, of "
        f"{first.family_size} pairs. {margin_reasons_text(found)}Not shown does not mean refuted. {status_text(study)}"
    )
    level = level_text(1 - 2 * first.alpha)
    columns = (
        Column("first"),
        Column("second"),
        Column("claim"),
        Column(f"Δ {first.metric}", "difference", first.decimals),
        Column(f"{level} interval", "range"),
        Column(f"p of {first.family_size}", "p"),
        Column(""),
    )
    return PaperTable(f"margins-{name}", f"Margins in {first.metric}", caption, columns, rows)
