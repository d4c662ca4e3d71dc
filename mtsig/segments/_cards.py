"""Cards: a segment of a corpus goes in; HTML that shows it, with what a metric matched in it, comes out.

Names and texts come from files and may hold anything: they are escaped, and nothing else of them is ever in a tag.

A line as HTML that shows it, and the marks on it, as it is and can do nothing else; and how two lines differ.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._probability import points_text
from mtsig._writing import ACTING, in_html, short_names, visible
from mtsig.corpus import Corpus, ErrorSpan
from mtsig.corpus._annotations import Side, errors_of
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import InvalidOption, find
from mtsig.metrics import Metric
from mtsig.metrics import metric as metric_of
from mtsig.segments._matches import Marked, Matches, has_matches, matches
from mtsig.text import writing_of
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
        yield start, _marked_within("".join(inner[:-1]), error_here) + inner[-1]


def _nested(line: str, start: int, end: int, layers: Sequence[Sequence[Mark | None]]) -> str:
    """Return the HTML of a piece of a line in its marks, those of the last layer outermost."""
    if not layers:
        return _shown(line[start:end])
    *inner, outer = layers
    pieces = []
    for mark, group in groupby(range(start, end), key=outer.__getitem__):
        places = list(group)
        pieces.append(_marked_within(_nested(line, places[0], places[-1] + 1, inner), mark))
    return "".join(pieces)


def _marked_within(html: str, mark: Mark | None) -> str:
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


Mode: TypeAlias = Literal["matches", "diff", "plain"]
MODES: tuple[Mode, ...] = ("matches", "diff", "plain")

LAYOUTS = {"stacked": "Stacked", "beside": "Side by side"}
"""How the two outputs stand, in words."""


_SIDES = ("a", "b")
"""Names of the looks of the two systems that are compared."""


class Languages(NamedTuple):
    """Tags of the languages, as HTML's lang wants them (zh-Hant); empty where the script is to tell."""

    source: str = ""
    target: str = ""


def card(
    corpus: Corpus,
    segment: int,
    systems: Sequence[str] = (),
    *,
    metric: str | Metric | None = None,
    mode: Mode = "matches",
    contribution: float | None = None,
    scores: Sequence[float] = (),
    remarks: Sequence[str] = (),
    languages: Languages | None = None,
    layout: str = "stacked",
    compared: int = 2,
    outputs_only: bool = False,
) -> str:
    """Return the HTML of one segment: what it is, source, references and the systems' outputs.

    segment: its number in the corpus, from 0; what is shown is its number in the data, from 1. systems: whose outputs
    are shown; all if none are given. The first two are the ones compared: in blue is what only the first one matches,
    in ochre what only the second one does. metric: what is marked with mode="matches"; diff marks words that only one
    of two outputs has, plain nothing. contribution: what the segment adds to the difference, in points. scores: of the
    segment, one for each system; NaN for one that has none. remarks: more that is said above it. layout: a name in
    LAYOUTS; without room, one output stands below the other anyway. compared: how many of the first systems are
    compared, 2 at most. outputs_only: leave source and references away, as below a card that has them. References
    beyond the first are folded. The looks are those of `style`, inside `deck` or `page`.
    """
    if mode not in MODES:
        raise InvalidOption(f"There is no mode {mode!r}. Known: {', '.join(MODES)}.")
    find(LAYOUTS, layout, "layout")
    if not 0 <= segment < len(corpus):
        raise InvalidOption(f"There is no segment {segment + 1:,}; the corpus has {len(corpus):,}.")
    shown = _Shown(corpus, segment, tuple(systems) or tuple(corpus.systems), languages or Languages(), compared)
    chosen = None if metric is None else metric_of(metric, corpus.ratings)
    head = shown.head(chosen, contribution, remarks)
    references, outputs, counts = _marked_rows(shown, chosen, mode, scores)
    given = "" if outputs_only else _list([*shown.source(), *references[:1]]) + _folded(references[1:])
    texts = _list(outputs, " seg-beside" if layout == "beside" else "")
    return f'<article class="seg-card">{head}{given}{texts}{_counts(counts)}</article>'


def _list(rows: Sequence[str], look: str = "") -> str:
    return f'<dl class="seg-texts{look}">{"".join(rows)}</dl>' if rows else ""


def _folded(references: Sequence[str]) -> str:
    """Return further references behind their number: outputs are what is read, and stand below."""
    if not references:
        return ""
    summary = f"<summary>{number_of(len(references), 'more reference')}</summary>"
    return f'<details class="seg-more">{summary}{_list(references)}</details>'


