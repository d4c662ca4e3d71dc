"""What every page costs when it is drawn again with nothing changed, and which functions of the house cost most.

    python tests/benchmarks/reruns.py [FOLDER]
    python tests/benchmarks/reruns.py --table [FOLDER]
    python tests/benchmarks/reruns.py --segments [10000 [100000 …]]

Without a folder: the sample data, and made ones for the pages Trust and Test sets. CPU milliseconds of the whole
script, and of the slowest functions with all that they call, in a run under cProfile, which slows them. Of the tabs of
Compare two the dearest is open, of those of Trust each in its turn.

--table: CPU seconds of what a visitor does, of the script and of its workers, with counts cold and all folds closed,
and how many times those of ten million additions, done just before each step, they are: quote these ratios, as machines
differ, and one that is busy takes more CPU seconds for the same work. Without a folder: 16 made systems of 3,000
segments in 150 documents.

--segments: the same of the Segments page, on two made systems of so many segments in documents of twenty.
"""

import cProfile
import json
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("data", "results", "compare", "segments", "planning", "paper", "lab", "learn")
"""The pages of one test set that nobody has rated."""
TRUST_TABS = ("Verdicts", "Several together", "What a difference means", "Blind spots", "Raters")
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


def drawn(arguments: Sequence[str]) -> AppTest:
    """Return the app with the data of a command line in it; without any, with the sample."""
    os.environ["MTSIG_INPUT"] = json.dumps(arguments)
    at = AppTest.from_file(str(ROOT / "dashboard" / "mtsig_dashboard" / "app.py"), default_timeout=600)
    if not arguments:
        at.query_params["data"] = "sample"
    at.run()
    at.session_state["tab"] = TAB
    at.query_params["lesson"] = "1"
    return at


SYSTEMS, SEGMENTS, DOCUMENTS = 16, 3000, 150


def made(folder: Path, systems: int = SYSTEMS, segments: int = SEGMENTS, documents: int = DOCUMENTS) -> str:
    """Write noisy copies of random sentences with words as unequally frequent as real ones; one in 50 is a number."""
    rng = np.random.default_rng(1)
    letters = str.maketrans("0123456789", "abcdefghij")
    words = np.array([str(i) if i % 50 == 49 else f"w{i}".translate(letters) for i in range(20_000)])
    share = 1 / np.arange(1, len(words) + 1)
    share /= share.sum()
    reference = [rng.choice(words, rng.integers(5, 45), p=share) for _ in range(segments)]

    def write(name: str, lines: list[str]) -> None:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    write("refs/refA.txt", [" ".join(line) for line in reference])
    write("docids.txt", [f"d{i * documents // segments}" for i in range(segments)])
    for system in range(systems):
        noisy = [np.where(rng.random(len(s)) < 0.25 + 0.004 * system, rng.choice(words, len(s)), s) for s in reference]
        write(f"systems/sys{system:02}.txt", [" ".join(line) for line in noisy])
    return str(folder)


