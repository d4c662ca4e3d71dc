"""Many visitors at one dashboard: does each get his own numbers, and soon, while others upload, count and mean harm?

    python tests/benchmarks/visitors.py
    python tests/benchmarks/visitors.py --visitors 5 --uploads 10

The real server is started and spoken to as browsers do, in Streamlit's protocol over websockets and HTTP, without the
browsers. Of the visitors, all of whom have open tabs at the same time,

- one clicks from page to page of data whose every result is there already; he has a process of his own, and what the
  others' browsers do gives way to it and to the server, since each of them would run on another computer;
- five are hostile: one has TER and METEOR counted on outputs that loop, ever new ones; one drops files that are
  nonsense, asks for the longest experiment, and goes on to something else, or leaves, while it runs; one opens links
  with regular expressions and numbers that take all memory or time of who reads them; one sends files that no page
  asked for, from ever new tabs; one drops data that are as large as they may be (heavy.py), and opens their page;
- all others drop data of the same names and shapes with different texts, and then source texts of 10 MB, each of which
  makes them new data. After every upload the Data page has to show that upload and the Results page the scores that the
  library gives these texts.

Anything else is an error: other numbers, another visitor's text, a page that says so, a connection or a worker lost, a
traceback in the server's log. The program ends with 1 if there is one. Memory is resident memory, of the server before
the visitors came, after one had dropped data and looked at the sample's, and when they have left, once --keep-minutes
and the two minutes that Streamlit keeps the session of a closed tab are over.
"""

import argparse
import http.client
import multiprocessing
import os
import re
import secrets
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.synchronize import Event
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from heavy import KINDS, PAGE_OF, SMALL
from rich.console import Console
from rich.table import Table
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from mtsig import Corpus, measure
from mtsig._memory import closed
from mtsig.metrics import Bleu

ROOT = Path(__file__).resolve().parents[2]

SYSTEMS, SEGMENTS = ("alpha", "beta", "gamma"), 300

KEEP_MINUTES = 0.1
"""Minutes that the server keeps data when their tab is gone."""

ANSWER_SECONDS = 600.0
"""A page that takes longer is an error, however busy the machine is."""

CLICK_SECONDS = 0.5
"""What the 99th percentile of cached clicks is promised to stay below."""

BACK = 1.1
"""How many times the memory before may be resident when all have left."""

PAGES = ("Results", "Compare two", "Planning", "Paper", "Data")

FURTHER = ("Segments", "Lab")
"""Where some of the hostile go, too: what their modules take is no memory of a visitor's data."""

CLICKS, UPLOADS, ANSWERS = "cached clicks", "uploads, read", "first answers"

_MARK = re.compile(rb"upload(\d+)of(\d+)end")
_ROW = re.compile(r'<th scope="row">(\w+)</th><td>([\d.]+) \(')

Files = Mapping[str, bytes]


class Wrong(Exception):
    """A visitor saw what he should not have seen."""


class Left(Exception):
    """The visitor went away while the server was at work."""


