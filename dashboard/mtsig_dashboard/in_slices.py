"""Slices by domain, document, original language or length: one pair in all of them, or a part of the set chosen."""

from collections.abc import Sequence

import streamlit as st

from mtsig import Corpus, MtsigError, Settings
from mtsig.corpus import SLICINGS, Note
from mtsig.explain import explain
from mtsig.metrics import Statistics
from mtsig.report import heterogeneity_text, method_text, slice_table
from mtsig_dashboard import compute, session, show
from mtsig_dashboard.markdown import plain

MOST_NAMES = 500
"""Slices that one can choose among; more make the page slow and the list useless."""

_VIEW = {
    "slice": "Slice", "segments": "Segments", "difference": "", "adjusted": "Interval", "p": "",
    "p corrected": "Corrected p", "verdict": "Verdict",
}  # fmt: skip


def selection(corpus: Corpus) -> None:
    """Let the visitor take a part of the test set, of which all pages then speak."""
    names = {by: offered for by, offered in compute.slice_names(corpus).items() if len(offered) <= MOST_NAMES}
    visit = session.current()
    chosen = visit.selection.slices
    if not names:
        return
    with st.expander("Only a part of the test set?", expanded=bool(chosen)):
        st.caption(explain("part-of-test-set"))
        picked = {
            by: st.multiselect(
                SLICINGS[by].capitalize(),
                list(offered),
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


def section(
    corpus: Corpus, statistics: Statistics, settings: Settings, first: str, second: str, told: Sequence[Note]
) -> None:
    """Show the pair in every slice, and whether slices differ; notes that were told before are not told again."""
    ways = list(compute.slice_names(corpus))
    if not ways:
        st.write(
            "These data do not say which domain, document or original language a segment is of, and have neither "
            "source nor reference to tell short segments from long ones."
        )
        return
    # Lengths are known of nearly all data, but a declared slice says more.
    by = st.segmented_control(
        "Slices by", ways, default=ways[0], format_func=SLICINGS.__getitem__, required=True, key="slice_by"
    )
    sliced_family = compute.sliced(corpus, statistics, settings, by or ways[0], first, second)
    st.markdown(plain(heterogeneity_text(sliced_family)))
    show.table(slice_table(sliced_family, _VIEW), alt="The difference in every slice")
    st.caption(
        plain(
            f"This pair alone, in {len(sliced_family.family)} slices: "
            f"{method_text(sliced_family.family, sliced=True)}. That one "
            "slice is significant and another is not does not show that they differ."
        )
    )
    _read_one(corpus, by or ways[0], first, second)
    notes = [*sliced_family.notes, *sliced_family.family.notes]
    show.notes([note for note in notes if note not in told], "About these slices")


def _read_one(corpus: Corpus, by: str, first: str, second: str) -> None:
    """Lead to the segments of one slice."""
    names = compute.slice_names(corpus)[by]
    if len(names) > MOST_NAMES:
        return
    left, right = st.columns(2, vertical_alignment="bottom")
    name = left.selectbox("Segments of", list(names), key=f"read_{by}")
    there = {session.FIRST: first, session.SECOND: second, by: names[name]}
    show.onward(session.SEGMENTS, "Read them", there, right)