def rated(folder: Path, systems: int = 8, segments: int = 200, raters: int = 6) -> str:
    """Write made systems, scores that a metric gives their segments, and what raters give every second of them."""
    made(folder, systems, segments, segments // 10)
    rng = np.random.default_rng(2)
    people, scores = [], ["system\tseg_id\tCOMET"]
    for system in range(systems):
        for segment in range(segments):
            quality = 70 - system + 10 * rng.normal()
            scores.append(f"sys{system:02}\t{segment + 1}\t{quality / 100:.4f}")
            who = rng.choice(raters, 2, replace=False) if segment % 2 else []
            people += [
                f"rater{rater},sys{system:02},{segment},TGT,eng,deu,{quality + rater + 5 * rng.normal():.1f},"
                f"d{segment * (segments // 10) // segments},False,[],1.0,2.0"
                for rater in who
            ]
    (folder / "comet.tsv").write_text("\n".join(scores) + "\n", encoding="utf-8")
    (folder / "esa.csv").write_text("\n".join(people) + "\n", encoding="utf-8")
    return str(folder)


def several(folder: Path, sets: int = 4) -> list[str]:
    """Write made test sets."""
    return [made(folder / f"set{number}", 6, 300, 30) for number in range(sets)]


def used() -> float:
    """Return the CPU seconds of this process and of the workers that it has."""
    found = time.process_time()
    for child in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        for process in child.read_text().split():
            # utime and stime, after the name in parentheses.
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def step(name: str, work: Callable[[], AppTest]) -> AppTest:
    """Print what a step of a visitor costs."""
    unit = additions()
    began = used()
    at = work()
    if at.exception:
        raise SystemExit(f"{name}: {at.exception[0].value}")
    if at.error:
        raise SystemExit(f"{name}: {at.error[0].value}")
    taken = used() - began
    print(f"{name:40} {taken:6.2f} s, {taken / unit:5.2f} times the additions", flush=True)
    return at


def additions() -> float:
    """Return the CPU seconds of ten million additions."""
    began = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - began


def print_segments(segments: int) -> None:
    """Print what reading segments costs."""
    print(f"{segments:,} segments")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MTSIG_CACHE"] = f"{folder}/cache"
        os.environ["MTSIG_INPUT"] = json.dumps(["--data", made(Path(folder) / "data", 2, segments, segments // 20)])
        at = AppTest.from_file(str(ROOT / "dashboard" / "mtsig_dashboard" / "app.py"), default_timeout=900).run()
        at.switch_page("app_pages/compare.py").run()
        at = step("first opening, verdict seen before", lambda: at.switch_page("app_pages/segments.py").run())
        at = step("nothing changed", lambda: at.run())
        at = step("another order", lambda: at.selectbox(key="sort").select("absolute").run())
        at = step("filter", lambda: at.selectbox(key="side").select("second").run())
        at = step("search for a text", lambda: at.text_input(key="look_for").set_value("wbc wd").run())
        step("search by a regular expression", lambda: at.text_input(key="look_for").set_value("/wb[a-j] wd/").run())


def print_table(folder: str) -> None:
    """Print what a visitor's steps cost."""
    print(f"{'ten million additions':40} {additions():6.2f} s", flush=True)

    def to(at: AppTest, page: str) -> Callable[[], AppTest]:
        return lambda: at.switch_page(f"app_pages/{page}.py").run()

    def metrics(at: AppTest, *names: str) -> Callable[[], AppTest]:
        chooser = next(one for one in at.get("button_group") if one.key == "metric")
        return lambda: chooser.set_value(list(names)).run()

    os.environ["MTSIG_INPUT"] = json.dumps(["--data", folder])
    at = AppTest.from_file(str(ROOT / "dashboard" / "mtsig_dashboard" / "app.py"), default_timeout=600)
    # Not the home page: of data that are there, that is Results.
    at = step("data read, first page", to(at, "data"))
    at = step("first Results, BLEU, counts cold", to(at, "results"))
    at = step("nothing changed", lambda: at.run())
    at = step("chrF2 for the first time", metrics(at, "chrf"))
    at = step("switch to a metric seen before", metrics(at, "bleu"))
    at = step("correction changed", lambda: at.selectbox(key="correction").set_value("bonferroni").run())
    at = step("level changed", lambda: _level(at))
    at = step("another test", lambda: at.selectbox(key="test").set_value("ar").run())
    at = step("cell to pair", to(at, "compare"))
    at.session_state["tab"] = at.query_params["tab"] = TAB
    step("audit opened", lambda: at.run())


def _level(at: AppTest) -> AppTest:
    """Set the level, which pages of before showed as a share."""
    level = at.number_input(key="level")
    return level.set_value(90.0 if level.max > 1 else 0.9).run()


def start_seconds() -> float:
    """Return the CPU seconds of a process that loads all that the first page needs."""
    work = "import streamlit, mtsig_dashboard.compute, mtsig_dashboard.parts.bar, time; print(time.process_time())"
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=True, cwd=ROOT)
    return float(done.stdout.split()[-1])


def main(arguments: list[str]) -> None:
    """Print a line for every page, and below it the functions that are slow; or the table."""
    if arguments[:1] == ["--segments"]:
        for segments in arguments[1:] or ["10000"]:
            print_segments(int(segments))
        return
    if arguments[:1] == ["--table"]:
        with tempfile.TemporaryDirectory() as folder:
            # No counts of earlier runs.
            os.environ["MTSIG_CACHE"] = f"{folder}/cache"
            print(f"{'loading':40} {start_seconds():6.2f} s")
            print_table(arguments[1] if len(arguments) > 1 else made(Path(folder)))
        return
    ScriptRunner._run_script = _timed_run  # type: ignore[method-assign]
    at = drawn(["--data", arguments[0]] if arguments else [])
    for page in PAGES:
        print_page(at, page, page)
    with tempfile.TemporaryDirectory() as folder:
        at = drawn(["--data", rated(Path(folder) / "rated")])
        for tab in TRUST_TABS:
            at.session_state["trust_tab"] = at.query_params["trust_tab"] = tab
            print_page(at, "trust", f"trust, {tab}")
        print_page(drawn(["--set", *several(Path(folder))]), "test_sets", "test_sets")


def print_page(at: AppTest, page: str, name: str) -> None:
    """Print what a page costs for the first time and again, and below it the functions that are slow."""
    spent.clear()
    at.switch_page(f"app_pages/{page}.py").run()
    if at.exception or at.error:
        raise SystemExit(f"{name}: {(at.exception or at.error)[0].value}")
    first = sum(spent)
    at.run()
    spent.clear()
    for _ in range(REPEATS):
        at.run()
    print(f"{name:32} first {1000 * first:7.0f} ms, again {1000 * min(spent):6.0f} ms", flush=True)
    profiles.append(cProfile.Profile())
    at.run()
    _print_slow(profiles.pop())


def _print_slow(profile: cProfile.Profile) -> None:
    """Print the functions of the house that take long."""
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, Any]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, own, total, _) in sorted(stats.items(), key=lambda item: -item[1][3]):
        if total > SLOW and str(ROOT) in file and ".venv" not in file:
            place = f"{Path(file).relative_to(ROOT)}:{line} {name}"
            print(f"    {1000 * total:6.0f} ms, {1000 * own:5.0f} own, {calls:5} calls  {place}")


if __name__ == "__main__":
    main(sys.argv[1:])
