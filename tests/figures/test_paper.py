"""Figures on paper: the screen's numbers, the promised size, text as text, and the same bytes every time."""

import hashlib
import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from kept import worded
from made import ROOT, made_statistics
from matplotlib import font_manager
from matplotlib.collections import LineCollection
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.image import imread
from papers import no_latex
from pypdf import PdfReader
from pypdf.generic import DictionaryObject
from sampled import slow

from mtsig import MtsigError, Settings, size_curve
from mtsig._writing import shorts
from mtsig.errors import NotApplicable, UnknownName
from mtsig.figures import FORMATS, PAPERS, Curves, Histogram, IntervalBars, Matrix, Picture, on_paper, save
from mtsig.figures import _paper as paper_module
from mtsig.figures._marks import PHONE, Room
from mtsig.figures._paper import Sheet, pgf_problem
from mtsig.metrics import Statistics
from mtsig.segments._ablation import Ablation

KINDS = ("bars", "matrix", "resampled", "shuffled", "dots", "curves", "widths", "relative", "difference")
AWKWARD = ("R&D_50%", "$x_1$ <b>", "a\\b {c}", "#1 ~^ |\"'`", "žluťoučký–Å")
PAPER_FORMATS = ("pdf", "svg", "png")
DRAWN_AGAIN = ("matrix", "shuffled", "widths")
SOME = ("bars", "matrix", "dots", "curves")


def dots(statistics: Statistics) -> Picture:
    """Return the first of the pictures alone."""
    return IntervalBars.of(Settings().intervals(statistics))


def pictures(statistics: Statistics) -> dict[str, Picture]:
    family = Settings(n_resamples=300).family(statistics)
    assert family.null is not None
    scored = Settings().intervals(statistics)
    curves = size_curve(statistics, Ablation(sizes=(0.3, 0.6, 1.0), repeats=10))
    gap = size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10), pair=statistics.systems[:2])  # type: ignore[arg-type]
    return {
        "bars": IntervalBars.of(scored),
        "matrix": Matrix.of(family),
        "resampled": Histogram.of_resampled(family.resampled(0), family[0]),
        "shuffled": Histogram.of_shuffled(family.null[0], family[0]),
        "dots": Histogram.of_resampled(family.resampled(0), family[0], margin=0.5, dots=True),
        "curves": Curves.of_scores(curves),
        "widths": Curves.of_widths(curves),
        "relative": Curves.of_widths(curves, relative=True),
        "difference": Curves.of_scores(gap),
    }


@pytest.fixture(scope="module")
def plain() -> dict[str, Picture]:
    return pictures(made_statistics(n=150, systems=5))


@cache
def awkward_pictures() -> dict[str, Picture]:
    return pictures(replace(made_statistics(n=150, systems=len(AWKWARD)), systems=AWKWARD))


@pytest.fixture
def awkward() -> dict[str, Picture]:
    return awkward_pictures()


@cache
def drawing(kind: str, form: str, paper: str = "acl-full") -> Sheet:
    """Return a picture of awkward names on paper, drawn once for all tests that look at it."""
    return on_paper(awkward_pictures()[kind], form, paper)


def drawn(picture: Picture) -> Any:
    """Return the axes of a picture drawn on paper."""
    paper = Figure(figsize=(3, 3), layout="constrained")
    picture.draw(paper, str)
    return paper.axes[0]


# --- the same numbers as on the screen ------------------------------------------------------------------------


def test_dots_and_intervals_are_those_of_the_screen(plain: dict[str, Picture]) -> None:
    (screen,) = plain["bars"].screen().data
    axes = drawn(plain["bars"])
    (container,) = axes.containers
    assert container[0].get_xdata().tolist() == list(screen.x)
    assert container[0].get_ydata().tolist() == list(screen.y)
    (bars,) = [one for one in axes.collections if isinstance(one, LineCollection)]
    ends = [(segment[0][0], segment[1][0]) for segment in bars.get_segments()]
    low = [x - gap for x, gap in zip(screen.x, screen.error_x.arrayminus, strict=True)]
    high = [x + gap for x, gap in zip(screen.x, screen.error_x.array, strict=True)]
    assert np.array(ends) == pytest.approx(np.array([low, high]).T)
    assert [label.get_text() for label in axes.get_yticklabels()] == list(plain["bars"].screen().layout.yaxis.ticktext)


