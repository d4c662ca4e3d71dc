r"""What people look at: text goes in; what is shown of it, and does nothing else, comes out, for each way out.

LaTeX has a module of its own, `mtsig.latex`; sheets have `mtsig.cells`.

>>> in_html("<b>\x1b & c"), in_markdown("*a* [b](c)")
('&lt;b&gt;\\x1b &amp; c', '\\*a\\* \\[b\\](c)')
"""

import re
from html import escape

ACTING = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # controls: an escape sequence begins with one
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # what turns the direction of the text around it
    r"\u2028\u2029"  # ends of lines
    r"\ufff9-\ufffb\U000e0000-\U000e007f"  # annotations and tags, which are never seen
    r"\ud800-\udfff]"  # bytes of a file's name that are no text
)


def visible(text: str, keep: str = "") -> str:
    r"""Return the text with every character that acts on what stands around it, but for those to keep, written out.

    >>> print(visible("base\x1b[2Jline\n"))
    base\x1b[2Jline\n
    """
    return ACTING.sub(lambda sign: sign[0] if sign[0] in keep else sign[0].encode("unicode_escape").decode(), text)


def in_html(text: str) -> str:
    """Return HTML that shows `text` as it is, between tags and in an attribute's quotation marks.

    >>> from mtsig.escaping import in_html
    >>> print(in_html('<b> & "quotes"'))
    &lt;b&gt; &amp; &quot;quotes&quot;
    """
    return escape(visible(text, keep="\n\t"))


_SIGNS = re.compile(r"([\\`*_\[\]<>|~$&#^]|!(?=\[)|:(?=//)|^=|^[+-](?=[\s-]|$))")
"""Signs that mark something up wherever they stand, or at the beginning of a line, or in an address."""

_NUMBERED = re.compile(r"(?<!\S)(\d{1,9})([.)])(?=\s|$)")
"""What numbers an item of a list, where a line begins with it."""


def in_markdown(text: str) -> str:
    r"""Return Markdown that shows `text` as it is, on one line, wherever a line of it may begin.

    >>> from mtsig.escaping import in_markdown
    >>> print(in_markdown("a_b | *c*"), in_markdown("1. one"))
    a\_b \| \*c\* 1\. one
    """
    return _NUMBERED.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", one_line(text)))


_LINKED = re.compile(r"(?<=\w://)(?=\S)|(?<=\S@)(?=\S)|(?<=www)(?=\.)|(?<=:)(?=[\w+-]+:)", re.IGNORECASE)
_JOINER = "\u2060"


def one_line(text: str) -> str:
    r"""Return text as one visible line in which no address is a link, and no :name: an emoji.

    Programs that show Markdown look for both in what is left when backslashes have done their work: there a word
    joiner, which is not seen, keeps the pieces apart.

    >>> from mtsig.escaping import one_line
    >>> one_line("two\nlines"), one_line("https://example.org")
    ('two lines', 'https://\u2060example.org')
    """
    return _LINKED.sub(_JOINER, visible(re.sub(r"[ \r\n\t]+", " ", text)).strip())