def _counts(counts: Mapping[str, str]) -> str:
    """Return what the metric counted of each output, behind a button."""
    told = "".join(f'<p class="seg-told"><bdi>{_name(name)}</bdi>: {_name(text)}</p>' for name, text in counts.items())
    return f'<details class="seg-more"><summary>Counts</summary>{told}</details>' if told else ""


def deck(cards: Iterable[str]) -> str:
    """Return cards in the element that the looks are for, in the reader's own theme."""
    return f'<div class="segments">{"".join(cards)}</div>'


@remembered()
def style() -> str:
    """Return the looks of cards, as CSS."""
    return files("mtsig.segments").joinpath("cards.css").read_text(encoding="utf-8")


_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def legend(mode: Mode, first: str = "the first", second: str | None = "the second") -> str:
    """Return what the marks mean, as HTML, each word for a mark with this mark; second: None beside one system."""
    first, other = (f"<bdi>{_name(name)}</bdi>" for name in (first, second or ""))
    if mode == "plain" or (mode == "diff" and second is None):
        return ""
    if mode == "diff":
        meanings = [("a", "blue", f"only in {first}"), ("b", "ochre, dashed", f"only in {other}")]
    elif second is None:
        meanings = [("m", "underlined", f"{first} matches the reference"), ("missed", "dotted", "only the reference")]
    else:
        meanings = [
            ("m", "underlined", "both match the reference"),
            ("m seg-a", "blue", f"only {first} matches"),
            ("m seg-b", "ochre, dashed", f"only {other} matches"),
            ("a/b", "not bold", "no match, where the other output has one"),
            ("missed", "dotted", "only in the reference"),
        ]
    # A mark that both sides have is shown in the look of each.
    marked = (
        (" ".join(f'<span class="seg-{look}">{word}</span>' for look in looks.split("/")), meaning)
        for looks, word, meaning in meanings
    )
    told = " · ".join(f"{mark}: {meaning}" for mark, meaning in marked)
    return f'<p class="seg-legend">{told}.</p>'


def page(cards: Iterable[str], heading: str, about: Sequence[str] = (), *, mode: Mode = "matches") -> str:
    """Return a whole document that needs nothing else: no script runs in it, and nothing is fetched.

    heading: its title. about: paragraphs below it, as plain text.
    """
    said = "".join(f"<p>{in_html(text)}</p>" for text in about)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="mtsig">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{in_html(heading)}</title><style>{style()}</style></head>"
        f'<body class="segments seg-page"><main><h1>{in_html(heading)}</h1>{said}{legend(mode)}{"".join(cards)}</main>'
        "</body></html>\n"
    )


