"""In tests a mistake of the program is no sentence on the page but an error, and pages do their work themselves.

Work in child processes is tested by itself and in the browser tests.
"""

from collections.abc import Iterator

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner


def _raised(error: Exception) -> str:
    raise error


@pytest.fixture(scope="session", autouse=True)
def _scanned_once() -> Iterator[None]:
    """Let Streamlit look for components among all installed packages once, not for every page: 1.5 CPU s each."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda *_, **__: found)
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    """Let all runs share the compiled pages, as all sessions of a server do: 0.1 CPU s a run."""
    shared = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: shared)
        yield


@pytest.fixture(scope="session", autouse=True)
def _waited_for() -> Iterator[None]:
    """Let the harness wait for the end of a run: it would look for it every millisecond, and keep the page from it."""
    asks = local_script_runner.require_widgets_deltas

    def joins(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
        assert runner._script_thread is not None
        runner._script_thread.join(timeout)
        asks(runner, 0.1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", joins)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_workers() -> Iterator[None]:
    """Let pages of fixtures start no workers either, which every page after them would be given."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTSIG_VISITORS", '{"workers": 0}')
        yield


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.parts.show.unexpected", _raised)
