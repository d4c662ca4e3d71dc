"""Languages: the words by which a text's language is known, and those that negate in it, as in languages.toml."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Literal

from mtsig.text import writing_of

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
