"""What the tests share."""

import os

# Tests run on as many workers as there are cores: threads of the linear algebra would only wait for each other. It has
# to be said before numpy is loaded, and to every program that the tests start.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# No translation of argparse's words is looked for on the disk, hundreds of times for every command.
os.environ["LANGUAGE"] = "C"

# What arrays free is kept for the next ones, in the workers alone: the C library reads this when a worker starts.
_KEEPING = {"MALLOC_MMAP_THRESHOLD_": str(2**28), "MALLOC_TRIM_THRESHOLD_": str(2**28)}
if "PYTEST_XDIST_WORKER" in os.environ:
    for _name in _KEEPING:
        os.environ.pop(_name, None)

import sys

# The suite starts the program some hundred times: half a CPU second each went into compiling the same modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

import faulthandler
import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from kept import ROOT, SHARED, Kept
from kept import kept as kept_texts
from sampled import SUITE, selects
from xdist.scheduler import LoadFileScheduling

# Modules and test items stay to the end, millions of objects: nothing is gained by looking through them again and
# again. Streamlit does so after every run of a page, statsmodels in every correction, for tenths of a second each time.
gc.disable()

# No test fails for being late on a busy machine.
settings.register_profile("suite", deadline=None, max_examples=20)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let kept texts be written anew."""
    parser.addoption("--renew", action="store_true", help="write tests/snapshots anew; with -n 0")


def pytest_configure(config: pytest.Config) -> None:
    """Let families of tests know whether more than a selection of them is asked for, and workers share the work."""
    selects(config.getoption("-m"))
    if config.getoption("-m") == SUITE:
        _watch.append(os.dup(2))  # a test's own is caught
    if hasattr(config, "workerinput"):
        be_terse(config)
        turn(config, int(os.environ["PYTEST_XDIST_WORKER"][2:]), int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))


HANGS, AGAIN = 600.0, 30.0
"""A test that takes so many seconds says where it is, and fails the run; so often the watch is set anew.

pytest's own faulthandler_timeout starts and ends a thread for every test, which takes longer than most tests do.
"""

_watch: list[int] = []
_set = 0.0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart() -> None:
    """Watch the next tests; the slow ones are not watched."""
    global _set
    if _watch and time.monotonic() - _set > AGAIN:
        _set = time.monotonic()
        faulthandler.dump_traceback_later(HANGS, exit=True, file=_watch[0])


def pytest_unconfigure() -> None:
    """Watch no more."""
    faulthandler.cancel_dump_traceback_later()


def be_terse(config: pytest.Config) -> None:
    """Tell the controller of a test that passed once, and not that it began and that its fixtures came and went, too.

    Every report is written, read and shown to all plugins: of eleven thousand tests that takes half a minute.
    """
    (reporter,) = [one for one in config.pluginmanager.get_plugins() if type(one).__name__ == "WorkerInteractor"]
    send = reporter.sendevent

    def needed(name: str, **told: Any) -> None:
        data = told.get("data", {})
        around = name == "testreport" and data["when"] != "call" and data["outcome"] == "passed"
        if not around and name != "logstart":
            send(name, **told)

    reporter.sendevent = needed


def turn(config: pytest.Config, worker: int, workers: int) -> None:
    """Let every worker find the tests of another part first: in a new checkout a file is compiled by one of them."""
    if [Path(one) for one in config.args] == [ROOT / "tests"]:
        files = sorted(map(str, (ROOT / "tests").glob("**/test_*.py")))
        begin = len(files) * worker // workers
        config.args[:] = files[begin:] + files[:begin]


# What takes longest begins first, so that no core is left with it at the end.
FIRST = tuple(
    f"tests/{folder}"
    for folder in (
        "browser", "lessons", "dashboard", "readers", "calibration", "cli", "meta_eval", "figures", "segments", "study",
        "text", "inference",
    )
)  # fmt: skip


NO_DASHBOARD = ("test_document.py", "test_sheets.py", "test_stage.py")
"""Files of tests/browser that need Chromium alone; two show the stages of lessons that tests/lessons looks at."""


class Together(LoadFileScheduling):
    """File by file, but what shares much goes to one worker: a dashboard and a Chromium, or the stages of lessons.

    Of dashboards there are two, for one half each of the files: all of them one after the other took longer than all
    other tests did.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        folder, _, name = file.rpartition("/")
        if folder == "tests/browser" and name not in NO_DASHBOARD:
            return f"{folder}, {'first' if name < 'test_q' else 'second'} half"
        return "tests/lessons" if folder in ("tests/browser", "tests/lessons") else file


def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than cores: tests wait for pages and children a third of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_xdist_setupnodes() -> None:
    """Say what workers read when they start, and take away again before they start anything themselves."""
    os.environ.update(_KEEPING)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together:
    """Hand out tests to the workers."""
    return Together(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest folders first, so that no worker waits for the other's last file; files keep their order."""

    def place(item: pytest.Item) -> tuple[int, Path]:
        folder = "/".join(item.nodeid.split("/")[:2])
        return FIRST.index(folder) if folder in FIRST else len(FIRST), item.path

    items.sort(key=place)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave everything that is there before the first test out of garbage collection, which looks after the tests'."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # pages and figures make many objects and hardly a cycle
    gc.enable()


_begun: set[Path] = set()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what the files before left behind, too: modules that they imported, what is worked out once."""
    if item.path not in _begun:
        _begun.add(item.path)
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests, and every program they start, away from the user's cache."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MTSIG_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_workers() -> Iterator[None]:
    """Let pages do their work themselves: children would stand back behind all other tests.

    Work in child processes is tested by itself and in the browser tests.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MTSIG_VISITORS", '{"workers": 0}')
        yield


@pytest.fixture(scope="session", autouse=True)
def keyboard() -> None:
    """Let an interrupt be one: a shell that starts its commands in the background has them, and theirs, ignore it."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Give `__main__` back: Streamlit puts the page there, which child processes of later tests would draw."""
    yield
    sys.modules["__main__"] = MAIN


@pytest.fixture(autouse=True)
def tables() -> Iterator[None]:
    """Take back what a test registers."""
    from mtsig._cautions import CAUTIONS
    from mtsig.doctor import CHECKS
    from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
    from mtsig.metrics import METRICS
    from mtsig.readers import READERS
    from mtsig.report import EXPORTERS

    every: tuple[Any, ...] = (METRICS, TESTS, INTERVALS, CORRECTIONS, CHECKS, CAUTIONS, EXPORTERS, READERS)
    # The dictionary within, and none of it touched where nothing was registered: this is done for every test.
    held: list[dict[str, Any]] = [getattr(table, "data", table) for table in every]
    before = [[*rows.items()] for rows in held]
    yield
    for rows, was in zip(held, before, strict=True):
        if [*rows.items()] != was:
            rows.clear()
            rows.update(was)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data, which is no part of the project."""
    if not (SHARED / "data").is_dir():
        pytest.skip(
            "real data are not here: python tests/real_data.py FOLDER fetches them, MTSIG_SHARED names the folder"
        )
    return SHARED


@pytest.fixture(autouse=True)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Hold whole texts to those in tests/snapshots: `kept(verb, text, …)`; `worded(text)` does so for any test."""
    return kept_texts(request.node.nodeid, tmp_path_factory.getbasetemp(), request.config.getoption("--renew"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process; returns exit code, stdout and stderr."""
    from mtsig.cli import main  # here, because most tests do without

    def called(*arguments: object) -> tuple[int, str, str]:
        code = main([str(one) for one in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return called
