"""Trust: which metric agrees with people on these systems, what its differences mean, and how far judges agree."""

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mtsig import Corpus, InvalidOption, NotApplicable, Settings
from mtsig.corpus._notes import capital_first, is_human, joint_ratings, listed
from mtsig.explain import explain
from mtsig.figures import Matrix, MeaningCurve, ParallelIntervals, TrustDots
from mtsig.figures._people import VerdictMarks
from mtsig.inference import Family, joint_statements
from mtsig.inference._ranks import JointForm, rankable
from mtsig.meta_eval import (
    STATISTICS,
    ComparedMetrics,
    MetaEval,
    RatedData,
    Statistic,
    compare_metrics,
    delta_accuracy,
    meta_eval,
    side_by_side,
    underrated,
)
from mtsig.meta_eval._blind_spots import same_score
from mtsig.meta_eval._metric_agreement import with_separated
from mtsig.meta_eval._rated_data import people_of_systems, whole_systems
from mtsig.meta_eval._systems import Pearson
from mtsig.metrics import Metric, Rated
from mtsig.readers._rates import given_by
from mtsig.report import csv_table, html_page, latex_table
from mtsig.report._agreement import (
    meaning_text,
    needed_table,
    other_humans_text,
    same_outputs_table,
    same_score_table,
    trust_headline,
    underrated_table,
    underrated_text,
    verdict_counts_table,
    verdict_pairs_table,
    without_text,
)
from mtsig.report._exporters import FigureFiles
from mtsig.report._meta_eval import (
    metrics_table,
    places_table,
    sentinels_table,
    sentinels_text,
    trust_bundle,
    trust_table,
)
from mtsig.report._table import markdown_table, records_table
from mtsig.report._tables import statement_table, statements_text
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked, asked_at_once, asked_here
from mtsig_dashboard.parts import forms, judges, pictures, show
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

_BY = {
    "item": "Translations of one segment",
    "system": "Segments of one system",
    "none": "All outputs together",
}

_VERDICTS, _TOGETHER, _MEANING = "Verdicts", "Several together", "What a difference means"
_BLIND, _JUDGES = "Blind spots", "Judges"

_FORMS: dict[JointForm, str] = {"all": "All of them", "which": "Which of them"}

# Contradictions that are said in full above the picture; the table has them all.
_MOST_CONTRARY = 3

_PAPER = FigureFiles().paper

_EXCHANGING = "Exchanging scores between metrics …"


def page() -> None:
    """Draw the page."""
    st.title("Trust")
    data = session.current().data
    if data.corpus is None and data.problem is None:
        # The sample has no ratings: who opened it here would be told to bring some.
        show.lost()
        _needs_people(())
        return
    corpus = show.loaded()
    choices = session.current().selection.choices
    people = [name for who in ("people", "") for name in joint_ratings(corpus.ratings) if given_by(name) == who]
    people += people_of_systems(corpus)
    if not people:
        _needs_people(joint_ratings(corpus.ratings))
        return
    headline = st.empty()
    human, metrics = _sides(corpus, choices, people)
    settings = choices.settings
    if not metrics:
        st.info(explain("rating-alone"))
        show.onward(session.DATA, "Bring scores on the Data page")
        judges.section(corpus, human.name, settings, STATISTICS["spa"], None)
        return
    statistic, by = _statistic()
    humans = "exclude"
    if any(is_human(name) for name in compute.measured(corpus, human).systems) and st.toggle(
        "Human translations take part", **forms.bound("trust_humans"),
        help="Translations by people among the systems are often far from them, and can carry a correlation alone.",
    ):  # fmt: skip
        humans = "include"
    judged = judges.judged(corpus, human, metrics, humans)
    session.keep_only("trust_without", judged.systems)
    without = st.multiselect(
        "Values without these systems, too", judged.systems, **forms.bound("trust_without"),
        placeholder="Systems of one kind, such as online ones",
        help="Two systems of one kind, both far from the others, hide each other from values without each alone.",
    )  # fmt: skip
    trust = asked(
        "Redrawing systems and segments …", meta_eval, judged, tuple(dict.fromkeys((statistic.name, "accuracy"))),
        by=by, settings=judges.redrawing(settings), separated=False, without=tuple(without),
    )  # fmt: skip
    # What is known at once stands at once; tests between metrics take longer.
    headline.markdown(f"**{plain(trust_headline(trust, None, statistic.name))}**")
    numbers = _values(corpus, trust, statistic, by, settings)
    compared: ComparedMetrics | None = None
    if len(judged.metrics) > 1:
        with show.part():
            compared = _metrics(judged, statistic, settings)
    headline.markdown(f"**{plain(trust_headline(trust, compared, statistic.name))}**")
    with numbers:
        with contextlib.suppress(NotApplicable):
            trust = with_separated(trust, judges.family_of(judged, judged.human.name, settings))
        _numbers(corpus, trust, compared, settings)
    _behind_tabs(corpus, judged, human, trust, statistic, settings)
    show.notes(trust.notes, "About this agreement")
    show.onward(session.RESULTS, "Next: what these metrics say of your systems")


