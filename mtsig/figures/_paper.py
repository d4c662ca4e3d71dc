"""Paper: a drawing goes in; the bytes of a PDF, SVG, PNG or PGF come out, the same bytes every time."""

import io
import re
import shutil
import threading
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib.style
from matplotlib import font_manager
from matplotlib.backends.backend_pgf import FigureCanvasPgf
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.layout_engine import ConstrainedLayoutEngine

from mtsig._memory import remembered
from mtsig._writing import latex, unprintable, write_file
from mtsig.corpus import Note
from mtsig.errors import NotApplicable, find
from mtsig.figures._frame import Card
from mtsig.figures._marks import FORMATS, PAGE_HEIGHT, PAPERS, Drawing, Picture

DOTS_PER_INCH = 300

TEXT, SMALL = 9, 8
"""Sizes of text in points: of axis titles, and of ticks and legends."""

_FONT = "STIXGeneral"
"""A Times that comes with matplotlib: the same glyphs, and so the same bytes, on every machine."""

_MISSING = "□"

_LOOK: dict[str, Any] = {
    "font.family": [_FONT],
    "mathtext.fontset": "stix",
    "font.size": TEXT,
    "axes.labelsize": TEXT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "legend.borderpad": 0.0,
    "legend.borderaxespad": 0.3,
    "legend.labelspacing": 0.25,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "grid.linewidth": 0.4,
    "grid.color": "#dddddd",
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.1,
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.w_pad": 0.03,
    # A dollar or underscore in a name is no mathematics.
    "text.parse_math": False,
    # Text stays text: TrueType in PDF, <text> in SVG.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    # Without it the ids in an SVG would be others every time.
    "svg.hashsalt": "mtsig",
    "savefig.dpi": DOTS_PER_INCH,
    "axes.formatter.use_locale": False,
}

_NO_DATES: dict[str, dict[str, Any]] = {
    "pdf": {"metadata": {"CreationDate": None}},
    "svg": {"metadata": {"Date": None, "Creator": None, "Format": None, "Type": None}},
    "png": {"metadata": {"Software": None}},
    "pgf": {},
}

_LOCK = threading.Lock()
"""matplotlib's settings belong to the whole process; a dashboard draws for several visitors."""


@dataclass(frozen=True)
class Sheet:
    """A figure on paper: its bytes, its size in inches, and what could not be shown."""

    data: bytes
    width: float
    height: float
    notes: tuple[Note, ...] = ()


def on_paper(picture: Drawing, format: str = "pdf", paper: str | float = "acl-column") -> Sheet:  # noqa: A002 - the word that everybody uses
    """Draw a picture for print.

    Parameters
    ----------
    picture
        The picture to draw. A card always has 1200 × 630 pixels, and is png or svg.
    format
        The file format: pdf, svg, png (300 dots per inch) or pgf.
    paper
        A name in PAPERS, or a width in inches.

    Raises
    ------
    UnknownName
        The format or the paper is unknown.
    NotApplicable
        The format is PGF, but no TeX is installed, or TeX cannot set a text.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.figures import Matrix, on_paper
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> on_paper(Matrix.of(study.results[0].compared), "pdf", "acl-column").data[:5]
    b'%PDF-'
    """
    if isinstance(picture, Card):
        return _card(picture, format)
    find({name: name for name in FORMATS}, format, "format")
    width = find(PAPERS, paper, "paper")
    height = picture.height(width)
    fonts, lost = _fonts_for("".join(picture.texts))
    settings = {**_LOOK, "font.family": list(fonts), **(_tex_settings(picture) if format == "pgf" else {})}
    notes = (*_size_notes(height), *_notes(picture, format, lost), *(_outline_notes(fonts) if format == "pdf" else ()))
    data = io.BytesIO()
    with _settings(settings):
        sheet = _Paper(figsize=(width, height), layout="constrained")
        if format == "pgf":
            FigureCanvasPgf(sheet)  # what is measured while drawing is measured by TeX
        picture.draw(sheet, _writer(format, lost))
        try:
            sheet.savefig(data, format=format, **_NO_DATES[format])
        except (RuntimeError, ValueError) as error:
            if format != "pgf":
                raise
            raise NotApplicable(f"TeX could not typeset this figure for PGF: {str(error).splitlines()[0]}") from None
    return Sheet(data.getvalue(), width, height, notes)


