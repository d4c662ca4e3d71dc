"""In tests a mistake of the program is no sentence on the page but an error, and pages do their work themselves.

Work in child processes is tested by itself and in the browser tests.
"""

from collections.abc import Iterator

import pytest
from streamlit.components.v2 import manifest_scanner


def _raised(error: Exception) -> str:
    raise error


@pytest.fixture(scope="session", autouse=True)
def _scanned_once() -> Iterator[None]:
    """Let Streamlit look for components among all installed packages once, not for every page: 1.5 CPU s each."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda *_, **__: found)
        yield


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.show.unexpected", _raised)
    monkeypatch.setenv("MTSIG_VISITORS", '{"workers": 0}')
