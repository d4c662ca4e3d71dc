"""The one lookup: a name, or the thing itself, goes in; the thing comes out."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from mtsig.errors import UnknownName

T = TypeVar("T")


def find_typed(table: Mapping[str, T], text: str, kind: str) -> T:
    """Return the entry that a user typed: called exactly so, or so in lower case.

    Raises:
        UnknownName: as in `find`.
    """
    name = text.strip()
    return find(table, name if name in table else name.lower(), kind)


def find(table: Mapping[str, T], choice: str | T, kind: str) -> T:
    """Return the entry of `table` called `choice`, or `choice` itself when it is not a name.

    Raises:
        UnknownName: the table has no such entry; the message lists those it has.
    """
    if not isinstance(choice, str):
        return choice
    if choice in table:
        return table[choice]
    hint = meant(choice, table)
    said = f" {hint}" if hint else ""
    raise UnknownName(f"There is no {kind} called {choice!r}.{said} Known: {', '.join(table) or 'none'}.")


def meant(text: str, known: Iterable[str]) -> str:
    """Return the question whether the nearest of some names was meant; nothing where none is near.

    >>> meant("scor", ["read", "score"]), meant("x", ["read", "score"])
    ("Did you mean 'score'?", '')
    """
    near = get_close_matches(text.lower(), known, n=1)
    return f"Did you mean {near[0]!r}?" if near else ""
