"""Processes that share the work: how many are asked for goes in, an executor comes out."""

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context

from mtsig.errors import InvalidOption


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the number of processes that share the work."""
    parser.add_argument("--workers", metavar="N", help="processes that share the work (default: 1)")


@contextmanager
def workers(chosen: argparse.Namespace) -> Iterator[Executor | None]:
    """Yield an executor of so many processes, or None for this one.

    Raises:
        InvalidOption: it is no number from 1.
    """
    text = "1" if chosen.workers is None else chosen.workers
    if not text.isdecimal() or len(text) > 4 or int(text) < 1:
        raise InvalidOption(f"--workers takes a number from 1; found {text!r}.")
    count = int(text)
    # Spawned, not forked: a fork in a process that runs threads of a linear-algebra library may hang.
    pool = nullcontext() if count == 1 else ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    with pool as executor:
        yield executor
