"""One pair in slices of the test set: by domain, document, original language or length."""

import pandas as pd
import streamlit as st

from dashboard import compute, show
from dashboard.markdown import plain
from mtsig import SLICINGS, Corpus, Settings, SlicedFamily, Statistics, p_number, slicings, verdict
from mtsig.report import heterogeneity_text, interval_text, method_text


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
        show.table(frame, alt="The difference in every slice", column_config=show.columns(frame))
        st.caption(
            plain(
                f"This pair alone, in {len(found.family)} slices: {method_text(found.family)}. That one slice is "
                "significant and another is not does not show that they differ."
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
                "Interval": interval_text(one.low, one.high, signed=True),
                "p": p_number(one.p_value),
                "Corrected p": p_number(one.p_adjusted),
                "Verdict": f"{decided.winner} better" if decided.winner else decided.word,
            }
        )
    return pd.DataFrame(rows)