def _needs_people(there: Sequence[str]) -> None:
    """Say that people's ratings are missing, and what they may come in; `there` are those that programs gave."""
    st.info("Trust needs ratings by people: what they say is what metrics are held against.")
    if there:
        st.markdown(plain(f"{listed(list(there))}: given by programs, as the names tell."))
    st.markdown(explain("ratings-by-people"))
    show.onward(session.DATA, "Bring ratings on the Data page")


def _sides(corpus: Corpus, choices: Choices, people: Sequence[str]) -> tuple[Metric, tuple[Metric, ...]]:
    """Let the visitor say which rating is people's, and which others are metrics; the sidebar's metrics are, too."""
    left, right = st.columns([1, 2])
    every = [*people, *(name for name in joint_ratings(corpus.ratings) if name not in people)]
    whole = [other for other in corpus.system_scores if other not in every]

    def said(other: str) -> str:
        return other if other in corpus.ratings else f"{other} (whole systems)"

    def side(name: str) -> Metric:
        return whole_systems(corpus, name) or Rated(name).on(corpus)

    session.drop_stale("human", every)
    name = left.selectbox(
        "Rating by people",
        every,
        format_func=lambda other: f"{other} (a program's)" if given_by(other) == "programs" else said(other),
        **forms.bound("human"),
        help="What metrics are held against. What programs gave, such as GEMBA, is no rating by people.",
    )
    if given_by(name) == "programs":
        st.warning(plain(f"{name} was given by a program: below, “people” is what that program says."))
    without = () if corpus.references else tuple(metric.name for metric in choices.metrics if metric.needs_references)
    chosen = [metric for metric in choices.metrics if metric.name not in without and not _is_of(metric, name)]
    taken = {side.name for side in chosen}
    others = [other for other in every if other != name and other not in taken] + whole
    if others:
        session.keep_only("held", others, has_default=True)
        programs = [other for other in others if given_by(other) != "people" and other not in whole]
        kept = right.multiselect(
            "Other ratings, taken for metrics",
            others,
            format_func=said,
            **forms.bound_or_empty("held", programs),
            help="Beside the metrics of the sidebar. Only systems that all of them score take part. Scores of whole "
            "systems enter what compares systems' scores.",
        )  # fmt: skip
        chosen += [side(other) for other in others if other in kept]
    return side(name), tuple(chosen)


def _is_of(metric: Metric, rating: str) -> bool:
    """Return whether a metric is this rating, or that of one of its judges."""
    return isinstance(metric, Rated) and metric.rating.partition("@")[0] in (rating, rating.partition("@")[0])


def _statistic() -> tuple[Statistic, str]:
    """Let the visitor choose the statistic, and what scores of segments are compared within."""
    left, right = st.columns([1, 2])
    name = left.selectbox(
        "Agreement by",
        list(STATISTICS),
        format_func=lambda name: capital_first(STATISTICS[name].label),
        **forms.bound("statistic"),
    )
    statistic, by = STATISTICS[name], "item"
    if statistic.level == "segment":
        by = right.selectbox("Compared within", list(_BY), format_func=_BY.__getitem__, **forms.bound("by"))
        statistic = replace(statistic, by=by)  # type: ignore[type-var]
    st.caption(plain(statistic.about))
    return statistic, by


