"""In tests a mistake of the program is no sentence on the page but an error."""

import pytest


def _raised(error: Exception) -> str:
    raise error


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.parts.show.unexpected", _raised)