class _Shown:
    """The segment of a card, and how its lines are written."""

    def __init__(
        self, corpus: Corpus, segment: int, systems: tuple[str, ...], languages: Languages, compared: int
    ) -> None:
        self.corpus, self.segment, self.systems = corpus, segment, systems
        self.pair = systems[: min(compared, len(_SIDES))]
        """The two systems that are compared; one, where none is compared with it."""
        sources = corpus.segments.sources
        targets = list(corpus.references.values()) or list(corpus.outputs.values())
        self._languages = Languages(
            languages.source or self._tag([] if sources is None else [sources]), languages.target or self._tag(targets)
        )

    def output(self, system: str) -> str | None:
        """Return a system's line; None where it has no text."""
        runs = self.corpus.systems.get(system)
        return self.corpus.lines(system)[self.segment] if runs is None or runs else None

    def references(self) -> dict[str, str]:
        lines = {name: lines[self.segment] for name, lines in self.corpus.references.items()}
        return {name: line for name, line in lines.items() if line is not None}

    def head(self, metric: Metric | None, contribution: float | None, remarks: Sequence[str]) -> str:
        """Return what is known of the segment, in one line, and at its end what it contributes."""
        facts = [f"<b>#{self.corpus.numbers[self.segment]:,}</b>"]
        for column in (self.corpus.documents, self.corpus.segments.domains):
            if column is not None:
                facts.append(f"<bdi>{_name(column[self.segment])}</bdi>")
        texts = [*self.references().values(), *(line for name in self.systems if (line := self.output(name)))]
        facts += [length_of(texts[0])] if texts else []
        facts += [f"<bdi>{_name(remark)}</bdi>" for remark in remarks]
        part = ""
        if contribution is not None:
            unit, digits = ("", 2) if metric is None else (f" {_name(metric.name)}", metric.decimals)
            side = f' class="seg-of-{_SIDES[contribution < 0]}"' if contribution and len(self.pair) == 2 else ""
            number = points_text(contribution, digits + 2, signed=True)
            part = f"<span>contributes <b{side}>{number}</b>{unit}</span>"
        return f'<h3 class="seg-head"><span>{" · ".join(facts)}</span>{part}</h3>'

    def source(self) -> list[str]:
        """Return the row of the source, where there is one."""
        sources = self.corpus.segments.sources
        if sources is None:
            return []
        errors = [
            mark._replace(meaning=f"{mark.meaning} in {system}")
            for system in self.systems
            for mark in self.errors(system, "source")
        ]
        return [self.row("source", sources[self.segment], (), errors=errors, source=True)]

    def errors(self, system: str, side: Side) -> list[Mark]:
        """Return the errors that people marked in the output, or for it in the source."""
        return [
            Mark(error.start, error.end, "seg-error", _meaning(error))
            for error in errors_of(self.corpus, system, self.segment)
            if error.side == side and error.start is not None and error.end is not None
        ]

    def rated(self, system: str) -> str:
        """Return a system's ratings of the segment, and the errors that have no place in a text."""
        row = list(self.corpus.systems).index(system)
        values = {name: float(rating.values[row, self.segment]) for name, rating in self.corpus.ratings.items()}
        given = [f"{name} {_number(value)}" for name, value in values.items() if not np.isnan(value)]
        more = [f"{len(given) - _MOST_RATINGS:,} more"] if len(given) > _MOST_RATINGS else []
        left = [
            _meaning(error_span)
            for error_span in errors_of(self.corpus, system, self.segment)
            if error_span.start is None
        ]
        parts = (
            f"Rated: {', '.join([*given[:_MOST_RATINGS], *more])}." if given else "",
            f"Marked errors whose place in the text is unknown: {'; '.join(left)}." if left else "",
        )
        return " ".join(part for part in parts if part)

    def row(
        self,
        label: str,
        line: str | None,
        layers: Sequence[Sequence[Mark]],
        told: Sequence[str] = (),
        *,
        errors: Sequence[Mark] = (),
        source: bool = False,
        side: str = "",
        score: str = "",
    ) -> str:
        """Return a labelled line; label is HTML, layers are marks, told is said below it, score stands at its end.

        A line that is None is not there: of that nothing is shown where there are no texts at all.
        """
        language = self._languages.source if source else self._languages.target
        tag = f' lang="{in_html(language)}"' if language else ""
        none = "no text" if line is None else "empty"
        text = line_html(line, layers, errors) if line else f'<span class="seg-none">{none}</span>'
        shown = f'<bdi class="seg-text" dir="auto"{tag}>{text}</bdi>' if line is not None or self.corpus.outputs else ""
        if source and line and sum(1 + (letter >= _WIDE) for letter in line[: _LONG + 1]) > _LONG:
            shown = f'<details class="seg-long"><summary>{shown}</summary></details>'
        said = "".join(f'<span class="seg-told">{_name(item)}</span>' for item in told if item)
        look = f' class="seg-of-{side}"' if side else ""
        end = f'<dd class="seg-score">{score}</dd>' if score else ""
        return f'<div class="seg-row"><dt{look}>{label}</dt><dd>{shown}{said}</dd>{end}</div>'

    def _tag(self, texts: Sequence[Sequence[str | None]]) -> str:
        """Return the language, where a script tells it, by the lines around."""
        around = slice(max(0, self.segment - _AROUND), self.segment + _AROUND + 1)
        writing = writing_of(line and line[:_LOOKED_AT] for lines in texts for line in lines[around])
        return "" if writing is None else _TAGS[writing.language]


_MOST_RATINGS = 8
"""Ratings that a card shows of a system."""


def _meaning(error: ErrorSpan) -> str:
    """Return what somebody said of a place."""
    return " ".join(part for part in (error.severity, error.category, f"({error.rating})") if part)


def _number(value: float) -> str:
    return f"{value + 0.0:.4g}".replace("-", "\u2212")  # a rating may be minus nothing


_LONG, _WIDE = 200, "\u2e80"
"""Of a source with more letters the first lines are shown at once; from which letter on one counts as two."""

_AROUND, _LOOKED_AT = 20, 500
"""Lines on either side, and characters of each, that tell the language of a line."""

_TAGS = {
    "Chinese": "zh", "Japanese": "ja", "Korean": "ko", "Thai": "th", "Lao": "lo", "Khmer": "km", "Burmese": "my",
    "Tibetan": "bo",
}  # fmt: skip


def _name(text: str) -> str:
    """Return a name in HTML, on one line."""
    return in_html(visible(text))


