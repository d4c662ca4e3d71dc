"""Single segments and words: which carry a verdict, and how outputs differ."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtsig._probability import judged_level_text, level_text, points_text
from mtsig._writing import one_line
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import NotApplicable
from mtsig.inference import Comparison, Settings, p_text
from mtsig.inference._significance import known_test
from mtsig.metrics import Statistics
from mtsig.report._bundle import _frame, _used
from mtsig.report._families import closest_pair
from mtsig.report._naming import Naming
from mtsig.report._paper import names_of
from mtsig.report._say import interval_text
from mtsig.report._table import Column, Part, Table, known_ends
from mtsig.segments import Contributions, Leverage, Overview, WordView, contributions, leverage
from mtsig.segments._cards import card, page
from mtsig.segments._choosing import lines_of
from mtsig.segments._overview import judged_at, no_verdict
from mtsig.segments._word_view import ClassRow, NgramRow
from mtsig.study import Study

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
    return level_text(leverage.level) if leverage.comparisons == 1 else judged_level_text(1 - leverage.level)


def leverage_text(leverage: Leverage) -> str:
    """Return what hangs on a few units, and what that is worth, in two sentences."""
    return f"{leverage.sentence} {leverage.caution}"


def again_text(again: Comparison | None, untested: str) -> str:
    """Return what the test says without the units that turn the verdict, in a sentence; "" where none do.

    >>> import mtsig
    >>> from mtsig.report._segments import again_text
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> print(again_text(study.results[0].compared[0], ""))
    Without them p = .1250 (paired randomization, 4 segments, not corrected).
    """
    if again is None:
        return untested
    how = f"{known_test(again.test).label}, {number_of(again.units, again.unit, ',')}, not corrected"
    return f"Without them {p_text(again.p_value)} ({how})."


def leverage_table(leverage: Leverage) -> Table:
    """Return the difference and its interval without some shares of the units that push most, and of random ones."""
    until = leverage.k[0] if leverage.holds_until is None else leverage.holds_until.units
    at = np.unique(
        [
            *np.abs(leverage.k - leverage.n * np.array(_SHARES)[:, None]).argmin(axis=1),
            *np.flatnonzero(leverage.k == until),
        ]
    )
    decimals = leverage.metric.decimals
    return Table.of(
        leverage_text(leverage),
        (Column(f"{leverage.unit}s left out", "count"), leverage.k[at]),
        (Column("share", "share"), leverage.k[at] / leverage.n),
        (Column("Δ", "difference", decimals), leverage.difference[at]),
        (
            Column(f"{_level(leverage)} interval", "interval", decimals, True, key="interval"),
            zip(leverage.ci_low[at], leverage.ci_high[at], strict=True),
        ),
        (Column("Δ without random ones", "difference", decimals), leverage.random[at]),
        (
            Column("90% of random choices", "interval", decimals, True),
            zip(leverage.random_low[at], leverage.random_high[at], strict=True),
        ),
        name="leverage",
        title="Segments that carry the verdict",
    )


def segments_table(overview: Overview, corpus: Corpus | None = None) -> Table:
    """Return the segments that were asked for; with the corpus, also the beginnings of both outputs."""
    rows, decimals = overview.segments, overview.contributions.metric.decimals
    outputs: list[Part] = []
    if corpus is not None:
        places = [corpus.places[row.segment] for row in rows]
        for name in overview.pair:
            lines = lines_of(corpus, name)
            if lines is not None:
                outputs.append((Column(f"{name}: output"), [_excerpt(lines[place]) for place in places]))
    first, second = overview.pair
    return Table.of(
        segments_text(overview),
        (Column("segment", "count"), (row.segment for row in rows)),
        (Column("document"), (row.document for row in rows)),
        (Column("adds", "difference", decimals + 2), (row.contribution for row in rows)),
        (Column(first, "score", decimals), (row.first_score for row in rows)),
        (Column(second, "score", decimals), (row.second_score for row in rows)),
        (Column("length", "count"), (row.length for row in rows)),
        (Column("buckets"), (", ".join(row.buckets) or None for row in rows)),
        *outputs,
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
    rows, decimals = overview.buckets, overview.contributions.metric.decimals
    return Table.of(
        "A segment may be in several buckets, or in none: their parts need not sum to the difference.",
        (Column("bucket"), (row.title for row in rows)),
        (Column("name"), (row.name for row in rows)),
        (Column("segments", "count"), (row.count for row in rows)),
        (Column("of all", "share"), (row.share_of_segments for row in rows)),
        (Column("adds", "difference", decimals), (row.contribution for row in rows)),
        (Column("of the difference", "share"), (row.share_of_difference for row in rows)),
        name="buckets",
        title="Buckets",
    )


def word_tables(view: WordView, first: str, second: str) -> tuple[Table, ...]:
    """Return what two systems do with words: by frequency, by length of the segment, and n-grams either way.

    >>> import mtsig
    >>> from mtsig.report._segments import word_tables
    >>> from mtsig.segments import word_view
    >>> view = word_view(mtsig.read_sample(), mtsig.metric("bleu"), "direct", "via-esperanto")
    >>> tables = word_tables(view, "direct", "via-esperanto")
    >>> [(table.title, len(table.rows)) for table in tables]  # doctest: +NORMALIZE_WHITESPACE
    [('Words by frequency', 7), ('Segments by length', 5),
    ('N-grams that direct matches more often', 20), ('N-grams that via-esperanto matches more often', 20)]
    """
    interval = f"{level_text(view.level)} interval"
    cut = f"Words as {view.metric} cuts them ({view.tokens}); intervals by {view.unit}s."
    chosen = "Chosen for their difference: the interval says how evenly it is spread, and no more."
    return (
        _class_table(view.by_frequency, f"F of words by their frequency in the references. {cut}",
                     "times in references", interval, "Words by frequency", (first, second)),
        _class_table(view.by_length, f"{view.metric} of segments by their length. {cut}", "words", interval,
                     "Segments by length", (first, second)),
        _ngram_table(view.gained, f"What {first} matches more often than {second}. {chosen}", interval,
                     f"N-grams that {first} matches more often", (first, second)),
        _ngram_table(view.lost, f"What {second} matches more often than {first}. {chosen}", interval,
                     f"N-grams that {second} matches more often", (first, second)),
    )  # fmt: skip


def _class_table(
    rows: Sequence[ClassRow], caption: str, what: str, interval: str, title: str, pair: tuple[str, str]
) -> Table:
    first, second = pair
    return Table.of(
        caption,
        (Column(what), (row.name for row in rows)),
        (Column("count", "count"), (row.count for row in rows)),
        (Column(first, "score", 1), (row.first for row in rows)),
        (Column(second, "score", 1), (row.second for row in rows)),
        (Column("Δ", "difference", 1), (row.difference for row in rows)),
        (Column(interval, "interval", 1, True, key="interval"), (known_ends(row.ci_low, row.ci_high) for row in rows)),
        (Column("no interval, as", key="why"), (row.why or None for row in rows)),
        title=title,
    )


def _ngram_table(rows: Sequence[NgramRow], caption: str, interval: str, title: str, pair: tuple[str, str]) -> Table:
    first, second = pair
    ends = [known_ends(row.ci_low, row.ci_high) for row in rows]
    return Table.of(
        caption,
        (Column("n-gram"), (row.ngram for row in rows)),
        (Column(first, "count"), (row.first for row in rows)),
        (Column(second, "count"), (row.second for row in rows)),
        (Column("Δ", "difference", 0), (row.difference for row in rows)),
        (Column(interval, "interval", 1, True, key="interval"), ends if any(ends) else None),
        title=title,
    )


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

    That pair is the one of the headline; of chosen pairs without it, the first is taken.

    >>> import mtsig
    >>> from mtsig.report._segments import carrying_tables
    >>> corpus = mtsig.read_sample()
    >>> study = mtsig.compare(corpus, "chrf", pairs=[("direct", "direct-us")])
    >>> (table,), notes = carrying_tables(study, corpus, [mtsig.measure(corpus, "chrf")])
    >>> table.title, len(table.rows)
    ('chrF2: direct and direct-us', 8)

    Args:
        study: what documents are written of.
        corpus: its data, with its systems and references alone.
        counted: the statistics of its metrics.
        naming: what systems are called, and which are left out.
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
            unjudged = "" if comparison is None else no_verdict(comparison)
            pushed = leverage(by_unit, level, comparisons=comparisons, seed=settings.seed, no_verdict=unjudged)
        except NotApplicable as error:
            notes.append(Note("note", f"No segments carry the verdict in {family.metric}: {error}"))
            continue
        tables.append(_carrying(corpus, shares, pushed, naming.names, name))
    return tuple(tables), tuple(notes)


def _carrying(
    corpus: Corpus, contributions: Contributions, pushed: Leverage, names: Mapping[str, str], word: str
) -> Table:
    order = np.argsort(-contributions.values, kind="stable")
    strongest = [i for i in order[:_CARRYING] if contributions.values[i] > 0]
    strongest += [i for i in order[::-1][:_CARRYING][::-1] if contributions.values[i] < 0]
    values, numbers = contributions.values[strongest], contributions.numbers[strongest].tolist()
    first, second = (names.get(name, name) for name in (pushed.first, pushed.second))
    documents, decimals = corpus.documents, contributions.metric.decimals
    outputs: list[Part] = []
    for name, called in ((pushed.first, first), (pushed.second, second)):
        lines = lines_of(corpus, name)
        if lines is not None:
            outputs.append((Column(f"output of {called}"), [_excerpt(lines[i], _READ) for i in numbers]))
    caption = (
        f"{first} minus {second}: {points_text(contributions.difference, decimals, signed=True)} "
        f"{contributions.metric.name}, "
        f"{_level(pushed)} interval {interval_text(pushed.ci_low[0], pushed.ci_high[0], True, decimals)}. "
        f"{leverage_text(pushed)} The table shows the segments that push most towards either system, and what each "
        f"adds to the difference.{f' {contributions.note}' if contributions.note else ''}"
    )
    return Table.of(
        caption,
        (Column("pushes towards"), [first if value > 0 else second for value in values]),
        (Column("segment", "count"), [corpus.numbers[i] for i in numbers]),
        (Column("document"), [None if documents is None else documents[i] for i in numbers]),
        (Column("adds", "difference", decimals + 2), values),
        *outputs,
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
