"""Trust: which metric agrees with people on these systems, what its differences mean, and how far raters agree."""

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from mtsig import Corpus, InvalidOption, NotApplicable, Settings, meta_eval
from mtsig._writing import visible
from mtsig.campaign import plan_sample
from mtsig.corpus._notes import capital_first, is_human, joint_ratings, listed
from mtsig.explain import explain
from mtsig.figures import Matrix, MeaningCurve, ParallelIntervals, TrustDots
from mtsig.figures._people import VerdictMarks
from mtsig.inference import Family, joint_statements
from mtsig.inference._ranks import JointForm, rankable
from mtsig.meta_eval import STATISTICS, ComparedMetrics, MetaEval, RatedData, Statistic
from mtsig.meta_eval._blind_spots import same_score
from mtsig.meta_eval._metric_agreement import Guarded, with_separated
from mtsig.meta_eval._rated_data import people_of_systems, whole_systems
from mtsig.meta_eval._systems import Pearson
from mtsig.metrics import METRICS, Metric, Rated
from mtsig.readers._names import given_by
from mtsig.report import _meta_eval, html_page, latex_table
from mtsig.report._families import title_text
from mtsig.report._table import markdown_table
from mtsig.report._tables import statement_table, statements_text
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked, asked_at_once, asked_here
from mtsig_dashboard.parts import forms, frame, pictures, raters, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

_BY = {"item": "Translations of one segment", "system": "Segments of one system", "none": "All outputs together"}

_VERDICTS, _TOGETHER, _MEANING = "Verdicts", "Several together", "What a difference means"
_BLIND, _RULES, _RATERS = "Blind spots", "WMT's rule", "Raters"

_FORMS: dict[JointForm, str] = {"all": "All of them", "which": "Which of them"}

# Contradictions that are said in full above the picture; the table has them all.
_MOST_CONTRARY = 3

_PLAN = "plan-ratings"

_EXCHANGING = "Swapping scores between metrics …"


