"""Studies made for the tests of documents, and readers that get names back out of each format."""

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from made import flat, made_corpus
from markdown_it import MarkdownIt
from openpyxl import load_workbook
from pypdf import PdfReader

from mtsig import Corpus, Settings, metric
from mtsig.study import Margin, Request, Study, conduct
from mtsig.study._request import plan_of

NAMES = ("R&D_50%", "$x_1$ <b>v2</b>", "a\\b {c} ^~#", "=1+2 | *x*", "žluťoučký–Å")
CHINESE = "译文 system"

PLAN = """
metrics = ["bleu", "ter"]
pairs = [["sys0", "sys2"], ["sys1", "sys2"]]
alternative = "greater"
correction = "holm"
n_resamples = 200
[non_inferiority]
bleu = 2
"""


def named(corpus: Corpus, names: tuple[str, ...]) -> Corpus:
    outputs = dict(zip(names, corpus.outputs.values(), strict=True))
    return Corpus.of(outputs, corpus.references, documents=corpus.documents)


def made_study(names: tuple[str, ...] | None = None, **changes: object) -> Study:
    """A study of five made systems in two metrics, with a margin."""
    corpus = made_corpus(n=60, systems=5, documents=12)
    if names is not None:
        corpus = named(corpus, names)
    margins = (Margin("bleu", "equivalence", 1.5),)
    request = Request((metric("bleu"), metric("ter")), Settings(n_resamples=200), margins=margins)
    return conduct(corpus, replace(request, **changes))  # type: ignore[arg-type]


def planned_study() -> Study:
    return conduct(made_corpus(n=60, systems=3, documents=12), plan=plan_of(PLAN))


class Words(HTMLParser):
    """Reads the visible text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.tags.append(tag)
        self._skipped += tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.words.append(data)


def html_text(page: str) -> str:
    reader = Words()
    reader.feed(page)
    return " ".join(reader.words)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def _html(files: Mapping[str, bytes]) -> str:
    return html_text(files["report.html"].decode())


def _markdown(files: Mapping[str, bytes]) -> str:
    rendered = MarkdownIt("gfm-like", {"linkify": False}).render(files["report.md"].decode())
    return html_text(rendered)


def _csv(files: Mapping[str, bytes]) -> str:
    rows = [row for data in files.values() for row in csv.reader(io.StringIO(data.decode(), newline=""))]
    return "\n".join(cell for row in rows for cell in row)


def _xlsx(files: Mapping[str, bytes]) -> str:
    book = load_workbook(io.BytesIO(files["tables.xlsx"]))
    return "\n".join(str(cell.value) for sheet in book for row in sheet for cell in row if cell.value is not None)


def _json(files: Mapping[str, bytes]) -> str:
    return "\n".join(flat(json.loads(files["study.json"]))["data"]["systems"])


def _pdf(files: Mapping[str, bytes]) -> str:
    return "\n".join(PdfReader(io.BytesIO(data)).pages[0].extract_text() for data in files.values())


def _svg(files: Mapping[str, bytes]) -> str:
    return "\n".join("".join(ElementTree.fromstring(data).itertext()) for data in files.values())


_COMMANDS = {
    r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|",
}  # fmt: skip


def _latex(files: Mapping[str, bytes]) -> str:
    """Undo LaTeX's escapes as its manual defines them."""
    text = files["tables.tex"].decode()
    parts = re.split("(" + "|".join(map(re.escape, _COMMANDS)) + ")", text)
    return "".join(_COMMANDS.get(part) or re.sub(r"\\([&%$#_{}])", r"\1", part) for part in parts)


READ_BACK: dict[str, Callable[[Mapping[str, bytes]], str]] = {
    "html": _html, "latex": _latex, "pdf": _pdf, "svg": _svg, "markdown": _markdown, "csv": _csv, "xlsx": _xlsx,
    "json": _json,
}  # fmt: skip
"""How to get the text out of each format again, by other programs than ours where there are some."""

PACKAGES = ("booktabs.sty", "longtable.sty", "natbib.sty", "times.sty", "graphicx.sty", "pgf.sty", "underscore.sty")


@cache
def no_latex() -> str | None:
    """Return why LaTeX cannot be tried here; None when it can."""
    if shutil.which("pdflatex") is None or shutil.which("bibtex") is None:
        return "no LaTeX on this machine (Debian: texlive-latex-base)"
    found = subprocess.run(["kpsewhich", *PACKAGES], check=False, capture_output=True, text=True).stdout
    missing = [name for name in PACKAGES if name not in found]
    names = "texlive-latex-recommended, texlive-fonts-recommended, texlive-pictures"
    return f"this LaTeX lacks {', '.join(missing)} (Debian: {names})" if missing else None


PAPER = r"""\documentclass[11pt,a4paper,twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage{times,booktabs,longtable,natbib,graphicx}
\begin{document}
\input{methods-short.tex}

\input{methods.tex}
\input{tables.tex}
\IfFileExists{tables-more.tex}{\input{tables-more.tex}}{}
\bibliographystyle{plainnat}
\bibliography{references}
\end{document}
"""


def compiled(files: Mapping[str, bytes], folder: Path) -> str:
    """Return the text of the PDF that LaTeX and BibTeX make of the files."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "paper.tex").write_text(PAPER, encoding="utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for command in (latex, ["bibtex", "paper"], latex, latex):
        told = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, errors="replace")
        assert told.returncode == 0, told.stdout[-3000:]
    assert "undefined" not in told.stdout
    return squeezed(" ".join(page.extract_text() for page in PdfReader(folder / "paper.pdf").pages))
