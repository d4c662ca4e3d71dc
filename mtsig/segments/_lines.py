"""A line as HTML that shows it, and the marks on it, as it is and can do nothing else; and how two lines differ."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import regex

from mtsig._memory import remembered
from mtsig._writing import ACTING, in_html
from mtsig.corpus._notes import number_of
from mtsig.text._characters import UNSPACED

SHOWN = 400
"""Words of a line that are shown at once; in scripts without spaces, characters."""

_LONGEST_SHOWN = 10 * SHOWN
"""Characters that are shown at once, whatever the words."""

MOST_CHARACTERS = 100_000
"""Characters of a line that are written at all."""

_CUT = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in UNSPACED)
_WORD = regex.compile(rf"[{_CUT}]\p{{M}}*|[^\s{_CUT}]+")

_UNSPACED = regex.compile(f"[{_CUT}]")

SIGNS = regex.compile(f"(?:{ACTING.pattern}|[\u00ad\u180e\u200b\u2060-\u2064])")
"""Characters that nobody sees: each is shown by its number. Joiners stay, which letters and emoji need."""

_DRAWN = {"\t": "⇥", "\n": "⏎"}


class Mark(NamedTuple):
    """Characters from `start` to before `end` of a line, the fixed names of how they look, and what that means."""

    start: int
    end: int
    look: str
    meaning: str


def length_of(line: str) -> str:
    """Return how long a line is, in words, or in characters where words have no spaces between them."""
    if len(line) > MOST_CHARACTERS:
        return number_of(len(line), "character", ",")
    words = [word[0] for word in _WORD.finditer(line)]
    single = sum(_UNSPACED.match(word) is not None for word in words)
    return number_of(len(words), "character" if 2 * single > len(words) else "word", ",")


def line_html(line: str, layers: Sequence[Sequence[Mark]] = (), errors: Sequence[Mark] = ()) -> str:
    """Return the line: its first SHOWN words, and the others behind a button.

    layers: marks, those of a layer one beside the other, the first layer innermost. errors: what somebody marked; they
    lie over the marks, and what they mean is written behind each. What is not in the line is never copied with it.
    """
    shown = line[:MOST_CHARACTERS]
    cut = _first_words(shown)
    pieces = list(_pieces(shown, layers, errors, cut))
    head = "".join(html for at, html in pieces if at < cut)
    if cut == len(shown):
        return head
    rest = "".join(html for at, html in pieces if at >= cut)
    more = f"show all {len(line):,} characters"
    left = len(line) - len(shown)
    note = f'<p class="seg-note">{left:,} more characters are not shown here.</p>' if left else ""
    return f'{head}<details class="seg-more"><summary>{more}</summary><bdi dir="auto">{rest}</bdi>{note}</details>'


def _first_words(line: str) -> int:
    """Return where the words that are shown at once end; the line's end when it is hardly longer."""
    end = len(line)
    for number, word in enumerate(_WORD.finditer(line), 1):
        if number == SHOWN:
            end = word.end()
            break
    return min(end, _LONGEST_SHOWN, len(line))


def _pieces(line: str, layers: Sequence[Sequence[Mark]], errors: Sequence[Mark], cut: int) -> Iterator[tuple[int, str]]:
    """Yield HTML, and where in the line it begins; nothing reaches over the cut."""
    below, above = [_by_character(len(line), marks) for marks in layers], _by_character(len(line), errors)
    for first, last in _clusters(line):
        # What one sees as one character looks like one: a mark on part of it is on all of it.
        for layer in (*below, above):
            told = next((mark for mark in layer[first:last] if mark), None)
            layer[first:last] = [told] * (last - first)
    labels: defaultdict[int, list[str]] = defaultdict(list)
    for error in errors:
        labels[min(error.end, len(line))].append(error.meaning)
    yield 0, _label(labels.get(0, ()))
    at = 0
    for (error_here, _), group in groupby(range(len(line)), key=lambda i: (above[i], i >= cut)):
        start, end = at, at + len(list(group))
        inner: list[str] = []
        for part in (*sorted(place for place in labels if start < place < end), end):
            inner += (_nested(line, at, part, below), _label(labels.get(part, ())))
            at = part
        # A label at the end stands behind the error, not in it.
        yield start, _within("".join(inner[:-1]), error_here) + inner[-1]


