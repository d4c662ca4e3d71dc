"""The frame: page settings, navigation, and the data named on the command line."""

import json
import os
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st

from mtsig import MtsigError
from mtsig.cli._dashboard import LESSON_VARIABLE
from mtsig.cli._reading import parts_from
from mtsig.collection._sets import parts_of_sets
from mtsig_dashboard import compute, host, memory, session
from mtsig_dashboard.launch import INPUT_VARIABLE
from mtsig_dashboard.parts import bar, forms, frame, questions, sharing, show

HERE = Path(__file__).resolve().parent

NEEDS_NO_DATA = ("Data", "Lab", "Learn")
"""Pages that work without data."""


def load(visit: session.Session) -> None:
    """Take up the data of the address, or on a first visit those named on the command line."""
    visit.making = compute.corpora
    if visit.first_visit():
        arguments = json.loads(os.environ.get(INPUT_VARIABLE, "[]"))
        try:
            if not visit.restore(compute.parts) and arguments:
                try:
                    several = arguments[0] == "--set"
                    visit.load_parts(parts_of_sets(arguments[1:]) if several else parts_from(arguments))
                except MtsigError as error:
                    visit.data.fail(str(error))
        except MtsigError:
            visit.view.started = True
            raise
        # Not before: a click ends this run, and the next one would take the visit for one without data.
        visit.view.started = True
    elif visit.data.aside:
        visit.restore(compute.parts)


def about_link(visit: session.Session, *, is_endless: bool) -> None:
    """Say, below the title and before any other number, that a link was made of other data than these, or ignored."""
    if is_endless:
        most = f"{forms.MOST_CHARACTERS:,}"
        st.warning(f"The link has more than {most} characters, so it was ignored. Ask for another.")
    if visit.is_of_other_data:
        why = (
            f"The link was made with data of digest {visit.view.made_of or ''}; the digest of the data here is "
            f"{visit.data.digest}. Numbers and verdicts may differ from those that the sender saw."
        )
        with show.state("This link was made with other data", why, warns=True):
            if st.button("Continue with these data"):
                visit.view.made_of = None
                st.rerun()


_one_entry_each = st.components.v2.component("mtsig_history", js=(HERE / "history.js").read_text(encoding="utf-8"))
"""Lets the browser's history have one entry for each page."""

host.ignore_forged()
host.keep_answers()
# Loading looks as the page will.
st.set_page_config(layout="wide")
st.html(HERE / "style.css")
visit = session.current()
forms.take_up_again()
is_endless = forms.let_go_if_endless()
with st.container(key="unseen"):
    _one_entry_each(key="history", height=0)
with show.part():
    load(visit)
    visit.take_back()
questions.keep_over_sets()
memory.came(visit)


# Pages that the data do not fill are left out of the menu; a link to one still opens it, and it says what it needs.
_SHOWN: dict[bool, Literal["visible", "hidden"]] = {True: "visible", False: "hidden"}

# The address of the default page is "/" and no other: a link to it would break with other data.
home = st.Page(lambda: None, title="mtsig", url_path="home", default=True, visibility="hidden")
navigation = st.navigation(
    {
        "": [
            home,
            st.Page(session.DATA, title="Data"),
            st.Page(session.RESULTS, title="Results"),
            st.Page(session.COMPARE, title="Compare two"),
            st.Page(session.SEGMENTS, title="Segments"),
            st.Page("app_pages/planning.py", title="Planning"),
            st.Page(session.PAPER, title="Paper"),
        ],
        "More": [
            st.Page(session.TRUST, title="Metrics vs humans"),
            st.Page(session.TEST_SETS, title="Test sets", visibility=_SHOWN[bool(visit.data.set_names)]),
            st.Page(session.PREFERENCES, title="Preferences", visibility=_SHOWN[bool(visit.data.preferences)]),
            st.Page(session.LEARN, title="Learn"),
            st.Page("app_pages/lab.py", title="Lab"),
        ],
    },
    position="top",
)
if navigation.title == home.title:
    number = os.environ.get(LESSON_VARIABLE)
    if number is not None:
        visit.open_page(session.LEARN, {"lesson": [number]})
    visit.open_page(visit.home)
st.set_page_config(f"{navigation.title} · mtsig", page_icon=str(HERE / "icon.svg"))
st.html(f"<style>:root {{ --page: '{navigation.title}' }}</style>")
with show.part():
    title = navigation.title
    is_seen = title not in ("Data", "Learn")
    head = frame.begin(title, is_seen=is_seen)
    head.about_link = partial(about_link, visit, is_endless=is_endless)
    if is_seen:
        with head.strip:
            head.about_link()
    if title == "Learn":
        head.title, head.lede = st.empty(), st.empty()
        head.shared = st.container(horizontal=True, vertical_alignment="center")
        head.about_link()
    over_sets = title == "Test sets" and bool(visit.data.set_names)
    if not over_sets and title != "Data":
        with head.asked if is_seen else st.container():
            bar.choose_set()
    visit.show_address()
    if visit.data.scorable:
        with head.shared if title == "Learn" else nullcontext():
            # Segments are looked for by pair, text and filters as well.
            room = 0 if title in ("Planning", "Lab") else 4 if title == "Segments" else 8
            bar.draw(head, teaching=title == "Learn", over_sets=over_sets, room=room)
    if visit.data.corpus is not None and not visit.data.scorable and title not in NEEDS_NO_DATA:
        head.say("These outputs cannot be scored without a reference")
        with show.state("No reference", "", "no-reference"):
            show.onward(session.DATA, "Add a reference on the Data page")
    elif visit.data.lost is not None and not visit.data.parts and title not in (*NEEDS_NO_DATA, "Paper"):
        head.say("Nothing to show without the data of this link")
        show.lost()
    else:
        navigation.run()
        if head.method is not None:
            head.method()  # by now the page may have counted what decides on the sampling unit
        if is_seen:
            if visit.data.parts:
                with head.shared:
                    sharing.draw(visit, head)
            head.draw_downloads()
        if visit.data.scorable and not visit.data.own and title != "Data":
            st.caption(visit.data.whose)
forms.note_defaults()
