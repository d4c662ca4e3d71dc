"""A browser that opens a page is known by a secret that it alone has, and that nothing on the page can read."""

import asyncio
from collections.abc import Mapping
from http.cookies import SimpleCookie

import pytest
from mtsig_dashboard.serving._door import BROWSER_COOKIE as COOKIE
from mtsig_dashboard.serving._door import Known, secret_of
from starlette.responses import PlainTextResponse
from starlette.types import Message

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
