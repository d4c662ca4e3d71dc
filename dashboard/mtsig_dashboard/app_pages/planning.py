"""Planning: what a test set finds, by the data at hand as a pilot, and what it has to hold to find a difference."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import floor, log, log10
from typing import Any, NamedTuple

import streamlit as st

from mtsig import Corpus, MtsigError, Settings, design_test_set, power_analysis
from mtsig._writing import short_names, visible
from mtsig.campaign import few_ratings
from mtsig.corpus._notes import is_human, joint_ratings
from mtsig.figures import Curves, PowerCurve, SubsetWidths
from mtsig.figures._planning import sizes_of
from mtsig.inference import PowerAnalysis, detectable_difference
from mtsig.inference._design import sampling_part
from mtsig.inference._margins import pilot_of, spread_of
from mtsig.meta_eval._rating_design import design_ratings_by
from mtsig.metrics import Metric, Rated, Statistics
from mtsig.metrics import metric as metric_of
from mtsig.readers._names import given_by
from mtsig.report import _diagnostics, _raters
from mtsig.report._campaign import needed_ratings_table
from mtsig.report._table import records_table
from mtsig.segments import Ablation, SizeCurves
from mtsig.segments._ablation import design_by_references, usable_sizes
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked, asked_here
from mtsig_dashboard.parts import forms, frame, pictures, questions, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

# Of a point of a metric of 0 to 100, and elsewhere of a round difference that the data at hand just find.
_MULTIPLES = (0.5, 1.0, 1.5, 2.0, 3.0)


class _Asked(NamedTuple):
    """What is to be found, by which pilot: the differences that are drawn, of which `difference` is the chosen one."""

    pair: tuple[str, str]
    difference: float
    offered: tuple[float, ...]
    systems: int
    comparisons: int
    prices: Mapping[str, float | None]
    price_rating: float | None


def page() -> None:
    """Draw the page."""
    corpus = show.loaded()
    choices = session.current().selection.choices
    with frame.current().more:
        metric = forms.shown_metric(choices)
    statistics = compute.measured(corpus, metric)
    if len(statistics.systems) < 2:
        _one_system(statistics, choices.settings)
        return
    with frame.current().more:
        wanted = _asked(statistics, choices.settings, metric)
    if wanted is None:
        return
    with show.part():
        strip.draw(corpus, [compute.scored(corpus, metric, choices)], wanted.pair)
    called = short_names(statistics.systems)
    first, second = (called[name] for name in wanted.pair)
    frame.current().say(f"{first} and {second}: what would it take to find {wanted.difference:g} {metric.name}?")
    found, curves = _analyses(statistics, choices.settings, wanted), None
    # The folds are below the pictures, and say how the subsets are looked at that these are drawn from.
    hero, caption, folds = st.container(), st.container(), st.container()
    with folds:
        by_size = st.expander("By test-set size: scores and widths", on_change="rerun", key="by-size")
        with by_size:
            ablation = _ablation(statistics, choices.settings)
    with hero:
        curves = _pictures(statistics, ablation, found, wanted)
    with caption:
        strip.source_line(corpus, statistics, PowerCurve.how_to_read, SubsetWidths.how_to_read)
        said = _diagnostics.planning_caption(found[0], choices.settings.level)
        subsets = "" if curves is None else f" Subsets: {int(curves.subsets.max())} of each size."
        st.caption(plain(f"{said}{subsets}"))
    needed = found[0].needed
    size = "" if needed is None or needed <= found[0].units else f" for {needed:,} {found[0].unit}s"
    if frame.current().step.button(f"Write an analysis plan{size}", type="primary"):
        session.current().open_page(session.PAPER)
    with folds:
        _folds(corpus, statistics, choices, wanted, found)
    if by_size.open:
        with by_size, show.part():
            _by_size(statistics, ablation, curves)


def _asked(statistics: Statistics, settings: Settings, metric: Metric) -> _Asked | None:
    """Draw what the bar asks for; None where there is nothing to look at yet."""
    row: dict[str, Any] = {"horizontal": True, "gap": "small", "width": "content", "vertical_alignment": "center"}
    pills = frame.current().chosen.container(**row, key="difference-to-find")
    other = st.empty()
    count = len(statistics.systems)
    with st.popover(f"{_expected('planned_systems') or count} systems", key="systems"):
        systems = st.number_input(
            "Systems that will be compared", 2, 1000, count, **forms.bound_number("planned_systems"),
            help="The correction counts all their pairs, unless the number of comparisons is given.",
        )  # fmt: skip
        pairs = systems * (systems - 1) // 2
        comparisons = st.number_input(
            "Comparisons corrected for together", 1, 1_000_000, None, **forms.bound_number("comparisons"),
            placeholder=f"all pairs: {pairs:,}",
            help="1 for one system against its baseline. For more, sizes include Bonferroni's correction.",
        )  # fmt: skip
    with st.popover(_pilot(statistics), key="pilot"):
        pair = questions.chosen(statistics)
        about = f"the variance of the difference between the two in {statistics.metric.name}"
        st.caption(plain(f"These data are the pilot: {about} determines how large a test set must be."))
    known = ", ".join(filter(None, map(_expected, ("price_segment", "price_document", "price_rating"))))
    with st.popover(f"Prices: {known}" if known else "Prices", key="prices"):
        prices = _prices(statistics.at(settings.unit).unit == "document")
        price_rating = _price_rating() if isinstance(metric, Rated) else None
    if pair[0] == pair[1]:
        st.info("Choose two different systems.")
        return None
    offered = asked_here(_offered, statistics, settings, *pair)
    usual = min(offered, key=lambda value: abs(log(value / questions.usual(statistics))))
    with other.popover("Other"):
        difference = questions.points(
            f"True difference to find, in {plain(statistics.metric.name)}",
            statistics,
            key="effect",
            help_text="The smallest difference that matters. Choose it in advance; do not use the observed difference.",
            value=usual,
        )
    key = questions.key_of_points(statistics, "effect")
    if difference is None:
        difference = usual
    with pills:
        _pills(key, offered, difference, metric)
    family = pairs if comparisons is None else comparisons
    return _Asked(pair, difference, offered, systems, family, prices, price_rating)


def _expected(key: str) -> str:
    """Return the number that a field inside a popover will show; the label of this says it."""
    said = forms.expected(key)
    return said if said.replace(".", "", 1).isdecimal() else ""


def _pilot(statistics: Statistics) -> str:
    """Return the label of the popover in which the pilot is chosen: the two systems."""
    systems = sorted(statistics.contenders_first, key=is_human)
    called = short_names(systems)
    chosen = [forms.expected(key) for key in (session.FIRST, session.SECOND)]
    names = [called[name if name in called else systems[at]] for at, name in enumerate(chosen)]
    return plain(f"Pilot: {' and '.join(names)}")


def _pills(key: str, offered: Sequence[float], difference: float, metric: Metric) -> None:
    """Draw differences to choose from; another one is said in a box, which says the same as these."""
    own = f"{key}-pills"
    session.choose(own, difference if difference in offered else None)
    with st.container(key="wide-label", width="content"):
        st.caption("To find")
    st.pills(
        "Difference to find",
        offered,
        format_func=lambda value: f"{value:g}" + (f" {plain(metric.name)}" if value == offered[-1] else ""),
        label_visibility="collapsed",
        key=own,
        on_change=lambda: session.choose(key, session.choice(own) or difference),
    )


def _offered(statistics: Statistics, settings: Settings, first: str, second: str) -> tuple[float, ...]:
    """Return differences to choose from: of points on a scale of 0 to 100, else round ones about what is detectable."""
    metric = statistics.metric
    unit = questions.usual(statistics)
    if isinstance(metric, Rated) or metric.decimals != 2:
        try:
            error, df = spread_of(pilot_of(statistics, first, second, settings.unit))
        except MtsigError:  # the page says why
            pass
        else:
            detectable = detectable_difference(error, settings.level, df=df)
            power = 10.0 ** floor(log10(detectable))
            unit = min((1, 2, 5, 10), key=lambda times: abs(log(times * power / detectable))) * power
    return tuple(float(f"{multiple * unit:.12g}") for multiple in _MULTIPLES)


def _prices(by_document: bool) -> dict[str, float | None]:
    """Let the visitor give what documents shall be like and what things cost; nothing of it is needed."""
    segment = questions.price(*questions.PRICE_OF_SEGMENT)
    if not by_document:
        return {"price_segment": segment}
    document = questions.price(
        "Price of a document", "price_document",
        "The cost of a document in addition to its segments, such as the cost of acquiring its rights.",
    )  # fmt: skip
    length = st.number_input(
        "Segments in a new document", 1.0, 10_000.0, step=1.0, format="%g",
        **forms.bound_number("document_length"), value=None, placeholder="optional",
        help="The mean length of new documents. If empty, the mean length of the documents in these data is used.",
    )  # fmt: skip
    return {"price_segment": segment, "price_document": document, "length": length}


def _price_rating() -> float | None:
    return questions.price(
        "Price of one rating", "price_rating",
        "The cost of one rating of one output by one rater, in addition to the price of the segment.",
    )  # fmt: skip


def _analyses(statistics: Statistics, settings: Settings, wanted: _Asked) -> tuple[PowerAnalysis, ...]:
    """Return needed size and power by size, of the chosen difference and of the others that are offered."""

    def analysed(difference: float, sizes: Sequence[int] = ()) -> PowerAnalysis:
        options = {"level": settings.level, "unit": settings.unit, "comparisons": wanted.comparisons}
        args = (statistics, *wanted.pair, difference)
        return asked("Computing power …", power_analysis, *args, **options, sizes=tuple(sizes))

    sizes = sizes_of(analysed(wanted.difference))
    others = [difference for difference in wanted.offered if difference != wanted.difference]
    return tuple(analysed(difference, sizes) for difference in (wanted.difference, *others))


def _pictures(
    statistics: Statistics, ablation: Ablation, found: Sequence[PowerAnalysis], wanted: _Asked
) -> SizeCurves | None:
    """Say what was found and draw power by size, and how wide the interval is on parts of these data."""
    chosen, *others = found
    at = statistics.at(ablation.unit)
    called = short_names(statistics.systems)
    seen = replace(chosen, first=called[chosen.first], second=called[chosen.second])
    ledes = (_diagnostics.planning_lede(seen, at.n_segments, brief=brief) for brief in (False, True))
    frame.current().say(_diagnostics.planning_title(chosen), *ledes)
    segments = None if chosen.unit == "segment" else at.n_segments
    power = PowerCurve.of(chosen, others, segments)
    with st.container(key="power-and-widths"):
        left, right = st.columns([2, 1], gap="large")
    with left:
        pair = f"between systems like {seen.first} and {seen.second}"
        st.header(plain(f"Power to detect {chosen.difference:g} {chosen.metric} {pair}"), anchor=False)
        alt = f"Power to find {chosen.difference:g} {chosen.metric} by test-set size, with the size that is needed"
        pictures.charts(power, key="power", alt=alt)
    table = partial(_diagnostics.power_curve_table, found)
    frame.current().downloads(pictures.csv, "Power by size (.csv)", table, "power.csv")
    frame.current().downloads(pictures.for_paper, power, "power", "Power by size")
    with right, show.part():
        st.header("How wide is the interval with less data?", anchor=False)
        curves = compute.curves(statistics, ablation, wanted.pair)
        widths = SubsetWidths.of(curves)
        pictures.charts(widths, key="widths", alt=f"Interval width of {curves.metric} by the size of subsets")
        frame.current().downloads(pictures.for_paper, widths, "widths-of-subsets", "Interval widths on subsets")
        show.quiet([note for note in curves.notes if note not in statistics.notes], "About these curves")
        return curves
    return None


def _folds(
    corpus: Corpus, statistics: Statistics, choices: Choices, wanted: _Asked, found: Sequence[PowerAnalysis]
) -> None:
    """Offer what is folded: numbers and costs, references, raters."""
    metric, settings = statistics.metric, choices.settings
    options: dict[str, Any] = {
        "level": settings.level, "unit": settings.unit, "systems": wanted.systems, "comparisons": wanted.comparisons,
        **wanted.prices,
    }  # fmt: skip
    label = "All numbers: ways to enlarge the test set, their cost, and power by size"
    if statistics.samples is not None:
        with st.expander("More samples per segment, or a larger test set?", expanded=True), show.part():
            _samples(statistics, settings, wanted)
    show.fold(label, "all-numbers", _all_numbers, statistics, wanted, found[0], options)
    if isinstance(metric, Rated) and corpus.ratings[metric.rating].rater_scores is not None:
        with st.expander("How many raters?", expanded=True), show.part():
            _ratings(corpus, metric.rating, wanted, options)
    if isinstance(metric, Rated) and (helpers := _helpers(corpus, metric, choices.metrics)):
        label = "How many ratings are needed, with a metric and without?"
        show.fold(label, forms.bound("few"), _few, corpus, metric.rating, helpers, wanted, settings)
    if metric.needs_references and len(corpus.references) > 1:
        args = (corpus, metric, wanted, options)
        show.fold("With one reference or several", forms.bound("scenarios"), _references, *args)


def _samples(statistics: Statistics, settings: Settings, wanted: _Asked) -> None:
    """Say how much of the variance sampling makes, and what more samples per segment would bring."""
    family = asked("Comparing …", settings.family, statistics, [wanted.pair])
    if (part := sampling_part(statistics, family[0])) is not None:
        questions.samples_or_segments(part, wanted.prices)


def _all_numbers(statistics: Statistics, wanted: _Asked, found: PowerAnalysis, options: Mapping[str, Any]) -> None:
    """Show what is needed and what it costs, and the power of every size."""
    args = (statistics, *wanted.pair, wanted.difference)
    design = asked("Computing the needed size …", design_test_set, *args, **options)
    alt = "Documents and segments that are needed, and their cost"
    pictures.table(pictures.begun(_raters.design_table(design)), alt=alt)
    st.caption(plain(_raters.design_caption(design)))
    pictures.captioned(_diagnostics.power_curve_table([found]), alt="Power by test-set size")


def _references(corpus: Corpus, metric: Metric, wanted: _Asked, options: Mapping[str, Any]) -> None:
    """Show what is needed with each reference alone and with several together: the metric is counted anew for each."""
    designs = asked(
        "Counting with other references …", design_by_references, corpus, metric, *wanted.pair, wanted.difference,
        **options,
    )  # fmt: skip
    scenarios = _raters.references_table(designs)
    pictures.table(pictures.begun(scenarios), alt="Test-set sizes needed with other references")
    st.caption(plain(scenarios.caption))


def _helpers(corpus: Corpus, rated: Rated, chosen: Sequence[Metric]) -> dict[str, Metric]:
    """Return what can score every segment next to few ratings, by name: metrics of segments, and programs' ratings."""
    found = [own for own in chosen if own.is_segment_mean and own.name != rated.name]
    found += [Rated(name).on(corpus) for name in joint_ratings(corpus.ratings) if given_by(name) != "people"]
    if corpus.outputs and corpus.references:
        found.append(metric_of("sentchrf"))
    return {own.name: own for own in found if own.name != rated.name}


