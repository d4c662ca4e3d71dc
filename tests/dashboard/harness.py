"""Streamlit's test harness as light as a server: what sessions share is found once, in child processes too."""

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

PATIENCE = 500
"""Seconds of a run after which it counts as one that hangs, whatever the load."""


def lighten() -> None:
    """Take out of the harness what it does for every page, or every run, and a server once."""
    # Looking for components among all installed packages, of which the pages use none: 1.5 CPU s.
    manifest_scanner.scan_component_manifests = lambda *_, **__: []

    # Compiling the pages: 0.1 CPU s a run.
    shared = ScriptCache()
    for module in (app_test, local_script_runner):
        module.ScriptCache = lambda: shared  # type: ignore[attr-defined]

    # Looking for the end of a run every millisecond, which keeps the page from it. No run fails for being late.
    asks = local_script_runner.require_widgets_deltas

    def joins(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
        assert runner._script_thread is not None
        runner._script_thread.join(max(timeout, PATIENCE))
        asks(runner, 0.1)

    local_script_runner.require_widgets_deltas = joins


lighten()