class Tally:
    """What all visitors saw: seconds by kind, and errors."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []

    @contextmanager
    def timed(self, kind: str) -> Iterator[None]:
        """Take down how long the work inside takes."""
        began = time.perf_counter()
        yield
        self.seconds[kind].append(time.perf_counter() - began)

    @contextmanager
    def erring(self, name: str) -> Iterator[None]:
        """Take down what goes wrong with a visitor, and end his visit; one who has left saw nothing wrong."""
        try:
            yield
        except Left:
            pass
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1].name
            self.errors.append(f"{name}: {type(error).__name__} in {place}: {error}")


@dataclass(frozen=True)
class Where:
    """Where the server listens, and the token that it wants back with every upload."""

    port: int
    cookie: str


class Server:
    """The dashboard in a process of its own, with its memory and its log."""

    def __init__(self, folder: Path, workers: int | None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        self.log = folder / "log"
        self.peaks = {"server": 0, "workers": 0, "together": 0}
        """Largest resident memory that was seen, in bytes."""
        limits = [f"--keep-minutes={KEEP_MINUTES}", *([] if workers is None else [f"--worker-processes={workers}"])]
        command = [sys.executable, "-m", "mtsig", "dashboard", *limits, "--server.headless=true"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "MTSIG_CACHE": str(folder / "cache")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, f"--server.port={port}"], cwd=folder, stdout=log, stderr=log, env=environment
            )
        self.where = Where(port, self._started(port))

    def _started(self, port: int) -> str:
        """Wait for the server and return the token that it wants back with every upload."""
        for _ in range(600):
            if self.process.poll() is not None:
                break
            with suppress(OSError):
                connection = http.client.HTTPConnection("localhost", port)
                connection.request("GET", "/_stcore/health")
                answer = connection.getresponse()
                answer.read()
                found = re.search(r"_streamlit_xsrf=([^;]+)", answer.getheader("Set-Cookie") or "")
                if found:
                    return found[1]
            time.sleep(0.1)
        self.close()
        raise SystemExit(f"The server did not start:\n{self.log.read_text()}")

    def close(self) -> None:
        """End the server, and with it its workers."""
        self.process.terminate()
        self.process.wait(30)

    @property
    def workers(self) -> list[int]:
        """The processes of the workers."""
        found = []
        for children in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            with suppress(OSError):
                found += [int(child) for child in children.read_text().split()]
        return found

    def look(self) -> None:
        """Take down the memory of this moment, where it is the largest so far."""
        server, workers = resident(self.process.pid), sum(map(resident, self.workers))
        for kind, size in (("server", server), ("workers", workers), ("together", server + workers)):
            self.peaks[kind] = max(self.peaks[kind], size)

    def is_at_rest(self) -> bool:
        """Return whether no worker computes: none takes time of the processor for a moment."""
        before = {child: processor_time(child) for child in self.workers}
        time.sleep(0.3)
        return all(processor_time(child) in {before.get(child), 0} for child in self.workers)

    def complaints(self) -> list[str]:
        """Return what of the log tells of a mistake: the last line of every traceback."""
        text = self.log.read_text(errors="replace")
        found = re.findall(r"^Traceback .*\n(?:[ \t].*\n|\n)*(.*)", text, re.MULTILINE)
        return [f"the server's log: {line}" for line in found]


def resident(process: int) -> int:
    """Return the resident bytes of a process; 0 when it has ended."""
    with suppress(OSError):
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        return int(found[1]) * 1024 if found else 0
    return 0


def processor_time(process: int) -> int:
    """Return the ticks that a process has computed; 0 when it has ended."""
    with suppress(OSError):
        # utime and stime, after the name in parentheses.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    return 0


class Tab:
    """An open tab: what the server last drew in it, and what a visitor may do there.

    goes: when it is set, the visitor leaves whatever is under way.
    """

    def __init__(self, where: Where, goes: Event | threading.Event, **address: str) -> None:
        self._where, self._goes, self._query = where, goes, urlencode(address)
        self._page, self._session = "", ""
        self._pages: dict[str, str] = {}
        self.elements: dict[tuple[int, ...], Element] = {}
        headers = {"Cookie": f"_streamlit_xsrf={where.cookie}"}
        self._left = ExitStack()
        connection = connect(
            f"ws://localhost:{where.port}/_stcore/stream",
            origin=f"http://localhost:{where.port}",  # type: ignore[arg-type]
            subprotocols=["streamlit", where.cookie],  # type: ignore[list-item]
            additional_headers=headers,
            max_size=None,
            open_timeout=60,
            ping_interval=None,  # who does not look at a tab reads no answer to it
        )
        self._socket = self._left.enter_context(connection)
        self._run(BackMsg())

    def close(self) -> None:
        """Close the tab, whatever the server is at."""
        self._left.close()

    def open(self, page: str) -> None:
        """Go to a page by its title."""
        self._page = self._pages[page]
        self._run(BackMsg())

    def look(self, page: str) -> None:
        """Go to a page, where there is one for these data, and back to where they were dropped."""
        if page in self._pages:
            self.open(page)
            self.open("Data")

    def ask(self, **address: str) -> None:
        """Add to the address, as whoever types there does; the next page that is opened reads it."""
        self._query = f"{self._query}&{urlencode(address)}"

    def press(self, label: str, patience: float = ANSWER_SECONDS) -> None:
        """Press a button, and wait for what comes of it, at most so many seconds."""
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id = next(one.button.id for one in self._of("button") if one.button.label == label)
        state.trigger_value = True
        self._run(message, patience)

    def beside(self, **address: str) -> "Tab":
        """Open another tab of the same visitor, by a link."""
        return Tab(self._where, self._goes, **address)

    def drop(self, files: Files) -> None:
        """Drop files on the Data page."""
        places = self._places(files)
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id = next(one.file_uploader.id for one in self._of("file_uploader"))
        for (name, content), urls in zip(files.items(), places, strict=True):
            status = self._put(urls.upload_url, name, content)
            if status != 204:
                raise Wrong(f"the upload of {name} was answered by {status}")
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.name, info.size = urls.file_id, name, len(content)
            info.file_urls.CopyFrom(urls)
        self._run(message)

    def send(self, files: Files) -> list[int]:
        """Send files that no widget asks for; return the status that each was answered with."""
        places = self._places(files)
        return [self._put(urls.upload_url, *file) for urls, file in zip(places, files.items(), strict=True)]

    def announced(self, number: int, size: int) -> int:
        """Announce so many files of a size at once, and send none; return the first answer to it, 0 for none."""
        with ExitStack() as opened:
            asked = {}
            for urls in self._places({f"{place}.bin": b"" for place in range(number)}):
                connection = opened.enter_context(
                    closing(http.client.HTTPConnection("localhost", self._where.port, timeout=ANSWER_SECONDS))
                )
                connection.putrequest("PUT", urls.upload_url)
                form = {"Content-Type": "multipart/form-data; boundary=b", "Content-Length": str(size)}
                for name, value in (self._headers | form).items():
                    connection.putheader(name, value)
                connection.endheaders()
                asked[connection.sock] = connection
            answered, _, _ = select.select(list(asked), [], [], 30)
            return asked[answered[0]].getresponse().status if answered else 0

    @property
    def _headers(self) -> dict[str, str]:
        return {"Cookie": f"_streamlit_xsrf={self._where.cookie}", "X-Xsrftoken": self._where.cookie}

    def _places(self, files: Files) -> Sequence[FileURLs]:
        """Ask where to send files."""
        wanted = BackMsg()
        wanted.file_urls_request.request_id = secrets.token_hex(8)
        wanted.file_urls_request.session_id = self._session
        wanted.file_urls_request.file_names.extend(files)
        self._socket.send(wanted.SerializeToString())
        answer = self._next()
        while answer.WhichOneof("type") != "file_urls_response":
            answer = self._next()
        return answer.file_urls_response.file_urls

    def _put(self, url: str, name: str, content: bytes) -> int:
        """Send a file and return what that is answered with; 0 where the server would not read it to its end."""
        border = secrets.token_hex(16)
        head = f'--{border}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        connection = http.client.HTTPConnection("localhost", self._where.port, timeout=ANSWER_SECONDS)
        headers = {**self._headers, "Content-Type": f"multipart/form-data; boundary={border}"}
        with closing(connection), suppress(ConnectionError):
            connection.request("PUT", url, head.encode() + content + f"\r\n--{border}--\r\n".encode(), headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        return 0

    def _run(self, message: BackMsg, patience: float = ANSWER_SECONDS) -> None:
        """Have the page drawn, and wait for all of it; who has less patience than for an answer goes without it."""
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.query_string = self._query
        message.rerun_script.context_info.url = f"http://localhost:{self._where.port}/"
        self._socket.send(message.SerializeToString())
        ends = time.monotonic() + patience
        while True:
            try:
                told = self._next(ends - time.monotonic())
            except TimeoutError:
                if patience < ANSWER_SECONDS:
                    return
                raise
            match told.WhichOneof("type"):
                case "new_session":
                    self._session = told.new_session.initialize.session_id
                    self._page = told.new_session.page_script_hash
                    self.elements = {}
                case "navigation":
                    self._pages = {page.page_name: page.page_script_hash for page in told.navigation.app_pages}
                    self._page = told.navigation.page_script_hash
                case "page_info_changed":
                    self._query = told.page_info_changed.query_string
                case "delta":
                    path = tuple(told.metadata.delta_path)
                    self.elements.pop(path, None)
                    if told.delta.WhichOneof("type") == "new_element":
                        self.elements[path] = told.delta.new_element
                case "script_finished":
                    # A page that leads on to another, or is drawn once more, ends early.
                    if told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                        break
                    if told.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                        raise Wrong("the page does not compile")
        for one in self._of("exception"):
            raise Wrong(f"a red box: {one.exception.type}: {one.exception.message}")
        for body in self.refusals:
            if "error in mtsig" in body:
                raise Wrong(body)

    def _next(self, patience: float = ANSWER_SECONDS) -> ForwardMsg:
        """Return what the server says next.

        Raises:
            Left: the visitor goes.
            TimeoutError: nothing came for so many seconds.
        """
        ends = time.monotonic() + patience
        while time.monotonic() < ends:
            if self._goes.is_set():
                raise Left
            with suppress(TimeoutError):
                return ForwardMsg.FromString(self._socket.recv(timeout=0.2))  # type: ignore[arg-type]
        raise TimeoutError(f"no answer in {patience:.0f} seconds")

    def _of(self, kind: str) -> list[Element]:
        return [one for one in self.elements.values() if one.WhichOneof("type") == kind]

    @property
    def refusals(self) -> list[str]:
        """What the page says in red."""
        return [one.alert.body for one in self._of("alert") if one.alert.format == Alert.ERROR]

    @property
    def scores(self) -> dict[str, str]:
        """The scores of the Results page, as they stand there."""
        return dict(row for one in self._of("html") for row in _ROW.findall(one.html.body))

    @property
    def marks(self) -> set[tuple[int, int]]:
        """Which uploads of whom the page shows: the number and the visitor."""
        drawn = b"".join(one.SerializeToString() for one in self.elements.values())
        return {(int(number), int(visitor)) for number, visitor in _MARK.findall(drawn)}


class Texts:
    """Data of the same names and shapes for everybody, with what the library finds in them."""

    def __init__(self, visitor: int) -> None:
        rng = np.random.default_rng(visitor)
        words = np.array([f"w{number}" for number in range(5000)])
        reference = [rng.choice(words, rng.integers(8, 30)) for _ in range(SEGMENTS)]
        outputs = {}
        for number, system in enumerate(SYSTEMS):
            # Not twice the same share, so that no two visitors have the same scores.
            share = 0.1 + 0.02 * visitor + 0.05 * number
            outputs[system] = [
                " ".join(np.where(rng.random(len(line)) < share, rng.choice(words, len(line)), line))
                for line in reference
            ]
        references = {"ref": [" ".join(line) for line in reference]}
        self.files = {f"{name}.txt": lines_of(lines) for name, lines in {**references, **outputs}.items()}
        with closed():
            counts = measure(Corpus.of(outputs, references), Bleu())
        self.scores = {name: f"{score:.2f}" for name, score in zip(counts.systems, counts.scores, strict=True)}


def lines_of(lines: Sequence[str]) -> bytes:
    """Return the lines as a file."""
    return "".join(f"{line}\n" for line in lines).encode()


def source(visitor: int, number: int, rest: bytes) -> bytes:
    """Return a source text that says first which upload of whom it is."""
    return f"upload{number}of{visitor}end\n".encode() + rest


def rest_of(megabytes: float) -> bytes:
    """Return all lines of a source text but the first."""
    rng = np.random.default_rng(0)
    line = " ".join(f"s{number}" for number in rng.integers(0, 100_000, int(megabytes * 2**20 / (SEGMENTS - 1) / 7)))
    return lines_of([line] * (SEGMENTS - 1))


def expect(saw: object, expected: object, what: str) -> None:
    """Raise Wrong unless the visitor saw what was expected."""
    if saw != expected:
        raise Wrong(f"{what}: {saw} instead of {expected}")


def bring(tab: Tab, texts: Texts) -> None:
    """Drop the texts and look at their scores."""
    tab.drop(texts.files)
    expect(tab.refusals, [], "after the upload")
    tab.open("Results")
    expect(tab.refusals, [], "on Results")
    expect(tab.scores, texts.scores, "scores")


def upload(tab: Tab, texts: Texts, visitor: int, numbers: Sequence[int], rest: bytes, tally: Tally) -> None:
    """Upload large sources one after the other and look at what they and the scores are."""
    with tally.timed(ANSWERS):
        bring(tab, texts)
    for number in numbers:
        tab.open("Data")
        content = source(visitor, number, rest)
        with tally.timed(ANSWERS):
            with tally.timed(UPLOADS):
                tab.drop({"source.txt": content})
            expect(tab.refusals, [], "after the upload")
            expect(tab.marks, {(number, visitor)}, "uploads on the page")
            tab.open("Results")
        expect(tab.refusals, [], "on Results")
        expect(tab.scores, texts.scores, "scores")


class Clicker:
    """The visitor who clicks, in a process of his own: his computer has nothing to do with the others'."""

    def __init__(self, where: Where) -> None:
        apart = multiprocessing.get_context("spawn")
        self._ready, self._begins, self._away = apart.Event(), apart.Event(), apart.Event()
        self._saw: multiprocessing.Queue[Tally] = apart.Queue()
        work = (where, self._ready, self._begins, self._away, self._saw)
        self._process = apart.Process(target=click, args=work)
        self._process.start()
        self._ready.wait()

    def begin(self) -> None:
        """Have him click."""
        self._begins.set()

    def end(self, tally: Tally) -> None:
        """Send him away, and add what he saw."""
        self._away.set()
        saw = self._saw.get()
        self._process.join()
        tally.seconds.update(saw.seconds)
        tally.errors += saw.errors


