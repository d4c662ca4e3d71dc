"""What a metric matched in a segment, and its places in the text: n-grams of BLEU and of chrF.

An n-gram counts at most as often as a reference has it. Where an output repeats it more often, the occurrences within
a longer n-gram that counts come first, then those that stand further left: the metric does not say which it means.

Tokenizers change text before they cut it: they take off spaces, lower letters, write &amp; as &, leave punctuation out.
What a tokenizer did is done again here, character by character, with the place of each; where the characters are then
those of the tokens, the places are certain. Else only what stands before the first difference, or behind the last, has
a place.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray
from rapidfuzz.distance import Postfix, Prefix

from mtsig.metrics import Bleu, Chrf, Metric
from mtsig.metrics._chrf import chrf_words, f_scores
from mtsig.text import tokenized

Piece: TypeAlias = tuple[str, ...] | str
"""An n-gram as it was counted: words, or a text of n characters."""


Unit: TypeAlias = Literal["word", "character"]


class Token(NamedTuple):
    """A word or a character as the metric counted it.

    start, end: where it stands in the line as it was given, in code points; None where that cannot be told for certain.
    """

    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, eq=False)
class Marked:
    """A line, the tokens that it was cut into, and what of them matched.

    matched: what matched -> the numbers of the tokens that its counted occurrences begin with, ascending; of n tokens
    for an n-gram. orders: shape (tokens,), how many tokens the longest match has that covers each; 0 for none. longest:
    the longest n-gram that the metric counts; 0 where it links words, however many in a row. kinds: for each token how
    it matched if not as it stands (stem, synonym, shifted), or what it is if it did not (substituted, extra, missing),
    else ""; empty where the metric knows no kinds.
    """

    line: str
    tokens: tuple[Token, ...]
    unit: Unit
    matched: Mapping[Piece, Sequence[int]]
    orders: NDArray[np.intp]
    longest: int
    kinds: tuple[str, ...] = ()

    @property
    def unplaced(self) -> int:
        """How many matched tokens cannot be shown, as nobody can tell for certain where they stand."""
        return sum(token.start is None for token, order in zip(self.tokens, self.orders, strict=True) if order)

    def beyond(self, others: Sequence["Marked"]) -> NDArray[np.bool_]:
        """Return which tokens are covered by a match that none of the others has, or has as often; shape (tokens,).

        Of several occurrences of the same the first ones count as those that the others have, too.
        """
        mask = np.zeros(len(self.tokens), dtype=bool)
        for piece, starts in self.matched.items():
            shared = max((len(other.matched.get(piece, ())) for other in others), default=0)
            for start in starts[shared:]:
                mask[start : start + len(piece)] = True
        return mask


@dataclass(frozen=True, eq=False)
class Matches:
    """What a metric matched in one segment of one system.

    metric: whose counts these are; BLEU for a mean of sentence BLEU. counts: shape (k,), its statistics of the segment,
    added up from what is marked here. output: the output, and for chrF++ once more in words. references: name -> the
    reference, marked in the same way, for each that the metric counted against; those that it did not choose are not
    there. told: the counts in words.
    """

    metric: Metric
    counts: NDArray[np.float64]
    output: tuple[Marked, ...]
    references: Mapping[str, tuple[Marked, ...]]
    told: str


@dataclass(frozen=True, eq=False)
class Traced:
    """A text that was made of a line, and where each character of it comes from: (start, end) in the line."""

    text: str
    spans: list[tuple[int, int]]

    @classmethod
    def of(cls, line: str) -> "Traced":
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


def _ways(line: str) -> Iterator[Traced]:
    """Yield what a tokenizer may have made of the line before it cut it, the simplest first."""
    given = Traced.of(line)
    for cased in (given, given.lower()):
        yield cased.solid()
        yield (decoded := _decoded(cased)).solid()
        for marks in (_PUNCTUATION, f"{_PUNCTUATION}|{_ASIAN}"):
            yield cased.without(marks).solid()
            yield decoded.without(marks).solid()
        yield cased.replaced(r"\X", lambda cluster: unicodedata.normalize("NFKC", cluster)).solid()


_SPACE = "\u2581"
"""SentencePiece's mark for a space before a piece."""


def placed(texts: Sequence[str], line: str) -> tuple[Token, ...]:
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


