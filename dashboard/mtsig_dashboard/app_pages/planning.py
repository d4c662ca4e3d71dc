"""Planning: how the difference of two systems depends on the amount of data, and what a test set has to hold."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from mtsig import Corpus, Settings, design_test_set
from mtsig.corpus._notes import number_of
from mtsig.figures import Curves
from mtsig.inference._design import Design
from mtsig.meta_eval._rating_design import design_ratings_by
from mtsig.metrics import Metric, Rated, Statistics
from mtsig.report._diagnostics import power_text, size_text
from mtsig.report._raters import (
    design_caption,
    design_table,
    ratings_design_table,
    ratings_design_text,
    references_table,
)
from mtsig.report._table import records_table
from mtsig.segments import Ablation, SizeCurves
from mtsig.segments._ablation import design_by_references, usable_sizes
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked
from mtsig_dashboard.parts import forms, pictures, questions, show
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

_WIDTHS, _SCORES, _NUMBERS = "Width of the interval", "Scores", "Numbers"
_NO_CURVES = "Without a difference that can be followed there is nothing to show."
_MOST_PRICE = 1e6


def page() -> None:
    """Draw the page."""
    st.title("Planning")
    _pilot()
    show.onward(session.PAPER, "Next: an analysis plan, at the end of Paper, before the new test set is seen")


def _pilot() -> None:
    """Say what these data, as a pilot, tell of a future test set."""
    corpus = show.loaded()
    choices = session.current().selection.choices
    metric = forms.shown_metric(choices)
    statistics = compute.measured(corpus, metric)
    if len(statistics.systems) < 2:
        _scores(statistics, _ablation(statistics, choices.settings))
        return
    pair = questions.chosen(statistics)
    if pair[0] == pair[1]:
        st.info("Choose two different systems.")
        return
    show.single_runs(corpus, pair)
    ablation = _ablation(statistics, choices.settings)
    curves = None
    with show.part():
        curves = compute.curves(statistics, ablation, pair)
        show.warned(curves.notes)
        st.markdown(f"**{plain(size_text(curves))}**")
        pictures.figure(
            Curves.of_scores(curves),
            key="difference",
            alt=f"Difference in {curves.metric} by test-set size with its interval",
        )
    with show.part():
        _design(corpus, statistics, metric, choices, pair)
    _behind_tabs(statistics, ablation, curves)
    if curves is not None:
        st.caption(plain(curves.signature))
        show.quiet([note for note in curves.notes if note.level == "note"], "About these curves")


def _design(corpus: Corpus, statistics: Statistics, metric: Metric, choices: Choices, pair: tuple[str, str]) -> None:
    """Say what a future test set has to hold, by these data as a pilot."""
    st.header("What would it take?")
    st.caption(
        plain(
            f"These data are the pilot: how {pair[0]} and {pair[1]} vary against each other in "
            f"{statistics.metric.name} says how large a test set has to be."
        )
    )
    settings = choices.settings
    left, right = st.columns(2)
    with left:
        difference = questions.points(
            f"True difference to find, in {plain(statistics.metric.name)}",
            statistics,
            key="effect",
            help_text="The size worth finding, chosen beforehand: not the difference just observed."
            + (f" {questions.OF_RATINGS}" if isinstance(metric, Rated) else ""),
            value=True,
        )
    systems, pairs_of_all = len(statistics.systems), len(statistics.systems) * (len(statistics.systems) - 1) // 2
    comparisons = right.number_input(
        "Comparisons judged together",
        1,
        100_000,
        1,
        **forms.bound_number("comparisons"),
        help="One: a system against its baseline. Of several, sizes are those after correction (Bonferroni); all pairs "
        f"of {systems} systems are {pairs_of_all:,}.",
    )
    if difference is None:
        return
    options: dict[str, Any] = {
        "level": settings.level,
        "unit": settings.unit,
        "systems": systems,
        "comparisons": comparisons,
        **_wishes(statistics.at(settings.unit).unit == "document"),
    }
    design = asked("Looking at what is needed …", design_test_set, statistics, *pair, difference, **options)
    st.markdown(f"**{plain(_needed(design))}**")
    pictures.table(
        pictures.capitalised(design_table(design)), alt="Documents and segments that are needed, and their cost"
    )
    st.caption(plain(design_caption(design)))
    with show.part():
        _power(statistics, settings, pair, difference, options["comparisons"])
    if isinstance(metric, Rated) and corpus.ratings[metric.rating].judgements is not None:
        with show.part():
            _ratings(corpus, metric.rating, difference, options)
    if metric.needs_references and len(corpus.references) > 1 and st.toggle(
        "With other references", **forms.bound("scenarios"),
        help="The same for each reference alone and for several together: every metric is counted anew.",
    ):  # fmt: skip
        with show.part():
            designs = asked(
                "Counting with other references …", design_by_references, corpus, metric, *pair, difference, **options
            )
            scenarios = references_table(designs)
            pictures.table(pictures.capitalised(scenarios), alt="What is needed with other references in use")
            st.caption(plain(scenarios.caption))


def _ratings(corpus: Corpus, rating: str, difference: float, options: dict[str, Any]) -> None:
    """Say how many segments and judges an evaluation by people takes, by what these judges' values vary by."""
    st.subheader("How many judges?")
    given = corpus.ratings[rating].judgements
    left, right = st.columns(2)
    judges = left.number_input(
        "Judges who share the work", 1, 1000, 5 if given is None else max(1, len(given.signed.judges)),
        **forms.bound_number("judges"),
        help="Each sees as many segments as the others, and of a segment all outputs.",
    )  # fmt: skip
    price = right.number_input(
        "Price of one value", 0.0, _MOST_PRICE, None, **forms.bound_number("price_judgement"), placeholder="optional",
        help="What one judge's value of one output costs, beside the price of the segment.",
    )  # fmt: skip
    wanted = {name: options[name] for name in ("level", "systems", "comparisons", "price_segment")}
    rating_design = asked(
        "Looking at what judges bring …", design_ratings_by, corpus, rating, difference, judges, price_judgement=price,
        **wanted,
    )  # fmt: skip
    numbers = ratings_design_table(rating_design)
    st.markdown(f"**{plain(ratings_design_text(rating_design))}**")
    pictures.captioned(numbers, alt="Segments, values and cost by how many judges see each segment")


