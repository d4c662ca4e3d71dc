"""Who is answered, and before what: the gate by itself, the server that it stands in, and the container's recipe."""

import asyncio
import base64
import gc
import http.client
import json
import os
import re
import runpy
import shlex
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from kept import worded
from made import ROOT
from mtsig_dashboard import launch
from mtsig_dashboard.serving import _connections as connections
from mtsig_dashboard.serving import _door as gate
from mtsig_dashboard.serving._door import COOKIE, Gate
from mtsig_dashboard.serving._workers import Workers
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from mtsig import MtsigError, measure, read_sample
from mtsig.cli import _dashboard as machine
from mtsig.cli._dashboard import Serving, VisitorLimits, hosted, serving_from
from mtsig.errors import InvalidOption, ReadError
from mtsig.inference import compare

PASSWORD = "correct horse & battery+staple ü"
SHARED = Serving(("lab.example.org", "ws7"), own_address=True, password=PASSWORD)

# --- the gate by itself ----------------------------------------------------------------------------------------------


class Answer:
    """What came back: from the gate, or, with status 200 and the text "app", from behind it."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        first = messages[0]
        self.status = first.get("status", 403 if first["type"] == "websocket.close" else 0)
        self.headers = {name.decode().lower(): value.decode() for name, value in first.get("headers", ())}
        self.text = b"".join(message.get("body", b"") for message in messages).decode()


async def app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": f"{scope['type']}.start", "status": 200, "headers": []})
    await send({"type": f"{scope['type']}.body", "body": b"app"})


def ask(
    gate: Gate, host: str | Sequence[str] | None = "localhost", method: str = "GET", path: str = "/", *,
    kind: str = "http", origin: str | None = None, cookie: str | None = None, body: bytes = b"",
    client: str = "10.0.0.9", server: str = "10.0.0.5", query: bytes = b"", scheme: str = "http",
) -> Answer:  # fmt: skip
    hosts = [host] if isinstance(host, str) else host or []
    headers = [(b"host", name.encode("utf-8", "surrogateescape")) for name in hosts]
    headers += [(b"origin", origin.encode())] if origin is not None else []
    headers += [(b"cookie", cookie.encode())] if cookie is not None else []
    scope = {
        "type": kind, "method": method, "path": path, "headers": headers, "client": (client, 1), "scheme": scheme,
        "server": (server, 8501), "query_string": query,
    }  # fmt: skip
    sent: list[dict[str, Any]] = []
    pieces = [{"type": "http.request", "body": body[:3], "more_body": True}, {"type": "http.request", "body": body[3:]}]

    async def receive() -> dict[str, Any]:
        return pieces.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    return Answer(sent)


def sign_in(gate: Gate, password: str = PASSWORD, **more: Any) -> Answer:
    return ask(gate, method="POST", body=urlencode({"password": password}).encode(), **more)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8501", "localhost.:1", "127.0.0.1", "127.9.9.9:80", "[::1]:8501"]
)
def test_this_computers_own_names_are_answered(host: str) -> None:
    assert ask(Gate(app, Serving()), host).text == "app"


REFUSED = [
    None, "", ":8501", "evil.example", "localhost.evil.example", "evil.example:8501", "localhost@evil.example",
    "evil.example@localhost", "localhost/", "localhost/evil", "localhost?", "localhost#", "localhost:x",
    "localhost:99999", "local host", "[::1", "::1", "0.0.0.0", "10.0.0.5", "2130706433", "127.1", "localhost\x00",
    "\udcff", "ｌｏｃａｌｈｏｓｔ", ("localhost", "evil.example"), ("localhost", "localhost"),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("host", REFUSED, ids=repr)
def test_no_other_name_is_answered(host: str | None, kind: str) -> None:
    answer = ask(Gate(app, Serving()), host, kind=kind)
    assert answer.status == (421 if kind == "http" else 403)
    assert "app" not in answer.text


@given(st.text())
def test_whatever_stands_for_a_host_is_answered_or_refused(host: str) -> None:
    answer = ask(Gate(app, Serving()), host.encode("utf-8", "surrogatepass").decode("latin-1"))
    assert answer.status == 421 or host.rstrip(":0123456789.").lower() in {"localhost", "", "[::1]"}


def test_named_hosts_are_answered_and_the_own_address_when_shared() -> None:
    shared = Gate(app, Serving(("lab.example.org", "WS7"), own_address=True))
    assert [ask(shared, host).status for host in ("lab.example.org", "ws7:8501", "10.0.0.5:8501", "localhost")] == [
        200
    ] * 4
    assert [ask(shared, host).status for host in ("example.org", "10.0.0.6", "x.lab.example.org")] == [421] * 3
    assert ask(shared, "10.0.0.5", server="::ffff:10.0.0.5").status == 200
    assert ask(shared, "[fe80::5]:8501", server="fe80::5").status == 200
    proxied = Gate(app, Serving(("lab.example.org",)))
    assert [ask(proxied, host).status for host in ("lab.example.org", "10.0.0.5")] == [200, 421]


@pytest.mark.parametrize(
    ("kind", "method"), [("websocket", ""), ("http", "POST"), ("http", "PUT"), ("http", "DELETE"), ("http", "PATCH")]
)
def test_another_sites_page_cannot_act(kind: str, method: str) -> None:
    here = Gate(app, Serving(("lab.example.org",)))
    for host, origin in (
        ("localhost:8501", "http://localhost:8501"), ("LOCALHOST:8501", "http://localhost:8501"),
        ("lab.example.org", "https://lab.example.org"), ("localhost", None),
    ):  # fmt: skip
        assert ask(here, host, method, kind=kind, origin=origin).text == "app"
    for origin in ("http://evil.example", "http://localhost:3000", "null", "", "http://[", "file://localhost:8501",
                   "http://localhost:8501.evil.example", "http://localhost:8501@evil.example"):  # fmt: skip
        assert ask(here, "localhost:8501", method, kind=kind, origin=origin).status == 403


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/base/_stcore/metrics", "//_stcore/metrics/"])
def test_nobody_is_told_the_servers_metrics(path: str) -> None:
    assert ask(Gate(app, Serving()), path=path).status == 404


PATHS = ["/", "/compare", "/_stcore/host-config", "/_stcore/upload_file/a/b", "/media/0.png", "/static/js/index.js",
         "/component/x", "/_stcore/stream", "/health", "//_stcore/healthy"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_shown_before_the_password(path: str) -> None:
    shared = Gate(app, SHARED)
    for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "POST"):
        answer = ask(shared, method=method, path=path, cookie=f"{COOKIE}=guess; other=1")
        assert answer.status == 401
        assert "app" not in answer.text.replace("apple", "")
    assert ask(shared, path=path, kind="websocket").status == 403
    assert ask(shared, path=path, kind="websocket", cookie=f"{COOKIE}=").status == 403


def test_health_is_told_without_the_password_and_no_websocket_takes_its_place() -> None:
    assert ask(Gate(app, SHARED), path="/_stcore/health").text == "app"
    assert ask(Gate(app, SHARED), path="/_stcore/health", kind="websocket").status == 403


def test_the_password_opens_a_session_for_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Gate(app, SHARED)
    answer = sign_in(shared, path="//evil.example/x", query=b"pair=a&b=1")
    assert (answer.status, answer.headers["location"]) == (303, "?pair=a&b=1")
    cookie, *flags = answer.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=lax", "Max-Age=86400"} <= set(flags)
    assert "Secure" not in flags
    assert "Secure" in sign_in(shared, scheme="https").headers["set-cookie"]
    assert ask(shared, cookie=f"odd; a=b=c; {cookie}").text == "app"
    assert ask(shared, kind="websocket", cookie=cookie).text == "app"
    assert ask(shared, cookie=cookie + "x").status == 401
    assert ask(Gate(app, SHARED), cookie=cookie).status == 401  # another server's, or the same one's before it ended
    now = time.monotonic()
    monkeypatch.setattr(gate.time, "monotonic", lambda: now + 86401)
    assert ask(shared, cookie=cookie).status == 401
    assert sign_in(shared).status == 303
    assert len(shared.sessions) == 1


def test_sessions_are_not_kept_without_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MOST_SESSIONS", 3)
    shared = Gate(app, SHARED)
    cookies = [sign_in(shared).headers["set-cookie"].partition(";")[0] for _ in range(5)]
    assert [ask(shared, cookie=cookie).status for cookie in cookies] == [401] * 2 + [200] * 3


@pytest.mark.parametrize("wrong", ["", "x", PASSWORD[:-1], PASSWORD + " ", PASSWORD.upper(), "p" * 5000, "\udcff"])
def test_a_wrong_password_opens_nothing(wrong: str) -> None:
    shared = Gate(app, SHARED)
    body = b"password=" + quote_plus(wrong.encode("utf-8", "surrogatepass")).encode()
    answer = ask(shared, method="POST", body=body)
    assert answer.status == 401
    assert "set-cookie" not in answer.headers
    assert shared.sessions == {}


def test_a_form_of_another_site_is_not_even_tried() -> None:
    shared = Gate(app, SHARED)
    assert sign_in(shared, origin="http://evil.example").status == 403
    assert not shared.wrong


@pytest.mark.parametrize(
    "place", ["127.0.0.{}", "::ffff:127.1.0.{}", "2001:db8:1:2:{}::1", "fe80::{}", "::ffff:10.0.0.7", "10.0.0.7"]
)
def test_one_computer_counts_once_whatever_address_it_takes(place: str) -> None:
    shared = Gate(app, SHARED)
    statuses = [sign_in(shared, "wrong password", client=place.format(at)).status for at in range(1, 31)]
    assert statuses == [401] * gate.WRONG_PER_ADDRESS + [429] * (30 - gate.WRONG_PER_ADDRESS)


def test_passwords_cannot_be_tried_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Gate(app, SHARED)
    assert [sign_in(shared, "wrong password").status for _ in range(12)] == [401] * 10 + [429] * 2
    assert sign_in(shared).status == 429  # the right one, too: else the answer would tell it
    assert sign_in(shared, client="10.0.0.10").status == 303
    statuses = [sign_in(shared, "wrong password", client=f"10.1.{at}.1").status for at in range(120)]
    assert statuses == [401] * 90 + [429] * 30
    assert len(shared.wrong) == 100
    now = time.monotonic()
    monkeypatch.setattr(gate.time, "monotonic", lambda: now + 61)
    assert sign_in(shared).status == 303


def test_the_page_that_asks_says_no_more_than_it_must() -> None:
    answer = ask(Gate(app, SHARED))
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert '<label for="password">' in answer.text
    assert "example.org" not in answer.text


# --- what is said on the command line --------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MTSIG_PASSWORD", raising=False)


@pytest.mark.parametrize(
    "arguments",
    ["--share", "--share lab.example.org", "--server.address=0.0.0.0", "--server.address 0.0.0.0", "--server.address=",
     "--server.address=::", "--server.address=10.0.0.5", "--server.address=lab.example.org", "--server.address=unix://x",
     "--server.address=localhost --server.address=0.0.0.0", "--behind-proxy=lab.example.org --server.address=0.0.0.0",
     "--share https://lab.example.org", "--behind-proxy=", "--behind-proxy=lab:80", "--behind-proxy=*"],
)  # fmt: skip
def test_other_computers_are_not_let_in_by_mistake(arguments: str) -> None:
    with pytest.raises(InvalidOption, match=r"password|not a host name"):
        serving_from(arguments.split())


def test_a_password_alone_does_not_open_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_PASSWORD", PASSWORD)
    with pytest.raises(InvalidOption, match="--share"):
        serving_from(["--server.address=0.0.0.0"])
    assert serving_from([])[0] == Serving((), False, PASSWORD, None)


def test_what_is_shared_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "password").write_text(f"{PASSWORD}\nsecond line\n", encoding="utf-8")
    flag = f"--password-file={tmp_path / 'password'}"
    found, rest = serving_from([flag, "--server.headless=true", "--share", "lab", "--server.port", "1"])
    assert found == Serving(("lab", socket.gethostname()), True, PASSWORD, "0.0.0.0")
    assert rest == ["--server.headless=true", "--server.port", "1"]
    assert serving_from([flag, "--share", "--server.address=10.0.0.5"])[0].address == "10.0.0.5"
    assert serving_from(["--share", "--behind-proxy=lab"])[0] == Serving(("lab",), False, None, "0.0.0.0", proxied=True)
    assert serving_from(["--behind-proxy=lab"])[0] == Serving(("lab",), False, None, None, proxied=True)
    monkeypatch.setenv("MTSIG_PASSWORD", PASSWORD)
    with pytest.raises(InvalidOption, match="both"):
        serving_from([flag])


@pytest.mark.parametrize("content", [b"", b"\n", b"short", b"x" * 5000, b"\xff" * 12, None])
def test_what_is_no_password_is_refused(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises((InvalidOption, ReadError)) as caught:
        serving_from(["--share", "--password-file", str(file)])
    assert "\n" not in str(caught.value)
    assert "xxxx" not in str(caught.value)


def test_an_endless_password_file_is_refused_at_once() -> None:
    with pytest.raises(MtsigError):
        serving_from(["--share", "--password-file", "/dev/zero"])


@pytest.mark.parametrize("command", [["mtsig", "dashboard"], ["mtsig_dashboard"]])
def test_a_refusal_is_one_sentence_and_code_2(command: list[str], tmp_path: Path) -> None:
    started = [sys.executable, "-m", *command, "--server.address=0.0.0.0"]
    done = subprocess.run(started, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    worded(done.stderr, "'0.0.0.0'")
    assert done.stderr.count("\n") == 1


# --- a real server, as the container's recipe starts it --------------------------------------------------------------


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def last(word: str) -> str:
    return [rest for name, rest in instructions() if name == word][-1]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Server:
    """A dashboard on a port of its own."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
        self.port, self.process, self.log = port, process, log

    def ask(self, path: str, method: str = "GET", body: str | None = None, **headers: str) -> tuple[int, str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_host="Host" in named)
        for name, value in ({"Content-Length": str(len(body))} if body else {}).items() | named.items():
            connection.putheader(name, value)
        connection.endheaders(body.encode() if body else None)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode("utf-8", "replace"), answer.headers
        connection.close()
        return found

    def upgrade(self, **headers: str) -> int:
        """Return the status that a websocket's beginning is answered with."""
        named = {
            "Host": f"localhost:{self.port}", "Connection": "Upgrade", "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        } | headers  # fmt: skip
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            lines = [f"{name}: {value}" for name, value in named.items()]
            connection.sendall("\r\n".join(["GET /_stcore/stream HTTP/1.1", *lines, "", ""]).encode())
            return int(connection.makefile("rb").readline().split()[1])


def listening(port: int) -> set[str]:
    """Return the addresses, as Linux writes them, at which something listens to this port."""
    tables = [Path(f"/proc/net/{name}") for name in ("tcp", "tcp6")]
    rows = [row.split() for table in tables if table.exists() for row in table.read_text().splitlines()[1:]]
    return {place.partition(":")[0] for _, place, _, state, *_ in rows if (place[-4:], state) == (f"{port:04X}", "0A")}


@contextmanager
def running(command: list[str], port: int, folder: Path, log: Path, **more: Any) -> Iterator[Server]:
    with log.open("wb") as told:
        process = subprocess.Popen(command, cwd=folder, stdout=told, stderr=told, start_new_session=True, **more)
    server = Server(port, process, log)
    try:
        for _ in range(240):
            if process.poll() is not None:
                break
            try:
                if server.ask("/_stcore/health")[0] == 200:
                    yield server
                    return
            except OSError:
                time.sleep(0.25)
        pytest.fail(f"the dashboard did not start:\n{log.read_text()}")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 15)
            process.wait(180)