CARD_FORMATS = ("png", "svg")

_CARD_FONTS = ("Source Sans 3", "Source Sans Pro", "DejaVu Sans")
"""Of a card, the first one that is installed: the pages' own, or what comes with matplotlib."""


def _card(card: Card, format: str) -> Sheet:  # noqa: A002
    find({name: name for name in CARD_FORMATS}, format, "format of cards")
    house = next(name for name in _CARD_FONTS if name in {known for known, _ in _other_fonts()})
    fonts, lost = _fonts_for("".join(card.texts), house)
    data = io.BytesIO()
    # Whoever sees a card may lack its font: letters are drawn in both formats, and what no font has is in neither.
    look = {**_LOOK, "font.family": list(fonts), "figure.dpi": 100, "savefig.dpi": 100, "svg.fonttype": "path"}
    with _settings(look):
        sheet = Figure(figsize=(12, 12 * card.height(1)))
        card.draw(sheet, _writer("png", lost))
        about = {**_NO_DATES[format]["metadata"], "Title": card.said.title, "Description": card.said.sentence}
        sheet.savefig(data, format=format, metadata=about)
    whole = data.getvalue()
    if format == "svg":  # has 72 of its units in an inch, and 13 of 200 kB of indentation
        whole = whole.replace(b'width="864pt" height="453.6pt"', b'width="1200" height="630"', 1)
        whole = re.sub(rb"\n +", b"\n", whole)
    return Sheet(whole, 12, 6.3, _notes(card, "png", lost))


def glyph_notes(picture: Drawing) -> tuple[Note, ...]:
    """Return which signs of a picture no font on this machine shows, without drawing it."""
    return _notes(picture, "pdf", _fonts_for("".join(picture.texts))[1])


def save(picture: Drawing, path: str | Path, paper: str | float = "acl-column") -> Sheet:
    """Write a picture in the format of the file's extension, and return it.

    Raises
    ------
    UnknownName
        The format or the paper is unknown.
    NotApplicable
        The picture cannot be drawn in this format, as for `on_paper`.
    ReadError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import mtsig
    >>> from mtsig.figures import Matrix, save
    >>> study = mtsig.compare({"A": [3, 4, 5, 5], "B": [1, 2, 2, 3]}, higher_is_better=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = save(Matrix.of(study.results[0].compared), f"{folder}/a-b.svg")
    ...     Path(f"{folder}/a-b.svg").read_text(encoding="utf-8").count("<svg")
    1
    """
    path = Path(path)
    sheet = on_paper(picture, path.suffix.removeprefix(".").lower(), paper)
    write_file(path, sheet.data)
    return sheet


def write_picture(
    picture: Picture, stem: Path, paper: str | float = "acl-column", formats: Sequence[str] = ("pdf",)
) -> tuple[list[Path], tuple[Note, ...]]:
    """Write `stem`.html, which needs nothing else, and a file for paper in every format.

    Returns the files, and what could not be shown in them.
    """
    page = stem.with_name(f"{stem.name}.html")
    # A name of its own choice would be another one every time: the same study gives the same bytes.
    write_file(page, picture.screen().to_html(include_plotlyjs=True, div_id=stem.name).encode())
    files, notes = [page], []
    for form in formats:
        file = stem.with_name(f"{stem.name}.{form}")
        notes += [Note(note.level, f"{file.name}: {note.text}") for note in save(picture, file, paper).notes]
        files.append(file)
    return files, tuple(notes)


