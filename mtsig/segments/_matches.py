"""What a metric matched in a segment, and its places in the text: n-grams of BLEU and of chrF.

An n-gram counts at most as often as a reference has it. Where an output repeats it more often, the occurrences within
a longer n-gram that counts come first, then those that stand further left: the metric does not say which it means.

Tokenizers change text before they cut it: they take off spaces, lower letters, write &amp; as &, leave punctuation out.
What a tokenizer did is done again here, character by character, with the place of each; where the characters are then
those of the tokens, the places are certain. Else only what stands before the first difference, or behind the last, has
a place.

Words that a metric links (METEOR, GTM, ROUGE-L, PER, WER, TER), and the table of all metrics that have matches.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray
from rapidfuzz.distance import Postfix, Prefix
from sacrebleu.metrics import lib_ter

from mtsig._limits import normalized
from mtsig.corpus import Corpus
from mtsig.corpus._corpus import Segments
from mtsig.corpus._notes import number_of
from mtsig.metrics import Bleu, Chrf, Gtm, Meteor, Metric, RougeL, SentenceBleu, Ter, Wer
from mtsig.metrics import metric as metric_of
from mtsig.metrics._bleu import MBleu, Precision
from mtsig.metrics._chrf import chrf_words, f_scores
from mtsig.metrics._rated import SentenceChrf, SentenceTer
from mtsig.metrics._word_metrics import Per, WordMetric, placed_runs
from mtsig.text import align, tokenized
from mtsig.text._alignment import NONE
from mtsig.text._edits import shifted

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
        yield cased.replaced(r"\X", lambda cluster: normalized("NFKC", cluster)).solid()


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


def _marked(line: str, tokens: tuple[Token, ...], unit: Unit, clips: Mapping[Piece, int], longest: int) -> Marked:
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


def chosen_reference(metric: Metric, line: str, references: Mapping[str, str], rows: slice = slice(None)) -> str:
    """Return the first reference that alone gives what all of them give, in these rows of the metric's counts."""
    first, *others = references
    if not others:
        return first
    # As segments of one corpus, which are counted at once: the output with all of them, then with one after the other.
    n = 1 + len(references)
    streams = {
        name: (text, *(text if place == own else None for place in range(1, n)))
        for own, (name, text) in enumerate(references.items(), 1)
    }
    counts = metric.count(Corpus(Segments(n), {"": (line,) * n}, {"": ("",)}, streams))[rows, 0]
    alone = (counts[:, 1:] == counts[:, :1]).all(axis=0)
    return list(references)[int(np.argmax(alone))]


_STAGES = ("", "stem", "synonym")


class _Cut(NamedTuple):
    """An output and the reference that the metric chose, as lines and as words with their places."""

    line: str
    reference: str
    name: str
    ours: tuple[Token, ...]
    theirs: tuple[Token, ...]

    @classmethod
    def by(cls, metric: WordMetric, line: str, references: Mapping[str, str]) -> "_Cut":
        name = chosen_reference(metric, line, references)
        words = metric.cut([line, references[name]])
        return cls(line, references[name], name, placed(words[0], line), placed(words[1], references[name]))

    @property
    def words(self) -> tuple[list[str], list[str]]:
        return [token.text for token in self.ours], [token.text for token in self.theirs]


class _Links:
    """Which word of the output goes with which of the reference, and what the others are called."""

    def __init__(self, cut: _Cut) -> None:
        self.cut = cut
        self.place_of: dict[int, int] = {}
        self.ours, self.theirs = [""] * len(cut.ours), [""] * len(cut.theirs)

    def link(self, ours: int, theirs: int, kind: str = "") -> None:
        """Link two words."""
        self.place_of[ours] = theirs
        self.ours[ours] = self.theirs[theirs] = kind

    def leave(self, ours: int | None, theirs: int | None) -> None:
        """Leave one word, or two in each other's place, without a link."""
        if ours is not None:
            self.ours[ours] = "extra" if theirs is None else "substituted"
        if theirs is not None:
            self.theirs[theirs] = "missing" if ours is None else "substituted"

    def matches(self, metric: WordMetric | Ter, counts: Sequence[float], told: str) -> Matches:
        back = {there: here for here, there in self.place_of.items()}
        ours = self._marked(self.cut.line, self.cut.ours, self.place_of, self.place_of, self.ours)
        places = {there: there for there in back}
        theirs = self._marked(self.cut.reference, self.cut.theirs, back, places, self.theirs)
        return Matches(metric, np.array(counts, dtype=np.float64), (ours,), {self.cut.name: (theirs,)}, told)

    def _marked(
        self,
        line: str,
        tokens: tuple[Token, ...],
        links: Mapping[int, int],
        places: Mapping[int, int],
        kinds: Sequence[str],
    ) -> Marked:
        """Return one side; links: to the other one, places: in the reference, whose word says what matched."""
        orders = np.zeros(len(tokens), dtype=np.intp)
        matched: defaultdict[Piece, list[int]] = defaultdict(list)
        run: list[int] = []
        for here in sorted(links):
            if run and (here, links[here]) != (run[-1] + 1, links[run[-1]] + 1):
                run = []
            run.append(here)
            orders[run] = len(run)
            matched[(self.cut.theirs[places[here]].text,)].append(here)
        return Marked(line, tokens, "word", matched, orders, 0, tuple(kinds))


