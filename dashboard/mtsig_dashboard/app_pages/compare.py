"""Compare two: one pair, its verdict in words and the evidence below."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from math import log10

import streamlit as st

from mtsig import Corpus, NotApplicable, Settings, p_text
from mtsig import audit as run_audit
from mtsig._probability import level_text, points_text
from mtsig.corpus import Note
from mtsig.corpus._notes import capital_first, number_of
from mtsig.explain import explain
from mtsig.figures import DifferenceBar, Histogram
from mtsig.inference import Audit, Comparison, Family, block_scan, p_number
from mtsig.inference._audit import Audited, as_sacrebleu
from mtsig.inference._dependence import dependence
from mtsig.inference._significance import known_test
from mtsig.metrics import Statistics
from mtsig.report import verdict_text
from mtsig.report._diagnostics import audit_table, audit_text, block_table, dependence_text, printed_table
from mtsig.report._families import method_text
from mtsig.report._say import (
    adjusts,
    alone_text,
    attainable_text,
    by_segments_text,
    ci_name,
    ci_text,
    equivalence_text,
    interval_text,
)
from mtsig.report._table import frame_of, in_html
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked
from mtsig_dashboard.parts import forms, pictures, questions, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

_EVIDENCE, _TESTS, _PARTS, _DOCUMENTS = "Histogram", "Every test", "Parts", "Documents"


def page() -> None:
    """Draw the page."""
    corpus, choices, statistics, first, second = questions.compared("Compare two")
    about: list[Note] = []
    family: Family | None = None
    worth: float | None = None
    told: list[Note] = []
    # Overlap that is told of in a box is not told of a second time among the findings; nor is what stands by the
    # verdict.
    kin = [kinship.kin for kinship in statistics.kinships]
    of_kin = {first, second} & {each.system for each in kin}
    odd = strip.odd(corpus, kin if of_kin else (), (first, second))
    with show.part():
        strip.draw_data(corpus, kin if of_kin else ())
    with show.part():
        whole = show.family(corpus, statistics.metric, choices)
        told += show.kin(statistics, whole) if of_kin else []
        # What the statistics say of kin that is none of the two stands on Results.
        about += [note for note in _notes(whole, first, second) if note not in told and (of_kin or note.about != "kin")]
        family, comparison = _seen_from(whole, first, second)
        show.verdict_box(verdict_text(comparison), comparison)
        if alone := alone_text(comparison):
            st.markdown(plain(alone))
        # Why there is no verdict stands in its box.
        told += [note for note in [*about, *odd] if note.text == f"{comparison.data_caveat}."]
        told += show.warned(note for note in [*about, *odd] if note not in told)
        worth = _evidence(family, comparison, statistics, choices.settings)
    about += _behind_tabs(corpus, statistics, choices, family, (first, second), told)
    show.notes([note for note in [*about, *odd] if note not in told], "About this comparison")
    # Links that carry the pair: st.switch_page refuses where widgets have been drawn that the address speaks of.
    there = {"first": first, "second": second}
    steps = st.container(horizontal=True)
    planned = there | ({} if worth is None else {questions.key_of_points(statistics, "effect"): f"{worth:g}"})
    show.onward("app_pages/planning.py", "How many segments would it take?", planned, steps)
    show.onward(session.SEGMENTS, "Read the segments", there, steps)
    show.onward(session.PAPER, "Get the figure", there, steps)


def _evidence(family: Family, comparison: Comparison, statistics: Statistics, settings: Settings) -> float | None:
    """Show one picture of the verdict, and the numbers; return the smallest difference worth finding."""
    attainable = attainable_text(comparison)
    if attainable:
        st.caption(plain(attainable))
    picture = st.container()
    worth = questions.points(
        f"Smallest difference worth finding, in {comparison.metric}",
        statistics,
        key="worth",
        help_text="Chosen beforehand, not after the difference just observed; leave empty for none.",
    )
    with picture:
        pictures.figure(
            DifferenceBar.of(comparison, worth, statistics.metric.higher_is_better),
            key="difference",
            alt=f"Difference in {comparison.metric} with its interval, against zero",
        )
    if worth is not None:
        with show.part():
            _ruled_out(statistics, settings, comparison, worth)
    _cards(comparison)
    st.caption(plain(f"{capital_first(method_text(family))} · It is about: {comparison.estimand} · {family.signature}"))
    return worth


def _ruled_out(statistics: Statistics, settings: Settings, comparison: Comparison, worth: float) -> None:
    """Say whether the data rule out a difference that is worth finding."""
    first, second = comparison.first, comparison.second
    power_analysis = compute.power_of_pair(statistics, settings, first, second, None, worth, 1)
    for kind in (power_analysis.equivalence, power_analysis.non_inferiority):
        if kind is not None:
            st.markdown(plain(equivalence_text(kind, first, second, power_analysis.metric, power_analysis.decimals)))
    st.caption("A margin chosen on this page was chosen after the data were seen: the result is exploratory.")


def _behind_tabs(
    corpus: Corpus,
    statistics: Statistics,
    choices: Choices,
    family: Family | None,
    pair: tuple[str, str],
    told: Sequence[Note],
) -> tuple[Note, ...]:
    """Show one kind of evidence, the others behind tabs that cost nothing until they are opened.

    told: the notes that the page has said already.
    """
    tests: list[Note] = []
    settings = choices.settings

    def histograms() -> None:
        if family is None:
            st.caption("Without a comparison there is nothing to draw.")
        else:
            _histograms(family, pair)

    sections: dict[str, Callable[[], None]] = {
        _EVIDENCE: histograms,
        _TESTS: lambda: tests.extend(_audit(statistics, settings, *pair)),
        _PARTS: lambda: questions.in_slices(corpus, statistics, settings, *pair, told),
        _DOCUMENTS: lambda: _documents(corpus, statistics, choices, family, pair),
    }
    for tab, section in zip(
        st.tabs(list(sections), on_change="rerun", **forms.bound("tab")),
        sections.values(),
        strict=True,
    ):
        if tab.open:
            with tab, show.part():
                section()
    return tuple(tests)


def _seen_from(family: Family, first: str, second: str) -> tuple[Family, Comparison]:
    """Return the family and the comparison with `first` as its first system."""
    position = family.find(first, second)
    if position is None:
        raise NotApplicable(f"{first} and {second} are not among the comparisons.")
    if family.first[position] == first:
        return family, family[position]
    turned = family.turned(position)
    return turned, turned[position]


def _notes(family: Family, first: str, second: str) -> list[Note]:
    """Return the notes of all pairs; what the metric says of all systems, of these two alone, as the audit says it."""
    every, of_two = family.statistics, family.statistics.select([first, second])
    others = [note for note in family.notes if note not in every.metric.caveats(every)]
    return [*of_two.metric.caveats(of_two), *others]


def _cards(comparison: Comparison) -> None:
    cards = st.columns([2, 3, 2, 2])
    cards[0].metric(
        f"Difference in {plain(comparison.metric)}",
        points_text(comparison.difference, comparison.decimals, signed=True),
    )
    cards[1].metric(capital_first(ci_name(comparison)), ci_text(comparison, signed=True))
    if adjusts(comparison):
        alone = interval_text(comparison.ci_low, comparison.ci_high, True, comparison.decimals)
        cards[1].caption(plain(f"{level_text(comparison.level)} CI of this pair alone {alone}"))
    corrected = comparison.corrected and comparison.family_size > 1
    label = f"Corrected p, of {comparison.family_size}" if corrected else "p"
    cards[2].metric(label, p_number(comparison.p_adjusted))
    if corrected:
        cards[2].caption(f"uncorrected {plain(p_text(comparison.p_value))}{', exact' if comparison.exact else ''}")
    if comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high:
        drawn = f"{p_number(comparison.p_adjusted_mc_low)} to {p_number(comparison.p_adjusted_mc_high)}"
        cards[2].caption(plain(f"95% drawing error {drawn}"))
    cards[3].metric("Resamples won by the first", f"{comparison.bootstrap_win_rate:.1%}")
    cards[3].caption(f"ties {comparison.tie_rate:.1%}; a description, not a p-value")


def _histograms(family: Family, pair: tuple[str, str]) -> None:
    position = family.find(*pair)
    if position is None:
        return
    comparison = family[position]
    names = ["Redrawn test sets"]
    if family.null is not None and family.test.exchanges:
        names.append("Exchanged labels")
    chosen = names[0]
    if len(names) > 1:
        chosen = st.segmented_control("Evidence", names, default=chosen, required=True, **forms.bound("evidence"))
    if chosen == names[0]:
        pictures.figure(
            Histogram.of_resampled(compute.resampled(family, position), comparison, family.higher_is_better),
            key="n_resamples",
            alt=f"Histogram of the differences in {comparison.metric} on redrawn test sets",
        )
    elif family.null is not None:
        pictures.figure(
            Histogram.of_shuffled(family.null[position], comparison, family.higher_is_better),
            key="null",
            alt=f"Histogram of the differences in {comparison.metric} after exchanging labels",
        )
        if comparison.exact and not family.complete:
            st.caption("The uncorrected p counts all arrangements; the bars show only those drawn at random.")


def _audit(statistics: Statistics, settings: Settings, first: str, second: str) -> tuple[Note, ...]:
    """Show what every test says of this pair alone, and why they differ; return what to know of its units."""
    audit = asked("Auditing …", run_audit, statistics, first, second, settings, every_unit=False)
    unit, *others = audit.units
    if others:
        session.drop_stale("audit_unit", audit.units)
        unit = st.segmented_control("Units", audit.units, default=unit, required=True, key="audit_unit") or unit
        # Most readers look at one unit, and each takes as long as the other.
        audit = asked(
            "Auditing …", run_audit, statistics, first, second, replace(settings, unit=unit), every_unit=False
        )
    st.markdown(f"**{plain(audit_text(audit, unit))}**")
    _tests_as_rows(audit, unit)
    st.caption(explain("audit"))
    if st.toggle("As sacreBLEU prints it", **forms.bound("as_sacrebleu")):
        with show.part():
            _printed(statistics, first, second)
    return audit.notes


def _printed(statistics: Statistics, first: str, second: str) -> None:
    printed = printed_table(asked("As sacreBLEU …", as_sacrebleu, statistics, first, second), "Score")
    titles = {"system": "System", "mean ± half width": "Mean ± half width"}
    pictures.table(
        printed.seen({name: titles.get(name, "") for name in printed.names}), alt="The pair as sacreBLEU prints it"
    )
    st.caption(explain("as-sacrebleu"))


def _documents(
    corpus: Corpus, statistics: Statistics, choices: Choices, family: Family | None, pair: tuple[str, str]
) -> None:
    """Show what dependence between sentences costs: by documents, or by neighbourhood when these are unknown."""
    first, second = pair
    st.markdown("**Do sentences of one document go together?**")
    if family is not None and family.unit != "segment":
        with show.part():
            alone = replace(choices, settings=replace(choices.settings, unit="segment"))
            segments = show.family(corpus, statistics.metric, alone)
            st.markdown(plain(by_segments_text(_seen_from(segments, first, second)[1], family.unit)))
    if corpus.documents is not None:
        st.markdown(plain(dependence_text(dependence(statistics, first, second))))
        st.caption("The design effect compares the standard errors with documents and with segments as units.")
        return
    scan = block_table(asked("Scanning neighbours …", block_scan, statistics, first, second), statistics.metric.name)
    pictures.table(pictures.capitalised(scan), alt="Standard error by block length")
    st.caption(plain(scan.caption))


_TITLES = {
    "label": "Test", "p": "p", "95% drawing error": "Drawing error", "interval": "Interval",
    "about": "It is about", "assumes": "It assumes", "why it differs": "Why it differs",
}  # fmt: skip
_FOLDED = ("Interval", "Drawing error", "It is about", "It assumes", "Why it differs")

# Powers of ten on the line; what is smaller stands at its end.
_DECADES = 4

_UNCOUNTED = "they give no p-value here, or only reproduce what another program prints"

# What is shown passes a filter that lets no drawing through, and inline styles are for nobody: places are classes.
_PLACES = "".join(f".mtsig-l{i} {{ left: {i}% }} .mtsig-r{100 - i} {{ right: {100 - i}% }}\n" for i in range(101))


def _tests_as_rows(audit: Audit, unit: str) -> None:
    """Show the tests of an audit over these units."""
    st.html(f"<style>\n{_PLACES}</style>")
    st.html(_rows_of_tests(audit, unit))


def _rows_of_tests(audit: Audit, unit: str) -> str:
    """Return the rows as HTML: escaped texts between fixed names of classes."""
    tests = [test for test in audit if test.unit == unit]
    records = frame_of(audit_table(audit, unit, _TITLES)).to_dict("records")
    drawn: dict[bool, list[str]] = {True: [], False: []}
    for test, record in zip(tests, records, strict=True):
        drawn[test.counts].append(_row(test, record, 1 - audit.level))
    body = "".join(drawn[True])
    if drawn[False]:
        many = number_of(len(drawn[False]), "row") + (" that is" if len(drawn[False]) == 1 else " that are")
        body += f'<p class="mtsig-audit-more">{many} not counted above: {_UNCOUNTED}.</p>{"".join(drawn[False])}'
    return f'<div class="mtsig-audit">{_head(1 - audit.level)}{body}</div>'


def _head(alpha: float) -> str:
    ticks = "".join(
        f'<span class="mtsig-tick mtsig-l{_place(10.0**-power)}">{_tick(power)}</span>' for power in range(_DECADES + 1)
    )
    return (
        f'<div class="mtsig-audit-head"><span>Test</span><div class="mtsig-line">{ticks}</div>'
        f'<span class="mtsig-audit-p">p</span><span>Verdict (dashed: {alpha:.3g})</span></div>'
    )


def _tick(power: int) -> str:
    if power == 0:
        return "1"
    return f"{'≤ ' if power == _DECADES else ''}.{'0' * (power - 1)}1"


def _place(p: float) -> int:
    """Return how far to the right p stands, in percent: 1 on the left, .0001 and less on the right."""
    return round(100 * min(_DECADES, -log10(max(p, 10.0**-_DECADES))) / _DECADES)


def _row(test: Audited, record: Mapping[Hashable, object], alpha: float) -> str:
    verdict = in_html(f"{test.winner} better" if test.winner else test.verdict or "not possible here")
    why = test.problem or test.withheld_reason or (f"Caution: {test.caution}" if test.caution else "")
    reason = f'<small dir="auto">{in_html(why)}</small>' if why else ""
    folded = "".join(
        f'<dt>{title}</dt><dd dir="auto">{in_html(str(record[title]))}</dd>'
        for title in _FOLDED
        if record[title] and record[title] != test.problem
    )
    return (
        f"<details><summary><span>{in_html(known_test(test.test).title)}</span>{_line(test, alpha)}"
        f'<span class="mtsig-audit-p">{in_html(str(record["p"]))}</span><span dir="auto">{verdict}</span>{reason}'
        f"</summary><dl>{folded}</dl></details>"
    )


def _line(test: Audited, alpha: float) -> str:
    if not test.has_p or test.problem is not None:
        return '<div class="mtsig-line"></div>'
    marks = f'<span class="mtsig-axis"></span><span class="mtsig-alpha mtsig-l{_place(alpha)}"></span>'
    if test.p_mc_low < test.p_mc_high:
        ends = f"mtsig-l{_place(test.p_mc_high)} mtsig-r{100 - _place(test.p_mc_low)}"
        marks += f'<span class="mtsig-error {ends}"></span>'
    kind = "mtsig-yes" if test.winner else "mtsig-not"
    marks += f'<span class="mtsig-dot mtsig-l{_place(test.p_value)}"></span>'
    return f'<div class="mtsig-line {kind}" role="img" aria-label="p {p_number(test.p_value)}">{marks}</div>'


show.guarded(page)
