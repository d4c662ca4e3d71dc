"""What is asked about: a pair of systems, a part of the test set, several test sets taken together."""

import re
from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any

import numpy as np
import streamlit as st

from mtsig import Corpus, MtsigError, NotApplicable, Settings, compare_subsets
from mtsig._options import options
from mtsig._writing import in_html, short_names, visible
from mtsig.collection import Averaging
from mtsig.collection._averages import weights_from
from mtsig.corpus import SLICINGS, slices_of, slicings
from mtsig.corpus._notes import is_human
from mtsig.explain import explain
from mtsig.inference._design import SamplingPart
from mtsig.metrics import Option, Rated, Statistics
from mtsig.report import _diagnostics
from mtsig.report._families import method_text
from mtsig.report._over_sets import heterogeneity_text, sets_table
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked, asked_here
from mtsig_dashboard.parts import forms, frame, pictures, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

PRICE_OF_SEGMENT = (
    "Price of a segment", "price_segment",
    "The cost of a segment with all it needs, such as a reference and ratings of all systems. Use any currency.",
)  # fmt: skip


def price(label: str, key: str, help_text: str) -> float | None:
    """Let the visitor say what something costs; None where that is left open."""
    return st.number_input(label, 0.0, 1e6, None, **forms.bound_number(key), placeholder="optional", help=help_text)


def samples_or_segments(part: SamplingPart, prices: Mapping[str, float | None] | None = None) -> None:
    """Say what more samples per segment would bring, and at what price; prices: where that of a segment is known."""
    if part.sampling != part.sampling:
        st.markdown(plain(part.sentence))
        return
    with st.container(horizontal=True):
        segment = price(*PRICE_OF_SEGMENT) if prices is None else prices["price_segment"]
        sample = price("Price of one more output", "price_sample", "For one segment and both systems.")
    table = _diagnostics.sampling_table(part, segment, sample)
    pictures.captioned(table, alt="Standard error and cost by samples per segment")


def best(statistics: Statistics) -> tuple[str, str]:
    """Return the two best systems; human translations, and systems not ranked, only where there are no two others."""
    first, second, *_ = sorted(statistics.contenders_first, key=is_human)
    return first, second


def chosen(statistics: Statistics, swap: bool = False) -> tuple[str, str]:
    """Let the visitor choose; the two best-scoring systems that are ranked when nothing was chosen yet.

    swap: whether the two are in the bar, where a button exchanges them.
    """
    return chosen_of(statistics.contenders_first, swap)


def chosen_of(
    systems: Sequence[str], swap: bool = False, keys: tuple[str, str] = (session.FIRST, session.SECOND)
) -> tuple[str, str]:
    """Let the visitor choose two of the systems, in boxes of these keys; the first two when nothing was chosen yet.

    Human translations stand behind the systems, in the same order: who asks which system is better asks of systems.
    """
    if len(systems) < 2:
        raise NotApplicable(f"A comparison needs two systems; there is only {systems[0]!r}. Add one on the Data page.")
    systems = sorted(systems, key=is_human)
    for at, key in enumerate(keys):
        session.current().view.hold(key, systems, at)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="pair"):
        # By score, so that what the address leaves out (the first option, the second) is the same for every reader.
        first = _box("First system", systems, 0, keys[0])
        middle = st.empty()
        second = _box("Second system", systems, 1, keys[1])
    if swap:
        middle.button(
            "⇄",
            help="Swap the two systems",
            key="swap",
            on_click=session.current().swap_pair,
            args=(keys, first, second),
        )
    people, said = [name for name in (first, second) if is_human(name)], ""
    if len(people) == 2:
        said = "Both are human translations, so this is not a comparison of systems."
    elif people:
        said = f"{people[0]} is a human translation, not a system."
    if swap:
        frame.current().remark = said
    elif said:
        st.caption(plain(said))
    return first, second


def _box(label: str, systems: Sequence[str], at: int, key: str) -> str:
    """Draw one of the two boxes, in the colour that the system has in pictures."""
    with st.container(width=136, key=f"{'second' if at else 'first'}-of-pair"):
        # The address is bound to whole names, so the short one lies over them.
        over = st.empty()
        name = st.selectbox(
            label, systems, index=at, format_func=visible, label_visibility="collapsed", **forms.bound(key)
        )
        if (short := in_html(short_names(systems)[name])) != (full := in_html(name)):
            over.container().html(f'<span class="short-name" aria-hidden="true" title="{full}">{short}</span>')
        return name


def expect_two(statistics: Statistics, what: str) -> None:
    """End the page, which does `what`, where there are no two systems."""
    if len(statistics.systems) < 2:
        frame.current().say("One system alone cannot be compared")
        with st.container(key="needs-no-metric"), show.state(what, f"These data have only {statistics.systems[0]}."):
            show.onward(session.DATA, "Add a system on the Data page")
        st.stop()


