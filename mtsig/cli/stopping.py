"""Stopping: a program goes in, its exit code comes out, also where somebody has interrupted it."""

import signal
import sys
from collections.abc import Callable


def until_stopped(run: Callable[[], int]) -> int:
    """Run a program and return its exit code, 130 when it is interrupted; `run` loads what it needs by itself.

    To be called once, at the end of a process: it lets nothing interrupt what is left.

    >>> from mtsig.cli import until_stopped
    >>> before = signal.getsignal(signal.SIGINT)
    >>> until_stopped(lambda: 2)
    2
    >>> _ = signal.signal(signal.SIGINT, before)  # an example is not the end
    """
    try:
        return run()
    except KeyboardInterrupt:
        sys.stderr.write("mtsig: stopped\n")
        return 130
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is Python's own end
