"""`python -m mtsig` is the command `mtsig`."""

import signal
import sys
from collections.abc import Callable


def until_stopped(run: Callable[[], int]) -> int:
    """Run a program and return its exit code, also when it is interrupted before or after it does anything."""
    try:
        return run()
    except KeyboardInterrupt:
        sys.stderr.write("mtsig: stopped\n")
        return 130
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is Python's own end


def _run() -> int:
    from mtsig.cli import main as run

    return run()


def main() -> int:
    """Run the command and return its exit code."""
    return until_stopped(_run)


if __name__ == "__main__":
    raise SystemExit(main())