def _values(corpus: Corpus, trust: MetaEval, statistic: Statistic, by: str, settings: Settings) -> DeltaGenerator:
    """Draw every metric's agreement, say what comes out of other systems, and return the place of numbers."""
    with show.part():
        picture = TrustDots.of(trust, [statistic.name])
        alt = f"{capital_first(statistic.label)} of every metric with its interval"
        pictures.figure(picture, key="trust", alt=alt)
        for said in (other_humans_text(trust, statistic.name), without_text(trust, statistic.name)):
            if said:
                st.markdown(plain(said))
    with show.part():
        guarded = judges.guarded(corpus, trust.judged, statistic, by, settings)
        if guarded:
            st.markdown(plain(sentinels_text(guarded)))
            with st.expander("Beside sentinels: lengths, chance, and how hard segments are"):
                numbers = sentinels_table(guarded)
                pictures.captioned(
                    numbers, "Metrics beside what sees nothing of a translation but its length", "statistic"
                )
    return st.expander("Agreement in numbers")


def _numbers(corpus: Corpus, trust: MetaEval, compared: ComparedMetrics | None, settings: Settings) -> None:
    """Show the numbers, and offer them as files."""
    numbers = trust_table(trust)
    pictures.captioned(
        numbers, "Agreement of every metric with people, in numbers", stay=("metric", "statistic", "value")
    )
    families = [] if compared is None else [compared]
    files: dict[str, tuple[Callable[[], str], str, str]] = {
        "CSV": (partial(_csv, trust), "trust.csv", "text/csv"),
        "JSON": (partial(_json, corpus, settings, trust, families), "trust.json", "application/json"),
        "LaTeX": (partial(latex_table, numbers), "trust.tex", "text/plain"),
        "Markdown": (partial(markdown_table, numbers), "trust.md", "text/markdown"),
        "HTML": (partial(html_page, [numbers]), "trust.html", "text/html"),
    }
    with st.container(horizontal=True):
        for label, (make, file, kind) in files.items():
            st.download_button(label, make, file, kind, on_click="ignore")
    pictures.for_paper(TrustDots.of(trust, list(dict.fromkeys(row.statistic for row in trust))), "trust", _PAPER,
                   "Agreement of the metrics with people")  # fmt: skip


def _csv(trust: MetaEval) -> str:
    rows = trust.rows()
    return csv_table(records_table(rows, given=rows[0]))


def _json(corpus: Corpus, settings: Settings, trust: MetaEval, families: Sequence[Family]) -> str:
    return json.dumps(trust_bundle(corpus, settings, trust, families), indent=1, ensure_ascii=False)


def _metrics(judged: RatedData, statistic: Statistic, settings: Settings) -> ComparedMetrics | None:
    """Draw which metric agrees better than which: for other segments, and beside it for other systems."""
    st.header("Which metric agrees better?")
    left, right = st.columns(2)
    left.markdown("**Other segments, these systems**")
    right.markdown("**Other systems like these**")
    compared, others, why = None, None, ""
    try:
        compared = asked(_EXCHANGING, compare_metrics, judged, statistic, "item", settings)
        others = compared.others
        if others is not None and statistic.of_whole_systems and any(metric.whole for metric in judged.metrics):
            others = asked(_EXCHANGING, compare_metrics, judged, statistic, "systems", settings)
        missing = compared.no_others
    except (InvalidOption, NotApplicable) as error:
        why = missing = str(error)
        with contextlib.suppress(InvalidOption, NotApplicable):
            others = asked(_EXCHANGING, compare_metrics, judged, statistic, "systems", settings)
    for column, family, reason, name in ((left, compared, why, "item"), (right, others, missing, "systems")):
        with column, show.part():
            if family is None:
                st.caption(plain(reason))
            else:
                _matrix(family, statistic.label, name)
    # Below both pictures: beside each other two tables have no room.
    with st.expander("Comparisons in numbers"):
        for family, name, whose in ((compared, "item", "Other segments"), (others, "systems", "Other systems")):
            if family is not None:
                st.markdown(f"**{whose}**")
                # No p stands there without its correction.
                numbers, stay = metrics_table(family), ("first", "second", "corrected p", "verdict")
                pictures.captioned(numbers, f"{whose}: differences between all pairs of metrics", stay=stay)
                picture = _pairs_of_metrics(family, statistic.label)
                pictures.for_paper(picture, f"metrics-{name}", _PAPER, "The matrix of metrics")
    pictures.explained("metrics-against-people")
    if compared is not None and rankable(compared):
        with st.expander("Places, and WMT's clusters"):
            places = asked_at_once(places_table, compared)
            pictures.captioned(places, alt="Places of the metrics, and WMT's clusters")
    if isinstance(statistic, Pearson):
        with st.expander("Williams's test of the correlations"), show.part():
            williams = metrics_table(asked(_EXCHANGING, compare_metrics, judged, statistic, "williams", settings))
            pictures.table(pictures.begun(williams), alt="Williams's test of every pair of metrics")
            st.caption(
                "Are two correlations with the same people equal? It takes the systems for a sample of systems, "
                "and their scores for normal."
            )
    return compared