def can_be_nobody() -> bool:
    """Return whether this process may start another as nobody, with a root that cannot be written."""
    needed = [shutil.which("unshare"), shutil.which("setpriv")]
    if not all(needed) or os.geteuid() != 0:
        return False
    again = "import os, sys; os.getuid() == 65534 or 1 / 0; os.execv(sys.executable, [sys.executable, '-c', ''])"
    probe = [*AS_NOBODY, sys.executable, "-c", again]
    return subprocess.run(probe, capture_output=True, check=False, cwd="/").returncode == 0


# Python may itself be at home where nobody else can look: then it alone is shown there.
READ_ONLY = """
set -e
mount -n -o remount,bind,ro /
mount -n -t tmpfs tmpfs /tmp
case "$1" in /root/*)
    mkdir /tmp/python
    mount -n --bind "$1" /tmp/python
    mount -n -t tmpfs -o mode=755 tmpfs /root
    mkdir -p "$1"
    mount -n --move /tmp/python "$1"
    rmdir /tmp/python
esac
shift
cd /
exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "$@"
"""
AS_NOBODY = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", sys.base_prefix]


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The Dockerfile's command in its environment: as nobody on a read-only root where that can be had."""
    port = free_port()
    places = tmp_path_factory.mktemp("container")
    log = places / "log"
    environment = dict(pair.split("=", 1) for pair in shlex.split(last("ENV")))
    environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment |= {"MTSIG_PASSWORD": PASSWORD, "PYTHONPATH": str(ROOT)}
    command = [word.replace("8501", str(port)) for word in json.loads(last("ENTRYPOINT"))]
    command = [str(Path(sys.executable).parent / command[0]), *command[1:], "lab.example.org"]
    locked = places / "locked"
    locked.mkdir(mode=0o555)
    if can_be_nobody():
        command = AS_NOBODY + command
    else:
        environment |= {"HOME": str(locked), "MTSIG_CACHE": str(locked / "cache")}
    with running(command, port, locked, log, env=environment) as server:
        yield server


