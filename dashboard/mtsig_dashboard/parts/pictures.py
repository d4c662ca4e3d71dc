"""Figures and tables on pages, with their explanations and files, and how points and cells of them are chosen."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

import streamlit as st

from mtsig import verdict
from mtsig._say import adjusts, has_own_p
from mtsig._writing import in_html, short_names
from mtsig.corpus._notes import capital_first, number_of
from mtsig.explain import EXPLANATIONS, explain
from mtsig.figures import Picture
from mtsig.figures._marks import PHONE, SCREEN, Room
from mtsig.inference import Comparison, Family, Intervals, Ranks, p_number
from mtsig.report import Table, comparison_table, csv_table, score_table
from mtsig.report._table import called_in, frame_of, records_table
from mtsig_dashboard import session
from mtsig_dashboard.memory import asked_at_once
from mtsig_dashboard.parts.forms import form
from mtsig_dashboard.parts.show import plain

_HERE = Path(__file__).resolve().parents[1]

DETECTABLE = "Detectable"
"""The column with the difference that would have been found."""

MOST_ROWS = 5_000
"""Rows of a table that a browser is sent; a file has them all."""

_WIDTHS = {
    "acl-column": "ACL, one column",
    "acl-full": "ACL, both columns",
    "neurips-half": "NeurIPS, half the width",
    "neurips-full": "NeurIPS, full width",
}


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
    figure = charts(picture, key, alt, **options)
    explained(picture.how_to_read or how_to_read)
    return figure


def charts(picture: Picture, key: str, alt: str, **options: Any) -> Any:
    """Show a figure, and where it narrows the one for a phone, too: the page's style shows one of them."""
    options = {"alt": alt, "config": TOOLS, **options}
    if not picture.narrows:
        return st.plotly_chart(asked_at_once(_written, picture), key=f"figure-{key}", **options)
    with st.container(key=f"wide-{key}"):
        figure = st.plotly_chart(asked_at_once(_written, picture), key=f"figure-{key}", **options)
    with st.container(key=f"narrow-{key}"):
        phone = st.plotly_chart(asked_at_once(_written, picture, PHONE), key=f"figure-{key}-narrow", **options)
    return phone if "on_select" in options and phone["selection"]["points"] else figure


def _written(picture: Picture, room: Room = SCREEN) -> Any:
    """Return a figure that is written down once: plotly copies all of it whenever it is asked for."""
    figure: Any = picture.screen(room)
    written, ready = figure.to_dict(), type(figure)()
    ready.to_dict = lambda: written
    return ready


def for_paper(picture: Picture, name: str, what: str = "", paper: str = "") -> None:
    """Offer a figure in all formats of papers; what: it is of, where that does not stand just above."""
    from mtsig.figures._paper import pgf_problem  # which loads what draws on paper
    from mtsig.report._exporters import FigureFiles

    if what:
        st.caption(f"{what}, for a paper:")
    with st.container(horizontal=True):
        for kind in ("pdf", "svg", "png", *(() if pgf_problem(picture) else ("pgf",))):
            # Drawn only when it is asked for.
            draw = partial(_drawn, picture, kind, paper or FigureFiles().paper)
            st.download_button(kind.upper(), draw, f"{name}.{kind}", on_click="ignore", key=f"{kind}-{name}")


def _drawn(picture: Picture, kind: str, paper: str) -> bytes:
    from mtsig.figures import on_paper

    return on_paper(picture, kind, paper).data


def paper_width() -> str:
    """Ask for the width of figures on paper, and return it by the name that the command line has for it."""
    from mtsig.report._exporters import FigureFiles  # here: with it comes what draws on paper

    return str(form(FigureFiles(), "paper_", names={"paper": _WIDTHS})["paper"])


def csv(label: str, make: Callable[[], Table | list[dict[str, Any]]], file: str) -> None:
    """Offer a table, or records under the names that programs have for them, as a file that is written when asked for.

    It is drawn and written outside of a page.
    """

    def written() -> str:
        made = make()
        return csv_table(made if isinstance(made, Table) else records_table(made, given=made[0]))

    st.download_button(label, written, file, "text/csv", on_click="ignore", key=f"csv-{file}")


def explained(*how_to_read: str) -> None:
    """Offer the explanations of pictures, by their names, on a quiet line: what paper says, and what a page can do."""
    names = [name for each in how_to_read for name in (each, f"{each}-on-page") if name == each or name in EXPLANATIONS]
    with st.popover("How to read this", type="tertiary"):
        st.markdown("\n".join(map(explain, names)))


def table(shown: Table, alt: str, **options: Any) -> Any:
    """Show a table of results.

    Numbers stay numbers where a column is sorted or downloaded, but are printed as its columns print them everywhere:
    with a minus sign that is one, and no p-value as 0. Of a very long table the first rows are shown, which is said.
    """
    if len(shown.rows) > MOST_ROWS:
        st.caption(f"The table shows the first {MOST_ROWS:,} of {len(shown.rows):,} rows.")
        shown = replace(shown, rows=shown.rows[:MOST_ROWS])
    frame = frame_of(shown)
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
    texts |= _short_names(shown)
    return st.dataframe(frame.style.format(texts) if texts else frame, hide_index=True, alt=alt, **options)


