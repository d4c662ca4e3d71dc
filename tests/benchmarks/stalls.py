"""Do one visitor's data stall the others? How long the server answers nobody while large data come in.

    python tests/benchmarks/stalls.py
    python tests/benchmarks/stalls.py lines texts

Of each kind of data, a visitor drops them, while the server's health is asked for twenty
times a second and another visitor goes from page to page of data whose results are all there. The kinds are the heavy
ones that `visitors.py` has a hostile visitor drop.
"""

import argparse
import gzip
import http.client
import io
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from visitors import PAGES, Server, Tab, Texts, bring, processor_time

Files = Mapping[str, bytes]

_TICKS = 100
"""Ticks of the processor's time in a second."""


def many_lines(megabytes: float = 37) -> Files:
    """Return three packed files of so many bytes together, of lines of which no two are the same."""
    rng, lines = np.random.default_rng(0), int(megabytes * 2**20 / 3 / 8.8)
    return {
        f"{name}.txt.gz": gzip.compress(
            "\n".join(f"{number:x} {word:x}" for number, word in enumerate(rng.integers(0, 2**32, lines))).encode(), 1
        )
        for name in ("ref", "alpha", "beta")
    }


def many_texts(texts: int = 990) -> Files:
    """Return an archive of so many texts of a hundred short lines, all of them systems but one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(texts + 1):
            archive.writestr("ref.txt" if number == texts else f"sys{number}.txt", "a b c\n" * 100)
    return {"many.zip": packed.getvalue()}


def inflated_workbook(megabytes: int = 300) -> Files:
    """Return a workbook of which one part is so large when it is unpacked."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", '<workbook><sheets><sheet name="a" sheetId="1"/></sheets></workbook>')
        archive.writestr(
            "xl/sharedStrings.xml", b"<sst>" + b"<si><t>a</t></si>" * (megabytes * 2**20 // 17) + b"</sst>"
        )
    return {"book.xlsx": packed.getvalue()}


KINDS: Mapping[str, Callable[[], Files]] = {
    "lines": many_lines,
    "texts": many_texts,
    "workbook": inflated_workbook,
}


@contextmanager
def measured_delays(work: Callable[[], object], pause: float) -> Iterator[list[float]]:
    """Do something again and again meanwhile, and take down how long it took each time."""
    over, delays = threading.Event(), []

    def run() -> None:
        while not over.is_set():
            began = time.perf_counter()
            work()
            delays.append(time.perf_counter() - began)
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
    parser.add_argument("kinds", nargs="*", help=f"kinds of data: {', '.join(KINDS)} (default: all)")
    chosen = parser.parse_args().kinds or list(KINDS)
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
                files, tab = KINDS[kind](), Tab(server.where, goes)
                before = processor_time(server.process.pid)
                with (
                    measured_delays(lambda: asked_for_health(server), 0.05) as health,  # noqa: B023 (done in this loop)
                    measured_delays(lambda: other.open(next(pages)), 0.2) as clicks,  # noqa: B023
                ):
                    began = time.perf_counter()
                    tab.drop(files)
                    dropped = time.perf_counter() - began
                used = (processor_time(server.process.pid) - before) / _TICKS
            finally:
                server.close()
        table.add_row(kind, *(f"{each:.2f}" for each in (max(health), max(clicks), dropped, used)))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
