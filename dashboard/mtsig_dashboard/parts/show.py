"""How pages say things: text that stays text, parts that fail alone, notes and warnings."""

import logging
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from zlib import crc32

import streamlit as st

from mtsig import Corpus, MtsigError
from mtsig._writing import one_line
from mtsig.corpus import SLICINGS, Note
from mtsig.corpus._notes import merged
from mtsig.explain import explain
from mtsig.readers._read import parts_of, sample_files
from mtsig_dashboard import session

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&^=])")

_REPLACED = re.compile(r"(?<=:)(?=material/)|(?<!\S[-<>~])(?<=[-<>~])(?=(?:->|[->=])(?!\S))")
"""Inside what Streamlit replaces after it has read the Markdown: names of icons, arrows and the like between spaces."""


_OF_ONE_NUMBER = re.compile(r"(?<=\b[pα]) (?=[=<] )|(?<=\b[pα] [=<]) (?=[.\d])|(?<=±) (?=[.\d])|(?<=\S) (?=· )")
"""Spaces at which a line must not break: a sign would end it, and its number begin the next, or a dot begin it."""


_LONGEST = 100_000
"""Characters of a text that is shown; nobody reads more, and each takes time of the server."""


def plain(text: str) -> str:
    """Return Markdown that shows text as it is, on one line: names come from files, and may hold anything.

    A line does not break between "p =" or "±" and the number, nor before a dot in the middle.
    """
    return _MARKDOWN.sub(r"\\\1", _REPLACED.sub("\u2060", unbroken(text)))


def unbroken(text: str) -> str:
    """Return text on one line, at most so long as anybody reads, that does not break before or after signs."""
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    return _OF_ONE_NUMBER.sub("\u00a0", one_line(text))


_LOG = logging.getLogger("mtsig.dashboard")

MOST_PROBLEMS = 10
"""Problems that are listed one by one."""

MOST_LISTED = 100
"""Sentences of one list on a page; a browser draws each by itself."""


def guarded(page: Callable[[], None], *, is_data: bool = False) -> None:
    """Run a page; what went wrong is said in one sentence, and below it the way to the files, but on their own page."""
    failed = True
    with part():
        page()
        failed = False
    if failed and not is_data:
        onward(session.DATA, "Look at the files on the Data page")


@contextmanager
def part() -> Iterator[None]:
    """Show one part of a page: what went wrong with it stands in its place, and the parts after it follow.

    That is what the library says of the data; and of a mistake of this program, which no data should meet, a number.
    """
    try:
        yield
    except MtsigError as error:
        st.error(plain(str(error)))
    except Exception as error:
        st.error(plain(unexpected(error)))


def fold(label: str, key: str | Mapping[str, Any], draw: Callable[..., object], *args: Any) -> None:
    """Offer a part of a page that costs nothing until it is opened; key: of it, also with what binds it."""
    box = st.expander(label, on_change="rerun", **({"key": key} if isinstance(key, str) else key))
    if box.open:
        with box, part():
            draw(*args)


def onward(page: str, label: str, said: Mapping[str, str] | None = None, place: Any = st) -> None:
    """Draw a link that leads on to a page, opened with this in its address; every such link has the same arrow."""
    place.page_link(page, label=label, icon=":material/arrow_forward:", query_params=said)


def steps() -> Any:
    """Return the row of what else leads on from a page; what to do next stands beside its title."""
    return st.container(horizontal=True, vertical_alignment="center", key="next")


def unexpected(error: Exception) -> str:
    """Write an error that nobody foresaw into the server's log, and return the sentence that leads there."""
    number = secrets.token_hex(3)
    _LOG.error("problem %s", number, exc_info=error)
    return (
        f"This could not be shown because of an error in mtsig (number {number}). Your data are still here, and the "
        "other pages work. The server's log describes the error under this number."
    )


def problems(text: str) -> None:
    """Show why files make no test set, in place of what they would show: a line for each, of very many the first."""
    lines = text.split("\n")
    shown = [plain(line) for line in lines[:MOST_PROBLEMS]]
    if len(lines) > len(shown):
        shown.append(f"{len(lines) - len(shown)} more problems; the table lists them.")
    with st.container(border=True, key="state-warns-files"):
        st.markdown("**▲ These files cannot be used as they are**")
        st.error(shown[0] if len(shown) == 1 else "\n".join(f"- {line}" for line in shown))
        _ways_on()


