"""How pages show things: text that stays text, figures with their explanation, notes."""

import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import isnan
from typing import Any

import streamlit as st

from mtsig import Corpus, MtsigError, verdict
from mtsig.cautions import single_runs_text
from mtsig.corpus import SLICINGS, Note, capital_first, number_of
from mtsig.explain import EXPLANATIONS, explain
from mtsig.figures import Picture
from mtsig.inference import Comparison, Family, Intervals, Ranks
from mtsig.metrics import Metric, Rated, Statistics
from mtsig.readers import parts_of, sample_files
from mtsig.report import Table, adjusts, comparison_table, frame_of, has_own_p, score_table
from mtsig_dashboard import address, compute, session
from mtsig_dashboard.forms import form
from mtsig_dashboard.markdown import plain
from mtsig_dashboard.selection import Choices

_LOG = logging.getLogger("mtsig.dashboard")

DETECTABLE = "Detectable"
"""The column with the difference that would have been found."""

MOST_PROBLEMS = 10
"""Problems that are listed one by one."""

MOST_LISTED = 100
"""Sentences of one list on a page; a browser draws each by itself."""

MOST_ROWS = 5_000
"""Rows of a table that a browser is sent; a file has them all."""

_FEW_WARNINGS = 3
"""More warnings than these are one list: a page of boxes hides what it is about."""

_WIDTHS = {
    "acl-column": "ACL, one column",
    "acl-full": "ACL, both columns",
    "neurips-half": "NeurIPS, half the width",
    "neurips-full": "NeurIPS, full width",
}


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


def shown_metric(choices: Choices, label: str = "") -> Metric:
    """Return the metric that a page speaks of: the only one, or the one chosen at its top.

    label: what stands above the choice, where it is not all of the page that speaks of that metric.
    """
    if len(choices.metrics) == 1:
        return choices.metrics[0]
    names = [f"{metric.name} (rating)" if isinstance(metric, Rated) else metric.name for metric in choices.metrics]
    session.drop_stale("shown", names)
    name = st.segmented_control(
        label or "Metric",
        names,
        default=names[0],
        format_func=plain,
        **address.bound("shown"),
        required=True,
        label_visibility="visible" if label else "collapsed",
    )
    return choices.metrics[names.index(name or names[0])]


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


TOOLS = {
    "displaylogo": False,
    "modeBarButtonsToRemove": [
        f"{name}2d" for name in ("select", "lasso", "zoom", "pan", "zoomIn", "zoomOut", "autoScale")
    ],
}
"""A figure is saved, seen as it was, or alone; it is drawn larger by dragging. More tools would lie over its labels."""


def figure(picture: Picture, key: str, alt: str, how_to_read: str = "", **options: Any) -> Any:
    """Show a figure with its explanation below; return its selection when it has one.

    how_to_read: the explanation's name where the figure itself knows none.
    """
    figure = st.plotly_chart(compute.screen(picture), key=f"figure-{key}", alt=alt, config=TOOLS, **options)
    explained(picture.how_to_read or how_to_read)
    return figure


def for_paper(picture: Picture, name: str, paper: str, what: str = "") -> None:
    """Offer a figure in every format of papers; what: what it is of, where it does not stand just above."""
    from mtsig.figures import pgf_problem

    formats = ["pdf", "svg", "png", *([] if pgf_problem(picture) else ["pgf"])]
    if what:
        st.caption(f"{what}, for a paper:")
    with st.container(horizontal=True):
        for kind in formats:
            # Drawn only when it is asked for.
            draw = partial(_drawn, picture, kind, paper)
            file = f"{name}.{kind}"
            st.download_button(kind.upper(), draw, file, on_click="ignore", key=f"{kind}-{name}")


def _drawn(picture: Picture, kind: str, paper: str) -> bytes:
    from mtsig.figures import on_paper

    return on_paper(picture, kind, paper).data


def paper_width() -> str:
    """Ask for the width of figures on paper, and return it by the name that the command line has for it."""
    from mtsig.report import FigureFiles  # here: with it comes what draws on paper

    return str(form(FigureFiles(), "paper_", names={"paper": _WIDTHS})["paper"])


def csv(label: str, make: Callable[[], str], file: str) -> None:
    """Offer a table as a file, written only when it is asked for."""
    st.download_button(label, make, file, "text/csv", on_click="ignore", key=f"csv-{file}")


def explained(how_to_read: str, also: str | None = None) -> None:
    """Offer the explanation of a picture, by its name, on one quiet line: what paper says, and what a page can do.

    also: the name of what is explained besides.
    """
    own = f"{how_to_read}-on-page"
    names = [how_to_read, own] if own in EXPLANATIONS else [how_to_read]
    told = "\n".join(map(explain, names))
    with st.popover("How to read this", type="tertiary"):
        st.markdown(told if also is None else f"{told}\n\n{explain(also)}")


