"""In tests a mistake of the program is no sentence on the page but an error, and pages do their work themselves.

Work in child processes is tested by itself and in the browser tests.
"""

from collections.abc import Iterator

import pytest


def _raised(error: Exception) -> str:
    raise error


@pytest.fixture(scope="session", autouse=True)
def _no_workers() -> Iterator[None]:
    """Let pages of fixtures start no workers either, which every page after them would be given."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTSIG_VISITORS", '{"workers": 0}')
        yield


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.parts.show.unexpected", _raised)
