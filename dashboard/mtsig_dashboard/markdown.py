"""Text that a page shows as it is, wherever Streamlit takes Markdown."""

import re

from mtsig.escaping import one_line

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&^=])")

_REPLACED = re.compile(r"(?<=:)(?=material/)|(?<![^\s\ufeff][-<>~])(?<=[-<>~])(?=(?:->|[->=])(?![^\s\ufeff]))")
"""Inside what Streamlit replaces after it has read the Markdown: names of icons, arrows and the like between spaces."""


def plain(text: str) -> str:
    """Return Markdown that shows text as it is, on one line: names come from files, and may hold anything."""
    return _MARKDOWN.sub(r"\\\1", _REPLACED.sub("\u2060", one_line(text)))
