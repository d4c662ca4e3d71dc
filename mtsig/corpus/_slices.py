"""Divide a corpus into subsets by domain, document, original language or length."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus._corpus import Corpus
from mtsig.corpus._notes import Note
from mtsig.errors import InvalidOption, NotApplicable, UnknownName, expect, find

THIRDS = 3
"""Slices by length, when their number is not said."""

SLICINGS = {"domain": "domain", "origlang": "original language", "length": "length", "document": "document"}
"""Ways to slice by the names a user types, and in words."""

_COLUMNS = {
    "domain": ("domains", "Add domains.txt with one domain per line, or use a format with domains."),
    "origlang": ("original_languages", "Add origlang.txt with one language per line, or use a format with them."),
    "document": ("documents", "Add docids.txt with one id per line."),
}
"""Name -> the column of `Segments`, and where it comes from."""


@dataclass(frozen=True)
class Slicing:
    """A way to divide a test set: its name in SLICINGS, the number of subsets by length, and the text as typed."""

    name: str
    number: int | None
    written: str

    @classmethod
    def of(cls, written: "str | Slicing") -> "Slicing":
        """Return the way to divide that a text names; "length:4" means four subsets by length."""
        if isinstance(written, Slicing):
            return written
        expect(written, str, 'A way to form subsets is written as in "domain" or "length:4"')
        name, colon, number = written.partition(":")
        name = name.strip().lower()
        find(SLICINGS, name, "way to form subsets")
        if name == "length":
            return cls(name, _number(number) if colon else THIRDS, written)
        if colon:
            raise InvalidOption(f"Only subsets by length take a number, as in length:4; found {written!r}.")
        return cls(name, None, written)

    @property
    def label(self) -> str:
        """Name of the property that divides the test set, in words."""
        return SLICINGS[self.name]

    def __str__(self) -> str:
        return self.written


@dataclass(frozen=True, eq=False)
class Slice:
    """One subset of a test set: its name, and its segments; shape (n,).

    short: a short form of the name that users can type, if the name includes a range of lengths.
    """

    name: str
    inside: NDArray[np.bool_]
    short: str = ""

    @property
    def asked_by(self) -> str:
        """Name of the subset as users type it."""
        return self.short or self.name

    def __len__(self) -> int:
        """Return the number of segments."""
        return int(self.inside.sum())


def slices_of(corpus: Corpus, by: str | Slicing) -> list[Slice]:
    """Divide a corpus into disjoint subsets, in order (lengths: shortest first).

    Parameters
    ----------
    corpus
        The corpus to divide.
    by
        A name in SLICINGS; "length:4" asks for four subsets by length instead of three.

    Raises
    ------
    UnknownName
        There is no such way to divide a corpus.
    NotApplicable
        The corpus lacks the information that is needed.
    InvalidOption
        The number of subsets by length is not valid.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.corpus import slices_of
    >>> [part.asked_by for part in slices_of(mtsig.read_sample(), "length")]
    ['short', 'medium', 'long']
    """
    slicing = Slicing.of(by)
    return _by_column(corpus, slicing) if slicing.number is None else _by_length(corpus, slicing.number)


def slicings(corpus: Corpus) -> list[str]:
    """List the ways to divide a corpus that give at least two subsets.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.corpus import slicings
    >>> slicings(mtsig.read_sample())
    ['length', 'document']
    """
    slicings = []
    for name in SLICINGS:
        try:
            if len(slices_of(corpus, name)) > 1:
                slicings.append(name)
        except NotApplicable:
            continue
    return slicings


def only(corpus: Corpus, chosen: Sequence[str]) -> Corpus:
    """Return the segments of the slices that texts such as "domain=news,social" name; all of several must hold."""
    return select_subset(corpus, [_written(corpus, text) for text in chosen])


def _written(corpus: Corpus, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the way to slice and the names of slices that a text such as "domain=news,social" says."""
    by, equals, names = text.partition("=")
    if not equals:
        raise InvalidOption(f"A subset must be written as in domain=news or length=short,long; found {text!r}.")
    # A document may have a comma in its name.
    whole = names in {part.name for part in slices_of(corpus, by)}
    return by, (names,) if whole else tuple(names.split(","))


