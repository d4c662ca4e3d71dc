"""Detector: what every bucket is made of; texts of one or two systems go in, which segments belong comes out."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

import numpy as np

from mtsig.arrays import Mask
from mtsig.corpus import Corpus, Lines
from mtsig.text.scripts import UNSPACED

T = TypeVar("T")

Stream = Sequence[str | None]
"""One text per segment, None where there is none."""


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
        """Return the texts of one or two systems of a corpus.

        Raises:
            UnknownName: no such system.
            NotApplicable: a system has no text, or several runs.
        """
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
        """Return the references that a segment has."""
        return [line for line in (lines[segment] for lines in self.references) if line is not None]

    @property
    def differing(self) -> Iterator[tuple[int, str, str]]:
        """Number and outputs of the segments on which the two systems differ."""
        pairs = zip(self.first, self.second or self.first, strict=True)
        return ((number, line, other) for number, (line, other) in enumerate(pairs) if line != other)


class Detector(ABC):
    """A bucket: `name` is what users type, `title` what a screen says, `about` one sentence on what is tested.

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
            return "It compares two systems."
        needed = self.needs if texts.second is not None else self.alone_needs or self.needs
        known = {"source": texts.sources is not None, "reference": bool(texts.references)}
        if needed and not any(known[kind] for kind in needed.split(" or ")):
            return f"It needs a {needed}, and none was given."
        return ""

    @abstractmethod
    def marks(self, texts: Texts) -> Mask:
        """Return which segments are in the bucket; shape (n,). Texts that it lacks something of are not asked about."""


class Contrast(Detector, Generic[T]):
    """Something that is read off each text: the two outputs differ in it, or one output from all its guides does."""

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
        if texts.second is not None:
            for number, left, other in texts.differing:
                marks[number] = self.differ(read(left), read(other))
            return marks
        guides = self.guides(texts)
        for number, line in enumerate(texts.first):
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
    """Return the URLs and e-mail addresses of a line as they stand there.

    >>> addresses("See www.example.org/a?b=1, or write to me@example.org.")
    ['www.example.org/a?b=1', 'me@example.org']
    """
    if "@" not in line and "://" not in line and "www." not in line:
        return []
    return [address.rstrip(".,;:!?*_~-") for address in ADDRESS.findall(line)]


def without_addresses(line: str) -> str:
    """Return the line with a space in place of every URL and e-mail address."""
    return ADDRESS.sub(" ", line) if "@" in line or "://" in line or "www." in line else line


def spread_out(values: Iterable[bool], n: int) -> Mask:
    """Return n booleans as an array."""
    return np.fromiter(values, dtype=bool, count=n)
