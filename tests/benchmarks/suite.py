"""What the tests cost: CPU seconds by folder, by file and by test, of whatever they start as well.

A plugin of pytest: `PYTHONPATH=tests/benchmarks MTSIG_COSTS=costs.txt pytest -p suite tests/cli tests/browser` writes a
table for each worker. Seconds of the processor, and not of the clock: other work on the machine changes them less.
A test's seconds are those of its process and of what it started and waited for. What goes on running, servers and
browsers, is looked at after each file, and counted for the file. Linux only.
"""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

MOST = 40
"""How many files, and how many tests, are listed."""

_TICKS = os.sysconf("SC_CLK_TCK")
_collected = 0.0
_tests: Counter[str] = Counter()
_files: Counter[str] = Counter()
_others: dict[int, float] = {}


def own() -> float:
    """Return the CPU seconds of this process and of all children that it has waited for."""
    return sum(os.times()[:4])


def grown() -> float:
    """Return the CPU seconds of all living descendants since the last call.

    Those of one that has ended meanwhile are taken back: all its seconds are among those of the process that waited.
    """
    parents, seconds = {}, {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        pid = int(place.parent.name)
        parents[pid], seconds[pid] = int(fields[1]), sum(map(int, fields[11:15])) / _TICKS
    found, waiting = {}, [os.getpid()]
    while waiting:
        parent = waiting.pop()
        children = [pid for pid, of in parents.items() if of == parent]
        found |= {pid: seconds[pid] for pid in children}
        waiting += children
    more = sum(found.values()) - sum(_others.values())
    _others.clear()
    _others.update(found)
    return more


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Count what it takes to find the tests."""
    global _collected
    begun = own()
    result = yield
    _collected = own() - begun
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Count what a test takes with its fixtures, and after the last of a file what goes on running."""
    begun = own()
    result = yield
    taken = own() - begun
    file = item.nodeid.partition("::")[0]
    _tests[item.nodeid] += taken
    _files[file] += taken
    if nextitem is None or nextitem.path != item.path:
        _files[file] += grown()
    return result


def pytest_sessionfinish() -> None:
    """Write the table."""
    folders: Counter[str] = Counter()
    for file, seconds in _files.items():
        folders[file.rpartition("/")[0]] += seconds
    lines = [f"{own():8.1f} in all, {_collected:.1f} of it to find the tests"]
    for table, most in ((folders, None), (_files, MOST), (_tests, MOST)):
        lines += ["", *(f"{seconds:8.1f} {name}" for name, seconds in table.most_common(most))]
    place = Path(os.environ.get("MTSIG_COSTS", "costs.txt"))
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    (place.with_stem(f"{place.stem}-{worker}") if worker else place).write_text("\n".join([*lines, ""]))
