"""What `streamlit run` is given: the app behind its gate."""

from starlette.middleware import Middleware
from streamlit.starlette import App

from mtsig_dashboard import launch
from mtsig_dashboard.gate import Gate

app = App(launch.SCRIPT, middleware=[Middleware(Gate, serving=launch.rules)])
