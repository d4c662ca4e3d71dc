"""How pages show things: text that stays text, figures with their explanation, notes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from dashboard import compute, session
from dashboard.markdown import plain
from dashboard.sidebar import Choices
from mtsig import Corpus, MtsigError, verdict
from mtsig.corpus import Note
from mtsig.inference import Comparison, Family, Intervals, Ranks, p_number
from mtsig.lab import number_text
from mtsig.metrics import Metric, Rated, Statistics
from mtsig.readers import parts_of, sample_files
from mtsig.report import detectable_number, drawing_error, points_text
from mtsig.slices import SLICINGS
from mtsig.study import single_runs_text

MOST_PROBLEMS = 10
"""Problems that are listed one by one."""

MOST_PROBLEMS = 10
"""Problems that are listed one by one."""


def guarded(page: Callable[[], None]) -> None:
    """Run a page; what the library says about the data is shown as its message."""
    try:
        page()
    except MtsigError as error:
        st.error(plain(str(error)))


@contextmanager
def part() -> Iterator[None]:
    """Show one part of a page: what the library says of it stands in its place, and the parts after it follow."""
    try:
        yield
    except MtsigError as error:
        st.error(plain(str(error)))


def problems(text: str) -> None:
    """Show why files make no test set: a line for each, of very many the first."""
    found = text.split("\n")
    shown = [plain(one) for one in found[:MOST_PROBLEMS]]
    if len(found) > len(shown):
        shown.append(f"{len(found) - len(shown)} more; the table lists them.")
    st.error(shown[0] if len(shown) == 1 else "\n".join(f"- {one}" for one in shown))


def single_runs(corpus: Corpus, compared: Collection[str] | None = None) -> None:
    """Warn where the outputs that are compared (all, when None) are runs of systems."""
    grouped = session.grouped(list(corpus.systems))
    if compared is not None:
        grouped = {system: runs for system, runs in grouped.items() if set(runs) & set(compared)}
    said = single_runs_text(grouped)
    if said is not None:
        st.warning(plain(said))


def loaded() -> Corpus:
    """Return the corpus; without one, offer the sample data and stop: a page is never blank."""
    corpus, whole = session.corpus(), session.whole()
    if corpus is not None:
        if session.slices() and whole is not None:
            said = "; ".join(f"{SLICINGS[by]}: {', '.join(names)}" for by, names in session.slices().items())
            st.caption(plain(f"Only {said} ({len(corpus)} of {len(whole)} segments; chosen on the Data page)."))
        return corpus
    if session.problem():
        problems(session.problem() or "")
        st.page_link("app_pages/data.py", label="Mend it on the Data page")
    else:
        st.write("There are no data yet.")
        sample_button()
        st.page_link("app_pages/data.py", label="Bring your own files on the Data page")
    return st.stop()


def sample_button() -> None:
    """Offer the sample data."""
    if st.button("Try the sample data", type="primary"):
        try:
            session.load_sample(parts_of(sample_files()))
        except MtsigError as error:
            session.fail(str(error))
        st.rerun()


def shown_metric(choices: Choices) -> Metric:
    """Return the metric that a page speaks of: the only one, or the one chosen at its top."""
    if len(choices.metrics) == 1:
        return choices.metrics[0]
    names = [f"{one.name} (rating)" if isinstance(one, Rated) else one.name for one in choices.metrics]
    session.drop_stale("shown", names)
    name = st.segmented_control(
        "Metric",
        names,
        default=names[0],
        format_func=plain,
        key="shown",
        required=True,
        bind="query-params",
        label_visibility="collapsed",
    )
    return choices.metrics[names.index(name or names[0])]


def measured(corpus: Corpus, metric: Metric) -> Statistics:
    """Return the statistics of the metric."""
    return compute.measured(corpus, metric)


def kin(statistics: Statistics, family: Family) -> list[Note]:
    """Warn, before any verdict, of systems that are kin to a reference, and return the notes that say it.

    They stand first in the notes of counts and of families.
    """
    told = [*statistics.notes[: len(statistics.kinships)], *family.notes[: len(family.without)]]
    if told:
        st.warning(plain(" ".join(note.text for note in told)))
    return told


def family(corpus: Corpus, metric: Metric, choices: Choices) -> Family:
    """Return the corrected comparisons of the metric: by themselves, or judged together with all other metrics."""
    if not choices.joined or len(choices.metrics) < 2:
        return compute.family(compute.measured(corpus, metric), choices.settings)
    together = compute.families([compute.measured(corpus, one) for one in choices.metrics], choices.settings)
    return together[choices.metrics.index(metric)]


def figure(drawn: go.Figure, key: str, alt: str, how_to_read: str, **options: Any) -> Any:
    """Show a figure with its explanation below; return its selection when it has one."""
    config = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}
    found = st.plotly_chart(drawn, key=f"figure-{key}", alt=alt, config=config, **options)
    with st.expander("How to read this"):
        st.markdown(how_to_read)
    return found


def table(
    frame: pd.DataFrame,
    alt: str,
    decimals: int | None = None,
    signed: bool = False,
    shares: Collection[str] = (),
    **options: Any,
) -> Any:
    """Show a table of results.

    decimals: of its scores; None: four digits that count. signed: whether scores are differences. shares: the columns
    that hold shares, printed in percent. Numbers stay numbers where a column is sorted or downloaded, but are printed
    as everywhere else: with a minus sign that is one.
    """

    def printed(value: float) -> str:
        if np.isnan(value):
            return ""
        return number_text(value) if decimals is None else points_text(value, decimals, signed)

    numeric = [name for name in frame.columns if pd.api.types.is_float_dtype(frame[name])]
    styles: dict[Any, Any] = {name: "{:.1%}".format if name in shares else printed for name in numeric}
    shown = frame.style.format(styles, na_rep="") if frame.columns.is_unique and numeric else frame
    return st.dataframe(shown, hide_index=True, alt=alt, **options)


WON, BEST = "Resamples won", "Best in redraws"
"""What columns of shares are called."""


def records(rows: Sequence[Mapping[str, Any]], given: Collection[str] = ()) -> pd.DataFrame:
    """Return records as a table with words instead of names on its columns; `given` ones stay as they are."""
    words = {name: name if name in given else str(name).replace("_", " ") for row in rows[:1] for name in row}
    return pd.DataFrame(rows).rename(columns=words)


def verdict_box(text: str, one: Comparison) -> None:
    """Show the verdict on a comparison in words, with the colour of its kind."""
    boxes = {"better": st.success, "not separated": st.info, "undecided": st.warning}
    boxes[verdict(one).word](plain(text))


def notes(found: Iterable[Note], title: str = "About these data") -> None:
    """Show warnings at once, and notes folded away."""
    unique = list(dict.fromkeys(found))
    for note in unique:
        if note.level == "warning":
            st.warning(plain(note.text))
    quiet = [note for note in unique if note.level == "note"]
    if quiet:
        with st.expander(f"{title} ({len(quiet)})"):
            for note in quiet:
                st.text(note.text)


def score_frame(found: Intervals) -> pd.DataFrame:
    """Return scores and intervals, best first, under the words of the page."""
    frame = found.to_frame().iloc[found.order()]
    shown = (
        {"system": "System", "units": f"{found.unit.capitalize()}s"} if _differ(found.units) else {"system": "System"}
    )
    shown |= {"score": found.metric, "low": "Low", "high": "High"}
    if found.by_segment is not None:
        shown |= {"low_by_segment": "Low, by segments", "high_by_segment": "High, by segments"}
    return frame[list(shown)].rename(columns=shown)


def _differ(units: NDArray[np.int64]) -> bool:
    """Return whether not everything stands on equally many units."""
    return len(set(units.tolist())) > 1


def rank_frame(found: Ranks) -> pd.DataFrame:
    """Return rank sets and the share of redraws in which a system is best, under the words of the page."""
    rows = zip(found.systems, found.rank_low, found.rank_high, found.cluster, found.best_share, strict=True)
    return pd.DataFrame(
        {
            "System": name,
            "Ranks": f"{low}" if low == high else f"{low}–{high}",
            "Cluster": int(cluster),
            BEST: float(share),
        }
        for name, low, high, cluster, share in rows
    )


def comparison_frame(found: Family) -> pd.DataFrame:
    """Return the comparisons under the words of the page."""
    frame = found.to_frame()
    decided = [verdict(one) for one in found]
    frame["verdict"] = [f"{one.winner} better" if one.winner else one.word for one in decided]
    # As text: a p-value is never printed as 0.
    frame["p_value"] = [p_number(one.p_value) for one in found]
    frame["p_adjusted"] = [p_number(one.p_adjusted) for one in found]
    frame["drawn"] = [drawing_error(one) for one in found]
    # As text: beside what is significant it stays empty, which no number would.
    frame["detectable"] = [detectable_number(one) for one in found]
    names = {
        "first": "First", "second": "Second", "units": f"{found.statistics.unit.capitalize()}s",
        "difference": f"Δ {found.metric}", "low": "Low", "high": "High",
        "p_value": "p", "p_adjusted": "Corrected p", "verdict": "Verdict", "drawn": "Drawing error",
        "beside": "p, by segments", "win_rate": WON, "detectable": "Detectable",
    }  # fmt: skip
    if not _differ(found.units):
        del names["units"]
    if found.correction == "none":
        del names["p_adjusted"]
    if not frame["drawn"].any():
        del names["drawn"]
    if not frame["detectable"].any():
        del names["detectable"]
    if found.by_segment is None:
        del names["beside"]
    else:
        frame["beside"] = [p_number(one.p_adjusted) for one in found.by_segment]
    return frame[list(names)].rename(columns=names)
