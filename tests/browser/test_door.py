"""What every answer says to a browser keeps other sites out, and breaks nothing of the pages."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page


@pytest.fixture
def foreign() -> Iterator[str]:
    """A site of somebody else: a page that frames whatever its address names, and one that says hello."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            _, _, framed = self.path.partition("?")
            page = f'<iframe src="{framed}"></iframe>' if framed else "<p>hello</p>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


def framed(page: Page, site: str, url: str) -> str:
    """Return what stands in the frame of a foreign page."""
    page.goto(f"{site}/?{url}", wait_until="load")
    frame = page.frames[1]
    frame.wait_for_load_state()
    return frame.url


def test_another_sites_page_frames_nothing_of_the_dashboard(browser: Browser, server: str, foreign: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    assert framed(page, foreign, f"{foreign}/hello") == f"{foreign}/hello"
    for path in ("/", "/segments?data=sample", "/_stcore/health"):
        assert framed(page, foreign, server + path).startswith("chrome-error:")
    # All other tests in the browser show that files, charts and downloads work under the same headers.
    headers = context.request.get(server).headers
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["content-security-policy"] == "frame-ancestors 'self'"
    context.close()
