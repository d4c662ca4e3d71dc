"""What strangers send: connections that ask nothing, guesses without bodies, files that no page asked for."""

import asyncio
import socket
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from encodings.aliases import aliases
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from mtsig_dashboard.serving import _connections as connections
from mtsig_dashboard.serving import _door as gate
from mtsig_dashboard.serving import _uploads as uploads
from mtsig_dashboard.serving._door import ALWAYS, COOKIE, Gate
from mtsig_dashboard.serving._uploads import MOST_BYTES, Uploads
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from uvicorn.server import ServerState

from mtsig.cli._dashboard import Serving, VisitorLimits, serving_arguments, serving_from
from mtsig.errors import InvalidOption

PASSWORD = "correct horse & battery"

# --- the gate: what is counted, and what every answer says ------------------------------------------------------------


class Visit:
    """A request to an app that may send its body late, and what it was answered."""

    def __init__(
        self, app: Any, method: str = "GET", path: str = "/", client: str = "10.0.0.9", **headers: str
    ) -> None:
        named = {"host": "localhost", **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.scope = {
            "type": "http", "method": method, "path": path, "client": (client, 1), "server": ("10.0.0.5", 8501),
            "scheme": "http", "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        }  # fmt: skip
        self.body: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.told: list[Any] = []
        self.task = asyncio.create_task(app(self.scope, self.body.get, self._send))

    async def _send(self, message: Any) -> None:
        self.told.append(message)

    async def answered(self, body: bytes = b"") -> int:
        self.body.put_nowait({"type": "http.request", "body": body})
        await self.task
        return self.status

    @property
    def status(self) -> int:
        return int(self.told[0]["status"]) if self.told else 0

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode().lower(): value.decode() for name, value in self.told[0]["headers"]}


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["path"] == "/mistake":
        raise ZeroDivisionError
    await PlainTextResponse("app")(scope, receive, send)


def test_guesses_count_before_their_bodies_come() -> None:
    async def many() -> list[int]:
        shared = Gate(app, Serving(password=PASSWORD))
        visits = [Visit(shared, "POST") for _ in range(400)]
        await asyncio.sleep(0)
        assert [visit.status for visit in visits[gate.WRONG_PER_ADDRESS :]] == [429] * 390
        return [await visit.answered(b"password=guess") for visit in visits[: gate.WRONG_PER_ADDRESS]]

    assert asyncio.run(many()) == [401] * gate.WRONG_PER_ADDRESS


def test_the_right_password_is_no_guess() -> None:
    async def often() -> list[int]:
        shared = Gate(app, Serving(password=PASSWORD))
        right = b"password=correct+horse+%26+battery"
        statuses = [await Visit(shared, "POST").answered(right) for _ in range(3 * gate.WRONG_PER_ADDRESS)]
        assert not shared.wrong
        return statuses

    assert set(asyncio.run(often())) == {303}


def test_a_form_that_does_not_come_is_a_wrong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "FORM_SECONDS", 0.01)

    async def silent() -> int:
        visit = Visit(Gate(app, Serving(password=PASSWORD)), "POST")
        await visit.task
        return visit.status

    assert asyncio.run(silent()) == 401


HEALTHY_LOOKING = ["/x/_stcore/health", "//_stcore/health", "/_stcore/health/", "/media/_stcore/health",
                   "/_STCORE/health", "/_stcore/upload_file/_stcore/health", "/_stcore//health"]  # fmt: skip