def test_the_containers_command_asks_for_the_password_on_all_interfaces(container: Server) -> None:
    assert container.ask("/")[0] == 401
    assert container.ask("/", Host="lab.example.org")[0] == 401
    assert container.ask("/", Host="evil.example")[0] == 421
    assert container.ask("/_stcore/metrics")[0] == 404
    assert container.upgrade() == 403
    assert listening(container.port) == {"00000000"}
    status, _, headers = container.ask("/", "POST", urlencode({"password": PASSWORD}))
    assert status == 303
    cookie = headers["Set-Cookie"].partition(";")[0]
    status, text, _ = container.ask("/", Cookie=cookie)
    assert (status, 'id="root"' in text) == (200, True)
    assert container.upgrade(Cookie=cookie) == 101
    assert container.upgrade(Cookie=cookie, Origin="http://evil.example") == 403
    assert container.upgrade(Cookie=cookie, Host="evil.example") == 403


def test_the_containers_health_check_tells_the_living_from_the_dead(container: Server) -> None:
    check = json.loads(re.sub(r"^.*? CMD ", "", last("HEALTHCHECK")))
    command = [sys.executable, *(word.replace("8501", str(container.port)) for word in check[1:])]
    elsewhere = {**os.environ, "http_proxy": "http://127.0.0.1:9"}  # a container may be given its host's proxy
    assert subprocess.run(command, check=False, capture_output=True, env=elsewhere).returncode == 0
    dead = [word.replace(str(container.port), str(free_port())) for word in command]
    assert subprocess.run(dead, check=False, capture_output=True, env=elsewhere).returncode == 1


