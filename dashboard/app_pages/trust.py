"""Trust: which metric agrees with people on these systems, what its differences mean, and how far judges agree."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dashboard import compute, session, show
from dashboard.markdown import plain
from dashboard.session import Choices
from mtsig import Corpus, Settings
from mtsig.corpus import is_human, joint_ratings, listed
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.figures import AgreementDots, LeniencyDots, Matrix, MeaningCurve, TrustDots
from mtsig.inference import Family
from mtsig.metrics import Metric, Rated
from mtsig.readers import given_by
from mtsig.report import (
    Table,
    agreement_table,
    csv_table,
    leniency_table,
    meaning_text,
    metrics_table,
    needed_table,
    other_humans_text,
    records_table,
    same_outputs_table,
    same_score_table,
    shares_table,
    trust_bundle,
    trust_headline,
    trust_table,
    underrated_table,
    underrated_text,
    verdict_counts_table,
    verdict_pairs_table,
)
from mtsig.report.exporters import FigureFiles
from mtsig.trust import AGREEMENTS, STATISTICS, Judged, Statistic, Trust, same_score, side_by_side

_BY = {
    "item": "Translations of one segment",
    "system": "Segments of one system",
    "none": "All outputs together",
}

_VERDICTS, _MEANING, _JUDGES, _BLIND = "Verdicts", "What a difference means", "Judges", "Blind spots"

_PAPER = FigureFiles().paper


def page() -> None:
    """Draw the page."""
    st.title("Trust")
    corpus = show.loaded()
    choices = session.current().selection.choices
    people = [name for who in ("people", "") for name in joint_ratings(corpus.ratings) if given_by(name) == who]
    if not people:
        _needs_people(corpus)
        return
    headline = st.container()
    human, metrics = _sides(corpus, choices, people)
    if not metrics:
        st.info(
            "One rating alone has nothing beside it: choose a metric in the sidebar, or drop a file with a metric's "
            "scores of segments (such as COMET's) on the Data page."
        )
        st.page_link(session.DATA, label="Bring scores on the Data page")
        _judges(corpus, human, choices.settings)
        return
    statistic, by = _statistic()
    humans = "exclude"
    if any(is_human(name) for name in compute.measured(corpus, human).systems) and st.toggle(
        "Human translations take part", key="trust_humans", bind="query-params",
        help="Translations by people among the systems are often far from them, and can carry a correlation alone.",
    ):  # fmt: skip
        humans = "include"
    judged = compute.judged(corpus, human, metrics, humans)
    found = compute.trusted(judged, tuple(dict.fromkeys((statistic.name, "accuracy"))), by, choices.settings)
    compared, why = _compared(judged, statistic, "item", choices.settings)
    with headline:
        st.markdown(f"**{plain(trust_headline(found, compared, statistic.name))}**")
    _values(corpus, found, compared, statistic, choices.settings)
    if len(judged.metrics) > 1:
        with show.part():
            _metrics(judged, compared, why, statistic, choices.settings)
    _behind_tabs(corpus, judged, human, choices.settings)
    show.notes(found.notes, "About this agreement")


def _needs_people(corpus: Corpus) -> None:
    """Say that people's ratings are missing, and what they may come in."""
    there = joint_ratings(corpus.ratings)
    st.info("Trust needs ratings by people: what they say is what metrics are held against.")
    if there:
        st.markdown(plain(f"{listed(there)}: given by programs, as the names tell."))
    st.markdown(
        "Drop a table of people's scores (columns system, segment, score), MQM annotations, an export of ESA or direct "
        "assessment, or a folder of WMT's metrics task, beside the outputs. A rating by people that is called like a "
        "program's can be renamed on the Data page."
    )
    st.page_link(session.DATA, label="Bring ratings on the Data page")


