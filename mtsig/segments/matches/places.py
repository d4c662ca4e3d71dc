"""Tokens go in, with the line that they were cut from; where each stands in that line comes out.

Tokenizers change text before they cut it: they take off spaces, lower letters, write &amp; as &, leave punctuation out.
What a tokenizer did is done again here, character by character, with the place of each; where the characters are then
those of the tokens, the places are certain. Else only what stands before the first difference, or behind the last, has
a place.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import regex
from rapidfuzz.distance import Postfix, Prefix

from mtsig.segments.matches.marked import Token


@dataclass(frozen=True, eq=False)
class Traced:
    """A text that was made of a line, and where each character of it comes from: (start, end) in the line."""

    text: str
    spans: list[tuple[int, int]]

    @classmethod
    def of(cls, line: str) -> "Traced":
        """Return the line itself."""
        return cls(line, [(i, i + 1) for i in range(len(line))])

    def replaced(self, pattern: str, by: Callable[[str], str]) -> "Traced":
        """Return the text with every match of the pattern replaced; what is new comes from all that it replaces."""
        pieces: list[str] = []
        spans: list[tuple[int, int]] = []
        at = 0
        for match in regex.finditer(pattern, self.text):
            first, last = match.span()
            new = by(match[0])
            pieces += (self.text[at:first], new)
            spans += self.spans[at:first]
            spans += [(self.spans[first][0], self.spans[last - 1][1])] * len(new)
            at = last
        return Traced("".join([*pieces, self.text[at:]]), spans + self.spans[at:])

    def without(self, pattern: str) -> "Traced":
        """Return the text without what the pattern matches."""
        return self.replaced(pattern, lambda _: "")

    def lower(self) -> "Traced":
        """Return the text in lower case."""
        lowered = self.text.lower()
        if len(lowered) == len(self.text):
            return Traced(lowered, self.spans)
        # One letter may become two (İ); which small sigma stands is for the whole text to say, and changes no length.
        spans = [span for char, span in zip(self.text, self.spans, strict=True) for _ in char.lower()]
        return Traced(lowered, spans)

    def solid(self) -> "Traced":
        """Return the text without white space."""
        kept = [i for i, char in enumerate(self.text) if not char.isspace()]
        return Traced("".join([self.text[i] for i in kept]), [self.spans[i] for i in kept])


_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _decoded(given: Traced) -> Traced:
    """Return the text as 13a and Tercom have it before they cut; one after the other, so that &amp;lt; becomes <."""
    traced = given.without("<skipped>|-\n")
    for entity, char in _ENTITIES:
        traced = traced.replaced(entity, lambda _, char=char: char)  # type: ignore[misc]
    return traced


_PUNCTUATION = r'[.,?:;!"()]'
_ASIAN = (
    "[\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]"
)


def _composed(given: Traced) -> Traced:
    """Return the text as SentencePiece's models have it: in the form NFKC, one character with its marks at a time."""
    return given.replaced(r"\X", lambda cluster: unicodedata.normalize("NFKC", cluster))


def _ways(line: str) -> Iterator[Traced]:
    """Yield what a tokenizer may have made of the line before it cut it, the simplest first."""
    given = Traced.of(line)
    for cased in (given, given.lower()):
        yield cased.solid()
        yield (decoded := _decoded(cased)).solid()
        for marks in (_PUNCTUATION, f"{_PUNCTUATION}|{_ASIAN}"):
            yield cased.without(marks).solid()
            yield decoded.without(marks).solid()
        yield _composed(cased).solid()


_SPACE = "\u2581"
"""SentencePiece's mark for a space before a piece."""


def placed(texts: Sequence[str], line: str) -> tuple[Token, ...]:
    """Return the tokens of a line with their places in it."""
    nearest, best, length = Traced("", []), texts, -1
    for shown in (texts, *([[text.replace(_SPACE, "") for text in texts]] if _SPACE in "".join(texts) else [])):
        joined = "".join(shown)
        for traced in _ways(line):
            if traced.text == joined:
                return _tokens(texts, shown, traced.spans)
            alike = Prefix.similarity(traced.text, joined) + Postfix.similarity(traced.text, joined)
            if alike > length:
                nearest, best, length = traced, shown, alike
    return _tokens(texts, best, _certain(nearest, "".join(best)))


def _certain(traced: Traced, joined: str) -> list[tuple[int, int] | None]:
    """Return the places of the characters before the first difference and behind the last one; None between them."""
    before = Prefix.similarity(traced.text, joined)
    behind = min(Postfix.similarity(traced.text, joined), min(len(joined), len(traced.text)) - before)
    between: list[tuple[int, int] | None] = [None] * (len(joined) - before - behind)
    return [*traced.spans[:before], *between, *traced.spans[len(traced.spans) - behind :]]


def _tokens(texts: Sequence[str], shown: Sequence[str], spans: Sequence[tuple[int, int] | None]) -> tuple[Token, ...]:
    tokens, at = [], 0
    for text, characters in zip(texts, shown, strict=True):
        places = spans[at : at + len(characters)]
        at += len(characters)
        first, last = (places[0], places[-1]) if places and None not in places else (None, None)
        tokens.append(Token(text) if first is None or last is None else Token(text, first[0], last[1]))
    return tuple(tokens)
