"""A pair of systems and a number of points: what the pages about two systems ask for."""

from collections.abc import Sequence
from math import floor, log10

import numpy as np
import streamlit as st

from mtsig import Corpus, NotApplicable
from mtsig.corpus import is_human
from mtsig.metrics import Rated, Statistics
from mtsig_dashboard import address, compute, session, show
from mtsig_dashboard.markdown import plain
from mtsig_dashboard.selection import Choices


def best(statistics: Statistics) -> tuple[str, str]:
    """Return the two best systems; human translations, and systems set apart, only where there are no two others."""
    first, second, *_ = sorted(statistics.contenders_first, key=is_human)
    return first, second


def chosen(statistics: Statistics, swap: bool = False) -> tuple[str, str]:
    """Let the visitor choose; the two best-scoring systems that are not set apart when nothing was chosen yet.

    swap: whether a button exchanges the two.
    """
    return chosen_of(statistics.contenders_first, swap)


def chosen_of(
    systems: Sequence[str], swap: bool = False, keys: tuple[str, str] = (session.FIRST, session.SECOND)
) -> tuple[str, str]:
    """Let the visitor choose two of the systems, in boxes of these keys; the first two when nothing was chosen yet.

    Human translations stand behind the systems, in the same order: who asks which system is better asks of systems.

    Raises:
        NotApplicable: there is one system.
    """
    if len(systems) < 2:
        raise NotApplicable(f"A comparison needs two systems; there is only {systems[0]!r}. Add one on the Data page.")
    systems = sorted(systems, key=is_human)
    for at, key in enumerate(keys):
        session.current().view.hold(key, systems, at)
    left, *middle, right = st.columns([7, 2, 7] if swap else 2, vertical_alignment="bottom")
    # Ordered by score, so that what the address leaves out (the first option, the second) is the same for every reader.
    first = left.selectbox("First system", systems, index=0, **address.bound(keys[0]))
    second = right.selectbox("Second system", systems, index=1, **address.bound(keys[1]))
    for place in middle:
        place.button(
            "⇄ Swap",
            help="Exchange the two systems",
            key="swap",
            width="stretch",
            on_click=session.current().swap_pair,
            args=(keys, first, second),
        )
    people = [name for name in (first, second) if is_human(name)]
    if len(people) == 2:
        st.caption("Both are human translations: this says nothing of systems.")
    elif people:
        st.caption(plain(f"{people[0]} is a human translation and no system."))
    return first, second


def compared(title: str) -> tuple[Corpus, Choices, Statistics, str, str]:
    """Draw the head of a page about two systems, and return what it is about; the page ends here without two."""
    st.title(title)
    corpus = show.loaded()
    choices = session.current().selection.choices
    statistics = compute.measured(corpus, show.shown_metric(choices))
    first, second = chosen(statistics, swap=True)
    if first == second:
        st.info("Choose two different systems.")
        st.stop()
    show.single_runs(corpus, (first, second))
    return corpus, choices, statistics, first, second


OF_RATINGS = "At first it is a tenth of the standard deviation of a system's segments."


def key_of_points(statistics: Statistics, key: str) -> str:
    """Return the key of a number of the metric's points: each rating has its own, and each scale of metrics."""
    metric = statistics.metric
    if isinstance(metric, Rated):
        return f"{key}.{metric.rating}"
    return f"{key}{'' if metric.decimals == 2 else metric.decimals}"


def _usual(statistics: Statistics) -> float:
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


def points(label: str, statistics: Statistics, key: str, help_text: str, value: bool = False) -> float | None:
    """Let the visitor give a number of the metric's points; None while there is none.

    value: whether there is one from the start. Scales differ: a difference worth finding in one metric is none in
    another, so each scale has its own.
    """
    usual = _usual(statistics)
    point = 10.0 ** floor(log10(usual))
    decimals = max(statistics.metric.decimals, 2 - floor(log10(usual)))
    return st.number_input(
        label,
        point / 100,
        max(100.0, 100 * point),
        usual if value else None,
        point / 10,
        f"%.{decimals}f",
        **address.bound_number(key_of_points(statistics, key)),
        help=help_text,
        placeholder=None if value else "optional",
    )
