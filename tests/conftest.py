"""What the tests share."""

import os
from pathlib import Path

import pytest
from made import ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data, which is no part of the project."""
    place = Path(os.environ.get("MTSIG_SHARED", ROOT.parent / "shared"))
    if not (place / "data").is_dir():
        pytest.skip("real data are not here: set MTSIG_SHARED to the folder that holds data/ and expected/")
    return place
