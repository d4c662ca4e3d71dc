"""Citations: what metrics, tests, intervals and corrections cite goes in; works, and their BibTeX, come out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from mtsig.errors import InvalidOption, find

VERSION = "0.1.0"
"""The version of the program: part of every signature, and of its own citation."""


@dataclass(frozen=True)
class Work:
    """One work: who and when as a text cites it, and its BibTeX.

    authors as BibTeX has them ("Doe, Jane and Roe, Richard"); fields: what else its entry holds, in their order.
    """

    key: str
    kind: str
    authors: str
    title: str
    year: str
    fields: Mapping[str, str]

    @property
    def cited(self) -> str:
        """Return it as a text cites it, such as "Riezler and Maxwell, 2005"."""
        names = [_readable(author.split(",")[0]) for author in self.authors.split(" and ")]
        who = names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."
        return f"{who}, {self.year}" if self.year else who

    @property
    def bibtex(self) -> str:
        """Return the entry."""
        fields = {"author": self.authors, "title": self.title, **self.fields, "year": self.year}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


Citations: TypeAlias = tuple[str | Work, ...]
"""What a method cites: keys of the bibliography below, or works that it lacks."""

_ACCENTS = {
    "{\\'c}": "ć",
    "{\\v{S}}": "Š",
    "{\\v{s}}": "š",
    "{\\'a}": "á",
    "{\\v{e}}": "ě",
    "{\\'e}": "é",
    "{\\ss}": "ß",
}


def _readable(text: str) -> str:
    """Return BibTeX's text with its accents as letters and without braces."""
    for code, sign in _ACCENTS.items():
        text = text.replace(code, sign)
    return text.strip("{}")


_ENTRY = re.compile(r"@(\w+)\{(\S+),\n(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


def _works(text: str) -> Iterator[Work]:
    """Yield the works of BibTeX that is written as `Work.bibtex` writes it, one field a line."""
    for kind, key, lines in _ENTRY.findall(text):
        fields = dict(_FIELD.findall(lines))
        yield Work(key, kind, fields.pop("author"), fields.pop("title"), fields.pop("year"), fields)


_OWN = Work(
    "mtsig", "misc", "{mtsig}", "mtsig: significance tests for machine translation evaluation", "2026",
    {"note": f"Version {VERSION}"},
)  # fmt: skip

REFERENCES: dict[str, Work] = {
    work.key: work for work in (*_works(Path(__file__).with_name("references.bib").read_text(encoding="utf-8")), _OWN)
}
"""The bibliography, by key: the works of references.bib, and the program itself."""


def works(cites: Iterable[str | Work]) -> tuple[Work, ...]:
    """Return the works that are cited: those of the bibliography by their keys, and those that are given whole.

    Raises
    ------
    UnknownName
        The bibliography has no such key.
    """
    return tuple(find(REFERENCES, cited, "work in the bibliography") for cited in cites)


def bibliography(cited: Iterable[Work]) -> str:
    """Return the BibTeX of the works, each once.

    Raises
    ------
    InvalidOption
        Two different works have one key.
    """
    by_key: dict[str, Work] = {}
    for work in cited:
        if by_key.setdefault(work.key, work) != work:
            raise InvalidOption(f"Two works are cited as {work.key!r}; give one of them another key.")
    return "\n\n".join(work.bibtex for work in by_key.values()) + "\n"
