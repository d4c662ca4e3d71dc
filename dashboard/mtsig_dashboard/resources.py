"""What the process holds once for all visitors: the memory of results, the workers, and who is here.

The only file with a cache. Results are frozen, so visitors share them. The memory is bounded by bytes: other people
share the process.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mtsig import MtsigError
from mtsig.cli import VisitorLimits, memory
from mtsig_dashboard.host import Here, serving
from mtsig_dashboard.memory import Memory
from mtsig_dashboard.session import Session

T = TypeVar("T")

MOST_BYTES = min(512 * 2**20, memory() // 8)
"""Bytes of results kept in the process, least recently used ones going first."""

_QUIET_SECONDS = 0.4
"""Work shorter than this shows no progress bar."""

_BEAT = 0.25
"""Seconds between two pictures of a bar: inner loops report by the thousand, and each takes the server's time."""

_WAITING = "Another visitor is having the same computed; the result is shown here as soon as it is there."


@st.cache_resource
def workers() -> Any:
    """Return the processes that work for everybody; for one person, this one."""
    wing = serving()
    return Here() if wing is None else wing.Workers(VisitorLimits.from_environment())


@st.cache_resource
def _memory() -> Memory:
    return Memory(MOST_BYTES)


@st.cache_resource
def _visitors() -> Any | None:
    wing = serving()
    if wing is None:
        return None
    visitors = wing.Visitors(_memory(), VisitorLimits.from_environment(), wing.present_visitors)
    visitors.watch()
    return visitors


def visitor() -> str:
    """Return the id of the visitor whose page is being drawn; "" outside of a page."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def came(visit: Session) -> None:
    """Take down that a visitor is here: what he holds leaves memory some time after his tab is gone."""
    visitors = _visitors()
    if visitors is not None:
        visitors.came(visitor(), visit)


def remembered(key: Hashable, work: Callable[[], T]) -> T:
    """Return the result of `work`; while another visitor has it computed, wait. Any change of a setting stops it.

    The place of what is said meanwhile is there also when the result is at hand: were it not, all that stands below
    would come to stand elsewhere in the next run, and Streamlit draw it anew.
    """
    place, began, told = st.empty(), monotonic(), False

    def waiting() -> None:
        nonlocal told
        if monotonic() - began > _QUIET_SECONDS:
            place.info(_WAITING)
            told = True

    with place:
        result = _memory().remembered(key, work, waiting, visitor())
    if told:
        place.empty()
    return result


def at_once(key: Hashable, work: Callable[[], T]) -> T:
    """Return the result of `work`, which takes no time that anything had to be said in."""
    return _memory().remembered(key, work, lambda: None, visitor())


def recalled(key: Hashable) -> Any | None:
    """Return a result that is remembered; None where there is none."""
    return _memory().get(key, visitor())


@contextmanager
def bar() -> Iterator[Callable[[float, str], None]]:
    """Give what draws a share and a text as a bar, which appears when the work under it takes a while."""
    place, due = st.empty(), monotonic() + _QUIET_SECONDS

    def show(share: float, text: str) -> None:
        nonlocal due
        if monotonic() > due:
            place.progress(min(1.0, share), text=text)
            due = monotonic() + _BEAT

    try:
        yield show
    except MtsigError:
        place.empty()
        raise
    place.empty()


def worked(text: str, work: Callable[..., T], *args: Any, **options: Any) -> T:
    """Have `work(*args, **options)` done by a child process, under a bar.

    The bar starts afresh with every pass. Any change of a setting, and closing the tab, stops the work.
    """
    with bar() as draw:

        def show(share: float, said: str = text) -> None:
            draw(share, said)

        def waits(number: int) -> None:
            draw(0.0, f"{text} waits for other visitors' work, number {number} in the queue")

        result: T = workers().run(partial(work, *args, **options), show=show, waits=waits)
    return result
