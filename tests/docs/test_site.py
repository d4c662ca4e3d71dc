"""The documentation builds strictly and shows nothing from elsewhere; what it names, and what names it, is there."""

import inspect
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made import ROOT

import mtsig
from mtsig import figures
from mtsig.lab.figures import FIGURES

CITED = re.compile(r"docs/((?:statistics/)?[\w-]+\.md)(?:,\s+sections? (\d+)(?: (?:and|to) (\d+))?)?")
"""A page of the documentation in a docstring, perhaps with its section."""


WITHOUT_EXAMPLE = {
    "Study",  # its docstring is a description in the published schema
    "VERSION",
    *("doctor", "inference", "lab", "metrics", "readers", "report", "resampling", "study"),  # their names have examples
}
"""Public names whose docstring shows no example: the list only shrinks."""


class Drawn(HTMLParser):
    """What a page loads by itself: addresses of scripts, styles and pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and given.get("rel") == "canonical":
            return
        address = given.get("src") or (given.get("href") if tag == "link" else None)
        if address:
            self.loaded.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the documentation in a Python that opens no connection."""
    pytest.importorskip("material", reason="the documentation is built with pip install '.[docs]'")
    target = tmp_path_factory.mktemp("site")
    code = (
        "import socket, sys\n"
        "def refused(*_): raise AssertionError('the documentation is built without a network')\n"
        "socket.socket.connect = socket.getaddrinfo = refused\n"
        "from mkdocs.__main__ import cli\ncli()"
    )
    made = subprocess.run(
        [sys.executable, "-c", code, "build", "--strict", "--quiet", "--site-dir", str(target)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return target


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        drawn = Drawn()
        drawn.feed(page.read_text(encoding="utf-8"))
        assert drawn.loaded
        outside = [address for address in drawn.loaded if re.match(r"(?:[a-z]+:)?//", address)]
        assert outside == [], page
        # What is loaded is there.
        missing = [
            one
            for one in drawn.loaded
            if not one.startswith("data:") and not (page.parent / one.partition("?")[0]).exists()
        ]
        assert page.name == "404.html" or missing == []
    styles = "".join(file.read_text(encoding="utf-8") for file in site.rglob("*.css"))
    assert re.findall(r"url\(['\"]?(?:[a-z]+:)?//", styles) == []


def test_every_public_name_has_a_page_with_its_docstring(site: Path) -> None:
    for name in mtsig.__all__:
        stem = f"mtsig-{name}" if inspect.ismodule(getattr(mtsig, name)) else name
        text = (site / "reference" / f"{stem}.html").read_text(encoding="utf-8")
        assert f'<h1 id="mtsig{name.lower()}">mtsig.{name}' in text
    names = [path.name.lower() for path in (site / "reference").iterdir()]
    assert len(names) == len(set(names)), "two pages are one where case does not matter"
    page = (site / "reference" / "compare.html").read_text(encoding="utf-8")
    assert "Parameters" in page
    assert "a DataFrame with a column per system" in page
    assert "higher_is_better" in page


def test_every_public_name_shows_an_example_or_is_known_to_lack_one() -> None:
    lacking = {name for name in mtsig.__all__ if ">>> " not in (inspect.getdoc(getattr(mtsig, name)) or "")}
    assert lacking == WITHOUT_EXAMPLE


def test_the_gallery_shows_every_figure(site: Path) -> None:
    page = (site / "gallery.html").read_text(encoding="utf-8")
    classes = [name for name in figures.__all__ if isinstance(getattr(figures, name), type)]
    drawn = [name for name in classes if issubclass(getattr(figures, name), figures.Picture) and name != "Picture"]
    assert len(drawn) > 15
    assert [name for name in drawn if f">{name}." not in page and f"{name}.of" not in re.sub("<[^>]*>", "", page)] == []
    pictures = re.findall(r'src="(gallery/[^"]+\.svg)"', page)
    assert len(pictures) == len(set(pictures)) >= len(drawn)
    assert all((site / one).read_bytes().startswith(b"<?xml") for one in pictures)


def test_the_gallery_shows_the_figures_of_experiments(site: Path) -> None:
    page = (site / "gallery.html").read_text(encoding="utf-8")
    titles = {title for pictures in FIGURES.values() for title in pictures}
    assert [title for title in sorted(titles) if title not in page] == []


def test_docstrings_cite_sections_that_are_there() -> None:
    cited = []
    for folder in ("mtsig", "dashboard"):
        for file in (ROOT / folder).rglob("*.py"):
            text = " ".join(file.read_text(encoding="utf-8").split())
            assert not re.search(r"\b(?:STATISTICS|DOCUMENTS|TRUST|SETS|DATA)\.md", text), file
            cited += [(file.name, *found) for found in CITED.findall(text)]
    assert len(cited) > 50
    for file, page, *sections in cited:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for number in filter(None, sections):
            assert re.search(rf"^## {number}\. ", text, re.MULTILINE), (file, page, number)
