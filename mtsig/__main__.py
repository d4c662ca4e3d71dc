"""`python -m mtsig` is the command `mtsig`."""

import signal
import sys
import traceback
from contextlib import suppress

FAULT = 70
"""The exit code of an error that nobody foresaw, as sysexits.h has it: 1 is for what a verb found."""


def main() -> int:
    """Run the command and return its exit code, also when it is interrupted before or after it does anything."""
    try:
        from mtsig.cli import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("mtsig: stopped\n")
        return 130
    except BaseException:  # a plugin may raise anything
        with suppress(Exception):  # where nobody can be told, the exit code tells it
            for line in traceback.format_exc().splitlines():
                # A message may hold a name from a file, and nothing that it imports can be relied on here.
                sys.stderr.write(line.encode("unicode_escape").decode("ascii") + "\n")
            sys.stderr.write("mtsig: This is an error in mtsig: there is no result. Please report the lines above.\n")
            sys.stderr.flush()
        return FAULT
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is Python's own end


if __name__ == "__main__":
    raise SystemExit(main())