class _Paper(Figure):
    """A figure that is drawn once: to be saved, matplotlib draws it before that for the layout's sake alone."""

    def draw(self, renderer: Any) -> None:
        """Draw it, or only lay it out where that is still to be done."""
        engine = self.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine):
            engine.execute(self)
        else:
            super().draw(renderer)


@contextmanager
def _settings(settings: dict[str, Any]) -> Iterator[None]:
    """Draw with the house's settings on matplotlib's own defaults, whatever a matplotlibrc says."""
    with _LOCK, matplotlib.style.context(["default", settings], after_reset=False), warnings.catch_warnings():
        # What has no glyph is told in the sheet's notes, with a name and what to do.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from font")
        yield


def _writer(format: str, lost: Sequence[str]) -> Any:  # noqa: A002
    """Return what turns a text into what is drawn."""
    if format == "pgf":
        return latex
    # A viewer of the SVG may have a font that is not here.
    kept = str.maketrans({sign: _MISSING for sign in lost if format != "svg" or unicodedata.category(sign) == "Cc"})
    return lambda text: text.translate(kept)


def _size_notes(height: float) -> tuple[Note, ...]:
    if height <= PAGE_HEIGHT:
        return ()
    text = f"It is {height:.1f} in high, too much for many pages. Take a wider paper, or show less in it."
    return (Note("warning", text),)


def _notes(picture: Drawing, format: str, lost: Sequence[str]) -> tuple[Note, ...]:  # noqa: A002
    if format == "pgf":
        others = unprintable("".join(picture.texts))
        if not others:
            return ()
        text = "pdfLaTeX has no glyph for them: set the PGF with XeLaTeX or LuaLaTeX and a font that has them"
        return (Note("warning", f"{_named(others)}: {text}."),)
    if format == "svg":
        text = "no font on this computer has them; the SVG keeps them as text, for viewers with such a font"
    else:
        text = f"no font on this computer has them, so each is shown as {_MISSING}. Install one like Noto Serif CJK"
    control = [sign for sign in lost if unicodedata.category(sign) == "Cc"]
    kinds = (
        (control, f"control characters, which cannot be shown, so each is shown as {_MISSING}"),
        ([sign for sign in lost if sign not in control], text),
    )
    return tuple(Note("warning", f"{_named(signs)}: {said}.") for signs, said in kinds if signs)


def _outline_notes(fonts: Sequence[str]) -> tuple[Note, ...]:
    files = dict(_other_fonts()) if len(fonts) > 1 else {}
    others = [name for name in fonts if name in files and _has_postscript_outlines(files[name])]
    if not others:
        return ()
    text = (
        "has PostScript outlines, about which strict PDF checkers complain; a font with TrueType outlines, such as "
        "WenQuanYi Zen Hei, would be used instead"
    )
    return (Note("note", f"{', '.join(others)}: {text}."),)


def _named(signs: Sequence[str]) -> str:
    shown = ", ".join(f"{sign if sign.isprintable() else ''} (U+{ord(sign):04X})".strip() for sign in signs[:6])
    return f"{shown}{', …' if len(signs) > 6 else ''}"


def _fonts_for(text: str, house: str = _FONT) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fonts that together show the text, the house's first, and the signs that none of them has."""
    # Some fonts hold a glyph for control characters: it shows nothing of them.
    hidden = tuple(dict.fromkeys(sign for sign in text if unicodedata.category(sign) == "Cc" and sign != "\n"))
    own = glyphs(font_manager.findfont(house))
    left = tuple(dict.fromkeys(letter for letter in text if ord(letter) not in own and letter not in hidden))
    fonts = [house]
    for name, file in _other_fonts() if left else ():
        if not left:
            break
        still = tuple(sign for sign in left if ord(sign) not in glyphs(file))
        if len(still) < len(left):
            fonts.append(name)
            left = still
    return tuple(fonts), hidden + left


