"""Compare two: one pair, its verdict in words and the evidence below."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial
from math import log10
from typing import Any

import numpy as np
import streamlit as st

from mtsig import Corpus, NotApplicable, Settings, _say, power_analysis, verdict
from mtsig import audit as run_audit
from mtsig._probability import interval_text, level_text, points_text, shown_decimals
from mtsig._writing import in_html, short_names
from mtsig.corpus._notes import capital_first, number_of
from mtsig.explain import explain
from mtsig.figures import Histogram
from mtsig.inference import Audit, Comparison, Family, block_scan, p_number, smallest_detectable
from mtsig.inference._audit import Audited, as_sacrebleu
from mtsig.inference._corrections import correction_label
from mtsig.inference._dependence import dependence
from mtsig.inference._design import sampling_part
from mtsig.inference._family import kept_without
from mtsig.inference._tests import known_test
from mtsig.inference._verdict import said_of
from mtsig.metrics import Statistics
from mtsig.report import Column, Table, _diagnostics
from mtsig.report._families import method_text
from mtsig.report._table import frame_of
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked
from mtsig_dashboard.parts import forms, frame, pictures, questions, sharing, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

_HISTOGRAM, _DOTS, _NULL = "Histogram", "100 dots", "If names meant nothing"
_TESTS, _SUBSETS, _DOCUMENTS = "Every test", "Subsets", "Documents"

_MARGIN = "worth"
_ABOUT_MARGIN = "The smallest difference that matters. Choose it in advance, and do not use the observed difference."

# Where the bar has room for no more, the page says this in its facts.
_MARGIN_IS = "Margin: smaller differences do not matter. Empty: equivalence is not tested."


def page() -> None:
    """Draw the page."""
    corpus, choices, statistics, first, second = questions.compared(at_once=False)
    head = frame.current()
    with head.more:
        margin = _margin(statistics)
    picture = st.container()
    with show.part():
        with picture:
            family, comparison = _judged(corpus, choices, statistics, (first, second))
        strip.draw(corpus, [compute.scored(corpus, statistics.metric, choices)], (first, second))
        called = short_names(family.order)
        seen = comparison.changed(first=called[first], second=called[second])
        if _same(corpus, statistics, comparison, seen):
            return
        kept = kept_without(family, comparison)
        title, *ledes = (_say.say(seen, where) for where in ("title", "lede", "brief"))
        turned = _say.turned_texts(comparison)
        head.say(title, *(" ".join(filter(None, (*said, kept))) for said in zip(ledes, turned, strict=True)))
        head.card = partial(sharing.of_pair, corpus, statistics.metric, family, first, second, head.whose)
        with picture:
            drawn = _picture(family, comparison, statistics, choices.settings, margin)
        tests = _facts(family, comparison, statistics, choices.settings, margin)
        _said_below(corpus, family, comparison, statistics, drawn)
        _next(comparison, statistics, margin)
        _folded(corpus, statistics, choices, family, (first, second))
        head.downloads(_files, drawn)
        with tests:
            _agreement(statistics, choices.settings, comparison)


def _margin(statistics: Statistics) -> float | None:
    """Let the visitor say how large a difference must be to matter."""
    with st.container(key="margin", width=80):
        label = f"Smallest difference that matters, in {statistics.metric.name}"
        margin = questions.points(label, statistics, key=_MARGIN, help_text=_ABOUT_MARGIN, placeholder="margin")
    with st.container(key="about-margin"):
        st.caption(_MARGIN_IS)
    return margin


def _judged(
    corpus: Corpus, choices: Choices, statistics: Statistics, pair: tuple[str, str]
) -> tuple[Family, Comparison]:
    """Return the family and the comparison seen from the first; while they are made, the last picture is an outline."""
    last: Histogram | None = session.choice(_LAST)
    outlined = last is not None and not (choices.joined or compute.is_drawn(statistics, choices.settings))
    with st.container(key="at-work-outlined" if outlined else "at-work"):
        outline = st.empty()
        if last is not None and outlined:
            first, second = pair
            seen = last.comparison.changed(first=first, second=second, metric=statistics.metric.name)
            waiting = replace(last, comparison=seen, at_work=True, margin=None, exchanged=False)
            with outline.container():
                alt = f"Outline of the last picture, shown while {first} and {second} are being compared"
                pictures.charts(waiting, "outline", alt)
        made = _seen_from(compute.compared(corpus, statistics.metric, choices), *pair)
        outline.empty()
    return made


_LAST = "last_pair_drawn"


def _same(corpus: Corpus, statistics: Statistics, comparison: Comparison, seen: Comparison) -> bool:
    """Say of two outputs that no metric could tell from each other that they are the same, in place of a picture.

    seen: the comparison under the names that the page has for them.
    """
    if comparison.n_differing:
        return False
    first, second = comparison.first, comparison.second
    texts = [corpus.outputs.get(name) for name in (first, second)]
    score = points_text(statistics.scores[statistics.systems.index(first)], comparison.decimals)
    with st.container(border=True, key="same"):
        if texts[0] is not None and texts[0] == texts[1] and not corpus.samples:
            frame.current().say(f"{seen.first} and {seen.second} are the same text")
            equal = f"All {number_of(len(corpus), 'segment', ',')} are identical"
            why = f"{equal}, so every metric gives both the same score ({comparison.metric} {score})."
        else:
            frame.current().say(_say.say(seen, "title"))
            why = _say.say(seen, "lede")
        st.markdown(plain(why))
        show.onward(session.DATA, "Was one file uploaded twice? Look at the files")
    return True


def _picture(
    family: Family, comparison: Comparison, statistics: Statistics, settings: Settings, margin: float | None
) -> Histogram:
    """Show the resamples, a hundred of them, or what is left of the difference when names are swapped."""
    with st.container(horizontal=True, vertical_alignment="center", key="picture-head"):
        place = st.empty()
        st.space("stretch")
        chosen = st.segmented_control(
            "Picture", [_HISTOGRAM, _DOTS, _NULL], default=_HISTOGRAM, required=True, label_visibility="collapsed",
            **forms.bound("evidence"),
        )  # fmt: skip
    if chosen == _NULL:
        place.header("Differences to expect by chance alone, with the two names swapped at random", anchor=False)
        tested = compute.exchanged(statistics, settings, comparison.first, comparison.second)
        drawn = Histogram.of_shuffled(tested, comparison, family.higher_is_better)
    else:
        place.header("How the difference varies between resampled test sets", anchor=False)
        position = family.find(comparison.first, comparison.second)
        draws = compute.resampled(family, position) if position is not None else np.array([])
        drawn = Histogram.of_resampled(draws, comparison, family.higher_is_better, margin, chosen == _DOTS)
        session.choose(_LAST, drawn)
    pictures.charts(drawn, "hero", drawn.caption)
    return drawn


def _facts(
    family: Family, comparison: Comparison, statistics: Statistics, settings: Settings, margin: float | None
) -> Any:
    """Show in a row what else is known of the pair; return the place of what other tests say, which takes longest."""
    columns = st.columns(4, gap="medium")
    with columns[0]:
        _fact("Test", *_test_said(family, comparison))
    with columns[1]:
        known = smallest_detectable(comparison)
        values = (comparison.difference,) if known is None else (known.difference, known.low, known.high)
        sizes = [
            points_text(abs(value), shown_decimals(of, comparison.decimals))
            for of, value in ((comparison.difference, comparison.difference), *((values[0], end) for end in values))
        ]
        found, said = "Not known here", ""
        if known is not None:
            found, said = f"{sizes[1]} {comparison.metric}", f" ({sizes[2]} to {sizes[3]})"
        _fact(
            "Detectable difference (80% power)",
            found,
            f"observed: {sizes[0]}; smaller ones are detected less often",
            said,
        )
    with columns[2], show.part():
        _margin_said(comparison, statistics, settings, margin)
    return columns[3]


def _fact(title: str, finding: str, below: str = "", more: str = "") -> None:
    """Show one fact: what it is of, what was found, and what belongs to that."""
    quiet = f"<small>{in_html(below)}</small>" if below else ""
    st.html(
        f'<div class="fact"><span>{in_html(title)}</span><p><b>{in_html(finding)}</b>{in_html(more)}</p>{quiet}</div>'
    )


def _test_said(family: Family, comparison: Comparison) -> tuple[str, str, str]:
    units = number_of(comparison.units, comparison.unit, ",")
    test = f"{family.test.label} over {units}"
    if not comparison.has_p:
        return (
            f"{comparison.wins:.1%} of resamples favour {comparison.first}" if comparison.by_wins else "No p-value",
            test,
            "",
        )
    low, high = comparison.p_adjusted_mc_low, comparison.p_adjusted_mc_high
    error = f"; 95% Monte Carlo interval {p_number(low)} to {p_number(high)}" if low < high else ""
    below = f"{test}{', exact' if comparison.exact else ''}{error}"
    if comparison.family_size == 1 or not comparison.corrected:
        alone, comma, rest = _say.ps_text(comparison).partition(",")
        return alone, below, f"{comma}{rest}"
    decides, alone = (_say.short_p_text(p, comparison.alpha) for p in (comparison.p_adjusted, comparison.p_value))
    how = f" for {comparison.family_size:,} comparisons ({correction_label(family.correction)}); {alone} uncorrected"
    return f"adjusted {decides}", below, how


def _margin_said(comparison: Comparison, statistics: Statistics, settings: Settings, margin: float | None) -> None:
    """Say whether the data show that the difference is within the margin; never that they show it is not."""
    if margin is None:
        _fact("Equivalent within a margin?", "No margin is set", "enter a margin at the top of this page")
        return
    first, second = comparison.first, comparison.second
    options = {"level": settings.level, "unit": settings.unit}
    found = asked("Computing power …", power_analysis, statistics, first, second, None, margin, **options)
    title, below = f"Equivalent within ±{margin:g}?", "exploratory: the margin was chosen on this page"
    if found.equivalence is None:
        _fact(title, "Not known here", below)
        return
    kind = found.equivalence
    if kind.withheld_reason:
        _fact(title, "Withheld", kind.withheld_reason)
        return
    ends = interval_text(kind.ci_low, kind.ci_high, True, shown_decimals(comparison.difference, found.decimals))
    word = "Established" if kind.established else "Not established"
    p = _say.short_p_text(kind.p_value, kind.alpha)
    said = f": {level_text(1 - 2 * kind.alpha)} CI {ends}; two one-sided tests, {p} alone"
    worse = found.non_inferiority
    if worse is not None and not worse.withheld_reason:
        least = "established" if worse.established else "not established"
        below = f"{first} is at most {margin:g} worse: {least}; {below}"
    _fact(title, word, below, said)


def _agreement(statistics: Statistics, settings: Settings, comparison: Comparison) -> None:
    """Say how many of the tests that apply agree with the chosen one on this pair alone, and lead to all of them."""
    place = st.empty()
    look: dict[str, Any] = {"type": "tertiary", "icon": ":material/expand_more:", "icon_position": "right"}
    st.button("All tests", on_click=session.choose, args=(_OPENED, _TESTS), key="all-tests", **look)
    with place.container(), show.part():
        first, second = comparison.first, comparison.second
        audit = asked("Running the other tests …", run_audit, statistics, first, second, settings, every_unit=False)
        tests = [test for test in audit if test.counts and test.unit == audit.units[0]]
        found = sum(bool(test.significant) for test in tests)
        chosen = comparison.p_value <= comparison.alpha if comparison.has_p else comparison.significant
        agree, word = (found, "significant") if chosen else (len(tests) - found, "not significant")
        if tests:
            _fact("Other tests", f"{agree} of {len(tests)} agree", "each test is for this pair alone", f": {word}")
        else:
            _fact("Other tests", "No other test is possible here")


def _said_below(
    corpus: Corpus, family: Family, comparison: Comparison, statistics: Statistics, drawn: Histogram
) -> None:
    """Say below the picture what qualifies the verdict, what was drawn, and by which method."""
    unmatched = _say.unmatched_text(comparison) if verdict(comparison).winner else ""
    alone = _say.alone_text(comparison)
    heaviest = "" if any(_say.turned_texts(comparison)) else _say.heaviest_text(comparison)
    for text in filter(
        None, (_say.step_text(comparison), alone, unmatched, heaviest, _say.attainable_text(comparison))
    ):
        st.markdown(plain(text))
    if (part := sampling_part(statistics, comparison)) is not None:
        questions.samples_or_segments(part)
    with st.container(gap=None):
        strip.source_line(corpus, family, drawn.how_to_read)
        said = f"{capital_first(method_text(family))}. Estimated: {comparison.estimand}. {_say.adjusted_text(family)}"
        st.caption(plain(said.strip()))


def _next(comparison: Comparison, statistics: Statistics, margin: float | None) -> None:
    """Lead on, with the pair: to how many documents it takes where the pair is too close to call, else to its segments.

    Links carry the pair: st.switch_page refuses where widgets have been drawn that the address speaks of.
    """
    there = {"first": comparison.first, "second": comparison.second}
    planned = there | ({} if margin is None else {questions.key_of_points(statistics, "effect"): f"{margin:g}"})
    close = verdict(comparison).word == "not_significant"
    decided = verdict(comparison).winner is not None
    read = "Read the most influential segments" if decided else "Read the segments where the two differ"
    more = "Plan the next test set" if decided else f"How many {comparison.unit}s are needed?"
    steps = [("app_pages/planning.py", more, planned), (session.SEGMENTS, read, there)]
    (page, label, said), other = steps if close else reversed(steps)
    show.onward(page, label, said, frame.current().step)
    with show.steps():
        show.onward(*other)
        show.onward(session.PAPER, "Figure for a paper", there)


def _files(drawn: Histogram) -> None:
    """Offer the picture as a file, and its bars as a table."""
    pictures.for_paper(drawn, "pair", "The picture", "acl-full")
    if not drawn.rows:
        return
    names = ("from", "to", "random swaps" if drawn.exchanged else "resamples")
    columns = [Column(names[0], "score", 10), Column(names[1], "score", 10), Column(names[2], "count")]
    table = Table.of(drawn.caption, *zip(columns, zip(*drawn.rows, strict=True), strict=True))
    pictures.csv("Bars as CSV", lambda: table, "pair.csv")


_OPENED = "tab"


def _folded(corpus: Corpus, statistics: Statistics, choices: Choices, family: Family, pair: tuple[str, str]) -> None:
    """Offer everything else, which costs nothing until it is opened."""
    settings = choices.settings
    sections: dict[str, Callable[[], None]] = {
        _TESTS: lambda: _audit(statistics, settings, *pair),
        _SUBSETS: lambda: questions.in_slices(corpus, statistics, settings, *pair),
        _DOCUMENTS: lambda: _documents(corpus, statistics, choices, family, pair),
    }
    session.drop_stale(_OPENED, sections)
    opened = st.pills("More about this pair", list(sections), **forms.bound(_OPENED))
    if opened is not None:
        with show.part():
            sections[opened]()


def _seen_from(family: Family, first: str, second: str) -> tuple[Family, Comparison]:
    """Return the family and the comparison with `first` as its first system."""
    position = family.find(first, second)
    if position is None:
        raise NotApplicable(f"The comparisons do not include {first} and {second}.")
    if family.first[position] == first:
        return family, family[position]
    turned = family.turned(position)
    return turned, turned[position]


def _audit(statistics: Statistics, settings: Settings, first: str, second: str) -> None:
    """Show what every test says of this pair alone, and why they differ."""
    audit = asked("Auditing …", run_audit, statistics, first, second, settings, every_unit=False)
    unit, *others = audit.units
    if others:
        session.drop_stale("audit_unit", audit.units)
        unit = st.segmented_control("Units", audit.units, default=unit, required=True, key="audit_unit") or unit
        # Most readers look at one unit, and each takes as long as the other.
        audit = asked(
            "Auditing …", run_audit, statistics, first, second, replace(settings, unit=unit), every_unit=False
        )
    st.markdown(f"**{plain(_diagnostics.audit_text(audit, unit))}**")
    st.html(_tests_as_rows(audit, unit))
    st.caption(explain("audit"))
    if st.toggle("Show what sacreBLEU prints", **forms.bound("as_sacrebleu")):
        with show.part():
            _printed(statistics, first, second)
    show.quiet(audit.notes, "About these tests")


def _printed(statistics: Statistics, first: str, second: str) -> None:
    printed = _diagnostics.printed_table(asked("As sacreBLEU …", as_sacrebleu, statistics, first, second), "Score")
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
    st.markdown("**Do sentences of one document depend on each other?**")
    if family is not None and family.unit != "segment":
        with show.part():
            alone = replace(choices, settings=replace(choices.settings, unit="segment"))
            segments = compute.compared(corpus, statistics.metric, alone)
            st.markdown(plain(_say.by_segments_text(_seen_from(segments, first, second)[1], family.unit)))
    if corpus.documents is not None:
        st.markdown(plain(_diagnostics.dependence_text(dependence(statistics, first, second))))
        st.caption("The design effect compares the standard errors with documents and with segments as units.")
        return
    scanned = asked("Scanning neighbours …", block_scan, statistics, first, second)
    scan = _diagnostics.block_table(scanned, statistics.metric.name)
    pictures.table(pictures.begun(scan), alt="Standard error by block length")
    st.caption(plain(scan.caption))


_TITLES = {
    "label": "Test", "p": "p", "Monte Carlo interval": "Monte Carlo interval", "interval": "Interval",
    "about": "Estimates", "assumes": "Assumes", "why it differs": "Why it differs",
}  # fmt: skip
_FOLDED = ("Interval", "Monte Carlo interval", "Estimates", "Assumes", "Why it differs")

# Powers of ten on the line; what is smaller stands at its end.
_DECADES = 4

_UNCOUNTED = "without a p-value here, or only the reproduction of another program's output"


def _tests_as_rows(audit: Audit, unit: str) -> str:
    """Return the tests of an audit over these units as rows of HTML."""
    tests, alpha = [test for test in audit if test.unit == unit], 1 - audit.level
    records = frame_of(_diagnostics.audit_table(audit, unit, _TITLES)).to_dict("records")
    rows = [(test.counts, _row(test, record, alpha)) for test, record in zip(tests, records, strict=True)]
    counted, others = ([row for counts, row in rows if counts is wanted] for wanted in (True, False))
    if others:
        many = number_of(len(others), "row") + (" that is" if len(others) == 1 else " that are")
        counted += [f'<p class="mtsig-audit-more">{many} not counted above: {_UNCOUNTED}.</p>', *others]
    texts = ["1", *(f"{'≤ ' if power == _DECADES else ''}.{'0' * (power - 1)}1" for power in range(1, _DECADES + 1))]
    ticks = "".join(_mark("tick", 10.0**-power, text=text) for power, text in enumerate(texts))
    head = f'<span>Test</span><div class="mtsig-line">{ticks}</div><span class="mtsig-audit-p">p</span>'
    head += f"<span>Verdict (dashed: {alpha:.3g})</span>"
    return f'<div class="mtsig-audit"><div class="mtsig-audit-head">{head}</div>{"".join(counted)}</div>'


def _place(p: float) -> int:
    """Return how far to the right p stands, in percent: 1 on the left, .0001 and less on the right."""
    return round(100 * min(_DECADES, -log10(max(p, 10.0**-_DECADES))) / _DECADES)


def _mark(kind: str, p: float, least: float | None = None, text: str = "") -> str:
    """Return a mark at p on its line, or one that reaches from there to the least p."""
    ends = f"left:{_place(p)}%" + ("" if least is None else f";right:{100 - _place(least)}%")
    return f'<span class="mtsig-{kind}" style="{ends}">{text}</span>'


def _row(test: Audited, record: Mapping[Hashable, object], alpha: float) -> str:
    decided = in_html(said_of(test.verdict, test.winner) if test.verdict else "not possible here")
    why = test.problem or test.withheld_reason or (f"Caution: {test.caution}" if test.caution else "")
    reason = f'<small dir="auto">{in_html(why)}</small>' if why else ""
    folded = "".join(
        f'<dt>{title}</dt><dd dir="auto">{in_html(str(record[title]))}</dd>'
        for title in _FOLDED
        if record[title] and record[title] != test.problem
    )
    line = '<div class="mtsig-line"></div>'
    if test.has_p and test.problem is None:
        marks = f'<span class="mtsig-axis"></span>{_mark("alpha", alpha)}'
        marks += _mark("error", test.p_mc_high, test.p_mc_low) if test.p_mc_low < test.p_mc_high else ""
        label = f'role="img" aria-label="p {p_number(test.p_value)}"'
        kind = "mtsig-yes" if test.winner else "mtsig-not"
        line = f'<div class="mtsig-line {kind}" {label}>{marks}{_mark("dot", test.p_value)}</div>'
    return (
        f"<details><summary><span>{in_html(known_test(test.test).title)}</span>{line}"
        f'<span class="mtsig-audit-p">{in_html(str(record["p"]))}</span><span dir="auto">{decided}</span>{reason}'
        f"</summary><dl>{folded}</dl></details>"
    )


show.guarded(page)