def table(shown: Table, alt: str, **options: Any) -> Any:
    """Show a table of results.

    Numbers stay numbers where a column is sorted or downloaded, but are printed as its columns print them everywhere:
    with a minus sign that is one, and no p-value as 0. Of a very long table the first rows are shown, which is said.
    """
    frame = frame_of(shown)
    if len(frame) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS:,} of {len(frame):,} rows.")
        frame = frame.head(MOST_ROWS)
    options = {"placeholder": " ", **options}  # an empty cell is empty, not "None"
    if not frame.columns.is_unique:
        return st.dataframe(frame, hide_index=True, alt=alt, **options)
    # Yes or no is shown as it is, and so are whole numbers that count nothing.
    texts: dict[Any, Any] = {
        column.title: column.text
        for column in shown.columns
        if column.numeric and frame[column.title].dtype.kind in ("f", "O")
    }
    texts |= {
        column.title: "{:,}"
        for column in shown.columns
        if column.kind == "count" and frame[column.title].dtype.kind in ("i", "u")
    }
    return st.dataframe(frame.style.format(texts) if texts else frame, hide_index=True, alt=alt, **options)


def captioned(shown: Table, alt: str, *left_out: str, stay: Collection[str] = ()) -> None:
    """Show a table of results under titles that begin as a line does, and below it what it says of itself.

    left_out: the names of columns that its menu has. stay: those that stand in any case; where some are named, the
    last of the others are in the menu, too, when the table has no room.
    """
    seen = begun(shown)
    last = [name for name in reversed(seen.names) if name not in stay] if stay else []
    columns = at_a_glance(seen, *left_out, if_room=last)
    table(seen, alt, **({} if len(columns) == len(seen.names) else {"column_order": columns}))
    beyond = len(seen.names) - len(columns) if stay else 0
    more = f" {number_of(beyond, 'more column')} in the table's menu." if beyond else ""
    st.caption(plain(f"{shown.caption}{more}"))


def capitalised(shown: Table) -> Table:
    """Return a table with the titles of its columns as a page writes them."""
    return shown.seen({name: name.capitalize() for name in shown.names})


def begun(shown: Table) -> Table:
    """Return a table whose titles begin as a line does; names in them stay as they are."""
    return shown.seen({name: capital_first(title) for name, title in zip(shown.names, shown.header, strict=True)})


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


def scores(intervals: Intervals, places: Ranks | None = None) -> Table:
    """Return scores, intervals and places, best first, under the words of the page."""
    view = {
        "system": "System",
        "kind": "Kind",
        "units": f"{intervals.unit.capitalize()}s",
        "score": "",
        "low": "Low",
        "high": "High",
    }
    view |= {"ranks": "Ranks", "cluster": "Cluster", "best in redraws": "Best in redraws"}
    return score_table(intervals, places, view)


def comparisons(family: Family) -> Table:
    """Return the comparisons under the words of the page."""
    return compute.tabled(family, _comparisons)


_ROOM, _MARGIN, _CHARACTER = 880, 18, 7.2
"""Pixels: of a table beside the settings in a window of 1280, around what a column holds, and of a character."""


def at_a_glance(shown: Table, *left_out: str, if_room: Sequence[str] = ()) -> list[str]:
    """Return the titles of the columns that have room beside each other, without those of these names.

    The table's own menu shows the others; so do its file, where it is offered as one, and the pair's own page.

    if_room: the names of columns that stand there only where long names leave them room, the first to go first.
    """
    titles = {name: title for name, title in zip(shown.names, shown.header, strict=True) if name not in left_out}
    for name in if_room:
        if _width(shown, titles) > _ROOM:
            titles.pop(name, None)
    return list(titles.values())


def _width(shown: Table, names: Collection[str]) -> float:
    """Return about how many pixels the columns of these names take."""
    longest = [
        max(map(len, (title, *texts)))
        for name, title, texts in zip(shown.names, shown.header, zip(*shown.texts, strict=True), strict=True)
        if name in names
    ]
    return sum(_MARGIN + _CHARACTER * characters for characters in longest)


def _comparisons(family: Family) -> Table:
    # All pairs of two systems are one, which `by_score` leaves as it is: it may have been chosen.
    if len(family) == 1 and family.first[0] != family.order[0] and family.test.alternative == "two-sided":
        family = family.turned(0)
    view = {
        "first": "First", "second": "Second", "units": f"{family.unit.capitalize()}s", "difference": "",
        "adjusted low": "Low", "adjusted high": "High", "low": "Low, alone", "high": "High, alone",
        "p": "", "p corrected": "Corrected p", "verdict": "Verdict",
        "95% drawing error": "Drawing error", "resamples won": "Resamples won",
        "detectable": DETECTABLE,
    }  # fmt: skip
    if not (family.corrected and has_own_p(family)):
        del view["p corrected"]
    if all(map(isnan, family.adjusted_level)):
        # Koehn's criterion has no p, and so no interval that agrees with one.
        del view["adjusted low"], view["adjusted high"]
        view |= {"low": "Low", "high": "High"}
    elif not adjusts(family):
        del view["low"], view["high"]
    return comparison_table(family, view=view)
