"""Text that Markdown shows as it is."""

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&^=])")


def plain(text: str) -> str:
    """Return text that Markdown shows as it is: names of systems come from files, and may hold anything."""
    return _MARKDOWN.sub(r"\\\1", text)