def test_guesses_from_this_computer_count_as_one_wherever_they_say_they_are_from(container: Server) -> None:
    # All heads first: whatever is asked, the bodies come later, or never.
    form = "POST / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.0.0.{}\r\nContent-Length: 14\r\n\r\n"
    with ExitStack() as opened:
        guesses = []
        for number in range(40):
            connection = socket.create_connection(("127.0.0.1", container.port), timeout=20)
            guesses.append(opened.enter_context(closing(connection)))
            connection.sendall(form.format(number).encode())
        statuses = []
        for connection in guesses[::-1]:
            connection.sendall(b"password=guess")
            statuses.append(int(connection.makefile("rb").readline().split()[1]))
    assert sorted(statuses) == [401] * gate.WRONG_PER_ADDRESS + [429] * (40 - gate.WRONG_PER_ADDRESS)


def test_the_password_is_not_left_where_children_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_PASSWORD", PASSWORD)
    seen: list[list[str]] = []

    def start(arguments: list[str], **_: object) -> None:
        seen.append(arguments)
        assert "MTSIG_PASSWORD" not in os.environ
        assert not gc.isenabled()

    monkeypatch.setattr("streamlit.web.cli.main", start)
    monkeypatch.setattr(launch, "rules", launch.rules)
    monkeypatch.setenv(launch.INPUT_VARIABLE, "[]")
    assert launch.main(["--share", "lab"]) == 0
    assert gc.isenabled()  # whoever called goes on as before, also where no server was warmed
    assert launch.rules.password == PASSWORD
    assert PASSWORD not in str(seen)
    assert "--server.address=0.0.0.0" in seen[0]
    assert "--browser.serverAddress=lab" in seen[0]