def click(where: Where, ready: Event, begins: Event, away: Event, saw: "multiprocessing.Queue[Tally]") -> None:
    """Bring data, and then go round the pages, whose results are all there, until the others are done."""
    tally, texts = Tally(), Texts(0)
    with tally.erring("clicks"), closing(Tab(where, away)) as tab:
        bring(tab, texts)
        for page in PAGES:
            tab.open(page)
        ready.set()
        begins.wait()
        while True:
            for page in PAGES:
                with tally.timed(CLICKS):
                    tab.open(page)
                expect(tab.refusals, [], f"on {page}")
                if page == "Results":
                    expect(tab.scores, texts.scores, "scores")
                time.sleep(0.2)
    ready.set()
    saw.put(tally)


def burden(tab: Tab) -> None:
    """Have costly metrics counted on outputs that loop, ever new ones."""
    tab.ask(metric="TER", more="METEOR")
    number = 0
    while True:
        number += 1
        looping = " ".join(["the", f"w{number}"] * 250)
        reference = " ".join(f"the w{(number + k) % 40}" for k in range(30))
        tab.open("Data")
        tab.drop({"ref.txt": lines_of([reference] * 200)} | {f"{s}.txt": lines_of([looping] * 200) for s in SYSTEMS})
        tab.open("Results")
        expect(set(tab.scores), set(SYSTEMS), "systems that are scored")


