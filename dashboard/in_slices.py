"""Slices by domain, document, original language or length: one pair in all of them, or a part of the set chosen."""

import pandas as pd
import streamlit as st

from dashboard import compute, session, show
from dashboard.markdown import plain
from mtsig import Corpus, MtsigError, Settings, verdict
from mtsig.inference import SlicedFamily, p_number
from mtsig.metrics import Statistics
from mtsig.report import heterogeneity_text, interval_text, method_text
from mtsig.slices import SLICINGS, slices_of, slicings

MOST_NAMES = 500
"""Slices that one can choose among; more make the page slow and the list useless."""


def selection(corpus: Corpus) -> None:
    """Let the visitor take a part of the test set, of which all pages then speak."""
    names = {by: [one.name for one in slices_of(corpus, by)] for by in slicings(corpus)}
    names = {by: found for by, found in names.items() if len(found) <= MOST_NAMES}
    chosen = session.slices()
    if not names:
        return
    with st.expander("Only a part of the test set?", expanded=bool(chosen)):
        st.caption("All pages then speak of the chosen segments alone. Nothing chosen means all.")
        picked = {
            by: st.multiselect(
                SLICINGS[by].capitalize(),
                found,
                default=[name for name in chosen.get(by, ()) if name in found],
                key=f"only_{by}{session.clicks()}",
                placeholder="All",
            )
            for by, found in names.items()
        }
        kept = {by: tuple(found) for by, found in picked.items() if found}
        if kept != chosen:
            try:
                session.choose_slices(kept)
            except MtsigError as error:
                st.error(plain(str(error)))
            else:
                st.rerun()
        part = session.corpus()
        if chosen and part is not None:
            st.write(f"{len(part)} of {len(corpus)} segments.")


def section(corpus: Corpus, statistics: Statistics, settings: Settings, first: str, second: str) -> None:
    """Show the pair in every slice, and whether slices differ; closed until it is asked for."""
    opened = st.expander("Is it the same in all parts of the test set?", on_change="rerun", key="slices")
    if not opened.open:
        return
    with opened, show.part():
        ways = slicings(corpus)
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
        found = compute.sliced(corpus, statistics, settings, by or ways[0], first, second)
        st.markdown(plain(heterogeneity_text(found)))
        frame = _frame(found)
        show.table(frame, alt="The difference in every slice", decimals=statistics.metric.decimals, signed=True)
        st.caption(
            plain(
                f"This pair alone, in {len(found.family)} slices: {method_text(found.family, sliced=True)}. That one "
                "slice is significant and another is not does not show that they differ."
            )
        )
        show.notes([*found.notes, *found.family.notes], "About these slices")


def _frame(found: SlicedFamily) -> pd.DataFrame:
    rows = []
    for (name, one), size in zip(found, found.sizes, strict=True):
        decided = verdict(one)
        rows.append(
            {
                "Slice": name,
                "Segments": size,
                f"Δ {one.metric}": one.difference,
                "Interval": interval_text(one.low, one.high, True, one.decimals),
                "p": p_number(one.p_value),
                "Corrected p": p_number(one.p_adjusted),
                "Verdict": f"{decided.winner} better" if decided.winner else decided.word,
            }
        )
    return pd.DataFrame(rows)