@pytest.mark.parametrize("kind", ["resampled", "shuffled"])
def test_bars_and_lines_are_those_of_the_screen(plain: dict[str, Picture], kind: str) -> None:
    screen = plain[kind].screen(PHONE)
    axes = drawn(plain[kind])
    bars = [trace for trace in screen.data if isinstance(trace, go.Bar)]
    groups = [group for group in axes.containers if isinstance(group, BarContainer)]
    assert [[bar.get_height() for bar in group] for group in groups] == [list(trace.y) for trace in bars]
    for group, trace in zip(groups, bars, strict=True):
        assert [bar.get_x() + bar.get_width() / 2 for bar in group] == pytest.approx(list(trace.x))
    lines = {line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 2 == 1 + len(set(line.get_xdata()))}
    shown = [trace for trace in screen.data if isinstance(trace, go.Scatter) and trace.mode == "lines"]
    assert {trace.x[0] for trace in shown if len(set(trace.x)) == 1} == lines


@pytest.mark.parametrize("kind", ["curves", "widths", "relative", "difference"])
def test_curves_are_those_of_the_screen(plain: dict[str, Picture], kind: str) -> None:
    screen = [trace for trace in plain[kind].screen().data if trace.name]
    lines = [line for line in drawn(plain[kind]).lines if line.get_clip_on()]  # the others lead to names
    shown = [(list(line.get_xdata()), list(line.get_ydata())) for line in lines if len(set(line.get_ydata())) > 1]
    assert shown == [(list(trace.x), list(trace.y)) for trace in screen]


def test_bands_of_curves_are_those_of_the_screen(plain: dict[str, Picture]) -> None:
    screen = [trace for trace in plain["curves"].screen().data if not trace.name]
    for position, band in enumerate(drawn(plain["curves"]).collections):
        corners = {tuple(corner) for corner in band.get_paths()[0].vertices.round(9).tolist()}
        for trace in screen[2 * position : 2 * position + 2]:
            assert {(float(x), round(y, 9)) for x, y in zip(trace.x, trace.y, strict=True)} <= corners


def test_curves_can_be_told_apart_without_colour(plain: dict[str, Picture]) -> None:
    lines = [line for line in drawn(plain["curves"]).lines if line.get_clip_on()]
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines}) == len(lines) == 5


def test_the_tail_is_hatched(plain: dict[str, Picture]) -> None:
    far = drawn(plain["shuffled"]).containers[1]
    assert all(bar.get_hatch() for bar in far)


# --- PDF, SVG, PNG ----------------------------------------------------------------------------------------------


def fonts_of(pdf: PdfReader) -> list[DictionaryObject]:
    found = []
    for font in pdf.pages[0]["/Resources"]["/Font"].values():  # type: ignore[index]
        one = font.get_object()
        found.append(one["/DescendantFonts"][0].get_object() if "/DescendantFonts" in one else one)
    return found


@pytest.mark.parametrize(
    ("kind", "paper"),
    [*((kind, "acl-full") for kind in SOME), ("bars", "neurips-half"), *slow(*product(KINDS, PAPERS))],
)
def test_a_pdf_has_the_promised_width(awkward: dict[str, Picture], kind: str, paper: str) -> None:
    sheet = drawing(kind, "pdf", paper)
    box = PdfReader(io.BytesIO(sheet.data)).pages[0].mediabox
    assert float(box.width) == pytest.approx(72 * PAPERS[paper], abs=0.01)
    assert (float(box.width), float(box.height)) == pytest.approx((72 * sheet.width, 72 * sheet.height), abs=0.01)
    assert sheet.notes == ()


