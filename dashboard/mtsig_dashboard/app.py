"""The frame: page settings, navigation, and the data named on the command line."""

import json
import os
from pathlib import Path

import streamlit as st

from mtsig import MtsigError
from mtsig.cli._dashboard import LESSON_VARIABLE
from mtsig.cli._reading import parts_from
from mtsig.collection._sets import parts_of_sets
from mtsig.explain import explain
from mtsig_dashboard import compute, memory, session
from mtsig_dashboard.launch import INPUT_VARIABLE
from mtsig_dashboard.parts import forms, questions, show, sidebar
from mtsig_dashboard.parts.show import plain

HERE = Path(__file__).resolve().parent

NEEDS_NO_DATA = ("Data", "Lab", "Learn")


def load(visit: session.Session) -> None:
    """Take up the data of the address, or on a first visit those named on the command line."""
    visit.making = compute.corpora
    if visit.first_visit():
        arguments = json.loads(os.environ.get(INPUT_VARIABLE, "[]"))
        if not visit.restore(compute.parts) and arguments:
            try:
                several = arguments[0] == "--set"
                visit.load_parts(parts_of_sets(arguments[1:]) if several else parts_from(arguments))
            except MtsigError as error:
                visit.data.fail(str(error))
    elif visit.data.aside:
        visit.restore(compute.parts)


def other_data(visit: session.Session) -> None:
    """Say, before any number, that a link was made of other data than these."""
    if visit.is_of_other_data:
        st.warning(
            f"This link was made of other data (digest {plain(visit.view.made_of or '')}) than are loaded "
            f"({visit.data.digest}): numbers and verdicts differ from those that it was to show."
        )
        if st.button("Go on with these data"):
            visit.accept_data()
            st.rerun()


@st.fragment
def copy_link(visit: session.Session) -> None:
    """Offer the address of the page, with the data or without; it is read anew when this is opened."""
    with st.popover("Copy link", on_change="rerun"):
        opens_data = False
        if visit.data.token is not None and not visit.data.is_sample:
            opens_data = st.checkbox(
                "The link opens these data too",
                help=explain("link-with-data"),
            )
        st.code(visit.link(opens_data), language=None, wrap_lines=True)
        left_out = visit.unlinked_stars
        if left_out:
            st.caption(f"Without your {left_out:,} stars: a link carries {session.MOST_LINKED_STARS} at most.")


visit = session.current()
is_endless = forms.let_go_if_endless()
with show.part():
    load(visit)
    sidebar.choose_set()
visit.show_address()
questions.keep_over_sets()
memory.came(visit)


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
            st.Page(session.TRUST, title="Trust"),
            *([st.Page(session.TEST_SETS, title="Test sets")] if visit.data.set_names else []),
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
st.set_page_config(f"{navigation.title} · mtsig", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "style.css")
if is_endless:
    st.warning(
        f"The link has more than {forms.MOST_CHARACTERS:,} characters, and nothing of it is used. Ask for another."
    )
other_data(visit)
with show.part():
    teaching, over_sets = (navigation.title == title for title in ("Learn", "Test sets"))
    say_method = sidebar.draw(teaching, over_sets) if visit.data.scorable else None
    if visit.data.corpus is not None and not visit.data.scorable and navigation.title not in NEEDS_NO_DATA:
        st.title(navigation.title)
        st.info(explain("no-reference"))
        show.onward(session.DATA, "Bring a reference on the Data page")
    else:
        navigation.run()
        if say_method is not None:
            say_method()
        if visit.data.scorable:
            with st.sidebar:
                copy_link(visit)
                if not visit.data.own and navigation.title != "Data":
                    st.caption(visit.data.whose)
