"""Single segments and words: which carry a verdict, and how outputs differ."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from mtsig._probability import corrected_level_text, interval_text, level_text, points_text
from mtsig._writing import one_line
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.inference import Comparison, Settings, p_text
from mtsig.inference._tests import known_test
from mtsig.metrics import Statistics
from mtsig.report._bundle import _frame, _used
from mtsig.report._document import Naming
from mtsig.report._families import closest_pair
from mtsig.report._paper import names_of
from mtsig.report._table import Column, Table
from mtsig.segments import Contributions, Leverage, Overview, WordView, contributions, leverage, overview, word_view
from mtsig.segments._cards import card, page
from mtsig.segments._overview import SegmentRow, judged_at, lines_of, no_verdict
from mtsig.segments._word_view import ClassRow, NgramRow
from mtsig.study import Study

__all__ = ["Contributions", "Leverage", "Overview", "WordView", "contributions", "leverage", "overview", "word_view"]
"""What the face shows, here and in `_diagnostics`: results that show their tables themselves."""

_SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
"""Shares of the units that a table of leverage shows, beside the one that turns the verdict."""

_EXCERPT = 60
"""Characters of an output that a table shows."""

_CARRYING = 5
"""Segments on either side that a report shows."""

_READ = 300
"""Characters of an output that a report shows."""


def _level(leverage: Leverage) -> str:
    """Return the level of its intervals, as one sets it or as a correction left it."""
    return level_text(leverage.level) if leverage.comparisons == 1 else corrected_level_text(leverage.level)


def leverage_text(leverage: Leverage) -> str:
    """Return what hangs on a few units, and what that is worth, in two sentences."""
    return f"{leverage.sentence} {leverage.caution}"


def again_text(again: Comparison | None, untested: str) -> str:
    """Return what the test says without the units that turn the verdict, in a sentence; "" where none do."""
    if again is None:
        return untested
    how = f"{known_test(again.test).label}, {number_of(again.units, again.unit, ',')}, not corrected"
    return f"Without them {p_text(again.p_value)} ({how})."


def leverage_table(leverage: Leverage) -> Table:
    """Return the difference with its interval, without shares of the strongest units, and of random ones."""
    until = leverage.k[0] if leverage.holds_until is None else leverage.holds_until.units
    at = np.unique(
        [
            *np.abs(leverage.k - leverage.n * np.array(_SHARES)[:, None]).argmin(axis=1),
            *np.flatnonzero(leverage.k == until),
        ]
    )
    decimals = leverage.metric.decimals
    return Table.of_rows(
        leverage_text(leverage),
        at,
        Column(f"{leverage.unit}s left out", "count", of=leverage.k.__getitem__),
        Column("share", "share", of=lambda i: leverage.k[i] / leverage.n),
        Column("Δ", "difference", decimals, of=leverage.difference.__getitem__),
        Column(f"{_level(leverage)} CI", "interval", decimals, True, key="interval",
               of=lambda i: (leverage.ci_low[i], leverage.ci_high[i])),
        Column("Δ without random units", "difference", decimals, of=leverage.random.__getitem__),
        Column("90% range of random choices", "interval", decimals, True,
               of=lambda i: (leverage.random_low[i], leverage.random_high[i])),
        name="leverage",
        title="Segments behind the verdict",
    )  # fmt: skip


def segments_table(overview: Overview, corpus: Corpus | None = None) -> Table:
    """Return the segments that were asked for; with the corpus, also the beginnings of both outputs."""
    decimals, (first, second) = overview.contributions.metric.decimals, overview.pair
    lines = {} if corpus is None else {name: lines_of(corpus, name) for name in overview.pair}

    def excerpt(row: SegmentRow, lines: Sequence[str]) -> str:
        return _excerpt(lines[corpus.places[row.segment]]) if corpus is not None else ""

    return Table.of_rows(
        segments_text(overview),
        overview.segments,
        Column("segment", "count"),
        Column("document"),
        Column("adds", "difference", decimals + 2, of="contribution"),
        Column(first, "score", decimals, of="first_score"),
        Column(second, "score", decimals, of="second_score"),
        Column("length", "count"),
        Column("buckets", of=lambda row: ", ".join(row.buckets)),
        *(Column(f"{name}: output", of=partial(excerpt, lines=own)) for name, own in lines.items() if own is not None),
        name="segments",
        title="Segments",
    )


def segments_text(overview: Overview) -> str:
    """Return what the segments are of, and what those shown add up to."""
    whole, decimals = overview.contributions, overview.contributions.metric.decimals
    together = sum(row.contribution for row in overview.segments)
    shown, of = len(overview.segments), len(whole.numbers)
    part = ("All" if of > 1 else "The only") if shown == of else f"{shown:,} of"
    return (
        f"{whole.first} minus {whole.second}: {points_text(whole.difference, decimals, signed=True)} "
        f"{whole.metric.name}. {part} {number_of(of, 'segment', ',')}, {'which add' if shown > 1 else 'adding'} "
        f"{points_text(together, decimals, signed=True)}. {whole.statistics.signature}"
    )


def buckets_table(overview: Overview) -> Table:
    """Return how many segments each bucket holds, and what they add to the difference."""
    return Table.of_rows(
        "A segment may be in several buckets or in none, so their contributions need not add up to the difference.",
        overview.buckets,
        Column("bucket", of="title"),
        Column("name"),
        Column("segments", "count", of="count"),
        Column("of all", "share", of="share_of_segments"),
        Column("adds", "difference", overview.contributions.metric.decimals, of="contribution"),
        Column("of the difference", "share", of="share_of_difference"),
        name="buckets",
        title="Buckets",
    )


def word_tables(view: WordView, first: str, second: str) -> tuple[Table, ...]:
    """Return what two systems do with words: by frequency, by length of the segment, and n-grams either way."""
    cut = f"Words as {view.metric} tokenizes them ({view.tokens}); intervals over {view.unit}s."
    chosen = "These n-grams were selected by their difference, so the interval only shows how evenly it is distributed."
    interval = Column(f"{level_text(view.level)} CI", "interval", 1, True, key="interval", of="ci_low ci_high")

    def classes(rows: Sequence[ClassRow], caption: str, what: str, title: str) -> Table:
        scores = (Column(first, "score", 1, of="first"), Column(second, "score", 1, of="second"))
        return Table.of_rows(
            f"{caption} {cut}", rows, Column(what, of="name"), Column("count", "count"), *scores,
            Column("Δ", "difference", 1, of="difference"), interval,
            Column("why no interval", key="why"), title=title,
        )  # fmt: skip

    def ngrams(rows: Sequence[NgramRow], one: str, other: str) -> Table:
        counts = (Column(first, "count", of="first"), Column(second, "count", of="second"))
        return Table.of_rows(
            f"N-grams of the references that {one} matches more often than {other}. {chosen}", rows,
            Column("n-gram", of="ngram"), *counts,
            Column("Δ", "difference", 0, of="difference"), interval, title=f"N-grams that {one} matches more often",
        )  # fmt: skip

    return (
        classes(view.by_frequency, "F score of words, by their frequency in the references.", "times in references",
                "Words by frequency"),
        classes(view.by_length, f"{view.metric} of segments, by their length.", "words", "Segments by length"),
        ngrams(view.gained, first, second),
        ngrams(view.lost, second, first),
    )  # fmt: skip


def segments_page(overview: Overview, corpus: Corpus) -> str:
    """Return the segments that were asked for as one HTML document of cards that needs nothing else."""
    metric, titles = overview.contributions.metric, {row.name: row.title for row in overview.buckets}
    cards = [
        card(
            corpus,
            corpus.places[row.segment],
            overview.pair,
            metric=metric,
            contribution=row.contribution,
            scores=(row.first_score, row.second_score),
            remarks=[titles[name] for name in row.buckets],
        )
        for row in overview.segments
    ]
    said = [segments_text(overview), leverage_text(overview.leverage), again_text(overview.again, overview.untested)]
    return page(cards, f"{' and '.join(overview.pair)} in {metric.name}, segment by segment", list(filter(None, said)))


def carrying_tables(
    study: Study, corpus: Corpus, counted: Sequence[Statistics], naming: Naming | None = None
) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    """Return the segments that carry the verdict on the two best systems, a table per metric; and what has none.

    That pair is the one of the headline; of chosen pairs without it, the first is taken. corpus: with the systems and
    references of the study alone.
    """
    naming = naming or Naming()
    tables, notes = [], []
    for name, result, statistics in zip(names_of(study), study.results, counted, strict=True):
        family, settings = result.compared, study.settings
        pair = closest_pair(family) or (family[0].first, family[0].second)
        if set(pair) & set(naming.hidden):
            continue
        try:
            shares = contributions(statistics, *pair)
            by_unit = (
                shares if family.unit == "segment" else contributions(study.request.settings.at(statistics), *pair)
            )
            place = family.find(*pair)
            comparison = None if place is None else family[place]
            level, comparisons = judged_at(comparison, settings.level)
            no_word = "" if comparison is None else no_verdict(comparison)
            pushed = leverage(by_unit, level, comparisons=comparisons, seed=settings.seed, no_verdict=no_word)
        except NotApplicable as error:
            notes.append(Note("note", f"No segments behind the verdict on {family.metric} can be listed: {error}"))
            continue
        tables.append(_carrying(corpus, shares, pushed, naming.names, name))
    return tuple(tables), tuple(notes)


def _carrying(
    corpus: Corpus, contributions: Contributions, pushed: Leverage, names: Mapping[str, str], word: str
) -> Table:
    order = np.argsort(-contributions.values, kind="stable")
    strongest = [i for i in order[:_CARRYING] if contributions.values[i] > 0]
    strongest += [i for i in order[::-1][:_CARRYING][::-1] if contributions.values[i] < 0]
    first, second = (names.get(name, name) for name in (pushed.first, pushed.second))
    documents, decimals = corpus.documents, contributions.metric.decimals
    lines = {called: lines_of(corpus, name) for name, called in ((pushed.first, first), (pushed.second, second))}
    caption = (
        f"{first} minus {second}: {points_text(contributions.difference, decimals, signed=True)} "
        f"{contributions.metric.name}, "
        f"{_level(pushed)} CI {interval_text(pushed.ci_low[0], pushed.ci_high[0], True, decimals)}. "
        f"{leverage_text(pushed)} The table shows the largest contributions in favour of either system."
        f"{f' {contributions.note}' if contributions.note else ''}"
    )
    return Table.of_rows(
        caption,
        strongest,
        Column("in favour of", of=lambda i: first if contributions.values[i] > 0 else second),
        Column("segment", "count", of=lambda i: corpus.numbers[contributions.numbers[i]]),
        Column("document", of=lambda i: None if documents is None else documents[contributions.numbers[i]]),
        Column("adds", "difference", decimals + 2, of=contributions.values.__getitem__),
        *(
            (Column(f"output of {called}"), [_excerpt(own[contributions.numbers[i]], _READ) for i in strongest])
            for called, own in lines.items()
            if own is not None
        ),
        name=f"segments-{word}",
        title=f"{contributions.metric.name}: {first} and {second}",
    )


def _excerpt(line: str, most: int = _EXCERPT) -> str:
    text = one_line(line)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def segments_bundle(
    corpus: Corpus, settings: Settings, overview: Overview, asked: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the segments of a comparison and its leverage as one JSON object; asked: which segments were asked for."""
    whole, pushed = overview.contributions, overview.leverage
    until, left_out = pushed.holds_until, pushed.numbers.tolist()
    names = whole.document_names(corpus)
    test = settings.resolved(pushed.unit).test
    return _frame(
        corpus,
        _used(settings, "test level n_resamples seed unit", test=test, unit=pushed.unit),
        overview.pair,
        overview.notes,
        status="exploratory",
        metric=whole.metric.name,
        signature=whole.statistics.signature,
        pair=overview.pair,
        difference=whole.difference,
        unit=pushed.unit,
        level=settings.level,
        seed=pushed.seed,
        asked=dict(asked or {}),
        segments=overview.segments,
        documents=overview.documents,
        buckets=overview.buckets,
        leverage={
            "curve": pushed.rows(),
            "holds_until": None if until is None else {"units": until.units, "share": until.share},
            "unit": pushed.unit,
            "units": pushed.n,
            "interval": pushed.interval,
            "level": pushed.level,
            "comparisons": pushed.comparisons,
            "random_draws": pushed.n_resamples,
            "sentence": pushed.sentence,
            "caution": pushed.caution,
            "left_out": [
                names[i] if pushed.unit == "document" else i + 1 if pushed.unit == "block" else corpus.numbers[i]
                for i in left_out
            ],
            "again": overview.again,
            "untested": overview.untested or None,
        },
    )
