"""What this process may use of the machine: processors and bytes of memory, as its container or the system says."""

import os
from pathlib import Path

CONTAINER = Path("/sys/fs/cgroup")
"""Where Linux tells a container its limits; elsewhere there is no such folder."""


def processors() -> int:
    """Return how many processors this process may keep busy: at least 1.

    A container on a large host sees all of the host's, and is slowed down when it uses more than its own.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _said("cpu.max").partition(" ")
    if not period:  # older systems
        quota, period = _said("cpu/cpu.cfs_quota_us"), _said("cpu/cpu.cfs_period_us")
    if quota.isdecimal() and period.isdecimal() and int(period):
        usable = min(usable, -(-int(quota) // int(period)))
    return max(1, usable)


def memory() -> int:
    """Return how many bytes of memory this process may take, as far as that is known, else 8 GB.

    >>> from mtsig.cli import memory
    >>> memory() // 2**30 >= 1
    True
    """
    known = [int(said) for said in map(_said, ("memory.max", "memory/memory.limit_in_bytes")) if said.isdecimal()]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        known.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min((limit for limit in known if limit > 0), default=8 * 2**30)


def _said(name: str) -> str:
    try:
        return (CONTAINER / name).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