NONSENSE: Files = {
    "table.xlsx": b"PK\x03\x04" + bytes(range(256)) * 400,
    "deep.json": b"[" * 100_000,
    "spaces.sgm": b'<seg id="1">a' + b" " * 40_000 + b"b</seg>",
    "ratings.seg.score": b"alpha 1000000000 2\n",
    "bytes.txt": bytes(range(256)) * 4000,
    "![](http://example.org/x.png).txt": b"one\ntwo\n",
}

LONGEST = {"experiment": "calibrate", "calibrate.simulations": "5000", "calibrate.draws": "200000"}


def trouble(tab: Tab) -> None:
    """Drop nonsense, ask for the longest experiment, and go on while it runs."""
    while True:
        tab.drop(NONSENSE)
        tab.press("Forget my data")
        tab.press("Open the sample")
        tab.ask(**LONGEST)
        tab.open("Lab")
        tab.press("Run", patience=5)
        tab.open("Data")
        tab.press("Forget my data")


LINKS: Sequence[tuple[str, Mapping[str, str]]] = (
    ("Segments", {"look_for": "/(?P<x>a)(?P=x){99999999}/"}),
    ("Segments", {"look_for": "/((a{1000}){1000}){1000}/"}),
    ("Segments", {"look_for": "/(a|aa|[^b])+$(?<=x)/"}),
    ("Segments", {"look_for": "/(?R)?a/"}),
    ("Segments", {"look_for": "#1 " * 20_000}),
    ("Results", {"n_resamples": "1e999", "bleu.max_ngram_order": "1e999"}),
    ("Planning", {"effect": "9" * 5000, "comparisons": "1e999"}),
    ("Results", {"metric": "x" * 10**6}),
)
"""Pages, and what a link to them says."""


