"""Work for the tests of workers; in a module of its own, because a child process has to find it."""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from mtsig.errors import InvalidOption
from mtsig.progress import report


def double(value: Any) -> Any:
    return 2 * value


def fails(said: str) -> None:
    raise InvalidOption(said)


def steps(count: int) -> int:
    for number in range(count):
        report((number + 1) / count)
        time.sleep(0.08)
    return count


def forever() -> None:
    while True:
        time.sleep(0.01)


def busy() -> None:
    while True:
        pass


def fill_memory(size: int) -> int:
    return int(np.ones(size, dtype=np.uint8).sum())


def wait_for(flag: Path) -> None:
    while not flag.exists():
        time.sleep(0.01)


def priority_at(flag: Path) -> int:
    while not flag.exists():
        pass
    return os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else 0
