"""What pages make of texts and names that were made to do something: nothing but the text."""

import io
import json
import os
import random
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import by_link, idle, wait_for
from made import ROOT
from playwright.sync_api import Browser, Page, expect

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
        process.wait(180)


@pytest.mark.slow
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


NAMES = (
    "<img src=x onerror=alert(1)>", "<script>window.made=1</script>", "</script><svg/onload=alert(2)>",
    "**b** _i_ `c` :material/check: :red[x]", "![x](http://b.c/x.png) [a](javascript:alert(3))",
    r"$\frac{1}{$ \input{/etc/passwd}%", "{0.__class__} {}{{x}} %s", "\u202egnp.exe\u2066 \x1b[31mred\x07", "__proto__",
    "a\nb\rc\u2028d &lt;b&gt;", "L" * 1000, "=cmd|' /C calc'!A0|\u00a0pad ",
)  # fmt: skip
"""What systems are called whose data were made to do harm."""

WAYS = ("results", "segments", "paper", "compare", "data", "trust", "planning", "learn", "lab")

MADE = """() => [!!window.made, document.querySelectorAll(
    '[onerror], [onload], a[href^="javascript"], [data-testid=stException], .katex').length,
  [...document.querySelectorAll('img')].filter(one => !one.src.startsWith('data:') && one.src.includes('b.c')).length,
  /[\\u202a-\\u202e\\u2066-\\u2069\\u2028\\x07\\x1b]/.test(document.body.innerText + [...document.querySelectorAll(
    'svg text')].map(one => one.textContent).join(' '))]"""
"""What names came to on a page: a script that ran, elements, pictures, and signs that act on others."""


@pytest.mark.slow
def test_names_of_systems_do_nothing_on_any_page(blank: Page, server: str) -> None:
    page = blank
    page.goto(f"{server}/data?n_resamples=200")
    idle(page)
    chosen, words = random.Random(3), ["the", "cat", "sat", "on", "a", "red", "mat", "while", "dogs", "ran"]
    segments = [chosen.choices(words, k=9) for _ in range(20)]
    rows = [
        {"ref": " ".join(segment)}
        | {name: " ".join(chosen.choice([word, word, word, "x"]) for word in segment) for name in NAMES}
        for segment in segments
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        [{"name": "made.jsonl", "mimeType": "text/plain", "buffer": content}]
    )
    expect(page.get_by_text(f"1 reference · {len(NAMES)} systems · 20 segments")).to_be_visible()
    idle(page)
    for way in WAYS:
        by_link(page, way)
        assert page.evaluate(MADE) == [False, 0, 0, False], way
    assert asked == []


@pytest.mark.slow
def test_names_of_test_sets_do_nothing_where_they_are_together(page: Page, server: str) -> None:
    names, packed = [name.replace("/", "") for name in NAMES if len(name) < 100], io.BytesIO()
    chosen = random.Random(5)
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names[::4]:
            for file in ("refs/ref", *(f"systems/{system}" for system in names[1::3])):
                lines = ["".join(chosen.choice(["a ", "b ", "c "]) for _ in range(15)) for _ in range(20)]
                archive.writestr(f"{name}/{file}.txt", "".join(f"{line}\n" for line in lines))
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        [{"name": "sets.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}]
    )
    see = page.get_by_role("button", name="See the test sets")
    expect(see).to_be_visible()
    idle(page)
    assert page.evaluate(MADE) == [False, 0, 0, False]
    see.click()
    folds = ("Every average", "All systems over all sets", "Set by set in numbers and words")
    expect(page.get_by_text(folds[0])).to_be_visible()
    idle(page)
    for fold in folds:
        page.locator("summary").filter(has_text=fold).click()
        idle(page)
    assert page.evaluate(MADE) == [False, 0, 0, False]
    assert asked == []