# --- a real server, as one person starts it --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    folder = tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-m", "mtsig", "dashboard", "--server.headless=true", f"--server.port={port}"]
    with running(command, port, folder, folder / "log") as server:
        yield server


EVERY_PATH = ["/", "/compare", "/_stcore/health", "/_stcore/host-config", "/media/x", "/static/x.js",
              "/_stcore/metrics", "/_stcore/upload_file/a/b", "/component/x/y", "/_stcore/agent/openapi.json",
              "/%2e%2e/x"]  # fmt: skip


def test_a_name_that_was_bound_to_this_computer_from_outside_reads_nothing(local: Server) -> None:
    for path in EVERY_PATH:
        status, text, _ = local.ask(path, Host=f"evil.example:{local.port}")
        assert (status, text) == (421, "This server does not accept requests for that host name.\n"), path
    assert local.upgrade(Host=f"evil.example:{local.port}", Origin=f"http://evil.example:{local.port}") == 403
    assert local.upgrade(Host=f"evil.example:{local.port}") == 403


@pytest.mark.parametrize("path", EVERY_PATH)
def test_every_path_says_who_may_frame_it_and_lends_nothing(path: str, local: Server, public: Server) -> None:
    for server in (local, public):
        for host in (f"localhost:{server.port}", "evil.example"):
            _, _, headers = server.ask(path, Host=host)
            assert headers.get_all("Content-Security-Policy") == ["frame-ancestors 'self'"]
            assert {name: headers[name] for name in gate.ALWAYS} == gate.ALWAYS