def of_bleu(metric: Bleu, line: str, references: Mapping[str, str]) -> Matches:
    """Return the n-grams that a reference has, each at most as often as in the reference that has it most often."""
    tokenizer = metric.scorer().tokenizer
    order = metric.max_ngram_order

    def cut(text: str) -> tuple[Token, ...]:
        return placed(tokenized([text.lower() if metric.lowercase else text], tokenizer).lists()[0], text)

    ours, theirs = cut(line), {name: cut(text) for name, text in references.items()}
    clips = reduce(or_, (_ngrams(_items(tokens, "word"), order) for tokens in theirs.values()))
    output = _marked(line, ours, "word", clips, order)
    closest = min((len(tokens) for tokens in theirs.values()), key=lambda length: (abs(length - len(ours)), length))
    own = _ngrams(_items(ours, "word"), order)
    return Matches(
        metric,
        np.array([len(ours), closest, *_sizes(output, order), *_totals(len(ours), order)], dtype=np.float64),
        (output,),
        {name: (_marked(references[name], tokens, "word", own, order),) for name, tokens in theirs.items()},
        _told(output, order),
    )


def of_chrf(metric: Chrf, line: str, references: Mapping[str, str]) -> Matches:
    """Return the n-grams of characters, and of words, that the reference with the best F has as well."""
    compared = [_against(metric, line, name, text) for name, text in references.items()]
    counts = np.array([count.counts for count in compared]).T
    return compared[int(f_scores(counts, metric.counted_as).argmax())]


def _against(metric: Chrf, line: str, name: str, reference: str) -> Matches:
    counts: list[int] = []
    outputs, references, told = [], [], []
    orders: tuple[tuple[Unit, int], ...] = (("character", metric.char_order), ("word", metric.word_order))
    for unit, order in orders:
        if not order:
            continue
        cut = _characters if unit == "character" else _chrf_words
        ours, theirs = cut(line, metric), cut(reference, metric)
        outputs.append(_marked(line, ours, unit, _ngrams(_items(theirs, unit), order), order))
        references.append(_marked(reference, theirs, unit, _ngrams(_items(ours, unit), order), order))
        totals = zip(_totals(len(ours), order), _totals(len(theirs), order), _sizes(outputs[-1], order), strict=True)
        for mine, there, matched in totals:
            counts += [mine if there else 0, there, matched]
        told.append(_told(outputs[-1], order))
    texts = {name: tuple(references)}
    return Matches(metric, np.array(counts, dtype=np.float64), tuple(outputs), texts, "; ".join(told))


def _characters(line: str, metric: Chrf) -> tuple[Token, ...]:
    traced = Traced.of(line)
    traced = traced.lower() if metric.lowercase else traced
    traced = traced if metric.whitespace else traced.solid()
    return tuple(Token(char, *span) for char, span in zip(traced.text, traced.spans, strict=True))


def _chrf_words(line: str, metric: Chrf) -> tuple[Token, ...]:
    return placed(chrf_words([line.lower() if metric.lowercase else line]).lists()[0], line)


def _items(tokens: Sequence[Token], unit: Unit) -> Piece:
    """Return tokens as a sequence whose slices are n-grams."""
    return "".join([token.text for token in tokens]) if unit == "character" else tuple(token.text for token in tokens)


def _ngrams(items: Piece, longest: int) -> Counter[Piece]:
    return Counter(items[i : i + n] for n in range(1, longest + 1) for i in range(len(items) - n + 1))


def _totals(length: int, longest: int) -> list[int]:
    """Return how many n-grams of each order so many tokens have."""
    return [max(0, length - n) for n in range(longest)]


def _sizes(marked: Marked, longest: int) -> list[int]:
    """Return how many n-grams of each order are marked."""
    sizes = [0] * longest
    for piece, starts in marked.matched.items():
        sizes[len(piece) - 1] += len(starts)
    return sizes


def _told(marked: Marked, longest: int) -> str:
    """Return how many n-grams of each order matched, of how many."""
    counts = zip(_sizes(marked, longest), _totals(len(marked.tokens), longest), strict=True)
    shown = ", ".join(f"{matched:,} of {total:,}" for matched, total in counts)
    return f"Matched {marked.unit} n-grams, from n = 1: {shown}"


def _marked(
    line: str,
    tokens: tuple[Token, ...],
    unit: Unit,
    clips: Mapping[Piece, int],
    longest: int,
) -> Marked:
    """Return the line with those n-grams marked that count; clips: how often each may."""
    items = _items(tokens, unit)
    matched: dict[Piece, list[int]] = {}
    orders = np.zeros(len(tokens), dtype=np.intp)
    # Where n-grams begin that are one longer and count.
    longer: set[int] = set()
    for n in range(longest, 0, -1):
        places: defaultdict[Piece, list[int]] = defaultdict(list)
        for i in range(len(items) - n + 1):
            if (piece := items[i : i + n]) in clips:
                places[piece].append(i)
        counted = set()
        for piece, starts in places.items():
            if len(starts) > clips[piece]:
                starts.sort(key=lambda i: (i not in longer and i - 1 not in longer, i))
                starts = sorted(starts[: clips[piece]])
            matched[piece] = starts
            counted.update(starts)
        for i in counted:
            orders[i : i + n] = np.maximum(orders[i : i + n], n)
        longer = counted
    return Marked(line, tokens, unit, matched, orders, longest)