@pytest.mark.parametrize("path", HEALTHY_LOOKING)
def test_only_the_servers_health_itself_needs_no_password(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(path: str, method: str = "GET") -> int:
        return await Visit(Gate(app, Serving(password=PASSWORD)), method, path).answered()

    assert asyncio.run(ask(path)) == 401
    assert asyncio.run(ask("/_stcore/health", "PUT")) == 401
    assert asyncio.run(ask("/_stcore/health")) == 200
    monkeypatch.setattr(gate.config, "get_option", lambda _: "/lab/mt/")
    assert asyncio.run(ask("/lab/mt/_stcore/health")) == 200
    assert asyncio.run(ask("/_stcore/health")) == 401


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {}, 401), ("POST", "/", {}, 401), ("GET", "/", {"cookie": f"{COOKIE}=known"}, 200),
        ("GET", "/_stcore/health", {}, 200), ("GET", "/_stcore/metrics", {}, 404), ("GET", "/", {"host": "evil"}, 421),
        ("POST", "/", {"origin": "http://evil"}, 403), ("GET", "/mistake", {"cookie": f"{COOKIE}=known"}, 500),
    ],
)  # fmt: skip
def test_every_answer_says_who_may_frame_it(method: str, path: str, headers: dict[str, str], status: int) -> None:
    async def asked() -> Visit:
        shared = Gate(app, Serving(password=PASSWORD, frames=("https://lab.example.org",)))
        shared.sessions["known"] = float("inf")
        visit = Visit(shared, method, path, **headers)
        visit.body.put_nowait({"type": "http.request", "body": b""})
        await asyncio.wait([visit.task])
        assert isinstance(visit.task.exception(), ZeroDivisionError if status == 500 else type(None))
        return visit

    visit = asyncio.run(asked())
    assert visit.status == status
    assert visit.headers["content-security-policy"].split("; ")[-1] == "frame-ancestors 'self' https://lab.example.org"
    assert {name.lower(): value for name, value in ALWAYS.items()}.items() <= visit.headers.items()
    assert visit.headers["x-content-type-options"] == "nosniff"
    assert visit.headers["referrer-policy"] == "same-origin"


def test_who_may_frame_is_named_by_an_option_or_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    found, rest = serving_from(["--frame-ancestors", "https://a.org", "http://*.b.org:80", "--server.port=1"])
    assert (found.frames, rest) == (("https://a.org", "http://*.b.org:80"), ["--server.port=1"])
    monkeypatch.setenv("MTSIG_FRAME_ANCESTORS", "https://c.org https://d.org")
    assert serving_from([])[0].frames == ("https://c.org", "https://d.org")
    assert serving_from(["--frame-ancestors", "https://a.org"])[0].frames == ("https://a.org",)
    chosen = SimpleNamespace(
        share=None, password_file=None, behind_proxy=None, address=None, port=None, frame_ancestors=["https://a.org"]
    )
    assert serving_from(serving_arguments(chosen))[0].frames == ("https://a.org",)  # type: ignore[arg-type]


@pytest.mark.parametrize("origin", ["*", "a.org", "https://a.org/x", "https://a.org; script-src *", "'self'", "data:", "https://",
                                    "https://a.org\nX: y", "https://a..org"])  # fmt: skip
def test_what_is_no_origin_frames_nothing(origin: str) -> None:
    with pytest.raises(InvalidOption, match="is not an origin"):
        serving_from(["--frame-ancestors", origin])


# --- connections ------------------------------------------------------------------------------------------------------


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with the connections of the dashboard, of which few may wait, and not for long."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(connections, "MOST_WAITING", 20)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        if scope["path"] == "/slow":
            await asyncio.sleep(2.5)
        await PlainTextResponse("here")(scope, receive, send)

    server = uvicorn.Server(uvicorn.Config(slow, http=connections.Connection, lifespan="off", log_level="critical"))
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()
    assert not connections._waiting


def sent(port: int, text: str, own: str = "127.0.0.1") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(own, 0))
    connection.sendall(text.encode())
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Return whether the server has closed it; waits until it does."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionError:
        return True
    return True


HALF = "GET / HTTP/1.1\r\nHost: localhost\r\n"


BEGUN = ["", "G", HALF, HALF + "X: " + "y" * 1000, HALF + "\r\n", HALF + "\r\n" + HALF,
         "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1"]  # fmt: skip


def test_a_request_that_does_not_come_is_not_waited_for(port: int) -> None:
    with ExitStack() as opened:  # all at once: each is waited for as long as the others
        for connection in [opened.enter_context(closing(sent(port, begun))) for begun in BEGUN]:
            assert is_closed(connection)  # recv would time out, and raise, were it left open