def _pairs_of_metrics(family: Family, statistic: str) -> Matrix:
    return replace(Matrix.of(family.by_score(), compared="metric"), metric=statistic)


def _matrix(family: Family, statistic: str, name: str) -> None:
    picture = _pairs_of_metrics(family, statistic)
    alt = f"Matrix of differences in {statistic} between all pairs of metrics, with verdicts"
    st.plotly_chart(asked_at_once(picture.screen), key=f"figure-metrics-{name}", alt=alt, config=pictures.TOOLS)


def _behind_tabs(
    corpus: Corpus, judged: RatedData, human: Metric, trust: MetaEval, statistic: Statistic, settings: Settings
) -> None:
    """Look closer at one metric, at several together, and at the judges; a tab costs nothing until it is opened."""
    st.header("Closer")
    names = list(judged.names)
    session.drop_stale("closer", names)
    metric = (
        names[0]
        if len(names) == 1
        else st.selectbox(
            "Metric", names, **forms.bound("closer"), help=f"{_TOGETHER} and {_JUDGES} do not depend on it."
        )
    )
    sections: dict[str, Callable[[], object]] = {
        _VERDICTS: lambda: _verdicts(judged, metric, settings),
        _TOGETHER: lambda: _together(judged, settings),
        _MEANING: lambda: _meaning(judged, metric, settings),
        _BLIND: lambda: _blind(corpus, judged, metric, settings),
        _JUDGES: lambda: judges.section(corpus, human.name, settings, statistic, trust),
    }
    whole = judged.whole(metric)
    if whole:
        text = f"Of {whole} there are scores of whole systems only: no test says which pairs it separates."
        sections |= dict.fromkeys((_VERDICTS, _BLIND), lambda: st.caption(plain(text)))
    tabs = st.tabs(list(sections), on_change="rerun", **forms.bound("trust_tab"))
    for tab, section in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab, show.part():
                section()


def _together(judged: RatedData, settings: Settings) -> None:
    """Say what people and metrics say together of every pair: better by all of them, or by which of them."""
    every = [scored.name for scored in judged.everything if not scored.whole]
    session.keep_only("jointly", every, has_default=True)
    left, right = st.columns([2, 1])
    chosen = left.multiselect("Judged together", every, **forms.bound_or_empty("jointly", every[:3]))
    form = right.segmented_control(
        "Better by", list(_FORMS), format_func=_FORMS.__getitem__, default="all", required=True,
        **forms.bound("jointly_form"),
    ) or "all"  # fmt: skip
    if len(chosen) < 2:
        st.caption("Choose two at least.")
        return
    families = [judges.family_of(judged, name, settings) for name in chosen]
    stated = asked_here(joint_statements, families, form)
    st.markdown(f"**{plain(statements_text(stated))}**")
    for statement in [item for item in stated.statements if item.said == "contrary"][:_MOST_CONTRARY]:
        st.warning(plain(statement.sentence))
    picture = ParallelIntervals.of(stated)
    pictures.figure(picture, key="together", alt="Differences of pairs by every metric, side by side")
    numbers = statement_table(stated)
    pictures.captioned(numbers, alt="What the metrics say of every pair together")
    pictures.for_paper(picture, "together", _PAPER, "Differences of pairs side by side")


