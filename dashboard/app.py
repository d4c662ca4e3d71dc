"""The frame: page settings, navigation, and the data named on the command line."""

import json
import os
from pathlib import Path

import streamlit as st

from dashboard import compute, session, show, sidebar
from dashboard.launch import INPUT_VARIABLE
from mtsig import MtsigError
from mtsig.cli import parts_from

HERE = Path(__file__).resolve().parent

st.set_page_config("mtsig", page_icon=str(HERE / "icon.svg"), layout="wide")

visit = session.current()
if visit.first_visit():
    arguments = json.loads(os.environ.get(INPUT_VARIABLE, "[]"))
    if arguments:
        try:
            visit.load_parts(parts_from(arguments))
        except MtsigError as error:
            visit.data.fail(str(error))
    else:
        with show.part():
            visit.restore(compute.parts)
elif visit.data.aside:
    with show.part():
        visit.restore(compute.parts)
visit.show_token()
compute.came(visit)

navigation = st.navigation(
    {
        "": [
            st.Page("app_pages/data.py", title="Data", default=True),
            st.Page("app_pages/results.py", title="Results"),
            st.Page("app_pages/compare.py", title="Compare two"),
            st.Page("app_pages/planning.py", title="Planning"),
            st.Page("app_pages/paper.py", title="Paper"),
        ],
        "More": [st.Page("app_pages/lab.py", title="Lab")],
    },
    position="top",
)
with show.part():
    sidebar.draw()
    navigation.run()