def _sides(corpus: Corpus, choices: Choices, people: Sequence[str]) -> tuple[Rated, tuple[Metric, ...]]:
    """Let the visitor say which rating is people's, and which others are metrics; the sidebar's metrics are, too."""
    left, right = st.columns([1, 2])
    every = [*people, *(name for name in joint_ratings(corpus.ratings) if name not in people)]
    session.drop_stale("human", every)
    name = left.selectbox(
        "Rating by people",
        every,
        format_func=lambda one: f"{one} (a program's)" if given_by(one) == "programs" else one,
        key="human",
        bind="query-params",
        help="What metrics are held against. What programs gave, such as GEMBA, is no rating by people.",
    )
    if given_by(name) == "programs":
        st.warning(plain(f"{name} was given by a program: below, “people” is what that program says."))
    without = () if corpus.references else tuple(one.name for one in choices.metrics if one.needs_references)
    chosen = [one for one in choices.metrics if one.name not in without and not _is_of(one, name)]
    taken = {one.name for one in chosen}
    others = [one for one in every if one != name and one not in taken]
    if others:
        session.keep_only("held", others)
        kept = right.multiselect(
            "Other ratings, taken for metrics", others, [one for one in others if given_by(one) != "people"],
            key="held", bind="query-params",
            help="Beside the metrics of the sidebar. Only systems that all of them score take part.",
        )  # fmt: skip
        chosen += [Rated(one).on(corpus) for one in others if one in kept]
    return Rated(name).on(corpus), tuple(chosen)


def _is_of(metric: Metric, rating: str) -> bool:
    """Return whether a metric is this rating, or that of one of its judges."""
    return isinstance(metric, Rated) and metric.rating.partition("@")[0] in (rating, rating.partition("@")[0])


def _statistic() -> tuple[Statistic, str]:
    """Let the visitor choose the statistic, and what scores of segments are compared within."""
    left, right = st.columns([1, 2])
    name = left.selectbox(
        "Agreement by",
        list(STATISTICS),
        format_func=lambda one: _capital(STATISTICS[one].label),
        key="statistic",
        bind="query-params",
    )
    statistic, by = STATISTICS[name], "item"
    if statistic.level == "segment":
        by = right.selectbox("Compared within", list(_BY), format_func=_BY.__getitem__, key="by", bind="query-params")
        statistic = replace(statistic, by=by)  # type: ignore[type-var]
    st.caption(plain(statistic.about))
    return statistic, by


def _capital(text: str) -> str:
    return text if text.startswith("da") else text[:1].upper() + text[1:]


def _compared(judged: Judged, statistic: Statistic, exchanged: str, settings: Settings) -> tuple[Family | None, str]:
    """Return the comparisons of metrics; or None, and why there are none."""
    if len(judged.metrics) < 2:
        return None, ""
    try:
        return compute.metrics_compared(judged, statistic, exchanged, settings), ""
    except (InvalidOption, NotApplicable) as error:
        return None, str(error)


def _values(corpus: Corpus, found: Trust, compared: Family | None, statistic: Statistic, settings: Settings) -> None:
    """Draw every metric's agreement, say what comes out with human translations, and offer the numbers."""
    with show.part():
        picture = TrustDots.of(found, [statistic.name])
        alt = f"{_capital(statistic.label)} of every metric with its interval"
        show.figure(picture, key="trust", alt=alt, how_to_read="trust")
        said = other_humans_text(found, statistic.name)
        if said:
            st.markdown(plain(said))
        with st.expander("Agreement in numbers"):
            numbers = trust_table(found)
            show.table(_titled(numbers), alt="Agreement of every metric with people, in numbers")
            st.caption(plain(numbers.caption))
            families = [] if compared is None else [compared]
            left, right = st.columns(2)
            left.download_button("CSV", partial(_csv, found), "trust.csv", "text/csv", on_click="ignore")
            bundle = partial(_json, corpus, settings, found, families)
            right.download_button("JSON", bundle, "trust.json", "application/json", on_click="ignore")
            show.for_paper(picture, "trust", _PAPER)


def _titled(shown: Table) -> Table:
    """Return a table whose titles begin as a line does; names in them stay as they are."""
    return shown.seen({name: _capital(title) for name, title in zip(shown.names, shown.header, strict=True)})


def _csv(found: Trust) -> str:
    rows = found.rows()
    return csv_table(records_table(rows, given=rows[0]))