def compared(*, at_once: bool = True) -> tuple[Corpus, Choices, Statistics, str, str]:
    """Draw the head of a page about two systems, and return what it is about; the page ends here without two.

    at_once: whether the strip is drawn, too, which takes the comparisons.
    """
    corpus = show.loaded()
    choices = session.current().selection.choices
    with frame.current().more:
        statistics = compute.measured(corpus, forms.shown_metric(choices))
    expect_two(statistics, "This page compares two systems")
    with frame.current().chosen:
        first, second = chosen(statistics, swap=True)
    called = short_names(statistics.systems)
    frame.current().say(f"{called[first]} and {called[second]}")
    if first == second:
        st.info("Choose two different systems.")
        st.stop()
    if at_once:
        strip.draw(corpus, [compute.scored(corpus, statistics.metric, choices)], (first, second))
    return corpus, choices, statistics, first, second


def key_of_points(statistics: Statistics, key: str) -> str:
    """Return the key of a number of the metric's points: each rating has its own, and each scale of metrics."""
    metric = statistics.metric
    if isinstance(metric, Rated):
        return f"{key}.{metric.rating}"
    return f"{key}{'' if metric.decimals == 2 else metric.decimals}"


def usual(statistics: Statistics) -> float:
    """Return a difference of a size worth finding, where nobody says: one point of a metric of 0 to 100.

    A rating may have any scale: there it is a tenth of the standard deviation of a system's segments, to one digit.
    What two systems differ by here is not asked, since a plan for what was just observed plans for chance.
    """
    usual = 10.0 ** (2 - statistics.metric.decimals)
    if not isinstance(statistics.metric, Rated) or statistics.unit != "segment":
        return usual
    known = [values[~np.isnan(values)] for values in statistics.segment_scores]
    tenth = float(np.mean([values.std() for values in known if len(values)])) / 10
    return round(tenth, -floor(log10(tenth))) if tenth > 0 else usual


def points(
    label: str,
    statistics: Statistics,
    key: str,
    help_text: str,
    value: float | None = None,
    placeholder: str = "optional",
) -> float | None:
    """Let the visitor give a number of the metric's points; None while there is none.

    value: the one from the start; without one the placeholder may say in a bar what is asked. Scales
    differ: a difference worth finding in one metric is none in another, so each scale has its own.
    """
    point = 10.0 ** floor(log10(usual(statistics)))
    decimals = max(statistics.metric.decimals, 2 - floor(log10(usual(statistics))))
    return st.number_input(
        label,
        point / 100,
        max(100.0, 100 * point),
        value,
        point / 10,
        f"%.{decimals}f",
        **forms.bound_number(key_of_points(statistics, key)),
        help=help_text,
        placeholder=None if value else placeholder,
        label_visibility="visible" if value or placeholder == "optional" else "collapsed",
    )


MOST_SLICES = 500
"""Slices that one can choose among; more make the page slow and the list useless."""

_SLICE_VIEW = {
    "set": "Subset", "units": "", "difference": "", "adjusted": "Interval", "p": "",
    "p corrected": "Adjusted p", "verdict": "Verdict",
}  # fmt: skip


def part_of_set(corpus: Corpus) -> None:
    """Let the visitor take a part of the test set, of which all pages then speak."""
    names = {by: offered for by, offered in _slice_names_of(corpus).items() if len(offered) <= MOST_SLICES}
    visit = session.current()
    chosen = visit.selection.slices
    if not names:
        return
    with st.expander("Use only a part of the test set", expanded=bool(chosen)):
        st.caption(explain("part-of-test-set"))
        picked = {
            by: st.multiselect(
                SLICINGS[by].capitalize(),
                list(offered),
                format_func=visible,
                default=[name for name in chosen.get(by, ()) if name in offered],
                key=f"only_{by}{visit.view.clicks}",
                placeholder="All",
            )
            for by, offered in names.items()
        }
        kept = {by: tuple(item) for by, item in picked.items() if item}
        if kept != chosen:
            try:
                visit.choose_slices(kept)
            except MtsigError as error:
                st.error(plain(str(error)))
            else:
                st.rerun()
        if chosen and visit.data.corpus is not None:
            st.write(f"{len(visit.data.corpus)} of {len(corpus)} segments.")


def in_slices(corpus: Corpus, statistics: Statistics, settings: Settings, first: str, second: str) -> None:
    """Show the pair in every slice, and whether slices differ."""
    ways = list(_slice_names_of(corpus))
    if not ways:
        st.write(
            "The segments have no known domain, document or original language, and there is no source or reference to "
            "measure their length."
        )
        return
    # Lengths are known of nearly all data, but a declared slice says more.
    by = st.segmented_control(
        "Subsets by", ways, default=ways[0], format_func=SLICINGS.__getitem__, required=True, key="slice_by"
    )
    compared = asked(
        "Comparing subsets …", compare_subsets, corpus, statistics, by or ways[0], settings, [(first, second)]
    )
    st.markdown(plain(heterogeneity_text(compared)))
    pictures.table(sets_table(compared, _SLICE_VIEW), alt="The difference in every subset")
    st.caption(
        plain(
            f"Results for this pair alone, in {len(compared.families)} subsets: "
            f"{method_text(next(iter(compared.families.values())), sliced=True)}. If one subset is significant and "
            "another is not, this does not show that the subsets differ."
        )
    )
    _read_one(corpus, by or ways[0], first, second)
    show.quiet(list(compared.notes), "About these subsets")


