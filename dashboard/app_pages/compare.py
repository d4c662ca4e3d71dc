"""Compare two: one pair, its verdict in words and the evidence below."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard import compute, session, show, sidebar
from mtsig import TESTS, Comparison, Corpus, Family, NotApplicable, Settings, Statistics, drivers, p_number, p_text
from mtsig.figures import resampled_differences, shuffled_differences
from mtsig.report import attainable_text, interval_text, method_text, verdict_text

HOW_TO_READ_DRAWS = """
The test set was redrawn with replacement many times, and both systems were scored on each redraw. The bars show
their differences; right of the dashed line the first system is ahead. The shaded part is the confidence interval. The
share of redraws won by a system is a description: it is not the probability that the system is better.
"""

HOW_TO_READ_NULL = """
If the two systems were interchangeable, exchanging their outputs at random would change nothing. The bars show the
differences after such exchanges. Hatched draws are at least as far from zero as the observed difference: their share is
the p-value. A small p says that a difference this large would be rare among interchangeable systems; it is not the
probability that they are equal.
"""


def page() -> None:
    """Draw the page."""
    st.title("Compare two")
    corpus = show.loaded()
    choices = sidebar.choices()
    metric = show.shown_metric(choices)
    statistics = compute.measured(corpus, metric)
    family = compute.family(statistics, choices.settings)
    first, second = _pair(list(corpus.systems), statistics)
    if first == second:
        st.info("Choose two different systems.")
        return
    family, one = _seen_from(family, first, second)
    show.verdict_box(verdict_text(one), one)
    attainable = attainable_text(one)
    if attainable:
        st.caption(show.plain(attainable))
    _cards(one)
    _histograms(family, one)
    _tests(statistics, choices.settings, first, second)
    _segments(corpus, statistics, first, second)
    st.caption(show.plain(f"{method_text(family)} · {family.signature}"))
    show.notes(family.notes, "About this comparison")


def _pair(systems: list[str], statistics: Statistics) -> tuple[str, str]:
    """Let the visitor choose; the two best-scoring systems when nothing was chosen yet."""
    if len(systems) < 2:
        raise NotApplicable(f"A comparison needs two systems; there is only {systems[0]!r}. Add one on the Data page.")
    best = -1 if statistics.metric.higher_is_better else 1
    ranked = sorted(systems, key=lambda name: best * statistics.scores[statistics.row(name)])
    session.keep_choice(session.FIRST, systems, ranked[0])
    session.keep_choice(session.SECOND, systems, ranked[1])
    left, right = st.columns(2)
    with left:
        first = st.selectbox("First system", systems, key=session.FIRST, bind="query-params")
    with right:
        second = st.selectbox("Second system", systems, key=session.SECOND, bind="query-params")
    return first, second


def _seen_from(family: Family, first: str, second: str) -> tuple[Family, Comparison]:
    """Return the family and the comparison with `first` as its first system."""
    position = family.find(first, second)
    if position is None:
        raise NotApplicable(f"{first} and {second} are not among the comparisons.")
    if family.first[position] == first:
        return family, family[position]
    turned = family.turned(position)
    return turned, turned[position]


def _cards(one: Comparison) -> None:
    cards = st.columns([2, 3, 2, 2])
    cards[0].metric(f"Difference in {show.plain(one.metric)}", f"{one.difference:+.2f}")
    cards[1].metric(f"{one.level:.0%} interval", interval_text(one.low, one.high, signed=True))
    corrected = one.correction != "none" and one.of > 1
    label = f"Corrected p, of {one.of}" if corrected else "p"
    cards[2].metric(label, p_number(one.p_adjusted))
    if corrected:
        cards[2].caption(f"uncorrected {show.plain(p_text(one.p_value))}{', exact' if one.exact else ''}")
    cards[3].metric("Resamples won by the first", f"{one.wins:.1%}")
    cards[3].caption(f"ties {one.ties:.1%}; a description, not a p-value")


def _histograms(family: Family, one: Comparison) -> None:
    position = family.find(one.first, one.second)
    if position is None:
        return
    names = ["Redrawn test sets"]
    if family.null is not None and family.test.name == "ar":
        names.append("Exchanged labels")
    chosen = st.segmented_control("Evidence", names, default=names[0], required=True, key="evidence")
    if chosen == names[0]:
        show.figure(
            resampled_differences(compute.resampled(family, position), one),
            key="draws",
            alt=f"Histogram of the differences in {one.metric} on redrawn test sets",
            how_to_read=HOW_TO_READ_DRAWS,
        )
    elif family.null is not None:
        show.figure(
            shuffled_differences(family.null[position], one),
            key="null",
            alt=f"Histogram of the differences in {one.metric} after exchanging labels",
            how_to_read=HOW_TO_READ_NULL,
        )


def _tests(statistics: Statistics, settings: Settings, first: str, second: str) -> None:
    """Show what every test says of this pair alone."""
    with st.expander("What the other tests say"):
        rows = []
        for name, test in TESTS.items():
            family = compute.pair(statistics, replace(settings, test=name, correction="none"), first, second)
            one = family[0]
            said = f"first ahead on {one.wins:.1%} of resamples" if one.significant is None else p_text(one.p_value)
            rows.append({"Test": test.label, "Result": said, "It asks": test.about})
        show.table(pd.DataFrame(rows), alt="Every test on this pair")
        st.caption("This pair alone, not corrected. Choose the test before looking: picking the smallest p is no test.")


def _segments(corpus: Corpus, statistics: Statistics, first: str, second: str) -> None:
    """Show the segments that speak most for either system."""
    with st.expander("Which segments drive the difference"):
        rows = []
        counted = corpus.with_references()
        for unit, moved in drivers(statistics, first, second):
            segment = counted.take([unit])
            row: dict[str, object] = {"Segment": unit + 1, "Push": moved}
            row |= {first: segment.lines(first)[0], second: segment.lines(second)[0]}
            row |= {f"Reference {name}": lines[0] for name, lines in segment.references.items()}
            rows.append(row)
        frame = pd.DataFrame(rows)
        config = {"Push": st.column_config.NumberColumn(format="%+.3f")}
        show.table(frame, alt="Segments that push the difference most", column_config=config)
        st.caption(
            "How far each segment pushes the difference away from its mean, in points of "
            f"{show.plain(statistics.metric.name)}; positive pushes towards the first system. Pointers for reading."
        )


show.guarded(page)
