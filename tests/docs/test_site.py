"""The documentation builds strictly and shows nothing from elsewhere; what it names, and what names it, is there."""

import html
import importlib
import inspect
import json
import re
import sys
import unicodedata
import warnings
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from made import ROOT
from test_architecture import PUBLIC_FACES

import mtsig
from mtsig import figures
from mtsig.lab import FIGURES
from mtsig.lab._koehn2004 import MeanInterval
from mtsig.lessons._course import COURSE
from mtsig.meta_eval._blind_spots import Underrated

CITED = re.compile(r"docs/((?:statistics/)?[\w-]+\.md)(?:,\s+sections? (\d+)(?: (?:and|to) (\d+))?)?")
"""A page of the documentation in a docstring, perhaps with its section."""


LOADING = re.compile(r"<link\b[^>]*>|<[a-zA-Z][^<>]*\ssrc\b[^>]*>", re.IGNORECASE)
"""The tags that load something; to look at all others takes seconds."""


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
    """Build the documentation here, where the program is loaded; the gallery without its pictures."""
    folder = tmp_path_factory.mktemp("site")
    build(folder, "unpainted")
    return folder / "site"


def build(folder: Path, gallery: str) -> None:
    """Write the pages and build them; a link that leads nowhere is an error."""
    zensical = pytest.importorskip("zensical", reason="the documentation is built with pip install '.[docs]'")

    def refused(*_: object) -> None:
        raise AssertionError("the documentation is built without a network")

    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings():
        warnings.simplefilter("default")
        patched.setattr("socket.socket.connect", refused)
        patched.setattr("socket.getaddrinfo", refused)
        patched.setenv("MTSIG_GALLERY", gallery)
        patched.syspath_prepend(ROOT / "docs")
        sys.modules.pop("gallery", None)
        pages = importlib.import_module("made_pages")
        zensical.build(str(importlib.reload(pages).written(folder)), {"strict": True, "clean": False})


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    check_what_is_loaded(site)


def check_what_is_loaded(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        drawn = Drawn()
        drawn.feed("".join(LOADING.findall(page.read_text(encoding="utf-8"))))
        assert drawn.loaded or page.parent.name == "learn"
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
    assert "a DataFrame with a column per system" in " ".join(page.split())
    assert "higher_is_better" in page


def names_of(face: str) -> dict[str, object]:
    """Return the public names of a face that are no modules."""
    module = importlib.import_module(face)
    own = getattr(module, "__all__", None) or [
        name for name, thing in vars(module).items() if name[0] != "_" and getattr(thing, "__module__", "") == face
    ]
    return {name: getattr(module, name) for name in own if not inspect.ismodule(getattr(module, name))}


def test_every_name_of_every_face_stands_in_the_reference(site: Path) -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (site / "reference").glob("*.html")}
    for face in sorted(PUBLIC_FACES - {"mtsig"}):
        text = pages[face.replace(".", "-")]
        assert [name for name in names_of(face) if f'<h2 id="{name.lower()}' not in text] == [], face


ORDER = ("Parameters", "Returns", "Raises", "See Also", "Notes", "References", "Examples")
"""Sections of a docstring, as numpydoc orders them."""


def test_the_verbs_say_all_that_goes_in_and_what_goes_wrong() -> None:
    functions = {name: thing for name, thing in names_of("mtsig").items() if inspect.isfunction(thing)}
    assert len(functions) > 20
    for name, function in functions.items():
        said = inspect.getdoc(function) or ""
        taken = [key for key in inspect.signature(function).parameters if not re.search(rf"\b{key}\b", said)]
        assert taken == [], name
        sections = re.findall(r"^(\w[\w ]+)\n-+$", said, re.MULTILINE)
        assert {"Parameters", "Returns", "Examples"} <= {*sections}, name
        assert sections == [section for section in ORDER if section in sections], name
    raising = re.compile(r"^    +raise [A-Z]", re.MULTILINE)
    silent = [
        f"{face}.{name}"
        for face in PUBLIC_FACES
        for name, thing in names_of(face).items()
        if inspect.isfunction(thing) and raising.search(inspect.getsource(thing))
        and not re.search(r"^Raises\n---|\bRaise ", inspect.getdoc(thing) or "", re.MULTILINE)
    ]  # fmt: skip
    assert silent == []


