"""Detector: what every bucket is made of; texts of one or two systems go in, which segments belong comes out.

Languages: the words by which a text's language is known, and those that negate in it, as in languages.toml.
"""

import re
import tomllib
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import count
from typing import ClassVar, Generic, Literal, TypeVar

import numpy as np

from mtsig._records import Index, Mask
from mtsig.corpus import Corpus
from mtsig.corpus._corpus import Lines
from mtsig.text import writing_of
from mtsig.text._characters import UNSPACED, Codes, codes_of, spaces, unspaced

MOST_LINES = 500
"""Lines by which a language is known."""

LEAST_SHARE = 0.1
"""Of the words of a text, so many at least are frequent words of its language …"""

LEAD = 1.3
"""… and so many times as many as of any other language."""

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


_MOST_PIECES = 500_000
"""Pieces of text between spaces of which a language remembers what they say."""

Kind = Literal["plain", "near", ""]
"""A negation, a word that may stand for one, or neither."""


@dataclass(frozen=True)
class Language:
    """A language with its negations; what the lists are is said above them, in languages.toml."""

    code: str
    name: str
    frequent: str
    negations: str
    near: str
    aside: str
    spaced: bool = True

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.frequent.split())

    @cached_property
    def negation(self) -> "_WordList":
        return _WordList(self.negations.split(), self.spaced)

    @cached_property
    def close(self) -> "_WordList":
        """What may stand for a negation."""
        return _WordList(self.near.split(), self.spaced)

    @cached_property
    def phrases(self) -> "_WordList":
        """The phrases that are taken out."""
        return _WordList([" ".join(phrase.split()) for phrase in self.aside.split(";")], self.spaced)

    def kind(self, word: str) -> Kind:
        """Return what a word in lower case says by itself."""
        if self.phrases.is_word(word):
            return ""
        return "plain" if self.negation.within(word) else "near" if self.close.within(word) else ""

    def negates(self, piece: str) -> bool:
        """Return whether one of the words between two spaces negates by itself."""
        text = piece.lower()
        words = (text,) if text.isalpha() else WORD.findall(text)
        return any(self.negation.within(word) and not self.phrases.is_word(word) for word in words)

    def kinds(self, text: str) -> set[Kind]:
        """Return what the words of a text in lower case say, or its characters, where words have no spaces."""
        if self.spaced:
            # No word reaches over a space: what stands between two is looked into once.
            return set().union(*(self._kinds_within(piece) for piece in set(text.split()) - self._silent))
        lists: dict[Kind, _WordList] = {"plain": self.negation, "near": self.close}
        return {kind for kind, listed in lists.items() if listed.pattern.search(text)}

    def _kinds_within(self, piece: str) -> set[Kind]:
        known = self._telling.get(piece)
        if known is None:
            known = {kind for word in WORD.findall(piece) if (kind := self.kind(word))}
            if len(self._silent) + len(self._telling) >= _MOST_PIECES:
                self._silent.clear()
                self._telling.clear()
            if known:
                self._telling[piece] = known
            else:
                self._silent.add(piece)
        return known

    @cached_property
    def _silent(self) -> set[str]:
        """Pieces that said nothing; most do, and are taken out of a text at once."""
        return set()

    @cached_property
    def _telling(self) -> dict[str, set[Kind]]:
        """What the other pieces said."""
        return {}


class _WordList:
    """Words, beginnings and patterns, as `Language` lists them; sought in a text, or, sooner, in a single word."""

    def __init__(self, listed: list[str], spaced: bool) -> None:
        # Of two that begin alike the longer one is tried first.
        in_order = sorted(listed, key=len, reverse=True)
        patterns = [entry[1:-1] for entry in in_order if entry.startswith("/")]
        words = [entry for entry in in_order if not entry.startswith("/")]
        self._words = frozenset(words)
        self._beginnings = tuple(word[:-1] for word in words if word.endswith("*"))
        self._patterns = re.compile("|".join(patterns)) if patterns else None
        if spaced:
            # Said once for all words: most places in a text are within one.
            words = [rf"(?<!\w)(?:{'|'.join(map(_pattern, words))})"] if words else []
        else:
            words = list(map(re.escape, words))
        self.pattern = re.compile("|".join([*patterns, *words]))

    def within(self, word: str) -> bool:
        """Return whether a word of WORD has one of the list in it: behind an apostrophe a new one begins."""
        if not word.isalpha():
            return self.pattern.search(word) is not None
        return self._is_listed(word) or (self._patterns is not None and self._patterns.search(word) is not None)

    def is_word(self, word: str) -> bool:
        """Return whether a word of WORD is one of the list."""
        if not word.isalpha():
            return self.pattern.fullmatch(word) is not None
        return self._is_listed(word) or (self._patterns is not None and self._patterns.fullmatch(word) is not None)

    def _is_listed(self, word: str) -> bool:
        return word in self._words or word.startswith(self._beginnings)