def _slice_names_of(corpus: Corpus) -> dict[str, dict[str, str]]:
    """Return way to slice -> the names of its slices, each with what is asked by in a link."""
    return asked_here(_slice_names, corpus)


def _slice_names(corpus: Corpus) -> dict[str, dict[str, str]]:
    return {by: {part.name: part.asked_by for part in slices_of(corpus, by)} for by in slicings(corpus)}


def _read_one(corpus: Corpus, by: str, first: str, second: str) -> None:
    """Lead to the segments of one slice."""
    names = _slice_names_of(corpus)[by]
    if len(names) > MOST_SLICES:
        return
    left, right = st.columns(2, vertical_alignment="bottom")
    name = left.selectbox("Segments of", list(names), format_func=visible, key=f"read_{by}")
    there = {session.FIRST: first, session.SECOND: second, by: names[name]}
    show.onward(session.SEGMENTS, "Read them", there, right)


_OVER_SETS = session.OVER_SETS

WEIGHTS = Option(
    "weights", str, False, "equal", "Weights of the sets",
    "The weight of each set in the average. The weights define what is estimated, so choose them in advance.",
    ("equal", "segments", "given"),
)  # fmt: skip

NAMES: forms.Named = {
    "weights": {"equal": "equal for every set", "segments": "by number of segments", "given": "given for each set"},
    "units": {"shared": "the same unit in all sets", "separate": "different units"},
    "family": {"joint": "all sets and pairs together", "per-set": "each set separately"},
    "combine": {"bonferroni": "Bonferroni, any dependence", "fisher": "Fisher, independent sets only"},
    "separate": {"nemenyi": "Nemenyi", "wilcoxon-holm": "Wilcoxon with Holm"},
}


_BOXES = (WEIGHTS, *options(Averaging))
_GIVEN = f"{_OVER_SETS}given"


def keep_over_sets() -> None:
    """Let boxes that were not drawn yet say what the address says, and the address what they say, on any page."""
    for option in _BOXES:
        forms.begin(option, _OVER_SETS + option.name)
        forms.say(_OVER_SETS + option.name, _said(option), option.default)
    if session.choice(_GIVEN) is None and forms.said(_GIVEN):
        session.choose(_GIVEN, forms.said(_GIVEN))
    forms.say(_GIVEN, session.choice(_GIVEN) or "" if _said(WEIGHTS) == "given" else "", "")


def chosen_over_sets() -> Averaging:
    """Return what the boxes say, drawn or not; of whatever sets there are, because the visitor fixes none."""
    weights = [_said(WEIGHTS)]
    if weights == ["given"]:
        weights = _weighed()
    return Averaging((), weights_from(weights), **{option.name: _said(option) for option in options(Averaging)})


def draw_over_sets(sets: Sequence[str]) -> None:
    """Draw the boxes behind a button, in the words of the command line in the address."""
    changed = any(_said(option) != option.default for option in _BOXES)
    label = "Averaging (changed)" if changed else "Averaging"
    with st.popover(label, help="How results of the sets are combined", key="averaging"):
        if forms.widget(WEIGHTS, f"{_OVER_SETS}weights", NAMES["weights"], {}) == "given":
            _given(sets)
        for option in options(Averaging):
            forms.widget(option, _OVER_SETS + option.name, NAMES[option.name], {})


def _said(option: Option) -> Any:
    """Return what a box says, or the default where it says nothing yet."""
    said = session.choice(_OVER_SETS + option.name)
    return option.default if said is None else said


def _weighed() -> list[str]:
    """Return the weights that were written, each with its set, whose name may have spaces in it."""
    text, weighed, begins = session.choice(_GIVEN) or "", [], None
    words = list(re.finditer(r"\S+", text))
    for number, word in enumerate(words):
        begins = number if begins is None else begins
        if "=" in word[0][(number == begins) : -1]:
            weighed.append(text[words[begins].start() : word.end()])
            begins = None
    return [*weighed, *(word[0] for word in words[len(words) if begins is None else begins :])]


def _given(sets: Sequence[str]) -> None:
    """Draw a line for the weight of each set; one that was emptied says again that they are alike."""
    if not session.choice(_GIVEN):
        session.choose(_GIVEN, " ".join(f"{name}=1" for name in sets))
    st.text_input(
        "Weight of each set",
        help="Write SET=NUMBER for each set, with spaces between them. Only the ratios of the numbers matter.",
        key=_GIVEN,
        persist_state="session",
    )
    forms.say(_GIVEN, session.choice(_GIVEN), "")
    if {pair.rpartition("=")[0] for pair in _weighed()} != set(sets):
        st.warning("The weights do not fit the loaded test sets. Give each set one weight.")
        st.button("Give every set the same weight", on_click=session.choose, args=(_GIVEN, ""))
