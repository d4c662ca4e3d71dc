"""Do one visitor's data stall the others? How long the server answers nobody while large data come in.

    python tests/benchmarks/stalls.py
    python tests/benchmarks/stalls.py lines texts

A visitor drops data of each kind, and opens the page that works out most of them, while the server's health is asked
for twenty times a second and another visitor goes from page to page of data whose results are all there. The kinds are
the heavy ones that `visitors.py` has a hostile visitor drop, and small data, which show what the machine itself takes.

Behind each time stands how many CPU seconds the server itself used meanwhile, at most: on a machine that is shared,
that is what a visitor waits for the server, and the rest is waiting for the machine.
"""

import argparse
import http.client
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from heavy import KINDS, PAGE_OF
from rich.console import Console
from rich.table import Table
from visitors import PAGES, Server, Tab, Texts, bring, processor_time

DROPPED = {"small": lambda: Texts(1).files, **KINDS}

_TICKS = 100
"""Ticks of the processor's time in a second."""


@contextmanager
def measured_delays(work: Callable[[], object], pause: float, process: int) -> Iterator[list[tuple[float, float]]]:
    """Do something again and again meanwhile, and take down each time how long it took, and a process computed."""
    over, delays = threading.Event(), []

    def run() -> None:
        while not over.is_set():
            began, ticks = time.perf_counter(), processor_time(process)
            work()
            delays.append((time.perf_counter() - began, (processor_time(process) - ticks) / _TICKS))
            over.wait(pause)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield delays
    finally:
        over.set()
        thread.join()


def asked_for_health(server: Server) -> None:
    """Ask whether the server lives."""
    connection = http.client.HTTPConnection("localhost", server.where.port, timeout=600)
    connection.request("GET", "/_stcore/health")
    connection.getresponse().read()
    connection.close()


def main() -> None:
    """Drop each kind of data and print how long the others waited."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help=f"kinds of data: {', '.join(DROPPED)} (default: all)")
    chosen = parser.parse_args().kinds or list(DROPPED)
    table = Table("data", "health, longest", "a page, longest", "drop", "server's CPU seconds", box=None)
    for kind in chosen:
        with tempfile.TemporaryDirectory() as folder:
            server, goes = Server(Path(folder), None), threading.Event()
            try:
                other, texts = Tab(server.where, goes), Texts(0)
                bring(other, texts)
                for page in PAGES:
                    other.open(page)
                pages = iter(PAGES * 10_000)
                files, tab = DROPPED[kind](), Tab(server.where, goes)
                before = processor_time(server.process.pid)
                with (
                    measured_delays(lambda: asked_for_health(server), 0.05, server.process.pid) as health,  # noqa: B023
                    measured_delays(lambda: other.open(next(pages)), 0.2, server.process.pid) as clicks,  # noqa: B023
                ):
                    began = time.perf_counter()
                    tab.drop(files)
                    tab.look(PAGE_OF.get(kind, ""))
                    dropped = time.perf_counter() - began
                used = (processor_time(server.process.pid) - before) / _TICKS
            finally:
                server.close()
        waited = (" / ".join(f"{max(of):.2f}" for of in zip(*each, strict=True)) for each in (health, clicks))
        table.add_row(kind, *waited, f"{dropped:.2f}", f"{used:.2f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
