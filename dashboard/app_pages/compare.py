"""Compare two: one pair, its verdict in words and the evidence below."""

from collections.abc import Sequence

import streamlit as st

from dashboard import compute, in_slices, session, show
from dashboard.markdown import plain
from mtsig import Corpus, Settings, influential_segments, p_text
from mtsig.corpus import Note
from mtsig.errors import NotApplicable
from mtsig.explain import explain
from mtsig.figures import Histogram
from mtsig.inference import Comparison, Family, dependence, level_text, p_number
from mtsig.metrics import Statistics
from mtsig.report import (
    Column,
    Table,
    attainable_text,
    audit_table,
    audit_text,
    beside_text,
    block_table,
    dependence_text,
    equivalence_text,
    frame_of,
    interval_text,
    method_text,
    needed_text,
    points_text,
    power_text,
    printed_table,
    verdict_text,
)

_AUDIT = {
    "label": "Test", "p": "", "95% drawing error": "Drawing error", "interval": "Interval", "verdict": "Verdict",
    "about": "It is about", "assumes": "It assumes", "why it differs": "Why",
}  # fmt: skip


def page() -> None:
    """Draw the page."""
    st.title("Compare two")
    corpus = show.loaded()
    choices = session.current().selection.choices
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
    show.notes([*found, *compute.inspected(corpus)], "About this comparison")


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
            Histogram.of_resampled(compute.resampled(family, position), one),
            key="draws",
            alt=f"Histogram of the differences in {one.metric} on redrawn test sets",
            how_to_read="resampled-differences",
        )
    elif family.null is not None:
        show.figure(
            Histogram.of_shuffled(family.null[position], one),
            key="null",
            alt=f"Histogram of the differences in {one.metric} after exchanging labels",
            how_to_read="exchanged-labels",
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
        frame = frame_of(audit_table(found, unit, _AUDIT)).set_index("Test")
        # A table that reads Markdown: names come from files.
        st.table(frame.assign(Verdict=frame["Verdict"].map(plain)))
        st.caption(explain("audit"))
        if st.toggle("As sacreBLEU prints it", key="as_sacrebleu", bind="query-params"):
            with show.part():
                _printed(statistics, first, second)
    return notes


def _printed(statistics: Statistics, first: str, second: str) -> None:
    printed = printed_table(compute.printed(statistics, first, second), "Score")
    titles = {"system": "System", "mean ± half width": "Mean ± half width"}
    show.table(
        printed.seen({name: titles.get(name, "") for name in printed.names}), alt="The pair as sacreBLEU prints it"
    )
    st.caption(explain("as-sacrebleu"))


def _documents(corpus: Corpus, statistics: Statistics, first: str, second: str) -> None:
    """Show what dependence between sentences costs: by documents, or by neighbourhood when these are unknown."""
    with st.expander("Do sentences of one document go together?"), show.part():
        if corpus.documents is not None:
            st.markdown(plain(dependence_text(dependence(statistics, first, second))))
            st.caption("The design effect compares the standard errors with documents and with segments as units.")
            return
        scan = block_table(compute.scanned(statistics, first, second), statistics.metric.name)
        show.table(show.capitalised(scan), alt="Standard error by block length")
        st.caption(plain(scan.caption))


def _ahead(statistics: Statistics, choices: session.Choices, first: str, second: str) -> None:
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
        moved = influential_segments(statistics, first, second)
        lines: dict[str, Sequence[str | None]] = {}
        lines |= {name: corpus.lines(name) for name in (first, second) if len(corpus.systems[name]) == 1}
        lines |= {f"Reference {name}": reference for name, reference in corpus.references.items()}
        shown = Table.of(
            "",
            (Column("Segment", "count"), (number + 1 for number, _ in moved)),
            (Column("Push", "difference", statistics.metric.decimals + 1), (push for _, push in moved)),
            *((Column(name), [text[number] for number, _ in moved]) for name, text in lines.items()),
        )
        show.table(shown, alt="Segments that push the difference most")
        st.caption(
            "How far each segment pushes the difference away from its mean, in points of "
            f"{plain(statistics.metric.name)}; positive pushes towards the first system. Pointers for reading."
        )


show.guarded(page)
