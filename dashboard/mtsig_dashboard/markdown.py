"""Text that a page shows as it is, wherever Streamlit takes Markdown."""

import re

from mtsig.report import one_line

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&^=])")

_REPLACED = re.compile(r"(?<=:)(?=material/)|(?<![^\s\ufeff][-<>~])(?<=[-<>~])(?=(?:->|[->=])(?![^\s\ufeff]))")
"""Inside what Streamlit replaces after it has read the Markdown: names of icons, arrows and the like between spaces."""


_OF_ONE_NUMBER = re.compile(r"(?<=\b[pα]) (?=[=<] )|(?<=\b[pα] [=<]) (?=[.\d])|(?<=±) (?=[.\d])|(?<=\S) (?=· )")
"""Spaces at which a line must not break: a sign would end it, and its number begin the next, or a dot begin it."""


_LONGEST = 100_000
"""Characters of a text that is shown; nobody reads more, and each takes time of the server."""


def plain(text: str) -> str:
    """Return Markdown that shows text as it is, on one line: names come from files, and may hold anything.

    A line does not break between "p =" or "±" and the number, nor before a dot in the middle.
    """
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    return _MARKDOWN.sub(r"\\\1", _OF_ONE_NUMBER.sub("\u00a0", _REPLACED.sub("\u2060", one_line(text))))