def _pattern(word: str) -> str:
    """Return what finds a listed word, or what begins like it, where a word begins."""
    end = "" if word.endswith("'") else r"\w*" if word.endswith("*") else r"(?!\w)"
    return re.escape(word.rstrip("*")).replace("'", "['’]") + end


_LISTS = tomllib.loads(files("mtsig.segments").joinpath("languages.toml").read_text(encoding="utf-8"))

_OTHERS: dict[str, str] = _LISTS.pop("others")
"""Languages that are known so that they are not taken for another one."""

LANGUAGES = {code: Language(code, **lists) for code, lists in _LISTS.items()}
"""The languages whose negations are known, by code."""


@dataclass(frozen=True)
class Found:
    """The language of a text: its code in LANGUAGES, or None, and its name."""

    code: str | None
    name: str


def language_of(lines: Iterable[str | None]) -> Found:
    """Return the language of a text: by its script, else by its most frequent words."""
    chosen = [line[:2000] for line in lines if line][:MOST_LINES]
    writing = writing_of(chosen)
    if writing is not None:
        return Found({"Chinese": "zh", "Japanese": "ja"}.get(writing.language), writing.language)
    counts = Counter(word for line in chosen for word in WORD.findall(line.lower()))
    known = {code: language.words for code, language in LANGUAGES.items() if language.words}
    known |= {name: frozenset(words.split()) for name, words in _OTHERS.items()}
    shares = {key: sum(counts[word] for word in words) / max(1, counts.total()) for key, words in known.items()}
    best, second = sorted(shares, key=lambda key: -shares[key])[:2]
    if shares[best] < LEAST_SHARE or shares[best] < LEAD * shares[second]:
        return Found(None, "it was not recognised")
    return Found(best, LANGUAGES[best].name) if best in LANGUAGES else Found(None, best)


def named(code: str) -> Found:
    """Return the language that a code such as "de", "de-AT" or "zh_CN" names."""
    short = code.replace("_", "-").split("-")[0].lower()
    return Found(short, LANGUAGES[short].name) if short in LANGUAGES else Found(None, code)


T = TypeVar("T")

Stream = Sequence[str | None]
"""One text per segment, None where there is none."""

BLOCK = 2**14
"""Segments that are looked at together; changes nothing but the memory that their words take."""