def links(tab: Tab) -> None:
    """Open hostile links, each in a tab of its own."""
    while True:
        for page, address in LINKS:
            with closing(tab.beside(data="sample", **address)) as opened:
                opened.open(page)


def hoard(tab: Tab) -> None:
    """Send files that no widget of a page has asked for, and keep the tabs open."""
    content = bytes(90 * 2**20)
    with ExitStack() as opened:
        while True:
            other = opened.enter_context(closing(tab.beside()))
            # At once, since a tab that lost a file for lack of room may send another.
            if other.announced(3, len(content)) != 413:
                raise Wrong("one tab may send three files of 90 MB at once")
            other.send({f"{number}.bin": content for number in range(4)})
            time.sleep(1)


def weigh_down(tab: Tab, several: Mapping[str, Files]) -> None:
    """Drop data that cost the server much: a million lines, a thousand texts, a workbook that is inflated, raters."""
    while True:
        for kind, files in several.items():
            tab.drop(files)
            tab.look(PAGE_OF.get(kind, ""))
            tab.press("Forget my data")


HOSTILE: Mapping[str, Callable[[Tab], None]] = {"burden": burden, "trouble": trouble, "links": links, "hoard": hoard}
"""Who means harm, beside one whose heavy data are made before the visitors come."""


def visited(server: Server, visitors: int, uploads: int, megabytes: float, tally: Tally) -> None:
    """Let everybody come, do what he came for, and leave."""
    away = threading.Event()
    stay, open_tabs = threading.Event(), []
    several = [Texts(number) for number in range(visitors - len(HOSTILE))]
    if len({score for texts in several for score in texts.scores.values()}) != len(several) * len(SYSTEMS):
        raise SystemExit("Two visitors would have the same score, and could not be told apart.")
    rest = rest_of(megabytes)

    def visits(name: str, goes: threading.Event, visit: Callable[[Tab], None]) -> threading.Thread:
        def work() -> None:
            with tally.erring(name):
                tab = Tab(server.where, goes)
                open_tabs.append(tab)
                visit(tab)

        thread = threading.Thread(target=work, name=name)
        thread.start()
        return thread

    heavy = {kind: make() for kind, make in KINDS.items()}
    clicker = Clicker(server.where)
    give_way()
    hostile = {**HOSTILE, "heavy": partial(weigh_down, several=heavy)}
    passing = [visits(name, away, visit) for name, visit in hostile.items()]
    time.sleep(1)
    working = [
        visits(
            f"visitor {number}",
            stay,
            lambda tab, n=number: upload(tab, several[n], n, range(n - 1, uploads, len(several) - 1), rest, tally),
        )
        for number in range(1, len(several))
    ]
    clicker.begin()
    for thread in working:
        thread.join()
    away.set()
    clicker.end(tally)
    for thread in passing:
        thread.join()
    for tab in open_tabs:
        tab.close()