def _wishes(by_document: bool) -> dict[str, float | None]:
    """Let the visitor give what documents shall be like and what things cost; nothing of it is needed."""
    columns = st.columns(3 if by_document else 1)
    optional: dict[str, Any] = {"value": None, "placeholder": "optional"}
    segment = columns[0].number_input(
        "Price of a segment", 0.0, _MOST_PRICE, **forms.bound_number("price_segment"),
        help="With all that it takes, such as a reference and the ratings of all systems, in any currency.", **optional,
    )  # fmt: skip
    if not by_document:
        return {"price_segment": segment}
    document = columns[1].number_input(
        "Price of a document", 0.0, _MOST_PRICE, **forms.bound_number("price_document"),
        help="What a document costs besides its segments, such as finding it and its rights.", **optional,
    )  # fmt: skip
    length = columns[2].number_input(
        "Segments in a new document", 1.0, 10_000.0, step=1.0, format="%g",
        **forms.bound_number("document_length"),
        help="The mean length of new documents; that of those at hand when left empty.", **optional,
    )  # fmt: skip
    return {"price_segment": segment, "price_document": document, "length": length}


def _needed(design: Design) -> str:
    """Return the first way in one sentence."""
    among = "" if design.comparisons == 1 else f", as one of {design.comparisons:,} comparisons"
    finds = f"a true difference of {design.difference:,.12g} {design.metric} with {design.power:.0%} power{among}."
    if design.ways[0].needed is None:
        return f"No number of {design.unit}s is shown to be enough to find {finds}"
    shown = design_table(design)
    said = dict(zip(shown.names, shown.texts[0], strict=True))
    size = f"{said['segments']} segments"
    if design.unit == "document":
        size = f"{said['documents']} documents, {said['segments']} segments in all,"
    return f"It takes {size} to find {finds}"


def _power(
    statistics: Statistics, settings: Settings, pair: tuple[str, str], difference: float, comparisons: int
) -> None:
    """Say what the data at hand would find."""
    analysis = compute.power_of_pair(statistics, settings, *pair, difference, None, comparisons)
    if analysis.power is not None:
        units = number_of(analysis.units, analysis.unit)
        said = f"On {units} such as these it would be found with a power of {power_text(analysis.power)}."
        wrong = analysis.power.wrong_sign
        if wrong == wrong:  # NaN where nothing is ever found
            cases = f"{wrong:.1%}" if wrong >= 0.0005 else "fewer than 0.1%"
            said += (
                f" Where it is found, the estimate is {analysis.power.exaggeration:.2f} times the true difference on "
                f"average, and of the wrong sign in {cases} of cases."
            )
        st.markdown(said)


def _behind_tabs(statistics: Statistics, ablation: Ablation, curves: SizeCurves | None) -> None:
    """Show widths, scores and numbers, each when its tab is opened."""

    def widths() -> None:
        if curves is None:
            st.caption(_NO_CURVES)
        else:
            alt = f"Interval width of {curves.metric} by test-set size"
            pictures.figure(Curves.of_widths(curves), key="widths", alt=alt)

    def numbers() -> None:
        if curves is None:
            st.caption(_NO_CURVES)
        else:
            _numbers(curves, statistics.best_first)

    sections: dict[str, Callable[[], None]] = {
        _WIDTHS: widths,
        _SCORES: lambda: _scores(statistics, ablation),
        _NUMBERS: numbers,
    }
    tabs = st.tabs(list(sections), on_change="rerun", **forms.bound("sizes_tab"))
    for tab, section in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab, show.part():
                section()


def _scores(statistics: Statistics, ablation: Ablation) -> None:
    """Show the scores of some systems by test-set size."""
    systems = statistics.contenders_first
    # The best and the worst, as in the paper's figures; more on request.
    ends = list(dict.fromkeys([systems[0], systems[-1]]))
    chosen = st.multiselect("Systems", systems, default=ends, **forms.bound("size_systems")) or ends
    curves = compute.curves(statistics, ablation, None)
    st.markdown(plain(size_text(curves, chosen)))
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
        "Run a bootstrap inside every subset (slower)",
        **forms.bound("inside"),
        help="Otherwise intervals come from the jackknife, at once.",
    )
    return Ablation(
        sizes=usable_sizes(statistics.at(settings.unit).n),
        interval="percentile" if inside else "jackknife",
        level=settings.level,
        seed=settings.seed,
        unit=settings.unit,
    )


show.guarded(page)