def test_public_names_show_how_they_are_used() -> None:
    shown = {name: getattr(mtsig, name) for name in mtsig.__all__ if name != "VERSION"}
    assert len(shown) > 30
    assert [name for name, thing in shown.items() if ">>> " not in (inspect.getdoc(thing) or "")] == []
    lacking = [
        f"{face}.{name}"
        for face in sorted(PUBLIC_FACES)
        for name, thing in names_of(face).items()
        if inspect.isfunction(thing) and ">>> " not in (thing.__doc__ or "")
    ]
    assert lacking == []


def test_the_gallery_shows_every_figure(site: Path) -> None:
    page = (site / "gallery.html").read_text(encoding="utf-8")
    classes = [name for name in figures.__all__ if isinstance(getattr(figures, name), type)]
    # Plots are what the experiments below draw.
    bases = ("Picture", "Plot")
    drawn = [name for name in classes if issubclass(getattr(figures, name), figures.Picture) and name not in bases]
    assert len(drawn) > 15
    assert [name for name in drawn if f">{name}." not in page and f"{name}.of" not in re.sub("<[^>]*>", "", page)] == []
    pictures = re.findall(r'src="(gallery/[^"]+\.svg)"', page)
    assert len(pictures) == len(set(pictures)) >= len(drawn)
    assert all((site / one).read_bytes().startswith(b"<?xml") for one in pictures)


def test_the_gallery_shows_the_figures_of_experiments(site: Path) -> None:
    page = (site / "gallery.html").read_text(encoding="utf-8")
    # What papers alone draw belongs to no experiment.
    titles = {
        title for kind, pictures in FIGURES.items() for title in pictures if kind not in (MeanInterval, Underrated)
    }
    assert [title for title in sorted(titles) if title not in page] == []


def test_the_course_leads_to_its_lessons(site: Path) -> None:
    assert 'href="learn/index.html"' in (site / "course.html").read_text(encoding="utf-8")
    course = (site / "learn" / "index.html").read_text(encoding="utf-8")
    files = [path.name for path in (site / "learn").iterdir() if path.name != "index.html"]
    assert files
    assert all(name in course for name in files)


@pytest.mark.slow
def test_every_picture_of_the_gallery_is_painted(tmp_path: Path) -> None:
    build(tmp_path, "painted")
    site = tmp_path / "site"
    check_what_is_loaded(site)
    assert len(list((site / "learn").iterdir())) == 1 + len(COURSE)
    painted = {file.name: file.read_bytes() for file in (site / "gallery").glob("*.svg")}
    page = (site / "gallery.html").read_text(encoding="utf-8")
    assert painted.keys() == set(re.findall(r"gallery/([\w-]+\.svg)", page))
    assert len(painted) > 40
    assert min(map(len, painted.values())) > 2000
    assert (site / "matrix.png").read_bytes().startswith(b"\x89PNG")


def outside_code(page: str) -> str:
    return re.sub(r"(?ms)^```.*?^```|^(?: {4}[^\n]*\n)+|`[^`]*`", "", page)