def _few(corpus: Corpus, rating: str, helpers: Mapping[str, Metric], wanted: _Asked, settings: Settings) -> None:
    """Say how many ratings a difference takes, alone and with a metric on every segment, and what they cost."""
    name = forms.one_of("Metric that scores every segment", "few_metric", {name: visible(name) for name in helpers})
    found = asked("Comparing …", few_ratings, corpus, rating, helpers[name], settings=settings)
    st.markdown(f"**{plain(found.sentence)}**")
    numbers = needed_ratings_table(found, wanted.difference, 0.8, wanted.price_rating)
    pictures.captioned(pictures.begun(numbers), alt="Number of ratings needed, with the metric and without it")


def _ratings(corpus: Corpus, rating: str, wanted: _Asked, options: Mapping[str, Any]) -> None:
    """Say how many segments and raters a human evaluation takes, by what these raters' values vary by."""
    given = corpus.ratings[rating].rater_scores
    raters = st.number_input(
        "Raters who share the work", 1, 1000, 5 if given is None else min(max(1, len(given.signed.raters)), 1000),
        **forms.bound_number("raters"),
        help="Each rater rates the same number of segments, and all outputs of each of them.",
    )  # fmt: skip
    asked_of = {name: options[name] for name in ("level", "systems", "comparisons", "price_segment")}
    rating_design = asked(
        "Comparing raters …", design_ratings_by, corpus, rating, wanted.difference, raters,
        price_rating=wanted.price_rating, **asked_of,
    )  # fmt: skip
    st.markdown(f"**{plain(_raters.ratings_design_text(rating_design))}**")
    numbers = _raters.ratings_design_table(rating_design)
    pictures.captioned(numbers, alt="Segments, ratings and cost, by the number of raters per segment")


