"""Compare two: one pair, its verdict in words and the evidence below."""

import pandas as pd
import streamlit as st

from dashboard import compute, in_slices, session, show, sidebar
from dashboard.markdown import plain
from mtsig import (
    Audited,
    Comparison,
    Corpus,
    Family,
    NotApplicable,
    Note,
    Settings,
    Statistics,
    block_scan,
    dependence,
    influential_segments,
    inspect,
    level_text,
    p_number,
    p_text,
)
from mtsig.figures import resampled_differences, shuffled_differences
from mtsig.report import (
    attainable_text,
    audit_text,
    audited_p_text,
    beside_text,
    block_table,
    decided_text,
    dependence_text,
    drawing_error,
    equivalence_text,
    interval_text,
    method_text,
    needed_text,
    points_text,
    power_text,
    verdict_text,
)

HOW_TO_READ_DRAWS = """
The test set was redrawn with replacement many times, and both systems were scored on each redraw. The bars show
their differences; right of the dashed line the first system is ahead. The shaded part is the confidence interval
chosen in the sidebar, which need not come from these draws. The share of redraws won by a system is a description: it
is not the probability that the system is better.
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
    first, second = _pair(list(statistics.systems), statistics)
    if first == second:
        st.info("Choose two different systems.")
        return
    show.single_runs(corpus, (first, second))
    found: list[Note] = []
    with show.part():
        family, one = _seen_from(show.family(corpus, metric, choices), first, second)
        of_kin = {first, second} & {one.kin.system for one in statistics.kinships}
        told = show.kin(statistics, family) if of_kin else []
        found += [note for note in family.notes if note not in told]
        _verdict(family, one)
    found += _audit(statistics, choices.settings, first, second)
    in_slices.section(corpus, statistics, choices.settings, first, second)
    _ahead(statistics, choices, first, second)
    _documents(corpus, statistics, first, second)
    _segments(corpus, statistics, first, second)
    show.notes([*found, *inspect(corpus)], "About this comparison")


def _verdict(family: Family, one: Comparison) -> None:
    """Show the verdict and its evidence."""
    show.verdict_box(verdict_text(one), one)
    attainable = attainable_text(one)
    if attainable:
        st.caption(plain(attainable))
    _cards(one)
    beside = beside_text(one)
    if beside:
        st.caption(plain(beside))
    st.caption(plain(f"{method_text(family)} · It is about: {one.estimand} · {family.signature}"))
    with show.part():
        _histograms(family, one)


def _pair(systems: list[str], statistics: Statistics) -> tuple[str, str]:
    """Let the visitor choose; the two best-scoring systems when nothing was chosen yet."""
    if len(systems) < 2:
        raise NotApplicable(f"A comparison needs two systems; there is only {systems[0]!r}. Add one on the Data page.")
    best = -1 if statistics.metric.higher_is_better else 1
    ranked = sorted(systems, key=lambda name: best * statistics.scores[statistics.row(name)])
    for key in (session.FIRST, session.SECOND):
        session.drop_stale(key, systems)
    # Ordered by score, so that what the address leaves out (the first option, the second) is the same for every reader.
    left, right = st.columns(2)
    first = left.selectbox("First system", ranked, index=0, key=session.FIRST, bind="query-params")
    second = right.selectbox("Second system", ranked, index=1, key=session.SECOND, bind="query-params")
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
    cards[0].metric(f"Difference in {plain(one.metric)}", points_text(one.difference, one.decimals, signed=True))
    cards[1].metric(f"{level_text(one.level)} interval", interval_text(one.low, one.high, True, one.decimals))
    corrected = one.correction != "none" and one.family_size > 1
    label = f"Corrected p, of {one.family_size}" if corrected else "p"
    cards[2].metric(label, p_number(one.p_adjusted))
    if corrected:
        cards[2].caption(f"uncorrected {plain(p_text(one.p_value))}{', exact' if one.exact else ''}")
    if one.adjusted_low < one.adjusted_high:
        drawn = f"{p_number(one.adjusted_low)} to {p_number(one.adjusted_high)}"
        cards[2].caption(plain(f"95% drawing error {drawn}"))
    cards[3].metric("Resamples won by the first", f"{one.win_rate:.1%}")
    cards[3].caption(f"ties {one.tie_rate:.1%}; a description, not a p-value")


def _histograms(family: Family, one: Comparison) -> None:
    position = family.find(one.first, one.second)
    if position is None:
        return
    names = ["Redrawn test sets"]
    if family.null is not None and family.test.exchanges:
        names.append("Exchanged labels")
    chosen = st.segmented_control(
        "Evidence", names, default=names[0], required=True, key="evidence", bind="query-params"
    )
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
        if one.exact and not family.complete:
            st.caption("The uncorrected p counts all arrangements; the bars show only those drawn at random.")


def _audit(statistics: Statistics, settings: Settings, first: str, second: str) -> tuple[Note, ...]:
    """Show what every test says of this pair alone, and why they differ; return what to know of its units."""
    auditor = st.expander("Audit: every test side by side", on_change="rerun", key="audit")
    if not auditor.open:
        return ()
    notes: tuple[Note, ...] = ()
    with auditor, show.part():
        found = compute.audited(statistics, settings, first, second)
        notes = found.notes
        units = list(dict.fromkeys(one.unit for one in found))
        unit = units[0]
        if len(units) > 1:
            unit = st.segmented_control("Units", units, default=units[0], required=True, key="audit_unit") or units[0]
        st.markdown(f"**{plain(audit_text(found, unit))}**")
        st.table(pd.DataFrame(_audit_row(one, found.decimals) for one in found if one.unit == unit).set_index("Test"))
        st.caption("This pair alone, not corrected. Choose the test before looking: picking the smallest p is no test.")
        if st.toggle("As sacreBLEU prints it", key="as_sacrebleu", bind="query-params"):
            with show.part():
                _printed(statistics, first, second)
    return notes


def _audit_row(one: Audited, decimals: int) -> dict[str, str]:
    """Return one line of the audit; text from files is escaped, so a table that reads Markdown may show it."""
    if one.problem is not None:
        empty = dict.fromkeys(("p", "Drawing error", "Interval", "Verdict"), "")
        return {"Test": one.label, **empty, "It is about": one.estimand, "It assumes": one.assumes, "Why": one.problem}
    return {
        "Test": one.label,
        "p": audited_p_text(one),
        "Drawing error": drawing_error(one),
        "Interval": interval_text(one.low, one.high, True, decimals),
        "Verdict": plain(decided_text(one)),
        "It is about": one.estimand,
        "It assumes": one.assumes,
        "Why": one.differs,
    }


def _printed(statistics: Statistics, first: str, second: str) -> None:
    frame = pd.DataFrame(
        {
            "System": f"Baseline: {one.system}" if one.p_bootstrap is None else one.system,
            "Score": one.score,
            "Mean ± half width": f"{one.mean:.4f} ± {one.half_width:.4f}",
            "p, --paired-bs": "" if one.p_bootstrap is None else f"{one.p_bootstrap:.4f}",
            "p, --paired-ar": "" if one.p_randomization is None else f"{one.p_randomization:.4f}",
        }
        for one in compute.printed(statistics, first, second)
    )
    show.table(frame, alt="The pair as sacreBLEU prints it", decimals=4)
    st.caption(
        "To the digit of sacreBLEU, segments as units. Its bootstrap p is about half of a two-sided p, and its "
        "interval is centred on the mean of the redraws."
    )


def _documents(corpus: Corpus, statistics: Statistics, first: str, second: str) -> None:
    """Show what dependence between sentences costs: by documents, or by neighbourhood when these are unknown."""
    with st.expander("Do sentences of one document go together?"), show.part():
        if corpus.documents is not None:
            st.markdown(plain(dependence_text(dependence(statistics, first, second))))
            st.caption("The design effect compares the standard errors with documents and with segments as units.")
            return
        scan = block_scan(statistics, first, second)
        frame = pd.DataFrame(
            {"Neighbours taken together": scan.lengths, "Standard error, relative": scan.ratio, "By chance": scan.limit}
        )
        show.table(frame, alt="Standard error by block length", decimals=3)
        st.caption(plain(block_table(scan, statistics.metric.name).caption))


def _ahead(statistics: Statistics, choices: sidebar.Choices, first: str, second: str) -> None:
    """Show what it takes to find a difference of a chosen size, and what can be ruled out."""
    planner = st.expander("How many segments would it take?", on_change="rerun", key="planner")
    if not planner.open:
        return
    with planner, show.part():
        left, middle, right = st.columns(3)
        help_text = "The size worth finding, chosen beforehand: not the difference just observed."
        # Scales differ: a difference worth finding in one metric is none in another.
        decimals = statistics.metric.decimals
        point = 10.0 ** (2 - decimals)
        scale = "" if decimals == 2 else str(decimals)
        least, most, step, shown = point / 100, 100.0, point / 10, f"%.{decimals}f"
        difference = left.number_input(
            "A true difference of", least, most, point, step, shown, help=help_text, key=f"worth{scale}"
        )
        # By default the comparison is one of those that the pages judge together.
        systems = len(statistics.systems)
        family = systems * (systems - 1) // 2 * (len(choices.metrics) if choices.joined else 1)
        family = 1 if choices.settings.correction == "none" else family
        comparisons = middle.number_input(
            "One of so many comparisons",
            1,
            100_000,
            family,
            help="Needed size and power are those after correction for them (Bonferroni).",
            key=f"among{family}",
        )
        margin = right.number_input(
            "Margin of equivalence",
            least,
            most,
            None,
            step,
            shown,
            help="Fixed before looking; leave empty for none.",
            key=f"margin{scale}",
        )
        found = compute.power_of_pair(statistics, choices.settings, first, second, difference, margin, comparisons)
        if found.needed is not None and found.power is not None:
            among = "" if comparisons == 1 else f", as one of {comparisons:,} comparisons"
            st.markdown(
                f"**{needed_text(found).capitalize()} {found.unit}s like these** find a true difference of "
                f"{difference:g} with 80% power{among}; these {found.units:,} find it with {power_text(found.power)}: "
                "by the jackknife t test, the ranges being what these data leave open of their spread. When they do, "
                f"the estimate is {found.power.exaggeration:.2f} times too large on average, and of the wrong sign in "
                f"{found.power.wrong_sign:.1%} of cases."
            )
        for kind in (found.equivalence, found.non_inferiority):
            if kind is not None:
                st.markdown(plain(equivalence_text(kind, first, second, found.metric, found.decimals)))
        if margin is not None:
            st.caption("A margin chosen on this page was chosen after the data were seen: the result is exploratory.")


def _segments(corpus: Corpus, statistics: Statistics, first: str, second: str) -> None:
    """Show the segments that speak most for either system, with what text there is."""
    with st.expander("Which segments drive the difference"), show.part():
        rows = []
        for number, moved in influential_segments(statistics, first, second):
            segment = corpus.take([number])
            row: dict[str, object] = {"Segment": number + 1, "Push": moved}
            row |= {name: segment.lines(name)[0] for name in (first, second) if len(corpus.systems[name]) == 1}
            row |= {f"Reference {name}": lines[0] for name, lines in segment.references.items()}
            rows.append(row)
        frame = pd.DataFrame(rows)
        decimals = statistics.metric.decimals + 1
        show.table(frame, alt="Segments that push the difference most", decimals=decimals, signed=True)
        st.caption(
            "How far each segment pushes the difference away from its mean, in points of "
            f"{plain(statistics.metric.name)}; positive pushes towards the first system. Pointers for reading."
        )


show.guarded(page)