def test_one_whose_answer_takes_longer_than_a_head_may_is_answered(port: int) -> None:
    with closing(sent(port, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")) as connection:
        assert b"200 OK" in connection.recv(4096)


def test_many_that_wait_make_the_oldest_go_and_nobody_else_wait(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 60.0)
    with ExitStack() as opened:
        waiting = [opened.enter_context(closing(sent(port, HALF))) for _ in range(100)]
        for connection in waiting[:80]:
            assert is_closed(connection)
        with closing(sent(port, HALF + "\r\n")) as honest:
            assert b"200 OK" in honest.recv(4096)


@pytest.mark.skipif(sys.platform != "linux", reason="has no addresses but one of its own")
def test_whoever_has_most_that_wait_gives_way(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 60.0)
    with ExitStack() as opened:
        honest = opened.enter_context(closing(sent(port, HALF, "127.0.0.2")))
        waiting = [opened.enter_context(closing(sent(port, HALF, "127.0.0.3"))) for _ in range(60)]
        for connection in waiting[:40]:
            assert is_closed(connection)
        honest.sendall(b"\r\n")
        assert b"200 OK" in honest.recv(4096)


def frame(kind: int, data: bytes = b"", *, is_last: bool = True) -> bytes:
    """Return a frame of a websocket, as a browser masks it."""
    return bytes([kind | (0x80 if is_last else 0), 0x80 | len(data)]) + bytes(4) + data


CONTINUED, TEXT, BINARY, PING, PONG = 0, 1, 2, 9, 10

UPGRADE = (
    b"GET /_stcore/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)

FLOODS = {
    "pings": frame(PING) * 20_000, "pongs": frame(PONG) * 20_000, "messages": frame(BINARY) * 20_000,
    "pieces of a message": frame(BINARY, is_last=False) + frame(CONTINUED, b"x", is_last=False) * 20_000,
    "empty pieces": frame(BINARY, is_last=False) + frame(CONTINUED, is_last=False) * 20_000,
    "a text": frame(TEXT, b"hi"), "no text": frame(TEXT, b"\xff"),
}  # fmt: skip


@pytest.mark.parametrize("name", FLOODS)
def test_who_sends_what_no_browser_does_is_heard_no_longer(name: str, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as tab:
        tab.sendall(UPGRADE)
        assert b" 101 " in tab.recv(4096)
        with suppress(ConnectionError):
            tab.sendall(FLOODS[name])
        assert is_closed(tab)
    with sent(port, HALF + "\r\n") as honest:
        assert b"200 OK" in honest.recv(4096)


class Wire:
    """What a tab's connection writes to, and what it wrote."""

    def __init__(self) -> None:
        self.wrote, self.is_open = bytearray(), True

    def write(self, data: bytes) -> None:
        self.wrote += data

    def abort(self) -> None:
        self.is_open = False

    def is_closing(self) -> bool:
        return not self.is_open

    def get_extra_info(self, name: str) -> Any:
        return ("127.0.0.1", 1) if name in {"peername", "sockname"} else None

    def ignore(self) -> None:
        """Take the connection's other orders, of which nothing follows here."""

    pause_reading = resume_reading = close = ignore


async def opened(app: Any) -> tuple[connections.Tab, Wire]:
    config, wire = uvicorn.Config(app, lifespan="off", ws_ping_interval=None), Wire()
    config.load()
    tab = connections.Tab(config, ServerState(), {})
    tab.connection_made(wire)
    tab.data_received(UPGRADE)
    while not wire.wrote:
        await asyncio.sleep(0)
    wire.wrote.clear()
    return tab, wire


async def silent(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


def test_who_reads_no_answers_is_sent_none() -> None:
    async def visit() -> None:
        tab, wire = await opened(silent)
        tab.data_received(frame(PING, b"here"))
        assert wire.wrote.endswith(b"here")
        wire.wrote.clear()
        tab.pause_writing()
        for _ in range(10 * connections.MOST_FRAMES):
            tab.data_received(frame(PING, b"x" * 125))
        assert not wire.wrote
        tab.resume_writing()
        tab.data_received(frame(PING, b"here"))
        assert wire.wrote.endswith(b"here")
        assert wire.is_open

    asyncio.run(visit())


@pytest.mark.parametrize("number", [1, 500])
def test_pieces_add_up_however_slowly_they_come(number: int) -> None:
    async def visit() -> None:
        tab, wire = await opened(silent)
        tab.data_received(frame(BINARY, is_last=False))
        for _ in range(connections.MOST_FRAMES // number - 1):
            tab.data_received(frame(CONTINUED, b"x", is_last=False) * number)
        assert wire.is_open
        tab.data_received(frame(CONTINUED, b"x", is_last=False) * number)
        tab.data_received(frame(CONTINUED, b"x"))
        assert not wire.is_open

    asyncio.run(visit())


def test_what_a_tab_said_before_it_left_does_not_hold_it() -> None:
    async def visit() -> None:
        tab, _ = await opened(silent)
        tab.data_received(frame(BINARY, b"click") * 900)
        tab.connection_lost(ConnectionResetError())
        kinds = [tab.queue.get_nowait()["type"] for _ in range(tab.queue.qsize())]
        assert kinds == ["websocket.disconnect"]

    asyncio.run(visit())


# --- uploads ----------------------------------------------------------------------------------------------------------

MEGABYTE = 2**20

FORM = "multipart/form-data; boundary=b"


class Sent:
    """Streamlit's own store of uploads, behind what lets them in."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, most_megabytes: float = 1000) -> None:
        self.manager = MemoryUploadedFileManager("/_stcore/upload_file")
        self.named = "a.txt", "text/plain"
        monkeypatch.setattr(uploads, "held", lambda: self.manager)
        limits = VisitorLimits(data_memory=most_megabytes / 1024 / uploads.SHARE)
        self.uploads = Uploads(self.kept, limits)

    async def kept(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await Request(scope, receive).body()
        _, tab, file = scope["path"].rsplit("/", 2)
        self.manager.add_file(tab, UploadedFileRec(file, *self.named, body))
        await PlainTextResponse("", 204)(scope, receive, send)

    def put(self, tab: str, file: str, megabytes: float) -> Visit:
        size = int(megabytes * MEGABYTE)
        path = f"/base/_stcore/upload_file/{tab}/{file}"
        return Visit(self.uploads, "PUT", path, content_length=str(size), content_type=FORM)

    def store(self, tab: str, file: str, megabytes: float) -> int:
        async def done() -> int:
            return await self.put(tab, file, megabytes).answered(bytes(int(megabytes * MEGABYTE)))

        return asyncio.run(done())

    @property
    def tabs(self) -> set[str]:
        return {tab for tab, files in self.manager.file_storage.items() if any(file.data for file in files.values())}


def test_one_tab_cannot_store_more_than_it_may_drop(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sent(monkeypatch)
    statuses = [store.store("tab", str(number), 50) for number in range(8)]
    assert statuses == [204] * 4 + [413] * 4
    assert uploads.held_bytes() <= MOST_BYTES + 4 * uploads.RECORD
    assert store.store("other", "a", 50) == 204
    # What a page has read is emptied, and makes room.
    for record in store.manager.get_files("tab", ["0", "1"]):
        store.manager.add_file("tab", record._replace(data=b""))
    assert [store.store("tab", f"new{number}", 50) for number in range(3)] == [204, 204, 413]


def test_an_upload_that_is_more_than_it_says_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sent(monkeypatch)

    async def chunks() -> tuple[int, int]:  # with a length that the server below does not hold a chunked body to
        visit = store.put("tab", "a", 1)
        for _ in range(3):
            visit.body.put_nowait({"type": "http.request", "body": bytes(MEGABYTE // 2), "more_body": True})
        status = await visit.answered(b"x")
        return status, await store.put("tab", "b", 1).answered(bytes(MEGABYTE))

    assert asyncio.run(chunks()) == (413, 204)
    assert uploads.held_bytes() == MEGABYTE + uploads.RECORD


def test_files_without_number_or_of_no_size_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_NAMES", 30)
    store = Sent(monkeypatch)
    assert [store.store("tab", str(number), 0) for number in range(33)] == [204] * 30 + [413] * 3


def test_all_tabs_together_store_no_more_than_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sent(monkeypatch, most_megabytes=100)
    for number in range(20):
        assert store.store(f"hostile{number}", "a", 45) in {204, 413}
        assert uploads.held_bytes() <= 100 * MEGABYTE
    assert store.store("too much for any", "a", 101) == 413


def test_whoever_has_most_gives_way_to_whoever_has_little(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sent(monkeypatch, most_megabytes=100)
    for number in range(4):
        store.store("hostile", str(number), 24)
    assert [store.store("honest", str(number), 10) for number in range(3)] == [204] * 3
    assert [file.file_id for file in store.manager.get_files("hostile", list("0123"))] == list("23")
    assert len(store.manager.get_files("honest", list("012"))) == 3
    assert store.store("honest", "late", 30) == 204  # by then it has as much as the other
    assert uploads.held_bytes() <= 100 * MEGABYTE


def test_a_tab_that_lost_a_file_may_send_another_and_never_has_more_than_it_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", MEGABYTE // 5)
    monkeypatch.setattr(uploads, "_FRAME", 0)
    monkeypatch.setattr(uploads, "_given_up", {})
    store, random = Sent(monkeypatch, most_megabytes=0.6), Random(36)
    taken: Counter[str] = Counter()
    for number in range(150):
        tab = f"tab{random.randrange(6)}"
        taken[tab] += store.store(tab, str(number), random.choice((0.01, 0.05, 0.09))) == 204
        held = {
            name: sum(len(file.data) for file in files.values()) for name, files in store.manager.file_storage.items()
        }
        assert max(held.values()) <= MEGABYTE / 5
        assert sum(held.values()) <= 0.6 * MEGABYTE
    for tab, number in taken.items():
        assert (number > len(store.manager.file_storage.get(tab, {}))) == bool(uploads.given_up(tab))
    assert any(map(uploads.given_up, taken))


def test_the_names_of_files_that_were_given_up_are_known_to_their_tab_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_given_up", {})
    monkeypatch.setattr(uploads, "_MOST_TABS", 3)
    store = Sent(monkeypatch, most_megabytes=100)
    for number in range(9):
        store.store("hostile", str(number), 24)
        store.store(f"small{number}", "a", 1)
    assert uploads.given_up("hostile") == ["a.txt"]
    assert uploads.given_up("small0") == []
    for number in range(9):
        store.store(f"large{number}", "a", 60)
        store.store(f"less{number}", "a", 45)
    assert len(uploads._given_up) == 3


def test_what_is_on_its_way_has_no_room_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sent(monkeypatch, most_megabytes=100)

    async def at_once() -> tuple[list[int], int]:
        slow = [store.put(f"hostile{number}", "a", 90) for number in range(5)]
        for visit in slow:  # much is said to come, and some does
            visit.body.put_nowait({"type": "http.request", "body": bytes(18 * MEGABYTE), "more_body": True})
        await asyncio.sleep(0)
        honest = await store.put("honest", "a", 15).answered(bytes(15 * MEGABYTE))
        return [await visit.answered(b"x") for visit in slow], honest

    statuses, honest = asyncio.run(at_once())
    assert honest == 204
    assert sorted(statuses) == [204] * 4 + [413]
    assert store.uploads.coming == []
    assert "honest" in store.tabs


def test_an_upload_that_stalls_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "STALLED_SECONDS", 0.01)
    store = Sent(monkeypatch)

    async def stalled() -> int:
        visit = store.put("tab", "a", 40)
        await visit.task
        return visit.status

    assert asyncio.run(stalled()) == 413
    assert store.uploads.coming == []
    assert uploads.held_bytes() == 0


@pytest.mark.parametrize("length", ["", "-1", "1e9", "9" * 40, "²"])
def test_an_upload_says_its_length(length: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sent(monkeypatch)

    async def asked() -> int:
        path = "/_stcore/upload_file/tab/a"
        visit = Visit(store.uploads, "PUT", path, content_length=length, content_type=FORM)
        return await visit.answered(b"x")

    assert asyncio.run(asked()) == 411
    assert uploads.held_bytes() == 0


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((f"{FORM}; charset={name}", "a") for name in sorted({*aliases.values(), "x", "a/../b"})),
        (f"{FORM}; CHARSET=\"punycode\"", "a"), (f"{FORM}; charset*0=puny; charset*1=code", "a"), ("", "a"),
        ("application/x-www-form-urlencoded", "a"), ("text/plain", "a"), (FORM, "z" * 256),
    ],
)  # fmt: skip
def test_an_upload_is_a_form_as_browsers_send_it(kind: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python decodes a megabyte of Punycode in minutes, and everybody would wait."""
    store = Sent(monkeypatch)

    async def asked() -> int:
        path = f"/_stcore/upload_file/tab/{name}"
        return await Visit(store.uploads, "PUT", path, content_length="1", content_type=kind).answered(b"x")

    assert asyncio.run(asked()) == 415
    assert uploads.held_bytes() == 0


def test_names_take_no_room_that_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sent(monkeypatch, most_megabytes=0.6)
    store.named = "𝒏" * 1000, "𝒕" * 1000
    for number in range(300):
        assert store.store(f"tab{number % 3}", str(number), 0) == 204
        assert uploads.held_bytes() <= 0.6 * MEGABYTE + uploads.RECORD  # room is made before one comes
    held = [file for files in store.manager.file_storage.values() for file in files.values()]
    assert 150 < len(held) < 156
    assert {(len(file.name), len(file.type)) for file in held} == {(uploads.LONGEST_NAME,) * 2}
    assert sum(sys.getsizeof(each) for file in held for each in file) < uploads.held_bytes()


def test_an_upload_that_outlasts_its_tab_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    there = SimpleNamespace(is_active_session={"open"}.__contains__)
    monkeypatch.setattr(uploads, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: there))
    store = Sent(monkeypatch)
    assert [store.store(tab, "a", 1) for tab in ("open", "closed")] == [204, 204]
    assert store.tabs == {"open"}
