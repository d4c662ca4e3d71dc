"""`python -m mtsig` is the command `mtsig`."""

import gc
import os
import signal
import sys
import traceback
from contextlib import suppress

FAULT = 70
"""The exit code of an error that nobody foresaw, as sysexits.h has it: 1 is for what a verb found."""


LEAST = 400_000_000
"""Bytes of address space: with less, numpy and scipy end the process or never end, and no code of ours is asked."""


def _has_memory() -> bool:
    """Return whether the process may have the memory that libraries need; where it is bounded, let them take it first.

    OpenBLAS takes it for each thread, and where it gets none, ends the process with the code of a regression.
    """
    with suppress(ImportError):  # not every system has resource
        import resource

        limits = {"ulimit -v": resource.RLIMIT_AS, "ulimit -d": resource.RLIMIT_DATA}
        bounds = {how: most for how, kind in limits.items() if (most := resource.getrlimit(kind)[0]) >= 0}
        for how, most in bounds.items():
            if most < LEAST:
                said = f"This process may use {most // 10**6} MB of memory, but mtsig needs {LEAST // 10**6} MB or more"
                sys.stderr.write(f"mtsig: {said}. Raise the limit, as with {how}.\n")
                return False
        if bounds:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            import numpy as np
            from scipy import linalg

            np.linalg.inv(linalg.inv(np.eye(200)))
    return True


def main() -> int:
    """Run the command and return its exit code, also when it is interrupted before or after it does anything."""
    # Libraries make many objects and hardly a circle: to look for one all the time is a tenth of a command's work.
    gc.set_threshold(50_000, *gc.get_threshold()[1:])
    try:
        if not _has_memory():
            return 2
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
        gc.freeze()  # which looks for circles in all that is loaded


if __name__ == "__main__":
    raise SystemExit(main())