def _one_system(statistics: Statistics, settings: Settings) -> None:
    """Show the scores of a single system by size: there is no difference to find."""
    picture = st.container()
    ablation = _ablation(statistics, settings)
    curves = compute.curves(statistics, ablation, None)
    frame.current().say(_diagnostics.sizes_title(curves), _diagnostics.size_text(curves))
    with picture:
        _scores(statistics, ablation)


def _by_size(statistics: Statistics, ablation: Ablation, curves: SizeCurves | None) -> None:
    """Show the difference, scores and numbers by size, each when its tab is opened."""
    if curves is not None:
        st.markdown(plain(_diagnostics.size_text(curves)))
    names = ("Difference", "Scores", "Numbers")
    tabs = st.tabs(list(names), on_change="rerun", **forms.bound("sizes_tab"))
    for tab, name in zip(tabs, names, strict=True):
        if not tab.open:
            continue
        with tab, show.part():
            if name == "Scores":
                _scores(statistics, ablation)
            elif curves is None:
                st.caption("There is no figure, because the interval of the difference is undefined.")
            elif name == "Numbers":
                _numbers(curves, statistics.best_first)
            else:
                alt = f"Difference in {curves.metric} by test-set size with its interval"
                pictures.figure(Curves.of_scores(curves), key="difference", alt=alt)
                show.quiet([note for note in curves.notes if note.level == "note"], "About these curves")


