"""Synonyms from WordNet's own files, where they are installed: a word goes in, the senses it can have come out."""

import os
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

from mtsig.errors import NotApplicable

Folder: TypeAlias = Path | zipfile.Path
Sense: TypeAlias = tuple[str, str]
"""Part of speech and the synset's number in it."""

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

_ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
             ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""How WordNet's morphy turns endings into those of base forms."""


@dataclass(frozen=True, eq=False)
class WordNet:
    """The words of WordNet with their senses, and the base forms of irregular ones, each by part of speech."""

    version: str
    senses_of: Mapping[str, Mapping[str, tuple[Sense, ...]]]
    irregular: Mapping[str, Mapping[str, tuple[str, ...]]]
    _known: dict[str, frozenset[Sense]] = field(default_factory=dict, repr=False)

    def senses(self, word: str) -> frozenset[Sense]:
        """Return the senses of a lowercased word and of what may be its base forms; two synonyms share one."""
        if word not in self._known:
            self._known[word] = frozenset(
                sense
                for part in PARTS_OF_SPEECH
                for base in self._bases(word, part)
                for sense in self.senses_of[part].get(base, ())
            )
        return self._known[word]

    def _bases(self, word: str, part: str) -> Iterator[str]:
        yield word
        if word in self.irregular[part]:
            yield from self.irregular[part][word]
            return
        for ending, instead in _ENDINGS[part]:
            if word.endswith(ending):
                yield word.removesuffix(ending) + instead


def installed_wordnet() -> WordNet:
    """Return the WordNet of this computer, read once.

    Raises:
        NotApplicable: there is none; the message says where it was looked for, and what to install.
    """
    places = list(_places())
    for place in places:
        folder = _folder(place)
        if folder is not None:
            return _read(str(place), _stamp(place))
    looked = ", ".join(map(str, places))
    raise NotApplicable(
        f"Synonyms need WordNet's files (index.noun and others); none were found in {looked}. Install Debian's "
        "wordnet-base, set WNSEARCHDIR to the folder that holds them, or leave synonyms off; nothing is downloaded."
    )


def _places() -> Iterator[Path]:
    """Yield where WordNet's files may be, in the order they are looked for."""
    if os.environ.get("WNSEARCHDIR"):
        yield Path(os.environ["WNSEARCHDIR"])
    yield Path("/usr/share/wordnet")
    given = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    usual = ("~/nltk_data", f"{sys.prefix}/nltk_data", "/usr/share/nltk_data", "/usr/local/share/nltk_data")
    for folder in dict.fromkeys(filter(None, (*given, *usual))):
        corpora = Path(os.path.expanduser(folder)) / "corpora"  # noqa: PTH111  (pathlib's raises without a home)
        yield corpora / "wordnet"
        yield corpora / "wordnet.zip"


def _folder(place: Path) -> Folder | None:
    """Return the folder, or the one in an archive of NLTK's; None when the files are not there."""
    folder: Folder = place
    if place.suffix == ".zip" and place.is_file():
        folder = zipfile.Path(place, "wordnet/")
    return folder if all((folder / f"index.{part}").is_file() for part in PARTS_OF_SPEECH) else None


def _stamp(place: Path) -> int:
    return place.stat().st_mtime_ns


@cache
def _read(place: str, stamp: int) -> WordNet:
    del stamp  # files that changed are read anew
    folder = _folder(Path(place))
    if folder is None:
        raise NotApplicable(f"{place}: WordNet's files went away while they were read.")
    nouns = _lines(folder / "index.noun")
    version = re.search(r"WordNet (\d[\d.]*\d)", " ".join(line for line in nouns[:40] if line.startswith(" ")))
    return WordNet(
        version.group(1) if version else "unknown",
        {part: dict(_index(_lines(folder / f"index.{part}"), part)) for part in PARTS_OF_SPEECH},
        {part: dict(_exceptions(folder / f"{part}.exc")) for part in PARTS_OF_SPEECH},
    )


def _lines(file: Folder) -> list[str]:
    return file.read_text(encoding="utf-8").split("\n")


def _index(lines: Iterable[str], part: str) -> Iterator[tuple[str, tuple[Sense, ...]]]:
    """Yield every single word with its synsets: `lemma pos count … offset offset`, as many offsets as counted."""
    for line in lines:
        if not line or line.startswith(" "):  # the licence stands on lines that begin with a space
            continue
        lemma, _, count, *rest = line.split()
        if "_" not in lemma:
            yield lemma, tuple((part, offset) for offset in rest[-int(count) :])


def _exceptions(file: Folder) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every irregular form with its base forms."""
    if not file.is_file():
        return
    for line in _lines(file):
        if line.strip():
            form, *bases = line.split()
            yield form, tuple(bases)
