"""Child processes with a limit of memory and of the processor's time: to reach one is the failure."""

import subprocess
import sys
from pathlib import Path

from made import ROOT

GB = 10**9

_BEGIN = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
"""


def limited(
    code: str, *arguments: object, memory: float = 1.5 * GB, seconds: int = 20, folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run Python code in a child with these bytes of address space and seconds of the processor."""
    begin = _BEGIN.format(memory=int(memory), seconds=seconds)
    return subprocess.run(
        [sys.executable, "-c", begin + code, *map(str, arguments)],
        cwd=folder or ROOT,
        env=None,
        capture_output=True,
        text=True,
        check=False,
    )


def mtsig(
    *arguments: object, memory: float = 1.5 * GB, seconds: int = 20, folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run the command in such a child."""
    code = "from mtsig.__main__ import main\nraise SystemExit(main())"
    return limited(code, *arguments, memory=memory, seconds=seconds, folder=folder)