def of_meteor(metric: Meteor, line: str, references: Mapping[str, str]) -> Matches:
    """Return the words that METEOR aligns: exactly, by stem, as synonyms."""
    cut = _Cut.by(metric, line, references)
    ours, theirs = cut.words
    stages = metric.stages()
    alignment, links = align(ours, theirs, stages), _Links(cut)
    for here, there in enumerate(alignment.links):
        if there != NONE:
            # A stage leaves no two words that it could match: the first that can is the one that did.
            stage = next(i for i, keys in enumerate(stages) if {*keys(ours[here])} & {*keys(theirs[there])})
            links.link(here, there, _STAGES[stage])
    kinds = Counter(links.ours[here] for here in links.place_of)
    exact, stem, synonym = (kinds[kind] for kind in _STAGES)
    chunks = number_of(alignment.chunks, "chunk", ",")
    told = f"Matched: {exact:,} exactly, {stem:,} by stem, {synonym:,} as synonyms, in {chunks}; {_lengths(cut)}"
    return links.matches(metric, [exact, stem, synonym, alignment.chunks, len(ours), len(theirs)], told)


def _of_runs(cut: _Cut) -> tuple[_Links, list[int]]:
    """Return a matching that uses every word once, in long runs, and the lengths of the runs."""
    links, lengths = _Links(cut), []
    for run in placed_runs(*cut.words):
        lengths.append(run.length)
        for offset in range(run.length):
            links.link(run.start + offset, run.place + offset)
    return links, lengths


def of_gtm(metric: Gtm, line: str, references: Mapping[str, str]) -> Matches:
    """Return the words of GTM's matching; with exponent 1 any matching is as good, and this is one in long runs."""
    cut = _Cut.by(metric, line, references)
    links, lengths = _of_runs(cut)
    told = f"Matched: {number_of(sum(lengths), 'word', ',')} in {number_of(len(lengths), 'run', ',')}; {_lengths(cut)}"
    return links.matches(metric, [metric.size(lengths), len(cut.ours), len(cut.theirs)], told)


def of_per(metric: Per, line: str, references: Mapping[str, str]) -> Matches:
    """Return the words that stand in both, wherever; of all ways to pair them one in long runs."""
    cut = _Cut.by(metric, line, references)
    links, lengths = _of_runs(cut)
    errors = max(len(cut.ours), len(cut.theirs)) - sum(lengths)
    told = f"{number_of(errors, 'error', ',')}; matched: {number_of(sum(lengths), 'word', ',')}; {_lengths(cut)}"
    return links.matches(metric, [errors, len(cut.theirs)], told)


def of_rouge(metric: RougeL, line: str, references: Mapping[str, str]) -> Matches:
    """Return a longest common subsequence of words; of several the one that rapidfuzz finds."""
    from rapidfuzz.distance import LCSseq  # here, because only metrics of edits and subsequences need it

    cut = _Cut.by(metric, line, references)
    ours, theirs = cut.words
    links = _Links(cut)
    for block in LCSseq.opcodes(ours, theirs):
        if block.tag == "equal":
            for offset in range(block.src_end - block.src_start):
                links.link(block.src_start + offset, block.dest_start + offset)
    common = len(links.place_of)
    told = f"A common subsequence of {number_of(common, 'word', ',')}; {_lengths(cut)}"
    return links.matches(metric, [metric.f(ours, theirs, common), 1.0], told)