def test_half_requests_are_not_kept_without_number(local: Server) -> None:
    with ExitStack() as opened:
        halves = []
        for _ in range(connections.MOST_WAITING + 100):
            connection = socket.create_connection(("127.0.0.1", local.port), timeout=20)
            halves.append(opened.enter_context(closing(connection)))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost")
        for connection in halves[:100]:
            assert connection.recv(1) == b""
        assert local.ask("/_stcore/health")[0] == 200


def test_a_message_that_is_larger_than_any_of_a_page_closes_its_connection(local: Server) -> None:
    with connect(f"ws://localhost:{local.port}/_stcore/stream", max_size=None) as tab:
        tab.send(b"\0" * (connections.MOST_SAID + 1))
        with pytest.raises(ConnectionClosedError) as closed:
            tab.recv(timeout=60)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


GARBAGE = (b"\xff" * 50, os.urandom(3000), b"\x5a\x05\x0a\x03\xff\xfe\xfd", b"\x22\xff\xff\xff\x0f", b"\x00" * 999)


def test_a_message_that_is_none_closes_its_connection_and_is_one_line_in_the_log(local: Server) -> None:
    for message in GARBAGE:
        before = len(local.log.read_bytes())
        with connect(f"ws://localhost:{local.port}/_stcore/stream", max_size=None) as tab:
            tab.send(message)
            with suppress(ConnectionClosedError):
                while tab.recv(timeout=60):
                    pass
        said = local.log.read_bytes()[before:]
        assert said.count(b"\n") <= 1
        assert len(said) < 400


def test_the_page_of_this_computer_works_and_another_ports_page_does_not(local: Server) -> None:
    assert local.ask("/", Host=f"localhost:{local.port}")[0] == 200
    assert local.upgrade(Origin=f"http://localhost:{local.port}") == 101
    assert local.upgrade(Origin="http://localhost:3000") == 403
    assert local.upgrade(Origin="null") == 403
    assert local.ask("/_stcore/metrics")[0] == 404
    assert local.process.poll() is None
    assert "Traceback" not in local.log.read_text()
    assert listening(local.port) == {"0100007F"}  # 127.0.0.1


# --- the container's recipe ------------------------------------------------------------------------------------------


def test_the_containers_recipe_is_in_order() -> None:
    words = [word for word, _ in instructions()]
    assert set(words) <= {"FROM", "WORKDIR", "COPY", "ENV", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"}
    assert words[0] == "FROM"
    final = words[len(words) - words[::-1].index("FROM") - 1 :]
    # Nothing is installed or copied as root after the user has changed, and nothing runs before.
    assert final.index("COPY") < final.index("ENV") < final.index("USER") < final.index("ENTRYPOINT")
    assert "RUN" not in final
    user, _, group = last("USER").partition(":")
    assert int(user) > 0
    assert int(group) > 0
    bases = {rest.split()[0] for word, rest in instructions() if word == "FROM"}
    assert bases == {"python:3.11-slim"}
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"https?://([^/:']+)", text) == ["127.0.0.1"]
    assert "PIP_CONSTRAINT=/src/constraints.txt" in text
    assert f"--server.port={last('EXPOSE')}" in last("ENTRYPOINT")