def _verdicts(judged: RatedData, metric: str, settings: Settings) -> None:
    """Show where people's verdicts and the metric's agree; a row opens its pair."""
    verdicts = side_by_side(*_families(judged, metric, settings))
    counts = verdict_counts_table(verdicts)
    contrary = next(count.pairs for count in verdicts.counts if count.said == "both, contrary")
    same = next(count.pairs for count in verdicts.counts if count.said == "both, same")
    st.markdown(
        plain(
            f"On these systems, {metric} and people both separate {contrary + same} of {len(verdicts.pairs)} pairs"
            f"{f': {same} the same way, {contrary} the other way round' if contrary + same else ''}."
        )
    )
    picture = VerdictMarks.of(verdicts)
    alt = f"Every pair by people's difference and that in {metric}, marked by who separates it"
    pictures.figure(picture, key="verdicts", alt=alt)
    pictures.table(pictures.begun(counts), alt=f"How many pairs people and {metric} separate, alone or both")
    st.caption(plain(f"{counts.caption} People have less power: what only the metric separates need not be its error."))
    pairs = verdict_pairs_table(verdicts)
    # Names of ratings are long: what all p-values are is said below.
    named = {kind: [column.name for column in pairs.columns if column.kind == kind] for kind in ("p", "interval")}
    titles = dict(zip(pairs.names, pictures.begun(pairs).header, strict=True))
    titles |= {name: f"p, {whose}" for name, whose in zip(named["p"], (verdicts.human, verdicts.metric), strict=True)}
    seen = pairs.seen(titles)
    rows = pictures.table(
        seen,
        column_order=pictures.at_a_glance(seen, "detectable", *named["interval"]),
        alt=f"Verdicts of people and {metric} on every pair; choosing a row opens the pair",
        on_select="rerun",
        selection_mode="single-row",
        key=f"verdicts{session.current().view.clicks}",
    )
    more = "p: corrected. In the table's menu: intervals, detectable. Choosing a row opens the pair."
    st.caption(plain(f"{pairs.caption} {more}"))
    pictures.for_paper(picture, "verdicts", _PAPER, "The differences by people and metric")
    if rows["selection"]["rows"]:
        chosen = verdicts.pairs[rows["selection"]["rows"][0]]
        session.current().choose_pair(chosen.first, chosen.second)


def _families(judged: RatedData, metric: str, settings: Settings) -> tuple[Family, Family]:
    """Return all pairs by people, and by a metric."""
    people, program = (judges.family_of(judged, name, settings) for name in (judged.human.name, metric))
    return people, program


def _meaning(judged: RatedData, metric: str, settings: Settings) -> None:
    """Show how often people see the order that a difference gives, by its size."""
    curve = asked(
        "Redrawing pairs …", delta_accuracy, judged, metric, level=settings.level, scheme=settings.bootstrap()
    )
    difference = st.number_input(
        f"A difference of, in {plain(metric)}", min_value=0.0, value=None, placeholder="optional", format="%.6g",
        **forms.bound_number("meant"),
    )  # fmt: skip
    if difference:
        st.markdown(f"**{plain(meaning_text(curve, difference))}**")
    picture = MeaningCurve.of(curve, difference or None)
    alt = f"Share of pairs that people order as {metric} does, by the difference in {metric}"
    pictures.figure(picture, key="meaning", alt=alt)
    needed = needed_table([curve])
    pictures.table(pictures.begun(needed), alt="The difference from which on people agree so often")
    left_out = f" Pairs left out: {curve.human_ties} that people tie, {curve.metric_ties} that {metric} ties."
    st.caption(plain(f"{needed.caption}{left_out}"))
    pictures.for_paper(picture, "meaning", _PAPER, "The curve above")
    show.notes(curve.notes)


def _blind(corpus: Corpus, judged: RatedData, metric: str, settings: Settings) -> None:
    """Show what a metric does not see: systems that it under- or overrates, and equal scores of unequal quality."""
    with show.part():
        rated_otherwise = asked(
            "Redrawing segments …", underrated, judged, metric, level=settings.level, scheme=settings.bootstrap()
        )
        st.markdown(f"**{plain(underrated_text(rated_otherwise))}**")
        numbers = underrated_table(rated_otherwise)
        pictures.captioned(numbers, alt=f"How far people's scores lie from what {metric} suggests")
        show.notes(rated_otherwise.notes)
    with show.part():
        pairs = same_score(*_families(judged, metric, settings))
        if pairs:
            numbers = same_score_table(pairs)
            pictures.captioned(numbers, alt=f"Pairs that people separate and {metric} does not")
        else:
            st.markdown(plain(f"No pair that people separate has the same score by {metric}, here."))
    if judged[metric].cells is not None:
        with show.part():
            outputs = judges.outputs_alike(corpus, judged, metric)
            if outputs:
                numbers = same_outputs_table(outputs, corpus)
                pictures.captioned(numbers, alt=f"Outputs with the same {metric} that people rate far apart")


show.guarded(page)