def give_way() -> None:
    """Let the server and its workers go first: the other visitors' browsers run on computers of their own."""
    with suppress(AttributeError, OSError):
        os.nice(19)


def until(done: Callable[[], bool], patience: float) -> float | None:
    """Return after how many seconds something is so; None when it is not in time."""
    began = time.monotonic()
    while time.monotonic() - began < patience:
        if done():
            return time.monotonic() - began
        time.sleep(0.2)
    return None


def main() -> None:
    """Let the visitors come and print what they saw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=20, help="tabs, the hostile ones among them (default 20)")
    parser.add_argument("--uploads", type=int, default=200, help="large uploads of all visitors together (default 200)")
    parser.add_argument("--megabytes", type=float, default=10, help="size of a large upload (default 10)")
    parser.add_argument("--workers", type=int, help="workers of the server (default: the server's own)")
    parser.add_argument(
        "--patience", type=float, default=300, help="seconds to wait for memory to come back (default 300)"
    )
    chosen = parser.parse_args()
    least = len(HOSTILE) + 3
    if chosen.visitors < least:
        parser.error(
            f"--visitors: at least {least}, of whom one clicks, {len(HOSTILE) + 1} are hostile and one uploads"
        )
    tally = Tally()
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), chosen.workers)
        try:
            begun = time.monotonic()
            before = warmed(server)
            with watched(server):
                visited(server, chosen.visitors, chosen.uploads, chosen.megabytes, tally)
            took = time.monotonic() - begun
            rested = until(server.is_at_rest, 60)
            left = resident(server.process.pid)
            back = until(lambda: resident(server.process.pid) <= BACK * before, chosen.patience)
            after = resident(server.process.pid)
            if server.process.poll() is not None:
                tally.errors.append(f"the server ended with {server.process.returncode}")
            tally.errors += server.complaints()
        finally:
            server.close()
    console.print(f"{chosen.visitors} visitors, {chosen.uploads} uploads of {chosen.megabytes:g} MB, {took:.0f} s")
    console.print(latencies(tally))
    console.print(memories(server, before, left, after))
    console.print(f"workers at rest {seconds_text(rested)} after the tabs were closed")
    console.print(f"memory of the server within {BACK - 1:.0%} of before: {seconds_text(back)} after that")
    console.print(f"errors: {len(tally.errors)}")
    for error in tally.errors:
        console.print(f"  {error}", markup=False)
    sys.exit(1 if tally.errors else 0)


def seconds_text(seconds: float | None) -> str:
    """Return seconds in words."""
    return "NOT" if seconds is None else f"{seconds:.1f} s"


def warmed(server: Server) -> int:
    """Let one visitor do once what all others do, so that everything is loaded; return the memory that this takes."""
    tab = Tab(server.where, threading.Event())
    bring(tab, Texts(0))
    tab.open("Data")
    tab.press("Forget my data")
    tab.press("Open the sample")
    for page in (*PAGES, *FURTHER):
        tab.open(page)
    for kind, make in SMALL.items():
        tab.open("Data")
        tab.press("Forget my data")
        tab.drop(make())
        tab.open(PAGE_OF[kind])
    tab.close()
    return resident(server.process.pid)


@contextmanager
def watched(server: Server) -> Iterator[None]:
    """Look at the server's memory several times a second."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.25):
            server.look()

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def latencies(tally: Tally) -> Table:
    """Return the table of how long visitors waited."""
    table = Table("seconds", "number", "50 %", "90 %", "99 %", "longest", box=None)
    for kind in (CLICKS, UPLOADS, ANSWERS):
        seconds = tally.seconds[kind]
        if not seconds:
            table.add_row(kind, "0")
            continue
        half, most, nearly_all = np.percentile(seconds, [50, 90, 99])
        kept = ""
        if kind == CLICKS:
            kept = f" ({'≤' if nearly_all <= CLICK_SECONDS else 'MISSES'} {CLICK_SECONDS})"
        table.add_row(
            kind, str(len(seconds)), f"{half:.2f}", f"{most:.2f}", f"{nearly_all:.2f}{kept}", f"{max(seconds):.2f}"
        )
    return table


def memories(server: Server, before: int, left: int, after: int) -> Table:
    """Return the table of the memory that was taken."""
    table = Table("resident memory", "MB", box=None)
    for name, size in (
        ("server, before the visitors", before),
        ("server, at most", server.peaks["server"]),
        ("workers, at most", server.peaks["workers"]),
        ("server and workers, at most", server.peaks["together"]),
        ("server, tabs just closed", left),
        ("server, at the end", after),
    ):
        table.add_row(name, f"{size / 2**20:.0f}")
    return table


if __name__ == "__main__":
    main()