def select_subset(corpus: Corpus, wanted: str | Sequence[str | tuple[str, str | Sequence[str]]]) -> Corpus:
    """Select the segments of a corpus that belong to chosen subsets.

    Parameters
    ----------
    corpus
        The corpus to select from.
    wanted
        Pairs of a property (domain, origlang, length, length:K, document) and the name of one or several subsets. A
        pair can be written as text, "domain=news,social". A single text is also accepted.

    Returns
    -------
    corpus : Corpus
        The corpus of the segments that satisfy all pairs.

    Raises
    ------
    InvalidOption
        A pair is not written as in domain=news or length=short.
    UnknownName
        There is no subset of that name.
    NotApplicable
        No segment satisfies all pairs.

    Examples
    --------
    >>> import mtsig
    >>> mtsig.select_subset(mtsig.read_sample(), [("length:2", ["short"])]).subset
    'length:2=short: 101 of 200 segments'
    """
    expect(corpus, Corpus, "Give a corpus, as read(PATH) makes it")
    how = 'Subsets are texts such as "length=short", or pairs such as ("domain", ["news", "social"])'
    expect(wanted, str | list | tuple, how)
    chosen = []
    for one in [wanted] if isinstance(wanted, str) else wanted:
        if isinstance(one, str):
            chosen.append(_written(corpus, one))
            continue
        expect(one, list | tuple, how)
        if len(one) != 2 or not isinstance(one[0], str) or not _are_names(one[1]):
            raise InvalidOption(f"{how}; found {one!r} among them.")
        by, names = one
        chosen.append((by, (names,) if isinstance(names, str) else tuple(names)))
    if not chosen:
        return corpus
    kept = np.ones(len(corpus), dtype=bool)
    for by, names in chosen:
        slicing = Slicing.of(by)
        kept &= _named(slices_of(corpus, slicing), slicing, names)
    shown = ", ".join(f"{by}={','.join(names)}" for by, names in chosen)
    if not kept.any():
        raise NotApplicable(f"No segment belongs to all of these subsets: {shown}.")
    part = f"{shown}: {int(kept.sum())} of {len(corpus)} segments"
    said = Note("note", f"Only {part}.")
    return replace(corpus.take(np.flatnonzero(kept)), subset=part, notes=(*corpus.notes, said))


def _are_names(names: object) -> bool:
    return isinstance(names, str) or (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names))


def _named(slices: Sequence[Slice], by: Slicing, names: Sequence[str]) -> NDArray[np.bool_]:
    kept = np.zeros(len(slices[0].inside), dtype=bool)
    for name in names:
        own = [piece for piece in slices if piece.name == name]
        own = own or [piece for piece in slices if piece.asked_by == name]
        if not own:
            shown = ", ".join(piece.name for piece in slices[:12]) + (", …" if len(slices) > 12 else "")
            raise UnknownName(f"There is no {by.name} {name!r}. Known: {shown}.")
        for part in own:
            kept |= part.inside
    return kept


def _number(text: str) -> int:
    if not text.strip().isdecimal() or len(text.strip()) > 2 or not 2 <= int(text) <= 10:
        raise InvalidOption(f"The number of subsets by length must be 2 to 10, as in length:4; found {text!r}.")
    return int(text)


def _by_column(corpus: Corpus, by: Slicing) -> list[Slice]:
    """Return the slices by a column of `Segments`."""
    kind, how = _COLUMNS[by.name]
    column = getattr(corpus.segments, kind)
    if column is None:
        raise NotApplicable(f"These data do not give the {by.label} of segments. {how}")
    values = np.array(column, dtype=object)
    return [Slice(name, np.asarray(values == name, dtype=bool)) for name in dict.fromkeys(column)]


def lengths_of(corpus: Corpus) -> tuple[NDArray[np.int64], str]:
    """Return how many characters each segment's source has, else its first reference, shape (n,); and whose."""
    texts: Sequence[str | None] | None = corpus.segments.sources
    what = "source"
    if texts is None and corpus.references:
        name, texts = next(iter(corpus.references.items()))
        what = f"reference {name!r}"
    if texts is None:
        raise NotApplicable("Subsets by length need a source or a reference, because outputs differ in length.")
    return np.array([len(line or "") for line in texts], dtype=np.int64), what


def _by_length(corpus: Corpus, number: int) -> list[Slice]:
    """Return slices of about as many segments each, by length."""
    lengths, what = lengths_of(corpus)
    # Segments of one length stay together, so slices may differ in size.
    bounds = np.unique(np.quantile(lengths, np.arange(1, number) / number, method="inverted_cdf"))
    place = np.searchsorted(bounds, lengths, side="left")
    inside = [mask for i in range(len(bounds) + 1) if (mask := place == i).any()]
    # Fewer than asked for, the longest are long all the same.
    words = {2: ["short", "long"], 3: ["short", "medium", "long"]}.get(len(inside)) or []
    if len(inside) < 2:
        raise NotApplicable("All segments have about the same length, so subsets by length are not possible.")
    slices = []
    for i, mask in enumerate(inside):
        ends = f"{lengths[mask].min()}–{lengths[mask].max()}"
        span = f"{ends} characters of the {what}"
        slices.append(Slice(f"{words[i]} ({span})", mask, words[i]) if words else Slice(span, mask, ends))
    return slices