@remembered()
def _other_fonts() -> tuple[tuple[str, str], ...]:
    """Return name and file of the upright, not bold fonts that are installed, in an order of their own."""
    _take_up_new_fonts()
    fonts: dict[str, str] = {}
    for font in sorted(
        font_manager.fontManager.ttflist, key=lambda item: (item.name, _boldness(item.weight), item.fname)
    ):
        # Placeholder fonts show a box with a number for everything.
        upright = font.style == "normal" and "Last Resort" not in font.name
        if upright and font.name not in fonts and _boldness(font.weight) <= _LEAST_BOLD:
            fonts[font.name] = font.fname
            if _boldness(font.weight):
                # matplotlib would warn that it takes this one, for want of a regular weight.
                font_manager.fontManager.ttflist.append(replace(font, weight=400))
    return tuple(sorted(fonts.items(), key=lambda pair: (_has_postscript_outlines(pair[1]), *_preference(pair[0]))))


_LEAST_BOLD = 150
"""So far a weight may be from 400; some fonts, such as WenQuanYi Zen Hei, call their only weight 500."""


def _boldness(weight: str | int) -> int:
    return abs(font_manager.weight_dict.get(weight, 400) - 400 if isinstance(weight, str) else weight - 400)


def _preference(name: str) -> tuple[bool, bool, str]:
    """Return a key that puts serif fonts first, and Chinese forms before Japanese and Korean ones."""
    return "serif" not in name.lower(), "CJK" in name and " SC" not in name, name


@remembered()
def _has_postscript_outlines(file: str) -> bool:
    """Return whether a font holds no TrueType: what PDFs of ours promise, and what other outlines cannot keep."""
    with Path(file).open("rb") as data:
        head = data.read(16)
        if head.startswith(b"ttcf"):
            data.seek(int.from_bytes(head[12:16], "big"))
            head = data.read(4)
    return head.startswith(b"OTTO")


def _take_up_new_fonts() -> None:
    """Let matplotlib know fonts that were installed after it listed them: it keeps its list from run to run."""
    known = {font.fname for font in font_manager.fontManager.ttflist}
    for file in sorted(set(font_manager.findSystemFonts()) - known):
        # A font that cannot be read shows nothing.
        with suppress(RuntimeError, OSError, ValueError):
            font_manager.fontManager.addfont(file)


@remembered()
def glyphs(file: str | Path) -> frozenset[int]:
    """Return the code points that a font's file has a glyph for."""
    return frozenset(FT2Font(str(file)).get_charmap())


def serif_files() -> tuple[Path, Path]:
    """Return the files of a serif font that comes with matplotlib, regular and bold: the same on every machine."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return folder / "DejaVuSerif.ttf", folder / "DejaVuSerif-Bold.ttf"


def pgf_problem(picture: Drawing) -> str | None:
    """Return why a picture cannot be PGF on this machine; None when it can."""
    try:
        _tex_settings(picture)
    except NotApplicable as error:
        return str(error)
    return None


def _tex_settings(picture: Drawing) -> dict[str, Any]:
    programs = [name for name in ("pdflatex", "lualatex", "xelatex") if shutil.which(name)]
    if not programs:
        raise NotApplicable("PGF needs TeX to measure text, but TeX is not installed. Install it, or use pdf.")
    others = unprintable("".join(picture.texts))
    if others:
        programs = [name for name in programs if name != "pdflatex"]
    if not programs:
        raise NotApplicable(
            f"PGF needs LuaLaTeX or XeLaTeX for {_named(others)}, but only pdfLaTeX is installed. Use svg or pdf."
        )
    # Measured in Times, as ACL's and NeurIPS's styles set it; fonts are left to the paper's own document.
    preamble = r"\usepackage[T1]{fontenc}\usepackage{times}" if programs[0] == "pdflatex" else ""
    return {"pgf.texsystem": programs[0], "pgf.rcfonts": False, "pgf.preamble": preamble, "font.family": ["serif"]}
