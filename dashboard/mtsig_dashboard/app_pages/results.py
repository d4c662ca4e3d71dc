"""Results: the verdict, what to know before it is believed, then all systems in a table and all pairs in a matrix."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import streamlit as st

from mtsig import Corpus, Settings, compare_runs, verdict
from mtsig._probability import level_text, points_text
from mtsig.corpus._notes import is_human, listed
from mtsig.figures import Forest, Matrix
from mtsig.inference import CORRECTIONS, TESTS, Family, Intervals, Ranks, RunComparison, groups
from mtsig.inference._intervals import Score
from mtsig.inference._ranks import rankable
from mtsig.inference._runs import judge_runs
from mtsig.metrics import Metric, Statistics
from mtsig.report import Table, csv_table
from mtsig.report._diagnostics import runs_text
from mtsig.report._families import (
    caution_of_family,
    closest_pair,
    closest_text,
    counts_text,
    families_text,
    family_text,
    headline_text,
    people_text,
    ranking_text,
    ranks_text,
)
from mtsig.report._say import adjusted_text, units_text
from mtsig.report._table import in_html, records_table
from mtsig.report._tables import detectable_text, withheld_text
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked
from mtsig_dashboard.parts import forms, pictures, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.parts.strip import ScoredMetric
from mtsig_dashboard.state import Choices

_RAILS = (
    "Bars at the left join neighbours that the {test} does not separate in {metric}. Intervals of single systems do "
    "not compare two: {where} does."
)
_NO_RAILS = "Intervals of single systems do not compare two: their difference does."

# Of more metrics the heading speaks of the first, and a sentence below of the others.
_MOST_IN_HEADING = 2
# Of more reasons why verdicts are withheld, each pair tells its own.
_MOST_REASONS = 3

_PAIRS, _FROM_ONE = "All pairs", "Differences from one system"


def page() -> None:
    """Draw the page."""
    # The heading says the verdict, which is known only at the end of the first wait.
    with st.container(key="verdict"):
        heading = st.empty()
    heading.title("Results", anchor=False)
    corpus = show.loaded()
    choices = session.current().selection.choices
    judged = _judged(corpus, choices)
    if not judged:
        _offer(corpus, choices)
        return
    compared = [result.family for result in judged if result.family is not None]
    together = _runs(corpus, choices)
    if compared:
        if together:
            # A verdict on single runs is none on the systems.
            st.markdown(f"**Single runs:** {plain(headline_text(compared))}")
        else:
            # A heading of many metrics would be a page of its own.
            heads = compared if len(compared) <= _MOST_IN_HEADING else compared[:1]
            heading.title(plain(headline_text(heads)), anchor=False)
            if heads != compared:
                st.markdown(plain(headline_text(compared[1:])))
        people = people_text(compared[0])
        st.markdown(plain(" ".join(filter(None, (closest_text(compared[0]), counts_text(compared), people)))))
    else:
        st.markdown(
            f"**{plain(ranking_text(judged[0].intervals))}** One system alone cannot be compared; add a second one."
        )
    # What may turn a verdict stands before what may only qualify one.
    with show.part():
        strip.draw(corpus, judged)
    if not together:
        show.warnings([text for family in compared if (text := caution_of_family(family))])
        _families(compared)
    shown = judged[0]
    if len(judged) > 1:
        metric = forms.shown_metric(choices, "Order, places and pairs by")
        shown = next((result for result in judged if result.metric == metric), shown)
    places = None
    if shown.family is not None and rankable(shown.family):
        places = compute.ranked(shown.family)
    with st.container(horizontal=True, gap="medium", key="results"):
        with st.container(key=f"league{min(len(judged), 3)}"), show.part():
            _league(judged, shown, places)
        if shown.family is not None and len(shown.family) > 1:
            with st.container(key="matrix"), show.part():
                _beside(shown.family)
    if shown.family is not None:
        with show.part():
            _pairs(shown.family)
            _steps(compared)


def _judged(corpus: Corpus, choices: Choices) -> list[ScoredMetric]:
    """Return every metric with scores and comparisons; of those that have none it is said why."""
    without = (
        [measured.name for measured in choices.metrics if measured.needs_references] if not corpus.references else []
    )
    if without:
        needs = "needs a reference" if len(without) == 1 else "need a reference"
        st.error(f"{plain(listed(without))} {needs}, and there is none among the files.")
        show.onward(session.DATA, "Add one on the Data page")
    counts = []
    for metric in choices.metrics:
        if metric.name not in without:
            with show.part():
                counts.append(_of_metric(corpus, metric, choices))
    return counts


def _offer(corpus: Corpus, choices: Choices) -> None:
    """Lead on where what was asked for is not for any of these metrics: to what it takes, by one click."""
    settings, standard = choices.settings, Settings()
    if len(corpus.systems) < 2 or all(getattr(settings, name) == getattr(standard, name) for name in _OF_METHOD):
        return
    test = TESTS[settings.resolved("segment").test]
    of_segments = test.segment_only or CORRECTIONS[settings.resolved("segment").correction].needs == "segment means"
    if test.segment_only:
        st.markdown(f"**{plain(test.title)}** compares segment scores. Choose what has them, or another test:")
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


def _families(compared: Sequence[Family]) -> None:
    """Say what several metrics, each corrected by itself, add up to, and let one click correct for all of them."""
    said = families_text(compared)
    if said:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain(said))
            st.button("Judge all metrics together", on_click=session.choose, args=("joined", True))


def _of_metric(corpus: Corpus, metric: Metric, choices: Choices) -> ScoredMetric:
    statistics = compute.measured(corpus, metric)
    intervals = compute.intervals(statistics, choices.settings)
    family = show.family(corpus, metric, choices) if len(statistics.systems) > 1 else None
    return ScoredMetric(metric, statistics, intervals, family)


def _runs(corpus: Corpus, choices: Choices) -> bool:
    """Say first what all runs of the systems say together, and that everything below is of single runs.

    Returns whether any system has several runs that are compared with another's.
    """
    several = session.current().selection.runs(list(corpus.systems))
    pairs = list(combinations(several, 2))
    for metric in choices.metrics if pairs else ():
        with show.part():
            statistics = compute.measured(corpus, metric)
            results = [_runs_of(statistics, choices.settings, several, *pair) for pair in pairs]
            for run_comparison in judge_runs(results):
                st.markdown(f"**All runs together:** {plain(runs_text(run_comparison))}")
    if pairs:
        st.caption("The scores, comparisons and ranks below are of single runs; runs are taken together only above.")
    return bool(pairs)


def _runs_of(
    statistics: Statistics, settings: Settings, mapping: Mapping[str, tuple[str, ...]], first: str, second: str
) -> RunComparison:
    """Return the comparison of two systems with several runs each; `mapping` says which are whose."""
    # What is nobody's of the two says nothing of them.
    own = {name: mapping[name] for name in (first, second)}
    options = {name: getattr(settings, name) for name in ("level", "unit", "n_resamples", "seed")}
    return asked("Comparing runs …", compare_runs, statistics, first, second, own, **options)


def _league(judged: Sequence[ScoredMetric], shown: ScoredMetric, places: Ranks | None) -> None:
    """Draw systems × metrics, in the order of the metric shown, with the groups that its test leaves together."""
    scored, family = [of_metric.intervals for of_metric in judged], shown.family
    rails = () if family is None else groups(family)
    alone = family is None or len(family) == 1
    test = "corrected test" if family is not None and family.corrected and not alone else "test"
    where = "their difference" if alone else "the matrix"
    caption = _RAILS.format(metric=shown.intervals.metric, test=test, where=where) if rails else ""
    if rails and alone and all(len(group) == 1 for group in rails):
        # Two systems that are separated have nothing to be joined with.
        rails, caption = (), _NO_RAILS
    st.html(league(scored, judged.index(shown), rails, places, caption))
    if places is not None:
        st.caption(plain(ranks_text(places)))
    pictures.explained("score-intervals", also=None if places is None else "ranks")
    with st.expander("Scores in numbers"):
        for result in judged:
            numbers = pictures.scores(result.intervals, places if result is shown else None)
            pictures.table(numbers, alt=f"{result.intervals.metric} and interval of every system")
            st.caption(
                plain(
                    f"{units_text(result.intervals.units.tolist(), result.intervals.unit)} · "
                    f"{result.intervals.signature}"
                )
            )
    pictures.csv("Scores (.csv)", partial(_scores_csv, scored), "scores.csv")


def _beside(family: Family) -> None:
    """Draw beside the scores what compares systems: all pairs, or the differences from one system."""
    views: dict[str, Callable[[Family], None]] = {_PAIRS: _matrix, _FROM_ONE: _differences}
    chosen = st.segmented_control(
        "Beside the scores",
        list(views),
        default=_PAIRS,
        required=True,
        label_visibility="collapsed",
        **forms.bound("beside"),
    )
    views[chosen or _PAIRS](family)


def _differences(family: Family) -> None:
    """Draw what intervals of single systems do not say: those of the differences from the system that is chosen."""
    systems = list(family.order)
    session.drop_stale("from_system", systems)
    system = st.selectbox("From", systems, **forms.bound("from_system"))
    picture = Forest.of(family, system)
    alt = f"Differences in {family.metric} of {system} from all other systems, with intervals, against zero"
    pictures.figure(picture, key="from_one", alt=alt)
    st.caption(plain(picture.caption))


def _scores_csv(scored: Sequence[Intervals]) -> str:
    """Return the scores of all metrics, best first in each."""
    rows = [rows[i] for intervals in scored for rows in [intervals.rows()] for i in intervals.order()]
    return csv_table(records_table(rows, given=rows[0]))


def _matrix(family: Family) -> None:
    """Draw all pairs; a click on a cell opens its pair, and so does Enter."""
    full = st.toggle("Full square", **forms.bound("full_square"), help="Every pair from both sides.")
    key = f"matrix{session.current().view.clicks}"
    picked = pictures.figure(
        Matrix.of(family.by_score(), full),
        key=key,
        alt=f"Matrix of differences in {family.metric} between all pairs of systems, with verdicts",
        on_select="rerun",
        selection_mode="points",
    )
    points = picked["selection"]["points"] if picked else []
    by_keyboard = pictures.chosen_by_keyboard(f"figure-{key}", "Cells of the matrix")
    if points:
        session.current().choose_pair(*points[0]["customdata"][:2])
    elif by_keyboard is not None and {*by_keyboard} <= {*family.order}:
        session.current().choose_pair(*by_keyboard)


def _pairs(family: Family) -> None:
    """Show the comparisons as a table, whose rows open their pairs by keyboard, too."""
    st.header("Every comparison")
    st.caption(plain(f"{family_text(family)} {withheld_text(family, _MOST_REASONS)}"))
    comparisons = pictures.comparisons(family)
    # A narrow window has no room for a table of eight columns: style.css shows it what counts.
    with st.container(key="pairs-narrow"):
        st.html(pictures.narrow_comparisons(family))
    with st.container(key="pairs-wide"):
        _table_of_pairs(family, comparisons)
    st.caption(plain(family.signature))
    pictures.csv("Comparisons (.csv)", partial(csv_table, comparisons), "comparisons.csv")


def _table_of_pairs(family: Family, comparisons: Table) -> None:
    shown = pictures.at_a_glance(
        comparisons,
        *(["p"] if family.test.by_wins else ["resamples won"]),
        *(["low", "high"] if "adjusted low" in comparisons.names else []),
        *(["p"] if "p corrected" in comparisons.names else []),
        if_room=("detectable", "95% drawing error"),
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
    adjusted = adjusted_text(family)
    st.caption(f"{adjusted}{' ' if adjusted else ''}{detectable}Choosing a row opens the pair.")
    if rows["selection"]["rows"]:
        chosen = family.by_score()[rows["selection"]["rows"][0]]
        session.current().choose_pair(chosen.first, chosen.second)


def _steps(families: Sequence[Family]) -> None:
    """Lead on."""
    family, pair = families[0], closest_pair(families[0])
    at = None if pair is None else family.find(*pair)
    with st.container(horizontal=True):
        if pair is not None and at is not None:
            led = "Closest contenders:" if len(family) > 1 else "Compare"
            if st.button(f"{led} {plain(pair[0])} and {plain(pair[1])}", type="primary"):
                session.current().choose_pair(*pair)
            # Where nothing separates the two, no segments decide.
            decide = verdict(family[at]).winner is not None
            if st.button("Read the segments that decide it" if decide else "Read the segments where the two differ"):
                session.current().choose_pair(*pair, page=session.SEGMENTS)
        if st.button("Get the figure"):
            session.current().open_page(session.PAPER)


# Metrics that have room beside each other; of more, intervals stand below the scores.
_ROOMY = 3

# Pixels from one rail to the next.
_LANE = 7


def league(
    scored: Sequence[Intervals], by: int, groups: Sequence[Sequence[str]], places: Ranks | None, caption: str
) -> str:
    """Return the table: systems in the order of metric number `by`, which the groups and the places are of."""
    order = ordered(scored, by)
    lanes = _lanes(groups, order)
    width = (1 + max(lanes)) * _LANE + 6 if lanes else 0
    ranges = _ranges(places)
    # A table that has no room makes what is only drawn as narrow as nothing: the room is said as padding.
    room = f"padding: 0 0 0 {width}px"
    head = [f'<th scope="col" style="{room}"><span class="aloud">Group</span></th>'] if lanes else []
    head.append('<th scope="col">System</th>')
    for number, intervals in enumerate(scored):
        direction = "descending" if intervals.higher_is_better else "ascending"
        sort = f' aria-sort="{direction}"' if number == by else ""
        arrow = "" if intervals.higher_is_better else " ↓"
        told = f"{in_html(intervals.metric)}{arrow}, {level_text(intervals.level)} interval"
        head.append(f'<th scope="col"{sort}>{told}</th>')
    if ranges:
        of_metric = f" by {in_html(scored[by].metric)}" if len(scored) > 1 else ""
        head.append(f'<th scope="col">Places{of_metric}</th>')
    cells = [_metric_cells(item) for item in scored]
    apart = {score.system: score.apart for item in scored for score in item if score.apart}
    rows = []
    for name in order:
        row = [_rails(name, groups, lanes)] if lanes else []
        # A long name goes on in the next line where it has a joint, not within a number.
        name_html = re.sub("[-_./]", r"\g<0><wbr>", in_html(name))
        row.append(f'<th scope="row">{name_html}{_mark(name, apart.get(name, ""))}</th>')
        row += [cell.get(name, '<td><span class="aloud">not scored</span></td>') for cell in cells]
        if ranges:
            row.append(f"<td>{ranges.get(name, '')}</td>")
        rows.append(f"<tr>{''.join(row)}</tr>")
    kind = "league many" if len(scored) > _ROOMY else "league"
    return (
        f'<div class="{kind}" role="region" aria-label="Scores of all systems" tabindex="0"><table>'
        f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"{f'<p>{in_html(caption)}</p>' if caption else ''}"
    )


def ordered(scored: Sequence[Intervals], by: int) -> list[str]:
    """Return the systems by one metric, then those that it does not score, by the others."""
    several = [scored[by], *(intervals for number, intervals in enumerate(scored) if number != by)]
    return list(dict.fromkeys(result.systems[i] for result in several for i in result.order()))


def _mark(name: str, apart: str) -> str:
    if is_human(name):
        return ' <span class="human">human</span>'
    return f' <span class="human" title="{in_html(apart)}">set apart</span>' if apart else ""


def _ranges(places: Ranks | None) -> dict[str, str]:
    if places is None:
        return {}
    return {
        place.system: str(place.rank_low)
        if place.rank_low == place.rank_high
        else f"{place.rank_low}–{place.rank_high}"
        for place in places
    }


def _lanes(groups: Sequence[Sequence[str]], order: Sequence[str]) -> list[int]:
    """Return for each group how far to the right its rail stands: no two rails of one lane touch."""
    ends: list[int] = []
    lanes = []
    for group in groups:
        first, last = order.index(group[0]), order.index(group[-1])
        lane = next((number for number, end in enumerate(ends) if end < first), len(ends))
        ends[lane:] = [last, *ends[lane + 1 :]]
        lanes.append(lane)
    return lanes


def _rails(name: str, groups: Sequence[Sequence[str]], lanes: Sequence[int]) -> str:
    rails, numbers = [], []
    for number, (group, lane) in enumerate(zip(groups, lanes, strict=True), 1):
        if name in group:
            ends = f"{' begins' if name == group[0] else ''}{' ends' if name == group[-1] else ''}"
            rails.append(f'<span class="rail{ends}" style="left: {lane * _LANE}px"></span>')
            numbers.append(str(number))
    return f'<td class="rails"><span class="aloud">{", ".join(numbers)}</span>{"".join(rails)}</td>'


def _metric_cells(scored: Intervals) -> dict[str, str]:
    """Return the cell of every system, the pictures of one metric on one scale."""
    low, high = float(np.nanmin([*scored.ci_low, *scored.score])), float(np.nanmax([*scored.ci_high, *scored.score]))
    return {score.system: _cell(score, scored, low, (high - low) or 1.0) for score in scored}


def _cell(score: Score, scored: Intervals, least: float, range_of_all: float) -> str:
    text = points_text(score.score, scored.decimals)
    if np.isnan(score.ci_low):
        return f'<td><span class="score">{text}</span></td>'
    ends = f"{points_text(score.ci_low, scored.decimals)} to {points_text(score.ci_high, scored.decimals)}"
    low, at, high = (
        round(100 * (value - least) / range_of_all, 1) for value in (score.ci_low, score.score, score.ci_high)
    )
    return (
        f'<td title="{ends}"><span class="score">{text}</span>'
        f'<span class="interval" aria-hidden="true"><span class="reach" style="left: {low}%; right: {100 - high:.1f}%">'
        f'</span><span class="estimate" style="left: {at}%"></span></span>'
        f'<span class="aloud"> ({ends})</span></td>'
    )


show.guarded(page)