def _json(corpus: Corpus, settings: Settings, found: Trust, families: Sequence[Family]) -> str:
    return json.dumps(trust_bundle(corpus, settings, found, families), indent=1, ensure_ascii=False)


def _metrics(judged: Judged, compared: Family | None, why: str, statistic: Statistic, settings: Settings) -> None:
    """Draw which metric agrees better than which: for other segments, and beside it for other systems."""
    st.header("Which metric agrees better?")
    others = _compared(judged, statistic, "systems", settings)
    sides = {"Other segments, these systems": (compared, why), "Other systems like these": others}
    for number, (column, (title, (family, reason))) in enumerate(zip(st.columns(2), sides.items(), strict=True)):
        with column, show.part():
            st.markdown(f"**{title}**")
            if family is None:
                st.caption(plain(reason))
            else:
                _matrix(family, ("item", "systems")[number])
    show.explained("metrics-against-people")


def _matrix(family: Family, name: str) -> None:
    picture = Matrix.of(family.by_score(), compared="metric")
    config = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}
    alt = f"Matrix of differences in {family.metric} between all pairs of metrics, with verdicts"
    st.plotly_chart(compute.screen(picture), key=f"figure-metrics-{name}", alt=alt, config=config)
    with st.expander("Comparisons in numbers"):
        numbers = metrics_table(family)
        show.table(_titled(numbers), alt=alt)
        st.caption(plain(numbers.caption))
        show.for_paper(picture, f"metrics-{name}", _PAPER)


def _behind_tabs(corpus: Corpus, judged: Judged, human: Rated, settings: Settings) -> None:
    """Look closer at one metric, and at the judges; what is behind a tab costs nothing until it is opened."""
    st.header("One metric, closer")
    names = list(judged.names)
    session.drop_stale("closer", names)
    metric = names[0] if len(names) == 1 else st.selectbox("Metric", names, key="closer", bind="query-params")
    sections: dict[str, Callable[[], None]] = {
        _VERDICTS: lambda: _verdicts(judged, metric, settings),
        _MEANING: lambda: _meaning(judged, metric, settings),
        _BLIND: lambda: _blind(corpus, judged, metric, settings),
        _JUDGES: lambda: _judges(corpus, human, settings),
    }
    tabs = st.tabs(list(sections), on_change="rerun", key="trust_tab", bind="query-params")
    for tab, section in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab, show.part():
                section()


def _verdicts(judged: Judged, metric: str, settings: Settings) -> None:
    """Show where people's verdicts and the metric's agree; a row opens its pair."""
    found = side_by_side(*_families(judged, metric, settings))
    counts = verdict_counts_table(found)
    contrary = next(one.pairs for one in found.counts if one.said == "both, contrary")
    same = next(one.pairs for one in found.counts if one.said == "both, same")
    st.markdown(
        plain(
            f"On these systems, {metric} and people both separate {contrary + same} of {len(found.pairs)} pairs: "
            f"{same} the same way, {contrary} the other way round."
        )
    )
    show.table(_titled(counts), alt=f"How many pairs people and {metric} separate, alone or both")
    st.caption(plain(f"{counts.caption} People have less power: what only the metric separates need not be its error."))
    pairs = verdict_pairs_table(found)
    rows = show.table(
        _titled(pairs),
        alt=f"Verdicts of people and {metric} on every pair; choosing a row opens the pair",
        on_select="rerun",
        selection_mode="single-row",
        key=f"verdicts{session.current().view.clicks}",
    )
    st.caption(plain(f"{pairs.caption} Choosing a row opens the pair."))
    if rows["selection"]["rows"]:
        chosen = found.pairs[rows["selection"]["rows"][0]]
        session.current().choose_pair(chosen.first, chosen.second)


def _families(judged: Judged, metric: str, settings: Settings) -> tuple[Family, Family]:
    """Return all pairs by people, and by a metric."""
    people, program = (compute.family_of(judged, name, settings) for name in (judged.human.name, metric))
    return people, program