class Column:
    """One stream of n lines, looked at in the ways that several detectors share; a missing line is as an empty one.

    numbers: those of the words met so far, which columns may share.
    """

    def __init__(self, lines: Stream, numbers: defaultdict[str, int]) -> None:
        self._text = "".join(["\n" if line is None else "\n" + line.replace("\n", " ") for line in lines])
        self._n = len(lines)
        self._numbers = numbers

    @cached_property
    def codes(self) -> Codes:
        """The code points of all lines, each with a line feed before it."""
        return codes_of(self._text)

    @cached_property
    def line(self) -> Index:
        """The line of every piece, a piece being what stands between white space; shape (pieces,)."""
        space = spaces()[self.codes]
        begins = np.zeros(len(space), dtype=bool)
        begins[1:] = space[:-1] & ~space[1:]
        return np.repeat(np.arange(self._n), self.count(begins))

    @cached_property
    def pieces(self) -> Index:
        """The numbers of the pieces; shape (pieces,)."""
        pieces = self._text.split()
        return np.fromiter(map(self._numbers.__getitem__, pieces), dtype=np.int64, count=len(pieces))

    @cached_property
    def vocabulary(self) -> dict[int, str]:
        """The different pieces by their numbers."""
        numbers = np.flatnonzero(np.bincount(self.pieces)).tolist()
        words = list(self._numbers)
        return {number: words[number] for number in numbers}

    def each(self, of: Callable[[str], int]) -> Index:
        """Return what a function says of every piece; shape (pieces,)."""
        words = self.vocabulary
        table = np.zeros(1 + max(words, default=0), dtype=np.int64)
        table[list(words)] = list(map(of, words.values()))
        return table[self.pieces]

    def any(self, of: Callable[[str], bool]) -> Mask:
        """Return which lines have a piece of which a function says so; shape (n,)."""
        marks = np.zeros(self._n, dtype=bool)
        marks[self.line[self.each(of) > 0]] = True
        return marks

    @cached_property
    def is_unspaced(self) -> Mask:
        """Which lines have characters of scripts without spaces between words; shape (n,)."""
        return np.asarray(self.count(unspaced()[self.codes]) > 0)

    @property
    def lengths(self) -> Index:
        """How many characters each line has; shape (n,)."""
        return np.asarray(np.diff(self._starts, append=len(self.codes)) - 1)

    def count(self, marks: Mask) -> Index:
        """Return how many of the characters that are marked each line has, line feeds among them; shape (n,)."""
        # A sum by numpy would take ten times as long.
        places = np.append(self._starts, len(self.codes))
        return np.asarray(np.diff(np.searchsorted(np.flatnonzero(marks), places)), dtype=np.int64)

    def sums(self, values: Index) -> Index:
        """Return the sum of the characters' values in each line, line feeds among them; shape (n,)."""
        return np.add.reduceat(values, self._starts) if self._n else np.zeros(0, dtype=np.int64)

    @cached_property
    def _starts(self) -> Index:
        return np.flatnonzero(self.codes == ord("\n"))