def page() -> None:
    """Draw the page."""
    if session.choice(_PLAN):  # the bar, which asks for the rating, is drawn before what leads on
        session.current().open_page("app_pages/planning.py", {"shown": [plain(str(session.choice("shown")))]})
    data = session.current().data
    if data.corpus is None and data.problem is None:
        # The sample has no ratings: who opened it here would be told to bring some.
        show.lost()
        _needs_people(None)
        return
    corpus = show.loaded()
    choices = session.current().selection.choices
    people = [name for who in ("people", "") for name in joint_ratings(corpus.ratings) if given_by(name) == who]
    people += people_of_systems(corpus)
    if not people:
        _needs_people(corpus)
        return
    head, settings = frame.current(), choices.settings
    with head.chosen:
        with st.popover("Ratings", key="trust-ratings"):
            human, metrics = _sides(corpus, choices, people)
        agreement = st.popover("Agreement")
    strip.draw(corpus, [])
    if not metrics:
        about = f"{human.name}: agreement among its raters"
        head.say(about)
        if (note := raters.whose(corpus, human.name, settings)) is not None:
            head.raters = note.text
        with contextlib.suppress(NotApplicable):
            if (family := compute.scored(corpus, human, choices).family) is not None:
                head.say(title_text([family]), f"{about}. The verdicts are those of the page Results.")
        with show.state("No metric to compare", "", "rating-alone"):
            show.onward(session.DATA, "Add scores on the Data page")
        with show.part():
            raters.rules(corpus, human.name, settings)
        raters.section(corpus, human.name, settings, STATISTICS["spa"], None)
        strip.source_line(corpus)
        return
    head.say(f"How well {listed([metric.name for metric in metrics])} agree with {human.name}")
    with agreement:
        statistic, by, humans = _statistic(corpus, human)
    # Each part has its place from the start: while one is worked out, what it had is seen there, and nowhere else.
    values, made_of = (st.container(key=f"trust-{name}") for name in ("values", "source"))
    with values:
        rated = raters.rated(corpus, human, metrics, humans)
    with agreement:
        session.keep_only("trust_without", rated.systems)
        without = st.multiselect(
            "Also report values without these", rated.systems, format_func=visible, **forms.bound("trust_without"),
            placeholder="Choose systems of one kind, such as online systems",
            help="If systems are left out one at a time, two similar outliers mask each other.",
        )  # fmt: skip
    between, closer = (st.container(key=f"trust-{name}") for name in ("between", "closer"))

    def said(compared: ComparedMetrics | None, guarded: Sequence[Guarded] = ()) -> tuple[str, str, str]:
        title = _meta_eval.trust_title(trust, compared, statistic.name)
        full, brief = (
            _meta_eval.trust_headline(trust, compared, statistic.name, brief=brief) for brief in (False, True)
        )
        if any(row.sentence for row in guarded):
            args = (trust, statistic.name, guarded)
            agreement = _meta_eval.agreement_text
            return _meta_eval.sentinels_title(trust, guarded), agreement(*args), agreement(*args, brief=True)
        return title, f"{full} {_meta_eval.sentinels_text(guarded)}".strip(), brief

    with values:
        names = tuple(dict.fromkeys((statistic.name, "accuracy")))
        trust = asked(
            "Resampling systems and segments …", meta_eval.meta_eval, rated, names,
            by=by, settings=raters.redrawing(settings), separated=False, without=tuple(without),
        )  # fmt: skip
        # Where other raters could decide otherwise, that is the first sentence.
        if (note := raters.whose(corpus, human.name, settings)) is not None and note.level == "warning":
            head.raters = note.text
        with contextlib.suppress(NotApplicable):
            trust = with_separated(trust, raters.family_of(rated, rated.human.name, settings))
        # What is known at once stands at once; tests between metrics take longer.
        head.say(*said(None))
        _next(corpus, metrics, human if _meta_eval.undecided(trust) else None)
        seen = _values(corpus, trust, statistic, by, settings)
    with made_of:
        strip.source_line(corpus, None, "trust")
    compared: ComparedMetrics | None = None
    if len(rated.metrics) > 1:
        with between, show.part():
            compared = _metrics(rated, statistic, settings)
    with values:
        head.say(*said(compared, seen))
        show.fold("Agreement in numbers", "trust-numbers", _numbers, trust)
    head.downloads(_downloads, corpus, trust, compared, settings)
    with closer:
        _behind_tabs(corpus, rated, human, trust, statistic, settings)
    show.quiet(trust.notes, "About this agreement")


def _next(corpus: Corpus, metrics: Sequence[Metric], undecided: Metric | None) -> None:
    """Lead on: from one metric to the others, where there are texts to score, and from several to their results.

    undecided: the human ratings that decide almost no pair, so that no metric can be shown to follow them.
    """
    step = frame.current().step
    if isinstance(undecided, Rated):
        step.button(
            "How many ratings are needed?", _PLAN, type="primary", on_click=_plan_with, args=(undecided,),
            icon=":material/arrow_forward:",
        )  # fmt: skip
        return
    if len(metrics) > 1 or not (corpus.outputs and corpus.references):
        what = "this metric" if len(metrics) == 1 else f"these {len(metrics)} metrics"
        show.onward(session.RESULTS, f"See the results in {what}", place=step)
        return
    common = [name for name, metric in METRICS.items() if metric.common]
    label = f"Try other metrics than {plain(metrics[0].name)}"
    step.button(label, type="primary", on_click=session.choose, args=("metric", common))
    with show.steps():
        show.onward(session.RESULTS, "See the results in this metric")


def _plan_with(human: Rated) -> None:
    session.choose("rating", [f"rating:{human.rating}"])
    session.choose("shown", f"{human.name} (rating)")