def test_the_container_gets_all_that_the_package_is_made_of_and_no_more() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = built["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {source.partition("/")[0] for source in (*wheel["packages"], *wheel["force-include"])}
    needed |= {"README.md", *built["project"]["license-files"], "pyproject.toml", "constraints.txt", "hatch_build.py"}
    assert let_in == needed
    assert all((ROOT / name).exists() for name in needed)


def test_the_documentation_runs_the_container_as_it_must_be_run() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    run = re.search(r"docker run (.*?) mtsig\n", text.replace("\\\n", " "), re.DOTALL)
    assert run is not None
    for flag in (
        "--read-only",
        "--tmpfs /tmp",
        "--memory=",
        "--cap-drop=ALL",
        "no-new-privileges",
        "-e MTSIG_PASSWORD ",
    ):
        assert flag in run[1]
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    largest = settings["server"]["maxUploadSize"] + 1
    assert f"client_max_body_size {largest}m;" in text
    assert f"max_size {largest}MB" in text
    for limit in (gate.WRONG_PER_ADDRESS, gate.WRONG_IN_ALL, 421, 403):
        assert f" {limit} " in text.replace("\n", " ").replace(",", " ").replace(".", " ")


# --- on a public host ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The repository as Streamlit Community Cloud starts it: its file, from its root, and never the launcher."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.headless", "true",
               "--server.port", str(port), "--browser.serverAddress", "localhost"]  # fmt: skip
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "dashboard")])}
    log = tmp_path_factory.mktemp("public") / "log"
    with running(command, port, ROOT, log, env={**os.environ, **path, "MTSIG_PUBLIC": "1"}) as server:
        yield server


def test_a_public_host_shows_the_app_under_the_name_that_it_gave(public: Server) -> None:
    name = "mtsig-abc.streamlit.app"
    for host in (name, f"localhost:{public.port}", "10.12.0.3:8501"):
        status, text, _ = public.ask("/", Host=host)
        assert (status, 'id="root"' in text) == (200, True), host
        assert public.ask("/_stcore/health", Host=host)[0] == 200
    assert public.upgrade(Host=name, Origin=f"https://{name}") == 101
    assert public.ask("/_stcore/metrics", Host=name)[0] == 404
    # The repository's own settings hold, and the server listens where others reach it.
    assert listening(public.port) & {"00000000", "0" * 32}
    assert "Traceback" not in public.log.read_text()


def test_a_public_host_is_asked_for_a_password_that_its_secrets_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_PASSWORD", PASSWORD)
    behind, *_ = runpy.run_path(str(ROOT / "streamlit_app.py"))["app"]._user_middleware
    assert behind.cls is Gate
    assert behind.kwargs == {"serving": Serving(password=PASSWORD, everywhere=True, proxied=True)}
    assert "MTSIG_PASSWORD" not in os.environ
    asked = Gate(app, behind.kwargs["serving"])
    assert ask(asked, "x.hf.space").status == 401
    assert ask(asked, "x.hf.space", kind="websocket").status == 403
    cookie = sign_in(asked, host="x.hf.space", origin="https://huggingface.co").headers["set-cookie"].partition(";")[0]
    assert ask(asked, "x.hf.space", cookie=cookie).text == "app"
    monkeypatch.delenv("MTSIG_PASSWORD", raising=False)
    assert hosted(Path("/mount/src/mtsig/streamlit_app.py")) == Serving(everywhere=True, proxied=True)


def test_at_home_the_file_for_hosts_answers_its_own_computer_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MTSIG_PASSWORD", "MTSIG_PUBLIC"):
        monkeypatch.delenv(name, raising=False)
    behind, *_ = runpy.run_path(str(ROOT / "streamlit_app.py"))["app"]._user_middleware
    assert behind.kwargs == {"serving": Serving()}
    asked = Gate(app, behind.kwargs["serving"])
    assert ask(asked, "localhost:8501").status == 200
    assert ask(asked, "192.168.1.7:8501").status == 421
    assert ask(asked, "192.168.1.7:8501", kind="websocket").status == 403


def test_hosts_find_what_they_look_for() -> None:
    # Community Cloud takes the first of these files, beside the entry point or at the root.
    assert not (ROOT / "Pipfile").exists()
    assert not (ROOT / "environment.yml").exists()
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["-e .[dashboard]"]
    # Hugging Face Spaces read the lines at the top of the README.
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(re.match(r"---\n(.*?)\n---\n", readme, re.DOTALL)[1])  # type: ignore[index]
    assert front == {"title": "mtsig", "sdk": "docker", "app_port": int(last("EXPOSE"))}


