"""What `streamlit run` is given: the app behind its gate."""

import gc
import threading
from importlib import import_module

from streamlit.starlette import App

from mtsig_dashboard import launch
from mtsig_dashboard.serving import guards

app = App(launch.SCRIPT, middleware=guards(launch.rules))


def warm() -> None:
    """Load what every page needs while the browser still loads its own part.

    It stays for good, so garbage collection, which Streamlit calls after every run of a page, need not look through it.
    """
    try:
        import_module("mtsig_dashboard.parts.bar")
        # Streamlit looks for an emoji before a notice, and loads 5,000 at the first that is not plain ASCII.
        import_module("streamlit.emojis")
        gc.freeze()
    finally:
        gc.enable()


threading.Thread(target=warm, daemon=True).start()
