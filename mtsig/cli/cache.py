"""`mtsig cache`: where counts and scores are kept between runs, how much that is, and away with it."""

import argparse
import sys
from collections.abc import Sequence

from mtsig.cache import ROOMS, users_cache, users_folder


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("--clear", action="store_true", help="remove all of it")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    folder = users_folder()
    if folder is None:
        sys.stdout.write("Nothing is kept: MTSIG_CACHE is off.\n")
        return 0
    sys.stdout.write(f"{folder}\n")
    for room in ROOMS:
        cache = users_cache(room)
        if cache is None:
            continue
        files, size = cache.size()
        if chosen.clear:
            cache.clear()
        removed = " removed" if chosen.clear else f" of at most {_megabytes(cache.most_bytes)}"
        sys.stdout.write(f"{room}: {files} entries, {_megabytes(size)}{removed}\n")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