def _nested(line: str, start: int, end: int, layers: Sequence[Sequence[Mark | None]]) -> str:
    """Return the HTML of a piece of a line in its marks, those of the last layer outermost."""
    if not layers:
        return _shown(line[start:end])
    *inner, outer = layers
    pieces = []
    for mark, group in groupby(range(start, end), key=outer.__getitem__):
        places = list(group)
        pieces.append(_within(_nested(line, places[0], places[-1] + 1, inner), mark))
    return "".join(pieces)


def _within(html: str, mark: Mark | None) -> str:
    return html if mark is None else f'<span class="{mark.look}" title="{in_html(mark.meaning)}">{html}</span>'


def _label(texts: Sequence[str]) -> str:
    """Return what is written behind errors that end here."""
    return f'<small class="seg-label" dir="ltr">{in_html("; ".join(texts))}</small>' if texts else ""


def _by_character(n: int, marks: Iterable[Mark]) -> list[Mark | None]:
    result: list[Mark | None] = [None] * n
    for mark in marks:
        for i in range(mark.start, min(mark.end, n)):
            result[i] = mark
    return result


def _clusters(line: str) -> Iterator[tuple[int, int]]:
    """Yield the places of what is seen as one character and has several code points."""
    if not line.isascii():
        for cluster in regex.finditer(r"\X", line):
            if cluster.end() - cluster.start() > 1:
                yield cluster.span()


def _shown(text: str) -> str:
    """Return text with signs for what nobody sees."""
    at = 0
    pieces: list[str] = []
    for sign in SIGNS.finditer(text):
        pieces += (in_html(text[at : sign.start()]), _sign(sign[0]))
        at = sign.end()
    return "".join([*pieces, in_html(text[at:])])


@remembered()
def _sign(char: str) -> str:
    """Return the sign of a character; its direction is its own, so that it does not decide the line's."""
    number = f"{ord(char):04X}"
    name = unicodedata.name(char, "a control character")
    return f'<span class="seg-sign" dir="ltr" title="U+{number} {name}">{_DRAWN.get(char, number)}</span>'


Span: TypeAlias = tuple[int, int]

MOST_WORDS = 10_000
"""Longer lines are not compared: the table of all pairs of words is kept to find the way through it."""

_COMPARED = regex.compile(rf"[{_CUT}]\p{{M}}*|(?:[^\W{_CUT}]|\p{{M}})+|[^\w\s]\p{{M}}*")


def gaps(first: str, second: str) -> list[tuple[list[Span], list[Span]]] | None:
    """Return the places where two lines differ: of each, the words of either line that the other has not there.

    Between them stand the words of a longest common subsequence. Words are what stands between spaces and punctuation;
    punctuation marks are words, and so are the characters of scripts without spaces. None where a line has more than
    MOST_WORDS, or MOST_CHARACTERS.
    """
    from rapidfuzz.distance import LCSseq  # here, because only the cards need it

    if max(len(first), len(second)) > MOST_CHARACTERS:
        return None
    words = [[(word[0], word.span()) for word in _COMPARED.finditer(line)] for line in (first, second)]
    if max(map(len, words)) > MOST_WORDS:
        return None
    ours, theirs = ([word for word, _ in line] for line in words)
    found: list[tuple[list[Span], list[Span]]] = [([], [])]
    for step in LCSseq.opcodes(ours, theirs):
        if step.tag == "equal":
            found.append(([], []))
        else:
            found[-1][0].extend(span for _, span in words[0][step.src_start : step.src_end])
            found[-1][1].extend(span for _, span in words[1][step.dest_start : step.dest_end])
    return [gap for gap in found if any(gap)]


def differing(first: str, second: str) -> tuple[list[Span], list[Span]] | None:
    """Return the places of words in each line that the other does not have there; None where `gaps` is."""
    between = gaps(first, second)
    if between is None:
        return None
    return [span for gap in between for span in gap[0]], [span for gap in between for span in gap[1]]
