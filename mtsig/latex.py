r"""LaTeX: text goes in, LaTeX that prints it comes out, whatever signs it holds.

>>> latex("R&D_50% <new> \\ ± 2")
'R\\&D\\_50\\% \\textless{}new\\textgreater{} \\textbackslash{} $\\pm$ 2'
"""

import re

from mtsig.escaping import ACTING

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\`{}",
    '"': '"{}',  # babel's German reads it together with what follows
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "α": r"$\alpha$",
    "Δ": r"$\Delta$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "▲": r"$\bigtriangleup$",
    "▼": r"$\bigtriangledown$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "…": r"\ldots{}",
    "\u00a0": "~",
}


def latex(text: str) -> str:
    """Return LaTeX that prints `text`; only base LaTeX is needed, unless `unprintable` names signs.

    Line breaks become spaces; other controls, and what turns the direction of text, are named: [U+0007].
    """
    return _JOINED.sub("{}", "".join(_SIGNS.get(sign) or _plain(sign) for sign in text))


_JOINED = re.compile(r"(?<=[-–])(?=-)|(?<=')(?=')|(?<=,)(?=,)")
"""Between signs of which TeX's fonts make one: two hyphens would be printed as a dash, commas as a quotation mark."""


def _plain(sign: str) -> str:
    if sign in "\n\r\t":
        return " "
    return f"[U+{ord(sign):04X}]" if ACTING.match(sign) else sign


def unprintable(text: str) -> list[str]:
    r"""Return the signs that pdfLaTeX has no glyph for without further packages, each once.

    With \usepackage[T1]{fontenc} it prints the Latin letters of Western and Central Europe; other scripts need XeLaTeX
    or LuaLaTeX with a font that has them, or a package such as CJKutf8.
    """
    return list(dict.fromkeys(sign for sign in ACTING.sub("", text) if sign not in _SIGNS and not _is_latin(sign)))


_NOT_IN_T1 = "ĦħĸĿŀŉŦŧſ"
"""Latin letters for which LaTeX's own encodings have no glyph."""


def _is_latin(sign: str) -> bool:
    return (ord(sign) < 0x180 and sign not in _NOT_IN_T1) or sign in "–—‘’“”‚„‹›•"
