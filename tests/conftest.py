"""What the tests share."""

import os

# Tests run on as many workers as there are cores: threads of the linear algebra would only wait for each other. It has
# to be said before numpy is loaded, and to every program that the tests start.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import signal
import threading
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


@pytest.fixture(scope="session", autouse=True)
def keyboard() -> None:
    """Let an interrupt be one: a shell that starts its commands in the background has them, and theirs, ignore it."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data, which is no part of the project."""
    place = Path(os.environ.get("MTSIG_SHARED", ROOT.parent / "shared"))
    if not (place / "data").is_dir():
        pytest.skip("real data are not here: set MTSIG_SHARED to the folder that holds data/ and expected/")
    return place
