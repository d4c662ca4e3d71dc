"""How pages say things: text that stays text, parts that fail alone, notes and warnings."""

import logging
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from mtsig import Corpus, MtsigError, verdict
from mtsig.cautions._list import single_runs_text
from mtsig.corpus import SLICINGS, Note
from mtsig.inference import Comparison, Family
from mtsig.metrics import Metric, Statistics
from mtsig.readers._find import parts_of
from mtsig.readers._read import sample_files
from mtsig.report._table import one_line
from mtsig_dashboard import compute, session
from mtsig_dashboard.state import Choices

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&^=])")

_REPLACED = re.compile(r"(?<=:)(?=material/)|(?<![^\s\ufeff][-<>~])(?<=[-<>~])(?=(?:->|[->=])(?![^\s\ufeff]))")
"""Inside what Streamlit replaces after it has read the Markdown: names of icons, arrows and the like between spaces."""


_OF_ONE_NUMBER = re.compile(r"(?<=\b[pα]) (?=[=<] )|(?<=\b[pα] [=<]) (?=[.\d])|(?<=±) (?=[.\d])|(?<=\S) (?=· )")
"""Spaces at which a line must not break: a sign would end it, and its number begin the next, or a dot begin it."""


_LONGEST = 100_000
"""Characters of a text that is shown; nobody reads more, and each takes time of the server."""


def plain(text: str) -> str:
    """Return Markdown that shows text as it is, on one line: names come from files, and may hold anything.

    A line does not break between "p =" or "±" and the number, nor before a dot in the middle.
    """
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    return _MARKDOWN.sub(r"\\\1", _OF_ONE_NUMBER.sub("\u00a0", _REPLACED.sub("\u2060", one_line(text))))


_LOG = logging.getLogger("mtsig.dashboard")

MOST_PROBLEMS = 10
"""Problems that are listed one by one."""

MOST_LISTED = 100
"""Sentences of one list on a page; a browser draws each by itself."""

_FEW_WARNINGS = 3
"""More warnings than these are one list: a page of boxes hides what it is about."""


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


def onward(page: str, label: str, said: Mapping[str, str] | None = None, place: Any = st) -> None:
    """Draw a link that leads on to a page, opened with this in its address; every such link has the same arrow."""
    place.page_link(page, label=label, icon=":material/arrow_forward:", query_params=said)


def unexpected(error: Exception) -> str:
    """Write an error that nobody foresaw into the server's log, and return the sentence that leads there."""
    number = secrets.token_hex(3)
    _LOG.error("problem %s", number, exc_info=error)
    return (
        f"This could not be shown because of a mistake in mtsig (problem {number}). Your data are still here and the "
        "other pages work; the server's log says under this number what happened."
    )


def problems(text: str) -> None:
    """Show why files make no test set: a line for each, of very many the first."""
    lines = text.split("\n")
    shown = [plain(line) for line in lines[:MOST_PROBLEMS]]
    if len(lines) > len(shown):
        shown.append(f"{len(lines) - len(shown)} more; the table lists them.")
    st.error(shown[0] if len(shown) == 1 else "\n".join(f"- {line}" for line in shown))


def single_runs(corpus: Corpus, compared: Collection[str] | None = None) -> None:
    """Warn where the outputs that are compared (all, when None) are runs of systems."""
    grouped = session.current().selection.grouped(list(corpus.systems))
    if compared is not None:
        grouped = {system: runs for system, runs in grouped.items() if set(runs) & set(compared)}
    said = single_runs_text(grouped)
    if said is not None:
        st.warning(plain(said))


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
    if data.problem:
        problems(data.problem)
        onward(session.DATA, "Mend it on the Data page")
    else:
        lost()
        if needed:
            st.write("There are no data yet.")
        if st.button("Open the sample", type="primary" if needed else "secondary"):
            _open_sample()
        onward(session.DATA, "Bring your own files on the Data page")


def lost() -> None:
    """Say that the data of a link are not here: gone, by the names it knew, or never in it."""
    visit = session.current()
    names = visit.data.lost
    if names is not None:
        known = f": {', '.join(names)}" if names else ""
        st.info(plain(f"The data of this link are no longer here: drop the files again{known}."))
    elif visit.view.made_of is not None:
        st.info("This link holds settings, not the data: drop the files that it was made of.")


def _open_sample() -> None:
    try:
        session.current().load_sample(parts_of(sample_files()))
    except MtsigError as error:
        session.current().data.fail(str(error))
    st.rerun()


def notes_of_kin(statistics: Statistics, family: Family | None) -> list[Note]:
    """Return the notes on systems that are kin to a reference: those of the counts first, each once."""
    notes = (*statistics.notes, *(() if family is None else family.notes))
    return list(dict.fromkeys(note for note in notes if note.about == "kin"))


def kin(statistics: Statistics, family: Family) -> list[Note]:
    """Warn, before any verdict, of systems that are kin to a reference, and return the notes that say it."""
    told = notes_of_kin(statistics, family)
    if told:
        st.warning(plain(" ".join(note.text for note in told)))
    return told


def family(corpus: Corpus, metric: Metric, choices: Choices) -> Family:
    """Return the corrected comparisons of the metric: by themselves, or judged together with all other metrics."""
    if not choices.joined or len(choices.metrics) < 2:
        return compute.family(compute.measured(corpus, metric), choices.settings)
    together = compute.families([compute.measured(corpus, measured) for measured in choices.metrics], choices.settings)
    return together[choices.metrics.index(metric)]


def verdict_box(text: str, comparison: Comparison) -> None:
    """Show the verdict on a comparison in words, with the colour of its kind."""
    boxes = {"better": st.success, "not_significant": st.info, "withheld": st.warning}
    boxes[verdict(comparison).word](plain(text))


def notes(notes: Iterable[Note], title: str = "About these data") -> None:
    """Show warnings at once, and notes folded away."""
    unique = list(dict.fromkeys(notes))
    warned(unique)
    quiet([note for note in unique if note.level == "note"], title)


def warned(notes: Iterable[Note]) -> list[Note]:
    """Show those of the notes that are warnings, and return them: what qualifies a verdict stands by it."""
    told = [note for note in dict.fromkeys(notes) if note.level == "warning"]
    warnings([note.text for note in told])
    return told


def quiet(notes: Sequence[Note], title: str) -> None:
    """Show notes folded away."""
    if notes:
        with st.expander(f"{title} ({len(notes)})"):
            sentences([note.text for note in notes])


def sentences(texts: Sequence[str]) -> None:
    """Show sentences below each other, of very many the first."""
    for text in texts[:MOST_LISTED]:
        st.text(text)
    if len(texts) > MOST_LISTED:
        st.caption(f"{len(texts) - MOST_LISTED:,} more are not listed here.")


def warnings(texts: Sequence[str]) -> None:
    """Show warnings: a few each for itself, many as a list, of very many the first."""
    if len(texts) > _FEW_WARNINGS:
        left = len(texts) - MOST_LISTED
        told = [plain(text) for text in texts[:MOST_LISTED]] + ([f"{left:,} more."] if left > 0 else [])
        st.warning("\n".join(f"- {text}" for text in told))
        return
    for text in texts:
        st.warning(plain(text))