def _needs_people(corpus: Corpus | None) -> None:
    """Say that people's ratings are missing, what they may come in, and how to get some."""
    head = frame.current()
    head.say("No human ratings in these data")
    by_programs = joint_ratings(corpus.ratings) if corpus is not None else []
    why = f"{listed(by_programs)}: the names show that programs gave these scores." if by_programs else ""
    if head.step.button("Add ratings on the Data page", type="primary"):
        session.current().open_page(session.DATA)
    with st.container(key="needs-no-metric"), show.state(_NEEDS, why, "ratings-by-people"):
        pass
    if corpus is not None and corpus.outputs:
        show.fold("No ratings yet? Get a sample of segments to rate", "sample-to-rate", _sample, corpus)
    show.fold("What this page shows with ratings", "ratings-show", st.markdown, explain("ratings-show"))


_NEEDS = "This page needs human ratings to compare metrics with."


def _sample(corpus: Corpus) -> None:
    """Offer segments to rate, a quarter of these or 40, with their probabilities, and the same as a campaign."""
    st.markdown(explain("no-ratings-yet"))
    plan = plan_sample(corpus, min(len(corpus), max(40, len(corpus) // 4)))
    st.caption(plain(plan.sentence))
    pictures.csv("Segments to rate (.csv)", plan.rows, "sample.csv")
    campaign = partial(_json, plan.pearmut, corpus)
    st.download_button("Campaign for Pearmut (.json)", campaign, "campaign.json", "application/json", on_click="ignore")


def _json(make: Callable[..., object], *args: object) -> str:
    return json.dumps(make(*args), indent=1, ensure_ascii=False)


def _sides(corpus: Corpus, choices: Choices, people: Sequence[str]) -> tuple[Metric, tuple[Metric, ...]]:
    """Let the visitor say which rating is people's, and which others are metrics; the metrics of the bar are, too.

    What people gave is no metric, whatever is chosen: another rating by people measures the same thing.
    """
    every = [*people, *(name for name in joint_ratings(corpus.ratings) if name not in people)]
    whole = [other for other in corpus.system_scores if other not in every]

    def said(other: str) -> str:
        return visible(other if other in corpus.ratings else f"{other} (whole systems)")

    def side(name: str) -> Metric:
        return whole_systems(corpus, name) or Rated(name).on(corpus)

    session.drop_stale("human", every)
    name = st.selectbox(
        "Human ratings",
        every,
        format_func=lambda other: f"{visible(other)} (a program's)" if given_by(other) == "programs" else said(other),
        **forms.bound("human"),
        help="The ratings that metrics are compared with. Scores by programs, such as GEMBA, are not human ratings.",
    )
    if given_by(name) == "programs":
        with frame.current().strip:
            text = f"{name} was computed by a program, so this page does not show agreement with human raters."
            st.warning(plain(text))
    without = () if corpus.references else tuple(metric.name for metric in choices.metrics if metric.needs_references)
    rated = {metric.name: metric.rating.partition("@")[0] for metric in choices.metrics if isinstance(metric, Rated)}
    left_out = {name, name.partition("@")[0], *(each for each in rated.values() if given_by(each) == "people")}
    chosen = [one for one in choices.metrics if one.name not in without and rated.get(one.name) not in left_out]
    taken = {side.name for side in chosen}
    others = [other for other in every if other != name and other not in taken and given_by(other) != "people"] + whole
    if others:
        session.keep_only("held", others, has_default=True)
        programs = [other for other in others if other not in whole]
        kept = st.multiselect(
            "Other ratings, used as metrics",
            others,
            format_func=said,
            **forms.bound_or_empty("held", programs),
            help="They are added to the metrics chosen above. Only systems with scores by all of them are used. "
            "System-level scores are used only to compare whole systems.",
        )  # fmt: skip
        chosen += [side(other) for other in others if other in kept]
    return side(name), tuple(chosen)


def _statistic(corpus: Corpus, human: Metric) -> tuple[Statistic, str, str]:
    """Let the visitor choose the statistic, what segment scores are compared within, and about human translations."""
    name = st.selectbox(
        "Agreement by",
        list(STATISTICS),
        format_func=lambda name: capital_first(STATISTICS[name].label),
        **forms.bound("statistic"),
    )
    statistic, by, humans = STATISTICS[name], "item", "exclude"
    if statistic.level == "segment":
        by = st.selectbox("Compared within", list(_BY), format_func=_BY.__getitem__, **forms.bound("by"))
        statistic = replace(statistic, by=by)  # type: ignore[type-var]
    st.caption(plain(statistic.about))
    if any(is_human(name) for name in compute.measured(corpus, human).systems) and st.toggle(
        "Include human translations", **forms.bound("trust_humans"),
        help="Scores of human translations are often far from those of systems. A single one can cause a correlation.",
    ):  # fmt: skip
        humans = "include"
    return statistic, by, humans


def _values(corpus: Corpus, trust: MetaEval, statistic: Statistic, by: str, settings: Settings) -> Sequence[Guarded]:
    """Draw every metric's agreement, and say what it is with other systems, and of what sees less.

    Return what the head of the page has to add of a single metric: how it stands to each sentinel.
    """
    with show.part():
        st.header(f"{capital_first(statistic.label)} with the human ratings", anchor=False)
        alt = f"{capital_first(statistic.label)} of every metric with its confidence interval"
        drawn = st.empty()
        with drawn:
            pictures.charts(TrustDots.of(trust, [statistic.name]), key="trust", alt=alt)
        for say in (_meta_eval.other_humans_text, _meta_eval.without_text):
            said = say(trust, statistic.name)
            if said:
                st.markdown(plain(said))
    with show.part():
        guarded = raters.guarded(corpus, trust.rated, statistic, by, raters.redrawing(settings))
        if guarded:
            with drawn:
                pictures.charts(TrustDots.of(trust, [statistic.name], guarded), key="sentinels", alt=alt)
            if len(trust.rated.metrics) > 1:
                st.markdown(plain(_meta_eval.sentinels_text(guarded)))
            label, alt = "Compared with sentinels: length, chance and segment difficulty", "Metrics and sentinels"
            numbers = _meta_eval.sentinels_table
            show.fold(label, "trust-sentinels", lambda: pictures.captioned(numbers(guarded), alt, "statistic"))
            return guarded if len(trust.rated.metrics) == 1 else ()
    return ()


def _numbers(trust: MetaEval) -> None:
    numbers, stay = _meta_eval.trust_table(trust), ("metric", "statistic", "value")
    pictures.captioned(numbers, "Agreement of every metric with the human ratings, in numbers", stay=stay)


def _downloads(corpus: Corpus, trust: MetaEval, compared: ComparedMetrics | None, settings: Settings) -> None:
    """Offer the numbers and the picture as files."""
    given = (corpus, settings, trust, [] if compared is None else [compared])
    files: dict[str, tuple[Callable[[], str], str]] = {
        "Agreement (.json)": (partial(_json, _meta_eval.trust_bundle, *given), "application/json"),
        "Table (.tex)": (lambda: latex_table(_meta_eval.trust_table(trust)), "text/plain"),
        "Table (.md)": (lambda: markdown_table(_meta_eval.trust_table(trust)), "text/markdown"),
        "Table (.html)": (lambda: html_page([_meta_eval.trust_table(trust)]), "text/html"),
    }
    pictures.csv("Agreement (.csv)", trust.rows, "trust.csv")
    for label, (make, kind) in files.items():
        ending = label.rpartition(".")[2].removesuffix(")")
        st.download_button(label, make, f"trust.{ending}", kind, on_click="ignore")
    picture = TrustDots.of(trust, list(dict.fromkeys(row.statistic for row in trust)))
    pictures.for_paper(picture, "trust", "Agreement of the metrics with human ratings")


def _metrics(rated: RatedData, statistic: Statistic, settings: Settings) -> ComparedMetrics | None:
    """Return which metric agrees better than which, and offer the pictures: for other segments, and other systems."""

    def swapped(unit: str) -> ComparedMetrics:
        return asked(_EXCHANGING, meta_eval.compare_metrics, rated, statistic, unit, settings)

    compared, others, why = None, None, ""
    try:
        compared = swapped("item")
        others, missing = compared.others, compared.no_others
        if others is not None and statistic.of_whole_systems and any(metric.whole for metric in rated.metrics):
            others = swapped("systems")
    except (InvalidOption, NotApplicable) as error:
        why = missing = str(error)
        with contextlib.suppress(InvalidOption, NotApplicable):
            others = swapped("systems")
    found = (("Other segments", compared, why, "item"), ("Other systems", others, missing, "systems"))
    label = "Which metric of each pair agrees significantly better?"
    show.fold(label, "trust-pairs", _pairs_of_all, found, statistic, lambda: swapped("williams"))
    return compared


def _pairs_of_all(
    found: Sequence[tuple[str, Family | None, str, str]], statistic: Statistic, williams: Callable[[], Family]
) -> None:
    """Draw which metric agrees better than which: for other segments, and beside it for other systems."""
    for column, (whose, family, why, name) in zip(st.columns(2), found, strict=True):
        with column, show.part():
            st.markdown(f"**{whose}{', these systems' if name == 'item' else ' like these'}**")
            if family is None:
                st.caption(plain(why))
            else:
                alt = f"Matrix of differences in {statistic.label} between all pairs of metrics, with verdicts"
                pictures.charts(_matrix(family, statistic.label), f"metrics-{name}", alt)
    pictures.explained("metrics-against-people")
    # Below both pictures: beside each other two tables have no room.
    for whose, family, _, name in found:
        if family is not None:
            st.markdown(f"**{whose}**")
            # No p stands there without its correction.
            numbers, stay = _meta_eval.metrics_table(family), ("first", "second", "corrected p", "verdict")
            pictures.captioned(numbers, f"{whose}: differences between all pairs of metrics", stay=stay)
            args = (f"metrics-{name}", f"{whose}: the matrix of metrics")
            frame.current().downloads(pictures.for_paper, _matrix(family, statistic.label), *args)
    compared = found[0][1]
    if compared is not None and rankable(compared):
        st.markdown("**Rank ranges and significance clusters (WMT)**")
        places = asked_at_once(_meta_eval.places_table, compared)
        pictures.captioned(places, alt="Rank ranges of the metrics, and significance clusters")
    if isinstance(statistic, Pearson):
        with show.part():
            st.markdown("**Williams's test of the correlations**")
            numbers = pictures.begun(_meta_eval.metrics_table(williams()))
            pictures.table(numbers, alt="Williams's test of every pair of metrics")
            st.caption(
                "Are two correlations with the same human ratings equal? The test assumes that the systems are a "
                "random sample and that their scores are normally distributed."
            )


def _matrix(family: Family, statistic: str) -> Matrix:
    return replace(Matrix.of(family.by_score(), compared="metric"), metric=statistic)


def _behind_tabs(
    corpus: Corpus, rated: RatedData, human: Metric, trust: MetaEval, statistic: Statistic, settings: Settings
) -> None:
    """Look closer at one metric, at several together, and at the raters; a tab costs nothing until it is opened."""
    st.header("More about the agreement")
    names = list(rated.names)
    session.drop_stale("closer", names)
    metric = (
        names[0]
        if len(names) == 1
        else st.selectbox(
            "Metric",
            names,
            format_func=visible,
            **forms.bound("closer"),
            help=f"Does not affect {_TOGETHER}, {_RULES} and {_RATERS}.",
        )
    )
    sections: dict[str, Callable[[], object]] = {
        _VERDICTS: lambda: _verdicts(rated, metric, settings),
        _TOGETHER: lambda: _together(rated, settings),
        _MEANING: lambda: _meaning(rated, metric, settings),
        _BLIND: lambda: _blind(corpus, rated, metric, settings),
        _RULES: lambda: raters.rules(corpus, human.name, settings),
        _RATERS: lambda: raters.section(corpus, human.name, settings, statistic, trust),
    }
    whole = rated.whole(metric)
    if whole:
        text = f"{whole} has only system-level scores, so its differences cannot be tested."
        sections |= dict.fromkeys((_VERDICTS, _BLIND), lambda: st.caption(plain(text)))
    tabs = st.tabs(list(sections), on_change="rerun", **forms.bound("trust_tab"))
    for tab, section in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab, show.part():
                section()


def _together(rated: RatedData, settings: Settings) -> None:
    """Say what people and metrics say together of every pair: better by all of them, or by which of them."""
    every = [scored.name for scored in rated.everything if not scored.whole]
    session.keep_only("jointly", every, has_default=True)
    left, right = st.columns([2, 1])
    chosen = left.multiselect("Combined", every, format_func=visible, **forms.bound_or_empty("jointly", every[:3]))
    form = right.segmented_control(
        "Better by", list(_FORMS), format_func=_FORMS.__getitem__, default="all", required=True,
        **forms.bound("jointly_form"),
    ) or "all"  # fmt: skip
    if len(chosen) < 2:
        st.caption("Choose at least two.")
        return
    families = [raters.family_of(rated, name, settings) for name in chosen]
    stated = asked_here(joint_statements, families, form)
    st.markdown(f"**{plain(statements_text(stated))}**")
    for statement in [item for item in stated.statements if item.said == "contradiction"][:_MOST_CONTRARY]:
        st.warning(plain(statement.sentence))
    picture = ParallelIntervals.of(stated)
    pictures.figure(picture, key="together", alt="Difference of every pair by each metric, side by side")
    numbers = statement_table(stated)
    pictures.captioned(numbers, alt="Joint verdicts of the metrics on every pair")
    frame.current().downloads(pictures.for_paper, picture, "together", "Differences by every metric, side by side")


def _verdicts(rated: RatedData, metric: str, settings: Settings) -> None:
    """Show where people's verdicts and the metric's agree; a row opens its pair."""
    verdicts = meta_eval.side_by_side(*_families(rated, metric, settings))
    counts = _meta_eval.verdict_counts_table(verdicts)
    contrary = next(count.pairs for count in verdicts.counts if count.said == "contradiction")
    same = next(count.pairs for count in verdicts.counts if count.said == "same")
    both = f": {same} in the same direction, {contrary} in opposite directions" if contrary + same else ""
    counted = f"{contrary + same} of {len(verdicts.pairs):,} pairs are significant"
    st.markdown(plain(f"{counted} both in {metric} and in the human ratings{both}."))
    picture = VerdictMarks.of(verdicts)
    alt = f"Every pair by its difference in human ratings and in {metric}, marked by which of them is significant"
    pictures.figure(picture, key="verdicts", alt=alt)
    pictures.table(pictures.begun(counts), alt=f"Number of significant pairs in human ratings, in {metric} or in both")
    said = f"{counts.caption} Human ratings have less power: if only the metric is significant, it need not be wrong."
    if len(rated.numbers) < len(show.loaded()):
        said += (
            f" Verdicts in {metric} are those of the page Results, from all segments; the agreement at the top is from "
            f"the {len(rated.numbers):,} that were rated."
        )
    st.caption(plain(said))
    pairs = _meta_eval.verdict_pairs_table(verdicts)
    # Names of ratings are long: what all p-values are is said below.
    named = {kind: [column.name for column in pairs.columns if column.kind == kind] for kind in ("p", "interval")}
    titles = dict(zip(pairs.names, pictures.begun(pairs).header, strict=True))
    titles |= {name: f"p, {whose}" for name, whose in zip(named["p"], (verdicts.human, verdicts.metric), strict=True)}
    seen = pairs.seen(titles)
    rows = pictures.table(
        seen,
        column_order=pictures.at_a_glance(seen, "detectable", *named["interval"]),
        alt=f"Verdicts of human ratings and {metric} on every pair; choosing a row opens the pair",
        on_select="rerun",
        selection_mode="single-row",
        key=f"verdicts{session.current().view.clicks}",
    )
    more = "All p are corrected. The table's menu adds intervals and detectable differences. Click a row to open it."
    st.caption(plain(f"{pairs.caption} {more}"))
    frame.current().downloads(pictures.for_paper, picture, "verdicts", "Differences in human ratings and in the metric")
    if rows["selection"]["rows"]:
        chosen = verdicts.pairs[rows["selection"]["rows"][0]]
        session.current().choose_pair(chosen.first, chosen.second)


def _families(rated: RatedData, metric: str, settings: Settings) -> tuple[Family, Family]:
    """Return all pairs by people, and by a metric."""
    people, program = (raters.family_of(rated, name, settings) for name in (rated.human.name, metric))
    return people, program


def _meaning(rated: RatedData, metric: str, settings: Settings) -> None:
    """Show how often people see the order that a difference gives, by its size."""
    options = {"level": settings.level, "scheme": settings.bootstrap()}
    curve = asked("Resampling pairs …", meta_eval.delta_accuracy, rated, metric, **options)
    difference = st.number_input(
        f"A difference in {plain(metric)} to look up", min_value=0.0, value=None, placeholder="optional", format="%.6g",
        **forms.bound_number("meant"),
    )  # fmt: skip
    if difference:
        st.markdown(f"**{plain(_meta_eval.meaning_text(curve, difference))}**")
    picture = MeaningCurve.of(curve, difference or None)
    alt = f"Share of pairs that human ratings order as {metric} does, by the difference in {metric}"
    pictures.figure(picture, key="meaning", alt=alt)
    needed = _meta_eval.needed_table([curve])
    pictures.table(pictures.begun(needed), alt="The smallest difference at which human ratings agree this often")
    left_out = f" Pairs left out: {curve.human_ties} with equal human ratings, {curve.metric_ties} with equal {metric}."
    st.caption(plain(f"{needed.caption}{left_out}"))
    frame.current().downloads(pictures.for_paper, picture, "meaning", "The curve above")
    show.quiet(curve.notes)


def _blind(corpus: Corpus, rated: RatedData, metric: str, settings: Settings) -> None:
    """Show what a metric does not see: systems that it under- or overrates, and equal scores of unequal quality."""
    with show.part():
        options = {"level": settings.level, "scheme": settings.bootstrap()}
        rated_otherwise = asked("Resampling segments …", meta_eval.underrated, rated, metric, **options)
        st.markdown(f"**{plain(_meta_eval.underrated_text(rated_otherwise))}**")
        numbers = _meta_eval.underrated_table(rated_otherwise)
        pictures.captioned(numbers, alt=f"Distance of the human scores from the scores that {metric} predicts")
        show.quiet(rated_otherwise.notes)
    with show.part():
        pairs = same_score(*_families(rated, metric, settings))
        if pairs:
            numbers = _meta_eval.same_score_table(pairs)
            pictures.captioned(numbers, alt=f"Pairs with the same {metric} that differ significantly in human ratings")
        else:
            st.markdown(plain(f"No pair with the same {metric} differs significantly in human ratings."))
    if rated[metric].cells is not None:
        with show.part():
            outputs = raters.outputs_alike(corpus, rated, metric)
            if outputs:
                numbers = _meta_eval.same_outputs_table(outputs, corpus)
                pictures.captioned(numbers, alt=f"Outputs with the same {metric} and very different human ratings")


show.guarded(page)
