"""What `streamlit run` is given: the app behind its gate."""

from pathlib import Path

from starlette.middleware import Middleware
from streamlit.starlette import App

from mtsig_dashboard import launch
from mtsig_dashboard.gate import Gate

app = App(Path(__file__).with_name("app.py"), middleware=[Middleware(Gate, serving=launch.rules)])