def _short_names(shown: Table) -> dict[Any, Any]:
    """Return how the names in a table are written; its file has them whole."""
    called = called_in(shown)
    has = {
        column.title for column, *cells in zip(shown.columns, *shown.rows, strict=True)
        if any(cell.value in called for cell in cells if isinstance(cell.value, str))
    }  # fmt: skip
    return dict.fromkeys(has, lambda name: called.get(name, name))


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


def begun(shown: Table) -> Table:
    """Return a table whose titles begin as a line does; names in them stay as they are."""
    return shown.seen({name: capital_first(title) for name, title in zip(shown.names, shown.header, strict=True)})


def scores(intervals: Intervals, places: Ranks | None = None) -> Table:
    """Return scores, intervals and places, best first, under the words of the page."""
    view = {
        "system": "System", "kind": "Kind", "units": f"{intervals.unit.capitalize()}s",
        "score": "", "low": "Low", "high": "High",
        "ranks": "Ranks", "cluster": "Cluster", "ranked first": "Ranked first",
    }  # fmt: skip
    return score_table(intervals, places, view)


def comparisons(family: Family) -> Table:
    """Return the comparisons under the words of the page."""
    return asked_at_once(_comparisons, family)


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
        "adjusted low": "Low", "adjusted high": "High", "low": "Low, unadjusted", "high": "High, unadjusted",
        "p": "", "p corrected": "Adjusted p", "verdict": "Verdict",
        "Monte Carlo interval": "Monte Carlo interval", "bootstrap win rate": "Bootstrap win rate",
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


MOST_NARROW = 100
"""Comparisons that are listed; of more, the file has them all."""


def narrow_comparisons(family: Family) -> str:
    """Return the comparisons by score as a table of three columns."""
    by_score, names = family.by_score(), short_names(family.order)
    p = "Adjusted p" if family.corrected and has_own_p(family) else "p"
    decides = "Bootstrap win rate" if family.test.by_wins else p
    rows = [
        (f"{_named(pair.first, names)}<br>{_named(pair.second, names)}", in_html(verdict(pair).marked), _decider(pair))
        for pair, _ in zip(by_score, range(MOST_NARROW), strict=False)
    ]
    left = len(by_score) - MOST_NARROW
    more = f"<p>{number_of(left, 'more comparison', ',')} in the file.</p>" if left > 0 else ""
    return grid("Every comparison", "pairs", ("Pair", "Verdict", decides), rows) + more


def grid(label: str, look: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of HTML cells, the first of each row its head, in a region of this look and label."""
    titles = "".join(f'<th scope="col">{in_html(title)}</th>' for title in head)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    focus = "" if look == "aloud" else ' tabindex="0"'
    return (
        f'<div class="grid {look}" role="region" aria-label="{label}"{focus}><table>'
        f"<thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _named(name: str, names: Mapping[str, str]) -> str:
    """Return a name in HTML as it is shown, and whole when it is pointed at."""
    seen = names.get(name, name)
    return in_html(name) if seen == name else f'<span title="{in_html(name)}">{in_html(seen)}</span>'


def _decider(pair: Comparison) -> str:
    """Return what the verdict on a pair rests on, as it is shown."""
    if pair.by_wins:
        return f"{pair.bootstrap_win_rate:.1%}"
    return in_html(p_number(pair.p_adjusted)) if pair.has_p else ""


_listen = st.components.v2.component("mtsig_clicks", js=(_HERE / "clicks.js").read_text(encoding="utf-8"))

_KEY = "clicks"


def follow(actions: Mapping[str, Callable[[int, Any], None]], *, names_alone: bool = False) -> None:
    """Do what `actions` says when a point is clicked: key of a picture -> what takes its number and its own data.

    Nothing is drawn. Whoever has no pointer needs another way to the same. names_alone: of clicks on names beside the
    picture, not of those on points.
    """
    _listen(
        data={"pictures": list(actions), "names": names_alone},
        key=_KEY,
        on_point_change=partial(_clicked, actions),
        height=0,
    )


def _clicked(actions: Mapping[str, Callable[[int, Any], None]]) -> None:
    point = session.choice(_KEY)["point"]
    # What comes from a browser may be anything.
    match point:
        case {"picture": str(picture), "number": int(number), **rest} if picture in actions:
            actions[picture](number, rest.get("data"))


_line = st.components.v2.component(
    "mtsig_cells",
    html='<div role="application" tabindex="0" aria-describedby="keys"><span id="keys">Arrow keys, Home and End move '
    'to other cells. Enter opens this pair.</span> <b aria-live="polite"></b></div>',
    css=(_HERE / "cells.css").read_text(encoding="utf-8"),
    js=(_HERE / "cells.js").read_text(encoding="utf-8"),
)


def chosen_by_keyboard(picture: str, label: str) -> tuple[str, str] | None:
    """Return the pair of the cell that was chosen; None where none was.

    picture: the key of the figure above, whose points have their pairs as data.
    """
    said = _line(data={"picture": picture, "label": label}, key=f"cells-{picture}", on_cell_change=lambda: None)
    # What comes from a browser may be anything.
    match said["cell"]:
        case [str(first), str(second), *_]:
            return first, second
    return None