def test_a_space_needs_neither_a_name_nor_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidOption):
        serving_from(["--share"])
    monkeypatch.setenv("SPACE_HOST", "lab-mtsig.hf.space")
    serving, _ = serving_from(["--share"])
    frames = ("https://huggingface.co",)
    assert serving == Serving(("lab-mtsig.hf.space",), False, None, "0.0.0.0", everywhere=True, frames=frames)
    assert serving_from([])[0] == Serving()  # what listens to this computer alone stays as it is
    seen: list[list[str]] = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda arguments, **_: seen.append(arguments))
    monkeypatch.setattr(launch, "rules", launch.rules)
    monkeypatch.setenv(launch.INPUT_VARIABLE, "[]")
    assert launch.main(["--share"]) == 0
    assert {"--browser.serverAddress=lab-mtsig.hf.space", "--server.enableXsrfProtection=false"} <= set(seen[0])
    assert launch.main([]) == 0
    assert "--server.enableXsrfProtection=false" not in seen[1]
    assert "--server.address=localhost" in seen[1]


@pytest.mark.parametrize(
    ("files", "processors", "memory"),
    [
        ({"cpu.max": "200000 100000", "memory.max": "2900000000"}, 2, 2_900_000_000),
        ({"cpu.max": "7800 100000", "memory.max": "max"}, 1, None),
        ({"memory/memory.limit_in_bytes": "9223372036854771712"}, None, None),
        ({"cpu.max": "nonsense", "memory.max": ""}, None, None),
        ({"cpu/cpu.cfs_quota_us": "100000", "cpu/cpu.cfs_period_us": "100000"}, 1, None),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None, None),
    ],
)
def test_a_container_is_told_its_own_limits(
    files: dict[str, str], processors: int | None, memory: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "CONTAINER", tmp_path / "nothing")
    all_processors, all_memory = machine.processors(), machine.memory()
    assert all_processors >= 1
    assert all_memory > 2**28
    monkeypatch.setattr(machine, "CONTAINER", tmp_path)
    for name, said in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(said + "\n")
    assert machine.processors() == min(all_processors, processors or all_processors)
    assert machine.memory() == min(all_memory, memory or all_memory)


@pytest.mark.parametrize(("processors", "gigabytes"), [(16, 8), (64, 16), (2, 1), (4, 64)])
def test_workers_together_take_half_of_the_memory_at_most(
    processors: int, gigabytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "processors", lambda: processors)
    monkeypatch.setattr(machine, "memory", lambda: gigabytes * 2**30)
    limits = VisitorLimits(**machine.room_for_visitors())
    assert 2 <= limits.workers <= max(2, processors)
    assert limits.workers * limits.worker_memory <= max(1.0, gigabytes / 2 + 0.01 * limits.workers)


def test_limits_are_those_of_this_machine_when_the_program_starts() -> None:
    assert asdict(VisitorLimits()).items() >= machine.room_for_visitors().items()


@pytest.mark.parametrize("text", ["{workers: 1}", "[1]", '{"worker": 1}', '{"workers": "1"}', "1", "null"])
def test_limits_that_are_none_are_told_by_their_variable(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_VISITORS", text)
    with pytest.raises(InvalidOption, match="MTSIG_VISITORS"):
        VisitorLimits.from_environment()
    with pytest.raises(SystemExit, match="MTSIG_VISITORS"):
        launch.on_a_host(str(ROOT / "streamlit_app.py"))


def test_a_password_that_is_too_short_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_PASSWORD", "short")
    with pytest.raises(SystemExit, match="password"):
        launch.on_a_host(str(ROOT / "streamlit_app.py"))


@pytest.mark.slow
def test_visitors_of_a_small_host_fit_into_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As on Community Cloud: 2.7 GB and two processors of many.
    (tmp_path / "cpu.max").write_text("200000 100000\n")
    (tmp_path / "memory.max").write_text(f"{int(2.7 * 2**30)}\n")
    monkeypatch.setattr(machine, "CONTAINER", tmp_path)
    small = VisitorLimits(**machine.room_for_visitors())
    assert small.workers == 2
    assert small.workers * small.worker_memory + small.data_memory < 2.7 * 0.65
    # And one piece of work fits into what it may have.
    workers = Workers(replace(small, workers=1))
    try:
        assert len(workers.run(partial(compare, measure(read_sample(), "bleu")))) == 10
    finally:
        workers.close()