def names_in(picture: Picture) -> set[str]:
    """The awkward names that stand in a picture, as far as they are in one line."""
    drawn = "\n".join(picture.scene(Room(PAPERS["acl-full"])).texts)
    return {name for name in AWKWARD if name in drawn}


def test_the_papers_are_those_of_the_style_files() -> None:
    # ACL: \textwidth 16 cm, \columnsep .6 cm; NeurIPS: \textwidth 5.5 in.
    assert {name: round(72.27 * width, 2) for name, width in PAPERS.items()} == {
        "acl-column": 219.09, "acl-full": 455.24, "neurips-half": 191.52, "neurips-full": 397.48,
    }  # fmt: skip


@pytest.mark.parametrize("kind", [*SOME, *slow(*KINDS)])
def test_text_in_a_pdf_is_text_in_true_type(awkward: dict[str, Picture], kind: str) -> None:
    pdf = PdfReader(io.BytesIO(drawing(kind, "pdf").data))
    text = " ".join(pdf.pages[0].extract_text().split())
    assert names_in(awkward[kind])
    for name in names_in(awkward[kind]):
        assert name in text, text
    for font in fonts_of(pdf):
        assert font["/Subtype"] in ("/TrueType", "/CIDFontType2")
        assert "/FontFile2" in font["/FontDescriptor"].get_object()
    assert not pdf.metadata or "/CreationDate" not in pdf.metadata


@pytest.mark.parametrize("kind", [*SOME, *slow(*KINDS)])
def test_text_in_an_svg_is_text_and_nothing_is_fetched(awkward: dict[str, Picture], kind: str) -> None:
    sheet = drawing(kind, "svg")
    root = ElementTree.fromstring(sheet.data)
    texts = " ".join("".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text"))
    for name in names_in(awkward[kind]):
        assert name in texts
    assert float(root.attrib["width"].removesuffix("pt")) == pytest.approx(72 * PAPERS["acl-full"], abs=0.01)
    links = [value for one in root.iter() for key, value in one.attrib.items() if key.endswith("href")]
    assert all(link.startswith("#") for link in links)
    assert b"<dc:date>" not in sheet.data


def test_a_png_has_300_dots_per_inch(plain: dict[str, Picture]) -> None:
    sheet = on_paper(plain["bars"], "png", "acl-column")
    high, wide, _ = imread(io.BytesIO(sheet.data)).shape
    assert (wide, high) == (round(300 * sheet.width), round(300 * sheet.height))


# The narrowest paper for all; the widest for those that are drawn on it for other tests anyway.
@pytest.mark.parametrize(
    ("kind", "paper"),
    [*((kind, "neurips-half") for kind in DRAWN_AGAIN), ("bars", "acl-full"), *slow(*product(KINDS, PAPERS))],
)
def test_nothing_is_cut_off_at_the_edge(awkward: dict[str, Picture], kind: str, paper: str) -> None:
    pixels = imread(io.BytesIO(drawing(kind, "png", paper).data))[..., :3]
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert edge.min() > 0.9, f"{kind} touches the edge of {paper}"


# --- the same bytes -----------------------------------------------------------------------------------------------

ALL_AGAIN = """
import hashlib, sys
sys.path[:0] = ["tests", "tests/figures", "tests/report"]
from test_paper import DRAWN_AGAIN, PAPER_FORMATS, drawing
for kind, form in zip(DRAWN_AGAIN, PAPER_FORMATS):
    print(kind, form, hashlib.sha256(drawing(kind, form).data).hexdigest())
"""


@pytest.mark.slow
def test_two_processes_draw_the_same_bytes() -> None:
    command = [sys.executable, "-c", ALL_AGAIN]
    found = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    digests = dict(line.rsplit(" ", 1) for line in found)
    assert len(digests) == len(PAPER_FORMATS)
    for kind, form in zip(DRAWN_AGAIN, PAPER_FORMATS, strict=True):
        assert digests[f"{kind} {form}"] == hashlib.sha256(drawing(kind, form).data).hexdigest(), (kind, form)


# What DRAWN_AGAIN names, another process draws.
@pytest.mark.parametrize(
    ("kind", "form"),
    [("curves", "pdf"), ("dots", "svg"), ("bars", "png"),
     *slow(*((kind, "svg") for kind in KINDS if kind not in DRAWN_AGAIN))],
)  # fmt: skip
def test_drawing_again_gives_the_same_bytes(awkward: dict[str, Picture], kind: str, form: str) -> None:
    assert on_paper(awkward[kind], form, "acl-full").data == drawing(kind, form).data


def test_threads_do_not_disturb_each_other(plain: dict[str, Picture]) -> None:
    alone = on_paper(plain["bars"], "pdf").data
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda i: on_paper(plain["bars"] if i % 2 else plain["curves"], "pdf").data, range(4)))
    assert {one for i, one in enumerate(found) if i % 2} == {alone}


