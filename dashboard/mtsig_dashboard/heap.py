"""The C library's memory: what nobody holds any more goes back to the system.

glibc keeps what is freed, in up to eight heaps for every core that threads take in turns, and the end of a heap other
than the first even `malloc_trim` leaves as it is. A server whose visitors bring tens of megabytes stays as large as it
ever was, with next to nothing in use.
"""

import ctypes
import gc
import os
from contextlib import suppress

# The numbers of the parameters in malloc.h, the same on every system that has glibc.
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8

_LARGE = 2**20
"""Bytes from which a block is mapped by itself, and goes back by itself."""

# Without glibc there is nothing to ask: macOS's library has no such function, and Windows no library of this process.
_NO_GLIBC = (AttributeError, OSError, TypeError)


def settle() -> None:
    """Have one heap for all threads, and large blocks outside of it; to be called before there are threads."""
    # Tables on their way to the browser: Arrow has a heap of its own, which gives back even less.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    with suppress(*_NO_GLIBC):
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)


def give_back() -> None:
    """Collect garbage, and give memory that is free back to the system."""
    # Pages and Streamlit's sessions are full of circles, and only when they are gone do their uploads go.
    gc.collect()
    with suppress(*_NO_GLIBC):
        ctypes.CDLL(None).malloc_trim(0)
