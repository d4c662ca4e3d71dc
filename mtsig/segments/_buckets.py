"""Buckets: which segments of two systems negate, name or measure otherwise, and the table of all buckets.

A new bucket is a Detector, and a row in BUCKETS.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from mtsig._limits import normalized
from mtsig._memory import remembered
from mtsig._records import Count, Floats, Mask, Number, Record, about
from mtsig._results import Public
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable, find
from mtsig.explain import explain
from mtsig.progress import each
from mtsig.segments import _detector, _wording
from mtsig.text._characters import spaces, unspaced


@dataclass(frozen=True)
class Negated:
    """What a text has of negation: one, or a word that may stand for one."""

    plainly: bool
    nearly: bool


class Negation(_detector.Contrast[Negated]):
    """Segments in which one output has a negation and the other has none, nor a word that may stand for one."""

    name = "negation"
    title = "negation differs"
    about = (
        "One output has a negation (not, kein, 没 …), and the other has neither a negation nor a word that may replace "
        "it (without, unable …). Available for "
        f"{', '.join(language.name for language in _detector.LANGUAGES.values())}."
    )
    alone = about.replace("One output has", "Either the output or the reference has")
    alone_needs = "reference"

    def lacking(self, texts: _detector.Texts) -> str:
        """Return why it cannot be known, also for a language without a list."""
        why = super().lacking(texts)
        if why:
            return why
        language = texts.seems
        if language.code is None:
            return f"Negation words are not known for this language ({language.name})."
        return ""

    def has(self, lines: _detector.Stream, texts: _detector.Texts) -> Mask:
        """Return which lines have a word that negates, be it in a phrase in which it does not."""
        language = _detector.LANGUAGES[texts.seems.code or ""]
        if not language.spaced:
            negates = language.negation.pattern.search
            return _detector.spread_out(
                (line is not None and negates(line.lower()) is not None for line in lines), len(lines)
            )
        return texts.column(lines).any(language.negates)

    def reader(self, texts: _detector.Texts) -> Callable[[str], Negated]:
        """Return what reads whether a line negates."""
        language = _detector.LANGUAGES[texts.seems.code or ""]
        return lambda line: negated(line, language)

    def differ(self, negated: Negated, other: Negated) -> bool:
        """Return whether one of them negates and the other does not come near it."""
        return (negated.plainly and not (other.plainly or other.nearly)) or (
            other.plainly and not (negated.plainly or negated.nearly)
        )


def negated(line: str, language: _detector.Language) -> Negated:
    text = line.lower()
    kinds = language.kinds(text)
    if "plain" in kinds or not language.spaced:
        kinds = language.kinds(language.phrases.pattern.sub(" ", text))
    return Negated("plain" in kinds, "near" in kinds)


SHORTEST_NAME = 3
"""Letters from which on a word with a capital letter is taken for a name."""

_TOKEN = re.compile(
    rf"[@#]?[^\W_{_detector.IN_UNSPACED}](?:[^\W{_detector.IN_UNSPACED}]|[&+]|[-./'’](?=[^\W_{_detector.IN_UNSPACED}]))*"
)
_CODE = re.compile(r"[@#].|(?=.*[^\W\d_])[^\W\d_].*\d|[A-ZÀ-ÞА-Я][A-ZÀ-ÞА-Я&.-]+$|[^\W\d_]*[a-zа-я][A-ZА-Я]|\d+[A-Z]")
_MARKS = re.compile(r"[\W_]+")
_WIDE = re.compile("[\uff01-\uff5e]")
_UNSPACED = re.compile(f"[{_detector.IN_UNSPACED}]")
_NO_NAMES = frozenset(word for language in _detector.LANGUAGES.values() for word in language.words)
"""Frequent words, which have a capital letter where a sentence or a title begins."""


class Entity(_detector.Detector):
    """Segments in which one output keeps a name, code or address that the other has lost."""

    name = "entity"
    title = "entity or URL differs"
    about = (
        "The two outputs have different URLs or e-mail addresses. Or only one output has a code (COVID-19, B2B) or "
        "capitalized word that occurs in the source and in a reference. For Chinese, Japanese or Thai output, only "
        "codes count. Without a source, codes of a reference count; without a reference, codes of the source."
    )
    alone = (
        "A URL or e-mail address that each reference has (without references: the source) is missing in the output. Or "
        "the output lacks a code (COVID-19, B2B) or capitalized word that occurs in the source and in each reference. "
        "For Chinese, Japanese or Thai output, only codes count. Without a source, codes of all references count; "
        "without a reference, codes of the source."
    )
    needs = "source or reference"

    def marks(self, texts: _detector.Texts) -> Mask:
        """Return where something is lost."""
        marks = np.zeros(len(texts), dtype=bool)
        expected = _expected(texts)
        if texts.second is None:
            for number, line in enumerate(texts.first):
                marks[number] = _lacks_address(line, texts, number) or any(
                    not _has(line, entity) and all(kept) for entity, kept in expected(number)
                )
            return marks
        for number, left, other in texts.differing:
            marks[number] = sorted(_detector.addresses(left)) != sorted(_detector.addresses(other)) or any(
                _has(left, entity) != _has(other, entity) and any(kept) for entity, kept in expected(number)
            )
        return marks


def _lacks_address(line: str, texts: _detector.Texts, segment: int) -> bool:
    beside = texts.given(segment) or ([texts.sources[segment]] if texts.sources and not texts.references else [])
    needed = [set(_detector.addresses(text)) for text in beside]
    return bool(needed) and not any(words <= set(_detector.addresses(line)) for words in needed)


def _has(line: str, entity: str) -> bool:
    """Return whether a line has an entity, be it with other marks, spaces (S / PDIF), widths or, of codes, case."""
    if _within(entity, line) or (_CODE.match(entity) is not None and _within(entity.lower(), line.lower())):
        return True
    bare = _MARKS.sub("", entity)
    if bare != entity and len(bare) > 1 and _spread(bare).search(line):
        return True
    # Japanese and Chinese may write Latin letters as wide as their own.
    return _WIDE.search(line) is not None and _has(normalized("NFKC", line), entity)


def _within(entity: str, line: str) -> bool:
    """Return whether a line has an entity as it stands, though not where its number goes on (A4 in A44)."""
    place = line.find(entity)
    while place >= 0 and entity[-1].isdecimal() and line[place + len(entity) : place + len(entity) + 1].isdecimal():
        place = line.find(entity, place + 1)
    return place >= 0


@remembered(most=2**12)
def _spread(bare: str) -> re.Pattern[str]:
    """Return what finds characters with marks or spaces between them; behind a digit at the end no other follows."""
    return re.compile(r"[\W_]*".join(bare) + (r"(?!\d)" if bare[-1].isdecimal() else ""))


def _expected(texts: _detector.Texts) -> Callable[[int], Iterator[tuple[str, Iterator[bool]]]]:
    """Return what yields the entities of a segment that a translation may be expected to keep.

    With each comes whether each of the references has it. Without a source they are the references' own; without a
    reference every one of the source counts as kept.
    """
    sources = texts.sources
    if sources is None:

        def theirs(segment: int) -> Iterator[tuple[str, Iterator[bool]]]:
            given = texts.given(segment)
            for entity in {entity for line in given for entity in entities_of(line, names=False)}:
                yield entity, (_has(line, entity) for line in given)

        return theirs
    column = texts.column(sources)
    telling = column.each(lambda word: bool(_entities_within(word))) > 0
    pieces: defaultdict[int, list[str]] = defaultdict(list)
    for line, number in zip(column.line[telling].tolist(), column.pieces[telling].tolist(), strict=True):
        pieces[line].append(column.vocabulary[number])

    def ours(segment: int) -> Iterator[tuple[str, Iterator[bool]]]:
        given = texts.given(segment)
        if segment not in pieces or (texts.references and not given):
            return
        # Where words have no spaces, one writes a foreign name in signs of its own, another as it is, and both are
        # right.
        names = bool(texts.references) and not any(_UNSPACED.search(line) for line in given)
        # Within an address there is no name.
        line = sources[segment] if _detector.may_have_address(sources[segment]) else " ".join(pieces[segment])
        for entity in entities_of(line, names):
            yield entity, (_has(line, entity) for line in given) if texts.references else iter([True])

    return ours


def entities_of(line: str, names: bool = True) -> list[str]:
    """Return the codes of a line, and with `names` its words with a capital letter.

    Codes are words of letters and digits that begin with a letter, words in capital letters or with one inside, and
    what begins with @ or #.
    """
    pieces = _detector.without_addresses(line).split()
    return [entity for piece in pieces for is_code, entity in _entities_within(piece) if is_code or names]


def _is_name(token: str) -> bool:
    return len(token) >= SHORTEST_NAME and token[0].isupper() and token.lower() not in _NO_NAMES


@remembered(most=2**16)
def _entities_within(piece: str) -> tuple[tuple[bool, str], ...]:
    """Return the codes and names of what stands between two spaces, and which of both each is: no token has a space."""
    if piece.islower() and piece.isalpha():
        return ()
    tokens = [(_CODE.match(token) is not None, token) for token in _TOKEN.findall(piece)]
    return tuple((is_code, token) for is_code, token in tokens if is_code or _is_name(token))


class Identical(_detector.Detector):
    """Segments whose two outputs are the same, character by character: they add nothing to a difference."""

    name = "identical"
    title = "identical"
    about = "The two outputs are identical, character by character."
    alone = "The output is identical to a reference, character by character."
    alone_needs = "reference"

    def marks(self, texts: _detector.Texts) -> Mask:
        """Return where the outputs are the same, or the one output is one of its references."""
        if texts.second is not None:
            return _detector.spread_out(
                (line == other for line, other in zip(texts.first, texts.second, strict=True)), len(texts)
            )
        return _detector.spread_out(
            (line in texts.given(number) for number, line in enumerate(texts.first)), len(texts)
        )


RATIO = 2
"""How many times as long, or as short, is much …"""

LEAST = 30
"""… where it makes at least so many letters."""

WITHOUT_SPACES = 3
"""How many letters a character of a script without spaces between words is worth."""


class Length(_detector.Detector):
    """Segments in which an output is much shorter or longer than its references, or than the other output."""

    name = "length"
    title = "much shorter or longer"
    about = (
        f"One output is more than {RATIO} times as long, or as short, as the other or as each reference. The lengths "
        f"also differ by {LEAST} letters or more (a Chinese, Japanese or Thai character counts as {WITHOUT_SPACES})."
    )
    alone = (
        f"The output is more than {RATIO} times as long, or as short, as each reference. The lengths also differ by "
        f"{LEAST} letters or more (a Chinese, Japanese or Thai character counts as {WITHOUT_SPACES})."
    )
    alone_needs = "reference"

    def marks(self, texts: _detector.Texts) -> Mask:
        """Return where a length is off."""
        outputs = [lengths_of(lines, texts.column(lines)) for lines in texts.outputs]
        references = [lengths_of(lines, texts.column(lines)) for lines in texts.references]
        marks = np.zeros(len(texts), dtype=bool)
        if len(outputs) > 1:
            marks |= _far(*outputs)
        if references:
            given = np.any([~np.isnan(lengths) for lengths in references], axis=0)
            for own in outputs:
                marks |= given & np.all([_far(own, lengths) | np.isnan(lengths) for lengths in references], axis=0)
        return marks


def _far(ours: Floats, theirs: Floats) -> Mask:
    shorter, longer = np.fmin(ours, theirs), np.fmax(ours, theirs)
    return np.asarray((longer > RATIO * shorter) & (longer - shorter >= LEAST))


def lengths_of(lines: _detector.Stream, column: _detector.Column) -> Floats:
    """Return the length of each line in letters, spaces left out; shape (n,), NaN where there is no line."""
    # White space is in none of those scripts, and a line feed stands before each line.
    letters = column.lengths + 1 - column.count(spaces()[column.codes])
    lengths = letters + (WITHOUT_SPACES - 1.0) * column.count(unspaced()[column.codes])
    lengths[[line is None for line in lines]] = np.nan
    return lengths


BUCKETS: dict[str, _detector.Detector] = {
    detector.name: detector
    for detector in (
        Identical(),
        _wording.DifferentNumbers(),
        Negation(),
        _wording.Untranslated(),
        Length(),
        _wording.Repetition(),
        Entity(),
        _wording.Surface(),
    )
}
"""The buckets by the names a user types, in the order in which they are shown; a segment may be in several."""


@dataclass(frozen=True, eq=False)
class Buckets(Public, Mapping[str, Mask]):
    """Bucket -> which segments of the corpus are in it.

    masks: a mapping from each bucket to its segments, each a mask of shape (n,). left_out: the buckets that cannot be
    determined for this corpus, each with the reason in a sentence.
    """

    masks: Mapping[str, Mask]
    left_out: Mapping[str, str]

    def __getitem__(self, name: str) -> Mask:
        """Return which segments are in a bucket; shape (n,)."""
        return self.masks[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self.masks)

    def __len__(self) -> int:
        """Return how many buckets there are."""
        return len(self.masks)


def buckets_of(
    corpus: Corpus,
    first: str,
    second: str | None = None,
    names: Sequence[str] | None = None,
    language: str | None = None,
) -> Buckets:
    """Sort segments into buckets, for one system or two.

    Parameters
    ----------
    corpus
        The corpus.
    first
        A system.
    second
        The other system; `None` analyses the first system by itself.
    names
        The names of buckets in `BUCKETS`; `None` uses all buckets.
    language
        The language code of the outputs, such as "de"; `None` detects the language from the references.

    Raises
    ------
    UnknownName
        A system or a bucket is unknown.
    NotApplicable
        A system has no text, or it has several runs.

    Examples
    --------
    >>> import mtsig
    >>> buckets = buckets_of(mtsig.read_sample(), "direct", "direct-us")
    >>> int(buckets["identical"].sum()), buckets.left_out
    (163, {})
    """
    texts = _detector.Texts.of(corpus, first, second, language)
    chosen = {name: find(BUCKETS, name, "bucket") for name in (BUCKETS if names is None else names)}
    left_out = {name: why for name, detector in chosen.items() if (why := detector.lacking(texts))}
    known = {name: detector for name, detector in chosen.items() if name not in left_out}
    marks = [{name: detector.marks(part) for name, detector in known.items()} for part in each(texts.blocks())]
    return Buckets({name: np.concatenate([part[name] for part in marks]) for name in known}, left_out)


@dataclass(frozen=True)
class BucketShare(Record):
    """One bucket of a comparison: how many segments, and how much of the difference."""

    name: Annotated[str, about("Name of the bucket.")]
    title: Annotated[str, about("Title of the bucket.")]
    count: Annotated[Count, about("Segments in it.")]
    share_of_segments: Annotated[Number, about("Share of all segments that are in the bucket.")]
    contribution: Annotated[Number, about("Contribution of the bucket's segments to the difference, in points.")]
    share_of_difference: Annotated[
        Number,
        about("Share of the difference that comes from the bucket's segments; it can be below 0 or above 1."),
    ]


def bucket_table(
    buckets: Mapping[str, Mask], values: Floats, numbers: NDArray[np.integer] | None = None
) -> tuple[BucketShare, ...]:
    """Return a row for every bucket; as a segment may be in several buckets, or in none, shares need not sum to 1.

    values: what each segment contributes, shape (n,); their sum is the difference. numbers: the segments of the buckets
    that the values are of; all of them when None.
    """
    difference = float(np.sum(values))
    # What is left when values cancel out is rounding, and no difference.
    differs = abs(difference) > 1e-12 * float(np.abs(values).sum())
    rows = []
    for name, mask in buckets.items():
        inside = mask if numbers is None else mask[numbers]
        if inside.shape != np.shape(values):
            raise NotApplicable(f"Bucket {name!r} is of {len(inside)} segments, but there are {len(values)} values.")
        part = float(np.sum(values[inside]))
        rows.append(
            BucketShare(
                name,
                find(BUCKETS, name, "bucket").title,
                int(inside.sum()),
                float(inside.mean()) if len(inside) else float("nan"),
                part,
                part / difference + 0.0 if differs else float("nan"),  # no minus before a share of nothing
            )
        )
    return tuple(rows)


def buckets_explained() -> str:
    """Return, in Markdown, what the buckets find and miss: precision and recall, and how they were measured."""
    return explain("buckets")
