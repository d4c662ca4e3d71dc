"""The dashboard for hosts on the internet that start it by `streamlit run streamlit_app.py`: docs/hosting.md.

On such a host it answers under every name, to everybody whom the host lets in; elsewhere to its own computer alone,
where `mtsig dashboard` does more.
"""

import streamlit as st
from mtsig_dashboard import launch
from mtsig_dashboard.serving import guards
from streamlit.starlette import App

st.secrets.load_if_toml_exists()  # a host's secrets become environment variables: MTSIG_PASSWORD may be one
app = App(launch.SCRIPT, middleware=guards(launch.on_a_host(__file__)))