def _marked_rows(
    shown: _Shown, metric: Metric | None, mode: Mode, scores: Sequence[float]
) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the rows of references, and those of outputs, with marks, and what was counted of each output."""
    outputs = {system: shown.output(system) for system in shown.systems}
    marks: dict[str, list[list[Mark]]] = {}
    missed: dict[str, list[list[Mark]]] = {}
    told: dict[str, str] = {}
    counts: dict[str, str] = {}
    if mode == "diff":
        marks, told = _differences(shown, outputs)
    elif mode == "matches" and metric is not None:
        matched = {
            system: text
            for system, line in outputs.items()
            if line is not None and (text := matches(shown.corpus, metric, shown.segment, system)) is not None
        }
        gaps = _gaps(shown, matched)
        layers = range(max((len(matches.output) for matches in matched.values()), default=0))
        marks = {system: [_matched(shown, system, matched, layer, gaps) for layer in layers] for system in matched}
        missed = {name: [_of_reference(name, shown, matched, layer) for layer in layers] for name in shown.references()}
        counts = {system: _told(matches) for system, matches in matched.items()}
        told = {} if counts else _nothing(shown, metric, outputs)
    given = shown.references().items()
    several = len(shown.corpus.references) > 1
    references = [
        shown.row(f"reference <bdi>{_name(name)}</bdi>" if several else "reference", line, missed.get(name, ()))
        for name, line in given
    ]
    rows = []
    digits = 1 if metric is None or metric.decimals == 2 else metric.decimals
    for place, (system, line) in enumerate(outputs.items()):
        has_score = bool(scores) and not np.isnan(scores[place])
        score = f"<b>{points_text(scores[place], digits)}</b>" if has_score else ""
        side = _SIDES[place] if place < len(shown.pair) else ""
        said = told.get(system, ""), shown.rated(system)
        errors, called = shown.errors(system, "output"), short_names(list(shown.corpus.systems)).get(system, system)
        whole = "" if called == system else f' title="{_name(system)}"'
        label = f"<bdi{whole}>{_name(called)}</bdi>"
        rows.append(shown.row(label, line, marks.get(system, ()), said, errors=errors, side=side, score=score))
    return references, rows, counts


def _told(matches: Matches) -> str:
    unplaced = sum(marked.unplaced for marked in matches.output[:1])
    lost = f" {unplaced:,} matched tokens could not be located in the text and are not marked." if unplaced else ""
    return f"{matches.told}.{lost}"


def _nothing(shown: _Shown, metric: Metric, outputs: Mapping[str, str | None]) -> dict[str, str]:
    """Return why nothing is marked, for the first system; nothing where there is no text to mark."""
    if all(line is None for line in outputs.values()):
        return {}
    if not has_matches(metric):
        why = f"{metric.name} does not report which words it counts, so nothing is marked."
    elif not shown.references():
        why = "The segment has no reference, so nothing is matched."
    else:
        why = "The segment is too long to be marked."
    return {shown.systems[0]: why}


_Gap: TypeAlias = tuple[list[Span], list[Span]]
"""What the first output has between two words of both, and what the second has there, by word."""


def _gaps(shown: _Shown, matched: Mapping[str, Matches]) -> list[_Gap] | None:
    """Return where the two outputs differ; None where there are no two, or they are too long to be compared."""
    lines = [matched[name].output[0].line for name in shown.pair if name in matched and matched[name].output]
    return gaps(*lines) if len(lines) == len(_SIDES) else None


def _matched(
    shown: _Shown, system: str, matched: Mapping[str, Matches], layer: int, gaps: Sequence[_Gap] | None
) -> list[Mark]:
    """Return the marks of an output; layer: 1 for the words of a metric that counts characters first.

    Only one system's are words that the other does not have there, in a match that the other has not; what the other
    has there instead has its colour, too.
    """
    marked, pair = matched[system].output[layer], [name for name in shown.pair if name in matched]
    side, rival = "", ""
    alone: NDArray[np.bool_] = np.zeros(len(marked.tokens), dtype=bool)
    instead = alone
    if system in pair and len(pair) == len(_SIDES):
        own = pair.index(system)
        side, rival = _SIDES[own], pair[1 - own]
        theirs = matched[rival].output[layer]
        alone, beyond = marked.beyond([theirs]), theirs.beyond([marked])
        if gaps is not None:
            alone = alone & _within(marked, [span for gap in gaps for span in gap[own]])
            lost = [gap for gap in gaps if (_within(theirs, gap[1 - own]) & beyond).any()]
            instead = _within(marked, [span for gap in lost for span in gap[own]])
    looks: list[tuple[str, str] | None] = []
    for place, order in enumerate(marked.orders.tolist()):
        kind = marked.kinds[place] if marked.kinds else ""
        look = _look(marked, order, kind, side if alone[place] else "", layer)
        if look is None and instead[place]:
            look = f"seg-{_BELOW[layer]}{side}", f"not matched; {rival} has matching words here"
        tail = f"; {rival} does not match it" if alone[place] else ""
        looks.append(None if look is None else (look[0], look[1] + tail))
    return _marks(marked, looks)


def _within(marked: Marked, spans: Sequence[Span]) -> NDArray[np.bool_]:
    """Return which tokens lie in one of these places of their line, be it in part."""
    covered = np.zeros(len(marked.line) + 1, dtype=bool)
    for start, end in spans:
        covered[start:end] = True
    return np.array(
        [token.start is not None and bool(covered[token.start : token.end].any()) for token in marked.tokens],
        dtype=bool,
    )


_BELOW = ("", "word-")
"""Beginnings of the looks of both layers."""


def _look(marked: Marked, order: int, kind: str, side: str, layer: int) -> tuple[str, str] | None:
    """Return how a token looks, and what that means; None for one like any other.

    side: the only one that matches it; empty where both do.
    """
    if not _counts_as_match(marked, order):
        return ("seg-wrong", kind) if kind and order == 0 else None
    where = f"{marked.unit} {order}-gram" if marked.longest else f"run of {number_of(order, marked.unit)}"
    look = " ".join(f"seg-{_BELOW[layer]}{name}" for name in ("m", *filter(None, (kind, side))))
    return look, f"matched{f' ({kind})' if kind else ''}, in a {where}"


def _counts_as_match(marked: Marked, order: int) -> bool:
    """Return whether a token is shown as matched: a single character matches almost anywhere."""
    return order > (marked.unit == "character" and marked.longest > 1)


def _of_reference(name: str, shown: _Shown, matched: Mapping[str, Matches], layer: int) -> list[Mark]:
    """Return the marks of a reference: what both systems match, only one of them, or none that is shown."""
    against = {system: own.references[name][layer] for system, own in matched.items() if name in own.references}
    if not against:
        return []
    marked = next(iter(against.values()))
    covered = np.array(
        [[_counts_as_match(own, order) for order in own.orders.tolist()] for own in against.values()], dtype=bool
    ).reshape(len(against), len(marked.tokens))
    who = listed(list(against)) if len(against) < 3 else f"all {len(against)} systems"
    begin = f"seg-{_BELOW[layer]}"
    is_pair = tuple(against) == shown.pair and len(against) == len(_SIDES)
    looks: list[tuple[str, str] | None] = []
    for by in covered.T:
        if not by.any():
            looks.append((f"{begin}missed", f"{'word ' if layer else ''}missed by {who}"))
        elif not is_pair:
            looks.append(None)
        elif by.all():
            looks.append((f"{begin}m", "matched by both"))
        else:
            side = int(by[1])
            looks.append((f"{begin}m {begin}{_SIDES[side]}", f"matched by {shown.pair[side]} only"))
    return _marks(marked, looks)


def _marks(marked: Marked, looks: Sequence[tuple[str, str] | None]) -> list[Mark]:
    """Return marks of placed tokens: one for each word, and one for each run of characters that look the same."""
    marks = []
    tokens = enumerate(zip(marked.tokens, looks, strict=True))
    for look, group in groupby(
        tokens, key=lambda token: (token[1][1], token[0] if marked.unit == "word" else token[1][0].start is None)
    ):
        places = [token for _, (token, _) in group]
        first, last = places[0].start, places[-1].end
        if look[0] is not None and first is not None and last is not None:
            marks.append(Mark(first, last, *look[0]))
    return marks


def _differences(
    shown: _Shown, outputs: Mapping[str, str | None]
) -> tuple[dict[str, list[list[Mark]]], dict[str, str]]:
    """Return the marks of words that only one of the two outputs has."""
    if len(shown.pair) < 2:
        return {}, {shown.systems[0]: "There is only one output, so there is nothing to compare it with."}
    if any(outputs[system] is None for system in shown.pair):
        return {}, {}
    lines = [outputs[system] or "" for system in shown.pair]
    both_spans = differing(lines[0], lines[1])
    if both_spans is None:
        return {}, {shown.systems[0]: "The outputs are too long to be compared."}
    marks, told = {}, {}
    for side, system, spans, other in zip(_SIDES, shown.pair, both_spans, reversed(shown.pair), strict=True):
        marks[system] = [[Mark(*span, f"seg-{side}", f"not in the output of {other}") for span in spans]]
        told[system] = f"{len(spans):,} words that are not in the other output"
    return marks, told
