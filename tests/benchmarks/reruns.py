"""What every page costs when it is drawn again with nothing changed, and which functions of the house cost most.

    python tests/benchmarks/reruns.py [FOLDER]

Without a folder: the sample data. CPU milliseconds of the whole script, and of the slowest functions with all that they
call, in a run under cProfile, which slows them. Of the tabs the dearest is open.
"""

import cProfile
import json
import os
import pstats
import sys
import time
from pathlib import Path
from typing import Any

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("data", "results", "compare", "matrix", "planning", "paper", "lab")
TAB = "Every test"
"""The tab of the Compare page that is open."""
REPEATS = 5
SLOW = 0.020
"""Seconds: functions that take longer are named."""

spent: list[float] = []
"""CPU seconds of every run of the script, without what the harness adds."""

profiles: list[cProfile.Profile] = []
"""The profile that is to be filled, if any."""

_plain_run = ScriptRunner._run_script


def _timed_run(runner: ScriptRunner, data: Any) -> None:
    """Run the script in its thread, timed and under the profile."""
    began = time.thread_time()
    for profile in profiles:
        profile.enable()
    try:
        _plain_run(runner, data)
    finally:
        for profile in profiles:
            profile.disable()
        spent.append(time.thread_time() - began)


def drawn(folder: str | None) -> AppTest:
    """Return the app with data in it."""
    os.environ["MTSIG_INPUT"] = json.dumps(["--data", folder] if folder else [])
    at = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=600).run()
    if not folder:
        at.button[0].click().run()
    at.session_state["tab"] = TAB
    return at


def main(arguments: list[str]) -> None:
    """Print a line for every page, and below it the functions that are slow."""
    ScriptRunner._run_script = _timed_run  # type: ignore[method-assign]
    at = drawn(arguments[0] if arguments else None)
    for page in PAGES:
        spent.clear()
        at.switch_page(f"app_pages/{page}.py").run()
        if at.exception:
            raise SystemExit(f"{page}: {at.exception[0].value}")
        first = sum(spent)
        at.run()
        spent.clear()
        for _ in range(REPEATS):
            at.run()
        print(f"{page:12} first {1000 * first:7.0f} ms, again {1000 * min(spent):6.0f} ms", flush=True)
        profiles.append(cProfile.Profile())
        at.run()
        _print_slow(profiles.pop())


def _print_slow(profile: cProfile.Profile) -> None:
    """Print the functions of the house that take long."""
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, Any]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, own, total, _) in sorted(stats.items(), key=lambda item: -item[1][3]):
        if total > SLOW and str(ROOT) in file:
            place = f"{Path(file).relative_to(ROOT)}:{line} {name}"
            print(f"    {1000 * total:6.0f} ms, {1000 * own:5.0f} own, {calls:5} calls  {place}")


if __name__ == "__main__":
    main(sys.argv[1:])