def test_settings_of_the_users_own_change_nothing_and_are_left_alone(plain: dict[str, Picture]) -> None:
    before = on_paper(plain["bars"], "svg").data
    with mpl.rc_context({"font.size": 30.0, "axes.grid": True, "svg.fonttype": "path"}):
        assert on_paper(plain["bars"], "svg").data == before
        assert mpl.rcParams["font.size"] == 30
    assert mpl.rcParams["pdf.fonttype"] == 3


# --- signs without a glyph ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lost() -> Picture:
    # U+A66E is in no font that a program would count on.
    return dots(replace(made_statistics(n=60, systems=2), systems=("eye ꙮ", "译文")))


def test_a_missing_glyph_is_said_and_never_silent(lost: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.figures._paper._other_fonts", lambda: ())
    for form in ("pdf", "png"):
        (note,) = on_paper(lost, form).notes
        assert note.level == "warning"
        assert "ꙮ (U+A66E)" in note.text
        assert "译 (U+8BD1)" in note.text
        assert "Install one" in note.text
    shown = PdfReader(io.BytesIO(on_paper(lost, "pdf").data)).pages[0].extract_text()
    assert "eye □" in shown


def test_an_svg_keeps_the_sign_for_a_viewer_that_has_it(lost: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.figures._paper._other_fonts", lambda: ())
    sheet = on_paper(lost, "svg")
    assert "译文" in sheet.data.decode()
    worded(sheet.notes[0].text)


def test_another_font_is_taken_where_it_has_the_glyph() -> None:
    # matplotlib's own DejaVu Sans has Georgian letters, its Times does not.
    picture = dots(replace(made_statistics(n=60, systems=2), systems=("ქართული", "b")))
    sheet = on_paper(picture, "pdf")
    assert sheet.notes == ()
    assert "ქართული" in PdfReader(io.BytesIO(sheet.data)).pages[0].extract_text()


@pytest.fixture
def fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Return what makes a font of one sign after matplotlib has listed its own fonts, which are the only others."""
    own = mpl.get_data_path()
    kept = [font for font in font_manager.fontManager.ttflist if font.fname.startswith(own)]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", kept)
    monkeypatch.setattr(font_manager, "findSystemFonts", list)
    paper_module._other_fonts.kept.clear()

    def install(path: Path, name: str, *, weight: int = 400, true_type: bool = True) -> Path:
        builder = FontBuilder(1000, isTTF=true_type)
        builder.setupGlyphOrder([".notdef", "sign"])
        builder.setupCharacterMap({ord("译"): "sign"})
        outline = TTGlyphPen(None) if true_type else T2CharStringPen(900, None)
        for step, point in enumerate([(50, 0), (50, 800), (850, 800), (850, 0)]):
            (outline.lineTo if step else outline.moveTo)(point)
        outline.closePath()
        if true_type:
            builder.setupGlyf({".notdef": outline.glyph(), "sign": outline.glyph()})
        else:
            drawn = outline.getCharString()
            builder.setupCFF(name, {"FullName": name}, {".notdef": drawn, "sign": drawn}, {})
        builder.setupHorizontalMetrics({".notdef": (900, 50), "sign": (900, 50)})
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        builder.setupNameTable({"familyName": name, "styleName": "Regular", "psName": name.replace(" ", "")})
        builder.setupOS2(usWeightClass=weight)
        builder.setupPost()
        builder.save(path)
        found = [*font_manager.findSystemFonts(), str(path)]
        monkeypatch.setattr(font_manager, "findSystemFonts", lambda: found)
        paper_module._other_fonts.kept.clear()
        return path

    yield install
    paper_module._other_fonts.kept.clear()


def test_a_font_is_found_that_was_installed_later_and_calls_its_weight_500(
    fonts: Callable[..., Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    picture = dots(replace(made_statistics(n=60, systems=2), systems=("译", "b")))
    assert "译 (U+8BD1)" in on_paper(picture, "png").notes[0].text
    fonts(tmp_path / "late.ttf", "Late Hei", weight=500)
    sheet = on_paper(picture, "pdf")
    assert sheet.notes == ()
    assert "译" in PdfReader(io.BytesIO(sheet.data)).pages[0].extract_text()
    assert not caplog.records


def test_true_type_is_taken_first_and_other_outlines_are_said(fonts: Callable[..., Path], tmp_path: Path) -> None:
    picture = dots(replace(made_statistics(n=60, systems=2), systems=("译", "b")))
    fonts(tmp_path / "outlines.otf", "Serif Outlines", true_type=False)
    (note,) = on_paper(picture, "pdf").notes
    assert note.level == "note"
    worded(note.text, "Outlines", "PostScript")
    assert on_paper(picture, "svg").notes == ()
    fonts(tmp_path / "later.ttf", "Zen Sans")
    sheet = on_paper(picture, "pdf")
    assert sheet.notes == ()
    assert b"/FontFile2" in sheet.data
    assert b"/FontFile3" not in sheet.data


def test_a_file_that_is_no_font_hides_no_other(fonts: Callable[..., Path], tmp_path: Path) -> None:
    picture = dots(replace(made_statistics(n=60, systems=2), systems=("译", "b")))
    fonts(tmp_path / "a.ttf", "Broken").write_bytes(b"no font")
    fonts(tmp_path / "b.ttf", "Whole")
    assert on_paper(picture, "pdf").notes == ()


def test_signs_that_act_on_others_are_written_out_in_names() -> None:
    name = "\u202ea\x07b\nc\u2028"
    picture = dots(replace(made_statistics(n=60, systems=2), systems=(name, "b")))
    written = r"\u202ea\x07b\nc\u2028"
    screen, paper = picture.screen().to_json(), on_paper(picture, "svg").data.decode()
    assert all(sign not in screen + paper for sign in ("\u202e", "\x07", "\u2028"))
    assert written.replace("\\", "\\\\") in screen
    assert f">{written}" in paper
    assert [on_paper(picture, form).notes for form in PAPER_FORMATS] == [()] * len(PAPER_FORMATS)


# --- PGF --------------------------------------------------------------------------------------------------------


def test_pgf_is_set_by_tex_with_the_names_in_it(awkward: dict[str, Picture], tmp_path: Path) -> None:
    if reason := no_latex():
        pytest.skip(reason)
    pages = []
    for kind in SOME:
        sheet = on_paper(awkward[kind], "pgf")
        if kind in DRAWN_AGAIN:
            assert sheet.data == on_paper(awkward[kind], "pgf").data, kind
        (tmp_path / f"{kind}.pgf").write_bytes(sheet.data)
        pages.append(f"\\input{{{kind}.pgf}}\\clearpage\n")
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{times,pgf}\\begin{document}\n"
        f"{''.join(pages)}\\end{{document}}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    told = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert told.returncode == 0, told.stdout[-2000:]
    shown = PdfReader(tmp_path / "paper.pdf").pages
    assert len(shown) == len(SOME)
    for kind, page in zip(SOME, shown, strict=True):
        assert "R&D_50%" in " ".join(page.extract_text().split()), kind


def test_pgf_with_signs_that_pdflatex_lacks_says_so(lost: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.figures._paper.shutil.which", lambda name: name if name == "pdflatex" else None)
    with pytest.raises(NotApplicable, match=r"LuaLaTeX or XeLaTeX for 译 \(U\+8BD1\), 文"):
        on_paper(lost, "pgf")


def test_without_tex_pgf_is_refused_and_the_others_are_not(
    plain: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mtsig.figures._paper.shutil.which", lambda _: None)
    worded(str(pgf_problem(plain["bars"])))
    with pytest.raises(NotApplicable, match="use pdf"):
        on_paper(plain["bars"], "pgf")
    assert on_paper(plain["bars"], "pdf").data


# --- saving -------------------------------------------------------------------------------------------------------


def test_the_ending_says_the_format(plain: dict[str, Picture], tmp_path: Path) -> None:
    for form in PAPER_FORMATS:
        sheet = save(plain["curves"], tmp_path / f"figure.{form}", "neurips-half")
        assert (tmp_path / f"figure.{form}").read_bytes() == sheet.data
        assert sheet.width == 2.65


def test_a_width_in_inches_will_do(plain: dict[str, Picture]) -> None:
    assert on_paper(plain["bars"], "pdf", 4.2).width == 4.2


@pytest.mark.parametrize(("form", "paper"), [("jpeg", "acl-column"), ("pdf", "emnlp")])
def test_unknown_formats_and_papers_are_refused(plain: dict[str, Picture], form: str, paper: str) -> None:
    with pytest.raises(UnknownName, match="Known"):
        on_paper(plain["bars"], form, paper)


def test_formats_are_the_four_of_the_readme() -> None:
    assert FORMATS == ("pdf", "svg", "png", "pgf")
    assert issubclass(UnknownName, MtsigError)


@pytest.mark.parametrize("kind", KINDS)
def test_every_caption_says_what_is_shown_and_claims_no_more(plain: dict[str, Picture], kind: str) -> None:
    caption = plain[kind].caption
    assert caption.endswith(".")
    assert "BLEU" in caption or kind in ("widths", "relative")
    assert not re.search(r"probab|overlap|sensitiv(?!e\.)", caption.replace("more sensitive", ""))


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["neurips-half", *slow("acl-full")])  # the narrowest and the widest
def test_long_names_that_look_alike_have_room(paper: str) -> None:
    names = tuple(f"transformer-big-with-backtranslation-{i}-and-noisy-channel-reranking-average" for i in "12")
    for kind, picture in pictures(replace(made_statistics(n=60, systems=2), systems=names)).items():
        # A layout that finds no room warns, and a warning is an error here; an SVG is laid out like a PDF.
        if kind not in ("bars", "matrix", "curves"):
            assert on_paper(picture, "svg", paper).notes == ()
        else:
            text = PdfReader(io.BytesIO(on_paper(picture, "pdf", paper).data)).pages[0].extract_text()
            assert all(name in "".join(text.split()) for name in shorts(names))
            assert [name for name in "12" if f"-{name}-" in text] == ["1", "2"]


def test_heights_grow_with_what_is_shown() -> None:
    heights = [IntervalBars.of(Settings().intervals(made_statistics(n=40, systems=s))).height(3) for s in (2, 5, 15)]
    assert all(low < high for low, high in pairwise(heights))