def test_every_page_stands_in_the_navigation(site: Path) -> None:
    def leaves(nav: Any) -> set[str]:
        if isinstance(nav, str):
            return {nav.replace(".md", ".html")}
        return {leaf for one in (nav.values() if isinstance(nav, dict) else nav) for leaf in leaves(one)}

    pages = {page.relative_to(site).as_posix() for page in site.rglob("*.html") if page.parent.name != "learn"}
    assert pages - {"404.html"} == leaves(json.loads((site.parent / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    groups = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    assert [name for group in groups for name in group] == ["Learn", "How to", "Statistics", "Reference"]


def test_formulas_are_typeset_with_every_sign(site: Path) -> None:
    def signs(text: str) -> str:
        return re.sub(r"[\s_^√{}()]", "", unicodedata.normalize("NFKC", html.unescape(re.sub("<[^>]*>", "", text))))

    typeset = 0
    for page in (ROOT / "docs" / "statistics").glob("*.md"):
        text = re.sub(r"(?ms)^```.*?^```", "", page.read_text(encoding="utf-8"))
        formulas = [line for line in re.findall(r"(?m)^    (.+)$", text) if not line.startswith(("mtsig", "py"))]
        shown = (site / "statistics" / f"{page.stem}.html").read_text(encoding="utf-8")
        found = re.findall(r"<math.*?</math>", shown)
        assert [signs(one) for one in found] == [signs(line) for line in formulas]
        typeset += len(found)
    assert typeset > 35


EMPHASIS = re.compile(r"(?<![\w*\\])(\*{1,2})(?=[^\s*])([^*]+?)(?<=[^\s*\\])\1(?![\w*])")


def test_no_formula_loses_a_star_or_what_lowers_a_sign(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        source = re.sub(r"(?m)^\s*\* ", "", outside_code(page.read_text(encoding="utf-8")))
        source = EMPHASIS.sub(r"\2", re.sub(r"\]\([^)]*\)", "]", source))
        shown = (site / page.relative_to(ROOT / "docs").with_suffix(".html")).read_text(encoding="utf-8")
        (shown,) = re.findall(r"(?s)<article.*?</article>", shown)
        shown = re.sub("<[^>]*>", "", re.sub(r"(?s)<(code|math)\b.*?</\1>", "", shown))
        assert (shown.count("*"), shown.count("_")) == (source.count("*"), source.count("_")), page


def test_the_search_finds_what_people_look_for(site: Path) -> None:
    items = json.loads((site / "search.json").read_text(encoding="utf-8"))["items"]
    for words, page in (
        ("p-value", "statistics/index.html"), ("paired bootstrap", "statistics/tests.html"),
        ("COMET", "recipes.html"), ("mtsig.compare", "reference/compare.html"),
    ):  # fmt: skip
        found = [one["location"] for one in items if words.lower() in f"{one['title']} {one['text']}".lower()]
        assert any(one.startswith(page) for one in found), words
    # The source of names is shown, and not searched.
    page = (site / "reference" / "compare.html").read_text(encoding="utf-8")
    assert "<summary>Source: mtsig/_front.py, line " in page
    assert re.search(r'Types: .*<a href="Study.html">Study</a>', page)
    assert "@spelled_out" in page
    assert not any("@spelled_out" in one["text"] for one in items)


def test_notebooks_are_pages_with_what_their_cells_showed(site: Path) -> None:
    for file in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        page = (site / "notebooks" / f"{file.stem}.html").read_text(encoding="utf-8")
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert page.count("language-python") == len(code) > 2
        assert page.count("<table") + page.count("language-text") >= sum(bool(cell["outputs"]) for cell in code)


def test_docstrings_cite_sections_that_are_there() -> None:
    cited = []
    for folder in ("mtsig", "dashboard", "tests", "docs"):
        for file in (file for form in ("*.py", "*.md") for file in (ROOT / folder).rglob(form)):
            text = " ".join(file.read_text(encoding="utf-8").split())
            pages = re.findall(r"(?<![\w/])[A-Z][A-Z_]+\.md\b", text)
            assert [page for page in pages if not (ROOT / page).exists()] == [], file
            cited += [(file.name, *found) for found in CITED.findall(text)]
    assert len(cited) > 50
    for file, page, *sections in cited:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for number in filter(None, sections):
            assert re.search(rf"^## {number}\. ", text, re.MULTILINE), (file, page, number)
