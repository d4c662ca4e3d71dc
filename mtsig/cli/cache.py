"""`mtsig cache`: where counts are kept between runs, how much that is, and away with it."""

import argparse
import os
from collections.abc import Sequence

from mtsig.cache import ROOMS, users_cache, users_folder
from mtsig.cache import checked_folder as checked_folder  # shown by the face, for pages that keep files
from mtsig.cache import claim as claim
from mtsig.cli.say import say

EXAMPLES = {
    "mtsig cache": "where it is, and how large",
    "mtsig cache --clear": "away with it",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("--clear", action="store_true", help="remove all of it")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    folder = users_folder()
    if folder is None:
        why = "MTSIG_CACHE is off" if os.environ.get("MTSIG_CACHE") else "there is no home folder"
        say(f"Nothing is kept: {why}.")
        return 0
    say(str(folder))
    for room in ROOMS:
        cache = users_cache(room)
        if cache is None:
            continue
        files, size = cache.size()
        if chosen.clear:
            cache.clear()
        removed = " removed" if chosen.clear else f" of at most {_megabytes(cache.most_bytes)}"
        say(f"{room}: {files} entries, {_megabytes(size)}{removed}")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
