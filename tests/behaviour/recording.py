"""A checkout goes in, a folder with what every verb and page says comes out."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from behaviour.inputs import make_inputs
from behaviour.runs import LONGEST, Run, every_run

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Place:
    """Where a record is made: the checkout, a temporary folder, and the shared data."""

    root: Path
    scratch: Path
    shared: Path | None

    @property
    def environment(self) -> dict[str, str]:
        """Return what commands see of the machine. The seed of hashes is left to chance: orders of sets are faults."""
        fixed = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC"}
        return fixed | {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.scratch / "home"),
            "XDG_CACHE_HOME": str(self.scratch / "home" / ".cache"),
            "MPLCONFIGDIR": str(self.scratch / "matplotlib"),
            "MTSIG_CACHE": str(self.scratch / "cache"),
            "PYTHONPATH": f"{self.root}{os.pathsep}{self.root / 'dashboard'}",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }

    def plain(self, text: str, work: Path) -> str:
        """Return the text without paths of this machine."""
        found = {
            str(work): "<WORK>",
            str(self.scratch): "<SCRATCH>",
            str(self.root): "<ROOT>",
            str(HERE.parent): "<HERE>",
        }
        if self.shared is not None:
            found[str(self.shared)] = "<SHARED>"
        for path, name in found.items():
            text = text.replace(path, name)
        return text


def record(folder: Path, root: Path, jobs: int, only: str) -> int:
    """Run everything, write what it says into the folder, and return the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    given = os.environ.get("MTSIG_SHARED")
    shared = Path(given).resolve() / "data" if given else None
    if shared is None:
        sys.stderr.write("note: MTSIG_SHARED is not set: runs on shared data are left out.\n")
    runs = [run for run in every_run(shared is not None) if fnmatchcase(run.name, only)]
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="behaviour-") as scratch:
        place = Place(root.resolve(), Path(scratch).resolve(), shared)
        _prepare(place)
        with ThreadPoolExecutor(jobs) as pool:
            for run, seconds in pool.map(lambda run: _recorded(run, place, folder), runs):
                sys.stderr.write(f"{seconds:6.1f} s  {run.name}\n")
    sys.stderr.write(f"{len(runs)} runs in {time.monotonic() - started:.0f} s\n")
    return 0


def _prepare(place: Place) -> None:
    for name in ("made", "home", "runs"):
        (place.scratch / name).mkdir()
    make_inputs(place.scratch / "made", place.root / "sample_data" / "es-en")
    # Its list of fonts is made now, so that no run says that it is being made.
    warm = [sys.executable, "-c", "import matplotlib.font_manager"]
    subprocess.run(warm, env=place.environment, capture_output=True, check=False)


def _recorded(run: Run, place: Place, folder: Path) -> tuple[Run, float]:
    """Run the commands in a folder of their own, and write what they said and wrote."""
    started = time.monotonic()
    work = place.scratch / "runs" / run.name
    work.mkdir()
    links = {"sample": place.root / "sample_data" / "es-en", "made": place.scratch / "made", "shared": place.shared}
    for name, target in links.items():
        if target is not None:
            (work / name).symlink_to(target)
    environment = place.environment | ({"MTSIG_CACHE": str(work / "cache")} if run.own_cache else {})
    said = [_said(command, place, work, environment) for command in run.commands]
    (folder / f"{run.name}.txt").write_text("".join(said), encoding="utf-8")
    for name in links:
        (work / name).unlink(missing_ok=True)
    _keep(work, folder / run.name, place)
    return run, time.monotonic() - started


def _said(command: str, place: Place, work: Path, environment: Mapping[str, str]) -> str:
    """Run one command and return its line, exit code, stdout and stderr."""
    if command.startswith("PAGE "):
        # The Lab draws some of its fields in the order of a set, another one in every process.
        environment = {**environment, "PYTHONHASHSEED": "0"}
        title, dashes, data = command.removeprefix("PAGE ").partition(" --")
        line = [sys.executable, str(HERE), "page", "--root", str(place.root), title]
        line += ["--", *shlex.split(dashes + data)] if dashes else []
    else:
        line = [sys.executable, "-m", "mtsig", *shlex.split(command)]
    try:
        done = subprocess.run(line, cwd=work, env=environment, capture_output=True, timeout=LONGEST, check=False)
        code, out, err = str(done.returncode), done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, out, err = f"none: ended after {LONGEST} seconds", b"", b""
    texts = [place.plain(one.decode("utf-8", "backslashreplace"), work) for one in (out, err)]
    # Streamlit says with the time of day that it runs without a browser.
    texts[1] = re.sub(r"^.*missing ScriptRunContext!.*\n", "", texts[1], flags=re.MULTILINE)
    texts[1] = re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ ", "", texts[1], flags=re.MULTILINE)
    return f"$ mtsig {command}\n--- exit {code}\n--- stdout\n{texts[0]}\n--- stderr\n{texts[1]}\n"


def _keep(work: Path, kept: Path, place: Place) -> None:
    """Copy what was written, with no paths of this machine in texts."""
    if kept.exists():
        shutil.rmtree(kept)
    for file in sorted(one for one in work.rglob("*") if one.is_file() and "cache" not in one.relative_to(work).parts):
        target = kept / file.relative_to(work)
        target.parent.mkdir(parents=True, exist_ok=True)
        data = file.read_bytes()
        try:
            target.write_bytes(place.plain(data.decode("utf-8"), work).encode())
        except UnicodeDecodeError:
            target.write_bytes(data)
