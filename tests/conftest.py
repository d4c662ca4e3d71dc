"""What the tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from made import ROOT


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests, and every program they start, away from the user's cache."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MTSIG_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data, which is no part of the project."""
    place = Path(os.environ.get("MTSIG_SHARED", ROOT.parent / "shared"))
    if not (place / "data").is_dir():
        pytest.skip("real data are not here: set MTSIG_SHARED to the folder that holds data/ and expected/")
    return place
