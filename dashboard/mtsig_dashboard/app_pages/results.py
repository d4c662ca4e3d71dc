"""Results: the finding, one figure of all systems and all pairs, and where to go on from it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import isnan
from typing import Any

import streamlit as st

from mtsig import Corpus, Settings, compare_runs, verdict
from mtsig._probability import interval_text, level_text, points_text, range_text
from mtsig._say import adjusted_text, say, units_text
from mtsig._writing import in_html, visible
from mtsig.corpus._notes import listed, number_of
from mtsig.explain import explain
from mtsig.figures._dots import intervals_text
from mtsig.figures._league import League
from mtsig.inference import CORRECTIONS, TESTS, Family, Intervals, Ranks, _ranks, _runs
from mtsig.metrics import Statistics
from mtsig.report import Table, _families
from mtsig.report._tables import detectable_text, withheld_text
from mtsig_dashboard import compute, session
from mtsig_dashboard.compute import ScoredMetric
from mtsig_dashboard.memory import asked
from mtsig_dashboard.parts import forms, frame, pictures, sharing, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

# Metrics that have room beside each other in the figure; of more it shows one, and a table all.
_ROOMY = 3
# Of more reasons why verdicts are withheld, each pair tells its own.
_MOST_REASONS = 3

_SCORES = "Scores"
_NOT_BY_OVERLAP = "Overlapping intervals do not show whether two systems differ"
_CELLS = "the cells {} do. {} to show differences from it"


def page() -> None:
    """Draw the page."""
    corpus = show.loaded()
    choices = session.current().selection.choices
    judged = _judged(corpus, choices)
    if not judged:
        _offer(corpus, choices)
        return
    runs = _runs_said(corpus, choices)
    shown = _shown(judged)
    ranks = None
    if shown.family is not None and _ranks.rankable(shown.family):
        ranks = compute.ranked(shown.family)
    base = _base(shown.family)
    league = _league(judged, shown, ranks, base)
    called = dict(zip((row.name for row in league.rows), league.names, strict=True))
    compared = [result.family for result in judged if result.family is not None]
    strip.draw(corpus, judged)
    _finding(judged, compared, shown, ranks, called, runs)
    if base:
        with frame.current().asked:
            label = f"Differences from {plain(called[base])} ✕"
            st.button(label, on_click=session.choose, args=(session.FROM, _SCORES), key="leave-base")
    with st.container(key="league"), show.part():
        if len(judged) > 1:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption("Ranks and pairs by", width="content")
                forms.shown_metric(choices)
        _picture(league, shown)
        # What the figure shows is there for who has the page read out; of many metrics all see it.
        reasons = {row.name: row.reason for row in league.rows if row.reason}
        scored = [result.intervals for result in judged]
        st.html(_table(scored, judged.index(shown), ranks, reasons, is_seen=len(judged) > _ROOMY))
    _below(corpus, shown, compared, runs)
    if shown.family is not None:
        with show.part():
            _steps(compared, called)
        many = len(shown.family)
        label = f"All {number_of(many, 'comparison', ',')}" if many > 1 else "The comparison"
        show.fold(label, "all-comparisons", _pairs, shown.family)
    show.fold("Scores in numbers", "scores-in-numbers", _in_numbers, judged, shown, ranks)
    frame.current().downloads(_downloads, judged, shown.family, league)


def _finding(
    judged: Sequence[ScoredMetric],
    compared: Sequence[Family],
    shown: ScoredMetric,
    ranks: Ranks | None,
    called: Mapping[str, str],
    runs: Sequence[str],
) -> None:
    """Say the finding: of all metrics, or of the first where these are many, and how far by the one that is shown."""
    head = frame.current()
    if shown.family is None or not compared:
        said = _families.ranking_text(judged[0].intervals)
        head.say(said.removesuffix("."), "One system alone cannot be compared; add a second one.")
        return
    first = [shown.family] if len(compared) > _families.MOST_IN_TITLE else compared
    title = _families.title_text(first, ranks if first[0] is shown.family else None, called)
    if runs:
        # A verdict on single runs is none on the systems.
        head.say(f"Single runs: {title}", f"All runs together: {' '.join(runs)}")
        return
    ledes = (_families.lede_text(shown.family, ranks, called, brief=brief) for brief in (False, True))
    head.say(title, *ledes)
    corpus, statistics = session.current().data.corpus, shown.statistics
    if corpus is not None:
        of = (corpus, statistics.metric, shown.family)
        head.card = partial(sharing.of_league, *of, shown.intervals, ranks, head.whose)
        if len(shown.family) == 1 and shown.family[0].n_differing:
            best, other = shown.family.order
            head.card = partial(sharing.of_pair, *of, best, other, head.whose)


def _shown(judged: Sequence[ScoredMetric]) -> ScoredMetric:
    """Return the metric by which systems are ranked: the one chosen above the figure, which is drawn later."""
    name = session.choice("shown") or forms.said("shown")
    return next(
        (result for result in judged if name in (result.metric.name, f"{result.metric.name} (rating)")), judged[0]
    )


def _base(family: Family | None) -> str:
    """Return the system from which differences are shown; empty where scores are."""
    name = session.choice(session.FROM) or forms.said(session.FROM)
    return name if family is not None and name in family.order else ""


def _league(judged: Sequence[ScoredMetric], shown: ScoredMetric, ranks: Ranks | None, base: str) -> League:
    metrics = [result.intervals for result in judged]
    by = judged.index(shown)
    if len(judged) > _ROOMY or base:
        metrics, by = [shown.intervals], 0
    full = bool(session.choice("full_square")) or forms.said("full_square") == "true"
    # What warns names the reference; the row says how much.
    kin = [kinship.kin for kinship in shown.statistics.kinships if kinship.sets_apart]
    reasons = {each.system: each.amount for each in kin}
    return League.of(metrics, shown.family, ranks, base, full, by, reasons)


def _picture(league: League, shown: ScoredMetric) -> None:
    """Draw the figure; a narrow page shows its panels below each other. A cell opens its pair, a name differences."""
    metric, family, clicks = shown.intervals.metric, shown.family, session.current().view.clicks
    has_cells, picked = league.matrix is not None, []
    where = (("at the right", "Click a cell to open the pair, or a name"), ("below", "Tap a name"))
    does = [_CELLS.format(*each) if has_cells else "their difference does" for each in where]
    wide, narrow = (f"{_NOT_BY_OVERLAP}; {text}. {league.rails_text}".strip() for text in does)
    if league.base and family is not None:
        # What the thin lines are, on which the verdicts rest.
        wide = narrow = f"{intervals_text(family[0])} {league.rails_text}".strip()
    with st.container(key="league-both"):
        alt = f"Scores in {metric} with intervals, and all pairs of systems with differences and verdicts"
        picked += _drawn(league, f"league{clicks}", alt)
        if len(league.rows) > 1:
            st.caption(wide)
    with st.container(key="league-narrow"):
        scores = league.alone("scores")
        _drawn(scores, f"scores{clicks}", f"Scores in {metric} with intervals")
        if scores.marks_text:
            st.caption(scores.marks_text)
        if len(league.rows) > 1:
            st.caption(narrow)
        if has_cells:
            st.header("Which differences are significant?", anchor=False)
            alt = f"All pairs of systems in {metric}, with verdicts"
            picked += _drawn(league.alone("matrix"), f"cells{clicks}", alt)
            st.caption("Rows and columns have the numbers of the systems above. Tap a cell to open the pair.")
    if family is None:
        return
    named = (f"figure-{name}{clicks}" for name in ("league", "scores", "cells"))
    pictures.follow(dict.fromkeys(named, _name_clicked), names_alone=True)
    whole = {name: name for name in family.order}
    if league.matrix is not None:
        whole = dict(zip(league.matrix.names, league.matrix.order, strict=True)) | whole
    for pair in picked:
        match pair:
            case [str(first), str(second), *_] if {first, second} <= {*whole}:
                session.current().choose_pair(whole[first], whole[second])


def _drawn(league: League, key: str, alt: str) -> list[object]:
    """Draw a figure and return the pairs of the cells that were chosen in it, also by keyboard."""
    picked = pictures.charts(league, key, alt, on_select="rerun", selection_mode="points")
    cells = [point.get("customdata") for point in picked["selection"]["points"]] if picked else []
    if league.matrix is not None and league.view != "scores":
        cells.append(pictures.chosen_by_keyboard(f"figure-{key}", "Cells of the matrix"))
    return cells


def _name_clicked(number: int, name: object) -> None:
    del number
    if isinstance(name, str):
        session.choose(session.FROM, name)


def _below(corpus: Corpus, shown: ScoredMetric, compared: Sequence[Family], runs: Sequence[str]) -> None:
    """Say what the figure does not show, what it was made of and how, and what qualifies it."""
    family = shown.family
    with st.container(key="below-league"):
        strip.source_line(corpus, shown.statistics, "league")
        if family is not None:
            said = [_families.counts_text(compared) or _families.family_text(family), *_in_spite(shown, family)]
            st.caption(plain(" ".join(said)))
    if family is None:
        return
    if runs:
        st.caption("The scores, comparisons and ranks below are for single runs. Only the title combines runs.")
        return
    for text in filter(None, map(_families.default_text, compared)):
        st.caption(plain(text))
    together = _families.families_text(compared)
    if together:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain(together))
            st.button("Correct for all metrics together", on_click=session.choose, args=("joined", True))


def _in_spite(shown: ScoredMetric, family: Family) -> Iterator[str]:
    """Yield why there are verdicts on a system that is not ranked, because its score is inflated by a reference."""
    for kinship in shown.statistics.kinships:
        name, reference = kinship.kin.system, kinship.kin.reference
        given = [verdict(row) for row in family if name in (row.first, row.second)]
        if not kinship.sets_apart or all(each.word == "withheld" for each in given):
            continue
        if reference in family.without:
            yield f"The verdicts shown on {name} also hold without reference {reference}."
            continue
        yield f"Verdicts in favour of {name} are withheld, because its score is inflated."
        if any(each.winner for each in given):
            yield f"Verdicts that {name} is worse hold nevertheless."
        if any(each.word == "not_significant" for each in given):
            yield f"Where a difference is not significant, {name} may be worse."


def _judged(corpus: Corpus, choices: Choices) -> list[ScoredMetric]:
    """Return every metric with scores and comparisons; of those that have none it is said why."""
    without = [] if corpus.references else [metric.name for metric in choices.metrics if metric.needs_references]
    if without:
        needs = "needs a reference" if len(without) == 1 else "need a reference"
        st.error(f"{plain(listed(without))} {needs}, but none was given.")
        show.onward(session.DATA, "Add one on the Data page")
    counts = []
    for metric in choices.metrics:
        if metric.name not in without:
            with show.part():
                counts.append(compute.scored(corpus, metric, choices))
    return counts


def _offer(corpus: Corpus, choices: Choices) -> None:
    """Lead on where what was asked for is not for any of these metrics: to what it takes, by one click."""
    settings, standard = choices.settings, Settings()
    if len(corpus.systems) < 2 or all(getattr(settings, name) == getattr(standard, name) for name in _OF_METHOD):
        return
    test = TESTS[settings.resolved("segment").test]
    of_segments = test.segment_only or CORRECTIONS[settings.resolved("segment").correction].needs == "segment means"
    if test.segment_only:
        st.markdown(f"**{plain(test.title)}** compares segment scores. Choose a metric that has them, or another test:")
    with st.container(horizontal=True):
        if of_segments and corpus.ratings:
            st.button("Use the human ratings", on_click=_take_metrics, args=("rating", list(corpus.ratings)))
        if of_segments and corpus.outputs and corpus.references and not test.printed_only:
            st.button("Use sentBLEU", on_click=_take_metrics, args=("more", ["sentbleu"]))
        st.button("Use the recommended test", on_click=_take_standard)


def _take_metrics(key: str, names: Sequence[str]) -> None:
    for group in ("metric", "more", "rating"):
        session.choose(group, [])
    session.choose(key, [f"rating:{name}" for name in names] if key == "rating" else list(names))


# The settings that may not be for a metric, or for its units.
_OF_METHOD = ("test", "interval", "correction", "unit")


def _take_standard() -> None:
    for name in _OF_METHOD:
        session.choose(name, getattr(Settings(), name))


def _runs_said(corpus: Corpus, choices: Choices) -> list[str]:
    """Return what all runs of the systems say together; nothing where no system has several that are compared."""
    several = session.current().selection.runs(list(corpus.systems))
    pairs = list(combinations(several, 2))
    said: list[str] = []
    for metric in choices.metrics if pairs else ():
        with show.part():
            statistics = compute.measured(corpus, metric)
            results = [_runs_of(statistics, choices.settings, several, *pair) for pair in pairs]
            said += map(say, _runs.correct_runs(results))
    return said


def _runs_of(
    statistics: Statistics, settings: Settings, mapping: Mapping[str, tuple[str, ...]], first: str, second: str
) -> _runs.RunComparison:
    """Return the comparison of two systems with several runs each; `mapping` says which are whose."""
    # What is nobody's of the two says nothing of them.
    own = {name: mapping[name] for name in (first, second)}
    options = {name: getattr(settings, name) for name in ("level", "unit", "n_resamples", "seed")}
    return asked("Comparing runs …", compare_runs, statistics, first, second, own, **options)


def _in_numbers(judged: Sequence[ScoredMetric], shown: ScoredMetric, ranks: Ranks | None) -> None:
    """Show scores, intervals and ranks as tables."""
    for result in judged:
        numbers = pictures.scores(result.intervals, ranks if result is shown else None)
        pictures.table(numbers, alt=f"{result.intervals.metric} and interval of every system")
        units = units_text(result.intervals.units.tolist(), result.intervals.unit)
        st.caption(plain(f"{units} · {result.intervals.signature}"))
    if ranks is not None:
        st.caption(plain(_families.ranks_text(ranks)))
        st.caption(explain("ranks"))


def _best_first(judged: Sequence[ScoredMetric]) -> list[dict[str, Any]]:
    """Return the scores of all metrics, best first in each."""
    scored = [(result.intervals.rows(), result.intervals.order()) for result in judged]
    return [rows[i] for rows, order in scored for i in order]


def _downloads(judged: Sequence[ScoredMetric], family: Family | None, league: League) -> None:
    """Offer the numbers and the figure as files."""
    pictures.csv("Scores (.csv)", partial(_best_first, judged), "scores.csv")
    if family is not None:
        pictures.csv("Comparisons (.csv)", lambda: pictures.comparisons(family), "comparisons.csv")
    pictures.for_paper(league, "league", "The figure", "acl-full")


def _pairs(family: Family) -> None:
    """Show the comparisons as a table, whose rows open their pairs by keyboard, too."""
    said = _families.family_text(family, shown=["bootstrap win rate"])
    st.caption(plain(f"{said} {withheld_text(family, _MOST_REASONS)}"))
    # A narrow window has no room for a table of eight columns: style.css shows it what counts.
    with st.container(key="pairs-narrow"):
        st.html(pictures.narrow_comparisons(family))
    with st.container(key="pairs-wide"):
        _table_of_pairs(family, pictures.comparisons(family))


def _table_of_pairs(family: Family, comparisons: Table) -> None:
    shown = pictures.at_a_glance(
        comparisons,
        *(["p"] if family.test.by_wins else ["bootstrap win rate"]),
        *(["low", "high"] if "adjusted low" in comparisons.names else []),
        *(["p"] if "p corrected" in comparisons.names else []),
        if_room=("detectable", "Monte Carlo interval"),
    )
    rows = pictures.table(
        comparisons,
        alt="All comparisons by score; choosing a row opens the pair",
        column_order=shown,
        on_select="rerun",
        selection_mode="single-row",
        key=f"pairs{session.current().view.clicks}",
    )
    detectable = detectable_text(family) if pictures.DETECTABLE in shown else ""
    st.caption(f"{adjusted_text(family)} {detectable}Choose a row to open the pair.".lstrip())
    if rows["selection"]["rows"]:
        chosen = family.by_score()[rows["selection"]["rows"][0]]
        session.current().choose_pair(chosen.first, chosen.second)


def _steps(families: Sequence[Family], called: Mapping[str, str]) -> None:
    """Lead on."""
    family, pair = families[0], _families.closest_pair(families[0])
    at = None if pair is None else family.find(*pair)
    with show.steps():
        if pair is not None and at is not None:
            label = plain(f"Compare {called.get(pair[0], pair[0])} and {called.get(pair[1], pair[1])}")
            if frame.current().step.button(label, type="primary"):
                session.current().choose_pair(*pair)
            # Where no difference is significant, no segments decide.
            decide = verdict(family[at]).winner is not None
            if st.button("Read the most influential segments" if decide else "Read the segments where the two differ"):
                session.current().choose_pair(*pair, page=session.SEGMENTS)
        if st.button("Figure for a paper"):
            session.current().open_page(session.PAPER)
        with st.popover("View"):
            systems = [_SCORES, *family.order]
            session.drop_stale(session.FROM, systems)
            st.selectbox("Scores, or differences from", systems, format_func=visible, **forms.bound(session.FROM))
            st.toggle("Full square", **forms.bound("full_square"), help="Show every pair in both directions.")


def _table(
    scored: Sequence[Intervals], by: int, ranks: Ranks | None, reasons: Mapping[str, str], *, is_seen: bool
) -> str:
    """Return scores as a table: systems in the order of metric number `by`, of which the ranks are.

    reasons: why some are not ranked. is_seen: where it is not, it is only read out.
    """
    head = ["System"]
    head += [f"{each.metric}{'' if each.higher_is_better else ' ↓'}, {level_text(each.level)} CI" for each in scored]
    places = {place.system: range_text(place.rank_low, place.rank_high) for place in ranks or ()}
    rows = []
    # In the order of one metric, and what it does not score in that of the others.
    for name in dict.fromkeys(result.systems[i] for result in (scored[by], *scored) for i in result.order()):
        why = f" (not ranked: {reasons[name]})" if name in reasons else ""
        cells = [_cell(each, name) if name in each.systems else "not scored" for each in scored]
        cells += [] if ranks is None else ["–" if name in reasons else places.get(name, "")]
        rows.append(tuple(map(in_html, (f"{name}{why}", *cells))))
    look = "league" if is_seen else "aloud"
    return pictures.grid("Scores of all systems", look, [*head, *([] if ranks is None else ["Rank"])], rows)


def _cell(scored: Intervals, name: str) -> str:
    score = scored[name]
    text = points_text(score.score, scored.decimals)
    ends = interval_text(score.ci_low, score.ci_high, decimals=scored.decimals)
    return text if isnan(score.ci_low) else f"{text} ({ends})"


show.guarded(page)