@dataclass(frozen=True, eq=False)
class Texts:
    """The n lines of one system, or of two that are compared, with what stands beside them.

    second: None for one system alone. references: a line may be None. sources: None where they are unknown. language:
    of the outputs, as in "en"; None where it is to be found out.
    """

    first: Lines
    second: Lines | None
    references: tuple[Stream, ...]
    sources: Lines | None
    language: str | None = None

    @classmethod
    def of(cls, corpus: Corpus, first: str, second: str | None = None, language: str | None = None) -> "Texts":
        """Return the texts of one or two systems of a corpus."""
        lines = None if second is None else corpus.lines(second)
        return cls(corpus.lines(first), lines, tuple(corpus.references.values()), corpus.segments.sources, language)

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.first)

    @property
    def outputs(self) -> tuple[Lines, ...]:
        """The outputs of the one system or of both."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @cached_property
    def guides(self) -> tuple[Stream, ...]:
        """What one output is held against: the references, or the source where there is none."""
        return self.references or (() if self.sources is None else (self.sources,))

    def given(self, segment: int) -> list[str]:
        return [line for line in (lines[segment] for lines in self.references) if line is not None]

    @property
    def differing(self) -> Iterator[tuple[int, str, str]]:
        """Number and outputs of the segments on which the two systems differ."""
        pairs = zip(self.first, self.second or self.first, strict=True)
        return ((number, line, other) for number, (line, other) in enumerate(pairs) if line != other)

    @cached_property
    def seems(self) -> Found:
        """The language that the outputs are said to be in, or else seem to be in."""
        if self.language is not None:
            return named(self.language)
        return language_of(self.references[0] if self.references else self.first)

    def blocks(self) -> list["Texts"]:
        """Return the texts in parts of BLOCK segments, all in the language of the whole."""
        if len(self) <= BLOCK:
            return [self]
        code, sources = self.seems.code, self.sources
        parts = [slice(start, start + BLOCK) for start in range(0, len(self), BLOCK)]
        return [
            Texts(
                self.first[part],
                None if self.second is None else self.second[part],
                tuple(lines[part] for lines in self.references),
                None if sources is None else sources[part],
                self.language if code is None else code,
            )
            for part in parts
        ]

    def column(self, lines: Stream) -> Column:
        """Return one of the streams as a column, the same one for all who ask."""
        # By identity: the streams are kept here, and to hash one would take as long as to look through it.
        if id(lines) not in self._columns:
            self._columns[id(lines)] = Column(lines, self._numbers)
        return self._columns[id(lines)]

    @cached_property
    def _columns(self) -> dict[int, Column]:
        return {}

    @cached_property
    def _numbers(self) -> defaultdict[str, int]:
        return defaultdict(count().__next__)


class Detector(ABC):
    """A bucket: `name` is what users type, `title` what a screen says, `about` one sentence on what is tested.

    Whether a segment is in it hangs on that segment alone: a detector is asked about one part of them after the other.

    alone: the same for one system by itself; empty where a bucket needs two. needs: what it cannot do without,
    "source", "reference" or, where either will do, "source or reference"; alone_needs: the same for one system.
    """

    name: str
    title: str
    about: str
    alone: str = ""
    needs: ClassVar[str] = ""
    alone_needs: ClassVar[str] = ""

    def lacking(self, texts: Texts) -> str:
        """Return why nothing can be known of these texts, in a sentence; "" where something can."""
        if texts.second is None and not self.alone:
            return "This bucket compares two systems."
        needed = self.needs if texts.second is not None else self.alone_needs or self.needs
        known = {"source": texts.sources is not None, "reference": bool(texts.references)}
        if needed and not any(known[kind] for kind in needed.split(" or ")):
            return f"This bucket needs a {needed}, and none was given."
        return ""

    @abstractmethod
    def marks(self, texts: Texts) -> Mask:
        """Return which segments are in the bucket; shape (n,). Texts that it lacks something of are not asked about."""


class Contrast(Detector, Generic[T]):
    """Something that is read off each text: the two outputs differ in it, or one output from all its guides does."""

    @abstractmethod
    def has(self, lines: Stream, texts: Texts) -> Mask:
        """Return which lines have anything of it, at a glance: two that have nothing do not differ; shape (n,)."""

    @abstractmethod
    def reader(self, texts: Texts) -> Callable[[str], T]:
        """Return the function that says what a line has."""

    @abstractmethod
    def differ(self, line: T, other: T) -> bool:
        """Return whether two lines differ in what they have."""

    def guides(self, texts: Texts) -> tuple[Stream, ...]:
        """Return what one system is held against."""
        return texts.references

    def marks(self, texts: Texts) -> Mask:
        """Return where the outputs differ, or where one output differs from each of its guides."""
        marks, read = np.zeros(len(texts), dtype=bool), self.reader(texts)
        guides = self.guides(texts)
        looked_at = (*texts.outputs, *(guides if texts.second is None else ()))
        wanted = np.flatnonzero(np.any([self.has(lines, texts) for lines in looked_at], axis=0)).tolist()
        if texts.second is not None:
            for number in wanted:
                left, other = texts.first[number], texts.second[number]
                marks[number] = left != other and self.differ(read(left), read(other))
            return marks
        for number in wanted:
            line = texts.first[number]
            others = [other for other in (lines[number] for lines in guides) if other is not None]
            if others and line not in others:
                own = read(line)
                marks[number] = all(self.differ(own, read(other)) for other in others)
        return marks


class Fault(Detector):
    """Something that is wrong with a translation by itself: one of the outputs, or the only one, has it."""

    @abstractmethod
    def faulty(self, lines: Lines, texts: Texts) -> Mask:
        """Return which lines of one output have the fault; shape (n,)."""

    def marks(self, texts: Texts) -> Mask:
        """Return where at least one of the outputs has the fault."""
        return np.asarray(np.any([self.faulty(lines, texts) for lines in texts.outputs], axis=0))


IN_UNSPACED = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
"""The characters of scripts without spaces between words, as a pattern has them between brackets."""

ADDRESS = re.compile(
    r"(?:https?://|ftp://|www\.)[^\s<>\"'«»“”‘’()\[\]，。、；：！？（）「」『』【】《》\u0E00-\u0E7F\u3040-\u30FF\u3400-\u9FFF]+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
)
"""URLs and e-mail addresses; a mark that ends the sentence is taken off by `addresses`."""


def addresses(line: str) -> list[str]:
    """Return the URLs and e-mail addresses of a line as they stand there."""
    if not may_have_address(line):
        return []
    return [address.rstrip(".,;:!?*_~-") for address in ADDRESS.findall(line)]


def without_addresses(line: str) -> str:
    """Return the line with a space in place of every URL and e-mail address."""
    return ADDRESS.sub(" ", line) if may_have_address(line) else line


def may_have_address(line: str) -> bool:
    """Return whether a line has what every URL or e-mail address has."""
    return "@" in line or "://" in line or "www." in line


def spread_out(values: Iterable[bool], n: int) -> Mask:
    """Return n booleans as an array."""
    return np.fromiter(values, dtype=bool, count=n)
