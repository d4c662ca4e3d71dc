"""In tests a mistake of the program is no sentence on the page but an error, and pages do their work themselves.

Work in child processes is tested by itself and in the browser tests.
"""

import pytest


def _raised(error: Exception) -> str:
    raise error


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.show.unexpected", _raised)
    monkeypatch.setenv("MTSIG_VISITORS", '{"workers": 0}')