def _meaning(judged: Judged, metric: str, settings: Settings) -> None:
    """Show how often people see the order that a difference gives, by its size."""
    curve = compute.meant(judged, metric, settings)
    difference = st.number_input(
        f"A difference of, in {plain(metric)}", min_value=0.0, value=None, placeholder="optional", format="%.6g",
        key="meant", bind="query-params",
    )  # fmt: skip
    if difference:
        st.markdown(f"**{plain(meaning_text(curve, difference))}**")
    picture = MeaningCurve.of(curve, difference or None)
    alt = f"Share of pairs that people order as {metric} does, by the difference in {metric}"
    show.figure(picture, key="meaning", alt=alt, how_to_read="meaning")
    needed = needed_table([curve])
    show.table(_titled(needed), alt="The difference from which on people agree so often")
    left_out = f" Pairs left out: {curve.human_ties} that people tie, {curve.metric_ties} that {metric} ties."
    st.caption(plain(f"{needed.caption}{left_out}"))
    show.for_paper(picture, "meaning", _PAPER)
    show.notes(curve.notes)


def _blind(corpus: Corpus, judged: Judged, metric: str, settings: Settings) -> None:
    """Show what a metric does not see: systems that it under- or overrates, and equal scores of unequal quality."""
    with show.part():
        found = compute.underrating(judged, metric, settings)
        st.markdown(f"**{plain(underrated_text(found))}**")
        numbers = underrated_table(found)
        show.table(_titled(numbers), alt=f"How far people's scores lie from what {metric} suggests")
        st.caption(plain(numbers.caption))
        show.notes(found.notes)
    with show.part():
        pairs = same_score(*_families(judged, metric, settings))
        if pairs:
            numbers = same_score_table(pairs)
            show.table(_titled(numbers), alt=f"Pairs that people separate and {metric} does not")
            st.caption(plain(numbers.caption))
        else:
            st.markdown(plain(f"No pair that people separate has the same score by {metric}, here."))
    if judged[metric].cells is not None:
        with show.part():
            outputs = compute.outputs_alike(corpus, judged, metric)
            if outputs:
                numbers = same_outputs_table(outputs)
                show.table(_titled(numbers), alt=f"Outputs with the same {metric} that people rate far apart")
                st.caption(plain(numbers.caption))


def _judges(corpus: Corpus, human: Rated, settings: Settings) -> None:
    """Show how far the judges of the rating agree, how lenient they are, and what their values vary by."""
    if corpus.ratings[human.rating].judgements is None:
        st.markdown(plain(f"{human.rating}: it is not known who gave which value, so nothing is said of its judges."))
        return
    found, refused = [], []
    for kind in AGREEMENTS:
        try:
            found.append(compute.agreed(corpus, human.rating, kind, settings))
        except NotApplicable as error:
            refused.append(f"{AGREEMENTS[kind].label}: {error}")
    if found:
        with show.part():
            picture = AgreementDots.of(found)
            show.figure(picture, key="agreement", alt="Agreement of judges with intervals", how_to_read="agreement")
            show.table(_titled(agreement_table(found)), alt="Agreement of judges in numbers")
            show.for_paper(picture, "agreement", _PAPER)
        with st.expander(f"Coefficients left out ({len(refused)})"):
            for text in refused:
                st.text(text)
    else:
        st.markdown(plain(refused[0].partition(": ")[2]))
    with show.part():
        levels = compute.lenient(corpus, human.rating, settings)
        bars = LeniencyDots.of(levels)
        show.figure(bars, key="leniency", alt="Leniency of every judge", how_to_read="leniency")
        numbers = leniency_table(levels)
        show.table(_titled(numbers), alt="Leniency of every judge in numbers")
        st.caption(plain(numbers.caption))
        show.notes(levels.notes)
        show.for_paper(bars, "leniency", _PAPER)
    with show.part():
        shares = compute.varying(corpus, human.rating)
        numbers = shares_table(shares)
        show.table(_titled(numbers), alt="Where the variance of judges' values comes from")
        st.caption(plain(numbers.caption))


show.guarded(page)