def _ways_on() -> None:
    """Offer to go on without the files that keep the others from being a test set, or without any."""
    visit = session.current()
    if not visit.data.parts:
        return
    with st.container(horizontal=True):
        for way in visit.data.ways_on:
            label = plain(f"Continue without {way.what}")
            st.button(label, key=f"without-{way.what}", on_click=visit.leave_out, args=(way,))
        st.button("Start again without files", key="without-files", on_click=visit.forget, type="tertiary")


def loaded() -> Corpus:
    """Return the corpus; without one, offer the sample data and stop: a page is never blank."""
    data, slices = session.current().data, session.current().selection.slices
    corpus, whole = data.corpus, data.whole
    if corpus is not None:
        if slices and whole is not None:
            said = "; ".join(f"{SLICINGS[by]}: {', '.join(names)}" for by, names in slices.items())
            st.caption(plain(f"Only {said} ({len(corpus)} of {len(whole)} segments; chosen on the Data page)."))
        return corpus
    missing()
    return st.stop()


def missing(*, needed: bool = True) -> None:
    """Say why there are no data, and offer the sample data; where they are not needed, something else is done first."""
    data = session.current().data
    if len(data.preferences) == len(data.parts) > 0:
        with state("These data are preferences", "This page needs outputs of systems."):
            onward(session.PREFERENCES, "See the preferences")
            onward(session.DATA, "Add outputs on the Data page")
        return
    if data.problem:
        problems(data.problem)
        onward(session.DATA, "Look at the files on the Data page")
        return
    if lost():
        return
    what = "This page needs outputs of systems. Drop files on the Data page, or open the sample data."
    with st.container(key="needs-no-metric" if needed else None), state("No data yet" if needed else "No data", what):
        if st.button("Open the sample", type="primary" if needed else "secondary"):
            _open_sample()
        onward(session.DATA, "To Data")


@contextmanager
def state(headline: str, why: str = "", *told: str, warns: bool = False) -> Iterator[None]:
    """Draw a box in place of a picture: what the matter is, and why; what leads on is drawn into it.

    told: the names of explanations that stand in it, too.
    """
    kind = "warns" if warns else "quiet"
    with st.container(border=True, key=f"state-{kind}-{crc32(headline.encode())}"):
        st.markdown(f"**{'▲ ' if warns else ''}{plain(headline)}**")
        for text in filter(None, (plain(why), *map(explain, told))):
            st.markdown(text)
        with st.container(horizontal=True, vertical_alignment="center"):
            yield


def lost(*, is_data: bool = False) -> bool:
    """Say that the data of a link are not here: gone, by the names it knew, or never in it; return whether they are."""
    visit = session.current()
    names, digest = visit.data.lost, visit.view.made_of
    if names is None and digest is None:
        return False
    here = f" (sha256 {digest[:8]})" if digest else ""
    if names is None:
        headline = "This link has no data"
        why = f"It contains only settings. Drop the files with which it was made{here} to see the same page."
    else:
        headline = "The data of this link were deleted" if names else "The data of this link were not found"
        gone = "The server no longer has these data." if names else "The data were deleted, or the address is wrong."
        files = f": {', '.join(names)}" if names else ""
        why = f"{gone} Drop the same files again{here} to see the same page{files}."
    with state(headline, why):
        if not is_data:
            onward(session.DATA, "Drop files")
            if st.button("Open the sample"):
                _open_sample()
    return True


def _open_sample() -> None:
    try:
        session.current().load_sample(parts_of(sample_files()))
    except MtsigError as error:
        session.current().data.fail(str(error))
    st.rerun()


def quiet(notes: Iterable[Note], title: str = "About these data") -> None:
    """Show notes folded away, warnings first: what can change a verdict stands in the strip at the head of the page."""
    unique = sorted(merged(notes), key=lambda note: note.level != "warning")
    if unique:
        with st.expander(f"{title} ({len(unique)})"):
            sentences([f"{'▲ ' if note.level == 'warning' else ''}{note.text}" for note in unique])


def sentences(texts: Sequence[str]) -> None:
    """Show sentences below each other, of very many the first."""
    for text in texts[:MOST_LISTED]:
        st.text(text)
    if len(texts) > MOST_LISTED:
        st.caption(f"{len(texts) - MOST_LISTED:,} more are not listed here.")