def _scores(statistics: Statistics, ablation: Ablation) -> None:
    """Show the scores of some systems by test-set size."""
    systems = statistics.contenders_first
    # The best and the worst, as in the paper's figures; more on request.
    ends = list(dict.fromkeys([systems[0], systems[-1]]))
    curves, chosen = compute.curves(statistics, ablation, None), ends
    if len(systems) > 1:
        box = st.multiselect("Systems", systems, default=ends, format_func=visible, **forms.bound("size_systems"))
        chosen = box or ends
        st.markdown(plain(_diagnostics.size_text(curves, chosen)))
    alt = f"{curves.metric} by test-set size with intervals"
    pictures.figure(Curves.of_scores(curves, chosen), key="scores", alt=alt)
    relative = st.toggle("Width in % of the score", **forms.bound("relative"))
    alt = f"Interval width of {curves.metric} by test-set size"
    widths = Curves.of_widths(curves, chosen, relative)
    pictures.figure(widths, key="score_widths", alt=alt)
    _numbers(curves, statistics.best_first)


def _numbers(curves: SizeCurves, best_first: Sequence[str]) -> None:
    left_out = ("metric", "signature", *([] if curves.undefined.any() else ["undefined"]))
    rows = [{name: row[name] for name in row if name not in left_out} for row in curves.rows()]
    # A difference has one curve, of no single system.
    rows.sort(key=lambda row: best_first.index(row["system"]) if row["system"] in best_first else 0)
    shown = records_table(rows, shares=("size",), decimals=curves.decimals)
    titles = {"relative_width": "relative width, %", "undefined": "undefined subsets"}
    shown = shown.seen({name: titles.get(name, "") for name in shown.names})
    pictures.table(pictures.begun(shown), alt=f"{curves.metric} and interval widths by test-set size")


def _ablation(statistics: Statistics, settings: Settings) -> Ablation:
    inside = st.toggle(
        "Use the bootstrap in every subset (slower)",
        **forms.bound("inside"),
        help="If this is off, intervals come from the jackknife, which is fast.",
    )
    return Ablation(
        sizes=usable_sizes(statistics.at(settings.unit).n),
        interval="percentile" if inside else "jackknife",
        level=settings.level,
        seed=settings.seed,
        unit=settings.unit,
    )


show.guarded(page)
