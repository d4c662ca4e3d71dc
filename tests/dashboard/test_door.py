"""Who asks: a browser is known by a secret that nothing on the page can read, and a tab says only what pages say."""

import asyncio
from collections.abc import Mapping
from http.cookies import SimpleCookie
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from mtsig_dashboard import memory
from mtsig_dashboard.host import MOST_FILES
from mtsig_dashboard.serving import _door as door
from mtsig_dashboard.serving._door import BROWSER_COOKIE as COOKIE
from mtsig_dashboard.serving._door import Known, Tabs, secret_of
from starlette.responses import PlainTextResponse
from starlette.types import Message
from streamlit.proto.BackMsg_pb2 import BackMsg

PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def asked(headers: Mapping[str, str], scheme: str = "http") -> SimpleCookie:
    """Return the cookies that an answer sets, beside one that the app itself sets."""
    told: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        told.append(message)

    said = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": "/results", "scheme": scheme, "headers": said}
    app = Known(PlainTextResponse("a page", headers={"set-cookie": "other=1"}))
    asyncio.run(app(scope, receive, send))
    cookies = SimpleCookie()
    for name, value in told[0]["headers"]:
        if name == b"set-cookie":
            cookies.load(value.decode())
    return cookies


def test_a_page_brings_a_secret_that_no_script_reads_and_no_other_site_sends() -> None:
    given = [asked(PAGE)[COOKIE] for _ in range(20)]
    assert len({one.value for one in given}) == 20
    assert all(secret_of({COOKIE: one.value}) == one.value for one in given)
    assert {(one["httponly"], one["samesite"].lower(), one["secure"], one["path"]) for one in given} == {
        (True, "lax", "", "/")
    }
    assert asked(PAGE, "https")[COOKIE]["secure"]


def test_who_comes_back_keeps_his_secret() -> None:
    secret = asked(PAGE)[COOKIE].value
    assert asked({**PAGE, "cookie": f"{COOKIE}={secret}"})[COOKIE].value == secret


def test_what_the_page_asks_for_brings_none() -> None:
    assert set(asked({"accept": "*/*"})) == {"other"}
    assert set(asked(PAGE)) == {"other", COOKIE}


@pytest.mark.parametrize("forged", ["", "x", "a" * 42, "a" * 44, "../" + "a" * 40, "é" * 43])
def test_what_was_not_given_out_is_no_secret(forged: str) -> None:
    assert secret_of({COOKIE: forged}) is None
    assert secret_of({}) is None


# --- what a tab says -------------------------------------------------------------------------------------------------


def message(kind: str, value: Any = True) -> bytes:
    said = BackMsg()
    inner = getattr(said, kind)
    if isinstance(inner, bool | str):
        setattr(said, kind, value)
    else:
        inner.SetInParent()
    return said.SerializeToString()


def names(number: int) -> bytes:
    said = BackMsg()
    said.file_urls_request.file_names.extend(map(str, range(number)))
    return said.SerializeToString()


def heard(*said: bytes) -> list[bytes]:
    """Return what of these messages reaches the app."""
    reached: list[bytes] = []
    coming = [*({"type": "websocket.receive", "bytes": one} for one in said), {"type": "websocket.disconnect"}]

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        while (one := await receive())["type"] == "websocket.receive":
            reached.append(one["bytes"])

    async def receive() -> Any:
        return coming.pop(0)

    async def send(_message: Any) -> None:
        raise AssertionError("nothing is answered here")

    asyncio.run(Tabs(app)({"type": "websocket", "client": ("10.0.0.9", 1)}, receive, send))
    return reached


ORDERS = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]


def test_only_what_a_page_says_is_heard() -> None:
    known = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request"}
    assert {"clear_cache", "load_git_info", "debug_shutdown_runtime"} < set(ORDERS) - known
    for order in ORDERS:
        assert heard(message(order)) == [message(order)] * (order in known), order
    # Of two orders in one message the last is the one that counts.
    assert heard(message("rerun_script") + message("clear_cache")) == []
    assert heard(b"\xff") == [b"\xff"], "the app closes the connection"


def test_more_files_than_a_tab_may_send_are_not_announced() -> None:
    assert heard(names(door.MOST_NAMES + 1), names(3)) == [names(3)]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that only waiting moves."""
    told = SimpleNamespace(now=0.0)

    async def sleep(seconds: float) -> None:
        told.now += seconds

    monkeypatch.setattr(door.time, "monotonic", lambda: told.now)
    monkeypatch.setattr(door.asyncio, "sleep", sleep)
    return told


def test_messages_beyond_what_a_person_clicks_wait(clock: SimpleNamespace) -> None:
    click = message("rerun_script")
    assert heard(*[click] * door.SAID_AT_ONCE) == [click] * door.SAID_AT_ONCE
    assert clock.now == 0
    assert heard(*[click] * 1_000) == [click] * 1_000
    assert clock.now == pytest.approx((1_000 - door.SAID_AT_ONCE) / door.SAID_PER_SECOND)


@pytest.mark.parametrize("what", ["names", "bytes"])
def test_long_messages_wait_as_so_many_short_ones(what: str, clock: SimpleNamespace) -> None:
    long = BackMsg()
    long.rerun_script.query_string = "a" * 2**20
    said = names(door.MOST_NAMES) if what == "names" else long.SerializeToString()
    # What a page says when as many files are dropped as one may drop does not wait.
    assert heard(names(MOST_FILES)) == [names(MOST_FILES)]
    assert clock.now == 0
    assert heard(*[said] * 30) == [said] * 30
    assert clock.now > 30 * 6 - 6
    if what == "names":
        assert clock.now == pytest.approx(30 * 20, rel=0.1)


def test_many_tabs_of_one_address_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_TABS", 5)

    async def visits() -> list[str]:
        ends = asyncio.Event()
        let_in: list[str] = []

        async def app(scope: Any, _receive: Any, _send: Any) -> None:
            let_in.append(scope["client"][0])
            await ends.wait()

        async def send(answer: Any) -> None:
            assert answer == {"type": "websocket.close"}

        tabs = Tabs(app)
        open_tabs = []
        for place in [*"aaaaaaab", *"aab"]:
            open_tabs.append(asyncio.create_task(tabs({"type": "websocket", "client": (place, 1)}, send, send)))
            await asyncio.sleep(0)
        ends.set()
        await asyncio.gather(*open_tabs)
        assert not tabs.open
        return let_in

    assert asyncio.run(visits()) == [*"aaaaab", "b"]


def test_what_all_visitors_share_outlasts_an_emptied_cache_of_streamlit() -> None:
    shared = memory.workers(), memory._memory()
    st.cache_resource.clear()
    st.cache_data.clear()
    assert (memory.workers(), memory._memory()) == shared