def of_wer(metric: Wer, line: str, references: Mapping[str, str]) -> Matches:
    """Return the edits of a shortest way from the output to the reference; of several the one that rapidfuzz finds."""
    from rapidfuzz.distance import Levenshtein  # here, because only metrics of edits and subsequences need it

    cut = _Cut.by(metric, line, references)
    links, edits = _Links(cut), 0
    for block in Levenshtein.opcodes(*cut.words):
        pairs = max(block.src_end - block.src_start, block.dest_end - block.dest_start)
        edits += 0 if block.tag == "equal" else pairs
        for offset in range(pairs):
            ours = None if block.tag == "insert" else block.src_start + offset
            theirs = None if block.tag == "delete" else block.dest_start + offset
            if block.tag == "equal" and ours is not None and theirs is not None:
                links.link(ours, theirs)
            else:
                links.leave(ours, theirs)
    told = f"Edits: {_edits(links)}; {_lengths(cut)}"
    return links.matches(metric, [edits, len(cut.theirs)], told)


def of_ter(metric: Ter, line: str, references: Mapping[str, str]) -> Matches:
    """Return TER's edits: the shifts first, then one of the shortest ways from the words in their new order."""
    # Only edits are those of the chosen reference: the length is the mean of all.
    name = chosen_reference(metric, line, references, slice(0, 1))
    tokenizer = metric.scorer().tokenizer
    ours = tokenizer(line.rstrip()).split()
    # sacreBLEU cuts references twice.
    theirs = {other: tokenizer(tokenizer(text.rstrip())).split() for other, text in references.items()}
    cut = _Cut(line, references[name], name, placed(ours, line), placed(theirs[name], references[name]))
    moves = shifted(ours, theirs[name])
    order = moves.order.tolist()
    _, trace = lib_ter.BeamEditDistance(theirs[name])([ours[i] for i in order])
    links = _Links(cut)
    here = there = edits = 0
    for step in trace:
        a = None if step == "i" else order[here]
        b = None if step == "d" else there
        here, there = here + (a is not None), there + (b is not None)
        if step == " " and a is not None and b is not None:
            links.link(a, b, "shifted" if moves.moved[a] else "")
        else:
            links.leave(a, b)
            edits += 1
    lengths = [len(words) for words in theirs.values()]
    told = f"Edits: {_edits(links)}, {number_of(moves.shifts, 'block', ',')} shifted; {_lengths(cut)}"
    return links.matches(metric, [edits + moves.shifts, sum(lengths) / len(lengths)], told)


def _edits(links: _Links) -> str:
    ours, theirs = Counter(links.ours), Counter(links.theirs)
    return f"{ours['substituted']:,} substituted, {ours['extra']:,} extra, {theirs['missing']:,} missing"


def _lengths(cut: _Cut) -> str:
    return f"{number_of(len(cut.ours), 'word', ',')}, {len(cut.theirs):,} in the reference"


Matcher: TypeAlias = Callable[[Any, str, Mapping[str, str]], Matches]
"""A metric, an output, and the references by name go in."""


def _of_whole(matcher: Matcher) -> Matcher:
    """Return the matcher of a metric that is made of the counts of another one."""
    return lambda metric, line, references: matcher(metric.whole, line, references)


MATCHERS: dict[type[Metric], Matcher] = {
    Bleu: of_bleu,
    SentenceBleu: _of_whole(of_bleu),
    MBleu: _of_whole(of_bleu),
    Precision: _of_whole(of_bleu),
    Chrf: of_chrf,
    SentenceChrf: _of_whole(of_chrf),
    Ter: of_ter,
    SentenceTer: _of_whole(of_ter),
    Meteor: of_meteor,
    Gtm: of_gtm,
    RougeL: of_rouge,
    Wer: of_wer,
    Per: of_per,
}
"""By the metric's own type: a subclass may count in other ways."""

MOST_CHARACTERS = 100_000
"""A line longer than this is not marked: it is read nowhere, and would be looked through for seconds."""


def has_matches(metric: Metric) -> bool:
    """Return whether a metric can say what it matched; others (ratings, NIST, length ratios) have no places."""
    return type(metric) in MATCHERS


def matches(corpus: Corpus, metric: str | Metric, segment: int, system: str) -> Matches | None:
    """Return what the metric matched in a segment (counted from 0) of a system.

    None where it has no places to show: the metric is none that can say, the segment has no reference, or a line is
    longer than MOST_CHARACTERS.
    """
    chosen = metric_of(metric, corpus.ratings).on(corpus)
    line = corpus.lines(system)[segment]
    references = {name: text for name, lines in corpus.references.items() if (text := lines[segment]) is not None}
    longest = max(map(len, (line, *references.values())))
    if not has_matches(chosen) or not references or longest > MOST_CHARACTERS:
        return None
    return MATCHERS[type(chosen)](chosen, line, references)
