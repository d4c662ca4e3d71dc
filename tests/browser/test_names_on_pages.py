"""What Streamlit itself makes of texts that a page shows: nothing but the text."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import idle, wait_for
from made import ROOT
from playwright.sync_api import Browser

PIECES = (
    "*", "_", "`", "~~", "**", "[", "]", "(", ")", "!", "[a](http://b.c)", "![a](http://b.c/d.png)", "<b>", "#", "# ",
    "<img src=x>", "- ", "1. ", "    ", "\t", "\n\n", "===", "---", "|", "\\", "&amp;", "$", "$a$", "$$b$$", "mailto:",
    "http://a.b/c", "HTTPS://A.B", "www.a.b", "WWW.", "a@b.c", ":", ":red[a]", ":tada:", ":+1:", ":material/check:",
    ":material_check:", ":streamlit:", ":red-badge[a]", ":small[a]", ":help[x]", "->", "<-", "<->", "--", ">=", "<=",
    "~=", " ", "[^1]", "[^1]: a", "[x] ", "^", "{", "}", ":::a", "::a", "word", "系统", "מערכת", "é", "=",
)  # fmt: skip

PAGE = """
import json, sys
import streamlit as st
from mtsig_dashboard.parts.show import plain
texts = json.load(open(sys.argv[1]))
for text in texts:
    st.markdown(plain(text))
for text in texts[::5]:
    st.checkbox(plain(text), key=text)
"""

FOUND = """() => [...document.querySelectorAll('[data-testid=stMain] [data-testid=stMarkdownContainer]')].map(one => [
    one.textContent, [...one.querySelectorAll('*')].map(inner => inner.tagName).join(' ')])"""


def texts() -> list[str]:
    chosen = random.Random(13)
    mixed = ["".join(chosen.choices(PIECES, k=chosen.randint(2, 6))) for _ in range(200)]
    return [text for text in (*PIECES, *(f"a {piece} b" for piece in PIECES), *mixed) if text.strip()]


@pytest.fixture
def page_of_texts(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "page.py").write_text(PAGE)
    (tmp_path / "texts.json").write_text(json.dumps(texts()))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", str(tmp_path / "page.py"), "--server.headless=true",
        f"--server.port={port}", "--browser.gatherUsageStats=false", "--", str(tmp_path / "texts.json"),
    ]  # fmt: skip
    with (tmp_path / "log").open("wb") as log:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=log, stderr=log, env=environment, start_new_session=True
        )
    try:
        wait_for(f"http://localhost:{port}/_stcore/health", process, tmp_path / "log")
        yield f"http://localhost:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)


def test_streamlit_shows_texts_and_makes_nothing_of_them(browser: Browser, page_of_texts: str) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(page_of_texts)
    idle(page)
    given = [*texts(), *texts()[::5]]
    page.wait_for_function(f"() => ({FOUND})().length >= {len(given)}")
    found = page.evaluate(FOUND)
    page.close()
    for text, (shown, tags) in zip(given, found, strict=True):
        assert " ".join(shown.replace("\u2060", "").split()) == " ".join(text.split())
        assert tags == "P", text
    inside = (page_of_texts, page_of_texts.replace("http", "ws"), "data:")
    assert not [url for url in asked if not url.startswith(inside)]
